-- How fast does a silo run empty?  As fast as its opening allows, whatever the height of the filling (Hagen 1852, Beverloo 1961).
--
-- Four flat-bottomed silos with discs stand side by side; their openings are unlocked at once.  Near the opening grains fall as
-- if from an arch of its width D, with a velocity like sqrt(g D), and no grain's centre passes closer to an edge than half a
-- grain or so: in the plane the rate is W = C rho sqrt(g) (D - k d)^(3/2) (Beverloo, Leniger and van de Velde, Chem. Eng. Sci.
-- 15, 260, 1961, with the exponent d - 1/2 in d dimensions: Cheng and others, "Hopper flows of deformable particles", where k
-- grows up to about 3.5 for hard grains; k from 1 to 3 elsewhere).  Contact dynamics in the plane gave this as well (Staron,
-- Lagree and Popinet, Eur. Phys. J. E 37, 5, 2014).  The rate depends neither on the height, above 1.2 times the silo's width,
-- nor on its width, above 2.5 D (Mankoc and others, Granular Matter 9, 407, 2007): a liquid would flow as the root of its
-- height.
-- The first three silos differ by their openings, the fourth is as the second with three times the filling.  Rates are those
-- between a tenth and half of the (first silo's) filling.
-- Expect: W^(2/3) against D, through the narrowest and the widest opening, is a line that meets 0 at k d with k from 1 to 3.5;
-- the one between is on it but for three times the scatter of so many independent grains; with three times the filling the rate
-- is nearer to the same than to a liquid's, sqrt(3) times that (ratio between 0.76 and 1.32).  Seeds and sizes gave k from 1.3
-- to 2.4 and ratios from 1.02 to 1.22.
-- Picture: moreau export beverloo.h5 --to png --frame 40

local openings = { param("narrow", 6, "opening, in mean diameters"), param("middle", 8, "of two silos"), param("wide", 10, "opening") }
local width = param("width", 25, "of the silos, in mean diameters")
local filling = param("filling", 1.3, "height over width; the last silo has three times that")
local mu = param("friction", 0.5, "between discs and at walls")
local settle = param("settle", 0.5, "time until the openings are unlocked, s")
local longest = param("longest", 1.6, "time after that, s")
local h = param("h", 1e-3, "time step, s")
local d, density, g = 0.01, 2600, 9.81
local from, to = 0.1, 0.5 -- shares of the first filling between whose leaving the rate is measured
local L, pitch, thick = width * d, 1.22 * d, 2 * d

world { dim = 2, h = h, t_end = settle + longest, gravity = {0, -g}, solver = { tol = param("tol", 3e-4, "of the solver") },
        position_projection = true, record = { every = 0.02 } }
law { friction = mu }

local function silo(x, opening, fill)
    local s = { x = x, D = opening * d, grains = {}, mass = 0 }
    local columns, tall = math.floor(L / pitch), 1.75 * fill * L
    local function wall(x0, x1, y0, y1)
        return body { shape = rectangle { x1 - x0, y1 - y0 }, position = { (x0 + x1) / 2, (y0 + y1) / 2 }, fixed = true, group = "wall" }
    end
    wall(x - thick, x, 0, tall)
    wall(x + L, x + L + thick, 0, tall)
    wall(x - thick, x + (L - s.D) / 2, -thick, 0)
    wall(x + (L + s.D) / 2, x + L + thick, -thick, 0)
    s.lid = wall(x + (L - s.D) / 2 + 1e-4, x + (L + s.D) / 2 - 1e-4, -thick, 0)
    -- loose rows that settle to the filling at a solid fraction of 0.82
    for j = 1, math.floor(fill * L * L * 0.82 / (math.pi / 4 * d * d) / columns + 0.5) do
        for i = 1, columns do
            local radius = 0.5 * d * (0.8 + 0.4 * math.random())
            local b = body { shape = disc { radius = radius }, density = density, group = "grain",
                             position = { x + L / columns * (i - 0.5) + 0.02 * d * (math.random() - 0.5), pitch * (j - 0.5) } }
            s.mass = s.mass + b.mass
            table.insert(s.grains, b)
        end
    end
    return s
end
local silos = {}
for k = 1, 4 do silos[k] = silo((k - 1) * (L + 3 * thick), openings[k] or openings[2], k < 4 and filling or 3 * filling) end

-- grains that are well out are taken away; their mass counts when their centre passes the bottom of the opening
local function passed(k)
    local s, left = silos[k], {}
    for _, b in ipairs(s.grains) do
        local y = b.exists and b.position[2] or -math.huge
        if b.exists and y < -thick and not state.gone[k][b.id] then
            state.gone[k][b.id], state.mass[k] = true, state.mass[k] + b.mass
        end
        if y > -8 * d then left[#left + 1] = b elseif b.exists then remove(b) end
    end
    s.grains = left
end
state.gone, state.mass, state.begin, state.stop = { {}, {}, {}, {} }, { 0, 0, 0, 0 }, {}, {}
state.out, state.times, state.n = { {}, {}, {}, {} }, {}, 0
at(settle, function() for _, s in ipairs(silos) do remove(s.lid) end end)
on_step(function(t)
    if t < settle then return end
    for k, s in ipairs(silos) do
        passed(k)
        local full = k < 4 and s.mass or s.mass / 3
        if not state.begin[k] and state.mass[k] > from * full then state.begin[k] = { t, state.mass[k] } end
        if not state.stop[k] and state.mass[k] > to * full then state.stop[k] = { t, state.mass[k] } end
    end
    state.n = state.n + 1
    if state.n % 10 == 0 then
        table.insert(state.times, t - settle)
        for k = 1, 4 do table.insert(state.out[k], state.mass[k]) end
    end
end)
stop_when(function() return state.stop[1] and state.stop[2] and state.stop[3] and state.stop[4] and true or false end)
for k, name in ipairs { "out narrow", "out middle", "out wide", "out tall" } do
    observe(name, function() return state.mass[k] end)
end

at_end(function()
    local W, root = {}, {}
    for k = 1, 4 do
        check("flows " .. k, state.stop[k] ~= nil, "clogged")
        if not state.stop[k] then return end
        W[k] = (state.stop[k][2] - state.begin[k][2]) / (state.stop[k][1] - state.begin[k][1])
        root[k] = W[k] ^ (2 / 3)
    end
    local slope = (root[3] - root[1]) / (silos[3].D - silos[1].D)
    local zero = silos[1].D - root[1] / slope
    local k, between = zero / d, (slope * (silos[2].D - zero)) ^ 1.5
    -- numbers of grains behind the rates: each is off by less than a Poisson process of as many
    local grain, N = density * math.pi / 4 * d * d, {}
    for i = 1, 4 do N[i] = (state.stop[i][2] - state.begin[i][2]) / grain end
    local error = 3 * math.sqrt(1 / N[2] + 0.25 / N[1] + 0.25 / N[3])
    report("rates", W)
    report("grains", N)
    report("k", k)
    report("C", slope ^ 1.5 / (0.82 * density * math.sqrt(g)))
    report("middle over line", W[2] / between)
    report("tall over middle", W[4] / W[2])
    check("k", k > 1 and k < 3.5, "k = " .. k)
    check("middle", math.abs(W[2] / between - 1) < error, W[2] .. ", on the line " .. between)
    check("height", W[4] / W[2] > 0.76 and W[4] / W[2] < 1.32, "ratio " .. W[4] / W[2])
    local names, curves = { openings[1] .. " d", openings[2] .. " d", openings[3] .. " d", openings[2] .. " d, three times the filling" }, {}
    for i = 1, 4 do curves[i] = { name = names[i], x = state.times, y = state.out[i], style = i < 4 and "line" or "dashed" } end
    plot { title = "mass that has run out", x = "time (s)", y = "kg/m", curves = curves }
    plot { title = "rate and opening", x = "D / d", y = "W^(2/3)", curves = {
        { name = "computed", x = { openings[1], openings[2], openings[3], openings[2] }, y = root, style = "points" },
        { name = "Beverloo", x = { k, openings[3] }, y = { 0, root[3] }, style = "dashed" } } }
end)
