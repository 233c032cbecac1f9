/*
 * What a problem file holds, in one line: problem_facts FILE.hdf5
 *
 *   DIM CONTACTS BLOCKS RANK ASYMMETRY MU_LEAST MU_MOST HASH
 *
 * RANK is that of the symmetric part of W, by Cholesky's factors with complete pivoting, which see pivots
 * above n times the rounding unit of the largest; "-" above 3000 rows.  ASYMMETRY is |W - W^T| / |W|.  HASH
 * is of the arrays, not of the file, which carries dates.
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <moreau/problem.h>

#include "core/hash.h"

enum { RANK_MOST = 3000 };

/* W in full, row by row; NULL without memory */
static double *full_matrix(const mo_problem *p)
{
    const size_t d = (size_t)p->dim, n = d * p->contacts;
    double *full = calloc(n * n + 1, sizeof *full);
    for (size_t c = 0; c < p->contacts && full != NULL; c++)
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++)
            for (size_t e = 0; e < d * d; e++)
                full[(d * c + e / d) * n + d * p->column[k] + e % d] = p->W[k * d * d + e];
    return full;
}

// the entry of W in block (row, column), 0 where there is none
static double entry(const mo_problem *p, size_t row, size_t column, size_t e)
{
    const size_t d = (size_t)p->dim;
    size_t lo = p->start[row], hi = p->start[row + 1];
    while (lo < hi) {
        const size_t middle = lo + (hi - lo) / 2;
        if (p->column[middle] == column)
            return p->W[middle * d * d + e];
        if (p->column[middle] < column)
            lo = middle + 1;
        else
            hi = middle;
    }
    return 0;
}

// each pair once from each of its blocks; a block without counterpart counts for both
static double asymmetry(const mo_problem *p)
{
    const size_t d = (size_t)p->dim;
    double odd = 0, all = 0;
    for (size_t c = 0; c < p->contacts; c++)
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++)
            for (size_t e = 0; e < d * d; e++) {
                const double here = p->W[k * d * d + e];
                const double there = entry(p, p->column[k], c, e % d * d + e / d);
                odd += (here - there) * (here - there) * (there == 0 && here != 0 ? 2 : 1);
                all += here * here;
            }
    return all > 0 ? sqrt(odd / all) : 0;
}

static void exchange(double *a, size_t n, size_t i, size_t j)
{
    for (size_t k = 0; k < n; k++) {
        const double t = a[i * n + k];
        a[i * n + k] = a[j * n + k];
        a[j * n + k] = t;
    }
    for (size_t k = 0; k < n; k++) {
        const double t = a[k * n + i];
        a[k * n + i] = a[k * n + j];
        a[k * n + j] = t;
    }
}

// overwrites a
static size_t rank_of(double *a, size_t n)
{
    double least = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            a[i * n + j] = a[j * n + i] = 0.5 * (a[i * n + j] + a[j * n + i]);
    for (size_t k = 0; k < n; k++) {
        size_t largest = k;
        for (size_t i = k + 1; i < n; i++)
            largest = a[i * n + i] > a[largest * n + largest] ? i : largest;
        if (k == 0)
            least = (double)n * DBL_EPSILON * a[largest * n + largest];
        if (!(a[largest * n + largest] > least))
            return k;
        if (largest != k)
            exchange(a, n, k, largest);
        for (size_t i = k + 1; i < n; i++) {
            const double factor = a[i * n + k] / a[k * n + k];
            if (factor != 0)
                for (size_t j = k + 1; j < n; j++)
                    a[i * n + j] -= factor * a[k * n + j];
        }
    }
    return n;
}

static uint64_t hash_of(const mo_problem *p)
{
    const size_t d = (size_t)p->dim, n = p->contacts, blocks = p->start[n];
    uint64_t hash = hash_bytes(p->start, (n + 1) * sizeof *p->start, 0);
    hash = hash_bytes(p->column, blocks * sizeof *p->column, hash);
    hash = hash_bytes(p->W, blocks * d * d * sizeof *p->W, hash);
    hash = hash_bytes(p->q, d * n * sizeof *p->q, hash);
    return hash_bytes(p->mu, n * sizeof *p->mu, hash);
}

static void print_rank(const mo_problem *p)
{
    const size_t n = (size_t)p->dim * p->contacts;
    double *full = n <= RANK_MOST ? full_matrix(p) : NULL;
    if (full != NULL)
        printf("%zu ", rank_of(full, n));
    else
        printf("- ");
    free(full);
}

int main(int argc, char **argv)
{
    mo_problem_file file;
    mo_error err = {0};
    if (argc != 2) {
        fprintf(stderr, "usage: problem_facts FILE.hdf5\n");
        return 2;
    }
    if (mo_problem_read(argv[1], &file, &err) != MO_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    const mo_problem *p = &file.local;
    double least = p->contacts > 0 ? p->mu[0] : 0, most = least;
    for (size_t c = 1; c < p->contacts; c++) {
        least = fmin(least, p->mu[c]);
        most = fmax(most, p->mu[c]);
    }
    printf("%d %zu %zu ", p->dim, p->contacts, p->start[p->contacts]);
    print_rank(p);
    printf("%.1e %g %g %016" PRIx64 "\n", asymmetry(p), least, most, hash_of(p));
    mo_problem_file_free(&file);
    return 0;
}
