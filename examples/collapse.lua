-- Which steady horizontal acceleration of the ground overturns a block, and an arch?
--
-- The acceleration k g acts on each stone as the force -k g m.  A block of width b and height a that does not slide overturns at
-- k = b/a.  An arch becomes a chain of three bars between four hinges, at joints and alternately on its outer and inner face; a
-- mechanism yields when the loads' power in it vanishes, and the least k over all mechanisms is the collapse acceleration.
-- The default is Oppenheim's arch (1992: mid-line radius 10 m, thickness 1.5 m, 157.5 degrees, 7 voussoirs), for which
-- 0.37 g is published.  `exact` goes through all mechanisms; equilibrium() and runs of 0.2 s are bisected.
-- Expect: all within 0.1 % of the closed form, and the arch within 2 % of 0.37.

local dim = param("dim", 3, "2 or 3")
local n = param("voussoirs", 7, "number of voussoirs")
local ratio = param("ratio", 0.25, "width over height of the block")
local rounds = param("rounds", 10, "bisections of the running world")
local R, t, embrace = 10, 1.5, math.rad(157.5)
local g, lasts, height = 9.81, 0.2, 2

-- ---- all mechanisms of four hinges -------------------------------------------------------------------------------------

-- corner of joint i: k = 1 inside, 2 outside
local function corner(i, k)
    local a, r = embrace * (i / n - 0.5), k == 1 and R - t / 2 or R + t / 2
    return { r * math.sin(a), r * math.cos(a) }
end

-- weight (per density) and centre of the voussoirs between joints i and j, at i = 0 ... n
local function part(i, j)
    local r0, r1, step = R - t / 2, R + t / 2, embrace / n
    local area = 0.5 * (r1 ^ 2 - r0 ^ 2) * math.sin(step)
    local r = 2 / 3 * (r1 ^ 3 - r0 ^ 3) / (r1 ^ 2 - r0 ^ 2) * math.cos(step / 2)
    local x, y = 0, 0
    for k = i, j - 1 do
        local a = embrace * ((k + 0.5) / n - 0.5)
        x, y = x + area * r * math.sin(a), y + area * r * math.cos(a)
    end
    return area * (j - i), x, y
end

-- where the lines through p, q and r, s meet, or nil
local function meet(p, q, r, s)
    local ax, ay, bx, by = q[1] - p[1], q[2] - p[2], s[1] - r[1], s[2] - r[2]
    local det = ax * by - ay * bx
    if math.abs(det) < 1e-9 then return nil end
    local f = ((r[1] - p[1]) * by - (r[2] - p[2]) * bx) / det
    return { p[1] + f * ax, p[2] + f * ay }
end

-- k for hinges at joints j[1..4], the first on face `face`; nil when some joint would have to close beyond its face
local function yields(j, face)
    local h = {}
    for m = 1, 4 do h[m] = corner(j[m], (face + m) % 2 + 1) end
    local centre = meet(h[1], h[2], h[3], h[4])
    if not centre then return nil end
    -- spins of the three bars, counter-clockwise: the second turns about `centre`
    local function over(hinge, fixed)
        local d = math.abs(hinge[1] - fixed[1]) > math.abs(hinge[2] - fixed[2]) and 1 or 2
        return (hinge[d] - centre[d]) / (hinge[d] - fixed[d])
    end
    local spin = { over(h[2], h[1]), 1, over(h[3], h[4]) }
    -- going from left to right across a joint, it opens inside (hinge outside) when what lies to the right turns
    -- counter-clockwise relative to what lies to the left
    local sign
    for m = 1, 4 do
        local jump = (m < 4 and spin[m] or 0) - (m > 1 and spin[m - 1] or 0)
        local opens = ((face + m) % 2 + 1 == 2 and 1 or -1) * jump
        if math.abs(jump) < 1e-12 then return nil end
        if sign and sign * opens < 0 then return nil end
        sign = opens > 0 and 1 or -1
    end
    local power, push = 0, 0
    local pole = { h[1], centre, h[4] }
    for m = 1, 3 do
        local W, Wx, Wy = part(j[m], j[m + 1])
        -- velocity of a point: spin times (-(y - yp), x - xp)
        power = power - sign * spin[m] * (Wx - W * pole[m][1])
        push = push + sign * spin[m] * (Wy - W * pole[m][2])
    end
    -- weight's power plus k times that of a force -k g m along x
    local k = -power / push
    return push > 0 and k > 0 and k or nil
end

local function exact()
    local least = math.huge
    for a = 0, n - 3 do for b = a + 1, n - 2 do for c = b + 1, n - 1 do for d = c + 1, n do
        for face = 0, 1 do least = math.min(least, yields({ a, b, c, d }, face) or math.huge) end
    end end end end
    return least
end

-- ---- by equilibrium ------------------------------------------------------------------------------------------------------

world { dim = dim, h = 2e-3, t_end = 2 * (rounds + 1) * lasts, gravity = dim == 2 and {0, -g} or {0, 0, -g},
        solver = { tol = 1e-10 }, record = { every = 0.02 } }
law { friction = 1.5 }
body { shape = dim == 2 and halfplane { normal = {0, 1} } or plane { normal = {0, 0, 1} }, fixed = true, name = "ground" }

local build = {
    function()
        return generate.wall { brick = dim == 2 and { ratio * height, height } or { ratio * height, 1, height },
                               bricks = 1, courses = 1, name = "block" }
    end,
    function()
        return generate.arch { voussoirs = n, radius = R, thickness = t, embrace = embrace, width = dim == 3 and 1 or nil,
                               position = dim == 3 and {0, 0, 10} or {0, 10}, name = "voussoir" }
    end }
local function push(stones, k)
    for _, b in ipairs(stones) do b.applied_force = dim == 2 and { -k * g * b.mass, 0 } or { -k * g * b.mass, 0, 0 } end
end
local function take_down(stones)
    for _, b in ipairs(stones) do remove(b) end
    for _, b in ipairs(stones.supports or {}) do remove(b) end
end

local expected, static = { ratio, exact() }, {}
for kind = 1, 2 do
    local stones, low, high = build[kind](), 0, 1
    for _ = 1, 14 do
        local k = 0.5 * (low + high)
        push(stones, k)
        if equilibrium().imbalance < 1e-7 then low = k else high = k end
    end
    static[kind] = 0.5 * (low + high)
    take_down(stones)
end

-- ---- by dynamics -----------------------------------------------------------------------------------------------------

state.found, state.round, state.kind = {}, 1, 1
local function put_up()
    state.k = 0.5 * (state.low + state.high)
    state.stones = build[state.kind]()
    push(state.stones, state.k)
    state.start = {}
    for i, b in ipairs(state.stones) do state.start[i] = b.position end
    state.since = nil
end
local function begin(kind)
    state.kind, state.round, state.low, state.high = kind, 1, 0.9 * expected[kind], 1.11 * expected[kind]
    put_up()
end
local function moved()
    local most = 0
    for i, b in ipairs(state.stones) do
        for k = 1, dim do most = math.max(most, math.abs(b.position[k] - state.start[i][k])) end
    end
    return most
end
begin(1)

on_step(function(now)
    state.since = state.since or now
    if state.kind > 2 then return end
    local fell = moved() > 1e-6
    if not fell and now - state.since <= lasts then return end
    if fell then state.high = state.k else state.low = state.k end
    take_down(state.stones)
    if state.round < rounds then
        state.round = state.round + 1
        put_up()
    else
        state.found[state.kind] = 0.5 * (state.low + state.high)
        if state.kind == 1 then begin(2) else state.kind = 3 end
    end
end)
stop_when(function() return state.kind > 2 end)

at_end(function()
    for kind, name in ipairs { "block", "arch" } do
        report(name .. "_expected", expected[kind])
        report(name .. "_equilibrium", static[kind])
        if state.found[kind] then report(name .. "_dynamics", state.found[kind]) end
        for what, value in pairs { equilibrium = static[kind], dynamics = state.found[kind] or 0 } do
            check(name .. " by " .. what, math.abs(value / expected[kind] - 1) < 1e-3,
                  value .. " g, expected " .. expected[kind] .. " g")
        end
    end
    check("published", n ~= 7 or math.abs(expected[2] / 0.37 - 1) < 0.02, "mechanisms give " .. expected[2] .. " g")
end)
