-- A square pyramid of cubes at rest: every cube on four of the layer below.
--
-- Ten layers are 385 cubes.  Each stands with 16 contact points on four others, a hair apart from its neighbours: about 5000
-- contacts, far more forces than equations.
-- Expect, at tol 1e-8: top moved by less than 1e-6 m, penetration below 1e-5 of a cube, kinetic energy below 1e-12 J, ground
-- force equal to the weight to 1e-8 of it.

local layers = param("layers", 10, "number of layers")
local T = param("seconds", 1, "how long")
local a, density, g = 0.1, 1000, 9.81
local d = 1.02 * a -- from centre to centre

world { dim = 3, h = 2e-3, t_end = T, gravity = {0, 0, -g}, solver = { tol = 1e-8 }, record = { every = math.max(T / 20, 2e-3) } }
law { friction = 0.5 }
local ground = body { shape = plane { normal = {0, 0, 1} }, fixed = true, group = "ground" }
local shape, count, top = box { a, a, a }, 0, nil
for layer = 1, layers do
    local n = layers + 1 - layer
    for i = 1, n do
        for j = 1, n do
            top = body { shape = shape, density = density, group = layer % 2 == 0 and "even" or "odd",
                         position = { (i - 0.5 * (n + 1)) * d, (j - 0.5 * (n + 1)) * d, (layer - 0.5) * a } }
            count = count + 1
        end
    end
end
local weight, start = count * density * a ^ 3 * g, top.position

local function moved()
    local p = top.position
    return math.sqrt((p[1] - start[1]) ^ 2 + (p[2] - start[2]) ^ 2 + (p[3] - start[3]) ^ 2)
end

observe("moved", moved)
state.kinetic, state.penetration, state.force = 0, 0, 0
on_step(function(t)
    state.kinetic = math.max(state.kinetic, measure.kinetic_energy())
    state.penetration = math.max(state.penetration, measure.max_penetration())
    if t > 0 then state.force = math.max(state.force, math.abs(-ground.force[3] / weight - 1)) end
end)

at_end(function()
    report("cubes", count)
    report("top_moved", moved())
    report("penetration", state.penetration / a)
    report("kinetic_energy", state.kinetic)
    report("ground_force_error", state.force)
    check("top", moved() < 1e-6, "it moved by " .. moved() .. " m")
    check("penetration", state.penetration < 1e-5 * a, state.penetration / a .. " of a cube")
    check("kinetic energy", state.kinetic < 1e-12, "up to " .. state.kinetic .. " J")
    check("ground force", state.force < 1e-8, "off by " .. state.force .. " of the weight")
end)
