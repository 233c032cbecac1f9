-- A forced oscillator with a stop: the motion is chaotic, its statistics are not.
--
-- q'' + q = cos(w t), q <= 0, restitution e. P01 6: where the motion is chaotic no scheme can follow it for long, and it is mean
-- values and invariants like attractors that schemes must get right. Here the state after every period of the force is drawn
-- by the event-driven scheme, which locates the impacts, and by `moreau`, which has them at ends of steps, and what they say
-- about energy and impacts is compared. Two starts 1e-9 apart show the chaos; `moreau` hides it, as near paths with impacts in the
-- same steps only approach each other, until its motion repeats itself, and yet it stays on the same attractor.
-- Expect: starts apart by more than 0.1 in the end; impacts a period (1.06) of the two schemes within 5 %, mean energy and power
-- lost within 15 % (means over 550 periods scatter by 4 %, and steps of period / 400 add their own error); work = loss + change of
-- energy to 1e-9.
-- Picture: moreau export impact-oscillator.h5 --to png

local w = param("frequency", 2.8, "of the force, rad/s")
local e = param("restitution", 0.8, "of the stop")
local periods = param("periods", 600, "of the force")
local before = 50 -- periods that are not counted
local period = 2 * math.pi / w

local function keys(scheme, steps, count, start)
    return { q = start or -0.5, u = 0, force = function(t, q) return math.cos(w * t) - q[1] end,
             potential = function(t, q) return q[1] ^ 2 / 2 end, gaps = { function(t, q) return -q[1] end },
             restitution = e, scheme = scheme, tol = 1e-10, h = period / steps, t_end = count * period }
end

-- states at the periods, and means after the first ones: energy at the periods, impacts, power lost
local function summary(qs, us, steps, events)
    local s = { q = {}, u = {}, energy = 0, impacts = 0, power = 0 }
    for k = before * steps + 1, #qs, steps do
        s.q[#s.q + 1], s.u[#s.u + 1] = qs[k], us[k]
        s.energy = s.energy + (qs[k] ^ 2 + us[k] ^ 2) / 2
    end
    for _, event in ipairs(events) do
        if event.type == "impact" and event.t > before * period then
            local speed = event.size / (1 + e)
            s.impacts = s.impacts + 1
            s.power = s.power + speed ^ 2 * (1 - e ^ 2) / 2
        end
    end
    s.energy, s.impacts = s.energy / #s.q, s.impacts / (#s.q - 1)
    s.power = s.power / (#s.q - 1) / period
    return s
end

local function first(list)
    local x = {}
    for k, v in ipairs(list) do x[k] = v[1] end
    return x
end

-- distance of two starts after each period
local function apart(scheme, steps, count)
    local near = keys(scheme, steps, count, -0.5 + 1e-9)
    local far = keys(scheme, steps, count)
    near.keep, far.keep = true, true
    local a, b, x, y = trial(near), trial(far), {}, {}
    for k = 0, count do
        local i = k * steps + 1
        x[k + 1] = k
        y[k + 1] = math.sqrt((a.qs[i][1] - b.qs[i][1]) ^ 2 + (a.us[i][1] - b.us[i][1]) ^ 2)
    end
    return x, y
end

local coarse, fine = 16, 400 -- steps a period
local p = system(keys("event-driven", coarse, periods))
state.q, state.u = { p.q[1] }, { p.u[1] }
stop_when(function(t)
    state.q[#state.q + 1], state.u[#state.u + 1] = p.q[1], p.u[1]
end)

at_end(function()
    local table_of = keys("moreau", fine, periods)
    table_of.keep = true
    local r = trial(table_of)
    local exact, stepped = summary(state.q, state.u, coarse, p.events), summary(first(r.qs), first(r.us), fine, r.events)
    for _, name in ipairs { "energy", "impacts", "power" } do
        report(name .. ": event-driven", exact[name])
        report(name .. ": moreau", stepped[name])
        if periods >= 600 then
            local tolerance = name == "impacts" and 0.05 or 0.15
            check(name, math.abs(stepped[name] / exact[name] - 1) < tolerance, exact[name] .. " and " .. stepped[name])
        end
    end
    local x, y = apart("event-driven", coarse, 80)
    local x2, y2 = apart("moreau", fine, 80)
    report("apart: event-driven", y[#y])
    report("apart: moreau", y2[#y2])
    report("balance_error", p.energy.balance_error)
    check("chaos", math.max(table.unpack(y, 60)) > 0.1)
    check("balance", math.abs(p.energy.balance_error) < 1e-9 * p.energy.loss, p.energy.balance_error .. " J")
    plot { title = "state at every period of the force", x = "q (m)", y = "u (m/s)",
           curves = { { name = "event-driven", x = exact.q, y = exact.u, style = "points" },
                      { name = "moreau, " .. fine .. " steps a period", x = stepped.q, y = stepped.u, style = "points" } } }
    plot { title = "distance of two starts 1e-9 apart", x = "periods", y = { label = "distance", log = true },
           curves = { { name = "event-driven", x = x, y = y }, { name = "moreau", x = x2, y = y2 } } }
end)
