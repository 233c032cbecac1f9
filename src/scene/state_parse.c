/*
 * Reading back what state_text.c wrote.  The text comes from a file: everything is checked.
 */
#include "scene/internal.h"

#include "core/fail.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 110 };

typedef struct parser {
    const char *p;    /* next byte; the text is zero-terminated */
    const char *file; /* for messages */
    lua_Integer tables;
} parser;

static _Noreturn void unsound(lua_State *L, const parser *in)
{
    mo_error err;
    fail(&err, MO_BAD_FILE, "state", "the saved state of the scene is damaged");
    fail_at(&err, in->file, 0);
    scene_raise(L, "", &err);
}

static void parse_string(lua_State *L, parser *in)
{
    luaL_Buffer b;
    if (*in->p++ != '"')
        unsound(L, in);
    luaL_buffinit(L, &b);
    for (; *in->p != '"'; in->p++) {
        char c = *in->p;
        if (c == '\0')
            unsound(L, in);
        if (c == '\\') {
            const char *q = in->p;
            if (q[1] != 'x' || !isxdigit((unsigned char)q[2]) || !isxdigit((unsigned char)q[3]))
                unsound(L, in);
            char hex[3] = {q[2], q[3], '\0'};
            c = (char)strtol(hex, NULL, 16);
            in->p += 3;
        }
        luaL_addchar(&b, c);
    }
    in->p++;
    luaL_pushresult(&b);
}

static void expect_end(lua_State *L, parser *in, const char *end)
{
    if (end == in->p || *end != ';')
        unsound(L, in);
    in->p = end + 1;
}

static long long parse_integer(lua_State *L, parser *in)
{
    char *end;
    long long n = strtoll(in->p, &end, 10);
    expect_end(L, in, end);
    return n;
}

static void parse_value(lua_State *L, parser *in, int refs, int depth);

/* entries of the table on top of the stack */
static void parse_entries(lua_State *L, parser *in, int refs, int depth)
{
    int t = lua_gettop(L);
    lua_pushvalue(L, t);
    lua_rawseti(L, refs, ++in->tables);
    while (*in->p != '}') {
        parse_value(L, in, refs, depth + 1);
        parse_value(L, in, refs, depth + 1);
        bool is_key = !lua_isnil(L, -2) &&
                      (lua_type(L, -2) != LUA_TNUMBER || lua_tonumber(L, -2) == lua_tonumber(L, -2));
        if (!is_key)
            unsound(L, in);
        lua_rawset(L, t);
    }
    in->p++;
}

static void parse_reference(lua_State *L, parser *in, int refs)
{
    if (lua_rawgeti(L, refs, parse_integer(L, in)) != LUA_TTABLE)
        unsound(L, in);
}

static void parse_value(lua_State *L, parser *in, int refs, int depth)
{
    char *end;
    double x;
    if (depth > DEEPEST || *in->p == '\0')
        unsound(L, in);
    luaL_checkstack(L, 10, "state");
    switch (*in->p++) {
    case 'n':
        lua_pushnil(L);
        break;
    case 't':
        lua_pushboolean(L, 1);
        break;
    case 'f':
        lua_pushboolean(L, 0);
        break;
    case 'i':
        lua_pushinteger(L, parse_integer(L, in));
        break;
    case 'd':
        x = strtod(in->p, &end);
        expect_end(L, in, end);
        lua_pushnumber(L, x);
        break;
    case 's':
        parse_string(L, in);
        break;
    case 'b':
        scene_push_body(L, (uint32_t)parse_integer(L, in));
        break;
    case 'r':
        parse_reference(L, in, refs);
        break;
    case '{':
        lua_newtable(L);
        parse_entries(L, in, refs, depth);
        break;
    default:
        unsound(L, in);
    }
}

/* empties the table on top of the stack */
static void clear_table(lua_State *L)
{
    int t = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, t) != 0;) {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_pushnil(L);
        lua_rawset(L, t);
    }
}

/* argument 1: the parser.  A table that the chunk made is filled in place, so that its locals still see it.
 */
static int parse_state(lua_State *L)
{
    parser *in = lua_touserdata(L, 1);
    lua_newtable(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    lua_pushliteral(L, "state");
    lua_pushliteral(L, "state");
    if (lua_rawget(L, 3) == LUA_TTABLE && *in->p == '{') {
        in->p++;
        clear_table(L);
        parse_entries(L, in, 2, 0);
    } else {
        lua_pop(L, 1);
        parse_value(L, in, 2, 0);
    }
    if (*in->p != '\0')
        unsound(L, in);
    lua_rawset(L, 3);
    return 0;
}

static mo_status damaged(scene *s, mo_error *err)
{
    fail(err, MO_BAD_FILE, "state", "the saved state of the scene is damaged");
    fail_at(err, s->options->resume, 0);
    return MO_BAD_FILE;
}

static mo_status read_pair_law(scene *s, json_t *one, mo_error *err)
{
    const char *g1, *g2;
    pair_law p;
    if (!scene_take_pair_law(one, &g1, &g2, &p))
        return damaged(s, err);
    pair_law *grown = realloc(s->laws, (s->law_count + 1) * sizeof *grown);
    if (grown == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "out of memory");
    s->laws = grown;
    p.group1 = strdup(g1);
    p.group2 = strdup(g2);
    s->laws[s->law_count++] = p;
    if (p.group1 == NULL || p.group2 == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "out of memory");
    return MO_OK;
}

static mo_status read_laws(scene *s, json_t *laws, mo_error *err)
{
    if (laws == NULL || json_is_null(laws) || s->world == NULL)
        return MO_OK;
    if (!scene_take_law(json_array_get(laws, 0), &s->default_law))
        return damaged(s, err);
    scene_free_laws(s);
    mo_status status = MO_OK;
    for (size_t i = 1; i < json_array_size(laws) && status == MO_OK; i++)
        status = read_pair_law(s, json_array_get(laws, i), err);
    s->laws_changed = true;
    return status == MO_OK ? scene_apply_laws(s, err) : status;
}

/* takes over reports and failed checks when they are what they should be */
static bool take_results(scene *s, json_t *head)
{
    json_t *report = json_object_get(head, "report"), *failed = json_object_get(head, "failed"), *entry;
    size_t i;
    if (!json_is_object(report) || !json_is_array(failed))
        return false;
    json_array_foreach(failed, i, entry) if (!json_is_string(entry)) return false;
    json_decref(s->report);
    json_decref(s->failed);
    s->report = json_incref(report);
    s->failed = json_incref(failed);
    return scene_take_plots(s, json_object_get(head, "plots"));
}

static mo_status read_header(scene *s, json_t *head, uint32_t *created, mo_error *err)
{
    json_t *n = json_object_get(head, "created");
    if (!json_is_integer(n) || json_integer_value(n) < 0 || json_integer_value(n) >= UINT32_MAX)
        return damaged(s, err);
    *created = (uint32_t)json_integer_value(n);
    json_int_t built = json_integer_value(json_object_get(head, "built"));
    if (built != (json_int_t)s->built) {
        fail(err, MO_BAD_INPUT, "resume",
             "the scene does not build what %s holds: it creates %zu bodies before the first step, in the "
             "file there were "
             "%lld",
             s->options->resume, s->built, (long long)built);
        fail_at(err, s->options->path, 0);
        return MO_BAD_INPUT;
    }
    if (json_is_true(json_object_get(head, "late"))) {
        fail(err, MO_BAD_INPUT, "resume",
             "the run cannot be resumed: the scene registered functions (at, on_step, ...), gave loads by "
             "functions, or made, removed or drove joints, while it ran");
        fail_at(err, s->options->resume, 0);
        return MO_BAD_INPUT;
    }
    if (!take_results(s, head) || !scene_take_live(s, json_object_get(head, "live")) ||
        (s->servos != NULL && !scene_take_servos(s, json_object_get(head, "servos"))) ||
        !scene_take_cell(s, json_object_get(head, "cell")))
        return damaged(s, err);
    json_t *loads = json_object_get(head, "loads");
    if (loads != NULL && (!json_is_object(loads) || json_object_update(s->loads, loads) != 0))
        return damaged(s, err);
    s->stopped = json_is_true(json_object_get(head, "stopped"));
    mo_status status = scene_take_rains(s, json_object_get(head, "rain"), *created, err);
    if (status != MO_OK)
        return status;
    return read_laws(s, json_object_get(head, "laws"), err);
}

mo_status scene_read_state(scene *s, const char *text, uint32_t *created, mo_error *err)
{
    const char *newline = text != NULL ? strchr(text, '\n') : NULL;
    if (newline == NULL)
        return damaged(s, err);
    json_t *head = json_loadb(text, (size_t)(newline - text), JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(head)) {
        json_decref(head);
        return damaged(s, err);
    }
    mo_status status = read_header(s, head, created, err);
    json_decref(head);
    if (status != MO_OK)
        return status;
    parser in = {.p = newline + 1, .file = s->options->resume};
    lua_pushcfunction(s->L, parse_state);
    lua_pushlightuserdata(s->L, &in);
    return scene_call(s, 1, 0, err);
}
