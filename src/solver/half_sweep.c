/* Sweeps with half of W: see half_sweep.h. */
#include "solver/half_sweep.h"

#include <math.h>
#include <string.h>

#include "core/wide.h"

/* What W~ may differ from W by, relative to the block; sizes of entries that floats hold with all digits. */
static const double ALIKE = 1e-6, LARGEST = 1e30, LEAST = 1e-30;

/* What a sweep needs of a contact whose block is that of spheres; ROUGH in place of inv_s: see block3. */
struct half_contact {
    double inv_nn, inv_s, mu, weight;
};
#define ROUGH (-1.0)

/* from any place */
typedef double four __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)), may_alias));

static double size_of(const double *B)
{
    double sum = 0;
    for (size_t i = 0; i < 9; i++)
        sum += fabs(B[i]);
    return sum;
}

// |A - B'|, entries added up
static double unlike(const double *A, const double *B)
{
    double sum = 0;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            sum += fabs(A[3 * i + j] - B[3 * j + i]);
    return sum;
}

// whether single precision holds the block
static bool holds(const double *B)
{
    const double size = size_of(B);
    return size == 0 || (size < LARGEST && size > LEAST);
}

// rows of the half; below: [contacts] for each row the next of its blocks left of the diagonal
static bool copy_half(const mo_problem *p, size_t *below, half_sweep *h)
{
    size_t count = 0;
    memcpy(below, p->start, p->contacts * sizeof *below);
    for (size_t c = 0; c < p->contacts; c++) {
        size_t k = below[c];
        h->start[c] = count;
        if (k < p->start[c + 1] && p->column[k] == c)
            k++;
        for (; k < p->start[c + 1]; k++, count++) {
            const uint32_t d = p->column[k];
            const double *B = p->W + 9 * k, *T = p->W + 9 * below[d];
            // a block left of the diagonal without its transpose, or the other way round
            if (d < c || below[d] == p->start[d + 1] || p->column[below[d]] != c)
                return false;
            if (!(unlike(B, T) <= ALIKE * size_of(B)) || !holds(B))
                return false;
            below[d]++;
            h->column[count] = d;
            for (size_t i = 0; i < 9; i++)
                h->block[9 * count + i] = (float)B[i];
        }
    }
    h->start[p->contacts] = count;
    h->block[9 * count] = 0;
    return true;
}

static bool copy_contacts(const mo_problem *p, const size_t *diagonal, const double *rho, half_sweep *h)
{
    for (size_t c = 0; c < p->contacts; c++) {
        const contact3 *of = &h->block3[c];
        double apart = 0;
        if (diagonal[c] == p->start[p->contacts])
            return false;
        const double *W = p->W + 9 * diagonal[c];
        for (size_t i = 0; i < 9; i++)
            apart += fabs(W[i] - of->H[i]);
        if (!(apart <= ALIKE * size_of(W)))
            return false;
        h->own[c] = (half_contact){of->inv_nn, of->axisymmetric ? of->inv_s : ROUGH, of->mu, 1 / rho[c]};
    }
    return true;
}

half_answer half_sweep_make(const mo_problem *p, const size_t *diagonal, const contact3 *block3,
                            const double *rho, arena *memory, half_sweep *out)
{
    const size_t contacts = p->contacts, most = p->start[contacts] / 2;
    *out = (half_sweep){.contacts = contacts, .block3 = block3};
    out->own = arena_push(memory, contacts, sizeof *out->own);
    out->load = arena_push(memory, contacts, 4 * sizeof *out->load);
    out->ahead = arena_push(memory, contacts, 4 * sizeof *out->ahead);
    out->start = arena_push(memory, contacts + 1, sizeof *out->start);
    out->column = arena_push(memory, most, sizeof *out->column);
    out->block = arena_push(memory, 9 * most + 1, sizeof *out->block);
    if (out->own == NULL || out->load == NULL || out->ahead == NULL || out->start == NULL ||
        out->column == NULL || out->block == NULL)
        return HALF_NO_MEMORY;
    // ahead is not in use yet
    return copy_contacts(p, diagonal, rho, out) && copy_half(p, (size_t *)(void *)out->ahead, out)
               ? HALF_MADE
               : HALF_UNFIT;
}

/* four numbers from B on; as a list and not as a vector of floats, which not every compiler widens at once */
#define ROW(B) ((four){(B)[0], (B)[1], (B)[2], (B)[3]})

// b += what the contacts to come have to do with contact c
static inline __attribute__((always_inline)) void gather(const half_sweep *h, size_t c, const double *r,
                                                         double *b)
{
    four s0 = {0}, s1 = {0}, s2 = {0};
    for (size_t k = h->start[c]; k < h->start[c + 1]; k++) {
        const float *B = h->block + 9 * k;
        const four x = *(const four *)(r + 3 * (size_t)h->column[k]);
        s0 += ROW(B) * x;
        s1 += ROW(B + 3) * x;
        s2 += ROW(B + 6) * x;
    }
    b[0] += (s0[0] + s0[1]) + s0[2];
    b[1] += (s1[0] + s1[1]) + s1[2];
    b[2] += (s2[0] + s2[1]) + s2[2];
}

// hands what r_c = x does to the contacts to come on to them
static inline __attribute__((always_inline)) void hand_on(const half_sweep *h, size_t c, const double *x)
{
    const four x0 = {x[0], x[0], x[0], x[0]}, x1 = {x[1], x[1], x[1], x[1]}, x2 = {x[2], x[2], x[2], x[2]};
    for (size_t k = h->start[c]; k < h->start[c + 1]; k++) {
        const float *B = h->block + 9 * k;
        *(four *)(h->ahead + 4 * (size_t)h->column[k]) += ROW(B) * x0 + (ROW(B + 3) * x1 + ROW(B + 6) * x2);
    }
}

WIDE void half_sweep_load(half_sweep *h, const double *r, const double *u)
{
    memset(h->ahead, 0, 4 * h->contacts * sizeof *h->ahead);
    for (size_t c = 0; c < h->contacts; c++) {
        const double *H = h->block3[c].H, *x = r + 3 * c;
        double b[3], *load = h->load + 4 * c;
        for (size_t i = 0; i < 3; i++)
            b[i] = h->ahead[4 * c + i] + (H[3 * i] * x[0] + H[3 * i + 1] * x[1] + H[3 * i + 2] * x[2]);
        gather(h, c, r, b);
        hand_on(h, c, x);
        for (size_t i = 0; i < 3; i++)
            load[i] = u[3 * c + i] - b[i];
        load[3] = 0;
        memcpy(h->ahead + 4 * c, load, 4 * sizeof *load);
    }
}

// contact3_solve
static inline __attribute__((always_inline)) void solve(const half_sweep *h, size_t c, const double *b,
                                                        double *r)
{
    const half_contact *own = &h->own[c];
    if (!(b[0] < 0))
        r[0] = r[1] = r[2] = 0;
    else if (own->inv_s == ROUGH)
        contact3_closed(&h->block3[c], -b[0], b + 1, &(double){0}, r);
    else
        contact3_solve_round(own->inv_nn, own->inv_s, own->mu, b, r);
}

WIDE half_travel half_sweep_run(half_sweep *h, double *r)
{
    half_travel t = {0, 0};
    for (size_t c = 0; c < h->contacts; c++) {
        double *own = r + 3 * c, *ahead = h->ahead + 4 * c, b[3] = {ahead[0], ahead[1], ahead[2]}, new[3];
        gather(h, c, r, b);
        // ready for the next sweep
        memcpy(ahead, h->load + 4 * c, 4 * sizeof *ahead);
        solve(h, c, b, new);
        const double weight = h->own[c].weight;
        const double d0 = new[0] - own[0], d1 = new[1] - own[1], d2 = new[2] - own[2];
        t.change += weight * (d0 * d0 + d1 * d1 + d2 * d2);
        t.size += weight * (new[0] * new[0] + new[1] * new[1] + new[2] * new[2]);
        memcpy(own, new, sizeof new);
        if (new[0] > 0)
            hand_on(h, c, new);
    }
    return t;
}
