/*
 * Joints and impacts in one step: no energy out of nothing, nothing pulled through what it touches, limits
 * that are reached together.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/close.h"
#include "support/joined.h"

enum { PLANKS = 4, BEADS = 20, LINKS = 12 };

/* planks hinged to each other and to two points, with some slack, and what falls on them without friction */
typedef struct hammock {
    double h, slack, density, restitution;
} hammock;

static mo_world *make_hammock(const hammock *c, double *mass)
{
    mo_world *w = make_world(c->h, G);
    mo_body plank[PLANKS];
    double x = 0, y = 0, a = -(PLANKS - 1) / 2.0 * c->slack;
    set_law(w, 0, c->restitution, c->restitution);
    for (int i = 0; i < PLANKS; i++, a += c->slack) {
        const double dx = 0.2 * cos(a), dy = 0.2 * sin(a);
        plank[i] = add_box(w, x + dx / 2, y + dy / 2, 0.2, 0.04, a, 300);
        add_joint(w, MO_JOINT_HINGE, plank[i], i > 0 ? plank[i - 1] : NOBODY, x, y);
        x += dx;
        y += dy;
    }
    add_joint(w, MO_JOINT_HINGE, plank[PLANKS - 1], NOBODY, x, y);
    *mass = state_of(w, add_disc(w, 0.43, 0.55, 0.1, c->density)).mass + PLANKS * state_of(w, plank[0]).mass;
    return w;
}

/* the planks turn by up to a radian in a step when they go taut; what contacts may give in a step is a
   fiftieth of the planks' kinetic energy and 1/8 m (g h)² (joints.md §2), and what they take is more */
static void impact_on_joined_planks_makes_no_energy(void **state)
{
    (void)state;
    const hammock cases[] = {
        {1e-3, 0.01, 2000, 0}, {5e-4, 0.03, 20000, 0}, {1e-4, 0.03, 20000, 0}, {1e-3, 0.01, 2000, 0.5}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double mass;
        mo_world *w = make_hammock(&cases[k], &mass);
        const double bound = mass * (G * cases[k].h) * (G * cases[k].h) / 8;
        mo_energy e = mo_world_info_get(w).energy;
        const double start = e.kinetic + e.potential;
        for (int n = 0; n < (int)(1 / cases[k].h); n++) {
            run_steps(w, 1, false);
            e = mo_world_info_get(w).energy;
            // positions that are put right cost or give potential energy, which is counted as work
            assert_true(e.kinetic + e.potential - e.work_external < start + 1e-9 * fabs(start));
        }
        assert_true(mo_world_info_get(w).largest_gain < bound + 0.02 * fabs(start));
        assert_true(fabs(e.work_external) < 0.05 * fabs(start));
        assert_close(e.balance_error, 0, 1e-9 * fabs(start));
        mo_world_destroy(w);
    }
}

/* a rod that turns about its end far away is not touched by what happens to the planks, nor they by a heavy
   body that falls beside them */
static void other_mechanisms_are_left_alone(void **state)
{
    (void)state;
    const hammock c = {1e-3, 0.01, 2000, 0};
    double turned[2], mass;
    for (int with = 0; with < 2; with++) {
        mo_world *w = with ? make_hammock(&c, &mass) : make_world(c.h, G);
        mo_body rod = add_box(w, 100.5, 0, 1, 0.05, 0, 100);
        mo_joint hinge = add_joint(w, MO_JOINT_HINGE, rod, NOBODY, 100, 0);
        set_velocity(w, rod, 0, 30, 60);
        if (with)
            add_disc(w, -50, 0, 5, 1e5);
        mo_energy e = mo_world_info_get(w).energy;
        const double start = e.kinetic + e.potential;
        for (int n = 0; n < 1000; n++) {
            run_steps(w, 1, false);
            e = mo_world_info_get(w).energy;
            assert_true(e.kinetic + e.potential - e.work_external < start + 1e-9 * e.kinetic);
        }
        turned[with] = joint_state(w, hinge).value;
        assert_true(mo_world_info_get(w).largest_gain < 0.02 * start);
        mo_world_destroy(w);
    }
    assert_close(turned[1], turned[0], 1e-9);
}

/* an eccentric cam, and a follower that a spring presses on it without friction: nothing is lost but what a
   rule of second order misses, of the size (omega h)² of the energy */
static void cam_keeps_its_energy(void **state)
{
    (void)state;
    const double off = 0.08, r = 0.2, omega = 20, steps[] = {1e-3, 5e-4};
    for (size_t k = 0; k < 2; k++) {
        mo_world_def def = tight_def(steps[k], 0);
        def.contact_tolerance = 1e-5;
        mo_world *w = make_world_def(&def);
        mo_body cam = add_disc(w, 0, -off, r, 10 / (PI * r * r));
        mo_body follower = add_box(w, 0, r - off + 0.05, 0.5, 0.1, 0, 1 / 0.05);
        set_velocity(w, cam, off * omega, 0, omega);
        add_joint(w, MO_JOINT_HINGE, cam, NOBODY, 0, 0);
        mo_joint_def d = joint_def(MO_JOINT_SLIDER, follower, NOBODY, 0, r - off + 0.05, 0);
        d.axis[0] = 0, d.axis[1] = 1;
        add_joint_def(w, &d);
        d = joint_def(MO_JOINT_SPRING, follower, NOBODY, 0, r - off + 0.05, 0);
        d.at2[0] = 0, d.at2[1] = 2;
        d.length = 2 - (r - off + 0.05) + 0.1;
        d.stiffness = 2000;
        add_joint_def(w, &d);
        mo_energy e = mo_world_info_get(w).energy;
        const double start = e.kinetic + e.potential;
        run_steps(w, (int)(2 / steps[k]), false);
        e = mo_world_info_get(w).energy;
        assert_close(e.kinetic + e.potential, start, omega * steps[k] * omega * steps[k] * start);
        mo_world_destroy(w);
    }
}

/* Beads on ropes catch a ball sixty times as heavy.  No rope is longer than it may be, so that the net hangs
   at most sqrt(half its length² - half the way²) deep, and the ball lies on it up to what it moves in a step.
 */
static void net_holds_a_ball(void **state)
{
    (void)state;
    const double rope = 0.11, bead = 0.04, ball = 0.2, fall = 1.05, steps[] = {2e-3, 1e-3, 5e-4};
    const double deep = sqrt(pow((BEADS + 1) * rope / 2, 2) - pow((BEADS + 1) * 0.05, 2)) - bead - ball;
    for (size_t k = 0; k < 3; k++) {
        mo_world *w = make_world(steps[k], G);
        mo_body last = NOBODY, b;
        for (int i = 1; i <= BEADS + 1; i++) {
            b = i <= BEADS ? add_disc(w, 0.1 * i, 0, bead, 0.5 / (PI * bead * bead)) : NOBODY;
            mo_joint_def d = i <= BEADS ? joint_def(MO_JOINT_DISTANCE, b, last, 0.1 * i, 0, 0)
                                        : joint_def(MO_JOINT_DISTANCE, last, NOBODY, 0.1 * BEADS, 0, 0);
            d.at2[0] = i <= BEADS ? 0.1 * (i - 1) : 0.1 * (BEADS + 1);
            d.limited = true;
            d.limits[0] = 0;
            d.limits[1] = rope;
            add_joint_def(w, &d);
            last = b;
        }
        mo_body heavy = add_disc(w, 1.03, 0.8, ball, 30 / (PI * ball * ball));
        double lowest = 1;
        for (int n = 0; n < (int)(1 / steps[k]); n++) {
            run_steps(w, 1, false);
            lowest = fmin(lowest, state_of(w, heavy).position[1]);
        }
        const double way = sqrt(2 * G * fall) * steps[k];
        assert_true(lowest > -deep - way && lowest < 0);
        assert_true(mo_world_info_get(w).joints_apart == 0);
        mo_world_destroy(w);
    }
}

/* a beam of links whose hinges stop at 0.1 rad: all of them reach their stops, at times several in a step */
static void limits_reached_together(void **state)
{
    (void)state;
    const double steps[] = {4e-3, 1e-3}, stop = 0.1;
    for (size_t k = 0; k < 2; k++) {
        mo_world *w = make_world(steps[k], G);
        mo_body last = NOBODY;
        mo_joint hinge[LINKS];
        double weight = 0, turned = 0;
        for (int i = 0; i < LINKS; i++) {
            mo_body b = add_box(w, 0.2 * (i + 0.5), 0, 0.2, 0.04, 0, 125);
            mo_joint_def d = joint_def(MO_JOINT_HINGE, b, last, 0.2 * i, 0, 0);
            d.limited = true;
            d.limits[0] = -stop;
            d.limits[1] = stop;
            hinge[i] = add_joint_def(w, &d);
            weight += state_of(w, b).mass * G;
            last = b;
        }
        for (int n = 0; n < (int)(4 / steps[k]); n++) {
            run_steps(w, 1, true);
            for (int i = 0; i < LINKS; i++)
                turned = fmax(turned, fabs(joint_state(w, hinge[i]).value));
        }
        // within what one step of Newton's rule leaves, and at rest on the stops
        assert_true(turned < stop + 1e-7);
        assert_true(mo_world_info_get(w).energy.kinetic < 1e-20);
        for (int i = 0; i < LINKS; i++)
            assert_close(joint_state(w, hinge[i]).value, -stop, 1e-7);
        assert_close(joint_state(w, hinge[0]).force[1], weight, 1e-6 * weight);
        mo_world_destroy(w);
    }
}

/* how two hinged planks have turned some time after they fell on a floor without friction, which does not
   tell how fast they move along it */
static void turn_of_planks(double theta, double speed, double turn[2])
{
    mo_world_def def = tight_def(1e-3, G);
    def.scheme = MO_SCHEME_MOREAU_JEAN;
    def.theta = theta;
    mo_world *w = make_world_def(&def);
    mo_body plank[2];
    add_floor(w, 0);
    for (int i = 0; i < 2; i++) {
        plank[i] = add_box(w, i == 0 ? -0.1 : 0.1, 0.1, 0.2, 0.04, 0, 300);
        set_velocity(w, plank[i], speed, -2, i == 0 ? 0.5 : 3);
    }
    add_joint(w, MO_JOINT_HINGE, plank[0], plank[1], 0, 0.1);
    run_steps(w, 70, true);
    for (int i = 0; i < 2; i++)
        turn[i] = state_of(w, plank[i]).angle;
    mo_world_destroy(w);
}

static void speed_along_the_floor_does_not_matter(void **state)
{
    (void)state;
    for (double theta = 0.5; theta <= 1; theta += 0.25) {
        double at_rest[2], moving[2];
        turn_of_planks(theta, 0, at_rest);
        turn_of_planks(theta, 10, moving);
        assert_true(fabs(at_rest[0] - at_rest[1]) > 1e-4);
        for (int i = 0; i < 2; i++)
            assert_close(moving[i], at_rest[i], 1e-10);
    }
}

static mo_status sinking(void *data, double t, mo_motion *out, mo_error *err)
{
    (void)err;
    const double speed = *(const double *)data;
    *out = (mo_motion){.q = {0, speed * t, 0}, .u = {0, speed, 0}};
    return MO_OK;
}

/* hinged planks fall on a floor, and a disc on them: a scheme that looks ahead leaves no overlap, and joints
   that are put right make none, whether the floor moves or not */
static void nothing_is_drawn_into_a_moving_floor(void **state)
{
    (void)state;
    static const double spin[PLANKS] = {0.5, 3, -4, 6};
    for (double speed = -1.5; speed < 2; speed += 1.5) {
        mo_world_def def = tight_def(2e-3, G);
        def.scheme = MO_SCHEME_BERNICOT_LEFEBVRE;
        def.solver.tol = 1e-10;
        mo_world *w = make_world_def(&def);
        mo_shape_def half = {.kind = MO_SHAPE_HALFPLANE, .normal = {0, 1}};
        mo_body plank[PLANKS], disc;
        add_moved(w, &half, sinking, &speed);
        for (int i = 0; i < PLANKS; i++) {
            plank[i] = add_box(w, 0.2 * i, 0.1, 0.2, 0.04, 0, 300);
            set_velocity(w, plank[i], 0, speed - 2, spin[i]);
            if (i == 0)
                continue;
            mo_joint_def d = joint_def(MO_JOINT_HINGE, plank[i - 1], plank[i], 0.2 * i - 0.1, 0.1, 0);
            d.limited = true;
            d.limits[0] = -0.3;
            d.limits[1] = 0.2;
            add_joint_def(w, &d);
        }
        disc = add_disc(w, 0.3, 0.3, 0.05, 2000);
        set_velocity(w, disc, 0, speed - 2, 0);
        run_steps(w, 60, true);
        assert_true(mo_world_info_get(w).max_penetration < 1e-9);
        mo_world_destroy(w);
    }
}

/* a dumbbell falls on the ground: what it bears of contacts is what the ground bears, and with the joint's
   force and the weight it is what the velocity changed by; what joints put right at the end of a step was
   counted among the contacts too */
static void joints_are_no_part_of_the_force_of_contacts(void **state)
{
    (void)state;
    const double h = 2e-3, m = 2;
    mo_world *w = make_world(h, G);
    mo_body ground = add_halfplane(w, 0, 1, 0), a = add_disc(w, 0, 0.15, 0.1, m / (0.01 * PI)),
            b = add_disc(w, 0.5, 0.25, 0.1, m / (0.01 * PI));
    mo_joint_def def = joint_def(MO_JOINT_DISTANCE, a, b, 0, 0.15, 0);
    def.at2[0] = 0.5, def.at2[1] = 0.25;
    mo_joint j = add_joint_def(w, &def);
    double pushed = 0;
    for (int n = 0; n < 200; n++) {
        const double before[2] = {state_of(w, a).velocity[1], state_of(w, b).velocity[1]};
        run_steps(w, 1, true);
        const mo_body_state s[2] = {state_of(w, a), state_of(w, b)};
        const double borne = joint_state(w, j).force[1], reaction = state_of(w, ground).force[1],
                     bound = 1e-10 * m / h;
        pushed = fmax(pushed, -reaction);
        assert_close(s[0].force[1] + s[1].force[1], -reaction, bound);
        assert_close(m * (s[0].velocity[1] - before[0]) / h, s[0].force[1] + borne - m * G, bound);
        assert_close(m * (s[1].velocity[1] - before[1]) / h, s[1].force[1] - borne - m * G, bound);
    }
    assert_true(pushed > 10 * m * G);
    mo_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impact_on_joined_planks_makes_no_energy),
        cmocka_unit_test(other_mechanisms_are_left_alone),
        cmocka_unit_test(cam_keeps_its_energy),
        cmocka_unit_test(net_holds_a_ball),
        cmocka_unit_test(limits_reached_together),
        cmocka_unit_test(speed_along_the_floor_does_not_matter),
        cmocka_unit_test(nothing_is_drawn_into_a_moving_floor),
        cmocka_unit_test(joints_are_no_part_of_the_force_of_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
