/*
 * Accelerations of contacts at rest: the problem goes through FCLIB's global form to the local one.
 */
#include "solver/accelerations.h"

#include <stdlib.h>

#include "core/fail.h"
#include "problem/local.h"

static void push_entry(mo_sparse_matrix *m, size_t row, size_t column, double value)
{
    m->row[m->entries] = row;
    m->column[m->entries] = column;
    m->value[m->entries++] = value;
}

static bool reserve_matrix(mo_sparse_matrix *m, size_t rows, size_t columns, size_t entries)
{
    *m = (mo_sparse_matrix){.rows = rows,
                            .columns = columns,
                            .row = problem_calloc(entries, sizeof *m->row),
                            .column = problem_calloc(entries, sizeof *m->column),
                            .value = problem_calloc(entries, sizeof *m->value)};
    return m->row != NULL && m->column != NULL && m->value != NULL;
}

// A v = G* S + F, U = G v in FCLIB's global form, v accelerations
static bool global_form(const statics *p, mo_problem_file *g)
{
    const size_t dim = (size_t)p->dim, n = dim * p->contacts;
    g->global = true;
    g->local.dim = p->dim;
    g->local.contacts = p->contacts;
    g->local.mu = problem_calloc(p->contacts, sizeof *g->local.mu);
    g->f = problem_calloc(p->freedoms, sizeof *g->f);
    g->w = problem_calloc(n, sizeof *g->w);
    if (!reserve_matrix(&g->M, p->freedoms, p->freedoms, p->freedoms) ||
        !reserve_matrix(&g->H, p->freedoms, n, dim * p->start[p->contacts]) || g->local.mu == NULL ||
        g->f == NULL || g->w == NULL)
        return false;
    for (size_t f = 0; f < p->freedoms; f++) {
        push_entry(&g->M, f, f, p->A[f]);
        g->f[f] = p->F[f];
    }
    for (size_t c = 0; c < p->contacts; c++) {
        g->local.mu[c] = p->mu[c];
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++)
            for (size_t i = 0; i < dim; i++)
                push_entry(&g->H, p->column[k], dim * c + i, p->G[dim * k + i]);
    }
    return true;
}

static mo_status solve_global(mo_problem_file *g, const mo_solver_settings *settings, double *r, double *v,
                              mo_problem_info *info, mo_error *err)
{
    mo_status status = problem_condense(g, err);
    if (status == MO_OK)
        status = mo_problem_solve(&g->local, NULL, settings, r, NULL, info, err);
    return status == MO_OK ? problem_global_velocity(g, r, v, err) : status;
}

mo_status accelerations(const statics *p, const mo_solver_settings *settings, double *v,
                        mo_problem_info *info, mo_error *err)
{
    mo_problem_file g = {0};
    double *r = problem_calloc((size_t)p->dim * p->contacts, sizeof *r);
    mo_status status = r != NULL && global_form(p, &g)
                           ? solve_global(&g, settings, r, v, info, err)
                           : fail(err, MO_NO_MEMORY, NULL, "out of memory for %zu contacts", p->contacts);
    mo_problem_file_free(&g);
    free(r);
    return status;
}
