/* Making a run file: attributes, columns, scene; then readers may come and the file gets its name. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "record/recorder.h"

#include "core/fail.h"
#include "core/timer.h"
#include "world/world.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const run_energy_names[RUN_ENERGY_COLUMNS] = {
    "kinetic", "potential", "work_external", "dissipated_friction", "dissipated_impact", "balance_error"};

unsigned energy_columns(const run_shape *run)
{
    return (run->runs & IN_WORLD) != 0 ? RUN_ENERGY_COLUMNS : 0;
}

mo_status recorder_broken(mo_recorder *rec, mo_error *err)
{
    rec->broken = true;
    const char *why = rec->state.error != 0 ? strerror(rec->state.error) : "HDF5 could not write";
    mo_status status = fail(err, MO_IO, NULL, "cannot write the run file: %s", why);
    fail_at(err, rec->path, 0);
    return status;
}

/* ---- storage ------------------------------------------------------------------------------- */

/* chunks of equal size, as many as hold one frame */
static uint64_t frame_chunk(uint64_t rows)
{
    const uint64_t most = 32768, least = 64;
    uint64_t chunks = (rows + most - 1) / most;
    if (chunks == 0)
        return least;
    uint64_t size = (rows + chunks - 1) / chunks;
    return size < least ? least : size;
}

/* rows of a path may be one number or thousands: chunks of some kilobytes, whatever the width */
static uint64_t path_chunk(column_id column, unsigned width)
{
    const uint64_t row = width * column_element_size(column), bytes = row < 512 ? 16384 : 65536;
    return row < bytes ? bytes / row : 1;
}

void choose_storage(const run_shape *run, size_t body_count, column_storage storage[COLUMN_COUNT])
{
    // compressed chunks cannot grow in place: with few bodies a frame does not fill one, and none are
    // compressed
    const bool compress = body_count >= 128;
    const bool path = (run->runs & IN_PATH) != 0;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        column_storage *s = &storage[i];
        const column_use use = column_defs[i].use;
        const unsigned width = column_width((column_id)i, run);
        const bool of_frame = use == USE_BODIES || use == USE_CONTACTS;
        s->compress = of_frame && compress;
        s->chunk_rows = use == USE_BLOB ? 2048 : 256;
        if (s->compress)
            s->chunk_rows = frame_chunk(body_count);
        else if (path && width > 0 && (use >= USE_PATH || i == COL_SERIES_T || i == COL_SERIES_VALUES))
            s->chunk_rows = path_chunk((column_id)i, width);
    }
    // one row at a time is written here, and there is never more than one
    storage[COL_END_FINISHED].chunk_rows = 1;
    storage[COL_FRAME_PROCESS].chunk_rows = 8192;
}

/* ---- what is known at the start -------------------------------------------------------------- */

run_head world_head(const mo_recorder_def *def, const mo_world *world)
{
    const mo_world_def *w = world_def(world);
    run_shape run = world_shape(w->dim, RUN_ENERGY_COLUMNS + (unsigned)def->series_count);
    run.observed = (unsigned)def->observed_count;
    if (!w->periodic[0] && !w->periodic[1] && !w->periodic[2])
        run.runs &= ~(unsigned)IN_CELL;
    if (!def->joints && mo_world_joint_count(world) == 0)
        run.runs &= ~(unsigned)IN_JOINTS;
    return (run_head){.shape = run,
                      .kind = "world",
                      .solver = def->solver != NULL ? def->solver : "",
                      .dim = w->dim,
                      .h = w->h,
                      .world = w};
}

static mo_status check_discs(const mo_path_def *path, mo_error *err)
{
    if (path->disc_count == 0 && path->wall_count > 0)
        return fail(err, MO_BAD_INPUT, "walls", "found %zu walls without discs", path->wall_count);
    if (path->disc_count > 0 && path->coordinates != 2 * path->disc_count)
        return fail(err, MO_BAD_INPUT, "coordinates", "found %zu for %zu discs, expected two for each",
                    path->coordinates, path->disc_count);
    for (size_t i = 0; i < path->disc_count; i++)
        if (!(path->radius[i] > 0 && isfinite(path->radius[i])))
            return fail(err, MO_BAD_INPUT, "radius", "found %g for disc %zu, expected a number > 0",
                        path->radius[i], i + 1);
    for (size_t i = 0; i < 4 * path->wall_count; i++)
        if (!isfinite(path->walls[i]))
            return fail(err, MO_BAD_INPUT, "walls", "found %g in wall %zu, expected numbers", path->walls[i],
                        i / 4 + 1);
    return MO_OK;
}

mo_status path_head(const mo_recorder_def *def, const mo_path_def *path, run_head *out, mo_error *err)
{
    const bool system = path->kind != NULL && strcmp(path->kind, "system") == 0;
    if (!system && (path->kind == NULL || strcmp(path->kind, "sweep") != 0))
        return fail(err, MO_BAD_INPUT, "kind", "found \"%.60s\", expected \"sweep\" or \"system\"",
                    path->kind != NULL ? path->kind : "");
    if (!(path->h > 0 && isfinite(path->h)))
        return fail(err, MO_BAD_INPUT, "h", "found %g, expected a number > 0", path->h);
    if (path->coordinates > RUN_MAX_WIDTH || path->multipliers > RUN_MAX_WIDTH ||
        def->series_count > RUN_MAX_WIDTH)
        return fail(err, MO_BAD_INPUT, "coordinates",
                    "found %zu coordinates, %zu multipliers and %zu observed columns; a run file takes %u of "
                    "each",
                    path->coordinates, path->multipliers, def->series_count, RUN_MAX_WIDTH);
    const unsigned discs = path->disc_count > 0 ? IN_DISCS : 0, motion = path->velocities ? IN_MOTION : 0;
    *out = (run_head){.shape = {.runs = IN_PATH | discs | motion,
                                .series = (unsigned)def->series_count,
                                .coordinates = (unsigned)path->coordinates,
                                .multipliers = (unsigned)path->multipliers},
                      .kind = path->kind,
                      .solver = path->method != NULL ? path->method : "",
                      .dim = path->coordinates < 3 ? (int)path->coordinates : 3,
                      .h = path->h,
                      .path = path};
    return check_discs(path, err);
}

static bool put_world(hid_t file, const mo_world_def *w)
{
    return hdf_put_f64(file, "theta", &w->theta, 1) &&
           hdf_put_f64(file, "contact_tolerance", &w->contact_tolerance, 1) &&
           hdf_put_f64(file, "gravity", w->gravity, (size_t)w->dim);
}

static bool put_shape(hid_t file, const run_shape *run)
{
    return hdf_put_i64(file, "coordinates", run->coordinates) &&
           hdf_put_i64(file, "multipliers", run->multipliers) && hdf_put_i64(file, "observed", run->series) &&
           hdf_put_i64(file, "velocities", (run->runs & IN_MOTION) != 0) &&
           hdf_put_i64(file, "discs", (run->runs & IN_DISCS) != 0);
}

static bool put_attributes(hid_t file, const mo_recorder_def *def, const run_head *head)
{
    return hdf_put_text(file, "format", RUN_FORMAT) &&
           hdf_put_i64(file, "format_version", RUN_FORMAT_VERSION) &&
           hdf_put_text(file, "kind", head->kind) && hdf_put_text(file, "version", mo_version()) &&
           hdf_put_text(file, "solver", head->solver) && hdf_put_i64(file, "dim", head->dim) &&
           hdf_put_u64(file, "seed", def->seed) && hdf_put_f64(file, "h", &head->h, 1) &&
           hdf_put_f64(file, "t_end", &def->t_end, 1) && hdf_put_f64(file, "every", &def->every, 1) &&
           (head->world != NULL ? put_world(file, head->world) : put_shape(file, &head->shape));
}

static bool create_columns(mo_recorder *rec, const column_storage storage[COLUMN_COUNT])
{
    for (int i = 0; i < COLUMN_COUNT; i++) {
        const unsigned width = column_width((column_id)i, &rec->shape);
        if (column_is_in((column_id)i, &rec->shape) && width > 0 &&
            !hdf_column_create(rec->file, (column_id)i, width, storage[i].chunk_rows, storage[i].compress))
            return false;
    }
    return true;
}

static mo_status open_columns(mo_recorder *rec, mo_error *err)
{
    for (int i = 0; i < COLUMN_COUNT; i++) {
        mo_status status = hdf_column_open(rec->file, (column_id)i, &rec->shape, &rec->columns[i], err);
        if (status != MO_OK)
            return recorder_broken(rec, err);
    }
    return MO_OK;
}

static void close_columns(mo_recorder *rec)
{
    for (int i = 0; i < COLUMN_COUNT; i++)
        hdf_column_close(&rec->columns[i]);
}

static bool put_blob(mo_recorder *rec, column_id column, const char *text)
{
    return text == NULL || rows_append(rec, column, strlen(text), text);
}

static bool put_series_names(mo_recorder *rec, const mo_recorder_def *def)
{
    const unsigned energies = energy_columns(&rec->shape);
    uint64_t end = 0;
    for (size_t i = 0; i < energies + def->series_count; i++) {
        const char *name = i < energies ? run_energy_names[i] : def->series[i - energies];
        end += strlen(name);
        if (!put_blob(rec, COL_SERIES_NAMES, name) || !rows_append(rec, COL_SERIES_NAME_END, 1, &end))
            return false;
    }
    return true;
}

static bool put_observed_names(mo_recorder *rec, const mo_recorder_def *def)
{
    uint64_t end = 0;
    for (size_t i = 0; i < rec->shape.observed; i++) {
        end += strlen(def->observed[i]);
        if (!put_blob(rec, COL_OBSERVED_NAMES, def->observed[i]) ||
            !rows_append(rec, COL_OBSERVED_NAME_END, 1, &end))
            return false;
    }
    return true;
}

static bool put_discs(mo_recorder *rec, const mo_path_def *path)
{
    return path == NULL || (rows_append(rec, COL_DISC_RADIUS, path->disc_count, path->radius) &&
                            rows_append(rec, COL_DISC_WALLS, path->wall_count, path->walls));
}

static mo_status put_start(mo_recorder *rec, const mo_recorder_def *def, const run_head *head, mo_error *err)
{
    mo_status status = MO_OK;
    recorder_begin_job(rec);
    if (!put_blob(rec, COL_SCENE_NAME, def->scene_name) || !put_blob(rec, COL_SCENE_TEXT, def->scene_text) ||
        !put_blob(rec, COL_SCENE_PARAMS, def->params_json) ||
        !put_blob(rec, COL_SCENE_FOLDER, def->scene_folder) || !put_series_names(rec, def) ||
        !put_observed_names(rec, def) || !put_discs(rec, head->path))
        status = recorder_no_memory(err);
    return recorder_end_job(rec, status, err);
}

/* ---- the file ------------------------------------------------------------------------------- */

/* a kill can stop a write between two pages of memory, and half a header is no header: HDF5 puts none of its
   small structures across the border of such pages */
static hid_t file_layout(void)
{
    const hsize_t page = 4096;
    hid_t fcpl = H5Pcreate(H5P_FILE_CREATE);
    if (fcpl >= 0 && H5Pset_file_space_strategy(fcpl, H5F_FSPACE_STRATEGY_PAGE, false, 1) >= 0 &&
        H5Pset_file_space_page_size(fcpl, page) >= 0)
        return fcpl;
    if (fcpl >= 0)
        H5Pclose(fcpl);
    return -1;
}

/* rows are appended and nothing is read: at every flush HDF5 would walk through megabytes of chunks that
   never change again */
#define CHUNK_SLOTS 31
#define CHUNK_CACHE ((size_t)0)

static bool create_file(mo_recorder *rec, const char *path)
{
    hid_t fcpl = file_layout(), fapl = H5Pcreate(H5P_FILE_ACCESS);
    bool ok = fcpl >= 0 && fapl >= 0 && disk_use(fapl, &rec->state) &&
              H5Pset_libver_bounds(fapl, H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0 &&
              H5Pset_fclose_degree(fapl, H5F_CLOSE_STRONG) >= 0 &&
              H5Pset_cache(fapl, 0, CHUNK_SLOTS, CHUNK_CACHE, 1) >= 0;
    if (ok)
        rec->file = H5Fcreate(path, H5F_ACC_TRUNC, fcpl, fapl);
    if (fapl >= 0)
        H5Pclose(fapl);
    if (fcpl >= 0)
        H5Pclose(fcpl);
    return rec->file >= 0;
}

static mo_status fill_file(mo_recorder *rec, const mo_recorder_def *def, const run_head *head,
                           const column_storage storage[COLUMN_COUNT], recorder_fill fill, void *data,
                           mo_error *err)
{
    if (!put_attributes(rec->file, def, head) || !hdf_groups_create(rec->file, &head->shape) ||
        !create_columns(rec, storage))
        return recorder_broken(rec, err);
    mo_status status = open_columns(rec, err);
    if (status != MO_OK)
        return status;
    status = put_start(rec, def, head, err);
    if (status == MO_OK && fill != NULL)
        status = fill(rec, data, err);
    close_columns(rec);
    if (status != MO_OK)
        return status;
    // from here on HDF5 orders its writes so that the file is sound at every moment
    if (H5Fflush(rec->file, H5F_SCOPE_LOCAL) < 0 || H5Fstart_swmr_write(rec->file) < 0 ||
        rec->state.error != 0)
        return recorder_broken(rec, err);
    status = open_columns(rec, err);
    if (status == MO_OK && rec->state.error != 0)
        status = recorder_broken(rec, err);
    for (int i = 0; i < COLUMN_COUNT; i++)
        rec->rows[i] = rec->columns[i].rows;
    return status;
}

static mo_recorder *recorder_new(const char *path, const run_head *head)
{
    mo_recorder *rec = calloc(1, sizeof *rec);
    char *copy = strdup(path);
    if (rec == NULL || copy == NULL) {
        free(rec);
        free(copy);
        return NULL;
    }
    rec->path = copy;
    writer_init(&rec->queue, rows_write, rec);
    rec->file = -1;
    for (int i = 0; i < COLUMN_COUNT; i++)
        rec->columns[i].dataset = -1;
    rec->shape = head->shape;
    if (head->path != NULL) {
        rec->disc_count = head->path->disc_count;
        rec->wall_count = head->path->wall_count;
    }
    rec->last_t = -HUGE_VAL;
    rec->begun = rec->last = seconds_now();
    return rec;
}

/* *out is freed by the caller */
static mo_status resolve_path(const char *path, char **out, mo_error *err)
{
    mo_status status = disk_target(path, "cannot write the run file", out, err);
    if (status == MO_OK && disk_is_locked(path)) {
        free(*out);
        *out = NULL;
        status = fail(err, MO_IO, NULL, "cannot write the run file: another run is writing it");
    }
    return status;
}

static mo_status make_in_place(mo_recorder *rec, const char *temporary, const mo_recorder_def *def,
                               const run_head *head, const column_storage storage[COLUMN_COUNT],
                               recorder_fill fill, void *data, mo_error *err)
{
    if (!create_file(rec, temporary))
        return recorder_broken(rec, err);
    mo_status status = fill_file(rec, def, head, storage, fill, data, err);
    if (status == MO_OK && rename(temporary, rec->path) != 0) {
        rec->state.error = errno;
        status = recorder_broken(rec, err);
    }
    if (status != MO_OK)
        unlink(temporary);
    return status;
}

mo_status recorder_make(const char *path, const mo_recorder_def *def, const run_head *head,
                        const column_storage storage[COLUMN_COUNT], recorder_fill fill, void *data,
                        mo_recorder **out, mo_error *err)
{
    char *real = NULL;
    mo_status status = resolve_path(path, &real, err);
    if (status != MO_OK) {
        fail_at(err, path, 0);
        return status;
    }
    mo_recorder *rec = recorder_new(real, head);
    const size_t room = strlen(real) + 32;
    char *temporary = malloc(room);
    if (rec == NULL || temporary == NULL) {
        status = fail(err, MO_NO_MEMORY, NULL, "no memory for a recorder");
    } else {
        snprintf(temporary, room, "%s.%ld.tmp", real, (long)getpid());
        status = make_in_place(rec, temporary, def, head, storage, fill, data, err);
    }
    free(real);
    free(temporary);
    // a file that is continued has some
    if (status == MO_OK)
        rec->queue.frames = recorder_frames(rec);
    if (status == MO_OK && def->background)
        writer_start(&rec->queue);
    if (status == MO_OK)
        *out = rec;
    else
        mo_recorder_destroy(rec);
    return status;
}

static mo_status create(const char *path, const mo_recorder_def *def, const run_head *head, size_t body_count,
                        mo_recorder **out, mo_error *err)
{
    column_storage storage[COLUMN_COUNT];
    choose_storage(&head->shape, body_count, storage);
    quiet q = quiet_begin();
    mo_status status = recorder_make(path, def, head, storage, NULL, NULL, out, err);
    quiet_end(q);
    return status;
}

mo_status mo_recorder_create(const char *path, const mo_recorder_def *def, const mo_world *world,
                             mo_recorder **out, mo_error *err)
{
    assert(path != NULL && def != NULL && world != NULL && out != NULL);
    const run_head head = world_head(def, world);
    return create(path, def, &head, mo_world_bodies(world).count, out, err);
}

mo_status mo_recorder_create_path(const char *path, const mo_recorder_def *def, const mo_path_def *path_def,
                                  mo_recorder **out, mo_error *err)
{
    assert(path != NULL && def != NULL && path_def != NULL && out != NULL);
    run_head head = {.kind = NULL};
    mo_status status = path_head(def, path_def, &head, err);
    return status == MO_OK ? create(path, def, &head, 0, out, err) : status;
}

void mo_recorder_destroy(mo_recorder *rec)
{
    if (rec == NULL)
        return;
    writer_end(&rec->queue);
    quiet q = quiet_begin();
    close_columns(rec);
    disk_end(rec->file, &rec->state);
    quiet_end(q);
    for (int i = 0; i < COLUMN_COUNT; i++)
        free(rec->kept[i].data);
    free(rec->laws);
    free(rec->law_table);
    free(rec->joints);
    free(rec->path);
    free(rec);
}
