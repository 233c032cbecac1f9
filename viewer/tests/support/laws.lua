-- Bodies that slide on a floor, each with a law of its own, and one that static friction holds.
world { dim = 3, h = 1e-3, t_end = 0.4, gravity = {0, 0, -10}, record = { every = 0.02 } }
law { friction = 0.4, static_friction = 0.6 }
law { between = {"ball", "floor"}, friction = 0.3, friction2 = 0.1, axis = {1, 1, 0} }
law { between = {"box", "floor"}, threshold = 4 }
law { between = {"glue", "floor"}, friction = 0.5, cohesion = 3 }
body { shape = plane { normal = {0, 0, 1}, offset = 0 }, fixed = true, group = "floor" }
body { shape = sphere { radius = 0.1 }, density = 1000, group = "ball", position = {0, 0, 0.1}, velocity = {1, 0, 0}, name = "ball" }
body { shape = box { 0.2, 0.2, 0.2 }, density = 1000, group = "box", position = {0, 0.5, 0.1}, velocity = {1, 0.5, 0}, name = "box" }
body { shape = box { 0.2, 0.2, 0.2 }, density = 100, group = "glue", position = {0, -0.5, 0.1}, velocity = {1, 0, 0}, name = "glued" }
body { shape = box { 0.3, 0.2, 0.2 }, density = 1000, group = "x", position = {0.8, 0, 0.1}, name = "still", applied_force = {60, 0, 0} }
observe_bodies("depth", function(b) return b.kind == "dynamic" and b.position[1] - 0.3 or nil end)
