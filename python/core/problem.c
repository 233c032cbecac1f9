/*
 * Contact problems: solving, judging, reading and writing FCLIB files.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

/* ---- in
 * -------------------------------------------------------------------------------------------------------- */

static bool read_problem(PyObject *dict, scratch *s, mo_problem *out)
{
    static const field fields[] = {FIELD(mo_problem, dim, FIELD_INT), FIELD(mo_problem, contacts, FIELD_SIZE),
                                   FIELDS_END};
    static const char *const others[] = {"start", "column", "W", "q", "mu", NULL};
    size_t starts, columns, mus;
    PyObject *items[5];
    *out = (mo_problem){0};
    if (!py_read_fields("problem", dict, fields, others, 0, out))
        return false;
    for (int i = 0; i < 5; i++)
        if ((items[i] = py_get_item(dict, others[i])) == NULL)
            return py_wrong(others[i], "expected an array, found nothing") == 0;
    if ((out->dim != 2 && out->dim != 3) || out->contacts > SIZE_MAX / 64)
        return py_wrong("dim", "found %d, expected 2 or 3", out->dim) == 0;
    if ((out->start = py_read_sizes(items[0], "start", s, &starts)) == NULL ||
        (out->column = py_read_indices(items[1], "column", s, &columns)) == NULL)
        return false;
    // sizes first: the library trusts them
    if (starts != out->contacts + 1 || out->start[0] != 0 || out->start[out->contacts] != columns)
        return py_wrong("start", "does not fit %zu contacts and %zu blocks", out->contacts, columns) == 0;
    for (size_t i = 0; i < out->contacts; i++)
        if (out->start[i] > out->start[i + 1])
            return py_wrong("start", "falls at contact %zu", i) == 0;
    size_t block = (size_t)(out->dim * out->dim), n = (size_t)out->dim * out->contacts;
    return (out->W = py_read_array_of(items[2], "W", s, block * columns)) != NULL &&
           (out->q = py_read_array_of(items[3], "q", s, n)) != NULL &&
           (out->mu = py_read_array(items[4], "mu", s, &mus)) != NULL &&
           (mus == out->contacts ||
            py_wrong("mu", "found %zu numbers, expected %zu", mus, out->contacts) == 0);
}

/* ---- out
 * -------------------------------------------------------------------------------------------------------- */

static PyObject *residual_dict(const mo_problem_residual *r)
{
    PyObject *dict = py_write_fields(py_certificate_fields, 0, &r->certificate);
    if (dict != NULL && !(py_put_item(dict, "residual", PyFloat_FromDouble(r->residual)) &&
                          py_put_item(dict, "residual_fclib", PyFloat_FromDouble(r->residual_fclib))))
        Py_CLEAR(dict);
    return dict;
}

PyObject *py_problem_arrays(const mo_problem *p)
{
    size_t blocks = p->start[p->contacts], n = (size_t)p->dim * p->contacts;
    return Py_BuildValue("{sisnsNsNsNsNsN}", "dim", p->dim, "contacts", (Py_ssize_t)p->contacts, "start",
                         py_raw_bytes(p->start, (p->contacts + 1) * sizeof *p->start), "column",
                         py_raw_bytes(p->column, blocks * sizeof *p->column), "W",
                         py_numbers(p->W, blocks * (size_t)(p->dim * p->dim)), "q", py_numbers(p->q, n), "mu",
                         py_numbers(p->mu, p->contacts));
}

static const field solve_fields[] = {
    FIELD(mo_problem_info, solved, FIELD_FLAG),
    FIELD(mo_problem_info, iterations, FIELD_INT),
    FIELD(mo_problem_info, seconds, FIELD_REAL),
    FIELD(mo_problem_info, solver, FIELD_CHARS),
    FIELD(mo_problem_info, story, FIELD_CHARS),
    {"impossible", FIELD_FLAG, offsetof(mo_problem_info, witness.proves), 0, NULL},
    FIELDS_END,
};

/* ---- solving
 * ------------------------------------------------------------------------------------------------------ */

static bool known_solver(const char *name)
{
    const char *other;
    for (size_t i = 0; (other = mo_problem_solver_name(i)) != NULL; i++)
        if (strcmp(other, name) == 0)
            return true;
    return py_wrong("solver", "found '%.40s', expected one of moreau.solver_names()", name) == 0;
}

static PyObject *answer(const mo_problem *p, const double *r, const double *u, const mo_problem_info *info)
{
    size_t n = (size_t)p->dim * p->contacts;
    PyObject *dict = py_write_fields(solve_fields, 0, info);
    if (dict != NULL &&
        !(py_put_item(dict, "certificate", residual_dict(&info->reached)) &&
          py_put_item(dict, "r", py_numbers(r, n)) && py_put_item(dict, "u", py_numbers(u, n))))
        Py_CLEAR(dict);
    return dict;
}

/* solve(problem, solver, settings, start or None) */
static PyObject *solve(PyObject *module, PyObject *args)
{
    PyObject *dict, *settings, *start, *result = NULL;
    const char *name;
    mo_problem p;
    mo_solver_settings set = mo_default_solver_settings();
    mo_problem_info info = {0};
    mo_error err = {0};
    guard g = {0};
    scratch s = {0};
    double *r = NULL, *u = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "OsOO:solve", &dict, &name, &settings, &start))
        return NULL;
    set.stop = py_guard_stop;
    set.stop_data = &g;
    if (read_problem(dict, &s, &p) && known_solver(name) && py_read_solver(settings, &set)) {
        size_t n = (size_t)p.dim * p.contacts;
        r = start != Py_None ? py_read_array_of(start, "r", &s, n) : py_scratch_get(&s, n * sizeof *r);
        u = r != NULL ? py_scratch_get(&s, n * sizeof *u) : NULL;
    }
    if (u != NULL) {
        mo_status status;
        WITHOUT_LOCK({
            status = mo_problem_check(&p, &err);
            if (status == MO_OK)
                status = mo_problem_solve(&p, name, &set, r, u, &info, &err);
        });
        if (py_guard_pass(&g, status, &err))
            result = answer(&p, r, u, &info);
    }
    py_scratch_free(&s);
    return result;
}

/* certify(problem, r, u or None) */
static PyObject *certify(PyObject *module, PyObject *args)
{
    PyObject *dict, *R, *U, *result = NULL;
    mo_problem p;
    mo_problem_residual out;
    mo_error err = {0};
    scratch s = {0};
    double *r = NULL, *u = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOO:certify", &dict, &R, &U))
        return NULL;
    bool read = read_problem(dict, &s, &p);
    size_t n = read ? (size_t)p.dim * p.contacts : 0;
    read = read && (r = py_read_array_of(R, "r", &s, n)) != NULL &&
           (U == Py_None || (u = py_read_array_of(U, "u", &s, n)) != NULL);
    if (read) {
        mo_status status = mo_problem_check(&p, &err);
        if (status == MO_OK)
            status = mo_problem_certify(&p, r, u, &out, &err);
        result = status == MO_OK ? residual_dict(&out) : py_raise_error(status, &err);
    }
    py_scratch_free(&s);
    return result;
}

/* witness(problem) -> (proves, z): why there is no solution */
static PyObject *witness(PyObject *module, PyObject *arg)
{
    mo_problem p;
    mo_problem_witness w;
    mo_error err = {0};
    scratch s = {0};
    PyObject *result = NULL;
    (void)module;
    double *z = read_problem(arg, &s, &p) ? py_scratch_get(&s, p.contacts * sizeof *z) : NULL;
    if (z != NULL) {
        mo_status status;
        WITHOUT_LOCK({
            status = mo_problem_check(&p, &err);
            if (status == MO_OK)
                status = mo_problem_find_witness(&p, z, &w, &err);
        });
        result = status == MO_OK ? Py_BuildValue("(NN)", PyBool_FromLong(w.proves), py_numbers(z, p.contacts))
                                 : py_raise_error(status, &err);
    }
    py_scratch_free(&s);
    return result;
}

/* ---- files
 * ------------------------------------------------------------------------------------------------------------
 */

static PyObject *file_dict(const mo_problem_file *f)
{
    PyObject *dict = py_problem_arrays(&f->local);
    size_t n = (size_t)f->local.dim * f->local.contacts;
    PyObject *r = f->has_solution ? py_numbers(f->r, n) : Py_NewRef(Py_None);
    PyObject *u = f->has_solution && f->u != NULL ? py_numbers(f->u, n) : Py_NewRef(Py_None);
    if (dict == NULL ||
        !(py_put_item(dict, "r", Py_XNewRef(r)) && py_put_item(dict, "u", Py_XNewRef(u)) &&
          py_put_item(dict, "is_global", PyBool_FromLong(f->global)) &&
          py_put_item(dict, "title",
                      PyUnicode_DecodeUTF8(f->title, (Py_ssize_t)strlen(f->title), "replace")) &&
          py_put_item(dict, "description",
                      PyUnicode_DecodeUTF8(f->description, (Py_ssize_t)strlen(f->description), "replace"))))
        Py_CLEAR(dict);
    Py_XDECREF(r);
    Py_XDECREF(u);
    return dict;
}

static PyObject *read_file(PyObject *module, PyObject *where)
{
    mo_problem_file f = {0};
    mo_error err = {0};
    mo_status status;
    (void)module;
    PyObject *path = py_read_path(where), *dict;
    if (path == NULL)
        return NULL;
    WITH_FILES(status = mo_problem_read(PyBytes_AsString(path), &f, &err));
    Py_DECREF(path);
    if (status != MO_OK)
        return py_raise_error(status, &err);
    dict = file_dict(&f);
    mo_problem_file_free(&f);
    return dict;
}

/* problem_write(path, problem, title, description, r or None, u or None) */
static PyObject *write_file(PyObject *module, PyObject *args)
{
    PyObject *where, *dict, *R, *U, *path = NULL, *result = NULL;
    const char *title, *description;
    mo_problem_file f = {0};
    mo_error err = {0};
    scratch s = {0};
    double *r = NULL, *u = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOssOO:problem_write", &where, &dict, &title, &description, &R, &U))
        return NULL;
    bool read = read_problem(dict, &s, &f.local);
    size_t n = read ? (size_t)f.local.dim * f.local.contacts : 0;
    read = read && (R == Py_None || (r = py_read_array_of(R, "r", &s, n)) != NULL) &&
           (U == Py_None || (u = py_read_array_of(U, "u", &s, n)) != NULL) &&
           (path = py_read_path(where)) != NULL;
    if (read && (r == NULL) != (u == NULL))
        read = py_wrong("r", "a solution is r and u, or neither") == 0;
    if (read) {
        mo_status status;
        strncpy(f.title, title, sizeof f.title - 1);
        strncpy(f.description, description, sizeof f.description - 1);
        status = mo_problem_check(&f.local, &err);
        if (status == MO_OK)
            WITH_FILES(status = mo_problem_write(PyBytes_AsString(path), &f, r, u, &err));
        result = status == MO_OK ? Py_NewRef(Py_None) : py_raise_error(status, &err);
    }
    Py_XDECREF(path);
    py_scratch_free(&s);
    return result;
}

PyMethodDef py_problem_functions[] = {
    {"solve", solve, METH_VARARGS, "solve(problem, solver, settings, start) -> dict"},
    {"certify", certify, METH_VARARGS, "certify(problem, r, u) -> dict"},
    {"witness", witness, METH_O, "witness(problem) -> (bool, bytearray)"},
    {NULL, NULL, 0, NULL},
};

PyMethodDef py_file_functions[] = {
    {"problem_read", read_file, METH_O, "problem_read(path) -> dict"},
    {"problem_write", write_file, METH_VARARGS, "problem_write(path, problem, title, description, r, u)"},
    {NULL, NULL, 0, NULL},
};
