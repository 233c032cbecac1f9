/*
 * Command-line options: a table per command, checked values, and the nearest name for a mistyped one.
 */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include "app.h"

typedef struct arguments {
    const char **items;
    size_t count;
} arguments;

typedef enum option_kind {
    OPTION_FLAG,    /* bool * */
    OPTION_TEXT,    /* const char ** */
    OPTION_LIST,    /* arguments *: may be given many times */
    OPTION_REAL,    /* double *: finite, >= 0 */
    OPTION_INTEGER, /* int64_t *: in [min, max] */
    OPTION_SEED,    /* uint64_t * */
    OPTION_CHOICE,  /* int *: index into choices */
    OPTION_LATER,   /* not in this version */
} option_kind;

typedef struct option {
    const char *name; /* "--set", "-o" */
    option_kind kind;
    void *target;
    int64_t min, max;
    const char *const *choices; /* ends with NULL */
    bool *given;                /* may be NULL */
} option;

/*
 * Fills the targets and collects what is not an option; the table ends with a NULL name.  `-h` and `--help`
 * belong to the table.  EXIT_DONE, or wrong usage already reported.  Free the lists with arguments_free in
 * either case.
 */
exit_status options_parse(app *a, int argc, char **argv, const option *table, arguments *positional);
void arguments_free(arguments *list);

/* The candidate a mistyped name most likely means, or NULL. */
const char *nearest_name(const char *name, const char *const *candidates);
/* "; did you mean 'run'?" or "" into a buffer. */
const char *nearest_hint(const char *name, const char *const *candidates, char *buffer, size_t size);

/* A whole number with nothing after it. */
bool parse_integer(const char *text, int64_t *out);

#endif
