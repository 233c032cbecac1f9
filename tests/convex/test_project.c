/*
 * Projection onto polyhedra in a metric: problems built from a known answer, KKT residuals recomputed here,
 * ill-scaled, repeated, dependent and degenerate rows, empty sets with their proofs, and agreement with
 * Hildreth's method.
 *
 * Letters: min (x - z)^T M (x - z) / 2 over A x >= b; M(x - z) = A^T l, l >= 0, l_i (a_i.x - b_i) = 0.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <moreau/convex.h>

#include "convex/one_projector.h"
#include "core/rng.h"
#include "support/close.h"

enum { MAX_N = 60, MAX_ROWS = 400 };

typedef struct problem {
    size_t n, rows, equalities;
    double A[MAX_ROWS * MAX_N], b[MAX_ROWS], M[MAX_N * MAX_N], z[MAX_N];
    double x[MAX_N], lambda[MAX_ROWS]; /* the answer it was built from */
} problem;

static problem P;

static double spread(rng *r)
{
    return 2 * rng_uniform(r) - 1;
}

static mo_polyhedron set_of(const problem *p)
{
    return (mo_polyhedron){.n = p->n, .rows = p->rows, .equalities = p->equalities, .A = p->A, .b = p->b};
}

static double norm(size_t n, const double *x)
{
    double s = 0;
    for (size_t i = 0; i < n; i++)
        s += x[i] * x[i];
    return sqrt(s);
}

// solves M x = y in place by Gauss elimination with long doubles: an oracle that shares nothing with the
// library
static void solve_dense(size_t n, const double *M, double *y)
{
    static long double a[MAX_N][MAX_N + 1];
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            a[i][j] = (long double)M[i * n + j];
        a[i][n] = (long double)y[i];
    }
    for (size_t k = 0; k < n; k++)
        for (size_t i = k + 1; i < n; i++) {
            long double f = a[i][k] / a[k][k];
            for (size_t j = k; j <= n; j++)
                a[i][j] -= f * a[k][j];
        }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; j++)
            a[k][n] -= a[k][j] * a[j][n];
        a[k][n] /= a[k][k];
        y[k] = (double)a[k][n];
    }
}

// M = H D H with a reflection H and eigenvalues 1 ... condition
static void random_metric(problem *p, rng *r, double condition)
{
    double v[MAX_N], square = 0;
    size_t n = p->n;
    for (size_t i = 0; i < n; i++) {
        v[i] = spread(r) + 0.01;
        square += v[i] * v[i];
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++) {
                double e = pow(condition, n > 1 ? (double)k / (double)(n - 1) : 0);
                sum += e * ((i == k) - 2 * v[i] * v[k] / square) * ((j == k) - 2 * v[j] * v[k] / square);
            }
            p->M[i * n + j] = p->M[j * n + i] = sum;
        }
}

// z from x and lambda: z = x - M^-1 A^T lambda
static void close_problem(problem *p)
{
    double force[MAX_N] = {0};
    for (size_t i = 0; i < p->rows; i++)
        for (size_t j = 0; j < p->n; j++)
            force[j] += p->A[i * p->n + j] * p->lambda[i];
    solve_dense(p->n, p->M, force);
    for (size_t j = 0; j < p->n; j++)
        p->z[j] = p->x[j] - force[j];
}

// rows through or beside a chosen x, `held` of them pushing; every row times 10^(+-decades)
static void build(problem *p, rng *r, size_t n, size_t rows, size_t held, size_t touching, double decades)
{
    p->n = n;
    p->rows = rows;
    p->equalities = 0;
    for (size_t j = 0; j < n; j++)
        p->x[j] = spread(r);
    for (size_t i = 0; i < rows; i++) {
        double *a = p->A + i * n, length, ax = 0;
        for (size_t j = 0; j < n; j++)
            a[j] = spread(r);
        length = norm(n, a);
        double scale = pow(10, decades * spread(r)) / length;
        for (size_t j = 0; j < n; j++) {
            a[j] *= scale;
            ax += a[j] * p->x[j];
        }
        p->lambda[i] = i < held ? rng_uniform(r) / (scale * length) : 0;
        p->b[i] = i < touching ? ax : ax - rng_uniform(r) * scale * length;
    }
}

// worst relative KKT residual of (x, lambda), by this file's own sums
static double kkt(const problem *p, const double *M, const double *x, const double *lambda)
{
    double worst = 0, force[MAX_N] = {0}, size[MAX_N] = {0}, total = 0, miss = 0;
    size_t n = p->n;
    for (size_t i = 0; i < p->rows; i++) {
        const double *a = p->A + i * n;
        double slack = -p->b[i], scale = fabs(p->b[i]), length = norm(n, a);
        for (size_t j = 0; j < n; j++) {
            slack += a[j] * x[j];
            scale += length * (fabs(x[j]) + fabs(p->z[j]));
            force[j] += a[j] * lambda[i];
            size[j] += fabs(a[j] * lambda[i]);
        }
        worst = fmax(worst, (i < p->equalities ? fabs(slack) : -slack) / scale);
        if (lambda[i] != 0)
            worst = fmax(worst, fabs(slack) / scale);
        if (i >= p->equalities)
            assert_true(lambda[i] >= 0);
    }
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < n; k++) {
            double m = M != NULL ? M[j * n + k] : j == k;
            force[j] -= m * (x[k] - p->z[k]);
            size[j] += fabs(m * (x[k] - p->z[k]));
        }
        miss = fmax(miss, fabs(force[j]));
        total = fmax(total, size[j]);
    }
    return total > 0 ? fmax(worst, miss / total) : worst;
}

static mo_projection_info project(const problem *p, const double *M, double *x, double *lambda)
{
    mo_metric metric = {.kind = MO_METRIC_DENSE, .entries = M};
    mo_polyhedron set = set_of(p);
    mo_projection_info info;
    mo_error err;
    assert_int_equal(mo_projector_set_metric(projector, p->n, M != NULL ? &metric : NULL, &err), MO_OK);
    assert_int_equal(mo_projector_project(projector, &set, p->z, NULL, 0, x, lambda, &info, &err), MO_OK);
    return info;
}

static void check_solved(const problem *p, const double *M, double x_tolerance)
{
    double x[MAX_N], lambda[MAX_ROWS];
    mo_projection_info info = project(p, M, x, lambda);
    assert_int_equal(info.outcome, MO_PROJECTION_SOLVED);
    assert_close(kkt(p, M, x, lambda), 0, 1e-12);
    assert_true(info.violation <= 1e-13 && info.slack <= 1e-13 && info.stationarity <= 1e-12);
    assert_true(info.active_count <= p->n);
    for (size_t j = 0; j < p->n; j++)
        assert_close(x[j], p->x[j], x_tolerance);
}

static void known_answers(void **state)
{
    (void)state;
    rng r = rng_seed(5, 1);
    const double decades[] = {0, 4, 8};
    for (int k = 0; k < 60; k++) {
        size_t n = 1 + (size_t)(k * 7 % 50), held = (size_t)(rng_uniform(&r) * (double)n);
        build(&P, &r, n, 4 * n, held, held, decades[k % 3]);
        random_metric(&P, &r, pow(10, 6 * rng_uniform(&r)));
        close_problem(&P);
        // z is known to cond(M) eps
        check_solved(&P, P.M, 1e-8);
    }
}

static void large(void **state)
{
    (void)state;
    rng r = rng_seed(6, 1);
    for (int k = 0; k < 12; k++) {
        build(&P, &r, 50, 200, 10 + 3 * (size_t)k, 10 + 3 * (size_t)k, k % 2 ? 8 : 0);
        random_metric(&P, &r, 1e6);
        close_problem(&P);
        check_solved(&P, P.M, 1e-8);
    }
}

// far more rows meet at the vertex than there are unknowns, pushing ones among them
static void degenerate_vertices(void **state)
{
    (void)state;
    rng r = rng_seed(7, 1);
    for (int k = 0; k < 60; k++) {
        size_t n = 1 + (size_t)k % 20;
        build(&P, &r, n, 3 * n + 4, 2 * n, 3 * n, k % 3 ? 0 : 8);
        random_metric(&P, &r, 100);
        close_problem(&P);
        check_solved(&P, P.M, 1e-10);
    }
}

// every row three times, with other lengths, some also as sums of two others
static void repeated_rows(void **state)
{
    (void)state;
    rng r = rng_seed(8, 1);
    for (int k = 0; k < 60; k++) {
        size_t n = 2 + (size_t)k % 15, m = 2 * n;
        build(&P, &r, n, m, n / 2, n, 0);
        for (size_t i = 0; i < m; i++) {
            double s = pow(10, 8 * spread(&r)), t = pow(10, 8 * spread(&r));
            const double *a = P.A + i * n, *next = P.A + (i + 1) % m * n;
            for (size_t j = 0; j < n; j++) {
                P.A[(m + i) * n + j] = s * a[j];
                P.A[(2 * m + i) * n + j] = t * (a[j] + next[j]);
            }
            P.b[m + i] = s * P.b[i];
            P.b[2 * m + i] = t * (P.b[i] + P.b[(i + 1) % m]);
            P.lambda[m + i] = P.lambda[2 * m + i] = 0;
        }
        P.rows = 3 * m;
        random_metric(&P, &r, 1e3);
        close_problem(&P);
        check_solved(&P, P.M, 1e-9);
    }
}

static void equalities(void **state)
{
    (void)state;
    rng r = rng_seed(9, 1);
    for (int k = 0; k < 60; k++) {
        size_t n = 3 + (size_t)k % 15;
        build(&P, &r, n, 3 * n, n - 1, n - 1, k % 2 ? 6 : 0);
        // the second equality repeats the first, the third is their sum, and multipliers may pull
        P.equalities = 3;
        for (size_t j = 0; j < n; j++) {
            P.A[n + j] = -3 * P.A[j];
            P.A[2 * n + j] = P.A[j] + P.A[n + j];
        }
        P.b[1] = -3 * P.b[0];
        P.b[2] = P.b[0] + P.b[1];
        P.lambda[1] = 0;
        P.lambda[2] = 0;
        P.lambda[0] *= k % 3 - 1;
        random_metric(&P, &r, 1e3);
        close_problem(&P);
        check_solved(&P, P.M, 1e-9);
    }
}

// y proves the set empty: y >= 0, A^T y = 0, b.y > 0, from the data as given
static void check_proof(const problem *p, const mo_projection_info *info, const double *y)
{
    double by = 0, sum[MAX_N] = {0}, size[MAX_N] = {0};
    for (size_t i = 0; i < p->rows; i++) {
        if (i >= p->equalities)
            assert_true(y[i] >= 0);
        by += p->b[i] * y[i];
        for (size_t j = 0; j < p->n; j++) {
            sum[j] += p->A[i * p->n + j] * y[i];
            size[j] += fabs(p->A[i * p->n + j] * y[i]);
        }
    }
    assert_true(by > 0);
    assert_true(norm(p->n, sum) <= 1e-12 * norm(p->n, size));
    assert_true(info->farkas_gap > 0 && info->farkas_residual <= 1e-12 && info->empty_radius > 1);
}

static void check_empty(const problem *p, const double *M)
{
    double x[MAX_N], y[MAX_ROWS];
    mo_projection_info info = project(p, M, x, y);
    assert_int_equal(info.outcome, MO_PROJECTION_EMPTY);
    assert_true(info.empty_radius > 1e6);
    check_proof(p, &info, y);
}

static void empty_sets(void **state)
{
    (void)state;
    rng r = rng_seed(10, 1);
    for (int k = 0; k < 100; k++) {
        size_t n = 1 + (size_t)k % 20, m = 3 * n + 2, parts = n < 5 ? n : 5;
        build(&P, &r, n, m, 0, 0, k % 2 ? 8 : 0);
        random_metric(&P, &r, 1e4);
        for (size_t j = 0; j < n; j++)
            P.z[j] = 3 * spread(&r);
        // the last row is minus a positive combination of some others, asking for a little too much
        double *a = P.A + (m - 1) * n, b = 0, size = 0;
        memset(a, 0, n * sizeof *a);
        for (size_t i = 0; i < parts; i++) {
            double w = (0.1 + rng_uniform(&r)) / norm(n, P.A + i * n);
            for (size_t j = 0; j < n; j++)
                a[j] -= w * P.A[i * n + j];
            b -= w * P.b[i];
            size += fabs(w * P.b[i]);
        }
        P.b[m - 1] = b + (1e-6 + size) * (k % 3 ? 1e-6 : 1);
        check_empty(&P, k % 4 ? P.M : NULL);
    }
}

static void empty_by_equalities_and_zero_rows(void **state)
{
    (void)state;
    const double A[] = {1, 2, -2, -4, 0, 1}, zero[] = {0, 0, 1, 0};
    P.n = 2;
    P.rows = 3;
    P.equalities = 2;
    P.z[0] = P.z[1] = 5;
    memcpy(P.A, A, sizeof A);
    P.b[0] = 1, P.b[1] = -3, P.b[2] = 0;
    check_empty(&P, NULL);
    P.b[1] = -1;
    check_empty(&P, NULL);
    memcpy(P.A, zero, sizeof zero);
    P.rows = 2;
    P.equalities = 0;
    P.b[0] = 1e-300, P.b[1] = 0;
    check_empty(&P, NULL);
    // the same row without a demand is no constraint
    P.b[0] = -1e-300;
    P.x[0] = P.x[1] = 5;
    check_solved(&P, NULL, 0);
}

// rows that nearly repeat or contradict others, down to rounding: what is said of them is true all the same.
// Rows once set aside as rounding used to be forgotten when the active set moved on, and a point far outside
// was called solved.
static void nearly_dependent(void **state)
{
    (void)state;
    rng r = rng_seed(14, 1);
    int outcomes[3] = {0};
    for (int k = 0; k < 20000; k++) {
        size_t n = 1 + (size_t)(k % 12), m = 1 + (size_t)(rng_uniform(&r) * 40);
        double near = pow(10, -15 + 13 * rng_uniform(&r)), x[MAX_N], lambda[MAX_ROWS];
        build(&P, &r, n, m, 0, 0, k % 2 ? 8 : 0);
        for (size_t i = 1; i < m; i++) {
            size_t other = (size_t)(rng_uniform(&r) * (double)i);
            double sign = k % 3 && spread(&r) < 0 ? -1 : 1, length = norm(n, P.A + other * n);
            if (rng_uniform(&r) < 0.5)
                continue;
            for (size_t j = 0; j < n; j++)
                P.A[i * n + j] = sign * P.A[other * n + j] + near * length * spread(&r);
            P.b[i] = (k % 3 == 2 ? spread(&r) : -0.1 * rng_uniform(&r)) * length;
        }
        for (size_t j = 0; j < n; j++)
            P.z[j] = spread(&r) * pow(10, 3 * rng_uniform(&r));
        mo_projection_info info = project(&P, NULL, x, lambda);
        outcomes[info.outcome]++;
        if (info.outcome == MO_PROJECTION_SOLVED)
            assert_close(kkt(&P, NULL, x, lambda), 0, 1e-11);
        else if (info.outcome == MO_PROJECTION_EMPTY)
            check_proof(&P, &info, lambda);
    }
    assert_true(outcomes[MO_PROJECTION_SOLVED] > 5000 && outcomes[MO_PROJECTION_EMPTY] > 1000);
    assert_true(outcomes[MO_PROJECTION_UNDECIDED] <= 2);
}

// coordinate ascent on the dual (Hildreth 1957), identity metric; slow and simple
static void hildreth(const problem *p, double *x)
{
    double lambda[MAX_ROWS] = {0};
    memcpy(x, p->z, p->n * sizeof *x);
    for (int k = 0; k < 20000; k++) {
        double change = 0;
        for (size_t i = 0; i < p->rows; i++) {
            const double *a = p->A + i * p->n;
            double s = -p->b[i], square = 0;
            for (size_t j = 0; j < p->n; j++) {
                s += a[j] * x[j];
                square += a[j] * a[j];
            }
            double t = fmax(-s / square, -lambda[i]);
            lambda[i] += t;
            change = fmax(change, fabs(t));
            for (size_t j = 0; j < p->n; j++)
                x[j] += t * a[j];
        }
        if (change < 1e-15)
            return;
    }
}

static void like_hildreth(void **state)
{
    (void)state;
    rng r = rng_seed(11, 1);
    double slow[MAX_N], x[MAX_N], lambda[MAX_ROWS];
    for (int k = 0; k < 300; k++) {
        size_t n = 1 + (size_t)k % 6;
        build(&P, &r, n, 2 + (size_t)k % 12, 0, 0, 0);
        for (size_t j = 0; j < n; j++)
            P.z[j] = 3 * spread(&r);
        hildreth(&P, slow);
        assert_int_equal(project(&P, NULL, x, lambda).outcome, MO_PROJECTION_SOLVED);
        assert_close(kkt(&P, NULL, x, lambda), 0, 1e-14);
        for (size_t j = 0; j < n; j++)
            assert_close(x[j], slow[j], 1e-8);
    }
}

// the same metric in every storage gives the same point
static void storages(void **state)
{
    (void)state;
    rng r = rng_seed(12, 1);
    enum { N = 12, W = 3 };
    double band[N * (W + 1)], blocks[N * W], diagonal[N], x[N], y[N], lambda[MAX_ROWS];
    for (int kind = MO_METRIC_DIAGONAL; kind <= MO_METRIC_BLOCKS; kind++) {
        build(&P, &r, N, 30, 0, 0, 0);
        memset(P.M, 0, sizeof P.M);
        for (size_t i = 0; i < N; i++) {
            size_t first = kind == MO_METRIC_DIAGONAL ? i
                           : kind == MO_METRIC_BLOCKS ? i - i % W
                           : i < W                    ? 0
                                                      : i - W;
            for (size_t j = kind == MO_METRIC_DENSE ? 0 : first; j <= i; j++)
                P.M[i * N + j] = P.M[j * N + i] = i == j ? (double)N + rng_uniform(&r) : spread(&r);
            diagonal[i] = P.M[i * N + i];
            for (size_t j = 0; j <= W; j++)
                band[i * (W + 1) + j] = i + j >= W ? P.M[i * N + (i + j - W)] : nan("");
            for (size_t j = 0; j < W; j++)
                blocks[i * W + j] = i - i % W + j <= i ? P.M[i * N + (i - i % W + j)] : nan("");
            P.z[i] = 4 * spread(&r);
        }
        const double *entries[] = {NULL, diagonal, P.M, band, blocks};
        mo_metric metric = {.kind = (mo_metric_kind)kind, .width = W, .entries = entries[kind]};
        mo_polyhedron set = set_of(&P);
        project(&P, P.M, x, lambda);
        assert_true(kkt(&P, P.M, x, lambda) <= 1e-13);
        assert_int_equal(mo_polyhedron_project(&set, &metric, P.z, y, lambda, NULL, NULL), MO_OK);
        assert_true(kkt(&P, P.M, y, lambda) <= 1e-13);
        for (size_t j = 0; j < N; j++)
            assert_close(x[j], y[j], 1e-13);
    }
}

// a good guess costs nothing, a bad one changes nothing
static void guesses(void **state)
{
    (void)state;
    rng r = rng_seed(13, 1);
    double x[MAX_N], y[MAX_N];
    for (int k = 0; k < 100; k++) {
        build(&P, &r, 10, 60, 0, 0, 0);
        for (size_t j = 0; j < P.n; j++)
            P.z[j] = 3 * spread(&r);
        mo_polyhedron set = set_of(&P);
        mo_projection_info info = project(&P, NULL, x, NULL), again;
        assert_true(info.iterations > 0);
        assert_int_equal(
            mo_projector_project(projector, &set, P.z, info.active, info.active_count, y, NULL, &again, NULL),
            MO_OK);
        assert_int_equal(again.iterations, 0);
        size_t wild[20];
        for (size_t i = 0; i < 20; i++)
            wild[i] = (size_t)(rng_uniform(&r) * 70);
        double w[MAX_N];
        assert_int_equal(mo_projector_project(projector, &set, P.z, wild, 20, w, NULL, &again, NULL), MO_OK);
        assert_int_equal(again.outcome, MO_PROJECTION_SOLVED);
        for (size_t j = 0; j < P.n; j++) {
            assert_close(y[j], x[j], 1e-14);
            assert_close(w[j], x[j], 1e-13);
        }
    }
}

static void refused(void **state)
{
    (void)state;
    double A[] = {1, 0}, b[] = {0}, z[] = {1, 1}, x[] = {7, 7}, indefinite[] = {1, 2, 2, 1};
    const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL};
    mo_polyhedron set = {.n = 2, .rows = 1, .A = A, .b = b};
    mo_metric metric = {.kind = MO_METRIC_DENSE, .entries = indefinite};
    double *const places[] = {&A[0], &A[1], &b[0], &z[0]};
    for (int k = 0; k < 12; k++) {
        double *place = places[k % 4], kept = *place;
        *place = bad[k / 4];
        assert_int_equal(mo_polyhedron_project(&set, NULL, z, x, NULL, NULL, NULL), MO_BAD_INPUT);
        *place = kept;
    }
    assert_int_equal(mo_polyhedron_project(&set, &metric, z, x, NULL, NULL, NULL), MO_BAD_INPUT);
    indefinite[0] = NAN;
    assert_int_equal(mo_polyhedron_project(&set, &metric, z, x, NULL, NULL, NULL), MO_BAD_INPUT);
    metric = (mo_metric){.kind = MO_METRIC_BLOCKS, .width = 3, .entries = indefinite};
    assert_int_equal(mo_polyhedron_project(&set, &metric, z, x, NULL, NULL, NULL), MO_BAD_INPUT);
    set.equalities = 2;
    assert_int_equal(mo_polyhedron_project(&set, NULL, z, x, NULL, NULL, NULL), MO_BAD_INPUT);
    assert_true(x[0] == 7 && x[1] == 7);
    set.equalities = 0;
    // numbers at the edge of the range are ordinary
    A[0] = 1e300, b[0] = 2e300;
    assert_int_equal(mo_polyhedron_project(&set, NULL, z, x, NULL, NULL, NULL), MO_OK);
    assert_close(x[0], 2, 1e-15);
    A[0] = 1e-300, b[0] = 2e-300;
    assert_int_equal(mo_polyhedron_project(&set, NULL, z, x, NULL, NULL, NULL), MO_OK);
    assert_close(x[0], 2, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(large),
        cmocka_unit_test(degenerate_vertices),
        cmocka_unit_test(repeated_rows),
        cmocka_unit_test(equalities),
        cmocka_unit_test(empty_sets),
        cmocka_unit_test(like_hildreth),
        cmocka_unit_test(empty_by_equalities_and_zero_rows),
        cmocka_unit_test(storages),
        cmocka_unit_test(guesses),
        cmocka_unit_test(refused),
        cmocka_unit_test(nearly_dependent),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
