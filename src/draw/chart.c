/*
 * Where many points fall on one column of pixels only the first, the least, the largest and the last are
 * drawn, which looks the same.
 */
#include "draw/chart.h"

#include <math.h>

static const rgb grid_color = {0.9, 0.9, 0.905};
static const double largest_paper = 4e6; /* pixels: Cairo's numbers have 24 bits before the point */
static const double pi = 3.14159265358979323846;

double chart_unit(double width)
{
    return fmax(width / 1200.0, fmin(0.6, width / 600.0));
}

void set_rgb(cairo_t *cr, rgb c)
{
    cairo_set_source_rgb(cr, c.r, c.g, c.b);
}

static double paper_x(const chart *c, double x)
{
    return c->left + c->width * axis_at(&c->x, x);
}

static double paper_y(const chart *c, double y)
{
    return c->top + c->height * (1.0 - axis_at(&c->y, y));
}

bool chart_point(const chart *c, double x, double y, double paper[2])
{
    paper[0] = paper_x(c, x);
    paper[1] = paper_y(c, y);
    return fabs(paper[0]) < largest_paper && fabs(paper[1]) < largest_paper;
}

/* ---- axes ---------------------------------------------------------------------------------------- */

static void line(cairo_t *cr, double x0, double y0, double x1, double y1)
{
    cairo_move_to(cr, x0, y0);
    cairo_line_to(cr, x1, y1);
    cairo_stroke(cr);
}

/* short strokes between the ticks of logarithmic axes */
static void paint_minors(cairo_t *cr, const chart *c)
{
    double bottom = c->top + c->height, length = 0.3 * c->font;
    for (int k = 0; k < axis_minor_count(&c->x); k++) {
        double s = axis_at(&c->x, axis_minor(&c->x, k));
        if (s >= 0.0 && s <= 1.0)
            line(cr, c->left + s * c->width, bottom, c->left + s * c->width, bottom - length);
    }
    for (int k = 0; k < axis_minor_count(&c->y); k++) {
        double s = axis_at(&c->y, axis_minor(&c->y, k));
        if (s >= 0.0 && s <= 1.0)
            line(cr, c->left, bottom - s * c->height, c->left + length, bottom - s * c->height);
    }
}

void chart_grid(cairo_t *cr, const chart *c)
{
    double bottom = c->top + c->height, right = c->left + c->width;
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_width(cr, c->unit);
    set_rgb(cr, grid_color);
    for (int k = 0; k < c->x.count; k++)
        line(cr, paper_x(c, axis_tick(&c->x, k)), c->top, paper_x(c, axis_tick(&c->x, k)), bottom);
    for (int k = 0; k < c->y.count; k++)
        line(cr, c->left, paper_y(c, axis_tick(&c->y, k)), right, paper_y(c, axis_tick(&c->y, k)));
    set_rgb(cr, chart_quiet);
    paint_minors(cr, c);
    line(cr, c->left, c->top, c->left, bottom);
    line(cr, c->left, bottom, right, bottom);
}

void chart_y_numbers(cairo_t *cr, const chart *c)
{
    char text[TEXT_SIZE];
    set_rgb(cr, rgb_ink);
    text_font(cr, 0.88 * c->font);
    for (int k = 0; k < c->y.count; k++) {
        axis_text(text, &c->y, k);
        text_draw(cr, c->left - 0.5 * c->font, paper_y(c, axis_tick(&c->y, k)) + 0.31 * c->font, 1.0, text);
    }
    axis_note(text, &c->y);
    set_rgb(cr, chart_quiet);
    text_draw(cr, c->left, c->top - 0.4 * c->font, 0.0, text);
}

void chart_x_numbers(cairo_t *cr, const chart *c)
{
    char text[TEXT_SIZE];
    double bottom = c->top + c->height;
    set_rgb(cr, rgb_ink);
    text_font(cr, 0.88 * c->font);
    for (int k = 0; k < c->x.count; k++) {
        axis_text(text, &c->x, k);
        text_draw(cr, paper_x(c, axis_tick(&c->x, k)), bottom + 1.3 * c->font, 0.5, text);
    }
    axis_note(text, &c->x);
    set_rgb(cr, chart_quiet);
    text_draw(cr, c->left + c->width, bottom + 2.9 * c->font, 1.0, text);
}

void chart_x_title(cairo_t *cr, const chart *c, const char *label)
{
    char text[TEXT_SIZE];
    set_rgb(cr, rgb_ink);
    text_font(cr, c->font);
    text_fit(cr, text, label, c->width);
    text_draw(cr, c->left + 0.5 * c->width, c->top + c->height + 2.9 * c->font, 0.5, text);
}

void chart_y_title(cairo_t *cr, const chart *c, const char *label)
{
    char text[TEXT_SIZE];
    set_rgb(cr, rgb_ink);
    cairo_save(cr);
    cairo_translate(cr, c->left - 4.7 * c->font, c->top + 0.5 * c->height);
    cairo_rotate(cr, -0.5 * pi);
    text_font(cr, c->font);
    text_fit(cr, text, label, c->height + c->font);
    text_draw(cr, 0.0, 0.0, 0.5, text);
    cairo_restore(cr);
}

/* ---- areas ------------------------------------------------------------------------------------------ */

void chart_hatch(cairo_t *cr, const double lo[2], const double hi[2], double step)
{
    double first = floor((lo[0] + lo[1]) / step), last = ceil((hi[0] + hi[1]) / step);
    cairo_new_path(cr);
    for (double k = first; k <= last; k += 1.0) {
        double c = k * step; /* the line x + y = c */
        cairo_move_to(cr, c - hi[1], hi[1]);
        cairo_line_to(cr, c - lo[1], lo[1]);
    }
    cairo_stroke(cr);
}

/* ---- lines ---------------------------------------------------------------------------------------- */

void chart_clip(cairo_t *cr, const chart *c)
{
    double more = 2.0 * c->unit;
    cairo_rectangle(cr, c->left - more, c->top - more, c->width + 2.0 * more, c->height + 2.0 * more);
    cairo_clip(cr);
}

static bool point_at(const chart *c, const chart_line *l, size_t i, double paper[2])
{
    return chart_point(c, l->x[i * l->x_stride], l->y[i * l->y_stride], paper);
}

/* points that fall on the same pixel column */
typedef struct pixel {
    double x, first, least, largest, last; /* pixels */
    size_t points;
} pixel;

static void add_pixel(cairo_t *cr, const pixel *p)
{
    if (p->points == 0)
        return;
    cairo_line_to(cr, p->x, p->first);
    if (p->points > 2) {
        cairo_line_to(cr, p->x, p->least);
        cairo_line_to(cr, p->x, p->largest);
    }
    if (p->points > 1)
        cairo_line_to(cr, p->x, p->last);
}

/* the unbroken piece of a line from point i on; returns the point after it */
static size_t stroke_piece(cairo_t *cr, const chart *c, const chart_line *l, size_t i)
{
    bool dense = (double)l->count >= 3.0 * fmax(c->width, 1.0);
    pixel p = {0};
    size_t first = i;
    double at[2];
    cairo_new_path(cr);
    for (; i < l->count && point_at(c, l, i, at); i++) {
        if (p.points == 0 || !dense || floor(at[0]) != floor(p.x)) {
            add_pixel(cr, &p);
            p = (pixel){at[0], at[1], at[1], at[1], at[1], 0};
        }
        p.least = fmin(p.least, at[1]);
        p.largest = fmax(p.largest, at[1]);
        p.last = at[1];
        p.points++;
    }
    add_pixel(cr, &p);
    if (i == first + 1)
        cairo_arc(cr, p.x, p.last, 0.6 * c->unit, 0.0, 2.0 * pi);
    cairo_stroke(cr);
    return i;
}

void chart_stroke(cairo_t *cr, const chart *c, const chart_line *l)
{
    double at[2];
    for (size_t i = 0; i < l->count;)
        i = point_at(c, l, i, at) ? stroke_piece(cr, c, l, i) : i + 1;
}

/* ---- markers -------------------------------------------------------------------------------------- */

static void polygon(cairo_t *cr, double x, double y, double r, int corners, double turn)
{
    for (int k = 0; k < corners; k++)
        cairo_line_to(cr, x + r * sin(turn + 2.0 * pi * k / corners),
                      y - r * cos(turn + 2.0 * pi * k / corners));
    cairo_close_path(cr);
}

static void strokes(cairo_t *cr, double x, double y, double r, double turn)
{
    for (int k = 0; k < 2; k++) {
        double a = turn + 0.5 * pi * k, dx = r * cos(a), dy = r * sin(a);
        cairo_move_to(cr, x - dx, y - dy);
        cairo_line_to(cr, x + dx, y + dy);
    }
}

void chart_mark(cairo_t *cr, chart_marker marker, double x, double y, double size)
{
    cairo_new_path(cr);
    if (marker == MARKER_DISC || marker == MARKER_RING)
        cairo_arc(cr, x, y, marker == MARKER_DISC ? size : 0.85 * size, 0.0, 2.0 * pi);
    else if (marker == MARKER_CROSS || marker == MARKER_PLUS)
        strokes(cr, x, y, 1.15 * size, marker == MARKER_CROSS ? 0.25 * pi : 0.0);
    else if (marker == MARKER_SQUARE || marker == MARKER_DIAMOND)
        polygon(cr, x, y, 1.25 * size, 4, marker == MARKER_SQUARE ? 0.25 * pi : 0.0);
    else
        polygon(cr, x, y, 1.3 * size, 3, marker == MARKER_TRIANGLE ? 0.0 : pi);
    if (marker == MARKER_CROSS || marker == MARKER_PLUS || marker == MARKER_RING) {
        cairo_set_line_width(cr, 0.5 * size);
        cairo_stroke(cr);
    } else {
        cairo_fill(cr);
    }
}

void chart_markers(cairo_t *cr, const chart *c, const chart_line *l, chart_marker marker, double size,
                   double spacing, double phase)
{
    /* markers that would hide each other completely are left out */
    double least = spacing > 0.0 ? spacing : 0.25 * size;
    double way = spacing > 0.0 ? spacing * (1.0 - phase) : least, at[2], before[2] = {0.0, 0.0};
    bool any = false;
    for (size_t i = 0; i < l->count; i++) {
        if (!point_at(c, l, i, at))
            continue;
        way += any ? hypot(at[0] - before[0], at[1] - before[1]) : 0.0;
        before[0] = at[0];
        before[1] = at[1];
        any = true;
        if (way < least)
            continue;
        chart_mark(cr, marker, at[0], at[1], size);
        way = 0.0;
    }
}
