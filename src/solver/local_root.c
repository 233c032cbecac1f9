/* Linear systems over bodies: see local_root.h. */
#include "solver/local_root.h"

#include <math.h>
#include <string.h>

#include "core/wide.h"
#include "math/vec.h"
#include "solver/local.h"

void local_root_free(local_root *r)
{
    sparse_lu_free(&r->lu);
}

/* ---- pattern ----------------------------------------------------------------------------------------- */

// which bodies share a contact, by rows; repeated as often as they do
static void list_neighbours(const delassus_root *of, size_t *start, uint32_t *index)
{
    memset(start, 0, (of->bodies + 1) * sizeof *start);
    for (size_t c = 0; c < of->contacts; c++)
        for (int side = 0; side < 2 && of->body[c][1] != ROOT_NO_BODY; side++)
            start[of->body[c][side] + 1]++;
    for (size_t b = 0; b < of->bodies; b++)
        start[b + 1] += start[b];
    for (size_t c = 0; c < of->contacts; c++)
        for (int side = 0; side < 2 && of->body[c][1] != ROOT_NO_BODY; side++)
            index[start[of->body[c][side]]++] = of->body[c][1 - side];
    memmove(start + 1, start, of->bodies * sizeof *start);
    start[0] = 0;
}

// each neighbour once; rows move to the front
static void without_repetition(size_t bodies, size_t *start, uint32_t *index, uint32_t *last)
{
    size_t length = 0;
    memset(last, 0xff, bodies * sizeof *last);
    for (size_t b = 0; b < bodies; b++) {
        const size_t from = start[b], to = start[b + 1];
        start[b] = length;
        for (size_t k = from; k < to; k++)
            if (last[index[k]] != b) {
                last[index[k]] = (uint32_t)b;
                index[length++] = index[k];
            }
    }
    start[bodies] = length;
}

static bool analyse(local_root *r, arena *memory)
{
    const delassus_root *of = r->of;
    arena_mark mark = arena_here(memory);
    size_t *start = arena_push(memory, of->bodies + 1, sizeof *start);
    uint32_t *index = arena_push(memory, 2 * of->contacts, sizeof *index);
    uint32_t *last = arena_push(memory, of->bodies, sizeof *last);
    if (start == NULL || index == NULL || last == NULL)
        return false;
    list_neighbours(of, start, index);
    without_repetition(of->bodies, start, index, last);
    const bool ok = sparse_lu_analyse(&r->lu, (uint32_t)of->bodies, (uint32_t)of->freedoms, start, index);
    arena_back(memory, mark);
    return ok;
}

bool local_root_prepare(local_root *r, const delassus_root *of, const double *d, arena *memory)
{
    const size_t dim = (size_t)of->dim, length = dim * (size_t)of->freedoms, square = dim * dim;
    r->of = of;
    r->slot = arena_push(memory, of->contacts, sizeof *r->slot);
    r->R = arena_push(memory, 2 * of->contacts, length * sizeof *r->R);
    r->Ci = arena_push(memory, of->contacts, square * sizeof *r->Ci);
    r->E = arena_push(memory, of->contacts, square * sizeof *r->E);
    r->v = arena_push(memory, of->bodies, (size_t)of->freedoms * sizeof *r->v);
    r->t = arena_push(memory, of->contacts, dim * sizeof *r->t);
    if (r->slot == NULL || r->R == NULL || r->Ci == NULL || r->E == NULL || r->v == NULL || r->t == NULL ||
        !analyse(r, memory))
        return false;
    for (size_t c = 0; c < of->contacts; c++) {
        for (size_t i = 0; i < 2 * length; i++)
            r->R[2 * length * c + i] = d[c] * of->R[2 * length * c + i];
        for (int k = 0; k < 4; k++) {
            const uint32_t row = of->body[c][k / 2], column = of->body[c][k % 2];
            if (row != ROOT_NO_BODY && column != ROOT_NO_BODY)
                r->slot[c][k] = sparse_lu_find(&r->lu, row, column);
        }
    }
    return true;
}

double local_root_fill(const local_root *r)
{
    const sparse_cholesky *blocks = &r->lu.pattern;
    return (double)blocks->values_at[blocks->panels] / (double)r->of->bodies;
}

/* ---- factors ----------------------------------------------------------------------------------------- */

// out := M X, M [dim][dim] and X [dim][columns]
static inline void multiply_block(size_t dim, size_t columns, const double *restrict M,
                                  const double *restrict X, double *restrict out)
{
    for (size_t i = 0; i < dim; i++)
        for (size_t j = 0; j < columns; j++) {
            double sum = 0;
            for (size_t k = 0; k < dim; k++)
                sum += M[dim * i + k] * X[columns * k + j];
            out[columns * i + j] = sum;
        }
}

// out := M^-1 by Cramer's rule; false: singular to rounding
static bool invert2(const double *M, double *out)
{
    const double p = M[0] * M[3], q = M[1] * M[2], det = p - q;
    if (!(fabs(det) > 1e-15 * (fabs(p) + fabs(q))) || !isfinite(det))
        return false;
    const double to = 1 / det;
    out[0] = M[3] * to;
    out[1] = -M[1] * to;
    out[2] = -M[2] * to;
    out[3] = M[0] * to;
    return true;
}

static bool invert3(const double *M, double *out)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            out[3 * i + j] = M[3 * a + c] * M[3 * b + d] - M[3 * a + d] * M[3 * b + c];
        }
    double det = 0, size = 0;
    for (int j = 0; j < 3; j++) {
        det += M[j] * out[3 * j];
        size += fabs(M[j] * out[3 * j]);
    }
    if (!(fabs(det) > 1e-15 * size) || !isfinite(det))
        return false;
    for (int i = 0; i < 9; i++)
        out[i] /= det;
    return true;
}

// C^-1 and C^-1 B of a contact
static inline bool prepare_contact(size_t dim, const double *A, const double *B, double alpha, double *Ci,
                                   double *E)
{
    double C[9];
    for (size_t i = 0; i < dim * dim; i++)
        C[i] = A[i] + alpha * B[i];
    if (!(dim == 2 ? invert2(C, Ci) : invert3(C, Ci)))
        return false;
    multiply_block(dim, dim, Ci, B, E);
    return true;
}

// adds P* Q, P and Q [dim][freedoms], to columns that are `stride` apart
static inline void add_columns(size_t dim, size_t freedoms, const double *restrict P,
                               const double *restrict Q, size_t stride, double *restrict out)
{
    for (size_t j = 0; j < freedoms; j++)
        for (size_t i = 0; i < freedoms; i++) {
            double sum = 0;
            for (size_t k = 0; k < dim; k++)
                sum += P[freedoms * k + i] * Q[freedoms * k + j];
            out[j * stride + i] += sum;
        }
}

// adds P* Q at a slot: by columns in L, by rows in U^T
static inline void add_product(sparse_lu *lu, sparse_lu_slot slot, size_t dim, size_t freedoms,
                               const double *P, const double *Q)
{
    if (slot.upper)
        add_columns(dim, freedoms, Q, P, slot.row, lu->U + slot.at);
    else
        add_columns(dim, freedoms, P, Q, slot.column, lu->L + slot.at);
}

// adds R* E R of contact c
static inline void add_contact(local_root *r, size_t dim, size_t freedoms, size_t c)
{
    const size_t length = dim * freedoms;
    const double *E = r->E + dim * dim * c;
    for (int t = 0; t < 2 && r->of->body[c][t] != ROOT_NO_BODY; t++) {
        const double *R = r->R + (2 * c + (size_t)t) * length;
        double ER[18];
        multiply_block(dim, freedoms, E, R, ER);
        for (int s = 0; s < 2 && r->of->body[c][s] != ROOT_NO_BODY; s++)
            add_product(&r->lu, r->slot[c][2 * s + t], dim, freedoms, r->R + (2 * c + (size_t)s) * length,
                        ER);
    }
}

static void add_unit(local_root *r)
{
    for (uint32_t b = 0; b < r->of->bodies; b++) {
        const sparse_lu_slot own = sparse_lu_find(&r->lu, b, b);
        for (size_t i = 0; i < (size_t)r->of->freedoms; i++)
            r->lu.L[own.at + i * (own.row + own.column)] += 1;
    }
}

// adds all contacts: false where some C has no inverse
static inline bool add_all(local_root *r, size_t dim, size_t freedoms, const double *A, const double *B,
                           double alpha)
{
    const size_t square = dim * dim;
    for (size_t c = 0; c < r->of->contacts; c++) {
        const size_t at = square * c;
        if (!prepare_contact(dim, A + at, B + at, alpha, r->Ci + at, r->E + at))
            return false;
        // an open contact has nothing to do with bodies
        if (!vec_all_zero(square, B + at))
            add_contact(r, dim, freedoms, c);
    }
    return true;
}

bool local_root_factor(local_root *r, const double *A, const double *B, double alpha)
{
    if (!sparse_lu_clear(&r->lu))
        return false;
    add_unit(r);
    if (!(r->of->dim == 2 ? add_all(r, 2, 3, A, B, alpha) : add_all(r, 3, 6, A, B, alpha)))
        return false;
    return sparse_lu_factor(&r->lu, TINY_PIVOT) != SIZE_MAX;
}

/* ---- solution ---------------------------------------------------------------------------------------- */

// v += R* t of contact c
static inline void push(local_root *r, size_t dim, size_t freedoms, size_t c, const double *restrict t)
{
    for (int s = 0; s < 2 && r->of->body[c][s] != ROOT_NO_BODY; s++) {
        const double *restrict R = r->R + (2 * c + (size_t)s) * dim * freedoms;
        double *restrict v = r->v + freedoms * r->of->body[c][s];
        for (size_t i = 0; i < freedoms; i++) {
            double sum = v[i];
            for (size_t k = 0; k < dim; k++)
                sum += R[freedoms * k + i] * t[k];
            v[i] = sum;
        }
    }
}

// out := R v of contact c
static inline void feel(const local_root *r, size_t dim, size_t freedoms, size_t c, double *restrict out)
{
    double sum[3][2] = {{0}};
    for (int s = 0; s < 2 && r->of->body[c][s] != ROOT_NO_BODY; s++) {
        const double *restrict R = r->R + (2 * c + (size_t)s) * dim * freedoms;
        const double *restrict v = r->v + freedoms * r->of->body[c][s];
        for (size_t k = 0; k < dim; k++)
            for (size_t i = 0; i < freedoms; i++)
                sum[k][i % 2] += R[freedoms * k + i] * v[i];
    }
    for (size_t k = 0; k < dim; k++)
        out[k] = sum[k][0] + sum[k][1];
}

static inline void multiply(local_root *r, size_t dim, size_t freedoms, const double *x, double *y)
{
    memset(r->v, 0, freedoms * r->of->bodies * sizeof *r->v);
    for (size_t c = 0; c < r->of->contacts; c++)
        push(r, dim, freedoms, c, x + dim * c);
    for (size_t c = 0; c < r->of->contacts; c++)
        feel(r, dim, freedoms, c, y + dim * c);
}

WIDE void local_root_product(local_root *r, const double *x, double *y)
{
    if (r->of->dim == 2)
        multiply(r, 2, 3, x, y);
    else
        multiply(r, 3, 6, x, y);
}

static inline void solve(local_root *r, size_t dim, size_t freedoms, const double *b, double *x)
{
    memset(r->v, 0, freedoms * r->of->bodies * sizeof *r->v);
    for (size_t c = 0; c < r->of->contacts; c++) {
        multiply_block(dim, 1, r->Ci + dim * dim * c, b + dim * c, r->t + dim * c);
        push(r, dim, freedoms, c, r->t + dim * c);
    }
    sparse_lu_solve(&r->lu, r->v);
    for (size_t c = 0; c < r->of->contacts; c++) {
        double felt[3], back[3];
        feel(r, dim, freedoms, c, felt);
        multiply_block(dim, 1, r->E + dim * dim * c, felt, back);
        for (size_t i = 0; i < dim; i++)
            x[dim * c + i] = r->t[dim * c + i] - back[i];
    }
}

WIDE void local_root_solve(local_root *r, const double *b, double *x)
{
    if (r->of->dim == 2)
        solve(r, 2, 3, b, x);
    else
        solve(r, 3, 6, b, x);
}
