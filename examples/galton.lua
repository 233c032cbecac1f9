-- Galton's board: balls rain through a lattice of pegs (generate.lattice, generate.rain).
--
-- Discs fall one after another from one place, scattered by less than their radius, through rows of fixed pegs and land in bins.
-- At every row a ball goes left or right; after k rows of independent choices its place would have a standard deviation of
-- sqrt(k)/2 distances of the pegs (0 on average).  Balls keep some of their sideways speed, so that they spread wider.
-- Expect: as many balls as were let go, a mean within four standard errors of 0, and a spread between half and twice the
-- binomial one.

local n = param("balls", 200, "number of balls")
local rows = param("rows", 10, "rows of pegs")
local d, peg, r = 0.05, 0.006, 0.012
local every = param("interval", 0.06, "time between two balls, s")
local height = rows * d * math.sqrt(3) / 2
local wide = 0.5 * rows * d + 4 * d

world { dim = 2, h = 1e-3, t_end = n * every + 3, gravity = {0, -9.81}, solver = { tol = 1e-6 } }
law { friction = 0.1, restitution = 0.3 }

local half = math.ceil(wide / d)
generate.lattice { kind = "triangular", radius = peg, spacing = d, counts = {2 * half + 1, rows},
                   position = {-half * d, 0}, fixed = true, group = "peg" }
-- bins between walls, one for each gap of the lowest row
local floor_at = -12 * d
body { shape = halfplane { normal = {0, 1}, offset = floor_at }, fixed = true }
for i = -half - 1, half do
    body { shape = segment { {(i + 0.5) * d, floor_at}, {(i + 0.5) * d, -2 * d} }, fixed = true }
end
body { shape = halfplane { normal = {1, 0}, offset = -wide - d }, fixed = true }
body { shape = halfplane { normal = {-1, 0}, offset = -wide - d }, fixed = true }

-- from above a peg of the top row (or between two, as rows are even or odd), so that left and right are alike
local balls = generate.rain { count = n, interval = every, position = {(rows - 1) % 2 * 0.5 * d, height + d},
                              scatter = 0.5 * r, speed = 0.5, radius = r, density = 1000, group = "ball", name = "ball" }
local centre = (rows - 1) % 2 * 0.5 * d
observe("balls", function() return #balls end)

at_end(function()
    local sum, square, landed = 0, 0, 0
    for _, b in ipairs(balls) do
        local x = (b.position[1] - centre) / d
        sum, square = sum + x, square + x * x
        if b.position[2] < 0 then landed = landed + 1 end
    end
    local mean = sum / #balls
    local spread = math.sqrt(square / #balls - mean ^ 2)
    report("landed", landed)
    report("mean", mean)
    report("spread", spread)
    report("binomial_spread", math.sqrt(rows) / 2)
    check("all landed", landed == n and #balls == n, landed .. " of " .. n)
    check("mean", math.abs(mean) < 4 * spread / math.sqrt(n), tostring(mean))
    check("spread", spread > 0.25 * math.sqrt(rows) and spread < math.sqrt(rows), tostring(spread))
end)
