/* The page of benchmarks: one table and one picture per situation. */
#include "bench_report.h"
#include "draw/draw.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- pictures ----------------------------------------------------------------------------------------- */

json_t *bench_axis(const char *label)
{
    json_t *o = json_object();
    json_put(o, "label", json_text(label));
    json_put(o, "log", json_true());
    json_put(o, "down", json_false());
    return o;
}

// values above zero of the first column; rounding is named, but not drawn, so that a scheme has one colour
static json_t *curve_json(const bench_table *t, const bench_fit *fit)
{
    json_t *x = json_array(), *y = json_array(), *o = json_object();
    char order[32];
    for (size_t k = 0; k < t->row_count; k++)
        if (t->rows[k].scheme == fit->scheme && t->rows[k].values[0] > 0 && !fit->exact[0]) {
            json_array_append_new(x, json_number(t->rows[k].h));
            json_array_append_new(y, json_number(t->rows[k].values[0]));
        }
    const bool fitted = isfinite(fit->order[0]) || fit->exact[0];
    char *name = app_format(!fitted         ? "%s"
                            : fit->exact[0] ? "%s, %s"
                                            : "%s, order %s",
                            mo_system_scheme_name(fit->scheme), bench_order_text(order, fit, 0));
    json_put(o, "name", json_text(name));
    json_put(o, "x", x);
    json_put(o, "y", y);
    json_put(o, "style", json_text("both"));
    free(name);
    return o;
}

exit_status bench_draw_plots(app *a, json_t *plots, const char *path)
{
    mo_error err = {0};
    draw_options o = draw_default_options();
    const char *dot = strrchr(path, '.');
    o.format = dot != NULL && strcmp(dot, ".svg") == 0 ? DRAW_SVG : DRAW_PNG;
    o.width = 800;
    char *text = json_dumps(plots, JSON_COMPACT);
    json_decref(plots);
    if (text == NULL)
        app_no_memory();
    const mo_status status = draw_plots_text(text, &o, path, &err);
    free(text);
    return status == MO_OK ? EXIT_DONE : app_fail_error(a, status, &err);
}

static json_t *plots_json(const bench_table *t)
{
    json_t *plot = json_object(), *curves = json_array(), *plots = json_array();
    for (size_t k = 0; k < t->fit_count; k++)
        json_array_append_new(curves, curve_json(t, &t->fits[k]));
    char *label = app_format("error: %s", t->columns[0]);
    json_put(plot, "title", json_text(t->situation->name));
    json_put(plot, "x", bench_axis("h (s)"));
    json_put(plot, "y", bench_axis(label));
    json_put(plot, "equal", json_false());
    json_put(plot, "curves", curves);
    json_array_append_new(plots, plot);
    free(label);
    return plots;
}

static exit_status write_picture(app *a, const char *folder, const bench_table *t)
{
    char *path = app_format("%s/schemes/%s.png", folder, t->situation->name);
    const exit_status code = bench_draw_plots(a, plots_json(t), path);
    free(path);
    return code;
}

/* ---- tables ------------------------------------------------------------------------------------------- */

static const bench_row *finest_of(const bench_table *t, mo_system_scheme scheme)
{
    const bench_row *found = NULL;
    for (size_t k = 0; k < t->row_count; k++)
        if (t->rows[k].scheme == scheme)
            found = &t->rows[k];
    return found;
}

static void write_line(FILE *file, const bench_table *t, const bench_fit *fit)
{
    const bench_row *row = finest_of(t, fit->scheme);
    char text[32];
    fprintf(file, "| `%s` | %s", mo_system_scheme_name(fit->scheme), bench_order_text(text, fit, 0));
    fprintf(file, " | %s |", bench_order_text(text, fit, 1));
    for (size_t k = 0; k < t->column_count; k++)
        fprintf(file, " %s |", bench_value_text(text, row->values[k]));
    fprintf(file, " %" PRId64 " | %" PRId64 " | %.1f |", row->forces, row->solves, 1e3 * row->seconds);
    if (row->unconverged > 0 && row->trouble[0] == '\0')
        fprintf(file, " %" PRId64 " steps not converged |\n", row->unconverged);
    else
        fprintf(file, " %s |\n", row->trouble);
}

static void write_table(FILE *file, const bench_table *t)
{
    const bench_situation *s = t->situation;
    char text[32];
    fprintf(file, "\n## %s\n\n%s\nReference: %s.\n", s->name, s->about, s->reference);
    if (s->lesson[0] != '\0')
        fprintf(file, "\n%s\n", s->lesson);
    fprintf(file, "\n| scheme | order, %s | order, %s |", t->columns[0], t->columns[1]);
    for (size_t k = 0; k < t->column_count; k++)
        fprintf(file, " %s |", t->columns[k]);
    fputs(" forces | solves | ms | |\n|---|", file);
    for (size_t k = 0; k < t->column_count + 6; k++)
        fputs("---|", file);
    fputc('\n', file);
    for (size_t k = 0; k < t->fit_count; k++)
        write_line(file, t, &t->fits[k]);
    fprintf(file, "\n%s %zu steps from h = %s", s->prepare != NULL ? "Over" : "Orders over",
            t->row_count / t->fit_count, bench_value_text(text, t->rows[0].h));
    fprintf(file, " to %s s; errors and work at the last.\n",
            bench_value_text(text, t->rows[t->row_count - 1].h));
    fprintf(file, "\n![%s: error against the step](schemes/%s.png)\n", s->name, s->name);
}

static const char head[] =
    "# Schemes in various dynamical situations\n\n"
    "P01 §6 finds no theory for the order of convergence through impacts and asks for benchmarks "
    "\"corresponding to various "
    "dynamical\nsituations\". These are written by `moreau bench schemes -o docs/benchmarks`; `moreau bench "
    "schemes` prints every "
    "step of every\nladder. The schemes are described in [schemes.md](../theory/schemes.md).\n\n"
    "*position*: largest distance from the reference over the steps. *velocity*: Hausdorff distance of the "
    "completed graphs,\n"
    "which forgives a jump at a slightly different time (M99 §6). *energy*: error of kinetic + potential "
    "energy at the end.\n"
    "*violation*: largest −g. *forces*, *solves*, *ms*: evaluations of F, linear solves with M or M + θhC + "
    "θ²h²K, and processor\n"
    "time, of all starts together; times depend on the machine, the other numbers do not. An order is the "
    "slope of log error\n"
    "against log h by least squares; *exact* means rounding, and is not drawn. The graph of the event-driven "
    "scheme has its jumps\n"
    "where it located them; between, it is drawn by chords, hence its order 2 in velocity.\n";

exit_status bench_make_folder(app *a, const char *path)
{
    struct stat about;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &about) == 0 && S_ISDIR(about.st_mode)))
        return EXIT_DONE;
    return app_fail(a, EXIT_SYSTEM, "%s: cannot make the folder: %s", path, strerror(errno));
}

static exit_status write_tables(app *a, const char *folder, const bench_table *tables, size_t count)
{
    char *path = app_format("%s/schemes.md", folder);
    exit_status code = EXIT_DONE;
    errno = 0;
    FILE *file = fopen(path, "w");
    if (file != NULL) {
        fputs(head, file);
        for (size_t k = 0; k < count; k++)
            write_table(file, &tables[k]);
    }
    if (file == NULL || (ferror(file) | fclose(file)) != 0)
        code = app_fail(a, EXIT_SYSTEM, "%s: %s", path, errno != 0 ? strerror(errno) : "write error");
    free(path);
    return code;
}

exit_status bench_write_page(app *a, const char *folder, const bench_table *tables, size_t count)
{
    char *pictures = app_format("%s/schemes", folder);
    exit_status code = bench_make_folder(a, folder);
    if (code == EXIT_DONE)
        code = bench_make_folder(a, pictures);
    free(pictures);
    for (size_t k = 0; k < count && code == EXIT_DONE; k++)
        code = write_picture(a, folder, &tables[k]);
    return code == EXIT_DONE ? write_tables(a, folder, tables, count) : code;
}
