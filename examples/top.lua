-- A plate thrown with a spin about its middle axis turns over, again and again (Dzhanibekov, the tennis racket).
--
-- No forces act: energy and the vector of angular momentum stay.  The spin along the principal axes is periodic, with the
-- period that Jacobi's elliptic functions give (Landau and Lifshitz, Mechanics §37), and the part along the middle axis changes
-- its sign twice in each.  A spin about the first or the third axis is stable: a second plate shows it.
-- Expect: half periods between flips right to 1e-8, energy and momentum kept to 1e-12.

local rate = param("rate", 8, "spin about the middle axis, rad/s")
local tilt = param("tilt", 1e-3, "spins about the other axes over that, > 0")
local flips = param("flips", 6, "how many times it turns over")
local step = param("h", 1e-3, "time step, s")

local size, density = { 0.30, 0.20, 0.02 }, 700
local mass = density * size[1] * size[2] * size[3]
-- ascending: I[1] about x, I[2] about y, I[3] about z
local I = { mass * (size[2] ^ 2 + size[3] ^ 2) / 12, mass * (size[1] ^ 2 + size[3] ^ 2) / 12, mass * (size[1] ^ 2 + size[2] ^ 2) / 12 }
local w = { tilt * rate, rate, 2 * tilt * rate }

-- complete elliptic integral of the first kind with the parameter m = k², by the arithmetic-geometric mean
local function elliptic_K(m)
    local a, b = 1, math.sqrt(1 - m)
    for _ = 1, 40 do a, b = 0.5 * (a + b), math.sqrt(a * b) end
    return math.pi / (2 * a)
end

-- of the spin; the axes change places where L² < 2 E I[2]
local function period()
    local E2, L2 = 0, 0
    for k = 1, 3 do
        E2 = E2 + I[k] * w[k] ^ 2
        L2 = L2 + (I[k] * w[k]) ^ 2
    end
    local first, third = I[1], I[3]
    if L2 < E2 * I[2] then first, third = third, first end
    local product = (third - I[2]) * (L2 - E2 * first)
    local m = (I[2] - first) * (E2 * third - L2) / product
    return 4 * elliptic_K(m) * math.sqrt(I[1] * I[2] * I[3] / product)
end

local T = period()
world { dim = 3, h = step, t_end = (0.5 * flips + 0.5) * T, record = { every = 0.02 } }
-- turned somehow: the laws do not care
local start = { 0.8, 0.1, -0.3, math.sqrt(1 - 0.64 - 0.01 - 0.09) }

-- v turned by the unit quaternion q, or back
local function turn(q, v, back)
    local sign = back and -1 or 1
    local qw, x, y, z = q[1], sign * q[2], sign * q[3], sign * q[4]
    local cx, cy, cz = 2 * (y * v[3] - z * v[2]), 2 * (z * v[1] - x * v[3]), 2 * (x * v[2] - y * v[1])
    return { v[1] + qw * cx + y * cz - z * cy, v[2] + qw * cy + z * cx - x * cz, v[3] + qw * cz + x * cy - y * cx }
end

local plate = body { shape = box(size), density = density, name = "plate", orientation = start, spin = turn(start, w) }
local steady = body { shape = box(size), density = density, name = "steady", position = {1, 0, 0}, orientation = start,
                      spin = turn(start, { 2 * tilt * rate, tilt * rate, rate }) }

local function own_spin(b) return turn(b.orientation, b.spin, true) end
local function momentum(b)
    local v = own_spin(b)
    return turn(b.orientation, { I[1] * v[1], I[2] * v[2], I[3] * v[3] })
end
local function length(v) return math.sqrt(v[1] ^ 2 + v[2] ^ 2 + v[3] ^ 2) end

observe("spin1", function() return own_spin(plate)[1] end)
observe("spin2", function() return own_spin(plate)[2] end)
observe("spin3", function() return own_spin(plate)[3] end)

local E0, L0 = measure.kinetic_energy(), momentum(plate)
state.last, state.flips, state.energy, state.momentum, state.wobble = rate, {}, 0, 0, 0

stop_when(function(t)
    local v, L = own_spin(plate), momentum(plate)
    -- the spin is odd about a zero: a straight line between steps finds it to h³
    if v[2] * state.last < 0 then
        state.flips[#state.flips + 1] = t - step * v[2] / (v[2] - state.last)
    end
    state.last = v[2]
    state.energy = math.max(state.energy, math.abs(measure.kinetic_energy() / E0 - 1))
    state.momentum = math.max(state.momentum, length({ L[1] - L0[1], L[2] - L0[2], L[3] - L0[3] }) / length(L0))
    local s = own_spin(steady)
    state.wobble = math.max(state.wobble, math.sqrt(s[1] ^ 2 + s[2] ^ 2) / rate)
    return #state.flips > flips
end)

at_end(function()
    local count, worst = #state.flips, 0
    for k = 2, count do
        worst = math.max(worst, math.abs((state.flips[k] - state.flips[k - 1]) / (0.5 * T) - 1))
    end
    report("half_period_expected", 0.5 * T)
    report("half_period", count > 1 and (state.flips[count] - state.flips[1]) / (count - 1) or 0)
    report("error", worst)
    report("flips", state.flips)
    report("energy_error", state.energy)
    report("momentum_error", state.momentum)
    report("wobble_of_the_steady_one", state.wobble)
    check("flips", count >= flips, "turned over " .. count .. " times, expected " .. flips)
    check("period", worst < 1e-8, "half periods off by " .. worst)
    check("energy", state.energy < 1e-12, "energy off by " .. state.energy)
    check("momentum", state.momentum < 1e-12, "momentum off by " .. state.momentum)
    check("stable", state.wobble < 5 * tilt, "the spin about the third axis wobbles by " .. state.wobble)
end)
