/*
 * Reads the command line against a table of options.
 */
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool parse_integer(const char *text, int64_t *out)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || isspace((unsigned char)text[0]) || text[0] == '+')
        return false;
    *out = value;
    return true;
}

static exit_status read_real(app *a, const option *o, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || isspace((unsigned char)text[0]) || !isfinite(value) || value < 0)
        return app_usage(a, "option %s: found '%s', expected a number >= 0", o->name, text);
    *(double *)o->target = value;
    return EXIT_DONE;
}

static exit_status read_integer(app *a, const option *o, const char *text)
{
    int64_t value;
    if (parse_integer(text, &value) && value >= o->min && value <= o->max) {
        *(int64_t *)o->target = value;
        return EXIT_DONE;
    }
    if (o->max == INT64_MAX)
        return app_usage(a, "option %s: found '%s', expected a whole number >= %" PRId64, o->name, text,
                         o->min);
    return app_usage(a, "option %s: found '%s', expected a whole number from %" PRId64 " to %" PRId64,
                     o->name, text, o->min, o->max);
}

static exit_status read_seed(app *a, const option *o, const char *text)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno != 0 || !isdigit((unsigned char)text[0]) || *end != '\0')
        return app_usage(a, "option %s: found '%s', expected a whole number from 0 to 2^64 - 1", o->name,
                         text);
    *(uint64_t *)o->target = value;
    return EXIT_DONE;
}

static exit_status read_choice(app *a, const option *o, const char *text)
{
    char hint[128], all[256] = "";
    for (int i = 0; o->choices[i] != NULL; i++) {
        if (strcmp(text, o->choices[i]) == 0) {
            *(int *)o->target = i;
            return EXIT_DONE;
        }
        strncat(all, i > 0 ? ", " : "", sizeof all - strlen(all) - 1);
        strncat(all, o->choices[i], sizeof all - strlen(all) - 1);
    }
    return app_usage(a, "option %s: found '%s', expected one of %s%s", o->name, text, all,
                     nearest_hint(text, o->choices, hint, sizeof hint));
}

static exit_status read_value(app *a, const option *o, const char *text)
{
    if (o->given != NULL)
        *o->given = true;
    switch (o->kind) {
    case OPTION_TEXT:
        *(const char **)o->target = text;
        return text[0] != '\0' ? EXIT_DONE
                               : app_usage(a, "option %s: found nothing, expected a value", o->name);
    case OPTION_LIST: {
        arguments *list = o->target;
        list->items[list->count++] = text;
        return EXIT_DONE;
    }
    case OPTION_REAL:
        return read_real(a, o, text);
    case OPTION_INTEGER:
        return read_integer(a, o, text);
    case OPTION_SEED:
        return read_seed(a, o, text);
    case OPTION_CHOICE:
        return read_choice(a, o, text);
    case OPTION_FLAG:
    case OPTION_LATER:
        break;
    }
    return app_usage(a, "option %s takes no value", o->name);
}

/* the entry whose name is the first `length` bytes of text */
static const option *find_option(const option *table, const char *text, size_t length)
{
    for (const option *o = table; o->name != NULL; o++) {
        if (strlen(o->name) == length && memcmp(o->name, text, length) == 0)
            return o;
    }
    return NULL;
}

static exit_status unknown_option(app *a, const option *table, const char *text, size_t length)
{
    const char *names[32] = {NULL};
    char name[64], hint[128];
    for (size_t i = 0; table[i].name != NULL && i < 31; i++)
        names[i] = table[i].name;
    size_t kept = length < sizeof name ? length : sizeof name - 1;
    memcpy(name, text, kept);
    name[kept] = '\0';
    return app_usage(a, "unknown option '%s'%s", name, nearest_hint(name, names, hint, sizeof hint));
}

/* "-o" then "--json" is a forgotten value, "--frame" then "-1" is not */
static bool looks_like_option(const char *text)
{
    return text[0] == '-' && (text[1] == '-' || isalpha((unsigned char)text[1]));
}

/* reads the option at argv[*i] and its value; *i ends on the last argument used */
static exit_status read_option(app *a, int argc, char **argv, int *i, const option *table)
{
    const char *text = argv[*i], *equals = strchr(text, '=');
    bool is_long = text[1] == '-';
    size_t length = !is_long ? 2 : equals != NULL ? (size_t)(equals - text) : strlen(text);
    const option *o = find_option(table, text, length);
    if (o == NULL)
        return unknown_option(a, table, text, is_long ? length : strlen(text));
    if (o->kind == OPTION_LATER)
        return app_usage(a, "option %s is not available in this version", o->name);
    if (text[length] != '\0')
        return read_value(a, o, text + length + (is_long ? 1 : 0));
    if (o->kind == OPTION_FLAG) {
        *(bool *)o->target = true;
        return EXIT_DONE;
    }
    if (*i + 1 >= argc || looks_like_option(argv[*i + 1]))
        return app_usage(a, "option %s needs a value", o->name);
    return read_value(a, o, argv[++*i]);
}

exit_status options_parse(app *a, int argc, char **argv, const option *table, arguments *positional)
{
    *positional = (arguments){app_calloc((size_t)argc + 1, sizeof(char *)), 0};
    for (const option *o = table; o->name != NULL; o++) {
        if (o->kind == OPTION_LIST)
            *(arguments *)o->target = (arguments){app_calloc((size_t)argc + 1, sizeof(char *)), 0};
    }
    bool options_end = false;
    for (int i = 0; i < argc; i++) {
        exit_status code = EXIT_DONE;
        if (!options_end && strcmp(argv[i], "--") == 0)
            options_end = true;
        else if (!options_end && argv[i][0] == '-' && argv[i][1] != '\0')
            code = read_option(a, argc, argv, &i, table);
        else
            positional->items[positional->count++] = argv[i];
        if (code != EXIT_DONE)
            return code;
    }
    return EXIT_DONE;
}

void arguments_free(arguments *list)
{
    free(list->items);
    *list = (arguments){0};
}
