/*
 * Views: read-only buffers over memory of the library.
 *
 * A view knows its owner and which numbers it shows; where they lie is looked up when a buffer is taken, not
 * before.  Every buffer that is out is counted, and what would move or free the memory asks py_nothing_lent
 * first.  So an array made of a view is always over live memory: it keeps its owner alive, and holds off what
 * would pull the memory from under it, as the buffers of a bytearray do.
 */
#include "core.h"

typedef struct view_object {
    PyObject_HEAD PyObject *owner;
    span_finder find;
    int which;
    size_t *exports; /* of the owner */
    char format[2];
    Py_ssize_t itemsize;
} view_object;

bool py_nothing_lent(size_t exports, const char *what)
{
    if (exports == 0)
        return true;
    PyErr_Format(PyExc_BufferError,
                 "%s: %zu array%s still show%s the memory that this would change; let go of "
                 "%s, or keep copies (array.copy())",
                 what, exports, exports == 1 ? "" : "s", exports == 1 ? "s" : "",
                 exports == 1 ? "it" : "them");
    return false;
}

static Py_ssize_t size_of(char format)
{
    switch (format) {
    case 'd':
    case 'Q':
    case 'q':
        return 8;
    case 'I':
    case 'i':
        return 4;
    case 'H':
        return 2;
    default:
        return 1;
    }
}

static int get_buffer(view_object *v, Py_buffer *b, int flags)
{
    span s = {0};
    b->obj = NULL;
    if ((flags & PyBUF_WRITABLE) == PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "views are read-only");
        return -1;
    }
    if (!v->find(v->owner, v->which, &s))
        return -1;
    Py_ssize_t columns = s.columns > 0 ? s.columns : 1, *extent = PyMem_Malloc(4 * sizeof *extent);
    if (extent == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    v->format[0] = s.format;
    v->itemsize = size_of(s.format);
    // nothing to show still wants an address
    b->buf = s.data != NULL ? (void *)s.data : (void *)v->format;
    b->len = s.rows * columns * v->itemsize;
    b->readonly = 1;
    b->itemsize = v->itemsize;
    b->format = (flags & PyBUF_FORMAT) == PyBUF_FORMAT ? v->format : NULL;
    b->ndim = s.columns > 0 ? 2 : 1;
    extent[0] = s.rows;
    extent[1] = columns;
    extent[2] = columns * v->itemsize;
    extent[3] = v->itemsize;
    b->shape = (flags & PyBUF_ND) == PyBUF_ND ? extent : NULL;
    b->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? extent + 2 : NULL;
    b->suboffsets = NULL;
    b->internal = extent;
    ++*v->exports;
    b->obj = Py_NewRef((PyObject *)v);
    return 0;
}

static void release_buffer(view_object *v, Py_buffer *b)
{
    --*v->exports;
    PyMem_Free(b->internal);
}

static int traverse(view_object *v, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE((PyObject *)v));
    Py_VISIT(v->owner);
    return 0;
}

static void deallocate(view_object *v)
{
    PyObject_GC_UnTrack(v);
    Py_CLEAR(v->owner);
    py_free_object((PyObject *)v);
}

static PyType_Slot slots[] = {
    {Py_tp_doc, "Numbers of the library, for numpy.asarray and memoryview."},
    {Py_tp_dealloc, deallocate},
    {Py_tp_traverse, traverse},
    {Py_bf_getbuffer, get_buffer},
    {Py_bf_releasebuffer, release_buffer},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "moreau._core.View",
    .basicsize = sizeof(view_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = slots,
};

PyTypeObject *py_view_type(PyObject *module)
{
    return py_add_type(module, &spec);
}

PyObject *py_view_new(PyObject *owner, span_finder find, int which, size_t *exports)
{
    view_object *v = (view_object *)py_new_object(py_core.view);
    if (v == NULL)
        return NULL;
    v->owner = Py_NewRef(owner);
    v->find = find;
    v->which = which;
    v->exports = exports;
    return (PyObject *)v;
}
