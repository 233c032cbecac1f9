-- A dry-stone wall of bricks in running bond at rest, on ground that may be tilted: up to six contacts per brick, more than its
-- three freedoms.  The problem of interest is that of the first step (bench/problems/make.py).

local courses = param("courses", 16, "number of courses")
local bricks = param("bricks", 16, "bricks in a full course")
local tilt = param("tilt", 0, "of gravity in the plane of the wall, degrees")
local mu = param("friction", 0.6, "between all bodies")
local L, H, g = 0.25, 0.1, 9.81
local a = math.rad(tilt)

world { dim = 2, h = 2e-3, t_end = 2e-3, gravity = { g * math.sin(a), -g * math.cos(a) },
        solver = { tol = 1e-2, max_iter = 200 } }
law { friction = mu }
body { shape = halfplane { normal = {0, 1}, offset = 0 }, fixed = true }
local brick = rectangle { L, H }
for row = 0, courses - 1 do
    local odd = row % 2
    for i = 0, bricks - 1 - odd do
        body { shape = brick, density = 1800, position = { (i + 0.5 + 0.5 * odd) * L, (row + 0.5) * H } }
    end
end
