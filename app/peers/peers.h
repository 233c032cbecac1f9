/*
 * Scenes on which this library is measured beside other programs, what a program hands back of a run, and
 * what is computed from that, for everybody by the same code: overlaps, drift, energy, residual.
 *
 * A scene goes to another program's driver (bench/peers/) as a text, and its result comes back as one; both
 * forms are described in bench/peers/README.md.  In 2D the plane is x, y; in 3D gravity is along z.
 */
#ifndef APP_PEERS_PEERS_H
#define APP_PEERS_PEERS_H

#include <moreau/moreau.h>
#include <stdio.h>

/* ---- scenes --------------------------------------------------------------------------------------- */

typedef struct peer_body {
    double x[3], q[4];       /* m; quaternion w, x, y, z */
    double radius;           /* m; 0: a box */
    double half[3];          /* m, of a box */
    double mass, inertia[3]; /* kg, kg m^2 along its axes; 2D: kg/m, kg m about z in every place */
} peer_body;

/* Solid where normal.x <= offset. */
typedef struct peer_plane {
    double normal[3], offset;
} peer_plane;

typedef struct peer_scene {
    char name[16];
    int dim;
    double h, gravity[3], friction;
    double size;          /* m: the unit of overlaps, drift and the like: r of piles, side of cubes */
    size_t settle, steps; /* steps before the measured ones, and these */
    bool resting;         /* the state after settling is one of rest, of which drift can be asked */
    peer_body *bodies;
    size_t body_count;
    peer_plane planes[8];
    size_t plane_count;
} peer_scene;

typedef struct peer_size {
    size_t n, settle, steps; /* 0: the scene's own */
} peer_size;

/* What there is: "A", "B", ... with one line about each; NULL when out of range. */
const char *peer_scene_name(size_t i);
const char *peer_scene_about(size_t i);
/* quick: few steps.  MO_BAD_INPUT for a name that is not there, MO_NO_MEMORY. */
mo_status peer_scene_make(const char *name, const peer_size *size, bool quick, peer_scene *out,
                          mo_error *err);
void peer_scene_free(peer_scene *scene);
/* false: the file could not be written. */
bool peer_scene_write(FILE *file, const peer_scene *scene);

/* ---- results ------------------------------------------------------------------------------------- */

typedef struct peer_state {
    double x[3], q[4], v[3], w[3]; /* spin in world axes */
} peer_state;

/* Contacts as a program's own solver saw them in one step. */
typedef struct peer_contact {
    uint32_t body1, body2;      /* body2 >= body_count: plane body2 - body_count */
    double point[3], normal[3]; /* unit, toward body1 */
    double gap;                 /* m; negative: overlap */
    double target;              /* m/s, the least normal velocity that it asked for; NaN: not known */
    double impulse[3];          /* N s, world axes, on body1 */
} peer_contact;

typedef struct peer_stage {
    char name[16];
    double seconds; /* a step, median */
} peer_stage;

typedef struct peer_result {
    char program[32], version[64], setting[32], note[160];
    double settle_seconds, run_seconds; /* processor time of the steps before and of those measured */
    double *seconds;                    /* [step_count] of each measured step */
    size_t step_count;
    double contacts, iterations; /* a measured step, means; 0: not known */
    peer_state *start, *end;     /* [body_count] before and after the measured steps */
    size_t body_count;
    peer_state *before; /* [body_count] before one more step; place: where its contacts were found; NULL: no
                           impulses */
    peer_contact *touch;
    size_t touch_count;
    peer_stage stages[8]; /* of ours */
    size_t stage_count;
} peer_result;

void peer_result_free(peer_result *result);
/* Frees the arrays alone. */
void peer_result_drop(peer_result *result);
/* MO_BAD_FILE for anything that is not a result for the scene. */
mo_status peer_result_read(FILE *file, const peer_scene *scene, peer_result *out, mo_error *err);

/* ---- ours ----------------------------------------------------------------------------------------- */

typedef struct peer_setting {
    const char *name, *about;
    mo_solver_name solver;
    double tol;
    int max_iter;
    bool projection;
} peer_setting;

/* Settings of ours for a scene, the one for ratios first; NULL when out of range. */
const peer_setting *peer_own_setting(const peer_scene *scene, size_t i);
mo_status peer_run_own(const peer_scene *scene, const peer_setting *setting, peer_result *out, mo_error *err);

/* ---- other programs ------------------------------------------------------------------------------- */

/* Programs that scenes can be run by: "bullet", "ode", ...; NULL when out of range. */
const char *peer_program_name(size_t i);

typedef struct peer_driver {
    char path[1024];    /* of its executable */
    char settings[128]; /* names for the scene, each on a line */
} peer_driver;

/*
 * The drivers of a program for a scene, at most `most`; none where they are not in `folder`.  Returns how
 * many were found; *there: executables that are there, whether they know such scenes or not.
 */
size_t peer_find_drivers(const char *folder, const char *program, const peer_scene *scene, peer_driver *out,
                         size_t most, size_t *there);
/* limit: seconds of processor time after which it is ended; 0: none.  MO_STOPPED: it was, or it failed. */
mo_status peer_run_driver(const peer_driver *driver, const char *setting, const peer_scene *scene,
                          double limit, peer_result *out, mo_error *err);

/* ---- one analyser for everybody ------------------------------------------------------------------- */

typedef struct peer_overlaps {
    double max, mean; /* of those that overlap, over the scene's size */
    size_t count;     /* that overlap */
    size_t lost;      /* bodies with their centre behind a wall, or nowhere */
} peer_overlaps;

/* Of the places x, q. */
mo_status peer_measure_overlaps(const peer_scene *scene, const peer_state *states, peer_overlaps *out,
                                mo_error *err);

typedef struct peer_analysis {
    double ms, spread;        /* of a step: median, and half the distance of the quartiles over it */
    double per_contact;       /* ns, of the median step / contacts / iterations; NaN: not known */
    double cost;              /* seconds of processor time for a second of motion, of the measured steps */
    peer_overlaps overlaps;   /* after the last step */
    double drift;             /* largest displacement over the measured steps over the scene's size */
    double top[3];            /* displacement of the last body, over the scene's size */
    double kinetic;           /* J, after the last step */
    double residual, law;     /* of one step: on the problem with its own targets, and without; NaN: none */
    double expected, reached; /* m along x: of the slopes, by the closed form and by the run; NaN: others */
} peer_analysis;

mo_status peer_analyse(const peer_scene *scene, const peer_result *result, peer_analysis *out, mo_error *err);

/*
 * The contact problem of the result's one step and its impulses in local axes, r [dim contacts]: W and q from
 * masses, places, contacts and velocities before it, u = W r + q - target.  with_targets false: target 0, and
 * minus gap / h where the gap is open.
 */
mo_status peer_problem(const peer_scene *scene, const peer_result *result, bool with_targets, mo_problem *out,
                       double **r, mo_error *err);

/* A name for folders after processor and cores; the processor as it calls itself. */
void peer_machine(char *slug, size_t slug_size, char *processor, size_t size, long *cores);

double peer_median(double *values, size_t count); /* orders them; 0 of none */

#endif
