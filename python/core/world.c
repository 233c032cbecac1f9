/*
 * Worlds: the type, its making, stepping and laws.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

static const char *const schemes[] = {"moreau", "moreau-jean", "bernicot-lefebvre", NULL};
static const char *const overlaps[] = {"report", "resolve", "refuse", NULL};
static const char *const solvers[] = {"auto", "nlgs", "newton", "ipm", "prox", "apgd", "admm", "lemke", NULL};

static const field world_fields[] = {
    FIELD(mo_world_def, dim, FIELD_INT),
    FIELD(mo_world_def, h, FIELD_REAL),
    CHOICE(mo_world_def, scheme, schemes),
    FIELD(mo_world_def, theta, FIELD_REAL),
    FIELD(mo_world_def, contact_tolerance, FIELD_REAL),
    FIELD(mo_world_def, position_projection, FIELD_FLAG),
    FIELD(mo_world_def, sleeping, FIELD_FLAG),
    {"overlaps", FIELD_CHOICE, offsetof(mo_world_def, overlap), 0, overlaps},
    FIELD(mo_world_def, threads, FIELD_INT),
    FIELDS_END,
};

static const field solver_fields[] = {
    CHOICE(mo_solver_settings, name, solvers),
    FIELD(mo_solver_settings, tol, FIELD_REAL),
    FIELD(mo_solver_settings, max_iter, FIELD_INT),
    FIELD(mo_solver_settings, max_seconds, FIELD_REAL),
    FIELDS_END,
};

const field py_law_fields[] = {
    FIELD(mo_law, friction, FIELD_REAL),
    FIELD(mo_law, restitution, FIELD_REAL),
    FIELD(mo_law, tangential_restitution, FIELD_REAL),
    FIELD(mo_law, static_friction, FIELD_REAL),
    FIELD(mo_law, friction2, FIELD_REAL),
    VECTOR(mo_law, axis, 3),
    FIELD(mo_law, cohesion, FIELD_REAL),
    FIELD(mo_law, gluey, FIELD_FLAG),
    FIELD(mo_law, threshold, FIELD_REAL),
    FIELD(mo_law, rolling, FIELD_REAL),
    FIELD(mo_law, spinning, FIELD_REAL),
    FIELD(mo_law, name, FIELD_TEXT),
    FIELDS_END,
};

bool py_read_solver(PyObject *dict, mo_solver_settings *out)
{
    return py_read_fields("solver", dict, solver_fields, NULL, 0, out);
}

/* ---- whether a call may be made now
 * ------------------------------------------------------------------------ */

mo_world *py_world_to_read(world_object *w)
{
    if (w->world == NULL)
        PyErr_SetString(py_core.usage, "the world was not made: __init__ failed or was not called");
    else if (w->shared->busy)
        PyErr_SetString(py_core.usage, "the world is in a step: nothing else can be asked of it meanwhile");
    else
        return w->world;
    return NULL;
}

mo_world *py_world_to_change(world_object *w, bool structure)
{
    if (py_world_to_read(w) == NULL)
        return NULL;
    if (w->owner != NULL) {
        PyErr_SetString(py_core.usage,
                        "the world belongs to a scene: it can be read, and scene.step() steps it");
        return NULL;
    }
    if (structure && !py_nothing_lent(w->shared->body_exports, "the world"))
        return NULL;
    return w->world;
}

/* ---- life
 * ------------------------------------------------------------------------------------------------------ */

static bool define(world_object *w, PyObject *dict, mo_world_def *def)
{
    static const char *const others[] = {"gravity", "solver", "periodic", NULL};
    *def = mo_default_world_def();
    if (!py_read_fields("World", dict, world_fields, others, 0, def))
        return false;
    PyObject *gravity = py_get_item(dict, "gravity"), *solver = py_get_item(dict, "solver");
    PyObject *periodic = py_get_item(dict, "periodic");
    if (def->dim != 2 && def->dim != 3)
        return py_wrong("dim", "found %d, expected 2 or 3", def->dim) == 0;
    if (gravity != NULL && !py_read_reals(gravity, "gravity", (size_t)def->dim, def->gravity))
        return false;
    if (solver != NULL && !py_read_solver(solver, &def->solver))
        return false;
    if (periodic != NULL && !py_read_periodic(periodic, def))
        return false;
    def->solver.stop = py_guard_stop;
    def->solver.stop_data = &w->guard;
    return true;
}

static int initialise(world_object *w, PyObject *args, PyObject *keywords)
{
    mo_world_def def;
    mo_error err = {0};
    PyObject *dict;
    (void)keywords;
    if (!PyArg_ParseTuple(args, "O!:World", &PyDict_Type, &dict))
        return -1;
    if (w->world != NULL) {
        PyErr_SetString(py_core.usage, "the world is made already");
        return -1;
    }
    w->shared = &w->own;
    if ((dict = PyDict_Copy(dict)) == NULL)
        return -1;
    bool read = define(w, dict, &def);
    Py_DECREF(dict);
    if (!read)
        return -1;
    // reading may have run code that calls this very function
    if (w->world != NULL) {
        PyErr_SetString(py_core.usage, "the world is made already");
        return -1;
    }
    mo_status status = mo_world_create(&def, &w->world, &err);
    if (status != MO_OK)
        py_raise_error(status, &err);
    w->dim = def.dim;
    return status == MO_OK ? 0 : -1;
}

static int traverse(world_object *w, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE((PyObject *)w));
    Py_VISIT(w->owner);
    int done = py_guard_traverse(&w->guard, visit, arg);
    return done != 0 ? done : py_callback_traverse(&w->callbacks, visit, arg);
}

static int clear(world_object *w)
{
    py_callback_forget(&w->callbacks);
    py_guard_clear(&w->guard);
    return 0;
}

static void deallocate(world_object *w)
{
    PyObject_GC_UnTrack(w);
    clear(w);
    if (w->recorder != NULL)
        WITH_FILES(mo_recorder_destroy(w->recorder));
    if (w->owner == NULL && w->world != NULL)
        WITHOUT_LOCK(mo_world_destroy(w->world));
    py_callback_free(&w->callbacks);
    Py_CLEAR(w->owner);
    py_free_object((PyObject *)w);
}

/* ---- stepping
 * ----------------------------------------------------------------------------------------------------- */

static PyObject *step(world_object *w, PyObject *args)
{
    Py_ssize_t count = 1;
    mo_error err = {0};
    mo_status status = MO_OK;
    if (!PyArg_ParseTuple(args, "|n:step", &count))
        return NULL;
    if (count < 0) {
        py_wrong("count", "found %zd, expected a number of steps >= 0", count);
        return NULL;
    }
    mo_world *world = py_world_to_change(w, false);
    if (world == NULL || !py_nothing_lent(w->shared->contact_exports, "the contacts"))
        return NULL;
    w->shared->busy = true;
    WITHOUT_LOCK({
        for (Py_ssize_t i = 0; i < count && status == MO_OK && !py_guard_stop(&w->guard); i++)
            status = mo_world_step(world, &err);
    });
    w->shared->busy = false;
    if (!py_guard_pass(&w->guard, status, &err))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *keep_problem(world_object *w, PyObject *keep)
{
    int truth = PyObject_IsTrue(keep);
    mo_world *world = truth >= 0 ? py_world_to_change(w, false) : NULL;
    if (world == NULL)
        return NULL;
    mo_world_keep_problem(world, truth);
    Py_RETURN_NONE;
}

/* ---- laws
 * ------------------------------------------------------------------------------------------------------------
 */

static PyObject *set_law(world_object *w, PyObject *args)
{
    PyObject *dict, *between;
    mo_law law = {0};
    mo_error err = {0};
    scratch s = {0};
    const char *const *groups = NULL;
    size_t count = 0;
    if (!PyArg_ParseTuple(args, "O!O:set_law", &PyDict_Type, &dict, &between) ||
        (dict = PyDict_Copy(dict)) == NULL)
        return NULL;
    mo_status status = MO_OK;
    bool read = py_read_fields("law", dict, py_law_fields, NULL, 0, &law);
    if (read && between != Py_None)
        read = (groups = py_read_texts(between, "between", &s, &count)) != NULL &&
               (count == 2 || py_wrong("between", "found %zu groups, expected two", count) == 0);
    mo_world *world = read ? py_world_to_change(w, false) : NULL;
    if (world != NULL)
        status = groups == NULL ? mo_world_set_default_law(world, &law, &err)
                                : mo_world_set_law(world, groups[0], groups[1], &law, &err);
    if (status != MO_OK)
        py_raise_error(status, &err);
    Py_DECREF(dict);
    py_scratch_free(&s);
    if (world == NULL || status != MO_OK)
        return NULL;
    Py_RETURN_NONE;
}

/* ---- the type
 * ----------------------------------------------------------------------------------------------------------
 */

static PyMethodDef own_methods[] = {
    {"step", (PyCFunction)step, METH_VARARGS, "step(count=1)\n\nMakes steps of h."},
    {"keep_problem", (PyCFunction)keep_problem, METH_O, "Whether steps keep their contact problem."},
    {"set_law", (PyCFunction)set_law, METH_VARARGS, "set_law(law, between or None)"},
};

static PyMethodDef *all_methods(void)
{
    static PyMethodDef all[80];
    PyMethodDef *const tables[] = {py_world_body_methods, py_world_cell_methods, py_world_fact_methods,
                                   py_world_record_methods};
    size_t n = 0;
    for (size_t i = 0; i < sizeof own_methods / sizeof own_methods[0]; i++)
        all[n++] = own_methods[i];
    for (size_t k = 0; k < sizeof tables / sizeof tables[0]; k++)
        for (const PyMethodDef *m = tables[k]; m->ml_name != NULL; m++)
            all[n++] = *m;
    return all;
}

PyTypeObject *py_world_type(PyObject *module)
{
    PyType_Slot slots[] = {
        {Py_tp_doc, "A world of rigid bodies; moreau.World is what users see."},
        {Py_tp_init, initialise},
        {Py_tp_traverse, traverse},
        {Py_tp_clear, clear},
        {Py_tp_dealloc, deallocate},
        {Py_tp_methods, all_methods()},
        {0, NULL},
    };
    PyType_Spec spec = {
        .name = "moreau._core.World",
        .basicsize = sizeof(world_object),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
        .slots = slots,
    };
    return py_add_type(module, &spec);
}
