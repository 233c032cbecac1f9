-- A dense packing of discs of dispersed sizes between two walls, laid one after another into the lowest pocket that carries
-- them: each touches the two below it, exactly, and more by chance.  At rest, or with a random velocity each.

local n = param("grains", 500, "number of discs")
local speed = param("speed", 0, "standard deviation of each component of velocity, m/s")
local mu = param("friction", 0.5, "between all bodies")
local r, g = 0.01, 9.81
local width = 2.1 * r * math.ceil(math.sqrt(n))

world { dim = 2, h = 1e-3, t_end = 1e-3, gravity = {0, -g}, solver = { tol = 1e-2, max_iter = 200 } }
law { friction = mu }
body { shape = halfplane { normal = {1, 0}, offset = 0 }, fixed = true }
body { shape = halfplane { normal = {-1, 0}, offset = -width }, fixed = true }

local function normal()
    return math.sqrt(-2 * math.log(1 - math.random())) * math.cos(2 * math.pi * math.random())
end

-- discs by cells of the largest diameter
local cell, cells = 2.6 * r, {}
local function key(x, y) return math.floor(x / cell) * 1000003 + math.floor(y / cell) end
local function remember(d)
    local k = key(d.x, d.y)
    cells[k] = cells[k] or {}
    table.insert(cells[k], d)
end
-- the nine cells around, the nearest first
local around = { 0, -1, 1, -1000003, 1000003, -1000004, -1000002, 1000002, 1000004 }
local function is_free(x, y, radius)
    local here, slack = key(x, y), 1 - 1e-12
    for i = 1, 9 do
        local list = cells[here + around[i]]
        for k = 1, list and #list or 0 do
            local d = list[k]
            local dx, dy, R = d.x - x, d.y - y, (d.r + radius) * slack
            if dx * dx + dy * dy < R * R then return false end
        end
    end
    return true
end

-- where a disc rests on two, a left of b, or on one and a wall; nil where it would not
local function on_two(a, b, radius)
    local dx, dy = b.x - a.x, b.y - a.y
    local d = math.sqrt(dx * dx + dy * dy)
    local A, B = a.r + radius, b.r + radius
    if d >= A + B then return nil end
    local along = (A * A - B * B + d * d) / (2 * d)
    local up = A * A - along * along
    if up <= 0 then return nil end
    up = math.sqrt(up)
    local x, y = a.x + (along * dx - up * dy) / d, a.y + (along * dy + up * dx) / d
    if x <= a.x or x >= b.x or x < radius or x > width - radius then return nil end
    return x, y
end
local function on_wall(a, radius, x)
    local up = (a.r + radius) ^ 2 - (a.x - x) ^ 2
    if up <= 0 then return nil end
    return x, a.y + math.sqrt(up)
end

-- pairs that may carry a disc: two discs, the left one first, or a disc and a wall
local least, most = 0.7 * r, 1.3 * r
local pairs_open = {}
local function place_on(p, radius)
    if p.wall == nil then return on_two(p.a, p.b, radius) end
    return on_wall(p.a, radius, p.wall == "left" and radius or width - radius)
end
local function fits(p, radius)
    local x, y = place_on(p, radius)
    return x ~= nil and is_free(x, y, radius)
end
-- low: no disc lies lower on this pair
local function offer(p)
    if not (fits(p, least) or fits(p, most)) then return end
    local _, y = place_on(p, least)
    p.low = y or math.min(p.a.y, (p.b or p.a).y)
    pairs_open[#pairs_open + 1] = p
end

-- a new disc makes pairs with those within reach of the largest
local function add(d)
    local reach = d.r + 3 * most
    for i = -math.ceil(reach / cell), math.ceil(reach / cell) do
        for j = -math.ceil(reach / cell), math.ceil(reach / cell) do
            for _, o in ipairs(cells[key(d.x + i * cell, d.y + j * cell)] or {}) do
                if (o.x - d.x) ^ 2 + (o.y - d.y) ^ 2 < (o.r + d.r + 2 * most) ^ 2 then
                    if o.x < d.x then offer { a = o, b = d } elseif o.x > d.x then offer { a = d, b = o } end
                end
            end
        end
    end
    if d.x < d.r + 2 * most then offer { a = d, wall = "left" } end
    if d.x > width - d.r - 2 * most then offer { a = d, wall = "right" } end
    remember(d)
end

-- the lowest place for a radius; pairs that can carry no disc any more are forgotten
local function lowest(radius)
    local bx, by = nil, math.huge
    local i = 1
    while i <= #pairs_open do
        local p = pairs_open[i]
        local x, y, free = nil, nil, p.low >= by
        if not free then
            x, y = place_on(p, radius)
            free = x ~= nil and (y >= by or is_free(x, y, radius))
        end
        if free and y and y < by then bx, by = x, y end
        if free or fits(p, least) or fits(p, most) then
            i = i + 1
        else
            pairs_open[i] = pairs_open[#pairs_open]
            pairs_open[#pairs_open] = nil
        end
    end
    return bx, by
end

-- a rough floor of fixed discs
local x = 0
while x <= width do
    body { shape = disc { radius = r }, position = { x, -r }, fixed = true }
    add { x = x, y = -r, r = r }
    x = x + 2.2 * r
end

for _ = 1, n do
    local radius = least + (most - least) * math.random()
    local px, py = lowest(radius)
    if px == nil then error("no pocket left for a disc") end
    body { shape = disc { radius = radius }, density = 2600, position = { px, py },
           velocity = { speed * normal(), speed * normal() } }
    add { x = px, y = py, r = radius }
end
