/*
 * Reading problem files: every size and index is checked before it is believed, and what is wrong is named by
 * its dataset.
 */
#include "record/fclib.h"

#include "core/fail.h"
#include "problem/local.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A matrix as it is stored. */
typedef struct stored_matrix {
    const char *group;    /* its path */
    size_t rows, columns; /* as expected */
    int64_t nz, *p, *i;
    double *x;
    size_t p_count, i_count, x_count;
} stored_matrix;

/* path of a dataset inside a group */
static const char *inside(const char *group, const char *name, char out[FCLIB_PATH])
{
    snprintf(out, FCLIB_PATH, "%s/%s", group, name);
    return out;
}

/* ---- matrices ---------------------------------------------------------------------------------------- */

static mo_status expect_size(hid_t file, const char *group, const char *name, size_t expected, mo_error *err)
{
    char path[FCLIB_PATH];
    int64_t found = 0;
    mo_status status = fclib_integer(file, inside(group, name, path), &found, err);
    if (status == MO_OK && (found < 0 || (uint64_t)found != expected))
        status = fail(err, MO_BAD_FILE, path, "found %lld, expected %zu", (long long)found, expected);
    return status;
}

static mo_status read_stored(hid_t file, stored_matrix *s, mo_error *err)
{
    char path[FCLIB_PATH];
    mo_status status = expect_size(file, s->group, "m", s->rows, err);
    if (status == MO_OK)
        status = expect_size(file, s->group, "n", s->columns, err);
    if (status == MO_OK)
        status = fclib_integer(file, inside(s->group, "nz", path), &s->nz, err);
    if (status == MO_OK && s->nz < FCLIB_ROWS)
        status = fail(err, MO_BAD_FILE, path,
                      "found %lld, expected -2 (compressed rows), -1 (compressed columns) or a number of "
                      "triplets",
                      (long long)s->nz);
    if (status == MO_OK)
        status = fclib_integers(file, inside(s->group, "p", path), &s->p, &s->p_count, err);
    if (status == MO_OK)
        status = fclib_integers(file, inside(s->group, "i", path), &s->i, &s->i_count, err);
    if (status == MO_OK)
        status = fclib_numbers(file, inside(s->group, "x", path), 0, &s->x, &s->x_count, err);
    return status;
}

/* how many entries there are; their arrays are as long at least */
static mo_status count_entries(const stored_matrix *s, size_t *out, mo_error *err)
{
    char path[FCLIB_PATH];
    const size_t lines = s->nz == FCLIB_ROWS ? s->rows : s->columns;
    if (s->nz < 0 && s->p_count != lines + 1)
        return fail(err, MO_BAD_FILE, inside(s->group, "p", path), "found %zu numbers, expected %zu",
                    s->p_count, lines + 1);
    const int64_t entries = s->nz >= 0 ? s->nz : s->p[lines];
    const size_t counts[] = {s->i_count, s->x_count, s->nz >= 0 ? s->p_count : SIZE_MAX};
    const char *const names[] = {"i", "x", "p"};
    for (size_t k = 0; k < 3; k++)
        if (entries < 0 || (uint64_t)entries > counts[k])
            return fail(err, MO_BAD_FILE, inside(s->group, names[k], path),
                        "found %zu numbers, expected %lld", counts[k], (long long)entries);
    *out = (size_t)entries;
    return MO_OK;
}

static mo_status check_entries(const stored_matrix *s, size_t entries, mo_error *err)
{
    char path[FCLIB_PATH];
    const size_t limit = s->nz == FCLIB_ROWS ? s->columns : s->rows;
    for (size_t k = 0; k < entries; k++) {
        if (s->i[k] < 0 || (uint64_t)s->i[k] >= limit)
            return fail(err, MO_BAD_FILE, inside(s->group, "i", path),
                        "found %lld at place %zu, expected less than %zu", (long long)s->i[k], k, limit);
        if (s->nz >= 0 && (s->p[k] < 0 || (uint64_t)s->p[k] >= s->columns))
            return fail(err, MO_BAD_FILE, inside(s->group, "p", path),
                        "found %lld at place %zu, expected less than %zu", (long long)s->p[k], k, s->columns);
        if (!isfinite(s->x[k]))
            return fail(err, MO_BAD_FILE, inside(s->group, "x", path),
                        "found %g at place %zu, expected a finite number", s->x[k], k);
    }
    for (size_t k = 0; s->nz < 0 && k + 1 < s->p_count; k++)
        if (s->p[k] < 0 || s->p[k] > s->p[k + 1] || (k == 0 && s->p[0] != 0))
            return fail(err, MO_BAD_FILE, inside(s->group, "p", path),
                        "found %lld at place %zu, expected numbers that start from 0 and do not fall",
                        (long long)s->p[k], k);
    return MO_OK;
}

/* triplets of what has been checked; the values move */
static mo_status unpack(stored_matrix *s, size_t entries, mo_sparse_matrix *out, mo_error *err)
{
    size_t *of_i = problem_calloc(entries, sizeof *of_i), *of_p = problem_calloc(entries, sizeof *of_p);
    if (of_i == NULL || of_p == NULL) {
        free(of_i);
        free(of_p);
        return fail(err, MO_NO_MEMORY, s->group, "no memory for %zu entries", entries);
    }
    for (size_t k = 0; k < entries; k++) {
        of_i[k] = (size_t)s->i[k];
        of_p[k] = s->nz >= 0 ? (size_t)s->p[k] : 0;
    }
    for (size_t line = 0; s->nz < 0 && line + 1 < s->p_count; line++)
        for (size_t k = (size_t)s->p[line]; k < (size_t)s->p[line + 1]; k++)
            of_p[k] = line;
    const bool rows = s->nz == FCLIB_ROWS;
    *out = (mo_sparse_matrix){.rows = s->rows,
                              .columns = s->columns,
                              .entries = entries,
                              .row = rows ? of_p : of_i,
                              .column = rows ? of_i : of_p,
                              .value = s->x};
    s->x = NULL;
    return MO_OK;
}

static mo_status read_matrix(hid_t file, const char *group, size_t rows, size_t columns,
                             mo_sparse_matrix *out, mo_error *err)
{
    stored_matrix s = {.group = group, .rows = rows, .columns = columns};
    size_t entries = 0;
    mo_status status = read_stored(file, &s, err);
    if (status == MO_OK)
        status = count_entries(&s, &entries, err);
    if (status == MO_OK)
        status = check_entries(&s, entries, err);
    if (status == MO_OK)
        status = unpack(&s, entries, out, err);
    free(s.p);
    free(s.i);
    free(s.x);
    return status;
}

/* ---- vectors ----------------------------------------------------------------------------------------- */

/* expected SIZE_MAX: any length, which *count then is */
static mo_status read_vector(hid_t file, const char *group, const char *name, double **out, size_t *count,
                             size_t expected, mo_error *err)
{
    char path[FCLIB_PATH];
    size_t found = 0;
    mo_status status = fclib_numbers(file, inside(group, name, path), 0, out, &found, err);
    if (status == MO_OK && expected != SIZE_MAX && found != expected)
        status = fail(err, MO_BAD_FILE, path, "found %zu numbers, expected %zu", found, expected);
    for (size_t k = 0; status == MO_OK && k < found; k++)
        if (!isfinite((*out)[k]))
            status =
                fail(err, MO_BAD_FILE, path, "found %g at place %zu, expected a finite number", (*out)[k], k);
    if (status == MO_OK && count != NULL)
        *count = found;
    return status;
}

static mo_status read_friction(hid_t file, const char *group, mo_problem *p, mo_error *err)
{
    char path[FCLIB_PATH];
    mo_status status = read_vector(file, group, "mu", &p->mu, &p->contacts, SIZE_MAX, err);
    inside(group, "mu", path);
    if (status == MO_OK && p->contacts >= INT32_MAX / 3)
        return fail(err, MO_BAD_FILE, path, "found %zu contacts, expected less than %d", p->contacts,
                    INT32_MAX / 3);
    for (size_t c = 0; status == MO_OK && c < p->contacts; c++)
        if (p->mu[c] < 0)
            status = fail(err, MO_BAD_FILE, path, "found %g at contact %zu, expected >= 0", p->mu[c], c);
    return status;
}

/* ---- problems ---------------------------------------------------------------------------------------- */

static mo_status read_head(hid_t file, const char *form, mo_problem_file *out, mo_error *err)
{
    char path[FCLIB_PATH];
    int64_t dim = 0;
    fclib_text(file, inside(form, "info/title", path), out->title, sizeof out->title);
    fclib_text(file, inside(form, "info/description", path), out->description, sizeof out->description);
    fclib_text(file, inside(form, "info/math_info", path), out->math_info, sizeof out->math_info);
    mo_status status = fclib_integer(file, inside(form, "spacedim", path), &dim, err);
    if (status == MO_OK && dim != 2 && dim != 3)
        return fail(err, MO_BAD_FILE, path, "found %lld, expected 2 or 3", (long long)dim);
    out->local.dim = (int)dim;
    return status;
}

static mo_status count_numbers(hid_t file, const char *path, size_t *count, mo_error *err)
{
    double *numbers = NULL;
    const mo_status status = fclib_numbers(file, path, 0, &numbers, count, err);
    free(numbers);
    return status;
}

/* bilateral constraints, a matrix and the vector that goes with it, may be there as long as they are empty */
static mo_status check_equalities(hid_t file, const char *matrix, const char *vector, mo_error *err)
{
    char path[FCLIB_PATH];
    size_t entries = 0, values = 0;
    if (H5Lexists(file, matrix, H5P_DEFAULT) <= 0)
        return MO_OK;
    mo_status status = count_numbers(file, inside(matrix, "x", path), &entries, err);
    if (status == MO_OK && H5Lexists(file, vector, H5P_DEFAULT) > 0)
        status = count_numbers(file, vector, &values, err);
    if (status == MO_OK && (entries > 0 || values > 0))
        status = fail(err, MO_BAD_FILE, matrix,
                      "found equality constraints (%zu entries, %zu values %s), which are not supported",
                      entries, values, strrchr(vector, '/') + 1);
    return status;
}

static mo_status read_local(hid_t file, mo_problem_file *out, mo_error *err)
{
    mo_problem *p = &out->local;
    mo_sparse_matrix W = {0};
    mo_status status = read_head(file, FCLIB_LOCAL, out, err);
    if (status == MO_OK)
        status = check_equalities(file, FCLIB_LOCAL "/V", FCLIB_LOCAL "/vectors/s", err);
    if (status == MO_OK)
        status = read_friction(file, FCLIB_LOCAL "/vectors", p, err);
    const size_t n = (size_t)p->dim * p->contacts;
    if (status == MO_OK)
        status = read_vector(file, FCLIB_LOCAL "/vectors", "q", &p->q, NULL, n, err);
    if (status == MO_OK)
        status = read_matrix(file, FCLIB_LOCAL "/W", n, n, &W, err);
    if (status == MO_OK)
        status = problem_from_entries(&W, p, err);
    mo_sparse_matrix_free(&W);
    return status;
}

static mo_status read_global(hid_t file, mo_problem_file *out, mo_error *err)
{
    mo_problem *p = &out->local;
    size_t rows = 0;
    out->global = true;
    mo_status status = read_head(file, FCLIB_GLOBAL, out, err);
    if (status == MO_OK)
        status = check_equalities(file, FCLIB_GLOBAL "/G", FCLIB_GLOBAL "/vectors/b", err);
    if (status == MO_OK)
        status = read_friction(file, FCLIB_GLOBAL "/vectors", p, err);
    const size_t n = (size_t)p->dim * p->contacts;
    if (status == MO_OK)
        status = read_vector(file, FCLIB_GLOBAL "/vectors", "f", &out->f, &rows, SIZE_MAX, err);
    if (status == MO_OK)
        status = read_vector(file, FCLIB_GLOBAL "/vectors", "w", &out->w, NULL, n, err);
    if (status == MO_OK && rows >= INT32_MAX)
        status = fail(err, MO_BAD_FILE, FCLIB_GLOBAL "/vectors/f", "found %zu numbers, expected less than %d",
                      rows, INT32_MAX);
    if (status == MO_OK)
        status = read_matrix(file, FCLIB_GLOBAL "/M", rows, rows, &out->M, err);
    if (status == MO_OK)
        status = read_matrix(file, FCLIB_GLOBAL "/H", rows, n, &out->H, err);
    return status == MO_OK ? problem_condense(out, err) : status;
}

static mo_status read_answer(hid_t file, const char *path, size_t n, double **out, mo_error *err)
{
    size_t found = 0;
    mo_status status = fclib_numbers(file, path, n, out, &found, err);
    if (status == MO_OK && found != n)
        status = fail(err, MO_BAD_FILE, path, "found %zu numbers, expected %zu", found, n);
    return status;
}

/* r and u as they are, finite or not: whoever wrote them may not have got far */
static mo_status read_solution(hid_t file, mo_problem_file *out, mo_error *err)
{
    if (H5Lexists(file, FCLIB_SOLUTION, H5P_DEFAULT) <= 0)
        return MO_OK;
    const size_t n = (size_t)out->local.dim * out->local.contacts;
    mo_status status = read_answer(file, FCLIB_SOLUTION "/r", n, &out->r, err);
    if (status == MO_OK)
        status = read_answer(file, FCLIB_SOLUTION "/u", n, &out->u, err);
    out->has_solution = status == MO_OK;
    return status;
}

static mo_status read_file(hid_t file, mo_problem_file *out, mo_error *err)
{
    mo_status status;
    if (H5Lexists(file, FCLIB_LOCAL, H5P_DEFAULT) > 0)
        status = read_local(file, out, err);
    else if (H5Lexists(file, FCLIB_GLOBAL, H5P_DEFAULT) > 0)
        status = read_global(file, out, err);
    else
        return fail(err, MO_BAD_FILE, NULL,
                    "no group fclib_local or fclib_global; expected a friction-contact problem");
    // sums of sound numbers may still overflow
    if (status == MO_OK)
        status = mo_problem_check(&out->local, err);
    if (status == MO_OK)
        status = read_solution(file, out, err);
    // what is wrong with the problem is wrong with the file
    if (status == MO_BAD_INPUT)
        status = MO_BAD_FILE;
    if (status != MO_OK && err != NULL)
        err->status = status;
    return status;
}

mo_status mo_problem_read(const char *path, mo_problem_file *out, mo_error *err)
{
    mo_problem_file read = {.global = false};
    disk state = {0};
    hid_t file = -1;
    const quiet q = quiet_begin();
    mo_status status = hdf_open_foreign(path, "problem file", &state, &file, err);
    if (status == MO_OK)
        status = read_file(file, &read, err);
    disk_end(file, &state);
    quiet_end(q);
    if (status == MO_OK) {
        *out = read;
    } else {
        mo_problem_file_free(&read);
        fail_at(err, path, 0);
    }
    return status;
}

bool mo_problem_probe(const char *path)
{
    disk state = {0};
    hid_t file = -1;
    const quiet q = quiet_begin();
    const bool there =
        hdf_open_foreign(path, "problem file", &state, &file, NULL) == MO_OK &&
        (H5Lexists(file, FCLIB_LOCAL, H5P_DEFAULT) > 0 || H5Lexists(file, FCLIB_GLOBAL, H5P_DEFAULT) > 0);
    disk_end(file, &state);
    quiet_end(q);
    return there;
}
