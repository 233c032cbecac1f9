/*
 * Every kind of mistake in a scene is told with file, line and key, what was found and what was expected.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/mistakes.h"

#define W "world { dim = 2, h = 0.1, t_end = 1 }\n"
#define DISC "shape = disc { radius = 1 }"

static const mistake mistakes[] = {
    /* too much in one instruction */
    {"local s = 'a'\n\nwhile true do s = s .. s end", 3, "", "a string is longer than 16 MiB"},
    /* world */
    {"\nworld { dim = 2, h = 0.1, t_end = 1, gravty = {0, 0} }", 2, "world.gravty",
     "did you mean \"gravity\"?"},
    {"world { dim = 2, h = 0.1, t_end = 1, zzzzzzzzz = 1 }", 1, "world.zzzzzzzzz", "expected one of dim, h"},
    {"world { dim = 2.5, h = 0.1, t_end = 1 }", 1, "world.dim", "expected 2 or 3, got 2.5"},
    {"world { dim = 4, h = 0.1, t_end = 1 }", 1, "world.dim", "expected 2 or 3, got 4"},
    {"world { h = 0.1, t_end = 1 }", 1, "world.dim", "got nothing"},
    {"world { dim = 2, t_end = 1 }", 1, "world.h", "got nothing"},
    {"world { dim = 2, h = 0.1 }", 1, "world.t_end", "got nothing"},
    {"world { dim = 2, h = -1, t_end = 1 }", 1, "world.h", "expected a number > 0, got -1"},
    {"world { dim = 2, h = 'abc', t_end = 1 }", 1, "world.h", "expected a number, got string \"abc\""},
    {"world { dim = 2, h = 0/0, t_end = 1 }", 1, "world.h", "expected a finite number"},
    {"world { dim = 2, h = 0.1, t_end = 1/0 }", 1, "world.t_end", "expected a finite number"},
    {"world { dim = 2, h = 1e-300, t_end = 1e300 }", 1, "world.t_end",
     "expected at most 1e15 steps, got inf"},
    {"world { dim = 2, h = 0.1, t_end = 1, gravity = {0, 0, 9} }", 1, "world.gravity", "got 3 entries"},
    {"world { dim = 2, h = 0.1, t_end = 1, gravity = {0} }", 1, "world.gravity", "got nothing at place 2"},
    {"world { dim = 2, h = 0.1, t_end = 1, gravity = 9.81 }", 1, "world.gravity", "got number 9.81"},
    {"world { dim = 2, h = 0.1, t_end = 1, scheme = 'euler' }", 1, "world.scheme",
     "\"moreau\" or \"moreau-jean\""},
    {"world { dim = 2, h = 0.1, t_end = 1, sleeping = 1 }", 1, "world.sleeping", "number"},
    {"world { dim = 2, h = 0.1, t_end = 1, theta = 0.2 }", 1, "world.theta", "from 0.5 to 1"},
    {"world { dim = 2, h = 0.1, t_end = 1, theta = 0.7 }", 1, "world.theta", "found scheme \"moreau\""},
    {"world { dim = 3, h = 1, t_end = 1, theta = 1, scheme = 'bernicot-lefebvre' }", 1, "world.theta",
     "found scheme \"bernicot-lefebvre\""},
    {"world { dim = 2, h = 0.1, t_end = 1, solver = { tolerance = 1 } }", 1, "world.solver.tolerance",
     "unknown key"},
    {"world { dim = 2, h = 0.1, t_end = 1, solver = { max_iter = 0 } }", 1, "world.solver.max_iter",
     "from 1"},
    {"world { dim = 2, h = 0.1, t_end = 1, solver = { max_iter = 1.5 } }", 1, "world.solver.max_iter",
     "whole"},
    {"world { dim = 2, h = 0.1, t_end = 1, solver = 'nlgs' }", 1, "world.solver", "expected a table"},
    {"world { dim = 2, h = 0.1, t_end = 1, record = { every = 0 } }", 1, "world.record.every", "> 0"},
    {"world { dim = 2, h = 0.1, t_end = 1, record = { evry = 1 } }", 1, "world.record.evry", "\"every\""},
    {"world { dim = 2, h = 0.1, t_end = 1, overlaps = 'ignore' }", 1, "world.overlaps",
     "\"report\" or \"resolve\""},
    {"world { dim = 2, h = 0.1, t_end = 1, contact_tolerance = -1 }", 1, "world.contact_tolerance", ">= 0"},
    {"world(2)", 1, "world", "expected a table"},
    {W W, 2, "world", "second"},
    {"x = 1", 0, "world", "no world"},
    /* laws */
    {W "law { friction = -1 }", 2, "law.friction", ">= 0"},
    {W "law { restitution = 2 }", 2, "law.restitution", "from 0 to 1"},
    {W "law { tangential_restitution = -2 }", 2, "law.tangential_restitution", "from -1 to 1"},
    {W "law { between = {'a'} }", 2, "law.between", "two group names"},
    {W "law { between = {'a', 3} }", 2, "law.between[2]", "expected a string, got number 3"},
    {W "law { cohesion = -3 }", 2, "law.cohesion", ">= 0"},
    {W "law { threshold = 0/0 }", 2, "law.threshold", "number"},
    {W "law { gluey = 1 }", 2, "law.gluey", "true or false"},
    {W "law { name = 'mine' }", 2, "law.name", "mo_law_register"},
    {W "law { name = 3 }", 2, "law.name", "string"},
    {W "law { friction = 0.5, static_friction = 0.4 }", 2, "law.static_friction", ">= friction"},
    {W "law { friction2 = 0.4 }", 2, "law.friction2", "3D"},
    {W "law { axis = {1, 0, 0} }", 2, "law.axis", "3D"},
    {W "law { axis = {0, 0, 0} }", 2, "law.axis", "direction"},
    {W "law { axis = {1, 0} }", 2, "law.axis", "three numbers"},
    {W "law { frction = 1 }", 2, "law.frction", "did you mean \"friction\"?"},
    /* shapes */
    {W "disc { radius = 0 }", 2, "disc.radius", "> 0"},
    {W "disc {}", 2, "disc.radius", "got nothing"},
    {W "disc { 1 }", 2, "disc", "unexpected entry with key number 1, expected radius"},
    {W "rectangle { 1 }", 2, "rectangle", "place 2"},
    {W "rectangle { 1, -2 }", 2, "rectangle[2]", "> 0"},
    {W "polygon { {0, 0}, {1, 0}, {0, 1}, [5] = {1, 1} }", 2, "polygon",
     "without a hole, got one with the key number 5"},
    {W "polygon { [0] = {1, 1}, {0, 0}, {1, 0}, {0, 1} }", 2, "polygon",
     "without a hole, got one with the key number 0"},
    {W "polygon { {0, 0}, {1, 0} }", 2, "polygon", "at least 3 points"},
    {W "polygon { {0, 0}, {1, 0}, {0, 'a'} }", 2, "polygon[3]", "got string \"a\" at place 2"},
    {W "segment { {0, 0}, {1, 0}, {2, 0} }", 2, "segment", "expected 2 points"},
    {W "chain { {0, 0} }", 2, "chain", "at least 2 points"},
    {W "halfplane { normal = {0, 0} }", 2, "halfplane.normal", "other than {0, 0}"},
    {W "compound {}", 2, "compound", "at least one"},
    {W "compound { { position = {0, 0} } }", 2, "compound[1]", "shape"},
    {W "compound { { shape = chain { {0, 0}, {1, 0} } } }", 2, "compound[1]", "made of discs"},
    {W "compound { { shape = disc { radius = function(t) return 1 end } } }", 2, "compound[1]", "of its own"},
    {W "joint { kind = 'hinge' }", 2, "joint.bodies", "got nothing"},
    {"sweep { x = {1} }", 1, "sweep.h", "got nothing"},
    /* bodies */
    {"body { " DISC ", density = 1 }", 1, "body", "world{...} must come first"},
    {W "body { density = 1 }", 2, "body.shape", "got nothing"},
    {W "body { shape = 3, density = 1 }", 2, "body.shape", "got number 3"},
    {W "body { " DISC " }", 2, "body.density", "got nothing"},
    {W "body { " DISC ", density = 1, mass = 1 }", 2, "body.mass", "not both"},
    {W "body { " DISC ", density = 0 }", 2, "body.density", "> 0"},
    {W "body { " DISC ", density = 1, inertia = 1 }", 2, "body.inertia", "goes with mass"},
    {W "body { " DISC ", fixed = true, mass = 1 }", 2, "body.mass", "a fixed body has no mass"},
    {W "body { " DISC ", fixed = 1 }", 2, "body.fixed", "true or false"},
    {W "body { " DISC ", fixed = true, motion = function(t) return {} end }", 2, "body.motion", "not both"},
    {W "body { " DISC ", motion = 3 }", 2, "body.motion", "function(t)"},
    {W "body { " DISC ", density = 1, free = {'z'} }", 2, "body.free[1]", "\"x\", \"y\" or \"angle\""},
    {W "body { " DISC ", density = 1, positon = {0, 0} }", 2, "body.positon", "\"position\""},
    {W "body { " DISC ", density = 1, orientation = {1,0,0,0} }", 2, "body.orientation", "2D world"},
    {W "body { " DISC ", density = 1, collides_with = {1} }", 2, "body.collides_with[1]", "a string"},
    {W "body { " DISC ", density = 1, velocity = {0, 0/0} }", 2, "body.velocity", "finite"},
    {W "body { shape = segment { {0,0}, {1,0} }, density = 1 }", 2, "body.density", "no area"},
    {W "body { shape = polygon { {0,0}, {1,0}, {2,0} }, density = 1 }", 2, "body", ""},
    {W "local b = body { " DISC ", density = 1 }\nprint(b.positon)", 3, "positon",
     "did you mean \"position\"?"},
    {W "local b = body { " DISC ", density = 1 }\nb.mass = 3", 3, "mass", "cannot be set"},
    {W "local b = body { " DISC ", density = 1 }\nb.bogus = 3", 3, "bogus",
     "expected one of position, velocity"},
    {W "law { between = { 'a' } }", 2, "law.between", "got a table of 1"},
    {W "local b = body { " DISC ", density = 1 }\nb.position = 3", 3, "body.position", "got number 3"},
    {W "local b = body { " DISC ", fixed = true }\nb.velocity = {1, 0}", 3, "velocity", "only free bodies"},
    {W "local b = body { " DISC ", density = 1 }\nremove(b)\nremove(b)", 4, "remove", "removed already"},
    {W "local b = body { " DISC ", density = 1 }\nremove(b)\nlocal p = b.position", 4, "position",
     "was removed"},
    {W "remove(3)", 2, "remove", "expected a body, got number 3"},
    {W "local b = body { " DISC ", density = 1 }\nb.applied_force = function(t) return 1 end", 3,
     "body.applied_force", "gave number 1"},
    {W "local b = body { " DISC ", density = 1 }\nb.velocity = function(t) return {0, 0} end", 3,
     "body.velocity", "got a function"},
    /* callbacks and the rest */
    {W "on_step(3)", 2, "on_step", "a function"},
    {W "at('x', print)", 2, "at.time", "a number"},
    {W "at(-1, print)", 2, "at.time", ">= 0"},
    {W "observe('t', print)", 2, "observe.name", "other than \"t\""},
    {W "observe('a,b', print)", 2, "observe.name", "commas"},
    {W "observe('a', print) observe('a', print)", 2, "observe", "already"},
    {W "param('n', {})", 2, "param.default", "got 0 entries"},
    {W "param('a=b', 1)", 2, "param.name", "without \"=\""},
    {W "param('a', 1) param('a', 2)", 2, "a", "twice"},
    {W "report('a', print)", 2, "a", "got a function"},
    {W "report('a', {1, {2, print}})", 2, "a", "got a function"},
    {W "report('a', {[5] = 1})", 2, "a", "gaps"},
    {W "local a = {} a[1] = a report('a', a)", 2, "a", "8 deep"},
    {W "report('a', {x = 1})", 2, "a", "an array of these, got a table with names such as \"x\""},
    {W "report('a', {n = 1})", 2, "a", "names such as \"n\""},
    {W "report('a', {1, 2, x = 1})", 2, "a", "names such as \"x\""},
    {W "report('a', {1, 2, [true] = 1})", 2, "a", "keys that are no names"},
    {W "report('a', measure.energy())", 2, "a", "names such as \"balance_error\""},
    // of several wrong keys always the same is told
    {W "body { shape = disc { radius = 1 }, mass = 1, zeta = 1, yotta = 2, xenon = 3, wolf = 4, violet = 5 }",
     2, "body.violet", "unknown key"},
    {W "report('a', '\\xff')", 2, "a", "UTF-8"},
    {W "check('a')", 2, "check", "condition"},
    {W "measure.stress { min = {0, 0}, max = {0, 1} }", 2, "measure.stress.max", "above min"},
    {W "measure.stress { mn = {0, 0} }", 2, "measure.stress.mn", "\"min\""},
    {W "measure.force_on(1)", 2, "measure.force_on", "expected a body"},
    {"measure.kinetic_energy()", 1, "measure", "must come first"},
    {"contacts()", 1, "contacts", "must come first"},
    {W "body { shape = rectangle { 1, 1 }, fixed = true }\n"
       "body { shape = disc { radius = 1 }, mass = 1, position = {0, 1.5} }\n"
       "on_step(function() for c in contacts() do print(c.foo) end end)",
     4, "foo", "expected body1, body2"},
    /* Lua's own */
    {"local x = = 3", 1, "", "unexpected symbol"},
    {W "\n\nlocal x = nil + 1", 4, "", "arithmetic on a nil value"},
    {W "error('no good')", 2, "", "no good"},
    {W "error({})", 2, "", "error value is a table"},
    {W "error('bare', 0)", 2, "", "bare"},
    {W "local ok, m = pcall(law, { friction = -1 })\nerror('other')", 3, "", "other"},
    /* during the run */
    {W "\non_step(function(t)\n  local x = nil .. t\nend)", 4, "", "concatenate"},
    {W "at(0.5, function()\n body { density = 1 } end)", 3, "body.shape", "got nothing"},
    {W "stop_when(function(t) error('stop') end)", 2, "", "stop"},
    {W "observe('x', function(t) return 'a' end)", 2, "observe", "gave string \"a\""},
    {W "at_end(function() remove(3) end)", 2, "remove", "the run is over"},
    {W "observe_bodies('x', print)", 2, "observe_bodies.name", "columns that there are"},
    {W "observe_bodies('h', print) observe_bodies('h', print)", 2, "observe_bodies", "already"},
    {"observe_bodies('h', print)", 1, "observe_bodies", "world"},
    {W "on_step(function(t) observe('x', print) end)", 2, "observe", "while the scene is built"},
    {W "body { " DISC ", motion = function(t)\n return { x = t, z = 1 } end }", 2, "body.motion.z",
     "unknown key"},
    {W "body { " DISC ", motion = function(t) return 3 end }", 2, "body.motion", "gave number 3"},
    {W "body { " DISC ", motion = function(t) return { x = 0/0 } end }", 2, "body.motion.x", "finite number"},
    {W "body { " DISC ", motion = function(t) return { x = math.sqrt(t) } end }", 2, "body.motion.x",
     "derivative of the function of body without a name is not finite at t = 0"},
    {W "body { shape = disc { radius = function(t) return 0.5 - t end }, density = 1 }", 2, "disc.radius",
     "gave number 0 at t = 0.5, expected a number > 0"},
    {W "body { " DISC ", motion = function(t) return 3 * t end }", 2, "body.motion",
     "gave number 0 at t = 0, expected a table {x =, y =, angle =}"},
    {W "body { " DISC ", motion = function(t) return { x = 1 / t } end }", 2, "body.motion.x",
     "gave number inf at t = 0, expected a finite number"},
    {W "body { " DISC ", density = 1, applied_force = function(t)\n return { 1 } end }", 2,
     "body.applied_force", "place 2"},
    {W "local b = body { " DISC ", density = 1 }\n"
       "body { " DISC ", mass = 1, position = {9, 9}, applied_force = function(t)\n"
       "  b.velocity = {1, 1}\n return {0, 0} end }",
     4, "body", "inside a motion, load or radius function"},
};

static void each_mistake_is_told(void **state)
{
    (void)state;
    expect_mistakes(mistakes, sizeof mistakes / sizeof mistakes[0]);
}

/* a long path is not cut in the error, though Lua cuts it in its own messages */
static void long_paths_are_kept(void **state)
{
    (void)state;
    char path[200];
    memset(path, 'a', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    outcome o;
    const char *texts[] = {"\nworld { dim = 1 }", "\nlocal x = nil + 1", "\n= 3"};
    for (int i = 0; i < 3; i++) {
        scene_options options = text_options(texts[i], &o);
        options.path = path;
        run_options(&options, &o);
        assert_int_equal(o.status, MO_BAD_INPUT);
        assert_string_equal(o.err.file, path);
        assert_int_equal(o.err.line, 2);
        assert_null(strstr(o.err.message, "aaaa"));
        outcome_free(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_mistake_is_told),
                                       cmocka_unit_test(long_paths_are_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
