/* Linear systems with the pattern of W: see local_linear.h. */
#include "solver/local_linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/fail.h"
#include "math/vec.h"

/* what is left of the right-hand side when nothing is mended: far more digits than a step gains */
static const double CLEAN = 1e-10;

/* what is left of it when factors over bodies have lost too many digits; steps of refinement more for them */
static const double LOST = 1e-6;
enum { MORE_MENDING = 2 };

void local_linear_free(local_work *w)
{
    if (w->linear == NULL)
        return;
    sparse_lu_free(&w->linear->lu);
    local_root_free(&w->linear->root);
    arena_free(&w->linear->memory);
    free(w->linear);
    w->linear = NULL;
}

/* Pattern of W + W^T by rows of contacts. */
typedef struct pattern {
    size_t *start;   /* [contacts + 1] */
    uint32_t *index; /* [start[contacts]] */
} pattern;

// rows of W^T: where each begins, and its columns in rising order
static void transpose(const mo_problem *p, size_t *start, uint32_t *index)
{
    memset(start, 0, (p->contacts + 1) * sizeof *start);
    for (size_t k = 0; k < p->start[p->contacts]; k++)
        start[p->column[k] + 1]++;
    for (size_t c = 0; c < p->contacts; c++)
        start[c + 1] += start[c];
    for (size_t c = 0; c < p->contacts; c++)
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++)
            index[start[p->column[k]]++] = (uint32_t)c;
    for (size_t c = p->contacts; c > 0; c--)
        start[c] = start[c - 1];
    start[0] = 0;
}

// merges rows of W and of W^T; contacts without blocks are in the pattern by their diagonal anyway
static bool symmetric_pattern(const mo_problem *p, arena *memory, pattern *out)
{
    size_t blocks = p->start[p->contacts], length = 0;
    size_t *start = arena_push(memory, p->contacts + 1, sizeof *start);
    uint32_t *index = arena_push(memory, blocks, sizeof *index);
    out->start = arena_push(memory, p->contacts + 1, sizeof *out->start);
    out->index = arena_push(memory, 2 * blocks, sizeof *out->index);
    if (start == NULL || index == NULL || out->start == NULL || out->index == NULL)
        return false;
    transpose(p, start, index);
    for (size_t c = 0; c < p->contacts; c++) {
        size_t i = p->start[c], j = start[c];
        out->start[c] = length;
        while (i < p->start[c + 1] || j < start[c + 1]) {
            uint32_t a = i < p->start[c + 1] ? p->column[i] : UINT32_MAX;
            uint32_t b = j < start[c + 1] ? index[j] : UINT32_MAX;
            out->index[length++] = a < b ? a : b;
            i += a <= b;
            j += b <= a;
        }
    }
    out->start[p->contacts] = length;
    return true;
}

static bool reserve(const mo_problem *p, local_linear *t)
{
    arena *memory = &t->memory;
    size_t blocks = p->start[p->contacts], square = (size_t)(p->dim * p->dim),
           n = (size_t)p->dim * p->contacts;
    t->d = arena_push(memory, p->contacts, sizeof *t->d);
    t->scaled = *p;
    t->scaled.W = arena_push(memory, blocks * square, sizeof *t->scaled.W);
    t->scaled.q = arena_push(memory, n, sizeof *t->scaled.q);
    t->zero = arena_push_zero(memory, n, sizeof *t->zero);
    t->A = arena_push_zero(memory, p->contacts * square, sizeof *t->A);
    t->B = arena_push_zero(memory, p->contacts * square, sizeof *t->B);
    t->rest = arena_push(memory, n, sizeof *t->rest);
    t->Wx = arena_push(memory, n, sizeof *t->Wx);
    t->newton = arena_push(memory, NEWTON_ARRAYS * n, sizeof *t->newton);
    return t->d != NULL && t->scaled.W != NULL && t->scaled.q != NULL && t->zero != NULL && t->A != NULL &&
           t->B != NULL && t->rest != NULL && t->Wx != NULL && t->newton != NULL;
}

static void scale(const local_work *w, local_linear *t)
{
    const mo_problem *p = w->p;
    size_t dim = (size_t)p->dim, square = dim * dim;
    for (size_t c = 0; c < p->contacts; c++)
        t->d[c] = sqrt(w->rho[c]);
    for (size_t c = 0; c < p->contacts; c++) {
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++)
            for (size_t i = 0; i < square; i++)
                t->scaled.W[square * k + i] = t->d[c] * p->W[square * k + i] * t->d[p->column[k]];
        for (size_t i = 0; i < dim; i++)
            t->scaled.q[dim * c + i] = t->d[c] * p->q[dim * c + i];
    }
}

static void find_slots(const local_work *w, local_linear *t)
{
    const mo_problem *p = w->p;
    for (size_t c = 0; c < p->contacts; c++) {
        t->own[c] = sparse_lu_find(&t->lu, (uint32_t)c, (uint32_t)c);
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++)
            t->slot[k] = sparse_lu_find(&t->lu, (uint32_t)c, p->column[k]);
    }
}

bool local_linear_stop(const void *work)
{
    return local_late(work);
}

static void let_stop(const local_work *w, sparse_lu *lu)
{
    lu->pattern.stop = w->stop != NULL || w->until > 0 ? local_linear_stop : NULL;
    lu->pattern.stop_data = w;
}

// pattern, order and places of factors over contacts
static bool prepare_contacts(const local_work *w, local_linear *t)
{
    const mo_problem *p = w->p;
    pattern graph;
    if (t->slot != NULL)
        return true;
    t->slot = arena_push(&t->memory, p->start[p->contacts], sizeof *t->slot);
    t->own = arena_push(&t->memory, p->contacts, sizeof *t->own);
    if (t->slot == NULL || t->own == NULL || !symmetric_pattern(p, &t->memory, &graph) ||
        !sparse_lu_analyse(&t->lu, (uint32_t)p->contacts, (uint32_t)p->dim, graph.start, graph.index)) {
        t->slot = NULL;
        return false;
    }
    find_slots(w, t);
    let_stop(w, &t->lu);
    return true;
}

// factors over bodies, or else over contacts
static bool prepare_factors(const local_work *w, local_linear *t)
{
    if (w->root == NULL)
        return prepare_contacts(w, t);
    if (!local_root_prepare(&t->root, w->root, t->d, &t->memory))
        return false;
    let_stop(w, &t->root.lu);
    return true;
}

mo_status local_linear_prepare(local_work *w, mo_error *err)
{
    if (w->linear != NULL)
        return MO_OK;
    const mo_problem *p = w->p;
    local_linear *t = w->linear = calloc(1, sizeof *t);
    bool ok = t != NULL && reserve(p, t);
    if (ok) {
        scale(w, t);
        ok = prepare_factors(w, t);
    }
    if (ok)
        return MO_OK;
    local_linear_free(w);
    return fail(err, MO_NO_MEMORY, NULL, "no memory for the factors of %zu contacts", p->contacts);
}

double local_linear_fill(local_work *w)
{
    mo_error unused;
    if (w->root != NULL)
        return local_linear_prepare(w, &unused) == MO_OK ? local_root_fill(&w->linear->root) : HUGE_VAL;
    arena memory = {0};
    sparse_cholesky factors = {0};
    pattern graph;
    const size_t contacts = w->p->contacts;
    double fill = HUGE_VAL;
    if (symmetric_pattern(w->p, &memory, &graph) &&
        sparse_cholesky_analyse(&factors, (uint32_t)contacts, graph.start, graph.index))
        fill = (double)factors.values_at[factors.panels] / (double)contacts;
    sparse_cholesky_free(&factors);
    arena_free(&memory);
    return fill;
}

double local_linear_dearness(local_work *w)
{
    const double contacts = (double)w->p->contacts, fill = local_linear_fill(w);
    const double blocks = (double)w->p->start[w->p->contacts];
    if (w->root == NULL)
        return fill * fill * contacts / blocks;
    const double rows = (double)w->root->freedoms / w->p->dim;
    return fill * fill * (double)w->root->bodies * rows * rows * rows / blocks;
}

// out := B T; plain: B is diagonal
static inline void multiply_blocks(size_t dim, bool plain, const double *restrict B, const double *restrict T,
                                   double *restrict out)
{
    for (size_t i = 0; i < dim; i++)
        for (size_t j = 0; j < dim; j++) {
            double product = B[dim * i + i] * T[dim * i + j];
            for (size_t k = 0; !plain && k < dim; k++)
                product += k == i ? 0 : B[dim * i + k] * T[dim * k + j];
            out[dim * i + j] = product;
        }
}

// adds a block at a slot; a column of it where columns are side by side, so that they stay vectors
static inline void add_block(local_linear *t, size_t dim, sparse_lu_slot slot, const double *restrict sum)
{
    double *restrict out = (slot.upper ? t->lu.U : t->lu.L) + slot.at;
    if (slot.upper)
        for (size_t i = 0; i < dim; i++)
            for (size_t j = 0; j < dim; j++)
                out[i * slot.row + j] += sum[dim * i + j];
    else
        for (size_t j = 0; j < dim; j++)
            for (size_t i = 0; i < dim; i++)
                out[i + j * slot.column] += sum[dim * i + j];
}

// whether a block is diagonal, as that of a contact that sticks is
static inline bool is_diagonal(size_t dim, const double *B)
{
    bool diagonal = true;
    for (size_t i = 0; i < dim * dim; i++)
        diagonal &= i % (dim + 1) == 0 || B[i] == 0;
    return diagonal;
}

// adds the rows of contact c to the matrix that is to be factored
static inline void add_rows(local_linear *t, const mo_problem *p, size_t dim, size_t c)
{
    const size_t square = dim * dim;
    const double *A = t->A + square * c, *B = t->B + square * c;
    double *out = t->lu.L + t->own[c].at;
    for (size_t i = 0; i < dim; i++)
        for (size_t j = 0; j < dim; j++)
            out[i * t->own[c].row + j * t->own[c].column] += A[dim * i + j] + t->alpha * B[dim * i + j];
    // an open contact has nothing to do with others
    if (vec_all_zero(square, B))
        return;
    const bool plain = is_diagonal(dim, B);
    for (size_t k = p->start[c]; k < p->start[c + 1]; k++) {
        double product[9];
        if (plain)
            multiply_blocks(dim, true, B, t->scaled.W + square * k, product);
        else
            multiply_blocks(dim, false, B, t->scaled.W + square * k, product);
        add_block(t, dim, t->slot[k], product);
    }
}

static bool factor_contacts(const local_work *w, local_linear *t)
{
    if (local_late(w) || !prepare_contacts(w, t) || !sparse_lu_clear(&t->lu))
        return false;
    for (size_t c = 0; c < w->p->contacts; c++)
        if (w->p->dim == 2)
            add_rows(t, w->p, 2, c);
        else
            add_rows(t, w->p, 3, c);
    return sparse_lu_factor(&t->lu, TINY_PIVOT) != SIZE_MAX;
}

bool local_linear_factor(local_work *w, double alpha)
{
    local_linear *t = w->linear;
    t->alpha = alpha;
    t->over_bodies = w->root != NULL && local_root_factor(&t->root, t->A, t->B, alpha);
    return t->over_bodies || factor_contacts(w, t);
}

void local_linear_unscale(const local_work *w, const double *x, double *r)
{
    const size_t dim = (size_t)w->p->dim;
    for (size_t c = 0; c < w->p->contacts; c++)
        for (size_t i = dim * c; i < dim * c + dim; i++)
            r[i] = w->linear->d[c] * x[i];
}

void local_linear_scale(const local_work *w, const double *r, double *x)
{
    const size_t dim = (size_t)w->p->dim;
    for (size_t c = 0; c < w->p->contacts; c++)
        for (size_t i = dim * c; i < dim * c + dim; i++)
            x[i] = r[i] / w->linear->d[c];
}

// y := Ws x + q
static void multiply(const local_work *w, const double *x, double *q, double *y)
{
    local_linear *t = w->linear;
    if (w->root != NULL) {
        local_root_product(&t->root, x, y);
        vec_add(w->n, 1, q, y);
        return;
    }
    mo_problem p = t->scaled;
    p.q = q;
    local_velocity(&p, x, y);
}

void local_linear_product(const local_work *w, const double *x, double *y)
{
    multiply(w, x, w->linear->zero, y);
}

void local_linear_velocity(const local_work *w, const double *x, double *y)
{
    multiply(w, x, w->linear->scaled.q, y);
}

// rest := b - A x - B y of contact c
static inline void remainder_at(local_linear *t, size_t dim, size_t c, const double *b, const double *x,
                                const double *y)
{
    const double *A = t->A + dim * dim * c, *B = t->B + dim * dim * c;
    for (size_t i = 0; i < dim; i++) {
        double rest = b[dim * c + i];
        for (size_t j = 0; j < dim; j++)
            rest -= A[dim * i + j] * x[dim * c + j] + B[dim * i + j] * y[dim * c + j];
        t->rest[dim * c + i] = rest;
    }
}

// rest := b - (A + B (Ws + alpha I)) x; returns its size
static double remainder_of(local_work *w, const double *b, const double *x)
{
    local_linear *t = w->linear;
    local_linear_product(w, x, t->Wx);
    vec_add(w->n, t->alpha, x, t->Wx);
    for (size_t c = 0; w->p->dim == 2 && c < w->p->contacts; c++)
        remainder_at(t, 2, c, b, x, t->Wx);
    for (size_t c = 0; w->p->dim == 3 && c < w->p->contacts; c++)
        remainder_at(t, 3, c, b, x, t->Wx);
    return sqrt(vec_dot(w->n, t->rest, t->rest));
}

static void solve_once(local_linear *t, size_t n, const double *b, double *x)
{
    if (t->over_bodies) {
        local_root_solve(&t->root, b, x);
        return;
    }
    memcpy(x, b, n * sizeof *x);
    sparse_lu_solve(&t->lu, x);
}

// x with at most `mend` steps of iterative refinement; false: at the last look more than LOST of b was left
static bool solve_and_mend(local_work *w, const double *b, int mend, double *x)
{
    local_linear *t = w->linear;
    const double size = sqrt(vec_dot(w->n, b, b));
    double last = HUGE_VAL;
    solve_once(t, w->n, b, x);
    for (int k = 0; k < mend; k++) {
        double rest = remainder_of(w, b, x);
        if (!(rest < 0.5 * last) || rest <= CLEAN * size)
            return rest <= LOST * size;
        last = rest;
        solve_once(t, w->n, t->rest, t->Wx);
        for (size_t i = 0; i < w->n; i++)
            x[i] += t->Wx[i];
    }
    return last <= LOST * size;
}

void local_linear_solve(local_work *w, const double *b, int mend, double *x)
{
    local_linear *t = w->linear;
    // where none can be made over contacts, for lack of time or memory, those over bodies are what there is
    if (t->over_bodies && !solve_and_mend(w, b, mend + MORE_MENDING, x) && !t->rough)
        t->over_bodies = !factor_contacts(w, t);
    if (!t->over_bodies)
        solve_and_mend(w, b, mend, x);
}
