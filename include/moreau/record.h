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
    const char *scene_folder; /* absolute, where files named in the scene are looked for; NULL: not known */
    const char *params_json;  /* object: parameter name -> value */
    uint64_t seed;
    double t_end;       /* s, asked for */
    double every;       /* s, between frames */
    const char *solver; /* name */
    const char *const
        *series; /* names of the observed columns after t; energies come first, see docs/format.md */
    size_t series_count;
    const char *const *observed; /* worlds: names of the columns of bodies, see mo_frame_extra */
    size_t observed_count;
    bool joints;     /* worlds: there is room for joints although there are none yet */
    bool background; /* a thread of the recorder's writes the file: see mo_recorder_frame */
} mo_recorder_def;

/* What a frame keeps besides the world, for a restart. */
typedef struct mo_frame_extra {
    uint64_t random[2];     /* state of the scene's random numbers */
    const char *state_text; /* the scene's global table `state`, serialised; may hold any bytes but 0 */
    /* worlds: numbers of the bodies in the order of mo_bodies, [observed_count bodies], a body's beside each
       other; NaN: it has none.  NULL where there are no such columns. */
    const double *observed;
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
/* A frame of the world as it is; on return it is in the file for good.
   In the background: on return it is copied, and on its way.  At most two frames or checkpoints are: a third
   waits.  What the file holds is the same.  A write that fails is reported by a later call, at the latest by
   finish or wait; the frames before it are in the file.  Where the system gives no thread, all is as without.
   A program that itself calls HDF5 meanwhile needs an HDF5 that is built for threads. */
mo_status mo_recorder_frame(mo_recorder *rec, const mo_world *world, const mo_frame_extra *extra,
                            mo_error *err);
/* Returns when all frames so far are in the file for good, or one could not be written. */
mo_status mo_recorder_wait(mo_recorder *rec, mo_error *err);
/* How many frames, or rows of a path, are in the file for good at this moment. */
size_t mo_recorder_frames(mo_recorder *rec);
/* How the run ended: status ("ok" or what went wrong) and what the scene reported, as a JSON object.  Also
   writes the XDMF file beside the run.  MO_BAD_INPUT: the report is no such object, and the run goes on.
   Whatever would be recorded after the end, a second end too, is refused with MO_USAGE; the file stays as it
   is. */
mo_status mo_recorder_finish(mo_recorder *rec, const char *status, const char *report_json, mo_error *err);
/* Plots that the scene asked for, a JSON array as plot{} of scenes makes it (docs/format.md).  At most once,
   before finish; a second call is refused with MO_USAGE. */
mo_status mo_recorder_plots(mo_recorder *rec, const char *plots_json, mo_error *err);
/* Writes what is on its way, closes the file and frees; NULL is fine. */
void mo_recorder_destroy(mo_recorder *rec);

/* ---- writing the run of a point: sweeps and systems ------------------------------------------ */

/* A point x(t) of R^n with multipliers, row by row.  Rows, series, events are kept in memory until the next
   checkpoint, from which a killed run can go on. */
typedef struct mo_path_def {
    const char *kind;   /* "sweep" or "system" */
    const char *method; /* "catching-up", ... */
    double h;           /* s */
    size_t coordinates; /* n */
    bool velocities;    /* rows have u: systems */
    size_t multipliers; /* m */
    /* discs in the plane, x = (x_1, y_1, x_2, ...), for pictures; else 0 */
    size_t disc_count, wall_count;
    const double *radius, *walls; /* [disc_count]; [4 wall_count] segments x1 y1 x2 y2 */
} mo_path_def;

typedef struct mo_path_row {
    double t;
    int64_t step;
    const double *x, *u, *lambda; /* [n], [n] or NULL, [m] */
    const double *gap;            /* [m], systems; NULL: not known */
    size_t hold_count;            /* discs: what touches what; else 0 */
    const uint32_t *hold_pair;    /* [2 hold_count]; second = disc_count + wall */
    const double *hold_lambda;
} mo_path_row;

typedef struct mo_path_event {
    double t, size;
    const char *type;
    size_t gap_count;
    const size_t *gaps; /* from 0 */
} mo_path_event;

/* What a killed run goes on from. */
typedef struct mo_checkpoint {
    double t;
    int64_t step;
    const void *state; /* of the process */
    size_t state_size;
    mo_frame_extra extra;
} mo_checkpoint;

mo_status mo_recorder_create_path(const char *path, const mo_recorder_def *def, const mo_path_def *path_def,
                                  mo_recorder **out, mo_error *err);
/* As mo_recorder_resume: rows, series and events after the last checkpoint are cut off. */
mo_status mo_recorder_resume_path(const char *path, const mo_recorder_def *def, const mo_path_def *path_def,
                                  mo_recorder **out, mo_error *err);
mo_status mo_recorder_path_row(mo_recorder *rec, const mo_path_row *row, mo_error *err);
mo_status mo_recorder_path_series(mo_recorder *rec, double t, const double *values, mo_error *err);
mo_status mo_recorder_path_event(mo_recorder *rec, const mo_path_event *event, mo_error *err);
/* Whether enough is kept in memory, or long enough, for a checkpoint: some megabytes, half a second, in a
   long run a hundredth of its time so far. */
bool mo_recorder_checkpoint_due(const mo_recorder *rec);
/* Writes all that is kept; on return it is in the file for good, in the background on its way like a frame.
 */
mo_status mo_recorder_checkpoint(mo_recorder *rec, const mo_checkpoint *checkpoint, mo_error *err);
/* A line of the border of the set, for pictures: points [2 count] in the plane of (t, x1) for n = 1, of (x1,
   x2) for n = 2 at time t.  Written at once. */
mo_status mo_recorder_outline(mo_recorder *rec, double t, const double *points, size_t count, mo_error *err);

/* ---- reading ----------------------------------------------------------------------------- */

typedef struct mo_run mo_run;

typedef struct mo_run_info {
    const char *kind;    /* "world", "sweep" or "system" */
    const char *version; /* of the program that wrote it */
    const char *scene_name, *scene_text, *params_json, *solver;
    const char *scene_folder; /* absolute; "": not known */
    const char *status;       /* as finished, or "unfinished" */
    const char *report_json;  /* "{}" when unfinished */
    const char *plots_json;   /* "[]" when there are none */
    bool is_path;             /* a sweep or system: frames are rows of the path, solver is its method, dim is
                                 min(n, 3) */
    size_t coordinates, multipliers, events;
    bool velocities;
    uint64_t seed;
    int dim;
    double h, t_end, every, theta, contact_tolerance, gravity[3]; /* gravity: [dim] */
    size_t frames;                                                /* complete ones */
    double time;                                                  /* s, of the last frame */
    int64_t steps;                                                /* of the last frame */
    size_t series_count; /* columns, without t; the first are the energies */
    const char *const *series;
    size_t series_rows;
    size_t body_count; /* rows of the body table: every body that was ever recorded */
    size_t group_count;
    const char *const *groups;
    size_t step_rows;
    size_t observed_count; /* columns of bodies */
    const char *const *observed;
    size_t law_count;   /* rows of the table of laws */
    size_t joint_count; /* rows of the table of joints: every joint that a frame had */
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

/* Laws that contacts of the run had, [law_count]; lives as long as the run.  The name is "" for a registered
   law, whose name is not kept. */
const mo_law *mo_run_laws(const mo_run *run);

/* A joint of the run and the frames [from, until) that have it. */
typedef struct mo_run_joint {
    mo_joint_raw joint;
    size_t from, until; /* until SIZE_MAX: to the end */
} mo_run_joint;
/* [joint_count], in the order in which they came; lives as long as the run. */
const mo_run_joint *mo_run_joints(const mo_run *run);

typedef struct mo_frame {
    double time;
    int64_t step;
    mo_world_totals totals;
    mo_energy energy;
    uint64_t random[2];
    char *state_text;
    size_t body_count;
    uint32_t *id;
    uint32_t *row; /* in the body table */
    int dim;
    double *q, *u;        /* as in mo_bodies: [3 body_count] each, or [7 body_count] and [6 body_count] */
    double *load, *force; /* as in mo_restart: [3 body_count] or [6 body_count] */
    double *radius;       /* [body_count] m, of the farthest point from the centre of mass; planes: 0 */
    uint32_t *rest;       /* [body_count] as mo_world_rests tells; NULL: all 0 */
    double *observed;     /* [observed_count body_count] columns of bodies; NULL: there are none */
    size_t contact_count;
    uint32_t *id1, *id2;
    uint64_t *feature;
    double *point, *normal, *gap, *impulse, *velocity; /* as in mo_contacts */
    double *memory;                                    /* likewise; NULL: all 0 */
    uint32_t *law; /* [contact_count] 1 + the number of mo_run_laws, 0: not known; NULL: none is */
    uint8_t *status;
    mo_cell cell; /* nothing periodic: none */
} mo_frame;

mo_status mo_run_frame(mo_run *run, size_t k, mo_frame *out, mo_error *err);
void mo_frame_free(mo_frame *frame);

/* Whether a world was built as the run's: MO_BAD_INPUT (key "resume") with what differs of dim, h, gravity
   and bodies. */
mo_status mo_run_match(mo_run *run, const mo_world *world, mo_error *err);
/* Puts a frame on a world that was built as the run's, so that it goes on with the same bits (but for laws,
   joints, functions: those are the world's own).  Bodies that were made on the way are brought back, others
   removed.  created: bodies ever created by then; 0: as many as the frame knows.  After a failure the world
   may hold some of these bodies. */
mo_status mo_run_restore(mo_run *run, const mo_frame *frame, uint32_t created, mo_world *world,
                         mo_error *err);

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

/* The run of a point, [frames] rows; arrays live as long as the run.  MO_BAD_INPUT for a world. */
typedef struct mo_run_path {
    size_t rows;
    const double *t;
    const int64_t *step;
    const double *x, *u, *lambda; /* [rows n], [rows n] or NULL, [rows m] */
    const double *gap;            /* [rows m]; NULL: not in the file */
    const size_t *hold_first;     /* [rows + 1] */
    const uint32_t *hold_pair;    /* [2 hold_first[rows]] */
    const double *hold_lambda;
    size_t disc_count, wall_count;
    const double *radius, *walls;
} mo_run_path;
mo_status mo_run_path_get(mo_run *run, mo_run_path *out, mo_error *err);

typedef struct mo_run_events {
    size_t count;
    const double *t, *size;
    const char *const *type;
    const size_t *gap_first; /* [count + 1] */
    const size_t *gaps;
} mo_run_events;
mo_status mo_run_events_get(mo_run *run, mo_run_events *out, mo_error *err);

/* The last checkpoint; strings and bytes live as long as the run.  state NULL, step 0: there is none yet. */
mo_status mo_run_checkpoint(mo_run *run, mo_checkpoint *out, mo_error *err);

/* Lines of the border of the set: line i has the points [first[i], first[i + 1]) at time t[i]. */
typedef struct mo_run_outlines {
    size_t count;
    const double *t;
    const size_t *first;
    const double *points; /* [2 first[count]] */
} mo_run_outlines;
mo_status mo_run_outlines_get(mo_run *run, mo_run_outlines *out, mo_error *err);

/* ---- export and comparison ----------------------------------------------------------------- */

/* What of a world; a sweep or system has its path (also under BODIES) and its series, and events under
   CONTACTS. */
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
    double max_angle;                  /* rad; in 3D between orientations, at most pi */
    double max_velocity;               /* m/s */
    double final_max_position;
    double path_graph;     /* sweeps and systems: Hausdorff distance between the completed graphs of x, rate 1
                              per second; their max_position is in R^n */
    double velocity_graph; /* Hausdorff distance between the completed graphs of the velocities, see
                              docs/format.md */
    bool identical;        /* same bits in every common frame, and the same frames */
} mo_comparison;

mo_status mo_run_compare(mo_run *a, mo_run *b, mo_comparison *out, mo_error *err);

#ifdef __cplusplus
}
#endif
#endif
