local t = setmetatable({}, { __index = function(t, k) return t[k .. "x"] end, 
                             __close = function() end, __len = function() return -1 end })
world(setmetatable({ dim = 2, h = 1e-3, t_end = 1 }, { __index = function() error({}) end, __pairs = error }))
body { shape = t }
