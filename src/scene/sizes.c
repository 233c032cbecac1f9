/*
 * Distributions of sizes (sizes.h).  A call of the userdata draws one, so that scenes can use them too.
 *
 * Shares by mass: the number of bodies of size r is their mass over r^dim.  For the uniform distribution from
 * a to b that makes the density of sizes r^-dim, whose integral is inverted in closed form.
 */
#include "scene/sizes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SIZES_TYPE "sizes"

enum { MOST_ENTRIES = 1000 };

typedef enum sizes_kind { SIZES_UNIFORM, SIZES_NORMAL, SIZES_LOGNORMAL, SIZES_TABLE } sizes_kind;

struct sizes {
    sizes_kind kind;
    bool by_mass;
    double middle, spread; /* normal: mean and standard deviation; lognormal: of the logarithm */
    double min, max;
    size_t count;
    double entries[]; /* [2 count] of a table: size and share, any sum */
};

const sizes *sizes_at(lua_State *L, int idx)
{
    return luaL_testudata(L, idx, SIZES_TYPE);
}

double sizes_largest(const sizes *z)
{
    return z->max;
}

/* ---- drawing ------------------------------------------------------------------------------------ */

static double draw_uniform(const sizes *z, size_t dim, double u)
{
    double a = z->min, b = z->max, x = a + u * (b - a);
    if (z->by_mass && dim == 2)
        x = 1 / (1 / a - u * (1 / a - 1 / b));
    else if (z->by_mass)
        x = a / sqrt(1 - u * (1 - (a / b) * (a / b)));
    return fmin(fmax(x, a), b);
}

/* Box and Muller; what lies outside the bounds is drawn again */
static double draw_normal(const sizes *z, rng *random)
{
    for (;;) {
        double radius = sqrt(-2 * log(1 - rng_uniform(random)));
        double x = z->middle + z->spread * radius * cos(2 * acos(-1.0) * rng_uniform(random));
        if (z->kind == SIZES_LOGNORMAL)
            x = exp(x);
        if (x >= z->min && x <= z->max)
            return x;
    }
}

/* share by number of entry i, up to a factor */
static double share(const sizes *z, size_t dim, size_t i)
{
    double s = z->entries[2 * i + 1];
    return z->by_mass ? s * pow(z->min / z->entries[2 * i], (double)dim) : s;
}

static double draw_entry(const sizes *z, size_t dim, double u)
{
    double all = 0, passed = 0;
    for (size_t i = 0; i < z->count; i++)
        all += share(z, dim, i);
    size_t last = 0;
    for (size_t i = 0; i < z->count; i++) {
        if (share(z, dim, i) == 0)
            continue;
        last = i;
        passed += share(z, dim, i);
        if (u * all < passed)
            break;
    }
    return z->entries[2 * last];
}

double sizes_draw(const sizes *z, size_t dim, rng *random)
{
    switch (z->kind) {
    case SIZES_UNIFORM:
        return draw_uniform(z, dim, rng_uniform(random));
    case SIZES_TABLE:
        return draw_entry(z, dim, rng_uniform(random));
    default:
        return draw_normal(z, random);
    }
}

static int call_sizes(lua_State *L)
{
    scene *s = scene_of(L);
    const sizes *z = luaL_checkudata(L, 1, SIZES_TYPE);
    if (z->by_mass)
        (void)scene_world(L, "sizes");
    size_t dim = z->by_mass ? scene_dim(L) : 2;
    lua_pushnumber(L, sizes_draw(z, dim, &s->random));
    return 1;
}

/* ---- reading ------------------------------------------------------------------------------------ */

static sizes *new_sizes(lua_State *L, sizes_kind kind, size_t count)
{
    sizes *z = lua_newuserdatauv(L, sizeof *z + 2 * count * sizeof(double), 0);
    memset(z, 0, sizeof *z);
    z->kind = kind;
    z->count = count;
    luaL_setmetatable(L, SIZES_TYPE);
    return z;
}

/* the two leading numbers of the table at 1, both > 0 */
static void read_two(lua_State *L, const char *what, const char *const *keys, const char *form, double out[2])
{
    static const char *const places[2] = {"[1]", "[2]"};
    read_single_table(L, what);
    read_keys(L, 1, what, keys, true);
    if (lua_rawlen(L, 1) != 2)
        scene_error(L, what, "expected %s, got %d numbers", form, (int)lua_rawlen(L, 1));
    for (int i = 0; i < 2; i++) {
        lua_rawgeti(L, 1, i + 1);
        out[i] = read_number_at(L, -1, what, places[i]);
        read_positive(L, what, places[i], out[i]);
        lua_pop(L, 1);
    }
}

static bool read_by_mass(lua_State *L, const char *what)
{
    static const char *const choices[] = {"number", "mass", NULL};
    int choice = 0;
    read_choice(L, 1, what, "by", choices, &choice);
    return choice == 1;
}

static int make_uniform(lua_State *L)
{
    static const char *const keys[] = {"by", NULL};
    double ends[2];
    read_two(L, "sizes.uniform", keys, "{smallest, largest}", ends);
    if (ends[0] > ends[1])
        scene_error(L, "sizes.uniform[2]", "expected at least the smallest, %g, got %g", ends[0], ends[1]);
    bool by_mass = read_by_mass(L, "sizes.uniform");
    sizes *z = new_sizes(L, SIZES_UNIFORM, 0);
    z->min = ends[0];
    z->max = ends[1];
    z->by_mass = by_mass;
    return 1;
}

/* share of the untruncated distribution between the bounds */
static double kept_share(const sizes *z)
{
    bool log_scale = z->kind == SIZES_LOGNORMAL;
    double low = log_scale ? log(z->min) : z->min, high = log_scale ? log(z->max) : z->max;
    double unit = z->spread * sqrt(2.0);
    return 0.5 * (erfc((low - z->middle) / unit) - erfc((high - z->middle) / unit));
}

static void read_bounds(lua_State *L, const char *what, sizes *z)
{
    char path[64];
    if (read_number(L, 1, what, "min", &z->min))
        read_positive(L, what, "min", z->min);
    if (read_number(L, 1, what, "max", &z->max))
        read_positive(L, what, "max", z->max);
    read_path(path, sizeof path, what, "min");
    if (!(z->min > 0))
        scene_error(L, path, "three standard deviations below the mean lies %g, expected min = a size > 0",
                    z->min);
    read_path(path, sizeof path, what, "max");
    if (!(z->max > z->min))
        scene_error(L, path, "expected more than the smallest size, %g, got %g", z->min, z->max);
    if (!(kept_share(z) >= 1e-3))
        scene_error(L, what, "expected bounds that keep a thousandth of the distribution, found %g",
                    kept_share(z));
}

static int make_normal(lua_State *L)
{
    static const char *const keys[] = {"min", "max", NULL};
    double given[2];
    read_two(L, "sizes.normal", keys, "{mean, standard deviation}", given);
    sizes *z = new_sizes(L, SIZES_NORMAL, 0);
    z->middle = given[0];
    z->spread = given[1];
    z->min = given[0] - 3 * given[1];
    z->max = given[0] + 3 * given[1];
    read_bounds(L, "sizes.normal", z);
    return 1;
}

static int make_lognormal(lua_State *L)
{
    static const char *const keys[] = {"min", "max", NULL};
    double given[2];
    read_two(L, "sizes.lognormal", keys, "{median, standard deviation of the logarithm}", given);
    read_range(L, "sizes.lognormal", "[2]", given[1], 0, 10);
    sizes *z = new_sizes(L, SIZES_LOGNORMAL, 0);
    z->middle = log(given[0]);
    z->spread = given[1];
    z->min = given[0] * exp(-3 * given[1]);
    z->max = given[0] * exp(3 * given[1]);
    read_bounds(L, "sizes.lognormal", z);
    return 1;
}

static int make_bidisperse(lua_State *L)
{
    static const char *const keys[] = {"share", "by", NULL};
    double ends[2], first = 0.5;
    read_two(L, "sizes.bidisperse", keys, "{first size, second size}", ends);
    if (read_number(L, 1, "sizes.bidisperse", "share", &first))
        read_range(L, "sizes.bidisperse", "share", first, 0, 1);
    bool by_mass = read_by_mass(L, "sizes.bidisperse");
    sizes *z = new_sizes(L, SIZES_TABLE, 2);
    double entries[4] = {ends[0], first, ends[1], 1 - first};
    memcpy(z->entries, entries, sizeof entries);
    z->min = fmin(ends[0], ends[1]);
    z->max = fmax(ends[0], ends[1]);
    z->by_mass = by_mass;
    return 1;
}

/* entry i of the table at 1 */
static void read_entry(lua_State *L, size_t i, double out[2])
{
    char key[32];
    snprintf(key, sizeof key, "[%zu]", i + 1);
    lua_rawgeti(L, 1, (lua_Integer)i + 1);
    read_vector_at(L, -1, "sizes.table", key, 2, out);
    lua_pop(L, 1);
    snprintf(key, sizeof key, "[%zu][1]", i + 1);
    read_positive(L, "sizes.table", key, out[0]);
    snprintf(key, sizeof key, "[%zu][2]", i + 1);
    read_range(L, "sizes.table", key, out[1], 0, 1e100);
}

static int make_table(lua_State *L)
{
    static const char *const keys[] = {"by", NULL};
    const char *what = "sizes.table";
    read_single_table(L, what);
    read_keys(L, 1, what, keys, true);
    size_t n = lua_rawlen(L, 1);
    if (n < 1 || n > MOST_ENTRIES)
        scene_error(L, what, "expected 1 to %d entries {size, share}, got %zu", (int)MOST_ENTRIES, n);
    bool by_mass = read_by_mass(L, what);
    sizes *z = new_sizes(L, SIZES_TABLE, n);
    z->by_mass = by_mass;
    z->min = HUGE_VAL;
    double all = 0;
    for (size_t i = 0; i < n; i++) {
        double *entry = z->entries + 2 * i;
        read_entry(L, i, entry);
        all += entry[1];
        if (entry[1] == 0)
            continue;
        z->min = fmin(z->min, entry[0]);
        z->max = fmax(z->max, entry[0]);
    }
    if (!(all > 0))
        scene_error(L, what, "expected a share > 0, found none");
    return 1;
}

void scene_open_sizes(lua_State *L)
{
    static const luaL_Reg functions[] = {{"uniform", make_uniform},       {"normal", make_normal},
                                         {"lognormal", make_lognormal},   {"table", make_table},
                                         {"bidisperse", make_bidisperse}, {NULL, NULL}};
    static const luaL_Reg methods[] = {{"__call", call_sizes}, {NULL, NULL}};
    scene_new_type(L, SIZES_TYPE, methods);
    luaL_newlib(L, functions);
    lua_setglobal(L, "sizes");
}
