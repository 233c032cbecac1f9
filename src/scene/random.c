/*
 * math.random and math.randomseed over PCG32 with Lua 5.4's calling conventions: the same numbers on every
 * machine, and a state of two words that a run file keeps.
 */
#include "scene/internal.h"

#include <string.h>

enum { STREAM = 54 };

static uint64_t next64(rng *r)
{
    uint64_t high = rng_next(r);
    return (high << 32) | rng_next(r);
}

/* uniform in [0, range] by rejection of what lies above under the next mask */
static uint64_t uniform_integer(rng *r, uint64_t range)
{
    uint64_t mask = range;
    for (int shift = 1; shift < 64; shift *= 2)
        mask |= mask >> shift;
    uint64_t x;
    do
        x = next64(r) & mask;
    while (x > range);
    return x;
}

static int random_number(lua_State *L)
{
    rng *r = &scene_of(L)->random;
    lua_Integer low = 1, high;
    switch (lua_gettop(L)) {
    case 0:
        lua_pushnumber(L, rng_uniform(r));
        return 1;
    case 1:
        high = luaL_checkinteger(L, 1);
        if (high == 0) {
            lua_pushinteger(L, (lua_Integer)next64(r));
            return 1;
        }
        break;
    case 2:
        low = luaL_checkinteger(L, 1);
        high = luaL_checkinteger(L, 2);
        break;
    default:
        return luaL_error(L, "wrong number of arguments");
    }
    luaL_argcheck(L, low <= high, lua_gettop(L), "interval is empty");
    uint64_t range = (uint64_t)high - (uint64_t)low;
    lua_pushinteger(L, (lua_Integer)((uint64_t)low + uniform_integer(r, range)));
    return 1;
}

/* without an argument: back to the seed of the run, so that nothing depends on the clock */
static int random_seed(lua_State *L)
{
    scene *s = scene_of(L);
    uint64_t seed = s->seed;
    if (!lua_isnoneornil(L, 1)) {
        double x = luaL_checknumber(L, 1);
        int whole;
        lua_Integer n = lua_tointegerx(L, 1, &whole);
        if (whole)
            seed = (uint64_t)n;
        else
            memcpy(&seed, &x, sizeof seed);
    }
    lua_Integer second = luaL_optinteger(L, 2, 0);
    s->random = rng_seed(seed ^ ((uint64_t)second * 0x9e3779b97f4a7c15u), STREAM);
    lua_pushinteger(L, (lua_Integer)seed);
    lua_pushinteger(L, second);
    return 2;
}

void scene_open_random(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"random", random_number}, {"randomseed", random_seed}, {NULL, NULL}};
    scene *s = scene_of(L);
    s->random = rng_seed(s->seed, STREAM);
    lua_getglobal(L, "math");
    luaL_setfuncs(L, functions, 0);
    lua_pop(L, 1);
}
