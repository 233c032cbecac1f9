/* Rows, events, outlines and the last checkpoint of the run of a point. */
#include "record/run.h"

#include "core/fail.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static mo_status need_path(const mo_run *run, mo_error *err)
{
    if (run->info.is_path)
        return MO_OK;
    mo_status status = fail(err, MO_BAD_INPUT, "kind",
                            "found the run of a %.60s, expected one of a sweep or system", run->info.kind);
    fail_at(err, run->path, 0);
    return status;
}

mo_status run_need_picture(const mo_run *run, const char *format, mo_error *err)
{
    const unsigned n = run->shape.coordinates;
    if ((run->shape.runs & IN_DISCS) != 0 || (n >= 1 && n <= 3))
        return MO_OK;
    return fail(err, MO_USAGE, NULL,
                "the point has %u coordinates: %s shows paths of 1 to 3 and discs; use csv, png or svg", n,
                format);
}

/* loads columns with `rows` rows each; HDF5 stays quiet */
static mo_status load_columns(mo_run *run, const column_id *columns, size_t count, uint64_t rows,
                              mo_error *err)
{
    mo_status status = MO_OK;
    quiet q = quiet_begin();
    for (size_t i = 0; i < count && status == MO_OK; i++)
        status = run_load(run, columns[i], rows, err);
    quiet_end(q);
    return status;
}

/* first rows from the ends that the file has: *out [count + 1], made once, 0 at its start */
static mo_status make_firsts(mo_run *run, column_id ends, uint64_t count, uint64_t rows, size_t **out,
                             mo_error *err)
{
    const uint64_t *end = run_u64(run, ends);
    if (*out != NULL)
        return MO_OK;
    mo_status status = check_ends(end, count, rows, column_defs[ends].path, err);
    if (status != MO_OK)
        return status;
    size_t *first = calloc((size_t)count + 1, sizeof *first);
    if (first == NULL)
        return fail(err, MO_NO_MEMORY, column_defs[ends].path, "no memory for %llu rows",
                    (unsigned long long)count);
    for (uint64_t i = 0; i < count; i++)
        first[i + 1] = (size_t)end[i];
    *out = first;
    return MO_OK;
}

/* ---- rows -------------------------------------------------------------------------------------- */

static mo_status check_holds(const mo_run *run, uint64_t holds, mo_error *err)
{
    const uint32_t *pair = run->data[COL_HOLD_PAIR];
    const uint64_t discs = run->columns[COL_DISC_RADIUS].rows, walls = run->columns[COL_DISC_WALLS].rows;
    for (uint64_t i = 0; i < holds; i++) {
        const uint32_t *p = pair + 2 * i;
        if (p[0] >= discs || p[1] >= discs + walls || p[0] == p[1])
            return fail(err, MO_BAD_FILE, "/holds/pair",
                        "found %u, %u in row %llu, of %llu discs and %llu walls", p[0], p[1],
                        (unsigned long long)i, (unsigned long long)discs, (unsigned long long)walls);
    }
    return MO_OK;
}

static mo_status load_holds(mo_run *run, mo_error *err)
{
    static const column_id columns[] = {COL_HOLD_PAIR, COL_HOLD_LAMBDA};
    const uint64_t rows = run->path_rows[ROWS_PATH], holds = run->path_rows[ROWS_HOLDS];
    if (run->hold_first != NULL)
        return MO_OK;
    // without discs the column is not there, and nothing holds anything
    if ((run->shape.runs & IN_DISCS) == 0) {
        run->hold_first = calloc((size_t)rows + 1, sizeof *run->hold_first);
        return run->hold_first != NULL ? MO_OK : fail(err, MO_NO_MEMORY, "/path", "no memory for the rows");
    }
    mo_status status = load_columns(run, columns, 2, holds, err);
    if (status == MO_OK)
        status = check_holds(run, holds, err);
    if (status == MO_OK)
        status = load_columns(run, (const column_id[]){COL_PATH_HOLD_END}, 1, rows, err);
    return status == MO_OK ? make_firsts(run, COL_PATH_HOLD_END, rows, holds, &run->hold_first, err) : status;
}

mo_status mo_run_path_get(mo_run *run, mo_run_path *out, mo_error *err)
{
    assert(run != NULL && out != NULL);
    static const column_id columns[] = {COL_PATH_STEP, COL_PATH_X, COL_PATH_LAMBDA};
    mo_status status = need_path(run, err);
    if (status == MO_OK)
        status = load_columns(run, columns, 3, run->info.frames, err);
    if (status == MO_OK && run->info.velocities)
        status = load_columns(run, (const column_id[]){COL_PATH_U}, 1, run->info.frames, err);
    if (status == MO_OK && hdf_column_is_there(&run->columns[COL_PATH_GAP]))
        status = load_columns(run, (const column_id[]){COL_PATH_GAP}, 1, run->info.frames, err);
    if (status == MO_OK)
        status = load_holds(run, err);
    if (status != MO_OK) {
        fail_at(err, run->path, 0);
        return status;
    }
    *out = (mo_run_path){.rows = run->info.frames,
                         .t = run->data[COL_PATH_T],
                         .step = run->data[COL_PATH_STEP],
                         .x = run->data[COL_PATH_X],
                         .u = run->info.velocities ? run->data[COL_PATH_U] : NULL,
                         .lambda = run->data[COL_PATH_LAMBDA],
                         .gap = run->data[COL_PATH_GAP],
                         .hold_first = run->hold_first,
                         .hold_pair = run->data[COL_HOLD_PAIR],
                         .hold_lambda = run->data[COL_HOLD_LAMBDA],
                         .disc_count = (size_t)run->columns[COL_DISC_RADIUS].rows,
                         .wall_count = (size_t)run->columns[COL_DISC_WALLS].rows,
                         .radius = run->data[COL_DISC_RADIUS],
                         .walls = run->data[COL_DISC_WALLS]};
    return MO_OK;
}

/* ---- events ------------------------------------------------------------------------------------ */

static mo_status name_types(mo_run *run, mo_error *err)
{
    const uint8_t *code = run->data[COL_EVENT_TYPE];
    const char **names = calloc(run->info.events + 1, sizeof *names);
    if (names == NULL)
        return fail(err, MO_NO_MEMORY, "/events/type", "no memory for %zu events", run->info.events);
    for (size_t i = 0; i < run->info.events; i++) {
        if (code[i] >= EVENT_TYPES) {
            free(names);
            return fail(err, MO_BAD_FILE, "/events/type", "found %u in row %zu, expected 0 to %d", code[i], i,
                        EVENT_TYPES - 1);
        }
        names[i] = event_types[code[i]];
    }
    run->event_type = names;
    return MO_OK;
}

static mo_status widen_gaps(mo_run *run, mo_error *err)
{
    const size_t count = (size_t)run->path_rows[ROWS_GAPS];
    const uint32_t *gap = run->data[COL_EVENT_GAPS];
    run->gaps = calloc(count + 1, sizeof *run->gaps);
    if (run->gaps == NULL)
        return fail(err, MO_NO_MEMORY, "/events/gaps", "no memory for %zu gaps", count);
    for (size_t i = 0; i < count; i++)
        run->gaps[i] = gap[i];
    return MO_OK;
}

mo_status mo_run_events_get(mo_run *run, mo_run_events *out, mo_error *err)
{
    assert(run != NULL && out != NULL);
    static const column_id columns[] = {COL_EVENT_T, COL_EVENT_TYPE, COL_EVENT_SIZE, COL_EVENT_GAP_END};
    static const column_id gaps = COL_EVENT_GAPS;
    const uint64_t gap_rows = run->path_rows[ROWS_GAPS];
    mo_status status = need_path(run, err);
    if (status == MO_OK)
        status = load_columns(run, columns, 4, run->info.events, err);
    if (status == MO_OK)
        status = load_columns(run, &gaps, 1, gap_rows, err);
    if (status == MO_OK)
        status = make_firsts(run, COL_EVENT_GAP_END, run->info.events, gap_rows, &run->gap_first, err);
    if (status == MO_OK && run->event_type == NULL)
        status = name_types(run, err);
    if (status == MO_OK && run->gaps == NULL)
        status = widen_gaps(run, err);
    if (status != MO_OK) {
        fail_at(err, run->path, 0);
        return status;
    }
    *out = (mo_run_events){.count = run->info.events,
                           .t = run->data[COL_EVENT_T],
                           .size = run->data[COL_EVENT_SIZE],
                           .type = run->event_type,
                           .gap_first = run->gap_first,
                           .gaps = run->gaps};
    return MO_OK;
}

/* ---- outlines and the checkpoint ------------------------------------------------------------------ */

mo_status mo_run_outlines_get(mo_run *run, mo_run_outlines *out, mo_error *err)
{
    assert(run != NULL && out != NULL);
    static const column_id columns[] = {COL_OUTLINE_T, COL_OUTLINE_END}, points = COL_OUTLINE_POINTS;
    const uint64_t count = run->path_rows[ROWS_OUTLINES], point_rows = run->path_rows[ROWS_POINTS];
    mo_status status = need_path(run, err);
    if (status == MO_OK)
        status = load_columns(run, columns, 2, count, err);
    if (status == MO_OK)
        status = load_columns(run, &points, 1, point_rows, err);
    if (status == MO_OK)
        status = make_firsts(run, COL_OUTLINE_END, count, point_rows, &run->outline_first, err);
    if (status != MO_OK) {
        fail_at(err, run->path, 0);
        return status;
    }
    *out = (mo_run_outlines){.count = (size_t)count,
                             .t = run->data[COL_OUTLINE_T],
                             .first = run->outline_first,
                             .points = run->data[COL_OUTLINE_POINTS]};
    return MO_OK;
}

static mo_status load_checkpoint(mo_run *run, size_t k, mo_error *err)
{
    mo_status status = MO_OK;
    quiet q = quiet_begin();
    if (run->checkpoint_text == NULL)
        status = run_read(run, COL_FRAME_STATE, run_u64(run, COL_FRAME_STATE_FIRST)[k],
                          run_u64(run, COL_FRAME_STATE_LENGTH)[k], &run->checkpoint_text, err);
    if (status == MO_OK && run->checkpoint_state == NULL)
        status = run_read(run, COL_FRAME_PROCESS, run_u64(run, COL_FRAME_PROCESS_FIRST)[k],
                          run_u64(run, COL_FRAME_PROCESS_LENGTH)[k], &run->checkpoint_state, err);
    quiet_end(q);
    return status;
}

mo_status mo_run_checkpoint(mo_run *run, mo_checkpoint *out, mo_error *err)
{
    assert(run != NULL && out != NULL);
    mo_status status = need_path(run, err);
    if (status == MO_OK && run->frame_rows == 0) {
        *out = (mo_checkpoint){.state = NULL, .extra = {.state_text = ""}};
        return MO_OK;
    }
    const size_t k = run->frame_rows - 1;
    if (status == MO_OK)
        status = load_checkpoint(run, k, err);
    if (status != MO_OK) {
        fail_at(err, run->path, 0);
        return status;
    }
    const uint64_t *random = run_u64(run, COL_FRAME_RANDOM) + 2 * k;
    *out = (mo_checkpoint){.t = ((const double *)run->data[COL_FRAME_T])[k],
                           .step = ((const int64_t *)run->data[COL_FRAME_STEP])[k],
                           .state = run->checkpoint_state,
                           .state_size = (size_t)run_u64(run, COL_FRAME_PROCESS_LENGTH)[k],
                           .extra = {.random = {random[0], random[1]}, .state_text = run->checkpoint_text}};
    return MO_OK;
}
