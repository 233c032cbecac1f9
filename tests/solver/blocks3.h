/*
 * Blocks of a contact in 3D for tests and benchmarks, and how far an answer is from the law, computed by code
 * that the solver does not own.
 */
#ifndef TESTS_SOLVER_BLOCKS3_H
#define TESTS_SOLVER_BLOCKS3_H

#include <math.h>
#include <stdbool.h>

#include "convex/cone.h"
#include "core/rng.h"
#include "problem/block.h"

/* Uniform in [-1, 1). */
static inline double either_way(rng *r)
{
    return 2 * rng_uniform(r) - 1;
}

/* Three orthonormal vectors: Gram-Schmidt on random ones. */
static inline void random_frame(rng *r, double e[3][3])
{
    for (int i = 0; i < 3; i++) {
        double length = 0;
        while (!(length > 0.1)) {
            for (int k = 0; k < 3; k++)
                e[i][k] = either_way(r);
            for (int j = 0; j < i; j++) {
                double dot = e[i][0] * e[j][0] + e[i][1] * e[j][1] + e[i][2] * e[j][2];
                for (int k = 0; k < 3; k++)
                    e[i][k] -= dot * e[j][k];
            }
            length = sqrt(e[i][0] * e[i][0] + e[i][1] * e[i][1] + e[i][2] * e[i][2]);
        }
        for (int k = 0; k < 3; k++)
            e[i][k] /= length;
    }
}

/* Eigenvalues l, random axes, and a skew part within the share `skew` of what the diagonal allows. */
static inline void random_block3(rng *r, const double l[3], double skew, double H[9])
{
    double e[3][3];
    random_frame(r, e);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            H[3 * i + j] = l[0] * e[0][i] * e[0][j] + l[1] * e[1][i] * e[1][j] + l[2] * e[2][i] * e[2][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) {
            double odd = skew * either_way(r) * sqrt(H[4 * i]) * sqrt(H[4 * j]);
            H[3 * i + j] += odd;
            H[3 * j + i] -= odd;
        }
}

/* |r - P_K(r - rho u~)| / max(|r|, |rho b|), u = H r + b, whatever the sizes of H and b. */
static inline double law_error3(const double H[9], double mu, const double b[3], const double r[3])
{
    double rho = block_rho(3, H), u[3], z[3], p[3], miss = 0, rr = 0, bb = 0;
    for (int i = 0; i < 3; i++) {
        u[i] = b[i] + H[3 * i] * r[0] + H[3 * i + 1] * r[1] + H[3 * i + 2] * r[2];
        rr = hypot(rr, r[i]);
        bb = hypot(bb, rho * b[i]);
    }
    double size = fmax(rr, bb), unit = size > 0 ? 1 / size : 0;
    for (int i = 0; i < 3; i++)
        z[i] = unit * (r[i] - rho * (u[i] + (i == 0 ? mu * hypot(u[1], u[2]) : 0)));
    cone3_prox(mu, z, p);
    for (int i = 0; i < 3; i++)
        miss = hypot(miss, unit * r[i] - p[i]);
    return miss;
}

#endif
