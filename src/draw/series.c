/*
 * Energies in one panel with the names at the ends of the curves, each observed column in a panel of its own.
 * The leading columns of a run's series are its energies.  Where many rows fall on one pixel only the first,
 * the least, the largest and the last are drawn, which looks the same.
 */
#include "draw/series.h"

#include "core/fail.h"
#include "draw/palette.h"

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
static const char balance_column[] = "balance_error";
static const rgb curve_color = {0.122, 0.286, 0.561}, grid_color = {0.9, 0.9, 0.905},
                 quiet = {0.42, 0.43, 0.46};

static double value_at(const plot2d *p, size_t row, size_t column)
{
    return p->values[row * p->columns + column];
}

static bool sound(double x)
{
    return fabs(x) < 1e150; /* false for NaN */
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
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (size_t i = 0; i < p->rows; i++)
        for (size_t k = 0; k < panel->count; k++) {
            double v = value_at(p, i, panel->curve[k]);
            if (sound(v)) {
                lo = fmin(lo, v);
                hi = fmax(hi, v);
            }
        }
    double pad = hi - lo > 1e-12 * fmax(fabs(lo), fabs(hi)) ? 0.06 * (hi - lo) : 0.0;
    panel->scale = axis_make(lo - pad, hi + pad, panel->style[0] >= 0 ? 6 : 4, false);
}

static void choose_time(plot2d *p)
{
    double lo = HUGE_VAL, hi = -HUGE_VAL;
    for (size_t i = 0; i < p->rows; i++)
        if (sound(p->t[i])) {
            lo = fmin(lo, p->t[i]);
            hi = fmax(hi, p->t[i]);
        }
    p->time = axis_make(lo, hi, 8, false);
}

static void lay_out(plot2d *p, double width)
{
    p->width = width;
    p->unit = width / 1200.0;
    p->font = width / 66.0;
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
    if (options->width < 1 || options->width > 9000)
        return fail(err, MO_BAD_INPUT, "width", "a picture %d wide; expected 1 to 9000", options->width);
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

/* ---- axes ---------------------------------------------------------------------------------------- */

static void set_color(cairo_t *cr, rgb c)
{
    cairo_set_source_rgb(cr, c.r, c.g, c.b);
}

static double time_x(const plot2d *p, double t)
{
    return p->left + (p->right - p->left) * ((t - p->time.lo) / (p->time.hi - p->time.lo));
}

static double value_y(const plot_panel *panel, double v)
{
    const axis *a = &panel->scale;
    return panel->top + panel->height * ((a->hi - v) / (a->hi - a->lo));
}

static void line(cairo_t *cr, double x0, double y0, double x1, double y1)
{
    cairo_move_to(cr, x0, y0);
    cairo_line_to(cr, x1, y1);
    cairo_stroke(cr);
}

static void paint_grid(cairo_t *cr, const plot2d *p, const plot_panel *panel)
{
    double bottom = panel->top + panel->height;
    set_color(cr, grid_color);
    cairo_set_line_width(cr, p->unit);
    for (int k = 0; k < p->time.count; k++)
        line(cr, time_x(p, axis_tick(&p->time, k)), panel->top, time_x(p, axis_tick(&p->time, k)), bottom);
    for (int k = 0; k < panel->scale.count; k++)
        line(cr, p->left, value_y(panel, axis_tick(&panel->scale, k)), p->right,
             value_y(panel, axis_tick(&panel->scale, k)));
    set_color(cr, quiet);
    line(cr, p->left, panel->top, p->left, bottom);
    line(cr, p->left, bottom, p->right, bottom);
}

static void paint_value_axis(cairo_t *cr, const plot2d *p, const plot_panel *panel)
{
    char text[TEXT_SIZE];
    const axis *a = &panel->scale;
    set_color(cr, rgb_ink);
    text_font(cr, 0.88 * p->font);
    for (int k = 0; k < a->count; k++) {
        axis_text(text, a, k);
        text_draw(cr, p->left - 0.5 * p->font, value_y(panel, axis_tick(a, k)) + 0.31 * p->font, 1.0, text);
    }
    axis_note(text, a);
    set_color(cr, quiet);
    text_draw(cr, p->left, panel->top - 0.4 * p->font, 0.0, text);
    if (panel->style[0] >= 0)
        snprintf(text, sizeof text, "energy (J)");
    else
        text_clean(text, p->names[panel->curve[0]], 20);
    set_color(cr, rgb_ink);
    cairo_save(cr);
    cairo_translate(cr, 1.5 * p->font, panel->top + 0.5 * panel->height);
    cairo_rotate(cr, -0.5 * 3.14159265358979323846);
    text_font(cr, p->font);
    text_draw(cr, 0.0, 0.0, 0.5, text);
    cairo_restore(cr);
}

static void paint_time_axis(cairo_t *cr, const plot2d *p)
{
    const plot_panel *last = &p->panels[p->panel_count - 1];
    double bottom = last->top + last->height;
    char text[TEXT_SIZE], note[TEXT_SIZE], title[TEXT_SIZE];
    set_color(cr, rgb_ink);
    text_font(cr, 0.88 * p->font);
    for (int k = 0; k < p->time.count; k++) {
        axis_text(text, &p->time, k);
        text_draw(cr, time_x(p, axis_tick(&p->time, k)), bottom + 1.3 * p->font, 0.5, text);
    }
    axis_title(title, &p->time, "t", "s");
    if (p->time.offset != 0.0) {
        axis_note(note, &p->time);
        snprintf(title, sizeof title, "t (s)  %.100s", note);
    }
    text_font(cr, p->font);
    text_draw(cr, 0.5 * (p->left + p->right), bottom + 2.9 * p->font, 0.5, title);
}

/* ---- curves -------------------------------------------------------------------------------------- */

/* rows that fall on the same pixel column */
typedef struct pixel {
    double x, first, least, largest, last; /* pixels */
    size_t rows;
} pixel;

static void add_pixel(cairo_t *cr, const pixel *c)
{
    if (c->rows == 0)
        return;
    cairo_line_to(cr, c->x, c->first);
    if (c->rows > 2) {
        cairo_line_to(cr, c->x, c->least);
        cairo_line_to(cr, c->x, c->largest);
    }
    if (c->rows > 1)
        cairo_line_to(cr, c->x, c->last);
}

/* the unbroken piece of a curve from a row on; returns the row after it */
static size_t paint_piece(cairo_t *cr, const plot2d *p, const plot_panel *panel, size_t column, size_t row)
{
    double dense = (double)p->rows / fmax(p->right - p->left, 1.0);
    pixel c = {0};
    size_t first = row;
    cairo_new_path(cr);
    for (; row < p->rows && sound(p->t[row]) && sound(value_at(p, row, column)); row++) {
        double x = time_x(p, p->t[row]), y = value_y(panel, value_at(p, row, column));
        if (c.rows == 0 || dense < 3.0 || floor(x) != floor(c.x)) {
            add_pixel(cr, &c);
            c = (pixel){x, y, y, y, y, 0};
        }
        c.least = fmin(c.least, y);
        c.largest = fmax(c.largest, y);
        c.last = y;
        c.rows++;
    }
    add_pixel(cr, &c);
    if (row == first + 1)
        cairo_arc(cr, c.x, c.last, 0.6 * p->unit, 0.0, 2.0 * 3.14159265358979323846);
    cairo_stroke(cr);
    return row;
}

static void paint_curve(cairo_t *cr, const plot2d *p, const plot_panel *panel, size_t k)
{
    size_t column = panel->curve[k];
    set_color(cr, panel->style[k] >= 0 ? energies[panel->style[k]].color : curve_color);
    cairo_set_line_width(cr, 2.2 * p->unit);
    for (size_t row = 0; row < p->rows;) {
        if (sound(p->t[row]) && sound(value_at(p, row, column)))
            row = paint_piece(cr, p, panel, column, row);
        else
            row++;
    }
}

/* height on paper where a curve ends, NaN when it has no value */
static double curve_end(const plot2d *p, const plot_panel *panel, size_t column)
{
    for (size_t i = p->rows; i-- > 0;)
        if (sound(value_at(p, i, column)))
            return value_y(panel, value_at(p, i, column));
    return (double)NAN;
}

/* names at the ends of the energy curves, pushed apart where they would overlap */
static void paint_names(cairo_t *cr, const plot2d *p, const plot_panel *panel)
{
    double y[PLOT_CURVES], gap = 1.2 * p->font;
    size_t order[PLOT_CURVES], count = 0;
    for (size_t k = 0; k < panel->count; k++) {
        double end = curve_end(p, panel, panel->curve[k]);
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
        set_color(cr, style->color);
        text_draw(cr, p->right + 0.5 * p->font, y[i] + 0.32 * p->font, 0.0, style->label);
    }
}

static void paint_panel(cairo_t *cr, const plot2d *p, const plot_panel *panel)
{
    paint_grid(cr, p, panel);
    paint_value_axis(cr, p, panel);
    cairo_save(cr);
    cairo_rectangle(cr, p->left - 2.0 * p->unit, panel->top - 2.0 * p->unit,
                    p->right - p->left + 4.0 * p->unit, panel->height + 4.0 * p->unit);
    cairo_clip(cr);
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

static void paint_remarks(cairo_t *cr, const plot2d *p)
{
    char text[TEXT_SIZE], number[TEXT_SIZE];
    text_font(cr, 0.88 * p->font);
    set_color(cr, quiet);
    if (isfinite(p->balance_error) && p->rows > 0) {
        text_number(number, p->balance_error, 2);
        snprintf(text, sizeof text, "largest error of the energy balance %.60s J", number);
        text_draw(cr, p->right, 1.6 * p->font, 1.0, text);
    }
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
    if (p->panel_count > 0)
        paint_time_axis(cr, p);
    paint_remarks(cr, p);
    return true;
}
