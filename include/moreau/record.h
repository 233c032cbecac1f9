/*
 * Run files: HDF5, described in docs/format.md.  Readable while being written; after a kill
 * at any moment complete up to the last finished frame; enough in every frame to go on with
 * the same bits.
 */
#ifndef MOREAU_RECORD_H
#define MOREAU_RECORD_H

#include <moreau/base.h>
#include <moreau/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- writing ----------------------------------------------------------------------------- */

typedef struct mo_recorder mo_recorder;

typedef struct mo_recorder_def {
    const char *scene_name; /* file name without folder and ending, or the example's name */
    const char *scene_text;
    const char *params_json; /* object: parameter name -> value */
    uint64_t seed;
    double t_end;       /* s, asked for */
    double every;       /* s, between frames */
    const char *solver; /* name */
    const char *const
        *series; /* names of the observed columns after t; energies come first, see docs/format.md */
    size_t series_count;
} mo_recorder_def;

/* What a frame keeps besides the world, for a restart. */
typedef struct mo_frame_extra {
    uint64_t random[2];     /* state of the scene's random numbers */
    const char *state_text; /* the scene's global table `state`, serialised; may hold any bytes but 0 */
} mo_frame_extra;

/* Creates the file (an existing one is replaced only once the new one could be made). */
mo_status mo_recorder_create(const char *path, const mo_recorder_def *def, const mo_world *world,
                             mo_recorder **out, mo_error *err);
/* Opens an existing run for appending after its last complete frame; half-written rests are cut off.
   Refuses (MO_BAD_INPUT) when scene kind, dim, h or series differ from what def and world say. */
mo_status mo_recorder_resume(const char *path, const mo_recorder_def *def, const mo_world *world,
                             mo_recorder **out, mo_error *err);
/* Solver record of the last step; buffered until the next frame. */
mo_status mo_recorder_step(mo_recorder *rec, const mo_world *world, mo_error *err);
/* A row of the time series (series_count values); buffered until the next frame. */
mo_status mo_recorder_series(mo_recorder *rec, const mo_world *world, const double *values, mo_error *err);
/* A frame of the world as it is; on return it is in the file for good. */
mo_status mo_recorder_frame(mo_recorder *rec, const mo_world *world, const mo_frame_extra *extra,
                            mo_error *err);
/* How the run ended: status ("ok" or what went wrong) and what the scene reported, as a JSON object.  Also
   writes the XDMF file beside the run.  May be called once, before destroy. */
mo_status mo_recorder_finish(mo_recorder *rec, const char *status, const char *report_json, mo_error *err);
/* Closes the file and frees; NULL is fine. */
void mo_recorder_destroy(mo_recorder *rec);

/* ---- reading ----------------------------------------------------------------------------- */

typedef struct mo_run mo_run;

typedef struct mo_run_info {
    const char *kind;    /* "world" */
    const char *version; /* of the program that wrote it */
    const char *scene_name, *scene_text, *params_json, *solver;
    const char *status;      /* as finished, or "unfinished" */
    const char *report_json; /* "{}" when unfinished */
    uint64_t seed;
    int dim;
    double h, t_end, every, theta, contact_tolerance, gravity[2];
    size_t frames;       /* complete ones */
    double time;         /* s, of the last frame */
    int64_t steps;       /* of the last frame */
    size_t series_count; /* columns, without t; the first are the energies */
    const char *const *series;
    size_t series_rows;
    size_t body_count; /* rows of the body table: every body that was ever recorded */
    size_t group_count;
    const char *const *groups;
    size_t step_rows;
} mo_run_info;

/* MO_BAD_FILE for anything that is not a sound run file. */
mo_status mo_run_open(const char *path, mo_run **out, mo_error *err);
void mo_run_close(mo_run *run);
/* Strings and arrays live as long as the run. */
const mo_run_info *mo_run_info_get(const mo_run *run);

/* The body table, ordered by id.  raw[i] pointers live as long as the run. */
const mo_body_raw *mo_run_bodies(const mo_run *run);
/* Row of a body in the table, or SIZE_MAX. */
size_t mo_run_body_row(const mo_run *run, uint32_t id);

typedef struct mo_frame {
    double time;
    int64_t step;
    mo_world_totals totals;
    mo_energy energy;
    uint64_t random[2];
    char *state_text;
    size_t body_count;
    uint32_t *id;
    uint32_t *row;                /* in the body table */
    double *q, *u, *load, *force; /* [3 body_count] */
    size_t contact_count;
    uint32_t *id1, *id2;
    uint64_t *feature;
    double *point, *normal, *gap, *impulse, *velocity;
    uint8_t *status;
} mo_frame;

mo_status mo_run_frame(mo_run *run, size_t k, mo_frame *out, mo_error *err);
void mo_frame_free(mo_frame *frame);

/* Times of all frames, [frames]; lives as long as the run. */
const double *mo_run_times(const mo_run *run);

/* All series rows: t[rows] and values[rows * series_count]; live as long as the run. */
mo_status mo_run_series(mo_run *run, const double **t, const double **values, mo_error *err);

/* Solver record per step, [step_rows]; live as long as the run. */
typedef struct mo_run_steps {
    size_t count;
    const int64_t *step;
    const int32_t *contacts, *iterations;
    const double *residual;
} mo_run_steps;
mo_status mo_run_steps_get(mo_run *run, mo_run_steps *out, mo_error *err);

/* ---- export and comparison ----------------------------------------------------------------- */

typedef enum mo_export_what { MO_EXPORT_BODIES, MO_EXPORT_CONTACTS, MO_EXPORT_SERIES } mo_export_what;

/* Frames [first, first + count) as CSV to a path, "-" for standard output. */
mo_status mo_export_csv(mo_run *run, mo_export_what what, size_t first, size_t count, const char *path,
                        mo_error *err);
/* VTU files (one for bodies and one for contacts per frame) in the folder `path` with PVD collections. */
mo_status mo_export_vtk(mo_run *run, size_t first, size_t count, const char *path, mo_error *err);
/* An XDMF file that refers to the run file itself. */
mo_status mo_export_xdmf(mo_run *run, const char *path, mo_error *err);

typedef struct mo_comparison {
    size_t frames;                     /* at common times */
    size_t bodies;                     /* common ids in the last common frame */
    double max_position, rms_position; /* m, over common frames and bodies */
    double max_angle;                  /* rad */
    double max_velocity;               /* m/s */
    double final_max_position;
    double velocity_graph; /* Hausdorff distance between the completed graphs of the velocities, see
                              docs/format.md */
    bool identical;        /* same bits in every common frame, and the same frames */
} mo_comparison;

mo_status mo_run_compare(mo_run *a, mo_run *b, mo_comparison *out, mo_error *err);

#ifdef __cplusplus
}
#endif
#endif
