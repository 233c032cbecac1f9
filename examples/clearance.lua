-- A joint with clearance: the pin of a pendulum is loose in its hole.
--
-- A rod (mass 1 kg, centre 0.3 m from the pin, free in the plane: x, y and the angle from the downward vertical) hangs by a pin of
-- which only the centre matters: it stays within c of the centre of the hole, gap (c^2 - r^2) / (2 c), without friction, restitution
-- 0.3. Let go nearly upside down, the pin falls across the hole, knocks and settles, slides round, and leaves the wall when the rod
-- swings up. Impacts are located by the event-driven scheme. (Joints with clearance: P01 2, with Ravn 1998.)
-- Expect: with restitution 1 the energy kept to 1e-8 of m g l through more than 20 impacts; in steady rotation without gravity
-- the pin pressed to the wall with m w^2 (l + c), to 1e-9; at small swings the pin in contact all along and the frequencies those of a
-- double pendulum whose upper link, c long, weighs nothing; let go level, the first second tends to that of the ideal joint like c.
-- Picture: moreau export clearance.h5 --to png

local c = param("clearance", 0.02, "farthest that the pin can go from the centre of the hole, m")
local e = param("restitution", 0.3, "of pin and hole")
local m, l, g = 1, 0.3, 9.81
local J = m * l ^ 2 / 3 -- about the centre of the rod

local function pin(q) return q[1] - l * math.sin(q[3]), q[2] + l * math.cos(q[3]) end
local function loose(size)
    return function(t, q)
        local x, y = pin(q)
        return (size ^ 2 - x ^ 2 - y ^ 2) / (2 * size)
    end
end
-- the rod with its pin at (x, y) and the angle a; everything turns by w about the centre of the hole
local function rod(size, x, y, a, w)
    local q = { x + l * math.sin(a), y - l * math.cos(a), a }
    return { q = q, u = { -w * q[2], w * q[1], w }, mass = { m, m, J }, gaps = { loose(size) }, restitution = e,
             scheme = "event-driven", h = 0.005, t_end = 3,
             force = function(t, q) return { 0, -m * g, 0 } end, potential = function(t, q) return m * g * q[2] end }
end
local function with(keys, more)
    for k, v in pairs(more) do keys[k] = v end
    return keys
end

local high = 2.8 -- rad, where it is let go
local p = system(with(rod(c, 0, 0, high, 0), { h = 0.0025 }))
state.t, state.x, state.y, state.force, state.angle = {}, {}, {}, {}, {}
observe("force", function(t) return p.lambda[1] / p.h end)
stop_when(function(t)
    local k, x, y = #state.t + 1, pin(p.q)
    state.t[k], state.x[k], state.y[k], state.force[k], state.angle[k] = t, x, y, p.lambda[1] / p.h, p.q[3]
end)

-- angle of the ideal pendulum at the same times
local function ideal(from, seconds, step)
    local r = trial { q = from, u = 0, mass = J + m * l ^ 2, scheme = "event-driven", h = step, t_end = seconds, keep = true,
                      force = function(t, q) return -m * g * l * math.sin(q[1]) end }
    local a = {}
    for k = 1, #r.qs do a[k] = r.qs[k][1] end
    return a
end

-- frequencies (rad/s) of small swings with the pin in contact: (M w^2 - K) v = 0 in the angles of link and rod
local function double_pendulum()
    local a, b, d = m * c ^ 2, m * c * l, J + m * l ^ 2
    local k1, k2 = m * g * c, m * g * l
    local A, B, C = a * d - b * b, -(a * k2 + d * k1), k1 * k2
    local root = math.sqrt(B * B - 4 * A * C)
    local slow = math.sqrt((-B - root) / (2 * A))
    return slow, (k1 - slow ^ 2 * a) / (slow ^ 2 * b) -- and the ratio rod angle : link angle
end

-- largest distance of the angle from the ideal pendulum's in the first second, let go level
local function apart(size)
    local r = trial(with(rod(size, 0, -size, math.pi / 2, 0), { t_end = 1, keep = true, restitution = 0 }))
    local a, far = ideal(math.pi / 2, 1, 0.005), 0
    for k = 1, #r.qs do far = math.max(far, math.abs(r.qs[k][3] - a[k])) end
    return far
end

at_end(function()
    report("impacts", p.impacts)
    report("accumulations", p.accumulations)
    report("lost", p.energy.loss)
    check("impacts take energy", e == 1 or p.t < 1 or p.energy.loss > 0)
    check("no gain", p.largest_gain < 1e-12 * m * g * l)
    check("balance", math.abs(p.energy.balance_error) < 1e-8 * m * g * l, p.energy.balance_error .. " J")
    check("inside", p.violation < 1e-9, p.violation .. " m")

    -- no loss at impacts
    local free = trial(with(rod(c, 0, 0, high, 0), { restitution = 1 }))
    local change = free.energy.kinetic + free.energy.potential - m * g * (-l * math.cos(high))
    report("impacts_without_loss", free.impacts)
    report("change_without_loss", change)
    check("no loss", math.abs(change) < 1e-8 * m * g * l and free.impacts > 20, change .. " J, " .. free.impacts .. " impacts")

    -- steady rotation, pin and centre of the rod on one ray
    local w = 10
    local turning = trial(with(rod(c, 0, -c, 0, w), { force = function(t, q) return { 0, 0, 0 } end, t_end = 1 }))
    local force = turning.lambda[1] / 0.005
    report("force_in_rotation", force)
    check("rotation", math.abs(force / (m * w ^ 2 * (l + c)) - 1) < 1e-9, force .. " N")

    -- small swings in the slow mode: one period and back
    local slow, ratio = double_pendulum()
    local small = 1e-3
    local link = small / ratio
    local swing = rod(c, c * math.sin(link), -c * math.cos(link), small, 0)
    local period = 2 * math.pi / slow
    local back = trial(with(swing, { h = period / 500, t_end = 5 * period }))
    report("period", period)
    report("swing_after_five_periods", back.q[3] / small)
    check("small swings", math.abs(back.q[3] / small - 1) < 1e-6 and back.impacts == 0 and back.active == 1, back.q[3] / small .. "")

end)

-- another at_end: each has its own share of computing
at_end(function()
    local sizes, far = { 0.04, 0.02, 0.01, 0.005 }, {}
    for k, size in ipairs(sizes) do far[k] = apart(size) end
    report("apart_from_ideal", far)
    check("tends to the ideal joint", far[4] < far[1] / 6 and far[4] < 0.05, far[4] .. " rad")

    local circle_x, circle_y = {}, {}
    for k = 0, 100 do circle_x[k + 1], circle_y[k + 1] = c * math.cos(k * math.pi / 50), c * math.sin(k * math.pi / 50) end
    plot { title = "pin in its hole", equal = true, x = "x (m)", y = "y (m)",
           curves = { { name = "hole", x = circle_x, y = circle_y, style = "dashed" }, { name = "pin", x = state.x, y = state.y } } }
    plot { title = "force in the joint", x = "time (s)", y = "N", curves = { { name = "pin and hole", x = state.t, y = state.force } } }
    local perfect = ideal(high, p.t, p.h)
    plot { title = "angle of the rod", x = "time (s)", y = "rad",
           curves = { { name = "loose, c = " .. c .. " m", x = state.t, y = state.angle },
                      { name = "ideal joint", x = state.t, y = { table.unpack(perfect, 2) }, style = "dashed" } } }
end)
