/*
 * Every kind of mistake in a scene with a sweep is told with file, line and key, and hostile ones end with a
 * message.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/mistakes.h"

#define BALL "set = ball { center = {0, 0}, radius = 1 }"
#define S "sweep { x = {0, 0}, h = 0.1, t_end = 1, " BALL " }\n"
#define WITH(keys) "sweep { x = {0, 0}, h = 0.1, t_end = 1, " keys " }\n"
#define LINE(set) "sweep { x = 0, h = 0.1, t_end = 1, set = " set " }\n"

static const mistake mistakes[] = {
    /* one thing that runs */
    {S "\nworld { dim = 2, h = 0.1, t_end = 1 }", 3, "world", "sweep{...} is on line 1 already"},
    {"world { dim = 2, h = 0.1, t_end = 1 }\n" S, 2, "sweep", "world{...} is on line 1 already"},
    {S S, 2, "sweep", "this is the second; the first is on line 1"},
    {S "system { q = 1, u = 0, h = 0.1, t_end = 1, scheme = 'moreau' }", 2, "system",
     "sweep{...} is on line 1 already"},
    {S "body { shape = disc { radius = 1 }, density = 1 }", 2, "body",
     "only in a world: this scene has sweep{...} on line 1"},
    {S "law { friction = 1 }", 2, "law", "only in a world"},
    {"law { friction = 1 }\n" S, 2, "sweep", "law{...} on line 1 is for worlds"},
    {S "contacts()", 2, "contacts", "only in a world"},
    {S "measure.kinetic_energy()", 2, "measure", "only in a world"},
    {S "on_step(function() " S " end)", 2, "sweep", "the second"},
    {"at(0, function() " S " end)", 0, "world", "no world{...}, system{...} or sweep{...}"},
    /* keys */
    {"sweep {}", 1, "sweep.x", "got nothing"},
    {"sweep(3)", 1, "sweep", "expected a table"},
    {"sweep { x = {0, 0}, t_end = 1, " BALL " }", 1, "sweep.h", "got nothing"},
    {"sweep { x = {0, 0}, h = 0.1, " BALL " }", 1, "sweep.t_end", "got nothing"},
    {"sweep { x = {0, 0}, h = 0, t_end = 1, " BALL " }", 1, "sweep.h", "> 0, got 0"},
    {"sweep { x = {0, 0}, h = 1, t_end = -1, " BALL " }", 1, "sweep.t_end", ">= 0"},
    {"sweep { x = {0, 0}, h = 1e-9, t_end = 1e9, " BALL " }", 1, "sweep.t_end",
     "expected at most 1e15 steps, got 1e+18"},
    {"sweep { x = {0, 0}, h = 0.1, t_end = 1 }", 1, "sweep.set", "got nothing"},
    {WITH("sett = 1, " BALL), 1, "sweep.sett", "did you mean \"set\"?"},
    {WITH("set = 3"), 1, "sweep.set", "expected a set such as ball"},
    {WITH("set = disc { radius = 1 }"), 1, "sweep.set", "got a shape"},
    {"sweep { x = 'a', h = 0.1, t_end = 1, " BALL " }", 1, "sweep.x", "got string \"a\""},
    {"sweep { x = {}, h = 0.1, t_end = 1, " BALL " }", 1, "sweep.x",
     "expected a table of numbers, got a table of 0"},
    {"sweep { x = {0, 0/0}, h = 0.1, t_end = 1, " BALL " }", 1, "sweep.x[2]", "finite"},
    {"sweep { x = {0, print}, h = 0.1, t_end = 1, " BALL " }", 1, "sweep.x[2]",
     "expected a number, got a function"},
    {"sweep { x = {'a', 0}, h = 0.1, t_end = 1, " BALL " }", 1, "sweep.x[1]",
     "expected a number, got string"},
    {"sweep { x = {0, 0, a = 1}, h = 0.1, t_end = 1, " BALL " }", 1, "sweep.x.a", "unknown key"},
    {WITH("method = 'euler', " BALL), 1, "sweep.method", "\"catching-up\" or \"theta\" or \"penalty\""},
    {WITH("theta = 0.4, " BALL), 1, "sweep.theta", "from 0.5 to 1"},
    {WITH("lambda = 0, " BALL), 1, "sweep.lambda", "> 0"},
    {WITH("tol = 0, " BALL), 1, "sweep.tol", "> 0"},
    {WITH("max_iter = 1.5, " BALL), 1, "sweep.max_iter", "whole"},
    {WITH("retraction = 1, " BALL), 1, "sweep.retraction", "true or false"},
    {WITH("field = {1, 2}, " BALL), 1, "sweep.field", "a function(t, x)"},
    {WITH("record = { evry = 1 }, " BALL), 1, "sweep.record.evry", "\"every\""},
    {WITH("keep = true, " BALL), 1, "sweep.keep", "unknown key"},
    /* sets */
    {"ball { center = {0, 0} }", 1, "ball.radius", "got nothing"},
    {"ball { radius = 1 }", 1, "ball.center", "got nothing"},
    {"ball { centre = {0, 0}, radius = 1 }", 1, "ball.centre", "did you mean \"center\"?"},
    {"ball { center = {0, 'a'}, radius = 1 }", 1, "ball.center[2]", "got string \"a\""},
    {"ball { center = {0, {1}}, radius = 1 }", 1, "ball.center[2]", "got a table"},
    {"ball { center = {0, 1/0}, radius = 1 }", 1, "ball.center[2]", "finite"},
    {"ball { center = {0, 0}, radius = {1} }", 1, "ball.radius", "a number or a function of t"},
    {"ball { center = {}, radius = 1 }", 1, "ball.center", "a table of 0"},
    {WITH("set = ball { center = {0, 0, 0}, radius = 1 }"), 1, "sweep.set",
     "the set is in dimension 3, x has 2 numbers"},
    {LINE("ball { center = {0, 0}, radius = 1 }"), 1, "sweep.set", "in dimension 2, x has 1 number"},
    {WITH("set = interval { center = 0, radius = 1 }"), 1, "sweep.set", "in dimension 1, x has 2 numbers"},
    {"interval { center = {0, 0}, radius = {1, 1, 1} }", 1, "interval.radius",
     "the center is in dimension 2, the radius in dimension 3"},
    {WITH("set = ball { center = {0, 0}, radius = -1 }"), 1, "sweep.set.radius", ""},
    {"halfspace { normal = {1, 0} }", 1, "halfspace.offset", "got nothing"},
    {"halfspace { normal = {0, 0}, offset = -1 }", 1, "halfspace.normal", "expected a direction"},
    {"halfspace { normal = 0, offset = -1 }", 1, "halfspace.normal", "expected a direction"},
    {"polyhedron { rows = {{1, 0}, {0, 1}}, offsets = {1} }", 1, "polyhedron.offsets",
     "2 rows, but 1 offsets"},
    {"polyhedron { rows = {{1, 0}, {0}}, offsets = {1, 1} }", 1, "polyhedron.rows",
     "row 2 has 1 numbers, another one 2"},
    {"polyhedron { rows = 1, offsets = {1} }", 1, "polyhedron.rows", "got number 1"},
    {"polyhedron { rows = {}, offsets = {} }", 1, "polyhedron.rows", "a table of 0"},
    {"translate(ball { center = {0, 0}, radius = 1 })", 1, "translate", "got 1 arguments"},
    {"translate(ball { center = {0, 0}, radius = 1 }, {1, 2, 3})", 1, "translate.by",
     "the set is in dimension 2, the translation in dimension 3"},
    {"translate(3, {1})", 1, "translate.set", "expected a set"},
    {"intersection {}", 1, "intersection", "at least one set"},
    {"intersection { ball { center = {0}, radius = 1 }, 3 }", 1, "intersection[2]", "got number 3"},
    {"intersection { ball { center = {0}, radius = 1 }, ball { center = {0, 0}, radius = 1 } }", 1,
     "intersection", "set 1 is in dimension 1, set 2 in dimension 2"},
    {"local t = {} t[1] = t intersection(t)", 1, "intersection[1]", "got a table"},
    {"gaps {}", 1, "gaps", "at least one function"},
    {"gaps { 3 }", 1, "gaps[1]", "a function(t, x)"},
    {"gaps { f = print }", 1, "gaps.f", "unknown key"},
    {"discs { radius = 1 }", 1, "discs.count", "expected the number of discs"},
    {"discs { count = 2 }", 1, "discs.radius", "got nothing"},
    {"discs { radius = {1, 2}, count = 3 }", 1, "discs.count", "3 discs, but 2 radii"},
    {"discs { radius = 1, count = 1.5 }", 1, "discs.count", "whole"},
    {"discs { radius = 1, count = 1e12 }", 1, "discs.count", "from 1 to"},
    {"discs { radius = {1, 0} }", 1, "discs.radius[2]", "> 0"},
    {"discs { radius = 1, count = 1, walls = { {0, 0, 1} } }", 1, "discs.walls[1]", "{x1, y1, x2, y2}"},
    {"discs { radius = 1, count = 1, walls = 3 }", 1, "discs.walls", "got number 3"},
    {WITH("set = discs { radius = 1, count = 2 }"), 1, "sweep.set", "in dimension 4, x has 2 numbers"},
    /* functions, while it runs */
    {LINE("interval { center = function(t)\n return 'a' end, radius = 1 }"), 1, "interval.center",
     "the function of interval.center gave string \"a\" at t = 0"},
    {LINE("interval { center = function(t) return 0/0 end, radius = 1 }"), 1, "interval.center",
     "expected a finite number"},
    {WITH("set = ball { center = {0, function(t) return {} end}, radius = 1 }"), 1, "ball.center",
     "gave a table"},
    {WITH("set = ball { center = function(t) return {1} end, radius = 1 }"), 1, "ball.center",
     "gave a table of 1 at t = 0, expected a table of 2 numbers"},
    {WITH("set = ball { center = function(t) return {t, nil} end, radius = 1 }"), 1, "ball.center",
     "gave a table of 1"},
    {WITH("set = ball { center = function(t) return 1 end, radius = 1 }"), 1, "ball.center", "gave number 1"},
    {WITH("set = polyhedron { rows = function(t) return {{1, 0}} end, offsets = {0, 0} }"), 1,
     "polyhedron.rows", "gave 1 rows"},
    {WITH("set = polyhedron { rows = function(t) return 3 end, offsets = {0, 0} }"), 1, "polyhedron.rows",
     "gave number 3"},
    {WITH("set = polyhedron { rows = function(t) return {{1, 0}} end, offsets = function() end }"), 1,
     "polyhedron.offsets", "gave nothing"},
    {LINE("gaps { function(t, x) return 1 end,\nfunction(t, x) end }"), 2, "gaps[2]",
     "the function of gap 2 gave nothing at t = "},
    {LINE("gaps { function(t, x) return t < 0.35 and 1 or 0/0 end }"), 1, "gaps[1]",
     "expected a finite number"},
    {LINE("gaps { function(t, x) return x end }"), 1, "gaps[1]", "gave a point"},
    {LINE("gaps { function(t, x) return {x[1]} end }"), 1, "gaps[1]", "gave a table"},
    {LINE("gaps { function(t, x)\n local y = x[2] + 1 end }"), 2, "", "arithmetic on a nil value"},
    {LINE("gaps { function(t, x)\n x[1] = 3 return 1 end }"), 2, "x", "cannot be set"},
    {LINE("gaps { function(t, x)\n error('no') end }"), 2, "", "no"},
    {LINE("gaps { function(t, x) return math.sqrt(x[1] + 0 * t) - t end }"), 1, "gaps[1]",
     "the derivative of gap 1 by x[1] is not finite at t = "},
    {"sweep { x = 0, h = 0.1, t_end = 1, set = interval { center = 0, radius = 1 },\n"
     "field = function(t, x) return {1, 2} end }",
     2, "sweep.field", "the function of the field gave a table of 2"},
    {"sweep { x = 0, h = 0.1, t_end = 1, set = interval { center = 0, radius = 1 },\n"
     "field = function(t, x) return {t > 0.45 and 0/0 or 1} end }",
     2, "sweep.field[1]", "expected a finite number"},
    /* the handle */
    {"local p = " S "print(p.lamda)", 2, "lamda", "did you mean \"lambda\"?"},
    {"local p = " S "p.x = {1, 1}", 2, "x", "cannot be set"},
    {"local p\np = sweep { x = 0, h = 0.1, t_end = 1,\n set = gaps { function(t, x)\n"
     " if p then print(p.x) end return 1 end } }",
     4, "x", "not available inside a function of a set or field"},
    /* trials */
    {"trial { x = {0, 0}, h = 0.1, t_end = 1 }", 1, "trial.set", "got nothing"},
    {"trial { x = {0, 0}, h = 0.1, t_end = 1, record = {}, " BALL " }", 1, "trial.record", "unknown key"},
    {"trial { x = 0, h = 0.1, t_end = 1,\nset = gaps { function(t, x) return t < 0.5 and 1 or 'a' end } }", 2,
     "gaps[1]", "gave string \"a\""},
    {"trial { x = 0, h = 0.1, t_end = 1, set = gaps { function(t, x)\n"
     " trial { x = 0, h = 1, t_end = 1, set = interval { center = 0, radius = 1 } } return 1 end } }",
     2, "trial", "not available inside a function"},
    {"local f = function(t)\n trial { x = 0, h = 1, t_end = 1, set = interval { center = 0, radius = 1 } }\n"
     " return {1} end\n"
     "trial { x = 0, h = 1, t_end = 1, set = polyhedron { rows = function(t) return {{1}} end, offsets = f } "
     "}",
     2, "trial", "not available inside a function"},
    /* plots */
    {S "plot {}", 2, "plot.curves", "got nothing"},
    {S "plot { curves = {} }", 2, "plot.curves", "1 to 32 curves"},
    {S "plot { curves = { { x = {1}, y = {1, 2} } } }", 2, "plot.curves[1]", "1 numbers in x, 2 in y"},
    {S "plot { curves = { { x = {1}, y = {'a'} } } }", 2, "plot.curves[1].y[1]", "a number"},
    {S "plot { curves = { { y = {1} } } }", 2, "plot.curves[1].x", "got nothing"},
    {S "plot { curves = { { x = {1}, y = {1}, style = 'wavy' } } }", 2, "plot.curves[1].style",
     "\"line\" or \"points\""},
    {S "plot { curves = { { x = {1}, y = {1}, error = {1, 2} } } }", 2, "plot.curves[1]", "2 in error"},
    {S "plot { curves = { { x = {1}, y = {1}, dx = {1}, style = 'arrows' } } }", 2, "plot.curves[1]",
     "\"arrows\" needs dy"},
    {S "plot { curves = { { x = {1}, y = {1}, size = {1} } } }", 2, "plot.curves[1]", "for style \"discs\""},
    {S "plot { x = 3, curves = { { x = {1}, y = {1} } } }", 2, "plot.x", "got number 3"},
    {S "plot { y = { lable = 'a' }, curves = { { x = {1}, y = {1} } } }", 2, "plot.y.lable", "\"label\""},
    {S "plot { title = '\\xff', curves = { { x = {1}, y = {1} } } }", 2, "plot.title", "UTF-8"},
    {S "for i = 1, 17 do plot { curves = { { x = {1}, y = {1} } } } end", 2, "plot", "more than 16 plots"},
    {S "local c = {} for i = 1, 33 do c[i] = { x = {}, y = {} } end plot { curves = c }", 2, "plot.curves",
     "1 to 32 curves, got 33"},
    {S "local x = {} for i = 1, 60000 do x[i] = i end plot { curves = { { x = x, y = x } } }\n"
       "plot { curves = { { x = x, y = x } } }",
     3, "plot.curves[1].x", "more than 100000 points"},
};

static void each_mistake_is_told(void **state)
{
    (void)state;
    expect_mistakes(mistakes, sizeof mistakes / sizeof mistakes[0]);
}

/* a plot that is wrong and caught leaves nothing behind; the error of a trial can be caught too */
static void caught_mistakes_leave_nothing(void **state)
{
    (void)state;
    outcome o;
    run_text(S "for i = 1, 40 do assert(not pcall(plot, { curves = { { x = {1}, y = {'a'} } } })) end\n"
               "for i = 1, 16 do plot { curves = { { x = {1}, y = {1} } } } end\n"
               "for i = 1, 40 do\n"
               "  local ok, m = pcall(trial, { x = 0, h = 0.1, t_end = 1,\n"
               "    set = gaps { function(t, x) if t > 0.5 then error('late') end return 1 end } })\n"
               "  assert(not ok and m:find('late'))\n"
               "end",
             &o);
    assert_string_equal(o.err.message, "");
    assert_string_equal(o.result.status, "ok");
    outcome_free(&o);
}

static const bomb bombs[] = {
    {"trial { x = 0, h = 1e-9, t_end = 1, set = interval { center = 0, radius = 1 } }", "never end?"},
    {"while true do pcall(trial, { x = 0, h = 1e-9, t_end = 1, set = interval { center = 0, radius = 1 } }) "
     "end",
     "never end?"},
    {"trial { x = 0, h = 0.1, t_end = 1, set = gaps { function(t, x) while true do end end } }",
     "never end?"},
    {"trial { x = 0, h = 1e-9, t_end = 1, keep = true, set = interval { center = 0, radius = 1 } }", ""},
    {"local s = interval { center = 0, radius = 1 } for i = 1, 1e9 do s = intersection { s } end", "deep"},
    {"local s = interval { center = 0, radius = 1 } for i = 1, 1e9 do s = translate(s, {0}) end", "deep"},
    {"local s = interval { center = 0, radius = 1 } for i = 1, 40 do s = intersection { s, s } end",
     "more than 1000000 sets"},
    {"local x = {} for i = 1, 1e5 do x[i] = 0 end\n"
     "local g = {} for i = 1, 1e4 do g[i] = function() return 1 end end\n"
     "trial { x = x, h = 1, t_end = 1, set = gaps(g) }",
     ""},
    {"local t = {} for i = 1, 1e9 do t[i] = ball { center = {i}, radius = 1 } end", ""},
    {"polyhedron { rows = function() while true do end end, offsets = function() while true do end end }\n"
     "trial { x = 0, h = 1, t_end = 1, set = polyhedron { rows = function() end,\n"
     "offsets = function() while true do end end } }",
     "never end?"},
    {"local function f(n) return trial { x = 0, h = 1, t_end = n, set = gaps { function() f(n) return 1 end "
     "} } end\n"
     "f(1)",
     "not available inside"},
    {"sweep { x = 0, h = 0.1, t_end = 1, set = gaps { function(t, x) while true do end end } }",
     "never end?"},
    {"sweep { x = 0, h = 0.1, t_end = 1, set = interval { center = function(t) while true do end end, radius "
     "= 1 } }",
     "never end?"},
    {"sweep { x = 0, h = 0.1, t_end = 1, set = interval { center = 0, radius = 1 },\n"
     "field = function(t) while true do end end }",
     "never end?"},
    {"local function f(t) return f(t) + 1 end sweep { x = 0, h = 0.1, t_end = 1,\n"
     "set = interval { center = f, radius = 1 } }",
     ""},
};

static void bombs_end_in_time(void **state)
{
    (void)state;
    scene_limits limits = small_limits();
    limits.points = 100000;
    expect_bombs("", bombs, sizeof bombs / sizeof bombs[0], &limits);
}

/* a point that is kept is a copy, and the numbers of one evaluation may be used in another */
static void what_functions_keep_does_no_harm(void **state)
{
    (void)state;
    outcome o;
    run_text("local kept = {}\n"
             "local last_t, last_x\n"
             "sweep { x = {0, 0}, h = 0.1, t_end = 1, set = gaps {\n"
             "  function(t, x) kept[#kept + 1] = x\n"
             "    if last_t then local y = last_t + last_x + t * x[1] + last_x * x[2] end\n"
             "    last_t, last_x = t, x[2]\n"
             "    return x[1] - t end,\n"
             "  function(t, x) return math.max(x[2] + 2 * t, x[2]) + 1 end } }\n"
             "at_end(function() check('kept', kept[1][1] ~= kept[#kept][1] and kept[1][3] == nil and "
             "kept[1].a == nil)\n"
             "  check('len', #kept[1] == 2 and select('#', table.unpack(kept[1])) == 2)\n"
             "  check('meta', getmetatable(kept[1]) == false) end)",
             &o);
    assert_string_equal(o.err.message, "");
    assert_string_equal(o.result.status, "ok");
    outcome_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mistake_is_told), cmocka_unit_test(caught_mistakes_leave_nothing),
        cmocka_unit_test(bombs_end_in_time), cmocka_unit_test(what_functions_keep_does_no_harm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
