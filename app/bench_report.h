/* What `moreau bench` says: tables for people and programs, and a page with pictures. */
#ifndef APP_BENCH_REPORT_H
#define APP_BENCH_REPORT_H

#include "app.h"
#include "bench/bench.h"

/* What an order is called in a table: a number, "exact" or "-"; into a buffer of 32. */
const char *bench_order_text(char *buffer, const bench_fit *fit, int column);
/* "1.2e-03", or "-" when there is none; into a buffer of 32. */
const char *bench_value_text(char *buffer, double value);

void bench_print(const bench_table *table);
json_t *bench_json(const bench_table *table);
/* FOLDER/schemes.md with the tables, and a picture of each in FOLDER/schemes. */
exit_status bench_write_page(app *a, const char *folder, const bench_table *tables, size_t count);

/* A logarithmic axis of a plot. */
json_t *bench_axis(const char *label);
/* A picture of plots as in docs/format.md, which are freed; SVG or PNG by its name. */
exit_status bench_draw_plots(app *a, json_t *plots, const char *path);
/* EXIT_DONE when it is there already. */
exit_status bench_make_folder(app *a, const char *path);

#endif
