/* Opening a run file: nothing in it is believed before it has been checked. */
#include "record/run.h"

#include "core/fail.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading columns ------------------------------------------------------------------------- */

mo_status run_read(mo_run *run, column_id column, uint64_t first, uint64_t count, void *out_pointer,
                   mo_error *err)
{
    const hdf_column *c = &run->columns[column];
    const bool there = hdf_column_is_there(c);
    if (first > c->rows || count > c->rows - first || (there && count > SIZE_MAX / c->row_bytes - 1))
        return fail(err, MO_BAD_FILE, column_defs[column].path,
                    "found %llu rows, expected %llu more after row %llu", (unsigned long long)c->rows,
                    (unsigned long long)count, (unsigned long long)first);
    char *data = calloc((size_t)count * c->row_bytes + 1, 1);
    if (data == NULL)
        return fail(err, MO_NO_MEMORY, column_defs[column].path, "no memory for %llu rows",
                    (unsigned long long)count);
    if (there && !hdf_column_read(c, column, first, count, data)) {
        free(data);
        return fail(err, MO_BAD_FILE, column_defs[column].path, "rows %llu to %llu cannot be read: damaged",
                    (unsigned long long)first, (unsigned long long)(first + count));
    }
    memcpy(out_pointer, &data, sizeof data);
    return MO_OK;
}

mo_status run_load(mo_run *run, column_id column, uint64_t rows, mo_error *err)
{
    if (run->data[column] != NULL)
        return MO_OK;
    // what is loaded whole must be in the file, not only claimed
    if (rows > hdf_column_usable(&run->columns[column]))
        return fail(err, MO_BAD_FILE, column_defs[column].path, "found %llu rows, expected at least %llu",
                    (unsigned long long)hdf_column_usable(&run->columns[column]), (unsigned long long)rows);
    return run_read(run, column, 0, rows, &run->data[column], err);
}

static mo_status read_text(mo_run *run, column_id column, char **out, mo_error *err)
{
    return run_read(run, column, 0, hdf_column_usable(&run->columns[column]), out, err);
}

/* ---- the parts of opening -------------------------------------------------------------------- */

static mo_status check_format(mo_run *run, mo_error *err)
{
    char *format = NULL;
    int64_t version = 0;
    mo_status status = hdf_get_text(run->file, "format", &format, err);
    if (status == MO_OK && strcmp(format, RUN_FORMAT) != 0)
        status = fail(err, MO_BAD_FILE, "format", "found \"%.60s\", expected \"%s\"", format, RUN_FORMAT);
    free(format);
    if (status == MO_OK)
        status = hdf_get_i64(run->file, "format_version", &version, err);
    if (status == MO_OK && version != RUN_FORMAT_VERSION)
        status = fail(err, MO_BAD_FILE, "format_version", "found version %lld, this program reads version %d",
                      (long long)version, RUN_FORMAT_VERSION);
    return status;
}

typedef struct number_attribute {
    const char *name;
    double *values;
    size_t count;
} number_attribute;

static mo_status get_numbers(mo_run *run, const number_attribute *numbers, size_t count, mo_error *err)
{
    mo_status status = MO_OK;
    for (size_t i = 0; i < count && status == MO_OK; i++)
        status = hdf_get_f64(run->file, numbers[i].name, numbers[i].values, numbers[i].count, err);
    return status;
}

static mo_status read_world_numbers(mo_run *run, mo_error *err)
{
    mo_run_info *info = &run->info;
    int64_t dim = 0;
    mo_status status = hdf_get_i64(run->file, "dim", &dim, err);
    if (status == MO_OK && dim != 2 && dim != 3)
        status = fail(err, MO_BAD_FILE, "dim", "found %lld, expected 2 or 3", (long long)dim);
    if (status != MO_OK)
        return status;
    info->dim = (int)dim;
    run->shape = world_shape(info->dim, WIDTH_ANY);
    run->shape.observed = WIDTH_ANY;
    const number_attribute numbers[] = {{"theta", &info->theta, 1},
                                        {"gravity", info->gravity, (size_t)dim},
                                        {"contact_tolerance", &info->contact_tolerance, 1}};
    return get_numbers(run, numbers, 3, err);
}

static mo_status read_numbers(mo_run *run, mo_error *err)
{
    mo_run_info *info = &run->info;
    const number_attribute numbers[] = {
        {"h", &info->h, 1}, {"t_end", &info->t_end, 1}, {"every", &info->every, 1}};
    mo_status status = hdf_get_u64(run->file, "seed", &info->seed, err);
    if (status == MO_OK)
        status = get_numbers(run, numbers, 3, err);
    if (status == MO_OK && !(info->h > 0 && isfinite(info->h)))
        status = fail(err, MO_BAD_FILE, "h", "found %g, expected a number > 0", info->h);
    if (status != MO_OK)
        return status;
    return info->is_path ? run_read_shape(run, err) : read_world_numbers(run, err);
}

static mo_status read_attributes(mo_run *run, mo_error *err)
{
    mo_status status = check_format(run, err);
    if (status == MO_OK)
        status = hdf_get_text(run->file, "kind", &run->kind, err);
    if (status == MO_OK) {
        const bool path = strcmp(run->kind, "sweep") == 0 || strcmp(run->kind, "system") == 0;
        run->info.is_path = path;
        if (!path && strcmp(run->kind, "world") != 0)
            status = fail(err, MO_BAD_FILE, "kind",
                          "found \"%.60s\", expected \"world\", \"sweep\" or \"system\"", run->kind);
    }
    if (status == MO_OK)
        status = hdf_get_text(run->file, "version", &run->version, err);
    if (status == MO_OK)
        status = hdf_get_text(run->file, "solver", &run->solver, err);
    return status == MO_OK ? read_numbers(run, err) : status;
}

/* whether the run is finished, asked before anything else is opened: what the mark vouches for is there by
   then */
static mo_status read_mark(mo_run *run, bool *finished, mo_error *err)
{
    uint8_t *mark = NULL;
    hdf_column *c = &run->columns[COL_END_FINISHED];
    mo_status status = hdf_column_open(run->file, COL_END_FINISHED, &run->shape, c, err);
    *finished = false;
    if (status == MO_OK && hdf_column_usable(c) > 0)
        status = run_read(run, COL_END_FINISHED, 0, 1, &mark, err);
    if (status == MO_OK && mark != NULL)
        *finished = mark[0] == 1;
    free(mark);
    return status;
}

/* the time of frames comes first in the list: what it vouches for is in the other columns by then */
static mo_status open_columns(mo_run *run, mo_error *err)
{
    mo_status status = MO_OK;
    for (int i = 0; i < COLUMN_COUNT && status == MO_OK; i++)
        if (i != COL_END_FINISHED)
            status = hdf_column_open(run->file, (column_id)i, &run->shape, &run->columns[i], err);
    return status;
}

static mo_status read_texts(mo_run *run, mo_error *err)
{
    mo_status status = read_text(run, COL_SCENE_NAME, &run->scene_name, err);
    if (status == MO_OK)
        status = read_text(run, COL_SCENE_TEXT, &run->scene_text, err);
    if (status == MO_OK)
        status = read_text(run, COL_SCENE_PARAMS, &run->params_json, err);
    if (status == MO_OK)
        status = read_text(run, COL_SCENE_FOLDER, &run->scene_folder, err);
    return status;
}

static mo_status read_end(mo_run *run, mo_error *err)
{
    mo_status status = read_text(run, COL_END_STATUS, &run->status, err);
    if (status == MO_OK)
        status = read_text(run, COL_END_REPORT, &run->report_json, err);
    if (status == MO_OK)
        status = read_text(run, COL_END_PLOTS, &run->plots_json, err);
    return status;
}

/* ---- which frames count ------------------------------------------------------------------------ */

static uint64_t rows_of_all(const mo_run *run, column_use use)
{
    uint64_t rows = UINT64_MAX;
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (column_defs[i].use == use && hdf_column_is_there(&run->columns[i]) && run->columns[i].rows < rows)
            rows = run->columns[i].rows;
    return rows;
}

/* rows of the tables of which every column has them */
static void tables_present(const mo_run *run, uint64_t present[4])
{
    static const struct {
        column_id column;
        int table;
    } columns[] = {{COL_BODY_ID, ROWS_BODIES},        {COL_BODY_KIND, ROWS_BODIES},
                   {COL_BODY_GROUP, ROWS_BODIES},     {COL_BODY_FLAGS, ROWS_BODIES},
                   {COL_BODY_COLLIDES, ROWS_BODIES},  {COL_BODY_MASS, ROWS_BODIES},
                   {COL_BODY_INERTIA, ROWS_BODIES},   {COL_BODY_INERTIA3, ROWS_BODIES},
                   {COL_BODY_AXES, ROWS_BODIES},      {COL_BODY_EXTENT, ROWS_BODIES},
                   {COL_BODY_AREA, ROWS_BODIES},      {COL_BODY_ORIGIN, ROWS_BODIES},
                   {COL_BODY_PART_END, ROWS_BODIES},  {COL_BODY_VERTEX_END, ROWS_BODIES},
                   {COL_BODY_FACE_END, ROWS_BODIES},  {COL_BODY_NAME_END, ROWS_BODIES},
                   {COL_GROUP_NAME_END, ROWS_GROUPS}, {COL_SERIES_T, ROWS_SERIES},
                   {COL_SERIES_VALUES, ROWS_SERIES},  {COL_STEP_STEP, ROWS_STEPS},
                   {COL_STEP_CONTACTS, ROWS_STEPS},   {COL_STEP_ITERATIONS, ROWS_STEPS},
                   {COL_STEP_RESIDUAL, ROWS_STEPS}};
    for (int t = 0; t < 4; t++)
        present[t] = UINT64_MAX;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        if (!column_is_in(columns[i].column, &run->shape))
            continue;
        const uint64_t rows = hdf_column_usable(&run->columns[columns[i].column]);
        if (rows < present[columns[i].table])
            present[columns[i].table] = rows;
    }
}

uint64_t run_usable_rows(const mo_run *run, column_use use)
{
    uint64_t most = UINT64_MAX;
    bool any = false;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        const hdf_column *c = &run->columns[i];
        if (column_defs[i].use != use || !hdf_column_is_there(c))
            continue;
        const uint64_t rows = hdf_column_usable(c);
        any = true;
        most = rows < most ? rows : most;
    }
    return any ? most : 0;
}

bool range_follows(uint64_t first, uint64_t count, uint64_t rows, uint64_t *end)
{
    if (first < *end || first > rows || count > rows - first)
        return false;
    *end = first + count;
    return true;
}

typedef struct frame_limits {
    uint64_t bodies, contacts, contacts_stored, state; /* rows there are */
    uint64_t tables[4];
    uint64_t body_end, contact_end, state_end, table_end[4]; /* of the frame before */
} frame_limits;

static bool frame_counts(const mo_run *run, uint64_t k, frame_limits *l)
{
    const uint64_t contacts = run_u64(run, COL_FRAME_CONTACT_COUNT)[k];
    const uint64_t *rows = run_u64(run, COL_FRAME_ROWS) + 4 * k;
    if (!isfinite(((const double *)run->data[COL_FRAME_T])[k]) ||
        !range_follows(run_u64(run, COL_FRAME_BODY_FIRST)[k], run_u64(run, COL_FRAME_BODY_COUNT)[k],
                       l->bodies, &l->body_end) ||
        !range_follows(run_u64(run, COL_FRAME_CONTACT_FIRST)[k], contacts, l->contacts, &l->contact_end) ||
        !range_follows(run_u64(run, COL_FRAME_STATE_FIRST)[k], run_u64(run, COL_FRAME_STATE_LENGTH)[k],
                       l->state, &l->state_end))
        return false;
    for (int t = 0; t < 4; t++) {
        if (rows[t] < l->table_end[t] || rows[t] > l->tables[t])
            return false;
        l->table_end[t] = rows[t];
    }
    // a body stands at most once in a frame; contacts cannot be more than the file could hold
    return run_u64(run, COL_FRAME_BODY_COUNT)[k] <= rows[ROWS_BODIES] && contacts <= l->contacts_stored;
}

static void count_world_frames(mo_run *run, uint64_t rows)
{
    frame_limits limits = {.bodies = rows_of_all(run, USE_BODIES),
                           .contacts = rows_of_all(run, USE_CONTACTS),
                           .contacts_stored = hdf_column_usable(&run->columns[COL_FC_FEATURE]),
                           .state = hdf_column_usable(&run->columns[COL_FRAME_STATE])};
    tables_present(run, limits.tables);
    uint64_t k = 0;
    while (k < rows && frame_counts(run, k, &limits)) {
        memcpy(run->table_rows, limits.table_end, sizeof run->table_rows);
        k++;
    }
    run->frame_rows = run->info.frames = (size_t)k;
}

static mo_status count_frames(mo_run *run, mo_error *err)
{
    const uint64_t n = run_usable_rows(run, USE_FRAME);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        const bool loaded = column_defs[i].use == USE_FRAME && hdf_column_is_there(&run->columns[i]);
        mo_status status = loaded ? run_load(run, (column_id)i, n, err) : MO_OK;
        if (status != MO_OK)
            return status;
    }
    if (run->info.is_path)
        run_count_checkpoints(run, n);
    else
        count_world_frames(run, n);
    return MO_OK;
}

/* ---- putting it together ------------------------------------------------------------------------ */

static mo_status read_series_names(mo_run *run, mo_error *err)
{
    const unsigned width = run->columns[COL_SERIES_VALUES].width;
    const unsigned least = run->info.is_path ? 0 : RUN_ENERGY_COLUMNS;
    const uint64_t names = run->columns[COL_SERIES_NAME_END].rows;
    if (width < least || names != width)
        return fail(err, MO_BAD_FILE, "/series/values",
                    "found %u columns and %llu names, expected as many, at least %u", width,
                    (unsigned long long)names, least);
    mo_status status =
        run_read_names(run, COL_SERIES_NAMES, COL_SERIES_NAME_END, width, &run->series_names, err);
    if (status == MO_OK)
        run->info.series_count = width;
    return status;
}

static mo_status read_observed_names(mo_run *run, mo_error *err)
{
    const unsigned width = run->columns[COL_FB_OBSERVED].width;
    const uint64_t names = run->columns[COL_OBSERVED_NAME_END].rows;
    if (names != width)
        return fail(err, MO_BAD_FILE, "/frame_bodies/observed", "found %u columns and %llu names", width,
                    (unsigned long long)names);
    if (width == 0)
        return MO_OK;
    mo_status status =
        run_read_names(run, COL_OBSERVED_NAMES, COL_OBSERVED_NAME_END, width, &run->observed_names, err);
    if (status == MO_OK)
        run->info.observed_count = width;
    return status;
}

static void fill_texts(mo_run *run, bool finished)
{
    mo_run_info *info = &run->info;
    info->kind = run->kind;
    info->version = run->version;
    info->scene_name = run->scene_name;
    info->scene_text = run->scene_text;
    info->params_json = run->params_json;
    info->scene_folder = run->scene_folder;
    info->solver = run->solver;
    info->status = finished ? run->status : "unfinished";
    info->report_json = finished ? run->report_json : "{}";
    info->plots_json = finished && run->plots_json[0] != '\0' ? run->plots_json : "[]";
    info->series = (const char *const *)run->series_names;
    info->groups = (const char *const *)run->group_names;
    info->observed = (const char *const *)run->observed_names;
}

static mo_status read_world(mo_run *run, bool finished, mo_error *err)
{
    mo_run_info *info = &run->info;
    mo_status status = run_read_groups(run, err);
    if (status == MO_OK)
        status = run_read_bodies(run, err);
    if (status == MO_OK)
        status = run_read_laws(run, err);
    if (status == MO_OK)
        status = read_observed_names(run, err);
    if (status != MO_OK)
        return status;
    // rows after the last frame belong to the run only when it was finished
    if (finished) {
        uint64_t present[4];
        tables_present(run, present);
        run->table_rows[ROWS_SERIES] = present[ROWS_SERIES];
        run->table_rows[ROWS_STEPS] = present[ROWS_STEPS];
    }
    info->series_rows = (size_t)run->table_rows[ROWS_SERIES];
    info->step_rows = (size_t)run->table_rows[ROWS_STEPS];
    info->body_count = (size_t)run->table_rows[ROWS_BODIES];
    info->group_count = (size_t)run->table_rows[ROWS_GROUPS];
    if (info->frames > 0) {
        info->time = ((const double *)run->data[COL_FRAME_T])[info->frames - 1];
        info->steps = ((const int64_t *)run->data[COL_FRAME_STEP])[info->frames - 1];
    }
    return run_read_joints(run, err);
}

static mo_status read_all(mo_run *run, mo_error *err)
{
    bool finished = false;
    mo_status status = hdf_open_read(run->path, &run->state, &run->file, err);
    if (status == MO_OK)
        status = read_attributes(run, err);
    if (status == MO_OK)
        status = read_mark(run, &finished, err);
    if (status == MO_OK)
        status = open_columns(run, err);
    if (status == MO_OK && finished)
        status = read_end(run, err);
    if (status == MO_OK)
        status = read_texts(run, err);
    if (status == MO_OK)
        status = read_series_names(run, err);
    if (status == MO_OK)
        status = count_frames(run, err);
    if (status == MO_OK)
        status = run->info.is_path ? run_read_path(run, finished, err) : read_world(run, finished, err);
    if (status == MO_OK)
        fill_texts(run, finished);
    return status;
}

mo_status mo_run_open(const char *path, mo_run **out, mo_error *err)
{
    assert(path != NULL && out != NULL);
    mo_run *run = calloc(1, sizeof *run);
    if (run != NULL)
        run->path = strdup(path);
    if (run == NULL || run->path == NULL) {
        free(run);
        return fail(err, MO_NO_MEMORY, NULL, "no memory to open a run file");
    }
    run->file = -1;
    for (int i = 0; i < COLUMN_COUNT; i++)
        run->columns[i].dataset = -1;
    quiet q = quiet_begin();
    mo_status status = read_all(run, err);
    quiet_end(q);
    if (status != MO_OK) {
        fail_at(err, path, 0);
        mo_run_close(run);
        return status;
    }
    *out = run;
    return MO_OK;
}

void mo_run_close(mo_run *run)
{
    if (run == NULL)
        return;
    quiet q = quiet_begin();
    for (int i = 0; i < COLUMN_COUNT; i++)
        hdf_column_close(&run->columns[i]);
    disk_end(run->file, &run->state);
    quiet_end(q);
    for (int i = 0; i < COLUMN_COUNT; i++)
        free(run->data[i]);
    names_free(run->series_names, run->columns[COL_SERIES_VALUES].width);
    names_free(run->group_names, (size_t)run->table_rows[ROWS_GROUPS]);
    names_free(run->observed_names, run->columns[COL_FB_OBSERVED].width);
    char *const texts[] = {run->kind,        run->version, run->scene_name, run->scene_text,
                           run->params_json, run->solver,  run->status,     run->report_json,
                           run->body_names,  run->path,    run->plots_json, run->checkpoint_text,
                           run->scene_folder};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    free(run->laws);
    free(run->joints);
    free(run->bodies);
    free(run->parts);
    free(run->hold_first);
    free(run->gap_first);
    free(run->gaps);
    free(run->outline_first);
    free(run->event_type);
    free(run->checkpoint_state);
    free(run);
}

const mo_run_info *mo_run_info_get(const mo_run *run)
{
    return &run->info;
}
