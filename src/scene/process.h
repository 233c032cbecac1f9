/*
 * Processes of a scene: points that move by themselves, as sweeps (first order, caught by a moving set) and
 * as systems (second order, held by gaps), in system{...}, sweep{...} and trial{...}.  What differs between
 * the two kinds stands behind process_ops; engines, trials, handles and events are the same code.
 *
 * A process keeps the Lua data that its C structs point into, and the functions it calls, in one table of the
 * registry under its own address (its anchor), from its making until scene_close_process.
 */
#ifndef SCENE_PROCESS_H
#define SCENE_PROCESS_H

#include "scene/internal.h"

struct process_ops;

/* A function in the anchor: its place, 0: none, and the line where it begins, for messages. */
typedef struct kept_function {
    int place, line;
} kept_function;

/* A function under a key of the table. */
typedef struct named_function {
    kept_function kept;
    const char *key;
    char what[48]; /* "system.force" */
} named_function;

/* Gap functions of a set or system with what they are called for (gaps.c). */
typedef struct gap_block {
    struct process *p;
    size_t rows, n;
    kept_function *functions; /* [rows] */
    const char *point;        /* "x" or "q" */
    bool judged;              /* the caller looks at numbers that are not finite */
} gap_block;

/* What is a sweep's own. */
typedef struct sweep_part {
    mo_sweep *process; /* NULL once closed */
    mo_sweep_def def;
    const mo_moving_set *set;
    named_function field;
    double first_t;         /* where the file begins, s */
    double low[2], high[2]; /* range of the path in its first two coordinates */
    double deadline;        /* for calls while borders are drawn, 0: none */
    uint32_t *hold_pair;    /* [2 hold_capacity], owned */
    double *hold_lambda;
    size_t hold_capacity;
} sweep_part;

/* What is a system's own. */
typedef struct system_part {
    mo_system *process; /* NULL once closed */
    mo_system_def def;
    gap_block gaps;
    named_function force, mass, potential, restitution;
    kept_function *tangents; /* [m] */
    bool dissipated;         /* the restitution is given by Moreau's dissipation index */
} system_part;

typedef struct process {
    const struct process_ops *ops;
    scene *s;
    bool anchored;     /* there is an anchor */
    size_t n, m;       /* coordinates, multipliers */
    double h, t_end;   /* s */
    const char *what;  /* "sweep", "system" or "trial" */
    const char *by;    /* name of the method or scheme */
    json_t *events;    /* array of {"t", "type", "gaps", "size"}, owned */
    bool events_lost;  /* there were more than are kept */
    char trouble[200]; /* of the first step that missed its tolerance, "": none */
    double step_start; /* of the step that is being made, by the clock, s */
    sweep_part sweep;
    system_part system;
} process;

/* Where a process stands. */
typedef struct process_facts {
    double time;
    int64_t steps, unconverged_steps;
    bool reached, sound; /* the last step: its tolerance, at all */
    const char *message; /* when not reached */
    size_t active;
    int iterations;
    double residual, worst_violation;
    const double *x, *u, *lambda; /* [n], [n] or NULL, [m] */
    const double *gap;            /* [m]; NULL: not told */
} process_facts;

/* A number of a handle by its name; whole: it is a count. */
typedef struct named_number {
    const char *name;
    double value;
    bool whole;
} named_number;

typedef struct process_ops {
    const char *kind;           /* "sweep" or "system" */
    const char *type;           /* of the handle */
    const char *by;             /* "method" or "scheme" */
    const char *const *keys;    /* of the table, NULL-terminated */
    const char *const *fields;  /* of the handle */
    const char *const *results; /* of a trial */
    const char *const *kept;    /* of a trial: name of the list, field; ... */
    const char *inside;         /* where the handle cannot be read */
    /* Reads the table at 1: fills the definition, n, m, h, t_end, by.  May raise. */
    void (*read)(lua_State *L, process *p);
    mo_status (*create)(process *p, mo_error *err);
    void (*destroy)(process *p);
    mo_status (*step)(process *p, mo_error *err);
    process_facts (*facts)(const process *p);
    mo_sweep_events (*events)(const process *p);
    /* Pushes a field of the handle that is not common to all; gaps may raise. */
    void (*push_field)(lua_State *L, process *p, const char *key);
    /* the state as bytes */
    size_t (*state_size)(const process *p);
    void (*save)(const process *p, void *bytes);
    mo_status (*restore)(process *p, const void *bytes, size_t size, mo_error *err);
    /* For run files and results; those that may be NULL do nothing. */
    void (*describe)(process *p, mo_path_def *def, bool append);
    mo_status (*fill_row)(process *p, mo_path_row *row, mo_error *err);
    void (*take_row)(process *p, const double *x); /* a row of the file of before */
    mo_status (*after)(process *p, mo_recorder *rec, mo_error *err);
    void (*fill)(const process *p, scene_result *out);
} process_ops;

extern const process_ops sweep_ops, system_ops;

/* ---- process.c -------------------------------------------------------------------------------- */

/* Pushes the process that the table at 1 describes, as a userdata.  Keys are checked before. */
process *process_new(lua_State *L, const process_ops *ops, const char *what);
/* Puts the value on top of the stack into the anchor, pops it and returns its place. */
int process_keep(lua_State *L, process *p);
void process_push(lua_State *L, const process *p, int place);
/* The same with a function. */
kept_function process_keep_function(lua_State *L, process *p);
/* Keeps the function under the key of the table at 1; place 0 when it is absent. */
named_function process_function(lua_State *L, process *p, const char *key, const char *arguments);
/* New memory that lives as long as the process. */
void *process_memory(lua_State *L, process *p, size_t size);
/* Numbers under the key of the table at 1, [*n]; *n 0: as many as there are, at least one.  spread: one
   number stands for all.  NULL when the key is absent. */
const double *process_numbers(lua_State *L, process *p, const char *key, size_t *n, bool spread);
/* The required start under the key, as many numbers as *n says or as there are. */
const double *process_start(lua_State *L, process *p, const char *key, size_t *n);
/* The name under the key among those of name(0), name(1), ... up to NULL; false when it is absent. */
bool process_choice(lua_State *L, const char *what, const char *key, const char *(*name)(int), int *out);
/* Common options: tol, max_iter, theta. */
void process_options(lua_State *L, const char *what, double *tol, int *max_iter, double *theta);
/* One step, during which the process is not to be touched. */
mo_status process_step(process *p, mo_error *err);
/* Event i of a step as run files have it; and adding one to the list of the process. */
mo_path_event process_event(const mo_sweep_events *events, size_t i);
bool process_add_event(process *p, const mo_path_event *e);
/* Takes the events of the last step into the list.  False when memory is short. */
bool process_take_events(process *p);

/* ---- process_lua.c ------------------------------------------------------------------------------ */

/* Pushes a field of the handle. */
void process_push_field(lua_State *L, process *p, const char *key);
/* Pushes the number of this name and returns true, or pushes nothing. */
bool process_push_named(lua_State *L, const named_number *numbers, size_t count, const char *key);

/* ---- outlines.c: the borders of a sweep's set ------------------------------------------------------ */

/* The range of the path takes x in; the borders of the set go to the file; MO_STOPPED past the deadline. */
void process_widen(process *p, const double *x);
mo_status process_outlines(process *p, mo_recorder *rec, mo_error *err);
mo_status process_in_time(const process *p, mo_error *err);

/* ---- system_functions.c: functions of a system as mo_system_def has them, data the process ---------- */

mo_status system_call_force(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                            double *Fu, mo_error *err);
mo_status system_call_mass(void *data, double t, const double *q, double *M, mo_error *err);
mo_status system_call_potential(void *data, double t, const double *q, double *V, mo_error *err);
mo_status system_call_restitution(void *data, double t, const double *q, double *e, mo_error *err);
mo_status system_call_tangents(void *data, double t, const double *q, double *T, mo_error *err);
/* e = (1 - d)/(1 + d), SPEC C2 */
double restitution_of_index(double d);

/* ---- matrices.c -------------------------------------------------------------------------------------- */

/* A symmetric matrix of n freedoms: a number, a diagonal, rows, banded{...} or sparse{...}. */
typedef struct matrix_shape {
    mo_metric_kind kind;
    size_t width; /* banded */
    size_t count; /* of entries */
} matrix_shape;

/* Where a matrix comes from, for messages: site of the function that gave it, or NULL, then what.key. */
typedef struct matrix_source {
    const char *what, *key;
    const result_site *site;
    size_t n;
} matrix_source;

/* What the matrix at idx is; raises when it is none. */
matrix_shape matrix_look(lua_State *L, int idx, const matrix_source *from);
/* Its entries as mo_metric has them, [shape->count]; of kinds that are not sparse. */
void matrix_read(lua_State *L, int idx, const matrix_source *from, const matrix_shape *shape,
                 double *entries);

/* ---- sparse_matrix.c --------------------------------------------------------------------------------- */

/* Whether the matrix at idx is a sparse one, and how many entries it has; raises when one is too far out. */
bool sparse_look(lua_State *L, int idx, const matrix_source *from, size_t *count);
/* Its rows up to the diagonal as mo_metric has them: start [n + 1], column and entries [count]. */
void sparse_rows(lua_State *L, int idx, size_t n, size_t *start, uint32_t *column, double *entries);
/* All of it, M [n n]. */
void sparse_expand(lua_State *L, int idx, size_t n, double *M);
void scene_open_sparse(lua_State *L);

/* ---- entries.c: numbers that may depend on time ---------------------------------------------- */

/* Numbers, functions of time and tables of these, `levels` deep (0: a number). */
typedef struct entry_shape {
    const char *what, *key;
    int levels;
    bool spread; /* one number may stand for all of a vector */
    bool fixed;  /* numbers only: no functions of time */
} entry_shape;

/* Pushes a copy of the entry at idx that nobody can change.  Returns the length of the vectors in it, 0 when
   only functions know; *rows is the number of them when there are several, 0 when unknown. */
size_t entry_copy(lua_State *L, int idx, const entry_shape *shape, size_t *rows);
/* The copy at idx as numbers [rows cols] of a process. */
mo_timed entry_build(lua_State *L, process *p, int idx, const entry_shape *shape, size_t rows, size_t cols);
/* Length of the table that the function at idx gives at t = 0. */
size_t entry_probe(lua_State *L, int idx, const entry_shape *shape);
/* The vector that a function gave at idx; rate may be NULL. */
void entry_vector(lua_State *L, const result_site *site, int idx, size_t n, bool spread, double *value,
                  double *rate);

/* ---- sets.c, gaps.c ------------------------------------------------------------------------------ */

/* A description.  User values: 1 and 2 copies of the entries a and b, 3 children, functions or numbers. */
typedef struct set_box {
    mo_moving_kind kind;
    const char *name; /* "ball", ... */
    size_t dim;       /* 0: only functions know */
    size_t rows;      /* polyhedron, gaps; 0: only functions know */
    size_t total;     /* sets in it */
    int depth;        /* of sets within sets */
    size_t disc_count, wall_count;
} set_box;

set_box *set_new(lua_State *L, mo_moving_kind kind, const char *name);
/* The description at idx; raises when it is none. */
set_box *set_at(lua_State *L, int idx, const char *what, const char *key);
/* The set of the description at idx for points of n coordinates. */
void set_build(lua_State *L, process *p, int idx, size_t n, mo_moving_set *out);
/* The gaps of the description at idx. */
void gaps_build(lua_State *L, process *p, int idx, size_t n, mo_moving_set *out);
/* How many functions the table at idx holds, and nothing else; it is what.key in messages. */
size_t gaps_list(lua_State *L, int idx, const char *what, const char *key, const char *arguments);
/* Keeps them. */
kept_function *gaps_keep(lua_State *L, process *p, int idx, size_t count);
/* As mo_gap_function with data a gap_block; and second derivatives along (1, u). */
mo_status gaps_evaluate(void *data, double t, const double *x, double *g, double *gx, double *gt,
                        mo_error *err);
mo_status gaps_curvature(const gap_block *block, double t, const double *x, const double *u, double *c,
                         mo_error *err);
/* Pushes a point that cannot be changed; first > 0: its coordinates are the variables first, first + 1, ...
 */
void scene_push_point(lua_State *L, const double *x, size_t n, const char *name, uint32_t first);
/* f(t, x) of a process, as mo_sweep_def has it. */
mo_status process_field(void *data, double t, const double *u, double *f, mo_error *err);

#endif
