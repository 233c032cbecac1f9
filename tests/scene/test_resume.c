/*
 * Recorded runs: frames and rows where they should be, and resumed runs that give the same bits as
 * uninterrupted ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/run_files.h"
#include "support/close.h"

/* discs that keep falling on a moving floor: random numbers, state, bodies made and removed, laws changed on
 * the way */
static const char *const busy_scene =
    "world { dim = 2, h = 1e-3, t_end = 0.2, gravity = {0, -9.81}, record = { every = 0.02, series = 0.01 } "
    "}\n"
    "law { friction = param('mu', 0.4), restitution = 0.1 }\n"
    "local own = state\n"
    "body { shape = rectangle { 2, 0.2 }, motion = function(t) return { x = 0.01 * math.sin(40 * t), y = "
    "-0.1 } end }\n"
    "for i = 1, 6 do body { shape = disc { radius = 0.05 + 0.01 * math.random() }, density = 1000, group = "
    "'grain',\n"
    "                       position = { 0.15 * i - 0.5, 0.06 + 0.001 * i } } end\n"
    "state.made = 0\n"
    "on_step(function(t)\n"
    "  state.steps = (state.steps or 0) + 1\n"
    "  if state.steps % 15 == 0 then\n"
    "    if state.last then remove(state.last) state.last = nil\n"
    "    else\n"
    "      state.last = body { shape = rectangle { 0.05, 0.04 + 0.01 * math.random() }, density = 500,\n"
    "                          position = { math.random() - 0.5, 0.4 }, name = 'late', collides_with = { "
    "'grain' } }\n"
    "      state.made = state.made + 1\n"
    "    end\n"
    "  end\n"
    "end)\n"
    "at(0.05, function() law { friction = 0.2 } report('changed', 0.05) end)\n"
    "at(0.13, function() state.text = 'a\\0\\\"\\\\b\\n' state.t = { [1] = true, x = 1/3, [2.5] = { 7 } } "
    "end)\n"
    "observe('noise', function(t) return math.random() end)\n"
    "at_end(function() check('own', own == state) report('made', state.made) report('steps', state.steps)\n"
    "  report('text', #state.text) report('third', state.t.x == 1/3 and state.t[2.5][1] == 7 and state.t[1]) "
    "end)";

static void run_busy(double until, int output, int resume, const volatile sig_atomic_t *interrupt, outcome *o)
{
    scene_options options = text_options(busy_scene, o);
    options.until = until;
    options.output = output >= 0 ? path_of(output) : NULL;
    options.resume = resume >= 0 ? path_of(resume) : NULL;
    options.interrupt = interrupt;
    run_options(&options, o);
    if (o->status != MO_OK)
        print_error("%s: %s %s\n", o->err.file, o->err.key, o->err.message);
    assert_int_equal(o->status, MO_OK);
}

static void expect_same_files(int a, int b)
{
    mo_run *ra, *rb;
    open_same_files(a, b, &ra, &rb);
    mo_run_close(ra);
    mo_run_close(rb);
}

/* a run that stop_when ended: t = 0.4 is the first of ten ends of steps where it holds */
static void what_stopped_stays_stopped(void **state)
{
    (void)state;
    static const char *const text =
        "world { dim = 2, h = 0.1, t_end = 1, gravity = {0, -10}, record = { every = 0.2 } }\n"
        "local last = param('last', 0.35)\n"
        "body { shape = disc { radius = 0.1 }, mass = 1 }\n"
        "stop_when(function(t) state.asked = (state.asked or 0) + 1 return t > last end)\n"
        "at_end(function() report('asked', state.asked) end)";
    outcome o;
    scene_options options = text_options(text, &o);
    options.output = path_of(PARTS);
    run_options(&options, &o);
    assert_int_equal(o.result.info.steps, 4);
    outcome_free(&o);
    for (int again = 0; again < 2; again++) {
        options = text_options(text, &o);
        options.resume = path_of(PARTS);
        run_options(&options, &o);
        assert_int_equal(o.result.info.steps, 4);
        assert_int_equal(o.result.frames, 3); // 0, 0.2 and the end
        assert_non_null(strstr(o.said, "still holds"));
        outcome_free(&o);
    }
    // no longer: it goes on to the next end, asked at the old one and after each of the two steps
    options = text_options(text, &o);
    options.resume = path_of(PARTS);
    static const char *const later = "last=0.55";
    options.sets = &later;
    options.set_count = 1;
    run_options(&options, &o);
    assert_int_equal(o.result.info.steps, 6);
    assert_non_null(strstr(o.result.report_json, "\"asked\":7"));
    outcome_free(&o);
}

/* where it did not end the run it is not asked once more: a stop after five calls is one after five steps */
static void going_on_asks_no_more(void **state)
{
    (void)state;
    static const char *const text =
        "world { dim = 2, h = 0.1, t_end = 1, record = { every = 0.1 } }\n"
        "stop_when(function(t) state.asked = (state.asked or 0) + 1 return state.asked == 5 end)";
    outcome o;
    scene_options options = text_options(text, &o);
    options.output = path_of(PARTS);
    options.until = 0.3;
    run_options(&options, &o);
    assert_int_equal(o.result.info.steps, 3);
    outcome_free(&o);
    options = text_options(text, &o);
    options.resume = path_of(PARTS);
    run_options(&options, &o);
    assert_int_equal(o.result.info.steps, 5);
    outcome_free(&o);
}

static void pieces_give_the_same_bits(void **state)
{
    (void)state;
    outcome whole, part;
    run_busy(-1, WHOLE, -1, NULL, &whole);
    assert_string_equal(whole.result.status, "ok");
    /* stops on ends of frames, so that the files hold the same frames; at_end of a piece may see less */
    run_busy(0.14, PARTS, -1, NULL, &part);
    outcome_free(&part);
    run_busy(0.18, -1, PARTS, NULL, &part);
    assert_int_equal(part.result.info.steps, 180);
    outcome_free(&part);
    run_busy(-1, PARTS, PARTS, NULL, &part);
    assert_string_equal(part.result.status, "ok");
    assert_int_equal(part.result.hash, whole.result.hash);
    assert_string_equal(part.result.report_json, whole.result.report_json);
    assert_non_null(strstr(whole.result.report_json, "\"changed\":0.05"));
    assert_memory_equal(&part.result.info.energy, &whole.result.info.energy, sizeof part.result.info.energy);
    expect_same_files(WHOLE, PARTS);
    outcome_free(&part);
    outcome_free(&whole);
}

/* Ends that are due for a row, a frame, both and neither: observers that draw random numbers and count leave
   nothing behind that a run without these ends does not have.  Rows at 0, 0.3, ..., 1.8 and 2, frames at 0,
   0.4, ..., 2. */
static void ends_between_rows_and_frames_change_nothing(void **state)
{
    (void)state;
    static const char *const text =
        "world { dim = 2, h = 0.1, t_end = 2, record = { every = 0.4, series = 0.3 } }\n"
        "local v = param('v', 1)\n"
        "local b = body { shape = disc { radius = 0.1 }, mass = 1, velocity = {v, 0} }\n"
        "state.rows, state.frames = 0, 0\n"
        "on_step(function() b.velocity = { math.random(), 0 } end)\n"
        "observe('noise', function() state.rows = state.rows + 1 return math.random() end)\n"
        "observe_bodies('more', function() state.frames = state.frames + 1 return math.random() end)\n"
        "at_end(function() report('rows', state.rows) report('frames', state.frames) end)";
    const double ends[] = {0.5, 0.8, 0.9, 1.2, 1.7};
    outcome whole, part;
    run_piece(text, "v", "1", -1, WHOLE, -1, &whole);
    assert_string_equal(whole.result.report_json, "{\"rows\":8,\"frames\":6}");
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        run_piece(text, "v", "1", ends[i], PARTS, i > 0 ? PARTS : -1, &part);
        outcome_free(&part);
        // into a file of its own, from an end that may be due for a frame
        run_piece(text, "v", "1", -1, OTHER, PARTS, &part);
        assert_int_equal(part.result.hash, whole.result.hash);
        outcome_free(&part);
    }
    // twice: the second makes no step
    for (int again = 0; again < 2; again++) {
        run_piece(text, "v", "1", -1, -1, PARTS, &part);
        assert_int_equal(part.result.hash, whole.result.hash);
        assert_string_equal(part.result.report_json, whole.result.report_json);
        outcome_free(&part);
        expect_same_series(WHOLE, PARTS);
    }
    outcome_free(&whole);
}

/* numbers in the place of a load by function are kept, be there a function that stays or none: four steps of
   4 N and six of -6 N move 2 kg by -1 m/s, ten of 3 N m turn 1.5 kg m² by 2 rad/s */
static void keep_replaced_load(const char *torque)
{
    char text[1000];
    snprintf(text, sizeof text,
             "world { dim = 2, h = 0.1, t_end = 1, record = { every = 0.1 } }\n"
             "local b = body { shape = disc { radius = 1 }, mass = 2, inertia = 1.5,\n"
             "  applied_force = function(t) return {4, 0} end, applied_torque = %s }\n"
             "at(0.35, function() b.applied_force = {-6, 0} end)\n"
             "on_step(function(t) state.steps = (state.steps or 0) + 1 end)\n"
             "at_end(function()\n"
             "  local n = state.steps\n"
             "  local early, late = math.min(n, 4), math.max(n - 4, 0)\n"
             "  check('v', math.abs(b.velocity[1] - 0.05 * (4 * early - 6 * late)) < 1e-14)\n"
             "  check('spin', math.abs(b.spin - 0.2 * n) < 1e-14) end)",
             torque);
    outcome o;
    scene_options options = text_options(text, &o);
    options.output = path_of(WHOLE);
    run_options(&options, &o);
    assert_string_equal(o.result.status, "ok");
    outcome_free(&o);
    for (int part = 0; part < 3; part++) {
        options = text_options(text, &o);
        options.output = part == 0 ? path_of(PARTS) : NULL;
        options.resume = part > 0 ? path_of(PARTS) : NULL;
        options.steps = part < 2 ? 3 * (part + 1) : -1;
        run_options(&options, &o);
        assert_int_equal(o.status, MO_OK);
        assert_string_equal(o.result.status, "ok");
        outcome_free(&o);
    }
    expect_same_files(WHOLE, PARTS);
}

static void numbers_that_replace_a_load_are_kept(void **state)
{
    (void)state;
    keep_replaced_load("function(t) return 3 end");
    keep_replaced_load("3");
}

static void an_interrupted_run_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    outcome whole, part;
    run_busy(-1, WHOLE, -1, NULL, &whole);
    /* between two frames, just after a body was made */
    run_until_interrupt(busy_scene, 77, PARTS, &part);
    outcome_free(&part);
    /* into a file of its own, whose first frame is the state taken over */
    run_busy(-1, OTHER, PARTS, NULL, &part);
    assert_int_equal(part.result.hash, whole.result.hash);
    assert_string_equal(part.result.report_json, whole.result.report_json);
    outcome_free(&part);
    mo_run *run;
    mo_error err;
    assert_int_equal(mo_run_open(path_of(OTHER), &run, &err), MO_OK);
    assert_close(mo_run_times(run)[0], 0.077, 1e-15);
    assert_close(mo_run_times(run)[1], 0.08, 1e-15);
    mo_run_close(run);
    /* the first file is as it was, and goes on too */
    run_busy(-1, -1, PARTS, NULL, &part);
    assert_int_equal(part.result.hash, whole.result.hash);
    outcome_free(&part);
    outcome_free(&whole);
}

static void frames_and_rows_are_where_they_should_be(void **state)
{
    (void)state;
    outcome o;
    scene_options options =
        text_options("world { dim = 2, h = 0.1, t_end = 1, record = { every = 0.25, series = 0.3 } }\n"
                     "observe('x', function(t) return 10 * t end)",
                     &o);
    options.output = path_of(WHOLE);
    run_options(&options, &o);
    assert_int_equal(o.status, MO_OK);
    outcome_free(&o);
    mo_run *run;
    mo_error err;
    assert_int_equal(mo_run_open(path_of(WHOLE), &run, &err), MO_OK);
    const mo_run_info *info = mo_run_info_get(run);
    const double frames[] = {0, 0.2, 0.5, 0.7, 1}, rows[] = {0, 0.3, 0.6, 0.9, 1};
    assert_int_equal(info->frames, 5);
    assert_int_equal(info->series_rows, 5);
    assert_int_equal(info->step_rows, 10);
    assert_string_equal(info->status, "ok");
    assert_string_equal(info->scene_name, "test");
    assert_string_equal(info->series[info->series_count - 1], "x");
    const double *t, *v;
    assert_int_equal(mo_run_series(run, &t, &v, &err), MO_OK);
    for (size_t i = 0; i < 5; i++) {
        assert_close(mo_run_times(run)[i], frames[i], 1e-15);
        assert_close(t[i], rows[i], 1e-15);
        assert_close(v[(i + 1) * info->series_count - 1], 10 * rows[i], 1e-14);
    }
    mo_run_close(run);
}

static void an_error_keeps_the_frames(void **state)
{
    (void)state;
    outcome o;
    scene_options options =
        text_options(TEN_STEPS "\non_step(function(t) if t > 0.45 then error('enough') end end)", &o);
    options.output = path_of(WHOLE);
    run_options(&options, &o);
    assert_int_equal(o.status, MO_BAD_INPUT);
    assert_int_equal(o.err.line, 3);
    assert_int_equal(o.result.info.steps, 5);
    outcome_free(&o);
    mo_run *run;
    mo_error err;
    assert_int_equal(mo_run_open(path_of(WHOLE), &run, &err), MO_OK);
    assert_int_equal(mo_run_info_get(run)->frames, 6);
    assert_non_null(strstr(mo_run_info_get(run)->status, "enough"));
    mo_run_close(run);
}

#define DISC "body { shape = disc { radius = 1 }, density = 1 }\n"

static void what_does_not_match_is_refused(void **state)
{
    (void)state;
    const char *one = TEN_STEPS DISC;
    expect_refusal(one, "world { dim = 2, h = 0.2, t_end = 1 }\n" DISC, "h is");
    expect_refusal(one, "world { dim = 2, h = 0.1, t_end = 1, gravity = {0, 1} }\n" DISC, "gravity");
    expect_refusal(one, TEN_STEPS, "creates 0 bodies before the first step, in the file there were 1");
    expect_refusal(one, TEN_STEPS DISC DISC, "body 2 is not in the file");
    expect_refusal(one, TEN_STEPS "body { shape = disc { radius = 1 }, fixed = true }", "body 1 is fixed");
    expect_refusal(one, TEN_STEPS "body { shape = disc { radius = 1 }, density = 2 }", "mass");
    expect_refusal(one, TEN_STEPS "body { shape = rectangle { 1, 1 }, density = 1 }", "points");
    expect_refusal(one, TEN_STEPS "body { shape = disc { radius = 1 }, density = 1, group = 'x' }", "group");
    /* these were taken as they came, and the run went on with them */
    expect_refusal(TEN_STEPS "body { shape = disc { radius = 1 }, mass = 1, inertia = 2 }",
                   TEN_STEPS "body { shape = disc { radius = 1 }, mass = 1, inertia = 3 }", "inertia");
    expect_refusal(one, TEN_STEPS "body { shape = disc { radius = 1 }, density = 1, free = {'x'} }",
                   "body 1 has other freedoms");
    expect_refusal(one, TEN_STEPS "body { shape = disc { radius = 1 }, density = 1, collides_with = {} }",
                   "body 1 can touch other groups");
    expect_refusal(TEN_STEPS "body { shape = halfplane { normal = {0, 1}, offset = 0 }, fixed = true }",
                   TEN_STEPS "body { shape = halfplane { normal = {0, 1}, offset = 1 }, fixed = true }",
                   "part 1 of body 1");
    expect_refusal(TEN_STEPS "on_step(function(t) at(t + 0.05, function() end) end)", TEN_STEPS,
                   "registered functions");
    expect_refusal(TEN_STEPS "local b = body { shape = disc { radius = 1 }, mass = 1 }\n"
                             "at(0, function() b.applied_force = function(t) return {0, 0} end end)",
                   TEN_STEPS "body { shape = disc { radius = 1 }, mass = 1 }", "loads");
    expect_refusal(TEN_STEPS "at(0, function() body { shape = disc { radius = 1 }, mass = 1,\n"
                             "  applied_force = function(t) return {0, 0} end } end)",
                   TEN_STEPS "at(0, function() end)", "cannot keep");
}

static void what_a_file_cannot_keep_is_told(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"state.a = { b = print }", "state.a.b"},
        {"state.list = { 1, 2, disc { radius = 1 } }", "state.list[number 3]"},
        {"state.x = setmetatable({}, {})", "state.x"},
        {"local t = state for i = 1, 200 do t.t = {} t = t.t end", "state.t.t.t.t"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[300];
        outcome o;
        snprintf(text, sizeof text, TEN_STEPS "%s", cases[i][0]);
        scene_options options = text_options(text, &o);
        options.output = path_of(WHOLE);
        run_options(&options, &o);
        assert_int_equal(o.status, MO_BAD_INPUT);
        assert_memory_equal(o.err.key, cases[i][1], strlen(cases[i][1]));
        outcome_free(&o);
    }
}

/* tables that are shared or hold themselves come back so */
static void shared_tables_come_back(void **state)
{
    (void)state;
    outcome o;
    const char *text =
        TEN_STEPS "if not resuming then state.self = state state.a = {} state.b = { state.a } end\n"
                  "at_end(function() check('self', state.self == state)\n"
                  "  check('shared', state.b[1] == state.a and state.a ~= state.b)\n"
                  "  report('resuming', resuming) end)";
    scene_options options = text_options(text, &o);
    options.output = path_of(WHOLE);
    options.steps = 5;
    run_options(&options, &o);
    assert_string_equal(o.result.status, "ok");
    outcome_free(&o);
    options.output = NULL;
    options.steps = -1;
    options.resume = path_of(WHOLE);
    run_options(&options, &o);
    assert_string_equal(o.result.status, "ok");
    assert_string_equal(o.result.report_json, "{\"resuming\":true}");
    outcome_free(&o);
}

/* parameters and seed of the file hold unless set anew */
static void parameters_come_from_the_file(void **state)
{
    (void)state;
    outcome o;
    const char *set = "n=3";
    scene_options options = text_options(
        TEN_STEPS "local n = param('n', 1)\n"
                  "for i = 1, n do body { shape = disc { radius = 0.1 }, density = 1 + math.random(),\n"
                  "  position = {i, 0} } end\n"
                  "report('n', n)",
        &o);
    options.output = path_of(WHOLE);
    options.steps = 5;
    options.seed = 9;
    options.sets = &set;
    options.set_count = 1;
    run_options(&options, &o);
    assert_int_equal(o.status, MO_OK);
    outcome_free(&o);
    options.seed = 1;
    options.set_count = 0;
    options.steps = -1;
    options.output = NULL;
    options.resume = path_of(WHOLE);
    run_options(&options, &o);
    assert_string_equal(o.err.message, "");
    assert_string_equal(o.result.status, "ok");
    assert_string_equal(o.result.report_json, "{\"n\":3}");
    assert_int_equal(o.result.info.bodies, 3);
    outcome_free(&o);
    /* a seed of one's own builds other bodies; it was told as the run's and not used */
    options.seed_given = true;
    run_options(&options, &o);
    assert_int_equal(o.status, MO_BAD_INPUT);
    assert_non_null(strstr(o.err.message, "does not build what"));
    outcome_free(&o);
}

/* a resumed run knows how often bodies were too fast before, not which; it named bodies 0 and 0 */
static void fast_bodies_of_before_have_no_names(void **state)
{
    (void)state;
    for (int again = 0; again < 2; again++) {
        outcome o;
        scene_options options =
            text_options(TEN_STEPS "body { shape = segment { {0, -1}, {0, 1} }, fixed = true }\n"
                                   "body { shape = disc { radius = 0.01 }, density = 1, position = {-1, 0}, "
                                   "velocity = {50, 0} }",
                         &o);
        options.output = again ? NULL : path_of(WHOLE);
        options.resume = again ? path_of(WHOLE) : NULL;
        run_options(&options, &o);
        assert_int_equal(o.status, MO_OK);
        assert_non_null(strstr(o.said, "to pass through another in one step"));
        assert_null(strstr(o.said, "bodies 0 and 0"));
        outcome_free(&o);
    }
}

static void a_file_that_is_none_is_told(void **state)
{
    (void)state;
    outcome o;
    FILE *f = fopen(path_of(OTHER), "w");
    assert_non_null(f);
    fputs("no run", f);
    fclose(f);
    scene_options options = text_options(TEN_STEPS, &o);
    options.resume = path_of(OTHER);
    run_options(&options, &o);
    assert_int_equal(o.status, MO_BAD_FILE);
    outcome_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stopped_stays_stopped),
        cmocka_unit_test(going_on_asks_no_more),
        cmocka_unit_test(pieces_give_the_same_bits),
        cmocka_unit_test(ends_between_rows_and_frames_change_nothing),
        cmocka_unit_test(numbers_that_replace_a_load_are_kept),
        cmocka_unit_test(an_interrupted_run_goes_on_with_the_same_bits),
        cmocka_unit_test(frames_and_rows_are_where_they_should_be),
        cmocka_unit_test(an_error_keeps_the_frames),
        cmocka_unit_test(what_does_not_match_is_refused),
        cmocka_unit_test(what_a_file_cannot_keep_is_told),
        cmocka_unit_test(shared_tables_come_back),
        cmocka_unit_test(parameters_come_from_the_file),
        cmocka_unit_test(fast_bodies_of_before_have_no_names),
        cmocka_unit_test(a_file_that_is_none_is_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
