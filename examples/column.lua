-- A column of ten drums and a capital on shaken ground (Moreau & Jean 1996, Fig. 1).
--
-- The drums stand on each other without mortar.  The ground moves on an ellipse in an oblique plane, a number of whole turns with
-- a gentle beginning and end; after that it rests, and the column rocks on.  Drums rock, slide and turn, and end elsewhere than
-- where they were: Coulomb's law makes no promise where, and the slightest change gives other numbers.  The drift and the turn of
-- each drum are reported and plotted over its height.  What is known: the impulse of the ground is the momentum of the column
-- plus its weight times the time, and the column stands.  Drums are prisms of 8 sides; the paper's are round (sides=0), which cost
-- four times as much and roll and rock for longer.
-- Expect: drifts of millimetres or centimetres and turns of some degrees, capital 5.25 m above the ground, impulse right to 1e-9.

local turns = param("turns", 6, "turns of the ground")
local frequency = param("frequency", 2, "turns per second")
local push = param("acceleration", 0.3, "of the ground along the long axis of the ellipse, in units of g")
local sides = param("sides", 8, "of the drums; 0: round")
local rest = param("rest", 7, "seconds after the shaking")
local mu, g, density, radius, height, drums, step = 0.6, 9.81, 2500, 0.35, 0.5, 10, 2e-3
local w, T = 2 * math.pi * frequency, turns / frequency

world { dim = 3, h = step, t_end = T + rest, gravity = {0, 0, -g}, solver = { tol = 1e-6 },
        record = { every = 0.05 } }
law { friction = mu }
-- long axis horizontal at 30 degrees to x, short axis across it and leaning upwards by 45 degrees
local A = push * g / (w * w)
local u, v = { math.cos(math.pi / 6), math.sin(math.pi / 6), 0 }, { -0.5 * math.sqrt(0.5), math.sqrt(0.375), math.sqrt(0.5) }
local ground = body { shape = box { 6, 6, 0.5 }, name = "ground", group = "ground", motion = function(t)
    if t >= T then return { x = 0, y = 0, z = -0.25 } end
    local swell = math.sin(math.pi * t / T) ^ 2
    local a, b = A * swell * math.sin(w * t), 0.5 * A * swell * math.cos(w * t)
    return { x = a * u[1] + b * v[1], y = a * u[2] + b * v[2], z = a * u[3] + b * v[3] - 0.25 }
end }
local column = generate.column { drums = drums, sides = sides > 0 and sides or nil, radius = radius, height = height,
                                 density = density, name = "drum", capital = { radius = 0.5, height = 0.5 } }
local weight = 0
for _, b in ipairs(column) do weight = weight + b.mass * g end

local function drift(b)
    local p = b.position
    return math.sqrt(p[1] ^ 2 + p[2] ^ 2)
end
observe("capital x", function() return column.capital.position[1] - ground.position[1] end)
observe("capital y", function() return column.capital.position[2] - ground.position[2] end)

state.path = { {}, {} }
state.impulse = { 0, 0, 0 }
local function add_impulse()
    for k = 1, 3 do state.impulse[k] = state.impulse[k] - step * ground.force[k] end
end
on_step(function(t)
    -- relative to the ground
    if #state.path[1] < (t + step / 2) / 0.01 then
        local p, q = column.capital.position, ground.position
        for k = 1, 2 do table.insert(state.path[k], 1000 * (p[k] - q[k])) end
    end
    state.time = t
    if t > 0 then add_impulse() end
end)

at_end(function()
    local drifts, turned, heights, fallen = {}, {}, {}, 0
    for i, b in ipairs(column) do
        local q = b.orientation
        drifts[i], heights[i] = 1000 * drift(b), (i - 0.5) * height
        turned[i] = 2 * math.deg(math.atan(q[4], q[1]))
        fallen = math.max(fallen, heights[i] - b.position[3])
    end
    plot { title = "drift", x = "drift (mm)", y = "height (m)",
           curves = { { name = "drums", x = drifts, y = heights, style = "both" } } }
    plot { title = "turn about the axis", x = "turned (degrees)", y = "height (m)",
           curves = { { name = "drums", x = turned, y = heights, style = "both" } } }
    plot { title = "capital over the ground", x = "x (mm)", y = "y (mm)", equal = true,
           curves = { { name = "capital", x = state.path[1], y = state.path[2] } } }
    check("long enough", state.time ~= nil, "there was no step")
    if not state.time then return end
    -- of the last step too
    add_impulse()
    local lacking, time = { 0, 0, -weight * (state.time + step) }, state.time + step
    for k = 1, 3 do
        lacking[k] = lacking[k] + state.impulse[k]
        for _, b in ipairs(column) do lacking[k] = lacking[k] - b.mass * b.velocity[k] end
        lacking[k] = lacking[k] / (weight * time)
    end
    report("drift_mm", drifts)
    report("turned_degrees", turned)
    report("fallen", fallen)
    report("impulse_error", lacking)
    report("kinetic_energy", measure.kinetic_energy())
    check("stands", fallen < 0.01, "a drum is " .. fallen .. " m lower")
    check("moved", drifts[#drifts] > 0.1, "nothing happened")
    for k = 1, 3 do check("impulse", math.abs(lacking[k]) < 1e-9, "off by " .. lacking[k]) end
end)
