local x = {}
for i = 1, 12 do x[i] = math.random() end
sweep { x = x, h = 0.05, t_end = 1, retraction = false,
        set = discs { radius = {0.1, 0.2, 0.1, 0.3, 0.1, 0.1}, walls = { {0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0, 0, 0} } },
        field = function(t, x) local f = {} for i = 1, #x do f[i] = 0.5 - x[i] end return f end }
