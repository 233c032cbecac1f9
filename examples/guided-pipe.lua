-- A guided pipe: clamped at one end, shaken, and knocking against two stops (P01 3c, figures 1, 2 and 4).
--
-- Steel tube of 1 m, 20 mm wide, wall 2 mm (0.89 kg/m, EI = 974 N m2, first frequency 18.5 Hz). The shaker pushes with 20 N at 20 Hz
-- at x = 0.3 m, the guide lets the tube move by 1 mm either way at x = 0.7 m, the free end is observed. The paper does not
-- print its numbers; these are ours. Finite differences with the paper's matrix, which is banded, and its Newmark-like force in
-- `paoli-schatzman`; a little damping by the material (0.5 % in the first mode), with which the motion soon repeats itself.
-- Expect: first frequency 1 % low at 200 nodes, since the paper's matrix is that of a tube one cell longer, and within 0.1 % of
-- the closed form after extrapolation from 50 and 100; the paper's formula for the reaction equal to the impulses to 1e-6 of the
-- largest; two knocks a period, each a hard impact and softer contacts for 2.5 ms; mean contact force 2.945 N after extrapolation in
-- the cell, RMS of the free end 1.098 mm, contact for 9 % of the time, all unchanged by half the step and half the cell, while the
-- largest reaction, an impulse over h, is not. A constant push with strong damping ends at the reaction of beam theory.
-- More in docs/theory/pipe.md; the same pipe by modes: modal-pipe.
-- Picture: moreau export guided-pipe.h5 --to png

local nodes = param("nodes", 100, "cells of the tube; half and twice as many are compared, at most 120")
local h = param("h", 1e-4, "time step, s")
local e = param("restitution", 0.4, "of the stops")
local push = param("push", 20, "amplitude of the shaker, N")
local f = param("frequency", 20, "of the shaker, Hz")
local zeta = param("damping", 0.005, "ratio to critical of the first mode")
local T, settled = 1, 0.5 -- s; what comes before is not counted
local L, E, rho, outer, inner = 1, 2.1e11, 7850, 0.020, 0.016
local S, I = math.pi / 4 * (outer ^ 2 - inner ^ 2), math.pi / 64 * (outer ^ 4 - inner ^ 4)
local shaker, guide, clearance = 0.3, 0.7, 1e-3
local omega = 1.8751040687 ^ 2 * math.sqrt(E * I / (rho * S)) / L ^ 2

-- ---- the tube in d cells -----------------------------------------------------------------------------------------------------------
local function tube(d)
    local m = { d = d, at = math.floor(guide / L * d + 0.5), pushed = math.floor(shaker / L * d + 0.5),
                mass = rho * S * L / d, k = E * I * (d / L) ^ 3 }
    -- the printed matrix: 6 -4 1 with 5 -2, -2 1 in the last corner
    m.rows = { {}, {}, {} }
    for j = 1, d do m.rows[1][j] = 6 * m.k end
    for j = 1, d - 1 do m.rows[2][j] = -4 * m.k end
    for j = 1, d - 2 do m.rows[3][j] = m.k end
    m.rows[1][d - 1], m.rows[1][d], m.rows[2][d - 1] = 5 * m.k, m.k, -2 * m.k
    return m
end

-- keys of the system; `push_at(t)` is the shaker
local function moving(m, step, ratio, push_at, seconds)
    local q, u, force, damping = {}, {}, {}, { {}, {}, {} }
    for j = 1, m.d do q[j], u[j], force[j] = 0, 0, 0 end
    m.h, m.beta, m.push_at = step, 2 * ratio / omega, push_at
    for k = 1, 3 do
        for j, x in ipairs(m.rows[k]) do damping[k][j] = m.beta * x end
    end
    return { q = q, u = u, mass = m.mass, stiffness = banded(m.rows), damping = banded(damping), restitution = e,
             force = function(t, q)
                 force[m.pushed] = push_at(t)
                 return force
             end,
             gaps = { function(t, q) return clearance - q[m.at] end, function(t, q) return clearance + q[m.at] end },
             scheme = "paoli-schatzman", h = step, t_end = seconds, tol = 1e-11 } -- tol: K q is large
end
local function shake(t) return push * math.sin(2 * math.pi * f * t) end

-- P01's reaction at t_i, N upon the tube, from three positions; its quarter belongs to all three G
local function reaction(m, t, a, b, c)
    local function bent(j) -- of K and C at node j
        if j < 1 then return 0 end
        return (a[j] + 2 * b[j] + c[j]) / 4 + m.beta * (c[j] - a[j]) / (2 * m.h)
    end
    local j = m.at
    local nu = m.k * (bent(j - 2) - 4 * bent(j - 1) + 6 * bent(j) - 4 * bent(j + 1) + bent(j + 2))
    nu = nu + m.mass * (a[j] - 2 * b[j] + c[j]) / m.h ^ 2
    if j == m.pushed then nu = nu - (m.push_at(t - m.h) + 2 * m.push_at(t) + m.push_at(t + m.h)) / 4 end
    return nu
end

-- mean |nu|, RMS of the free end and share of time in contact, from `settled` on
local function statistics(t, tip, nu)
    local s, n = { force = 0, rms = 0, contact = 0, peak = 0 }, 0
    for i = 1, #nu do
        if t[i] >= settled then
            n = n + 1
            s.force, s.rms = s.force + math.abs(nu[i]), s.rms + tip[i] ^ 2
            if math.abs(nu[i]) > 1e-3 then s.contact = s.contact + 1 end
            s.peak = math.max(s.peak, math.abs(nu[i]))
        end
    end
    s.force, s.rms, s.contact = s.force / n, math.sqrt(s.rms / n), s.contact / n
    return s
end
local function measured(d, step)
    local m = tube(d)
    local keys = moving(m, step, zeta, shake, T)
    keys.keep = true
    local r = trial(keys)
    local t, q, tip, nu = r.ts, r.qs, {}, {}
    for i = 2, #t - 1 do
        tip[i - 1], nu[i - 1] = q[i][d], reaction(m, t[i], q[i - 1], q[i], q[i + 1])
        t[i - 1] = t[i]
    end
    return statistics(t, tip, nu)
end

-- lowest frequency of the matrix, Hz, by inverse iteration: A = B^T B, B the second difference backward, so that A^-1 is four sums
local function first_frequency(d)
    local v, ratio = {}, 0
    for j = 1, d do v[j] = j * j end
    for _ = 1, 30 do
        local w, old, both = { table.unpack(v) }, 0, 0
        for _, way in ipairs { { d, 1, -1 }, { d, 1, -1 }, { 1, d, 1 }, { 1, d, 1 } } do
            local sum = 0
            for j = way[1], way[2], way[3] do
                sum = sum + w[j]
                w[j] = sum
            end
        end
        for j = 1, d do old, both = old + v[j] * v[j], both + v[j] * w[j] end
        ratio = old / both
        for j = 1, d do v[j] = w[j] / w[d] end
    end
    return math.sqrt(ratio * E * I / (rho * S)) * (d / L) ^ 2 / (2 * math.pi)
end

-- where a constant push of 500 N ends: beam theory for a force at s and a prop that gave way by the clearance at g
local function resting(d)
    local step = 5e-4
    local keys = moving(tube(d), step, 1, function() return 500 end, 0.25)
    keys.restitution = 0
    return trial(keys).lambda[1] / step
end
local held = 3 * (500 * shaker ^ 2 * (3 * guide - shaker) / 6 - E * I * clearance) / guide ^ 3

-- ---- the run -----------------------------------------------------------------------------------------------------------------------
local m = tube(nodes)
local keys = moving(m, h, zeta, shake, T)
keys.record = { every = 1e-3, series = h }
local p = system(keys)
state.t, state.tip, state.nu, state.off = {}, {}, {}, 0
state.before, state.now = nil, p.q
observe("reaction", function(t) return (p.lambda[2] - p.lambda[1]) / h end)
stop_when(function(t)
    local next = p.q
    if state.before then -- everything belongs to the beginning of the step
        local k = #state.t + 1
        state.t[k], state.tip[k], state.nu[k] = t - h, state.now[m.d], (p.lambda[2] - p.lambda[1]) / h
        state.off = math.max(state.off, math.abs(state.nu[k] - reaction(m, t - h, state.before, state.now, next)))
    end
    state.before, state.now = state.now, next
end)

-- of a list, what lies between two times
local function part(list, from, to)
    local x = {}
    for k = 1, #state.t do
        if state.t[k] >= from and state.t[k] <= to then x[#x + 1] = list[k] end
    end
    return x
end

-- each at_end has its own share of computing
at_end(function()
    local f1 = omega / (2 * math.pi)
    local f50, f100, f200 = first_frequency(50), first_frequency(100), first_frequency(200)
    report("first_frequency", f1)
    report("first_frequency_at_200_nodes", f200)
    report("first_frequency_extrapolated", 2 * f100 - f50)
    check("1 % low at 200 nodes", math.abs(f200 / f1 - 0.99) < 0.001, f200 .. " Hz")
    check("first frequency", math.abs((2 * f100 - f50) / f1 - 1) < 1e-3, 2 * f100 - f50 .. " Hz")
    check("one cell longer", math.abs(f200 * (1 + 1 / 200) ^ 2 / f1 - 1) < 2e-5)

    local still = 2 * resting(100) - resting(50)
    report("reaction_at_rest", still)
    report("reaction_of_beam_theory", held)
    check("at rest", math.abs(still / held - 1) < 2e-3, still .. " N")
end)
local wide, fine, slow
at_end(function() wide, slow = measured(nodes // 2, h), measured(nodes, h / 2) end)
at_end(function() fine = measured(2 * nodes, h) end)
at_end(function()
    if p.t < T - h / 2 then return end -- cut short
    local s = statistics(state.t, state.tip, state.nu)
    local limit, limit2 = 2 * s.force - wide.force, 2 * fine.force - s.force
    for _, name in ipairs { "force", "rms", "contact", "peak" } do
        report(name, s[name])
        report(name .. "_half_step", slow[name])
        report(name .. "_half_cell", fine[name])
    end
    report("force_extrapolated", limit2)
    report("impacts", p.impacts)
    report("formula_off", state.off)
    check("formula of the reaction", state.off < 1e-6 * s.peak, state.off .. " N")
    if push == 20 and f == 20 and zeta == 0.005 and nodes >= 100 then -- else the motion need not repeat itself so soon
        check("half a step: force", math.abs(slow.force / s.force - 1) < 0.01, slow.force .. " N")
        check("half a step: displacement", math.abs(slow.rms / s.rms - 1) < 0.005, slow.rms .. " m")
        check("half a cell: force", math.abs(limit / limit2 - 1) < 0.01, limit .. " N and " .. limit2 .. " N")
        check("half a cell: displacement", math.abs(fine.rms / s.rms - 1) < 0.005, fine.rms .. " m")
        if e <= 0.4 then -- else the time in contact is shared out among ever more impacts
            check("half a step: contact", math.abs(slow.contact / s.contact - 1) < 0.1, slow.contact .. " of the time")
            check("half a cell: contact", math.abs(fine.contact / s.contact - 1) < 0.1, fine.contact .. " of the time")
        end
    end
    check("inside but for two steps", p.violation < 0.05 * clearance, p.violation .. " m")

    local period = 1 / f
    local function once(list) return part(list, settled, settled + period) end
    plot { title = "free end of the pipe", x = "time (s)", y = "displacement (m)",
           curves = { { name = "u(1 m, t)", x = part(state.t, 0, 10 * period), y = part(state.tip, 0, 10 * period) } } }
    plot { title = "reaction of the guide", x = "time (s)", y = "force upon the pipe (N)",
           curves = { { name = "h = " .. h, x = part(state.t, 0, 10 * period), y = part(state.nu, 0, 10 * period) } } }
    plot { title = "close impacts: one period", x = "time (s)", y = "force upon the pipe (N)",
           curves = { { name = "reaction", x = once(state.t), y = once(state.nu) } } }
    local cell = L / nodes
    plot { title = "mean contact force", x = "cell (m)", y = "N",
           curves = { { name = "measured", x = { 2 * cell, cell, cell / 2 }, y = { wide.force, s.force, fine.force }, style = "both" },
                      { name = "extrapolated", x = { cell / 2, 0 }, y = { fine.force, limit2 }, style = "dashed" } } }
end)
