#include "collide/contacts.h"

#include <stdlib.h>
#include <string.h>

#include "core/buffer.h"
#include "core/wide.h"

#define COLUMN(p, field, n)                                                                                  \
    {                                                                                                        \
        (void **)&(p)->field, (n) * sizeof *(p)->field                                                       \
    }

/* The last WRITTEN of the columns are those that a step writes after detection. */
enum { CONTACT_COLUMNS = 14, WRITTEN = 5, CHUNK = 2048 };

static void contact_columns(contact_set *c, column out[CONTACT_COLUMNS])
{
    const column all[CONTACT_COLUMNS] = {COLUMN(c, slot1, 1),
                                         COLUMN(c, slot2, 1),
                                         COLUMN(c, id1, 1),
                                         COLUMN(c, id2, 1),
                                         COLUMN(c, feature, 1),
                                         COLUMN(c, point, c->dim),
                                         COLUMN(c, normal, c->dim),
                                         COLUMN(c, gap, 1),
                                         COLUMN(c, image, c->periodic ? c->dim : 0),
                                         COLUMN(c, S, c->dim),
                                         COLUMN(c, U, c->dim),
                                         COLUMN(c, law, 1),
                                         COLUMN(c, status, 1),
                                         COLUMN(c, memory, c->remembers ? 1 : 0)};
    memcpy(out, all, sizeof all);
}

bool contacts_reserve(contact_set *c, size_t need)
{
    column all[CONTACT_COLUMNS];
    contact_columns(c, all);
    return columns_reserve(all, CONTACT_COLUMNS, &c->capacity, need);
}

bool contacts_remember(contact_set *c, bool remembers)
{
    if (remembers == c->remembers)
        return true;
    if (!remembers) {
        free(c->memory);
        c->memory = NULL;
    } else if (c->capacity > 0) {
        c->memory = calloc(c->capacity, sizeof *c->memory);
        if (c->memory == NULL)
            return false;
    }
    c->remembers = remembers;
    return true;
}

// n entries of a column from number `at` on to number `place` of another; some columns have none
static void copy_entries(const column *from, size_t at, const column *to, size_t place, size_t n)
{
    const size_t e = from->entry;
    if (e > 0)
        memmove((char *)*to->array + place * e, (const char *)*from->array + at * e, n * e);
}

void contacts_filter(contact_set *c, bool (*keep)(const contact_set *c, size_t i, const void *data),
                     const void *data)
{
    column all[CONTACT_COLUMNS];
    contact_columns(c, all);
    size_t kept = 0;
    // runs [i, end) of what stays, and one after each that goes
    for (size_t i = 0, end; i < c->count; i = end + 1) {
        for (end = i; end < c->count && keep(c, end, data); end++)
            ;
        for (size_t k = 0; k < CONTACT_COLUMNS && kept < i && i < end; k++)
            copy_entries(&all[k], i, &all[k], kept, end - i);
        kept += end - i;
    }
    c->count = kept;
}

// how many of which[i], which[i + 1] ... follow each other without a hole
static size_t run_length(const uint32_t *which, size_t i, size_t count)
{
    size_t n = 1;
    while (i + n < count && which[i + n] == which[i] + n)
        n++;
    return n;
}

bool contacts_pick(const contact_set *c, const uint32_t *which, size_t count, contact_set *out)
{
    column from[CONTACT_COLUMNS], to[CONTACT_COLUMNS];
    if (!contacts_remember(out, c->remembers) || !contacts_reserve(out, count))
        return false;
    contact_columns((contact_set *)c, from);
    contact_columns(out, to);
    for (size_t i = 0, n; i < count; i += n) {
        n = run_length(which, i, count);
        for (size_t k = 0; k < CONTACT_COLUMNS; k++)
            copy_entries(&from[k], which[i], &to[k], i, n);
    }
    out->count = count;
    return true;
}

void contacts_put_back(const contact_set *picked, const uint32_t *which, contact_set *c)
{
    column from[CONTACT_COLUMNS], to[CONTACT_COLUMNS];
    contact_columns((contact_set *)picked, from);
    contact_columns(c, to);
    for (size_t i = 0, n; i < picked->count; i += n) {
        n = run_length(which, i, picked->count);
        for (size_t k = CONTACT_COLUMNS - WRITTEN; k < CONTACT_COLUMNS; k++)
            copy_entries(&from[k], i, &to[k], which[i], n);
    }
}

typedef struct contact_key {
    uint32_t slot1, slot2;
    uint64_t feature;
} contact_key;

static inline contact_key key_of(const contact_set *c, size_t i)
{
    return (contact_key){c->slot1[i], c->slot2[i], c->feature[i]};
}

// whether a comes before b in the order in which detection meets pairs of parts
static inline bool key_before(const contact_key *a, const contact_key *b)
{
    if (a->slot1 != b->slot1)
        return a->slot1 < b->slot1;
    if (a->feature >> 44 != b->feature >> 44)
        return a->feature >> 44 < b->feature >> 44;
    if (a->slot2 != b->slot2)
        return a->slot2 < b->slot2;
    return a->feature < b->feature;
}

// how many of the first n contacts of a come after all of the first m of b
static size_t count_after(const contact_set *a, size_t n, const contact_set *b, size_t m)
{
    size_t k = n;
    if (m == 0)
        return n;
    const contact_key last = key_of(b, m - 1);
    for (; k > 0; k--) {
        const contact_key before = key_of(a, k - 1);
        if (!key_before(&last, &before))
            break;
    }
    return n - k;
}

// n contacts of `from` that end before number `end` to those of c that end before number `to`
static void copy_run(const contact_set *from, size_t end, size_t n, contact_set *c, size_t to)
{
    column source[CONTACT_COLUMNS], target[CONTACT_COLUMNS];
    contact_columns((contact_set *)from, source);
    contact_columns(c, target);
    for (size_t k = 0; k < CONTACT_COLUMNS && n > 0; k++)
        copy_entries(&source[k], end - n, &target[k], to - n, n);
}

bool contacts_merge(contact_set *c, const contact_set *more)
{
    size_t i = c->count, j = more->count;
    if (!contacts_reserve(c, i + j))
        return false;
    c->count = i + j;
    // from the end, so that nothing is overwritten before it has moved
    while (j > 0) {
        const size_t n = count_after(more, j, c, i);
        copy_run(more, j, n, c, i + j);
        j -= n;
        const size_t m = j > 0 ? count_after(c, i, more, j) : 0;
        copy_run(c, i, m, c, i + j);
        i -= m;
        // lists that are out of order, from a file that somebody made, come to an end too
        if (n == 0 && m == 0) {
            copy_run(more, j, 1, c, i + j);
            j--;
        }
    }
    return true;
}

void contacts_free(contact_set *c)
{
    column all[CONTACT_COLUMNS];
    contact_columns(c, all);
    columns_free(all, CONTACT_COLUMNS);
    *c = (contact_set){.dim = c->dim, .remembers = c->remembers, .periodic = c->periodic};
}

size_t contacts_bytes(const contact_set *c)
{
    column all[CONTACT_COLUMNS];
    contact_columns((contact_set *)c, all);
    return columns_bytes(all, CONTACT_COLUMNS, c->capacity);
}

void contact_to_world(size_t dim, const double *n, const double *S, double *out)
{
    if (dim == 2) {
        contact_to_world2(n, S, out);
        return;
    }
    double t[3], s[3];
    contact_frame(n, t, s);
    for (int k = 0; k < 3; k++)
        out[k] = n[k] * S[0] + t[k] * S[1] + s[k] * S[2];
}

// one of the two walks below
typedef struct walk {
    contact_memory *m;
    contact_set *c;
} walk;

// impulses of `count` contacts from their own axes to the world's
WIDE static void all_to_world(size_t count, const double *restrict normal, const double *restrict S,
                              double *restrict P)
{
    for (size_t i = 0; i < count; i++) {
        const double *n = &normal[3 * i];
        const double N = S[3 * i], A = S[3 * i + 1], B = S[3 * i + 2];
        double t[3], s[3];
        contact_frame(n, t, s);
        P[3 * i] = n[0] * N + t[0] * A + s[0] * B;
        P[3 * i + 1] = n[1] * N + t[1] * A + s[1] * B;
        P[3 * i + 2] = n[2] * N + t[2] * A + s[2] * B;
    }
}

// and back, in place
WIDE static void all_from_world(size_t count, const double *restrict normal, double *restrict S)
{
    for (size_t i = 0; i < count; i++) {
        const double *n = &normal[3 * i];
        const double x = S[3 * i], y = S[3 * i + 1], z = S[3 * i + 2];
        double t[3], s[3];
        contact_frame(n, t, s);
        S[3 * i] = x * n[0] + y * n[1] + z * n[2];
        S[3 * i + 1] = x * t[0] + y * t[1] + z * t[2];
        S[3 * i + 2] = x * s[0] + y * s[1] + z * s[2];
    }
}

static void take_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    const walk *w = data;
    const contact_set *c = w->c;
    contact_memory *m = w->m;
    const size_t n = end - begin;
    (void)chunk;
    memcpy(m->slot1 + begin, c->slot1 + begin, n * sizeof *m->slot1);
    memcpy(m->slot2 + begin, c->slot2 + begin, n * sizeof *m->slot2);
    memcpy(m->feature + begin, c->feature + begin, n * sizeof *m->feature);
    memcpy(m->status + begin, c->status + begin, n * sizeof *m->status);
    if (c->remembers)
        memcpy(m->memory + begin, c->memory + begin, n * sizeof *m->memory);
    if (c->dim == 2)
        memcpy(m->S + 2 * begin, c->S + 2 * begin, 2 * n * sizeof *m->S);
    else
        all_to_world(n, &c->normal[3 * begin], &c->S[3 * begin], &m->S[3 * begin]);
}

bool memory_take(contact_memory *m, const contact_set *c, arena *a, pool *threads)
{
    const size_t n = c->count;
    *m = (contact_memory){.dim = c->dim, .count = n, .remembers = c->remembers};
    m->slot1 = arena_push(a, n, sizeof *m->slot1);
    m->slot2 = arena_push(a, n, sizeof *m->slot2);
    m->feature = arena_push(a, n, sizeof *m->feature);
    m->S = arena_push(a, c->dim * n, sizeof *m->S);
    m->status = arena_push(a, n, sizeof *m->status);
    m->memory = arena_push(a, c->remembers ? n : 0, sizeof *m->memory);
    if (m->slot1 == NULL || m->slot2 == NULL || m->feature == NULL || m->S == NULL || m->status == NULL ||
        m->memory == NULL)
        return false;
    parallel_for(threads, n, CHUNK, take_chunk, &(walk){m, (contact_set *)c});
    return true;
}

static inline bool same_key(const contact_memory *m, size_t i, const contact_key *k)
{
    return m->slot1[i] == k->slot1 && m->slot2[i] == k->slot2 && m->feature[i] == k->feature;
}

static inline bool comes_before(const contact_memory *m, size_t i, const contact_key *k)
{
    return key_before(&(contact_key){m->slot1[i], m->slot2[i], m->feature[i]}, k);
}

// the first entry of m in [low, high) that does not come before k
static size_t first_from(const contact_memory *m, size_t low, size_t high, const contact_key *k)
{
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (comes_before(m, mid, k))
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

bool memory_find(const contact_memory *m, size_t *at, uint32_t slot1, uint32_t slot2, uint64_t feature)
{
    const contact_key k = {slot1, slot2, feature};
    size_t low = *at < m->count ? *at : m->count, high = low;
    // farther and farther back, then on
    for (size_t step = 1; low > 0 && !comes_before(m, low - 1, &k); step *= 2) {
        high = low - 1;
        low = low > step ? low - step : 0;
    }
    for (size_t step = 1; high < m->count && comes_before(m, high, &k); step *= 2) {
        low = high + 1;
        high = m->count - high > step ? high + step : m->count;
    }
    *at = first_from(m, low, high, &k);
    return *at < m->count && same_key(m, *at, &k);
}

static inline void recall_range(size_t dim, const contact_memory *m, contact_set *c, size_t begin, size_t end)
{
    const size_t known_count = m->count;
    const contact_key first = key_of(c, begin);
    double *restrict S = c->S;
    for (size_t j = begin, i = first_from(m, 0, known_count, &first); j < end; j++) {
        const contact_key k = key_of(c, j);
        bool known = i < known_count && same_key(m, i, &k);
        while (!known && i < known_count && comes_before(m, i, &k))
            known = ++i < known_count && same_key(m, i, &k);
        for (size_t e = 0; e < dim; e++)
            S[dim * j + e] = known ? m->S[dim * i + e] : 0;
        c->status[j] = known ? m->status[i] : 0;
        if (c->remembers)
            c->memory[j] = known && m->remembers ? m->memory[i] : 0;
        i += known ? 1 : 0;
    }
}

static void recall_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    const walk *w = data;
    (void)chunk;
    // the dimension is a constant in each of the copies
    if (w->c->dim == 2) {
        recall_range(2, w->m, w->c, begin, end);
    } else {
        recall_range(3, w->m, w->c, begin, end);
        all_from_world(end - begin, &w->c->normal[3 * begin], &w->c->S[3 * begin]);
    }
}

void memory_recall(const contact_memory *m, contact_set *c, pool *threads)
{
    parallel_for(threads, c->count, CHUNK, recall_chunk, &(walk){(contact_memory *)m, c});
}
