-- Play: a point in an interval that is moved back and forth, the simplest hysteresis.
--
-- The centre moves as a = A sin t, the point u only when an end of the interval [a - r, a + r] pushes it. Once in the
-- rhythm, (a, u) runs around a parallelogram of width 2 r and height 2 (A - r).
-- Expect: loop area 4 r (A - r) to 1e-4, extremes of u at A - r and r - A to 1e-6.
-- Picture: moreau export play.h5 --to png draws the loop; --what path the stream in its cavity.

local A = param("amplitude", 1, "of the centre")
local r = param("clearance", 0.4, "half the length of the interval, below the amplitude")
local cycles, n = 3, 2000
local period = 2 * math.pi

local p = sweep { x = {0}, h = period / n, t_end = cycles * period,
                  set = interval { center = function(t) return A * math.sin(t) end, radius = r } }

state.a, state.u = state.a or {}, state.u or {}
local function keep(t)
    state.a[#state.a + 1], state.u[#state.u + 1] = A * math.sin(t), p.x[1]
end
on_step(keep)

at_end(function(x)
    keep(p.t)
    local a, u, last = state.a, state.u, #state.a
    check("long enough", last > n, "it ended before the first cycle did")
    if last <= n then return end
    local area, low, high = 0, math.huge, -math.huge -- u lags behind a: to the right below, to the left above, and a du is positive
    for k = last - n + 1, last do
        area = area + 0.5 * (a[k] + a[k - 1]) * (u[k] - u[k - 1])
        low, high = math.min(low, u[k]), math.max(high, u[k])
    end
    local expected = 4 * r * (A - r)
    report("loop_area", area)
    report("loop_area_expected", expected)
    check("area", math.abs(area / expected - 1) < 1e-4, "area " .. area .. ", expected " .. expected)
    check("extremes", math.abs(high - (A - r)) < 1e-6 * A and math.abs(low + (A - r)) < 1e-6 * A)
    plot { title = "play: the point against the centre of its interval", equal = true,
           x = "centre a", y = "point u", curves = { { name = "three cycles", x = a, y = u } } }
end)
