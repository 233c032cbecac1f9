/*
 * sparse { {i, j, value}, ... }: symmetric matrices with few entries.  Every pair is given once, on whichever
 * side of the diagonal, and counts for (j, i) too; what is not given is zero.
 *
 * The entries are sorted when the matrix is made, so that one that comes twice is told where it stands; what
 * is too far out only shows when the matrix is used.
 */
#include "scene/process.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPARSE_TYPE "sparse matrix"

typedef struct sparse_entry {
    uint32_t row, column; /* from 0, column <= row */
    uint32_t at;          /* number in the list, from 1 */
    double value;
} sparse_entry;

typedef struct sparse_matrix {
    size_t count;
    sparse_entry entries[]; /* by row, then column */
} sparse_matrix;

/* ---- making ------------------------------------------------------------------------------------------ */

static int compare_entries(const void *a, const void *b)
{
    const sparse_entry *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* number k of the entry on top of the stack */
static double take_part(lua_State *L, size_t at, int k)
{
    char place[48];
    double x = nan("");
    lua_rawgeti(L, -1, k);
    if (lua_type(L, -1) == LUA_TNUMBER)
        x = lua_tonumber(L, -1);
    bool index = k < 3, good = index ? x >= 1 && x <= INT32_MAX && x == floor(x) : isfinite(x);
    if (!good) {
        snprintf(place, sizeof place, "[%zu][%d]", at, k);
        read_wrong(L, "sparse", place, -1, index ? "a whole number from 1" : "a finite number");
    }
    lua_pop(L, 1);
    return x;
}

/* entry `at` of the list at index 1 */
static sparse_entry take_entry(lua_State *L, size_t at)
{
    char place[32];
    lua_rawgeti(L, 1, (lua_Integer)at);
    if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) != 3) {
        snprintf(place, sizeof place, "[%zu]", at);
        read_wrong(L, "sparse", place, -1, "an entry {i, j, value}");
    }
    uint32_t i = (uint32_t)take_part(L, at, 1) - 1, j = (uint32_t)take_part(L, at, 2) - 1;
    double value = take_part(L, at, 3);
    lua_pop(L, 1);
    return (sparse_entry){i > j ? i : j, i > j ? j : i, (uint32_t)at, value};
}

static void check_once(lua_State *L, const sparse_matrix *m)
{
    char place[48];
    for (size_t k = 1; k < m->count; k++) {
        const sparse_entry *a = &m->entries[k - 1], *b = &m->entries[k];
        if (a->row != b->row || a->column != b->column)
            continue;
        snprintf(place, sizeof place, "sparse[%lu]", (unsigned long)b->at);
        scene_error(L, place,
                    "row %lu, column %lu is given by entry %lu already; every pair is given once and counts "
                    "for both sides of the diagonal",
                    (unsigned long)b->row + 1, (unsigned long)b->column + 1, (unsigned long)a->at);
    }
}

static int make_sparse(lua_State *L)
{
    static const char *const no_keys[] = {NULL};
    read_single_table(L, "sparse");
    read_keys(L, 1, "sparse", no_keys, true);
    size_t count = lua_rawlen(L, 1), most = scene_of(L)->limits.points;
    most = most < INT32_MAX ? most : INT32_MAX;
    if (count < 1 || count > most)
        scene_error(L, "sparse", "expected 1 to %zu entries {i, j, value}, got %zu", most, count);
    sparse_matrix *m = lua_newuserdatauv(L, sizeof *m + count * sizeof *m->entries, 0);
    m->count = count;
    for (size_t k = 0; k < count; k++)
        m->entries[k] = take_entry(L, k + 1);
    qsort(m->entries, count, sizeof *m->entries, compare_entries);
    check_once(L, m);
    luaL_setmetatable(L, SPARSE_TYPE);
    return 1;
}

void scene_open_sparse(lua_State *L)
{
    scene_new_type(L, SPARSE_TYPE, NULL);
    lua_register(L, "sparse", make_sparse);
}

/* ---- using ------------------------------------------------------------------------------------------- */

bool sparse_look(lua_State *L, int idx, const matrix_source *from, size_t *count)
{
    const sparse_matrix *m = luaL_testudata(L, idx, SPARSE_TYPE);
    char path[64];
    if (m == NULL)
        return false;
    *count = m->count;
    read_path(path, sizeof path, from->what, from->key);
    for (size_t k = 0; k < m->count; k++)
        if (m->entries[k].row >= from->n)
            scene_error(L, from->site != NULL ? from->site->what : path,
                        "entry %lu of sparse{...} is in row or column %lu, expected 1 to %zu",
                        (unsigned long)m->entries[k].at, (unsigned long)m->entries[k].row + 1, from->n);
    return true;
}

void sparse_rows(lua_State *L, int idx, size_t n, size_t *start, uint32_t *column, double *entries)
{
    const sparse_matrix *m = luaL_checkudata(L, idx, SPARSE_TYPE);
    memset(start, 0, (n + 1) * sizeof *start);
    for (size_t k = 0; k < m->count; k++) {
        start[m->entries[k].row + 1]++;
        column[k] = m->entries[k].column;
        entries[k] = m->entries[k].value;
    }
    for (size_t i = 0; i < n; i++)
        start[i + 1] += start[i];
}

void sparse_expand(lua_State *L, int idx, size_t n, double *M)
{
    const sparse_matrix *m = luaL_checkudata(L, idx, SPARSE_TYPE);
    memset(M, 0, n * n * sizeof *M);
    for (size_t k = 0; k < m->count; k++) {
        size_t i = m->entries[k].row, j = m->entries[k].column;
        M[i * n + j] = M[j * n + i] = m->entries[k].value;
    }
}
