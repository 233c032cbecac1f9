-- A block on a floor is pulled, harder and harder if you like: it stays until the pull exceeds the friction.
--
-- The force is a live parameter: run it with --live --pace 1 and change it on the page. Left alone the pull F stays at its
-- first value: the block rests while F <= mu m g, and beyond slides with the acceleration a = F/m - mu g, so that after N
-- steps of length h it has gone a h^2 N^2/2 (trapezoidal rule: exact for constant a).
-- Expect: no motion at all with the default pull of 3 N (mu m g = 4.905 N); with --set pull=8, x = a t^2/2 to 1e-9.
-- Picture: moreau export pulled-block.h5 --to png

local pull = live("pull", 3.0, "force on the block, N")
local mu = param("friction", 0.5, "of block and floor")
local t_end = param("t_end", 2, "s")
local g, m, h = 9.81, 1, 1e-3

world { dim = 2, h = h, t_end = t_end, gravity = { 0, -g }, record = { every = 0.02 } }
law { friction = mu }
body { shape = halfplane { normal = { 0, 1 }, offset = 0 }, fixed = true, group = "floor" }
local block = body { shape = rectangle { 0.4, 0.1 }, mass = m, position = { 0, 0.05 }, name = "block" }

local first = pull()
on_step(function(t)
    block.applied_force = { pull(), 0 }
    state.changed = state.changed or pull() ~= first
end)
observe("pull", function(t) return pull() end)
observe("friction", function(t) return block.force[1] end)
observe("velocity", function(t) return block.velocity[1] end)
observe_bodies("distance", function(b) return b.kind == "dynamic" and b.position[1] or nil end)

at_end(function()
    local a = math.max(0, first / m - mu * g)
    report("x", block.position[1])
    report("velocity", block.velocity[1])
    report("changed", state.changed or false)
    if not state.changed then
        check("distance", math.abs(block.position[1] - a * t_end ^ 2 / 2) < 1e-9, "a pulled block goes a t^2/2")
        check("velocity", math.abs(block.velocity[1] - a * t_end) < 1e-9, "at the velocity a t")
    end
end)
