/* Round bodies: the compact rows agree with the general ones, and every width of registers gives the same
 * bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "solver/compact.h"
#include "solver/kernels.h"
#include "solver/nlgs.h"
#include "support/close.h"
#include "support/lattice2.h"

enum { SIDE = 9 };

static packing3 heap(void)
{
    return packing3_make(&(packing3_def){.side = SIDE, .mu = 0.4, .shake = 0.05, .seed = 5});
}

// impulse of contact i in world axes
static void world_impulse(const step_problem *p, size_t i, const double *n, const double *t, double P[3])
{
    double s[3];
    vec3_cross(n, t, s);
    for (int k = 0; k < 3; k++)
        P[k] = n[k] * p->S[3 * i] + t[k] * p->S[3 * i + 1] + s[k] * p->S[3 * i + 2];
}

/* Two programs for one problem: they differ by rounding, which sweeps do not let grow. */
static void balls_agree_with_general_rows(void **state)
{
    (void)state;
    packing3 k = heap();
    step_problem p = compact(&k, false);
    double worst = 0, largest = 0;
    refresh_velocities(&k.p, NULL);
    refresh_velocities(&p, NULL);
    for (int sweep = 0; sweep < 30; sweep++) {
        nlgs_sweep(&k.p, NULL);
        nlgs_sweep(&p, NULL);
    }
    for (size_t i = 0; i < p.contacts; i++) {
        double t[3], one[3], two[3];
        vec3_across(p.round[i].n, t);
        world_impulse(&k.p, i, k.p.row3[i].n, k.p.row3[i].t, one);
        world_impulse(&p, i, p.round[i].n, t, two);
        worst = fmax(worst, vec3_distance(one, two));
        largest = fmax(largest, vec3_norm(one));
        assert_close(contact_rho(&p, i), contact_rho(&k.p, i), 1e-14);
        contact3_make_ready(&k.p.block3[i]);
        assert_true(k.p.block3[i].axisymmetric);
    }
    assert_true(largest > 0.1 && worst <= 1e-13 * largest);
    for (uint32_t b = 0; b < p.bodies; b++)
        for (int a = 0; a < 6; a++)
            assert_true(fabs(p.ball[b].u[a] - k.p.velocity3[b].u[a]) <= 1e-13 * largest);
    // and the certificates that both get
    mo_certificate general, round;
    certify(&k.p, HUGE_VAL, NULL, k.sums, &general);
    certify(&p, HUGE_VAL, NULL, k.sums, &round);
    assert_true(general.residual > 1e-6);
    assert_close(round.residual / general.residual, 1, 1e-8);
    assert_close(round.bipotential_gap / general.bipotential_gap, 1, 1e-8);
    assert_close(round.complementarity / general.complementarity, 1, 1e-8);
    assert_true(fabs(round.cone_violation_velocity - general.cone_violation_velocity) <= 1e-12);
    packing3_free_all(&k);
}

static void balls_have_the_same_bits_at_any_width(void **state)
{
    (void)state;
    for (int slip = 0; slip < 2; slip++) {
        packing3 k = heap();
        step_problem p = compact(&k, slip == 1);
        rng r = rng_seed(7, 1);
        for (size_t i = 0; i < p.contacts; i++) {
            p.round[i].shift = 1e-3 * random_sign(&r);
            // some without friction
            p.round[i].mu = i % 7 == 0 ? 0 : p.round[i].mu;
            for (size_t c = 2 * i; slip == 1 && c < 2 * i + 2; c++)
                p.slip[c] = 1e-2 * random_sign(&r);
        }
        assert_same_for_all_widths(&p);
        packing3_free_all(&k);
    }
}

static void discs_agree_with_general_rows_at_any_width(void **state)
{
    (void)state;
    lattice2 d = lattice2_make(40);
    double *sums = arena_push(&d.memory, certificate_scratch(d.general.contacts), sizeof *sums), size = 0;
    refresh_velocities(&d.general, NULL);
    refresh_velocities(&d.round, NULL);
    for (int sweep = 0; sweep < 30; sweep++) {
        nlgs_sweep(&d.general, NULL);
        nlgs_sweep(&d.round, NULL);
    }
    for (size_t i = 0; i < 2 * d.general.contacts; i++)
        size = fmax(size, fabs(d.general.S[i]));
    assert_true(size > 0.01);
    for (size_t i = 0; i < 2 * d.general.contacts; i++)
        assert_true(fabs(d.general.S[i] - d.round.S[i]) <= 1e-13 * size);
    mo_certificate general, round;
    certify(&d.general, HUGE_VAL, NULL, sums, &general);
    certify(&d.round, HUGE_VAL, NULL, sums, &round);
    assert_true(general.residual > 1e-6);
    assert_close(round.residual / general.residual, 1, 1e-8);
    assert_same_for_all_widths(&d.round);
    arena_free(&d.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_agree_with_general_rows),
        cmocka_unit_test(balls_have_the_same_bits_at_any_width),
        cmocka_unit_test(discs_agree_with_general_rows_at_any_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
