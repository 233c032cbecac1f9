/*
 * Measures of a world (docs/theory/measures.md).
 */
#include <math.h>
#include <moreau/measure.h>
#include <stdlib.h>
#include <string.h>

#include "core/fail.h"
#include "math/quat.h"
#include "measure/area.h"
#include "measure/network.h"
#include "measure/region.h"
#include "measure/volume.h"
#include "world/world.h"

double mo_measure_kinetic_energy(const mo_world *w)
{
    return mo_world_info_get(w).energy.kinetic;
}

double mo_measure_potential_energy(const mo_world *w)
{
    return mo_world_info_get(w).energy.potential;
}

size_t mo_measure_contact_count(const mo_world *w)
{
    return w->contacts.count;
}

size_t mo_measure_sliding_count(const mo_world *w)
{
    size_t n = 0;
    for (size_t i = 0; i < w->contacts.count; i++)
        n += w->contacts.status[i] == MO_CONTACT_SLIDE ? 1 : 0;
    return n;
}

double mo_measure_max_penetration(mo_world *w)
{
    stage_data d = world_stage(w);
    double depth = 0;
    mo_status s = deepest_overlap(&w->bodies, &w->neighbours, &d, &w->scratch, &w->arena, &depth, NULL, NULL);
    arena_reset(&w->arena);
    return s == MO_OK ? depth : (double)NAN;
}

double mo_measure_coordination(const mo_world *w)
{
    const contact_set *c = &w->contacts;
    const double least = least_impulse(w);
    size_t ends = 0, touched = 0;
    uint8_t *seen = calloc(w->bodies.count + 1, 1);
    if (seen == NULL)
        return (double)NAN;
    for (size_t i = 0; i < c->count; i++) {
        const uint32_t slots[2] = {c->slot1[i], c->slot2[i]};
        for (int k = 0; k < 2 && c->S[w->bodies.dim * i] > least; k++) {
            if (!is_dynamic(&w->bodies, slots[k]))
                continue;
            ends++;
            touched += seen[slots[k]] == 0 ? 1 : 0;
            seen[slots[k]] = 1;
        }
    }
    free(seen);
    return touched > 0 ? (double)ends / (double)touched : 0;
}

// the part in the world's frame; x: room for its vertices
static solid_part place(const mo_world *w, size_t slot, const mo_part *p, double *x)
{
    const bodies *b = &w->bodies;
    const double *q = &b->q[7 * slot],
                 *v = b->vertices + 3 * (size_t)(b->vertex_first[slot] + p->vertex_first);
    double R[9];
    quat_to_matrix(q + 3, R);
    for (uint32_t k = 0; k < p->vertex_count; k++) {
        mat3_apply(R, v + 3 * k, x + 3 * k);
        vec3_add(q, x + 3 * k, x + 3 * k);
    }
    bool faces = p->kind == MO_PART_POLYHEDRON;
    return (solid_part){.kind = p->kind,
                        .points = x,
                        .count = p->vertex_count,
                        .radius = p->radius,
                        .faces = faces ? b->faces + b->face_first[slot] + p->link.face.first : NULL,
                        .face_count = faces ? p->link.face.count : 0};
}

// room for the vertices of the part with most of them, and for what cutting them needs
static double *part_scratch(const bodies *b)
{
    size_t most = 1;
    for (size_t k = 0; k < b->part_total; k++)
        most = b->parts[k].vertex_count > most ? b->parts[k].vertex_count : most;
    return malloc((6 * most + 16) * sizeof(double));
}

static mo_status out_of_memory(mo_error *err)
{
    return fail(err, MO_NO_MEMORY, NULL, "out of memory for a measure");
}

// r: from a body's centre, in whatever image of it is nearest; cell NULL: there are none
static void arm_from(const periodic_cell *cell, size_t dim, const double *point, const double *q, double r[3])
{
    double s[3] = {0, 0, 0};
    for (size_t k = 0; k < dim; k++)
        r[k] = point[k] - q[k];
    if (cell == NULL)
        return;
    cell_nearest(cell, r, s);
    for (size_t k = 0; k < dim; k++)
        r[k] -= s[k];
}

// the box around all dynamic bodies, the cell along its axes
static mo_status whole_region(const mo_world *w, mo_region *out, mo_error *err)
{
    const bool any = world_free_box(w, w->bodies.q, out->min, out->max);
    bool all = any || w->has_cell;
    for (size_t k = 0; k < w->bodies.dim && w->has_cell; k++) {
        all &= w->cell.along[k] || any;
        if (w->cell.along[k]) {
            out->min[k] = w->cell.origin[k];
            out->max[k] = w->cell.origin[k] + w->cell.H[4 * k];
        }
    }
    return all ? MO_OK
               : fail(err, MO_BAD_INPUT, "region",
                      "found no free body to draw a box around, expected a region");
}

static mo_status choose_region(const mo_world *w, const mo_region *region, mo_region *out, mo_error *err)
{
    mo_status s = MO_OK;
    if (region != NULL)
        *out = *region;
    else
        s = whole_region(w, out, err);
    return s == MO_OK ? region_check(w, out, err) : s;
}

// area, or volume; cell: the region is this one along its axes, whatever its angles; NULL: it is not
static double region_size(const mo_world *w, const mo_region *r, const periodic_cell *cell)
{
    double size = cell != NULL ? cell_volume(cell) : 1;
    for (size_t k = 0; k < w->bodies.dim; k++)
        size *= cell != NULL && cell->along[k] ? 1 : r->max[k] - r->min[k];
    return size;
}

// area or volume of one part inside the region; scratch large enough for its vertices
static double part_inside(const mo_world *w, size_t slot, const mo_part *p, const mo_region *r,
                          double *scratch)
{
    if (w->bodies.dim == 3) {
        solid_part placed = place(w, slot, p, scratch);
        return part_in_box(&placed, r->min, r->max);
    }
    const double *q = &w->bodies.q[3 * slot], c = cos(q[2]), s = sin(q[2]);
    const double *v = w->bodies.vertices + 2 * (size_t)(w->bodies.vertex_first[slot] + p->vertex_first);
    double *x = scratch;
    for (uint32_t k = 0; k < p->vertex_count; k++) {
        x[2 * k] = q[0] + (c * v[2 * k] - s * v[2 * k + 1]);
        x[2 * k + 1] = q[1] + (s * v[2 * k] + c * v[2 * k + 1]);
    }
    if (p->kind == MO_PART_DISC) {
        double min[2] = {r->min[0] - x[0], r->min[1] - x[1]}, max[2] = {r->max[0] - x[0], r->max[1] - x[1]};
        return disc_in_box(p->radius, min, max);
    }
    if (p->kind == MO_PART_POLYGON)
        return polygon_in_box(x, p->vertex_count, r->min, r->max, x + 2 * (size_t)p->vertex_count);
    return 0;
}

// area or volume of one part inside the region, in all its images
static double images_inside(const mo_world *w, size_t slot, const mo_part *p, const mo_region *r,
                            double *scratch)
{
    double sum = 0, shift[3];
    const double *q = &w->bodies.q[w->bodies.nq * slot];
    for (region_images i = region_begin(w, r, q, w->bodies.radius[slot]); region_next(&i, shift);) {
        mo_region moved = *r;
        for (size_t e = 0; e < w->bodies.dim; e++) {
            moved.min[e] -= shift[e];
            moved.max[e] -= shift[e];
        }
        sum += part_inside(w, slot, p, &moved, scratch);
    }
    return sum;
}

// the whole cell where nothing else is asked for: what is outside on one side is inside on the other
static double cell_inside_of(const mo_world *w, size_t slot, const mo_part *p, const mo_region *r,
                             double *scratch)
{
    mo_region wide = *r;
    const double *q = &w->bodies.q[w->bodies.nq * slot], radius = 2 * w->bodies.radius[slot];
    for (size_t k = 0; k < w->bodies.dim; k++)
        if (w->cell.along[k]) {
            wide.min[k] = q[k] - radius;
            wide.max[k] = q[k] + radius;
        }
    return part_inside(w, slot, p, &wide, scratch);
}

mo_status mo_measure_solid_fraction(const mo_world *w, const mo_region *region, double *out, mo_error *err)
{
    const bodies *b = &w->bodies;
    mo_region r;
    mo_status s = choose_region(w, region, &r, err);
    if (s != MO_OK)
        return s;
    double area = 0, *scratch = part_scratch(b);
    double (*measure)(const mo_world *, size_t, const mo_part *, const mo_region *, double *) =
        !w->has_cell     ? part_inside
        : region != NULL ? images_inside
                         : cell_inside_of;
    if (scratch == NULL)
        return out_of_memory(err);
    for (size_t i = 0; i < b->count; i++)
        for (uint32_t k = 0; b->kind[i] == MO_BODY_DYNAMIC && k < b->part_count[i]; k++)
            area += measure(w, i, &b->parts[b->part_first[i] + k], &r, scratch);
    free(scratch);
    *out = area / region_size(w, &r, region == NULL && w->has_cell ? &w->cell : NULL);
    return MO_OK;
}

mo_status mo_measure_void_ratio(const mo_world *w, const mo_region *region, double *out, mo_error *err)
{
    double fraction;
    mo_status s = mo_measure_solid_fraction(w, region, &fraction, err);
    if (s == MO_OK)
        *out = fraction > 0 ? (1 - fraction) / fraction : HUGE_VAL;
    return s;
}

// when contacts were found: the cell, and whether it moved since
typedef struct moment {
    const periodic_cell *cell; /* NULL: none */
    bool flows;
    cell_middle middle;
} moment;

static void moment_of(const mo_world *w, moment *out)
{
    out->flows = w->has_cell && world_cell_deforms(w) && world_cell_middle(w, &out->middle);
    out->cell = !w->has_cell ? NULL : out->flows ? &out->middle.cell : &w->cell;
}

// where a body's centre was when contacts were found: in the middle of the step, with the scheme that looks
// ahead at its start
static void centre_then(const mo_world *w, const moment *m, uint32_t slot, double x[3])
{
    const double share = w->def.scheme == MO_SCHEME_BERNICOT_LEFEBVRE ? 1 : 0.5;
    if (m->flows) {
        world_middle_place(w, &m->middle, slot, x);
        return;
    }
    for (size_t k = 0; k < w->bodies.dim; k++)
        x[k] = w->bodies.q[w->bodies.nq * slot + k] - share * w->def.h * w->bodies.u[w->bodies.nu * slot + k];
}

// impulse of contact i on body 1, in world axes
static void world_impulse(const contact_set *c, size_t i, size_t dim, double P[3])
{
    const double *n = &c->normal[dim * i], *S = &c->S[dim * i];
    if (dim == 2) {
        P[0] = n[0] * S[0] - n[1] * S[1];
        P[1] = n[1] * S[0] + n[0] * S[1];
        return;
    }
    double t[3], b[3];
    mo_tangent(n, t);
    vec3_cross(n, t, b);
    vec3_scale(S[0], n, P);
    vec3_add_scaled(P, S[1], t, P);
    vec3_add_scaled(P, S[2], b, P);
}

mo_status mo_measure_stress(const mo_world *w, const mo_region *region, double *out, mo_error *err)
{
    const contact_set *c = &w->contacts;
    const size_t dim = w->bodies.dim;
    mo_region r;
    mo_status s = choose_region(w, region, &r, err);
    if (s != MO_OK)
        return s;
    // all bodies are in what there is
    const bool whole = region == NULL;
    double sum[9] = {0};
    moment then;
    moment_of(w, &then);
    for (size_t i = 0; i < c->count; i++) {
        double P[3];
        world_impulse(c, i, dim, P);
        for (int k = 0; k < 2; k++) {
            uint32_t slot = k == 0 ? c->slot1[i] : c->slot2[i];
            const double *q = &w->bodies.q[w->bodies.nq * (size_t)slot], sign = k == 0 ? -1 : 1;
            double arm[3], centre[3];
            const size_t images = !is_dynamic(&w->bodies, slot) ? 0 : whole ? 1 : region_holds(w, &r, q);
            if (images == 0)
                continue;
            centre_then(w, &then, slot, centre);
            arm_from(then.cell, dim, &c->point[dim * i], centre, arm);
            // - f_i r_j, r from the centre to the contact
            for (size_t a = 0; a < dim * dim; a++)
                sum[a] += (double)images * sign * P[a / dim] * arm[a % dim];
        }
    }
    for (size_t a = 0; a < dim * dim; a++)
        out[a] = sum[a] / (w->def.h * region_size(w, &r, whole ? then.cell : NULL));
    return MO_OK;
}

static mo_status check_cut(const double *point, const double *normal, size_t dim, mo_error *err)
{
    double length = 0;
    for (size_t k = 0; k < dim; k++) {
        if (!isfinite(point[k]))
            return fail(err, MO_BAD_INPUT, "point", "found a coordinate that is not finite");
        length = hypot(length, normal[k]);
    }
    if (!(length > 0) || !isfinite(length))
        return fail(err, MO_BAD_INPUT, "normal", "found a zero vector, expected a direction");
    return MO_OK;
}

static double side_of(const double *x, const double *point, const double *normal, size_t dim)
{
    double along = 0;
    for (size_t k = 0; k < dim; k++)
        along += normal[k] * (x[k] - point[k]);
    return along;
}

// the way across a cut after which it comes again, when it comes along one edge of the cell only; 0: never
static double cut_period(const mo_world *w, const double *normal)
{
    double period = 0;
    int edges = 0;
    for (size_t e = 0; w->has_cell && e < w->bodies.dim; e++) {
        double along = 0, length = 0, steep = 0;
        for (size_t k = 0; k < w->bodies.dim; k++) {
            along += normal[k] * w->cell.H[3 * k + e];
            length = hypot(length, w->cell.H[3 * k + e]);
            steep = hypot(steep, normal[k]);
        }
        if (!w->cell.along[e] || !(fabs(along) > 1e-9 * length * steep))
            continue;
        period = fabs(along);
        edges++;
    }
    return edges == 1 ? period : 0;
}

// number of the slice between two images of the cut; without them 1 on the n side, 0 on the other
static double slice_of(double side, double period)
{
    return period > 0 ? ceil(side / period) : side > 0 ? 1 : 0;
}

/* Boundaries go far and have no centre that says where they are: they count where they are touched, this
   share of the other body's size beyond the contact, so that a cut along a floor has it on one side. */
static const double BEYOND = 0.01;

// the boundary of contact i as a cut sees it, x its place and q the centre of the body that it touches
static void boundary_place(const bodies *b, const contact_set *c, size_t i, const double *q,
                           const double *arm, double *x)
{
    const bool first = !is_dynamic(b, c->slot1[i]);
    const double beyond = BEYOND * (first ? b->size[c->slot2[i]] : -b->size[c->slot1[i]]);
    for (size_t k = 0; k < b->dim; k++)
        x[k] = q[k] + arm[k] + beyond * c->normal[b->dim * i + k];
}

// where the bodies of contact i are for a cut: their centres, in images in which they touch
static void ends_of(const mo_world *w, size_t i, double x1[3], double x2[3])
{
    const contact_set *c = &w->contacts;
    const bodies *b = &w->bodies;
    const periodic_cell *cell = w->has_cell ? &w->cell : NULL;
    const double *q1 = &b->q[b->nq * (size_t)c->slot1[i]], *q2 = &b->q[b->nq * (size_t)c->slot2[i]];
    double r1[3], r2[3];
    arm_from(cell, b->dim, &c->point[b->dim * i], q1, r1);
    arm_from(cell, b->dim, &c->point[b->dim * i], q2, r2);
    memcpy(x1, q1, b->dim * sizeof *x1);
    memcpy(x2, q2, b->dim * sizeof *x2);
    if (!is_dynamic(b, c->slot1[i]))
        boundary_place(b, c, i, q2, r2, x1);
    else if (!is_dynamic(b, c->slot2[i]))
        boundary_place(b, c, i, q1, r1, x2);
    else if (w->has_cell)
        for (size_t k = 0; k < b->dim; k++)
            x2[k] = q1[k] + r1[k] - r2[k];
}

mo_status mo_measure_resultant(const mo_world *w, const double *point, const double *normal, double *out,
                               mo_error *err)
{
    const size_t dim = w->bodies.dim;
    mo_status s = check_cut(point, normal, dim, err);
    if (s != MO_OK)
        return s;
    const double period = cut_period(w, normal);
    memset(out, 0, dim * sizeof *out);
    for (size_t i = 0; i < w->contacts.count; i++) {
        double x1[3], x2[3];
        ends_of(w, i, x1, x2);
        const double a_side = slice_of(side_of(x1, point, normal, dim), period),
                     b_side = slice_of(side_of(x2, point, normal, dim), period);
        if (a_side == b_side)
            continue;
        double P[3], sign = b_side > a_side ? 1 : -1;
        world_impulse(&w->contacts, i, dim, P);
        for (size_t k = 0; k < dim; k++)
            out[k] += sign * P[k] / w->def.h;
    }
    return MO_OK;
}

mo_status mo_measure_force_on(const mo_world *w, mo_body body, double *out, mo_error *err)
{
    mo_body_state state;
    mo_status s = mo_body_get(w, body, &state, err);
    if (s != MO_OK)
        return s;
    memcpy(out, state.force, w->bodies.dim * sizeof *out);
    return MO_OK;
}
