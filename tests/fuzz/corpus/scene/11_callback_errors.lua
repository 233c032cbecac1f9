world { dim = 2, h = 1e-2, t_end = 0.05 }
local b = body { shape = disc { radius = 1 }, motion = function(t) return error end }
local d = body { shape = disc { radius = 0.1 }, mass = 1, position = {3, 0} }
on_step(function(t) remove(d) remove(d) d.position = {1, 2, 3} end)
observe("x", function() return "many" end)
at_end(function() while true do end end)
