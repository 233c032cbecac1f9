-- A ball bounces on a floor infinitely often in a finite time, and rests.
--
-- Dropped from the height H, it first hits after t1 = sqrt(2 H / g); each flight lasts e times the one before, so that the
-- impacts accumulate at t1 (1 + e) / (1 - e). The event-driven scheme locates each one, sees them accumulate, and goes on
-- with the ball at rest.
-- Expect: impact k at t1 (1 + 2 e (1 - e^(k - 1)) / (1 - e)) to 1e-9, the accumulation at its closed form to 1e-6, all energy lost
-- in impacts to 1e-9, and the floor pushing with m g from then on.
-- Picture: moreau export bouncing-ball.h5 --to png

local H = param("height", 1, "m")
local e = param("restitution", 0.7, "of ball and floor")
local g, m = 9.81, 0.5
local t1 = math.sqrt(2 * H / g)
local rest = t1 * (1 + e) / (1 - e)
local h = rest / 400

local p = system { q = H, u = 0, mass = m, force = function(t, q) return -m * g end,
                   potential = function(t, q) return m * g * q[1] end,
                   gaps = { function(t, q) return q[1] end }, restitution = e,
                   scheme = "event-driven", h = h, t_end = 1.25 * rest }

state.t, state.q = { 0 }, { H }
stop_when(function(t)
    local k = #state.t + 1
    state.t[k], state.q[k] = t, p.q[1]
end)

at_end(function(q, u)
    local numbers, times, off, at = {}, {}, 0, nil
    for _, event in ipairs(p.events) do
        if event.type == "impact" then
            local k = #times + 1
            local exact = t1 * (1 + 2 * e * (1 - e ^ (k - 1)) / (1 - e))
            numbers[k], times[k] = k, rest - event.t
            off = math.max(off, math.abs(event.t - exact))
        elseif event.type == "accumulation" then
            at = event.t
        end
    end
    report("impacts", #times)
    report("impact_times_off", off)
    report("accumulation", at or 0)
    report("accumulation_exact", rest)
    check("impacts", #times >= 10 and off < 1e-9, #times .. " impacts, off by " .. off)
    check("accumulation", at and math.abs(at - rest) < 1e-6 and p.accumulations == 1)
    check("at rest", math.abs(q[1]) < 1e-9 and math.abs(u[1]) < 1e-9)
    check("energy", math.abs(p.energy.loss - m * g * H) < 1e-9 * m * g * H, "lost " .. p.energy.loss)
    check("weight", math.abs(p.lambda[1] / h - m * g) < 1e-9, "floor pushes with " .. p.lambda[1] / h)
    plot { title = "height", x = "time (s)", y = "q (m)",
           curves = { { name = "ball", x = state.t, y = state.q },
                      { name = "accumulation", x = { rest, rest }, y = { 0, H }, style = "dashed" } } }
    plot { title = "time left to the accumulation", x = "number of the impact", y = { label = "s", log = true },
           curves = { { name = "impacts", x = numbers, y = times, style = "both" } } }
end)
