/*
 * Nearest point of a moving set: closed forms, one exact projection for linear gaps, else linearise and
 * project again and again.
 *
 * At x_k the gaps are linearised and p_k is the step of least sigma |p|^2 / 2 + (x_k - z).p with g + A p >=
 * 0, which is the projection of -(x_k - z) / sigma.  sigma = 1 alone would diverge once the distance to the
 * set exceeds its radius of curvature; sigma is therefore the curvature of the Lagrangian along the last step
 * (Barzilai & Borwein 1988).  With weights nu >= lambda the merit function |x - z|^2 / 2 + sum of nu (-g)+
 * falls along p_k by at least sigma |p_k|^2 (Han 1977); steps are accepted against the largest of the last
 * few values (Grippo, Lampariello & Lucidi 1986), else halved.  The linearised gaps of x_k + p_k vanish, so
 * that the violation after a last step of length e is of order e^2.
 */
#include "sweep/project.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/buffer.h"
#include "core/fail.h"
#include "math/vec.h"

enum { MEMORY = 6, HALVINGS = 40, SLOW = 12 };

static const double EPS = 0x1p-52;

/* Arrays of one projection, in the arena. */
typedef struct descent {
    const double *z;
    double *x;             /* [n] iterate */
    double *p;             /* [n] step */
    double *side;          /* [n] point to project, then A^T lambda */
    double *nu;            /* [rows] weights of the merit function */
    double *before;        /* [n] iterate before */
    double sigma;          /* curvature */
    double fall;           /* of the merit function along p */
    bool newton;           /* the Hessian takes the place of sigma */
    double merits[MEMORY]; /* of the last iterates */
    int merit_count;
    double length; /* |p| of the last step */
    double best;   /* shortest step so far, and how often it was not beaten */
    int stalled;
} descent;

// the two sets whose nearest point has a formula
static mo_status project_ball(moving *m, const double *z, double *x, mo_error *err)
{
    const moving_leaf *leaf = &m->leaves[0];
    if (leaf->b[0] < 0)
        return moving_trouble(m, MO_SWEEP_EMPTY, "the ball has radius %g at t = %.17g", leaf->b[0], m->t);
    mo_status status = moving_linearise(m, z, HUGE_VAL, err);
    double depth = m->rows.count > 0 ? m->rows.g[0] : 0;
    if (status != MO_OK || depth >= 0) {
        memmove(x, z, m->n * sizeof *x);
        return status;
    }
    double stretch = leaf->b[0] / (leaf->b[0] - depth);
    for (size_t j = 0; j < m->n; j++) {
        double centre = leaf->a[j] + (leaf->shifted ? leaf->shift[j] : 0);
        x[j] = centre + stretch * (z[j] - centre);
    }
    m->rows.lambda[0] = -depth;
    m->iterations = 1;
    // a ball of radius zero has no gradient at its point: that at z stands for it
    if (leaf->b[0] == 0) {
        m->rows.g[0] = 0;
        return MO_OK;
    }
    return moving_relinearise(m, x, err);
}

static mo_status project_box(moving *m, const double *z, double *x, mo_error *err)
{
    const moving_leaf *leaf = &m->leaves[0];
    mo_status status = moving_linearise(m, z, HUGE_VAL, err);
    for (size_t j = 0; status == MO_OK && j < m->n; j++) {
        double low = m->rows.g[2 * j], high = m->rows.g[2 * j + 1];
        if (leaf->b[j] < 0)
            return moving_trouble(m, MO_SWEEP_EMPTY, "the box has radius %g along axis %zu at t = %.17g",
                                  leaf->b[j], j + 1, m->t);
        double centre = leaf->a[j] + (leaf->shifted ? leaf->shift[j] : 0);
        m->rows.lambda[2 * j] = fmax(-low, 0);
        m->rows.lambda[2 * j + 1] = fmax(-high, 0);
        x[j] = low < 0 ? centre - leaf->b[j] : high < 0 ? centre + leaf->b[j] : z[j];
    }
    m->iterations = 1;
    return status == MO_OK ? moving_relinearise(m, x, err) : status;
}

static mo_status project_convex(moving *m, const double *z, double *x, mo_error *err)
{
    const moving_leaf *leaf = &m->leaves[0];
    mo_set_info info;
    for (size_t j = 0; j < m->n; j++)
        m->point[j] = leaf->shifted ? z[j] - leaf->shift[j] : z[j];
    m->rows.count = 0;
    if (!vec_finite(m->n, m->point))
        return moving_trouble(m, MO_SWEEP_NOT_FINITE, "the point is not finite at t = %.17g", m->t);
    mo_status status = mo_set_prox(leaf->set->convex, m->point, m->point, m->workspace, &info, err);
    if (status != MO_OK)
        return status;
    m->iterations = 1;
    if (info.empty)
        return moving_trouble(m, MO_SWEEP_EMPTY, "the convex set is empty");
    for (size_t j = 0; j < m->n; j++)
        x[j] = leaf->shifted ? m->point[j] + leaf->shift[j] : m->point[j];
    if (!info.converged)
        return moving_trouble(m, MO_SWEEP_NOT_CONVERGED,
                              "projection at t = %.17g: violation %g after %d rounds", m->t, info.violation,
                              info.iterations);
    return MO_OK;
}

// the linearised set is empty: says so, with two of the rows that contradict each other
mo_status empty_told(moving *m)
{
    const gap_rows *r = &m->rows;
    size_t found[2] = {SIZE_MAX, SIZE_MAX}, count = 0;
    for (size_t i = 0; i < r->count && count < 2; i++)
        if (r->lambda[i] > 0)
            found[count++] = r->first[i] + 1;
    const char *what =
        m->convex ? "C(t) is empty" : "no point meets the linearised gaps, the set may be empty";
    if (count < 2)
        return moving_trouble(m, MO_SWEEP_EMPTY, "%s at t = %.17g: gap %zu cannot be met", what, m->t,
                              found[0]);
    return moving_trouble(m, MO_SWEEP_EMPTY, "%s at t = %.17g: gaps %zu, %zu, ... contradict each other",
                          what, m->t, found[0], found[1]);
}

static mo_status check_gradients(moving *m)
{
    for (size_t i = 0; i < m->rows.count; i++)
        if (m->rows.norm[i] == 0 && m->rows.g[i] < 0)
            return moving_trouble(m, MO_SWEEP_NO_GRADIENT, "gap %zu is %g with gradient 0 at t = %.17g",
                                  m->rows.first[i] + 1, m->rows.g[i], m->t);
    return MO_OK;
}

static bool guess_reserve(moving *m, size_t count)
{
    column columns[] = {{(void **)&m->guess, sizeof(size_t)}};
    return columns_reserve(columns, 1, &m->guess_capacity, count);
}

mo_status rows_guess(moving *m, mo_error *err)
{
    const hold_list *warm = m->warm;
    m->guess_count = 0;
    if (warm == NULL)
        return MO_OK;
    if (!guess_reserve(m, warm->count))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for active gaps");
    for (size_t k = 0; k < warm->count; k++) {
        size_t row = rows_find(&m->rows, warm->leaf[k], warm->items[k].first, warm->items[k].second);
        if (row == SIZE_MAX)
            continue;
        m->guess[m->guess_count++] = row;
        m->rows.lambda[row] = warm->items[k].lambda * m->warm_span;
    }
    return MO_OK;
}

mo_status rows_project(moving *m, const double *from, double *p, mo_error *err)
{
    gap_rows *r = &m->rows;
    mo_projection_info info;
    mo_status status = rows_nearest(m, r, false, from, p, r->lambda, &info, err);
    if (status != MO_OK)
        return status;
    if (info.outcome == MO_PROJECTION_EMPTY)
        return empty_told(m);
    m->large = info.large;
    if (!guess_reserve(m, info.active_count))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for active gaps");
    m->guess_count = info.active_count;
    for (size_t k = 0; k < info.active_count; k++)
        m->guess[k] = info.active[k];
    if (info.outcome == MO_PROJECTION_UNDECIDED)
        moving_trouble(m, MO_SWEEP_NOT_CONVERGED,
                       "linear projection at t = %.17g: relative violation %g, stationarity %g", m->t,
                       info.violation, info.stationarity);
    return MO_OK;
}

// the linearised gaps as right sides, then the projection
static mo_status project_step(moving *m, const double *from, double *p, mo_error *err)
{
    mo_status status = check_gradients(m);
    for (size_t i = 0; i < m->rows.count; i++)
        m->rows.b[i] = -m->rows.g[i];
    return status == MO_OK ? rows_project(m, from, p, err) : status;
}

static bool all_open(const gap_rows *r)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->g[i] < 0)
            return false;
    return true;
}

static mo_status project_linear(moving *m, const double *z, double *x, mo_error *err)
{
    arena_mark mark = arena_here(&m->work);
    double *p = arena_push_zero(&m->work, 2 * m->n, sizeof *p);
    if (p == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a projection");
    mo_status status = project_step(m, p + m->n, p, err);
    for (size_t j = 0; status == MO_OK && j < m->n; j++)
        x[j] = z[j] + p[j];
    arena_back(&m->work, mark);
    m->iterations = 1;
    return status == MO_OK ? moving_relinearise(m, x, err) : status;
}

// |x - z|^2 / 2 + sum of nu (-g)+
static double merit(const moving *m, const descent *d)
{
    double sum = 0;
    for (size_t j = 0; j < m->n; j++)
        sum += (d->x[j] - d->z[j]) * (d->x[j] - d->z[j]);
    sum *= 0.5;
    for (size_t i = 0; i < m->rows.count; i++)
        sum += d->nu[i] * fmax(-m->rows.g[i], 0);
    return sum;
}

static double largest_merit(const descent *d)
{
    double largest = d->merits[0];
    for (int k = 1; k < d->merit_count && k < MEMORY; k++)
        largest = fmax(largest, d->merits[k]);
    return largest;
}

// side := sum of lambda_i times row i
static void pull(const moving *m, double *side)
{
    vec_zero(m->n, side);
    for (size_t i = 0; i < m->rows.count; i++)
        if (m->rows.lambda[i] != 0)
            row_add(&m->rows, m->n, i, m->rows.lambda[i], side);
}

// the point to project: least of p.H p / 2 + (x - z).p, H the Hessian or sigma
static mo_status aim(moving *m, descent *d, mo_error *err)
{
    mo_status status = MO_OK;
    bool slow = m->iterations >= SLOW && m->n <= NEWTON_MAX && m->rows.start == NULL;
    if (slow)
        status = newton_metric(m, d->x, vec_distance(m->n, d->x, d->z), &d->newton, err);
    for (size_t j = 0; j < m->n; j++)
        d->side[j] = -(d->x[j] - d->z[j]) / (d->newton ? 1 : d->sigma);
    if (d->newton) {
        metric_solve_lower(&m->newton, d->side);
        metric_solve_upper(&m->newton, d->side);
    }
    return status;
}

// the quadratic problem at x; the multipliers become those of the gaps
static mo_status find_step(moving *m, descent *d, mo_error *err)
{
    gap_rows *r = &m->rows;
    mo_status status = aim(m, d, err);
    // what an early problem leaves open is of no account
    m->outcome = MO_SWEEP_REACHED;
    m->message[0] = 0;
    double distance = vec_distance(m->n, d->x, d->z);
    bool early = d->length > 0 && distance > 0;
    mo_projector_set_aim(m->projector, early ? fmin(1e-6, 1e-3 * d->length / distance) : 1e-6);
    // the multipliers so far, in the units of the problem
    for (size_t i = 0; i < r->count; i++)
        r->lambda[i] /= d->newton ? 1 : d->sigma;
    if (status == MO_OK)
        status = project_step(m, d->side, d->p, err);
    if (status != MO_OK)
        return status;
    for (size_t i = 0; i < r->count; i++) {
        r->lambda[i] *= d->newton ? 1 : d->sigma;
        // weights stay above the multipliers, but not far above for ever
        d->nu[i] = fmax(r->lambda[i], 0.5 * (d->nu[i] + r->lambda[i]));
    }
    d->length = vec_norm(m->n, d->p);
    // p.H p = p.(A^T lambda - (x - z))
    pull(m, d->side);
    d->fall = 0;
    for (size_t j = 0; j < m->n; j++)
        d->fall += d->p[j] * (d->side[j] - (d->x[j] - d->z[j]));
    return MO_OK;
}

// x := x + s p with the largest s = 1, 1/2, ... that the merit function accepts; false: none
static mo_status move(moving *m, descent *d, bool *moved, mo_error *err)
{
    size_t n = m->n;
    double now = merit(m, d);
    d->merits[d->merit_count % MEMORY] = now;
    d->merit_count++;
    double bound = fmax(largest_merit(d), now), noise = 16 * EPS * bound, s = 1;
    vec_copy(n, d->x, d->before);
    *moved = false;
    for (int k = 0; k < HALVINGS && !*moved; k++, s *= 0.5) {
        for (size_t j = 0; j < n; j++)
            d->x[j] = d->before[j] + s * d->p[j];
        mo_status status = moving_relinearise(m, d->x, err);
        if (status != MO_OK)
            return status;
        *moved = merit(m, d) <= bound - 1e-4 * s * d->fall + noise;
    }
    return MO_OK;
}

// sigma := curvature of |x - z|^2 / 2 - lambda.g along the step made; side holds A^T lambda before it
static void measure_curvature(moving *m, descent *d)
{
    size_t n = m->n;
    double sy = 0, ss = 0;
    for (size_t i = 0; i < m->rows.count; i++)
        if (m->rows.lambda[i] != 0)
            row_add(&m->rows, n, i, -m->rows.lambda[i], d->side);
    for (size_t j = 0; j < n; j++) {
        double s = d->x[j] - d->before[j];
        sy += s * (s + d->side[j]);
        ss += s * s;
    }
    if (ss > 0)
        d->sigma = fmax(0.05, fmin(sy / ss, 1e8));
}

// whether the last step was short enough; rounding may keep it from getting shorter for ever
static bool converged(const moving *m, descent *d)
{
    size_t n = m->n;
    double size = vec_norm(n, d->x), distance = vec_distance(n, d->x, d->z);
    // what rounding makes of the step: of x in the gaps, and of x - z through sigma
    double floor = 8 * EPS * (size + (size + distance) / (d->newton ? 1 : d->sigma));
    double wanted = m->tol * fmin(distance, size) + floor;
    d->stalled = d->length < 0.5 * d->best ? 0 : d->stalled + 1;
    d->best = fmin(d->best, d->length);
    // large quadratic problems are solved to 1e-10 of what is projected
    double rough = 1e3 * floor + (m->large ? 1e-10 * distance / d->sigma : 0);
    return d->length <= wanted || (d->stalled > 4 && d->length <= rough);
}

// from x on, until the step is short
static mo_status descend(moving *m, descent *d, mo_error *err)
{
    for (; m->iterations < m->max_iter; m->iterations++) {
        bool moved;
        mo_status status = find_step(m, d, err);
        if (status == MO_OK && !isfinite(d->length))
            return moving_trouble(m, MO_SWEEP_NOT_CONVERGED, "projection at t = %.17g: step %g", m->t,
                                  d->length);
        if (status == MO_OK)
            status = move(m, d, &moved, err);
        if (status != MO_OK)
            return status;
        if (!moved)
            return moving_trouble(m, MO_SWEEP_NOT_CONVERGED,
                                  "projection at t = %.17g: no way down after %d linearisations, step %g",
                                  m->t, m->iterations, d->length);
        if (converged(m, d)) {
            m->iterations++;
            return MO_OK;
        }
        if (!d->newton)
            measure_curvature(m, d);
    }
    return moving_trouble(m, MO_SWEEP_NOT_CONVERGED,
                          "projection at t = %.17g: %d linearisations, last step %g", m->t, m->max_iter,
                          d->length);
}

// far from z the quadratic problems round off by parts of the distance: the gaps that hold are met once more
// by the shortest step that does it.  Discs may be held by more gaps than can be met exactly: there nothing
// is asked but that none is violated
static mo_status polish(moving *m, descent *d, mo_error *err)
{
    size_t n = m->n;
    bool equal = m->rows.start == NULL;
    double worst = 0;
    mo_projection_info info;
    if (!rows_copy_active(&m->rows, n, &m->spare))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a projection");
    for (size_t i = 0; i < m->spare.count; i++) {
        m->spare.b[i] = -m->spare.g[i];
        worst = fmax(worst, (equal ? fabs(m->spare.g[i]) : -m->spare.g[i]) / m->spare.norm[i]);
    }
    if (worst <= 4 * EPS * vec_norm(n, d->x))
        return MO_OK;
    vec_zero(n, d->side);
    mo_status status = rows_nearest(m, &m->spare, equal, d->side, d->p, NULL, &info, err);
    if (status != MO_OK || info.outcome != MO_PROJECTION_SOLVED || vec_norm(n, d->p) > 4 * worst)
        return status;
    vec_add(n, 1, d->p, d->x);
    return moving_relinearise(m, d->x, err);
}

static bool start_descent(moving *m, descent *d)
{
    size_t n = m->n;
    d->p = arena_push(&m->work, 3 * n, sizeof(double));
    d->nu = arena_push_zero(&m->work, m->rows.count + 1, sizeof(double));
    if (d->p == NULL || d->nu == NULL)
        return false;
    d->side = d->p + n;
    d->before = d->p + 2 * n;
    d->sigma = 1;
    d->newton = false;
    d->merit_count = 0;
    d->length = 0;
    d->best = HUGE_VAL;
    d->stalled = 0;
    m->outcome = MO_SWEEP_REACHED;
    m->message[0] = 0;
    return true;
}

// pairs of discs that were too far to be rows and now overlap; the rows then take in more
static mo_status widen(moving *m, const double *x, double *margin, bool *again, mo_error *err)
{
    double deepest = 0;
    mo_status status = linearise_into(m, &m->spare, x, 0, err);
    for (size_t i = 0; status == MO_OK && i < m->spare.count; i++) {
        const gap_rows *r = &m->spare;
        if (rows_find(&m->rows, r->leaf[i], r->first[i], r->second[i]) == SIZE_MAX)
            deepest = fmax(deepest, -r->g[i]);
    }
    *again = status == MO_OK && deepest > 0;
    if (!*again)
        return status;
    *margin = 4 * (*margin + deepest);
    return moving_linearise(m, x, *margin, err);
}

// descent from x, with rows there already
static mo_status descend_all(moving *m, descent *d, double margin, mo_error *err)
{
    bool again = true;
    mo_status status = MO_OK;
    while (status == MO_OK && again) {
        arena_mark mark = arena_here(&m->work);
        if (!start_descent(m, d))
            return fail(err, MO_NO_MEMORY, NULL, "no memory for a projection");
        status = descend(m, d, err);
        mo_projector_set_metric(m->projector, m->n, NULL, NULL);
        if (status == MO_OK && m->outcome == MO_SWEEP_REACHED)
            status = polish(m, d, err);
        arena_back(&m->work, mark);
        again = false;
        if (status == MO_OK && m->discs && m->outcome == MO_SWEEP_REACHED)
            status = widen(m, d->x, &margin, &again, err);
        m->guess_count = again ? 0 : m->guess_count;
    }
    return status;
}

// margin within which pairs of discs are rows: a few times the deepest overlap at x
static mo_status near_rows(moving *m, const double *x, double *margin, mo_error *err)
{
    *margin = HUGE_VAL;
    if (!m->discs)
        return moving_linearise(m, x, *margin, err);
    mo_status status = moving_linearise(m, x, 0, err);
    double deepest = 0;
    for (size_t i = 0; i < m->rows.count; i++)
        deepest = fmax(deepest, -m->rows.g[i]);
    *margin = 3 * deepest;
    return status == MO_OK && deepest > 0 ? moving_linearise(m, x, *margin, err) : status;
}

static mo_status project_curved(moving *m, const double *z, const double *near, double margin, double *x,
                                mo_error *err)
{
    descent d = {.z = z, .x = x};
    mo_status status = descend_all(m, &d, margin, err);
    // z may lie where the gaps say little; a point near the set may know more
    bool lost = status == STEP_NOT_MADE && m->outcome != MO_SWEEP_NOT_FINITE && !m->convex;
    if ((lost || (m->outcome == MO_SWEEP_NOT_CONVERGED && !m->convex)) && near != NULL) {
        memmove(x, near, m->n * sizeof *x);
        m->guess_count = 0;
        m->iterations = 0;
        status = near_rows(m, x, &margin, err);
        if (status == MO_OK && m->discs)
            status = moving_linearise(m, x, margin + 2 * vec_distance(m->n, x, z), err);
        if (status == MO_OK)
            status = descend_all(m, &d, margin, err);
    }
    if (status == MO_OK && m->outcome == MO_SWEEP_NOT_CONVERGED && m->convex)
        status = project_outer(m, z, x, err);
    if (status == MO_OK && m->outcome == MO_SWEEP_REACHED && !m->convex)
        status = curvature_check(m, z, x, err);
    return status;
}

// whether the set is one ball or one box; then its projection
static bool closed_form(const moving *m)
{
    mo_moving_kind kind = m->leaves[0].set->kind;
    return m->leaf_count == 1 && (kind == MO_MOVING_BALL || kind == MO_MOVING_BOX);
}

mo_status moving_project(moving *m, const double *z, const double *near, double *x, mo_error *err)
{
    double margin;
    m->outcome = MO_SWEEP_REACHED;
    m->message[0] = 0;
    m->iterations = 0;
    if (m->by_prox)
        return project_convex(m, z, x, err);
    if (closed_form(m))
        return m->leaves[0].set->kind == MO_MOVING_BALL ? project_ball(m, z, x, err)
                                                        : project_box(m, z, x, err);
    mo_status status = near_rows(m, z, &margin, err);
    if (status != MO_OK)
        return status;
    if (all_open(&m->rows)) {
        memmove(x, z, m->n * sizeof *x);
        return MO_OK;
    }
    status = rows_guess(m, err);
    if (status != MO_OK || m->linear)
        return status == MO_OK ? project_linear(m, z, x, err) : status;
    // x may be z, which is needed to the end
    arena_mark mark = arena_here(&m->work);
    double *copy = arena_push(&m->work, m->n, sizeof *copy);
    if (copy == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a projection");
    vec_copy(m->n, z, copy);
    memmove(x, z, m->n * sizeof *x);
    status = project_curved(m, copy, near, margin, x, err);
    arena_back(&m->work, mark);
    return status;
}
