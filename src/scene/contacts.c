/*
 * contacts(): an iterator over the active contacts of the last step.  Each is a copy, good for as long as it
 * is kept.
 */
#include "scene/internal.h"

#include <string.h>

typedef struct contact_copy {
    uint32_t id1, id2;
    double point[3], normal[3], gap, impulse[3], velocity[3], friction;
    int status;
    size_t dim;
} contact_copy;

/* normal and tangential parts, by place and by name */
static void push_local(lua_State *L, const contact_copy *c, const double v[3])
{
    const char *names[] = {"n", c->dim == 2 ? "t" : "t1", "t2"};
    scene_push_numbers(L, v, c->dim);
    for (size_t i = 0; i < c->dim; i++) {
        lua_pushnumber(L, v[i]);
        lua_setfield(L, -2, names[i]);
    }
}

static void push_tangent(lua_State *L, const contact_copy *c)
{
    double t[3] = {-c->normal[1], c->normal[0], 0};
    if (c->dim == 3)
        mo_tangent(c->normal, t);
    scene_push_numbers(L, t, c->dim);
}

/* spin of body 1 less that of body 2 as they are now; nil when one is gone */
static void push_rolling(lua_State *L, const contact_copy *c)
{
    const mo_world *world = scene_world_between_steps(L, "contacts");
    mo_body_state s1, s2;
    mo_error err;
    if (mo_body_get(world, (mo_body){c->id1}, &s1, &err) != MO_OK ||
        mo_body_get(world, (mo_body){c->id2}, &s2, &err) != MO_OK) {
        lua_pushnil(L);
        return;
    }
    double spin[3];
    for (int k = 0; k < 3; k++)
        spin[k] = s1.spin3[k] - s2.spin3[k];
    if (c->dim == 2)
        lua_pushnumber(L, s1.spin - s2.spin);
    else
        scene_push_numbers(L, spin, 3);
}

static int index_contact(lua_State *L)
{
    static const char *const fields[] = {"body1",    "body2",    "point",  "normal",  "gap",     "impulse",
                                         "velocity", "friction", "status", "tangent", "rolling", NULL};
    static const char *const names[] = {"open", "stick", "slide"};
    const contact_copy *c = luaL_checkudata(L, 1, CONTACT_TYPE);
    const char *key = luaL_checkstring(L, 2);
    int k = 0;
    while (fields[k] != NULL && strcmp(fields[k], key) != 0)
        k++;
    switch (k) {
    case 0:
        scene_push_body(L, c->id1);
        return 1;
    case 1:
        scene_push_body(L, c->id2);
        return 1;
    case 2:
        scene_push_numbers(L, c->point, c->dim);
        return 1;
    case 3:
        scene_push_numbers(L, c->normal, c->dim);
        return 1;
    case 4:
        lua_pushnumber(L, c->gap);
        return 1;
    case 5:
        push_local(L, c, c->impulse);
        return 1;
    case 6:
        push_local(L, c, c->velocity);
        return 1;
    case 7:
        lua_pushnumber(L, c->friction);
        return 1;
    case 8:
        lua_pushstring(L, c->status >= 0 && c->status < 3 ? names[c->status] : "unknown");
        return 1;
    case 9:
        push_tangent(L, c);
        return 1;
    case 10:
        push_rolling(L, c);
        return 1;
    default:
        break;
    }
    const char *nearest = scene_nearest(key, fields);
    if (nearest != NULL)
        scene_error(L, key, "a contact has no field \"%.60s\"; did you mean \"%s\"?", key, nearest);
    scene_error(
        L, key,
        "a contact has no field \"%.60s\"; expected body1, body2, point, normal, tangent, gap, impulse, "
        "velocity, friction, status or rolling",
        key);
}

/* upvalue 1: how many were given out */
static int next_contact(lua_State *L)
{
    const mo_world *world = scene_world_between_steps(L, "contacts");
    mo_contacts all = mo_world_contacts(world);
    lua_Integer i = lua_tointeger(L, lua_upvalueindex(1));
    if (i < 0 || (size_t)i >= all.count)
        return 0;
    lua_pushinteger(L, i + 1);
    lua_replace(L, lua_upvalueindex(1));
    contact_copy *c = lua_newuserdatauv(L, sizeof *c, 0);
    luaL_setmetatable(L, CONTACT_TYPE);
    c->id1 = all.id1[i];
    c->id2 = all.id2[i];
    size_t dim = c->dim = scene_dim(L), bytes = dim * sizeof(double), first = dim * (size_t)i;
    memcpy(c->point, all.point + first, bytes);
    memcpy(c->normal, all.normal + first, bytes);
    memcpy(c->impulse, all.impulse + first, bytes);
    memcpy(c->velocity, all.velocity + first, bytes);
    c->gap = all.gap[i];
    c->friction = mo_world_law(world, all.law[i]).friction;
    c->status = all.status[i];
    return 1;
}

static int contacts(lua_State *L)
{
    scene_world_between_steps(L, "contacts");
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, next_contact, 1);
    return 1;
}

void scene_open_contacts(lua_State *L)
{
    static const luaL_Reg methods[] = {{"__index", index_contact}, {NULL, NULL}};
    scene_new_type(L, CONTACT_TYPE, methods);
    lua_register(L, "contacts", contacts);
}
