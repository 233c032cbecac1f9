/*
 * The exact single contact in 2D: for random and adversarial blocks the law holds to rounding, and where the
 * solution is unique it is the one that trying all cases finds.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "convex/cone.h"
#include "core/rng.h"
#include "solver/contact2d.h"
#include "support/close.h"

static double pick(rng *r, const double *values, int n)
{
    return values[rng_next(r) % (uint32_t)n];
}

static double signed_uniform(rng *r)
{
    return 2 * rng_uniform(r) - 1;
}

// H = R diag(l1, l2) Rᵀ with eigenvalues of very different sizes, l2 possibly 0
static void random_block(rng *r, double H[3])
{
    static const double sizes[] = {1, 1, 1, 1e-3, 1e3, 1e-6, 1e6};
    static const double ratios[] = {1, 0.5, 0.1, 1e-3, 1e-6, 1e-9, 1e-12};
    double l1 = pick(r, sizes, 7), l2 = l1 * pick(r, ratios, 7), a = 3.2 * signed_uniform(r);
    double c = cos(a), s = sin(a);
    H[0] = l1 * c * c + l2 * s * s;
    H[1] = (l1 - l2) * c * s;
    H[2] = l1 * s * s + l2 * c * c;
}

// how far (U, S) is from the law, relative to the sizes that occur
static double law_error(const double H[3], double mu, const double b[2], const double S[2])
{
    double largest = H[0] + H[2], rho = largest > 0 ? 1 / largest : 1;
    double U[2] = {b[0] + H[0] * S[0] + H[1] * S[1], b[1] + H[1] * S[0] + H[2] * S[1]};
    double z[2] = {S[0] - rho * (U[0] + mu * fabs(U[1])), S[1] - rho * U[1]}, P[2];
    cone2_prox(mu, z, P);
    double size = fmax(hypot(S[0], S[1]), rho * hypot(b[0], b[1]));
    return size > 0 ? hypot(S[0] - P[0], S[1] - P[1]) / size : 0;
}

static void solve(const double H[3], double mu, const double b[2], double S[2])
{
    contact2 c = {.H = {H[0], H[1], H[2]}};
    contact2_prepare(&c, mu);
    contact2_solve(&c, b[0], b[1], &S[0], &S[1]);
}

// tries open, stick, slide one way and the other, each by its own equations; returns how many fit
static int enumerate(const double H[3], double mu, const double b[2], double out[4][2])
{
    int n = 0;
    double det = H[0] * H[2] - H[1] * H[1];
    if (b[0] > 0)
        out[n][0] = 0, out[n++][1] = 0;
    double s0 = (-H[2] * b[0] + H[1] * b[1]) / det, s1 = (H[1] * b[0] - H[0] * b[1]) / det;
    if (s0 > 0 && fabs(s1) < mu * s0)
        out[n][0] = s0, out[n++][1] = s1;
    for (double side = -1; side <= 1; side += 2) {
        double d = H[0] + side * mu * H[1], sn = -b[0] / d, st = side * mu * sn;
        double ut = b[1] + H[1] * sn + H[2] * st;
        if (d > 0 && sn > 0 && side * ut < 0)
            out[n][0] = sn, out[n++][1] = st;
    }
    return n;
}

static void law_holds_for_random_blocks(void **state)
{
    (void)state;
    static const double mus[] = {0, 0.1, 0.3, 0.5, 1, 3, 100};
    rng r = rng_seed(7, 7);
    double worst = 0;
    for (int i = 0; i < 1000000; i++) {
        double H[3], mu = pick(&r, mus, 7), b[2] = {signed_uniform(&r), signed_uniform(&r)}, S[2];
        random_block(&r, H);
        // rank-one blocks with mu |H_nt| >= H_nn may have no solution at all
        if (H[0] * H[2] - H[1] * H[1] < 1e-11 * H[0] * H[2] && mu * fabs(H[1]) > 0.99 * H[0])
            continue;
        solve(H, mu, b, S);
        worst = fmax(worst, law_error(H, mu, b, S));
        assert_true(S[0] >= 0);
    }
    // s = H_tt - H_nt²/H_nn keeps at least 1e-12/1e-16 digits; U_T = u* + s S_T is off by eps H_tt S_T,
    // relative to the size of S: some eps times (1 + mu)², mu <= 100
    assert_true(worst < 64 * 0x1p-53 * 101 * 101);
}

static void agrees_with_enumeration(void **state)
{
    (void)state;
    rng r = rng_seed(8, 8);
    int compared = 0;
    for (int i = 0; i < 200000; i++) {
        double a = rng_uniform(&r) + 0.1, c = rng_uniform(&r) + 0.1,
               H[3] = {a, 0.95 * signed_uniform(&r) * sqrt(a * c), c};
        double mu = 1.5 * rng_uniform(&r), b[2] = {signed_uniform(&r), signed_uniform(&r)}, S[2], all[4][2];
        if (mu * fabs(H[1]) >= H[0])
            continue;
        int n = enumerate(H, mu, b, all);
        solve(H, mu, b, S);
        // on a border between two cases the strict tests may find none
        if (n != 1)
            continue;
        compared++;
        double size = 1e-12 * (1 + hypot(all[0][0], all[0][1]));
        assert_close(S[0], all[0][0], size);
        assert_close(S[1], all[0][1], size);
    }
    assert_true(compared > 100000);
}

// mu |H_nt| >= H_nn: several solutions exist; open is taken first, then stick, then slide
static void fixed_choice_among_several(void **state)
{
    (void)state;
    const double H[3] = {1, 1.5, 4}, mu = 1;
    double S[2], open[2] = {0.1, 1}, all[4][2];
    assert_true(enumerate(H, mu, open, all) >= 2);
    solve(H, mu, open, S);
    assert_close(S[0], 0, 0);
    assert_close(S[1], 0, 0);
    rng r = rng_seed(9, 9);
    for (int i = 0; i < 100000; i++) {
        double b[2] = {-rng_uniform(&r), 4 * signed_uniform(&r)};
        solve(H, mu, b, S);
        assert_true(law_error(H, mu, b, S) < 1e-14);
        // where sticking fits, it is what comes out
        double det = H[0] * H[2] - H[1] * H[1];
        double s0 = (-H[2] * b[0] + H[1] * b[1]) / det, s1 = (H[1] * b[0] - H[0] * b[1]) / det;
        if (s0 > 0 && fabs(s1) < mu * s0)
            assert_close(S[1], s1, 1e-13);
    }
}

static void singular_blocks(void **state)
{
    (void)state;
    double S[2];
    // nothing gives way along t: slides against b_T at the full friction
    const double no_t[3] = {2, 0, 0}, b1[2] = {-1, 0.3};
    solve(no_t, 0.5, b1, S);
    assert_close(S[0], 0.5, 1e-16);
    assert_close(S[1], -0.25, 1e-16);
    // and without b_T it needs no friction
    const double b2[2] = {-1, 0};
    solve(no_t, 0.5, b2, S);
    assert_close(S[1], 0, 0);
    // nothing gives way along n: no impulse can help
    const double no_n[3] = {0, 0, 2}, b3[2] = {-1, 0.3};
    solve(no_n, 0.5, b3, S);
    assert_close(S[0], 0, 0);
    assert_close(S[1], 0, 0);
    // rank one
    const double one[3] = {1, 0.5, 0.25}, b4[2] = {-1, 0.7};
    solve(one, 0.5, b4, S);
    assert_true(law_error(one, 0.5, b4, S) < 1e-15);
    // nothing at all
    const double none[3] = {0, 0, 0};
    solve(none, 0.5, b4, S);
    assert_close(S[0], 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(law_holds_for_random_blocks),
        cmocka_unit_test(agrees_with_enumeration),
        cmocka_unit_test(fixed_choice_among_several),
        cmocka_unit_test(singular_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
