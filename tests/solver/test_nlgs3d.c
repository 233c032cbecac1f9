/* Step problems in 3D made by hand: closed forms, independent residuals, the same bits for any number of
 * threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "problem/apply.h"
#include "problem/delassus.h"
#include "solver/nlgs.h"
#include "support/close.h"
#include "support/packing3.h"

static mo_solver_info solve(packing3 *k, double tol, int max_iter, pool *threads)
{
    mo_solver_settings s = {.name = MO_SOLVER_NLGS, .tol = tol, .max_iter = max_iter};
    mo_solver_info info;
    nlgs_solve(&k->p, &s, threads, k->sums, &info);
    return info;
}

// a ball of mass 2 and radius 0.5 on the plane z = 0 that would move with v, w but for the plane
static packing3 ball_on_plane(const double u[6], double mu)
{
    packing3 k = packing3_room(1, 1);
    memcpy(packing3_free(&k, 0), u, 6 * sizeof *u);
    packing3_ball(&k, 0, 2, 0.5);
    packing3_touch(&k, 0, 0, UINT32_MAX, (const double[3]){0, 0, 1}, 0.5, 0);
    packing3_finish(&k, mu);
    return k;
}

/* Rolling takes 2/7 of the slip away from the velocity: H_tt = 1/m + r²/I = 7/(2m).  Sliding: mu m |v_z|. */
static void ball_sticks_or_slides(void **state)
{
    (void)state;
    const double u[6] = {0.3, -0.4, -1, 0, 0, 2}, mu[2] = {0.2, 0.1};
    for (int i = 0; i < 2; i++) {
        packing3 k = ball_on_plane(u, mu[i]);
        mo_solver_info info = solve(&k, 1e-14, 100, NULL);
        assert_true(info.converged);
        // slip 0.5: sticks if 2/7 m 0.5 <= mu m
        double loss = fmin(2.0 / 7 * 0.5, mu[i] * 1), *v = k.p.velocity3[0].u;
        assert_close(k.p.S[0], 2, 1e-15);
        assert_close(hypot(k.p.S[1], k.p.S[2]), 2 * loss, 1e-15);
        assert_close(v[0], 0.3 - 0.6 * loss, 1e-15);
        assert_close(v[1], -0.4 + 0.8 * loss, 1e-15);
        assert_close(v[2], 0, 1e-15);
        // about the axis across the slip: m loss r / I = 5 loss / (2 r)
        assert_close(v[3], 0.8 * loss * 5, 1e-14);
        assert_close(v[4], 0.6 * loss * 5, 1e-14);
        assert_close(v[5], 2, 0);
        packing3_free_all(&k);
    }
}

static void ball_leaves(void **state)
{
    (void)state;
    const double u[6] = {0.3, -0.4, 1e-3, 1, 0, 2};
    packing3 k = ball_on_plane(u, 0.5);
    assert_true(solve(&k, 1e-14, 100, NULL).converged);
    for (int i = 0; i < 6; i++)
        assert_close(k.p.velocity3[0].u[i], u[i], 0);
    assert_close(k.p.S[0], 0, 0);
    packing3_free_all(&k);
}

static void add_momenta(const double *u, double mass, double radius, const double x[3], double P[3],
                        double L[3])
{
    double turn[3];
    vec3_cross(x, u, turn);
    for (int i = 0; i < 3; i++) {
        P[i] += mass * u[i];
        L[i] += mass * turn[i] + 0.4 * mass * radius * radius * u[3 + i];
    }
}

/* Two balls hit obliquely with restitution e: normal impulse (1 + e) m* v, tangential -2/7 m* slip or on the
   cone; linear and angular momentum stay. */
static void oblique_impact(void **state)
{
    (void)state;
    const double m1 = 2, m2 = 0.5, a1 = 0.3, a2 = 0.7, e = 0.4, reduced = m1 * m2 / (m1 + m2);
    double n[3] = {0.36, 0.48, 0.8}, x1[3], x2[3];
    vec3_scale(a1, n, x1);
    vec3_scale(-a2, n, x2);
    for (int slides = 0; slides < 2; slides++) {
        packing3 k = packing3_room(2, 1);
        double *u1 = packing3_free(&k, 0), *u2 = packing3_free(&k, 1);
        const double v1[6] = {-1, 0.2, -2, 3, -1, 0.5}, v2[6] = {0.4, 0.3, 0.1, -2, 0, 1};
        memcpy(u1, v1, sizeof v1);
        memcpy(u2, v2, sizeof v2);
        packing3_ball(&k, 0, m1, a1);
        packing3_ball(&k, 1, m2, a2);
        packing3_touch(&k, 0, 0, 1, n, a1, a2);
        packing3_finish(&k, slides ? 0.01 : 5);
        // what the velocities were before: here the free ones
        double point[3], w1[3], w2[3];
        vec3_cross(v1 + 3, k.p.row3[0].r1, w1);
        vec3_cross(v2 + 3, k.p.row3[0].r2, w2);
        for (int i = 0; i < 3; i++)
            point[i] = v1[i] + w1[i] - v2[i] - w2[i];
        double into = vec3_dot(point, n), slip[3];
        vec3_add_scaled(point, -into, n, slip);
        assert_true(into < 0);
        k.p.row3[0].shift[0] = e * into;
        assert_true(solve(&k, 1e-14, 100, NULL).converged);
        double N = -(1 + e) * reduced * into, T = 2.0 / 7 * reduced * vec3_norm(slip);
        if (slides)
            T = 0.01 * N;
        assert_close(k.p.S[0], N, 4e-15);
        assert_close(hypot(k.p.S[1], k.p.S[2]), T, 4e-15);
        for (int i = 0; i < 3; i++) {
            double P = n[i] * N - slip[i] / vec3_norm(slip) * T;
            assert_close(k.p.velocity3[0].u[i], v1[i] + P / m1, 1e-14);
            assert_close(k.p.velocity3[1].u[i], v2[i] - P / m2, 1e-14);
        }
        double before[2][3] = {{0}}, after[2][3] = {{0}};
        add_momenta(v1, m1, a1, x1, before[0], before[1]);
        add_momenta(v2, m2, a2, x2, before[0], before[1]);
        add_momenta(k.p.velocity3[0].u, m1, a1, x1, after[0], after[1]);
        add_momenta(k.p.velocity3[1].u, m2, a2, x2, after[0], after[1]);
        for (int i = 0; i < 6; i++)
            assert_close(after[i / 3][i % 3], before[i / 3][i % 3], 1e-14);
        packing3_free_all(&k);
    }
}

/* the certificate of the sweeps and that of the local form are the same numbers, also far from a solution */
static void certificates_agree(void **state)
{
    (void)state;
    for (int lumps = 0; lumps < 2; lumps++) {
        packing3 k = packing3_make(
            &(packing3_def){.side = 3, .mu = 0.4, .lumpiness = lumps * 0.3, .shake = 0.2, .seed = 9});
        rng r = rng_seed(4, 4);
        for (size_t i = 0; i < 3 * k.p.contacts; i++)
            k.p.S[i] = random_sign(&r);
        mo_certificate mine;
        mo_problem m;
        mo_problem_residual own;
        mo_error err;
        certify(&k.p, HUGE_VAL, NULL, k.sums, &mine);
        assert_true(delassus(&k.p, &k.memory, &m));
        assert_int_equal(mo_problem_certify(&m, k.p.S, NULL, &own, &err), MO_OK);
        assert_close(mine.residual, own.residual, 1e-13 * own.residual);
        assert_close(mine.complementarity, own.certificate.complementarity, 1e-12);
        assert_close(mine.cone_violation_force, own.certificate.cone_violation_force, 1e-14);
        assert_close(mine.cone_violation_velocity, own.certificate.cone_violation_velocity, 1e-14);
        assert_close(mine.bipotential_gap, own.certificate.bipotential_gap, 1e-12);
        packing3_free_all(&k);
    }
}

/* A body that may not turn but does (its spin is prescribed) moves its contact points all the same. */
static void spin_that_is_held(void **state)
{
    (void)state;
    packing3 k = packing3_room(1, 1);
    const double u[6] = {0, 0, -1, 0, 3, 0};
    memcpy(packing3_free(&k, 0), u, sizeof u);
    packing3_ball(&k, 0, 1, 1);
    memset(k.p.velocity3[0].inv_I, 0, sizeof k.p.velocity3[0].inv_I);
    packing3_touch(&k, 0, 0, UINT32_MAX, (const double[3]){0, 0, 1}, 1, 0);
    // the point lies aside: (0.5, 0, -1), where omega×r = (-3, 0, -1.5)
    k.p.row3[0].r1[0] = 0.5;
    packing3_finish(&k, 0.5);
    assert_true(solve(&k, 1e-14, 100, NULL).converged);
    assert_close(k.p.S[0], 2.5, 1e-15);
    assert_close(hypot(k.p.S[1], k.p.S[2]), 1.25, 1e-15);
    // slides with S_T against -x
    assert_close(k.p.velocity3[0].u[0], 1.25, 1e-15);
    assert_close(k.p.velocity3[0].u[2], 1.5, 1e-15);
    assert_close(k.p.velocity3[0].u[4], 3, 0);
    packing3_free_all(&k);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    packing3_def def = {.side = 16, .mu = 0.4, .lumpiness = 0.1, .shake = 0.02, .seed = 2};
    double *first = NULL;
    for (int threads = 1; threads <= 4; threads *= 2) {
        packing3 k = packing3_make(&def);
        pool *p = threads > 1 ? pool_create(threads) : NULL;
        mo_solver_info info = solve(&k, 1e-12, 60, p);
        size_t bytes = 3 * k.p.contacts * sizeof(double);
        assert_int_equal(info.iterations, 60);
        if (first == NULL)
            first = memcpy(malloc(bytes), k.p.S, bytes);
        assert_memory_equal(first, k.p.S, bytes);
        if (p != NULL)
            pool_destroy(p);
        packing3_free_all(&k);
    }
    free(first);
}

static void nothing_to_do(void **state)
{
    (void)state;
    packing3 k = packing3_room(1, 0);
    packing3_free(&k, 0)[4] = 3;
    packing3_ball(&k, 0, 1, 1);
    packing3_finish(&k, 0.5);
    assert_true(solve(&k, 1e-14, 10, NULL).converged);
    assert_close(k.p.velocity3[0].u[4], 3, 0);
    packing3_free_all(&k);
}

/* what is not finite is told, not called solved */
static void not_finite(void **state)
{
    (void)state;
    double u[6] = {0, 0, -1, 0, 0, 0};
    packing3 k = ball_on_plane(u, 0.5);
    k.p.velocity3[0].inv_m[2] = HUGE_VAL;
    contact_row3_prepare(&k.p.row3[0], &k.p.block3[0], k.p.velocity3, 0.5, 1);
    mo_solver_info info = solve(&k, 1e-8, 10, NULL);
    assert_false(info.converged);
    assert_false(info.finite);
    packing3_free_all(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_sticks_or_slides), cmocka_unit_test(ball_leaves),
        cmocka_unit_test(oblique_impact),        cmocka_unit_test(certificates_agree),
        cmocka_unit_test(spin_that_is_held),     cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(nothing_to_do),         cmocka_unit_test(not_finite)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
