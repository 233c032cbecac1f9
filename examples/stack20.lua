-- Twenty boxes on top of each other, at rest.
--
-- The classic that time-stepping methods creep or jitter in: 80 redundant contacts, and the lowest ones carry twenty times
-- what the uppermost do.  Nothing may move, and every joint carries what lies above it.
-- Expect, after 60 s of 3D contact with friction at tol 1e-8: top moved by less than 1e-6 m, penetration below 1e-5 of a box,
-- kinetic energy below 1e-12 J, ground force equal to the weight to 1e-8 of it.

local count = param("boxes", 20, "number of boxes")
local T = param("seconds", 60, "how long")
local a, density, g = 0.1, 1000, 9.81

world { dim = 3, h = 2e-3, t_end = T, gravity = {0, 0, -g}, solver = { tol = 1e-8 },
        record = { every = math.max(T / 60, 2e-3) } }
law { friction = 0.5 }
local ground = body { shape = plane { normal = {0, 0, 1} }, fixed = true, group = "ground" }
local boxes = generate.wall { brick = {a, a, a}, bricks = 1, courses = count, bond = 0, density = density, name = "box" }
local weight, top = count * density * a ^ 3 * g, boxes[count]
local start = top.position

local function moved()
    local p = top.position
    return math.sqrt((p[1] - start[1]) ^ 2 + (p[2] - start[2]) ^ 2 + (p[3] - start[3]) ^ 2)
end

observe("moved", moved)
observe("kinetic energy", function() return measure.kinetic_energy() end)
state.kinetic, state.penetration, state.force = 0, 0, 0
on_step(function(t)
    state.kinetic = math.max(state.kinetic, measure.kinetic_energy())
    state.penetration = math.max(state.penetration, measure.max_penetration())
    if t > 0 then state.force = math.max(state.force, math.abs(-ground.force[3] / weight - 1)) end
end)

at_end(function()
    report("top_moved", moved())
    report("penetration", state.penetration / a)
    report("kinetic_energy", state.kinetic)
    report("ground_force_error", state.force)
    check("top", moved() < 1e-6, "it moved by " .. moved() .. " m")
    check("penetration", state.penetration < 1e-5 * a, state.penetration / a .. " of a box")
    check("kinetic energy", state.kinetic < 1e-12, "up to " .. state.kinetic .. " J")
    check("ground force", state.force < 1e-8, "off by " .. state.force .. " of the weight")
end)
