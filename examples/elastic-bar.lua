-- An elastic bar hits a rigid wall, stays while a wave runs through it and back, and leaves.
--
-- Length 10 m, Young's modulus 900 Pa, density 1 kg/m3, section 1 m2, speed 10 m/s: waves run at c = sqrt(E / rho) = 30 m/s. The
-- contact lasts 2 L / c = 0.6667 s, with the force rho c v = 300 N throughout, and the bar leaves with its speed reversed.
-- Linear finite elements with lumped masses; the stiffness is banded and implicit in `moreau-jean`.
-- Expect: duration, mean force, impulse 2 rho L v = 200 N s and speed of return to 1 %, the force in the middle of the contact to
-- 0.1 %, energy balance to rounding; the impact itself loses little more than the kinetic energy of the first node.
-- Picture: moreau export elastic-bar.h5 --to png

local n = param("elements", 200, "finite elements")
local L, E, rho, v, gap = 10, 900, 1, 10, 5
local c = math.sqrt(E / rho)
local l = L / n
local h = param("courant", 0.5, "c h / element") * l / c

-- nodes 1 to n + 1, displacements q
local q, u, mass, diagonal = {}, {}, {}, {}
for i = 1, n + 1 do
    local ends = (i == 1 or i == n + 1) and 0.5 or 1
    q[i], u[i], mass[i], diagonal[i] = 0, -v, ends * rho * l, ends * 2 * E / l
end
local p = system { q = q, u = u, mass = mass, stiffness = banded { diagonal, -E / l },
                   gaps = { function(t, q) return gap + q[1] end }, restitution = 0,
                   scheme = "moreau-jean", theta = param("theta", 0.5, "of the scheme"), h = h, t_end = 1.5, record = { every = 0.01 } }

state.t, state.force, state.front = {}, {}, {}
state.impulse, state.first, state.last, state.middle = 0, -1, -1, 0
observe("force", function(t) return p.lambda[1] / h end)
stop_when(function(t)
    local k = #state.t + 1
    state.t[k], state.force[k], state.front[k] = t, p.lambda[1] / h, gap + p.q[1]
    state.impulse = state.impulse + p.lambda[1]
    if math.abs(t - gap / v - L / c) <= h then state.middle = p.lambda[1] / h end
    if p.lambda[1] > 0 then
        if state.first < 0 then state.first = t - h end
        state.last = t
    end
end)

at_end(function(q, u)
    local momentum = 0
    for i = 1, n + 1 do momentum = momentum + mass[i] * u[i] end
    local lasted, speed = state.last - state.first, momentum / (rho * L)
    local force = state.impulse / lasted
    report("contact_begins", state.first)
    report("contact_lasts", lasted)
    report("mean_force", force)
    report("force_in_the_middle", state.middle)
    report("impulse", state.impulse)
    report("speed_of_return", speed)
    report("lost", p.energy.loss)
    check("begin", math.abs(state.first - gap / v) < 2 * h)
    check("duration", math.abs(lasted / (2 * L / c) - 1) < 0.01, lasted .. " s")
    check("force", math.abs(force / (rho * c * v) - 1) < 0.01, force .. " N")
    check("force in the middle", math.abs(state.middle / (rho * c * v) - 1) < 0.001, state.middle .. " N")
    check("impulse", math.abs(state.impulse / (2 * rho * L * v) - 1) < 0.01, state.impulse .. " N s")
    check("return", math.abs(speed / v - 1) < 0.01, speed .. " m/s")
    check("balance", math.abs(p.energy.balance_error) < 1e-9 * 0.5 * rho * L * v ^ 2, p.energy.balance_error .. " J")
    check("loss", p.energy.loss >= 0 and p.energy.loss < 2 * 0.5 * mass[1] * v ^ 2, p.energy.loss .. " J")
    plot { title = "contact force", x = "time (s)", y = "N",
           curves = { { name = "bar of " .. n .. " elements", x = state.t, y = state.force },
                      { name = "exact", x = { 0, 0.5, 0.5, 0.5 + 2 * L / c, 0.5 + 2 * L / c, 1.5 }, y = { 0, 0, 300, 300, 0, 0 }, style = "dashed" } } }
    plot { title = "front of the bar", x = "time (s)", y = "gap (m)", curves = { { name = "front", x = state.t, y = state.front } } }
end)
