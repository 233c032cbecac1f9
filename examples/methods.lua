-- The five methods on the same process: error against time step.
--
-- The process is the tractrix (see that example), where the solution is known. Each method runs with time steps 0.1,
-- 0.05, ...; the slope of log(error) against log(step) is its order.
-- Expect: order 1 for catching-up, penalty (with lambda = 10 / h) and lazy, 2 for theta = 1/2, each to 0.1; the
-- event-driven method is right to 1e-10 at every step.
-- Picture: moreau export methods.h5 --to png

local T = 2
local disc = ball { center = function(t) return {t, 0} end, radius = 1 }

local function error_of(x)
    local theta = 2 * math.atan(math.exp(-T))
    return math.sqrt((x[1] - T + math.cos(theta)) ^ 2 + (x[2] - math.sin(theta)) ^ 2)
end

-- slope of the straight line through (log h, log e)
local function order_of(hs, es)
    local n, sx, sy, sxx, sxy = #hs, 0, 0, 0, 0
    for k = 1, n do
        local X, Y = math.log(hs[k]), math.log(es[k])
        sx, sy, sxx, sxy = sx + X, sy + Y, sxx + X * X, sxy + X * Y
    end
    return (n * sxy - sx * sy) / (n * sxx - sx * sx)
end

sweep { x = {0, 1}, h = 0.01, t_end = T, set = disc }

at_end(function()
    local expected = { ["catching-up"] = 1, theta = 2, penalty = 1, lazy = 1 }
    local curves = {}
    for _, method in ipairs { "catching-up", "theta", "penalty", "lazy", "event-driven" } do
        local hs, es, worst = {}, {}, 0
        for k = 0, 6 do
            local h = 0.1 / 2 ^ k
            local r = trial { x = {0, 1}, h = h, t_end = T, set = disc, method = method }
            hs[#hs + 1], es[#es + 1] = h, error_of(r.x)
            worst = math.max(worst, es[#es])
        end
        local order = order_of(hs, es)
        report("error of " .. method, es)
        if expected[method] then
            report("order of " .. method, order)
            check("order of " .. method, math.abs(order - expected[method]) < 0.1, "order " .. order)
        else
            check(method, worst < 1e-10, "error " .. worst)
        end
        local label = expected[method] and string.format("%s, order %.2f", method, order) or method
        curves[#curves + 1] = { name = label, x = hs, y = es, style = "both" }
    end
    plot { title = "tractrix: error at t = 2", x = { label = "time step", log = true },
           y = { label = "distance to the solution", log = true }, curves = curves }
end)
