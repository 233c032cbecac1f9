/*
 * Measures of a world (docs/theory/measures.md).
 */
#include <math.h>
#include <moreau/measure.h>
#include <stdlib.h>

#include "core/fail.h"
#include "measure/area.h"
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
    size_t ends = 0, touched = 0;
    uint8_t *seen = calloc(w->bodies.count + 1, 1);
    if (seen == NULL)
        return (double)NAN;
    for (size_t i = 0; i < c->count; i++) {
        const uint32_t slots[2] = {c->slot1[i], c->slot2[i]};
        for (int k = 0; k < 2 && c->S[2 * i] > 0; k++) {
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

// the part's box in the world; the vertices are those of its body
static void grow_box(const mo_world *w, size_t slot, const mo_part *p, mo_region *box)
{
    const double *q = &w->bodies.q[3 * slot], c = cos(q[2]), s = sin(q[2]);
    const double *v = w->bodies.vertices + 2 * (size_t)(w->bodies.vertex_first[slot] + p->vertex_first);
    for (uint32_t k = 0; k < p->vertex_count; k++, v += 2) {
        double x[2] = {q[0] + (c * v[0] - s * v[1]), q[1] + (s * v[0] + c * v[1])};
        for (int d = 0; d < 2; d++) {
            box->min[d] = fmin(box->min[d], x[d] - p->radius);
            box->max[d] = fmax(box->max[d], x[d] + p->radius);
        }
    }
}

static mo_status choose_region(const mo_world *w, const mo_region *region, mo_region *out, mo_error *err)
{
    const bodies *b = &w->bodies;
    mo_region box = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (size_t i = 0; region == NULL && i < b->count; i++)
        for (uint32_t k = 0; b->kind[i] == MO_BODY_DYNAMIC && k < b->part_count[i]; k++)
            grow_box(w, i, &b->parts[b->part_first[i] + k], &box);
    *out = region != NULL ? *region : box;
    if (!(out->max[0] > out->min[0]) || !(out->max[1] > out->min[1]))
        return fail(err, MO_BAD_INPUT, "region", "found a region without area, expected min < max");
    return MO_OK;
}

static double region_area(const mo_region *r)
{
    return (r->max[0] - r->min[0]) * (r->max[1] - r->min[1]);
}

// area of one part inside the region; scratch large enough for its vertices
static double part_inside(const mo_world *w, size_t slot, const mo_part *p, const mo_region *r,
                          double *scratch)
{
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

mo_status mo_measure_solid_fraction(const mo_world *w, const mo_region *region, double *out, mo_error *err)
{
    const bodies *b = &w->bodies;
    mo_region r;
    mo_status s = choose_region(w, region, &r, err);
    if (s != MO_OK)
        return s;
    // the part with most vertices fixes the scratch
    size_t most = 1;
    for (size_t k = 0; k < b->part_total; k++)
        most = b->parts[k].vertex_count > most ? b->parts[k].vertex_count : most;
    double area = 0, *scratch = malloc((6 * most + 16) * sizeof *scratch);
    if (scratch == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "out of memory for the solid fraction");
    for (size_t i = 0; i < b->count; i++)
        for (uint32_t k = 0; b->kind[i] == MO_BODY_DYNAMIC && k < b->part_count[i]; k++)
            area += part_inside(w, i, &b->parts[b->part_first[i] + k], &r, scratch);
    free(scratch);
    *out = area / region_area(&r);
    return MO_OK;
}

static bool inside(const mo_region *r, const double x[2])
{
    return x[0] >= r->min[0] && x[0] <= r->max[0] && x[1] >= r->min[1] && x[1] <= r->max[1];
}

// impulse of contact i on body 1, in world axes
static void world_impulse(const contact_set *c, size_t i, double P[2])
{
    const double *n = &c->normal[2 * i], *S = &c->S[2 * i];
    P[0] = n[0] * S[0] - n[1] * S[1];
    P[1] = n[1] * S[0] + n[0] * S[1];
}

mo_status mo_measure_stress(const mo_world *w, const mo_region *region, double out[4], mo_error *err)
{
    const contact_set *c = &w->contacts;
    mo_region r;
    mo_status s = choose_region(w, region, &r, err);
    if (s != MO_OK)
        return s;
    double sum[4] = {0};
    for (size_t i = 0; i < c->count; i++) {
        double P[2];
        world_impulse(c, i, P);
        for (int k = 0; k < 2; k++) {
            uint32_t slot = k == 0 ? c->slot1[i] : c->slot2[i];
            const double *q = &w->bodies.q[3 * (size_t)slot], sign = k == 0 ? -1 : 1;
            if (!is_dynamic(&w->bodies, slot) || !inside(&r, q))
                continue;
            // - f_i r_j, r from the centre to the contact
            for (int a = 0; a < 4; a++)
                sum[a] += sign * P[a / 2] * (c->point[2 * i + (size_t)(a % 2)] - q[a % 2]);
        }
    }
    for (int a = 0; a < 4; a++)
        out[a] = sum[a] / (w->def.h * region_area(&r));
    return MO_OK;
}

mo_status mo_measure_resultant(const mo_world *w, const double point[2], const double normal[2],
                               double out[2], mo_error *err)
{
    const contact_set *c = &w->contacts;
    if (!isfinite(point[0]) || !isfinite(point[1]))
        return fail(err, MO_BAD_INPUT, "point", "found a coordinate that is not finite");
    if (!(hypot(normal[0], normal[1]) > 0) || !isfinite(hypot(normal[0], normal[1])))
        return fail(err, MO_BAD_INPUT, "normal", "found a zero vector, expected a direction");
    out[0] = out[1] = 0;
    for (size_t i = 0; i < c->count; i++) {
        const uint32_t s1 = c->slot1[i], s2 = c->slot2[i];
        if (!is_dynamic(&w->bodies, s1) || !is_dynamic(&w->bodies, s2))
            continue;
        const double *a = &w->bodies.q[3 * (size_t)s1], *b = &w->bodies.q[3 * (size_t)s2];
        bool a_side = normal[0] * (a[0] - point[0]) + normal[1] * (a[1] - point[1]) > 0;
        bool b_side = normal[0] * (b[0] - point[0]) + normal[1] * (b[1] - point[1]) > 0;
        if (a_side == b_side)
            continue;
        double P[2], sign = b_side ? 1 : -1;
        world_impulse(c, i, P);
        out[0] += sign * P[0] / w->def.h;
        out[1] += sign * P[1] / w->def.h;
    }
    return MO_OK;
}

mo_status mo_measure_force_on(const mo_world *w, mo_body body, double out[2], mo_error *err)
{
    mo_body_state state;
    mo_status s = mo_body_get(w, body, &state, err);
    if (s != MO_OK)
        return s;
    out[0] = state.force[0];
    out[1] = state.force[1];
    return MO_OK;
}
