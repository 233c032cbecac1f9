/*
 * Contacts of a body rise in its list, so that the row of a contact is the merger of two lists.  Blocks are
 * computed on and above the diagonal and mirrored: while rows rise, what lies below the diagonal of a row is
 * filled from left to right.
 */
#include "problem/delassus.h"

#include <string.h>

#include "problem/rows.h"
#include "problem/step_cell.h"

typedef struct body_lists {
    size_t *first;     /* [bodies + 1] into contact */
    uint32_t *contact; /* rising within a body */
} body_lists;

static int sides(const uint32_t body[2])
{
    return body[1] == UINT32_MAX ? 1 : 2;
}

// number of contacts of every body, in first[body + 1]
static size_t *count_contacts(const step_problem *p, arena *a)
{
    size_t *first = arena_push_zero(a, p->bodies + 1, sizeof *first);
    for (size_t i = 0; first != NULL && i < p->contacts; i++) {
        const uint32_t *body = row_bodies(p, i);
        for (int side = 0; side < sides(body); side++)
            first[body[side] + 1]++;
    }
    return first;
}

size_t delassus_blocks(const step_problem *p, arena *a)
{
    size_t all;
    // a cell couples all contacts
    if (p->cell != NULL)
        return __builtin_mul_overflow(p->contacts, p->contacts, &all) ? SIZE_MAX : all;
    arena_mark mark = arena_here(a);
    const size_t *first = count_contacts(p, a);
    size_t blocks = 0;
    for (size_t b = 1; first != NULL && b <= p->bodies; b++) {
        size_t more = 0;
        if (__builtin_mul_overflow(first[b], first[b], &more) ||
            __builtin_add_overflow(blocks, more, &blocks))
            blocks = SIZE_MAX;
        if (blocks == SIZE_MAX)
            break;
    }
    if (first == NULL)
        blocks = SIZE_MAX;
    arena_back(a, mark);
    return blocks;
}

static bool make_lists(const step_problem *p, arena *a, body_lists *out)
{
    out->first = count_contacts(p, a);
    out->contact = arena_push(a, 2 * p->contacts, sizeof *out->contact);
    size_t *next = arena_push(a, p->bodies + 1, sizeof *next);
    if (out->first == NULL || out->contact == NULL || next == NULL)
        return false;
    for (size_t b = 0; b < p->bodies; b++)
        out->first[b + 1] += out->first[b];
    memcpy(next, out->first, (p->bodies + 1) * sizeof *next);
    for (size_t i = 0; i < p->contacts; i++) {
        const uint32_t *body = row_bodies(p, i);
        for (int side = 0; side < sides(body); side++)
            out->contact[next[body[side]]++] = (uint32_t)i;
    }
    return true;
}

/* Walks the contacts that share a body with contact i, rising. */
typedef struct merger {
    const uint32_t *at[2], *end[2];
} merger;

static merger merge_start(const step_problem *p, const body_lists *lists, size_t i)
{
    merger m = {{NULL, NULL}, {NULL, NULL}};
    const uint32_t *body = row_bodies(p, i);
    for (int side = 0; side < sides(body); side++) {
        m.at[side] = lists->contact + lists->first[body[side]];
        m.end[side] = lists->contact + lists->first[body[side] + 1];
    }
    return m;
}

// the next contact; false: no more
static bool merge_next(merger *m, uint32_t *contact)
{
    uint32_t next[2];
    for (int side = 0; side < 2; side++)
        next[side] = m->at[side] != m->end[side] ? *m->at[side] : UINT32_MAX;
    *contact = next[0] < next[1] ? next[0] : next[1];
    if (*contact == UINT32_MAX)
        return false;
    for (int side = 0; side < 2; side++)
        if (next[side] == *contact)
            m->at[side]++;
    return true;
}

static bool make_pattern(const step_problem *p, const body_lists *lists, arena *a, mo_problem *out)
{
    uint32_t j;
    out->start = arena_push(a, p->contacts + 1, sizeof *out->start);
    if (out->start == NULL)
        return false;
    out->start[0] = 0;
    for (size_t i = 0; i < p->contacts; i++) {
        size_t count = 0;
        for (merger m = merge_start(p, lists, i); merge_next(&m, &j);)
            count++;
        out->start[i + 1] = out->start[i] + count;
    }
    out->column = arena_push(a, out->start[p->contacts], sizeof *out->column);
    if (out->column == NULL)
        return false;
    for (size_t i = 0, k = 0; i < p->contacts; i++)
        for (merger m = merge_start(p, lists, i); merge_next(&m, &j);)
            out->column[k++] = j;
    return true;
}

// every contact with every other
static bool make_full_pattern(const step_problem *p, arena *a, mo_problem *out)
{
    const size_t n = p->contacts;
    out->start = arena_push(a, n + 1, sizeof *out->start);
    out->column = arena_push(a, n * n, sizeof *out->column);
    if (out->start == NULL || out->column == NULL)
        return false;
    for (size_t i = 0; i <= n; i++)
        out->start[i] = n * i;
    for (size_t k = 0; k < n * n; k++)
        out->column[k] = (uint32_t)(k % n);
    return true;
}

/* Both sides of a contact: G and G A⁻¹ of the bodies it acts on. */
typedef struct both_sides {
    const uint32_t *body;
    int count;
    body_rows G[2], GA[2];
} both_sides;

static void read_sides(const step_problem *p, size_t i, both_sides *out)
{
    out->body = row_bodies(p, i);
    out->count = sides(out->body);
    for (int side = 0; side < out->count; side++) {
        rows_of(p, i, side, &out->G[side]);
        rows_times_inverse(p, out->body[side], &out->G[side], &out->GA[side]);
    }
}

// B := Σ G_i A⁻¹ G_j* over the bodies that both act on
static void make_block(const step_problem *p, const both_sides *one, size_t j, double *B)
{
    const size_t dim = (size_t)p->dim, freedoms = dim == 2 ? 3 : 6;
    const uint32_t *other = row_bodies(p, j);
    memset(B, 0, dim * dim * sizeof *B);
    for (int side = 0; side < one->count; side++)
        for (int s = 0; s < sides(other); s++) {
            if (one->body[side] != other[s])
                continue;
            body_rows G;
            rows_of(p, j, s, &G);
            for (size_t r = 0; r < dim; r++)
                for (size_t c = 0; c < dim; c++)
                    for (size_t k = 0; k < freedoms; k++)
                        B[r * dim + c] += one->GA[side].row[r][k] * G.row[c][k];
        }
}

// what is left and right of the diagonal of a block on it is made equal
static void make_symmetric(size_t dim, double *B)
{
    for (size_t r = 0; r < dim; r++)
        for (size_t c = r + 1; c < dim; c++)
            B[c * dim + r] = B[r * dim + c];
}

static void fill_blocks(const step_problem *p, size_t *below, mo_problem *out)
{
    const size_t dim = (size_t)p->dim, square = dim * dim;
    memcpy(below, out->start, p->contacts * sizeof *below);
    for (size_t i = 0; i < p->contacts; i++) {
        both_sides one;
        read_sides(p, i, &one);
        // what lies below the diagonal has been mirrored: below[i] is the diagonal
        for (size_t k = below[i]; k < out->start[i + 1]; k++) {
            double *B = out->W + square * k;
            size_t j = out->column[k];
            make_block(p, &one, j, B);
            if (p->cell != NULL)
                step_cell_block(p, i, j, B);
            if (j == i) {
                make_symmetric(dim, B);
                continue;
            }
            double *mirror = out->W + square * below[j]++;
            for (size_t r = 0; r < dim; r++)
                for (size_t c = 0; c < dim; c++)
                    mirror[c * dim + r] = B[r * dim + c];
        }
    }
}

// q = G u_free + shift
static void fill_free(const step_problem *p, mo_problem *out)
{
    const size_t dim = (size_t)p->dim, freedoms = dim == 2 ? 3 : 6;
    for (size_t i = 0; i < p->contacts; i++) {
        const uint32_t *body = row_bodies(p, i);
        if (p->cell != NULL)
            step_cell_free(p, i, &out->q[dim * i]);
        else
            row_shift(p, i, &out->q[dim * i]);
        for (int side = 0; side < sides(body); side++) {
            body_rows G;
            rows_of(p, i, side, &G);
            for (size_t r = 0; r < dim; r++)
                for (size_t k = 0; k < freedoms; k++)
                    out->q[dim * i + r] += G.row[r][k] * p->u_free[freedoms * body[side] + k];
        }
    }
}

bool delassus(const step_problem *p, arena *a, mo_problem *out)
{
    const size_t dim = (size_t)p->dim;
    mo_problem made = {.dim = p->dim, .contacts = p->contacts};
    body_lists lists;
    if (p->cell != NULL ? !make_full_pattern(p, a, &made)
                        : !make_lists(p, a, &lists) || !make_pattern(p, &lists, a, &made))
        return false;
    size_t blocks = made.start[p->contacts], *below = arena_push(a, p->contacts, sizeof *below);
    made.W = arena_push(a, blocks, dim * dim * sizeof *made.W);
    made.q = arena_push(a, dim * p->contacts, sizeof *made.q);
    made.mu = arena_push(a, p->contacts, sizeof *made.mu);
    if (below == NULL || made.W == NULL || made.q == NULL || made.mu == NULL)
        return false;
    for (size_t i = 0; i < p->contacts; i++)
        made.mu[i] = row_mu(p, i);
    fill_blocks(p, below, &made);
    fill_free(p, &made);
    *out = made;
    return true;
}
