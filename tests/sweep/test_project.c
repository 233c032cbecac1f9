/*
 * Nearest points of moving sets against methods of another kind: candidates by enumeration in the plane, the
 * secular equation of an ellipsoid, Dykstra's method; and the outcomes where there is none.
 */
#include <stdio.h>
#include <string.h>

#include "sweep/ready.h"

enum { MANY = 6, NEAR_MAX = 40 };

/* Balls of the plane: inside all of them, or outside all. */
typedef struct circles {
    size_t count;
    double centre[MANY][2], radius[MANY];
    bool outside;
} circles;

static bool allowed(const circles *c, const double *x)
{
    for (size_t k = 0; k < c->count; k++) {
        double g = c->radius[k] - distance(2, x, c->centre[k]);
        if ((c->outside ? -g : g) < -1e-9)
            return false;
    }
    return true;
}

static void consider(const circles *c, const double *x, double list[][2], size_t *count)
{
    if (!allowed(c, x))
        return;
    list[*count][0] = x[0];
    list[*count][1] = x[1];
    ++*count;
}

// where two circles meet
static void consider_meeting(const circles *c, size_t i, size_t j, double list[][2], size_t *count)
{
    double d = distance(2, c->centre[i], c->centre[j]), r = c->radius[i], s = c->radius[j];
    double along = (d * d + r * r - s * s) / (2 * d), square = r * r - along * along;
    if (square < 0)
        return;
    double e[2] = {(c->centre[j][0] - c->centre[i][0]) / d, (c->centre[j][1] - c->centre[i][1]) / d};
    for (int side = -1; side <= 1; side += 2) {
        double up = side * sqrt(square), x[2] = {c->centre[i][0] + along * e[0] - up * e[1],
                                                 c->centre[i][1] + along * e[1] + up * e[0]};
        consider(c, x, list, count);
    }
}

// every point that can be a nearest one: z, the nearest points of single circles, the corners
static size_t candidates(const circles *c, const double *z, double list[][2])
{
    size_t count = 0;
    consider(c, z, list, &count);
    for (size_t k = 0; k < c->count; k++) {
        double d = distance(2, z, c->centre[k]), x[2];
        for (size_t j = 0; j < 2; j++)
            x[j] = c->centre[k][j] + c->radius[k] * (z[j] - c->centre[k][j]) / d;
        consider(c, x, list, &count);
        for (size_t i = 0; i < k; i++)
            consider_meeting(c, i, k, list, &count);
    }
    return count;
}

static mo_status circle_gaps(void *data, double t, const double *x, double *g, double *gx, double *gt,
                             mo_error *err)
{
    (void)t, (void)err;
    const circles *c = data;
    double sign = c->outside ? 1 : -1;
    for (size_t k = 0; k < c->count; k++) {
        double dx = x[0] - c->centre[k][0], dy = x[1] - c->centre[k][1], r = c->radius[k];
        g[k] = sign * (dx * dx + dy * dy - r * r);
        if (gx != NULL) {
            gx[2 * k] = 2 * sign * dx;
            gx[2 * k + 1] = 2 * sign * dy;
        }
        if (gt != NULL)
            gt[k] = 0;
    }
    return MO_OK;
}

// x - z = sum of lambda grad g, lambda >= 0, lambda g = 0, g >= 0
static void check_answer(const moving *m, const double *z, const double *x)
{
    double rest[64], size = 0, length = 0, sum = 0;
    for (size_t j = 0; j < m->n; j++) {
        rest[j] = x[j] - z[j];
        size += x[j] * x[j];
        length += rest[j] * rest[j];
    }
    for (size_t i = 0; i < m->rows.count; i++) {
        double lambda = m->rows.lambda[i], depth = m->rows.g[i] / m->rows.norm[i];
        assert_true(lambda >= 0);
        assert_true(depth >= -1e-14 * (1 + sqrt(size)));
        assert_true(lambda == 0 || fabs(depth) <= 1e-13 * (1 + sqrt(size)));
        row_add(&m->rows, m->n, i, -lambda, rest);
    }
    for (size_t j = 0; j < m->n; j++)
        sum += rest[j] * rest[j];
    assert_true(sqrt(sum) <= 1e-11 * sqrt(length) + 1e-14 * sqrt(size));
}

// inside several balls, from near and far, as signed distances (balls) and as squares (functions)
static void inside_circles(void **state)
{
    (void)state;
    rng r = rng_seed(31, 1);
    for (int trial = 0; trial < 400; trial++) {
        circles c = {.count = 1 + (size_t)(rng_next(&r) % MANY)};
        mo_moving_set balls[MANY];
        for (size_t k = 0; k < c.count; k++) {
            c.centre[k][0] = 0.6 * spread(&r);
            c.centre[k][1] = 0.6 * spread(&r);
            c.radius[k] = 1 + rng_uniform(&r);
            balls[k] = mo_moving_ball(2, constant(c.centre[k]), constant(&c.radius[k]));
        }
        mo_moving_set both[2] = {mo_moving_intersection(c.count, balls),
                                 mo_moving_gaps(2, c.count, circle_gaps, &c)};
        double far = pow(10, 4 * rng_uniform(&r)), z[2] = {far * spread(&r), far * spread(&r)}, x[2];
        double list[NEAR_MAX][2], best = HUGE_VAL;
        size_t count = candidates(&c, z, list);
        for (size_t k = 0; k < count; k++)
            best = fmin(best, distance(2, z, list[k]));
        for (size_t kind = 0; kind < 2; kind++) {
            moving *m = ready(&both[kind]);
            assert_int_equal(moving_project(m, z, NULL, x, NULL), MO_OK);
            assert_int_equal(m->outcome, MO_SWEEP_REACHED);
            check_answer(m, z, x);
            assert_close(distance(2, z, x), best, 1e-9 * (1 + 1e-3 * best));
            moving_destroy(m);
        }
    }
}

// outside several discs: an answer is one of the candidates; with one disc it is the nearest
static void outside_circles(void **state)
{
    (void)state;
    rng r = rng_seed(32, 1);
    int found = 0;
    for (int trial = 0; trial < 400; trial++) {
        circles c = {.count = 1 + (size_t)(rng_next(&r) % 3), .outside = true};
        for (size_t k = 0; k < c.count; k++) {
            c.centre[k][0] = 1.5 * spread(&r);
            c.centre[k][1] = 1.5 * spread(&r);
            c.radius[k] = 0.5 + 0.7 * rng_uniform(&r);
        }
        mo_moving_set set = mo_moving_gaps(2, c.count, circle_gaps, &c);
        double z[2] = {1.5 * spread(&r), 1.5 * spread(&r)}, x[2], list[NEAR_MAX][2], miss = HUGE_VAL;
        moving *m = ready(&set);
        mo_status status = moving_project(m, z, NULL, x, NULL);
        if (status == MO_OK && m->outcome == MO_SWEEP_REACHED) {
            size_t count = candidates(&c, z, list);
            check_answer(m, z, x);
            for (size_t k = 0; k < count; k++)
                miss = fmin(miss, distance(2, x, list[k]));
            assert_close(miss, 0, 1e-9);
            if (c.count == 1)
                assert_close(distance(2, x, z), fmax(0, c.radius[0] - distance(2, z, c.centre[0])), 1e-12);
            found++;
        } else {
            // squeezed between discs: said so, never silent
            assert_true(c.count > 1 && m->message[0] != 0);
        }
        moving_destroy(m);
    }
    assert_true(found > 380);
}

/* sum (x_j / axis_j)^2 <= 1, or >= 1 */
typedef struct ellipsoid {
    size_t n;
    double axis[40];
    bool outside;
} ellipsoid;

static mo_status ellipsoid_gap(void *data, double t, const double *x, double *g, double *gx, double *gt,
                               mo_error *err)
{
    (void)t, (void)err;
    const ellipsoid *e = data;
    double sum = 0, sign = e->outside ? 1 : -1;
    for (size_t j = 0; j < e->n; j++) {
        sum += (x[j] / e->axis[j]) * (x[j] / e->axis[j]);
        if (gx != NULL)
            gx[j] = 2 * sign * x[j] / (e->axis[j] * e->axis[j]);
    }
    g[0] = sign * (sum - 1);
    if (gt != NULL)
        gt[0] = 0;
    return MO_OK;
}

// x_j = z_j / (1 + mu / axis_j^2), mu >= 0 the root of one falling function: by halving
static void ellipsoid_nearest(const ellipsoid *e, const double *z, double *x)
{
    double low = 0, high = 1, sum = 2;
    while (sum > 1) {
        high *= 2;
        sum = 0;
        for (size_t j = 0; j < e->n; j++)
            sum += pow(z[j] / e->axis[j] / (1 + high / (e->axis[j] * e->axis[j])), 2);
    }
    for (int k = 0; k < 200; k++) {
        double mu = 0.5 * (low + high);
        sum = 0;
        for (size_t j = 0; j < e->n; j++) {
            x[j] = z[j] / (1 + mu / (e->axis[j] * e->axis[j]));
            sum += (x[j] / e->axis[j]) * (x[j] / e->axis[j]);
        }
        if (sum > 1)
            low = mu;
        else
            high = mu;
    }
}

static void ellipsoids(void **state)
{
    (void)state;
    rng r = rng_seed(33, 1);
    for (int trial = 0; trial < 200; trial++) {
        ellipsoid e = {.n = 2 + (size_t)(rng_next(&r) % 30)};
        double z[40], x[40], exact[40], sum = 0, far = pow(10, 3 * rng_uniform(&r));
        for (size_t j = 0; j < e.n; j++) {
            e.axis[j] = pow(10, 0.7 * spread(&r));
            z[j] = far * spread(&r);
            sum += (z[j] / e.axis[j]) * (z[j] / e.axis[j]);
        }
        if (sum <= 1)
            continue;
        mo_moving_set set = mo_moving_gaps(e.n, 1, ellipsoid_gap, &e);
        moving *m = ready(&set);
        assert_int_equal(moving_project(m, z, NULL, x, NULL), MO_OK);
        assert_int_equal(m->outcome, MO_SWEEP_REACHED);
        ellipsoid_nearest(&e, z, exact);
        assert_close(distance(e.n, x, exact), 0, 1e-10);
        assert_true(m->iterations <= 40);
        moving_destroy(m);
    }
}

// Dykstra's alternating projections onto balls and a half-space of R^n
static void against_dykstra(void **state)
{
    (void)state;
    enum { N = 8, BALLS = 5 };
    rng r = rng_seed(34, 1);
    for (int trial = 0; trial < 20; trial++) {
        double centre[BALLS][N], radius[BALLS], a[N], b = -0.2, z[N], x[N], y[N], push[BALLS + 1][N] = {{0}};
        double square = 0;
        mo_moving_set parts[BALLS + 1];
        for (size_t k = 0; k < BALLS; k++) {
            for (size_t j = 0; j < N; j++)
                centre[k][j] = 0.25 * spread(&r);
            radius[k] = 1 + rng_uniform(&r);
            parts[k] = mo_moving_ball(N, constant(centre[k]), constant(&radius[k]));
        }
        for (size_t j = 0; j < N; j++) {
            a[j] = spread(&r);
            square += a[j] * a[j];
            z[j] = y[j] = 4 * spread(&r);
        }
        parts[BALLS] = mo_moving_polyhedron(N, 1, constant(a), constant(&b));
        mo_moving_set set = mo_moving_intersection(BALLS + 1, parts);
        moving *m = ready(&set);
        assert_int_equal(moving_project(m, z, NULL, x, NULL), MO_OK);
        check_answer(m, z, x);
        moving_destroy(m);
        for (int round = 0; round < 20000; round++) {
            for (size_t k = 0; k <= BALLS; k++) {
                double w[N], stretch = 1, dot = -b;
                for (size_t j = 0; j < N; j++) {
                    w[j] = y[j] + push[k][j];
                    dot += a[j] * w[j];
                }
                if (k < BALLS)
                    stretch = fmin(1, radius[k] / distance(N, w, centre[k]));
                for (size_t j = 0; j < N; j++) {
                    y[j] = k < BALLS ? centre[k][j] + stretch * (w[j] - centre[k][j])
                                     : w[j] - fmin(dot, 0) * a[j] / square;
                    push[k][j] = w[j] - y[j];
                }
            }
        }
        assert_close(distance(N, x, y), 0, 1e-6);
    }
}

static mo_sweep_outcome outcome_of(const mo_moving_set *set, const double *x, double h, char *message)
{
    mo_sweep_def def = define(set, x, h, MO_SWEEP_CATCHING_UP);
    mo_sweep *p = create(&def);
    step(p);
    const mo_sweep_info *info = mo_sweep_info_get(p);
    mo_sweep_outcome outcome = info->outcome;
    snprintf(message, 200, "%s", info->message);
    bool made = outcome < MO_SWEEP_EMPTY;
    assert_int_equal(info->steps, made);
    assert_true(info->time == (made ? h : 0));
    assert_int_equal(info->unconverged_steps, outcome != MO_SWEEP_REACHED);
    assert_true((message[0] == 0) == (outcome == MO_SWEEP_REACHED));
    if (!made)
        assert_memory_equal(mo_sweep_x(p), x, set->dim * sizeof *x);
    mo_sweep_destroy(p);
    return outcome;
}

static void empty_sets(void **state)
{
    (void)state;
    char message[200];
    const double left[2] = {-2, 0}, right[2] = {2, 0}, R = 1.5, x[2] = {0, 0.3};
    mo_moving_set balls[2] = {mo_moving_ball(2, constant(left), constant(&R)),
                              mo_moving_ball(2, constant(right), constant(&R))};
    mo_moving_set apart = mo_moving_intersection(2, balls);
    assert_int_equal(outcome_of(&apart, x, 0.1, message), MO_SWEEP_EMPTY);
    assert_non_null(strstr(message, "C(t) is empty"));
    const double A[4] = {1, 0, -1, 0}, b[2] = {1, 1};
    mo_moving_set slab = mo_moving_polyhedron(2, 2, constant(A), constant(b));
    assert_int_equal(outcome_of(&slab, x, 0.1, message), MO_SWEEP_EMPTY);
    assert_non_null(strstr(message, "gaps 1, 2"));
    // radii that become negative with time
    const double from[2] = {0.5, 0.5}, rate[2] = {-1, -1}, centre[2] = {0, 0};
    straight s = {1, from, rate}, s2 = {2, from, rate};
    mo_moving_set ball = mo_moving_ball(2, constant(centre), along(&s));
    mo_moving_set box = mo_moving_box(2, constant(centre), along(&s2));
    assert_int_equal(outcome_of(&ball, x, 0.4, message), MO_SWEEP_REACHED);
    assert_int_equal(outcome_of(&ball, x, 0.6, message), MO_SWEEP_EMPTY);
    assert_int_equal(outcome_of(&box, x, 0.6, message), MO_SWEEP_EMPTY);
    // balls that touch in one point are not empty
    const double touch = 2;
    balls[0] = mo_moving_ball(2, constant(left), constant(&touch));
    balls[1] = mo_moving_ball(2, constant(right), constant(&touch));
    assert_int_not_equal(outcome_of(&apart, centre, 0.1, message), MO_SWEEP_EMPTY);
}

static void no_gradient(void **state)
{
    (void)state;
    char message[200];
    circles c = {.count = 1, .radius = {1}, .outside = true};
    mo_moving_set set = mo_moving_gaps(2, 1, circle_gaps, &c);
    const double middle[2] = {0, 0}, near[2] = {1e-3, 0}, far[2] = {0.5, 0};
    assert_int_equal(outcome_of(&set, middle, 0.1, message), MO_SWEEP_NO_GRADIENT);
    assert_non_null(strstr(message, "gap 1"));
    assert_int_equal(outcome_of(&set, near, 0.1, message), MO_SWEEP_REACHED);
    assert_int_equal(outcome_of(&set, far, 0.1, message), MO_SWEEP_REACHED);
}

// outside an ellipse with half axes 2 and 1: at (2, 0) its radius of curvature is 1/2
static void not_unique(void **state)
{
    (void)state;
    char message[200];
    ellipsoid e = {.n = 2, .axis = {2, 1}, .outside = true};
    mo_moving_set set = mo_moving_gaps(2, 1, ellipsoid_gap, &e);
    for (double x = 0.5; x < 1.45; x += 0.1)
        assert_int_equal(outcome_of(&set, (double[2]){x, 0}, 0.1, message), MO_SWEEP_NOT_UNIQUE);
    for (double x = 1.55; x < 2; x += 0.05)
        assert_int_equal(outcome_of(&set, (double[2]){x, 0}, 0.1, message), MO_SWEEP_REACHED);
    // from above there is no such point
    assert_int_equal(outcome_of(&set, (double[2]){0, 0.1}, 0.1, message), MO_SWEEP_REACHED);
}

/* NaN from a gap, infinity from its gradient, or failure, after a time. */
typedef struct spoilt {
    double from;
    int kind;
} spoilt;

static mo_status spoilt_gap(void *data, double t, const double *x, double *g, double *gx, double *gt,
                            mo_error *err)
{
    const spoilt *s = data;
    bool now = t > s->from;
    if (now && s->kind == 2) {
        if (err != NULL)
            snprintf(err->message, sizeof err->message, "no luck");
        return MO_IO;
    }
    g[0] = x[0] - t;
    g[1] = now && s->kind == 0 ? nan("") : x[1] + 1;
    if (gx != NULL) {
        gx[0] = gx[3] = 1;
        gx[1] = gx[2] = 0;
        if (now && s->kind == 1)
            gx[3] = HUGE_VAL;
    }
    if (gt != NULL) {
        gt[0] = -1;
        gt[1] = 0;
    }
    return MO_OK;
}

static void not_finite(void **state)
{
    (void)state;
    const double x[2] = {0, 0};
    for (int kind = 0; kind < 3; kind++) {
        spoilt s = {0.55, kind};
        mo_moving_set set = mo_moving_gaps(2, 2, spoilt_gap, &s);
        mo_sweep_def def = define(&set, x, 0.1, MO_SWEEP_CATCHING_UP);
        mo_sweep *p = create(&def);
        mo_error err;
        good_steps(p, 5);
        uint64_t hash = mo_sweep_hash(p);
        for (int again = 0; again < 3; again++) {
            assert_int_equal(mo_sweep_step(p, &err), kind == 2 ? MO_IO : MO_OK);
            const mo_sweep_info *info = mo_sweep_info_get(p);
            assert_int_equal(info->steps, 5);
            assert_true(mo_sweep_hash(p) == hash);
            if (kind == 2) {
                assert_string_equal(err.message, "no luck");
                continue;
            }
            assert_int_equal(info->outcome, MO_SWEEP_NOT_FINITE);
            assert_non_null(strstr(info->message, "gap 2 of 2"));
            assert_non_null(strstr(info->message, kind == 0 ? "value" : "gradient"));
            assert_non_null(strstr(info->message, "t = 0.6"));
        }
        // once the function is well again the process goes on
        s.from = 100;
        good_step(p);
        assert_close(mo_sweep_x(p)[0], 0.6, 1e-15);
        mo_sweep_destroy(p);
    }
}

/* A field that fails, or is not finite, from some time on. */
static mo_status spoilt_field(void *data, double t, const double *u, double *f, mo_error *err)
{
    (void)u, (void)err;
    const spoilt *s = data;
    f[0] = 1;
    f[1] = t > s->from && s->kind == 0 ? nan("") : 0;
    return t > s->from && s->kind == 2 ? MO_STOPPED : MO_OK;
}

static void bad_fields(void **state)
{
    (void)state;
    const double zero[2] = {0, 0}, R = 10, x[2] = {0, 0};
    mo_moving_set set = mo_moving_ball(2, constant(zero), constant(&R));
    for (int kind = 0; kind <= 2; kind += 2) {
        spoilt s = {0.35, kind};
        mo_sweep_def def = define(&set, x, 0.1, MO_SWEEP_CATCHING_UP);
        def.field = spoilt_field;
        def.data = &s;
        mo_sweep *p = create(&def);
        good_steps(p, 4);
        assert_int_equal(mo_sweep_step(p, NULL), kind == 2 ? MO_STOPPED : MO_OK);
        if (kind == 0) {
            assert_int_equal(mo_sweep_info_get(p)->outcome, MO_SWEEP_NOT_FINITE);
            assert_non_null(strstr(mo_sweep_info_get(p)->message, "field: number 2 of 2"));
        }
        assert_int_equal(mo_sweep_info_get(p)->steps, 4);
        assert_close(mo_sweep_x(p)[0], 0.4, 1e-15);
        mo_sweep_destroy(p);
    }
}

// sets that are single points: a ball and a box of radius zero, opposite sides that meet
static void points(void **state)
{
    (void)state;
    const double centre[2] = {1, 2}, zero[2] = {0, 0}, A[8] = {1, 0, -1, 0, 0, 1, 0, -1},
                 b[4] = {1, -1, 2, -2}, x[2] = {4, 6};
    mo_moving_set sets[3] = {mo_moving_ball(2, constant(centre), constant(zero)),
                             mo_moving_box(2, constant(centre), constant(zero)),
                             mo_moving_polyhedron(2, 4, constant(A), constant(b))};
    for (size_t k = 0; k < 3; k++) {
        mo_sweep_def def = define(&sets[k], x, 0.5, MO_SWEEP_CATCHING_UP);
        mo_sweep *p = create(&def);
        for (int again = 0; again < 3; again++) {
            good_step(p);
            assert_close(distance(2, mo_sweep_x(p), centre), 0, 1e-15);
            assert_true(mo_sweep_info_get(p)->violation <= 1e-15);
            assert_close(mo_sweep_info_get(p)->stationarity, 0, 1e-14);
        }
        mo_sweep_destroy(p);
    }
}

// rows that say the same thing twice, nearly so, or nothing
static void redundant_rows(void **state)
{
    (void)state;
    const double A[12] = {1, 0, 1, 0, 2, 0, 1, 1e-13, 0, 0, 1e-9, 0}, from[6] = {0, 0, 0, 0, -1, 0},
                 rate[6] = {1, 1, 2, 1, 0, 1e-9}, x[2] = {0, 0};
    straight s = {6, from, rate};
    mo_moving_set set = mo_moving_polyhedron(2, 6, constant(A), along(&s));
    mo_sweep_def def = define(&set, x, 0.01, MO_SWEEP_CATCHING_UP);
    mo_sweep *p = create(&def);
    good_steps(p, 100);
    assert_close(mo_sweep_x(p)[0], 1, 1e-12);
    assert_close(mo_sweep_x(p)[1], 0, 1e-9);
    mo_sweep_destroy(p);
}

// scales far from one: the same picture 1e9 times larger or smaller, and far from the origin
static void scales(void **state)
{
    (void)state;
    for (double unit = 1e-9; unit <= 1e9; unit *= 1e3) {
        const double c1[2] = {0, 0}, c2[2] = {unit, 0}, r1 = unit, r2 = unit;
        mo_moving_set balls[2] = {mo_moving_ball(2, constant(c1), constant(&r1)),
                                  mo_moving_ball(2, constant(c2), constant(&r2))};
        mo_moving_set lens = mo_moving_intersection(2, balls);
        moving *m = ready(&lens);
        double z[2] = {0.5 * unit, 3 * unit}, x[2];
        assert_int_equal(moving_project(m, z, NULL, x, NULL), MO_OK);
        assert_int_equal(m->outcome, MO_SWEEP_REACHED);
        // the upper corner of the lens
        assert_close(x[0] / unit, 0.5, 1e-14);
        assert_close(x[1] / unit, sqrt(0.75), 1e-14);
        moving_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(inside_circles), cmocka_unit_test(outside_circles),
                                       cmocka_unit_test(ellipsoids),     cmocka_unit_test(against_dykstra),
                                       cmocka_unit_test(empty_sets),     cmocka_unit_test(no_gradient),
                                       cmocka_unit_test(not_unique),     cmocka_unit_test(not_finite),
                                       cmocka_unit_test(scales),         cmocka_unit_test(bad_fields),
                                       cmocka_unit_test(points),         cmocka_unit_test(redundant_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
