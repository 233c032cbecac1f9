/*
 * Cutting polygons (Sutherland-Hodgman: one side of the window after the other) and lines (Liang-Barsky: the
 * interval of the line's parameter inside all sides) to a window around the view.
 */
#include "draw/outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double window_margin = 64.0; /* pixels: more than any line is wide */

/* signed distance inside one of the four sides of a window */
static double inside(const double window[4], int side, const double p[2])
{
    int k = side % 2;
    return side < 2 ? p[k] - window[k] : window[2 + k] - p[k];
}

static void view_window(const view2d *view, double margin, double window[4])
{
    window[0] = view->left - margin;
    window[1] = view->top - margin;
    window[2] = view->left + view->width + margin;
    window[3] = view->top + view->height + margin;
}

/* keeps what lies inside a side, given as signed distances d of the points; returns the new count (<= count +
   1 for convex polygons, <= 2 count always) */
static size_t cut(const double *in, size_t count, double *out, const double *window, int side)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const double *a = in + 2 * i, *b = in + 2 * ((i + 1) % count);
        double da = inside(window, side, a), db = inside(window, side, b);
        if (da >= 0.0) {
            memcpy(out + 2 * kept, a, 2 * sizeof *a);
            kept++;
        }
        if ((da >= 0.0) != (db >= 0.0)) {
            double s = da / (da - db);
            out[2 * kept] = a[0] + s * (b[0] - a[0]);
            out[2 * kept + 1] = a[1] + s * (b[1] - a[1]);
            kept++;
        }
    }
    return kept;
}

void outline_space_free(outline_space *space)
{
    free(space->points[0]);
    free(space->points[1]);
    memset(space, 0, sizeof *space);
}

/* room for polygons of `count` points and what cutting adds */
static bool reserve(outline_space *space, size_t count)
{
    size_t need = 16 * (count + 4);
    if (need <= space->capacity)
        return true;
    for (int k = 0; k < 2; k++) {
        double *grown = realloc(space->points[k], 2 * need * sizeof *grown);
        if (grown == NULL) {
            space->no_memory = true;
            return false;
        }
        space->points[k] = grown;
    }
    space->capacity = need;
    return true;
}

static void add_polygon(cairo_t *cr, const double *points, size_t count)
{
    cairo_move_to(cr, points[0], points[1]);
    for (size_t i = 1; i < count; i++)
        cairo_line_to(cr, points[2 * i], points[2 * i + 1]);
    cairo_close_path(cr);
}

/* cuts the polygon in points[0] and adds what is left */
static bool add_cut(cairo_t *cr, const view2d *view, outline_space *space, size_t count)
{
    double window[4];
    view_window(view, window_margin, window);
    for (int side = 0; side < 4 && count > 0; side++)
        count = cut(space->points[side % 2], count, space->points[1 - side % 2], window, side);
    for (size_t i = 0; i < 2 * count; i++)
        if (!isfinite(space->points[0][i]))
            return false;
    if (count < 3)
        return false;
    add_polygon(cr, space->points[0], count);
    return true;
}

/* a disc much larger than the view as a polygon that is finest where it passes the view */
static bool add_huge_disc(cairo_t *cr, const view2d *view, outline_space *space, const double c[2], double r)
{
    enum { half = 1024 };
    if (!reserve(space, 2 * half))
        return false;
    double facing = atan2(view->top + 0.5 * view->height - c[1], view->left + 0.5 * view->width - c[0]);
    for (int i = 0; i < 2 * half; i++) {
        double s = (double)(i - half) / half;
        double angle = facing + 3.14159265358979323846 * s * s * s * s * s;
        space->points[0][2 * i] = c[0] + r * cos(angle);
        space->points[0][2 * i + 1] = c[1] + r * sin(angle);
    }
    return add_cut(cr, view, space, 2 * half);
}

static bool add_disc(cairo_t *cr, const view2d *view, outline_space *space, const double world[2],
                     double radius, double inset)
{
    double c[2];
    view_point(view, world, c);
    double r = fmax(radius * view->scale - inset, 0.0);
    if (r > 1e4)
        return add_huge_disc(cr, view, space, c, r);
    cairo_new_sub_path(cr);
    cairo_arc(cr, c[0], c[1], r, 0.0, 2.0 * 3.14159265358979323846);
    cairo_close_path(cr);
    return true;
}

bool outline_part(cairo_t *cr, const view2d *view, outline_space *space, const body2d *body,
                  const mo_part *part, double inset)
{
    box2d box;
    if (!part2d_bounds(body, part, &box) || !view_meets(view, &box, window_margin))
        return false;
    const double *points = part2d_points(body, part);
    double world[2];
    if (part->kind == MO_PART_DISC) {
        body2d_place(body, points, world);
        return add_disc(cr, view, space, world, part2d_radius(body, part), inset);
    }
    if (!reserve(space, part->vertex_count))
        return false;
    for (size_t i = 0; i < part->vertex_count; i++) {
        body2d_place(body, points + 2 * i, world);
        view_point(view, world, space->points[0] + 2 * i);
    }
    return add_cut(cr, view, space, part->vertex_count);
}

/* parameters [s0, s1] of the line a + s (b - a) inside the window, within those given */
static bool cut_line(const double window[4], const double a[2], const double b[2], double *s0, double *s1)
{
    for (int side = 0; side < 4; side++) {
        double da = inside(window, side, a), db = inside(window, side, b);
        if (da == db && da < 0.0)
            return false;
        if (da < db)
            *s0 = fmax(*s0, da / (da - db));
        else if (da > db)
            *s1 = fmin(*s1, da / (da - db));
    }
    return *s0 < *s1;
}

bool outline_line(cairo_t *cr, const view2d *view, const double a[2], const double b[2])
{
    double window[4], p[2], q[2], s0 = 0.0, s1 = 1.0;
    view_window(view, window_margin, window);
    view_point(view, a, p);
    view_point(view, b, q);
    if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(q[0]) || !isfinite(q[1]))
        return false;
    if (!cut_line(window, p, q, &s0, &s1))
        return false;
    cairo_move_to(cr, p[0] + s0 * (q[0] - p[0]), p[1] + s0 * (q[1] - p[1]));
    cairo_line_to(cr, p[0] + s1 * (q[0] - p[0]), p[1] + s1 * (q[1] - p[1]));
    return true;
}

bool outline_edge(const view2d *view, const double normal[2], double offset, double from[2], double to[2])
{
    /* the point of the edge nearest the view's middle, and the edge's direction with the solid on its right
     */
    double middle[2] = {0.5 * (view->box.lo[0] + view->box.hi[0]), 0.5 * (view->box.lo[1] + view->box.hi[1])};
    double away = normal[0] * middle[0] + normal[1] * middle[1] - offset;
    double reach = hypot(view->width, view->height);
    double window[4], p[2], a[2], b[2], s0 = 0.0, s1 = 1.0;
    if (!(fabs(away) * view->scale <= reach))
        return false;
    double foot[2] = {middle[0] - away * normal[0], middle[1] - away * normal[1]};
    view_point(view, foot, p);
    for (int k = 0; k < 2; k++) {
        double along = k == 0 ? -normal[1] : -normal[0]; /* y points down on the paper */
        a[k] = p[k] - reach * along;
        b[k] = p[k] + reach * along;
    }
    view_window(view, 0.0, window);
    if (!cut_line(window, a, b, &s0, &s1))
        return false;
    for (int k = 0; k < 2; k++) {
        from[k] = a[k] + s0 * (b[k] - a[k]);
        to[k] = a[k] + s1 * (b[k] - a[k]);
    }
    return true;
}

bool outline_halfplane(cairo_t *cr, const view2d *view, const double normal[2], double offset)
{
    const box2d *v = &view->box;
    double corner[4][2] = {
        {v->lo[0], v->lo[1]}, {v->hi[0], v->lo[1]}, {v->hi[0], v->hi[1]}, {v->lo[0], v->hi[1]}};
    double points[16];
    size_t count = 0;
    for (int i = 0; i < 4; i++) {
        const double *a = corner[i], *b = corner[(i + 1) % 4];
        double da = offset - normal[0] * a[0] - normal[1] * a[1];
        double db = offset - normal[0] * b[0] - normal[1] * b[1];
        double s = (da >= 0.0) != (db >= 0.0) ? da / (da - db) : 0.0;
        double crossing[2] = {a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])};
        if (da >= 0.0)
            view_point(view, a, points + 2 * count++);
        if ((da >= 0.0) != (db >= 0.0))
            view_point(view, crossing, points + 2 * count++);
    }
    if (count < 3)
        return false;
    add_polygon(cr, points, count);
    return true;
}
