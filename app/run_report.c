/*
 * Says how a run went: as text, or as the object of `run --json`.
 */
#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *energy_json(const mo_world_info *i)
{
    const mo_energy *e = &i->energy;
    json_t *o = json_object();
    json_put(o, "kinetic", json_number(e->kinetic));
    json_put(o, "potential", json_number(e->potential));
    json_put(o, "work_external", json_number(e->work_external));
    json_put(o, "dissipated_friction", json_number(e->dissipated_friction));
    json_put(o, "dissipated_impact", json_number(e->dissipated_impact));
    json_put(o, "balance_error", json_number(e->balance_error));
    json_put(o, "largest_gain", json_number(i->largest_gain));
    return o;
}

static json_t *solver_json(const scene_result *r)
{
    json_t *o = json_object();
    json_put(o, "name", json_text(r->solver_name));
    json_put(o, "iterations_total", json_integer(r->info.iterations_total));
    json_put(o, "contact_iterations_total", json_integer(r->info.contact_iterations_total));
    json_put(o, "worst_residual", json_number(r->info.worst_residual));
    json_put(o, "unconverged_steps", json_integer(r->info.unconverged_steps));
    return o;
}

static json_t *stages_json(const scene_result *r)
{
    json_t *o = json_object();
    json_put(o, "detect", json_number(r->info.seconds.detect));
    json_put(o, "assemble", json_number(r->info.seconds.assemble));
    json_put(o, "solve", json_number(r->info.seconds.solve));
    json_put(o, "integrate", json_number(r->info.seconds.integrate));
    json_put(o, "record", json_number(r->record_seconds));
    return o;
}

/* ---- sweeps and systems ----------------------------------------------------------------------------------
 */

double run_time(const scene_result *r)
{
    return r->info.time;
}

int64_t run_steps(const scene_result *r)
{
    return r->info.steps;
}

static json_t *numbers_json(const double *values, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; values != NULL && i < count; i++)
        json_array_append_new(array, json_number(values[i]));
    return array;
}

static json_t *events_json(const scene_result *r)
{
    json_t *events = r->events_json != NULL ? json_loads(r->events_json, 0, NULL) : NULL;
    if (json_is_array(events))
        return events;
    json_decref(events);
    return json_array();
}

static json_t *sweep_certificate_json(const mo_sweep_info *s)
{
    json_t *o = json_object();
    json_put(o, "violation", json_number(s->violation));
    json_put(o, "stationarity", json_number(s->stationarity));
    json_put(o, "complementarity", json_number(s->complementarity));
    json_put(o, "worst_violation", json_number(s->worst_violation));
    json_put(o, "unconverged_steps", json_integer(s->unconverged_steps));
    return o;
}

static void put_sweep(json_t *o, const scene_result *r)
{
    const mo_sweep_info *s = &r->sweep;
    json_t *retraction = json_object(), *jumps = json_object();
    json_put(retraction, "value", json_number(s->retraction));
    json_put(retraction, "variation", json_number(s->variation));
    json_put(retraction, "exact", json_boolean(s->retraction_exact));
    json_put(jumps, "count", json_integer(s->jumps));
    json_put(jumps, "largest", json_number(s->largest_jump));
    json_put(o, "q", numbers_json(r->q, r->coordinates));
    json_put(o, "events", events_json(r));
    json_put(o, "method", json_text(r->solver_name));
    json_put(o, "lambda", numbers_json(r->lambda, r->multipliers));
    json_put(o, "path_length", json_number(s->path_length));
    json_put(o, "retraction", retraction);
    json_put(o, "jumps", jumps);
    json_put(o, "certificate", sweep_certificate_json(s));
}

static json_t *system_energy_json(const mo_system_energy *e)
{
    json_t *o = json_object();
    json_put(o, "kinetic", json_number(e->kinetic));
    json_put(o, "potential", json_number(e->potential));
    json_put(o, "work", json_number(e->work));
    json_put(o, "loss", json_number(e->loss));
    json_put(o, "balance_error", json_number(e->balance_error));
    return o;
}

static json_t *system_certificate_json(const mo_system_info *s)
{
    json_t *o = json_object();
    json_put(o, "violation", json_number(s->violation));
    json_put(o, "residual", json_number(s->residual));
    json_put(o, "worst_violation", json_number(s->worst_violation));
    json_put(o, "worst_residual", json_number(s->worst_residual));
    json_put(o, "unconverged_steps", json_integer(s->unconverged_steps));
    json_put(o, "largest_gain", json_number(s->largest_gain));
    return o;
}

static void put_system(json_t *o, const scene_result *r)
{
    const mo_system_info *s = &r->system;
    json_put(o, "q", numbers_json(r->q, r->coordinates));
    json_put(o, "u", numbers_json(r->u, r->coordinates));
    json_put(o, "events", events_json(r));
    json_put(o, "scheme", json_text(r->solver_name));
    json_put(o, "lambda", numbers_json(r->lambda, r->multipliers));
    json_put(o, "energy", system_energy_json(&s->energy));
    json_put(o, "impacts", json_integer(s->impacts));
    json_put(o, "accumulations", json_integer(s->accumulations));
    json_put(o, "independence", json_number(s->independence));
    json_put(o, "certificate", system_certificate_json(s));
}

static void print_numbers(const char *title, const double *x, size_t count)
{
    const size_t shown = count < 6 ? count : 6;
    printf("%-13s", title);
    for (size_t i = 0; x != NULL && i < shown; i++)
        printf("%s%.10g", i > 0 ? ", " : "(", x[i]);
    printf("%s\n", count > shown ? ", ...)" : ")");
}

static void print_steps(const scene_result *r)
{
    printf("time         %.10g s, %" PRId64 " steps of %.4g s\n", run_time(r), run_steps(r), r->h);
}

static void print_wall_time(const scene_result *r)
{
    printf("wall time    %.3g s (record %.0f %%)\n", r->wall_seconds,
           100 * r->record_seconds / (r->wall_seconds > 0 ? r->wall_seconds : 1));
}

static size_t event_count(const scene_result *r)
{
    json_t *events = events_json(r);
    size_t count = json_array_size(events);
    json_decref(events);
    return count;
}

static void print_sweep(const scene_result *r)
{
    const mo_sweep_info *s = &r->sweep;
    print_steps(r);
    print_numbers("point", r->q, r->coordinates);
    printf("path         length %.10g; the set retracts by %s%.10g and varies by %.10g\n", s->path_length,
           s->retraction_exact ? "" : "at least ", s->retraction, s->variation);
    printf("events       %zu; jumps %" PRId64 ", largest %.6g\n", event_count(r), s->jumps, s->largest_jump);
    printf("method       %s, active gaps %zu, violation %.3g (%.3g at most), unconverged steps %" PRId64 "\n",
           r->solver_name, s->active, s->violation, s->worst_violation, s->unconverged_steps);
    print_wall_time(r);
}

static void print_system(const scene_result *r)
{
    const mo_system_info *s = &r->system;
    const mo_system_energy *e = &s->energy;
    print_steps(r);
    print_numbers("position", r->q, r->coordinates);
    print_numbers("velocity", r->u, r->coordinates);
    printf("events       %zu; impacts %" PRId64 ", accumulations %" PRId64 "\n", event_count(r), s->impacts,
           s->accumulations);
    printf("energy       kinetic %.6g J, potential %.6g J, work %.6g J, lost %.6g J; balance error %.3g J\n",
           e->kinetic, e->potential, e->work, e->loss, e->balance_error);
    if (s->largest_gain > 0)
        printf("gain         %.3g J at one impact: the law of impact added energy\n", s->largest_gain);
    printf("scheme       %s, active gaps %zu, violation %.3g and residual %.3g at most, unconverged steps "
           "%" PRId64 "\n",
           r->solver_name, s->active, s->worst_violation, s->worst_residual, s->unconverged_steps);
    print_wall_time(r);
}

/* ---- worlds ----------------------------------------------------------------------------------------------
 */

static void put_world(json_t *o, const scene_result *r)
{
    json_put(o, "bodies", json_integer((json_int_t)r->info.bodies));
    json_put(o, "contacts", json_integer((json_int_t)r->info.contacts));
    json_put(o, "asleep", json_integer((json_int_t)r->info.asleep));
    json_put(o, "energy", energy_json(&r->info));
    json_put(o, "max_penetration", json_number(r->info.max_penetration));
    json_put(o, "solver", solver_json(r));
    json_put(o, "stage_seconds", stages_json(r));
}

static void print_shares(const scene_result *r)
{
    const mo_stage_seconds *s = &r->info.seconds;
    double whole = r->wall_seconds > 0 ? r->wall_seconds : 1;
    printf("wall time    %.3g s (detect %.0f %%, assemble %.0f %%, solve %.0f %%, integrate %.0f %%, record "
           "%.0f %%)\n",
           r->wall_seconds, 100 * s->detect / whole, 100 * s->assemble / whole, 100 * s->solve / whole,
           100 * s->integrate / whole, 100 * r->record_seconds / whole);
}

static void print_reports(const char *report_json)
{
    const char *name;
    json_t *value, *report = json_parsed(report_json);
    json_object_foreach(report, name, value)
    {
        char *text = json_plain(value);
        printf("report       %s = %s\n", name, text);
        free(text);
    }
    json_decref(report);
}

static void print_world(const scene_result *r)
{
    const mo_world_info *i = &r->info;
    const mo_energy *e = &i->energy;
    double mean = i->steps > 0 ? (double)i->iterations_total / (double)i->steps : 0;
    print_steps(r);
    printf("bodies       %zu, contacts %zu\n", i->bodies, i->contacts);
    printf("energy       kinetic %.6g J, potential %.6g J, work %.6g J\n", e->kinetic, e->potential,
           e->work_external);
    printf("dissipated   friction %.6g J, impact %.6g J; balance error %.3g J", e->dissipated_friction,
           e->dissipated_impact, e->balance_error);
    if (i->largest_gain > 0)
        printf("; contacts added %.3g J at most in one step, at %.6g s", i->largest_gain, i->gain_time);
    printf("\n");
    printf("penetration  %.3g m at most\n", i->max_penetration);
    printf("solver       %s, %.4g iterations a step, worst residual %.3g, unconverged steps %" PRId64 "\n",
           r->solver_name, mean, i->worst_residual, i->unconverged_steps);
    print_shares(r);
}

/* ---- all kinds -------------------------------------------------------------------------------------------
 */

typedef struct run_kind {
    const char *name;
    void (*put)(json_t *o, const scene_result *r);
    void (*print)(const scene_result *r);
} run_kind;

static const run_kind kinds[] = {{"world", put_world, print_world},
                                 {"sweep", put_sweep, print_sweep},
                                 {"system", put_system, print_system}};

static const run_kind *kind_of(const scene_result *r)
{
    for (size_t i = 1; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(r->kind, kinds[i].name) == 0)
            return &kinds[i];
    return &kinds[0];
}

json_t *run_json(const scene_result *r, const run_facts *facts, const char *status)
{
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, r->hash);
    json_t *o = json_object();
    json_put(o, "status", json_text(status));
    json_put(o, "time", json_number(run_time(r)));
    json_put(o, "steps", json_integer(run_steps(r)));
    json_put(o, "kind", json_text(r->kind));
    json_put(o, "wall_seconds", json_number(r->wall_seconds));
    json_put(o, "hash", json_text(hash));
    json_put(o, "report", json_parsed(r->report_json));
    kind_of(r)->put(o, r);
    json_put(o, "interrupted", json_boolean(r->interrupted));
    json_put(o, "output", facts->output != NULL ? json_text(facts->output) : json_null());
    if (facts->dump != NULL)
        json_put(o, "problems", json_integer(r->dumped));
    json_put(o, "seed", json_unsigned(facts->seed));
    json_put(o, "threads", json_integer(facts->threads));
    // what viewers changed on the way: without it the run cannot be repeated
    json_t *changes = json_loads(r->live_json != NULL ? r->live_json : "[]", 0, NULL);
    if (json_array_size(changes) > 0)
        json_put(o, "live", json_incref(changes));
    json_decref(changes);
    json_put(o, "messages", json_incref(facts->messages));
    return o;
}

void run_print_summary(const scene_result *r, const run_facts *facts)
{
    printf("status       %s\n", r->status);
    kind_of(r)->print(r);
    print_reports(r->report_json);
    if (facts->output != NULL)
        printf("written      %s\n", facts->output);
    if (facts->dump != NULL)
        printf("problems     %" PRId64 " in %s\n", r->dumped, facts->dump);
}
