/* Plots from JSON.  The text may come from anywhere: everything is checked before it is used. */
#include "draw/plots.h"

#include "core/fail.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the parser is, and what of the room is taken. */
typedef struct place {
    char key[80];
    size_t curves, numbers, points;
} place;

static mo_status wrong(mo_error *err, const place *at, const char *key, const char *expected)
{
    char full[128];
    snprintf(full, sizeof full, "%s%s%s", at->key, key[0] != '\0' ? "." : "", key);
    return fail(err, MO_BAD_FILE, full, "found something else, expected %s", expected);
}

/* ---- values ----------------------------------------------------------------------------------------- */

/* "" when there is none */
static mo_status text_of(const json_t *object, const char *key, const char **out, const place *at,
                         mo_error *err)
{
    const json_t *value = json_object_get(object, key);
    *out = value == NULL ? "" : json_string_value(value);
    return *out != NULL ? MO_OK : wrong(err, at, key, "a text");
}

/* false when there is none */
static mo_status flag_of(const json_t *object, const char *key, bool *out, const place *at, mo_error *err)
{
    const json_t *value = json_object_get(object, key);
    *out = json_is_true(value);
    return value == NULL || json_is_boolean(value) ? MO_OK : wrong(err, at, key, "true or false");
}

static mo_status axis_of(const json_t *plot, const char *key, figure_axis *out, const place *at,
                         mo_error *err)
{
    const json_t *value = json_object_get(plot, key);
    *out = (figure_axis){.label = ""};
    if (value != NULL && !json_is_object(value))
        return wrong(err, at, key, "an object with label, log and down");
    place inner = *at;
    snprintf(inner.key, sizeof inner.key, "%.60s.%s", at->key, key);
    mo_status status = text_of(value, "label", &out->label, &inner, err);
    if (status == MO_OK)
        status = flag_of(value, "log", &out->log, &inner, err);
    if (status == MO_OK)
        status = flag_of(value, "down", &out->down, &inner, err);
    return status;
}

static mo_status style_of(const json_t *curve, curve_style *out, const place *at, mo_error *err)
{
    static const char *const names[] = {"line",   "points", "both",
                                        "dashed", "arrows", "discs"}; /* as curve_style */
    const char *name;
    mo_status status = text_of(curve, "style", &name, at, err);
    *out = CURVE_LINE;
    if (status != MO_OK || name[0] == '\0')
        return status;
    for (int k = 0; k < CURVE_STYLES; k++)
        if (strcmp(name, names[k]) == 0) {
            *out = (curve_style)k;
            return MO_OK;
        }
    return wrong(err, at, "style", "line, points, both, dashed, arrows or discs");
}

/* numbers of an array, NaN for null */
static mo_status numbers_of(const json_t *array, const char *key, double *out, const place *at, mo_error *err)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *value = json_array_get(array, i);
        if (!json_is_number(value) && !json_is_null(value))
            return wrong(err, at, key, "numbers, or null for none");
        out[i] = json_is_null(value) ? (double)NAN : json_number_value(value);
    }
    return MO_OK;
}

/* numbers beside x and y, as many; NULL when there are none */
static mo_status more_of(const json_t *curve, const char *key, size_t count, plots *p, place *at,
                         const double **out, mo_error *err)
{
    const json_t *array = json_object_get(curve, key);
    *out = NULL;
    if (array == NULL)
        return MO_OK;
    if (!json_is_array(array) || json_array_size(array) != count)
        return wrong(err, at, key, "as many numbers as in x");
    double *numbers = p->numbers + at->numbers;
    at->numbers += count;
    *out = numbers;
    return numbers_of(array, key, numbers, at, err);
}

/* what the style asks for, and error bars */
static mo_status extras_of(const json_t *curve, figure_curve *out, plots *p, place *at, mo_error *err)
{
    const struct {
        const char *key;
        const double **target;
        bool needed;
    } extras[] = {{"error", &out->error, false},
                  {"dx", &out->dx, out->style == CURVE_ARROWS},
                  {"dy", &out->dy, out->style == CURVE_ARROWS},
                  {"size", &out->size, out->style == CURVE_DISCS}};
    for (size_t i = 0; i < sizeof extras / sizeof *extras; i++) {
        mo_status status = more_of(curve, extras[i].key, out->line.count, p, at, extras[i].target, err);
        if (status != MO_OK)
            return status;
        if (extras[i].needed && *extras[i].target == NULL)
            return wrong(err, at, extras[i].key, "numbers, since the style needs them");
    }
    return MO_OK;
}

/* ---- structure -------------------------------------------------------------------------------------- */

static mo_status curve_of(const json_t *curve, plots *p, place *at, mo_error *err)
{
    const json_t *x = json_object_get(curve, "x"), *y = json_object_get(curve, "y");
    size_t count = json_array_size(x);
    if (!json_is_array(x) || !json_is_array(y) || json_array_size(y) != count)
        return wrong(err, at, "", "a curve with arrays x and y of the same length");
    at->points += count;
    if (at->points > PLOTS_POINTS)
        return wrong(err, at, "x", "at most 100000 points in all curves");
    figure_curve *out = &p->curves[at->curves++];
    double *numbers = p->numbers + at->numbers;
    at->numbers += 2 * count;
    out->line = (chart_line){numbers, numbers + count, count, 1, 1};
    mo_status status = text_of(curve, "name", &out->name, at, err);
    if (status == MO_OK)
        status = style_of(curve, &out->style, at, err);
    if (status == MO_OK)
        status = numbers_of(x, "x", numbers, at, err);
    if (status == MO_OK)
        status = numbers_of(y, "y", numbers + count, at, err);
    if (status == MO_OK)
        status = extras_of(curve, out, p, at, err);
    return status;
}

static mo_status plot_of(const json_t *plot, plots *p, size_t index, place *at, mo_error *err)
{
    figure_plot *out = &p->figure.plots[index];
    const json_t *curves = json_object_get(plot, "curves");
    snprintf(at->key, sizeof at->key, "plots[%zu]", index + 1);
    if (!json_is_object(plot) || !json_is_array(curves) || json_array_size(curves) > PLOTS_CURVES)
        return wrong(err, at, "curves", "a plot with an array of at most 32 curves");
    mo_status status = text_of(plot, "title", &out->title, at, err);
    if (status == MO_OK)
        status = axis_of(plot, "x", &out->x, at, err);
    if (status == MO_OK)
        status = axis_of(plot, "y", &out->y, at, err);
    if (status == MO_OK)
        status = flag_of(plot, "equal", &out->equal, at, err);
    out->curves = p->curves + at->curves;
    out->curve_count = json_array_size(curves);
    for (size_t k = 0; k < out->curve_count && status == MO_OK; k++) {
        snprintf(at->key, sizeof at->key, "plots[%zu].curves[%zu]", index + 1, k + 1);
        status = curve_of(json_array_get(curves, k), p, at, err);
    }
    return status;
}

mo_status plots_parse(const char *text, plots *out, mo_error *err)
{
    *out = (plots){.figure.remark = ""};
    place at = {.key = "plots"};
    json_error_t why;
    out->root = json_loads(text, 0, &why);
    if (out->root == NULL)
        return fail(err, MO_BAD_FILE, "plots", "no sound JSON at line %d: %.100s", why.line, why.text);
    size_t count = json_array_size(out->root);
    if (!json_is_array(out->root) || count > PLOTS_MOST)
        return wrong(err, &at, "", "an array of at most 16 plots");
    out->figure.plots = calloc(count + 1, sizeof *out->figure.plots);
    out->curves = calloc(count * PLOTS_CURVES + 1, sizeof *out->curves);
    out->numbers = malloc(6 * PLOTS_POINTS * sizeof *out->numbers);
    if (out->figure.plots == NULL || out->curves == NULL || out->numbers == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu plots", count);
    out->figure.plot_count = count;
    mo_status status = MO_OK;
    for (size_t i = 0; i < count && status == MO_OK; i++)
        status = plot_of(json_array_get(out->root, i), out, i, &at, err);
    return status;
}

void plots_free(plots *p)
{
    json_decref(p->root);
    free(p->figure.plots);
    free(p->curves);
    free(p->numbers);
    *p = (plots){0};
}
