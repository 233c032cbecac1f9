-- A run file in 3D for the fuzz target of run files: every kind of body that needs no other file, some touching.
world { dim = 3, h = 2e-3, t_end = 0.02, gravity = {0, 0, -9.81}, record = { every = 0.01 } }
law { friction = 0.5, restitution = 0.1 }
body { shape = plane { normal = {0, 0, 1}, offset = 0 }, fixed = true, group = "wall" }
body { shape = sphere { radius = 0.05 }, density = 1000, position = {0, 0, 0.05}, spin = {0, 5, 0} }
body { shape = box { 0.2, 0.1, 0.1 }, density = 1000, position = {0.3, 0, 0.05}, name = "block" }
body { shape = cylinder { radius = 0.05, height = 0.1 }, density = 1000, position = {0.3, 0, 0.15} }
body { shape = capsule { radius = 0.03, height = 0.1 }, density = 1000, position = {0, 0.3, 0.08} }
body { shape = convex { {0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1} }, density = 1000, position = {0.5, 0.5, 0.025} }
body { shape = compound { { shape = sphere { radius = 0.05 }, position = {-0.05, 0, 0} }, { shape = box { 0.1, 0.1, 0.1 }, position = {0.05, 0, 0} } },
       density = 1000, position = {-0.5, 0, 0.05} }
