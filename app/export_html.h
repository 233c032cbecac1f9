/* A run and the page that shows it as one file. */
#ifndef APP_EXPORT_HTML_H
#define APP_EXPORT_HTML_H

#include "app.h"

/* The page (page_path NULL: the program's) with the run file inside, to a path, "-" for standard output. */
exit_status export_html(app *a, const char *run_path, const char *page_path, const char *path);

#endif
