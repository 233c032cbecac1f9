/*
 * world{...}.
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
                                         "periodic", NULL};

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

static bool is_interrupted(void *data)
{
    const scene *s = data;
    return scene_interrupted(s->options);
}

static void read_solver(lua_State *L, scene *s, mo_solver_settings *out)
{
    static const char *const keys[] = {"name", "tol", "max_iter", "max_seconds", NULL};
    const char *names[MO_SOLVER_COUNT + 1];
    for (int i = 0; i <= MO_SOLVER_COUNT; i++)
        names[i] = mo_solver_name_text((mo_solver_name)i);
    s->solver_name = names[0];
    out->stop = is_interrupted;
    out->stop_data = s;
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
    static const char *const schemes[] = {"moreau", "moreau-jean", "bernicot-lefebvre", NULL};
    static const mo_scheme scheme_values[] = {MO_SCHEME_MOREAU, MO_SCHEME_MOREAU_JEAN,
                                              MO_SCHEME_BERNICOT_LEFEBVRE};
    static const char *const overlaps[] = {"report", "resolve", "refuse", NULL};
    static const mo_overlap overlap_values[] = {MO_OVERLAP_REPORT, MO_OVERLAP_RESOLVE, MO_OVERLAP_REFUSE};
    int choice = 0;
    read_choice(L, 1, "world", "scheme", schemes, &choice);
    def->scheme = scheme_values[choice];
    if (read_number(L, 1, "world", "theta", &def->theta))
        read_range(L, "world", "theta", def->theta, 0.5, 1);
    // 1/2 is what it is by itself
    if (def->scheme != MO_SCHEME_MOREAU_JEAN && def->theta != 0.5)
        scene_error(L, "world.theta", "theta is of scheme \"moreau-jean\", found scheme \"%s\"",
                    schemes[choice]);
    choice = 0;
    read_choice(L, 1, "world", "overlaps", overlaps, &choice);
    def->overlap = overlap_values[choice];
    if (read_number(L, 1, "world", "contact_tolerance", &def->contact_tolerance))
        read_range(L, "world", "contact_tolerance", def->contact_tolerance, 0, DBL_MAX);
    read_boolean(L, 1, "world", "position_projection", &def->position_projection);
    read_boolean(L, 1, "world", "sleeping", &def->sleeping);
}

/* periodic = {x = {low, high}, ...} */
static void read_periodic(lua_State *L, mo_world_def *def)
{
    static const char *const keys[] = {"x", "y", "z", NULL};
    if (!read_field(L, 1, "periodic"))
        return;
    const int t = lua_gettop(L);
    if (lua_type(L, t) != LUA_TTABLE)
        read_wrong(L, "world", "periodic", t, "a table {x = {low, high}, ...}");
    read_keys(L, t, "world.periodic", keys, false);
    for (int k = 0; k < 3; k++) {
        double ends[2];
        if (!read_vector(L, t, "world.periodic", keys[k], 2, ends))
            continue;
        if (k >= def->dim)
            scene_error(L, "world.periodic.z", "expected x and y in a world in 2D");
        if (!(ends[1] > ends[0]))
            scene_error(L, "world.periodic", "expected {low, high} with low < high, got {%g, %g} for %s",
                        ends[0], ends[1], keys[k]);
        def->periodic[k] = true;
        def->cell_min[k] = ends[0];
        def->cell_max[k] = ends[1];
    }
    lua_pop(L, 1);
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
    read_periodic(L, &def);
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

void scene_open_world(lua_State *L)
{
    lua_register(L, "world", make_world);
}
