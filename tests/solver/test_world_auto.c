/* `auto` and the named methods on step problems in 3D made by hand, judged by the local form and its own
 * code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "problem/delassus.h"
#include "solver/solve.h"
#include "support/close.h"
#include "support/packing3.h"

static mo_solver_info solve(packing3 *k, mo_solver_name name, double tol, int max_iter, pool *threads)
{
    mo_solver_settings s = {.name = name, .tol = tol, .max_iter = max_iter};
    mo_solver_info info;
    solve_step(&k->p, &s, threads, k->sums, &k->memory, &info);
    return info;
}

// the residual by the local form, and that info tells the truth about it
static double own_residual(packing3 *k, const mo_solver_info *info)
{
    mo_problem m;
    mo_problem_residual own;
    mo_error err;
    assert_true(delassus(&k->p, &k->memory, &m));
    assert_int_equal(mo_problem_certify(&m, k->p.S, NULL, &own, &err), MO_OK);
    assert_close(own.residual, info->certificate.residual, 1e-13 + 1e-6 * own.residual);
    return own.residual;
}

/* Lumps and balls pressed together.  Sweeps alone end in cycles on some: stronger methods must have been at
   work there. */
static void random_packings(void **state)
{
    (void)state;
    int extrapolated = 0, handed_over = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        packing3_def def = {.side = 1 + (int)seed % 4,
                            .mu = 0.1 * (double)(seed % 6),
                            .lumpiness = seed % 3 == 0 ? 0 : 0.15,
                            .shake = seed % 2 == 0 ? 0.1 : 0,
                            .seed = seed};
        packing3 k = packing3_make(&def);
        mo_solver_info info = solve(&k, MO_SOLVER_AUTO, 1e-9, 200000, NULL);
        assert_true(info.converged);
        assert_true(own_residual(&k, &info) <= 1.001e-9);
        extrapolated += info.extrapolated > 0 ? 1 : 0;
        handed_over += info.handed_over > 0 ? 1 : 0;
        packing3_free_all(&k);
    }
    assert_true(extrapolated > 0);
    assert_true(handed_over > 0);
}

/* every method that can be named reaches the same answer where it is the only one: frictionless balls in a
   column, each of which carries what lies above it */
static void named_methods(void **state)
{
    (void)state;
    enum { N = 6 };
    for (int name = 0; name < MO_SOLVER_COUNT; name++) {
        if (!mo_solver_suits(mo_solver_name_text((mo_solver_name)name), 3))
            continue;
        packing3 k = packing3_room(N, N);
        for (uint32_t i = 0; i < N; i++) {
            packing3_ball(&k, i, 1 + i, 0.5);
            packing3_free(&k, i)[2] = -0.01;
            packing3_touch(&k, i, i, i == 0 ? UINT32_MAX : i - 1, (const double[3]){0, 0, 1}, 0.5, 0.5);
        }
        packing3_finish(&k, 0.4);
        mo_solver_info info = solve(&k, (mo_solver_name)name, 1e-10, 10000, NULL);
        assert_true(info.converged);
        assert_true(own_residual(&k, &info) <= 1.001e-10);
        double total = 0;
        for (size_t i = 0; i < N; i++)
            total += 0.01 * (double)(1 + i);
        double floor_impulse = 0;
        for (size_t i = 0; i < N; i++)
            if (k.p.row3[i].body[1] == UINT32_MAX)
                floor_impulse = k.p.S[3 * i];
        assert_close(floor_impulse, total, 1e-8 * total);
        packing3_free_all(&k);
    }
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(mo_solver_name_text(MO_SOLVER_AUTO), "auto");
    assert_string_equal(mo_solver_name_text(MO_SOLVER_ADMM), "admm");
    assert_null(mo_solver_name_text(MO_SOLVER_COUNT));
    assert_null(mo_solver_name_text((mo_solver_name)-1));
}

/* what cannot be solved ends at the cap, and says so with the truth about what was reached: a ball between
   two plates that close */
static void no_solution(void **state)
{
    (void)state;
    packing3 k = packing3_room(1, 2);
    packing3_ball(&k, 0, 1, 1);
    packing3_touch(&k, 0, 0, UINT32_MAX, (const double[3]){0, 0, 1}, 1, 0);
    packing3_touch(&k, 1, 0, UINT32_MAX, (const double[3]){0, 0, -1}, 1, 0);
    k.p.row3[0].shift[0] = k.p.row3[1].shift[0] = -1;
    packing3_finish(&k, 0.3);
    mo_solver_info info = solve(&k, MO_SOLVER_AUTO, 1e-10, 3000, NULL);
    assert_false(info.converged);
    assert_true(info.certificate.residual > 1e-10);
    assert_true(info.certificate.cone_violation_velocity >= 1 - 1e-9);
    own_residual(&k, &info);
    packing3_free_all(&k);
}

/* the cap on iterations holds whatever is done */
static void caps(void **state)
{
    (void)state;
    for (int most = 1; most < 400; most = 2 * most + 1) {
        packing3 k =
            packing3_make(&(packing3_def){.side = 3, .mu = 0.2, .lumpiness = 0.15, .shake = 0.1, .seed = 2});
        mo_solver_info info = solve(&k, MO_SOLVER_AUTO, 1e-12, most, NULL);
        assert_true(info.iterations <= most);
        own_residual(&k, &info);
        packing3_free_all(&k);
    }
}

/* beyond a cache sweeps have momentum: what is found solves the problem, and no cap is passed */
static void many_contacts(void **state)
{
    (void)state;
    packing3_def def = {.side = 12, .mu = 0.3, .seed = 3};
    for (int most = 80; most <= 1000; most += most < 83 ? 1 : 917) {
        packing3 k = packing3_make(&def);
        assert_true(k.p.contacts > 4096);
        mo_solver_info info = solve(&k, MO_SOLVER_AUTO, 1e-6, most, NULL);
        assert_true(info.extrapolated > 0);
        assert_true(info.iterations <= most);
        own_residual(&k, &info);
        assert_true(info.converged == (most == 1000));
        packing3_free_all(&k);
    }
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    packing3_def def = {.side = 12, .mu = 0.3, .lumpiness = 0.1, .shake = 0.05, .seed = 2};
    double *first = NULL;
    for (int threads = 1; threads <= 4; threads *= 2) {
        packing3 k = packing3_make(&def);
        pool *p = threads > 1 ? pool_create(threads) : NULL;
        mo_solver_info info = solve(&k, MO_SOLVER_AUTO, 1e-12, 120, p);
        size_t bytes = 3 * k.p.contacts * sizeof(double);
        assert_true(info.extrapolated > 0);
        if (first == NULL)
            first = memcpy(malloc(bytes), k.p.S, bytes);
        assert_memory_equal(first, k.p.S, bytes);
        if (p != NULL)
            pool_destroy(p);
        packing3_free_all(&k);
    }
    free(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_packings),
                                       cmocka_unit_test(named_methods),
                                       cmocka_unit_test(names),
                                       cmocka_unit_test(no_solution),
                                       cmocka_unit_test(caps),
                                       cmocka_unit_test(many_contacts),
                                       cmocka_unit_test(threads_do_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
