/* Directions in which a convex set goes on for ever. */
#ifndef SWEEP_RECESSION_H
#define SWEEP_RECESSION_H

#include "core/arena.h"

#include <moreau/convex.h>

/* The recession cone of a set that is not empty, made of nodes in the arena; false: no memory. */
bool recession_cone(arena *work, const mo_set *set, mo_set *out);

#endif
