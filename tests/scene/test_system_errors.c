/*
 * Every kind of mistake in a scene with a system is told with file, line and key, and hostile ones end with a
 * message.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/mistakes.h"

#define TIMES "h = 0.1, t_end = 1"
#define S "system { q = {1, 2}, u = {0, 0}, " TIMES ", scheme = 'moreau' }\n"
#define WITH(keys) "system { q = {1, 2}, u = {0, 0}, " TIMES ", scheme = 'moreau', " keys " }\n"
#define ONE(keys) "system { q = 1, u = -1, " TIMES ", scheme = 'moreau', " keys " }\n"
#define FLOOR "gaps = { function(t, q) return q[1] end }"

static const mistake mistakes[] = {
    /* one thing that runs */
    {S "\nworld { dim = 2, h = 0.1, t_end = 1 }", 3, "world", "system{...} is on line 1 already"},
    {"world { dim = 2, h = 0.1, t_end = 1 }\n" S, 2, "system", "world{...} is on line 1 already"},
    {S S, 2, "system", "this is the second; the first is on line 1"},
    {S "body { shape = disc { radius = 1 }, density = 1 }", 2, "body",
     "this scene has system{...} on line 1"},
    {"law { friction = 1 }\n" S, 2, "system", "law{...} on line 1 is for worlds"},
    /* what is required */
    {"system {}", 1, "system.q", "got nothing"},
    {"system(3)", 1, "system", "expected a table"},
    {"system { q = 1, " TIMES ", scheme = 'moreau' }", 1, "system.u", "got nothing"},
    {"system { q = 1, u = 0, t_end = 1, scheme = 'moreau' }", 1, "system.h", "got nothing"},
    {"system { q = 1, u = 0, h = 1, scheme = 'moreau' }", 1, "system.t_end", "got nothing"},
    {"system { q = 1, u = 0, " TIMES " }", 1, "system.scheme", "\"moreau\", got nothing"},
    {"system { q = 1, u = 0, " TIMES ", scheme = 'euler' }", 1, "system.scheme",
     "\"moreau\" or \"moreau-jean\" or \"paoli-schatzman\" or \"mabrouk\" or \"bernicot-lefebvre\" or "
     "\"event-driven\" or \"compliant\" or \"alpha\", got \"euler\""},
    {"system { q = {}, u = {}, " TIMES ", scheme = 'moreau' }", 1, "system.q",
     "expected a table of numbers, got a table of 0"},
    {"system { q = {1, 2}, u = {1}, " TIMES ", scheme = 'moreau' }", 1, "system.u",
     "expected 2 numbers, got 1"},
    {"system { q = {1, 2}, u = 1, " TIMES ", scheme = 'moreau' }", 1, "system.u",
     "expected 2 numbers, got 1"},
    {"system { q = {1, 0/0}, u = {1, 1}, " TIMES ", scheme = 'moreau' }", 1, "system.q[2]", "finite"},
    {"system { q = 'a', u = 1, " TIMES ", scheme = 'moreau' }", 1, "system.q", "got string \"a\""},
    {"system { q = {1, print}, u = {1, 1}, " TIMES ", scheme = 'moreau' }", 1, "system.q[2]",
     "expected a number, got a function"},
    {"system { q = {'a'}, u = {1}, " TIMES ", scheme = 'moreau' }", 1, "system.q[1]",
     "expected a number, got string \"a\""},
    {"system { q = {1, [3] = 2}, u = {1}, " TIMES ", scheme = 'moreau' }", 1, "system.q",
     "without a hole, got one with the key number 3"},
    /* h over 0.1 sqrt(m / k) with m = 1 */
    {"\nsystem { q = 1, u = 0, h = 0.5, t_end = 1, scheme = 'compliant', stiffness_contact = 1e20,\n"
     "gaps = { function(t, q) return q[1] end } }",
     2, "stiffness_contact",
     "1e+20 N/m take 5e+10 substeps of 0.1 sqrt(m / k) in a step, expected at most 100000000"},
    /* keys */
    {WITH("restitutoin = 1"), 1, "system.restitutoin", "did you mean \"restitution\"?"},
    {WITH("keep = true"), 1, "system.keep", "unknown key"},
    {WITH("x = 1"), 1, "system.x", "unknown key"},
    {WITH("theta = 0.4"), 1, "system.theta", "from 0.5 to 1"},
    {WITH("rho_infinity = 2"), 1, "system.rho_infinity", "from 0 to 1"},
    {WITH("stiffness_contact = 0"), 1, "system.stiffness_contact", "> 0"},
    {WITH("contact_tolerance = -1"), 1, "system.contact_tolerance", ">= 0"},
    {WITH("tol = 0"), 1, "system.tol", "> 0"},
    {WITH("tol = 2"), 1, "system.tol", "between 0 and 1"},
    {WITH("max_iter = 1.5"), 1, "system.max_iter", "whole"},
    {WITH("backward_velocity = 1"), 1, "system.backward_velocity", "true or false"},
    {WITH("record = { evry = 1 }"), 1, "system.record.evry", "\"every\""},
    {WITH("force = {1, 2}"), 1, "system.force", "a function(t, q, u)"},
    {WITH("potential = 3"), 1, "system.potential", "a function(t, q)"},
    /* matrices */
    {WITH("mass = 'a'"), 1, "system.mass",
     "expected a number, a diagonal {...}, rows {{...}, ...}, banded{...} or sparse{...}, got string"},
    {WITH("mass = 0"), 1, "system.mass", "number 1 of 2 is 0, expected a positive mass"},
    {WITH("mass = {1, -1}"), 1, "system.mass", "number 2 of 2 is -1, expected a positive mass"},
    {WITH("mass = {{1, 0}, {0, -3}}"), 1, "system.mass",
     "entry (2, 2) is -3, expected a positive definite matrix"},
    {WITH("mass = {{1, 2}, {2, 1}}"), 1, "system.mass", "pivot 2 of 2, expected a positive definite matrix"},
    {WITH("mass = function() return {1, -2} end"), 1, "system",
     "the mass matrix is not positive definite at t = 0: entry (2, 2) is -2"},
    {WITH("mass = {1}"), 1, "system.mass", "expected 2 numbers, got 1"},
    {WITH("mass = {1, 2, 3}"), 1, "system.mass", "expected 2 numbers, got 3"},
    {WITH("mass = {1, 'a'}"), 1, "system.mass[2]", "got string"},
    {WITH("mass = {1, {2}}"), 1, "system.mass[2]", "got a table"},
    {WITH("mass = {{1, 0}}"), 1, "system.mass", "expected 2 rows, got 1"},
    {WITH("mass = {{1, 0}, {0}}"), 1, "system.mass[2]", "expected 2 numbers, got 1"},
    {WITH("mass = {{1, 0}, 3}"), 1, "system.mass[2]", "a row"},
    {WITH("mass = {{1, 0}, {0, 0/0}}"), 1, "system.mass[2][2]", "finite"},
    {WITH("mass = {{1, 0.5}, {0.25, 1}}"), 1, "system.mass", "symmetric"},
    {WITH("mass = {1, 0}"), 1, "system.mass", ""},
    {WITH("mass = {1, -2}"), 1, "system.mass", ""},
    {WITH("mass = {{1, 2}, {2, 1}}"), 1, "system.mass", ""},
    {WITH("mass = 0"), 1, "system.mass", ""},
    {WITH("mass = 1/0"), 1, "system.mass", "finite"},
    {WITH("mass = banded { 2, 1, 1 }"), 1, "system.mass", "expected 2 diagonals at most, got 3"},
    {WITH("mass = banded { {2, 2}, {1, 1} }"), 1, "system.mass[2]", "expected 1 numbers, got 2"},
    {WITH("mass = banded { {2, 'a'} }"), 1, "system.mass[1][2]", "got string"},
    {WITH("stiffness = {1}"), 1, "system.stiffness", "expected 2 numbers, got 1"},
    {WITH("damping = {{1, 2}, {3, 4}}"), 1, "system.damping", "symmetric"},
    {WITH("stiffness = function() return 1 end"), 1, "system.stiffness", "got a function"},
    {"banded {}", 1, "banded", "1 to 10000 diagonals"},
    {"banded { 'a' }", 1, "banded[1]", "a diagonal"},
    {"banded { a = 1 }", 1, "banded.a", "unknown key"},
    {"banded(3)", 1, "banded", "expected a table"},
    {WITH("mass = sparse { {1, 1, 1}, {3, 3, 1} }"), 1, "system.mass",
     "entry 2 of sparse{...} is in row or column 3, expected 1 to 2"},
    {WITH("damping = sparse { {2147483647, 1, 1} }"), 1, "system.damping",
     "column 2147483647, expected 1 to 2"},
    {WITH("mass = sparse { {1, 1, 1}, {1, 2, 1} }"), 1, "system.mass",
     "not positive definite to rounding: pivot of row 2 of 2"},
    {WITH("mass = sparse { {1, 1, 1}, {2, 1, -1}, {2, 2, 1} }"), 1, "system.mass", "not positive definite"},
    {WITH("mass = sparse { {1, 1, 1} }"), 1, "system.mass", "pivot of row 2"},
    {WITH("stiffness = function() return sparse { {1, 1, 1} } end"), 1, "system.stiffness", "got a function"},
    {WITH("mass = function() return sparse { {1, 1, 1}, {7, 1, 0} } end"), 1, "system.mass", "1 to 2"},
    {"sparse {}", 1, "sparse", "entries {i, j, value}, got 0"},
    {"sparse(3)", 1, "sparse", "expected a table"},
    {"sparse { n = 3 }", 1, "sparse.n", "unknown key"},
    {"sparse { 2, 1 }", 1, "sparse[1]", "an entry {i, j, value}"},
    {"sparse { {1, 1, 1}, {1, 2} }", 1, "sparse[2]", "an entry {i, j, value}"},
    {"sparse { {1, 1, 1, 1} }", 1, "sparse[1]", "an entry {i, j, value}"},
    {"sparse { {0, 1, 1} }", 1, "sparse[1][1]", "a whole number from 1"},
    {"sparse { {1, 1.5, 1} }", 1, "sparse[1][2]", "a whole number from 1"},
    {"sparse { {1, 1e300, 1} }", 1, "sparse[1][2]", "a whole number from 1"},
    {"sparse { {0/0, 1, 1} }", 1, "sparse[1][1]", "a whole number from 1"},
    {"sparse { {'1', 1, 1} }", 1, "sparse[1][1]", "got string"},
    {"sparse { {1, 1, 0/0} }", 1, "sparse[1][3]", "a finite number"},
    {"sparse { {1, 1, 1/0} }", 1, "sparse[1][3]", "a finite number"},
    {"sparse { {1, 1, 1}, {2, 1, 1}, {2, 2, 1}, {2, 1, 1} }", 1, "sparse[4]",
     "row 2, column 1 is given by entry 2 already"},
    {"sparse { {1, 2, 1}, {2, 1, 1} }", 1, "sparse[2]", "given once and counts for both sides"},
    /* gaps and laws */
    {WITH("gaps = 3"), 1, "system.gaps", "a table of functions(t, q)"},
    {WITH("gaps = gaps { print }"), 1, "system.gaps", "got a set"},
    {WITH("gaps = { 3 }"), 1, "system.gaps[1]", "a function(t, q)"},
    {WITH("gaps = { a = print }"), 1, "system.gaps.a", "unknown key"},
    {WITH("restitution = 2, " FLOOR), 1, "system.restitution", "from 0 to 1"},
    {WITH("restitution = -0.1, " FLOOR), 1, "system.restitution", "from 0 to 1"},
    {WITH("restitution = {0.1, 0.2}, " FLOOR), 1, "system.restitution", "expected 1 number, got 2"},
    {WITH("restitution = 'a', " FLOOR), 1, "system.restitution", "a number or a table of numbers"},
    {WITH("dissipation_index = 2, " FLOOR), 1, "system.dissipation_index", "from 0 to 1"},
    {WITH("dissipation_index = 1, restitution = 1, " FLOOR), 1, "system.dissipation_index",
     "restitution is given as well"},
    {WITH("friction = 0.5, " FLOOR), 1, "system.tangents", "for each gap with friction, got nothing"},
    {WITH("friction = 0.5, tangents = { print, print }, " FLOOR), 1, "system.tangents",
     "one for each gap, got 2"},
    {WITH("friction = -1, tangents = { print }, " FLOOR), 1, "system.friction", ">= 0"},
    {WITH("tangents = { print }, " FLOOR), 1, "system.tangents", "there is no friction"},
    {WITH("tangential_restitution = 1, " FLOOR), 1, "system.tangential_restitution", "there is no friction"},
    /* what the library refuses */
    {"system { q = -1, u = 0, " TIMES ", scheme = 'moreau', " FLOOR " }", 1, "system.q",
     "gap 1 is -1 at the start"},
    {"system { q = 1, u = 0, " TIMES
     ", scheme = 'mabrouk', friction = 1, tangents = { function() return 1 end },\n" FLOOR " }",
     1, "system.friction", "mabrouk"},
    {ONE("\n gaps = { function() return 0/0 end }"), 1, "system", "at the start"},
    /* functions */
    {ONE("\n force = function(t, q, u) return 'a' end"), 2, "system.force", "gave string \"a\" at t = "},
    {WITH("\n force = function(t, q, u) return {1} end"), 2, "system.force", "gave a table of 1 at t = "},
    {WITH("\n force = function(t, q, u) return {1, true} end"), 2, "system.force[2]", "gave true"},
    {WITH("\n force = function(t, q, u) return q end"), 2, "system.force", "gave a point"},
    {WITH("\n force = function(t, q, u)\n q[1] = 3 return {0, 0} end"), 3, "q", "cannot be set here"},
    {WITH("\n force = function(t, q, u)\n u[1] = 3 return {0, 0} end"), 3, "u", "cannot be set here"},
    {WITH("\n force = function(t, q, u)\n error('no') end"), 3, "", "no"},
    {WITH("\n force = function(t, q, u)\n return nothing.x end"), 3, "", "nothing"},
    {ONE("\n mass = function(t, q) return nil end"), 2, "system.mass", "gave nothing at t = 0"},
    {WITH("\n mass = function(t, q) return {1} end"), 2, "system.mass",
     "gave 1 numbers at t = 0, expected 2"},
    {WITH("\n mass = function(t, q) return {{1, 2}, {0, 1}} end"), 2, "system.mass", "symmetric"},
    {WITH("\n mass = function(t, q) return {{1, 2}, {0}} end"), 2, "system.mass", "gave 1 numbers in [2]"},
    {ONE("\n potential = function(t, q) return {} end"), 2, "system.potential", "gave a table"},
    {ONE(FLOOR ",\n restitution = function(t, q) return {} end"), 2, "system.restitution",
     "gave a table of 0"},
    {ONE(FLOOR ", contact_tolerance = 2, friction = 1,\n tangents = { function(t, q) return {1, 2} end }"), 2,
     "system.tangents[1]", "gave a table of 2"},
    {ONE("\n gaps = { function() return 1 end,\n function(t, q) return t < 0.5 and 1 or 'a' end }"), 3,
     "gaps[2]", "gave string \"a\""},
    /* the handle */
    {"local p = " S "print(p.lamda)", 2, "lamda",
     "a system has no field \"lamda\"; did you mean \"lambda\"?"},
    {"local p = " S "print(p.x)", 2, "x", "a system has no field"},
    {"local p = " S "p.q = {1, 1}", 2, "q", "the fields of a system cannot be set"},
    {"local p\np = system { q = 0, u = 0, " TIMES ", scheme = 'moreau',\n force = function(t, q)\n"
     " if p then print(p.q) end return 1 end }",
     4, "q", "not available inside a function of a system"},
    /* trials */
    {"trial { q = 1, " TIMES ", scheme = 'moreau' }", 1, "trial.u", "got nothing"},
    {"trial { u = 1, " TIMES ", scheme = 'moreau' }", 1, "trial.q", "got nothing"},
    {"trial { q = 1, u = 1, " TIMES ", scheme = 'moreau', record = {} }", 1, "trial.record", "unknown key"},
    {"trial { q = 1, u = 1, x = 1, " TIMES ", scheme = 'moreau' }", 1, "trial.x", "unknown key"},
    {"trial { q = 1, u = 1, " TIMES ", scheme = 'moreau',\n force = function(t)\n"
     " trial { q = 1, u = 1, " TIMES ", scheme = 'moreau' } return 1 end }",
     3, "trial", "not available inside a function"},
};

static void each_mistake_is_told(void **state)
{
    (void)state;
    expect_mistakes(mistakes, sizeof mistakes / sizeof mistakes[0]);
}

/* errors that a scene catches leave nothing behind, wherever in the making they come */
static void caught_mistakes_leave_nothing(void **state)
{
    (void)state;
    outcome o;
    run_text("local function try(keys)\n"
             "  for i = 1, 20 do\n"
             "    local t = { q = {1, 2}, u = {0, 0}, " TIMES ", scheme = 'moreau' }\n"
             "    for k, v in pairs(keys) do t[k] = v end\n"
             "    assert(not pcall(trial, t)) assert(not pcall(system, t))\n"
             "  end\n"
             "end\n"
             "try { mass = {1, -1} } try { mass = function(t, q) error('x') end } try { force = 3 }\n"
             "try { gaps = { function() return -1 end } } try { gaps = { function() return {} end } }\n"
             "try { gaps = { function() return 1 end }, restitution = function() return 'a' end }\n"
             "try { q = 3 } try { scheme = 'no' } try { friction = 1, gaps = { function() return 1 end } }\n"
             "for i = 1, 20 do\n"
             "  local ok, m = pcall(trial, { q = 1, u = 1, " TIMES ", scheme = 'moreau',\n"
             "    force = function(t) if t > 0.5 then error('late') end return 0 end })\n"
             "  assert(not ok and m:find('late'))\n"
             "end\n" S,
             &o);
    assert_string_equal(o.err.message, "");
    assert_string_equal(o.result.status, "ok");
    outcome_free(&o);
}

static const bomb bombs[] = {
    {"trial { q = 0, u = 0, h = 1e-9, t_end = 1, scheme = 'moreau' }", "never end?"},
    {"trial { q = 0, u = 0, h = 1e-9, t_end = 1, scheme = 'moreau', keep = true }", ""},
    {"trial { q = 0, u = 0, h = 1, t_end = 1, scheme = 'moreau', force = function() while true do end end }",
     "never end?"},
    {"system { q = 0, u = 0, h = 1, t_end = 1, scheme = 'moreau', force = function() while true do end end }",
     "never end?"},
    {"system { q = 0, u = 0, h = 1, t_end = 1, scheme = 'moreau', mass = function() while true do end end }",
     "never end?"},
    {"system { q = 0, u = 0, h = 1, t_end = 1, scheme = 'moreau', gaps = { function() while true do end end "
     "} }",
     "never end?"},
    {"local function f(t) return f(t) + 1 end system { q = 0, u = 0, h = 1, t_end = 1, scheme = 'moreau', "
     "force = f }",
     ""},
    {"local q = {} for i = 1, 5000 do q[i] = 0 end\n"
     "system { q = q, u = q, h = 1, t_end = 1, scheme = 'moreau', mass = function() return 1 end }",
     "more than fit"},
    {"local q, m = {}, {} for i = 1, 500 do q[i] = 0 m[i] = {} end\n"
     "for i = 1, 500 do for k = 1, 500 do m[i][k] = 0 end end\n"
     "system { q = q, u = q, h = 1, t_end = 1, scheme = 'moreau', mass = m }",
     "use banded"},
    {"local q, g = {}, {} for i = 1, 1000 do q[i] = 0 g[i] = function() return 1 end end\n"
     "system { q = q, u = q, h = 1, t_end = 1, scheme = 'moreau', gaps = g }",
     "more than fit"},
    {"local b = {} for i = 1, 1e9 do b[i] = banded { 1, 2, 3 } end", ""},
    {"local b = {} for i = 1, 10001 do b[i] = 1 end banded(b)", "1 to 10000 diagonals"},
    {"local e = {} for i = 1, 100001 do e[i] = {i, i, 1} end sparse(e)", "expected 1 to 100000 entries"},
    {"local b = {} for i = 1, 1e9 do b[i] = sparse { {1, i, 3} } end", ""},
    {"local n = 0 system { q = 0, u = 0, h = 1, t_end = 1, scheme = 'moreau', force = function(t, q, u)\n"
     "local x = u[1] for i = 1, 1e9 do x = x * u[1] + i end return x end }",
     "never end?"},
};

static void bombs_end_in_time(void **state)
{
    (void)state;
    scene_limits limits = small_limits();
    limits.points = 100000;
    expect_bombs("", bombs, sizeof bombs / sizeof bombs[0], &limits);
}

/* numbers of one evaluation, on paths and with variables, may be used in another */
static void what_functions_keep_does_no_harm(void **state)
{
    (void)state;
    outcome o;
    run_text(
        "local kept = {}\n"
        "local function mix(v) local s = v for i = 1, math.min(#kept, 9) do s = s + 0 * kept[i] * v end\n"
        "  kept[#kept % 9 + 1] = v return math.max(s, table.unpack(kept, 1, math.min(#kept, 9))) * 0 + v "
        "end\n"
        "system { q = {0, 1}, u = {1, 0}, h = 0.1, t_end = 1, scheme = 'event-driven', restitution = 0,\n"
        "  force = function(t, q, u) return {mix(u[1]) * 0, mix(q[2]) * 0 - 1} end,\n"
        "  gaps = { function(t, q) return mix(q[2]) - 0.1 * mix(q[1])^2 + mix(t) * 0 end } }\n"
        "at_end(function() for i, v in ipairs(kept) do tostring(v) tonumber(v) end end)",
        &o);
    assert_string_equal(o.err.message, "");
    assert_true(strcmp(o.result.status, "ok") == 0);
    outcome_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mistake_is_told), cmocka_unit_test(caught_mistakes_leave_nothing),
        cmocka_unit_test(bombs_end_in_time), cmocka_unit_test(what_functions_keep_does_no_harm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
