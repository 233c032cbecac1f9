/*
 * Python values to C and back: numbers, arrays, texts, and whole structs from dicts by tables of fields.
 */
#include "core.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory -------------------------------------------------------------------------------------------- */

void *py_scratch_get(scratch *s, size_t size)
{
    void **items = realloc(s->items, (s->count + 1) * sizeof *items);
    if (items != NULL)
        s->items = items;
    void *memory = items != NULL ? calloc(1, size > 0 ? size : 1) : NULL;
    if (memory == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    s->items[s->count++] = memory;
    return memory;
}

void py_scratch_free(scratch *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->items[i]);
    free(s->items);
    *s = (scratch){0};
}

/* ---- single values
 * ----------------------------------------------------------------------------------------- */

/* the message of a wrong type names the key and what was found */
static bool wrong_type(PyObject *value, const char *key, const char *expected)
{
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s: expected %s, found %R", key, expected, value);
    return false;
}

bool py_read_real(PyObject *value, const char *key, double *out)
{
    double x = PyFloat_AsDouble(value);
    if (x == -1 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_OverflowError))
            return false;
        return wrong_type(value, key, "a number");
    }
    *out = x;
    return true;
}

static bool read_whole(PyObject *value, const char *key, long long low, long long high, long long *out)
{
    PyObject *whole = PyNumber_Index(value);
    if (whole == NULL)
        return wrong_type(value, key, "a whole number");
    int over = 0;
    long long x = PyLong_AsLongLongAndOverflow(whole, &over);
    Py_DECREF(whole);
    if (x == -1 && PyErr_Occurred())
        return false;
    if (over != 0 || x < low || x > high)
        return py_wrong(key, "found a number out of range, expected %lld to %lld", low, high) == 0;
    *out = x;
    return true;
}

bool py_read_id(PyObject *value, const char *key, uint32_t *out)
{
    long long whole = 0;
    bool read = read_whole(value, key, 0, UINT32_MAX, &whole);
    *out = (uint32_t)whole;
    return read;
}

static bool read_seed(PyObject *value, const char *key, uint64_t *out)
{
    PyObject *whole = PyNumber_Index(value);
    if (whole == NULL)
        return wrong_type(value, key, "a whole number");
    unsigned long long x = PyLong_AsUnsignedLongLong(whole);
    Py_DECREF(whole);
    if (x == (unsigned long long)-1 && PyErr_Occurred()) {
        PyErr_Clear();
        return py_wrong(key, "found a number out of range, expected 0 to 2^64 - 1") == 0;
    }
    *out = x;
    return true;
}

const char *py_read_text(PyObject *value, const char *key)
{
    Py_ssize_t length = 0;
    // bytes are texts of files, which need not be UTF-8
    char *bytes = NULL;
    if (PyBytes_Check(value))
        PyBytes_AsStringAndSize(value, &bytes, &length);
    const char *text = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, &length) : bytes;
    if (text == NULL) {
        wrong_type(value, key, "a text");
        return NULL;
    }
    if (strlen(text) != (size_t)length) {
        py_wrong(key, "found a text with a zero byte");
        return NULL;
    }
    return text;
}

PyObject *py_read_path(PyObject *value)
{
    PyObject *path = NULL;
    return PyUnicode_FSConverter(value, &path) ? path : NULL;
}

int py_read_choice(PyObject *value, const char *key, const char *const *choices)
{
    const char *text = py_read_text(value, key);
    char list[400] = "";
    if (text == NULL)
        return -1;
    for (int i = 0; choices[i] != NULL; i++) {
        if (strcmp(choices[i], text) == 0)
            return i;
        strncat(list, i > 0 ? ", '" : "'", sizeof list - strlen(list) - 1);
        strncat(list, choices[i], sizeof list - strlen(list) - 1);
        strncat(list, "'", sizeof list - strlen(list) - 1);
    }
    return py_wrong(key, "found '%.60s', expected one of %s", text, list);
}

/* ---- arrays
 * --------------------------------------------------------------------------------------------------- */

/* a contiguous buffer with this format and size of items; false without an exception: it is none */
static bool borrow(PyObject *value, const char *formats, Py_ssize_t size, Py_buffer *out)
{
    if (!PyObject_CheckBuffer(value))
        return false;
    if (PyObject_GetBuffer(value, out, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0) {
        PyErr_Clear();
        return false;
    }
    const char *f = out->format != NULL ? out->format : "B";
    if (*f == '@' || *f == '=' || *f == '<')
        f++;
    if (strlen(f) == 1 && strchr(formats, *f) != NULL && out->itemsize == size)
        return true;
    PyBuffer_Release(out);
    return false;
}

static Py_ssize_t length_of(PyObject *value, const char *key, const char *expected)
{
    Py_ssize_t n = PySequence_Check(value) && !PyUnicode_Check(value) ? PySequence_Size(value) : -1;
    if (n < 0)
        wrong_type(value, key, expected);
    return n;
}

static bool read_items(PyObject *value, const char *key, size_t count, double *out)
{
    for (size_t i = 0; i < count; i++) {
        PyObject *item = PySequence_GetItem(value, (Py_ssize_t)i);
        bool read = item != NULL && py_read_real(item, key, &out[i]);
        Py_XDECREF(item);
        if (!read)
            return false;
    }
    return true;
}

bool py_read_reals(PyObject *value, const char *key, size_t count, double *out)
{
    Py_buffer b;
    if (borrow(value, "d", sizeof(double), &b)) {
        size_t n = (size_t)b.len / sizeof(double);
        if (n == count && n > 0)
            memcpy(out, b.buf, count * sizeof *out);
        PyBuffer_Release(&b);
        return n == count || py_wrong(key, "found %zu numbers, expected %zu", n, count) == 0;
    }
    Py_ssize_t n = length_of(value, key, "numbers");
    if (n < 0)
        return false;
    if ((size_t)n != count)
        return py_wrong(key, "found %zd numbers, expected %zu", n, count) == 0;
    return read_items(value, key, count, out);
}

double *py_read_array(PyObject *value, const char *key, scratch *s, size_t *count)
{
    Py_buffer b;
    double *out = NULL;
    if (borrow(value, "d", sizeof(double), &b)) {
        *count = (size_t)b.len / sizeof(double);
        out = py_scratch_get(s, (size_t)b.len);
        if (out != NULL && b.len > 0)
            memcpy(out, b.buf, (size_t)b.len);
        PyBuffer_Release(&b);
        return out;
    }
    Py_ssize_t n = length_of(value, key, "numbers");
    if (n < 0)
        return NULL;
    if ((size_t)n > SIZE_MAX / 16) {
        py_wrong(key, "found %zd numbers", n);
        return NULL;
    }
    *count = (size_t)n;
    out = py_scratch_get(s, *count * sizeof *out);
    return out != NULL && read_items(value, key, *count, out) ? out : NULL;
}

double *py_read_array_of(PyObject *value, const char *key, scratch *s, size_t count)
{
    size_t n;
    double *out = py_read_array(value, key, s, &n);
    if (out != NULL && n != count) {
        py_wrong(key, "found %zu numbers, expected %zu", n, count);
        return NULL;
    }
    return out;
}

/* items of a buffer as they lie there */
static void *read_raw(PyObject *value, const char *key, const char *formats, size_t size,
                      const char *expected, scratch *s, size_t *count)
{
    Py_buffer b;
    if (!borrow(value, formats, (Py_ssize_t)size, &b)) {
        wrong_type(value, key, expected);
        return NULL;
    }
    *count = (size_t)b.len / size;
    void *out = py_scratch_get(s, (size_t)b.len);
    if (out != NULL && b.len > 0)
        memcpy(out, b.buf, (size_t)b.len);
    PyBuffer_Release(&b);
    return out;
}

uint32_t *py_read_indices(PyObject *value, const char *key, scratch *s, size_t *count)
{
    return read_raw(value, key, "IL", sizeof(uint32_t), "an array of uint32", s, count);
}

size_t *py_read_sizes(PyObject *value, const char *key, scratch *s, size_t *count)
{
    return read_raw(value, key, "LQNK", sizeof(size_t), "an array of uint64", s, count);
}

const char *const *py_read_texts(PyObject *value, const char *key, scratch *s, size_t *count)
{
    // a tuple keeps its texts; other sequences could give new ones at every call
    if (!PyTuple_Check(value)) {
        wrong_type(value, key, "a tuple of texts");
        return NULL;
    }
    *count = (size_t)PyTuple_Size(value);
    const char **out = py_scratch_get(s, (*count + 1) * sizeof *out);
    for (size_t i = 0; out != NULL && i < *count; i++)
        if ((out[i] = py_read_text(PyTuple_GetItem(value, (Py_ssize_t)i), key)) == NULL)
            return NULL;
    return out;
}

/* ---- structs
 * ----------------------------------------------------------------------------------------------------- */

static bool read_flag(PyObject *value, const char *key, bool *out)
{
    // True, False and NumPy's; numbers are mistakes
    int truth = PyFloat_Check(value) || PyUnicode_Check(value) ? -1 : PyObject_IsTrue(value);
    if (truth < 0)
        return wrong_type(value, key, "True or False");
    *out = truth;
    return true;
}

static bool read_field(const field *f, PyObject *value, int dim, char *at)
{
    long long whole = 0;
    int choice;
    switch (f->kind) {
    case FIELD_REAL:
        return py_read_real(value, f->key, (double *)(void *)at);
    case FIELD_FLAG:
        return read_flag(value, f->key, (bool *)at);
    case FIELD_INT:
        if (!read_whole(value, f->key, INT_MIN, INT_MAX, &whole))
            return false;
        *(int *)(void *)at = (int)whole;
        return true;
    case FIELD_BITS:
    case FIELD_ID:
        return py_read_id(value, f->key, (uint32_t *)(void *)at);
    case FIELD_LONG:
        if (!read_whole(value, f->key, LLONG_MIN, LLONG_MAX, &whole))
            return false;
        *(int64_t *)(void *)at = whole;
        return true;
    case FIELD_SIZE:
        if (!read_whole(value, f->key, 0, LLONG_MAX, &whole))
            return false;
        *(size_t *)(void *)at = (size_t)whole;
        return true;
    case FIELD_SEED:
        return read_seed(value, f->key, (uint64_t *)(void *)at);
    case FIELD_CHOICE:
        choice = py_read_choice(value, f->key, f->choices);
        if (choice >= 0)
            *(int *)(void *)at = choice;
        return choice >= 0;
    case FIELD_VECTOR:
        return py_read_reals(value, f->key, f->count, (double *)(void *)at);
    case FIELD_POINT:
        return py_read_reals(value, f->key, (size_t)dim, (double *)(void *)at);
    case FIELD_TEXT:
        return (*(const char **)(void *)at = py_read_text(value, f->key)) != NULL;
    default:
        return py_wrong(f->key, "cannot be given") == 0;
    }
}

static bool known(const char *key, const field *fields, const char *const *others)
{
    for (const field *f = fields; f->key != NULL; f++)
        if (strcmp(f->key, key) == 0)
            return true;
    for (; others != NULL && *others != NULL; others++)
        if (strcmp(*others, key) == 0)
            return true;
    return false;
}

static bool check_keys(const char *what, PyObject *dict, const field *fields, const char *const *others)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(dict, &at, &key, &value)) {
        const char *text = py_read_text(key, what);
        if (text == NULL)
            return false;
        if (!known(text, fields, others)) {
            PyErr_Format(PyExc_TypeError, "%s has no key %R", what, key);
            return false;
        }
    }
    return true;
}

PyObject *py_get_item(PyObject *dict, const char *key)
{
    PyObject *value = PyDict_GetItemString(dict, key);
    return value == Py_None ? NULL : value;
}

bool py_read_fields(const char *what, PyObject *dict, const field *fields, const char *const *others, int dim,
                    void *out)
{
    if (!PyDict_Check(dict))
        return wrong_type(dict, what, "a dict");
    if (!check_keys(what, dict, fields, others))
        return false;
    for (const field *f = fields; f->key != NULL; f++) {
        PyObject *value = py_get_item(dict, f->key);
        if (value == NULL)
            continue;
        // reading may run code of the value, which may empty the dict
        Py_INCREF(value);
        bool read = read_field(f, value, dim, (char *)out + f->offset);
        Py_DECREF(value);
        if (!read)
            return false;
    }
    return true;
}

/* ---- back
 * ---------------------------------------------------------------------------------------------------------
 */

static PyObject *tuple_of(const double *x, size_t count)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple != NULL && i < count; i++) {
        PyObject *item = PyFloat_FromDouble(x[i]);
        if (item == NULL || PyTuple_SetItem(tuple, (Py_ssize_t)i, item) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *write_field(const field *f, int dim, const char *at)
{
    const void *p = at;
    switch (f->kind) {
    case FIELD_REAL:
        return PyFloat_FromDouble(*(const double *)p);
    case FIELD_FLAG:
        return PyBool_FromLong(*(const bool *)p);
    case FIELD_INT:
        return PyLong_FromLong(*(const int *)p);
    case FIELD_BITS:
    case FIELD_ID:
        return PyLong_FromUnsignedLong(*(const uint32_t *)p);
    case FIELD_LONG:
        return PyLong_FromLongLong(*(const int64_t *)p);
    case FIELD_SIZE:
        return PyLong_FromSize_t(*(const size_t *)p);
    case FIELD_SEED:
        return PyLong_FromUnsignedLongLong(*(const uint64_t *)p);
    case FIELD_CHOICE:
        return PyUnicode_FromString(f->choices[*(const int *)p]);
    case FIELD_VECTOR:
        return tuple_of(p, f->count);
    case FIELD_POINT:
        return tuple_of(p, (size_t)dim);
    case FIELD_TEXT: {
        const char *text = *(const char *const *)p;
        return text != NULL ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "surrogateescape")
                            : PyUnicode_FromString("");
    }
    case FIELD_CHARS:
        return PyUnicode_DecodeUTF8(at, (Py_ssize_t)strlen(at), "surrogateescape");
    }
    return NULL;
}

bool py_put_item(PyObject *dict, const char *key, PyObject *value)
{
    bool put = value != NULL && PyDict_SetItemString(dict, key, value) == 0;
    Py_XDECREF(value);
    return put;
}

PyObject *py_write_fields(const field *fields, int dim, const void *in)
{
    PyObject *dict = PyDict_New();
    for (const field *f = fields; dict != NULL && f->key != NULL; f++)
        if (!py_put_item(dict, f->key, write_field(f, dim, (const char *)in + f->offset)))
            Py_CLEAR(dict);
    return dict;
}

PyObject *py_raw_bytes(const void *x, size_t size)
{
    return PyByteArray_FromStringAndSize(x, (Py_ssize_t)size);
}

PyObject *py_numbers(const double *x, size_t count)
{
    return py_raw_bytes(x, count * sizeof *x);
}

PyObject *py_hash_text(uint64_t hash)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return PyUnicode_FromString(text);
}
