-- A run file with velocities for the fuzz target of run files: a ball thrown into a bowl, with impacts, a series and a plot.
local p = system { q = {-0.5, 1}, u = {1, 0}, mass = {1, 1}, force = function(t, q) return {0, -9.81} end,
                   gaps = { function(t, q) return q[2] - q[1]^2 end, function(t, q) return 2 - q[2] end },
                   restitution = {0.8, 0.5}, scheme = "moreau", h = 0.02, t_end = 1 }
observe("height", function(t) return p.q[2] end)
plot { title = "a line", x = "t", y = "q", curves = { { name = "c", x = {0, 1}, y = {0, 1} } } }
report("gaps", 2)
