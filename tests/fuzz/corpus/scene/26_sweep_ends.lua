local r = trial { x = {0, 0}, h = 0.5, t_end = 2, set = gaps { function(t, x) return x[1]^2 + x[2]^2 - t end } }
report("no gradient", r.status)
sweep { x = {5, 5}, h = 0.1, t_end = 1, set = intersection { halfspace { normal = {1, 0}, offset = function(t) return t end },
        halfspace { normal = {-1, 0}, offset = -0.15 }, polyhedron { rows = { {0, 0}, {1e300, 1e-300} }, offsets = {-1, -1e300} } } }
world { dim = 2, h = 1, t_end = 1 }
