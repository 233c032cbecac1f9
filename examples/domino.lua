-- A row of dominoes topples, and the speed of the wave is that of a model with one freedom.
--
-- Where dominoes do not slip on the ground, slide on each other without friction and hit without rebound, all that have been hit
-- lean on one another and move as one: every angle follows from that of the foremost (H sin(a - b) = (s + d) cos b - d for
-- the angle b of the one in front), energy is kept between hits, and a hit shares out angular momentum
-- (Shaw 1978; van Leeuwen, The domino effect, Am. J. Phys. 78 (2010) 721).  `model` integrates that; the world knows
-- boxes, contacts and Coulomb's law only.
-- Expect: every hit at the time of the model to 1 %, wave speed of the last third right to 1 %.

local count = param("dominoes", 16, "number of dominoes")
local H = param("height", 0.05, "m")
local d, depth, s = 0.2 * H, 0.5 * H, 0.3 * H -- thickness, along the row's width, free distance
local g, density, push = 9.81, 1000, 1     -- push: spin of the first, in units of sqrt(g / H)
local tau = math.sqrt(H / g)

-- ---- the model -----------------------------------------------------------------------------------------------------

-- spins of the n leaning dominoes over that of the foremost, squared and summed, and their potential energy over m
local function chain(n, angle)
    local a, w, sum, V = angle, 1, 0, 0
    for _ = 1, n do
        sum = sum + w * w
        V = V + 0.5 * g * (H * math.cos(a) + d * math.sin(a))
        local ahead = math.asin(((s + d) * math.cos(a) - d) / H)
        w = w * (1 - (s + d) * math.sin(a) / (H * math.cos(ahead)))
        a = a + ahead
    end
    return sum, V
end

-- times at which domino 2, 3, ... is hit
local function model(count)
    local J, last, pieces = (H * H + d * d) / 3, math.asin(s / H), 200
    local times, t, spin = {}, 0, push / tau
    for n = 1, count - 1 do
        local sum, V = chain(n, 0)
        local E, total = 0.5 * J * sum * spin * spin + V, 0
        for i = 0, pieces do -- Simpson
            sum, V = chain(n, last * i / pieces)
            spin = math.sqrt(2 * (E - V) / (J * sum))
            total = total + (i == 0 and 1 or i == pieces and 1 or i % 2 == 1 and 4 or 2) / spin
        end
        t = t + total * last / pieces / 3
        times[n + 1] = t
        spin = spin * sum / (sum + 1)
    end
    return times
end

-- ---- the world ------------------------------------------------------------------------------------------------------

local expected = model(count)
local h = 2e-3 * tau
world { dim = 3, h = h, t_end = 1.05 * expected[count], gravity = {0, 0, -g}, solver = { tol = 1e-8 },
        record = { every = 0.3 * tau } }
law { friction = 0 }
law { between = {"domino", "ground"}, friction = 5 }
body { shape = plane { normal = {0, 0, 1} }, fixed = true, group = "ground" }
local dominoes, shape = {}, box { d, depth, H }
for i = 1, count do
    dominoes[i] = body { shape = shape, density = density, group = "domino", name = "domino " .. i,
                         position = { (i - 1) * (s + d), 0, 0.5 * H } }
end
-- the first turns about its front edge
local spin = push / tau
dominoes[1].spin = {0, spin, 0}
dominoes[1].velocity = { 0.5 * H * spin, 0, 0.5 * d * spin }

state.hit = {}
state.front = 1
stop_when(function(t)
    while state.front < count and dominoes[state.front + 1].spin[2] > 0.02 / tau do
        state.front = state.front + 1
        state.hit[state.front] = t
    end
    return state.front == count
end)
observe("front", function() return (state.front - 1) * (s + d) end)

at_end(function()
    check("all fall", state.front == count, "the wave stopped at domino " .. state.front)
    if state.front < count then return end
    local worst, from = 0, count - count // 3
    local number, seen, told = {}, {}, {}
    for i = 2, count do
        worst = math.max(worst, math.abs(state.hit[i] / expected[i] - 1))
        number[i - 1], seen[i - 1], told[i - 1] = i, state.hit[i], expected[i]
    end
    local way = (count - from) * (s + d)
    local speed, modelled = way / (state.hit[count] - state.hit[from]), way / (expected[count] - expected[from])
    plot { title = "hits", x = "domino", y = "time (s)",
           curves = { { name = "model", x = number, y = told }, { name = "world", x = number, y = seen, style = "points" } } }
    report("speed", speed)
    report("speed_expected", modelled)
    report("speed_over_sqrt_gH", speed / math.sqrt(g * H))
    report("worst_time", worst)
    check("times", worst < 0.01, "a hit is off by " .. worst .. " of its time")
    check("speed", math.abs(speed / modelled - 1) < 0.01, speed .. " m/s, expected " .. modelled .. " m/s")
end)
