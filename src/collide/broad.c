#include "collide/broad.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/buffer.h"
#include "core/sort.h"
#include "core/wide.h"

enum { LEVEL_MIN = -60, LEVEL_MAX = 1024, LEVELS = LEVEL_MAX - LEVEL_MIN + 1 };
/* coarser levels on which places are remembered */
enum { HINTED = 4 };
/* boxes that a thread looks at at a time; boxes whose places are looked at where a level is too wide */
enum { CHUNK = 1024, SAMPLE = 65 };
/* rows of cells after a box's own that may have boxes that overlap it; boxes looked at before any is taken */
enum { ROWS_AFTER = 4, HITS = 128 };

/* Cells are wider than boxes by this share of their side, and of places, which are rounded by less: also when
 * counted in cells, of which there are 2^AXIS_BITS along an axis at most. */
static const double WIDER = 1e-6, ROUNDING = 1e-15;
enum { AXIS_BITS = 30 };

/* The boxes of one level, and the grid of their centres. */
typedef struct level {
    size_t first, end;      /* among the sorted boxes */
    double side;            /* of a cell, m: no box here is wider */
    double low[3], high[3]; /* of centres, m; low: where the grid begins */
    double most[3];         /* the last cell along each axis */
    unsigned bits[3];       /* of a cell's number */
} level;

/* All boxes by level and cell. */
typedef struct grid {
    level *level;
    size_t levels;
    uint64_t *key; /* [boxes] cell << shift | number of the box */
    unsigned shift;
    double *low[3], *high[3]; /* [boxes] */
} grid;

static inline double centre_of(const bounds *b, int d)
{
    return 0.5 * b->min[d] + 0.5 * b->max[d];
}

static inline double side_of(const bounds *box, int dim)
{
    double side = fmax(box->max[0] - box->min[0], box->max[1] - box->min[1]);
    if (dim == 3)
        side = fmax(side, box->max[2] - box->min[2]);
    return fmin(side, DBL_MAX);
}

// level whose cells hold the larger side of the box: 2^(level - 1) <= side < 2^level
static inline int level_of(double side)
{
    int e = LEVEL_MIN;
    if (side > 0)
        frexp(side, &e);
    return e < LEVEL_MIN ? LEVEL_MIN : e > LEVEL_MAX ? LEVEL_MAX : e;
}

static void note_box(level *l, const bounds *box, double side, int dim)
{
    l->side = fmax(l->side, side);
    l->end++;
    for (int d = 0; d < dim; d++) {
        const double x = centre_of(box, d);
        l->low[d] = fmin(l->low[d], x);
        l->high[d] = fmax(l->high[d], x);
    }
}

// bits of the numbers up to this one, `most` at most
static unsigned bits_for(double number, unsigned most)
{
    unsigned bits = 0;
    for (double room = 1; room <= number && bits < most; room *= 2)
        bits++;
    return bits;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// the middle one of some of the boxes' centres
static double middle_of(const level *l, const bounds *boxes, const uint64_t *key, uint64_t number, int d)
{
    double place[SAMPLE];
    const size_t count = l->end - l->first;
    for (size_t k = 0; k < SAMPLE; k++)
        place[k] = centre_of(&boxes[key[l->first + k * (count - 1) / (SAMPLE - 1)] & number], d);
    qsort(place, SAMPLE, sizeof *place, by_size);
    return place[SAMPLE / 2];
}

// how many times a cell's side centres are apart along an axis
static double cells_across(const level *l, int d)
{
    return l->high[d] / l->side - l->low[d] / l->side;
}

// how many cells there are along each axis: few enough for their numbers.  What is beyond them shares the
// last ones, which costs time but no pair; they are about the middle one of the boxes then
static void lay_out(level *l, const bounds *boxes, const uint64_t *key, unsigned shift, int dim)
{
    double far = 0;
    unsigned sum = 0;
    for (int d = 0; d < dim; d++)
        far = fmax(far, fmax(fabs(l->low[d]), fabs(l->high[d])));
    l->side = fmax(l->side * (1 + WIDER) + far * ROUNDING, ldexp(1, LEVEL_MIN));
    for (int d = 0; d < dim; d++) {
        l->bits[d] = bits_for(floor(cells_across(l, d)) + 1, AXIS_BITS);
        sum += l->bits[d];
    }
    for (; sum > 64 - shift; sum--) {
        int widest = 0;
        for (int d = 1; d < dim; d++)
            widest = l->bits[d] > l->bits[widest] ? d : widest;
        l->bits[widest]--;
    }
    for (int d = 0; d < dim; d++) {
        l->most[d] = ldexp(1, (int)l->bits[d]) - 1;
        if (cells_across(l, d) > l->most[d])
            l->low[d] = middle_of(l, boxes, key, ((uint64_t)1 << shift) - 1, d) - 0.5 * l->most[d] * l->side;
    }
}

// cell along an axis
static inline uint64_t cell_index(const level *l, double x, int d)
{
    const double c = (x - l->low[d]) / l->side;
    return c > 0 ? (uint64_t)fmin(c, l->most[d]) : 0;
}

static inline uint64_t cell_key(const level *l, const uint64_t cell[3])
{
    return (cell[2] << l->bits[1] | cell[1]) << l->bits[0] | cell[0];
}

static inline uint64_t cell_at(const level *l, const bounds *box, int dim)
{
    uint64_t cell[3] = {0, 0, 0};
    for (int d = 0; d < dim; d++)
        cell[d] = cell_index(l, centre_of(box, d), d);
    return cell_key(l, cell);
}

// the levels in use, coarser ones last; at: where the next box of each goes
static bool make_levels(grid *g, const bounds *boxes, size_t count, int dim, arena *a, level *at[LEVELS])
{
    uint32_t used[LEVELS] = {0};
    for (size_t i = 0; i < count; i++)
        used[level_of(side_of(&boxes[i], dim)) - LEVEL_MIN]++;
    for (int l = 0; l < LEVELS; l++)
        g->levels += used[l] > 0;
    g->level = arena_push(a, g->levels, sizeof *g->level);
    if (g->level == NULL)
        return false;
    size_t first = 0;
    level *next = g->level;
    for (int l = 0; l < LEVELS; first += used[l++])
        if (used[l] > 0) {
            at[l] = next;
            *next++ = (level){.first = first,
                              .end = first,
                              .low = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                              .high = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
        }
    return true;
}

// sorts the boxes of every level by cells
static void sort_levels(grid *g, const bounds *boxes, uint64_t *scratch, int dim)
{
    for (size_t k = 0; k < g->levels; k++) {
        level *l = &g->level[k];
        lay_out(l, boxes, g->key, g->shift, dim);
        for (size_t i = l->first; i < l->end; i++)
            g->key[i] |= cell_at(l, &boxes[g->key[i]], dim) << g->shift;
        sort_u64_from(g->key + l->first, scratch, l->end - l->first, g->shift);
    }
}

static bool make_grid(grid *g, const bounds *boxes, size_t count, int dim, arena *a)
{
    level *at[LEVELS];
    *g = (grid){.shift = bits_for((double)count, 32)};
    if (!make_levels(g, boxes, count, dim, a, at))
        return false;
    g->key = arena_push(a, count, sizeof *g->key);
    for (int d = 0; d < dim; d++) {
        g->low[d] = arena_push(a, count, sizeof *g->low[d]);
        g->high[d] = arena_push(a, count, sizeof *g->high[d]);
        if (g->low[d] == NULL || g->high[d] == NULL)
            return false;
    }
    if (g->key == NULL)
        return false;
    // the sorted boxes come when the keys are
    _Static_assert(sizeof *g->low[0] == sizeof *g->key, "scratch for the keys");
    for (size_t i = 0; i < count; i++) {
        const double side = side_of(&boxes[i], dim);
        level *l = at[level_of(side) - LEVEL_MIN];
        g->key[l->end] = i;
        note_box(l, &boxes[i], side, dim);
    }
    sort_levels(g, boxes, (uint64_t *)(void *)g->low[0], dim);
    const uint64_t number = ((uint64_t)1 << g->shift) - 1;
    for (size_t k = 0; k < count; k++)
        for (int d = 0; d < dim; d++) {
            const bounds *b = &boxes[g->key[k] & number];
            g->low[d][k] = b->min[d];
            g->high[d][k] = b->max[d];
        }
    return true;
}

// how far the boxes [begin, end) are from box k along the axis where they are farthest: up to 0 they overlap
static inline void separate(const grid *g, int dim, size_t k, size_t begin, size_t end, double *restrict out)
{
    for (int d = 0; d < dim; d++) {
        const double *restrict low = g->low[d], *restrict high = g->high[d], from = low[k], upto = high[k];
        for (size_t j = begin; j < end; j++) {
            const double x = low[j] - upto, y = from - high[j], more = x > y ? x : y;
            out[j - begin] = d > 0 && out[j - begin] > more ? out[j - begin] : more;
        }
    }
}

WIDE static void separate2(const grid *g, size_t k, size_t begin, size_t end, double *out)
{
    separate(g, 2, k, begin, end, out);
}

WIDE static void separate3(const grid *g, size_t k, size_t begin, size_t end, double *out)
{
    separate(g, 3, k, begin, end, out);
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

/* Where pairs go: those beyond the room are counted only. */
typedef struct sink {
    uint64_t *pair;
    size_t count, room;
} sink;

typedef struct search {
    const grid *g;
    int dim;
    broad_filter filter;
    const void *data;
    pair_list *out;
    size_t room;   /* in out for the pairs of each chunk */
    size_t *found; /* [chunks] */
} search;

// box k and those of [begin, end) that overlap it
static inline void look_at(const search *s, int dim, size_t k, size_t begin, size_t end, sink *to)
{
    const grid *g = s->g;
    const uint64_t number = ((uint64_t)1 << g->shift) - 1;
    const uint32_t i = (uint32_t)(g->key[k] & number);
    for (size_t at = begin; at < end;) {
        size_t hit[HITS], hits = 0;
        double apart[HITS];
        const size_t first = at, stop = end - at < HITS ? end : at + HITS;
        if (dim == 2)
            separate2(g, k, first, stop, apart);
        else
            separate3(g, k, first, stop, apart);
        for (; at < stop; at++) {
            hit[hits] = at;
            hits += apart[at - first] <= 0;
        }
        for (size_t n = 0; n < hits; n++) {
            const uint32_t j = (uint32_t)(g->key[hit[n]] & number), low = i < j ? i : j, high = i < j ? j : i;
            if (!s->filter(s->data, low, high))
                continue;
            if (to->count < to->room)
                to->pair[to->count] = (uint64_t)low << 32 | high;
            to->count++;
        }
    }
}

// the first box of [low, high) whose cell is not before the one given
static size_t first_from(const grid *g, size_t low, size_t high, uint64_t cell)
{
    while (low < high) {
        const size_t mid = low + (high - low) / 2;
        if (g->key[mid] >> g->shift < cell)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Ranges of boxes that go up with the box that is looked at. */
typedef struct row {
    int64_t y, z; /* from the box's own row */
    size_t begin, end;
    bool empty;
} row;

// takes the rows on to those of box k; those beyond the grid are empty
static inline void move_rows(const grid *g, const level *l, size_t k, row *rows, size_t count)
{
    const uint64_t cell = g->key[k] >> g->shift, line = cell >> l->bits[0], x = cell - (line << l->bits[0]),
                   z = line >> l->bits[1], y = line - (z << l->bits[1]);
    const uint64_t before = x > 0, after = (double)x < l->most[0];
    for (size_t n = 0; n < count; n++) {
        row *r = &rows[n];
        const int64_t there[2] = {(int64_t)y + r->y, (int64_t)z + r->z};
        r->empty = there[0] < 0 || (double)there[0] > l->most[1] || (double)there[1] > l->most[2];
        if (r->empty)
            continue;
        const uint64_t middle = cell_key(l, (uint64_t[3]){x, (uint64_t)there[0], (uint64_t)there[1]});
        while (r->begin < l->end && g->key[r->begin] >> g->shift < middle - before)
            r->begin++;
        r->end = r->end < r->begin ? r->begin : r->end;
        while (r->end < l->end && g->key[r->end] >> g->shift <= middle + after)
            r->end++;
    }
}

// with the boxes of its own level that come after it: in its own row of cells and in those after it, where
// each pair is taken once
static inline void look_beside(const search *s, int dim, size_t k, const row *rows, size_t count, sink *to)
{
    for (size_t n = 0; n < count; n++)
        if (!rows[n].empty)
            look_at(s, dim, k, rows[n].begin > k ? rows[n].begin : k + 1, rows[n].end, to);
}

// the same, looked for from a place near which it was for another box
static size_t first_near(const grid *g, const level *l, size_t hint, uint64_t cell)
{
    size_t low = hint < l->first ? l->first : hint > l->end ? l->end : hint, high = low;
    // farther and farther back, then on
    for (size_t by = 1; low > l->first && g->key[low - 1] >> g->shift >= cell; by *= 2) {
        high = low - 1;
        low = high - l->first > by ? high - by : l->first;
    }
    for (size_t by = 1; high < l->end && g->key[high] >> g->shift < cell; by *= 2) {
        low = high + 1;
        high = l->end - low > by ? low + by : l->end;
    }
    return first_from(g, low, high, cell);
}

/* Where the ranges of the last box on another level began: of the first rows. */
typedef struct hints {
    size_t row[9];
} hints;

// with those of another level: their centres are within half a cell of it
static inline void look_across(const search *s, int dim, const level *l, size_t k, hints *last, sink *to)
{
    const grid *g = s->g;
    uint64_t from[3] = {0, 0, 0}, upto[3] = {0, 0, 0};
    size_t n = 0;
    for (int d = 0; d < dim; d++) {
        from[d] = cell_index(l, g->low[d][k] - 0.5 * l->side, d);
        upto[d] = cell_index(l, g->high[d][k] + 0.5 * l->side, d);
    }
    // a wide box on a fine level: there are more rows than boxes
    if ((double)(upto[1] - from[1] + 1) * (double)(upto[2] - from[2] + 1) > (double)(l->end - l->first)) {
        look_at(s, dim, k, l->first, l->end, to);
        return;
    }
    for (uint64_t z = from[2]; z <= upto[2]; z++)
        for (uint64_t y = from[1]; y <= upto[1]; y++) {
            const uint64_t first = cell_key(l, (uint64_t[3]){from[0], y, z}),
                           end_cell = cell_key(l, (uint64_t[3]){upto[0], y, z});
            size_t *hint = &last->row[n < 8 ? n++ : 8];
            *hint = first_near(g, l, *hint, first);
            size_t end = *hint;
            while (end < l->end && g->key[end] >> g->shift <= end_cell)
                end++;
            look_at(s, dim, k, *hint, end, to);
        }
}

// boxes [begin, end) of one level
static inline void search_level(const search *s, int dim, size_t number, size_t begin, size_t end, sink *to)
{
    const grid *g = s->g;
    const level *l = &g->level[number];
    row rows[1 + ROWS_AFTER] = {{.y = 0}, {.y = 1}, {.y = -1, .z = 1}, {.z = 1}, {.y = 1, .z = 1}};
    const size_t count = dim == 2 ? 2 : 1 + ROWS_AFTER;
    // where the first box's rows begin, or before
    for (size_t n = 0; n < count; n++) {
        const uint64_t line = (uint64_t)((rows[n].z << l->bits[1]) + rows[n].y) << l->bits[0],
                       cell = g->key[begin] >> g->shift, start = cell + line;
        rows[n].begin = rows[n].end = first_from(g, begin, l->end, start > cell ? start - 1 : 0);
    }
    hints above[HINTED];
    memset(above, 0, sizeof above);
    for (size_t k = begin; k < end; k++) {
        // boxes of one cell have the same
        if (k == begin || g->key[k] >> g->shift != g->key[k - 1] >> g->shift)
            move_rows(g, l, k, rows, count);
        look_beside(s, dim, k, rows, count, to);
        for (size_t n = 0; number + 1 + n < g->levels; n++)
            look_across(s, dim, &g->level[number + 1 + n], k, &above[n < HINTED ? n : HINTED - 1], to);
    }
}

static inline size_t search_range(const search *s, int dim, size_t begin, size_t end, sink to)
{
    for (size_t l = 0; l < s->g->levels; l++) {
        const size_t first = s->g->level[l].first > begin ? s->g->level[l].first : begin,
                     last = s->g->level[l].end < end ? s->g->level[l].end : end;
        if (first < last)
            search_level(s, dim, l, first, last, &to);
    }
    return to.count;
}

static void search_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    const search *s = data;
    const sink to = {s->out->pair + chunk * s->room, 0, s->room};
    // the number of dimensions is a constant in each of the copies
    s->found[chunk] = s->dim == 2 ? search_range(s, 2, begin, end, to) : search_range(s, 3, begin, end, to);
}

// puts the pairs of all chunks one after the other; those of chunks that had more than their room are looked
// for again
static bool gather(search *s, size_t boxes, size_t chunks)
{
    pair_list *out = s->out;
    column all[] = {{(void **)&out->pair, sizeof *out->pair}};
    size_t more = 0;
    for (size_t k = 0; k < chunks; k++) {
        if (s->found[k] > s->room) {
            more += s->found[k];
            continue;
        }
        memmove(out->pair + out->count, out->pair + k * s->room, s->found[k] * sizeof *out->pair);
        out->count += s->found[k];
    }
    if (more > 0 && !columns_reserve(all, 1, &out->capacity, out->count + more))
        return false;
    for (size_t k = 0; k < chunks && more > 0; k++) {
        if (s->found[k] <= s->room)
            continue;
        const size_t begin = k * CHUNK, end = begin + CHUNK < boxes ? begin + CHUNK : boxes;
        search again = {
            s->g,        s->dim,        s->filter, s->data, &(pair_list){out->pair + out->count, 0, 0},
            s->found[k], (size_t[1]){0}};
        search_chunk(&again, 0, begin, end);
        out->count += s->found[k];
    }
    return true;
}

bool broad_search(pair_list *out, int dim, const bounds *boxes, size_t count, broad_filter filter,
                  const void *data, arena *a, pool *threads)
{
    grid g;
    const size_t chunks = chunk_count(count, CHUNK), before = out->count;
    column all[] = {{(void **)&out->pair, sizeof *out->pair}};
    search s = {&g, dim, filter, data, out, 0, arena_push(a, chunks, sizeof *s.found)};
    out->count = 0;
    if (count == 0)
        return true;
    if (s.found == NULL || !make_grid(&g, boxes, count, dim, a))
        return false;
    // as many as last time and some
    s.room = before / chunks + before / chunks / 8 + CHUNK / 2;
    if (!columns_reserve(all, 1, &out->capacity, chunks * s.room))
        return false;
    parallel_for(threads, count, CHUNK, search_chunk, &s);
    return gather(&s, count, chunks);
}

/* Boxes of which one is looked for on all levels; the pairs of two of them are found twice. */
typedef struct wanted_data {
    broad_filter filter;
    const void *data;
    const uint8_t *wanted;
    uint32_t now;
} wanted_data;

static bool once(const void *data, uint32_t i, uint32_t j)
{
    const wanted_data *w = data;
    const uint32_t other = i == w->now ? j : i;
    return other != w->now && !(w->wanted[other] && other < w->now) && w->filter(w->data, i, j);
}

bool broad_search_some(pair_list *out, int dim, const bounds *boxes, size_t count, const uint8_t *wanted,
                       broad_filter filter, const void *data, arena *a)
{
    grid g;
    column all[] = {{(void **)&out->pair, sizeof *out->pair}};
    wanted_data w = {filter, data, wanted, 0};
    const search s = {&g, dim, once, &w, out, 0, NULL};
    if (!make_grid(&g, boxes, count, dim, a) || !columns_reserve(all, 1, &out->capacity, out->count + 1))
        return false;
    const uint64_t number = ((uint64_t)1 << g.shift) - 1;
    for (size_t k = 0; k < count; k++) {
        w.now = (uint32_t)(g.key[k] & number);
        for (bool fits = !wanted[w.now]; !fits;) {
            sink to = {out->pair + out->count, 0, out->capacity - out->count};
            hints none = {{0}};
            for (size_t l = 0; l < g.levels; l++)
                look_across(&s, dim, &g.level[l], k, &none, &to);
            fits = to.count <= to.room;
            if (fits)
                out->count += to.count;
            else if (!columns_reserve(all, 1, &out->capacity, out->count + to.count))
                return false;
        }
    }
    return true;
}
