/*
 * Python functions that the library calls while the interpreter's lock is released.  Each gets plain
 * numbers, or points as bytes of doubles, and gives numbers; an exception is kept in the guard, ends
 * the call of the library and is raised when that returns.
 */
#include "core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

callback *py_callback_add(callback_list *list, PyObject *function, const char *key, guard *g)
{
    if (!PyCallable_Check(function)) {
        PyErr_Format(PyExc_TypeError, "%s: expected a function, found %R", key, function);
        return NULL;
    }
    callback *c = calloc(1, sizeof *c);
    if (c == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    *c = (callback){.next = list->first, .function = Py_NewRef(function), .guard = g};
    list->first = c;
    return c;
}

bool py_callback_from(callback_list *list, PyObject *dict, const char *key, guard *g, callback **out)
{
    PyObject *function = py_get_item(dict, key);
    *out = NULL;
    if (function == NULL)
        return true;
    *out = py_callback_add(list, function, key, g);
    return *out != NULL;
}

void py_callback_drop(callback_list *list, uint32_t body)
{
    for (callback **at = &list->first; *at != NULL;) {
        callback *c = *at;
        if (c->body != body) {
            at = &c->next;
            continue;
        }
        *at = c->next;
        Py_CLEAR(c->function);
        free(c);
    }
}

int py_callback_traverse(const callback_list *list, visitproc visit, void *arg)
{
    for (const callback *c = list->first; c != NULL; c = c->next)
        Py_VISIT(c->function);
    return 0;
}

void py_callback_forget(callback_list *list)
{
    for (callback *c = list->first; c != NULL; c = c->next)
        Py_CLEAR(c->function);
}

void py_callback_free(callback_list *list)
{
    py_callback_forget(list);
    while (list->first != NULL) {
        callback *c = list->first;
        list->first = c->next;
        free(c);
    }
}

PyObject *py_point_bytes(const double *x, size_t n)
{
    return PyBytes_FromStringAndSize((const char *)x, (Py_ssize_t)(n * sizeof *x));
}

/* ---- calling
 * ------------------------------------------------------------------------------------------------ */

static bool read_result(PyObject *result, size_t least, size_t count, double *out, size_t *got)
{
    Py_ssize_t n = least < count && PyObject_CheckBuffer(result) ? PyObject_Size(result) : (Py_ssize_t)count;
    if (n < 0)
        return false;
    *got = least < count && (size_t)n == least ? least : count;
    return py_read_reals(result, "result", *got, out);
}

mo_status py_callback_numbers(callback *c, PyObject *args, size_t least, size_t count, double *out,
                              size_t *got, mo_error *err)
{
    size_t n = 0;
    PyObject *result = NULL;
    if (args != NULL && c->function != NULL && c->guard->type == NULL)
        result = PyObject_CallObject(c->function, args);
    bool read = result != NULL && read_result(result, least, count, out, &n);
    Py_XDECREF(args);
    Py_XDECREF(result);
    if (got != NULL)
        *got = n;
    if (read)
        return MO_OK;
    if (PyErr_Occurred())
        py_guard_take(c->guard);
    if (err != NULL) {
        *err = (mo_error){.status = MO_BAD_INPUT};
        snprintf(err->message, sizeof err->message, "a Python function failed");
    }
    return MO_BAD_INPUT;
}

/* f(t) -> count numbers */
static mo_status call_time(callback *c, double t, size_t count, double *out, mo_error *err)
{
    PyGILState_STATE lock = PyGILState_Ensure();
    mo_status status = py_callback_numbers(c, Py_BuildValue("(d)", t), count, count, out, NULL, err);
    PyGILState_Release(lock);
    return status;
}

/* q then u, [n] and [m] */
mo_status py_call_motion(void *data, double t, mo_motion *out, mo_error *err)
{
    callback *c = data;
    double x[13];
    mo_status status = call_time(c, t, c->n + c->m, x, err);
    if (status == MO_OK) {
        memcpy(out->q, x, c->n * sizeof *x);
        memcpy(out->u, x + c->n, c->m * sizeof *x);
    }
    return status;
}

mo_status py_call_load(void *data, double t, double *load, mo_error *err)
{
    callback *c = data;
    double x[6];
    mo_status status = call_time(c, t, c->n, x, err);
    if (status == MO_OK)
        memcpy(load, x, c->n * sizeof *x);
    return status;
}

mo_status py_call_radius(void *data, double t, double *radius, double *rate, mo_error *err)
{
    double x[2];
    mo_status status = call_time(data, t, 2, x, err);
    if (status == MO_OK) {
        *radius = x[0];
        *rate = x[1];
    }
    return status;
}

/* values and rates, [n] each */
mo_status py_call_timed(void *data, double t, double *value, double *rate, mo_error *err)
{
    callback *c = data;
    double *x = malloc(2 * c->n * sizeof *x);
    mo_status status = MO_NO_MEMORY;
    if (x != NULL)
        status = call_time(c, t, 2 * c->n, x, err);
    if (status == MO_OK) {
        memcpy(value, x, c->n * sizeof *x);
        if (rate != NULL)
            memcpy(rate, x + c->n, c->n * sizeof *x);
    }
    free(x);
    return status;
}

/* f(t, x, derivatives wanted) -> g [m], then gx [m n] and gt [m] if wanted */
mo_status py_call_gaps(void *data, double t, const double *x, double *g, double *gx, double *gt,
                       mo_error *err)
{
    callback *c = data;
    bool wanted = gx != NULL || gt != NULL;
    size_t n = c->n, m = c->m, count = wanted ? m * (n + 2) : m;
    double *all = malloc(count * sizeof *all);
    if (all == NULL)
        return MO_NO_MEMORY;
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *args = Py_BuildValue("(dNi)", t, py_point_bytes(x, n), wanted ? 1 : 0);
    mo_status status = py_callback_numbers(c, args, count, count, all, NULL, err);
    PyGILState_Release(lock);
    if (status == MO_OK) {
        memcpy(g, all, m * sizeof *g);
        if (gx != NULL)
            memcpy(gx, all + m, m * n * sizeof *g);
        if (gt != NULL)
            memcpy(gt, all + m + m * n, m * sizeof *g);
    }
    free(all);
    return status;
}

/* f(t, x) -> [m] */
mo_status py_call_field(void *data, double t, const double *x, double *f, mo_error *err)
{
    callback *c = data;
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *args = Py_BuildValue("(dN)", t, py_point_bytes(x, c->n));
    mo_status status = py_callback_numbers(c, args, c->m, c->m, f, NULL, err);
    PyGILState_Release(lock);
    return status;
}
