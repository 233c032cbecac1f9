/* The local form of step problems against its definition: W column by column from unit impulses, q from free
 * velocities; and W against its root over bodies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "problem/apply.h"
#include "problem/delassus.h"
#include "problem/delassus_root.h"
#include "support/close.h"
#include "support/packing3.h"

/* a random 2D problem: bodies of any mass, some not free to turn, contacts of any two of them or one */
static step_problem random_flat(arena *a, size_t bodies_in, size_t contacts, uint64_t seed)
{
    rng r = rng_seed(seed, 1);
    step_problem p = {.dim = 2, .bodies = bodies_in, .contacts = contacts};
    p.contact = arena_push_zero(a, contacts, sizeof *p.contact);
    p.mu = arena_push_zero(a, contacts, sizeof *p.mu);
    p.velocity = arena_push_zero(a, bodies_in, sizeof *p.velocity);
    double *u = arena_push_zero(a, 3 * bodies_in, sizeof *u);
    p.u_free = u;
    for (size_t i = 0; i < bodies_in; i++)
        for (size_t k = 0; k < 3; k++) {
            p.velocity[i].inv[k] = k == 2 && i % 3 == 0 ? 0 : exp(3 * random_sign(&r));
            u[3 * i + k] = random_sign(&r);
        }
    for (size_t i = 0; i < contacts; i++) {
        contact2 *c = &p.contact[i];
        double angle = 7 * rng_uniform(&r);
        c->body[0] = (uint32_t)(rng_next(&r) % bodies_in);
        c->body[1] = (uint32_t)(rng_next(&r) % bodies_in);
        if (c->body[1] == c->body[0])
            c->body[1] = UINT32_MAX;
        c->n[0] = cos(angle), c->n[1] = sin(angle);
        for (int k = 0; k < 4; k++)
            c->arm[k] = k > 1 && c->body[1] == UINT32_MAX ? 0 : random_sign(&r);
        c->shift[0] = random_sign(&r), c->shift[1] = random_sign(&r);
        p.mu[i] = rng_uniform(&r);
    }
    return p;
}

static void clear_velocities(const step_problem *p)
{
    for (size_t b = 0; b < p->bodies; b++)
        for (int k = 0; k < (p->dim == 2 ? 3 : 6); k++)
            *(p->dim == 2 ? &p->velocity[b].u[k] : &p->velocity3[b].u[k]) = 0;
}

static const double *block_at(const mo_problem *m, size_t row, size_t column)
{
    for (size_t k = m->start[row]; k < m->start[row + 1]; k++)
        if (m->column[k] == column)
            return m->W + k * (size_t)(m->dim * m->dim);
    return NULL;
}

// column `at` of W through the bodies against that of the blocks
static void check_column(const step_problem *p, const mo_problem *m, size_t at)
{
    const size_t dim = (size_t)p->dim, j = at / dim;
    const double none[3] = {0, 0, 0};
    double unit[3] = {0, 0, 0}, U[3], size = 1;
    unit[at % dim] = 1;
    clear_velocities(p);
    apply_impulse(p->dim, p, j, has_two(p, j), unit);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < p->contacts; i++) {
            const double *B = block_at(m, i, j);
            shifted_velocity(p->dim, p, i, has_two(p, i), none, U);
            for (size_t k = 0; k < dim; k++)
                if (pass == 0)
                    size = fmax(size, fabs(U[k]));
                else
                    // sums of at most 12 products
                    assert_close(B != NULL ? B[k * dim + at % dim] : 0, U[k], 3e-15 * size);
        }
}

// entry (r, c) of block (i, j) of R R*
static double root_entry(const delassus_root *t, size_t i, size_t r, size_t j, size_t c)
{
    const size_t freedoms = (size_t)t->freedoms;
    double sum = 0;
    for (size_t s = 0; s < 2; s++)
        for (size_t e = 0; e < 2; e++)
            for (size_t k = 0;
                 t->body[i][s] != ROOT_NO_BODY && t->body[i][s] == t->body[j][e] && k < freedoms; k++)
                sum += t->R[i * t->length + s * t->length / 2 + r * freedoms + k] *
                       t->R[j * t->length + e * t->length / 2 + c * freedoms + k];
    return sum;
}

static void check_root(const step_problem *p, const mo_problem *m, arena *a)
{
    const size_t dim = (size_t)p->dim;
    delassus_root t;
    assert_true(delassus_root_make(p, a, &t));
    assert_int_equal(t.contacts, p->contacts);
    assert_int_equal(t.bodies, delassus_root_bodies(p, a));
    for (size_t i = 0; i < m->contacts; i++)
        for (size_t j = 0; j < m->contacts; j++)
            for (size_t e = 0; e < dim * dim; e++) {
                const double *B = block_at(m, i, j), *one = block_at(m, i, i), *two = block_at(m, j, j);
                double size = 0; // of what is added up, by Cauchy and Schwarz
                for (size_t k = 0; k < dim; k++)
                    size += sqrt(one[k * dim + k] * two[k * dim + k]) + one[k * dim + k] + two[k * dim + k];
                // sums of at most 24 products of roots, each of which has some roundings
                assert_close(root_entry(&t, i, e / dim, j, e % dim), B != NULL ? B[e] : 0, 1e-14 * size);
            }
}

static void check_all(const step_problem *p, arena *a)
{
    mo_problem m;
    mo_error err;
    assert_true(delassus(p, a, &m));
    assert_int_equal(mo_problem_check(&m, &err), MO_OK);
    assert_int_equal(m.contacts, p->contacts);
    assert_true(delassus_blocks(p, a) >= m.start[m.contacts]);
    const size_t dim = (size_t)p->dim, freedoms = dim == 2 ? 3 : 6;
    for (size_t k = 0; k < dim * p->contacts; k++)
        check_column(p, &m, k);
    // symmetric to the last bit
    for (size_t i = 0; i < m.contacts; i++)
        for (size_t k = m.start[i]; k < m.start[i + 1]; k++) {
            const double *B = m.W + k * dim * dim, *mirror = block_at(&m, m.column[k], i);
            for (size_t r = 0; r < dim; r++)
                for (size_t c = 0; c < dim; c++)
                    assert_true(B[r * dim + c] == mirror[c * dim + r]);
        }
    for (size_t b = 0; b < p->bodies; b++)
        memcpy(dim == 2 ? p->velocity[b].u : p->velocity3[b].u, p->u_free + freedoms * b,
               freedoms * sizeof(double));
    for (size_t i = 0; i < p->contacts; i++) {
        double U[3];
        contact_velocity(p->dim, p, i, has_two(p, i), U);
        for (size_t k = 0; k < dim; k++)
            assert_close(m.q[dim * i + k], U[k], 2e-15 * 12);
        assert_true(m.mu[i] == p->mu[i]);
    }
    check_root(p, &m, a);
}

static void flat(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        arena a = {0};
        step_problem p = random_flat(&a, 1 + seed % 7, seed * 2, seed);
        check_all(&p, &a);
        arena_free(&a);
    }
}

static void sturdy(void **state)
{
    (void)state;
    for (int side = 1; side <= 3; side++)
        for (int lumps = 0; lumps < 2; lumps++) {
            packing3 k = packing3_make(&(packing3_def){
                .side = side, .mu = 0.3, .lumpiness = lumps * 0.4, .shake = 0.5, .seed = (uint64_t)side});
            check_all(&k.p, &k.memory);
            // a body that turns about one oblique axis only, one that does not turn and moves along x, one
            // that does nothing
            const double axis[3] = {0.6, -0.64, 0.48}, cut[3] = {5, 0, 0};
            for (int e = 0, i = 0; i < 3; i++)
                for (int j = i; j < 3; j++, e++)
                    k.p.velocity3[0].inv_I[e] = 7 * axis[i] * axis[j];
            for (size_t b = 1; b < k.p.bodies && b < 3; b++) {
                memset(k.p.velocity3[b].inv_I, 0, sizeof k.p.velocity3[b].inv_I);
                for (int i = 0; i < 3; i++)
                    k.p.velocity3[b].inv_m[i] = b == 1 ? cut[i] : 0;
            }
            check_all(&k.p, &k.memory);
            packing3_free_all(&k);
        }
}

/* a body in the middle of many others makes a full matrix, a chain a banded one */
static void pattern(void **state)
{
    (void)state;
    arena a = {0};
    step_problem p = random_flat(&a, 40, 39, 5);
    mo_problem m;
    for (uint32_t i = 0; i < 39; i++)
        p.contact[i].body[0] = 0, p.contact[i].body[1] = i + 1;
    assert_true(delassus(&p, &a, &m));
    assert_int_equal(m.start[39], 39 * 39);
    for (uint32_t i = 0; i < 39; i++)
        p.contact[i].body[0] = i, p.contact[i].body[1] = i + 1;
    assert_true(delassus(&p, &a, &m));
    assert_int_equal(m.start[39], 3 * 39 - 2);
    // between the same two bodies there is one block for both
    for (uint32_t i = 0; i < 39; i++)
        p.contact[i].body[0] = 3 + i % 2, p.contact[i].body[1] = 4 - i % 2;
    assert_true(delassus(&p, &a, &m));
    assert_int_equal(m.start[39], 39 * 39);
    check_all(&p, &a);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(flat), cmocka_unit_test(sturdy),
                                       cmocka_unit_test(pattern)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
