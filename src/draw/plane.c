/* The path of a point in the plane: coloured by time, over borders of the set at some times. */
#include "draw/path.h"

#include "core/fail.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { bands = 48, borders = 9, label_spots = 24 };
static const double path_width = 3.4, border_width = 1.8; /* units */
static const double palest = 0.3;                         /* of the colours, that lines are seen on white */

/* ---- plan ------------------------------------------------------------------------------------------- */

static void choose_time(path_picture *p)
{
    range r = range_none;
    for (size_t k = 0; k < p->source->path.rows; k++)
        range_add(&r, p->source->path.t[k], false);
    p->time = axis_make(r.lo, r.hi, 5, false);
    axis_title(p->bar_title, &p->time, "t", "s");
}

static void choose_scales(path_picture *p)
{
    static const figure_axis x = {.label = "x1"}, y = {.label = "x2"};
    const path2d *s = p->source;
    range r[2] = {range_none, range_none};
    for (size_t i = 0; i < 2 * s->path.rows; i++)
        range_add(&r[i % 2], s->path.x[i], false);
    for (size_t i = 0; s->outlines.count > 0 && i < 2 * s->outlines.first[s->outlines.count]; i++)
        range_add(&r[i % 2], s->outlines.points[i], false);
    range_pad(&r[0], 0.05, false);
    range_pad(&r[1], 0.05, false);
    figure_scales(&p->chart, &x, r[0], &y, r[1], true);
}

mo_status plane_plan(path_picture *p, const path2d *source, const draw_options *options, mo_error *err)
{
    mo_status status = path_picture_start(p, source, options, err);
    if (status != MO_OK)
        return status;
    double e = p->chart.font, unit = p->chart.unit;
    choose_time(p);
    choose_scales(p);
    p->bar = (key_bar){.left = 0.3 * p->width,
                       .width = 0.4 * p->width,
                       .unit = unit,
                       .font = e,
                       .scale = &p->time,
                       .title = p->bar_title,
                       .map = PALETTE_SPEED,
                       .from = palest};
    rgb first = key_bar_color(&p->bar, p->time.lo), last = key_bar_color(&p->bar, p->time.hi);
    path_picture_key(p, KEY_RING, rgb_mix(first, rgb_ink, 0.5), 0.32 * e, "start");
    path_picture_key(p, KEY_DISC, last, 0.4 * e, "end");
    if (p->jumps)
        path_picture_key(p, KEY_DASHES, rgb_mix(first, last, 0.5), 0.8 * path_width * unit, "jump");
    if (source->outlines.count > 0)
        path_picture_key(p, KEY_LINE, rgb_mix(last, rgb_white, 0.5), border_width * unit, "border of C(t)");
    path_picture_lay_out(p, 4.0 * e);
    return MO_OK;
}

/* ---- borders ---------------------------------------------------------------------------------------- */

/* Lines [first, end) of the border at one time. */
typedef struct border {
    size_t first, end;
    double t;
} border;

static border next_border(const mo_run_outlines *o, size_t first)
{
    border b = {first, first + 1, o->t[first]};
    while (b.end < o->count && o->t[b.end] == b.t)
        b.end++;
    return b;
}

static bool same_border(const mo_run_outlines *o, const border *a, const border *b)
{
    size_t pa = o->first[a->first], pb = o->first[b->first], count = o->first[a->end] - pa;
    return o->first[b->end] - pb == count &&
           (count == 0 || memcmp(o->points + 2 * pa, o->points + 2 * pb, 2 * count * sizeof *o->points) == 0);
}

/* at most `borders` of the times, evenly, the last included; only one when the set stands still */
static size_t choose_borders(const mo_run_outlines *o, border out[borders])
{
    size_t times = 0, taken = 0, index = 0;
    bool still = true;
    border start = {0};
    for (size_t i = 0; i < o->count; times++) {
        border b = next_border(o, i);
        start = times == 0 ? b : start;
        still = still && same_border(o, &start, &b);
        i = b.end;
    }
    size_t stride = times > borders ? (times + borders - 2) / (borders - 1) : 1;
    for (size_t i = 0; i < o->count && taken < borders; index++) {
        border b = next_border(o, i);
        if ((times - 1 - index) % stride == 0)
            out[taken++] = b;
        i = b.end;
    }
    return still && taken > 1 ? 1 : taken;
}

static rgb border_tone(const path_picture *p, double t)
{
    return rgb_mix(key_bar_color(&p->bar, t), rgb_white, 0.5);
}

static void paint_border(cairo_t *cr, const path_picture *p, const border *b)
{
    const mo_run_outlines *o = &p->source->outlines;
    set_rgb(cr, border_tone(p, b->t));
    cairo_set_line_width(cr, border_width * p->chart.unit);
    for (size_t i = b->first; i < b->end; i++) {
        const double *points = o->points + 2 * o->first[i];
        chart_line line = {points, points + 1, o->first[i + 1] - o->first[i], 2, 2};
        chart_stroke(cr, &p->chart, &line);
    }
}

/* Labels placed so far, on the paper. */
typedef struct spots {
    double at[borders][2];
    size_t count;
} spots;

/* how far a place is from labels, from points of other borders and from the path, pixels */
static double clearance(const path_picture *p, const border *all, size_t count, size_t self,
                        const spots *labels, const double at[2])
{
    const mo_run_outlines *o = &p->source->outlines;
    const mo_run_path *path = &p->source->path;
    double least = HUGE_VAL, other[2];
    for (size_t i = 0; i < labels->count; i++)
        least = fmin(least, 0.4 * hypot(at[0] - labels->at[i][0], at[1] - labels->at[i][1]));
    for (size_t b = 0; b < count; b++) {
        size_t from = o->first[all[b].first], to = o->first[all[b].end], step = 1 + (to - from) / 128;
        for (size_t k = from; b != self && k < to; k += step)
            if (chart_point(&p->chart, o->points[2 * k], o->points[2 * k + 1], other))
                least = fmin(least, hypot(at[0] - other[0], at[1] - other[1]));
    }
    for (size_t k = 0; k < path->rows; k += 1 + path->rows / 256)
        if (chart_point(&p->chart, path->x[2 * k], path->x[2 * k + 1], other))
            least = fmin(least, hypot(at[0] - other[0], at[1] - other[1]));
    return least;
}

/* the time beside a border, where there is most room */
static void paint_border_label(cairo_t *cr, const path_picture *p, const border *all, size_t count, size_t b,
                               spots *labels)
{
    const mo_run_outlines *o = &p->source->outlines;
    const chart *c = &p->chart;
    size_t from = o->first[all[b].first], to = o->first[all[b].end];
    double best = -1.0, spot[2] = {0.0, 0.0}, at[2];
    for (size_t k = from; k < to; k += 1 + (to - from) / label_spots) {
        if (!chart_point(c, o->points[2 * k], o->points[2 * k + 1], at) || at[0] > c->left + 0.9 * c->width ||
            at[0] < c->left || at[1] < c->top + c->font || at[1] > c->top + c->height - c->font)
            continue;
        double room = clearance(p, all, count, b, labels, at);
        if (room > best) {
            best = room;
            memcpy(spot, at, sizeof spot);
        }
    }
    if (best < 0.3 * c->font)
        return;
    memcpy(labels->at[labels->count++], spot, sizeof spot);
    char number[TEXT_SIZE], text[TEXT_SIZE];
    text_number(number, all[b].t, 3);
    snprintf(text, sizeof text, "t = %.100s", number);
    text_font(cr, 0.8 * c->font);
    /* on a white ground, so that lines do not cross it */
    double width = text_width(cr, text);
    set_rgb(cr, rgb_white);
    cairo_rectangle(cr, spot[0] - 0.5 * width - 0.2 * c->font, spot[1] - 0.5 * c->font, width + 0.4 * c->font,
                    c->font);
    cairo_fill(cr);
    set_rgb(cr, rgb_mix(key_bar_color(&p->bar, all[b].t), rgb_ink, 0.35));
    text_draw(cr, spot[0], spot[1] + 0.28 * c->font, 0.5, text);
}

/* ---- path ------------------------------------------------------------------------------------------- */

static size_t band_of(const path_picture *p, size_t k)
{
    double s = axis_at(&p->time, p->source->path.t[k]);
    return s > 0.0 ? (size_t)fmin(s * bands, bands - 1) : 0;
}

/* rows [from, to] in the colour of the first */
static void stroke_rows(cairo_t *cr, const path_picture *p, size_t from, size_t to)
{
    const double *x = p->source->path.x + 2 * from;
    chart_line line = {x, x + 1, to - from + 1, 2, 2};
    double s = ((double)band_of(p, to) + 0.5) / bands;
    set_rgb(cr, key_bar_color(&p->bar, p->time.lo + s * (p->time.hi - p->time.lo)));
    chart_stroke(cr, &p->chart, &line);
}

static void paint_path(cairo_t *cr, const path_picture *p)
{
    const mo_run_path *path = &p->source->path;
    double width = path_width * p->chart.unit;
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    for (size_t k = 1, end; k < path->rows; k = end) {
        bool jump = !isnan(p->jump[k]);
        end = k + 1;
        while (!jump && end < path->rows && isnan(p->jump[end]) && band_of(p, end) == band_of(p, k))
            end++;
        cairo_set_line_cap(cr, jump ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
        cairo_set_line_width(cr, jump ? 0.8 * width : width);
        path_picture_dashes(cr, jump ? 0.8 * width : 0.0);
        stroke_rows(cr, p, k - 1, end - 1);
    }
    path_picture_dashes(cr, 0.0);
}

static void paint_ends(cairo_t *cr, const path_picture *p)
{
    const mo_run_path *path = &p->source->path;
    double at[2], e = p->chart.font;
    if (path->rows == 0)
        return;
    size_t last = path->rows - 1;
    if (chart_point(&p->chart, path->x[2 * last], path->x[2 * last + 1], at)) {
        set_rgb(cr, p->keys[1].color);
        chart_mark(cr, MARKER_DISC, at[0], at[1], 0.4 * e);
    }
    if (chart_point(&p->chart, path->x[0], path->x[1], at)) {
        set_rgb(cr, rgb_white);
        chart_mark(cr, MARKER_DISC, at[0], at[1], 0.36 * e);
        set_rgb(cr, p->keys[0].color);
        chart_mark(cr, MARKER_RING, at[0], at[1], 0.42 * e);
    }
}

bool plane_paint(cairo_t *cr, const void *data)
{
    const path_picture *p = data;
    border chosen[borders];
    spots labels = {.count = 0};
    size_t count = choose_borders(&p->source->outlines, chosen);
    chart_grid(cr, &p->chart);
    cairo_save(cr);
    chart_clip(cr, &p->chart);
    for (size_t b = 0; b < count; b++)
        paint_border(cr, p, &chosen[b]);
    for (size_t b = 0; b < count && count > 1; b++)
        paint_border_label(cr, p, chosen, count, b, &labels);
    paint_path(cr, p);
    paint_ends(cr, p);
    cairo_restore(cr);
    path_picture_frame(cr, p, "x1", "x2");
    key_bar_paint(cr, &p->bar);
    return true;
}
