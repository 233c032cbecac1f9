/*
 * Loads of bodies: an array that is there as soon as somebody has one, or asks for it.
 */
#include <stdlib.h>
#include <string.h>

#include "dynamics/bodies.h"

double *bodies_loads(bodies *b)
{
    if (b->load == NULL)
        b->load = calloc(b->capacity > 0 ? b->capacity : 1, b->nu * sizeof *b->load);
    return b->load;
}

bool bodies_reserve_load(bodies *b, const double *load, bool by_function)
{
    bool some = by_function;
    for (size_t k = 0; k < b->nu; k++)
        some = some || load[k] != 0;
    return !some || bodies_loads(b) != NULL;
}

bool body_set_load(bodies *b, size_t slot, const double *load)
{
    if (!bodies_reserve_load(b, load, false))
        return false;
    if (b->load != NULL)
        memcpy(&b->load[b->nu * slot], load, b->nu * sizeof *load);
    return true;
}

void body_first_load(const bodies *b, const mo_body_def *def, double out[6])
{
    const bool dynamic = def->kind == MO_BODY_DYNAMIC;
    for (size_t k = 0; k < b->nu; k++)
        out[k] = !dynamic      ? 0
                 : k < b->dim  ? def->applied_force[k]
                 : b->dim == 2 ? def->applied_torque
                               : def->applied_torque3[k - 3];
}
