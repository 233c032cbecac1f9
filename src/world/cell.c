/*
 * The periodic cell of a world: making it, what may be in it, wrapping bodies, and how it is told to deform
 * (docs/theory/periodic.md).  How it does: cell_step.c.
 */
#include <math.h>
#include <string.h>

#include "collide/detect.h"
#include "core/fail.h"
#include "math/vec3.h"
#include "world/world.h"

static const double ONE[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

mo_status world_make_cell(mo_world *w, mo_error *err)
{
    const mo_world_def *def = &w->def;
    double H[9];
    memcpy(H, ONE, sizeof H);
    w->cell.dim = (size_t)def->dim;
    for (int k = 0; k < def->dim; k++) {
        if (!def->periodic[k])
            continue;
        double length = def->cell_max[k] - def->cell_min[k];
        if (!(length > 0) || !isfinite(length) || !isfinite(def->cell_min[k]))
            return fail(err, MO_BAD_INPUT, "periodic", "found a cell from %g to %g, expected a length > 0",
                        def->cell_min[k], def->cell_max[k]);
        w->has_cell = w->cell.along[k] = true;
        w->cell.origin[k] = def->cell_min[k];
        H[4 * k] = length;
    }
    if (!w->has_cell)
        return MO_OK;
    if (!cell_set(&w->cell, H))
        return fail(err, MO_BAD_INPUT, "periodic", "found a cell whose volume is no finite number");
    w->bodies.cell = &w->cell;
    w->contacts.periodic = w->aside.periodic = w->scratch.periodic = w->sleepers.part.periodic = true;
    return MO_OK;
}

mo_cell mo_world_cell(const mo_world *w)
{
    mo_cell out = {.volume = 1};
    memcpy(out.edges, w->has_cell ? w->cell.H : ONE, sizeof out.edges);
    memcpy(out.rate, w->rate, sizeof out.rate);
    memcpy(out.periodic, w->cell.along, sizeof out.periodic);
    memcpy(out.origin, w->cell.origin, sizeof out.origin);
    out.volume = w->has_cell ? cell_volume(&w->cell) : 1;
    return out;
}

/* ---- bodies in the cell -----------------------------------------------------------------------------------
 */

// radius of a circle or sphere around the middle of a part, as neighbours.c takes it, or more
static double part_radius(const bodies *b, size_t slot, const mo_part *p)
{
    double low[3], high[3], sum = 0;
    part_bounds(b, slot, p, low, high);
    for (size_t k = 0; k < b->dim; k++)
        sum += (high[k] - low[k]) * (high[k] - low[k]);
    return 0.5 * sqrt(sum) + p->radius;
}

// whether the border of a half-plane or plane is the same in every image
static bool runs_along(const mo_world *w, size_t slot, const mo_part *p)
{
    const detect_view v = bodies_view(&w->bodies, w->bodies.q);
    double turn[9], n[3] = {0, 0, 0};
    body_turn(&v, slot, turn);
    if (v.dim == 2)
        vec3_set(n, turn[0] * p->normal[0] - turn[1] * p->normal[1],
                 turn[1] * p->normal[0] + turn[0] * p->normal[1], 0);
    else
        mat3_apply(turn, p->normal, n);
    for (size_t k = 0; k < v.dim; k++)
        if (w->cell.along[k] && fabs(n[k]) > 1e-12)
            return false;
    return true;
}

// two parts touch through one face at most when the cell is wider than both together twice
static mo_status check_width(const mo_world *w, size_t slot, double radius, double width, mo_error *err)
{
    const double need = 4 * radius * (1 + 1e-9) + 2 * fmax(w->def.contact_tolerance, 1e-8);
    if (width > need)
        return MO_OK;
    return fail(err, MO_BAD_INPUT, "periodic",
                "the cell is %g m wide, expected more than %g m: twice body %u, or the longest of its parts",
                width, need, (unsigned)w->bodies.id[slot]);
}

mo_status world_check_parts(const mo_world *w, size_t slot, double width, mo_error *err)
{
    const bodies *b = &w->bodies;
    mo_status s = MO_OK;
    for (uint32_t k = 0; k < b->part_count[slot] && s == MO_OK; k++) {
        const mo_part *p = &b->parts[b->part_first[slot] + k];
        if (p->kind != MO_PART_HALFPLANE && p->kind != MO_PART_PLANE)
            s = check_width(w, slot, part_radius(b, slot, p), width, err);
        else if (!runs_along(w, slot, p))
            s = fail(err, MO_BAD_INPUT, "shape", "a %s in a periodic cell must run along all its edges",
                     b->dim == 2 ? "half-plane" : "plane");
    }
    return s;
}

bool world_cell_deforms(const mo_world *w)
{
    for (int k = 0; k < 9; k++)
        if (w->control.by_stress[k] || w->control.rate[k] != 0 || w->rate[k] != 0)
            return true;
    return false;
}

// what is fixed has no place of its own in a cell that deforms, but planes along it stretch with it
static mo_status check_boundary(const mo_world *w, size_t slot, mo_error *err)
{
    const bodies *b = &w->bodies;
    bool planes = true;
    for (uint32_t k = 0; k < b->part_count[slot]; k++) {
        const mo_part_kind kind = b->parts[b->part_first[slot] + k].kind;
        planes &= kind == MO_PART_HALFPLANE || kind == MO_PART_PLANE;
    }
    if (b->kind[slot] == MO_BODY_DYNAMIC || planes)
        return MO_OK;
    return fail(
        err, MO_BAD_INPUT, "cell",
        "body %u is fixed or moved in a cell that deforms, where its images would move apart: expected "
        "free bodies, and %s along the cell, which stretch with it",
        (unsigned)b->id[slot], b->dim == 2 ? "half-planes" : "planes");
}

// joints in a flow are between bodies that it carries, and have no part in a stress
mo_status world_cell_check_joint(const mo_world *w, const mo_cell_control *c, const mo_joint_def *def,
                                 mo_error *err)
{
    const bodies *b = &w->bodies;
    for (int k = 0; k < 9; k++)
        if (c->by_stress[k])
            return fail(
                err, MO_BAD_INPUT, "bodies",
                "found a joint in a cell under stresses, of which its force would be a part: expected rates");
    const size_t one = bodies_slot(b, def->body1.id), two = bodies_slot(b, def->body2.id);
    if (one == SIZE_MAX || two == SIZE_MAX || !is_dynamic(b, (uint32_t)one) || !is_dynamic(b, (uint32_t)two))
        return fail(
            err, MO_BAD_INPUT, "bodies",
            "found a joint to what is fixed or moved in a cell that deforms, expected two free bodies");
    return MO_OK;
}

static const char *const COMPONENT[9] = {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"};

// along axes without period there is nothing that L could change
static mo_status check_axes(const mo_world *w, const mo_cell_control *c, mo_error *err)
{
    if (!w->has_cell)
        return fail(err, MO_USAGE, "cell", "the world has no periodic cell");
    for (int k = 0; k < 9; k++) {
        const bool *along = w->cell.along, asked = c->by_stress[k] || c->rate[k] != 0;
        if (!asked || (along[k / 3] && along[k % 3]))
            continue;
        const char axis = "xyz"[along[k % 3] ? k / 3 : k % 3];
        return fail(err, MO_BAD_INPUT, c->by_stress[k] ? "stress" : "rate",
                    "found %s where the cell is not periodic along %c: along that axis it has no edge and no "
                    "stress of its own; move or load walls there",
                    COMPONENT[k], axis);
    }
    return MO_OK;
}

mo_status world_check_cell(const mo_world *w, size_t slot, mo_error *err)
{
    if (!w->has_cell)
        return MO_OK;
    mo_status s = world_cell_deforms(w) ? check_boundary(w, slot, err) : MO_OK;
    return s == MO_OK ? world_check_parts(w, slot, cell_least_width(&w->cell), err) : s;
}

void world_wrap_body(mo_world *w, size_t slot)
{
    bodies *b = &w->bodies;
    double *q = &b->q[b->nq * slot], s[3];
    if (!w->has_cell || b->kind[slot] != MO_BODY_DYNAMIC || !cell_inside(&w->cell, q, s))
        return;
    for (size_t k = 0; k < b->dim; k++)
        q[k] -= s[k];
}

/* ---- the deforming cell -----------------------------------------------------------------------------------
 */

static mo_status check_control(const mo_world *w, const mo_cell_control *c, mo_error *err)
{
    for (int k = 0; k < 9; k++)
        if (!isfinite(c->rate[k]) || !isfinite(c->stress[k]))
            return fail(err, MO_BAD_INPUT, c->by_stress[k] ? "stress" : "rate",
                        "found a component that is not finite");
    if (!(c->mass >= 0) || !isfinite(c->mass))
        return fail(err, MO_BAD_INPUT, "mass", "found %g, expected a number >= 0", c->mass);
    if (!(c->damping >= 0) || !isfinite(c->damping))
        return fail(err, MO_BAD_INPUT, "damping", "found %g, expected a number >= 0", c->damping);
    if (w->def.scheme == MO_SCHEME_BERNICOT_LEFEBVRE)
        return fail(err, MO_BAD_INPUT, "scheme", "a cell deforms in the schemes moreau and moreau-jean only");
    return check_axes(w, c, err);
}

mo_status mo_world_control_cell(mo_world *w, const mo_cell_control *control, mo_error *err)
{
    mo_cell_control c = *control;
    const size_t dim = w->bodies.dim;
    // in 2D nothing happens along z
    for (size_t k = 0; k < 9; k++)
        if (k / 3 >= dim || k % 3 >= dim) {
            c.by_stress[k] = false;
            c.rate[k] = 0;
        }
    mo_status s = check_control(w, &c, err);
    if (s != MO_OK)
        return s;
    bool some = false;
    for (int k = 0; k < 9; k++)
        some |= c.by_stress[k] || c.rate[k] != 0;
    for (size_t k = 0; k < w->joints.count && some && s == MO_OK; k++)
        s = world_cell_check_joint(w, &c, &w->joints.list[k].def, err);
    for (size_t i = 0; i < w->bodies.count && some && s == MO_OK; i++)
        s = check_boundary(w, i, err);
    if (s == MO_OK)
        w->control = c;
    return s;
}

mo_cell_control mo_world_cell_control(const mo_world *w)
{
    return w->control;
}

mo_status world_restore_cell(mo_world *w, const mo_restart *r, mo_error *err)
{
    if (!w->has_cell || r->edges == NULL)
        return MO_OK;
    periodic_cell c = w->cell;
    for (int k = 0; k < 9; k++)
        if (!isfinite(r->rate[k]))
            return fail(err, MO_BAD_INPUT, "rate", "found a rate of the cell that is not finite");
    if (!cell_set(&c, r->edges))
        return fail(err, MO_BAD_INPUT, "edges", "found a cell without volume");
    w->cell = c;
    memcpy(w->rate, r->rate, sizeof w->rate);
    w->neighbours.valid = false;
    return MO_OK;
}
