/* Extrapolation of fixed-point iterations: see anderson.h. */
#include "convex/anderson.h"

#include "math/vec.h"

mo_status anderson_create(set_context *c, size_t length, anderson *out)
{
    double **single[] = {&out->from, &out->image, &out->f}, **many[] = {&out->d_image, &out->d_f, &out->Q};
    mo_status status = MO_OK;
    *out = (anderson){.length = length};
    for (size_t k = 0; k < 3 && status == MO_OK; k++)
        status = set_push(c, length, single[k]);
    for (size_t k = 0; k < 3 && status == MO_OK; k++)
        status = set_push(c, ANDERSON_DEPTH * length, many[k]);
    return status;
}

void anderson_start(anderson *a, const double *p)
{
    vec_copy(a->length, p, a->from);
    a->begun = false;
    a->count = 0;
    a->newest = -1;
}

// keeps the image p and how it differs from the last one
static void remember(anderson *a, const double *p)
{
    size_t n = a->length;
    if (a->begun) {
        a->newest = (a->newest + 1) % ANDERSON_DEPTH;
        a->count += a->count < ANDERSON_DEPTH;
    }
    const size_t at = a->begun ? (size_t)a->newest * n : 0;
    double *di = a->d_image + at, *df = a->d_f + at;
    for (size_t j = 0; j < n; j++) {
        double f = p[j] - a->from[j];
        if (a->begun) {
            di[j] = p[j] - a->image[j];
            df[j] = f - a->f[j];
        }
        a->image[j] = p[j];
        a->f[j] = f;
    }
    a->begun = true;
}

// least squares: takes off f its part along the differences, newest first, and off p what goes with it
static void combine(anderson *a, double *p)
{
    size_t n = a->length;
    double R[ANDERSON_DEPTH][ANDERSON_DEPTH], gamma[ANDERSON_DEPTH];
    int place[ANDERSON_DEPTH], used = 0;
    for (int k = 0; k < a->count; k++) {
        int at = (a->newest - k + ANDERSON_DEPTH) % ANDERSON_DEPTH;
        double *q = a->Q + (size_t)used * n, before;
        vec_copy(n, a->d_f + (size_t)at * n, q);
        before = vec_norm(n, q);
        for (int l = 0; l < used; l++) {
            R[l][used] = vec_dot(n, a->Q + (size_t)l * n, q);
            vec_add(n, -R[l][used], a->Q + (size_t)l * n, q);
        }
        double length = vec_norm(n, q);
        // differences that say nothing new would only bring rounding
        if (!(length > 1e-9 * before))
            continue;
        R[used][used] = length;
        for (size_t j = 0; j < n; j++)
            q[j] /= length;
        gamma[used] = vec_dot(n, q, a->f);
        place[used++] = at;
    }
    for (int k = used; k-- > 0;) {
        for (int l = k + 1; l < used; l++)
            gamma[k] -= R[k][l] * gamma[l];
        gamma[k] /= R[k][k];
        vec_add(n, -gamma[k], a->d_image + (size_t)place[k] * n, p);
    }
}

bool anderson_next(anderson *a, double *p)
{
    remember(a, p);
    if (a->count > 0)
        combine(a, p);
    if (!vec_finite(a->length, p))
        vec_copy(a->length, a->image, p);
    vec_copy(a->length, p, a->from);
    return a->count > 0;
}
