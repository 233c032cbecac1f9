/*
 * The order of a sweep: what may be done at once shares no body, a block waits for all that it shares bodies
 * with and for nothing else, and owners of many blocks hardly wait.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/rng.h"
#include "support/lattice2.h"

// marks the bodies of rows [begin, end); false when one is marked already
static bool mark_bodies(const uint32_t (*row)[2], size_t begin, size_t end, size_t count, unsigned mark,
                        unsigned *seen, bool same)
{
    for (size_t i = begin; i < end; i++)
        for (int k = 0; k < 2; k++) {
            uint32_t b = row[i][k];
            if (b >= count)
                continue;
            if (seen[b] == mark && !same)
                return false;
            seen[b] = mark;
        }
    return true;
}

enum { OWNERS = 3 };

/* When each owner had each body last, [count], in waves over two sweeps; 0: not yet. */
typedef struct owner_waves {
    size_t last[OWNERS];
} owner_waves;

// waits for all other owners of its bodies, since the last time that one of them had one
static void assert_waits(const contact_block *b, bool in_order, const uint32_t (*row)[2], size_t count,
                         size_t now, owner_waves *had)
{
    uint64_t edge = 0, since = UINT64_MAX;
    for (size_t i = b->begin; i < b->end; i++)
        for (int s = 0; s < 2; s++)
            for (uint32_t o = 0; o < OWNERS && row[i][s] < count; o++) {
                const size_t last = had[row[i][s]].last[o];
                if (o == b->owner || last == 0)
                    continue;
                edge |= 1ull << o;
                since = now - last < since ? now - last : since;
            }
    if (in_order)
        assert_true((b->edge & edge) == edge && (edge == 0 || b->since <= since));
    else
        assert_true(b->edge == edge && (edge == 0 || b->since == since));
}

static void assert_edges(const step_problem *p, const uint32_t (*row)[2], size_t count)
{
    owner_waves *had = calloc(count + 1, sizeof *had);
    assert_non_null(had);
    for (size_t now = 1; now <= 2 * p->waves; now++) {
        const block_wave w = p->wave[(now - 1) % p->waves];
        for (size_t k = w.begin; k < w.end; k++) {
            const contact_block *b = &p->block[k];
            if (now > p->waves)
                assert_waits(b, w.in_order, row, count, now, had);
            // what is done in order waits as one
            assert_true(!w.in_order ||
                        (b->owner == p->block[w.begin].owner && b->edge == p->block[w.begin].edge &&
                         b->since == p->block[w.begin].since));
            for (size_t i = b->begin; i < b->end; i++)
                for (int s = 0; s < 2; s++)
                    if (row[i][s] < count)
                        had[row[i][s]].last[b->owner] = now;
        }
    }
    free(had);
}

/* Every contact has one row; groups share no body; blocks of a wave share none; kinds stand where they
 * should.  Returns the waves that several owners have. */
static size_t assert_ordered(const uint32_t *one, const uint32_t *two, const double *point, size_t m,
                             size_t count)
{
    arena a = {0};
    step_problem p = {.dim = 3, .owners = OWNERS};
    uint32_t *order = arena_push(&a, m, sizeof *order), (*row)[2] = arena_push(&a, m, sizeof *row);
    unsigned *seen = arena_push_zero(&a, count + 1, sizeof *seen), mark = 0,
             *block_of = arena_push(&a, count + 1, 4);
    order_of(one, two, point, m, count, &a, &p, order);
    for (size_t i = 0; i < m; i++)
        row[i][0] = UINT32_MAX;
    for (size_t i = 0; i < m; i++) {
        assert_true(order[i] < m && row[order[i]][0] == UINT32_MAX);
        row[order[i]][0] = one[i];
        row[order[i]][1] = two[i];
    }
    size_t at = 0;
    for (size_t k = 0; k < p.blocks; k++) {
        const contact_block *b = &p.block[k];
        assert_true(b->begin == at && b->begin <= b->pairs && b->pairs <= b->singles &&
                    b->singles <= b->rest && b->rest <= b->end && b->end - b->begin <= BLOCK);
        assert_true((b->pairs - b->begin) % LANES == 0 && (b->singles - b->pairs) % LANES == 0);
        for (size_t g = b->begin; g < b->singles; g += LANES)
            assert_true(mark_bodies((const uint32_t(*)[2])row, g, g + LANES, count, ++mark, seen, false));
        for (size_t i = b->begin; i < b->end; i++) {
            bool pair = row[i][0] < count && row[i][1] < count;
            assert_true(pair == (i < b->pairs || (i >= b->singles && i < b->rest)));
        }
        at = b->end;
    }
    assert_true(at == m);
    at = 0;
    size_t apart = 0;
    for (size_t w = 0; w < p.waves; w++) {
        assert_true(p.wave[w].begin == at && p.wave[w].end > at);
        at = p.wave[w].end;
        if (p.wave[w].in_order)
            continue;
        apart++;
        memset(block_of, 0xff, count * sizeof *block_of);
        for (uint32_t k = p.wave[w].begin; k < p.wave[w].end; k++)
            for (size_t i = p.block[k].begin; i < p.block[k].end; i++)
                for (int s = 0; s < 2; s++) {
                    uint32_t b = row[i][s];
                    if (b >= count)
                        continue;
                    assert_true(block_of[b] == UINT32_MAX || block_of[b] == k);
                    block_of[b] = k;
                }
    }
    assert_true(at == p.blocks);
    assert_edges(&p, (const uint32_t(*)[2])row, count);
    arena_free(&a);
    return apart;
}

typedef enum network { RANDOM, STAR, SINGLE } network;

// contacts between `count` bodies; STAR: the first one touches all others, SINGLE: all with a boundary
static void draw_contacts(network kind, size_t contacts, size_t count, rng *r, uint32_t *one, uint32_t *two)
{
    const uint32_t boundary = (uint32_t)count;
    for (size_t i = 0; i < contacts; i++) {
        one[i] = kind == STAR ? 0 : (uint32_t)(rng_uniform(r) * (double)count);
        two[i] = kind == SINGLE ? boundary : (uint32_t)(rng_uniform(r) * (double)(count + 1));
        two[i] = two[i] == one[i] ? boundary : two[i];
    }
}

static void order_keeps_bodies_apart(void **state)
{
    (void)state;
    enum { MOST = 540000, BODIES = 5000 };
    static uint32_t one[MOST], two[MOST];
    static double point[3 * MOST];
    rng r = rng_seed(3, 1);
    // numbers have nothing to do with places: the order is that of the curve where contacts are many
    for (size_t i = 0; i < 3 * (size_t)MOST; i++)
        point[i] = rng_uniform(&r);
    // sizes about a block's, a body that touches all others, hardly any bodies, and only boundaries
    const size_t contacts[] = {0, 1, 7, 8, 511, 512, 513, 5000, 70000}, bodies_in[] = {1, 2, 9, 300, BODIES};
    size_t apart = 0;
    for (size_t c = 0; c < 9; c++)
        for (size_t n = 0; n < 5; n++)
            for (network kind = RANDOM; kind <= SINGLE; kind++) {
                draw_contacts(kind, contacts[c], bodies_in[n], &r, one, two);
                apart += assert_ordered(one, two, point, contacts[c], bodies_in[n]);
            }
    // slabs of more blocks than they have waves, each with an owner of its own
    draw_contacts(STAR, MOST, 300, &r, one, two);
    assert_ordered(one, two, point, MOST, 300);
    assert_true(apart > 0);
}

// whether the order that is kept is the one made anew
static void assert_kept(kept_order *k, const bodies *b, const contact_set *c, int owners, bool valid)
{
    arena a = {0};
    step_problem kept = {.dim = 2, .owners = owners}, made = kept;
    uint32_t *row = arena_push(&a, c->count, sizeof *row);
    assert_true(keep_order(k, b, c, &a, &kept) && order_contacts(b, c, &a, &made, row));
    assert_true(k->valid == valid);
    assert_memory_equal(k->row, row, c->count * sizeof *row);
    assert_true(kept.blocks == made.blocks && kept.waves == made.waves);
    assert_memory_equal(kept.block, made.block, made.blocks * sizeof *made.block);
    assert_memory_equal(kept.wave, made.wave, made.waves * sizeof *made.wave);
    arena_free(&a);
}

// the order is taken from the step before only where all that it follows from is the same
static void order_is_kept_while_nothing_changes(void **state)
{
    (void)state;
    enum { ROW = 50, COUNT = ROW * ROW, CONTACTS = 2 * (COUNT - 1) };
    static uint32_t one[CONTACTS], two[CONTACTS];
    static uint8_t kind[COUNT + 1];
    memset(kind, MO_BODY_DYNAMIC, COUNT);
    kind[COUNT] = MO_BODY_FIXED;
    for (uint32_t i = 0; i + 1 < COUNT; i++) {
        one[2 * i] = one[2 * i + 1] = i;
        two[2 * i] = i + 1;
        two[2 * i + 1] = i + ROW < COUNT ? i + ROW : COUNT;
    }
    bodies b = {.dim = 2, .count = COUNT + 1, .kind = kind};
    contact_set c = {.dim = 2, .count = CONTACTS, .slot1 = one, .slot2 = two};
    kept_order k = {0};
    for (int again = 0; again < 2; again++)
        assert_kept(&k, &b, &c, 1, true);
    assert_kept(&k, &b, &c, 2, true);
    kind[3] = MO_BODY_FIXED;
    assert_kept(&k, &b, &c, 2, true);
    two[7]++;
    assert_kept(&k, &b, &c, 2, true);
    c.count -= 100;
    assert_kept(&k, &b, &c, 2, true);
    order_free(&k);
}

// along the curve contacts have another order as soon as they move
static void order_of_scattered_contacts_is_made_anew(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    static uint32_t one[COUNT], two[COUNT];
    static uint8_t kind[COUNT];
    static double point[2 * COUNT];
    rng r = rng_seed(4, 1);
    memset(kind, MO_BODY_DYNAMIC, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        one[i] = i / 2;
        two[i] = COUNT - 1 - i / 2;
    }
    bodies b = {.dim = 2, .count = COUNT, .kind = kind};
    contact_set c = {.dim = 2, .count = COUNT, .slot1 = one, .slot2 = two, .point = point};
    kept_order k = {0};
    for (int again = 0; again < 2; again++) {
        for (size_t i = 0; i < 2 * (size_t)COUNT; i++)
            point[i] = rng_uniform(&r);
        assert_kept(&k, &b, &c, 1, false);
    }
    order_free(&k);
}

// blocks of an owner in a wave that wait for other owners, or do not
static size_t blocks_of(const step_problem *p, block_wave w, uint32_t owner, bool edge)
{
    size_t out = 0;
    for (uint32_t k = w.begin; k < w.end; k++)
        out += p->block[k].owner == owner && (p->block[k].edge != 0) == edge;
    return out;
}

/* When the last of `owners` is done, each on a thread of its own, a block taking one unit of time.
 * end[wave][owner]: when that owner is done with the wave. */
static size_t time_of_sweeps(const step_problem *p, size_t sweeps, size_t (*end)[OWNERS_MAX])
{
    const size_t owners = (size_t)p->owners;
    size_t last = 0;
    for (size_t now = 0; now < sweeps * p->waves; now++) {
        const block_wave w = p->wave[now % p->waves];
        for (uint32_t o = 0; o < owners; o++) {
            size_t at = (now > 0 ? end[now - 1][o] : 0) + blocks_of(p, w, o, false);
            for (uint32_t k = w.begin; k < w.end; k++) {
                const contact_block *b = &p->block[k];
                for (uint32_t other = 0; b->owner == o && other < owners; other++)
                    if ((b->edge >> other & 1) != 0 && now >= b->since && end[now - b->since][other] > at)
                        at = end[now - b->since][other];
            }
            end[now][o] = at + blocks_of(p, w, o, true);
            last = end[now][o] > last ? end[now][o] : last;
        }
    }
    return last;
}

// contacts of a cubic lattice, row by row, layer by layer, that touches a boundary at its end; how many
static size_t lattice3(uint32_t side, uint32_t *one, uint32_t *two)
{
    const uint32_t count = side * side * side, way[] = {1, side, side * side};
    size_t m = 0;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            one[m] = i;
            two[m] = i / way[k] % side < side - 1 ? i + way[k] : count;
            m += k == 2 || two[m] < count;
        }
    return m;
}

/* Sweeps by several owners take hardly longer than their share of the blocks: an eighth, and the TURNS that
 * neighbours take in a slab. */
static void assert_owners_hardly_wait(uint32_t side, int owners)
{
    enum { SWEEPS = 2, TURNS = 4 };
    const size_t count = (size_t)side * side * side;
    arena a = {0};
    step_problem p = {.dim = 3, .owners = owners};
    uint32_t *one = arena_push(&a, 3 * count, sizeof *one), *two = arena_push(&a, 3 * count, sizeof *two),
             *order = arena_push(&a, 3 * count, sizeof *order);
    const size_t m = lattice3(side, one, two);
    order_of(one, two, arena_push_zero(&a, 3 * m, sizeof(double)), m, count, &a, &p, order);
    size_t(*end)[OWNERS_MAX] = arena_push_zero(&a, SWEEPS * p.waves, sizeof *end);
    const size_t least = (SWEEPS * p.blocks + (size_t)owners - 1) / (size_t)owners;
    assert_true(time_of_sweeps(&p, SWEEPS, end) <= least + least / 8 + TURNS);
    arena_free(&a);
}

static void owners_hardly_wait(void **state)
{
    (void)state;
    const uint32_t sides[] = {20, 30, 40, 52};
    for (size_t n = 0; n < sizeof sides / sizeof *sides; n++)
        for (int owners = 2; owners <= 8; owners *= 2)
            assert_owners_hardly_wait(sides[n], owners);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_keeps_bodies_apart),
        cmocka_unit_test(order_is_kept_while_nothing_changes),
        cmocka_unit_test(order_of_scattered_contacts_is_made_anew),
        cmocka_unit_test(owners_hardly_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
