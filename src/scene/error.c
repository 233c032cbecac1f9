/*
 * Errors of a scene: raising them with file, line and key, and turning Lua's back into a mo_error.
 *
 * Lua carries a text; the parts (key, line, status) wait in the scene and are used when the text that arrives
 * is the one that was raised, so that a scene that catches an error and raises another is told about the
 * other.
 */
#include "scene/internal.h"

#include "core/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int scene_line(lua_State *L)
{
    scene *s = scene_of(L);
    lua_Debug ar;
    /* what a function gave is looked at after it has returned */
    if (s->callee_line > 0)
        return s->callee_line;
    for (int level = 0; lua_getstack(L, level, &ar); level++) {
        lua_getinfo(L, "Sl", &ar);
        if (ar.currentline > 0 && strcmp(ar.source, s->source) == 0)
            return ar.currentline;
    }
    return 0;
}

int scene_function_line(lua_State *L)
{
    lua_Debug ar;
    if (lua_iscfunction(L, -1)) {
        lua_pop(L, 1);
        return 0;
    }
    lua_getinfo(L, ">S", &ar);
    return strcmp(ar.source, scene_of(L)->source) == 0 ? ar.linedefined : 0;
}

/* keeps err as the scene's last error and raises its text */
static _Noreturn void raise_kept(lua_State *L, const mo_error *err)
{
    scene *s = scene_of(L);
    s->error = *err;
    s->callee_line = 0;
    const char *colon = err->key[0] != '\0' ? ": " : "";
    snprintf(s->error_text, sizeof s->error_text, "%s:%d: %s%s%s", err->file, err->line, err->key, colon,
             err->message);
    lua_pushstring(L, s->error_text);
    lua_error(L);
    abort(); /* not reached */
}

void scene_error(lua_State *L, const char *key, const char *format, ...)
{
    mo_error err = {.status = MO_BAD_INPUT};
    if (key != NULL)
        snprintf(err.key, sizeof err.key, "%s", key);
    va_list args;
    va_start(args, format);
    vsnprintf(err.message, sizeof err.message, format, args);
    va_end(args);
    fail_at(&err, scene_of(L)->options->path, scene_line(L));
    raise_kept(L, &err);
}

void scene_raise(lua_State *L, const char *what, const mo_error *err)
{
    mo_error full = *err;
    if (full.status == MO_USAGE)
        full.status = MO_BAD_INPUT;
    /* an error from inside a function of the scene knows its place already */
    if (full.file[0] == '\0') {
        char key[sizeof full.key];
        snprintf(key, sizeof key, "%s", full.key);
        read_path(full.key, sizeof full.key, what, key);
        fail_at(&full, scene_of(L)->options->path, scene_line(L));
    }
    raise_kept(L, &full);
}

int scene_message_handler(lua_State *L)
{
    scene *s = scene_of(L);
    const char *text = lua_type(L, 1) == LUA_TSTRING ? lua_tostring(L, 1) : NULL;
    if (text == NULL) {
        lua_pushfstring(L, "%s:%d: error value is a %s, not a string", s->short_source, scene_line(L),
                        luaL_typename(L, 1));
        return 1;
    }
    size_t n = strlen(s->short_source);
    bool placed =
        strcmp(text, s->error_text) == 0 || (strncmp(text, s->short_source, n) == 0 && text[n] == ':');
    int line = placed ? 0 : scene_line(L);
    if (line == 0)
        return 1;
    lua_pushfstring(L, "%s:%d: %s", s->short_source, line, text);
    return 1;
}

/* splits "source:12: message" */
static void split_place(const scene *s, const char *text, mo_error *err)
{
    size_t n = strlen(s->short_source);
    char *end = NULL;
    if (strncmp(text, s->short_source, n) == 0 && text[n] == ':') {
        long line = strtol(text + n + 1, &end, 10);
        if (end != text + n + 1 && *end == ':') {
            err->line = (int)line;
            text = end + 1 + (end[1] == ' ');
        }
    }
    snprintf(err->message, sizeof err->message, "%s", text);
}

mo_status scene_take_error(scene *s, int lua_status, mo_error *err)
{
    mo_error e = {.status = MO_BAD_INPUT};
    const char *text = lua_type(s->L, -1) == LUA_TSTRING ? lua_tostring(s->L, -1) : "unknown error";
    snprintf(e.file, sizeof e.file, "%s", s->options->path);
    if (lua_status == LUA_ERRMEM && s->memory_refused) {
        e.line = s->hook_line;
        snprintf(e.message, sizeof e.message,
                 s->string_refused ? "a string is longer than %zu MiB"
                                   : "the scene needs more than %zu MiB of memory",
                 (s->string_refused ? s->limits.string : s->limits.memory) >> 20);
    } else if (lua_status == LUA_ERRMEM) {
        fail(&e, MO_NO_MEMORY, NULL, "out of memory in the scene");
    } else if (strcmp(text, s->error_text) == 0) {
        e = s->error;
    } else {
        split_place(s, text, &e);
    }
    lua_pop(s->L, 1);
    if (err != NULL)
        *err = e;
    return e.status;
}

const char *scene_describe(lua_State *L, int idx, char *out, size_t size)
{
    const char *name = NULL;
    switch (lua_type(L, idx)) {
    case LUA_TNONE:
    case LUA_TNIL:
        snprintf(out, size, "nothing");
        break;
    case LUA_TBOOLEAN:
        snprintf(out, size, "%s", lua_toboolean(L, idx) ? "true" : "false");
        break;
    case LUA_TNUMBER:
        if (lua_isinteger(L, idx))
            snprintf(out, size, "number %lld", (long long)lua_tointeger(L, idx));
        else
            snprintf(out, size, "number %.14g", lua_tonumber(L, idx));
        break;
    case LUA_TSTRING:
        snprintf(out, size, "string \"%.40s\"", lua_tostring(L, idx));
        break;
    case LUA_TUSERDATA:
        if (luaL_getmetafield(L, idx, "__name") == LUA_TSTRING)
            name = lua_tostring(L, -1);
        snprintf(out, size, "a %s", name != NULL ? name : "userdata");
        if (name != NULL)
            lua_pop(L, 1);
        break;
    case LUA_TTABLE:
        if (lua_rawlen(L, idx) > 0)
            snprintf(out, size, "a table of %zu", (size_t)lua_rawlen(L, idx));
        else
            snprintf(out, size, "a table");
        break;
    default:
        snprintf(out, size, "a %s", luaL_typename(L, idx));
    }
    return out;
}

/* edits (insert, delete, replace) between two words of at most 40 letters */
static size_t edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    size_t n = strlen(a), m = strlen(b), row[LONGEST + 1];
    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t replace = diagonal + (a[i - 1] != b[j - 1]);
            size_t other = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replace < other ? replace : other;
        }
    }
    return row[m];
}

const char *scene_nearest(const char *word, const char *const *list)
{
    const char *best = NULL;
    size_t best_distance = strlen(word) / 3 + 2;
    for (; *list != NULL; list++) {
        const char *entry = **list == '!' ? *list + 1 : *list;
        size_t d = edit_distance(word, entry);
        if (d < best_distance && **list != '!') {
            best_distance = d;
            best = entry;
        }
    }
    return best;
}
