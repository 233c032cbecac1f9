/*
 * What the files of the extension module moreau._core share.
 *
 * The module is thin: it takes plain values, dicts and buffers, checks them, calls the library and gives back
 * plain values, bytearrays of numbers and views.  What users see is the Python code of python/moreau.  It is
 * written against the stable ABI of Python 3.11 and the public headers of the library.
 *
 * Safety: every argument of every function here may be anything.  While a world, scene or process runs with
 * the interpreter's lock released it is `busy`, and every other call on it raises.  Memory of the library is
 * only shown through views (view.c), which count what they lend; what would move lent memory raises
 * BufferError.
 */
#ifndef MOREAU_PYTHON_CORE_H
#define MOREAU_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <moreau/moreau.h>

#include <stdatomic.h>

/* ---- module.c --------------------------------------------------------------------------------------- */

typedef struct core_types {
    PyTypeObject *world, *scene, *run, *frame, *view, *set, *sweep, *system;
    PyObject *error, *usage, *input, *file, *io, *stopped; /* exceptions */
} core_types;
extern core_types py_core;

/* A new heap type of the module, or NULL. */
PyTypeObject *py_add_type(PyObject *module, PyType_Spec *spec);
/* A new zeroed object of the type, and its end. */
PyObject *py_new_object(PyTypeObject *type);
void py_free_object(PyObject *self);

/* ---- error.c ------------------------------------------------------------------------------------------ */

bool py_add_exceptions(PyObject *module);
/* Sets the exception of a status other than MO_OK; returns NULL. */
PyObject *py_raise_error(mo_status status, const mo_error *err);
/* None, or NULL with the exception of the status. */
PyObject *py_none(mo_status status, const mo_error *err);
/* Sets an InputError about a key; returns -1. */
int py_wrong(const char *key, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What happened inside a call of the library: exceptions of callbacks and Ctrl-C. */
typedef struct guard {
    PyObject *type, *value, *traceback; /* the first exception, or NULL */
    _Atomic double looked, asked;       /* s, when signals were last looked for, and the clock */
    _Atomic unsigned left, over; /* questions that are passed over before the next look; now, at first */
} guard;

/* Keeps the exception that is set, the first one only; with the interpreter's lock. */
void py_guard_take(guard *g);
void py_guard_clear(guard *g);
int py_guard_traverse(const guard *g, visitproc visit, void *arg);
/* As `stop` of solvers: looks for signals now and then; any thread, without the lock. */
bool py_guard_stop(void *data);
/* After the call, with the lock: raises what was kept, or the error, and returns false. */
bool py_guard_pass(guard *g, mo_status status, const mo_error *err);

/* Files are for one thread at a time: HDF5 is not built for more.  Call without the interpreter's lock. */
void py_files_lock(void);
void py_files_unlock(void);

/* Runs what stands inside without the interpreter's lock, files locked. */
#define WITHOUT_LOCK(statement)                                                                              \
    do {                                                                                                     \
        PyThreadState *saved_state = PyEval_SaveThread();                                                    \
        statement;                                                                                           \
        PyEval_RestoreThread(saved_state);                                                                   \
    } while (0)
#define WITH_FILES(statement)                                                                                \
    do {                                                                                                     \
        PyThreadState *saved_state = PyEval_SaveThread();                                                    \
        py_files_lock();                                                                                     \
        statement;                                                                                           \
        py_files_unlock();                                                                                   \
        PyEval_RestoreThread(saved_state);                                                                   \
    } while (0)

/* ---- read.c: Python values to C ------------------------------------------------------------------------ */

/* Memory that lives until all of it is freed. */
typedef struct scratch {
    void **items;
    size_t count;
} scratch;
void *py_scratch_get(scratch *s, size_t size); /* zeroed; NULL with MemoryError */
void py_scratch_free(scratch *s);

typedef enum field_kind {
    FIELD_REAL,   /* double */
    FIELD_FLAG,   /* bool */
    FIELD_INT,    /* int */
    FIELD_LONG,   /* int64_t */
    FIELD_SIZE,   /* size_t */
    FIELD_SEED,   /* uint64_t */
    FIELD_BITS,   /* unsigned */
    FIELD_CHOICE, /* an enum, by name */
    FIELD_VECTOR, /* [count] doubles */
    FIELD_POINT,  /* [dim] doubles */
    FIELD_TEXT,   /* const char *, borrowed from the dict */
    FIELD_ID,     /* uint32_t */
    FIELD_CHARS,  /* char[], out only */
} field_kind;

typedef struct field {
    const char *key;
    field_kind kind;
    size_t offset, count;
    const char *const *choices; /* NULL-terminated */
} field;

#define FIELD(type, member, how)                                                                             \
    {                                                                                                        \
#member, how, offsetof(type, member), 0, NULL                                                        \
    }
#define CHOICE(type, member, names)                                                                          \
    {                                                                                                        \
#member, FIELD_CHOICE, offsetof(type, member), 0, names                                              \
    }
#define VECTOR(type, member, n)                                                                              \
    {                                                                                                        \
#member, FIELD_VECTOR, offsetof(type, member), n, NULL                                               \
    }
#define FIELDS_END                                                                                           \
    {                                                                                                        \
        NULL, FIELD_REAL, 0, 0, NULL                                                                         \
    }

/* Fills a struct from a dict; absent keys and None leave it as it is.  Keys that are in neither list are
   errors; `others` (may be NULL) are left to the caller.  False with an exception. */
bool py_read_fields(const char *what, PyObject *dict, const field *fields, const char *const *others, int dim,
                    void *out);
/* The struct as a new dict. */
PyObject *py_write_fields(const field *fields, int dim, const void *in);
/* dict[key], borrowed; NULL without an exception when absent or None. */
PyObject *py_get_item(PyObject *dict, const char *key);
/* dict[key] = value, which is taken; false when value is NULL or it failed. */
bool py_put_item(PyObject *dict, const char *key, PyObject *value);

/* An id of a body or joint, or bits. */
bool py_read_id(PyObject *value, const char *key, uint32_t *out);
bool py_read_real(PyObject *value, const char *key, double *out);
/* Exactly count numbers: a buffer of doubles or a sequence. */
bool py_read_reals(PyObject *value, const char *key, size_t count, double *out);
/* As many as there are, in scratch memory; NULL with an exception. */
double *py_read_array(PyObject *value, const char *key, scratch *s, size_t *count);
/* The same, and the count must be this one. */
double *py_read_array_of(PyObject *value, const char *key, scratch *s, size_t count);
uint32_t *py_read_indices(PyObject *value, const char *key, scratch *s, size_t *count);
size_t *py_read_sizes(PyObject *value, const char *key, scratch *s, size_t *count);
/* A text without zero bytes, borrowed. */
const char *py_read_text(PyObject *value, const char *key);
const char *const *py_read_texts(PyObject *value, const char *key, scratch *s, size_t *count);
/* A path as a new bytes object: str, bytes or os.PathLike. */
PyObject *py_read_path(PyObject *value);
int py_read_choice(PyObject *value, const char *key, const char *const *choices);

/* Numbers as a new bytearray. */
PyObject *py_numbers(const double *x, size_t count);
/* 16 hexadecimal digits. */
PyObject *py_hash_text(uint64_t hash);
PyObject *py_raw_bytes(const void *x, size_t size);

/* ---- view.c
 * ------------------------------------------------------------------------------------------------ */

/* Where numbers lie; columns 0: one-dimensional. */
typedef struct span {
    const void *data;
    char format; /* of the struct module: d, I, Q, B, H, q, i */
    Py_ssize_t rows, columns;
} span;
typedef bool (*span_finder)(PyObject *owner, int which, span *out);

PyTypeObject *py_view_type(PyObject *module);
/* A read-only buffer over memory of owner, which it keeps alive.  Every export counts in *exports, which must
   live as long as owner. */
PyObject *py_view_new(PyObject *owner, span_finder find, int which, size_t *exports);
/* Raises BufferError when something is lent. */
bool py_nothing_lent(size_t exports, const char *what);

/* ---- callback.c
 * ---------------------------------------------------------------------------------------------- */

/* A Python function that the library calls; NULL: it was dropped. */
typedef struct callback {
    struct callback *next;
    PyObject *function;
    guard *guard;
    uint32_t body; /* whose it is, 0: none */
    size_t n, m;   /* sizes of what goes in and out */
} callback;

typedef struct callback_list {
    callback *first;
} callback_list;

/* A new entry, or NULL with an exception: the function is not callable, or no memory. */
callback *py_callback_add(callback_list *list, PyObject *function, const char *key, guard *g);
/* The one under the key of the dict; *out NULL: absent.  False with an exception. */
bool py_callback_from(callback_list *list, PyObject *dict, const char *key, guard *g, callback **out);
void py_callback_drop(callback_list *list, uint32_t body);
int py_callback_traverse(const callback_list *list, visitproc visit, void *arg);
/* Lets go of the functions, then of the entries too. */
void py_callback_forget(callback_list *list);
void py_callback_free(callback_list *list);

/* Calls the function with args (a new reference, may be NULL after a failure) and reads count numbers;
   less is allowed where least < count, and *got says how many.  With the interpreter's lock held by the
   caller. */
mo_status py_callback_numbers(callback *c, PyObject *args, size_t least, size_t count, double *out,
                              size_t *got, mo_error *err);
/* [n] numbers as a bytes object. */
PyObject *py_point_bytes(const double *x, size_t n);

mo_status py_call_motion(void *data, double t, mo_motion *out, mo_error *err);
mo_status py_call_load(void *data, double t, double *load, mo_error *err);
mo_status py_call_radius(void *data, double t, double *radius, double *rate, mo_error *err);
mo_status py_call_timed(void *data, double t, double *value, double *rate, mo_error *err);
mo_status py_call_gaps(void *data, double t, const double *x, double *g, double *gx, double *gt,
                       mo_error *err);
mo_status py_call_field(void *data, double t, const double *x, double *f, mo_error *err);

/* ---- shape.c, convex.c, moving.c: dicts to definitions
 * --------------------------------------------------------- */

bool py_read_shape(PyObject *dict, scratch *s, mo_shape_def *out, int depth);
bool py_read_set(PyObject *dict, scratch *s, mo_set *out, int depth);
bool py_read_moving_set(PyObject *dict, scratch *s, callback_list *list, guard *g, mo_moving_set *out,
                        int depth);
bool py_read_metric(PyObject *dict, const char *key, size_t n, scratch *s, mo_metric *out);
/* The arrays of a problem as a new dict. */
PyObject *py_problem_arrays(const mo_problem *problem);

/* ---- record.c
 * ------------------------------------------------------------------------------------------------------ */

/* What record_create(path, dict) of worlds and processes was given; texts belong to the dict. */
typedef struct recording {
    PyObject *path, *dict; /* own references; the path in bytes */
    scratch memory;
    mo_recorder_def def;
    bool resume; /* go on with the file */
} recording;
/* False with an exception; to be freed all the same. */
bool py_read_recording(PyObject *args, recording *r);
void py_free_recording(recording *r);
/* Ends the file and forgets the recorder; None, or NULL with an exception. */
PyObject *py_finish_recorder(mo_recorder **of, const char *how, const char *report);

/* ---- process.c: what sweeps and systems have in common
 * -------------------------------------------------------- */

typedef struct process_ops {
    mo_status (*step)(void *handle, mo_error *err);
    void (*destroy)(void *handle);
    const double *(*x)(const void *handle);
    const double *(*u)(const void *handle); /* NULL: none */
    const double *(*lambda)(const void *handle);
    mo_sweep_events (*events)(const void *handle);
    bool (*made)(const void *handle); /* the last step, or the start */
    uint64_t (*hash)(const void *handle);
    PyObject *(*info)(const void *handle);
    size_t (*state_size)(const void *handle);
    void (*save)(const void *handle, void *bytes);
    mo_status (*restore)(void *handle, const void *bytes, size_t size, mo_error *err);
    const char *kind;
    /* what holds the discs of a sweep; NULL: no such thing */
    const mo_sweep_hold *(*holds)(const void *handle, size_t *count);
} process_ops;

/* Functions of the library under the same names for both kinds, as the ops above want them. */
#define PROCESS_OPS(type, place)                                                                             \
    static mo_status step(void *h, mo_error *err)                                                            \
    {                                                                                                        \
        return type##_step(h, err);                                                                          \
    }                                                                                                        \
    static void destroy(void *h)                                                                             \
    {                                                                                                        \
        type##_destroy(h);                                                                                   \
    }                                                                                                        \
    static const double *place_of(const void *h)                                                             \
    {                                                                                                        \
        return place(h);                                                                                     \
    }                                                                                                        \
    static const double *lambda_of(const void *h)                                                            \
    {                                                                                                        \
        return type##_lambda(h);                                                                             \
    }                                                                                                        \
    static mo_sweep_events events_of(const void *h)                                                          \
    {                                                                                                        \
        return type##_events_get(h);                                                                         \
    }                                                                                                        \
    static uint64_t hash_of(const void *h)                                                                   \
    {                                                                                                        \
        return type##_hash(h);                                                                               \
    }                                                                                                        \
    static size_t size_of(const void *h)                                                                     \
    {                                                                                                        \
        return type##_state_size(h);                                                                         \
    }                                                                                                        \
    static void save(const void *h, void *bytes)                                                             \
    {                                                                                                        \
        type##_save(h, bytes);                                                                               \
    }                                                                                                        \
    static mo_status restore(void *h, const void *bytes, size_t size, mo_error *err)                         \
    {                                                                                                        \
        return type##_restore(h, bytes, size, err);                                                          \
    }

typedef struct process_object {
    PyObject_HEAD const process_ops *ops;
    void *handle;
    size_t n, m; /* coordinates, multipliers */
    scratch memory;
    callback_list callbacks;
    guard guard;
    bool busy;
    mo_moving_set set; /* of a sweep */
    double h;
    mo_recorder *recorder;
    size_t series_count;
} process_object;

/* The process when it is not in a step; NULL with an exception. */
void *py_process_at_rest(process_object *p);
/* Events of the last step to the recorder, if there is one; without the interpreter's lock. */
mo_status py_record_events(process_object *p, mo_error *err);
extern PyMethodDef py_process_record_methods[];

/* The one argument of __init__, a dict; NULL with an exception, also when the process is made already. */
PyObject *py_process_begin(process_object *p, PyObject *args);
/* The end of __init__: what was made, or the exception of the status. */
int py_process_end(process_object *p, const process_ops *ops, void *made, double h, mo_status status,
                   const mo_error *err);
PyTypeObject *py_process_type(PyObject *module, const char *name, initproc init, const char *doc);

/* ---- world.c and its parts
 * ------------------------------------------------------------------------------------ */

/* Of a world and the scene it may belong to. */
typedef struct sharing {
    bool busy;
    size_t body_exports, contact_exports;
} sharing;

typedef struct world_object {
    PyObject_HEAD mo_world *world;
    PyObject *owner; /* the scene it belongs to; NULL: its own */
    sharing own, *shared;
    guard guard;
    callback_list callbacks;
    mo_recorder *recorder;
    size_t series_count;
    int dim;
} world_object;

/* The world when it can be read, or changed; NULL with an exception. */
mo_world *py_world_to_read(world_object *w);
mo_world *py_world_to_change(world_object *w, bool structure);
/* Methods of the other files. */
extern PyMethodDef py_world_body_methods[], py_world_cell_methods[], py_world_fact_methods[],
    py_world_record_methods[];
/* For each axis None or the two ends of the cell. */
bool py_read_periodic(PyObject *value, mo_world_def *def);
PyObject *py_cell_dict(const mo_cell *cell, int dim);
extern const field py_certificate_fields[], py_energy_fields[], py_law_fields[];
bool py_read_solver(PyObject *dict, mo_solver_settings *out);

PyTypeObject *py_world_type(PyObject *module);
PyTypeObject *py_scene_type(PyObject *module);
PyTypeObject *py_run_type(PyObject *module);
PyTypeObject *py_frame_type(PyObject *module);
PyTypeObject *py_set_type(PyObject *module);
PyTypeObject *py_sweep_type(PyObject *module);
PyTypeObject *py_system_type(PyObject *module);
extern PyMethodDef py_problem_functions[], py_file_functions[], py_scene_functions[], py_convex_functions[],
    py_shape_functions[];

/* New frame object of a run. */
PyObject *py_frame_new(PyObject *run, mo_run *handle, size_t k);

#endif
