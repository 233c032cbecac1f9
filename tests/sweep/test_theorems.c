/*
 * What is proved about sweeping processes by convex sets, as properties of the methods.
 */
#include "sweep/parts.h"

enum { N = 3, SIDES = 7 };

/* A family of convex moving sets of R^3 that are never empty. */
typedef struct family {
    double size[N], phase[N], centre[N], radius, A[SIDES * N], b[SIDES], half[N], far[N];
    waves w;
    mo_moving_set parts[2], ball, box, polyhedron, lens, pushed[4];
    const mo_moving_set *all[4];
} family;

static void make_family(family *f, rng *r)
{
    for (size_t j = 0; j < N; j++) {
        f->size[j] = 1 + rng_uniform(r);
        f->phase[j] = 6 * rng_uniform(r);
        f->centre[j] = 0;
        f->far[j] = 0.2 * spread(r);
        f->half[j] = 0.3 + rng_uniform(r);
    }
    f->radius = 0.6;
    for (size_t i = 0; i < SIDES; i++) {
        for (size_t j = 0; j < N; j++)
            f->A[i * N + j] = spread(r);
        f->b[i] = -0.1 - 0.3 * rng_uniform(r);
    }
    f->w = (waves){N, 1.3, f->size, f->phase};
    f->ball = mo_moving_ball(N, constant(f->centre), constant(&f->radius));
    f->box = mo_moving_box(N, constant(f->centre), constant(f->half));
    f->polyhedron = mo_moving_polyhedron(N, SIDES, constant(f->A), constant(f->b));
    // two balls 0.2 |far| apart at most, and a polyhedron: never empty
    f->parts[0] = f->polyhedron;
    f->parts[1] = mo_moving_ball(N, constant(f->far), constant(&f->radius));
    f->lens = mo_moving_intersection(2, f->parts);
    const mo_moving_set *still[4] = {&f->ball, &f->box, &f->polyhedron, &f->lens};
    for (size_t k = 0; k < 4; k++) {
        f->pushed[k] = mo_moving_translate(still[k], waving(&f->w));
        f->all[k] = &f->pushed[k];
    }
}

// a start near C(0)
static void make_start(const family *f, rng *r, double *x)
{
    for (size_t j = 0; j < N; j++)
        x[j] = f->size[j] * sin(f->phase[j]) + 0.5 * spread(r);
}

// |u - v| does not grow: prox is non-expansive, and so is 2 prox - 1
static void non_expansion(void **state)
{
    (void)state;
    rng r = rng_seed(21, 1);
    for (int trial = 0; trial < 40; trial++) {
        family f;
        double x[N], y[N];
        const double thetas[] = {0.5, 0.6, 1};
        make_family(&f, &r);
        make_start(&f, &r, x);
        make_start(&f, &r, y);
        mo_sweep_method methods[] = {MO_SWEEP_THETA, MO_SWEEP_CATCHING_UP, MO_SWEEP_PENALTY};
        mo_sweep_def def = define(f.all[trial % 4], x, 0.05, methods[trial / 4 % 3]);
        def.theta = thetas[trial % 3];
        mo_sweep *p = create(&def);
        def.x = y;
        mo_sweep *q = create(&def);
        double last = distance(N, x, y);
        for (int k = 0; k < 100; k++) {
            good_step(p);
            good_step(q);
            double now = distance(N, mo_sweep_x(p), mo_sweep_x(q));
            assert_true(now <= last + 1e-13);
            last = now;
        }
        mo_sweep_destroy(p);
        mo_sweep_destroy(q);
    }
}

/* The same motion at another pace: at t the set stands where the other one is at s(t). */
typedef struct paced {
    waves *w;
    double factor;
} paced;

static mo_status at_pace(void *data, double t, double *value, double *rate, mo_error *err)
{
    paced *p = data;
    mo_status status = go_waves(p->w, p->factor * t, value, rate, err);
    for (size_t j = 0; rate != NULL && j < p->w->count; j++)
        rate[j] *= p->factor;
    return status;
}

// N is a cone: on corresponding grids the points are the same.  factor 2: the same bits
static void rate_independence(void **state)
{
    (void)state;
    rng r = rng_seed(22, 1);
    for (int trial = 0; trial < 16; trial++) {
        family f;
        double x[N], factor = trial % 2 == 0 ? 2 : 3.7;
        make_family(&f, &r);
        make_start(&f, &r, x);
        const mo_moving_set *still = f.all[trial % 4]->children;
        paced pace = {&f.w, factor};
        mo_moving_set fast = mo_moving_translate(still, (mo_timed){.function = at_pace, .data = &pace});
        mo_sweep_method method = trial / 4 % 2 == 0 ? MO_SWEEP_CATCHING_UP : MO_SWEEP_THETA;
        mo_sweep_def slow_def = define(f.all[trial % 4], x, 0.04, method);
        mo_sweep_def fast_def = define(&fast, x, 0.04 / factor, method);
        mo_sweep *p = create(&slow_def), *q = create(&fast_def);
        for (int k = 0; k < 100; k++) {
            good_step(p);
            good_step(q);
            if (factor == 2)
                assert_memory_equal(mo_sweep_x(p), mo_sweep_x(q), N * sizeof(double));
            else
                assert_close(distance(N, mo_sweep_x(p), mo_sweep_x(q)), 0, 1e-12);
        }
        mo_sweep_destroy(p);
        mo_sweep_destroy(q);
    }
}

// translates: |u_f - u_i| <= |a_f - a_i|, as long as u_i was in C_i (M99 (9)); and path <= retraction
static void translates(void **state)
{
    (void)state;
    rng r = rng_seed(23, 1);
    for (int trial = 0; trial < 20; trial++) {
        family f;
        double x[N], a[N], b[N], total = 0;
        make_family(&f, &r);
        make_start(&f, &r, x);
        mo_sweep_def def = define(f.all[trial % 4], x, 0.02, MO_SWEEP_CATCHING_UP);
        mo_sweep *p = create(&def);
        good_step(p);
        for (int k = 1; k < 200; k++) {
            double before[N];
            for (size_t j = 0; j < N; j++)
                before[j] = mo_sweep_x(p)[j];
            good_step(p);
            go_waves(&f.w, k * def.h, a, NULL, NULL);
            go_waves(&f.w, (k + 1) * def.h, b, NULL, NULL);
            assert_true(distance(N, before, mo_sweep_x(p)) <= distance(N, a, b) + 1e-13);
            total += distance(N, before, mo_sweep_x(p));
        }
        assert_true(total > 0.1);
        mo_sweep_destroy(p);
    }
}

/*
 * u' = prox(-N_C, a'): the velocity is what is left of a' in the cone that the gaps in touch push in.  For a
 * half-space with unit normal n dragging the point: u' = (a'.n)+ n.
 */
static void translated_halfspace(void **state)
{
    (void)state;
    const double n[3] = {0.6, 0, 0.8}, b[1] = {0}, from[3] = {0, 0, 0}, rate[3] = {1, 2, -0.3},
                 x[3] = {0, 0, 0};
    straight s = {3, from, rate};
    mo_moving_set half = mo_moving_polyhedron(3, 1, constant(n), constant(b));
    mo_moving_set set = mo_moving_translate(&half, along(&s));
    mo_sweep_def def = define(&set, x, 0.01, MO_SWEEP_CATCHING_UP);
    mo_sweep *p = create(&def);
    good_steps(p, 100);
    double push = 0.6 * 1 - 0.8 * 0.3;
    for (size_t j = 0; j < 3; j++)
        assert_close(mo_sweep_x(p)[j], push * n[j], 1e-13);
    assert_close(mo_sweep_lambda(p)[0], push, 1e-12);
    mo_sweep_destroy(p);
}

// length of the path at most the retraction, where that is known exactly (M99 5)
static void length_and_retraction(void **state)
{
    (void)state;
    rng r = rng_seed(24, 1);
    for (int trial = 0; trial < 12; trial++) {
        family f;
        double x[N];
        make_family(&f, &r);
        go_waves(&f.w, 0, x, NULL, NULL);
        mo_sweep_def def = define(f.all[trial % 3], x, 0.02, MO_SWEEP_CATCHING_UP);
        def.retraction = true;
        mo_sweep *p = create(&def);
        for (int k = 0; k < 150; k++) {
            good_step(p);
            const mo_sweep_info *info = mo_sweep_info_get(p);
            assert_true(info->path_length <= info->retraction + 1e-12);
            assert_true(info->retraction <= info->variation + 1e-12);
        }
        assert_true(mo_sweep_info_get(p)->path_length > 0.1);
        mo_sweep_destroy(p);
    }
}

// a ball that only grows has no retraction, one that only shrinks as much as its radius loses
static void breathing_ball(void **state)
{
    (void)state;
    const double centre[2] = {0, 0}, from[1] = {1}, shrink[1] = {-0.5}, grow[1] = {0.5}, x[2] = {0.6, 0.3};
    straight s = {1, from, shrink}, g = {1, from, grow};
    mo_moving_set small = mo_moving_ball(2, constant(centre), along(&s));
    mo_moving_set large = mo_moving_ball(2, constant(centre), along(&g));
    mo_sweep_def def = define(&small, x, 0.01, MO_SWEEP_CATCHING_UP);
    def.retraction = true;
    mo_sweep *p = create(&def);
    good_steps(p, 100);
    assert_close(mo_sweep_info_get(p)->retraction, 0.5, 1e-13);
    assert_close(mo_sweep_info_get(p)->path_length, hypot(0.6, 0.3) - 0.5, 1e-13);
    mo_sweep_destroy(p);
    def.set = &large;
    p = create(&def);
    good_steps(p, 100);
    assert_true(mo_sweep_info_get(p)->retraction == 0);
    assert_close(mo_sweep_info_get(p)->variation, 0.5, 1e-13);
    assert_true(mo_sweep_info_get(p)->retraction_exact);
    mo_sweep_destroy(p);
}

/*
 * With the active set known the step is linear (M99 3.2): for sides that all hold, the moves of a step with
 * velocities v and w of the sides and with v + w add up.
 */
static void linear_step(void **state)
{
    (void)state;
    rng r = rng_seed(25, 1);
    for (int trial = 0; trial < 50; trial++) {
        double A[2 * N], from[2] = {0, 0}, rates[3][2], moved[3][N];
        const double x[N] = {0, 0, 0};
        // normals at an obtuse angle: both sides hold whatever their speeds
        for (size_t j = 0; j < N; j++) {
            A[j] = spread(&r);
            A[N + j] = -0.5 * A[j] + 0.2 * spread(&r);
        }
        for (size_t i = 0; i < 2; i++) {
            rates[0][i] = 0.1 + rng_uniform(&r);
            rates[1][i] = 0.1 + rng_uniform(&r);
            rates[2][i] = rates[0][i] + rates[1][i];
        }
        if (A[0] * A[3] + A[1] * A[4] + A[2] * A[5] >= 0)
            continue;
        for (size_t k = 0; k < 3; k++) {
            straight s = {2, from, rates[k]};
            mo_moving_set set = mo_moving_polyhedron(N, 2, constant(A), along(&s));
            mo_sweep_def def = define(&set, x, 0.1, MO_SWEEP_CATCHING_UP);
            mo_sweep *p = create(&def);
            good_step(p);
            assert_int_equal(mo_sweep_info_get(p)->active, 2);
            for (size_t j = 0; j < N; j++)
                moved[k][j] = mo_sweep_x(p)[j];
            mo_sweep_destroy(p);
        }
        for (size_t j = 0; j < N; j++)
            assert_close(moved[0][j] + moved[1][j], moved[2][j], 1e-12);
    }
}

/* A centre that leaps by `leap` at t = 0.515. */
static mo_status leaping(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)err;
    const double *leap = data;
    for (size_t j = 0; j < 2; j++) {
        value[j] = t < 0.515 ? 0 : leap[j];
        if (rate != NULL)
            rate[j] = 0;
    }
    return MO_OK;
}

// u+ = prox(C+, u-) by the methods that project; every method tells one jump with its time and length
static void jump_law(void **state)
{
    (void)state;
    double leap[2] = {3, 1}, R = 1;
    const double x[2] = {0.5, -0.5};
    mo_moving_set set = mo_moving_ball(2, (mo_timed){.function = leaping, .data = leap}, constant(&R));
    double length = hypot(leap[0] - x[0], leap[1] - x[1]);
    for (int method = MO_SWEEP_CATCHING_UP; method <= MO_SWEEP_EVENT_DRIVEN; method++) {
        mo_sweep_def def = define(&set, x, 0.01, (mo_sweep_method)method);
        mo_sweep *p = create(&def);
        size_t events = 0;
        for (int k = 1; k <= 100; k++) {
            good_step(p);
            mo_sweep_events e = mo_sweep_events_get(p);
            for (size_t i = 0; i < e.count; i++) {
                if (e.items[i].type != MO_EVENT_JUMP)
                    continue;
                events++;
                assert_close(e.items[i].t, 0.515, 1e-13);
                assert_close(e.items[i].size, length - R, 1e-12);
            }
        }
        assert_int_equal(events, 1);
        assert_int_equal(mo_sweep_info_get(p)->jumps, 1);
        assert_close(mo_sweep_info_get(p)->largest_jump, length - R, 1e-12);
        const double *u = mo_sweep_x(p);
        bool projects =
            method == MO_SWEEP_CATCHING_UP || method == MO_SWEEP_THETA || method == MO_SWEEP_EVENT_DRIVEN;
        for (size_t j = 0; projects && j < 2; j++)
            assert_close(u[j], leap[j] - R * (leap[j] - x[j]) / length, 1e-12);
        mo_sweep_destroy(p);
    }
}

// a staircase of steps 1 at t = 1, 2, ...
static mo_status staircase(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)data, (void)err;
    *value = floor(t);
    if (rate != NULL)
        *rate = 0;
    return MO_OK;
}

// an interval of radius 1/4 on it: u = floor(t) - 1/4 from t = 1 on; the first stair moves it by 3/4, the
// others by 1, wherever in a step they are
static void stairs(void **state)
{
    (void)state;
    const double R = 0.25, x = 0;
    mo_moving_set set = mo_moving_ball(1, (mo_timed){.function = staircase}, constant(&R));
    static const double thetas[] = {0.5, 0.6, 0.9, 1};
    for (size_t i = 0; i < sizeof thetas / sizeof *thetas; i++)
        for (int steps = 60; steps < 80; steps++) {
            mo_sweep_def def = define(&set, &x, 3.25 / steps, MO_SWEEP_THETA);
            def.theta = thetas[i];
            mo_sweep *p = create(&def);
            for (int k = 0; k < steps; k++) {
                good_step(p);
                double stair = floor(mo_sweep_info_get(p)->time);
                assert_close(mo_sweep_x(p)[0], stair > 0 ? stair - R : 0, 1e-15 * stair);
            }
            const mo_sweep_info *info = mo_sweep_info_get(p);
            assert_int_equal(info->jumps, 3);
            assert_close(info->path_length, 2.75, 1e-14);
            assert_close(info->largest_jump, 1, 1e-14);
            mo_sweep_destroy(p);
        }
}

// fast but continuous motion is no jump
static void no_jump(void **state)
{
    (void)state;
    const double R = 0.1, size[2] = {1, 1}, phase[2] = {0, 1.57}, x[2] = {0, 1};
    waves w = {2, 40, size, phase};
    mo_moving_set set = mo_moving_ball(2, waving(&w), constant(&R));
    mo_sweep_def def = define(&set, x, 0.01, MO_SWEEP_CATCHING_UP);
    mo_sweep *p = create(&def);
    good_steps(p, 300);
    assert_int_equal(mo_sweep_info_get(p)->jumps, 0);
    assert_true(mo_sweep_info_get(p)->path_length > 10);
    mo_sweep_destroy(p);
}

// (22): u-.du <= d|u|^2 / 2 <= u+.du, and -du is normal to C at u+: (w - u+).du >= 0 for w in C
static void normal_cone(void **state)
{
    (void)state;
    rng r = rng_seed(26, 1);
    for (int trial = 0; trial < 12; trial++) {
        family f;
        double x[N], inside[N];
        make_family(&f, &r);
        make_start(&f, &r, x);
        mo_sweep_def def = define(f.all[trial % 4], x, 0.05, MO_SWEEP_CATCHING_UP);
        mo_sweep *p = create(&def);
        for (int k = 1; k <= 60; k++) {
            double before[N], left = 0, right = 0, squares = 0, angle = 0;
            for (size_t j = 0; j < N; j++)
                before[j] = mo_sweep_x(p)[j];
            good_step(p);
            const double *u = mo_sweep_x(p);
            // the translation is a point of C (of the lens too: |far| < radius)
            go_waves(&f.w, k * def.h, inside, NULL, NULL);
            for (size_t j = 0; j < N; j++) {
                double du = u[j] - before[j];
                left += before[j] * du;
                right += u[j] * du;
                squares += 0.5 * (u[j] * u[j] - before[j] * before[j]);
                angle += (inside[j] - u[j]) * du;
            }
            assert_true(left <= squares + 1e-13 && squares <= right + 1e-13);
            assert_true(angle >= -1e-13);
        }
        mo_sweep_destroy(p);
    }
}

// penalty tends to catching-up as lambda grows
static void penalty_limit(void **state)
{
    (void)state;
    rng r = rng_seed(27, 1);
    for (int trial = 0; trial < 8; trial++) {
        family f;
        double x[N], last = HUGE_VAL;
        make_family(&f, &r);
        make_start(&f, &r, x);
        for (double lambda = 1e3; lambda <= 1e9; lambda *= 1e3) {
            mo_sweep_def def = define(f.all[trial % 4], x, 0.02, MO_SWEEP_CATCHING_UP);
            mo_sweep *p = create(&def);
            def.method = MO_SWEEP_PENALTY;
            def.lambda = lambda;
            mo_sweep *q = create(&def);
            good_steps(p, 100);
            good_steps(q, 100);
            double apart = distance(N, mo_sweep_x(p), mo_sweep_x(q));
            // each step leaves 1 / (1 + h lambda) of what it pushes: |u'| <= 3 over 2 s
            assert_true(apart <= 6 / (0.02 * lambda) + 1e-12);
            assert_true(apart < last || apart < 1e-9);
            last = apart;
            mo_sweep_destroy(p);
            mo_sweep_destroy(q);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(non_expansion),
                                       cmocka_unit_test(rate_independence),
                                       cmocka_unit_test(translates),
                                       cmocka_unit_test(translated_halfspace),
                                       cmocka_unit_test(length_and_retraction),
                                       cmocka_unit_test(breathing_ball),
                                       cmocka_unit_test(linear_step),
                                       cmocka_unit_test(jump_law),
                                       cmocka_unit_test(stairs),
                                       cmocka_unit_test(no_jump),
                                       cmocka_unit_test(normal_cone),
                                       cmocka_unit_test(penalty_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
