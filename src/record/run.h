/* An open run file; shared by the reader's files. */
#ifndef RECORD_RUN_H
#define RECORD_RUN_H

#include "record/hdf.h"

#include <moreau/record.h>

/* How far the square of a unit quaternion's length may be from 1. */
#define TURN_TOLERANCE 1e-9

struct mo_run {
    char *path;
    disk state;
    hid_t file;
    hdf_column columns[COLUMN_COUNT];
    mo_run_info info;
    run_shape shape;
    char *kind, *version, *scene_name, *scene_text, *scene_folder, *params_json, *solver, *status,
        *report_json, *plots_json;
    char **series_names, **group_names, **observed_names;
    mo_law *laws;         /* [info.law_count] */
    mo_run_joint *joints; /* [info.joint_count] */
    uint64_t gone_rows;   /* of /joints/gone, up to the last frame */
    /* columns read at the opening, by column; NULL: not read */
    void *data[COLUMN_COUNT];
    size_t frame_rows;               /* complete rows of /frames: frames of a world, checkpoints of a path */
    uint64_t table_rows[4];          /* rows of the tables that the frames vouch for, by ROWS_ */
    uint64_t path_rows[PATH_TABLES]; /* likewise for paths; all there are when the run was finished */
    /* paths: made from the columns when they are asked for */
    size_t *hold_first, *gap_first, *gaps, *outline_first;
    const char **event_type;
    char *checkpoint_text;
    void *checkpoint_state;
    mo_body_raw *bodies;
    mo_part *parts;
    char *body_names; /* one after the other, each ending in 0 */
};

/* Reads rows [0, rows) of a column into run->data, once; a NULL stands for nothing read. */
mo_status run_load(mo_run *run, column_id column, uint64_t rows, mo_error *err);
/* Rows [first, first + count) in memory of the caller's (freed by him); at least one byte longer, zero. */
mo_status run_read(mo_run *run, column_id column, uint64_t first, uint64_t count, void *out_pointer,
                   mo_error *err);

static inline const uint64_t *run_u64(const mo_run *run, column_id column)
{
    return run->data[column];
}

/* Rows that belong to the run up to its last frame or checkpoint. */
uint64_t run_rows(const mo_run *run, column_id column);

/* open.c: rows of all columns of a use that are in the file, not only claimed; 0 when there is none. */
uint64_t run_usable_rows(const mo_run *run, column_use use);
/* [first, first + count) lies within `rows` and after what came before, of which *end is moved on. */
bool range_follows(uint64_t first, uint64_t count, uint64_t rows, uint64_t *end);

/* path_open.c: attributes of paths, which checkpoints count, what is checked at the opening. */
mo_status run_read_shape(mo_run *run, mo_error *err);
void run_count_checkpoints(mo_run *run, uint64_t rows);
mo_status run_read_path(mo_run *run, bool finished, mo_error *err);

/* path_read.c: MO_USAGE for a path that has no picture in the plane or in space. */
mo_status run_need_picture(const mo_run *run, const char *format, mo_error *err);

/* ends must rise and stay within the rows they count */
mo_status check_ends(const uint64_t *ends, uint64_t count, uint64_t rows, const char *key, mo_error *err);

/* bodies.c: groups and bodies from the tables, every value checked. */
mo_status run_read_groups(mo_run *run, mo_error *err);
mo_status run_read_bodies(mo_run *run, mo_error *err);
/* laws.c: the table of laws. */
mo_status run_read_laws(mo_run *run, mo_error *err);
/* joints.c: the table of joints, once the bodies are read. */
mo_status run_read_joints(mo_run *run, mo_error *err);
/* Names from a blob and their ends; *out has `count` of them, freed with names_free. */
mo_status run_read_names(mo_run *run, column_id blob, column_id ends, uint64_t count, char ***out,
                         mo_error *err);
void names_free(char **names, size_t count);

#endif
