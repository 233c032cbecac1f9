-- A dense sample of grains, compressed before the run begins (generate.compressed), and what becomes of it.
--
-- Discs of sizes that differ are pressed together without friction between rigid walls until they are at rest, and then put between walls
-- of the scene: two that stay, two that the same pressure pushes.  Without friction such a sample is isostatic: grains that
-- carry a load have as many contacts, walls included, as they and the two pistons have freedoms, 2 N + 2.
-- Then one piston is pulled back by a fifth of its load, friction holds, and the stress follows.
-- Expect: contacts = 2 (N - rattlers) + 2 exactly, a solid fraction from 0.78 to 0.85, Love and Weber's stress equal to the
-- pressure in both directions to 1e-3 before, and a ratio of 0.8 after.

local n = param("grains", 150, "number of grains")
local mu = param("friction", 0.5, "between grains, from the beginning of the run")
local P = param("pressure", 1000, "N/m")
local r = 0.01

world { dim = 2, h = 1e-3, t_end = 0.4, solver = { tol = 1e-8 }, record = { every = 0.01 } }
law { friction = mu }
law { between = {"grain", "wall"}, friction = 0 }

local s = generate.compressed { count = n, radius = sizes.uniform {0.7 * r, 1.3 * r}, pressure = P,
                                density = 2600, group = "grain" }
local a, b = s.min, s.max
local lx, ly, thick = b[1] - a[1], b[2] - a[2], 2 * r
body { shape = halfplane { normal = {1, 0}, offset = a[1] }, fixed = true, group = "wall" }
body { shape = halfplane { normal = {0, 1}, offset = a[2] }, fixed = true, group = "wall" }
local weight = n * 2600 * math.pi * r * r
local right = body { shape = rectangle { thick, 3 * ly }, mass = weight, free = {"x"}, group = "wall", collides_with = {"grain"},
                     position = {b[1] + thick / 2, ly / 2}, applied_force = {-P * ly, 0}, name = "right" }
local top = body { shape = rectangle { 3 * lx, thick }, mass = weight, free = {"y"}, group = "wall", collides_with = {"grain"},
                   position = {lx / 2, b[2] + thick / 2}, applied_force = {0, -P * lx}, name = "top" }

local function stress()
    return measure.stress { min = a, max = {right.position[1] - thick / 2, top.position[2] - thick / 2} }
end
at(0.1, function()
    local now = stress()
    state.before = { now[1][1] / P, now[2][2] / P }
    right.applied_force = {-0.8 * P * ly, 0}
end)
observe("sxx", function() return stress()[1][1] end)
observe("syy", function() return stress()[2][2] end)

at_end(function()
    check("long enough", state.before ~= nil, "it ended before the piston was pulled back")
    if not state.before then return end
    local after = stress()
    report("solid_fraction", s.solid_fraction)
    report("coordination", s.coordination)
    report("rattlers", s.rattlers)
    report("before", state.before)
    report("ratio_after", after[1][1] / after[2][2])
    check("isostatic", s.contacts == 2 * (n - s.rattlers) + 2, s.contacts .. " contacts")
    check("solid fraction", s.solid_fraction > 0.78 and s.solid_fraction < 0.85, tostring(s.solid_fraction))
    check("pressure", math.abs(state.before[1] - 1) < 1e-3 and math.abs(state.before[2] - 1) < 1e-3)
    check("unloaded", math.abs(after[1][1] / after[2][2] - 0.8) < 0.01, tostring(after[1][1] / after[2][2]))
end)
