/* Rows on their way to the file: kept in memory until a frame or checkpoint, then appended column by column.
 */
#include "record/recorder.h"

#include "core/buffer.h"
#include "core/fail.h"

#include <stdlib.h>
#include <string.h>

mo_status recorder_refuse(const mo_recorder *rec, mo_error *err)
{
    mo_status status =
        fail(err, MO_IO, NULL, "the run file could not be written before; nothing more is recorded");
    fail_at(err, rec->path, 0);
    return status;
}

mo_status recorder_no_memory(mo_error *err)
{
    return fail(err, MO_NO_MEMORY, NULL, "no memory to record");
}

bool recorder_flush(mo_recorder *rec)
{
    return H5Fflush(rec->file, H5F_SCOPE_LOCAL) >= 0 && rec->state.error == 0;
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

bool rows_write_kept(mo_recorder *rec)
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

/* ---- in the file ----------------------------------------------------------------------------- */

bool rows_append(mo_recorder *rec, column_id id, uint64_t count, const void *data)
{
    hdf_column *c = &rec->columns[id];
    return !hdf_column_is_there(c) || hdf_column_write(c, id, c->rows, count, data);
}

bool rows_append_parts(mo_recorder *rec, const rows_part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!rows_append(rec, parts[i].column, parts[i].count, parts[i].data))
            return false;
    return true;
}

mo_status rows_point_index(mo_recorder *rec, uint64_t points, mo_error *err)
{
    const uint64_t rows = rec->columns[COL_POINT_INDEX].rows;
    if (points <= rows)
        return MO_OK;
    int32_t *index = malloc((points - rows) * sizeof *index);
    if (index == NULL)
        return recorder_no_memory(err);
    for (uint64_t i = rows; i < points; i++)
        index[i - rows] = (int32_t)i;
    const bool ok = rows_append(rec, COL_POINT_INDEX, points - rows, index);
    free(index);
    return ok ? MO_OK : recorder_broken(rec, err);
}
