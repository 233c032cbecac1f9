/*
 * Dual numbers in Lua: the time handed to motions and radii, with arithmetic and math functions that carry
 * the derivative along.  On plain numbers the math functions are Lua's own.
 */
#include "scene/internal.h"

#include <math.h>

void scene_push_dual(lua_State *L, dual x)
{
    dual *p = lua_newuserdatauv(L, sizeof *p, 0);
    *p = x;
    luaL_setmetatable(L, DUAL_TYPE);
}

bool scene_to_dual(lua_State *L, int idx, dual *out)
{
    if (lua_type(L, idx) == LUA_TNUMBER) {
        *out = dual_const(lua_tonumber(L, idx));
        return true;
    }
    const dual *p = luaL_testudata(L, idx, DUAL_TYPE);
    if (p == NULL)
        return false;
    *out = *p;
    return true;
}

static dual check_dual(lua_State *L, int idx)
{
    dual x;
    if (!scene_to_dual(L, idx, &x)) {
        /* a string that is a number counts as one, as everywhere in Lua */
        x = dual_const(luaL_checknumber(L, idx));
    }
    return x;
}

/* ---- operators --------------------------------------------------------------------------- */

static int call_binary(lua_State *L, dual (*f)(dual, dual))
{
    scene_push_dual(L, f(check_dual(L, 1), check_dual(L, 2)));
    return 1;
}

static dual floor_divide(dual a, dual b)
{
    return dual_const(floor(a.v / b.v));
}

#define BINARY(name, f)                                                                                      \
    static int name(lua_State *L)                                                                            \
    {                                                                                                        \
        return call_binary(L, f);                                                                            \
    }
BINARY(op_add, dual_add)
BINARY(op_sub, dual_sub)
BINARY(op_mul, dual_mul)
BINARY(op_div, dual_div)
BINARY(op_mod, dual_mod)
BINARY(op_pow, dual_pow)
BINARY(op_idiv, floor_divide)
#undef BINARY

static int op_neg(lua_State *L)
{
    scene_push_dual(L, dual_neg(check_dual(L, 1)));
    return 1;
}

static int op_lt(lua_State *L)
{
    lua_pushboolean(L, check_dual(L, 1).v < check_dual(L, 2).v);
    return 1;
}

static int op_le(lua_State *L)
{
    lua_pushboolean(L, check_dual(L, 1).v <= check_dual(L, 2).v);
    return 1;
}

static int op_eq(lua_State *L)
{
    dual a, b;
    lua_pushboolean(L, scene_to_dual(L, 1, &a) && scene_to_dual(L, 2, &b) && a.v == b.v);
    return 1;
}

static int op_tostring(lua_State *L)
{
    lua_pushnumber(L, check_dual(L, 1).v);
    luaL_tolstring(L, -1, NULL);
    return 1;
}

/* ---- math functions: upvalue 1 is Lua's own ------------------------------------------------- */

static bool any_dual(lua_State *L)
{
    for (int i = lua_gettop(L); i > 0; i--)
        if (lua_type(L, i) == LUA_TUSERDATA)
            return true;
    return false;
}

static int call_unary(lua_State *L, dual (*f)(dual))
{
    if (!any_dual(L))
        return lua_tocfunction(L, lua_upvalueindex(1))(L);
    scene_push_dual(L, f(check_dual(L, 1)));
    return 1;
}

#define UNARY(name)                                                                                          \
    static int math_##name(lua_State *L)                                                                     \
    {                                                                                                        \
        return call_unary(L, dual_##name);                                                                   \
    }
UNARY(sin)
UNARY(cos)
UNARY(tan)
UNARY(asin)
UNARY(acos)
UNARY(exp)
UNARY(sqrt)
UNARY(abs)
UNARY(floor)
UNARY(ceil)
#undef UNARY

/* at least one argument; those missing are constants */
static int call_pair(lua_State *L, dual (*f)(dual, dual), double missing)
{
    if (!any_dual(L))
        return lua_tocfunction(L, lua_upvalueindex(1))(L);
    dual second = lua_isnoneornil(L, 2) ? dual_const(missing) : check_dual(L, 2);
    scene_push_dual(L, f(check_dual(L, 1), second));
    return 1;
}

static dual log_to_base(dual x, dual base)
{
    if (base.v == 2.718281828459045235360 && base.d == 0)
        return dual_log(x);
    return dual_div(dual_log(x), dual_log(base));
}

static int math_atan(lua_State *L)
{
    return call_pair(L, dual_atan2, 1);
}

static int math_log(lua_State *L)
{
    return call_pair(L, log_to_base, 2.718281828459045235360);
}

static int math_fmod(lua_State *L)
{
    if (any_dual(L))
        luaL_checkany(L, 2);
    return call_pair(L, dual_fmod, 1);
}

static int call_fold(lua_State *L, dual (*f)(dual, dual))
{
    if (!any_dual(L))
        return lua_tocfunction(L, lua_upvalueindex(1))(L);
    int n = lua_gettop(L);
    dual x = check_dual(L, 1);
    for (int i = 2; i <= n; i++)
        x = f(x, check_dual(L, i));
    scene_push_dual(L, x);
    return 1;
}

static int math_max(lua_State *L)
{
    return call_fold(L, dual_max);
}

static int math_min(lua_State *L)
{
    return call_fold(L, dual_min);
}

static int math_modf(lua_State *L)
{
    if (!any_dual(L))
        return lua_tocfunction(L, lua_upvalueindex(1))(L);
    dual x = check_dual(L, 1);
    double whole = trunc(x.v);
    lua_pushnumber(L, whole);
    scene_push_dual(L, dual_make(isinf(x.v) ? 0 : x.v - whole, x.d));
    return 2;
}

/* functions that say something about the value alone */
static int of_value(lua_State *L)
{
    int n = lua_gettop(L);
    for (int i = 1; i <= n; i++) {
        const dual *p = luaL_testudata(L, i, DUAL_TYPE);
        if (p != NULL) {
            lua_pushnumber(L, p->v);
            lua_replace(L, i);
        }
    }
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

/* wraps the named functions of the table on top of the stack */
static void wrap(lua_State *L, const luaL_Reg *functions)
{
    for (; functions->name != NULL; functions++) {
        lua_getfield(L, -1, functions->name);
        lua_pushcclosure(L, functions->func, 1);
        lua_setfield(L, -2, functions->name);
    }
}

void scene_open_dual(lua_State *L)
{
    static const luaL_Reg operators[] = {{"__add", op_add}, {"__sub", op_sub},   {"__mul", op_mul},
                                         {"__div", op_div}, {"__mod", op_mod},   {"__pow", op_pow},
                                         {"__unm", op_neg}, {"__idiv", op_idiv}, {"__lt", op_lt},
                                         {"__le", op_le},   {"__eq", op_eq},     {"__tostring", op_tostring},
                                         {NULL, NULL}};
    static const luaL_Reg functions[] = {
        {"sin", math_sin},   {"cos", math_cos},       {"tan", math_tan},     {"asin", math_asin},
        {"acos", math_acos}, {"atan", math_atan},     {"exp", math_exp},     {"log", math_log},
        {"sqrt", math_sqrt}, {"abs", math_abs},       {"floor", math_floor}, {"ceil", math_ceil},
        {"min", math_min},   {"max", math_max},       {"fmod", math_fmod},   {"modf", math_modf},
        {"type", of_value},  {"tointeger", of_value}, {"ult", of_value},     {NULL, NULL}};
    static const luaL_Reg base[] = {{"tonumber", of_value}, {NULL, NULL}};
    luaL_newmetatable(L, DUAL_TYPE);
    luaL_setfuncs(L, operators, 0);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    lua_getglobal(L, "math");
    wrap(L, functions);
    lua_pop(L, 1);
    lua_getglobal(L, LUA_GNAME);
    wrap(L, base);
    lua_pop(L, 1);
}
