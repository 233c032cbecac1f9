/*
 * A row of W times r, added to what b holds: the loop of everything in local form.
 *
 * In 3D the nine products of a block are summed each for itself, two at a time, and put together after the
 * last block: no sum waits for another one, and every processor of this kind has registers for two.
 */
#ifndef SOLVER_LOCAL_ROW_H
#define SOLVER_LOCAL_ROW_H

#include <string.h>

#include <moreau/problem.h>

typedef double row_pair __attribute__((vector_size(2 * sizeof(double))));

static inline row_pair row_load(const double *a)
{
    row_pair out;
    memcpy(&out, a, sizeof out);
    return out;
}

/* Asks for row c of W ahead of its time: processors do so within a page only, which a few rows fill. */
static inline void row_ask(const mo_problem *p, size_t c)
{
    const size_t size = (size_t)(p->dim * p->dim) * sizeof *p->W;
    const char *at = (const char *)p->W + size * p->start[c],
               *end = (const char *)p->W + size * p->start[c + 1];
    for (; at < end; at += 64)
        __builtin_prefetch(at);
}

static inline void row_times2(const mo_problem *p, size_t c, const double *r, double b[2])
{
    double b0 = b[0], b1 = b[1];
    for (size_t k = p->start[c]; k < p->start[c + 1]; k++) {
        const double *B = p->W + 4 * k, *s = r + 2 * (size_t)p->column[k];
        b0 += B[0] * s[0] + B[1] * s[1];
        b1 += B[2] * s[0] + B[3] * s[1];
    }
    b[0] = b0;
    b[1] = b1;
}

static inline void row_times3(const mo_problem *p, size_t c, const double *r, double b[3])
{
    row_pair s01 = {0}, s23 = {0}, s45 = {0}, s67 = {0};
    double s8 = 0;
    for (size_t k = p->start[c]; k < p->start[c + 1]; k++) {
        const double *B = p->W + 9 * k, *s = r + 3 * (size_t)p->column[k];
        const row_pair first = row_load(s), last = row_load(s + 1), around = {s[2], s[0]};
        s01 += row_load(B) * first;
        s23 += row_load(B + 2) * around;
        s45 += row_load(B + 4) * last;
        s67 += row_load(B + 6) * first;
        s8 += B[8] * s[2];
    }
    b[0] += s01[0] + s01[1] + s23[0];
    b[1] += s23[1] + s45[0] + s45[1];
    b[2] += s67[0] + s67[1] + s8;
}

#endif
