/*
 * Dual numbers in Lua: what is handed to motions, radii, moving sets and gaps, with arithmetic and math
 * functions that carry derivatives along.  On plain numbers the math functions are Lua's own.
 *
 * A number has one derivative (tangent) for each variable that it depends on, by rising variable: 0 is time,
 * i the coordinate x[i].  So the cost of an operation grows with the variables that its operands depend on,
 * not with those that there are.  With one variable the scalar functions of math/dual.h are called as they
 * stand; with more, once for each operand with the derivative 1, which gives the slopes.
 *
 * At a kink (abs, min, max) the branch is the one just after the present time, for all variables: a gradient
 * of one branch, never a mixture.
 *
 * Second derivatives are taken along one path alone.  A number on it has two tangents, its derivatives along
 * the path (ALONG, ALONG_TWICE), and goes through the functions of math/jet.h; numbers of both sorts never
 * meet, as a call has either variables or a path.
 */
#include "scene/internal.h"

#include "math/jet.h"

#include <math.h>
#include <string.h>

static const uint32_t ALONG = UINT32_MAX - 1, ALONG_TWICE = UINT32_MAX;

typedef struct tangent {
    uint32_t variable;
    double d;
} tangent;

typedef struct dual_box {
    double v;
    size_t count;
    tangent t[];
} dual_box;

/* an operand: a dual, or a plain number without tangents */
typedef struct operand {
    double v;
    size_t count;
    const tangent *t;
} operand;

/* a function of duals and the same of jets */
typedef struct unary {
    dual (*of_dual)(dual);
    jet (*of_jet)(jet);
} unary;

typedef struct binary {
    dual (*of_dual)(dual, dual);
    jet (*of_jet)(jet, jet);
} binary;

/* ---- making and reading ---------------------------------------------------------------------- */

static dual_box *new_box(lua_State *L, double v, size_t count)
{
    dual_box *box = lua_newuserdatauv(L, sizeof *box + count * sizeof(tangent), 0);
    box->v = v;
    box->count = count;
    luaL_setmetatable(L, DUAL_TYPE);
    return box;
}

void scene_push_variable(lua_State *L, double v, uint32_t index)
{
    new_box(L, v, 1)->t[0] = (tangent){index, 1};
}

static int push_jet(lua_State *L, jet x)
{
    dual_box *box = new_box(L, x.v, 2);
    box->t[0] = (tangent){ALONG, x.d};
    box->t[1] = (tangent){ALONG_TWICE, x.dd};
    return 1;
}

void scene_push_along(lua_State *L, double v, double rate)
{
    push_jet(L, jet_make(v, rate, 0));
}

static bool to_operand(lua_State *L, int idx, operand *out)
{
    if (lua_type(L, idx) == LUA_TNUMBER) {
        *out = (operand){lua_tonumber(L, idx), 0, NULL};
        return true;
    }
    const dual_box *box = luaL_testudata(L, idx, DUAL_TYPE);
    if (box == NULL)
        return false;
    *out = (operand){box->v, box->count, box->t};
    return true;
}

static bool is_jet(const operand *x)
{
    return x->count == 2 && x->t[0].variable == ALONG;
}

static jet to_jet(const operand *x)
{
    return is_jet(x) ? jet_make(x->v, x->t[0].d, x->t[1].d) : jet_const(x->v);
}

/* by time, or along the path */
static double by_time(const operand *x)
{
    return x->count > 0 && (x->t[0].variable == 0 || is_jet(x)) ? x->t[0].d : 0;
}

bool scene_to_dual(lua_State *L, int idx, dual *out)
{
    operand x;
    if (!to_operand(L, idx, &x))
        return false;
    *out = dual_make(x.v, by_time(&x));
    return true;
}

bool scene_to_gradient(lua_State *L, int idx, uint32_t first, size_t n, double *value, double *by_t,
                       double *by_x)
{
    operand x;
    if (!to_operand(L, idx, &x))
        return false;
    *value = x.v;
    *by_t = by_time(&x);
    memset(by_x, 0, n * sizeof *by_x);
    for (size_t i = 0; i < x.count; i++)
        if (x.t[i].variable >= first && x.t[i].variable - first < n)
            by_x[x.t[i].variable - first] = x.t[i].d;
    return true;
}

bool scene_to_second(lua_State *L, int idx, double *second)
{
    operand x;
    if (!to_operand(L, idx, &x))
        return false;
    *second = to_jet(&x).dd;
    return true;
}

static operand check_operand(lua_State *L, int idx)
{
    operand x;
    if (!to_operand(L, idx, &x)) {
        /* a string that is a number counts as one, as everywhere in Lua */
        if (!lua_isnumber(L, idx))
            luaL_error(L, "attempt to calculate with a %s value, beside a number that carries its derivative",
                       luaL_typename(L, idx));
        x = (operand){lua_tonumber(L, idx), 0, NULL};
    }
    return x;
}

/* a constant stays one even where the slope is infinite or undefined */
static double scaled(double slope, double d)
{
    return d == 0 ? 0 : slope * d;
}

/* pushes f(x) given its value and slope */
static int push_chain(lua_State *L, const operand *x, double value, double slope)
{
    dual_box *box = new_box(L, value, slope == 0 ? 0 : x->count);
    for (size_t i = 0; i < box->count; i++)
        box->t[i] = (tangent){x->t[i].variable, scaled(slope, x->t[i].d)};
    return 1;
}

static int push_unary(lua_State *L, unary f, const operand *x)
{
    if (is_jet(x))
        return push_jet(L, f.of_jet(to_jet(x)));
    if (x->count == 1) {
        dual r = f.of_dual(dual_make(x->v, x->t[0].d));
        new_box(L, r.v, 1)->t[0] = (tangent){x->t[0].variable, r.d};
        return 1;
    }
    dual r = f.of_dual(dual_make(x->v, x->count > 0));
    return push_chain(L, x, r.v, r.d);
}

/* ---- operators --------------------------------------------------------------------------- */

/* variables that either depends on */
static size_t count_union(const operand *a, const operand *b)
{
    size_t i = 0, j = 0, n = 0;
    for (; i < a->count && j < b->count; n++) {
        uint32_t u = a->t[i].variable, w = b->t[j].variable;
        i += u <= w;
        j += w <= u;
    }
    return n + (a->count - i) + (b->count - j);
}

/* out = slope_a a + slope_b b, variable by variable */
static void merge(const operand *a, double slope_a, const operand *b, double slope_b, dual_box *out)
{
    size_t i = 0, j = 0;
    for (size_t k = 0; k < out->count; k++) {
        bool in_a = i < a->count && (j == b->count || a->t[i].variable <= b->t[j].variable);
        bool in_b = j < b->count && (i == a->count || b->t[j].variable <= a->t[i].variable);
        out->t[k].variable = in_a ? a->t[i].variable : b->t[j].variable;
        out->t[k].d = (in_a ? scaled(slope_a, a->t[i].d) : 0) + (in_b ? scaled(slope_b, b->t[j].d) : 0);
        i += in_a;
        j += in_b;
    }
}

static int push_binary(lua_State *L, binary both, operand a, operand b)
{
    if (is_jet(&a) || is_jet(&b))
        return push_jet(L, both.of_jet(to_jet(&a), to_jet(&b)));
    dual (*f)(dual, dual) = both.of_dual;
    size_t n = count_union(&a, &b);
    if (n <= 1) {
        dual r = f(dual_make(a.v, a.count > 0 ? a.t[0].d : 0), dual_make(b.v, b.count > 0 ? b.t[0].d : 0));
        dual_box *box = new_box(L, r.v, n);
        if (n == 1)
            box->t[0] = (tangent){a.count > 0 ? a.t[0].variable : b.t[0].variable, r.d};
        return 1;
    }
    dual first = f(dual_make(a.v, 1), dual_const(b.v)), second = f(dual_const(a.v), dual_make(b.v, 1));
    dual_box *box = new_box(L, first.v, first.d == 0 && second.d == 0 ? 0 : n);
    merge(&a, first.d, &b, second.d, box);
    return 1;
}

/* values are those of Lua's own arithmetic to the last bit: a plain evaluation gives the same */
static dual power(dual a, dual p)
{
    dual r = dual_pow(a, p);
    return p.v == 2 ? dual_make(a.v * a.v, r.d) : r;
}

static jet power_jet(jet a, jet p)
{
    jet r = jet_pow(a, p);
    return p.v == 2 ? jet_make(a.v * a.v, r.d, r.dd) : r;
}

#define BINARY(name, f, g)                                                                                   \
    static int name(lua_State *L)                                                                            \
    {                                                                                                        \
        return push_binary(L, (binary){f, g}, check_operand(L, 1), check_operand(L, 2));                     \
    }
BINARY(op_add, dual_add, jet_add)
BINARY(op_sub, dual_sub, jet_sub)
BINARY(op_mul, dual_mul, jet_mul)
BINARY(op_div, dual_div, jet_div)
BINARY(op_mod, dual_mod, jet_mod)
BINARY(op_pow, power, power_jet)
#undef BINARY

/* a whole number that changes by leaps: a plain one, so that it can be an index */
static int op_idiv(lua_State *L)
{
    lua_pushnumber(L, floor(check_operand(L, 1).v / check_operand(L, 2).v));
    return 1;
}

static int op_neg(lua_State *L)
{
    operand x = check_operand(L, 1);
    return push_unary(L, (unary){dual_neg, jet_neg}, &x);
}

static int op_lt(lua_State *L)
{
    lua_pushboolean(L, check_operand(L, 1).v < check_operand(L, 2).v);
    return 1;
}

static int op_le(lua_State *L)
{
    lua_pushboolean(L, check_operand(L, 1).v <= check_operand(L, 2).v);
    return 1;
}

static int op_eq(lua_State *L)
{
    operand a, b;
    lua_pushboolean(L, to_operand(L, 1, &a) && to_operand(L, 2, &b) && a.v == b.v);
    return 1;
}

static int op_tostring(lua_State *L)
{
    lua_pushnumber(L, check_operand(L, 1).v);
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

static int call_unary(lua_State *L, unary f)
{
    if (!any_dual(L))
        return scene_call_original(L);
    operand x = check_operand(L, 1);
    return push_unary(L, f, &x);
}

#define UNARY(name)                                                                                          \
    static int math_##name(lua_State *L)                                                                     \
    {                                                                                                        \
        return call_unary(L, (unary){dual_##name, jet_##name});                                              \
    }
UNARY(sin)
UNARY(cos)
UNARY(tan)
UNARY(asin)
UNARY(acos)
UNARY(exp)
UNARY(sqrt)
#undef UNARY

// the argument times a constant
static int by_constant(lua_State *L, double by)
{
    if (!any_dual(L))
        return scene_call_original(L);
    lua_settop(L, 1);
    lua_pushnumber(L, by);
    return op_mul(L);
}

#define PI 3.141592653589793238462643383279502884
static int math_rad(lua_State *L)
{
    return by_constant(L, PI / 180.0);
}

static int math_deg(lua_State *L)
{
    return by_constant(L, 180.0 / PI);
}
#undef PI

static int math_abs(lua_State *L)
{
    if (!any_dual(L))
        return scene_call_original(L);
    operand x = check_operand(L, 1);
    if (x.v != 0 || x.count == 1 || is_jet(&x))
        return push_unary(L, (unary){dual_abs, jet_abs}, &x);
    return push_chain(L, &x, 0, by_time(&x) < 0 ? -1 : 1);
}

/* at least one argument; those missing are constants */
static int call_pair(lua_State *L, binary f, double missing)
{
    if (!any_dual(L))
        return scene_call_original(L);
    operand second = {missing, 0, NULL};
    if (!lua_isnoneornil(L, 2))
        second = check_operand(L, 2);
    return push_binary(L, f, check_operand(L, 1), second);
}

static dual log_to_base(dual x, dual base)
{
    if (base.v == 2.718281828459045235360 && base.d == 0)
        return dual_log(x);
    dual r = dual_div(dual_log(x), dual_log(base));
    if (base.v == 2 || base.v == 10)
        r.v = base.v == 2 ? log2(x.v) : log10(x.v);
    return r;
}

static jet log_to_base_jet(jet x, jet base)
{
    if (base.v == 2.718281828459045235360 && jet_is_const(base))
        return jet_log(x);
    jet r = jet_div(jet_log(x), jet_log(base));
    if (base.v == 2 || base.v == 10)
        r.v = base.v == 2 ? log2(x.v) : log10(x.v);
    return r;
}

static int math_atan(lua_State *L)
{
    return call_pair(L, (binary){dual_atan2, jet_atan2}, 1);
}

static int math_log(lua_State *L)
{
    return call_pair(L, (binary){log_to_base, log_to_base_jet}, 2.718281828459045235360);
}

static int math_fmod(lua_State *L)
{
    if (any_dual(L))
        luaL_checkany(L, 2);
    return call_pair(L, (binary){dual_fmod, jet_fmod}, 1);
}

/* whether f(a, b) is a; at a tie f decides by what comes just after, and for equals it is a */
static bool is_first(binary both, const operand *a, const operand *b)
{
    dual (*f)(dual, dual) = both.of_dual;
    if (is_jet(a) || is_jet(b)) {
        jet x = to_jet(a), r = both.of_jet(x, to_jet(b));
        return r.v == x.v && r.d == x.d && r.dd == x.dd;
    }
    double da = by_time(a), db = by_time(b);
    if (a->v == b->v)
        return da == db || f(dual_make(a->v, da), dual_make(b->v, db)).d == da;
    return f(dual_make(a->v, 1), dual_const(b->v)).d == 1;
}

static int call_fold(lua_State *L, binary f)
{
    if (!any_dual(L))
        return scene_call_original(L);
    int n = lua_gettop(L), best = 1;
    operand x = check_operand(L, 1);
    for (int i = 2; i <= n; i++) {
        operand other = check_operand(L, i);
        if (!is_first(f, &x, &other)) {
            x = other;
            best = i;
        }
    }
    if (lua_type(L, best) == LUA_TUSERDATA)
        lua_pushvalue(L, best);
    else
        lua_pushnumber(L, x.v);
    return 1;
}

static int math_max(lua_State *L)
{
    return call_fold(L, (binary){dual_max, jet_max});
}

static int math_min(lua_State *L)
{
    return call_fold(L, (binary){dual_min, jet_min});
}

static int math_modf(lua_State *L)
{
    if (!any_dual(L))
        return scene_call_original(L);
    operand x = check_operand(L, 1);
    double whole = trunc(x.v);
    lua_pushnumber(L, whole);
    push_chain(L, &x, isinf(x.v) ? 0 : x.v - whole, 1);
    return 2;
}

/* functions that say something about the value alone, and those whose result changes by leaps: plain numbers
 */
static int of_value(lua_State *L)
{
    int n = lua_gettop(L);
    for (int i = 1; i <= n; i++) {
        const dual_box *p = luaL_testudata(L, i, DUAL_TYPE);
        if (p != NULL) {
            lua_pushnumber(L, p->v);
            lua_replace(L, i);
        }
    }
    return scene_call_original(L);
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
        {"sin", math_sin},   {"cos", math_cos},   {"tan", math_tan},   {"asin", math_asin},
        {"acos", math_acos}, {"atan", math_atan}, {"exp", math_exp},   {"log", math_log},
        {"sqrt", math_sqrt}, {"abs", math_abs},   {"floor", of_value}, {"ceil", of_value},
        {"min", math_min},   {"max", math_max},   {"fmod", math_fmod}, {"modf", math_modf},
        {"rad", math_rad},   {"deg", math_deg},   {"type", of_value},  {"tointeger", of_value},
        {"ult", of_value},   {NULL, NULL}};
    static const luaL_Reg base[] = {{"tonumber", of_value}, {NULL, NULL}};
    scene_new_type(L, DUAL_TYPE, operators);
    lua_getglobal(L, "math");
    wrap(L, functions);
    lua_pop(L, 1);
    lua_getglobal(L, LUA_GNAME);
    wrap(L, base);
    lua_pop(L, 1);
}
