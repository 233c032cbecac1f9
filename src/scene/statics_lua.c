/*
 * equilibrium() in a scene: can the bodies stand where they are now (include/moreau/equilibrium.h)?
 */
#include "scene/internal.h"

#include <moreau/equilibrium.h>

/* along which the second number of a force counts, as that of a contact */
static void push_tangent(lua_State *L, const double *n, size_t dim)
{
    double t[3] = {-n[1], n[0], 0};
    if (dim == 3)
        mo_tangent(n, t);
    scene_push_numbers(L, t, dim);
}

static void push_force(lua_State *L, const mo_equilibrium *e, size_t i)
{
    size_t dim = (size_t)e->dim;
    lua_createtable(L, 0, 6);
    scene_push_body(L, e->id1[i]);
    lua_setfield(L, -2, "body1");
    scene_push_body(L, e->id2[i]);
    lua_setfield(L, -2, "body2");
    scene_push_numbers(L, e->point + dim * i, dim);
    lua_setfield(L, -2, "point");
    scene_push_numbers(L, e->normal + dim * i, dim);
    lua_setfield(L, -2, "normal");
    push_tangent(L, e->normal + dim * i, dim);
    lua_setfield(L, -2, "tangent");
    scene_push_numbers(L, e->force + dim * i, dim);
    lua_setfield(L, -2, "force");
}

static int push_answer(lua_State *L)
{
    const mo_equilibrium *e = lua_touserdata(L, 1);
    lua_createtable(L, 0, 5);
    if (e->outcome != MO_EQUILIBRIUM_UNDECIDED) {
        lua_pushboolean(L, e->outcome == MO_EQUILIBRIUM_POSSIBLE);
        lua_setfield(L, -2, "possible");
    }
    lua_pushnumber(L, e->imbalance);
    lua_setfield(L, -2, "imbalance");
    lua_pushnumber(L, e->power);
    lua_setfield(L, -2, "power");
    if (e->outcome == MO_EQUILIBRIUM_POSSIBLE && e->step.tried) {
        lua_pushboolean(L, e->step.moves);
        lua_setfield(L, -2, "moves");
    }
    lua_createtable(L, e->contacts < 1000000 ? (int)e->contacts : 0, 0);
    for (size_t i = 0; i < e->contacts; i++) {
        push_force(L, e, i);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "forces");
    return 1;
}

static int find_equilibrium(lua_State *L)
{
    scene_check_limits(L);
    if (lua_gettop(L) > 0)
        scene_error(L, "equilibrium", "expected no arguments, got %d", lua_gettop(L));
    mo_world *world = scene_world_between_steps(L, "equilibrium");
    mo_equilibrium e = {0};
    mo_error err = {0};
    if (mo_world_equilibrium(world, &e, &err) != MO_OK)
        scene_raise(L, "equilibrium", &err);
    /* tables may fail for memory: the answer is freed whatever happens */
    lua_pushcfunction(L, push_answer);
    lua_pushlightuserdata(L, &e);
    int failed = lua_pcall(L, 1, 1, 0);
    mo_equilibrium_free(&e);
    return failed != LUA_OK ? lua_error(L) : 1;
}

void scene_open_statics(lua_State *L)
{
    lua_register(L, "equilibrium", find_equilibrium);
}
