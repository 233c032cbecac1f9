-- Cobbles: a block of Voronoi grains that fit together without gaps (generate.polygons), let go on one side.
--
-- Cells of random points, relaxed a few times so that none is much smaller than the others, fill a box.  While both walls stand the
-- block stands; then the gate is taken away, and the grains run out.
-- Expect: areas that add up to the box's to 1e-12; before, floor and walls that carry the weight to 1e-3; after, a slope whose
-- foot lies beyond the gate.  (With --set friction=0.5 the grains hold each other, and that check fails.)

local n = param("grains", 60, "number of grains")
local mu = param("friction", 0.2, "between all")
local w, h = 1, 1

world { dim = 2, h = 2e-3, t_end = 1.5, gravity = {0, -9.81}, solver = { tol = 1e-4 }, position_projection = true }
law { friction = mu }
local ground = body { shape = halfplane { normal = {0, 1} }, fixed = true }
local wall = body { shape = halfplane { normal = {1, 0} }, fixed = true }
local gate = body { shape = rectangle { 0.1, 3 * h }, position = {w + 0.05, 0}, fixed = true, name = "gate" }
local g = generate.polygons { count = n, relax = 5, density = 2600, region = { min = {0, 0}, max = {w, h} }, group = "grain" }

local mass = 0
for _, b in ipairs(g) do mass = mass + b.mass end
check("area", math.abs(mass / (2600 * w * h) - 1) < 1e-12, tostring(mass))

at(0.2, function()
    -- walls carry some of it by friction
    state.carried = -(ground.force[2] + wall.force[2] + gate.force[2]) / (mass * 9.81)
    remove(gate)
end)

at_end(function()
    check("long enough", state.carried ~= nil, "it ended before the gate was taken away")
    if not state.carried then return end
    local foot, top = 0, 0
    for _, b in ipairs(g) do
        foot, top = math.max(foot, b.position[1]), math.max(top, b.position[2])
    end
    report("carried", state.carried)
    report("foot", foot)
    report("top", top)
    check("weight", math.abs(state.carried - 1) < 1e-3, tostring(state.carried))
    check("runs out", foot > 1.2 * w, tostring(foot))
    check("sinks", top < h, tostring(top))
end)
