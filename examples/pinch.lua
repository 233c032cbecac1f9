-- A box hangs between two plates by friction alone, for a minute, while the plates shake it.
--
-- The left plate is moved along a figure of Lissajous in its own plane; the right one is pressed against the box by a force F and
-- hangs from it by friction too.  The left face carries (m1 + m2)(g + a), the right one m2 (g + a): both are below mu F, so that
-- nothing may slip.  Friction and pressure are spread over four corners each, with which the statics have many answers.
-- After whole periods the box must be where it was, relative to the plate: a scheme that creeps would let it sink step by step.
-- (Within a period box and plate differ by up to h |v|: the box has the velocity that the plate had in the middle of the step.)
-- Expect: displacement below 1e-9 m after 60 s.

local T = param("seconds", 60, "how long, whole seconds")
local press = param("press", 60, "force on the right plate, N")
local mu = param("mu", 0.5, "friction")
local step = param("h", 1e-3, "time step, s")
local size, plate_mass, box_mass, g = 0.1, 0.5, 1, 9.81
local A, w = 0.002, 2 * math.pi

world { dim = 3, h = step, t_end = T, gravity = {0, 0, -g}, solver = { tol = 1e-13 }, record = { every = 0.05 } }
law { friction = mu }

local shake = { y = function(t) return A * math.sin(2 * w * t) end, z = function(t) return A * math.sin(w * t) end }
local thick = 0.02
local left = body { shape = box { thick, 2 * size, 2 * size }, position = { -0.5 * (size + thick), 0, 0 }, name = "left",
                    motion = function(t) return { y = shake.y(t), z = shake.z(t) } end }
local start = { 0, 2 * A * w, A * w }
local held = body { shape = box { size, size, size }, mass = box_mass, name = "held", velocity = start }
-- it moves, but does not turn
local right = body { shape = box { thick, 2 * size, 2 * size }, mass = plate_mass, position = { 0.5 * (size + thick), 0, 0 }, name = "right",
                     free = { "x", "y", "z" }, applied_force = { -press, 0, 0 }, velocity = start }

local function relative(b)
    local p, q = b.position, left.position
    return { p[1], p[2] - q[2], p[3] - q[3] }
end
local at = { held = relative(held), right = relative(right) }
local function away(b, from)
    local p = relative(b)
    return math.sqrt((p[1] - from[1]) ^ 2 + (p[2] - from[2]) ^ 2 + (p[3] - from[3]) ^ 2)
end

observe("sunk", function() return at.held[3] - relative(held)[3] end)
state.within = 0
stop_when(function()
    state.within = math.max(state.within, away(held, at.held))
    return false
end)

at_end(function()
    local moved = { away(held, at.held), away(right, at.right) }
    local q = held.orientation
    local turned = 2 * math.sqrt(q[2] ^ 2 + q[3] ^ 2 + q[4] ^ 2)
    -- largest acceleration of the plate, over both directions
    local a = A * w * w * math.sqrt(17)
    report("moved", moved)
    report("turned", turned)
    report("within_a_period", state.within)
    check("loaded", (plate_mass + box_mass) * (g + a) < mu * press, "the friction asked for is above mu F")
    check("held", moved[1] < 1e-9 and moved[2] < 1e-9, "moved by " .. moved[1] .. " and " .. moved[2] .. " m")
    check("unturned", turned < 1e-9, "turned by " .. turned)
    check("within", state.within < 1.01 * step * A * w * math.sqrt(5), "off by " .. state.within .. " m within a period")
end)
