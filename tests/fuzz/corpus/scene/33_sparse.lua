local e = {}
for i = 1, 6 do e[#e + 1] = {i, i, 4} if i > 1 then e[#e + 1] = {i, i - 1, -1} end end
local z = {0, 0, 0, 0, 0, 0}
system { q = z, u = z, mass = sparse(e), stiffness = sparse { {1, 6, -2}, {6, 6, 2}, {1, 1, 2} }, damping = sparse { {3, 3, 1} },
         h = 0.1, t_end = 0.5, scheme = param("scheme", "moreau-jean"), force = function(t, q) return {-1, -1, -1, -1, -1, -1} end,
         gaps = { function(t, q) return q[2] + 0.01 end, function(t, q) return q[5] - q[6] + 0.1 end } }
