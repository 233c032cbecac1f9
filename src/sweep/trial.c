/*
 * One step of the flow with J held: u' is the velocity nearest to f with g_t + grad g.u' = 0 on J (W_a of
 * M99 3.2, a linear problem), u' = f + sum of mu grad g over J.  Integrated by the pair of orders 5 and 4 of
 * J. R. Dormand and P. J. Prince, J. Comp. Appl. Math. 6 (1980), 19-26, and brought back to g_J = 0, the
 * nearest point of the linearised gaps, after each step.
 */
#include "sweep/event_driven.h"

#include "math/vec.h"

/* corrections towards g_J = 0 after a step */
enum { CORRECTIONS = 3 };

static const double EPS = 0x1p-52;

bool flow_has_event(const flow *f, const double *values)
{
    for (size_t i = 0; i < f->row_count; i++)
        if (values[i] < 0)
            return true;
    return false;
}

static void read_events(flow *f)
{
    const gap_rows *rows = &f->m->rows;
    for (size_t i = 0; i < f->row_count; i++) {
        const double gap = rows->norm[i] > 0 ? rows->g[i] / rows->norm[i] : rows->g[i];
        f->now[i] = (f->place[i] != SIZE_MAX ? f->mu[f->place[i]] : gap) + f->shift[i];
    }
}

/* largest |g| over J, a length; right sides of the correction to f->b */
static double held_gap(flow *f)
{
    const gap_rows *rows = &f->m->rows;
    double worst = 0;
    for (size_t i = 0; i < f->held_count; i++) {
        f->b[i] = -rows->g[f->held[i]];
        worst = fmax(worst, fabs(f->b[i]) / rows->norm[f->held[i]]);
    }
    return worst;
}

/* end := the nearest point with g_J = 0, to second order; rows are left there.  A point that cannot be
 * brought back is stuck: the gaps of J are about to contradict each other */
static mo_status return_to_held(flow *f, double t, bool *stuck)
{
    mo_projection_info info;
    vec_zero(f->n, f->scratch);
    for (int k = 0;; k++) {
        const double worst = held_gap(f);
        if (worst <= EPS * f->size || k == CORRECTIONS) {
            *stuck = *stuck || !(worst <= 1e-12 * f->size);
            return MO_OK;
        }
        mo_status status = flow_project(f, f->held, f->held_count, true, f->scratch, f->k[1], &info);
        *stuck = *stuck || info.outcome != MO_PROJECTION_SOLVED;
        if (status != MO_OK || *stuck)
            return status;
        // a long way back is an error that the stages did not see
        f->error = fmax(f->error, vec_norm(f->n, f->k[1]));
        vec_add(f->n, 1, f->k[1], f->end);
        status = moving_set_time(f->m, t, true, f->err);
        if (status == MO_OK)
            status = moving_relinearise(f->m, f->end, f->err);
        if (status != MO_OK)
            return status;
    }
}

/* g0 + r0 s + a s^2 + b s^3, the cubic through values and slopes at both ends of [0, 1] */
typedef struct cubic {
    double g0, r0, a, b;
} cubic;

static cubic cubic_through(double g0, double r0, double g1, double r1)
{
    const double d = g1 - g0;
    return (cubic){g0, r0, 3 * d - 2 * r0 - r1, r0 + r1 - 2 * d};
}

static double cubic_at(const cubic *c, double s)
{
    return c->g0 + s * (c->r0 + s * (c->a + s * c->b));
}

/* where it is lowest inside, 1 when at an end */
static double cubic_minimum(const cubic *c)
{
    const double square = c->a * c->a - 3 * c->b * c->r0;
    if (!(square > 0))
        return 1;
    // the root of r0 + 2 a s + 3 b s^2 with a positive second derivative, without cancellation
    const double root = sqrt(square), s = c->a > 0 ? -c->r0 / (c->a + root) : (root - c->a) / (3 * c->b);
    return s > 0 && s < 1 ? s : 1;
}

/*
 * Part of the trial after which a gap outside J may have dipped below zero and come back: where the cubic saw
 * it, or half of it when the cubic is too far from the stages to tell.  A gap that is negative at the end may
 * have been so before; there the cubic has to be right but roughly.
 */
static double safe_part(const flow *f, size_t i, double delta)
{
    const gap_rows *rows = &f->m->rows;
    const double norm = rows->norm[i], *v = f->k[FLOW_STAGES - 1];
    const double r1 = norm > 0 ? (rows->gt[i] + row_dot(rows, f->n, i, v)) / norm : rows->gt[i];
    const cubic c = cubic_through(f->begin[i], delta * f->gap_rate[i], f->now[i], delta * r1);
    const double at = cubic_minimum(&c);
    const bool open = f->now[i] >= 0;
    double lowest = open && at < 1 ? cubic_at(&c, at) : HUGE_VAL, off = 0;
    if (lowest < 0)
        return at;
    for (size_t k = 0; k < FLOW_INNER; k++) {
        lowest = fmin(lowest, f->inner[k][i] + f->off[k]);
        off = fmax(off, fabs(f->inner[k][i] - cubic_at(&c, dp_time[k + 1])) - f->off[k]);
    }
    return 4 * off > (open ? lowest : fmax(f->begin[i], -f->now[i])) ? 0.5 : 1;
}

/* stage after which an event function is negative for a while only; 1: none.  One that stays negative is an
 * event to be located, nothing else */
static double dip_at_stages(const flow *f, size_t i)
{
    bool open = f->now[i] >= 0;
    double dip = 1;
    for (size_t k = FLOW_INNER; k-- > 0;) {
        const bool negative = f->inner[k][i] < (f->place[i] == SIZE_MAX ? -f->off[k] : 0);
        if (negative && open)
            dip = dp_time[k + 1];
        open = open || !negative;
    }
    return dip;
}

/* the same for all rows */
static double safe_part_of_all(const flow *f, double delta)
{
    double safe = 1;
    for (size_t i = 0; i < f->row_count; i++) {
        safe = fmin(safe, dip_at_stages(f, i));
        if (f->place[i] == SIZE_MAX && safe == 1)
            safe = fmin(safe, safe_part(f, i, delta));
    }
    return fmax(0.05, safe);
}

mo_status flow_trial(flow *f, double t_end, bool *stuck)
{
    const double delta = t_end - f->t;
    mo_status status = MO_OK;
    *stuck = false;
    for (size_t s = 1; s < FLOW_STAGES && status == MO_OK && !*stuck; s++) {
        dp_combine(f->n, f->x, delta, s, dp_stage[s], f->k, f->end);
        status = flow_velocity(f, dp_time[s] < 1 ? f->t + dp_time[s] * delta : t_end, f->end, f->k[s], stuck);
        read_events(f);
        if (s <= FLOW_INNER) {
            vec_copy(f->row_count, f->now, f->inner[s - 1]);
            f->off[s - 1] = 2 * held_gap(f);
        }
    }
    if (status != MO_OK || *stuck)
        return status;
    dp_combine(f->n, NULL, delta, FLOW_STAGES, dp_error, f->k, f->scratch);
    f->error = vec_norm(f->n, f->scratch);
    f->way = 0;
    for (size_t j = 0; j + 1 < FLOW_STAGES; j++)
        f->way += delta * dp_stage[FLOW_STAGES - 1][j] * vec_norm(f->n, f->k[j]);
    status = return_to_held(f, t_end, stuck);
    read_events(f);
    f->safe = safe_part_of_all(f, delta);
    return status;
}
