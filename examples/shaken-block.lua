-- A block on a table that is shaken sideways hard enough to slip all the time.
--
-- Table x = A sin(w t); with mu g < 0.537 A w² the block never sticks once it has settled into the rhythm: its velocity is
-- a triangle wave of slopes ±mu g, with the peak pi mu g / (2 w) whatever the amplitude A.
-- Expect: half the span of the block's velocity over the last period equal to that peak to 1 %.

local mu = param("friction", 0.3, "between block and table")
local A = param("amplitude", 0.02, "of the table, m")
local w = param("frequency", 4, "cycles per second") * 2 * math.pi
local g, periods = 9.81, 30
local period = 2 * math.pi / w

world { dim = 2, h = period / 500, t_end = periods * period, gravity = {0, -g}, solver = { tol = 1e-10 },
        record = { every = period / 20, series = period / 100 } }
law { friction = mu }
body { shape = rectangle { 3, 0.1 }, group = "table",
       motion = function(t) return { x = A * math.sin(w * t), y = -0.05, angle = 0 } end }
local block = body { shape = rectangle { 0.2, 0.1 }, density = 2000, position = {0, 0.05}, name = "block" }

observe("velocity", function() return block.velocity[1] end)

state = state or {}
state.low, state.high = state.low or math.huge, state.high or -math.huge
on_step(function(t)
    if t >= (periods - 1) * period then
        state.low = math.min(state.low, block.velocity[1])
        state.high = math.max(state.high, block.velocity[1])
    end
end)

at_end(function()
    local peak, expected = 0.5 * (state.high - state.low), math.pi * mu * g / (2 * w)
    report("peak", peak)
    report("peak_expected", expected)
    report("slip_limit", mu * g / (A * w * w))
    check("always slipping", mu * g / (A * w * w) < 0.537, "choose a smaller friction or a larger amplitude")
    check("peak", math.abs(peak / expected - 1) < 0.01, "peak " .. peak .. " m/s, expected " .. expected .. " m/s")
end)
