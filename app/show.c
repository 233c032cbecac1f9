/* Page, server and run file together, see show.h. */
#include "show.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

exit_status show_begin(app *a, const show_request *request, const char *run_path, show *out)
{
    const char *slash = run_path != NULL ? strrchr(run_path, '/') : NULL;
    mo_error err = {0};
    *out = (show){.file = -1};
    out->name = app_format("%s", slash != NULL ? slash + 1 : run_path != NULL ? run_path : "run.h5");
    exit_status code = page_load(a, request->page, &out->page);
    if (code != EXIT_DONE)
        return code;
    mo_status status = server_create((int)request->port, &out->server, &err);
    return status == MO_OK ? EXIT_DONE : app_fail_error(a, status, &err);
}

mo_status show_open_file(show *s, const char *path, mo_error *err)
{
    s->file = open(path, O_RDONLY | O_CLOEXEC);
    if (s->file >= 0)
        return MO_OK;
    *err = (mo_error){.status = MO_IO};
    snprintf(err->message, sizeof err->message, "cannot open for reading: %s", strerror(errno));
    snprintf(err->file, sizeof err->file, "%s", path);
    return MO_IO;
}

void show_announce(app *a, const show *s, const show_request *request, bool as_json)
{
    if (as_json) {
        json_t *object = json_object();
        json_put(object, "status", json_text("ok"));
        json_put(object, "url", json_text(server_address(s->server)));
        json_put(object, "port", json_integer(server_port(s->server)));
        json_print(a, object);
    } else {
        printf("viewer       %s\n", server_address(s->server));
    }
    fflush(stdout);
    if (!request->no_open)
        open_browser(server_address(s->server));
}

void show_end(show *s)
{
    server_destroy(s->server);
    if (s->file >= 0)
        close(s->file);
    page_free(&s->page);
    free(s->name);
    *s = (show){.file = -1};
}

char *show_session(const show *s, uint64_t size, bool is_live, json_t *parameters)
{
    json_t *object = json_object();
    json_put(object, "name", json_text(s->name));
    json_put(object, "size", json_unsigned(size));
    json_put(object, "live", json_boolean(is_live));
    json_put(object, "parameters", parameters);
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(object);
    return text;
}
