/*
 * Recording a world: a run file that the world's steps are written to.
 */
#include "core.h"

#include <string.h>

static const field recorder_fields[] = {
    FIELD(mo_recorder_def, scene_name, FIELD_TEXT),  FIELD(mo_recorder_def, scene_text, FIELD_TEXT),
    FIELD(mo_recorder_def, params_json, FIELD_TEXT), FIELD(mo_recorder_def, seed, FIELD_SEED),
    FIELD(mo_recorder_def, t_end, FIELD_REAL),       FIELD(mo_recorder_def, every, FIELD_REAL),
    FIELD(mo_recorder_def, solver, FIELD_TEXT),      FIELDS_END,
};

/* the world, with a recorder or without one; NULL with an exception */
static mo_world *to_record(world_object *w, bool open)
{
    mo_world *world = py_world_to_read(w);
    if (world != NULL && (w->recorder != NULL) != open) {
        PyErr_SetString(py_core.usage,
                        open ? "the world is not being recorded" : "the world is being recorded already");
        return NULL;
    }
    return world;
}

static PyObject *nothing(mo_status status, const mo_error *err)
{
    if (status != MO_OK)
        return py_raise_error(status, err);
    Py_RETURN_NONE;
}

static PyObject *create(world_object *w, PyObject *args)
{
    static const char *const others[] = {"series", NULL};
    PyObject *where, *dict, *path = NULL, *names;
    mo_recorder_def def = {
        .scene_name = "", .scene_text = "", .params_json = "{}", .solver = "auto", .seed = 1};
    mo_recorder *made = NULL;
    scratch s = {0};
    mo_error err = {0};
    mo_status status = MO_OK;
    if (!PyArg_ParseTuple(args, "OO!:record_create", &where, &PyDict_Type, &dict) ||
        (dict = PyDict_Copy(dict)) == NULL)
        return NULL;
    bool read = py_read_fields("record", dict, recorder_fields, others, 0, &def) &&
                (path = py_read_path(where)) != NULL;
    if (read && (names = py_get_item(dict, "series")) != NULL)
        read = (def.series = py_read_texts(names, "series", &s, &def.series_count)) != NULL;
    if (read && !(def.every > 0))
        read = py_wrong("every", "found %g, expected seconds > 0", def.every) == 0;
    mo_world *world = read ? to_record(w, false) : NULL;
    if (world != NULL) {
        w->shared->busy = true;
        WITH_FILES(status = mo_recorder_create(PyBytes_AsString(path), &def, world, &made, &err));
        w->shared->busy = false;
        w->recorder = made;
        w->series_count = def.series_count;
    }
    Py_XDECREF(path);
    Py_DECREF(dict);
    py_scratch_free(&s);
    return world != NULL ? nothing(status, &err) : NULL;
}

static PyObject *step(world_object *w, PyObject *none)
{
    (void)none;
    mo_error err = {0};
    mo_world *world = to_record(w, true);
    return world != NULL ? nothing(mo_recorder_step(w->recorder, world, &err), &err) : NULL;
}

static PyObject *series(world_object *w, PyObject *values)
{
    mo_error err = {0};
    scratch s = {0};
    mo_world *world = to_record(w, true);
    double *x = world != NULL ? py_read_array_of(values, "series", &s, w->series_count) : NULL;
    PyObject *result = NULL;
    if (x != NULL && (world = to_record(w, true)) != NULL)
        result = nothing(mo_recorder_series(w->recorder, world, x, &err), &err);
    py_scratch_free(&s);
    return result;
}

static PyObject *frame(world_object *w, PyObject *none)
{
    (void)none;
    const mo_frame_extra extra = {.state_text = ""};
    mo_error err = {0};
    mo_status status;
    mo_world *world = to_record(w, true);
    if (world == NULL)
        return NULL;
    w->shared->busy = true;
    WITH_FILES(status = mo_recorder_frame(w->recorder, world, &extra, &err));
    w->shared->busy = false;
    return nothing(status, &err);
}

static PyObject *finish(world_object *w, PyObject *args)
{
    const char *how, *report;
    mo_error err = {0};
    mo_status status;
    if (!PyArg_ParseTuple(args, "ss:record_finish", &how, &report) || to_record(w, true) == NULL)
        return NULL;
    mo_recorder *recorder = w->recorder;
    w->recorder = NULL;
    WITH_FILES(status = mo_recorder_finish(recorder, how, report, &err); mo_recorder_destroy(recorder));
    return nothing(status, &err);
}

static mo_status write_snapshot(const char *path, const mo_recorder_def *def, mo_world *world, mo_error *err)
{
    const mo_frame_extra extra = {.state_text = ""};
    mo_recorder *recorder = NULL;
    mo_status status = mo_recorder_create(path, def, world, &recorder, err);
    if (status == MO_OK)
        status = mo_recorder_frame(recorder, world, &extra, err);
    if (status == MO_OK)
        status = mo_recorder_finish(recorder, "ok", "{}", err);
    mo_recorder_destroy(recorder);
    return status;
}

/* the world as it is in a run file of one frame; of a world that is being recorded too */
static PyObject *snapshot(world_object *w, PyObject *where)
{
    mo_recorder_def def = {
        .scene_name = "", .scene_text = "", .params_json = "{}", .solver = "auto", .seed = 1, .every = 1};
    mo_error err = {0};
    mo_status status;
    PyObject *path = py_read_path(where);
    mo_world *world = path != NULL ? py_world_to_read(w) : NULL;
    if (world == NULL) {
        Py_XDECREF(path);
        return NULL;
    }
    w->shared->busy = true;
    WITH_FILES(status = write_snapshot(PyBytes_AsString(path), &def, world, &err));
    w->shared->busy = false;
    Py_DECREF(path);
    return nothing(status, &err);
}

PyMethodDef py_world_record_methods[] = {
    {"snapshot", (PyCFunction)snapshot, METH_O, "snapshot(path): the world as a run file of one frame"},
    {"record_create", (PyCFunction)create, METH_VARARGS, "record_create(path, def)"},
    {"record_step", (PyCFunction)step, METH_NOARGS, "record_step()"},
    {"record_series", (PyCFunction)series, METH_O, "record_series(values)"},
    {"record_frame", (PyCFunction)frame, METH_NOARGS, "record_frame()"},
    {"record_finish", (PyCFunction)finish, METH_VARARGS, "record_finish(status, report)"},
    {NULL, NULL, 0, NULL},
};
