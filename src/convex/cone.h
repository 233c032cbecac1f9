/*
 * Coulomb's cone K = {S : |S_T| <= mu S_N} in 2D and 3D: nearest point and distance.
 *
 * M99 (4)(5): what is left, z - prox(K, z), lies in the polar cone and is orthogonal to prox(K, z).
 */
#ifndef CONVEX_CONE_H
#define CONVEX_CONE_H

#include <math.h>

/* Nearest point of K to z; z[0] normal, z[1] tangential; mu >= 0. */
static inline void cone2_prox(double mu, const double z[2], double out[2])
{
    double zt = fabs(z[1]);
    if (z[0] >= 0 && zt <= mu * z[0]) {
        out[0] = z[0];
        out[1] = z[1];
    } else if (mu * zt <= -z[0]) {
        // in the polar cone: the apex is nearest
        out[0] = out[1] = 0;
    } else {
        // on the edge (1, ±mu)
        double s = (z[0] + mu * zt) / (1 + mu * mu);
        out[0] = s;
        out[1] = copysign(mu * s, z[1]);
    }
}

/* The same in 3D; z[1], z[2] tangential. */
static inline void cone3_prox(double mu, const double z[3], double out[3])
{
    double zt = sqrt(z[1] * z[1] + z[2] * z[2]);
    if (z[0] >= 0 && zt <= mu * z[0]) {
        out[0] = z[0];
        out[1] = z[1];
        out[2] = z[2];
    } else if (mu * zt <= -z[0]) {
        out[0] = out[1] = out[2] = 0;
    } else {
        // on the mantle, in the plane of z and the axis
        double s = (z[0] + mu * zt) / (1 + mu * mu), f = zt > 0 ? mu * s / zt : 0;
        out[0] = s;
        out[1] = f * z[1];
        out[2] = f * z[2];
    }
}

#endif
