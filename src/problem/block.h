/*
 * The diagonal blocks of W: what scales a contact.
 *
 * The largest eigenvalue of the symmetric part A of a block of 3 by 3.  With mean = tr A / 3 and p² the sixth
 * of |A - mean I|², B = (A - mean I) / p has the characteristic polynomial b³ - 3 b - 2 h, h = det B / 2 in
 * [-1, 1] (Smith, Comm. ACM 4 (1961) 168).  Its root farthest from the others lies in [sqrt 3, 2], or
 * opposite to that when h < 0; there the slope is at least 6 and Newton's method finds it to the last digit.
 * Opposite, it is the least one: the block is then seen across its eigenvector, where 2 by 2 are left, since
 * the two largest may be as good as equal and half of the digits of a double root of a polynomial are lost.
 */
#ifndef PROBLEM_BLOCK_H
#define PROBLEM_BLOCK_H

#include <math.h>

/* Largest eigenvalue of [a o; o c]. */
static inline double symmetric2_lambda_max(double a, double o, double c)
{
    double half = 0.5 * (a - c);
    return 0.5 * (a + c) + sqrt(half * half + o * o);
}

/* Root of b³ - 3 b - 2 h in [sqrt 3, 2], h in [0, 1]: a cubic, good to 1e-4, and Newton's method twice. */
static inline double outer_root(double h)
{
    double b = 1.7321326590663835 +
               h * (0.33066070044169166 + h * (-0.08138239484577889 + h * 0.018639367794966583));
    b = (2 * b * b * b + 2 * h) / (3 * b * b - 3);
    return b - (b * (b * b - 3) - 2 * h) / (3 * b * b - 3);
}

/*
 * Largest eigenvalue of M [3 3], symmetric, of rank 2 and positive semidefinite: M across its null vector v,
 * turned by the reflection that takes v to the axis where it is largest.  The columns of the adjugate are
 * multiples of v.
 */
static inline double rank2_lambda_max(double M[3][3])
{
    double minor[3];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        minor[i] = M[j][j] * M[k][k] - M[j][k] * M[j][k];
    }
    int i = minor[0] >= minor[1] && minor[0] >= minor[2] ? 0 : minor[1] >= minor[2] ? 1 : 2;
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double vj = M[j][k] * M[i][k] - M[i][j] * M[k][k], vk = M[i][j] * M[j][k] - M[i][k] * M[j][j];
    double size = sqrt(minor[i] * minor[i] + vj * vj + vk * vk), c = 1 / (size + minor[i]);
    // v_j c and v_k c of the unit vector with v_i > 0
    double x = vj * c, y = vk * c;
    return symmetric2_lambda_max(M[j][j] - 2 * x * M[i][j] + x * x * M[i][i],
                                 M[j][k] - x * M[i][k] - y * M[i][j] + x * y * M[i][i],
                                 M[k][k] - 2 * y * M[i][k] + y * y * M[i][i]);
}

/* Largest eigenvalue of the symmetric matrix with the diagonal d and the entries xy, xz, yz beside it. */
static inline double symmetric3_lambda_max(const double d[3], double xy, double xz, double yz)
{
    double mean = (d[0] + d[1] + d[2]) / 3, x = d[0] - mean, y = d[1] - mean, z = d[2] - mean;
    double p = sqrt((x * x + y * y + z * z + 2 * (xy * xy + xz * xz + yz * yz)) / 6), inv = 1 / p;
    if (!(p > 0 && inv < HUGE_VAL))
        return mean;
    x *= inv, y *= inv, z *= inv, xy *= inv, xz *= inv, yz *= inv;
    double h = 0.5 * (x * (y * z - yz * yz) - xy * (xy * z - yz * xz) + xz * (xy * yz - y * xz));
    double b = outer_root(fmin(1, fabs(h)));
    if (h >= 0)
        return mean + p * b;
    double M[3][3] = {{x + b, xy, xz}, {xy, y + b, yz}, {xz, yz, z + b}};
    return mean + p * (rank2_lambda_max(M) - b);
}

/* Largest eigenvalue of (B + B^T) / 2, B [3 3]. */
static inline double block3_lambda_max(const double *B)
{
    double xy = 0.5 * B[1] + 0.5 * B[3], xz = 0.5 * B[2] + 0.5 * B[6], yz = 0.5 * B[5] + 0.5 * B[7];
    double d[3] = {B[0], B[4], B[8]}, off = fabs(xy) + fabs(xz) + fabs(yz);
    double size = fabs(d[0]) + fabs(d[1]) + fabs(d[2]) + off;
    if (off == 0)
        return fmax(fmax(d[0], d[1]), d[2]);
    if (size > 1e-100 && size < 1e100)
        return symmetric3_lambda_max(d, xy, xz, yz);
    // squares would not do: by a power of two
    int exponent;
    frexp(fmin(size, 1e308), &exponent);
    exponent = exponent < -1000 ? -1000 : exponent > 1000 ? 1000 : exponent;
    double unit = ldexp(1, -exponent);
    for (int i = 0; i < 3; i++)
        d[i] *= unit;
    return ldexp(symmetric3_lambda_max(d, xy * unit, xz * unit, yz * unit), exponent);
}

/* Largest eigenvalue of (B + B^T) / 2, B [2 2]. */
static inline double block2_lambda_max(const double *B)
{
    double off = 0.5 * B[1] + 0.5 * B[2], half = 0.5 * B[0] - 0.5 * B[3];
    return 0.5 * B[0] + 0.5 * B[3] + (off == 0 ? fabs(half) : hypot(half, off));
}

static inline double block_lambda_max(int dim, const double *B)
{
    return dim == 2 ? block2_lambda_max(B) : block3_lambda_max(B);
}

/* 1 / lambda_max, 1 where that is not positive. */
static inline double block_rho(int dim, const double *B)
{
    double largest = block_lambda_max(dim, B), rho = 1 / largest;
    return largest > 0 && rho < HUGE_VAL ? rho : 1;
}

#endif
