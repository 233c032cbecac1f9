for _, s in ipairs { "moreau", "moreau-jean", "paoli-schatzman", "mabrouk", "bernicot-lefebvre", "event-driven", "compliant", "alpha" } do
    local r = trial { q = {0, 0.1}, u = {1, -1}, h = 0.1, t_end = 0.4, scheme = s, restitution = function(t, q) return 0.5 end, keep = true,
        mass = function(t, q) return { {2 + q[1]^2, 0}, {0, 1} } end, force = function(t, q, u) return {-u[1], -10} end,
        gaps = { function(t, q) return q[2] - math.cos(q[1] + t) + 1 end, function(t, q) return math.exp(q[1]) + 1 end } }
    report(s, r.q)
end
system { q = 1, u = 0, h = 0.1, t_end = 1, scheme = "event-driven", dissipation_index = 0.3, gaps = { function(t, q) return q[1]^2 - t end } }
