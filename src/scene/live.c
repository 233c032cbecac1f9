/*
 * live(name, default [, doc]): a parameter that may change while the scene runs.  It gives a function, which
 * returns the value of the moment; the value changes between steps only.
 */
#include "scene/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHANGES = 100000 }; /* that a run lists; those in its frames are not bounded */

/* the value of the moment: that of the parameter whose name is upvalue 1 */
static int read_live(lua_State *L)
{
    const char *name = lua_tostring(L, lua_upvalueindex(1));
    if (!scene_push_json(L, json_object_get(scene_of(L)->param_values, name)))
        scene_error(L, name, "the live parameter has no value");
    return 1;
}

static int live(lua_State *L)
{
    scene_take_param(L, "live", true);
    lua_pushvalue(L, 1);
    lua_pushcclosure(L, read_live, 1);
    return 1;
}

void scene_open_live(lua_State *L)
{
    lua_register(L, "live", live);
}

static const scene_param *find_live(const scene *s, const char *name)
{
    for (size_t i = 0; i < s->param_count; i++) {
        if (s->params[i].live && strcmp(s->params[i].name, name) == 0)
            return &s->params[i];
    }
    return NULL;
}

/* a number of the default's kind: 2 for a default of 1.5 is 2.0 */
static json_t *number_value(const scene_param *p, const char *text)
{
    char *end;
    double x = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(x))
        return NULL;
    return p->whole && x == floor(x) && fabs(x) < 9e15 ? json_integer((json_int_t)x) : json_real(x);
}

static json_t *value_of_text(const scene_param *p, const char *text)
{
    if (strcmp(p->type, "number") == 0)
        return number_value(p, text);
    if (strcmp(p->type, "string") == 0)
        return json_string(text);
    if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
        return NULL;
    return json_boolean(strcmp(text, "true") == 0);
}

bool scene_set_live(scene *s, int64_t step, const char *name, const char *text)
{
    const scene_param *p = find_live(s, name);
    json_t *value = p != NULL ? value_of_text(p, text) : NULL;
    json_t *change = value != NULL ? json_pack("[IsO]", (json_int_t)step, name, value) : NULL;
    const bool ok = change != NULL && json_object_set(s->param_values, name, value) == 0;
    if (ok)
        json_array_append(s->live_new, change);
    if (ok && json_array_size(s->live_changes) < MOST_CHANGES)
        json_array_append(s->live_changes, change);
    json_decref(change);
    json_decref(value);
    return ok;
}

json_t *scene_live_as_json(const scene *s)
{
    json_t *out = NULL;
    for (size_t i = 0; i < s->param_count; i++) {
        if (!s->params[i].live)
            continue;
        if (out == NULL)
            out = json_object();
        json_object_set(out, s->params[i].name, json_object_get(s->param_values, s->params[i].name));
    }
    return out;
}

bool scene_take_live(scene *s, const json_t *values)
{
    for (size_t i = 0; i < s->param_count && values != NULL; i++) {
        const scene_param *p = &s->params[i];
        json_t *value = json_object_get(values, p->name), *now = json_object_get(s->param_values, p->name);
        // a --set of the resumed run comes first; a parameter that the scene did not have then keeps its
        // default
        if (!p->live || p->set || value == NULL)
            continue;
        const bool numbers = json_is_number(value) && json_is_number(now);
        const bool booleans = json_is_boolean(value) && json_is_boolean(now);
        if (!numbers && !booleans && json_typeof(value) != json_typeof(now))
            return false;
        json_object_set(s->param_values, p->name, value);
    }
    return values == NULL || json_is_object(values);
}
