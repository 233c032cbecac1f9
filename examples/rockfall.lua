-- Rocks come down a hillside: polyhedra on a mesh of triangles.
--
-- The hill falls by 35 degrees, levels out into a valley floor, and is rough.  Rocks are hulls of random points, let go just above the
-- ground; impacts are inelastic.  Friction and impacts take what gravity gives: at rest the energy lost is the weight times the drop.
-- A rock that only slid would stop where the line from its start falls by atan(friction) = 31 degrees, whatever the ground between;
-- rolling carries farther, impacts stop sooner.  (Reach angles of real rocks are mostly between 25 and 45 degrees: Evans and Hungr,
-- Canadian Geotechnical Journal 30, 1993.)  In a step the mechanical energy cannot rise by more than sum m (g h)²/8: what is gained is
-- S·(U_I + U_F)/2 = S·U_F - S·HS/2 - h S·G A⁻¹F/2 with S·U_F <= 0, and the rest has this maximum over S.
-- Expect: no corner of a rock below the ground by more than it moves in two steps, all rocks at rest and most of them on the valley
-- floor, that bound of the energy, a median reach angle between 25 and 40 degrees.

local count = param("rocks", 8, "how many")
local mu = param("friction", 0.6, "friction")
local rough = param("rough", 0.25, "height of the bumps, m")
local step = param("h", 4e-3, "time step, s")
local g, cell = 9.81, 2
local columns, rows = 60, 20 -- of cells, along x and y

world { dim = 3, h = step, t_end = 30, gravity = {0, 0, -g}, solver = { tol = 1e-8 }, record = { every = 0.04 } }
law { friction = mu, restitution = 0 }

-- heights at the corners of the cells: slope, a curve of radius 20 m, floor
local fall, radius = math.rad(35), 20
local bend = radius * math.sin(fall)
local function smooth(x)
    if x > 0 then return 0 end
    if x > -bend then return radius - math.sqrt(radius ^ 2 - x * x) end
    return radius * (1 - math.cos(fall)) - (x + bend) * math.tan(fall)
end
local height, points, triangles = {}, {}, {}
for i = 0, columns do
    height[i] = {}
    for j = 0, rows do
        local x, y = (i - columns / 2) * cell, (j - rows / 2) * cell
        height[i][j] = smooth(x) + rough * (2 * math.random() - 1)
        points[#points + 1] = { x, y, height[i][j] }
        if i > 0 and j > 0 then
            local d = #points
            local a, b, c = d - rows - 2, d - rows - 1, d - 1
            triangles[#triangles + 1] = { a, c, d }
            triangles[#triangles + 1] = { a, d, b }
        end
    end
end
body { shape = mesh { points = points, triangles = triangles }, fixed = true, name = "hill" }

-- the ground under (x, y), on the same triangles
local function ground(x, y)
    local u, v = x / cell + columns / 2, y / cell + rows / 2
    local i, j = math.floor(u), math.floor(v)
    if i < 0 or j < 0 or i >= columns or j >= rows then return nil end
    u, v = u - i, v - j
    local a, d = height[i][j], height[i + 1][j + 1]
    if u > v then
        local c = height[i + 1][j]
        return a + u * (c - a) + v * (d - c)
    end
    local b = height[i][j + 1]
    return a + v * (b - a) + u * (d - b)
end

local rocks = {}
for k = 1, count do
    local size, corners = 0.4 + 0.4 * math.random(), {}
    local axes = { size, size * (0.7 + 0.3 * math.random()), size * (0.6 + 0.3 * math.random()) }
    for i = 1, 14 do
        local z, a = 2 * math.random() - 1, 2 * math.pi * math.random()
        local s = math.sqrt(1 - z * z)
        corners[i] = { axes[1] * s * math.cos(a), axes[2] * s * math.sin(a), axes[3] * z }
    end
    local x, y = -40 - 12 * math.random(), (k - 0.5 * (count + 1)) * 2.2
    local shape = convex(corners)
    -- corners seen from the given origin
    local b = body { shape = shape, density = 2600, name = "rock" .. k, keep_origin = true, position = { x, y, smooth(x) + rough + 1.3 * size } }
    rocks[k] = { body = b, corners = corners, from = b.position, size = size }
end

-- depth of the deepest corner under the ground
local function depth(rock)
    local q, p, deepest = rock.body.orientation, rock.body.position, -1
    for _, v in ipairs(rock.corners) do
        local cx = 2 * (q[3] * v[3] - q[4] * v[2])
        local cy = 2 * (q[4] * v[1] - q[2] * v[3])
        local cz = 2 * (q[2] * v[2] - q[3] * v[1])
        local x = p[1] + v[1] + q[1] * cx + q[3] * cz - q[4] * cy
        local y = p[2] + v[2] + q[1] * cy + q[4] * cx - q[2] * cz
        local z = p[3] + v[3] + q[1] * cz + q[2] * cy - q[3] * cx
        local below = ground(x, y)
        if not below then return math.huge end
        deepest = math.max(deepest, below - z)
    end
    return deepest
end

observe("energy", function() return measure.kinetic_energy() + measure.potential_energy() end)
observe("farthest", function()
    local x = -1e9
    for _, r in ipairs(rocks) do x = math.max(x, r.body.position[1]) end
    return x
end)

local start = measure.potential_energy()
state.energy, state.gain, state.deepest, state.fastest, state.count = start, 0, 0, 0, 0
stop_when(function()
    local energy = measure.kinetic_energy() + measure.potential_energy()
    state.gain, state.energy = math.max(state.gain, energy - state.energy), energy
    state.count = state.count + 1
    if state.count % 5 ~= 0 then return false end
    for _, r in ipairs(rocks) do
        local v, w = r.body.velocity, r.body.spin
        local speed = math.sqrt(v[1] ^ 2 + v[2] ^ 2 + v[3] ^ 2) + r.size * math.sqrt(w[1] ^ 2 + w[2] ^ 2 + w[3] ^ 2)
        state.fastest = math.max(state.fastest, speed)
        state.deepest = math.max(state.deepest, depth(r))
    end
    return measure.kinetic_energy() < 1e-10 * math.abs(start)
end)

at_end(function()
    local angles, arrived, mass = {}, 0, 0
    for k, r in ipairs(rocks) do
        local p, f = r.body.position, r.from
        angles[k] = math.deg(math.atan(f[3] - p[3], math.sqrt((p[1] - f[1]) ^ 2 + (p[2] - f[2]) ^ 2)))
        mass = mass + r.body.mass
        if p[1] > -bend then arrived = arrived + 1 end
    end
    table.sort(angles)
    local rest, median, bound = measure.kinetic_energy(), angles[(count + 1) // 2], mass * (g * step) ^ 2 / 8
    report("reach_angles", angles)
    report("arrived", arrived)
    report("deepest", state.deepest)
    report("fastest", state.fastest)
    report("lost", start - state.energy)
    report("largest_gain", state.gain)
    report("largest_gain_allowed", bound)
    check("above", state.deepest < 2 * step * state.fastest, "a corner was " .. state.deepest .. " m below the ground")
    check("rest", rest < 1e-8 * start, "still " .. rest .. " J")
    check("floor", arrived >= 0.75 * count, "only " .. arrived .. " reached the valley floor")
    -- the solver's tolerance, on impulses of a rock at 20 m/s
    check("energy", state.gain < bound + 1e-8 * start, "a step added " .. state.gain .. " J")
    check("reach", median > 25 and median < 40, "median reach angle " .. median)
end)
