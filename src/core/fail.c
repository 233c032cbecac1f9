/* Status names and error filling. */
#include "core/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *mo_status_name(mo_status status)
{
    switch (status) {
#define STATUS_CASE(name, text)                                                                              \
    case name:                                                                                               \
        return text;
        MO_STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
    }
    return "unknown status";
}

const char *mo_version(void)
{
    return MO_VERSION;
}

mo_status fail(mo_error *err, mo_status status, const char *key, const char *format, ...)
{
    if (err == NULL)
        return status;
    memset(err, 0, sizeof *err);
    err->status = status;
    if (key != NULL)
        snprintf(err->key, sizeof err->key, "%s", key);
    va_list args;
    va_start(args, format);
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    return status;
}

void fail_at(mo_error *err, const char *file, int line)
{
    if (err == NULL || err->file[0] != '\0')
        return;
    snprintf(err->file, sizeof err->file, "%s", file);
    err->line = line;
}
