/* Tables of programs beside each other: for people, as JSON, as CSV and as a picture. */
#include "bench_peers.h"
#include "bench_report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns -------------------------------------------------------------------------------------- */

typedef struct column {
    const char *key, *head; /* in JSON and CSV; for people, with the unit; NULL: not for people */
    double (*value)(const peers_table *t, const peers_row *row);
    const char *format;
    bool piles, cubes, slopes; /* scenes whose table for people has it */
} column;

static double ms(const peers_table *t, const peers_row *r)
{
    (void)t;
    return r->found.ms;
}
static double spread(const peers_table *t, const peers_row *r)
{
    (void)t;
    return r->found.spread;
}
static double cost(const peers_table *t, const peers_row *r)
{
    (void)t;
    return r->found.cost;
}
// where a program does not count contacts, what overlaps
static double contacts(const peers_table *t, const peers_row *r)
{
    (void)t;
    return r->result.contacts > 0 ? r->result.contacts : (double)r->found.overlaps.count;
}
static double iterations(const peers_table *t, const peers_row *r)
{
    (void)t;
    return r->result.iterations;
}
static double per_contact(const peers_table *t, const peers_row *r)
{
    (void)t;
    return r->found.per_contact;
}
static double overlap_max(const peers_table *t, const peers_row *r)
{
    (void)t;
    return 100 * r->found.overlaps.max;
}
static double overlap_mean(const peers_table *t, const peers_row *r)
{
    return t->round ? 100 * r->found.overlaps.mean : (double)NAN;
}
static double lost(const peers_table *t, const peers_row *r)
{
    (void)t;
    return (double)r->found.overlaps.lost;
}
static double drift(const peers_table *t, const peers_row *r)
{
    return t->scene.resting ? r->found.drift : (double)NAN;
}
static double top_drift(const peers_table *t, const peers_row *r)
{
    return t->scene.resting ? hypot(r->found.top[0], r->found.top[1]) : (double)NAN;
}
static double top_sag(const peers_table *t, const peers_row *r)
{
    return t->scene.resting ? r->found.top[2] : (double)NAN;
}
static double creep(const peers_table *t, const peers_row *r)
{
    (void)t;
    return r->found.expected == 0 ? r->found.reached : (double)NAN;
}
static double distance_error(const peers_table *t, const peers_row *r)
{
    (void)t;
    return r->found.expected > 0 ? r->found.reached / r->found.expected - 1 : (double)NAN;
}
static double kinetic(const peers_table *t, const peers_row *r)
{
    (void)t;
    return r->found.kinetic;
}
static double residual(const peers_table *t, const peers_row *r)
{
    (void)t;
    return r->found.residual;
}
static double law(const peers_table *t, const peers_row *r)
{
    (void)t;
    return r->found.law;
}
static double settled(const peers_table *t, const peers_row *r)
{
    (void)t;
    return r->result.settle_seconds;
}
static double times(const peers_table *t, const peers_row *r)
{
    (void)t;
    return r->times;
}

static const column columns[] = {
    {"ms_per_step", "ms/step", ms, "%.3f", true, true, true},
    {"spread", "+-", spread, "%.2f", true, true, true},
    {"cost_per_second", "s/s", cost, "%.2f", true, false, false},
    {"contacts", "contacts", contacts, "%.0f", true, true, true},
    {"iterations", "it", iterations, "%.1f", true, true, true},
    {"ns_per_contact_iteration", "ns/c/it", per_contact, "%.1f", true, true, true},
    {"overlap_max_percent", "max %", overlap_max, "%.3f", true, true, true},
    {"overlap_mean_percent", "mean %", overlap_mean, "%.4f", true, false, false},
    {"lost", "lost", lost, "%.0f", true, true, true},
    {"drift", "drift", drift, "%.1e", true, false, false},
    {"top_drift", "top", top_drift, "%.1e", false, true, false},
    {"top_sag", "sag", top_sag, "%.1e", false, true, false},
    {"creep", "creep m", creep, "%.1e", false, false, true},
    {"distance_error", "error", distance_error, "%.1e", false, false, true},
    {"kinetic", NULL, kinetic, "%.1e", false, false, false},
    {"residual", "residual", residual, "%.1e", true, true, true},
    {"residual_law", "law", law, "%.1e", true, true, true},
    {"settle_seconds", NULL, settled, "%.2f", false, false, false},
    {"times_ours", "times", times, "%.2f", true, true, true},
};

enum { COLUMNS = sizeof columns / sizeof columns[0] };

static bool is_shown(const peers_table *t, const column *c)
{
    const bool slope = t->scene.gravity[0] != 0;
    return c->head != NULL && (t->round ? c->piles : slope ? c->slopes : c->cubes);
}

/* ---- for people ----------------------------------------------------------------------------------- */

static void print_row(const peers_table *t, const peers_row *row)
{
    printf("%-8s %-15s", row->result.program, row->result.setting);
    if (row->trouble[0] != '\0') {
        printf("  %s\n", row->trouble);
        return;
    }
    for (size_t k = 0; k < COLUMNS; k++) {
        if (!is_shown(t, &columns[k]))
            continue;
        const double value = columns[k].value(t, row);
        char text[32] = "-";
        if (isfinite(value))
            snprintf(text, sizeof text, columns[k].format, value);
        printf(" %8s", text);
    }
    printf("%s%s\n", row->result.note[0] != '\0' ? "  " : "", row->result.note);
}

static void print_stages(const peers_row *row)
{
    double total = 0;
    for (size_t k = 0; k < row->result.stage_count; k++)
        total += row->result.stages[k].seconds;
    printf("stages of %s %s:", row->result.program, row->result.setting);
    for (size_t k = 0; k < row->result.stage_count; k++)
        printf(" %s %.3f ms (%.0f %%)", row->result.stages[k].name, 1e3 * row->result.stages[k].seconds,
               total > 0 ? 100 * row->result.stages[k].seconds / total : 0);
    putchar('\n');
}

void peers_print(const peers_table *t)
{
    printf("%s: %zu bodies, h %g s, %zu steps after %zu\n%-8s %-15s", t->scene.name, t->scene.body_count,
           t->scene.h, t->scene.steps, t->scene.settle, "program", "setting");
    for (size_t k = 0; k < COLUMNS; k++)
        if (is_shown(t, &columns[k]))
            printf(" %8s", columns[k].head);
    putchar('\n');
    for (size_t k = 0; k < t->count; k++)
        print_row(t, &t->rows[k]);
    for (size_t k = 0; k < t->count; k++)
        if (t->rows[k].result.stage_count > 0)
            print_stages(&t->rows[k]);
    putchar('\n');
}

/* ---- JSON ----------------------------------------------------------------------------------------- */

static json_t *stages_json(const peer_result *r)
{
    json_t *stages = json_array();
    double total = 0;
    for (size_t k = 0; k < r->stage_count; k++)
        total += r->stages[k].seconds;
    for (size_t k = 0; k < r->stage_count; k++) {
        json_t *o = json_object();
        json_put(o, "stage", json_text(r->stages[k].name));
        json_put(o, "ms_per_step", json_number(1e3 * r->stages[k].seconds));
        json_put(o, "share", json_number(r->stages[k].seconds / total));
        json_array_append_new(stages, o);
    }
    return stages;
}

static json_t *row_json(const peers_table *t, const peers_row *row)
{
    json_t *o = json_object();
    json_put(o, "program", json_text(row->result.program));
    json_put(o, "version", json_text(row->result.version));
    json_put(o, "setting", json_text(row->result.setting));
    json_put(o, "trouble", json_text(row->trouble));
    for (size_t k = 0; k < COLUMNS && row->trouble[0] == '\0'; k++)
        json_put(o, columns[k].key, json_number(columns[k].value(t, row)));
    json_put(o, "note", json_text(row->result.note));
    if (row->result.stage_count > 0)
        json_put(o, "stages", stages_json(&row->result));
    return o;
}

json_t *peers_json(const peers_table *t)
{
    json_t *o = json_object(), *rows = json_array();
    json_put(o, "case", json_text(t->scene.name));
    json_put(o, "bodies", json_unsigned(t->scene.body_count));
    json_put(o, "h", json_number(t->scene.h));
    json_put(o, "settle", json_unsigned(t->scene.settle));
    json_put(o, "steps", json_unsigned(t->scene.steps));
    for (size_t k = 0; k < t->count; k++)
        json_array_append_new(rows, row_json(t, &t->rows[k]));
    json_put(o, "rows", rows);
    return o;
}

/* ---- CSV ------------------------------------------------------------------------------------------ */

// a text without what would end its field
static void write_field(FILE *file, const char *text)
{
    for (; *text != '\0'; text++)
        fputc(*text == ',' || *text == '"' || *text == '\n' ? ';' : *text, file);
}

static void write_rows(FILE *file, const void *table)
{
    const peers_table *t = table;
    fputs("case,bodies,program,version,setting", file);
    for (size_t k = 0; k < COLUMNS; k++)
        fprintf(file, ",%s", columns[k].key);
    fputs(",note\n", file);
    for (size_t i = 0; i < t->count; i++) {
        const peers_row *row = &t->rows[i];
        fprintf(file, "%s,%zu,%s,%s,%s", t->scene.name, t->scene.body_count, row->result.program,
                row->result.version, row->result.setting);
        for (size_t k = 0; k < COLUMNS; k++) {
            const double value = row->trouble[0] == '\0' ? columns[k].value(t, row) : (double)NAN;
            fputc(',', file);
            if (isfinite(value))
                fprintf(file, "%.6g", value);
        }
        fputc(',', file);
        write_field(file, row->trouble[0] != '\0' ? row->trouble : row->result.note);
        fputc('\n', file);
    }
}

exit_status bench_write_file(app *a, const char *path, void (*write)(FILE *file, const void *table),
                             const void *table)
{
    errno = 0;
    FILE *file = fopen(path, "w");
    if (file != NULL)
        write(file, table);
    if (file == NULL || (ferror(file) | fclose(file)) != 0)
        return app_fail(a, EXIT_SYSTEM, "%s: %s", path, errno != 0 ? strerror(errno) : "write error");
    return EXIT_DONE;
}

exit_status peers_write_csv(app *a, const char *path, const peers_table *t)
{
    return bench_write_file(a, path, write_rows, t);
}

/* ---- pictures ------------------------------------------------------------------------------------- */

typedef struct panel {
    const char *title, *label;
    double (*value)(const peers_table *t, const peers_row *row);
} panel;

// one point per program and setting: time against what is left wrong
static json_t *panel_json(const peers_table *t, const panel *p)
{
    json_t *plot = json_object(), *curves = json_array();
    for (size_t k = 0; k < t->count; k++) {
        const peers_row *row = &t->rows[k];
        const double y = row->trouble[0] == '\0' ? fabs(p->value(t, row)) : (double)NAN;
        if (!(y > 0) || !isfinite(y) || !(row->found.ms > 0))
            continue;
        json_t *curve = json_object();
        char *name = app_format("%s %s", row->result.program, row->result.setting);
        json_put(curve, "name", json_text(name));
        json_put(curve, "x", json_pack("[f]", row->found.ms));
        json_put(curve, "y", json_pack("[f]", y));
        json_put(curve, "style", json_text("points"));
        json_array_append_new(curves, curve);
        free(name);
    }
    char *title = app_format("%s, %zu bodies: %s", t->scene.name, t->scene.body_count, p->title);
    json_put(plot, "title", json_text(title));
    json_put(plot, "x", bench_axis("processor time, ms a step"));
    json_put(plot, "y", bench_axis(p->label));
    json_put(plot, "equal", json_false());
    json_put(plot, "curves", curves);
    free(title);
    return plot;
}

exit_status peers_write_plot(app *a, const char *path, const peers_table *t)
{
    static const panel panels[] = {{"overlap", "largest overlap, %", overlap_max},
                                   {"residual", "residual of the law", law},
                                   {"drift", "drift over the measured steps", drift},
                                   {"distance", "relative error of the distance", distance_error}};
    json_t *plots = json_array();
    for (size_t k = 0; k < sizeof panels / sizeof panels[0]; k++) {
        json_t *plot = panel_json(t, &panels[k]);
        if (json_array_size(json_object_get(plot, "curves")) > 0)
            json_array_append_new(plots, plot);
        else
            json_decref(plot);
    }
    if (json_array_size(plots) > 0)
        return bench_draw_plots(a, plots, path);
    json_decref(plots);
    return EXIT_DONE;
}
