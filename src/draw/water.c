/*
 * The water picture of a process on the line: time runs downward, the cavity {(t, x) : x in C(t)} lies in the
 * rock, and the graph of the path is a stream of water.  Where nothing holds the point it falls vertically
 * (or drifts, when there is a field); where the wall pushes it the stream runs over the wall (M99 end of 2.1,
 * M05 27-28).
 */
#include "draw/path.h"

#include <math.h>

static const rgb rock_color = {0.885, 0.865, 0.835}, rock_hatch = {0.80, 0.77, 0.73},
                 rock_edge = {0.36, 0.31, 0.27};
static const rgb stream_color = {0.02, 0.33, 0.78}, fall_color = {0.22, 0.62, 0.96};
static const double stream_width = 4.4, fall_width = 2.8, edge_width = 2.0; /* units */

/* ---- plan ------------------------------------------------------------------------------------------- */

static void find_running(path_picture *p)
{
    const path2d *s = p->source;
    double largest = 0.0;
    for (size_t i = 0; i < s->path.rows * s->m; i++)
        if (s->path.lambda[i] < 1e150)
            largest = fmax(largest, s->path.lambda[i]);
    for (size_t k = 0; k < s->path.rows; k++)
        for (size_t a = 0; a < s->m; a++)
            if (s->path.lambda[k * s->m + a] > 1e-9 * largest)
                p->running[k] = 1.0;
}

/* range of the border's points within the time of the path; cut[side] when a line ends there at a time
   within, as it does where the border was cut off */
static range border_range(const path2d *s, range time, bool cut[2])
{
    const mo_run_outlines *o = &s->outlines;
    range r = range_none, ends = range_none;
    double early = 1e-3 * (time.hi - time.lo);
    for (size_t i = 0; i < o->count; i++)
        for (size_t k = o->first[i]; k < o->first[i + 1]; k++) {
            const double *p = o->points + 2 * k;
            if (!(p[0] >= time.lo && p[0] <= time.hi))
                continue;
            range_add(&r, p[1], false);
            bool end = k == o->first[i] || k + 1 == o->first[i + 1];
            if (end && p[0] > time.lo + early && p[0] < time.hi - early)
                range_add(&ends, p[1], false);
        }
    double small = 1e-9 * (r.hi - r.lo);
    cut[0] = ends.lo <= r.lo + small;
    cut[1] = ends.hi >= r.hi - small;
    return r;
}

/* what is shown across: the path, and the border unless it is much further away */
static range choose_width(const path2d *s, range time)
{
    bool cut[2];
    range path = range_none, border = border_range(s, time, cut);
    for (size_t k = 0; k < s->path.rows; k++)
        range_add(&path, s->path.x[k], false);
    range r = path;
    range_pad(&r, 0.08, false);
    if (!(border.lo <= border.hi))
        return r;
    if (!(path.lo <= path.hi))
        return border;
    double reach = path.hi > path.lo ? 12.0 * (path.hi - path.lo) : border.hi - border.lo;
    double pad = 0.06 * (fmin(border.hi, path.hi + reach) - fmax(border.lo, path.lo - reach));
    r.lo = fmin(r.lo, fmax(border.lo - (cut[0] ? 0.0 : pad), path.lo - reach));
    r.hi = fmax(r.hi, fmin(border.hi + (cut[1] ? 0.0 : pad), path.hi + reach));
    return r;
}

static void choose_keys(path_picture *p)
{
    double unit = p->chart.unit;
    bool told = p->source->m > 0;
    path_picture_key(p, KEY_LINE, stream_color, stream_width * unit, told ? "held by the wall" : "x(t)");
    if (told)
        path_picture_key(p, KEY_LINE, fall_color, fall_width * unit, "falling freely");
    if (p->jumps)
        path_picture_key(p, KEY_DASHES, stream_color, fall_width * unit, "jump");
    if (p->rock.levels > 0)
        path_picture_key(p, KEY_AREA, rock_color, 0.0, "outside C(t)");
}

mo_status water_plan(path_picture *p, const path2d *source, const draw_options *options, mo_error *err)
{
    static const figure_axis across = {.label = "x"}, downward = {.label = "t (s)", .down = true};
    mo_status status = path_picture_start(p, source, options, err);
    if (status != MO_OK)
        return status;
    range time = range_none;
    for (size_t k = 0; k < source->path.rows; k++)
        range_add(&time, source->path.t[k], false);
    find_running(p);
    figure_scales(&p->chart, &across, choose_width(source, time), &downward, time, false);
    const axis *t = &p->chart.y, *x = &p->chart.x;
    if (source->outlines.count > 0)
        status = rock_make(&p->rock, (size_t)fmax(p->chart.height, 16.0), (range){t->lo, t->hi},
                           (range){x->lo, x->hi}, &source->outlines, source->path.rows, source->path.t,
                           source->path.x, err);
    choose_keys(p);
    path_picture_lay_out(p, 0.0);
    return status;
}

/* ---- rock ------------------------------------------------------------------------------------------- */

static size_t crossings(const rock *r, size_t level)
{
    return r->first[level + 1] - r->first[level];
}

/* the end of the j-th interval of a level on the left (side 0) or right, within the picture */
static double bound(const path_picture *p, size_t level, size_t j, int side)
{
    const rock *r = &p->rock;
    const axis *x = &p->chart.x;
    if (side == 0 && j == 0)
        return x->lo;
    if (side == 1 && j == crossings(r, level))
        return x->hi;
    return fmin(fmax(r->x[r->first[level] + j - (side == 0 ? 1 : 0)], x->lo), x->hi);
}

static void corner(cairo_t *cr, const path_picture *p, double x, double t)
{
    double at[2];
    if (chart_point(&p->chart, x, t, at))
        cairo_line_to(cr, at[0], at[1]);
}

/* adds the j-th interval of levels [from, to) as a polygon: down its left side, up its right one */
static void add_interval(cairo_t *cr, const path_picture *p, size_t from, size_t to, size_t j)
{
    const rock *r = &p->rock;
    double half = 0.5 * (r->time.hi - r->time.lo) / (double)r->levels;
    cairo_new_sub_path(cr);
    for (int side = 0; side < 2; side++) {
        size_t start = side == 0 ? from : to - 1, end = side == 0 ? to - 1 : from;
        double before = side == 0 ? -half : half;
        corner(cr, p, bound(p, start, j, side), rock_time(r, start) + before);
        for (size_t k = from; k < to; k++) {
            size_t level = side == 0 ? k : to - 1 - (k - from);
            corner(cr, p, bound(p, level, j, side), rock_time(r, level));
        }
        corner(cr, p, bound(p, end, j, side), rock_time(r, end) - before);
    }
    cairo_close_path(cr);
}

static void rock_path(cairo_t *cr, const path_picture *p)
{
    const rock *r = &p->rock;
    cairo_new_path(cr);
    for (size_t from = 0, to; from < r->levels; from = to) {
        for (to = from + 1; to < r->levels; to++)
            if (crossings(r, to) != crossings(r, from) || r->open[to] != r->open[from])
                break;
        for (size_t j = 0; j <= crossings(r, from); j++)
            if (rock_solid(r, from, j))
                add_interval(cr, p, from, to, j);
    }
}

static void paint_rock(cairo_t *cr, const path_picture *p)
{
    const chart *c = &p->chart;
    const mo_run_outlines *o = &p->source->outlines;
    double lo[2] = {c->left, c->top}, hi[2] = {c->left + c->width, c->top + c->height};
    rock_path(cr, p);
    set_rgb(cr, rock_color);
    cairo_fill_preserve(cr);
    cairo_save(cr);
    cairo_clip(cr);
    set_rgb(cr, rock_hatch);
    cairo_set_line_width(cr, c->unit);
    chart_hatch(cr, lo, hi, 11.0 * c->unit);
    cairo_restore(cr);
    set_rgb(cr, rock_edge);
    cairo_set_line_width(cr, edge_width * c->unit);
    for (size_t i = 0; i < o->count; i++) {
        const double *points = o->points + 2 * o->first[i];
        chart_line line = {points + 1, points, o->first[i + 1] - o->first[i], 2, 2};
        chart_stroke(cr, c, &line);
    }
}

/* ---- stream ----------------------------------------------------------------------------------------- */

static void stroke_between(cairo_t *cr, const chart *c, double x0, double t0, double x1, double t1)
{
    double x[2] = {x0, x1}, t[2] = {t0, t1};
    chart_line line = {x, t, 2, 1, 1};
    chart_stroke(cr, c, &line);
}

/* rows [from, to] without a jump between them */
static void stroke_rows(cairo_t *cr, const path_picture *p, size_t from, size_t to)
{
    const mo_run_path *path = &p->source->path;
    chart_line line = {path->x + from, path->t + from, to - from + 1, 1, 1};
    chart_stroke(cr, &p->chart, &line);
}

static void paint_jump(cairo_t *cr, const path_picture *p, size_t k, double width)
{
    const mo_run_path *path = &p->source->path;
    stroke_between(cr, &p->chart, path->x[k - 1], path->t[k - 1], path->x[k - 1], p->jump[k]);
    stroke_between(cr, &p->chart, path->x[k], p->jump[k], path->x[k], path->t[k]);
    path_picture_dashes(cr, width);
    stroke_between(cr, &p->chart, path->x[k - 1], p->jump[k], path->x[k], p->jump[k]);
    path_picture_dashes(cr, 0.0);
}

/* steps of one kind: where the point is held, or where it is not */
static void paint_steps(cairo_t *cr, const path_picture *p, bool running)
{
    const mo_run_path *path = &p->source->path;
    for (size_t k = 1, end; k < path->rows; k = end) {
        end = k + 1;
        if (!isnan(p->jump[k]) || (p->running[k] > 0.0) != running)
            continue;
        while (end < path->rows && isnan(p->jump[end]) && p->running[end] == p->running[k])
            end++;
        stroke_rows(cr, p, k - 1, end - 1);
    }
}

static void paint_stream(cairo_t *cr, const path_picture *p)
{
    const chart *c = &p->chart;
    bool told = p->source->m > 0;
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    set_rgb(cr, told ? fall_color : stream_color);
    cairo_set_line_width(cr, (told ? fall_width : stream_width) * c->unit);
    paint_steps(cr, p, false);
    if (p->source->path.rows == 1)
        stroke_rows(cr, p, 0, 0);
    set_rgb(cr, stream_color);
    cairo_set_line_width(cr, stream_width * c->unit);
    paint_steps(cr, p, true);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_width(cr, fall_width * c->unit);
    for (size_t k = 1; k < p->source->path.rows; k++)
        if (!isnan(p->jump[k]))
            paint_jump(cr, p, k, fall_width * c->unit);
}

bool water_paint(cairo_t *cr, const void *data)
{
    const path_picture *p = data;
    chart_grid(cr, &p->chart);
    cairo_save(cr);
    chart_clip(cr, &p->chart);
    if (p->rock.levels > 0)
        paint_rock(cr, p);
    paint_stream(cr, p);
    cairo_restore(cr);
    path_picture_frame(cr, p, "x", "t (s)");
    return true;
}
