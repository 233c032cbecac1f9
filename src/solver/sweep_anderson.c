/*
 * Extrapolation of sweeps: see sweep_anderson.h.
 *
 * Vectors are done in blocks that stay in the first cache while everything is done with them, so that a step
 * moves each difference once for its products and once for the combination.  The differences of a block stand
 * one after the other: memory is read from one end to the other.
 */
#include "solver/sweep_anderson.h"

#include <math.h>
#include <string.h>

#include "core/wide.h"

/* SUMS: sums at once; BLOCK: numbers of a block; CHUNK: those that a thread takes; PRODUCTS: of a chunk. */
enum { DEPTH = SWEEP_ANDERSON_DEPTH, SUMS = 8, BLOCK = 512, CHUNK = 32 * BLOCK, PRODUCTS = 2 * (DEPTH + 1) };

/* Added to the diagonal of the normal equations, relative to it. */
#define RIDGE 1e-12

/* Extrapolation begins anew when a change is that many times the least one. */
#define STRAYED 3

size_t sweep_anderson_room(size_t length)
{
    return (3 + 2 * (size_t)DEPTH) * length + PRODUCTS * chunk_count(length, CHUNK);
}

void sweep_anderson_place(sweep_anderson *a, size_t length, const double *weight, double *room, pool *threads)
{
    *a = (sweep_anderson){.length = length, .weight = weight, .threads = threads};
    a->from = room;
    a->image = room + length;
    a->f = room + 2 * length;
    a->d_image = room + 3 * length;
    a->d_f = a->d_image + (size_t)DEPTH * length;
    a->products = a->d_f + (size_t)DEPTH * length;
}

void sweep_anderson_start(sweep_anderson *a, const double *r)
{
    memcpy(a->from, r, a->length * sizeof *r);
    a->begun = false;
    a->least = HUGE_VAL;
    a->count = 0;
    a->newest = -1;
}

bool sweep_anderson_trusts(sweep_anderson *a, double change, const double *r)
{
    if (!(change <= STRAYED * a->least)) {
        sweep_anderson_start(a, r);
        return false;
    }
    a->least = fmin(a->least, change);
    return true;
}

// f = r - from and the differences to the last f and image, of numbers [0, n)
WIDE static void differences(size_t n, const double *restrict r, const double *restrict from,
                             double *restrict image, double *restrict f, double *restrict d_image,
                             double *restrict d_f)
{
    for (size_t j = 0; j < n; j++) {
        const double now = r[j] - from[j];
        d_image[j] = r[j] - image[j];
        d_f[j] = now - f[j];
        image[j] = r[j];
        f[j] = now;
    }
}

// four numbers that need not be aligned
typedef double four __attribute__((vector_size(4 * sizeof(double)), aligned(sizeof(double)), may_alias));

// sums += x y and x z
WIDE static void add_products(size_t n, const double *x, const double *y, const double *z,
                              double (*sum)[SUMS])
{
    four *a = (four *)sum[0], *b = (four *)sum[1], a0 = a[0], a1 = a[1], b0 = b[0], b1 = b[1];
    size_t j = 0;
    for (; j + SUMS <= n; j += SUMS) {
        const four x0 = *(const four *)(x + j), x1 = *(const four *)(x + j + 4);
        a0 += x0 * *(const four *)(y + j);
        a1 += x1 * *(const four *)(y + j + 4);
        b0 += x0 * *(const four *)(z + j);
        b1 += x1 * *(const four *)(z + j + 4);
    }
    a[0] = a0, a[1] = a1, b[0] = b0, b[1] = b1;
    for (size_t k = 0; j < n; j++, k++) {
        sum[0][k] += x[j] * y[j];
        sum[1][k] += x[j] * z[j];
    }
}

WIDE static void times(size_t n, const double *restrict x, const double *restrict y, double *restrict out)
{
    for (size_t j = 0; j < n; j++)
        out[j] = x[j] * y[j];
}

// x -= a y
WIDE static void take_away(size_t n, double a, const double *restrict y, double *restrict x)
{
    for (size_t j = 0; j < n; j++)
        x[j] -= a * y[j];
}

static double total(const double sum[SUMS])
{
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

// difference number k of the block [at, at + n)
static double *part(double *all, size_t at, size_t n, int k)
{
    return all + at * (size_t)DEPTH + (size_t)k * n;
}

// room for one more difference, in the place of the oldest
static void make_room(sweep_anderson *a)
{
    if (!a->begun)
        return;
    a->newest = (a->newest + 1) % DEPTH;
    a->count += a->count < DEPTH;
}

// keeps the image r of the numbers [at, at + n) and how it differs from the last one; adds to the products of
// differences with the newest one, those with f, and f . f
static void remember_block(sweep_anderson *a, const double *r, size_t at, size_t n, double (*sum)[2][SUMS])
{
    double df[BLOCK], f[BLOCK];
    if (a->begun)
        differences(n, r + at, a->from + at, a->image + at, a->f + at, part(a->d_image, at, n, a->newest),
                    part(a->d_f, at, n, a->newest));
    else
        for (size_t j = at; j < at + n; j++) {
            a->f[j] = r[j] - a->from[j];
            a->image[j] = r[j];
        }
    times(n, a->f + at, a->weight + at, f);
    add_products(n, a->f + at, f, f, sum[DEPTH]);
    if (a->count == 0)
        return;
    times(n, part(a->d_f, at, n, a->newest), a->weight + at, df);
    for (int k = 0; k < a->count; k++)
        add_products(n, part(a->d_f, at, n, k), df, f, sum[k]);
}

// what a thread does, and for which r
typedef struct work {
    sweep_anderson *a;
    const double *image;
    double *r;
    const double *gamma; /* [DEPTH] */
} work;

// numbers of the block that begins at `at` before `end`
static size_t block_length(size_t at, size_t end)
{
    return end - at < BLOCK ? end - at : BLOCK;
}

static void remember_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    const work *w = data;
    double sum[DEPTH + 1][2][SUMS] = {{{0}}}, *out = w->a->products + PRODUCTS * chunk;
    for (size_t at = begin; at < end; at += BLOCK)
        remember_block(w->a, w->image, at, block_length(at, end), sum);
    for (int k = 0; k <= DEPTH; k++)
        for (int e = 0; e < 2; e++)
            out[2 * k + e] = total(sum[k][e]);
}

double sweep_anderson_take(sweep_anderson *a, const double *r)
{
    double sum[PRODUCTS] = {0};
    make_room(a);
    parallel_for(a->threads, a->length, CHUNK, remember_chunk, &(work){.a = a, .image = r});
    a->begun = true;
    for (size_t c = 0; c < chunk_count(a->length, CHUNK); c++)
        for (size_t k = 0; k < PRODUCTS; k++)
            sum[k] += a->products[PRODUCTS * c + k];
    for (int k = 0; k < a->count; k++) {
        a->gram[a->newest][k] = a->gram[k][a->newest] = sum[2 * k];
        a->along[k] = sum[2 * k + 1];
    }
    return sum[2 * DEPTH];
}

// gamma := gram⁻¹ gamma by L D L' with a ridge; directions that say nothing new get 0.  Rows of D L' one
// after the other, what is taken off the rows below side by side
WIDE static void solve_normal(const sweep_anderson *a, double gamma[DEPTH])
{
    double U[DEPTH][DEPTH], inverse[DEPTH];
    const int n = a->count;
    memcpy(U, a->gram, sizeof U);
    for (int k = 0; k < n; k++) {
        const double pivot = U[k][k] + RIDGE * a->gram[k][k];
        inverse[k] = pivot > 1e-14 * a->gram[k][k] ? 1 / pivot : 0;
        for (int i = k + 1; i < n; i++) {
            const double t = U[k][i] * inverse[k];
            for (int j = 0; j < DEPTH; j++)
                U[i][j] -= t * U[k][j];
            gamma[i] -= t * gamma[k];
        }
    }
    // what is known last comes last
    for (int i = n; i-- > 0;) {
        for (int k = n; k-- > i + 1;)
            gamma[i] -= U[i][k] * gamma[k];
        gamma[i] *= inverse[i];
    }
}

static void combine_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    (void)chunk;
    const work *w = data;
    for (size_t at = begin; at < end; at += BLOCK) {
        const size_t n = block_length(at, end);
        for (int k = 0; k < w->a->count; k++)
            take_away(n, w->gamma[k], part(w->a->d_image, at, n, k), w->r + at);
        memcpy(w->a->from + at, w->r + at, n * sizeof *w->r);
    }
}

void sweep_anderson_next(sweep_anderson *a, double *r)
{
    double gamma[DEPTH];
    memcpy(gamma, a->along, sizeof gamma);
    solve_normal(a, gamma);
    parallel_for(a->threads, a->length, CHUNK, combine_chunk, &(work){.a = a, .r = r, .gamma = gamma});
}
