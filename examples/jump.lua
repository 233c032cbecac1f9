-- A disc that leaps: the point goes to the nearest place of the disc where it lands, u+ = prox(C+, u-).
--
-- Between leaps the disc rests, and so does the point. The leaps are at times that no step ends at.
-- Expect: each leap found to 1e-12, its size the distance to the disc, and every landing exact to rounding.

local R = param("radius", 1, "of the disc")
local h = param("h", 0.1, "time step")
local times = { 0.731, 1.618, 2.236 }
local places = { {0, 0}, {3, 1}, {2.5, -2}, {-1, -0.5} }

local function center(t)
    local k = 1
    while k <= #times and t >= times[k] do k = k + 1 end
    return places[k]
end

local p = sweep { x = {0, 0}, h = h, t_end = 3, set = ball { center = center, radius = R } }

at_end(function(x)
    local u, sizes = {0, 0}, {}
    for k = 2, #places do
        local d = { places[k][1] - u[1], places[k][2] - u[2] }
        local distance = math.sqrt(d[1] ^ 2 + d[2] ^ 2)
        local way = math.max(0, distance - R) / distance
        sizes[#sizes + 1] = way * distance
        u = { u[1] + way * d[1], u[2] + way * d[2] }
    end
    local found, off, length = 0, 0, 0
    for _, e in ipairs(p.events) do
        if e.type == "jump" then
            found = found + 1
            off = math.max(off, math.abs(e.t - (times[found] or 0)))
            check("size of jump " .. found, math.abs(e.size - (sizes[found] or 0)) < 1e-12)
            length = length + e.size
        end
    end
    local miss = math.sqrt((x[1] - u[1]) ^ 2 + (x[2] - u[2]) ^ 2)
    report("jumps", found)
    report("times_off", off)
    report("end", x)
    report("miss", miss)
    check("all jumps", found == #times, found .. " jumps found, expected " .. #times)
    check("times", off < 1e-12)
    check("landing", miss < 1e-12)
    check("nothing but jumps", math.abs(p.path_length - length) < 1e-12)
end)
