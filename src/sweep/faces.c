/*
 * Double description of a polyhedron.  The cone {(y0, y) : y0 >= 0, A y - b y0 >= 0} is built row by row from
 * the half-space y0 >= 0.  Kept are an orthonormal basis of its lines and its extreme rays, each with the set
 * of rows that hold there with =.  A new row either cuts the lines, which makes one of them a ray, or cuts
 * off the rays on its wrong side, and every edge of the cone from a good to a bad ray gives a new one.
 */
#include "sweep/faces.h"

#include "core/buffer.h"
#include "core/fail.h"
#include "math/vec.h"

/* values of unit rows at unit rays up to this are zero */
static const double AT_ROW = 1e-12;

static mo_status reserve(face_generator **items, size_t *capacity, size_t need, mo_error *err)
{
    void *array = *items;
    const column c = {&array, sizeof **items};
    if (!columns_reserve(&c, 1, capacity, need))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu vertices", need);
    *items = array;
    return MO_OK;
}

static void make_unit(size_t d, double *v)
{
    const double length = vec_norm(d, v);
    for (size_t i = 0; i < d && length > 0; i++)
        v[i] /= length;
}

/* The lines cut by row c: `along` becomes the unit vector of their span with the largest c, the others an
 * orthonormal basis of the rest.  The reflection of R^k that takes the components gamma of c to a multiple of
 * the first axis gives both. */
static void split_lines(face_list *list, size_t d, const double *gamma, double size, double *along)
{
    const size_t k = list->line_count;
    double w[FACES_MAX_N + 1] = {0}, old[FACES_MAX_N + 1][FACES_MAX_N + 1];
    vec_copy(k, gamma, w);
    w[0] += w[0] >= 0 ? size : -size;
    const double ww = vec_dot(k, w, w);
    vec_zero(d, along);
    for (size_t j = 0; j < k; j++) {
        vec_copy(d, list->lines[j].v, old[j]);
        vec_add(d, gamma[j] / size, old[j], along);
    }
    for (size_t j = 1; j < k; j++) {
        double *v = list->lines[j - 1].v;
        vec_copy(d, old[j], v);
        for (size_t i = 0; i < k; i++)
            vec_add(d, -2 * w[j] * w[i] / ww, old[i], v);
    }
    list->line_count = k - 1;
}

/* row number `row` cuts the lines: all rays are moved along them onto it, and there is one ray more */
static mo_status cut_lines(face_list *list, size_t d, size_t row, const double *c, const double *gamma,
                           double size, mo_error *err)
{
    mo_status status = reserve(&list->items, &list->capacity, list->count + 1, err);
    if (status != MO_OK)
        return status;
    face_generator ray = {.zero = ((uint64_t)1 << row) - 1, .at_infinity = true};
    split_lines(list, d, gamma, size, ray.v);
    for (size_t i = 0; i < list->count; i++) {
        face_generator *g = &list->items[i];
        vec_add(d, -vec_dot(d, c, g->v) / size, ray.v, g->v);
        make_unit(d, g->v);
        g->zero |= (uint64_t)1 << row;
    }
    list->items[list->count++] = ray;
    return MO_OK;
}

static int count_bits(uint64_t x)
{
    int n = 0;
    for (; x != 0; x &= x - 1)
        n++;
    return n;
}

/* Whether the rays p and q span an edge: no other ray lies on all the rows on which both lie.  y0 >= 0 is
 * one more row. */
static bool are_adjacent(const face_list *list, size_t d, size_t p, size_t q)
{
    const face_generator *a = &list->items[p], *b = &list->items[q];
    const uint64_t common = a->zero & b->zero;
    const bool at_infinity = a->at_infinity && b->at_infinity;
    if ((size_t)count_bits(common) + (at_infinity ? 1 : 0) + 2 + list->line_count < d)
        return false;
    for (size_t i = 0; i < list->count; i++) {
        const face_generator *g = &list->items[i];
        if ((g->zero & common) == common && (g->at_infinity || !at_infinity) && i != p && i != q)
            return false;
    }
    return true;
}

/* the ray in which the edge from a, on the good side, to b, on the bad one, meets the row */
static face_generator meet(size_t d, const face_generator *a, const face_generator *b, size_t row)
{
    face_generator g = {.zero = (a->zero & b->zero) | (uint64_t)1 << row,
                        .at_infinity = a->at_infinity && b->at_infinity};
    for (size_t i = 0; i < d; i++)
        g.v[i] = (a->side * b->v[i] - b->side * a->v[i]) / (a->side - b->side);
    make_unit(d, g.v);
    return g;
}

/* new rays on the row, to fresh */
static mo_status cross_edges(face_list *list, size_t d, size_t row, bool *complete, mo_error *err)
{
    list->fresh_count = 0;
    for (size_t p = 0; p < list->count; p++)
        for (size_t q = 0; q < list->count && list->items[p].side > 0; q++) {
            if (list->items[q].side >= 0 || !are_adjacent(list, d, p, q))
                continue;
            if (list->fresh_count >= FACES_MAX_GENERATORS) {
                *complete = false;
                return MO_OK;
            }
            mo_status status = reserve(&list->fresh, &list->fresh_capacity, list->fresh_count + 1, err);
            if (status != MO_OK)
                return status;
            list->fresh[list->fresh_count++] = meet(d, &list->items[p], &list->items[q], row);
        }
    return MO_OK;
}

/* row number `row` cuts the rays */
static mo_status cut_rays(face_list *list, size_t d, size_t row, const double *c, bool *complete,
                          mo_error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        const double value = vec_dot(d, c, list->items[i].v);
        list->items[i].side = fabs(value) <= AT_ROW ? 0 : value;
    }
    mo_status status = cross_edges(list, d, row, complete, err);
    if (status != MO_OK || !*complete)
        return status;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].side < 0)
            continue;
        list->items[kept] = list->items[i];
        if (list->items[kept].side == 0)
            list->items[kept].zero |= (uint64_t)1 << row;
        kept++;
    }
    list->count = kept;
    *complete = kept + list->fresh_count <= FACES_MAX_GENERATORS;
    status = reserve(&list->items, &list->capacity, kept + list->fresh_count, err);
    for (size_t i = 0; i < list->fresh_count && status == MO_OK; i++)
        list->items[list->count++] = list->fresh[i];
    return status;
}

static mo_status cut(face_list *list, size_t d, size_t row, const double *c, bool *complete, mo_error *err)
{
    double gamma[FACES_MAX_N + 1] = {0};
    for (size_t j = 0; j < list->line_count; j++)
        gamma[j] = vec_dot(d, c, list->lines[j].v);
    const double size = vec_norm(list->line_count, gamma);
    if (size > AT_ROW)
        return cut_lines(list, d, row, c, gamma, size, err);
    return cut_rays(list, d, row, c, complete, err);
}

/* the half-space y0 >= 0 */
static mo_status begin(face_list *list, size_t n, mo_error *err)
{
    mo_status status = reserve(&list->items, &list->capacity, 1, err);
    if (status != MO_OK)
        return status;
    list->items[0] = (face_generator){.v = {1}};
    list->count = 1;
    list->line_count = n;
    for (size_t j = 0; j < n; j++) {
        list->lines[j] = (face_generator){.at_infinity = true};
        list->lines[j].v[j + 1] = 1;
    }
    return MO_OK;
}

mo_status faces_find(face_list *list, size_t n, size_t rows, const double *A, const double *b, bool *complete,
                     mo_error *err)
{
    mo_status status = begin(list, n, err);
    *complete = true;
    // a length with which right sides are of size one
    list->length = 0;
    for (size_t i = 0; i < rows; i++) {
        const double norm = vec_norm(n, A + i * n);
        list->length = fmax(list->length, norm > 0 ? fabs(b[i]) / norm : 0);
    }
    if (!(list->length > 0))
        list->length = 1;
    size_t number = 0;
    for (size_t i = 0; i < rows && status == MO_OK && *complete; i++) {
        double c[FACES_MAX_N + 1];
        const double norm = vec_norm(n, A + i * n);
        // 0 >= b: nothing, or nobody
        if (!(norm > 0)) {
            if (b[i] > 0)
                list->count = list->line_count = 0;
            continue;
        }
        c[0] = -b[i] / norm / list->length;
        for (size_t j = 0; j < n; j++)
            c[j + 1] = A[i * n + j] / norm;
        make_unit(n + 1, c);
        status = cut(list, n + 1, number++, c, complete, err);
    }
    return status;
}

bool faces_point(const face_list *list, size_t n, size_t i, double *y)
{
    const face_generator *g = &list->items[i];
    const bool point = !g->at_infinity && g->v[0] > AT_ROW;
    for (size_t j = 0; j < n; j++)
        y[j] = point ? list->length * (g->v[j + 1] / g->v[0]) : g->v[j + 1];
    if (!point)
        make_unit(n, y);
    return point;
}

void faces_free(face_list *list)
{
    void *items = list->items, *fresh = list->fresh;
    const column c[] = {{&items, sizeof *list->items}, {&fresh, sizeof *list->fresh}};
    columns_free(c, 2);
    *list = (face_list){0};
}
