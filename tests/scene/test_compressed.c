/*
 * Compressed samples: no overlaps, a stress that is the pressure in all directions, also as a world with
 * walls of its own sees it; frictionless ones are isostatic; the seed decides; mistakes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/grains_seen.h"
#include "scene/mistakes.h"
#include "support/close.h"

#define W2 "world { dim = 2, h = 1e-3, t_end = 0 }\n"
#define W3 "world { dim = 3, h = 1e-3, t_end = 0 }\n"
#define TELL                                                                                                 \
    SEE "report('min', g.min) report('max', g.max) report('stress', g.stress) report('phi', "                \
        "g.solid_fraction)\n"                                                                                \
        "report('coordination', g.coordination) report('contacts', g.contacts) report('rattlers', "          \
        "g.rattlers)\n"

/* mean diameter 1 */
#define SIZES "radius = sizes.uniform {0.35, 0.65}, density = 1"

/* ---- counting contacts of balls and walls, all pairs ------------------------------------------------- */

typedef struct net {
    const grains_seen *g;
    const double *min, *max;
    double reach; /* gaps below are contacts */
} net;

static bool touch(const net *n, size_t i, size_t j)
{
    return gap_between(n->g, i, j) < n->reach;
}

static size_t walls_of(const net *n, size_t i)
{
    size_t walls = 0, dim = n->g->dim;
    for (size_t k = 0; k < dim; k++) {
        double x = n->g->x[dim * i + k], r = n->g->r[i];
        walls += x - r - n->min[k] < n->reach;
        walls += n->max[k] - x - r < n->reach;
    }
    return walls;
}

static size_t contacts_of(const net *n, const bool *loose, size_t i)
{
    size_t count = walls_of(n, i);
    for (size_t j = 0; j < n->g->count; j++)
        count += j != i && !loose[j] && touch(n, i, j);
    return count;
}

/* balls with too few contacts to be held go, and what hung on them */
static void find_loose(const net *n, bool *loose)
{
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < n->g->count; i++)
            if (!loose[i] && contacts_of(n, loose, i) < n->g->dim + 1)
                more = loose[i] = true;
    }
}

/* contacts of the balls that are held against freedoms: their places and the pistons */
static void expect_isostatic(const outcome *o, size_t dim)
{
    grains_seen g = see(o, dim);
    double min[3], max[3];
    bool loose[1000] = {false};
    size_t held = 0, twice = 0, walls = 0;
    reported(o, "min", dim, min);
    reported(o, "max", dim, max);
    net n = {&g, min, max, 1e-7};
    find_loose(&n, loose);
    for (size_t i = 0; i < g.count; i++) {
        held += !loose[i];
        walls += loose[i] ? 0 : walls_of(&n, i);
        for (size_t j = 0; j < g.count && !loose[i]; j++)
            twice += j != i && !loose[j] && touch(&n, i, j);
    }
    size_t contacts = twice / 2 + walls;
    assert_int_equal(contacts, dim * held + dim);
    /* and the generator says the same */
    assert_close(reported_number(o, "contacts"), (double)contacts, 0);
    assert_close(reported_number(o, "rattlers"), (double)(g.count - held), 0);
    assert_close(reported_number(o, "coordination"), (double)(twice + walls) / (double)held, 1e-12);
    /* each held ball has 2 dim contacts but for the boundary */
    assert_true((double)(twice + 2 * walls) / (double)held > 2.0 * (double)dim - 0.01);
    unsee(&g);
}

static void expect_sound(const outcome *o, size_t dim, double pressure)
{
    grains_seen g = see(o, dim);
    double min[3], max[3], stress[3], volume = 1, solid = 0;
    reported(o, "min", dim, min);
    reported(o, "max", dim, max);
    reported(o, "stress", dim, stress);
    for (size_t k = 0; k < dim; k++) {
        assert_close(stress[k], pressure, 1e-6 * pressure);
        volume *= max[k] - min[k];
    }
    for (size_t i = 0; i < g.count; i++)
        solid += dim == 2 ? acos(-1.0) * pow(g.r[i], 2) : 4 * acos(-1.0) / 3 * pow(g.r[i], 3);
    assert_close(reported_number(o, "phi"), solid / volume, 1e-12);
    assert_true(least_gap(&g) > -1e-7);
    assert_true(least_margin(&g, min, max) > -1e-7);
    unsee(&g);
}

static void smooth_discs(void **state)
{
    (void)state;
    outcome o;
    run_ok(W2 "local g = generate.compressed { count = 60, pressure = 1000, position = {2, 3}, " SIZES
              " }\n" TELL,
           &o);
    expect_sound(&o, 2, 1000);
    expect_isostatic(&o, 2);
    /* dense, as frictionless discs are: 0.84 in the bulk, less along walls */
    double phi = reported_number(&o, "phi");
    assert_true(phi > 0.76 && phi < 0.85);
    outcome_free(&o);
}

static void smooth_spheres(void **state)
{
    (void)state;
    outcome o;
    run_ok(W3 "local g = generate.compressed { count = 30, " SIZES " }\n" TELL, &o);
    expect_sound(&o, 3, 1);
    expect_isostatic(&o, 3);
    outcome_free(&o);
}

/* friction while it is compressed leaves it looser; friction afterwards leaves it where it is */
static void rough_discs(void **state)
{
    (void)state;
    outcome smooth, rough, later;
    run_ok(W2 "local g = generate.compressed { count = 25, " SIZES " }\n" TELL, &smooth);
    run_ok(W2 "local g = generate.compressed { count = 25, compression_friction = 0.5, " SIZES " }\n" TELL,
           &rough);
    run_ok(W2 "local g = generate.compressed { count = 25, friction = 0.5, " SIZES " }\n" TELL, &later);
    expect_sound(&rough, 2, 1);
    expect_sound(&later, 2, 1);
    assert_true(reported_number(&rough, "phi") < reported_number(&smooth, "phi") - 0.005);
    assert_close(reported_number(&later, "phi"), reported_number(&smooth, "phi"), 1e-6);
    outcome_free(&smooth);
    outcome_free(&rough);
    outcome_free(&later);
}

/* in a world with walls and pistons of its own nothing moves, and Love and Weber's stress is the pressure */
static void stands_in_the_scene(void **state)
{
    (void)state;
    outcome o;
    run_ok(
        "world { dim = 2, h = 1e-3, t_end = 0.02, solver = { tol = 1e-10 } }\n"
        "law { friction = 0.4 } law { between = {'wall', 'grain'} , friction = 0 }\n"
        "local P = 500\n"
        "local g = generate.compressed { count = 40, radius = sizes.uniform {0.0035, 0.0065}, pressure = P,\n"
        "  friction = 0.4, group = 'grain' }\n"
        "local a, b = g.min, g.max\n"
        "local lx, ly = b[1] - a[1], b[2] - a[2]\n"
        "body { shape = halfplane { normal = {1, 0}, offset = a[1] }, fixed = true, group = 'wall' }\n"
        "body { shape = halfplane { normal = {0, 1}, offset = a[2] }, fixed = true, group = 'wall' }\n"
        "local right = body { shape = rectangle { 0.01, 2 * ly }, mass = 1, free = {'x'}, group = 'wall',\n"
        "  collides_with = {'grain'}, position = {b[1] + 0.005, ly / 2}, applied_force = {-P * ly, 0} }\n"
        "local top = body { shape = rectangle { 2 * lx, 0.01 }, mass = 1, free = {'y'}, group = 'wall',\n"
        "  collides_with = {'grain'}, position = {lx / 2, b[2] + 0.005}, applied_force = {0, -P * ly * lx / "
        "ly} }\n"
        "at_end(function()\n"
        "  local s = measure.stress { min = a, max = b }\n"
        "  report('s', { s[1][1] / P, s[1][2] / P, s[2][1] / P, s[2][2] / P })\n"
        "  report('moved', math.abs(right.position[1] - b[1] - 0.005) + math.abs(top.position[2] - b[2] - "
        "0.005))\n"
        "end)",
        &o);
    double s[4];
    reported(&o, "s", 4, s);
    assert_close(s[0], 1, 1e-4);
    assert_close(s[3], 1, 1e-4);
    assert_close(s[1], s[2], 1e-4);
    assert_close(reported_number(&o, "moved"), 0, 1e-7);
    outcome_free(&o);
}

/* the same seed and any number of threads: the same bits */
static void seeds(void **state)
{
    (void)state;
    const char *text =
        W2 "local g = generate.compressed { count = 20, proportions = {2, 1}, " SIZES " }\n" TELL;
    outcome o[3];
    for (int i = 0; i < 3; i++) {
        scene_options options = text_options(text, &o[i]);
        options.threads = i == 1 ? 2 : 1;
        options.seed = i == 2 ? 9 : 3;
        run_options(&options, &o[i]);
        expect_reached(&o[i]);
    }
    assert_string_equal(o[0].result.report_json, o[1].result.report_json);
    assert_string_not_equal(o[0].result.report_json, o[2].result.report_json);
    double max[2];
    reported(&o[0], "max", 2, max);
    assert_true(max[0] > 1.5 * max[1] && max[0] < 2.5 * max[1]);
    for (int i = 0; i < 3; i++)
        outcome_free(&o[i]);
}

/* one ball, and few */
static void few_balls(void **state)
{
    (void)state;
    for (int n = 1; n <= 3; n++) {
        char text[1000];
        outcome o;
        snprintf(text, sizeof text, W2 "local g = generate.compressed { count = %d, " SIZES " }\n" TELL, n);
        run_ok(text, &o);
        expect_sound(&o, 2, 1);
        outcome_free(&o);
    }
}

static const mistake mistakes[] = {
    {"generate.compressed { }", 1, "generate.compressed", ""},
    {W2 "generate.compressed { count = 3 }", 2, "generate.compressed.radius", "got nothing"},
    {W2 "generate.compressed { radius = 1 }", 2, "generate.compressed.count", "got nothing"},
    {W2 "generate.compressed { count = 3, radius = 1, pressure = 0 }", 2, "generate.compressed.pressure",
     "> 0"},
    {W2 "generate.compressed { count = 3, radius = 1, friction = -1 }", 2, "generate.compressed.friction",
     "from 0"},
    {W2 "generate.compressed { count = 3, radius = 1, friction = 0/0 }", 2, "generate.compressed.friction",
     "finite"},
    {W2 "generate.compressed { count = 3, radius = 1, proportions = {1, 0} }", 2,
     "generate.compressed.proportions[2]", "from 0.001"},
    {W2 "generate.compressed { count = 3, shape = rectangle {1, 1} }", 2, "generate.compressed.shape",
     "only discs"},
    {W2 "generate.compressed { count = 1e9, radius = 1 }", 2, "generate.compressed.count",
     "more than a scene"},
    {W2 "generate.compressed { count = 30, radius = 1, max_steps = 3 }", 2, "generate.compressed.max_steps",
     "not at rest after 3 steps"},
};

static void mistakes_are_told(void **state)
{
    (void)state;
    expect_mistakes(mistakes, sizeof mistakes / sizeof mistakes[0]);
}

static const bomb bombs[] = {
    {"generate.compressed { count = 900, radius = sizes.uniform {0.1, 1} }", "seconds"},
    {"for i = 1, 1e6 do pcall(generate.compressed, { count = 300, radius = 1, max_steps = 2 }) end",
     "seconds"},
};

static void bombs_end(void **state)
{
    (void)state;
    scene_limits limits = small_limits();
    expect_bombs(W2, bombs, sizeof bombs / sizeof bombs[0], &limits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_discs),
        cmocka_unit_test(smooth_spheres),
        cmocka_unit_test(rough_discs),
        cmocka_unit_test(stands_in_the_scene),
        cmocka_unit_test(seeds),
        cmocka_unit_test(few_balls),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(bombs_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
