/*
 * Projection onto large sparse polyhedra: problems built from a known answer in every metric, degenerate,
 * repeated and dependent rows, equalities, empty sets with their proofs, starts, bad input.
 * KKT residuals and proofs are recomputed here; the dense method is a second opinion.
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

#include "convex/one_projector.h"
#include "core/rng.h"
#include "support/close.h"

enum { N = 160, ROWS = 500, PER_ROW = 5, WIDTH = 4 };

typedef struct problem {
    size_t n, rows, equalities, start[ROWS + 1];
    uint32_t column[ROWS * PER_ROW];
    double A[ROWS * PER_ROW], b[ROWS], z[N];
    double x[N], lambda[ROWS]; /* the answer it was built from */
    double M[N][N];
    double entries[N * (WIDTH + 1)]; /* of the metric, as stored */
    mo_metric metric;
} problem;

static problem P;

static double spread(rng *r)
{
    return 2 * rng_uniform(r) - 1;
}

static mo_polyhedron set_of(const problem *p)
{
    return (mo_polyhedron){p->n, p->rows, p->equalities, p->A, p->b, p->start, p->column};
}

// a metric of the given kind; rows dominate, so that it is definite
static void build_metric(problem *p, rng *r, mo_metric_kind kind)
{
    memset(p->M, 0, sizeof p->M);
    for (size_t i = 0; i < p->n; i++) {
        p->M[i][i] = kind == MO_METRIC_IDENTITY ? 1 : WIDTH + pow(10, 2 * rng_uniform(r));
        for (size_t j = 0; j < i; j++)
            if ((kind == MO_METRIC_BANDED && i - j <= WIDTH) ||
                (kind == MO_METRIC_BLOCKS && i / WIDTH == j / WIDTH))
                p->M[i][j] = p->M[j][i] = 0.5 * spread(r);
    }
    for (size_t i = 0; i < p->n; i++) {
        if (kind == MO_METRIC_DIAGONAL)
            p->entries[i] = p->M[i][i];
        for (size_t k = 0; kind == MO_METRIC_BANDED && k <= WIDTH; k++)
            p->entries[i * (WIDTH + 1) + k] = i + k >= WIDTH ? p->M[i][i + k - WIDTH] : nan("");
        for (size_t k = 0; kind == MO_METRIC_BLOCKS && k < WIDTH; k++)
            p->entries[i * WIDTH + k] = p->M[i][i - i % WIDTH + k];
    }
    p->metric = (mo_metric){.kind = kind, .width = WIDTH, .entries = p->entries};
}

// x := M^-1 x by Gauss and Seidel's iteration; M dominates
static void solve_metric(const problem *p, double *x)
{
    double b[N];
    memcpy(b, x, sizeof b);
    for (int k = 0; k < 200; k++)
        for (size_t i = 0; i < p->n; i++) {
            double sum = b[i];
            for (size_t j = 0; j < p->n; j++)
                sum -= j != i ? p->M[i][j] * x[j] : 0;
            x[i] = sum / p->M[i][i];
        }
}

// z = x - M^-1 A^T lambda
static void close_problem(problem *p)
{
    double force[N] = {0};
    for (size_t i = 0; i < p->rows; i++)
        for (size_t k = p->start[i]; k < p->start[i + 1]; k++)
            force[p->column[k]] += p->A[k] * p->lambda[i];
    solve_metric(p, force);
    for (size_t j = 0; j < p->n; j++)
        p->z[j] = p->x[j] - force[j];
}

static double row_times(const problem *p, size_t i, const double *x)
{
    double sum = 0;
    for (size_t k = p->start[i]; k < p->start[i + 1]; k++)
        sum += p->A[k] * x[p->column[k]];
    return sum;
}

// random rows near the diagonal, `held` of them pushing at x, `touching` through it
static void build_rows(problem *p, rng *r, size_t held, size_t touching, double decades)
{
    p->start[0] = 0;
    for (size_t j = 0; j < p->n; j++)
        p->x[j] = spread(r);
    for (size_t i = 0; i < p->rows; i++) {
        size_t at = p->start[i], column = (size_t)(rng_uniform(r) * (double)(p->n - 30)), k = 0;
        double scale = pow(10, decades * spread(r));
        for (; k < 1 + i % PER_ROW; k++) {
            p->A[at + k] = scale * spread(r);
            p->column[at + k] = (uint32_t)column;
            column += 1 + (size_t)(rng_uniform(r) * 6);
        }
        p->start[i + 1] = at + k;
        p->lambda[i] = i < held ? rng_uniform(r) / scale : 0;
        p->b[i] = row_times(p, i, p->x) - (i < touching ? 0 : rng_uniform(r) * scale);
    }
}

static void build(problem *p, rng *r, size_t held, size_t touching, double decades, mo_metric_kind kind)
{
    p->n = N;
    p->rows = ROWS;
    p->equalities = 0;
    build_rows(p, r, held, touching, decades);
    build_metric(p, r, kind);
    close_problem(p);
}

// worst relative KKT residual of (x, lambda), by this file's own sums
static double kkt(const problem *p, const double *x, const double *lambda)
{
    double worst = 0, force[N] = {0}, miss = 0, total = 0, size = 0;
    for (size_t j = 0; j < p->n; j++)
        size += fabs(x[j]) + fabs(p->z[j]);
    for (size_t i = 0; i < p->rows; i++) {
        double slack = row_times(p, i, x) - p->b[i], scale = 1e-300, length = 0;
        for (size_t k = p->start[i]; k < p->start[i + 1]; k++) {
            force[p->column[k]] += p->A[k] * lambda[i];
            length = fmax(length, fabs(p->A[k]));
        }
        scale += fabs(p->b[i]) + length * size;
        total = fmax(total, fabs(lambda[i]) * length);
        worst = fmax(worst, (i < p->equalities ? fabs(slack) : -slack) / scale);
        if (lambda[i] != 0)
            worst = fmax(worst, fabs(slack) / scale);
        assert_true(i < p->equalities || lambda[i] >= 0);
    }
    for (size_t j = 0; j < p->n; j++) {
        for (size_t k = 0; k < p->n; k++)
            force[j] -= p->M[j][k] * (x[k] - p->z[k]);
        miss = fmax(miss, fabs(force[j]));
    }
    // x - z is known to rounding in x and z, times the metric's size
    return fmax(worst, miss / (total + 1e2));
}

static mo_projection_info project(const problem *p, const size_t *guess, size_t guess_count, double *x,
                                  double *lambda)
{
    mo_polyhedron set = set_of(p);
    mo_projection_info info;
    mo_error err;
    assert_int_equal(mo_projector_set_metric(projector, p->n, &p->metric, &err), MO_OK);
    assert_int_equal(mo_projector_project(projector, &set, p->z, guess, guess_count, x, lambda, &info, &err),
                     MO_OK);
    assert_true(info.large);
    return info;
}

// how far x may be from the answer x*: (x - x*).M(x - x*) = sum of (lambda - lambda*)_i a_i.(x - x*) is at
// most the sum of lambda*_i times violations and lambda_i times slacks
static double distance_bound(const problem *p, const double *x, const double *lambda)
{
    double sum = 0;
    for (size_t i = 0; i < p->rows; i++)
        sum += (fabs(p->lambda[i]) + fabs(lambda[i])) * fabs(fmin(row_times(p, i, x) - p->b[i], 0)) +
               fabs(lambda[i] * (row_times(p, i, x) - p->b[i]));
    return sqrt(sum);
}

static void check_solved(const problem *p, double tolerance)
{
    double x[N], lambda[ROWS];
    mo_projection_info info = project(p, NULL, 0, x, lambda);
    assert_int_equal(info.outcome, MO_PROJECTION_SOLVED);
    assert_true(info.violation <= 1e-10 && info.slack <= 1e-10 && info.stationarity <= 1e-10);
    assert_true(kkt(p, x, lambda) <= 1e-11);
    // the second term: rounding in z
    double bound = distance_bound(p, x, lambda) + 1e-12;
    for (size_t j = 0; j < p->n; j++)
        assert_close(x[j], p->x[j], fmin(bound, tolerance));
    for (size_t k = 0; k < info.active_count; k++)
        assert_true(lambda[info.active[k]] != 0);
}

static const mo_metric_kind kinds[] = {MO_METRIC_IDENTITY, MO_METRIC_DIAGONAL, MO_METRIC_BANDED,
                                       MO_METRIC_BLOCKS};

static void known_answers(void **state)
{
    (void)state;
    rng r = rng_seed(61, 1);
    const double decades[] = {0, 3, 6};
    for (int k = 0; k < 48; k++) {
        size_t held = (size_t)(rng_uniform(&r) * 120);
        build(&P, &r, held, held, decades[k % 3], kinds[k % 4]);
        check_solved(&P, 1e-7);
    }
}

// more rows push, and far more meet at x, than there are unknowns
static void degenerate_vertices(void **state)
{
    (void)state;
    rng r = rng_seed(62, 1);
    for (int k = 0; k < 24; k++) {
        build(&P, &r, 250, 400, k % 2 ? 2 : 0, kinds[k / 2 % 4]);
        check_solved(&P, 1e-7);
    }
}

// the second half of the rows repeats the first with other lengths
static void repeated_rows(void **state)
{
    (void)state;
    rng r = rng_seed(63, 1);
    for (int k = 0; k < 24; k++) {
        build(&P, &r, 60, 60, 0, kinds[k % 4]);
        for (size_t i = 0; i < ROWS / 2; i++) {
            size_t to = ROWS / 2 + i, at = P.start[to];
            double s = pow(10, 6 * spread(&r));
            for (size_t l = 0; l < P.start[i + 1] - P.start[i]; l++) {
                P.A[at + l] = s * P.A[P.start[i] + l];
                P.column[at + l] = P.column[P.start[i] + l];
            }
            P.start[to + 1] = at + (P.start[i + 1] - P.start[i]);
            P.b[to] = s * P.b[i];
        }
        check_solved(&P, 1e-7);
    }
}

// multipliers of equalities may pull; the second one repeats the first, one row is empty and says 0 = 0
static void equalities(void **state)
{
    (void)state;
    rng r = rng_seed(64, 1);
    for (int k = 0; k < 24; k++) {
        build(&P, &r, 80, 80, k % 2 ? 3 : 0, kinds[k % 4]);
        P.equalities = 20;
        for (size_t i = 0; i < 20; i++)
            P.lambda[i] *= i % 2 ? 1 : -1;
        size_t at = P.start[10], count = P.start[11] - at;
        for (size_t l = 0; l < count; l++) {
            P.A[P.start[15] + l] = -2 * P.A[at + l];
            P.column[P.start[15] + l] = P.column[at + l];
        }
        P.b[15] = -2 * P.b[10];
        for (size_t l = P.start[7]; l < P.start[8]; l++)
            P.A[l] = 0;
        P.b[7] = P.lambda[7] = 0;
        close_problem(&P);
        check_solved(&P, 1e-7);
    }
}

static void check_proof(const problem *p)
{
    double x[N], y[ROWS], by = 0, sum[N] = {0}, size = 0;
    mo_projection_info info = project(p, NULL, 0, x, y);
    assert_int_equal(info.outcome, MO_PROJECTION_EMPTY);
    assert_true(info.farkas_gap > 0 && info.farkas_residual <= 1e-10 && info.empty_radius > 1);
    for (size_t i = 0; i < p->rows; i++) {
        assert_true(i < p->equalities || y[i] >= 0);
        by += p->b[i] * y[i];
        for (size_t k = p->start[i]; k < p->start[i + 1]; k++) {
            sum[p->column[k]] += p->A[k] * y[i];
            size += fabs(p->A[k] * y[i]);
        }
    }
    assert_true(by > 0);
    for (size_t j = 0; j < p->n; j++)
        assert_true(fabs(sum[j]) <= 1e-9 * size);
}

// two rows side by side that miss each other by little, in an otherwise ordinary problem
static void narrow_contradictions(void **state)
{
    (void)state;
    rng r = rng_seed(70, 1);
    for (int k = 0; k < 36; k++) {
        build(&P, &r, 60, 60, 0, kinds[k % 4]);
        size_t i = 5 * ((size_t)k % 11) + 4, j = 5 * (size_t)k + 64, count = P.start[i + 1] - P.start[i];
        double miss = pow(10, -1 - k / 4), largest = 0;
        for (size_t l = 0; l < count; l++) {
            P.column[P.start[j] + l] = P.column[P.start[i] + l];
            P.A[P.start[j] + l] = -2 * P.A[P.start[i] + l];
            largest = fmax(largest, fabs(P.A[P.start[i] + l]));
        }
        P.b[j] = -2 * P.b[i];
        // just no contradiction, then just one
        check_solved(&P, 1e-7);
        P.b[j] += miss * largest;
        // relative to z, which has entries up to a hundred
        if (miss > 3e-8)
            check_proof(&P);
    }
}

// the last row is minus a positive combination of three others with columns in common, asking too much
static void empty_sets(void **state)
{
    (void)state;
    rng r = rng_seed(65, 1);
    const double much[] = {1, 1e-3, 1e-6};
    for (int k = 0; k < 24; k++) {
        build(&P, &r, 0, 0, 0, kinds[k % 4]);
        for (size_t j = 0; j < P.n; j++)
            P.z[j] = 3 * spread(&r);
        size_t at = P.start[ROWS - 1];
        double b = 0;
        for (uint32_t l = 0; l < PER_ROW; l++) {
            P.A[at + l] = 0;
            P.column[at + l] = 50 + l;
        }
        P.start[ROWS] = at + PER_ROW;
        for (size_t i = 4; i < 19; i += 5) {
            double w = 0.1 + rng_uniform(&r);
            for (uint32_t l = 0; l < PER_ROW; l++) {
                P.column[P.start[i] + l] = 50 + l;
                P.A[at + l] -= w * P.A[P.start[i] + l];
            }
            b -= w * P.b[i];
        }
        P.b[ROWS - 1] = b + much[k % 3];
        check_proof(&P);
    }
    // a row without entries that asks for something; equalities that contradict each other
    build(&P, &r, 0, 0, 0, MO_METRIC_IDENTITY);
    P.A[0] = 0;
    P.b[0] = 1e-200;
    check_proof(&P);
    P.A[0] = 1;
    P.equalities = 6;
    P.b[0] = 0.3, P.b[5] = 0.7;
    P.column[0] = P.column[P.start[5]] = 12;
    P.A[P.start[5]] = 1;
    check_proof(&P);
}

// the same rows given dense go to the active-set method
static void like_the_dense_method(void **state)
{
    (void)state;
    static double A[ROWS * N], x[N], y[N], lambda[ROWS];
    rng r = rng_seed(66, 1);
    for (int k = 0; k < 12; k++) {
        build(&P, &r, 0, 0, 0, kinds[k % 4]);
        for (size_t j = 0; j < N; j++)
            P.z[j] = P.x[j] + spread(&r);
        memset(A, 0, sizeof A);
        for (size_t i = 0; i < ROWS; i++)
            for (size_t l = P.start[i]; l < P.start[i + 1]; l++)
                A[i * N + P.column[l]] = P.A[l];
        mo_polyhedron dense = {.n = N, .rows = ROWS, .A = A, .b = P.b};
        mo_projection_info info;
        assert_int_equal(project(&P, NULL, 0, x, lambda).outcome, MO_PROJECTION_SOLVED);
        assert_int_equal(mo_projector_project(projector, &dense, P.z, NULL, 0, y, NULL, &info, NULL), MO_OK);
        assert_true(info.outcome == MO_PROJECTION_SOLVED && !info.large);
        for (size_t j = 0; j < N; j++)
            assert_close(x[j], y[j], 1e-9);
    }
}

// sparse rows of a small problem are made dense: the same bits as dense rows
static void small_problems(void **state)
{
    (void)state;
    const double A[] = {1, 2, -1, 3, 0.5}, dense[] = {1, 0, 2, 0, -1, 0, 3, 0, 0.5}, b[] = {1, 0.2, 3};
    const size_t start[] = {0, 2, 3, 5};
    const uint32_t column[] = {0, 2, 1, 0, 2};
    const double z[] = {-1, 0.5, 0.3};
    double x[3], y[3], l[3], m[3];
    mo_polyhedron sparse = {3, 3, 0, A, b, start, column}, same = {.n = 3, .rows = 3, .A = dense, .b = b};
    assert_int_equal(mo_polyhedron_project(&sparse, NULL, z, x, l, NULL, NULL), MO_OK);
    assert_int_equal(mo_polyhedron_project(&same, NULL, z, y, m, NULL, NULL), MO_OK);
    assert_memory_equal(x, y, sizeof x);
    assert_memory_equal(l, m, sizeof l);
}

// good starts are quick, bad ones change nothing; a start serves one call; the same call gives the same bits
static void starts(void **state)
{
    (void)state;
    double x[N], y[N], lambda[ROWS], again[ROWS], wild[ROWS];
    size_t guess[40];
    rng r = rng_seed(67, 1);
    for (int k = 0; k < 12; k++) {
        build(&P, &r, 90, 90, 0, kinds[k % 4]);
        mo_projection_info info = project(&P, NULL, 0, x, lambda), warm;
        assert_true(info.iterations > 8);
        assert_int_equal(mo_projector_set_start(projector, lambda, ROWS, NULL), MO_OK);
        warm = project(&P, NULL, 0, y, again);
        assert_true(warm.outcome == MO_PROJECTION_SOLVED && warm.iterations <= 6);
        for (size_t j = 0; j < N; j++)
            assert_close(y[j], x[j], 1e-10);
        warm = project(&P, warm.active, warm.active_count, y, NULL);
        assert_true(warm.outcome == MO_PROJECTION_SOLVED && warm.iterations < info.iterations);
        for (size_t i = 0; i < ROWS; i++)
            wild[i] = 100 * spread(&r);
        for (size_t i = 0; i < 40; i++)
            guess[i] = (size_t)(rng_uniform(&r) * 600);
        assert_int_equal(mo_projector_set_start(projector, wild, ROWS, NULL), MO_OK);
        assert_int_equal(project(&P, NULL, 0, y, NULL).outcome, MO_PROJECTION_SOLVED);
        for (size_t j = 0; j < N; j++)
            assert_close(y[j], x[j], 1e-9);
        assert_int_equal(project(&P, guess, 40, y, NULL).outcome, MO_PROJECTION_SOLVED);
        for (size_t j = 0; j < N; j++)
            assert_close(y[j], x[j], 1e-9);
        assert_int_equal(mo_projector_set_start(projector, wild, ROWS - 1, NULL), MO_OK);
        assert_int_equal(project(&P, NULL, 0, y, again).iterations, info.iterations);
        assert_memory_equal(x, y, sizeof x);
        assert_memory_equal(lambda, again, sizeof lambda);
    }
    wild[3] = NAN;
    assert_int_equal(mo_projector_set_start(projector, wild, ROWS, NULL), MO_BAD_INPUT);
}

static void refused(void **state)
{
    (void)state;
    double x[N];
    rng r = rng_seed(68, 1);
    mo_error err;
    build(&P, &r, 0, 0, 0, MO_METRIC_IDENTITY);
    mo_polyhedron set = set_of(&P);
    for (size_t j = 0; j < N; j++)
        x[j] = 7;
    const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL};
    double *const places[] = {&P.A[100], &P.b[3], &P.z[20]};
    for (int k = 0; k < 9; k++) {
        double *place = places[k % 3], kept = *place;
        *place = bad[k / 3];
        assert_int_equal(mo_polyhedron_project(&set, NULL, P.z, x, NULL, NULL, &err), MO_BAD_INPUT);
        *place = kept;
    }
    uint32_t kept = P.column[6];
    P.column[6] = N;
    assert_int_equal(mo_polyhedron_project(&set, NULL, P.z, x, NULL, NULL, &err), MO_BAD_INPUT);
    P.column[6] = kept;
    // row 3 has entries 3, 4, 5: columns that do not rise
    P.column[4] = P.column[3];
    assert_int_equal(mo_polyhedron_project(&set, NULL, P.z, x, NULL, NULL, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "column");
    build(&P, &r, 0, 0, 0, MO_METRIC_IDENTITY);
    P.start[5] = P.start[4] - 1;
    assert_int_equal(mo_polyhedron_project(&set, NULL, P.z, x, NULL, NULL, &err), MO_BAD_INPUT);
    set.column = NULL;
    assert_int_equal(mo_polyhedron_project(&set, NULL, P.z, x, NULL, NULL, &err), MO_BAD_INPUT);
    for (size_t j = 0; j < N; j++)
        assert_true(x[j] == 7);
}

// rows at the edge of the range, and z inside the set, which stays as it is to the last bit
static void extremes(void **state)
{
    (void)state;
    double x[N];
    rng r = rng_seed(69, 1);
    for (int k = 0; k < 4; k++) {
        build(&P, &r, 60, 60, 0, kinds[k]);
        for (size_t i = 0; i < ROWS; i += 3) {
            double s = i % 2 ? 0x1p900 : 0x1p-900;
            for (size_t l = P.start[i]; l < P.start[i + 1]; l++)
                P.A[l] *= s;
            P.b[i] *= s;
        }
        mo_projection_info info = project(&P, NULL, 0, x, NULL);
        assert_int_equal(info.outcome, MO_PROJECTION_SOLVED);
        for (size_t j = 0; j < N; j++)
            assert_close(x[j], P.x[j], 1e-8);
        build(&P, &r, 0, 0, 0, kinds[k]);
        info = project(&P, NULL, 0, x, NULL);
        assert_true(info.outcome == MO_PROJECTION_SOLVED && info.active_count == 0 && info.violation == 0);
        assert_memory_equal(x, P.z, sizeof x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(degenerate_vertices),
        cmocka_unit_test(repeated_rows),
        cmocka_unit_test(equalities),
        cmocka_unit_test(empty_sets),
        cmocka_unit_test(narrow_contradictions),
        cmocka_unit_test(like_the_dense_method),
        cmocka_unit_test(small_problems),
        cmocka_unit_test(starts),
        cmocka_unit_test(refused),
        cmocka_unit_test(extremes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
