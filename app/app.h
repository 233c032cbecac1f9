/*
 * What the commands of the program share: exit statuses, the table of commands, errors and output.
 */
#ifndef APP_APP_H
#define APP_APP_H

#include <jansson.h>
#include <moreau/record.h>

typedef enum exit_status {
    EXIT_DONE = 0,
    EXIT_UNREACHED = 1, /* the computation did not reach what was asked */
    EXIT_WRONG_USAGE = 2,
    EXIT_BAD_INPUT = 3, /* scene, problem or run file */
    EXIT_SYSTEM = 4,    /* no space, no permission, no memory */
} exit_status;

typedef struct command command;

/* One call of the program. */
typedef struct app {
    const command *command; /* NULL while none is known */
    bool json; /* --json was given: the last line of standard output is an object, whatever happens */
    bool json_written;
    char status[1536]; /* the last error, as in the object's `status` */
} app;

struct command {
    const char *name, *summary;
    exit_status (*main)(app *a, int argc,
                        char **argv); /* arguments after the command; NULL: not in this version */
    const char *help;
};

/* Every command, in the order of the help text; ends with NULL. */
extern const command *const commands[];
extern const command run_command, solve_command, equilibrium_command, info_command, export_command,
    compare_command, view_command, examples_command, bench_command, help_command, sweep_params_command;

const command *command_find(const char *name);
/* Wrong usage: names the nearest command, or says that this one is not in this version. */
exit_status command_missing(app *a, const char *name);

/* ---- errors: one line on standard error, kept for --json; each returns the exit status -------------- */

exit_status app_fail(app *a, exit_status code, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Wrong usage, with a pointer to the command's help. */
exit_status app_usage(app *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A library error: `file:line: key 'k': message`. */
exit_status app_fail_error(app *a, mo_status status, const mo_error *err);
/* Looks whether a file can be read before a library does, so that the message says why not. */
exit_status app_check_readable(app *a, const char *path);
/* Opens a run file; close it with mo_run_close. */
exit_status app_open_run(app *a, const char *path, mo_run **out);
/* True when both paths name one existing file. */
bool app_same_file(const char *path1, const char *path2);

/* Ends the program with exit status 4. */
_Noreturn void app_no_memory(void);
/* Never NULL. */
void *app_calloc(size_t count, size_t size);
char *app_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- JSON on standard output ------------------------------------------------------------------------ */

/* Sets object[key] = value and takes the value; the key as json_text does. */
void json_put(json_t *object, const char *key, json_t *value);
json_t *json_number(double x);         /* null when not finite */
json_t *json_unsigned(uint64_t x);     /* a string of digits from 2^63 on */
json_t *json_text(const char *text);   /* bytes that are not UTF-8 become U+FFFD */
json_t *json_parsed(const char *text); /* an empty object when the text is not an object */
/* Prints the object alone on a line and frees it. */
void json_print(app *a, json_t *object);
/* Shortest text that reads back as the same number; into a buffer of 32. */
const char *number_text(char *buffer, double x);
/* A value of a report or a parameter for people; to be freed. */
char *json_plain(const json_t *value);

#endif
