/*
 * pairs in an order that is the same in every run.
 *
 * Lua seeds its string hash with the time and an address, so that the order of plain pairs changes from run
 * to run and with it what a scene builds.  Here keys come sorted: numbers, strings, booleans, bodies (by id),
 * then whatever else (tables, functions), whose order is Lua's own.
 */
#include "scene/internal.h"

#include <stdlib.h>
#include <string.h>

typedef struct sort_key {
    int rank; /* number, string, boolean, body, other */
    double number;
    const char *text;
    size_t length;
    size_t index; /* in the order of Lua's next, 1-based */
} sort_key;

static int compare_text(const sort_key *a, const sort_key *b)
{
    size_t n = a->length < b->length ? a->length : b->length;
    int c = memcmp(a->text, b->text, n);
    if (c != 0)
        return c;
    return (a->length > b->length) - (a->length < b->length);
}

static int compare_keys(const void *pa, const void *pb)
{
    const sort_key *a = pa, *b = pb;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    int c = a->text != NULL && b->text != NULL ? compare_text(a, b) : 0;
    return c != 0 ? c : (a->index > b->index) - (a->index < b->index);
}

static sort_key key_at(lua_State *L, int idx, size_t index)
{
    sort_key k = {.rank = 4, .index = index};
    switch (lua_type(L, idx)) {
    case LUA_TNUMBER:
        k.rank = 0;
        k.number = lua_tonumber(L, idx);
        break;
    case LUA_TSTRING:
        k.rank = 1;
        k.text = lua_tolstring(L, idx, &k.length);
        break;
    case LUA_TBOOLEAN:
        k.rank = 2;
        k.number = lua_toboolean(L, idx);
        break;
    case LUA_TUSERDATA:
        if (luaL_testudata(L, idx, BODY_TYPE) != NULL) {
            k.rank = 3;
            k.number = scene_body_at(L, idx, "", "");
        }
        break;
    default:
        break;
    }
    return k;
}

void scene_sorted_keys(lua_State *L, int idx)
{
    idx = lua_absindex(L, idx);
    luaL_checkstack(L, 6, "pairs");
    lua_newtable(L);
    int raw = lua_gettop(L);
    size_t n = 0;
    for (lua_pushnil(L); lua_next(L, idx) != 0;) {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_rawseti(L, raw, (lua_Integer)++n);
    }
    sort_key *keys = lua_newuserdatauv(L, (n + 1) * sizeof *keys, 0);
    bool sorted = true;
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, raw, (lua_Integer)i + 1);
        keys[i] = key_at(L, -1, i + 1);
        lua_pop(L, 1);
        sorted = sorted && (i == 0 || compare_keys(&keys[i - 1], &keys[i]) < 0);
    }
    if (sorted) {
        lua_pop(L, 1);
        return;
    }
    qsort(keys, n, sizeof *keys, compare_keys);
    lua_createtable(L, n < 1000000 ? (int)n : 1000000, 0);
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, raw, (lua_Integer)keys[i].index);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_replace(L, raw);
    lua_settop(L, raw);
}

/* upvalues: table, keys, position */
static int next_pair(lua_State *L)
{
    lua_Integer i = lua_tointeger(L, lua_upvalueindex(3));
    for (;;) {
        i++;
        if (lua_rawgeti(L, lua_upvalueindex(2), i) == LUA_TNIL)
            return 1;
        /* keys that were cleared on the way are passed over */
        lua_pushvalue(L, -1);
        if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL)
            break;
        lua_pop(L, 2);
    }
    lua_pushinteger(L, i);
    lua_replace(L, lua_upvalueindex(3));
    return 2;
}

int scene_pairs(lua_State *L)
{
    scene_check_limits(L);
    luaL_checkany(L, 1);
    if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
        lua_pushvalue(L, 1);
        lua_call(L, 1, 3);
        return 3;
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_pushvalue(L, 1);
    scene_sorted_keys(L, 1);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, next_pair, 3);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}
