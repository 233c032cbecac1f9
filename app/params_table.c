/*
 * The table of results: kept in memory, appended to its file run by run, written anew where a column comes in
 * and at the end.
 */
#include "params.h"
#include "scene_source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIXED_AFTER = 2, MOST_COLUMNS = 100000 }; /* status and scene stand behind the parameters and seed */

static size_t fixed_columns(const params_table *t)
{
    return t->plan->count + FIXED_AFTER;
}

/* ---- columns and rows ------------------------------------------------------------------------------- */

static void *grown(void *items, size_t count, size_t size)
{
    void *more = realloc(items, count * size);
    if (more == NULL)
        app_no_memory();
    return more;
}

static size_t add_column(params_table *t, const char *name)
{
    t->columns = grown(t->columns, t->column_count + 1, sizeof *t->columns);
    t->columns[t->column_count] = app_format("%s", name);
    for (size_t i = 0; i < t->row_count; i++) {
        t->rows[i].cells = grown(t->rows[i].cells, t->column_count + 1, sizeof(char *));
        t->rows[i].cells[t->column_count] = NULL;
    }
    t->changed = true;
    return t->column_count++;
}

static bool is_fixed(const params_table *t, const char *name)
{
    for (size_t i = 0; i < fixed_columns(t); i++)
        if (strcmp(t->columns[i], name) == 0)
            return true;
    return false;
}

/* what a reported column is called: not as one that stands before it */
static char *reported_name(const params_table *t, const char *name)
{
    return app_format("%s%s", is_fixed(t, name) ? "report." : "", name);
}

static size_t find_column(params_table *t, const char *reported)
{
    char *name = reported_name(t, reported);
    size_t i = fixed_columns(t);
    while (i < t->column_count && strcmp(t->columns[i], name) != 0)
        i++;
    if (i == t->column_count)
        i = i < MOST_COLUMNS ? add_column(t, name) : SIZE_MAX;
    free(name);
    return i;
}

static table_row *add_row(params_table *t, size_t run)
{
    if (t->row_count == t->row_room) {
        t->row_room = 2 * t->row_room + 64;
        t->rows = grown(t->rows, t->row_room, sizeof *t->rows);
    }
    table_row *row = &t->rows[t->row_count++];
    *row = (table_row){app_calloc(t->column_count + 1, sizeof(char *)), run};
    return row;
}

static void set_cell(table_row *row, size_t column, char *text)
{
    free(row->cells[column]);
    row->cells[column] = text;
}

static char *scene_text(const plan *p)
{
    return app_format("%016" PRIx64, p->scene);
}

/* ---- reports ---------------------------------------------------------------------------------------- */

static void set_number(params_table *t, size_t row, const char *name, const json_t *value)
{
    char buffer[32];
    size_t column = find_column(t, name);
    if (column == SIZE_MAX)
        return;
    if (json_is_real(value))
        set_cell(&t->rows[row], column, app_format("%s", number_text(buffer, json_real_value(value))));
    else if (json_is_boolean(value))
        set_cell(&t->rows[row], column, app_format("%d", json_is_true(value)));
    else
        set_cell(&t->rows[row], column, app_format("%" JSON_INTEGER_FORMAT, json_integer_value(value)));
}

/* numbers and booleans, arrays entry by entry as name[1], name[2][1]; a number that was not finite leaves its
   column empty */
static void set_entry(params_table *t, size_t row, const char *name, const json_t *value)
{
    if (json_is_number(value) || json_is_boolean(value))
        set_number(t, row, name, value);
    else if (json_is_null(value))
        (void)find_column(t, name);
    for (size_t i = 0; json_is_array(value) && i < json_array_size(value); i++) {
        char *part = app_format("%s[%zu]", name, i + 1);
        set_entry(t, row, part, json_array_get(value, i));
        free(part);
    }
}

static void fill_row(params_table *t, size_t row, size_t run, const json_t *outcome)
{
    size_t n = t->plan->count;
    const char *status = json_string_value(json_object_get(outcome, "status")), *name;
    json_t *report = json_object_get(outcome, "report"), *value;
    for (size_t k = 0; k < n; k++)
        set_cell(&t->rows[row], k, app_format("%s", plan_value(t->plan, run, k)));
    set_cell(&t->rows[row], n, app_format("%s", status != NULL ? status : "no outcome"));
    set_cell(&t->rows[row], n + 1, scene_text(t->plan));
    json_object_foreach(report, name, value) set_entry(t, row, name, value);
}

/* ---- reading ---------------------------------------------------------------------------------------- */

/* the run of the plan that a row is; SIZE_MAX: none */
static size_t run_of(const params_table *t, char *const *cells)
{
    const plan *p = t->plan;
    size_t run = 0;
    char *scene = scene_text(p);
    bool same = cells[p->count + 1] != NULL && strcmp(cells[p->count + 1], scene) == 0;
    free(scene);
    for (size_t k = 0; k < p->count && same; k++) {
        size_t v = 0;
        while (v < p->axes[k].count && strcmp(p->axes[k].values[v], cells[k]) != 0)
            v++;
        same = v < p->axes[k].count;
        run = run * p->axes[k].count + v;
    }
    return same ? run : SIZE_MAX;
}

/* a run that the machine ended, not the scene, is worth another try */
static bool is_final(const char *status)
{
    return strncmp(status, "killed", 6) != 0 && strncmp(status, "no outcome", 10) != 0;
}

static exit_status read_header(app *a, params_table *t, char **cells, size_t count)
{
    bool same = count >= fixed_columns(t) && count <= MOST_COLUMNS;
    for (size_t k = 0; k < fixed_columns(t) && same; k++)
        same = strcmp(cells[k], t->columns[k]) == 0;
    if (!same)
        return app_fail(
            a, EXIT_BAD_INPUT,
            "%s:1: the table has other columns than the parameters given, seed, status, scene; name "
            "another one",
            t->path);
    for (size_t k = fixed_columns(t); k < count; k++) {
        char *name = reported_name(t, cells[k]);
        add_column(t, name);
        free(name);
    }
    return EXIT_DONE;
}

static void read_row(params_table *t, char **cells)
{
    size_t run = run_of(t, cells);
    if (run != SIZE_MAX && (t->done[run] || !is_final(cells[t->plan->count])))
        return;
    table_row *row = add_row(t, run);
    for (size_t k = 0; k < t->column_count; k++)
        row->cells[k] = cells[k][0] != '\0' ? app_format("%s", cells[k]) : NULL;
    if (run != SIZE_MAX)
        t->done[run] = true;
}

/* a last line without a line break was cut off */
static exit_status read_lines(app *a, params_table *t, char *text)
{
    char **cells = app_calloc(MOST_COLUMNS, sizeof *cells);
    bool whole;
    size_t line = 1, count = csv_split(&text, cells, MOST_COLUMNS, &whole);
    exit_status code = read_header(a, t, cells, count);
    while (code == EXIT_DONE && *text != '\0') {
        line++;
        count = csv_split(&text, cells, MOST_COLUMNS, &whole);
        if (whole && count != t->column_count)
            code = app_fail(a, EXIT_BAD_INPUT, "%s:%zu: found %zu cells, expected %zu", t->path, line, count,
                            t->column_count);
        else if (whole)
            read_row(t, cells);
    }
    free(cells);
    return code;
}

static exit_status read_file(app *a, params_table *t)
{
    struct stat kind;
    // a pipe or a device has no end, or none that could be gone on from
    if (stat(t->path, &kind) == 0 && !S_ISREG(kind.st_mode) && !S_ISDIR(kind.st_mode))
        return app_fail(a, EXIT_SYSTEM,
                        "%s: not a regular file; without -o the table goes to standard output", t->path);
    FILE *file = fopen(t->path, "rb");
    if (file == NULL)
        return errno == ENOENT ? EXIT_DONE : app_fail(a, EXIT_SYSTEM, "%s: %s", t->path, strerror(errno));
    size_t used;
    char *text = read_all(file, SIZE_MAX - 1, &used);
    bool failed = ferror(file) != 0;
    fclose(file);
    exit_status code = failed ? app_fail(a, EXIT_SYSTEM, "%s: cannot be read", t->path) : EXIT_DONE;
    if (code == EXIT_DONE && used > 0)
        code = read_lines(a, t, text);
    free(text);
    return code;
}

void table_close(params_table *t)
{
    for (size_t i = 0; i < t->row_count; i++) {
        for (size_t k = 0; k < t->column_count; k++)
            free(t->rows[i].cells[k]);
        free(t->rows[i].cells);
    }
    for (size_t k = 0; k < t->column_count; k++)
        free(t->columns[k]);
    free(t->rows);
    free(t->columns);
    free(t->done);
    *t = (params_table){0};
}

/* ---- writing ---------------------------------------------------------------------------------------- */

static void write_all(const params_table *t, FILE *file)
{
    csv_write(file, t->columns, t->column_count);
    for (size_t i = 0; i < t->row_count; i++)
        csv_write(file, t->rows[i].cells, t->column_count);
}

/* closes the file; whether everything was written */
static exit_status close_written(app *a, const char *path, FILE *file)
{
    bool failed = ferror(file) != 0;
    errno = 0;
    if (fclose(file) == 0 && !failed)
        return EXIT_DONE;
    return app_fail(a, EXIT_SYSTEM, "%s: %s", path, errno != 0 ? strerror(errno) : "write error");
}

/* beside the old one, which it replaces when it is complete */
static exit_status write_file(app *a, params_table *t)
{
    char *beside = app_format("%s.part", t->path);
    FILE *file = fopen(beside, "wb");
    if (file == NULL) {
        exit_status code = app_fail(a, EXIT_SYSTEM, "%s: %s", beside, strerror(errno));
        free(beside);
        return code;
    }
    write_all(t, file);
    exit_status code = close_written(a, beside, file);
    if (code == EXIT_DONE && rename(beside, t->path) != 0)
        code = app_fail(a, EXIT_SYSTEM, "%s: %s", t->path, strerror(errno));
    if (code != EXIT_DONE)
        unlink(beside);
    t->changed = code != EXIT_DONE;
    free(beside);
    return code;
}

static exit_status append_row(app *a, const params_table *t, size_t row)
{
    FILE *file = fopen(t->path, "ab");
    if (file == NULL)
        return app_fail(a, EXIT_SYSTEM, "%s: %s", t->path, strerror(errno));
    csv_write(file, t->rows[row].cells, t->column_count);
    return close_written(a, t->path, file);
}

exit_status table_add(app *a, params_table *t, size_t run, const json_t *outcome)
{
    size_t row = t->row_count;
    add_row(t, run);
    fill_row(t, row, run, outcome);
    t->done[run] = true;
    if (t->path == NULL)
        return EXIT_DONE;
    return t->changed ? write_file(a, t) : append_row(a, t, row);
}

exit_status table_open(app *a, const plan *p, const char *path, params_table *out)
{
    *out = (params_table){.plan = p, .path = path, .done = app_calloc(p->runs + 1, sizeof(bool))};
    for (size_t k = 0; k < p->count; k++)
        add_column(out, p->axes[k].name);
    add_column(out, "status");
    add_column(out, "scene");
    if (path == NULL)
        return EXIT_DONE;
    /* what cannot be written is told before anything runs */
    exit_status code = read_file(a, out);
    return code == EXIT_DONE ? write_file(a, out) : code;
}

static int compare_rows(const void *pa, const void *pb)
{
    const table_row *a = pa, *b = pb;
    return (a->run > b->run) - (a->run < b->run);
}

/* rows of the plan in its order, then the others as they stand */
static void sort_rows(params_table *t)
{
    size_t kept = 0;
    table_row *sorted = app_calloc(t->row_count + 1, sizeof *sorted);
    for (size_t i = 0; i < t->row_count; i++)
        if (t->rows[i].run != SIZE_MAX)
            sorted[kept++] = t->rows[i];
    qsort(sorted, kept, sizeof *sorted, compare_rows);
    for (size_t i = 0; i < t->row_count; i++)
        if (t->rows[i].run == SIZE_MAX)
            sorted[kept++] = t->rows[i];
    free(t->rows);
    t->rows = sorted;
    t->row_room = t->row_count + 1;
}

/* moves column `from` to the place of an earlier one */
static void move_column(char **cells, size_t from, size_t to)
{
    char *moved = cells[from];
    memmove(cells + to + 1, cells + to, (from - to) * sizeof *cells);
    cells[to] = moved;
}

/* first of the sorted rows that has something in this column */
static size_t first_row(const params_table *t, size_t column)
{
    size_t i = 0;
    while (i < t->row_count && t->rows[i].cells[column] == NULL)
        i++;
    return i;
}

/* columns by the first row that has them: the same whichever run ended first */
static void sort_columns(params_table *t)
{
    size_t *first = app_calloc(t->column_count + 1, sizeof *first);
    for (size_t k = fixed_columns(t); k < t->column_count; k++) {
        size_t rank = first_row(t, k), to = k;
        while (to > fixed_columns(t) && first[to - 1] > rank)
            to--;
        memmove(first + to + 1, first + to, (k - to) * sizeof *first);
        first[to] = rank;
        move_column(t->columns, k, to);
        for (size_t i = 0; i < t->row_count && to < k; i++)
            move_column(t->rows[i].cells, k, to);
    }
    free(first);
}

exit_status table_finish(app *a, params_table *t)
{
    sort_rows(t);
    sort_columns(t);
    if (t->path != NULL)
        return write_file(a, t);
    if (!a->json)
        write_all(t, stdout);
    return EXIT_DONE;
}

size_t table_failed(const params_table *t)
{
    size_t failed = 0;
    for (size_t i = 0; i < t->row_count; i++)
        failed += t->rows[i].run != SIZE_MAX && strcmp(t->rows[i].cells[t->plan->count], "ok") != 0;
    return failed;
}

/* what reads as a number is one */
static json_t *cell_json(const char *text)
{
    char *end;
    int64_t whole;
    if (text == NULL)
        return json_null();
    if (parse_integer(text, &whole))
        return json_integer(whole);
    double x = strtod(text, &end);
    return *end == '\0' && end != text ? json_number(x) : json_text(text);
}

/* status and scene */
static bool is_text(const params_table *t, size_t column)
{
    return column == t->plan->count || column == t->plan->count + 1;
}

json_t *table_json(const params_table *t)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < t->row_count; i++) {
        json_t *row = json_object();
        for (size_t k = 0; k < t->column_count && t->rows[i].run != SIZE_MAX; k++)
            json_put(row, t->columns[k],
                     is_text(t, k) ? json_text(t->rows[i].cells[k]) : cell_json(t->rows[i].cells[k]));
        if (json_object_size(row) > 0)
            json_array_append(rows, row);
        json_decref(row);
    }
    return rows;
}
