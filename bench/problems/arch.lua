-- A semicircular arch of voussoirs in one or more rings under its own weight, standing on fixed springers: two contacts per
-- joint.  The first ring alone would stand for a thickness of more than 0.1075 of its mean radius (Milankovitch, 1907).

local voussoirs = param("voussoirs", 20, "in each ring")
local rings = param("rings", 1, "one outside the other")
local thickness = param("thickness", 0.15, "of a ring, of the mean radius of the first")
local mu = param("friction", 0.7, "between all bodies")
local R, g = 5, 9.81
local t = thickness * R

world { dim = 2, h = 1e-3, t_end = 1e-3, gravity = {0, -g}, solver = { tol = 1e-2, max_iter = 200 } }
law { friction = mu }
body { shape = halfplane { normal = {0, 1}, offset = 0 }, fixed = true }

-- corner k of a circle; the two at the springers lie on the ground exactly
local function corner(radius, k)
    local a = math.pi * k / voussoirs
    return { -radius * math.cos(a), (k == 0 or k == voussoirs) and 0 or radius * math.sin(a) }
end

for ring = 0, rings - 1 do
    local inner, outer = R - t / 2 + ring * t, R + t / 2 + ring * t
    for k = 0, voussoirs - 1 do
        body { shape = polygon { corner(inner, k), corner(inner, k + 1), corner(outer, k + 1), corner(outer, k) },
               density = 2400, keep_origin = true }
    end
end
