/*
 * The page that shows runs in a browser: one file, made by `make viewer` and put into the program when it is
 * built, or a file given by --page.
 */
#ifndef APP_PAGE_H
#define APP_PAGE_H

#include "app.h"

typedef struct page {
    const char *bytes;
    size_t size;
    char *owned;
} page;

/* path NULL: the page inside the program.  EXIT_SYSTEM, with what to do, when there is none. */
exit_status page_load(app *a, const char *path, page *out);
void page_free(page *p);

/* Opens the address in the user's browser, where there is a display; says nothing when it cannot. */
void open_browser(const char *address);

#endif
