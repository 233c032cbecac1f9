/*
 * The order of a sweep (problem/step_problem.h).
 *
 * Contacts stand in the order in which detection gives them, by bodies; those with a boundary, where there
 * are several slabs (see below), stand where their other body is; where bodies that touch have numbers far
 * apart, so that this order jumps through memory, they are sorted along a space-filling curve (Morton 1966)
 * through their points.  They are cut into blocks.  Within a block a contact takes the first group that has
 * room and neither of its dynamic bodies; groups that are not filled are dissolved.
 *
 * Up to WHOLE consecutive blocks make one slab, which the cache holds.  A block takes the first wave of its
 * slab that has none of its bodies yet; what does not fit into the waves free of shared bodies goes to the
 * slab's last one, which is done in order.
 *
 * More blocks make SLABS slabs, or a multiple of that with SLAB blocks each at most: few, since a sweep
 * carries loads through two of them.  It does every other one first and then those between: then owners of
 * some slabs each, side by side, have to do with each other at one end, half a sweep later.  From end to end
 * every owner would have to wait for the whole sweep of the one before it.  More owners than slabs have some
 * blocks each; in a slab they take turns wave by wave.
 *
 * In an assembly at rest the contacts are mostly those of the step before, and so is their order: it is kept.
 */
#include <math.h>
#include <string.h>

#include "core/buffer.h"
#include "core/sort.h"
#include "dynamics/stage.h"

enum {
    GROUPS = 64,
    WHOLE = 128,
    SLABS = 16,
    SLAB = 512,
    SLAB_WAVES = 64,
    LAST_WAVE = SLAB_WAVES - 1,
    NO_GROUP = 255
};

#define NO_OWNER UINT32_MAX

/* Fewer contacts than this fit into the cache in any order; FAR: times as far apart as in a lattice, as every
   SAMPLE-th contact shows. */
enum { SORT_FROM = 16384, FAR = 4, SAMPLE = 8 };

/* The bodies of a contact that the solver moves; the same one twice where the other is a boundary. */
typedef struct movers {
    uint32_t slot[2];
} movers;

/* The waves that had the body last, of two owners, the later one first; counted on over two sweeps. */
typedef struct last_waves {
    uint32_t owner[2], wave[2];
} last_waves;

typedef struct ordering {
    const bodies *b;
    const contact_set *c;
    const uint64_t
        *sorted;      /* [contacts] the low half is the contact's number; NULL: they stand as they come */
    uint64_t *wave;   /* [bodies] waves of the present slab that have the body */
    uint64_t *group;  /* [bodies] groups of the present block that have it; 0 between blocks */
    movers *mover;    /* [BLOCK] of the contacts of the present block */
    uint8_t *place;   /* [BLOCK] their groups; NO_GROUP: none */
    uint8_t of[SLAB]; /* waves of the blocks of the present slab */
    size_t owners;
    /* for more than one owner: */
    uint64_t *owned;  /* [bodies] owners that have contacts of the body */
    last_waves *had;  /* [bodies] */
    uint32_t *row;    /* [contacts] the contact of each row */
    uint32_t *common; /* [first[blocks]] bodies of blocks that other owners have too */
    size_t *first;    /* [blocks + 1] where those of a block begin */
} ordering;

// groups of the block that is being made; a bit for each
typedef struct filling {
    uint64_t full, kind[2];     /* groups without room; those of contacts with two bodies and with one */
    uint64_t ones, twos, fours; /* the digits of how many each has */
} filling;

_Static_assert(LANES == 8, "a group is full when its three digits overflow");

// one more in the group of the bit
static inline void count_in(filling *f, uint64_t bit)
{
    const uint64_t two = f->ones & bit, four = f->twos & two;
    f->full |= f->fours & four;
    f->ones ^= bit;
    f->twos ^= two;
    f->fours ^= four;
}

// the contact that comes at place k
static inline size_t contact_at(const ordering *o, size_t k)
{
    return o->sorted != NULL ? (size_t)(o->sorted[k] & UINT32_MAX) : k;
}

static inline movers movers_of(const bodies *b, const contact_set *c, size_t i)
{
    const uint32_t s1 = c->slot1[i], s2 = c->slot2[i];
    const bool first = is_dynamic(b, s1), second = is_dynamic(b, s2);
    return (movers){{first ? s1 : s2, second ? s2 : s1}};
}

static inline movers movers_at(const ordering *o, size_t k)
{
    return movers_of(o->b, o->c, contact_at(o, k));
}

// 0: two bodies, 1: one and a boundary
static inline int kind_of(movers m)
{
    return m.slot[0] == m.slot[1];
}

// puts the j-th contact of its block into a group
static inline void place(ordering *o, filling *f, size_t j)
{
    const movers m = o->mover[j];
    const int kind = kind_of(m);
    uint64_t *g1 = &o->group[m.slot[0]], *g2 = &o->group[m.slot[1]];
    const uint64_t taken = f->full | f->kind[1 - kind] | *g1 | *g2;
    o->place[j] = NO_GROUP;
    if (~taken == 0)
        return;
    const uint64_t bit = ~taken & -~taken;
    o->place[j] = (uint8_t)__builtin_ctzll(bit);
    f->kind[kind] |= bit;
    count_in(f, bit);
    *g1 |= bit;
    *g2 |= bit;
}

// clears what the block left at its bodies, and finds a wave for it
static unsigned wave_of(ordering *o, size_t count)
{
    uint64_t taken = 1ull << LAST_WAVE;
    for (size_t j = 0; j < count; j++)
        for (int n = 0; n < 2; n++) {
            o->group[o->mover[j].slot[n]] = 0;
            taken |= o->wave[o->mover[j].slot[n]];
        }
    const unsigned w = ~taken != 0 ? (unsigned)__builtin_ctzll(~taken) : LAST_WAVE;
    for (size_t j = 0; j < count; j++)
        for (int n = 0; n < 2; n++)
            o->wave[o->mover[j].slot[n]] |= 1ull << w;
    return w;
}

// rows of the contacts of one block as if it came first of its slab: full groups, those of two bodies first,
// then the rest
static void number_block(const ordering *o, const filling *f, size_t begin, size_t end, contact_block *out,
                         uint32_t *order)
{
    uint32_t next[GROUPS], rest[2] = {0, 0}, at = (uint32_t)begin;
    uint8_t kind[BLOCK];
    out->begin = at;
    for (int two = 0; two < 2; two++) {
        for (uint64_t left = f->full & f->kind[two]; left != 0; left &= left - 1) {
            next[__builtin_ctzll(left)] = at;
            at += LANES;
        }
        *(two == 0 ? &out->pairs : &out->singles) = at;
    }
    // the rest comes behind the groups when it is known how many of each kind there are
    for (size_t k = begin; k < end; k++) {
        const uint8_t g = o->place[k - begin];
        const bool full = g != NO_GROUP && f->full >> g & 1;
        kind[k - begin] = full ? 2 : (uint8_t)kind_of(o->mover[k - begin]);
        if (full)
            order[contact_at(o, k)] = next[g]++;
        else
            rest[kind[k - begin]]++;
    }
    out->rest = out->singles + rest[0];
    out->end = out->rest + rest[1];
    uint32_t to[2] = {out->singles, out->rest};
    for (size_t k = begin; k < end; k++)
        if (kind[k - begin] < 2)
            order[contact_at(o, k)] = to[kind[k - begin]]++;
}

// which owners have contacts of a body
static void note_owner(ordering *o, size_t count, uint32_t owner)
{
    for (size_t j = 0; o->owners > 1 && j < count; j++)
        for (int n = 0; n < 2; n++)
            o->owned[o->mover[j].slot[n]] |= 1ull << owner;
}

// the other owners that a block has bodies in common with; these bodies are put down from `at` on
static uint64_t edge_of(const ordering *o, const contact_block *b, size_t *at)
{
    uint64_t all = 0;
    for (size_t i = b->begin; i < b->end; i++) {
        const movers m = movers_at(o, o->row[i]);
        for (int n = 0; n < 2; n++) {
            const uint64_t owned = o->owned[m.slot[n]];
            if ((owned & (owned - 1)) == 0)
                continue;
            all |= owned;
            o->common[(*at)++] = m.slot[n];
        }
    }
    return all & ~(1ull << b->owner);
}

// how many waves ago a body was last had by another owner than this one, which has it now
static uint64_t since_other(last_waves *had, uint32_t owner, uint32_t now)
{
    if (had->owner[0] != owner)
        *had = (last_waves){{owner, had->owner[0]}, {now, had->wave[0]}};
    had->wave[0] = now;
    return had->owner[1] == NO_OWNER ? UINT64_MAX : now - had->wave[1];
}

// the least of that of a block's bodies
static uint64_t since_others(const ordering *o, size_t block, uint32_t owner, uint32_t now)
{
    uint64_t since = UINT64_MAX;
    for (size_t i = o->first[block]; i < o->first[block + 1]; i++) {
        const uint64_t ago = since_other(&o->had[o->common[i]], owner, now);
        since = ago < since ? ago : since;
    }
    return since;
}

// a wave that is done in order waits as a whole
static void join(contact_block *block, block_wave w)
{
    uint64_t edge = 0, since = UINT64_MAX;
    for (size_t k = w.begin; k < w.end; k++) {
        edge |= block[k].edge;
        since = block[k].edge != 0 && block[k].since < since ? block[k].since : since;
    }
    for (size_t k = w.begin; k < w.end; k++) {
        block[k].edge = edge;
        block[k].since = since;
    }
}

// what each block has to wait for
static void find_edges(const ordering *o, step_problem *p, const uint32_t *order)
{
    for (size_t k = 0; k < o->c->count; k++)
        o->row[order[contact_at(o, k)]] = (uint32_t)k;
    size_t at = 0;
    for (size_t k = 0; k < p->blocks; k++) {
        o->first[k] = at;
        p->block[k].edge = edge_of(o, &p->block[k], &at);
    }
    o->first[p->blocks] = at;
    for (size_t i = 0; i < o->b->count; i++)
        o->had[i] = (last_waves){{NO_OWNER, NO_OWNER}, {0, 0}};
    for (size_t now = 0; now < 2 * p->waves; now++) {
        const block_wave w = p->wave[now % p->waves];
        for (size_t k = w.begin; k < w.end; k++)
            p->block[k].since = since_others(o, k, p->block[k].owner, (uint32_t)now);
    }
    for (size_t k = 0; k < p->waves; k++)
        if (p->wave[k].in_order)
            join(p->block, p->wave[k]);
}

// consecutive blocks of contacts as they come, and where they come in the order
typedef struct slab_blocks {
    size_t first, last; /* blocks [first, last) */
    size_t at;          /* blocks before them in the order */
    uint32_t owner;     /* of all its blocks, NO_OWNER: each may have another one */
} slab_blocks;

static void make_blocks(ordering *o, step_problem *p, const slab_blocks *s, uint32_t *order)
{
    const size_t count = o->c->count;
    for (size_t k = s->first; k < s->last; k++) {
        const size_t begin = k * BLOCK, end = begin + BLOCK < count ? begin + BLOCK : count;
        contact_block *out = &p->block[s->at + k - s->first];
        filling f = {0};
        for (size_t i = begin; i < end; i++)
            o->mover[i - begin] = movers_at(o, i);
        for (size_t j = 0; j < end - begin; j++)
            place(o, &f, j);
        const unsigned wave = wave_of(o, end - begin);
        o->of[k - s->first] = (uint8_t)wave;
        number_block(o, &f, begin, end, out, order);
        // those of the last wave, which may share bodies, have one owner
        out->owner = s->owner != NO_OWNER ? s->owner
                     : wave == LAST_WAVE  ? 0
                                          : (uint32_t)(k * o->owners / p->blocks);
        note_owner(o, end - begin, out->owner);
    }
    // the next slab starts with free waves
    for (size_t i = s->first * BLOCK; i < s->last * BLOCK && i < count; i++) {
        const movers m = movers_at(o, i);
        o->wave[m.slot[0]] = o->wave[m.slot[1]] = 0;
    }
}

// the waves of a slab, and its blocks by waves; rows follow their blocks
static void sort_blocks(const ordering *o, step_problem *p, const slab_blocks *s, uint32_t *order)
{
    contact_block sorted[SLAB], *block = &p->block[s->at];
    const size_t blocks = s->last - s->first;
    uint32_t count[SLAB_WAVES] = {0}, next[SLAB_WAVES], at = 0, row = s->at > 0 ? block[-1].end : 0;
    for (size_t k = 0; k < blocks; k++)
        count[o->of[k]]++;
    for (size_t w = 0; w < SLAB_WAVES; w++) {
        next[w] = at;
        at += count[w];
        if (count[w] > 0)
            p->wave[p->waves++] =
                (block_wave){(uint32_t)s->at + next[w], (uint32_t)s->at + at, w == LAST_WAVE};
    }
    for (size_t k = 0; k < blocks; k++)
        sorted[next[o->of[k]]++] = block[k];
    for (size_t k = 0; k < blocks; k++) {
        const contact_block *b = &sorted[k];
        const uint32_t by = row - b->begin;
        for (size_t i = b->begin; i < b->end; i++)
            order[contact_at(o, i)] += by;
        block[k] =
            (contact_block){row, b->pairs + by, b->singles + by, b->rest + by, b->end + by, b->owner, 0, 0};
        row = block[k].end;
    }
}

static void order_slabs(ordering *o, step_problem *p, uint32_t *order)
{
    const size_t slabs = p->blocks <= WHOLE ? 1 : (p->blocks + SLABS * SLAB - 1) / (SLABS * SLAB) * SLABS;
    slab_blocks s = {0};
    for (size_t half = 0; half < 2; half++)
        for (size_t k = half; k < slabs; k += 2) {
            s.first = p->blocks * k / slabs;
            s.last = p->blocks * (k + 1) / slabs;
            s.owner = o->owners <= slabs ? (uint32_t)(k * o->owners / slabs) : NO_OWNER;
            make_blocks(o, p, &s, order);
            sort_blocks(o, p, &s, order);
            s.at += s.last - s.first;
        }
}

// whether touching bodies have numbers much farther apart than in a lattice counted row by row
static bool is_scattered(const bodies *b, const contact_set *c)
{
    double way = 0, near = pow((double)b->count, b->dim == 2 ? 1.0 / 2 : 2.0 / 3);
    if (c->count < SORT_FROM)
        return false;
    for (size_t i = 0; i < c->count; i += SAMPLE) {
        const uint32_t s1 = c->slot1[i], s2 = c->slot2[i];
        if (is_dynamic(b, s1) && is_dynamic(b, s2))
            way += s1 < s2 ? s2 - s1 : s1 - s2;
    }
    return SAMPLE * way > FAR * near * (double)c->count;
}

// the bits of x with room for `dim - 1` others between them
static uint64_t spread_bits(uint32_t x, size_t dim)
{
    uint64_t out = 0;
    for (unsigned k = 0; k < 16; k++)
        out |= (uint64_t)(x >> k & 1) << (dim * k);
    return out;
}

// contacts along the curve: place on it in the high half, number in the low one; NULL where places are not
// finite or all the same; false: no memory
static bool along_curve(const contact_set *c, arena *a, const uint64_t **sorted)
{
    enum { CELLS = 1024 };
    uint64_t *key = arena_push(a, c->count, sizeof *key), *scratch = arena_push(a, c->count, sizeof *scratch),
             bits[CELLS];
    double low[3], high[3], size = 0;
    *sorted = NULL;
    if (key == NULL || scratch == NULL)
        return false;
    for (size_t k = 0; k < c->dim; k++)
        low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
    for (size_t i = 0; i < c->dim * c->count; i++) {
        low[i % c->dim] = fmin(low[i % c->dim], c->point[i]);
        high[i % c->dim] = fmax(high[i % c->dim], c->point[i]);
    }
    for (size_t k = 0; k < c->dim; k++)
        size = fmax(size, high[k] - low[k]);
    if (!isfinite(size) || !(size > 0))
        return true;
    for (uint32_t x = 0; x < CELLS; x++)
        bits[x] = spread_bits(x, c->dim);
    for (size_t i = 0; i < c->count; i++) {
        uint64_t place = 0;
        for (size_t k = 0; k < c->dim; k++)
            place |= bits[(size_t)((CELLS - 1) * ((c->point[c->dim * i + k] - low[k]) / size))] << k;
        key[i] = place << 32 | i;
    }
    sort_u64(key, scratch, c->count);
    *sorted = key;
    return true;
}

// the lower number of the bodies that move
static inline uint32_t lower_of(const bodies *b, const contact_set *c, size_t i)
{
    const movers m = movers_of(b, c, i);
    return m.slot[0] < m.slot[1] ? m.slot[0] : m.slot[1];
}

static bool is_by_bodies(const bodies *b, const contact_set *c)
{
    uint32_t last = 0;
    for (size_t i = 0; i < c->count; i++) {
        const uint32_t lower = lower_of(b, c, i);
        if (lower < last)
            return false;
        last = lower;
    }
    return true;
}

// contacts by lower_of, else as they come; sorted: NULL where so they come; false: no memory
static bool by_bodies(const bodies *b, const contact_set *c, arena *a, const uint64_t **sorted)
{
    if (is_by_bodies(b, c))
        return true;
    uint64_t *out = arena_push(a, c->count, sizeof *out);
    const arena_mark mark = arena_here(a);
    uint32_t *next = arena_push_zero(a, b->count + 1, sizeof *next);
    if (out == NULL || next == NULL)
        return false;
    for (size_t i = 0; i < c->count; i++)
        next[lower_of(b, c, i) + 1]++;
    for (size_t i = 0; i < b->count; i++)
        next[i + 1] += next[i];
    for (size_t i = 0; i < c->count; i++)
        out[next[lower_of(b, c, i)]++] = i;
    arena_back(a, mark);
    *sorted = out;
    return true;
}

// scattered: along the curve
static bool make_order(const bodies *b, const contact_set *c, bool scattered, arena *a, step_problem *p,
                       uint32_t *order)
{
    p->blocks = (c->count + BLOCK - 1) / BLOCK;
    p->waves = 0;
    p->block = arena_push(a, p->blocks, sizeof *p->block);
    // every block may have a wave of its own
    p->wave = arena_push(a, p->blocks, sizeof *p->wave);
    arena_mark mark = arena_here(a);
    uint8_t here[BLOCK];
    movers mover[BLOCK];
    ordering o = {.b = b,
                  .c = c,
                  .wave = arena_push_zero(a, b->count, sizeof *o.wave),
                  .group = arena_push_zero(a, b->count, sizeof *o.group),
                  .mover = mover,
                  .place = here,
                  .owners = p->owners > 1 ? (size_t)p->owners : 1};
    const bool many = o.owners > 1;
    o.row = many ? arena_push(a, c->count, sizeof *o.row) : NULL;
    o.owned = many ? arena_push_zero(a, b->count, sizeof *o.owned) : NULL;
    o.had = many ? arena_push(a, b->count, sizeof *o.had) : NULL;
    o.common = many ? arena_push(a, c->count, 2 * sizeof *o.common) : NULL;
    o.first = many ? arena_push(a, p->blocks + 1, sizeof *o.first) : NULL;
    if (scattered ? !along_curve(c, a, &o.sorted) : p->blocks > WHOLE && !by_bodies(b, c, a, &o.sorted))
        return false;
    if (p->block == NULL || p->wave == NULL || o.wave == NULL || o.group == NULL ||
        (many && (o.row == NULL || o.owned == NULL || o.had == NULL || o.common == NULL || o.first == NULL)))
        return false;
    order_slabs(&o, p, order);
    if (many)
        find_edges(&o, p, order);
    arena_back(a, mark);
    return true;
}

bool order_contacts(const bodies *b, const contact_set *c, arena *a, step_problem *p, uint32_t *order)
{
    return make_order(b, c, is_scattered(b, c), a, p, order);
}

// arrays of nothing need not be anywhere
static bool same_bytes(const void *one, const void *two, size_t bytes)
{
    return bytes == 0 || memcmp(one, two, bytes) == 0;
}

// whether these are the contacts of the last step, between bodies of the same kinds, for as many owners
static bool is_same(const kept_order *k, const bodies *b, const contact_set *c, int owners)
{
    return k->valid && k->contacts == c->count && k->bodies == b->count && k->owners == owners &&
           same_bytes(k->slot1, c->slot1, c->count * sizeof *k->slot1) &&
           same_bytes(k->slot2, c->slot2, c->count * sizeof *k->slot2) &&
           same_bytes(k->kind, b->kind, b->count * sizeof *k->kind);
}

enum { CONTACT_COLUMNS = 3, BLOCK_COLUMNS = 2 };

typedef struct order_columns {
    column contact[CONTACT_COLUMNS], block[BLOCK_COLUMNS], body[1];
} order_columns;

static order_columns columns_of(kept_order *k)
{
    return (order_columns){{{(void **)&k->slot1, sizeof *k->slot1},
                            {(void **)&k->slot2, sizeof *k->slot2},
                            {(void **)&k->row, sizeof *k->row}},
                           {{(void **)&k->block, sizeof *k->block}, {(void **)&k->wave, sizeof *k->wave}},
                           {{(void **)&k->kind, sizeof *k->kind}}};
}

// room grows where that of the contacts does
static bool reserve_order(kept_order *k, const bodies *b, const contact_set *c)
{
    const order_columns all = columns_of(k);
    const size_t contacts = c->capacity > c->count ? c->capacity : c->count;
    return columns_reserve(all.contact, CONTACT_COLUMNS, &k->contact_capacity, contacts) &&
           columns_reserve(all.block, BLOCK_COLUMNS, &k->block_capacity, (contacts + BLOCK - 1) / BLOCK) &&
           columns_reserve(all.body, 1, &k->body_capacity, b->count);
}

// what make_order has just made, and what it was made from
static void note_order(kept_order *k, const bodies *b, const contact_set *c, const step_problem *p)
{
    k->contacts = c->count;
    k->bodies = b->count;
    k->owners = p->owners;
    k->blocks = p->blocks;
    k->waves = p->waves;
    const struct {
        void *to;
        const void *from;
        size_t bytes;
    } all[] = {{k->slot1, c->slot1, c->count * sizeof *k->slot1},
               {k->slot2, c->slot2, c->count * sizeof *k->slot2},
               {k->kind, b->kind, b->count * sizeof *k->kind},
               {k->block, p->block, p->blocks * sizeof *k->block},
               {k->wave, p->wave, p->waves * sizeof *k->wave}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].bytes > 0)
            memcpy(all[i].to, all[i].from, all[i].bytes);
}

bool keep_order(kept_order *k, const bodies *b, const contact_set *c, arena *a, step_problem *p)
{
    if (!is_same(k, b, c, p->owners)) {
        const bool scattered = is_scattered(b, c);
        k->valid = false;
        if (!reserve_order(k, b, c) || !make_order(b, c, scattered, a, p, k->row))
            return false;
        note_order(k, b, c, p);
        // the curve runs through points, which move
        k->valid = !scattered;
    }
    p->block = k->block;
    p->blocks = k->blocks;
    p->wave = k->wave;
    p->waves = k->waves;
    return true;
}

void order_free(kept_order *k)
{
    const order_columns all = columns_of(k);
    columns_free(all.contact, CONTACT_COLUMNS);
    columns_free(all.block, BLOCK_COLUMNS);
    columns_free(all.body, 1);
    *k = (kept_order){0};
}

size_t order_bytes(const kept_order *k)
{
    const order_columns all = columns_of((kept_order *)k);
    return columns_bytes(all.contact, CONTACT_COLUMNS, k->contact_capacity) +
           columns_bytes(all.block, BLOCK_COLUMNS, k->block_capacity) +
           columns_bytes(all.body, 1, k->body_capacity);
}
