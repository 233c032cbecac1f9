/*
 * Laws beyond Coulomb's in worlds, by closed forms: thresholds, friction that depends on the direction, laws
 * of one's own.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "physics/sliders.h"
#include "support/close.h"

static const double G = 9.81;

/* ---- threshold ----------------------------------------------------------------------------------- */

// deceleration T/m whatever the weight; nothing in the air; rest under less than T
static void threshold_does_not_know_weight(void **state)
{
    (void)state;
    const double h = 1e-3, T = 2;
    for (int dim = 2; dim <= 3; dim++)
        for (double g = 1; g < 200; g *= 10) {
            const mo_law law = {.threshold = T, .friction = 7};
            double gravity[3];
            up(-g, gravity, dim);
            mo_world *w = law_world(dim, h, gravity, &law);
            mo_body b = add_slider(w, dim);
            add_ground(w, dim);
            throw_at(w, b, 1, 0, 0);
            run_steps(w, 300, true);
            assert_close(state_of(w, b).velocity[0], 1 - 300 * h * T, 1e-12);
            assert_int_equal(only_status(w), MO_CONTACT_SLIDE);
            assert_close(mo_world_info_get(w).energy.dissipated_friction, 0.5 * (1 - 0.4 * 0.4), 1e-12);
            run_steps(w, 300, true);
            assert_close(state_of(w, b).velocity[0], 0, 1e-13);
            apply(w, b, 0.999 * T, 0, 0);
            run_steps(w, 50, true);
            assert_close(state_of(w, b).velocity[0], 0, 1e-13);
            assert_int_equal(only_status(w), MO_CONTACT_STICK);
            // lifted off there is no friction
            double lift[3];
            up(g + 1, lift, dim);
            lift[0] = 1;
            apply(w, b, lift[0], lift[1], lift[2]);
            run_steps(w, 100, true);
            assert_close(state_of(w, b).velocity[0], 0.1, 1e-12);
            assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-9);
            mo_world_destroy(w);
        }
}

// friction2 and its axis, perhaps of a default that the law was made from, have no part in a threshold: the
// deceleration is T/m against the velocity, whatever its direction
static void threshold_is_the_same_all_round(void **state)
{
    (void)state;
    const double h = 1e-3, T = 2, down[3] = {0, 0, -10};
    const mo_law law = {.threshold = T, .friction = 0.5, .friction2 = 0.2, .axis = {1, 0, 0}};
    mo_world *w = law_world(3, h, down, &law);
    mo_body b = add_slider(w, 3);
    add_ground(w, 3);
    throw_at(w, b, 0.6, 0.8, 0);
    run_steps(w, 300, true);
    const double left = 1 - 300 * h * T;
    assert_close(state_of(w, b).velocity[0], 0.6 * left, 1e-12);
    assert_close(state_of(w, b).velocity[1], 0.8 * left, 1e-12);
    mo_world_destroy(w);
}

// a spinning ball: friction T at the lever arm r; a box on its corners: T at each of them
static void threshold_on_bodies_that_turn(void **state)
{
    (void)state;
    const double h = 1e-3, T = 0.5, gravity[3] = {0, 0, -G};
    const mo_law law = {.threshold = T};
    mo_world *w = law_world(3, h, gravity, &law);
    add_ground(w, 3);
    mo_body_def def = mo_default_body_def();
    def.shape = (mo_shape_def){.kind = MO_SHAPE_SPHERE, .radius = 0.1};
    def.mass = 1;
    def.position[2] = 0.1;
    def.velocity[0] = 1;
    mo_body ball = add_def(w, &def);
    def.shape = (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {0.4, 0.4, 0.01}};
    def.mass = 4;
    def.position[0] = 5;
    def.position[2] = 0.005;
    mo_body box = add_def(w, &def);
    run_steps(w, 100, true);
    assert_close(state_of(w, ball).velocity[0], 1 - 0.1 * T, 1e-10);
    assert_close(state_of(w, ball).spin3[1], 0.1 * T * 0.1 / (0.4 * 0.01), 1e-9);
    // four corners, flat enough not to tip
    assert_close(state_of(w, box).velocity[0], 1 - 0.1 * 4 * T / 4, 1e-9);
    mo_world_destroy(w);
}

/* ---- friction that depends on the direction ------------------------------------------------------- */

// total impulse of the only contact on the ball, tangential, in world axes x, y
static void tangential_impulse(const mo_world *w, mo_body b, double out[2], double *normal)
{
    mo_contacts c = mo_world_contacts(w);
    assert_int_equal(c.count, 1);
    double t[3], s[3], sign = c.id1[0] == b.id ? 1 : -1;
    mo_tangent(c.normal, t);
    vec3_cross(c.normal, t, s);
    for (int k = 0; k < 2; k++)
        out[k] = sign * (t[k] * c.impulse[1] + s[k] * c.impulse[2]);
    *normal = c.impulse[0];
}

// on a slope at any angle to the axes: whether it slips, and where to, normal to the ellipse
static void slip_is_normal_to_the_ellipse(void **state)
{
    (void)state;
    const double mu1 = 0.6, mu2 = 0.2, h = 1e-3;
    for (int i = 0; i < 24; i++) {
        const double turn = 0.1 + i * 0.31, along[2] = {cos(turn), sin(turn)};
        // the load that just holds, along x and y of the axes (turned by 0.4 from the world's)
        const double x = cos(0.4) * along[0] + sin(0.4) * along[1],
                     y = cos(0.4) * along[1] - sin(0.4) * along[0];
        const double limit = 10 / hypot(x / mu1, y / mu2);
        for (int over = 0; over < 2; over++) {
            const double g = limit * (over ? 1.01 : 0.99), gravity[3] = {g * along[0], g * along[1], -10};
            const bool swapped = i % 2 == 1;
            const mo_law law = {
                .friction = swapped ? mu2 : mu1,
                .friction2 = swapped ? mu1 : mu2,
                .axis = {swapped ? -3 * sin(0.4) : 3 * cos(0.4), swapped ? 3 * cos(0.4) : 3 * sin(0.4), 0.5}};
            mo_world *w = law_world(3, h, gravity, &law);
            mo_body b = {0};
            if (i % 3 == 0)
                b = add_slider(w, 3);
            add_ground(w, 3);
            if (i % 3 != 0)
                b = add_slider(w, 3);
            run_steps(w, 1, true);
            double S[2], N;
            tangential_impulse(w, b, S, &N);
            mo_body_state s = state_of(w, b);
            const double Sx = cos(0.4) * S[0] + sin(0.4) * S[1], Sy = cos(0.4) * S[1] - sin(0.4) * S[0];
            const double ux = cos(0.4) * s.velocity[0] + sin(0.4) * s.velocity[1],
                         uy = cos(0.4) * s.velocity[1] - sin(0.4) * s.velocity[0];
            assert_close(N, h * 10, 1e-14);
            if (!over) {
                assert_close(hypot(ux, uy), 0, 1e-14);
                assert_int_equal(only_status(w), MO_CONTACT_STICK);
            } else {
                assert_close(hypot(Sx / mu1, Sy / mu2), N, 1e-13);
                // -u along the gradient (Sx/mu1², Sy/mu2²)
                const double nx = Sx / (mu1 * mu1), ny = Sy / (mu2 * mu2);
                assert_close((nx * uy - ny * ux) / (hypot(nx, ny) * hypot(ux, uy)), 0, 1e-9);
                assert_true(nx * ux + ny * uy < 0);
                assert_int_equal(only_status(w), MO_CONTACT_SLIDE);
            }
            // force on the body as reported
            assert_close(s.force[0] * h, S[0], 1e-14);
            assert_close(s.force[1] * h, S[1], 1e-14);
            mo_world_destroy(w);
        }
    }
}

// along each of the axes: acceleration g_T - mu g_N, on a body without corners and on a brick that may turn
static void friction_along_the_axes(void **state)
{
    (void)state;
    const double h = 1e-3;
    for (int across = 0; across < 2; across++)
        for (int brick = 0; brick < 2; brick++) {
            const double gravity[3] = {across ? 0 : 5, across ? 5 : 0, -10};
            const mo_law law = {.friction = 0.3, .friction2 = 0.1, .axis = {1, 0, 0}};
            mo_world *w = law_world(3, h, gravity, &law);
            add_ground(w, 3);
            mo_body_def def = mo_default_body_def();
            def.shape = (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {0.5, 0.5, 0.05}};
            def.mass = 2;
            def.position[2] = 0.025;
            mo_body b = brick ? add_def(w, &def) : add_slider(w, 3);
            run_steps(w, 200, true);
            mo_body_state s = state_of(w, b);
            assert_close(s.velocity[across], 0.2 * (5 - (across ? 0.1 : 0.3) * 10), 1e-9);
            assert_close(s.velocity[1 - across], 0, 1e-9);
            assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-9);
            mo_world_destroy(w);
        }
}

static mo_status quarter_turn(void *data, double t, mo_motion *out, mo_error *err)
{
    (void)data, (void)t, (void)err;
    *out = (mo_motion){.q = {0, 0, 0, sqrt(0.5), 0, 0, sqrt(0.5)}};
    return MO_OK;
}

// the axis belongs to the boundary: turned by a quarter, the frictions change places
static void axis_turns_with_the_boundary(void **state)
{
    (void)state;
    const double gravity[3] = {5, 0, -10};
    const mo_law law = {.friction = 0.3, .friction2 = 0.1, .axis = {1, 0, 0}};
    mo_world *w = law_world(3, 1e-3, gravity, &law);
    mo_body_def def = mo_default_body_def();
    def.kind = MO_BODY_MOVED;
    def.shape = (mo_shape_def){.kind = MO_SHAPE_PLANE, .normal = {0, 0, 1}};
    def.motion = quarter_turn;
    add_def(w, &def);
    mo_body b = add_slider(w, 3);
    run_steps(w, 200, true);
    assert_close(state_of(w, b).velocity[0], 0.2 * (5 - 0.1 * 10), 1e-10);
    mo_world_destroy(w);
}

// two equal frictions are one friction; a slide along none of the axes of the contact
static void equal_frictions_are_one(void **state)
{
    (void)state;
    const double gravity[3] = {3, 4, -10};
    double v[2][3];
    for (int i = 0; i < 2; i++) {
        const mo_law one = {.friction = 0.25}, two = {.friction = 0.25, .friction2 = 0.25, .axis = {1, 3, 2}};
        mo_world *w = law_world(3, 1e-3, gravity, i == 0 ? &one : &two);
        mo_body b = add_slider(w, 3);
        add_ground(w, 3);
        throw_at(w, b, 1, -1, 0);
        run_steps(w, 300, true);
        memcpy(v[i], state_of(w, b).velocity, sizeof v[i]);
        mo_world_destroy(w);
    }
    assert_true(vec3_distance(v[0], v[1]) < 1e-11);
}

// static friction makes the ellipse larger; frictionless along the axis
static void two_frictions_with_others(void **state)
{
    (void)state;
    const double gravity[3] = {0, 1.5, -10};
    const mo_law law = {.friction = 0.3, .friction2 = 0.1, .axis = {1, 0, 0}, .static_friction = 0.6};
    mo_world *w = law_world(3, 1e-3, gravity, &law);
    mo_body b = add_slider(w, 3);
    add_ground(w, 3);
    run_steps(w, 100, true);
    assert_close(state_of(w, b).velocity[1], 0, 1e-13);
    throw_at(w, b, 0, 0.1, 0);
    run_steps(w, 100, true);
    assert_close(state_of(w, b).velocity[1], 0.1 + 0.1 * 0.5, 1e-11);
    mo_world_destroy(w);
    const mo_law rail = {.friction2 = 0.9, .axis = {1, 1, 0}};
    const double along[3] = {2, 0, -10};
    w = law_world(3, 1e-3, along, &rail);
    b = add_slider(w, 3);
    add_ground(w, 3);
    run_steps(w, 500, true);
    assert_close(state_of(w, b).velocity[0], 0.5, 1e-10);
    assert_close(state_of(w, b).velocity[1], 0.5, 1e-10);
    mo_world_destroy(w);
}

/* ---- laws of one's own ---------------------------------------------------------------------------- */

// viscous: S_T = -eta h U_T; the contact counts its steps
static void drag_solve(const mo_law_contact *c, const double *b, double *S, void *data)
{
    const size_t dim = (size_t)c->dim;
    const double drag = *(const double *)data * c->h;
    memset(S, 0, dim * sizeof *S);
    if (!(b[0] < 0))
        return;
    // balls that do not turn have diagonal blocks
    S[0] = -b[0] / c->H[0];
    for (size_t k = 1; k < dim; k++)
        S[k] = -drag * b[k] / (1 + drag * c->H[dim * k + k]);
}

static void drag_miss(const mo_law_contact *c, double rho, const double *U, const double *S, double *miss,
                      void *data)
{
    const double drag = *(const double *)data * c->h, z = S[0] - rho * U[0];
    miss[0] = S[0] - fmax(z, 0);
    for (int k = 1; k < c->dim; k++)
        miss[k] = (S[k] + (z > 0 ? drag : 0) * U[k]) / (1 + drag / rho);
}

static double drag_remember(const mo_law_contact *c, const double *U, const double *S, void *data)
{
    (void)U, (void)data;
    return c->memory + (S[0] > 0 ? 1 : 0);
}

static void own_law_in_a_world(void **state)
{
    (void)state;
    static double eta = 3;
    const mo_law_ops ops = {drag_solve, drag_miss, drag_remember, &eta};
    const double h = 1e-3;
    mo_error err;
    assert_int_equal(mo_law_register("drag", &ops, &err), MO_OK);
    for (int dim = 2; dim <= 3; dim++) {
        char name[] = "drag";
        double gravity[3];
        up(-10, gravity, dim);
        // in the place of all friction, also that of an axis
        mo_law law = {.name = name, .friction = 0.5};
        law.axis[0] = law.axis[1] = law.friction2 = dim == 3 ? 0.2 : 0;
        mo_world *w = law_world(dim, h, gravity, &law);
        // the name is the library's own by now
        memset(name, 'x', 4);
        assert_string_equal(mo_world_law(w, 0).name, "drag");
        add_ground(w, dim);
        mo_body b = add_slider(w, dim);
        throw_at(w, b, 1, 0, 0);
        run_steps(w, 200, true);
        assert_close(state_of(w, b).velocity[0], pow(1 + eta * h, -200), 1e-12);
        assert_close(mo_world_contacts(w).memory[0], 200, 0);
        assert_int_equal(only_status(w), MO_CONTACT_SLIDE);
        assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-9);
        mo_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threshold_does_not_know_weight),
        cmocka_unit_test(threshold_is_the_same_all_round),
        cmocka_unit_test(threshold_on_bodies_that_turn),
        cmocka_unit_test(slip_is_normal_to_the_ellipse),
        cmocka_unit_test(friction_along_the_axes),
        cmocka_unit_test(axis_turns_with_the_boundary),
        cmocka_unit_test(equal_frictions_are_one),
        cmocka_unit_test(two_frictions_with_others),
        cmocka_unit_test(own_law_in_a_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
