local n = param("n", 3, "number of discs")
world { dim = 2, h = 1e-2, t_end = 0.1, gravity = {0, -9.81}, scheme = "moreau-jean", theta = 0.6,
        solver = { name = "nlgs", tol = 1e-9, max_iter = 50 }, contact_tolerance = 0,
        position_projection = true, record = { every = 0.02, series = 0.01 } }
law { friction = 0.5, restitution = 0.2, tangential_restitution = -0.1 }
law { between = {"grain", "wall"}, friction = 0.3 }
body { shape = chain { {-1, 0}, {0, -0.1}, {1, 0} }, fixed = true, group = "wall" }
for i = 1, n do
  body { shape = disc { radius = 0.01 * i }, density = 2600, group = "grain",
         position = {0.1 * i, 0.1 + math.random()}, velocity = {1, 0}, spin = 2, angle = 0.3 }
end
local c = body { shape = compound { {shape = disc { radius = 0.1 }, position = {0, 0}},
                                    {shape = rectangle { 0.1, 0.3 }, position = {0.1, 0}, angle = 1} },
                 mass = 2, inertia = 0.1, position = {-0.5, 1}, free = {"x", "y"},
                 applied_force = function(t) return {math.sin(t), 0} end, applied_torque = 1 }
body { shape = rectangle { 2, 0.1 }, motion = function(t) return { x = 0.01 * math.sin(30 * t), y = -1, angle = 0 } end }
observe("height", function(t) return t < 0.045 and c.position[2] or 0 end)
on_step(function(t) if t < 0.045 then c.velocity = {0, 0} end end)
at(0.05, function() remove(c) end)
stop_when(function(t) return t > 0.09 end)
at_end(function() report("kinetic", measure.kinetic_energy()) check("few", measure.contact_count() < 100, "many") end)
