/*
 * Sweeping processes of a scene: descriptions of sets as userdata that never change, and processes made from
 * them, which hold their own copies.
 *
 * A process keeps the Lua data that its C structs point into, and the functions it calls, in one table of the
 * registry under its own address (its anchor), from its making until scene_close_process.
 */
#ifndef SCENE_PROCESS_H
#define SCENE_PROCESS_H

#include "scene/internal.h"

typedef struct process {
    scene *s;
    bool anchored;   /* there is an anchor */
    mo_sweep *sweep; /* NULL once closed */
    mo_sweep_def def;
    const mo_moving_set *set;
    size_t n, m;            /* coordinates, multipliers */
    double t_end;           /* s */
    int field;              /* place of the function in the anchor, 0: none */
    const char *what;       /* "sweep" or "trial" */
    json_t *events;         /* array of {"t", "type", "gaps", "size"}, owned */
    bool events_lost;       /* there were more than are kept */
    char trouble[200];      /* of the first step that missed its tolerance, "": none */
    double first_t;         /* where the file begins, s */
    double low[2], high[2]; /* range of the path in its first two coordinates */
    double deadline;        /* for calls while borders are drawn, 0: none */
    uint32_t *hold_pair;    /* [2 hold_capacity], owned */
    double *hold_lambda;
    size_t hold_capacity;
} process;

/* ---- process.c -------------------------------------------------------------------------------- */

/* Pushes the process that the table at 1 describes, as a userdata.  Keys are checked before. */
process *process_new(lua_State *L, const char *what);
extern const char *const process_keys[]; /* NULL-terminated */
/* Puts the value on top of the stack into the anchor, pops it and returns its place. */
int process_keep(lua_State *L, process *p);
void process_push(lua_State *L, const process *p, int place);
/* New memory that lives as long as the process. */
void *process_memory(lua_State *L, process *p, size_t size);
/* One step, during which the process is not to be touched. */
mo_status process_step(process *p, mo_error *err);
/* Event i of a step as run files have it; and adding one to the list of the process. */
mo_path_event process_event(const mo_sweep_events *events, size_t i);
bool process_add_event(process *p, const mo_path_event *e);
/* Takes the events of the last step into the list.  False when memory is short. */
bool process_take_events(process *p);
/* Whether the last step was made. */
bool process_sound(const process *p);

/* The range of the path takes x in; the borders of the set go to the file; MO_STOPPED past the deadline.
   (outlines.c) */
void process_widen(process *p, const double *x);
mo_status process_outlines(process *p, mo_recorder *rec, mo_error *err);
mo_status process_in_time(const process *p, mo_error *err);
/* Pushes a field of the handle other than gaps (sweep_lua.c). */
void process_push_field(lua_State *L, const process *p, const char *key);

/* ---- entries.c: numbers that may depend on time ---------------------------------------------- */

/* Numbers, functions of time and tables of these, `levels` deep (0: a number). */
typedef struct entry_shape {
    const char *what, *key;
    int levels;
    bool spread; /* one number may stand for all of a vector */
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
/* f(t, x) of a process, as mo_sweep_def has it. */
mo_status process_field(void *data, double t, const double *u, double *f, mo_error *err);

#endif
