-- A slender bar falls on a smooth floor with a slant: knocks with one end, then slaps with the other.
--
-- Length 2 a = 1 m, mass 1 kg, no friction, so that the centre goes up and down only; one gap for each end. An end that comes with
-- v at the angle A gets, by P01 (5.3), the impulse (1 + e) m v / (1 + 3 cos^2 A), and the bar turns with
--     w = 3 (1 + e) v cos A / (a (1 + 3 cos^2 A)).
-- So the centre of a bar that falls nearly flat goes on down after the knock, whatever e is, and the other end comes down faster.
-- Expect: first impact at 30 degrees as above to 1e-9; with e = 0 the end stays on the floor, and the other one slaps it with the
-- speed that the energy says, after which all is at rest; nearly flat and with e = 1 three slaps, one end, the other, the one again,
-- after which the bar leaves as it came: the outcome of both ends hitting at once. (The two gaps make an angle of 60 degrees in
-- the kinetic metric: see corner-impact.) Energy kept to 1e-9 between impacts.
-- Picture: moreau export slender-bar.h5 --to png

local e = param("restitution", 0.6, "of the floor")
local degrees = param("angle", 30, "of the bar at the start, degrees")
local m, a, g = 1, 0.5, 9.81
local J = m * a ^ 2 / 3
local drop = 0.3 -- m, of the lower end

-- q: height of the centre, angle; ends 1 and 2 at -a and a along the bar
local function bar(angle, height, speed, restitution, seconds)
    return { q = { height + a * math.abs(math.sin(angle)), angle }, u = { -speed, 0 }, mass = { m, J }, restitution = restitution,
             gaps = { function(t, q) return q[1] - a * math.sin(q[2]) end, function(t, q) return q[1] + a * math.sin(q[2]) end },
             force = function(t, q) return { -m * g, 0 } end, potential = function(t, q) return m * g * q[1] end,
             scheme = "event-driven", h = 0.002, t_end = seconds }
end
local function impulse(angle, v, restitution) return (1 + restitution) * m * v / (1 + 3 * math.cos(angle) ^ 2) end

assert(degrees > 0 and degrees <= 90, "angle: above 0 and at most 90 degrees")
local angle = math.rad(degrees)
local p = system(bar(angle, drop, 0, e, 1.25))
local start = p.energy.potential
state.t, state.ends, state.energy = { 0 }, { { p.gaps[1] }, { p.gaps[2] } }, { start }
stop_when(function(t)
    local k = #state.t + 1
    state.t[k], state.energy[k] = t, p.energy.kinetic + p.energy.potential
    for i = 1, 2 do state.ends[i][k] = p.gaps[i] end
end)

at_end(function()
    if p.t < 1.25 - p.h / 2 then return end -- cut short
    -- the run: first knock, order of the slaps, rest
    local v, at, first = math.sqrt(2 * g * drop), math.sqrt(2 * drop / g), nil
    local order = {}
    for _, event in ipairs(p.events) do
        if event.type == "impact" then
            first = first or event
            order[#order + 1] = event.gaps[1]
        end
    end
    local jump = impulse(angle, v, e) * math.sqrt(1 / m + (a * math.cos(angle)) ^ 2 / J)
    report("impacts", p.impacts)
    report("accumulations", p.accumulations)
    report("order_of_ends", { table.unpack(order, 1, math.min(#order, 12)) })
    report("first_jump", first.size)
    check("first impact", math.abs(first.t - at) < 1e-9 and math.abs(first.size / jump - 1) < 1e-9, "jump " .. first.size .. ", expected " .. jump)
    check("balance", math.abs(p.energy.balance_error) < 1e-9 * start, p.energy.balance_error .. " J")
    check("no gain", p.largest_gain < 1e-12 * start)
    check("outside", p.violation < 1e-9, p.violation .. " m")

    -- velocities after one impact at many angles, no gravity to speak of: 1 mm at 1 m/s
    local off, xs, centre, turn, mx, mc, mt = 0, {}, {}, {}, {}, {}, {}
    for d = 0, 90 do
        local A = math.rad(d)
        local P = impulse(A, 1, e)
        xs[#xs + 1], centre[#centre + 1], turn[#turn + 1] = d, -1 + P / m, P * a * math.cos(A) / J * a
        if d % 10 == 5 then
            local keys = bar(A, 1e-3, 1, e, 0.002)
            keys.force, keys.potential = nil, nil
            local u = trial(keys).u
            mx[#mx + 1], mc[#mc + 1], mt[#mt + 1] = d, u[1], -u[2] * a
            off = math.max(off, math.abs(u[1] - centre[#centre]), math.abs(-u[2] * a - turn[#turn]))
        end
    end
    report("one_impact_off", off)
    check("closed form", off < 1e-12, "off by " .. off)

    -- e = 0: the end stays, energy gives the slap, and then rest
    local soft = trial(bar(angle, drop, 0, 0, 1))
    local w = impulse(angle, v, 0) * a * math.cos(angle) / J
    local c = math.cos(angle)
    local slap_w = math.sqrt(w ^ 2 * (c ^ 2 + 1 / 3) + 2 * g * math.sin(angle) / a) / math.sqrt(4 / 3)
    local slap, releases = nil, 0
    for _, event in ipairs(soft.events) do
        if event.type == "impact" then slap = event end
        if event.type == "release" then releases = releases + 1 end
    end
    report("slap", slap.size)
    report("slap_expected", slap_w * math.sqrt(m * a ^ 2 + J))
    check("slap", math.abs(slap.size / (slap_w * math.sqrt(m * a ^ 2 + J)) - 1) < 1e-7 and soft.impacts == 2 and releases == 0)
    check("rest", math.abs(soft.u[1]) + math.abs(soft.u[2]) < 1e-9)

    -- nearly flat, e = 1: three slaps are one bounce
    local keys = bar(1e-6, 1e-3, 1, 1, 0.004)
    keys.force, keys.potential = nil, nil
    local flat = trial(keys)
    local ends = {}
    for _, event in ipairs(flat.events) do
        if event.type == "impact" then ends[#ends + 1] = event.gaps[1] end
    end
    report("nearly_flat_ends", ends)
    report("nearly_flat_velocity", flat.u)
    check("three slaps", #ends == 3 and ends[1] == ends[3] and ends[1] ~= ends[2])
    check("as it came", math.abs(flat.u[1] - 1) < 1e-5 and math.abs(flat.u[2]) < 1e-4)

    plot { title = "ends of the bar", x = "time (s)", y = "height (m)",
           curves = { { name = "end 1", x = state.t, y = state.ends[1] }, { name = "end 2", x = state.t, y = state.ends[2] } } }
    plot { title = "energy", x = "time (s)", y = "kinetic + potential (J)", curves = { { name = "e = " .. e, x = state.t, y = state.energy } } }
    plot { title = "after one impact at 1 m/s, e = " .. e, x = "angle of the bar (degrees)", y = "m/s",
           curves = { { name = "centre", x = xs, y = centre }, { name = "turning, a w", x = xs, y = turn },
                      { name = "computed", x = mx, y = mc, style = "points" }, { name = "computed, a w", x = mx, y = mt, style = "points" } } }
end)
