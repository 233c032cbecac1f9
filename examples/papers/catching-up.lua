-- Catching up: a point and a moving convex set, step by step (M99 section 2, M05 slides 20 to 23).
--
-- At each t_i the point goes to the nearest point of C(t_i), which is where it was as long as that lies in the set. The steps are
-- so long that each projection is seen; as they get shorter the points tend to the path of the sweeping process, which the
-- event-driven method follows. The slides draw this for a set of their own; a disc on a wavy way is ours.
-- Expect: each step along the inner normal; an error that falls as the step does (M99 Prop. 3).
-- Picture: moreau export catching-up.h5 --to png --what plots

local steps = param("steps", 9, "to be drawn")
local T, R = 3, 0.6
local function centre(t) return { 1.1 * t, 0.5 * math.sin(2.2 * t) } end
local set = ball { center = centre, radius = R }
local start = { 0.45, -0.2 }
local function by(method, h) return trial { x = start, h = h, t_end = T, set = set, method = method, keep = true } end

local p = sweep { x = start, h = T / steps, t_end = T, set = set, method = "catching-up" }
local fine = by("event-driven", T / 600)
local function split(xs)
    local x, y = {}, {}
    for k, v in ipairs(xs) do x[k], y[k] = v[1], v[2] end
    return x, y
end

-- circles at the times of the steps, one curve with holes
local function outlines()
    local x, y = {}, {}
    for i = 0, steps do
        local c = centre(i * T / steps)
        for k = 0, 72 do
            local a = 2 * math.pi * k / 72
            table.insert(x, c[1] + R * math.cos(a))
            table.insert(y, c[2] + R * math.sin(a))
        end
        table.insert(x, 0 / 0)
        table.insert(y, 0 / 0)
    end
    return x, y
end

at_end(function(x)
    local cx, cy = outlines()
    local coarse = by("catching-up", T / steps)
    local px, py = split(coarse.xs)
    local fx, fy = split(fine.xs)
    plot { title = "catching up", x = "x", y = "y", equal = true,
           curves = { { name = "q(i): nearest point of C(i)", x = px, y = py, style = "both" },
                      { name = "sweeping process", x = fx, y = fy, style = "dashed" },
                      { name = "C(i)", x = cx, y = cy } } }
    local hs, errors, exact = {}, {}, fine.x
    for k = 0, 7 do
        local h = T / steps / 2 ^ k
        local q = by("catching-up", h).x
        hs[k + 1], errors[k + 1] = h, math.sqrt((q[1] - exact[1]) ^ 2 + (q[2] - exact[2]) ^ 2)
    end
    plot { title = "error at the end", x = { label = "time step", log = true }, y = { label = "distance", log = true },
           curves = { { name = "catching-up", x = hs, y = errors, style = "both" } } }
    -- every step is a projection: along the inner normal at where it ends
    local worst = 0
    for i = 2, #coarse.xs do
        local a, b, c = coarse.xs[i - 1], coarse.xs[i], centre((i - 1) * T / steps)
        local nx, ny, dx, dy = c[1] - b[1], c[2] - b[2], b[1] - a[1], b[2] - a[2]
        worst = math.max(worst, math.abs(nx * dy - ny * dx))
    end
    report("off_normal", worst)
    report("errors", errors)
    report("order", math.log(errors[5] / errors[8]) / math.log(8))
    check("normal", worst < 1e-9, "off by " .. worst)
    check("order", math.log(errors[5] / errors[8]) / math.log(8) > 0.8)
end)
