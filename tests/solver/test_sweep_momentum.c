/* Sweeps with momentum: the formulas, what is proved of them, and when they begin anew. */
#include "solver/sweep_momentum.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/close.h"

// the first points of one number by hand: t = 1, 1.618..., 2.193..., beta = 0, 0.2818..., ...
static void first_points(void **state)
{
    (void)state;
    double weight = 2, r = 0, room[8];
    sweep_momentum m;
    assert_true(sweep_momentum_room(1) <= sizeof room / sizeof *room);
    sweep_momentum_place(&m, 1, &weight, room, NULL);
    sweep_momentum_start(&m, &r);
    const double t1 = (1 + sqrt(5)) / 2, t2 = (1 + sqrt(1 + 4 * t1 * t1)) / 2;
    r = 1;
    assert_true(sweep_momentum_next(&m, &r) == 0 && r == 1);
    r = 2;
    const double beta = sweep_momentum_next(&m, &r);
    assert_close(beta, (t1 - 1) / t2, 1e-15);
    assert_close(r, 2 + beta, 1e-15);
    // the sweep takes back some of that: r has gone on from 2, but the change leads back
    r = 2.1;
    assert_true(sweep_momentum_next(&m, &r) == 0 && r == 2.1);
    // and begins anew: no momentum in the first step, that of the second above in the next one
    r = 2.2;
    assert_true(sweep_momentum_next(&m, &r) == 0 && r == 2.2);
    r = 2.3;
    assert_close(sweep_momentum_next(&m, &r), beta, 1e-15);
}

// a change of more than three times the least one, though it leads on, ends what has been gathered
static void growing_changes(void **state)
{
    (void)state;
    const double change[5] = {5, 1, 2.9, 3.1, 9};
    double weight = 1, r = 0, room[8];
    sweep_momentum m;
    sweep_momentum_place(&m, 1, &weight, room, NULL);
    sweep_momentum_start(&m, &r);
    for (int k = 0; k < 5; k++) {
        r += change[k];
        const double beta = sweep_momentum_next(&m, &r);
        // the first one has none anyway, and 9 is less than three times 3.1
        assert_true((beta > 0) == (k == 1 || k == 2));
    }
    assert_int_equal(m.rule.swings, 1);
}

enum { LONG = 40003, STEPS = 150 };

// the gradient step of x.Ax/2 with A = diag(lambda), 0 < lambda <= 1
static void descend(const double *lambda, double *x)
{
    for (size_t i = 0; i < LONG; i++)
        x[i] -= lambda[i] * x[i];
}

static double value(const double *lambda, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < LONG; i++)
        sum += lambda[i] * x[i] * x[i] / 2;
    return sum;
}

static double *make_vectors(size_t count)
{
    double *all = calloc(count * LONG + sweep_momentum_room(LONG), sizeof *all);
    assert_non_null(all);
    return all;
}

// lambda from 1 down to 1e-4, x all ones, the metric of numbers alike
static void set_problem(double *lambda, double *weight, double *x)
{
    for (size_t i = 0; i < LONG; i++) {
        lambda[i] = pow(10, -4 * (double)i / (LONG - 1));
        weight[i] = x[i] = 1;
    }
}

/*
 * f(x_k) <= 2 |x_0|² / (k + 1)² for gradient steps of length 1/L = 1 with momentum that never begins anew
 * (Beck & Teboulle 2009, Theorem 4.4).  Momentum is needed: without it f(x_k) is |x_0|² times the mean of
 * lambda (1 - lambda)^(2k) / 2 over the logarithms of lambda, about 1 / (4 k log 1e4), twice the bound at k =
 * 150.
 */
static void falls_as_proved(void **state)
{
    (void)state;
    double *all = make_vectors(4), *lambda = all, *weight = all + LONG, *x = weight + LONG, *plain = x + LONG,
           *room = plain + LONG;
    sweep_momentum m;
    set_problem(lambda, weight, plain);
    set_problem(lambda, weight, x);
    sweep_momentum_place(&m, LONG, weight, room, NULL);
    sweep_momentum_start(&m, x);
    for (int k = 1; k <= STEPS; k++) {
        descend(lambda, plain);
        descend(lambda, x);
        assert_true(value(lambda, x) <= 2.0 * LONG / ((k + 1.0) * (k + 1.0)));
        assert_true((sweep_momentum_next(&m, x) > 0) == (k > 1));
    }
    assert_true(value(lambda, plain) > 2.0 * LONG / ((STEPS + 1.0) * (STEPS + 1.0)));
    free(all);
}

// against the formulas written plainly, over chunks; threads do not change a bit
static void long_vectors(void **state)
{
    (void)state;
    double *all = make_vectors(7), *lambda = all, *weight = all + LONG, *x = weight + LONG, *plain = x + LONG,
           *before = plain + LONG, *other = before + LONG, *room = other + 2 * LONG;
    pool *threads = pool_create(3);
    sweep_momentum m;
    double t = 1;
    set_problem(lambda, weight, x);
    sweep_momentum_place(&m, LONG, weight, room, NULL);
    sweep_momentum_start(&m, x);
    memcpy(plain, x, LONG * sizeof *x);
    memcpy(before, x, LONG * sizeof *x);
    for (int k = 0; k < 20; k++) {
        const double next = (1 + sqrt(1 + 4 * t * t)) / 2, beta = (t - 1) / next;
        descend(lambda, plain);
        for (size_t i = 0; i < LONG; i++) {
            const double now = plain[i];
            plain[i] = now + beta * (now - before[i]);
            before[i] = now;
        }
        t = next;
        descend(lambda, x);
        assert_close(sweep_momentum_next(&m, x), beta, 1e-15);
    }
    for (size_t i = 0; i < LONG; i++)
        assert_close(x[i], plain[i], 1e-13);
    set_problem(lambda, weight, other);
    sweep_momentum_place(&m, LONG, weight, room, threads);
    sweep_momentum_start(&m, other);
    for (int k = 0; k < 20; k++) {
        descend(lambda, other);
        sweep_momentum_next(&m, other);
    }
    assert_memory_equal(x, other, LONG * sizeof *x);
    pool_destroy(threads);
    free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_points),
        cmocka_unit_test(growing_changes),
        cmocka_unit_test(falls_as_proved),
        cmocka_unit_test(long_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
