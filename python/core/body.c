/*
 * Bodies and joints of a world.
 */
#include "core.h"

#include <math.h>
#include <string.h>

static const char *const kinds[] = {"dynamic", "fixed", "moved", NULL};
static const char *const joint_kinds[] = {"hinge", "ball", "slider", "fixed", "distance", "spring", NULL};

static const field body_fields[] = {
    CHOICE(mo_body_def, kind, kinds),
    FIELD(mo_body_def, density, FIELD_REAL),
    FIELD(mo_body_def, mass, FIELD_REAL),
    FIELD(mo_body_def, inertia, FIELD_REAL),
    VECTOR(mo_body_def, inertia3, 3),
    FIELD(mo_body_def, group, FIELD_TEXT),
    FIELD(mo_body_def, name, FIELD_TEXT),
    FIELD(mo_body_def, position, FIELD_POINT),
    FIELD(mo_body_def, angle, FIELD_REAL),
    VECTOR(mo_body_def, orientation, 4),
    FIELD(mo_body_def, velocity, FIELD_POINT),
    FIELD(mo_body_def, spin, FIELD_REAL),
    VECTOR(mo_body_def, spin3, 3),
    FIELD(mo_body_def, free, FIELD_BITS),
    FIELD(mo_body_def, keep_origin, FIELD_FLAG),
    FIELD(mo_body_def, applied_force, FIELD_POINT),
    FIELD(mo_body_def, applied_torque, FIELD_REAL),
    VECTOR(mo_body_def, applied_torque3, 3),
    FIELDS_END,
};

static const field state_fields[] = {
    CHOICE(mo_body_state, kind, kinds),
    FIELD(mo_body_state, position, FIELD_POINT),
    FIELD(mo_body_state, velocity, FIELD_POINT),
    FIELD(mo_body_state, angle, FIELD_REAL),
    FIELD(mo_body_state, spin, FIELD_REAL),
    VECTOR(mo_body_state, orientation, 4),
    VECTOR(mo_body_state, spin3, 3),
    FIELD(mo_body_state, mass, FIELD_REAL),
    FIELD(mo_body_state, inertia, FIELD_REAL),
    VECTOR(mo_body_state, inertia3, 3),
    FIELD(mo_body_state, applied_force, FIELD_POINT),
    FIELD(mo_body_state, applied_torque, FIELD_REAL),
    VECTOR(mo_body_state, applied_torque3, 3),
    FIELD(mo_body_state, force, FIELD_POINT),
    FIELD(mo_body_state, torque, FIELD_REAL),
    VECTOR(mo_body_state, torque3, 3),
    FIELD(mo_body_state, group, FIELD_TEXT),
    FIELD(mo_body_state, name, FIELD_TEXT),
    FIELDS_END,
};

static const field joint_fields[] = {
    CHOICE(mo_joint_def, kind, joint_kinds),
    {"body1", FIELD_ID, offsetof(mo_joint_def, body1), 0, NULL},
    {"body2", FIELD_ID, offsetof(mo_joint_def, body2), 0, NULL},
    FIELD(mo_joint_def, at, FIELD_POINT),
    FIELD(mo_joint_def, at2, FIELD_POINT),
    FIELD(mo_joint_def, axis, FIELD_POINT),
    FIELD(mo_joint_def, length, FIELD_REAL),
    FIELD(mo_joint_def, limited, FIELD_FLAG),
    VECTOR(mo_joint_def, limits, 2),
    FIELD(mo_joint_def, driven, FIELD_FLAG),
    FIELD(mo_joint_def, speed, FIELD_REAL),
    FIELD(mo_joint_def, max_load, FIELD_REAL),
    FIELD(mo_joint_def, stiffness, FIELD_REAL),
    FIELD(mo_joint_def, damping, FIELD_REAL),
    FIELD(mo_joint_def, collide, FIELD_FLAG),
    FIELDS_END,
};

static const field joint_state_fields[] = {
    CHOICE(mo_joint_state, kind, joint_kinds),
    {"body1", FIELD_ID, offsetof(mo_joint_state, body1), 0, NULL},
    {"body2", FIELD_ID, offsetof(mo_joint_state, body2), 0, NULL},
    FIELD(mo_joint_state, point, FIELD_POINT),
    FIELD(mo_joint_state, force, FIELD_POINT),
    VECTOR(mo_joint_state, torque, 3),
    FIELD(mo_joint_state, value, FIELD_REAL),
    FIELD(mo_joint_state, rate, FIELD_REAL),
    FIELD(mo_joint_state, motor, FIELD_REAL),
    FIELD(mo_joint_state, max_load, FIELD_REAL),
    FIELDS_END,
};

/* ---- bodies
 * -------------------------------------------------------------------------------------------------- */

typedef struct body_calls {
    callback *motion, *load, *radius;
} body_calls;

/* functions of the body, in a list of their own until it is made */
static bool read_functions(world_object *w, PyObject *dict, callback_list *list, mo_body_def *def)
{
    body_calls c;
    if (!py_callback_from(list, dict, "motion", &w->guard, &c.motion) ||
        !py_callback_from(list, dict, "load", &w->guard, &c.load) ||
        !py_callback_from(list, dict, "radius_function", &w->guard, &c.radius))
        return false;
    if (c.motion != NULL) {
        c.motion->n = w->dim == 2 ? 3 : 7;
        c.motion->m = w->dim == 2 ? 3 : 6;
        def->motion = py_call_motion;
        def->motion_data = c.motion;
    }
    if (c.load != NULL) {
        c.load->n = w->dim == 2 ? 3 : 6;
        def->load = py_call_load;
        def->load_data = c.load;
    }
    if (c.radius != NULL) {
        def->radius = py_call_radius;
        def->radius_data = c.radius;
    }
    return true;
}

static bool define_body(world_object *w, PyObject *dict, scratch *s, callback_list *list, mo_body_def *def)
{
    static const char *const others[] = {"shape", "collides_with", "motion", "load", "radius_function", NULL};
    *def = mo_default_body_def();
    if (!py_read_fields("body", dict, body_fields, others, w->dim, def))
        return false;
    PyObject *shape = py_get_item(dict, "shape"), *groups = py_get_item(dict, "collides_with");
    if (shape == NULL)
        return py_wrong("shape", "expected a shape, found nothing") == 0;
    if (!py_read_shape(shape, s, &def->shape, 0))
        return false;
    if (groups != NULL &&
        (def->collides_with = py_read_texts(groups, "collides_with", s, &def->collides_with_count)) == NULL)
        return false;
    return read_functions(w, dict, list, def);
}

/* the functions of a body that is there go to the world's own list */
static void adopt(world_object *w, callback_list *list, uint32_t body)
{
    while (list->first != NULL) {
        callback *c = list->first;
        list->first = c->next;
        c->body = body;
        c->next = w->callbacks.first;
        w->callbacks.first = c;
    }
}

static PyObject *body_add(world_object *w, PyObject *arg)
{
    mo_body_def def;
    mo_body body = {0};
    mo_error err = {0};
    scratch s = {0};
    callback_list list = {0};
    mo_status status = MO_OK;
    if (py_world_to_change(w, true) == NULL)
        return NULL;
    if (!PyDict_Check(arg)) {
        PyErr_Format(PyExc_TypeError, "body: expected a dict, found %R", arg);
        return NULL;
    }
    PyObject *dict = PyDict_Copy(arg);
    bool read = dict != NULL && define_body(w, dict, &s, &list, &def);
    mo_world *world = read ? py_world_to_change(w, true) : NULL;
    if (world != NULL) {
        // a motion or radius may be asked for its start
        w->shared->busy = true;
        status = mo_body_create(world, &def, &body, &err);
        w->shared->busy = false;
        if (status == MO_OK)
            adopt(w, &list, body.id);
        if (!py_guard_pass(&w->guard, status, &err))
            world = NULL;
    }
    py_scratch_free(&s);
    py_callback_free(&list);
    Py_XDECREF(dict);
    return world != NULL ? PyLong_FromUnsignedLong(body.id) : NULL;
}

typedef enum world_access { READ, CHANGE, BUILD } world_access;

/* the world when it can be asked about the body or joint with this id; NULL with an exception */
static mo_world *with_id(world_object *w, PyObject *value, world_access how, uint32_t *id)
{
    if (!py_read_id(value, "id", id))
        return NULL;
    return how == READ ? py_world_to_read(w) : py_world_to_change(w, how == BUILD);
}

static PyObject *body_remove(world_object *w, PyObject *value)
{
    uint32_t id;
    mo_error err = {0};
    mo_world *world = with_id(w, value, BUILD, &id);
    // its contacts go with it
    if (world == NULL || !py_nothing_lent(w->shared->contact_exports, "the contacts"))
        return NULL;
    mo_status status = mo_body_remove(world, (mo_body){id}, &err);
    if (status == MO_OK)
        py_callback_drop(&w->callbacks, id);
    return py_none(status, &err);
}

static PyObject *body_exists(world_object *w, PyObject *value)
{
    uint32_t id;
    mo_world *world = with_id(w, value, READ, &id);
    return world != NULL ? PyBool_FromLong(mo_body_exists(world, (mo_body){id})) : NULL;
}

static PyObject *body_get(world_object *w, PyObject *value)
{
    uint32_t id;
    mo_body_state state;
    mo_error err = {0};
    mo_world *world = with_id(w, value, READ, &id);
    if (world == NULL)
        return NULL;
    mo_status status = mo_body_get(world, (mo_body){id}, &state, &err);
    return status == MO_OK ? py_write_fields(state_fields, w->dim, &state) : py_raise_error(status, &err);
}

static PyObject *body_set(world_object *w, PyObject *args)
{
    uint32_t id;
    PyObject *value, *dict;
    mo_body_state state;
    mo_error err = {0};
    mo_world *world =
        PyArg_ParseTuple(args, "OO:body_set", &value, &dict) ? with_id(w, value, CHANGE, &id) : NULL;
    if (world == NULL)
        return NULL;
    mo_status status = mo_body_get(world, (mo_body){id}, &state, &err);
    if (status != MO_OK)
        return py_raise_error(status, &err);
    // reading the dict may run code that steps the world or takes the body away
    if (!py_read_fields("body", dict, state_fields, NULL, w->dim, &state) ||
        py_world_to_change(w, false) == NULL)
        return NULL;
    return py_none(mo_body_set(world, (mo_body){id}, &state, &err), &err);
}

static PyObject *body_set_load(world_object *w, PyObject *args)
{
    uint32_t id;
    double load[6] = {0};
    PyObject *value, *numbers;
    mo_error err = {0};
    if (!PyArg_ParseTuple(args, "OO:body_set_load", &value, &numbers) ||
        !py_read_reals(numbers, "load", w->dim == 2 ? 3 : 6, load))
        return NULL;
    mo_world *world = with_id(w, value, CHANGE, &id);
    return world != NULL ? py_none(mo_body_set_load(world, (mo_body){id}, load, &err), &err) : NULL;
}

static PyObject *body_set_free(world_object *w, PyObject *args)
{
    uint32_t id, bits;
    double velocity[3] = {0};
    PyObject *value, *kept, *numbers;
    mo_error err = {0};
    if (!PyArg_ParseTuple(args, "OOO:body_set_free", &value, &kept, &numbers) ||
        !py_read_id(kept, "free", &bits) || !py_read_reals(numbers, "velocity", (size_t)w->dim, velocity))
        return NULL;
    mo_world *world = with_id(w, value, CHANGE, &id);
    return world != NULL ? py_none(mo_body_set_free(world, (mo_body){id}, bits, velocity, &err), &err) : NULL;
}

/* radius about the centre of mass of a circle or sphere that holds the body; half-planes and planes: 0 */
static double reach_of(const mo_body_raw *raw, int dim)
{
    double reach = 0;
    for (size_t p = 0; p < raw->part_count; p++)
        for (uint32_t k = 0; k < raw->parts[p].vertex_count; k++) {
            const double *x = raw->vertices + (size_t)dim * (raw->parts[p].vertex_first + k);
            reach = fmax(reach, hypot(hypot(x[0], x[1]), dim == 3 ? x[2] : 0) + raw->parts[p].radius);
        }
    return reach;
}

/* the freedoms that a body keeps, whether functions move or load it, and its reach */
static PyObject *body_facts(world_object *w, PyObject *value)
{
    uint32_t id;
    mo_world *world = with_id(w, value, READ, &id);
    size_t slot = world != NULL ? mo_world_slot(world, (mo_body){id}) : SIZE_MAX;
    if (world != NULL && slot == SIZE_MAX)
        PyErr_Format(py_core.usage, "body %lu is not in the world", (unsigned long)id);
    if (slot == SIZE_MAX)
        return NULL;
    mo_body_raw raw;
    mo_body_raw_get(world, slot, &raw);
    return Py_BuildValue("(IOd)", raw.free, raw.has_functions ? Py_True : Py_False, reach_of(&raw, w->dim));
}

static PyObject *body_name(world_object *w, PyObject *args)
{
    unsigned long long slot;
    mo_world *world = PyArg_ParseTuple(args, "K:body_name", &slot) ? py_world_to_read(w) : NULL;
    if (world == NULL)
        return NULL;
    if (slot >= mo_world_bodies(world).count) {
        PyErr_SetString(PyExc_IndexError, "no such body");
        return NULL;
    }
    return PyUnicode_DecodeUTF8(mo_world_body_name(world, (size_t)slot),
                                (Py_ssize_t)strlen(mo_world_body_name(world, (size_t)slot)),
                                "surrogateescape");
}

/* ---- joints
 * ----------------------------------------------------------------------------------------------------- */

static PyObject *joint_add(world_object *w, PyObject *dict)
{
    mo_joint_def def = mo_default_joint_def();
    mo_joint joint;
    mo_error err = {0};
    if (py_world_to_read(w) == NULL || !py_read_fields("joint", dict, joint_fields, NULL, w->dim, &def))
        return NULL;
    mo_world *world = py_world_to_change(w, true);
    if (world == NULL)
        return NULL;
    mo_status status = mo_joint_create(world, &def, &joint, &err);
    return status == MO_OK ? PyLong_FromUnsignedLong(joint.id) : py_raise_error(status, &err);
}

static PyObject *joint_remove(world_object *w, PyObject *value)
{
    uint32_t id;
    mo_error err = {0};
    mo_world *world = with_id(w, value, BUILD, &id);
    return world != NULL ? py_none(mo_joint_remove(world, (mo_joint){id}, &err), &err) : NULL;
}

static PyObject *joint_exists(world_object *w, PyObject *value)
{
    uint32_t id;
    mo_world *world = with_id(w, value, READ, &id);
    return world != NULL ? PyBool_FromLong(mo_joint_exists(world, (mo_joint){id})) : NULL;
}

static PyObject *joint_get(world_object *w, PyObject *value)
{
    uint32_t id;
    mo_joint_state state;
    mo_error err = {0};
    mo_world *world = with_id(w, value, READ, &id);
    if (world == NULL)
        return NULL;
    mo_status status = mo_joint_get(world, (mo_joint){id}, &state, &err);
    return status == MO_OK ? py_write_fields(joint_state_fields, w->dim, &state)
                           : py_raise_error(status, &err);
}

static PyObject *joint_drive(world_object *w, PyObject *args)
{
    uint32_t id;
    double speed, load;
    PyObject *value;
    mo_error err = {0};
    mo_world *world = PyArg_ParseTuple(args, "Odd:joint_drive", &value, &speed, &load)
                          ? with_id(w, value, CHANGE, &id)
                          : NULL;
    return world != NULL ? py_none(mo_joint_drive(world, (mo_joint){id}, speed, load, &err), &err) : NULL;
}

PyMethodDef py_world_body_methods[] = {
    {"body_add", (PyCFunction)body_add, METH_O, "body_add(def) -> id"},
    {"body_remove", (PyCFunction)body_remove, METH_O, "body_remove(id)"},
    {"body_exists", (PyCFunction)body_exists, METH_O, "body_exists(id) -> bool"},
    {"body_get", (PyCFunction)body_get, METH_O, "body_get(id) -> dict"},
    {"body_set", (PyCFunction)body_set, METH_VARARGS, "body_set(id, dict)"},
    {"body_set_load", (PyCFunction)body_set_load, METH_VARARGS, "body_set_load(id, load)"},
    {"body_set_free", (PyCFunction)body_set_free, METH_VARARGS, "body_set_free(id, free, velocity)"},
    {"body_facts", (PyCFunction)body_facts, METH_O, "body_facts(id) -> (free, has functions, reach)"},
    {"body_name", (PyCFunction)body_name, METH_VARARGS, "body_name(slot) -> str"},
    {"joint_add", (PyCFunction)joint_add, METH_O, "joint_add(def) -> id"},
    {"joint_remove", (PyCFunction)joint_remove, METH_O, "joint_remove(id)"},
    {"joint_exists", (PyCFunction)joint_exists, METH_O, "joint_exists(id) -> bool"},
    {"joint_get", (PyCFunction)joint_get, METH_O, "joint_get(id) -> dict"},
    {"joint_drive", (PyCFunction)joint_drive, METH_VARARGS, "joint_drive(id, speed, max_load)"},
    {NULL, NULL, 0, NULL},
};
