/*
 * The periodic cell of a world: where it is, and how it deforms.
 */
#include "core.h"

static const field control_fields[] = {
    VECTOR(mo_cell_control, rate, 9),
    VECTOR(mo_cell_control, stress, 9),
    FIELD(mo_cell_control, mass, FIELD_REAL),
    FIELD(mo_cell_control, damping, FIELD_REAL),
    FIELDS_END,
};

static const field cell_fields[] = {
    FIELD(mo_cell, origin, FIELD_POINT),
    VECTOR(mo_cell, edges, 9),
    VECTOR(mo_cell, rate, 9),
    FIELD(mo_cell, volume, FIELD_REAL),
    FIELDS_END,
};

bool py_read_periodic(PyObject *value, mo_world_def *def)
{
    const Py_ssize_t dim = def->dim;
    if (!PyTuple_Check(value) || PyTuple_Size(value) != dim) {
        PyErr_Format(PyExc_TypeError, "periodic: expected for each axis None or two numbers, found %R",
                     value);
        return false;
    }
    for (Py_ssize_t k = 0; k < dim; k++) {
        PyObject *range = PyTuple_GetItem(value, k);
        double ends[2];
        if (range == Py_None)
            continue;
        if (!py_read_reals(range, "periodic", 2, ends))
            return false;
        def->periodic[k] = true;
        def->cell_min[k] = ends[0];
        def->cell_max[k] = ends[1];
    }
    return true;
}

static PyObject *flags(const bool *x, size_t count)
{
    PyObject *list = PyTuple_New((Py_ssize_t)count);
    for (size_t k = 0; list != NULL && k < count; k++)
        PyTuple_SetItem(list, (Py_ssize_t)k, PyBool_FromLong(x[k]));
    return list;
}

PyObject *py_cell_dict(const mo_cell *cell, int dim)
{
    PyObject *dict = py_write_fields(cell_fields, dim, cell);
    if (dict != NULL && !py_put_item(dict, "periodic", flags(cell->periodic, (size_t)dim)))
        Py_CLEAR(dict);
    return dict;
}

static PyObject *cell_get(world_object *w, PyObject *none)
{
    (void)none;
    mo_world *world = py_world_to_read(w);
    if (world == NULL)
        return NULL;
    const mo_cell cell = mo_world_cell(world);
    return py_cell_dict(&cell, w->dim);
}

static bool read_control(PyObject *dict, int dim, mo_cell_control *out)
{
    static const char *const others[] = {"by_stress", NULL};
    double which[9] = {0};
    if (!py_read_fields("cell", dict, control_fields, others, dim, out))
        return false;
    PyObject *by = Py_XNewRef(py_get_item(dict, "by_stress"));
    bool read = by == NULL || py_read_reals(by, "by_stress", 9, which);
    Py_XDECREF(by);
    for (size_t k = 0; k < 9; k++)
        out->by_stress[k] = which[k] != 0;
    return read;
}

static PyObject *cell_set(world_object *w, PyObject *dict)
{
    mo_cell_control control = {0};
    mo_error err = {0};
    if (py_world_to_read(w) == NULL || !read_control(dict, w->dim, &control))
        return NULL;
    mo_world *world = py_world_to_change(w, false);
    return world != NULL ? py_none(mo_world_control_cell(world, &control, &err), &err) : NULL;
}

static PyObject *cell_control(world_object *w, PyObject *none)
{
    (void)none;
    mo_world *world = py_world_to_read(w);
    if (world == NULL)
        return NULL;
    const mo_cell_control control = mo_world_cell_control(world);
    PyObject *dict = py_write_fields(control_fields, w->dim, &control);
    if (dict != NULL && !py_put_item(dict, "by_stress", flags(control.by_stress, 9)))
        Py_CLEAR(dict);
    return dict;
}

PyMethodDef py_world_cell_methods[] = {
    {"cell_get", (PyCFunction)cell_get, METH_NOARGS, "cell_get() -> dict"},
    {"cell_set", (PyCFunction)cell_set, METH_O, "cell_set(control)"},
    {"cell_control", (PyCFunction)cell_control, METH_NOARGS, "cell_control() -> dict"},
    {NULL, NULL, 0, NULL},
};
