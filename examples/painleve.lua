-- Rods that slide on a rough plane, tip first: Painlevé's paradox (Comptes Rendus 121, 1895; Génot and Brogliato 1999).
--
-- A slender rod of length 2l leans at the angle theta; its tip slides toward the side away from its centre with friction mu.  The
-- tip's acceleration along the normal is (N/m)(1 + 3 cos²(theta) - 3 mu sin(theta) cos(theta)) - g + l w² sin(theta).  Where
-- mu > (4 + t²)/(3 t), t = tan(theta), the bracket is negative, at the least for mu = 4/3, t = 2.  Then the rigid law has
--   no solution with finite forces where the tip would otherwise press on the plane (g > l w² sin(theta)), and
--   several where it would lift.
-- The scheme looks for impulses and velocities, and there a solution is left: an impact without collision, which stops the tip in
-- one step by an impulse that does not shrink with h.  Where several fit, it takes the one without impulse.
-- Expect: S_N = h N below the threshold, right to 1e-6; above it the impulse that brings the tip to rest; the switch between 0.999 and
-- 1.001 of the threshold; at every rod the whole law U_N >= 0, |S_T| <= mu S_N, U·S + mu |U_T| S_N = 0.

local step = param("h", 1e-6, "time step, s")
local speed = param("speed", 1, "of the tip, m/s")
local g, l, m = 9.81, 0.5, 1
local J = m * l * l / 3

world { dim = 3, h = step, t_end = 10 * step, gravity = {0, 0, -g}, solver = { tol = 1e-12 }, record = { every = step } }
body { shape = plane { normal = {0, 0, 1}, offset = 0 }, fixed = true, group = "ground" }

-- two thin pyramids base to base: the tips are points
local thin = 1e-3 * l
local rod_shape = convex { {0, 0, l}, {0, 0, -l}, {thin, 0, 0}, {-0.5 * thin, thin, 0}, {-0.5 * thin, -thin, 0} }
local rods = {}

local function rod(t, share, spin)
    local k = #rods + 1
    local theta, threshold = math.atan(t), (4 + t * t) / (3 * t)
    local mu, s, c = share * threshold, math.sin(math.atan(t)), math.cos(math.atan(t))
    local a = 0.7 * k -- the plane of its motion
    local along, aside = { math.cos(a), math.sin(a), 0 }, { -math.sin(a), math.cos(a), 0 }
    -- the centre is at l (c along + s z) from the tip, which moves by -speed along; spin about -aside lifts the centre
    local turn = 0.5 * (0.5 * math.pi - theta)
    local group = "rod" .. k
    law { between = { group, "ground" }, friction = mu }
    local v = { -speed - spin * l * s, spin * l * c }
    rods[k] = {
        t = t, share = share, mu = mu, spin = spin, s = s, c = c, along = along, aside = aside,
        body = body { shape = rod_shape, mass = m, inertia = { J, J, 1e-3 * J }, group = group, name = group, collides_with = { "ground" },
                      position = { 3 * k + l * c * along[1], l * c * along[2], l * s },
                      orientation = { math.cos(turn), math.sin(turn) * aside[1], math.sin(turn) * aside[2], 0 },
                      velocity = { v[1] * along[1], v[1] * along[2], v[2] }, spin = { -spin * aside[1], -spin * aside[2], 0 } },
    }
end

local shares = { 0, 0.3, 0.6, 0.9, 0.99, 0.999, 1.001, 1.01, 1.2, 2, 4 }
for _, t in ipairs { 1, 2, 4 } do
    for _, share in ipairs(shares) do rod(t, share, 0) end
end
-- it would lift by itself: l w² sin(theta) = 6 g
for _, share in ipairs { 0.5, 1.2, 4 } do rod(2, share, math.sqrt(6 * g / (l * 2 / math.sqrt(5)))) end

-- what a rod should do in its first step, as {S_N, S_T} with S_T along its way up
local function expected(r)
    local nn, nt, tt = (1 + 3 * r.c ^ 2) / m, -3 * r.s * r.c / m, (1 + 3 * r.s ^ 2) / m
    if r.spin ~= 0 then return "lifts", 0, 0 end
    if r.share < 1 then
        local N = step * g / (nn + r.mu * nt)
        return "slides", N, r.mu * N
    end
    -- H S = -U: the tip comes to rest from -speed along and -g h down
    local det = nn * tt - nt * nt
    return "jams", (tt * step * g - nt * speed) / det, (nn * speed - nt * step * g) / det
end

local by_body = {}
for _, r in ipairs(rods) do by_body[r.body.id] = r end
local energy = measure.kinetic_energy() + measure.potential_energy()
state.gain = 0
stop_when(function()
    local now = measure.kinetic_energy() + measure.potential_energy()
    state.gain = math.max(state.gain, now - energy)
    energy = now
    if state.done then return false end
    state.done = true
    for c in contacts() do
        local r = by_body[c.body1.id] or by_body[c.body2.id]
        local S, U = c.impulse, c.velocity
        local UT, ST = math.sqrt(U.t1 ^ 2 + U.t2 ^ 2), math.sqrt(S.t1 ^ 2 + S.t2 ^ 2)
        r.N, r.T, r.U = S.n, ST, UT
        -- all parts of the law, as impulses over the largest in question
        local scale = math.max(S.n, step * g * m)
        r.violation = math.max(-U.n * m / scale, (ST - r.mu * S.n) / scale,
                               math.abs(U.n * S.n + U.t1 * S.t1 + U.t2 * S.t2 + r.mu * UT * S.n) / (scale * speed))
    end
    return false
end)

at_end(function()
    local worst, violation, curve = 0, 0, { x = {}, y = {}, law = {} }
    local kinds = {}
    for k, r in ipairs(rods) do
        local what, N, T = expected(r)
        local scale = math.max(N, step * g * m)
        local off = math.max(math.abs((r.N or 0) - N), math.abs((r.T or 0) - T)) / scale
        local found = (r.N or 0) <= 1e-9 * step * g * m and "lifts" or (r.U < 1e-6 * speed and "jams" or "slides")
        kinds[k] = string.format("tan %g, mu %.4f: %s, S_N/(m g h) = %.4g", r.t, r.mu, found, (r.N or 0) / (m * g * step))
        check(string.format("rod %d", k), found == what, found .. ", expected that it " .. what)
        worst, violation = math.max(worst, off), math.max(violation, r.violation or 0)
        if r.t == 2 and r.spin == 0 then
            local n = #curve.x + 1
            curve.x[n], curve.y[n], curve.law[n] = r.mu, (r.N or 0) / (m * g * step), N / (m * g * step)
        end
    end
    report("threshold", 4 / 3)
    report("rods", kinds)
    report("impulse_error", worst)
    report("violation", violation)
    report("energy_gain", state.gain)
    check("impulses", worst < 1e-6, "off by " .. worst)
    check("law", violation < 1e-9, "violated by " .. violation)
    check("energy", state.gain < 1e-12, "a step added " .. state.gain .. " J")
    plot { title = "Painlevé's rod, tan(theta) = 2: first impulse over m g h", x = "friction", y = { label = "S_N/(m g h)", log = true },
           curves = { { name = "expected", x = curve.x, y = curve.law, style = "line" },
                      { name = "computed", x = curve.x, y = curve.y, style = "points" } } }
end)
