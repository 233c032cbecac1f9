/*
 * Distributions of sizes: sizes.uniform{...}, sizes.normal{...} and so on give a userdata from which
 * generators draw radii, by the scene's own random state.
 */
#ifndef SCENE_SIZES_H
#define SCENE_SIZES_H

#include "scene/internal.h"

typedef struct sizes sizes;

/* The distribution at idx, or NULL. */
const sizes *sizes_at(lua_State *L, int idx);
/* A size > 0 of a world with so many dimensions: shares by mass are of the size to that power. */
double sizes_draw(const sizes *z, size_t dim, rng *random);
/* No size is larger. */
double sizes_largest(const sizes *z);

#endif
