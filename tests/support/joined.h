/*
 * Short words for joints and worlds in space.
 */
#ifndef SUPPORT_JOINED_H
#define SUPPORT_JOINED_H

#include "support/build.h"

static const double PI = 3.14159265358979323846, G = 9.81;

static const mo_body NOBODY = {0};

static inline mo_world *space(double h, double gx, double gy, double gz)
{
    mo_world_def def = mo_default_world_def();
    def.dim = 3;
    def.h = h;
    def.gravity[0] = gx, def.gravity[1] = gy, def.gravity[2] = gz;
    def.solver.tol = 1e-12;
    mo_world *w;
    mo_error err;
    assert_int_equal(mo_world_create(&def, &w, &err), MO_OK);
    return w;
}

static inline mo_joint_def joint_def(mo_joint_kind kind, mo_body a, mo_body b, double x, double y, double z)
{
    mo_joint_def d = mo_default_joint_def();
    d.kind = kind;
    d.body1 = a;
    d.body2 = b;
    d.at[0] = x, d.at[1] = y, d.at[2] = z;
    return d;
}

static inline mo_joint add_joint_def(mo_world *w, const mo_joint_def *d)
{
    mo_joint j;
    mo_error err = {0};
    mo_status s = mo_joint_create(w, d, &j, &err);
    if (s != MO_OK)
        fail_msg("%s: %s", err.key, err.message);
    return j;
}

static inline mo_joint add_joint(mo_world *w, mo_joint_kind kind, mo_body a, mo_body b, double x, double y)
{
    mo_joint_def d = joint_def(kind, a, b, x, y, 0);
    return add_joint_def(w, &d);
}

static inline mo_joint_state joint_state(const mo_world *w, mo_joint j)
{
    mo_joint_state s;
    mo_error err;
    assert_int_equal(mo_joint_get(w, j, &s, &err), MO_OK);
    return s;
}

static inline mo_body solid(mo_world *w, const mo_shape_def *shape, double x, double y, double z, double mass)
{
    mo_body_def def = mo_default_body_def();
    def.shape = *shape;
    def.mass = mass;
    def.position[0] = x, def.position[1] = y, def.position[2] = z;
    return add_def(w, &def);
}

/* a motion about the origin at the speed that data holds */
static inline mo_status turning(void *data, double t, mo_motion *out, mo_error *err)
{
    (void)err;
    double omega = *(const double *)data;
    *out = (mo_motion){.q = {0, 0, omega * t}, .u = {0, 0, omega}};
    return MO_OK;
}

#endif
