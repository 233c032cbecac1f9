/*
 * The cell of a step under stresses: what assemble adds to the problem (problem/step_cell.h).
 */
#include "dynamics/assemble.h"

#include <string.h>

#include "problem/step_cell.h"

// what pulls of the laws do to L: the problem is solved for impulses that include them
static void take_pulls(const bodies *b, const contact_set *c, const stage_data *d, step_cell *cell)
{
    for (size_t i = 0; d->special != NULL && i < c->count; i++)
        for (size_t k = 0; k < 9; k++)
            if (cell->by_stress[k])
                cell->L_free[k] -= cell->inv_mass * d->pull[i] * row_sign(b, c, i) *
                                   c->normal[b->dim * i + k / 3] * cell->l[b->dim * d->row[i] + k % 3];
}

bool cell_assemble(const bodies *b, const contact_set *c, arena *a, stage_data *d)
{
    step_problem *p = &d->problem;
    if (d->cell == NULL || !d->cell->some_stress)
        return true;
    step_cell *cell = arena_push_zero(a, 1, sizeof *cell);
    if (cell == NULL)
        return false;
    cell->l = arena_push(a, b->dim * c->count, sizeof *cell->l);
    cell->base = arena_push(a, b->dim * c->count, sizeof *cell->base);
    cell->sum = arena_push(a, step_cell_chunks(c->count), sizeof *cell->sum);
    if (cell->l == NULL || cell->base == NULL || cell->sum == NULL)
        return false;
    memcpy(cell->by_stress, d->cell->by_stress, sizeof cell->by_stress);
    memcpy(cell->L_free, d->cell->free, sizeof cell->L_free);
    cell->inv_mass = d->cell->inv_mass;
    for (size_t i = 0; i < c->count; i++) {
        double *l = &cell->l[b->dim * d->row[i]];
        contact_branch(b, c, i, d, l);
        for (size_t k = 0; k < b->dim; k++)
            l[k] *= row_sign(b, c, i);
        row_shift(p, d->row[i], &cell->base[b->dim * d->row[i]]);
    }
    take_pulls(b, c, d, cell);
    // methods that form W know nothing of the cell
    p->spare = NULL;
    p->cell = cell;
    return true;
}
