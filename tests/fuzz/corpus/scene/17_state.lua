state = { deep = {} }
local t = state.deep
for i = 1, 300 do t.t = {} t = t.t end
t.t = state
state[0/0 ~= 0/0] = "\0\255" state[1.5] = math.huge
world { dim = 2, h = 1e-2, t_end = 0.02, record = { every = 0.01 } }
body { shape = disc { radius = 0.1 }, density = 1 }
