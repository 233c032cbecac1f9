-- Spheres that breathe: N inelastic spheres whose radii change with time, in an open box (Bernicot and Lefebvre-Lepot 2010, §4).
--
-- The admissible set {q : |q_i - q_j| >= r_i(t) + r_j(t)} moves, and impacts lose all of the normal velocity.  The scheme of the paper,
--   u_f = P_K(u_i + h A⁻¹F),  K = {u : g(t_f, q_i) + h grad g(t_f, q_i)·u >= 0},
-- keeps every gap open, since the distance of two points is convex (Proposition 2.1).  Moreau's scheme takes gaps in the middle of the
-- step and asks for U_N >= 0 where they are closed: spheres overlap by what they travel in a step before they are seen.
-- Expect: no overlap beyond 1e-9 of the radius with "bernicot-lefebvre"; up to the speed times h with "moreau".

local scheme = param("scheme", "bernicot-lefebvre", "of the world: bernicot-lefebvre, moreau or moreau-jean")
local count = param("spheres", 64, "how many")
local depth = param("depth", 0.15, "of the breathing, over the radius")
local step = param("h", 2e-3, "time step, s")
local r, g, w = 0.05, 9.81, 2 * math.pi
local tol = 1e-10

world { dim = 3, h = step, t_end = 2, gravity = {0, 0, -g}, scheme = scheme, solver = { tol = tol }, record = { every = 0.02 } }
law { friction = 0, restitution = 0 }
local side = math.ceil((count / 2) ^ (1 / 3))
local half = 1.3 * r * side
local walls = { {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1} }
for k, n in ipairs(walls) do body { shape = plane { normal = n, offset = k == 5 and 0 or -half }, fixed = true, group = "wall" } end

local spheres, radii = {}, {}
for k = 1, count do
    local phase, rate = 2 * math.pi * math.random(), w * (0.7 + 0.6 * math.random())
    local i = k - 1
    local function jitter() return 0.05 * r * (2 * math.random() - 1) end
    radii[k] = function(t) return r * (1 + depth * math.sin(rate * t + phase)) end
    spheres[k] = body { shape = sphere { radius = radii[k] }, mass = 1, name = "sphere" .. k,
                        position = { -half + (i % side + 0.5) * 2.6 * r + jitter(), -half + (i // side % side + 0.5) * 2.6 * r + jitter(),
                                     1.3 * r + (i // (side * side)) * 2.6 * r } }
end

-- the deepest overlap at time t, counted here and not by the program; the fastest sphere
local function look(t)
    local deepest, fastest, at, radius = 0, 0, {}, {}
    for k, b in ipairs(spheres) do
        local p, v = b.position, b.velocity
        at[k], radius[k] = p, radii[k](t)
        fastest = math.max(fastest, math.sqrt(v[1] ^ 2 + v[2] ^ 2 + v[3] ^ 2))
        deepest = math.max(deepest, radius[k] - p[3], radius[k] - half + math.abs(p[1]), radius[k] - half + math.abs(p[2]))
        for j = 1, k - 1 do
            local q = at[j]
            local x, y, z, sum = p[1] - q[1], p[2] - q[2], p[3] - q[3], radius[k] + radius[j]
            local square = x * x + y * y + z * z
            if square < sum * sum then deepest = math.max(deepest, sum - math.sqrt(square)) end
        end
    end
    return deepest, fastest
end

local function top()
    local sum = 0
    for _, b in ipairs(spheres) do sum = sum + b.position[3] / count end
    return sum
end
observe("centre", top)
observe("contacts", measure.contact_count)

state.deepest, state.fastest, state.touching = 0, 0, 0
stop_when(function(t)
    local deepest, fastest = look(t)
    state.deepest, state.fastest = math.max(state.deepest, deepest), math.max(state.fastest, fastest)
    state.touching = math.max(state.touching, measure.contact_count())
    return false
end)

at_end(function()
    report("overlap", state.deepest)
    report("overlap_over_radius", state.deepest / r)
    report("fastest", state.fastest)
    report("contacts_at_most", state.touching)
    report("centre", top())
    check("dense", state.touching > count, "only " .. state.touching .. " contacts")
    if scheme == "bernicot-lefebvre" then
        check("apart", state.deepest < 1e-9 * r, "overlap " .. state.deepest .. " m")
    else
        -- seen after the middle of a step: two spheres with growing radii, each half a step and the whole step after it
        local rate = depth * r * 1.3 * w
        check("apart", state.deepest < 4 * step * (state.fastest + rate), "overlap " .. state.deepest .. " m")
    end
end)
