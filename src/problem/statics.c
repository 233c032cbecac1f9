/*
 * Statics of contacts: groups of bodies that touch each other are taken apart, each is projected
 * (statics_cuts.h), and what comes out is judged from the data alone (docs/theory/equilibrium.md §4).
 */
#include "problem/statics.h"

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "problem/statics_cuts.h"
#include "problem/statics_interior.h"

/* |F + G* S| below this share of |F|, plus this share of |G*||S|, in A^-1, is balance ... */
static const double BALANCE = 1e-10, ROUNDING = 1e-14;
/* ... if no body is further from it than this share of what acts on it. */
static const double BODY_BALANCE = 1e-6;
/* Imbalances up to this are worth a second attempt. */
static const double NEAR_BALANCE = 1e-6;
/* A mechanism must exclude forces up to this many times the loads at every contact. */
static const double EXCLUDED = 1000;

/* Passes that sharpen a mechanism: in the plane the first is exact; in space each comes nearer to the edge of
   the cones, the faster the larger the share of the loads. */
enum { PASSES_2D = 2, PASSES_3D = 20 };
/* Contacts up to which cones in space are approached by half-spaces; more make too many. */
enum { MOST_BY_CUTS = 60 };
static const double DRIVE_2D = 1, DRIVE_3D = 8;

typedef struct groups {
    size_t count;
    uint32_t *of;                    /* [freedoms] group of a freedom */
    size_t *freedom_first, *freedom; /* [count + 1]; freedoms by group, rising */
    size_t *contact_first, *contact; /* likewise; contacts that act on nothing are in none */
    uint32_t *place;                 /* [freedoms] number of a freedom within its group */
} groups;

/* One group, and how large its loads were before they were made of order 1. */
typedef struct group {
    statics p;
    double scale;
    double *S, *u, *z, *force; /* force: a second S */
} group;

static mo_status no_memory(mo_error *err)
{
    return fail(err, MO_NO_MEMORY, NULL, "out of memory for the equilibrium of contacts");
}

/* ---- groups ----------------------------------------------------------------------------------------------
 */

static uint32_t root_of(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

// the lower number stays the root
static void join(uint32_t *parent, uint32_t i, uint32_t j)
{
    const uint32_t a = root_of(parent, i), b = root_of(parent, j);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

// out->of: groups numbered by their lowest freedom
static void label(const statics *p, groups *out)
{
    uint32_t *parent = out->place;
    for (size_t f = 0; f < p->freedoms; f++)
        parent[f] = (uint32_t)f;
    for (size_t f = 1; f < p->freedoms; f++)
        if (p->body[f] == p->body[f - 1])
            join(parent, (uint32_t)f, (uint32_t)(f - 1));
    for (size_t c = 0; c < p->contacts; c++)
        for (size_t k = p->start[c] + 1; k < p->start[c + 1]; k++)
            join(parent, p->column[k - 1], p->column[k]);
    for (size_t f = 0; f < p->freedoms; f++) {
        const uint32_t root = root_of(parent, (uint32_t)f);
        out->of[f] = root == f ? (uint32_t)out->count++ : out->of[root];
    }
}

// members of each group, rising; key[i] is the group of i, UINT32_MAX: none
static void list_members(const uint32_t *key, size_t count, size_t keys, size_t *first, size_t *member)
{
    // counted two places ahead, so that filling leaves the beginnings where they belong
    size_t *next = first + 1;
    for (size_t i = 0; i < count; i++)
        if (key[i] != UINT32_MAX)
            next[key[i] + 1]++;
    for (size_t g = 0; g < keys; g++)
        next[g + 1] += next[g];
    for (size_t i = 0; i < count; i++)
        if (key[i] != UINT32_MAX)
            member[next[key[i]]++] = i;
}

static bool find_groups(const statics *p, arena *a, groups *out)
{
    *out = (groups){.of = arena_push(a, p->freedoms, sizeof *out->of),
                    .place = arena_push(a, p->freedoms, sizeof *out->place),
                    .freedom = arena_push(a, p->freedoms, sizeof *out->freedom),
                    .contact = arena_push(a, p->contacts, sizeof *out->contact)};
    uint32_t *key = arena_push(a, p->contacts, sizeof *key);
    if (out->of == NULL || out->place == NULL || out->freedom == NULL || out->contact == NULL || key == NULL)
        return false;
    label(p, out);
    out->freedom_first = arena_push_zero(a, out->count + 2, sizeof *out->freedom_first);
    out->contact_first = arena_push_zero(a, out->count + 2, sizeof *out->contact_first);
    if (out->freedom_first == NULL || out->contact_first == NULL)
        return false;
    for (size_t c = 0; c < p->contacts; c++)
        key[c] = p->start[c] < p->start[c + 1] ? out->of[p->column[p->start[c]]] : UINT32_MAX;
    list_members(out->of, p->freedoms, out->count, out->freedom_first, out->freedom);
    list_members(key, p->contacts, out->count, out->contact_first, out->contact);
    for (size_t g = 0; g < out->count; g++)
        for (size_t k = out->freedom_first[g]; k < out->freedom_first[g + 1]; k++)
            out->place[out->freedom[k]] = (uint32_t)(k - out->freedom_first[g]);
    return true;
}

static bool reserve_group(arena *a, size_t freedoms, size_t contacts, size_t entries, int dim, group *g)
{
    const size_t rows = (size_t)dim * contacts;
    statics *p = &g->p;
    *p = (statics){.dim = dim,
                   .freedoms = freedoms,
                   .contacts = contacts,
                   .A = arena_push(a, freedoms, sizeof *p->A),
                   .F = arena_push(a, freedoms, sizeof *p->F),
                   .body = arena_push(a, freedoms, sizeof *p->body),
                   .start = arena_push_zero(a, contacts + 1, sizeof *p->start),
                   .column = arena_push(a, entries, sizeof *p->column),
                   .G = arena_push(a, (size_t)dim * entries, sizeof *p->G),
                   .mu = arena_push(a, contacts, sizeof *p->mu)};
    g->S = arena_push_zero(a, rows, sizeof *g->S);
    g->force = arena_push_zero(a, rows, sizeof *g->force);
    g->u = arena_push_zero(a, freedoms, sizeof *g->u);
    g->z = arena_push_zero(a, freedoms, sizeof *g->z);
    return p->A != NULL && p->F != NULL && p->body != NULL && p->start != NULL && p->column != NULL &&
           p->G != NULL && p->mu != NULL && g->S != NULL && g->force != NULL && g->u != NULL && g->z != NULL;
}

// loads of order 1: A^-1/2 F has 1 as its largest entry
static void scale_loads(group *g)
{
    g->scale = 0;
    for (size_t f = 0; f < g->p.freedoms; f++)
        g->scale = fmax(g->scale, fabs(g->p.F[f]) / sqrt(g->p.A[f]));
    for (size_t f = 0; g->scale > 0 && f < g->p.freedoms; f++)
        g->p.F[f] /= g->scale;
}

static bool take_group(const statics *p, const groups *all, size_t number, arena *a, group *g)
{
    const size_t dim = (size_t)p->dim, *freedom = all->freedom + all->freedom_first[number];
    const size_t *contact = all->contact + all->contact_first[number];
    const size_t freedoms = all->freedom_first[number + 1] - all->freedom_first[number];
    const size_t contacts = all->contact_first[number + 1] - all->contact_first[number];
    size_t entries = 0;
    for (size_t c = 0; c < contacts; c++)
        entries += p->start[contact[c] + 1] - p->start[contact[c]];
    if (!reserve_group(a, freedoms, contacts, entries, p->dim, g))
        return false;
    for (size_t f = 0; f < freedoms; f++) {
        g->p.A[f] = p->A[freedom[f]];
        g->p.F[f] = p->F[freedom[f]];
        g->p.body[f] = p->body[freedom[f]];
    }
    for (size_t c = 0, at = 0; c < contacts; c++) {
        g->p.mu[c] = p->mu[contact[c]];
        for (size_t k = p->start[contact[c]]; k < p->start[contact[c] + 1]; k++, at++) {
            g->p.column[at] = all->place[p->column[k]];
            memcpy(g->p.G + dim * at, p->G + dim * k, dim * sizeof *p->G);
        }
        g->p.start[c + 1] = at;
    }
    scale_loads(g);
    return true;
}

/* ---- judgement -------------------------------------------------------------------------------------------
 */

// rounding may leave S outside by a bit
static void put_into_cones(const statics *p, double *S)
{
    const size_t dim = (size_t)p->dim;
    for (size_t c = 0; c < p->contacts; c++) {
        double *s = S + dim * c;
        s[0] = fmax(s[0], 0);
        const double t = tangent_length(p->dim, s), most = p->mu[c] * s[0];
        for (size_t i = 1; t > most && i < dim; i++)
            s[i] *= most / t;
    }
}

/* Residuals of F + G* S in the norm of A^-1. */
typedef struct residual {
    double all, load, size; /* |F + G* S|, |F|, |F| + |G*||S| */
    double body;            /* worst of a body's own |F + G* S| / (|F| + |G*||S|) */
} residual;

static void add_square(double *sum, double x, double A)
{
    *sum += x * x / A;
}

// the worst body's share; what is rounding of the group's forces is none, however little acts on the body
static double worst_body(const statics *p, const double *e, const double *size, double rounding)
{
    double error = 0, terms = 0, worst = 0;
    for (size_t f = 0; f < p->freedoms; f++) {
        add_square(&error, e[f], p->A[f]);
        add_square(&terms, size[f], p->A[f]);
        if (f + 1 < p->freedoms && p->body[f + 1] == p->body[f])
            continue;
        if (sqrt(error) > rounding)
            worst = fmax(worst, sqrt(error / terms));
        error = terms = 0;
    }
    return worst;
}

// e, size [freedoms]: F + G* S and its terms' sizes
static residual sum_residual(const statics *p, const double *e, const double *size)
{
    residual r = {0};
    for (size_t f = 0; f < p->freedoms; f++) {
        add_square(&r.all, e[f], p->A[f]);
        add_square(&r.load, p->F[f], p->A[f]);
        add_square(&r.size, size[f], p->A[f]);
    }
    r.all = sqrt(r.all);
    r.load = sqrt(r.load);
    r.size = sqrt(r.size);
    r.body = worst_body(p, e, size, ROUNDING * r.size);
    return r;
}

static bool measure(const statics *p, const double *S, arena *a, residual *out)
{
    const size_t dim = (size_t)p->dim;
    arena_mark mark = arena_here(a);
    double *e = arena_push(a, p->freedoms, sizeof *e), *size = arena_push(a, p->freedoms, sizeof *size);
    if (e == NULL || size == NULL)
        return false;
    for (size_t f = 0; f < p->freedoms; f++) {
        e[f] = p->F[f];
        size[f] = fabs(p->F[f]);
    }
    for (size_t c = 0; c < p->contacts; c++)
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++)
            for (size_t i = 0; i < dim; i++) {
                const double part = p->G[dim * k + i] * S[dim * c + i];
                e[p->column[k]] += part;
                size[p->column[k]] += fabs(part);
            }
    *out = sum_residual(p, e, size);
    arena_back(a, mark);
    return true;
}

static bool is_balance(const residual *r)
{
    return r->all <= BALANCE * r->load + ROUNDING * r->size && r->body <= BODY_BALANCE;
}

double statics_norm(const statics *p, const double *u)
{
    double sum = 0;
    for (size_t f = 0; f < p->freedoms; f++)
        sum += p->A[f] * u[f] * u[f];
    return sqrt(sum);
}

static void make_unit(const statics *p, double *u)
{
    const double size = statics_norm(p, u);
    for (size_t f = 0; size > 0 && f < p->freedoms; f++)
        u[f] /= size;
}

/* What a motion proves. */
typedef struct witness {
    double power, violation, bound;
    bool valid;
} witness;

// the load of a contact is measured by what stops it: |F| / |G_N|, both in A^-1
static witness judge_motion(const statics *p, const double *u, double load)
{
    const size_t dim = (size_t)p->dim;
    witness w = {0};
    double rows = 0;
    for (size_t f = 0; f < p->freedoms; f++)
        w.power += p->F[f] * u[f];
    for (size_t c = 0; c < p->contacts; c++) {
        double U[3], row = 0;
        contact_motion(p, c, u, U);
        w.violation = fmax(w.violation, p->mu[c] * tangent_length(p->dim, U) - U[0]);
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++)
            add_square(&row, p->G[dim * k], p->A[p->column[k]]);
        rows = fmax(rows, sqrt(row));
    }
    w.bound = w.violation > 0 ? w.power / w.violation : HUGE_VAL;
    w.valid = w.power > BALANCE * load && w.bound * rows > EXCLUDED * (double)p->contacts * load;
    w.valid = w.valid || (w.power > BALANCE * load && !(w.violation > 0));
    return w;
}

/* ---- one group -------------------------------------------------------------------------------------------
 */

typedef struct solver {
    mo_projector *projector;
    arena memory;
} solver;

// the least forces in the place of the multipliers, where they balance as well
static mo_status choose_forces(solver *s, group *g, cut_list *cuts, residual *r, mo_error *err)
{
    bool found = false;
    residual least;
    mo_status status = least_forces(s->projector, &g->p, cuts, &s->memory, g->force, &found, err);
    if (status != MO_OK || !found)
        return status;
    put_into_cones(&g->p, g->force);
    if (!measure(&g->p, g->force, &s->memory, &least))
        return no_memory(err);
    if (is_balance(&least)) {
        memcpy(g->S, g->force, (size_t)g->p.dim * g->p.contacts * sizeof *g->S);
        *r = least;
    }
    return MO_OK;
}

// g->u := a motion of norm 1, or 0 when it proves nothing; at first the projection u of z = A^-1 F.  Near
// balance that is a small difference with few right digits; z + s u is projected to (1 + s) u, which for s =
// 1/|u| has all
static mo_status find_motion(solver *s, group *g, cut_list *cuts, double load, witness *out, int *rounds,
                             mo_error *err)
{
    const int passes = g->p.dim == 2 ? PASSES_2D : PASSES_3D;
    const double drive = g->p.dim == 2 ? DRIVE_2D : DRIVE_3D;
    mo_status status = MO_OK;
    for (int pass = 0; status == MO_OK && pass < passes; pass++) {
        make_unit(&g->p, g->u);
        for (size_t f = 0; f < g->p.freedoms; f++)
            g->z[f] = g->u[f] + drive * g->p.F[f] / g->p.A[f];
        cuts_reset(&g->p, cuts);
        status = project_velocity(s->projector, &g->p, cuts, &s->memory, g->z, g->u, g->force, rounds, err);
    }
    if (status != MO_OK)
        return status;
    make_unit(&g->p, g->u);
    *out = judge_motion(&g->p, g->u, load);
    if (!out->valid)
        memset(g->u, 0, g->p.freedoms * sizeof *g->u);
    return MO_OK;
}

static void note_balance(const residual *r, double imbalance, statics_info *info)
{
    info->imbalance = fmax(info->imbalance, imbalance);
    info->balance = fmax(info->balance, r->body);
    info->balanced += is_balance(r);
}

static void note_motion(const group *g, const witness *w, statics_info *info)
{
    if (!w->valid)
        return;
    info->moving++;
    info->power += w->power * g->scale;
    info->violation = fmax(info->violation, w->violation);
    info->force_bound = fmin(info->force_bound, w->bound * g->scale);
}

/* What is known of a group. */
typedef struct answer {
    residual r; /* of g->S */
    witness w;  /* of g->u */
    double imbalance;
    int rounds;
} answer;

static bool is_decided(const answer *k)
{
    return is_balance(&k->r) || k->w.valid;
}

// by half-spaces: exact in the plane, and in space for few contacts
static mo_status solve_by_cuts(solver *s, group *g, answer *k, mo_error *err)
{
    cut_list cuts;
    for (size_t f = 0; f < g->p.freedoms; f++)
        g->z[f] = g->p.F[f] / g->p.A[f];
    if (!cuts_begin(&g->p, &s->memory, &cuts))
        return no_memory(err);
    mo_status status =
        project_velocity(s->projector, &g->p, &cuts, &s->memory, g->z, g->u, g->S, &k->rounds, err);
    if (status != MO_OK)
        return status;
    put_into_cones(&g->p, g->S);
    if (!measure(&g->p, g->S, &s->memory, &k->r))
        return no_memory(err);
    // the least forces may balance where multipliers of a large problem miss it by a little
    k->imbalance = k->r.all / k->r.load;
    if (k->imbalance <= NEAR_BALANCE)
        status = choose_forces(s, g, &cuts, &k->r, err);
    if (is_balance(&k->r))
        memset(g->u, 0, g->p.freedoms * sizeof *g->u);
    else if (status == MO_OK)
        status = find_motion(s, g, &cuts, k->r.load, &k->w, &k->rounds, err);
    return status;
}

// g->S := the forces that stand in g->force, where they are better
static mo_status take_forces(solver *s, group *g, answer *k, mo_error *err)
{
    residual r;
    put_into_cones(&g->p, g->force);
    if (!measure(&g->p, g->force, &s->memory, &r))
        return no_memory(err);
    if (is_balance(&r) || r.all < k->imbalance * r.load) {
        memcpy(g->S, g->force, (size_t)g->p.dim * g->p.contacts * sizeof *g->S);
        k->r = r;
        k->imbalance = r.all / r.load;
    }
    return MO_OK;
}

// g->u: a motion of norm 1 that proves something, or 0; in passes as in find_motion
static mo_status sharpen_motion(solver *s, group *g, answer *k, mo_error *err)
{
    mo_status status = MO_OK;
    statics driven = g->p;
    driven.F = g->z;
    for (int pass = 0; status == MO_OK; pass++) {
        make_unit(&g->p, g->u);
        k->w = judge_motion(&g->p, g->u, k->r.load);
        if (k->w.valid || pass >= PASSES_3D)
            break;
        for (size_t f = 0; f < g->p.freedoms; f++)
            g->z[f] = g->p.A[f] * g->u[f] + DRIVE_3D * g->p.F[f];
        status =
            interior_solve(&driven, INTERIOR_LEAST_DEVIATION, &s->memory, g->force, g->u, &k->rounds, err);
    }
    if (!k->w.valid)
        memset(g->u, 0, g->p.freedoms * sizeof *g->u);
    return status;
}

// by interior points: forces, and where they do not balance a motion
static mo_status solve_by_interior(solver *s, group *g, answer *k, mo_error *err)
{
    static const interior_goal goals[] = {INTERIOR_LEAST_FORCES, INTERIOR_LEAST_DEVIATION};
    for (int i = 0; i < 2; i++) {
        mo_status status = interior_solve(&g->p, goals[i], &s->memory, g->force, g->u, &k->rounds, err);
        if (status == MO_OK)
            status = take_forces(s, g, k, err);
        if (status != MO_OK)
            return status;
        if (is_balance(&k->r)) {
            memset(g->u, 0, g->p.freedoms * sizeof *g->u);
            return MO_OK;
        }
    }
    return sharpen_motion(s, g, k, err);
}

static mo_status solve_group(solver *s, group *g, statics_info *info, mo_error *err)
{
    answer k = {.r = {.all = HUGE_VAL, .load = 1}, .imbalance = HUGE_VAL};
    mo_status status = MO_OK;
    if (!(g->scale > 0)) {
        note_balance(&(residual){0}, 0, info);
        return MO_OK;
    }
    const bool large = g->p.dim == 3 && g->p.contacts > MOST_BY_CUTS;
    if (!large)
        status = solve_by_cuts(s, g, &k, err);
    if (status == MO_OK && g->p.contacts > 0 && (large || !is_decided(&k)))
        status = solve_by_interior(s, g, &k, err);
    // what the mechanism proves is certain, and equal where the projection is exact
    const double imbalance = fmin(k.imbalance, k.r.all / k.r.load);
    note_balance(&k.r, fmin(k.w.valid ? k.w.power / k.r.load : imbalance, 1), info);
    note_motion(g, &k.w, info);
    info->rounds = k.rounds > info->rounds ? k.rounds : info->rounds;
    return status;
}

/* ---- all groups ------------------------------------------------------------------------------------------
 */

static void give_back(const statics *p, const groups *all, size_t number, const group *g, double *S,
                      double *u)
{
    const size_t dim = (size_t)p->dim, *freedom = all->freedom + all->freedom_first[number];
    const size_t *contact = all->contact + all->contact_first[number];
    for (size_t f = 0; f < g->p.freedoms; f++)
        u[freedom[f]] = g->u[f];
    for (size_t c = 0; c < g->p.contacts; c++)
        for (size_t i = 0; i < dim; i++)
            S[dim * contact[c] + i] = g->S[dim * c + i] * g->scale;
}

static mo_status solve_groups(solver *s, const statics *p, double *S, double *u, statics_info *info,
                              mo_error *err)
{
    groups all;
    mo_status status = MO_OK;
    if (!find_groups(p, &s->memory, &all))
        return no_memory(err);
    info->groups = all.count;
    for (size_t k = 0; status == MO_OK && k < all.count; k++) {
        arena_mark mark = arena_here(&s->memory);
        group g;
        if (!take_group(p, &all, k, &s->memory, &g))
            return no_memory(err);
        status = solve_group(s, &g, info, err);
        if (status == MO_OK)
            give_back(p, &all, k, &g, S, u);
        arena_back(&s->memory, mark);
    }
    return status;
}

mo_status statics_solve(const statics *p, double *S, double *u, statics_info *info, mo_error *err)
{
    solver s = {0};
    statics_info found = {.force_bound = HUGE_VAL};
    mo_status status = mo_projector_create(&s.projector, err);
    if (status != MO_OK)
        return status;
    memset(S, 0, (size_t)p->dim * p->contacts * sizeof *S);
    memset(u, 0, p->freedoms * sizeof *u);
    status = solve_groups(&s, p, S, u, &found, err);
    mo_projector_destroy(s.projector);
    arena_free(&s.memory);
    if (status != MO_OK)
        return status;
    found.outcome = found.moving > 0                 ? STATICS_MECHANISM
                    : found.balanced == found.groups ? STATICS_BALANCED
                                                     : STATICS_UNDECIDED;
    *info = found;
    return MO_OK;
}
