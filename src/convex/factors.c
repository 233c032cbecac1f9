/* Updates of QR factors by Householder reflections (adding) and Givens rotations (dropping): see factors.h.
 */
#include "convex/factors.h"

#include "math/vec.h"

void factors_reset(factors *f, size_t n)
{
    f->n = n;
    f->q = 0;
    vec_zero(n * n, f->Q);
    for (size_t i = 0; i < n; i++)
        f->Q[i * n + i] = 1;
}

// x := R^-1 x
static void solve_upper(const factors *f, double *x)
{
    for (size_t j = f->q; j-- > 0;) {
        const double *column = f->R + j * f->n;
        x[j] /= column[j];
        for (size_t i = 0; i < j; i++)
            x[i] -= column[i] * x[j];
    }
}

double factors_split(const factors *f, const double *g, double *dv, double *r, double *r_sum)
{
    double sum = 0;
    for (size_t j = 0; j < f->n; j++)
        dv[j] = vec_dot(f->n, f->Q + j * f->n, g);
    vec_copy(f->q, dv, r);
    solve_upper(f, r);
    for (size_t j = 0; j < f->q; j++)
        sum += fabs(r[j]);
    *r_sum = sum;
    return vec_dot_in_order(f->n - f->q, dv + f->q, dv + f->q);
}

void factors_free_part(const factors *f, const double *dv, double *z)
{
    vec_zero(f->n, z);
    for (size_t j = f->q; j < f->n; j++)
        vec_add(f->n, dv[j], f->Q + j * f->n, z);
}

void factors_add(factors *f, size_t row, double lambda, const double *dv, double *z)
{
    size_t n = f->n, q = f->q;
    double *column = f->R + q * n, *head = f->Q + q * n;
    const double tail = vec_dot_in_order(n - q - 1, dv + q + 1, dv + q + 1);
    vec_copy(q, dv, column);
    f->rows[q] = row;
    f->lambda[q] = lambda;
    f->q = q + 1;
    if (tail == 0) {
        column[q] = dv[q];
        return;
    }
    // reflection 1 - beta w w^T, w = v - alpha e_1, takes v = Q2^T g to alpha e_1; Q2 w = z - alpha head
    double alpha = -copysign(sqrt(dv[q] * dv[q] + tail), dv[q]), w0 = dv[q] - alpha;
    double beta = 2 / (w0 * w0 + tail);
    vec_add(n, -alpha, head, z);
    vec_add(n, -beta * w0, z, head);
    for (size_t j = q + 1; j < n; j++)
        vec_add(n, -beta * dv[j], z, f->Q + j * n);
    column[q] = alpha;
}

// (a, b) := (c a + s b, c b - s a), element by element, strides apart
static void rotate(size_t count, size_t stride, double c, double s, double *a, double *b)
{
    for (size_t i = 0; i < count; i++) {
        double x = a[i * stride], y = b[i * stride];
        a[i * stride] = c * x + s * y;
        b[i * stride] = c * y - s * x;
    }
}

void factors_drop(factors *f, size_t k)
{
    size_t n = f->n, q = --f->q;
    for (size_t j = k; j < q; j++) {
        vec_copy(j + 2, f->R + (j + 1) * n, f->R + j * n);
        f->rows[j] = f->rows[j + 1];
        f->lambda[j] = f->lambda[j + 1];
    }
    // what is left has one entry below the diagonal from column k on
    for (size_t j = k; j < q; j++) {
        double *at = f->R + j * n + j, h = hypot(at[0], at[1]);
        if (at[1] == 0)
            continue;
        double c = at[0] / h, s = at[1] / h;
        rotate(q - j, n, c, s, at, at + 1);
        rotate(n, 1, c, s, f->Q + j * n, f->Q + (j + 1) * n);
        at[0] = h;
    }
}

void factors_solve(const factors *f, const double *d, double *y, double *multipliers)
{
    vec_zero(f->n, y);
    for (size_t j = 0; j < f->q; j++) {
        const double *column = f->R + j * f->n;
        multipliers[j] = (d[j] - vec_dot(j, column, multipliers)) / column[j];
        vec_add(f->n, multipliers[j], f->Q + j * f->n, y);
    }
    solve_upper(f, multipliers);
}
