/*
 * Short words for tests of cells that deform.
 */
#ifndef TESTS_PHYSICS_CELLS_H
#define TESTS_PHYSICS_CELLS_H

#include "support/build.h"

static inline void control(mo_world *w, const mo_cell_control *c)
{
    mo_error err = {0};
    if (mo_world_control_cell(w, c, &err) != MO_OK)
        print_error("%s\n", err.message);
    assert_string_equal(err.message, "");
}

static inline mo_body add_ball(mo_world *w, double x, double y, double z, double r)
{
    mo_body_def def = mo_default_body_def();
    def.shape =
        (mo_shape_def){.kind = mo_world_bodies(w).dim == 2 ? MO_SHAPE_DISC : MO_SHAPE_SPHERE, .radius = r};
    def.density = 1000;
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    return add_def(w, &def);
}

#endif
