/*
 * From a shape's definition to parts: validate and count, allocate, fill, centre.
 */
#include "shape/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/fail.h"
#include "shape/parts.h"

/* where a child of a compound sits; the identity for other shapes */
typedef struct placing {
    double x, y, c, s;
} placing;

/* ---- validation -------------------------------------------------------------------------------------------
 */

static mo_status check_positive(double x, const char *key, const char *what, mo_error *err)
{
    if (isfinite(x) && x > 0)
        return MO_OK;
    return fail(err, MO_BAD_INPUT, key, "%s is %g, expected a finite number > 0", what, x);
}

static mo_status check_points(const mo_shape_def *def, size_t at_least, size_t at_most, const char *what,
                              mo_error *err)
{
    size_t n = def->points == NULL ? 0 : def->point_count;
    if (n < at_least || n > at_most)
        return fail(err, MO_BAD_INPUT, "points", "%s has %zu points, expected %s%zu", what, n,
                    at_least == at_most ? "" : (n < at_least ? "at least " : "at most "),
                    n < at_least ? at_least : at_most);
    for (size_t i = 0; i < 2 * n; i++)
        if (!isfinite(def->points[i]))
            return fail(err, MO_BAD_INPUT, "points", "point %zu is (%g, %g), expected finite numbers",
                        i / 2 + 1, def->points[i & ~(size_t)1], def->points[i | 1]);
    return MO_OK;
}

/* neighbours along a segment or chain must be distinct */
static mo_status check_links(const mo_shape_def *def, const char *what, mo_error *err)
{
    const double *p = def->points;
    for (size_t i = 0; i + 1 < def->point_count; i++) {
        double length = hypot(p[2 * i + 2] - p[2 * i], p[2 * i + 3] - p[2 * i + 1]);
        if (!(length > 0) || !isfinite(length))
            return fail(err, MO_BAD_INPUT, "points",
                        "points %zu and %zu of the %s are %g m apart, expected > 0", i + 1, i + 2, what,
                        length);
    }
    return MO_OK;
}

static mo_status check_halfplane(const mo_shape_def *def, mo_error *err)
{
    double length = hypot(def->normal[0], def->normal[1]);
    if (!isfinite(length) || !(length > 0))
        return fail(err, MO_BAD_INPUT, "normal",
                    "the normal is (%g, %g), expected a finite vector other than 0", def->normal[0],
                    def->normal[1]);
    if (!isfinite(def->offset / length))
        return fail(err, MO_BAD_INPUT, "offset", "the offset is %g, expected a finite number", def->offset);
    return MO_OK;
}

const char *shape_kind_name(mo_shape_kind kind)
{
    static const char *const names[] = {
        [MO_SHAPE_DISC] = "a disc",         [MO_SHAPE_RECTANGLE] = "a rectangle",
        [MO_SHAPE_POLYGON] = "a polygon",   [MO_SHAPE_SEGMENT] = "a segment",
        [MO_SHAPE_CHAIN] = "a chain",       [MO_SHAPE_HALFPLANE] = "a half-plane",
        [MO_SHAPE_COMPOUND] = "a compound", [MO_SHAPE_SPHERE] = "a sphere",
        [MO_SHAPE_BOX] = "a box",           [MO_SHAPE_CYLINDER] = "a cylinder",
        [MO_SHAPE_CAPSULE] = "a capsule",   [MO_SHAPE_CONVEX] = "a convex hull",
        [MO_SHAPE_PLANE] = "a plane",       [MO_SHAPE_MESH] = "a mesh"};
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : "none of mo_shape_kind";
}

/* checks of one shape that is not a compound, short of the polygon's own; counts its parts and vertices */
static mo_status check_simple(const mo_shape_def *def, size_t *parts, size_t *vertices, mo_error *err)
{
    mo_status status;
    *parts = *vertices = 1;
    switch (def->kind) {
    case MO_SHAPE_DISC:
        return check_positive(def->radius, "radius", "the radius", err);
    case MO_SHAPE_RECTANGLE:
        *vertices = 4;
        status = check_positive(def->size[0], "size", "the width", err);
        return status != MO_OK ? status : check_positive(def->size[1], "size", "the height", err);
    case MO_SHAPE_POLYGON:
        *vertices = def->point_count;
        return check_points(def, 3, SHAPE_MAX_VERTICES, "the polygon", err);
    case MO_SHAPE_SEGMENT:
        *vertices = 2;
        status = check_points(def, 2, 2, "the segment", err);
        return status != MO_OK ? status : check_links(def, "segment", err);
    case MO_SHAPE_CHAIN:
        *vertices = def->point_count;
        *parts = def->point_count - 1;
        status = check_points(def, 2, SHAPE_MAX_VERTICES, "the chain", err);
        return status != MO_OK ? status : check_links(def, "chain", err);
    case MO_SHAPE_HALFPLANE:
        *vertices = 0;
        return check_halfplane(def, err);
    default:
        break;
    }
    return fail(err, MO_BAD_INPUT, "shape",
                "found %s, expected a disc, rectangle, polygon, segment, chain, half-plane or compound in 2D",
                shape_kind_name(def->kind));
}

static mo_status check_child(const mo_shape_child *child, size_t number, mo_error *err)
{
    if (child->shape == NULL)
        return fail(err, MO_BAD_INPUT, "children", "child %zu has no shape", number);
    switch (child->shape->kind) {
    case MO_SHAPE_DISC:
    case MO_SHAPE_RECTANGLE:
    case MO_SHAPE_POLYGON:
    case MO_SHAPE_SEGMENT:
        break;
    default:
        return fail(
            err, MO_BAD_INPUT, "children",
            "child %zu is a chain, half-plane or compound, expected discs, rectangles, polygons and segments",
            number);
    }
    if (!isfinite(child->position[0]) || !isfinite(child->position[1]))
        return fail(err, MO_BAD_INPUT, "position",
                    "position of child %zu is (%g, %g), expected finite numbers", number, child->position[0],
                    child->position[1]);
    if (!isfinite(child->angle))
        return fail(err, MO_BAD_INPUT, "angle", "angle of child %zu is %g, expected a finite number", number,
                    child->angle);
    return MO_OK;
}

static mo_status check_compound(const mo_shape_def *def, size_t *parts, size_t *vertices, mo_error *err)
{
    *parts = *vertices = 0;
    if (def->children == NULL || def->child_count == 0)
        return fail(err, MO_BAD_INPUT, "children", "the compound is empty, expected at least one child");
    for (size_t i = 0; i < def->child_count; i++) {
        size_t p, v;
        mo_status status = check_child(&def->children[i], i + 1, err);
        if (status == MO_OK)
            status = check_simple(def->children[i].shape, &p, &v, err);
        if (status != MO_OK)
            return status;
        *parts += p;
        *vertices += v;
        if (*vertices > SHAPE_MAX_VERTICES)
            return fail(err, MO_BAD_INPUT, "children", "the compound has more than %zu vertices",
                        SHAPE_MAX_VERTICES);
    }
    return MO_OK;
}

/* ---- filling ----------------------------------------------------------------------------------------------
 */

static mo_part *new_part(shape *s, mo_part_kind kind, size_t vertex_count)
{
    mo_part *part = &s->parts[s->part_count++];
    *part = (mo_part){.kind = kind,
                      .vertex_first = (uint32_t)s->vertex_count,
                      .vertex_count = (uint32_t)vertex_count,
                      .link.chain.before = -1,
                      .link.chain.after = -1};
    s->vertex_count += vertex_count;
    return part;
}

static void put_points(shape *s, const mo_part *part, const double *points, const placing *at)
{
    double *v = s->vertices + 2 * (size_t)part->vertex_first;
    for (size_t i = 0; i < part->vertex_count; i++) {
        double x = points[2 * i], y = points[2 * i + 1];
        v[2 * i] = at->x + (at->c * x - at->s * y);
        v[2 * i + 1] = at->y + (at->s * x + at->c * y);
    }
}

static mo_status put_polygon(shape *s, const mo_shape_def *def, const placing *at, mo_error *err)
{
    mo_part *part = new_part(s, MO_PART_POLYGON, def->point_count);
    double *v = s->vertices + 2 * (size_t)part->vertex_first;
    size_t n = def->point_count;
    memcpy(v, def->points, 2 * n * sizeof *v);
    mo_status status = polygon_clean(v, &n, err);
    if (status != MO_OK)
        return status;
    s->vertex_count -= def->point_count - n;
    part->vertex_count = (uint32_t)n;
    put_points(s, part, v, at);
    return MO_OK;
}

static void put_disc(shape *s, const mo_shape_def *def, const placing *at)
{
    static const double origin[2] = {0, 0};
    mo_part *part = new_part(s, MO_PART_DISC, 1);
    part->radius = def->radius;
    put_points(s, part, origin, at);
}

static void put_rectangle(shape *s, const mo_shape_def *def, const placing *at)
{
    double w = def->size[0] / 2, h = def->size[1] / 2;
    const double corners[8] = {-w, -h, w, -h, w, h, -w, h};
    put_points(s, new_part(s, MO_PART_POLYGON, 4), corners, at);
}

/* one segment per link over shared vertices; a chain whose ends coincide is a ring */
static void put_chain(shape *s, const mo_shape_def *def)
{
    size_t n = def->point_count, links = n - 1;
    const double *p = def->points;
    bool ring = links >= 3 && p[0] == p[2 * links] && p[1] == p[2 * links + 1];
    memcpy(s->vertices, p, 2 * n * sizeof *p);
    for (size_t i = 0; i < links; i++) {
        mo_part *part = new_part(s, MO_PART_SEGMENT, 1);
        part->vertex_count = 2;
        part->link.chain.before = i > 0 ? (int32_t)i - 1 : ring ? (int32_t)links - 1 : -1;
        part->link.chain.after = i + 1 < links ? (int32_t)i + 2 : ring ? 1 : -1;
    }
    s->vertex_count = n;
}

static void put_halfplane(shape *s, const mo_shape_def *def)
{
    double length = hypot(def->normal[0], def->normal[1]);
    mo_part *part = new_part(s, MO_PART_HALFPLANE, 0);
    part->normal[0] = def->normal[0] / length;
    part->normal[1] = def->normal[1] / length;
    part->offset = def->offset / length;
}

static mo_status put_simple(shape *s, const mo_shape_def *def, const placing *at, mo_error *err)
{
    switch (def->kind) {
    case MO_SHAPE_DISC:
        put_disc(s, def, at);
        break;
    case MO_SHAPE_RECTANGLE:
        put_rectangle(s, def, at);
        break;
    case MO_SHAPE_POLYGON:
        return put_polygon(s, def, at, err);
    case MO_SHAPE_SEGMENT:
        put_points(s, new_part(s, MO_PART_SEGMENT, 2), def->points, at);
        break;
    case MO_SHAPE_CHAIN:
        put_chain(s, def);
        break;
    case MO_SHAPE_HALFPLANE:
        put_halfplane(s, def);
        break;
    default: // refused before
        break;
    }
    return MO_OK;
}

static mo_status put_shape(shape *s, const mo_shape_def *def, mo_error *err)
{
    static const placing identity = {0, 0, 1, 0};
    if (def->kind != MO_SHAPE_COMPOUND)
        return put_simple(s, def, &identity, err);
    mo_status status = MO_OK;
    for (size_t i = 0; i < def->child_count && status == MO_OK; i++) {
        const mo_shape_child *child = &def->children[i];
        placing at = {child->position[0], child->position[1], cos(child->angle), sin(child->angle)};
        status = put_simple(s, child->shape, &at, err);
    }
    return status;
}

/* ---- the whole --------------------------------------------------------------------------------------------
 */

static const char *main_key(mo_shape_kind kind)
{
    switch (kind) {
    case MO_SHAPE_DISC:
        return "radius";
    case MO_SHAPE_RECTANGLE:
        return "size";
    case MO_SHAPE_COMPOUND:
        return "children";
    default:
        return "points";
    }
}

/* numbers that are finite one by one may still overflow or vanish when squared */
static mo_status check_mass(const shape *s, const mo_shape_def *def, mo_error *err)
{
    if (def->kind == MO_SHAPE_HALFPLANE)
        return MO_OK;
    if (isfinite(s->area) && isfinite(s->com[0]) && isfinite(s->com[1]) && isfinite(s->gyration2) &&
        s->gyration2 > 0)
        return MO_OK;
    return fail(err, MO_BAD_INPUT, main_key(def->kind),
                "the shape is too large, too small or too thin to compute with: area %g m^2, gyration "
                "radius^2 %g m^2",
                s->area, s->gyration2);
}

static void move_to_centre(shape *s)
{
    for (size_t i = 0; i < s->vertex_count; i++) {
        s->vertices[2 * i] -= s->com[0];
        s->vertices[2 * i + 1] -= s->com[1];
    }
}

static mo_status fill(shape *s, const mo_shape_def *def, bool centre, mo_error *err)
{
    mo_status status = put_shape(s, def, err);
    if (status != MO_OK)
        return status;
    shape_mass(s);
    status = check_mass(s, def, err);
    if (status != MO_OK)
        return status;
    if (centre)
        move_to_centre(s);
    return shape_extent(s, err);
}

mo_status shape_build(const mo_shape_def *def, bool centre, shape *out, mo_error *err)
{
    size_t parts, vertices;
    mo_status status = def->kind == MO_SHAPE_COMPOUND ? check_compound(def, &parts, &vertices, err)
                                                      : check_simple(def, &parts, &vertices, err);
    if (status != MO_OK)
        return status;
    /* a half-plane has no vertices, yet its array is one that can be freed and pointed into */
    mo_part *part_array = calloc(parts + 1, sizeof *part_array);
    double *vertex_array = calloc(vertices + 1, 2 * sizeof *vertex_array);
    shape s = {.parts = part_array, .vertices = vertex_array};
    if (part_array == NULL || vertex_array == NULL)
        status = fail(err, MO_NO_MEMORY, NULL, "no memory for a shape of %zu vertices", vertices);
    else
        status = fill(&s, def, centre, err);
    if (status != MO_OK) {
        free(part_array);
        free(vertex_array);
        return status;
    }
    /* the arrays are out's now, which the analyzer does not see */
    *out = s; /* NOLINT */
    return MO_OK;
}

void shape_free(shape *s)
{
    free(s->parts);
    free(s->vertices);
    *s = (shape){0};
}
