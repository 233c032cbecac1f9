world { dim = 2, h = 1e-2, t_end = 0.02 }
pcall(function() body { shape = polygon { {0, 0}, {1, 0}, {0.5, 1e-320} }, density = 1 } end)
pcall(function() body { shape = polygon { {0, 0}, {1, 1}, {1, 0}, {0, 1} }, density = 1 } end)
pcall(function() body { shape = segment { {0, 0}, {0, 0} }, mass = 1 } end)
pcall(compound, { })
pcall(function() return compound { { shape = compound { { shape = disc { radius = 1 } } } } } end)
body { shape = rectangle { 1e-200, 1e200 }, density = 1 }
body { shape = chain { {0, 0}, {1, 0}, {0, 0}, {1, 0} }, fixed = true }
