-- Two blocks on a plane of 20 degrees for a minute: one sticks, one slides.
--
-- tan(20°) = 0.36397.  With friction 0.37 a block must not creep, whatever the solver makes of the four contacts under it,
-- which are one too many in space; with 0.35 it slides by ½ g (sin a - mu cos a) t², which the scheme follows exactly.  The
-- slope falls along no axis, and the blocks lie across it.
-- Expect: creep below 1e-9 m after 60 s; distance slid right to 1e-9 of itself, and no turn about the normal.

local T = param("seconds", 60, "how long, s")
local angle = math.rad(param("angle", 20, "slope, degrees"))
local sticking = param("mu_stick", 0.37, "friction of the block that sticks, above tan(angle)")
local sliding = param("mu_slide", 0.35, "friction of the block that slides, below tan(angle)")
local azimuth, yaw = math.rad(33), math.rad(25) -- of the way down; of the blocks against it
local g = 9.81

world { dim = 3, h = 1e-3, t_end = T, gravity = {0, 0, -g}, solver = { tol = 1e-13 }, record = { every = 0.5 } }
law { between = {"rough", "ground"}, friction = sticking }
law { between = {"smooth", "ground"}, friction = sliding }

local s, c = math.sin(angle), math.cos(angle)
local ca, sa = math.cos(azimuth), math.sin(azimuth)
local normal = { s * ca, s * sa, c }
local down = { c * ca, c * sa, -s }
local across = { -sa, ca, 0 }
body { shape = plane { normal = normal, offset = 0 }, fixed = true, group = "ground" }

local function product(p, q)
    return { p[1] * q[1] - p[2] * q[2] - p[3] * q[3] - p[4] * q[4], p[1] * q[2] + p[2] * q[1] + p[3] * q[4] - p[4] * q[3],
             p[1] * q[3] - p[2] * q[4] + p[3] * q[1] + p[4] * q[2], p[1] * q[4] + p[2] * q[3] - p[3] * q[2] + p[4] * q[1] }
end
-- yaw about z, then the tilt about y that lays z along the normal, then the azimuth about z
local turned = product(product({ math.cos(azimuth / 2), 0, 0, math.sin(azimuth / 2) },
                               { math.cos(angle / 2), 0, math.sin(angle / 2), 0 }),
                       { math.cos(yaw / 2), 0, 0, math.sin(yaw / 2) })

local height = 0.2
local function block(group, aside)
    local at = {}
    for k = 1, 3 do at[k] = aside * across[k] + 0.5 * height * normal[k] end
    return body { shape = box { 0.4, 0.3, height }, density = 2000, group = group, name = group, position = at, orientation = turned }
end
local stays, slides = block("rough", -1), block("smooth", 1)
local from = { stays = stays.position, slides = slides.position }

local function moved(b, start, along)
    local p, sum = b.position, 0
    for k = 1, 3 do sum = sum + (p[k] - start[k]) * along[k] end
    return sum
end
local function distance(b, start)
    local p = b.position
    return math.sqrt((p[1] - start[1]) ^ 2 + (p[2] - start[2]) ^ 2 + (p[3] - start[3]) ^ 2)
end

observe("slid", function() return moved(slides, from.slides, down) end)
observe("creep", function() return distance(stays, from.stays) end)

at_end(function()
    local creep, slid = distance(stays, from.stays), moved(slides, from.slides, down)
    local expected = 0.5 * g * (s - sliding * c) * T * T
    local aside = math.max(math.abs(moved(slides, from.slides, across)), math.abs(moved(slides, from.slides, normal)))
    local q, dot = slides.orientation, 0
    for k = 1, 4 do dot = dot + q[k] * turned[k] end
    local turn = 2 * math.sqrt(math.max(0, 1 - math.min(1, dot * dot)))
    report("creep", creep)
    report("slid", slid)
    report("slid_expected", expected)
    report("aside", aside)
    report("turn", turn)
    check("sticks", creep < 1e-9, "crept by " .. creep .. " m")
    check("slides", math.abs(slid / expected - 1) < 1e-9, "slid " .. slid .. " m, expected " .. expected .. " m")
    check("straight", aside < 1e-9 * expected, "went aside by " .. aside .. " m")
    check("unturned", turn < 1e-7, "turned by " .. turn .. " rad")
end)
