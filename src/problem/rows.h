/*
 * Rows of G of one contact and one of its bodies as a small dense matrix, in 2D and 3D: for code that forms
 * matrices.  Sweeps use problem/apply.h.
 */
#ifndef PROBLEM_ROWS_H
#define PROBLEM_ROWS_H

#include <string.h>

#include "math/vec3.h"
#include "problem/round.h"

/* [dim][3 in 2D, 6 in 3D] */
typedef struct body_rows {
    double row[3][6];
} body_rows;

static inline const uint32_t *row_bodies(const step_problem *p, size_t i)
{
    return p->round != NULL ? p->round[i].body : p->dim == 2 ? p->contact[i].body : p->row3[i].body;
}

/* shift of contact i: dim numbers */
static inline void row_shift(const step_problem *p, size_t i, double *out)
{
    const size_t dim = (size_t)p->dim;
    if (p->round == NULL) {
        memcpy(out, dim == 2 ? p->contact[i].shift : p->row3[i].shift, dim * sizeof *out);
        return;
    }
    out[0] = p->round[i].shift;
    for (size_t k = 1; k < dim; k++)
        out[k] = p->slip != NULL ? p->slip[(dim - 1) * i + k - 1] : 0;
}

/* Another shift of contact i: dim numbers. Where U_T of round bodies has none, there is room for that of U_N
 * alone. */
static inline void set_row_shift(const step_problem *p, size_t i, const double *shift)
{
    const size_t dim = (size_t)p->dim;
    if (p->round == NULL) {
        memcpy(dim == 2 ? p->contact[i].shift : p->row3[i].shift, shift, dim * sizeof *shift);
        return;
    }
    p->round[i].shift = shift[0];
    if (p->slip != NULL)
        memcpy(&p->slip[(dim - 1) * i], shift + 1, (dim - 1) * sizeof *shift);
}

/* Another shift of U_N for contact i, and none of U_T. */
static inline void set_normal_shift(const step_problem *p, size_t i, double shift)
{
    const double all[3] = {shift, 0, 0};
    set_row_shift(p, i, all);
}

/* Impulse of a row in its own axes, and its friction. */
static inline const double *row_impulse(const step_problem *p, size_t row)
{
    return &p->S[(size_t)p->dim * row];
}

static inline double row_mu(const step_problem *p, size_t row)
{
    return p->round != NULL ? p->round[row].mu : p->mu[row];
}

static inline void rows2_of(const contact2 *c, int side, body_rows *G)
{
    double sign = side == 0 ? 1 : -1;
    *G = (body_rows){{{sign * c->n[0], sign * c->n[1], sign * c->arm[2 * side]},
                      {-sign * c->n[1], sign * c->n[0], sign * c->arm[2 * side + 1]}}};
}

static inline void rows3_of(const contact_row3 *c, int side, body_rows *G)
{
    const double *r = side == 0 ? c->r1 : c->r2, sign = side == 0 ? 1 : -1;
    double s[3];
    vec3_cross(c->n, c->t, s);
    vec3_scale(c->ratio, s, s);
    const double *axis[3] = {c->n, c->t, s};
    for (int k = 0; k < 3; k++) {
        vec3_cross(r, axis[k], &G->row[k][3]);
        for (int i = 0; i < 3; i++) {
            G->row[k][i] = sign * axis[k][i];
            G->row[k][3 + i] *= sign;
        }
    }
}

/* G of contact i for body[side]. */
static inline void rows_of(const step_problem *p, size_t i, int side, body_rows *G)
{
    if (p->round != NULL)
        round_rows(p->dim, &p->round[i], side, G->row);
    else if (p->dim == 2)
        rows2_of(&p->contact[i], side, G);
    else
        rows3_of(&p->row3[i], side, G);
}

/* out := I x for a symmetric I = (xx, xy, xz, yy, yz, zz). */
static inline void symmetric3_times(const double I[6], const double x[3], double out[3])
{
    vec3_set(out, I[0] * x[0] + I[1] * x[1] + I[2] * x[2], I[1] * x[0] + I[3] * x[1] + I[4] * x[2],
             I[2] * x[0] + I[4] * x[1] + I[5] * x[2]);
}

/* Velocity of a body: three numbers in 2D, six in 3D. */
static inline double *body_velocity(const step_problem *p, uint32_t body)
{
    return p->dim == 2 ? p->velocity[body].u : p->ball != NULL ? p->ball[body].u : p->velocity3[body].u;
}

/* out := g A⁻¹ of one body, for one row g of three or six numbers. */
static inline void row_times_inverse(const step_problem *p, uint32_t body, const double *g, double *out)
{
    if (p->ball != NULL) {
        for (int k = 0; k < 6; k++)
            out[k] = g[k] * (k < 3 ? p->ball[body].inv_m : p->ball[body].inv_I);
        return;
    }
    const double *inv = p->dim == 2 ? p->velocity[body].inv : p->velocity3[body].inv_m;
    for (int k = 0; k < 3; k++)
        out[k] = g[k] * inv[k];
    if (p->dim == 3)
        symmetric3_times(p->velocity3[body].inv_I, g + 3, out + 3);
}

/* G A⁻¹ of one body. */
static inline void rows_times_inverse(const step_problem *p, uint32_t body, const body_rows *G,
                                      body_rows *out)
{
    for (int r = 0; r < p->dim; r++)
        row_times_inverse(p, body, G->row[r], out->row[r]);
}

#endif
