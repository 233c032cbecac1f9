world { dim = 2, h = 1e-2, t_end = 0.05, gravity = {0, -9.81} }
law { friction = 0.5, restitution = 0.1 }
body { shape = halfplane { normal = {0, 1}, offset = 0 }, fixed = true, group = "wall" }
body { shape = rectangle { 0.2, 0.1 }, density = 2600, position = {0, 0.06}, name = "block" }
