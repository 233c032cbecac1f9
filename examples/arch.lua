-- How thin may a semicircular arch be?  Thrust lines, equilibrium and dynamics give the same answer.
--
-- An arch of n equal voussoirs with radial joints and enough friction not to slide stands as long as a line of thrust fits into
-- its thickness.  For a circular ring cut infinitely fine the least thickness is 0.1075 of the radius R of the mid-line
-- (Milankovitch 1907; Heyman's 0.106 places the weights on the mid-line); hinges at n + 1 joints only make it a little less.
-- `exact` below finds it for n chord-faced voussoirs: the resultants of all joints follow from two numbers at the crown (thrust
-- H and its moment M), and all of them must pass through their joints, which is a linear programme in H and M.
-- Found twice more by bisection: while the scene is built, from equilibrium(); while it runs, by taking down one arch and
-- putting up the next, which is left alone for 0.1 s.  The last arch is 2 % thicker than the limit, and its line of thrust is
-- plotted from the contact forces (export --to png --what plots); `thrust_reach` is how near it comes to a face, 1 touching it.
-- Expect: stands at 0.109 R, falls at 0.105 R, the three limits within 0.1 % of each other and within 1 % of 0.1075.

local dim = param("dim", 3, "2 or 3")
local n = param("voussoirs", dim == 2 and 60 or 24, "number of voussoirs")
local rounds = param("rounds", 10, "bisections of the running world")
local R, g, density, lasts = 1, 9.81, 2000, 0.1

-- ---- by lines of thrust ---------------------------------------------------------------------------------------------

-- for the right half with its voussoirs from the crown down: thrust H at the crown, moment M = H y; the resultant of the joint
-- at angle a from the vertical passes at radius (M + W x) / (H cos a + W sin a), W and x being weight and place of what is above
local function slack(n, t, H)
    local low, high = -math.huge, math.huge
    local inner, outer = R - t / 2, R + t / 2
    local W, Wx = 0, 0
    local step = math.pi / n
    local from = n % 2 == 0 and 0 or -step / 2
    if n % 2 == 0 then low, high = inner * H, outer * H end
    for i = 1, (n + 1) // 2 do
        local a, b = from + (i - 1) * step, from + i * step
        -- of the trapezium between both joints: half of the keystone counts where it lies across the crown
        local area = 0.5 * (outer ^ 2 - inner ^ 2) * math.sin(step)
        local r = 2 / 3 * (outer ^ 3 - inner ^ 3) / (outer ^ 2 - inner ^ 2) * math.cos(step / 2)
        if a < 0 then
            -- right half of the keystone: a trapezium of height d between half chords c0 and c1
            local c0, c1, d = inner * math.sin(step / 2), outer * math.sin(step / 2), (outer - inner) * math.cos(step / 2)
            area = 0.5 * (c0 + c1) * d
            W, Wx = W + area, Wx + d * (c0 * c0 + c0 * c1 + c1 * c1) / 6
        else
            W, Wx = W + area, Wx + area * r * math.sin(0.5 * (a + b))
        end
        local along = H * math.cos(b) + W * math.sin(b)
        low, high = math.max(low, inner * along - Wx), math.min(high, outer * along - Wx)
    end
    return high - low
end

local function bisect(low, high, times, stands)
    for _ = 1, times do
        local middle = 0.5 * (low + high)
        if stands(middle) then high = middle else low = middle end
    end
    return 0.5 * (low + high)
end

local function exact(n)
    return bisect(0.05, 0.2, 30, function(t)
        -- concave in H
        local low, high = 0, 2 * t
        for _ = 1, 60 do
            local a, b = low + (high - low) / 3, high - (high - low) / 3
            local sa, sb = slack(n, t, a), slack(n, t, b)
            if sa >= 0 or sb >= 0 then return true end
            if sa < sb then low = a else high = b end
        end
        return false
    end)
end

-- ---- by equilibrium of the contact forces -------------------------------------------------------------------------------

world { dim = dim, h = 1e-3, t_end = (rounds + 4) * lasts, gravity = dim == 2 and {0, -g} or {0, 0, -g},
        solver = { tol = 1e-10 }, record = { every = 0.01 } }
law { friction = 1 }

local function build(t)
    return generate.arch { voussoirs = n, radius = R, thickness = t, width = dim == 3 and 0.3 or nil, density = density,
                           name = "voussoir" }
end
local function take_down(arch)
    for _, b in ipairs(arch) do remove(b) end
    for _, b in ipairs(arch.supports) do remove(b) end
end

local expected, many = exact(n), exact(500)
local static = bisect(0.1, 0.115, 12, function(t)
    local arch = build(t)
    -- which is 0 to rounding where forces can be found, and some 1e-5 as soon as the thickness lacks a ten-thousandth
    local imbalance = equilibrium().imbalance
    take_down(arch)
    return imbalance < 1e-7
end)

-- ---- by dynamics -----------------------------------------------------------------------------------------------------

state.low, state.high, state.round = 0.1, 0.115, -1
local arch, top
local function put_up(t)
    arch, state.t = build(t), t
    top = arch[(n + 1) // 2].position
    state.arch, state.top, state.since = arch, top, nil
end
put_up(0.109)

local function moved()
    local p, q, sum = state.arch[(n + 1) // 2].position, state.top, 0
    for k = 1, dim do sum = sum + (p[k] - q[k]) ^ 2 end
    return math.sqrt(sum)
end

-- round -1: 0.109, round 0: 0.105, then bisection, then the arch that stays
local function judge(stood)
    if state.round == -1 then
        state.stands = stood
    elseif state.round == 0 then
        state.falls = not stood
    elseif stood then
        state.high = state.t
    else
        state.low = state.t
    end
    state.round = state.round + 1
    take_down(state.arch)
    if state.round == 0 then
        put_up(0.105)
    elseif state.round <= rounds then
        put_up(0.5 * (state.low + state.high))
    else
        put_up(1.02 * expected)
    end
end

on_step(function(t)
    state.since = state.since or t
    if state.round > rounds then return end
    local fell = moved() > 1e-6 * R
    if fell or t - state.since > lasts then
        judge(not fell)
        state.since = t
    end
end)
stop_when(function(t) return state.round > rounds and state.since and t - state.since > lasts end)

-- ---- the line of thrust -----------------------------------------------------------------------------------------------

-- joint by joint from the left: where the resultant passes, as x, height and radius
local function thrust_line(arch)
    local place, force, points = {}, {}, {}
    for i, b in ipairs(arch) do place[b] = i end
    place[arch.supports[1]], place[arch.supports[2]] = 0, n + 1
    for c in contacts() do
        local i, j = place[c.body1], place[c.body2]
        if i and j and math.abs(i - j) == 1 then
            local joint = math.min(i, j) + 1
            local f = force[joint] or { 0, 0, 0 }
            f[1], f[2], f[3] = f[1] + c.impulse.n, f[2] + c.impulse.n * c.point[1], f[3] + c.impulse.n * c.point[dim]
            force[joint] = f
        end
    end
    for joint = 1, n + 1 do
        local f = force[joint]
        if not f then return nil end -- nothing is carried across it
        points[joint] = { f[2] / f[1], f[3] / f[1] }
    end
    return points
end

local function circle(r)
    local x, y = {}, {}
    for i = 0, n do
        local a = math.pi * (i / n - 0.5)
        x[i + 1], y[i + 1] = r * math.sin(a), r * math.cos(a)
    end
    return x, y
end

at_end(function()
    local dynamic, t = 0.5 * (state.low + state.high), state.t
    local line, x, y, reach = thrust_line(state.arch), {}, {}, 0
    check("long enough", line ~= nil, "it ended with an arch that does not bear")
    if not line then return end
    for i, p in ipairs(line) do
        x[i], y[i] = p[1], p[2]
        reach = math.max(reach, math.abs(math.sqrt(p[1] ^ 2 + p[2] ^ 2) - R) / (t / 2))
    end
    local xi, yi = circle(R - t / 2)
    local xo, yo = circle(R + t / 2)
    plot { title = "line of thrust", x = "x (m)", y = "height (m)", equal = true,
           curves = { { name = "intrados", x = xi, y = yi }, { name = "extrados", x = xo, y = yo },
                      { name = "thrust", x = x, y = y, style = "both" } } }
    report("limit_exact", expected)
    report("limit_many_voussoirs", many)
    report("limit_equilibrium", static)
    report("limit_dynamics", dynamic)
    report("thrust_reach", reach)
    report("crown_moved", moved())
    check("stands at 0.109", state.stands)
    check("falls at 0.105", state.falls)
    check("many voussoirs", math.abs(many / 0.1075 - 1) < 0.002, "thrust lines give " .. many)
    check("equilibrium", math.abs(static / expected - 1) < 1e-3, "found " .. static .. ", expected " .. expected)
    check("dynamics", math.abs(dynamic / expected - 1) < 1e-3, "found " .. dynamic .. ", expected " .. expected)
    check("limit", math.abs(dynamic / 0.1075 - 1) < 0.01, "found " .. dynamic .. ", expected 0.1075")
    check("thrust line", reach > 0.85 and reach < 1 + 1e-6, "it reaches " .. reach .. " of half the thickness")
    check("stays", moved() < 1e-8, "the crown moved by " .. moved() .. " m")
end)
