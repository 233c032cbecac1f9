/*
 * Showing a run in the browser: what `moreau view` and `moreau run --live` share.
 */
#ifndef APP_SHOW_H
#define APP_SHOW_H

#include "options.h"
#include "page.h"
#include "scene/scene.h"
#include "serve/server.h"

/* What was asked for on the command line. */
typedef struct show_request {
    const char *page; /* file, NULL: the program's */
    int64_t port;     /* 0: any */
    bool no_open;
    double pace; /* of a run that is being computed, 0: as fast as it can */
} show_request;

/* A page and a server that has its port; file: the run, -1 as long as there is none. */
typedef struct show {
    page page;
    server *server;
    int file;
    char *name; /* of the run, for the page */
} show;

/* Loads the page and takes the port.  show_end in any case. */
exit_status show_begin(app *a, const show_request *request, const char *run_path, show *out);
/* Opens the run file, which stays the same one whatever becomes of its name. */
mo_status show_open_file(show *s, const char *path, mo_error *err);
/* Prints the address, as a line or as the program's JSON object, and opens the browser. */
void show_announce(app *a, const show *s, const show_request *request, bool as_json);
void show_end(show *s);

/* {"name", "size", "live", "parameters"}; takes the array.  To be freed; NULL without memory. */
char *show_session(const show *s, uint64_t size, bool live, json_t *parameters);

/* ---- a run that is being computed (live.c) ---------------------------------------------------------- */

typedef struct live live;

/* Looks on at a run that writes to `path`, NULL: to a temporary file.  `s` has begun, and lives as long. */
exit_status live_create(app *a, show *s, const show_request *request, const char *path, live **out);
/* For scene_options: who watches, and the run file. */
const scene_watch *live_watch(const live *l);
const char *live_path(const live *l);
/* The run is over: tells the viewers.  False: it ended before they could see any of it. */
bool live_finish(live *l, const scene_result *result);
/* After show_end: removes a temporary file.  NULL is fine. */
void live_destroy(live *l);

#endif
