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

/* all energies and what was done and lost since the start, as --json has them */
static int energy(lua_State *L)
{
    const mo_energy e = mo_world_info_get(measured(L)).energy;
    const struct {
        const char *name;
        double value;
    } fields[] = {{"kinetic", e.kinetic},
                  {"potential", e.potential},
                  {"work_external", e.work_external},
                  {"dissipated_friction", e.dissipated_friction},
                  {"dissipated_impact", e.dissipated_impact},
                  {"balance_error", e.balance_error}};
    lua_createtable(L, 0, 6);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        lua_pushnumber(L, fields[i].value);
        lua_setfield(L, -2, fields[i].name);
    }
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

/* {min = {x, y[, z]}, max = {x, y[, z]}} or nothing */
static const mo_region *read_region(lua_State *L, const char *what, mo_region *out)
{
    static const char *const keys[] = {"min", "max", NULL};
    char path[64];
    if (lua_isnoneornil(L, 1))
        return NULL;
    measured(L);
    size_t dim = scene_dim(L);
    read_single_table(L, what);
    read_keys(L, 1, what, keys, false);
    if (!read_vector(L, 1, what, "min", dim, out->min) || !read_vector(L, 1, what, "max", dim, out->max))
        scene_error(L, what, "expected a region {min = {x, y%s}, max = {x, y%s}}", dim == 3 ? ", z" : "",
                    dim == 3 ? ", z" : "");
    read_path(path, sizeof path, what, "max");
    for (size_t i = 0; i < dim; i++)
        if (!(out->min[i] < out->max[i]))
            scene_error(L, path, "expected max above min in %s directions", dim == 2 ? "both" : "all three");
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
    double sigma[9];
    mo_error err = {0};
    const mo_region *r = read_region(L, "measure.stress", &region);
    if (mo_measure_stress(measured(L), r, sigma, &err) != MO_OK)
        scene_raise(L, "measure.stress", &err);
    size_t dim = scene_dim(L);
    lua_createtable(L, (int)dim, 0);
    for (size_t i = 0; i < dim; i++) {
        scene_push_numbers(L, sigma + dim * i, dim);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static int resultant(lua_State *L)
{
    static const char *const keys[] = {"point", "normal", NULL};
    const char *what = "measure.resultant";
    double point[3], normal[3], force[3];
    mo_error err = {0};
    measured(L);
    size_t dim = scene_dim(L);
    read_single_table(L, what);
    read_keys(L, 1, what, keys, false);
    if (!read_vector(L, 1, what, "point", dim, point) || !read_vector(L, 1, what, "normal", dim, normal))
        scene_error(L, what, "expected {point = {x, y%s}, normal = {x, y%s}}", dim == 3 ? ", z" : "",
                    dim == 3 ? ", z" : "");
    if (mo_measure_resultant(measured(L), point, normal, force, &err) != MO_OK)
        scene_raise(L, what, &err);
    scene_push_numbers(L, force, dim);
    return 1;
}

static int force_on(lua_State *L)
{
    double force[3];
    mo_error err = {0};
    mo_body body = {scene_body_at(L, 1, "measure.force_on", "")};
    if (mo_measure_force_on(measured(L), body, force, &err) != MO_OK)
        scene_raise(L, "measure.force_on", &err);
    scene_push_numbers(L, force, scene_dim(L));
    return 1;
}

void scene_open_measure(lua_State *L)
{
    static const luaL_Reg functions[] = {{"kinetic_energy", kinetic_energy},
                                         {"potential_energy", potential_energy},
                                         {"energy", energy},
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
