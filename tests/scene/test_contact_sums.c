/*
 * measure.add_contacts: impulses of pairs over many steps.  A block of weight 20 N on a floor, friction 0.5,
 * 0.05 s: P_N = 1 N s whatever happens, and P_T at most half of that.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/mistakes.h"
#include "scene/run_files.h"
#include "scene/run_world3.h"

#define WORLD(dim, gravity)                                                                                  \
    "param('piece', 0) world { dim = " dim ", h = 1e-3, t_end = 0.05, gravity = " gravity                    \
    ", solver = { tol = 1e-12 }, record = { every = 0.01 } } law { friction = 0.5 }\n"
#define FLAT WORLD("2", "{0, -10}")
#define GROUND "body { shape = halfplane { normal = {0, 1} }, fixed = true }\n"
#define BLOCK "body { shape = rectangle { 1, 0.2 }, density = 10, position = {0, 0.1}"
/* the one pair there is; tangential impulses are those on body 1, the floor */
#define SUMS                                                                                                 \
    "stop_when(function() state.sums = measure.add_contacts(state.sums) return false end)\n"                 \
    "at_end(function() local pairs_of = 0\n"                                                                 \
    "  for _, s in pairs(state.sums) do\n"                                                                   \
    "    pairs_of = pairs_of + 1 report('sums', { s.normal, s.limit, s.sliding })\n"                         \
    "    report('ids', { s.body1.id, s.body2.id }) report('tangential', s.tangential)\n"                     \
    "  end report('pairs', pairs_of) end)\n"

static void expect(const outcome *o, double sliding, const double *tangential, size_t dim)
{
    double sums[3], ids[2], found[3], pairs;
    const double expected[3] = {1, 0.5, sliding};
    expect_reached(o);
    reported(o, "pairs", 1, &pairs);
    assert_close(pairs, 1, 0);
    reported(o, "ids", 2, ids);
    assert_true(ids[0] < ids[1]);
    reported(o, "sums", 3, sums);
    reported(o, "tangential", dim, found);
    for (int k = 0; k < 3; k++)
        assert_close(sums[k], expected[k], 1e-9);
    for (size_t k = 0; k < dim; k++)
        assert_close(found[k], tangential[k], 1e-9);
}

/* both contacts of the block count; it slides all the time, and the floor is pulled along with all there is
 */
static void what_slides_one_way_has_all_friction(void **state)
{
    (void)state;
    outcome o;
    run_text(FLAT GROUND BLOCK ", velocity = {1, 0} }\n" SUMS, &o);
    expect(&o, 1, (const double[]){0.5, 0}, 2);
    outcome_free(&o);
}

/* one contact: of two, either may bear all that it can, which counts as sliding */
static void what_is_held_has_what_is_asked_of_it(void **state)
{
    (void)state;
    outcome o;
    run_text(FLAT GROUND
             "body { shape = disc { radius = 0.1 }, mass = 2, free = {'x', 'y'}, position = {0, 0.1}, "
             "applied_force = {5, 0} }\n" SUMS,
             &o);
    expect(&o, 0, (const double[]){0.25, 0}, 2);
    outcome_free(&o);
}

/* a floor that runs to and fro faster than the block follows: it slides at every moment and is pulled nowhere
 */
static void what_slides_to_and_fro_has_none(void **state)
{
    (void)state;
    outcome o;
    run_text(FLAT "body { shape = rectangle { 20, 1 }, position = {0, -0.5}, motion = function(t)\n"
                  "  return { x = t < 0.025 and 10 * t or 0.5 - 10 * t } end }\n" BLOCK " }\n" SUMS,
             &o);
    expect(&o, 1, (const double[]){0, 0}, 2);
    outcome_free(&o);
}

/* tangents of contacts are found anew every step; the sum lies along the world's axes */
static void vectors_are_added_in_space(void **state)
{
    (void)state;
    outcome o;
    run_text(
        WORLD("3", "{0, 0, -10}") "body { shape = plane { normal = {0, 0, 1} }, fixed = true }\n"
                                  "body { shape = box { 1, 1, 0.2 }, density = 10, position = {0, 0, 0.1}, "
                                  "velocity = {0.6, 0.8, 0} }\n" SUMS,
        &o);
    expect(&o, 1, (const double[]){0.3, 0.4, 0}, 3);
    outcome_free(&o);
}

/* sums in `state` go on where they were */
static void sums_are_resumed(void **state)
{
    (void)state;
    static const char *const text = FLAT GROUND BLOCK ", velocity = {1, 0} }\n" SUMS;
    outcome whole, first, rest;
    run_text(text, &whole);
    run_piece(text, "piece", "1", 0.02, PARTS, -1, &first);
    run_piece(text, "piece", "1", -1, PARTS, PARTS, &rest);
    expect(&rest, 1, (const double[]){0.5, 0}, 2);
    assert_string_equal(whole.result.report_json, rest.result.report_json);
    outcome_free(&whole);
    outcome_free(&first);
    outcome_free(&rest);
}

static void mistakes_are_told(void **state)
{
    (void)state;
    const mistake mistakes[] = {
        {FLAT "measure.add_contacts(3)", 2, "measure.add_contacts", "a table that it made itself"},
        {FLAT GROUND BLOCK
         " }\nstop_when(function() measure.add_contacts { [(1 << 32) + 2] = 1 } return false end)",
         4, "measure.add_contacts", "a table that it made itself"},
        {FLAT GROUND BLOCK
         " }\nstop_when(function() measure.add_contacts { [(1 << 32) + 2] = {} } return false end)",
         4, "measure.add_contacts", "no number \"normal\""},
    };
    expect_mistakes(mistakes, sizeof mistakes / sizeof mistakes[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_slides_one_way_has_all_friction),
        cmocka_unit_test(what_is_held_has_what_is_asked_of_it),
        cmocka_unit_test(what_slides_to_and_fro_has_none),
        cmocka_unit_test(vectors_are_added_in_space),
        cmocka_unit_test(sums_are_resumed),
        cmocka_unit_test(mistakes_are_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
