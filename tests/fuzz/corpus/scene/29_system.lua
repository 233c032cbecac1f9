local p = system { q = {1, 0}, u = {-1, 2}, mass = {{2, 0.5}, {0.5, 1}}, h = 0.1, t_end = 0.4, theta = 0.75, rho_infinity = 0.5,
                   scheme = param("scheme", "moreau-jean"), stiffness = banded { 2, -1 }, damping = {0.1, 0.1}, tol = 1e-12,
                   max_iter = 20, contact_tolerance = 1e-9, stiffness_contact = 1e4, backward_velocity = false,
                   force = function(t, q, u) return { math.sin(t) - u[1]^3, q[1] * q[2] } end,
                   potential = function(t, q) return q[1] end, restitution = { 0.5, 0 }, friction = 0.3,
                   tangential_restitution = 0, tangents = { function(t, q) return {0, 1} end, function(t, q) return {1, 0} end },
                   gaps = { function(t, q) return q[1] - t / 9 end, function(t, q) return 9 - q[1]^2 - q[2]^2 end },
                   record = { every = 0.1, series = 0.2 } }
on_step(function(t) state.n = (state.n or 0) + p.q[1] end)
observe("energy", function(t) return p.energy.kinetic end)
stop_when(function(t) return p.violation > 1 end)
at_end(function(q, u) report("q", q) report("lambda", p.lambda) report("gaps", p.gaps) check("u", #u == 2) end)
