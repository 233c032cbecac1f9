/*
 * Frames of a world's run: memory of their own, shown by views.
 */
#include "core.h"

#include <string.h>

typedef struct frame_object {
    PyObject_HEAD mo_frame frame;
    size_t exports; /* counted, and nothing to hold off: a frame never changes */
} frame_object;

static const char *const names[] = {"id",     "row",     "q",        "u",       "load",   "force",
                                    "radius", "id1",     "id2",      "feature", "point",  "normal",
                                    "gap",    "impulse", "velocity", "memory",  "status", NULL};

static bool find(PyObject *owner, int which, span *out)
{
    const mo_frame *f = &((frame_object *)owner)->frame;
    const Py_ssize_t dim = f->dim, nq = dim == 2 ? 3 : 7, nu = dim == 2 ? 3 : 6;
    const Py_ssize_t b = (Py_ssize_t)f->body_count, c = (Py_ssize_t)f->contact_count;
    const span spans[] = {
        {f->id, 'I', b, 0},      {f->row, 'I', b, 0},       {f->q, 'd', b, nq},
        {f->u, 'd', b, nu},      {f->load, 'd', b, nu},     {f->force, 'd', b, nu},
        {f->radius, 'd', b, 0},  {f->id1, 'I', c, 0},       {f->id2, 'I', c, 0},
        {f->feature, 'Q', c, 0}, {f->point, 'd', c, dim},   {f->normal, 'd', c, dim},
        {f->gap, 'd', c, 0},     {f->impulse, 'd', c, dim}, {f->velocity, 'd', c, dim},
        {f->memory, 'd', c, 0},  {f->status, 'B', c, 0},
    };
    *out = spans[which];
    if (out->data == NULL)
        out->rows = 0;
    return true;
}

static PyObject *array(frame_object *f, PyObject *name)
{
    int which = py_read_choice(name, "array", names);
    return which >= 0 ? py_view_new((PyObject *)f, find, which, &f->exports) : NULL;
}

static PyObject *info(frame_object *f, PyObject *none)
{
    (void)none;
    const mo_frame *x = &f->frame;
    const char *text = x->state_text != NULL ? x->state_text : "";
    return Py_BuildValue("{sdsLsisNsNsN}", "time", x->time, "step", (long long)x->step, "dim", x->dim,
                         "energy", py_write_fields(py_energy_fields, 0, &x->energy), "cell",
                         py_cell_dict(&x->cell, x->dim), "state",
                         PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "surrogateescape"));
}

static void deallocate(frame_object *f)
{
    mo_frame_free(&f->frame);
    py_free_object((PyObject *)f);
}

PyObject *py_frame_new(PyObject *run, mo_run *handle, size_t k)
{
    mo_error err = {0};
    mo_status status;
    (void)run;
    frame_object *f = (frame_object *)py_new_object(py_core.frame);
    if (f == NULL)
        return NULL;
    mo_frame frame = {0};
    WITH_FILES(status = mo_run_frame(handle, k, &frame, &err));
    if (status != MO_OK) {
        Py_DECREF(f);
        return py_raise_error(status, &err);
    }
    f->frame = frame;
    return (PyObject *)f;
}

static PyMethodDef methods[] = {
    {"array", (PyCFunction)array, METH_O, "array(name) -> View"},
    {"info", (PyCFunction)info, METH_NOARGS, "info() -> dict"},
    {NULL, NULL, 0, NULL},
};

PyTypeObject *py_frame_type(PyObject *module)
{
    PyType_Slot slots[] = {
        {Py_tp_doc, "A frame of a run; moreau.Frame is what users see."},
        {Py_tp_dealloc, deallocate},
        {Py_tp_methods, methods},
        {0, NULL},
    };
    PyType_Spec spec = {.name = "moreau._core.Frame",
                        .basicsize = sizeof(frame_object),
                        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                        .slots = slots};
    return py_add_type(module, &spec);
}
