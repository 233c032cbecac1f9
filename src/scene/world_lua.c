/*
 * world{...} and law{...}.
 */
#include "scene/engine.h"

#include "core/fail.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static const char *const world_keys[] = {"dim",      "h",
                                         "t_end",    "gravity",
                                         "scheme",   "theta",
                                         "solver",   "contact_tolerance",
                                         "sleeping", "position_projection",
                                         "record",   "overlaps",
                                         NULL};

/* ---- access ------------------------------------------------------------------------------- */

mo_world *scene_world(lua_State *L, const char *what)
{
    scene *s = scene_of(L);
    if (s->world == NULL && s->engine != NULL)
        scene_error(L, what, "only in a world: this scene has %s{...} on line %d", s->engine->kind,
                    s->engine_line);
    if (s->world == NULL)
        scene_error(L, what, "world{...} must come first");
    return s->world;
}

size_t scene_dim(lua_State *L)
{
    return (size_t)scene_of(L)->world_def.dim;
}

mo_world *scene_world_between_steps(lua_State *L, const char *what)
{
    if (scene_of(L)->in_step)
        scene_error(L, what, "not available inside a motion, load or radius function");
    return scene_world(L, what);
}

mo_world *scene_world_to_change(lua_State *L, const char *what)
{
    if (scene_of(L)->phase == PHASE_END)
        scene_error(L, what, "the run is over: the world cannot be changed any more");
    return scene_world_between_steps(L, what);
}

/* ---- world{...} --------------------------------------------------------------------------- */

static void read_dim(lua_State *L, mo_world_def *def)
{
    double dim;
    if (!read_number(L, 1, "world", "dim", &dim))
        scene_error(L, "world.dim", "expected dim = 2 or dim = 3, got nothing");
    if (dim != 2 && dim != 3)
        scene_error(L, "world.dim", "expected 2 or 3, got %.17g", dim);
    def->dim = dim == 2 ? 2 : 3;
}

static void read_solver(lua_State *L, scene *s, mo_solver_settings *out)
{
    static const char *const keys[] = {"name", "tol", "max_iter", "max_seconds", NULL};
    const char *names[MO_SOLVER_COUNT + 1];
    for (int i = 0; i <= MO_SOLVER_COUNT; i++)
        names[i] = mo_solver_name_text((mo_solver_name)i);
    s->solver_name = names[0];
    if (!read_field(L, 1, "solver"))
        return;
    int t = lua_gettop(L), choice = 0;
    if (lua_type(L, t) != LUA_TTABLE)
        read_wrong(L, "world", "solver", t, "a table {name =, tol =, max_iter =}");
    read_keys(L, t, "world.solver", keys, false);
    read_choice(L, t, "world.solver", "name", names, &choice);
    s->solver_name = names[choice];
    out->name = (mo_solver_name)choice;
    if (read_number(L, t, "world.solver", "tol", &out->tol))
        read_range(L, "world.solver", "tol", out->tol, 0, DBL_MAX);
    out->max_iter = read_whole(L, t, "world.solver", "max_iter", out->max_iter);
    if (read_number(L, t, "world.solver", "max_seconds", &out->max_seconds))
        read_range(L, "world.solver", "max_seconds", out->max_seconds, 0, DBL_MAX);
    lua_pop(L, 1);
}

static void read_method(lua_State *L, mo_world_def *def)
{
    static const char *const schemes[] = {"moreau", "moreau-jean", "!bernicot-lefebvre", NULL};
    static const mo_scheme scheme_values[] = {MO_SCHEME_MOREAU, MO_SCHEME_MOREAU_JEAN};
    static const char *const overlaps[] = {"report", "resolve", "refuse", NULL};
    static const mo_overlap overlap_values[] = {MO_OVERLAP_REPORT, MO_OVERLAP_RESOLVE, MO_OVERLAP_REFUSE};
    int choice = 0;
    read_choice(L, 1, "world", "scheme", schemes, &choice);
    def->scheme = scheme_values[choice];
    choice = 0;
    read_choice(L, 1, "world", "overlaps", overlaps, &choice);
    def->overlap = overlap_values[choice];
    if (read_number(L, 1, "world", "theta", &def->theta))
        read_range(L, "world", "theta", def->theta, 0.5, 1);
    if (read_number(L, 1, "world", "contact_tolerance", &def->contact_tolerance))
        read_range(L, "world", "contact_tolerance", def->contact_tolerance, 0, DBL_MAX);
    read_boolean(L, 1, "world", "position_projection", &def->position_projection);
    bool sleeping = false;
    read_boolean(L, 1, "world", "sleeping", &sleeping);
    if (sleeping)
        scene_error(L, "world.sleeping", "sleeping = true is not available in this version");
}

static int make_world(lua_State *L)
{
    scene *s = scene_of(L);
    scene_claim(L, &world_engine);
    read_single_table(L, "world");
    read_keys(L, 1, "world", world_keys, false);
    mo_world_def def = mo_default_world_def();
    read_dim(L, &def);
    read_times(L, "world", &def.h, &s->t_end);
    read_vector(L, 1, "world", "gravity", (size_t)def.dim, def.gravity);
    read_method(L, &def);
    read_solver(L, s, &def.solver);
    read_record(L, "world", def.h, 0.02);
    def.threads = s->options->threads > 0 ? s->options->threads : 1;
    mo_error err = {0};
    if (mo_world_create(&def, &s->world, &err) != MO_OK)
        scene_raise(L, "world", &err);
    s->world_def = def;
    s->h = def.h;
    s->engine = &world_engine;
    s->engine_line = scene_line(L);
    if (scene_apply_laws(s, &err) != MO_OK)
        scene_raise(L, "law", &err);
    return 0;
}

/* ---- law{...} ------------------------------------------------------------------------------ */

static const char *const law_keys[] = {"friction",
                                       "restitution",
                                       "tangential_restitution",
                                       "between",
                                       "!static_friction",
                                       "!friction2",
                                       "!axis",
                                       "!rolling",
                                       "!spinning",
                                       "!cohesion",
                                       "!gluey",
                                       "!threshold",
                                       "!name",
                                       NULL};
static const double law_min[] = {0, 0, -1}, law_max[] = {DBL_MAX, 1, 1};

static double *law_value(mo_law *law, int k)
{
    double *values[] = {&law->friction, &law->restitution, &law->tangential_restitution};
    return values[k];
}

/* default pair first, then each pair with its absent keys from there */
mo_status scene_apply_laws(scene *s, mo_error *err)
{
    mo_status status = mo_world_set_default_law(s->world, &s->default_law, err);
    for (size_t i = 0; i < s->law_count && status == MO_OK; i++) {
        pair_law *p = &s->laws[i];
        mo_law law = s->default_law;
        for (int k = 0; k < 3; k++)
            if (p->given & (1u << k))
                *law_value(&law, k) = *law_value(&p->law, k);
        status = mo_world_set_law(s->world, p->group1, p->group2, &law, err);
    }
    return status;
}

void scene_free_laws(scene *s)
{
    for (size_t i = 0; i < s->law_count; i++) {
        free(s->laws[i].group1);
        free(s->laws[i].group2);
    }
    free(s->laws);
    s->laws = NULL;
    s->law_count = 0;
}

static bool same_pair(const pair_law *p, const char *a, const char *b)
{
    return (strcmp(p->group1, a) == 0 && strcmp(p->group2, b) == 0) ||
           (strcmp(p->group1, b) == 0 && strcmp(p->group2, a) == 0);
}

/* the entry of a pair, new when it has none; NULL without memory */
static pair_law *find_pair(scene *s, const char *a, const char *b)
{
    for (size_t i = 0; i < s->law_count; i++)
        if (same_pair(&s->laws[i], a, b))
            return &s->laws[i];
    pair_law *grown = realloc(s->laws, (s->law_count + 1) * sizeof *grown);
    if (grown == NULL)
        return NULL;
    s->laws = grown;
    pair_law p = {.group1 = strdup(a), .group2 = strdup(b)};
    if (p.group1 == NULL || p.group2 == NULL) {
        free(p.group1);
        free(p.group2);
        return NULL;
    }
    s->laws[s->law_count] = p;
    return &s->laws[s->law_count++];
}

/* reads between = {a, b}; both strings stay in the table */
static bool read_between(lua_State *L, const char *groups[2])
{
    if (!read_field(L, 1, "between"))
        return false;
    static const char *const no_keys[] = {NULL};
    static const char *const names[2] = {"between[1]", "between[2]"};
    if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) != 2)
        read_wrong(L, "law", "between", -1, "a table of two group names");
    read_keys(L, lua_gettop(L), "law.between", no_keys, true);
    for (int i = 0; i < 2; i++) {
        lua_rawgeti(L, -1, i + 1);
        groups[i] = read_string_at(L, -1, "law", names[i]);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return true;
}

static int make_law(lua_State *L)
{
    enum { MOST_LAWS = 10000 };
    scene *s = scene_of(L);
    if (s->engine != NULL)
        scene_world_to_change(L, "law");
    s->law_line = scene_line(L);
    read_single_table(L, "law");
    read_keys(L, 1, "law", law_keys, false);
    mo_law law = {0};
    unsigned given = 0;
    for (int k = 0; k < 3; k++) {
        if (!read_number(L, 1, "law", law_keys[k], law_value(&law, k)))
            continue;
        read_range(L, "law", law_keys[k], *law_value(&law, k), law_min[k], law_max[k]);
        given |= 1u << k;
    }
    const char *groups[2];
    if (read_between(L, groups)) {
        pair_law *p = s->law_count < MOST_LAWS ? find_pair(s, groups[0], groups[1]) : NULL;
        if (p == NULL)
            scene_error(L, "law", "more than %d laws, or out of memory", MOST_LAWS);
        p->law = law;
        p->given = given;
    } else {
        s->default_law = law;
    }
    s->laws_changed = s->laws_changed || s->phase != PHASE_CHUNK;
    mo_error err = {0};
    if (s->world != NULL && scene_apply_laws(s, &err) != MO_OK)
        scene_raise(L, "law", &err);
    return 0;
}

void scene_open_world(lua_State *L)
{
    lua_register(L, "world", make_world);
    lua_register(L, "law", make_law);
}
