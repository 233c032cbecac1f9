/*
 * Runs of 3D worlds that go on from a file give the same bits as uninterrupted ones; what the scene builds
 * must be what the file holds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/run_files.h"

/* every kind of shape on a table that tilts; a growing ball, a load by a function, bodies made and removed */
static const char *const busy_scene =
    "world { dim = 3, h = 2e-3, t_end = 0.2, gravity = {0, 0, -9.81}, record = { every = 0.02, series = 0.02 "
    "} }\n"
    "law { friction = 0.4, restitution = 0.1 }\n"
    "body { shape = box { 3, 3, 0.2 }, position = {0, 0, -0.1},\n"
    "       motion = function(t) return { rotation = {0.2 * math.sin(9 * t), 0, t} } end }\n"
    "local shapes = { sphere { radius = 0.1 }, box { 0.2, 0.1, 0.1 }, cylinder { radius = 0.08, height = "
    "0.15 },\n"
    "  capsule { radius = 0.06, height = 0.1 }, convex { {0,0,0}, {0.2,0,0}, {0,0.2,0}, {0,0,0.2}, "
    "{0.1,0.1,0.1} } }\n"
    "shapes[6] = compound { { shape = shapes[2] }, { shape = shapes[4], position = {0.1, 0, 0},\n"
    "  orientation = {1, 1, 0, 0} } }\n"
    "local function put(x, y, z, i)\n"
    "  return body { shape = shapes[i % 6 + 1], density = 1000, position = {x, y, z}, group = 'grain',\n"
    "    orientation = {1, math.random(), math.random(), 0}, spin = {math.random(), 0, 1} }\n"
    "end\n"
    "for i = 1, 12 do put(0.3 * (i % 4) - 0.5, 0.3 * (i // 4) - 0.5, 0.15, i) end\n"
    "body { shape = sphere { radius = function(t) return 0.1 + 0.1 * t end }, density = 500, position = {0, "
    "0.8, 0.1},\n"
    "       applied_torque = function(t) return {t, 0, 0.1} end }\n"
    "on_step(function(t)\n"
    "  state.n = (state.n or 0) + 1\n"
    "  if state.n % 15 == 0 then\n"
    "    if state.last then remove(state.last) state.last = nil\n"
    "    else state.last = put(math.random() - 0.5, math.random() - 0.5, 0.5, state.n) end\n"
    "  end\n"
    "end)\n"
    "observe('energy', function(t) return measure.kinetic_energy() end)\n"
    "at_end(function() report('n', state.n) report('s', measure.stress()[3]) end)";

/* boxes on waves of triangles, most of which are far from any one of them */
static const char *const wavy_scene =
    "world { dim = 3, h = 2e-3, t_end = 0.2, gravity = {0, 0, -9.81}, record = { every = 0.02 } }\n"
    "law { friction = 0.5 }\n"
    "local points, triangles = {}, {}\n"
    "for i = 0, 8 do for j = 0, 8 do\n"
    "  points[#points + 1] = { i / 4 - 1, j / 4 - 1, 0.03 * math.sin(3 * i) * math.cos(2 * j) }\n"
    "  local d = #points\n"
    "  if i > 0 and j > 0 then\n"
    "    triangles[#triangles + 1] = { d - 10, d - 1, d }\n"
    "    triangles[#triangles + 1] = { d - 10, d, d - 9 }\n"
    "  end\n"
    "end end\n"
    "body { shape = mesh { points = points, triangles = triangles }, fixed = true }\n"
    "generate.lattice { kind = 'cubic', counts = {6, 6, 1}, spacing = 0.3, position = {-0.75, -0.75, 0.1},\n"
    "  shape = box { 0.07, 0.07, 0.063 }, density = 800, orientation = 'random' }";

static void run_scene(const char *text, double until, int output, int resume, outcome *o)
{
    scene_options options = text_options(text, o);
    options.until = until;
    options.output = output >= 0 ? path_of(output) : NULL;
    options.resume = resume >= 0 ? path_of(resume) : NULL;
    run_options(&options, o);
    if (o->status != MO_OK)
        print_error("%s: %s %s\n", o->err.file, o->err.key, o->err.message);
    assert_int_equal(o->status, MO_OK);
}

static void run_busy(double until, int output, int resume, outcome *o)
{
    run_scene(busy_scene, until, output, resume, o);
}

/* a message of the scene interrupts inside the step that follows */
static void interrupt_now(void *data, const char *text)
{
    (void)data, (void)text;
    interrupt_flag = 1;
}

/* newton does not end the step: it has not happened, and the run goes on from the frame before it */
static void interrupted_inside_a_step(void **state)
{
    (void)state;
    static const char *const text =
        "world { dim = 3, h = 2e-3, t_end = 0.1, gravity = {0, 0, -9.81}, record = { every = 0.01 },\n"
        "        solver = { name = 'newton' } }\n"
        "law { friction = 0.4 }\n"
        "body { shape = plane { normal = {0, 0, 1} }, fixed = true }\n"
        "for i = 1, 6 do body { shape = box { 0.2, 0.1, 0.1 }, density = 1000, spin = {0, i, 0},\n"
        "                       position = {0.02 * i, 0, 0.11 * i - 0.06} } end\n"
        "on_step(function(t) state.n = (state.n or 0) + 1 if state.n == 38 and not resuming then "
        "print('now') "
        "end end)\n"
        "at_end(function() report('n', state.n) end)";
    outcome whole, part;
    scene_options options = text_options(text, &whole);
    run_options(&options, &whole);
    assert_string_equal(whole.result.status, "ok");
    assert_string_equal(whole.result.report_json, "{\"n\":50}");
    options = text_options(text, &part);
    options.output = path_of(PARTS);
    options.message = interrupt_now;
    options.interrupt = &interrupt_flag;
    run_options(&options, &part);
    interrupt_flag = 0;
    assert_int_equal(part.status, MO_OK);
    assert_true(part.result.interrupted);
    assert_string_equal(part.result.status, "interrupted");
    assert_int_equal(part.result.info.steps, 37);
    outcome_free(&part);
    options = text_options(text, &part);
    options.resume = path_of(PARTS);
    run_options(&options, &part);
    assert_string_equal(part.result.status, "ok");
    assert_int_equal(part.result.hash, whole.result.hash);
    assert_string_equal(part.result.report_json, whole.result.report_json);
    outcome_free(&part);
    outcome_free(&whole);
}

static void pieces_give_the_same_bits(void **state)
{
    (void)state;
    outcome whole, part;
    mo_run *ra, *rb;
    run_busy(-1, WHOLE, -1, &whole);
    assert_string_equal(whole.result.status, "ok");
    run_busy(0.08, PARTS, -1, &part);
    outcome_free(&part);
    run_busy(-1, PARTS, PARTS, &part);
    assert_int_equal(part.result.hash, whole.result.hash);
    assert_string_equal(part.result.report_json, whole.result.report_json);
    assert_memory_equal(&part.result.info.energy, &whole.result.info.energy, sizeof part.result.info.energy);
    open_same_files(WHOLE, PARTS, &ra, &rb);
    mo_run_close(ra);
    mo_run_close(rb);
    outcome_free(&part);
    /* between two frames, just after a body was made */
    run_until_interrupt(busy_scene, 46, PARTS, &part);
    outcome_free(&part);
    run_busy(-1, OTHER, PARTS, &part);
    assert_int_equal(part.result.hash, whole.result.hash);
    assert_string_equal(part.result.report_json, whole.result.report_json);
    outcome_free(&part);
    outcome_free(&whole);
}

/* the first step of a piece has a new list of neighbours: what touches does not follow from which triangles
   it holds */
static void pieces_on_a_mesh_give_the_same_bits(void **state)
{
    (void)state;
    outcome whole, part;
    run_scene(wavy_scene, -1, -1, -1, &whole);
    for (int i = 1; i < 10; i++) {
        run_scene(wavy_scene, 0.02 * i, PARTS, -1, &part);
        outcome_free(&part);
        run_scene(wavy_scene, -1, -1, PARTS, &part);
        assert_int_equal(part.result.hash, whole.result.hash);
        outcome_free(&part);
    }
    outcome_free(&whole);
}

#define WORLD "world { dim = 3, h = 0.1, t_end = 1, gravity = {0, 0, -1} }\n"

static void other_scenes_are_refused(void **state)
{
    (void)state;
    static const char *const first =
        WORLD "body { shape = convex { {0,0,0}, {1,0,0}, {0,1,0}, {0,0,1} }, density = 1 }";
    expect_refusal(first, "world { dim = 2, h = 0.1, t_end = 1, gravity = {0, 0} }", "dim is 2 here and 3");
    expect_refusal(first, "world { dim = 3, h = 0.1, t_end = 1, gravity = {0, 0, -2} }",
                   "gravity is another one");
    expect_refusal(first,
                   WORLD "body { shape = convex { {0,0,0}, {1,0,0}, {0,1,0}, {0,0,2} }, density = 0.5 }",
                   "points of body 1 are others");
    expect_refusal(first, WORLD "body { shape = sphere { radius = 1 }, density = 1 }",
                   "body 1 has 1 parts with 1 points");
    expect_refusal(WORLD "body { shape = plane { normal = {0, 0, 1} }, fixed = true }",
                   WORLD "body { shape = plane { normal = {0, 1, 1} }, fixed = true }", "part 1 of body 1");
    expect_refusal(WORLD "body { shape = sphere { radius = 1 }, mass = 1, inertia = {1, 2, 2} }",
                   WORLD "body { shape = sphere { radius = 1 }, mass = 1, inertia = {2, 2, 2} }", "inertia");
    expect_refusal(WORLD "body { shape = sphere { radius = 1 }, mass = 1, free = {'x', 'wx'} }",
                   WORLD "body { shape = sphere { radius = 1 }, mass = 1, free = {'x', 'wz'} }", "freedoms");
    expect_refusal(WORLD "body { shape = capsule { radius = 1, height = 2 }, mass = 1 }",
                   WORLD "body { shape = cylinder { radius = 1, height = 2 }, mass = 1 }",
                   "part 1 of body 1 is another one");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interrupted_inside_a_step),
        cmocka_unit_test(pieces_give_the_same_bits),
        cmocka_unit_test(pieces_on_a_mesh_give_the_same_bits),
        cmocka_unit_test(other_scenes_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
