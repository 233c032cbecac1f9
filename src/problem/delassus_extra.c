/*
 * W column by column: what an impulse of one, felt through the joints, does to all velocities.
 *
 * A one-sided box is a contact without friction.  The moment R of a contact with |R| <= l S_N is the friction
 * of a companion: a contact with mu = 1 whose tangential rows are Ω and whose normal row, coupled to nothing
 * that moves, is c (S_N' - l S_N), so that 0 <= U_N' ⟂ S_N' >= 0 makes S_N' = l S_N.  c is the size of the
 * block, or less, so that W stays positive with it: its symmetric part does for c l² < 4 H_nn.
 */
#include <math.h>
#include <string.h>

#include "problem/apply.h"
#include "problem/certificate.h"
#include "problem/delassus.h"
#include "problem/extra.h"

// 1: pushes only, -1: pulls only, 0: neither
static double side_of(const box_row *r)
{
    bool pushes = r->low == 0 && isinf(r->high), pulls = r->high == 0 && isinf(r->low);
    return !(r->H > 0) ? 0 : pushes ? 1 : pulls ? -1 : 0;
}

bool delassus_is_whole(const step_problem *p)
{
    for (size_t k = 0; p->extra != NULL && k < p->extra->boxes; k++)
        if (p->extra->box[k].H > 0 && side_of(&p->extra->box[k]) == 0)
            return false;
    return true;
}

static double length_of(const step_problem *p, const extra_entry *e)
{
    return p->extra->length[e->of][e->kind == ENTRY_SPIN];
}

// where the moment of a companion begins, and how many numbers it has
static double *moment_of(const step_problem *p, const extra_entry *e, size_t *count)
{
    double *R = &p->extra->R[p->extra->turns * e->of];
    *count = p->dim == 3 && e->kind == ENTRY_ROLL ? 2 : 1;
    return p->dim == 3 && e->kind == ENTRY_ROLL ? R + 1 : R;
}

// size of an entry's block
static double size_of(const step_problem *p, const extra_entry *e)
{
    const double *J = p->extra->J != NULL ? p->extra->J[e->kind == ENTRY_BOX ? 0 : e->of] : NULL;
    switch (e->kind) {
    case ENTRY_CONTACT:
        return 1 / contact_rho(p, e->of);
    case ENTRY_BOX:
        return p->extra->box[e->of].H;
    case ENTRY_SPIN:
        return J[0];
    default:
        return p->dim == 2 ? J[0] : J[3] + J[5];
    }
}

static void list_entries(const step_problem *p, extra_entries *out)
{
    const step_extra *x = p->extra;
    out->count = 0;
    for (uint32_t i = 0; i < p->contacts; i++)
        out->entry[out->count++] = (extra_entry){ENTRY_CONTACT, i};
    for (uint32_t k = 0; k < x->boxes; k++)
        if (side_of(&x->box[k]) != 0)
            out->entry[out->count++] = (extra_entry){ENTRY_BOX, k};
    for (uint32_t i = 0; x->turns > 0 && i < p->contacts; i++)
        for (int kind = ENTRY_ROLL; kind <= (p->dim == 3 ? ENTRY_SPIN : ENTRY_ROLL); kind++) {
            extra_entry e = {kind, i};
            if (length_of(p, &e) > 0 && size_of(p, &e) > 0)
                out->entry[out->count++] = e;
        }
}

double extra_rho(const step_problem *p, const extra_entries *all, size_t i)
{
    return 1 / size_of(p, &all->entry[i]);
}

void extra_gather(const step_problem *p, const extra_entries *all, double *x)
{
    const size_t dim = (size_t)p->dim;
    memset(x, 0, dim * all->count * sizeof *x);
    memcpy(x, p->S, dim * p->contacts * sizeof *x);
    for (size_t i = p->contacts; i < all->count; i++) {
        const extra_entry *e = &all->entry[i];
        double *to = x + dim * i;
        size_t count;
        if (e->kind == ENTRY_BOX) {
            to[0] = side_of(&p->extra->box[e->of]) * p->extra->T[e->of];
            continue;
        }
        const double *R = moment_of(p, e, &count);
        to[0] = length_of(p, e) * fmax(p->S[dim * e->of], 0);
        memcpy(to + 1, R, count * sizeof *R);
    }
}

void extra_scatter(const step_problem *p, const extra_entries *all, const double *x)
{
    const size_t dim = (size_t)p->dim;
    memcpy(p->S, x, dim * p->contacts * sizeof *x);
    for (size_t i = p->contacts; i < all->count; i++) {
        const extra_entry *e = &all->entry[i];
        const double *from = x + dim * i;
        size_t count;
        if (e->kind == ENTRY_BOX) {
            p->extra->T[e->of] = side_of(&p->extra->box[e->of]) * fmax(from[0], 0);
            continue;
        }
        double *R = moment_of(p, e, &count);
        memcpy(R, from + 1, count * sizeof *R);
    }
}

// velocities of all entries; shifted: with their shifts
static void read_all(const step_problem *p, const extra_entries *all, bool shifted, double *U)
{
    const size_t dim = (size_t)p->dim;
    const double none[3] = {0, 0, 0};
    memset(U, 0, dim * all->count * sizeof *U);
    for (size_t i = 0; i < all->count; i++) {
        const extra_entry *e = &all->entry[i];
        double *to = U + dim * i, Omega[3];
        if (e->kind == ENTRY_CONTACT && shifted) {
            contact_velocity(p->dim, p, i, has_two(p, i), to);
        } else if (e->kind == ENTRY_CONTACT) {
            shifted_velocity(p->dim, p, i, has_two(p, i), none, to);
        } else if (e->kind == ENTRY_BOX) {
            const box_row *r = &p->extra->box[e->of];
            to[0] = side_of(r) * (box_velocity(p, e->of) - (shifted ? 0 : r->shift));
        } else {
            const double *w = &p->extra->turn_shift[p->extra->turns * e->of];
            size_t first = dim == 3 && e->kind == ENTRY_ROLL ? 1 : 0, count = first + 1;
            turn_velocity(p, e->of, Omega);
            for (size_t k = 0; k < count; k++)
                to[1 + k] = Omega[first + k] - (shifted ? 0 : w[first + k]);
        }
    }
}

// an impulse of one along component k of entry i, joints felt
static void push_one(const step_problem *p, const extra_entry *e, size_t k)
{
    const step_extra *x = p->extra;
    double S[6] = {0}, R[3] = {0};
    if (e->kind == ENTRY_BOX) {
        if (k == 0)
            box_push(p, e->of, side_of(&x->box[e->of]));
        return;
    }
    if (e->kind != ENTRY_CONTACT) {
        bool rolls = p->dim == 3 && e->kind == ENTRY_ROLL;
        R[rolls ? k : 0] = 1;
        if (k > 0 && (rolls || k == 1))
            turn_push(p, e->of, R);
        return;
    }
    S[k] = 1;
    apply_impulse(p->dim, p, e->of, has_two(p, e->of), S);
    if (x->felt_by != NULL && x->felt_by[e->of] != NO_RESPONSE)
        response_push(x->joints, p, &x->response[x->felt_by[e->of]], S);
}

static double *entry_of(double *W, size_t dim, size_t n, size_t row, size_t column)
{
    return &W[dim * dim * (n * (row / dim) + column / dim) + dim * (row % dim) + column % dim];
}

// c of a companion
static double tie_of(const step_problem *p, const extra_entry *e, double H_nn)
{
    double l = length_of(p, e), size = size_of(p, e);
    return l * l * size < H_nn ? size : H_nn / (l * l);
}

// rows that nothing moves along: the ties of companions, and a block of the entry's own size for the rest
static void fill_ties(const step_problem *p, const extra_entries *all, double *W)
{
    const size_t dim = (size_t)p->dim, n = all->count;
    for (size_t i = p->contacts; i < n; i++) {
        const extra_entry *e = &all->entry[i];
        double size = size_of(p, e);
        for (size_t k = 0; k < dim; k++) {
            double *own = entry_of(W, dim, n, dim * i + k, dim * i + k);
            if (*own == 0)
                *own = size;
        }
        if (e->kind == ENTRY_BOX)
            continue;
        double c = tie_of(p, e, *entry_of(W, dim, n, dim * e->of, dim * e->of));
        *entry_of(W, dim, n, dim * i, dim * i) = c;
        *entry_of(W, dim, n, dim * i, dim * e->of) = -c * length_of(p, e);
    }
}

static void fill_columns(const step_problem *p, const extra_entries *all, double *U, double *W)
{
    const size_t dim = (size_t)p->dim, nu = dim == 2 ? 3 : 6, n = all->count;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < dim; k++) {
            for (uint32_t b = 0; b < p->bodies; b++)
                memset(body_velocity(p, b), 0, nu * sizeof(double));
            push_one(p, &all->entry[i], k);
            read_all(p, all, false, U);
            for (size_t r = 0; r < dim * n; r++)
                *entry_of(W, dim, n, r, dim * i + k) = U[r];
        }
    for (size_t r = 0; r < dim * n; r++)
        for (size_t c = 0; c < r; c++) {
            double *a = entry_of(W, dim, n, r, c), *b = entry_of(W, dim, n, c, r);
            *a = *b = 0.5 * (*a + *b);
        }
    fill_ties(p, all, W);
}

// q: velocities with all that is solved for taken away
static void fill_q(step_problem *p, const extra_entries *all, double *kept, double *q)
{
    extra_gather(p, all, kept);
    memset(q, 0, (size_t)p->dim * all->count * sizeof *q);
    extra_scatter(p, all, q);
    refresh_velocities(p, NULL);
    read_all(p, all, true, q);
    extra_scatter(p, all, kept);
    refresh_velocities(p, NULL);
}

static bool push_problem(const step_problem *p, const extra_entries *all, arena *a, mo_problem *m)
{
    const size_t dim = (size_t)p->dim, n = all->count;
    *m = (mo_problem){.dim = p->dim, .contacts = n};
    m->start = arena_push(a, n + 1, sizeof *m->start);
    m->column = arena_push(a, n * n, sizeof *m->column);
    m->W = arena_push(a, n * n, dim * dim * sizeof *m->W);
    m->q = arena_push(a, n, dim * sizeof *m->q);
    m->mu = arena_push_zero(a, n, sizeof *m->mu);
    if (m->start == NULL || m->column == NULL || m->W == NULL || m->q == NULL || m->mu == NULL)
        return false;
    if (p->contacts > 0)
        memcpy(m->mu, p->mu, p->contacts * sizeof *m->mu);
    for (size_t i = p->contacts; i < n; i++)
        m->mu[i] = all->entry[i].kind == ENTRY_BOX ? 0 : 1;
    return true;
}

static bool is_zero(const double *block, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (block[k] != 0)
            return false;
    return true;
}

// blocks that are zero both ways go; mark [n n] is scratch
static void leave_zeros(mo_problem *m, bool *mark)
{
    const size_t n = m->contacts, square = (size_t)(m->dim * m->dim);
    size_t kept = 0;
    for (size_t b = 0; b < n * n; b++)
        mark[b] = !is_zero(m->W + square * b, square);
    for (size_t i = 0; i < n; i++) {
        m->start[i] = kept;
        for (size_t k = 0; k < n; k++) {
            if (i != k && !mark[n * i + k] && !mark[n * k + i])
                continue;
            memmove(m->W + square * kept, m->W + square * (n * i + k), square * sizeof *m->W);
            m->column[kept++] = (uint32_t)k;
        }
    }
    m->start[n] = kept;
}

bool delassus_extra(step_problem *p, arena *a, mo_problem *out, extra_entries *all)
{
    const size_t dim = (size_t)p->dim;
    const step_extra *x = p->extra;
    mo_problem m;
    if (x->joints != NULL && x->felt_by == NULL)
        return false;
    all->entry = arena_push(a, (x->turns > 0 ? 3 : 1) * p->contacts + x->boxes, sizeof *all->entry);
    if (all->entry == NULL)
        return false;
    list_entries(p, all);
    if (dim * all->count > DELASSUS_MOST)
        return false;
    double *U = arena_push(a, all->count, dim * sizeof *U);
    bool *mark = arena_push(a, all->count * all->count, sizeof *mark);
    if (U == NULL || mark == NULL || !push_problem(p, all, a, &m))
        return false;
    fill_columns(p, all, U, m.W);
    leave_zeros(&m, mark);
    fill_q(p, all, U, m.q);
    *out = m;
    return true;
}
