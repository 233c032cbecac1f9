/*
 * Functions of time and of the point: gaps of sets and systems, with their derivatives, and the field of a
 * sweep.
 *
 * The point is handed over as a userdata that cannot be changed: x[i], #x and ipairs work as on a table.
 * Where derivatives are wanted its coordinates come as dual numbers, one variable each, or as numbers on a
 * path when it is second derivatives along (1, u) (dual_lua.c).
 */
#include "scene/process.h"

#include "core/fail.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINT_TYPE "point"

enum { MOST_GAPS = 1000000 };

/* ---- the point ---------------------------------------------------------------------------------- */

typedef struct point {
    size_t n;
    const char *name;
    uint32_t first; /* variable that x[1] is, 0: plain numbers */
    bool moves;     /* rates follow the coordinates: numbers on a path */
    double x[];
} point;

static point *new_point(lua_State *L, const double *x, size_t n, const char *name, const double *rate)
{
    size_t size = n * sizeof *x;
    point *p = lua_newuserdatauv(L, sizeof *p + (rate != NULL ? 2 * size : size), 0);
    *p = (point){.n = n, .name = name, .moves = rate != NULL};
    memcpy(p->x, x, size);
    if (rate != NULL)
        memcpy(p->x + n, rate, size);
    luaL_setmetatable(L, POINT_TYPE);
    return p;
}

void scene_push_point(lua_State *L, const double *x, size_t n, const char *name, uint32_t first)
{
    new_point(L, x, n, name, NULL)->first = first;
}

static int index_point(lua_State *L)
{
    const point *p = luaL_checkudata(L, 1, POINT_TYPE);
    int whole;
    lua_Integer i = lua_tointegerx(L, 2, &whole);
    if (!whole || i < 1 || (size_t)i > p->n)
        lua_pushnil(L);
    else if (p->moves)
        scene_push_along(L, p->x[i - 1], p->x[p->n + (size_t)i - 1]);
    else if (p->first > 0)
        scene_push_variable(L, p->x[i - 1], p->first + (uint32_t)i - 1);
    else
        lua_pushnumber(L, p->x[i - 1]);
    return 1;
}

static int length_point(lua_State *L)
{
    const point *p = luaL_checkudata(L, 1, POINT_TYPE);
    lua_pushinteger(L, (lua_Integer)p->n);
    return 1;
}

static int refuse_setting(lua_State *L)
{
    const point *p = luaL_checkudata(L, 1, POINT_TYPE);
    scene_error(L, p->name, "%s cannot be set here", p->name);
}

/* ---- gaps ----------------------------------------------------------------------------------------- */

typedef struct gap_call {
    const gap_block *block;
    double t;
    const double *x, *u; /* u: only second derivatives along (1, u) are wanted */
    double *g, *gx, *gt; /* gx NULL: values alone; with u g takes the second derivatives */
} gap_call;

static _Noreturn void wrong_gap(lua_State *L, const gap_call *call, size_t k, int idx, const char *expected)
{
    char what[32], owner[32];
    snprintf(what, sizeof what, "gaps[%zu]", k + 1);
    snprintf(owner, sizeof owner, "gap %zu", k + 1);
    result_site site = {what, owner, call->t, false};
    result_wrong(L, &site, "", idx, expected);
}

static void check_slopes(lua_State *L, const gap_call *call, size_t k, double by_t, const double *by_x)
{
    char what[32], variable[32] = "t";
    size_t i = 0, n = call->block->n;
    while (i < n && isfinite(by_x[i]))
        i++;
    if (i == n && isfinite(by_t))
        return;
    if (i < n)
        snprintf(variable, sizeof variable, "%s[%zu]", call->block->point, i + 1);
    snprintf(what, sizeof what, "gaps[%zu]", k + 1);
    scene_error(L, what, "the derivative of gap %zu by %s is not finite at t = %.17g", k + 1, variable,
                call->t);
}

/* reads what the function of gap k gave, on top of the stack */
static void read_gap(lua_State *L, const gap_call *call, size_t k)
{
    int top = lua_gettop(L);
    size_t n = call->block->n;
    dual x;
    if (!scene_to_dual(L, top, &x))
        wrong_gap(L, call, k, top, "a number");
    if (!isfinite(x.v) && !call->block->judged)
        wrong_gap(L, call, k, top, "a finite number");
    call->g[k] = x.v;
    if (call->u != NULL)
        scene_to_second(L, top, &call->g[k]);
    if (call->gx == NULL)
        return;
    scene_to_gradient(L, top, 1, n, &call->g[k], &call->gt[k], call->gx + k * n);
    if (!call->block->judged)
        check_slopes(L, call, k, call->gt[k], call->gx + k * n);
}

/* runs inside a protected call: argument 1 is the call */
static int call_gaps(lua_State *L)
{
    const gap_call *call = lua_touserdata(L, 1);
    const gap_block *block = call->block;
    scene *s = scene_of(L);
    new_point(L, call->x, block->n, block->point, call->u)->first = call->gx != NULL;
    if (call->u != NULL)
        scene_push_along(L, call->t, 1);
    else if (call->gx != NULL)
        scene_push_variable(L, call->t, 0);
    else
        lua_pushnumber(L, call->t);
    for (size_t k = 0; k < block->rows; k++) {
        process_push(L, block->p, block->functions[k].place);
        lua_pushvalue(L, 3);
        lua_pushvalue(L, 2);
        lua_call(L, 2, 1);
        s->callee_line = block->functions[k].line;
        read_gap(L, call, k);
        s->callee_line = 0;
        lua_settop(L, 3);
    }
    return 0;
}

/* derivatives come together: where one kind alone is asked for, the other goes to memory of its own */
mo_status gaps_evaluate(void *data, double t, const double *x, double *g, double *gx, double *gt,
                        mo_error *err)
{
    const gap_block *block = data;
    double *own = NULL;
    mo_status status = process_in_time(block->p, err);
    if (status != MO_OK)
        return status;
    size_t rows = block->rows, n = block->n;
    if ((gx == NULL) != (gt == NULL)) {
        own = malloc(rows * (gx == NULL ? n : 1) * sizeof *own);
        if (own == NULL)
            return fail(err, MO_NO_MEMORY, "gaps", "out of memory");
        gx = gx == NULL ? own : gx;
        gt = gt == NULL ? own : gt;
    }
    gap_call call = {block, t, x, NULL, g, gx, gt};
    status = scene_protected(block->p->s, call_gaps, &call, "gaps", err);
    free(own);
    return status;
}

mo_status gaps_curvature(const gap_block *block, double t, const double *x, const double *u, double *c,
                         mo_error *err)
{
    gap_call call = {block, t, x, u, c, NULL, NULL};
    return scene_protected(block->p->s, call_gaps, &call, "gaps", err);
}

kept_function *gaps_keep(lua_State *L, process *p, int idx, size_t count)
{
    kept_function *functions = process_memory(L, p, count * sizeof *functions);
    for (size_t k = 0; k < count; k++) {
        lua_rawgeti(L, idx, (lua_Integer)k + 1);
        functions[k] = process_keep_function(L, p);
    }
    return functions;
}

void gaps_build(lua_State *L, process *p, int idx, size_t n, mo_moving_set *out)
{
    const set_box *box = lua_touserdata(L, idx);
    gap_block *block = process_memory(L, p, sizeof *block);
    *block = (gap_block){.p = p, .rows = box->rows, .n = n, .point = "x"};
    lua_getiuservalue(L, idx, 3);
    block->functions = gaps_keep(L, p, lua_gettop(L), box->rows);
    lua_pop(L, 1);
    *out = mo_moving_gaps(n, box->rows, gaps_evaluate, block);
}

size_t gaps_list(lua_State *L, int idx, const char *what, const char *key, const char *arguments)
{
    static const char *const no_keys[] = {NULL};
    char path[64], place[64], expected[40];
    read_path(path, sizeof path, what, key);
    read_keys(L, idx, path, no_keys, true);
    snprintf(expected, sizeof expected, "a function(%s)", arguments);
    size_t n = lua_rawlen(L, idx);
    if (n < 1 || n > MOST_GAPS)
        scene_error(L, path, "expected at least one function(%s), got %zu", arguments, n);
    for (size_t k = 0; k < n; k++) {
        snprintf(place, sizeof place, "%.30s[%zu]", key, k + 1);
        if (lua_rawgeti(L, idx, (lua_Integer)k + 1) != LUA_TFUNCTION)
            read_wrong(L, what, place, -1, expected);
        lua_pop(L, 1);
    }
    return n;
}

static int make_gaps(lua_State *L)
{
    read_single_table(L, "gaps");
    size_t n = gaps_list(L, 1, "gaps", "", "t, x");
    set_box *box = set_new(L, MO_MOVING_GAPS, "gaps");
    box->rows = n;
    lua_createtable(L, (int)n, 0);
    for (size_t k = 0; k < n; k++) {
        lua_rawgeti(L, 1, (lua_Integer)k + 1);
        lua_rawseti(L, 3, (lua_Integer)k + 1);
    }
    lua_setiuservalue(L, 2, 3);
    return 1;
}

/* ---- the field --------------------------------------------------------------------------------------- */

typedef struct field_call {
    const process *p;
    double t;
    const double *u;
    double *f;
} field_call;

static int call_field(lua_State *L)
{
    const field_call *call = lua_touserdata(L, 1);
    const process *p = call->p;
    const named_function *field = &p->sweep.field;
    result_site site = {field->what, "the field", call->t, false};
    process_push(L, p, field->kept.place);
    lua_pushnumber(L, call->t);
    scene_push_point(L, call->u, p->n, "x", 0);
    lua_call(L, 2, 1);
    scene_of(L)->callee_line = field->kept.line;
    entry_vector(L, &site, lua_gettop(L), p->n, false, call->f, NULL);
    return 0;
}

mo_status process_field(void *data, double t, const double *u, double *f, mo_error *err)
{
    process *p = data;
    field_call call = {p, t, u, f};
    return scene_protected(p->s, call_field, &call, "field", err);
}

void scene_open_gaps(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"__index", index_point}, {"__len", length_point}, {"__newindex", refuse_setting}, {NULL, NULL}};
    scene_new_type(L, POINT_TYPE, methods);
    lua_register(L, "gaps", make_gaps);
}
