/*
 * Functions of time and of the point: gaps{...} of sets, with their derivatives, and the field of a process.
 *
 * The point is handed over as a userdata that cannot be changed: x[i], #x and ipairs work as on a table.
 * Where derivatives are wanted its coordinates come as dual numbers, one variable each (dual_lua.c).
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
    bool differentiate;
    double x[];
} point;

static void push_point(lua_State *L, const double *x, size_t n, bool differentiate)
{
    point *p = lua_newuserdatauv(L, sizeof *p + n * sizeof *x, 0);
    p->n = n;
    p->differentiate = differentiate;
    memcpy(p->x, x, n * sizeof *x);
    luaL_setmetatable(L, POINT_TYPE);
}

static int index_point(lua_State *L)
{
    const point *p = luaL_checkudata(L, 1, POINT_TYPE);
    int whole;
    lua_Integer i = lua_tointegerx(L, 2, &whole);
    if (!whole || i < 1 || (size_t)i > p->n)
        lua_pushnil(L);
    else if (p->differentiate)
        scene_push_variable(L, p->x[i - 1], (uint32_t)i);
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
    scene_error(L, "x", "the point cannot be set here");
}

/* ---- gaps ----------------------------------------------------------------------------------------- */

typedef struct gap_block {
    process *p;
    size_t rows, n;
    int first; /* place of the first function in the anchor, the others follow */
} gap_block;

typedef struct gap_call {
    const gap_block *block;
    double t;
    const double *x;
    double *g, *gx, *gt; /* gx NULL: values alone */
} gap_call;

static _Noreturn void wrong_gap(lua_State *L, const gap_call *call, size_t k, int idx, const char *expected)
{
    char what[32], owner[32];
    snprintf(what, sizeof what, "gaps[%zu]", k + 1);
    snprintf(owner, sizeof owner, "gap %zu", k + 1);
    result_site site = {what, owner, call->t};
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
        snprintf(variable, sizeof variable, "x[%zu]", i + 1);
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
    if (!isfinite(x.v))
        wrong_gap(L, call, k, top, "a finite number");
    call->g[k] = x.v;
    if (call->gx == NULL)
        return;
    scene_to_gradient(L, top, n, &call->g[k], &call->gt[k], call->gx + k * n);
    check_slopes(L, call, k, call->gt[k], call->gx + k * n);
}

/* runs inside a protected call: argument 1 is the call */
static int call_gaps(lua_State *L)
{
    const gap_call *call = lua_touserdata(L, 1);
    const gap_block *block = call->block;
    scene *s = scene_of(L);
    bool differentiate = call->gx != NULL;
    push_point(L, call->x, block->n, differentiate);
    if (differentiate)
        scene_push_variable(L, call->t, 0);
    else
        lua_pushnumber(L, call->t);
    for (size_t k = 0; k < block->rows; k++) {
        process_push(L, block->p, block->first + (int)k);
        lua_pushvalue(L, -1);
        int line = scene_function_line(L);
        lua_pushvalue(L, 3);
        lua_pushvalue(L, 2);
        lua_call(L, 2, 1);
        s->callee_line = line;
        read_gap(L, call, k);
        s->callee_line = 0;
        lua_settop(L, 3);
    }
    return 0;
}

/* derivatives come together: where one kind alone is asked for, the other goes to memory of its own */
static mo_status evaluate_gaps(void *data, double t, const double *x, double *g, double *gx, double *gt,
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
    gap_call call = {block, t, x, g, gx, gt};
    status = scene_protected(block->p->s, call_gaps, &call, "gaps", err);
    free(own);
    return status;
}

void gaps_build(lua_State *L, process *p, int idx, size_t n, mo_moving_set *out)
{
    const set_box *box = lua_touserdata(L, idx);
    gap_block *block = process_memory(L, p, sizeof *block);
    *block = (gap_block){.p = p, .rows = box->rows, .n = n};
    lua_getiuservalue(L, idx, 3);
    int list = lua_gettop(L);
    for (size_t k = 0; k < box->rows; k++) {
        lua_rawgeti(L, list, (lua_Integer)k + 1);
        int place = process_keep(L, p);
        block->first = k == 0 ? place : block->first;
    }
    lua_pop(L, 1);
    *out = mo_moving_gaps(n, box->rows, evaluate_gaps, block);
}

static int make_gaps(lua_State *L)
{
    static const char *const no_keys[] = {NULL};
    read_single_table(L, "gaps");
    read_keys(L, 1, "gaps", no_keys, true);
    size_t n = lua_rawlen(L, 1);
    if (n < 1 || n > MOST_GAPS)
        scene_error(L, "gaps", "expected at least one function(t, x), got %zu", n);
    set_box *box = set_new(L, MO_MOVING_GAPS, "gaps");
    box->rows = n;
    lua_createtable(L, (int)n, 0);
    for (size_t k = 0; k < n; k++) {
        char key[32];
        snprintf(key, sizeof key, "[%zu]", k + 1);
        if (lua_rawgeti(L, 1, (lua_Integer)k + 1) != LUA_TFUNCTION)
            read_wrong(L, "gaps", key, -1, "a function(t, x)");
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
    char what[32];
    snprintf(what, sizeof what, "%s.field", p->what);
    result_site site = {what, "the field", call->t};
    process_push(L, p, p->field);
    lua_pushvalue(L, -1);
    int line = scene_function_line(L);
    lua_pushnumber(L, call->t);
    push_point(L, call->u, p->n, false);
    lua_call(L, 2, 1);
    scene_of(L)->callee_line = line;
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
    luaL_newmetatable(L, POINT_TYPE);
    luaL_setfuncs(L, methods, 0);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    lua_register(L, "gaps", make_gaps);
}
