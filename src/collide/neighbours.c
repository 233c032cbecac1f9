#include "collide/neighbours.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "collide/detect.h"
#include "collide/near_pairs.h"
#include "core/buffer.h"
#include "math/vec3.h"

/* bodies that a thread looks at at a time */
enum { CHUNK = 4096 };

// angle of the rotation between two orientations, or a little more: the quaternions are 2 sin(angle/4) apart,
// and sin x >= 2x/pi
static double angle_between(const double p[4], const double q[4])
{
    double minus = 0, plus = 0;
    for (int k = 0; k < 4; k++) {
        minus += (p[k] - q[k]) * (p[k] - q[k]);
        plus += (p[k] + q[k]) * (p[k] + q[k]);
    }
    return acos(-1.0) * sqrt(fmin(minus, plus));
}

// whether no point of body i is farther than a share of its margin from where it was, beside the common way;
// false for NaN
static inline bool within_margin(size_t dim, const neighbours *n, const detect_view *v, const double *way,
                                 double share, size_t i)
{
    const size_t nq = dim == 2 ? 3 : 7;
    const double *a = &n->q[n->stride * i], *b = &v->q[nq * i];
    double x = b[0] - a[0] - way[0], y = b[1] - a[1] - way[1], z = dim == 3 ? b[2] - a[2] - way[2] : 0,
           left = share * n->margin[i];
    if (n->stride > dim && !v->lone[i]) {
        double angle = dim == 3 ? angle_between(a + 3, b + 3) : fabs(b[2] - a[2]);
        left -= angle != 0 ? angle * v->radius[i] : 0;
    }
    return left >= 0 && x * x + y * y + z * z <= left * left;
}

typedef struct check {
    const neighbours *n;
    const detect_view *v;
    atomic_bool wrong;
    double way[3]; /* the common one, m */
    // with a cell: what its deformation does to places since the list was made
    double F[9], strain; /* F; largest |(F - 1) x|/|x| or more */
} check;

// the same in a cell: of what remains beside the deformation of the cell, through any of its faces
static bool within_margin_cell(const check *k, size_t i)
{
    const neighbours *n = k->n;
    const detect_view *v = k->v;
    const size_t dim = v->dim;
    const double *a = &n->q[n->stride * i], *b = &v->q[v->nq * i];
    double left = n->margin[i], d[3] = {0, 0, 0}, s[3] = {0, 0, 0}, square = 0;
    // planes run along the cell and stay where they are while it deforms
    if (!isfinite(v->radius[i]))
        return within_margin(dim, n, v, k->way, 1, i);
    if (n->stride > dim && !v->lone[i]) {
        double angle = dim == 3 ? angle_between(a + 3, b + 3) : fabs(b[2] - a[2]);
        left -= angle != 0 ? angle * v->radius[i] : 0;
    }
    // how much nearer the deformation may bring two bodies that were just apart enough
    if (k->strain > 0)
        left -= k->strain * ((1 + 2 * n->share) * v->radius[i] + n->margin[i] + n->reach);
    for (size_t e = 0; e < dim; e++)
        d[e] = a[e] - v->cell->origin[e];
    cell_apply(k->F, d, dim, d);
    for (size_t e = 0; e < dim; e++)
        d[e] = b[e] - v->cell->origin[e] - d[e];
    cell_nearest(v->cell, d, s);
    for (size_t e = 0; e < dim; e++)
        square += (d[e] - s[e]) * (d[e] - s[e]);
    return left >= 0 && square <= left * left;
}

static void check_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    check *k = data;
    bool right = true;
    (void)chunk;
    // the dimension is a constant in each loop
    if (k->v->cell != NULL)
        for (size_t i = begin; i < end; i++)
            right &= within_margin_cell(k, i);
    else if (k->v->dim == 2)
        for (size_t i = begin; i < end; i++)
            right &= within_margin(2, k->n, k->v, k->way, 1, i);
    else
        for (size_t i = begin; i < end; i++)
            right &= within_margin(3, k->n, k->v, k->way, 1, i);
    if (!right)
        atomic_store_explicit(&k->wrong, true, memory_order_relaxed);
}

// F = H H0⁻¹, and the size of F - 1
static void note_strain(check *k)
{
    double square = 0;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) {
            double sum = 0;
            for (size_t e = 0; e < 3; e++)
                sum += k->v->cell->H[3 * i + e] * k->n->cell.inverse[3 * e + j];
            // rounding of F is no deformation
            double change = sum - (i == j ? 1 : 0);
            change = fabs(change) < 1e-14 ? 0 : change;
            k->F[3 * i + j] = change + (i == j ? 1 : 0);
            square += change * change;
        }
    k->strain = sqrt(square);
}

static bool still_right(const neighbours *n, const detect_view *v, pool *threads)
{
    if (!n->valid || n->body_count != v->count)
        return false;
    check k = {.n = n, .v = v};
    drift_way(&n->drift, v, n->q, n->stride, k.way);
    if (v->cell != NULL)
        note_strain(&k);
    parallel_for(threads, v->count, CHUNK, check_chunk, &k);
    return !atomic_load(&k.wrong);
}

// numbers of q that decide whether the list is still right
static size_t kept_numbers(const detect_view *v)
{
    for (size_t i = 0; i < v->count; i++)
        if (!v->lone[i] && v->kind[i] != MO_BODY_FIXED)
            return v->nq;
    return v->dim;
}

static bool reserve(neighbours *n, size_t bodies)
{
    column q[] = {{(void **)&n->q, sizeof *n->q}}, margin[] = {{(void **)&n->margin, sizeof *n->margin}};
    return columns_reserve(q, 1, &n->q_capacity, n->stride * bodies) &&
           columns_reserve(margin, 1, &n->body_capacity, bodies);
}

// with a cell: the midst of every part
static bool note_middles(neighbours *n, const detect_view *v, size_t parts)
{
    static const double NONE[2][9] = {{1, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    column middle[] = {{(void **)&n->middle, sizeof *n->middle}};
    if (!columns_reserve(middle, 1, &n->middle_capacity, v->dim * parts))
        return false;
    for (size_t i = 0; i < v->count; i++)
        for (uint32_t k = v->part_first[i]; k < v->part_first[i] + v->part_count[i]; k++) {
            const bool none = v->lone[i] || is_plane(&v->parts[k]);
            const bounds b =
                none ? (bounds){{0}, {0}}
                     : part_box(v, &v->parts[k], v->vertices + v->dim * v->vertex_first[i], NONE[v->dim - 2]);
            for (size_t d = 0; d < v->dim; d++)
                n->middle[v->dim * k + d] = 0.5 * (b.min[d] + b.max[d]);
        }
    n->cell = *v->cell;
    return true;
}

// the midst of a part in the world
static void middle_of(const neighbours *n, const detect_view *v, uint32_t part, uint32_t slot, double out[3])
{
    const double *q = &v->q[v->nq * slot], *m = &n->middle[v->dim * part];
    double turn[9], x[3] = {0};
    if (!v->lone[slot]) {
        body_turn(v, slot, turn);
        if (v->dim == 2)
            vec3_set(x, turn[0] * m[0] - turn[1] * m[1], turn[1] * m[0] + turn[0] * m[1], 0);
        else
            mat3_apply(turn, m, x);
    }
    for (size_t d = 0; d < v->dim; d++)
        out[d] = q[d] + x[d];
}

void pair_image(const neighbours *n, const detect_view *v, const uint32_t part[2], const uint32_t slot[2],
                double s[3])
{
    double a[3], b[3];
    vec3_set(s, 0, 0, 0);
    if (v->cell == NULL || is_plane(&v->parts[part[0]]) || is_plane(&v->parts[part[1]]))
        return;
    middle_of(n, v, part[0], slot[0], a);
    middle_of(n, v, part[1], slot[1], b);
    for (size_t d = 0; d < v->dim; d++)
        a[d] -= b[d];
    cell_nearest(v->cell, a, s);
}

static bool rebuild(neighbours *n, const detect_view *v, double h, double reach, arena *a, pool *threads)
{
    const size_t parts = v->part_first[v->count - 1] + v->part_count[v->count - 1];
    n->valid = false;
    n->stride = kept_numbers(v);
    n->reach = reach;
    n->drift = drift_find(v, MARGIN_STEPS * h);
    if (!reserve(n, v->count) || !near_pairs_find(n, v, NULL, h, a, threads) ||
        !sides_note(&n->sides, v, parts) || (v->cell != NULL && !note_middles(n, v, parts)))
        return false;
    for (size_t i = 0; i < v->count; i++)
        memcpy(&n->q[n->stride * i], &v->q[v->nq * i], n->stride * sizeof *n->q);
    n->body_count = v->count;
    n->valid = true;
    return true;
}

/* Bodies of which a list is mended at most: one in so many. */
enum { FEW = 8 };

// bodies that have used up half of their margins, so that others are not out of theirs in the next step;
// false: too many, or no memory
static bool note_moved(const neighbours *n, const detect_view *v, const double way[3], arena *a,
                       uint8_t **moved)
{
    size_t count = 0;
    *moved = arena_push(a, v->count, sizeof **moved);
    for (size_t i = 0; *moved != NULL && i < v->count; i++) {
        (*moved)[i] = !within_margin(v->dim, n, v, way, 0.5, i);
        count += (*moved)[i];
    }
    return *moved != NULL && count <= v->count / FEW;
}

// where few bodies are out of their margins, theirs and their pairs alone are made anew.  They are put where
// they would be without the common way
static bool mend(neighbours *n, const detect_view *v, double h, arena *a, pool *threads)
{
    double way[3], *q = arena_push(a, v->nq * v->count, sizeof *q);
    uint8_t *moved;
    drift_way(&n->drift, v, n->q, n->stride, way);
    if (v->cell != NULL || q == NULL || !note_moved(n, v, way, a, &moved))
        return false;
    memcpy(q, v->q, v->nq * v->count * sizeof *q);
    for (size_t i = 0; i < v->count; i++) {
        double *at = &n->q[n->stride * i];
        for (size_t k = 0; moved[i] && k < n->stride; k++)
            at[k] = v->q[v->nq * i + k] - (k < v->dim ? way[k] : 0);
        memcpy(&q[v->nq * i], at, n->stride * sizeof *q);
    }
    detect_view then = *v;
    then.q = q;
    n->valid = near_pairs_find(n, &then, moved, h, a, threads);
    return n->valid;
}

bool neighbours_update(neighbours *n, const detect_view *v, double h, double reach, arena *a, pool *threads)
{
    if (v->count == 0)
        n->pairs.count = 0;
    if (v->count == 0 || still_right(n, v, threads))
        return true;
    arena_mark mark = arena_here(a);
    bool ok = n->valid && n->body_count == v->count && mend(n, v, h, a, threads);
    arena_back(a, mark);
    if (!ok)
        ok = rebuild(n, v, h, reach, a, threads);
    arena_back(a, mark);
    return ok;
}

void neighbours_free(neighbours *n)
{
    pairs_free(&n->pairs);
    free(n->slots);
    free(n->q);
    free(n->margin);
    free(n->middle);
    sides_free(&n->sides);
    *n = (neighbours){0};
}

size_t neighbours_bytes(const neighbours *n)
{
    return n->pairs.capacity * sizeof *n->pairs.pair + n->slots_capacity * sizeof *n->slots +
           n->q_capacity * sizeof *n->q + n->body_capacity * sizeof *n->margin +
           n->middle_capacity * sizeof *n->middle + sides_bytes(&n->sides);
}
