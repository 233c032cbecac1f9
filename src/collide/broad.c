#include "collide/broad.h"

#include <math.h>
#include <stdlib.h>

#include "core/buffer.h"
#include "core/sort.h"

/* up to the largest double: a box is never wider than a cell of its level */
enum { LEVEL_MIN = -60, LEVEL_MAX = 1024, LEVELS = LEVEL_MAX - LEVEL_MIN + 1 };

// level whose cell holds the larger side of the box
static inline int level_of(const bounds *box, int dim)
{
    double side = fmax(box->max[0] - box->min[0], box->max[1] - box->min[1]);
    if (dim == 3)
        side = fmax(side, box->max[2] - box->min[2]);
    int e = LEVEL_MIN;
    if (side > 0)
        frexp(side, &e);
    return e < LEVEL_MIN ? LEVEL_MIN : e > LEVEL_MAX ? LEVEL_MAX : e;
}

// a cell; z is 0 in 2D
typedef struct cell {
    int64_t x, y, z;
} cell;

// bits of a cell number along an axis, so that level and numbers fit into 64 bits
static inline int axis_bits(int dim)
{
    return dim == 2 ? 26 : 17;
}

// cell number along an axis; far away everything shares the last cell, which costs time but no pair
static inline int64_t cell_index(double x, double cells_per_metre, double most)
{
    double c = x * cells_per_metre;
    c = c > most ? most : c < -most ? -most : c;
    int64_t i = (int64_t)c;
    return i - ((double)i > c ? 1 : 0);
}

// per_metre: cells of the level per metre
static inline cell cell_at(const double *p, double shift, double per_metre, int dim)
{
    const double most = (double)(1 << (axis_bits(dim) - 2));
    return (cell){cell_index(p[0] + shift, per_metre, most), cell_index(p[1] + shift, per_metre, most),
                  dim == 3 ? cell_index(p[2] + shift, per_metre, most) : 0};
}

static inline uint64_t cell_key(int level, cell c, int dim)
{
    int bits = axis_bits(dim);
    int64_t half = (int64_t)1 << (bits - 1);
    uint64_t key = (uint64_t)(level - LEVEL_MIN) << bits | (uint64_t)(c.x + half);
    key = key << bits | (uint64_t)(c.y + half);
    return dim == 2 ? key : key << bits | (uint64_t)(c.z + half);
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
static inline void fill_grid(grid *b, int dim, const bounds *boxes, size_t count, bool used[LEVELS])
{
    size_t buckets = b->buckets;
    for (size_t i = 0; i < count; i++) {
        const bounds *box = &boxes[i];
        int l = level_of(box, dim);
        double centre[3] = {0};
        for (int d = 0; d < dim; d++)
            centre[d] = 0.5 * (box->min[d] + box->max[d]);
        b->level[i] = (int16_t)l;
        b->cell[i] = cell_key(l, cell_at(centre, 0, ldexp(1, -l), dim), dim);
        b->bucket[bucket_of(b->cell[i], buckets - 1) + 2]++;
        used[l - LEVEL_MIN] = true;
    }
    for (size_t k = 2; k < buckets + 2; k++)
        b->bucket[k] += b->bucket[k - 1];
    // after this bucket[k] is where bucket k starts and bucket[k + 1] where it ends
    for (size_t i = 0; i < count; i++)
        b->entry[b->bucket[bucket_of(b->cell[i], buckets - 1) + 1]++] = (uint32_t)i;
}

static inline bool overlap(const bounds *a, const bounds *b, int dim)
{
    bool plane =
        a->min[0] <= b->max[0] && b->min[0] <= a->max[0] && a->min[1] <= b->max[1] && b->min[1] <= a->max[1];
    return plane && (dim == 2 || (a->min[2] <= b->max[2] && b->min[2] <= a->max[2]));
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

// a level that holds boxes
typedef struct used_level {
    int level;
    double half, per_metre; /* half the side of its cells, m; cells per metre */
} used_level;

typedef struct search {
    const grid *g;
    pair_list *out;
    const bounds *boxes;
    broad_filter filter;
    const void *data;
} search;

// pairs of box i with those filed in one cell; in its own cell each pair is taken once
static inline bool look_in_cell(const search *s, int dim, uint32_t i, uint64_t key)
{
    const grid *g = s->g;
    size_t k = bucket_of(key, g->buckets - 1);
    for (uint32_t e = g->bucket[k]; e < g->bucket[k + 1]; e++) {
        uint32_t j = g->entry[e];
        if (g->cell[j] != key || (key == g->cell[i] && j <= i) || !overlap(&s->boxes[i], &s->boxes[j], dim))
            continue;
        bool first = i < j;
        if (s->filter(s->data, first ? i : j, first ? j : i) && !pairs_add(s->out, i, j))
            return false;
    }
    return true;
}

static inline bool look_on_level(const search *s, int dim, uint32_t i, const used_level *l)
{
    const bounds *box = &s->boxes[i];
    cell from = cell_at(box->min, -l->half, l->per_metre, dim), c;
    cell to = cell_at(box->max, l->half, l->per_metre, dim);
    // on its own level the other box finds the pair when its cell comes first
    uint64_t first = l->level == s->g->level[i] ? s->g->cell[i] : 0;
    for (c.x = from.x; c.x <= to.x; c.x++)
        for (c.y = from.y; c.y <= to.y; c.y++)
            for (c.z = from.z; c.z <= to.z; c.z++) {
                uint64_t key = cell_key(l->level, c, dim);
                if (key >= first && !look_in_cell(s, dim, i, key))
                    return false;
            }
    return true;
}

static inline bool search_boxes(pair_list *out, int dim, const bounds *boxes, size_t count,
                                broad_filter filter, const void *data, arena *a)
{
    bool used[LEVELS] = {false};
    grid g;
    out->count = 0;
    if (!make_grid(&g, count, a))
        return false;
    fill_grid(&g, dim, boxes, count, used);
    search s = {&g, out, boxes, filter, data};
    used_level level[LEVELS];
    size_t levels = 0;
    for (int l = LEVEL_MIN; l <= LEVEL_MAX; l++)
        if (used[l - LEVEL_MIN])
            level[levels++] = (used_level){l, ldexp(0.5, l), ldexp(1, -l)};
    for (uint32_t i = 0; i < count; i++)
        for (size_t k = levels; k-- > 0 && level[k].level >= g.level[i];)
            if (!look_on_level(&s, dim, i, &level[k]))
                return false;
    return true;
}

// the number of dimensions is a constant in each of the two copies that the compiler makes of the above
bool broad_search(pair_list *out, int dim, const bounds *boxes, size_t count, broad_filter filter,
                  const void *data, arena *a)
{
    return dim == 2 ? search_boxes(out, 2, boxes, count, filter, data, a)
                    : search_boxes(out, 3, boxes, count, filter, data, a);
}
