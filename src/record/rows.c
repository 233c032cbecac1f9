/* Rows on their way to the file: kept in memory until a frame or checkpoint, then appended column by column.
 */
#include "record/recorder.h"

#include "core/buffer.h"
#include "core/fail.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

mo_status recorder_no_memory(mo_error *err)
{
    return fail(err, MO_NO_MEMORY, NULL, "no memory to record");
}

mo_status recorder_check(mo_recorder *rec, mo_error *err)
{
    // the first to hear of a failed write hears why
    if (!rec->broken)
        return writer_failed(&rec->queue) ? recorder_broken(rec, err) : MO_OK;
    mo_status status =
        fail(err, MO_IO, NULL, "the run file could not be written before; nothing more is recorded");
    fail_at(err, rec->path, 0);
    return status;
}

mo_status recorder_ready(mo_recorder *rec, unsigned kind, mo_error *err)
{
    mo_status status = recorder_check(rec, err);
    if (status != MO_OK)
        return status;
    if (rec->finished)
        status = fail(err, MO_USAGE, NULL, "the recording is finished; nothing more is recorded");
    else if ((rec->shape.runs & kind) == 0)
        status = fail(err, MO_USAGE, NULL, "found the recording of a %s, expected one of a %s",
                      kind == IN_PATH ? "world" : "point", kind == IN_PATH ? "point" : "world");
    if (status != MO_OK)
        fail_at(err, rec->path, 0);
    return status;
}

void recorder_begin_job(mo_recorder *rec)
{
    rec->job = writer_take(&rec->queue);
}

uint64_t recorder_frames(const mo_recorder *rec)
{
    return rec->rows[(rec->shape.runs & IN_PATH) != 0 ? COL_PATH_T : COL_FRAME_T];
}

mo_status recorder_end_job(mo_recorder *rec, mo_status filled, mo_error *err)
{
    rec->job->frames = recorder_frames(rec);
    rec->job = NULL;
    // rows that were counted do not come: nothing may follow
    if (filled != MO_OK) {
        rec->broken = true;
        return filled;
    }
    writer_give(&rec->queue);
    return recorder_check(rec, err);
}

mo_status mo_recorder_wait(mo_recorder *rec, mo_error *err)
{
    assert(rec != NULL);
    writer_wait(&rec->queue);
    return recorder_check(rec, err);
}

size_t mo_recorder_frames(mo_recorder *rec)
{
    assert(rec != NULL);
    return (size_t)writer_frames(&rec->queue);
}

/* ---- in memory ------------------------------------------------------------------------------- */

/* twice as much as before, at least: rows come one by one and by the million */
static bool make_room(kept_rows *k, size_t bytes)
{
    const column bytes_of = {(void **)&k->data, 1};
    const size_t need = k->bytes + bytes, doubled = 2 * k->capacity;
    if (need <= k->capacity)
        return true;
    return columns_reserve(&bytes_of, 1, &k->capacity, need > doubled ? need : doubled);
}

mo_status rows_keep(mo_recorder *rec, const rows_part *parts, size_t count, mo_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!make_room(&rec->kept[parts[i].column], parts[i].count * rec->columns[parts[i].column].row_bytes))
            return recorder_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        kept_rows *k = &rec->kept[parts[i].column];
        const size_t bytes = parts[i].count * rec->columns[parts[i].column].row_bytes;
        if (bytes == 0)
            continue;
        memcpy(k->data + k->bytes, parts[i].data, bytes);
        k->bytes += bytes;
        rec->kept_bytes += bytes;
    }
    return MO_OK;
}

bool rows_append_kept(mo_recorder *rec)
{
    bool ok = true;
    for (int i = 0; i < COLUMN_COUNT && ok; i++) {
        kept_rows *k = &rec->kept[i];
        if (k->bytes > 0)
            ok = rows_append(rec, (column_id)i, k->bytes / rec->columns[i].row_bytes, k->data);
        k->bytes = 0;
    }
    rec->kept_bytes = 0;
    return ok;
}

/* ---- in a job -------------------------------------------------------------------------------- */

bool rows_put(mo_recorder *rec, column_id id, uint64_t first, uint64_t count, const void *data)
{
    const hdf_column *c = &rec->columns[id];
    if (!hdf_column_is_there(c))
        return true;
    // no rows can still move the end of the column
    if (first + count > rec->rows[id] &&
        !job_rows(rec->job, id, first, count, count > 0 ? data : NULL, (size_t)count * c->row_bytes))
        return false;
    rec->rows[id] = first + count;
    return true;
}

bool rows_append(mo_recorder *rec, column_id id, uint64_t count, const void *data)
{
    return rows_put(rec, id, rec->rows[id], count, data);
}

bool rows_append_parts(mo_recorder *rec, const rows_part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!rows_append(rec, parts[i].column, parts[i].count, parts[i].data))
            return false;
    return true;
}

double *numbers_unknown(size_t count)
{
    double *x = malloc((count + 1) * sizeof *x);
    for (size_t i = 0; x != NULL && i < count + 1; i++)
        x[i] = (double)NAN;
    return x;
}

bool rows_append_index(mo_recorder *rec, uint64_t points)
{
    const uint64_t rows = rec->rows[COL_POINT_INDEX];
    if (points <= rows)
        return true;
    int32_t *index = malloc((points - rows) * sizeof *index);
    if (index == NULL)
        return false;
    for (uint64_t i = rows; i < points; i++)
        index[i - rows] = (int32_t)i;
    const bool ok = rows_append(rec, COL_POINT_INDEX, points - rows, index);
    free(index);
    return ok;
}

/* ---- in the file ----------------------------------------------------------------------------- */

static bool write_part(mo_recorder *rec, const file_job *job, const job_part *part)
{
    if (part->column == COLUMN_COUNT)
        return H5Fflush(rec->file, H5F_SCOPE_LOCAL) >= 0 && rec->state.error == 0;
    hdf_column *c = &rec->columns[part->column];
    if (part->at == JOB_NO_DATA)
        return hdf_column_resize(c, part->first + part->count);
    return hdf_column_write(c, part->column, part->first, part->count, job->bytes + part->at);
}

bool rows_write(void *recorder, const file_job *job)
{
    mo_recorder *rec = recorder;
    bool ok = true;
    quiet q = quiet_begin();
    for (size_t i = 0; i < job->part_count && ok; i++)
        ok = write_part(rec, job, &job->parts[i]);
    quiet_end(q);
    return ok && rec->state.error == 0;
}
