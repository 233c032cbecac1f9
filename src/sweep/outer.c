/*
 * Nearest point of a convex set from outside (Haugazeau 1968): every linearisation of a concave gap is a
 * half-space that contains the set.  They are collected, and z is projected onto all of them; those that do
 * not hold the point may be forgotten, because the distance to z rises all the same.  Converges to the
 * nearest point without any step to choose, slowly; and half-spaces that contradict each other prove the set
 * empty, which single linearisations may never do.
 */
#include <math.h>

#include "core/fail.h"
#include "math/vec.h"
#include "sweep/project.h"

enum { ROUNDS = 400, SPARE_CUTS = 64 };

/* Half-spaces A p >= b about z, and the gap that each comes from. */
typedef struct cuts {
    size_t count, capacity;
    double *A, *b, *lambda;
    size_t *gap;
    double *p;      /* [n] nearest point - z */
    double *origin; /* [n] zeros */
} cuts;

static bool cuts_create(moving *m, cuts *c)
{
    size_t n = m->n;
    c->count = 0;
    c->capacity = n + SPARE_CUTS + 2 * m->rows.count;
    c->A = arena_push(&m->work, c->capacity * n, sizeof *c->A);
    c->b = arena_push(&m->work, c->capacity, sizeof *c->b);
    c->lambda = arena_push(&m->work, c->capacity, sizeof *c->lambda);
    c->gap = arena_push(&m->work, c->capacity, sizeof *c->gap);
    c->p = arena_push_zero(&m->work, n, sizeof *c->p);
    c->origin = arena_push_zero(&m->work, n, sizeof *c->origin);
    return c->A != NULL && c->b != NULL && c->lambda != NULL && c->gap != NULL && c->p != NULL &&
           c->origin != NULL;
}

static void forget_idle(cuts *c, size_t n)
{
    size_t kept = 0;
    for (size_t k = 0; k < c->count; k++) {
        if (!(c->lambda[k] > 0))
            continue;
        vec_copy(n, c->A + k * n, c->A + kept * n);
        c->b[kept] = c->b[k];
        c->gap[kept] = c->gap[k];
        c->lambda[kept++] = c->lambda[k];
    }
    c->count = kept;
}

// the violated rows at z + p as cuts; returns the largest violation as a length
static double add_cuts(const moving *m, cuts *c)
{
    const gap_rows *r = &m->rows;
    double worst = 0;
    if (c->count + r->count > c->capacity)
        forget_idle(c, m->n);
    for (size_t i = 0; i < r->count; i++) {
        if (r->g[i] >= 0 || r->norm[i] == 0)
            continue;
        size_t k = c->count++;
        vec_zero(m->n, c->A + k * m->n);
        row_add(r, m->n, i, 1, c->A + k * m->n);
        c->b[k] = row_dot(r, m->n, i, c->p) - r->g[i];
        c->gap[k] = i;
        c->lambda[k] = 0;
        worst = fmax(worst, -r->g[i] / r->norm[i]);
    }
    return worst;
}

// multipliers of the gaps: sums over their cuts
static void sum_multipliers(moving *m, const cuts *c)
{
    vec_zero(m->rows.count, m->rows.lambda);
    for (size_t k = 0; k < c->count; k++)
        m->rows.lambda[c->gap[k]] += fmax(c->lambda[k], 0);
}

static mo_status project_cuts(moving *m, cuts *c, mo_error *err)
{
    mo_projection_info info;
    mo_polyhedron set = {.n = m->n, .rows = c->count, .A = c->A, .b = c->b};
    mo_status status =
        mo_projector_project(m->projector, &set, c->origin, NULL, 0, c->p, c->lambda, &info, err);
    if (status == MO_OK && info.outcome == MO_PROJECTION_EMPTY) {
        sum_multipliers(m, c);
        return empty_told(m);
    }
    return status;
}

static mo_status approach(moving *m, cuts *c, const double *z, double *x, mo_error *err)
{
    double worst = HUGE_VAL, wanted = 0;
    for (int round = 0; round < ROUNDS; round++, m->iterations++) {
        for (size_t j = 0; j < m->n; j++)
            x[j] = z[j] + c->p[j];
        mo_status status = moving_relinearise(m, x, err);
        if (status != MO_OK)
            return status;
        worst = add_cuts(m, c);
        wanted = fmax(m->tol, 64 * 0x1p-52) * (vec_norm(m->n, x) + vec_norm(m->n, c->p));
        if (worst <= wanted) {
            sum_multipliers(m, c);
            m->outcome = MO_SWEEP_REACHED;
            m->message[0] = 0;
            return MO_OK;
        }
        status = project_cuts(m, c, err);
        if (status != MO_OK)
            return status;
    }
    sum_multipliers(m, c);
    return moving_trouble(m, MO_SWEEP_NOT_CONVERGED,
                          "projection at t = %.17g: violation %g after %d linearisations", m->t, worst,
                          m->iterations);
}

mo_status project_outer(moving *m, const double *z, double *x, mo_error *err)
{
    arena_mark mark = arena_here(&m->work);
    cuts c;
    if (!cuts_create(m, &c))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a projection");
    mo_status status = approach(m, &c, z, x, err);
    arena_back(&m->work, mark);
    m->guess_count = 0;
    return status;
}
