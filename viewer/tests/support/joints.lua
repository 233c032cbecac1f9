-- Two discs at rest with a rod between their centres, which is taken away after 0.45 s, and a spring from one to the world above.
world { dim = 2, h = 0.01, t_end = 1, gravity = {0, 0}, record = { every = 0.1 } }
local a = body { shape = disc { radius = 0.5 }, density = 1000, position = {0, 0} }
local b = body { shape = disc { radius = 0.5 }, density = 1000, position = {4, 0} }
local rod = joint { kind = "distance", bodies = {a, b}, at = {{0, 0}, {4, 0}} }
joint { kind = "spring", bodies = {b}, at = {{4, 0}, {4, 3}}, stiffness = 100 }
at(0.45, function() remove(rod) end)
