/*
 * What `moreau info` says about worlds, about the runs of points and about problems.
 */
#ifndef APP_INFO_H
#define APP_INFO_H

#include "app.h"

/* "label  name = value" for each member of an object. */
void info_print_values(const char *label, const char *object_json);
/* "series  t, name, ... (n rows)" */
void info_print_series(const mo_run_info *info);
/* Puts the keys that every run has, up to and with `steps`. */
void info_put_common(json_t *object, const char *path, const mo_run_info *info);
/* Puts the observed columns, the report and the number of plots. */
void info_put_end(json_t *object, const mo_run_info *info);
/* How many plots the scene made. */
size_t info_plots(const mo_run_info *info);

/* A sweep or system. */
exit_status info_describe_path(app *a, const char *path, mo_run *run);

/* A file that mo_problem_probe takes for a problem. */
exit_status info_describe_problem(app *a, const char *path);

#endif
