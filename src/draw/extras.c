/* What curves of plots carry beside lines and markers: error bars, arrows, and discs of true size. */
#include "draw/figure.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static double value_x(const figure_curve *curve, size_t i)
{
    return curve->line.x[i * curve->line.x_stride];
}

static double value_y(const figure_curve *curve, size_t i)
{
    return curve->line.y[i * curve->line.y_stride];
}

void figure_extras_range(const figure_curve *curve, bool x, bool log, range *r)
{
    const double *reach = x ? NULL : curve->error, *tip = NULL;
    if (curve->style == CURVE_DISCS)
        reach = curve->size;
    if (curve->style == CURVE_ARROWS)
        tip = x ? curve->dx : curve->dy;
    for (size_t i = 0; i < curve->line.count; i++) {
        double value = x ? value_x(curve, i) : value_y(curve, i);
        if (reach != NULL) {
            range_add(r, value - reach[i], log);
            range_add(r, value + reach[i], log);
        }
        if (tip != NULL)
            range_add(r, value + tip[i], log);
    }
}

/* a bar with a stroke across each end; an end without a place, as below zero on a logarithmic axis, is not
   drawn and the bar goes to the point alone */
void figure_errors(cairo_t *cr, const chart *c, const figure_curve *curve)
{
    if (curve->error == NULL)
        return;
    const double across = 0.3 * c->font;
    cairo_set_line_width(cr, 1.4 * c->unit);
    for (size_t i = 0; i < curve->line.count; i++) {
        double x = value_x(curve, i), y = value_y(curve, i), point[2], end[2];
        if (!chart_point(c, x, y, point))
            continue;
        for (int side = -1; side <= 1; side += 2) {
            if (!chart_point(c, x, y + side * curve->error[i], end))
                continue;
            cairo_move_to(cr, point[0], point[1]);
            cairo_line_to(cr, end[0], end[1]);
            cairo_move_to(cr, end[0] - across, end[1]);
            cairo_line_to(cr, end[0] + across, end[1]);
        }
    }
    cairo_stroke(cr);
}

/* a shaft and a filled head; short arrows are all head */
static void arrow(cairo_t *cr, const chart *c, const double from[2], const double to[2], double size)
{
    double dx = to[0] - from[0], dy = to[1] - from[1], length = hypot(dx, dy);
    double head = fmin(size, 0.45 * length);
    if (!(length > 0.05 * c->unit))
        return;
    dx /= length;
    dy /= length;
    double back[2] = {to[0] - head * dx, to[1] - head * dy};
    cairo_move_to(cr, from[0], from[1]);
    cairo_line_to(cr, back[0], back[1]);
    cairo_stroke(cr);
    cairo_move_to(cr, to[0], to[1]);
    cairo_line_to(cr, back[0] - 0.4 * head * dy, back[1] + 0.4 * head * dx);
    cairo_line_to(cr, back[0] + 0.4 * head * dy, back[1] - 0.4 * head * dx);
    cairo_close_path(cr);
    cairo_fill(cr);
}

void figure_arrows(cairo_t *cr, const chart *c, const figure_curve *curve)
{
    /* many are drawn finer */
    const double fine = curve->line.count > 40 ? 0.5 : 1.0;
    cairo_set_line_width(cr, 2.4 * fine * c->unit);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
    for (size_t i = 0; i < curve->line.count; i++) {
        double x = value_x(curve, i), y = value_y(curve, i), from[2], to[2];
        if (chart_point(c, x, y, from) && chart_point(c, x + curve->dx[i], y + curve->dy[i], to))
            arrow(cr, c, from, to, 13.0 * fine * c->unit);
    }
}

static void disc(cairo_t *cr, const chart *c, double x, double y, double radius, rgb color)
{
    const double pale = 0.75;
    cairo_new_path(cr);
    cairo_arc(cr, x, y, radius, 0.0, 2.0 * pi);
    cairo_set_source_rgb(cr, color.r + pale * (1.0 - color.r), color.g + pale * (1.0 - color.g),
                         color.b + pale * (1.0 - color.b));
    if (radius < 1.5 * c->unit) {
        cairo_fill(cr);
        return;
    }
    cairo_fill_preserve(cr);
    set_rgb(cr, color);
    cairo_set_line_width(cr, fmin(c->unit, 0.2 * radius));
    cairo_stroke(cr);
}

void figure_discs(cairo_t *cr, const chart *c, const figure_curve *curve, rgb color)
{
    for (size_t i = 0; i < curve->line.count; i++) {
        double at[2], edge[2], x = value_x(curve, i), y = value_y(curve, i);
        if (chart_point(c, x, y, at) && chart_point(c, x + curve->size[i], y, edge) && edge[0] != at[0])
            disc(cr, c, at[0], at[1], fabs(edge[0] - at[0]), color);
    }
}

void figure_sample(cairo_t *cr, const chart *c, curve_style style, rgb color, double x, double y,
                   double length)
{
    const double from[2] = {x, y}, to[2] = {x + length, y};
    if (style == CURVE_DISCS)
        disc(cr, c, x + 0.5 * length, y, 0.4 * c->font, color);
    else
        arrow(cr, c, from, to, 11.0 * c->unit);
}
