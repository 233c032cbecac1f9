/*
 * Writing the run of a point: rows, series and events are kept in memory until the next checkpoint, whose
 * data reach the file first, its row of /frames next, its time last.  A checkpoint whose time is there is
 * complete, and so is all before it.
 */
#include "record/recorder.h"

#include "core/fail.h"
#include "core/timer.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KEPT_BYTES ((size_t)1 << 22)
#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const double shortest_interval = 0.5, share_of_run = 0.01; // s; of the time since the start

/* ---- rows, series, events ---------------------------------------------------------------------- */

static mo_status check_row(const mo_recorder *rec, const mo_path_row *row, mo_error *err)
{
    const size_t bodies = rec->disc_count + rec->wall_count;
    if (!isfinite(row->t) || row->t < rec->last_t)
        return fail(err, MO_BAD_INPUT, "t", "found %.17g after %.17g, expected times that do not fall",
                    row->t, rec->last_t);
    if (row->hold_count > 0 && rec->disc_count == 0)
        return fail(err, MO_BAD_INPUT, "holds", "found %zu of them in a run without discs", row->hold_count);
    for (size_t i = 0; i < row->hold_count; i++) {
        const uint32_t *pair = row->hold_pair + 2 * i;
        if (pair[0] >= rec->disc_count || pair[1] >= bodies || pair[0] == pair[1])
            return fail(err, MO_BAD_INPUT, "holds", "found the pair %u, %u of %zu discs and %zu walls",
                        pair[0], pair[1], rec->disc_count, rec->wall_count);
    }
    return MO_OK;
}

mo_status mo_recorder_path_row(mo_recorder *rec, const mo_path_row *row, mo_error *err)
{
    assert(rec != NULL && row != NULL);
    assert(row->x != NULL || rec->shape.coordinates == 0);
    assert(row->lambda != NULL || rec->shape.multipliers == 0);
    assert(row->u != NULL || rec->shape.coordinates == 0 || (rec->shape.runs & IN_MOTION) == 0);
    mo_status status = recorder_ready(rec, IN_PATH, err);
    if (status != MO_OK)
        return status;
    status = check_row(rec, row, err);
    if (status != MO_OK)
        return status;
    const uint64_t hold_end = rec->hold_end + row->hold_count;
    double *unknown = NULL;
    if (row->gap == NULL && hdf_column_is_there(&rec->columns[COL_PATH_GAP])) {
        unknown = numbers_unknown(rec->shape.multipliers);
        if (unknown == NULL)
            return recorder_no_memory(err);
    }
    const rows_part parts[] = {{COL_PATH_T, 1, &row->t},
                               {COL_PATH_STEP, 1, &row->step},
                               {COL_PATH_X, 1, row->x},
                               {COL_PATH_U, 1, row->u},
                               {COL_PATH_LAMBDA, 1, row->lambda},
                               {COL_PATH_GAP, 1, row->gap != NULL ? row->gap : unknown},
                               {COL_PATH_HOLD_END, 1, &hold_end},
                               {COL_HOLD_PAIR, row->hold_count, row->hold_pair},
                               {COL_HOLD_LAMBDA, row->hold_count, row->hold_lambda}};
    status = rows_keep(rec, parts, LENGTH(parts), err);
    free(unknown);
    if (status == MO_OK) {
        rec->hold_end = hold_end;
        rec->last_t = row->t;
    }
    return status;
}

mo_status mo_recorder_path_series(mo_recorder *rec, double t, const double *values, mo_error *err)
{
    assert(rec != NULL);
    assert(values != NULL || rec->shape.series == 0);
    mo_status status = recorder_ready(rec, IN_PATH, err);
    if (status != MO_OK)
        return status;
    const rows_part parts[] = {{COL_SERIES_T, 1, &t}, {COL_SERIES_VALUES, 1, values}};
    return rows_keep(rec, parts, LENGTH(parts), err);
}

static mo_status find_type(const char *type, uint8_t *code, mo_error *err)
{
    for (uint8_t i = 0; i < EVENT_TYPES; i++) {
        if (type != NULL && strcmp(type, event_types[i]) == 0) {
            *code = i;
            return MO_OK;
        }
    }
    return fail(err, MO_BAD_INPUT, "type", "found the event \"%.60s\", expected contact, release, jump, ...",
                type != NULL ? type : "");
}

/* numbers of gaps as they are in the file; *out is freed by the caller */
static mo_status copy_gaps(const mo_path_event *event, uint32_t **out, mo_error *err)
{
    uint32_t *gaps = malloc((event->gap_count + 1) * sizeof *gaps);
    if (gaps == NULL)
        return recorder_no_memory(err);
    for (size_t i = 0; i < event->gap_count; i++) {
        if (event->gaps[i] >= UINT32_MAX) {
            free(gaps);
            return fail(err, MO_BAD_INPUT, "gaps", "found gap %zu, expected less than %u", event->gaps[i],
                        UINT32_MAX);
        }
        gaps[i] = (uint32_t)event->gaps[i];
    }
    *out = gaps;
    return MO_OK;
}

mo_status mo_recorder_path_event(mo_recorder *rec, const mo_path_event *event, mo_error *err)
{
    assert(rec != NULL && event != NULL);
    mo_status status = recorder_ready(rec, IN_PATH, err);
    if (status != MO_OK)
        return status;
    uint8_t code = 0;
    uint32_t *gaps = NULL;
    status = find_type(event->type, &code, err);
    if (status == MO_OK)
        status = copy_gaps(event, &gaps, err);
    if (status != MO_OK)
        return status;
    const uint64_t gap_end = rec->gap_end + event->gap_count;
    const rows_part parts[] = {{COL_EVENT_T, 1, &event->t},
                               {COL_EVENT_TYPE, 1, &code},
                               {COL_EVENT_SIZE, 1, &event->size},
                               {COL_EVENT_GAP_END, 1, &gap_end},
                               {COL_EVENT_GAPS, event->gap_count, gaps}};
    status = rows_keep(rec, parts, LENGTH(parts), err);
    free(gaps);
    if (status == MO_OK)
        rec->gap_end = gap_end;
    return status;
}

/* ---- outlines ---------------------------------------------------------------------------------- */

mo_status mo_recorder_outline(mo_recorder *rec, double t, const double *points, size_t count, mo_error *err)
{
    assert(rec != NULL);
    assert(points != NULL || count == 0);
    mo_status status = recorder_ready(rec, IN_PATH, err);
    if (status != MO_OK)
        return status;
    const uint64_t end = rec->rows[COL_OUTLINE_POINTS] + count;
    const rows_part parts[] = {
        {COL_OUTLINE_POINTS, count, points}, {COL_OUTLINE_END, 1, &end}, {COL_OUTLINE_T, 1, &t}};
    recorder_begin_job(rec);
    if (!rows_append_parts(rec, parts, LENGTH(parts)))
        status = recorder_no_memory(err);
    return recorder_end_job(rec, status, err);
}

/* ---- checkpoints ------------------------------------------------------------------------------- */

bool mo_recorder_checkpoint_due(const mo_recorder *rec)
{
    assert(rec != NULL);
    if (rec->kept_bytes >= KEPT_BYTES)
        return true;
    const double now = seconds_now();
    return now - rec->last >= fmax(shortest_interval, share_of_run * (now - rec->begun));
}

/* everything but the time, which makes the checkpoint count */
static bool put_checkpoint(mo_recorder *rec, const mo_checkpoint *c)
{
    const char *text = c->extra.state_text != NULL ? c->extra.state_text : "";
    const uint64_t state_first = rec->rows[COL_FRAME_STATE], state_length = strlen(text);
    const uint64_t process_first = rec->rows[COL_FRAME_PROCESS], process_length = c->state_size;
    if (!rows_append_kept(rec) || !rows_append_index(rec, path_points(&rec->shape, rec->rows[COL_PATH_T])))
        return false;
    const uint64_t rows[PATH_TABLES] = {
        [ROWS_PATH] = rec->rows[COL_PATH_T],         [ROWS_HOLDS] = rec->rows[COL_HOLD_LAMBDA],
        [ROWS_EVENTS] = rec->rows[COL_EVENT_T],      [ROWS_GAPS] = rec->rows[COL_EVENT_GAPS],
        [ROWS_OUTLINES] = rec->rows[COL_OUTLINE_T],  [ROWS_POINTS] = rec->rows[COL_OUTLINE_POINTS],
        [ROWS_PATH_SERIES] = rec->rows[COL_SERIES_T]};
    const rows_part parts[] = {{COL_FRAME_STATE, state_length, text},
                               {COL_FRAME_PROCESS, process_length, c->state},
                               {COL_FRAME_STEP, 1, &c->step},
                               {COL_FRAME_STATE_FIRST, 1, &state_first},
                               {COL_FRAME_STATE_LENGTH, 1, &state_length},
                               {COL_FRAME_PROCESS_FIRST, 1, &process_first},
                               {COL_FRAME_PROCESS_LENGTH, 1, &process_length},
                               {COL_FRAME_PATH_ROWS, 1, rows},
                               {COL_FRAME_RANDOM, 1, c->extra.random}};
    return rows_append_parts(rec, parts, LENGTH(parts)) && job_flush(rec->job);
}

mo_status mo_recorder_checkpoint(mo_recorder *rec, const mo_checkpoint *checkpoint, mo_error *err)
{
    assert(rec != NULL && checkpoint != NULL);
    assert(checkpoint->state != NULL || checkpoint->state_size == 0);
    mo_status status = recorder_ready(rec, IN_PATH, err);
    if (status != MO_OK)
        return status;
    if (!isfinite(checkpoint->t))
        return fail(err, MO_BAD_INPUT, "t", "found %g, expected the time of the checkpoint", checkpoint->t);
    recorder_begin_job(rec);
    if (!put_checkpoint(rec, checkpoint) || !rows_append(rec, COL_FRAME_T, 1, &checkpoint->t) ||
        !job_flush(rec->job))
        status = recorder_no_memory(err);
    status = recorder_end_job(rec, status, err);
    rec->last = seconds_now();
    return status;
}
