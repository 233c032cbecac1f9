/*
 * Writing problem files: whole under another name beside the old one first, then in its place, so that a
 * failure leaves what was there.
 */
#include "record/fclib.h"

#include "core/fail.h"
#include "problem/local.h"
#include "record/disk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What goes into the file. */
typedef struct content {
    const mo_problem_file *file;
    const double *r, *u, *v; /* r NULL: no solution; v NULL: a local problem */
} content;

static hid_t group_create(hid_t parent, const char *name)
{
    return H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

static bool put_integer(hid_t group, const char *name, size_t value)
{
    const int32_t number = (int32_t)value;
    return fclib_put_integers(group, name, &number, 1);
}

/* ---- matrices ---------------------------------------------------------------------------------------- */

/* what rows of blocks are as compressed rows of numbers: p [n + 1], i and x [entries] */
static void spread_blocks(const mo_problem *p, int32_t *begin, int32_t *index, double *value)
{
    const size_t dim = (size_t)p->dim;
    size_t at = 0;
    for (size_t row = 0; row < dim * p->contacts; row++) {
        begin[row] = (int32_t)at;
        for (size_t k = p->start[row / dim]; k < p->start[row / dim + 1]; k++)
            for (size_t j = 0; j < dim; j++, at++) {
                index[at] = (int32_t)(p->column[k] * dim + j);
                value[at] = p->W[(k * dim + row % dim) * dim + j];
            }
    }
    begin[dim * p->contacts] = (int32_t)at;
}

static bool put_sizes(hid_t group, size_t rows, size_t columns, int32_t nz, size_t nzmax)
{
    return put_integer(group, "m", rows) && put_integer(group, "n", columns) &&
           fclib_put_integers(group, "nz", &nz, 1) && put_integer(group, "nzmax", nzmax);
}

static bool put_blocks(hid_t parent, const mo_problem *p)
{
    const size_t dim = (size_t)p->dim, n = dim * p->contacts;
    const size_t entries = p->contacts > 0 ? p->start[p->contacts] * dim * dim : 0;
    int32_t *begin = problem_calloc(n + 1, sizeof *begin), *index = problem_calloc(entries, sizeof *index);
    double *value = problem_calloc(entries, sizeof *value);
    hid_t group = group_create(parent, "W");
    bool ok = group >= 0 && begin != NULL && index != NULL && value != NULL;
    if (ok) {
        spread_blocks(p, begin, index, value);
        ok = put_sizes(group, n, n, FCLIB_ROWS, entries) && fclib_put_integers(group, "p", begin, n + 1) &&
             fclib_put_integers(group, "i", index, entries) && fclib_put_numbers(group, "x", value, entries);
    }
    if (group >= 0)
        H5Gclose(group);
    free(begin);
    free(index);
    free(value);
    return ok;
}

static bool put_triplets(hid_t parent, const char *name, const mo_sparse_matrix *m)
{
    int32_t *row = problem_calloc(m->entries, sizeof *row);
    int32_t *column = problem_calloc(m->entries, sizeof *column);
    hid_t group = group_create(parent, name);
    bool ok = group >= 0 && row != NULL && column != NULL;
    for (size_t k = 0; ok && k < m->entries; k++) {
        row[k] = (int32_t)m->row[k];
        column[k] = (int32_t)m->column[k];
    }
    ok = ok && put_sizes(group, m->rows, m->columns, (int32_t)m->entries, m->entries) &&
         fclib_put_integers(group, "i", row, m->entries) &&
         fclib_put_integers(group, "p", column, m->entries) &&
         fclib_put_numbers(group, "x", m->value, m->entries);
    if (group >= 0)
        H5Gclose(group);
    free(row);
    free(column);
    return ok;
}

/* ---- groups ------------------------------------------------------------------------------------------ */

static bool put_info(hid_t form, const mo_problem_file *f)
{
    hid_t group = group_create(form, "info");
    const bool ok = group >= 0 && fclib_put_text(group, "title", f->title) &&
                    fclib_put_text(group, "description", f->description) &&
                    fclib_put_text(group, "math_info", f->math_info);
    if (group >= 0)
        H5Gclose(group);
    return ok;
}

static bool put_vectors(hid_t form, const mo_problem_file *f)
{
    const size_t contacts = f->local.contacts, n = (size_t)f->local.dim * contacts;
    hid_t group = group_create(form, "vectors");
    bool ok = group >= 0 && fclib_put_numbers(group, "mu", f->local.mu, contacts);
    if (f->global)
        ok = ok && fclib_put_numbers(group, "f", f->f, f->M.rows) && fclib_put_numbers(group, "w", f->w, n);
    else
        ok = ok && fclib_put_numbers(group, "q", f->local.q, n);
    if (group >= 0)
        H5Gclose(group);
    return ok;
}

static bool put_problem(hid_t file, const mo_problem_file *f)
{
    hid_t form = group_create(file, f->global ? FCLIB_GLOBAL : FCLIB_LOCAL);
    bool ok = form >= 0 && put_integer(form, "spacedim", (size_t)f->local.dim) && put_info(form, f) &&
              put_vectors(form, f);
    if (f->global)
        ok = ok && put_triplets(form, "M", &f->M) && put_triplets(form, "H", &f->H);
    else
        ok = ok && put_blocks(form, &f->local);
    if (form >= 0)
        H5Gclose(form);
    return ok;
}

static bool put_solution(hid_t file, const content *c)
{
    if (c->r == NULL)
        return true;
    const size_t n = (size_t)c->file->local.dim * c->file->local.contacts;
    hid_t group = group_create(file, FCLIB_SOLUTION);
    bool ok = group >= 0 && fclib_put_numbers(group, "r", c->r, n) && fclib_put_numbers(group, "u", c->u, n);
    if (c->v != NULL)
        ok = ok && fclib_put_numbers(group, "v", c->v, c->file->M.rows);
    if (group >= 0)
        H5Gclose(group);
    return ok;
}

/* ---- the file ---------------------------------------------------------------------------------------- */

/* everything into a new file; false with *why the errno, 0 when it is HDF5 itself that refused */
static bool write_all(const char *path, const content *c, int *why)
{
    disk state = {0};
    hid_t file = -1, fapl = H5Pcreate(H5P_FILE_ACCESS);
    if (fapl >= 0 && disk_use(fapl, &state) && H5Pset_fclose_degree(fapl, H5F_CLOSE_STRONG) >= 0)
        file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
    if (fapl >= 0)
        H5Pclose(fapl);
    bool ok = file >= 0 && put_problem(file, c->file) && put_solution(file, c);
    ok = disk_end(file, &state) && ok;
    *why = state.error;
    return ok && state.error == 0;
}

/* path: as disk_target gives it */
static mo_status write_beside(const char *path, const content *c, mo_error *err)
{
    const size_t length = strlen(path) + sizeof ".part";
    char *part = problem_calloc(length, 1);
    if (part == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory");
    snprintf(part, length, "%s.part", path);
    int why = 0;
    const quiet q = quiet_begin();
    bool ok = write_all(part, c, &why);
    quiet_end(q);
    if (ok && rename(part, path) != 0) {
        why = errno;
        ok = false;
    }
    if (!ok)
        unlink(part);
    free(part);
    return ok ? MO_OK : fail(err, MO_IO, NULL, "cannot write: %s", why != 0 ? strerror(why) : "HDF5 refused");
}

/* the format counts in 32 bits */
static mo_status check_counts(const mo_problem_file *f, mo_error *err)
{
    const size_t block = (size_t)(f->local.dim * f->local.dim);
    const size_t blocks = f->local.contacts > 0 ? f->local.start[f->local.contacts] : 0;
    if (!f->global && blocks > INT32_MAX / block)
        return fail(err, MO_BAD_INPUT, "W", "found %zu blocks, expected at most %zu", blocks,
                    INT32_MAX / block);
    if (f->global && (f->M.entries > INT32_MAX || f->H.entries > INT32_MAX || f->M.rows > INT32_MAX))
        return fail(err, MO_BAD_INPUT, f->H.entries > INT32_MAX ? "H" : "M",
                    "more entries than the format can count");
    return MO_OK;
}

mo_status mo_problem_write(const char *path, const mo_problem_file *file, const double *r, const double *u,
                           mo_error *err)
{
    double *v = NULL;
    char *real = NULL;
    mo_status status = mo_problem_check(&file->local, err);
    if (status == MO_OK)
        status = check_counts(file, err);
    if (status == MO_OK)
        status = disk_target(path, "cannot write", &real, err);
    if (status == MO_OK && r != NULL && u == NULL && file->local.contacts > 0)
        status = fail(err, MO_BAD_INPUT, "u", "is missing beside r");
    if (status == MO_OK && r != NULL && file->global) {
        v = problem_calloc(file->M.rows, sizeof *v);
        status = v != NULL ? problem_global_velocity(file, r, v, err)
                           : fail(err, MO_NO_MEMORY, "v", "no memory for %zu numbers", file->M.rows);
    }
    if (status == MO_OK)
        status = write_beside(real, &(content){file, r, u, v}, err);
    free(real);
    free(v);
    if (status != MO_OK)
        fail_at(err, path, 0);
    return status;
}
