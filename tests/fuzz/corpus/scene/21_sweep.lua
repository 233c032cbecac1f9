local p = sweep { x = {0, 1}, h = 0.01, t_end = 0.05, method = param("method", "catching-up"), theta = 0.75, tol = 1e-12,
                  max_iter = 20, retraction = true, record = { every = 0.02, series = 0.01 },
                  field = function(t, x) return { -x[2], x[1] } end,
                  set = ball { center = function(t) return {t, 0} end, radius = function(t) return 1 - t / 9 end } }
on_step(function(t) state.n = (state.n or 0) + p.x[1] end)
observe("length", function(t) return p.path_length end)
stop_when(function(t) return p.violation > 1 end)
at_end(function(x)
    report("x", x) report("lambda", p.lambda) report("gaps", p.gaps)
    check("short", p.path_length <= p.retraction + 1)
    plot { title = "path", x = { label = "t", log = false, down = true }, y = "x", equal = true,
           curves = { { name = "a", x = {1, 0/0}, y = {2, 3}, style = "both" } } }
end)
