/*
 * Compression in a private world (press.h), over the public functions of worlds.
 */
#include "scene/press.h"

#include <moreau/measure.h>

#include <math.h>
#include <string.h>

/* way of a piston in one step when nothing holds it, and half the thickness of one */
static const double REACH = 0.1, HALF = 0.5;

static double area_across(const press *p, size_t k)
{
    double area = 1;
    for (size_t j = 0; j < p->dim; j++)
        area *= j != k ? p->box[j] : 1;
    return area;
}

static size_t longest(const press *p)
{
    size_t most = 0;
    for (size_t k = 1; k < p->dim; k++)
        most = p->box[k] > p->box[most] ? k : most;
    return most;
}

static mo_status add_balls(press *p, mo_error *err)
{
    mo_status status = MO_OK;
    for (size_t i = 0; i < p->count && status == MO_OK; i++) {
        mo_body_def def = mo_default_body_def();
        def.shape.kind = p->dim == 2 ? MO_SHAPE_DISC : MO_SHAPE_SPHERE;
        def.shape.radius = p->radius[i];
        def.density = 1;
        def.group = "ball";
        memcpy(def.position, p->centre + p->dim * i, p->dim * sizeof *def.position);
        status = mo_body_create(p->world, &def, &p->body[i], err);
    }
    return status;
}

/* the half-space below 0 along axis k */
static mo_status add_plane(press *p, size_t k, mo_error *err)
{
    mo_body_def def = mo_default_body_def();
    def.kind = MO_BODY_FIXED;
    def.group = "wall";
    def.shape.kind = p->dim == 2 ? MO_SHAPE_HALFPLANE : MO_SHAPE_PLANE;
    def.shape.normal[k] = 1;
    return mo_body_create(p->world, &def, &p->body[p->count + k], err);
}

/* a slab above box[k]; its mass makes it go by REACH a step along the longest side of the box when nothing
   holds it, and in proportion along the others */
static mo_status add_piston(press *p, size_t k, mo_error *err)
{
    static const unsigned along[3] = {MO_FREE_X, MO_FREE_Y, MO_FREE_Z};
    static const char *const balls[1] = {"ball"};
    mo_body_def def = mo_default_body_def();
    def.group = "wall";
    def.shape.kind = p->dim == 2 ? MO_SHAPE_RECTANGLE : MO_SHAPE_BOX;
    for (size_t j = 0; j < p->dim; j++) {
        def.shape.size[j] = j == k ? 2 * HALF : 2 * p->box[j];
        def.position[j] = j == k ? p->box[j] + HALF : 0.5 * p->box[j];
    }
    def.mass = p->h * p->h * area_across(p, k) * p->box[longest(p)] / (REACH * p->box[k]);
    def.free = along[k];
    def.collides_with = balls;
    def.collides_with_count = 1;
    return mo_body_create(p->world, &def, &p->body[p->count + p->dim + k], err);
}

static double mass_of_balls(const press *p)
{
    const double pi = acos(-1.0);
    double sum = 0;
    for (size_t i = 0; i < p->count; i++)
        sum += p->dim == 2 ? pi * pow(p->radius[i], 2) : 4 * pi / 3 * pow(p->radius[i], 3);
    return sum;
}

/* walls without friction, balls with */
static mo_status set_laws(press *p, double friction, mo_error *err)
{
    mo_law none = mo_world_default_law(p->world), rough = none;
    rough.friction = friction;
    mo_status status = mo_world_set_law(p->world, "ball", "wall", &none, err);
    return status == MO_OK ? mo_world_set_law(p->world, "ball", "ball", &rough, err) : status;
}

mo_status press_begin(press *p, double friction, mo_solver_name solver, double tol, mo_error *err)
{
    mo_world_def def = mo_default_world_def();
    /* the lightest piston is half as heavy as all balls */
    def.dim = (int)p->dim;
    def.h = p->h = sqrt(REACH * 0.5 * mass_of_balls(p) / area_across(p, longest(p)));
    p->tol = tol;
    def.scheme = MO_SCHEME_BERNICOT_LEFEBVRE;
    def.solver.name = solver;
    def.solver.tol = tol;
    def.solver.stop = p->stop;
    def.solver.stop_data = p->stop_data;
    def.threads = p->threads;
    mo_status status = mo_world_create(&def, &p->world, err);
    if (status == MO_OK)
        status = set_laws(p, friction, err);
    if (status == MO_OK)
        status = add_balls(p, err);
    for (size_t k = 0; k < p->dim && status == MO_OK; k++)
        status = add_plane(p, k, err);
    for (size_t k = 0; k < p->dim && status == MO_OK; k++)
        status = add_piston(p, k, err);
    return status;
}

/* everything at rest, the pressure on the pistons */
static mo_status stand_still(press *p, mo_error *err)
{
    mo_status status = MO_OK;
    mo_body_state b;
    for (size_t i = 0; i < p->count + 2 * p->dim && status == MO_OK; i++) {
        if (i >= p->count && i < p->count + p->dim)
            continue;
        status = mo_body_get(p->world, p->body[i], &b, err);
        memset(b.velocity, 0, sizeof b.velocity);
        memset(b.spin3, 0, sizeof b.spin3);
        b.spin = 0;
        size_t k = i - p->count - p->dim;
        if (i >= p->count)
            b.applied_force[k] = -area_across(p, k);
        if (status == MO_OK)
            status = mo_body_set(p->world, p->body[i], &b, err);
    }
    return status;
}

/* how far things went, where the pistons are and what they carry */
static void look(press *p)
{
    mo_bodies bodies = mo_world_bodies(p->world);
    size_t nq = p->dim == 2 ? 3 : 7, nu = p->dim == 2 ? 3 : 6;
    p->moved = 0;
    for (size_t i = 0; i < bodies.count; i++)
        for (size_t k = 0; k < p->dim; k++)
            p->moved = fmax(p->moved, p->h * fabs(bodies.u[nu * i + k]));
    for (size_t k = 0; k < p->dim; k++) {
        mo_body piston = p->body[p->count + p->dim + k];
        double force[3] = {0, 0, 0};
        p->box[k] = bodies.q[nq * mo_world_slot(p->world, piston) + k] - HALF;
        (void)mo_measure_force_on(p->world, piston, force, NULL);
        p->load[k] = force[k] / area_across(p, k);
    }
}

mo_status press_step(press *p, mo_error *err)
{
    mo_status status = stand_still(p, err);
    if (status == MO_OK)
        status = mo_world_step(p->world, err);
    if (status != MO_OK)
        return status;
    p->steps++;
    look(p);
    return MO_OK;
}

/* a ball's id is its number plus one: they were made first */
static void touch(press *p, uint32_t id)
{
    if (id > p->count)
        return;
    p->loaded += p->touched[id - 1] == 0;
    p->touched[id - 1] = 1;
    p->ends++;
}

/* contacts that push by more than the solver may be wrong, and balls that have one: forces of a packing go
   down over many orders of magnitude */
static void count_contacts(press *p)
{
    mo_contacts c = mo_world_contacts(p->world);
    double most = 0;
    for (size_t i = 0; i < c.count; i++)
        most = fmax(most, c.impulse[p->dim * i]);
    memset(p->touched, 0, p->count);
    p->contacts = p->loaded = p->ends = 0;
    for (size_t i = 0; i < c.count; i++) {
        if (!(c.impulse[p->dim * i] > 10 * p->tol * most))
            continue;
        p->contacts++;
        touch(p, c.id1[i]);
        touch(p, c.id2[i]);
    }
}

void press_end(press *p)
{
    if (p->world == NULL)
        return;
    mo_bodies bodies = mo_world_bodies(p->world);
    size_t nq = p->dim == 2 ? 3 : 7;
    for (size_t i = 0; i < bodies.count && i < p->count; i++)
        memcpy(p->centre + p->dim * i, bodies.q + nq * i, p->dim * sizeof(double));
    count_contacts(p);
    mo_world_destroy(p->world);
    p->world = NULL;
}
