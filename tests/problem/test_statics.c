/*
 * Statics of contacts: a particle on a slope in 2D and 3D at its limit, the dual minimum property without
 * friction (M99 §8.4), random problems built from known forces or a known mechanism, redundant and empty
 * data.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/rng.h"
#include "problem/statics.h"
#include "support/close.h"

enum { ROOM = 64 };

/* A small problem with its arrays. */
typedef struct small {
    statics p;
    double A[ROOM], F[ROOM], mu[ROOM], G[ROOM * ROOM];
    uint32_t body[ROOM], column[ROOM * ROOM];
    size_t start[ROOM];
    double S[ROOM], u[ROOM];
    statics_info info;
} small;

// dense rows: every contact acts on every freedom, all of one body
static void begin(small *s, int dim, size_t freedoms, size_t contacts)
{
    memset(s, 0, sizeof *s);
    s->p = (statics){dim, freedoms, contacts, s->A, s->F, s->body, s->start, s->column, s->G, s->mu};
    for (size_t f = 0; f < freedoms; f++)
        s->A[f] = 1;
    for (size_t c = 0; c < contacts; c++) {
        s->start[c + 1] = (c + 1) * freedoms;
        for (size_t f = 0; f < freedoms; f++)
            s->column[c * freedoms + f] = (uint32_t)f;
    }
}

static double *entry(small *s, size_t contact, size_t row, size_t freedom)
{
    return &s->G[(size_t)s->p.dim * (contact * s->p.freedoms + freedom) + row];
}

static void solve(small *s)
{
    mo_error err = {0};
    assert_int_equal(statics_solve(&s->p, s->S, s->u, &s->info, &err), MO_OK);
}

// F + G* S in A^-1, from the data
static double imbalance_of(const small *s, const double *S)
{
    double sum = 0, load = 0;
    const size_t dim = (size_t)s->p.dim;
    for (size_t f = 0; f < s->p.freedoms; f++) {
        double e = s->F[f];
        for (size_t c = 0; c < s->p.contacts; c++)
            for (size_t i = 0; i < dim; i++)
                e += s->G[dim * (c * s->p.freedoms + f) + i] * S[dim * c + i];
        sum += e * e / s->A[f];
        load += s->F[f] * s->F[f] / s->A[f];
    }
    return sqrt(sum / load);
}

static void check_forces(const small *s, double tol)
{
    const size_t dim = (size_t)s->p.dim;
    assert_true(imbalance_of(s, s->S) <= tol);
    for (size_t c = 0; c < s->p.contacts; c++) {
        const double *S = s->S + dim * c;
        const double t = dim == 2 ? fabs(S[1]) : hypot(S[1], S[2]);
        assert_true(S[0] >= 0 && t <= s->mu[c] * S[0] * (1 + 1e-15));
    }
}

// U_N >= mu |U_T| and F.u > 0, from the data
static void check_motion(const small *s, double tol)
{
    const size_t dim = (size_t)s->p.dim;
    double power = 0, terms = 0;
    for (size_t f = 0; f < s->p.freedoms; f++) {
        power += s->F[f] * s->u[f];
        terms += fabs(s->F[f] * s->u[f]);
    }
    assert_true(power > 0);
    assert_close(power, s->info.power, 1e-14 * terms);
    for (size_t c = 0; c < s->p.contacts; c++) {
        double U[3] = {0};
        for (size_t f = 0; f < s->p.freedoms; f++)
            for (size_t i = 0; i < dim; i++)
                U[i] += s->G[dim * (c * s->p.freedoms + f) + i] * s->u[f];
        assert_true(s->mu[c] * hypot(U[1], U[2]) - U[0] <= tol);
    }
}

/* ---- a particle on a slope
 * --------------------------------------------------------------------------------- */

// weight w at tan(slope) = mu + more; in 3D the fall line is turned in the tangent plane
static void particle(small *s, int dim, double mu, double more, double turn)
{
    begin(s, dim, (size_t)dim, 1);
    const double w = 30, slope = atan(mu + more);
    for (size_t i = 0; i < (size_t)dim; i++) {
        *entry(s, 0, i, i) = 1;
        s->A[i] = 3;
    }
    s->mu[0] = mu;
    s->F[0] = -w * cos(slope);
    s->F[1] = w * sin(slope) * (dim == 3 ? cos(turn) : 1);
    if (dim == 3)
        s->F[2] = w * sin(slope) * sin(turn);
    solve(s);
}

static void slope_at_its_limit(void **state)
{
    (void)state;
    small s;
    for (int dim = 2; dim <= 3; dim++)
        for (int k = 0; k < 7; k++) {
            const double mu = 0.1 + 0.2 * k, turn = 0.3 + 0.9 * k, near = dim == 2 ? 1e-9 : 1e-8;
            particle(&s, dim, mu, -near, turn);
            assert_int_equal(s.info.outcome, STATICS_BALANCED);
            check_forces(&s, 1e-10);
            particle(&s, dim, mu, near, turn);
            assert_int_equal(s.info.outcome, STATICS_MECHANISM);
            check_motion(&s, dim == 2 ? 1e-15 : 3e-13);
            // imbalance: sin(alpha - phi)
            particle(&s, dim, mu, 0.2, turn);
            assert_int_equal(s.info.outcome, STATICS_MECHANISM);
            assert_close(s.info.imbalance, sin(atan(mu + 0.2) - atan(mu)), 1e-12);
            check_motion(&s, 1e-13);
        }
}

/* ---- the dual minimum property
 * ----------------------------------------------------------------------------- */

// frictionless forces minimise |F + G* S| over S >= 0: nothing near them is better, and nothing far
static void forces_minimise(void **state)
{
    (void)state;
    rng r = rng_seed(11, 1);
    for (int round = 0; round < 200; round++) {
        small s;
        begin(&s, 2, 4, 5);
        for (size_t f = 0; f < 4; f++) {
            s.A[f] = 0.5 + rng_uniform(&r);
            s.F[f] = rng_uniform(&r) - 0.5;
            for (size_t c = 0; c < 5; c++)
                *entry(&s, c, 0, f) = rng_uniform(&r) - 0.5;
        }
        solve(&s);
        assert_true(s.info.outcome != STATICS_UNDECIDED);
        const double least = imbalance_of(&s, s.S);
        assert_close(least, s.info.imbalance, 1e-10);
        for (int trial = 0; trial < 50; trial++) {
            double other[ROOM] = {0};
            const double size = trial % 2 == 0 ? 1e-3 : 3;
            for (size_t c = 0; c < 5; c++)
                other[2 * c] = fmax(0, s.S[2 * c] + size * (rng_uniform(&r) - 0.5));
            assert_true(imbalance_of(&s, other) >= least - 1e-12);
        }
    }
}

/* ---- random problems with a known answer
 * --------------------------------------------------------------------- */

static void random_rows(small *s, rng *r, int dim, size_t freedoms, size_t contacts)
{
    begin(s, dim, freedoms, contacts);
    for (size_t c = 0; c < contacts; c++) {
        s->mu[c] = c % 3 == 0 ? 0 : rng_uniform(r);
        for (size_t f = 0; f < freedoms; f++)
            for (size_t i = 0; i < (size_t)dim; i++)
                *entry(s, c, i, f) = 2 * rng_uniform(r) - 1;
    }
    for (size_t f = 0; f < freedoms; f++)
        s->A[f] = exp(4 * rng_uniform(r) - 2);
}

// F := -G* S of forces inside or on the edge of their cones
static void known_forces(void **state)
{
    (void)state;
    rng r = rng_seed(5, 1);
    for (int round = 0; round < 300; round++) {
        small s;
        const int dim = 2 + round % 2;
        random_rows(&s, &r, dim, 6, 4);
        for (size_t c = 0; c < 4; c++) {
            const double N = 0.1 + rng_uniform(&r), T = s.mu[c] * N * (c == 1 ? 1 : rng_uniform(&r));
            const double turn = 6.28 * rng_uniform(&r),
                         S[3] = {N, dim == 2 ? T : T * cos(turn), T * sin(turn)};
            for (size_t f = 0; f < 6; f++)
                for (size_t i = 0; i < (size_t)dim; i++)
                    s.F[f] -= *entry(&s, c, i, f) * S[i];
        }
        solve(&s);
        assert_int_equal(s.info.outcome, STATICS_BALANCED);
        check_forces(&s, 2e-10);
    }
}

// rows turned so that a motion is opposed by no contact, and a load that gives it power
static void known_mechanism(void **state)
{
    (void)state;
    rng r = rng_seed(6, 1);
    for (int round = 0; round < 300; round++) {
        small s;
        const int dim = 2 + round % 2;
        double motion[6], power = 0;
        random_rows(&s, &r, dim, 6, 5);
        for (size_t f = 0; f < 6; f++)
            motion[f] = 2 * rng_uniform(&r) - 1;
        for (size_t c = 0; c < 5; c++) {
            double U[3] = {0}, size = 0;
            for (size_t f = 0; f < 6; f++) {
                size += motion[f] * motion[f];
                for (size_t i = 0; i < (size_t)dim; i++)
                    U[i] += *entry(&s, c, i, f) * motion[f];
            }
            const double lack = s.mu[c] * hypot(U[1], U[2]) - U[0];
            for (size_t f = 0; f < 6; f++)
                *entry(&s, c, 0, f) += lack * motion[f] / size;
        }
        for (size_t f = 0; f < 6; f++) {
            s.F[f] = rng_uniform(&r) - 0.5;
            power += s.F[f] * motion[f];
        }
        for (size_t f = 0; f < 6; f++)
            s.F[f] *= power > 0 ? 1 : -1;
        solve(&s);
        assert_int_equal(s.info.outcome, STATICS_MECHANISM);
        check_motion(&s, 1e-12);
    }
}

/* ---- extremes
 * ------------------------------------------------------------------------------------------------ */

static void nothing_to_hold(void **state)
{
    (void)state;
    small s;
    // no freedoms, no contacts
    begin(&s, 2, 0, 0);
    solve(&s);
    assert_int_equal(s.info.outcome, STATICS_BALANCED);
    // no loads
    begin(&s, 2, 3, 2);
    *entry(&s, 0, 0, 0) = 1;
    solve(&s);
    assert_int_equal(s.info.outcome, STATICS_BALANCED);
    assert_true(s.S[0] == 0 && s.S[2] == 0);
    // a load without contacts, and one with contacts that act on nothing
    begin(&s, 2, 3, 0);
    s.F[1] = -1e-200;
    solve(&s);
    assert_int_equal(s.info.outcome, STATICS_MECHANISM);
    assert_close(s.info.imbalance, 1, 1e-15);
    begin(&s, 2, 2, 1);
    s.F[1] = -1;
    s.start[1] = 0;
    solve(&s);
    assert_int_equal(s.info.outcome, STATICS_MECHANISM);
}

// forty times the same contact under loads and inertias of any size: the least forces share the load
static void repeated_contacts(void **state)
{
    (void)state;
    for (int k = -12; k <= 12; k += 4) {
        small s;
        const double size = pow(10, k), weight = 7 * pow(10, -k / 2);
        begin(&s, 2, 1, 40);
        s.A[0] = size;
        s.F[0] = -weight;
        for (size_t c = 0; c < 40; c++) {
            *entry(&s, c, 0, 0) = 1;
            s.mu[c] = 0.5;
        }
        // S has only 64 places
        s.p.contacts = 30;
        solve(&s);
        assert_int_equal(s.info.outcome, STATICS_BALANCED);
        for (size_t c = 0; c < 30; c++) {
            assert_close(s.S[2 * c], weight / 30, 1e-12 * weight);
            assert_close(s.S[2 * c + 1], 0, 1e-12 * weight);
        }
    }
}

// a light body that cannot stand is not hidden by a heavy one that can
static void groups_are_judged_apart(void **state)
{
    (void)state;
    small s;
    begin(&s, 2, 2, 1);
    s.body[1] = 1;
    s.A[0] = 1e20;
    s.A[1] = 1e-20;
    s.F[0] = -1e21;
    s.F[1] = -1e-19;
    s.start[1] = 1;
    s.column[0] = 0;
    s.G[0] = 1;
    solve(&s);
    assert_int_equal(s.info.groups, 2);
    assert_int_equal(s.info.outcome, STATICS_MECHANISM);
    assert_close(s.S[0], 1e21, 1e10);
    assert_true(s.u[0] == 0 && s.u[1] < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slope_at_its_limit),
        cmocka_unit_test(forces_minimise),
        cmocka_unit_test(known_forces),
        cmocka_unit_test(known_mechanism),
        cmocka_unit_test(nothing_to_hold),
        cmocka_unit_test(repeated_contacts),
        cmocka_unit_test(groups_are_judged_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
