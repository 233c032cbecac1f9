-- Every shape in space once or twice: what the viewer must draw.
world { dim = 3, h = 0.005, t_end = 1, gravity = {0, 0, -9.81}, record = { every = 0.02 } }
law { friction = 0.4, restitution = 0.1 }
body { shape = plane { normal = {0, 0, 1}, offset = 0 }, fixed = true, group = "ground", name = "floor" }
body { shape = mesh { points = {{-2, 1, 0}, {2, 1, 0}, {2, 1.6, 0.8}, {-2, 1.6, 0.8}}, triangles = {{1, 2, 3}, {1, 3, 4}} },
       fixed = true, group = "ground", name = "slope" }
local shapes = {
    sphere { radius = 0.2 }, box { 0.4, 0.3, 0.3 }, cylinder { radius = 0.15, height = 0.4 },
    capsule { radius = 0.12, height = 0.3 },
    convex { {0, 0, 0.25}, {0.25, 0, -0.1}, {-0.15, 0.2, -0.1}, {-0.15, -0.2, -0.1} },
    compound { { shape = sphere { radius = 0.12 }, position = {-0.1, 0, 0} }, { shape = sphere { radius = 0.12 }, position = {0.12, 0, 0} } },
}
for k, shape in ipairs(shapes) do
    for layer = 0, 1 do
        body { shape = shape, density = 1000, group = layer == 0 and "low" or "high", name = "s" .. k .. "-" .. layer,
               position = { 0.55 * (k - 3), 0.05 * layer, 0.35 + 0.6 * layer }, velocity = { 0.4 - 0.2 * layer, 0.3 * layer, 0 } }
    end
end
observe("contacts", measure.contact_count)
