-- People leave a room: everybody walks to the door as if alone, and nobody overlaps anybody.
--
-- A perturbed sweeping process (Maury and Venel): the velocity is the one nearest to the wished one, among those that
-- keep all discs apart. Through a door of three diameters everybody gets out. Through a narrow one (--set door=1.2)
-- arches form across the door; without friction or noise they carry for ever, and the run says so.
-- Expect: with door = 3, everybody out; in all cases no overlap above 1e-9 m.
-- Picture: moreau export crowd.h5 --to png --frame 800

local people = param("people", 300, "in the room at the start")
local door = param("door", 3, "width in diameters")
local T = param("time", 60, "at most, s")
local r, speed, h = 0.2, 1.2, 0.01

-- the room: as large as the people need at a third of full, the door in the middle of its right side
local L = math.sqrt(people * math.pi * r * r / 0.33)
local half = door * r
local walls = { {0, -L / 2, 0, L / 2}, {0, L / 2, L, L / 2}, {0, -L / 2, L, -L / 2},
                {L, half, L, L / 2}, {L, -L / 2, L, -half} }

-- places on a grid, shaken a little
local x, columns = {}, math.ceil(math.sqrt(people))
local pitch = (L - 2 * r) / columns
for k = 0, people - 1 do
    local slack = 0.45 * (pitch - 2 * r)
    x[2 * k + 1] = r + pitch * (k % columns + 0.5) + slack * (2 * math.random() - 1)
    x[2 * k + 2] = -L / 2 + r + pitch * (k // columns + 0.5) + slack * (2 * math.random() - 1)
end

-- toward the nearest point of the opening that lets one through; behind it straight on, and apart
local reach = math.max(half - 1.01 * r, 0)
local function wish(t, q)
    local f = {}
    for k = 1, 2 * people, 2 do
        local dx, dy = L + r - q[k], math.max(-reach, math.min(reach, q[k + 1])) - q[k + 1]
        if q[k] > L then dx, dy = 1, 0.3 * q[k + 1] / L end
        local d = math.sqrt(dx * dx + dy * dy)
        f[k], f[k + 1] = speed * dx / d, speed * dy / d
    end
    return f
end

-- a crowd that presses at the door may take a few hundred linearisations in a step
local p = sweep { x = x, h = h, t_end = T, field = wish, record = { every = 0.05 }, retraction = false, max_iter = 1000,
                  set = discs { radius = r, count = people, walls = walls } }

local function outside()
    local n, q = 0, p.x
    for k = 1, 2 * people, 2 do
        if q[k] > L + r then n = n + 1 end
    end
    return n
end
observe("outside", outside)

-- blocked: nobody has come out for five seconds
state.overlap, state.out, state.since = state.overlap or 0, state.out or 0, state.since or 0
on_step(function(t)
    state.overlap = math.max(state.overlap, p.violation)
    local n = outside()
    if n > state.out then state.out, state.since = n, t end
    state.blocked = t - state.since > 5
end)
stop_when(function() return state.blocked or outside() == people end)

at_end(function()
    local n = outside()
    state.overlap = math.max(state.overlap, p.violation)
    report("outside", n)
    report("blocked", state.blocked or false)
    report("time", p.t)
    report("overlap", state.overlap)
    check("no overlap", state.overlap < 1e-9, "overlap of " .. state.overlap .. " m")
    if door >= 3 then check("everybody gets out", n == people, n .. " of " .. people .. " got out") end
end)
