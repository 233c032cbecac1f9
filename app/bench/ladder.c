/* Runs of a situation: every scheme, every step of the ladder, errors against the reference, orders. */
#include "situations.h"

#include "core/fail.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the reference has this many steps to one of the finest run */
enum { FINER = 4 };
/* errors of a path below this are rounding */
static const double ROUNDING = 1e-11;

enum { POSITION, VELOCITY, ENERGY, VIOLATION, EXTRA };

static const char *const path_columns[] = {"position", "velocity", "energy", "violation"};

/* ---- a motion against its reference ------------------------------------------------------------------- */

/* A run being compared. */
typedef struct comparison {
    const bench_path *reference;
    size_t stride;         /* nodes of the reference to a step */
    bench_path path, hits; /* points at the steps; impacts located within one, of the event-driven scheme */
    double position, energy, violation;
} comparison;

static mo_status compare_step(void *data, const bench_problem *p, const mo_system *system, mo_error *err)
{
    comparison *c = data;
    const mo_system_info *info = mo_system_info_get(system);
    const double *q = mo_system_q(system);
    const size_t n = c->path.n, node = (size_t)info->steps * c->stride;
    const double *expected = c->reference->q + c->reference->node[node] * n;
    double square = 0;
    for (size_t i = 0; i < n; i++)
        square += (q[i] - expected[i]) * (q[i] - expected[i]);
    c->position = fmax(c->position, sqrt(square));
    c->violation = info->worst_violation;
    c->energy = fabs(info->energy.kinetic + info->energy.potential - c->reference->energy);
    mo_status status = MO_OK;
    double t;
    if (p->def.scheme == MO_SYSTEM_SCHEME_EVENT_DRIVEN && bench_lone_impact(system, &t))
        status = bench_path_add(&c->hits, t, q, q, err);
    return status == MO_OK ? bench_path_add(&c->path, info->time, q, mo_system_u(system), err) : status;
}

// distance of the completed graphs of the velocity; the run's own with the jumps that it located
static mo_status graph_error(const bench_situation *s, const comparison *c, double *value, mo_error *err)
{
    const bench_path *a = c->reference;
    bench_path b = {.n = c->path.n};
    mo_status status = bench_path_merge(&c->path, &c->hits, &b, err);
    if (status == MO_OK)
        status = mo_graph_distance(b.n, s->rate, a->count, a->t, a->u, b.count, b.t, b.u, value, err);
    bench_path_free(&b);
    return status;
}

// the values of one start; a motion that ended early or exploded has none
static mo_status compare_run(const bench_situation *s, bench_problem *p, const bench_path *reference,
                             bench_row *row, double *values, mo_error *err)
{
    comparison c = {.reference = reference, .path.n = p->def.n, .hits.n = p->def.n};
    c.stride = (reference->nodes - 1) / row->steps;
    mo_status status = bench_steps(p, row->scheme, row->steps, compare_step, &c, row, err);
    values[POSITION] = c.position;
    values[ENERGY] = c.energy;
    values[VIOLATION] = c.violation;
    if (status == MO_OK && isfinite(c.position))
        status = graph_error(s, &c, &values[VELOCITY], err);
    if (row->trouble[0] != '\0' || !isfinite(c.position))
        for (int k = 0; k < EXTRA; k++)
            values[k] = (double)NAN;
    bench_path_free(&c.path);
    bench_path_free(&c.hits);
    return status;
}

static size_t variants_of(const bench_situation *s)
{
    return s->variants > 0 ? s->variants : 1;
}

static mo_status extra_values(const bench_situation *s, bench_row *row, bool quick, mo_error *err)
{
    bench_problem *p = bench_problem_new(s, 0, row->steps, quick);
    if (p == NULL)
        return bench_no_memory(err);
    mo_status status = s->measure_extra(p, row, &row->values[EXTRA], err);
    free(p);
    return status;
}

static mo_status path_row(const bench_situation *s, const bench_path *references, bool quick, bench_row *row,
                          mo_error *err)
{
    mo_status status = MO_OK;
    for (size_t v = 0; v < variants_of(s) && status == MO_OK; v++) {
        double values[EXTRA] = {0};
        bench_problem *p = bench_problem_new(s, v, row->steps, quick);
        if (p == NULL)
            return bench_no_memory(err);
        row->h = p->t_end / (double)row->steps;
        status = compare_run(s, p, &references[v], row, values, err);
        // the worst of all starts, and none once there is none
        for (int k = 0; k < EXTRA; k++)
            if (!(row->values[k] >= values[k]))
                row->values[k] = isnan(row->values[k]) ? row->values[k] : values[k];
        free(p);
    }
    if (status == MO_OK && s->measure_extra != NULL)
        status = extra_values(s, row, quick, err);
    return status;
}

/* ---- situations with columns of their own ------------------------------------------------------------- */

static mo_status measured_row(const bench_situation *s, const double *numbers, bool quick, bench_row *row,
                              mo_error *err)
{
    bench_problem *p = bench_problem_new(s, 0, row->steps, quick);
    if (p == NULL)
        return bench_no_memory(err);
    row->h = p->t_end / (double)row->steps;
    mo_status status = s->measure(p, numbers, row, err);
    for (int k = 0; k < BENCH_COLUMNS; k++)
        if (row->trouble[0] != '\0' || !isfinite(row->values[k]))
            row->values[k] = (double)NAN;
    free(p);
    return status;
}

/* ---- references --------------------------------------------------------------------------------------- */

/* What all rows of a situation are compared with. */
typedef struct yardstick {
    bench_path *paths; /* [variants] */
    double numbers[BENCH_NUMBERS];
} yardstick;

static mo_status make_reference(const bench_situation *s, size_t variant, size_t steps, bool quick,
                                yardstick *y, mo_error *err)
{
    bench_problem *p = bench_problem_new(s, variant, steps, quick);
    mo_status status = MO_OK;
    if (p == NULL)
        return bench_no_memory(err);
    y->paths[variant].n = p->def.n;
    if (s->prepare != NULL)
        status = s->prepare(p, y->numbers, err);
    else if (s->measure == NULL)
        status = (s->path != NULL ? s->path : bench_reference_run)(p, steps, &y->paths[variant], err);
    free(p);
    return status;
}

static void yardstick_free(yardstick *y, size_t variants)
{
    for (size_t v = 0; y->paths != NULL && v < variants; v++)
        bench_path_free(&y->paths[v]);
    free(y->paths);
}

/* ---- orders ------------------------------------------------------------------------------------------- */

double bench_order(size_t count, const double *h, const double *error)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (size_t i = 0; i < count; i++) {
        double x = log(h[i]), y = log(error[i]);
        sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    return ((double)count * sxy - sx * sy) / ((double)count * sxx - sx * sx);
}

static void fit_column(const bench_table *t, bench_fit *fit, int column)
{
    double h[BENCH_RUNGS], error[BENCH_RUNGS];
    size_t count = 0, rounding = 0, all = 0;
    for (size_t k = 0; k < t->row_count; k++) {
        const bench_row *row = &t->rows[k];
        if (row->scheme != fit->scheme)
            continue;
        all++;
        rounding += row->values[column] <= ROUNDING;
        if (row->values[column] > ROUNDING) {
            h[count] = row->h;
            error[count++] = row->values[column];
        }
    }
    fit->exact[column] = all > 0 && rounding == all;
    // chance has no order
    fit->order[column] =
        count >= 3 && t->situation->prepare == NULL ? bench_order(count, h, error) : (double)NAN;
}

static void fit_all(bench_table *t)
{
    for (int scheme = 0; scheme < BENCH_SCHEMES; scheme++) {
        if ((t->situation->schemes & BENCH_BIT(scheme)) == 0)
            continue;
        bench_fit *fit = &t->fits[t->fit_count++];
        fit->scheme = (mo_system_scheme)scheme;
        fit_column(t, fit, 0);
        fit_column(t, fit, 1);
    }
}

/* ---- the table ---------------------------------------------------------------------------------------- */

static void name_columns(const bench_situation *s, bench_table *t)
{
    const char *const *names = s->measure != NULL ? s->columns : path_columns;
    const size_t most = s->measure != NULL ? BENCH_COLUMNS : EXTRA;
    for (size_t k = 0; k < most && names[k] != NULL; k++)
        t->columns[t->column_count++] = names[k];
    for (int k = 0; k < 2 && s->extra[k] != NULL; k++)
        t->columns[t->column_count++] = s->extra[k];
}

static mo_status fill_rows(const bench_situation *s, bool quick, const yardstick *y, size_t rungs,
                           bench_table *t, mo_error *err)
{
    mo_status status = MO_OK;
    for (int scheme = 0; scheme < BENCH_SCHEMES; scheme++)
        for (size_t k = 0; k < rungs && (s->schemes & BENCH_BIT(scheme)) != 0 && status == MO_OK; k++) {
            bench_row *row = &t->rows[t->row_count++];
            row->scheme = (mo_system_scheme)scheme;
            row->steps = s->steps << k;
            status = s->measure != NULL ? measured_row(s, y->numbers, quick, row, err)
                                        : path_row(s, y->paths, quick, row, err);
        }
    return status;
}

mo_status bench_run(const bench_situation *s, bool quick, bench_table *out, mo_error *err)
{
    const size_t rungs = quick ? s->quick_rungs : s->rungs, variants = variants_of(s);
    const size_t finest = FINER * (s->steps << (rungs - 1));
    yardstick y = {.paths = calloc(variants, sizeof *y.paths)};
    *out = (bench_table){.situation = s};
    out->rows = calloc(rungs * BENCH_SCHEMES, sizeof *out->rows);
    mo_status status = MO_OK;
    if (out->rows == NULL || y.paths == NULL)
        status = fail(err, MO_NO_MEMORY, NULL, "no memory for a table");
    name_columns(s, out);
    for (size_t v = 0; v < variants && status == MO_OK; v++)
        status = make_reference(s, v, finest, quick, &y, err);
    if (status == MO_OK)
        status = fill_rows(s, quick, &y, rungs, out, err);
    if (status == MO_OK)
        fit_all(out);
    yardstick_free(&y, variants);
    return status;
}

void bench_table_free(bench_table *table)
{
    free(table->rows);
    *table = (bench_table){0};
}
