/*
 * Sweeps with half of W: each is the sweep of Gauss and Seidel with W~ written out in full, with momentum and
 * without, up to single precision; swept until nothing changes, with loads taken anew, they solve the problem
 * with W itself, by the certificate; what they are not for is refused.  Problems: a row of contacts, each of
 * which has to do with the three before and after it, W = the blocks of spheres or any others on the diagonal
 * and small ones beside it.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <moreau/problem.h>

#include "core/rng.h"
#include "solver/half_sweep.h"

enum { BAND = 3, ROW = 2 * BAND + 1 };

static double either_way(rng *random)
{
    return 2 * rng_uniform(random) - 1;
}

static size_t find(const mo_problem *p, size_t c, size_t d)
{
    size_t k = p->start[c];
    while (p->column[k] != d)
        k++;
    return k;
}

// blocks right of the diagonal: random, of the size `beside`; left of it their transposes
static void fill(mo_problem *p, bool spheres, double beside, rng *random)
{
    for (size_t c = 0; c < p->contacts; c++)
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++) {
            const size_t d = p->column[k], of = d < c ? find(p, d, c) : 0;
            for (size_t i = 0; i < 9; i++)
                p->W[9 * k + i] = d < c ? p->W[9 * of + 3 * (i % 3) + i / 3] : beside * either_way(random);
            for (size_t i = 0; i < 3 && d == c; i++) {
                for (size_t j = 0; j < 3; j++)
                    p->W[9 * k + 3 * i + j] = spheres ? 0 : 0.2 * (i == j ? 0 : 1);
                p->W[9 * k + 4 * i] = i == 0 ? 1 : 3.5;
            }
        }
}

static mo_problem make(size_t contacts, bool spheres, double beside)
{
    mo_problem p = {.dim = 3, .contacts = contacts};
    rng random = rng_seed(7, 1);
    p.start = calloc(contacts + 1, sizeof *p.start);
    p.column = calloc(ROW * contacts, sizeof *p.column);
    p.W = calloc(ROW * contacts, 9 * sizeof *p.W);
    p.q = calloc(contacts, 3 * sizeof *p.q);
    p.mu = calloc(contacts, sizeof *p.mu);
    assert_true(p.start != NULL && p.column != NULL && p.W != NULL && p.q != NULL && p.mu != NULL);
    for (size_t c = 0, k = 0; c < contacts; c++) {
        for (size_t d = c < BAND ? 0 : c - BAND; d <= c + BAND && d < contacts; d++)
            p.column[k++] = (uint32_t)d;
        p.start[c + 1] = k;
        p.mu[c] = 0.1 + 0.4 * rng_uniform(&random);
        p.q[3 * c] = -0.2 + either_way(&random);
        p.q[3 * c + 1] = either_way(&random);
        p.q[3 * c + 2] = either_way(&random);
    }
    fill(&p, spheres, beside, &random);
    return p;
}

/* What a solver has ready. */
typedef struct ready {
    mo_problem p;
    size_t *diagonal;
    contact3 *block3;
    double *rho, *r, *u; /* r: one number more */
    arena memory;
    half_sweep half;
} ready;

// size: of r, roughly; what it is has no influence but on rounding
static half_answer prepare_sized(ready *s, double size)
{
    const size_t contacts = s->p.contacts;
    s->memory = (arena){0};
    s->diagonal = arena_push(&s->memory, contacts, sizeof *s->diagonal);
    s->block3 = arena_push(&s->memory, contacts, sizeof *s->block3);
    s->rho = arena_push(&s->memory, contacts, sizeof *s->rho);
    s->r = arena_push_zero(&s->memory, 3 * contacts + 1, sizeof *s->r);
    s->u = arena_push_zero(&s->memory, 3 * contacts, sizeof *s->u);
    assert_true(s->diagonal != NULL && s->block3 != NULL && s->rho != NULL && s->r != NULL && s->u != NULL);
    for (size_t c = 0; c < contacts; c++) {
        s->diagonal[c] = find(&s->p, c, c);
        s->rho[c] = 1 / 3.5;
        contact3_prepare(&s->block3[c], s->p.W + 9 * s->diagonal[c], s->p.mu[c]);
    }
    return half_sweep_make(&s->p, s->diagonal, s->block3, s->rho, size, &s->memory, &s->half);
}

static half_answer prepare(ready *s)
{
    return prepare_sized(s, 1);
}

static void finish(ready *s)
{
    arena_free(&s->memory);
    mo_problem_free(&s->p);
}

// u := row c of W r + q, or of W~ r + q
static void product_row(const mo_problem *p, const contact3 *own, size_t c, const double *r, double *u)
{
    memcpy(u, p->q + 3 * c, 3 * sizeof *u);
    for (size_t k = p->start[c]; k < p->start[c + 1]; k++)
        for (size_t i = 0; i < 9; i++) {
            double w = p->W[9 * k + i];
            if (own != NULL)
                w = p->column[k] == c ? own[c].H[i] : (double)(float)w;
            u[i / 3] += w * r[3 * p->column[k] + i % 3];
        }
}

static void product(const mo_problem *p, const contact3 *own, const double *r, double *u)
{
    for (size_t c = 0; c < p->contacts; c++)
        product_row(p, own, c, r, u + 3 * c);
}

/* The third tile comes second. */
enum { CONTACTS = 2 * HALF_TILE + 50, NUMBERS = 3 * CONTACTS };

/* The same sweeps with W~ written out in full and in double. */
typedef struct plain_sweeps {
    double r[NUMBERS], before[NUMBERS], change, size, along, way; /* way: |r - before|² */
} plain_sweeps;

static void sweep_plainly(const ready *s, plain_sweeps *g)
{
    g->change = g->size = g->along = g->way = 0;
    for (size_t at = 0; at < CONTACTS; at++) {
        const size_t c = s->half.order[at];
        const double *H = s->block3[c].H, *x = g->r + 3 * c;
        double u[3], b[3], new[3];
        product_row(&s->p, s->block3, c, g->r, u);
        for (size_t i = 0; i < 3; i++)
            b[i] = u[i] - (H[3 * i] * x[0] + H[3 * i + 1] * x[1] + H[3 * i + 2] * x[2]);
        contact3_solve(&s->block3[c], b, new);
        for (size_t i = 3 * c; i < 3 * c + 3; i++) {
            const double moved = new[i - 3 * c] - g->r[i], way = new[i - 3 * c] - g->before[i];
            g->r[i] = new[i - 3 * c];
            g->change += 3.5 * moved * moved;
            g->size += 3.5 * g->r[i] * g->r[i];
            g->along += 3.5 * moved * way;
            g->way += 3.5 * way * way;
        }
    }
}

static void move_plainly(plain_sweeps *g, double beta)
{
    for (size_t i = 0; i < NUMBERS; i++) {
        const double now = g->r[i];
        g->r[i] += beta * (now - g->before[i]);
        g->before[i] = now;
    }
}

static void assert_same(const ready *s, const plain_sweeps *g, double within)
{
    half_sweep_read(&s->half, s->r);
    for (size_t i = 0; i < NUMBERS; i++)
        assert_true(fabs(s->r[i] - g->r[i]) <= within);
}

// a.b where both are known up to `off` in norm
static void assert_product(double found, double expected, double aa, double bb, double off)
{
    assert_true(fabs(found - expected) <= off * (sqrt(aa) + sqrt(bb) + off));
}

// sums of at most 22 terms of size 7 in single precision, over blocks whose least number is 1: 22 2⁻²⁴ 7, and
// a solution that hardly enlarges that; a difference of two r is off by twice that in each number
static void test_sweeps(void **state)
{
    (void)state;
    const double rough = 2e-5, off = 2 * rough * sqrt(3.5 * NUMBERS);
    static plain_sweeps g;
    for (int spheres = 0; spheres < 2; spheres++) {
        ready s = {.p = make(CONTACTS, spheres != 0, 0.1)};
        g = (plain_sweeps){.change = 0};
        // those on either side of a tile's end carry loads
        for (size_t c = 2 * HALF_TILE - BAND; c < 2 * HALF_TILE + BAND; c++)
            s.p.q[3 * c] = -1;
        assert_int_equal(prepare(&s), HALF_MADE);
        half_sweep_base(&s.half, s.r, s.p.q);
        half_sweep_begin(&s.half);
        for (int sweep = 0; sweep < 4; sweep++) {
            const half_travel t = half_sweep_run(&s.half);
            sweep_plainly(&s, &g);
            assert_same(&s, &g, rough);
            assert_true(g.size > 1 && g.change > 1e-3);
            assert_product(t.change, g.change, g.change, g.change, off);
            assert_product(t.size, g.size, g.size, g.size, off);
            assert_product(t.along, g.along, g.change, g.way, off);
            half_sweep_move(&s.half, 0.5);
            move_plainly(&g, 0.5);
            assert_same(&s, &g, 2 * rough);
            // with another base what has been swept stays what it is, and so does the way it has gone
            if (sweep == 1) {
                product(&s.p, s.block3, s.r, s.u);
                half_sweep_base(&s.half, s.r, s.u);
                assert_same(&s, &g, 2 * rough);
            }
        }
        finish(&s);
    }
}

static void test_places(void **state)
{
    (void)state;
    ready s = {.p = make(50, true, 0.1)};
    double r[150];
    rng random = rng_seed(5, 1);
    assert_int_equal(prepare(&s), HALF_MADE);
    half_sweep_base(&s.half, s.r, s.p.q);
    for (size_t i = 0; i < 150; i++)
        r[i] = either_way(&random);
    half_sweep_write(&s.half, r);
    half_sweep_read(&s.half, s.r);
    for (size_t i = 0; i < 150; i++)
        assert_true(fabs(s.r[i] - r[i]) <= 0x1p-24);
    finish(&s);
}

// all contacts once, tiles 0, 2, 1, 3, in each one by one
static void test_order(void **state)
{
    (void)state;
    const size_t contacts = (size_t)3 * HALF_TILE + 5;
    ready s = {.p = make(contacts, true, 0.1)};
    assert_int_equal(prepare(&s), HALF_MADE);
    for (size_t at = 0; at < contacts; at++) {
        const size_t swapped[4] = {0, 2, 1, 3};
        assert_true(s.half.order[at] == swapped[at / HALF_TILE] * HALF_TILE + at % HALF_TILE);
    }
    finish(&s);
}

// sweeps from loads of the exact W until nothing changes
static double swept_residual(ready *s)
{
    mo_problem_residual found;
    mo_error err;
    for (int k = 0; k < 12; k++) {
        product(&s->p, NULL, s->r, s->u);
        half_sweep_base(&s->half, s->r, s->u);
        for (int sweep = 0; sweep < 30; sweep++)
            half_sweep_run(&s->half);
        half_sweep_read(&s->half, s->r);
    }
    assert_int_equal(mo_problem_certify(&s->p, s->r, NULL, &found, &err), MO_OK);
    return fmax(found.residual, found.residual_fclib);
}

// W need be neither representable in single precision nor symmetric to rounding
static void test_fixed_point(void **state)
{
    (void)state;
    for (int spheres = 0; spheres < 2; spheres++) {
        ready s = {.p = make(200, spheres != 0, 0.05)};
        rng random = rng_seed(3, 1);
        for (size_t i = 0; i < 9 * s.p.start[200]; i++)
            s.p.W[i] *= 1 + 1e-8 * either_way(&random);
        assert_int_equal(prepare(&s), HALF_MADE);
        assert_true(swept_residual(&s) < 1e-14);
        finish(&s);
    }
}

static void refuse(ready s)
{
    assert_int_equal(prepare(&s), HALF_UNFIT);
    finish(&s);
}

static void test_unfit(void **state)
{
    (void)state;
    ready s = {.p = make(20, true, 0.1)};
    s.p.W[9 * find(&s.p, 5, 7) + 2] += 1e-3;
    refuse(s);
    // beyond what single precision holds
    s = (ready){.p = make(20, true, 0.1)};
    for (size_t i = 0; i < 9 * s.p.start[20]; i++)
        s.p.W[i] *= 1e32;
    refuse(s);
    // a block without its transpose, on either side of the diagonal
    for (uint32_t side = 0; side < 2; side++) {
        s = (ready){.p = make(20, true, 0.1)};
        const size_t gone = side == 0 ? find(&s.p, 10, 12) : find(&s.p, 12, 10), all = s.p.start[20];
        memmove(s.p.column + gone, s.p.column + gone + 1, (all - gone - 1) * sizeof *s.p.column);
        memmove(s.p.W + 9 * gone, s.p.W + 9 * (gone + 1), 9 * (all - gone - 1) * sizeof *s.p.W);
        for (size_t c = side == 0 ? 11 : 13; c <= 20; c++)
            s.p.start[c]--;
        refuse(s);
    }
}

// where no cache holds W: by nlgs, which then sweeps with half of it
static void test_large(void **state)
{
    (void)state;
    for (double tol = 1e-6; tol > 1e-13; tol *= 1e-6) {
        mo_problem p = make(60000, true, 0.1);
        mo_solver_settings settings = mo_default_solver_settings();
        mo_problem_info info;
        mo_error err;
        double *r = calloc(3 * p.contacts, sizeof *r);
        assert_non_null(r);
        settings.tol = tol;
        assert_int_equal(mo_problem_solve(&p, "nlgs", &settings, r, NULL, &info, &err), MO_OK);
        assert_true(info.solved && info.iterations < 60);
        free(r);
        mo_problem_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sweeps),      cmocka_unit_test(test_places), cmocka_unit_test(test_order),
        cmocka_unit_test(test_fixed_point), cmocka_unit_test(test_unfit),  cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
