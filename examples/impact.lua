-- One impact by three schemes: the test problem of P01 3a, 4b and its figure 6.
--
-- A point of mass 1 without force comes from q = 1 with the speed 1 to a wall at 0 with restitution 0.3. The exact motion
-- is 1 - t, then 0.3 (t - 1). The papers give every number of two schemes, p being the last step before the wall:
--   paoli-schatzman   q = 1 - i h up to p, then -e q_(p-1) and -e q_p, then on by e h a step: two steps to turn
--   mabrouk           turns at the first q <= 0, which lies up to h beyond the wall
-- Expect: both sequences to 1e-14, `moreau` within one step of the motion, and no scheme better than order 1 (P01 6).
-- Picture: moreau export impact.h5 --to png

local e = param("restitution", 0.3, "of the wall")
local h = param("h", 0.07, "time step, s")
local T = 2

local function with(scheme, step, keep)
    return { q = 1, u = -1, restitution = e, gaps = { function(t, q) return q[1] end }, scheme = scheme,
             h = step, t_end = T, keep = keep }
end
local function exact(t) return t < 1 and 1 - t or e * (t - 1) end

-- q_i as P01 works it out; i from 0
local function two_steps(i)
    local p = 1
    while 2 * (1 - p * h) - (1 - e) * (1 - (p - 1) * h) >= 1e-13 do p = p + 1 end
    if i <= p then return 1 - i * h end
    if i == p + 1 then return -e * (1 - (p - 1) * h) end
    return -e * (1 - p * h) + e * h * (i - p - 2)
end
local function at_once(i)
    local p = 0
    while 1 - (p + 1) * h > 1e-12 do p = p + 1 end
    return i <= p + 1 and 1 - i * h or 1 - (p + 1) * h + (i - p - 1) * e * h
end

system(with("paoli-schatzman", h))

at_end(function()
    local fine, line = {}, {}
    for k = 0, 200 do fine[k + 1], line[k + 1] = T * k / 200, exact(T * k / 200) end
    local curves = { { name = "exact", x = fine, y = line, style = "dashed" } }
    local speeds = { { name = "exact", x = { 0, 1, 1, T }, y = { -1, -1, e, e }, style = "dashed" } }
    local known = { ["paoli-schatzman"] = two_steps, mabrouk = at_once }
    for _, scheme in ipairs { "paoli-schatzman", "mabrouk", "moreau" } do
        local r = trial(with(scheme, h, true))
        local q, u, off, outside, far = {}, {}, 0, 0, 0
        for k = 1, #r.ts do
            q[k], u[k] = r.qs[k][1], r.us[k][1]
            if known[scheme] then off = math.max(off, math.abs(q[k] - known[scheme](k - 1))) end
            if q[k] < -1e-13 then outside = outside + 1 end
            far = math.max(far, math.abs(q[k] - exact(r.ts[k])))
        end
        report(scheme .. ": steps outside", outside)
        report(scheme .. ": largest error over h", far / h)
        check(scheme .. " within a step", far <= (1 + e) * h, "off by " .. far)
        if known[scheme] then check(scheme .. " as in the paper", off < 1e-14, "off by " .. off) end
        if scheme == "paoli-schatzman" then check("at most two outside", outside <= 2) end
        curves[#curves + 1] = { name = scheme, x = r.ts, y = q, style = "both" }
        speeds[#speeds + 1] = { name = scheme, x = r.ts, y = u, style = "both" }
    end
    plot { title = "position, e = " .. e .. ", h = " .. h, x = "time (s)", y = "q (m)", curves = curves }
    plot { title = "velocity", x = "time (s)", y = "u (m/s)", curves = speeds }
end)
