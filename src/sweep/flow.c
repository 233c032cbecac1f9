/*
 * What holds the point at an instant (M99 3.2): of the velocities that lead out of no gap in touch the one
 * nearest to the field, and the set J of gaps that push.  Memory of the event-driven method.
 */
#include "sweep/event_driven.h"

#include "core/buffer.h"
#include "core/fail.h"
#include "math/vec.h"

#include <stdlib.h>
#include <string.h>

static const double EPS = 0x1p-52;

static mo_status no_memory(mo_error *err)
{
    return fail(err, MO_NO_MEMORY, NULL, "no memory for an event-driven step");
}

/* ---- memory --------------------------------------------------------------------------------------- */

mo_status event_memory_get(mo_sweep *s, struct event_memory **out, mo_error *err)
{
    if (s->event_memory == NULL)
        s->event_memory = calloc(1, sizeof *s->event_memory);
    *out = s->event_memory;
    return *out != NULL ? MO_OK : no_memory(err);
}

void event_memory_free(mo_sweep *s)
{
    struct event_memory *memory = s->event_memory;
    if (memory == NULL)
        return;
    arena_free(&memory->work);
    free(memory->subset.A);
    free(memory->subset.column);
    free(memory->subset.start);
    free(memory->held.items);
    free(memory->held.leaf);
    free(memory);
    s->event_memory = NULL;
}

mo_status flow_begin(flow *f, mo_sweep *s, mo_error *err)
{
    *f = (flow){.s = s, .m = s->m, .n = s->n, .t = s->t_i, .err = err};
    mo_status status = event_memory_get(s, &f->memory, err);
    if (status != MO_OK)
        return status;
    arena *work = &f->memory->work;
    arena_reset(work);
    double *memory = arena_push_zero(work, (FLOW_STAGES + 4) * s->n, sizeof *memory);
    if (memory == NULL)
        return no_memory(err);
    double **const arrays[] = {&f->x, &f->f, &f->scratch, &f->end};
    for (size_t i = 0; i < 4; i++)
        *arrays[i] = memory + i * s->n;
    for (size_t i = 0; i < FLOW_STAGES; i++)
        f->k[i] = memory + (i + 4) * s->n;
    vec_copy(s->n, s->x, f->x);
    f->after_begin = arena_here(work);
    return MO_OK;
}

/* arrays with an entry per row, for as many rows as there are now; what was there is given back */
static mo_status give_rows(flow *f)
{
    arena *work = &f->memory->work;
    const size_t count = f->m->rows.count;
    double **const reals[] = {&f->gap,      &f->gap_rate, &f->mu,       &f->lambda,  &f->b,
                              &f->shift,    &f->begin,    &f->low,      &f->high,    &f->now,
                              &f->inner[0], &f->inner[1], &f->inner[2], &f->inner[3]};
    size_t **const numbers[] = {&f->held, &f->place, &f->touching};
    arena_back(work, f->after_begin);
    f->row_count = count;
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        if ((*reals[i] = arena_push_zero(work, count, sizeof(double))) == NULL)
            return no_memory(f->err);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if ((*numbers[i] = arena_push(work, count, sizeof(size_t))) == NULL)
            return no_memory(f->err);
    return MO_OK;
}

/* ---- projections onto some of the rows ------------------------------------------------------------ */

static size_t row_entries(const gap_rows *rows, size_t n, size_t i)
{
    return rows->start == NULL ? n : rows->start[i + 1] - rows->start[i];
}

static mo_status reserve_subset(row_subset *subset, const gap_rows *rows, size_t n, const size_t *list,
                                size_t count, mo_error *err)
{
    size_t entries = 0;
    for (size_t i = 0; i < count; i++)
        entries += row_entries(rows, n, list[i]);
    const column parts[] = {{(void **)&subset->A, sizeof *subset->A},
                            {(void **)&subset->column, sizeof *subset->column}};
    const column starts[] = {{(void **)&subset->start, sizeof *subset->start}};
    if (!columns_reserve(parts, 2, &subset->entry_capacity, entries) ||
        !columns_reserve(starts, 1, &subset->start_capacity, count + 1))
        return no_memory(err);
    return MO_OK;
}

static mo_status select_rows(row_subset *subset, const gap_rows *rows, size_t n, const size_t *list,
                             size_t count, mo_polyhedron *out, mo_error *err)
{
    mo_status status = reserve_subset(subset, rows, n, list, count, err);
    if (status != MO_OK)
        return status;
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t entries = row_entries(rows, n, list[i]);
        const size_t first = rows->start == NULL ? list[i] * n : rows->start[list[i]];
        subset->start[i] = used;
        memcpy(subset->A + used, rows->A + first, entries * sizeof *rows->A);
        if (rows->start != NULL)
            memcpy(subset->column + used, rows->column + first, entries * sizeof *rows->column);
        used += entries;
    }
    subset->start[count] = used;
    *out = (mo_polyhedron){.n = n, .rows = count, .A = subset->A};
    if (rows->start != NULL) {
        out->start = subset->start;
        out->column = subset->column;
    }
    return MO_OK;
}

mo_status flow_project(flow *f, const size_t *list, size_t count, bool equal, const double *z, double *y,
                       mo_projection_info *info)
{
    mo_polyhedron set;
    mo_status status = select_rows(&f->memory->subset, &f->m->rows, f->n, list, count, &set, f->err);
    if (status != MO_OK)
        return status;
    set.equalities = equal ? count : 0;
    set.b = f->b;
    return mo_projector_project(f->m->projector, &set, z, NULL, 0, y, f->lambda, info, f->err);
}

/* ---- deciding what holds -------------------------------------------------------------------------- */

/* multipliers up to this are nothing */
static double mu_floor(const flow *f, size_t row)
{
    return 1e-13 * f->speed / f->m->rows.norm[row];
}

/* of the translations */
static double carrier_speed(const moving *m)
{
    double speed = 0;
    for (size_t i = 0; i < m->leaf_count; i++)
        if (m->leaves[i].shifted)
            speed = fmax(speed, vec_norm(m->n, m->leaves[i].shift_rate));
    return speed;
}

/* lengths at hand: of x, of its way in a step and of the ways of the gaps that come near it */
static double size_of(const flow *f)
{
    const gap_rows *rows = &f->m->rows;
    const double h = f->s->def.h;
    double size = fmax(vec_max_abs(f->n, f->x), f->speed * h);
    for (size_t i = 0; i < rows->count; i++) {
        const double way = rows->norm[i] > 0 ? h * fabs(rows->gt[i]) / rows->norm[i] : 0;
        if (rows->g[i] <= 2 * way * rows->norm[i])
            size = fmax(size, way);
    }
    return size;
}

/* rows at (t, x), of discs those that can be met in the step; near and size follow */
static mo_status look_around(flow *f)
{
    moving *m = f->m;
    mo_status status = moving_set_time(m, f->t, true, f->err);
    if (status == MO_OK)
        status =
            moving_linearise(m, f->x, fmax(f->margin, 6 * f->delta * (f->speed + carrier_speed(m))), f->err);
    if (status == MO_OK)
        status = give_rows(f);
    if (status != MO_OK)
        return status;
    f->size = size_of(f);
    f->near = 64 * EPS * f->size;
    f->touching_count = 0;
    for (size_t i = 0; i < f->row_count; i++) {
        const double norm = m->rows.norm[i];
        f->gap[i] = norm > 0 ? m->rows.g[i] / norm : m->rows.g[i];
        f->place[i] = SIZE_MAX;
        if (f->gap[i] > f->near)
            continue;
        if (norm == 0 && m->rows.gt[i] < 0)
            return moving_trouble(m, MO_SWEEP_NO_GRADIENT, "gap %zu in touch has gradient 0 at t = %.17g",
                                  m->rows.first[i] + 1, m->t);
        if (norm > 0)
            f->touching[f->touching_count++] = i;
    }
    return MO_OK;
}

/* J from the rows marked in place, with multipliers 0 */
static void collect_held(flow *f)
{
    f->held_count = 0;
    for (size_t i = 0; i < f->row_count; i++)
        if (f->place[i] != SIZE_MAX) {
            f->place[i] = f->held_count;
            f->held[f->held_count++] = i;
        }
}

/* rates of gaps with v = k[0], and what makes the event functions positive now */
static void begin_events(flow *f)
{
    const gap_rows *rows = &f->m->rows;
    for (size_t i = 0; i < f->row_count; i++) {
        const bool held = f->place[i] != SIZE_MAX;
        const double norm = rows->norm[i];
        const double value = held ? f->mu[f->place[i]] : f->gap[i];
        const double least = held ? mu_floor(f, i) : f->near;
        f->gap_rate[i] = norm > 0 ? (rows->gt[i] + row_dot(rows, f->n, i, f->k[0])) / norm : rows->gt[i];
        f->shift[i] = value > least ? 0 : 2 * least - value;
        // a wall that comes to rest lets go: its multiplier stays at 0 and gets never below
        if (held && value > least)
            f->shift[i] = -2 * EPS * f->speed / norm;
        f->begin[i] = value + f->shift[i];
    }
}

static mo_status tell_no_velocity(flow *f)
{
    const gap_rows *rows = &f->m->rows;
    size_t found[2] = {SIZE_MAX, SIZE_MAX}, count = 0;
    for (size_t i = 0; i < f->touching_count && count < 2; i++)
        if (f->lambda[i] > 0)
            found[count++] = rows->first[f->touching[i]] + 1;
    if (count < 2)
        return moving_trouble(f->m, MO_SWEEP_EMPTY, "gap %zu cannot be kept at t = %.17g", found[0], f->t);
    return moving_trouble(f->m, MO_SWEEP_EMPTY, "gaps %zu, %zu, ... close the set at t = %.17g", found[0],
                          found[1], f->t);
}

/* speeds at hand: of the velocity and of what the gaps ask for */
static double speed_of(const flow *f)
{
    double speed = vec_norm(f->n, f->k[0]);
    for (size_t i = 0; i < f->touching_count; i++) {
        const size_t row = f->touching[i];
        speed = fmax(speed, fabs(f->m->rows.gt[row]) / f->m->rows.norm[row]);
    }
    return speed;
}

mo_status flow_decide(flow *f, bool *stuck)
{
    mo_projection_info info = {.outcome = MO_PROJECTION_SOLVED};
    mo_status status = look_around(f);
    if (status == MO_OK)
        status = sweep_field(f->s, f->t, f->x, f->f, f->err);
    if (status != MO_OK)
        return status;
    vec_copy(f->n, f->f, f->k[0]);
    for (size_t i = 0; i < f->touching_count; i++)
        f->b[i] = -f->m->rows.gt[f->touching[i]];
    if (f->touching_count > 0)
        status = flow_project(f, f->touching, f->touching_count, false, f->f, f->k[0], &info);
    if (status != MO_OK)
        return status;
    if (info.outcome == MO_PROJECTION_EMPTY)
        return tell_no_velocity(f);
    *stuck = info.outcome == MO_PROJECTION_UNDECIDED;
    f->speed = speed_of(f);
    for (size_t i = 0; i < f->touching_count; i++)
        if (f->lambda[i] > mu_floor(f, f->touching[i]))
            f->place[f->touching[i]] = 0;
    collect_held(f);
    for (size_t i = 0; i < f->touching_count; i++)
        if (f->place[f->touching[i]] != SIZE_MAX)
            f->mu[f->place[f->touching[i]]] = f->lambda[i];
    begin_events(f);
    return MO_OK;
}

/* ---- velocity with J held ------------------------------------------------------------------------- */

mo_status flow_velocity(flow *f, double t, const double *x, double *v, bool *stuck)
{
    mo_projection_info info = {.outcome = MO_PROJECTION_SOLVED};
    mo_status status = moving_set_time(f->m, t, true, f->err);
    if (status == MO_OK)
        status = moving_relinearise(f->m, x, f->err);
    if (status == MO_OK)
        status = sweep_field(f->s, t, x, f->f, f->err);
    if (status != MO_OK)
        return status;
    for (size_t i = 0; i < f->held_count; i++)
        f->b[i] = -f->m->rows.gt[f->held[i]];
    vec_copy(f->n, f->f, v);
    if (f->held_count > 0)
        status = flow_project(f, f->held, f->held_count, true, f->f, v, &info);
    vec_copy(f->held_count, f->lambda, f->mu);
    *stuck = *stuck || info.outcome != MO_PROJECTION_SOLVED;
    return status;
}

mo_status flow_hold_marked(flow *f, bool *stuck)
{
    collect_held(f);
    mo_status status = flow_velocity(f, f->t, f->x, f->k[0], stuck);
    if (status == MO_OK)
        begin_events(f);
    return status;
}
