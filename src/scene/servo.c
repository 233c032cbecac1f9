/*
 * servo{...}: walls that hold a stress or a rate of strain.
 *
 * A servo pushes its body, which is free along an axis, toward the sample.  Before every step it looks where
 * the body is and sets
 *
 *   stress        the applied force along the axis, F = stress × area (length in 2D), less damping × speed;
 * the body moves as a free one of its mass (the loaded walls of MJ96 Fig. 3), so that the step problem itself
 * finds the speed at which contacts bear F strain_rate   the speed along the axis, v = rate × size, whatever
 * it takes
 *
 * Symbols: m mass of the body, h step, v its speed toward the sample, L size of the sample along the axis, L0
 * that at the beginning; strain = ln(L0/L), compression positive.
 */
#include "scene/internal.h"

#include "core/fail.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number, or a function of time that lies in the registry under the address of this. */
typedef struct quantity {
    double value;
    bool given, by_function;
} quantity;

typedef struct servo {
    struct servo *next;
    mo_body body;
    int axis;         /* 0, 1, 2 */
    double sign;      /* of the direction in which it pushes */
    bool by_rate;     /* strain_rate, else stress */
    quantity target;  /* Pa (2D: N/m), or 1/s */
    quantity area;    /* m², in 2D m */
    quantity size;    /* m; a number: at the beginning */
    double x0, L0;    /* place of the body and size at the beginning, m */
    double damping;   /* N s/m */
    double max_speed; /* m/s; HUGE_VAL: none */
    unsigned free;    /* freedoms of the body when it is not driven */
    char name[32];    /* for messages */
    int line;         /* of servo{...} */
} servo;

static const char *const servo_keys[] = {"body",   "axis", "stress",  "strain_rate", "area",
                                         "length", "size", "damping", "max_speed",   NULL};
static const char *const axes[] = {"x", "-x", "y", "-y", "z", "-z", NULL};

/* ---- numbers and functions ------------------------------------------------------------------------- */

static bool read_quantity(lua_State *L, const char *key, quantity *out)
{
    if (!read_field(L, 1, key))
        return false;
    out->given = true;
    out->by_function = lua_type(L, -1) == LUA_TFUNCTION;
    if (out->by_function)
        scene_keep_function(L, out, -1);
    else
        out->value = read_number_at(L, -1, "servo", key);
    lua_pop(L, 1);
    return true;
}

/* the number that a function gives, which must be above `above`; may raise */
static double call_quantity(lua_State *L, const servo *v, const quantity *q, const char *key, double t,
                            double above)
{
    const result_site site = {"servo", v->name, t, false};
    return scene_number_now(L, q, &site, key, above);
}

static double now(lua_State *L)
{
    return mo_world_info_get(scene_of(L)->world).time;
}

static double value_of(lua_State *L, const servo *v, const quantity *q, const char *key, double above)
{
    return q->by_function ? call_quantity(L, v, q, key, now(L), above) : q->value;
}

static const char *area_key(lua_State *L)
{
    return scene_dim(L) == 2 ? "length" : "area";
}

static double area_of(lua_State *L, const servo *v)
{
    return value_of(L, v, &v->area, area_key(L), 0);
}

static mo_body_state state_of(lua_State *L, const servo *v)
{
    mo_body_state b;
    mo_error err = {0};
    if (mo_body_get(scene_world(L, "servo"), v->body, &b, &err) != MO_OK)
        scene_error(L, "servo.body", "the body was removed");
    return b;
}

/* size of the sample along the axis */
static double size_of(lua_State *L, const servo *v)
{
    if (v->size.by_function)
        return call_quantity(L, v, &v->size, "size", now(L), 0);
    double size = v->size.value - v->sign * (state_of(L, v).position[v->axis] - v->x0);
    if (!(size > 0)) {
        // between two steps no line of the scene is at work
        if (scene_line(L) == 0)
            scene_of(L)->callee_line = v->line;
        scene_error(L, "servo.size",
                    "the wall has moved by %g m, expected less than the size %g m of the sample",
                    v->size.value - size, v->size.value);
    }
    return size;
}

/* ---- servo{...} ------------------------------------------------------------------------------------- */

static void read_axis(lua_State *L, servo *v)
{
    int choice = -1;
    if (!read_choice(L, 1, "servo", "axis", axes, &choice))
        scene_error(L, "servo.axis", "expected the direction to push in, such as \"-x\", got nothing");
    v->axis = choice / 2;
    v->sign = choice % 2 == 0 ? 1 : -1;
    if ((size_t)v->axis >= scene_dim(L))
        scene_error(L, "servo.axis", "expected a direction of a world in 2D, got \"%s\"", axes[choice]);
}

static unsigned axis_bit(const servo *v)
{
    static const unsigned BIT[3] = {MO_FREE_X, MO_FREE_Y, MO_FREE_Z};
    return BIT[v->axis];
}

static void read_body(lua_State *L, servo *v)
{
    if (!read_field(L, 1, "body"))
        scene_error(L, "servo.body", "expected a body, got nothing");
    v->body.id = scene_body_at(L, -1, "servo", "body");
    lua_pop(L, 1);
    snprintf(v->name, sizeof v->name, "the servo of body %u", v->body.id);
    mo_body_state b = state_of(L, v);
    mo_world *world = scene_world(L, "servo");
    mo_body_raw raw;
    mo_body_raw_get(world, mo_world_slot(world, v->body), &raw);
    if (b.kind != MO_BODY_DYNAMIC || !(raw.free & axis_bit(v)))
        scene_error(L, "servo.body",
                    "expected a body with a mass that is free along the axis, as with free = {\"%c\"}",
                    "xyz"[v->axis]);
    if (raw.has_functions)
        scene_error(L, "servo.body", "the load of this body is given by a function");
    for (const servo *other = scene_of(L)->servos; other != NULL; other = other->next)
        if (other->body.id == v->body.id)
            scene_error(L, "servo.body", "the body has a servo already");
    v->free = raw.free;
    v->x0 = b.position[v->axis];
}

static void read_target(lua_State *L, servo *v)
{
    quantity both = {0};
    bool stress = read_field(L, 1, "stress");
    lua_settop(L, 2);
    v->by_rate = !stress;
    read_quantity(L, stress ? "stress" : "strain_rate", &v->target);
    if (stress && read_quantity(L, "strain_rate", &both))
        scene_error(L, "servo", "expected one of stress and strain_rate, got both");
    if (!v->target.given)
        scene_error(L, "servo", "expected one of stress and strain_rate, got neither");
}

static void read_extents(lua_State *L, servo *v)
{
    const char *key = area_key(L), *other = key[0] == 'l' ? "area" : "length";
    quantity wrong = {0};
    if (read_quantity(L, other, &wrong))
        scene_error(L, "servo", "`%s` is of worlds in %s; this one takes `%s`", other,
                    scene_dim(L) == 2 ? "3D" : "2D", key);
    if (read_quantity(L, key, &v->area) && !v->area.by_function)
        read_positive(L, "servo", key, v->area.value);
    if (read_quantity(L, "size", &v->size) && !v->size.by_function)
        read_positive(L, "servo", "size", v->size.value);
    if (!v->by_rate && !v->area.given)
        scene_error(L, "servo", "expected `%s`, a number or a function, got nothing", key);
    if (v->by_rate && !v->size.given)
        scene_error(L, "servo",
                    "expected `size` of the sample along the axis, a number or a function, got "
                    "nothing");
}

static void append_servo(scene *s, servo *v)
{
    struct servo **last = &s->servos;
    while (*last != NULL)
        last = &(*last)->next;
    *last = v;
    s->late_functions = s->late_functions || s->phase != PHASE_CHUNK;
}

static int make_servo(lua_State *L)
{
    scene_check_limits(L);
    scene_world_to_change(L, "servo");
    read_single_table(L, "servo");
    read_keys(L, 1, "servo", servo_keys, false);
    servo *v = lua_newuserdatauv(L, sizeof *v, 0);
    *v = (servo){.max_speed = HUGE_VAL, .line = scene_line(L)};
    luaL_setmetatable(L, SERVO_TYPE);
    read_axis(L, v);
    read_body(L, v);
    read_target(L, v);
    read_extents(L, v);
    if (read_number(L, 1, "servo", "damping", &v->damping))
        read_range(L, "servo", "damping", v->damping, 0, HUGE_VAL);
    if (read_number(L, 1, "servo", "max_speed", &v->max_speed))
        read_positive(L, "servo", "max_speed", v->max_speed);
    v->L0 = v->size.given ? size_of(L, v) : 0;
    // lives as long as the scene
    lua_pushvalue(L, 2);
    luaL_ref(L, LUA_REGISTRYINDEX);
    append_servo(scene_of(L), v);
    return 1;
}

/* ---- before a step ------------------------------------------------------------------------------------ */

static void set_load(lua_State *L, const servo *v, const mo_body_state *b, double force)
{
    const size_t dim = scene_dim(L);
    double load[6] = {0};
    mo_error err = {0};
    memcpy(load, b->applied_force, dim * sizeof *load);
    load[v->axis] = v->sign * force;
    if (dim == 2)
        load[2] = b->applied_torque;
    else
        memcpy(load + 3, b->applied_torque3, sizeof b->applied_torque3);
    if (mo_body_set_load(scene_of(L)->world, v->body, load, &err) != MO_OK)
        scene_raise(L, "servo", &err);
}

static void set_speed(lua_State *L, const servo *v, bool held, double speed)
{
    double velocity[3] = {0};
    mo_error err = {0};
    velocity[v->axis] = v->sign * speed;
    if (mo_body_set_free(scene_of(L)->world, v->body, held ? v->free & ~axis_bit(v) : v->free, velocity,
                         &err) != MO_OK)
        scene_raise(L, "servo", &err);
}

/*
 * Damping takes away c v/(1 + h c/m), with which v of the unhindered wall decays as with the implicit rule
 * for any c, and a wall at rest feels none.  Within the speed limit contacts can only slow the wall down.
 */
static void push_wall(lua_State *L, const servo *v)
{
    const double F = value_of(L, v, &v->target, "stress", -HUGE_VAL) * area_of(L, v), h = scene_of(L)->h;
    mo_body_state b = state_of(L, v);
    const double speed = v->sign * b.velocity[v->axis], m = b.mass;
    double force = F - v->damping * speed / (1 + h * v->damping / m);
    if (speed + h * force / m > v->max_speed)
        force = m * (v->max_speed - speed) / h;
    set_speed(L, v, false, 0);
    set_load(L, v, &b, force);
}

static void move_wall(lua_State *L, const servo *v)
{
    double speed = value_of(L, v, &v->target, "strain_rate", -HUGE_VAL) * size_of(L, v);
    mo_body_state b = state_of(L, v);
    set_speed(L, v, true, fmax(-v->max_speed, fmin(speed, v->max_speed)));
    set_load(L, v, &b, 0);
}

/* argument 1: the scene */
static int run_servos(lua_State *L)
{
    const scene *s = lua_touserdata(L, 1);
    for (const servo *v = s->servos; v != NULL; v = v->next) {
        if (!mo_body_exists(s->world, v->body))
            continue;
        if (v->by_rate)
            move_wall(L, v);
        else
            push_wall(L, v);
    }
    return 0;
}

mo_status scene_run_servos(scene *s, mo_error *err)
{
    return s->servos == NULL ? MO_OK : scene_protected(s, run_servos, s, "servo", err);
}

/* ---- handles --------------------------------------------------------------------------------------- */

static servo *servo_at(lua_State *L, int idx)
{
    servo *v = luaL_testudata(L, idx, SERVO_TYPE);
    if (v == NULL)
        read_wrong(L, "servo", "", idx, "a servo");
    return v;
}

static void need(lua_State *L, const quantity *q, const char *key, const char *asked)
{
    if (!q->given)
        scene_error(L, asked, "the servo was made without `%s`", key);
}

/* of the last step, compression positive */
static double stress_now(lua_State *L, const servo *v)
{
    need(L, &v->area, area_key(L), "stress_now");
    return -v->sign * state_of(L, v).force[v->axis] / area_of(L, v);
}

static void push_target(lua_State *L, const servo *v, bool by_rate)
{
    if (v->by_rate == by_rate)
        lua_pushnumber(L, value_of(L, v, &v->target, by_rate ? "strain_rate" : "stress", -HUGE_VAL));
    else
        lua_pushnil(L);
}

static int index_servo(lua_State *L)
{
    static const char *const fields[] = {"body", "axis",       "stress", "strain_rate", "mode", "strain",
                                         "size", "stress_now", "length", "area",        NULL};
    const servo *v = servo_at(L, 1);
    const char *key = read_handle_key(L, fields, "a servo");
    if (strcmp(key, "body") == 0) {
        scene_push_body(L, v->body.id);
    } else if (strcmp(key, "axis") == 0) {
        lua_pushstring(L, axes[2 * v->axis + (v->sign < 0)]);
    } else if (strcmp(key, "mode") == 0) {
        lua_pushstring(L, v->by_rate ? "strain_rate" : "stress");
    } else if (strcmp(key, "stress") == 0 || strcmp(key, "strain_rate") == 0) {
        push_target(L, v, strcmp(key, "strain_rate") == 0);
    } else if (strcmp(key, "stress_now") == 0) {
        lua_pushnumber(L, stress_now(L, v));
    } else if (strcmp(key, "strain") == 0 || strcmp(key, "size") == 0) {
        need(L, &v->size, "size", key);
        double size = size_of(L, v);
        lua_pushnumber(L, strcmp(key, "size") == 0 ? size : log(v->L0 / size));
    } else {
        need(L, &v->area, area_key(L), key);
        lua_pushnumber(L, area_of(L, v));
    }
    return 1;
}

static void set_target(servo *v, bool by_rate, double value)
{
    v->by_rate = by_rate;
    v->target = (quantity){value, true, false};
}

static int set_servo(lua_State *L)
{
    servo *v = servo_at(L, 1);
    const char *key = luaL_checkstring(L, 2);
    bool by_rate = strcmp(key, "strain_rate") == 0;
    scene_world_to_change(L, "servo");
    if (!by_rate && strcmp(key, "stress") != 0)
        scene_error(L, key, "of a servo `stress` and `strain_rate` can be set");
    if (by_rate)
        need(L, &v->size, "size", key);
    else
        need(L, &v->area, area_key(L), key);
    set_target(v, by_rate, read_number_at(L, 3, "servo", key));
    return 0;
}

static int servo_tostring(lua_State *L)
{
    lua_pushstring(L, servo_at(L, 1)->name);
    return 1;
}

void scene_open_servo(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"__index", index_servo}, {"__newindex", set_servo}, {"__tostring", servo_tostring}, {NULL, NULL}};
    scene_new_type(L, SERVO_TYPE, methods);
    lua_register(L, "servo", make_servo);
}

/* ---- what a frame keeps: [[by rate, target or null where it is a function], ...] -------------------------
 */

json_t *scene_servos_as_json(const scene *s)
{
    json_t *all = json_array();
    for (const servo *v = s->servos; v != NULL; v = v->next)
        json_array_append_new(
            all,
            json_pack("[bo]", v->by_rate, v->target.by_function ? json_null() : json_real(v->target.value)));
    return all;
}

bool scene_take_servos(scene *s, const json_t *all)
{
    size_t i = 0;
    for (servo *v = s->servos; v != NULL; v = v->next, i++) {
        const json_t *one = json_array_get(all, i), *rate = json_array_get(one, 0),
                     *x = json_array_get(one, 1);
        if (!json_is_boolean(rate) || !(json_is_null(x) || json_is_real(x)))
            return false;
        if (json_is_real(x))
            set_target(v, json_is_true(rate), json_real_value(x));
    }
    return i == json_array_size(all);
}
