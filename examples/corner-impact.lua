-- Into a corner: the motion does not depend continuously on where it starts (P01 5).
--
-- A point without force flies into a corner of 60, 90 or 120 degrees, restitution 1, past the vertex at the distance d. Next to
-- the vertex it is thrown from wall to wall; at d = 0 both walls act at once, and the law u+ = u- - 2 Proj(N, u-) sends it back
-- where it came from. As d passes 0 the way out
--   at  90 degrees   does not change: two reflections are the way back,
--   at  60 degrees   is the same from both sides, the mirror image in the y-axis, and another one at d = 0 alone,
--   at 120 degrees   differs from side to side: however exact the start, it cannot be told where the point goes.
-- Expect: every way out, located by the event-driven scheme, equal to that of geometric reflections to 1e-9.
-- Pictures: moreau export corner-impact.h5 --to png, and the same with --what path

local tilt = math.rad(param("tilt", 10, "of the way in against the bisector, degrees"))
local farthest = 0.1
local angles = { 60, 90, 120 }
local into = { -math.cos(tilt), -math.sin(tilt) }

-- walls at half the angle above and below the x-axis, feasible between them; inner normals
local function normals(angle)
    local a = math.rad(angle) / 2
    return { { math.sin(a), -math.cos(a) }, { math.sin(a), math.cos(a) } }
end

local function scene(angle, d, keep)
    local n = normals(angle)
    return { q = { -into[1] - d * into[2], -into[2] + d * into[1] }, u = into, restitution = 1, scheme = "event-driven",
             h = keep and 0.004 or 0.05, t_end = 2, keep = keep,
             gaps = { function(t, q) return n[1][1] * q[1] + n[1][2] * q[2] end,
                      function(t, q) return n[2][1] * q[1] + n[2][2] * q[2] end } }
end

-- the way out by reflections: the point hits the wall that its line meets first, and so on
local function reflected(angle, d)
    local n, start = normals(angle), scene(angle, d)
    local q, u = { table.unpack(start.q) }, { table.unpack(into) }
    if d == 0 then return { -u[1], -u[2] } end
    while true do
        local first, soonest = nil, math.huge
        for k = 1, 2 do
            local speed = n[k][1] * u[1] + n[k][2] * u[2]
            local t = -(n[k][1] * q[1] + n[k][2] * q[2]) / speed
            if speed < -1e-12 and t < soonest then first, soonest = k, t end
        end
        if not first then return u end
        local w = n[first]
        local speed = w[1] * u[1] + w[2] * u[2]
        q = { q[1] + soonest * u[1], q[2] + soonest * u[2] }
        u = { u[1] - 2 * speed * w[1], u[2] - 2 * speed * w[2] }
    end
end

local function distance(a, b) return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2) end

local main = scene(120, 0.02)
main.h = 0.004
system(main)

at_end(function()
    local curves, paths, worst = {}, {}, 0
    for _, angle in ipairs(angles) do
        local ds, out = {}, {}
        for k = -20, 20 do
            local d = farthest * k / 20
            local r = trial(scene(angle, d))
            worst = math.max(worst, distance(r.u, reflected(angle, d)))
            ds[#ds + 1], out[#out + 1] = d, math.deg(math.atan(r.u[2], r.u[1]))
        end
        local left, right, at = reflected(angle, -1e-9), reflected(angle, 1e-9), reflected(angle, 0)
        report(angle .. " degrees: jump from side to side", distance(left, right))
        report(angle .. " degrees: jump to the vertex", distance(right, at))
        local continuous, same = angle ~= 120, angle == 90
        check(angle .. " degrees: sides", (distance(left, right) < 1e-12) == continuous)
        check(angle .. " degrees: vertex", (distance(right, at) < 1e-12) == same)
        curves[#curves + 1] = { name = angle .. " degrees", x = ds, y = out, style = "points" }
    end
    report("worst_way_out", worst)
    check("reflections", worst < 1e-9, "off by " .. worst)
    local x, y = math.cos(math.rad(60)), math.sin(math.rad(60))
    paths[1] = { name = "walls", x = { x, 0, x }, y = { y, 0, -y }, style = "dashed" }
    for _, d in ipairs { -0.02, 0, 0.02 } do
        local r, xs, ys = trial(scene(120, d, true)), {}, {}
        for k = 1, #r.ts do xs[k], ys[k] = r.qs[k][1], r.qs[k][2] end
        paths[#paths + 1] = { name = "d = " .. d, x = xs, y = ys }
    end
    plot { title = "way out against the distance from the vertex", x = "d (m)", y = "angle of the way out (degrees)", curves = curves }
    plot { title = "three ways into a corner of 120 degrees", equal = true, x = "x (m)", y = "y (m)", curves = paths }
end)
