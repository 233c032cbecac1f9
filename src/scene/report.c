/*
 * report(name, value) and check(name, condition [, message]).
 */
#include "scene/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* one number, string or boolean; NULL when it is none of them */
static json_t *scalar(lua_State *L, int idx, size_t *bytes)
{
    size_t length;
    const char *text;
    *bytes += 24;
    switch (lua_type(L, idx)) {
    case LUA_TBOOLEAN:
        return json_boolean(lua_toboolean(L, idx));
    case LUA_TNUMBER:
        if (lua_isinteger(L, idx))
            return json_integer(lua_tointeger(L, idx));
        /* JSON has neither NaN nor infinity */
        return isfinite(lua_tonumber(L, idx)) ? json_real(lua_tonumber(L, idx)) : json_null();
    case LUA_TSTRING:
        text = lua_tolstring(L, idx, &length);
        *bytes += length;
        return json_stringn(text, length);
    default:
        return NULL;
    }
}

static _Noreturn void wrong_value(lua_State *L, const char *name, int idx)
{
    char found[80];
    scene_describe(L, idx, found, sizeof found);
    scene_error(L, name, "report: expected a number, string (UTF-8), boolean or an array of these, got %s",
                found);
}

/* sizes add up on the way, so that a value too large is refused before it is made */
static void check_size(lua_State *L, const char *name, size_t bytes)
{
    scene *s = scene_of(L);
    if (bytes > s->limits.report || s->report_bytes > s->limits.report - bytes)
        scene_error(L, name, "report: more than %zu bytes in all", s->limits.report);
}

static json_t *array(lua_State *L, const char *name, int idx, size_t *bytes)
{
    static const char *const no_keys[] = {NULL};
    read_keys(L, idx, "report", no_keys, true);
    lua_Integer n = (lua_Integer)lua_rawlen(L, idx);
    check_size(L, name, (size_t)n * 24);
    json_t *a = json_array();
    for (lua_Integer i = 1; i <= n; i++) {
        lua_rawgeti(L, idx, i);
        json_t *v = scalar(L, -1, bytes);
        bool fits = *bytes <= scene_of(L)->limits.report;
        if (v == NULL || !fits || json_array_append_new(a, v) != 0) {
            json_decref(a);
            check_size(L, name, *bytes);
            wrong_value(L, name, -1);
        }
        lua_pop(L, 1);
    }
    return a;
}

static size_t size_of(const json_t *v)
{
    size_t bytes = 24;
    if (json_is_string(v))
        bytes += json_string_length(v);
    size_t i;
    json_t *entry;
    json_array_foreach(v, i, entry) bytes += size_of(entry) - (i == 0 ? 24 : 0);
    return bytes;
}

static int report(lua_State *L)
{
    scene *s = scene_of(L);
    lua_settop(L, 2);
    const char *name = read_string_at(L, 1, "report", "name");
    size_t bytes = strlen(name);
    const json_t *old = json_object_get(s->report, name);
    size_t freed = old != NULL ? strlen(name) + size_of(old) : 0;
    s->report_bytes -= freed < s->report_bytes ? freed : s->report_bytes;
    json_t *v = lua_type(L, 2) == LUA_TTABLE ? array(L, name, 2, &bytes) : scalar(L, 2, &bytes);
    if (v == NULL)
        wrong_value(L, name, 2);
    if (bytes > s->limits.report || s->report_bytes > s->limits.report - bytes) {
        json_decref(v);
        check_size(L, name, bytes);
    }
    s->report_bytes += bytes;
    if (json_object_set_new(s->report, name, v) != 0)
        scene_error(L, "report.name", "expected a name in UTF-8");
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
