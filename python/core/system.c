/*
 * Systems of finite freedom.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

static const char *const schemes[] = {
    "moreau",       "moreau-jean", "paoli-schatzman", "mabrouk", "bernicot-lefebvre",
    "event-driven", "compliant",   "alpha",           NULL};
static const char *const outcomes[] = {"reached",       "not converged", "infeasible", "no gradient",
                                       "singular mass", "not finite",    NULL};

static const field def_fields[] = {
    FIELD(mo_system_def, h, FIELD_REAL),
    CHOICE(mo_system_def, scheme, schemes),
    FIELD(mo_system_def, force_depends_on_velocity, FIELD_FLAG),
    FIELD(mo_system_def, gaps, FIELD_SIZE),
    FIELD(mo_system_def, linear, FIELD_FLAG),
    FIELD(mo_system_def, theta, FIELD_REAL),
    FIELD(mo_system_def, rho_infinity, FIELD_REAL),
    FIELD(mo_system_def, stiffness_contact, FIELD_REAL),
    FIELD(mo_system_def, contact_tolerance, FIELD_REAL),
    FIELD(mo_system_def, tol, FIELD_REAL),
    FIELD(mo_system_def, max_iter, FIELD_INT),
    FIELD(mo_system_def, backward_velocity, FIELD_FLAG),
    FIELDS_END,
};

static const field energy[] = {
    FIELD(mo_system_energy, kinetic, FIELD_REAL),
    FIELD(mo_system_energy, potential, FIELD_REAL),
    FIELD(mo_system_energy, work, FIELD_REAL),
    FIELD(mo_system_energy, loss, FIELD_REAL),
    FIELD(mo_system_energy, step_loss, FIELD_REAL),
    FIELD(mo_system_energy, balance_error, FIELD_REAL),
    FIELDS_END,
};

static const field info_fields[] = {
    FIELD(mo_system_info, time, FIELD_REAL),
    FIELD(mo_system_info, steps, FIELD_LONG),
    CHOICE(mo_system_info, outcome, outcomes),
    FIELD(mo_system_info, message, FIELD_CHARS),
    FIELD(mo_system_info, iterations, FIELD_INT),
    FIELD(mo_system_info, linear_solves, FIELD_INT),
    FIELD(mo_system_info, active, FIELD_SIZE),
    FIELD(mo_system_info, violation, FIELD_REAL),
    FIELD(mo_system_info, residual, FIELD_REAL),
    FIELD(mo_system_info, unconverged_steps, FIELD_LONG),
    FIELD(mo_system_info, worst_violation, FIELD_REAL),
    FIELD(mo_system_info, worst_residual, FIELD_REAL),
    FIELD(mo_system_info, impacts, FIELD_LONG),
    FIELD(mo_system_info, accumulations, FIELD_LONG),
    FIELD(mo_system_info, largest_gain, FIELD_REAL),
    FIELD(mo_system_info, independence, FIELD_REAL),
    FIELDS_END,
};

/* the functions; `data` of the definition */
typedef struct system_calls {
    callback *mass, *force, *potential, *gap, *restitution, *tangent;
} system_calls;

static mo_status call_mass(void *data, double t, const double *q, double *M, mo_error *err)
{
    return py_call_field(((system_calls *)data)->mass, t, q, M, err);
}

static mo_status call_potential(void *data, double t, const double *q, double *V, mo_error *err)
{
    return py_call_field(((system_calls *)data)->potential, t, q, V, err);
}

static mo_status call_restitution(void *data, double t, const double *q, double *e, mo_error *err)
{
    return py_call_field(((system_calls *)data)->restitution, t, q, e, err);
}

static mo_status call_tangent(void *data, double t, const double *q, double *T, mo_error *err)
{
    return py_call_field(((system_calls *)data)->tangent, t, q, T, err);
}

static mo_status call_gap(void *data, double t, const double *q, double *g, double *gx, double *gt,
                          mo_error *err)
{
    return py_call_gaps(((system_calls *)data)->gap, t, q, g, gx, gt, err);
}

/* f(t, q, u, derivatives wanted) -> F [n], or with Fq and Fu [n n] behind it where it knows them */
static mo_status call_force(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                            double *Fu, mo_error *err)
{
    callback *c = ((system_calls *)data)->force;
    size_t n = c->n, got = 0;
    bool wanted = Fq != NULL || Fu != NULL;
    size_t most = wanted ? n + 2 * n * n : n;
    double *all = malloc(most * sizeof *all);
    if (all == NULL)
        return MO_NO_MEMORY;
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *args = Py_BuildValue("(dNNi)", t, py_point_bytes(q, n), py_point_bytes(u, n), wanted ? 1 : 0);
    mo_status status = py_callback_numbers(c, args, n, most, all, &got, err);
    PyGILState_Release(lock);
    if (status == MO_OK)
        memcpy(F, all, n * sizeof *F);
    if (status == MO_OK && Fq != NULL && got > n)
        memcpy(Fq, all + n, n * n * sizeof *F);
    if (status == MO_OK && Fu != NULL && got > n)
        memcpy(Fu, all + n + n * n, n * n * sizeof *F);
    free(all);
    return status;
}

/* ---- definition
 * --------------------------------------------------------------------------------------------------- */

static bool read_call(process_object *p, PyObject *dict, const char *key, size_t count, callback **out)
{
    if (!py_callback_from(&p->callbacks, dict, key, &p->guard, out))
        return false;
    if (*out != NULL) {
        (*out)->n = p->n;
        (*out)->m = count;
    }
    return true;
}

static bool read_calls(process_object *p, PyObject *dict, mo_system_def *def)
{
    system_calls *c = py_scratch_get(&p->memory, sizeof *c);
    size_t n = p->n, m = def->gaps;
    if (c == NULL || !read_call(p, dict, "mass_function", n * n, &c->mass) ||
        !read_call(p, dict, "force", n, &c->force) || !read_call(p, dict, "potential", 1, &c->potential) ||
        !read_call(p, dict, "gap", m, &c->gap) ||
        !read_call(p, dict, "restitution_function", m, &c->restitution) ||
        !read_call(p, dict, "tangent", m * n, &c->tangent))
        return false;
    def->mass_function = c->mass != NULL ? call_mass : NULL;
    def->force = c->force != NULL ? call_force : NULL;
    def->potential = c->potential != NULL ? call_potential : NULL;
    def->gap = c->gap != NULL ? call_gap : NULL;
    def->restitution_function = c->restitution != NULL ? call_restitution : NULL;
    def->tangent = c->tangent != NULL ? call_tangent : NULL;
    def->data = c;
    if ((m > 0) != (c->gap != NULL))
        return py_wrong("gap", "expected a function when there are gaps, and none else") == 0;
    return true;
}

static bool read_numbers(process_object *p, PyObject *dict, const char *key, size_t count, const double **out)
{
    PyObject *value = py_get_item(dict, key);
    if (value == NULL)
        return true;
    *out = py_read_array_of(value, key, &p->memory, count);
    return *out != NULL;
}

static bool read_matrix(process_object *p, PyObject *dict, const char *key, mo_metric *out)
{
    PyObject *value = py_get_item(dict, key);
    return value == NULL || py_read_metric(value, key, p->n, &p->memory, out);
}

static bool read_def(process_object *p, PyObject *dict, mo_system_def *def)
{
    static const char *const others[] = {"q",
                                         "u",
                                         "mass",
                                         "mass_function",
                                         "force",
                                         "stiffness",
                                         "damping",
                                         "potential",
                                         "gap",
                                         "restitution",
                                         "restitution_function",
                                         "friction",
                                         "tangent",
                                         "tangential_restitution",
                                         NULL};
    *def = mo_default_system_def();
    if (!py_read_fields("system", dict, def_fields, others, 0, def))
        return false;
    PyObject *q = py_get_item(dict, "q"), *u = py_get_item(dict, "u");
    if (q == NULL || u == NULL)
        return py_wrong(q == NULL ? "q" : "u", "expected the start, found nothing") == 0;
    if ((def->q = py_read_array(q, "q", &p->memory, &p->n)) == NULL ||
        (def->u = py_read_array_of(u, "u", &p->memory, p->n)) == NULL)
        return false;
    def->n = p->n;
    if (p->n < 1 || def->gaps > 100000000 / (p->n + 2))
        return py_wrong("gaps", "found %zu gaps of %zu coordinates", def->gaps, p->n) == 0;
    return read_matrix(p, dict, "mass", &def->mass) && read_matrix(p, dict, "stiffness", &def->stiffness) &&
           read_matrix(p, dict, "damping", &def->damping) &&
           read_numbers(p, dict, "restitution", def->gaps, &def->restitution) &&
           read_numbers(p, dict, "friction", def->gaps, &def->friction) &&
           read_numbers(p, dict, "tangential_restitution", def->gaps, &def->tangential_restitution) &&
           read_calls(p, dict, def);
}

/* ---- as a process
 * ---------------------------------------------------------------------------------------------------- */

PROCESS_OPS(mo_system, mo_system_q)

static const double *u_of(const void *h)
{
    return mo_system_u(h);
}

static bool made(const void *h)
{
    return mo_system_info_get(h)->outcome < MO_SYSTEM_INFEASIBLE;
}

static PyObject *info_of(const void *h)
{
    const mo_system_info *x = mo_system_info_get(h);
    PyObject *dict = py_write_fields(info_fields, 0, x);
    if (dict != NULL && !py_put_item(dict, "energy", py_write_fields(energy, 0, &x->energy)))
        Py_CLEAR(dict);
    return dict;
}

static const process_ops ops = {step,    destroy, place_of, u_of, lambda_of, events_of, made,
                                hash_of, info_of, size_of,  save, restore,   "system",  NULL};

static int initialise(PyObject *self, PyObject *args, PyObject *keywords)
{
    process_object *p = (process_object *)self;
    mo_system_def def;
    mo_system *made_system = NULL;
    mo_error err = {0};
    (void)keywords;
    PyObject *dict = py_process_begin(p, args);
    if (dict == NULL || !read_def(p, dict, &def))
        return -1;
    p->m = def.gaps;
    p->busy = true;
    mo_status status = mo_system_create(&def, &made_system, &err);
    return py_process_end(p, &ops, made_system, def.h, status, &err);
}

PyTypeObject *py_system_type(PyObject *module)
{
    return py_process_type(module, "moreau._core.System", initialise,
                           "A system of finite freedom; moreau.System is what users see.");
}
