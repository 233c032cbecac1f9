/*
 * Worlds with one law and balls that slide on the ground, for tests of laws.
 */
#ifndef PHYSICS_SLIDERS_H
#define PHYSICS_SLIDERS_H

#include <string.h>

#include "math/vec3.h"
#include "support/build.h"

static inline void put_law(mo_world *w, const mo_law *law)
{
    mo_error err = {0};
    assert_int_equal(mo_world_set_default_law(w, law, &err), MO_OK);
}

// a world in 2D or 3D with this law and gravity
static inline mo_world *law_world(int dim, double h, const double gravity[3], const mo_law *law)
{
    mo_world_def def = tight_def(h, 0);
    def.dim = dim;
    memcpy(def.gravity, gravity, sizeof def.gravity);
    mo_world *w = make_world_def(&def);
    put_law(w, law);
    return w;
}

// solid below 0 along the last axis
static inline mo_body add_ground(mo_world *w, int dim)
{
    mo_body_def def = mo_default_body_def();
    def.kind = MO_BODY_FIXED;
    def.shape = (mo_shape_def){.kind = dim == 2 ? MO_SHAPE_HALFPLANE : MO_SHAPE_PLANE};
    def.shape.normal[dim - 1] = 1;
    return add_def(w, &def);
}

// a ball of 1 kg that does not turn, touching the ground
static inline mo_body add_slider(mo_world *w, int dim)
{
    mo_body_def def = mo_default_body_def();
    def.shape = (mo_shape_def){.kind = dim == 2 ? MO_SHAPE_DISC : MO_SHAPE_SPHERE, .radius = 0.1};
    def.mass = 1;
    def.free = MO_FREE_X | MO_FREE_Y | MO_FREE_Z;
    def.position[dim - 1] = 0.1;
    return add_def(w, &def);
}

static inline void apply(mo_world *w, mo_body b, double x, double y, double z)
{
    mo_body_state s = state_of(w, b);
    vec3_set(s.applied_force, x, y, z);
    assert_int_equal(mo_body_set(w, b, &s, NULL), MO_OK);
}

static inline void throw_at(mo_world *w, mo_body b, double x, double y, double z)
{
    mo_body_state s = state_of(w, b);
    vec3_set(s.velocity, x, y, z);
    assert_int_equal(mo_body_set(w, b, &s, NULL), MO_OK);
}

static inline void up(double g, double force[3], int dim)
{
    vec3_set(force, 0, 0, 0);
    force[dim - 1] = g;
}

static inline mo_contact_status only_status(const mo_world *w)
{
    mo_contacts c = mo_world_contacts(w);
    assert_int_equal(c.count, 1);
    return (mo_contact_status)c.status[0];
}

#endif
