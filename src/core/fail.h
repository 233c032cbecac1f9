/*
 * Filling an error: every function that can fail ends in `return fail(err, status, key, "...", ...)`.
 */
#ifndef CORE_FAIL_H
#define CORE_FAIL_H

#include <moreau/base.h>

/* Fills err (when not NULL) and returns status, so that a caller can return it at once. key may be NULL. */
mo_status fail(mo_error *err, mo_status status, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds the place of an error already filled, where none is set yet. */
void fail_at(mo_error *err, const char *file, int line);

#endif
