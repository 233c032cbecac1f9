/*
 * Moving sets from dicts: {"kind": "ball", "dim": 2, "a": function or numbers, "b": ...}.
 */
#include "core.h"

static const char *const kinds[] = {"ball",   "box",       "polyhedron",   "gaps", "discs",
                                    "convex", "translate", "intersection", NULL};

static const field set_fields[] = {
    CHOICE(mo_moving_set, kind, kinds),
    FIELD(mo_moving_set, dim, FIELD_SIZE),
    FIELD(mo_moving_set, rows, FIELD_SIZE),
    FIELD(mo_moving_set, linear, FIELD_FLAG),
    FIELDS_END,
};

typedef struct reading {
    PyObject *dict;
    scratch *s;
    callback_list *list;
    guard *g;
} reading;

/* numbers, or a function of time that gives as many with their rates */
static bool read_timed(const reading *r, const char *key, size_t count, mo_timed *out)
{
    PyObject *value = py_get_item(r->dict, key);
    if (count == 0)
        return value == NULL || py_wrong(key, "does not belong to this kind of set") == 0;
    if (value == NULL)
        return py_wrong(key, "expected %zu numbers or a function, found nothing", count) == 0;
    if (!PyCallable_Check(value))
        return (out->value = py_read_array_of(value, key, r->s, count)) != NULL;
    callback *c = py_callback_add(r->list, value, key, r->g);
    if (c == NULL)
        return false;
    c->n = count;
    out->function = py_call_timed;
    out->data = c;
    return true;
}

static bool read_entries(const reading *r, mo_moving_set *out)
{
    size_t n = out->dim, a = 0, b = 0;
    switch (out->kind) {
    case MO_MOVING_BALL:
        a = n, b = 1;
        break;
    case MO_MOVING_BOX:
        a = b = n;
        break;
    case MO_MOVING_POLYHEDRON:
        if (out->rows < 1 || out->rows > 100000000 / n)
            return py_wrong("rows", "found %zu rows", out->rows) == 0;
        a = out->rows * n, b = out->rows;
        break;
    case MO_MOVING_TRANSLATE:
        a = n;
        break;
    default:
        break;
    }
    return read_timed(r, "a", a, &out->a) && read_timed(r, "b", b, &out->b);
}

static bool read_gaps(const reading *r, mo_moving_set *out)
{
    callback *c;
    if (out->kind != MO_MOVING_GAPS)
        return true;
    if (!py_callback_from(r->list, r->dict, "gaps", r->g, &c))
        return false;
    if (c == NULL || out->rows < 1 || out->rows > 100000000 / (out->dim + 2))
        return py_wrong("gaps", "expected a function and how many gaps it gives") == 0;
    c->n = out->dim;
    c->m = out->rows;
    out->gaps = py_call_gaps;
    out->data = c;
    return true;
}

static bool read_discs(const reading *r, mo_moving_set *out)
{
    PyObject *radius = py_get_item(r->dict, "radius"), *walls = py_get_item(r->dict, "walls");
    size_t count = 0;
    if (out->kind != MO_MOVING_DISCS)
        return true;
    if (radius == NULL || out->dim % 2 != 0)
        return py_wrong("radius", "expected one for each disc, and two coordinates for each") == 0;
    if ((out->radius = py_read_array_of(radius, "radius", r->s, out->dim / 2)) == NULL)
        return false;
    if (walls != NULL && (out->walls = py_read_array(walls, "walls", r->s, &count)) == NULL)
        return false;
    out->wall_count = count / 4;
    return count % 4 == 0 || py_wrong("walls", "found %zu numbers, expected four for each", count) == 0;
}

static bool read_convex(const reading *r, mo_moving_set *out, int depth)
{
    PyObject *inner = py_get_item(r->dict, "convex");
    mo_error err = {0};
    if (out->kind != MO_MOVING_CONVEX)
        return true;
    mo_set *set = inner != NULL ? py_scratch_get(r->s, sizeof *set) : NULL;
    if (set == NULL)
        return PyErr_Occurred() ? false : py_wrong("convex", "expected a convex set") == 0;
    if (!py_read_set(inner, r->s, set, depth + 1))
        return false;
    mo_status status = mo_set_check(set, &err);
    out->convex = set;
    return status == MO_OK || py_raise_error(status, &err) != NULL;
}

static bool read_children(const reading *r, mo_moving_set *out, int depth)
{
    bool one = out->kind == MO_MOVING_TRANSLATE;
    if (!one && out->kind != MO_MOVING_INTERSECTION)
        return true;
    PyObject *list = py_get_item(r->dict, "children");
    if (list == NULL || !PyTuple_Check(list) || depth > 50) {
        PyErr_SetString(PyExc_TypeError, "children: expected a tuple of sets, at most 50 deep");
        return false;
    }
    size_t count = (size_t)PyTuple_Size(list);
    if (count < 1 || (one && count != 1))
        return py_wrong("children", "found %zu sets", count) == 0;
    mo_moving_set *children = py_scratch_get(r->s, count * sizeof *children);
    for (size_t i = 0; children != NULL && i < count; i++)
        if (!py_read_moving_set(PyTuple_GetItem(list, (Py_ssize_t)i), r->s, r->list, r->g, &children[i],
                                depth + 1))
            return false;
    out->children = children;
    out->child_count = count;
    return children != NULL;
}

bool py_read_moving_set(PyObject *dict, scratch *s, callback_list *list, guard *g, mo_moving_set *out,
                        int depth)
{
    static const char *const others[] = {"a", "b", "gaps", "radius", "walls", "convex", "children", NULL};
    const reading r = {dict, s, list, g};
    *out = (mo_moving_set){0};
    if (!py_read_fields("set", dict, set_fields, others, 0, out))
        return false;
    if (out->dim < 1 || out->dim > 100000000)
        return py_wrong("dim", "found %zu, expected a dimension >= 1", out->dim) == 0;
    return read_entries(&r, out) && read_gaps(&r, out) && read_discs(&r, out) &&
           read_convex(&r, out, depth) && read_children(&r, out, depth);
}
