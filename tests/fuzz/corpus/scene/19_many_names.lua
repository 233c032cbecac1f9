world { dim = 2, h = 1e-2, t_end = 0.01 }
for i = 1, 100 do body { shape = disc { radius = 0.1 }, mass = 1, position = {i, 0}, group = "g" .. i, name = string.rep("n", i * 2) } end
law { between = {"g1", "absent"}, friction = 1 }
