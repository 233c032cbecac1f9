/*
 * Joints of a world: making, removing, reading.
 */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "world/world.h"

mo_joint_def mo_default_joint_def(void)
{
    return (mo_joint_def){.length = -1, .limits = {-HUGE_VAL, HUGE_VAL}};
}

// bodies or joints have come or gone
static void forget_neighbours(mo_world *w)
{
    w->neighbours.valid = false;
    w->sleepers.known = false;
}

void world_body_came(mo_world *w)
{
    forget_neighbours(w);
    w->joints.changed = true;
}

void world_bind_joints(mo_world *w)
{
    forget_neighbours(w);
    if (w->joints.count > 0 || w->bodies.apart_count > 0)
        joints_bind(&w->joints, &w->bodies);
}

static bool has_points(const mo_joint_def *def)
{
    return def->kind == MO_JOINT_DISTANCE || def->kind == MO_JOINT_SPRING;
}

static mo_status check_bodies(const mo_world *w, const mo_joint_def *def, mo_error *err)
{
    const bodies *b = &w->bodies;
    size_t one = bodies_slot(b, def->body1.id), two = bodies_slot(b, def->body2.id);
    if (one == SIZE_MAX || (def->body2.id != 0 && two == SIZE_MAX))
        return fail(err, MO_BAD_INPUT, "bodies", "body %u is not in the world",
                    (unsigned)(one == SIZE_MAX ? def->body1.id : def->body2.id));
    if (def->body1.id == def->body2.id)
        return fail(err, MO_BAD_INPUT, "bodies", "found body %u twice, expected two bodies",
                    (unsigned)def->body1.id);
    if (b->kind[one] != MO_BODY_DYNAMIC && (def->body2.id == 0 || b->kind[two] != MO_BODY_DYNAMIC))
        return fail(err, MO_BAD_INPUT, "bodies", "no body of the joint can move: one must be dynamic");
    if (w->has_cell && world_cell_deforms(w))
        return world_cell_check_joint(w, &w->control, def, err);
    return MO_OK;
}

static mo_status check_place(const mo_world *w, const mo_joint_def *def, mo_error *err)
{
    const size_t dim = w->bodies.dim;
    double axis = 0;
    for (size_t k = 0; k < dim; k++) {
        if (!isfinite(def->at[k]) || (has_points(def) && !isfinite(def->at2[k])))
            return fail(err, MO_BAD_INPUT, "at", "found a coordinate that is not finite");
        axis += fabs(def->axis[k]);
    }
    bool needs = def->kind == MO_JOINT_SLIDER || (def->kind == MO_JOINT_HINGE && dim == 3);
    if (needs && !(axis > 0 && isfinite(axis)))
        return fail(err, MO_BAD_INPUT, "axis", "a %s needs a direction other than zero",
                    def->kind == MO_JOINT_SLIDER ? "slider" : "hinge in 3D");
    return MO_OK;
}

static mo_status check_limits(const mo_world *w, const mo_joint_def *def, mo_error *err)
{
    const double *l = def->limits;
    bool turns = def->kind == MO_JOINT_HINGE, slides = def->kind == MO_JOINT_SLIDER;
    if (!def->limited)
        return MO_OK;
    if (!turns && !slides && def->kind != MO_JOINT_DISTANCE)
        return fail(err, MO_BAD_INPUT, "limits", "only hinges, sliders and distances have limits");
    if (!(l[0] <= l[1]))
        return fail(err, MO_BAD_INPUT, "limits", "found %g and %g, expected low <= high", l[0], l[1]);
    if (def->kind == MO_JOINT_DISTANCE && !(l[1] >= 0))
        return fail(err, MO_BAD_INPUT, "limits", "found %g, expected a distance >= 0", l[1]);
    // an angle in space is known up to whole turns
    const double pi = 3.14159265358979323846;
    if (turns && w->bodies.dim == 3 && ((isfinite(l[0]) && l[0] < -pi) || (isfinite(l[1]) && l[1] > pi)))
        return fail(err, MO_BAD_INPUT, "limits", "found %g and %g, expected angles in [-pi, pi]", l[0], l[1]);
    return MO_OK;
}

static mo_status check_motor(mo_joint_kind kind, double speed, double max_load, mo_error *err)
{
    if (kind != MO_JOINT_HINGE && kind != MO_JOINT_SLIDER)
        return fail(err, MO_BAD_INPUT, "motor", "only hinges and sliders have motors");
    if (!isfinite(speed))
        return fail(err, MO_BAD_INPUT, "motor", "found the speed %g, expected a finite number", speed);
    if (!(max_load >= 0))
        return fail(err, MO_BAD_INPUT, "motor", "found the largest %s %g, expected a number >= 0",
                    kind == MO_JOINT_HINGE ? "torque" : "force", max_load);
    return MO_OK;
}

static mo_status check_numbers(const mo_joint_def *def, mo_error *err)
{
    if (has_points(def) && !isfinite(def->length))
        return fail(err, MO_BAD_INPUT, "length", "found %g, expected a length", def->length);
    if (def->kind != MO_JOINT_SPRING)
        return MO_OK;
    if (!(def->stiffness >= 0 && isfinite(def->stiffness)))
        return fail(err, MO_BAD_INPUT, "stiffness", "found %g, expected a number >= 0", def->stiffness);
    if (!(def->damping >= 0 && isfinite(def->damping)))
        return fail(err, MO_BAD_INPUT, "damping", "found %g, expected a number >= 0", def->damping);
    if (def->stiffness == 0 && def->damping == 0)
        return fail(err, MO_BAD_INPUT, "stiffness", "a spring needs stiffness or damping");
    return MO_OK;
}

// in a cell points are joined through the nearest image, so that no joint may be longer than half of it
static mo_status check_span(const mo_world *w, const mo_joint_def *def, mo_error *err)
{
    const double width = w->has_cell ? cell_least_width(&w->cell) : HUGE_VAL;
    double span = def->length;
    if (!has_points(def))
        return MO_OK;
    if (def->kind == MO_JOINT_DISTANCE && def->limited && isfinite(def->limits[1]))
        span = fmax(span, def->limits[1]);
    if (span < 0.5 * width)
        return MO_OK;
    return fail(err, MO_BAD_INPUT, "length",
                "found %g m in a cell that is %g m wide, expected less than half of it", span, width);
}

static mo_status check_joint(const mo_world *w, const mo_joint_def *def, mo_error *err)
{
    if ((unsigned)def->kind > MO_JOINT_SPRING)
        return fail(err, MO_BAD_INPUT, "kind", "found kind number %d, expected one of mo_joint_kind",
                    (int)def->kind);
    mo_status s = check_bodies(w, def, err);
    if (s == MO_OK)
        s = check_place(w, def, err);
    if (s == MO_OK)
        s = check_limits(w, def, err);
    if (s == MO_OK && def->driven)
        s = check_motor(def->kind, def->speed, def->max_load, err);
    if (s == MO_OK)
        s = check_numbers(def, err);
    return s == MO_OK ? check_span(w, def, err) : s;
}

// bodies that a joint holds do not sleep
static void touch(mo_world *w, mo_body body)
{
    size_t slot = bodies_slot(&w->bodies, body.id);
    if (slot == SIZE_MAX)
        return;
    w->bodies.rest[slot] = 0;
}

double world_springs(const mo_world *w)
{
    return w->balanced ? joints_potential(&w->joints, &w->bodies) : 0;
}

// energy of springs that come and go once the balance has begun
static void count_springs(mo_world *w, double before)
{
    if (w->balanced)
        w->totals.work_external += joints_potential(&w->joints, &w->bodies) - before;
}

mo_status mo_joint_create(mo_world *w, const mo_joint_def *def, mo_joint *out, mo_error *err)
{
    mo_status s = check_joint(w, def, err);
    if (s != MO_OK)
        return s;
    double before = world_springs(w);
    if (!joints_add(&w->joints, &w->bodies, def, &out->id))
        return fail(err, MO_NO_MEMORY, NULL, "out of memory for a joint");
    touch(w, def->body1);
    touch(w, def->body2);
    joints_bind_last(&w->joints, &w->bodies);
    forget_neighbours(w);
    count_springs(w, before);
    return MO_OK;
}

static size_t find_or_fail(const mo_world *w, mo_joint which, mo_error *err)
{
    size_t k = joints_find(&w->joints, which.id);
    if (k == SIZE_MAX)
        fail(err, MO_USAGE, "joint", "joint %u is not in the world", (unsigned)which.id);
    return k;
}

mo_status mo_joint_remove(mo_world *w, mo_joint which, mo_error *err)
{
    size_t k = find_or_fail(w, which, err);
    if (k == SIZE_MAX)
        return MO_USAGE;
    double before = world_springs(w);
    joints_remove(&w->joints, &w->bodies, k);
    forget_neighbours(w);
    count_springs(w, before);
    return MO_OK;
}

void world_body_gone(mo_world *w, size_t slot, double springs)
{
    forget_neighbours(w);
    if (w->joints.count == 0)
        return;
    joints_body_gone(&w->joints, &w->bodies, (uint32_t)slot);
    count_springs(w, springs);
}

bool mo_joint_exists(const mo_world *w, mo_joint which)
{
    return joints_find(&w->joints, which.id) != SIZE_MAX;
}

size_t mo_world_joint_count(const mo_world *w)
{
    return w->joints.count;
}

void mo_joint_raw_get(const mo_world *w, size_t place, mo_joint_raw *out)
{
    static const double along[3] = {1, 0, 0};
    const joint *k = &w->joints.list[place];
    const bool space = w->bodies.dim == 3;
    *out = (mo_joint_raw){
        .id = w->joints.ids[place], .kind = k->def.kind, .body = {k->def.body1.id, k->def.body2.id}};
    memcpy(out->anchor, k->anchor, sizeof out->anchor);
    if (k->def.kind != MO_JOINT_SLIDER && !(k->def.kind == MO_JOINT_HINGE && space))
        return;
    quat_rotate(k->frame[0], along, out->axis);
    if (!space)
        out->axis[2] = 0;
}

mo_status mo_joint_get(const mo_world *w, mo_joint which, mo_joint_state *out, mo_error *err)
{
    size_t n = find_or_fail(w, which, err);
    if (n == SIZE_MAX)
        return MO_USAGE;
    const joint *k = &w->joints.list[n];
    *out = (mo_joint_state){.kind = k->def.kind,
                            .body1 = k->def.body1,
                            .body2 = k->def.body2,
                            .value = joint_value(&w->bodies, k, w->bodies.q),
                            .rate = joint_rate(&w->bodies, k, w->has_cell ? w->rate : NULL),
                            .motor = k->motor,
                            .max_load = k->def.max_load};
    joint_point(&w->bodies, k, out->point);
    vec3_copy(k->force, out->force);
    vec3_copy(k->torque, out->torque);
    if (w->bodies.dim == 2)
        vec3_set(out->torque, k->torque[2], 0, 0);
    return MO_OK;
}

mo_status mo_joint_drive(mo_world *w, mo_joint which, double speed, double max_load, mo_error *err)
{
    size_t n = find_or_fail(w, which, err);
    if (n == SIZE_MAX)
        return MO_USAGE;
    mo_joint_def *def = &w->joints.list[n].def;
    if (!def->driven)
        return fail(err, MO_USAGE, "motor", "joint %u has no motor", (unsigned)which.id);
    mo_status s = check_motor(def->kind, speed, max_load, err);
    if (s != MO_OK)
        return s;
    def->speed = speed;
    def->max_load = max_load;
    return MO_OK;
}
