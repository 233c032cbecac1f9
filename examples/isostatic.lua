-- How many contacts has a packing of rigid grains without friction?  As many as it has freedoms: 4 per disc, 6 per sphere.
--
-- Samples of three sizes are pressed together without friction (generate.compressed).  Rigid grains of sizes that differ come to
-- rest when contacts just suffice to carry the load: one force for every freedom (Moukarzel, Phys. Rev. Lett. 81, 1634, 1998;
-- Roux, Phys. Rev. E 61, 6802, 2000).  Of N grains R are rattlers, without load; the others have dim (N - R) freedoms and the
-- pistons, one along each axis, dim more.  Contacts are counted here from the places alone: pairs and walls closer than 1e-7 of
-- the mean radius, without grains that have dim contacts or less, again and again until none of these is left.
-- With W of the C contacts at walls, grains have Z = (2 C - W) / (N - R) = 2 dim - (W - 2 dim) / (N - R) on average: it tends to 4
-- and 6 as the share of grains at walls vanishes, like N^(-1/dim).  Soft grains that just jam have 4 and 6 within a few
-- hundredths when rattlers are left out (O'Hern et al., Phys. Rev. E 68, 011306, 2003).
-- Expect: C = dim (N - R) + dim exactly in each sample, and as many contacts that push by the generator's count; Z grows from the
-- smallest sample to the largest and stays below 4 (6).  When each contact with a wall counts as one with a mirror image,
-- 2 C / (N - R) = 2 dim + 2 dim / (N - R) tends to 4 (6) from above.

local dim = param("dim", 2, "2: discs, 3: spheres")
local largest = param("grains", dim == 2 and 160 or 56, "in the largest sample; the others have a half and a quarter")
local spread = param("spread", 0.3, "radii are from 1 - spread to 1 + spread, in cm")
local r = 0.01

world { dim = dim, h = 1e-3, t_end = 1e-3, record = { every = 1e-3 } }

-- list of grains with their radii, compressed at the place x along the first axis
local function sample(count, x)
    local size, radii = sizes.uniform { (1 - spread) * r, (1 + spread) * r }, {}
    for i = 1, count do radii[i] = size() end
    local s = generate.compressed { count = count, radius = function(i) return radii[i] end, density = 2600,
                                    position = dim == 2 and { x, 0 } or { x, 0, 0 } }
    return s, radii
end

-- for every grain the grains (numbers) and walls (0) that it touches
local function touching(s, radii)
    local near, p = {}, {}
    for i = 1, #s do near[i], p[i] = {}, s[i].position end
    for i = 1, #s do
        for j = 1, i - 1 do
            local d2 = 0
            for k = 1, dim do d2 = d2 + (p[i][k] - p[j][k]) ^ 2 end
            if math.sqrt(d2) - radii[i] - radii[j] < 1e-7 * r then
                table.insert(near[i], j)
                table.insert(near[j], i)
            end
        end
        for k = 1, dim do
            if p[i][k] - radii[i] - s.min[k] < 1e-7 * r then table.insert(near[i], 0) end
            if s.max[k] - p[i][k] - radii[i] < 1e-7 * r then table.insert(near[i], 0) end
        end
    end
    return near
end

-- contacts, those at walls, and grains that are not held
local function count(near)
    local held, loose, again = {}, 0, true
    for i = 1, #near do held[i] = true end
    held[0] = true
    local function contacts_of(i)
        local n = 0
        for _, j in ipairs(near[i]) do if held[j] then n = n + 1 end end
        return n
    end
    while again do
        again = false
        for i = 1, #near do
            if held[i] and contacts_of(i) <= dim then held[i], loose, again = false, loose + 1, true end
        end
    end
    local ends, walls = 0, 0
    for i = 1, #near do
        if held[i] then
            ends = ends + contacts_of(i)
            for _, j in ipairs(near[i]) do if j == 0 then walls = walls + 1 end end
        end
    end
    return (ends + walls) // 2, walls, loose
end

local x = 0
local inverse, Z, mirrored = {}, {}, {}
for k, n in ipairs { largest // 4, largest // 2, largest } do
    local s, radii = sample(n, x)
    local C, W, R = count(touching(s, radii))
    local name = " of " .. n
    x = s.max[1] + 2 * r
    Z[k], mirrored[k], inverse[k] = (2 * C - W) / (n - R), 2 * C / (n - R), (n - R) ^ (-1 / dim)
    report("contacts" .. name, C)
    report("at walls" .. name, W)
    report("rattlers" .. name, R)
    report("Z" .. name, Z[k])
    report("Z with mirrored walls" .. name, mirrored[k])
    report("solid fraction" .. name, s.solid_fraction)
    check("isostatic" .. name, C == dim * (n - R) + dim, C .. " contacts with " .. R .. " rattlers")
    check("forces" .. name, C == s.contacts and R == s.rattlers,
          s.contacts .. " contacts push, with " .. s.rattlers .. " rattlers")
end
check("Z grows", Z[3] > Z[1] and Z[3] < 2 * dim, Z[1] .. " in the smallest sample, " .. Z[3] .. " in the largest")
plot { title = "contacts per grain", x = "(grains that carry load)^(-1/dim)", y = "Z",
       curves = { { name = "walls counted once", x = inverse, y = Z, style = "both" },
                  { name = "walls mirrored", x = inverse, y = mirrored, style = "both" },
                  { name = "2 dim", x = { 0, inverse[1] }, y = { 2 * dim, 2 * dim }, style = "dashed" } } }
