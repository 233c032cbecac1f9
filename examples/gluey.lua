-- Gluey contact: what was pushed in must be pulled out (BL10 Remark 4.3).
--
-- Five balls lie on a plane in space, without gravity.  Each is pushed against it by 1 N for one second and then pulled away by a
-- force of its own.  The contact remembers the impulse that pushed, gamma = -1 N s, and lets go only when as much has been paid back:
-- a ball pulled by P leaves the plane 1/P seconds after the pull began.
--
-- Expect: five moments of leaving, at 1 + 1/P seconds, each within two steps; a ball on a plain contact leaves at once.

local h = param("h", 1e-3, "time step, s")
local pulls = { 0.25, 0.5, 1, 2, 4 }

world { dim = 3, h = h, t_end = 5.2, record = { every = 0.05 } }
law { between = { "gluey", "plane" }, gluey = true, friction = 0.3 }
body { shape = plane { normal = {0, 0, 1}, offset = 0 }, fixed = true, group = "plane" }

local function ball(k, P, group)
  local function force(t) return { 0, 0, t < 1 and -1 or P } end
  return body { shape = sphere { radius = 0.1 }, mass = 1, position = { 0.3 * k, 0, 0.1 }, group = group,
                applied_force = force }
end

local balls, left = {}, {}
for k, P in ipairs(pulls) do balls[k] = ball(k, P, "gluey") end
balls[6] = ball(0, 0.5, "plain")

on_step(function(t)
  for k, b in ipairs(balls) do
    if left[k] == nil and b.velocity[3] > 0 then left[k] = t end
  end
end)

at_end(function()
  for k = 1, #balls do
    check("leaves", left[k] ~= nil, "ball " .. k .. " has not left the plane")
    if not left[k] then return end
  end
  report("left", left)
  for k, P in ipairs(pulls) do
    check("ball " .. k, math.abs(left[k] - (1 + 1 / P)) <= 2 * h + 1e-12,
          string.format("left at %.6f s, expected %.6f s", left[k], 1 + 1 / P))
  end
  check("plain contact", math.abs(left[6] - 1) <= 2 * h + 1e-12, "left at " .. left[6] .. " s, expected 1 s")
end)
