/*
 * joint{...} in scenes: what it makes, what handles tell, what is refused, and runs that go on from a file.
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

static const char *const pendulum =
    "world { dim = 2, h = 1e-3, t_end = 0.5, gravity = {0, -9.81} }\n"
    "local bob = body { shape = disc { radius = 0.1 }, mass = 2, position = {0, -1} }\n"
    "local hinge = joint { kind = 'hinge', bodies = {bob}, at = {0, 0} }\n"
    "local beam = body { shape = rectangle { 1, 0.1 }, mass = 3, position = {5.5, 0} }\n"
    "local arm = joint { kind = 'hinge', bodies = {beam}, at = {5, 0}, limits = {-1, 0.1},\n"
    "  motor = { speed = 0.5, max_torque = 100 } }\n"
    "local weight = body { shape = disc { radius = 0.1 }, mass = 1, position = {9, 0} }\n"
    "local spring = joint { kind = 'spring', bodies = {weight}, at = {{9, 0}, {9, 1}}, stiffness = 981, "
    "damping = 50 }\n"
    "local gone = joint { kind = 'distance', bodies = {weight, beam} }\n"
    "remove(gone)\n"
    "at_end(function()\n"
    "  report('force', hinge.force) report('angle', hinge.angle) report('kind', hinge.kind)\n"
    "  report('arm', arm.angle) report('torque', arm.torque) report('rate', arm.rate)\n"
    "  report('length', spring.length) report('same', hinge.bodies[1] == bob) report('gone', gone.exists)\n"
    "end)";

static void handles_tell(void **state)
{
    (void)state;
    outcome o;
    double force[2];
    run_ok(pendulum, &o);
    reported(&o, "force", 2, force);
    assert_close(force[0], 0, 1e-9);
    assert_close(force[1], 2 * 9.81, 1e-9);
    assert_close(reported_number(&o, "angle"), 0, 1e-12);
    assert_close(reported_number(&o, "arm"), 0.1, 1e-9);
    assert_close(reported_number(&o, "rate"), 0, 1e-9);
    /* at the stop: what holds the beam is motor and stop together, m g l/2 cos a */
    assert_close(reported_number(&o, "torque"), 3 * 9.81 * 0.5 * cos(0.1), 1e-6);
    assert_close(reported_number(&o, "length"), 1.01, 2e-3);
    assert_non_null(strstr(o.result.report_json, "\"kind\":\"hinge\""));
    assert_non_null(strstr(o.result.report_json, "\"same\":true"));
    assert_non_null(strstr(o.result.report_json, "\"gone\":false"));
    outcome_free(&o);
}

/* discs that overlap their neighbours, joined in no order, with bodies made and removed in between: of the
   pairs only those collide that are told to, 2 and 5 */
static const char *const overlapping =
    "world { dim = 2, h = 1e-3, t_end = 1e-3 }\n"
    "local far = body { shape = disc { radius = 0.6 }, mass = 1, position = {50, 0} }\n"
    "local b = {}\n"
    "for i = 1, 7 do b[i] = body { shape = disc { radius = 0.6 }, mass = 1, position = {i, 0} } end\n"
    "for n, i in ipairs { 4, 1, 6, 2, 5, 3 } do\n"
    "  joint { kind = 'ball', bodies = i % 2 == 0 and {b[i], b[i + 1]} or {b[i + 1], b[i]}, at = {i + 0.5, "
    "0},\n"
    "          collide = i == 2 or i == 5 }\n"
    "  body { shape = disc { radius = 0.6 }, mass = 1, position = {60 + 2 * n, 0} }\n"
    "  if n == 4 then remove(far) end\n"
    "end\n"
    "at_end(function() local p = {} for c in contacts() do p[#p + 1] = c.body1.id + c.body2.id end\n"
    "  table.sort(p) report('pairs', p) end)";

static void joined_bodies_collide_when_told_to(void **state)
{
    (void)state;
    outcome o;
    double ids[2];
    run_ok(overlapping, &o);
    reported(&o, "pairs", 2, ids);
    // body i of the list has the id i + 1
    assert_close(ids[0], 3 + 4, 0);
    assert_close(ids[1], 6 + 7, 0);
    outcome_free(&o);
}

/* each joint and body costs the same, or the text would need a minute and may take 15 s */
static void long_chains_are_built_in_time(void **state)
{
    (void)state;
    outcome o;
    run_ok("world { dim = 2, h = 1e-3, t_end = 0 }\n"
           "local p\n"
           "for i = 1, 20000 do\n"
           "  local b = body { shape = disc { radius = 0.1 }, mass = 1, position = {i, 0} }\n"
           "  if p then joint { kind = 'hinge', bodies = {p, b}, at = {i - 0.5, 0} } end\n"
           "  p = b\n"
           "end",
           &o);
    outcome_free(&o);
}

#define W "world { dim = 2, h = 1e-3, t_end = 0.01 }\n"
#define A "local a = body { shape = disc { radius = 1 }, density = 1 } "

static const mistake mistakes[] = {
    {W A "joint {}", 2, "joint.kind", "got nothing"},
    {W A "joint { kind = 'hinges', bodies = {a} }", 2, "joint.kind", "expected \"hinge\""},
    {W A "joint { kind = 'hinge', at = {0, 0} }", 2, "joint.bodies", "got nothing"},
    {W A "joint { kind = 'hinge', bodies = a }", 2, "joint.bodies", "one or two bodies"},
    {W A "joint { kind = 'hinge', bodies = {a, 3}, at = {0, 0} }", 2, "joint.bodies[2]", "expected a body"},
    {W A "joint { kind = 'hinge', bodies = {a, a}, at = {0, 0} }", 2, "joint.bodies", "twice"},
    {W A "joint { kind = 'hinge', bodies = {a} }", 2, "joint.at", "got nothing"},
    {W A "joint { kind = 'hinge', bodies = {a}, at = {1} }", 2, "joint.at", "place 2"},
    {W A "joint { kind = 'slider', bodies = {a} }", 2, "joint.axis", "other than zero"},
    {W A "joint { kind = 'distance', bodies = {a} }", 2, "joint.at", "a point of the body"},
    {W A "joint { kind = 'distance', bodies = {a}, at = {0, 0} }", 2, "joint.at[1]", "got number 0"},
    {W A "joint { kind = 'hinge', bodies = {a}, at = {0, 0}, length = 1 }", 2, "joint.length", "only"},
    {W A "joint { kind = 'spring', bodies = {a}, at = {{0, 0}, {0, 1}} }", 2, "joint.stiffness", "needs"},
    {W A "joint { kind = 'hinge', bodies = {a}, at = {0, 0}, limits = {1, 0} }", 2, "joint.limits", "low"},
    {W A "joint { kind = 'hinge', bodies = {a}, at = {0, 0}, motor = {} }", 2, "joint.motor.speed",
     "nothing"},
    {W A "joint { kind = 'hinge', bodies = {a}, at = {0, 0}, motor = { speed = 1, max_force = 1 } }", 2,
     "joint.motor.max_force", "unknown key"},
    {W A "joint { kind = 'fixed', bodies = {a}, at = {0, 0}, motor = { speed = 1 } }", 2, "joint.motor",
     "only hinges"},
    {W A "joint { kind = 'ball', bodies = {a}, at = {0, 0}, stifness = 1 }", 2, "joint.stifness",
     "did you mean \"stiffness\"?"},
    {W A "local j = joint { kind = 'ball', bodies = {a}, at = {0, 0} } print(j.angle)", 2, "angle",
     "has no angle"},
    {W A "local j = joint { kind = 'ball', bodies = {a}, at = {0, 0} } remove(a) print(j.force)", 2, "force",
     "was removed"},
    {W A "local j = joint { kind = 'ball', bodies = {a}, at = {0, 0} } j.force = 1", 2, "force",
     "cannot be set"},
    {W A "local j = joint { kind = 'hinge', bodies = {a}, at = {0, 0} } drive(j, 1)", 2, "drive.motor",
     "no motor"},
};

static void mistakes_are_named(void **state)
{
    (void)state;
    expect_mistakes(mistakes, sizeof mistakes / sizeof mistakes[0]);
}

/* a chain on the ground with a swinging door and rolling discs; one link is taken out on the way */
static const char *const chain =
    "world { dim = 2, h = 2e-3, t_end = 0.4, gravity = {0, -9.81}, record = { every = 0.04, series = 0.04 } "
    "}\n"
    "law { friction = 0.5 }\n"
    "body { shape = halfplane { normal = {0, 1} }, fixed = true }\n"
    "local last, links = nil, {}\n"
    "for i = 1, 8 do\n"
    "  local b = body { shape = rectangle { 0.2, 0.05 }, density = 100, position = {0.2 * i, 0.3 + 0.05 * i} "
    "}\n"
    "  if last then joint { kind = 'hinge', bodies = {b, last}, at = {0.2 * i - 0.1, 0.3 + 0.05 * i},\n"
    "                       limits = {-1, 1} } end\n"
    "  last, links[i] = b, b\n"
    "end\n"
    "joint { kind = 'spring', bodies = {links[8]}, at = {{1.6, 0.7}, {1.6, 2}}, stiffness = 500, damping = 2 "
    "}\n"
    "local wheel = body { shape = disc { radius = 0.1 }, density = 200, position = {-1, 0.1} }\n"
    "local drive = joint { kind = 'slider', bodies = {wheel, links[1]}, axis = {1, 0.2}, collide = true,\n"
    "                      motor = { speed = -0.5, max_force = 20 } }\n"
    "on_step(function(t) if t > 0.25 and links[4].exists then remove(links[4]) end end)\n"
    "observe('force', function(t) return drive.force[1] end)\n"
    "at_end(function() report('x', wheel.position) report('a', drive.length) end)";

static void run_chain(double until, int output, int resume, int threads, outcome *o)
{
    scene_options options = text_options(chain, o);
    options.until = until;
    options.threads = threads;
    options.output = output >= 0 ? path_of(output) : NULL;
    options.resume = resume >= 0 ? path_of(resume) : NULL;
    run_options(&options, o);
    expect_reached(o);
}

static void pieces_give_the_same_bits(void **state)
{
    (void)state;
    outcome whole, part;
    run_chain(-1, WHOLE, -1, 1, &whole);
    assert_true(whole.result.info.contacts > 0);
    assert_true(whole.result.info.worst_residual <= 1e-8);
    static const double at[] = {0.08, 0.32};
    for (int i = 0; i < 2; i++) {
        scene_options options = text_options(chain, &part);
        options.until = at[i];
        options.output = path_of(PARTS);
        run_options(&options, &part);
        assert_int_equal(part.status, MO_OK);
        outcome_free(&part);
        run_chain(-1, OTHER, PARTS, 3, &part);
        assert_int_equal(part.result.hash, whole.result.hash);
        assert_string_equal(part.result.report_json, whole.result.report_json);
        assert_memory_equal(&part.result.info.energy, &whole.result.info.energy,
                            sizeof part.result.info.energy);
        outcome_free(&part);
    }
    outcome_free(&whole);
}

/* joints in space, by name */
static void joints_in_space(void **state)
{
    (void)state;
    outcome o;
    run_ok(
        "world { dim = 3, h = 1e-3, t_end = 0.3, gravity = {0, 0, -10} }\n"
        "local a = body { shape = box { 1, 0.2, 0.2 }, mass = 3, position = {0.5, 0, 0} }\n"
        "local b = body { shape = sphere { radius = 0.1 }, mass = 1, position = {1.5, 0, 0} }\n"
        "local pin = joint { kind = 'hinge', bodies = {a}, at = {0, 0, 0}, axis = {0, 1, 0} }\n"
        "local ball = joint { kind = 'ball', bodies = {b, a}, at = {1, 0, 0} }\n"
        "local rail = joint { kind = 'slider', bodies = {body { shape = sphere { radius = 0.1 }, mass = 2,\n"
        "  position = {9, 0, 0} }}, axis = {0, 0, 2} }\n"
        "at_end(function() report('angle', pin.angle) report('way', rail.length) report('p', ball.point)\n"
        "  report('d', measure.kinetic_energy()) end)",
        &o);
    double p[3];
    reported(&o, "p", 3, p);
    assert_close(reported_number(&o, "way"), -0.45, 1e-9);
    assert_close(p[1], 0, 1e-12);
    assert_true(reported_number(&o, "angle") > 0.1);
    outcome_free(&o);
}

/* a motor that nothing bounds and that meets its limit, here and there: no velocity does both, and the run
 * says so */
static void motors_against_their_limits_are_told(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        const bool bounded = k >= 2;
        char text[400], said[80];
        outcome o;
        snprintf(text, sizeof text,
                 "world { dim = 2, h = 1e-3, t_end = 0.1 }\n"
                 "local a = body { shape = disc { radius = 0.1 }, mass = 1 }\n"
                 "joint { kind = 'slider', bodies = {a}, axis = {1, 0}, limits = {-0.01, 0.02},\n"
                 "        motor = { speed = %g%s } }",
                 k % 2 == 0 ? 0.5 : -0.5, bounded ? ", max_force = 10" : "");
        run_text(text, &o);
        /* from rest the middle of step n + 1 lies at h n / 2, which is the limit after 0.04 s, or 0.02 s */
        snprintf(said, sizeof said, "motor of joint 1 runs against its limit, first at t = %g s",
                 k % 2 == 0 ? 0.041 : 0.021);
        assert_true((strstr(o.said, said) == NULL) == bounded);
        assert_true((strcmp(o.result.status, "ok") == 0) == bounded);
        outcome_free(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_tell),
        cmocka_unit_test(joined_bodies_collide_when_told_to),
        cmocka_unit_test(long_chains_are_built_in_time),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(pieces_give_the_same_bits),
        cmocka_unit_test(joints_in_space),
        cmocka_unit_test(motors_against_their_limits_are_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
