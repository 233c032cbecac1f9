/*
 * Nonlinear Gauss-Seidel on problems in local form: problems built around a known solution are solved by the
 * certificate, which is not the solver's; single contacts take one sweep; what it cannot do it says early.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <moreau/problem.h>

#include "solver/blocks3.h"
#include "solver/sweep_anderson.h"
#include "support/close.h"
#include "support/collection.h"

enum { MOST = 40 };

/* A problem with a solution. */
typedef struct known {
    mo_problem p;
    double r[3 * MOST], u[3 * MOST];
} known;

// r and u of one contact that obey the law: open, sticking, sliding in turn
static void obey(rng *random, int dim, int status, double mu, double *r, double *u)
{
    double t[2] = {either_way(random), dim == 3 ? either_way(random) : 0}, length = hypot(t[0], t[1]);
    for (int i = 0; i < dim; i++)
        r[i] = u[i] = 0;
    if (status == 0)
        u[0] = rng_uniform(random);
    else
        r[0] = 0.1 + rng_uniform(random);
    for (int i = 1; i < dim; i++) {
        if (status == 0)
            u[i] = t[i - 1];
        if (status == 1)
            r[i] = 0.7 * mu * r[0] * t[i - 1] / length;
        if (status == 2) {
            r[i] = mu * r[0] * t[i - 1] / length;
            u[i] = -0.5 * t[i - 1];
        }
    }
}

// W = G G', G [dim contacts, freedoms] with a few freedoms a contact, plus a skew part; q so that r solves it
static known make(rng *random, int dim, size_t contacts, size_t freedoms, double mu_most, double skew)
{
    known k;
    size_t n = (size_t)dim * contacts;
    double *G = calloc(n * freedoms, sizeof *G), *W = calloc(n * n, sizeof *W), q[3 * MOST], mu[MOST];
    assert_true(G != NULL && W != NULL && contacts <= MOST);
    for (size_t c = 0; c < contacts; c++) {
        mu[c] = mu_most * rng_uniform(random);
        obey(random, dim, (int)(c % 3), mu[c], k.r + (size_t)dim * c, k.u + (size_t)dim * c);
        for (int i = 0; i < 8; i++) {
            size_t at = rng_next(random) % freedoms;
            for (size_t d = 0; d < (size_t)dim; d++)
                G[((size_t)dim * c + d) * freedoms + at] = either_way(random);
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t l = 0; l < freedoms; l++)
                W[n * i + j] += G[freedoms * i + l] * G[freedoms * j + l] *
                                (1 + (i < j   ? skew
                                      : i > j ? -skew
                                              : 0));
    for (size_t i = 0; i < n; i++) {
        q[i] = k.u[i];
        for (size_t j = 0; j < n; j++)
            q[i] -= W[n * i + j] * k.r[j];
    }
    assert_int_equal(mo_problem_from_dense(dim, contacts, W, q, mu, &k.p, NULL), MO_OK);
    free(G);
    free(W);
    return k;
}

static mo_problem_info solve(const mo_problem *p, double tol, int max_iter, double *r)
{
    mo_problem_info info = {0};
    mo_solver_settings s = {.tol = tol, .max_iter = max_iter};
    assert_int_equal(mo_problem_solve(p, "nlgs", &s, r, NULL, &info, NULL), MO_OK);
    return info;
}

static void known_solutions_are_found(void **state)
{
    (void)state;
    rng random = rng_seed(1, 2);
    int solved = 0;
    for (int i = 0; i < 300; i++) {
        int dim = 2 + i % 2;
        size_t contacts = 1 + (size_t)i % MOST;
        known k = make(&random, dim, contacts, 3 + 6 * contacts / 2, 0.6, i % 5 == 0 ? 1e-3 : 0);
        double r[3 * MOST] = {0};
        mo_problem_info info = solve(&k.p, 1e-10, 2000, r);
        assert_string_equal(info.solver, "nlgs");
        solved += info.solved;
        assert_true(info.solved == (fmax(info.reached.residual, info.reached.residual_fclib) <= 1e-10));
        mo_problem_free(&k.p);
    }
    // there is no proof for it, but these are not hard
    assert_true(solved >= 295);
}

// far more contacts than freedoms, friction beyond mu |h| = H_nn
static void steep_and_redundant(void **state)
{
    (void)state;
    rng random = rng_seed(3, 4);
    int solved = 0;
    for (int i = 0; i < 100; i++) {
        known k = make(&random, 3, 20, 18, 2, 0);
        double r[3 * MOST] = {0};
        mo_problem_info info = solve(&k.p, 1e-6, 5000, r);
        solved += info.solved;
        mo_problem_free(&k.p);
    }
    // no method that is sure of these is known; sweeps alone get most of them
    assert_true(solved >= 75);
}

static void separate_contacts_take_one_sweep(void **state)
{
    (void)state;
    rng random = rng_seed(5, 6);
    for (int i = 0; i < 100; i++) {
        // one contact, also a steep one
        known k = make(&random, 3, 1, 9, i % 2 ? 3 : 0.5, 0);
        double r[3] = {0};
        mo_problem_info info = solve(&k.p, 1e-13, 10, r);
        assert_true(info.solved);
        assert_int_equal(info.iterations, 1);
        mo_problem_free(&k.p);
    }
    // two without coupling: the blocks diag(1, 2, 2) and diag(2, 1, 1)
    double W[36] = {0}, q[6] = {-1, 0.2, 0, -2, 3, 4}, mu[2] = {0.5, 0.3}, r[6] = {0};
    const double diagonal[6] = {1, 2, 2, 2, 1, 1}, expected[6] = {1, -0.1, 0, 1, -0.18, -0.24};
    for (int i = 0; i < 6; i++)
        W[7 * i] = diagonal[i];
    mo_problem p;
    assert_int_equal(mo_problem_from_dense(3, 2, W, q, mu, &p, NULL), MO_OK);
    assert_int_equal(solve(&p, 1e-12, 10, r).iterations, 1);
    for (int i = 0; i < 6; i++)
        assert_close(r[i], expected[i], 1e-15);
    mo_problem_free(&p);
}

static void good_guess_is_kept(void **state)
{
    (void)state;
    rng random = rng_seed(7, 8);
    known k = make(&random, 3, 30, 90, 0.6, 0);
    double r[3 * MOST];
    memcpy(r, k.r, sizeof r);
    mo_problem_info info = solve(&k.p, 1e-10, 100, r);
    assert_true(info.solved);
    assert_int_equal(info.iterations, 0);
    assert_memory_equal(r, k.r, 90 * sizeof *r);
    // and one that is off is mended
    for (int i = 0; i < 90; i++)
        r[i] += 1e-3 * either_way(&random);
    info = solve(&k.p, 1e-10, 1000, r);
    assert_true(info.solved && info.iterations > 0);
    mo_problem_free(&k.p);
}

// the best that was met comes back: twice the sweeps never make it worse
static void more_sweeps_are_no_worse(void **state)
{
    (void)state;
    rng random = rng_seed(9, 1);
    known k = make(&random, 3, 40, 60, 1.2, 0);
    double last = HUGE_VAL;
    for (int sweeps = 1; sweeps <= 64; sweeps *= 2) {
        double r[3 * MOST] = {0};
        mo_problem_info info = solve(&k.p, 1e-14, sweeps, r);
        double reached = fmax(info.reached.residual, info.reached.residual_fclib);
        assert_true(info.iterations <= sweeps);
        assert_true(reached <= last * (1 + 1e-12));
        last = reached;
    }
    mo_problem_free(&k.p);
}

// a column of contacts, W = tridiag(-1, 2, -1), q = -1: r_c = c (n + 1 - c) / 2, c = 1 ... n
static mo_problem column(size_t contacts)
{
    mo_problem p = {.dim = 2, .contacts = contacts};
    p.start = calloc(contacts + 1, sizeof *p.start);
    p.column = calloc(3 * contacts, sizeof *p.column);
    p.W = calloc(12 * contacts, sizeof *p.W);
    p.q = calloc(2 * contacts, sizeof *p.q);
    p.mu = calloc(contacts, sizeof *p.mu);
    assert_true(p.start && p.column && p.W && p.q && p.mu);
    size_t at = 0;
    for (size_t c = 0; c < contacts; c++) {
        for (size_t j = c > 0 ? c - 1 : 0; j <= c + 1 && j < contacts; j++, at++) {
            p.column[at] = (uint32_t)j;
            p.W[4 * at] = j == c ? 2 : -1;
            p.W[4 * at + 3] = 1;
        }
        p.start[c + 1] = at;
        p.q[2 * c] = -1;
    }
    return p;
}

static void column_by_closed_form(void **state)
{
    (void)state;
    mo_problem p = column(20);
    double r[40] = {0};
    mo_problem_info info = solve(&p, 1e-13, 2000, r);
    assert_true(info.solved);
    for (int c = 1; c <= 20; c++)
        assert_close(r[2 * (c - 1)], 0.5 * c * (21 - c), 1e-9);
    mo_problem_free(&p);
}

// ten thousand contacts in a column need about as many sweeps: it does not spend a thousand to find out
static void crawling_is_noticed(void **state)
{
    (void)state;
    enum { CONTACTS = 10000 };
    mo_problem p = column(CONTACTS);
    double *r = calloc(2 * CONTACTS, sizeof *r);
    mo_problem_info info = solve(&p, 1e-10, 1000, r);
    assert_false(info.solved);
    assert_true(info.iterations >= 64 && info.iterations < 1000);
    free(r);
    mo_problem_free(&p);
}

static void odd_problems(void **state)
{
    (void)state;
    // a contact that nothing moves, and one that hangs on it; the first is open
    double W[36] = {0}, mu[2] = {0, 0.5}, q[6] = {0.5, 1, 1, -1, 0, 0}, r[6] = {0};
    W[7 * 3] = W[7 * 4] = W[7 * 5] = 2;
    mo_problem p;
    assert_int_equal(mo_problem_from_dense(3, 2, W, q, mu, &p, NULL), MO_OK);
    mo_problem_info info = solve(&p, 1e-12, 10, r);
    assert_true(info.solved);
    assert_close(r[0], 0, 0);
    assert_close(r[3], 0.5, 0);
    mo_problem_free(&p);
    // pressed, it cannot be solved, and this is said
    q[0] = -0.5;
    assert_int_equal(mo_problem_from_dense(3, 2, W, q, mu, &p, NULL), MO_OK);
    info = solve(&p, 1e-12, 100, r);
    assert_false(info.solved);
    for (int i = 0; i < 6; i++)
        assert_true(isfinite(r[i]));
    mo_problem_free(&p);
    // no tolerance at all: ends by itself with what doubles can do
    rng random = rng_seed(2, 2);
    known k = make(&random, 3, 6, 30, 0.5, 0);
    double x[3 * MOST] = {0};
    info = solve(&k.p, 0, 1000, x);
    assert_true(info.reached.residual < 1e-14);
    mo_problem_free(&k.p);
}

// real problems to 1e-8, with sweeps to spare; the single contact is unsymmetric, the tower of rank 504 of
// 1710
static void real_problems(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int sweeps;
    } files[] = {{"Rover11211", 1},
                 {"Rover1039", 16},
                 {"LMGC_GlobalFrictionContactProblem00046", 10},
                 {"FrictionContactProblem00727", 200},
                 {"fc2d_granularflowonwall_00667_00000", 60},
                 {"Confeti-ex03-Fc3D-SBM", 60},
                 {"LMGC_100_PR_PerioBox-i00361-60-03000", 150},
                 {"Spheres-i099-356-679", 100},
                 {"OneObject-i1028-138", 200},
                 {"OneObject-i100000-499", 1000},
                 {"Capsules-i100-889", 300},
                 {"KaplasTower-i1061-4", 400}};
    if (collection_folder() == NULL)
        skip();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[1200];
        mo_problem_file file;
        snprintf(path, sizeof path, "%s/%s.hdf5", collection_folder(), files[i].name);
        assert_int_equal(mo_problem_read(path, &file, NULL), MO_OK);
        double *r = calloc((size_t)file.local.dim * file.local.contacts, sizeof *r);
        mo_problem_info info = solve(&file.local, 1e-8, files[i].sweeps, r);
        if (!info.solved)
            print_message("%s: %g after %d sweeps\n", files[i].name, info.reached.residual, info.iterations);
        assert_true(info.solved);
        free(r);
        mo_problem_file_free(&file);
    }
}

// a linear map of 6 unknowns: the fixed point after 7 images, whatever the metric, as 6 differences and more
// are kept
static void extrapolation_of_a_linear_map(void **state)
{
    (void)state;
    enum { N = 6 };
    rng random = rng_seed(4, 4);
    double M[N][N], fixed[N], weight[N], r[N] = {0}, image[N], room[1000];
    assert_true(sweep_anderson_room(N) <= sizeof room / sizeof *room);
    for (int i = 0; i < N; i++) {
        fixed[i] = either_way(&random);
        weight[i] = 0.5 + rng_uniform(&random);
        for (int j = 0; j < N; j++)
            M[i][j] = either_way(&random) / 2;
    }
    sweep_anderson a;
    sweep_anderson_place(&a, N, weight, room, NULL);
    sweep_anderson_start(&a, r);
    for (int step = 0; step < N + 1; step++) {
        for (int i = 0; i < N; i++) {
            image[i] = fixed[i];
            for (int j = 0; j < N; j++)
                image[i] += M[i][j] * (r[j] - fixed[j]);
        }
        memcpy(r, image, sizeof r);
        sweep_anderson_take(&a, r);
        sweep_anderson_next(&a, r);
    }
    // normal equations keep half of the digits
    for (int i = 0; i < N; i++)
        assert_close(r[i], fixed[i], 1e-6);
}

// a change of more than three times the least one: nothing is remembered, and the next image is not moved
static void extrapolation_that_strays(void **state)
{
    (void)state;
    double weight = 1, r = 0, room[100];
    sweep_anderson a;
    assert_true(sweep_anderson_room(1) <= sizeof room / sizeof *room);
    sweep_anderson_place(&a, 1, &weight, room, NULL);
    sweep_anderson_start(&a, &r);
    const double change[4] = {5, 1, 2.9, 3.1};
    for (int k = 0; k < 4; k++) {
        r = k + 1;
        assert_true(sweep_anderson_trusts(&a, change[k], &r) == (k < 3));
        if (k < 3)
            sweep_anderson_take(&a, &r);
    }
    assert_true(r == 4 && sweep_anderson_trusts(&a, 1e9, &r));
    // f of the point 4 and its image 7; the first one of a new row of images stays
    r = 7;
    assert_true(sweep_anderson_take(&a, &r) == 9);
    sweep_anderson_next(&a, &r);
    assert_true(r == 7);
}

enum { LONG = 40003, IMAGES = 3 };

// x . y in the metric
static double plain_dot(const double *weight, const double *x, const double *y)
{
    double sum = 0;
    for (size_t i = 0; i < LONG; i++)
        sum += weight[i] * x[i] * y[i];
    return sum;
}

// images of three points without any rule, which the extrapolation moves
static void take_images(double *weight, double *image, double *point, double *room, pool *threads)
{
    rng random = rng_seed(5, 5);
    double r[LONG];
    sweep_anderson a;
    for (size_t i = 0; i < LONG; i++) {
        weight[i] = 0.5 + rng_uniform(&random);
        r[i] = either_way(&random);
    }
    sweep_anderson_place(&a, LONG, weight, room, threads);
    sweep_anderson_start(&a, r);
    for (int k = 0; k < IMAGES; k++) {
        memcpy(point + (size_t)k * LONG, r, sizeof r);
        for (size_t i = 0; i < LONG; i++)
            image[(size_t)k * LONG + i] = r[i] = 0.3 * r[i] + 0.1 * (k + 1) * either_way(&random);
        sweep_anderson_take(&a, r);
        sweep_anderson_next(&a, r);
    }
    memcpy(point + (size_t)IMAGES * LONG, r, sizeof r);
}

// over blocks and chunks: the last point is T2 - c0 (T1 - T0) - c1 (T2 - T1), c the least squares of f2
static void extrapolation_of_long_vectors(void **state)
{
    (void)state;
    double *all = calloc(2 * (2 * IMAGES + 2) * (size_t)LONG + sweep_anderson_room(LONG), sizeof *all);
    double *weight = all, *image = weight + LONG, *point = image + IMAGES * LONG, *other = point + 4 * LONG,
           *f = other + 4 * LONG, *room = all + 2 * (2 * IMAGES + 2) * (size_t)LONG;
    pool *threads = pool_create(3);
    take_images(weight, image, point, room, NULL);
    // f0, f1 - f0, f2 - f1, f2
    for (size_t i = 0; i < LONG; i++) {
        double now[IMAGES];
        for (size_t k = 0; k < IMAGES; k++)
            now[k] = image[k * LONG + i] - point[k * LONG + i];
        f[i] = now[1] - now[0], f[LONG + i] = now[2] - now[1], f[2 * LONG + i] = now[2];
    }
    double G[3] = {plain_dot(weight, f, f), plain_dot(weight, f, f + LONG),
                   plain_dot(weight, f + LONG, f + LONG)},
           b[2] = {plain_dot(weight, f, f + 2 * LONG), plain_dot(weight, f + LONG, f + 2 * LONG)},
           det = G[0] * G[2] - G[1] * G[1],
           c[2] = {(G[2] * b[0] - G[1] * b[1]) / det, (G[0] * b[1] - G[1] * b[0]) / det};
    for (size_t i = 0; i < LONG; i++)
        assert_close(point[3 * LONG + i],
                     image[2 * LONG + i] - c[0] * (image[LONG + i] - image[i]) -
                         c[1] * (image[2 * LONG + i] - image[LONG + i]),
                     1e-10);
    // above: sums of LONG terms are wrong by up to LONG 2^-53 = 4e-12, and the two differences are far from
    // parallel threads do not change a bit
    take_images(weight, image, other, room, threads);
    assert_memory_equal(point, other, 4 * LONG * sizeof *point);
    pool_destroy(threads);
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_solutions_are_found),
        cmocka_unit_test(steep_and_redundant),
        cmocka_unit_test(separate_contacts_take_one_sweep),
        cmocka_unit_test(good_guess_is_kept),
        cmocka_unit_test(more_sweeps_are_no_worse),
        cmocka_unit_test(column_by_closed_form),
        cmocka_unit_test(crawling_is_noticed),
        cmocka_unit_test(odd_problems),
        cmocka_unit_test(real_problems),
        cmocka_unit_test(extrapolation_of_a_linear_map),
        cmocka_unit_test(extrapolation_that_strays),
        cmocka_unit_test(extrapolation_of_long_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
