/*
 * Symmetric matrices of systems, given as constants or by functions: a number (on all freedoms), a diagonal
 * {m1, m2, ...}, rows {{...}, ...}, banded{main diagonal, first off-diagonal, ...}, where a number stands for
 * a diagonal of equal entries, or sparse{...} (sparse_matrix.c).
 */
#include "scene/process.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BANDED_TYPE "banded matrix"

enum { MOST_DIAGONALS = 10000 };

static const char expected_matrix[] =
    "a number, a diagonal {...}, rows {{...}, ...}, banded{...} or sparse{...}";

/* rows that differ from columns by more than this, relative to the diagonal, are a mistake */
static const double most_asymmetry = 1e-10;

/* ---- messages ---------------------------------------------------------------------------------------- */

static _Noreturn void wrong(lua_State *L, const matrix_source *from, const char *place, int idx,
                            const char *expected)
{
    char key[64];
    if (from->site != NULL)
        result_wrong(L, from->site, place, idx, expected);
    snprintf(key, sizeof key, "%.30s%.30s", from->key, place);
    read_wrong(L, from->what, key, idx, expected);
}

static _Noreturn void wrong_count(lua_State *L, const matrix_source *from, const char *place, size_t found,
                                  size_t expected, const char *of)
{
    char path[64], key[64];
    if (from->site != NULL)
        scene_error(L, from->site->what, "the function of %s gave %zu %s%s%s at t = %.17g, expected %zu",
                    from->site->owner, found, of, place[0] != '\0' ? " in " : "", place, from->site->t,
                    expected);
    snprintf(key, sizeof key, "%.30s%.30s", from->key, place);
    read_path(path, sizeof path, from->what, key);
    scene_error(L, path, "expected %zu %s, got %zu", expected, of, found);
}

/* ---- numbers ---------------------------------------------------------------------------------------- */

/* the number on top of the stack, which is popped */
static double take_number(lua_State *L, const matrix_source *from, const char *place)
{
    if (lua_type(L, -1) != LUA_TNUMBER)
        wrong(L, from, place, lua_gettop(L), "a number");
    double x = lua_tonumber(L, -1);
    bool judged = from->site != NULL && from->site->judged;
    if (!isfinite(x) && !judged)
        wrong(L, from, place, lua_gettop(L), "a finite number");
    lua_pop(L, 1);
    return x;
}

/* the table of `count` numbers, or one number for all, at idx; entry i goes to out[i stride] */
static void read_list(lua_State *L, int idx, const matrix_source *from, const char *place, size_t count,
                      double *out, size_t stride)
{
    bool single = lua_type(L, idx) == LUA_TNUMBER;
    char part[64];
    if (!single && lua_type(L, idx) != LUA_TTABLE)
        wrong(L, from, place, idx, "a table of numbers");
    if (!single && lua_rawlen(L, idx) != count)
        wrong_count(L, from, place, lua_rawlen(L, idx), count, "numbers");
    for (size_t i = 0; i < count; i++) {
        if (single)
            lua_pushvalue(L, idx);
        else
            lua_rawgeti(L, idx, (lua_Integer)i + 1);
        if (lua_type(L, -1) == LUA_TNUMBER && isfinite(lua_tonumber(L, -1))) {
            out[i * stride] = lua_tonumber(L, -1);
            lua_pop(L, 1);
            continue;
        }
        snprintf(part, sizeof part, "%.20s[%zu]", place, i + 1);
        out[i * stride] = take_number(L, from, single ? place : part);
    }
}

/* ---- kinds -----------------------------------------------------------------------------------------------
 */

/* pushes the list of diagonals of the banded matrix at idx */
static size_t push_diagonals(lua_State *L, int idx)
{
    lua_getiuservalue(L, idx, 1);
    return lua_rawlen(L, -1);
}

matrix_shape matrix_look(lua_State *L, int idx, const matrix_source *from)
{
    size_t n = from->n;
    matrix_shape diagonal = {MO_METRIC_DIAGONAL, 0, n};
    if (lua_type(L, idx) == LUA_TNUMBER)
        return diagonal;
    if (luaL_testudata(L, idx, BANDED_TYPE) != NULL) {
        size_t lists = push_diagonals(L, idx);
        lua_pop(L, 1);
        if (lists > n)
            wrong_count(L, from, "", lists, n, "diagonals at most");
        return (matrix_shape){MO_METRIC_BANDED, lists - 1, n * lists};
    }
    size_t count;
    if (sparse_look(L, idx, from, &count))
        return (matrix_shape){MO_METRIC_SPARSE, 0, count};
    if (lua_type(L, idx) != LUA_TTABLE)
        wrong(L, from, "", idx, expected_matrix);
    bool rows = lua_rawgeti(L, idx, 1) == LUA_TTABLE;
    lua_pop(L, 1);
    if (lua_rawlen(L, idx) != n)
        wrong_count(L, from, "", lua_rawlen(L, idx), n, rows ? "rows" : "numbers");
    if (!rows)
        return diagonal;
    size_t most = scene_of(L)->limits.points;
    if (n > most / n)
        scene_error(L, from->what, "a matrix of %zu rows is more than fits; use banded{...} or sparse{...}",
                    n);
    return (matrix_shape){MO_METRIC_DENSE, 0, n * n};
}

static void check_symmetric(lua_State *L, const matrix_source *from, const double *M)
{
    size_t n = from->n;
    char path[64];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double a = M[i * n + j], b = M[j * n + i],
                   size = sqrt(fabs(M[i * n + i])) * sqrt(fabs(M[j * n + j]));
            if (!(fabs(a - b) > most_asymmetry * (size + fabs(a) + fabs(b))))
                continue;
            read_path(path, sizeof path, from->what, from->key);
            scene_error(L, from->site != NULL ? from->site->what : path,
                        "expected a symmetric matrix, got %.17g in row %zu, column %zu and %.17g across", a,
                        i + 1, j + 1, b);
        }
}

static void read_rows(lua_State *L, int idx, const matrix_source *from, double *M)
{
    size_t n = from->n;
    char place[32];
    for (size_t i = 0; i < n; i++) {
        snprintf(place, sizeof place, "[%zu]", i + 1);
        lua_rawgeti(L, idx, (lua_Integer)i + 1);
        if (lua_type(L, -1) != LUA_TTABLE)
            wrong(L, from, place, lua_gettop(L), "a row, a table of numbers");
        read_list(L, lua_gettop(L), from, place, n, M + i * n, 1);
        lua_pop(L, 1);
    }
    check_symmetric(L, from, M);
}

/* diagonal k goes to entries (i, i - k), where the row of i holds M(i, i - width) ... M(i, i) */
static void read_banded(lua_State *L, int idx, const matrix_source *from, size_t width, double *M)
{
    size_t lists = push_diagonals(L, idx), row = width + 1;
    int list = lua_gettop(L);
    char place[32];
    memset(M, 0, from->n * row * sizeof *M);
    for (size_t k = 0; k < lists; k++) {
        snprintf(place, sizeof place, "[%zu]", k + 1);
        lua_rawgeti(L, list, (lua_Integer)k + 1);
        read_list(L, lua_gettop(L), from, place, from->n - k, M + k * row + width - k, row);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

void matrix_read(lua_State *L, int idx, const matrix_source *from, const matrix_shape *shape, double *entries)
{
    idx = lua_absindex(L, idx);
    luaL_checkstack(L, 8, from->key);
    if (shape->kind == MO_METRIC_BANDED)
        read_banded(L, idx, from, shape->width, entries);
    else if (shape->kind == MO_METRIC_DENSE)
        read_rows(L, idx, from, entries);
    else
        read_list(L, idx, from, "", from->n, entries, 1);
}

/* ---- banded{...} -------------------------------------------------------------------------------------- */

static void copy_list(lua_State *L, int idx)
{
    size_t n = lua_rawlen(L, idx);
    lua_createtable(L, 0, 0);
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, idx, (lua_Integer)i + 1);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static int make_banded(lua_State *L)
{
    static const char *const no_keys[] = {NULL};
    char place[32];
    read_single_table(L, "banded");
    read_keys(L, 1, "banded", no_keys, true);
    size_t n = lua_rawlen(L, 1);
    if (n < 1 || n > MOST_DIAGONALS)
        scene_error(L, "banded", "expected 1 to %d diagonals, got %zu", (int)MOST_DIAGONALS, n);
    lua_newuserdatauv(L, 0, 1);
    luaL_setmetatable(L, BANDED_TYPE);
    lua_createtable(L, (int)n, 0);
    for (size_t k = 0; k < n; k++) {
        int type = lua_rawgeti(L, 1, (lua_Integer)k + 1);
        snprintf(place, sizeof place, "[%zu]", k + 1);
        if (type != LUA_TTABLE && type != LUA_TNUMBER)
            read_wrong(L, "banded", place, -1,
                       "a diagonal: a table of numbers, or a number for equal entries");
        if (type == LUA_TTABLE) {
            copy_list(L, lua_gettop(L));
            lua_remove(L, -2);
        }
        lua_rawseti(L, 3, (lua_Integer)k + 1);
    }
    lua_setiuservalue(L, 2, 1);
    return 1;
}

void scene_open_matrices(lua_State *L)
{
    scene_new_type(L, BANDED_TYPE, NULL);
    lua_register(L, "banded", make_banded);
    scene_open_sparse(L);
}
