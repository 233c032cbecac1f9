local box = interval { center = {0, function(t) return t end}, radius = 1 }
local corner = polyhedron { rows = { {1, 0}, function(t) return {0, 1} end }, offsets = { function(t) return t end, -3 } }
local wall = halfspace { normal = {1, function(t) return -t end}, offset = -2 }
local free = polyhedron { rows = function(t) return { {1, 1} } end, offsets = function(t) return { -9 } end }
sweep { x = {0.5, 0.5}, h = 0.125, t_end = 1, method = "lazy",
        set = intersection { translate(translate(box, {0.5, 0}), function(t) return {t, t} end), corner, wall, free,
                             intersection { ball { center = {0, 0}, radius = 9 } } } }
