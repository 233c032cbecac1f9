#include "collide/neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collide/detect.h"
#include "core/buffer.h"
#include "core/search.h"
#include "math/vec3.h"

/* Margin: this share of the smallest part's half side, and the way made in so many steps. */
static const double MARGIN_SHARE = 0.15, MARGIN_STEPS = 4;

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

// whether no point of body i is farther than its margin from where it was; false for NaN
static bool within_margin(const neighbours *n, const detect_view *v, size_t i)
{
    const double *a = &n->q[v->nq * i], *b = &v->q[v->nq * i];
    double x = b[0] - a[0], y = b[1] - a[1], z = v->dim == 3 ? b[2] - a[2] : 0;
    double angle = v->dim == 3 ? angle_between(a + 3, b + 3) : fabs(b[2] - a[2]);
    double turn = angle != 0 ? angle * v->radius[i] : 0, left = n->margin[i] - turn;
    return left >= 0 && x * x + y * y + z * z <= left * left;
}

static bool still_right(const neighbours *n, const detect_view *v)
{
    if (!n->valid || n->body_count != v->count)
        return false;
    for (size_t i = 0; i < v->count; i++)
        if (!within_margin(n, v, i))
            return false;
    return true;
}

// box of a part about its body's position; turn as body_turn of collide/detect.h gives it
static bounds part_box(const detect_view *v, const mo_part *p, const double *vertices, const double *turn)
{
    bounds b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    // what follows a triangle's own three vertices are its neighbours'
    uint32_t own = p->kind == MO_PART_TRIANGLE ? 3 : p->vertex_count;
    for (uint32_t k = 0; k < own; k++) {
        const double *X = &vertices[v->dim * (p->vertex_first + k)];
        double x[3];
        if (v->dim == 2) {
            x[0] = turn[0] * X[0] - turn[1] * X[1];
            x[1] = turn[1] * X[0] + turn[0] * X[1];
        } else {
            mat3_apply(turn, X, x);
        }
        for (size_t d = 0; d < v->dim; d++) {
            b.min[d] = fmin(b.min[d], x[d] - p->radius);
            b.max[d] = fmax(b.max[d], x[d] + p->radius);
        }
    }
    return b;
}

static double half_side(const bounds *b, size_t dim)
{
    double side = fmax(b->max[0] - b->min[0], b->max[1] - b->min[1]);
    return 0.5 * (dim == 3 ? fmax(side, b->max[2] - b->min[2]) : side);
}

// speed that no point of body i exceeds
static double top_speed(const detect_view *v, size_t i)
{
    const double *u = &v->u[v->nu * i];
    double spin = v->dim == 2 ? fabs(u[2]) : vec3_norm(u + 3);
    return (v->dim == 2 ? hypot(u[0], u[1]) : vec3_norm(u)) +
           (isfinite(v->radius[i]) ? spin * v->radius[i] : 0);
}

// scratch of one search
typedef struct boxes {
    bounds *box;      /* [part_total], then those of the parts that have one */
    uint32_t *finite; /* the parts that have a box */
    size_t count;     /* how many have one */
} boxes;

// boxes of one body's parts, all widened by the body's margin
static void body_boxes(neighbours *n, const detect_view *v, size_t i, double h, double reach, bounds *box)
{
    const double *q = &v->q[v->nq * i];
    // there is none where all parts are planes
    const double *vertices = v->vertices != NULL ? v->vertices + v->dim * v->vertex_first[i] : NULL;
    double turn[9], least = INFINITY;
    uint32_t first = v->part_first[i], end = first + v->part_count[i];
    body_turn(v, i, turn);
    for (uint32_t k = first; k < end; k++) {
        n->slot[k] = (uint32_t)i;
        box[k] = part_box(v, &v->parts[k], vertices, turn);
        least = fmin(least, half_side(&box[k], v->dim));
    }
    double share = isfinite(least) ? MARGIN_SHARE * least : 0;
    n->margin[i] = v->kind[i] == MO_BODY_FIXED ? 0 : share + MARGIN_STEPS * h * top_speed(v, i);
    double wide = n->margin[i] + 0.5 * reach + (v->kind[i] == MO_BODY_DYNAMIC ? n->share * v->size[i] : 0);
    for (uint32_t k = first; k < end; k++)
        for (size_t d = 0; d < v->dim; d++) {
            box[k].min[d] += q[d] - wide;
            box[k].max[d] += q[d] + wide;
        }
}

typedef struct filter_data {
    const neighbours *n;
    const detect_view *v;
    const uint32_t *finite;
} filter_data;

// whether the pair is one that is kept apart
static bool are_apart(const detect_view *v, uint32_t a, uint32_t b)
{
    uint64_t pair = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    return search_u64(v->apart, v->apart_count, pair) != SIZE_MAX;
}

static bool bodies_touch(const detect_view *v, uint32_t a, uint32_t b)
{
    bool dynamic = v->kind[a] == MO_BODY_DYNAMIC || v->kind[b] == MO_BODY_DYNAMIC;
    return a != b && dynamic && (v->touches[a] >> v->group[b] & 1) && (v->touches[b] >> v->group[a] & 1) &&
           !(v->apart_count > 0 && are_apart(v, a, b));
}

// numbers i and j count the parts that have a box
static bool may_pair(const void *data, uint32_t i, uint32_t j)
{
    const filter_data *f = data;
    return bodies_touch(f->v, f->n->slot[f->finite[i]], f->n->slot[f->finite[j]]);
}

static bool is_plane(const mo_part *p)
{
    return p->kind == MO_PART_HALFPLANE || p->kind == MO_PART_PLANE;
}

// signed distance of a box to the plane
static double box_above(const bounds *b, const double *n, double offset, size_t dim)
{
    double low = 0;
    for (size_t d = 0; d < dim; d++)
        low += n[d] > 0 ? n[d] * b->min[d] : n[d] * b->max[d];
    return low - offset;
}

// pairs of one half-plane or plane with every box that is near its border or behind it
static bool add_plane_pairs(neighbours *n, const detect_view *v, uint32_t plane, const boxes *all)
{
    uint32_t body = n->slot[plane];
    const double *q = &v->q[v->nq * body];
    const mo_part *p = &v->parts[plane];
    double turn[9], normal[3] = {0}, offset = p->offset;
    body_turn(v, body, turn);
    if (v->dim == 2) {
        normal[0] = turn[0] * p->normal[0] - turn[1] * p->normal[1];
        normal[1] = turn[1] * p->normal[0] + turn[0] * p->normal[1];
    } else {
        mat3_apply(turn, p->normal, normal);
    }
    for (size_t d = 0; d < v->dim; d++)
        offset += normal[d] * q[d];
    for (size_t k = 0; k < all->count; k++) {
        uint32_t part = all->finite[k];
        if (!bodies_touch(v, n->slot[part], body) ||
            box_above(&all->box[k], normal, offset, v->dim) > n->margin[body])
            continue;
        if (!pairs_add(&n->pairs, part, plane))
            return false;
    }
    return true;
}

static bool reserve(neighbours *n, size_t nq, size_t bodies, size_t parts)
{
    column part[] = {{(void **)&n->slot, sizeof *n->slot}};
    column body[] = {{(void **)&n->q, nq * sizeof *n->q}, {(void **)&n->margin, sizeof *n->margin}};
    return columns_reserve(part, 1, &n->part_capacity, parts) &&
           columns_reserve(body, 2, &n->body_capacity, bodies);
}

// packs the boxes of parts that have one to the front; half-planes and NaN bodies have none
static void pack_boxes(boxes *all, const detect_view *v, size_t parts)
{
    all->count = 0;
    for (uint32_t k = 0; k < parts; k++) {
        const bounds *b = &all->box[k];
        double sum = b->min[0] + b->min[1] + b->max[0] + b->max[1];
        sum += v->dim == 3 ? b->min[2] + b->max[2] : 0;
        if (is_plane(&v->parts[k]) || !isfinite(sum))
            continue;
        all->box[all->count] = *b;
        all->finite[all->count++] = k;
    }
}

static bool find_pairs(neighbours *n, const detect_view *v, size_t parts, const boxes *all, arena *a)
{
    filter_data f = {n, v, all->finite};
    if (!broad_search(&n->pairs, (int)v->dim, all->box, all->count, may_pair, &f, a))
        return false;
    // from numbers among boxes to part numbers
    for (size_t k = 0; k < n->pairs.count; k++) {
        uint64_t p = n->pairs.pair[k];
        n->pairs.pair[k] = (uint64_t)all->finite[p >> 32] << 32 | all->finite[p & UINT32_MAX];
    }
    for (uint32_t k = 0; k < parts; k++)
        if (is_plane(&v->parts[k]) && !add_plane_pairs(n, v, k, all))
            return false;
    return pairs_sort(&n->pairs, a);
}

static bool rebuild(neighbours *n, const detect_view *v, double h, double reach, arena *a)
{
    size_t parts = v->part_first[v->count - 1] + v->part_count[v->count - 1];
    boxes all = {arena_push(a, parts, sizeof *all.box), arena_push(a, parts, sizeof *all.finite), 0};
    n->valid = false;
    if (all.box == NULL || all.finite == NULL || !reserve(n, v->nq, v->count, parts))
        return false;
    for (size_t i = 0; i < v->count; i++)
        body_boxes(n, v, i, h, reach, all.box);
    pack_boxes(&all, v, parts);
    if (!find_pairs(n, v, parts, &all, a))
        return false;
    memcpy(n->q, v->q, v->nq * v->count * sizeof *n->q);
    n->nq = v->nq;
    n->body_count = v->count;
    n->valid = true;
    return true;
}

bool neighbours_update(neighbours *n, const detect_view *v, double h, double reach, arena *a)
{
    if (v->count == 0)
        n->pairs.count = 0;
    if (v->count == 0 || still_right(n, v))
        return true;
    arena_mark mark = arena_here(a);
    bool ok = rebuild(n, v, h, reach, a);
    arena_back(a, mark);
    return ok;
}

void neighbours_free(neighbours *n)
{
    pairs_free(&n->pairs);
    free(n->slot);
    free(n->q);
    free(n->margin);
    *n = (neighbours){0};
}

size_t neighbours_bytes(const neighbours *n)
{
    return n->pairs.capacity * sizeof *n->pairs.pair + n->part_capacity * sizeof *n->slot +
           n->body_capacity * (n->nq * sizeof *n->q + sizeof *n->margin);
}
