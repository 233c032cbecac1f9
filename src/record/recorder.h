/* The recorder and how its file is made; shared by writing and resuming. */
#ifndef RECORD_RECORDER_H
#define RECORD_RECORDER_H

#include "record/disk.h"
#include "record/hdf.h"

#include <moreau/record.h>

struct mo_recorder {
    char *path;
    hid_t file, driver;
    disk state;
    hdf_column columns[COLUMN_COUNT];
    unsigned series_width; /* energies and observed columns */
    uint32_t last_id;      /* largest id in the body table */
    bool broken, finished;
    /* rows kept until the next frame */
    size_t step_count, step_capacity;
    int64_t *step;
    int32_t *step_contacts, *step_iterations;
    double *step_residual;
    size_t series_count, series_capacity;
    double *series_t, *series_values; /* [capacity], [capacity * series_width] */
};

/* How a column is stored in a new file. */
typedef struct column_storage {
    uint64_t chunk_rows;
    bool compress;
} column_storage;

/*
 * A new file: made under a temporary name, filled by `fill` (may be NULL) while nobody can see it, opened for
 * readers and then given its name.  On failure nothing is left and what had the name before is still there.
 */
typedef mo_status (*recorder_fill)(mo_recorder *rec, void *data, mo_error *err);
mo_status recorder_make(const char *path, const mo_recorder_def *def, const mo_world *world,
                        const column_storage storage[COLUMN_COUNT], recorder_fill fill, void *data,
                        mo_recorder **out, mo_error *err);

/* Fills err with why the last write failed and marks the recorder broken. */
mo_status recorder_broken(mo_recorder *rec, mo_error *err);

/* Names of the series: the energies, then the observed ones. */
extern const char *const run_energy_names[RUN_ENERGY_COLUMNS];

/* Writes the XDMF file beside the run. */
mo_status recorder_write_xdmf(const char *run_path, mo_error *err);

#endif
