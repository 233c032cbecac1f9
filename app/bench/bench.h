/*
 * Benchmarks of the schemes for finite-freedom systems: dynamical situations (P01 6), each with a reference
 * solution, run with every scheme over a ladder of steps.
 *
 * A situation that is followed in time has the columns position, velocity, energy, violation; one that is
 * chaotic or whose reference is a few numbers measures columns of its own.
 */
#ifndef APP_BENCH_BENCH_H
#define APP_BENCH_BENCH_H

#include <moreau/system.h>

enum {
    BENCH_N = 128,      /* most freedoms */
    BENCH_GAPS = 8,     /* most gaps */
    BENCH_COLUMNS = 6,  /* most columns of a table */
    BENCH_RUNGS = 8,    /* most steps of a ladder */
    BENCH_NUMBERS = 64, /* most numbers of a reference that is not a path */
    BENCH_SCHEMES = MO_SYSTEM_SCHEME_ALPHA + 1,
};

#define BENCH_BIT(scheme) (1u << (unsigned)(scheme))
#define BENCH_ALL ((1u << (unsigned)BENCH_SCHEMES) - 1)

typedef mo_status (*bench_force)(void *data, double t, const double *q, const double *u, double *F,
                                 double *Fq, double *Fu, mo_error *err);

/* One start of a situation.  The data of all functions of `def` is the problem itself. */
typedef struct bench_problem {
    mo_system_def def; /* points into the arrays below; h and scheme are set for each run */
    double t_end;
    bool quick; /* a short run will do */
    double q[BENCH_N], u[BENCH_N], e[BENCH_GAPS], friction[BENCH_GAPS];
    double mass[3 * BENCH_N], stiffness[3 * BENCH_N], damping[3 * BENCH_N];
    double G[BENCH_GAPS * BENCH_N], offset[BENCH_GAPS]; /* of plane gaps, see bench_set_planes */
    double a[8];                                        /* numbers of the situation */
    bench_force force;                                  /* counted */
    int64_t forces;
} bench_problem;

/* A motion at points: (t, q, u), times do not fall; a jump of u is two points of one time. */
typedef struct bench_path {
    size_t n, count, room;
    double *t, *q, *u; /* [room], [room n] */
    size_t *node;      /* [nodes] point of each multiple of the step, after a jump there */
    size_t nodes, node_room;
    double energy; /* kinetic + potential at the end */
} bench_path;

typedef struct bench_row {
    mo_system_scheme scheme;
    size_t steps;
    double h;
    double values[BENCH_COLUMNS]; /* NaN: none */
    int64_t forces, solves, unconverged;
    double seconds;
    char trouble[200]; /* why the run ended early, empty when it did not */
} bench_row;

/* Slopes of log(value) against log(h) by least squares, of the first two columns. */
typedef struct bench_fit {
    mo_system_scheme scheme;
    double order[2]; /* NaN: too few values above rounding */
    bool exact[2];   /* all values are rounding */
} bench_fit;

typedef struct bench_situation bench_situation;
struct bench_situation {
    const char *name;
    const char *title;     /* in a few words */
    const char *about;     /* what moves */
    const char *reference; /* where the reference comes from */
    const char *lesson;    /* what the table shows */
    unsigned schemes;      /* bits of those that can do it */
    size_t steps;          /* of the coarsest run; doubled from rung to rung */
    size_t rungs, quick_rungs;
    size_t variants;                    /* starts; errors are the worst of them; 0: 1 */
    double rate;                        /* of mo_graph_distance */
    const char *columns[BENCH_COLUMNS]; /* first NULL: those of a path */
    const char *extra[2];               /* names of more columns of a path, or NULL */
    void (*define)(bench_problem *p, size_t variant, size_t steps);
    /* followed in time: the reference at the multiples of t_end / steps, with its jumps; NULL: the
       event-driven scheme (bench_reference_run) */
    mo_status (*path)(bench_problem *p, size_t steps, bench_path *out, mo_error *err);
    /* the extra columns, of runs of their own */
    mo_status (*measure_extra)(bench_problem *p, bench_row *row, double *values, mo_error *err);
    /* not followed: numbers of the reference, once; then the columns of each run against them */
    mo_status (*prepare)(bench_problem *p, double *numbers, mo_error *err);
    mo_status (*measure)(bench_problem *p, const double *numbers, bench_row *row, mo_error *err);
};

extern const bench_situation *const bench_situations[]; /* ends with NULL */
const bench_situation *bench_find(const char *name);

typedef struct bench_table {
    const bench_situation *situation;
    const char *columns[BENCH_COLUMNS];
    size_t column_count;
    bench_row *rows;
    size_t row_count;
    bench_fit fits[BENCH_SCHEMES];
    size_t fit_count;
} bench_table;

/* Runs a situation; free with bench_table_free, also after a failure. */
mo_status bench_run(const bench_situation *s, bool quick, bench_table *out, mo_error *err);
void bench_table_free(bench_table *table);

/* ---- for situations ------------------------------------------------------------------------------- */

/* A problem as the situation defines it; free with free.  NULL: no memory. */
bench_problem *bench_problem_new(const bench_situation *s, size_t variant, size_t steps, bool quick);
/* Sets n, gaps and the arrays of the definition; e is the restitution of all gaps. */
void bench_size(bench_problem *p, size_t n, size_t gaps, double e);
/* The force, counted in p->forces. */
void bench_set_force(bench_problem *p, bench_force force);
/* Derivatives of a force that are zero, [n n] each where not NULL. */
void bench_zero(const bench_problem *p, double *Fq, double *Fu);
/* Plane gaps g = G q + offset, as filled in the problem. */
void bench_set_planes(bench_problem *p);

/* After each step of a run; anything but MO_OK ends it. */
typedef mo_status (*bench_look)(void *data, const bench_problem *p, const mo_system *system, mo_error *err);
/*
 * Runs the problem in `steps` steps, calls look (may be NULL) also at the start, and fills counts, time and
 * trouble of the row.  Trouble is no failure.
 */
mo_status bench_steps(bench_problem *p, mo_system_scheme scheme, size_t steps, bench_look look, void *data,
                      bench_row *row, mo_error *err);

mo_status bench_path_add(bench_path *path, double t, const double *q, const double *u, mo_error *err);
/* The point just added is the next multiple of the step. */
mo_status bench_path_mark(bench_path *path, mo_error *err);
void bench_path_free(bench_path *path);

/* Motion by a closed form: q and u at t; left: before a jump that is there. */
typedef void (*bench_closed)(const bench_problem *p, double t, bool left, double *q, double *u);
/* Samples a closed form at the multiples of t_end / steps and on both sides of the given jumps (rising). */
mo_status bench_path_closed(const bench_problem *p, size_t steps, bench_closed form, size_t jumps,
                            const double *jump, bench_path *out, mo_error *err);
/* The event-driven scheme with `steps` steps; jumps placed at its impacts. */
mo_status bench_reference_run(bench_problem *p, size_t steps, bench_path *out, mo_error *err);

/* Whether there was exactly one impact in the last step, and when. */
bool bench_lone_impact(const mo_system *system, double *t);
/* The points of `raw`, one a step, with both sides of the jumps at the times of `hits` put in. */
mo_status bench_path_merge(const bench_path *raw, const bench_path *hits, bench_path *out, mo_error *err);

double bench_order(size_t count, const double *h, const double *error);

#endif
