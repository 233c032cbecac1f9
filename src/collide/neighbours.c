#include "collide/neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/buffer.h"

/* Margin: this share of the smallest part's half side, and the way made in so many steps. */
static const double MARGIN_SHARE = 0.15, MARGIN_STEPS = 4;

// whether no point of body i is farther than its margin from where it was; false for NaN
static bool within_margin(const neighbours *n, const detect_view *v, size_t i)
{
    const double *a = &n->q[3 * i], *b = &v->q[3 * i];
    double x = b[0] - a[0], y = b[1] - a[1];
    double turn = a[2] != b[2] ? fabs(b[2] - a[2]) * v->radius[i] : 0, left = n->margin[i] - turn;
    return left >= 0 && x * x + y * y <= left * left;
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

// box of a part in the frame of its body turned by (c, s), about the body's position
static box2 part_box(const mo_part *p, const double *vertices, double c, double s)
{
    box2 b = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (uint32_t k = 0; k < p->vertex_count; k++) {
        const double *v = &vertices[2 * (p->vertex_first + k)];
        double x[2] = {c * v[0] - s * v[1], s * v[0] + c * v[1]};
        for (int d = 0; d < 2; d++) {
            b.min[d] = fmin(b.min[d], x[d] - p->radius);
            b.max[d] = fmax(b.max[d], x[d] + p->radius);
        }
    }
    return b;
}

static double half_side(const box2 *b)
{
    return 0.5 * fmax(b->max[0] - b->min[0], b->max[1] - b->min[1]);
}

// scratch of one search
typedef struct boxes {
    box2 *box;        /* [part_total], then those of the parts that have one */
    uint32_t *finite; /* the parts that have a box */
    size_t count;     /* how many have one */
} boxes;

// boxes of one body's parts, all widened by the body's margin
static void body_boxes(neighbours *n, const detect_view *v, size_t i, double h, double reach, box2 *box)
{
    const double *q = &v->q[3 * i], *u = &v->u[3 * i],
                 *vertices = v->vertices + 2 * (size_t)v->vertex_first[i];
    double c = cos(q[2]), s = sin(q[2]), least = INFINITY;
    uint32_t first = v->part_first[i], end = first + v->part_count[i];
    for (uint32_t k = first; k < end; k++) {
        n->slot[k] = (uint32_t)i;
        box[k] = part_box(&v->parts[k], vertices, c, s);
        least = fmin(least, half_side(&box[k]));
    }
    double spin = isfinite(v->radius[i]) ? fabs(u[2]) * v->radius[i] : 0;
    double speed = hypot(u[0], u[1]) + spin, share = isfinite(least) ? MARGIN_SHARE * least : 0;
    n->margin[i] = v->kind[i] == MO_BODY_FIXED ? 0 : share + MARGIN_STEPS * h * speed;
    for (uint32_t k = first; k < end; k++)
        for (int d = 0; d < 2; d++) {
            box[k].min[d] += q[d] - n->margin[i] - 0.5 * reach;
            box[k].max[d] += q[d] + n->margin[i] + 0.5 * reach;
        }
}

typedef struct filter_data {
    const neighbours *n;
    const detect_view *v;
    const uint32_t *finite;
} filter_data;

static bool bodies_touch(const detect_view *v, uint32_t a, uint32_t b)
{
    bool dynamic = v->kind[a] == MO_BODY_DYNAMIC || v->kind[b] == MO_BODY_DYNAMIC;
    return a != b && dynamic && (v->touches[a] >> v->group[b] & 1) && (v->touches[b] >> v->group[a] & 1);
}

// numbers i and j count the parts that have a box
static bool may_pair(const void *data, uint32_t i, uint32_t j)
{
    const filter_data *f = data;
    return bodies_touch(f->v, f->n->slot[f->finite[i]], f->n->slot[f->finite[j]]);
}

// signed distance of a box to the half-plane's line
static double box_above(const box2 *b, const double n[2], double offset)
{
    double low = 0;
    for (int d = 0; d < 2; d++)
        low += n[d] > 0 ? n[d] * b->min[d] : n[d] * b->max[d];
    return low - offset;
}

// pairs of one half-plane with every box that is near its line or behind it
static bool add_halfplane_pairs(neighbours *n, const detect_view *v, uint32_t plane, const boxes *all)
{
    uint32_t body = n->slot[plane];
    const double *q = &v->q[3 * (size_t)body], c = cos(q[2]), s = sin(q[2]);
    const mo_part *p = &v->parts[plane];
    double normal[2] = {c * p->normal[0] - s * p->normal[1], s * p->normal[0] + c * p->normal[1]};
    double offset = p->offset + normal[0] * q[0] + normal[1] * q[1];
    for (size_t k = 0; k < all->count; k++) {
        uint32_t part = all->finite[k];
        if (!bodies_touch(v, n->slot[part], body) ||
            box_above(&all->box[k], normal, offset) > n->margin[body])
            continue;
        if (!pairs_add(&n->pairs, part, plane))
            return false;
    }
    return true;
}

static bool reserve(neighbours *n, size_t bodies, size_t parts)
{
    column part[] = {{(void **)&n->slot, sizeof *n->slot}};
    column body[] = {{(void **)&n->q, 3 * sizeof *n->q}, {(void **)&n->margin, sizeof *n->margin}};
    return columns_reserve(part, 1, &n->part_capacity, parts) &&
           columns_reserve(body, 2, &n->body_capacity, bodies);
}

// packs the boxes of parts that have one to the front; half-planes and NaN bodies have none
static void pack_boxes(boxes *all, const detect_view *v, size_t parts)
{
    all->count = 0;
    for (uint32_t k = 0; k < parts; k++) {
        const box2 *b = &all->box[k];
        double sum = b->min[0] + b->min[1] + b->max[0] + b->max[1];
        if (v->parts[k].kind == MO_PART_HALFPLANE || !isfinite(sum))
            continue;
        all->box[all->count] = *b;
        all->finite[all->count++] = k;
    }
}

static bool find_pairs(neighbours *n, const detect_view *v, size_t parts, const boxes *all, arena *a)
{
    filter_data f = {n, v, all->finite};
    if (!broad_search(&n->pairs, all->box, all->count, may_pair, &f, a))
        return false;
    // from numbers among boxes to part numbers
    for (size_t k = 0; k < n->pairs.count; k++) {
        uint64_t p = n->pairs.pair[k];
        n->pairs.pair[k] = (uint64_t)all->finite[p >> 32] << 32 | all->finite[p & UINT32_MAX];
    }
    for (uint32_t k = 0; k < parts; k++)
        if (v->parts[k].kind == MO_PART_HALFPLANE && !add_halfplane_pairs(n, v, k, all))
            return false;
    return pairs_sort(&n->pairs, a);
}

static bool rebuild(neighbours *n, const detect_view *v, double h, double reach, arena *a)
{
    size_t parts = v->part_first[v->count - 1] + v->part_count[v->count - 1];
    boxes all = {arena_push(a, parts, sizeof *all.box), arena_push(a, parts, sizeof *all.finite), 0};
    n->valid = false;
    if (all.box == NULL || all.finite == NULL || !reserve(n, v->count, parts))
        return false;
    for (size_t i = 0; i < v->count; i++)
        body_boxes(n, v, i, h, reach, all.box);
    pack_boxes(&all, v, parts);
    if (!find_pairs(n, v, parts, &all, a))
        return false;
    memcpy(n->q, v->q, 3 * v->count * sizeof *n->q);
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
           n->body_capacity * (3 * sizeof *n->q + sizeof *n->margin);
}
