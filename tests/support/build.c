#include "support/build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect_ok(mo_status s, const mo_error *err)
{
    if (s == MO_OK)
        return;
    print_error("%s: %s: %s\n", mo_status_name(s), err->key, err->message);
    fail();
}

mo_world_def tight_def(double h, double g)
{
    mo_world_def def = mo_default_world_def();
    def.h = h;
    def.gravity[1] = -g;
    def.solver.tol = 1e-12;
    def.solver.max_iter = 20000;
    return def;
}

mo_world *make_world_def(const mo_world_def *def)
{
    mo_error err;
    mo_world *w = NULL;
    expect_ok(mo_world_create(def, &w, &err), &err);
    return w;
}

mo_world *make_world(double h, double g)
{
    mo_world_def def = tight_def(h, g);
    return make_world_def(&def);
}

void set_law(mo_world *w, double friction, double restitution, double tangential)
{
    mo_error err;
    mo_law law = {.friction = friction, .restitution = restitution, .tangential_restitution = tangential};
    expect_ok(mo_world_set_default_law(w, &law, &err), &err);
}

mo_body add_def(mo_world *w, const mo_body_def *def)
{
    mo_error err;
    mo_body b = {0};
    expect_ok(mo_body_create(w, def, &b, &err), &err);
    return b;
}

mo_body add_disc(mo_world *w, double x, double y, double r, double density)
{
    mo_body_def def = mo_default_body_def();
    def.shape = (mo_shape_def){.kind = MO_SHAPE_DISC, .radius = r};
    def.density = density;
    def.position[0] = x;
    def.position[1] = y;
    return add_def(w, &def);
}

mo_body add_box(mo_world *w, double x, double y, double width, double height, double angle, double density)
{
    mo_body_def def = mo_default_body_def();
    def.shape = (mo_shape_def){.kind = MO_SHAPE_RECTANGLE, .size = {width, height}};
    def.density = density;
    def.position[0] = x;
    def.position[1] = y;
    def.angle = angle;
    return add_def(w, &def);
}

mo_body add_floor(mo_world *w, double y)
{
    mo_body_def def = mo_default_body_def();
    def.kind = MO_BODY_FIXED;
    def.shape = (mo_shape_def){.kind = MO_SHAPE_HALFPLANE, .normal = {0, 1}, .offset = y};
    return add_def(w, &def);
}

mo_body add_segment(mo_world *w, double x0, double y0, double x1, double y1)
{
    double points[4] = {x0, y0, x1, y1};
    mo_body_def def = mo_default_body_def();
    def.kind = MO_BODY_FIXED;
    def.shape = (mo_shape_def){.kind = MO_SHAPE_SEGMENT, .points = points, .point_count = 2};
    return add_def(w, &def);
}

mo_body add_halfplane(mo_world *w, double nx, double ny, double offset)
{
    mo_shape_def shape = {.kind = MO_SHAPE_HALFPLANE, .normal = {nx, ny}, .offset = offset};
    return add_shape(w, &shape, 0, 0, 0, 0);
}

mo_body add_shape(mo_world *w, const mo_shape_def *shape, double x, double y, double angle, double density)
{
    mo_body_def def = mo_default_body_def();
    def.kind = density > 0 ? MO_BODY_DYNAMIC : MO_BODY_FIXED;
    def.shape = *shape;
    def.density = density;
    def.position[0] = x;
    def.position[1] = y;
    def.angle = angle;
    return add_def(w, &def);
}

mo_body add_moved(mo_world *w, const mo_shape_def *shape, mo_motion_fn motion, void *data)
{
    mo_body_def def = mo_default_body_def();
    def.kind = MO_BODY_MOVED;
    def.shape = *shape;
    def.motion = motion;
    def.motion_data = data;
    return add_def(w, &def);
}

mo_shape_def disc_shape(double r)
{
    return (mo_shape_def){.kind = MO_SHAPE_DISC, .radius = r};
}

mo_shape_def box_shape(double width, double height)
{
    return (mo_shape_def){.kind = MO_SHAPE_RECTANGLE, .size = {width, height}};
}

mo_shape_def points_shape(mo_shape_kind kind, const double *points, size_t count)
{
    return (mo_shape_def){.kind = kind, .points = points, .point_count = count};
}

mo_body_state state_of(const mo_world *w, mo_body b)
{
    mo_error err;
    mo_body_state s;
    expect_ok(mo_body_get(w, b, &s, &err), &err);
    return s;
}

void set_velocity(mo_world *w, mo_body b, double vx, double vy, double spin)
{
    mo_error err;
    mo_body_state s = state_of(w, b);
    s.velocity[0] = vx;
    s.velocity[1] = vy;
    s.spin = spin;
    expect_ok(mo_body_set(w, b, &s, &err), &err);
}

void run_steps(mo_world *w, int n, bool converge)
{
    mo_error err;
    for (int i = 0; i < n; i++) {
        expect_ok(mo_world_step(w, &err), &err);
        if (converge)
            assert_true(mo_world_info_get(w).solver.converged);
    }
}

mo_restart restart_of(const mo_world *w)
{
    const mo_bodies b = mo_world_bodies(w);
    const mo_contacts c = mo_world_contacts(w);
    return (mo_restart){.totals = mo_world_totals_get(w),
                        .body_count = b.count,
                        .id = b.id,
                        .q = b.q,
                        .u = b.u,
                        .load = mo_world_loads(w),
                        .force = mo_world_forces(w),
                        .contact_count = c.count,
                        .id1 = c.id1,
                        .id2 = c.id2,
                        .feature = c.feature,
                        .point = c.point,
                        .normal = c.normal,
                        .gap = c.gap,
                        .impulse = c.impulse,
                        .velocity = c.velocity,
                        .status = c.status};
}
