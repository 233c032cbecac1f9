-- How steep is the heap that stays when the wall beside it is taken away?
--
-- Discs lie on a rough shelf (fixed discs) between two walls; one of these vanishes, and what lies too steep runs over the edge
-- of the shelf and is gone.  The rest has a straight surface at the angle of repose.  A heap that does not flow has a slope
-- between the angle at which avalanches stop and the one at which they begin, whatever its size and its material: contact
-- dynamics of boxes with 4000 discs, tilted slowly, friction 0.5, gave 15 and 21 degrees as means over 50 of them (Deboeuf,
-- Vilotte, Mangeney, Staron and Dauchot, "Evolution of the contact network during tilting cycles of a granular pile under
-- gravity", Powders and Grains 2005).  The heap of the example sandpile, grains dropped one after another, has 18.7 degrees.
-- The slope is that of a line through the highest grains of slices two diameters wide, without a fifth of the shelf at the wall
-- and another one at the edge: a grain more at one end and one less at the other turn it by 4.8 degrees (40 d).
-- Expect: at rest, and between 15 and 21 degrees, give or take those grains.
-- Picture: moreau export repose.h5 --to png

local long = param("length", 40, "of the shelf, in mean diameters")
local deep = param("depth", 18, "of the layer, about, in mean diameters")
local mu = param("friction", 0.5, "between discs, at the shelf and the wall")
local settle = param("settle", 0.4, "time until the wall vanishes, s")
local lasts = param("lasts", 10, "longest time after that, s")
local h = param("h", 1e-3, "time step, s")
local tol = param("tol", 1e-4, "of the solver")
local d, density, g = 0.01, 2600, 9.81
local L, pitch = long * d, 1.22 * d

world { dim = 2, h = h, t_end = settle + lasts, gravity = {0, -g}, solver = { tol = tol }, position_projection = true,
        record = { every = 0.02 } }
law { friction = mu }

-- the shelf and its two walls
local parts, tall = {}, 1.7 * deep * d
for i = 1, long do parts[i] = { shape = disc { radius = d / 2 }, position = { (i - 0.5) * d, -d / 2 } } end
body { shape = compound(parts), fixed = true, group = "shelf" }
local function upright(x)
    return body { shape = rectangle { d, tall + d }, position = { x, (tall - d) / 2 }, fixed = true, group = "wall" }
end
upright(-d / 2)
local gate = upright(L + d / 2)

-- loose rows, no two alike
local grains, radii = {}, {}
local columns = math.floor(L / pitch)
for j = 1, math.floor(L * deep * d * 0.82 / (math.pi / 4 * d * d) / columns + 0.5) do
    for i = 1, columns do
        local r = 0.5 * d * (0.8 + 0.4 * math.random())
        local b = body { shape = disc { radius = r }, density = density, group = "grain", position = { L / columns * (i - 0.5), pitch * (j - 0.4) } }
        grains[#grains + 1], radii[b.id] = b, r
    end
end

-- slope of the surface, degrees
local slices = long // 2
local function surface()
    local top = {}
    for _, b in ipairs(grains) do
        local p = b.position
        local k = math.floor(p[1] / (2 * d)) + 1
        top[k] = math.max(top[k] or 0, p[2] + radii[b.id])
    end
    local n, sx, sy, sxx, sxy = 0, 0, 0, 0, 0
    for k = math.floor(0.2 * slices) + 1, slices - math.floor(0.2 * slices) do
        local x, y = 2 * d * (k - 0.5), top[k] or 0
        n, sx, sy, sxx, sxy = n + 1, sx + x, sy + y, sxx + x * x, sxy + x * y
    end
    return -math.deg(math.atan((n * sxy - sx * sy) / (n * sxx - sx * sx)))
end

-- m g d of all that is there
local function scale()
    local sum = 0
    for _, b in ipairs(grains) do sum = sum + b.mass * g * d end
    return sum
end

at(settle, function() remove(gate) end)
state.n = 0
on_step(function()
    state.n = state.n + 1
    if state.n % 10 ~= 0 then return end
    local left = {}
    for _, b in ipairs(grains) do
        if not b.exists then -- was gone when the run was resumed
        elseif b.position[2] < -6 * d then
            remove(b)
        else
            left[#left + 1] = b
        end
    end
    grains = left
end)
stop_when(function(t) return t > settle + 0.5 and measure.kinetic_energy() < 1e-4 * scale() end)
observe("slope", surface)
observe("grains", function() return #grains end)

at_end(function()
    local slope, one = surface(), math.deg(math.atan(2 / (0.6 * long))) -- a grain more at one end, one less at the other
    report("slope", slope)
    report("a grain at each end", one)
    report("grains left", #grains)
    report("kinetic over m g d", measure.kinetic_energy() / scale())
    check("at rest", measure.kinetic_energy() < 1e-3 * scale(), "still moves")
    check("repose", slope > 15 - one and slope < 21 + one, slope .. " degrees")
end)
