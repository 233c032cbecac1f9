-- The water picture: a stream falls through a cavity whose sections are the moving set (Moreau 1999 §2.1, 2005 slides
-- 27 and 28).
--
-- Time runs downward. Where the stream is free it falls straight; where a wall comes in under it, it runs down the wall;
-- under an overhang it falls free again. After the ledges of the left, the right and again the left wall it leaves at
-- the edge of the last ledge it has met.
-- Expect: the end at the edge of the last ledge, and the length of its path (sideways) to 1e-9.
-- Picture: moreau export water.h5 --to png

local T = 10
local start = param("start", -0.55, "where the stream enters, between -0.9 and 0.4")

-- a smooth ledge of the given reach around time c
local function ledge(t, c, width, reach)
    return reach * math.exp(-((t - c) / width) ^ 2)
end
local function left(t)
    return -1 + 0.1 * math.sin(1.7 * t) * math.exp(-((t - 5) / 3) ^ 2) + ledge(t, 2.2, 0.6, 1.15) + ledge(t, 7.4, 0.7, 0.95)
end
local function right(t)
    return 1.1 + 0.1 * math.cos(1.3 * t) - ledge(t, 4.8, 0.7, 1.45)
end

local p = sweep { x = {start}, h = 0.01, t_end = T, method = "event-driven",
                  set = gaps { function(t, x) return x[1] - left(t) end,
                               function(t, x) return right(t) - x[1] end } }

-- the largest of f over [a, b] by golden section; f has one peak there
local function peak(f, a, b)
    local g = (math.sqrt(5) - 1) / 2
    for _ = 1, 80 do
        local c, d = b - g * (b - a), a + g * (b - a)
        if f(c) > f(d) then b = d else a = c end
    end
    return f((a + b) / 2)
end

at_end(function(x)
    -- the three edges in the order in which the stream meets them
    local e1 = peak(left, 1, 3.5)
    local e2 = -peak(function(t) return -right(t) end, 3.5, 6)
    local e3 = peak(left, 6, 9)
    local u1 = math.max(start, e1)
    local u2 = math.min(u1, e2)
    local u3 = math.max(u2, e3)
    report("end", x[1])
    report("end_expected", u3)
    report("path_length", p.path_length)
    check("end", math.abs(x[1] - u3) < 1e-9, "the stream leaves at " .. x[1] .. ", expected " .. u3)
    check("length", math.abs(p.path_length - math.abs(u1 - start) - math.abs(u2 - u1) - math.abs(u3 - u2)) < 1e-9)
end)
