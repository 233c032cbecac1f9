/* Opening the run of a point: attributes, which checkpoints count, times. */
#include "record/run.h"

#include "core/fail.h"

#include <math.h>
#include <string.h>

_Static_assert((int)USE_POINTS - (int)USE_PATH == (int)ROWS_POINTS, "tables of a path stand in one order");

static mo_status read_count(mo_run *run, const char *name, int64_t most, unsigned *out, mo_error *err)
{
    int64_t value = 0;
    mo_status status = hdf_get_i64(run->file, name, &value, err);
    if (status == MO_OK && (value < 0 || value > most))
        status =
            fail(err, MO_BAD_FILE, name, "found %lld, expected 0 to %lld", (long long)value, (long long)most);
    if (status == MO_OK)
        *out = (unsigned)value;
    return status;
}

mo_status run_read_shape(mo_run *run, mo_error *err)
{
    unsigned velocities = 0, discs = 0;
    const struct {
        const char *name;
        int64_t most;
        unsigned *out;
    } counts[] = {{"coordinates", RUN_MAX_WIDTH, &run->shape.coordinates},
                  {"multipliers", RUN_MAX_WIDTH, &run->shape.multipliers},
                  {"observed", RUN_MAX_WIDTH, &run->shape.series},
                  {"velocities", 1, &velocities},
                  {"discs", 1, &discs}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        mo_status status = read_count(run, counts[i].name, counts[i].most, counts[i].out, err);
        if (status != MO_OK)
            return status;
    }
    run->shape.runs = IN_PATH | (velocities != 0 ? IN_MOTION : 0u) | (discs != 0 ? IN_DISCS : 0u);
    run->info.coordinates = run->shape.coordinates;
    run->info.multipliers = run->shape.multipliers;
    run->info.velocities = velocities != 0;
    run->info.dim = run->shape.coordinates < 3 ? (int)run->shape.coordinates : 3;
    return MO_OK;
}

/* ---- which checkpoints count ------------------------------------------------------------------- */

static void tables_there(const mo_run *run, uint64_t rows[PATH_TABLES])
{
    for (int t = ROWS_PATH; t <= ROWS_POINTS; t++)
        rows[t] = run_usable_rows(run, (column_use)(USE_PATH + t));
    const uint64_t t = hdf_column_usable(&run->columns[COL_SERIES_T]);
    const uint64_t values = hdf_column_usable(&run->columns[COL_SERIES_VALUES]);
    rows[ROWS_PATH_SERIES] = t < values ? t : values;
}

void run_count_checkpoints(mo_run *run, uint64_t rows)
{
    const double *time = run->data[COL_FRAME_T];
    const uint64_t state = hdf_column_usable(&run->columns[COL_FRAME_STATE]);
    const uint64_t process = hdf_column_usable(&run->columns[COL_FRAME_PROCESS]);
    uint64_t there[PATH_TABLES], state_end = 0, process_end = 0, k = 0;
    tables_there(run, there);
    for (; k < rows && isfinite(time[k]); k++) {
        const uint64_t *counts = run_u64(run, COL_FRAME_PATH_ROWS) + PATH_TABLES * k;
        bool sound = range_follows(run_u64(run, COL_FRAME_STATE_FIRST)[k],
                                   run_u64(run, COL_FRAME_STATE_LENGTH)[k], state, &state_end) &&
                     range_follows(run_u64(run, COL_FRAME_PROCESS_FIRST)[k],
                                   run_u64(run, COL_FRAME_PROCESS_LENGTH)[k], process, &process_end);
        for (int t = 0; t < PATH_TABLES; t++)
            sound = sound && counts[t] >= run->path_rows[t] && counts[t] <= there[t];
        if (!sound)
            break;
        memcpy(run->path_rows, counts, sizeof run->path_rows);
    }
    run->frame_rows = (size_t)k;
}

/* ---- what is checked at the opening -------------------------------------------------------------- */

static mo_status check_times(const mo_run *run, mo_error *err)
{
    const double *t = run->data[COL_PATH_T];
    for (size_t i = 0; i < run->info.frames; i++)
        if (!isfinite(t[i]) || (i > 0 && t[i] < t[i - 1]))
            return fail(err, MO_BAD_FILE, "/path/t", "found %g in row %zu, expected times that do not fall",
                        t[i], i);
    return MO_OK;
}

static mo_status check_discs(mo_run *run, mo_error *err)
{
    const uint64_t discs = run->columns[COL_DISC_RADIUS].rows, walls = run->columns[COL_DISC_WALLS].rows;
    if ((run->shape.runs & IN_DISCS) == 0)
        return MO_OK;
    if (discs == 0 || 2 * discs != run->shape.coordinates)
        return fail(err, MO_BAD_FILE, "/discs/radius", "found %llu discs for %u coordinates",
                    (unsigned long long)discs, run->shape.coordinates);
    mo_status status = run_load(run, COL_DISC_RADIUS, discs, err);
    if (status == MO_OK)
        status = run_load(run, COL_DISC_WALLS, walls, err);
    if (status != MO_OK)
        return status;
    const double *radius = run->data[COL_DISC_RADIUS], *wall = run->data[COL_DISC_WALLS];
    for (uint64_t i = 0; i < discs; i++)
        if (!(radius[i] > 0 && isfinite(radius[i])))
            return fail(err, MO_BAD_FILE, "/discs/radius", "found %g in row %llu, expected a number > 0",
                        radius[i], (unsigned long long)i);
    for (uint64_t i = 0; i < 4 * walls; i++)
        if (!isfinite(wall[i]))
            return fail(err, MO_BAD_FILE, "/discs/walls", "found %g in row %llu, expected numbers", wall[i],
                        (unsigned long long)i / 4);
    return MO_OK;
}

mo_status run_read_path(mo_run *run, bool finished, mo_error *err)
{
    mo_run_info *info = &run->info;
    // rows after the last checkpoint belong to the run only when it was finished
    if (finished)
        tables_there(run, run->path_rows);
    info->frames = (size_t)run->path_rows[ROWS_PATH];
    info->series_rows = (size_t)run->path_rows[ROWS_PATH_SERIES];
    info->events = (size_t)run->path_rows[ROWS_EVENTS];
    mo_status status = run_load(run, COL_PATH_T, info->frames, err);
    if (status == MO_OK)
        status = run_load(run, COL_PATH_STEP, info->frames, err);
    if (status == MO_OK)
        status = check_times(run, err);
    if (status == MO_OK)
        status = check_discs(run, err);
    if (status == MO_OK && info->frames > 0) {
        info->time = mo_run_times(run)[info->frames - 1];
        info->steps = ((const int64_t *)run->data[COL_PATH_STEP])[info->frames - 1];
    }
    return status;
}
