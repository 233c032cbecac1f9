/*
 * cell{...}: how the periodic cell of the world deforms, and the handle that tells of it.
 *
 * Components of the velocity gradient are named xx, xy, ...; what is given neither a rate nor a stress stays
 * 0.
 */
#include "scene/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What cell{...} asked for; functions lie in the registry under the addresses of `by_function`. */
typedef struct cell_program {
    mo_cell_control control;
    bool by_function[9]; /* of the rate, or the stress where that is given */
    bool some_function;
} cell_program;

static const char *const cell_keys[] = {"rate", "stress", "mass", "damping", NULL};
static const char *const names[] = {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz", NULL};
static const char program_key = 1; /* registry: the program */

/* the program, made at its first use */
static cell_program *program_of(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &program_key);
    cell_program *p = lua_touserdata(L, -1);
    lua_pop(L, 1);
    if (p != NULL)
        return p;
    p = lua_newuserdatauv(L, sizeof *p, 0);
    *p = (cell_program){0};
    lua_rawsetp(L, LUA_REGISTRYINDEX, &program_key);
    return p;
}

static bool is_there(lua_State *L, int component)
{
    const int dim = (int)scene_dim(L);
    return component / 3 < dim && component % 3 < dim;
}

/* rate = {xy = ...} or stress = {...} */
static void read_components(lua_State *L, const char *key, bool stress, cell_program *p)
{
    char path[32];
    snprintf(path, sizeof path, "cell.%s", key);
    if (!read_field(L, 1, key))
        return;
    const int t = lua_gettop(L);
    if (lua_type(L, t) != LUA_TTABLE)
        read_wrong(L, "cell", key, t, "a table such as {xy = 0.1}");
    read_keys(L, t, path, names, false);
    for (int k = 0; k < 9; k++) {
        if (!read_field(L, t, names[k]))
            continue;
        if (!is_there(L, k))
            scene_error(L, path, "expected components of a world in 2D, got %s", names[k]);
        if (p->control.by_stress[k] && !stress)
            scene_error(L, path, "%s is given by a stress already", names[k]);
        p->control.by_stress[k] = stress;
        p->by_function[k] = lua_type(L, -1) == LUA_TFUNCTION;
        p->some_function |= p->by_function[k];
        if (p->by_function[k])
            scene_keep_function(L, &program_of(L)->by_function[k], -1);
        else
            *(stress ? &p->control.stress[k] : &p->control.rate[k]) = read_number_at(L, -1, path, names[k]);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static void push_handle(lua_State *L)
{
    lua_newuserdatauv(L, 1, 0);
    luaL_setmetatable(L, CELL_TYPE);
}

/* an error of the cell's own keys is told under their names in cell{...} */
static _Noreturn void raise_cell(lua_State *L, const mo_error *err)
{
    bool own = false;
    for (int k = 0; cell_keys[k] != NULL; k++)
        own |= strcmp(err->key, cell_keys[k]) == 0;
    scene_raise(L, own ? "cell" : "", err);
}

static int control_cell(lua_State *L)
{
    scene *s = scene_of(L);
    mo_error err = {0};
    if (lua_gettop(L) == 0) {
        scene_world(L, "cell");
        push_handle(L);
        return 1;
    }
    mo_world *world = scene_world_to_change(L, "cell");
    read_single_table(L, "cell");
    read_keys(L, 1, "cell", cell_keys, false);
    cell_program p = {0};
    read_components(L, "stress", true, &p);
    read_components(L, "rate", false, &p);
    if (read_number(L, 1, "cell", "mass", &p.control.mass))
        read_positive(L, "cell", "mass", p.control.mass);
    read_number(L, 1, "cell", "damping", &p.control.damping);
    if (mo_world_control_cell(world, &p.control, &err) != MO_OK)
        raise_cell(L, &err);
    *program_of(L) = p;
    if (s->phase != PHASE_CHUNK) {
        s->cell_changed = true;
        s->late_functions = s->late_functions || p.some_function;
    }
    push_handle(L);
    return 1;
}

/* ---- before a step ----------------------------------------------------------------------------------------
 */

/* argument 1: the scene; functions at the middle of the step to come */
static int run_program(lua_State *L)
{
    const scene *s = lua_touserdata(L, 1);
    cell_program *p = program_of(L);
    const double t = mo_world_info_get(s->world).time + 0.5 * s->h;
    mo_error err = {0};
    for (int k = 0; k < 9; k++) {
        if (!p->by_function[k])
            continue;
        const result_site site = {p->control.by_stress[k] ? "cell.stress" : "cell.rate", "the cell", t,
                                  false};
        *(p->control.by_stress[k] ? &p->control.stress[k] : &p->control.rate[k]) =
            scene_number_now(L, &p->by_function[k], &site, names[k], -HUGE_VAL);
    }
    if (mo_world_control_cell(s->world, &p->control, &err) != MO_OK)
        raise_cell(L, &err);
    return 0;
}

mo_status scene_run_cell(scene *s, mo_error *err)
{
    lua_rawgetp(s->L, LUA_REGISTRYINDEX, &program_key);
    const cell_program *p = lua_touserdata(s->L, -1);
    lua_pop(s->L, 1);
    return p == NULL || !p->some_function ? MO_OK : scene_protected(s, run_program, s, "cell", err);
}

/* ---- the handle
 * -------------------------------------------------------------------------------------------- */

static int index_cell(lua_State *L)
{
    static const char *const fields[] = {"edges", "volume", "rate", "stress", "size", "origin", NULL};
    const char *key = read_handle_key(L, fields, "a cell");
    mo_world *world = scene_world_between_steps(L, "cell");
    const mo_cell cell = mo_world_cell(world);
    const size_t dim = scene_dim(L);
    mo_error err = {0};
    double x[9];
    if (strcmp(key, "edges") == 0 || strcmp(key, "rate") == 0) {
        scene_push_rows(L, key[0] == 'e' ? cell.edges : cell.rate, 3);
    } else if (strcmp(key, "volume") == 0) {
        lua_pushnumber(L, cell.volume);
    } else if (strcmp(key, "origin") == 0) {
        scene_push_numbers(L, cell.origin, dim);
    } else if (strcmp(key, "size") == 0) {
        for (size_t k = 0; k < dim; k++)
            x[k] = cell.edges[4 * k];
        scene_push_numbers(L, x, dim);
    } else if (mo_measure_stress(world, NULL, x, &err) == MO_OK) {
        scene_push_rows(L, x, dim);
    } else {
        scene_raise(L, "cell", &err);
    }
    return 1;
}

static int set_cell(lua_State *L)
{
    scene_error(L, luaL_checkstring(L, 2),
                "the fields of a cell cannot be set; cell{...} changes how it deforms");
}

void scene_open_cell(lua_State *L)
{
    static const luaL_Reg methods[] = {{"__index", index_cell}, {"__newindex", set_cell}, {NULL, NULL}};
    scene_new_type(L, CELL_TYPE, methods);
    lua_register(L, "cell", control_cell);
}

/* ---- what a frame keeps: [[by stress, rate, stress] ..., mass, damping], null where the chunk's stands
 * ---------- */

json_t *scene_cell_as_json(const scene *s)
{
    if (!s->cell_changed)
        return json_null();
    const mo_cell_control c = mo_world_cell_control(s->world);
    json_t *all = json_array();
    for (int k = 0; k < 9; k++)
        json_array_append_new(all, json_pack("[bff]", c.by_stress[k], c.rate[k], c.stress[k]));
    json_array_append_new(all, json_real(c.mass));
    json_array_append_new(all, json_real(c.damping));
    return all;
}

bool scene_take_cell(scene *s, const json_t *all)
{
    mo_cell_control c = {0};
    mo_error err;
    if (all == NULL || json_is_null(all))
        return true;
    if (json_array_size(all) != 11)
        return false;
    for (size_t k = 0; k < 9; k++) {
        const json_t *one = json_array_get(all, k);
        c.by_stress[k] = json_is_true(json_array_get(one, 0));
        c.rate[k] = json_number_value(json_array_get(one, 1));
        c.stress[k] = json_number_value(json_array_get(one, 2));
    }
    c.mass = json_number_value(json_array_get(all, 9));
    c.damping = json_number_value(json_array_get(all, 10));
    s->cell_changed = true;
    // what the chunk asked for no longer counts
    lua_pushnil(s->L);
    lua_rawsetp(s->L, LUA_REGISTRYINDEX, &program_key);
    return s->world != NULL && mo_world_control_cell(s->world, &c, &err) == MO_OK;
}
