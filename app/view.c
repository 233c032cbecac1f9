/*
 * `moreau view`: shows a recorded run in the browser.
 */
#include "show.h"
#include "signals.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct request {
    arguments files;
    show_request show;
    bool json, help;
} request;

/* What the server's functions work on. */
typedef struct viewing {
    show show;
    json_t *parameters; /* of the session */
} viewing;

static exit_status parse(app *a, int argc, char **argv, request *r)
{
    *r = (request){0};
    const option table[] = {
        {.name = "--port", .kind = OPTION_INTEGER, .target = &r->show.port, .min = 0, .max = 65535},
        {.name = "--no-open", .kind = OPTION_FLAG, .target = &r->show.no_open},
        {.name = "--page", .kind = OPTION_TEXT, .target = &r->show.page},
        {.name = "--json", .kind = OPTION_FLAG, .target = &r->json},
        {.name = "--help", .kind = OPTION_FLAG, .target = &r->help},
        {.name = "-h", .kind = OPTION_FLAG, .target = &r->help},
        {.name = NULL},
    };
    return options_parse(a, argc, argv, table, &r->files);
}

/* a run file that cannot be read is refused before anything is served */
static exit_status read_parameters(app *a, const char *path, json_t **out)
{
    mo_run *run = NULL;
    exit_status code = app_open_run(a, path, &run);
    if (code != EXIT_DONE)
        return code;
    json_t *values = json_parsed(mo_run_info_get(run)->params_json), *value;
    const char *name;
    *out = json_array();
    json_object_foreach(values, name, value)
    {
        json_t *item = json_object();
        json_put(item, "name", json_text(name));
        json_put(item, "value", json_incref(value));
        json_put(item, "doc", json_text(""));
        json_put(item, "live", json_false());
        json_array_append_new(*out, item);
    }
    json_decref(values);
    mo_run_close(run);
    return EXIT_DONE;
}

static char *session(void *data, uint64_t size)
{
    const viewing *v = data;
    return show_session(&v->show, size, false, json_incref(v->parameters));
}

static exit_status serve(app *a, const request *r, viewing *v)
{
    mo_error err = {0};
    mo_status status = show_open_file(&v->show, r->files.items[0], &err);
    const server_content content = {.page = v->show.page.bytes,
                                    .page_size = v->show.page.size,
                                    .file = v->show.file,
                                    .session = session,
                                    .data = v};
    if (status == MO_OK)
        status = server_start(v->show.server, &content, &err);
    if (status != MO_OK)
        return app_fail_error(a, status, &err);
    catch_signals();
    show_announce(a, &v->show, &r->show, a->json);
    if (!a->json)
        puts("Ctrl-C ends it");
    fflush(stdout);
    wait_for_signal();
    release_signals();
    return EXIT_DONE;
}

static exit_status view_run(app *a, const request *r)
{
    viewing v = {.show = {.file = -1}};
    exit_status code = read_parameters(a, r->files.items[0], &v.parameters);
    if (code == EXIT_DONE)
        code = show_begin(a, &r->show, r->files.items[0], &v.show);
    if (code == EXIT_DONE)
        code = serve(a, r, &v);
    show_end(&v.show);
    json_decref(v.parameters);
    return code;
}

static exit_status view_main(app *a, int argc, char **argv)
{
    request r;
    exit_status code = parse(a, argc, argv, &r);
    if (code == EXIT_DONE && r.help)
        fputs(view_command.help, stdout);
    else if (code == EXIT_DONE && r.files.count != 1)
        code = app_usage(a, "view needs one run file, found %zu", r.files.count);
    else if (code == EXIT_DONE)
        code = view_run(a, &r);
    arguments_free(&r.files);
    return code;
}

const command view_command = {
    .name = "view",
    .summary = "a run in the browser",
    .main = view_main,
    .help =
        "usage: moreau view RUN.h5 [OPTION]...\n\n"
        "Shows a run in the browser. The program serves the page and the file to this machine alone, and\n"
        "only to who has the address that it prints, until Ctrl-C. A run that is still being computed by\n"
        "another process can be viewed too; for one with pause and live parameters see\n"
        "`moreau run --live`.\n\n"
        "  --port N      serve on this port (any that is free)\n"
        "  --no-open     do not open the browser\n"
        "  --page FILE   another page than the one inside the program\n"
        "  --json        print the address as a JSON object: status, url, port\n\n"
        "To view from another machine, forward the port: ssh -L 8000:127.0.0.1:8000 HOST, with\n"
        "`moreau view RUN.h5 --port 8000 --no-open` there.\n\n"
        "examples:\n"
        "  moreau view pile.h5\n"
        "  moreau view pile.h5 --port 8000 --no-open\n\n"
        "exit status: 0 done; 2 wrong usage; 3 bad run file; 4 the system failed, the port is taken, or\n"
        "the program was built without the page (make viewer).\n",
};
