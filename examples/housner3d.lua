-- A tall block rocks from edge to edge (Housner, Bulletin of the Seismological Society of America 53, 1963), in space.
--
-- Width 2b, height 2h', R² = b² + h'², tan(alpha) = b/h', restitution 0, no slip.  At each impact the spin keeps the share
-- r = 1 - (3/2) sin²(alpha).  Between impacts the block is an inverted pendulum, (4/3) R theta'' = -g sin(alpha - theta); released
-- at theta0 it needs a quarter of a period, theta0 to 0, of (1/p) arcosh(1/(1 - theta0/alpha)), p² = 3 g/(4 R), when sin x is taken
-- for x, which is Housner's formula.  The exact time is an integral, done here too.  Each half wave begins with the energy
-- that the impact left, E r².  The edges lie along no axis.
-- Expect: ratios of spins right to what gravity does in a step, times of impacts to a few steps h for each half wave against
-- the exact motion, Housner's formula within alpha²/2 of it.

local slenderness = param("slenderness", 5, "height over width, at least 1.5")
local share = param("share", 0.4, "angle at the start over alpha, below 1")
local half_waves = param("half_waves", 4, "how many half waves are compared")
local step = param("h", 2e-4, "time step, s")
local g, azimuth = 9.81, math.rad(33)

local b = 0.1
local tall = b * slenderness
local alpha, R = math.atan(b, tall), math.sqrt(b * b + tall * tall)
local p = math.sqrt(3 * g / (4 * R))
local theta0 = share * alpha
local ratio = 1 - 1.5 * math.sin(alpha) ^ 2

-- time from the angle a at rest down to 0: theta'² = 2 p² (cos(alpha - a) - cos(alpha - theta)) with theta = a (1 - s²), which
-- takes the root's singularity away; Simpson's rule
local function fall(a)
    local function speed(s)
        -- dt/ds
        local theta = a * (1 - s * s)
        if s == 0 then return math.sqrt(2 * a / math.sin(alpha - a)) / p end
        local drop = 2 * math.sin(alpha - 0.5 * (a + theta)) * math.sin(0.5 * (a - theta))
        return 2 * a * s / (p * math.sqrt(2 * drop))
    end
    local n, total = 200, 0
    for k = 0, n do
        local weight = (k == 0 or k == n) and 1 or (k % 2 == 1 and 4 or 2)
        total = total + weight * speed(k / n)
    end
    return total / (3 * n)
end

-- angle at which the block that starts from 0 with energy e (over 4/3 m R² p² = m g R) comes to rest
local function amplitude(e)
    return alpha - math.acos(math.min(1, e + math.cos(alpha)))
end

local function arcosh(x) return math.log(x + math.sqrt(x * x - 1)) end

-- times of the impacts, exact and by Housner's formulas; the first after a quarter of a period
local exact, housner = { fall(theta0) }, { arcosh(1 / (1 - share)) / p }
local energy, kept = math.cos(alpha - theta0) - math.cos(alpha), 1
for k = 2, half_waves do
    energy, kept = energy * ratio ^ 2, kept * ratio ^ 2
    exact[k] = exact[k - 1] + 2 * fall(amplitude(energy))
    -- amplitude over alpha after k - 1 impacts
    local part = 1 - math.sqrt(1 - kept * (1 - (1 - share) ^ 2))
    housner[k] = housner[k - 1] + 2 * arcosh(1 / (1 - part)) / p
end

world { dim = 3, h = step, t_end = exact[half_waves] + 0.2, gravity = {0, 0, -g}, solver = { tol = 1e-12 }, record = { every = 0.02 } }
law { friction = 1, restitution = 0 }
body { shape = plane { normal = {0, 0, 1}, offset = 0 }, fixed = true }

-- across: the way it rocks; the edge that carries it at first passes through -b across
local across, along = { math.cos(azimuth), math.sin(azimuth), 0 }, { -math.sin(azimuth), math.cos(azimuth), 0 }
local function product(q, r)
    return { q[1] * r[1] - q[2] * r[2] - q[3] * r[3] - q[4] * r[4], q[1] * r[2] + q[2] * r[1] + q[3] * r[4] - q[4] * r[3],
             q[1] * r[3] - q[2] * r[4] + q[3] * r[1] + q[4] * r[2], q[1] * r[4] + q[2] * r[3] - q[3] * r[2] + q[4] * r[1] }
end
-- leaning by theta toward -across, on the edge at -b: a turn about `along` by -theta
local lean = { math.cos(0.5 * theta0), -math.sin(0.5 * theta0) * along[1], -math.sin(0.5 * theta0) * along[2], 0 }
local sideways = -b + R * math.sin(alpha - theta0)
local block = body { shape = box { 2 * b, 3 * b, 2 * tall }, density = 2000, name = "block",
                     position = { sideways * across[1], sideways * across[2], R * math.cos(alpha - theta0) },
                     orientation = product(lean, { math.cos(azimuth / 2), 0, 0, math.sin(azimuth / 2) }) }

local function dot(u, v) return u[1] * v[1] + u[2] * v[2] + u[3] * v[3] end
local function turning() return dot(block.spin, along) end
local function leaning()
    -- the block's own z axis against the vertical, toward across
    local q = block.orientation
    local z = { 2 * (q[2] * q[4] + q[1] * q[3]), 2 * (q[3] * q[4] - q[1] * q[2]), 1 - 2 * (q[2] ^ 2 + q[3] ^ 2) }
    return math.atan(dot(z, across), z[3])
end
observe("angle", leaning)
observe("spin", turning)

state.spin, state.impacts = 0, {}
stop_when(function(now)
    local before, after = state.spin, turning()
    state.spin = after
    -- gravity changes the spin by less than p² alpha h in a step
    if math.abs(after) < math.abs(before) and math.abs(before - after) > 5 * p * p * alpha * step then
        state.impacts[#state.impacts + 1] = { t = now - 0.5 * step, ratio = after / before, before = before }
    end
    return #state.impacts >= half_waves
end)

at_end(function()
    local impacts, late, off, housner_off = state.impacts, 0, 0, 0
    local ratios, times = {}, {}
    for k, i in ipairs(impacts) do
        ratios[k], times[k] = i.ratio, i.t
        late = math.max(late, math.abs(i.t - exact[k]))
        -- gravity is part of the step of the impact
        off = math.max(off, math.abs(i.ratio - ratio) * math.abs(i.before) / (p * p * math.sin(alpha) * step))
        housner_off = math.max(housner_off, math.abs(housner[k] / exact[k] - 1))
    end
    report("ratio_expected", ratio)
    report("ratios", ratios)
    report("times", times)
    report("times_exact", exact)
    report("times_housner", housner)
    check("impacts", #impacts == half_waves, "found " .. #impacts .. " impacts, expected " .. half_waves)
    check("ratio", off < 2, "the ratio is off by " .. off .. " times what gravity does in a step")
    check("times", late < 5 * half_waves * step, "off by " .. late .. " s")
    check("housner", housner_off < 0.5 * alpha ^ 2, "off by " .. housner_off)
    check("plane", math.abs(dot(block.spin, across)) + math.abs(block.spin[3]) < 1e-6 * p, "the block left its plane")
end)
