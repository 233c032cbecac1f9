/*
 * Errors of the program: one line on standard error, kept for the JSON object.
 */
#include "app.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void say(app *a, const char *format, va_list args)
{
    vsnprintf(a->status, sizeof a->status, format, args);
    fprintf(stderr, "moreau: %s\n", a->status);
}

exit_status app_fail(app *a, exit_status code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(a, format, args);
    va_end(args);
    return code;
}

exit_status app_usage(app *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(a, format, args);
    va_end(args);
    if (a->command != NULL && a->command != &help_command)
        fprintf(stderr, "try: moreau help %s\n", a->command->name);
    else
        fprintf(stderr, "try: moreau --help\n");
    return EXIT_WRONG_USAGE;
}

static exit_status exit_status_of(mo_status status)
{
    switch (status) {
    case MO_OK:
        return EXIT_DONE;
    case MO_USAGE:
        return EXIT_WRONG_USAGE;
    case MO_BAD_INPUT:
    case MO_BAD_FILE:
        return EXIT_BAD_INPUT;
    case MO_NO_MEMORY:
    case MO_IO:
        return EXIT_SYSTEM;
    case MO_STOPPED:
        return EXIT_UNREACHED;
    }
    return EXIT_SYSTEM;
}

exit_status app_fail_error(app *a, mo_status status, const mo_error *err)
{
    char place[320] = "", key[96] = "";
    if (err->file[0] != '\0' && err->line > 0)
        snprintf(place, sizeof place, "%s:%d: ", err->file, err->line);
    else if (err->file[0] != '\0')
        snprintf(place, sizeof place, "%s: ", err->file);
    if (err->key[0] != '\0')
        snprintf(key, sizeof key, "key '%s': ", err->key);
    const char *message = err->message[0] != '\0' ? err->message : mo_status_name(status);
    return app_fail(a, exit_status_of(status), "%s%s%s", place, key, message);
}

exit_status app_check_readable(app *a, const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0) {
        bool absent = errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG;
        return app_fail(a, absent ? EXIT_BAD_INPUT : EXIT_SYSTEM, "%s: %s", path, strerror(errno));
    }
    if (S_ISDIR(about.st_mode))
        return app_fail(a, EXIT_BAD_INPUT, "%s: a folder, expected a file", path);
    if (access(path, R_OK) != 0)
        return app_fail(a, EXIT_SYSTEM, "%s: %s", path, strerror(errno));
    return EXIT_DONE;
}

exit_status app_open_run(app *a, const char *path, mo_run **out)
{
    mo_error err = {0};
    struct stat about;
    exit_status code = app_check_readable(a, path);
    if (code != EXIT_DONE)
        return code;
    // opening a pipe would wait for somebody to write to it
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return app_fail(a, EXIT_BAD_INPUT, "%s: not a regular file, expected a run file", path);
    mo_status status = mo_run_open(path, out, &err);
    if (status != MO_OK && err.file[0] == '\0')
        snprintf(err.file, sizeof err.file, "%s", path);
    return status == MO_OK ? EXIT_DONE : app_fail_error(a, status, &err);
}

bool app_same_file(const char *path1, const char *path2)
{
    struct stat about1, about2;
    return stat(path1, &about1) == 0 && stat(path2, &about2) == 0 && about1.st_dev == about2.st_dev &&
           about1.st_ino == about2.st_ino;
}

_Noreturn void app_no_memory(void)
{
    fputs("moreau: out of memory\n", stderr);
    exit(EXIT_SYSTEM);
}

void *app_calloc(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL)
        app_no_memory();
    return memory;
}

char *app_format(const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    size_t size = length < 0 ? 1 : (size_t)length + 1;
    char *text = app_calloc(size, 1);
    vsnprintf(text, size, format, again);
    va_end(again);
    return text;
}
