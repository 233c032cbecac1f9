/*
 * `moreau info` of a sweep or system.
 */
#include "info.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TYPES = 16 };

/* What is counted out of the file. */
typedef struct path_digest {
    const char *file;
    const mo_run_info *info;
    mo_run_path path;
    mo_checkpoint checkpoint;
    size_t outlines;
    size_t types, counts[MOST_TYPES]; /* events by type, in the order in which the types come */
    const char *names[MOST_TYPES];
} path_digest;

static void count_event(path_digest *d, const char *type)
{
    size_t k = 0;
    while (k < d->types && strcmp(d->names[k], type) != 0)
        k++;
    if (k == MOST_TYPES)
        return;
    if (k == d->types) {
        d->names[k] = type;
        d->types++;
    }
    d->counts[k]++;
}

static mo_status digest_path(mo_run *run, path_digest *d, mo_error *err)
{
    mo_run_events events;
    mo_run_outlines outlines;
    d->info = mo_run_info_get(run);
    mo_status status = mo_run_path_get(run, &d->path, err);
    if (status == MO_OK)
        status = mo_run_events_get(run, &events, err);
    if (status == MO_OK)
        status = mo_run_outlines_get(run, &outlines, err);
    if (status == MO_OK)
        status = mo_run_checkpoint(run, &d->checkpoint, err);
    if (status != MO_OK)
        return status;
    d->outlines = outlines.count;
    for (size_t i = 0; i < events.count; i++)
        count_event(d, events.type[i]);
    return MO_OK;
}

static void print_events(const path_digest *d)
{
    printf("events       %zu", d->info->events);
    for (size_t i = 0; i < d->types; i++)
        printf("%s%s %zu", i == 0 ? ": " : ", ", d->names[i], d->counts[i]);
    puts("");
}

static void print_path(const path_digest *d)
{
    const mo_run_info *i = d->info;
    printf("%s: run of a %s by %s, written by moreau %s\n", d->file, i->kind, i->solver, i->version);
    printf("status       %s\n", i->status);
    printf("scene        %s, seed %" PRIu64 "\n", i->scene_name, i->seed);
    info_print_values("parameters", i->params_json);
    printf("point        coordinates %zu, multipliers %zu%s\n", i->coordinates, i->multipliers,
           i->velocities ? ", with velocities" : "");
    if (d->path.disc_count > 0)
        printf("discs        %zu, walls %zu\n", d->path.disc_count, d->path.wall_count);
    printf("time         %.10g of %.10g s, %" PRId64 " steps of %.6g s\n", i->time, i->t_end, i->steps, i->h);
    printf("rows         %zu, one every %.6g s\n", i->frames, i->every);
    print_events(d);
    if (d->outlines > 0)
        printf("outlines     %zu of the set\n", d->outlines);
    if (d->checkpoint.state != NULL)
        printf("checkpoint   at %.10g s, step %" PRId64 "\n", d->checkpoint.t, d->checkpoint.step);
    if (info_plots(i) > 0)
        printf("plots        %zu\n", info_plots(i));
    info_print_series(i);
    info_print_values("report", i->report_json);
}

static void print_path_json(app *a, const path_digest *d)
{
    const mo_run_info *i = d->info;
    json_t *o = json_object(), *events = json_object(), *discs = json_object();
    for (size_t k = 0; k < d->types; k++)
        json_put(events, d->names[k], json_integer((json_int_t)d->counts[k]));
    json_put(discs, "count", json_integer((json_int_t)d->path.disc_count));
    json_put(discs, "walls", json_integer((json_int_t)d->path.wall_count));
    info_put_common(o, d->file, i);
    json_put(o, "method", json_text(i->solver));
    json_put(o, "coordinates", json_integer((json_int_t)i->coordinates));
    json_put(o, "multipliers", json_integer((json_int_t)i->multipliers));
    json_put(o, "velocities", json_boolean(i->velocities));
    json_put(o, "frames", json_integer((json_int_t)i->frames));
    json_put(o, "rows", json_integer((json_int_t)i->frames));
    json_put(o, "every", json_number(i->every));
    json_put(o, "events", events);
    json_put(o, "discs", discs);
    json_put(o, "outlines", json_integer((json_int_t)d->outlines));
    json_put(o, "checkpoint", d->checkpoint.state != NULL ? json_number(d->checkpoint.t) : json_null());
    info_put_end(o, i);
    json_print(a, o);
}

exit_status info_describe_path(app *a, const char *path, mo_run *run)
{
    path_digest d = {.file = path};
    mo_error err = {0};
    mo_status status = digest_path(run, &d, &err);
    if (status != MO_OK)
        return app_fail_error(a, status, &err);
    if (a->json)
        print_path_json(a, &d);
    else
        print_path(&d);
    return EXIT_DONE;
}
