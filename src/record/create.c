/* Making a run file: attributes, columns, scene; then readers may come and the file gets its name. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "record/recorder.h"

#include "core/fail.h"
#include "world/world.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const run_energy_names[RUN_ENERGY_COLUMNS] = {
    "kinetic", "potential", "work_external", "dissipated_friction", "dissipated_impact", "balance_error"};

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

static void choose_storage(size_t body_count, column_storage storage[COLUMN_COUNT])
{
    // compressed chunks cannot grow in place: with few bodies a frame does not fill one, and none are
    // compressed
    const bool compress = body_count >= 128;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        column_storage *s = &storage[i];
        const column_use use = column_defs[i].use;
        const bool of_frame = use == USE_BODIES || use == USE_CONTACTS;
        s->compress = of_frame && compress;
        s->chunk_rows = use == USE_BLOB ? 2048 : 256;
        if (s->compress)
            s->chunk_rows = frame_chunk(body_count);
    }
    // one row at a time is written here, and there is never more than one
    storage[COL_END_FINISHED].chunk_rows = 1;
}

/* ---- what is known at the start -------------------------------------------------------------- */

static bool put_attributes(hid_t file, const mo_recorder_def *def, const mo_world *world)
{
    const mo_world_def *w = world_def(world);
    return hdf_put_text(file, "format", RUN_FORMAT) &&
           hdf_put_i64(file, "format_version", RUN_FORMAT_VERSION) && hdf_put_text(file, "kind", "world") &&
           hdf_put_text(file, "version", mo_version()) &&
           hdf_put_text(file, "solver", def->solver != NULL ? def->solver : "") &&
           hdf_put_i64(file, "dim", w->dim) && hdf_put_u64(file, "seed", def->seed) &&
           hdf_put_f64(file, "h", &w->h, 1) && hdf_put_f64(file, "t_end", &def->t_end, 1) &&
           hdf_put_f64(file, "every", &def->every, 1) && hdf_put_f64(file, "theta", &w->theta, 1) &&
           hdf_put_f64(file, "contact_tolerance", &w->contact_tolerance, 1) &&
           hdf_put_f64(file, "gravity", w->gravity, 2);
}

static bool create_columns(mo_recorder *rec, const column_storage storage[COLUMN_COUNT])
{
    for (int i = 0; i < COLUMN_COUNT; i++) {
        const unsigned width = column_defs[i].width != 0 ? column_defs[i].width : rec->series_width;
        if (!hdf_column_create(rec->file, (column_id)i, width, storage[i].chunk_rows, storage[i].compress))
            return false;
    }
    return true;
}

static mo_status open_columns(mo_recorder *rec, mo_error *err)
{
    for (int i = 0; i < COLUMN_COUNT; i++) {
        const unsigned width = column_defs[i].width != 0 ? column_defs[i].width : rec->series_width;
        mo_status status = hdf_column_open(rec->file, (column_id)i, width, &rec->columns[i], err);
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
    hdf_column *c = &rec->columns[column];
    return text == NULL || hdf_column_write(c, column, c->rows, strlen(text), text);
}

static bool put_series_names(mo_recorder *rec, const mo_recorder_def *def)
{
    uint64_t end = 0;
    for (size_t i = 0; i < RUN_ENERGY_COLUMNS + def->series_count; i++) {
        const char *name = i < RUN_ENERGY_COLUMNS ? run_energy_names[i] : def->series[i - RUN_ENERGY_COLUMNS];
        end += strlen(name);
        if (!put_blob(rec, COL_SERIES_NAMES, name) ||
            !hdf_column_write(&rec->columns[COL_SERIES_NAME_END], COL_SERIES_NAME_END, i, 1, &end))
            return false;
    }
    return true;
}

/* ---- the file ------------------------------------------------------------------------------- */

static bool create_file(mo_recorder *rec, const char *path)
{
    hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
    bool ok = fapl >= 0 && disk_use(fapl, &rec->state, &rec->driver) &&
              H5Pset_libver_bounds(fapl, H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0 &&
              H5Pset_fclose_degree(fapl, H5F_CLOSE_STRONG) >= 0;
    if (ok)
        rec->file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    if (fapl >= 0)
        H5Pclose(fapl);
    return rec->file >= 0;
}

static mo_status fill_file(mo_recorder *rec, const mo_recorder_def *def, const mo_world *world,
                           const column_storage storage[COLUMN_COUNT], recorder_fill fill, void *data,
                           mo_error *err)
{
    if (!put_attributes(rec->file, def, world) || !hdf_groups_create(rec->file) ||
        !create_columns(rec, storage))
        return recorder_broken(rec, err);
    mo_status status = open_columns(rec, err);
    if (status != MO_OK)
        return status;
    if (!put_blob(rec, COL_SCENE_NAME, def->scene_name) || !put_blob(rec, COL_SCENE_TEXT, def->scene_text) ||
        !put_blob(rec, COL_SCENE_PARAMS, def->params_json) || !put_series_names(rec, def))
        return recorder_broken(rec, err);
    if (fill != NULL)
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
    return status;
}

static mo_recorder *recorder_new(const char *path, const mo_recorder_def *def)
{
    mo_recorder *rec = calloc(1, sizeof *rec);
    char *copy = strdup(path);
    if (rec == NULL || copy == NULL) {
        free(rec);
        free(copy);
        return NULL;
    }
    rec->path = copy;
    rec->file = rec->driver = -1;
    for (int i = 0; i < COLUMN_COUNT; i++)
        rec->columns[i].dataset = -1;
    rec->series_width = RUN_ENERGY_COLUMNS + (unsigned)def->series_count;
    return rec;
}

/* follows links, refuses what a rename must not replace; *out is freed by the caller */
static mo_status resolve_path(const char *path, char **out, mo_error *err)
{
    struct stat st;
    *out = NULL;
    if (stat(path, &st) == 0) {
        if (!S_ISREG(st.st_mode))
            return fail(err, MO_IO, NULL, "cannot write the run file: not a regular file");
        if (access(path, W_OK) != 0)
            return fail(err, MO_IO, NULL, "cannot write the run file: %s", strerror(errno));
        if (disk_is_locked(path))
            return fail(err, MO_IO, NULL, "cannot write the run file: another run is writing it");
        *out = realpath(path, NULL);
    } else {
        *out = strdup(path);
    }
    if (*out == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for the path of the run file");
    return MO_OK;
}

static mo_status make_in_place(mo_recorder *rec, const char *temporary, const mo_recorder_def *def,
                               const mo_world *world, const column_storage storage[COLUMN_COUNT],
                               recorder_fill fill, void *data, mo_error *err)
{
    if (!create_file(rec, temporary))
        return recorder_broken(rec, err);
    mo_status status = fill_file(rec, def, world, storage, fill, data, err);
    if (status == MO_OK && rename(temporary, rec->path) != 0) {
        rec->state.error = errno;
        status = recorder_broken(rec, err);
    }
    if (status != MO_OK)
        unlink(temporary);
    return status;
}

mo_status recorder_make(const char *path, const mo_recorder_def *def, const mo_world *world,
                        const column_storage storage[COLUMN_COUNT], recorder_fill fill, void *data,
                        mo_recorder **out, mo_error *err)
{
    char *real = NULL;
    mo_status status = resolve_path(path, &real, err);
    if (status != MO_OK) {
        fail_at(err, path, 0);
        return status;
    }
    mo_recorder *rec = recorder_new(real, def);
    const size_t room = strlen(real) + 32;
    char *temporary = malloc(room);
    if (rec == NULL || temporary == NULL) {
        status = fail(err, MO_NO_MEMORY, NULL, "no memory for a recorder");
    } else {
        snprintf(temporary, room, "%s.%ld.tmp", real, (long)getpid());
        status = make_in_place(rec, temporary, def, world, storage, fill, data, err);
    }
    free(real);
    free(temporary);
    if (status == MO_OK)
        *out = rec;
    else
        mo_recorder_destroy(rec);
    return status;
}

mo_status mo_recorder_create(const char *path, const mo_recorder_def *def, const mo_world *world,
                             mo_recorder **out, mo_error *err)
{
    assert(path != NULL && def != NULL && world != NULL && out != NULL);
    column_storage storage[COLUMN_COUNT];
    choose_storage(mo_world_bodies(world).count, storage);
    quiet q = quiet_begin();
    mo_status status = recorder_make(path, def, world, storage, NULL, NULL, out, err);
    quiet_end(q);
    return status;
}

void mo_recorder_destroy(mo_recorder *rec)
{
    if (rec == NULL)
        return;
    quiet q = quiet_begin();
    close_columns(rec);
    if (rec->file >= 0)
        H5Fclose(rec->file);
    if (rec->driver >= 0)
        H5FDunregister(rec->driver);
    quiet_end(q);
    free(rec->step);
    free(rec->step_contacts);
    free(rec->step_iterations);
    free(rec->step_residual);
    free(rec->series_t);
    free(rec->series_values);
    free(rec->path);
    free(rec);
}
