/*
 * A periodic cell (docs/theory/periodic.md): what stands at x stands at x + H k too, for all whole k along
 * the axes that are periodic.
 *
 * Symbols: H edges of the cell, H_ij by rows, so that edge j is column j; along an axis that is not periodic
 * the edge is the unit vector and k is 0.  Width k: the distance between the two faces that edge k joins.
 */
#ifndef COLLIDE_PERIODIC_H
#define COLLIDE_PERIODIC_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct periodic_cell {
    size_t dim;
    bool along[3];
    double origin[3];  /* m, a corner */
    double H[9];       /* m; in 2D the third edge is the unit vector */
    double inverse[9]; /* of H, 1/m */
    double width[3];   /* m */
} periodic_cell;

/* Takes H over with what follows from it.  false: its volume is not positive. */
bool cell_set(periodic_cell *c, const double H[9]);
/* Area or volume of the cell: product of the periodic edges, m^dim where all are. */
double cell_volume(const periodic_cell *c);
/* The least width along an axis that is periodic, m. */
double cell_least_width(const periodic_cell *c);

/* out := A x, by rows. */
static inline void cell_apply(const double A[9], const double *x, size_t dim, double *out)
{
    double y[3] = {0, 0, 0};
    for (size_t i = 0; i < dim; i++)
        for (size_t j = 0; j < dim; j++)
            y[i] += A[3 * i + j] * x[j];
    for (size_t i = 0; i < dim; i++)
        out[i] = y[i];
}

/* s := H k, for which d - s is the image of d nearest to 0, if one is within half the widths. */
static inline void cell_nearest(const periodic_cell *c, const double *d, double *s)
{
    double k[3];
    cell_apply(c->inverse, d, c->dim, k);
    for (size_t i = 0; i < c->dim; i++)
        k[i] = c->along[i] ? floor(k[i] + 0.5) : 0;
    cell_apply(c->H, k, c->dim, s);
}

/* s := H k, for which x - s is in the cell; whether s is not 0. */
static inline bool cell_inside(const periodic_cell *c, const double *x, double *s)
{
    double k[3], d[3];
    bool out = false;
    for (size_t i = 0; i < c->dim; i++)
        d[i] = x[i] - c->origin[i];
    cell_apply(c->inverse, d, c->dim, k);
    for (size_t i = 0; i < c->dim; i++) {
        k[i] = c->along[i] ? floor(k[i]) : 0;
        out |= k[i] != 0;
    }
    cell_apply(c->H, k, c->dim, s);
    return out;
}

#endif
