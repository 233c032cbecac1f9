/*
 * A moving set made ready: the tree of sets as a list of leaves, each with the sum of the translations above
 * it and its own functions of time evaluated once for a time, however many points are looked at.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fail.h"
#include "math/vec.h"
#include "sweep/discs.h"
#include "sweep/internal.h"
#include "sweep/rows.h"

mo_status moving_trouble(moving *m, mo_sweep_outcome outcome, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    m->outcome = outcome;
    vsnprintf(m->message, sizeof m->message, format, arguments);
    va_end(arguments);
    return outcome >= MO_SWEEP_EMPTY ? STEP_NOT_MADE : MO_OK;
}

// numbers in set->a and set->b
static void count_values(const mo_moving_set *set, size_t *a, size_t *b)
{
    *a = *b = 0;
    switch (set->kind) {
    case MO_MOVING_BALL:
        *a = set->dim;
        *b = 1;
        return;
    case MO_MOVING_BOX:
        *a = *b = set->dim;
        return;
    case MO_MOVING_POLYHEDRON:
    case MO_MOVING_GAPS: // gradients and gaps
        *a = set->rows * set->dim;
        *b = set->rows;
        return;
    case MO_MOVING_TRANSLATE:
        *a = set->dim;
        return;
    default:
        return;
    }
}

static size_t count_leaves(const mo_moving_set *set)
{
    size_t count = 0;
    if (set->kind != MO_MOVING_TRANSLATE && set->kind != MO_MOVING_INTERSECTION)
        return 1;
    for (size_t i = 0; i < set->child_count; i++)
        count += count_leaves(&set->children[i]);
    return count;
}

// what the leaf says about the whole
static void note_kind(moving *m, const mo_moving_set *set)
{
    bool gaps = set->kind == MO_MOVING_GAPS;
    m->moves = m->moves || set->a.function != NULL || set->b.function != NULL || gaps;
    bool flat = set->kind == MO_MOVING_BOX || set->kind == MO_MOVING_POLYHEDRON;
    m->flat = m->flat && flat;
    m->linear = m->linear && (flat || (gaps && set->linear));
    m->convex = m->convex && set->kind != MO_MOVING_DISCS && (!gaps || set->linear);
    m->discs = m->discs || set->kind == MO_MOVING_DISCS;
    m->sparse = m->sparse || set->kind == MO_MOVING_DISCS || (set->kind == MO_MOVING_BOX && set->dim > 16);
    m->by_prox = m->by_prox || set->kind == MO_MOVING_CONVEX;
}

static void list_leaves(moving *m, const mo_moving_set *set, bool shifted)
{
    if (set->kind == MO_MOVING_TRANSLATE || set->kind == MO_MOVING_INTERSECTION) {
        m->moves = m->moves || set->a.function != NULL;
        for (size_t i = 0; i < set->child_count; i++)
            list_leaves(m, &set->children[i], shifted || set->kind == MO_MOVING_TRANSLATE);
        return;
    }
    moving_leaf *leaf = &m->leaves[m->leaf_count++];
    leaf->set = set;
    leaf->shifted = shifted;
    leaf->gap_first = m->gap_count;
    leaf->gap_count = mo_moving_set_multipliers(set);
    count_values(set, &leaf->a_count, &leaf->b_count);
    m->gap_count += leaf->gap_count;
    note_kind(m, set);
}

static double *take(double **memory, size_t count)
{
    double *p = *memory;
    *memory += count;
    return p;
}

static void fill_constant(const mo_timed *from, size_t count, double *to)
{
    if (from->function == NULL && from->value != NULL)
        vec_copy(count, from->value, to);
}

// one block for the numbers of all leaves
static bool give_memory(moving *m)
{
    size_t n = m->n, total = 2 * n * MOVING_DEPTH + n;
    for (size_t i = 0; i < m->leaf_count; i++)
        total += 2 * (n + m->leaves[i].a_count + m->leaves[i].b_count);
    double *next = m->memory = calloc(total, sizeof *next);
    if (next == NULL)
        return false;
    m->shift_stack = take(&next, 2 * n * MOVING_DEPTH);
    m->point = take(&next, n);
    for (size_t i = 0; i < m->leaf_count; i++) {
        moving_leaf *leaf = &m->leaves[i];
        leaf->shift = take(&next, n);
        leaf->shift_rate = take(&next, n);
        leaf->a = take(&next, leaf->a_count);
        leaf->a_rate = take(&next, leaf->a_count);
        leaf->b = take(&next, leaf->b_count);
        leaf->b_rate = take(&next, leaf->b_count);
        fill_constant(&leaf->set->a, leaf->a_count, leaf->a);
        fill_constant(&leaf->set->b, leaf->b_count, leaf->b);
    }
    return true;
}

static mo_status create_parts(moving *m, mo_error *err)
{
    mo_status status = mo_projector_create(&m->projector, err);
    if (status == MO_OK && m->by_prox)
        status = mo_set_workspace_create(&m->workspace, err);
    if (status == MO_OK && m->discs && !grid_create(&m->grid))
        status = fail(err, MO_NO_MEMORY, NULL, "no memory for a moving set");
    return status;
}

mo_status moving_create(const mo_moving_set *set, moving **out, mo_error *err)
{
    moving *m = calloc(1, sizeof *m);
    if (m == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a moving set");
    m->set = set;
    m->n = set->dim;
    m->flat = m->linear = m->convex = true;
    m->t = (double)NAN;
    m->tol = 1e-12;
    m->max_iter = 100;
    m->leaves = calloc(count_leaves(set), sizeof *m->leaves);
    if (m->leaves != NULL)
        list_leaves(m, set, false);
    mo_status status = MO_OK;
    if (m->leaves == NULL || !give_memory(m) || !rows_create(m, &m->rows) || !rows_create(m, &m->spare))
        status = fail(err, MO_NO_MEMORY, NULL, "no memory for a moving set");
    if (status == MO_OK)
        status = create_parts(m, err);
    if (status != MO_OK) {
        moving_destroy(m);
        return status;
    }
    *out = m;
    return MO_OK;
}

void moving_destroy(moving *m)
{
    if (m == NULL)
        return;
    rows_free(&m->rows);
    rows_free(&m->spare);
    mo_projector_destroy(m->projector);
    mo_set_workspace_destroy(m->workspace);
    grid_destroy(m->grid);
    excess_memory_free(m);
    metric_free(&m->newton);
    arena_free(&m->work);
    free(m->guess);
    free(m->memory);
    free(m->leaves);
    free(m);
}

static const char *value_name(mo_moving_kind kind, bool is_a)
{
    if (kind == MO_MOVING_TRANSLATE)
        return "translation";
    if (kind == MO_MOVING_POLYHEDRON)
        return is_a ? "matrix of a polyhedron" : "right side of a polyhedron";
    if (kind == MO_MOVING_BALL)
        return is_a ? "centre of a ball" : "radius of a ball";
    return is_a ? "centre of a box" : "radius of a box";
}

// values and, when wanted, rates of one function of time
static mo_status evaluate(moving *m, const mo_moving_set *set, bool is_a, size_t count, double *value,
                          double *rate, mo_error *err)
{
    const mo_timed *timed = is_a ? &set->a : &set->b;
    if (timed->function == NULL)
        return MO_OK;
    mo_status status = timed->function(timed->data, m->t, value, m->rates ? rate : NULL, err);
    if (status != MO_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        if (isfinite(value[i]) && (!m->rates || isfinite(rate[i])))
            continue;
        bool bad_value = !isfinite(value[i]);
        return moving_trouble(m, MO_SWEEP_NOT_FINITE, "%s%s: number %zu of %zu is %g at t = %.17g",
                              value_name(set->kind, is_a), bad_value ? "" : ", rate of change", i + 1, count,
                              bad_value ? value[i] : rate[i], m->t);
    }
    return MO_OK;
}

static mo_status place_leaf(moving *m, moving_leaf *leaf, const double *shift, mo_error *err)
{
    const mo_moving_set *set = leaf->set;
    if (leaf->shifted)
        memcpy(leaf->shift, shift, 2 * m->n * sizeof *shift);
    mo_status status = evaluate(m, set, true, leaf->a_count, leaf->a, leaf->a_rate, err);
    if (status == MO_OK)
        status = evaluate(m, set, false, leaf->b_count, leaf->b, leaf->b_rate, err);
    return status;
}

// shift: [2 n] sum of the translations above and of their rates; the next one of the stack follows it
static mo_status place(moving *m, const mo_moving_set *set, double *shift, size_t *leaf, mo_error *err)
{
    size_t n = m->n;
    mo_status status = MO_OK;
    double *next = shift;
    if (set->kind != MO_MOVING_TRANSLATE && set->kind != MO_MOVING_INTERSECTION)
        return place_leaf(m, &m->leaves[(*leaf)++], shift, err);
    if (set->kind == MO_MOVING_TRANSLATE) {
        next = shift + 2 * n;
        vec_zero(2 * n, next);
        fill_constant(&set->a, n, next);
        status = evaluate(m, set, true, n, next, next + n, err);
        vec_add(2 * n, 1, shift, next);
    }
    for (size_t i = 0; status == MO_OK && i < set->child_count; i++)
        status = place(m, &set->children[i], next, leaf, err);
    return status;
}

mo_status moving_set_time(moving *m, double t, bool rates, mo_error *err)
{
    if (m->t == t && (m->rates || !rates))
        return MO_OK;
    size_t leaf = 0;
    m->t = t;
    m->rates = rates;
    vec_zero(2 * m->n, m->shift_stack);
    mo_status status = place(m, m->set, m->shift_stack, &leaf, err);
    if (status != MO_OK)
        m->t = (double)NAN;
    return status;
}
