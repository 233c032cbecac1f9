-- A periodic cell that leans more and more, with balls at rest that spin about the vertical axis and one that leaves through a face.
world { dim = 3, h = 0.01, t_end = 1, periodic = { x = {0, 2}, y = {-1, 1} }, record = { every = 0.1 } }
cell { rate = { xy = 0.2 } }
body { shape = sphere { radius = 0.4 }, density = 1000, name = "spins", position = {1, 0, 0}, spin = {0, 0, 2} }
body { shape = sphere { radius = 0.1 }, density = 1000, name = "leaves", position = {0.3, -0.3, 1}, velocity = {-1, 0, 0} }
