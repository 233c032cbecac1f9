/*
 * Live parameters and whoever watches a run: changes take effect between steps, are kept for a resumed run,
 * and watching alone changes nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/run_files.h"

/* a disc pushed by a live force; the same with the force written into the scene */
#define PUSHED                                                                                               \
    "world { dim = 2, h = 0.1, t_end = 1, record = { every = 0.1 } }\n"                                      \
    "local b = body { shape = disc { radius = 1 }, mass = 1 }\n"                                             \
    "on_step(function(t) b.applied_force = { push(t), 0 } end)\n"                                            \
    "at_end(function() report('v', b.velocity[1]) report('push', push(1)) end)\n"
static const char *const live_scene = "local push = live('push', 1.0, 'N')\n" PUSHED;
static const char *const written_scene =
    "local push = function(t) return t < 0.25 and 1 or t < 0.65 and 4 or -2 end\n" PUSHED;

/* changes the parameter before the steps 3 and 7 (from 0), and counts what it is told */
typedef struct plan {
    int64_t step; /* now */
    bool given;   /* the change of this step */
    int begun, looks, held, waits;
    int64_t hold_at; /* -1: never */
    size_t frames, params;
} plan;

static mo_status plan_begin(void *data, const scene_params *params, const char *values, mo_error *err)
{
    plan *p = data;
    (void)err;
    p->begun++;
    p->params = params->count;
    assert_non_null(strstr(values, "\"push\":"));
    assert_true(params->items[0].live);
    return MO_OK;
}

static bool plan_look(void *data, const scene_progress *now)
{
    plan *p = data;
    p->looks++;
    p->given = p->given && p->step == now->step;
    p->step = now->step;
    p->frames = now->frames;
    if (now->step != p->hold_at || p->waits >= 3)
        return false;
    // a run that holds has its frames in the file
    if (p->held++ > 0)
        assert_int_equal(now->frames, now->step + 1);
    return true;
}

static void plan_wait(void *data)
{
    plan *p = data;
    p->waits++;
}

static bool plan_change(void *data, const char **name, const char **value)
{
    plan *p = data;
    if (p->given || (p->step != 3 && p->step != 7))
        return false;
    p->given = true;
    *name = "push";
    *value = p->step == 3 ? "4" : "-2";
    return true;
}

static scene_watch watch_by(plan *p)
{
    return (scene_watch){
        .begin = plan_begin, .look = plan_look, .wait = plan_wait, .change = plan_change, .data = p};
}

static void run_watched(const char *text, plan *p, int output, int resume, int64_t steps, outcome *o)
{
    scene_options options = text_options(text, o);
    const scene_watch watch = watch_by(p);
    options.watch = p != NULL ? &watch : NULL;
    options.output = output >= 0 ? path_of(output) : NULL;
    options.resume = resume >= 0 ? path_of(resume) : NULL;
    options.steps = steps;
    run_options(&options, o);
    if (o->status != MO_OK)
        fail_msg("%s: %s", o->err.key, o->err.message);
}

/* v = h (3 * 1 + 4 * 4 - 3 * 2), and every bit is that of the scene that has it written down */
static void changes_are_those_of_a_written_scene(void **state)
{
    (void)state;
    outcome watched, written;
    plan p = {.hold_at = -1};
    run_watched(live_scene, &p, WHOLE, -1, -1, &watched);
    run_text(written_scene, &written);
    assert_int_equal(watched.result.hash, written.result.hash);
    assert_string_equal(watched.result.report_json, "{\"v\":1.3,\"push\":-2.0}");
    assert_string_equal(watched.result.live_json, "[[3,\"push\",4.0],[7,\"push\",-2.0]]");
    assert_int_equal(watched.result.frames, 11);
    assert_int_equal(p.begun, 1);
    assert_int_equal(p.params, 1);
    assert_int_equal(p.looks, 10);
    outcome_free(&watched);
    outcome_free(&written);
}

static void a_held_run_is_the_same(void **state)
{
    (void)state;
    outcome held, plain;
    plan p = {.hold_at = 5}, q = {.hold_at = -1};
    run_watched(live_scene, &p, WHOLE, -1, -1, &held);
    run_watched(live_scene, &q, -1, -1, -1, &plain);
    assert_int_equal(p.waits, 3);
    assert_int_equal(held.result.hash, plain.result.hash);
    outcome_free(&held);
    outcome_free(&plain);
}

/* stopped between the changes and resumed, with and without anybody who watches */
static void a_resumed_run_goes_on_with_the_values(void **state)
{
    (void)state;
    outcome whole, part, rest;
    plan p = {.hold_at = -1}, q = {.hold_at = -1}, r = {.hold_at = -1};
    run_watched(live_scene, &p, WHOLE, -1, -1, &whole);
    run_watched(live_scene, &q, PARTS, -1, 5, &part);
    run_watched(live_scene, &r, OTHER, PARTS, -1, &rest);
    assert_int_equal(rest.result.hash, whole.result.hash);
    outcome_free(&rest);
    run_watched(live_scene, NULL, OTHER, PARTS, -1, &rest);
    assert_non_null(strstr(rest.result.report_json, "\"push\":4.0"));
    outcome_free(&rest);
    outcome_free(&whole);
    outcome_free(&part);
}

static void frames_keep_the_changes(void **state)
{
    (void)state;
    outcome o;
    plan p = {.hold_at = -1};
    mo_run *run = NULL;
    mo_error err;
    run_watched(live_scene, &p, WHOLE, -1, -1, &o);
    assert_int_equal(mo_run_open(path_of(WHOLE), &run, &err), MO_OK);
    static const struct {
        size_t frame;
        const char *text;
    } expected[] = {{3, "\"live\":{\"push\":1.0},\"changes\":[]"},
                    {4, "\"live\":{\"push\":4.0},\"changes\":[[3,\"push\",4.0]]"},
                    {5, "\"live\":{\"push\":4.0},\"changes\":[]"},
                    {8, "\"changes\":[[7,\"push\",-2.0]]"}};
    for (size_t i = 0; i < 4; i++) {
        mo_frame frame;
        assert_int_equal(mo_run_frame(run, expected[i].frame, &frame, &err), MO_OK);
        if (strstr(frame.state_text, expected[i].text) == NULL)
            fail_msg("frame %zu: %s", expected[i].frame, frame.state_text);
        mo_frame_free(&frame);
    }
    mo_run_close(run);
    outcome_free(&o);
}

/* ---- the word ------------------------------------------------------------------------------------------ */

static void it_is_a_parameter(void **state)
{
    (void)state;
    outcome o;
    const char *sets[] = {"a=7", "s=x"};
    scene_options options =
        text_options(TEN_STEPS "local a, s, b = live('a', 1), live('s', 'y'), live('b', true)\n"
                               "report('all', {a(), s(), b(), math.type(a())})",
                     &o);
    options.sets = sets;
    options.set_count = 2;
    run_options(&options, &o);
    assert_int_equal(o.status, MO_OK);
    assert_string_equal(o.result.report_json, "{\"all\":[7,\"x\",true,\"integer\"]}");
    assert_string_equal(o.result.live_json, "[]");
    outcome_free(&o);
    scene_params params;
    assert_int_equal(scene_list_params(&options, &params, &o.err), MO_OK);
    assert_int_equal(params.count, 3);
    assert_true(params.items[2].live);
    assert_string_equal(params.items[2].type, "boolean");
    scene_params_free(&params);
}

static void mistakes(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"live('a')", "a number, string or boolean"},
        {"live('a', {})", "a number, string or boolean"},
        {"live('a', 0/0)", "finite"},
        {"live(1, 2)", "string"},
        {"live('a', 1) param('a', 1)", "twice"},
        {"at(0.1, function() live('a', 1) end)", "while the scene is built"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        outcome o;
        char text[300];
        snprintf(text, sizeof text, TEN_STEPS "%s", wrong[i][0]);
        run_text(text, &o);
        if (o.status != MO_BAD_INPUT || strstr(o.err.message, wrong[i][1]) == NULL)
            fail_msg("%s: %s", wrong[i][0], o.err.message);
        outcome_free(&o);
    }
}

/* whoever watches may refuse; the run is over before its first step */
static mo_status refuse(void *data, const scene_params *params, const char *values, mo_error *err)
{
    (void)data, (void)params, (void)values;
    snprintf(err->message, sizeof err->message, "not today");
    err->status = MO_IO;
    return MO_IO;
}

static void a_refusal_ends_the_run(void **state)
{
    (void)state;
    outcome o;
    plan p = {.hold_at = -1};
    scene_watch watch = watch_by(&p);
    watch.begin = refuse;
    scene_options options = text_options(live_scene, &o);
    options.watch = &watch;
    run_options(&options, &o);
    assert_int_equal(o.status, MO_IO);
    assert_string_equal(o.err.message, "not today");
    assert_int_equal(p.looks, 0);
    outcome_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_those_of_a_written_scene),
        cmocka_unit_test(a_held_run_is_the_same),
        cmocka_unit_test(a_resumed_run_goes_on_with_the_values),
        cmocka_unit_test(frames_keep_the_changes),
        cmocka_unit_test(it_is_a_parameter),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(a_refusal_ends_the_run),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
