/*
 * Which combinations `moreau sweep-params` runs.
 */
#include "params.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 1000000, MOST_RUNS = 10000000 };

static char *copy(const char *text, size_t length)
{
    return app_format("%.*s", (int)length, text);
}

/* value i of the axis; `count` of them are known beforehand */
static void make_room(axis *x, size_t count)
{
    x->values = app_calloc(count + 1, sizeof *x->values);
    x->count = 0;
}

/* v1,v2,v3 */
static exit_status read_list(app *a, const char *key, const char *text, axis *x)
{
    size_t count = 1;
    for (const char *p = text; *p != '\0'; p++)
        count += *p == ',';
    make_room(x, count);
    for (size_t i = 0; i < count; i++) {
        size_t length = strcspn(text, ",");
        if (length == 0)
            return app_usage(a, "option %s: value %zu of '%s' is empty", key, i + 1, x->name);
        x->values[x->count++] = copy(text, length);
        text += length + 1;
    }
    return EXIT_DONE;
}

/* a:b:n with numbers a and b and a number n, which `count` is when it is whole, otherwise -1; false: it is
   something else */
static bool parse_range(const char *text, double ends[2], int64_t *count)
{
    char *end;
    for (int i = 0; i < 2; i++) {
        ends[i] = strtod(text, &end);
        if (end == text || *end != ':' || isspace((unsigned char)*text) || !isfinite(ends[i]))
            return false;
        text = end + 1;
    }
    (void)strtod(text, &end);
    if (end == text || *end != '\0')
        return false;
    if (!parse_integer(text, count))
        *count = -1;
    return true;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* a value that stands twice would be two runs of the same name */
static exit_status check_once(app *a, const char *key, const axis *x)
{
    char **sorted = app_calloc(x->count + 1, sizeof *sorted);
    exit_status code = EXIT_DONE;
    memcpy(sorted, x->values, x->count * sizeof *sorted);
    qsort(sorted, x->count, sizeof *sorted, by_text);
    for (size_t i = 1; i < x->count && code == EXIT_DONE; i++)
        if (strcmp(sorted[i - 1], sorted[i]) == 0)
            code = app_usage(a, "option %s: '%s' has the value %s twice", key, x->name, sorted[i]);
    free(sorted);
    return code;
}

static void fill_range(axis *x, const double ends[2], size_t n)
{
    make_room(x, n);
    for (size_t i = 0; i < n; i++) {
        char buffer[32];
        double t = n > 1 ? (double)i / (double)(n - 1) : 0;
        double v = i + 1 == n && n > 1 ? ends[1] : ends[0] + t * (ends[1] - ends[0]);
        x->values[x->count++] = app_format("%s", number_text(buffer, v));
    }
}

static exit_status read_values(app *a, const char *text, axis *x)
{
    double ends[2];
    int64_t count;
    if (!parse_range(text, ends, &count))
        return read_list(a, "--set", text, x);
    if (count < 1 || count > MOST_VALUES)
        return app_usage(a, "option --set: %s=%s: expected FROM:TO:COUNT with a whole COUNT from 1 to %d",
                         x->name, text, (int)MOST_VALUES);
    fill_range(x, ends, (size_t)count);
    return EXIT_DONE;
}

static exit_status read_axis(app *a, const char *text, const plan *before, axis *x)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text)
        return app_usage(a, "option --set: found '%s', expected NAME=v1,v2,... or NAME=from:to:count", text);
    x->name = copy(text, (size_t)(equals - text));
    for (size_t i = 0; i < before->count; i++)
        if (strcmp(before->axes[i].name, x->name) == 0)
            return app_usage(a, "option --set: '%s' is given twice; write all its values in one", x->name);
    exit_status code = read_values(a, equals + 1, x);
    return code == EXIT_DONE ? check_once(a, "--set", x) : code;
}

static bool parse_seed(const char *text, size_t length, uint64_t *out)
{
    char digits[24], *end;
    if (length == 0 || length >= sizeof digits || !isdigit((unsigned char)text[0]))
        return false;
    memcpy(digits, text, length);
    digits[length] = '\0';
    errno = 0;
    *out = strtoull(digits, &end, 10);
    return errno == 0 && *end == '\0';
}

/* 1..10 or 1,2,5 */
static exit_status read_seeds(app *a, const char *text, axis *x)
{
    const char *dots = strstr(text, "..");
    uint64_t first, last;
    if (dots != NULL) {
        if (!parse_seed(text, (size_t)(dots - text), &first) ||
            !parse_seed(dots + 2, strlen(dots + 2), &last) || last < first || last - first >= MOST_VALUES)
            return app_usage(
                a, "option --seeds: found '%s', expected FIRST..LAST, FIRST <= LAST, up to a million seeds",
                text);
        make_room(x, (size_t)(last - first + 1));
        for (uint64_t seed = first;; seed++) {
            x->values[x->count++] = app_format("%llu", (unsigned long long)seed);
            if (seed == last)
                return EXIT_DONE;
        }
    }
    exit_status code = read_list(a, "--seeds", text, x);
    for (size_t i = 0; i < x->count && code == EXIT_DONE; i++) {
        if (!parse_seed(x->values[i], strlen(x->values[i]), &first))
            code =
                app_usage(a, "option --seeds: found '%s', expected whole numbers from 0 to 2^64 - 1", text);
    }
    if (code == EXIT_DONE)
        code = check_once(a, "--seeds", x);
    return code;
}

exit_status plan_read(app *a, const arguments *sets, const char *seeds, plan *out)
{
    *out = (plan){.axes = app_calloc(sets->count + 1, sizeof *out->axes), .runs = 1};
    exit_status code = EXIT_DONE;
    for (size_t i = 0; i <= sets->count && code == EXIT_DONE; i++) {
        axis *x = &out->axes[i];
        if (i < sets->count) {
            code = read_axis(a, sets->items[i], out, x);
        } else {
            x->name = app_format("seed");
            code = read_seeds(a, seeds != NULL ? seeds : "1", x);
        }
        out->count++;
        if (code == EXIT_DONE && (double)x->count * (double)out->runs > MOST_RUNS)
            code = app_usage(a, "more than %d combinations", (int)MOST_RUNS);
        if (code == EXIT_DONE)
            out->runs *= x->count;
    }
    return code;
}

void plan_free(plan *p)
{
    for (size_t i = 0; i < p->count; i++) {
        for (size_t k = 0; k < p->axes[i].count; k++)
            free(p->axes[i].values[k]);
        free(p->axes[i].values);
        free(p->axes[i].name);
    }
    free(p->axes);
    *p = (plan){0};
}

const char *plan_value(const plan *p, size_t run, size_t number)
{
    for (size_t i = p->count - 1; i > number; i--)
        run /= p->axes[i].count;
    const axis *x = &p->axes[number];
    return x->values[run % x->count];
}
