/*
 * The table of joints: a row for every joint that some frame has, with the first such frame, and for those
 * that go a row that says from which frame on they are not there.  Both only grow, in the order of frames.
 */
#include "record/recorder.h"
#include "record/run.h"

#include "core/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a joint of the last frame and its row in the file */
typedef struct kept_joint {
    mo_joint_raw raw;
    uint64_t row;
} kept_joint;

static bool same_joint(const mo_joint_raw *a, const mo_joint_raw *b)
{
    return a->id == b->id && a->kind == b->kind && a->body[0] == b->body[0] && a->body[1] == b->body[1] &&
           memcmp(a->anchor, b->anchor, sizeof a->anchor) == 0 &&
           memcmp(a->axis, b->axis, sizeof a->axis) == 0;
}

/* ---- writing ------------------------------------------------------------------------------------ */

static bool put_row(mo_recorder *rec, const mo_joint_raw *raw)
{
    const uint8_t kind = (uint8_t)raw->kind;
    const uint64_t frame = recorder_frames(rec);
    const rows_part parts[] = {{COL_JOINT_ID, 1, &raw->id},
                               {COL_JOINT_KIND, 1, &kind},
                               {COL_JOINT_BODIES, 1, raw->body},
                               {COL_JOINT_ANCHOR1, 1, raw->anchor[0]},
                               {COL_JOINT_ANCHOR2, 1, raw->anchor[1]},
                               {COL_JOINT_AXIS, 1, raw->axis},
                               {COL_JOINT_FIRST, 1, &frame}};
    rec->joint_rows++;
    return rows_keep(rec, parts, sizeof parts / sizeof *parts, NULL) == MO_OK;
}

static bool put_gone(mo_recorder *rec, const kept_joint *old)
{
    const uint64_t gone[2] = {[GONE_ROW] = old->row, [GONE_FRAME] = recorder_frames(rec)};
    const rows_part part = {COL_JOINT_GONE, 1, gone};
    return rows_keep(rec, &part, 1, NULL) == MO_OK;
}

/* the joint at a place of the world: its row, made now if none of the frame before is the same.  Those before
 *old are done with. */
static bool keep_joint(mo_recorder *rec, const mo_world *world, size_t place, size_t *old, kept_joint *out)
{
    mo_joint_raw_get(world, place, &out->raw);
    for (; *old < rec->joint_count && rec->joints[*old].raw.id <= out->raw.id; ++*old) {
        const kept_joint *kept = &rec->joints[*old];
        if (same_joint(&kept->raw, &out->raw)) {
            out->row = kept->row;
            ++*old;
            return true;
        }
        if (!put_gone(rec, kept))
            return false;
    }
    out->row = rec->joint_rows;
    return put_row(rec, &out->raw);
}

bool joints_record(mo_recorder *rec, const mo_world *world)
{
    const size_t count = mo_world_joint_count(world);
    if (!column_is_in(COL_JOINT_ID, &rec->shape) || (count == 0 && rec->joint_count == 0))
        return true;
    kept_joint *now = calloc(count + 1, sizeof *now);
    bool ok = now != NULL;
    size_t old = 0;
    for (size_t k = 0; k < count && ok; k++)
        ok = keep_joint(rec, world, k, &old, &now[k]);
    for (; old < rec->joint_count && ok; old++)
        ok = put_gone(rec, &rec->joints[old]);
    if (!ok) {
        free(now);
        return false;
    }
    free(rec->joints);
    rec->joints = now;
    rec->joint_count = count;
    return true;
}

static int by_id(const void *a, const void *b)
{
    const uint32_t one = ((const kept_joint *)a)->raw.id, two = ((const kept_joint *)b)->raw.id;
    return one < two ? -1 : one > two;
}

bool joints_go_on(mo_recorder *rec, const mo_run *run)
{
    rec->joints = calloc(run->info.joint_count + 1, sizeof *rec->joints);
    if (rec->joints == NULL)
        return false;
    rec->joint_rows = run->info.joint_count;
    for (size_t i = 0; i < run->info.joint_count; i++)
        if (run->joints[i].until == SIZE_MAX)
            rec->joints[rec->joint_count++] = (kept_joint){run->joints[i].joint, i};
    qsort(rec->joints, rec->joint_count, sizeof *rec->joints, by_id);
    return true;
}

/* ---- reading ------------------------------------------------------------------------------------ */

static const column_id joint_columns[] = {COL_JOINT_ID,      COL_JOINT_KIND,    COL_JOINT_BODIES,
                                          COL_JOINT_ANCHOR1, COL_JOINT_ANCHOR2, COL_JOINT_AXIS,
                                          COL_JOINT_FIRST};
enum { JOINT_COLUMNS = sizeof joint_columns / sizeof *joint_columns };

/* rows that all columns have, read */
static mo_status load_columns(mo_run *run, uint64_t *rows, mo_error *err)
{
    *rows = UINT64_MAX;
    for (int i = 0; i < JOINT_COLUMNS; i++) {
        const hdf_column *c = &run->columns[joint_columns[i]];
        const uint64_t usable = hdf_column_is_there(c) ? hdf_column_usable(c) : 0;
        *rows = usable < *rows ? usable : *rows;
    }
    mo_status status = MO_OK;
    for (int i = 0; i<JOINT_COLUMNS && * rows> 0 && status == MO_OK; i++)
        status = run_load(run, joint_columns[i], *rows, err);
    return status;
}

static mo_status get_numbers(const mo_run *run, column_id column, size_t row, double out[3], mo_error *err)
{
    const size_t dim = (size_t)run->info.dim;
    memcpy(out, (const double *)run->data[column] + dim * row, dim * sizeof *out);
    for (size_t k = 0; k < dim; k++)
        if (!isfinite(out[k]))
            return fail(err, MO_BAD_FILE, column_defs[column].path, "found %g in row %zu, expected numbers",
                        out[k], row);
    return MO_OK;
}

static mo_status check_bodies(const mo_run *run, const mo_joint_raw *joint, size_t row, mo_error *err)
{
    for (int side = 0; side < 2; side++)
        if ((side == 0 || joint->body[side] != 0) && mo_run_body_row(run, joint->body[side]) == SIZE_MAX)
            return fail(err, MO_BAD_FILE, "/joints/bodies",
                        "found %u in row %zu, expected an id from /bodies", joint->body[side], row);
    return MO_OK;
}

static mo_status read_joint(mo_run *run, size_t row, mo_error *err)
{
    const uint8_t kind = ((const uint8_t *)run->data[COL_JOINT_KIND])[row];
    mo_run_joint *out = &run->joints[row];
    if (kind > MO_JOINT_SPRING)
        return fail(err, MO_BAD_FILE, "/joints/kind", "found %u in row %zu, expected at most %d", kind, row,
                    MO_JOINT_SPRING);
    *out = (mo_run_joint){
        .joint = {.id = ((const uint32_t *)run->data[COL_JOINT_ID])[row], .kind = (mo_joint_kind)kind},
        .from = (size_t)run_u64(run, COL_JOINT_FIRST)[row],
        .until = SIZE_MAX};
    memcpy(out->joint.body, (const uint32_t *)run->data[COL_JOINT_BODIES] + 2 * row, sizeof out->joint.body);
    mo_status status = check_bodies(run, &out->joint, row, err);
    if (status == MO_OK)
        status = get_numbers(run, COL_JOINT_ANCHOR1, row, out->joint.anchor[0], err);
    if (status == MO_OK)
        status = get_numbers(run, COL_JOINT_ANCHOR2, row, out->joint.anchor[1], err);
    return status == MO_OK ? get_numbers(run, COL_JOINT_AXIS, row, out->joint.axis, err) : status;
}

/* those that went before the last frame */
static mo_status read_gone(mo_run *run, mo_error *err)
{
    const hdf_column *c = &run->columns[COL_JOINT_GONE];
    const uint64_t rows = hdf_column_is_there(c) ? hdf_column_usable(c) : 0;
    mo_status status = rows > 0 ? run_load(run, COL_JOINT_GONE, rows, err) : MO_OK;
    const uint64_t *gone = status == MO_OK ? run_u64(run, COL_JOINT_GONE) : NULL;
    for (; gone != NULL && run->gone_rows < rows; run->gone_rows++, gone += 2) {
        if (gone[GONE_FRAME] >= run->info.frames)
            break;
        mo_run_joint *joint = gone[GONE_ROW] < run->info.joint_count ? &run->joints[gone[GONE_ROW]] : NULL;
        if (joint == NULL || joint->until != SIZE_MAX || gone[GONE_FRAME] <= joint->from)
            return fail(err, MO_BAD_FILE, "/joints/gone",
                        "row %llu ends joint %llu at frame %llu, expected one that is there before",
                        (unsigned long long)run->gone_rows, (unsigned long long)gone[GONE_ROW],
                        (unsigned long long)gone[GONE_FRAME]);
        joint->until = (size_t)gone[GONE_FRAME];
    }
    return status;
}

mo_status run_read_joints(mo_run *run, mo_error *err)
{
    uint64_t rows = 0;
    mo_status status = load_columns(run, &rows, err);
    if (status != MO_OK)
        return status;
    // what came after the last frame does not count
    const uint64_t *first = run_u64(run, COL_JOINT_FIRST);
    size_t count = 0;
    while (count < rows && first[count] < run->info.frames)
        count++;
    run->joints = calloc(count + 1, sizeof *run->joints);
    if (run->joints == NULL)
        return fail(err, MO_NO_MEMORY, "/joints", "no memory for %zu joints", count);
    for (size_t i = 0; i < count && status == MO_OK; i++)
        status = read_joint(run, i, err);
    run->info.joint_count = count;
    return status == MO_OK ? read_gone(run, err) : status;
}

const mo_run_joint *mo_run_joints(const mo_run *run)
{
    return run->joints;
}
