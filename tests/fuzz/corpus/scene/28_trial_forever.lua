local kept
local function f(t) return kept and kept + t or t end
pcall(trial, { x = 0, h = 1e-12, t_end = 1, keep = true, set = interval { center = f, radius = 1 } })
trial { x = 0, h = 1e-12, t_end = 1, set = gaps { function(t, x) kept = x[1] trial { x = 0 } return 1 end } }
