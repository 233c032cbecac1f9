/*
 * Sweeping processes.
 */
#include "core.h"

static const char *const methods[] = {"catching-up", "theta", "penalty", "lazy", "event-driven", NULL};
static const char *const outcomes[] = {"reached",     "not converged", "not unique", "empty",
                                       "no gradient", "not finite",    NULL};

static const field def_fields[] = {
    FIELD(mo_sweep_def, h, FIELD_REAL),          CHOICE(mo_sweep_def, method, methods),
    FIELD(mo_sweep_def, theta, FIELD_REAL),      FIELD(mo_sweep_def, lambda, FIELD_REAL),
    FIELD(mo_sweep_def, tol, FIELD_REAL),        FIELD(mo_sweep_def, max_iter, FIELD_INT),
    FIELD(mo_sweep_def, retraction, FIELD_FLAG), FIELDS_END,
};

static const field info_fields[] = {
    FIELD(mo_sweep_info, time, FIELD_REAL),
    FIELD(mo_sweep_info, steps, FIELD_LONG),
    CHOICE(mo_sweep_info, outcome, outcomes),
    FIELD(mo_sweep_info, message, FIELD_CHARS),
    FIELD(mo_sweep_info, iterations, FIELD_INT),
    FIELD(mo_sweep_info, active, FIELD_SIZE),
    FIELD(mo_sweep_info, violation, FIELD_REAL),
    FIELD(mo_sweep_info, stationarity, FIELD_REAL),
    FIELD(mo_sweep_info, complementarity, FIELD_REAL),
    FIELD(mo_sweep_info, unconverged_steps, FIELD_LONG),
    FIELD(mo_sweep_info, worst_violation, FIELD_REAL),
    FIELD(mo_sweep_info, path_length, FIELD_REAL),
    {"retraction", FIELD_REAL, offsetof(mo_sweep_info, retraction), 0, NULL},
    {"variation", FIELD_REAL, offsetof(mo_sweep_info, variation), 0, NULL},
    FIELD(mo_sweep_info, retraction_exact, FIELD_FLAG),
    FIELD(mo_sweep_info, jumps, FIELD_LONG),
    FIELD(mo_sweep_info, largest_jump, FIELD_REAL),
    FIELD(mo_sweep_info, accumulations, FIELD_LONG),
    FIELDS_END,
};

PROCESS_OPS(mo_sweep, mo_sweep_x)

static bool made(const void *h)
{
    return mo_sweep_info_get(h)->outcome < MO_SWEEP_EMPTY;
}

static PyObject *info_of(const void *h)
{
    return py_write_fields(info_fields, 0, mo_sweep_info_get(h));
}

static const mo_sweep_hold *holds_of(const void *h, size_t *count)
{
    return mo_sweep_holds(h, count);
}

static const process_ops ops = {step,    destroy, place_of, NULL, lambda_of, events_of, made,
                                hash_of, info_of, size_of,  save, restore,   "sweep",   holds_of};

static bool read_def(process_object *p, PyObject *dict, mo_sweep_def *def)
{
    static const char *const others[] = {"x", "set", "field", NULL};
    callback *field_call;
    *def = mo_default_sweep_def();
    if (!py_read_fields("sweep", dict, def_fields, others, 0, def))
        return false;
    PyObject *x = py_get_item(dict, "x"), *set = py_get_item(dict, "set");
    if (x == NULL || set == NULL)
        return py_wrong(x == NULL ? "x" : "set", "expected a start and a set, found nothing") == 0;
    if ((def->x = py_read_array(x, "x", &p->memory, &p->n)) == NULL ||
        !py_read_moving_set(set, &p->memory, &p->callbacks, &p->guard, &p->set, 0))
        return false;
    if (p->set.dim != p->n)
        return py_wrong("set", "is in dimension %zu, x has %zu numbers", p->set.dim, p->n) == 0;
    if (!py_callback_from(&p->callbacks, dict, "field", &p->guard, &field_call))
        return false;
    if (field_call != NULL) {
        field_call->n = field_call->m = p->n;
        def->field = py_call_field;
        def->data = field_call;
    }
    def->set = &p->set;
    return true;
}

static int initialise(PyObject *self, PyObject *args, PyObject *keywords)
{
    process_object *p = (process_object *)self;
    mo_sweep_def def;
    mo_sweep *made_sweep = NULL;
    mo_error err = {0};
    (void)keywords;
    PyObject *dict = py_process_begin(p, args);
    if (dict == NULL || !read_def(p, dict, &def))
        return -1;
    p->busy = true;
    mo_status status = mo_moving_set_check(&p->set, &err);
    if (status == MO_OK)
        status = mo_sweep_create(&def, &made_sweep, &err);
    p->m = mo_moving_set_multipliers(&p->set);
    return py_process_end(p, &ops, made_sweep, def.h, status, &err);
}

PyTypeObject *py_sweep_type(PyObject *module)
{
    return py_process_type(module, "moreau._core.Sweep", initialise,
                           "A sweeping process; moreau.Sweep is what users see.");
}
