/*
 * The two projections, as polyhedra for the projector of include/moreau/convex.h.
 */
#include "problem/statics_cuts.h"

#include <math.h>
#include <string.h>

#include "core/fail.h"

/* Directions at first in space, rounds that may add one to each contact, and the violation, relative to the
   size of what is projected, that is left. */
enum { FIRST_CUTS = 4, MOST_ROUNDS = 40 };
static const double LEFT = 1e-14;

static mo_status no_memory(mo_error *err)
{
    return fail(err, MO_NO_MEMORY, NULL, "out of memory for the equilibrium of contacts");
}

double tangent_length(int dim, const double *x)
{
    return dim == 2 ? fabs(x[1]) : hypot(x[1], x[2]);
}

void contact_motion(const statics *p, size_t c, const double *u, double U[3])
{
    const size_t dim = (size_t)p->dim;
    U[0] = U[1] = U[2] = 0;
    for (size_t k = p->start[c]; k < p->start[c + 1]; k++)
        for (size_t i = 0; i < dim; i++)
            U[i] += p->G[dim * k + i] * u[p->column[k]];
}

static void add_cut(cut_list *cuts, size_t contact, double d0, double d1)
{
    if (cuts->count < cuts->capacity)
        cuts->items[cuts->count++] = (cone_cut){(uint32_t)contact, {d0, d1}};
}

void cuts_reset(const statics *p, cut_list *cuts)
{
    cuts->count = 0;
    for (size_t c = 0; c < p->contacts; c++) {
        if (!(p->mu[c] > 0)) {
            add_cut(cuts, c, 0, 0);
            continue;
        }
        add_cut(cuts, c, 1, 0);
        add_cut(cuts, c, -1, 0);
        if (p->dim == 3) {
            add_cut(cuts, c, 0, 1);
            add_cut(cuts, c, 0, -1);
        }
    }
}

bool cuts_begin(const statics *p, arena *a, cut_list *out)
{
    const size_t most = p->dim == 2 ? 2 : FIRST_CUTS + 2 * MOST_ROUNDS;
    *out = (cut_list){.capacity = most * p->contacts};
    out->items = arena_push(a, out->capacity, sizeof *out->items);
    if (out->items != NULL)
        cuts_reset(p, out);
    return out->items != NULL;
}

/* Rows of a polyhedron while they are written. */
typedef struct rows {
    size_t *start;
    uint32_t *column;
    double *value;
    size_t count;
} rows;

static bool rows_begin(arena *a, size_t most, size_t entries, rows *out)
{
    *out = (rows){.start = arena_push(a, most + 1, sizeof *out->start),
                  .column = arena_push(a, entries, sizeof *out->column),
                  .value = arena_push(a, entries, sizeof *out->value)};
    if (out->start == NULL || out->column == NULL || out->value == NULL)
        return false;
    out->start[0] = 0;
    if (most > 0)
        out->start[1] = 0;
    return true;
}

// an entry of the row being written
static void put(rows *r, size_t column, double value)
{
    const size_t k = r->start[r->count + 1]++;
    r->column[k] = (uint32_t)column;
    r->value[k] = value;
}

static void end_row(rows *r, size_t most)
{
    r->count++;
    if (r->count < most)
        r->start[r->count + 1] = r->start[r->count];
}

/* ---- velocities ------------------------------------------------------------------------------------------
 */

// rows G_N - mu d.G_T
static bool velocity_rows(const statics *p, const cut_list *cuts, arena *a, rows *out)
{
    const size_t dim = (size_t)p->dim;
    size_t entries = 0;
    for (size_t k = 0; k < cuts->count; k++)
        entries += p->start[cuts->items[k].contact + 1] - p->start[cuts->items[k].contact];
    if (!rows_begin(a, cuts->count, entries, out))
        return false;
    for (size_t k = 0; k < cuts->count; k++) {
        const cone_cut *cut = &cuts->items[k];
        for (size_t e = p->start[cut->contact]; e < p->start[cut->contact + 1]; e++) {
            double value = p->G[dim * e];
            for (size_t i = 1; i < dim; i++)
                value -= p->mu[cut->contact] * cut->d[i - 1] * p->G[dim * e + i];
            put(out, p->column[e], value);
        }
        end_row(out, cuts->count);
    }
    return true;
}

// S of the multipliers: lambda (1, -mu d) for each cut
static void gather(const statics *p, const cut_list *cuts, const double *lambda, double *S)
{
    const size_t dim = (size_t)p->dim;
    memset(S, 0, dim * p->contacts * sizeof *S);
    for (size_t k = 0; k < cuts->count; k++) {
        const cone_cut *cut = &cuts->items[k];
        double *out = S + dim * cut->contact;
        out[0] += lambda[k];
        for (size_t i = 1; i < dim; i++)
            out[i] -= p->mu[cut->contact] * cut->d[i - 1] * lambda[k];
    }
}

// cuts where x (of velocities: z, its size) leaves K* or K; how many
static size_t refine(const statics *p, cut_list *cuts, const double *x, bool forces, double size)
{
    const size_t before = cuts->count, dim = (size_t)p->dim;
    for (size_t c = 0; p->dim == 3 && c < p->contacts; c++) {
        double U[3] = {0}, mu = p->mu[c];
        if (forces)
            memcpy(U, x + dim * c, sizeof U);
        else
            contact_motion(p, c, x, U);
        const double t = tangent_length(3, U), excess = forces ? t - mu * U[0] : mu * t - U[0];
        double scale = 1;
        for (size_t e = p->start[c]; !forces && e < p->start[c + 1]; e++)
            scale = fmax(scale, fabs(p->G[dim * e]) / sqrt(p->A[p->column[e]]));
        if (mu > 0 && t > 0 && excess > LEFT * scale * size)
            add_cut(cuts, c, U[1] / t, U[2] / t);
    }
    return cuts->count - before;
}

// one projection with the cuts that there are
static mo_status velocity_round(mo_projector *projector, const statics *p, const cut_list *cuts, arena *a,
                                const double *z, double *x, double *S, mo_error *err)
{
    arena_mark mark = arena_here(a);
    rows r;
    double *lambda = arena_push_zero(a, cuts->count, sizeof *lambda);
    if (lambda == NULL || !velocity_rows(p, cuts, a, &r))
        return no_memory(err);
    const mo_polyhedron set = {
        .n = p->freedoms, .rows = r.count, .A = r.value, .start = r.start, .column = r.column};
    const mo_metric metric = {.kind = MO_METRIC_DIAGONAL, .entries = p->A};
    mo_status status = mo_projector_set_metric(projector, p->freedoms, &metric, err);
    if (status == MO_OK)
        status = mo_projector_project(projector, &set, z, NULL, 0, x, lambda, NULL, err);
    if (status == MO_OK)
        gather(p, cuts, lambda, S);
    arena_back(a, mark);
    return status;
}

mo_status project_velocity(mo_projector *projector, const statics *p, cut_list *cuts, arena *a,
                           const double *z, double *x, double *S, int *rounds, mo_error *err)
{
    const double size = statics_norm(p, z);
    mo_status status = MO_OK;
    for (int round = 0; status == MO_OK && round < MOST_ROUNDS; round++) {
        status = velocity_round(projector, p, cuts, a, z, x, S, err);
        ++*rounds;
        if (status == MO_OK && refine(p, cuts, x, false, size) == 0)
            break;
    }
    return status;
}

/* ---- forces ----------------------------------------------------------------------------------------------
 */

// G* S = -F, row by row of freedoms, and S_T = 0 without friction
static void balance_rows(const statics *p, size_t most, const size_t *first, const size_t *entry,
                         const uint32_t *contact, rows *r)
{
    const size_t dim = (size_t)p->dim;
    for (size_t f = 0; f < p->freedoms; f++) {
        for (size_t k = first[f]; k < first[f + 1]; k++)
            for (size_t i = 0; i < dim; i++)
                put(r, dim * contact[k] + i, p->G[dim * entry[k] + i]);
        end_row(r, most);
    }
    for (size_t c = 0; c < p->contacts; c++)
        for (size_t i = 1; !(p->mu[c] > 0) && i < dim; i++) {
            put(r, dim * c + i, 1);
            end_row(r, most);
        }
}

bool statics_by_freedom(const statics *p, arena *a, size_t **first, size_t **entry, uint32_t **contact)
{
    const size_t entries = p->start[p->contacts];
    *first = arena_push_zero(a, p->freedoms + 2, sizeof **first);
    *entry = arena_push(a, entries, sizeof **entry);
    *contact = arena_push(a, entries, sizeof **contact);
    if (*first == NULL || *entry == NULL || *contact == NULL)
        return false;
    // counted two places ahead, so that filling leaves the beginnings where they belong
    size_t *next = *first + 1;
    for (size_t k = 0; k < entries; k++)
        next[p->column[k] + 1]++;
    for (size_t f = 0; f < p->freedoms; f++)
        next[f + 1] += next[f];
    for (size_t c = 0; c < p->contacts; c++)
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++) {
            const size_t place = next[p->column[k]]++;
            (*entry)[place] = k;
            (*contact)[place] = (uint32_t)c;
        }
    return true;
}

static void cone_rows(const statics *p, const cut_list *cuts, size_t most, rows *r)
{
    const size_t dim = (size_t)p->dim;
    for (size_t k = 0; k < cuts->count; k++) {
        const cone_cut *cut = &cuts->items[k];
        const double mu = p->mu[cut->contact];
        put(r, dim * cut->contact, mu > 0 ? mu : 1);
        for (size_t i = 1; mu > 0 && i < dim; i++)
            put(r, dim * cut->contact + i, -cut->d[i - 1]);
        end_row(r, most);
    }
}

// one projection with the cuts that there are
static mo_status force_round(mo_projector *projector, const statics *p, const cut_list *cuts, arena *a,
                             double *S, bool *found, mo_error *err)
{
    const size_t dim = (size_t)p->dim, n = dim * p->contacts;
    size_t *first, *entry, equalities = p->freedoms;
    uint32_t *contact;
    rows r;
    for (size_t c = 0; c < p->contacts; c++)
        equalities += p->mu[c] > 0 ? 0 : dim - 1;
    const size_t most = equalities + cuts->count;
    const size_t entries = dim * (p->start[p->contacts] + p->contacts + cuts->count);
    arena_mark mark = arena_here(a);
    double *b = arena_push_zero(a, most, sizeof *b), *zero = arena_push_zero(a, n, sizeof *zero);
    if (b == NULL || zero == NULL || !statics_by_freedom(p, a, &first, &entry, &contact) ||
        !rows_begin(a, most, entries, &r))
        return no_memory(err);
    balance_rows(p, most, first, entry, contact, &r);
    cone_rows(p, cuts, most, &r);
    for (size_t f = 0; f < p->freedoms; f++)
        b[f] = -p->F[f];
    const mo_polyhedron set = {.n = n,
                               .rows = r.count,
                               .equalities = equalities,
                               .A = r.value,
                               .b = b,
                               .start = r.start,
                               .column = r.column};
    mo_projection_info info;
    mo_status status = mo_projector_set_metric(projector, 0, NULL, err);
    if (status == MO_OK)
        status = mo_projector_project(projector, &set, zero, NULL, 0, S, NULL, &info, err);
    *found = status == MO_OK && info.outcome == MO_PROJECTION_SOLVED;
    arena_back(a, mark);
    return status;
}

mo_status least_forces(mo_projector *projector, const statics *p, cut_list *cuts, arena *a, double *S,
                       bool *found, mo_error *err)
{
    const size_t n = (size_t)p->dim * p->contacts;
    mo_status status = MO_OK;
    for (int round = 0; status == MO_OK && round < MOST_ROUNDS; round++) {
        status = force_round(projector, p, cuts, a, S, found, err);
        double size = 0;
        for (size_t k = 0; k < n; k++)
            size = hypot(size, S[k]);
        if (status == MO_OK && (!*found || refine(p, cuts, S, true, size) == 0))
            break;
    }
    return status;
}
