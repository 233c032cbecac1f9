/*
 * `moreau export`: a run as tables, for ParaView, or as pictures.
 */
#include "draw/draw.h"
#include "export_html.h"
#include "film/film.h"
#include "options.h"
#include "record/csv.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { TO_CSV, TO_VTK, TO_XDMF, TO_PNG, TO_SVG, TO_HTML, TO_WEBM };
static const char *const to_names[] = {"csv", "vtk", "xdmf", "png", "svg", "html", "webm", NULL};
enum { WHAT_ENERGY = MO_EXPORT_SERIES + 1, WHAT_PATH, WHAT_PLOTS };
// the first three as mo_export_what
static const char *const what_names[] = {"bodies", "contacts", "series", "energy", "path", "plots", NULL};
static const char *const color_names[] = {"speed", "group", "stress", NULL}; // as draw_color

enum { VIEW_ISO, VIEW_FRONT, VIEW_TOP, VIEW_SIDE };
static const char *const view_names[] = {"iso", "front", "top", "side", NULL};

typedef struct request {
    arguments files;
    const char *frame, *output, *azimuth, *elevation, *page;
    double fps;
    int to, what, color, view;
    int64_t width, columns;
    bool view_given, perspective, orthographic;
    draw_camera camera; // for worlds in 3D
    bool to_given, what_given, color_given, width_given, fps_given, no_chains, json, help;
} request;

/* Frames asked for. */
typedef struct frame_range {
    size_t first, count;
    bool all;
} frame_range;

static exit_status parse(app *a, int argc, char **argv, request *r)
{
    *r = (request){.width = draw_default_options().width};
    const option table[] = {
        {.name = "--to", .kind = OPTION_CHOICE, .target = &r->to, .choices = to_names, .given = &r->to_given},
        {.name = "--what",
         .kind = OPTION_CHOICE,
         .target = &r->what,
         .choices = what_names,
         .given = &r->what_given},
        {.name = "--frame", .kind = OPTION_TEXT, .target = &r->frame},
        {.name = "-o", .kind = OPTION_TEXT, .target = &r->output},
        {.name = "--color",
         .kind = OPTION_CHOICE,
         .target = &r->color,
         .choices = color_names,
         .given = &r->color_given},
        {.name = "--width",
         .kind = OPTION_INTEGER,
         .target = &r->width,
         .min = 16,
         .max = 9000,
         .given = &r->width_given},
        {.name = "--columns", .kind = OPTION_INTEGER, .target = &r->columns, .min = 1, .max = 8},
        {.name = "--no-chains", .kind = OPTION_FLAG, .target = &r->no_chains},
        {.name = "--view",
         .kind = OPTION_CHOICE,
         .target = &r->view,
         .choices = view_names,
         .given = &r->view_given},
        {.name = "--azimuth", .kind = OPTION_TEXT, .target = &r->azimuth},
        {.name = "--elevation", .kind = OPTION_TEXT, .target = &r->elevation},
        {.name = "--perspective", .kind = OPTION_FLAG, .target = &r->perspective},
        {.name = "--orthographic", .kind = OPTION_FLAG, .target = &r->orthographic},
        {.name = "--fps", .kind = OPTION_REAL, .target = &r->fps, .given = &r->fps_given},
        {.name = "--page", .kind = OPTION_TEXT, .target = &r->page},
        {.name = "--json", .kind = OPTION_FLAG, .target = &r->json},
        {.name = "--help", .kind = OPTION_FLAG, .target = &r->help},
        {.name = "-h", .kind = OPTION_FLAG, .target = &r->help},
        {.name = NULL},
    };
    return options_parse(a, argc, argv, table, &r->files);
}

static bool is_picture(const request *r)
{
    return r->to == TO_PNG || r->to == TO_SVG || r->to == TO_WEBM;
}

/* whether what is written is taken from frames, or rows of a path */
static bool has_frames(const request *r)
{
    return r->what == MO_EXPORT_BODIES || r->what == MO_EXPORT_CONTACTS || r->what == WHAT_PATH;
}

/* several pictures */
static bool is_film(const request *r, const frame_range *range)
{
    return is_picture(r) && range->all && has_frames(r);
}

/* ---- where worlds in 3D are seen from --------------------------------------------------------------------
 */

static exit_status read_angle(app *a, const char *name, const char *text, double most, double *out)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= -most && value <= most))
        return app_usage(a, "option %s: found '%s', expected degrees from %g to %g", name, text, -most, most);
    *out = value;
    return EXIT_DONE;
}

/* a named view, then what was given beside it */
static exit_status read_camera(app *a, request *r)
{
    static const draw_camera named[] = {
        [VIEW_ISO] = {.azimuth = -45.0, .elevation = 35.264389682754654},
        [VIEW_FRONT] = {.azimuth = -90.0, .orthographic = true},
        [VIEW_TOP] = {.azimuth = -90.0, .elevation = 90.0, .orthographic = true},
        [VIEW_SIDE] = {.azimuth = 0.0, .orthographic = true}};
    exit_status code = EXIT_DONE;
    r->camera = r->view_given ? named[r->view] : draw_default_options().camera;
    if (r->perspective && r->orthographic)
        return app_usage(a, "options --perspective and --orthographic exclude each other");
    if (r->perspective || r->orthographic)
        r->camera.orthographic = r->orthographic;
    if (r->azimuth != NULL)
        code = read_angle(a, "--azimuth", r->azimuth, 360.0, &r->camera.azimuth);
    if (code == EXIT_DONE && r->elevation != NULL)
        code = read_angle(a, "--elevation", r->elevation, 90.0, &r->camera.elevation);
    return code;
}

/* options of the camera have a meaning only where one is used */
static exit_status check_camera(app *a, const request *r, const mo_run_info *info)
{
    const bool used = is_picture(r) && has_frames(r) && !info->is_path && info->dim == 3;
    if (used ||
        !(r->view_given || r->azimuth != NULL || r->elevation != NULL || r->perspective || r->orthographic))
        return EXIT_DONE;
    return app_usage(a, "options --view, --azimuth, --elevation, --perspective and --orthographic are for "
                        "pictures of frames of worlds in 3D");
}

static exit_status check_film(app *a, const request *r)
{
    if (!has_frames(r))
        return app_usage(a, "--to webm is for frames: --what bodies, contacts or path");
    if (r->frame != NULL && strcmp(r->frame, "all") != 0)
        return app_usage(a, "option --frame: a film shows all frames");
    if (r->what == MO_EXPORT_CONTACTS && r->no_chains)
        return app_usage(a, "option --no-chains leaves nothing of --what contacts");
    if (r->fps_given && !(r->fps >= 0.1 && r->fps <= 240))
        return app_usage(a, "option --fps: found %g, expected 0.1 to 240", r->fps);
    return EXIT_DONE;
}

static exit_status check_output(app *a, const request *r)
{
    bool to_stdout = r->output != NULL && strcmp(r->output, "-") == 0;
    if (r->output != NULL && !to_stdout && app_same_file(r->output, r->files.items[0]))
        return app_usage(a, "option -o: '%s' is the run file itself", r->output);
    if (to_stdout && r->json)
        return app_usage(a, "option -o: with --json standard output is for the JSON object");
    if (to_stdout && r->to == TO_VTK)
        return app_usage(a, "option -o: --to vtk makes a folder, not standard output");
    return EXIT_DONE;
}

static exit_status check(app *a, const request *r)
{
    if (r->files.count != 1)
        return app_usage(a, "export needs one run file, found %zu", r->files.count);
    if (!r->to_given)
        return app_usage(a, "export needs --to csv, vtk, xdmf, png, svg, html or webm");
    if (r->page != NULL && r->to != TO_HTML)
        return app_usage(a, "option --page is for --to html");
    if (r->to == TO_HTML && (r->what_given || r->frame != NULL))
        return app_usage(a, "options --what and --frame: --to html holds the whole run");
    if (!is_picture(r) && (r->color_given || r->width_given || r->no_chains))
        return app_usage(a,
                         "options --color, --width and --no-chains are for pictures (--to png, svg or webm)");
    if (r->what == WHAT_ENERGY && r->to != TO_CSV)
        return app_usage(a, "--what energy is for --to csv; pictures of series show the energies too");
    if (r->to == TO_WEBM)
        return check_film(a, r);
    if (r->what == WHAT_PLOTS && !is_picture(r) && r->to != TO_CSV)
        return app_usage(a, "--what plots is for --to csv, png or svg");
    if (r->columns > 0 && !(is_picture(r) && (r->what == WHAT_PLOTS || !r->what_given)))
        return app_usage(a, "option --columns is for pictures of plots (--what plots)");
    if (r->what == MO_EXPORT_SERIES && (r->to == TO_VTK || r->to == TO_XDMF))
        return app_usage(a, "--to %s holds bodies and contacts; for series use csv, png or svg",
                         to_names[r->to]);
    if (r->frame != NULL && !has_frames(r))
        return app_usage(a, "option --frame: %s have no frames", r->what == WHAT_PLOTS ? "plots" : "series");
    if (r->frame != NULL && r->to == TO_XDMF)
        return app_usage(a, "option --frame: --to xdmf always refers to all frames");
    if (r->what == MO_EXPORT_CONTACTS && r->no_chains)
        return app_usage(a, "option --no-chains leaves nothing of --what contacts");
    if (r->fps_given)
        return app_usage(a, "option --fps is for --to webm");
    return EXIT_DONE;
}

/* ---- what of this run ------------------------------------------------------------------------------------
 */

static exit_status choose_for_world(app *a, const request *r, const mo_run_info *info)
{
    if (r->what == WHAT_PATH)
        return app_usage(a, "--what path is for sweeps and systems; %s is the run of a %s", r->files.items[0],
                         info->kind);
    if (r->what == WHAT_PLOTS && strcmp(info->plots_json, "[]") == 0)
        return app_usage(a, "--what plots: the scene of %s made none", r->files.items[0]);
    return EXIT_DONE;
}

/* a path is drawn whole; only discs have a picture for each row */
static exit_status check_frame_of_path(app *a, const request *r, mo_run *run)
{
    mo_run_path path;
    mo_error err = {0};
    if ((r->frame == NULL && r->to != TO_WEBM) || !is_picture(r))
        return EXIT_DONE;
    mo_status status = mo_run_path_get(run, &path, &err);
    if (status != MO_OK)
        return app_fail_error(a, status, &err);
    if (path.disc_count == 0)
        return app_usage(a, "%s: the picture of a path shows all of it; only discs have frames",
                         r->to == TO_WEBM ? "--to webm" : "option --frame");
    return EXIT_DONE;
}

static exit_status choose_for_path(app *a, request *r, mo_run *run, const mo_run_info *info)
{
    const bool no_plots = strcmp(info->plots_json, "[]") == 0;
    if (r->what == WHAT_ENERGY)
        return app_usage(a, "--what energy: the run of a %s has no energies", info->kind);
    if (r->what == WHAT_PLOTS && no_plots)
        return app_usage(a, "--what plots: the scene of %s made none", r->files.items[0]);
    if (r->what == MO_EXPORT_CONTACTS && r->to != TO_CSV)
        return app_usage(a, "--what contacts: the events of a %s are for --to csv", info->kind);
    if (r->what == MO_EXPORT_BODIES)
        r->what = is_picture(r) && !r->what_given && !no_plots && r->frame == NULL && r->to != TO_WEBM
                      ? WHAT_PLOTS
                      : WHAT_PATH;
    return check_frame_of_path(a, r, run);
}

/* for a path, what bodies would be for a world is its path, or its plots where the scene made some */
static exit_status choose(app *a, request *r, mo_run *run)
{
    const mo_run_info *info = mo_run_info_get(run);
    exit_status code = check_camera(a, r, info);
    if (code != EXIT_DONE)
        return code;
    return info->is_path ? choose_for_path(a, r, run, info) : choose_for_world(a, r, info);
}

static exit_status find_frames(app *a, const request *r, size_t frames, frame_range *out)
{
    bool last_only = r->frame != NULL ? strcmp(r->frame, "last") == 0 : is_picture(r);
    bool all = r->frame != NULL ? strcmp(r->frame, "all") == 0 : !is_picture(r) || r->to == TO_WEBM;
    *out = (frame_range){.first = 0, .count = frames, .all = all};
    if ((all && r->to != TO_WEBM) || !has_frames(r))
        return EXIT_DONE;
    if (frames == 0)
        return app_fail(a, EXIT_BAD_INPUT, "%s: holds no frame yet", r->files.items[0]);
    if (all)
        return EXIT_DONE;
    int64_t k = -1, count = (int64_t)frames;
    if (!last_only && !parse_integer(r->frame, &k))
        return app_usage(a, "option --frame: found '%s', expected a number, 'last' or 'all'", r->frame);
    if (k < -count || k >= count)
        return app_usage(
            a, "option --frame: found %" PRId64 ", but %s has frames 0 to %" PRId64 " (-1 is the last)", k,
            r->files.items[0], count - 1);
    *out = (frame_range){.first = (size_t)(k < 0 ? k + count : k), .count = 1, .all = false};
    return EXIT_DONE;
}

/* the run's name without its ending, and what comes out of it; to be freed */
static char *output_path(const request *r, const frame_range *range)
{
    if (r->output != NULL)
        return app_format("%s", r->output);
    const char *run = r->files.items[0], *slash = strrchr(run, '/'), *dot = strrchr(run, '.');
    bool has_ending = dot != NULL && dot != run && (slash == NULL || dot > slash + 1);
    int stem = (int)(has_ending ? (size_t)(dot - run) : strlen(run));
    const char *ending = to_names[r->to], *what = what_names[r->what];
    if (r->to == TO_CSV)
        return app_format("%.*s-%s.csv", stem, run, what);
    if (r->to == TO_VTK)
        return app_format("%.*s-vtk", stem, run);
    // the picture that comes unasked has the run's name
    const bool plain = r->what == MO_EXPORT_BODIES || !r->what_given || r->to == TO_XDMF || r->to == TO_HTML;
    const char *dash = plain ? "" : "-", *part = plain ? "" : what;
    if (is_film(r, range) && r->to != TO_WEBM)
        return app_format("%.*s%s%s-%s", stem, run, dash, part, ending);
    return app_format("%.*s%s%s.%s", stem, run, dash, part, ending);
}

/* ---- pictures --------------------------------------------------------------------------------------------
 */

static draw_options picture_options(const request *r)
{
    draw_options o = draw_default_options();
    o.format = r->to == TO_SVG ? DRAW_SVG : DRAW_PNG;
    o.width = (int)r->width;
    o.columns = (int)r->columns;
    o.chains = !r->no_chains;
    o.network = r->what == MO_EXPORT_CONTACTS;
    o.camera = r->camera;
    // the chains stand out before bodies that do not shout
    if (r->what == MO_EXPORT_CONTACTS)
        o.color = DRAW_BY_GROUP;
    if (r->color_given)
        o.color = (draw_color)r->color;
    return o;
}

/* every picture of the range: NAME/frame-00000.png and so on, or where the options say */
static mo_status draw_frames(mo_run *run, const request *r, const frame_range *range, draw_options o,
                             const char *folder, mo_error *err)
{
    // one view for all, so that a film does not jump
    draw_view view;
    const bool path_run = r->what == WHAT_PATH;
    mo_status status =
        (path_run ? draw_fit_path_view : draw_fit_view)(run, range->first, range->count, &view, err);
    o.view = &view;
    for (size_t k = 0; k < range->count && status == MO_OK; k++) {
        char *path = app_format("%s/frame-%05zu.%s", folder, range->first + k, to_names[r->to]);
        status = (path_run ? draw_path : draw_frame)(run, range->first + k, &o, path, err);
        free(path);
    }
    return status;
}

static exit_status draw_all(app *a, mo_run *run, const request *r, const frame_range *range,
                            const char *folder)
{
    mo_error err = {0};
    struct stat about;
    if (mkdir(folder, 0777) != 0 && (errno != EEXIST || stat(folder, &about) != 0 || !S_ISDIR(about.st_mode)))
        return app_fail(a, EXIT_SYSTEM, "%s: cannot make the folder: %s", folder, strerror(errno));
    mo_status status = draw_frames(run, r, range, picture_options(r), folder, &err);
    return status == MO_OK ? EXIT_DONE : app_fail_error(a, status, &err);
}

/* as many pictures a second as were recorded, where eyes can follow that */
static double film_rate(const request *r, const mo_run_info *info)
{
    double rate = info->every > 0 ? 1 / info->every : 25;
    return r->fps_given ? r->fps : rate < 10 ? 10 : rate > 60 ? 60 : rate;
}

static exit_status make_film(app *a, mo_run *run, const request *r, const frame_range *range,
                             const char *path)
{
    film *f = NULL;
    mo_error err = {0};
    draw_options o = picture_options(r);
    mo_status status = film_create(path, film_rate(r, mo_run_info_get(run)), range->count, &f, &err);
    o.take = film_take;
    o.take_data = f;
    if (status == MO_OK)
        status = draw_frames(run, r, range, o, "", &err);
    if (status == MO_OK)
        status = film_finish(f, &err);
    else
        film_abandon(f);
    return status == MO_OK ? EXIT_DONE : app_fail_error(a, status, &err);
}

static exit_status draw_one(app *a, mo_run *run, const request *r, const frame_range *range, const char *path)
{
    draw_options o = picture_options(r);
    mo_error err = {0};
    mo_status status = MO_OK;
    if (r->what == MO_EXPORT_SERIES)
        status = draw_series(run, &o, path, &err);
    else if (r->what == WHAT_PLOTS)
        status = draw_plots(run, &o, path, &err);
    else
        status = (r->what == WHAT_PATH ? draw_path : draw_frame)(run, range->first, &o, path, &err);
    return status == MO_OK ? EXIT_DONE : app_fail_error(a, status, &err);
}

/* ---- the command -----------------------------------------------------------------------------------------
 */

static exit_status write_output(app *a, mo_run *run, const request *r, const frame_range *range,
                                const char *path)
{
    mo_error err = {0};
    mo_status status = MO_OK;
    const mo_export_what table = r->what == WHAT_PATH ? MO_EXPORT_BODIES : (mo_export_what)r->what;
    switch (r->to) {
    case TO_CSV:
        if (r->what == WHAT_PLOTS)
            status = plots_csv(run, path, &err);
        else if (r->what == WHAT_ENERGY)
            status = csv_energies(run, path, &err);
        else
            status = mo_export_csv(run, table, range->first, range->count, path, &err);
        break;
    case TO_VTK:
        status = mo_export_vtk(run, range->first, range->count, path, &err);
        break;
    case TO_XDMF:
        status = mo_export_xdmf(run, path, &err);
        break;
    case TO_HTML:
        return export_html(a, r->files.items[0], r->page, path);
    case TO_WEBM:
        return make_film(a, run, r, range, path);
    default:
        if (is_film(r, range) && strcmp(path, "-") == 0)
            return app_usage(a, "option -o: all frames need a folder, not standard output");
        return (is_film(r, range) ? draw_all : draw_one)(a, run, r, range, path);
    }
    return status == MO_OK ? EXIT_DONE : app_fail_error(a, status, &err);
}

static void say_written(app *a, const char *path)
{
    if (a->json) {
        json_t *object = json_object();
        json_put(object, "status", json_text("ok"));
        json_put(object, "written", json_text(path));
        json_print(a, object);
    } else if (strcmp(path, "-") != 0) {
        printf("written      %s\n", path);
    }
}

static exit_status export_run(app *a, request *r)
{
    mo_run *run = NULL;
    frame_range range;
    exit_status code = app_open_run(a, r->files.items[0], &run);
    if (code != EXIT_DONE)
        return code;
    code = choose(a, r, run);
    if (code == EXIT_DONE)
        code = find_frames(a, r, mo_run_info_get(run)->frames, &range);
    if (code == EXIT_DONE) {
        char *path = output_path(r, &range);
        code = write_output(a, run, r, &range, path);
        if (code == EXIT_DONE)
            say_written(a, path);
        free(path);
    }
    mo_run_close(run);
    return code;
}

static exit_status export_main(app *a, int argc, char **argv)
{
    request r;
    exit_status code = parse(a, argc, argv, &r);
    if (code == EXIT_DONE && r.help)
        fputs(export_command.help, stdout);
    else if (code == EXIT_DONE && (code = check(a, &r)) == EXIT_DONE &&
             (code = check_output(a, &r)) == EXIT_DONE && (code = read_camera(a, &r)) == EXIT_DONE)
        code = export_run(a, &r);
    arguments_free(&r.files);
    return code;
}

const command export_command = {
    .name = "export",
    .summary = "a run as tables, pictures, a film, a page, or for ParaView",
    .main = export_main,
    .help =
        "usage: moreau export RUN.h5 --to csv|vtk|xdmf|png|svg|html|webm [OPTION]...\n\n"
        "  --what bodies|contacts|series   what to write (bodies); as pictures: the bodies, the force\n"
        "                                  chains, or plots of the series; csv also has energy, the\n"
        "                                  energies of the series\n"
        "  --what path|contacts|series     of a sweep or system: the path of its point (the default), its\n"
        "                                  events (csv), or the series\n"
        "  --what plots                    pictures or csv: what the scene plotted; for a sweep or system\n"
        "                                  with plots the default\n"
        "  --frame K|last|all              frames from 0, negative from the end (csv and vtk: all; "
        "pictures:\n"
        "                                  last); of a path its rows, in pictures for discs only\n"
        "  -o PATH                         where to; - is standard output\n"
        "  --color speed|group|stress      how bodies are coloured in pictures (speed)\n"
        "  --width N                       width of pictures, pixels (1200)\n"
        "  --columns N                     pictures of plots: so many beside each other (1)\n"
        "  --no-chains                     pictures without force chains\n"
        "  --view iso|front|top|side       3D: where pictures are seen from; without it from azimuth -60,\n"
        "                                  elevation 22, in perspective; front, top and side are "
        "orthographic\n"
        "  --azimuth A, --elevation E      3D: degrees about the vertical axis from x towards y, and above\n"
        "                                  the horizon\n"
        "  --perspective, --orthographic   3D: how pictures are projected\n"
        "  --fps N                         webm: pictures a second (as many as were recorded, 10 to 60)\n"
        "  --page FILE                     html: another page than the one inside the program\n\n"
        "--to html makes one page that shows the whole run in any browser, without this program. --to webm\n"
        "makes a film of all frames, the pictures of --to png.\n"
        "Without -o the output lies beside RUN.h5: RUN-bodies.csv, RUN-contacts.csv, RUN-series.csv...;\n"
        "RUN.png, RUN-contacts.png, RUN-series.png (the same with .svg); RUN.html; RUN.webm; RUN.xdmf; the\n"
        "folder RUN-vtk. With\n"
        "--frame all pictures go to a folder, RUN-png, as frame-00000.png and so on, all with the same "
        "view.\n\n"
        "examples:\n"
        "  moreau export pile.h5 --to csv --what contacts --frame last -o -\n"
        "  moreau export pile.h5 --to png --frame all -o pictures\n"
        "  moreau export pile.h5 --to svg --what series\n"
        "  moreau export arch.h5 --to png --view front --color stress\n"
        "  moreau export tractrix.h5 --to csv -o -\n"
        "  moreau export pile.h5 --to webm --fps 25 --width 800\n\n"
        "exit status: 0 done; 2 wrong usage or no such frame; 3 bad run file; 4 the system failed.\n",
};
