/* Dense columns of sparse factors: the loops in which they spend their time. */
#ifndef MATH_PANEL_H
#define MATH_PANEL_H

#include <stddef.h>

/* y -= sum over k of t[k t_stride] x_k, the vectors x_k [n] `stride` apart. */
static inline void panel_subtract(size_t n, size_t count, size_t stride, const double *restrict x,
                                  size_t t_stride, const double *restrict t, double *restrict y)
{
    size_t k = 0;
    for (; k + 4 <= count; k += 4, x += 4 * stride, t += 4 * t_stride) {
        const double *restrict x1 = x + stride, *restrict x2 = x1 + stride, *restrict x3 = x2 + stride;
        double t0 = t[0], t1 = t[t_stride], t2 = t[2 * t_stride], t3 = t[3 * t_stride];
        for (size_t i = 0; i < n; i++)
            y[i] -= (x[i] * t0 + x1[i] * t1) + (x2[i] * t2 + x3[i] * t3);
    }
    // what is left, term after term, in one pass
    if (count - k == 1)
        for (size_t i = 0; i < n; i++)
            y[i] -= x[i] * t[0];
    if (count - k == 2) {
        const double *restrict x1 = x + stride;
        const double t0 = t[0], t1 = t[t_stride];
        for (size_t i = 0; i < n; i++)
            y[i] = y[i] - x[i] * t0 - x1[i] * t1;
    }
    if (count - k == 3) {
        const double *restrict x1 = x + stride, *restrict x2 = x1 + stride;
        const double t0 = t[0], t1 = t[t_stride], t2 = t[2 * t_stride];
        for (size_t i = 0; i < n; i++)
            y[i] = y[i] - x[i] * t0 - x1[i] * t1 - x2[i] * t2;
    }
}

/* Columns that are done together, and rows. */
enum { PANEL_COLUMNS = 4, PANEL_ROWS = 8 };

/* Numbers t(k, j) = at[k stride + j across]. */
typedef struct panel_factor {
    const double *at;
    size_t stride, across;
} panel_factor;

/*
 * y_j := sum over k of t(k, j) x_k for PANEL_COLUMNS columns j, the vectors x_k [n] `stride` apart, the
 * y_j `y_stride`.  Terms are added in the order of k.  Rows are done by PANEL_ROWS: what comes behind the
 * last one is read and written up to a multiple of it.
 */
void panel_product(size_t n, size_t count, size_t stride, const double *x, const panel_factor *t, double *y,
                   size_t y_stride);

#endif
