/*
 * Going on with a run: its complete frames are copied to a new file that then takes the old one's name.
 *
 * The old file is never opened for writing: after a kill HDF5 does not know where its space ends and would
 * write over what is there, and cutting it back in place could itself be killed half-way.  Compressed chunks
 * are copied as they are.
 */
#include "record/recorder.h"
#include "record/run.h"

#include "core/fail.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define COPY_BYTES (1u << 22)

static mo_status check_series(const mo_run *run, const mo_recorder_def *def, mo_error *err)
{
    const mo_run_info *info = &run->info;
    const unsigned energies = energy_columns(&run->shape);
    if (info->series_count != energies + def->series_count)
        return fail(err, MO_BAD_INPUT, "series",
                    "the run file has %zu observed columns, the scene %zu: expected as many",
                    info->series_count - energies, def->series_count);
    for (size_t i = 0; i < def->series_count; i++) {
        const char *found = info->series[energies + i];
        if (strcmp(found, def->series[i]) != 0)
            return fail(err, MO_BAD_INPUT, "series",
                        "column %zu is \"%.200s\" in the run file, \"%.200s\" in the scene", i + 1, found,
                        def->series[i]);
    }
    return MO_OK;
}

/* frames have columns of one width and meaning */
static mo_status check_observed(const mo_run *run, const mo_recorder_def *def, mo_error *err)
{
    const mo_run_info *info = &run->info;
    if (info->observed_count != def->observed_count)
        return fail(err, MO_BAD_INPUT, "observe_bodies",
                    "the run file has %zu columns of bodies, the scene %zu: expected as many",
                    info->observed_count, def->observed_count);
    for (size_t i = 0; i < def->observed_count; i++)
        if (strcmp(info->observed[i], def->observed[i]) != 0)
            return fail(err, MO_BAD_INPUT, "observe_bodies",
                        "column %zu of bodies is \"%.200s\" in the run file, \"%.200s\" in the scene", i + 1,
                        info->observed[i], def->observed[i]);
    return MO_OK;
}

static bool same_numbers(const mo_run *run, column_id column, const double *values, size_t rows)
{
    const size_t bytes = rows * column_defs[column].width * sizeof *values;
    return run->columns[column].rows == rows && (bytes == 0 || memcmp(run->data[column], values, bytes) == 0);
}

static mo_status check_path(const mo_run *run, const run_head *head, mo_error *err)
{
    const run_shape *found = &run->shape, *given = &head->shape;
    if (strcmp(run->info.solver, head->solver) != 0)
        return fail(err, MO_BAD_INPUT, "method", "the run file has \"%.60s\", the scene \"%.60s\"",
                    run->info.solver, head->solver);
    if (found->coordinates != given->coordinates || found->multipliers != given->multipliers ||
        found->runs != given->runs)
        return fail(err, MO_BAD_INPUT, "coordinates",
                    "the run file has %u coordinates and %u multipliers, the scene %u and %u: expected as "
                    "many, with the same kind of set",
                    found->coordinates, found->multipliers, given->coordinates, given->multipliers);
    if (!same_numbers(run, COL_DISC_RADIUS, head->path->radius, head->path->disc_count) ||
        !same_numbers(run, COL_DISC_WALLS, head->path->walls, head->path->wall_count))
        return fail(err, MO_BAD_INPUT, "discs", "radii or walls differ from those of the run file");
    return MO_OK;
}

static mo_status check_same(const mo_run *run, const mo_recorder_def *def, const run_head *head,
                            mo_error *err)
{
    const mo_run_info *info = &run->info;
    if (strcmp(info->kind, head->kind) != 0)
        return fail(err, MO_BAD_INPUT, "kind", "the run file is of a %.60s, the scene makes a %s", info->kind,
                    head->kind);
    if (info->dim != head->dim && head->world != NULL)
        return fail(err, MO_BAD_INPUT, "dim", "the run file has %d, the scene %d: expected the same",
                    info->dim, head->dim);
    if (info->h != head->h)
        return fail(err, MO_BAD_INPUT, "h", "the run file has %.17g, the scene %.17g: expected the same",
                    info->h, head->h);
    mo_status status = check_series(run, def, err);
    if (status == MO_OK)
        status = check_observed(run, def, err);
    return status == MO_OK && head->path != NULL ? check_path(run, head, err) : status;
}

/* ---- copying --------------------------------------------------------------------------------- */

/* what the new file has of its own is not copied */
static bool is_copied(const mo_run *run, column_id c)
{
    return hdf_column_is_there(&run->columns[c]) && c != COL_END_PLOTS && c != COL_DISC_RADIUS &&
           c != COL_DISC_WALLS && c != COL_SCENE_NAME && c != COL_SCENE_TEXT && c != COL_SCENE_PARAMS &&
           c != COL_SCENE_FOLDER && c != COL_OBSERVED_NAMES && c != COL_OBSERVED_NAME_END &&
           c != COL_SERIES_NAMES && c != COL_SERIES_NAME_END && c != COL_END_STATUS && c != COL_END_REPORT &&
           c != COL_END_FINISHED;
}

static mo_status copy_rows(mo_recorder *rec, mo_run *run, column_id column, uint64_t first, uint64_t end,
                           mo_error *err)
{
    const uint64_t block = COPY_BYTES / run->columns[column].row_bytes + 1;
    while (first < end) {
        const uint64_t count = end - first < block ? end - first : block;
        void *data = NULL;
        mo_status status = run_read(run, column, first, count, &data, err);
        if (status != MO_OK)
            return status;
        const bool ok = hdf_column_write(&rec->columns[column], column, first, count, data);
        free(data);
        if (!ok || rec->state.error != 0)
            return recorder_broken(rec, err);
        first += count;
    }
    return MO_OK;
}

static mo_status copy_chunk(mo_recorder *rec, mo_run *run, column_id column, uint64_t first, mo_error *err)
{
    hdf_column *from = &run->columns[column], *to = &rec->columns[column];
    const hsize_t offset[2] = {first, 0};
    hsize_t bytes = 0;
    if (H5Dget_chunk_storage_size(from->dataset, offset, &bytes) < 0)
        bytes = 0;
    // a chunk that was never written reads as zeros in the copy too
    if (bytes == 0)
        return MO_OK;
    void *data = bytes <= from->stored ? malloc((size_t)bytes) : NULL;
    uint32_t filters = 0;
    const bool read = data != NULL && H5Dread_chunk(from->dataset, H5P_DEFAULT, offset, &filters, data) >= 0;
    const bool written =
        read && H5Dwrite_chunk(to->dataset, H5P_DEFAULT, filters, offset, (size_t)bytes, data) >= 0;
    free(data);
    if (!read)
        return fail(err, MO_BAD_FILE, column_defs[column].path,
                    "the chunk at row %llu cannot be read: damaged", (unsigned long long)first);
    return written && rec->state.error == 0 ? MO_OK : recorder_broken(rec, err);
}

static mo_status copy_column(mo_recorder *rec, mo_run *run, column_id column, mo_error *err)
{
    const uint64_t rows = run_rows(run, column), chunk = run->columns[column].chunk_rows;
    if (!hdf_column_resize(&rec->columns[column], rows))
        return recorder_broken(rec, err);
    // nothing was ever written: zeros in the copy too
    if (run->columns[column].stored == 0)
        return MO_OK;
    uint64_t first = 0;
    mo_status status = MO_OK;
    while (run->columns[column].filtered && first + chunk <= rows && status == MO_OK) {
        status = copy_chunk(rec, run, column, first, err);
        first += chunk;
    }
    return status == MO_OK ? copy_rows(rec, run, column, first, rows, err) : status;
}

/* gaps of rows that were written before files had them */
static mo_status fill_gaps(mo_recorder *rec, const mo_run *run, mo_error *err)
{
    hdf_column *gap = &rec->columns[COL_PATH_GAP];
    if (!hdf_column_is_there(gap) || hdf_column_is_there(&run->columns[COL_PATH_GAP]))
        return MO_OK;
    double *unknown = numbers_unknown(gap->width);
    if (unknown == NULL)
        return recorder_no_memory(err);
    bool ok = true;
    for (uint64_t i = 0; i < run_rows(run, COL_PATH_GAP) && ok; i++)
        ok = hdf_column_write(gap, COL_PATH_GAP, i, 1, unknown);
    free(unknown);
    return ok ? MO_OK : recorder_broken(rec, err);
}

static mo_status copy_run(mo_recorder *rec, void *data, mo_error *err)
{
    mo_run *run = data;
    mo_status status = MO_OK;
    for (int i = 0; i < COLUMN_COUNT && status == MO_OK; i++)
        if (is_copied(run, (column_id)i))
            status = copy_column(rec, run, (column_id)i, err);
    if (status == MO_OK)
        status = fill_gaps(rec, run, err);
    if (status == MO_OK && (H5Fflush(rec->file, H5F_SCOPE_LOCAL) < 0 || rec->state.error != 0))
        status = recorder_broken(rec, err);
    return status;
}

/* where rows go on, and what a row says about those before it */
static bool go_on(mo_recorder *rec, const mo_run *run)
{
    rec->hold_end = rec->rows[COL_HOLD_LAMBDA];
    rec->gap_end = rec->rows[COL_EVENT_GAPS];
    if (rec->rows[COL_PATH_T] > 0)
        rec->last_t = mo_run_times(run)[rec->rows[COL_PATH_T] - 1];
    if (run->info.body_count > 0)
        rec->last_id = run->bodies[run->info.body_count - 1].id;
    return laws_go_on(rec, run) && joints_go_on(rec, run);
}

static mo_status resume_run(mo_run *run, const mo_recorder_def *def, const run_head *given, mo_recorder **out,
                            mo_error *err)
{
    mo_status status = check_same(run, def, given, err);
    if (status != MO_OK)
        return status;
    column_storage storage[COLUMN_COUNT];
    // joints that are there no more stay in the file
    run_head continued = *given;
    const run_head *head = &continued;
    if (hdf_column_is_there(&run->columns[COL_JOINT_ID]))
        continued.shape.runs |= IN_JOINTS;
    choose_storage(&head->shape, 0, storage);
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (hdf_column_is_there(&run->columns[i]))
            storage[i] = (column_storage){run->columns[i].chunk_rows, run->columns[i].filtered};
    status = recorder_make(run->path, def, head, storage, copy_run, run, out, err);
    if (status == MO_OK && !go_on(*out, run)) {
        mo_recorder_destroy(*out);
        *out = NULL;
        status = recorder_no_memory(err);
    }
    return status;
}

static mo_status resume(const char *path, const mo_recorder_def *def, const run_head *head, mo_recorder **out,
                        mo_error *err)
{
    if (disk_is_locked(path)) {
        mo_status busy = fail(err, MO_IO, NULL, "cannot go on with %s: another run is writing it", path);
        fail_at(err, path, 0);
        return busy;
    }
    mo_run *run = NULL;
    mo_status status = mo_run_open(path, &run, err);
    if (status != MO_OK)
        return status;
    quiet q = quiet_begin();
    status = resume_run(run, def, head, out, err);
    if (status != MO_OK)
        fail_at(err, path, 0);
    quiet_end(q);
    mo_run_close(run);
    return status;
}

mo_status mo_recorder_resume(const char *path, const mo_recorder_def *def, const mo_world *world,
                             mo_recorder **out, mo_error *err)
{
    assert(path != NULL && def != NULL && world != NULL && out != NULL);
    const run_head head = world_head(def, world);
    return resume(path, def, &head, out, err);
}

mo_status mo_recorder_resume_path(const char *path, const mo_recorder_def *def, const mo_path_def *path_def,
                                  mo_recorder **out, mo_error *err)
{
    assert(path != NULL && def != NULL && path_def != NULL && out != NULL);
    run_head head = {.kind = NULL};
    mo_status status = path_head(def, path_def, &head, err);
    return status == MO_OK ? resume(path, def, &head, out, err) : status;
}
