/* An open run file; shared by the reader's files. */
#ifndef RECORD_RUN_H
#define RECORD_RUN_H

#include "record/hdf.h"

#include <moreau/record.h>

struct mo_run {
    char *path;
    hid_t file;
    hdf_column columns[COLUMN_COUNT];
    mo_run_info info;
    char *kind, *version, *scene_name, *scene_text, *params_json, *solver, *status, *report_json;
    char **series_names, **group_names;
    /* columns read at the opening, by column; NULL: not read */
    void *data[COLUMN_COUNT];
    uint64_t table_rows[4]; /* rows of the tables that the frames vouch for, by ROWS_ */
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

/* Rows that belong to the run up to its last frame. */
uint64_t run_rows(const mo_run *run, column_id column);

/* bodies.c: groups and bodies from the tables, every value checked. */
mo_status run_read_groups(mo_run *run, mo_error *err);
mo_status run_read_bodies(mo_run *run, mo_error *err);
/* Names from a blob and their ends; *out has `count` of them, freed with names_free. */
mo_status run_read_names(mo_run *run, column_id blob, column_id ends, uint64_t count, char ***out,
                         mo_error *err);
void names_free(char **names, size_t count);

#endif
