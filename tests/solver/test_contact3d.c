/*
 * The exact single contact in 3D: for random and adversarial blocks the law holds to rounding, and where the
 * solution is unique it is the one that a scan of all directions of sliding finds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "solver/blocks3.h"
#include "solver/contact3d.h"
#include "support/close.h"

#define TURN 6.283185307179586

/* Roundings that an answer may be off: u-star, S r_T and the cone take a few each. */
#define ROUNDINGS 24

static double pick(rng *r, const double *values, size_t n)
{
    return values[rng_next(r) % (uint32_t)n];
}

#define PICK(r, values) pick(r, values, sizeof(values) / sizeof *(values))

static void solve(const double H[9], double mu, const double b[3], double r[3])
{
    contact3 c;
    contact3_prepare(&c, H, mu);
    contact3_solve(&c, b, r);
}

// error in units of 2^-53 (1 + mu)², as the shift and the projection onto the cone bring it
static double roundings(const double H[9], double mu, const double b[3])
{
    double r[3];
    solve(H, mu, b, r);
    assert_true(r[0] >= 0 && isfinite(r[0]) && isfinite(r[1]) && isfinite(r[2]));
    return law_error3(H, mu, b, r) / (0x1p-53 * (1 + mu) * (1 + mu));
}

// mu |h| >= H_nn with S singular to rounding: there may be no solution at all
static bool hopeless(const double H[9], double mu)
{
    double size = fmax(H[4], H[8]), g1 = H[3] / H[0], g2 = H[6] / H[0];
    double S[4] = {(H[4] - g1 * H[1]) / size, (H[5] - g1 * H[2]) / size, (H[7] - g2 * H[1]) / size,
                   (H[8] - g2 * H[2]) / size};
    return mu * hypot(H[1], H[2]) > 0.99 * H[0] && S[0] * S[3] - S[1] * S[2] < 1e-12;
}

// MOREAU_TEST_BLOCKS=10000000 for a longer look
static long blocks_to_try(void)
{
    const char *text = getenv("MOREAU_TEST_BLOCKS");
    return text == NULL ? 1000000 : atol(text);
}

static void law_holds_for_random_blocks(void **state)
{
    (void)state;
    static const double sizes[] = {1, 1, 1, 1e-3, 1e3, 1e-100, 1e100}, skews[] = {0, 0, 0, 1e-8, 1e-3, 0.2},
                        ratios[] = {1, 1, 0.9, 0.5, 0.1, 1e-3, 1e-6, 1e-9, 1e-12},
                        mus[] = {0, 1e-9, 0.1, 0.3, 0.5, 0.7, 1, 3, 100},
                        scales[] = {1, 1, 1, 1e-6, 1e-12, 1e6, 1e-100, 1e100},
                        slips[] = {1, 1, 1e-6, 1e-12, 1e6};
    rng r = rng_seed(7, 7);
    double worst = 0;
    long tried = 0, count = blocks_to_try();
    for (long i = 0; i < count; i++) {
        double H[9], l[3] = {PICK(&r, sizes)}, mu = PICK(&r, mus), scale = PICK(&r, scales),
                     slip = scale * PICK(&r, slips);
        double b[3] = {scale * (0.2 * rng_uniform(&r) - 1), slip * either_way(&r), slip * either_way(&r)};
        l[1] = l[0] * PICK(&r, ratios);
        l[2] = l[1] * PICK(&r, ratios);
        random_block3(&r, l, PICK(&r, skews), H);
        if (hopeless(H, mu))
            continue;
        tried++;
        worst = fmax(worst, roundings(H, mu, b));
    }
    assert_true(tried > count / 2);
    assert_true(worst < ROUNDINGS);
}

// b that leads close to the border between sticking and sliding, to the apex, or along an axis of S
static void law_holds_on_borders(void **state)
{
    (void)state;
    static const double ratios[] = {1, 1 - 1e-15, 0.5, 1e-4, 1e-8, 0}, mus[] = {1e-3, 0.3, 1, 2},
                        tilts[] = {0, 1e-16, 1e-12, 1e-6, 1e-2}, offs[] = {0, 1e-15, -1e-15, 1e-9, -1e-9};
    rng r = rng_seed(11, 3);
    double worst = 0;
    int tried = 0;
    for (int i = 0; i < 300000; i++) {
        double l[3] = {1, PICK(&r, ratios), PICK(&r, ratios)}, H[9], mu = PICK(&r, mus),
               tilt = PICK(&r, tilts);
        random_block3(&r, l, 0, H);
        // axes of H close to those of the contact
        for (int k = 0; k < 9; k++)
            H[k] = (k % 4 == 0 ? 1 + l[k / 4] : 0) + tilt * H[k];
        if (hopeless(H, mu))
            continue;
        // r on the border or close to it, u = 0 or close to it
        double a = TURN * rng_uniform(&r), edge = mu * (1 + PICK(&r, offs)), b[3];
        double R[3] = {1, edge * cos(a), edge * sin(a)}, off = PICK(&r, offs);
        for (int k = 0; k < 3; k++)
            b[k] = off * either_way(&r) - (H[3 * k] * R[0] + H[3 * k + 1] * R[1] + H[3 * k + 2] * R[2]);
        worst = fmax(worst, roundings(H, mu, b));
        b[1 + i % 2] = -H[3 + 3 * (i % 2)] / H[0] * -b[0];
        worst = fmax(worst, roundings(H, mu, b));
        b[0] = -1e-300;
        worst = fmax(worst, roundings(H, mu, b));
        tried++;
    }
    assert_true(tried > 200000);
    assert_true(worst < ROUNDINGS);
}

/* ---- the same by a scan ----------------------------------------------------------------------------- */

// sliding with r_T along (cos a, sin a): turn of u_T out of that line, r; false: u_N = 0 is out of reach
static bool slide_along(const double H[9], double mu, const double b[3], double a, double *turn, double r[3],
                        double *along)
{
    double x = cos(a), y = sin(a), d = H[0] + mu * (H[1] * x + H[2] * y);
    if (!(d > 0))
        return false;
    r[0] = -b[0] / d;
    r[1] = mu * r[0] * x;
    r[2] = mu * r[0] * y;
    double u1 = b[1] + H[3] * r[0] + H[4] * r[1] + H[5] * r[2],
           u2 = b[2] + H[6] * r[0] + H[7] * r[1] + H[8] * r[2];
    *turn = u2 * x - u1 * y;
    *along = u1 * x + u2 * y;
    return true;
}

// the direction between two where u_T crosses the line; whether it opposes r_T there
static bool refine(const double H[9], double mu, const double b[3], double from, double to, double r[3])
{
    double first = 0, turn = 0, along = 0;
    slide_along(H, mu, b, from, &first, r, &along);
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (from + to);
        slide_along(H, mu, b, middle, &turn, r, &along);
        if ((turn > 0) == (first > 0))
            from = middle;
        else
            to = middle;
    }
    return along < 0;
}

// all slidings that a scan of directions separates, b_N < 0; returns how many, the last one in out
static int scan_slides(const double H[9], double mu, const double b[3], double out[3])
{
    enum { DIRECTIONS = 1500 };
    int found = 0;
    double last = 0, turn = 0, along, r[3];
    bool seen = false;
    for (int i = 0; i <= DIRECTIONS; i++) {
        bool there = slide_along(H, mu, b, TURN * i / DIRECTIONS, &turn, r, &along);
        if (there && seen && (turn > 0) != (last > 0) &&
            refine(H, mu, b, TURN * (i - 1) / DIRECTIONS, TURN * i / DIRECTIONS, r)) {
            found++;
            memcpy(out, r, sizeof r);
        }
        seen = there;
        last = turn;
    }
    return found;
}

// sticking by Cramer's rule; whether it is inside the cone
static bool stick_by_cramer(const double H[9], double mu, const double b[3], double r[3])
{
    double det = H[0] * (H[4] * H[8] - H[5] * H[7]) - H[1] * (H[3] * H[8] - H[5] * H[6]) +
                 H[2] * (H[3] * H[7] - H[4] * H[6]);
    for (int j = 0; j < 3; j++) {
        double M[9];
        memcpy(M, H, sizeof M);
        for (int i = 0; i < 3; i++)
            M[3 * i + j] = -b[i];
        r[j] = (M[0] * (M[4] * M[8] - M[5] * M[7]) - M[1] * (M[3] * M[8] - M[5] * M[6]) +
                M[2] * (M[3] * M[7] - M[4] * M[6])) /
               det;
    }
    return hypot(r[1], r[2]) < mu * r[0];
}

static void agrees_with_scan(void **state)
{
    (void)state;
    rng r = rng_seed(8, 8);
    int compared = 0, sliding = 0;
    for (int i = 0; i < 20000; i++) {
        double l[3] = {1, 0.05 + rng_uniform(&r), 0.05 + rng_uniform(&r)}, H[9], mu = 1.5 * rng_uniform(&r);
        double b[3] = {-0.1 - rng_uniform(&r), either_way(&r), either_way(&r)}, stick[3], slide[3] = {0},
               R[3];
        random_block3(&r, l, i % 2 ? 0.1 : 0, H);
        bool sticks = stick_by_cramer(H, mu, b, stick);
        int slides = scan_slides(H, mu, b, slide);
        if (slides + sticks != 1)
            continue;
        compared++;
        sliding += slides;
        solve(H, mu, b, R);
        const double *expected = sticks ? stick : slide;
        double size = 1e-10 * (1 + hypot(expected[0], hypot(expected[1], expected[2])));
        for (int k = 0; k < 3; k++)
            assert_close(R[k], expected[k], size);
    }
    assert_true(compared > 18000 && sliding > 5000);
}

// mu |h| >= H_nn: of several solutions open is taken first, stick next, slide last
static void fixed_choice_among_several(void **state)
{
    (void)state;
    const double H[9] = {1, 1.5, 0, 1.5, 4, 0, 0, 0, 2}, mu = 1;
    // may also stick: H (1, -0.9, 0) = -open
    double open[3] = {0.35, 2.1, 0}, r[3], stick[3];
    assert_true(stick_by_cramer(H, mu, open, stick));
    solve(H, mu, open, r);
    assert_close(r[0], 0, 0);
    assert_close(r[1], 0, 0);
    rng random = rng_seed(9, 9);
    int several = 0, sticking = 0;
    for (int i = 0; i < 20000; i++) {
        double b[3] = {either_way(&random), 4 * either_way(&random), 4 * either_way(&random)};
        bool sticks = stick_by_cramer(H, mu, b, stick);
        solve(H, mu, b, r);
        assert_true(law_error3(H, mu, b, r) < 1e-14);
        several += sticks && b[0] >= 0;
        sticking += sticks && b[0] < 0;
        for (int k = 0; k < 3; k++)
            if (b[0] >= 0)
                assert_close(r[k], 0, 0);
            else if (sticks)
                assert_close(r[k], stick[k], 1e-12 * (1 + fabs(stick[0])));
    }
    assert_true(several > 500 && sticking > 500);
}

static void singular_blocks(void **state)
{
    (void)state;
    double r[3];
    const double b[3] = {-1, 0.3, 0.4}, still[3] = {-1, 0, 0};
    // nothing gives way along the plane: against b_T with all friction, none without b_T
    const double no_t[9] = {2, 0, 0, 0, 0, 0, 0, 0, 0};
    solve(no_t, 0.5, b, r);
    assert_close(r[0], 0.5, 1e-16);
    assert_close(r[1], -0.15, 1e-16);
    assert_close(r[2], -0.2, 1e-16);
    solve(no_t, 0.5, still, r);
    assert_close(r[1], 0, 0);
    assert_close(r[2], 0, 0);
    // along one direction of the plane: sliding needs friction against both
    const double no_y[9] = {1, 0.2, 0, 0.2, 3, 0, 0, 0, 0};
    solve(no_y, 0.5, b, r);
    assert_true(law_error3(no_y, 0.5, b, r) < 1e-15);
    // nothing gives way along n, or at all: no impulse can help
    const double no_n[9] = {0, 0, 0, 0, 2, 0, 0, 0, 2}, none[9] = {0};
    solve(no_n, 0.5, b, r);
    assert_close(r[0], 0, 0);
    assert_close(r[1], 0, 0);
    solve(none, 0.5, b, r);
    assert_close(r[0], 0, 0);
    // rank one and rank two, v v' + w w'
    const double v[3] = {1, 0.4, -0.3}, w[3] = {0.1, 0.2, 0.5};
    for (int two = 0; two < 2; two++) {
        double H[9];
        for (int k = 0; k < 9; k++)
            H[k] = v[k / 3] * v[k % 3] + two * w[k / 3] * w[k % 3];
        solve(H, 0.5, b, r);
        assert_true(law_error3(H, 0.5, b, r) < 1e-15);
    }
}

// steep and of rank one or two: a solution comes out wherever the scan sees one
static void steep_singular_blocks(void **state)
{
    (void)state;
    rng r = rng_seed(3, 4);
    int steep = 0, there = 0;
    for (int i = 0; i < 5000; i++) {
        double l[3] = {1, i % 3 ? rng_uniform(&r) : 0, 0}, H[9], mu = 3 * rng_uniform(&r), R[3], slide[3];
        double b[3] = {-0.1 - rng_uniform(&r), 2 * either_way(&r), 2 * either_way(&r)};
        random_block3(&r, l, 0, H);
        if (mu * hypot(H[1], H[2]) < H[0])
            continue;
        steep++;
        if (scan_slides(H, mu, b, slide) == 0)
            continue;
        there++;
        solve(H, mu, b, R);
        assert_true(law_error3(H, mu, b, R) < 1e-14);
    }
    assert_true(steep > 2000 && there > 500 && there < steep);
}

// rank one, steep and pressed the wrong way there is no solution (docs/theory/contact.md §4): u_N = 0 is kept
static void unsolvable_block(void **state)
{
    (void)state;
    const double H[9] = {1, 2, 0, 2, 4, 0, 0, 0, 0}, b[3] = {-1, 3, 0};
    double r[3];
    solve(H, 1, b, r);
    assert_close(r[0], 1, 0);
    assert_close(r[1], 0, 0);
    assert_close(r[2], 0, 0);
}

// diag(p, s, s): r_T = -b_T/s cut at mu r_N; the general code says the same
static void axisymmetric_blocks(void **state)
{
    (void)state;
    rng r = rng_seed(5, 5);
    for (int i = 0; i < 100000; i++) {
        double p = 0.1 + rng_uniform(&r), s = i % 10 ? 0.1 + rng_uniform(&r) : 0, mu = 1.2 * rng_uniform(&r);
        double H[9] = {p, 0, 0, 0, s, 0, 0, 0, s}, R[3], G[3];
        double b[3] = {either_way(&r), either_way(&r), either_way(&r)}, k = fmax(-b[0], 0) / p;
        double length = hypot(b[1], b[2]), cut = s > 0 ? fmin(length / s, mu * k) : mu * k;
        contact3 c;
        contact3_prepare(&c, H, mu);
        assert_true(c.axisymmetric);
        contact3_solve(&c, b, R);
        assert_close(R[0], k, 1e-15 * k);
        assert_close(R[1], -cut * b[1] / length, 1e-14);
        assert_close(R[2], -cut * b[2] / length, 1e-14);
        // a little off the symmetry
        H[1] = H[3] = 1e-300;
        contact3_prepare(&c, H, mu);
        assert_false(c.axisymmetric);
        contact3_solve(&c, b, G);
        for (int j = 0; j < 3; j++)
            assert_close(G[j], R[j], 1e-14);
    }
}

// Newton's method of sliding may begin anywhere, as where the contact slid when the sweep before this one
// came: the law holds to rounding, and what is handed on begins the same contact in the same place
static void begins_anywhere(void **state)
{
    (void)state;
    rng r = rng_seed(8, 8);
    int slid = 0;
    for (int i = 0; i < 200000; i++) {
        double l[3] = {1, rng_uniform(&r), rng_uniform(&r)}, H[9], mu = rng_uniform(&r), R[3], again[3];
        double b[3] = {-rng_uniform(&r), either_way(&r), either_way(&r)}, lambda = exp(40 * either_way(&r));
        contact3 c;
        random_block3(&r, l, 0.05, H);
        if (hopeless(H, mu))
            continue;
        contact3_prepare(&c, H, mu);
        contact3_solve_from(&c, b, &lambda, R);
        const double rounding = 0x1p-53 * (1 + mu) * (1 + mu);
        assert_true(law_error3(H, mu, b, R) < ROUNDINGS * rounding);
        contact3_solve_from(&c, b, &lambda, again);
        assert_true(law_error3(H, mu, b, again) < ROUNDINGS * rounding);
        slid += hypot(R[1], R[2]) > 0.999999 * mu * R[0];
    }
    assert_true(slid > 50000);
}

// rotation in the plane and change of units: r turns and scales with them
static void turns_and_scales(void **state)
{
    (void)state;
    rng r = rng_seed(6, 6);
    for (int i = 0; i < 50000; i++) {
        double l[3] = {1, rng_uniform(&r), rng_uniform(&r)}, H[9], T[9], mu = rng_uniform(&r), R[3], Q[3];
        double b[3] = {-rng_uniform(&r), either_way(&r), either_way(&r)}, c = cos(i), s = sin(i);
        const double A[9] = {1, 0, 0, 0, c, -s, 0, s, c};
        random_block3(&r, l, 0.05, H);
        if (mu * hypot(H[1], H[2]) > 0.5 * H[0])
            continue;
        double unit = i % 2 ? 1e40 : 1e-40, speed = 1e7, d[3];
        for (int j = 0; j < 3; j++) {
            d[j] = speed * (A[3 * j] * b[0] + A[3 * j + 1] * b[1] + A[3 * j + 2] * b[2]);
            for (int k = 0; k < 3; k++) {
                T[3 * j + k] = 0;
                for (int m = 0; m < 9; m++)
                    T[3 * j + k] += unit * A[3 * j + m / 3] * H[m] * A[3 * k + m % 3];
            }
        }
        solve(H, mu, b, R);
        solve(T, mu, d, Q);
        double size = 1e-9 * (1 + R[0]);
        for (int j = 0; j < 3; j++)
            assert_close(Q[j] * unit / speed, A[3 * j] * R[0] + A[3 * j + 1] * R[1] + A[3 * j + 2] * R[2],
                         size);
    }
}

// what is not a number or not positive semidefinite does not hang, and the block used is one that is
static void survives_nonsense(void **state)
{
    (void)state;
    double r[3];
    const double bad[9] = {1, 2, 2, 2, 1, 0.3, 2, 0.1, -1}, b[3] = {-1, 0.3, 0.4};
    contact3 c;
    contact3_prepare(&c, bad, 0.7);
    contact3_solve(&c, b, r);
    assert_true(c.s[1] >= 0 && isfinite(r[0]));
    assert_true(law_error3(c.H, 0.7, b, r) < 1e-14);
    const double holes[9] = {1, nan(""), 0, 0, 1, 0, 0, 0, 1}, none[3] = {nan(""), 1, 1};
    solve(holes, 0.5, b, r);
    const double ball[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    solve(ball, 0.5, none, r);
    assert_close(r[0], 0, 0);
    // no limit on friction: sticks
    solve(ball, 1e300, b, r);
    assert_close(r[1], -0.3, 1e-16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(law_holds_for_random_blocks),
        cmocka_unit_test(law_holds_on_borders),
        cmocka_unit_test(agrees_with_scan),
        cmocka_unit_test(fixed_choice_among_several),
        cmocka_unit_test(singular_blocks),
        cmocka_unit_test(steep_singular_blocks),
        cmocka_unit_test(unsolvable_block),
        cmocka_unit_test(axisymmetric_blocks),
        cmocka_unit_test(begins_anywhere),
        cmocka_unit_test(turns_and_scales),
        cmocka_unit_test(survives_nonsense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
