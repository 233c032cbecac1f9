/*
 * law{...}: reading, the law of every pair, and laws as JSON for what a run file keeps of them.
 */
#include "scene/internal.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "core/fail.h"
#include "problem/law.h"

/* Keys of numbers, in the order of `fields`; then the others. */
static const char *const law_keys[] = {"friction",
                                       "restitution",
                                       "tangential_restitution",
                                       "static_friction",
                                       "friction2",
                                       "cohesion",
                                       "threshold",
                                       "rolling",
                                       "spinning",
                                       "axis",
                                       "gluey",
                                       "name",
                                       "between",
                                       NULL};

_Static_assert(sizeof law_keys / sizeof *law_keys == LAW_KEYS + 2, "between and the end are the rest");

enum { NUMBERS = 9, KEY_AXIS = NUMBERS, KEY_GLUEY, KEY_NAME, KEY_STATIC = 3 };

/* What a number may be, and where it is. */
static const struct {
    double min, max;
    size_t offset;
} fields[NUMBERS] = {
    {0, DBL_MAX, offsetof(mo_law, friction)},          {0, 1, offsetof(mo_law, restitution)},
    {-1, 1, offsetof(mo_law, tangential_restitution)}, {0, DBL_MAX, offsetof(mo_law, static_friction)},
    {0, DBL_MAX, offsetof(mo_law, friction2)},         {0, DBL_MAX, offsetof(mo_law, cohesion)},
    {0, DBL_MAX, offsetof(mo_law, threshold)},         {0, DBL_MAX, offsetof(mo_law, rolling)},
    {0, DBL_MAX, offsetof(mo_law, spinning)},
};

static double *law_value(mo_law *law, int k)
{
    return (double *)(void *)((char *)law + fields[k].offset);
}

/* keys that are given go from one law to another */
static void take_given(mo_law *law, const pair_law *p)
{
    mo_law from = p->law;
    for (int k = 0; k < NUMBERS; k++)
        if (p->given & (1u << k))
            *law_value(law, k) = *law_value(&from, k);
    if (p->given & (1u << KEY_AXIS))
        memcpy(law->axis, from.axis, sizeof law->axis);
    if (p->given & (1u << KEY_GLUEY))
        law->gluey = from.gluey;
    if (p->given & (1u << KEY_NAME))
        law->name = from.name;
    /* the default pair's static friction is none for a pair with more friction than that */
    if (!(p->given & (1u << KEY_STATIC)) && law->static_friction < law->friction)
        law->static_friction = 0;
}

/* default pair first, then each pair with its absent keys from there */
mo_status scene_apply_laws(scene *s, mo_error *err)
{
    mo_status status = mo_world_set_default_law(s->world, &s->default_law, err);
    for (size_t i = 0; i < s->law_count && status == MO_OK; i++) {
        mo_law law = s->default_law;
        take_given(&law, &s->laws[i]);
        status = mo_world_set_law(s->world, s->laws[i].group1, s->laws[i].group2, &law, err);
    }
    return status;
}

void scene_free_laws(scene *s)
{
    for (size_t i = 0; i < s->law_count; i++) {
        free(s->laws[i].group1);
        free(s->laws[i].group2);
    }
    free(s->laws);
    s->laws = NULL;
    s->law_count = 0;
}

static bool same_pair(const pair_law *p, const char *a, const char *b)
{
    return (strcmp(p->group1, a) == 0 && strcmp(p->group2, b) == 0) ||
           (strcmp(p->group1, b) == 0 && strcmp(p->group2, a) == 0);
}

/* the entry of a pair, new when it has none; NULL without memory */
static pair_law *find_pair(scene *s, const char *a, const char *b)
{
    for (size_t i = 0; i < s->law_count; i++)
        if (same_pair(&s->laws[i], a, b))
            return &s->laws[i];
    pair_law *grown = realloc(s->laws, (s->law_count + 1) * sizeof *grown);
    if (grown == NULL)
        return NULL;
    s->laws = grown;
    pair_law p = {.group1 = strdup(a), .group2 = strdup(b)};
    if (p.group1 == NULL || p.group2 == NULL) {
        free(p.group1);
        free(p.group2);
        return NULL;
    }
    s->laws[s->law_count] = p;
    return &s->laws[s->law_count++];
}

/* reads between = {a, b}; both strings stay in the table */
static bool read_between(lua_State *L, const char *groups[2])
{
    if (!read_field(L, 1, "between"))
        return false;
    static const char *const no_keys[] = {NULL};
    static const char *const names[2] = {"between[1]", "between[2]"};
    if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) != 2)
        read_wrong(L, "law", "between", -1, "a table of two group names");
    read_keys(L, lua_gettop(L), "law.between", no_keys, true);
    for (int i = 0; i < 2; i++) {
        lua_rawgeti(L, -1, i + 1);
        groups[i] = read_string_at(L, -1, "law", names[i]);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return true;
}

/* the name as the library keeps it */
static bool read_name(lua_State *L, const char **name)
{
    const char *given;
    char known[256];
    if (!read_string(L, 1, "law", "name", &given))
        return false;
    if (law_find(given, name) != NULL)
        return true;
    law_names(known, sizeof known);
    if (known[0] == '\0')
        scene_error(L, "law.name", "no law \"%.63s\": a program registers laws with mo_law_register, none is",
                    given);
    scene_error(L, "law.name", "no law \"%.63s\" is registered; known: %s", given, known);
}

/* the law of the table at 1; bits of the keys that it has */
static unsigned read_law(lua_State *L, mo_law *law)
{
    unsigned given = 0;
    for (int k = 0; k < NUMBERS; k++) {
        if (!read_number(L, 1, "law", law_keys[k], law_value(law, k)))
            continue;
        read_range(L, "law", law_keys[k], *law_value(law, k), fields[k].min, fields[k].max);
        given |= 1u << k;
    }
    if (read_vector(L, 1, "law", "axis", 3, law->axis)) {
        if (law->axis[0] == 0 && law->axis[1] == 0 && law->axis[2] == 0)
            scene_error(L, "law.axis", "expected a direction, got {0, 0, 0}");
        given |= 1u << KEY_AXIS;
    }
    if (read_boolean(L, 1, "law", "gluey", &law->gluey))
        given |= 1u << KEY_GLUEY;
    if (read_name(L, &law->name))
        given |= 1u << KEY_NAME;
    return given;
}

static void note_lines(scene *s, mo_law law, unsigned given)
{
    for (int k = 0; k < LAW_KEYS; k++)
        if ((given & (1u << k)) && (k >= NUMBERS || *law_value(&law, k) != 0))
            s->law_key_line[k] = s->law_line;
}

int scene_law_line(const scene *s, const char *key)
{
    for (int k = 0; k < LAW_KEYS; k++)
        if (strcmp(law_keys[k], key) == 0)
            return s->law_key_line[k];
    return 0;
}

static int make_law(lua_State *L)
{
    enum { MOST_LAWS = 10000 };
    scene *s = scene_of(L);
    if (s->engine != NULL)
        scene_world_to_change(L, "law");
    s->law_line = scene_line(L);
    read_single_table(L, "law");
    read_keys(L, 1, "law", law_keys, false);
    mo_law law = {0};
    unsigned given = read_law(L, &law);
    note_lines(s, law, given);
    const char *groups[2];
    if (read_between(L, groups)) {
        pair_law *p = s->law_count < MOST_LAWS ? find_pair(s, groups[0], groups[1]) : NULL;
        if (p == NULL)
            scene_error(L, "law", "more than %d laws, or out of memory", MOST_LAWS);
        p->law = law;
        p->given = given;
    } else {
        s->default_law = law;
    }
    s->laws_changed = s->laws_changed || s->phase != PHASE_CHUNK;
    mo_error err = {0};
    if (s->world != NULL && scene_apply_laws(s, &err) != MO_OK)
        scene_raise(L, "law", &err);
    return 0;
}

void scene_open_laws(lua_State *L)
{
    lua_register(L, "law", make_law);
}

/* ---- JSON ----------------------------------------------------------------------------------------- */

/* numbers in the order of the keys, three of axis, gluey as 0 or 1, name; appended to array */
static bool append_law(json_t *array, const mo_law *law)
{
    mo_law copy = *law;
    bool ok = true;
    for (int k = 0; k < NUMBERS; k++)
        ok = ok && json_array_append_new(array, json_real(*law_value(&copy, k))) == 0;
    for (int k = 0; k < 3; k++)
        ok = ok && json_array_append_new(array, json_real(law->axis[k])) == 0;
    ok = ok && json_array_append_new(array, json_real(law->gluey ? 1 : 0)) == 0;
    json_t *name = law->name != NULL ? json_string(law->name) : json_null();
    return json_array_append_new(array, name) == 0 && ok;
}

json_t *scene_laws_as_json(const scene *s)
{
    json_t *all = json_array(), *first = json_array();
    bool ok = all != NULL && json_array_append_new(all, first) == 0 && append_law(first, &s->default_law);
    for (size_t i = 0; ok && i < s->law_count; i++) {
        const pair_law *p = &s->laws[i];
        json_t *one = json_pack("[ssi]", p->group1, p->group2, (int)p->given);
        ok = one != NULL && json_array_append_new(all, one) == 0 && append_law(one, &p->law);
    }
    if (ok)
        return all;
    json_decref(all);
    return NULL;
}

/* the number at i; 0 where the array is shorter.  false: no number */
static bool take_number(const json_t *array, size_t i, double *out)
{
    const json_t *value = json_array_get(array, i);
    *out = value != NULL ? json_number_value(value) : 0;
    return value == NULL || json_is_number(value);
}

/* what append_law wrote, from place `at` on; what laws lacked in older files is 0 */
static bool take_law(const json_t *array, size_t at, mo_law *out)
{
    double gluey;
    bool ok = json_array_size(array) >= at + 3;
    *out = (mo_law){0};
    for (int k = 0; k < NUMBERS; k++)
        ok = take_number(array, at++, law_value(out, k)) && ok;
    for (int k = 0; k < 3; k++)
        ok = take_number(array, at++, &out->axis[k]) && ok;
    ok = take_number(array, at++, &gluey) && ok;
    out->gluey = gluey != 0;
    const json_t *name = json_array_get(array, at);
    if (name == NULL || json_is_null(name))
        return ok;
    return json_is_string(name) && law_find(json_string_value(name), &out->name) != NULL && ok;
}

bool scene_take_law(const json_t *array, mo_law *out)
{
    return take_law(array, 0, out);
}

bool scene_take_pair_law(const json_t *array, const char **g1, const char **g2, pair_law *out)
{
    const json_t *given = json_array_get(array, 2);
    *g1 = json_string_value(json_array_get(array, 0));
    *g2 = json_string_value(json_array_get(array, 1));
    *out = (pair_law){.given = (unsigned)json_integer_value(given) & ((1u << (KEY_NAME + 1)) - 1)};
    return *g1 != NULL && *g2 != NULL && json_is_integer(given) && take_law(array, 3, &out->law);
}
