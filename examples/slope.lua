-- Two blocks on a slope: one sticks, one slides.
--
-- The first has friction 1 % above tan(angle) and must not move at all; the second has `share` of tan(angle) and slides
-- with the acceleration g (sin a - mu cos a), which the scheme follows exactly.
-- Expect: creep below 1e-12 m, distance slid right to 1e-9 of itself.

local angle = math.rad(param("angle", 20, "slope, degrees"))
local share = param("share", 0.9, "friction of the sliding block over tan(angle), below 1")
local T, g = 2, 9.81
local s, c = math.sin(angle), math.cos(angle)
local mu = share * s / c

world { dim = 2, h = 1e-3, t_end = T, gravity = {0, -g}, solver = { tol = 1e-12 } }
law { between = {"rough", "ground"}, friction = 1.01 * s / c }
law { between = {"smooth", "ground"}, friction = mu }

-- solid below the line through the origin that falls to the right
body { shape = halfplane { normal = {s, c}, offset = 0 }, fixed = true, group = "ground" }

local w, h = 0.4, 0.2
local function block(group, along)
    -- its lower face on the line: centre h/2 above it
    return body { shape = rectangle { w, h }, density = 2000, group = group, angle = -angle, name = group,
                  position = { along * c + 0.5 * h * s, -along * s + 0.5 * h * c } }
end
local stays, slides = block("rough", -1), block("smooth", 0)
local from = { stays.position[1], stays.position[2], slides.position[1], slides.position[2] }

observe("slid", function() return (slides.position[1] - from[3]) * c - (slides.position[2] - from[4]) * s end)

at_end(function()
    local creep = math.sqrt((stays.position[1] - from[1]) ^ 2 + (stays.position[2] - from[2]) ^ 2)
    local slid = math.sqrt((slides.position[1] - from[3]) ^ 2 + (slides.position[2] - from[4]) ^ 2)
    local expected = 0.5 * g * (s - mu * c) * T * T
    report("creep", creep)
    report("slid", slid)
    report("slid_expected", expected)
    check("sticks", creep < 1e-12, "crept by " .. creep .. " m")
    check("slides", math.abs(slid / expected - 1) < 1e-9, "slid " .. slid .. " m, expected " .. expected .. " m")
end)
