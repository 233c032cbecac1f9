/*
 * Periodic cells in scenes: what is read and refused, what the handle tells, and runs that go on from a file.
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
#include "support/close.h"

/* a small packing that is compressed, then sheared under a stress and through a wall of the cell */
static const char *const shear =
    "world { dim = 2, h = 1e-3, t_end = 0.2, periodic = { x = {0, 0.15}, y = {-0.1, 0.05} },\n"
    "        record = { every = 0.05 }, solver = { tol = 1e-6 } }\n"
    "law { friction = 0.3 }\n"
    "for i = 0, 4 do for j = 0, 4 do\n"
    "  body { shape = disc { radius = 0.012 + 0.003 * math.random() }, density = 2600,\n"
    "         position = { 0.03 * i + 0.002 * math.random(), 0.03 * j } }\n"
    "end end\n"
    "local c = cell { stress = { xx = 500, yy = function(t) return 400 + 500 * t end }, damping = 50 }\n"
    "at(0.1, function() cell { rate = { xy = 3 }, stress = { yy = 600 } } end)\n"
    "observe('stress', function(t) return c.stress[2][2] end)\n"
    "observe('size', function(t) return c.size[2] end)\n"
    "at_end(function()\n"
    "  report('rate', c.rate[1]) report('edges', c.edges[1]) report('volume', c.volume) report('origin', "
    "c.origin)\n"
    "  report('same', math.abs(c.volume - c.edges[1][1] * c.edges[2][2]) < 1e-15)\n"
    "  report('measure', measure.stress()[2][2] == c.stress[2][2]) end)";

static void the_handle_tells(void **state)
{
    (void)state;
    outcome o;
    double rate[2], edges[2], origin[2];
    run_ok(shear, &o);
    reported(&o, "rate", 2, rate);
    reported(&o, "edges", 2, edges);
    reported(&o, "origin", 2, origin);
    assert_close(rate[0], 0, 1e-15);
    assert_close(rate[1], 3, 1e-15);
    assert_true(edges[0] < 0.15 && edges[1] > 0);
    assert_close(origin[1], -0.1, 0);
    assert_non_null(strstr(o.result.report_json, "\"same\":true,\"measure\":true"));
    assert_close(o.result.info.energy.balance_error, 0, 1e-12 * o.result.info.energy.work_external);
    outcome_free(&o);
}

// the run that was stopped at `until` and goes on is the whole one; PARTS is left
static void resume_at(const char *text, double until, const outcome *whole)
{
    outcome part;
    scene_options options = text_options(text, &part);
    options.output = path_of(PARTS);
    options.until = until;
    run_options(&options, &part);
    outcome_free(&part);
    options = text_options(text, &part);
    options.resume = path_of(PARTS);
    options.threads = 2;
    run_options(&options, &part);
    assert_int_equal(part.status, MO_OK);
    assert_int_equal(part.result.hash, whole->result.hash);
    assert_string_equal(part.result.report_json, whole->result.report_json);
    outcome_free(&part);
}

static void run_whole(const char *text, outcome *whole)
{
    scene_options options = text_options(text, whole);
    options.output = path_of(WHOLE);
    run_options(&options, whole);
    assert_int_equal(whole->status, MO_OK);
}

static void resumed_runs_have_the_same_bits(void **state)
{
    (void)state;
    outcome whole;
    mo_run *a, *b;
    run_whole(shear, &whole);
    for (int k = 0; k < 2; k++) {
        resume_at(shear, k == 0 ? 0.05 : 0.15, &whole);
        open_same_files(WHOLE, PARTS, &a, &b);
        // a frame holds the cell of its positions
        mo_frame f;
        mo_error err;
        assert_int_equal(mo_run_frame(b, mo_run_info_get(b)->frames - 1, &f, &err), MO_OK);
        assert_true(f.cell.periodic[0] && f.cell.periodic[1] && !f.cell.periodic[2]);
        assert_close(f.cell.rate[1], 3, 0);
        for (size_t i = 0; i < f.body_count; i++) {
            double y = (f.q[3 * i + 1] + 0.1) / f.cell.edges[4];
            double x = (f.q[3 * i] - y * f.cell.edges[1]) / f.cell.edges[0];
            assert_true(x > -1e-12 && x < 1 + 1e-12 && y > -1e-12 && y < 1 + 1e-12);
        }
        mo_frame_free(&f);
        mo_run_close(a);
        mo_run_close(b);
    }
    outcome_free(&whole);
}

/* a heap across the face of a channel that falls asleep, and is hit */
static const char *const heap =
    "world { dim = 2, h = 1e-3, t_end = 0.85, gravity = {0, -9.81}, sleeping = true, periodic = { x = {0, "
    "0.6} },\n"
    "        record = { every = 0.1 } }\n"
    "law { friction = 0.5 }\n"
    "body { shape = halfplane { normal = {0, 1} }, fixed = true }\n"
    "for row = 0, 3 do for i = 0, 5 do\n"
    "  body { shape = i == 3 and rectangle {0.08, 0.08} or disc { radius = 0.05 }, density = 1000,\n"
    "         position = { 0.1 * i + 0.05 * (row % 2) + 0.599, 0.05 + 0.0867 * row } }\n"
    "end end\n"
    "at(0.75, function() body { shape = disc { radius = 0.05 }, density = 5000, position = {0.599, 0.5},\n"
    "                         velocity = {0, -5} } end)\n"
    "at(0.7, function() report('places', measure.potential_energy()) end)";

static void sleepers_resume_with_the_same_bits(void **state)
{
    (void)state;
    outcome whole, part;
    run_whole(heap, &whole);
    resume_at(heap, 0.7, &whole);
    outcome_free(&whole);
    // they did sleep
    scene_options options = text_options(heap, &part);
    options.until = 0.7;
    run_options(&options, &part);
    assert_int_equal(part.result.info.asleep, 24);
    outcome_free(&part);
}

static void another_cell_is_refused(void **state)
{
    (void)state;
    static const char *const body = "body { shape = disc { radius = 0.1 }, density = 1 }";
    char first[300], second[300];
    snprintf(first, sizeof first, "world { dim = 2, h = 1, t_end = 9, periodic = { x = {0, 1} } } %s", body);
    snprintf(second, sizeof second, "world { dim = 2, h = 1, t_end = 9, periodic = { y = {0, 1} } } %s",
             body);
    expect_refusal(first, second, "the periodic cell is another one");
    snprintf(second, sizeof second, "world { dim = 2, h = 1, t_end = 9 } %s", body);
    expect_refusal(first, second, "the periodic cell is another one");
    expect_refusal(second, first, "the periodic cell is another one");
}

#define P(cell) "world { dim = 2, h = 1e-3, t_end = 0.01, periodic = " cell " }\n"
#define W P("{ x = {0, 1}, y = {0, 1} }")
#define B "body { shape = disc { radius = 0.1 }, density = 1 } "

static const mistake mistakes[] = {
    {P("3"), 1, "world.periodic", "expected a table"},
    {P("{ w = {0, 1} }"), 1, "world.periodic.w", "unknown key"},
    {P("{ z = {0, 1} }"), 1, "world.periodic.z", "in 2D"},
    {P("{ x = {1, 0} }"), 1, "world.periodic", "low < high"},
    {P("{ x = 1 }"), 1, "world.periodic.x", "expected a table"},
    {W "body { shape = disc { radius = 0.3 }, density = 1 }", 2, "body.periodic", "1 m wide"},
    {W "body { shape = rectangle { 0.5, 0.1 }, density = 1 }", 2, "body.periodic", "1 m wide"},
    {W "body { shape = halfplane { normal = {0, 1} }, fixed = true }", 2, "body.shape", "run along"},
    {W B "cell { rate = 1 }", 2, "cell.rate", "expected a table"},
    {W B "cell { rate = { xz = 1 } }", 2, "cell.rate", "in 2D"},
    {W B "cell { rate = { xy = 1 }, stress = { xy = 1 } }", 2, "cell.rate", "already"},
    {W B "cell { rate = { xw = 1 } }", 2, "cell.rate.xw", "unknown key"},
    {W B "cell { stress = { xx = 1 }, mass = 0 }", 2, "cell.mass", "> 0"},
    {W B "cell { stress = { xx = 1 }, damping = -1 }", 2, "cell.damping", ">= 0"},
    {W B "cell().rate = 3", 2, "rate", "cannot be set"},
    {W B "print(cell().rates)", 2, "rates", "did you mean"},
    {W "body { shape = disc { radius = 0.1 }, fixed = true } cell { rate = { xy = 1 } }", 2, "cell",
     "free bodies"},
    {P("{ x = {0, 1} }") B "cell { rate = { xy = 1 } }", 2, "cell.rate", "not periodic along y"},
    {W B "cell { rate = { xx = function(t) return 'a' end } }", 2, "cell.rate.xx", "expected a number"},
    {W B "local b = body { shape = disc { radius = 0.1 }, density = 1 } cell { rate = { xx = 1 } }\n"
         "joint { kind = 'hinge', bodies = {b}, at = {0, 0} }",
     3, "joint.bodies", "two free bodies"},
};

static void mistakes_are_told(void **state)
{
    (void)state;
    expect_mistakes(mistakes, sizeof mistakes / sizeof mistakes[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_handle_tells),
        cmocka_unit_test(resumed_runs_have_the_same_bits),
        cmocka_unit_test(sleepers_resume_with_the_same_bits),
        cmocka_unit_test(another_cell_is_refused),
        cmocka_unit_test(mistakes_are_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
