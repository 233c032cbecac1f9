/*
 * What a frame keeps of a scene, as text.  First line: a JSON object with the number of bodies ever created,
 * whether functions were registered after the chunk, laws changed on the way, reports, failed checks,
 * plots made on the way, what servos hold, how the cell deforms and how far rain is; loads set on the way in
 * place of functions; with live parameters their values, and their changes since the frame before as
 * [step, name, value].  Rest: the global `state`, each value by one letter: n  t  f  nil, true, false; i12;
 * d0x1p-3; integer, float in hexadecimal; s"text" bytes outside 32..126, \ and " as \xHH; b7; the body with
 * this id; {key value ...} a table; tables count from 1 in the order of their braces; r3; table 3 again
 */
#include "scene/internal.h"

#include "core/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 100, LONGEST = 1 << 26 };

typedef struct writer {
    char *text; /* owned, zero-terminated */
    size_t length, capacity;
    int tables;     /* written so far */
    char path[200]; /* of the value being written, for messages */
} writer;

static void append(lua_State *L, writer *w, const char *bytes, size_t n)
{
    if (w->length + n + 1 > w->capacity) {
        size_t capacity = 2 * w->capacity + n + 256;
        char *grown = capacity < LONGEST ? realloc(w->text, capacity) : NULL;
        if (grown == NULL)
            scene_error(L, "state", "too large for a run file");
        w->text = grown;
        w->capacity = capacity;
    }
    memcpy(w->text + w->length, bytes, n);
    w->length += n;
    w->text[w->length] = '\0';
}

static void append_format(lua_State *L, writer *w, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void append_format(lua_State *L, writer *w, const char *format, ...)
{
    char piece[64];
    va_list args;
    va_start(args, format);
    vsnprintf(piece, sizeof piece, format, args);
    va_end(args);
    append(L, w, piece, strlen(piece));
}

static void write_string(lua_State *L, writer *w, int idx)
{
    size_t n;
    const char *text = lua_tolstring(L, idx, &n);
    append(L, w, "s\"", 2);
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < 32 || c > 126 || c == '\\' || c == '"')
            append_format(L, w, "\\x%02x", c);
        else
            append(L, w, &text[i], 1);
    }
    append(L, w, "\"", 1);
}

static void write_value(lua_State *L, writer *w, int idx, int seen, int depth);

/* adds "[key]" to the path; returns its former length */
static size_t extend_path(lua_State *L, writer *w, int key)
{
    char found[80];
    size_t before = strlen(w->path);
    if (lua_type(L, key) == LUA_TSTRING)
        snprintf(w->path + before, sizeof w->path - before, ".%.40s", lua_tostring(L, key));
    else
        snprintf(w->path + before, sizeof w->path - before, "[%s]",
                 scene_describe(L, key, found, sizeof found));
    return before;
}

static void write_table(lua_State *L, writer *w, int idx, int seen, int depth)
{
    lua_pushvalue(L, idx);
    if (lua_rawget(L, seen) == LUA_TNUMBER) {
        append_format(L, w, "r%lld;", (long long)lua_tointeger(L, -1));
        lua_pop(L, 1);
        return;
    }
    lua_pop(L, 1);
    if (lua_getmetatable(L, idx))
        scene_error(L, w->path, "a table with a metatable cannot be kept in a run file");
    lua_pushvalue(L, idx);
    lua_pushinteger(L, ++w->tables);
    lua_rawset(L, seen);
    append(L, w, "{", 1);
    scene_sorted_keys(L, idx);
    int keys = lua_gettop(L);
    for (lua_Integer i = 1; lua_rawgeti(L, keys, i) != LUA_TNIL; i++) {
        size_t before = extend_path(L, w, keys + 1);
        if (lua_type(L, keys + 1) == LUA_TTABLE)
            scene_error(L, w->path, "a table as key cannot be kept in a run file");
        write_value(L, w, keys + 1, seen, depth + 1);
        lua_pushvalue(L, keys + 1);
        lua_rawget(L, idx);
        write_value(L, w, keys + 2, seen, depth + 1);
        w->path[before] = '\0';
        lua_settop(L, keys);
    }
    lua_settop(L, keys - 1);
    append(L, w, "}", 1);
}

static void write_value(lua_State *L, writer *w, int idx, int seen, int depth)
{
    char found[80];
    if (depth > DEEPEST)
        scene_error(L, w->path, "nested deeper than %d tables", DEEPEST);
    luaL_checkstack(L, 10, "state");
    switch (lua_type(L, idx)) {
    case LUA_TNIL:
        append(L, w, "n", 1);
        break;
    case LUA_TBOOLEAN:
        append(L, w, lua_toboolean(L, idx) ? "t" : "f", 1);
        break;
    case LUA_TNUMBER:
        if (lua_isinteger(L, idx))
            append_format(L, w, "i%lld;", (long long)lua_tointeger(L, idx));
        else
            append_format(L, w, "d%a;", lua_tonumber(L, idx));
        break;
    case LUA_TSTRING:
        write_string(L, w, idx);
        break;
    case LUA_TTABLE:
        write_table(L, w, idx, seen, depth);
        break;
    default:
        if (luaL_testudata(L, idx, BODY_TYPE) == NULL)
            scene_error(L, w->path, "%s cannot be kept in a run file",
                        scene_describe(L, idx, found, sizeof found));
        append_format(L, w, "b%u;", scene_body_at(L, idx, "state", ""));
    }
}

/* argument 1: the writer */
static int write_state(lua_State *L)
{
    writer *w = lua_touserdata(L, 1);
    snprintf(w->path, sizeof w->path, "state");
    lua_newtable(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_pushliteral(L, "state");
    lua_rawget(L, 3);
    write_value(L, w, 4, 2, 0);
    return 0;
}

static char *header_text(const scene *s)
{
    json_t *laws = s->laws_changed ? scene_laws_as_json(s) : json_null();
    if (laws == NULL)
        return NULL;
    size_t created = s->world != NULL ? mo_world_bodies(s->world).created : 0;
    json_t *head =
        json_pack("{sIsIsbsosOsOsosososo}", "created", (json_int_t)created, "built", (json_int_t)s->built,
                  "late", (int)s->late_functions, "laws", laws, "report", s->report, "failed", s->failed,
                  "plots", scene_late_plots(s), "servos", scene_servos_as_json(s), "cell",
                  scene_cell_as_json(s), "rain", scene_rains_as_json(s));
    // live parameters: where they stand, and how they came there since the frame before
    json_t *live = scene_live_as_json(s);
    if (head != NULL && live != NULL) {
        json_object_set(head, "live", live);
        json_object_set(head, "changes", s->live_new);
    }
    json_decref(live);
    if (head != NULL && json_object_size(s->loads) > 0)
        json_object_set(head, "loads", s->loads);
    // the run ends here, and stop_when is to be asked before it goes on
    if (head != NULL && s->stopped)
        json_object_set_new(head, "stopped", json_true());
    char *text = json_dumps(head, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(head);
    return text;
}

mo_status scene_write_state(scene *s, char **out, mo_error *err)
{
    char *head = header_text(s);
    if (head == NULL)
        return fail(err, MO_BAD_INPUT, "law", "group names must be UTF-8 to be kept in a run file");
    writer w = {.capacity = strlen(head) + 256};
    w.text = malloc(w.capacity);
    if (w.text == NULL) {
        free(head);
        return fail(err, MO_NO_MEMORY, NULL, "out of memory");
    }
    w.length = (size_t)snprintf(w.text, w.capacity, "%s\n", head);
    free(head);
    lua_pushcfunction(s->L, write_state);
    lua_pushlightuserdata(s->L, &w);
    mo_status status = scene_call(s, 1, 0, err);
    if (status == MO_OK)
        *out = w.text;
    else
        free(w.text);
    return status;
}
