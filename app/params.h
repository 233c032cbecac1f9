/*
 * `moreau sweep-params`: the plan (which combinations), the table of results, and the processes that run
 * them.
 */
#ifndef APP_PARAMS_H
#define APP_PARAMS_H

#include "options.h"

/* ---- params_plan.c ---------------------------------------------------------------------------------- */

/* One parameter and the values it takes, as texts of the command line. */
typedef struct axis {
    char *name;
    char **values;
    size_t count;
} axis;

/* Every combination of the axes with every seed: seeds change fastest, then the last axis. */
typedef struct plan {
    axis *axes; /* [count], the last one is that of the seeds, named "seed" */
    size_t count;
    size_t runs;
    uint64_t scene; /* hash of the scene's text and of what else decides a run */
} plan;

/* NAME=v1,v2 or NAME=a:b:n of each --set, seeds as 1..10 or 1,2,5 (NULL: 1). */
exit_status plan_read(app *a, const arguments *sets, const char *seeds, plan *out);
void plan_free(plan *p);
/* Text that an axis has in this run. */
const char *plan_value(const plan *p, size_t run, size_t number);

/* ---- params_table.c --------------------------------------------------------------------------------- */

/*
 * Rows of texts under named columns.  The first columns are the parameters, then seed, status and scene (the
 * plan's hash, 16 hexadecimal digits); the rest are numbers of reports, in the order in which they came.
 */
typedef struct table_row {
    char **cells; /* [columns], NULL: empty */
    size_t run;   /* of the plan, SIZE_MAX: of another one */
} table_row;

typedef struct params_table {
    const plan *plan;
    const char *path; /* NULL: standard output, at the end */
    char **columns;
    size_t column_count;
    table_row *rows;
    size_t row_count, row_room;
    bool *done;   /* [plan.runs]: is in the params_table */
    bool changed; /* the file's first line is not the present one */
} params_table;

/* Makes an empty table, or reads the one at `path` and finds what is done already. */
exit_status table_open(app *a, const plan *p, const char *path, params_table *out);
void table_close(params_table *t);
/* Adds the outcome of a run (the object of `run --json`, status at least) and writes it to the file. */
exit_status table_add(app *a, params_table *t, size_t run, const json_t *outcome);
/* Writes the whole table, rows of the plan first and in its order. */
exit_status table_finish(app *a, params_table *t);
/* Rows of the plan whose status is not "ok". */
size_t table_failed(const params_table *t);
/* Rows of the plan as an array of objects. */
json_t *table_json(const params_table *t);

/* ---- params_csv.c ----------------------------------------------------------------------------------- */

/* Cells of the line at *text, which is changed; *text moves behind it.  Returns how many, at most `most`;
 *whole: the line ended with a line break. */
size_t csv_split(char **text, char **cells, size_t most, bool *whole);
/* Writes one line; NULL cells are empty. */
void csv_write(FILE *file, char *const *cells, size_t count);

/* ---- params_jobs.c ---------------------------------------------------------------------------------- */

typedef struct jobs_request {
    const char *scene;            /* as on the command line */
    const char *const *arguments; /* [argument_count], passed on to every run */
    size_t argument_count;
    size_t at_once;
    bool quiet;
} jobs_request;

/* Runs what the table does not have.  *interrupted: by Ctrl-C; children are gone, rows so far are kept. */
exit_status jobs_run(app *a, const jobs_request *request, params_table *t, bool *interrupted);

#endif
