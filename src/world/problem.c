/*
 * The contact problem of a step for those who ask: copied while the step's memory is alive, with contacts in
 * the order of mo_contacts instead of sweeps.
 */
#include <stdlib.h>
#include <string.h>

#include "core/fail.h"
#include "dynamics/assemble.h"
#include "dynamics/sleep.h"
#include "problem/delassus.h"
#include "problem/extra.h"
#include "solver/local.h"
#include "world/world.h"

static mo_status no_memory(mo_error *err)
{
    return fail(err, MO_NO_MEMORY, NULL, "out of memory for the step's contact problem");
}

void mo_world_keep_problem(mo_world *w, bool keep)
{
    w->keep_problem = keep;
    if (!keep)
        world_drop_problem(w);
}

void world_drop_problem(mo_world *w)
{
    mo_problem_free(&w->problem);
    free(w->problem_r);
    free(w->problem_u);
    w->problem = (mo_problem){0};
    w->problem_r = w->problem_u = NULL;
    w->no_problem = NULL;
}

// what keeps the step's problem from being one of contacts under Coulomb's law alone; NULL: nothing
static const char *misfit(const step_problem *p)
{
    const step_extra *x = p->extra;
    if (x != NULL && (x->joints != NULL || x->boxes > 0))
        return "joints are part of it";
    if (x != NULL)
        return "contacts resist rolling or spinning";
    if (p->law != NULL)
        return "contacts have a threshold or a law of their own";
    // W is full then
    if (p->cell != NULL && p->contacts > DELASSUS_MOST)
        return "the cell under stresses couples more than 1500 contacts";
    return NULL;
}

// an empty problem of this size
static bool problem_reserve(int dim, size_t contacts, size_t blocks, mo_problem *out)
{
    const size_t n = (size_t)dim;
    *out = (mo_problem){.dim = dim,
                        .contacts = contacts,
                        .start = calloc(contacts + 1, sizeof *out->start),
                        .column = calloc(blocks + 1, sizeof *out->column),
                        .W = calloc(blocks + 1, n * n * sizeof *out->W),
                        .q = calloc(contacts + 1, n * sizeof *out->q),
                        .mu = calloc(contacts + 1, sizeof *out->mu)};
    if (out->start != NULL && out->column != NULL && out->W != NULL && out->q != NULL && out->mu != NULL)
        return true;
    mo_problem_free(out);
    return false;
}

/* A block of a row on its way to its new column. */
typedef struct moved_block {
    uint32_t column;
    size_t from;
} moved_block;

static int by_column(const void *a, const void *b)
{
    const moved_block *x = a, *y = b;
    return x->column < y->column ? -1 : x->column > y->column;
}

// row i of out is row row[i] of p; back: the inverse of row; scratch: one entry per block of the longest row
static void reorder(const mo_problem *p, const uint32_t *row, const uint32_t *back, moved_block *scratch,
                    mo_problem *out)
{
    const size_t n = (size_t)p->dim, square = n * n;
    for (size_t i = 0, at = 0; i < p->contacts; i++) {
        const size_t r = row[i], count = p->start[r + 1] - p->start[r];
        for (size_t k = 0; k < count; k++)
            scratch[k] = (moved_block){back[p->column[p->start[r] + k]], p->start[r] + k};
        qsort(scratch, count, sizeof *scratch, by_column);
        for (size_t k = 0; k < count; k++, at++) {
            out->column[at] = scratch[k].column;
            memcpy(out->W + square * at, p->W + square * scratch[k].from, square * sizeof *p->W);
        }
        out->start[i + 1] = at;
        memcpy(out->q + n * i, p->q + n * r, n * sizeof *p->q);
        out->mu[i] = p->mu[r];
    }
}

/* In space a contact that stands in the step's problem as seen from its second body has its second tangent
   the other way round there.  Turns it back in W, q and r, so that all are along the axes of mo_contacts. */
static void turn_back(const bodies *b, const contact_set *c, mo_problem *p, double *r)
{
    for (size_t i = 0; p->dim == 3 && i < p->contacts; i++) {
        const bool turned = is_turned(b, c, i);
        if (turned) {
            p->q[3 * i + 2] = -p->q[3 * i + 2];
            r[3 * i + 2] = -r[3 * i + 2];
        }
        for (size_t k = p->start[i]; k < p->start[i + 1]; k++) {
            const bool other = is_turned(b, c, p->column[k]);
            double *W = p->W + 9 * k;
            for (int m = 0; m < 2; m++) {
                W[6 + m] = turned ? -W[6 + m] : W[6 + m];
                W[3 * m + 2] = other ? -W[3 * m + 2] : W[3 * m + 2];
            }
            W[8] = turned != other ? -W[8] : W[8];
        }
    }
}

mo_status world_keep_problem(mo_world *w, const stage_data *d, mo_error *err)
{
    // bodies that sleep are no part of it
    const size_t contacts = d->problem.contacts;
    arena_mark mark = arena_here(&w->arena);
    mo_problem swept;
    world_drop_problem(w);
    w->no_problem = misfit(&d->problem);
    if (w->no_problem != NULL)
        return MO_OK;
    if (!delassus(&d->problem, &w->arena, &swept))
        return no_memory(err);
    const size_t n = (size_t)swept.dim, blocks = swept.start[contacts];
    uint32_t *back = arena_push(&w->arena, contacts, sizeof *back);
    moved_block *scratch = arena_push(&w->arena, contacts, sizeof *scratch);
    w->problem_r = calloc(contacts + 1, n * sizeof *w->problem_r);
    w->problem_u = calloc(contacts + 1, n * sizeof *w->problem_u);
    if (back == NULL || scratch == NULL || w->problem_r == NULL || w->problem_u == NULL ||
        !problem_reserve(swept.dim, contacts, blocks, &w->problem))
        return no_memory(err);
    for (size_t i = 0; i < contacts; i++) {
        back[d->row[i]] = (uint32_t)i;
        memcpy(w->problem_r + n * i, d->problem.S + n * d->row[i], n * sizeof *w->problem_r);
    }
    reorder(&swept, d->row, back, scratch, &w->problem);
    turn_back(&w->bodies, sleep_problem(&w->sleepers, &w->contacts), &w->problem, w->problem_r);
    local_velocity(&w->problem, w->problem_r, w->problem_u);
    arena_back(&w->arena, mark);
    return MO_OK;
}

const mo_problem *mo_world_problem(const mo_world *w, const double **r, const double **u)
{
    if (r != NULL)
        *r = w->problem_r;
    if (u != NULL)
        *u = w->problem_u;
    return w->problem.start != NULL ? &w->problem : NULL;
}

const char *mo_world_no_problem(const mo_world *w)
{
    return w->no_problem;
}
