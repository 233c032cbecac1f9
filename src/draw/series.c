/*
 * Energies in one panel with the names at the ends of the curves, each observed column in a panel of its own.
 * The leading columns of a run's series are its energies.  Where the potential energy is 0 is a matter of
 * where the origin lies, so that it is drawn from its least value: of a tower that rocks, or of a linkage, it
 * would else hide all others.
 */
#include "draw/series.h"

#include "draw/chart.h"
#include "draw/sink.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct energy_style {
    const char *column, *label;
    rgb color;
} energy_style;

static const energy_style energies[PLOT_CURVES] = {
    {"kinetic", "kinetic", {0.0, 0.447, 0.698}},
    {"potential", "potential", {0.0, 0.62, 0.451}},
    {"work_external", "external work", {0.35, 0.36, 0.38}},
    {"dissipated_friction", "lost to friction", {0.835, 0.369, 0.0}},
    {"dissipated_impact", "lost in impacts", {0.8, 0.475, 0.655}},
};
enum { POTENTIAL = 1 }; /* which of them */
static const char balance_column[] = "balance_error";
static const rgb curve_color = {0.122, 0.286, 0.561};

static double value_at(const plot2d *p, size_t row, size_t column)
{
    return p->values[row * p->columns + column];
}

/* what curve k of a panel is drawn from */
static double base_of(const plot2d *p, const plot_panel *panel, size_t k)
{
    return panel->style[k] == POTENTIAL ? p->potential_least : 0.0;
}

/* ---- plan ---------------------------------------------------------------------------------------- */

static bool is_named(const char *column, const char *name)
{
    size_t prefix =
        strncmp(column, "energy", 6) == 0 && column[6] != '\0' && strchr("_./ ", column[6]) ? 7 : 0;
    return strcmp(column + prefix, name) == 0;
}

/* which energy a column holds, PLOT_CURVES for the balance error, -1 for none */
static int energy_of(const char *column)
{
    for (int k = 0; k < PLOT_CURVES; k++)
        if (is_named(column, energies[k].column))
            return k;
    return is_named(column, balance_column) ? PLOT_CURVES : -1;
}

static void note_balance(plot2d *p, size_t column)
{
    p->balance_error = 0.0;
    for (size_t i = 0; i < p->rows; i++)
        p->balance_error = fmax(p->balance_error, fabs(value_at(p, i, column)));
}

static void note_potential(plot2d *p, size_t column)
{
    range r = range_none;
    for (size_t i = 0; i < p->rows; i++)
        range_add(&r, value_at(p, i, column), false);
    p->potential_least = r.lo <= r.hi ? r.lo : 0.0;
}

/* distributes columns over panels */
static void choose_panels(plot2d *p)
{
    plot_panel *energy = &p->panels[0];
    size_t first = 0;
    unsigned seen = 0; /* a name met again is an observed column that happens to be called like an energy */
    for (; first < p->columns; first++) {
        int k = energy_of(p->names[first]);
        if (k < 0 || (seen >> k & 1u) != 0)
            break;
        seen |= 1u << k;
        if (k == PLOT_CURVES) {
            note_balance(p, first);
            continue;
        }
        if (k == POTENTIAL)
            note_potential(p, first);
        energy->style[energy->count] = k;
        energy->curve[energy->count++] = first;
    }
    p->panel_count = energy->count > 0 ? 1 : 0;
    size_t shown = 0;
    for (size_t c = first; c < p->columns && shown < PLOT_COLUMNS; c++, shown++) {
        plot_panel *panel = &p->panels[p->panel_count++];
        panel->count = 1;
        panel->curve[0] = c;
        panel->style[0] = -1;
    }
    p->left_out = p->columns - first - shown;
}

static void choose_scale(const plot2d *p, plot_panel *panel)
{
    range r = range_none;
    for (size_t i = 0; i < p->rows; i++)
        for (size_t k = 0; k < panel->count; k++)
            range_add(&r, value_at(p, i, panel->curve[k]) - base_of(p, panel, k), false);
    range_pad(&r, 0.06, false);
    panel->scale = axis_make(r.lo, r.hi, panel->style[0] >= 0 ? 6 : 4, false);
}

static void choose_time(plot2d *p)
{
    range r = range_none;
    for (size_t i = 0; i < p->rows; i++)
        range_add(&r, p->t[i], false);
    p->time = axis_make(r.lo, r.hi, 8, false);
}

static void lay_out(plot2d *p, double width)
{
    p->width = width;
    p->unit = chart_unit(width);
    p->font = text_size(width);
    bool labelled = p->panel_count > 0 && p->panels[0].style[0] >= 0;
    p->left = 6.2 * p->font;
    p->right = width - (labelled ? 8.6 : 1.8) * p->font;
    double y = 2.2 * p->font;
    for (size_t i = 0; i < p->panel_count; i++) {
        p->panels[i].top = y;
        p->panels[i].height = (p->panels[i].style[0] >= 0 ? 20.0 : 10.5) * p->font;
        y += p->panels[i].height + 1.9 * p->font;
    }
    p->height = ceil(fmax(y + 2.6 * p->font, 1.0));
}

mo_status plot2d_plan(plot2d *p, const char *const *names, size_t columns, size_t rows, const double *t,
                      const double *values, const draw_options *options, mo_error *err)
{
    mo_status status = sink_check_width(options, err);
    if (status != MO_OK)
        return status;
    memset(p, 0, sizeof *p);
    p->names = names;
    p->columns = columns;
    p->rows = rows;
    p->t = t;
    p->values = values;
    p->balance_error = (double)NAN;
    choose_panels(p);
    choose_time(p);
    for (size_t i = 0; i < p->panel_count; i++)
        choose_scale(p, &p->panels[i]);
    lay_out(p, (double)options->width);
    return MO_OK;
}

/* ---- panels -------------------------------------------------------------------------------------- */

static chart panel_chart(const plot2d *p, const plot_panel *panel)
{
    return (chart){.left = p->left,
                   .top = panel->top,
                   .width = p->right - p->left,
                   .height = panel->height,
                   .unit = p->unit,
                   .font = p->font,
                   .x = p->time,
                   .y = panel->scale};
}

/* the same with the scale of what curve k is drawn from */
static chart curve_chart(const plot2d *p, const plot_panel *panel, size_t k)
{
    chart c = panel_chart(p, panel);
    c.y.lo += base_of(p, panel, k);
    c.y.hi += base_of(p, panel, k);
    return c;
}

static void paint_curve(cairo_t *cr, const plot2d *p, const plot_panel *panel, size_t k)
{
    if (p->rows == 0)
        return;
    chart c = curve_chart(p, panel, k);
    chart_line line = {p->t, p->values + panel->curve[k], p->rows, 1, p->columns};
    set_rgb(cr, panel->style[k] >= 0 ? energies[panel->style[k]].color : curve_color);
    cairo_set_line_width(cr, 2.2 * p->unit);
    chart_stroke(cr, &c, &line);
}

/* height on paper where a curve ends, NaN when it has no value */
static double curve_end(const plot2d *p, const plot_panel *panel, size_t k)
{
    chart c = curve_chart(p, panel, k);
    double at[2];
    for (size_t i = p->rows; i-- > 0;)
        if (chart_point(&c, p->time.lo, value_at(p, i, panel->curve[k]), at))
            return at[1];
    return (double)NAN;
}

/* names at the ends of the energy curves, pushed apart where they would overlap */
static void paint_names(cairo_t *cr, const plot2d *p, const plot_panel *panel)
{
    double y[PLOT_CURVES], gap = 1.2 * p->font;
    size_t order[PLOT_CURVES], count = 0;
    for (size_t k = 0; k < panel->count; k++) {
        double end = curve_end(p, panel, k);
        if (isnan(end))
            continue;
        /* insertion by height */
        size_t i = count++;
        for (; i > 0 && y[i - 1] > end; i--) {
            y[i] = y[i - 1];
            order[i] = order[i - 1];
        }
        y[i] = end;
        order[i] = k;
    }
    double limit = panel->top + panel->height;
    for (size_t i = 1; i < count; i++)
        y[i] = fmax(y[i], y[i - 1] + gap);
    for (size_t i = count; i-- > 0; limit = y[i] - gap)
        y[i] = fmin(y[i], limit);
    text_font(cr, 0.95 * p->font);
    for (size_t i = 0; i < count; i++) {
        const energy_style *style = &energies[panel->style[order[i]]];
        set_rgb(cr, style->color);
        text_draw(cr, p->right + 0.5 * p->font, y[i] + 0.32 * p->font, 0.0, style->label);
    }
}

static void paint_panel(cairo_t *cr, const plot2d *p, const plot_panel *panel)
{
    chart c = panel_chart(p, panel);
    chart_grid(cr, &c);
    chart_y_numbers(cr, &c);
    chart_y_title(cr, &c, panel->style[0] >= 0 ? "energy (J)" : p->names[panel->curve[0]]);
    cairo_save(cr);
    chart_clip(cr, &c);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    /* the first energies lie on top */
    for (size_t k = panel->count; k-- > 0;)
        paint_curve(cr, p, panel, k);
    cairo_restore(cr);
    if (panel->style[0] >= 0)
        paint_names(cr, p, panel);
}

/* ---- the whole ------------------------------------------------------------------------------------- */

/* above the energies: where the potential one is drawn from, and what their balance misses */
static void paint_energy_remark(cairo_t *cr, const plot2d *p)
{
    char base[TEXT_SIZE] = "", balance[TEXT_SIZE] = "", number[TEXT_SIZE], text[TEXT_SIZE];
    if (p->potential_least != 0.0) {
        text_number(number, p->potential_least, 3);
        snprintf(base, sizeof base, "potential from its least, %.24s J", number);
    }
    if (isfinite(p->balance_error) && p->rows > 0) {
        text_number(number, p->balance_error, 2);
        snprintf(balance, sizeof balance, "largest error of the energy balance %.24s J", number);
    }
    snprintf(text, sizeof text, "%.60s%s%.64s", base, base[0] != '\0' && balance[0] != '\0' ? "; " : "",
             balance);
    text_draw(cr, p->right, 1.6 * p->font, 1.0, text);
}

static void paint_remarks(cairo_t *cr, const plot2d *p)
{
    char text[TEXT_SIZE];
    text_font(cr, 0.88 * p->font);
    set_rgb(cr, chart_quiet);
    paint_energy_remark(cr, p);
    if (p->left_out > 0) {
        snprintf(text, sizeof text, "%zu more %s not shown", p->left_out,
                 p->left_out == 1 ? "column" : "columns");
        text_draw(cr, p->width - 0.8 * p->font, p->height - 0.8 * p->font, 1.0, text);
    }
    if (p->rows == 0 || p->panel_count == 0)
        text_draw(cr, 0.5 * p->width, 1.6 * p->font, 0.5,
                  p->panel_count == 0 ? "no time series recorded" : "no rows recorded");
}

bool plot2d_paint(cairo_t *cr, const void *data)
{
    const plot2d *p = data;
    for (size_t i = 0; i < p->panel_count; i++)
        paint_panel(cr, p, &p->panels[i]);
    if (p->panel_count > 0) {
        chart c = panel_chart(p, &p->panels[p->panel_count - 1]);
        chart_x_numbers(cr, &c);
        chart_x_title(cr, &c, "t (s)");
    }
    paint_remarks(cr, p);
    return true;
}
