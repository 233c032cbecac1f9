/*
 * Library functions that need a guard in a sandbox.
 *
 * - Every function of string, table and utf8, and pairs, next, tostring, tonumber, load of the base library
 * looks at the clock first: a C function executes no instructions that the hook could count.
 * - Those that can run for ever on small arguments (string.rep of "", table.move over 1e15 places) get
 * bounds.
 * - Pattern matching backtracks.  A match of k unbounded items (* + - %b %1) and o optional ones (?) in n
 * characters looks at no more than C(n + k + 1, k + 1) 2^o places; a pattern and subject for which that
 * exceeds 2e8 are refused.
 * - load takes text only; setmetatable takes no __gc; xpcall calls its handler after the unwinding.
 */
#include "scene/internal.h"

#include <string.h>

int scene_call_original(lua_State *L)
{
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static int timed(lua_State *L)
{
    scene_check_limits(L);
    return scene_call_original(L);
}

/* ---- bounds ------------------------------------------------------------------------------ */

static int bounded_rep(lua_State *L)
{
    scene_check_limits(L);
    size_t length, separator = 0;
    luaL_checklstring(L, 1, &length);
    lua_Integer n = luaL_checkinteger(L, 2);
    if (lua_gettop(L) >= 3)
        luaL_optlstring(L, 3, "", &separator);
    size_t most = scene_of(L)->limits.string;
    if (n > 0 && (double)n * (double)(length + separator) > (double)most)
        scene_error(L, "string.rep", "the result would be longer than %zu characters", most);
    if (n <= 0 || length + separator == 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    return scene_call_original(L);
}

/* refuses spans of more than 1e7 places */
static void check_span(lua_State *L, const char *name, lua_Integer first, lua_Integer last)
{
    if (last > first && (double)last - (double)first > 1e7)
        scene_error(L, name, "more than 10000000 elements");
}

static int bounded_move(lua_State *L)
{
    scene_check_limits(L);
    check_span(L, "table.move", luaL_checkinteger(L, 2), luaL_checkinteger(L, 3));
    return scene_call_original(L);
}

static int bounded_concat(lua_State *L)
{
    scene_check_limits(L);
    luaL_checkany(L, 1);
    lua_Integer last = lua_isnoneornil(L, 4) ? luaL_len(L, 1) : luaL_checkinteger(L, 4);
    check_span(L, "table.concat", luaL_optinteger(L, 3, 1), last);
    return scene_call_original(L);
}

/* sort, insert and remove work over the whole length */
static int bounded_length(lua_State *L)
{
    scene_check_limits(L);
    if (lua_type(L, 1) == LUA_TTABLE)
        check_span(L, "table", 0, luaL_len(L, 1));
    return scene_call_original(L);
}

/* ---- patterns ------------------------------------------------------------------------------ */

/* the end of the set that begins at p[0] = '[' */
static const char *skip_set(const char *p, const char *end)
{
    p++;
    if (p < end && *p == '^')
        p++;
    do {
        if (p < end && *p == '%')
            p++;
        if (p < end)
            p++;
    } while (p < end && *p != ']');
    return p < end ? p + 1 : end;
}

/* counts the items of a pattern that can be matched in several ways */
static void count_choices(const char *p, size_t length, int *unbounded, int *optional)
{
    const char *end = p + length;
    *unbounded = *optional = 0;
    while (p < end) {
        if (*p == '%' && p + 1 < end) {
            *unbounded += p[1] == 'b' || (p[1] >= '0' && p[1] <= '9');
            ptrdiff_t item = p[1] == 'b' ? 4 : 2;
            p = end - p < item ? end : p + item;
        } else {
            p = *p == '[' ? skip_set(p, end) : p + 1;
        }
        if (p < end) {
            *unbounded += *p == '*' || *p == '+' || *p == '-';
            *optional += *p == '?';
        }
    }
}

static void check_pattern(lua_State *L, const char *name)
{
    size_t n, length;
    luaL_checklstring(L, 1, &n);
    const char *pattern = luaL_checklstring(L, 2, &length);
    int unbounded, optional;
    count_choices(pattern, length, &unbounded, &optional);
    double places = 1;
    for (int i = 1; i <= unbounded + 1 && places < 1e18; i++)
        places *= ((double)n + i) / i;
    for (int i = 0; i < optional && places < 1e18; i++)
        places *= 2;
    if (places > 2e8 && unbounded + optional > 0)
        scene_error(L, name, "a pattern with %d repetitions in a string of %zu characters may take too long",
                    unbounded + optional, n);
}

static int bounded_pattern(lua_State *L)
{
    scene_check_limits(L);
    check_pattern(L, lua_tostring(L, lua_upvalueindex(2)));
    return scene_call_original(L);
}

/* a plain search compares at most length times length characters */
static int bounded_find(lua_State *L)
{
    scene_check_limits(L);
    if (!lua_toboolean(L, 4)) {
        check_pattern(L, "string.find");
        return scene_call_original(L);
    }
    size_t n, m;
    luaL_checklstring(L, 1, &n);
    luaL_checklstring(L, 2, &m);
    if ((double)n * (double)m > 1e11)
        scene_error(L, "string.find", "a search for %zu characters in %zu may take too long", m, n);
    return scene_call_original(L);
}

/* ---- base functions --------------------------------------------------------------------------- */

static int text_load(lua_State *L)
{
    scene_check_limits(L);
    if (lua_gettop(L) < 3)
        lua_settop(L, 3);
    lua_pushliteral(L, "t");
    lua_replace(L, 3);
    return scene_call_original(L);
}

static int checked_setmetatable(lua_State *L)
{
    if (lua_type(L, 2) == LUA_TTABLE) {
        lua_pushliteral(L, "__gc");
        if (lua_rawget(L, 2) != LUA_TNIL)
            scene_error(L, "__gc", "finalisers are not available in scenes");
        lua_pop(L, 1);
    }
    return scene_call_original(L);
}

static int late_xpcall(lua_State *L)
{
    int n = lua_gettop(L);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    /* f and its arguments above the handler */
    lua_pushvalue(L, 1);
    for (int i = 3; i <= n; i++)
        lua_pushvalue(L, i);
    if (lua_pcall(L, n - 2, LUA_MULTRET, 0) == LUA_OK) {
        lua_pushboolean(L, 1);
        lua_insert(L, n + 1);
        return lua_gettop(L) - n;
    }
    lua_pushvalue(L, 2);
    lua_insert(L, -2);
    /* an error of the handler itself is the answer then */
    lua_pcall(L, 1, 1, 0);
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
}

/* only collectgarbage("count") */
static int count_memory(lua_State *L)
{
    const char *what = luaL_optstring(L, 1, "collect");
    if (strcmp(what, "count") != 0)
        scene_error(L, "collectgarbage", "only collectgarbage(\"count\") is available in scenes");
    lua_pushnumber(L, (double)scene_of(L)->memory_used / 1024);
    return 1;
}

static int print_message(lua_State *L)
{
    scene *s = scene_of(L);
    int n = lua_gettop(L);
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    for (int i = 1; i <= n; i++) {
        if (i > 1)
            luaL_addchar(&b, '\t');
        luaL_tolstring(L, i, NULL);
        luaL_addvalue(&b);
    }
    luaL_pushresult(&b);
    if (s->options->message != NULL && !s->listing)
        s->options->message(s->options->data, lua_tostring(L, -1));
    return 0;
}

/* ---- putting them in place ------------------------------------------------------------------------ */

/* table on top: t[name] = guard with the original as upvalue 1 and the full name as upvalue 2 */
static void guard_one(lua_State *L, const char *library, const char *name, lua_CFunction guard)
{
    if (lua_getfield(L, -1, name) != LUA_TFUNCTION || !lua_iscfunction(L, -1)) {
        lua_pop(L, 1);
        return;
    }
    lua_pushfstring(L, "%s.%s", library, name);
    lua_pushcclosure(L, guard, 2);
    lua_setfield(L, -2, name);
}

static void guard_library(lua_State *L, const char *library, const luaL_Reg *special)
{
    static const char *const all[] = {
        "byte", "char",    "find", "format", "gmatch",    "gsub",     "len",    "lower",  "match",
        "rep",  "reverse", "sub",  "upper",  "pack",      "packsize", "unpack", "concat", "insert",
        "move", "remove",  "sort", "codes",  "codepoint", "offset",   NULL};
    lua_getglobal(L, library);
    for (const char *const *name = all; *name != NULL; name++) {
        lua_CFunction guard = timed;
        for (const luaL_Reg *r = special; r->name != NULL; r++)
            guard = strcmp(r->name, *name) == 0 ? r->func : guard;
        guard_one(L, library, *name, guard);
    }
    lua_pop(L, 1);
}

static const luaL_Reg string_guards[] = {{"rep", bounded_rep},       {"find", bounded_find},
                                         {"match", bounded_pattern}, {"gmatch", bounded_pattern},
                                         {"gsub", bounded_pattern},  {NULL, NULL}};
static const luaL_Reg table_guards[] = {{"move", bounded_move},     {"concat", bounded_concat},
                                        {"sort", bounded_length},   {"insert", bounded_length},
                                        {"remove", bounded_length}, {NULL, NULL}};
static const luaL_Reg no_guards[] = {{NULL, NULL}};

static void remove_fields(lua_State *L, const char *library, const char *const *names)
{
    lua_getglobal(L, library);
    for (; *names != NULL; names++) {
        lua_pushnil(L);
        lua_setfield(L, -2, *names);
    }
    lua_pop(L, 1);
}

void scene_hide_metatable(lua_State *L)
{
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
}

void scene_new_type(lua_State *L, const char *name, const luaL_Reg *methods)
{
    luaL_newmetatable(L, name);
    if (methods != NULL)
        luaL_setfuncs(L, methods, 0);
    scene_hide_metatable(L);
    lua_pop(L, 1);
}

static void protect_strings(lua_State *L)
{
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    scene_hide_metatable(L);
    lua_pop(L, 2);
}

void scene_guard_libraries(lua_State *L)
{
    static const char *const base_out[] = {"dofile", "loadfile", "require", "warn", NULL};
    static const char *const string_out[] = {"dump", NULL};
    /* left from Lua 5.2 in some builds, and unknown to dual numbers */
    static const char *const math_out[] = {"pow", "cosh", "sinh", "tanh", "frexp", "ldexp", "log10", NULL};
    remove_fields(L, LUA_GNAME, base_out);
    remove_fields(L, "string", string_out);
    remove_fields(L, "math", math_out);
    guard_library(L, "string", string_guards);
    guard_library(L, "table", table_guards);
    guard_library(L, "utf8", no_guards);
    lua_getglobal(L, LUA_GNAME);
    static const luaL_Reg base[] = {{"next", timed},     {"tostring", timed},
                                    {"load", text_load}, {"setmetatable", checked_setmetatable},
                                    {"pcall", timed},    {NULL, NULL}};
    for (const luaL_Reg *r = base; r->name != NULL; r++)
        guard_one(L, "base", r->name, r->func);
    static const luaL_Reg own[] = {{"xpcall", late_xpcall},
                                   {"collectgarbage", count_memory},
                                   {"print", print_message},
                                   {"pairs", scene_pairs},
                                   {NULL, NULL}};
    luaL_setfuncs(L, own, 0);
    lua_pop(L, 1);
    protect_strings(L);
}
