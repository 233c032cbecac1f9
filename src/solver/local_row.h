/*
 * A row of W times r, added to what b holds: the loop of everything in local form.
 *
 * In 3D the nine products of a block are summed each for itself, four at a time, and put together after the
 * last block: no sum waits for another one.  Functions that do it are WIDE (core/wide.h).
 */
#ifndef SOLVER_LOCAL_ROW_H
#define SOLVER_LOCAL_ROW_H

#include <moreau/problem.h>

/* Four numbers of a block, from any place. */
typedef double row_four __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)), may_alias));

/* Asks for row c of W ahead of its time: processors do so within a page only, which a few rows fill. */
static inline void row_ask(const mo_problem *p, size_t c)
{
    const size_t size = (size_t)(p->dim * p->dim) * sizeof *p->W;
    const char *at = (const char *)p->W + size * p->start[c],
               *end = (const char *)p->W + size * p->start[c + 1];
    for (; at < end; at += 64)
        __builtin_prefetch(at);
}

static inline void row_add2(const mo_problem *p, size_t from, size_t to, const double *r, double b[2])
{
    double b0 = b[0], b1 = b[1];
    for (size_t k = from; k < to; k++) {
        const double *B = p->W + 4 * k, *s = r + 2 * (size_t)p->column[k];
        b0 += B[0] * s[0] + B[1] * s[1];
        b1 += B[2] * s[0] + B[3] * s[1];
    }
    b[0] = b0;
    b[1] = b1;
}

/* Sums of the nine products of blocks. */
typedef struct row_sums {
    row_four s0123, s4567;
    double s8;
} row_sums;

static inline void row_add3(const mo_problem *p, size_t from, size_t to, const double *r, row_sums *t)
{
    row_sums sum = *t;
    for (size_t k = from; k < to; k++) {
        const double *B = p->W + 9 * k, *s = r + 3 * (size_t)p->column[k];
        sum.s0123 += *(const row_four *)B * (row_four){s[0], s[1], s[2], s[0]};
        sum.s4567 += *(const row_four *)(B + 4) * (row_four){s[1], s[2], s[0], s[1]};
        sum.s8 += B[8] * s[2];
    }
    *t = sum;
}

static inline void row_total3(const row_sums *t, double b[3])
{
    b[0] += t->s0123[0] + t->s0123[1] + t->s0123[2];
    b[1] += t->s0123[3] + t->s4567[0] + t->s4567[1];
    b[2] += t->s4567[2] + t->s4567[3] + t->s8;
}

static inline void row_times2(const mo_problem *p, size_t c, const double *r, double b[2])
{
    row_add2(p, p->start[c], p->start[c + 1], r, b);
}

static inline void row_times3(const mo_problem *p, size_t c, const double *r, double b[3])
{
    row_sums t = {0};
    row_add3(p, p->start[c], p->start[c + 1], r, &t);
    row_total3(&t, b);
}

/*
 * The same without the block `own` on the diagonal (any place outside the row: there is none).  Contacts to
 * come are first: a sweep has known what they have for a while, and waits for what it has just found.
 */
static inline void row_others2(const mo_problem *p, size_t c, size_t own, const double *r, double b[2])
{
    const size_t end = p->start[c + 1], middle = own < end ? own : end;
    row_add2(p, middle + 1, end, r, b);
    row_add2(p, p->start[c], middle, r, b);
}

static inline void row_others3(const mo_problem *p, size_t c, size_t own, const double *r, double b[3])
{
    const size_t end = p->start[c + 1], middle = own < end ? own : end;
    row_sums t = {0};
    row_add3(p, middle + 1, end, r, &t);
    row_add3(p, p->start[c], middle, r, &t);
    row_total3(&t, b);
}

#endif
