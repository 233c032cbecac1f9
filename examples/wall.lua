-- A wall of bricks at rest: 20 courses in running bond, laid without mortar.
--
-- Nothing moves, and the ground carries the weight: its reaction is that of Coulomb contacts between 190 rigid bricks,
-- solved to 1e-10.
-- Expect: ground force equal to the weight to 1e-8 of it, top displaced by less than 1e-9 m.

local courses = param("courses", 20, "number of courses")
local bricks = param("bricks", 10, "bricks in a full course")
local L, H, density, g = 0.25, 0.1, 1800, 9.81

world { dim = 2, h = 2e-3, t_end = 0.2, gravity = {0, -g}, solver = { tol = 1e-10, max_iter = 100000 },
        record = { every = 0.05 } }
law { friction = 0.6 }
local ground = body { shape = halfplane { normal = {0, 1}, offset = 0 }, fixed = true, name = "ground" }

local weight, top = 0, nil
for row = 0, courses - 1 do
    local odd = row % 2
    for i = 0, bricks - 1 - odd do
        top = body { shape = rectangle { L, H }, density = density, group = odd == 0 and "even" or "odd",
                     position = { (i + 0.5 + 0.5 * odd) * L, (row + 0.5) * H } }
        weight = weight + density * L * H * g
    end
end
local x, y = top.position[1], top.position[2]

at_end(function()
    local force = -ground.force[2]
    local moved = math.sqrt((top.position[1] - x) ^ 2 + (top.position[2] - y) ^ 2)
    report("weight", weight)
    report("ground_force", force)
    report("relative_error", force / weight - 1)
    report("top_moved", moved)
    check("ground carries the weight", math.abs(force / weight - 1) < 1e-8, "off by " .. force / weight - 1)
    check("stands still", moved < 1e-9, "the top moved by " .. moved .. " m")
end)
