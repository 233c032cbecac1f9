/*
 * Scenes through moreau/scene.h: the same bits and reports as scene_run in one go, a world that can be looked
 * at on the way and after the end, a stop from outside, and errors.
 */
#include "scene/run_text.h"

#include <moreau/scene.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define DROP                                                                                                 \
    "local v = param('v', 1, 'speed, m/s')\n"                                                                \
    "world { dim = 2, h = 0.01, t_end = 0.5, gravity = {0, -10} }\n"                                         \
    "law { friction = 0.3 }\n"                                                                               \
    "body { shape = halfplane { normal = {0, 1} }, fixed = true }\n"                                         \
    "local b = body { shape = rectangle { 0.2, 0.1 }, density = 1, position = {0, 0.2}, velocity = {v, 0}, " \
    "spin = 2 * math.random() }\n"                                                                           \
    "at_end(function() report('x', b.position[1]) end)\n"

static mo_scene_def define(const char *text)
{
    mo_scene_def def = mo_default_scene_def();
    def.text = text;
    def.text_length = strlen(text);
    return def;
}

static void steps_give_the_bits_of_a_run(void **state)
{
    (void)state;
    static outcome o;
    const char *sets[] = {"v=0.7"};
    scene_options options = text_options(DROP, &o);
    options.sets = sets;
    options.set_count = 1;
    run_options(&options, &o);
    assert_int_equal(o.status, MO_OK);
    mo_scene_def def = define(DROP);
    def.sets = sets;
    def.set_count = 1;
    mo_scene *x;
    mo_error err = {0};
    mo_scene_outcome out;
    assert_int_equal(mo_scene_open(&def, &x, &err), MO_OK);
    int64_t steps = 0;
    while (!mo_scene_progress_get(x).over) {
        assert_int_equal(mo_scene_step(x, &err), MO_OK);
        assert_int_equal(mo_world_info_get(mo_scene_world(x)).steps, ++steps);
    }
    assert_int_equal(steps, 50);
    assert_int_equal(mo_scene_finish(x, &out, &err), MO_OK);
    assert_true(out.hash == o.result.hash);
    assert_string_equal(out.report_json, o.result.report_json);
    assert_string_equal(out.status, "ok");
    // still there, and nothing more happens
    assert_int_equal(mo_scene_step(x, &err), MO_OK);
    assert_true(mo_world_hash(mo_scene_world(x)) == out.hash);
    assert_int_equal(mo_scene_finish(x, &out, &err), MO_OK);
    mo_scene_close(x);
    outcome_free(&o);
}

static bool stop_after(void *data)
{
    int *asked = data;
    return --*asked < 0;
}

static void a_stop_ends_cleanly(void **state)
{
    (void)state;
    int asked = 30;
    mo_scene_def def = define(DROP);
    def.stop = stop_after;
    def.data = &asked;
    mo_scene *x;
    mo_error err = {0};
    mo_scene_outcome out;
    assert_int_equal(mo_scene_open(&def, &x, &err), MO_OK);
    while (!mo_scene_progress_get(x).over)
        assert_int_equal(mo_scene_step(x, &err), MO_OK);
    assert_true(mo_scene_progress_get(x).step < 50);
    assert_int_equal(mo_scene_finish(x, &out, &err), MO_OK);
    assert_true(out.interrupted);
    assert_string_equal(out.report_json, "{}");
    mo_scene_close(x);
}

static void errors_say_where(void **state)
{
    (void)state;
    mo_scene *x = NULL;
    mo_error err = {0};
    mo_scene_def def = define("world { dim = 2, h = 0.1, t_end = 1 }\nbody { shap = 1 }\n");
    assert_int_equal(mo_scene_open(&def, &x, &err), MO_BAD_INPUT);
    assert_int_equal(err.line, 2);
    const char *sets[] = {"v"};
    def = define(DROP);
    def.sets = sets;
    def.set_count = 1;
    assert_int_equal(mo_scene_open(&def, &x, &err), MO_USAGE);
    sets[0] = "w=1";
    assert_int_equal(mo_scene_open(&def, &x, &err), MO_USAGE);
    assert_null(x);
}

static void a_failing_callback_ends_the_run(void **state)
{
    (void)state;
    mo_scene *x;
    mo_error err = {0};
    mo_scene_outcome out;
    mo_scene_def def = define(TEN_STEPS "on_step(function(t) if t > 0.25 then error('enough') end end)\n");
    assert_int_equal(mo_scene_open(&def, &x, &err), MO_OK);
    mo_status status = MO_OK;
    while (status == MO_OK && !mo_scene_progress_get(x).over)
        status = mo_scene_step(x, &err);
    assert_int_equal(status, MO_BAD_INPUT);
    assert_non_null(strstr(err.message, "enough"));
    assert_true(mo_scene_progress_get(x).over);
    assert_int_equal(mo_scene_finish(x, &out, &err), MO_BAD_INPUT);
    assert_false(out.reached);
    mo_scene_close(x);
}

static void take(void *data, const mo_scene_param *p)
{
    char *text = data;
    snprintf(text + strlen(text), 200 - strlen(text), "%s %s %s %s;", p->name, p->value, p->type, p->doc);
}

static void parameters_are_listed(void **state)
{
    (void)state;
    char text[200] = "";
    mo_error err = {0};
    mo_scene_def def = define(DROP);
    assert_int_equal(mo_scene_params(&def, take, text, &err), MO_OK);
    assert_string_equal(text, "v 1 number speed, m/s;");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_give_the_bits_of_a_run),
        cmocka_unit_test(a_stop_ends_cleanly),
        cmocka_unit_test(errors_say_where),
        cmocka_unit_test(a_failing_callback_ends_the_run),
        cmocka_unit_test(parameters_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
