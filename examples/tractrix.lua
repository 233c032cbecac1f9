-- A point dragged by the border of a moving disc follows a tractrix.
--
-- The disc of radius R moves along the x axis with speed 1; the point starts on its border, square to the motion. With
-- tan(theta/2) = exp(-t/R) it is at u = a + R (-cos theta, sin theta) and the multiplier is cos theta.
-- Expect: the end within 1e-3 of that (the method is of first order in h), or to 1e-10 with --set method=event-driven.

local R = param("radius", 1, "of the disc")
local method = param("method", "catching-up", "catching-up, theta, penalty, lazy or event-driven")
local h = param("h", 0.001, "time step")
local T = 3

local p = sweep { x = {0, R}, h = h, t_end = T, method = method, record = { every = 0.01 },
                  set = ball { center = function(t) return {t, 0} end, radius = R } }

at_end(function(x)
    local theta = 2 * math.atan(math.exp(-T / R))
    local X, Y = T - R * math.cos(theta), R * math.sin(theta)
    local miss = math.sqrt((x[1] - X) ^ 2 + (x[2] - Y) ^ 2)
    -- the length of the path is that of the tractrix, R ln cosh(t/R)
    local length = R * math.log((math.exp(T / R) + math.exp(-T / R)) / 2)
    report("miss", miss)
    report("path_length", p.path_length)
    report("path_length_expected", length)
    report("multiplier", p.lambda[1])
    report("multiplier_expected", math.cos(theta))
    -- the set moves by 1 a second; the point never faster
    report("retraction", p.retraction)
    local tolerance = method == "event-driven" and 1e-10 or method == "penalty" and 1e-2 or 1e-3
    check("end", miss < tolerance, "the end is off by " .. miss)
    check("length", math.abs(p.path_length / length - 1) < math.max(tolerance, 1e-4))
    check("no longer than the retraction of the set", p.path_length <= p.retraction + 1e-9)
end)
