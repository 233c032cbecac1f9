/*
 * Parameters, of param(name, default [, doc]) and live(...): values from --set, else from the run that is
 * resumed, else the default.
 */
#include "scene/internal.h"

#include "core/fail.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARAMS = 1000, MOST_ENTRIES = 1000 };

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
static void match_subtype(lua_State *L, int like)
{
    double x = lua_tonumber(L, -1);
    if (!lua_isinteger(L, like))
        lua_pushnumber(L, x);
    else if (x == floor(x) && fabs(x) < 9e15)
        lua_pushinteger(L, (lua_Integer)x);
}

/* pushes the value that text means, of the type of the default at idx `like` */
static void push_single(lua_State *L, const char *name, const char *text, int like)
{
    switch (lua_type(L, like)) {
    case LUA_TBOOLEAN:
        if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
            wrong_set(L, name, text, "true or false");
        lua_pushboolean(L, strcmp(text, "true") == 0);
        return;
    case LUA_TNUMBER:
        if (lua_stringtonumber(L, text) == 0 || !isfinite(lua_tonumber(L, -1)))
            wrong_set(L, name, text, "a number");
        match_subtype(L, like);
        return;
    default:
        lua_pushstring(L, text);
    }
}

/* pushes [from, to) without spaces at its ends */
static const char *push_trimmed(lua_State *L, const char *from, const char *to)
{
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (from < to && isspace((unsigned char)to[-1]))
        to--;
    return lua_pushlstring(L, from, (size_t)(to - from));
}

/* pushes the list that "1, 2" or "{1, 2}" means; entries are like those of the default, the last for all
   after it */
static void push_list(lua_State *L, const char *name, const char *text)
{
    const lua_Integer known = (lua_Integer)lua_rawlen(L, 2);
    const char *all = push_trimmed(L, text, text + strlen(text)), *end = all + strlen(all);
    if (*all == '{' && end[-1] == '}') {
        all++;
        end--;
    }
    lua_newtable(L);
    const int list = lua_gettop(L);
    for (lua_Integer k = 1;; k++) {
        const char *comma = memchr(all, ',', (size_t)(end - all));
        const char *entry = push_trimmed(L, all, comma != NULL ? comma : end);
        if (*entry == '\0' || k > MOST_ENTRIES)
            wrong_set(L, name, text, "entries between commas, 1000 at most");
        lua_rawgeti(L, 2, k < known ? k : known);
        push_single(L, name, entry, lua_gettop(L));
        lua_rawseti(L, list, k);
        lua_settop(L, list);
        if (comma == NULL)
            break;
        all = comma + 1;
    }
    lua_remove(L, -2);
}

static void push_set(lua_State *L, const char *name, const char *text)
{
    if (lua_type(L, 2) == LUA_TTABLE)
        push_list(L, name, text);
    else
        push_single(L, name, text, 2);
}

static bool push_json_single(lua_State *L, const json_t *v)
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

bool scene_push_json(lua_State *L, const json_t *v)
{
    if (!json_is_array(v))
        return push_json_single(L, v);
    lua_newtable(L);
    for (size_t i = 0; i < json_array_size(v); i++) {
        if (!push_json_single(L, json_array_get(v, i))) {
            lua_pop(L, 1);
            return false;
        }
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
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

static json_t *list_as_json(lua_State *L, int idx)
{
    json_t *list = json_array();
    for (lua_Integer k = 1; list != NULL && k <= (lua_Integer)lua_rawlen(L, idx); k++) {
        lua_rawgeti(L, idx, k);
        if (json_array_append_new(list, scene_value_as_json(L, lua_gettop(L))) != 0) {
            json_decref(list);
            list = NULL;
        }
        lua_pop(L, 1);
    }
    return list;
}

json_t *scene_value_as_json(lua_State *L, int idx)
{
    switch (lua_type(L, idx)) {
    case LUA_TTABLE:
        return list_as_json(L, idx);
    case LUA_TBOOLEAN:
        return json_boolean(lua_toboolean(L, idx));
    case LUA_TNUMBER:
        return lua_isinteger(L, idx) ? json_integer(lua_tointeger(L, idx)) : json_real(lua_tonumber(L, idx));
    default:
        return json_string(lua_tostring(L, idx));
    }
}

/* pushes the text of a number, string or boolean */
static void push_shown(lua_State *L, int idx)
{
    char text[64];
    const char *shown = text;
    if (lua_type(L, idx) == LUA_TSTRING)
        shown = lua_tostring(L, idx);
    else if (lua_isinteger(L, idx))
        snprintf(text, sizeof text, "%lld", (long long)lua_tointeger(L, idx));
    else if (lua_type(L, idx) == LUA_TBOOLEAN)
        shown = lua_toboolean(L, idx) ? "true" : "false";
    if (lua_type(L, idx) == LUA_TNUMBER && !lua_isinteger(L, idx)) {
        /* the shortest text that gives the number back */
        for (int digits = 6; digits <= 17; digits++) {
            snprintf(text, sizeof text, "%.*g", digits, lua_tonumber(L, idx));
            if (strtod(text, NULL) == lua_tonumber(L, idx))
                break;
        }
    }
    lua_pushstring(L, shown);
}

/* pushes the text of the list at idx */
static void push_shown_list(lua_State *L, int idx)
{
    lua_pushliteral(L, "{");
    for (lua_Integer k = 1; k <= (lua_Integer)lua_rawlen(L, idx); k++) {
        lua_pushstring(L, k > 1 ? ", " : "");
        lua_rawgeti(L, idx, k);
        push_shown(L, lua_gettop(L));
        lua_remove(L, -2);
        lua_concat(L, 3);
    }
    lua_pushliteral(L, "}");
    lua_concat(L, 2);
}

/* a copy of the default for the list; NULL members when memory runs out */
static scene_param describe_param(lua_State *L, const char *name)
{
    const char *type = luaL_typename(L, 2);
    if (lua_type(L, 2) == LUA_TTABLE)
        push_shown_list(L, 2);
    else
        push_shown(L, 2);
    scene_param p = {.name = strdup(name), .value = strdup(lua_tostring(L, -1)), .type = strdup(type)};
    lua_pop(L, 1);
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

static void check_single(lua_State *L, const char *word, int idx, bool list)
{
    size_t length = 0;
    int type = lua_type(L, idx);
    if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TBOOLEAN)
        read_wrong(L, word, "default", idx,
                   list ? "a number, string, boolean or a list of these" : "a number, string or boolean");
    if (type == LUA_TNUMBER)
        read_number_at(L, idx, word, "default");
    if (type == LUA_TSTRING && (strlen(lua_tolstring(L, idx, &length)) != length || length > 4000))
        read_wrong(L, word, "default", idx, "a string of at most 4000 characters without zero bytes");
}

static void check_default(lua_State *L, const char *word, bool list)
{
    if (!list || lua_type(L, 2) != LUA_TTABLE) {
        check_single(L, word, 2, list);
        return;
    }
    lua_Integer n = (lua_Integer)lua_rawlen(L, 2), keys = 0;
    for (lua_pushnil(L); lua_next(L, 2) != 0; lua_pop(L, 1))
        keys++;
    if (n < 1 || n > MOST_ENTRIES || keys != n)
        scene_error(L, "param.default",
                    "expected a list of 1 to %d entries without other keys, got %d entries", MOST_ENTRIES,
                    (int)keys);
    for (lua_Integer k = 1; k <= n; k++) {
        lua_rawgeti(L, 2, k);
        check_single(L, word, lua_gettop(L), list);
        lua_pop(L, 1);
    }
}

static const char *check_param(lua_State *L, const char *word, bool list)
{
    scene *s = scene_of(L);
    const char *name = read_string_at(L, 1, word, "name");
    if (strchr(name, '=') != NULL)
        read_wrong(L, word, "name", 1, "a name without \"=\"");
    check_default(L, word, list);
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
    const char *name = check_param(L, word, !live);
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
