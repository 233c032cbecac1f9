/*
 * What the files of src/scene share: the scene, its Lua state and the functions that fill the global table.
 *
 * Lua errors never cross code outside this folder: whatever calls into Lua from C goes through scene_call.
 * Tables given by a scene are read raw, so that reading runs no code of the scene.
 */
#ifndef SCENE_INTERNAL_H
#define SCENE_INTERNAL_H

#include "core/rng.h"
#include "math/dual.h"
#include "scene/limits.h"

#include <jansson.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#define DUAL_TYPE "dual"
#define BODY_TYPE "body"
#define SHAPE_TYPE "shape"
#define JOINT_TYPE "joint"
#define SERVO_TYPE "servo"
#define CELL_TYPE "cell"
#define CONTACT_TYPE "contact"
#define SET_TYPE "set"
#define SWEEP_TYPE "sweep"
#define SYSTEM_TYPE "system"

struct scene_engine;
struct process;
struct servo;

typedef enum scene_phase { PHASE_CHUNK, PHASE_RUN, PHASE_END } scene_phase;

/* law of a pair of groups, with the keys that were given; the rest follows the default pair */
typedef struct pair_law {
    char *group1, *group2; /* owned */
    mo_law law;
    unsigned given; /* bit k: key k of law_keys */
} pair_law;

typedef struct timed_call {
    double time; /* s */
    int ref;     /* in the registry */
} timed_call;

typedef struct ref_list {
    int *items; /* registry references, in the order of registration */
    size_t count, capacity;
} ref_list;

/* Steps with contacts whose problem was not written. */
typedef struct missing_dumps {
    const char *why;
    int64_t steps, first;
} missing_dumps;

/* those of mo_world_no_problem, and entries that are not finite */
enum { DUMP_REASONS = 5 };

/* keys of law{...}, without `between` */
enum { LAW_KEYS = 12 };

typedef struct scene {
    const scene_options *options;
    scene_limits limits;
    lua_State *L;
    scene_phase phase;
    bool listing; /* only the parameters are wanted */
    bool resuming;
    bool in_step;          /* inside a step: what runs is not to be touched */
    char source[300];      /* "@path" as Lua knows the chunk */
    char short_source[80]; /* as it stands before the line in Lua's own messages */

    /* use of the sandbox */
    size_t memory_used;
    bool memory_refused; /* the limit was hit, not the machine's */
    bool string_refused; /* that of one string */
    int64_t count;       /* instructions since the call began */
    int64_t count_limit;
    double wall_start, cpu_start, seconds_limit; /* of the call */
    double cpu_read;                             /* when cpu_start was read */
    int depth;                                   /* of scene_call: only the outermost sets limits */
    bool limit_hit;
    int hook_line; /* where the hook last was */

    int callee_line; /* where the function begins whose result is being read, else 0 */

    /* the last error raised by the program's own functions, and its text as Lua saw it */
    mo_error error;
    char error_text[1500];
    bool usage_failed; /* a --set did not fit: stays, whatever the scene catches */
    mo_error usage_error;

    rng random;
    uint64_t seed;

    /* what runs: a world, or the process of a sweep or system */
    const struct scene_engine *engine; /* NULL: nothing yet */
    int engine_line;
    double h, t_end, every, series_every; /* s */
    const char *solver_name;              /* or method, or scheme */
    struct process *process;              /* NULL in a world */

    /* the world */
    mo_world *world;
    mo_world_def world_def;
    mo_law default_law;
    pair_law *laws;
    size_t law_count;
    bool laws_changed;          /* after the chunk */
    int law_line;               /* of the last law{...}, 0: none */
    int law_key_line[LAW_KEYS]; /* of the last law{...} with the key, unless it is 0 there; 0: none */
    int joint_line;             /* of the last joint{...}, 0: none */
    size_t built;               /* bodies created by the end of the chunk */
    size_t points_used;
    size_t mesh_bytes;   /* of the mesh files read so far */
    bool late_functions; /* callbacks were registered after the chunk: a resumed run cannot know them */
    json_t *loads;       /* of bodies whose loads were set after the chunk, and of which some are or were
                            functions: {id: [force is one, torque is one]} */

    bool cell_changed;    /* by cell{...} after the chunk */
    struct servo *servos; /* in the order of creation; Lua's */

    /* callbacks */
    ref_list on_step, stop_when, observers, at_end;
    char **observed; /* names, [observers.count], owned */
    ref_list body_observers;
    char **body_observed; /* names of columns of bodies, [body_observers.count], owned */
    timed_call *timed;
    size_t timed_count, timed_next; /* sorted by time; entries before timed_next have fired */
    bool stopped;                   /* stop_when has ended the run */

    /* what comes out */
    int64_t dumped;                          /* problem files written */
    missing_dumps missing[DUMP_REASONS + 1]; /* the rest, up to one without a reason */
    json_t *report;
    size_t report_bytes;
    json_t *failed; /* array of "NAME: message" in the order of failure */
    json_t *plots;  /* array, as in a run file */
    size_t plots_built, plot_points;
    scene_param *params;
    json_t *param_values; /* object, in the order of the calls */
    json_t *param_saved;  /* from the file of a resumed run, or NULL */
    size_t param_count;
    bool *set_used; /* [options->set_count] */
    /* changes of live parameters, [step, name, value]: of this run, and since the last frame */
    json_t *live_changes, *live_new;
} scene;

static inline scene *scene_of(lua_State *L)
{
    return *(scene **)lua_getextraspace(L);
}

/* Whether a clean end is asked for from outside. */
static inline bool scene_interrupted(const scene_options *o)
{
    return (o->interrupt != NULL && *o->interrupt != 0) || (o->stop != NULL && o->stop(o->data));
}

/* ---- error.c ------------------------------------------------------------------------------ */

/* Raises an error with the scene's file and line. key may be NULL. */
_Noreturn void scene_error(lua_State *L, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Raises what a function of the library said; its key becomes "what.key". */
_Noreturn void scene_raise(lua_State *L, const char *what, const mo_error *err);
/* The error of a protected call (message on top of the stack, popped) as a mo_error. Returns its status. */
mo_status scene_take_error(scene *s, int lua_status, mo_error *err);
/* Message handler: adds the place to messages without one. */
int scene_message_handler(lua_State *L);
/* What stands at idx, for messages: `string "abc"`, `number 3`, `a function`, ... */
const char *scene_describe(lua_State *L, int idx, char *out, size_t size);
/* Line of the innermost function of the scene's own text, 0 when there is none. */
int scene_line(lua_State *L);
/* Line where the function on top of the stack begins, 0 when it is not of the scene's text; pops it. */
int scene_function_line(lua_State *L);
/* The entry of list (NULL-terminated) most like word, or NULL when none is near. */
const char *scene_nearest(const char *word, const char *const *list);

/* ---- sandbox.c ---------------------------------------------------------------------------- */

mo_status scene_open(scene *s, mo_error *err);
void scene_close(scene *s);
/* Calls what lies on the stack within the limits and under a handler; errors come back in err. */
mo_status scene_call(scene *s, int args, int results, mo_error *err);
/* Raises when the time or instructions of the present call are used up. */
void scene_check_limits(lua_State *L);
/* Gives the present call the time that compressing samples may take. */
void scene_allow_press(lua_State *L);

/* ---- guard.c, keys.c, dual_lua.c, random.c --------------------------------------------------- */

void scene_guard_libraries(lua_State *L);
/* Makes the metatable of a kind of values, with these methods (NULL: none), out of the reach of scripts. */
void scene_new_type(lua_State *L, const char *name, const luaL_Reg *methods);
/* Puts the metatable on top of the stack out of their reach. */
void scene_hide_metatable(lua_State *L);
/* A guard's last line: the library function that is its upvalue 1. */
int scene_call_original(lua_State *L);
int scene_pairs(lua_State *L);
/* Pushes an array of the keys of the table at idx: numbers, strings, booleans, bodies, each in order, then
 * the rest. */
void scene_sorted_keys(lua_State *L, int idx);
void scene_open_dual(lua_State *L);
/* Pushes v as a variable by which is differentiated: 0 is time, i the coordinate x[i]. */
void scene_push_variable(lua_State *L, double v, uint32_t index);
/* Pushes v as a number on a path of which first and second derivatives are wanted. */
void scene_push_along(lua_State *L, double v, double rate);
/* A finite or infinite number or dual at idx, with its derivative by time; false for anything else. */
bool scene_to_dual(lua_State *L, int idx, dual *out);
/* The same with derivatives by time and by the n variables from `first` on, [n]. */
bool scene_to_gradient(lua_State *L, int idx, uint32_t first, size_t n, double *value, double *by_t,
                       double *by_x);
/* The second derivative along the path. */
bool scene_to_second(lua_State *L, int idx, double *second);
void scene_open_random(lua_State *L);

/* ---- read.c -------------------------------------------------------------------------------- */

/* Keys a table may have, NULL-terminated; a leading '!' marks one that this version does not have yet. */
void read_keys(lua_State *L, int idx, const char *what, const char *const *keys, bool positional);
/* Argument 1 must be the only one and a table. */
void read_single_table(lua_State *L, const char *what);
/* Pushes t[key] and returns true, or pushes nothing and returns false when it is absent. */
bool read_field(lua_State *L, int idx, const char *key);
_Noreturn void read_wrong(lua_State *L, const char *what, const char *key, int idx, const char *expected);
double read_number_at(lua_State *L, int idx, const char *what, const char *key);
/* A table of as many finite numbers, two to four. */
void read_vector_at(lua_State *L, int idx, const char *what, const char *key, size_t count, double *out);
/* A quaternion other than zero; comes out of unit length. */
void read_quaternion_at(lua_State *L, int idx, const char *what, const char *key, double out[4]);
/* Each returns whether the key was there; `out` is untouched when not. */
bool read_number(lua_State *L, int idx, const char *what, const char *key, double *out);
bool read_boolean(lua_State *L, int idx, const char *what, const char *key, bool *out);
bool read_vector(lua_State *L, int idx, const char *what, const char *key, size_t count, double *out);
bool read_quaternion(lua_State *L, int idx, const char *what, const char *key, double out[4]);
/* Lives as long as the table holds it. No zero bytes, at most 200 long. */
bool read_string(lua_State *L, int idx, const char *what, const char *key, const char **out);
const char *read_string_at(lua_State *L, int idx, const char *what, const char *key);
/* Index of the string among the choices (NULL-terminated, '!' as in read_keys). */
bool read_choice(lua_State *L, int idx, const char *what, const char *key, const char *const *choices,
                 int *out);
/* A whole number from 1 to 1e9, or `otherwise` when absent. */
int read_whole(lua_State *L, int idx, const char *what, const char *key, int otherwise);
/* What is positive or not negative, by name. */
void read_positive(lua_State *L, const char *what, const char *key, double value);
void read_range(lua_State *L, const char *what, const char *key, double value, double min, double max);
/* Names "what.key" in a buffer that lives until the next call on this state. */
void read_path(char *out, size_t size, const char *what, const char *key);
/* The field of a handle that argument 2 names; raises when there is none. */
const char *read_handle_key(lua_State *L, const char *const *fields, const char *what);

/* ---- shapes.c, solids.c, bodies.c, functions.c, handle.c ----------------------------------------- */

void scene_open_shapes(lua_State *L);
/* The shape at idx (raises when it is none); points into userdata the caller keeps on the stack. */
const mo_shape_def *scene_shape_at(lua_State *L, int idx, const char *what);
/* Pushes the radius function of the shape at idx and returns true, or pushes nothing. */
bool scene_shape_radius(lua_State *L, int idx);
size_t scene_shape_points(const mo_shape_def *shape);
/* Dimension of the worlds that the shape belongs to, and what its kind is called in a scene. */
int scene_shape_dim(const mo_shape_def *shape);
const char *scene_shape_name(const mo_shape_def *shape);

void scene_open_bodies(lua_State *L);
/* Keys of body{...}, NULL-terminated. */
extern const char *const scene_body_keys[];

typedef struct body_functions {
    scene *s;
    bool has_motion, has_force, has_torque, has_radius;
    double rest[7];             /* q of the body where a motion leaves something out */
    double force[3], torque[3]; /* constant parts of the load; torque[0] in 2D */
    char name[48];              /* of the body, for messages */
} body_functions;

/* Calls f(call) within the limits, from outside Lua. */
mo_status scene_protected(scene *s, lua_CFunction f, void *call, const char *what, mo_error *err);
/* Where a value comes from, for messages: the key, whose function, when. */
typedef struct result_site {
    const char *what, *owner;
    double t;
    bool judged; /* the caller looks at numbers that are not finite */
} result_site;
/* Raises about the value at idx that a function gave. */
_Noreturn void result_wrong(lua_State *L, const result_site *site, const char *key, int idx,
                            const char *expected);
/* The finite number or dual at idx with its rate, which must be finite too. */
void result_number(lua_State *L, const result_site *site, const char *key, int idx, double *value,
                   double *rate);

/* What the function kept for `field` gives at site->t: a finite number above `above`.  Raises. */
double scene_number_now(lua_State *L, const void *field, const result_site *site, const char *key,
                        double above);

mo_status scene_motion(void *data, double t, mo_motion *out, mo_error *err);
mo_status scene_load(void *data, double t, double *load, mo_error *err);
mo_status scene_radius(void *data, double t, double *radius, double *rate, mo_error *err);
/* Keeps the function at idx for the field (an address inside f). */
void scene_keep_function(lua_State *L, const void *field, int idx);
/* Keeps or drops the block of functions of a body. */
void scene_anchor_functions(lua_State *L, uint32_t id, int idx);
void scene_drop_functions(lua_State *L, uint32_t id);
/* The body's functions or NULL. */
body_functions *scene_functions_of(lua_State *L, uint32_t id);
/* Pushes an empty block of functions. */
body_functions *scene_new_functions(lua_State *L, const char *name);
/* Keeps the value at idx as a load by function (true), or forgets the one there was. */
bool scene_take_load(lua_State *L, bool *field, int idx);

void scene_open_handles(lua_State *L);
/* Loads by functions of the chunk that numbers had replaced by the time of the frame. */
mo_status scene_restore_loads(scene *s, const mo_frame *frame, mo_error *err);
void scene_open_joints(lua_State *L);
/* remove(...) of a joint at 1; false: it is none. */
bool scene_remove_joint(lua_State *L);
void scene_open_servo(lua_State *L);
/* Loads and speeds that servos give to their bodies in the step to come. */
mo_status scene_run_servos(scene *s, mo_error *err);
/* What they are to hold, for a frame, and back; false: it is none of this scene's. */
json_t *scene_servos_as_json(const scene *s);
bool scene_take_servos(scene *s, const json_t *all);
void scene_open_cell(lua_State *L);
/* Rates and stresses that are functions, for the step to come. */
mo_status scene_run_cell(scene *s, mo_error *err);
/* How the cell deforms where that was changed on the way, for a frame, and back; false: it makes no sense. */
json_t *scene_cell_as_json(const scene *s);
bool scene_take_cell(scene *s, const json_t *all);
void scene_push_body(lua_State *L, uint32_t id);
/* The id of the body handle at idx; raises when it is none. */
uint32_t scene_body_at(lua_State *L, int idx, const char *what, const char *key);
/* Refuses more bodies than the scene may still make, before any is made. */
void scene_check_bodies(lua_State *L, const char *what, const char *key, double count);

/* ---- timing.c: of world{...}, sweep{...}, system{...} and trial{...} ------------------------------ */

/* Raises when the scene has something that runs already, or runs already. */
void scene_claim(lua_State *L, const struct scene_engine *engine);
/* h and t_end of the table at 1. */
void read_times(lua_State *L, const char *what, double *h, double *t_end);
/* record = {every =, series =} of the table at 1, into the scene. */
void read_record(lua_State *L, const char *what, double h, double every);

/* ---- world_lua.c, laws.c, measure_lua.c, contacts.c, callbacks.c ----------------------------------------
 */

void scene_open_world(lua_State *L);
/* Dimension of the world, 2 or 3; there must be one. */
size_t scene_dim(lua_State *L);
/* The world; raises when world{} has not been called. */
mo_world *scene_world(lua_State *L, const char *what);
/* The same, and raises when the world must not be changed now. */
mo_world *scene_world_to_change(lua_State *L, const char *what);
/* The same, and raises inside a step. */
mo_world *scene_world_between_steps(lua_State *L, const char *what);
void scene_open_laws(lua_State *L);
/* The world's laws as they stand in the scene. */
mo_status scene_apply_laws(scene *s, mo_error *err);
/* Line of the last law{...} that gave the key, 0 when there is none. */
int scene_law_line(const scene *s, const char *key);
void scene_free_laws(scene *s);
/* [[the default pair's numbers ...], [group, group, given, numbers ...], ...]; NULL: no memory, or text that
   is not UTF-8. */
json_t *scene_laws_as_json(const scene *s);
/* One entry of it; false: it is none.  Groups are the array's own. */
bool scene_take_law(const json_t *array, mo_law *out);
bool scene_take_pair_law(const json_t *array, const char **g1, const char **g2, pair_law *out);
void scene_open_measure(lua_State *L);
/* Into the table `measure`. */
void scene_open_contact_sums(lua_State *L);
void scene_open_contacts(lua_State *L);
void scene_open_callbacks(lua_State *L);
/* on_step of the function at idx. */
void scene_add_on_step(lua_State *L, int idx);
void scene_free_callbacks(scene *s);
mo_status scene_fire_timed(scene *s, double t, mo_error *err);
/* Marks entries that a run resumed at step k has fired already. */
void scene_skip_timed(scene *s, int64_t k);
mo_status scene_run_on_step(scene *s, double t, mo_error *err);
mo_status scene_run_stop_when(scene *s, double t, bool *stop, mo_error *err);
/* values[observers.count] */
mo_status scene_run_observers(scene *s, double t, double *values, mo_error *err);
/* values[body_observers.count bodies], a body's beside each other */
mo_status scene_run_body_observers(scene *s, double *values, mo_error *err);
mo_status scene_run_at_end(scene *s, mo_error *err);

/* ---- params.c, report.c, state_text.c, state_parse.c, resume.c ----------------------------------- */

void scene_open_params(lua_State *L);
/* param(name, default, doc) and live(...) at the beginning: checks, finds the value, pushes it and remembers
   the parameter. */
const char *scene_take_param(lua_State *L, const char *word, bool live);
/* MO_USAGE when a --set names no parameter. */
mo_status scene_check_sets(scene *s, mo_error *err);
void scene_free_params(scene *s);
/* Puts the value at idx (integer, number, string, boolean) into JSON, and the other way round. */
json_t *scene_value_as_json(lua_State *L, int idx);
bool scene_push_json(lua_State *L, const json_t *value);
void scene_open_live(lua_State *L);
/* Changes a live parameter; false: there is none of this name, or the text is no value for it. */
bool scene_set_live(scene *s, int64_t step, const char *name, const char *text);
/* Present values of the live parameters, a new object; NULL: the scene has none. */
json_t *scene_live_as_json(const scene *s);
/* Takes them back; false: they are damaged. */
bool scene_take_live(scene *s, const json_t *values);
void scene_open_report(lua_State *L);
/* The text that a frame keeps: the scene's state, laws changed on the way, reports. Freed by free(). */
mo_status scene_write_state(scene *s, char **out, mo_error *err);
mo_status scene_read_state(scene *s, const char *text, uint32_t *created, mo_error *err);
/* MO_BAD_INPUT: the scene does not build what the file holds. */
mo_status scene_differs(const scene *s, mo_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Brings the world built by the chunk to the last frame of the run. */
mo_status scene_resume(scene *s, mo_run *run, const char *path, mo_error *err);

/* ---- plot.c, sets.c, gaps.c, matrices.c, process_lua.c, trial.c ------------------------------------ */

void scene_open_plot(lua_State *L);
/* Plots made after the chunk, a new array; and taking them back (false: they are none). */
json_t *scene_late_plots(const scene *s);
bool scene_take_plots(scene *s, json_t *late);
void scene_open_sets(lua_State *L);
void scene_open_gaps(lua_State *L);
void scene_open_matrices(lua_State *L);
void scene_open_processes(lua_State *L);
void scene_open_trial(lua_State *L);
/* Frees what the process holds besides Lua's data; NULL is fine. */
void scene_close_process(struct process *p);
/* Pushes a table of numbers. */
void scene_push_numbers(lua_State *L, const double *x, size_t n);
/* A list of dim rows of dim numbers, each `stride` after the one before. */
void scene_push_rows(lua_State *L, const double *x, size_t stride);

/* ---- sizes.c, generate.c, statics_lua.c: sizes.*, generate.*, equilibrium() --------------------------- */

void scene_open_sizes(lua_State *L);
void scene_open_generate(lua_State *L);
/* What generate.rain keeps in a frame, a new array; and taking it back, bodies up to this id having been
 * made.
 */
json_t *scene_rains_as_json(const scene *s);
mo_status scene_take_rains(scene *s, const json_t *saved, uint32_t created, mo_error *err);
void scene_open_statics(lua_State *L);

/* ---- dump.c ------------------------------------------------------------------------------------ */

/* Makes the folder; MO_USAGE when what runs has no contact problems, MO_IO when it cannot be written to. */
mo_status scene_dump_begin(const scene *s, mo_error *err);
/* Around a step of the world: asks for its problem where it is wanted, and writes it. */
void scene_dump_before(const scene *s);
mo_status scene_dump_after(scene *s, mo_error *err);
/* Once the run is over: says what was not written. */
void scene_dump_end(scene *s);

/* ---- chunk.c ------------------------------------------------------------------------------------ */

/* Opens the state and runs the chunk. scene_finish must follow whatever comes back. */
mo_status scene_begin(scene *s, const scene_options *options, const scene_limits *limits, mo_error *err);
void scene_finish(scene *s);
/* What the chunk must have left behind: every --set used, something that runs. */
mo_status scene_check_chunk(scene *s, mo_error *err);
void scene_say(scene *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
