-- Biaxial test of 1024 discs (MJ96 Figs. 3 to 7).
--
-- Discs at random are pressed together by four walls, 100 kPa on all sides, without friction until the sample rests; then
-- friction is switched on and the sample rests again. That is the initial configuration. Now the vertical walls move in with
-- 5 cm/s each, while the horizontal ones keep their constant forces; there is no gravity. The deformation is the share by which
-- the width has shrunk. The paper shows 2.625 % to 5.250 %; the run may go on (strain=15).
-- Known from the paper: 1024 discs at random, 100 kPa, 5 cm/s, no gravity, the two episodes. Not known, and chosen here: sizes
-- (radii 3.5 to 6.5 mm, equal shares of area), density 2600 kg/m2, friction 0.5 between discs and none at walls, how the
-- sample was made, time step and tolerance.
-- Expect: energy balanced to 1e-6 of the work done; sigma1/sigma2 rises to a peak and falls; the sample dilates; episodes in
-- which zones move as blocks. Numbers in docs/figures/biaxial.md.
-- Picture: moreau export biaxial.h5 --to png --what plots

local side = param("side", 32, "discs along each side")
local mu = param("friction", 0.5, "between discs, once the sample is made")
local last = param("strain", 5.25, "of the width at the end, per cent")
local h = param("h", 1e-4, "time step, s")
local tol = param("tol", 1e-4, "of the solver")
local solver = param("solver", "nlgs", "sweeps; \"auto\" reaches tolerances below 1e-4 where they crawl")
local window = param("window", 2e-3, "s, over which contacts are said to slide or not")
local near = param("near", 0.9, "share of the limit of friction from which they slide")
local small, large, density, pressure, speed = 0.0035, 0.0065, 2600, 1e5, 0.05
-- s: from a thousandth of the pressure to all of it; at rest without friction; with it
local ramp, pressed, sheared = 0.15, 0.21, 0.24
local episodes = { { 2.625, 3.280 }, { 4.595, 5.250 } } -- per cent

-- a wide box in which the discs fill three quarters, as many small ones as large ones by area: 1/r is uniform
local width = side * math.sqrt(math.pi * small * large / 0.75)
local seconds = sheared + 0.005 + 1.01 * last / 100 * width / (2 * speed)
world { dim = 2, h = h, t_end = seconds, solver = { name = solver, tol = tol, max_iter = 20000 }, contact_tolerance = 1e-7,
        overlaps = "resolve", record = { every = 0.02, series = 1e-3 } }
law { friction = 0 }
local discs, area = {}, 0
for k = 1, side * side do
    local r = 1 / (1 / small + math.random() * (1 / large - 1 / small))
    local function within() return large + math.random() * (width - 2 * large) end
    discs[k] = body { shape = disc { radius = r }, density = density, group = "disc", position = { within(), within() } }
    area = area + math.pi * r * r
end

-- left, right, bottom, top
local far, thick = 1.3 * width, 0.05 * width
local places = { { 1, -1, 0 }, { 1, 1, width }, { 2, -1, 0 }, { 2, 1, width } } -- axis, outward, inner face
local function wall(k, at, given)
    local axis, out, middle = places[k][1], places[k][2], { width / 2, width / 2 }
    middle[axis] = at + out * thick / 2
    local keys = { shape = axis == 1 and rectangle { thick, far } or rectangle { far, thick }, position = middle, group = "wall",
                   collides_with = { "disc" } }
    for key, value in pairs(given) do keys[key] = value end
    return body(keys)
end
for k, place in ipairs(places) do
    _G["wall" .. k] = wall(k, place[3], { mass = 0.2 * density * area, free = { place[1] == 1 and "x" or "y" }, name = "wall" .. k })
end
local function face(k) return _G["wall" .. k].position[places[k][1]] - places[k][2] * thick / 2 end
local function size() return face(2) - face(1), face(4) - face(3) end
local function press(p)
    local w, t = size()
    wall1.applied_force, wall2.applied_force = { p * t, 0 }, { -p * t, 0 }
    wall3.applied_force, wall4.applied_force = { 0, p * w }, { 0, -p * w }
end

-- ---- the test ------------------------------------------------------------------------------------------------------------------
-- from here on the vertical walls move as they are told and the forces on the others are constant
local function begin_shear(t)
    local w, tall = size()
    state.width, state.height, state.start = w, tall, t
    state.work, state.lost = measure.energy().work_external, measure.energy().dissipated_friction
    state.void = w * tall / area - 1
    press(pressure)
    for k = 1, 2 do
        local from, out = face(k), places[k][2]
        remove(_G["wall" .. k])
        _G["wall" .. k] = wall(k, from, { motion = function(s)
            -- up to speed within 5 ms, so that the sample is not struck
            local way = s - t < 0.005 and (s - t) ^ 2 / 0.01 or s - t - 0.0025
            return { x = from + out * (thick / 2 - speed * way) }
        end })
    end
end
local function strain() return state.width and 100 * (1 - (face(2) - face(1)) / state.width) or 0 end

-- averages over bins of the strain: stress ratio, void ratio, loss by friction over pressure times area, share of sliding contacts
local bins = math.max(0.025, last / 200)
local names = { "strain", "ratio", "void", "loss", "sliding" }
state.sum, state.count, state.curve, state.steps = {}, 0, {}, 0
for k, name in ipairs(names) do state.sum[k], state.curve[name] = 0, {} end
local function add(values)
    for k = 1, #names do state.sum[k] = state.sum[k] + values[k] end
    state.count = state.count + 1
end
local function close_bin()
    if state.count == 0 then return end
    for k, name in ipairs(names) do
        table.insert(state.curve[name], state.sum[k] / state.count)
        state.sum[k] = 0
    end
    state.count = 0
end
-- share that slides of the contacts between discs that bear a force; those with the walls, without friction, all do and do not count
local function sliding()
    local slides, all = 0, 0
    for c in contacts() do
        if c.impulse.n > 0 and c.body1.group == "disc" and c.body2.group == "disc" then
            all = all + 1
            if c.status == "slide" then slides = slides + 1 end
        end
    end
    return slides / math.max(1, all)
end
-- An instant says which contacts are at the limit of friction; how many are depends on the time step, as what trembles comes
-- there for a moment of any shortness. Over windows of one length, of what passed through a contact in all: the share of
-- contacts to which friction gave nearly its limit one way, the share of the normal impulse that went through these, and what
-- friction gave of its limit in all contacts (docs/theory/measures.md).
local shares = { "sliding_in_windows", "impulse_sliding_in_windows", "friction_mobilised" }
state.impulses, state.windows, state.counted, state.shares = {}, 0, 0, { 0, 0, 0 }
local function close_window()
    local slide, all, through, normal, held, limit = 0, 0, 0, 0, 0, 0
    for _, s in pairs(state.impulses) do
        if s.body1.group == "disc" and s.body2.group == "disc" then
            local way = math.sqrt(s.tangential[1] ^ 2 + s.tangential[2] ^ 2)
            all, normal, held, limit = all + 1, normal + s.normal, held + way, limit + s.limit
            if way >= near * s.limit then slide, through = slide + 1, through + s.normal end
        end
    end
    if strain() >= 0.5 and all > 0 then
        local now = { slide / all, through / normal, held / limit }
        for k = 1, #now do state.shares[k] = state.shares[k] + now[k] end
        state.counted = state.counted + 1
    end
    state.impulses, state.windows = {}, state.windows + 1
end
local function watch(t)
    measure.add_contacts(state.impulses)
    if t - state.start >= (state.windows + 1) * window - h / 2 then close_window() end
    if state.steps % 10 == 0 then state.sliding = sliding() end
    state.steps = state.steps + 1
    local w, tall = size()
    local e = strain()
    local s1 = (wall2.force[1] - wall1.force[1]) / (2 * tall)
    local s2 = (wall4.force[2] - wall3.force[2]) / (2 * w)
    if e >= bins * (#state.curve.strain + 1) then close_bin() end
    state.ratio = s2 > 0 and s1 / s2 or 0
    add { e, state.ratio, w * tall / area - 1, (measure.energy().dissipated_friction - state.lost) / (pressure * state.width * state.height),
          state.sliding }
end

-- positions at the ends of episodes; more of them than the paper's show what lies between
state.kept = {}
local function keep(e)
    for k, episode in ipairs(episodes) do
        for j = 1, 2 do
            local key = 2 * k + j
            if state.kept[key] == nil and e >= episode[j] - 1e-3 then
                local x, y = {}, {}
                for i, b in ipairs(discs) do x[i], y[i] = b.position[1], b.position[2] end
                state.kept[key] = { x, y }
            end
        end
    end
end

on_step(function(t)
    if t < pressed then press(pressure * math.min(1, 0.001 * 1000 ^ (t / ramp))) end
    if state.friction == nil and t >= pressed then
        law { friction = mu }
        law { between = { "disc", "wall" }, friction = 0 }
        state.friction = true
    end
    if state.width == nil and t >= sheared then
        report("kinetic_before", measure.kinetic_energy())
        begin_shear(t)
    end
end)
stop_when(function(t)
    if state.width == nil then return false end
    watch(t)
    keep(strain())
    return strain() >= last
end)
observe("strain_percent", strain)
observe("stress_ratio", function() return state.ratio or 0 end)

-- ---- results ---------------------------------------------------------------------------------------------------------------------
local magnify = 10
local function field(k)
    local a, b, dx, dy = state.kept[2 * k + 1], state.kept[2 * k + 2], {}, {}
    if not (a and b) then return end
    for i = 1, #discs do dx[i], dy[i] = magnify * (b[1][i] - a[1][i]), magnify * (b[2][i] - a[2][i]) end
    plot { title = string.format("displacements (%d times), deformation from %.3f to %.3f %%", magnify, table.unpack(episodes[k])),
           x = "x (m)", y = "y (m)", equal = true,
           curves = { { x = a[1], y = a[2], dx = dx, dy = dy, style = "arrows" } } }
end
-- means over twentieths of the deformation: the curves in few enough numbers to compare them from run to run
local function in_twentieths(list)
    local sum, count = {}, {}
    for k = 1, 20 do sum[k], count[k] = 0, 0 end
    for i, e in ipairs(state.curve.strain) do
        local k = math.min(20, 1 + math.floor(20 * e / last))
        sum[k], count[k] = sum[k] + list[i], count[k] + 1
    end
    for k = 1, 20 do sum[k] = sum[k] / math.max(1, count[k]) end
    return sum
end
local function largest(list) return math.max(table.unpack(list)) end
local function mean_from(list, from)
    local s, n = 0, 0
    for i, e in ipairs(state.curve.strain) do
        if e >= from then s, n = s + list[i], n + 1 end
    end
    return s / n
end

at_end(function()
    check("sheared", state.width ~= nil and strain() > 0.999 * last, "only " .. strain() .. " %")
    if state.width == nil then return end
    close_bin()
    local c, e = state.curve, measure.energy()
    for k = 1, 2 do field(k) end
    local titles = { ratio = "σ₁/σ₂", void = "void ratio", loss = "friction loss / (σ₂ × area × strain)",
                     sliding = "sliding / all contacts of discs" }
    local total = c.loss[#c.loss]
    for i = #c.loss, 1, -1 do -- what friction took in a bin, over the strain of the bin
        c.loss[i] = (c.loss[i] - (c.loss[i - 1] or 0)) / (c.strain[i] - (c.strain[i - 1] or 0)) * 100
    end
    for k = 2, 5 do
        plot { x = "deformation (%)", y = titles[names[k]], curves = { { x = c.strain, y = c[names[k]] } } }
    end
    for k = 2, 5 do report("curve_" .. names[k], in_twentieths(c[names[k]])) end
    local peak = largest(c.ratio)
    report("peak", peak)
    for i, r in ipairs(c.ratio) do if r == peak then report("peak_strain", c.strain[i]) end end
    report("residual", mean_from(c.ratio, 2 / 3 * last)) -- the last third
    report("void_initial", state.void)
    report("void_final", c.void[#c.void])
    report("sliding_between_discs", mean_from(c.sliding, 0.5))
    for k, name in ipairs(shares) do report(name, state.shares[k] / state.counted) end
    report("loss_final", total)
    local work = e.work_external
    report("work_in_shear", work - state.work)
    report("friction_over_work", (e.dissipated_friction - state.lost) / (work - state.work))
    report("balance_over_work", e.balance_error / (work - state.work))
    report("penetration_over_radius", measure.max_penetration() / small)
    report("coordination", measure.coordination())
    check("balance", math.abs(e.balance_error) < 1e-6 * (work - state.work), e.balance_error .. " J")
    check("stronger than at rest", peak > 1.3, "peak " .. peak)
    check("pressure", math.abs(c.ratio[1]) > 0.5, "the sample was not pressed")
end)
