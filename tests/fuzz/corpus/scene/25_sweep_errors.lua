local list = {
    function() sweep { x = 0 } end, function() ball { center = {}, radius = 1 } end, function() gaps { 1, 2 } end,
    function() intersection { 3 } end, function() translate(3) end, function() discs { radius = 1 } end,
    function() polyhedron { rows = { {1}, {1, 2} }, offsets = {} } end, function() plot { curves = { {} } } end,
    function() trial { x = {1, 2}, h = 1, t_end = 1, set = interval { center = 0, radius = 1 } } end,
    function() trial { x = 0, h = 1, t_end = 1, set = gaps { function() return "a" end } } end,
    function() trial { x = 0, h = 1, t_end = 1, set = gaps { function(t, x) return x end } } end,
    function() trial { x = 0, h = 1, t_end = 1, set = gaps { function() error({}) end } } end,
    function() trial { x = 0, h = 1, t_end = 1, set = gaps { function(t, x) return 0 / (x[1] - x[1]) end } } end,
    function() trial { x = 0, h = 1, t_end = 1, set = interval { center = function() return {} end, radius = 1 } } end,
}
for i, f in ipairs(list) do assert(not pcall(f)) end
sweep { x = 0, h = 0.1, t_end = 1, set = gaps { function(t, x) return t < 0.25 and 1 or nil end } }
