/* Linear systems whose rows change one at a time: see replaced_rows.h. */
#include "solver/replaced_rows.h"

#include <math.h>

#include "math/vec.h"

/* 1 + v.z below which digits are lost that factors made anew keep */
static const double LEAST_PIVOT = 1e-9;

bool replaced_rows_make(replaced_rows *m, local_work *w)
{
    *m = (replaced_rows){.w = w};
    m->kind = arena_push_zero(&w->memory, w->n, sizeof *m->kind);
    m->z = arena_push(&w->memory, ROWS_MOST * w->n, sizeof *m->z);
    m->unit = arena_push_zero(&w->memory, w->n, sizeof *m->unit);
    return m->kind != NULL && m->z != NULL && m->unit != NULL;
}

// the rows of contact c as blocks of A + B (Ws + alpha I)
static void set_blocks(const replaced_rows *m, size_t c)
{
    double *A = m->w->linear->A + 4 * c, *B = m->w->linear->B + 4 * c, mu = m->w->p->mu[c];
    for (size_t i = 0; i < 2; i++) {
        const row_kind kind = (row_kind)m->kind[2 * c + i];
        A[2 * i] = kind == ROW_NOTHING ? 1 : kind == ROW_PLUS ? -mu : kind == ROW_MINUS ? mu : 0;
        A[2 * i + 1] = kind == ROW_PLUS || kind == ROW_MINUS;
        B[2 * i] = kind == ROW_VELOCITY && i == 0;
        B[2 * i + 1] = kind == ROW_VELOCITY && i == 1;
    }
}

bool replaced_rows_factor(replaced_rows *m)
{
    for (size_t c = 0; c < m->w->p->contacts; c++)
        set_blocks(m, c);
    m->count = 0;
    return local_linear_factor(m->w, m->alpha);
}

double replaced_rows_apply(const replaced_rows *m, size_t row, row_kind kind, const double *x)
{
    const mo_problem *p = &m->w->linear->scaled;
    const size_t c = row / 2, i = row % 2;
    if (kind == ROW_NOTHING)
        return x[2 * c];
    if (kind != ROW_VELOCITY)
        return x[2 * c + 1] + (kind == ROW_PLUS ? -1 : 1) * p->mu[c] * x[2 * c];
    double sum = m->alpha * x[row];
    for (size_t k = p->start[c]; k < p->start[c + 1]; k++) {
        const double *W = p->W + 4 * k + 2 * i, *xk = x + 2 * (size_t)p->column[k];
        sum += W[0] * xk[0] + W[1] * xk[1];
    }
    return sum;
}

bool replaced_rows_change(replaced_rows *m, size_t row, row_kind kind)
{
    const row_kind before = (row_kind)m->kind[row];
    m->kind[row] = (uint8_t)kind;
    if (m->count == ROWS_MOST)
        return false;
    double *z = m->z + (size_t)m->count * m->w->n;
    m->unit[row] = 1;
    local_linear_solve(m->w, m->unit, 0, z);
    m->unit[row] = 0;
    for (int j = 0; j < m->count; j++) {
        const replaced_row *r = &m->replaced[j];
        const double v = replaced_rows_apply(m, r->row, (row_kind)r->after, z) -
                         replaced_rows_apply(m, r->row, (row_kind)r->before, z);
        vec_add(m->w->n, -v * r->scale, m->z + (size_t)j * m->w->n, z);
    }
    const double pivot = 1 + replaced_rows_apply(m, row, kind, z) - replaced_rows_apply(m, row, before, z);
    if (!(fabs(pivot) > LEAST_PIVOT))
        return false;
    m->replaced[m->count++] = (replaced_row){(uint32_t)row, (uint8_t)before, (uint8_t)kind, 1 / pivot};
    return true;
}

void replaced_rows_solve(const replaced_rows *m, const double *b, double *x)
{
    local_linear_solve(m->w, b, 1, x);
}

void replaced_rows_velocity(const replaced_rows *m, const double *x, const double *load, double *y)
{
    local_linear_product(m->w, x, y);
    for (size_t i = 0; i < m->w->n; i++)
        y[i] += m->alpha * x[i] + load[i];
}
