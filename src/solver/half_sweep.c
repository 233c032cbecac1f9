/* Sweeps with half of W: see half_sweep.h. */
#include "solver/half_sweep.h"

#include <math.h>
#include <string.h>

#include "core/wide.h"

/* What W~ may differ from W by, relative to the block; sizes of entries whose products floats hold. */
static const double ALIKE = 1e-6, LARGEST = 1e15, LEAST = 1e-15;

/* What a sweep needs of a contact; inv_s: ROUGH where its block is not that of spheres, see block3. */
struct half_contact {
    double load[3], base[3]; /* u - H r of the base; r of the base */
    double inv_nn, inv_s, mu, weight;
};
#define ROUGH (-1.0)

/* The fourth numbers are nobody's. */
struct half_place {
    float d[4], ahead[4];
};

/* from any place */
typedef float four __attribute__((vector_size(4 * sizeof(float)), aligned(sizeof(float)), may_alias));

/* Blocks that a sweep looks ahead: about twelve contacts. */
enum { AHEAD = 80 };

// order: every other tile, then those between; rank: which place a contact has there
static void put_in_order(size_t contacts, uint32_t *rank, uint32_t *order)
{
    uint32_t at = 0;
    for (size_t tile = 0; tile < 2; tile++)
        for (size_t first = tile * HALF_TILE; first < contacts; first += (size_t)2 * HALF_TILE)
            for (size_t c = first; c < first + HALF_TILE && c < contacts; c++) {
                rank[c] = at;
                order[at++] = (uint32_t)c;
            }
}

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

// whether single precision holds the block and what it is multiplied by
static bool holds(const double *B)
{
    const double size = size_of(B);
    return size == 0 || (size < LARGEST && size > LEAST);
}

static uint32_t least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// where rows begin in the order, by the blocks right of the diagonal
static void count_rows(const mo_problem *p, const uint32_t *rank, size_t *start)
{
    memset(start, 0, (p->contacts + 1) * sizeof *start);
    for (size_t c = 0; c < p->contacts; c++)
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++)
            if (p->column[k] > c)
                start[least_of(rank[c], rank[p->column[k]]) + 1]++;
    for (size_t c = 0; c < p->contacts; c++)
        start[c + 1] += start[c];
}

// rows of the half; below: for each row of W the next of its blocks left of the diagonal; next: for each row
// in the order where its next block goes
static bool copy_half(const mo_problem *p, const uint32_t *rank, size_t *below, size_t *next, half_sweep *h)
{
    memcpy(below, p->start, p->contacts * sizeof *below);
    memcpy(next, h->start, p->contacts * sizeof *next);
    for (size_t c = 0; c < p->contacts; c++) {
        size_t k = below[c];
        if (k < p->start[c + 1] && p->column[k] == c)
            k++;
        for (; k < p->start[c + 1]; k++) {
            const uint32_t d = p->column[k];
            const double *B = p->W + 9 * k, *T = p->W + 9 * below[d];
            // a block left of the diagonal without its transpose, or the other way round
            if (d < c || below[d] == p->start[d + 1] || p->column[below[d]] != c)
                return false;
            if (!(unlike(B, T) <= ALIKE * size_of(B)) || !holds(B))
                return false;
            below[d]++;
            const bool first = rank[c] < rank[d];
            const size_t at = next[first ? rank[c] : rank[d]]++;
            h->column[at] = first ? rank[d] : rank[c];
            for (size_t i = 0; i < 9; i++)
                h->block[9 * at + i] = (float)(first ? B : T)[i];
        }
    }
    h->block[9 * h->start[p->contacts]] = 0;
    memset(&h->column[h->start[p->contacts]], 0, AHEAD * sizeof *h->column);
    return true;
}

static bool copy_contacts(const mo_problem *p, const size_t *diagonal, const double *rho, half_sweep *h)
{
    for (size_t i = 0; i < p->contacts; i++) {
        const uint32_t c = h->order[i];
        const contact3 *of = &h->block3[c];
        double apart = 0;
        if (diagonal[c] == p->start[p->contacts])
            return false;
        const double *W = p->W + 9 * diagonal[c];
        for (size_t k = 0; k < 9; k++)
            apart += fabs(W[k] - of->H[k]);
        if (!(apart <= ALIKE * size_of(W)) || !holds(W))
            return false;
        h->own[i] = (half_contact){.inv_nn = of->inv_nn,
                                   .inv_s = of->axisymmetric ? of->inv_s : ROUGH,
                                   .mu = of->mu,
                                   .weight = 1 / rho[c]};
    }
    return true;
}

static half_answer fill(const mo_problem *p, const size_t *diagonal, const double *rho, arena *memory,
                        half_sweep *h)
{
    const size_t contacts = p->contacts;
    uint32_t *rank = arena_push(memory, contacts, sizeof *rank);
    size_t *below = arena_push(memory, 2 * contacts, sizeof *below);
    if (rank == NULL || below == NULL)
        return HALF_NO_MEMORY;
    put_in_order(contacts, rank, h->order);
    count_rows(p, rank, h->start);
    // more than there is room for: some block has no transpose
    if (h->start[contacts] > p->start[contacts] / 2)
        return HALF_UNFIT;
    return copy_contacts(p, diagonal, rho, h) && copy_half(p, rank, below, below + contacts, h) ? HALF_MADE
                                                                                                : HALF_UNFIT;
}

half_answer half_sweep_make(const mo_problem *p, const size_t *diagonal, const contact3 *block3,
                            const double *rho, double size, arena *memory, half_sweep *out)
{
    const size_t contacts = p->contacts, most = p->start[contacts] / 2;
    const double unit = isfinite(size) && size > 0 ? ldexp(1, ilogb(size)) : 1;
    *out = (half_sweep){.contacts = contacts, .unit = unit, .block3 = block3};
    out->order = arena_push(memory, contacts, sizeof *out->order);
    out->own = arena_push(memory, contacts, sizeof *out->own);
    out->place = arena_push_zero(memory, contacts, sizeof *out->place);
    out->before = arena_push_zero(memory, contacts, 4 * sizeof *out->before);
    out->start = arena_push(memory, contacts + 1, sizeof *out->start);
    out->column = arena_push(memory, most + AHEAD, sizeof *out->column);
    out->block = arena_push(memory, 9 * most + 1, sizeof *out->block);
    if (out->order == NULL || out->own == NULL || out->place == NULL || out->before == NULL ||
        out->start == NULL || out->column == NULL || out->block == NULL)
        return HALF_NO_MEMORY;
    const arena_mark mark = arena_here(memory);
    const half_answer answer = fill(p, diagonal, rho, memory, out);
    arena_back(memory, mark);
    return answer;
}

/* four numbers from B on */
#define ROW(B) (*(const four *)(B))

// what the contacts to come have to do with contact c, and what has been handed on to it
static inline __attribute__((always_inline)) void gather(const half_sweep *h, size_t c, float *sum)
{
    four s0 = {0}, s1 = {0}, s2 = {0};
    for (size_t k = h->start[c]; k < h->start[c + 1]; k++) {
        const float *B = h->block + 9 * k;
        const four x = ROW(h->place[h->column[k]].d);
        __builtin_prefetch(&h->place[h->column[k + AHEAD]], 1);
        s0 += ROW(B) * x;
        s1 += ROW(B + 3) * x;
        s2 += ROW(B + 6) * x;
    }
    const float *ahead = h->place[c].ahead;
    sum[0] = ahead[0] + ((s0[0] + s0[1]) + s0[2]);
    sum[1] = ahead[1] + ((s1[0] + s1[1]) + s1[2]);
    sum[2] = ahead[2] + ((s2[0] + s2[1]) + s2[2]);
}

// hands what d_c = x does to the contacts to come on to them
static inline __attribute__((always_inline)) void hand_on(const half_sweep *h, size_t c, const float *x)
{
    const four x0 = {x[0], x[0], x[0], x[0]}, x1 = {x[1], x[1], x[1], x[1]}, x2 = {x[2], x[2], x[2], x[2]};
    for (size_t k = h->start[c]; k < h->start[c + 1]; k++) {
        const float *B = h->block + 9 * k;
        *(four *)h->place[h->column[k]].ahead += ROW(B) * x0 + (ROW(B + 3) * x1 + ROW(B + 6) * x2);
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
        contact3_closed(&h->block3[h->order[c]], -b[0], b + 1, &(double){0}, r);
    else
        contact3_solve_round(own->inv_nn, own->inv_s, own->mu, b, r);
}

// d_c := x; what that changes is added to t
static inline __attribute__((always_inline)) void settle(half_sweep *h, size_t c, const float *x,
                                                         const double *r, half_travel *t)
{
    const double weight = h->own[c].weight;
    float *d = h->place[c].d;
    const float *before = h->before + 4 * c;
    double change = 0, along = 0;
    for (size_t i = 0; i < 3; i++) {
        const double moved = (double)x[i] - (double)d[i];
        change += moved * moved;
        along += moved * ((double)x[i] - (double)before[i]);
        d[i] = x[i];
    }
    t->change += weight * change;
    t->along += weight * along;
    t->size += weight * (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
}

WIDE half_travel half_sweep_run(half_sweep *h)
{
    half_travel t = {0, 0, 0};
    const double unit = h->unit, inverse = 1 / unit;
    for (size_t c = 0; c < h->contacts; c++) {
        const half_contact *own = &h->own[c];
        float sum[3], x[3];
        double b[3], r[3];
        gather(h, c, sum);
        memset(h->place[c].ahead, 0, sizeof h->place[c].ahead);
        for (size_t i = 0; i < 3; i++)
            b[i] = own->load[i] + unit * (double)sum[i];
        solve(h, c, b, r);
        for (size_t i = 0; i < 3; i++)
            x[i] = (float)(inverse * (r[i] - own->base[i]));
        settle(h, c, x, r, &t);
        if (x[0] != 0 || x[1] != 0 || x[2] != 0)
            hand_on(h, c, x);
    }
    t.change *= unit * unit;
    t.along *= unit * unit;
    return t;
}

void half_sweep_base(half_sweep *h, const double *r, const double *u)
{
    for (size_t i = 0; i < h->contacts; i++) {
        const size_t c = h->order[i];
        const double *H = h->block3[c].H, *x = r + 3 * c;
        half_contact *own = &h->own[i];
        for (size_t k = 0; k < 3; k++) {
            own->load[k] = u[3 * c + k] - (H[3 * k] * x[0] + H[3 * k + 1] * x[1] + H[3 * k + 2] * x[2]);
            own->base[k] = x[k];
            h->before[4 * i + k] -= h->place[i].d[k];
        }
        h->place[i] = (half_place){{0}, {0}};
    }
}

void half_sweep_read(const half_sweep *h, double *r)
{
    for (size_t i = 0; i < h->contacts; i++)
        for (size_t k = 0; k < 3; k++)
            r[3 * (size_t)h->order[i] + k] = h->own[i].base[k] + h->unit * (double)h->place[i].d[k];
}

void half_sweep_write(half_sweep *h, const double *r)
{
    for (size_t i = 0; i < h->contacts; i++)
        for (size_t k = 0; k < 3; k++)
            h->place[i].d[k] = (float)((r[3 * (size_t)h->order[i] + k] - h->own[i].base[k]) / h->unit);
}

void half_sweep_begin(half_sweep *h)
{
    for (size_t i = 0; i < h->contacts; i++)
        memcpy(h->before + 4 * i, h->place[i].d, 4 * sizeof *h->before);
}

WIDE void half_sweep_move(half_sweep *h, double beta)
{
    const float b = (float)beta;
    for (size_t i = 0; i < h->contacts; i++) {
        four *d = (four *)h->place[i].d, *before = (four *)(h->before + 4 * i);
        const four now = *d;
        *d = now + (four){b, b, b, b} * (now - *before);
        *before = now;
    }
}
