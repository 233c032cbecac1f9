/* Polyhedral sets written as one list of rows, equalities first. */
#include "convex/set.h"

#include <math.h>

#include "math/vec.h"

/* Rows written so far; with A NULL they are only counted. */
typedef struct row_list {
    size_t n, count;
    bool equalities; /* which kind is wanted now */
    double *A, *b;
} row_list;

// a new row, zero but for `count` entries from `column` on
static void put_row(row_list *l, size_t column, size_t count, const double *entries, double rhs)
{
    size_t i = l->count++;
    if (l->A == NULL)
        return;
    vec_zero(l->n, l->A + i * l->n);
    vec_copy(count, entries, l->A + i * l->n + column);
    l->b[i] = rhs;
}

static void put_box(row_list *l, const mo_set *s, size_t column)
{
    const double one = 1, minus = -1;
    for (size_t j = 0; j < s->dim; j++) {
        bool point = s->lower[j] == s->upper[j];
        if (l->equalities && point)
            put_row(l, column + j, 1, &one, s->lower[j]);
        if (l->equalities || point)
            continue;
        if (!isinf(s->lower[j]))
            put_row(l, column + j, 1, &one, s->lower[j]);
        if (!isinf(s->upper[j]))
            put_row(l, column + j, 1, &minus, -s->upper[j]);
    }
}

static void put_wedge(row_list *l, const mo_set *s, size_t column)
{
    wedge w = wedge_of(s);
    if (l->equalities)
        return;
    put_row(l, column, 2, (double[2]){w.sign * w.alpha, w.beta}, 0);
    put_row(l, column, 2, (double[2]){w.sign * w.alpha, -w.beta}, 0);
    put_row(l, column, 2, (double[2]){w.sign, 0}, 0);
}

static void put_set(row_list *l, const mo_set *s, size_t column);

static void put_children(row_list *l, const mo_set *s, size_t column)
{
    size_t from = l->count;
    for (size_t i = 0; i < s->child_count; i++) {
        put_set(l, &s->children[i], column);
        column += s->kind == MO_SET_PRODUCT ? s->children[i].dim : 0;
    }
    if (l->A == NULL || (s->kind != MO_SET_TRANSLATE && s->kind != MO_SET_SCALED))
        return;
    // x - vector, or x / factor, is in the child
    for (size_t i = from; i < l->count; i++) {
        double *a = l->A + i * l->n + column;
        if (s->kind == MO_SET_TRANSLATE)
            l->b[i] += vec_dot(s->dim, a, s->vector);
        for (size_t j = 0; s->kind == MO_SET_SCALED && j < s->dim; j++)
            a[j] /= s->factor;
    }
}

static void put_set(row_list *l, const mo_set *s, size_t column)
{
    switch (s->kind) {
    case MO_SET_HALFSPACE:
        if (!l->equalities)
            put_row(l, column, s->dim, s->vector, s->offset);
        return;
    case MO_SET_AFFINE:
    case MO_SET_POLYHEDRON:
        for (size_t i = 0; i < s->row_count && l->equalities == (s->kind == MO_SET_AFFINE); i++)
            put_row(l, column, s->dim, s->rows + i * s->dim, s->rhs != NULL ? s->rhs[i] : 0);
        return;
    case MO_SET_BOX:
        put_box(l, s, column);
        return;
    case MO_SET_COULOMB:
        put_wedge(l, s, column);
        return;
    default:
        put_children(l, s, column);
    }
}

static void put_all(row_list *l, size_t count, const mo_set *sets)
{
    for (size_t i = 0; i < count; i++)
        if (mo_set_is_polyhedral(&sets[i]))
            put_set(l, &sets[i], 0);
}

mo_status set_rows(set_context *c, size_t n, size_t count, const mo_set *sets, mo_polyhedron *out)
{
    row_list list = {.n = n, .equalities = true};
    put_all(&list, count, sets);
    *out = (mo_polyhedron){.n = n, .equalities = list.count};
    list.equalities = false;
    put_all(&list, count, sets);
    out->rows = list.count;
    double *A, *b;
    mo_status status = set_push(c, out->rows * n, &A);
    if (status == MO_OK)
        status = set_push(c, out->rows, &b);
    if (status != MO_OK)
        return status;
    list = (row_list){.n = n, .equalities = true, .A = A, .b = b};
    put_all(&list, count, sets);
    list.equalities = false;
    put_all(&list, count, sets);
    out->A = A;
    out->b = b;
    return MO_OK;
}
