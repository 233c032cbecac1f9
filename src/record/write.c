/*
 * Writing: steps and series are kept in memory until the next frame; a frame's data reach the file
 * first, its row of /frames next, its time last.  A frame whose time is there is complete.
 */
#include "record/recorder.h"

#include "core/fail.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- rows between frames ------------------------------------------------------------------------ */

mo_status mo_recorder_step(mo_recorder *rec, const mo_world *world, mo_error *err)
{
    assert(rec != NULL && world != NULL);
    mo_status status = recorder_ready(rec, IN_WORLD, err);
    if (status != MO_OK)
        return status;
    const mo_world_info info = mo_world_info_get(world);
    const int32_t contacts = (int32_t)info.contacts, iterations = info.solver.iterations;
    const rows_part parts[] = {{COL_STEP_STEP, 1, &info.steps},
                               {COL_STEP_CONTACTS, 1, &contacts},
                               {COL_STEP_ITERATIONS, 1, &iterations},
                               {COL_STEP_RESIDUAL, 1, &info.solver.certificate.residual}};
    return rows_keep(rec, parts, LENGTH(parts), err);
}

static void put_energy(const mo_energy *energy, double out[RUN_ENERGY_COLUMNS])
{
    out[0] = energy->kinetic;
    out[1] = energy->potential;
    out[2] = energy->work_external;
    out[3] = energy->dissipated_friction;
    out[4] = energy->dissipated_impact;
    out[5] = energy->balance_error;
}

mo_status mo_recorder_series(mo_recorder *rec, const mo_world *world, const double *values, mo_error *err)
{
    assert(rec != NULL && world != NULL);
    mo_status status = recorder_ready(rec, IN_WORLD, err);
    if (status != MO_OK)
        return status;
    const size_t width = rec->shape.series, observed = width - RUN_ENERGY_COLUMNS;
    assert(values != NULL || observed == 0);
    double *row = malloc(width * sizeof *row);
    if (row == NULL)
        return recorder_no_memory(err);
    const mo_world_info info = mo_world_info_get(world);
    put_energy(&info.energy, row);
    if (observed > 0)
        memcpy(row + RUN_ENERGY_COLUMNS, values, observed * sizeof *values);
    const rows_part parts[] = {{COL_SERIES_T, 1, &info.time}, {COL_SERIES_VALUES, 1, row}};
    status = rows_keep(rec, parts, LENGTH(parts), err);
    free(row);
    return status;
}

/* ---- groups and bodies --------------------------------------------------------------------------- */

static bool put_new_groups(mo_recorder *rec, const mo_world *world)
{
    for (size_t g = rec->rows[COL_GROUP_NAME_END]; g < mo_world_group_count(world); g++) {
        const char *name = mo_world_group_name(world, g);
        if (!rows_append(rec, COL_GROUP_NAMES, strlen(name), name))
            return false;
        const uint64_t end = rec->rows[COL_GROUP_NAMES];
        if (!rows_append(rec, COL_GROUP_NAME_END, 1, &end))
            return false;
    }
    return true;
}

/* Rows for several columns, gathered so that each column is written once.  Columns that the run does not
   have stay NULL. */
typedef struct batch {
    const run_shape *shape;
    void *data[COLUMN_COUNT];
    uint64_t rows[COLUMN_COUNT];
} batch;

static const column_id body_columns[] = {
    COL_BODY_ID,       COL_BODY_KIND,     COL_BODY_GROUP,      COL_BODY_FLAGS,
    COL_BODY_COLLIDES, COL_BODY_MASS,     COL_BODY_INERTIA,    COL_BODY_AREA,
    COL_BODY_ORIGIN,   COL_BODY_INERTIA3, COL_BODY_AXES,       COL_BODY_EXTENT,
    COL_BODY_PART_END, COL_BODY_NAME_END, COL_BODY_VERTEX_END, COL_BODY_FACE_END};
static const column_id part_columns[] = {COL_PART_KIND,  COL_PART_VERTEX_FIRST, COL_PART_VERTEX_COUNT,
                                         COL_PART_CHAIN, COL_PART_LINK,         COL_PART_GEOMETRY};

static bool batch_room(batch *b, const column_id *columns, size_t count, uint64_t rows)
{
    for (size_t i = 0; i < count; i++) {
        const column_id c = columns[i];
        if (!column_is_in(c, b->shape))
            continue;
        b->rows[c] = rows;
        b->data[c] = calloc(rows > 0 ? rows : 1, column_width(c, b->shape) * column_element_size(c));
        if (b->data[c] == NULL)
            return false;
    }
    return true;
}

static void batch_free(batch *b)
{
    for (int i = 0; i < COLUMN_COUNT; i++)
        free(b->data[i]);
}

static bool batch_put(mo_recorder *rec, const batch *b)
{
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (b->data[i] != NULL && !rows_append(rec, (column_id)i, b->rows[i], b->data[i]))
            return false;
    return true;
}

static bool batch_for_bodies(batch *b, const mo_world *world, size_t first_slot, size_t count)
{
    static const column_id vertices = COL_VERTICES, faces = COL_FACES, names = COL_BODY_NAMES;
    uint64_t part_rows = 0, vertex_rows = 0, face_rows = 0, name_bytes = 0;
    for (size_t slot = first_slot; slot < first_slot + count; slot++) {
        mo_body_raw raw;
        mo_body_raw_get(world, slot, &raw);
        part_rows += raw.part_count;
        vertex_rows += raw.vertex_count;
        face_rows += raw.face_length;
        name_bytes += strlen(raw.name);
    }
    return batch_room(b, body_columns, LENGTH(body_columns), count) &&
           batch_room(b, part_columns, LENGTH(part_columns), part_rows) &&
           batch_room(b, &vertices, 1, vertex_rows) && batch_room(b, &faces, 1, face_rows) &&
           batch_room(b, &names, 1, name_bytes);
}

/* where the next body's parts, vertices, faces and name go: counted in the file (end) and in the batch (at)
 */
typedef struct body_cursor {
    uint64_t part_end, vertex_end, face_end, name_end;
    size_t part_at, vertex_at, face_at, name_at;
} body_cursor;

static void put_link(batch *b, size_t at, const mo_part *part)
{
    if (b->shape->dim == 2) {
        int32_t *chain = (int32_t *)b->data[COL_PART_CHAIN] + 2 * at;
        chain[0] = part->link.chain.before;
        chain[1] = part->link.chain.after;
        return;
    }
    uint32_t *link = (uint32_t *)b->data[COL_PART_LINK] + 2 * at;
    if (part->kind == MO_PART_POLYHEDRON) {
        link[0] = part->link.face.first;
        link[1] = part->link.face.count;
    } else if (part->kind == MO_PART_TRIANGLE) {
        link[0] = part->link.neighbours;
    }
}

static void put_part(batch *b, size_t at, const mo_part *part)
{
    ((uint8_t *)b->data[COL_PART_KIND])[at] = (uint8_t)part->kind;
    ((uint32_t *)b->data[COL_PART_VERTEX_FIRST])[at] = part->vertex_first;
    ((uint32_t *)b->data[COL_PART_VERTEX_COUNT])[at] = part->vertex_count;
    const unsigned dim = b->shape->dim;
    double *geometry = (double *)b->data[COL_PART_GEOMETRY] + (dim + 2) * at;
    geometry[GEOMETRY_RADIUS] = part->radius;
    memcpy(geometry + GEOMETRY_NORMAL, part->normal, dim * sizeof *geometry);
    geometry[GEOMETRY_NORMAL + dim] = part->offset;
    put_link(b, at, part);
}

static void put_shape(batch *b, size_t i, const mo_body_raw *raw, body_cursor *c)
{
    for (size_t p = 0; p < raw->part_count; p++)
        put_part(b, c->part_at++, &raw->parts[p]);
    const unsigned dim = b->shape->dim;
    if (raw->vertex_count > 0)
        memcpy((double *)b->data[COL_VERTICES] + dim * c->vertex_at, raw->vertices,
               dim * raw->vertex_count * sizeof(double));
    if (raw->face_length > 0)
        memcpy((uint32_t *)b->data[COL_FACES] + c->face_at, raw->faces,
               raw->face_length * sizeof *raw->faces);
    const size_t length = strlen(raw->name);
    memcpy((char *)b->data[COL_BODY_NAMES] + c->name_at, raw->name, length);
    c->vertex_at += raw->vertex_count;
    c->face_at += raw->face_length;
    c->name_at += length;
    c->part_end += raw->part_count;
    c->vertex_end += raw->vertex_count;
    c->face_end += raw->face_length;
    c->name_end += length;
    ((uint64_t *)b->data[COL_BODY_PART_END])[i] = c->part_end;
    ((uint64_t *)b->data[COL_BODY_VERTEX_END])[i] = c->vertex_end;
    ((uint64_t *)b->data[COL_BODY_NAME_END])[i] = c->name_end;
    if (dim == 3)
        ((uint64_t *)b->data[COL_BODY_FACE_END])[i] = c->face_end;
}

static uint32_t body_flags(const mo_body_raw *raw)
{
    const unsigned space_free = raw->free << BODY_FLAG_SPACE_SHIFT & BODY_FLAG_SPACE_FREE;
    return (raw->free & BODY_FLAG_FREE) | space_free | (raw->limited ? BODY_FLAG_LIMITED : 0u) |
           (raw->has_functions ? BODY_FLAG_FUNCTIONS : 0u) | (raw->oriented ? BODY_FLAG_ORIENTED : 0u);
}

static void put_body3(batch *b, size_t i, const mo_body_raw *raw)
{
    memcpy((double *)b->data[COL_BODY_INERTIA3] + 3 * i, raw->inertia3, sizeof raw->inertia3);
    memcpy((double *)b->data[COL_BODY_AXES] + 4 * i, raw->axes, sizeof raw->axes);
    memcpy((double *)b->data[COL_BODY_EXTENT] + 3 * i, raw->extent, sizeof raw->extent);
}

static void put_body(batch *b, size_t i, const mo_body_raw *raw, uint32_t group)
{
    ((uint32_t *)b->data[COL_BODY_ID])[i] = raw->id;
    ((uint8_t *)b->data[COL_BODY_KIND])[i] = (uint8_t)raw->kind;
    ((uint32_t *)b->data[COL_BODY_GROUP])[i] = group;
    const unsigned dim = b->shape->dim;
    ((uint32_t *)b->data[COL_BODY_FLAGS])[i] = body_flags(raw);
    ((uint64_t *)b->data[COL_BODY_COLLIDES])[i] = raw->collides_groups;
    ((double *)b->data[COL_BODY_MASS])[i] = raw->mass;
    ((double *)b->data[COL_BODY_AREA])[i] = raw->area;
    memcpy((double *)b->data[COL_BODY_ORIGIN] + dim * i, raw->origin, dim * sizeof *raw->origin);
    if (dim == 2)
        ((double *)b->data[COL_BODY_INERTIA])[i] = raw->inertia;
    else
        put_body3(b, i, raw);
}

static void fill_batch(batch *b, const mo_recorder *rec, const mo_world *world, size_t first, size_t count)
{
    const mo_bodies bodies = mo_world_bodies(world);
    body_cursor cursor = {.part_end = rec->rows[COL_PART_KIND],
                          .vertex_end = rec->rows[COL_VERTICES],
                          .face_end = rec->rows[COL_FACES],
                          .name_end = rec->rows[COL_BODY_NAMES]};
    for (size_t i = 0; i < count; i++) {
        mo_body_raw raw;
        mo_body_raw_get(world, first + i, &raw);
        put_body(b, i, &raw, bodies.group[first + i]);
        put_shape(b, i, &raw, &cursor);
    }
}

static bool put_new_bodies(mo_recorder *rec, const mo_world *world)
{
    const mo_bodies bodies = mo_world_bodies(world);
    size_t first = bodies.count;
    while (first > 0 && bodies.id[first - 1] > rec->last_id)
        first--;
    const size_t count = bodies.count - first;
    if (count == 0)
        return true;
    batch b = {.shape = &rec->shape};
    bool ok = batch_for_bodies(&b, world, first, count);
    if (ok) {
        fill_batch(&b, rec, world, first, count);
        ok = batch_put(rec, &b);
    }
    batch_free(&b);
    rec->last_id = bodies.id[bodies.count - 1];
    return ok;
}

/* ---- frames ------------------------------------------------------------------------------------ */

/* compressed chunks are written once: a frame starts at a chunk of its own */
static uint64_t frame_start(const mo_recorder *rec, column_id column)
{
    const hdf_column *c = &rec->columns[column];
    const uint64_t rows = rec->rows[column];
    return c->filtered ? (rows + c->chunk_rows - 1) / c->chunk_rows * c->chunk_rows : rows;
}

/* distance of the farthest point of a body from its centre of mass; half-planes and planes count as 0 */
static double body_radius(const mo_world *world, const mo_bodies *bodies, size_t slot)
{
    double radius = 0;
    if (bodies->dim == 3) {
        mo_body_raw raw;
        mo_body_raw_get(world, slot, &raw);
        return isfinite(raw.extent[0]) ? raw.extent[0] : 0;
    }
    for (uint32_t p = 0; p < bodies->part_count[slot]; p++) {
        const mo_part *part = &bodies->parts[bodies->part_first[slot] + p];
        for (uint32_t v = 0; v < part->vertex_count && part->kind != MO_PART_HALFPLANE; v++) {
            const double *x =
                bodies->vertices + 2 * (size_t)(bodies->vertex_first[slot] + part->vertex_first + v);
            const double extra = part->kind == MO_PART_DISC ? part->radius : 0;
            radius = fmax(radius, hypot(x[0], x[1]) + extra);
        }
    }
    return radius;
}

static bool put_parts(mo_recorder *rec, uint64_t first, const rows_part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!rows_put(rec, parts[i].column, first, parts[i].count, parts[i].data))
            return false;
    return true;
}

static bool put_frame_bodies(mo_recorder *rec, const mo_world *world, const mo_frame_extra *extra,
                             uint64_t *first)
{
    const mo_bodies bodies = mo_world_bodies(world);
    const size_t n = bodies.count;
    *first = frame_start(rec, COL_FB_ID);
    const double *load = mo_world_loads(world);
    double *radius = load != NULL ? calloc(n > 0 ? n : 1, sizeof *radius) : NULL;
    if (radius == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        radius[i] = body_radius(world, &bodies, i);
    const rows_part parts[] = {{COL_FB_ID, n, bodies.id},
                               {COL_FB_Q, n, bodies.q},
                               {COL_FB_U, n, bodies.u},
                               {COL_FB_LOAD, n, load},
                               {COL_FB_FORCE, n, mo_world_forces(world)},
                               {COL_FB_RADIUS, n, radius},
                               {COL_FB_REST, n, mo_world_rests(world)},
                               {COL_FB_OBSERVED, n, extra != NULL ? extra->observed : NULL}};
    const bool ok = put_parts(rec, *first, parts, LENGTH(parts));
    free(radius);
    return ok;
}

static bool put_frame_contacts(mo_recorder *rec, const mo_world *world, uint64_t *first)
{
    const mo_contacts all = mo_world_contacts(world), *contacts = &all;
    const size_t n = contacts->count;
    *first = frame_start(rec, COL_FC_ID1);
    uint32_t *law = laws_record(rec, world);
    if (law == NULL)
        return false;
    const rows_part parts[] = {{COL_FC_ID1, n, contacts->id1},
                               {COL_FC_ID2, n, contacts->id2},
                               {COL_FC_FEATURE, n, contacts->feature},
                               {COL_FC_POINT, n, contacts->point},
                               {COL_FC_NORMAL, n, contacts->normal},
                               {COL_FC_GAP, n, contacts->gap},
                               {COL_FC_IMPULSE, n, contacts->impulse},
                               {COL_FC_VELOCITY, n, contacts->velocity},
                               {COL_FC_STATUS, n, contacts->status},
                               {COL_FC_MEMORY, n, contacts->memory},
                               {COL_FC_LAW, n, law}};
    const bool ok = put_parts(rec, *first, parts, LENGTH(parts));
    free(law);
    return ok;
}

typedef struct frame_place {
    uint64_t body_first, contact_first, state_first, state_length;
} frame_place;

static bool put_frame_totals(mo_recorder *rec, const mo_world *world)
{
    const mo_world_totals t = mo_world_totals_get(world);
    const mo_world_info info = mo_world_info_get(world);
    const int64_t counts[4] = {[COUNT_ITERATIONS] = t.iterations_total,
                               [COUNT_CONTACT_ITERATIONS] = t.contact_iterations_total,
                               [COUNT_UNCONVERGED] = t.unconverged_steps,
                               [COUNT_FAST] = t.fast_bodies};
    const double measures[8] = {[MEASURE_WORST_RESIDUAL] = t.worst_residual,
                                [MEASURE_MAX_PENETRATION] = t.max_penetration,
                                [MEASURE_START_OVERLAP] = t.start_overlap,
                                [MEASURE_PENETRATION] = t.penetration,
                                [MEASURE_ENERGY_INITIAL] = t.energy_initial,
                                [MEASURE_WORK_EXTERNAL] = t.work_external,
                                [MEASURE_DISSIPATED_FRICTION] = t.dissipated_friction,
                                [MEASURE_DISSIPATED_IMPACT] = t.dissipated_impact};
    double energy[RUN_ENERGY_COLUMNS];
    put_energy(&info.energy, energy);
    return rows_append(rec, COL_FRAME_STEP, 1, &t.steps) && rows_append(rec, COL_FRAME_COUNTS, 1, counts) &&
           rows_append(rec, COL_FRAME_MEASURES, 1, measures) && rows_append(rec, COL_FRAME_ENERGY, 1, energy);
}

static bool put_frame_cell(mo_recorder *rec, const mo_world *world)
{
    double row[CELL_COLUMNS];
    const mo_cell cell = mo_world_cell(world);
    if (!column_is_in(COL_FRAME_CELL, &rec->shape))
        return true;
    memcpy(row + CELL_ORIGIN, cell.origin, sizeof cell.origin);
    memcpy(row + CELL_EDGES, cell.edges, sizeof cell.edges);
    memcpy(row + CELL_RATE, cell.rate, sizeof cell.rate);
    for (int k = 0; k < 3; k++)
        row[CELL_PERIODIC + k] = cell.periodic[k] ? 1 : 0;
    return rows_append(rec, COL_FRAME_CELL, 1, row);
}

static bool put_frame_row(mo_recorder *rec, const mo_world *world, const mo_frame_extra *extra,
                          const frame_place *place)
{
    const uint64_t bodies = mo_world_bodies(world).count, contacts = mo_world_contacts(world).count;
    const uint64_t rows[4] = {[ROWS_BODIES] = rec->rows[COL_BODY_ID],
                              [ROWS_GROUPS] = rec->rows[COL_GROUP_NAME_END],
                              [ROWS_SERIES] = rec->rows[COL_SERIES_T],
                              [ROWS_STEPS] = rec->rows[COL_STEP_STEP]};
    const uint64_t none[2] = {0, 0};
    return rows_append(rec, COL_FRAME_BODY_FIRST, 1, &place->body_first) &&
           rows_append(rec, COL_FRAME_BODY_COUNT, 1, &bodies) &&
           rows_append(rec, COL_FRAME_CONTACT_FIRST, 1, &place->contact_first) &&
           rows_append(rec, COL_FRAME_CONTACT_COUNT, 1, &contacts) &&
           rows_append(rec, COL_FRAME_STATE_FIRST, 1, &place->state_first) &&
           rows_append(rec, COL_FRAME_STATE_LENGTH, 1, &place->state_length) &&
           rows_append(rec, COL_FRAME_ROWS, 1, rows) &&
           rows_append(rec, COL_FRAME_RANDOM, 1, extra != NULL ? extra->random : none) &&
           put_frame_totals(rec, world) && put_frame_cell(rec, world);
}

/* everything but the time, which makes the frame count */
static bool put_frame_data(mo_recorder *rec, const mo_world *world, const mo_frame_extra *extra)
{
    const mo_contacts contacts = mo_world_contacts(world);
    const char *text = extra != NULL && extra->state_text != NULL ? extra->state_text : "";
    frame_place place = {.state_first = rec->rows[COL_FRAME_STATE], .state_length = strlen(text)};
    return put_new_groups(rec, world) && joints_record(rec, world) && rows_append_kept(rec) &&
           put_new_bodies(rec, world) && put_frame_bodies(rec, world, extra, &place.body_first) &&
           rows_append_index(rec, mo_world_bodies(world).count) && rows_append_index(rec, contacts.count) &&
           put_frame_contacts(rec, world, &place.contact_first) &&
           rows_append(rec, COL_FRAME_STATE, place.state_length, text) &&
           put_frame_row(rec, world, extra, &place) && job_flush(rec->job);
}

mo_status mo_recorder_frame(mo_recorder *rec, const mo_world *world, const mo_frame_extra *extra,
                            mo_error *err)
{
    assert(rec != NULL && world != NULL);
    assert(rec->shape.observed == 0 || (extra != NULL && extra->observed != NULL));
    mo_status status = recorder_ready(rec, IN_WORLD, err);
    if (status != MO_OK)
        return status;
    const double time = mo_world_info_get(world).time;
    recorder_begin_job(rec);
    if (!put_frame_data(rec, world, extra) || !rows_append(rec, COL_FRAME_T, 1, &time) ||
        !job_flush(rec->job))
        status = recorder_no_memory(err);
    return recorder_end_job(rec, status, err);
}
