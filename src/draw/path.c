/* What pictures of paths have in common. */
#include "draw/path.h"

#include "core/fail.h"
#include "draw/sink.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_jump(const char *type)
{
    return strcmp(type, "jump") == 0 || strcmp(type, "outside") == 0;
}

/* times of jumps by the row that ends the step; the first where there are several, a start outside counts to
   the first step */
static void find_jumps(path_picture *p)
{
    const mo_run_path *path = &p->source->path;
    const mo_run_events *events = &p->source->events;
    size_t k = 1;
    for (size_t i = 0; i < path->rows; i++)
        p->jump[i] = (double)NAN;
    for (size_t e = 0; e < events->count; e++) {
        if (!is_jump(events->type[e]))
            continue;
        while (k < path->rows && path->t[k] < events->t[e])
            k++;
        if (k < path->rows && isnan(p->jump[k]) && events->t[e] >= path->t[k - 1]) {
            p->jump[k] = events->t[e];
            p->jumps = true;
        }
    }
}

mo_status path_picture_start(path_picture *p, const path2d *source, const draw_options *options,
                             mo_error *err)
{
    *p = (path_picture){.source = source};
    mo_status status = sink_check_width(options, err);
    if (status != MO_OK)
        return status;
    p->width = (double)options->width;
    p->chart.unit = chart_unit(p->width);
    p->chart.font = text_size(p->width);
    p->jump = malloc((source->path.rows + 1) * sizeof *p->jump);
    p->running = calloc(source->path.rows + 1, sizeof *p->running);
    if (p->jump == NULL || p->running == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a picture of %zu rows", source->path.rows);
    find_jumps(p);
    double e = p->chart.font;
    p->chart.left = 6.4 * e;
    p->chart.top = 1.6 * e;
    p->chart.width = p->width - 8.2 * e;
    p->chart.height = 0.68 * p->width;
    return MO_OK;
}

void path_picture_free(path_picture *p)
{
    free(p->jump);
    free(p->running);
    rock_free(&p->rock);
    *p = (path_picture){0};
}

void path_picture_key(path_picture *p, key_kind kind, rgb color, double width, const char *text)
{
    if (p->key_count < PATH_KEYS)
        p->keys[p->key_count++] = (key_item){kind, color, width, text};
}

void path_picture_lay_out(path_picture *p, double footer)
{
    double e = p->chart.font, y = p->chart.top + p->chart.height + 3.6 * e;
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    cairo_t *cr = cairo_create(surface);
    p->key_y = y + 0.9 * e;
    y += 1.5 * e * (double)key_items_rows(cr, p->keys, p->key_count, p->width - 2.0 * e, e);
    p->bar.top = y + 0.4 * e;
    p->height = ceil(fmax(y + footer + 1.0 * e, 1.0));
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
}

void path_picture_frame(cairo_t *cr, const path_picture *p, const char *x, const char *y)
{
    chart_x_numbers(cr, &p->chart);
    chart_y_numbers(cr, &p->chart);
    chart_x_title(cr, &p->chart, x);
    chart_y_title(cr, &p->chart, y);
    key_items_paint(cr, p->keys, p->key_count, 0.5 * p->width, p->key_y, p->width - 2.0 * p->chart.font,
                    p->chart.font);
    if (p->source->path.rows == 0) {
        set_rgb(cr, chart_quiet);
        text_draw(cr, p->chart.left + 0.5 * p->chart.width, p->chart.top + 0.5 * p->chart.height, 0.5,
                  "no rows recorded");
    }
}

void path_picture_dashes(cairo_t *cr, double width)
{
    double dashes[2] = {3.0 * width, 2.4 * width};
    cairo_set_dash(cr, dashes, width > 0.0 ? 2 : 0, 0.0);
}
