/*
 * Typed reading of the tables a scene gives (and making of tables for it), with errors that name the key,
 * what was found and what was expected.
 */
#include "scene/internal.h"

#include "math/quat.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_STRING = 200 };

void read_path(char *out, size_t size, const char *what, const char *key)
{
    const char *dot = what[0] != '\0' && key[0] != '\0' && key[0] != '[' ? "." : "";
    snprintf(out, size, "%s%s%s", what, dot, key);
}

void read_wrong(lua_State *L, const char *what, const char *key, int idx, const char *expected)
{
    char found[80], path[64];
    scene_describe(L, idx, found, sizeof found);
    read_path(path, sizeof path, what, key);
    scene_error(L, path, "expected %s, got %s", expected, found);
}

/* entry of keys that is this word, with or without its mark */
static const char *find_key(const char *word, const char *const *keys)
{
    for (; *keys != NULL; keys++)
        if (strcmp(**keys == '!' ? *keys + 1 : *keys, word) == 0)
            return *keys;
    return NULL;
}

enum { KEY_LIST = 600 };

/* the words of keys in a row; returns their length */
static size_t list_keys(const char *const *keys, char out[KEY_LIST])
{
    size_t n = 0;
    for (out[0] = '\0'; *keys != NULL; keys++)
        if (**keys != '!' && n < KEY_LIST)
            n += (size_t)snprintf(out + n, KEY_LIST - n, "%s%s", n > 0 ? ", " : "", *keys);
    return n;
}

static _Noreturn void unknown_key(lua_State *L, const char *what, const char *word, const char *const *keys)
{
    char path[64], list[KEY_LIST];
    read_path(path, sizeof path, what, word);
    const char *nearest = scene_nearest(word, keys);
    if (nearest != NULL)
        scene_error(L, path, "unknown key \"%.60s\"; did you mean \"%s\"?", word, nearest);
    const bool some = list_keys(keys, list) > 0;
    scene_error(L, path, "unknown key \"%.60s\"; expected %s%s", word, some ? "one of " : "no keys", list);
}

void read_keys(lua_State *L, int idx, const char *what, const char *const *keys, bool positional)
{
    char path[64], found[80], list[KEY_LIST];
    // of several wrong ones the first in the alphabet is told: Lua has them in another order in every run
    const char *wrong = NULL;
    for (lua_pushnil(L); lua_next(L, idx) != 0; lua_pop(L, 1)) {
        if (positional && lua_isinteger(L, -2)) {
            // what stands behind a hole would be passed over
            if (lua_tointeger(L, -2) < 1 || (lua_Unsigned)lua_tointeger(L, -2) > lua_rawlen(L, idx))
                scene_error(L, what, "expected entries 1, 2, 3, ... without a hole, got one with the key %s",
                            scene_describe(L, -2, found, sizeof found));
            continue;
        }
        if (lua_type(L, -2) != LUA_TSTRING) {
            const bool some = list_keys(keys, list) > 0;
            scene_error(L, what, "unexpected entry with key %s, expected %s%s",
                        scene_describe(L, -2, found, sizeof found), some ? "" : "none", list);
        }
        const char *word = lua_tostring(L, -2), *key = find_key(word, keys);
        if ((key == NULL || key[0] == '!') && (wrong == NULL || strcmp(word, wrong) < 0))
            wrong = word;
    }
    if (wrong == NULL)
        return;
    if (find_key(wrong, keys) == NULL)
        unknown_key(L, what, wrong, keys);
    read_path(path, sizeof path, what, wrong);
    scene_error(L, path, "`%s` is not available in this version", wrong);
}

void read_single_table(lua_State *L, const char *what)
{
    char found[80];
    if (lua_type(L, 1) != LUA_TTABLE)
        scene_error(L, what, "expected a table, as in %s{...}, got %s", what,
                    scene_describe(L, 1, found, sizeof found));
    if (lua_gettop(L) > 1)
        scene_error(L, what, "expected one table, got %d arguments", lua_gettop(L));
}

bool read_field(lua_State *L, int idx, const char *key)
{
    idx = lua_absindex(L, idx);
    lua_pushstring(L, key);
    if (lua_rawget(L, idx) != LUA_TNIL)
        return true;
    lua_pop(L, 1);
    return false;
}

double read_number_at(lua_State *L, int idx, const char *what, const char *key)
{
    if (lua_type(L, idx) != LUA_TNUMBER)
        read_wrong(L, what, key, idx, "a number");
    double x = lua_tonumber(L, idx);
    if (!isfinite(x))
        read_wrong(L, what, key, idx, "a finite number");
    return x;
}

/* how vectors of two, three and four numbers are written */
static const char *const vector_form[] = {"{x, y}", "{x, y, z}", "{qw, qx, qy, qz}"};
static const char *const vector_count[] = {"two", "three", "four"};

/* entries of the table, counted no farther than one beyond `most` */
static size_t count_entries(lua_State *L, int idx, size_t most)
{
    size_t entries = 0;
    int top = lua_gettop(L);
    for (lua_pushnil(L); entries <= most && lua_next(L, idx) != 0; lua_pop(L, 1))
        entries++;
    lua_settop(L, top);
    return entries;
}

void read_vector_at(lua_State *L, int idx, const char *what, const char *key, size_t count, double *out)
{
    idx = lua_absindex(L, idx);
    const char *form = vector_form[count - 2], *word = vector_count[count - 2];
    char path[64], found[80], expected[64];
    snprintf(expected, sizeof expected, "a table %s of %s numbers", form, word);
    if (lua_type(L, idx) != LUA_TTABLE)
        read_wrong(L, what, key, idx, expected);
    read_path(path, sizeof path, what, key);
    size_t entries = count_entries(L, idx, count + 1);
    for (size_t i = 0; i < count; i++) {
        int type = lua_rawgeti(L, idx, (lua_Integer)i + 1);
        if (type == LUA_TNIL && count > 2 && entries == i)
            scene_error(L, path, "expected %s with %s numbers, got %zu numbers", form, word, entries);
        if (type != LUA_TNUMBER || !isfinite(lua_tonumber(L, -1)))
            scene_error(L, path, "expected %s with %s finite numbers, got %s at place %zu", form, word,
                        scene_describe(L, -1, found, sizeof found), i + 1);
        out[i] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    if (entries != count)
        scene_error(L, path, "expected %s with %s numbers, got %s%zu entries", form, word,
                    entries > count + 1 ? "more than " : "", count + 1);
}

void read_quaternion_at(lua_State *L, int idx, const char *what, const char *key, double out[4])
{
    read_vector_at(L, idx, what, key, 4, out);
    char path[64];
    read_path(path, sizeof path, what, key);
    if (out[0] == 0 && out[1] == 0 && out[2] == 0 && out[3] == 0)
        scene_error(L, path, "expected a quaternion {qw, qx, qy, qz} other than zero, got {0, 0, 0, 0}");
    quat_normalise(out);
}

bool read_number(lua_State *L, int idx, const char *what, const char *key, double *out)
{
    if (!read_field(L, idx, key))
        return false;
    *out = read_number_at(L, -1, what, key);
    lua_pop(L, 1);
    return true;
}

bool read_boolean(lua_State *L, int idx, const char *what, const char *key, bool *out)
{
    if (!read_field(L, idx, key))
        return false;
    if (lua_type(L, -1) != LUA_TBOOLEAN)
        read_wrong(L, what, key, -1, "true or false");
    *out = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return true;
}

bool read_vector(lua_State *L, int idx, const char *what, const char *key, size_t count, double *out)
{
    if (!read_field(L, idx, key))
        return false;
    read_vector_at(L, -1, what, key, count, out);
    lua_pop(L, 1);
    return true;
}

bool read_quaternion(lua_State *L, int idx, const char *what, const char *key, double out[4])
{
    if (!read_field(L, idx, key))
        return false;
    read_quaternion_at(L, -1, what, key, out);
    lua_pop(L, 1);
    return true;
}

const char *read_string_at(lua_State *L, int idx, const char *what, const char *key)
{
    if (lua_type(L, idx) != LUA_TSTRING)
        read_wrong(L, what, key, idx, "a string");
    size_t length;
    const char *text = lua_tolstring(L, idx, &length);
    if (length == 0 || length > LONGEST_STRING || strlen(text) != length)
        read_wrong(L, what, key, idx, "a string of 1 to 200 characters without zero bytes");
    return text;
}

bool read_string(lua_State *L, int idx, const char *what, const char *key, const char **out)
{
    if (!read_field(L, idx, key))
        return false;
    *out = read_string_at(L, -1, what, key);
    lua_pop(L, 1);
    return true;
}

bool read_choice(lua_State *L, int idx, const char *what, const char *key, const char *const *choices,
                 int *out)
{
    const char *word, *found;
    if (!read_string(L, idx, what, key, &word))
        return false;
    char path[64], list[300] = "";
    read_path(path, sizeof path, what, key);
    found = find_key(word, choices);
    if (found != NULL && found[0] == '!')
        scene_error(L, path, "\"%s\" is not available in this version", word);
    size_t n = 0;
    for (int i = 0; choices[i] != NULL; i++) {
        if (choices[i] == found)
            *out = i;
        if (choices[i][0] != '!' && n < sizeof list)
            n += (size_t)snprintf(list + n, sizeof list - n, "%s\"%s\"", n > 0 ? " or " : "", choices[i]);
    }
    if (found == NULL)
        scene_error(L, path, "expected %s, got \"%.60s\"", list, word);
    return true;
}

void read_positive(lua_State *L, const char *what, const char *key, double value)
{
    char path[64];
    read_path(path, sizeof path, what, key);
    if (!(value > 0))
        scene_error(L, path, "expected a number > 0, got %.17g", value);
}

void read_range(lua_State *L, const char *what, const char *key, double value, double min, double max)
{
    char path[64];
    read_path(path, sizeof path, what, key);
    if (value >= min && value <= max)
        return;
    if (max >= DBL_MAX)
        scene_error(L, path, "expected a number >= %.17g, got %.17g", min, value);
    scene_error(L, path, "expected a number from %g to %g, got %.17g", min, max, value);
}

const char *read_handle_key(lua_State *L, const char *const *fields, const char *what)
{
    const char *key = luaL_checkstring(L, 2);
    for (int i = 0; fields[i] != NULL; i++)
        if (strcmp(fields[i], key) == 0)
            return fields[i];
    const char *nearest = scene_nearest(key, fields);
    if (nearest != NULL)
        scene_error(L, key, "%s has no field \"%.60s\"; did you mean \"%s\"?", what, key, nearest);
    char list[KEY_LIST];
    list_keys(fields, list);
    scene_error(L, key, "%s has no field \"%.60s\"; expected one of %s", what, key, list);
}

void scene_push_numbers(lua_State *L, const double *x, size_t n)
{
    lua_createtable(L, n < INT_MAX ? (int)n : 0, 0);
    for (size_t i = 0; i < n; i++) {
        lua_pushnumber(L, x[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

void scene_push_rows(lua_State *L, const double *x, size_t stride)
{
    const size_t dim = scene_dim(L);
    lua_createtable(L, (int)dim, 0);
    for (size_t i = 0; i < dim; i++) {
        scene_push_numbers(L, x + stride * i, dim);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}
