/* Problems: their definition with counted forces, and runs of them. */
#include "situations.h"

#include "core/fail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static mo_status counted(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                         double *Fu, mo_error *err)
{
    bench_problem *p = data;
    p->forces++;
    return p->force(data, t, q, u, F, Fq, Fu, err);
}

void bench_set_force(bench_problem *p, bench_force force)
{
    p->force = force;
    p->def.force = counted;
}

void bench_zero(const bench_problem *p, double *Fq, double *Fu)
{
    const size_t bytes = p->def.n * p->def.n * sizeof *Fq;
    if (Fq != NULL)
        memset(Fq, 0, bytes);
    if (Fu != NULL)
        memset(Fu, 0, bytes);
}

static mo_status plane_gaps(void *data, double t, const double *q, double *g, double *gx, double *gt,
                            mo_error *err)
{
    const bench_problem *p = data;
    const size_t n = p->def.n, m = p->def.gaps;
    (void)t, (void)err;
    for (size_t k = 0; k < m; k++) {
        g[k] = p->offset[k];
        for (size_t i = 0; i < n; i++)
            g[k] += p->G[k * n + i] * q[i];
    }
    if (gx != NULL)
        memcpy(gx, p->G, m * n * sizeof *gx);
    if (gt != NULL)
        memset(gt, 0, m * sizeof *gt);
    return MO_OK;
}

void bench_set_planes(bench_problem *p)
{
    p->def.gap = plane_gaps;
    p->def.linear = true;
}

void bench_size(bench_problem *p, size_t n, size_t gaps, double e)
{
    p->def.n = n;
    p->def.gaps = gaps;
    p->def.q = p->q;
    p->def.u = p->u;
    p->def.restitution = p->e;
    for (size_t i = 0; i < gaps; i++)
        p->e[i] = e;
}

mo_status bench_no_memory(mo_error *err)
{
    return fail(err, MO_NO_MEMORY, NULL, "no memory for a problem");
}

bench_problem *bench_problem_new(const bench_situation *s, size_t variant, size_t steps, bool quick)
{
    bench_problem *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->def = mo_default_system_def();
    p->def.data = p;
    p->quick = quick;
    s->define(p, variant, steps);
    return p;
}

// processor time: other load on the machine does not count
static double seconds_used(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool was_made(const mo_system_info *info)
{
    return info->outcome == MO_SYSTEM_REACHED || info->outcome == MO_SYSTEM_NOT_CONVERGED;
}

static mo_status all_steps(bench_problem *p, mo_system *system, size_t steps, bench_look look, void *data,
                           bench_row *row, mo_error *err)
{
    const mo_system_info *info = mo_system_info_get(system);
    mo_status status = look != NULL ? look(data, p, system, err) : MO_OK;
    for (size_t k = 0; k < steps && status == MO_OK; k++) {
        status = mo_system_step(system, err);
        row->solves += info->linear_solves;
        if (status == MO_OK && !was_made(info)) {
            snprintf(row->trouble, sizeof row->trouble, "%.180s", info->message);
            break;
        }
        if (status == MO_OK && look != NULL)
            status = look(data, p, system, err);
    }
    row->unconverged += info->unconverged_steps;
    return status;
}

mo_status bench_steps(bench_problem *p, mo_system_scheme scheme, size_t steps, bench_look look, void *data,
                      bench_row *row, mo_error *err)
{
    mo_system *system = NULL;
    p->def.scheme = scheme;
    p->def.h = p->t_end / (double)steps;
    p->forces = 0;
    const double start = seconds_used();
    mo_status status = mo_system_create(&p->def, &system, err);
    if (status == MO_OK)
        status = all_steps(p, system, steps, look, data, row, err);
    mo_system_destroy(system);
    row->forces += p->forces;
    row->seconds += seconds_used() - start;
    return status;
}
