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

bool py_read_recording(PyObject *args, recording *r)
{
    static const char *const others[] = {"series", "resume", NULL};
    PyObject *where, *dict, *names, *go_on;
    *r = (recording){
        .def = {.scene_name = "", .scene_text = "", .params_json = "{}", .solver = "auto", .seed = 1}};
    if (!PyArg_ParseTuple(args, "OO!:record_create", &where, &PyDict_Type, &dict) ||
        (r->dict = PyDict_Copy(dict)) == NULL ||
        !py_read_fields("record", r->dict, recorder_fields, others, 0, &r->def) ||
        (r->path = py_read_path(where)) == NULL)
        return false;
    if ((names = py_get_item(r->dict, "series")) != NULL &&
        (r->def.series = py_read_texts(names, "series", &r->memory, &r->def.series_count)) == NULL)
        return false;
    if ((go_on = py_get_item(r->dict, "resume")) != NULL)
        r->resume = PyObject_IsTrue(go_on) == 1;
    if (!(r->def.every > 0))
        return py_wrong("every", "found %g, expected seconds > 0", r->def.every) == 0;
    return !PyErr_Occurred();
}

void py_free_recording(recording *r)
{
    Py_XDECREF(r->path);
    Py_XDECREF(r->dict);
    py_scratch_free(&r->memory);
}

static PyObject *create(world_object *w, PyObject *args)
{
    recording r;
    mo_recorder *made = NULL;
    mo_error err = {0};
    mo_status status = MO_OK;
    bool read = py_read_recording(args, &r);
    mo_world *world = read ? to_record(w, false) : NULL;
    if (world != NULL) {
        const char *path = PyBytes_AsString(r.path);
        w->shared->busy = true;
        WITH_FILES(status = r.resume ? mo_recorder_resume(path, &r.def, world, &made, &err)
                                     : mo_recorder_create(path, &r.def, world, &made, &err));
        w->shared->busy = false;
        w->recorder = made;
        w->series_count = r.def.series_count;
    }
    py_free_recording(&r);
    return world != NULL ? py_none(status, &err) : NULL;
}

static PyObject *step(world_object *w, PyObject *none)
{
    (void)none;
    mo_error err = {0};
    mo_world *world = to_record(w, true);
    return world != NULL ? py_none(mo_recorder_step(w->recorder, world, &err), &err) : NULL;
}

static PyObject *series(world_object *w, PyObject *values)
{
    mo_error err = {0};
    scratch s = {0};
    mo_world *world = to_record(w, true);
    double *x = world != NULL ? py_read_array_of(values, "series", &s, w->series_count) : NULL;
    PyObject *result = NULL;
    if (x != NULL && (world = to_record(w, true)) != NULL)
        result = py_none(mo_recorder_series(w->recorder, world, x, &err), &err);
    py_scratch_free(&s);
    return result;
}

static PyObject *frame(world_object *w, PyObject *text)
{
    const mo_frame_extra extra = {.state_text = py_read_text(text, "state")};
    mo_error err = {0};
    mo_status status;
    mo_world *world = extra.state_text != NULL ? to_record(w, true) : NULL;
    if (world == NULL)
        return NULL;
    w->shared->busy = true;
    WITH_FILES(status = mo_recorder_frame(w->recorder, world, &extra, &err));
    w->shared->busy = false;
    return py_none(status, &err);
}

PyObject *py_finish_recorder(mo_recorder **of, const char *how, const char *report)
{
    mo_recorder *recorder = *of;
    mo_error err = {0};
    mo_status status;
    *of = NULL;
    WITH_FILES(status = mo_recorder_finish(recorder, how, report, &err); mo_recorder_destroy(recorder));
    return py_none(status, &err);
}

static PyObject *finish(world_object *w, PyObject *args)
{
    const char *how, *report;
    if (!PyArg_ParseTuple(args, "ss:record_finish", &how, &report) || to_record(w, true) == NULL)
        return NULL;
    return py_finish_recorder(&w->recorder, how, report);
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
    return py_none(status, &err);
}

PyMethodDef py_world_record_methods[] = {
    {"snapshot", (PyCFunction)snapshot, METH_O, "snapshot(path): the world as a run file of one frame"},
    {"record_create", (PyCFunction)create, METH_VARARGS, "record_create(path, def)"},
    {"record_step", (PyCFunction)step, METH_NOARGS, "record_step()"},
    {"record_series", (PyCFunction)series, METH_O, "record_series(values)"},
    {"record_frame", (PyCFunction)frame, METH_O, "record_frame(state)"},
    {"record_finish", (PyCFunction)finish, METH_VARARGS, "record_finish(status, report)"},
    {NULL, NULL, 0, NULL},
};
