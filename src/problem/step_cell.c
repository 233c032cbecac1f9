#include "problem/step_cell.h"

#include "problem/rows.h"

enum { CHUNK = 1024 };

size_t step_cell_chunks(size_t contacts)
{
    return chunk_count(contacts, CHUNK) + 1;
}

// Σ P ⊗ l of a chunk
static void sum_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    const step_problem *p = data;
    const size_t dim = (size_t)p->dim;
    double *sum = p->cell->sum[chunk];
    for (int k = 0; k < 9; k++)
        sum[k] = 0;
    for (size_t r = begin; r < end; r++) {
        const double *S = &p->S[dim * r], *l = &p->cell->l[dim * r];
        body_rows G;
        // most contacts in the list push
        if (S[0] == 0 && S[1] == 0 && (dim == 2 || S[2] == 0))
            continue;
        rows_of(p, r, 0, &G);
        for (size_t i = 0; i < dim; i++) {
            double P = 0;
            for (size_t k = 0; k < dim; k++)
                P += G.row[k][i] * S[k];
            for (size_t j = 0; j < dim; j++)
                sum[3 * i + j] += P * l[j];
        }
    }
}

// base + axes L l
static void shift_of(const step_problem *p, size_t r, const double L[9], double *shift)
{
    const size_t dim = (size_t)p->dim;
    const double *l = &p->cell->l[dim * r];
    double flow[3] = {0, 0, 0};
    body_rows G;
    rows_of(p, r, 0, &G);
    for (size_t i = 0; i < dim; i++)
        for (size_t j = 0; j < dim; j++)
            flow[i] += L[3 * i + j] * l[j];
    for (size_t k = 0; k < dim; k++) {
        shift[k] = p->cell->base[dim * r + k];
        for (size_t i = 0; i < dim; i++)
            shift[k] += G.row[k][i] * flow[i];
    }
}

void step_cell_free(const step_problem *p, size_t i, double *q)
{
    double L[9];
    for (int k = 0; k < 9; k++)
        L[k] = p->cell->by_stress[k] ? p->cell->L_free[k] : 0;
    shift_of(p, i, L, q);
}

void step_cell_block(const step_problem *p, size_t i, size_t j, double *B)
{
    const size_t dim = (size_t)p->dim;
    const double *l1 = &p->cell->l[dim * i], *l2 = &p->cell->l[dim * j];
    body_rows G1, G2;
    rows_of(p, i, 0, &G1);
    rows_of(p, j, 0, &G2);
    for (size_t a = 0; a < dim; a++) {
        double along = 0;
        for (size_t b = 0; b < dim; b++)
            along += p->cell->by_stress[3 * a + b] ? l1[b] * l2[b] : 0;
        for (size_t r = 0; r < dim; r++)
            for (size_t c = 0; c < dim; c++)
                B[r * dim + c] += p->cell->inv_mass * along * G1.row[r][a] * G2.row[c][a];
    }
}

static void shift_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    const step_problem *p = data;
    double shift[3];
    (void)chunk;
    for (size_t r = begin; r < end; r++) {
        shift_of(p, r, p->cell->L, shift);
        set_row_shift(p, r, shift);
    }
}

void step_cell_refresh(const step_problem *p, pool *threads)
{
    step_cell *c = p->cell;
    parallel_for(threads, p->contacts, CHUNK, sum_chunk, (void *)p);
    for (int k = 0; k < 9; k++) {
        double sum = 0;
        for (size_t i = 0; i < chunk_count(p->contacts, CHUNK); i++)
            sum += c->sum[i][k];
        c->L[k] = c->by_stress[k] ? c->L_free[k] + c->inv_mass * sum : 0;
    }
    parallel_for(threads, p->contacts, CHUNK, shift_chunk, (void *)p);
}
