-- A slowly rotating drum half full of grains.
--
-- The bed climbs with the wall and avalanches at its angle of repose.  In the mean the drum's torque carries the bed:
-- torque of the wall on the grains about the axis = weight times the sideways shift of their centre of mass.
-- Expect: the two agree to 5 % over the second half of the run (a quarter of a turn), the shift is to the rising side, and no grain is lost.

local n = param("grains", 700, "number of grains")
local mu = param("friction", 0.5, "between all bodies")
local omega = param("spin", 0.5, "of the drum, rad/s")
local R, r, g = 0.2, 0.005, 9.81
local T = math.pi / omega

world { dim = 2, h = 1e-3, t_end = T, gravity = {0, -g}, solver = { tol = 1e-3, max_iter = 20000 }, position_projection = true,
        record = { every = 0.05 } }
law { friction = mu }

local points = {}
for i = 0, 90 do
    points[#points + 1] = { R * math.cos(2 * math.pi * i / 90), R * math.sin(2 * math.pi * i / 90) }
end
local drum = body { shape = chain(points), group = "drum", motion = function(t) return { x = 0, y = 0, angle = omega * t } end }

-- grains on a lattice in the lower half
local grains, radii, mass = {}, {}, 0
local y = -R + 3 * r
while #grains < n do
    local half = math.sqrt(math.max(0, (R - 1.5 * r) ^ 2 - y * y)) - 1.5 * r
    local x = -half
    while x <= half and #grains < n do
        local radius = r * (0.8 + 0.35 * math.random())
        grains[#grains + 1] = body { shape = disc { radius = radius }, density = 2500, position = {x, y}, group = "grain" }
        radii[#grains] = radius
        mass = mass + 2500 * math.pi * radius ^ 2
        x = x + 2.35 * r
    end
    y = y + 2.35 * r
end

state = state or {}
state.torque, state.shift, state.count = state.torque or 0, state.shift or 0, state.count or 0
local masses = {}
for i, b in ipairs(grains) do masses[i] = 2500 * math.pi * radii[i] ^ 2 end
on_step(function(t)
    if t < T / 2 then return end
    -- force of the drum on the grains: impulse over the step, about the axis
    local torque = 0
    for c in contacts() do
        local first = c.body1.group == "drum"
        if first or c.body2.group == "drum" then
            local nx, ny, S = c.normal[1], c.normal[2], c.impulse
            local px, py = nx * S[1] - ny * S[2], ny * S[1] + nx * S[2]
            local side = first and -1 or 1
            torque = torque + side * (c.point[1] * py - c.point[2] * px) / 1e-3
        end
    end
    state.torque, state.count = state.torque + torque, state.count + 1
    local x = 0
    for i, b in ipairs(grains) do x = x + masses[i] * b.position[1] end
    state.shift = state.shift + x / mass
end)

at_end(function()
    local torque, x = state.torque / state.count, state.shift / state.count
    local lost = 0
    for _, b in ipairs(grains) do
        if b.position[1] ^ 2 + b.position[2] ^ 2 > R * R then lost = lost + 1 end
    end
    report("torque", torque)
    report("weight_times_shift", mass * g * x)
    report("bed_angle_degrees", math.deg(math.atan(x, R / 2)))
    report("lost", lost)
    check("torque carries the bed", math.abs(torque / (mass * g * x) - 1) < 0.05,
          "torque " .. torque .. ", weight times shift " .. mass * g * x)
    check("rising side", x > 0)
    check("no grain lost", lost == 0)
end)
