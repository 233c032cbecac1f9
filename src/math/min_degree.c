/* Approximate minimum degree on a quotient graph: see min_degree.h. */
#include "math/min_degree.h"

#include <stdlib.h>

#include "core/buffer.h"

#define NONE UINT32_MAX
enum { NODE_COLUMNS = 18 };

static void node_columns(min_degree *g, column out[NODE_COLUMNS])
{
    uint32_t **arrays[] = {&g->elements, &g->variables, &g->weight, &g->degree,     &g->outside,  &g->seen,
                           &g->touched,  &g->same,      &g->head,   &g->next,       &g->previous, &g->bucket,
                           &g->follow,   &g->tail,      &g->hash,   &g->bucket_next};
    for (size_t k = 0; k < 16; k++)
        out[k] = (column){(void **)arrays[k], sizeof(uint32_t)};
    out[16] = (column){(void **)&g->start, sizeof(size_t)};
    out[17] = (column){(void **)&g->alive, 1};
}

static bool pool_reserve(min_degree *g, size_t need)
{
    column pool = {(void **)&g->pool, sizeof(uint32_t)};
    return need <= g->room_pool || columns_reserve(&pool, 1, &g->room_pool, need + need / 4);
}

void min_degree_free(min_degree *g)
{
    column nodes[NODE_COLUMNS];
    node_columns(g, nodes);
    columns_free(nodes, NODE_COLUMNS);
    free(g->pool);
    *g = (min_degree){0};
}

static void insert(min_degree *g, uint32_t i)
{
    uint32_t first = g->head[g->degree[i]];
    g->next[i] = first;
    g->previous[i] = NONE;
    if (first != NONE)
        g->previous[first] = i;
    g->head[g->degree[i]] = i;
}

static void remove_from_list(min_degree *g, uint32_t i)
{
    if (g->previous[i] != NONE)
        g->next[g->previous[i]] = g->next[i];
    else
        g->head[g->degree[i]] = g->next[i];
    if (g->next[i] != NONE)
        g->previous[g->next[i]] = g->previous[i];
}

// every column a variable next to those of its pattern
static bool load(min_degree *g, uint32_t n, const size_t *start, const uint32_t *index)
{
    column nodes[NODE_COLUMNS];
    node_columns(g, nodes);
    if (!columns_reserve(nodes, NODE_COLUMNS, &g->room, n) || !pool_reserve(g, 2 * (start[n] - start[0]) + n))
        return false;
    g->n = n;
    g->used = 0;
    for (uint32_t i = 0; i < n; i++) {
        g->start[i] = g->used;
        for (size_t k = start[i]; k < start[i + 1]; k++)
            if (index[k] != i)
                g->pool[g->used++] = index[k];
        g->elements[i] = 0;
        g->variables[i] = g->degree[i] = (uint32_t)(g->used - g->start[i]);
        g->weight[i] = 1;
        g->alive[i] = 0;
        g->seen[i] = g->touched[i] = g->same[i] = g->head[i] = g->bucket[i] = g->follow[i] = NONE;
        g->tail[i] = i;
    }
    for (uint32_t i = n; i-- > 0;)
        insert(g, i);
    return true;
}

// the columns of j go with those of i from now on
static void join(min_degree *g, uint32_t i, uint32_t j)
{
    g->follow[g->tail[i]] = j;
    g->tail[i] = g->tail[j];
    g->weight[j] = 0;
}

static void take(min_degree *g, uint32_t p, uint32_t i)
{
    if (g->weight[i] == 0 || g->seen[i] == p)
        return;
    g->seen[i] = p;
    g->pool[g->used++] = i;
    g->degree[p] += g->weight[i];
    remove_from_list(g, i);
}

// p becomes the element of all its neighbours, which are marked seen; its own elements go into it
static bool eliminate(min_degree *g, uint32_t p)
{
    size_t most = g->variables[p], list = g->start[p], begin = g->used;
    uint32_t elements = g->elements[p], variables = g->variables[p];
    for (uint32_t k = 0; k < elements; k++)
        most += g->variables[g->pool[list + k]];
    if (!pool_reserve(g, g->used + most))
        return false;
    remove_from_list(g, p);
    g->weight[p] = 0;
    g->degree[p] = 0;
    for (uint32_t k = 0; k < elements; k++) {
        uint32_t e = g->pool[list + k];
        for (uint32_t l = 0; g->alive[e] && l < g->variables[e]; l++)
            take(g, p, g->pool[g->start[e] + l]);
        g->alive[e] = 0;
    }
    for (uint32_t k = 0; k < variables; k++)
        take(g, p, g->pool[list + elements + k]);
    g->start[p] = begin;
    g->elements[p] = 0;
    g->variables[p] = (uint32_t)(g->used - begin);
    g->alive[p] = 1;
    return true;
}

// how many columns the elements next to p have outside p
static void measure_elements(min_degree *g, uint32_t p)
{
    const uint32_t *list = g->pool + g->start[p];
    for (uint32_t k = 0; k < g->variables[p]; k++) {
        const uint32_t *near = g->pool + g->start[list[k]];
        for (uint32_t l = 0; l < g->elements[list[k]]; l++) {
            uint32_t e = near[l];
            if (!g->alive[e])
                continue;
            if (g->touched[e] != p)
                g->outside[e] = g->degree[e];
            g->touched[e] = p;
            g->outside[e] -= g->weight[list[k]];
        }
    }
}

// the list of i without what is in p, and with p in front; returns the columns outside p that it still names
static uint32_t shorten(min_degree *g, uint32_t p, uint32_t i)
{
    uint32_t *list = g->pool + g->start[i], kept = 0, elements, columns = 0, hash = p;
    for (uint32_t k = 0; k < g->elements[i]; k++) {
        uint32_t e = list[k];
        // an element inside p says nothing new
        if (g->alive[e] && g->outside[e] == 0)
            g->alive[e] = 0;
        if (!g->alive[e])
            continue;
        columns += g->outside[e];
        hash += e;
        list[kept++] = e;
    }
    elements = kept;
    for (uint32_t k = 0; k < g->variables[i]; k++) {
        uint32_t j = list[g->elements[i] + k];
        if (g->weight[j] == 0 || g->seen[j] == p)
            continue;
        columns += g->weight[j];
        hash += j;
        list[kept++] = j;
    }
    // room for p: at least one entry, p itself or an element now inside p, has gone
    if (kept > elements)
        list[kept] = list[elements];
    if (elements > 0)
        list[elements] = list[0];
    list[0] = p;
    g->elements[i] = elements + 1;
    g->variables[i] = kept - elements;
    g->hash[i] = hash % g->n;
    return columns;
}

static bool same_lists(min_degree *g, uint32_t i, uint32_t j)
{
    if (g->elements[i] != g->elements[j] || g->variables[i] != g->variables[j])
        return false;
    // the list of i is marked by the caller
    const uint32_t *list = g->pool + g->start[j];
    for (uint32_t k = 0; k < g->elements[j] + g->variables[j]; k++)
        if (g->same[list[k]] != i)
            return false;
    return true;
}

// variables with the same lists as i, among those of one hash
static void merge_bucket(min_degree *g, uint32_t i)
{
    const uint32_t *list = g->pool + g->start[i];
    for (uint32_t k = 0; k < g->elements[i] + g->variables[i]; k++)
        g->same[list[k]] = i;
    for (uint32_t j = g->bucket_next[i], before = i; j != NONE; j = g->bucket_next[j]) {
        if (same_lists(g, i, j)) {
            g->weight[i] += g->weight[j];
            join(g, i, j);
            g->bucket_next[before] = g->bucket_next[j];
        } else {
            before = j;
        }
    }
    // marks of this round do not outlive it: another i may come with the same number later
    for (uint32_t k = 0; k < g->elements[i] + g->variables[i]; k++)
        g->same[list[k]] = NONE;
}

// variables of p that nothing tells apart become one
static void merge_variables(min_degree *g, uint32_t p)
{
    const uint32_t *list = g->pool + g->start[p];
    for (uint32_t k = g->variables[p]; k-- > 0;) {
        uint32_t i = list[k];
        if (g->weight[i] == 0)
            continue;
        g->bucket_next[i] = g->bucket[g->hash[i]];
        g->bucket[g->hash[i]] = i;
    }
    for (uint32_t k = 0; k < g->variables[p]; k++) {
        uint32_t i = list[k], first = g->bucket[g->hash[i]];
        if (g->weight[i] == 0 || first == NONE)
            continue;
        g->bucket[g->hash[i]] = NONE;
        for (uint32_t j = first; j != NONE; j = g->bucket_next[j])
            if (g->bucket_next[j] != NONE)
                merge_bucket(g, j);
    }
}

// new bounds on the degrees around p; what has no neighbours but those of p goes with it at once
static void update(min_degree *g, uint32_t p)
{
    uint32_t *list = g->pool + g->start[p];
    for (uint32_t k = 0; k < g->variables[p]; k++) {
        uint32_t i = list[k], columns = shorten(g, p, i);
        if (g->elements[i] == 1 && g->variables[i] == 0) {
            g->degree[p] -= g->weight[i];
            join(g, p, i);
        } else if (columns < g->degree[i]) {
            g->degree[i] = columns;
        }
    }
}

// the variables left in p go back among the others; returns the least degree
static uint32_t put_back(min_degree *g, uint32_t p, uint32_t left, uint32_t least)
{
    uint32_t *list = g->pool + g->start[p], kept = 0;
    for (uint32_t k = 0; k < g->variables[p]; k++) {
        uint32_t i = list[k];
        if (g->weight[i] == 0)
            continue;
        uint32_t degree = g->degree[i] + g->degree[p] - g->weight[i];
        g->degree[i] = degree < left - g->weight[i] ? degree : left - g->weight[i];
        least = g->degree[i] < least ? g->degree[i] : least;
        insert(g, i);
        list[kept++] = i;
    }
    g->variables[p] = kept;
    g->used = g->start[p] + kept;
    g->alive[p] = kept > 0;
    return least;
}

bool min_degree_order(min_degree *g, uint32_t n, const size_t *start, const uint32_t *index, uint32_t *order)
{
    if (!load(g, n, start, index))
        return false;
    for (uint32_t done = 0, least = 0; done < n;) {
        while (g->head[least] == NONE)
            least++;
        uint32_t p = g->head[least];
        if (!eliminate(g, p))
            return false;
        measure_elements(g, p);
        update(g, p);
        merge_variables(g, p);
        for (uint32_t j = p; j != NONE; j = g->follow[j])
            order[done++] = j;
        least = put_back(g, p, n - done, least);
    }
    return true;
}
