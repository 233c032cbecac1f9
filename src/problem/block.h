/*
 * The diagonal blocks of W: what scales a contact.
 *
 * The largest eigenvalue of the symmetric part is a root of the characteristic polynomial; in 3D by the
 * trigonometric formula (Smith, Comm. ACM 4 (1961) 168), good to a few units of rounding for the largest one.
 */
#ifndef PROBLEM_BLOCK_H
#define PROBLEM_BLOCK_H

#include <math.h>

/* Largest eigenvalue of (B + B^T) / 2, B [2 2]. */
static inline double block2_lambda_max(const double *B)
{
    double half = 0.5 * (B[0] - B[3]), off = 0.5 * (B[1] + B[2]);
    return 0.5 * (B[0] + B[3]) + sqrt(half * half + off * off);
}

/* Largest eigenvalue of (B + B^T) / 2, B [3 3]. */
static inline double block3_lambda_max(const double *B)
{
    double xy = 0.5 * (B[1] + B[3]), xz = 0.5 * (B[2] + B[6]), yz = 0.5 * (B[5] + B[7]);
    double mean = (B[0] + B[4] + B[8]) / 3, x = B[0] - mean, y = B[4] - mean, z = B[8] - mean;
    double p = sqrt((x * x + y * y + z * z + 2 * (xy * xy + xz * xz + yz * yz)) / 6);
    if (!(p > 0))
        return mean;
    x /= p, y /= p, z /= p, xy /= p, xz /= p, yz /= p;
    double half_det = 0.5 * (x * (y * z - yz * yz) - xy * (xy * z - yz * xz) + xz * (xy * yz - y * xz));
    return mean + 2 * p * cos(acos(fmin(1, fmax(-1, half_det))) / 3);
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
