/*
 * The module moreau._core: types, exceptions, functions.
 */
#include "core.h"

core_types py_core;

PyTypeObject *py_add_type(PyObject *module, PyType_Spec *spec)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    if (type == NULL || PyModule_AddType(module, (PyTypeObject *)type) < 0) {
        Py_XDECREF(type);
        return NULL;
    }
    return (PyTypeObject *)type;
}

PyObject *py_new_object(PyTypeObject *type)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    return allocate(type, 0);
}

void py_free_object(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

static PyObject *version(PyObject *module, PyObject *args)
{
    (void)module, (void)args;
    return PyUnicode_FromString(mo_version());
}

static PyObject *solver_names(PyObject *module, PyObject *args)
{
    (void)module;
    int dim = 2;
    if (!PyArg_ParseTuple(args, "|i", &dim))
        return NULL;
    PyObject *list = PyList_New(0);
    const char *name;
    for (size_t i = 0; list != NULL && (name = mo_problem_solver_name(i)) != NULL; i++) {
        if (!mo_solver_suits(name, dim))
            continue;
        PyObject *text = PyUnicode_FromString(name);
        if (text == NULL || PyList_Append(list, text) < 0)
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

static PyMethodDef functions[] = {
    {"version", version, METH_NOARGS, "Version of the library."},
    {"solver_names", solver_names, METH_VARARGS,
     "solver_names(dim=2): names of the solvers of contact problems in dim dimensions; in 2D all there are."},
    {NULL, NULL, 0, NULL},
};

static bool add_types(PyObject *m)
{
    return (py_core.view = py_view_type(m)) != NULL && (py_core.world = py_world_type(m)) != NULL &&
           (py_core.scene = py_scene_type(m)) != NULL && (py_core.run = py_run_type(m)) != NULL &&
           (py_core.frame = py_frame_type(m)) != NULL && (py_core.set = py_set_type(m)) != NULL &&
           (py_core.sweep = py_sweep_type(m)) != NULL && (py_core.system = py_system_type(m)) != NULL;
}

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "moreau._core",
    .m_doc = "The library behind the package moreau; what users need is in the package.",
    .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
    // types and exceptions are the process's own: a second interpreter in it gets an error, not half a module
    if (py_core.error != NULL) {
        PyErr_SetString(PyExc_ImportError, "moreau can be used by one interpreter of a process");
        return NULL;
    }
    PyObject *m = PyModule_Create(&definition);
    if (m == NULL)
        return NULL;
    PyMethodDef *const tables[] = {py_problem_functions, py_file_functions, py_scene_functions,
                                   py_convex_functions, py_shape_functions};
    bool added = py_add_exceptions(m) && add_types(m);
    for (size_t i = 0; added && i < sizeof tables / sizeof tables[0]; i++)
        added = PyModule_AddFunctions(m, tables[i]) == 0;
    if (!added)
        Py_CLEAR(m);
    return m;
}
