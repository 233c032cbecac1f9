-- A large disc rises among small ones in a shaken box, and the small ones circulate (Moreau 1995, as MJ96 section 5 tells of it).
--
-- Discs of slightly different sizes fill a box; one disc several times larger lies at the bottom. The box goes up and down as a
-- sine. Friction at the side walls drags grains down along them while the box falls back, and they rise in the middle: two
-- rolls, which carry the large disc to the top, where it stays since it does not fit into the thin layers that sink. Without
-- friction at the walls (wall_friction=0) there are no such rolls.
-- Known from the texts: that convection and size segregation come out as in experiments. Not known, and chosen here: all numbers.
-- Expect: the large disc rises by more than 0.3 of the depth of the bed in 200 cycles; on the average grains rise in the middle
-- and sink at the walls.  How soon it is at the surface differs from sample to sample: with seed 1 it is on its way there still.
-- Picture: moreau export segregation.h5 --to png --what plots

local n = param("grains", 270, "number of small discs")
local cycles = param("cycles", 200, "of shaking")
local frequency = param("frequency", 12, "of shaking, Hz")
local push = param("acceleration", 4, "largest of the box, over that of gravity")
local mu = param("friction", 0.4, "between grains")
local wall_mu = param("wall_friction", 0.8, "between grains and walls")
local size = param("intruder", 3.5, "radius of the large disc over the mean of the small ones")
local per_cycle = param("steps", 60, "time steps in a cycle")
local r, g, density = 0.005, 9.81, 2600
local w = 2 * math.pi * frequency
local A, h, still = push * g / (w * w), 1 / (frequency * per_cycle), 0.4
local width = 36 * r
local rest = math.ceil(still / h) * h

world { dim = 2, h = h, t_end = rest + cycles / frequency, gravity = {0, -g}, solver = { name = "nlgs", tol = 1e-3, max_iter = 20000 },
        position_projection = true, record = { every = 1 / frequency } }
law { friction = mu, restitution = 0.3 }
law { between = { "grain", "wall" }, friction = wall_mu }
law { between = { "large", "wall" }, friction = wall_mu }
-- floor and two walls that move together
local function shake(t) return t < rest and 0 or A * math.sin(w * (t - rest)) end
local function boundary(normal, x)
    return body { shape = halfplane { normal = normal }, group = "wall", motion = function(t) return { x = x, y = shake(t) } end }
end
local floor = boundary({0, 1}, 0)
boundary({1, 0}, 0)
boundary({-1, 0}, width)

-- the large disc at the bottom, small ones on a lattice around and above it, farther apart than the largest are wide (2.3 r)
local R, apart = size * r, 2.31 * r
local large = body { shape = disc { radius = R }, density = density, group = "large", position = { width / 2, R } }
local grains, row = {}, 0
while #grains < n do
    for k = -7, 7 do
        local x, y = width / 2 + k * apart + (row % 2 - 0.5) * 0.6 * r, r * (1.3 + 2.4 * row)
        if #grains < n and (x - width / 2) ^ 2 + (y - R) ^ 2 > (R + 1.3 * r) ^ 2 then
            grains[#grains + 1] = body { shape = disc { radius = r * (0.85 + 0.3 * math.random()) }, density = density, group = "grain",
                                         position = { x, y } }
        end
    end
    row = row + 1
end

-- ---- once a cycle, where the box goes up through its middle -------------------------------------------------------------------------
local cells = 9
state.cycle, state.place, state.roll = 0, {}, {}
state.path = { {}, {}, {} } -- cycle, height of the large disc, height of the surface
local function surface()
    local y = {}
    for i, b in ipairs(grains) do y[i] = b.position[2] end
    table.sort(y)
    return y[#y - #y // 20]
end
local function cell_of(x, y)
    return math.floor(cells * x / width), math.floor(cells * y / width)
end
local function add(x, y, dx, dy)
    local i, j = cell_of(x, y)
    local key = 100 * j + i
    local c = state.roll[key] or { 0, 0, 0 }
    state.roll[key] = { c[1] + 1, c[2] + dx, c[3] + dy }
end
local function look()
    for k, b in ipairs(grains) do
        local p, q = b.position, state.place[k]
        if q then add((p[1] + q[1]) / 2, (p[2] + q[2]) / 2, p[1] - q[1], p[2] - q[2]) end
        state.place[k] = { p[1], p[2] }
    end
    table.insert(state.path[1], state.cycle)
    table.insert(state.path[2], large.position[2])
    table.insert(state.path[3], surface())
end
on_step(function(t)
    if t < rest - h / 2 + state.cycle / frequency then return end
    if state.cycle == 0 then state.begin = large.position[2] end
    look()
    state.cycle = state.cycle + 1
end)
observe("height of the large disc", function() return large.position[2] - floor.position[2] end)

-- ---- results --------------------------------------------------------------------------------------------------------------------------
-- mean way per cycle in cells that were visited often enough
local function rolls()
    local x, y, dx, dy, most = {}, {}, {}, {}, 1e-12
    for key, c in pairs(state.roll) do
        local i, j = key % 100, key // 100
        if c[1] >= 2 * state.cycle then -- a full cell holds four
            local k = #x + 1
            x[k], y[k] = (i + 0.5) * width / cells, (j + 0.5) * width / cells
            dx[k], dy[k] = c[2] / c[1], c[3] / c[1]
            most = math.max(most, math.sqrt(dx[k] ^ 2 + dy[k] ^ 2))
        end
    end
    return x, y, dx, dy, most
end
-- mean way upward per cycle in the middle third and beside the walls (a ninth each)
local function upward(lists)
    local middle, edge, nm, ne = 0, 0, 0, 0
    for k = 1, #lists[1] do
        local s = lists[1][k] / width
        if s > 1 / 3 and s < 2 / 3 then middle, nm = middle + lists[4][k], nm + 1 end
        if s < 1 / 9 or s > 8 / 9 then edge, ne = edge + lists[4][k], ne + 1 end
    end
    return middle / nm, edge / ne
end

at_end(function()
    check("long enough", state.begin ~= nil, "it ended before the first cycle")
    if not state.begin then return end
    look()
    local x, y, dx, dy, most = rolls()
    for k = 1, #state.path[1] - 1 do -- the bed may repeat itself every other cycle: means of two
        for i = 1, 3 do state.path[i][k] = (state.path[i][k] + state.path[i][k + 1]) / 2 end
    end
    for i = 1, 3 do table.remove(state.path[i]) end
    local middle, edge = upward { x, y, dx, dy }
    local depth = state.path[3][1]
    local rise = (large.position[2] - state.begin) / depth
    local scale = 0.9 * width / cells / most
    for k = 1, #x do dx[k], dy[k] = scale * dx[k], scale * dy[k] end
    plot { title = "mean way of the grains in a cycle, " .. string.format("%.0f times", scale), x = "x (m)", y = "y (m)", equal = true,
           curves = { { x = x, y = y, dx = dx, dy = dy, style = "arrows" } } }
    plot { title = "the large disc", x = "cycles", y = "height (m)",
           curves = { { name = "large disc", x = state.path[1], y = state.path[2] },
                      { name = "surface", x = state.path[1], y = state.path[3], style = "dashed" } } }
    report("rise_over_depth", rise)
    report("middle_mm_per_cycle", 1000 * middle)
    report("edge_mm_per_cycle", 1000 * edge)
    report("fastest_mm_per_cycle", 1000 * most)
    local up
    for k, v in ipairs(state.path[2]) do
        if not up and v > state.path[3][k] - 1.5 * R then up = state.path[1][k] end
    end
    report("cycles_to_the_surface", up or 0 / 0)
    if wall_mu >= 0.5 and cycles >= 100 then
        check("the large disc rises", rise > 0.3, "by " .. rise .. " of the depth")
        check("rolls", middle > 0 and edge < 0, "middle " .. middle .. ", walls " .. edge .. " m")
    end
end)
