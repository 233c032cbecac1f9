/*
 * Writing: steps and series are kept in memory until the next frame; a frame's data reach the file
 * first, its row of /frames next, its time last.  A frame whose time is there is complete.
 */
#include "record/recorder.h"

#include "core/buffer.h"
#include "core/fail.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- helpers ------------------------------------------------------------------------------- */

static bool append(mo_recorder *rec, column_id id, uint64_t count, const void *data)
{
    hdf_column *c = &rec->columns[id];
    return hdf_column_write(c, id, c->rows, count, data);
}

static bool flush(mo_recorder *rec)
{
    return H5Fflush(rec->file, H5F_SCOPE_LOCAL) >= 0 && rec->state.error == 0;
}

static mo_status refuse(const mo_recorder *rec, mo_error *err)
{
    mo_status status =
        fail(err, MO_IO, NULL, "the run file could not be written before; nothing more is recorded");
    fail_at(err, rec->path, 0);
    return status;
}

static mo_status no_memory(mo_error *err)
{
    return fail(err, MO_NO_MEMORY, NULL, "no memory to record");
}

/* ---- rows between frames ------------------------------------------------------------------------ */

mo_status mo_recorder_step(mo_recorder *rec, const mo_world *world, mo_error *err)
{
    assert(rec != NULL && world != NULL);
    if (rec->broken)
        return refuse(rec, err);
    const column columns[] = {{(void **)&rec->step, sizeof *rec->step},
                              {(void **)&rec->step_contacts, sizeof *rec->step_contacts},
                              {(void **)&rec->step_iterations, sizeof *rec->step_iterations},
                              {(void **)&rec->step_residual, sizeof *rec->step_residual}};
    if (!columns_reserve(columns, 4, &rec->step_capacity, rec->step_count + 1))
        return no_memory(err);
    const mo_world_info info = mo_world_info_get(world);
    const size_t i = rec->step_count++;
    rec->step[i] = info.steps;
    rec->step_contacts[i] = (int32_t)info.contacts;
    rec->step_iterations[i] = info.solver.iterations;
    rec->step_residual[i] = info.solver.certificate.residual;
    return MO_OK;
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
    if (rec->broken)
        return refuse(rec, err);
    const size_t width = rec->series_width, observed = width - RUN_ENERGY_COLUMNS;
    assert(values != NULL || observed == 0);
    const column columns[] = {{(void **)&rec->series_t, sizeof(double)},
                              {(void **)&rec->series_values, width * sizeof(double)}};
    if (!columns_reserve(columns, 2, &rec->series_capacity, rec->series_count + 1))
        return no_memory(err);
    const mo_world_info info = mo_world_info_get(world);
    const size_t i = rec->series_count++;
    rec->series_t[i] = info.time;
    double *row = rec->series_values + i * width;
    put_energy(&info.energy, row);
    if (observed > 0)
        memcpy(row + RUN_ENERGY_COLUMNS, values, observed * sizeof *values);
    return MO_OK;
}

static bool write_kept_rows(mo_recorder *rec)
{
    bool ok = append(rec, COL_STEP_STEP, rec->step_count, rec->step) &&
              append(rec, COL_STEP_CONTACTS, rec->step_count, rec->step_contacts) &&
              append(rec, COL_STEP_ITERATIONS, rec->step_count, rec->step_iterations) &&
              append(rec, COL_STEP_RESIDUAL, rec->step_count, rec->step_residual) &&
              append(rec, COL_SERIES_T, rec->series_count, rec->series_t) &&
              append(rec, COL_SERIES_VALUES, rec->series_count, rec->series_values);
    rec->step_count = rec->series_count = 0;
    return ok;
}

/* ---- groups and bodies --------------------------------------------------------------------------- */

static bool write_new_groups(mo_recorder *rec, const mo_world *world)
{
    for (size_t g = rec->columns[COL_GROUP_NAME_END].rows; g < mo_world_group_count(world); g++) {
        const char *name = mo_world_group_name(world, g);
        if (!append(rec, COL_GROUP_NAMES, strlen(name), name))
            return false;
        const uint64_t end = rec->columns[COL_GROUP_NAMES].rows;
        if (!append(rec, COL_GROUP_NAME_END, 1, &end))
            return false;
    }
    return true;
}

/* Rows for several columns, gathered so that each column is written once. */
typedef struct batch {
    void *data[COLUMN_COUNT];
    uint64_t rows[COLUMN_COUNT];
} batch;

static const column_id body_columns[] = {COL_BODY_ID,       COL_BODY_KIND,     COL_BODY_GROUP,
                                         COL_BODY_FLAGS,    COL_BODY_COLLIDES, COL_BODY_MASS,
                                         COL_BODY_INERTIA,  COL_BODY_AREA,     COL_BODY_ORIGIN,
                                         COL_BODY_PART_END, COL_BODY_NAME_END, COL_BODY_VERTEX_END};
static const column_id part_columns[] = {COL_PART_KIND, COL_PART_VERTEX_FIRST, COL_PART_VERTEX_COUNT,
                                         COL_PART_CHAIN, COL_PART_GEOMETRY};
#define LENGTH(array) (sizeof(array) / sizeof *(array))

static bool batch_room(batch *b, const column_id *columns, size_t count, uint64_t rows)
{
    for (size_t i = 0; i < count; i++) {
        const column_id c = columns[i];
        b->rows[c] = rows;
        b->data[c] = calloc(rows > 0 ? rows : 1, column_defs[c].width * column_element_size(c));
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

static bool batch_write(mo_recorder *rec, const batch *b)
{
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (b->data[i] != NULL && !append(rec, (column_id)i, b->rows[i], b->data[i]))
            return false;
    return true;
}

static bool batch_for_bodies(batch *b, const mo_world *world, size_t first_slot, size_t count)
{
    static const column_id vertices = COL_VERTICES, names = COL_BODY_NAMES;
    uint64_t part_rows = 0, vertex_rows = 0, name_bytes = 0;
    for (size_t slot = first_slot; slot < first_slot + count; slot++) {
        mo_body_raw raw;
        mo_body_raw_get(world, slot, &raw);
        part_rows += raw.part_count;
        vertex_rows += raw.vertex_count;
        name_bytes += strlen(raw.name);
    }
    return batch_room(b, body_columns, LENGTH(body_columns), count) &&
           batch_room(b, part_columns, LENGTH(part_columns), part_rows) &&
           batch_room(b, &vertices, 1, vertex_rows) && batch_room(b, &names, 1, name_bytes);
}

/* where the next body's parts, vertices and name go: counted in the file (end) and in the batch (at) */
typedef struct body_cursor {
    uint64_t part_end, vertex_end, name_end;
    size_t part_at, vertex_at, name_at;
} body_cursor;

static void put_part(batch *b, size_t at, const mo_part *part)
{
    ((uint8_t *)b->data[COL_PART_KIND])[at] = (uint8_t)part->kind;
    ((uint32_t *)b->data[COL_PART_VERTEX_FIRST])[at] = part->vertex_first;
    ((uint32_t *)b->data[COL_PART_VERTEX_COUNT])[at] = part->vertex_count;
    int32_t *chain = (int32_t *)b->data[COL_PART_CHAIN] + 2 * at;
    chain[0] = part->chain_before;
    chain[1] = part->chain_after;
    double *geometry = (double *)b->data[COL_PART_GEOMETRY] + 4 * at;
    geometry[GEOMETRY_RADIUS] = part->radius;
    geometry[GEOMETRY_NORMAL_X] = part->normal[0];
    geometry[GEOMETRY_NORMAL_Y] = part->normal[1];
    geometry[GEOMETRY_OFFSET] = part->offset;
}

static void put_shape(batch *b, size_t i, const mo_body_raw *raw, body_cursor *c)
{
    for (size_t p = 0; p < raw->part_count; p++)
        put_part(b, c->part_at++, &raw->parts[p]);
    if (raw->vertex_count > 0)
        memcpy((double *)b->data[COL_VERTICES] + 2 * c->vertex_at, raw->vertices,
               2 * raw->vertex_count * sizeof(double));
    const size_t length = strlen(raw->name);
    memcpy((char *)b->data[COL_BODY_NAMES] + c->name_at, raw->name, length);
    c->vertex_at += raw->vertex_count;
    c->name_at += length;
    c->part_end += raw->part_count;
    c->vertex_end += raw->vertex_count;
    c->name_end += length;
    ((uint64_t *)b->data[COL_BODY_PART_END])[i] = c->part_end;
    ((uint64_t *)b->data[COL_BODY_VERTEX_END])[i] = c->vertex_end;
    ((uint64_t *)b->data[COL_BODY_NAME_END])[i] = c->name_end;
}

static void put_body(batch *b, size_t i, const mo_body_raw *raw, uint32_t group)
{
    ((uint32_t *)b->data[COL_BODY_ID])[i] = raw->id;
    ((uint8_t *)b->data[COL_BODY_KIND])[i] = (uint8_t)raw->kind;
    ((uint32_t *)b->data[COL_BODY_GROUP])[i] = group;
    ((uint32_t *)b->data[COL_BODY_FLAGS])[i] = (raw->free & BODY_FLAG_FREE) |
                                               (raw->limited ? BODY_FLAG_LIMITED : 0u) |
                                               (raw->has_functions ? BODY_FLAG_FUNCTIONS : 0u);
    ((uint64_t *)b->data[COL_BODY_COLLIDES])[i] = raw->collides_groups;
    ((double *)b->data[COL_BODY_MASS])[i] = raw->mass;
    ((double *)b->data[COL_BODY_INERTIA])[i] = raw->inertia;
    ((double *)b->data[COL_BODY_AREA])[i] = raw->area;
    memcpy((double *)b->data[COL_BODY_ORIGIN] + 2 * i, raw->origin, sizeof raw->origin);
}

static mo_status write_new_bodies(mo_recorder *rec, const mo_world *world, mo_error *err)
{
    const mo_bodies bodies = mo_world_bodies(world);
    size_t first = bodies.count;
    while (first > 0 && bodies.id[first - 1] > rec->last_id)
        first--;
    const size_t count = bodies.count - first;
    if (count == 0)
        return MO_OK;
    batch b = {{NULL}, {0}};
    if (!batch_for_bodies(&b, world, first, count)) {
        batch_free(&b);
        return no_memory(err);
    }
    body_cursor cursor = {rec->columns[COL_PART_KIND].rows,
                          rec->columns[COL_VERTICES].rows,
                          rec->columns[COL_BODY_NAMES].rows,
                          0,
                          0,
                          0};
    for (size_t i = 0; i < count; i++) {
        mo_body_raw raw;
        mo_body_raw_get(world, first + i, &raw);
        put_body(&b, i, &raw, bodies.group[first + i]);
        put_shape(&b, i, &raw, &cursor);
    }
    const bool ok = batch_write(rec, &b);
    batch_free(&b);
    if (!ok)
        return recorder_broken(rec, err);
    rec->last_id = bodies.id[bodies.count - 1];
    return MO_OK;
}

/* ---- frames ------------------------------------------------------------------------------------ */

/* compressed chunks are written once: a frame starts at a chunk of its own */
static uint64_t frame_start(const hdf_column *c)
{
    if (!c->filtered)
        return c->rows;
    return (c->rows + c->chunk_rows - 1) / c->chunk_rows * c->chunk_rows;
}

/* distance of the farthest point of a body from its centre of mass; half-planes count as 0 */
static double body_radius(const mo_bodies *bodies, size_t slot)
{
    double radius = 0;
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

static mo_status write_frame_bodies(mo_recorder *rec, const mo_world *world, uint64_t *first, mo_error *err)
{
    const mo_bodies bodies = mo_world_bodies(world);
    *first = frame_start(&rec->columns[COL_FB_ID]);
    double *radius = calloc(bodies.count > 0 ? bodies.count : 1, sizeof *radius);
    if (radius == NULL)
        return no_memory(err);
    for (size_t i = 0; i < bodies.count; i++)
        radius[i] = body_radius(&bodies, i);
    const struct {
        column_id column;
        const void *data;
    } parts[] = {{COL_FB_ID, bodies.id},
                 {COL_FB_Q, bodies.q},
                 {COL_FB_U, bodies.u},
                 {COL_FB_LOAD, mo_world_loads(world)},
                 {COL_FB_FORCE, mo_world_forces(world)},
                 {COL_FB_RADIUS, radius}};
    bool ok = true;
    for (size_t i = 0; i < LENGTH(parts) && ok; i++)
        ok = hdf_column_write(&rec->columns[parts[i].column], parts[i].column, *first, bodies.count,
                              parts[i].data);
    free(radius);
    return ok ? MO_OK : recorder_broken(rec, err);
}

static bool write_frame_contacts(mo_recorder *rec, const mo_contacts *contacts, uint64_t *first)
{
    *first = frame_start(&rec->columns[COL_FC_ID1]);
    const struct {
        column_id column;
        const void *data;
    } parts[] = {{COL_FC_ID1, contacts->id1},         {COL_FC_ID2, contacts->id2},
                 {COL_FC_FEATURE, contacts->feature}, {COL_FC_POINT, contacts->point},
                 {COL_FC_NORMAL, contacts->normal},   {COL_FC_GAP, contacts->gap},
                 {COL_FC_IMPULSE, contacts->impulse}, {COL_FC_VELOCITY, contacts->velocity},
                 {COL_FC_STATUS, contacts->status}};
    for (size_t i = 0; i < LENGTH(parts); i++)
        if (!hdf_column_write(&rec->columns[parts[i].column], parts[i].column, *first, contacts->count,
                              parts[i].data))
            return false;
    return true;
}

/* 0, 1, 2, … as far as frames have points: the XDMF file takes its topology from here */
static mo_status write_point_index(mo_recorder *rec, uint64_t points, mo_error *err)
{
    const uint64_t rows = rec->columns[COL_POINT_INDEX].rows;
    if (points <= rows)
        return MO_OK;
    int32_t *index = malloc((points - rows) * sizeof *index);
    if (index == NULL)
        return no_memory(err);
    for (uint64_t i = rows; i < points; i++)
        index[i - rows] = (int32_t)i;
    const bool ok = append(rec, COL_POINT_INDEX, points - rows, index);
    free(index);
    return ok ? MO_OK : recorder_broken(rec, err);
}

typedef struct frame_place {
    uint64_t body_first, contact_first, state_first, state_length;
} frame_place;

static bool write_frame_totals(mo_recorder *rec, const mo_world *world)
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
    return append(rec, COL_FRAME_STEP, 1, &t.steps) && append(rec, COL_FRAME_COUNTS, 1, counts) &&
           append(rec, COL_FRAME_MEASURES, 1, measures) && append(rec, COL_FRAME_ENERGY, 1, energy);
}

static bool write_frame_row(mo_recorder *rec, const mo_world *world, const mo_frame_extra *extra,
                            const frame_place *place)
{
    const uint64_t bodies = mo_world_bodies(world).count, contacts = mo_world_contacts(world).count;
    const uint64_t rows[4] = {[ROWS_BODIES] = rec->columns[COL_BODY_ID].rows,
                              [ROWS_GROUPS] = rec->columns[COL_GROUP_NAME_END].rows,
                              [ROWS_SERIES] = rec->columns[COL_SERIES_T].rows,
                              [ROWS_STEPS] = rec->columns[COL_STEP_STEP].rows};
    const uint64_t none[2] = {0, 0};
    return append(rec, COL_FRAME_BODY_FIRST, 1, &place->body_first) &&
           append(rec, COL_FRAME_BODY_COUNT, 1, &bodies) &&
           append(rec, COL_FRAME_CONTACT_FIRST, 1, &place->contact_first) &&
           append(rec, COL_FRAME_CONTACT_COUNT, 1, &contacts) &&
           append(rec, COL_FRAME_STATE_FIRST, 1, &place->state_first) &&
           append(rec, COL_FRAME_STATE_LENGTH, 1, &place->state_length) &&
           append(rec, COL_FRAME_ROWS, 1, rows) &&
           append(rec, COL_FRAME_RANDOM, 1, extra != NULL ? extra->random : none) &&
           write_frame_totals(rec, world);
}

/* everything but the time, which makes the frame count */
static mo_status write_frame_data(mo_recorder *rec, const mo_world *world, const mo_frame_extra *extra,
                                  mo_error *err)
{
    const mo_contacts contacts = mo_world_contacts(world);
    const char *text = extra != NULL && extra->state_text != NULL ? extra->state_text : "";
    frame_place place = {.state_first = rec->columns[COL_FRAME_STATE].rows, .state_length = strlen(text)};
    if (!write_new_groups(rec, world) || !write_kept_rows(rec))
        return recorder_broken(rec, err);
    mo_status status = write_new_bodies(rec, world, err);
    if (status == MO_OK)
        status = write_frame_bodies(rec, world, &place.body_first, err);
    if (status == MO_OK)
        status = write_point_index(rec, mo_world_bodies(world).count, err);
    if (status == MO_OK)
        status = write_point_index(rec, contacts.count, err);
    if (status != MO_OK)
        return status;
    if (!write_frame_contacts(rec, &contacts, &place.contact_first) ||
        !append(rec, COL_FRAME_STATE, place.state_length, text) ||
        !write_frame_row(rec, world, extra, &place) || !flush(rec))
        return recorder_broken(rec, err);
    return MO_OK;
}

mo_status mo_recorder_frame(mo_recorder *rec, const mo_world *world, const mo_frame_extra *extra,
                            mo_error *err)
{
    assert(rec != NULL && world != NULL && !rec->finished);
    if (rec->broken)
        return refuse(rec, err);
    quiet q = quiet_begin();
    mo_status status = write_frame_data(rec, world, extra, err);
    if (status == MO_OK) {
        const double time = mo_world_info_get(world).time;
        if (!append(rec, COL_FRAME_T, 1, &time) || !flush(rec))
            status = recorder_broken(rec, err);
    }
    quiet_end(q);
    // half a frame is in the file: nothing may follow it
    if (status != MO_OK)
        rec->broken = true;
    return status;
}

mo_status mo_recorder_finish(mo_recorder *rec, const char *end_status, const char *report_json, mo_error *err)
{
    assert(rec != NULL && end_status != NULL && !rec->finished);
    if (rec->broken)
        return refuse(rec, err);
    rec->finished = true;
    const char *report = report_json != NULL ? report_json : "{}";
    const uint8_t yes = 1;
    quiet q = quiet_begin();
    const bool ok = write_kept_rows(rec) && append(rec, COL_END_STATUS, strlen(end_status), end_status) &&
                    append(rec, COL_END_REPORT, strlen(report), report) && flush(rec) &&
                    append(rec, COL_END_FINISHED, 1, &yes) && flush(rec);
    mo_status status = ok ? MO_OK : recorder_broken(rec, err);
    quiet_end(q);
    return status == MO_OK ? recorder_write_xdmf(rec->path, err) : status;
}
