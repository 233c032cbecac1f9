/*
 * What must not matter: where the origin is, how the axes lie, which hand they are of, which units are used,
 * in which order bodies are made; and what the scheme must do with h and theta.
 *
 * The scene: a stack of three boxes of different sizes on a rough floor, hit by a disc and leaning against a
 * post; it moves for a while without chaos.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/build.h"
#include "support/close.h"

enum { BODIES = 5 };

// how the scene is laid out: x -> L R(angle) M x + shift, times in units of T, masses in units of M
typedef struct frame {
    double shift[2], angle;
    bool mirrored;
    double length, mass, time;
    int order[BODIES];
    mo_scheme scheme;
    double theta;
} frame;

typedef struct motion_end {
    double q[BODIES][3], u[BODIES][3]; /* in the units and axes of the plain scene */
    double energy[4];                  /* kinetic, friction, impact, balance error */
    double force;                      /* of the ground against gravity */
} motion_end;

static const frame PLAIN = {.length = 1, .mass = 1, .time = 1, .order = {0, 1, 2, 3, 4}, .theta = 0.5};

static void to_frame(const frame *f, double x, double y, double scale, double out[2])
{
    double c = cos(f->angle), s = sin(f->angle), mx = f->mirrored ? -x : x;
    out[0] = scale * (c * mx - s * y);
    out[1] = scale * (s * mx + c * y);
}

static void from_frame(const frame *f, const double v[2], double scale, double out[2])
{
    double c = cos(f->angle), s = sin(f->angle), x = (c * v[0] + s * v[1]) / scale;
    out[0] = f->mirrored ? -x : x;
    out[1] = (c * v[1] - s * v[0]) / scale;
}

// body k of the plain scene, laid out
static mo_body add_laid_out(mo_world *w, const frame *f, int k)
{
    static const double place[BODIES][3] = {
        {0, 0.15, 0}, {0.05, 0.4, 0}, {-0.02, 0.6, 0}, {-0.7, 0.45, 0}, {0.8, 0.25, 0}};
    static const double size[BODIES][2] = {{0.5, 0.3}, {0.4, 0.2}, {0.3, 0.2}, {0.1, 0}, {0.1, 0.5}};
    double sign = f->mirrored ? -1 : 1;
    mo_body_def def = mo_default_body_def();
    def.shape = k == 3 ? disc_shape(size[k][0] * f->length)
                       : box_shape(size[k][0] * f->length, size[k][1] * f->length);
    def.density = 500 * (1 + 0.2 * k) * f->mass / (f->length * f->length);
    to_frame(f, place[k][0], place[k][1], f->length, def.position);
    def.position[0] += f->shift[0];
    def.position[1] += f->shift[1];
    def.angle = f->angle + sign * place[k][2];
    if (k == 3)
        to_frame(f, 3, 0.2, f->length / f->time, def.velocity);
    def.spin = k == 3 ? sign * -4 / f->time : 0;
    return add_def(w, &def);
}

static motion_end play(const frame *f, double h, int steps)
{
    mo_world_def def = tight_def(h * f->time, 0);
    def.solver.tol = 1e-14;
    def.contact_tolerance = 1e-9 * f->length;
    def.scheme = f->scheme;
    def.theta = f->theta;
    double per_time2 = f->length / (f->time * f->time), up[2];
    to_frame(f, 0, -9.81, per_time2, def.gravity);
    to_frame(f, 0, 1, 1, up);
    mo_world *w = make_world_def(&def);
    set_law(w, 0.4, 0.1, 0);
    mo_body ground = add_halfplane(w, up[0], up[1], up[0] * f->shift[0] + up[1] * f->shift[1]), b[BODIES];
    for (int i = 0; i < BODIES; i++)
        b[f->order[i]] = add_laid_out(w, f, f->order[i]);
    run_steps(w, steps, false);
    motion_end end;
    for (int k = 0; k < BODIES; k++) {
        mo_body_state s = state_of(w, b[k]);
        double sign = f->mirrored ? -1 : 1,
               at[2] = {s.position[0] - f->shift[0], s.position[1] - f->shift[1]};
        from_frame(f, at, f->length, end.q[k]);
        from_frame(f, s.velocity, f->length / f->time, end.u[k]);
        end.q[k][2] = sign * (s.angle - f->angle);
        end.u[k][2] = sign * s.spin * f->time;
    }
    mo_energy e = mo_world_info_get(w).energy;
    const double joule = f->mass * f->length * per_time2;
    const double energies[4] = {e.kinetic, e.dissipated_friction, e.dissipated_impact, e.balance_error};
    for (int k = 0; k < 4; k++)
        end.energy[k] = energies[k] / joule;
    double force[2];
    from_frame(f, state_of(w, ground).force, f->mass * per_time2, force);
    end.force = force[1];
    assert_true(mo_world_info_get(w).worst_residual < 1e-13);
    mo_world_destroy(w);
    return end;
}

static void compare(const motion_end *a, const motion_end *b, double tol)
{
    for (int k = 0; k < BODIES; k++)
        for (int d = 0; d < 3; d++) {
            assert_close(a->q[k][d], b->q[k][d], tol);
            // velocities change by impacts within a step, rounding of gaps decides nothing else
            assert_close(a->u[k][d], b->u[k][d], 100 * tol);
        }
    // a force is a change of velocity over h = 1e-3 s, times masses of 100 kg
    assert_close(a->force, b->force, 1e7 * tol);
    // energies of 100 J
    for (int k = 0; k < 4; k++)
        assert_close(a->energy[k], b->energy[k], 1e4 * tol);
}

static const double STEP = 1e-3;
enum { STEPS = 210 };

// something happens: the disc has hit, the stack has moved, energy is lost
static void scene_is_eventful(void **state)
{
    (void)state;
    motion_end e = play(&PLAIN, STEP, STEPS);
    assert_true(e.u[3][0] < 1.5 && e.q[1][0] > 0.06 && fabs(e.q[2][2]) > 1e-3);
    assert_true(e.energy[1] > 1 && e.energy[2] > 1);
    assert_close(e.energy[3], 0, 1e-10);
}

static void translation(void **state)
{
    (void)state;
    motion_end a = play(&PLAIN, STEP, STEPS);
    frame f = PLAIN;
    f.shift[0] = 3;
    f.shift[1] = -7;
    motion_end b = play(&f, STEP, STEPS);
    compare(&a, &b, 1e-12);
}

static void rotation(void **state)
{
    (void)state;
    motion_end a = play(&PLAIN, STEP, STEPS);
    for (int k = 1; k < 4; k++) {
        frame f = PLAIN;
        f.angle = 0.9 * k;
        motion_end b = play(&f, STEP, STEPS);
        compare(&a, &b, 1e-12);
    }
}

static void mirror(void **state)
{
    (void)state;
    motion_end a = play(&PLAIN, STEP, STEPS);
    frame f = PLAIN;
    f.mirrored = true;
    motion_end b = play(&f, STEP, STEPS);
    compare(&a, &b, 1e-12);
}

static void units(void **state)
{
    (void)state;
    motion_end a = play(&PLAIN, STEP, STEPS);
    // millimetres, tonnes, milliseconds; and the other way round
    const double scale[][3] = {{1e3, 1e-3, 1e3}, {1e-3, 1e3, 1e-3}, {1e-2, 1, 1}, {1, 1e-6, 1}, {1, 1e6, 1}};
    for (size_t k = 0; k < sizeof scale / sizeof scale[0]; k++) {
        frame f = PLAIN;
        f.length = scale[k][0];
        f.mass = scale[k][1];
        f.time = scale[k][2];
        motion_end b = play(&f, STEP, STEPS);
        compare(&a, &b, 1e-12);
    }
}

// powers of two change no digit: the same motion bit by bit, down to masses of 1e-15 kg
static void units_of_two(void **state)
{
    (void)state;
    motion_end a = play(&PLAIN, STEP, STEPS);
    const double scale[][3] = {{0x1p-8, 0x1p-10, 0x1p-6}, {1, 0x1p-60, 1}, {1, 0x1p+60, 1}};
    for (size_t k = 0; k < sizeof scale / sizeof scale[0]; k++) {
        frame f = PLAIN;
        f.length = scale[k][0];
        f.mass = scale[k][1];
        f.time = scale[k][2];
        motion_end b = play(&f, STEP, STEPS);
        compare(&a, &b, 0);
    }
}

static void order_of_creation(void **state)
{
    (void)state;
    motion_end a = play(&PLAIN, STEP, STEPS);
    static const int orders[3][BODIES] = {{4, 3, 2, 1, 0}, {2, 0, 4, 1, 3}, {1, 2, 3, 4, 0}};
    for (int k = 0; k < 3; k++) {
        frame f = PLAIN;
        for (int i = 0; i < BODIES; i++)
            f.order[i] = orders[k][i];
        motion_end b = play(&f, STEP, STEPS);
        compare(&a, &b, 1e-11);
    }
}

/* ---- theta and order ----------------------------------------------------------------------------------- */

static void theta_half_is_moreau(void **state)
{
    (void)state;
    frame f = PLAIN;
    f.scheme = MO_SCHEME_MOREAU_JEAN;
    motion_end a = play(&PLAIN, STEP, STEPS), b = play(&f, STEP, STEPS);
    compare(&a, &b, 0);
    // theta plays no part in the midpoint scheme
    f.scheme = MO_SCHEME_MOREAU;
    f.theta = 1;
    b = play(&f, STEP, STEPS);
    compare(&a, &b, 0);
}

// in free flight every step of theta loses (theta - 1/2) m g² h², exactly
static void theta_dissipates(void **state)
{
    (void)state;
    const double g = 9.81, h = 1e-3;
    for (int k = 0; k < 3; k++) {
        mo_world_def def = tight_def(h, g);
        def.scheme = MO_SCHEME_MOREAU_JEAN;
        def.theta = 0.5 + 0.25 * k;
        mo_world *w = make_world_def(&def);
        mo_body b = add_disc(w, 0, 0, 0.1, 100);
        set_velocity(w, b, 1, 5, 0);
        double m = state_of(w, b).mass, start = 0.5 * m * 26;
        run_steps(w, 1000, true);
        mo_energy e = mo_world_info_get(w).energy;
        double lost = (def.theta - 0.5) * m * g * g * h * h * 1000;
        assert_close(e.kinetic + e.potential, start - lost, 1e-10);
        // what the scheme loses is not hidden in a channel
        assert_close(e.balance_error, -lost, 1e-10);
        mo_world_destroy(w);
    }
}

static mo_status smooth_load(void *data, double t, double *load, mo_error *err)
{
    (void)data, (void)err;
    load[0] = 20 + 10 * sin(7 * t);
    load[1] = 3 * cos(5 * t);
    load[2] = 0;
    return MO_OK;
}

// block of 1 kg that slides all the time under a smooth load; its place and speed after t = 0.5
static double sliding_error(mo_scheme scheme, double theta, double h)
{
    const double mu = 0.3, g = 9.81, t = 0.5;
    mo_world_def def = tight_def(h, g);
    def.scheme = scheme;
    def.theta = theta;
    mo_world *w = make_world_def(&def);
    set_law(w, mu, 0, 0);
    add_floor(w, 0);
    mo_body_def block = mo_default_body_def();
    block.shape = box_shape(0.4, 0.1);
    block.mass = 1;
    block.position[1] = 0.05;
    block.free = MO_FREE_X | MO_FREE_Y;
    block.load = smooth_load;
    mo_body b = add_def(w, &block);
    run_steps(w, (int)lround(t / h), true);
    // x'' = 20 + 10 sin 7t - mu (g - 3 cos 5t)
    double a = 20 - mu * g;
    double v = a * t + 10.0 / 7 * (1 - cos(7 * t)) + mu * 3.0 / 5 * sin(5 * t);
    double x = 0.5 * a * t * t + 10.0 / 7 * (t - sin(7 * t) / 7) + mu * 3.0 / 25 * (1 - cos(5 * t));
    double error = fabs(state_of(w, b).position[0] - x) + fabs(state_of(w, b).velocity[0] - v);
    mo_world_destroy(w);
    return error;
}

// slope of the line through (log h, log error)
static double fitted_order(mo_scheme scheme, double theta)
{
    enum { N = 5 };
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int k = 0; k < N; k++) {
        double h = 0.5 / (25 << k), x = log(h), y = log(sliding_error(scheme, theta, h));
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (N * sxy - sx * sy) / (N * sxx - sx * sx);
}

static void order_of_smooth_sliding(void **state)
{
    (void)state;
    assert_close(fitted_order(MO_SCHEME_MOREAU, 0.5), 2, 0.05);
    assert_close(fitted_order(MO_SCHEME_MOREAU_JEAN, 0.5), 2, 0.05);
    assert_close(fitted_order(MO_SCHEME_MOREAU_JEAN, 1), 1, 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scene_is_eventful),
        cmocka_unit_test(translation),
        cmocka_unit_test(rotation),
        cmocka_unit_test(mirror),
        cmocka_unit_test(units),
        cmocka_unit_test(units_of_two),
        cmocka_unit_test(order_of_creation),
        cmocka_unit_test(theta_half_is_moreau),
        cmocka_unit_test(theta_dissipates),
        cmocka_unit_test(order_of_smooth_sliding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
