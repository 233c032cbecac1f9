/*
 * Convex sets: nearest points, distances, support functions, normal cones; projection in a metric.
 */
#include "core.h"

#include <string.h>

static const char *const kinds[] = {"halfspace", "affine",   "ball",         "box",   "polyhedron",
                                    "coulomb",   "elliptic", "cylinder",     "disc",  "translate",
                                    "scaled",    "product",  "intersection", "polar", NULL};
static const char *const sides[] = {"self", "dual", "polar", NULL};

static const field set_fields[] = {
    CHOICE(mo_set, kind, kinds),       FIELD(mo_set, dim, FIELD_SIZE),      FIELD(mo_set, offset, FIELD_REAL),
    FIELD(mo_set, radius, FIELD_REAL), FIELD(mo_set, friction, FIELD_REAL), FIELD(mo_set, factor, FIELD_REAL),
    VECTOR(mo_set, axes, 2),           CHOICE(mo_set, side, sides),         FIELDS_END,
};

static bool read_vector(PyObject *dict, const char *key, scratch *s, size_t count, const double **out)
{
    PyObject *value = py_get_item(dict, key);
    if (value != NULL)
        *out = py_read_array_of(value, key, s, count);
    return value == NULL || *out != NULL;
}

static bool read_children(PyObject *dict, scratch *s, mo_set *out, int depth)
{
    PyObject *list = py_get_item(dict, "children");
    if (list == NULL)
        return true;
    if (!PyTuple_Check(list) || depth > 50) {
        PyErr_SetString(PyExc_TypeError, "children: expected a tuple of sets, at most 50 deep");
        return false;
    }
    size_t count = (size_t)PyTuple_Size(list);
    mo_set *children = py_scratch_get(s, count * sizeof *children);
    for (size_t i = 0; children != NULL && i < count; i++)
        if (!py_read_set(PyTuple_GetItem(list, (Py_ssize_t)i), s, &children[i], depth + 1))
            return false;
    out->children = children;
    out->child_count = count;
    return children != NULL;
}

/* what the library takes for granted of a kind */
static bool has_what_it_needs(const mo_set *x)
{
    bool vector = x->kind == MO_SET_HALFSPACE || x->kind == MO_SET_TRANSLATE;
    bool rows = x->kind == MO_SET_AFFINE || x->kind == MO_SET_POLYHEDRON;
    bool child = x->kind == MO_SET_TRANSLATE || x->kind == MO_SET_SCALED || x->kind == MO_SET_POLAR;
    bool some = x->kind == MO_SET_PRODUCT || x->kind == MO_SET_INTERSECTION;
    if (x->dim < 1 || x->dim > 100000000)
        return py_wrong("dim", "found %zu, expected a dimension >= 1", x->dim) == 0;
    if (vector && x->vector == NULL)
        return py_wrong("vector", "expected %zu numbers, found nothing", x->dim) == 0;
    if (rows && x->rows == NULL)
        return py_wrong("rows", "expected rows, found nothing") == 0;
    if (x->kind == MO_SET_BOX && (x->lower == NULL || x->upper == NULL))
        return py_wrong("lower", "expected lower and upper bounds, found nothing") == 0;
    if ((child && x->child_count != 1) || (some && x->child_count < 1))
        return py_wrong("children", "found %zu sets, expected %s", x->child_count, child ? "one" : "some") ==
               0;
    return true;
}

bool py_read_set(PyObject *dict, scratch *s, mo_set *out, int depth)
{
    static const char *const others[] = {"vector", "lower", "upper", "rows", "rhs", "children", NULL};
    *out = (mo_set){0};
    if (!py_read_fields("set", dict, set_fields, others, 0, out) || !read_children(dict, s, out, depth))
        return false;
    PyObject *rows = py_get_item(dict, "rows");
    size_t count = 0;
    if (out->dim < 1)
        return py_wrong("dim", "expected a dimension >= 1") == 0;
    if (rows != NULL && (out->rows = py_read_array(rows, "rows", s, &count)) == NULL)
        return false;
    if (count % out->dim != 0)
        return py_wrong("rows", "found %zu numbers, expected %zu for each row", count, out->dim) == 0;
    out->row_count = count / out->dim;
    return read_vector(dict, "vector", s, out->dim, &out->vector) &&
           read_vector(dict, "lower", s, out->dim, &out->lower) &&
           read_vector(dict, "upper", s, out->dim, &out->upper) &&
           read_vector(dict, "rhs", s, out->row_count, &out->rhs) && has_what_it_needs(out);
}

/* ---- the type
 * ----------------------------------------------------------------------------------------------------- */

typedef struct set_object {
    PyObject_HEAD scratch memory;
    mo_set set;
    mo_set_workspace *workspace; /* NULL: not made */
} set_object;

static int initialise(set_object *x, PyObject *args, PyObject *keywords)
{
    PyObject *dict;
    mo_error err = {0};
    scratch s = {0};
    mo_set set;
    (void)keywords;
    if (!PyArg_ParseTuple(args, "O!:Set", &PyDict_Type, &dict))
        return -1;
    if (x->workspace != NULL) {
        PyErr_SetString(py_core.usage, "the set is made already");
        return -1;
    }
    bool read = py_read_set(dict, &s, &set, 0);
    mo_status status = read ? mo_set_check(&set, &err) : MO_OK;
    if (read && status == MO_OK && x->workspace == NULL)
        status = mo_set_workspace_create(&x->workspace, &err);
    if (status != MO_OK)
        py_raise_error(status, &err);
    if (!read || status != MO_OK) {
        py_scratch_free(&s);
        return -1;
    }
    x->memory = s;
    x->set = set;
    return 0;
}

static void deallocate(set_object *x)
{
    mo_set_workspace_destroy(x->workspace);
    py_scratch_free(&x->memory);
    py_free_object((PyObject *)x);
}

static bool made(const set_object *x)
{
    if (x->workspace == NULL)
        PyErr_SetString(py_core.usage, "the set was not made");
    return x->workspace != NULL;
}

static const field info_fields[] = {
    FIELD(mo_set_info, converged, FIELD_FLAG), FIELD(mo_set_info, empty, FIELD_FLAG),
    FIELD(mo_set_info, iterations, FIELD_INT), FIELD(mo_set_info, violation, FIELD_REAL),
    FIELD(mo_set_info, gap, FIELD_REAL),       FIELDS_END,
};

static PyObject *prox(set_object *x, PyObject *point)
{
    scratch s = {0};
    mo_set_info info = {0};
    mo_error err = {0};
    PyObject *result = NULL;
    double *z = made(x) ? py_read_array_of(point, "z", &s, x->set.dim) : NULL;
    if (z != NULL) {
        mo_status status = mo_set_prox(&x->set, z, z, x->workspace, &info, &err);
        result = status == MO_OK ? Py_BuildValue("(NN)", py_numbers(z, x->set.dim),
                                                 py_write_fields(info_fields, 0, &info))
                                 : py_raise_error(status, &err);
    }
    py_scratch_free(&s);
    return result;
}

/* distance(z), support(v, tol), normal_distance(x, v, tol) by name */
static PyObject *value(set_object *x, PyObject *args)
{
    static const char *const names[] = {"distance", "support", "normal_distance", "dissipation", NULL};
    PyObject *name, *first, *second;
    double tol, out = 0;
    scratch s = {0};
    mo_set_info info = {.converged = true};
    mo_error err = {0};
    if (!PyArg_ParseTuple(args, "OOOd:value", &name, &first, &second, &tol) || !made(x))
        return NULL;
    int which = py_read_choice(name, "value", names);
    if (which < 0)
        return NULL;
    size_t n = which == 3 ? x->set.dim - 1 : x->set.dim;
    double *a = py_read_array_of(first, "point", &s, n), *b = NULL;
    if (a != NULL && which == 2)
        b = py_read_array_of(second, "v", &s, n);
    PyObject *result = NULL;
    if (a != NULL && (which != 2 || b != NULL)) {
        mo_set_workspace *w = x->workspace;
        mo_status status = which == 0   ? mo_set_distance(&x->set, a, &out, w, &info, &err)
                           : which == 1 ? mo_set_support(&x->set, a, tol, &out, w, &info, &err)
                           : which == 2 ? mo_set_normal_distance(&x->set, a, b, tol, &out, w, &info, &err)
                                        : mo_cone_dissipation(&x->set, a, &out, w, &err);
        result = status == MO_OK ? Py_BuildValue("(dO)", out, info.converged ? Py_True : Py_False)
                                 : py_raise_error(status, &err);
    }
    py_scratch_free(&s);
    return result;
}

static PyObject *facts(set_object *x, PyObject *none)
{
    (void)none;
    if (!made(x))
        return NULL;
    return Py_BuildValue("(nNN)", (Py_ssize_t)x->set.dim, PyBool_FromLong(mo_set_is_cone(&x->set)),
                         PyBool_FromLong(mo_set_is_polyhedral(&x->set)));
}

static PyMethodDef methods[] = {
    {"prox", (PyCFunction)prox, METH_O, "prox(z) -> (bytearray, dict)"},
    {"value", (PyCFunction)value, METH_VARARGS, "value(name, point, v, tol) -> (float, converged)"},
    {"facts", (PyCFunction)facts, METH_NOARGS, "facts() -> (dim, is_cone, is_polyhedral)"},
    {NULL, NULL, 0, NULL},
};

PyTypeObject *py_set_type(PyObject *module)
{
    PyType_Slot slots[] = {
        {Py_tp_doc, "A convex set; moreau.Set is what users see."},
        {Py_tp_init, initialise},
        {Py_tp_dealloc, deallocate},
        {Py_tp_methods, methods},
        {0, NULL},
    };
    PyType_Spec spec = {.name = "moreau._core.Set",
                        .basicsize = sizeof(set_object),
                        .flags = Py_TPFLAGS_DEFAULT,
                        .slots = slots};
    return py_add_type(module, &spec);
}

/* ---- projection in a metric
 * ---------------------------------------------------------------------------------------------- */

bool py_read_metric(PyObject *dict, const char *key, size_t n, scratch *s, mo_metric *out)
{
    static const char *const names[] = {"identity", "diagonal", "dense", "banded", "blocks", "sparse", NULL};
    static const field fields[] = {CHOICE(mo_metric, kind, names), FIELD(mo_metric, width, FIELD_SIZE),
                                   FIELDS_END};
    static const char *const others[] = {"entries", "start", "column", NULL};
    *out = (mo_metric){.kind = MO_METRIC_IDENTITY};
    if (!py_read_fields(key, dict, fields, others, 0, out))
        return false;
    PyObject *entries = py_get_item(dict, "entries"), *start = py_get_item(dict, "start"),
             *column = py_get_item(dict, "column");
    size_t count = 0, starts = 0, columns = 0;
    if (out->kind == MO_METRIC_IDENTITY)
        return true;
    if (entries == NULL || out->width > n ||
        (out->kind == MO_METRIC_BLOCKS && (out->width < 1 || n % out->width != 0)))
        return py_wrong(key, "expected entries and a width that fits %zu unknowns", n) == 0;
    if ((out->entries = py_read_array(entries, key, s, &count)) == NULL)
        return false;
    size_t wanted = out->kind == MO_METRIC_DIAGONAL ? n
                    : out->kind == MO_METRIC_DENSE  ? n * n
                    : out->kind == MO_METRIC_BANDED ? n * (out->width + 1)
                    : out->kind == MO_METRIC_BLOCKS ? n * out->width
                                                    : count;
    if (count != wanted)
        return py_wrong(key, "found %zu entries, expected %zu", count, wanted) == 0;
    if (out->kind != MO_METRIC_SPARSE)
        return true;
    if (start == NULL || column == NULL || (out->start = py_read_sizes(start, key, s, &starts)) == NULL ||
        (out->column = py_read_indices(column, key, s, &columns)) == NULL)
        return PyErr_Occurred() ? false : py_wrong(key, "expected start and column") == 0;
    if (starts != n + 1 || columns != count || out->start[0] != 0 || out->start[n] != count)
        return py_wrong(key, "start does not fit %zu unknowns and %zu entries", n, count) == 0;
    for (size_t i = 0; i < n; i++) {
        if (out->start[i] > out->start[i + 1])
            return py_wrong(key, "start falls at row %zu", i) == 0;
        for (size_t k = out->start[i]; k < out->start[i + 1]; k++)
            if (out->column[k] >= n || (k > out->start[i] && out->column[k] <= out->column[k - 1]))
                return py_wrong(key, "columns of row %zu do not rise below %zu", i, n) == 0;
    }
    return true;
}

static const char *const outcomes[] = {"solved", "empty", "undecided", NULL};
static const field projection_fields[] = {
    CHOICE(mo_projection_info, outcome, outcomes),
    FIELD(mo_projection_info, iterations, FIELD_INT),
    FIELD(mo_projection_info, active_count, FIELD_SIZE),
    FIELD(mo_projection_info, violation, FIELD_REAL),
    FIELD(mo_projection_info, slack, FIELD_REAL),
    FIELD(mo_projection_info, stationarity, FIELD_REAL),
    FIELD(mo_projection_info, farkas_gap, FIELD_REAL),
    FIELD(mo_projection_info, farkas_residual, FIELD_REAL),
    FIELD(mo_projection_info, empty_radius, FIELD_REAL),
    FIELDS_END,
};

/* project(A, b, equalities, z, metric or None) -> (x, lambda, dict) */
static PyObject *project(PyObject *module, PyObject *args)
{
    PyObject *A, *b, *z, *metric, *result = NULL;
    Py_ssize_t equalities;
    mo_polyhedron set = {0};
    mo_metric M;
    mo_projection_info info = {0};
    mo_error err = {0};
    scratch s = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "OOnOO:project", &A, &b, &equalities, &z, &metric))
        return NULL;
    double *x = py_read_array(z, "z", &s, &set.n), *lambda = NULL;
    bool read = x != NULL && (set.b = py_read_array(b, "b", &s, &set.rows)) != NULL &&
                (set.n > 0 || py_wrong("z", "expected a point, found no numbers") == 0) &&
                (set.A = py_read_array_of(A, "A", &s, set.rows * set.n)) != NULL &&
                (metric == Py_None || py_read_metric(metric, "metric", set.n, &s, &M)) &&
                (lambda = py_scratch_get(&s, set.rows * sizeof *lambda)) != NULL;
    if (read && (equalities < 0 || (size_t)equalities > set.rows))
        read = py_wrong("equalities", "found %zd of %zu rows", equalities, set.rows) == 0;
    if (read) {
        set.equalities = (size_t)equalities;
        mo_status status =
            mo_polyhedron_project(&set, metric != Py_None ? &M : NULL, x, x, lambda, &info, &err);
        result = status == MO_OK ? Py_BuildValue("(NNN)", py_numbers(x, set.n), py_numbers(lambda, set.rows),
                                                 py_write_fields(projection_fields, 0, &info))
                                 : py_raise_error(status, &err);
    }
    py_scratch_free(&s);
    return result;
}

PyMethodDef py_convex_functions[] = {
    {"project", project, METH_VARARGS, "project(A, b, equalities, z, metric) -> (x, lambda, info)"},
    {NULL, NULL, 0, NULL},
};
