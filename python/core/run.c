/*
 * Run files: what they hold, as views and dicts; pictures, tables, comparison.
 */
#include "core.h"

#include <string.h>

typedef struct run_object {
    PyObject_HEAD mo_run *run; /* NULL: closed */
    bool busy;
    size_t exports;
} run_object;

static mo_run *open_run(run_object *r)
{
    if (r->run == NULL)
        PyErr_SetString(py_core.usage, "the run file is closed");
    else if (r->busy)
        PyErr_SetString(py_core.usage, "the run file is being read by another thread");
    else
        return r->run;
    return NULL;
}

static int initialise(run_object *r, PyObject *args, PyObject *keywords)
{
    PyObject *where, *path;
    mo_error err = {0};
    mo_run *run = NULL;
    mo_status status;
    (void)keywords;
    if (!PyArg_ParseTuple(args, "O:Run", &where) || (path = py_read_path(where)) == NULL)
        return -1;
    if (r->run != NULL || r->busy) {
        Py_DECREF(path);
        PyErr_SetString(py_core.usage, "the run file is open already");
        return -1;
    }
    r->busy = true;
    WITH_FILES(status = mo_run_open(PyBytes_AsString(path), &run, &err));
    r->busy = false;
    Py_DECREF(path);
    if (status != MO_OK) {
        py_raise_error(status, &err);
        return -1;
    }
    r->run = run;
    return 0;
}

static PyObject *close_run(run_object *r, PyObject *none)
{
    (void)none;
    if (r->run == NULL)
        Py_RETURN_NONE;
    if (open_run(r) == NULL || !py_nothing_lent(r->exports, "the run file"))
        return NULL;
    mo_run *run = r->run;
    r->run = NULL;
    WITH_FILES(mo_run_close(run));
    Py_RETURN_NONE;
}

static void deallocate(run_object *r)
{
    if (r->run != NULL)
        WITH_FILES(mo_run_close(r->run));
    py_free_object((PyObject *)r);
}

/* ---- what it holds
 * --------------------------------------------------------------------------------------------- */

static const field info_fields[] = {
    FIELD(mo_run_info, kind, FIELD_TEXT),         FIELD(mo_run_info, version, FIELD_TEXT),
    FIELD(mo_run_info, scene_name, FIELD_TEXT),   FIELD(mo_run_info, scene_text, FIELD_TEXT),
    FIELD(mo_run_info, scene_folder, FIELD_TEXT), FIELD(mo_run_info, params_json, FIELD_TEXT),
    FIELD(mo_run_info, solver, FIELD_TEXT),       FIELD(mo_run_info, status, FIELD_TEXT),
    FIELD(mo_run_info, report_json, FIELD_TEXT),  FIELD(mo_run_info, plots_json, FIELD_TEXT),
    FIELD(mo_run_info, is_path, FIELD_FLAG),      FIELD(mo_run_info, coordinates, FIELD_SIZE),
    FIELD(mo_run_info, multipliers, FIELD_SIZE),  FIELD(mo_run_info, events, FIELD_SIZE),
    FIELD(mo_run_info, velocities, FIELD_FLAG),   FIELD(mo_run_info, seed, FIELD_SEED),
    FIELD(mo_run_info, dim, FIELD_INT),           FIELD(mo_run_info, h, FIELD_REAL),
    FIELD(mo_run_info, t_end, FIELD_REAL),        FIELD(mo_run_info, every, FIELD_REAL),
    FIELD(mo_run_info, gravity, FIELD_POINT),     FIELD(mo_run_info, frames, FIELD_SIZE),
    FIELD(mo_run_info, time, FIELD_REAL),         FIELD(mo_run_info, steps, FIELD_LONG),
    FIELD(mo_run_info, series_rows, FIELD_SIZE),  FIELD(mo_run_info, body_count, FIELD_SIZE),
    FIELD(mo_run_info, step_rows, FIELD_SIZE),    FIELDS_END,
};

static PyObject *texts(const char *const *items, size_t count)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < count; i++) {
        PyObject *text = PyUnicode_DecodeUTF8(items[i], (Py_ssize_t)strlen(items[i]), "surrogateescape");
        if (text == NULL || PyList_Append(list, text) < 0)
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    return list;
}

static PyObject *info(run_object *r, PyObject *none)
{
    (void)none;
    mo_run *run = open_run(r);
    if (run == NULL)
        return NULL;
    const mo_run_info *x = mo_run_info_get(run);
    PyObject *dict = py_write_fields(info_fields, x->dim, x);
    if (dict != NULL && !(py_put_item(dict, "series", texts(x->series, x->series_count)) &&
                          py_put_item(dict, "groups", texts(x->groups, x->group_count))))
        Py_CLEAR(dict);
    return dict;
}

static const char *const kinds[] = {"dynamic", "fixed", "moved", NULL};

static const field body_fields[] = {
    FIELD(mo_body_raw, id, FIELD_ID),      CHOICE(mo_body_raw, kind, kinds),
    FIELD(mo_body_raw, group, FIELD_TEXT), FIELD(mo_body_raw, name, FIELD_TEXT),
    FIELD(mo_body_raw, mass, FIELD_REAL),  FIELD(mo_body_raw, inertia, FIELD_REAL),
    FIELD(mo_body_raw, area, FIELD_REAL),  FIELDS_END,
};

static PyObject *bodies(run_object *r, PyObject *none)
{
    (void)none;
    mo_run *run = open_run(r);
    PyObject *list = run != NULL ? PyList_New(0) : NULL;
    const mo_body_raw *raw = run != NULL ? mo_run_bodies(run) : NULL;
    for (size_t i = 0; list != NULL && raw != NULL && i < mo_run_info_get(run)->body_count; i++) {
        PyObject *body = py_write_fields(body_fields, 0, &raw[i]);
        if (body == NULL || PyList_Append(list, body) < 0)
            Py_CLEAR(list);
        Py_XDECREF(body);
    }
    return list;
}

/* ---- arrays that live as long as the run
 * --------------------------------------------------------------------------- */

enum {
    TIMES,
    SERIES_T,
    SERIES,
    STEP,
    STEP_CONTACTS,
    STEP_ITERATIONS,
    STEP_RESIDUAL,
    PATH_T,
    PATH_X,
    PATH_U,
    PATH_LAMBDA
};
static const char *const array_names[] = {"times",         "series_t",        "series",        "step",
                                          "step_contacts", "step_iterations", "step_residual", "path_t",
                                          "path_x",        "path_u",          "path_lambda",   NULL};

static bool find_series(mo_run *run, int which, span *out)
{
    const double *t, *values;
    mo_error err = {0};
    mo_status status;
    WITH_FILES(status = mo_run_series(run, &t, &values, &err));
    if (status != MO_OK)
        return py_raise_error(status, &err) != NULL;
    const mo_run_info *x = mo_run_info_get(run);
    Py_ssize_t rows = (Py_ssize_t)x->series_rows, columns = (Py_ssize_t)x->series_count;
    *out = which == SERIES_T ? (span){t, 'd', rows, 0} : (span){values, 'd', columns > 0 ? rows : 0, columns};
    return true;
}

static bool find_steps(mo_run *run, int which, span *out)
{
    mo_run_steps s = {0};
    mo_error err = {0};
    mo_status status;
    WITH_FILES(status = mo_run_steps_get(run, &s, &err));
    if (status != MO_OK)
        return py_raise_error(status, &err) != NULL;
    const span spans[] = {
        {s.step, 'q', 0, 0}, {s.contacts, 'i', 0, 0}, {s.iterations, 'i', 0, 0}, {s.residual, 'd', 0, 0}};
    *out = spans[which - STEP];
    out->rows = (Py_ssize_t)s.count;
    return true;
}

static bool find_path(mo_run *run, int which, span *out)
{
    mo_run_path p = {0};
    mo_error err = {0};
    mo_status status;
    WITH_FILES(status = mo_run_path_get(run, &p, &err));
    if (status != MO_OK)
        return py_raise_error(status, &err) != NULL;
    const mo_run_info *x = mo_run_info_get(run);
    Py_ssize_t n = (Py_ssize_t)x->coordinates, m = (Py_ssize_t)x->multipliers;
    const span spans[] = {{p.t, 'd', 0, 0}, {p.x, 'd', 0, n}, {p.u, 'd', 0, n}, {p.lambda, 'd', 0, m}};
    *out = spans[which - PATH_T];
    out->rows = out->data != NULL && (which == PATH_T || out->columns > 0) ? (Py_ssize_t)p.rows : 0;
    return true;
}

static bool find(PyObject *owner, int which, span *out)
{
    run_object *r = (run_object *)owner;
    mo_run *run = open_run(r);
    if (run == NULL)
        return false;
    if (which == TIMES) {
        *out = (span){mo_run_times(run), 'd', (Py_ssize_t)mo_run_info_get(run)->frames, 0};
        return true;
    }
    r->busy = true;
    bool found = which <= SERIES          ? find_series(run, which, out)
                 : which <= STEP_RESIDUAL ? find_steps(run, which, out)
                                          : find_path(run, which, out);
    r->busy = false;
    return found;
}

static PyObject *array(run_object *r, PyObject *name)
{
    int which = open_run(r) != NULL ? py_read_choice(name, "array", array_names) : -1;
    return which >= 0 ? py_view_new((PyObject *)r, find, which, &r->exports) : NULL;
}

static PyObject *frame(run_object *r, PyObject *args)
{
    Py_ssize_t k;
    if (!PyArg_ParseTuple(args, "n:frame", &k))
        return NULL;
    mo_run *run = open_run(r);
    if (run == NULL)
        return NULL;
    if (k < 0 || (size_t)k >= mo_run_info_get(run)->frames) {
        PyErr_Format(PyExc_IndexError, "frame %zd: the run has %zu frames", k, mo_run_info_get(run)->frames);
        return NULL;
    }
    r->busy = true;
    PyObject *made = py_frame_new((PyObject *)r, run, (size_t)k);
    r->busy = false;
    return made;
}

static PyObject *events(run_object *r, PyObject *none)
{
    (void)none;
    mo_run_events e = {0};
    mo_error err = {0};
    mo_status status;
    mo_run *run = open_run(r);
    if (run == NULL)
        return NULL;
    r->busy = true;
    WITH_FILES(status = mo_run_events_get(run, &e, &err));
    r->busy = false;
    if (status != MO_OK)
        return py_raise_error(status, &err);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < e.count; i++) {
        PyObject *gaps =
            py_raw_bytes(e.gaps + e.gap_first[i], (e.gap_first[i + 1] - e.gap_first[i]) * sizeof *e.gaps);
        PyObject *event = Py_BuildValue("(dsdN)", e.t[i], e.type[i], e.size[i], gaps);
        if (event == NULL || PyList_Append(list, event) < 0)
            Py_CLEAR(list);
        Py_XDECREF(event);
    }
    return list;
}

/* ---- out
 * -------------------------------------------------------------------------------------------------------------
 */

static const char *const pictures[] = {"frame", "series", "path", "plots", NULL};
static const char *const colors[] = {"speed", "group", "stress", NULL};

static const field draw_fields[] = {
    CHOICE(mo_draw_def, what, pictures),
    FIELD(mo_draw_def, frame, FIELD_SIZE),
    FIELD(mo_draw_def, svg, FIELD_FLAG),
    CHOICE(mo_draw_def, color, colors),
    FIELD(mo_draw_def, chains, FIELD_FLAG),
    FIELD(mo_draw_def, network, FIELD_FLAG),
    FIELD(mo_draw_def, width, FIELD_INT),
    FIELD(mo_draw_def, framed, FIELD_FLAG),
    VECTOR(mo_draw_def, lo, 3),
    VECTOR(mo_draw_def, hi, 3),
    FIELD(mo_draw_def, azimuth, FIELD_REAL),
    FIELD(mo_draw_def, elevation, FIELD_REAL),
    FIELD(mo_draw_def, orthographic, FIELD_FLAG),
    FIELDS_END,
};

static PyObject *draw(run_object *r, PyObject *args)
{
    PyObject *where, *dict, *path;
    mo_draw_def def = mo_default_draw_def();
    mo_error err = {0};
    mo_status status;
    if (!PyArg_ParseTuple(args, "O!O:draw", &PyDict_Type, &dict, &where) ||
        !py_read_fields("draw", dict, draw_fields, NULL, 0, &def) || (path = py_read_path(where)) == NULL)
        return NULL;
    mo_run *run = open_run(r);
    if (run == NULL) {
        Py_DECREF(path);
        return NULL;
    }
    r->busy = true;
    WITH_FILES(status = mo_run_draw(run, &def, PyBytes_AsString(path), &err));
    r->busy = false;
    Py_DECREF(path);
    if (status != MO_OK)
        return py_raise_error(status, &err);
    Py_RETURN_NONE;
}

static const field comparison_fields[] = {
    FIELD(mo_comparison, frames, FIELD_SIZE),
    FIELD(mo_comparison, bodies, FIELD_SIZE),
    FIELD(mo_comparison, max_position, FIELD_REAL),
    FIELD(mo_comparison, rms_position, FIELD_REAL),
    FIELD(mo_comparison, max_angle, FIELD_REAL),
    FIELD(mo_comparison, max_velocity, FIELD_REAL),
    FIELD(mo_comparison, final_max_position, FIELD_REAL),
    FIELD(mo_comparison, path_graph, FIELD_REAL),
    FIELD(mo_comparison, velocity_graph, FIELD_REAL),
    FIELD(mo_comparison, identical, FIELD_FLAG),
    FIELDS_END,
};

static PyObject *compare(run_object *r, PyObject *args)
{
    run_object *other;
    mo_comparison c = {0};
    mo_error err = {0};
    mo_status status;
    if (!PyArg_ParseTuple(args, "O!:compare", py_core.run, &other))
        return NULL;
    mo_run *a = open_run(r), *b = a != NULL ? open_run(other) : NULL;
    if (b == NULL)
        return NULL;
    r->busy = other->busy = true;
    WITH_FILES(status = mo_run_compare(a, b, &c, &err));
    r->busy = other->busy = false;
    return status == MO_OK ? py_write_fields(comparison_fields, 0, &c) : py_raise_error(status, &err);
}

/* what: bodies, contacts, series, vtk, xdmf */
static PyObject *export_to(run_object *r, PyObject *args)
{
    static const char *const choices[] = {"bodies", "contacts", "series", "vtk", "xdmf", NULL};
    PyObject *name, *where, *path;
    Py_ssize_t first, count;
    mo_error err = {0};
    mo_status status;
    if (!PyArg_ParseTuple(args, "OOnn:export", &name, &where, &first, &count))
        return NULL;
    int what = py_read_choice(name, "what", choices);
    mo_run *run = what >= 0 ? open_run(r) : NULL;
    if (run == NULL)
        return NULL;
    size_t frames = mo_run_info_get(run)->frames;
    if (first < 0 || count < 0 || (size_t)first > frames || (size_t)count > frames - (size_t)first) {
        PyErr_Format(PyExc_IndexError, "frames %zd to %zd: the run has %zu", first, first + count, frames);
        return NULL;
    }
    if ((path = py_read_path(where)) == NULL || (run = open_run(r)) == NULL) {
        Py_XDECREF(path);
        return NULL;
    }
    const char *to = PyBytes_AsString(path);
    size_t from = (size_t)first, n = (size_t)count;
    r->busy = true;
    WITH_FILES(status = what <= 2   ? mo_export_csv(run, (mo_export_what)what, from, n, to, &err)
                        : what == 3 ? mo_export_vtk(run, from, n, to, &err)
                                    : mo_export_xdmf(run, to, &err));
    r->busy = false;
    Py_DECREF(path);
    if (status != MO_OK)
        return py_raise_error(status, &err);
    Py_RETURN_NONE;
}

static mo_status put_frame(mo_run *run, size_t k, uint32_t created, mo_world *world, mo_error *err)
{
    mo_frame f = {0};
    mo_status status = mo_run_frame(run, k, &f, err);
    if (status == MO_OK)
        status = mo_run_restore(run, &f, created, world, err);
    mo_frame_free(&f);
    return status;
}

/* restore(world, k, created): puts frame k on a world that was built as the run's was */
static PyObject *restore(run_object *r, PyObject *args)
{
    world_object *w;
    Py_ssize_t k;
    PyObject *count;
    uint32_t created;
    mo_error err = {0};
    mo_status status;
    if (!PyArg_ParseTuple(args, "O!nO:restore", py_core.world, &w, &k, &count) ||
        !py_read_id(count, "created", &created))
        return NULL;
    mo_run *run = open_run(r);
    mo_world *world = run != NULL ? py_world_to_change(w, true) : NULL;
    if (world == NULL || !py_nothing_lent(w->shared->contact_exports, "the contacts"))
        return NULL;
    if (k < 0 || (size_t)k >= mo_run_info_get(run)->frames) {
        PyErr_Format(PyExc_IndexError, "frame %zd: the run has %zu frames", k, mo_run_info_get(run)->frames);
        return NULL;
    }
    r->busy = w->shared->busy = true;
    WITH_FILES(status = put_frame(run, (size_t)k, created, world, &err));
    r->busy = w->shared->busy = false;
    return py_none(status, &err);
}

/* of a sweep or system: (t, step, state or None, text) */
static PyObject *checkpoint(run_object *r, PyObject *none)
{
    (void)none;
    mo_checkpoint c = {0};
    mo_error err = {0};
    mo_status status;
    mo_run *run = open_run(r);
    if (run == NULL)
        return NULL;
    WITH_FILES(status = mo_run_checkpoint(run, &c, &err));
    if (status != MO_OK)
        return py_raise_error(status, &err);
    const char *text = c.extra.state_text != NULL ? c.extra.state_text : "";
    PyObject *state = c.state != NULL ? py_raw_bytes(c.state, c.state_size) : Py_NewRef(Py_None);
    return Py_BuildValue("(dLNN)", c.t, (long long)c.step, state,
                         PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "surrogateescape"));
}

static PyMethodDef methods[] = {
    {"close", (PyCFunction)close_run, METH_NOARGS, "close()"},
    {"info", (PyCFunction)info, METH_NOARGS, "info() -> dict"},
    {"body_table", (PyCFunction)bodies, METH_NOARGS, "body_table() -> list of dicts"},
    {"array", (PyCFunction)array, METH_O, "array(name) -> View"},
    {"frame", (PyCFunction)frame, METH_VARARGS, "frame(k) -> Frame"},
    {"restore", (PyCFunction)restore, METH_VARARGS, "restore(world, k, created)"},
    {"checkpoint", (PyCFunction)checkpoint, METH_NOARGS, "checkpoint() -> (t, step, state, text)"},
    {"events", (PyCFunction)events, METH_NOARGS, "events() -> list"},
    {"draw", (PyCFunction)draw, METH_VARARGS, "draw(def, path)"},
    {"compare", (PyCFunction)compare, METH_VARARGS, "compare(other) -> dict"},
    {"export", (PyCFunction)export_to, METH_VARARGS, "export(what, path, first, count)"},
    {NULL, NULL, 0, NULL},
};

PyTypeObject *py_run_type(PyObject *module)
{
    PyType_Slot slots[] = {
        {Py_tp_doc, "A run file; moreau.Run is what users see."},
        {Py_tp_init, initialise},
        {Py_tp_dealloc, deallocate},
        {Py_tp_methods, methods},
        {0, NULL},
    };
    PyType_Spec spec = {.name = "moreau._core.Run",
                        .basicsize = sizeof(run_object),
                        .flags = Py_TPFLAGS_DEFAULT,
                        .slots = slots};
    return py_add_type(module, &spec);
}
