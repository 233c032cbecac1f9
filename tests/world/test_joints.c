/*
 * Joints against closed forms: periods, reactions, linkages; joints that come and go or are refused.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "support/close.h"
#include "support/joined.h"

/* complete elliptic integral of the first kind by the arithmetic-geometric mean */
static double elliptic(double k)
{
    double a = 1, b = sqrt(1 - k * k);
    for (int i = 0; i < 40; i++) {
        double m = 0.5 * (a + b);
        b = sqrt(a * b);
        a = m;
    }
    return PI / (2 * a);
}

/* a disc of radius r hung at distance L from its centre: I/(m L) is the length of the simple pendulum */
static void pendulum_period(void **state)
{
    (void)state;
    const double angles[] = {0.05, 2.0}, L = 1, r = 0.1, h = 1e-3;
    for (int i = 0; i < 2; i++) {
        double a = angles[i], T0 = 2 * PI * sqrt((0.5 * r * r + L * L) / (G * L));
        mo_world *w = make_world(h, G);
        mo_body b = add_disc(w, L * sin(a), -L * cos(a), r, 1000);
        mo_joint j = add_joint(w, MO_JOINT_HINGE, b, NOBODY, 0, 0);
        /* angles count from where the joint is made: the lowest point is at -a */
        double first = -1, last = 0, before = 0;
        int seen = -1;
        for (int n = 1; seen < 3; n++) {
            run_steps(w, 1, true);
            double now = joint_state(w, j).value + a;
            if (before < 0 && now >= 0) {
                last = h * (n - 1 + before / (before - now));
                first = seen < 0 ? last : first;
                seen++;
            }
            before = now;
        }
        double T = T0 * 2 / PI * elliptic(sin(a / 2));
        /* the rule is of second order: (omega h)² / 24 and the like, well below 1e-5 */
        assert_close((last - first) / 3, T, 1e-5 * T);
        mo_world_destroy(w);
    }
}

/* a rod hung at its end swings as a pendulum of 2/3 of its length; drift and energy over a minute */
static void compound_pendulum_for_a_minute(void **state)
{
    (void)state;
    const double l = 0.8, h = 2e-3;
    mo_world *w = make_world(h, G);
    mo_body b = add_box(w, l / 2, 0, l, 0.02, 0, 1000);
    double I = state_of(w, b).inertia + state_of(w, b).mass * l * l / 4;
    mo_joint j = add_joint(w, MO_JOINT_HINGE, b, NOBODY, 0, 0);
    double worst = 0, m = state_of(w, b).mass, lowest = 0;
    for (int i = 0; i < 30000; i++) {
        run_steps(w, 1, true);
        mo_joint_state s = joint_state(w, j);
        worst = fmax(worst, hypot(s.point[0], s.point[1]));
        lowest = fmin(lowest, s.value);
    }
    mo_energy e = mo_world_info_get(w).energy;
    assert_true(worst < 1e-9 * l);
    /* released level: it swings through half a turn; energy by its own account and without it */
    assert_close(lowest, -PI, 1e-3);
    assert_close(e.balance_error, 0, 1e-9 * m * G * l);
    assert_close(e.kinetic + e.potential, 0, 1e-4 * m * G * l);
    assert_close(0.5 * I * joint_state(w, j).rate * joint_state(w, j).rate, e.kinetic, 1e-9 * m * G * l);
    mo_world_destroy(w);
}

/* at the lowest point the hinge bears weight and centripetal force */
static void reaction_of_a_hinge(void **state)
{
    (void)state;
    const double h = 1e-4, L = 0.5;
    mo_world *w = make_world(h, G);
    mo_body b = add_disc(w, L, 0, 0.05, 2000);
    mo_joint j = add_joint(w, MO_JOINT_HINGE, b, NOBODY, 0, 0);
    double m = state_of(w, b).mass, I = state_of(w, b).inertia + m * L * L;
    while (joint_state(w, j).value > -PI / 2)
        run_steps(w, 1, true);
    double omega2 = 2 * m * G * L / I;
    mo_joint_state s = joint_state(w, j);
    assert_close(s.force[1], m * (G + omega2 * L), 1e-3 * m * G);
    assert_close(s.force[0], 0, 1e-2 * m * G);
    assert_close(s.torque[0], 0, 1e-9 * m * G);
    assert_close(s.rate * s.rate, omega2, 1e-5 * omega2);
    mo_world_destroy(w);
}

static void double_pendulum_energy(void **state)
{
    (void)state;
    double error[2];
    for (int i = 0; i < 2; i++) {
        double h = i == 0 ? 1e-3 : 5e-4;
        mo_world *w = make_world(h, G);
        mo_body a = add_box(w, 0.5, 0, 1, 0.05, 0, 1000), b = add_box(w, 1.5, 0, 1, 0.05, 0, 1000);
        add_joint(w, MO_JOINT_HINGE, a, NOBODY, 0, 0);
        mo_joint j = add_joint(w, MO_JOINT_HINGE, a, b, 1, 0);
        double scale = state_of(w, a).mass * G;
        error[i] = 0;
        for (int n = 0; n * h < 3; n++) {
            run_steps(w, 1, true);
            mo_energy e = mo_world_info_get(w).energy;
            error[i] = fmax(error[i], fabs(e.kinetic + e.potential) / scale);
            assert_close(e.balance_error, 0, 1e-9 * scale);
        }
        assert_true(fabs(joint_state(w, j).value) > 0);
        mo_world_destroy(w);
    }
    /* second order in h */
    assert_true(error[0] < 1e-3);
    assert_true(error[1] < 0.4 * error[0]);
}

/* slider and crank: x = r cos a + sqrt(l² - r² sin² a), driven at constant speed by a moved body */
static void slider_crank(void **state)
{
    (void)state;
    const double r = 0.3, l = 1, h = 1e-3, omega = 4;
    mo_world *w = make_world(h, G);
    double speed = omega;
    mo_shape_def disc = disc_shape(0.05);
    mo_body crank = add_moved(w, &disc, turning, &speed);
    mo_body rod = add_box(w, r + l / 2, 0, l, 0.02, 0, 1000),
            piston = add_box(w, r + l, 0, 0.1, 0.1, 0, 1000);
    add_joint(w, MO_JOINT_HINGE, rod, crank, r, 0);
    add_joint(w, MO_JOINT_HINGE, rod, piston, r + l, 0);
    mo_joint_def d = joint_def(MO_JOINT_SLIDER, piston, NOBODY, r + l, 0, 0);
    d.axis[0] = 2;
    mo_joint guide = add_joint_def(w, &d);
    for (int i = 1; i <= 2000; i++) {
        run_steps(w, 1, true);
        double a = omega * h * i, s = r * sin(a), root = sqrt(l * l - s * s);
        mo_joint_state g = joint_state(w, guide);
        assert_close(g.value, r * cos(a) + root - r - l, 1e-12);
        assert_close(g.rate, -omega * s - r * cos(a) * omega * s / root, 1e-10);
        assert_close(state_of(w, piston).angle, 0, 1e-12);
        /* the crank does the work */
        assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-9);
    }
    mo_world_destroy(w);
}

/* a bar between two points that touches nothing */
static mo_body add_bar(mo_world *w, const double p[2], const double q[2])
{
    static const char *const none[] = {"nothing"};
    mo_body_def def = mo_default_body_def();
    def.shape = box_shape(hypot(q[0] - p[0], q[1] - p[1]), 0.02);
    def.density = 1000;
    def.angle = atan2(q[1] - p[1], q[0] - p[0]);
    def.collides_with = none;
    def.collides_with_count = 1;
    for (int k = 0; k < 2; k++)
        def.position[k] = 0.5 * (p[k] + q[k]);
    return add_def(w, &def);
}

/* four bars A B C D, crank AB turning at omega: C is where two circles meet, and the rates of coupler and
   rocker follow from the velocities along BC and CD */
static void four_bars(void **state)
{
    (void)state;
    const double a = 0.3, b = 0.9, c = 0.7, d = 1, h = 1e-3;
    double omega = 5;
    mo_world *w = make_world(h, G);
    mo_shape_def disc = disc_shape(0.01);
    mo_body crank = add_moved(w, &disc, turning, &omega), coupler = {0}, rocker = {0};
    for (int i = 0; i <= 1500; i++) {
        double t = omega * h * i, B[2] = {a * cos(t), a * sin(t)}, D[2] = {d, 0}, C[2];
        double x = D[0] - B[0], y = D[1] - B[1], l = hypot(x, y), along = (b * b - c * c + l * l) / (2 * l);
        double up = sqrt(b * b - along * along);
        C[0] = B[0] + (along * x - up * y) / l;
        C[1] = B[1] + (along * y + up * x) / l;
        if (i == 0) {
            coupler = add_bar(w, B, C);
            rocker = add_bar(w, D, C);
            add_joint(w, MO_JOINT_HINGE, coupler, crank, B[0], B[1]);
            add_joint(w, MO_JOINT_HINGE, rocker, coupler, C[0], C[1]);
            add_joint(w, MO_JOINT_HINGE, rocker, NOBODY, D[0], D[1]);
            continue;
        }
        run_steps(w, 1, true);
        double third = atan2(C[1] - B[1], C[0] - B[0]), fourth = atan2(C[1] - D[1], C[0] - D[0]);
        assert_close(state_of(w, coupler).angle, third, 1e-11);
        assert_close(state_of(w, rocker).angle, fourth, 1e-11);
        assert_close(state_of(w, rocker).spin, omega * a * sin(t - third) / (c * sin(fourth - third)), 1e-9);
        assert_close(state_of(w, coupler).spin, omega * a * sin(fourth - t) / (b * sin(third - fourth)),
                     1e-9);
    }
    mo_world_destroy(w);
}

/* a parallelogram of four bars with a fifth, redundant one: it moves as a pendulum all the same */
static void redundant_linkage(void **state)
{
    (void)state;
    const double h = 1e-3, L = 1;
    mo_world *w = make_world(h, G);
    mo_body beam = add_box(w, 0, -L, 2, 0.1, 0, 1000);
    for (int i = -1; i <= 1; i++) {
        mo_joint_def d = joint_def(MO_JOINT_DISTANCE, beam, NOBODY, i, -L, 0);
        d.at2[0] = i;
        mo_joint j = add_joint_def(w, &d);
        assert_close(joint_state(w, j).value, L, 1e-15);
    }
    set_velocity(w, beam, 1, 0, 0);
    double m = state_of(w, beam).mass, top = -10;
    for (int i = 0; i < 3000; i++) {
        run_steps(w, 1, true);
        mo_body_state s = state_of(w, beam);
        assert_close(s.angle, 0, 1e-9);
        assert_close(hypot(s.position[0], s.position[1]), L, 1e-9);
        top = fmax(top, s.position[1]);
    }
    assert_close(top, -L + 0.5 / G, 1e-5);
    assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-9 * m * G);
    mo_world_destroy(w);
}

/* twenty links hang at rest: each joint bears what is below it */
static void hanging_chain(void **state)
{
    (void)state;
    enum { LINKS = 20 };
    mo_world_def def = mo_default_world_def();
    def.gravity[1] = -G;
    mo_world *w = make_world_def(&def);
    mo_joint j[LINKS];
    mo_body last = NOBODY;
    double m = 0;
    for (int i = 0; i < LINKS; i++) {
        mo_body b = add_box(w, 0, -0.1 * i - 0.05, 0.02, 0.12, 0, 1000);
        m = state_of(w, b).mass;
        j[i] = add_joint(w, MO_JOINT_HINGE, b, last, 0, -0.1 * i);
        last = b;
    }
    run_steps(w, 1000, true);
    mo_world_info info = mo_world_info_get(w);
    assert_true(info.worst_residual <= 1e-8);
    assert_int_equal(info.contacts, 0);
    for (int i = 0; i < LINKS; i++)
        assert_close(joint_state(w, j[i]).force[1], (LINKS - i) * m * G, 1e-9 * LINKS * m * G);
    /* and swings without coming apart */
    set_velocity(w, last, 3, 0, 0);
    run_steps(w, 2000, true);
    double ends = 0;
    for (int i = 1; i < LINKS; i++) {
        mo_joint_state s = joint_state(w, j[i]);
        mo_body_state above = state_of(w, s.body2);
        double x = above.position[0] + 0.05 * sin(above.angle),
               y = above.position[1] - 0.05 * cos(above.angle);
        ends = fmax(ends, hypot(s.point[0] - x, s.point[1] - y));
    }
    assert_true(ends < 1e-10);
    assert_true(mo_world_info_get(w).worst_residual <= 1e-8);
    assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-9 * LINKS * m * G);
    mo_world_destroy(w);
}

/* velocities that a joint does not allow end as in a perfectly inelastic impact */
static void wrong_velocities_end(void **state)
{
    (void)state;
    mo_world *w = make_world(1e-3, 0);
    mo_body a = add_disc(w, 0, 0, 0.1, 1000), b = add_disc(w, 1, 0, 0.1, 1000);
    add_joint(w, MO_JOINT_FIXED, a, b, 0.5, 0);
    set_velocity(w, a, 2, 0, 0);
    run_steps(w, 1, true);
    double m = state_of(w, a).mass;
    assert_close(state_of(w, a).velocity[0], 1, 1e-12);
    assert_close(state_of(w, b).velocity[0], 1, 1e-12);
    assert_close(mo_world_info_get(w).energy.dissipated_impact, m, 1e-9);
    run_steps(w, 10, true);
    assert_close(state_of(w, b).velocity[0], 1, 1e-12);
    assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-9);
    mo_world_destroy(w);
}

/* a link that stands on the floor and is pushed by what hangs on it: contacts feel joints within a sweep */
static void contact_at_a_linkage(void **state)
{
    (void)state;
    mo_world *w = make_world(1e-3, G);
    set_law(w, 1, 0, 0);
    add_floor(w, 0);
    /* an arch of two bars, hinged at the top: each foot bears weight and thrust (w/2) cot a */
    const double a = PI / 4, L = 1;
    double c = cos(a), s = sin(a);
    mo_body left = add_box(w, -0.5 * L * c, 0.5 * L * s, L, 1e-3, a, 1000);
    mo_body right = add_box(w, 0.5 * L * c, 0.5 * L * s, L, 1e-3, -a, 1000);
    mo_joint j = add_joint(w, MO_JOINT_HINGE, left, right, 0, L * s);
    run_steps(w, 500, true);
    double m = state_of(w, left).mass;
    assert_close(fabs(joint_state(w, j).force[0]), 0.5 * m * G / tan(a), 1e-2 * m * G);
    assert_close(joint_state(w, j).force[1], 0, 1e-6 * m * G);
    mo_contacts k = mo_world_contacts(w);
    double normal = 0;
    for (size_t i = 0; i < k.count; i++)
        normal += k.impulse[2 * i] / 1e-3;
    assert_close(normal, 2 * m * G, 1e-6 * m * G);
    assert_true(mo_world_info_get(w).iterations_total < 500 * 60);
    mo_world_destroy(w);
}

static void bad_joints_are_refused(void **state)
{
    (void)state;
    mo_world *w = make_world(1e-3, G);
    mo_body a = add_disc(w, 0, 0, 1, 1), f = add_floor(w, -5);
    mo_joint j;
    mo_error err;
    mo_joint_def d = joint_def(MO_JOINT_HINGE, f, NOBODY, 0, 0, 0);
    assert_int_equal(mo_joint_create(w, &d, &j, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "bodies");
    d = joint_def(MO_JOINT_HINGE, a, a, 0, 0, 0);
    assert_int_equal(mo_joint_create(w, &d, &j, &err), MO_BAD_INPUT);
    d = joint_def(MO_JOINT_SLIDER, a, f, 0, 0, 0);
    assert_int_equal(mo_joint_create(w, &d, &j, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "axis");
    d = joint_def(MO_JOINT_SPRING, a, f, 0, 0, 0);
    assert_int_equal(mo_joint_create(w, &d, &j, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "stiffness");
    d = joint_def(MO_JOINT_HINGE, a, f, (double)NAN, 0, 0);
    assert_int_equal(mo_joint_create(w, &d, &j, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "at");
    d = joint_def(MO_JOINT_HINGE, a, f, 0, 0, 0);
    d.limited = true;
    d.limits[0] = 1, d.limits[1] = 0;
    assert_int_equal(mo_joint_create(w, &d, &j, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "limits");
    d = joint_def(MO_JOINT_FIXED, a, f, 0, 0, 0);
    d.driven = true;
    assert_int_equal(mo_joint_create(w, &d, &j, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "motor");
    assert_int_equal(mo_world_joint_count(w), 0);
    mo_world_destroy(w);
}

/* joints go with their bodies; bodies that come and go change slots under the others */
static void bodies_come_and_go(void **state)
{
    (void)state;
    mo_world *w = make_world(1e-3, G);
    mo_error err;
    mo_body a = add_disc(w, -5, 0, 0.1, 1000), b = add_disc(w, 1, 0, 0.1, 1000);
    mo_joint ja = add_joint(w, MO_JOINT_HINGE, a, NOBODY, -5, 1),
             jb = add_joint(w, MO_JOINT_HINGE, b, NOBODY, 0, 0);
    run_steps(w, 100, true);
    assert_int_equal(mo_body_remove(w, a, &err), MO_OK);
    assert_false(mo_joint_exists(w, ja));
    assert_int_equal(mo_joint_remove(w, ja, &err), MO_USAGE);
    run_steps(w, 100, true);
    add_disc(w, 7, 0, 0.1, 1000);
    run_steps(w, 100, true);
    assert_close(hypot(state_of(w, b).position[0], state_of(w, b).position[1]), 1, 1e-10);
    assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-8);
    assert_int_equal(mo_joint_remove(w, jb, &err), MO_OK);
    double v = state_of(w, b).velocity[1];
    run_steps(w, 100, true);
    assert_close(state_of(w, b).velocity[1], v - 0.1 * G, 1e-12);
    mo_world_destroy(w);
}

/* Discs in a row, of which neighbours overlap but do not collide while a joint holds them: whatever goes, in
   any order, the contacts are those of neighbours without one. */
static void what_stays_keeps_its_joints(void **state)
{
    (void)state;
    enum { N = 16 };
    const int gone[] = {9, 3, 15, 0, 8};
    mo_world *w = make_world(1e-3, 0);
    mo_error err;
    mo_body body[N];
    mo_joint link[N]; /* k: of discs k - 1 and k */
    for (int k = 0; k < N; k++)
        body[k] = add_disc(w, k, 0, 0.6, 1000);
    for (int k = 1; k < N; k++)
        link[k] = add_joint(w, MO_JOINT_HINGE, body[k - 1], body[k], k - 0.5, 0);
    // a pair with two joints stays apart by the other
    assert_int_equal(mo_joint_remove(w, add_joint(w, MO_JOINT_HINGE, body[5], body[6], 5.5, 0), &err), MO_OK);
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++)
        assert_int_equal(mo_body_remove(w, body[gone[i]], &err), MO_OK);
    assert_int_equal(mo_joint_remove(w, link[12], &err), MO_OK);
    assert_int_equal(mo_joint_remove(w, link[2], &err), MO_OK);
    // of 15 joints two went with each of 3 and of the pair 8, 9 together three, one with each end, and two
    // more
    assert_int_equal(mo_world_joint_count(w), 15 - 2 - 3 - 2 - 2);
    for (int k = 5; k < 8; k++) {
        const mo_joint_state s = joint_state(w, link[k]);
        assert_true(s.body1.id == body[k - 1].id && s.body2.id == body[k].id);
        assert_close(s.point[0], k - 0.5, 1e-15);
    }
    run_steps(w, 1, false);
    const mo_contacts c = mo_world_contacts(w);
    assert_int_equal(c.count, 2);
    assert_true(c.id1[0] == body[1].id && c.id2[0] == body[2].id);
    assert_true(c.id1[1] == body[11].id && c.id2[1] == body[12].id);
    mo_world_destroy(w);
}

/* least CPU time of three to take a chain of hinges apart from its end, relative to that of making it */
static double taking_apart(int n)
{
    double best = HUGE_VAL;
    mo_error err;
    mo_body *body = malloc((size_t)n * sizeof *body);
    for (int again = 0; again < 3; again++) {
        mo_world *w = make_world(1e-3, G);
        const clock_t start = clock();
        for (int k = 0; k < n; k++) {
            body[k] = add_disc(w, k, 0, 0.4, 1000);
            if (k > 0)
                add_joint(w, MO_JOINT_HINGE, body[k - 1], body[k], k - 0.5, 0);
        }
        const clock_t made = clock();
        for (int k = n; k-- > 0;)
            assert_int_equal(mo_body_remove(w, body[k], &err), MO_OK);
        assert_int_equal(mo_world_joint_count(w), 0);
        best = fmin(best, (double)(clock() - made) / (double)(made - start + 1));
        mo_world_destroy(w);
    }
    free(body);
    return best;
}

/* a body that goes looks at the joints once: it does not look every joint's bodies up again, nor sort them,
   which takes more than forty times as long as making them */
static void long_chains_go_fast(void **state)
{
    (void)state;
    assert_true(taking_apart(4000) < 10);
}

/* velocities of 20 m/s agree to rounding only, which is much beside a joint that bears almost nothing */
static void joint_that_bears_almost_nothing(void **state)
{
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        mo_world *w = make_world(1e-3, G);
        mo_body a = add_disc(w, 0, 0, 0.1, 1), b = add_disc(w, 1, 0.1, 0.1, 1);
        add_joint(w, fixed ? MO_JOINT_FIXED : MO_JOINT_HINGE, a, b, 0.5, 0);
        set_velocity(w, a, 0, 0, 1e-3);
        run_steps(w, 2000, true);
        mo_world_destroy(w);
    }
}

/*
 * A rod of 2 kg that is free along y alone is drawn up by a motor on a slider along y: the rows across meet
 * no freedom but by rounding.  The motor bears the weight, and the first step goes half as far as the others.
 */
static void slider_along_the_only_freedom(void **state)
{
    (void)state;
    const double h = 1e-3, speed = 0.1, m = 2;
    mo_world *w = make_world(h, G);
    mo_body_def def = mo_default_body_def();
    def.shape = (mo_shape_def){.kind = MO_SHAPE_RECTANGLE, .size = {0.4, 0.04}};
    def.mass = m, def.free = MO_FREE_Y;
    def.position[0] = 0.3, def.position[1] = 0.25;
    mo_body b = add_def(w, &def);
    mo_joint_def d = joint_def(MO_JOINT_SLIDER, b, NOBODY, 0.3, 0.25, 0);
    d.axis[0] = 0, d.axis[1] = 1;
    d.driven = true, d.speed = speed, d.max_load = HUGE_VAL;
    mo_joint j = add_joint_def(w, &d);
    run_steps(w, 500, true);
    mo_joint_state s = joint_state(w, j);
    assert_close(state_of(w, b).position[1], 0.25 + speed * 499.5 * h, 1e-12);
    assert_close(s.motor, m * G, 1e-9 * m * G);
    assert_close(s.force[0], 0, 1e-9 * m * G);
    assert_close(s.force[1], m * G, 1e-9 * m * G);
    mo_world_destroy(w);
}

/* a wheel that can only turn, hinged where its centre is but for rounding, turns as its torque says */
static void hinge_on_the_only_freedom(void **state)
{
    (void)state;
    const double h = 1e-3, torque = 0.3, I = 0.05;
    mo_world *w = make_world(h, G);
    mo_body_def def = mo_default_body_def();
    def.shape = (mo_shape_def){.kind = MO_SHAPE_DISC, .radius = 0.1};
    def.mass = 1, def.inertia = I, def.free = MO_FREE_ANGLE;
    def.position[0] = 0.3, def.applied_torque = torque;
    mo_body b = add_def(w, &def);
    assert_true(0.1 + 0.2 != 0.3);
    mo_joint j = add_joint(w, MO_JOINT_HINGE, b, NOBODY, 0.1 + 0.2, 0);
    run_steps(w, 500, true);
    assert_close(joint_state(w, j).rate, torque / I * 500 * h, 1e-12);
    mo_world_destroy(w);
}

static mo_status drawn(void *data, double t, mo_motion *out, mo_error *err)
{
    (void)data, (void)err;
    *out = (mo_motion){.q = {0.2 * t}, .u = {0.2}};
    return MO_OK;
}

/* a rod whose middle goes along y alone, drawn along x by its end: at the dead centre nothing follows.  That
   step is missed by all of it and says so with a number; the next ones, where the rod can turn, are made */
static void dead_centre(void **state)
{
    (void)state;
    mo_world *w = make_world(1e-3, G);
    mo_shape_def disc = disc_shape(0.01);
    mo_body crank = add_moved(w, &disc, drawn, NULL);
    mo_body_def def = mo_default_body_def();
    def.shape = (mo_shape_def){.kind = MO_SHAPE_RECTANGLE, .size = {0.6, 0.05}};
    def.mass = 3, def.free = MO_FREE_Y | MO_FREE_ANGLE;
    def.position[0] = 0.3;
    mo_body rod = add_def(w, &def);
    mo_joint j = add_joint(w, MO_JOINT_HINGE, rod, crank, 0, 0);
    run_steps(w, 1, false);
    mo_solver_info first = mo_world_info_get(w).solver;
    assert_false(first.converged);
    assert_true(first.finite);
    assert_close(first.certificate.residual, 1, 1e-12);
    run_steps(w, 1, false);
    run_steps(w, 498, true);
    /* the end is where the crank is: 0.3 cos(angle) = 0.3 - 0.2 t */
    assert_close(cos(state_of(w, rod).angle), (0.3 - 0.2 * 0.5) / 0.3, 1e-9);
    assert_close(joint_state(w, j).point[1], 0, 1e-9);
    mo_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum_period),
        cmocka_unit_test(compound_pendulum_for_a_minute),
        cmocka_unit_test(reaction_of_a_hinge),
        cmocka_unit_test(double_pendulum_energy),
        cmocka_unit_test(slider_crank),
        cmocka_unit_test(four_bars),
        cmocka_unit_test(redundant_linkage),
        cmocka_unit_test(hanging_chain),
        cmocka_unit_test(wrong_velocities_end),
        cmocka_unit_test(contact_at_a_linkage),
        cmocka_unit_test(bad_joints_are_refused),
        cmocka_unit_test(bodies_come_and_go),
        cmocka_unit_test(what_stays_keeps_its_joints),
        cmocka_unit_test(long_chains_go_fast),
        cmocka_unit_test(joint_that_bears_almost_nothing),
        cmocka_unit_test(slider_along_the_only_freedom),
        cmocka_unit_test(hinge_on_the_only_freedom),
        cmocka_unit_test(dead_centre),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
