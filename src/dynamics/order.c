/*
 * The order of a sweep (problem/step_problem.h): contacts, in the order in which detection gives them, are
 * cut into blocks.  Within a block a contact takes the first group that has room and neither of its dynamic
 * bodies; groups that are not filled are dissolved.  A block takes the first wave that has none of its bodies
 * yet; what does not fit into the waves free of shared bodies goes to the last one, which is done in order.
 */
#include <string.h>

#include "dynamics/stage.h"

enum { GROUPS = 64, LAST_WAVE = WAVES - 1, NO_GROUP = 255 };

typedef struct ordering {
    const bodies *b;
    const contact_set *c;
    uint64_t *wave;  /* [bodies] waves that have the body */
    uint64_t *group; /* [bodies] groups of the present block that have it; 0 between blocks */
    uint8_t *place;  /* [contacts] group; NO_GROUP: none */
    uint8_t *of;     /* [blocks] wave of the block */
} ordering;

// groups of the block that is being made
typedef struct filling {
    uint64_t full, kind[2]; /* groups without room; those of contacts with two bodies and with one */
    uint8_t count[GROUPS];
} filling;

// the contact's dynamic bodies; their number
static int dynamic_bodies(const ordering *o, size_t i, uint32_t slot[2])
{
    const uint32_t s1 = o->c->slot1[i], s2 = o->c->slot2[i];
    int count = 0;
    if (is_dynamic(o->b, s1))
        slot[count++] = s1;
    if (is_dynamic(o->b, s2))
        slot[count++] = s2;
    return count;
}

// puts contact i into a group
static void place(ordering *o, filling *f, size_t i)
{
    uint32_t slot[2];
    const int count = dynamic_bodies(o, i, slot), kind = count == 2 ? 0 : 1;
    uint64_t taken = f->full | f->kind[1 - kind];
    for (int k = 0; k < count; k++)
        taken |= o->group[slot[k]];
    o->place[i] = NO_GROUP;
    if (~taken == 0)
        return;
    const int g = __builtin_ctzll(~taken);
    const uint64_t bit = 1ull << g;
    o->place[i] = (uint8_t)g;
    f->kind[kind] |= bit;
    f->full |= ++f->count[g] == LANES ? bit : 0;
    for (int k = 0; k < count; k++)
        o->group[slot[k]] |= bit;
}

// clears what the block left at its bodies, and finds a wave for it
static unsigned wave_of(ordering *o, size_t begin, size_t end)
{
    uint64_t taken = 1ull << LAST_WAVE;
    uint32_t slot[2];
    for (size_t i = begin; i < end; i++)
        for (int k = dynamic_bodies(o, i, slot); k-- > 0;) {
            o->group[slot[k]] = 0;
            taken |= o->wave[slot[k]];
        }
    const unsigned w = ~taken != 0 ? (unsigned)__builtin_ctzll(~taken) : LAST_WAVE;
    for (size_t i = begin; i < end; i++)
        for (int k = dynamic_bodies(o, i, slot); k-- > 0;)
            o->wave[slot[k]] |= 1ull << w;
    return w;
}

// rows of the contacts of one block, whose first is `at`: full groups, those of two bodies first, then the
// rest
static void number_block(const ordering *o, const filling *f, size_t begin, size_t end, uint32_t at,
                         contact_block *out, uint32_t *order)
{
    uint32_t next[GROUPS], rest[2] = {0, 0}, slot[2];
    out->begin = at;
    for (int kind = 0; kind < 2; kind++) {
        for (int g = 0; g < GROUPS; g++)
            if (f->full & f->kind[kind] & 1ull << g) {
                next[g] = at;
                at += LANES;
            }
        *(kind == 0 ? &out->pairs : &out->singles) = at;
    }
    // the rest is numbered from 0, and pushed behind the groups when it is known how many of each kind there
    // are
    for (size_t i = begin; i < end; i++) {
        const uint8_t g = o->place[i];
        if (g != NO_GROUP && f->full >> g & 1)
            order[i] = next[g]++;
        else
            rest[dynamic_bodies(o, i, slot) == 2 ? 0 : 1]++;
    }
    out->rest = out->singles + rest[0];
    out->end = out->rest + rest[1];
    uint32_t to[2] = {out->singles, out->rest};
    for (size_t i = begin; i < end; i++)
        if (o->place[i] == NO_GROUP || !(f->full >> o->place[i] & 1))
            order[i] = to[dynamic_bodies(o, i, slot) == 2 ? 0 : 1]++;
}

// blocks one after the other, in the order of contacts
static void make_blocks(ordering *o, step_problem *p, uint32_t *order)
{
    for (size_t k = 0; k < p->blocks; k++) {
        const size_t begin = k * BLOCK, end = begin + BLOCK < o->c->count ? begin + BLOCK : o->c->count;
        filling f = {0};
        for (size_t i = begin; i < end; i++)
            place(o, &f, i);
        o->of[k] = (uint8_t)wave_of(o, begin, end);
        number_block(o, &f, begin, end, (uint32_t)begin, &p->block[k], order);
    }
}

// blocks by waves; waves are used without holes except the last
static void sort_blocks(const ordering *o, step_problem *p, contact_block *sorted, uint32_t *order)
{
    uint32_t count[WAVES] = {0}, next[WAVES], at = 0, row = 0;
    for (size_t k = 0; k < p->blocks; k++)
        count[o->of[k]]++;
    p->waves = p->parallel_waves = 0;
    for (size_t w = 0; w < WAVES; w++) {
        next[w] = at;
        if (count[w] == 0)
            continue;
        p->wave[p->waves++] = at;
        p->parallel_waves += w < LAST_WAVE ? 1 : 0;
        at += count[w];
    }
    p->wave[p->waves] = at;
    // where each block goes to
    for (size_t k = 0; k < p->blocks; k++)
        sorted[next[o->of[k]]++] = p->block[k];
    // rows follow their blocks
    for (size_t k = 0; k < p->blocks; k++) {
        contact_block *s = &sorted[k];
        const uint32_t from = s->begin, by = row - from;
        for (size_t i = from; i < s->end; i++)
            order[i] += by;
        *s = (contact_block){row, s->pairs + by, s->singles + by, s->rest + by, s->end + by};
        row = s->end;
    }
    memcpy(p->block, sorted, p->blocks * sizeof *sorted);
}

bool order_contacts(const bodies *b, const contact_set *c, arena *a, step_problem *p, uint32_t *order)
{
    p->blocks = (c->count + BLOCK - 1) / BLOCK;
    p->block = arena_push(a, p->blocks, sizeof *p->block);
    arena_mark mark = arena_here(a);
    ordering o = {b,
                  c,
                  arena_push_zero(a, b->count, sizeof *o.wave),
                  arena_push_zero(a, b->count, sizeof *o.group),
                  arena_push(a, c->count, 1),
                  arena_push(a, p->blocks, 1)};
    contact_block *sorted = arena_push(a, p->blocks, sizeof *sorted);
    if (p->block == NULL || o.wave == NULL || o.group == NULL || o.place == NULL || o.of == NULL ||
        sorted == NULL)
        return false;
    make_blocks(&o, p, order);
    sort_blocks(&o, p, sorted, order);
    arena_back(a, mark);
    return true;
}
