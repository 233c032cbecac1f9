-- A double pendulum against a wall: two rods, a mass matrix that depends on the position, and three places that can hit.
--
-- Angles q from the downward vertical, point masses at the ends of massless rods. `force` is all of it: gravity and the
-- centrifugal terms that come with M(q). Both masses stay left of the wall x = w and the lower one above the floor.
-- Expect: with restitution 1 the energy kept to 1e-9 of itself through more than ten impacts in 12 s; with 0.6 it falls at impacts
-- only, never grows, and kinetic + potential + lost stays the same to 1e-9.
-- Picture: moreau export double-pendulum.h5 --to png

local e = param("restitution", 0.6, "of wall and floor")
local m1, m2, l1, l2, g = 1, 0.5, 1, 0.8, 9.81
local wall, floor = 0.4, -1.75

local function mass(t, q)
    local c = m2 * l1 * l2 * math.cos(q[1] - q[2])
    return { { (m1 + m2) * l1 ^ 2, c }, { c, m2 * l2 ^ 2 } }
end
local function force(t, q, u)
    local s = m2 * l1 * l2 * math.sin(q[1] - q[2])
    return { -s * u[2] ^ 2 - (m1 + m2) * g * l1 * math.sin(q[1]), s * u[1] ^ 2 - m2 * g * l2 * math.sin(q[2]) }
end
local function potential(t, q)
    return -(m1 + m2) * g * l1 * math.cos(q[1]) - m2 * g * l2 * math.cos(q[2])
end
local gaps = { function(t, q) return wall - l1 * math.sin(q[1]) end,
               function(t, q) return wall - l1 * math.sin(q[1]) - l2 * math.sin(q[2]) end,
               function(t, q) return -l1 * math.cos(q[1]) - l2 * math.cos(q[2]) - floor end }

local function keys(restitution, seconds)
    return { q = { -1.2, -2 }, u = { 0, 0 }, mass = mass, force = force, potential = potential, gaps = gaps,
             restitution = restitution, scheme = "event-driven", h = 0.01, t_end = seconds }
end

local p = system(keys(e, 6))
local start = p.energy.potential
observe("energy", function(t) return p.energy.kinetic + p.energy.potential end)
state.t, state.energy, state.x, state.y, state.fell = { 0 }, { start }, {}, {}, true
stop_when(function(t)
    local k, q = #state.t + 1, p.q
    state.t[k], state.energy[k] = t, p.energy.kinetic + p.energy.potential
    state.x[k - 1], state.y[k - 1] = l1 * math.sin(q[1]) + l2 * math.sin(q[2]), -l1 * math.cos(q[1]) - l2 * math.cos(q[2])
    state.fell = state.fell and state.energy[k] <= state.energy[k - 1] + 1e-8
end)

at_end(function()
    local scale = (m1 + m2) * g * l1 + m2 * g * l2
    local free = trial(keys(1, 12))
    local change = free.energy.kinetic + free.energy.potential - start
    report("impacts", p.impacts)
    report("lost", p.energy.loss)
    report("balance_error", p.energy.balance_error)
    report("impacts_without_loss", free.impacts)
    report("change_without_loss", change)
    check("without loss", math.abs(change) < 1e-9 * scale and free.impacts > 10, "energy changed by " .. change)
    check("balance", math.abs(p.energy.balance_error) < 1e-9 * scale, p.energy.balance_error .. " J")
    check("falls only", state.fell and p.energy.loss > 0 and p.largest_gain == 0)
    check("outside", p.violation < 1e-9, "by " .. p.violation)
    plot { title = "energy", x = "time (s)", y = "kinetic + potential (J)", curves = { { name = "e = " .. e, x = state.t, y = state.energy } } }
    plot { title = "lower mass", equal = true, x = "x (m)", y = "y (m)",
           curves = { { name = "path", x = state.x, y = state.y },
                      { name = "wall and floor", x = { -1.8, wall, wall }, y = { floor, floor, 1 }, style = "dashed" } } }
end)
