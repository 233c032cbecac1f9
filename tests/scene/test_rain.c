/*
 * Rain: how many bodies there are when, where and how fast they begin, waiting for room, and going on from a
 * run file with the same bits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/mistakes.h"
#include "scene/run_files.h"
#include "scene/run_world3.h"
#include "support/close.h"

#include <math.h>

/* body k is due at 0.05 + 0.02 (k - 1): with h = 0.01 at the beginning of every second step from the sixth */
static void released_in_time(void **state)
{
    (void)state;
    outcome o;
    run_ok("world { dim = 2, h = 0.01, t_end = 0.2 }\n"
           "local g = generate.rain { count = 6, rate = 50, start = 0.05, position = {1, 2}, scatter = 0.5,\n"
           "  direction = {3, 4}, speed = 5, radius = 0.001, name = 'drop', spin = 2 }\n"
           "local n, born, off, least, most = {}, 0, 0, 9, -9\n"
           "on_step(function(t)\n"
           "  n[#n + 1] = #g\n"
           "  if #g > born then\n"
           "    born = #g\n"
           "    local b = g[born]\n"
           "    local x, y = b.position[1] - 1, b.position[2] - 2\n"
           "    off = math.max(off, math.abs(3 * x + 4 * y), math.abs(b.velocity[1] - 3), "
           "math.abs(b.velocity[2] - 4))\n"
           "    local way = (4 * x - 3 * y) / 5\n"
           "    least, most = math.min(least, way), math.max(most, way)\n"
           "  end\n"
           "end)\n"
           "at_end(function() report('n', n) report('off', off) report('least', least) report('most', most)\n"
           "  report('name', g[6].name) report('spin', g[6].spin) end)",
           &o);
    double n[20];
    reported(&o, "n", 20, n);
    for (int k = 0; k < 20; k++)
        assert_close(n[k], k < 5 ? 0 : k >= 15 ? 6 : (k - 5) / 2 + 1, 0);
    assert_close(reported_number(&o, "off"), 0, 1e-14);
    double least = reported_number(&o, "least"), most = reported_number(&o, "most");
    assert_true(least >= -0.5 && most <= 0.5 && most - least > 0.1);
    assert_non_null(strstr(o.result.report_json, "\"name\":\"drop 6\""));
    assert_close(reported_number(&o, "spin"), 2, 0);
    outcome_free(&o);
}

/* several at once where they are due at once; in space over a disc across gravity */
static void many_at_once(void **state)
{
    (void)state;
    outcome o;
    run_ok(
        "world { dim = 3, h = 0.01, t_end = 0.01, gravity = {0, 0, -10} }\n"
        "local g = generate.rain { count = 200, interval = 0, position = {0, 0, 5}, scatter = 1, speed = 2,\n"
        "  radius = 0.01 }\n"
        "on_step(function(t)\n"
        "  local r, z, v = 0, 0, 0\n"
        "  for _, b in ipairs(g) do\n"
        "    local p, u = b.position, b.velocity\n"
        "    r = math.max(r, (p[1] ^ 2 + p[2] ^ 2) ^ 0.5)\n"
        "    z = math.max(z, math.abs(p[3] - 5))\n"
        "    v = math.max(v, math.abs(u[1]), math.abs(u[2]), math.abs(u[3] + 2))\n"
        "  end\n"
        "  report('count', #g) report('r', r) report('z', z) report('v', v) report('overlap', "
        "measure.max_penetration())\n"
        "end)",
        &o);
    assert_close(reported_number(&o, "count"), 200, 0);
    double r = reported_number(&o, "r");
    assert_true(r > 0.9 && r <= 1);
    assert_close(reported_number(&o, "z"), 0, 0);
    assert_close(reported_number(&o, "v"), 0, 1e-15);
    assert_close(reported_number(&o, "overlap"), 0, 0);
    outcome_free(&o);
}

/* a body in the way stops the rain until it is gone */
static void waits_for_room(void **state)
{
    (void)state;
    outcome o;
    run_ok("world { dim = 2, h = 0.01, t_end = 0.1 }\n"
           "local plug = body { shape = rectangle { 0.2, 0.02 }, mass = 1, position = {0.05, 0.05} }\n"
           "local g = generate.rain { count = 3, interval = 0.01, position = {0, 0}, speed = 1, radius = "
           "0.004 }\n"
           "local n = {}\n"
           "on_step(function(t) n[#n + 1] = #g end)\n"
           "at(0.05, function() remove(plug) end)\n"
           "at_end(function() report('n', n) end)",
           &o);
    double n[10];
    reported(&o, "n", 10, n);
    const double expected[10] = {0, 0, 0, 0, 0, 1, 2, 3, 3, 3};
    for (int k = 0; k < 10; k++)
        assert_close(n[k], expected[k], 0);
    outcome_free(&o);
}

/* drops on both sides of a face of a periodic cell are 0.04 apart through it: the second waits until the
   first has fallen by the way that its circle needs, y = sqrt(0.1^2 - 0.04^2) */
static void waits_for_images(void **state)
{
    (void)state;
    static const char *const scene[2] = {
        "world { dim = 2, h = 1e-3, t_end = 0.3, gravity = {0, -10}, periodic = { x = {0, 1} } }\n"
        "local function drop(x) return generate.rain { count = 1, position = {x, 1}, interval = 1,\n"
        "  radius = 0.05 } end\n"
        "local a, b = drop(0.98), drop(0.02)\n",
        "world { dim = 3, h = 1e-3, t_end = 0.3, gravity = {0, 0, -10}, periodic = { x = {0, 1}, y = {0, 1} "
        "} }\n"
        "local function drop(y) return generate.rain { count = 1, position = {0.5, y, 1}, interval = 1,\n"
        "  radius = 0.05 } end\n"
        "local a, b = drop(0.98), drop(0.02)\n"};
    for (int k = 0; k < 2; k++) {
        outcome o;
        char text[1024];
        snprintf(text, sizeof text, "%s%s", scene[k],
                 "local born, worst = nil, 0\n"
                 "on_step(function(t) worst = math.max(worst, measure.max_penetration())\n"
                 "  if #b > 0 and not born then born = t end end)\n"
                 "at_end(function() report('born', born or -1) report('worst', worst) end)");
        run_ok(text, &o);
        // when the first step begins by then, and not before
        const double fall = sqrt(2 * sqrt(0.01 - 0.0016) / 10), born = reported_number(&o, "born");
        assert_true(born >= fall - 1e-9 && born <= fall + 2e-3);
        assert_close(reported_number(&o, "worst"), 0, 0);
        outcome_free(&o);
    }
}

/* two rains that take turns, one with a body that waits, one made of shapes; bodies go on the way */
#define TWO_RAINS                                                                                            \
    "world { dim = 2, h = 0.01, t_end = 1, gravity = {0, -10}, record = { every = 0.1 } }\n"                 \
    "law { friction = 0.5 }\n"                                                                               \
    "body { shape = halfplane { normal = {0, 1} }, fixed = true }\n"                                         \
    "local a = generate.rain { count = 40, rate = 60, position = {0, 0.5}, scatter = 0.05, speed = 1,\n"     \
    "  radius = sizes.uniform {0.01, 0.03} }\n"                                                              \
    "local b = generate.rain { count = 20, rate = 30, position = {1, 0.5}, scatter = 0.02, speed = 1,\n"     \
    "  radius = sizes.uniform {0.01, 0.02}, angle = 'random',\n"                                             \
    "  shape = function(r) return rectangle { r, r } end }\n"                                                \
    "on_step(function(t) if #b > 7 and b[7].exists then remove(b[7]) end end)\n"                             \
    "observe('a', function() return #a end)\n"                                                               \
    "observe('b', function() return #b end)\n"                                                               \
    "at_end(function() report('last', b[20].position[1]) report('seventh', b[7].exists)\n"                   \
    "  report('lists', #a + 100 * #b) report('first', a[1].position[2]) report('x', math.random()) end)\n"

static void resumes_with_the_same_bits(void **state)
{
    (void)state;
    outcome whole, o;
    scene_options options = text_options(TWO_RAINS, &whole);
    options.output = path_of(WHOLE);
    run_options(&options, &whole);
    expect_reached(&whole);
    assert_close(reported_number(&whole, "lists"), 2040, 0);
    for (int64_t step = 10; step <= 90; step += 20) {
        run_until_interrupt(TWO_RAINS, step, PARTS, &o);
        outcome_free(&o);
        options = text_options(TWO_RAINS, &o);
        options.resume = path_of(PARTS);
        run_options(&options, &o);
        expect_reached(&o);
        assert_string_equal(o.result.report_json, whole.result.report_json);
        assert_true(o.result.hash == whole.result.hash);
        mo_run *ra, *rb;
        open_same_files(WHOLE, PARTS, &ra, &rb);
        mo_run_close(ra);
        mo_run_close(rb);
        outcome_free(&o);
    }
    outcome_free(&whole);
}

#define ONE "world { dim = 2, h = 0.01, t_end = 0.1, record = { every = 0.01 } }\n"
#define RAIN(count)                                                                                          \
    ONE "generate.rain { count = " #count ", interval = 0, position = {0, 0}, scatter = 1, radius = 0.01 }"

static void refuses_another_rain(void **state)
{
    (void)state;
    expect_refusal(RAIN(9), ONE, "its rain is another one");
    expect_refusal(ONE, RAIN(9), "its rain is another one");
    expect_refusal(RAIN(9), RAIN(5), "its rain is another one");
}

#define W2 "world { dim = 2, h = 0.01, t_end = 0.02 }\n"
#define PLACE "count = 3, position = {0, 0}, "

static const mistake mistakes[] = {
    {"generate.rain { }", 1, "generate.rain", ""},
    {W2 "generate.rain { radius = 1 }", 2, "generate.rain.count", "got nothing"},
    {W2 "generate.rain { radius = 1, count = 3 }", 2, "generate.rain.position", "got nothing"},
    {W2 "generate.rain { " PLACE "rate = 1 }", 2, "generate.rain.radius", "got nothing"},
    {W2 "generate.rain { " PLACE "radius = 1 }", 2, "generate.rain", "either interval (s) or rate"},
    {W2 "generate.rain { " PLACE "radius = 1, rate = 1, interval = 1 }", 2, "generate.rain", "got both"},
    {W2 "generate.rain { " PLACE "radius = 1, rate = 0 }", 2, "generate.rain.rate", "> 0"},
    {W2 "generate.rain { " PLACE "radius = 1, interval = -1 }", 2, "generate.rain.interval", ">= 0"},
    {W2 "generate.rain { " PLACE "radius = 1, interval = 0/0 }", 2, "generate.rain.interval", "finite"},
    {W2 "generate.rain { " PLACE "radius = 1, rate = 1, velocity = {0, 1} }", 2, "generate.rain.velocity",
     "speed and direction"},
    {W2 "generate.rain { " PLACE "radius = 1, rate = 1, direction = {0, 0} }", 2, "generate.rain.direction",
     "other than zero"},
    {W2 "generate.rain { " PLACE "radius = 1, rate = 1, speed = -1 }", 2, "generate.rain.speed", "from 0"},
    {W2 "generate.rain { " PLACE "radius = 1, rate = 1, scater = 1 }", 2, "generate.rain.scater",
     "\"scatter\""},
    {W2 "generate.rain { count = 1e9, position = {0, 0}, radius = 1, rate = 1 }", 2, "generate.rain.count",
     "more than a scene"},
    {W2 "at(0, function()\ngenerate.rain { " PLACE "radius = 1, rate = 1 } end)", 3, "generate.rain",
     "while the scene is built"},
    /* what shows only when a body is made is told with the line of the rain */
    {W2 "\ngenerate.rain { " PLACE "radius = 1, rate = 1, density = -1 }\n", 3, "body.density", "> 0"},
};

static void mistakes_are_told(void **state)
{
    (void)state;
    expect_mistakes(mistakes, sizeof mistakes / sizeof mistakes[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(released_in_time),           cmocka_unit_test(many_at_once),
        cmocka_unit_test(waits_for_images),           cmocka_unit_test(waits_for_room),
        cmocka_unit_test(resumes_with_the_same_bits), cmocka_unit_test(refuses_another_rain),
        cmocka_unit_test(mistakes_are_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
