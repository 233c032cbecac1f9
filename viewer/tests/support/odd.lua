-- Numbers that are none in a series, and times that are long to write.
world { dim = 2, h = 1.2345e-5, t_end = 1.2345e-3, gravity = {0, -9.81}, record = { every = 1.2345e-5 } }
body { shape = disc { radius = 0.1 }, density = 1000, position = {0, 1} }
observe("gaps", function(t) return t < 5e-4 and 1 or t < 8e-4 and 0 / 0 or 1 / 0 end)
