-- How fast does a layer of grains run down a rough slope?  So fast that its friction mu(I) equals the slope's tangent.
--
-- Two layers of discs, each on its own slope of fixed discs and periodic along it, are let go with the same weight but different
-- inclinations: x points down the slope, and each grain is pulled by m g (sin a, -cos a).  In steady flow the balance of
-- momentum gives shear over normal stress = tan a at every depth.  When friction depends on the inertial number I = (du/dy) d /
-- sqrt(P/rho) alone (GDR MiDi, Eur. Phys. J. E 14, 341, 2004), I is then the same at every depth as well, and with P = phi rho g
-- cos a (H - y) the velocity is Bagnold's, u = 2/3 I sqrt(phi g cos a) (H^(3/2) - (H - y)^(3/2)) / d.  Thick layers of spheres
-- and discs flow like this between the angle where they stop and one where they accelerate (Silbert, Landry and Grest, Phys.
-- Fluids 15, 1, 2003; Staron, Phys. Rev. E 77, 051304, 2008, by contact dynamics in the plane).  Sheared discs with friction 0.4
-- gave mu = 0.25 + 1.1 I and a solid fraction of 0.81 - 0.3 I (da Cruz and others, Phys. Rev. E 72, 021309, 2005; these four
-- numbers are quoted from memory).
-- Expect: both flow steadily (shear over normal force on the ground within 10 % of tan a) and the ground bears weight and pull
-- exactly when the momentum gained is counted; the exponent of the velocity profile, 3/2 for Bagnold's, is between that of a
-- constant shear rate, 1, and that of a viscous liquid, 2, on average over both; the steeper flow is faster; mu(I) within 0.05
-- of da Cruz's line and solid fractions within 0.04, as discs of other sizes and restitutions scatter about them.  Thin layers
-- on gentle slopes, near the angle where they stop, have a constant shear rate (Silbert and others).
-- Picture: moreau export inclined-plane.h5 --to png --what plots

local across = param("length", 16, "of the slopes between their periodic ends, in mean diameters")
local deep = param("depth", 16, "of the layers, about, in mean diameters")
local angles = { param("gentle", 19, "inclination of one slope, degrees"), param("steep", 22, "and of the other") }
local mu = param("friction", 0.4, "between discs")
local start = param("start", 2, "time until measuring begins, s")
local lasts = param("lasts", 4, "time of measuring, s")
local d, density, g, h = 0.01, 2600, 9.81, param("h", 1e-3, "time step, s")
local length, apart = across * d, 3 * deep * d

world { dim = 2, h = h, t_end = start + lasts, periodic = { x = {0, length} }, solver = { tol = param("tol", 3e-4, "of the solver") },
        position_projection = true, record = { every = 0.05 } }
law { friction = mu }

-- a rough slope at the height y and the grains on it, in loose rows
local function layer(angle, y)
    local s = { a = math.rad(angle), y = y, grains = {}, mass = 0, area = 0, ground = {} }
    s.pull = { g * math.sin(s.a), -g * math.cos(s.a) }
    for i = 1, across do
        s.ground[i] = body { shape = disc { radius = d / 2 }, position = { (i - 0.5) * d, y - d / 2 }, fixed = true, group = "ground" }
    end
    local I = math.max(0, math.tan(s.a) - 0.25) / 1.1
    local pitch = 1.2 * d
    local columns = math.floor(length / pitch)
    local H = 0.95 * deep * d
    for j = 1, math.floor(length * deep * d * 0.8 / (math.pi / 4 * d * d) / columns + 0.5) do
        for i = 1, columns do
            local radius = 0.5 * d * (0.8 + 0.4 * math.random())
            local z = pitch * (j - 0.5)
            -- near the velocity to come, so that it is there soon
            local u = 2 / 3 * I * math.sqrt(0.8 * g * math.cos(s.a)) * (H ^ 1.5 - math.max(0, H - 0.85 * z) ^ 1.5) / d
            local b = body { shape = disc { radius = radius }, density = density, group = "grain", velocity = {u, 0},
                             position = { length / columns * (i - 0.5 + 0.05 * math.random()), y + z } }
            b.applied_force = { b.mass * s.pull[1], b.mass * s.pull[2] }
            s.mass, s.area = s.mass + b.mass, s.area + b.mass / density
            table.insert(s.grains, b)
        end
    end
    return s
end
local layers = { layer(angles[1], 0), layer(angles[2], apart) }

-- mean velocity down the slope and across it
local function momentum(s)
    local x, y = 0, 0
    for _, b in ipairs(s.grains) do x, y = x + b.mass * b.velocity[1], y + b.mass * b.velocity[2] end
    return x, y
end

-- sums over time of mass and momentum of slices one diameter thick; of the forces on the ground, in every step
local slices = 2 * deep
state.sums, state.steps, state.samples = {}, 0, 0
for k = 1, 2 do
    state.sums[k] = { mass = {}, flow = {}, push = 0, drag = 0 }
    for i = 1, slices do state.sums[k].mass[i], state.sums[k].flow[i] = 0, 0 end
end
local function slice(k, s)
    local sum = state.sums[k]
    for _, b in ipairs(s.grains) do
        local i = math.floor((b.position[2] - s.y) / d) + 1
        if i >= 1 and i <= slices then
            sum.mass[i] = sum.mass[i] + b.mass
            sum.flow[i] = sum.flow[i] + b.mass * b.velocity[1]
        end
    end
end
stop_when(function(t)
    if t <= start + h / 2 then
        for k, s in ipairs(layers) do state.sums[k].begin = { momentum(s) } end
        return false
    end
    state.steps = state.steps + 1
    if state.steps % 10 == 0 then state.samples = state.samples + 1 end
    for k, s in ipairs(layers) do
        for _, b in ipairs(s.ground) do
            local f = b.force
            state.sums[k].drag, state.sums[k].push = state.sums[k].drag + f[1], state.sums[k].push - f[2]
        end
        if state.steps % 10 == 0 then slice(k, s) end
    end
    return false
end)
for k, name in ipairs { "velocity gentle", "velocity steep" } do
    observe(name, function() return (momentum(layers[k])) / layers[k].mass end)
end

-- profile of a layer: heights, velocities, solid fractions of slices that are full half of the time
local function profile(k)
    local y, u, phi, sum = {}, {}, {}, state.sums[k]
    for i = 1, slices do
        local fraction = sum.mass[i] / (density * length * d * state.samples)
        if fraction > 0.4 then
            y[#y + 1], u[#u + 1], phi[#phi + 1] = (i - 0.5) * d, sum.flow[i] / sum.mass[i], fraction
        end
    end
    return y, u, phi
end
-- least squares of u = a + b f(y) over slices from..to: a, b, and what is left
local function fit(y, u, f, from, to)
    local n, sx, sy, sxx, sxy, left = to - from + 1, 0, 0, 0, 0, 0
    for i = from, to do
        local x = f(y[i])
        sx, sy, sxx, sxy = sx + x, sy + u[i], sxx + x * x, sxy + x * u[i]
    end
    local b = (n * sxy - sx * sy) / (n * sxx - sx * sx)
    local a = (sy - b * sx) / n
    for i = from, to do left = left + (u[i] - a - b * f(y[i])) ^ 2 end
    return a, b, left
end

local function results(k, s, name)
    local y, u, phi = profile(k)
    local sum, n = state.sums[k], #y
    local fraction = 0
    for i = 3, n - 2 do fraction = fraction + phi[i] / (n - 4) end
    local H = s.area / (length * fraction)
    -- without the slices at the ground and at the surface
    local exponent, best = 0, math.huge
    for p = 0.5, 3, 0.01 do
        local _, _, left = fit(y, u, function(z) return -math.max(0, H - z) ^ p end, 2, n - 1)
        if left < best then exponent, best = p, left end
    end
    local a, b = fit(y, u, function(z) return H ^ 1.5 - math.max(0, H - z) ^ 1.5 end, 2, n - 1)
    local I = 1.5 * b * d / math.sqrt(fraction * g * math.cos(s.a))
    local x, z = momentum(s)
    local T = state.steps * h
    local drag, push = sum.drag / state.steps, sum.push / state.steps
    report("H over d" .. name, H / d)
    report("stress ratio" .. name, drag / push)
    report("tan" .. name, math.tan(s.a))
    report("exponent" .. name, exponent)
    report("I" .. name, I)
    report("solid fraction" .. name, fraction)
    report("mean velocity" .. name, x / s.mass)
    check("steady" .. name, math.abs(drag / push / math.tan(s.a) - 1) < 0.1, drag / push .. " and " .. math.tan(s.a))
    local off = math.abs(drag + (x - sum.begin[1]) / T - s.mass * s.pull[1]) + math.abs(push - (z - sum.begin[2]) / T + s.mass * s.pull[2])
    check("momentum" .. name, off < 1e-6 * s.mass * g, "off by " .. off / (s.mass * g) .. " of the weight")
    check("mu(I)" .. name, math.abs(0.25 + 1.1 * I - math.tan(s.a)) < 0.05, "I = " .. I)
    check("solid fraction" .. name, math.abs(fraction - 0.81 + 0.3 * I) < 0.04, tostring(fraction))
    local law = {}
    for i = 1, n do law[i] = a + b * (H ^ 1.5 - math.max(0, H - y[i]) ^ 1.5) end
    local over = {}
    for i = 1, n do over[i] = y[i] / d end
    return { { name = angles[k] .. "°", x = over, y = u, style = "points" }, { name = "Bagnold", x = over, y = law, style = "dashed" } }, x / s.mass, I, exponent
end

at_end(function()
    check("long enough", state.samples > 0, "it ended before anything was measured")
    if state.samples == 0 then return end
    local gentle, slow, I1, p1 = results(1, layers[1], " gentle")
    local steep, fast, I2, p2 = results(2, layers[2], " steep")
    local exponent = (p1 + p2) / 2
    check("Bagnold", exponent > 1 and exponent < 2, "exponents " .. p1 .. " and " .. p2)
    check("steeper is faster", fast > slow and I2 > I1)
    plot { title = "velocity against height", x = "height above the ground / d", y = "u (m/s)", curves = { gentle[1], gentle[2], steep[1], steep[2] } }
    plot { title = "friction and inertial number", x = "I", y = "mu", curves = {
        { name = "computed", x = { I1, I2 }, y = { math.tan(layers[1].a), math.tan(layers[2].a) }, style = "points" },
        { name = "0.25 + 1.1 I", x = { 0, 0.2 }, y = { 0.25, 0.47 }, style = "dashed" } } }
end)
