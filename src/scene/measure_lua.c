/*
 * measure.*: quantities of the world at the present moment.
 */
#include "math/eigen3.h"
#include "scene/internal.h"

#include <stdio.h>

static mo_world *measured(lua_State *L)
{
    return scene_world_between_steps(L, "measure");
}

typedef struct field {
    const char *name;
    double value;
} field;

static void push_fields(lua_State *L, size_t count, const field *fields)
{
    for (size_t i = 0; i < count; i++) {
        lua_pushnumber(L, fields[i].value);
        lua_setfield(L, -2, fields[i].name);
    }
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
    const field fields[] = {{"kinetic", e.kinetic},
                            {"potential", e.potential},
                            {"work_external", e.work_external},
                            {"dissipated_friction", e.dissipated_friction},
                            {"dissipated_impact", e.dissipated_impact},
                            {"balance_error", e.balance_error}};
    lua_createtable(L, 0, 6);
    push_fields(L, sizeof fields / sizeof *fields, fields);
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

/* a measure of a region: a number, or a tensor row by row */
typedef mo_status (*of_region)(const mo_world *, const mo_region *, double *, mo_error *);

static void take(lua_State *L, const char *what, of_region measure, double *out)
{
    mo_region region;
    mo_error err = {0};
    const mo_region *r = read_region(L, what, &region);
    if (measure(measured(L), r, out, &err) != MO_OK)
        scene_raise(L, what, &err);
}

static int number_of(lua_State *L, const char *what, of_region measure)
{
    double x;
    take(L, what, measure, &x);
    lua_pushnumber(L, x);
    return 1;
}

static int tensor_of(lua_State *L, const char *what, of_region measure)
{
    double x[9];
    take(L, what, measure, x);
    scene_push_rows(L, x, scene_dim(L));
    return 1;
}

static int solid_fraction(lua_State *L)
{
    return number_of(L, "measure.solid_fraction", mo_measure_solid_fraction);
}

static int void_ratio(lua_State *L)
{
    return number_of(L, "measure.void_ratio", mo_measure_void_ratio);
}

static int stress(lua_State *L)
{
    return tensor_of(L, "measure.stress", mo_measure_stress);
}

static int fabric(lua_State *L)
{
    return tensor_of(L, "measure.fabric", mo_measure_fabric);
}

/* ---- forces ----------------------------------------------------------------------------------------- */

static void set_numbers(lua_State *L, const char *key, const double *x, size_t count)
{
    scene_push_numbers(L, x, count);
    lua_setfield(L, -2, key);
}

/* {bins = 20, max = 5, region = ...}: argument 1, if any, gives way to the region */
static void read_bins(lua_State *L, const char *what, lua_Integer *bins, double *most)
{
    static const char *const keys[] = {"bins", "max", "region", NULL};
    if (lua_isnoneornil(L, 1)) {
        lua_settop(L, 0);
        return;
    }
    read_single_table(L, what);
    read_keys(L, 1, what, keys, false);
    double given = (double)*bins;
    read_number(L, 1, what, "bins", &given);
    read_range(L, what, "bins", given, 1, 10000);
    *bins = read_whole(L, 1, what, "bins", (int)*bins);
    if (read_number(L, 1, what, "max", most))
        read_positive(L, what, "max", *most);
    lua_getfield(L, 1, "region");
    lua_replace(L, 1);
}

static int force_distribution(lua_State *L)
{
    const char *what = "measure.force_distribution";
    lua_Integer bins = 20;
    double most = 5;
    mo_region region;
    mo_force_distribution d;
    mo_error err = {0};
    measured(L);
    read_bins(L, what, &bins, &most);
    const mo_region *r = read_region(L, "measure.force_distribution.region", &region);
    double *density = lua_newuserdatauv(L, 2 * (size_t)bins * sizeof *density, 0), *x = density + bins;
    if (mo_measure_forces(measured(L), r, (size_t)bins, most, &d, density, &err) != MO_OK)
        scene_raise(L, what, &err);
    for (lua_Integer k = 0; k < bins; k++)
        x[k] = most * ((double)k + 0.5) / (double)bins;
    lua_createtable(L, 0, 7);
    lua_pushinteger(L, (lua_Integer)d.count);
    lua_setfield(L, -2, "count");
    push_fields(L, 4,
                (const field[]){{"mean", d.mean},
                                {"largest", d.largest},
                                {"mean_tangential", d.mean_tangential},
                                {"beyond", d.beyond}});
    set_numbers(L, "x", x, (size_t)bins);
    set_numbers(L, "density", density, (size_t)bins);
    return 1;
}

/* ---- tensors ---------------------------------------------------------------------------------------- */

/* argument 1: rows; the symmetric part, in 2D with a last axis of its own that comes last */
static void read_tensor(lua_State *L, const char *what, size_t dim, double A[9])
{
    double x[9] = {0};
    read_single_table(L, what);
    for (size_t i = 0; i < dim; i++) {
        char row[32];
        snprintf(row, sizeof row, "[%zu]", i + 1);
        lua_rawgeti(L, 1, (lua_Integer)i + 1);
        read_vector_at(L, -1, what, row, dim, x + 3 * i);
        lua_pop(L, 1);
    }
    for (size_t k = 0; k < 9; k++)
        A[k] = 0.5 * (x[k] + x[3 * (k % 3) + k / 3]);
}

/* values, the largest first, and the directions that belong to them */
static int principal(lua_State *L)
{
    const size_t dim = scene_dim(L);
    double A[9], values[3], axes[9];
    int order[3] = {0, 1, 2};
    read_tensor(L, "measure.principal", dim, A);
    eigen3(A, values, axes);
    for (size_t i = 1; i < dim; i++)
        for (size_t k = i; k > 0 && values[order[k]] > values[order[k - 1]]; k--) {
            int other = order[k];
            order[k] = order[k - 1];
            order[k - 1] = other;
        }
    lua_createtable(L, (int)dim, 0);
    lua_createtable(L, (int)dim, 0);
    for (size_t i = 0; i < dim; i++) {
        const double axis[3] = {axes[order[i]], axes[3 + order[i]], axes[6 + order[i]]};
        lua_pushnumber(L, values[order[i]]);
        lua_rawseti(L, -3, (lua_Integer)i + 1);
        scene_push_numbers(L, axis, dim);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 2;
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
                                         {"void_ratio", void_ratio},
                                         {"fabric", fabric},
                                         {"force_distribution", force_distribution},
                                         {"principal", principal},
                                         {"stress", stress},
                                         {"resultant", resultant},
                                         {"force_on", force_on},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    lua_setglobal(L, "measure");
}
