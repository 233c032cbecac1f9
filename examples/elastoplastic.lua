-- A truss of 25 elastic, perfectly plastic bars pulled to and fro: the sweeping process in the space of its stresses.
--
-- The bar forces s + r are the elastic answer s(t) to the imposed displacement plus self-stresses r (in equilibrium
-- with nothing), and no bar bears more than its yield force. With r = Z y, Z orthonormal for the elastic energy, y is
-- swept by the polyhedron {y : -c <= s(t) + Z y <= c}; the multipliers are the rates of plastic elongation. This was the
-- first application of the process (docs/theory/sweeping.md, section 8).
-- Expect: in the second cycle the area of the loop (force against displacement) equals the work dissipated by plastic
-- elongation, sum of c |e_p|, to 0.5 %; no bar force above yield by more than 1e-9.
-- Picture: moreau export elastoplastic.h5 --to png draws the loop, and the forces of two bars in their yield surface.

local D = param("amplitude", 0.004, "of the displacement, m")
local n = param("steps", 1000, "per cycle")
local EA, yield = 1e6, 1e3 -- N
local nx, ny, cycles = 3, 2, 2

-- ---- the truss: nodes on a grid, every cell with both diagonals; left side held, right side moved ------------------
local nodes, index = {}, {}
for i = 0, nx do
    index[i] = {}
    for j = 0, ny do
        nodes[#nodes + 1] = { x = i, y = j, free = i > 0 and i < nx, moved = i == nx }
        index[i][j] = #nodes
    end
end
local bars = {}
local function bar(a, b)
    local p, q = nodes[a], nodes[b]
    if p.free or q.free then -- bars between held nodes bear nothing of interest
        local dx, dy = q.x - p.x, q.y - p.y
        local l = math.sqrt(dx * dx + dy * dy)
        bars[#bars + 1] = { a = a, b = b, nx = dx / l, ny = dy / l, k = EA / l, c = yield * (0.8 + 0.05 * (#bars % 9)) }
    end
end
for i = 0, nx do
    for j = 0, ny do
        if i < nx then bar(index[i][j], index[i + 1][j]) end
        if j < ny then bar(index[i][j], index[i][j + 1]) end
        if i < nx and j < ny then
            bar(index[i][j], index[i + 1][j + 1])
            bar(index[i + 1][j], index[i][j + 1])
        end
    end
end
local freedoms = 0
for _, node in ipairs(nodes) do
    if node.free then
        node.first = freedoms + 1
        freedoms = freedoms + 2
    end
end

-- ---- a little linear algebra ----------------------------------------------------------------------------------------
local m = #bars
-- elongations: B u + b d, row by row
local B, b = {}, {}
for i, e in ipairs(bars) do
    B[i], b[i] = {}, 0
    for j = 1, freedoms do B[i][j] = 0 end
    for node, sign in pairs { [e.a] = -1, [e.b] = 1 } do
        local at = nodes[node]
        if at.free then
            B[i][at.first], B[i][at.first + 1] = sign * e.nx, sign * e.ny
        elseif at.moved then
            b[i] = b[i] + sign * e.nx
        end
    end
end
-- columns of W = K^(1/2) B made orthonormal (Gram and Schmidt, twice), then the unit vectors against them: what is left
-- spans the self-stresses in the energy norm
local function orthonormal(vectors, found)
    for _, v in ipairs(vectors) do
        local size = 0
        for i = 1, m do size = size + v[i] ^ 2 end
        for _ = 1, 2 do
            for _, w in ipairs(found) do
                local dot = 0
                for i = 1, m do dot = dot + v[i] * w[i] end
                for i = 1, m do v[i] = v[i] - dot * w[i] end
            end
        end
        local left = 0
        for i = 1, m do left = left + v[i] ^ 2 end
        if left > 1e-16 * size then
            for i = 1, m do v[i] = v[i] / math.sqrt(left) end
            found[#found + 1] = v
        end
    end
    return found
end
local columns, units = {}, {}
for j = 1, freedoms do
    columns[j] = {}
    for i = 1, m do columns[j][i] = math.sqrt(bars[i].k) * B[i][j] end
end
for j = 1, m do
    units[j] = {}
    for i = 1, m do units[j][i] = i == j and 1 or 0 end
end
local basis = orthonormal(columns, {})
local rank = #basis
orthonormal(units, basis)
local modes = m - rank
-- Z = K^(1/2) Q, so that Z^T K^-1 Z = 1; the elastic answer is the part of K b that lies in its span
local Z, s1 = {}, {}
for i = 1, m do
    Z[i] = {}
    for j = 1, modes do Z[i][j] = math.sqrt(bars[i].k) * basis[rank + j][i] end
end
for i = 1, m do s1[i] = 0 end
for j = 1, modes do
    local dot = 0
    for i = 1, m do dot = dot + Z[i][j] * b[i] end
    for i = 1, m do s1[i] = s1[i] + Z[i][j] * dot end
end

-- ---- the process ----------------------------------------------------------------------------------------------------
local function displacement(t) return D * math.sin(2 * math.pi * t) end
local rows, start = {}, {}
for i = 1, m do
    rows[i], rows[m + i] = Z[i], {}
    for j = 1, modes do rows[m + i][j] = -Z[i][j] end
end
for j = 1, modes do start[j] = 0 end

local p = sweep { x = start, h = 1 / n, t_end = cycles, retraction = false,
                  set = polyhedron { rows = rows, offsets = function(t)
                      local o, d = {}, displacement(t)
                      for i = 1, m do o[i], o[m + i] = -bars[i].c - s1[i] * d, -bars[i].c + s1[i] * d end
                      return o
                  end } }

local function force_of(i, t)
    local s = s1[i] * displacement(t)
    for j = 1, modes do s = s + Z[i][j] * p.x[j] end
    return s
end
-- of all bars upon the moved side
local function pull(t)
    local F = 0
    for i = 1, m do F = F + b[i] * force_of(i, t) end
    return F
end

-- the two bars drawn in their yield surface: those that the displacement strains most
local order = {}
for i = 1, m do order[i] = i end
table.sort(order, function(i, j)
    local si, sj = math.abs(s1[i]) / bars[i].c, math.abs(s1[j]) / bars[j].c
    return si > sj or (si == sj and i < j)
end)
local one, two = order[1], order[3]

for _, name in ipairs { "d", "F", "s", "r", "lost" } do state[name] = state[name] or {} end
state.over = state.over or 0
local function keep(t)
    local k = #state.d + 1
    state.d[k], state.F[k] = displacement(t), pull(t)
    state.s[k], state.r[k] = force_of(one, t) / bars[one].c, force_of(two, t) / bars[two].c
    local rate = 0
    for i = 1, m do
        rate = rate + bars[i].c * (p.lambda[i] + p.lambda[m + i])
        state.over = math.max(state.over, math.abs(force_of(i, t)) / bars[i].c - 1)
    end
    state.lost[k] = rate / n
end
on_step(keep)

at_end(function()
    keep(p.t)
    local d, F, last = state.d, state.F, #state.d
    check("long enough", last > n, "it ended before the first cycle did")
    if last <= n then return end
    local area, lost = 0, 0
    for k = last - n + 1, last do
        area = area + 0.5 * (F[k] + F[k - 1]) * (d[k] - d[k - 1])
        lost = lost + state.lost[k]
    end
    report("bars", m)
    report("self_stresses", modes)
    report("loop_area", area)
    report("dissipated", lost)
    report("above_yield", state.over)
    check("enough bars", m >= 20)
    check("it yields", lost > 0)
    check("loop area is what is dissipated", math.abs(area / lost - 1) < 5e-3, area .. " J and " .. lost .. " J")
    check("yield", state.over < 1e-9, "above yield by " .. state.over .. " of it")
    plot { title = "hysteresis of the truss", x = "displacement (m)", y = "force (N)",
           curves = { { name = "two cycles", x = d, y = F } } }
    plot { title = "two bars in their yield surface", equal = true, x = "force over yield force, bar " .. one,
           y = "force over yield force, bar " .. two,
           curves = { { name = "yield surface", x = {-1, 1, 1, -1, -1}, y = {-1, -1, 1, 1, -1}, style = "dashed" },
                      { name = "forces", x = state.s, y = state.r } } }
end)
