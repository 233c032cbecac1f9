local kept = {}
local function mix(v) kept[#kept + 1] = v return v + 0 * kept[1] * kept[#kept] + 0 * math.atan(v, kept[1]) end
system { q = {0, 1}, u = {1, 0}, h = 0.1, t_end = 1, scheme = "event-driven", force = function(t, q, u) return { mix(u[1]), mix(q[2]) } end,
         gaps = { function(t, q) return mix(q[2]) ^ mix(q[1]) + math.max(mix(t), q[1], q[2]) % 3 // 1 + math.modf(q[1]) + math.log(q[2] + 9, 2) end } }
at_end(function() for i, v in ipairs(kept) do tostring(v) end end)
