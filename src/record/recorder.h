/* The recorder, how its file is made and how rows get into it; shared by creating, resuming and writing. */
#ifndef RECORD_RECORDER_H
#define RECORD_RECORDER_H

#include "record/disk.h"
#include "record/hdf.h"
#include "record/writer.h"

#include <moreau/record.h>

/* Rows of a column that wait for the next frame or checkpoint. */
typedef struct kept_rows {
    char *data;
    size_t bytes, capacity;
} kept_rows;

struct mo_recorder {
    char *path;
    hid_t file;
    disk state;
    hdf_column columns[COLUMN_COUNT]; /* once there is a writer, its rows and calls are the writer's */
    uint64_t rows[COLUMN_COUNT];      /* of every column, those in jobs included */
    writer queue;
    file_job *job; /* being filled, or NULL */
    run_shape shape;
    uint32_t last_id; /* worlds: largest id in the body table */
    struct kept_law
        *laws; /* [law_count] laws by their number in the world, and where they stand in the file */
    size_t law_count;
    double *law_table; /* [law_rows][LAW_COLUMNS] the rows of /laws */
    size_t law_rows, law_room;
    struct kept_joint *joints; /* [joint_count] those of the last frame, by rising id */
    size_t joint_count;
    uint64_t joint_rows; /* of /joints */
    bool broken, finished, has_plots;
    kept_rows kept[COLUMN_COUNT];
    size_t kept_bytes;
    /* paths */
    size_t disc_count, wall_count;
    uint64_t hold_end, gap_end; /* rows of /holds and /events/gaps, those in memory included */
    double last_t;              /* s, of the last row */
    double begun, last;         /* s, clock at the start and at the last checkpoint */
};

/* What a new file says about its run besides mo_recorder_def. */
typedef struct run_head {
    run_shape shape;
    const char *kind, *solver;
    int dim;
    double h;
    const mo_world_def *world; /* NULL: the run of a point */
    const mo_path_def *path;   /* NULL: a world */
} run_head;

run_head world_head(const mo_recorder_def *def, const mo_world *world);
/* MO_BAD_INPUT when the definition makes no sense. */
mo_status path_head(const mo_recorder_def *def, const mo_path_def *path, run_head *out, mo_error *err);

/* Frames, or rows of a path, those in jobs included. */
uint64_t recorder_frames(const mo_recorder *rec);

/* How a column is stored in a new file. */
typedef struct column_storage {
    uint64_t chunk_rows;
    bool compress;
} column_storage;

/* body_count: of a world at its start. */
void choose_storage(const run_shape *run, size_t body_count, column_storage storage[COLUMN_COUNT]);

/*
 * A new file: made under a temporary name, filled by `fill` (may be NULL) while nobody can see it, opened for
 * readers and then given its name.  On failure nothing is left and what had the name before is still there.
 */
typedef mo_status (*recorder_fill)(mo_recorder *rec, void *data, mo_error *err);
mo_status recorder_make(const char *path, const mo_recorder_def *def, const run_head *head,
                        const column_storage storage[COLUMN_COUNT], recorder_fill fill, void *data,
                        mo_recorder **out, mo_error *err);

/* Fills err with why the last write failed and marks the recorder broken. */
mo_status recorder_broken(mo_recorder *rec, mo_error *err);
/* MO_OK, or says that a write has failed and nothing more can be recorded. */
mo_status recorder_check(mo_recorder *rec, mo_error *err);
/* The same, and MO_USAGE when the recording is finished or none of these kinds: IN_WORLD, IN_PATH, IN_ALL. */
mo_status recorder_ready(mo_recorder *rec, unsigned kind, mo_error *err);
mo_status recorder_no_memory(mo_error *err);

/* Names of the series of worlds: the energies, then the observed ones. */
extern const char *const run_energy_names[RUN_ENERGY_COLUMNS];
/* Columns of the series before the observed ones. */
unsigned energy_columns(const run_shape *run);

/* ---- rows ------------------------------------------------------------------------------------ */

/* Rows for one column; data NULL only where count is 0 or the column is not in the file. */
typedef struct rows_part {
    column_id column;
    uint64_t count;
    const void *data;
} rows_part;

/* Keeps rows in memory, all parts or, without memory, none. */
mo_status rows_keep(mo_recorder *rec, const rows_part *parts, size_t count, mo_error *err);
/* Takes a job to fill; waits until one is free. */
void recorder_begin_job(mo_recorder *rec);
/* Hands it over if it could be filled (filled == MO_OK), otherwise drops it; the status of filling, or of a
   write that failed so far. */
mo_status recorder_end_job(mo_recorder *rec, mo_status filled, mo_error *err);
/* What follows adds to the job.  false: no memory. */
/* All that is kept. */
bool rows_append_kept(mo_recorder *rec);
/* Rows after those that the column has; nothing where the column is not in the file. */
bool rows_append(mo_recorder *rec, column_id column, uint64_t count, const void *data);
bool rows_append_parts(mo_recorder *rec, const rows_part *parts, size_t count);
/* Rows from `first` on, which is at or after the end of the column; data NULL: zeros that take no space. */
bool rows_put(mo_recorder *rec, column_id column, uint64_t first, uint64_t count, const void *data);
/* Numbers that nobody knows, NaN, [count] at least one; NULL: no memory.  Freed by the caller. */
double *numbers_unknown(size_t count);
/* 0, 1, 2, … as far as frames have points: the XDMF file takes its topology from here. */
bool rows_append_index(mo_recorder *rec, uint64_t points);
/* Does a job: the write_job of recorders. */
bool rows_write(void *recorder, const file_job *job);

/* Points of the polygon or of the frames that the XDMF file of a path shows; 0: it has none. */
uint64_t path_points(const run_shape *shape, uint64_t rows);

/* laws.c: adds the laws of the contacts to the table where they are new; for each contact 1 + the row of its
   law, freed by the caller.  NULL: no memory. */
uint32_t *laws_record(mo_recorder *rec, const mo_world *world);
/* laws.c: takes over the table of a run that is gone on with.  false: no memory. */
bool laws_go_on(mo_recorder *rec, const mo_run *run);

/* joints.c: keeps rows for joints that are new and for those that are gone.  false: no memory. */
bool joints_record(mo_recorder *rec, const mo_world *world);
/* joints.c: takes over those of the last frame of a run that is gone on with.  false: no memory. */
bool joints_go_on(mo_recorder *rec, const mo_run *run);

/* Writes the XDMF file beside the run, where the run can be shown by one. */
mo_status recorder_write_xdmf(const char *run_path, mo_error *err);

#endif
