/*
 * Scenes: opened, stepped and finished; their world as a world that belongs to them.
 */
#include "core.h"

#include <string.h>

typedef struct scene_object {
    PyObject_HEAD mo_scene *scene;
    sharing shared;
    guard guard;
    callback_list callbacks;
    callback *message;
    bool writes; /* a run file */
} scene_object;

static const field scene_fields[] = {
    FIELD(mo_scene_def, text, FIELD_TEXT),   FIELD(mo_scene_def, path, FIELD_TEXT),
    FIELD(mo_scene_def, name, FIELD_TEXT),   FIELD(mo_scene_def, seed, FIELD_SEED),
    FIELD(mo_scene_def, threads, FIELD_INT), FIELD(mo_scene_def, until, FIELD_REAL),
    FIELD(mo_scene_def, steps, FIELD_LONG),  FIELD(mo_scene_def, output, FIELD_TEXT),
    FIELD(mo_scene_def, resume, FIELD_TEXT), FIELDS_END,
};

static bool read_def(PyObject *dict, scratch *s, mo_scene_def *def)
{
    static const char *const others[] = {"sets", "message", NULL};
    *def = mo_default_scene_def();
    if (!py_read_fields("scene", dict, scene_fields, others, 0, def))
        return false;
    def->text_length = strlen(def->text);
    PyObject *sets = py_get_item(dict, "sets");
    return sets == NULL || (def->sets = py_read_texts(sets, "sets", s, &def->set_count)) != NULL;
}

/* ---- while it runs
 * ------------------------------------------------------------------------------------------------ */

static bool asked_to_stop(void *data)
{
    scene_object *x = data;
    return py_guard_stop(&x->guard);
}

static void say(void *data, const char *text)
{
    scene_object *x = data;
    PyGILState_STATE lock = PyGILState_Ensure();
    if (x->message != NULL && x->message->function != NULL && x->guard.type == NULL) {
        PyObject *words = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
        PyObject *result =
            words != NULL ? PyObject_CallFunctionObjArgs(x->message->function, words, NULL) : NULL;
        if (result == NULL)
            py_guard_take(&x->guard);
        Py_XDECREF(words);
        Py_XDECREF(result);
    }
    PyGILState_Release(lock);
}

static mo_scene *scene_at_rest(scene_object *x)
{
    if (x->scene == NULL)
        PyErr_SetString(py_core.usage, "the scene was not opened");
    else if (x->shared.busy)
        PyErr_SetString(py_core.usage, "the scene is in a step: nothing else can be asked of it meanwhile");
    else
        return x->scene;
    return NULL;
}

static mo_scene *scene_to_move(scene_object *x)
{
    mo_scene *scene = scene_at_rest(x);
    if (scene == NULL ||
        !py_nothing_lent(x->shared.body_exports + x->shared.contact_exports, "the scene's world"))
        return NULL;
    return scene;
}

static int initialise(scene_object *x, PyObject *args, PyObject *keywords)
{
    PyObject *dict;
    mo_scene_def def;
    mo_error err = {0};
    mo_status status = MO_OK;
    mo_scene *made = NULL;
    scratch s = {0};
    (void)keywords;
    if (!PyArg_ParseTuple(args, "O!:Scene", &PyDict_Type, &dict))
        return -1;
    if (x->scene != NULL || x->shared.busy) {
        PyErr_SetString(py_core.usage, "the scene is open already");
        return -1;
    }
    if ((dict = PyDict_Copy(dict)) == NULL)
        return -1;
    bool read =
        read_def(dict, &s, &def) && py_callback_from(&x->callbacks, dict, "message", &x->guard, &x->message);
    if (read) {
        def.stop = asked_to_stop;
        def.message = say;
        def.data = x;
        x->writes = def.output != NULL || def.resume != NULL;
        x->shared.busy = true;
        // a scene may read files of its own accord: meshes
        WITH_FILES(status = mo_scene_open(&def, &made, &err));
        x->shared.busy = false;
        x->scene = made;
        read = py_guard_pass(&x->guard, status, &err);
    }
    Py_DECREF(dict);
    py_scratch_free(&s);
    return read ? 0 : -1;
}

static PyObject *step(scene_object *x, PyObject *args)
{
    Py_ssize_t count = 1;
    mo_error err = {0};
    mo_status status = MO_OK;
    if (!PyArg_ParseTuple(args, "|n:step", &count))
        return NULL;
    mo_scene *scene = scene_to_move(x);
    if (scene == NULL)
        return NULL;
    x->shared.busy = true;
    WITHOUT_LOCK({
        if (x->writes)
            py_files_lock();
        for (Py_ssize_t i = 0; i < count && status == MO_OK && !mo_scene_progress_get(scene).over; i++)
            status = mo_scene_step(scene, &err);
        if (x->writes)
            py_files_unlock();
    });
    x->shared.busy = false;
    if (!py_guard_pass(&x->guard, status, &err))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *progress(scene_object *x, PyObject *none)
{
    (void)none;
    mo_scene *scene = scene_at_rest(x);
    if (scene == NULL)
        return NULL;
    const mo_scene_progress p = mo_scene_progress_get(scene);
    return Py_BuildValue("{sssdsdsdsLsLsO}", "kind", p.kind, "h", p.h, "time", p.time, "t_end", p.t_end,
                         "step", (long long)p.step, "steps", (long long)p.steps, "over",
                         p.over ? Py_True : Py_False);
}

static PyObject *numbers_or_none(const double *x, size_t count)
{
    return x != NULL ? py_numbers(x, count) : Py_NewRef(Py_None);
}

static PyObject *finish(scene_object *x, PyObject *none)
{
    (void)none;
    mo_scene_outcome o = {0};
    mo_error err = {0};
    mo_status status;
    mo_scene *scene = scene_to_move(x);
    if (scene == NULL)
        return NULL;
    x->shared.busy = true;
    WITH_FILES(status = mo_scene_finish(scene, &o, &err));
    x->shared.busy = false;
    if (!py_guard_pass(&x->guard, status, &err))
        return NULL;
    return Py_BuildValue("{sssOsOsNssszsNsNsN}", "status", o.status, "reached",
                         o.reached ? Py_True : Py_False, "interrupted", o.interrupted ? Py_True : Py_False,
                         "hash", py_hash_text(o.hash), "report", o.report_json, "events", o.events_json, "q",
                         numbers_or_none(o.q, o.coordinates), "u", numbers_or_none(o.u, o.coordinates),
                         "lambda", numbers_or_none(o.lambda, o.multipliers));
}

/* makes an empty world object show the scene's world; False: the scene is no world */
static PyObject *attach(scene_object *x, PyObject *args)
{
    world_object *w;
    if (!PyArg_ParseTuple(args, "O!:attach", py_core.world, &w))
        return NULL;
    mo_scene *scene = scene_at_rest(x);
    if (scene == NULL)
        return NULL;
    if (w->world != NULL) {
        PyErr_SetString(py_core.usage, "the world is made already");
        return NULL;
    }
    mo_world *world = mo_scene_world(scene);
    if (world == NULL)
        Py_RETURN_FALSE;
    w->world = world;
    w->owner = Py_NewRef((PyObject *)x);
    w->shared = &x->shared;
    w->dim = mo_world_bodies(world).dim;
    Py_RETURN_TRUE;
}

/* copies all bodies and adds their new ids; false with an exception */
static bool copy_bodies(const mo_world *from, mo_world *to, PyObject *ids)
{
    const mo_bodies b = mo_world_bodies(from);
    for (size_t i = 0; i < b.count; i++) {
        mo_body made;
        mo_error err = {0};
        mo_status status = mo_body_copy(to, from, (mo_body){b.id[i]}, &made, &err);
        PyObject *id = status == MO_OK ? PyLong_FromUnsignedLong(made.id) : py_raise_error(status, &err);
        bool added = id != NULL && PyList_Append(ids, id) == 0;
        Py_XDECREF(id);
        if (!added)
            return false;
    }
    return true;
}

/* the bodies of the scene's world into another world; all of them or none */
static PyObject *copy_to(scene_object *x, PyObject *args)
{
    world_object *w;
    if (!PyArg_ParseTuple(args, "O!:copy_to", py_core.world, &w))
        return NULL;
    mo_scene *scene = scene_at_rest(x);
    mo_world *to = scene != NULL ? py_world_to_change(w, true) : NULL;
    PyObject *ids = to != NULL ? PyList_New(0) : NULL;
    if (ids == NULL)
        return NULL;
    if (mo_scene_world(scene) == NULL)
        PyErr_SetString(py_core.usage, "the scene is no world");
    else if (copy_bodies(mo_scene_world(scene), to, ids))
        return ids;
    for (Py_ssize_t i = PyList_Size(ids); i-- > 0;)
        mo_body_remove(to, (mo_body){(uint32_t)PyLong_AsUnsignedLong(PyList_GetItem(ids, i))}, NULL);
    Py_DECREF(ids);
    return NULL;
}

/* ---- life
 * ---------------------------------------------------------------------------------------------------------------
 */

static int traverse(scene_object *x, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE((PyObject *)x));
    int done = py_guard_traverse(&x->guard, visit, arg);
    return done != 0 ? done : py_callback_traverse(&x->callbacks, visit, arg);
}

static int clear(scene_object *x)
{
    py_callback_forget(&x->callbacks);
    py_guard_clear(&x->guard);
    return 0;
}

static void deallocate(scene_object *x)
{
    PyObject_GC_UnTrack(x);
    clear(x);
    if (x->scene != NULL)
        WITH_FILES(mo_scene_close(x->scene));
    py_callback_free(&x->callbacks);
    py_free_object((PyObject *)x);
}

static PyMethodDef methods[] = {
    {"step", (PyCFunction)step, METH_VARARGS, "step(count=1)"},
    {"progress", (PyCFunction)progress, METH_NOARGS, "progress() -> dict"},
    {"finish", (PyCFunction)finish, METH_NOARGS, "finish() -> dict"},
    {"copy_to", (PyCFunction)copy_to, METH_VARARGS, "copy_to(world) -> ids"},
    {"attach", (PyCFunction)attach, METH_VARARGS, "attach(world) -> bool"},
    {NULL, NULL, 0, NULL},
};

PyTypeObject *py_scene_type(PyObject *module)
{
    PyType_Slot slots[] = {
        {Py_tp_doc, "A scene; moreau.Scene is what users see."},
        {Py_tp_init, initialise},
        {Py_tp_traverse, traverse},
        {Py_tp_clear, clear},
        {Py_tp_dealloc, deallocate},
        {Py_tp_methods, methods},
        {0, NULL},
    };
    PyType_Spec spec = {.name = "moreau._core.Scene",
                        .basicsize = sizeof(scene_object),
                        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                        .slots = slots};
    return py_add_type(module, &spec);
}

/* ---- parameters
 * ------------------------------------------------------------------------------------------------------------
 */

static void take_param(void *data, const mo_scene_param *p)
{
    PyObject *item = Py_BuildValue("(ssss)", p->name, p->value, p->type, p->doc);
    if (item != NULL && !PyErr_Occurred())
        PyList_Append(data, item);
    Py_XDECREF(item);
}

static PyObject *params(PyObject *module, PyObject *arg)
{
    mo_scene_def def;
    mo_error err = {0};
    scratch s = {0};
    (void)module;
    PyObject *dict = PyDict_Check(arg) ? PyDict_Copy(arg) : NULL, *list = NULL;
    if (dict == NULL) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_TypeError, "scene: expected a dict, found %R", arg);
        return NULL;
    }
    if (read_def(dict, &s, &def) && (list = PyList_New(0)) != NULL) {
        mo_status status = mo_scene_params(&def, take_param, list, &err);
        if (status != MO_OK)
            py_raise_error(status, &err);
        if (PyErr_Occurred())
            Py_CLEAR(list);
    }
    Py_DECREF(dict);
    py_scratch_free(&s);
    return list;
}

PyMethodDef py_scene_functions[] = {
    {"scene_params", params, METH_O, "scene_params(def) -> [(name, value, type, doc)]"},
    {NULL, NULL, 0, NULL},
};
