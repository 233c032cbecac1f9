/*
 * What a world tells: views of its arrays, its info, measures, the step problem, equilibrium.
 */
#include "core.h"

#include <string.h>

/* ---- views
 * --------------------------------------------------------------------------------------------------- */

typedef enum columns { ONE, DIM, NQ, NU, NI, FOUR } columns;

static Py_ssize_t column_count(columns c, int dim)
{
    switch (c) {
    case DIM:
        return dim;
    case NQ:
        return dim == 2 ? 3 : 7;
    case NU:
        return dim == 2 ? 3 : 6;
    case NI:
        return dim == 2 ? 0 : 3;
    case FOUR:
        return 4;
    default:
        return 0;
    }
}

typedef struct array {
    const char *name;
    char format;
    columns columns;
    size_t offset; /* of the pointer in mo_bodies or mo_contacts */
} array;

static const array body_arrays[] = {
    {"id", 'I', ONE, offsetof(mo_bodies, id)},
    {"q", 'd', NQ, offsetof(mo_bodies, q)},
    {"u", 'd', NU, offsetof(mo_bodies, u)},
    {"mass", 'd', ONE, offsetof(mo_bodies, mass)},
    {"inertia", 'd', NI, offsetof(mo_bodies, inertia)},
    {"axes", 'd', FOUR, offsetof(mo_bodies, axes)},
    {"origin", 'd', DIM, offsetof(mo_bodies, origin)},
    {"area", 'd', ONE, offsetof(mo_bodies, area)},
    {"kind", 'B', ONE, offsetof(mo_bodies, kind)},
    {"group", 'B', ONE, offsetof(mo_bodies, group)},
    {"load", 'd', NU, SIZE_MAX},
    {"force", 'd', NU, SIZE_MAX - 1},
};

static const array contact_arrays[] = {
    {"id1", 'I', ONE, offsetof(mo_contacts, id1)},
    {"id2", 'I', ONE, offsetof(mo_contacts, id2)},
    {"slot1", 'I', ONE, offsetof(mo_contacts, slot1)},
    {"slot2", 'I', ONE, offsetof(mo_contacts, slot2)},
    {"feature", 'Q', ONE, offsetof(mo_contacts, feature)},
    {"point", 'd', DIM, offsetof(mo_contacts, point)},
    {"normal", 'd', DIM, offsetof(mo_contacts, normal)},
    {"gap", 'd', ONE, offsetof(mo_contacts, gap)},
    {"impulse", 'd', DIM, offsetof(mo_contacts, impulse)},
    {"velocity", 'd', DIM, offsetof(mo_contacts, velocity)},
    {"status", 'B', ONE, offsetof(mo_contacts, status)},
    {"law", 'H', ONE, offsetof(mo_contacts, law)},
    {"memory", 'd', ONE, offsetof(mo_contacts, memory)},
};

/* a pointer kept in a struct */
static const void *pointer_at(const void *in, size_t offset)
{
    const void *p;
    memcpy(&p, (const char *)in + offset, sizeof p);
    return p;
}

static bool find_body_array(PyObject *owner, int which, span *out)
{
    world_object *w = (world_object *)owner;
    const array *a = &body_arrays[which];
    mo_world *world = py_world_to_read(w);
    if (world == NULL)
        return false;
    const mo_bodies b = mo_world_bodies(world);
    const void *data = a->offset == SIZE_MAX       ? (const void *)mo_world_loads(world)
                       : a->offset == SIZE_MAX - 1 ? (const void *)mo_world_forces(world)
                                                   : pointer_at(&b, a->offset);
    bool none = data == NULL;
    *out = (span){data, a->format, none ? 0 : (Py_ssize_t)b.count, column_count(a->columns, w->dim)};
    return true;
}

static bool find_contact_array(PyObject *owner, int which, span *out)
{
    world_object *w = (world_object *)owner;
    const array *a = &contact_arrays[which];
    mo_world *world = py_world_to_read(w);
    if (world == NULL)
        return false;
    const mo_contacts c = mo_world_contacts(world);
    const void *data = pointer_at(&c, a->offset);
    bool none = data == NULL;
    *out = (span){data, a->format, none ? 0 : (Py_ssize_t)c.count, column_count(a->columns, w->dim)};
    return true;
}

static int find_name(const char *name, const array *arrays, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(arrays[i].name, name) == 0)
            return (int)i;
    PyErr_Format(PyExc_AttributeError, "there is no array '%s'", name);
    return -1;
}

static PyObject *bodies(world_object *w, PyObject *args)
{
    const char *name;
    if (!PyArg_ParseTuple(args, "s:bodies", &name) || py_world_to_read(w) == NULL)
        return NULL;
    int i = find_name(name, body_arrays, sizeof body_arrays / sizeof body_arrays[0]);
    return i >= 0 ? py_view_new((PyObject *)w, find_body_array, i, &w->shared->body_exports) : NULL;
}

static PyObject *contacts(world_object *w, PyObject *args)
{
    const char *name;
    if (!PyArg_ParseTuple(args, "s:contacts", &name) || py_world_to_read(w) == NULL)
        return NULL;
    int i = find_name(name, contact_arrays, sizeof contact_arrays / sizeof contact_arrays[0]);
    return i >= 0 ? py_view_new((PyObject *)w, find_contact_array, i, &w->shared->contact_exports) : NULL;
}

/* ---- info
 * -------------------------------------------------------------------------------------------------------- */

const field py_certificate_fields[] = {
    FIELD(mo_certificate, residual, FIELD_REAL),
    FIELD(mo_certificate, complementarity, FIELD_REAL),
    FIELD(mo_certificate, cone_violation_force, FIELD_REAL),
    FIELD(mo_certificate, cone_violation_velocity, FIELD_REAL),
    FIELD(mo_certificate, bipotential_gap, FIELD_REAL),
    FIELD(mo_certificate, balance, FIELD_REAL),
    FIELDS_END,
};

static const field solver_info_fields[] = {
    FIELD(mo_solver_info, iterations, FIELD_INT),  FIELD(mo_solver_info, converged, FIELD_FLAG),
    FIELD(mo_solver_info, finite, FIELD_FLAG),     FIELD(mo_solver_info, capped_time, FIELD_FLAG),
    FIELD(mo_solver_info, stopped, FIELD_FLAG),    FIELD(mo_solver_info, extrapolated, FIELD_INT),
    FIELD(mo_solver_info, handed_over, FIELD_INT), FIELDS_END,
};

const field py_energy_fields[] = {
    FIELD(mo_energy, kinetic, FIELD_REAL),
    FIELD(mo_energy, potential, FIELD_REAL),
    FIELD(mo_energy, work_external, FIELD_REAL),
    FIELD(mo_energy, dissipated_friction, FIELD_REAL),
    FIELD(mo_energy, dissipated_impact, FIELD_REAL),
    FIELD(mo_energy, balance_error, FIELD_REAL),
    FIELDS_END,
};

static const field seconds_fields[] = {
    FIELD(mo_stage_seconds, detect, FIELD_REAL),
    FIELD(mo_stage_seconds, assemble, FIELD_REAL),
    FIELD(mo_stage_seconds, solve, FIELD_REAL),
    FIELD(mo_stage_seconds, integrate, FIELD_REAL),
    FIELDS_END,
};

static const field info_fields[] = {
    FIELD(mo_world_info, time, FIELD_REAL),
    FIELD(mo_world_info, steps, FIELD_LONG),
    FIELD(mo_world_info, h, FIELD_REAL),
    FIELD(mo_world_info, bodies, FIELD_SIZE),
    FIELD(mo_world_info, contacts, FIELD_SIZE),
    FIELD(mo_world_info, asleep, FIELD_SIZE),
    FIELD(mo_world_info, iterations_total, FIELD_LONG),
    FIELD(mo_world_info, contact_iterations_total, FIELD_LONG),
    FIELD(mo_world_info, unconverged_steps, FIELD_LONG),
    FIELD(mo_world_info, worst_residual, FIELD_REAL),
    FIELD(mo_world_info, penetration, FIELD_REAL),
    FIELD(mo_world_info, max_penetration, FIELD_REAL),
    FIELD(mo_world_info, start_overlap, FIELD_REAL),
    FIELD(mo_world_info, overlap_left, FIELD_REAL),
    FIELD(mo_world_info, fast_bodies, FIELD_LONG),
    FIELD(mo_world_info, fast_time, FIELD_REAL),
    FIELD(mo_world_info, largest_gain, FIELD_REAL),
    FIELD(mo_world_info, gain_time, FIELD_REAL),
    FIELD(mo_world_info, joints_apart, FIELD_REAL),
    FIELD(mo_world_info, apart_time, FIELD_REAL),
    FIELD(mo_world_info, unheld_steps, FIELD_LONG),
    FIELD(mo_world_info, unheld_time, FIELD_REAL),
    FIELD(mo_world_info, leap, FIELD_REAL),
    FIELD(mo_world_info, leap_time, FIELD_REAL),
    FIELD(mo_world_info, blocked_time, FIELD_REAL),
    FIELD(mo_world_info, bytes, FIELD_SIZE),
    FIELDS_END,
};

static PyObject *info(world_object *w, PyObject *none)
{
    (void)none;
    mo_world *world = py_world_to_read(w);
    if (world == NULL)
        return NULL;
    const mo_world_info x = mo_world_info_get(world);
    PyObject *dict = py_write_fields(info_fields, w->dim, &x);
    PyObject *solver = py_write_fields(solver_info_fields, 0, &x.solver);
    bool filled = dict != NULL && solver != NULL &&
                  py_put_item(solver, "certificate",
                              py_write_fields(py_certificate_fields, 0, &x.solver.certificate)) &&
                  py_put_item(dict, "solver", Py_NewRef(solver)) &&
                  py_put_item(dict, "energy", py_write_fields(py_energy_fields, 0, &x.energy)) &&
                  py_put_item(dict, "seconds", py_write_fields(seconds_fields, 0, &x.seconds));
    Py_XDECREF(solver);
    if (!filled)
        Py_CLEAR(dict);
    return dict;
}

/* time, steps, contacts, iterations, residual: what a progress bar and a loop need, cheaply */
static PyObject *brief(world_object *w, PyObject *none)
{
    (void)none;
    mo_world *world = py_world_to_read(w);
    if (world == NULL)
        return NULL;
    const mo_world_totals t = mo_world_totals_get(world);
    return Py_BuildValue("Ln", (long long)t.steps, (Py_ssize_t)mo_world_contacts(world).count);
}

static PyObject *dim(world_object *w, PyObject *none)
{
    (void)none;
    return py_world_to_read(w) != NULL ? PyLong_FromLong(w->dim) : NULL;
}

static PyObject *hash(world_object *w, PyObject *none)
{
    (void)none;
    mo_world *world = py_world_to_read(w);
    return world != NULL ? py_hash_text(mo_world_hash(world)) : NULL;
}

static PyObject *groups(world_object *w, PyObject *none)
{
    (void)none;
    mo_world *world = py_world_to_read(w);
    PyObject *list = world != NULL ? PyList_New(0) : NULL;
    for (size_t i = 0; list != NULL && i < mo_world_group_count(world); i++) {
        PyObject *name = PyUnicode_FromString(mo_world_group_name(world, i));
        if (name == NULL || PyList_Append(list, name) < 0)
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

static PyObject *law(world_object *w, PyObject *args)
{
    unsigned short number;
    mo_world *world = PyArg_ParseTuple(args, "H:law", &number) ? py_world_to_read(w) : NULL;
    if (world == NULL)
        return NULL;
    const mo_law x = mo_world_law(world, number);
    return py_write_fields(py_law_fields, w->dim, &x);
}

/* ---- measures
 * ------------------------------------------------------------------------------------------------------ */

static PyObject *measure(world_object *w, PyObject *args)
{
    const char *name;
    mo_world *world = PyArg_ParseTuple(args, "s:measure", &name) ? py_world_to_read(w) : NULL;
    if (world == NULL)
        return NULL;
    if (strcmp(name, "kinetic_energy") == 0)
        return PyFloat_FromDouble(mo_measure_kinetic_energy(world));
    if (strcmp(name, "potential_energy") == 0)
        return PyFloat_FromDouble(mo_measure_potential_energy(world));
    if (strcmp(name, "contact_count") == 0)
        return PyLong_FromSize_t(mo_measure_contact_count(world));
    if (strcmp(name, "sliding_count") == 0)
        return PyLong_FromSize_t(mo_measure_sliding_count(world));
    if (strcmp(name, "max_penetration") == 0)
        return PyFloat_FromDouble(mo_measure_max_penetration(world));
    if (strcmp(name, "coordination") == 0)
        return PyFloat_FromDouble(mo_measure_coordination(world));
    PyErr_Format(PyExc_ValueError, "there is no measure '%s'", name);
    return NULL;
}

/* measures of a region; tensor: [dim][dim] numbers, else one */
static const struct regional {
    const char *name;
    mo_status (*measure)(const mo_world *, const mo_region *, double *, mo_error *);
    bool tensor;
} regional[] = {{"solid_fraction", mo_measure_solid_fraction, false},
                {"void_ratio", mo_measure_void_ratio, false},
                {"stress", mo_measure_stress, true},
                {"fabric", mo_measure_fabric, true},
                {NULL, NULL, false}};

/* the corners of a region, unless they are None; the world to measure then */
static mo_world *world_in_region(world_object *w, PyObject *min, PyObject *max, mo_region *region)
{
    if (py_world_to_read(w) == NULL)
        return NULL;
    size_t dim = (size_t)w->dim;
    if (min != Py_None &&
        (!py_read_reals(min, "min", dim, region->min) || !py_read_reals(max, "max", dim, region->max)))
        return NULL;
    return py_world_to_read(w);
}

/* of a region, None or (min, max) */
static PyObject *measure_region(world_object *w, PyObject *args)
{
    const char *name;
    PyObject *min, *max;
    double out[9];
    mo_region region = {{0}, {0}};
    mo_error err = {0};
    if (!PyArg_ParseTuple(args, "sOO:measure_region", &name, &min, &max))
        return NULL;
    mo_world *world = world_in_region(w, min, max, &region);
    if (world == NULL)
        return NULL;
    size_t dim = (size_t)w->dim;
    const struct regional *m = regional;
    while (m->name != NULL && strcmp(m->name, name) != 0)
        m++;
    if (m->name == NULL)
        return PyErr_Format(PyExc_ValueError, "there is no measure '%s' of a region", name);
    mo_status status = m->measure(world, min != Py_None ? &region : NULL, out, &err);
    return status == MO_OK ? py_numbers(out, m->tensor ? dim * dim : 1) : py_raise_error(status, &err);
}

static const field distribution_fields[] = {
    FIELD(mo_force_distribution, count, FIELD_SIZE),
    FIELD(mo_force_distribution, mean, FIELD_REAL),
    FIELD(mo_force_distribution, largest, FIELD_REAL),
    FIELD(mo_force_distribution, mean_tangential, FIELD_REAL),
    FIELD(mo_force_distribution, beyond, FIELD_REAL),
    FIELDS_END,
};

static PyObject *measure_forces(world_object *w, PyObject *args)
{
    Py_ssize_t bins;
    double most;
    PyObject *min, *max, *dict = NULL;
    mo_region region = {{0}, {0}};
    mo_force_distribution out;
    mo_error err = {0};
    if (!PyArg_ParseTuple(args, "ndOO:measure_forces", &bins, &most, &min, &max))
        return NULL;
    if (bins < 1 || bins > 1000000)
        return PyErr_Format(PyExc_ValueError, "bins: expected a number from 1 to 1000000, got %zd", bins);
    mo_world *world = world_in_region(w, min, max, &region);
    double *density = world != NULL ? PyMem_Calloc((size_t)bins, sizeof *density) : NULL;
    if (density == NULL)
        return world != NULL ? PyErr_NoMemory() : NULL;
    mo_status status =
        mo_measure_forces(world, min != Py_None ? &region : NULL, (size_t)bins, most, &out, density, &err);
    if (status == MO_OK)
        dict = py_write_fields(distribution_fields, w->dim, &out);
    else
        py_raise_error(status, &err);
    if (dict != NULL && !py_put_item(dict, "density", py_numbers(density, (size_t)bins)))
        Py_CLEAR(dict);
    PyMem_Free(density);
    return dict;
}

static PyObject *measure_resultant(world_object *w, PyObject *args)
{
    PyObject *p, *n;
    double point[3], normal[3], out[3];
    mo_error err = {0};
    if (!PyArg_ParseTuple(args, "OO:measure_resultant", &p, &n) || py_world_to_read(w) == NULL)
        return NULL;
    size_t dim = (size_t)w->dim;
    if (!py_read_reals(p, "point", dim, point) || !py_read_reals(n, "normal", dim, normal))
        return NULL;
    mo_world *world = py_world_to_read(w);
    if (world == NULL)
        return NULL;
    mo_status status = mo_measure_resultant(world, point, normal, out, &err);
    return status == MO_OK ? py_numbers(out, dim) : py_raise_error(status, &err);
}

/* ---- the step problem and equilibrium
 * --------------------------------------------------------------------------------- */

static PyObject *problem(world_object *w, PyObject *none)
{
    (void)none;
    const double *r, *u;
    mo_world *world = py_world_to_read(w);
    if (world == NULL)
        return NULL;
    const mo_problem *p = mo_world_problem(world, &r, &u);
    if (p == NULL)
        Py_RETURN_NONE;
    size_t n = (size_t)p->dim * p->contacts;
    PyObject *dict = py_problem_arrays(p);
    if (dict != NULL &&
        !(py_put_item(dict, "r", py_numbers(r, n)) && py_put_item(dict, "u", py_numbers(u, n))))
        Py_CLEAR(dict);
    return dict;
}

static const char *const outcomes[] = {"possible", "none", "undecided", NULL};

static const field equilibrium_fields[] = {
    CHOICE(mo_equilibrium, outcome, outcomes),
    FIELD(mo_equilibrium, bodies, FIELD_SIZE),
    FIELD(mo_equilibrium, contacts, FIELD_SIZE),
    FIELD(mo_equilibrium, groups, FIELD_SIZE),
    FIELD(mo_equilibrium, overlap, FIELD_REAL),
    FIELD(mo_equilibrium, imbalance, FIELD_REAL),
    FIELD(mo_equilibrium, balance, FIELD_REAL),
    FIELD(mo_equilibrium, balance_force, FIELD_REAL),
    FIELD(mo_equilibrium, balance_torque, FIELD_REAL),
    FIELD(mo_equilibrium, cone_violation, FIELD_REAL),
    FIELD(mo_equilibrium, power, FIELD_REAL),
    FIELD(mo_equilibrium, motion_violation, FIELD_REAL),
    FIELD(mo_equilibrium, force_bound, FIELD_REAL),
    {"moves", FIELD_FLAG, offsetof(mo_equilibrium, step.moves), 0, NULL},
    {"rate", FIELD_REAL, offsetof(mo_equilibrium, step.rate), 0, NULL},
    FIELDS_END,
};

static PyObject *equilibrium(world_object *w, PyObject *none)
{
    (void)none;
    mo_equilibrium e = {0};
    mo_error err = {0};
    mo_status status;
    mo_world *world = py_world_to_change(w, true);
    if (world == NULL || !py_nothing_lent(w->shared->contact_exports, "the contacts"))
        return NULL;
    w->shared->busy = true;
    WITHOUT_LOCK(status = mo_world_equilibrium(world, &e, &err));
    w->shared->busy = false;
    if (!py_guard_pass(&w->guard, status, &err))
        return NULL;
    size_t n = e.contacts, dim = (size_t)e.dim, nu = dim == 2 ? 3 : 6;
    PyObject *dict = py_write_fields(equilibrium_fields, e.dim, &e);
    if (dict != NULL && !(py_put_item(dict, "id1", py_raw_bytes(e.id1, n * sizeof *e.id1)) &&
                          py_put_item(dict, "id2", py_raw_bytes(e.id2, n * sizeof *e.id2)) &&
                          py_put_item(dict, "point", py_numbers(e.point, dim * n)) &&
                          py_put_item(dict, "normal", py_numbers(e.normal, dim * n)) &&
                          py_put_item(dict, "gap", py_numbers(e.gap, n)) &&
                          py_put_item(dict, "friction", py_numbers(e.friction, n)) &&
                          py_put_item(dict, "force", py_numbers(e.force, dim * n)) &&
                          py_put_item(dict, "id", py_raw_bytes(e.id, e.bodies * sizeof *e.id)) &&
                          py_put_item(dict, "velocity", py_numbers(e.velocity, nu * e.bodies))))
        Py_CLEAR(dict);
    mo_equilibrium_free(&e);
    return dict;
}

PyMethodDef py_world_fact_methods[] = {
    {"bodies", (PyCFunction)bodies, METH_VARARGS, "bodies(name) -> View"},
    {"contacts_array", (PyCFunction)contacts, METH_VARARGS, "contacts_array(name) -> View"},
    {"info_dict", (PyCFunction)info, METH_NOARGS, "info_dict() -> dict"},
    {"brief", (PyCFunction)brief, METH_NOARGS, "brief() -> (steps, contacts)"},
    {"info_dim", (PyCFunction)dim, METH_NOARGS, "info_dim() -> int"},
    {"hash_text", (PyCFunction)hash, METH_NOARGS, "hash_text() -> str"},
    {"group_names", (PyCFunction)groups, METH_NOARGS, "group_names() -> list"},
    {"law_dict", (PyCFunction)law, METH_VARARGS, "law_dict(number) -> dict"},
    {"measure_value", (PyCFunction)measure, METH_VARARGS, "measure_value(name) -> number"},
    {"measure_region", (PyCFunction)measure_region, METH_VARARGS,
     "measure_region(name, min, max) -> bytearray"},
    {"measure_forces", (PyCFunction)measure_forces, METH_VARARGS,
     "measure_forces(bins, most, min, max) -> dict"},
    {"measure_resultant", (PyCFunction)measure_resultant, METH_VARARGS, "measure_resultant(point, normal)"},
    {"problem_dict", (PyCFunction)problem, METH_NOARGS, "problem_dict() -> dict or None"},
    {"equilibrium_dict", (PyCFunction)equilibrium, METH_NOARGS, "equilibrium_dict() -> dict"},
    {NULL, NULL, 0, NULL},
};
