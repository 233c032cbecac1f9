/*
 * report(name, value) and check(name, condition [, message]).
 */
#include "scene/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* arrays within arrays, such as the rows of measure.stress */
enum { DEEPEST = 8 };

/* What a report takes, roughly. */
typedef struct sizes {
    const char *name;
    size_t bytes;  /* of this one, so far */
    size_t others; /* of all others */
} sizes;

/* one number, string or boolean; NULL when a string is not UTF-8 or there is no memory */
static json_t *scalar(lua_State *L, int idx)
{
    size_t length;
    const char *text;
    switch (lua_type(L, idx)) {
    case LUA_TBOOLEAN:
        return json_boolean(lua_toboolean(L, idx));
    case LUA_TNUMBER:
        if (lua_isinteger(L, idx))
            return json_integer(lua_tointeger(L, idx));
        /* JSON has neither NaN nor infinity */
        return isfinite(lua_tonumber(L, idx)) ? json_real(lua_tonumber(L, idx)) : json_null();
    default:
        text = lua_tolstring(L, idx, &length);
        return json_stringn(text, length);
    }
}

static _Noreturn void expected(lua_State *L, const char *name, const char *found)
{
    scene_error(L, name, "report: expected a number, string (UTF-8), boolean or an array of these, got %s",
                found);
}

static _Noreturn void wrong_value(lua_State *L, const char *name, int idx)
{
    char found[80];
    expected(L, name, scene_describe(L, idx, found, sizeof found));
}

/* sizes add up on the way, so that a value too large is refused before it is made */
static void check_size(lua_State *L, const sizes *z)
{
    size_t most = scene_of(L)->limits.report;
    if (z->bytes > most || z->others > most - z->bytes)
        scene_error(L, z->name, "report: more than %zu bytes in all", most);
}

static void check_value(lua_State *L, int idx, int depth, sizes *z);

/* names beside the entries of an array: the impulse of a contact gives them a second time, and table.pack
   their number */
static bool is_label(lua_State *L, int idx)
{
    static const char *const labels[] = {"n", "t", "t1", "t2"};
    for (size_t i = 0; lua_type(L, idx) == LUA_TSTRING && i < sizeof labels / sizeof labels[0]; i++)
        if (strcmp(lua_tostring(L, idx), labels[i]) == 0)
            return true;
    return false;
}

/* a table with names: told by the first of them in the alphabet, whatever the order in which Lua has them */
static _Noreturn void named_entries(lua_State *L, int idx, const char *name)
{
    char found[160] = "a table with keys that are no names";
    const char *first = NULL;
    for (lua_pushnil(L); lua_next(L, idx) != 0; lua_pop(L, 1)) {
        const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
        if (key != NULL && (first == NULL || strcmp(key, first) < 0))
            first = key;
    }
    if (first != NULL)
        snprintf(found, sizeof found, "a table with names such as \"%.60s\"; report its entries one by one",
                 first);
    expected(L, name, found);
}

/* an array has the keys 1 to n and no others */
static void check_array(lua_State *L, int idx, int depth, sizes *z)
{
    if (depth >= DEEPEST)
        scene_error(L, z->name, "report: arrays within arrays more than %d deep", (int)DEEPEST);
    luaL_checkstack(L, 8, "report");
    lua_Integer n = (lua_Integer)lua_rawlen(L, idx), entries = 0;
    bool other = false;
    for (lua_pushnil(L); lua_next(L, idx) != 0; lua_pop(L, 1)) {
        bool label = n > 0 && is_label(L, -2);
        entries += !label;
        other = other || !(label || lua_isinteger(L, -2));
    }
    if (other)
        named_entries(L, idx, z->name);
    if (entries != n)
        scene_error(L, z->name, "report: an array with gaps: %d entries, the last at %d", (int)entries,
                    (int)n);
    for (lua_Integer i = 1; i <= n; i++) {
        lua_rawgeti(L, idx, i);
        check_value(L, lua_gettop(L), depth + 1, z);
        lua_pop(L, 1);
    }
}

/* all that can be told without making anything */
static void check_value(lua_State *L, int idx, int depth, sizes *z)
{
    size_t length = 0;
    int type = lua_type(L, idx);
    if (type == LUA_TSTRING)
        lua_tolstring(L, idx, &length);
    z->bytes += 24 + length;
    check_size(L, z);
    if (type == LUA_TTABLE)
        check_array(L, idx, depth, z);
    else if (type != LUA_TBOOLEAN && type != LUA_TNUMBER && type != LUA_TSTRING)
        wrong_value(L, z->name, idx);
}

/* appends the entries of a checked table; false when one could not be made */
static bool fill(lua_State *L, int idx, json_t *array)
{
    bool ok = array != NULL;
    lua_Integer n = (lua_Integer)lua_rawlen(L, idx);
    for (lua_Integer i = 1; i <= n && ok; i++) {
        lua_rawgeti(L, idx, i);
        bool table = lua_type(L, -1) == LUA_TTABLE;
        json_t *entry = table ? json_array() : scalar(L, -1);
        ok = json_array_append_new(array, entry) == 0 && (!table || fill(L, lua_gettop(L), entry));
        lua_pop(L, 1);
    }
    return ok;
}

static size_t size_of(const json_t *v)
{
    size_t bytes = 24;
    if (json_is_string(v))
        bytes += json_string_length(v);
    size_t i;
    json_t *entry;
    json_array_foreach(v, i, entry) bytes += size_of(entry);
    return bytes;
}

static int report(lua_State *L)
{
    scene *s = scene_of(L);
    lua_settop(L, 2);
    const char *name = read_string_at(L, 1, "report", "name");
    const json_t *old = json_object_get(s->report, name);
    size_t freed = old != NULL ? strlen(name) + size_of(old) : 0;
    sizes z = {name, strlen(name), freed < s->report_bytes ? s->report_bytes - freed : 0};
    check_value(L, 2, 0, &z);
    bool table = lua_type(L, 2) == LUA_TTABLE;
    json_t *v = table ? json_array() : scalar(L, 2);
    if (v == NULL || (table && !fill(L, 2, v))) {
        json_decref(v);
        wrong_value(L, name, 2);
    }
    if (json_object_set_new(s->report, name, v) != 0)
        scene_error(L, "report.name", "expected a name in UTF-8");
    s->report_bytes = z.others + z.bytes;
    return 0;
}

/* a failed check is noted once by its name */
static void note_failure(lua_State *L, const char *name, const char *message)
{
    scene *s = scene_of(L);
    size_t i, n = strlen(name);
    json_t *entry;
    json_array_foreach(s->failed, i, entry)
    {
        const char *text = json_string_value(entry);
        if (strncmp(text, name, n) == 0 && (text[n] == '\0' || text[n] == ':'))
            return;
    }
    char text[460];
    snprintf(text, sizeof text, "%s%s%.200s", name, message != NULL ? ": " : "",
             message != NULL ? message : "");
    /* a message that is no text, or was cut inside a character, is left out */
    json_t *failure = json_string(text);
    if (failure == NULL)
        failure = json_string(name);
    if (failure == NULL || json_array_append_new(s->failed, failure) != 0)
        scene_error(L, "check", "expected a name in UTF-8");
}

static int check(lua_State *L)
{
    enum { MOST_FAILURES = 1000 };
    const char *name = read_string_at(L, 1, "check", "name");
    if (lua_gettop(L) < 2)
        scene_error(L, "check", "expected check(name, condition [, message])");
    if (!lua_isnoneornil(L, 3) && lua_type(L, 3) != LUA_TSTRING)
        read_wrong(L, "check", "message", 3, "a string");
    const char *message = lua_isnoneornil(L, 3) ? NULL : lua_tostring(L, 3);
    if (!lua_toboolean(L, 2) && json_array_size(scene_of(L)->failed) < MOST_FAILURES)
        note_failure(L, name, message);
    return 0;
}

void scene_open_report(lua_State *L)
{
    lua_register(L, "report", report);
    lua_register(L, "check", check);
}
