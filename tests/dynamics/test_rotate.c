/*
 * Free rotation against closed forms: steady precession of a symmetric top, Jacobi's solution of an
 * asymmetric one; what must stay, stays.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/rng.h"
#include "dynamics/rotate.h"
#include "math/quat.h"
#include "support/close.h"

static double energy(const double I[3], const double w[3])
{
    return 0.5 * (I[0] * w[0] * w[0] + I[1] * w[1] * w[1] + I[2] * w[2] * w[2]);
}

static void momentum(const double I[3], const double q[4], const double w[3], double out[3])
{
    double L[3] = {I[0] * w[0], I[1] * w[1], I[2] * w[2]};
    quat_rotate(q, L, out);
}

static double between(rng *r, double low, double high)
{
    return low + (high - low) * rng_uniform(r);
}

// a body as real ones are: no inertia above the sum of the others
static void random_inertia(rng *r, double I[3])
{
    double x = between(r, 0.1, 2), y = between(r, 0.1, 2), z = between(r, 0.1, 2);
    vec3_set(I, y + z, x + z, x + y);
}

static void random_state(rng *r, double q[4], double w[3])
{
    for (int k = 0; k < 4; k++)
        q[k] = between(r, -1, 1);
    quat_normalise(q);
    for (int k = 0; k < 3; k++)
        w[k] = between(r, -5, 5);
}

// energy and the vector of momentum stay to rounding, which adds up like a random walk over at most 6
// midpoint rules a step, a few units in the last place each
static void energy_and_momentum_stay(void **state)
{
    (void)state;
    rng r = rng_seed(7, 1);
    enum { STEPS = 2000 };
    double bound = 10 * sqrt(6.0 * STEPS) * 2.2e-16 + 1e-14;
    for (int k = 0; k < 200; k++) {
        double I[3], q[4], w[3], L0[3], L[3];
        random_inertia(&r, I);
        if (k % 4 == 1)
            I[1] = I[0];
        if (k % 4 == 2)
            I[2] = I[1] = I[0];
        random_state(&r, q, w);
        momentum(I, q, w, L0);
        double E = energy(I, w), h = k % 2 == 0 ? 1e-3 : 0.1;
        for (int n = 0; n < STEPS; n++)
            rotate_free(I, h, q, w);
        momentum(I, q, w, L);
        assert_close(energy(I, w) / E, 1, bound);
        assert_true(vec3_distance(L, L0) <= bound * vec3_norm(L0));
        assert_close(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-15);
    }
}

// I1 = I2: the axis of symmetry goes round L at the rate |L|/I1, at a constant angle, in one step of any
// length
static void symmetric_top_precesses(void **state)
{
    (void)state;
    rng r = rng_seed(3, 1);
    for (int k = 0; k < 100; k++) {
        double a = between(&r, 0.5, 2), I[3] = {a, a, between(&r, 0.1, 2) * a}, q[4], w[3], L[3], e[3],
               axis[3];
        random_state(&r, q, w);
        momentum(I, q, w, L);
        const double ez[3] = {0, 0, 1};
        quat_rotate(q, ez, e);
        double t = between(&r, -2, 2), turn[3], spin[4];
        vec3_scale(t / a, L, turn);
        quat_exp(turn, spin);
        quat_rotate(spin, e, e);
        rotate_free(I, t, q, w);
        quat_rotate(q, ez, axis);
        assert_true(vec3_distance(axis, e) < 1e-13);
    }
}

// complete elliptic integral of the first kind of modulus k, by the arithmetic-geometric mean
static double elliptic_K(double k)
{
    double a = 1, b = sqrt(1 - k * k);
    for (int n = 0; n < 40; n++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return acos(-1.0) / (2 * a);
}

// I1 < I2 < I3, L² > 2 E I2 (Landau and Lifshitz, Mechanics §37): the spin has this period
static double spin_period(const double I[3], const double w[3])
{
    double E2 = 2 * energy(I, w), L2 = 0;
    for (int k = 0; k < 3; k++)
        L2 += I[k] * w[k] * I[k] * w[k];
    double k2 = (I[1] - I[0]) * (E2 * I[2] - L2) / ((I[2] - I[1]) * (L2 - E2 * I[0]));
    return 4 * elliptic_K(sqrt(k2)) * sqrt(I[0] * I[1] * I[2] / ((I[2] - I[1]) * (L2 - E2 * I[0])));
}

// error of the spin after one period in n steps
static double period_error(const double I[3], const double start[3], int n)
{
    double q[4] = {1, 0, 0, 0}, w[3] = {start[0], start[1], start[2]}, T = spin_period(I, start);
    for (int k = 0; k < n; k++)
        rotate_free(I, T / n, q, w);
    return vec3_distance(w, start);
}

static void asymmetric_top_is_periodic_to_order_four(void **state)
{
    (void)state;
    const double I[3] = {1, 2, 2.5}, w[3] = {0.3, 0.5, 2};
    double coarse = period_error(I, w, 100), fine = period_error(I, w, 200);
    assert_true(coarse < 1e-4);
    assert_close(log2(coarse / fine), 4, 0.2);
}

// about the middle axis the body turns over twice in each period (Dzhanibekov): the spin along it changes
// sign
static void middle_axis_flips(void **state)
{
    (void)state;
    // L² > 2 E I2: the spin goes round the third axis between flips of the second
    const double I[3] = {1, 2, 2.5}, w[3] = {1e-3, 5, 3e-3};
    double T = spin_period(I, w), q[4] = {1, 0, 0, 0}, v[3] = {w[0], w[1], w[2]};
    enum { N = 20000 };
    int flips = 0;
    for (int n = 0; n < N; n++) {
        double before = v[1];
        rotate_free(I, T / N, q, v);
        flips += before * v[1] < 0 ? 1 : 0;
    }
    assert_int_equal(flips, 2);
    assert_true(vec3_distance(v, w) < 1e-4 * vec3_norm(w));
}

// a step forth and one back, and the fastest spin that a double holds: no harm
static void extremes(void **state)
{
    (void)state;
    rng r = rng_seed(11, 1);
    for (int k = 0; k < 100; k++) {
        double I[3], q[4], w[3], q0[4], w0[3];
        random_inertia(&r, I);
        random_state(&r, q, w);
        quat_set(q0, q[0], q[1], q[2], q[3]);
        vec3_copy(w, w0);
        rotate_free(I, 0.01, q, w);
        rotate_free(I, -0.01, q, w);
        assert_true(vec3_distance(w, w0) < 1e-14 * vec3_norm(w0) + 1e-14);
        vec3_set(w, 1e12, -3e12, 2e12);
        rotate_free(I, 1, q, w);
        assert_true(isfinite(vec3_norm(w)) && isfinite(q[0]));
        vec3_set(w, 0, 0, 0);
        rotate_free(I, 1, q, w);
        assert_true(vec3_norm(w) == 0 && isfinite(q[0]));
    }
}

// far more turns in a step than it is cut into: energy and momentum stay all the same, to the rounding of
// 4096 cuts of three midpoint rules each
static void fast_spins_keep_energy_and_momentum(void **state)
{
    (void)state;
    rng r = rng_seed(13, 1);
    double bound = 10 * sqrt(3 * 4096.0) * 2.2e-16 + 1e-14;
    for (double fast = 1e3; fast < 1e13; fast *= 100) {
        double I[3], q[4], w[3], L0[3], L[3];
        random_inertia(&r, I);
        random_state(&r, q, w);
        vec3_scale(fast, w, w);
        momentum(I, q, w, L0);
        double E = energy(I, w);
        rotate_free(I, 1, q, w);
        momentum(I, q, w, L);
        assert_close(energy(I, w) / E, 1, bound);
        assert_true(vec3_distance(L, L0) <= bound * vec3_norm(L0));
    }
}

// many balls at once turn as each alone does, to the bit: at rest, by next to nothing, by many turns, by what
// is not a number, in any slots
static void balls_turn_together_as_alone(void **state)
{
    (void)state;
    rng r = rng_seed(17, 1);
    enum { SLOTS = 50 };
    for (int trial = 0; trial < 200; trial++) {
        double u[6 * SLOTS], q[7 * SLOTS], alone[7 * SLOTS], t = between(&r, -2, 2);
        uint32_t slot[ROTATE_BLOCK];
        const size_t count = (size_t)trial % (ROTATE_BLOCK + 1);
        for (int i = 0; i < SLOTS; i++) {
            random_state(&r, &q[7 * i + 3], &u[6 * i + 3]);
            vec3_set(&q[7 * i], 1, 2, 3);
            vec3_scale(pow(10, between(&r, -20, 3)), &u[6 * i + 3], &u[6 * i + 3]);
            if (i % 7 == 0)
                vec3_set(&u[6 * i + 3], 0, i % 2 == 0 ? 0 : (double)NAN, 0);
        }
        memcpy(alone, q, sizeof q);
        for (size_t j = 0; j < count; j++) {
            double turn[3];
            slot[j] = (uint32_t)((7 * j + (size_t)trial) % SLOTS);
            vec3_scale(t, &u[6 * slot[j] + 3], turn);
            rotate_by(turn, &alone[7 * slot[j] + 3]);
        }
        rotate_balls(slot, count, t, u, q);
        for (size_t k = 0; k < sizeof q / sizeof *q; k++)
            assert_true(memcmp(&q[k], &alone[k], sizeof *q) == 0 || (isnan(q[k]) && isnan(alone[k])));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_and_momentum_stay),
        cmocka_unit_test(symmetric_top_precesses),
        cmocka_unit_test(asymmetric_top_is_periodic_to_order_four),
        cmocka_unit_test(middle_axis_flips),
        cmocka_unit_test(extremes),
        cmocka_unit_test(balls_turn_together_as_alone),
        cmocka_unit_test(fast_spins_keep_energy_and_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
