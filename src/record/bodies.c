/* The tables of groups and bodies of an open run. */
#include "record/run.h"

#include "core/fail.h"
#include "core/search.h"

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
    static const column_id columns[] = {COL_BODY_ID,       COL_BODY_KIND,       COL_BODY_GROUP,
                                        COL_BODY_FLAGS,    COL_BODY_COLLIDES,   COL_BODY_MASS,
                                        COL_BODY_AREA,     COL_BODY_INERTIA,    COL_BODY_ORIGIN,
                                        COL_BODY_PART_END, COL_BODY_VERTEX_END, COL_BODY_NAME_END};
    mo_status status = MO_OK;
    for (size_t i = 0; i < sizeof columns / sizeof *columns && status == MO_OK; i++)
        status = run_load(run, columns[i], count, err);
    return status;
}

static mo_status load_shape_columns(mo_run *run, uint64_t count, mo_error *err)
{
    static const struct {
        column_id end, column;
    } columns[] = {{COL_BODY_PART_END, COL_PART_KIND},         {COL_BODY_PART_END, COL_PART_VERTEX_FIRST},
                   {COL_BODY_PART_END, COL_PART_VERTEX_COUNT}, {COL_BODY_PART_END, COL_PART_CHAIN},
                   {COL_BODY_PART_END, COL_PART_GEOMETRY},     {COL_BODY_VERTEX_END, COL_VERTICES},
                   {COL_BODY_NAME_END, COL_BODY_NAMES}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
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

static mo_status check_body(const mo_run *run, uint64_t i, mo_error *err)
{
    const uint32_t *id = run->data[COL_BODY_ID];
    const double mass = ((const double *)run->data[COL_BODY_MASS])[i];
    const double inertia = ((const double *)run->data[COL_BODY_INERTIA])[i];
    const double *origin = (const double *)run->data[COL_BODY_ORIGIN] + 2 * i;
    if (id[i] == 0 || (i > 0 && id[i] <= id[i - 1]))
        return bad_body(err, "/bodies/id", i, "expected ids > 0 that rise");
    if (((const uint8_t *)run->data[COL_BODY_KIND])[i] > MO_BODY_MOVED)
        return bad_body(err, "/bodies/kind", i, "expected 0, 1 or 2");
    if (((const uint32_t *)run->data[COL_BODY_GROUP])[i] >= run->table_rows[ROWS_GROUPS])
        return bad_body(err, "/bodies/group", i, "no such group");
    if (((const uint32_t *)run->data[COL_BODY_FLAGS])[i] > BODY_FLAG_ALL)
        return bad_body(err, "/bodies/flags", i, "expected at most 31");
    if (!(mass >= 0 && isfinite(mass)) || !(inertia >= 0 && isfinite(inertia)))
        return bad_body(err, "/bodies/mass", i, "expected mass and inertia >= 0");
    if (!isfinite(origin[0]) || !isfinite(origin[1]))
        return bad_body(err, "/bodies/origin", i, "expected numbers");
    return MO_OK;
}

static bool part_is_sound(const mo_part *part, const double *vertices, uint64_t vertex_count)
{
    static const uint32_t least[] = {1, 3, 2, 0}, most[] = {1, UINT32_MAX, 2, UINT32_MAX};
    if (part->vertex_first > vertex_count || part->vertex_count > vertex_count - part->vertex_first ||
        part->vertex_count < least[part->kind] || part->vertex_count > most[part->kind])
        return false;
    if (!isfinite(part->radius) || part->radius < 0 || !isfinite(part->normal[0]) ||
        !isfinite(part->normal[1]) || !isfinite(part->offset))
        return false;
    for (size_t v = 0; v < 2 * (size_t)part->vertex_count; v++)
        if (!isfinite(vertices[2 * (size_t)part->vertex_first + v]))
            return false;
    return part->chain_before >= -1 && part->chain_after >= -1 &&
           part->chain_before < (int64_t)vertex_count && part->chain_after < (int64_t)vertex_count;
}

static mo_status read_part(mo_run *run, uint64_t p, const double *vertices, uint64_t vertex_count,
                           mo_error *err)
{
    const uint8_t kind = ((const uint8_t *)run->data[COL_PART_KIND])[p];
    const int32_t *chain = (const int32_t *)run->data[COL_PART_CHAIN] + 2 * p;
    const double *g = (const double *)run->data[COL_PART_GEOMETRY] + 4 * p;
    if (kind > MO_PART_HALFPLANE)
        return bad_body(err, "/parts/kind", p, "expected 0 to 3");
    mo_part *part = &run->parts[p];
    *part = (mo_part){.kind = (mo_part_kind)kind,
                      .vertex_first = ((const uint32_t *)run->data[COL_PART_VERTEX_FIRST])[p],
                      .vertex_count = ((const uint32_t *)run->data[COL_PART_VERTEX_COUNT])[p],
                      .radius = g[GEOMETRY_RADIUS],
                      .normal = {g[GEOMETRY_NORMAL_X], g[GEOMETRY_NORMAL_Y]},
                      .offset = g[GEOMETRY_OFFSET],
                      .chain_before = chain[0],
                      .chain_after = chain[1]};
    if (!part_is_sound(part, vertices, vertex_count))
        return bad_body(err, "/parts/geometry", p, "vertices or numbers do not make a part");
    return MO_OK;
}

static void fill_body(mo_run *run, uint64_t i, mo_body_raw *raw)
{
    const uint64_t *part_end = run_u64(run, COL_BODY_PART_END),
                   *vertex_end = run_u64(run, COL_BODY_VERTEX_END);
    const uint64_t part = i > 0 ? part_end[i - 1] : 0, vertex = i > 0 ? vertex_end[i - 1] : 0;
    const uint32_t flags = ((const uint32_t *)run->data[COL_BODY_FLAGS])[i];
    const double *origin = (const double *)run->data[COL_BODY_ORIGIN] + 2 * i;
    *raw = (mo_body_raw){.id = ((const uint32_t *)run->data[COL_BODY_ID])[i],
                         .kind = (mo_body_kind)((const uint8_t *)run->data[COL_BODY_KIND])[i],
                         .group = run->group_names[((const uint32_t *)run->data[COL_BODY_GROUP])[i]],
                         .mass = ((const double *)run->data[COL_BODY_MASS])[i],
                         .inertia = ((const double *)run->data[COL_BODY_INERTIA])[i],
                         .area = ((const double *)run->data[COL_BODY_AREA])[i],
                         .origin = {origin[0], origin[1]},
                         .free = flags & BODY_FLAG_FREE,
                         .limited = (flags & BODY_FLAG_LIMITED) != 0,
                         .collides_groups = run_u64(run, COL_BODY_COLLIDES)[i],
                         .part_count = (size_t)(part_end[i] - part),
                         .parts = run->parts + part,
                         .vertices = (const double *)run->data[COL_VERTICES] + 2 * vertex,
                         .vertex_count = (size_t)(vertex_end[i] - vertex),
                         .has_functions = (flags & BODY_FLAG_FUNCTIONS) != 0};
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
    for (uint64_t i = 0; i < count; i++) {
        mo_body_raw *raw = &run->bodies[i];
        status = check_body(run, i, err);
        if (status != MO_OK)
            return status;
        fill_body(run, i, raw);
        for (size_t p = 0; p < raw->part_count && status == MO_OK; p++)
            status = read_part(run, (uint64_t)(raw->parts - run->parts) + p, raw->vertices, raw->vertex_count,
                               err);
        if (status != MO_OK)
            return status;
    }
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
