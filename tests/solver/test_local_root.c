/* Linear systems over bodies against the same systems over contacts, and what is solved with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "problem/delassus.h"
#include "solver/local_linear.h"
#include "support/close.h"
#include "support/packing3.h"

/*
 * Bodies in a row that touch in `points` points each time, the first one a boundary: faces of blocks, W being
 * of rank 6 or 3 for each body.
 */
static step_problem row_of_blocks(arena *a, int dim, size_t count, size_t points, uint64_t seed)
{
    rng r = rng_seed(seed, 3);
    step_problem p = {.dim = dim, .bodies = count, .contacts = count * points};
    p.contact = arena_push_zero(a, p.contacts, sizeof *p.contact);
    p.row3 = arena_push_zero(a, p.contacts, sizeof *p.row3);
    p.mu = arena_push_zero(a, p.contacts, sizeof *p.mu);
    p.velocity = arena_push_zero(a, count, sizeof *p.velocity);
    p.velocity3 = arena_push_zero(a, count, sizeof *p.velocity3);
    double *u = arena_push_zero(a, 6 * count, sizeof *u);
    p.u_free = u;
    for (size_t b = 0; b < count; b++) {
        for (int k = 0; k < 3; k++)
            p.velocity[b].inv[k] = p.velocity3[b].inv_m[k] = 1 + rng_uniform(&r);
        const double I[6] = {5, 0.4, -0.3, 6, 0.2, 7};
        memcpy(p.velocity3[b].inv_I, I, sizeof I);
        for (int k = 0; k < (dim == 2 ? 3 : 6); k++)
            u[(dim == 2 ? 3 : 6) * b + (size_t)k] = (k == 0 ? -1 : 0) + 0.3 * random_sign(&r);
    }
    for (size_t i = 0; i < p.contacts; i++) {
        const uint32_t body = (uint32_t)(i / points), other = body == 0 ? UINT32_MAX : body - 1;
        const double y = random_sign(&r), z = random_sign(&r);
        const bool two = other != UINT32_MAX;
        p.contact[i] =
            (contact2){.n = {1, 0}, .body = {body, other}, .arm = {-y, -0.5, two ? -y : 0, two ? 0.5 : 0}};
        p.row3[i] = (contact_row3){
            .n = {1, 0, 0}, .t = {0, 1, 0}, .ratio = 1, .body = {body, other}, .r1 = {-0.5, y, z}};
        for (int k = 0; two && k < 3; k++)
            p.row3[i].r2[k] = k == 0 ? 0.5 : k == 1 ? y : z;
        p.mu[i] = 0.2 + 0.6 * rng_uniform(&r);
    }
    return p;
}

// A and B as Newton's function has them: open, sticking and sliding contacts
static void make_law(int dim, size_t contacts, rng *r, double *A, double *B)
{
    const size_t n = (size_t)dim, square = n * n;
    memset(A, 0, contacts * square * sizeof *A);
    memset(B, 0, contacts * square * sizeof *B);
    for (size_t c = 0; c < contacts; c++) {
        const size_t state = c % 3;
        const double turn = 7 * rng_uniform(r), t[3] = {0, dim == 2 ? 1 : cos(turn), sin(turn)};
        const double part = 0.9 * rng_uniform(r), mu = 0.5;
        double *a = A + square * c, *b = B + square * c;
        a[0] = state == 0;
        b[0] = state != 0;
        for (size_t i = 1; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                const double unit = i == j, slip = dim == 3 && j > 0 ? part * (unit - t[i] * t[j]) : 0;
                a[n * i + j] = state == 1 ? 0 : state == 0 ? unit : unit - slip - (j == 0 ? mu * t[i] : 0);
                b[n * i + j] = state == 1 ? unit : state == 0 ? 0 : slip + (j == 0 ? mu * t[i] : 0);
            }
    }
}

// what is left of b, over what is added up for it
static double backward_error(const mo_problem *m, const double *A, const double *B, double alpha,
                             const double *b, const double *x, double *y)
{
    const size_t n = (size_t)m->dim, square = n * n;
    double left = 0, size = 0;
    local_velocity(m, x, y);
    for (size_t i = 0; i < n * m->contacts; i++)
        y[i] += alpha * x[i] - m->q[i];
    for (size_t i = 0; i < n * m->contacts; i++) {
        double sum = b[i], all = fabs(b[i]);
        for (size_t j = 0; j < n; j++) {
            const size_t at = i / n * square + i % n * n + j;
            sum -= A[at] * x[i / n * n + j] + B[at] * y[i / n * n + j];
            all += fabs(A[at] * x[i / n * n + j]) + fabs(B[at] * y[i / n * n + j]);
        }
        left = fmax(left, fabs(sum));
        size = fmax(size, all);
    }
    return left / size;
}

// 1 + the largest sum of a row of |W|, which is no less than its norm
static double norm(const mo_problem *m)
{
    const size_t n = (size_t)m->dim;
    double most = 0;
    for (size_t i = 0; i < n * m->contacts; i++) {
        double sum = 0;
        for (size_t k = m->start[i / n]; k < m->start[i / n + 1]; k++)
            for (size_t j = 0; j < n; j++)
                sum += fabs(m->W[n * n * k + i % n * n + j]);
        most = fmax(most, sum);
    }
    return 1 + most;
}

/*
 * The systems themselves.  What is left of b is B R times what is left of the system over bodies, whose
 * matrix is I + R* C^-1 B R, C^-1 B being up to 1 / alpha: roundings of 1e-16 |W| / alpha, a few of them.
 */
static void systems(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        arena a = {0};
        rng r = rng_seed(seed, 9);
        const int dim = 2 + (int)(seed % 2);
        const step_problem p = row_of_blocks(&a, dim, 1 + seed % 9, 2 + seed % 5, seed);
        const size_t n = (size_t)dim * p.contacts, square = (size_t)(dim * dim) * p.contacts;
        mo_problem m;
        delassus_root root;
        local_root t = {0};
        double *room = arena_push_zero(&a, 3 * n + 2 * square + p.contacts, sizeof *room);
        double *A = room + 3 * n, *B = A + square, *d = B + square;
        for (size_t c = 0; c < p.contacts; c++)
            d[c] = 1;
        assert_true(delassus(&p, &a, &m) && delassus_root_make(&p, &a, &root));
        assert_true(local_root_prepare(&t, &root, d, &a));
        make_law(dim, p.contacts, &r, A, B);
        for (size_t i = 0; i < n; i++)
            room[i] = random_sign(&r);
        local_root_product(&t, room, room + n);
        local_velocity(&m, room, room + 2 * n);
        for (size_t i = 0; i < n; i++)
            assert_close(room[n + i], room[2 * n + i] - m.q[i], 1e-13 * (double)n);
        for (double alpha = 1; alpha > 1e-7; alpha *= 0.1) {
            assert_true(local_root_factor(&t, A, B, alpha));
            local_root_solve(&t, room, room + n);
            const double left = backward_error(&m, A, B, alpha, room, room + n, room + 2 * n);
            assert_true(left < 2e-15 * norm(&m) / alpha);
        }
        // nothing to divide by: the caller is told
        memset(A, 0, square * sizeof *A);
        memset(B, 0, square * sizeof *B);
        assert_false(local_root_factor(&t, A, B, 1));
        local_root_free(&t);
        arena_free(&a);
    }
}

/* with the root and without: both solve, judged by W alone */
static void problems(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"prox", "newton", "ipm", "auto"};
    for (uint64_t seed = 0; seed < 24; seed++) {
        arena a = {0};
        const int dim = 2 + (int)(seed % 2);
        const step_problem p = row_of_blocks(&a, dim, 2 + seed % 7, 3 + seed % 4, seed);
        const size_t n = (size_t)dim * p.contacts;
        const mo_solver_settings s = {.tol = 1e-9, .max_iter = 2000};
        mo_problem m;
        delassus_root root;
        mo_problem_info info;
        mo_problem_residual own;
        mo_error err;
        double *x = arena_push(&a, n, sizeof *x);
        assert_true(delassus(&p, &a, &m) && delassus_root_make(&p, &a, &root));
        for (int with = 0; with < 2; with++) {
            const char *name = NAMES[seed / 2 % 4];
            memset(x, 0, n * sizeof *x);
            assert_int_equal(local_problem_solve(&m, with ? &root : NULL, name, &s, x, &info, &err), MO_OK);
            assert_true(info.solved);
            assert_int_equal(mo_problem_certify(&m, x, NULL, &own, &err), MO_OK);
            assert_true(own.residual <= 1e-9 && own.residual_fclib <= 1e-9);
        }
        arena_free(&a);
    }
}

static bool at_once(void *unused)
{
    (void)unused;
    return true;
}

/*
 * Too little added to W for factors over bodies, W being of less than full rank: all contacts stick.  When
 * there is no time for others they stay what they are, and the same is solved twice; with time they are left.
 */
static void no_time_for_others(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        arena a = {0};
        const int dim = 2 + (int)(seed % 2);
        const step_problem p = row_of_blocks(&a, dim, 3 + seed, 5, seed);
        const size_t n = (size_t)dim * p.contacts, rows = (size_t)dim;
        rng r = rng_seed(seed, 4);
        mo_problem m;
        delassus_root root;
        mo_error err;
        double *room = arena_push_zero(&a, 5 * n, sizeof *room), *one = room + n, *two = one + n;
        assert_true(delassus(&p, &a, &m) && delassus_root_make(&p, &a, &root));
        local_work w = {.p = &m, .root = &root, .n = n, .stop = at_once, .rho = room + 4 * n};
        for (size_t c = 0; c < p.contacts; c++)
            w.rho[c] = 1;
        assert_int_equal(local_linear_prepare(&w, &err), MO_OK);
        w.linear->root.lu.pattern.stop = NULL;
        for (size_t i = 0; i < n; i++) {
            w.linear->B[rows * i + i % rows] = 1;
            two[i] = random_sign(&r);
        }
        local_linear_product(&w, two, room);
        assert_true(local_linear_factor(&w, 1e-14));
        local_linear_solve(&w, room, 2, one);
        assert_true(w.linear->over_bodies);
        local_linear_solve(&w, room, 2, two);
        assert_memory_equal(one, two, n * sizeof *one);
        w.stop = NULL;
        local_linear_solve(&w, room, 2, one);
        assert_false(w.linear->over_bodies);
        local_linear_free(&w);
        arena_free(&a);
    }
}

/* few contacts and many bodies, or more than contacts: over contacts */
static void where_it_pays(void **state)
{
    (void)state;
    arena a = {0};
    step_problem p = row_of_blocks(&a, 3, 40, 1, 1);
    assert_false(delassus_root_pays(&p, delassus_root_bodies(&p, &a)));
    p = row_of_blocks(&a, 3, 10, 4, 1);
    assert_int_equal(delassus_root_bodies(&p, &a), 10);
    assert_true(delassus_root_pays(&p, 10));
    assert_false(delassus_root_pays(&p, SIZE_MAX));
    p.cell = (struct step_cell *)&p;
    assert_false(delassus_root_pays(&p, 10));
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(systems), cmocka_unit_test(problems),
                                       cmocka_unit_test(no_time_for_others), cmocka_unit_test(where_it_pays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
