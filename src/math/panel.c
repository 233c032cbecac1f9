#include "math/panel.h"

#include "core/wide.h"

/* of a vector; the columns of a tile, two vectors each, stay in registers while terms are added */
enum { NUMBERS = 4 };

/* from any place */
typedef double vector __attribute__((vector_size(NUMBERS * sizeof(double)), aligned(sizeof(double))));

static inline __attribute__((always_inline)) vector *vector_at(const double *x)
{
    return (vector *)(void *)(double *)x;
}

// PANEL_ROWS rows
static inline __attribute__((always_inline)) void tile(size_t count, size_t stride, const double *x,
                                                       const panel_factor *t, double *y, size_t y_stride)
{
    vector a0 = {0}, a1 = {0}, b0 = {0}, b1 = {0}, c0 = {0}, c1 = {0}, d0 = {0}, d1 = {0};
    const double *tk = t->at;
    const size_t across = t->across;
    for (size_t k = 0; k < count; k++, x += stride, tk += t->stride) {
        const vector low = *vector_at(x), high = *vector_at(x + NUMBERS);
        a0 += low * tk[0], a1 += high * tk[0];
        b0 += low * tk[across], b1 += high * tk[across];
        c0 += low * tk[2 * across], c1 += high * tk[2 * across];
        d0 += low * tk[3 * across], d1 += high * tk[3 * across];
    }
    *vector_at(y) = a0, *vector_at(y + NUMBERS) = a1;
    *vector_at(y + y_stride) = b0, *vector_at(y + y_stride + NUMBERS) = b1;
    *vector_at(y + 2 * y_stride) = c0, *vector_at(y + 2 * y_stride + NUMBERS) = c1;
    *vector_at(y + 3 * y_stride) = d0, *vector_at(y + 3 * y_stride + NUMBERS) = d1;
}

WIDE void panel_product(size_t n, size_t count, size_t stride, const double *x, const panel_factor *t,
                        double *y, size_t y_stride)
{
    for (size_t i = 0; i < n; i += PANEL_ROWS)
        tile(count, stride, x + i, t, y + i, y_stride);
}
