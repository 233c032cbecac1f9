/*
 * The layers of walls and bodies.
 *
 * A body of several parts gets one outline around their union: all parts are stroked at twice the width
 * first, then all are filled.  Outlines get thinner and paler as bodies get smaller, and end below half a
 * pixel.
 */
#include "draw/picture.h"

#include <math.h>

static const rgb wall_fill = {0.86, 0.86, 0.87}, wall_edge = {0.28, 0.29, 0.31},
                 wall_hatch = {0.70, 0.70, 0.72};
static const rgb ground_fill = {0.93, 0.93, 0.935}, ground_hatch = {0.52, 0.53, 0.55};

static bool is_filled(const mo_part *part)
{
    return part->kind == MO_PART_DISC || part->kind == MO_PART_POLYGON;
}

/* strokes or fills every filled part by itself: parts may overlap and be wound either way */
static void each_part(cairo_t *cr, const picture *p, outline_space *space, const body2d *body, double inset,
                      void (*paint)(cairo_t *))
{
    for (size_t i = 0; i < body->part_count; i++) {
        cairo_new_path(cr);
        if (is_filled(&body->parts[i]) && outline_part(cr, &p->view, space, body, &body->parts[i], inset))
            paint(cr);
    }
}

static bool add_segments(cairo_t *cr, const picture *p, const body2d *body)
{
    bool any = false;
    cairo_new_path(cr);
    for (size_t i = 0; i < body->part_count; i++) {
        const double *points = part2d_points(body, &body->parts[i]);
        if (body->parts[i].kind != MO_PART_SEGMENT || points == NULL)
            continue;
        double a[2], b[2];
        body2d_place(body, points, a);
        body2d_place(body, points + 2, b);
        any |= outline_line(cr, &p->view, a, b);
    }
    return any;
}

/* ---- walls ------------------------------------------------------------------------------------ */

/* hatching inside the current path, which is kept */
static void hatch_path(cairo_t *cr, const picture *p)
{
    double lo[2], hi[2];
    cairo_path_t *path = cairo_copy_path(cr);
    cairo_save(cr);
    cairo_clip(cr);
    cairo_clip_extents(cr, &lo[0], &lo[1], &hi[0], &hi[1]);
    set_rgb(cr, wall_hatch);
    cairo_set_line_width(cr, p->unit);
    if (hi[0] > lo[0] && hi[1] > lo[1])
        chart_hatch(cr, lo, hi, 8.0 * p->unit);
    cairo_restore(cr);
    cairo_new_path(cr);
    cairo_append_path(cr, path);
    cairo_path_destroy(path);
}

static void paint_wall(cairo_t *cr, const picture *p, outline_space *space, const body2d *body)
{
    /* small fixed bodies are plain, like grains glued to a rough wall */
    double size = body2d_radius(body) * p->view.scale;
    double edge = fmin(1.6 * p->unit, 0.12 * size);
    cairo_set_line_width(cr, edge);
    for (size_t i = 0; i < body->part_count; i++) {
        cairo_new_path(cr);
        if (!is_filled(&body->parts[i]) ||
            !outline_part(cr, &p->view, space, body, &body->parts[i], 0.5 * edge))
            continue;
        set_rgb(cr, wall_fill);
        cairo_fill_preserve(cr);
        if (size > 14.0 * p->unit)
            hatch_path(cr, p);
        set_rgb(cr, wall_edge);
        if (edge >= 0.5 * fmin(1.0, p->unit))
            cairo_stroke(cr);
    }
    if (add_segments(cr, p, body)) {
        set_rgb(cr, wall_edge);
        cairo_set_line_width(cr, (p->scene->words != NULL ? 5.0 : 2.6) * p->unit);
        cairo_stroke(cr);
    }
}

/* the edge of the ground with short strokes below it */
static void paint_edge(cairo_t *cr, const picture *p, const double from[2], const double to[2])
{
    double length = hypot(to[0] - from[0], to[1] - from[1]);
    double d[2] = {(to[0] - from[0]) / length, (to[1] - from[1]) / length};
    double step = 13.0 * p->unit, deep = 14.0 * p->unit;
    set_rgb(cr, ground_hatch);
    cairo_set_line_width(cr, 1.1 * p->unit);
    cairo_new_path(cr);
    /* inwards is d turned by -90 degrees on the paper; strokes lean back along the edge */
    for (double s = 0.5 * step; s < length + deep; s += step) {
        double x = from[0] + s * d[0], y = from[1] + s * d[1];
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, x + deep * (d[1] - d[0]), y + deep * (-d[0] - d[1]));
    }
    cairo_stroke(cr);
    set_rgb(cr, wall_edge);
    cairo_set_line_width(cr, 2.6 * p->unit);
    cairo_move_to(cr, from[0], from[1]);
    cairo_line_to(cr, to[0], to[1]);
    cairo_stroke(cr);
}

static void paint_ground(cairo_t *cr, const picture *p, const body2d *body)
{
    double n[2], offset, from[2], to[2];
    for (size_t i = 0; i < body->part_count; i++) {
        const mo_part *part = &body->parts[i];
        if (part->kind != MO_PART_HALFPLANE || !part2d_halfplane(body, part, n, &offset))
            continue;
        cairo_new_path(cr);
        if (outline_halfplane(cr, &p->view, n, offset)) {
            set_rgb(cr, ground_fill);
            cairo_fill(cr);
        }
        if (outline_edge(&p->view, n, offset, from, to) && hypot(to[0] - from[0], to[1] - from[1]) > 0.0)
            paint_edge(cr, p, from, to);
    }
}

void paint_walls(cairo_t *cr, const picture *p, outline_space *space)
{
    const scene2d *scene = p->scene;
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    for (size_t i = 0; i < scene->body_count; i++)
        if (body2d_drawable(&scene->bodies[i]))
            paint_ground(cr, p, &scene->bodies[i]);
    for (size_t i = 0; i < scene->body_count; i++)
        if (scene->bodies[i].wall && body2d_drawable(&scene->bodies[i]))
            paint_wall(cr, p, space, &scene->bodies[i]);
}

/* ---- bodies ------------------------------------------------------------------------------------- */

/* how strongly a line on a body of a size on paper is seen, 0 to 1 */
static double presence(const picture *p, double size)
{
    double s = (size / p->unit - 4.0) / 10.0;
    s = fmin(fmax(s, 0.0), 1.0);
    return s * s * (3.0 - 2.0 * s);
}

static bool is_dark(rgb c)
{
    return 0.3 * c.r + 0.6 * c.g + 0.1 * c.b < 0.42;
}

/* a short radius that shows how a disc is turned */
static void paint_mark(cairo_t *cr, const picture *p, const body2d *body, double width, rgb color)
{
    const double *c = part2d_points(body, &body->parts[0]);
    if (c == NULL)
        return;
    double r = part2d_radius(body, &body->parts[0]), a[2], b[2];
    double inner[2] = {c[0] + 0.55 * r, c[1]}, outer[2] = {c[0] + 0.9 * r, c[1]};
    body2d_place(body, inner, a);
    body2d_place(body, outer, b);
    cairo_new_path(cr);
    if (!outline_line(cr, &p->view, a, b))
        return;
    set_rgb(cr, color);
    cairo_set_line_width(cr, width);
    cairo_stroke(cr);
}

static void paint_thin(cairo_t *cr, const picture *p, const body2d *body, rgb fill, rgb line)
{
    if (!add_segments(cr, p, body))
        return;
    set_rgb(cr, line);
    cairo_set_line_width(cr, 5.0 * p->unit);
    cairo_stroke_preserve(cr);
    set_rgb(cr, fill);
    cairo_set_line_width(cr, 2.8 * p->unit);
    cairo_stroke(cr);
}

static void paint_body(cairo_t *cr, const picture *p, outline_space *space, size_t i)
{
    const body2d *body = &p->scene->bodies[i];
    double size = body2d_radius(body) * p->view.scale, width = fmin(1.3 * p->unit, 0.12 * size);
    bool outlined = width >= 0.5 * fmin(1.0, p->unit), single = body->part_count == 1;
    rgb fill = picture_color(p, i);
    double weight = presence(p, size) * (p->options.chains ? 0.65 : 0.85);
    rgb line = rgb_mix(fill, rgb_ink, 0.2 + 0.8 * weight);
    cairo_set_line_width(cr, single ? width : 2.0 * width);
    set_rgb(cr, line);
    if (outlined && !single)
        each_part(cr, p, space, body, 0.0, cairo_stroke);
    set_rgb(cr, fill);
    each_part(cr, p, space, body, outlined && single ? 0.5 * width : 0.0, cairo_fill);
    set_rgb(cr, line);
    if (outlined && single)
        each_part(cr, p, space, body, 0.5 * width, cairo_stroke);
    if (outlined && single && body->parts[0].kind == MO_PART_DISC && size > 9.0 * p->unit &&
        !p->options.chains)
        paint_mark(cr, p, body, width, is_dark(fill) ? rgb_mix(fill, rgb_white, 0.75) : line);
    paint_thin(cr, p, body, fill, line);
}

void paint_bodies(cairo_t *cr, const picture *p, outline_space *space)
{
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    for (size_t i = 0; i < p->scene->body_count; i++)
        if (!p->scene->bodies[i].wall && body2d_drawable(&p->scene->bodies[i]))
            paint_body(cr, p, space, i);
}
