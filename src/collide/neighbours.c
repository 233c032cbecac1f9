#include "collide/neighbours.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "collide/detect.h"
#include "collide/images.h"
#include "core/buffer.h"
#include "core/search.h"
#include "math/vec3.h"

/* Margin: this share of the smallest part's half side, and the way made in so many steps. */
static const double MARGIN_SHARE = 0.15, MARGIN_STEPS = 4;
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

// whether no point of body i is farther than its margin from where it was; false for NaN
static inline bool within_margin(size_t dim, const neighbours *n, const detect_view *v, size_t i)
{
    const size_t nq = dim == 2 ? 3 : 7;
    const double *a = &n->q[n->stride * i], *b = &v->q[nq * i];
    double x = b[0] - a[0], y = b[1] - a[1], z = dim == 3 ? b[2] - a[2] : 0, left = n->margin[i];
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
        return within_margin(dim, n, v, i);
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
            right &= within_margin(2, k->n, k->v, i);
    else
        for (size_t i = begin; i < end; i++)
            right &= within_margin(3, k->n, k->v, i);
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
    if (v->cell != NULL)
        note_strain(&k);
    parallel_for(threads, v->count, CHUNK, check_chunk, &k);
    return !atomic_load(&k.wrong);
}

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

// speed that no point of body i exceeds; a round body does not reach farther by turning
static double top_speed(const detect_view *v, size_t i)
{
    const double *u = &v->u[v->nu * i];
    double spin = v->dim == 2 ? fabs(u[2]) : vec3_norm(u + 3);
    return (v->dim == 2 ? hypot(u[0], u[1]) : vec3_norm(u)) +
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

// boxes of one body's parts, all widened by the body's margin
static void body_boxes(neighbours *n, const detect_view *v, size_t i, double h, double reach, boxes *all)
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
    double share = isfinite(least) ? MARGIN_SHARE * least : 0;
    n->margin[i] = v->kind[i] == MO_BODY_FIXED ? 0 : share + MARGIN_STEPS * h * top_speed(v, i);
    double wide = n->margin[i] + 0.5 * reach + (v->kind[i] == MO_BODY_DYNAMIC ? n->share * v->size[i] : 0);
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
static bool add_plane_pairs(neighbours *n, const detect_view *v, uint32_t plane, const boxes *all)
{
    uint32_t body = all->slot[plane];
    double turn[9], normal[3];
    body_turn(v, body, turn);
    const double offset = plane_place(v, body, &v->parts[plane], turn, normal);
    for (size_t k = 0; k < all->count; k++) {
        uint32_t part = all->finite[k];
        if (!bodies_touch(v, all->slot[part], body) ||
            box_above(&all->box[k], normal, offset, v->dim) > n->margin[body])
            continue;
        if (!pairs_add(&n->pairs, part, plane))
            return false;
    }
    return true;
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
static bool find_images(neighbours *n, filter_data *f, arena *a)
{
    const boxes *all = f->all;
    image_boxes images;
    if (!images_make(f->v->cell, all->box, all->count, a, &images))
        return false;
    f->images = &images;
    if (!broad_search(&n->pairs, (int)f->v->dim, images.box, images.count, may_pair_images, f, a))
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

static bool find_pairs(neighbours *n, const detect_view *v, size_t parts, const boxes *all, arena *a)
{
    filter_data f = {v, all, NULL};
    if (!(v->cell != NULL ? find_images(n, &f, a)
                          : broad_search(&n->pairs, (int)v->dim, all->box, all->count, may_pair, &f, a)))
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

static bool rebuild(neighbours *n, const detect_view *v, double h, double reach, arena *a)
{
    size_t parts = v->part_first[v->count - 1] + v->part_count[v->count - 1];
    boxes all = {arena_push(a, parts, sizeof *all.box), arena_push(a, parts, sizeof *all.finite), 0,
                 arena_push(a, v->count, sizeof *all.ball), arena_push(a, parts, sizeof *all.slot)};
    n->valid = false;
    n->stride = kept_numbers(v);
    n->single = parts == v->count;
    if (all.box == NULL || all.finite == NULL || all.ball == NULL || all.slot == NULL ||
        !reserve(n, v->count))
        return false;
    for (size_t i = 0; i < v->count; i++)
        body_boxes(n, v, i, h, reach, &all);
    pack_boxes(&all, v, parts);
    if (!find_pairs(n, v, parts, &all, a) || !note_slots(n, &all) || !sides_note(&n->sides, v, parts) ||
        (v->cell != NULL && !note_middles(n, v, parts)))
        return false;
    n->reach = reach;
    for (size_t i = 0; i < v->count; i++)
        memcpy(&n->q[n->stride * i], &v->q[v->nq * i], n->stride * sizeof *n->q);
    n->body_count = v->count;
    n->valid = true;
    return true;
}

bool neighbours_update(neighbours *n, const detect_view *v, double h, double reach, arena *a, pool *threads)
{
    if (v->count == 0)
        n->pairs.count = 0;
    if (v->count == 0 || still_right(n, v, threads))
        return true;
    arena_mark mark = arena_here(a);
    bool ok = rebuild(n, v, h, reach, a);
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
