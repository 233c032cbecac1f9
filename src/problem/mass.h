/*
 * The matrix M of a global problem: its independent parts, each factored on its own when it is needed.
 *
 * Parts are the connected components of M's pattern, so that a block-diagonal M (rigid bodies) costs no more
 * than its blocks.  A part is factored densely with row exchanges (M may be unsymmetric), a large symmetric
 * one by sparse Cholesky.
 */
#ifndef PROBLEM_MASS_H
#define PROBLEM_MASS_H

#include <moreau/problem.h>

#include "math/sparse_cholesky.h"

typedef struct mass_matrix {
    mo_problem A;     /* M by rows: dim is 1, columns rise, pattern symmetric */
    size_t parts;     /* numbered by their lowest row */
    size_t *first;    /* [parts + 1] into member */
    uint32_t *member; /* [n] rows of a part, rising */
    uint32_t *part;   /* [n] */
    uint32_t *place;  /* [n] where among its part's members */
    /* factors of one part */
    size_t size;
    bool sparse;
    double *lu;      /* [size size] by rows */
    uint32_t *pivot; /* [size] row exchanged with row k */
    size_t room;     /* sizes that lu and pivot have space for */
    sparse_cholesky cholesky;
} mass_matrix;

mo_status mass_create(const mo_sparse_matrix *M, mass_matrix *out, mo_error *err);
/* MO_BAD_INPUT, key "M", when the part is singular, or too large to be factored. */
mo_status mass_factor(mass_matrix *m, size_t part, mo_error *err);
/* x [size] := inverse of the part that was factored last, times x. */
void mass_solve(mass_matrix *m, double *x);
void mass_free(mass_matrix *m);

#endif
