/*
 * `moreau info` of a friction-contact problem: its form, size, matrix, friction, and the solution in the
 * file.
 */
#include "info.h"

#include <ctype.h>
#include <math.h>
#include <moreau/problem.h>
#include <stdio.h>

#include "math/vec.h"

/* What is counted out of the file. */
typedef struct problem_digest {
    const char *path;
    mo_problem_file file;
    size_t blocks, empty_diagonals; /* blocks of W; contacts whose own block is missing or zero */
    double asymmetry;               /* largest |W - W^T| over largest |W| */
    double mu_min, mu_max, q_norm;
    mo_problem_residual solution; /* of the file, when there is one */
} problem_digest;

/* the block (c, d), or NULL */
static const double *block_of(const mo_problem *p, size_t c, size_t d)
{
    size_t low = p->start[c], high = p->start[c + 1];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (p->column[middle] < d)
            low = middle + 1;
        else
            high = middle;
    }
    const bool found = low < p->start[c + 1] && p->column[low] == d;
    return found ? p->W + low * (size_t)(p->dim * p->dim) : NULL;
}

static void digest_matrix(problem_digest *d)
{
    const mo_problem *p = &d->file.local;
    const size_t dim = (size_t)p->dim;
    double difference = 0;
    d->blocks = p->start[p->contacts];
    for (size_t c = 0; c < p->contacts; c++) {
        const double *own = block_of(p, c, c);
        d->empty_diagonals += own == NULL || vec_max_abs(dim * dim, own) == 0;
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++) {
            const double *other = block_of(p, p->column[k], c);
            for (size_t i = 0; i < dim * dim; i++)
                difference = fmax(difference, fabs(p->W[k * dim * dim + i] -
                                                   (other != NULL ? other[i % dim * dim + i / dim] : 0)));
        }
    }
    const double largest = vec_max_abs(d->blocks * dim * dim, p->W);
    d->asymmetry = largest > 0 ? difference / largest : 0;
}

static mo_status digest_problem(problem_digest *d, mo_error *err)
{
    const mo_problem *p = &d->file.local;
    if (p->contacts > 0)
        digest_matrix(d);
    d->mu_min = p->contacts > 0 ? p->mu[0] : 0;
    for (size_t c = 0; c < p->contacts; c++) {
        d->mu_min = fmin(d->mu_min, p->mu[c]);
        d->mu_max = fmax(d->mu_max, p->mu[c]);
    }
    for (size_t i = 0; i < (size_t)p->dim * p->contacts; i++)
        d->q_norm = hypot(d->q_norm, p->q[i]);
    if (!d->file.has_solution)
        return MO_OK;
    return mo_problem_certify(p, d->file.r, d->file.u, &d->solution, err);
}

/* on one line, whatever the file's author put into it */
static void print_words(const char *label, const char *text)
{
    if (text[0] == '\0')
        return;
    printf("%-12s ", label);
    for (const char *c = text; *c != '\0'; c++)
        putchar(iscntrl((unsigned char)*c) ? ' ' : *c);
    putchar('\n');
}

static void print_problem(const problem_digest *d)
{
    const mo_problem_file *f = &d->file;
    printf("%s: friction-contact problem in %dD, FCLIB %s form\n", d->path, f->local.dim,
           f->global ? "global" : "local");
    print_words("title", f->title);
    print_words("description", f->description);
    printf("contacts     %zu\n", f->local.contacts);
    if (f->global)
        printf("freedoms     %zu; M has %zu entries, H %zu\n", f->M.rows, f->M.entries, f->H.entries);
    printf("W            %zu blocks of %d x %d%s; asymmetry %.2g; contacts without one of their own %zu\n",
           d->blocks, f->local.dim, f->local.dim, f->global ? " when condensed" : "", d->asymmetry,
           d->empty_diagonals);
    if (d->mu_min < d->mu_max)
        printf("friction     %.6g to %.6g\n", d->mu_min, d->mu_max);
    else
        printf("friction     %.6g\n", d->mu_max);
    printf("|q|          %.6g\n", d->q_norm);
    if (f->has_solution)
        printf("solution     residual %.3g, FCLIB's %.3g\n", d->solution.residual,
               d->solution.residual_fclib);
    else
        puts("solution     none");
}

static void print_problem_json(app *a, const problem_digest *d)
{
    const mo_problem_file *f = &d->file;
    json_t *o = json_object(), *mu = json_array(), *solution = json_null();
    json_array_append_new(mu, json_number(d->mu_min));
    json_array_append_new(mu, json_number(d->mu_max));
    if (f->has_solution) {
        solution = json_object();
        json_put(solution, "residual", json_number(d->solution.residual));
        json_put(solution, "residual_fclib", json_number(d->solution.residual_fclib));
    }
    json_put(o, "status", json_text("ok"));
    json_put(o, "file", json_text(d->path));
    json_put(o, "kind", json_text("problem"));
    json_put(o, "form", json_text(f->global ? "global" : "local"));
    json_put(o, "title", json_text(f->title));
    json_put(o, "description", json_text(f->description));
    json_put(o, "dimension", json_integer(f->local.dim));
    json_put(o, "contacts", json_integer((json_int_t)f->local.contacts));
    json_put(o, "freedoms", f->global ? json_integer((json_int_t)f->M.rows) : json_null());
    json_put(o, "blocks", json_integer((json_int_t)d->blocks));
    json_put(o, "empty_diagonals", json_integer((json_int_t)d->empty_diagonals));
    json_put(o, "asymmetry", json_number(d->asymmetry));
    json_put(o, "friction", mu);
    json_put(o, "q_norm", json_number(d->q_norm));
    json_put(o, "solution", solution);
    json_print(a, o);
}

exit_status info_describe_problem(app *a, const char *path)
{
    mo_error err = {0};
    problem_digest d = {.path = path};
    mo_status status = mo_problem_read(path, &d.file, &err);
    if (status == MO_OK)
        status = digest_problem(&d, &err);
    exit_status code = EXIT_DONE;
    if (status != MO_OK)
        code = app_fail_error(a, status, &err);
    else if (a->json)
        print_problem_json(a, &d);
    else
        print_problem(&d);
    mo_problem_file_free(&d.file);
    return code;
}
