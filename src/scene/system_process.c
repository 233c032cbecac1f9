/*
 * Systems as processes: what system{...} and trial{...} read, and the fields of the handle.
 */
#include "scene/process.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

/* ---- functions of the definition --------------------------------------------------------------- */

static mo_status call_gaps(void *data, double t, const double *q, double *g, double *gx, double *gt,
                           mo_error *err)
{
    process *p = data;
    return gaps_evaluate(&p->system.gaps, t, q, g, gx, gt, err);
}

static mo_status call_curvature(void *data, double t, const double *q, const double *u, double *c,
                                mo_error *err)
{
    const process *p = data;
    return gaps_curvature(&p->system.gaps, t, q, u, c, err);
}

/* ---- reading --------------------------------------------------------------------------------------- */

static const char *scheme_name(int i)
{
    return mo_system_scheme_name((mo_system_scheme)i);
}

static void read_scheme(lua_State *L, process *p)
{
    char path[64];
    int scheme = 0;
    read_path(path, sizeof path, p->what, "scheme");
    if (!process_choice(L, p->what, "scheme", scheme_name, &scheme))
        scene_error(L, path, "expected the name of a scheme such as \"%s\", got nothing", scheme_name(0));
    p->system.def.scheme = (mo_system_scheme)scheme;
    p->by = scheme_name(scheme);
}

static void read_options(lua_State *L, process *p)
{
    mo_system_def *def = &p->system.def;
    const char *what = p->what;
    process_options(L, what, &def->tol, &def->max_iter, &def->theta);
    if (read_number(L, 1, what, "rho_infinity", &def->rho_infinity))
        read_range(L, what, "rho_infinity", def->rho_infinity, 0, 1);
    if (read_number(L, 1, what, "stiffness_contact", &def->stiffness_contact))
        read_positive(L, what, "stiffness_contact", def->stiffness_contact);
    if (read_number(L, 1, what, "contact_tolerance", &def->contact_tolerance))
        read_range(L, what, "contact_tolerance", def->contact_tolerance, 0, DBL_MAX);
    read_boolean(L, 1, what, "backward_velocity", &def->backward_velocity);
}

/* a constant matrix; entries NULL when the key is absent */
static mo_metric read_matrix(lua_State *L, process *p, const char *key)
{
    matrix_source from = {p->what, key, NULL, p->n};
    if (!read_field(L, 1, key))
        return (mo_metric){.kind = MO_METRIC_IDENTITY};
    int idx = lua_gettop(L);
    matrix_shape shape = matrix_look(L, idx, &from);
    double *entries = process_memory(L, p, shape.count * sizeof *entries);
    mo_metric matrix = {.kind = shape.kind, .width = shape.width, .entries = entries};
    if (shape.kind == MO_METRIC_SPARSE) {
        size_t *start = process_memory(L, p, (p->n + 1) * sizeof *start);
        uint32_t *column = process_memory(L, p, shape.count * sizeof *column);
        sparse_rows(L, idx, p->n, start, column, entries);
        matrix.start = start;
        matrix.column = column;
    } else {
        matrix_read(L, idx, &from, &shape, entries);
    }
    lua_settop(L, idx - 1);
    return matrix;
}

/* whether there is a function under the key */
static bool is_function(lua_State *L, const char *key)
{
    bool found = read_field(L, 1, key), function = found && lua_type(L, -1) == LUA_TFUNCTION;
    lua_pop(L, found);
    return function;
}

static void read_matrices(lua_State *L, process *p)
{
    mo_system_def *def = &p->system.def;
    size_t most = scene_of(L)->limits.points;
    if (is_function(L, "mass")) {
        if (p->n > most / p->n)
            scene_error(L, p->what, "%zu coordinates are more than fit a mass function", p->n);
        p->system.mass = process_function(L, p, "mass", "t, q");
        def->mass_function = system_call_mass;
    } else {
        def->mass = read_matrix(L, p, "mass");
    }
    def->stiffness = read_matrix(L, p, "stiffness");
    def->damping = read_matrix(L, p, "damping");
}

/* a force that has no third parameter cannot depend on the velocity */
static bool names_velocity(lua_State *L, const process *p)
{
    lua_Debug about;
    process_push(L, p, p->system.force.kept.place);
    lua_getinfo(L, ">u", &about);
    return about.nparams >= 3 || about.isvararg;
}

static void read_forces(lua_State *L, process *p)
{
    mo_system_def *def = &p->system.def;
    p->system.force = process_function(L, p, "force", "t, q, u");
    if (p->system.force.kept.place != 0) {
        def->force = system_call_force;
        def->force_depends_on_velocity = names_velocity(L, p);
    }
    p->system.potential = process_function(L, p, "potential", "t, q");
    if (p->system.potential.kept.place != 0)
        def->potential = system_call_potential;
}

static void read_gaps(lua_State *L, process *p)
{
    size_t most = scene_of(L)->limits.points;
    if (!read_field(L, 1, "gaps"))
        return;
    int idx = lua_gettop(L);
    if (lua_type(L, idx) != LUA_TTABLE)
        read_wrong(L, p->what, "gaps", idx, "a table of functions(t, q)");
    lua_pushnil(L);
    if (lua_next(L, idx) == 0) {
        lua_settop(L, idx - 1);
        return;
    }
    lua_settop(L, idx);
    size_t m = p->m = gaps_list(L, idx, p->what, "gaps", "t, q");
    if (p->n > most / m || m > most / (p->n + m))
        scene_error(L, p->what, "%zu gaps of %zu coordinates are more than fit", m, p->n);
    p->system.gaps = (gap_block){.p = p, .rows = m, .n = p->n, .point = "q", .judged = true};
    p->system.gaps.functions = gaps_keep(L, p, idx, m);
    p->system.def.gaps = m;
    p->system.def.gap = call_gaps;
    p->system.def.gap_curvature = call_curvature;
    lua_settop(L, idx - 1);
}

/* one number for all gaps, or one for each, from low to high; NULL when absent or without gaps */
static const double *read_per_gap(lua_State *L, process *p, const char *key, double low, double high)
{
    size_t m = p->m > 0 ? p->m : 1;
    const double *x = process_numbers(L, p, key, &m, true);
    for (size_t a = 0; x != NULL && a < m; a++)
        read_range(L, p->what, key, x[a], low, high);
    return p->m > 0 ? x : NULL;
}

/* restitution, or Moreau's dissipation index in its place */
static void read_restitution(lua_State *L, process *p)
{
    mo_system_def *def = &p->system.def;
    char path[64];
    p->system.dissipated = read_field(L, 1, "dissipation_index");
    lua_pop(L, p->system.dissipated);
    const char *key = p->system.dissipated ? "dissipation_index" : "restitution";
    read_path(path, sizeof path, p->what, key);
    if (p->system.dissipated && read_field(L, 1, "restitution"))
        scene_error(L, path, "restitution is given as well: e = (1 - d)/(1 + d), one of them is enough");
    if (is_function(L, key)) {
        p->system.restitution = process_function(L, p, key, "t, q");
        def->restitution_function = system_call_restitution;
        return;
    }
    def->restitution = read_per_gap(L, p, key, 0, 1);
    if (!p->system.dissipated || def->restitution == NULL)
        return;
    double *e = process_memory(L, p, p->m * sizeof *e);
    for (size_t a = 0; a < p->m; a++)
        e[a] = restitution_of_index(def->restitution[a]);
    def->restitution = e;
}

static void read_tangents(lua_State *L, process *p)
{
    char path[64];
    read_path(path, sizeof path, p->what, "tangents");
    if (!read_field(L, 1, "tangents"))
        scene_error(L, path, "expected a function(t, q) for each gap with friction, got nothing");
    int idx = lua_gettop(L);
    if (lua_type(L, idx) != LUA_TTABLE)
        read_wrong(L, p->what, "tangents", idx, "a table of functions(t, q)");
    size_t count = gaps_list(L, idx, p->what, "tangents", "t, q");
    if (count != p->m)
        scene_error(L, path, "expected %zu function%s, one for each gap, got %zu", p->m, p->m == 1 ? "" : "s",
                    count);
    p->system.tangents = gaps_keep(L, p, idx, count);
    lua_settop(L, idx - 1);
}

static void read_friction(lua_State *L, process *p)
{
    static const char *const others[] = {"tangents", "tangential_restitution"};
    mo_system_def *def = &p->system.def;
    char path[64];
    bool asked = read_field(L, 1, "friction");
    lua_pop(L, asked);
    for (int i = 0; i < 2 && !asked; i++)
        if (read_field(L, 1, others[i])) {
            read_path(path, sizeof path, p->what, others[i]);
            scene_error(L, path, "there is no friction for it");
        }
    if (!asked)
        return;
    def->friction = read_per_gap(L, p, "friction", 0, DBL_MAX);
    def->tangential_restitution = read_per_gap(L, p, "tangential_restitution", 0, 1);
    if (p->m == 0)
        return;
    read_tangents(L, p);
    def->tangent = system_call_tangents;
}

static void read_system(lua_State *L, process *p)
{
    mo_system_def *def = &p->system.def;
    *def = mo_default_system_def();
    def->data = p;
    def->q = process_start(L, p, "q", &p->n);
    def->u = process_start(L, p, "u", &p->n);
    def->n = p->n;
    read_times(L, p->what, &def->h, &p->t_end);
    p->h = def->h;
    read_scheme(L, p);
    read_options(L, p);
    read_matrices(L, p);
    read_forces(L, p);
    read_gaps(L, p);
    read_restitution(L, p);
    read_friction(L, p);
}

/* ---- making and stepping ------------------------------------------------------------------------------ */

static mo_status create(process *p, mo_error *err)
{
    return mo_system_create(&p->system.def, &p->system.process, err);
}

static void destroy(process *p)
{
    mo_system_destroy(p->system.process);
    p->system.process = NULL;
}

static mo_status step(process *p, mo_error *err)
{
    return mo_system_step(p->system.process, err);
}

static process_facts facts(const process *p)
{
    const mo_system *s = p->system.process;
    const mo_system_info *info = mo_system_info_get(s);
    return (process_facts){.time = info->time,
                           .steps = info->steps,
                           .unconverged_steps = info->unconverged_steps,
                           .reached = info->outcome == MO_SYSTEM_REACHED,
                           .sound = info->outcome < MO_SYSTEM_INFEASIBLE,
                           .message = info->message,
                           .active = info->active,
                           .iterations = info->iterations,
                           .residual = info->residual,
                           .worst_violation = info->worst_violation,
                           .x = mo_system_q(s),
                           .u = mo_system_u(s),
                           .lambda = mo_system_lambda(s),
                           .gap = mo_system_gaps(s)};
}

static mo_sweep_events events(const process *p)
{
    return mo_system_events_get(p->system.process);
}

static size_t state_size(const process *p)
{
    return mo_system_state_size(p->system.process);
}

static void save(const process *p, void *bytes)
{
    mo_system_save(p->system.process, bytes);
}

static mo_status restore(process *p, const void *bytes, size_t size, mo_error *err)
{
    return mo_system_restore(p->system.process, bytes, size, err);
}

/* ---- the handle ------------------------------------------------------------------------------------- */

static void push_energy(lua_State *L, const mo_system_energy *e)
{
    const named_number parts[] = {
        {"kinetic", e->kinetic, false},     {"potential", e->potential, false},
        {"work", e->work, false},           {"loss", e->loss, false},
        {"step_loss", e->step_loss, false}, {"balance_error", e->balance_error, false}};
    lua_createtable(L, 0, (int)(sizeof parts / sizeof parts[0]));
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        lua_pushnumber(L, parts[i].value);
        lua_setfield(L, -2, parts[i].name);
    }
}

static void push_field(lua_State *L, process *p, const char *key)
{
    const mo_system *s = p->system.process;
    const mo_system_info *info = mo_system_info_get(s);
    const named_number numbers[] = {{"residual", info->worst_residual, false},
                                    {"largest_gain", info->largest_gain, false},
                                    {"independence", info->independence, false},
                                    {"impacts", (double)info->impacts, true},
                                    {"accumulations", (double)info->accumulations, true}};
    if (process_push_named(L, numbers, sizeof numbers / sizeof numbers[0], key))
        return;
    if (strcmp(key, "energy") == 0)
        push_energy(L, &info->energy);
    else if (strcmp(key, "scheme") == 0)
        lua_pushstring(L, p->by);
    else if (strcmp(key, "gaps") == 0)
        scene_push_numbers(L, mo_system_gaps(s), p->m);
    else
        scene_push_numbers(L, strcmp(key, "q") == 0 ? mo_system_q(s) : mo_system_u(s), p->n);
}

static void fill(const process *p, scene_result *out)
{
    out->system = *mo_system_info_get(p->system.process);
    out->hash = mo_system_hash(p->system.process);
}

static const char *const keys[] = {"q",
                                   "u",
                                   "mass",
                                   "force",
                                   "gaps",
                                   "restitution",
                                   "dissipation_index",
                                   "scheme",
                                   "h",
                                   "t_end",
                                   "potential",
                                   "stiffness",
                                   "damping",
                                   "theta",
                                   "rho_infinity",
                                   "stiffness_contact",
                                   "friction",
                                   "tangents",
                                   "tangential_restitution",
                                   "contact_tolerance",
                                   "tol",
                                   "max_iter",
                                   "backward_velocity",
                                   "record",
                                   NULL};
static const char *const fields[] = {"t",
                                     "q",
                                     "u",
                                     "lambda",
                                     "gaps",
                                     "energy",
                                     "events",
                                     "impacts",
                                     "accumulations",
                                     "violation",
                                     "residual",
                                     "active",
                                     "steps",
                                     "h",
                                     "largest_gain",
                                     "independence",
                                     "scheme",
                                     "unconverged_steps",
                                     NULL};
static const char *const results[] = {"t",
                                      "q",
                                      "u",
                                      "lambda",
                                      "gaps",
                                      "energy",
                                      "events",
                                      "impacts",
                                      "accumulations",
                                      "violation",
                                      "residual",
                                      "active",
                                      "steps",
                                      "largest_gain",
                                      "independence",
                                      "unconverged_steps",
                                      NULL};
static const char *const kept[] = {"qs", "q", "us", "u", NULL};

const process_ops system_ops = {.kind = "system",
                                .type = SYSTEM_TYPE,
                                .by = "scheme",
                                .keys = keys,
                                .fields = fields,
                                .results = results,
                                .kept = kept,
                                .inside = "a system",
                                .read = read_system,
                                .create = create,
                                .destroy = destroy,
                                .step = step,
                                .facts = facts,
                                .events = events,
                                .push_field = push_field,
                                .state_size = state_size,
                                .save = save,
                                .restore = restore,
                                .fill = fill};
