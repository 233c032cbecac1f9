/* Excess of moving sets: closed forms, vertices by brute force, unbounded and empty sets, lower bounds. */
#include "parts.h"

#include "core/timer.h"

#include <string.h>

enum { MOST_N = 6, MOST_ROWS = 64, MOST_VALUES = MOST_N * MOST_ROWS };

/* Values at times 0 and 1 (anything else is not asked for). */
typedef struct two {
    size_t count;
    double at[2][MOST_VALUES];
} two;

static mo_status read_two(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)err;
    const two *p = data;
    memcpy(value, p->at[t > 0], p->count * sizeof *value);
    if (rate != NULL)
        memset(rate, 0, p->count * sizeof *rate);
    return MO_OK;
}

static mo_timed both(two *p)
{
    return (mo_timed){NULL, read_two, p};
}

/* e(C(0), C(1)) */
static double excess(const mo_moving_set *set, bool *exact)
{
    double e = -1, x[16] = {0};
    mo_error err = {0};
    if (mo_moving_set_excess(set, 0, 1, x, &e, exact, &err) != MO_OK)
        fail_msg("%s", err.message);
    return e;
}

/* both ways, exactly */
static void expect(const mo_moving_set *set, double forward, double backward, double tolerance)
{
    double there = -1, back = -1, x[16] = {0.1, -0.2};
    bool exact = false, exact_back = false;
    mo_error err = {0};
    if (mo_moving_set_excess(set, 0, 1, x, &there, &exact, &err) != MO_OK ||
        mo_moving_set_excess(set, 1, 0, x, &back, &exact_back, &err) != MO_OK)
        fail_msg("%s", err.message);
    assert_true(exact && exact_back);
    if (isinf(forward))
        assert_true(there == forward);
    else
        assert_close(there, forward, tolerance);
    if (isinf(backward))
        assert_true(back == backward);
    else
        assert_close(back, backward, tolerance);
}

/* ---- closed forms --------------------------------------------------------------------------------- */

static void balls(void **state)
{
    (void)state;
    two centre = {2, {{1, 2}, {4, 6}}}, radius = {1, {{1}, {3}}};
    mo_moving_set set = mo_moving_ball(2, both(&centre), both(&radius));
    expect(&set, 5 + 1 - 3, 5 + 3 - 1, 1e-15);
    radius.at[1][0] = 7;
    expect(&set, 0, 11, 1e-15);
    // no ball is contained in every set, and has excess over none
    radius.at[1][0] = -1;
    expect(&set, HUGE_VAL, 0, 0);
    radius.at[0][0] = -2;
    expect(&set, 0, 0, 0);
}

static void boxes(void **state)
{
    (void)state;
    two centre = {3, {{0, 0, 0}, {3, 0, -4}}}, radius = {3, {{1, 1, 1}, {1, 5, 1}}};
    mo_moving_set set = mo_moving_box(3, both(&centre), both(&radius));
    expect(&set, 5, sqrt(9 + 16 + 16), 1e-15);
    radius.at[1][1] = -1;
    expect(&set, HUGE_VAL, 0, 0);
}

static void halfspaces(void **state)
{
    (void)state;
    // ten unknowns: more than vertices are enumerated for
    two normal = {10, {{0}}}, offset = {1, {{2}, {9}}};
    normal.at[0][3] = 0.5;
    normal.at[1][3] = 2;
    mo_moving_set set = mo_moving_polyhedron(10, 1, both(&normal), both(&offset));
    expect(&set, 0.5, 0, 1e-15);
    normal.at[1][4] = 1e-6;
    expect(&set, HUGE_VAL, HUGE_VAL, 0);
    // no normal: everything, or nothing
    memset(normal.at[1], 0, sizeof normal.at[1]);
    expect(&set, HUGE_VAL, 0, 0);
    offset.at[1][0] = -1;
    expect(&set, 0, HUGE_VAL, 0);
}

/* ---- polyhedra ------------------------------------------------------------------------------------ */

/* |x_i - c_i| <= r_i as rows, scaled by anything */
static void box_rows(size_t n, const double *c, const double *r, double *A, double *b)
{
    memset(A, 0, 2 * n * n * sizeof *A);
    for (size_t i = 0; i < 2 * n; i++) {
        const double sign = i % 2 == 0 ? 1 : -1, scale = 1 + (double)(i % 3);
        A[i * n + i / 2] = sign * scale;
        b[i] = scale * (sign * c[i / 2] - r[i / 2]);
    }
}

static void boxes_as_polyhedra(void **state)
{
    (void)state;
    rng g = rng_seed(3, 1);
    for (size_t n = 1; n <= 6; n++)
        for (int trial = 0; trial < 4; trial++) {
            two A = {2 * n * n, {{0}}}, b = {2 * n, {{0}}}, centre = {n, {{0}}}, radius = {n, {{0}}};
            for (int k = 0; k < 2; k++) {
                for (size_t i = 0; i < n; i++) {
                    centre.at[k][i] = 10 * rng_uniform(&g);
                    radius.at[k][i] = pow(10, -4 * rng_uniform(&g));
                }
                box_rows(n, centre.at[k], radius.at[k], A.at[k], b.at[k]);
            }
            // the formula of boxes, which is tested above
            mo_moving_set box = mo_moving_box(n, both(&centre), both(&radius));
            const mo_moving_set rows = mo_moving_polyhedron(n, 2 * n, both(&A), both(&b));
            double there, back, x[MOST_N] = {0};
            bool exact;
            assert_int_equal(mo_moving_set_excess(&box, 0, 1, x, &there, &exact, NULL), MO_OK);
            assert_int_equal(mo_moving_set_excess(&box, 1, 0, x, &back, &exact, NULL), MO_OK);
            expect(&rows, there, back, 1e-12 * 30);
        }
}

/* every choice of n rows that meet in a point of the polyhedron; n <= 3 by Cramer's rule */
static double determinant(size_t n, const double *r[3])
{
    if (n == 1)
        return r[0][0];
    if (n == 2)
        return r[0][0] * r[1][1] - r[0][1] * r[1][0];
    return r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) -
           r[0][1] * (r[1][0] * r[2][2] - r[1][2] * r[2][0]) +
           r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]);
}

static bool solve(size_t n, const double *A, const double *b, const size_t *rows, double *v)
{
    const double *r[3];
    double copy[3][3];
    for (size_t i = 0; i < n; i++)
        r[i] = A + rows[i] * n;
    const double d = determinant(n, r);
    if (fabs(d) < 1e-9)
        return false;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < n; i++) {
            memcpy(copy[i], A + rows[i] * n, n * sizeof(double));
            copy[i][j] = b[rows[i]];
            r[i] = copy[i];
        }
        v[j] = determinant(n, r) / d;
    }
    return true;
}

static double brute_force(size_t n, size_t m, const double *A, const double *b, const double *A1,
                          const double *b1)
{
    double worst = 0;
    size_t rows[3] = {0, 0, 0};
    for (rows[0] = 0; rows[0] < m; rows[0]++)
        for (rows[1] = n > 1 ? rows[0] + 1 : 0; rows[1] < (n > 1 ? m : 1); rows[1]++)
            for (rows[2] = n > 2 ? rows[1] + 1 : 0; rows[2] < (n > 2 ? m : 1); rows[2]++) {
                double v[3] = {0}, y[3];
                if (!solve(n, A, b, rows, v))
                    continue;
                bool inside = true;
                for (size_t i = 0; i < m; i++) {
                    double s = -b[i];
                    for (size_t j = 0; j < n; j++)
                        s += A[i * n + j] * v[j];
                    inside = inside && s > -1e-9;
                }
                const mo_polyhedron to = {.n = n, .rows = m, .A = A1, .b = b1};
                if (!inside)
                    continue;
                assert_int_equal(mo_polyhedron_project(&to, NULL, v, y, NULL, NULL, NULL), MO_OK);
                double d = 0;
                for (size_t j = 0; j < n; j++)
                    d += (v[j] - y[j]) * (v[j] - y[j]);
                worst = fmax(worst, sqrt(d));
            }
    return worst;
}

/* Random polytopes around the origin, with rows given twice and rows that touch nothing. */
static void random_polytopes(void **state)
{
    (void)state;
    rng g = rng_seed(7, 1);
    int compared = 0;
    for (int trial = 0; trial < 120; trial++) {
        const size_t n = 1 + (size_t)trial % 3, m = 2 * n + 3 + (size_t)(rng_uniform(&g) * 10);
        two A = {m * n, {{0}}}, b = {m, {{0}}};
        for (int k = 0; k < 2; k++)
            for (size_t i = 0; i < m; i++) {
                // a box keeps it bounded
                for (size_t j = 0; j < n; j++)
                    A.at[k][i * n + j] =
                        i < 2 * n ? (j == i / 2 ? (i % 2 == 0 ? 1 : -1) : 0) : 2 * rng_uniform(&g) - 1;
                b.at[k][i] = i < 2 * n ? -2 : -0.1 - rng_uniform(&g) * (i % 4 == 0 ? 10 : 1);
                if (i + 1 == m) {
                    memcpy(A.at[k] + i * n, A.at[k] + (i - 1) * n, n * sizeof(double));
                    b.at[k][i] = b.at[k][i - 1];
                }
            }
        const mo_moving_set set = mo_moving_polyhedron(n, m, both(&A), both(&b));
        const double there = brute_force(n, m, A.at[0], b.at[0], A.at[1], b.at[1]);
        const double back = brute_force(n, m, A.at[1], b.at[1], A.at[0], b.at[0]);
        expect(&set, there, back, 1e-9);
        compared += there > 0.01;
    }
    assert_true(compared > 60);
}

/* A pyramid over a square, four faces in its apex (degenerate), that is shrunk to a copy half as large. */
static void pyramid(void **state)
{
    (void)state;
    // |x| <= 1 - z, |y| <= 1 - z, z >= 0; in half size all right sides are halved
    two A = {15, {{1, 0, -1, -1, 0, -1, 0, 1, -1, 0, -1, -1, 0, 0, 1}}}, b = {5, {{-1, -1, -1, -1, 0}}};
    memcpy(A.at[1], A.at[0], sizeof A.at[0]);
    for (size_t i = 0; i < 5; i++)
        b.at[1][i] = b.at[0][i] / 2;
    const mo_moving_set set = mo_moving_polyhedron(3, 5, both(&A), both(&b));
    // corners of the base are farthest: (1, 1, 0) from (1/2, 1/2, 0), where both faces hold it
    expect(&set, sqrt(0.5), 0, 1e-12);
}

static void unbounded(void **state)
{
    (void)state;
    // the strip |y| <= 1 of the plane, a line in it, moved and made wider
    two A = {4, {{0, 1, 0, -1}, {0, 2, 0, -2}}}, b = {2, {{-1, -1}, {-1.4, -3}}};
    mo_moving_set set = mo_moving_polyhedron(2, 2, both(&A), both(&b));
    // at 1: -0.7 <= y <= 1.5
    expect(&set, 0.3, 0.5, 1e-14);
    // turned by a little: it goes off for ever
    A.at[1][0] = 1e-3;
    expect(&set, HUGE_VAL, HUGE_VAL, 0);
    // quadrants: one within the other's directions
    A = (two){4, {{1, 0, 0, 1}, {1, 0, 1, 1}}};
    b = (two){2, {{0, 0}, {1, 0}}};
    set = mo_moving_polyhedron(2, 2, both(&A), both(&b));
    // {x >= 0, y >= 0} in {x >= 1, x + y >= 0} has the vertex (0, 0) at distance 1; back it goes off along
    // (1, -1)
    expect(&set, 1, HUGE_VAL, 1e-14);
}

static void empty(void **state)
{
    (void)state;
    two A = {4, {{1, 0, -1, 0}, {1, 0, -1, 0}}}, b = {2, {{-1, -1}, {1, 1}}};
    const mo_moving_set set = mo_moving_polyhedron(2, 2, both(&A), both(&b));
    expect(&set, HUGE_VAL, 0, 0);
    b.at[0][0] = 2;
    expect(&set, 0, 0, 0);
}

/* The cross-polytope of six unknowns, sum of |x_i| <= 1: 64 rows, 12 vertices, 32 rows in each of them. */
static void cross_polytope(void **state)
{
    (void)state;
    static two A, b;
    A.count = 384;
    b.count = 64;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < 64; i++) {
            for (size_t j = 0; j < 6; j++)
                A.at[k][i * 6 + j] = (i >> j & 1) != 0 ? 1 : -1;
            b.at[k][i] = k == 0 ? -1 : -0.5;
        }
    mo_moving_set set = mo_moving_polyhedron(6, 64, both(&A), both(&b));
    // shrunk to a half: e_1 goes to e_1 / 2
    expect(&set, 0.5, 0, 1e-13);
    // moved by d: |d|
    const double d[] = {1, -2, 3, 0.5, 0.25, 4};
    double square = 0;
    for (size_t j = 0; j < 6; j++)
        square += d[j] * d[j];
    for (size_t i = 0; i < 64; i++) {
        b.at[1][i] = -1;
        for (size_t j = 0; j < 6; j++)
            b.at[1][i] += A.at[1][i * 6 + j] * d[j];
    }
    expect(&set, sqrt(square), sqrt(square), 1e-12);
}

/* 64 planes that touch the unit sphere of six unknowns: more than a thousand vertices, still exact and soon
 * done. */
static void many_vertices(void **state)
{
    (void)state;
    static two A, b;
    rng g = rng_seed(1, 9);
    A.count = 384;
    b.count = 64;
    for (size_t i = 0; i < 64; i++) {
        double norm = 0;
        for (size_t j = 0; j < 6; j++) {
            // opposite pairs keep it bounded
            A.at[0][i * 6 + j] = i % 2 == 1 ? -A.at[0][(i - 1) * 6 + j] : spread(&g);
            norm += A.at[0][i * 6 + j] * A.at[0][i * 6 + j];
        }
        b.at[0][i] = -sqrt(norm);
        b.at[1][i] = 0.5 * b.at[0][i];
    }
    memcpy(A.at[1], A.at[0], sizeof A.at[0]);
    const mo_moving_set set = mo_moving_polyhedron(6, 64, both(&A), both(&b));
    double e, x[6] = {0};
    bool exact;
    const double before = seconds_now();
    assert_int_equal(mo_moving_set_excess(&set, 0, 1, x, &e, &exact, NULL), MO_OK);
    assert_true(seconds_now() - before < 20);
    // the point where a plane touches the sphere is 1/2 away from the plane that is halved
    assert_true(exact && e >= 0.5);
    double back;
    assert_int_equal(mo_moving_set_excess(&set, 1, 0, x, &back, &exact, NULL), MO_OK);
    assert_true(exact && back == 0);
}

/* ---- translates ----------------------------------------------------------------------------------- */

static void translates(void **state)
{
    (void)state;
    two by = {3, {{0, 0, 0}, {2, -1, 2}}};
    const double length = 3;
    // bounded sets: the length of the way
    const double r[] = {1, 2, 3}, lower[] = {-1, -1, -1}, upper[] = {1, 1, HUGE_VAL};
    mo_moving_set child = mo_moving_box(3, constant(NULL), constant(r));
    mo_moving_set set = mo_moving_translate(&child, both(&by));
    expect(&set, length, length, 1e-15);
    mo_set convex = mo_set_disc(3, 1, 2);
    child = mo_moving_convex(&convex);
    expect(&set, length, length, 1e-14);
    // C(0) = K + d with d = (-2, 1, -2): distance of d, and of -d, to the directions of K
    convex = mo_set_coulomb(3, 1, MO_CONE_SELF);
    // (x_1, x_T) is (|x_T| - x_1) / sqrt 2 away from |x_T| <= x_1 where it is neither in it nor in its polar
    expect(&set, (sqrt(5) + 2) / sqrt(2), (sqrt(5) - 2) / sqrt(2), 1e-14);
    convex = mo_set_cylinder(3, 1);
    expect(&set, sqrt(5), sqrt(5), 1e-14);
    convex = mo_set_box(3, lower, upper);
    expect(&set, 3, sqrt(5), 1e-14);
    const mo_set ball = mo_set_ball(2, NULL, 1), line = mo_set_box(1, lower, upper + 2);
    const mo_set parts[] = {ball, line};
    convex = mo_set_product(2, parts);
    expect(&set, 3, sqrt(5), 1e-14);
    const mo_set scaled = mo_set_scaled(&convex, -2);
    child = mo_moving_convex(&scaled);
    expect(&set, sqrt(5), 3, 1e-14);
}

/* Nested translations, with one child moved alone it is no translate any more. */
static void nested(void **state)
{
    (void)state;
    two by = {2, {{0, 0}, {3, 0}}}, more = {2, {{0, 0}, {0, 4}}}, none = {2, {{0, 0}, {0, 0}}};
    const double r = 1, normal[] = {0, 1}, b = 0;
    mo_moving_set parts[2] = {mo_moving_ball(2, constant(NULL), constant(&r)),
                              mo_moving_polyhedron(2, 1, constant(normal), constant(&b))};
    const mo_moving_set both_parts = mo_moving_intersection(2, parts);
    mo_moving_set inner = mo_moving_translate(&both_parts, both(&by));
    mo_moving_set outer = mo_moving_translate(&inner, both(&more));
    expect(&outer, 5, 5, 1e-14);
    // a half-plane alone: only what is across counts
    inner = mo_moving_translate(&parts[1], both(&by));
    expect(&outer, 4, 0, 1e-14);
    outer = mo_moving_translate(&inner, both(&none));
    expect(&outer, 0, 0, 0);
    // the empty set moves nowhere
    const double rows[] = {0, 1, 0, -1}, contradiction[] = {1, 1};
    parts[1] = mo_moving_polyhedron(2, 2, constant(rows), constant(contradiction));
    inner = mo_moving_translate(&parts[1], both(&by));
    outer = mo_moving_translate(&inner, both(&more));
    expect(&outer, 0, 0, 0);
}

/* ---- lower bounds --------------------------------------------------------------------------------- */

/* the ball around (3 t, 0) of radius 1 + t, as a gap that says nothing of balls */
static mo_status ball_gap(void *data, double t, const double *x, double *g, double *gx, double *gt,
                          mo_error *err)
{
    (void)data, (void)err;
    const double dx = x[0] - 3 * t;
    g[0] = (1 + t) * (1 + t) - dx * dx - x[1] * x[1];
    if (gx != NULL) {
        gx[0] = -2 * dx;
        gx[1] = -2 * x[1];
    }
    if (gt != NULL)
        gt[0] = 2 * (1 + t) + 6 * dx;
    return MO_OK;
}

static void lower_bounds(void **state)
{
    (void)state;
    const mo_moving_set set = mo_moving_gaps(2, 1, ball_gap, NULL);
    const double x[] = {-0.25, 0.5};
    double e;
    bool exact = true;
    // true value 3 + 1 - 2; x itself is hypot(3.25, 0.5) - 2 away
    assert_int_equal(mo_moving_set_excess(&set, 0, 1, x, &e, &exact, NULL), MO_OK);
    assert_false(exact);
    assert_true(e <= 2 + 1e-9 && e >= hypot(3.25, 0.5) - 2 - 1e-9);
    // the other way 3 + 2 - 1; the point nearest to x is one of those looked at
    exact = true;
    assert_int_equal(mo_moving_set_excess(&set, 1, 0, x, &e, &exact, NULL), MO_OK);
    assert_false(exact);
    const double d = hypot(3.25, 0.5), near = hypot(3 - 2 * 3.25 / d, 2 * 0.5 / d) - 1;
    assert_true(e <= 4 + 1e-9 && e >= near - 1e-9);
    // a ball and a half-plane, each on its own way: x <= 1 + 3 t takes nothing from the ball
    two centre = {2, {{0, 0}, {3, 0}}}, offset = {1, {{-1}, {-4}}};
    const double r = 1, normal[] = {-1, 0};
    const mo_moving_set parts[] = {mo_moving_ball(2, both(&centre), constant(&r)),
                                   mo_moving_polyhedron(2, 1, constant(normal), both(&offset))};
    const mo_moving_set meet = mo_moving_intersection(2, parts);
    const double e_meet = excess(&meet, &exact);
    assert_true(!exact && e_meet <= 3 + 1e-9 && e_meet > 2.5);
}

static mo_status linear_gap(void *data, double t, const double *x, double *g, double *gx, double *gt,
                            mo_error *err)
{
    (void)data, (void)err;
    g[0] = 2 * x[0] - t;
    g[1] = 3 - x[0];
    if (gx != NULL) {
        gx[0] = 2;
        gx[1] = -1;
    }
    if (gt != NULL) {
        gt[0] = -1;
        gt[1] = 0;
    }
    return MO_OK;
}

/* Gaps that are said to be linear make a polyhedron; constant sets have no excess whatever they are. */
static void linear_gaps_and_constant_sets(void **state)
{
    (void)state;
    mo_moving_set set = mo_moving_gaps(1, 2, linear_gap, NULL);
    set.linear = true;
    expect(&set, 0.5, 0, 1e-14);
    const double radius[] = {1, 1};
    set = mo_moving_discs(2, radius, 0, NULL);
    expect(&set, 0, 0, 0);
}

static mo_status broken(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)data, (void)err;
    value[0] = t > 0 ? (double)NAN : 0;
    if (rate != NULL)
        rate[0] = 0;
    return MO_OK;
}

static void not_finite(void **state)
{
    (void)state;
    const double r = 1, x = 0;
    const mo_moving_set set = mo_moving_ball(1, (mo_timed){NULL, broken, NULL}, constant(&r));
    double e = 7;
    bool exact = true;
    mo_error err = {0};
    assert_int_equal(mo_moving_set_excess(&set, 0, 1, &x, &e, &exact, &err), MO_BAD_INPUT);
    assert_true(e == 7 && strlen(err.message) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls),
        cmocka_unit_test(boxes),
        cmocka_unit_test(halfspaces),
        cmocka_unit_test(boxes_as_polyhedra),
        cmocka_unit_test(random_polytopes),
        cmocka_unit_test(pyramid),
        cmocka_unit_test(unbounded),
        cmocka_unit_test(empty),
        cmocka_unit_test(cross_polytope),
        cmocka_unit_test(many_vertices),
        cmocka_unit_test(translates),
        cmocka_unit_test(nested),
        cmocka_unit_test(lower_bounds),
        cmocka_unit_test(linear_gaps_and_constant_sets),
        cmocka_unit_test(not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
