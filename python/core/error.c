/*
 * Errors of the library as exceptions, exceptions of callbacks, signals, and the lock of files.
 */
#include "core.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static PyObject *exception(PyObject *module, const char *name, const char *doc, PyObject *base1,
                           PyObject *base2)
{
    char full[64];
    snprintf(full, sizeof full, "moreau.%s", name);
    PyObject *bases = base2 != NULL ? PyTuple_Pack(2, base1, base2) : PyTuple_Pack(1, base1);
    PyObject *made = bases != NULL ? PyErr_NewExceptionWithDoc(full, doc, bases, NULL) : NULL;
    Py_XDECREF(bases);
    if (made == NULL || PyModule_AddObjectRef(module, name, made) < 0)
        Py_CLEAR(made);
    return made;
}

bool py_add_exceptions(PyObject *m)
{
    py_core.error = exception(m, "Error",
                              "Something the library refused. Attributes: message, key, file, line, status; "
                              "key and file are '' and line is 0 where they do not apply.",
                              PyExc_Exception, NULL);
    if (py_core.error == NULL)
        return false;
    py_core.usage =
        exception(m, "UsageError", "A call that does not fit what it is made on.", py_core.error, NULL);
    py_core.input = exception(m, "InputError", "A value that makes no sense: the key says which.",
                              py_core.error, PyExc_ValueError);
    py_core.file = exception(m, "FileError", "A file that is not sound.", py_core.error, NULL);
    py_core.io =
        exception(m, "IOFailure", "The system could not read or write.", py_core.error, PyExc_OSError);
    py_core.stopped = exception(m, "Stopped", "A run that was asked to stop.", py_core.error, NULL);
    return py_core.usage != NULL && py_core.input != NULL && py_core.file != NULL && py_core.io != NULL &&
           py_core.stopped != NULL;
}

/* ---- raising ------------------------------------------------------------------------------------------ */

static PyObject *class_of(mo_status status)
{
    switch (status) {
    case MO_USAGE:
        return py_core.usage;
    case MO_BAD_INPUT:
        return py_core.input;
    case MO_BAD_FILE:
        return py_core.file;
    case MO_IO:
        return py_core.io;
    case MO_STOPPED:
        return py_core.stopped;
    case MO_NO_MEMORY:
        return PyExc_MemoryError;
    default:
        return py_core.error;
    }
}

/* bytes that are not UTF-8 (paths) are kept by escapes */
static PyObject *text_of(const char *text)
{
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "surrogateescape");
}

static bool set_text(PyObject *e, const char *name, const char *text)
{
    PyObject *value = text_of(text);
    bool done = value != NULL && PyObject_SetAttrString(e, name, value) == 0;
    Py_XDECREF(value);
    return done;
}

/* file:line: key: message, as the program writes it */
static PyObject *full_text(const mo_error *err, mo_status status)
{
    char text[1500], place[330] = "", key[80] = "";
    if (err->file[0] != '\0' && err->line > 0)
        snprintf(place, sizeof place, "%s:%d: ", err->file, err->line);
    else if (err->file[0] != '\0')
        snprintf(place, sizeof place, "%s: ", err->file);
    if (err->key[0] != '\0')
        snprintf(key, sizeof key, "%s: ", err->key);
    snprintf(text, sizeof text, "%s%s%s", place, key,
             err->message[0] != '\0' ? err->message : mo_status_name(status));
    return text_of(text);
}

PyObject *py_raise_error(mo_status status, const mo_error *err)
{
    PyObject *text = full_text(err, status), *class = class_of(status), *e = NULL, *line = NULL;
    if (text != NULL)
        e = PyObject_CallFunctionObjArgs(class, text, NULL);
    Py_XDECREF(text);
    if (e == NULL)
        return NULL;
    line = PyLong_FromLong(err->line);
    bool told = line != NULL && PyObject_SetAttrString(e, "line", line) == 0 &&
                set_text(e, "file", err->file) && set_text(e, "key", err->key) &&
                set_text(e, "message", err->message) && set_text(e, "status", mo_status_name(status));
    if (told)
        PyErr_SetObject(class, e);
    Py_XDECREF(line);
    Py_DECREF(e);
    return NULL;
}

PyObject *py_none(mo_status status, const mo_error *err)
{
    if (status != MO_OK)
        return py_raise_error(status, err);
    Py_RETURN_NONE;
}

int py_wrong(const char *key, const char *format, ...)
{
    mo_error err = {.status = MO_BAD_INPUT};
    va_list args;
    va_start(args, format);
    vsnprintf(err.message, sizeof err.message, format, args);
    va_end(args);
    snprintf(err.key, sizeof err.key, "%s", key);
    py_raise_error(MO_BAD_INPUT, &err);
    return -1;
}

/* ---- what happened inside a call ------------------------------------------------------------------------
 */

void py_guard_take(guard *g)
{
    if (g->type == NULL)
        PyErr_Fetch(&g->type, &g->value, &g->traceback);
    else
        PyErr_Clear();
}

void py_guard_clear(guard *g)
{
    Py_CLEAR(g->type);
    Py_CLEAR(g->value);
    Py_CLEAR(g->traceback);
}

int py_guard_traverse(const guard *g, visitproc visit, void *arg)
{
    Py_VISIT(g->type);
    Py_VISIT(g->value);
    Py_VISIT(g->traceback);
    return 0;
}

/* a coarse clock does for people, and costs next to nothing */
static double now(void)
{
    struct timespec t;
#ifdef CLOCK_MONOTONIC_COARSE
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
#else
    clock_gettime(CLOCK_MONOTONIC, &t);
#endif
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* solvers ask after every contact: of many questions in a short time only some are looked at */
static bool is_time(guard *g, double t)
{
    enum { MOST_PASSED_OVER = 15 };
    static const double pause = 0.05, short_time = 1e-3;
    unsigned over = g->over;
    over = t - g->asked < short_time ? 2 * over + 1 : 0;
    g->over = over < MOST_PASSED_OVER ? over : MOST_PASSED_OVER;
    g->left = g->over;
    g->asked = t;
    if (t - g->looked < pause)
        return false;
    g->looked = t;
    return true;
}

bool py_guard_stop(void *data)
{
    guard *g = data;
    if (g->type != NULL)
        return true;
    // of several threads some may count the same question: no harm
    const unsigned left = atomic_load_explicit(&g->left, memory_order_relaxed);
    if (left > 0) {
        atomic_store_explicit(&g->left, left - 1, memory_order_relaxed);
        return false;
    }
    if (!is_time(g, now()))
        return false;
    PyGILState_STATE lock = PyGILState_Ensure();
    if (PyErr_CheckSignals() < 0)
        py_guard_take(g);
    PyGILState_Release(lock);
    return g->type != NULL;
}

bool py_guard_pass(guard *g, mo_status status, const mo_error *err)
{
    if (g->type != NULL) {
        PyErr_Restore(g->type, g->value, g->traceback);
        g->type = g->value = g->traceback = NULL;
        return false;
    }
    if (status != MO_OK)
        py_raise_error(status, err);
    return status == MO_OK;
}

/* ---- files ------------------------------------------------------------------------------------------------
 */

static pthread_mutex_t file_mutex;

/* a callback that runs while files are locked may itself read one */
static void make_mutex(void)
{
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&file_mutex, &kind);
    pthread_mutexattr_destroy(&kind);
}

void py_files_lock(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_mutex);
    pthread_mutex_lock(&file_mutex);
}

void py_files_unlock(void)
{
    pthread_mutex_unlock(&file_mutex);
}
