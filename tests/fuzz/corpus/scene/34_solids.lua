world { dim = 3, h = 0.01, t_end = 0.1, gravity = {0, 0, -9.81}, record = { every = 0.05 } }
law { friction = 0.5, restitution = 0.1 }
local floor = body { shape = plane { normal = {0, 0, 1}, offset = 0 }, fixed = true, group = "floor" }
body { shape = box { 2, 2, 0.1 }, position = {0, 0, -0.2}, orientation = {1, 0, 0.1, 0},
       motion = function(t) return { x = 0.1 * math.sin(t), z = -0.2, rotation = {0.1 * t, 0, t ^ 2} } end }
local shapes = { sphere { radius = function(t) return 0.1 + 0.01 * t end }, box { 0.2, 0.2, 0.1 },
                 cylinder { radius = 0.1, height = 0.2 }, capsule { radius = 0.1, height = 0.1 },
                 convex { {0, 0, 0}, {0.2, 0, 0}, {0, 0.2, 0}, {0, 0, 0.2} } }
shapes[6] = compound { { shape = shapes[2], position = {0.1, 0, 0}, orientation = {1, 0, 0, 1} }, { shape = shapes[4] } }
local made = {}
for i, s in ipairs(shapes) do
  made[i] = body { shape = s, density = 1000, position = {0.4 * i, 0, 0.2}, spin = {1, 2, 3}, velocity = {0, 0, -1},
                   orientation = {1, i, 0, 0} }
end
local held = body { shape = shapes[2], mass = 1, inertia = {1, 1, 1}, position = {0, 2, 1}, free = {"x", "wz"},
                    applied_force = function(t) return {t, 0, 0} end, applied_torque = {0, 0, 1} }
on_step(function(t)
  for c in contacts() do state = { c.normal[3], c.tangent[1], c.impulse.t2, c.velocity.n, c.point[3], c.status } end
  made[2].orientation = {1, t, 0, 0}
  made[3].applied_torque = {0, 0, t}
end)
pcall(mesh, { file = "none.stl" })
observe("z", function(t) return made[1].position[3] end)
at_end(function()
  report("stress", measure.stress { min = {-1, -1, 0}, max = {3, 1, 1} }[3])
  report("solid", measure.solid_fraction { min = {0.1, -0.05, 0.1}, max = {2.1, 0.05, 0.2} })
  report("cut", measure.resultant { point = {1, 0, 0}, normal = {1, 0, 0} })
  report("floor", measure.force_on(floor))
  report("spin", made[5].spin)
end)
