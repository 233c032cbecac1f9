-- The guided pipe by its modes: the same tube, shaker and stops as in guided-pipe, in modal coordinates (M99 7.1).
--
-- u(x, t) = sum of q_n(t) X_n(x), X_n the shapes of a clamped-free beam: cos b cosh b = -1, b = 1.8751, 4.6941, 7.8548, ... Mass and
-- stiffness are diagonal, and the two gaps are linear in q with all modes in them. No cells, so no error of the first order in
-- them: what depends on the number of modes is how light the tube is where it is hit.
-- Expect: 16 modes give a mean contact force of 2.945 N and an RMS of the free end of 1.097 mm, within 0.3 % of finite differences
-- (force extrapolated from 50 and 100 cells, the rest at 100), and contact for 9 % of the time, within a sixth of theirs; 24 modes
-- change the first two by less than 0.1 %. The shapes are orthonormal to 1e-9 (Simpson's rule, 2000 intervals).
-- Picture: moreau export modal-pipe.h5 --to png

local modes = param("modes", 16, "of the tube")
local h = param("h", 1e-4, "time step, s")
local e = param("restitution", 0.4, "of the stops")
local push = param("push", 20, "amplitude of the shaker, N")
local f = param("frequency", 20, "of the shaker, Hz")
local zeta = param("damping", 0.005, "ratio to critical of the first mode")
local T, settled = 1, 0.5 -- s; what comes before is not counted
local L, E, rho, outer, inner = 1, 2.1e11, 7850, 0.020, 0.016
local S, I = math.pi / 4 * (outer ^ 2 - inner ^ 2), math.pi / 64 * (outer ^ 4 - inner ^ 4)
local shaker, guide, clearance = 0.3, 0.7, 1e-3
local function shake(t) return push * math.sin(2 * math.pi * f * t) end

-- ---- shapes ------------------------------------------------------------------------------------------------------------------------
-- root number n of cos b + 1 / cosh b = 0 by bisection around (n - 1/2) pi
local function root(n)
    local low, high = (n - 1) * math.pi, n * math.pi
    local function g(b) return math.cos(b) + 2 / (math.exp(b) + math.exp(-b)) end
    for _ = 1, 60 do
        local b = (low + high) / 2
        if (g(b) > 0) == (g(low) > 0) then low = b else high = b end
    end
    return (low + high) / 2
end
-- X_n with the integral of rho S X^2 equal to 1; growing exponentials are taken together with their small factor
local function shape(n)
    local b = root(n)
    local small = math.sin(b) - math.cos(b) - math.exp(-b)
    local large = (math.exp(b) - math.exp(-b)) / 2 + math.sin(b)
    local s = 1 - small / large
    return function(x)
        local y = b * x / L
        local grown = small * math.exp(y - b) / (large * math.exp(-b))
        return ((grown + (1 + s) * math.exp(-y)) / 2 - math.cos(y) + s * math.sin(y)) / math.sqrt(rho * S * L)
    end, b ^ 2 * math.sqrt(E * I / (rho * S)) / L ^ 2
end
local shapes, omega = {}, {}
for n = 1, 2 * modes do shapes[n], omega[n] = shape(n) end
local beta = 2 * zeta / omega[1]

-- integral of rho S X_a X_b by Simpson's rule
local function product(a, b)
    local sum, cells = 0, 2000
    for i = 0, cells do
        local x = i * L / cells
        local weight = (i == 0 or i == cells) and 1 or i % 2 == 1 and 4 or 2
        sum = sum + weight * shapes[a](x) * shapes[b](x)
    end
    return rho * S * sum * L / (3 * cells)
end

-- ---- the two models ---------------------------------------------------------------------------------------------------------------
local function keys_of(n)
    local k = { q = {}, u = {}, scheme = "paoli-schatzman", restitution = e, h = h, t_end = T, tol = 1e-11 }
    for j = 1, n do k.q[j], k.u[j] = 0, 0 end
    return k
end
local function modal(n)
    local k, K, C, pushed, hit, force = keys_of(n), {}, {}, {}, {}, {}
    for j = 1, n do
        K[j], C[j] = omega[j] ^ 2, beta * omega[j] ^ 2
        pushed[j], hit[j] = shapes[j](shaker), shapes[j](guide)
    end
    local function at_guide(q)
        local y = 0
        for j = 1, n do y = y + hit[j] * q[j] end
        return y
    end
    k.stiffness, k.damping = K, C
    k.force = function(t, q)
        local push_now = shake(t)
        for j = 1, n do force[j] = push_now * pushed[j] end
        return force
    end
    k.gaps = { function(t, q) return clearance - at_guide(q) end, function(t, q) return clearance + at_guide(q) end }
    return k
end
-- finite differences as in guided-pipe, d cells
local function cells(d)
    local k, force, K, C = keys_of(d), {}, { {}, {}, {} }, { {}, {}, {} }
    local stiff, at, from = E * I * (d / L) ^ 3, math.floor(guide / L * d + 0.5), math.floor(shaker / L * d + 0.5)
    local row, last = { 6, -4, 1 }, { [0] = 1, [1] = 5 }
    for i = 1, 3 do
        for j = 1, d + 1 - i do
            local x = row[i]
            if i == 1 then x = last[d - j] or x end
            if i == 2 and j == d - 1 then x = -2 end
            K[i][j], C[i][j] = stiff * x, beta * stiff * x
        end
    end
    for j = 1, d do force[j] = 0 end
    k.mass, k.stiffness, k.damping = rho * S * L / d, banded(K), banded(C)
    k.force = function(t, q)
        force[from] = shake(t)
        return force
    end
    k.gaps = { function(t, q) return clearance - q[at] end, function(t, q) return clearance + q[at] end }
    return k, function(a, b, c) -- reaction, P01 3c
        local function bent(j) return (a[j] + 2 * b[j] + c[j]) / 4 + beta * (c[j] - a[j]) / (2 * h) end
        return stiff * (bent(at - 2) - 4 * bent(at - 1) + 6 * bent(at) - 4 * bent(at + 1) + bent(at + 2))
               + k.mass * (a[at] - 2 * b[at] + c[at]) / h ^ 2
    end
end

-- ---- statistics ---------------------------------------------------------------------------------------------------------------------
local tips = {}
for j = 1, 2 * modes do tips[j] = shapes[j](L) end
local function tip_of(q)
    local y = 0
    for j = 1, #q do y = y + q[j] * tips[j] end
    return y
end
local function statistics(t, ends, nu)
    local s, n = { force = 0, rms = 0, contact = 0 }, 0
    for i = 1, #nu do
        if t[i] >= settled then
            n = n + 1
            s.force, s.rms = s.force + math.abs(nu[i]), s.rms + ends[i] ^ 2
            if math.abs(nu[i]) > 1e-3 then s.contact = s.contact + 1 end
        end
    end
    s.force, s.rms, s.contact = s.force / n, math.sqrt(s.rms / n), s.contact / n
    return s
end
-- the reaction of a trial is what the equation of motion leaves; of modes, that of the first one
local function measured(keys, end_of, reaction)
    keys.keep = true
    local r = trial(keys)
    local q, t, ends, nu = r.qs, {}, {}, {}
    for i = 2, #q - 1 do
        t[i - 1], ends[i - 1], nu[i - 1] = r.ts[i], end_of(q[i]), reaction(q[i - 1], q[i], q[i + 1], r.ts[i])
    end
    return statistics(t, ends, nu)
end
local function of_modes(n)
    local from, at = shapes[1](shaker), shapes[1](guide)
    return measured(modal(n), tip_of, function(a, b, c, t)
        local pushed = (shake(t - h) + 2 * shake(t) + shake(t + h)) / 4
        local bent = (a[1] + 2 * b[1] + c[1]) / 4 + beta * (c[1] - a[1]) / (2 * h)
        return ((a[1] - 2 * b[1] + c[1]) / h ^ 2 + omega[1] ^ 2 * bent - pushed * from) / at
    end)
end
local function of_cells(d)
    local keys, reaction = cells(d)
    return measured(keys, function(q) return q[d] end, reaction)
end

-- ---- the run ------------------------------------------------------------------------------------------------------------------------
local keys = modal(modes)
keys.record = { every = 1e-3, series = h }
local p = system(keys)
state.t, state.tip, state.nu, state.now = {}, {}, {}, 0
observe("reaction", function(t) return (p.lambda[2] - p.lambda[1]) / h end)
stop_when(function(t)
    local k = #state.t + 1 -- everything belongs to the beginning of the step
    state.t[k], state.tip[k], state.nu[k] = t - h, state.now, (p.lambda[2] - p.lambda[1]) / h
    state.now = tip_of(p.q)
end)

-- each at_end has its own share of computing
local more, wide, fine
at_end(function() more = of_modes(3 * modes // 2) end)
at_end(function() wide, fine = of_cells(50), of_cells(100) end)
at_end(function()
    local worst = 0
    for a = 1, modes, 5 do
        for b = a, modes, 5 do worst = math.max(worst, math.abs(product(a, b) - (a == b and 1 or 0))) end
    end
    report("shapes_off", worst)
    check("orthonormal", worst < 1e-9, "off by " .. worst)

    if p.t < T - h / 2 then return end -- cut short
    local s, other = statistics(state.t, state.tip, state.nu), {}
    for _, name in ipairs { "force", "rms", "contact" } do
        other[name] = name == "force" and 2 * fine.force - wide.force or fine[name]
        report(name, s[name])
        report(name .. "_more_modes", more[name])
        report(name .. "_finite_differences", other[name])
    end
    report("impacts", p.impacts)
    report("largest_gain", p.largest_gain)
    local within = { force = 0.003, rms = 0.003, contact = 1 / 6 }
    if push == 20 and f == 20 and zeta == 0.005 and modes >= 16 then -- else the motion need not repeat itself so soon
        for name, x in pairs(within) do
            check("cells: " .. name, math.abs(s[name] / other[name] - 1) < x, s[name] .. " and " .. other[name])
            if name ~= "contact" then
                check("more modes: " .. name, math.abs(more[name] / s[name] - 1) < 0.001, s[name] .. " and " .. more[name])
            end
        end
    end
    local function some(list) return { table.unpack(list, 1, math.min(#list, 5000)) } end
    plot { title = "free end of the pipe, " .. modes .. " modes", x = "time (s)", y = "displacement (m)",
           curves = { { name = "u(1 m, t)", x = some(state.t), y = some(state.tip) } } }
    plot { title = "reaction of the guide", x = "time (s)", y = "force upon the pipe (N)",
           curves = { { name = "h = " .. h, x = some(state.t), y = some(state.nu) } } }
    local x, drawn = {}, {}
    for i = 0, 100 do x[i + 1] = i * L / 100 end
    for n = 1, 4 do
        local y = {}
        for i = 1, #x do y[i] = shapes[n](x[i]) end
        drawn[n] = { name = string.format("%.1f Hz", omega[n] / (2 * math.pi)), x = x, y = y }
    end
    plot { title = "first shapes", x = "x (m)", y = "X (1/sqrt(kg))", curves = drawn }
end)
