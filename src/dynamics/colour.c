/*
 * Colours by first fit in contact order: a contact takes the lowest colour that neither of its dynamic bodies
 * has yet. What does not fit into the colours free of shared bodies goes to the last one, which is done in
 * order.
 */
#include "dynamics/stage.h"

enum { LAST = COLOUR_MAX - 1 };

static unsigned first_free(uint64_t taken)
{
    uint64_t left = ~taken & ~(1ull << LAST);
    return left != 0 ? (unsigned)__builtin_ctzll(left) : LAST;
}

// colour of every contact; two[i] is 1 when both bodies are dynamic
static void choose(const bodies *b, const contact_set *c, uint64_t *taken, uint8_t *colour)
{
    for (size_t i = 0; i < c->count; i++) {
        uint32_t s1 = c->slot1[i], s2 = c->slot2[i];
        uint64_t none = 0;
        uint64_t *t1 = is_dynamic(b, s1) ? &taken[s1] : &none, *t2 = is_dynamic(b, s2) ? &taken[s2] : &none;
        unsigned k = first_free(*t1 | *t2);
        colour[i] = (uint8_t)k;
        *t1 |= 1ull << k;
        *t2 |= 1ull << k;
    }
}

static unsigned one_body(const bodies *b, const contact_set *c, size_t i)
{
    return is_dynamic(b, c->slot1[i]) && is_dynamic(b, c->slot2[i]) ? 0 : 1;
}

// from counts to ranges; colours are used without holes except the last
static void make_ranges(step_problem *p, const uint32_t count[COLOUR_MAX][2])
{
    uint32_t at = 0;
    p->colours = p->parallel_colours = 0;
    for (size_t k = 0; k < COLOUR_MAX; k++) {
        if (count[k][0] + count[k][1] == 0)
            continue;
        colour_range *r = &p->colour[p->colours++];
        p->parallel_colours += k < LAST ? 1 : 0;
        r->begin = at;
        r->one_body = at + count[k][0];
        at = r->end = r->one_body + count[k][1];
    }
}

bool colour_contacts(const bodies *b, const contact_set *c, arena *a, step_problem *p, uint32_t *order)
{
    arena_mark mark = arena_here(a);
    uint64_t *taken = arena_push_zero(a, b->count, sizeof *taken);
    uint8_t *colour = arena_push(a, c->count, 1);
    if (taken == NULL || colour == NULL)
        return false;
    uint32_t count[COLOUR_MAX][2] = {{0}}, next[COLOUR_MAX][2];
    choose(b, c, taken, colour);
    for (size_t i = 0; i < c->count; i++)
        count[colour[i]][one_body(b, c, i)]++;
    make_ranges(p, (const uint32_t(*)[2])count);
    for (uint32_t k = 0, at = 0; k < COLOUR_MAX; k++)
        for (int one = 0; one < 2; one++) {
            next[k][one] = at;
            at += count[k][one];
        }
    for (size_t i = 0; i < c->count; i++)
        order[i] = next[colour[i]][one_body(b, c, i)]++;
    arena_back(a, mark);
    return true;
}
