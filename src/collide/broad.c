#include "collide/broad.h"

#include <math.h>
#include <stdlib.h>

#include "core/buffer.h"
#include "core/sort.h"

/* up to the largest double: a box is never wider than a cell of its level */
enum { LEVEL_MIN = -60, LEVEL_MAX = 1024, LEVELS = LEVEL_MAX - LEVEL_MIN + 1 };

// level whose cell holds the larger side of the box
static int level_of(const box2 *box)
{
    double side = fmax(box->max[0] - box->min[0], box->max[1] - box->min[1]);
    int e = LEVEL_MIN;
    if (side > 0)
        frexp(side, &e);
    return e < LEVEL_MIN ? LEVEL_MIN : e > LEVEL_MAX ? LEVEL_MAX : e;
}

// cell number along an axis; far away everything shares the last cell, which costs time but no pair
static int64_t cell_index(double x, double cells_per_metre)
{
    double c = x * cells_per_metre, most = 0x1p24;
    c = c > most ? most : c < -most ? -most : c;
    int64_t i = (int64_t)c;
    return i - ((double)i > c ? 1 : 0);
}

static uint64_t cell_key(int level, int64_t cx, int64_t cy)
{
    uint64_t x = (uint64_t)(cx + (1 << 25)), y = (uint64_t)(cy + (1 << 25));
    return (uint64_t)(level - LEVEL_MIN) << 52 | x << 26 | y;
}

static size_t bucket_of(uint64_t key, size_t mask)
{
    key ^= key >> 29;
    key *= 0x9E3779B97F4A7C15u;
    return (size_t)(key >> 32) & mask;
}

// the grid of one search
typedef struct grid {
    uint64_t *cell;   /* [count] cell key of each box */
    int16_t *level;   /* [count] */
    uint32_t *entry;  /* [count] boxes by bucket */
    uint32_t *bucket; /* [buckets + 2] start of each bucket in entry */
    size_t buckets;   /* a power of two */
} grid;

static bool make_grid(grid *g, size_t count, arena *a)
{
    g->buckets = 64;
    while (g->buckets < 2 * count)
        g->buckets *= 2;
    g->cell = arena_push(a, count, sizeof *g->cell);
    g->level = arena_push(a, count, sizeof *g->level);
    g->entry = arena_push(a, count, sizeof *g->entry);
    g->bucket = arena_push_zero(a, g->buckets + 2, sizeof *g->bucket);
    return g->cell != NULL && g->level != NULL && g->entry != NULL && g->bucket != NULL;
}

// files every box by counting sort into buckets; used[l] tells which levels hold a box
static void fill_grid(grid *b, const box2 *boxes, size_t count, bool used[LEVELS])
{
    size_t buckets = b->buckets;
    for (size_t i = 0; i < count; i++) {
        const box2 *box = &boxes[i];
        int l = level_of(box);
        double x = 0.5 * (box->min[0] + box->max[0]), y = 0.5 * (box->min[1] + box->max[1]);
        b->level[i] = (int16_t)l;
        double per_metre = ldexp(1, -l);
        b->cell[i] = cell_key(l, cell_index(x, per_metre), cell_index(y, per_metre));
        b->bucket[bucket_of(b->cell[i], buckets - 1) + 2]++;
        used[l - LEVEL_MIN] = true;
    }
    for (size_t k = 2; k < buckets + 2; k++)
        b->bucket[k] += b->bucket[k - 1];
    // after this bucket[k] is where bucket k starts and bucket[k + 1] where it ends
    for (size_t i = 0; i < count; i++)
        b->entry[b->bucket[bucket_of(b->cell[i], buckets - 1) + 1]++] = (uint32_t)i;
}

static bool overlap(const box2 *a, const box2 *b)
{
    return a->min[0] <= b->max[0] && b->min[0] <= a->max[0] && a->min[1] <= b->max[1] &&
           b->min[1] <= a->max[1];
}

bool pairs_add(pair_list *p, uint32_t i, uint32_t j)
{
    column all[] = {{(void **)&p->pair, sizeof *p->pair}};
    if (!columns_reserve(all, 1, &p->capacity, p->count + 1))
        return false;
    uint32_t low = i < j ? i : j, high = i < j ? j : i;
    p->pair[p->count++] = (uint64_t)low << 32 | high;
    return true;
}

bool pairs_sort(pair_list *p, arena *a)
{
    arena_mark mark = arena_here(a);
    uint64_t *scratch = arena_push(a, p->count, sizeof *scratch);
    if (scratch == NULL)
        return false;
    sort_u64(p->pair, scratch, p->count);
    arena_back(a, mark);
    return true;
}

void pairs_free(pair_list *p)
{
    free(p->pair);
    *p = (pair_list){0};
}

typedef struct search {
    const grid *g;
    pair_list *out;
    const box2 *boxes;
    broad_filter filter;
    const void *data;
} search;

// pairs of box i with those filed in one cell; in its own cell each pair is taken once
static bool look_in_cell(const search *s, uint32_t i, uint64_t key)
{
    const grid *g = s->g;
    size_t k = bucket_of(key, g->buckets - 1);
    for (uint32_t e = g->bucket[k]; e < g->bucket[k + 1]; e++) {
        uint32_t j = g->entry[e];
        if (g->cell[j] != key || (key == g->cell[i] && j <= i) || !overlap(&s->boxes[i], &s->boxes[j]))
            continue;
        bool first = i < j;
        if (s->filter(s->data, first ? i : j, first ? j : i) && !pairs_add(s->out, i, j))
            return false;
    }
    return true;
}

static bool look_on_level(const search *s, uint32_t i, int level)
{
    const box2 *box = &s->boxes[i];
    double half = ldexp(0.5, level), per_metre = ldexp(1, -level);
    int64_t x0 = cell_index(box->min[0] - half, per_metre), x1 = cell_index(box->max[0] + half, per_metre);
    int64_t y0 = cell_index(box->min[1] - half, per_metre), y1 = cell_index(box->max[1] + half, per_metre);
    // on its own level the other box finds the pair when its cell comes first
    uint64_t first = level == s->g->level[i] ? s->g->cell[i] : 0;
    for (int64_t x = x0; x <= x1; x++)
        for (int64_t y = y0; y <= y1; y++) {
            uint64_t key = cell_key(level, x, y);
            if (key >= first && !look_in_cell(s, i, key))
                return false;
        }
    return true;
}

bool broad_search(pair_list *out, const box2 *boxes, size_t count, broad_filter filter, const void *data,
                  arena *a)
{
    bool used[LEVELS] = {false};
    grid g;
    out->count = 0;
    if (!make_grid(&g, count, a))
        return false;
    fill_grid(&g, boxes, count, used);
    search s = {&g, out, boxes, filter, data};
    for (uint32_t i = 0; i < count; i++)
        for (int l = g.level[i]; l <= LEVEL_MAX; l++)
            if (used[l - LEVEL_MIN] && !look_on_level(&s, i, l))
                return false;
    return true;
}
