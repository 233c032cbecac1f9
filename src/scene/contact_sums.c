/*
 * measure.add_contacts(sums): the impulses of the last step's contacts, added to a table that may live in
 * `state`.
 *
 * One entry for each pair of bodies, at the key id1 * 2^32 + id2 with id1 < id2; several contacts of a pair,
 * also through images, are added up.  P_N = sum S_N, P_T = sum S_T as a vector along the world's axes,
 * because in 3D tangents turn with normals.  |P_T| <= sum mu S_N, and equal only where the pair slid all the
 * time and one way.
 */
#include "collide/contacts.h"
#include "scene/internal.h"

typedef struct last_step {
    const mo_world *world;
    mo_contacts all;
    size_t dim;
} last_step;

static void set_zero(lua_State *L, const char *key)
{
    lua_pushnumber(L, 0);
    lua_setfield(L, -2, key);
}

/* pushes the entry of contact k's pair of the table at 1, made where there is none */
static void push_entry(lua_State *L, const last_step *s, size_t k)
{
    const double nothing[3] = {0};
    lua_Integer key = (lua_Integer)s->all.id1[k] << 32 | (lua_Integer)s->all.id2[k];
    if (lua_rawgeti(L, 1, key) == LUA_TTABLE)
        return;
    if (!lua_isnil(L, -1))
        scene_error(L, "measure.add_contacts", "expected a table that it made itself, or nothing");
    lua_pop(L, 1);
    lua_createtable(L, 0, 6);
    scene_push_body(L, s->all.id1[k]);
    lua_setfield(L, -2, "body1");
    scene_push_body(L, s->all.id2[k]);
    lua_setfield(L, -2, "body2");
    set_zero(L, "normal");
    set_zero(L, "limit");
    set_zero(L, "sliding");
    scene_push_numbers(L, nothing, s->dim);
    lua_setfield(L, -2, "tangential");
    lua_pushvalue(L, -1);
    lua_rawseti(L, 1, key);
}

/* pushes entry[key], without metamethods: what they might do to the world would leave the arrays of contacts
 * behind */
static int push_raw(lua_State *L, const char *key)
{
    lua_pushstring(L, key);
    return lua_rawget(L, -2);
}

/* entry on top: its number at the key grows */
static void add_number(lua_State *L, const char *key, double more)
{
    if (push_raw(L, key) != LUA_TNUMBER)
        scene_error(L, "measure.add_contacts", "an entry has no number \"%s\" any more", key);
    lua_pushnumber(L, lua_tonumber(L, -1) + more);
    lua_setfield(L, -3, key);
    lua_pop(L, 1);
}

/* entry on top: its vector grows */
static void add_tangential(lua_State *L, const double *more, size_t dim)
{
    if (push_raw(L, "tangential") != LUA_TTABLE)
        scene_error(L, "measure.add_contacts", "an entry has no list \"tangential\" any more");
    for (size_t i = 0; i < dim; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        lua_pushnumber(L, lua_tonumber(L, -1) + more[i]);
        lua_rawseti(L, -3, (lua_Integer)i + 1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* S_T of contact k along the world's axes */
static void tangential_impulse(const last_step *s, size_t k, double out[3])
{
    const double *S = s->all.impulse + s->dim * k, S_T[3] = {0, S[1], s->dim == 3 ? S[2] : 0};
    contact_to_world(s->dim, s->all.normal + s->dim * k, S_T, out);
}

static int add_contacts(lua_State *L)
{
    last_step s = {.world = scene_world_between_steps(L, "measure"), .dim = scene_dim(L)};
    s.all = mo_world_contacts(s.world);
    lua_settop(L, 1);
    if (lua_isnil(L, 1)) {
        lua_newtable(L);
        lua_replace(L, 1);
    }
    if (!lua_istable(L, 1))
        read_wrong(L, "measure.add_contacts", "", 1, "a table that it made itself, or nothing");
    for (size_t k = 0; k < s.all.count; k++) {
        double S_N = s.all.impulse[s.dim * k], S_T[3];
        if (!(S_N > 0))
            continue;
        tangential_impulse(&s, k, S_T);
        push_entry(L, &s, k);
        add_number(L, "normal", S_N);
        add_number(L, "limit", mo_world_law(s.world, s.all.law[k]).friction * S_N);
        add_number(L, "sliding", s.all.status[k] == MO_CONTACT_SLIDE ? S_N : 0);
        add_tangential(L, S_T, s.dim);
        lua_pop(L, 1);
    }
    return 1;
}

void scene_open_contact_sums(lua_State *L)
{
    lua_getglobal(L, "measure");
    lua_pushcfunction(L, add_contacts);
    lua_setfield(L, -2, "add_contacts");
    lua_pop(L, 1);
}
