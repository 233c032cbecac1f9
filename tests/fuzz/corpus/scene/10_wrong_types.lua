world { dim = "2", h = {}, t_end = function() end, gravity = 3, [1] = true, [{}] = nil or 1 }
