/*
 * Detection in three rounds over chunks of the neighbour list, each of which may be done by any thread:
 *
 *   find    pairs whose balls are near enough: for lone discs and spheres that is already the exact test
 *   narrow  points of contact of the pairs that are not round
 *   write   contacts, in the order of the list
 *
 * A world of discs or spheres needs a look at two balls per pair, and one more per contact.
 */
#include "collide/detect.h"

#include <math.h>
#include <string.h>

#include "collide/apart.h"
#include "core/wide.h"
#include "math/quat.h"

detect_reach contact_reach(double contact_tolerance)
{
    return (detect_reach){.absolute = contact_tolerance, .relative = 1e-6, .at_most = 1e-8};
}

void body_turn(const detect_view *v, size_t slot, double *turn)
{
    const double *q = &v->q[v->nq * slot];
    if (v->dim == 3) {
        quat_to_matrix(q + 3, turn);
        return;
    }
    turn[0] = cos(q[2]);
    turn[1] = sin(q[2]);
}

double pair_reach(const detect_view *v, uint32_t a, uint32_t b, const detect_reach *reach)
{
    if (reach->absolute >= 0)
        return reach->absolute;
    double least = v->size[a] < v->size[b] ? v->size[a] : v->size[b], most = reach->relative * least;
    return most < reach->at_most ? most : reach->at_most;
}

placed_part place_part(const detect_view *v, const double *turn, uint32_t part, uint32_t slot)
{
    const double *q = &v->q[3 * (size_t)slot], *vertices = v->vertices + 2 * (size_t)v->vertex_first[slot];
    return (placed_part){&v->parts[part], vertices, {q[0], q[1]}, turn[0], turn[1]};
}

placed3 place_solid(const detect_view *v, const double *turn, uint32_t part, uint32_t slot)
{
    const double *q = &v->q[7 * (size_t)slot];
    placed3 out = {.part = &v->parts[part],
                   .vertices = v->vertices + 3 * (size_t)v->vertex_first[slot],
                   .faces = v->faces != NULL ? v->faces + v->face_first[slot] : NULL,
                   .p = {q[0], q[1], q[2]}};
    memcpy(out.R, turn, sizeof out.R);
    return out;
}

/* pairs that a thread looks at at a time; chunks for each of several threads that are narrowed before their
   contacts are written: one does them one by one */
enum { CHUNK = 512, BATCH = 2, BODY_CHUNK = 4096 };

/* Centre of a body; r: radius of a lone disc or sphere; < 0: minus that of the ball around another body. */
typedef struct ball {
    double c[3], r; /* m */
} ball;

/* The reach as a lone body's radius gives it: least of share r and most, and base. */
typedef struct ball_reach {
    double share, most, base;
} ball_reach;

// what the rounds share
typedef struct detection {
    const neighbours *n;
    const detect_view *v;
    const uint64_t *part, *slot; /* [pairs] of the neighbour list */
    detect_reach reach;
    const detect_hold *hold; /* NULL: what is within reach is a contact */
    ball_reach balls, count; /* within reach, and what counts */
    contact_set *c;
    ball *ball;        /* [bodies] */
    uint32_t *turn_at; /* [bodies] where the turn of a body that is not lone stands */
    double *turn;      /* as body_turn gives it */
    part_boxes boxes;  /* of bodies that are not lone; none in a cell */
    uint16_t *hit;  /* [pairs] numbers in their chunk of the pairs found, and NOT_ROUND; those of a chunk from
                       where the chunk begins */
    uint32_t *hits; /* [chunks] how many of them */
    uint32_t *others; /* [chunks] how many of these are not round */
    size_t *at;       /* [chunks + 1] first contact; while narrowing, the first manifold */
    size_t first;     /* chunk that the batch begins with */
    char *manifold;   /* those of the batch, manifold or manifold3 */
} detection;

// the largest gap that counts, from the smaller radius of two balls: for others than lone ones not less than
// it is
static inline double balls_reach(const ball_reach *reach, double least)
{
    const double share = reach->share * least;
    return (share < reach->most ? share : reach->most) + reach->base;
}

static ball_reach reach_of_balls(const detect_reach *r)
{
    return r->absolute >= 0 ? (ball_reach){0, 0, r->absolute} : (ball_reach){2 * r->relative, r->at_most, 0};
}

// distances whose square has lost digits, and coinciding centres, are no matter of balls
static const double LEAST_SQUARE = 1e-280;

/* added to the number of a pair that is not round, and of a round one whose gap does not count */
enum { NOT_ROUND = 1 << 15, OPEN = 1 << 14 };

/* pairs that are looked at side by side */
enum { SIDE = 64 };

/* What decides of SIDE pairs; near: 0 or 1. */
typedef struct meetings {
    double square[SIDE], ra[SIDE], rb[SIDE]; /* distance squared, radii; < 0: not lone */
    uint64_t near[SIDE], mark[SIDE];         /* mark: NOT_ROUND, OPEN or 0 */
} meetings;

static inline void meet(meetings *m, size_t j, const ball *a, const ball *b)
{
    const double x = a->c[0] - b->c[0], y = a->c[1] - b->c[1], z = a->c[2] - b->c[2];
    m->square[j] = x * x + y * y + z * z;
    m->ra[j] = a->r;
    m->rb[j] = b->r;
}

// without branches on what the positions decide, which nobody can predict
WIDE static void judge_meetings(const ball_reach *reach, const ball_reach *count, size_t pairs, meetings *m)
{
    for (size_t j = 0; j < pairs; j++) {
        const double ra = fabs(m->ra[j]), rb = fabs(m->rb[j]), least = ra < rb ? ra : rb,
                     square = m->square[j], most = balls_reach(reach, least);
        const double gap = sqrt(square) - (ra + rb), sum = (ra + rb + most) * (1 + 1e-12);
        const uint64_t round = (m->ra[j] > 0) & (m->rb[j] > 0) & (square > LEAST_SQUARE);
        // others: a little wider than the exact test that follows
        const uint64_t touch = gap <= most, may = square <= sum * sum;
        m->near[j] = (round & touch) | (~round & may);
        m->mark[j] = (1 - round) * NOT_ROUND + (round & (gap > balls_reach(count, least))) * OPEN;
    }
}

// adds those near of pairs [first, first + count) of a chunk to its hits
static inline void note_meetings(detection *d, size_t chunk, const meetings *m, const uint16_t *pair,
                                 size_t count)
{
    uint16_t *restrict hit = &d->hit[chunk * CHUNK];
    uint32_t hits = d->hits[chunk], others = d->others[chunk];
    for (size_t j = 0; j < count; j++) {
        hit[hits] = (uint16_t)(pair[j] + m->mark[j]);
        hits += (uint32_t)m->near[j];
        others += (uint32_t)m->near[j] & (m->mark[j] == NOT_ROUND);
    }
    d->hits[chunk] = hits;
    d->others[chunk] = others;
}

// two parts of the neighbour list
typedef struct candidate {
    uint32_t part[2], slot[2];
} candidate;

static inline candidate candidate_of(const detection *d, size_t pair)
{
    return (candidate){{(uint32_t)(d->part[pair] >> 32), (uint32_t)d->part[pair]},
                       {(uint32_t)(d->slot[pair] >> 32), (uint32_t)d->slot[pair]}};
}

// the second ball of a pair where it stands next to the first; s: how far that is from its position
static inline ball ball_image(const detection *d, size_t pair, double s[3])
{
    const candidate k = candidate_of(d, pair);
    ball b = d->ball[k.slot[1]];
    pair_image(d->n, d->v, k.part, k.slot, s);
    for (int e = 0; e < 3; e++)
        b.c[e] += s[e];
    return b;
}

// forgets round pairs of a chunk whose gap does not count, unless they stay
static void drop_open(detection *d, size_t chunk, size_t begin)
{
    const detect_hold *h = d->hold;
    uint16_t *hit = &d->hit[begin];
    uint32_t kept = 0;
    size_t at = 0;
    for (uint32_t i = 0; i < d->hits[chunk]; i++) {
        const bool open = hit[i] & OPEN;
        hit[kept] = (uint16_t)(hit[i] & ~OPEN);
        kept += !open;
        // what touches now mostly did in the last step
        at += !open;
        if (!open)
            continue;
        const uint64_t slots = d->slot[begin + hit[kept]];
        if (!memory_find(h->last, &at, (uint32_t)(slots >> 32), (uint32_t)slots, 0))
            continue;
        kept += h->stays(h->last, at, h->data);
        at++;
    }
    d->hits[chunk] = kept;
}

static const double *turn_of(const detection *d, uint32_t slot)
{
    // however a lone body is turned, it looks the same
    static const double NONE2[2] = {1, 0}, NONE3[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    bool plane = d->v->dim == 2;
    return d->v->lone[slot] ? (plane ? NONE2 : NONE3) : &d->turn[(plane ? 2 : 9) * (size_t)d->turn_at[slot]];
}

// forgets pairs of a chunk whose boxes are apart
static void drop_apart(detection *d, size_t chunk, size_t begin)
{
    uint16_t *hit = &d->hit[begin];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < d->hits[chunk]; i++) {
        if (hit[i] >= NOT_ROUND) {
            const candidate k = candidate_of(d, begin + hit[i] - NOT_ROUND);
            const double most = pair_reach(d->v, k.slot[0], k.slot[1], &d->reach);
            const double *const turn[2] = {turn_of(d, k.slot[0]), turn_of(d, k.slot[1])};
            if (parts_apart(&d->boxes, d->v, k.part, k.slot, turn, most)) {
                d->others[chunk]--;
                continue;
            }
        }
        hit[kept++] = hit[i];
    }
    d->hits[chunk] = kept;
}

// the pairs of a chunk whose balls are near enough
static void find_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    detection *d = data;
    const uint8_t *still = d->v->still;
    uint16_t pair[SIDE];
    meetings m;
    d->hits[chunk] = d->others[chunk] = 0;
    for (size_t i = begin; i < end;) {
        size_t count = 0;
        for (; i < end && count < SIDE; i++) {
            const uint32_t s1 = (uint32_t)(d->slot[i] >> 32), s2 = (uint32_t)d->slot[i];
            if (still != NULL && still[s1] && still[s2])
                continue;
            pair[count] = (uint16_t)(i - begin);
            if (d->v->cell == NULL) {
                meet(&m, count++, &d->ball[s1], &d->ball[s2]);
            } else {
                double s[3];
                const ball b = ball_image(d, i, s);
                meet(&m, count++, &d->ball[s1], &b);
            }
        }
        judge_meetings(&d->balls, &d->count, count, &m);
        note_meetings(d, chunk, &m, pair, count);
    }
    if (d->hold != NULL)
        drop_open(d, chunk, begin);
    // boxes do not know of images
    if (d->others[chunk] > 0 && d->v->cell == NULL)
        drop_apart(d, chunk, begin);
}

static size_t manifold_size(size_t dim)
{
    return dim == 2 ? sizeof(manifold) : sizeof(manifold3);
}

// what is known of a part beforehand; NULL: nothing
static const double *sides_of(const neighbours *n, uint32_t part)
{
    const part_sides *s = &n->sides;
    return s->at != NULL && s->at[part] != SIDES_UNKNOWN ? &s->number[s->at[part]] : NULL;
}

// the points of one pair that is not round
static void narrow(const detection *d, const candidate *k, void *out)
{
    const detect_view *v = d->v;
    const double *t1 = turn_of(d, k->slot[0]), *t2 = turn_of(d, k->slot[1]);
    double most = pair_reach(v, k->slot[0], k->slot[1], &d->reach), s[3];
    pair_image(d->n, v, k->part, k->slot, s);
    if (v->dim == 2) {
        placed_part a = place_part(v, t1, k->part[0], k->slot[0]);
        placed_part b = place_part(v, t2, k->part[1], k->slot[1]);
        for (int e = 0; e < 2; e++)
            b.p[e] += s[e];
        collide_parts(&a, &b, most, out);
    } else {
        placed3 a = place_solid(v, t1, k->part[0], k->slot[0]);
        placed3 b = place_solid(v, t2, k->part[1], k->slot[1]);
        vec3_add(b.p, s, b.p);
        a.sides = sides_of(d->n, k->part[0]);
        b.sides = sides_of(d->n, k->part[1]);
        collide_solids(&a, &b, most, out);
    }
}

static inline uint64_t parts_feature(const detection *d, const candidate *k)
{
    return (uint64_t)(k->part[0] - d->v->part_first[k->slot[0]]) << 44 |
           (uint64_t)(k->part[1] - d->v->part_first[k->slot[1]]) << 24;
}

// whether a point of a manifold with such a gap is a contact
static bool is_contact(const detection *d, const candidate *k, uint32_t feature, double gap)
{
    const detect_hold *h = d->hold;
    size_t at = 0;
    return gap <= pair_reach(d->v, k->slot[0], k->slot[1], &h->counts) ||
           (memory_find(h->last, &at, k->slot[0], k->slot[1], parts_feature(d, k) | feature) &&
            h->stays(h->last, at, h->data));
}

// forgets points of a manifold whose gap does not count, unless they stay
static void drop_points(const detection *d, const candidate *k, void *from)
{
    manifold *m2 = from;
    manifold3 *m3 = from;
    const bool plane = d->v->dim == 2;
    int kept = 0, count = plane ? m2->count : m3->count;
    for (int p = 0; p < count; p++) {
        if (plane && is_contact(d, k, m2->points[p].feature, m2->points[p].gap))
            m2->points[kept++] = m2->points[p];
        if (!plane && is_contact(d, k, m3->points[p].feature, m3->points[p].gap))
            m3->points[kept++] = m3->points[p];
    }
    *(plane ? &m2->count : &m3->count) = kept;
}

// the chunks of a batch; leaves in d->at how many contacts each of them has
static void narrow_chunk(void *data, size_t in_batch, size_t begin, size_t end)
{
    detection *d = data;
    size_t chunk = d->first + in_batch, size = manifold_size(d->v->dim), contacts = d->hits[chunk];
    char *out = d->manifold + size * d->at[chunk];
    (void)begin, (void)end;
    for (uint32_t i = 0; d->others[chunk] > 0 && i < d->hits[chunk]; i++) {
        uint32_t hit = d->hit[chunk * CHUNK + i];
        if (hit < NOT_ROUND)
            continue;
        candidate k = candidate_of(d, chunk * CHUNK + hit - NOT_ROUND);
        narrow(d, &k, out);
        if (d->hold != NULL)
            drop_points(d, &k, out);
        int count = d->v->dim == 2 ? ((manifold *)(void *)out)->count : ((manifold3 *)(void *)out)->count;
        contacts += (size_t)count - 1;
        out += size;
    }
    d->at[chunk] = contacts;
}

static inline void put_key(const detection *d, size_t i, const candidate *k, uint64_t feature)
{
    contact_set *c = d->c;
    c->slot1[i] = k->slot[0];
    c->slot2[i] = k->slot[1];
    c->id1[i] = d->v->id[k->slot[0]];
    c->id2[i] = d->v->id[k->slot[1]];
    c->feature[i] = feature;
}

static inline void put_image(const detection *d, size_t i, const double s[3])
{
    for (size_t e = 0; e < d->c->dim; e++)
        d->c->image[d->c->dim * i + e] = s[e];
}

// the contact of two lone discs or spheres
static inline void put_round(size_t dim, const detection *d, size_t pair, size_t i)
{
    const contact_set *c = d->c;
    const uint64_t slots = d->slot[pair];
    const candidate k = {.slot = {(uint32_t)(slots >> 32), (uint32_t)slots}};
    const ball *restrict a = &d->ball[k.slot[0]], *restrict b = &d->ball[k.slot[1]];
    ball moved;
    if (c->periodic) {
        double s[3];
        moved = ball_image(d, pair, s);
        put_image(d, i, s);
        b = &moved;
    }
    const double x = a->c[0] - b->c[0], y = a->c[1] - b->c[1], z = a->c[2] - b->c[2];
    const double distance = sqrt(x * x + y * y + z * z), n[3] = {x / distance, y / distance, z / distance};
    double *restrict normal = &c->normal[dim * i], *restrict point = &c->point[dim * i];
    for (size_t e = 0; e < dim; e++) {
        normal[e] = n[e];
        point[e] = 0.5 * ((a->c[e] - n[e] * a->r) + (b->c[e] + n[e] * b->r));
    }
    c->gap[i] = distance - (a->r + b->r);
    put_key(d, i, &k, 0);
}

// contacts from number i on of a manifold; their number
static size_t put_manifold(const detection *d, size_t pair, size_t i, const void *from)
{
    const manifold *m2 = from;
    const manifold3 *m3 = from;
    contact_set *c = d->c;
    candidate k = candidate_of(d, pair);
    const uint64_t parts = parts_feature(d, &k);
    bool plane = c->dim == 2;
    size_t count = (size_t)(plane ? m2->count : m3->count), bytes = c->dim * sizeof *c->point;
    double s[3];
    pair_image(d->n, d->v, k.part, k.slot, s);
    for (size_t p = 0; p < count; p++, i++) {
        if (c->periodic)
            put_image(d, i, s);
        put_key(d, i, &k, parts | (plane ? m2->points[p].feature : m3->points[p].feature));
        c->gap[i] = plane ? m2->points[p].gap : m3->points[p].gap;
        memcpy(&c->point[c->dim * i], plane ? m2->points[p].point : m3->points[p].point, bytes);
        memcpy(&c->normal[c->dim * i], plane ? m2->normal : m3->normal, bytes);
    }
    return count;
}

static inline void write_hits(size_t dim, const detection *d, size_t chunk, const char *from)
{
    const size_t begin = chunk * CHUNK;
    const uint16_t *hit = &d->hit[begin];
    const uint32_t hits = d->hits[chunk];
    size_t i = d->at[chunk];
    for (uint32_t k = 0; k < hits; k++) {
        if (hit[k] < NOT_ROUND) {
            put_round(dim, d, begin + hit[k], i++);
        } else {
            i += put_manifold(d, begin + hit[k] - NOT_ROUND, i, from);
            from += manifold_size(dim);
        }
    }
}

static void write_chunk(void *data, size_t in_batch, size_t begin, size_t end)
{
    detection *d = data;
    const size_t chunk = d->first + in_batch;
    const char *from = d->manifold;
    (void)begin, (void)end;
    for (size_t k = d->first; k < chunk; k++)
        from += manifold_size(d->v->dim) * d->others[k];
    // the dimension is a constant in each of the copies
    if (d->v->dim == 2)
        write_hits(2, d, chunk, from);
    else
        write_hits(3, d, chunk, from);
}

// narrows and writes the chunks [first, end); false: no memory
static bool do_batch(detection *d, size_t first, size_t end, arena *a, pool *threads)
{
    arena_mark mark = arena_here(a);
    size_t others = 0, count = d->c->count;
    for (size_t k = first; k < end; k++) {
        d->at[k] = others;
        others += d->others[k];
    }
    d->first = first;
    d->manifold = arena_push(a, others, manifold_size(d->v->dim));
    if (d->manifold == NULL)
        return false;
    parallel_for(threads, end - first, 1, narrow_chunk, d);
    for (size_t k = first; k < end; k++) {
        size_t contacts = d->at[k];
        d->at[k] = count;
        count += contacts;
    }
    if (count > d->c->capacity && !contacts_reserve(d->c, count + count / 32 + 64))
        return false;
    parallel_for(threads, end - first, 1, write_chunk, d);
    d->c->count = count;
    arena_back(a, mark);
    return true;
}

static void ball_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    detection *d = data;
    const detect_view *v = d->v;
    (void)chunk;
    for (size_t i = begin; i < end; i++) {
        const double *q = &v->q[v->nq * i], r = v->radius[i];
        d->ball[i] = (ball){{q[0], q[1], v->dim == 3 ? q[2] : 0}, v->lone[i] ? r : -r};
    }
}

// turns and boxes of the bodies that are not lone; false: no memory
static bool note_turns(detection *d, arena *a)
{
    const detect_view *v = d->v;
    size_t others = 0, boxes = 0, numbers = v->dim == 2 ? 2 : 9;
    for (size_t i = 0; i < v->count; i++) {
        others += !v->lone[i];
        boxes += v->lone[i] || v->cell != NULL ? 0 : boxes_of(v, i);
    }
    d->turn_at = arena_push(a, others > 0 ? v->count : 0, sizeof *d->turn_at);
    d->turn = arena_push(a, numbers * others, sizeof *d->turn);
    if (d->turn_at == NULL || d->turn == NULL || !boxes_reserve(&d->boxes, v, boxes, a))
        return false;
    for (size_t i = 0, at = 0; others > 0 && i < v->count; i++) {
        if (v->lone[i])
            continue;
        body_turn(v, i, &d->turn[numbers * at]);
        boxes_place(&d->boxes, v, i, &d->turn[numbers * at]);
        d->turn_at[i] = (uint32_t)at++;
    }
    return true;
}

static bool detect_pairs(detection *d, size_t pairs, arena *a, pool *threads)
{
    size_t chunks = chunk_count(pairs, CHUNK), others = 0;
    d->ball = arena_push(a, d->v->count, sizeof *d->ball);
    d->hit = arena_push(a, pairs, sizeof *d->hit);
    d->hits = arena_push(a, chunks, sizeof *d->hits);
    d->others = arena_push(a, chunks, sizeof *d->others);
    d->at = arena_push(a, chunks, sizeof *d->at);
    if (d->ball == NULL || d->hit == NULL || d->hits == NULL || d->others == NULL || d->at == NULL ||
        !note_turns(d, a))
        return false;
    parallel_for(threads, d->v->count, BODY_CHUNK, ball_chunk, d);
    parallel_for(threads, pairs, CHUNK, find_chunk, d);
    for (size_t k = 0; k < chunks; k++)
        others += d->others[k];
    // manifolds take room: a few chunks of them at a time
    const size_t several = pool_threads(threads) > 1 ? BATCH * (size_t)pool_threads(threads) : 1;
    size_t batch = others > 0 ? several : chunks;
    d->c->count = 0;
    for (size_t k = 0; k < chunks; k += batch)
        if (!do_batch(d, k, k + batch < chunks ? k + batch : chunks, a, threads))
            return false;
    return true;
}

bool detect(const neighbours *n, const detect_view *v, detect_reach reach, const detect_hold *hold,
            contact_set *c, arena *a, pool *threads)
{
    arena_mark mark = arena_here(a);
    detection d = {.n = n,
                   .v = v,
                   .part = n->pairs.pair,
                   .slot = neighbour_slots(n),
                   .reach = reach,
                   .hold = hold,
                   .balls = reach_of_balls(&reach),
                   .count = hold != NULL ? reach_of_balls(&hold->counts) : (ball_reach){0, 0, INFINITY},
                   .c = c};
    bool ok = detect_pairs(&d, n->pairs.count, a, threads);
    arena_back(a, mark);
    return ok;
}
