/*
 * Contacts pressed apart without friction: where sweeps end the conditions of the minimum hold, computed by
 * other code than the kernels; every width of registers gives the same bits; what is not finite is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "solver/compact.h"
#include "solver/kernels.h"
#include "solver/press.h"
#include "support/close.h"
#include "support/lattice2.h"

enum { SIDE = 5, ENOUGH = 20000 };

// a third of the contacts overlap, walls are far, so that there is room; tangential shifts must not matter
static void set_gaps(step_problem *p)
{
    for (size_t i = 0; i < p->contacts; i++) {
        body_rows G;
        rows_of(p, i, 0, &G);
        const double x = sin(7.0 * (double)i), up = G.row[0][p->dim - 1],
                     gap = x < -0.5 ? 1e-2 * x : 1e-3 * (x + 0.6),
                     shift[3] = {has_two(p, i) || fabs(up) > 0.5 ? gap : 1, 5, -7};
        set_row_shift(p, i, shift);
    }
}

// u of the impulses, by the code for one contact
static void assert_velocities_belong(const step_problem *p)
{
    const size_t freedoms = p->dim == 2 ? 3 : 6;
    double *u = malloc(freedoms * p->bodies * sizeof *u), size = 0;
    for (uint32_t b = 0; b < p->bodies; b++) {
        memcpy(u + freedoms * b, body_velocity(p, b), freedoms * sizeof *u);
        memset(body_velocity(p, b), 0, freedoms * sizeof *u);
    }
    for (size_t i = 0; i < p->contacts; i++) {
        const double dS[3] = {p->press[i], 0, 0};
        apply_impulse(p->dim, p, i, has_two(p, i), dS);
    }
    for (size_t k = 0; k < freedoms * p->bodies; k++)
        size = fmax(size, fabs(u[k]));
    assert_true(size > 1e-3);
    // every sweep rounds each number a few times
    for (uint32_t b = 0; b < p->bodies; b++)
        for (size_t k = 0; k < freedoms; k++)
            assert_close(u[freedoms * b + k], body_velocity(p, b)[k], 12 * ENOUGH * 0x1p-53 * size);
    free(u);
}

static void assert_least_motion(step_problem *p)
{
    int open = 0, closed = 0;
    set_gaps(p);
    assert_true(press_apart(p, ENOUGH, NULL));
    assert_velocities_belong(p);
    for (size_t i = 0; i < p->contacts; i++) {
        double U[3];
        contact_velocity(p->dim, p, i, has_two(p, i), U);
        assert_true(p->press[i] >= 0);
        // 1e-10 of the overlaps: sweeps converge to rounding, of which U has a few units of 1e-18
        assert_true(U[0] >= -1e-12);
        assert_true(p->press[i] * U[0] <= 1e-14);
        closed += p->press[i] > 0;
        open += U[0] > 1e-6;
    }
    assert_true(open > 5 && closed > 5);
}

static void run_press(step_problem *p, const contact_kernels *k)
{
    press_apart(p, 0, NULL);
    for_contacts(p, NULL, 10, press_with, k);
}

static void assert_same_bits(step_problem *p)
{
    const size_t freedoms = p->dim == 2 ? 3 : 6;
    double *S = malloc(p->contacts * sizeof *S), *u = malloc(freedoms * p->bodies * sizeof *u);
    set_gaps(p);
    run_press(p, kernels_wide(1));
    memcpy(S, p->press, p->contacts * sizeof *S);
    for (uint32_t b = 0; b < p->bodies; b++)
        memcpy(u + freedoms * b, body_velocity(p, b), freedoms * sizeof *u);
    for (int width = 4; width <= 8; width += 4) {
        if (kernels_wide(width) == NULL)
            continue;
        run_press(p, kernels_wide(width));
        assert_memory_equal(p->press, S, p->contacts * sizeof *S);
        for (uint32_t b = 0; b < p->bodies; b++)
            assert_memory_equal(u + freedoms * b, body_velocity(p, b), freedoms * sizeof *u);
    }
    free(S);
    free(u);
}

static void run_with_room(void (*test)(step_problem *p), step_problem *p)
{
    p->press = malloc(p->contacts * sizeof *p->press);
    test(p);
    free(p->press);
}

// calls test for the forms of both dimensions
static void for_all_forms(void (*test)(step_problem *p), int side)
{
    lattice2 two = lattice2_make((size_t)side);
    packing3 lumps = packing3_make(&(packing3_def){.side = side, .mu = 0.4, .lumpiness = 0.3, .seed = 3}),
             balls = packing3_make(&(packing3_def){.side = side, .mu = 0.4, .seed = 3});
    step_problem round = compact(&balls, true);
    run_with_room(test, &two.general);
    run_with_room(test, &two.round);
    run_with_room(test, &lumps.p);
    run_with_room(test, &balls.p);
    run_with_room(test, &round);
    arena_free(&two.memory);
    packing3_free_all(&lumps);
    packing3_free_all(&balls);
}

static void ends_at_the_least_motion(void **state)
{
    (void)state;
    for_all_forms(assert_least_motion, SIDE);
}

static void same_bits_at_any_width(void **state)
{
    (void)state;
    for_all_forms(assert_same_bits, 12);
}

static void assert_told(step_problem *p)
{
    set_gaps(p);
    assert_true(press_apart(p, 3, NULL));
    const double far[3] = {-HUGE_VAL, 0, 0};
    set_row_shift(p, p->contacts / 2, far);
    assert_false(press_apart(p, 3, NULL));
}

static void what_is_not_finite_is_told(void **state)
{
    (void)state;
    for_all_forms(assert_told, SIDE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_at_the_least_motion),
        cmocka_unit_test(same_bits_at_any_width),
        cmocka_unit_test(what_is_not_finite_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
