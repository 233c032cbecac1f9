for _, m in ipairs { "catching-up", "theta", "penalty", "lazy", "event-driven" } do
    local r = trial { x = {2, 1, 0}, h = 0.1, t_end = 0.3, method = m, keep = true, set = gaps {
        function(t, x) return math.sqrt(x[1]^2 + x[2] * x[2]) - 1 - t end,
        function(t, x) local s = 0 for i, v in ipairs(x) do s = s + v end return s % 7 + math.max(x[1], t, 3) end,
        function(t, x) return math.exp(-t) * math.atan(x[2], x[1] + 3) + math.log(x[1] + 9, 10) + math.abs(x[3]) end,
        function(t, x) return 1 end } }
    report(m, r.x)
end
sweep { x = {0}, h = 0.1, t_end = 1, set = gaps { function(t, x) return x[1] - t end } }
