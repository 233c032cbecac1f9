/*
 * Recording a sweep or system: rows of the path, events and series in a run file, and checkpoints to go on
 * from.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

/* the process, with a recorder or without one; NULL with an exception */
static void *to_record(process_object *p, bool open)
{
    void *handle = py_process_at_rest(p);
    if (handle != NULL && (p->recorder != NULL) != open) {
        PyErr_SetString(py_core.usage, open ? "it is not being recorded" : "it is being recorded already");
        return NULL;
    }
    return handle;
}

mo_status py_record_events(process_object *p, mo_error *err)
{
    mo_status status = MO_OK;
    if (p->recorder == NULL)
        return MO_OK;
    const mo_sweep_events e = p->ops->events(p->handle);
    for (size_t i = 0; i < e.count && status == MO_OK; i++) {
        const mo_event *x = &e.items[i];
        const mo_path_event event = {.t = x->t,
                                     .size = x->size,
                                     .type = mo_event_type_name(x->type),
                                     .gap_count = x->gap_count,
                                     .gaps = e.gaps + x->gap_first};
        status = mo_recorder_path_event(p->recorder, &event, err);
    }
    return status;
}

static mo_path_def path_of(const process_object *p, const char *method)
{
    mo_path_def def = {.kind = p->ops->kind,
                       .method = method,
                       .h = p->h,
                       .coordinates = p->n,
                       .velocities = p->ops->u != NULL,
                       .multipliers = p->m};
    if (p->ops->holds != NULL && p->set.kind == MO_MOVING_DISCS) {
        def.disc_count = p->n / 2;
        def.radius = p->set.radius;
        def.wall_count = p->set.wall_count;
        def.walls = p->set.walls;
    }
    return def;
}

/* the method stands where worlds have their solver; of a run that begins, the events of the start are taken
 */
static mo_status open_recorder(process_object *p, const recording *r, mo_recorder **out, mo_error *err)
{
    const mo_path_def path = path_of(p, r->def.solver);
    const char *file = PyBytes_AsString(r->path);
    mo_status status = r->resume ? mo_recorder_resume_path(file, &r->def, &path, out, err)
                                 : mo_recorder_create_path(file, &r->def, &path, out, err);
    return status;
}

static PyObject *create(process_object *p, PyObject *args)
{
    recording r;
    mo_recorder *made = NULL;
    mo_error err = {0};
    mo_status status = MO_OK;
    void *handle = py_read_recording(args, &r) ? to_record(p, false) : NULL;
    if (handle != NULL) {
        p->busy = true;
        WITH_FILES(status = open_recorder(p, &r, &made, &err));
        p->busy = false;
        p->recorder = made;
        p->series_count = r.def.series_count;
        if (status == MO_OK && !r.resume)
            status = py_record_events(p, &err);
    }
    py_free_recording(&r);
    return handle != NULL ? py_none(status, &err) : NULL;
}

/* what holds discs, in memory of the caller; false: no memory */
static bool take_holds(const process_object *p, mo_path_row *row, uint32_t **pair, double **lambda)
{
    size_t count = 0;
    *pair = NULL;
    *lambda = NULL;
    if (p->ops->holds == NULL || p->set.kind != MO_MOVING_DISCS)
        return true;
    const mo_sweep_hold *holds = p->ops->holds(p->handle, &count);
    *pair = malloc((2 * count + 1) * sizeof **pair);
    *lambda = malloc((count + 1) * sizeof **lambda);
    if (*pair == NULL || *lambda == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        (*pair)[2 * i] = (uint32_t)holds[i].first;
        (*pair)[2 * i + 1] = (uint32_t)holds[i].second;
        (*lambda)[i] = holds[i].lambda;
    }
    row->hold_count = count;
    row->hold_pair = *pair;
    row->hold_lambda = *lambda;
    return true;
}

/* row(t, step): the point as it is */
static PyObject *record_row(process_object *p, PyObject *args)
{
    double t;
    long long step;
    uint32_t *pair;
    double *lambda;
    mo_error err = {0};
    mo_status status = MO_NO_MEMORY;
    if (!PyArg_ParseTuple(args, "dL:record_row", &t, &step))
        return NULL;
    void *handle = to_record(p, true);
    if (handle == NULL)
        return NULL;
    mo_path_row row = {.t = t, .step = step, .x = p->ops->x(handle), .lambda = p->ops->lambda(handle)};
    row.u = p->ops->u != NULL ? p->ops->u(handle) : NULL;
    if (take_holds(p, &row, &pair, &lambda))
        status = mo_recorder_path_row(p->recorder, &row, &err);
    free(pair);
    free(lambda);
    return py_none(status, &err);
}

static PyObject *record_series(process_object *p, PyObject *args)
{
    double t;
    PyObject *values, *result = NULL;
    mo_error err = {0};
    scratch s = {0};
    if (!PyArg_ParseTuple(args, "dO:record_series", &t, &values) || to_record(p, true) == NULL)
        return NULL;
    double *x = py_read_array_of(values, "series", &s, p->series_count);
    if (x != NULL && to_record(p, true) != NULL)
        result = py_none(mo_recorder_path_series(p->recorder, t, x, &err), &err);
    py_scratch_free(&s);
    return result;
}

static PyObject *saved(process_object *p, PyObject *none)
{
    (void)none;
    void *handle = py_process_at_rest(p);
    PyObject *bytes = handle != NULL ? py_raw_bytes(NULL, p->ops->state_size(handle)) : NULL;
    if (bytes != NULL)
        p->ops->save(handle, PyByteArray_AsString(bytes));
    return bytes;
}

static PyObject *restored(process_object *p, PyObject *bytes)
{
    Py_buffer b;
    mo_error err = {0};
    if (py_process_at_rest(p) == NULL || PyObject_GetBuffer(bytes, &b, PyBUF_SIMPLE) < 0)
        return NULL;
    void *handle = py_process_at_rest(p);
    mo_status status = MO_OK;
    if (handle != NULL)
        status = p->ops->restore(handle, b.buf, (size_t)b.len, &err);
    PyBuffer_Release(&b);
    return handle != NULL ? py_none(status, &err) : NULL;
}

/* checkpoint(t, step, state, must): writes all rows so far when it is time, or must be */
static PyObject *checkpoint(process_object *p, PyObject *args)
{
    mo_checkpoint c = {0};
    long long step;
    int must;
    mo_error err = {0};
    mo_status status;
    if (!PyArg_ParseTuple(args, "dLsp:record_checkpoint", &c.t, &step, &c.extra.state_text, &must) ||
        to_record(p, true) == NULL)
        return NULL;
    if (!must && !mo_recorder_checkpoint_due(p->recorder))
        Py_RETURN_NONE;
    PyObject *bytes = saved(p, NULL);
    if (bytes == NULL)
        return NULL;
    c.step = step;
    c.state = PyByteArray_AsString(bytes);
    c.state_size = (size_t)PyByteArray_Size(bytes);
    p->busy = true;
    WITH_FILES(status = mo_recorder_checkpoint(p->recorder, &c, &err));
    p->busy = false;
    Py_DECREF(bytes);
    return py_none(status, &err);
}

static PyObject *finish(process_object *p, PyObject *args)
{
    const char *how, *report;
    if (!PyArg_ParseTuple(args, "ss:record_finish", &how, &report) || to_record(p, true) == NULL)
        return NULL;
    return py_finish_recorder(&p->recorder, how, report);
}

PyMethodDef py_process_record_methods[] = {
    {"record_create", (PyCFunction)create, METH_VARARGS, "record_create(path, def)"},
    {"record_row", (PyCFunction)record_row, METH_VARARGS, "record_row(t, step)"},
    {"record_series", (PyCFunction)record_series, METH_VARARGS, "record_series(t, values)"},
    {"record_checkpoint", (PyCFunction)checkpoint, METH_VARARGS, "record_checkpoint(t, step, state, must)"},
    {"record_finish", (PyCFunction)finish, METH_VARARGS, "record_finish(status, report)"},
    {"save", (PyCFunction)saved, METH_NOARGS, "save() -> bytes to go on from"},
    {"restore", (PyCFunction)restored, METH_O, "restore(bytes)"},
    {NULL, NULL, 0, NULL},
};
