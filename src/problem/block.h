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
#include <stdbool.h>

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
 * Largest eigenvalue of a symmetric M of rank 2 that is positive semidefinite, with the diagonal d and the
 * entries xy, xz, yz beside it: M across its null vector v, turned by the reflection that takes v to the axis
 * i where it is largest.  The columns of the adjugate are multiples of v.  Without branches, as all that
 * follows, so that loops over many blocks become vectors.
 */
static inline double rank2_lambda_max(const double d[3], double xy, double xz, double yz)
{
    const double minor0 = d[1] * d[2] - yz * yz, minor1 = d[2] * d[0] - xz * xz,
                 minor2 = d[0] * d[1] - xy * xy;
    const bool first = (minor0 >= minor1) & (minor0 >= minor2), second = minor1 >= minor2;
    // entries in the order i, j, k
    const double minor = first ? minor0 : second ? minor1 : minor2;
    const double ii = first ? d[0] : second ? d[1] : d[2], jj = first ? d[1] : second ? d[2] : d[0];
    const double kk = first ? d[2] : second ? d[0] : d[1], ij = first ? xy : second ? yz : xz;
    const double ik = first ? xz : second ? xy : yz, jk = first ? yz : second ? xz : xy;
    const double vj = jk * ik - ij * kk, vk = ij * jk - ik * jj;
    const double size = sqrt(minor * minor + vj * vj + vk * vk), c = 1 / (size + minor);
    // v_j c and v_k c of the unit vector with v_i > 0
    const double x = vj * c, y = vk * c;
    return symmetric2_lambda_max(jj - 2 * x * ij + x * x * ii, jk - x * ik - y * ij + x * y * ii,
                                 kk - 2 * y * ik + y * y * ii);
}

/* Largest eigenvalue of the symmetric matrix with the diagonal d and the entries xy, xz, yz beside it. */
static inline double symmetric3_lambda_max(const double d[3], double xy, double xz, double yz)
{
    const double mean = (d[0] + d[1] + d[2]) / 3, x = d[0] - mean, y = d[1] - mean, z = d[2] - mean;
    const double p = sqrt((x * x + y * y + z * z + 2 * (xy * xy + xz * xz + yz * yz)) / 6), inv = 1 / p;
    const double X = x * inv, Y = y * inv, Z = z * inv, XY = xy * inv, XZ = xz * inv, YZ = yz * inv;
    const double h = 0.5 * (X * (Y * Z - YZ * YZ) - XY * (XY * Z - YZ * XZ) + XZ * (XY * YZ - Y * XZ));
    const double b = outer_root(fabs(h) < 1 ? fabs(h) : 1);
    const double M[3] = {X + b, Y + b, Z + b}, low = rank2_lambda_max(M, XY, XZ, YZ);
    const double largest = h >= 0 ? mean + p * b : mean + p * (low - b);
    return ((p > 0) & (inv < HUGE_VAL)) ? largest : mean;
}

/* Whether symmetric3_lambda_max does for a block: it is not diagonal, and squares stay in range. */
static inline bool block3_is_plain(const double d[3], double xy, double xz, double yz)
{
    const double off = fabs(xy) + fabs(xz) + fabs(yz), size = fabs(d[0]) + fabs(d[1]) + fabs(d[2]) + off;
    return (off != 0) & (size > 1e-100) & (size < 1e100);
}

/* Largest eigenvalue of (B + B^T) / 2, B [3 3]. */
static inline double block3_lambda_max(const double *B)
{
    double xy = 0.5 * B[1] + 0.5 * B[3], xz = 0.5 * B[2] + 0.5 * B[6], yz = 0.5 * B[5] + 0.5 * B[7];
    double d[3] = {B[0], B[4], B[8]}, off = fabs(xy) + fabs(xz) + fabs(yz);
    double size = fabs(d[0]) + fabs(d[1]) + fabs(d[2]) + off;
    if (off == 0)
        return fmax(fmax(d[0], d[1]), d[2]);
    if (block3_is_plain(d, xy, xz, yz))
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
    double off = 0.5 * B[1] + 0.5 * B[2], half = 0.5 * B[0] - 0.5 * B[3], square = half * half + off * off;
    // squares would not do near the ends of what doubles hold
    double radius = square > 1e-250 && square < 1e250 ? sqrt(square) : hypot(half, off);
    return 0.5 * B[0] + 0.5 * B[3] + radius;
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
