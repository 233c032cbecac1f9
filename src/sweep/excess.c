/*
 * Excess of one moving set at two times, e(A, B) = sup {d(x, B) : x in A} (M99 (20)).
 *
 * Balls: the farthest point of A from the centre of B lies opposite to it, |c - c'| + r - r'.
 * Boxes: d(x, B)^2 is a sum over coordinates, and each is largest at an end of its interval.
 * Polyhedra: A = conv(points) + cone(rays); d(., B) is convex, so that it is largest at one of the points,
 *   or without bound when a ray is no direction of recession of B; else B + ray lies in B and adds nothing.
 * Translates A = K + d, B = K: for K bounded, y in K with the largest d.y: K lies in {z : d.z <= d.y}, from
 *   which y + d is |d| away, and no point moves farther, hence e = |d|.  For K closed and convex, d(x, K) is
 *   the supremum of v.x - sigma(v) over |v| <= 1, sigma the support function of K; at x = y + d the supremum
 *   over y gives that of v.d over the v with sigma finite, whose polar cone is the recession cone R of K:
 *   e = d(d, R).
 * Other sets: the distance at points of A near x, a lower bound (where projections are local, as for sets
 *   that are not convex, only as good as these are).
 */
#include "sweep/excess.h"

#include "core/fail.h"
#include "math/vec.h"
#include "sweep/recession.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void excess_memory_free(moving *m)
{
    if (m->excess == NULL)
        return;
    arena_free(&m->excess->work);
    faces_free(&m->excess->faces);
    free(m->excess);
    m->excess = NULL;
}

mo_status excess_no_memory(mo_error *err)
{
    return fail(err, MO_NO_MEMORY, NULL, "no memory to compare sets at two times");
}

double *excess_push(excess_pair *p, size_t count)
{
    return arena_push(&p->memory->work, count, sizeof(double));
}

double *excess_push_copy(excess_pair *p, size_t count, const double *from)
{
    double *to = excess_push(p, count);
    if (to != NULL)
        vec_copy(count, from, to);
    return to;
}

/* ---- values at two times -------------------------------------------------------------------------- */

static mo_status keep_values(excess_pair *p)
{
    const moving *m = p->m;
    p->before = arena_push(&p->memory->work, m->leaf_count, sizeof *p->before);
    p->d = excess_push(p, m->n);
    if (p->before == NULL || p->d == NULL)
        return excess_no_memory(p->err);
    for (size_t i = 0; i < m->leaf_count; i++) {
        const moving_leaf *leaf = &m->leaves[i];
        leaf_values *v = &p->before[i];
        v->shift = excess_push_copy(p, m->n, leaf->shift);
        v->a = excess_push_copy(p, leaf->a_count, leaf->a);
        v->b = excess_push_copy(p, leaf->b_count, leaf->b);
        if (v->shift == NULL || v->a == NULL || v->b == NULL)
            return excess_no_memory(p->err);
    }
    return MO_OK;
}

/* rows of the set at the time of m, around x */
static mo_status keep_rows(excess_pair *p, dense_rows *out)
{
    moving *m = p->m;
    mo_status status = moving_linearise(m, p->x, 0, p->err);
    if (status != MO_OK)
        return status;
    const size_t n = m->n, count = m->rows.count;
    *out = (dense_rows){count, excess_push(p, count * n), excess_push(p, count)};
    if (out->A == NULL || out->b == NULL)
        return excess_no_memory(p->err);
    vec_zero(count * n, out->A);
    for (size_t i = 0; i < count; i++) {
        row_add(&m->rows, n, i, 1, out->A + i * n);
        out->b[i] = -m->rows.g[i];
    }
    return MO_OK;
}

/* ---- balls and boxes ------------------------------------------------------------------------------ */

static double ball_excess(double distance, double r, double r_other)
{
    if (r < 0)
        return 0;
    return r_other < 0 ? HUGE_VAL : fmax(0, distance + r - r_other);
}

/* between the centres of the only leaf at the two times */
static void centre_motion(const excess_pair *p)
{
    const moving_leaf *leaf = &p->m->leaves[0];
    for (size_t i = 0; i < p->m->n; i++)
        p->d[i] = p->before[0].a[i] - leaf->a[i] + (p->before[0].shift[i] - leaf->shift[i]);
}

static void ball_pair(const excess_pair *p)
{
    centre_motion(p);
    const double distance = vec_norm(p->m->n, p->d), r = p->before[0].b[0], r_t = p->m->leaves[0].b[0];
    *p->forward = ball_excess(distance, r, r_t);
    *p->backward = ball_excess(distance, r_t, r);
}

/* excess of intervals of half widths r and r_other, the first one d to the right of the other */
static double interval_excess(double d, double r, double r_other)
{
    return fmax(0, fmax(d + r - r_other, r - d - r_other));
}

static bool has_negative(size_t n, const double *r)
{
    for (size_t i = 0; i < n; i++)
        if (r[i] < 0)
            return true;
    return false;
}

/* boxes of half widths r and r_other; parts [n] is scratch */
static double box_excess(size_t n, double sign, const double *d, const double *r, const double *r_other,
                         double *parts)
{
    if (has_negative(n, r))
        return 0;
    if (has_negative(n, r_other))
        return HUGE_VAL;
    for (size_t i = 0; i < n; i++)
        parts[i] = interval_excess(sign * d[i], r[i], r_other[i]);
    return vec_norm(n, parts);
}

static mo_status box_pair(excess_pair *p)
{
    const size_t n = p->m->n;
    double *parts = excess_push(p, n);
    if (parts == NULL)
        return excess_no_memory(p->err);
    centre_motion(p);
    *p->forward = box_excess(n, 1, p->d, p->before[0].b, p->m->leaves[0].b, parts);
    *p->backward = box_excess(n, -1, p->d, p->m->leaves[0].b, p->before[0].b, parts);
    return MO_OK;
}

/* ---- translates ----------------------------------------------------------------------------------- */

static bool same_values(size_t n, const double *a, const double *b)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

/* whether every leaf is the same at both times but for one common translation, which goes to d */
static bool is_translate(const excess_pair *p)
{
    const moving *m = p->m;
    for (size_t i = 0; i < m->leaf_count; i++) {
        const moving_leaf *leaf = &m->leaves[i];
        const leaf_values *v = &p->before[i];
        if (leaf->set->kind == MO_MOVING_GAPS || !same_values(leaf->a_count, v->a, leaf->a) ||
            !same_values(leaf->b_count, v->b, leaf->b))
            return false;
        for (size_t j = 0; j < m->n; j++) {
            const double d = v->shift[j] - leaf->shift[j];
            if (i > 0 && p->d[j] != d)
                return false;
            p->d[j] = d;
        }
    }
    return true;
}

static bool is_bounded(const moving *m)
{
    for (size_t i = 0; i < m->leaf_count; i++)
        if (m->leaves[i].set->kind == MO_MOVING_BALL || m->leaves[i].set->kind == MO_MOVING_BOX)
            return true;
    return false;
}

/* whether no point of the set at the time of m is found from x */
static mo_status is_empty(excess_pair *p, bool *empty)
{
    moving *m = p->m;
    double *y = excess_push(p, m->n);
    if (y == NULL)
        return excess_no_memory(p->err);
    mo_status status = moving_project(m, p->x, NULL, y, p->err);
    *empty = status == STEP_NOT_MADE && m->outcome == MO_SWEEP_EMPTY;
    return *empty ? MO_OK : status;
}

static mo_status rows_recession(excess_pair *p, const dense_rows *rows, double sign, double *distance)
{
    const size_t n = p->m->n;
    double *z = excess_push(p, n), *r = excess_push(p, n);
    if (z == NULL || r == NULL)
        return excess_no_memory(p->err);
    for (size_t i = 0; i < n; i++)
        z[i] = sign * p->d[i];
    const mo_polyhedron cone = {.n = n, .rows = rows->count, .A = rows->A};
    mo_status status = mo_projector_project(p->m->projector, &cone, z, NULL, 0, r, NULL, NULL, p->err);
    if (status == MO_OK)
        *distance = vec_distance(n, z, r);
    return status;
}

static mo_status convex_recession(excess_pair *p, double sign, double *distance)
{
    const size_t n = p->m->n;
    double *z = excess_push(p, n);
    mo_set cone;
    if (z == NULL || !recession_cone(&p->memory->work, p->m->leaves[0].set->convex, &cone))
        return excess_no_memory(p->err);
    for (size_t i = 0; i < n; i++)
        z[i] = sign * p->d[i];
    return mo_set_distance(&cone, z, distance, p->m->workspace, NULL, p->err);
}

/* C(s) = C(t) + d; *done: the set is one of those for which the answer is known */
static mo_status translate_pair(excess_pair *p, bool *done)
{
    const moving *m = p->m;
    const double length = vec_norm(m->n, p->d);
    bool empty = false;
    *done = length == 0 || is_bounded(m) || m->by_prox || m->linear;
    *p->forward = *p->backward = length;
    if (length == 0 || !*done)
        return MO_OK;
    dense_rows rows = {0, NULL, NULL};
    mo_status status = MO_OK;
    if (m->linear && !is_bounded(m))
        status = keep_rows(p, &rows);
    if (status == MO_OK)
        status = is_empty(p, &empty);
    if (empty)
        *p->forward = *p->backward = 0;
    if (status != MO_OK || empty || is_bounded(m))
        return status;
    status = m->by_prox ? convex_recession(p, 1, p->forward) : rows_recession(p, &rows, 1, p->forward);
    if (status == MO_OK)
        status =
            m->by_prox ? convex_recession(p, -1, p->backward) : rows_recession(p, &rows, -1, p->backward);
    return status;
}

/* ---- all ------------------------------------------------------------------------------------------ */

static mo_status compare_pair(excess_pair *p)
{
    moving *m = p->m;
    const mo_moving_kind kind = m->leaves[0].set->kind;
    const bool rows = m->linear && !(m->leaf_count == 1 && kind == MO_MOVING_BOX);
    const bool few = rows && (m->n <= FACES_MAX_N || m->gap_count == 1);
    bool done = false;
    mo_status status = moving_set_time(m, p->s, false, p->err);
    if (status == MO_OK)
        status = keep_values(p);
    if (status == MO_OK && few)
        status = keep_rows(p, &p->rows_s);
    if (status == MO_OK)
        status = moving_set_time(m, p->t, false, p->err);
    if (status != MO_OK)
        return status;
    if (m->leaf_count == 1 && kind == MO_MOVING_BALL) {
        ball_pair(p);
        return MO_OK;
    }
    if (m->leaf_count == 1 && kind == MO_MOVING_BOX)
        return box_pair(p);
    if (is_translate(p))
        status = translate_pair(p, &done);
    if (status != MO_OK || done)
        return status;
    if (few) {
        status = keep_rows(p, &p->rows_t);
        if (status == MO_OK)
            status = excess_polyhedra(p, &done);
    }
    return status != MO_OK || done ? status : excess_sampled(p);
}

mo_status excess_between(moving *m, double s, double t, const double *x, double *forward, double *backward,
                         bool *exact, mo_error *err)
{
    *forward = *backward = 0;
    if (!m->moves)
        return MO_OK;
    if (m->excess == NULL)
        m->excess = calloc(1, sizeof *m->excess);
    if (m->excess == NULL)
        return excess_no_memory(err);
    // projections below say nothing about the step
    const mo_sweep_outcome outcome = m->outcome;
    const int iterations = m->iterations;
    char message[sizeof m->message];
    memcpy(message, m->message, sizeof message);
    excess_pair p = {.m = m, .memory = m->excess, .x = x, .s = s, .t = t, .err = err};
    p.forward = forward;
    p.backward = backward;
    p.exact = exact;
    arena_reset(&m->excess->work);
    mo_status status = compare_pair(&p);
    if (status == MO_OK) {
        m->outcome = outcome;
        m->iterations = iterations;
        memcpy(m->message, message, sizeof message);
    }
    return status;
}

mo_status mo_moving_set_excess(const mo_moving_set *set, double s, double t, const double *x, double *excess,
                               bool *exact, mo_error *err)
{
    assert(set != NULL && x != NULL && excess != NULL && exact != NULL);
    moving *m = NULL;
    mo_status status = mo_moving_set_check(set, err);
    if (status == MO_OK)
        status = moving_create(set, &m, err);
    if (status != MO_OK)
        return status;
    double forward, backward;
    bool is_exact = true;
    status = excess_between(m, s, t, x, &forward, &backward, &is_exact, err);
    if (status == STEP_NOT_MADE)
        status = fail(err, MO_BAD_INPUT, NULL, "%s", m->message);
    if (status == MO_OK) {
        *excess = forward;
        *exact = is_exact;
    }
    moving_destroy(m);
    return status;
}
