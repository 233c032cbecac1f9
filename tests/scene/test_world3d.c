/*
 * Worlds in 3D by scenes: motions with known answers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/run_world3.h"
#include "support/close.h"

#include <math.h>
#include <unistd.h>

static const double PI = 3.14159265358979323846;

/* ---- falling, sliding, rolling
 * ------------------------------------------------------------------------------ */

/* the midpoint rule is exact in free fall; the rebound leaves from where the step found the ground */
static void ball_falls_and_bounces(void **state)
{
    (void)state;
    outcome o;
    run_ok(
        "world { dim = 3, h = 1e-3, t_end = 0.6, gravity = {0, 0, -9.81} }\n"
        "law { restitution = 0.5 }\n" FLOOR
        "local b = body { shape = sphere { radius = 0.1 }, density = 1000, position = {1, 2, 1.1},\n"
        "                 velocity = {0.5, -0.25, 0} }\n"
        "at(0.4, function() report('fall', b.position) report('speed', b.velocity) end)\n"
        "at_end(function() report('up', b.velocity) report('mass', b.mass) report('turned', b.orientation)\n"
        "  report('potential', measure.potential_energy()) report('z', b.position[3]) end)",
        &o);
    const double g = 9.81, h = 1e-3, fall[3] = {1.2, 1.9, 1.1 - g * 0.08}, speed[3] = {0.5, -0.25, -g * 0.4};
    expect_vector(&o, "fall", 3, fall, 1e-13);
    expect_vector(&o, "speed", 3, speed, 1e-13);
    double hit = sqrt(2 / g), up[3], mass = 4000 * PI / 3 * 1e-3;
    reported(&o, "up", 3, up);
    assert_close(up[2], 0.5 * g * hit - g * (0.6 - hit), 2 * g * h);
    assert_close(up[0], 0.5, 1e-14);
    assert_close(reported_number(&o, "mass"), mass, 1e-13);
    assert_close(reported_number(&o, "potential"), mass * g * reported_number(&o, "z"), 1e-12);
    expect_vector(&o, "turned", 4, (double[4]){1, 0, 0, 0}, 0);
    outcome_free(&o);
}

/* tan 20 degrees is 0.364: friction of 0.37 holds the box, 0.35 lets it go */
static void box_on_a_slope(void **state)
{
    (void)state;
    static const char text[] =
        "local mu, g, a = %g, 9.81, math.rad(20)\n"
        "world { dim = 3, h = 1e-3, t_end = %g, gravity = {g * math.sin(a), 0, -g * math.cos(a)} }\n"
        "law { friction = mu }\n" FLOOR
        "local b = body { shape = box { 0.2, 0.1, 0.05 }, density = 1000, position = {0, 0, 0.025} }\n"
        "at_end(function() report('x', b.position) report('v', b.velocity) report('f', b.force)\n"
        "  report('sliding', measure.sliding_count()) report('count', measure.contact_count()) end)";
    char scene[1000];
    outcome o;
    double x[3], v[3], f[3], a = 20 * PI / 180, g = 9.81;
    snprintf(scene, sizeof scene, text, 0.37, 10.0);
    run_ok(scene, &o);
    reported(&o, "x", 3, x);
    reported(&o, "f", 3, f);
    assert_close(hypot(x[0], x[1]), 0, 1e-9);
    assert_close(x[2], 0.025, 1e-9);
    assert_close(f[0], -g * sin(a), 1e-7);
    assert_close(f[2], g * cos(a), 1e-7);
    // one may be left on the edge of its cone, where the box came to rest; all of them cannot
    assert_true(reported_number(&o, "sliding") < 4);
    assert_close(reported_number(&o, "count"), 4, 0);
    outcome_free(&o);
    snprintf(scene, sizeof scene, text, 0.35, 1.0);
    run_ok(scene, &o);
    reported(&o, "x", 3, x);
    reported(&o, "v", 3, v);
    double gain = g * (sin(a) - 0.35 * cos(a));
    assert_close(x[0], gain / 2, gain * 1e-3);
    assert_close(v[0], gain, gain * 1e-3);
    assert_close(x[1], 0, 1e-9);
    assert_close(reported_number(&o, "sliding"), 4, 0);
    outcome_free(&o);
}

/* sliding friction turns a ball until it rolls: angular momentum about the line of contact leaves 5/7 of its
   speed, after 2 v / (7 mu g) */
static void ball_begins_to_roll(void **state)
{
    (void)state;
    outcome o;
    run_ok("world { dim = 3, h = 1e-3, t_end = 1, gravity = {0, 0, -10} }\n"
           "law { friction = 0.5 }\n" FLOOR
           "local b = body { shape = sphere { radius = 0.2 }, mass = 3, position = {0, 0, 0.2},\n"
           "                 velocity = {1.4, 2.8, 0} }\n"
           "at(0.1, function() report('early', b.velocity) end)\n"
           "at_end(function() report('v', b.velocity) report('w', b.spin) report('q', b.orientation)\n"
           "  report('x', b.position) end)",
           &o);
    const double speed = hypot(1.4, 2.8), t = 0.1, lost = 1 - 0.5 * 10 * t / speed;
    const double late[3] = {1, 2, 0}, spin[3] = {-2 / 0.2, 1 / 0.2, 0};
    expect_vector(&o, "early", 3, (double[3]){1.4 * lost, 2.8 * lost, 0}, 1e-6);
    expect_vector(&o, "v", 3, late, 1e-7);
    expect_vector(&o, "w", 3, spin, 1e-6);
    /* turned about the axis of its spin by the way it rolled, less what it slid at first */
    double q[4];
    reported(&o, "q", 4, q);
    assert_close(q[1] * 1 + q[2] * 2, 0, 1e-7);
    assert_close(q[3], 0, 1e-7);
    assert_true(fabs(q[0]) < 0.999);
    outcome_free(&o);
}

/* a sphere that spins freely about z turns by 3 rad/s times 0.5 s from where it was put */
static void spheres_turn(void **state)
{
    (void)state;
    outcome o;
    const double half = 0.5 * 3 * 0.5, turned[4] = {-sin(half), 0, 0, cos(half)};
    run_ok("world { dim = 3, h = 1e-2, t_end = 0.5 }\nlocal b = body { shape = sphere { radius = 1 }, "
           "mass = 1, spin = {0, 0, 3}, orientation = {0, 0, 0, 1} }\n"
           "at_end(function() report('q', b.orientation) end)",
           &o);
    expect_vector(&o, "q", 4, turned, 1e-12);
    outcome_free(&o);
}

/* ---- rotation
 * ------------------------------------------------------------------------------------------------- */

/* about the middle axis a brick tumbles; its energy and its angular momentum stay */
static void asymmetric_top(void **state)
{
    (void)state;
    outcome o;
    run_ok("world { dim = 3, h = 1e-3, t_end = 10 }\n"
           "local b = body { shape = box { 1, 2, 3 }, mass = 12, spin = {0.01, 5, 0.01} }\n"
           "local I, flips, before = { 13, 10, 5 }, 0, 1\n"
           "local function momentum()\n"
           "  local q, w = b.orientation, b.spin\n"
           "  local W, X, Y, Z = q[1], q[2], q[3], q[4]\n"
           "  local R = { { 1 - 2*(Y*Y + Z*Z), 2*(X*Y - W*Z), 2*(X*Z + W*Y) },\n"
           "              { 2*(X*Y + W*Z), 1 - 2*(X*X + Z*Z), 2*(Y*Z - W*X) },\n"
           "              { 2*(X*Z - W*Y), 2*(Y*Z + W*X), 1 - 2*(X*X + Y*Y) } }\n"
           "  local own, L = {}, {}\n"
           "  for k = 1, 3 do own[k] = I[k] * (R[1][k]*w[1] + R[2][k]*w[2] + R[3][k]*w[3]) end\n"
           "  for k = 1, 3 do L[k] = R[k][1]*own[1] + R[k][2]*own[2] + R[k][3]*own[3] end\n"
           "  return L, R[2][2]\n"
           "end\n"
           "on_step(function(t)\n"
           "  local _, up = momentum()\n"
           "  if up * before < 0 then flips, before = flips + 1, up end\n"
           "end)\n"
           "report('inertia', b.inertia) report('start', measure.kinetic_energy())\n"
           "at_end(function() report('end', measure.kinetic_energy()) report('L', (momentum()))\n"
           "  report('flips', flips) end)",
           &o);
    double inertia[3], start = reported_number(&o, "start");
    reported(&o, "inertia", 3, inertia);
    assert_close(inertia[0] + inertia[1] + inertia[2], 28, 1e-13);
    assert_close(start, 0.5 * (10 * 25 + 13e-4 + 5e-4), 1e-12);
    assert_close(reported_number(&o, "end"), start, 1e-9);
    expect_vector(&o, "L", 3, (double[3]){0.13, 50, 0.05}, 1e-7);
    assert_true(reported_number(&o, "flips") >= 2);
    outcome_free(&o);
}

/* ---- piles
 * ------------------------------------------------------------------------------------------------------ */

static void stack_of_boxes(void **state)
{
    (void)state;
    outcome o;
    run_ok("world { dim = 3, h = 1e-3, t_end = 1, gravity = {0, 0, -10} }\n"
           "law { friction = 0.5 }\n"
           "local ground = " FLOOR
           "for i = 1, 5 do body { shape = box { 1, 1, 1 }, mass = 2, position = {0, 0, i - 0.5} } end\n"
           "at_end(function()\n"
           "  report('force', measure.force_on(ground))\n"
           "  report('above', measure.resultant { point = {0, 0, 2}, normal = {0, 0, 3} })\n"
           "  report('below', measure.resultant { point = {0, 0, 2}, normal = {0, 0, -1} })\n"
           "  local s = measure.stress()\n"
           "  report('rows', #s) report('stress', s[3])\n"
           "  report('fraction', measure.solid_fraction())\n"
           "  report('half', measure.solid_fraction { min = {0, -1, 0.5}, max = {1, 1, 1.5} })\n"
           "  report('coordination', measure.coordination())\n"
           "  report('deep', measure.max_penetration())\n"
           "  local n, sum, t2 = 0, 0, nil\n"
           "  for c in contacts() do\n"
           "    n, sum = n + 1, sum + (c.body1 == ground and c.impulse.n or 0)\n"
           "    local a, b = c.normal, c.tangent\n"
           "    if #c.point ~= 3 or math.abs(a[1] * b[1] + a[2] * b[2] + a[3] * b[3]) > 1e-15 or\n"
           "       c.impulse[2] ~= c.impulse.t1 or c.velocity[3] ~= c.velocity.t2 then error('contact') end\n"
           "  end\n"
           "  report('contacts', n) report('push', sum / 1e-3) end)",
           &o);
    /* the residual that a step must reach is relative: 1e-8 of 100 N, with room for five storeys */
    const double tol = 1e-5;
    expect_vector(&o, "force", 3, (double[3]){0, 0, -100}, tol);
    expect_vector(&o, "above", 3, (double[3]){0, 0, -60}, tol);
    expect_vector(&o, "below", 3, (double[3]){0, 0, 60}, tol);
    /* storey k carries 20 (5 - k): sigma_zz = sum over boxes of the mean of what is above and below, per
     * volume 5 */
    double stress[3];
    reported(&o, "stress", 3, stress);
    assert_close(stress[2], (0 + 20 + 20 + 40 + 40 + 60 + 60 + 80 + 80 + 100) / 2.0 / 5, tol);
    assert_close(reported_number(&o, "rows"), 3, 0);
    assert_close(reported_number(&o, "fraction"), 1, 1e-9);
    assert_close(reported_number(&o, "half"), 0.25, 1e-9);
    /* four contacts on each of five faces: the top box has 4, the others 8 */
    assert_close(reported_number(&o, "contacts"), 20, 0);
    assert_close(reported_number(&o, "coordination"), 36 / 5.0, 0);
    assert_close(reported_number(&o, "deep"), 0, 1e-8);
    assert_close(reported_number(&o, "push"), 100, tol);
    outcome_free(&o);
}

/* regions cut turned bodies where their volumes are known; a lone ball on the floor carries its weight */
static void measures_of_turned_bodies(void **state)
{
    (void)state;
    outcome o;
    run_ok("world { dim = 3, h = 1e-3, t_end = 0.01, gravity = {0, 0, -10} }\n" FLOOR
           "local over = {0, 1, 0, 0}\n"
           "local hull = convex { {1,1,0}, {1,-1,0}, {-1,1,0}, {-1,-1,0}, {0,0,1} }\n"
           "local b = body { shape = sphere { radius = 0.5 }, mass = 3, position = {0, 0, 0.5} }\n"
           "local stress = nil\n"
           "at(0.005, function() stress = measure.stress() report('around', measure.solid_fraction())\n"
           "  b.applied_force = {0, 0, 30}\n"
           "  local p = body { shape = hull, density = 1, orientation = over, position = {9, 0, 5} }\n"
           "  report('tip', measure.solid_fraction { min = {8, -1, 4.25}, max = {10, 1, 4.75} })\n"
           "  local c = body { shape = compound { { shape = capsule { radius = 0.1, height = 1 },\n"
           "    position = {0, 0.5, 0}, orientation = {1, 1, 0, 0} },\n"
           "    { shape = box { 1, 1, 1 }, position = {0, 2, 0} } }, density = 1, keep_origin = true,\n"
           "    orientation = {1, 0, 0, -1}, position = {-9, 0, 5} }\n"
           "  report('end', measure.solid_fraction { min = {-8.5, -1, 4}, max = {-7.5, 1, 6} })\n"
           "  report('row1', stress[1]) report('row3', stress[3]) end)",
           &o);
    /* weight times radius over the volume of the cube around the ball */
    expect_vector(&o, "row1", 3, (double[3]){0, 0, 0}, 1e-6);
    expect_vector(&o, "row3", 3, (double[3]){0, 0, 30 * 0.5}, 1e-6);
    assert_close(reported_number(&o, "around"), PI / 6, 1e-9);
    /* the tip points down to 5 - 3/4: half a pyramid's height from there, 1/8 of its volume, in a box of 2 */
    assert_close(reported_number(&o, "tip"), 4.0 / 3 / 8 / 2, 1e-12);
    /* y was turned to x: half the capsule and its end lie beyond 0.5, the box begins at 1.5 */
    assert_close(reported_number(&o, "end"), (PI * 0.01 * 0.5 + 2 * PI / 3 * 1e-3) / 4, 1e-11);
    outcome_free(&o);
}

/* a dumbbell and a hull: masses and inertias of their shapes, rest on the floor */
static void compound_and_hull(void **state)
{
    (void)state;
    outcome o;
    run_ok(
        "world { dim = 3, h = 1e-3, t_end = 0.2, gravity = {0, 0, -10} }\n"
        "law { friction = 0.3 }\n" FLOOR "local ball = sphere { radius = 0.1 }\n"
        "local lying = { math.cos(math.pi / 4), 0, math.sin(math.pi / 4), 0 }\n"
        "local d = body { shape = compound { { shape = ball, position = {-0.3, 0, 0} },\n"
        "  { shape = ball, position = {0.3, 0, 0} } }, density = 1000, position = {0, 0, 0.1} }\n"
        "local rod = body { shape = compound { { shape = cylinder { radius = 0.1, height = 1 },\n"
        "  orientation = lying } }, density = 1000, position = {0, 3, 0.1} }\n"
        "local p = body { shape = convex { {1,1,0}, {1,-1,0}, {-1,1,0}, {-1,-1,0}, {0,0,1} }, density = 3,\n"
        "                 position = {5, 0, 0.25} }\n"
        "local keep = body { shape = convex { {1,1,0}, {1,-1,0}, {-1,1,0}, {-1,-1,0}, {0,0,1} }, density = "
        "3,\n"
        "                    position = {-5, 0, 0}, keep_origin = true }\n"
        "local c = body { shape = capsule { radius = 0.1, height = 0.5 }, density = 1000, orientation = "
        "lying,\n"
        "                 position = {0, -3, 0.1} }\n"
        "at_end(function()\n"
        "  report('dumbbell', d.mass) report('I', d.inertia) report('df', d.force) report('dx', d.position)\n"
        "  report('rod', rod.inertia) report('rf', rod.force)\n"
        "  report('hull', p.mass) report('pf', p.force) report('px', p.position)\n"
        "  report('kept', keep.position) report('kf', keep.force)\n"
        "  report('capsule', c.mass) report('cf', c.force[3]) end)",
        &o);
    const double ball = 4.0 / 3 * PI, m = 2 * ball, spin = 0.4 * ball * 0.01;
    double I[3];
    assert_close(reported_number(&o, "dumbbell"), m, 1e-12);
    reported(&o, "I", 3, I);
    double least = fmin(I[0], fmin(I[1], I[2])), most = fmax(I[0], fmax(I[1], I[2]));
    assert_close(least, 2 * spin, 1e-13);
    assert_close(most, 2 * (spin + ball * 0.09), 1e-13);
    expect_vector(&o, "df", 3, (double[3]){0, 0, 10 * m}, 1e-5);
    expect_vector(&o, "dx", 3, (double[3]){0, 0, 0.1}, 1e-8);
    const double rod = 1000 * PI * 0.01;
    reported(&o, "rod", 3, I);
    least = fmin(I[0], fmin(I[1], I[2]));
    assert_close(least, rod * 0.01 / 2, 1e-12);
    expect_vector(&o, "rf", 3, (double[3]){0, 0, 10 * rod}, 1e-4);
    assert_close(reported_number(&o, "hull"), 4, 1e-13);
    expect_vector(&o, "pf", 3, (double[3]){0, 0, 40}, 1e-5);
    expect_vector(&o, "px", 3, (double[3]){5, 0, 0.25}, 1e-8);
    expect_vector(&o, "kept", 3, (double[3]){-5, 0, 0}, 1e-8);
    expect_vector(&o, "kf", 3, (double[3]){0, 0, 40}, 1e-5);
    const double capsule = 1000 * (ball * 1e-3 + PI * 0.01 * 0.5);
    assert_close(reported_number(&o, "capsule"), capsule, 1e-12);
    assert_close(reported_number(&o, "cf"), 10 * capsule, 1e-4);
    outcome_free(&o);
}

/* ---- meshes
 * ------------------------------------------------------------------------------------------------------ */

/* a flat floor of triangles beside the scene: the ball rolls across their edges as on a plane */
static void ball_on_a_mesh(void **state)
{
    (void)state;
    char folder[] = "/tmp/scene-mesh-XXXXXX", mesh[80], scene[80];
    assert_non_null(mkdtemp(folder));
    snprintf(mesh, sizeof mesh, "%s/floor.obj", folder);
    snprintf(scene, sizeof scene, "%s/scene.lua", folder);
    FILE *f = fopen(mesh, "w");
    assert_non_null(f);
    for (int i = 0; i < 25; i++)
        fprintf(f, "v %d %d 0\n", i % 5 - 1, i / 5 - 2);
    for (int i = 0; i < 16; i++) {
        int a = i % 4 + 5 * (i / 4) + 1;
        fprintf(f, "f %d %d %d\nf %d %d %d\n", a, a + 1, a + 6, a, a + 6, a + 5);
    }
    fclose(f);
    outcome o;
    const char *text =
        "world { dim = 3, h = 1e-3, t_end = 1.5, gravity = {0, 0, -10} }\n"
        "law { friction = 0.5 }\n"
        "body { shape = mesh { file = 'floor.obj' }, fixed = true }\n"
        "local b = body { shape = sphere { radius = 0.2 }, mass = 3, position = {-0.5, 0.1, 0.2},\n"
        "                 velocity = {1, 0.3, 0}, spin = {-1.5, 5, 0} }\n"
        "local high = 0\n"
        "on_step(function(t) high = math.max(high, math.abs(b.position[3] - 0.2)) end)\n"
        "at_end(function() report('x', b.position) report('v', b.velocity) report('high', high) end)";
    scene_options options = text_options(text, &o);
    options.path = scene;
    run_options(&options, &o);
    expect_reached(&o);
    expect_vector(&o, "x", 3, (double[3]){1, 0.55, 0.2}, 1e-6);
    expect_vector(&o, "v", 3, (double[3]){1, 0.3, 0}, 1e-6);
    assert_close(reported_number(&o, "high"), 0, 1e-7);
    outcome_free(&o);
    assert_int_equal(unlink(mesh), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* ---- handles
 * ------------------------------------------------------------------------------------------------------ */

static void handles_are_set(void **state)
{
    (void)state;
    outcome o;
    run_ok(
        "world { dim = 3, h = 0.1, t_end = 1 }\n"
        "local b = body { shape = box { 1, 2, 3 }, mass = 1, inertia = {2, 2, 2} }\n"
        "b.position, b.velocity, b.spin = {1, 2, 3}, {4, 5, 6}, {0, 0, 0.5}\n"
        "b.orientation = {0, 0, 0, 7}\n"
        "b.applied_force, b.applied_torque = {1, 1, 1}, {0, 0, 0}\n"
        "report('q', b.orientation) report('w', b.spin) report('x', b.position) report('v', b.velocity)\n"
        "report('I', b.inertia) report('F', b.applied_force) report('C', b.applied_torque)\n"
        "local held = body { shape = box { 1, 2, 3 }, density = 1, position = {9, 0, 0}, free = {'x', "
        "'wz'},\n"
        "  orientation = {1, 2, 3, 4}, spin = {0, 0, 2}, velocity = {1, 0, 0}, applied_force = {0, 5, 5},\n"
        "  applied_torque = {1, 1, 0} }\n"
        "at(0.5, function() held.velocity = {-1, 0, 0} end)\n"
        "at_end(function() report('hx', held.position) report('hw', held.spin) report('ht', held.torque)\n"
        "  report('end', b.position) report('turned', b.orientation) end)",
        &o);
    expect_vector(&o, "q", 4, (double[4]){0, 0, 0, 1}, 1e-16);
    expect_vector(&o, "w", 3, (double[3]){0, 0, 0.5}, 1e-15);
    expect_vector(&o, "x", 3, (double[3]){1, 2, 3}, 1e-15);
    expect_vector(&o, "v", 3, (double[3]){4, 5, 6}, 0);
    expect_vector(&o, "I", 3, (double[3]){2, 2, 2}, 0);
    expect_vector(&o, "F", 3, (double[3]){1, 1, 1}, 0);
    expect_vector(&o, "C", 3, (double[3]){0, 0, 0}, 0);
    expect_vector(&o, "hx", 3, (double[3]){9, 0, 0}, 1e-12);
    expect_vector(&o, "hw", 3, (double[3]){0, 0, 2}, 1e-12);
    expect_vector(&o, "ht", 3, (double[3]){0, 0, 0}, 0);
    expect_vector(&o, "end", 3, (double[3]){5.5, 7.5, 9.5}, 1e-13);
    expect_vector(&o, "turned", 4, (double[4]){-sin(0.25), 0, 0, cos(0.25)}, 1e-13);
    outcome_free(&o);
}

/* bodies may come and go while the world runs; the same scene gives the same bits for any number of threads
 */
static void same_hash_for_any_threads(void **state)
{
    (void)state;
    const char *text =
        "world { dim = 3, h = 2e-3, t_end = 0.3, gravity = {0, 0, -10} }\n"
        "law { friction = 0.4, restitution = 0.2 }\n"
        "body { shape = plane { normal = {0.1, 0, 1} }, fixed = true }\n"
        "local shapes = { sphere { radius = 0.1 }, box { 0.2, 0.2, 0.1 }, capsule { radius = 0.06, height = "
        "0.1 } }\n"
        "local made = {}\n"
        "on_step(function(t)\n"
        "  if #made < 40 then\n"
        "    local q = { math.random() - 0.5, math.random() - 0.5, math.random() - 0.5, 1 }\n"
        "    made[#made + 1] = body { shape = shapes[#made % 3 + 1], density = 1000, orientation = q,\n"
        "      position = { 0.25 * (#made % 4), 0.25 * (#made // 4 % 3), 0.3 + 0.25 * (#made // 12) } }\n"
        "  end\n"
        "  if #made == 40 and made[7].exists then remove(made[7]) end\n"
        "end)";
    uint64_t hash[2];
    for (int i = 0; i < 2; i++) {
        outcome o;
        scene_options options = text_options(text, &o);
        options.threads = 1 + 3 * i;
        run_options(&options, &o);
        expect_reached(&o);
        assert_int_equal(o.result.info.bodies, 40);
        hash[i] = o.result.hash;
        outcome_free(&o);
    }
    assert_true(hash[0] == hash[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_falls_and_bounces),
        cmocka_unit_test(box_on_a_slope),
        cmocka_unit_test(ball_begins_to_roll),
        cmocka_unit_test(spheres_turn),
        cmocka_unit_test(asymmetric_top),
        cmocka_unit_test(stack_of_boxes),
        cmocka_unit_test(measures_of_turned_bodies),
        cmocka_unit_test(compound_and_hull),
        cmocka_unit_test(ball_on_a_mesh),
        cmocka_unit_test(handles_are_set),
        cmocka_unit_test(same_hash_for_any_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
