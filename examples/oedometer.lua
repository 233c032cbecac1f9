-- An oedometer: discs between smooth side walls are loaded in stages by a lid that holds a stress (MJ96: loaded walls).
--
-- The lid is a body that only moves vertically; a servo pushes it with stress x width.  It is loaded to 10, 20 and 40 kPa, then
-- driven down by 0.2 % at a given rate, with whatever stress that takes, and at last holds 40 kPa again.
-- Without gravity grains that bear nothing fly about and hit a wall now and then: what walls bear is a mean over some 20 steps.
-- Expect: at the end of each stage the lid bears the stress that was asked for to 1 %, the side walls push equally, with a share
-- K0 of it between 0.4 and 2.4, where such grains would yield (the peak of their biaxial test; fast packing locks some in), and rigid
-- grains hardly give way from stage to stage: by less than 5 %.

local columns = param("columns", 10, "discs side by side")
local mu = param("friction", 0.5, "between discs; walls are smooth")
local stage = param("stage", 0.3, "time of a stage, s")
local r, density = 0.01, 2600
local width = 2.4 * r * columns

world { dim = 2, h = 1e-3, t_end = 5 * stage, solver = { tol = 1e-4 }, position_projection = true,
        record = { every = 0.05 } }
law { friction = 0 }
law { between = {"grain", "grain"}, friction = mu }

local function wall(x, y) return { normal = {x, y}, offset = 0 } end
local left = body { shape = halfplane(wall(1, 0)), fixed = true, group = "wall" }
local right = body { shape = halfplane { normal = {-1, 0}, offset = -width }, fixed = true, group = "wall" }
body { shape = halfplane(wall(0, 1)), fixed = true, group = "wall" }

local mass = 0
for i = 1, columns do
    for j = 1, columns do
        local radius = r * (0.75 + 0.4 * math.random())
        local b = body { shape = disc { radius = radius }, density = density, group = "grain",
                         position = { 2.4 * r * (i - 0.5) + 0.04 * r * (2 * math.random() - 1), 2.4 * r * (j - 0.5) } }
        mass = mass + b.mass
    end
end
local top = 2.4 * r * columns
local lid = body { shape = rectangle { width - 1e-4, 2 * r }, mass = mass / 4, free = {"y"}, group = "wall",
                   position = { width / 2, top + r } }
-- the speed limit keeps the first compaction calm
local s = servo { body = lid, axis = "-y", stress = 1e4, length = width, size = top, max_speed = 0.6,
                  damping = 40 * mass }

local function height() return lid.position[2] - r end
local function close_to(a, b, share) return math.abs(a - b) <= share * math.abs(b) end

-- stress at the lid, right and left, of which each step changes a twentieth
state.mean = { 0, 0, 0 }
on_step(function(t)
    local now = { s.stress_now, measure.force_on(right)[1] / height(), -measure.force_on(left)[1] / height() }
    for k, mean in ipairs(state.mean) do state.mean[k] = mean + (now[k] - mean) / 20 end
end)

-- what a stage has come to
local function take(name, stress)
    local upright, lateral, other = table.unpack(state.mean)
    report("stress " .. name, upright)
    report("K0 " .. name, lateral / upright)
    report("strain " .. name, s.strain)
    check("stress " .. name, close_to(upright, stress, 0.01))
    check("sides " .. name, close_to(lateral, other, 0.01))
    check("K0 " .. name, lateral / upright > 1 / 2.4 and lateral / upright < 2.4)
    check("settled " .. name, state.strain == nil or math.abs(s.strain - state.strain) < 0.05)
    state.strain = s.strain
end

at(1 * stage, function() take("10 kPa", 1e4) s.stress = 2e4 end)
at(2 * stage, function() take("20 kPa", 2e4) s.stress = 4e4 end)
at(3 * stage, function() take("40 kPa", 4e4) s.strain_rate = 0.002 / stage end)
at(4 * stage, function()
    check("driven", close_to(s.strain - state.strain, 0.002, 0.01))
    s.stress = 4e4
end)
at_end(function() take("end", 4e4) end)
observe("stress", function(t) return s.stress_now end)
observe("strain", function(t) return s.strain end)
