-- Newton's cradle in one step: three equal discs, the first strikes the other two, which touch.
--
-- With restitution 1 at every contact and all impulses at once, Moreau's impact law gives the velocities
-- -1/3, 2/3, 2/3 of the striker's (not 0, 0, 1: that needs the impacts one after another).
-- Expect: v1 = -1/3, v2 = v3 = 2/3 to 1e-12, and no energy lost.

local v = param("speed", 1, "speed of the striker, m/s")
local r = 0.01

world { dim = 2, h = 1e-3, t_end = 0.01, solver = { name = "nlgs", tol = 1e-14 } }
law { friction = 0, restitution = 1 }

local a = body { shape = disc { radius = r }, density = 1000, position = {-2.5 * r, 0}, velocity = {v, 0} }
local b = body { shape = disc { radius = r }, density = 1000, position = {0, 0} }
local c = body { shape = disc { radius = r }, density = 1000, position = {2 * r, 0} }
local before = 0.5 * 1000 * math.pi * r * r * v * v

at_end(function()
    local got = { a.velocity[1] / v, b.velocity[1] / v, c.velocity[1] / v }
    report("velocities", got)
    report("energy_ratio", measure.kinetic_energy() / before)
    local want = { -1 / 3, 2 / 3, 2 / 3 }
    for i = 1, 3 do
        check("disc " .. i, math.abs(got[i] - want[i]) < 1e-12, "expected " .. want[i] .. ", got " .. got[i])
    end
    check("energy", math.abs(measure.kinetic_energy() / before - 1) < 1e-12)
end)
