/*
 * Masonry by generators: masses by closed forms, faces that coincide, forces that carry the weight;
 * equilibrium() at known limits; mistakes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/mistakes.h"
#include "scene/run_world3.h"
#include "support/close.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

#define W2 "world { dim = 2, h = 1e-3, t_end = 1e-3, gravity = {0, -9.81}, solver = { tol = 1e-10 } }\n"
#define W3 "world { dim = 3, h = 1e-3, t_end = 1e-3, gravity = {0, 0, -9.81}, solver = { tol = 1e-10 } }\n"
#define LAW "law { friction = 0.8 }\n"
#define GROUND2 "body { shape = halfplane { normal = {0, 1} }, fixed = true }\n"
#define GROUND3 "body { shape = plane { normal = {0, 0, 1} }, fixed = true }\n"

/* mass, weight carried by what is fixed over the whole, widest gap or overlap at a contact, contacts, motion
 */
#define LOOK                                                                                                 \
    "local mass, n = 0, #m\n"                                                                                \
    "for _, b in ipairs(m) do mass = mass + b.mass end\n"                                                    \
    "at_end(function()\n"                                                                                    \
    "  local gap, up, count, speed = 0, 0, 0, 0\n"                                                           \
    "  for c in contacts() do\n"                                                                             \
    "    gap, count = math.max(gap, math.abs(c.gap)), count + 1\n"                                           \
    "  end\n"                                                                                                \
    "  for _, b in ipairs(m) do up = up + b.force[#b.force]\n"                                               \
    "    for _, v in ipairs(b.velocity) do speed = math.max(speed, math.abs(v)) end end\n"                   \
    "  report('mass', mass) report('bodies', n) report('carried', up / (mass * 9.81))\n"                     \
    "  report('gap', gap) report('contacts', count) report('speed', speed)\n"                                \
    "end)"

typedef struct look {
    double mass, bodies, carried, gap, contacts, speed;
} look;

/* after one step from rest nothing moves and the supports carry the weight */
static look stands(const char *text, const char *body)
{
    char scene[3000];
    outcome o;
    snprintf(scene, sizeof scene, "%slocal m = %s\n" LOOK, text, body);
    run_ok(scene, &o);
    look l = {reported_number(&o, "mass"), reported_number(&o, "bodies"),   reported_number(&o, "carried"),
              reported_number(&o, "gap"),  reported_number(&o, "contacts"), reported_number(&o, "speed")};
    outcome_free(&o);
    assert_close(l.carried, 1, 1e-7);
    assert_close(l.speed, 0, 1e-7 * 9.81e-3);
    return l;
}

static void walls(void **state)
{
    (void)state;
    look l = stands(W2 LAW GROUND2, "generate.wall { brick = {0.3, 0.1}, courses = 3, bricks = 4 }");
    assert_close(l.mass, 2000 * 1.2 * 0.3, 1e-12);
    assert_close(l.bodies, 4 + 5 + 4, 0);
    /* bed joints: four bricks on the ground, then eight half bricks twice, two points each; three or four
     * head joints */
    assert_close(l.contacts, 2 * (4 + 8 + 8) + 2 * (3 + 4 + 3), 0);
    assert_true(l.gap < 1e-15);

    /* toothed ends: a brick less in every second course */
    l = stands(W2 LAW GROUND2, "generate.wall { courses = 2, bricks = 3, closers = false, density = 100 }");
    assert_close(l.bodies, 5, 0);
    assert_close(l.mass, 100 * 5 * 0.25 * 0.1, 1e-12);

    l = stands(W3 LAW GROUND3,
               "generate.wall { brick = {0.2, 0.1, 0.05}, courses = 4, bricks = 1, bond = 0, angle = 0.4,\n"
               "  position = {3, -2, 0} }");
    assert_close(l.mass, 2000 * 0.2 * 0.1 * 0.05 * 4, 1e-12);
    assert_close(l.contacts, 16, 0);
    assert_true(l.gap < 1e-14);
}

static void arches(void **state)
{
    (void)state;
    const double area = 0.5 * (1.1 * 1.1 - 0.9 * 0.9) * sin(PI / 12);
    look l = stands(W2 LAW, "generate.arch { voussoirs = 12, radius = 1, thickness = 0.2 }");
    assert_close(l.mass, 2000 * 12 * area, 1e-12);
    assert_close(l.contacts, 2 * 13, 0);
    assert_true(l.gap < 1e-15);

    l = stands(W3 LAW,
               "generate.arch { voussoirs = 12, radius = 1, thickness = 0.2, width = 0.5, angle = 1,\n"
               "  position = {5, 6, 7} }");
    assert_close(l.mass, 1000 * 12 * area, 1e-12);
    assert_close(l.contacts, 4 * 13, 0);
    assert_true(l.gap < 1e-14);

    /* a flat one of 60 degrees */
    l = stands(W2 LAW, "generate.arch { voussoirs = 7, radius = 1, thickness = 0.2, embrace = math.pi / 3 }");
    assert_close(l.mass, 7000 * (1.1 * 1.1 - 0.9 * 0.9) * sin(PI / 21), 1e-12);
}

static void columns(void **state)
{
    (void)state;
    look l =
        stands(W3 LAW GROUND3, "generate.column { drums = 3, radius = 0.5, height = 0.4, capital = {} }");
    assert_close(l.mass, 2000 * PI * 0.25 * (1.2 + 1.69 * 0.4), 1e-12);
    assert_close(l.bodies, 4, 0);
    assert_true(l.gap < 1e-15);

    /* frusta of hexagons from 0.6 to 0.3 make one of height 1.5: base area 3 sqrt(3)/2 r^2 */
    l = stands(W3 LAW GROUND3,
               "generate.column { drums = 3, radius = 0.6, height = 0.5, sides = 6, taper = 0.5 }");
    assert_close(l.mass, 2000 * 1.5 / 3 * 1.5 * sqrt(3) * (0.36 + 0.18 + 0.09), 1e-12);
    assert_close(l.contacts, 18, 0);
    assert_true(l.gap < 1e-15);
}

/* a block is what lies between r0 and r1 in the cone over the flat quadrilateral of its corners on the unit
 * sphere */
static double cone_volume(double a, double b, int blocks)
{
    double half = PI / blocks;
    /* chords of the bed joints, height of the trapezium between them, distance of its plane */
    double chord_a = 2 * sin(a) * sin(half), chord_b = 2 * sin(b) * sin(half);
    double xa = sin(a) * cos(half), za = cos(a), xb = sin(b) * cos(half), zb = cos(b);
    double height = hypot(xb - xa, zb - za), distance = fabs(xa * zb - xb * za) / height;
    return 0.5 * (chord_a + chord_b) * height * distance / 3;
}

static void domes(void **state)
{
    (void)state;
    double unit = 0;
    const double eye = 0.3, step = (PI / 2 - eye) / 3, shell = pow(1.1, 3) - pow(0.9, 3);
    for (int i = 0; i < 3; i++)
        unit += 8 * cone_volume(PI / 2 - i * step, PI / 2 - (i + 1) * step, 8);
    look l =
        stands(W3 LAW, "generate.dome { courses = 3, blocks = 8, radius = 1, thickness = 0.2, oculus = 0.3,\n"
                       "  keystone = false, chamfer = 0 }");
    assert_close(l.mass, 2000 * shell * unit, 1e-12);
    assert_close(l.bodies, 24, 0);
    /* four points a joint: 8 bed joints under each course, 8 head joints in it; neighbours across a corner,
       which touch along an edge, have some too */
    assert_true(l.contacts > 4 * (8 * 3 + 8 * 3));
    assert_true(l.gap < 1e-14);
    /* with their radial edges cut off by a thousandth they do not, and hardly weigh less */
    l = stands(W3 LAW, "generate.dome { courses = 3, blocks = 8, radius = 1, thickness = 0.2, oculus = 0.3,\n"
                       "  keystone = false }");
    assert_close(l.contacts, 4 * (8 * 3 + 8 * 3), 0);
    assert_close(l.mass, 2000 * shell * unit * (1 - 2e-6), 2e-6 * l.mass);
    assert_true(l.gap < 1e-14);

    /* the keystone: between flat octagons, over the pyramid with that octagon on the unit sphere */
    l = stands(W3 LAW, "generate.dome { courses = 3, blocks = 8, radius = 1, thickness = 0.2, oculus = 0.3,\n"
                       "  chamfer = 0 }");
    unit += 4 * sin(PI / 4) * sin(eye) * sin(eye) * cos(eye) / 3;
    assert_close(l.mass, 2000 * shell * unit, 1e-12);
    assert_close(l.bodies, 25, 0);
}

/* a hemisphere without tension along its hoops needs a thickness of 0.042 of its radius (Heyman, The Stone
   Skeleton, 1995); blocks that leaned on each other across corners would carry hoops, and any thickness would
   do */
static void thinnest_dome(void **state)
{
    (void)state;
    outcome o;
    run_ok(W3 LAW "for i, t in ipairs { 0.02, 0.039, 0.045 } do\n"
                  "  local d = generate.dome { radius = 1, thickness = t }\n"
                  "  report(i == 1 and 'thin' or i == 2 and 'nearly' or 'enough', equilibrium().possible)\n"
                  "  for _, b in ipairs(d) do remove(b) end\n"
                  "  for _, b in ipairs(d.supports) do remove(b) end\n"
                  "end",
           &o);
    assert_string_equal(o.result.report_json, "{\"thin\":false,\"nearly\":false,\"enough\":true}");
    outcome_free(&o);
}

/* lists, names, places */
static void what_comes_back(void **state)
{
    (void)state;
    outcome o;
    run_ok(
        W3
        "local w = generate.wall { courses = 2, bricks = 2, name = 'brick', group = 'red', angle = math.pi / "
        "2,\n"
        "  brick = {1, 0.5, 0.25}, position = {10, 20, 30} }\n"
        "report('courses', #w.courses) report('second', #w.courses[2]) report('name', w.courses[2][1].name)\n"
        "report('group', w[1].group) report('place', w[1].position)\n"
        "local a = generate.arch { voussoirs = 3 }\n"
        "report('supports', #a.supports) report('kind', a.supports[1].kind) report('key', a[2].position)\n"
        "report('none', generate.arch { supports = false, position = {50, 0, 0} }.supports == nil)\n"
        "local d = generate.dome { courses = 2, blocks = 5, position = {0, 50, 0} }\n"
        "report('rings', #d.rings) report('ring', #d.rings[2]) report('top', d.keystone == d[11])\n"
        "local c = generate.column { drums = 2, capital = { radius = 1, height = 1 }, position = {90, 0, 0} "
        "}\n"
        "report('capital', c.capital.position)",
        &o);
    assert_non_null(strstr(o.result.report_json, "\"name\":\"brick 3\""));
    assert_non_null(strstr(o.result.report_json, "\"group\":\"red\""));
    assert_non_null(strstr(o.result.report_json, "\"kind\":\"fixed\""));
    assert_non_null(strstr(o.result.report_json, "\"none\":true"));
    assert_non_null(strstr(o.result.report_json, "\"top\":true"));
    assert_close(reported_number(&o, "courses"), 2, 0);
    assert_close(reported_number(&o, "second"), 3, 0);
    assert_close(reported_number(&o, "supports"), 2, 0);
    assert_close(reported_number(&o, "rings"), 2, 0);
    assert_close(reported_number(&o, "ring"), 5, 0);
    double x[3];
    reported(&o, "place", 3, x); /* the left brick, turned by a right angle: at -y */
    assert_close(x[0], 10, 1e-12);
    assert_close(x[1], 19.5, 1e-12);
    assert_close(x[2], 30.125, 1e-12);
    reported(&o, "key", 3, x);
    assert_close(x[0], 0, 1e-14);
    assert_true(x[2] > 4 && x[2] < 5);
    reported(&o, "capital", 3, x);
    assert_close(x[2], 1.5, 1e-14);
    outcome_free(&o);
}

/* forces in space are told along axes that are told too: without the tangent they could not be added */
static void equilibrium_in_space(void **state)
{
    (void)state;
    outcome o;
    double sum[3];
    run_ok("world { dim = 3, h = 0.1, t_end = 0, gravity = {2, 1, -10} } law { friction = 0.5 }\n"
           "body { shape = plane { normal = {0, 0, 1} }, fixed = true }\n"
           "local b = body { shape = box { 0.2, 0.3, 0.1 }, mass = 3, position = {0, 0, 0.05} }\n"
           "local s = {0, 0, 0}\n"
           "for _, c in ipairs(equilibrium().forces) do\n"
           "  local n, t, f = c.normal, c.tangent, c.force\n"
           "  local sign = c.body1 == b and 1 or -1\n"
           "  for k = 1, 3 do\n"
           "    local l, m = k % 3 + 1, (k + 1) % 3 + 1\n"
           "    s[k] = s[k] + sign * (f[1] * n[k] + f[2] * t[k] + f[3] * (n[l] * t[m] - n[m] * t[l]))\n"
           "  end\n"
           "end\n"
           "report('sum', s)",
           &o);
    reported(&o, "sum", 3, sum);
    assert_close(sum[0], -6, 1e-9);
    assert_close(sum[1], -3, 1e-9);
    assert_close(sum[2], 30, 1e-9);
    outcome_free(&o);
}

/* a block on a table tilted by the load: b/h = 0.5, the friction is enough */
static void equilibrium_of_a_block(void **state)
{
    (void)state;
    outcome o;
    run_ok(W2 "law { friction = 1 }\n" GROUND2
              "local b = body { shape = rectangle { 1, 2 }, mass = 1, position = {0, 1} }\n"
              "b.applied_force = {0.499999 * 9.81, 0}\n"
              "local e = equilibrium()\n"
              "local sum = 0\n"
              "for _, c in ipairs(e.forces) do sum = sum + c.force[1] end\n"
              "report('stands', e.possible) report('normal', sum) report('count', #e.forces)\n"
              "b.applied_force = {0.500001 * 9.81, 0}\n"
              "report('falls', equilibrium().possible) report('power', equilibrium().power)\n"
              "remove(b) report('empty', #equilibrium().forces)",
           &o);
    assert_non_null(strstr(o.result.report_json, "\"stands\":true"));
    assert_non_null(strstr(o.result.report_json, "\"falls\":false"));
    assert_close(reported_number(&o, "normal"), 9.81, 1e-9);
    assert_close(reported_number(&o, "count"), 2, 0);
    assert_close(reported_number(&o, "empty"), 0, 0);
    assert_true(reported_number(&o, "power") > 0);
    outcome_free(&o);
}

static const mistake mistakes[] = {
    {"generate.wall { }", 1, "generate.wall", ""},
    {W3 "generate.wall { course = 3 }", 2, "generate.wall.course", "did you mean \"courses\"?"},
    {W3 "generate.wall { courses = 0 }", 2, "generate.wall.courses", "expected a number from 1"},
    {W3 "generate.wall { courses = 1e6, bricks = 1e6 }", 2, "generate.wall.bricks",
     "1e+12 bodies are more than a scene may have: expected at most 50000000"},
    {W3 "generate.dome { courses = 1e6, blocks = 100 }", 2, "generate.dome.courses",
     "1e+08 bodies are more than a scene may have"},
    {W3 "generate.arch { voussoirs = 1e8 }", 2, "generate.arch.voussoirs", "more than a scene may have"},
    {W3 "generate.column { drums = 1e8 }", 2, "generate.column.drums", "more than a scene may have"},
    {W3 "generate.wall { courses = 2.5 }", 2, "generate.wall.courses", "expected a whole number, got 2.5"},
    {W3 "generate.wall { brick = {1, 2} }", 2, "generate.wall.brick", "got 2 numbers"},
    {W3 "generate.wall { brick = {1, 2, 0} }", 2, "generate.wall.brick[3]", "expected a number > 0"},
    {W3 "generate.wall { bond = 1.5 }", 2, "generate.wall.bond", "expected a number from 0 to 1"},
    {W3 "generate.wall { density = -1 }", 2, "generate.wall.density", "expected a number > 0"},
    {W3 "generate.wall { group = 3 }", 2, "generate.wall.group", "expected a string"},
    {W3 "generate.wall { collides_with = 3 }", 2, "body.collides_with", "expected a list"},
    {W3 "generate.wall(3)", 2, "generate.wall", "expected a table"},
    {W2 "generate.wall { angle = 1 }", 2, "generate.wall.angle", "2D world"},
    {W2 "generate.arch { width = 1 }", 2, "generate.arch.width", "has no width"},
    {W2 "generate.dome { }", 2, "generate.dome", "3D worlds"},
    {W2 "generate.column { }", 2, "generate.column", "3D worlds"},
    {W3 "generate.arch { voussoirs = 1 }", 2, "generate.arch.voussoirs", "expected a number from 2"},
    {W3 "generate.arch { radius = 1, thickness = 2 }", 2, "generate.arch.thickness",
     "less than twice the radius"},
    {W3 "generate.arch { embrace = 7 }", 2, "generate.arch.embrace", "expected a number from"},
    {W3 "generate.arch { supports = 1 }", 2, "generate.arch.supports", "true or false"},
    {W3 "generate.dome { oculus = 1, embrace = 0.5 }", 2, "generate.dome.oculus", "less than the embrace"},
    {W3 "generate.dome { blocks = 2 }", 2, "generate.dome.blocks", "from 3"},
    {W3 "generate.dome { blocks = 2000 }", 2, "generate.dome.blocks", "from 3 to 1000"},
    {W3 "generate.column { taper = 0.5 }", 2, "generate.column.taper", "expected sides"},
    {W3 "generate.column { sides = 2 }", 2, "generate.column.sides", "from 3"},
    {W3 "generate.column { capital = { radius = 0 } }", 2, "generate.column.capital.radius", "> 0"},
    {W3 "generate.column { capital = 3 }", 2, "generate.column.capital", "expected a table"},
    {W3 "generate.column { capital = { size = 3 } }", 2, "generate.column.capital.size", "unknown key"},
    {W3 "equilibrium(3)", 2, "equilibrium", "expected no arguments"},
    {"equilibrium()", 1, "equilibrium", ""},
};

static void mistakes_are_told(void **state)
{
    (void)state;
    expect_mistakes(mistakes, sizeof mistakes / sizeof mistakes[0]);
}

static const bomb bombs[] = {
    {"generate.wall { courses = 1e9, bricks = 1e9 }", "more than a scene may have"},
    {"generate.arch { voussoirs = 1e9 }", "more than a scene may have"},
    {"generate.dome { courses = 1e9, blocks = 1000 }", "more than a scene may have"},
    {"generate.column { drums = 1e9, sides = 1000 }", "more than a scene may have"},
    {"generate.column { drums = 900, sides = 1000 }", "points in all bodies"},
};

static void bombs_end(void **state)
{
    (void)state;
    scene_limits limits = small_limits();
    expect_bombs(W3, bombs, sizeof bombs / sizeof bombs[0], &limits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls),
        cmocka_unit_test(arches),
        cmocka_unit_test(columns),
        cmocka_unit_test(domes),
        cmocka_unit_test(thinnest_dome),
        cmocka_unit_test(what_comes_back),
        cmocka_unit_test(equilibrium_in_space),
        cmocka_unit_test(equilibrium_of_a_block),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(bombs_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
