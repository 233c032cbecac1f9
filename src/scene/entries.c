/*
 * Entries of sets: a number, a vector or rows of numbers, where the whole or any part may be a function of
 * time.  They are copied when the set is made, and laid out when a process is made of it: constants in an
 * array, and a list of the places that functions fill.
 */
#include "scene/process.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NUMBERS = 50000000 };

typedef struct timed_slot {
    kept_function function;
    int level; /* 0: it gives a number, 1 a vector, 2 rows */
    size_t offset;
} timed_slot;

typedef struct timed_entry {
    process *p;
    char what[48]; /* "ball.center" */
    size_t rows, cols;
    bool spread;
    size_t slot_count;
    timed_slot *slots;
    double *constants; /* [rows cols], 0 where functions are */
} timed_entry;

/* ---- copying ---------------------------------------------------------------------------------- */

/* is_fixed: functions of time are not accepted, as in what a function gives */
static const char *expected_at(bool is_fixed, int level)
{
    static const char *const fixed[] = {"a number", "a table of numbers", "a table of rows of numbers"};
    static const char *const timed[] = {"a number or a function of t",
                                        "a table of numbers or a function of t",
                                        "a table of rows of numbers or a function of t"};
    return (is_fixed ? fixed : timed)[level];
}

/* names "key[3]" or "key[3][2]" */
static void place_name(char *out, size_t size, const char *key, size_t i)
{
    snprintf(out, size, "%.30s[%zu]", key, i + 1);
}

/* pushes a copy of the table at idx, entry by entry one level down; *length becomes that of its parts */
static void copy_table(lua_State *L, int idx, const entry_shape *shape, size_t *length);

static size_t copy_value(lua_State *L, int idx, const entry_shape *shape, size_t *rows)
{
    int type = lua_type(L, idx);
    *rows = 0;
    if (type == LUA_TNUMBER && shape->levels < 2) {
        read_number_at(L, idx, shape->what, shape->key);
        lua_pushvalue(L, idx);
        return shape->levels == 1 && shape->spread ? 0 : 1;
    }
    if (type == LUA_TFUNCTION && !shape->fixed) {
        lua_pushvalue(L, idx);
        return shape->levels == 0;
    }
    if (type != LUA_TTABLE || shape->levels == 0)
        read_wrong(L, shape->what, shape->key, idx, expected_at(shape->fixed, shape->levels));
    size_t length = 0;
    copy_table(L, idx, shape, &length);
    if (shape->levels == 2)
        *rows = lua_rawlen(L, idx);
    return length;
}

static void copy_table(lua_State *L, int idx, const entry_shape *shape, size_t *length)
{
    static const char *const no_keys[] = {NULL};
    char path[64], key[64];
    read_path(path, sizeof path, shape->what, shape->key);
    read_keys(L, idx, path, no_keys, true);
    size_t n = lua_rawlen(L, idx), rows;
    if (n < 1 || n > MOST_NUMBERS)
        scene_error(L, path, "expected %s, got a table of %zu", expected_at(shape->fixed, shape->levels), n);
    luaL_checkstack(L, 8, path);
    lua_createtable(L, (int)n, 0);
    int copy = lua_gettop(L);
    *length = shape->levels == 1 ? n : 0;
    for (size_t i = 0; i < n; i++) {
        place_name(key, sizeof key, shape->key, i);
        entry_shape part = {shape->what, key, shape->levels - 1, false, shape->fixed};
        lua_rawgeti(L, idx, (lua_Integer)i + 1);
        size_t m = copy_value(L, copy + 1, &part, &rows);
        if (shape->levels == 2 && m != 0 && *length != 0 && m != *length)
            scene_error(L, path, "rows of different length: row %zu has %zu numbers, another one %zu", i + 1,
                        m, *length);
        if (shape->levels == 2 && m != 0)
            *length = m;
        lua_rawseti(L, copy, (lua_Integer)i + 1);
        lua_settop(L, copy);
    }
}

size_t entry_copy(lua_State *L, int idx, const entry_shape *shape, size_t *rows)
{
    return copy_value(L, lua_absindex(L, idx), shape, rows);
}

/* ---- laying out -------------------------------------------------------------------------------- */

static size_t count_functions(lua_State *L, int idx)
{
    if (lua_type(L, idx) == LUA_TFUNCTION)
        return 1;
    if (lua_type(L, idx) != LUA_TTABLE)
        return 0;
    size_t count = 0, n = lua_rawlen(L, idx);
    luaL_checkstack(L, 4, "set");
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, idx, (lua_Integer)i + 1);
        count += count_functions(L, lua_gettop(L));
        lua_pop(L, 1);
    }
    return count;
}

static _Noreturn void wrong_length(lua_State *L, const timed_entry *e, size_t found, size_t expected)
{
    scene_error(L, e->what, "expected %zu number%s, got %zu", expected, expected == 1 ? "" : "s", found);
}

/* puts the copy at idx into its place */
static void lay_out(lua_State *L, timed_entry *e, int idx, int level, size_t offset)
{
    size_t n = level == 2 ? e->rows : e->cols, stride = level == 2 ? e->cols : 1;
    switch (lua_type(L, idx)) {
    case LUA_TFUNCTION:
        lua_pushvalue(L, idx);
        e->slots[e->slot_count++] = (timed_slot){process_keep_function(L, e->p), level, offset};
        return;
    case LUA_TNUMBER:
        if (level == 1 && n != 1 && !e->spread)
            wrong_length(L, e, 1, n);
        for (size_t i = 0; i < (level == 1 ? n : 1); i++)
            e->constants[offset + i] = lua_tonumber(L, idx);
        return;
    default:
        break;
    }
    if (lua_rawlen(L, idx) != n)
        wrong_length(L, e, lua_rawlen(L, idx), n);
    luaL_checkstack(L, 4, "set");
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, idx, (lua_Integer)i + 1);
        lay_out(L, e, lua_gettop(L), level - 1, offset + i * stride);
        lua_pop(L, 1);
    }
}

/* ---- calling ----------------------------------------------------------------------------------- */

static _Noreturn void wrong_vector(lua_State *L, const result_site *site, int idx, size_t n, bool spread)
{
    char text[60];
    snprintf(text, sizeof text, "a table of %zu number%s%s", n, n == 1 ? "" : "s",
             spread ? " or a number" : "");
    if (lua_type(L, idx) != LUA_TTABLE)
        result_wrong(L, site, "", idx, text);
    scene_error(L, site->what, "the function of %s gave a table of %zu at t = %.17g, expected %s",
                site->owner, (size_t)lua_rawlen(L, idx), site->t, text);
}

/* the number on top of the stack, which is popped; place 0: it is no part of a table */
static void read_part(lua_State *L, const result_site *site, size_t place, double *value, double *rate)
{
    dual x;
    int top = lua_gettop(L);
    bool number = scene_to_dual(L, top, &x);
    if (!number || (!site->judged && (!isfinite(x.v) || !isfinite(x.d)))) {
        char key[32] = "";
        if (place > 0)
            snprintf(key, sizeof key, "[%zu]", place);
        result_number(L, site, key, top, &x.v, &x.d);
    }
    *value = x.v;
    if (rate != NULL)
        *rate = x.d;
    lua_pop(L, 1);
}

void entry_vector(lua_State *L, const result_site *site, int idx, size_t n, bool spread, double *value,
                  double *rate)
{
    dual x;
    bool single = (n == 1 || spread) && scene_to_dual(L, idx, &x);
    if (!single && (lua_type(L, idx) != LUA_TTABLE || lua_rawlen(L, idx) != n))
        wrong_vector(L, site, idx, n, spread);
    for (size_t i = 0; i < n; i++) {
        if (single)
            lua_pushvalue(L, idx);
        else
            lua_rawgeti(L, idx, (lua_Integer)i + 1);
        read_part(L, site, single ? 0 : i + 1, &value[i], rate != NULL ? &rate[i] : NULL);
    }
}

static void read_rows(lua_State *L, const result_site *site, const timed_entry *e, double *value,
                      double *rate)
{
    int idx = lua_gettop(L);
    if (lua_type(L, idx) != LUA_TTABLE)
        result_wrong(L, site, "", idx, expected_at(true, 2));
    if (lua_rawlen(L, idx) != e->rows)
        scene_error(L, site->what, "the function of %s gave %zu rows at t = %.17g, expected %zu", site->owner,
                    (size_t)lua_rawlen(L, idx), site->t, e->rows);
    for (size_t i = 0; i < e->rows; i++) {
        size_t at = i * e->cols;
        lua_rawgeti(L, idx, (lua_Integer)i + 1);
        entry_vector(L, site, idx + 1, e->cols, false, value + at, rate != NULL ? rate + at : NULL);
        lua_pop(L, 1);
    }
}

typedef struct entry_call {
    const timed_entry *e;
    double t, *value, *rate;
} entry_call;

/* runs inside a protected call: argument 1 is the call */
static int call_functions(lua_State *L)
{
    const entry_call *call = lua_touserdata(L, 1);
    const timed_entry *e = call->e;
    scene *s = scene_of(L);
    result_site site = {e->what, e->what, call->t, false};
    for (size_t k = 0; k < e->slot_count; k++) {
        const timed_slot *slot = &e->slots[k];
        double *value = call->value + slot->offset;
        double *rate = call->rate != NULL ? call->rate + slot->offset : NULL;
        process_push(L, e->p, slot->function.place);
        if (rate != NULL)
            scene_push_variable(L, call->t, 0);
        else
            lua_pushnumber(L, call->t);
        lua_call(L, 1, 1);
        s->callee_line = slot->function.line;
        if (slot->level == 2)
            read_rows(L, &site, e, value, rate);
        else if (slot->level == 1)
            entry_vector(L, &site, lua_gettop(L), e->cols, e->spread, value, rate);
        else
            read_part(L, &site, 0, value, rate);
        s->callee_line = 0;
        lua_settop(L, 1);
    }
    return 0;
}

static mo_status evaluate(void *data, double t, double *value, double *rate, mo_error *err)
{
    const timed_entry *e = data;
    scene *s = e->p->s;
    size_t n = e->rows * e->cols;
    memcpy(value, e->constants, n * sizeof *value);
    if (rate != NULL)
        memset(rate, 0, n * sizeof *rate);
    entry_call call = {e, t, value, rate};
    mo_status status = process_in_time(e->p, err);
    return status != MO_OK ? status : scene_protected(s, call_functions, &call, e->what, err);
}

mo_timed entry_build(lua_State *L, process *p, int idx, const entry_shape *shape, size_t rows, size_t cols)
{
    idx = lua_absindex(L, idx);
    char path[64];
    read_path(path, sizeof path, shape->what, shape->key);
    if (rows > MOST_NUMBERS / cols)
        scene_error(L, path, "more than %d numbers", (int)MOST_NUMBERS);
    size_t n = rows * cols, functions = count_functions(L, idx);
    timed_entry *e = process_memory(L, p, sizeof *e + n * sizeof(double) + functions * sizeof(timed_slot));
    *e = (timed_entry){.p = p, .rows = rows, .cols = cols, .spread = shape->spread};
    e->constants = (double *)(e + 1);
    e->slots = (timed_slot *)(e->constants + n);
    memset(e->constants, 0, n * sizeof(double));
    snprintf(e->what, sizeof e->what, "%.47s", path);
    lay_out(L, e, idx, shape->levels, 0);
    if (e->slot_count == 0)
        return (mo_timed){.value = e->constants};
    return (mo_timed){.function = evaluate, .data = e};
}

size_t entry_probe(lua_State *L, int idx, const entry_shape *shape)
{
    scene *s = scene_of(L);
    char path[64];
    read_path(path, sizeof path, shape->what, shape->key);
    result_site site = {path, path, 0, false};
    bool before = s->in_step;
    lua_pushvalue(L, idx);
    lua_pushvalue(L, -1);
    int line = scene_function_line(L);
    lua_pushnumber(L, 0);
    s->in_step = true;
    int status = lua_pcall(L, 1, 1, 0);
    s->in_step = before;
    if (status != LUA_OK)
        lua_error(L);
    s->callee_line = line;
    if (lua_type(L, -1) != LUA_TTABLE && lua_type(L, -1) != LUA_TNUMBER)
        result_wrong(L, &site, "", lua_gettop(L), expected_at(true, shape->levels));
    size_t n = lua_type(L, -1) == LUA_TTABLE ? lua_rawlen(L, -1) : 1;
    s->callee_line = 0;
    lua_pop(L, 1);
    return n;
}
