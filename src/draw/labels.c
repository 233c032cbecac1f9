/* Labels around the view: time and remarks above; length scale, force scale, and colour bar or legend below.
 */
#include "draw/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const rgb quiet = {0.42, 0.43, 0.46};

/* ---- above --------------------------------------------------------------------------------------- */

static void paint_time(cairo_t *cr, const picture *p)
{
    char number[TEXT_SIZE], text[TEXT_SIZE];
    text_number(number, p->scene->time, 6);
    snprintf(text, sizeof text, "t = %.100s s", number);
    text_font(cr, 1.15 * p->font);
    set_rgb(cr, rgb_ink);
    text_draw(cr, p->view.left, 1.45 * p->font, 0.0, text);
}

/* what the picture leaves out */
static void paint_remarks(cairo_t *cr, const picture *p)
{
    char text[TEXT_SIZE] = "";
    size_t used = 0;
    if (p->scene->body_count == 0)
        used += (size_t)snprintf(text, sizeof text, "no bodies");
    if (p->outside > 0)
        used += (size_t)snprintf(text + used, sizeof text - used, "%zu %s outside the picture", p->outside,
                                 p->outside == 1 ? "body" : "bodies");
    if (p->unsound > 0)
        snprintf(text + used, sizeof text - used, "%s%zu %s without finite position", used > 0 ? ", " : "",
                 p->unsound, p->unsound == 1 ? "body" : "bodies");
    text_font(cr, 0.9 * p->font);
    set_rgb(cr, quiet);
    text_draw(cr, p->width - p->font, 1.45 * p->font, 1.0, text);
}

/* ---- below --------------------------------------------------------------------------------------- */

static void paint_length(cairo_t *cr, const picture *p)
{
    double metres = round_below(0.2 * (p->view.box.hi[0] - p->view.box.lo[0]));
    double length = metres * p->view.scale, f = p->font;
    double x = p->view.left + 0.1 * f, y = p->footer + 1.95 * f;
    char text[TEXT_SIZE];
    text_length(text, metres);
    text_font(cr, f);
    set_rgb(cr, rgb_ink);
    text_draw(cr, x + 0.5 * length, p->footer + 1.1 * f, 0.5, text);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_width(cr, 0.14 * f);
    cairo_move_to(cr, x, y);
    cairo_line_to(cr, x + length, y);
    for (int k = 0; k < 2; k++) {
        cairo_move_to(cr, x + k * length, y - 0.35 * f);
        cairo_line_to(cr, x + k * length, y + 0.35 * f);
    }
    cairo_stroke(cr);
}

/* the line of the mean contact force, with its value */
static void paint_force_key(cairo_t *cr, const picture *p)
{
    double f = p->font, width = fmin(chain_width(p, p->impulse), 1.2 * f);
    double x = 0.29 * p->width, y = p->footer + 1.95 * f;
    char number[TEXT_SIZE], text[TEXT_SIZE];
    if (width <= 0.0)
        return;
    text_number(number, p->impulse / p->scene->h, 2);
    snprintf(text, sizeof text, "mean force %.80s N", number);
    text_font(cr, f);
    set_rgb(cr, rgb_ink);
    text_draw(cr, x, p->footer + 1.1 * f, 0.0, text);
    set_rgb(cr, chain_color);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_width(cr, width);
    cairo_move_to(cr, x, y);
    cairo_line_to(cr, x + 6.0 * f, y);
    cairo_stroke(cr);
}

static rgb bar_color(const picture *p, double s)
{
    rgb c = palette_sequential(p->options.color == DRAW_BY_STRESS ? PALETTE_STRESS : PALETTE_SPEED, s);
    return p->options.chains ? rgb_mix(c, rgb_white, picture_lightening) : c;
}

/* the outline of the bar, with a pointed end when values lie above the scale */
static void bar_path(cairo_t *cr, const picture *p, double x, double y, double width, double height)
{
    cairo_new_path(cr);
    cairo_move_to(cr, x, y);
    cairo_line_to(cr, x + width, y);
    if (p->over)
        cairo_line_to(cr, x + width + 0.7 * height, y + 0.5 * height);
    cairo_line_to(cr, x + width, y + height);
    cairo_line_to(cr, x, y + height);
    cairo_close_path(cr);
}

static void paint_bar(cairo_t *cr, const picture *p, double x, double y, double width, double height)
{
    cairo_pattern_t *ramp = cairo_pattern_create_linear(x, 0.0, x + width, 0.0);
    for (int i = 0; i <= 32; i++) {
        rgb c = bar_color(p, i / 32.0);
        cairo_pattern_add_color_stop_rgb(ramp, i / 32.0, c.r, c.g, c.b);
    }
    bar_path(cr, p, x, y, width, height);
    cairo_set_source(cr, ramp);
    cairo_fill_preserve(cr);
    cairo_pattern_destroy(ramp);
    set_rgb(cr, rgb_ink);
    cairo_set_line_width(cr, p->unit);
    cairo_stroke(cr);
}

static void paint_colour_bar(cairo_t *cr, const picture *p)
{
    double f = p->font, width = 0.34 * p->width, height = 0.75 * f;
    double x = p->width - 2.2 * f - width, y = p->footer + 1.5 * f;
    const axis *a = &p->scale;
    char text[TEXT_SIZE];
    bool stress = p->options.color == DRAW_BY_STRESS;
    axis_title(text, a, stress ? "mean stress" : "speed", stress ? "N/m" : "m/s");
    text_font(cr, f);
    set_rgb(cr, rgb_ink);
    text_draw(cr, x, p->footer + 1.1 * f, 0.0, text);
    paint_bar(cr, p, x, y, width, height);
    text_font(cr, 0.9 * f);
    for (int k = 0; k < a->count; k++) {
        double at = x + width * (axis_tick(a, k) - a->lo) / (a->hi - a->lo);
        cairo_move_to(cr, at, y + height);
        cairo_line_to(cr, at, y + height + 0.25 * f);
        cairo_stroke(cr);
        axis_text(text, a, k);
        text_draw(cr, at, y + height + 1.15 * f, 0.5, text);
    }
}

static void paint_swatch(cairo_t *cr, const picture *p, double x, double y, rgb fill)
{
    cairo_new_path(cr);
    cairo_arc(cr, x, y, 0.42 * p->font, 0.0, 2.0 * 3.14159265358979323846);
    set_rgb(cr, fill);
    cairo_fill_preserve(cr);
    set_rgb(cr, rgb_mix(fill, rgb_ink, 0.7));
    cairo_set_line_width(cr, p->unit);
    cairo_stroke(cr);
}

/* names of the groups beside their colours, in up to three rows */
static void paint_legend(cairo_t *cr, const picture *p)
{
    enum { rows = 3 };
    double f = p->font, left = 0.53 * p->width, x = left, y = p->footer + 0.75 * f;
    int row = 0;
    size_t shown = 0;
    text_font(cr, f);
    for (size_t g = 0; g < p->scene->group_count; g++) {
        if (p->group_order[g] == SIZE_MAX)
            continue;
        char name[TEXT_SIZE];
        text_clean(name, p->scene->groups[g], 24);
        double width = 1.1 * f + text_width(cr, name);
        /* the end of the last row is kept for "and … more" */
        double right = p->width - f - (row == rows - 1 && shown + 1 < p->groups_shown ? 6.0 * f : 0.0);
        if (x > left && x + width > right && row + 1 < rows) {
            row++;
            x = left;
        } else if (x > left && x + width > right) {
            snprintf(name, sizeof name, "and %zu more", p->groups_shown - shown);
            text_draw(cr, x, y + row * 1.35 * f + 0.35 * f, 0.0, name);
            return;
        }
        rgb color = palette_category(p->group_order[g]);
        color = p->options.chains ? rgb_mix(color, rgb_white, picture_lightening) : color;
        paint_swatch(cr, p, x + 0.45 * f, y + row * 1.35 * f, color);
        set_rgb(cr, rgb_ink);
        text_draw(cr, x + 1.15 * f, y + row * 1.35 * f + 0.35 * f, 0.0, name);
        x += width + 1.3 * f;
        shown++;
    }
}

void paint_labels(cairo_t *cr, const picture *p)
{
    paint_time(cr, p);
    paint_remarks(cr, p);
    paint_length(cr, p);
    if (p->options.chains)
        paint_force_key(cr, p);
    if (p->dynamic == 0)
        return;
    if (p->options.color == DRAW_BY_GROUP)
        paint_legend(cr, p);
    else
        paint_colour_bar(cr, p);
}
