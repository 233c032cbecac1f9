/*
 * Sweeps as processes: what sweep{...} and trial{...} read, the fields of the handle, and what the run files
 * of sweeps have besides the path: discs and the borders of sets.
 */
#include "scene/process.h"

#include "core/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading --------------------------------------------------------------------------------------- */

static const char *method_name(int i)
{
    return mo_sweep_method_name((mo_sweep_method)i);
}

static void read_options(lua_State *L, process *p)
{
    mo_sweep_def *def = &p->sweep.def;
    int method = 0;
    read_times(L, p->what, &def->h, &p->t_end);
    process_choice(L, p->what, "method", method_name, &method);
    def->method = (mo_sweep_method)method;
    process_options(L, p->what, &def->tol, &def->max_iter, &def->theta);
    if (read_number(L, 1, p->what, "lambda", &def->lambda))
        read_positive(L, p->what, "lambda", def->lambda);
    read_boolean(L, 1, p->what, "retraction", &def->retraction);
    p->sweep.field = process_function(L, p, "field", "t, x");
    if (p->sweep.field.kept.place != 0) {
        def->field = process_field;
        def->data = p;
    }
    p->h = def->h;
    p->by = method_name(method);
}

/* memory for gradients is rows times columns; only discs keep theirs sparse */
static void check_size(lua_State *L, const process *p)
{
    size_t most = scene_of(L)->limits.points;
    size_t m = mo_moving_set_multipliers(p->sweep.set);
    if (p->sweep.set->kind != MO_MOVING_DISCS && m > 0 && (p->n > most / m || m > most / (p->n + m)))
        scene_error(L, p->what, "%zu gaps of %zu coordinates are more than fit", m, p->n);
}

static void read_set(lua_State *L, process *p)
{
    char path[64];
    read_path(path, sizeof path, p->what, "set");
    if (!read_field(L, 1, "set"))
        scene_error(L, path, "expected a set such as ball{center = {0, 0}, radius = 1}, got nothing");
    int idx = lua_gettop(L);
    const set_box *box = set_at(L, idx, p->what, "set");
    if (box->dim != 0 && box->dim != p->n)
        scene_error(L, path, "the set is in dimension %zu, x has %zu number%s", box->dim, p->n,
                    p->n == 1 ? "" : "s");
    mo_moving_set *set = process_memory(L, p, sizeof *set);
    set_build(L, p, idx, p->n, set);
    p->sweep.set = p->sweep.def.set = set;
    lua_settop(L, idx - 1);
    mo_error err = {0};
    if (mo_moving_set_check(set, &err) != MO_OK)
        scene_raise(L, path, &err);
    check_size(L, p);
    p->m = mo_moving_set_multipliers(set);
}

static void read_sweep(lua_State *L, process *p)
{
    p->sweep.def = mo_default_sweep_def();
    p->sweep.def.x = process_start(L, p, "x", &p->n);
    read_options(L, p);
    read_set(L, p);
}

/* ---- making and stepping ------------------------------------------------------------------------------ */

static mo_status create(process *p, mo_error *err)
{
    for (int i = 0; i < 2; i++) {
        p->sweep.low[i] = HUGE_VAL;
        p->sweep.high[i] = -HUGE_VAL;
    }
    process_widen(p, p->sweep.def.x);
    return mo_sweep_create(&p->sweep.def, &p->sweep.process, err);
}

static void destroy(process *p)
{
    mo_sweep_destroy(p->sweep.process);
    free(p->sweep.hold_pair);
    free(p->sweep.hold_lambda);
    p->sweep.process = NULL;
    p->sweep.hold_pair = NULL;
    p->sweep.hold_lambda = NULL;
    p->sweep.hold_capacity = 0;
}

static mo_status step(process *p, mo_error *err)
{
    mo_status status = mo_sweep_step(p->sweep.process, err);
    process_widen(p, mo_sweep_x(p->sweep.process));
    return status;
}

static process_facts facts(const process *p)
{
    const mo_sweep_info *info = mo_sweep_info_get(p->sweep.process);
    return (process_facts){.time = info->time,
                           .steps = info->steps,
                           .unconverged_steps = info->unconverged_steps,
                           .reached = info->outcome == MO_SWEEP_REACHED,
                           .sound = info->outcome < MO_SWEEP_EMPTY,
                           .message = info->message,
                           .active = info->active,
                           .iterations = info->iterations,
                           .residual = info->violation,
                           .worst_violation = info->worst_violation,
                           .x = mo_sweep_x(p->sweep.process),
                           .lambda = mo_sweep_lambda(p->sweep.process)};
}

static mo_sweep_events events(const process *p)
{
    return mo_sweep_events_get(p->sweep.process);
}

static size_t state_size(const process *p)
{
    return mo_sweep_state_size(p->sweep.process);
}

static void save(const process *p, void *bytes)
{
    mo_sweep_save(p->sweep.process, bytes);
}

static mo_status restore(process *p, const void *bytes, size_t size, mo_error *err)
{
    return mo_sweep_restore(p->sweep.process, bytes, size, err);
}

/* ---- the handle ------------------------------------------------------------------------------------- */

static void push_gaps(lua_State *L, process *p)
{
    mo_error err = {0};
    double *g = lua_newuserdatauv(L, (p->m + 1) * sizeof *g, 0);
    process_facts now = facts(p);
    p->s->in_step = true;
    mo_status status = mo_moving_set_gaps(p->sweep.set, now.time, now.x, g, &err);
    p->s->in_step = false;
    if (status != MO_OK)
        scene_raise(L, "sweep.gaps", &err);
    scene_push_numbers(L, g, p->m);
}

static void push_field(lua_State *L, process *p, const char *key)
{
    const mo_sweep_info *info = mo_sweep_info_get(p->sweep.process);
    const named_number numbers[] = {{"path_length", info->path_length, false},
                                    {"retraction", info->retraction, false},
                                    {"variation", info->variation, false},
                                    {"largest_jump", info->largest_jump, false},
                                    {"jumps", (double)info->jumps, true}};
    if (process_push_named(L, numbers, sizeof numbers / sizeof numbers[0], key))
        return;
    if (strcmp(key, "exact") == 0)
        lua_pushboolean(L, info->retraction_exact);
    else if (strcmp(key, "x") == 0)
        scene_push_numbers(L, mo_sweep_x(p->sweep.process), p->n);
    else
        push_gaps(L, p);
}

/* ---- run files and results ------------------------------------------------------------------------------
 */

static bool is_discs(const process *p)
{
    return p->sweep.set->kind == MO_MOVING_DISCS;
}

static void describe(process *p, mo_path_def *def, bool append)
{
    p->sweep.first_t = append ? 0 : mo_sweep_info_get(p->sweep.process)->time;
    if (!is_discs(p))
        return;
    def->disc_count = p->n / 2;
    def->radius = p->sweep.set->radius;
    def->wall_count = p->sweep.set->wall_count;
    def->walls = p->sweep.set->walls;
}

static mo_status grow_holds(sweep_part *p, size_t count, mo_error *err)
{
    if (count <= p->hold_capacity)
        return MO_OK;
    size_t capacity = 2 * count;
    uint32_t *pairs = realloc(p->hold_pair, 2 * capacity * sizeof *pairs);
    if (pairs != NULL)
        p->hold_pair = pairs;
    double *lambda = realloc(p->hold_lambda, capacity * sizeof *lambda);
    if (lambda != NULL)
        p->hold_lambda = lambda;
    if (pairs == NULL || lambda == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "out of memory");
    p->hold_capacity = capacity;
    return MO_OK;
}

/* what touches what, for pictures of discs */
static mo_status fill_row(process *p, mo_path_row *row, mo_error *err)
{
    sweep_part *part = &p->sweep;
    size_t count;
    if (!is_discs(p))
        return MO_OK;
    const mo_sweep_hold *holds = mo_sweep_holds(part->process, &count);
    mo_status status = grow_holds(part, count, err);
    if (status != MO_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        part->hold_pair[2 * i] = (uint32_t)holds[i].first;
        part->hold_pair[2 * i + 1] = (uint32_t)holds[i].second;
        part->hold_lambda[i] = holds[i].lambda;
    }
    row->hold_count = count;
    row->hold_pair = part->hold_pair;
    row->hold_lambda = part->hold_lambda;
    return MO_OK;
}

static void fill(const process *p, scene_result *out)
{
    out->sweep = *mo_sweep_info_get(p->sweep.process);
    out->hash = mo_sweep_hash(p->sweep.process);
}

static const char *const keys[] = {"x",     "h",      "t_end", "set",      "method",     "theta", "lambda",
                                   "field", "record", "tol",   "max_iter", "retraction", NULL};
static const char *const fields[] = {"t",          "x",         "lambda", "gaps",  "path_length",
                                     "retraction", "variation", "exact",  "jumps", "largest_jump",
                                     "violation",  "active",    "steps",  "h",     "unconverged_steps",
                                     "events",     NULL};
static const char *const results[] = {"t",
                                      "x",
                                      "lambda",
                                      "path_length",
                                      "retraction",
                                      "variation",
                                      "exact",
                                      "jumps",
                                      "largest_jump",
                                      "violation",
                                      "active",
                                      "steps",
                                      "unconverged_steps",
                                      "events",
                                      NULL};
static const char *const kept[] = {"xs", "x", NULL};

const process_ops sweep_ops = {.kind = "sweep",
                               .type = SWEEP_TYPE,
                               .by = "method",
                               .keys = keys,
                               .fields = fields,
                               .results = results,
                               .kept = kept,
                               .inside = "a set or field",
                               .read = read_sweep,
                               .create = create,
                               .destroy = destroy,
                               .step = step,
                               .facts = facts,
                               .events = events,
                               .push_field = push_field,
                               .state_size = state_size,
                               .save = save,
                               .restore = restore,
                               .describe = describe,
                               .fill_row = fill_row,
                               .take_row = process_widen,
                               .after = process_outlines,
                               .fill = fill};
