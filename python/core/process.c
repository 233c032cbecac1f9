/*
 * What sweeps and systems have in common: life, stepping, the path, events.
 */
#include "core.h"

#include <string.h>

PyObject *py_process_begin(process_object *p, PyObject *args)
{
    PyObject *dict;
    if (!PyArg_ParseTuple(args, "O!", &PyDict_Type, &dict))
        return NULL;
    if (p->handle != NULL || p->busy || p->memory.count > 0) {
        PyErr_SetString(py_core.usage, "it is made already");
        return NULL;
    }
    return dict;
}

int py_process_end(process_object *p, const process_ops *ops, void *made, double h, mo_status status,
                   const mo_error *err)
{
    p->busy = false;
    p->ops = ops;
    p->handle = made;
    p->h = h;
    return py_guard_pass(&p->guard, status, err) ? 0 : -1;
}

void *py_process_at_rest(process_object *p)
{
    if (p->handle == NULL)
        PyErr_SetString(py_core.usage, "it was not made");
    else if (p->busy)
        PyErr_SetString(py_core.usage, "it is in a step: nothing else can be asked of it meanwhile");
    else
        return p->handle;
    return NULL;
}

/* ---- events
 * --------------------------------------------------------------------------------------------------- */

/* adds (t, type, size, gaps) of the last step; false with an exception */
static bool add_events(PyObject *list, const mo_sweep_events *e)
{
    for (size_t i = 0; i < e->count; i++) {
        const mo_event *x = &e->items[i];
        PyObject *gaps = py_raw_bytes(e->gaps + x->gap_first, x->gap_count * sizeof *e->gaps);
        PyObject *event = Py_BuildValue("(dsdN)", x->t, mo_event_type_name(x->type), x->size, gaps);
        bool added = event != NULL && PyList_Append(list, event) == 0;
        Py_XDECREF(event);
        if (!added)
            return false;
    }
    return true;
}

static PyObject *events(process_object *p, PyObject *none)
{
    (void)none;
    void *handle = py_process_at_rest(p);
    PyObject *list = handle != NULL ? PyList_New(0) : NULL;
    if (list != NULL) {
        const mo_sweep_events e = p->ops->events(handle);
        if (!add_events(list, &e))
            Py_CLEAR(list);
    }
    return list;
}

/* ---- stepping
 * ---------------------------------------------------------------------------------------------------- */

typedef struct rows {
    double *x, *u, *lambda;
    Py_ssize_t count;
    PyObject *events;
} rows;

static void take_row(const process_object *p, rows *r)
{
    size_t k = (size_t)r->count;
    memcpy(r->x + k * p->n, p->ops->x(p->handle), p->n * sizeof(double));
    if (p->ops->u != NULL)
        memcpy(r->u + k * p->n, p->ops->u(p->handle), p->n * sizeof(double));
    if (p->m > 0)
        memcpy(r->lambda + k * p->m, p->ops->lambda(p->handle), p->m * sizeof(double));
    r->count++;
}

/* events are few: only steps that have some take the lock */
static void take_events(process_object *p, PyObject *list)
{
    const mo_sweep_events e = p->ops->events(p->handle);
    if (e.count == 0)
        return;
    PyGILState_STATE lock = PyGILState_Ensure();
    if (!add_events(list, &e))
        py_guard_take(&p->guard);
    PyGILState_Release(lock);
}

/* steps until count are made, one cannot be made, or something fails */
static mo_status advance(process_object *p, Py_ssize_t count, rows *r, mo_error *err)
{
    mo_status status = MO_OK;
    for (Py_ssize_t i = 0; i < count && status == MO_OK && !py_guard_stop(&p->guard); i++) {
        status = p->ops->step(p->handle, err);
        if (status != MO_OK || !p->ops->made(p->handle))
            break;
        take_row(p, r);
        take_events(p, r->events);
        status = py_record_events(p, err);
    }
    return status;
}

/* run(count) -> (steps made, x, u, lambda, events) */
static PyObject *run(process_object *p, PyObject *args)
{
    Py_ssize_t count;
    mo_error err = {0};
    mo_status status = MO_OK;
    if (!PyArg_ParseTuple(args, "n:run", &count) || py_process_at_rest(p) == NULL)
        return NULL;
    size_t most = (size_t)PY_SSIZE_T_MAX / sizeof(double) / (p->n + p->m + 1);
    if (count < 0 || (size_t)count > most) {
        py_wrong("count", "found %zd, expected a number of steps", count);
        return NULL;
    }
    size_t n = p->n * (size_t)count, m = p->m * (size_t)count;
    PyObject *x = py_numbers(NULL, n), *u = py_numbers(NULL, p->ops->u != NULL ? n : 0),
             *lambda = py_numbers(NULL, m);
    PyObject *list = PyList_New(0), *result = NULL;
    if (x != NULL && u != NULL && lambda != NULL && list != NULL) {
        rows r = {(double *)(void *)PyByteArray_AsString(x), (double *)(void *)PyByteArray_AsString(u),
                  (double *)(void *)PyByteArray_AsString(lambda), 0, list};
        p->busy = true;
        WITHOUT_LOCK(status = advance(p, count, &r, &err));
        p->busy = false;
        if (py_guard_pass(&p->guard, status, &err))
            result = Py_BuildValue("(nOOOO)", r.count, x, u, lambda, list);
    }
    Py_XDECREF(x);
    Py_XDECREF(u);
    Py_XDECREF(lambda);
    Py_XDECREF(list);
    return result;
}

/* ---- what it tells
 * -------------------------------------------------------------------------------------------------- */

static PyObject *state(process_object *p, PyObject *none)
{
    (void)none;
    void *h = py_process_at_rest(p);
    if (h == NULL)
        return NULL;
    return Py_BuildValue("(NNN)", py_numbers(p->ops->x(h), p->n),
                         py_numbers(p->ops->u != NULL ? p->ops->u(h) : NULL, p->ops->u != NULL ? p->n : 0),
                         py_numbers(p->ops->lambda(h), p->m));
}

static PyObject *info(process_object *p, PyObject *none)
{
    (void)none;
    void *h = py_process_at_rest(p);
    return h != NULL ? p->ops->info(h) : NULL;
}

static PyObject *hash(process_object *p, PyObject *none)
{
    (void)none;
    void *h = py_process_at_rest(p);
    return h != NULL ? py_hash_text(p->ops->hash(h)) : NULL;
}

/* ---- life
 * --------------------------------------------------------------------------------------------------------------
 */

static int traverse(process_object *p, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE((PyObject *)p));
    int done = py_guard_traverse(&p->guard, visit, arg);
    return done != 0 ? done : py_callback_traverse(&p->callbacks, visit, arg);
}

static int clear(process_object *p)
{
    py_callback_forget(&p->callbacks);
    py_guard_clear(&p->guard);
    return 0;
}

static void deallocate(process_object *p)
{
    PyObject_GC_UnTrack(p);
    clear(p);
    if (p->recorder != NULL)
        WITH_FILES(mo_recorder_destroy(p->recorder));
    if (p->handle != NULL)
        p->ops->destroy(p->handle);
    py_callback_free(&p->callbacks);
    py_scratch_free(&p->memory);
    py_free_object((PyObject *)p);
}

static const PyMethodDef own_methods[] = {
    {"run", (PyCFunction)run, METH_VARARGS, "run(count) -> (made, x, u, lambda, events)"},
    {"state", (PyCFunction)state, METH_NOARGS, "state() -> (x, u, lambda)"},
    {"info", (PyCFunction)info, METH_NOARGS, "info() -> dict"},
    {"events", (PyCFunction)events, METH_NOARGS, "events() -> list, of the last step"},
    {"hash_text", (PyCFunction)hash, METH_NOARGS, "hash_text() -> str"},
};

/* those of record too; the same for both types */
static PyMethodDef *all_methods(void)
{
    static PyMethodDef all[20];
    size_t n = sizeof own_methods / sizeof own_methods[0];
    memcpy(all, own_methods, sizeof own_methods);
    for (const PyMethodDef *m = py_process_record_methods; m->ml_name != NULL; m++)
        all[n++] = *m;
    return all;
}

PyTypeObject *py_process_type(PyObject *module, const char *name, initproc init, const char *doc)
{
    PyType_Slot slots[] = {
        {Py_tp_doc, (void *)doc},
        {Py_tp_init, init},
        {Py_tp_traverse, traverse},
        {Py_tp_clear, clear},
        {Py_tp_dealloc, deallocate},
        {Py_tp_methods, all_methods()},
        {0, NULL},
    };
    PyType_Spec spec = {.name = name,
                        .basicsize = sizeof(process_object),
                        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                        .slots = slots};
    return py_add_type(module, &spec);
}
