#include "collide/periodic.h"

#include <string.h>

#include "math/vec3.h"

bool cell_set(periodic_cell *c, const double H[9])
{
    double edge[3][3], across[3][3];
    for (int j = 0; j < 3; j++)
        vec3_set(edge[j], H[j], H[3 + j], H[6 + j]);
    // rows of the inverse are normals of the faces over the volume
    for (int j = 0; j < 3; j++)
        vec3_cross(edge[(j + 1) % 3], edge[(j + 2) % 3], across[j]);
    double volume = vec3_dot(edge[0], across[0]);
    if (!(volume > 0) || !isfinite(volume))
        return false;
    memcpy(c->H, H, sizeof c->H);
    for (int j = 0; j < 3; j++) {
        vec3_scale(1 / volume, across[j], &c->inverse[3 * j]);
        c->width[j] = volume / vec3_norm(across[j]);
    }
    return true;
}

double cell_volume(const periodic_cell *c)
{
    double edge[3][3], across[3];
    for (int j = 0; j < 3; j++)
        vec3_set(edge[j], c->H[j], c->H[3 + j], c->H[6 + j]);
    vec3_cross(edge[1], edge[2], across);
    return vec3_dot(edge[0], across);
}

double cell_least_width(const periodic_cell *c)
{
    double least = HUGE_VAL;
    for (size_t k = 0; k < c->dim; k++)
        least = c->along[k] ? fmin(least, c->width[k]) : least;
    return least;
}
