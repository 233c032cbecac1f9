/*
 * Parameters, of param(name, default [, doc]) and live(...): values from --set, else from the run that is
 * resumed, else the default.
 */
#include "scene/internal.h"

#include "core/fail.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARAMS = 1000 };

/* the text after "NAME=" of the last --set of this name, or NULL */
static const char *find_set(scene *s, const char *name)
{
    size_t n = strlen(name);
    const char *value = NULL;
    for (size_t i = 0; i < s->options->set_count; i++) {
        const char *set = s->options->sets[i];
        if (strncmp(set, name, n) != 0 || set[n] != '=')
            continue;
        s->set_used[i] = true;
        value = set + n + 1;
    }
    return value;
}

/* wrong usage is not the scene's to catch */
static _Noreturn void wrong_set(lua_State *L, const char *name, const char *text, const char *expected)
{
    scene *s = scene_of(L);
    fail(&s->usage_error, MO_USAGE, name, "--set %.60s=%.100s: expected %s", name, text, expected);
    s->usage_failed = true;
    scene_error(L, name, "%s", s->usage_error.message);
}

/* 1e3 for a default of 10 is the integer 1000; 10 for a default of 1.5 is 10.0 */
static void match_subtype(lua_State *L)
{
    double x = lua_tonumber(L, -1);
    if (!lua_isinteger(L, 2))
        lua_pushnumber(L, x);
    else if (x == floor(x) && fabs(x) < 9e15)
        lua_pushinteger(L, (lua_Integer)x);
}

/* pushes the value that text means, of the type of the default at idx 2 */
static void push_set(lua_State *L, const char *name, const char *text)
{
    switch (lua_type(L, 2)) {
    case LUA_TBOOLEAN:
        if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
            wrong_set(L, name, text, "true or false");
        lua_pushboolean(L, strcmp(text, "true") == 0);
        return;
    case LUA_TNUMBER:
        if (lua_stringtonumber(L, text) == 0 || !isfinite(lua_tonumber(L, -1)))
            wrong_set(L, name, text, "a number");
        match_subtype(L);
        return;
    default:
        lua_pushstring(L, text);
    }
}

bool scene_push_json(lua_State *L, const json_t *v)
{
    if (json_is_boolean(v))
        lua_pushboolean(L, json_is_true(v));
    else if (json_is_string(v))
        lua_pushstring(L, json_string_value(v));
    else if (json_is_integer(v))
        lua_pushinteger(L, json_integer_value(v));
    else if (json_is_real(v))
        lua_pushnumber(L, json_real_value(v));
    else
        return false;
    return true;
}

/* pushes the value saved in the resumed run when it has the type of the default */
static bool push_saved(lua_State *L, const char *name)
{
    if (!scene_push_json(L, json_object_get(scene_of(L)->param_saved, name)))
        return false;
    if (lua_type(L, -1) == lua_type(L, 2))
        return true;
    lua_pop(L, 1);
    return false;
}

json_t *scene_value_as_json(lua_State *L, int idx)
{
    switch (lua_type(L, idx)) {
    case LUA_TBOOLEAN:
        return json_boolean(lua_toboolean(L, idx));
    case LUA_TNUMBER:
        return lua_isinteger(L, idx) ? json_integer(lua_tointeger(L, idx)) : json_real(lua_tonumber(L, idx));
    default:
        return json_string(lua_tostring(L, idx));
    }
}

/* a copy of the default for the list; NULL members when memory runs out */
static scene_param describe_param(lua_State *L, const char *name)
{
    char text[64];
    const char *type = luaL_typename(L, 2);
    const char *shown = text;
    if (lua_type(L, 2) == LUA_TSTRING)
        shown = lua_tostring(L, 2);
    else if (lua_isinteger(L, 2))
        snprintf(text, sizeof text, "%lld", (long long)lua_tointeger(L, 2));
    else if (lua_type(L, 2) == LUA_TBOOLEAN)
        shown = lua_toboolean(L, 2) ? "true" : "false";
    if (lua_type(L, 2) == LUA_TNUMBER && !lua_isinteger(L, 2)) {
        /* the shortest text that gives the number back */
        for (int digits = 6; digits <= 17; digits++) {
            snprintf(text, sizeof text, "%.*g", digits, lua_tonumber(L, 2));
            if (strtod(text, NULL) == lua_tonumber(L, 2))
                break;
        }
    }
    scene_param p = {.name = strdup(name), .value = strdup(shown), .type = strdup(type)};
    p.doc = strdup(lua_isnoneornil(L, 3) ? "" : lua_tostring(L, 3));
    p.whole = lua_isinteger(L, 2);
    return p;
}

static void free_param(scene_param *p)
{
    free(p->name);
    free(p->value);
    free(p->type);
    free(p->doc);
}

static scene_param *remember(lua_State *L, const char *name, int value)
{
    scene *s = scene_of(L);
    scene_param *grown = realloc(s->params, (s->param_count + 1) * sizeof *grown);
    if (grown == NULL)
        scene_error(L, "param", "out of memory");
    s->params = grown;
    json_t *v = scene_value_as_json(L, value);
    if (v == NULL || json_object_set_new(s->param_values, name, v) != 0)
        scene_error(L, name, "expected valid UTF-8 text");
    scene_param p = describe_param(L, name);
    if (p.name == NULL || p.value == NULL || p.type == NULL || p.doc == NULL) {
        free_param(&p);
        scene_error(L, "param", "out of memory");
    }
    s->params[s->param_count] = p;
    return &s->params[s->param_count++];
}

static const char *check_param(lua_State *L, const char *word)
{
    scene *s = scene_of(L);
    size_t length = 0;
    const char *name = read_string_at(L, 1, word, "name");
    if (strchr(name, '=') != NULL)
        read_wrong(L, word, "name", 1, "a name without \"=\"");
    int type = lua_type(L, 2);
    if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TBOOLEAN)
        read_wrong(L, word, "default", 2, "a number, string or boolean");
    if (type == LUA_TNUMBER)
        read_number_at(L, 2, word, "default");
    if (type == LUA_TSTRING && (strlen(lua_tolstring(L, 2, &length)) != length || length > 4000))
        read_wrong(L, word, "default", 2, "a string of at most 4000 characters without zero bytes");
    if (!lua_isnoneornil(L, 3) && lua_type(L, 3) != LUA_TSTRING)
        read_wrong(L, word, "doc", 3, "a string");
    if (lua_type(L, 3) == LUA_TSTRING && lua_rawlen(L, 3) > 4000)
        read_wrong(L, word, "doc", 3, "at most 4000 characters");
    if (s->phase != PHASE_CHUNK)
        scene_error(L, word, "%s must be called while the scene is built", word);
    if (json_object_get(s->param_values, name) != NULL)
        scene_error(L, name, "the parameter \"%s\" is asked for twice", name);
    if (s->param_count >= MOST_PARAMS)
        scene_error(L, word, "more than %d parameters", MOST_PARAMS);
    return name;
}

const char *scene_take_param(lua_State *L, const char *word, bool live)
{
    lua_settop(L, 3);
    const char *name = check_param(L, word);
    const char *text = find_set(scene_of(L), name);
    if (text != NULL)
        push_set(L, name, text);
    else if (!push_saved(L, name))
        lua_pushvalue(L, 2);
    scene_param *p = remember(L, name, lua_gettop(L));
    p->set = text != NULL;
    p->live = live;
    return name;
}

static int param(lua_State *L)
{
    scene_take_param(L, "param", false);
    return 1;
}

mo_status scene_check_sets(scene *s, mo_error *err)
{
    for (size_t i = 0; i < s->options->set_count; i++) {
        const char *set = s->options->sets[i];
        const char *equals = strchr(set, '=');
        if (equals == NULL || equals == set)
            return fail(err, MO_USAGE, "--set", "--set %.100s: expected NAME=VALUE", set);
        if (s->set_used[i])
            continue;
        char list[400] = "";
        size_t n = 0;
        for (size_t k = 0; k < s->param_count && n < sizeof list; k++)
            n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", k > 0 ? ", " : "", s->params[k].name);
        return fail(err, MO_USAGE, "--set", "the scene has no parameter \"%.*s\"; it has %s",
                    (int)(equals - set < 60 ? equals - set : 60), set, n > 0 ? list : "none");
    }
    return MO_OK;
}

void scene_free_params(scene *s)
{
    for (size_t i = 0; i < s->param_count; i++)
        free_param(&s->params[i]);
    free(s->params);
    s->params = NULL;
    s->param_count = 0;
}

void scene_params_free(scene_params *params)
{
    for (size_t i = 0; i < params->count; i++)
        free_param(&params->items[i]);
    free(params->items);
    *params = (scene_params){0, NULL};
}

void scene_open_params(lua_State *L)
{
    lua_register(L, "param", param);
}
