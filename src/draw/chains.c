/*
 * Force chains: from centre to contact point to centre, as wide as the normal impulse is large.
 * The mean of the positive impulses is drawn at 0.16 of the median radius, and no line is wider than 0.75 of
 * it.
 */
#include "draw/picture.h"

#include <math.h>

double chain_width(const picture *p, double impulse)
{
    return chain_breadth(p->radius * p->view.scale, impulse, p->impulse);
}

/* adds the line from a body's centre to a contact; where it ends there, its round end just reaches the
 * contact */
static bool add_half(cairo_t *cr, const picture *p, const body2d *body, const double point[2], bool ends,
                     double width)
{
    double d[2];
    scene_arm(&p->scene->cell, 2, body->q, point, d);
    double length = hypot(d[0], d[1]), back = ends ? fmin(0.5 * width / p->view.scale, length) : 0.0;
    if (!(length > 0.0))
        return false;
    const double share = 1 - back / length, end[2] = {body->q[0] + share * d[0], body->q[1] + share * d[1]};
    return outline_line(cr, &p->view, body->q, end);
}

/* adds the line of a contact; false when it cannot be drawn */
static bool add_contact(cairo_t *cr, const picture *p, const contact2d *c, double width)
{
    const body2d *a = &p->scene->bodies[c->a], *b = &p->scene->bodies[c->b];
    bool wall_a = picture_is_wall(p, c->a), wall_b = picture_is_wall(p, c->b);
    if (!body2d_drawable(a) || !body2d_drawable(b) || (a->wall && b->wall))
        return false;
    if (!isfinite(c->point[0]) || !isfinite(c->point[1]))
        return false;
    bool any = false;
    if (!wall_a)
        any |= add_half(cr, p, a, c->point, wall_b, width);
    if (!wall_b)
        any |= add_half(cr, p, b, c->point, wall_a, width);
    return any;
}

void paint_chains(cairo_t *cr, const picture *p)
{
    /* opaque: joints of transparent lines would be darker than the lines, and a group blended as a whole
       makes Cairo 1.16 lose memory when it writes SVG */
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    set_rgb(cr, chain_color);
    for (size_t i = 0; i < p->scene->contact_count; i++) {
        const contact2d *c = &p->scene->contacts[i];
        double width = chain_width(p, c->impulse[0]);
        if (width < 0.08)
            continue;
        cairo_new_path(cr);
        if (!add_contact(cr, p, c, width))
            continue;
        cairo_set_line_width(cr, width);
        cairo_stroke(cr);
    }
}
