/* The tables of groups and bodies of an open run. */
#include "record/run.h"

#include "core/fail.h"
#include "core/search.h"
#include "math/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_GROUPS 65536u

void names_free(char **names, size_t count)
{
    if (names == NULL)
        return;
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

mo_status check_ends(const uint64_t *ends, uint64_t count, uint64_t rows, const char *key, mo_error *err)
{
    uint64_t last = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (ends[i] < last || ends[i] > rows)
            return fail(err, MO_BAD_FILE, key, "found %llu in row %llu, expected %llu to %llu",
                        (unsigned long long)ends[i], (unsigned long long)i, (unsigned long long)last,
                        (unsigned long long)rows);
        last = ends[i];
    }
    return MO_OK;
}

static char **copy_names(const char *text, const uint64_t *ends, uint64_t count)
{
    char **names = calloc((size_t)count + 1, sizeof *names);
    for (uint64_t i = 0; i < count && names != NULL; i++) {
        const uint64_t start = i > 0 ? ends[i - 1] : 0;
        names[i] = strndup(text + start, (size_t)(ends[i] - start));
        if (names[i] == NULL) {
            names_free(names, (size_t)count);
            names = NULL;
        }
    }
    return names;
}

mo_status run_read_names(mo_run *run, column_id blob, column_id ends, uint64_t count, char ***out,
                         mo_error *err)
{
    mo_status status = run_load(run, ends, count, err);
    const uint64_t bytes = hdf_column_usable(&run->columns[blob]);
    if (status == MO_OK)
        status = check_ends(run_u64(run, ends), count, bytes, column_defs[ends].path, err);
    if (status == MO_OK)
        status = run_load(run, blob, bytes, err);
    if (status != MO_OK)
        return status;
    char **names = copy_names(run->data[blob], run_u64(run, ends), count);
    if (names == NULL)
        return fail(err, MO_NO_MEMORY, column_defs[blob].path, "no memory for names");
    *out = names;
    return MO_OK;
}

mo_status run_read_groups(mo_run *run, mo_error *err)
{
    const uint64_t count = run->table_rows[ROWS_GROUPS];
    if (count > MAX_GROUPS)
        return fail(err, MO_BAD_FILE, "/groups/name_end", "found %llu groups, expected at most %u",
                    (unsigned long long)count, MAX_GROUPS);
    return run_read_names(run, COL_GROUP_NAMES, COL_GROUP_NAME_END, count, &run->group_names, err);
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static mo_status load_body_columns(mo_run *run, uint64_t count, mo_error *err)
{
    static const column_id columns[] = {
        COL_BODY_ID,       COL_BODY_KIND,     COL_BODY_GROUP,      COL_BODY_FLAGS,
        COL_BODY_COLLIDES, COL_BODY_MASS,     COL_BODY_AREA,       COL_BODY_INERTIA,
        COL_BODY_ORIGIN,   COL_BODY_PART_END, COL_BODY_VERTEX_END, COL_BODY_NAME_END,
        COL_BODY_INERTIA3, COL_BODY_AXES,     COL_BODY_EXTENT,     COL_BODY_FACE_END};
    mo_status status = MO_OK;
    for (size_t i = 0; i < sizeof columns / sizeof *columns && status == MO_OK; i++)
        if (column_is_in(columns[i], &run->shape))
            status = run_load(run, columns[i], count, err);
    return status;
}

static mo_status load_shape_columns(mo_run *run, uint64_t count, mo_error *err)
{
    static const struct {
        column_id end, column;
    } columns[] = {{COL_BODY_PART_END, COL_PART_KIND},         {COL_BODY_PART_END, COL_PART_VERTEX_FIRST},
                   {COL_BODY_PART_END, COL_PART_VERTEX_COUNT}, {COL_BODY_PART_END, COL_PART_CHAIN},
                   {COL_BODY_PART_END, COL_PART_GEOMETRY},     {COL_BODY_PART_END, COL_PART_LINK},
                   {COL_BODY_VERTEX_END, COL_VERTICES},        {COL_BODY_FACE_END, COL_FACES},
                   {COL_BODY_NAME_END, COL_BODY_NAMES}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        if (!column_is_in(columns[i].column, &run->shape))
            continue;
        const uint64_t *ends = run_u64(run, columns[i].end);
        const uint64_t rows = hdf_column_usable(&run->columns[columns[i].column]);
        mo_status status = check_ends(ends, count, rows, column_defs[columns[i].end].path, err);
        if (status == MO_OK)
            status = run_load(run, columns[i].column, count > 0 ? ends[count - 1] : 0, err);
        if (status != MO_OK)
            return status;
    }
    return MO_OK;
}

static mo_status bad_body(mo_error *err, const char *key, uint64_t row, const char *what)
{
    return fail(err, MO_BAD_FILE, key, "row %llu: %s", (unsigned long long)row, what);
}

/* row i of a column of numbers */
static const double *numbers_of(const mo_run *run, column_id column, uint64_t i)
{
    return (const double *)run->data[column] + run->columns[column].width * i;
}

/* what bodies in space have besides */
static mo_status check_body3(const mo_run *run, uint64_t i, mo_error *err)
{
    const double *axes = numbers_of(run, COL_BODY_AXES, i), *extent = numbers_of(run, COL_BODY_EXTENT, i);
    const double square = axes[0] * axes[0] + axes[1] * axes[1] + axes[2] * axes[2] + axes[3] * axes[3];
    if (!(fabs(square - 1) <= TURN_TOLERANCE))
        return bad_body(err, "/bodies/axes", i, "expected a unit quaternion");
    // those of planes are infinite
    if (!(extent[0] >= 0 && extent[1] >= 0 && extent[2] >= 0))
        return bad_body(err, "/bodies/extent", i, "expected lengths >= 0");
    return MO_OK;
}

static mo_status check_body(const mo_run *run, uint64_t i, mo_error *err)
{
    const bool in_space = run->shape.dim == 3;
    const uint32_t *id = run->data[COL_BODY_ID], flags = ((const uint32_t *)run->data[COL_BODY_FLAGS])[i];
    const double mass = *numbers_of(run, COL_BODY_MASS, i);
    const double *inertia = numbers_of(run, in_space ? COL_BODY_INERTIA3 : COL_BODY_INERTIA, i);
    if (id[i] == 0 || (i > 0 && id[i] <= id[i - 1]))
        return bad_body(err, "/bodies/id", i, "expected ids > 0 that rise");
    if (((const uint8_t *)run->data[COL_BODY_KIND])[i] > MO_BODY_MOVED)
        return bad_body(err, "/bodies/kind", i, "expected 0, 1 or 2");
    if (((const uint32_t *)run->data[COL_BODY_GROUP])[i] >= run->table_rows[ROWS_GROUPS])
        return bad_body(err, "/bodies/group", i, "no such group");
    if (flags > (in_space ? BODY_FLAG_ALL : BODY_FLAG_PLANE))
        return bad_body(err, "/bodies/flags", i, in_space ? "expected at most 1023" : "expected at most 31");
    for (size_t k = 0; k < (in_space ? 3 : 1); k++)
        if (!(mass >= 0 && isfinite(mass)) || !(inertia[k] >= 0 && isfinite(inertia[k])))
            return bad_body(err, "/bodies/mass", i, "expected mass and inertia >= 0");
    if (!vec_finite(run->shape.dim, numbers_of(run, COL_BODY_ORIGIN, i)))
        return bad_body(err, "/bodies/origin", i, "expected numbers");
    return in_space ? check_body3(run, i, err) : MO_OK;
}

/* numbers of vertices that the kinds of parts can have */
static const struct {
    uint32_t least, most;
} part_vertices[] = {
    [MO_PART_DISC] = {1, 1},     [MO_PART_POLYGON] = {3, UINT32_MAX},
    [MO_PART_SEGMENT] = {2, 2},  [MO_PART_HALFPLANE] = {0, UINT32_MAX},
    [MO_PART_SPHERE] = {1, 1},   [MO_PART_CAPSULE] = {2, 2},
    [MO_PART_CYLINDER] = {2, 2}, [MO_PART_POLYHEDRON] = {4, UINT32_MAX},
    [MO_PART_TRIANGLE] = {6, 6}, [MO_PART_PLANE] = {0, 0},
};

/* the faces of a polyhedron begin where those of the part before end: a stream is walked once, whatever the
   parts say */
static bool faces_are_sound(const mo_part *part, const mo_body_raw *raw, size_t *end)
{
    size_t at = *end;
    if (part->link.face.first != at || part->link.face.count < 4)
        return false;
    for (uint32_t f = 0; f < part->link.face.count; f++) {
        const uint32_t corners = at < raw->face_length ? raw->faces[at] : 0;
        if (corners < 3 || corners > raw->face_length - at - 1)
            return false;
        for (uint32_t c = 1; c <= corners; c++)
            if (raw->faces[at + c] >= part->vertex_count)
                return false;
        at += 1 + (size_t)corners;
    }
    *end = at;
    return true;
}

static bool link_is_sound(const mo_part *part, const mo_body_raw *raw, size_t *face_end)
{
    const int32_t before = part->link.chain.before, after = part->link.chain.after;
    switch (part->kind) {
    case MO_PART_POLYHEDRON:
        return faces_are_sound(part, raw, face_end);
    case MO_PART_TRIANGLE:
        return part->link.neighbours < 8;
    case MO_PART_SPHERE:
    case MO_PART_CAPSULE:
    case MO_PART_CYLINDER:
    case MO_PART_PLANE:
        return true;
    default:
        return before >= -1 && after >= -1 && before < (int64_t)raw->vertex_count &&
               after < (int64_t)raw->vertex_count;
    }
}

static bool part_is_sound(const mo_part *part, const mo_body_raw *raw, size_t *face_end)
{
    if (part->vertex_first > raw->vertex_count ||
        part->vertex_count > raw->vertex_count - part->vertex_first ||
        part->vertex_count < part_vertices[part->kind].least ||
        part->vertex_count > part_vertices[part->kind].most)
        return false;
    return isfinite(part->radius) && part->radius >= 0 && vec_finite(3, part->normal) &&
           isfinite(part->offset) && link_is_sound(part, raw, face_end);
}

/* which of the union counts follows from the kind */
static void fill_link(const mo_run *run, uint64_t p, mo_part *part)
{
    if (run->shape.dim == 2) {
        const int32_t *chain = (const int32_t *)run->data[COL_PART_CHAIN] + 2 * p;
        part->link.chain.before = chain[0];
        part->link.chain.after = chain[1];
        return;
    }
    const uint32_t *link = (const uint32_t *)run->data[COL_PART_LINK] + 2 * p;
    if (part->kind == MO_PART_POLYHEDRON) {
        part->link.face.first = link[0];
        part->link.face.count = link[1];
    } else if (part->kind == MO_PART_TRIANGLE) {
        part->link.neighbours = link[0];
    }
}

static mo_status read_part(mo_run *run, uint64_t p, const mo_body_raw *raw, size_t *face_end, mo_error *err)
{
    const unsigned dim = run->shape.dim;
    const uint8_t kind = ((const uint8_t *)run->data[COL_PART_KIND])[p];
    const double *g = numbers_of(run, COL_PART_GEOMETRY, p);
    if (dim == 2 ? kind > MO_PART_HALFPLANE : kind < MO_PART_SPHERE || kind > MO_PART_PLANE)
        return bad_body(err, "/parts/kind", p, dim == 2 ? "expected 0 to 3" : "expected 4 to 9 in 3D");
    mo_part *part = &run->parts[p];
    *part = (mo_part){.kind = (mo_part_kind)kind,
                      .vertex_first = ((const uint32_t *)run->data[COL_PART_VERTEX_FIRST])[p],
                      .vertex_count = ((const uint32_t *)run->data[COL_PART_VERTEX_COUNT])[p],
                      .radius = g[GEOMETRY_RADIUS],
                      .offset = g[GEOMETRY_NORMAL + dim]};
    memcpy(part->normal, g + GEOMETRY_NORMAL, dim * sizeof *g);
    fill_link(run, p, part);
    if (!part_is_sound(part, raw, face_end))
        return bad_body(err, "/parts/geometry", p, "vertices, faces or numbers do not make a part");
    return MO_OK;
}

static void fill_body3(const mo_run *run, uint64_t i, mo_body_raw *raw)
{
    const uint32_t flags = ((const uint32_t *)run->data[COL_BODY_FLAGS])[i];
    const uint64_t *face_end = run_u64(run, COL_BODY_FACE_END), face = i > 0 ? face_end[i - 1] : 0;
    memcpy(raw->inertia3, numbers_of(run, COL_BODY_INERTIA3, i), sizeof raw->inertia3);
    memcpy(raw->axes, numbers_of(run, COL_BODY_AXES, i), sizeof raw->axes);
    memcpy(raw->extent, numbers_of(run, COL_BODY_EXTENT, i), sizeof raw->extent);
    raw->free |= (flags & BODY_FLAG_SPACE_FREE) >> BODY_FLAG_SPACE_SHIFT;
    raw->oriented = (flags & BODY_FLAG_ORIENTED) != 0;
    raw->faces = (const uint32_t *)run->data[COL_FACES] + face;
    raw->face_length = (size_t)(face_end[i] - face);
}

static void fill_body(mo_run *run, uint64_t i, mo_body_raw *raw)
{
    const unsigned dim = run->shape.dim;
    const uint64_t *part_end = run_u64(run, COL_BODY_PART_END),
                   *vertex_end = run_u64(run, COL_BODY_VERTEX_END);
    const uint64_t part = i > 0 ? part_end[i - 1] : 0, vertex = i > 0 ? vertex_end[i - 1] : 0;
    const uint32_t flags = ((const uint32_t *)run->data[COL_BODY_FLAGS])[i];
    *raw = (mo_body_raw){.id = ((const uint32_t *)run->data[COL_BODY_ID])[i],
                         .kind = (mo_body_kind)((const uint8_t *)run->data[COL_BODY_KIND])[i],
                         .group = run->group_names[((const uint32_t *)run->data[COL_BODY_GROUP])[i]],
                         .mass = *numbers_of(run, COL_BODY_MASS, i),
                         .inertia = dim == 2 ? *numbers_of(run, COL_BODY_INERTIA, i) : 0,
                         .area = *numbers_of(run, COL_BODY_AREA, i),
                         .free = flags & BODY_FLAG_FREE,
                         .limited = (flags & BODY_FLAG_LIMITED) != 0,
                         .collides_groups = run_u64(run, COL_BODY_COLLIDES)[i],
                         .part_count = (size_t)(part_end[i] - part),
                         .parts = run->parts + part,
                         .vertices = (const double *)run->data[COL_VERTICES] + dim * vertex,
                         .vertex_count = (size_t)(vertex_end[i] - vertex),
                         .has_functions = (flags & BODY_FLAG_FUNCTIONS) != 0};
    memcpy(raw->origin, numbers_of(run, COL_BODY_ORIGIN, i), dim * sizeof *raw->origin);
    if (dim == 3)
        fill_body3(run, i, raw);
}

static mo_status read_body(mo_run *run, uint64_t i, mo_error *err)
{
    mo_body_raw *raw = &run->bodies[i];
    mo_status status = check_body(run, i, err);
    if (status != MO_OK)
        return status;
    fill_body(run, i, raw);
    if (!vec_finite(run->shape.dim * raw->vertex_count, raw->vertices))
        return bad_body(err, "/vertices", i, "expected numbers for the body's vertices");
    size_t face_end = 0;
    for (size_t p = 0; p < raw->part_count && status == MO_OK; p++)
        status = read_part(run, (uint64_t)(raw->parts - run->parts) + p, raw, &face_end, err);
    return status;
}

/* names end in 0, so they take one byte each beside their letters */
static void copy_body_names(mo_run *run, uint64_t count)
{
    const uint64_t *ends = run_u64(run, COL_BODY_NAME_END);
    char *at = run->body_names;
    uint64_t start = 0;
    for (uint64_t i = 0; i < count; i++) {
        memcpy(at, (const char *)run->data[COL_BODY_NAMES] + start, (size_t)(ends[i] - start));
        run->bodies[i].name = at;
        at += ends[i] - start + 1;
        start = ends[i];
    }
}

mo_status run_read_bodies(mo_run *run, mo_error *err)
{
    const uint64_t count = run->table_rows[ROWS_BODIES];
    mo_status status = load_body_columns(run, count, err);
    if (status == MO_OK)
        status = load_shape_columns(run, count, err);
    if (status != MO_OK)
        return status;
    const uint64_t parts = count > 0 ? run_u64(run, COL_BODY_PART_END)[count - 1] : 0;
    const uint64_t name_bytes = count > 0 ? run_u64(run, COL_BODY_NAME_END)[count - 1] : 0;
    run->bodies = calloc((size_t)count + 1, sizeof *run->bodies);
    run->parts = calloc((size_t)parts + 1, sizeof *run->parts);
    run->body_names = calloc((size_t)(name_bytes + count) + 1, 1);
    if (run->bodies == NULL || run->parts == NULL || run->body_names == NULL)
        return fail(err, MO_NO_MEMORY, "/bodies", "no memory for %llu bodies", (unsigned long long)count);
    for (uint64_t i = 0; i < count && status == MO_OK; i++)
        status = read_body(run, i, err);
    if (status != MO_OK)
        return status;
    copy_body_names(run, count);
    return MO_OK;
}

const mo_body_raw *mo_run_bodies(const mo_run *run)
{
    return run->bodies;
}

size_t mo_run_body_row(const mo_run *run, uint32_t id)
{
    return search_u32(run->data[COL_BODY_ID], run->info.body_count, id);
}
