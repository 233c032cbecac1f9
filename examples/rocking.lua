-- A block rocks from one corner to the other (MJ96 §5).
--
-- Width 2b, height 2h, restitution 0, no slip: at the impact the spin keeps the share 1 - (3/2) sin²(alpha),
-- tan(alpha) = b/h, while the impulse at the corner it leaves vanishes.  Newton's rule at both corners would forbid it.
-- Expect: the ratio of spins to within the change that gravity makes in one step.

local slenderness = param("slenderness", 3, "height over width, at least 1")
local tilt = param("tilt", 0.02, "angle at the start, rad")
local b = 0.1
local half = b * slenderness
local alpha, r = math.atan(b, half), math.sqrt(b * b + half * half)
local step = 1e-4

world { dim = 2, h = step, t_end = 3, gravity = {0, -9.81}, solver = { tol = 1e-12 }, record = { every = 0.02 } }
law { friction = 2, restitution = 0 }
body { shape = halfplane { normal = {0, 1}, offset = 0 }, fixed = true }
-- on its left corner, which is at (-b, 0)
local block = body { shape = rectangle { 2 * b, 2 * half }, density = 2000, angle = tilt, name = "block",
                     position = { -b + r * math.sin(alpha - tilt), r * math.cos(alpha - tilt) } }

observe("angle", function() return block.angle end)
observe("spin", function() return block.spin end)

local expected = 1 - 1.5 * math.sin(alpha) ^ 2
state = state or {}
state.spin = 0

stop_when(function(t)
    local before, now = state.spin, block.spin
    state.spin = now
    -- the only step in which the falling block loses much of its spin
    if before < -1e-3 and now > 0.99 * before then
        state.before, state.after = before, now
        return true
    end
    return false
end)

at_end(function()
    check("impact", state.before ~= nil, "the block did not reach its other corner")
    if not state.before then return end
    local ratio = state.after / state.before
    report("ratio", ratio)
    report("ratio_expected", expected)
    local tolerance = 4 * step * 9.81 / (r * math.abs(state.before))
    check("ratio", math.abs(ratio - expected) < tolerance, "kept " .. ratio .. ", expected " .. expected)
end)
