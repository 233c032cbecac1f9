/*
 * Normals across what a body can follow, and along it.
 *
 * A wall that goes along x alone touches a floor that was turned by 90 degrees with the normal (6e-17, 1).
 * The wall cannot follow the contact, and what rounding leaves along x must not count: a normal velocity of
 * 1e-17 would ask for an impulse of 1e17, which stops the wall or throws it.  Where it is pressed upon an
 * upright wall with the normal (1, 6e-17) it cannot slide, and rounding would tell a friction.  Rows of
 * joints are looked at likewise (joint_rows.c).
 */
#include <math.h>

#include "dynamics/stage.h"

/* What a unit normal has along an axis is rounding below this. */
static const double NOTHING = 1e-10;

static unsigned all_along(size_t dim)
{
    return dim == 2 ? MO_FREE_X | MO_FREE_Y : MO_FREE_X | MO_FREE_Y | MO_FREE_Z;
}

static bool is_held(const bodies *b, uint32_t slot)
{
    return is_dynamic(b, slot) && (b->free[slot] & all_along(b->dim)) != all_along(b->dim);
}

void clear_normals(const bodies *b, contact_set *c)
{
    bool some = false;
    for (size_t i = 0; i < b->count && !some; i++)
        some = is_held(b, (uint32_t)i);
    for (size_t i = 0; some && i < c->count; i++) {
        double *n = &c->normal[b->dim * i];
        if (!is_held(b, c->slot1[i]) && !is_held(b, c->slot2[i]))
            continue;
        for (size_t k = 0; k < b->dim; k++)
            n[k] = fabs(n[k]) <= NOTHING ? 0 : n[k];
    }
}
