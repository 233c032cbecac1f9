/*
 * Shapes from dicts: {"kind": "disc", "radius": 0.1, ...}; meshes from files.
 */
#include "core.h"

static const char *const kinds[] = {"disc",      "rectangle", "polygon", "segment", "chain",
                                    "halfplane", "compound",  "sphere",  "box",     "cylinder",
                                    "capsule",   "convex",    "plane",   "mesh",    NULL};

static const field shape_fields[] = {
    CHOICE(mo_shape_def, kind, kinds),
    FIELD(mo_shape_def, radius, FIELD_REAL),
    VECTOR(mo_shape_def, size, 3),
    FIELD(mo_shape_def, height, FIELD_REAL),
    VECTOR(mo_shape_def, normal, 3),
    FIELD(mo_shape_def, offset, FIELD_REAL),
    FIELDS_END,
};

static const field child_fields[] = {
    VECTOR(mo_shape_child, position, 3),
    FIELD(mo_shape_child, angle, FIELD_REAL),
    VECTOR(mo_shape_child, orientation, 4),
    FIELDS_END,
};

static bool is_solid(mo_shape_kind kind)
{
    return kind >= MO_SHAPE_SPHERE;
}

static bool read_points(PyObject *dict, scratch *s, mo_shape_def *out)
{
    PyObject *points = py_get_item(dict, "points"), *triangles = py_get_item(dict, "triangles");
    size_t count, dim = is_solid(out->kind) ? 3 : 2;
    if (points != NULL) {
        if ((out->points = py_read_array(points, "points", s, &count)) == NULL)
            return false;
        if (count % dim != 0)
            return py_wrong("points", "found %zu numbers, expected %zu for each point", count, dim) == 0;
        out->point_count = count / dim;
    }
    if (triangles != NULL) {
        if ((out->triangles = py_read_indices(triangles, "triangles", s, &count)) == NULL)
            return false;
        if (count % 3 != 0)
            return py_wrong("triangles", "found %zu numbers, expected three for each triangle", count) == 0;
        out->triangle_count = count / 3;
    }
    return true;
}

static bool read_child(PyObject *dict, scratch *s, mo_shape_child *out, int depth)
{
    static const char *const others[] = {"shape", NULL};
    mo_shape_def *shape = py_scratch_get(s, sizeof *shape);
    if (shape == NULL || !py_read_fields("compound", dict, child_fields, others, 3, out))
        return false;
    PyObject *inner = py_get_item(dict, "shape");
    if (inner == NULL)
        return py_wrong("compound.shape", "expected a shape, found nothing") == 0;
    out->shape = shape;
    return py_read_shape(inner, s, shape, depth + 1);
}

static bool read_children(PyObject *dict, scratch *s, mo_shape_def *out, int depth)
{
    PyObject *list = py_get_item(dict, "children");
    if (list == NULL)
        return true;
    if (!PyTuple_Check(list) || depth > 8) {
        PyErr_Format(PyExc_TypeError, "children: expected a tuple of dicts, at most 8 deep, found %R", list);
        return false;
    }
    size_t count = (size_t)PyTuple_Size(list);
    mo_shape_child *children = py_scratch_get(s, count * sizeof *children);
    for (size_t i = 0; children != NULL && i < count; i++)
        if (!read_child(PyTuple_GetItem(list, (Py_ssize_t)i), s, &children[i], depth))
            return false;
    out->children = children;
    out->child_count = count;
    return children != NULL;
}

bool py_read_shape(PyObject *dict, scratch *s, mo_shape_def *out, int depth)
{
    static const char *const others[] = {"points", "triangles", "children", NULL};
    if (!py_read_fields("shape", dict, shape_fields, others, 3, out))
        return false;
    if (py_get_item(dict, "kind") == NULL)
        return py_wrong("shape.kind", "expected a kind, found nothing") == 0;
    return read_points(dict, s, out) && read_children(dict, s, out, depth);
}

/* (points, triangles) as bytearrays of doubles and 32-bit numbers */
static PyObject *mesh_read(PyObject *module, PyObject *where)
{
    mo_mesh mesh = {0};
    mo_error err = {0};
    mo_status status;
    (void)module;
    PyObject *path = py_read_path(where), *result = NULL;
    if (path == NULL)
        return NULL;
    WITHOUT_LOCK(status = mo_mesh_read(PyBytes_AsString(path), &mesh, &err));
    Py_DECREF(path);
    if (status == MO_OK)
        result =
            Py_BuildValue("(NN)", py_numbers(mesh.points, 3 * mesh.point_count),
                          py_raw_bytes(mesh.triangles, 3 * mesh.triangle_count * sizeof *mesh.triangles));
    else
        py_raise_error(status, &err);
    mo_mesh_free(&mesh);
    return result;
}

PyMethodDef py_shape_functions[] = {
    {"mesh_read", mesh_read, METH_O, "mesh_read(path) -> (points, triangles)"},
    {NULL, NULL, 0, NULL},
};
