/* Labels around the view: time and remarks above; length scale, force scale, and colour bar or legend below.
 */
#include "draw/labels.h"

#include "draw/key.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- above --------------------------------------------------------------------------------------- */

static void paint_time(cairo_t *cr, const labels *l)
{
    char number[TEXT_SIZE], text[TEXT_SIZE];
    text_number(number, l->time, 6);
    snprintf(text, sizeof text, "t = %.100s s", number);
    text_font(cr, 1.15 * l->font);
    set_rgb(cr, rgb_ink);
    text_draw(cr, l->left, 1.45 * l->font, 0.0, text);
}

/* what the picture leaves out */
static void paint_remarks(cairo_t *cr, const labels *l)
{
    char text[TEXT_SIZE] = "";
    size_t used = 0;
    const char *one = l->words != NULL ? l->words->one : "body";
    const char *many = l->words != NULL ? l->words->many : "bodies";
    if (l->body_count == 0)
        used += (size_t)snprintf(text, sizeof text, "no %.20s", many);
    if (l->outside > 0)
        used += (size_t)snprintf(text + used, sizeof text - used, "%zu %.20s outside the picture", l->outside,
                                 l->outside == 1 ? one : many);
    if (l->unsound > 0)
        snprintf(text + used, sizeof text - used, "%s%zu %.20s without finite position", used > 0 ? ", " : "",
                 l->unsound, l->unsound == 1 ? one : many);
    text_font(cr, 0.9 * l->font);
    set_rgb(cr, chart_quiet);
    text_draw(cr, l->width - l->font, 1.45 * l->font, 1.0, text);
}

/* ---- below --------------------------------------------------------------------------------------- */

static void paint_length(cairo_t *cr, const labels *l)
{
    double metres = round_below(0.2 * l->shown);
    double length = metres * l->scale, f = l->font;
    double x = l->left + 0.1 * f, y = l->footer + 1.95 * f;
    char text[TEXT_SIZE];
    text_length(text, metres);
    text_font(cr, f);
    set_rgb(cr, rgb_ink);
    text_draw(cr, x + 0.5 * length, l->footer + 1.1 * f, 0.5, text);
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
static void paint_force_key(cairo_t *cr, const labels *l)
{
    double f = l->font, width = fmin(l->force_line, 1.2 * f);
    double x = 0.29 * l->width, y = l->footer + 1.95 * f;
    char number[TEXT_SIZE], text[TEXT_SIZE];
    if (width <= 0.0)
        return;
    text_number(number, l->force, 2);
    const scene2d_words *w = l->words;
    snprintf(text, sizeof text, "%.20s %.60s %.10s", w != NULL ? w->link : "mean force", number,
             w != NULL ? w->link_unit : "N");
    text_font(cr, f);
    set_rgb(cr, rgb_ink);
    text_draw(cr, x, l->footer + 1.1 * f, 0.0, text);
    set_rgb(cr, chain_color);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_width(cr, width);
    cairo_move_to(cr, x, y);
    cairo_line_to(cr, x + 6.0 * f, y);
    cairo_stroke(cr);
}

static void paint_colour_bar(cairo_t *cr, const labels *l)
{
    const scene2d_words *w = l->words;
    bool stress = l->tint->color == DRAW_BY_STRESS;
    char text[TEXT_SIZE];
    axis_title(text, &l->tint->scale,
               w != NULL ? w->value
               : stress  ? "mean stress"
                         : "speed",
               w != NULL ? w->value_unit
               : stress  ? l->stress_unit
                         : "m/s");
    key_bar bar = {.left = 0.66 * l->width - 2.2 * l->font,
                   .top = l->footer,
                   .width = 0.34 * l->width,
                   .unit = l->unit,
                   .font = l->font,
                   .scale = &l->tint->scale,
                   .map = l->tint->map,
                   .lightening = l->tint->lightening,
                   .over = l->tint->over,
                   .title = text};
    key_bar_paint(cr, &bar);
}

static void paint_swatch(cairo_t *cr, const labels *l, double x, double y, rgb fill)
{
    cairo_new_path(cr);
    cairo_arc(cr, x, y, 0.42 * l->font, 0.0, 2.0 * 3.14159265358979323846);
    set_rgb(cr, fill);
    cairo_fill_preserve(cr);
    set_rgb(cr, rgb_mix(fill, rgb_ink, 0.7));
    cairo_set_line_width(cr, l->unit);
    cairo_stroke(cr);
}

/* names of the groups beside their colours, in up to three rows */
static void paint_legend(cairo_t *cr, const labels *l)
{
    enum { rows = 3 };
    double f = l->font, left = 0.53 * l->width, x = left, y = l->footer + 0.75 * f;
    int row = 0;
    size_t shown = 0;
    text_font(cr, f);
    for (size_t g = 0; g < l->tint->group_count; g++) {
        if (l->tint->group_order[g] == SIZE_MAX)
            continue;
        char name[TEXT_SIZE];
        text_clean(name, l->groups[g], 24);
        double width = 1.1 * f + text_width(cr, name);
        /* the end of the last row is kept for "and … more" */
        double right = l->width - f - (row == rows - 1 && shown + 1 < l->tint->groups_shown ? 6.0 * f : 0.0);
        if (x > left && x + width > right && row + 1 < rows) {
            row++;
            x = left;
        } else if (x > left && x + width > right) {
            snprintf(name, sizeof name, "and %zu more", l->tint->groups_shown - shown);
            text_draw(cr, x, y + row * 1.35 * f + 0.35 * f, 0.0, name);
            return;
        }
        paint_swatch(cr, l, x + 0.45 * f, y + row * 1.35 * f, tint_of_group(l->tint, g));
        set_rgb(cr, rgb_ink);
        text_draw(cr, x + 1.15 * f, y + row * 1.35 * f + 0.35 * f, 0.0, name);
        x += width + 1.3 * f;
        shown++;
    }
}

void labels_paint(cairo_t *cr, const labels *l)
{
    paint_time(cr, l);
    paint_remarks(cr, l);
    paint_length(cr, l);
    paint_force_key(cr, l);
    if (l->dynamic == 0)
        return;
    if (l->tint->color == DRAW_BY_GROUP)
        paint_legend(cr, l);
    else
        paint_colour_bar(cr, l);
}
