-- Blocks of many shapes rock from one corner to the other (MJ96 section 5).
--
-- Each block stands tilted on its left corner, falls, and hits the ground with the right one. Restitution is 0 and friction is so
-- large that no corner slips. Newton's rule at both corners would stop every block. A complete contact law lets the left corner
-- rise while its impulse vanishes: the block keeps the share 1 - (3/2) sin²(alpha) of its spin, tan(alpha) = width/height, as
-- Housner found; where that is not positive, the block stops. "The result depends on the aspect ratio, in conformance with
-- common observation" is all that the paper says of it; sizes and ratios are chosen here.
-- Expect: the share within what gravity changes in a step, and how many times each block rocks before its spin has fallen to a
-- tenth of the first: log(0.1) / log(share), to within one.
-- Picture: moreau export rocking.h5 --to png --what plots

local count = param("blocks", 16, "from half as high as wide to five times as high")
local h = param("h", 1e-4, "time step, s")
local seconds = param("seconds", 8, "length of the run")
local tilt, wide, g, settle = 0.03, 0.2, 9.81, 4

world { dim = 2, h = h, t_end = seconds, gravity = {0, -g}, solver = { tol = 1e-12 }, record = { every = 0.02 } }
law { friction = 50, restitution = 0 }
body { shape = halfplane { normal = {0, 1} }, fixed = true }
local blocks = {}
local function share_of(alpha) return math.max(0, 1 - 1.5 * math.sin(alpha) ^ 2) end
for k = 1, count do
    local ratio = 0.5 * 10 ^ ((k - 1) / (count - 1)) -- height over width
    local b = wide / 2
    local half = b * ratio
    local alpha, r = math.atan(b, half), math.sqrt(b * b + half * half)
    local corner = 2 * wide * k
    blocks[k] = { ratio = ratio, alpha = alpha, r = r, body = body { shape = rectangle { 2 * b, 2 * half }, density = 2000, angle = tilt,
                  position = { corner + r * math.sin(alpha - tilt), r * math.cos(alpha - tilt) }, name = "block" .. k } }
end

-- the first impact is a step that changes the spin by far more than gravity can; later ones are counted where the angle changes
-- sign, if the block came with more than a tenth of the first spin
state.before, state.angle, state.first, state.impacts, state.came = {}, {}, {}, {}, {}
stop_when(function(t)
    for k, b in ipairs(blocks) do
        local old, new = state.before[k] or 0, b.body.spin
        if math.abs(new - old) > 0.02 * math.abs(old) + 4 * h * g / b.r and math.abs(old) > 1e-2 then
            if not state.first[k] then state.first[k], state.impacts[k] = { old, new, t }, 1 end
        end
        local angle = b.body.angle
        state.came[k] = math.max(state.came[k] or 0, math.abs(old))
        if state.first[k] and (t <= state.first[k][3] + 20 * h or angle * state.angle[k] < 0) then
            if t > state.first[k][3] + 20 * h and state.came[k] > 0.1 * math.abs(state.first[k][1]) then
                state.impacts[k] = state.impacts[k] + 1
            end
            state.came[k] = math.abs(new)
        end
        state.angle[k] = angle
        -- what is left some steps later: of a block that stops the left corner may lie a hair above the ground and close a step after
        local first = state.first[k]
        if first and t < first[3] + (settle + 0.5) * h then first[2] = new end
        state.before[k] = new
    end
    return false
end)

at_end(function()
    local x, y, fine, formula, worst, rocks, expected = {}, {}, {}, {}, 0, {}, {}
    for k, b in ipairs(blocks) do
        local share = share_of(b.alpha)
        check("hit" .. k, state.first[k] ~= nil, "block " .. k .. " did not fall")
        if state.first[k] == nil then return end
        local old, new = table.unpack(state.first[k])
        x[k], y[k] = b.ratio, new / old
        -- gravity in these steps, over the spin
        local allowed = (settle + 1) * 2 * h * g / (b.r * math.abs(old))
        worst = math.max(worst, math.abs(y[k] - share) / allowed)
        check("share " .. k, math.abs(y[k] - share) < allowed, y[k] .. ", expected " .. share)
        rocks[k], expected[k] = state.impacts[k] or 0, share > 0 and math.log(0.1) / math.log(share) or 1
        if state.came[k] < 0.1 * math.abs(old) then -- the run was long enough
            check("rocks " .. k, math.abs(rocks[k] - expected[k]) <= 1, rocks[k] .. ", expected " .. expected[k])
        end
    end
    for i = 0, 200 do
        fine[i + 1] = 0.5 * 10 ^ (i / 200)
        formula[i + 1] = share_of(math.atan(1, fine[i + 1]))
    end
    plot { title = "first impact", x = { label = "height / width", log = true }, y = "share of the spin that is kept",
           curves = { { name = "1 - 3/2 sin²α, or 0", x = fine, y = formula }, { name = "computed", x = x, y = y, style = "points" } } }
    plot { title = "impacts until a tenth of the spin is left", x = { label = "height / width", log = true }, y = "impacts",
           curves = { { name = "computed", x = x, y = rocks, style = "both" }, { name = "log 0.1 / log share", x = x, y = expected, style = "dashed" } } }
    report("ratio", x)
    report("kept", y)
    report("worst_over_allowed", worst)
    report("impacts", rocks)
end)
