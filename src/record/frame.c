/* Frames, series and solver records of an open run. */
#include "record/run.h"

#include "core/fail.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const double *mo_run_times(const mo_run *run)
{
    return run->data[run->info.is_path ? COL_PATH_T : COL_FRAME_T];
}

/* the most points that a frame has */
static uint64_t most_points(const mo_run *run)
{
    uint64_t most = 0;
    for (size_t k = 0; k < run->info.frames; k++) {
        const uint64_t bodies = run_u64(run, COL_FRAME_BODY_COUNT)[k];
        const uint64_t contacts = run_u64(run, COL_FRAME_CONTACT_COUNT)[k];
        const uint64_t points = bodies > contacts ? bodies : contacts;
        most = points > most ? points : most;
    }
    return most;
}

/* end of the last complete frame's part of a column that frames share */
static uint64_t last_end(const mo_run *run, column_id first, column_id count)
{
    const size_t n = run->frame_rows;
    return n > 0 ? run_u64(run, first)[n - 1] + run_u64(run, count)[n - 1] : 0;
}

static uint64_t path_table_rows(const mo_run *run, int table)
{
    const size_t n = run->frame_rows;
    return n > 0 ? run_u64(run, COL_FRAME_PATH_ROWS)[PATH_TABLES * (n - 1) + (size_t)table] : 0;
}

uint64_t run_rows(const mo_run *run, column_id column)
{
    const size_t n = run->frame_rows, bodies = run->info.body_count;
    const column_use use = column_defs[column].use;
    if (use == USE_FRAME)
        return n;
    if (use == USE_BODIES)
        return last_end(run, COL_FRAME_BODY_FIRST, COL_FRAME_BODY_COUNT);
    if (use == USE_CONTACTS)
        return last_end(run, COL_FRAME_CONTACT_FIRST, COL_FRAME_CONTACT_COUNT);
    if (use >= USE_PATH)
        return path_table_rows(run, ROWS_PATH + (int)(use - USE_PATH));
    if (column == COL_FRAME_STATE)
        return last_end(run, COL_FRAME_STATE_FIRST, COL_FRAME_STATE_LENGTH);
    if (column == COL_FRAME_PROCESS)
        return last_end(run, COL_FRAME_PROCESS_FIRST, COL_FRAME_PROCESS_LENGTH);
    const bool series = column >= COL_SERIES_T && column <= COL_SERIES_VALUES;
    if (run->info.is_path)
        return series ? path_table_rows(run, ROWS_PATH_SERIES) : 0;
    const uint64_t *rows = n > 0 ? run_u64(run, COL_FRAME_ROWS) + 4 * (n - 1) : NULL;
    if (series)
        return rows != NULL ? rows[ROWS_SERIES] : 0;
    if (column >= COL_STEP_STEP && column <= COL_STEP_RESIDUAL)
        return rows != NULL ? rows[ROWS_STEPS] : 0;
    if (column == COL_POINT_INDEX)
        return most_points(run);
    if (column == COL_GROUP_NAME_END)
        return run->info.group_count;
    if (column == COL_GROUP_NAMES)
        return run->info.group_count > 0 ? run_u64(run, COL_GROUP_NAME_END)[run->info.group_count - 1] : 0;
    if (column == COL_BODY_NAMES)
        return bodies > 0 ? run_u64(run, COL_BODY_NAME_END)[bodies - 1] : 0;
    if (column >= COL_PART_KIND && column <= COL_PART_GEOMETRY)
        return bodies > 0 ? run_u64(run, COL_BODY_PART_END)[bodies - 1] : 0;
    if (column == COL_VERTICES)
        return bodies > 0 ? run_u64(run, COL_BODY_VERTEX_END)[bodies - 1] : 0;
    if (column == COL_FACES)
        return bodies > 0 ? run_u64(run, COL_BODY_FACE_END)[bodies - 1] : 0;
    if (column >= COL_BODY_ID && column <= COL_BODY_NAME_END)
        return bodies;
    if (column == COL_JOINT_GONE)
        return run->gone_rows;
    if (column_defs[column].runs == IN_JOINTS)
        return run->info.joint_count;
    return run->columns[column].rows;
}

/* ---- frames ------------------------------------------------------------------------------------ */

static void fill_cell(const mo_run *run, size_t k, mo_cell *out)
{
    if (run->data[COL_FRAME_CELL] == NULL)
        return;
    const double *row = (const double *)run->data[COL_FRAME_CELL] + CELL_COLUMNS * k;
    memcpy(out->origin, row + CELL_ORIGIN, sizeof out->origin);
    memcpy(out->edges, row + CELL_EDGES, sizeof out->edges);
    memcpy(out->rate, row + CELL_RATE, sizeof out->rate);
    for (int i = 0; i < 3; i++)
        out->periodic[i] = row[CELL_PERIODIC + i] == 1;
    const double *e = out->edges;
    out->volume = e[0] * (e[4] * e[8] - e[5] * e[7]) - e[1] * (e[3] * e[8] - e[5] * e[6]) +
                  e[2] * (e[3] * e[7] - e[4] * e[6]);
}

static void fill_frame_row(const mo_run *run, size_t k, mo_frame *f)
{
    const int64_t *counts = (const int64_t *)run->data[COL_FRAME_COUNTS] + 4 * k;
    const double *m = (const double *)run->data[COL_FRAME_MEASURES] + 8 * k;
    const double *e = (const double *)run->data[COL_FRAME_ENERGY] + RUN_ENERGY_COLUMNS * k;
    f->dim = run->info.dim;
    f->time = mo_run_times(run)[k];
    f->step = ((const int64_t *)run->data[COL_FRAME_STEP])[k];
    f->totals = (mo_world_totals){.steps = f->step,
                                  .iterations_total = counts[COUNT_ITERATIONS],
                                  .contact_iterations_total = counts[COUNT_CONTACT_ITERATIONS],
                                  .unconverged_steps = counts[COUNT_UNCONVERGED],
                                  .fast_bodies = counts[COUNT_FAST],
                                  .worst_residual = m[MEASURE_WORST_RESIDUAL],
                                  .max_penetration = m[MEASURE_MAX_PENETRATION],
                                  .start_overlap = m[MEASURE_START_OVERLAP],
                                  .energy_initial = m[MEASURE_ENERGY_INITIAL],
                                  .work_external = m[MEASURE_WORK_EXTERNAL],
                                  .dissipated_friction = m[MEASURE_DISSIPATED_FRICTION],
                                  .dissipated_impact = m[MEASURE_DISSIPATED_IMPACT],
                                  .penetration = m[MEASURE_PENETRATION]};
    f->energy = (mo_energy){e[0], e[1], e[2], e[3], e[4], e[5]};
    memcpy(f->random, run_u64(run, COL_FRAME_RANDOM) + 2 * k, sizeof f->random);
    f->body_count = (size_t)run_u64(run, COL_FRAME_BODY_COUNT)[k];
    f->contact_count = (size_t)run_u64(run, COL_FRAME_CONTACT_COUNT)[k];
    fill_cell(run, k, &f->cell);
}

/* counts that a run could reach and go on from */
static mo_status check_totals(const mo_world_totals *t, mo_error *err)
{
    const int64_t counts[] = {t->steps, t->iterations_total, t->contact_iterations_total,
                              t->unconverged_steps, t->fast_bodies};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i] < 0 || counts[i] > INT64_MAX / 2)
            return fail(err, MO_BAD_FILE, i == 0 ? "/frames/step" : "/frames/counts",
                        "found %lld, expected a number >= 0", (long long)counts[i]);
    return MO_OK;
}

/* rows of the body table; ids must rise and be in it */
static mo_status find_rows(const mo_run *run, mo_frame *f, mo_error *err)
{
    f->row = calloc(f->body_count + 1, sizeof *f->row);
    if (f->row == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a frame");
    for (size_t i = 0; i < f->body_count; i++) {
        const size_t row = mo_run_body_row(run, f->id[i]);
        if (row == SIZE_MAX || (i > 0 && f->id[i] <= f->id[i - 1]))
            return fail(err, MO_BAD_FILE, "/frame_bodies/id",
                        "found %u at body %zu, expected a rising id from /bodies", f->id[i], i);
        f->row[i] = (uint32_t)row;
    }
    return MO_OK;
}

/* turns are unit quaternions; those of a run that broke are not numbers */
static mo_status check_turns(const mo_frame *f, mo_error *err)
{
    for (size_t i = 0; i < f->body_count && f->dim == 3; i++) {
        const double *q = f->q + 7 * i + 3, square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        if (fabs(square - 1) > TURN_TOLERANCE)
            return fail(err, MO_BAD_FILE, "/frame_bodies/q",
                        "found an orientation of length %g at body %zu, expected 1", sqrt(square), i);
    }
    return MO_OK;
}

static mo_status check_contacts(const mo_run *run, const mo_frame *f, mo_error *err)
{
    for (size_t i = 0; i < f->contact_count; i++) {
        if (f->law != NULL && f->law[i] > run->info.law_count)
            return fail(err, MO_BAD_FILE, "/frame_contacts/law",
                        "found %u at contact %zu, expected at most %zu, the rows of /laws", f->law[i], i,
                        run->info.law_count);
        if (f->status[i] > MO_CONTACT_SLIDE)
            return fail(err, MO_BAD_FILE, "/frame_contacts/status",
                        "found %u at contact %zu, expected 0, 1 or 2", f->status[i], i);
        if (f->id1[i] == 0 || f->id2[i] == 0 || f->id1[i] == f->id2[i])
            return fail(err, MO_BAD_FILE, "/frame_contacts/id1", "found bodies %u and %u at contact %zu",
                        f->id1[i], f->id2[i], i);
    }
    return MO_OK;
}

static mo_status read_frame(mo_run *run, size_t k, mo_frame *f, mo_error *err)
{
    fill_frame_row(run, k, f);
    const uint64_t body = run_u64(run, COL_FRAME_BODY_FIRST)[k];
    const uint64_t contact = run_u64(run, COL_FRAME_CONTACT_FIRST)[k];
    const struct {
        column_id column;
        uint64_t first, count;
        void *out; /* pointer to the array's pointer */
    } parts[] = {{COL_FB_ID, body, f->body_count, &f->id},
                 {COL_FB_Q, body, f->body_count, &f->q},
                 {COL_FB_U, body, f->body_count, &f->u},
                 {COL_FB_LOAD, body, f->body_count, &f->load},
                 {COL_FB_FORCE, body, f->body_count, &f->force},
                 {COL_FB_RADIUS, body, f->body_count, &f->radius},
                 {COL_FB_REST, body, f->body_count, &f->rest},
                 {COL_FB_OBSERVED, body, f->body_count, &f->observed},
                 {COL_FC_ID1, contact, f->contact_count, &f->id1},
                 {COL_FC_ID2, contact, f->contact_count, &f->id2},
                 {COL_FC_FEATURE, contact, f->contact_count, &f->feature},
                 {COL_FC_POINT, contact, f->contact_count, &f->point},
                 {COL_FC_NORMAL, contact, f->contact_count, &f->normal},
                 {COL_FC_GAP, contact, f->contact_count, &f->gap},
                 {COL_FC_IMPULSE, contact, f->contact_count, &f->impulse},
                 {COL_FC_VELOCITY, contact, f->contact_count, &f->velocity},
                 {COL_FC_STATUS, contact, f->contact_count, &f->status},
                 {COL_FC_MEMORY, contact, f->contact_count, &f->memory},
                 {COL_FC_LAW, contact, f->contact_count, &f->law},
                 {COL_FRAME_STATE, run_u64(run, COL_FRAME_STATE_FIRST)[k],
                  run_u64(run, COL_FRAME_STATE_LENGTH)[k], &f->state_text}};
    mo_status status = check_totals(&f->totals, err);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == MO_OK; i++)
        if (hdf_column_is_there(&run->columns[parts[i].column]))
            status = run_read(run, parts[i].column, parts[i].first, parts[i].count, parts[i].out, err);
    if (status == MO_OK)
        status = find_rows(run, f, err);
    if (status == MO_OK)
        status = check_turns(f, err);
    if (status == MO_OK)
        status = check_contacts(run, f, err);
    return status;
}

mo_status mo_run_frame(mo_run *run, size_t k, mo_frame *out, mo_error *err)
{
    assert(run != NULL && out != NULL);
    if (run->info.is_path)
        return fail(err, MO_BAD_INPUT, "kind", "found the run of a %.60s, expected one of a world",
                    run->info.kind);
    if (k >= run->info.frames)
        return fail(err, MO_USAGE, "frame", "found %zu, expected less than %zu, the number of frames", k,
                    run->info.frames);
    mo_frame f;
    memset(&f, 0, sizeof f);
    quiet q = quiet_begin();
    mo_status status = read_frame(run, k, &f, err);
    quiet_end(q);
    if (status != MO_OK) {
        fail_at(err, run->path, 0);
        mo_frame_free(&f);
        return status;
    }
    *out = f;
    return MO_OK;
}

void mo_frame_free(mo_frame *frame)
{
    if (frame == NULL)
        return;
    void *const arrays[] = {frame->state_text, frame->id,     frame->row,    frame->q,       frame->u,
                            frame->load,       frame->force,  frame->id1,    frame->id2,     frame->feature,
                            frame->point,      frame->normal, frame->gap,    frame->impulse, frame->velocity,
                            frame->status,     frame->radius, frame->memory, frame->rest,    frame->law,
                            frame->observed};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    memset(frame, 0, sizeof *frame);
}

/* ---- rows over time ------------------------------------------------------------------------------ */

mo_status mo_run_series(mo_run *run, const double **t, const double **values, mo_error *err)
{
    assert(run != NULL && t != NULL && values != NULL);
    quiet q = quiet_begin();
    mo_status status = run_load(run, COL_SERIES_T, run->info.series_rows, err);
    if (status == MO_OK)
        status = run_load(run, COL_SERIES_VALUES, run->info.series_rows, err);
    quiet_end(q);
    if (status != MO_OK) {
        fail_at(err, run->path, 0);
        return status;
    }
    *t = run->data[COL_SERIES_T];
    *values = run->data[COL_SERIES_VALUES];
    return MO_OK;
}

mo_status mo_run_steps_get(mo_run *run, mo_run_steps *out, mo_error *err)
{
    assert(run != NULL && out != NULL);
    static const column_id columns[] = {COL_STEP_STEP, COL_STEP_CONTACTS, COL_STEP_ITERATIONS,
                                        COL_STEP_RESIDUAL};
    mo_status status = MO_OK;
    quiet q = quiet_begin();
    for (size_t i = 0; i < 4 && status == MO_OK; i++)
        status = run_load(run, columns[i], run->info.step_rows, err);
    quiet_end(q);
    if (status != MO_OK) {
        fail_at(err, run->path, 0);
        return status;
    }
    *out = (mo_run_steps){.count = run->info.step_rows,
                          .step = run->data[COL_STEP_STEP],
                          .contacts = run->data[COL_STEP_CONTACTS],
                          .iterations = run->data[COL_STEP_ITERATIONS],
                          .residual = run->data[COL_STEP_RESIDUAL]};
    return MO_OK;
}
