-- Two spheres collide obliquely: the three numbers that describe it (Foerster, Louge, Chang and Allia, Physics of Fluids 6, 1994).
--
-- With the velocity g of one sphere's contact point relative to the other's, before (1) and after (2), psi = g_T/|g_N before|:
--   psi2 = -beta0 psi1 while the contact sticks, psi2 = psi1 - (7/2)(1 + e) mu beyond psi0 = (7/2)(1 + e) mu/(1 + beta0),
-- and g_N reverses by e.  The law with restitution e along the normal, beta0 along the tangent and friction mu says the same
-- (MJ96 §5).  Materials and numbers are the paper's: glass beads of 3 mm (e = 0.97, mu = 0.092, beta0 = 0.44), cellulose
-- acetate of 6 mm (0.87, 0.25, 0.43).  Every other pair spins before it meets; planes of impact are turned in space.
-- Expect: psi2 and e right to 1e-9 at every angle; the plot has the form of the paper's figures.

local count = param("angles", 30, "angles of incidence per material, from psi1 = 0 to `steepest`")
local steepest = param("steepest", 4, "largest psi1")
local speed, step = 0.5, 1e-5

world { dim = 3, h = step, t_end = 40 * step, record = { every = 4 * step } }
local materials = {
    { name = "glass", diameter = 3e-3, density = 2500, e = 0.97, mu = 0.092, beta0 = 0.44 },
    { name = "acetate", diameter = 6e-3, density = 1319, e = 0.87, mu = 0.25, beta0 = 0.43 },
}

local function sum(a, u, b, v) return { a * u[1] + b * v[1], a * u[2] + b * v[2], a * u[3] + b * v[3] } end
local function dot(u, v) return u[1] * v[1] + u[2] * v[2] + u[3] * v[3] end
local function cross(u, v) return { u[2] * v[3] - u[3] * v[2], u[3] * v[1] - u[1] * v[3], u[1] * v[2] - u[2] * v[1] } end

local pairs_of, partner = {}, {}
for m, material in ipairs(materials) do
    law { between = { material.name, material.name }, friction = material.mu, restitution = material.e,
          tangential_restitution = material.beta0 }
    for k = 1, count do
        local psi, r = steepest * (k - 1) / (count - 1), 0.5 * material.diameter
        -- normal and plane of impact turned somehow
        local a, b = 2.4 * k, 0.3 + 0.08 * k
        local n = { math.cos(a) * math.sin(b), math.sin(a) * math.sin(b), math.cos(b) }
        local t = cross(n, { math.sin(a), -math.cos(a), 0 })
        local approach, slide = speed / math.sqrt(1 + psi * psi), speed * psi / math.sqrt(1 + psi * psi)
        -- of the first sphere; part of g_T may come from spins about n × t
        local share = k % 2 == 0 and 0.4 or 0
        local v = sum(-approach, n, (1 - share) * slide, t)
        local spin = sum(-share * slide / (2 * r), cross(n, t), 0, n)
        local at = { 0.02 * k, 0.05 * m, 0 }
        -- they touch in the middle of a step, where the scheme looks; otherwise it would see them up to speed * step late
        local before = 10.5 * step
        local function ball(side)
            return body { shape = sphere { radius = r }, density = material.density, group = material.name, name = material.name .. k,
                          position = sum(1, at, 0.5 * side, sum(2 * r + before * approach, n, -before * (1 - share) * slide, t)),
                          velocity = sum(0.5 * side, v, 0, v), spin = spin }
        end
        local one, two = ball(1), ball(-1)
        pairs_of[one.id] = { one = one, two = two, material = material, r = r }
    end
end

local function snapshot(p) return { v1 = p.one.velocity, v2 = p.two.velocity, w1 = p.one.spin, w2 = p.two.spin } end

-- velocity of the first sphere's contact point relative to the second's: along n, and the rest
local function relative(p, s, n)
    local g = sum(1, sum(1, s.v1, -1, s.v2), -p.r, cross(sum(1, s.w1, 1, s.w2), n))
    local along = dot(g, n)
    return along, sum(1, g, -along, n)
end

on_step(function()
    for _, p in pairs(pairs_of) do
        if not p.done then p.before = snapshot(p) end
    end
end)

-- after each step: what a pair that has just met did
stop_when(function()
    for c in contacts() do
        local p = pairs_of[c.body1.id]
        if p and not p.done then
            local normal1, g1 = relative(p, p.before, c.normal)
            local normal2, g2 = relative(p, snapshot(p), c.normal)
            local size = math.sqrt(dot(g1, g1))
            local t = size > 1e-9 and sum(1 / size, g1, 0, g1) or { 0, 0, 0 }
            local aside = sum(1, g2, -dot(g2, t), t)
            p.done = true
            p.psi1, p.psi2, p.e = size / -normal1, dot(g2, t) / -normal1, -normal2 / normal1
            p.across = math.sqrt(dot(aside, aside)) / -normal1
        end
    end
    return false
end)

at_end(function()
    for _, material in ipairs(materials) do
        local found, met = { psi1 = {}, psi2 = {} }, 0
        local worst_psi, worst_e, worst_across = 0, 0, 0
        local slope = 3.5 * (1 + material.e) * material.mu
        local function expected(psi) return math.max(-material.beta0 * psi, psi - slope) end
        for _, p in pairs(pairs_of) do
            if p.material == material and p.done then
                met = met + 1
                found.psi1[met], found.psi2[met] = p.psi1, p.psi2
                worst_psi = math.max(worst_psi, math.abs(p.psi2 - expected(p.psi1)))
                worst_e = math.max(worst_e, math.abs(p.e - material.e))
                worst_across = math.max(worst_across, p.across)
            end
        end
        local psi0 = slope / (1 + material.beta0)
        report(material.name .. "_psi0", psi0)
        report(material.name .. "_error_psi2", worst_psi)
        report(material.name .. "_error_e", worst_e)
        check(material.name .. " met", met == count, met .. " of " .. count .. " pairs met")
        check(material.name .. " psi2", worst_psi < 1e-9, "off by " .. worst_psi)
        check(material.name .. " e", worst_e < 1e-9, "off by " .. worst_e)
        check(material.name .. " plane", worst_across < 1e-9, "left the plane of impact by " .. worst_across)
        plot { title = "collisions of two spheres: " .. material.name, x = "psi1", y = "psi2",
               curves = { { name = "law", x = { 0, psi0, steepest }, y = { 0, -material.beta0 * psi0, steepest - slope } },
                          { name = "computed", x = found.psi1, y = found.psi2, style = "points" } } }
    end
end)
