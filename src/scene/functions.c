/*
 * Motions, loads and radii given as functions of time: called by the world inside a step.
 *
 * The functions lie in a table of the registry under the addresses of fields of their block, which is a
 * userdata kept under the body's id as long as the body lives.
 */
#include "scene/internal.h"

#include "core/fail.h"
#include "math/quat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char blocks_key = 1;    /* registry: id -> block */
static const char functions_key = 2; /* registry: address -> function */

/* pushes a table of the registry, made at its first use */
static void push_table(lua_State *L, const void *key)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, key) == LUA_TTABLE)
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, key);
}

void scene_keep_function(lua_State *L, const void *field, int idx)
{
    idx = lua_absindex(L, idx);
    push_table(L, &functions_key);
    lua_pushvalue(L, idx);
    lua_rawsetp(L, -2, field);
    lua_pop(L, 1);
}

static void push_function(lua_State *L, const void *field)
{
    push_table(L, &functions_key);
    lua_rawgetp(L, -1, field);
    lua_remove(L, -2);
}

bool scene_take_load(lua_State *L, bool *field, int idx)
{
    idx = lua_absindex(L, idx);
    *field = lua_type(L, idx) == LUA_TFUNCTION;
    if (*field)
        lua_pushvalue(L, idx);
    else
        lua_pushnil(L);
    scene_keep_function(L, field, -1);
    lua_pop(L, 1);
    return *field;
}

body_functions *scene_new_functions(lua_State *L, const char *name)
{
    body_functions *f = lua_newuserdatauv(L, sizeof *f, 0);
    memset(f, 0, sizeof *f);
    f->s = scene_of(L);
    snprintf(f->name, sizeof f->name, "body %.30s", name);
    return f;
}

void scene_anchor_functions(lua_State *L, uint32_t id, int idx)
{
    idx = lua_absindex(L, idx);
    push_table(L, &blocks_key);
    lua_pushvalue(L, idx);
    lua_rawseti(L, -2, id);
    lua_pop(L, 1);
}

body_functions *scene_functions_of(lua_State *L, uint32_t id)
{
    push_table(L, &blocks_key);
    lua_rawgeti(L, -1, id);
    body_functions *f = lua_touserdata(L, -1);
    lua_pop(L, 2);
    return f;
}

void scene_drop_functions(lua_State *L, uint32_t id)
{
    body_functions *f = scene_functions_of(L, id);
    if (f == NULL)
        return;
    const void *fields[] = {&f->has_motion, &f->has_force, &f->has_torque, &f->has_radius};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        lua_pushnil(L);
        scene_keep_function(L, fields[i], -1);
        lua_pop(L, 1);
    }
    lua_pushnil(L);
    scene_anchor_functions(L, id, -1);
    lua_pop(L, 1);
}

static size_t dim_of(const body_functions *f)
{
    return (size_t)f->s->world_def.dim;
}

typedef struct time_call {
    body_functions *f;
    const void *field;
    double t;
    bool differentiate;
    const char *what; /* for messages */
    void (*read)(lua_State *L, struct time_call *call, int idx);
    double *out, *rate;
} time_call;

/* runs inside a protected call: calls the function and reads what it gives */
static int call_function(lua_State *L)
{
    time_call *call = lua_touserdata(L, 1);
    push_function(L, call->field);
    lua_pushvalue(L, -1);
    int line = scene_function_line(L);
    if (call->differentiate)
        scene_push_variable(L, call->t, 0);
    else
        lua_pushnumber(L, call->t);
    lua_call(L, 1, 1);
    scene_of(L)->callee_line = line;
    call->read(L, call, lua_gettop(L));
    scene_of(L)->callee_line = 0;
    return 0;
}

mo_status scene_protected(scene *s, lua_CFunction f, void *call, const char *what, mo_error *err)
{
    if (!lua_checkstack(s->L, 10))
        return fail(err, MO_BAD_INPUT, what, "too deep a recursion");
    lua_pushcfunction(s->L, f);
    lua_pushlightuserdata(s->L, call);
    mo_status status = scene_call(s, 1, 0, err);
    s->callee_line = 0;
    return status;
}

static mo_status run_call(time_call *call, mo_error *err)
{
    return scene_protected(call->f->s, call_function, call, call->what, err);
}

void result_wrong(lua_State *L, const result_site *site, const char *key, int idx, const char *expected)
{
    char found[80], path[64];
    dual x;
    // a number that came with its derivative is a number to who wrote the function
    if (lua_type(L, idx) == LUA_TUSERDATA && scene_to_dual(L, idx, &x))
        snprintf(found, sizeof found, "number %.14g", x.v);
    else
        scene_describe(L, idx, found, sizeof found);
    read_path(path, sizeof path, site->what, key);
    scene_error(L, path, "the function of %s gave %s at t = %.17g, expected %s", site->owner, found, site->t,
                expected);
}

void result_number(lua_State *L, const result_site *site, const char *key, int idx, double *value,
                   double *rate)
{
    dual x;
    if (!scene_to_dual(L, idx, &x))
        result_wrong(L, site, key, idx, "a number");
    if (!isfinite(x.v))
        result_wrong(L, site, key, idx, "a finite number");
    char path[64];
    read_path(path, sizeof path, site->what, key);
    if (!isfinite(x.d))
        scene_error(L, path, "the derivative of the function of %s is not finite at t = %.17g", site->owner,
                    site->t);
    *value = x.v;
    *rate = x.d;
}

double scene_number_now(lua_State *L, const void *field, const result_site *site, const char *key,
                        double above)
{
    double value, rate;
    push_function(L, field);
    lua_pushvalue(L, -1);
    int line = scene_function_line(L);
    lua_pushnumber(L, site->t);
    lua_call(L, 1, 1);
    scene_of(L)->callee_line = line;
    result_number(L, site, key, -1, &value, &rate);
    if (!(value > above))
        result_wrong(L, site, key, -1, "a number > 0");
    scene_of(L)->callee_line = 0;
    lua_pop(L, 1);
    return value;
}

static result_site site_of(const time_call *call)
{
    return (result_site){call->what, call->f->name, call->t, false};
}

static _Noreturn void wrong_result(lua_State *L, const time_call *call, const char *key, int idx,
                                   const char *expected)
{
    result_site site = site_of(call);
    result_wrong(L, &site, key, idx, expected);
}

static void read_dual(lua_State *L, const time_call *call, const char *key, int idx, double *value,
                      double *rate)
{
    result_site site = site_of(call);
    result_number(L, &site, key, idx, value, rate);
}

/* one coordinate of a motion; what is left out stays where the body was put */
static void read_coordinate(lua_State *L, time_call *call, int idx, const char *key, int i)
{
    call->out[i] = call->f->rest[i];
    call->rate[i] = 0;
    if (!read_field(L, idx, key))
        return;
    read_dual(L, call, key, lua_gettop(L), &call->out[i], &call->rate[i]);
    lua_pop(L, 1);
}

static void read_motion(lua_State *L, time_call *call, int idx)
{
    static const char *const keys[] = {"x", "y", "angle", NULL};
    if (lua_type(L, idx) != LUA_TTABLE)
        wrong_result(L, call, "", idx, "a table {x =, y =, angle =}");
    read_keys(L, idx, call->what, keys, false);
    for (int i = 0; i < 3; i++)
        read_coordinate(L, call, idx, keys[i], i);
}

/*
 * spin of exp(r(t)) in world axes, r' = rate: J r' with the left Jacobian of the exponential map,
 * J = 1 + (1 - cos a)/a^2 [r] + (a - sin a)/a^3 [r]^2, a = |r|.  The digits that the differences lose come
 * back with the factors a and a^2 of [r] and [r]^2.
 */
static void spin_of_rotation(const double r[3], const double rate[3], double spin[3])
{
    double a = vec3_norm(r), half = a / 2, once[3], twice[3];
    double sinc = half > 1e-9 ? sin(half) / half : 1;
    double c2 = sinc * sinc / 2, c3 = a > 1e-4 ? (a - sin(a)) / (a * a * a) : 1.0 / 6;
    vec3_cross(r, rate, once);
    vec3_cross(r, once, twice);
    vec3_add_scaled(rate, c2, once, spin);
    vec3_add_scaled(spin, c3, twice, spin);
}

/* a table of n numbers with their rates */
static void read_duals(lua_State *L, time_call *call, const char *key, size_t n, int idx, double *value,
                       double *rate)
{
    char name[32];
    if (lua_type(L, idx) != LUA_TTABLE || lua_rawlen(L, idx) != n)
        wrong_result(L, call, key, idx,
                     n == 3 ? "a table {rx, ry, rz} of three numbers"
                            : "a table {qw, qx, qy, qz} of four numbers");
    for (size_t i = 0; i < n; i++) {
        snprintf(name, sizeof name, "%s[%zu]", key, i + 1);
        lua_rawgeti(L, idx, (lua_Integer)i + 1);
        read_dual(L, call, name, lua_gettop(L), &value[i], &rate[i]);
        lua_pop(L, 1);
    }
}

/*
 * orientation = {qw, qx, qy, qz} of any length but 0, in the place of the body's own: the spin in world axes
 * is the vector of 2 q' conj(q) / |q|^2, whatever the length does.
 */
static void read_orientation(lua_State *L, time_call *call, int idx)
{
    double *q = call->out + 3, rate[4], back[4], spin[4];
    read_duals(L, call, "orientation", 4, idx, q, rate);
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(square > 0) || !isfinite(square))
        wrong_result(L, call, "orientation", idx, "a quaternion of a length other than 0");
    quat_conjugate(q, back);
    quat_multiply(rate, back, spin);
    vec3_scale(2 / square, spin + 1, call->rate + 3);
    quat_normalise(q);
}

/* rotation = {rx, ry, rz}: how the body is turned from its own orientation, about the world's axes */
static void read_rotation(lua_State *L, time_call *call, int idx)
{
    double r[3], rate[3], turn[4], *q = call->out + 3;
    read_duals(L, call, "rotation", 3, idx, r, rate);
    quat_exp(r, turn);
    quat_multiply(turn, q, q);
    quat_normalise(q);
    spin_of_rotation(r, rate, call->rate + 3);
}

static void read_motion3(lua_State *L, time_call *call, int idx)
{
    static const char *const keys[] = {"x", "y", "z", "rotation", "orientation", NULL};
    if (lua_type(L, idx) != LUA_TTABLE)
        wrong_result(L, call, "", idx, "a table {x =, y =, z =, rotation = or orientation =}");
    read_keys(L, idx, call->what, keys, false);
    for (int i = 0; i < 3; i++)
        read_coordinate(L, call, idx, keys[i], i);
    memcpy(call->out + 3, call->f->rest + 3, 4 * sizeof *call->out);
    memset(call->rate + 3, 0, 3 * sizeof *call->rate);
    const bool turned = read_field(L, idx, "orientation");
    if (turned) {
        read_orientation(L, call, lua_gettop(L));
        lua_pop(L, 1);
    }
    if (!read_field(L, idx, "rotation"))
        return;
    if (turned)
        wrong_result(L, call, "rotation", lua_gettop(L), "rotation or orientation, not both");
    read_rotation(L, call, lua_gettop(L));
    lua_pop(L, 1);
}

mo_status scene_motion(void *data, double t, mo_motion *out, mo_error *err)
{
    mo_motion m = {{0}, {0}};
    body_functions *f = data;
    time_call call = {
        f, &f->has_motion, t, true, "body.motion", dim_of(f) == 2 ? read_motion : read_motion3, m.q, m.u};
    mo_status status = run_call(&call, err);
    if (status == MO_OK)
        *out = m;
    return status;
}

/* a force, or a torque in 3D */
static void read_load(lua_State *L, time_call *call, int idx)
{
    size_t dim = dim_of(call->f);
    if (lua_type(L, idx) != LUA_TTABLE)
        wrong_result(L, call, "", idx, dim == 2 ? "a table {fx, fy}" : "a table {x, y, z} of three numbers");
    read_vector_at(L, idx, call->what, "", dim, call->out);
}

static void read_single(lua_State *L, time_call *call, int idx)
{
    read_dual(L, call, "", idx, call->out, call->rate);
}

mo_status scene_load(void *data, double t, double *load, mo_error *err)
{
    body_functions *f = data;
    size_t dim = dim_of(f), torques = dim == 2 ? 1 : 3;
    double F[3], C[3], rate;
    memcpy(F, f->force, sizeof F);
    memcpy(C, f->torque, sizeof C);
    mo_status status = MO_OK;
    if (f->has_force) {
        time_call call = {f, &f->has_force, t, false, "body.applied_force", read_load, F, NULL};
        status = run_call(&call, err);
    }
    if (status == MO_OK && f->has_torque) {
        time_call call = {
            f, &f->has_torque, t, false, "body.applied_torque", dim == 2 ? read_single : read_load, C, &rate};
        status = run_call(&call, err);
    }
    if (status != MO_OK)
        return status;
    memcpy(load, F, dim * sizeof *load);
    memcpy(load + dim, C, torques * sizeof *load);
    return MO_OK;
}

static void read_radius(lua_State *L, time_call *call, int idx)
{
    read_dual(L, call, "", idx, call->out, call->rate);
    if (!(*call->out > 0))
        wrong_result(L, call, "", idx, "a number > 0");
}

mo_status scene_radius(void *data, double t, double *radius, double *rate, mo_error *err)
{
    double r, dr;
    body_functions *f = data;
    const char *what = dim_of(f) == 2 ? "disc.radius" : "sphere.radius";
    time_call call = {f, &f->has_radius, t, true, what, read_radius, &r, &dr};
    mo_status status = run_call(&call, err);
    if (status != MO_OK)
        return status;
    *radius = r;
    *rate = dr;
    return MO_OK;
}
