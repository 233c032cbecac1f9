/*
 * measure.*: quantities of the world at the present moment.
 */
#include "scene/internal.h"

static mo_world *measured(lua_State *L)
{
    return scene_world_between_steps(L, "measure");
}

static int kinetic_energy(lua_State *L)
{
    lua_pushnumber(L, mo_measure_kinetic_energy(measured(L)));
    return 1;
}

static int potential_energy(lua_State *L)
{
    lua_pushnumber(L, mo_measure_potential_energy(measured(L)));
    return 1;
}

static int contact_count(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)mo_measure_contact_count(measured(L)));
    return 1;
}

static int sliding_count(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)mo_measure_sliding_count(measured(L)));
    return 1;
}

static int max_penetration(lua_State *L)
{
    lua_pushnumber(L, mo_measure_max_penetration(measured(L)));
    return 1;
}

static int coordination(lua_State *L)
{
    lua_pushnumber(L, mo_measure_coordination(measured(L)));
    return 1;
}

/* {min = {x, y}, max = {x, y}} or nothing */
static const mo_region *read_region(lua_State *L, const char *what, mo_region *out)
{
    static const char *const keys[] = {"min", "max", NULL};
    char path[64];
    if (lua_isnoneornil(L, 1))
        return NULL;
    read_single_table(L, what);
    read_keys(L, 1, what, keys, false);
    if (!read_point(L, 1, what, "min", out->min) || !read_point(L, 1, what, "max", out->max))
        scene_error(L, what, "expected a region {min = {x, y}, max = {x, y}}");
    read_path(path, sizeof path, what, "max");
    if (!(out->min[0] < out->max[0] && out->min[1] < out->max[1]))
        scene_error(L, path, "expected max above min in both directions");
    return out;
}

static int solid_fraction(lua_State *L)
{
    mo_region region;
    double x;
    mo_error err = {0};
    const mo_region *r = read_region(L, "measure.solid_fraction", &region);
    if (mo_measure_solid_fraction(measured(L), r, &x, &err) != MO_OK)
        scene_raise(L, "measure.solid_fraction", &err);
    lua_pushnumber(L, x);
    return 1;
}

static int stress(lua_State *L)
{
    mo_region region;
    double sigma[4];
    mo_error err = {0};
    const mo_region *r = read_region(L, "measure.stress", &region);
    if (mo_measure_stress(measured(L), r, sigma, &err) != MO_OK)
        scene_raise(L, "measure.stress", &err);
    lua_createtable(L, 2, 0);
    for (int i = 0; i < 2; i++) {
        scene_push_numbers(L, sigma + 2 * i, 2);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int resultant(lua_State *L)
{
    static const char *const keys[] = {"point", "normal", NULL};
    const char *what = "measure.resultant";
    double point[2], normal[2], force[2];
    mo_error err = {0};
    read_single_table(L, what);
    read_keys(L, 1, what, keys, false);
    if (!read_point(L, 1, what, "point", point) || !read_point(L, 1, what, "normal", normal))
        scene_error(L, what, "expected {point = {x, y}, normal = {x, y}}");
    if (mo_measure_resultant(measured(L), point, normal, force, &err) != MO_OK)
        scene_raise(L, what, &err);
    scene_push_numbers(L, force, 2);
    return 1;
}

static int force_on(lua_State *L)
{
    double force[2];
    mo_error err = {0};
    mo_body body = {scene_body_at(L, 1, "measure.force_on", "")};
    if (mo_measure_force_on(measured(L), body, force, &err) != MO_OK)
        scene_raise(L, "measure.force_on", &err);
    scene_push_numbers(L, force, 2);
    return 1;
}

void scene_open_measure(lua_State *L)
{
    static const luaL_Reg functions[] = {{"kinetic_energy", kinetic_energy},
                                         {"potential_energy", potential_energy},
                                         {"contact_count", contact_count},
                                         {"sliding_count", sliding_count},
                                         {"max_penetration", max_penetration},
                                         {"coordination", coordination},
                                         {"solid_fraction", solid_fraction},
                                         {"stress", stress},
                                         {"resultant", resultant},
                                         {"force_on", force_on},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    lua_setglobal(L, "measure");
}
