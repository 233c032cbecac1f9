/* Planning and painting of line plots. */
#include "draw/figure.h"

#include "draw/sink.h"

#include <math.h>
#include <string.h>

static const double sample = 3.0; /* font sizes: length of a line in the legend, with the gap after it */

chart_marker figure_marker(size_t k)
{
    return (chart_marker)((k + k / PALETTE_LINES) % MARKER_COUNT);
}

/* ---- scales ---------------------------------------------------------------------------------------- */

static range values_range(const figure_plot *p, bool x)
{
    bool log = x ? p->x.log : p->y.log;
    range r = range_none;
    for (size_t k = 0; k < p->curve_count; k++) {
        const chart_line *l = &p->curves[k].line;
        for (size_t i = 0; i < l->count; i++)
            range_add(&r, x ? l->x[i * l->x_stride] : l->y[i * l->y_stride], log);
        figure_extras_range(&p->curves[k], x, log, &r);
    }
    return r;
}

static axis scale_of(const figure_axis *a, range r, double room)
{
    int most = (int)fmin(fmax(room, 2.0), 9.0);
    axis out = a->log ? axis_make_log(r.lo, r.hi, most) : axis_make(r.lo, r.hi, most, false);
    out.down = a->down;
    return out;
}

/* widens an axis about its middle so that `length` pixels at `scale` show it */
static range widened(const axis *a, double length, double scale)
{
    double middle = 0.5 * a->lo + 0.5 * a->hi, half = fmax(0.5 * length / scale, 0.5 * (a->hi - a->lo));
    range r = {middle - half, middle + half};
    if (a->kind != AXIS_LINEAR)
        r = (range){pow(10.0, fmax(r.lo, -300.0)), pow(10.0, fmin(r.hi, 299.0))};
    return r;
}

void figure_scales(chart *c, const figure_axis *x, range rx, const figure_axis *y, range ry, bool equal)
{
    double each_x = 5.0 * c->font, each_y = 2.6 * c->font; /* room for a number, pixels */
    c->x = scale_of(x, rx, c->width / each_x);
    c->y = scale_of(y, ry, c->height / each_y);
    if (!equal || x->log != y->log)
        return;
    double span_x = c->x.hi - c->x.lo, span_y = c->y.hi - c->y.lo, full = c->width;
    double scale = fmin(c->width / span_x, c->height / span_y);
    double width = fmax(scale * span_x, 0.35 * c->height), height = fmax(scale * span_y, 0.25 * c->width);
    c->x = scale_of(x, widened(&c->x, width, scale), width / each_x);
    c->y = scale_of(y, widened(&c->y, height, scale), height / each_y);
    c->left += 0.5 * (full - width);
    c->width = width;
    c->height = height;
}

/* ---- layout ---------------------------------------------------------------------------------------- */

/* columns of the legend and how wide they are, as many as fit */
static void plan_legend(cairo_t *cr, figure_plot *p, double width, double font)
{
    bool named = false;
    p->legend_columns = 0;
    p->legend_width = 0.0;
    text_font(cr, 0.95 * font);
    for (size_t k = 0; k < p->curve_count; k++) {
        char text[TEXT_SIZE];
        text_fit(cr, text, p->curves[k].name, 0.8 * width);
        named = named || text[0] != '\0';
        p->legend_width = fmax(p->legend_width, text_width(cr, text) + (sample + 1.6) * font);
    }
    if (!named)
        return;
    double columns = fmin(fmax(floor((width - 2.0 * font) / p->legend_width), 1.0), (double)p->curve_count);
    /* rows of even length */
    double rows = ceil((double)p->curve_count / columns);
    columns = ceil((double)p->curve_count / rows);
    p->legend_columns = (size_t)columns;
    p->legend_left = fmax(0.5 * (width - columns * p->legend_width + 1.6 * font), 0.5 * font);
}

/* places a plot in its column below y; returns where it ends */
static double place(figure *f, size_t i, cairo_t *cr, double y)
{
    figure_plot *p = &f->plots[i];
    bool last = i + 1 == f->plot_count;
    double e = f->font, panel = f->shared ? 10.5 * e : 0.5 * f->room;
    p->title_y = y + 1.5 * e;
    double top = y + (p->title[0] != '\0' ? 2.9 : f->shared ? 0.7 : 1.6) * e;
    p->chart = (chart){.left = p->left + 6.4 * e, .top = top, .width = f->room - 8.2 * e, .height = panel};
    p->chart.unit = f->unit;
    p->chart.font = e;
    if (p->equal)
        p->chart.height = 0.8 * f->room;
    range rx = values_range(p, true), ry = values_range(p, false);
    range_pad(&rx, f->shared ? 0.0 : 0.03, p->x.log);
    range_pad(&ry, 0.06, p->y.log);
    figure_scales(&p->chart, &p->x, rx, &p->y, ry, p->equal);
    y = p->chart.top + p->chart.height + (f->shared && !last ? 1.2 : 3.6) * e;
    plan_legend(cr, p, f->room, e);
    p->legend_left += p->left;
    p->legend_y = y + 0.9 * e;
    if (p->legend_columns > 0)
        y += (0.6 + 1.5 * ceil((double)p->curve_count / (double)p->legend_columns)) * e;
    return y + (f->shared ? 0.0 : 0.8 * e);
}

/* plots from i on, beside each other */
static double place_row(figure *f, size_t i, size_t columns, cairo_t *cr, double y)
{
    double end = y;
    for (size_t k = 0; k < columns && i + k < f->plot_count; k++) {
        f->plots[i + k].left = f->room * (double)k;
        end = fmax(end, place(f, i + k, cr, y));
    }
    return end;
}

mo_status figure_plan(figure *f, const draw_options *options, mo_error *err)
{
    mo_status status = sink_check_width(options, err);
    if (status != MO_OK)
        return status;
    f->width = (double)options->width;
    f->unit = chart_unit(f->width);
    /* in columns, text between that of the whole and that of a column */
    const size_t columns = options->columns > 1 ? (size_t)options->columns : 1;
    f->room = f->width / (double)columns;
    f->font = sqrt(text_size(f->width) * text_size(f->room));
    /* a surface to measure texts on */
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    cairo_t *cr = cairo_create(surface);
    double y = f->shared ? 1.2 * f->font : 0.0;
    for (size_t i = 0; i < f->plot_count; i += columns)
        y = place_row(f, i, columns, cr, y);
    if (f->remark[0] != '\0')
        y += 1.6 * f->font;
    f->height = ceil(fmax(y + 0.6 * f->font, 1.0));
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    return MO_OK;
}

/* ---- painting -------------------------------------------------------------------------------------- */

static bool has_line(curve_style style)
{
    return style == CURVE_LINE || style == CURVE_BOTH || style == CURVE_DASHED;
}

static bool has_points(curve_style style)
{
    return style == CURVE_POINTS || style == CURVE_BOTH;
}

static double marker_size(const chart *c)
{
    return fmax(4.6 * c->unit, fmin(2.2, 0.25 * c->font));
}

static void set_pen(cairo_t *cr, const chart *c, const figure_curve *curve, size_t k)
{
    double dashes[2] = {9.0 * c->unit, 5.0 * c->unit};
    set_rgb(cr, palette_line(k));
    cairo_set_line_width(cr, 2.2 * c->unit);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(cr, curve->style == CURVE_DASHED ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
    cairo_set_dash(cr, dashes, curve->style == CURVE_DASHED ? 2 : 0, 0.0);
}

/* whether plain lines carry a few markers, because colours alone would repeat */
static bool sparse_markers(const figure_plot *p)
{
    return p->curve_count > PALETTE_LINES;
}

/* discs below, lines, then markers and arrows on them; the first curves lie on top */
static void paint_curves(cairo_t *cr, const figure_plot *p)
{
    const chart *c = &p->chart;
    for (size_t k = p->curve_count; k-- > 0;)
        if (p->curves[k].style == CURVE_DISCS)
            figure_discs(cr, c, &p->curves[k], palette_line(k));
    for (size_t k = p->curve_count; k-- > 0;) {
        set_pen(cr, c, &p->curves[k], k);
        if (has_line(p->curves[k].style))
            chart_stroke(cr, c, &p->curves[k].line);
        cairo_set_dash(cr, NULL, 0, 0.0);
        figure_errors(cr, c, &p->curves[k]);
    }
    for (size_t k = p->curve_count; k-- > 0;) {
        bool all = has_points(p->curves[k].style);
        set_rgb(cr, palette_line(k));
        if (p->curves[k].style == CURVE_ARROWS)
            figure_arrows(cr, c, &p->curves[k]);
        else if (all || (has_line(p->curves[k].style) && sparse_markers(p)))
            chart_markers(cr, c, &p->curves[k].line, figure_marker(k), marker_size(c),
                          all ? 0.0 : c->width / 7.0, fmod(0.38 * (double)(k + 1), 1.0));
    }
}

static void paint_entry(cairo_t *cr, const figure_plot *p, size_t k, double x, double y, double room)
{
    const figure_curve *curve = &p->curves[k];
    const chart *c = &p->chart;
    double length = (sample - 0.6) * c->font;
    char text[TEXT_SIZE];
    set_pen(cr, c, curve, k);
    cairo_new_path(cr);
    cairo_move_to(cr, x, y);
    cairo_line_to(cr, x + length, y);
    if (has_line(curve->style))
        cairo_stroke(cr);
    cairo_set_dash(cr, NULL, 0, 0.0);
    if (curve->style == CURVE_ARROWS || curve->style == CURVE_DISCS)
        figure_sample(cr, c, curve->style, palette_line(k), x, y, length);
    else if (has_points(curve->style) || sparse_markers(p))
        chart_mark(cr, figure_marker(k), x + 0.5 * length, y, marker_size(c));
    text_font(cr, 0.95 * c->font);
    set_rgb(cr, rgb_ink);
    text_fit(cr, text, curve->name, room);
    text_draw(cr, x + sample * c->font, y + 0.33 * c->font, 0.0, text);
}

static void paint_legend(cairo_t *cr, const figure *f, const figure_plot *p)
{
    size_t columns = p->legend_columns;
    for (size_t k = 0; k < p->curve_count && columns > 0; k++) {
        size_t row = k / columns, column = k % columns;
        paint_entry(cr, p, k, p->legend_left + (double)column * p->legend_width,
                    p->legend_y + 1.5 * f->font * (double)row, 0.8 * f->room);
    }
}

static void paint_title(cairo_t *cr, const figure *f, const figure_plot *p)
{
    char text[TEXT_SIZE];
    text_font(cr, 1.15 * f->font);
    set_rgb(cr, rgb_ink);
    text_fit(cr, text, p->title, f->room - 2.0 * f->font);
    text_draw(cr, p->left + 0.5 * f->room, p->title_y, 0.5, text);
}

static void paint_plot(cairo_t *cr, const figure *f, size_t i)
{
    const figure_plot *p = &f->plots[i];
    const chart *c = &p->chart;
    paint_title(cr, f, p);
    chart_grid(cr, c);
    chart_y_numbers(cr, c);
    chart_y_title(cr, c, p->y.label);
    if (!f->shared || i + 1 == f->plot_count) {
        chart_x_numbers(cr, c);
        chart_x_title(cr, c, p->x.label);
    }
    cairo_save(cr);
    chart_clip(cr, c);
    paint_curves(cr, p);
    cairo_restore(cr);
    paint_legend(cr, f, p);
}

bool figure_paint(cairo_t *cr, const void *data)
{
    const figure *f = data;
    for (size_t i = 0; i < f->plot_count; i++)
        paint_plot(cr, f, i);
    text_font(cr, 0.88 * f->font);
    set_rgb(cr, chart_quiet);
    text_draw(cr, f->width - 0.8 * f->font, f->height - 0.8 * f->font, 1.0, f->remark);
    return true;
}
