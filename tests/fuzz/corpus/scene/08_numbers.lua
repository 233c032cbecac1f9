world { dim = 2, h = 0/0, t_end = math.huge, gravity = {1e308, -1e308} }
body { shape = disc { radius = -0.0 }, density = 2^1023, position = {math.mininteger, 5e-324} }
