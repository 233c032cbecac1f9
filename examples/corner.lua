-- A point caught by one moving wall, then by a corner of two.
--
-- Wall 1, y >= t, lifts the point; wall 2, x cos 30° + y sin 30° >= t - d, meets it at t* = 2 d and from then on the
-- corner carries it with velocity (1/sqrt 3, 1) = (2/3) n1 + (2/3) n2: both multipliers are 2/3.
-- Expect: the second wall arrives at t* to 1e-12, multipliers and end to 1e-10.

local d = param("distance", 0.53, "of wall 2 at the start")
local T = 3
local n2 = { math.cos(math.pi / 6), math.sin(math.pi / 6) }

local p = sweep { x = {0, 0}, h = 0.1, t_end = T, method = "event-driven",
                  set = intersection {
                      halfspace { normal = {0, 1}, offset = function(t) return t end },
                      halfspace { normal = n2, offset = function(t) return t - d end } } }

at_end(function(x)
    local meets = 2 * d
    local X = (T - meets) / math.sqrt(3)
    local found
    for _, e in ipairs(p.events) do
        if e.type == "contact" and e.gaps[1] == 2 then found = e.t end
    end
    report("meets", found or 0)
    report("meets_expected", meets)
    report("multipliers", p.lambda)
    report("end", x)
    check("meeting", found and math.abs(found - meets) < 1e-12)
    check("multipliers", math.abs(p.lambda[1] - 2 / 3) < 1e-10 and math.abs(p.lambda[2] - 2 / 3) < 1e-10)
    check("end", math.abs(x[1] - X) < 1e-10 and math.abs(x[2] - T) < 1e-10)
    local length = meets + (T - meets) * math.sqrt(4 / 3)
    check("length", math.abs(p.path_length - length) < 1e-10 * length)
end)
