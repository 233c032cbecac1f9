/*
 * From a definition to parts: check, put each part where it belongs with its lump of mass, then the mass of
 * the whole, the frame, and how far it reaches.
 */
#include "shape/solid.h"

#include <math.h>
#include <stdlib.h>

#include "core/buffer.h"
#include "core/fail.h"
#include "math/quat.h"
#include "shape/hull.h"
#include "shape/shape.h"
#include "shape/solid_parts.h"

static const double PI = 3.14159265358979323846;

/* where a child of a compound sits; all zero for other shapes */
typedef struct placing3 {
    double p[3]; /* m */
    double q[4]; /* unit */
} placing3;

static const placing3 in_place = {{0, 0, 0}, {1, 0, 0, 0}};

static void place(const placing3 *at, const double v[3], double out[3])
{
    quat_rotate(at->q, v, out);
    vec3_add(at->p, out, out);
}

/* ---- growing ------------------------------------------------------------------------------------------ */

mo_part *solid_new_part(solid_work *w, mo_part_kind kind, size_t vertex_count, size_t face_length)
{
    solid *s = &w->s;
    const column parts[] = {{(void **)&s->parts, sizeof *s->parts}, {(void **)&w->lumps, sizeof *w->lumps}};
    const column vertices = {(void **)&s->vertices, 3 * sizeof *s->vertices};
    const column faces = {(void **)&s->faces, sizeof *s->faces};
    // one more than needed: arrays without entries are arrays all the same
    if (!columns_reserve(parts, 2, &w->part_room, s->part_count + 1) ||
        !columns_reserve(&vertices, 1, &w->vertex_room, s->vertex_count + vertex_count + 1) ||
        !columns_reserve(&faces, 1, &w->face_room, s->face_length + face_length + 1))
        return NULL;
    w->lumps[s->part_count] = (solid_lump){0};
    mo_part *part = &s->parts[s->part_count++];
    *part = (mo_part){.kind = kind,
                      .vertex_first = (uint32_t)s->vertex_count,
                      .vertex_count = (uint32_t)vertex_count,
                      .link.face = {(uint32_t)s->face_length, 0}};
    s->vertex_count += vertex_count;
    s->face_length += face_length;
    return part;
}

static mo_status no_memory(const solid_work *w, mo_error *err)
{
    return fail(err, MO_NO_MEMORY, NULL, "no memory for a shape of more than %zu parts", w->s.part_count);
}

static double *vertices_of(const solid_work *w, const mo_part *part)
{
    return w->s.vertices + 3 * (size_t)part->vertex_first;
}

static solid_lump *last_lump(const solid_work *w)
{
    return &w->lumps[w->s.part_count - 1];
}

mo_status solid_check_points(const double *points, size_t count, mo_error *err)
{
    for (size_t i = 0; i < count; i++) {
        const double *v = points + 3 * i;
        if (!isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2]))
            return fail(err, MO_BAD_INPUT, "points", "point %zu is (%g, %g, %g), expected finite numbers",
                        i + 1, v[0], v[1], v[2]);
    }
    return MO_OK;
}

/* ---- spheres, capsules, cylinders --------------------------------------------------------------------- */

static mo_status check_length(double x, const char *key, const char *what, mo_error *err)
{
    if (isfinite(x) && x > 0)
        return MO_OK;
    return fail(err, MO_BAD_INPUT, key, "%s is %g m, expected a finite number > 0", what, x);
}

static mo_status put_sphere(solid_work *w, const mo_shape_def *def, const placing3 *at, mo_error *err)
{
    mo_status status = check_length(def->radius, "radius", "the radius", err);
    if (status != MO_OK)
        return status;
    mo_part *part = solid_new_part(w, MO_PART_SPHERE, 1, 0);
    if (part == NULL)
        return no_memory(w, err);
    double r = def->radius;
    part->radius = r;
    vec3_copy(at->p, vertices_of(w, part));
    *last_lump(w) = (solid_lump){.weight = 4 * PI / 3 * (r * r * r)};
    vec3_copy(at->p, last_lump(w)->centre);
    moments_about_axis(at->q + 1, r * r / 5, r * r / 5, last_lump(w)->moments);
    w->s.thickness = fmax(w->s.thickness, r);
    return MO_OK;
}

/* mean squares along and across the axis; returns the volume */
static double cylinder_moments(double r, double h, double *along, double *across)
{
    *along = h * h / 12;
    *across = r * r / 4;
    return PI * (r * r) * h;
}

/* cylinder and two half balls, whose centres are 3r/8 beyond the ends */
static double capsule_moments(double r, double h, double *along, double *across)
{
    double cylinder = cylinder_moments(r, h, along, across), balls = 4 * PI / 3 * (r * r * r);
    double volume = cylinder + balls;
    *along = (cylinder * *along + balls * (h * h / 4 + 3 * h * r / 8 + r * r / 5)) / volume;
    *across = (cylinder * *across + balls * (r * r / 5)) / volume;
    return volume;
}

/* capsules and cylinders: two vertices on the axis z, and a radius */
static mo_status put_round(solid_work *w, const mo_shape_def *def, const placing3 *at, mo_error *err)
{
    bool capsule = def->kind == MO_SHAPE_CAPSULE;
    mo_status status = check_length(def->radius, "radius", "the radius", err);
    if (status == MO_OK)
        status = check_length(def->height, "height", "the height", err);
    if (status != MO_OK)
        return status;
    mo_part *part = solid_new_part(w, capsule ? MO_PART_CAPSULE : MO_PART_CYLINDER, 2, 0);
    if (part == NULL)
        return no_memory(w, err);
    double r = def->radius, h = def->height, along, across, axis[3] = {0, 0, 1};
    part->radius = r;
    place(at, (double[3]){0, 0, -h / 2}, vertices_of(w, part));
    place(at, (double[3]){0, 0, h / 2}, vertices_of(w, part) + 3);
    solid_lump *lump = last_lump(w);
    lump->weight = capsule ? capsule_moments(r, h, &along, &across) : cylinder_moments(r, h, &along, &across);
    vec3_copy(at->p, lump->centre);
    quat_rotate(at->q, axis, axis);
    moments_about_axis(axis, along, across, lump->moments);
    w->s.thickness = fmax(w->s.thickness, capsule ? r : fmin(r, h / 2));
    return MO_OK;
}

/* ---- boxes and hulls ---------------------------------------------------------------------------------- */

/* second moments of a box of the lengths l, turned by q: l^2/12 along each turned axis */
static void box_moments(const double l[3], const double q[4], double C[9])
{
    double R[9];
    quat_to_matrix(q, R);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            C[3 * i + j] = 0;
            for (int k = 0; k < 3; k++)
                C[3 * i + j] += R[3 * i + k] * R[3 * j + k] * (l[k] * l[k] / 12);
        }
}

static mo_status put_box(solid_work *w, const mo_shape_def *def, const placing3 *at, mo_error *err)
{
    // corner i: bit k of i says on which side along axis k; each face counter-clockwise from outside
    static const uint32_t faces[30] = {4, 0, 1, 5, 4, 4, 0, 2, 3, 1, 4, 0, 4, 6, 2,
                                       4, 1, 3, 7, 5, 4, 2, 6, 7, 3, 4, 4, 5, 7, 6};
    static const char *const name[3] = {"the length along x", "the length along y", "the length along z"};
    const double *l = def->size;
    for (int k = 0; k < 3; k++) {
        mo_status status = check_length(l[k], "size", name[k], err);
        if (status != MO_OK)
            return status;
    }
    mo_part *part = solid_new_part(w, MO_PART_POLYHEDRON, 8, 30);
    if (part == NULL)
        return no_memory(w, err);
    part->link.face.count = 6;
    for (size_t i = 0; i < 30; i++)
        w->s.faces[part->link.face.first + i] = faces[i];
    for (size_t i = 0; i < 8; i++) {
        const double corner[3] = {i & 1 ? l[0] / 2 : -l[0] / 2, i & 2 ? l[1] / 2 : -l[1] / 2,
                                  i & 4 ? l[2] / 2 : -l[2] / 2};
        place(at, corner, vertices_of(w, part) + 3 * i);
    }
    last_lump(w)->weight = l[0] * l[1] * l[2];
    vec3_copy(at->p, last_lump(w)->centre);
    box_moments(l, at->q, last_lump(w)->moments);
    w->s.thickness = fmax(w->s.thickness, fmin(l[0], fmin(l[1], l[2])) / 2);
    return MO_OK;
}

static mo_status put_faces(solid_work *w, const hull *h, const double *points, const placing3 *at,
                           mo_error *err)
{
    if (w->s.face_length + h->face_count + h->corner_count > UINT32_MAX / 4)
        return fail(err, MO_BAD_INPUT, "points", "the hulls have too many faces for one shape");
    mo_part *part = solid_new_part(w, MO_PART_POLYHEDRON, h->vertex_count, h->face_count + h->corner_count);
    if (part == NULL)
        return no_memory(w, err);
    double *v = vertices_of(w, part);
    uint32_t *const faces = w->s.faces + part->link.face.first, *f = faces;
    part->link.face.count = (uint32_t)h->face_count;
    for (size_t i = 0; i < h->vertex_count; i++)
        place(at, points + 3 * (size_t)h->vertices[i], v + 3 * i);
    for (size_t i = 0; i < h->face_count; i++) {
        *f++ = h->faces[i].count;
        for (uint32_t k = 0; k < h->faces[i].count; k++)
            *f++ = h->faces[i].corners[k];
    }
    solid_lump *lump = last_lump(w);
    polyhedron_lump(v, faces, h->face_count, lump);
    w->s.thickness = fmax(w->s.thickness, polyhedron_depth(v, faces, h->face_count, lump->centre));
    return MO_OK;
}

static mo_status put_hull(solid_work *w, const mo_shape_def *def, const placing3 *at, mo_error *err)
{
    hull h;
    size_t n = def->points == NULL ? 0 : def->point_count;
    mo_status status = solid_check_points(def->points, n, err);
    if (status == MO_OK)
        status = hull_build(def->points, n, &h, err);
    if (status != MO_OK)
        return status;
    status = put_faces(w, &h, def->points, at, err);
    hull_free(&h);
    return status;
}

/* ---- planes and compounds ----------------------------------------------------------------------------- */

static mo_status put_plane(solid_work *w, const mo_shape_def *def, mo_error *err)
{
    double normal[3], length = vec3_unit(def->normal, normal);
    if (!isfinite(length) || !(length > 0) || !isfinite(vec3_norm(normal)))
        return fail(err, MO_BAD_INPUT, "normal",
                    "the normal is (%g, %g, %g), expected a finite vector other than 0", def->normal[0],
                    def->normal[1], def->normal[2]);
    if (!isfinite(def->offset / length))
        return fail(err, MO_BAD_INPUT, "offset", "the offset is %g, expected a finite number", def->offset);
    mo_part *part = solid_new_part(w, MO_PART_PLANE, 0, 0);
    if (part == NULL)
        return no_memory(w, err);
    vec3_copy(normal, part->normal);
    part->offset = def->offset / length;
    w->s.thickness = HUGE_VAL;
    return MO_OK;
}

static mo_status put_convex(solid_work *w, const mo_shape_def *def, const placing3 *at, mo_error *err)
{
    switch (def->kind) {
    case MO_SHAPE_SPHERE:
        return put_sphere(w, def, at, err);
    case MO_SHAPE_BOX:
        return put_box(w, def, at, err);
    case MO_SHAPE_CYLINDER:
    case MO_SHAPE_CAPSULE:
        return put_round(w, def, at, err);
    case MO_SHAPE_CONVEX:
        return put_hull(w, def, at, err);
    default:
        return fail(
            err, MO_BAD_INPUT, "shape",
            "found %s, expected a sphere, box, cylinder, capsule, convex, plane, mesh or compound in 3D",
            shape_kind_name(def->kind));
    }
}

/* position and orientation of a child, the latter made unit */
static mo_status read_placing(const mo_shape_child *child, size_t number, placing3 *at, mo_error *err)
{
    const double *p = child->position, *q = child->orientation;
    if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
        return fail(err, MO_BAD_INPUT, "position",
                    "position of child %zu is (%g, %g, %g), expected finite numbers", number, p[0], p[1],
                    p[2]);
    if (!isfinite(q[0]) || !isfinite(q[1]) || !isfinite(q[2]) || !isfinite(q[3]))
        return fail(err, MO_BAD_INPUT, "orientation",
                    "orientation of child %zu is (%g, %g, %g, %g), expected finite numbers", number, q[0],
                    q[1], q[2], q[3]);
    vec3_copy(p, at->p);
    quat_set(at->q, q[0], q[1], q[2], q[3]);
    quat_normalise(at->q);
    return MO_OK;
}

static mo_status put_compound(solid_work *w, const mo_shape_def *def, mo_error *err)
{
    size_t n = def->children == NULL ? 0 : def->child_count;
    if (n == 0 || n > SOLID_MAX_PARTS)
        return fail(err, MO_BAD_INPUT, "children", "the compound has %zu children, expected 1 to %zu", n,
                    SOLID_MAX_PARTS);
    for (size_t i = 0; i < n; i++) {
        const mo_shape_child *child = &def->children[i];
        placing3 at = in_place;
        if (child->shape == NULL)
            return fail(err, MO_BAD_INPUT, "children", "child %zu has no shape", i + 1);
        if (child->shape->kind == MO_SHAPE_PLANE || child->shape->kind == MO_SHAPE_MESH ||
            child->shape->kind == MO_SHAPE_COMPOUND)
            return fail(
                err, MO_BAD_INPUT, "children",
                "child %zu is a plane, mesh or compound, expected spheres, boxes, cylinders, capsules and "
                "convex hulls",
                i + 1);
        mo_status status = read_placing(child, i + 1, &at, err);
        if (status == MO_OK)
            status = put_convex(w, child->shape, &at, err);
        if (status != MO_OK)
            return status;
    }
    return MO_OK;
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

static const char *main_key(mo_shape_kind kind)
{
    switch (kind) {
    case MO_SHAPE_SPHERE:
    case MO_SHAPE_CYLINDER:
    case MO_SHAPE_CAPSULE:
        return "radius";
    case MO_SHAPE_BOX:
        return "size";
    case MO_SHAPE_COMPOUND:
        return "children";
    default:
        return "points";
    }
}

/* numbers that are finite one by one may still overflow or vanish when multiplied */
static mo_status check_mass(const solid *s, const mo_shape_def *def, mo_error *err)
{
    if (def->kind == MO_SHAPE_PLANE)
        return MO_OK;
    bool sound = isfinite(s->volume) && (s->volume > 0 || def->kind == MO_SHAPE_MESH);
    for (int k = 0; k < 3; k++)
        sound = sound && isfinite(s->com[k]) && isfinite(s->gyration[k]) && s->gyration[k] > 0;
    if (sound)
        return MO_OK;
    return fail(
        err, MO_BAD_INPUT, main_key(def->kind),
        "the shape is too large, too small or too thin to compute with: volume %g m^3, gyration radii^2 "
        "(%g, %g, %g) m^2",
        s->volume, s->gyration[0], s->gyration[1], s->gyration[2]);
}

static void move_to_centre(solid *s)
{
    for (size_t i = 0; i < s->vertex_count; i++) {
        double *v = s->vertices + 3 * i;
        vec3_sub(v, s->com, v);
    }
}

static mo_status fill(solid_work *w, const mo_shape_def *def, bool centre, size_t *dropped, mo_error *err)
{
    solid *s = &w->s;
    mo_status status = def->kind == MO_SHAPE_COMPOUND ? put_compound(w, def, err)
                       : def->kind == MO_SHAPE_PLANE  ? put_plane(w, def, err)
                       : def->kind == MO_SHAPE_MESH   ? solid_put_mesh(w, def, dropped, err)
                                                      : put_convex(w, def, &in_place, err);
    if (status != MO_OK)
        return status;
    solid_mass(w);
    status = check_mass(s, def, err);
    if (status != MO_OK)
        return status;
    if (centre)
        move_to_centre(s);
    solid_extent(s);
    s->spherical = s->part_count == 1 && s->parts[0].kind == MO_PART_SPHERE && vec3_norm(s->vertices) == 0;
    return MO_OK;
}

mo_status solid_build(const mo_shape_def *def, bool centre, solid *out, size_t *dropped, mo_error *err)
{
    solid_work w = {0};
    size_t degenerate = 0;
    mo_status status = fill(&w, def, centre, &degenerate, err);
    free(w.lumps);
    if (status != MO_OK) {
        solid_free(&w.s);
        return status;
    }
    if (dropped != NULL)
        *dropped = degenerate;
    *out = w.s;
    return MO_OK;
}

void solid_free(solid *s)
{
    free(s->parts);
    free(s->vertices);
    free(s->faces);
    *s = (solid){0};
}
