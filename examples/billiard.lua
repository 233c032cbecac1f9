-- A billiard without losses: discs in a box, restitution 1, no friction, no gravity.
--
-- Every collision conserves energy exactly in the method (U_I + U_F is orthogonal to S), whatever the time step, also when
-- several discs collide in the same step.
-- Expect: kinetic energy kept to 1e-12 of itself over more than 1e5 collisions.

local n = param("discs", 144, "number of discs")
local T = param("time", 10, "seconds")
local r, speed = 0.01, 1
local columns = math.ceil(math.sqrt(n))
local W = columns * 2.6 * r

world { dim = 2, h = 1e-3, t_end = T, solver = { name = "nlgs", tol = 1e-15, max_iter = 1000 },
        record = { every = T / 30, series = T / 300 } }
law { friction = 0, restitution = 1 }
body { shape = chain { {0, 0}, {W, 0}, {W, W}, {0, W}, {0, 0} }, fixed = true, name = "cushion" }

for i = 0, n - 1 do
    local a = 2 * math.pi * math.random()
    body { shape = disc { radius = r }, density = 1000,
           position = { (i % columns + 0.5) * 2.6 * r, (i // columns + 0.5) * 2.6 * r },
           velocity = { speed * math.cos(a), speed * math.sin(a) } }
end

state = state or {}
state.collisions = state.collisions or 0
local before = measure.kinetic_energy()
stop_when(function(t)
    for c in contacts() do
        if c.status ~= "open" then state.collisions = state.collisions + 1 end
    end
    return false
end)
observe("collisions", function() return state.collisions end)

at_end(function()
    local change = measure.kinetic_energy() / before - 1
    report("collisions", state.collisions)
    report("relative_energy_change", change)
    check("energy", math.abs(change) < 1e-12, "changed by " .. change)
    if T >= 10 and n >= 144 then
        check("collisions", state.collisions > 1e5, "only " .. state.collisions)
    end
end)
