-- A pile of grains built by dropping them one after another (MJ96 Fig. 2).
--
-- Discs of dispersed sizes fall at 25 cm/s with slight lateral scatter onto a row of fixed grains, roll down and build a pile;
-- then it relaxes.  The resultants across two vertical cuts are reported and drawn, as in the figure, and the pressure on the
-- ground, which some find to have a dip below the top.
-- Expect: the ground carries the weight to 1e-3, a slope between 10 and 35 degrees, and outer parts that push the middle inwards
-- across the two cuts, with thrusts that agree to 50 % (one pile is not symmetric); many seeds: docs/figures/statistics.md.
-- Picture: moreau export sandpile.h5 --to png --what plots

local n = param("grains", 3000, "number of grains")
local mu = param("friction", 0.5, "between all grains and the ground")
local r, speed, density, g = 0.01, 0.25, 2600, 9.81
local every = param("interval", 0.0055, "time between two grains, s")
local relax = param("relax", 3, "time after the last grain, s")
local lanes = 11

local h = param("h", 2e-3, "time step, s")
local tol = param("tol", 5e-4, "of the solver")

world { dim = 2, h = h, t_end = n * every + relax, gravity = {0, -g},
        solver = { tol = tol, max_iter = 20000 }, position_projection = true,
        record = { every = math.max(0.1, (n * every + relax) / 200) } }
law { friction = mu }

-- rough ground: a row of fixed grains, wide enough for the pile at a slope of 12 degrees; what rolls over its ends is caught
local bin = 0.05 -- m, of the ground pressure
local area = n * math.pi * r * r / 0.8
local half_width = math.sqrt(area / math.tan(math.rad(12))) + 10 * r
local bumps = {}
for x = -half_width, half_width, 2.2 * r do
    bumps[#bumps + 1] = { shape = disc { radius = r }, position = {x, -r} }
end
local ground = body { shape = compound(bumps), fixed = true, group = "ground", name = "ground" }
local catch = body { shape = halfplane { normal = {0, 1}, offset = -2 * r }, fixed = true, group = "ground" }

state = state or {}
state.made = state.made or 0
state.weight = state.weight or 0
state.top = state.top or 0
grains = grains or {}
local radii = {}
state.pressure = {} -- of bins of the ground, summed

-- lets a grain go just above the top of the pile; neighbouring grains fall in different lanes
local function drop()
    local lane = (state.made * 4) % lanes - (lanes - 1) / 2
    local radius = r * (0.7 + 0.6 * math.random())
    local x = lane * 3.7 * r + r * 0.5 * (2 * math.random() - 1)
    local b = body { shape = disc { radius = radius }, density = density, group = "grain",
                     position = { x, state.top + 10 * r }, velocity = {0, -speed} }
    grains[#grains + 1] = b
    radii[#grains] = radius
    state.made = state.made + 1
    state.weight = state.weight + density * math.pi * radius ^ 2 * g
end

-- the top of what lies in the lanes: grains made a while ago have landed; it never sinks, so that no grain is let go into
-- one that still falls
local function find_top()
    for i = 1, #grains - 2 * lanes do
        local p = grains[i].position
        if math.abs(p[1]) < 2 * lanes * r then state.top = math.max(state.top, p[2] + r) end
    end
end

-- adds the pressure that the last step's contacts put on the ground
local function press()
    for c in contacts() do
        local first, second = c.body1.group == "ground", c.body2.group == "ground"
        if first or second then
            local down = (c.normal[2] * c.impulse.n + c.normal[1] * c.impulse.t) / h * (first and -1 or 1)
            local k = math.floor(c.point[1] / bin)
            state.pressure[k] = (state.pressure[k] or 0) + down / bin
        end
    end
    state.presses = (state.presses or 0) + 1
end

on_step(function(t)
    while state.made < n and t >= state.made * every do
        if state.made % 10 == 0 then find_top() end
        drop()
    end
    -- force of the ground, averaged over the last second: what the solver's tolerance leaves in one step cancels
    if t > n * every + relax - 1 then
        state.force, state.steps = (state.force or 0) - ground.force[2] - catch.force[2], (state.steps or 0) + 1
        if state.steps % 10 == 0 then press() end
    end
end)
observe("grains", function() return state.made end)

-- half width at the ground and height: the slope of the triangle of the same area and centre of mass
local function shape_of_pile()
    local m, y = 0, 0
    for _, b in ipairs(grains) do
        m, y = m + 1, y + b.position[2]
    end
    return 3 * y / m
end

-- resultant across the vertical cut at x of the outer grains upon the inner ones, and the height of its line of action
local function across(x)
    local side = x < 0 and -1 or 1
    local fx, fy, moment = 0, 0, 0
    for c in contacts() do
        local a, b = c.body1.position, c.body2.position
        local outer1, outer2 = (a[1] - x) * side > 0, (b[1] - x) * side > 0
        if outer1 ~= outer2 and c.body1.group ~= "ground" and c.body2.group ~= "ground" then
            local sign = (outer1 and -1 or 1) / h -- the impulse is upon body 1
            local px = sign * (c.normal[1] * c.impulse.n - c.normal[2] * c.impulse.t)
            local py = sign * (c.normal[2] * c.impulse.n + c.normal[1] * c.impulse.t)
            fx, fy = fx + px, fy + py
            moment = moment + (c.point[1] - x) * py - c.point[2] * px
        end
    end
    return { fx, fy }, -moment / fx
end

-- the pile with its two cuts and what crosses them; pressure on the ground
local function draw(half, cuts)
    local x, y, scale = {}, {}, 0
    for i, b in ipairs(grains) do x[i], y[i] = b.position[1], b.position[2] end
    local arrows, lines = { name = "outer part upon inner", x = {}, y = {}, dx = {}, dy = {}, style = "arrows" }, { name = "cuts", x = {}, y = {} }
    for _, c in ipairs(cuts) do scale = math.max(scale, math.abs(c.force[1]), math.abs(c.force[2])) end
    for k, c in ipairs(cuts) do
        arrows.x[k], arrows.y[k] = c.x, c.y
        arrows.dx[k], arrows.dy[k] = 0.3 * half * c.force[1] / scale, 0.3 * half * c.force[2] / scale
        for i, v in ipairs { 0, 0.35 * half, 0 / 0 } do
            table.insert(lines.x, c.x)
            table.insert(lines.y, v)
        end
    end
    plot { title = "pile with two cuts and the resultants across them", x = "x (m)", y = "y (m)", equal = true,
           curves = { arrows, lines, { name = "grains", x = x, y = y, size = radii, style = "discs" } } }
    local at, p = {}, {}
    for k = math.floor(-half_width / bin), math.floor(half_width / bin) do
        at[#at + 1], p[#p + 1] = (k + 0.5) * bin, (state.pressure[k] or 0) / math.max(1, state.presses or 0)
    end
    plot { title = "pressure on the ground", x = "x (m)", y = "Pa", curves = { { x = at, y = p, style = "both" } } }
    report("pressure_at", at)
    report("pressure", p)
end

at_end(function()
    if not state.steps then
        report("unfinished", "ended before the last second of the relaxation: nothing to measure")
        return
    end
    local force = state.force / state.steps
    local height = shape_of_pile()
    local half = area / height
    local cuts = {}
    for k, x in ipairs { -0.4 * half, 0.4 * half } do
        cuts[k] = { x = x }
        cuts[k].force, cuts[k].y = across(x)
    end
    local left, right = cuts[1].force, cuts[2].force
    draw(half, cuts)
    report("half_width", half)
    report("height", height)
    report("weight", state.weight)
    report("ground_force", force)
    report("slope_degrees", math.deg(math.atan(height, half)))
    -- the part between the cuts is heavier than what the ground bears of it by this share
    local inner = 0
    for i, b in ipairs(grains) do
        if math.abs(b.position[1]) < 0.4 * half then inner = inner + density * math.pi * radii[i] ^ 2 * g end
    end
    report("held_by_the_sides", (cuts[1].force[2] + cuts[2].force[2]) / inner)
    report("cut_left", left)
    report("cut_right", right)
    report("coordination", measure.coordination())
    check("ground carries the weight", math.abs(force / state.weight - 1) < 1e-3, "off by " .. force / state.weight - 1)
    local slope = math.deg(math.atan(height, half))
    check("slope", slope > 10 and slope < 35, slope .. " degrees")
    -- each side pushes the middle inwards
    check("thrust", left[1] > 0 and right[1] < 0 and math.abs(left[1] + right[1]) < 0.5 * (left[1] - right[1]))
end)
