/*
 * Boxes of parts about the places in a list, widened by margins, and the pairs of them that overlap.
 *
 * What is out of its margin is looked for anew alone: its box has another place, the others' stay where they
 * were when the list was made, and every pair whose boxes do not overlap is still one that may be left out.
 */
#include "collide/near_pairs.h"

#include <math.h>
#include <string.h>

#include "collide/detect.h"
#include "collide/images.h"
#include "core/buffer.h"
#include "core/search.h"
#include "core/sort.h"
#include "math/vec3.h"

/* Margin: this share of the smallest part's half side, and the way made in so many steps; that of boundaries
 * that rest, which few bodies are near, and of the few that have moved, in more. */
static const double MARGIN_SHARE = 0.15, REST_STEPS = 16, MOVED_STEPS = 12;

bounds part_box(const detect_view *v, const mo_part *p, const double *vertices, const double *turn)
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
            const double low = x[d] - p->radius, high = x[d] + p->radius;
            b.min[d] = low < b.min[d] ? low : b.min[d];
            b.max[d] = high > b.max[d] ? high : b.max[d];
        }
    }
    return b;
}

static double half_side(const bounds *b, size_t dim)
{
    double side = fmax(b->max[0] - b->min[0], b->max[1] - b->min[1]);
    return 0.5 * (dim == 3 ? fmax(side, b->max[2] - b->min[2]) : side);
}

// speed beside the common one that no point of body i exceeds; a round body does not reach farther by turning
static double top_speed(const detect_view *v, const double *common, size_t i)
{
    const double *u = &v->u[v->nu * i], z = v->dim == 3 ? u[2] - common[2] : 0,
                 d[3] = {u[0] - common[0], u[1] - common[1], z},
                 spin = v->dim == 2 ? fabs(u[2]) : vec3_norm(u + 3);
    return (v->dim == 2 ? hypot(d[0], d[1]) : vec3_norm(d)) +
           (isfinite(v->radius[i]) && !v->lone[i] ? spin * v->radius[i] : 0);
}

// a lone disc or sphere with what it is widened by; r < 0: another body
typedef struct wide_ball {
    double c[3], r;
} wide_ball;

// scratch of one search
typedef struct boxes {
    bounds *box;      /* [part_total], then those of the parts that have one */
    uint32_t *finite; /* the parts that have a box */
    size_t count;     /* how many have one */
    wide_ball *ball;  /* [bodies] */
    uint32_t *slot;   /* [part_total] body of each part */
} boxes;

// boxes of one body's parts, all widened by the body's margin; steps: that it is to be made for, 0: it
// is there
static void body_boxes(neighbours *n, const detect_view *v, size_t i, double h, double steps, boxes *all)
{
    const double *q = &v->q[v->nq * i];
    // there is none where all parts are planes
    const double *vertices = v->vertices != NULL ? v->vertices + v->dim * v->vertex_first[i] : NULL;
    double turn[9] = {1}, least = INFINITY;
    uint32_t first = v->part_first[i], end = first + v->part_count[i];
    if (!v->lone[i])
        body_turn(v, i, turn);
    for (uint32_t k = first; k < end; k++) {
        const double r = v->radius[i];
        all->slot[k] = (uint32_t)i;
        all->box[k] =
            v->lone[i] ? (bounds){{-r, -r, -r}, {r, r, r}} : part_box(v, &v->parts[k], vertices, turn);
        least = fmin(least, half_side(&all->box[k], v->dim));
    }
    const double share = isfinite(least) ? MARGIN_SHARE * least : 0;
    if (steps > 0)
        n->margin[i] = v->kind[i] == MO_BODY_FIXED ? REST_STEPS * h * vec3_norm(n->drift.u)
                                                   : share + steps * h * top_speed(v, n->drift.u, i);
    double wide = n->margin[i] + 0.5 * n->reach + (v->kind[i] == MO_BODY_DYNAMIC ? n->share * v->size[i] : 0);
    for (uint32_t k = first; k < end; k++)
        for (size_t d = 0; d < v->dim; d++) {
            all->box[k].min[d] += q[d] - wide;
            all->box[k].max[d] += q[d] + wide;
        }
    all->ball[i] = (wide_ball){{q[0], q[1], v->dim == 3 ? q[2] : 0}, v->lone[i] ? v->radius[i] + wide : -1};
}

typedef struct filter_data {
    const detect_view *v;
    const boxes *all;
    const image_boxes *images; /* NULL: no cell */
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

// whether two round bodies are too far from each other although their boxes overlap
static bool balls_apart(const wide_ball *a, const wide_ball *b)
{
    double x = a->c[0] - b->c[0], y = a->c[1] - b->c[1], z = a->c[2] - b->c[2];
    double sum = (a->r + b->r) * (1 + 1e-12);
    return a->r >= 0 && b->r >= 0 && x * x + y * y + z * z > sum * sum;
}

// numbers i and j count the parts that have a box
static bool may_pair(const void *data, uint32_t i, uint32_t j)
{
    const filter_data *f = data;
    uint32_t a = f->all->slot[f->all->finite[i]], b = f->all->slot[f->all->finite[j]];
    return !balls_apart(&f->all->ball[a], &f->all->ball[b]) && bodies_touch(f->v, a, b);
}

// the same for images of them, of which one at least is a body's own place
static bool may_pair_images(const void *data, uint32_t i, uint32_t j)
{
    const filter_data *f = data;
    const image_boxes *m = f->images;
    if (i >= m->own && j >= m->own)
        return false;
    uint32_t a = f->all->slot[f->all->finite[m->of[i]]], b = f->all->slot[f->all->finite[m->of[j]]];
    wide_ball moved[2] = {f->all->ball[a], f->all->ball[b]};
    for (int k = 0; k < 3; k++) {
        moved[0].c[k] += m->move[i][k];
        moved[1].c[k] += m->move[j][k];
    }
    return !balls_apart(&moved[0], &moved[1]) && bodies_touch(f->v, a, b);
}

double plane_place(const detect_view *v, uint32_t slot, const mo_part *p, const double *turn,
                   double normal[3])
{
    const double *q = &v->q[v->nq * slot];
    double offset = p->offset;
    if (v->dim == 2)
        vec3_set(normal, turn[0] * p->normal[0] - turn[1] * p->normal[1],
                 turn[1] * p->normal[0] + turn[0] * p->normal[1], 0);
    else
        mat3_apply(turn, p->normal, normal);
    for (size_t d = 0; d < v->dim; d++)
        offset += normal[d] * q[d];
    return offset;
}

// pairs of one half-plane or plane with every box that is near its border or behind it
static bool add_plane_pairs(neighbours *n, const detect_view *v, uint32_t plane, const boxes *all,
                            const uint8_t *moved)
{
    uint32_t body = all->slot[plane];
    double turn[9], normal[3];
    body_turn(v, body, turn);
    const double offset = plane_place(v, body, &v->parts[plane], turn, normal);
    for (size_t k = 0; k < all->count; k++) {
        uint32_t part = all->finite[k];
        if (moved != NULL && !moved[body] && !moved[all->slot[part]])
            continue;
        if (!bodies_touch(v, all->slot[part], body) ||
            box_above(&all->box[k], normal, offset, v->dim) > n->margin[body])
            continue;
        if (!pairs_add(&n->pairs, part, plane))
            return false;
    }
    return true;
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

// pairs in a cell, as numbers among boxes; each once
static bool find_images(neighbours *n, filter_data *f, arena *a, pool *threads)
{
    const boxes *all = f->all;
    image_boxes images;
    if (!images_make(f->v->cell, all->box, all->count, a, &images))
        return false;
    f->images = &images;
    if (!broad_search(&n->pairs, (int)f->v->dim, images.box, images.count, may_pair_images, f, a, threads))
        return false;
    for (size_t k = 0; k < n->pairs.count; k++) {
        uint32_t i = images.of[n->pairs.pair[k] >> 32], j = images.of[n->pairs.pair[k] & UINT32_MAX];
        n->pairs.pair[k] = i < j ? (uint64_t)i << 32 | j : (uint64_t)j << 32 | i;
    }
    // wide margins may meet through two faces
    if (!pairs_sort(&n->pairs, a))
        return false;
    size_t kept = 0;
    for (size_t k = 0; k < n->pairs.count; k++)
        if (k == 0 || n->pairs.pair[k] != n->pairs.pair[k - 1])
            n->pairs.pair[kept++] = n->pairs.pair[k];
    n->pairs.count = kept;
    return true;
}

// from numbers among boxes to part numbers, from pair `first` on
static void number_parts(neighbours *n, const boxes *all, size_t first)
{
    for (size_t k = first; k < n->pairs.count; k++) {
        uint64_t p = n->pairs.pair[k];
        n->pairs.pair[k] = (uint64_t)all->finite[p >> 32] << 32 | all->finite[p & UINT32_MAX];
    }
}

static bool add_planes(neighbours *n, const detect_view *v, size_t parts, const boxes *all,
                       const uint8_t *moved)
{
    for (uint32_t k = 0; k < parts; k++)
        if (is_plane(&v->parts[k]) && !add_plane_pairs(n, v, k, all, moved))
            return false;
    return true;
}

static bool find_all(neighbours *n, const detect_view *v, size_t parts, const boxes *all, arena *a,
                     pool *threads)
{
    filter_data f = {v, all, NULL};
    if (!(v->cell != NULL
              ? find_images(n, &f, a, threads)
              : broad_search(&n->pairs, (int)v->dim, all->box, all->count, may_pair, &f, a, threads)))
        return false;
    number_parts(n, all, 0);
    return add_planes(n, v, parts, all, NULL) && pairs_sort(&n->pairs, a);
}

// takes out the pairs with bodies that have moved
static void drop_moved(neighbours *n, const boxes *all, const uint8_t *moved)
{
    size_t kept = 0;
    for (size_t k = 0; k < n->pairs.count; k++) {
        const uint64_t p = n->pairs.pair[k];
        n->pairs.pair[kept] = p;
        kept += !(moved[all->slot[p >> 32]] | moved[all->slot[p & UINT32_MAX]]);
    }
    n->pairs.count = kept;
}

// the pairs from number `first` on are sorted, and put among those before them, which are
static bool merge_pairs(pair_list *p, size_t first, arena *a)
{
    const size_t count = p->count - first;
    uint64_t *more = arena_push(a, count, sizeof *more), *scratch = arena_push(a, count, sizeof *scratch);
    if (more == NULL || scratch == NULL)
        return false;
    memcpy(more, p->pair + first, count * sizeof *more);
    sort_u64(more, scratch, count);
    // from the end, so that nothing is overwritten before it has moved
    for (size_t i = first, j = count, to = p->count; j > 0;)
        p->pair[--to] = i > 0 && p->pair[i - 1] > more[j - 1] ? p->pair[--i] : more[--j];
    return true;
}

static bool find_moved(neighbours *n, const detect_view *v, size_t parts, const boxes *all,
                       const uint8_t *moved, arena *a)
{
    filter_data f = {v, all, NULL};
    uint8_t *wanted = arena_push(a, all->count, sizeof *wanted);
    if (wanted == NULL)
        return false;
    for (size_t k = 0; k < all->count; k++)
        wanted[k] = moved[all->slot[all->finite[k]]];
    drop_moved(n, all, moved);
    const size_t kept = n->pairs.count;
    if (!broad_search_some(&n->pairs, (int)v->dim, all->box, all->count, wanted, may_pair, &f, a))
        return false;
    number_parts(n, all, kept);
    return add_planes(n, v, parts, all, moved) && merge_pairs(&n->pairs, kept, a);
}

// the bodies of every pair, where parts are not enough; false: no memory
static bool note_slots(neighbours *n, const boxes *all)
{
    column slots[] = {{(void **)&n->slots, sizeof *n->slots}};
    if (n->single)
        return true;
    if (!columns_reserve(slots, 1, &n->slots_capacity, n->pairs.count))
        return false;
    for (size_t k = 0; k < n->pairs.count; k++) {
        uint64_t p = n->pairs.pair[k];
        n->slots[k] = (uint64_t)all->slot[p >> 32] << 32 | all->slot[p & UINT32_MAX];
    }
    return true;
}

/* bodies whose boxes a thread makes at a time */
enum { CHUNK = 1024 };

typedef struct boxing {
    neighbours *n;
    const detect_view *v;
    const uint8_t *moved;
    double h;
    boxes *all;
} boxing;

static void boxes_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    const boxing *k = data;
    (void)chunk;
    for (size_t i = begin; i < end; i++)
        body_boxes(k->n, k->v, i, k->h,
                   k->moved == NULL ? MARGIN_STEPS
                   : k->moved[i]    ? MOVED_STEPS
                                    : 0,
                   k->all);
}

bool near_pairs_find(neighbours *n, const detect_view *v, const uint8_t *moved, double h, arena *a,
                     pool *threads)
{
    const size_t parts = v->part_first[v->count - 1] + v->part_count[v->count - 1];
    boxes all = {arena_push(a, parts, sizeof *all.box), arena_push(a, parts, sizeof *all.finite), 0,
                 arena_push(a, v->count, sizeof *all.ball), arena_push(a, parts, sizeof *all.slot)};
    if (all.box == NULL || all.finite == NULL || all.ball == NULL || all.slot == NULL)
        return false;
    n->single = parts == v->count;
    parallel_for(threads, v->count, CHUNK, boxes_chunk, &(boxing){n, v, moved, h, &all});
    pack_boxes(&all, v, parts);
    return (moved == NULL ? find_all(n, v, parts, &all, a, threads)
                          : find_moved(n, v, parts, &all, moved, a)) &&
           note_slots(n, &all);
}
