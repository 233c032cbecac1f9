/*
 * Islands of jointed bodies, and the pattern of each one's K: two blocks are coupled when they share a body.
 */
#include <stdlib.h>
#include <string.h>

#include "core/buffer.h"
#include "problem/joined.h"

bool joined_reserve(joined *j, size_t blocks)
{
    column all[] = {{(void **)&j->block, sizeof *j->block}};
    return columns_reserve(all, 1, &j->block_capacity, blocks);
}

// what joined_connect makes, but the islands
static void drop_lists(joined *j)
{
    void **all[] = {(void **)&j->T,         (void **)&j->order, (void **)&j->local, (void **)&j->body,
                    (void **)&j->island_of, (void **)&j->place, (void **)&j->pair,  (void **)&j->slot,
                    (void **)&j->diagonal,  (void **)&j->rest,  (void **)&j->x};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        free(*all[i]);
        *all[i] = NULL;
    }
    for (size_t i = 0; i < j->island_capacity; i++)
        sparse_cholesky_free(&j->island[i].factor);
    free(j->island);
    j->island = NULL;
    j->islands = j->island_capacity = j->rows = j->bodies = j->pairs = j->slots_known = 0;
}

void joined_free(joined *j)
{
    drop_lists(j);
    free(j->block);
    *j = (joined){0};
}

size_t joined_bytes(const joined *j)
{
    size_t factors = 0;
    for (size_t i = 0; i < j->islands; i++)
        factors += j->island[i].factor.length * sizeof(double);
    return j->block_capacity * sizeof *j->block + factors + j->rows * 4 * sizeof *j->T +
           j->pairs * sizeof *j->pair + j->slots_known * 2 * sizeof *j->place;
}

/* Blocks of every body, and every block's neighbours: those that share a body with it, itself too. */
typedef struct graph {
    size_t *at; /* [slots + 1] into of */
    uint32_t *of;
    size_t *near_at; /* [blocks + 1] into near */
    uint32_t *near;
    uint32_t *mark;  /* [blocks] */
    uint32_t *group; /* [slots] union-find; NO_BODY: no joint there */
} graph;

static void graph_free(graph *g)
{
    free(g->at);
    free(g->of);
    free(g->near_at);
    free(g->near);
    free(g->mark);
    free(g->group);
}

static uint32_t root_of(uint32_t *group, uint32_t s)
{
    while (group[s] != s)
        s = group[s] = group[group[s]];
    return s;
}

// the smallest slot of an island is its root
static void unite(const joined *j, graph *g, size_t slots)
{
    for (size_t s = 0; s < slots; s++)
        g->group[s] = NO_BODY;
    for (size_t k = 0; k < j->blocks; k++)
        for (int side = 0; side < 2; side++)
            if (j->block[k].body[side] != NO_BODY)
                g->group[j->block[k].body[side]] = j->block[k].body[side];
    for (size_t k = 0; k < j->blocks; k++) {
        const uint32_t *b = j->block[k].body;
        if (b[0] == NO_BODY || b[1] == NO_BODY)
            continue;
        uint32_t x = root_of(g->group, b[0]), y = root_of(g->group, b[1]);
        g->group[x > y ? x : y] = x > y ? y : x;
    }
}

static void list_blocks(const joined *j, graph *g, size_t slots)
{
    for (size_t k = 0; k < j->blocks; k++)
        for (int side = 0; side < 2; side++)
            if (j->block[k].body[side] != NO_BODY)
                g->at[j->block[k].body[side] + 1]++;
    for (size_t s = 0; s < slots; s++)
        g->at[s + 1] += g->at[s];
    const size_t total = g->at[slots];
    for (size_t k = j->blocks; k-- > 0;)
        for (int side = 0; side < 2; side++)
            if (j->block[k].body[side] != NO_BODY)
                g->of[--g->at[j->block[k].body[side] + 1]] = (uint32_t)k;
    // every count was taken down to the beginning of its list: one place further on stands its own
    memmove(g->at, g->at + 1, slots * sizeof *g->at);
    g->at[slots] = total;
}

// near blocks of all blocks; out NULL: only counted
static void list_near(const joined *j, graph *g, uint32_t *out)
{
    size_t n = 0;
    memset(g->mark, 0xff, j->blocks * sizeof *g->mark);
    for (size_t k = 0; k < j->blocks; k++) {
        g->near_at[k] = n;
        for (int side = 0; side < 2; side++) {
            uint32_t s = j->block[k].body[side];
            for (size_t i = s != NO_BODY ? g->at[s] : 0; s != NO_BODY && i < g->at[s + 1]; i++) {
                if (g->mark[g->of[i]] == k)
                    continue;
                g->mark[g->of[i]] = (uint32_t)k;
                if (out != NULL)
                    out[n] = g->of[i];
                n++;
            }
        }
    }
    g->near_at[j->blocks] = n;
}

static bool make_graph(const joined *j, size_t slots, graph *g)
{
    g->at = calloc(slots + 2, sizeof *g->at);
    g->of = calloc(2 * j->blocks + 1, sizeof *g->of);
    g->near_at = calloc(j->blocks + 1, sizeof *g->near_at);
    g->mark = calloc(j->blocks + 1, sizeof *g->mark);
    g->group = calloc(slots + 1, sizeof *g->group);
    if (g->at == NULL || g->of == NULL || g->near_at == NULL || g->mark == NULL || g->group == NULL)
        return false;
    list_blocks(j, g, slots);
    unite(j, g, slots);
    list_near(j, g, NULL);
    g->near = calloc(g->near_at[j->blocks] + 1, sizeof *g->near);
    if (g->near == NULL)
        return false;
    list_near(j, g, g->near);
    return true;
}

static bool push_lists(joined *j, const graph *g, size_t slots)
{
    size_t entries = 0;
    j->rows = j->islands = 0;
    for (size_t k = 0; k < j->blocks; k++) {
        j->block[k].first = (uint32_t)j->rows;
        j->rows += j->block[k].rows;
        for (size_t i = g->near_at[k]; i < g->near_at[k + 1]; i++)
            entries += (size_t)j->block[k].rows * j->block[g->near[i]].rows;
    }
    for (size_t s = 0; s < slots; s++)
        j->islands += g->group[s] == s;
    j->T = calloc(j->rows + 1, sizeof *j->T);
    j->diagonal = calloc(j->rows + 1, sizeof *j->diagonal);
    j->rest = calloc(j->rows + 1, sizeof *j->rest);
    j->x = calloc(j->rows + 1, sizeof *j->x);
    j->order = calloc(j->blocks + 1, sizeof *j->order);
    j->local = calloc(j->blocks + 1, sizeof *j->local);
    j->body = calloc(2 * j->blocks + 1, sizeof *j->body);
    j->island_of = calloc(slots + 1, sizeof *j->island_of);
    j->place = calloc(slots + 1, sizeof *j->place);
    j->pair = calloc(g->near_at[j->blocks] + 1, sizeof *j->pair);
    j->slot = calloc(entries + 1, sizeof *j->slot);
    j->island = calloc(j->islands + 1, sizeof *j->island);
    j->island_capacity = j->islands;
    j->slots_known = slots;
    return j->T != NULL && j->diagonal != NULL && j->rest != NULL && j->x != NULL && j->order != NULL &&
           j->local != NULL && j->body != NULL && j->island_of != NULL && j->place != NULL &&
           j->pair != NULL && j->slot != NULL && j->island != NULL;
}

static uint32_t island_of_block(const joined *j, size_t k)
{
    const uint32_t *b = j->block[k].body;
    return j->island_of[b[0] != NO_BODY ? b[0] : b[1]];
}

// bodies and blocks of every island, each rising
static void fill_islands(joined *j, graph *g, size_t slots)
{
    uint32_t n = 0;
    for (size_t s = 0; s < slots; s++) {
        j->island_of[s] = g->group[s] == NO_BODY ? NO_BODY : 0;
        // the root, which comes first, gives the island its number
        if (j->island_of[s] != NO_BODY) {
            uint32_t root = root_of(g->group, (uint32_t)s);
            j->island_of[s] = root == s ? n++ : j->island_of[root];
            j->island[j->island_of[s]].body_end++;
        }
    }
    for (size_t k = 0; k < j->blocks; k++)
        j->island[island_of_block(j, k)].block_end++;
    for (size_t i = 0, body = 0, block = 0; i < j->islands; i++) {
        island *of = &j->island[i];
        size_t bodies = of->body_end, blocks = of->block_end;
        of->body_first = of->body_end = body;
        of->block_first = of->block_end = block;
        body += bodies;
        block += blocks;
    }
    for (size_t s = 0; s < slots; s++)
        if (j->island_of[s] != NO_BODY) {
            island *of = &j->island[j->island_of[s]];
            j->place[s] = (uint32_t)(of->body_end - of->body_first);
            j->body[of->body_end++] = (uint32_t)s;
            j->bodies++;
        }
    for (size_t k = 0; k < j->blocks; k++) {
        island *of = &j->island[island_of_block(j, k)];
        j->local[k] = of->rows;
        of->rows += j->block[k].rows;
        j->order[of->block_end++] = (uint32_t)k;
    }
}

// columns of an island's K: the rows of all near blocks; start [rows + 1], index: room for all entries
static void fill_pattern(const joined *j, const graph *g, const island *of, size_t *start, uint32_t *index)
{
    size_t n = 0;
    for (size_t o = of->block_first; o < of->block_end; o++) {
        uint32_t k = j->order[o];
        for (uint32_t r = 0; r < j->block[k].rows; r++) {
            start[j->local[k] + r] = n;
            for (size_t i = g->near_at[k]; i < g->near_at[k + 1]; i++)
                for (uint32_t s = 0; s < j->block[g->near[i]].rows; s++)
                    index[n++] = j->local[g->near[i]] + s;
        }
    }
    start[of->rows] = n;
}

// where the entries of the pairs of an island stand in its factor
static void fill_pairs(joined *j, const graph *g, island *of, size_t *slots)
{
    of->pair_first = j->pairs;
    for (size_t o = of->block_first; o < of->block_end; o++) {
        uint32_t a = j->order[o];
        for (size_t i = g->near_at[a]; i < g->near_at[a + 1]; i++) {
            uint32_t b = g->near[i];
            if (b > a)
                continue;
            j->pair[j->pairs++] = (block_pair){a, b, *slots};
            for (uint32_t r = 0; r < j->block[a].rows; r++)
                for (uint32_t s = 0; s < j->block[b].rows; s++)
                    j->slot[(*slots)++] = sparse_cholesky_slot(&of->factor, j->local[a] + r, j->local[b] + s);
        }
    }
    of->pair_end = j->pairs;
}

static bool analyse(joined *j, const graph *g)
{
    size_t entries = 1, used = 0;
    for (size_t k = 0; k < j->blocks; k++)
        for (size_t i = g->near_at[k]; i < g->near_at[k + 1]; i++)
            entries += (size_t)j->block[k].rows * j->block[g->near[i]].rows;
    size_t *start = calloc(j->rows + 1, sizeof *start);
    uint32_t *index = calloc(entries, sizeof *index);
    bool good = start != NULL && index != NULL;
    for (size_t i = 0; good && i < j->islands; i++) {
        island *of = &j->island[i];
        fill_pattern(j, g, of, start, index);
        good = sparse_cholesky_analyse(&of->factor, of->rows, start, index);
        if (good)
            fill_pairs(j, g, of, &used);
    }
    free(start);
    free(index);
    return good;
}

bool joined_connect(joined *j, size_t slots)
{
    graph g = {0};
    drop_lists(j);
    bool good = make_graph(j, slots, &g) && push_lists(j, &g, slots);
    if (good) {
        fill_islands(j, &g, slots);
        good = analyse(j, &g);
    }
    graph_free(&g);
    if (!good)
        drop_lists(j);
    return good;
}
