-- A run file of a point for the fuzz target of run files: discs pushed to the right against a wall, with events,
-- what holds them, a series and a plot.
sweep { x = {0, 0, 1.1, 0.1, 2.3, 0}, h = 0.05, t_end = 1, method = "catching-up",
        set = discs { radius = {0.5, 0.4, 0.3}, walls = { {3, -2, 3, 2} } },
        field = function(t, x) return {1, 0, 1, 0, 1, 0} end }
observe("lead", function(t) return 3 * t end)
plot { title = "a line", x = "t", y = "x", curves = { { name = "c", x = {0, 1}, y = {0, 1} } } }
report("discs", 3)
