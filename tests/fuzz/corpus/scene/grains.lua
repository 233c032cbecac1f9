world { dim = 2, h = 0.01, t_end = 0.05, gravity = {0, -9.81}, record = { every = 0.01 } }
generate.lattice { kind = "square", radius = sizes.table { {0.1, 1}, {0.2, 3}, by = "mass" }, counts = {3, 2}, jitter = 0.5 }
generate.random { region = { center = {3, 0}, radius = 1 }, count = 8, radius = sizes.normal {0.1, 0.01}, gap = 0.01,
                  angle = "random", shape = function(r) return rectangle { r, r } end }
generate.polygons { region = { points = { {5, 0}, {7, 0}, {6, 2} } }, count = 7, relax = 2, shrink = 0.1 }
local r = generate.rain { count = 9, rate = 200, position = {0, 5}, scatter = 0.3, radius = sizes.lognormal {0.05, 0.2} }
generate.compressed { count = 5, radius = sizes.uniform {0.5, 1}, position = {-9, 0}, friction = 0.3 }
at_end(function() report("n", #r) end)
