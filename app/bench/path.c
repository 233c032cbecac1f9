/* Reference motions: closed forms at points, and runs of the event-driven scheme with their jumps. */
#include "bench.h"

#include "core/fail.h"

#include <stdlib.h>
#include <string.h>

static bool resize(double **array, size_t count)
{
    double *larger = realloc(*array, count * sizeof *larger);
    if (larger != NULL)
        *array = larger;
    return larger != NULL;
}

static mo_status path_grow(bench_path *path, mo_error *err)
{
    const size_t room = 2 * path->room + 1024;
    if (!resize(&path->t, room) || !resize(&path->q, room * path->n) || !resize(&path->u, room * path->n))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu points of a path", room);
    path->room = room;
    return MO_OK;
}

mo_status bench_path_add(bench_path *path, double t, const double *q, const double *u, mo_error *err)
{
    mo_status status = path->count == path->room ? path_grow(path, err) : MO_OK;
    if (status != MO_OK)
        return status;
    const size_t k = path->count++, n = path->n;
    path->t[k] = t;
    memcpy(path->q + k * n, q, n * sizeof *q);
    memcpy(path->u + k * n, u, n * sizeof *u);
    return MO_OK;
}

mo_status bench_path_mark(bench_path *path, mo_error *err)
{
    if (path->nodes == path->node_room) {
        const size_t room = 2 * path->node_room + 1024;
        size_t *larger = realloc(path->node, room * sizeof *larger);
        if (larger == NULL)
            return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu points of a path", room);
        path->node = larger;
        path->node_room = room;
    }
    path->node[path->nodes++] = path->count - 1;
    return MO_OK;
}

void bench_path_free(bench_path *path)
{
    free(path->t);
    free(path->q);
    free(path->u);
    free(path->node);
    *path = (bench_path){0};
}

/* ---- closed forms ------------------------------------------------------------------------------------- */

static mo_status add_closed(const bench_problem *p, bench_closed form, double t, bool left, bench_path *out,
                            mo_error *err)
{
    double q[BENCH_N], u[BENCH_N];
    form(p, t, left, q, u);
    return bench_path_add(out, t, q, u, err);
}

// kinetic and potential energy as the library has them, for a system that starts at the end of the motion
static mo_status energy_at_end(const bench_problem *p, bench_path *out, mo_error *err)
{
    mo_system *system = NULL;
    mo_system_def def = p->def;
    def.scheme = MO_SYSTEM_SCHEME_MOREAU;
    def.h = 1;
    def.gaps = 0;
    def.friction = NULL;
    def.q = out->q + (out->count - 1) * out->n;
    def.u = out->u + (out->count - 1) * out->n;
    mo_status status = mo_system_create(&def, &system, err);
    if (status == MO_OK) {
        const mo_system_energy *energy = &mo_system_info_get(system)->energy;
        out->energy = energy->kinetic + energy->potential;
    }
    mo_system_destroy(system);
    return status;
}

mo_status bench_path_closed(const bench_problem *p, size_t steps, bench_closed form, size_t jumps,
                            const double *jump, bench_path *out, mo_error *err)
{
    mo_status status = MO_OK;
    size_t next = 0;
    for (size_t k = 0; k <= steps && status == MO_OK; k++) {
        const double t = p->t_end * (double)k / (double)steps;
        for (; next < jumps && jump[next] <= t && status == MO_OK; next++) {
            status = add_closed(p, form, jump[next], true, out, err);
            if (status == MO_OK)
                status = add_closed(p, form, jump[next], false, out, err);
        }
        if (status == MO_OK)
            status = add_closed(p, form, t, false, out, err);
        if (status == MO_OK)
            status = bench_path_mark(out, err);
    }
    return status == MO_OK ? energy_at_end(p, out, err) : status;
}

/* ---- the event-driven scheme -------------------------------------------------------------------------- */

// value at t on the line through two samples
static void extrapolate(size_t n, double t, double t1, const double *u1, double t2, const double *u2,
                        double *out)
{
    const double s = t2 != t1 ? (t - t1) / (t2 - t1) : 0;
    for (size_t i = 0; i < n; i++)
        out[i] = u1[i] + s * (u2[i] - u1[i]);
}

/* A run being recorded. */
typedef struct recorder {
    bench_path *raw;  /* one point a step */
    bench_path *hits; /* one point an impact, alone in its step; u is not used */
} recorder;

bool bench_lone_impact(const mo_system *system, double *t)
{
    const mo_sweep_events events = mo_system_events_get(system);
    size_t impacts = 0;
    *t = 0;
    for (size_t k = 0; k < events.count; k++)
        if (events.items[k].type == MO_EVENT_IMPACT) {
            impacts++;
            *t = events.items[k].t;
        }
    return impacts == 1 && *t > 0;
}

static mo_status record(void *data, const bench_problem *p, const mo_system *system, mo_error *err)
{
    recorder *r = data;
    (void)p;
    const mo_system_info *info = mo_system_info_get(system);
    const double *q = mo_system_q(system), *u = mo_system_u(system);
    double t;
    mo_status status = MO_OK;
    if (bench_lone_impact(system, &t))
        status = bench_path_add(r->hits, t, q, u, err);
    if (status == MO_OK)
        status = bench_path_add(r->raw, info->time, q, u, err);
    r->raw->energy = info->energy.kinetic + info->energy.potential;
    return status;
}

// both sides of an impact between samples k - 1 and k, from the lines through their neighbours
static mo_status add_jump(const bench_path *raw, size_t k, double t, bench_path *out, mo_error *err)
{
    const size_t n = raw->n;
    double q[BENCH_N], before[BENCH_N], after[BENCH_N];
    if (k < 2 || k + 1 >= raw->count)
        return MO_OK;
    extrapolate(n, t, raw->t[k - 2], raw->u + (k - 2) * n, raw->t[k - 1], raw->u + (k - 1) * n, before);
    extrapolate(n, t, raw->t[k], raw->u + k * n, raw->t[k + 1], raw->u + (k + 1) * n, after);
    for (size_t i = 0; i < n; i++)
        q[i] = raw->q[(k - 1) * n + i] + 0.5 * (t - raw->t[k - 1]) * (raw->u[(k - 1) * n + i] + before[i]);
    mo_status status = bench_path_add(out, t, q, before, err);
    return status == MO_OK ? bench_path_add(out, t, q, after, err) : status;
}

static bool hit_within(const bench_path *raw, const bench_path *hits, size_t hit, size_t k)
{
    return hit < hits->count && k > 0 && hits->t[hit] >= raw->t[k - 1] && hits->t[hit] <= raw->t[k];
}

// impacts in neighbouring steps would spoil each other's lines: such are left to the segment of their step
mo_status bench_path_merge(const bench_path *raw, const bench_path *hits, bench_path *out, mo_error *err)
{
    mo_status status = MO_OK;
    size_t hit = 0, n = raw->n;
    for (size_t k = 0; k < raw->count && status == MO_OK; k++) {
        if (hit_within(raw, hits, hit, k)) {
            const double t = hits->t[hit++];
            if (!hit_within(raw, hits, hit, k) && !hit_within(raw, hits, hit, k + 1) &&
                !(hit >= 2 && hits->t[hit - 2] >= raw->t[k >= 2 ? k - 2 : 0]))
                status = add_jump(raw, k, t, out, err);
        }
        if (status == MO_OK)
            status = bench_path_add(out, raw->t[k], raw->q + k * n, raw->u + k * n, err);
        if (status == MO_OK)
            status = bench_path_mark(out, err);
    }
    out->energy = raw->energy;
    return status;
}

mo_status bench_reference_run(bench_problem *p, size_t steps, bench_path *out, mo_error *err)
{
    bench_row row = {0};
    bench_path raw = {.n = p->def.n}, hits = {.n = p->def.n};
    recorder r = {&raw, &hits};
    mo_status status = bench_steps(p, MO_SYSTEM_SCHEME_EVENT_DRIVEN, steps, record, &r, &row, err);
    if (status == MO_OK && row.trouble[0] != '\0')
        status = fail(err, MO_BAD_INPUT, NULL, "the reference ends early: %s", row.trouble);
    if (status == MO_OK)
        status = bench_path_merge(&raw, &hits, out, err);
    bench_path_free(&raw);
    bench_path_free(&hits);
    return status;
}
