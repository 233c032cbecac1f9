/* Labels around the view: time and remarks above; length scale, force scale, and colour bar or legend below.
 */
#include "draw/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
    const char *one = p->scene->words != NULL ? p->scene->words->one : "body";
    const char *many = p->scene->words != NULL ? p->scene->words->many : "bodies";
    if (p->scene->body_count == 0)
        used += (size_t)snprintf(text, sizeof text, "no %.20s", many);
    if (p->outside > 0)
        used += (size_t)snprintf(text + used, sizeof text - used, "%zu %.20s outside the picture", p->outside,
                                 p->outside == 1 ? one : many);
    if (p->unsound > 0)
        snprintf(text + used, sizeof text - used, "%s%zu %.20s without finite position", used > 0 ? ", " : "",
                 p->unsound, p->unsound == 1 ? one : many);
    text_font(cr, 0.9 * p->font);
    set_rgb(cr, chart_quiet);
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
    const scene2d_words *w = p->scene->words;
    snprintf(text, sizeof text, "%.20s %.60s %.10s", w != NULL ? w->link : "mean force", number,
             w != NULL ? w->link_unit : "N");
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

static void paint_colour_bar(cairo_t *cr, const picture *p)
{
    const scene2d_words *w = p->scene->words;
    bool stress = p->options.color == DRAW_BY_STRESS;
    char text[TEXT_SIZE];
    axis_title(text, &p->scale,
               w != NULL ? w->value
               : stress  ? "mean stress"
                         : "speed",
               w != NULL ? w->value_unit
               : stress  ? "N/m"
                         : "m/s");
    key_bar bar = {.left = 0.66 * p->width - 2.2 * p->font,
                   .top = p->footer,
                   .width = 0.34 * p->width,
                   .unit = p->unit,
                   .font = p->font,
                   .scale = &p->scale,
                   .map = picture_map(p),
                   .lightening = p->options.chains ? picture_lightening : 0.0,
                   .over = p->over,
                   .title = text};
    key_bar_paint(cr, &bar);
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
