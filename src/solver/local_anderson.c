/* Extrapolation of sweeps: see local_anderson.h. */
#include "solver/local_anderson.h"

#include <math.h>
#include <string.h>

enum { DEPTH = LOCAL_ANDERSON_DEPTH };

/* Added to the diagonal of the normal equations, relative to it. */
#define RIDGE 1e-12

size_t local_anderson_room(size_t length)
{
    return (3 + 2 * (size_t)DEPTH) * length;
}

void local_anderson_place(local_anderson *a, size_t length, const double *weight, double *room)
{
    *a = (local_anderson){.length = length, .weight = weight};
    a->from = room;
    a->image = room + length;
    a->f = room + 2 * length;
    a->d_image = room + 3 * length;
    a->d_f = room + (3 + (size_t)DEPTH) * length;
}

void local_anderson_start(local_anderson *a, const double *r)
{
    memcpy(a->from, r, a->length * sizeof *r);
    a->begun = false;
    a->count = 0;
    a->newest = -1;
}

// x . y in the metric, four sums at once
static double dot(size_t n, const double *weight, const double *x, const double *y)
{
    double s[4] = {0}, rest = 0;
    size_t j = 0;
    for (; j + 4 <= n; j += 4)
        for (size_t k = 0; k < 4; k++)
            s[k] += weight[j + k] * x[j + k] * y[j + k];
    for (; j < n; j++)
        rest += weight[j] * x[j] * y[j];
    return (s[0] + s[1]) + (s[2] + s[3]) + rest;
}

// keeps the image r and how it differs from the last one
static void remember(local_anderson *a, const double *r)
{
    size_t n = a->length;
    if (!a->begun) {
        for (size_t j = 0; j < n; j++)
            a->f[j] = r[j] - a->from[j];
        memcpy(a->image, r, n * sizeof *r);
        a->begun = true;
        return;
    }
    a->newest = (a->newest + 1) % DEPTH;
    a->count += a->count < DEPTH;
    double *di = a->d_image + (size_t)a->newest * n, *df = a->d_f + (size_t)a->newest * n;
    for (size_t j = 0; j < n; j++) {
        double f = r[j] - a->from[j];
        di[j] = r[j] - a->image[j];
        df[j] = f - a->f[j];
        a->image[j] = r[j];
        a->f[j] = f;
    }
    for (int k = 0; k < a->count; k++) {
        double value = dot(n, a->weight, df, a->d_f + (size_t)k * n);
        a->gram[a->newest][k] = a->gram[k][a->newest] = value;
    }
}

// gamma := gram⁻¹ gamma by Cholesky with a ridge; directions that say nothing new get 0
static void solve_normal(const local_anderson *a, double gamma[DEPTH])
{
    double L[DEPTH][DEPTH];
    int n = a->count;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = a->gram[i][j] * (i == j ? 1 + RIDGE : 1);
            for (int k = 0; k < j; k++)
                sum -= L[i][k] * L[j][k];
            if (i != j)
                L[i][j] = sum * L[j][j];
            else
                // the inverse of the pivot
                L[i][i] = sum > 1e-14 * a->gram[i][i] ? 1 / sqrt(sum) : 0;
        }
        for (int k = 0; k < i; k++)
            gamma[i] -= L[i][k] * gamma[k];
        gamma[i] *= L[i][i];
    }
    for (int i = n; i-- > 0;) {
        for (int k = i + 1; k < n; k++)
            gamma[i] -= L[k][i] * gamma[k];
        gamma[i] *= L[i][i];
    }
}

void local_anderson_next(local_anderson *a, double *r)
{
    size_t n = a->length;
    double gamma[DEPTH];
    remember(a, r);
    for (int k = 0; k < a->count; k++)
        gamma[k] = dot(n, a->weight, a->d_f + (size_t)k * n, a->f);
    solve_normal(a, gamma);
    for (int k = 0; k < a->count; k++) {
        const double *di = a->d_image + (size_t)k * n;
        for (size_t j = 0; j < n; j++)
            r[j] -= gamma[k] * di[j];
    }
    memcpy(a->from, r, n * sizeof *r);
}
