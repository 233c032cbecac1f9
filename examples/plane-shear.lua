-- Plane shear of a granular flow without walls: a periodic cell is sheared at a given rate under a given normal stress.
--
-- Discs of dispersed sizes are compressed by the cell to 1 kPa, then sheared at the rate that the inertial number I asks for,
-- I = rate d sqrt(density / stress), while the cell's height adjusts to hold the stress.  No walls, no gravity: the flow is
-- homogeneous (da Cruz et al. 2005).
-- Expect: the normal stress is the one asked for to 3 % on average over the second half of the shear; an effective friction
-- sigma_xy / sigma_yy between 0.2 and 0.5 and a solid fraction between 0.72 and 0.86 for I = 0.1 and friction 0.4 between discs.

local n = param("side", 12, "discs along each edge at the start")
local I = param("inertial", 0.1, "inertial number")
local mu = param("friction", 0.4, "between discs")
local strain = param("strain", 3, "shear strain to reach")
local d, density, P = 0.01, 2600, 1000
local rate = I * math.sqrt(P / density) / d
local h = 0.004 / rate
local settle = param("settle", 150, "steps of compression before") * h
local t_end = settle + strain / rate

world { dim = 2, h = h, t_end = t_end, periodic = { x = {0, 1.3 * n * d}, y = {0, 1.3 * n * d} },
        solver = { tol = 1e-3 }, position_projection = true, record = { every = t_end / 50 } }
law { friction = mu }
for i = 0, n - 1 do
    for j = 0, n - 1 do
        body { shape = disc { radius = 0.5 * d * (0.8 + 0.4 * math.random()) }, density = density,
               position = { 1.3 * d * (i + 0.5) + 0.05 * d * (math.random() - 0.5), 1.3 * d * (j + 0.5) } }
    end
end

-- the decay of its rate keeps the first compression calm
local c = cell { stress = { xx = P, yy = P }, damping = 20 * rate }
at(settle, function() cell { rate = { xy = rate }, stress = { yy = P }, damping = rate } end)

state.count, state.normal, state.shear, state.fraction = 0, 0, 0, 0
on_step(function(t)
    if t < 0.5 * (settle + t_end) then return end
    local s = c.stress
    state.count = state.count + 1
    state.normal = state.normal + s[2][2]
    state.shear = state.shear - s[1][2]
    state.fraction = state.fraction + measure.solid_fraction()
end)
observe("normal stress", function(t) return c.stress[2][2] end)
observe("shear stress", function(t) return -c.stress[1][2] end)
observe("solid fraction", function(t) return measure.solid_fraction() end)

at_end(function()
    local k = state.count
    local normal, friction, fraction = state.normal / k, state.shear / state.normal, state.fraction / k
    report("normal stress", normal)
    report("effective friction", friction)
    report("solid fraction", fraction)
    check("normal stress", math.abs(normal - P) < 0.03 * P)
    check("effective friction", friction > 0.2 and friction < 0.5)
    check("solid fraction", fraction > 0.72 and fraction < 0.86)
end)
