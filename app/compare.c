/*
 * `moreau compare`: distances between two runs.
 */
#include "options.h"

#include <stdio.h>

static void print_json(app *a, const mo_comparison *c)
{
    json_t *o = json_object();
    json_put(o, "status", json_text("ok"));
    json_put(o, "identical", json_boolean(c->identical));
    json_put(o, "frames", json_integer((json_int_t)c->frames));
    json_put(o, "bodies", json_integer((json_int_t)c->bodies));
    json_put(o, "max_position", json_number(c->max_position));
    json_put(o, "rms_position", json_number(c->rms_position));
    json_put(o, "final_max_position", json_number(c->final_max_position));
    json_put(o, "max_angle", json_number(c->max_angle));
    json_put(o, "max_velocity", json_number(c->max_velocity));
    json_put(o, "velocity_graph", json_number(c->velocity_graph));
    json_print(a, o);
}

/* two sweeps or systems; motion: with velocities */
static void print_path_json(app *a, const mo_comparison *c, bool motion)
{
    json_t *o = json_object();
    json_put(o, "status", json_text("ok"));
    json_put(o, "identical", json_boolean(c->identical));
    json_put(o, "rows", json_integer((json_int_t)c->frames));
    json_put(o, "max_distance", json_number(c->max_position));
    json_put(o, "rms_distance", json_number(c->rms_position));
    json_put(o, "final_distance", json_number(c->final_max_position));
    json_put(o, "graph_distance", json_number(c->path_graph));
    if (motion) {
        json_put(o, "max_velocity", json_number(c->max_velocity));
        json_put(o, "velocity_graph", json_number(c->velocity_graph));
    }
    json_print(a, o);
}

static void print_row(const char *what, double value, const char *unit)
{
    char number[32];
    printf("%-26s %s%s%s\n", what, number_text(number, value), unit[0] != '\0' ? " " : "", unit);
}

static void print_text(const mo_comparison *c)
{
    printf("%s\n", c->identical ? "identical" : "different");
    printf("%-26s %zu\n%-26s %zu\n", "frames at common times", c->frames, "common bodies at the end",
           c->bodies);
    print_row("position, largest", c->max_position, "m");
    print_row("position, rms", c->rms_position, "m");
    print_row("position at the end", c->final_max_position, "m");
    print_row("angle, largest", c->max_angle, "rad");
    print_row("velocity, largest", c->max_velocity, "m/s");
    print_row("velocity, between graphs", c->velocity_graph, "m/s");
}

static void print_path_text(const mo_comparison *c, bool motion)
{
    printf("%s\n", c->identical ? "identical" : "different");
    printf("%-26s %zu\n", "rows at common times", c->frames);
    print_row("distance, largest", c->max_position, "");
    print_row("distance, rms", c->rms_position, "");
    print_row("distance at the end", c->final_max_position, "");
    print_row("distance between graphs", c->path_graph, "");
    if (motion) {
        print_row("velocity, largest", c->max_velocity, "");
        print_row("velocity, between graphs", c->velocity_graph, "");
    }
}

static void print_comparison(app *a, const mo_run_info *i1, const mo_run_info *i2, const mo_comparison *c)
{
    const bool motion = i1->velocities && i2->velocities;
    if (i1->is_path && a->json)
        print_path_json(a, c, motion);
    else if (i1->is_path)
        print_path_text(c, motion);
    else if (a->json)
        print_json(a, c);
    else
        print_text(c);
}

static exit_status compare_files(app *a, const char *path1, const char *path2)
{
    mo_run *run1 = NULL, *run2 = NULL;
    mo_error err = {0};
    mo_comparison c = {0};
    exit_status code = app_open_run(a, path1, &run1);
    if (code == EXIT_DONE)
        code = app_open_run(a, path2, &run2);
    if (code == EXIT_DONE) {
        mo_status status = mo_run_compare(run1, run2, &c, &err);
        if (status != MO_OK)
            code = app_fail_error(a, status, &err);
        else
            print_comparison(a, mo_run_info_get(run1), mo_run_info_get(run2), &c);
    }
    if (run1 != NULL)
        mo_run_close(run1);
    if (run2 != NULL)
        mo_run_close(run2);
    return code;
}

static exit_status compare_main(app *a, int argc, char **argv)
{
    bool help = false, json = false;
    const option table[] = {{.name = "--json", .kind = OPTION_FLAG, .target = &json},
                            {.name = "--help", .kind = OPTION_FLAG, .target = &help},
                            {.name = "-h", .kind = OPTION_FLAG, .target = &help},
                            {.name = NULL}};
    arguments files;
    exit_status code = options_parse(a, argc, argv, table, &files);
    if (code == EXIT_DONE && help)
        fputs(compare_command.help, stdout);
    else if (code == EXIT_DONE && files.count != 2)
        code = app_usage(a, "compare needs two run files, found %zu", files.count);
    else if (code == EXIT_DONE)
        code = compare_files(a, files.items[0], files.items[1]);
    arguments_free(&files);
    return code;
}

const command compare_command = {
    .name = "compare",
    .summary = "distances between two runs",
    .main = compare_main,
    .help =
        "usage: moreau compare RUN1.h5 RUN2.h5 [--json]\n\n"
        "Distances between two runs over their frames at common times: positions, angles, velocities,\n"
        "and between the completed graphs of the velocities, which forgives jumps at slightly\n"
        "different times; of two sweeps or systems, between their points and the completed graphs of\n"
        "these. Says 'identical' when every frame or row has the same bits.\n\n"
        "example:\n"
        "  moreau compare coarse.h5 fine.h5\n\n"
        "exit status: 0 compared, also when different; 2 wrong usage; 3 bad run file; 4 the system failed.\n",
};
