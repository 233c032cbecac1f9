local function try(keys)
    local t = { q = {1, 2}, u = {0, 0}, h = 0.5, t_end = 1, scheme = "moreau" }
    for k, v in pairs(keys) do t[k] = v end
    return pcall(trial, t)
end
for _, keys in ipairs { { q = 3 }, { mass = {1} }, { mass = {{1, 2}, {3, 4}} }, { mass = banded { 1, 2, 3 } }, { gaps = { 1 } },
    { mass = function() return {} end }, { mass = function() return banded { {1}, {2} } end }, { force = function(t, q, u) return q end },
    { force = function() return { 1, {} } end }, { gaps = { function(t, q) return q end } }, { friction = 1, gaps = { print } },
    { restitution = function() return {} end, gaps = { function() return 0 end } }, { scheme = "x" }, { h = -1 }, { q = {1/0, 1} },
    { gaps = { function(t, q) return 0/0 end } }, { mass = function(t) return -t end }, { force = function() return {1e308, -1e308} end, mass = 1e-308 },
    { stiffness = {{1e300, 1e300}, {1e300, 1e300}} }, { potential = function() error({}) end } } do
    try(keys)
end
banded { {} }
