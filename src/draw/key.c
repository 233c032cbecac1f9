/* Keys below pictures. */
#include "draw/key.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* ---- bars -------------------------------------------------------------------------------------------- */

static rgb bar_color(const key_bar *b, double s)
{
    return rgb_mix(palette_sequential(b->map, b->from + (1.0 - b->from) * s), rgb_white, b->lightening);
}

rgb key_bar_color(const key_bar *b, double value)
{
    return bar_color(b, axis_at(b->scale, value));
}

/* the outline of the bar, with a pointed end when values lie above the scale */
static void bar_path(cairo_t *cr, const key_bar *b, double y, double height)
{
    cairo_new_path(cr);
    cairo_move_to(cr, b->left, y);
    cairo_line_to(cr, b->left + b->width, y);
    if (b->over)
        cairo_line_to(cr, b->left + b->width + 0.7 * height, y + 0.5 * height);
    cairo_line_to(cr, b->left + b->width, y + height);
    cairo_line_to(cr, b->left, y + height);
    cairo_close_path(cr);
}

static void paint_bar(cairo_t *cr, const key_bar *b, double y, double height)
{
    cairo_pattern_t *ramp = cairo_pattern_create_linear(b->left, 0.0, b->left + b->width, 0.0);
    for (int i = 0; i <= 32; i++) {
        rgb c = bar_color(b, i / 32.0);
        cairo_pattern_add_color_stop_rgb(ramp, i / 32.0, c.r, c.g, c.b);
    }
    bar_path(cr, b, y, height);
    cairo_set_source(cr, ramp);
    cairo_fill_preserve(cr);
    cairo_pattern_destroy(ramp);
    set_rgb(cr, rgb_ink);
    cairo_set_line_width(cr, b->unit);
    cairo_stroke(cr);
}

void key_bar_paint(cairo_t *cr, const key_bar *b)
{
    double f = b->font, height = 0.75 * f, y = b->top + 1.5 * f;
    char text[TEXT_SIZE];
    text_font(cr, f);
    set_rgb(cr, rgb_ink);
    text_draw(cr, b->left, b->top + 1.1 * f, 0.0, b->title);
    paint_bar(cr, b, y, height);
    text_font(cr, 0.9 * f);
    for (int k = 0; k < b->scale->count; k++) {
        double at = b->left + b->width * axis_at(b->scale, axis_tick(b->scale, k));
        cairo_move_to(cr, at, y + height);
        cairo_line_to(cr, at, y + height + 0.25 * f);
        cairo_stroke(cr);
        axis_text(text, b->scale, k);
        text_draw(cr, at, y + height + 1.15 * f, 0.5, text);
    }
}

/* ---- samples ----------------------------------------------------------------------------------------- */

static double sample_width(const key_item *item, double font)
{
    return (item->kind == KEY_DISC || item->kind == KEY_RING ? 1.2 : 2.6) * font;
}

static double item_width(cairo_t *cr, const key_item *item, double font)
{
    return sample_width(item, font) + text_width(cr, item->text) + 1.8 * font;
}

/* the items from `first` on that fit in a row, at least one, and how wide they are */
static size_t row_of(cairo_t *cr, const key_item *items, size_t first, size_t count, double room, double font,
                     double *width)
{
    size_t end = first;
    *width = 0.0;
    for (; end < count; end++) {
        double next = item_width(cr, &items[end], font);
        if (end > first && *width + next > room)
            break;
        *width += next;
    }
    return end;
}

static void paint_item(cairo_t *cr, const key_item *item, double x, double y, double font)
{
    double width = sample_width(item, font) - 0.5 * font, dashes[2] = {0.5 * font, 0.3 * font};
    set_rgb(cr, item->color);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_width(cr, item->kind == KEY_RING ? 0.35 * item->width : item->width);
    cairo_new_path(cr);
    if (item->kind == KEY_AREA) {
        cairo_rectangle(cr, x, y - 0.45 * font, width, 0.9 * font);
        cairo_fill(cr);
    } else if (item->kind == KEY_DISC || item->kind == KEY_RING) {
        cairo_arc(cr, x + 0.5 * width, y, item->width, 0.0, 2.0 * pi);
        (item->kind == KEY_DISC ? cairo_fill : cairo_stroke)(cr);
    } else {
        cairo_set_dash(cr, dashes, item->kind == KEY_DASHES ? 2 : 0, 0.0);
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, x + width, y);
        cairo_stroke(cr);
        cairo_set_dash(cr, NULL, 0, 0.0);
    }
    set_rgb(cr, rgb_ink);
    text_draw(cr, x + sample_width(item, font), y + 0.33 * font, 0.0, item->text);
}

size_t key_items_rows(cairo_t *cr, const key_item *items, size_t count, double room, double font)
{
    size_t rows = 0;
    double width;
    text_font(cr, 0.95 * font);
    for (size_t first = 0; first < count; rows++)
        first = row_of(cr, items, first, count, room, font, &width);
    return rows;
}

void key_items_paint(cairo_t *cr, const key_item *items, size_t count, double x, double y, double room,
                     double font)
{
    double width;
    text_font(cr, 0.95 * font);
    for (size_t first = 0; first < count; y += 1.5 * font) {
        size_t end = row_of(cr, items, first, count, room, font, &width);
        double at = x - 0.5 * (width - 1.8 * font);
        for (; first < end; first++) {
            paint_item(cr, &items[first], at, y, font);
            at += item_width(cr, &items[first], font);
        }
    }
}
