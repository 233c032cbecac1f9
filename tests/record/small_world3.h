/* A small world in space with every kind of shape, and runs of it. */
#ifndef RECORD_SMALL_WORLD3_H
#define RECORD_SMALL_WORLD3_H

#include "record/small_world.h"

#include <math.h>

/* a lift that goes up and down and turns about z */
static inline mo_status lift(void *data, double t, mo_motion *out, mo_error *err)
{
    (void)data;
    (void)err;
    const double a = 0.3 * t;
    *out = (mo_motion){.q = {1, 0, 0.02 * sin(20 * t), cos(a / 2), 0, 0, sin(a / 2)},
                       .u = {0, 0, 0.4 * cos(20 * t), 0, 0, 0.3}};
    return MO_OK;
}

static inline mo_status grow(void *data, double t, double *radius, double *rate, mo_error *err)
{
    (void)data;
    (void)err;
    *radius = 0.05 + 0.1 * t;
    *rate = 0.1;
    return MO_OK;
}

static inline mo_body_def solid_def(mo_shape_def shape, double x, double y, double z, const char *group)
{
    mo_body_def def = mo_default_body_def();
    def.shape = shape;
    def.position[0] = x, def.position[1] = y, def.position[2] = z;
    def.group = group;
    def.density = 1000;
    return def;
}

static inline mo_body add_solid(mo_world *world, const mo_body_def *def)
{
    mo_body body = {0};
    must(mo_body_create(world, def, &body, err));
    return body;
}

static inline mo_body add_wall(mo_world *world, mo_shape_def shape, const char *name)
{
    mo_body_def def = solid_def(shape, 0, 0, 0, "wall");
    def.kind = MO_BODY_FIXED;
    def.density = 0;
    def.name = name;
    return add_solid(world, &def);
}

/* bodies of a few millimetres: their contact tolerance goes with their size */
static inline void add_pebbles(mo_world *world, double x)
{
    static const double corners[] = {0, 0,     0,     0.006, 0,     0.001, 0,    0.005,
                                     0, 0.001, 0.001, 0.004, 0.004, 0.004, 0.003};
    const mo_shape_def shapes[] = {{.kind = MO_SHAPE_CYLINDER, .radius = 0.002, .height = 0.003},
                                   {.kind = MO_SHAPE_CONVEX, .points = corners, .point_count = 5},
                                   {.kind = MO_SHAPE_CAPSULE, .radius = 0.001, .height = 0.003},
                                   {.kind = MO_SHAPE_BOX, .size = {0.002, 0.003, 0.004}}};
    for (int i = 0; i < 4; i++) {
        mo_body_def def = solid_def(shapes[i], x + 0.0011 * i, 0.0007 * i, 0.004 + 0.005 * i, "pebble");
        def.orientation[0] = 1, def.orientation[1] = 0.3 * i, def.orientation[2] = -0.2;
        def.spin3[1] = 3.0 * i;
        // inertias as given lie along the shape's axes, so that the axes of the least extent are others
        if (i == 1)
            def.inertia3[0] = 1e-10, def.inertia3[1] = 2e-10, def.inertia3[2] = 2.5e-10;
        add_solid(world, &def);
    }
}

static inline mo_body add_ball(mo_world *world, double x, double y, double z)
{
    const mo_body_def def =
        solid_def((mo_shape_def){.kind = MO_SHAPE_SPHERE, .radius = 0.04}, x, y, z, "grain");
    return add_solid(world, &def);
}

static inline void add_boundaries(mo_world *world)
{
    static const double corners[] = {-2, -1, 0.3, -1.2, -1, 0, -1.2, 1, 0, -2, 1, 0.3};
    static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    add_wall(world, (mo_shape_def){.kind = MO_SHAPE_PLANE, .normal = {0, 0, 1}}, "floor");
    add_wall(world,
             (mo_shape_def){.kind = MO_SHAPE_MESH,
                            .points = corners,
                            .point_count = 4,
                            .triangles = triangles,
                            .triangle_count = 2},
             "ramp");
    mo_body_def def =
        solid_def((mo_shape_def){.kind = MO_SHAPE_BOX, .size = {0.4, 0.4, 0.1}}, 1, 0, 0, "wall");
    def.kind = MO_BODY_MOVED;
    def.density = 0;
    def.motion = lift;
    add_solid(world, &def);
}

/* compound that keeps its origin, cylinder, box that turns about z alone, sphere for walls alone, sphere that
   grows */
static inline void add_lumps(mo_world *world)
{
    static const mo_shape_def ball = {.kind = MO_SHAPE_SPHERE, .radius = 0.05};
    static const mo_shape_def rod = {.kind = MO_SHAPE_CAPSULE, .radius = 0.03, .height = 0.15};
    static const mo_shape_child children[] = {
        {.shape = &ball, .position = {0.3, 0, 0}},
        {.shape = &rod, .position = {0.2, 0.05, 0}, .orientation = {0.8, 0, 0.6, 0}}};
    mo_body_def def =
        solid_def((mo_shape_def){.kind = MO_SHAPE_COMPOUND, .children = children, .child_count = 2}, 0, 0.5,
                  0.15, "grain");
    def.keep_origin = true;
    def.name = "lump";
    def.orientation[0] = 1, def.orientation[3] = 0.5;
    def.spin3[2] = 2;
    add_solid(world, &def);
    def = solid_def((mo_shape_def){.kind = MO_SHAPE_CYLINDER, .radius = 0.08, .height = 0.1}, 1, 0, 0.15,
                    "grain");
    def.spin3[0] = 0.5;
    add_solid(world, &def);
    def = solid_def((mo_shape_def){.kind = MO_SHAPE_BOX, .size = {0.2, 0.1, 0.1}}, -0.5, 0, 0.05, "grain");
    def.free = MO_FREE_X | MO_FREE_Y | MO_FREE_Z | MO_FREE_WZ;
    def.velocity[0] = 0.5;
    def.applied_torque3[2] = 0.2;
    add_solid(world, &def);
    static const char *const others[] = {"wall"};
    def = solid_def(ball, -1.6, 0.1, 0.35, "grain");
    def.collides_with = others;
    def.collides_with_count = 1;
    add_solid(world, &def);
    def = solid_def(ball, -0.9, -0.5, 0.06, "grain");
    def.radius = grow;
    add_solid(world, &def);
}

static inline mo_world *small_world3(int balls)
{
    mo_world_def def = mo_default_world_def();
    def.dim = 3;
    def.h = 0.002;
    def.gravity[0] = 0.5;
    def.gravity[2] = -9.81;
    mo_world *world = NULL;
    must(mo_world_create(&def, &world, err));
    const mo_law law = {.friction = 0.3, .restitution = 0.1};
    must(mo_world_set_default_law(world, &law, err));
    add_boundaries(world);
    add_lumps(world);
    add_pebbles(world, 0.1);
    for (int i = 0; i < balls; i++)
        add_ball(world, -0.3 + 0.085 * (i % 5), 0.9 + 0.081 * (i / 5 % 5), 0.05 + 0.082 * (i / 25));
    return world;
}

/* frames ten steps apart */
static inline mo_world *record_small3(const char *path, int balls, int frames, mo_recorder **rec)
{
    return record_frames(path, small_world3(balls), frames, 10, rec);
}

static inline mo_run *sample_run3(const char *path, int balls, int frames)
{
    mo_recorder *rec = NULL;
    mo_world *world = record_small3(path, balls, frames, &rec);
    return finish_and_open(path, world, rec);
}

#endif
