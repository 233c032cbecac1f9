/*
 * The outline of a periodic cell: dashed, along its faces; where an axis has no period, across the whole
 * picture.
 */
#include "draw/picture.h"

#include <math.h>

// two corners of the face at the low (0) or high (1) end of edge k
static void face_of(const picture *p, int k, int end, double a[2], double b[2])
{
    const periodic_cell *c = &p->scene->cell;
    const int other = 1 - k;
    for (int i = 0; i < 2; i++) {
        const double start = c->origin[i] + end * c->H[3 * i + k];
        a[i] = start;
        b[i] = start + c->H[3 * i + other];
        // no period there: from border to border
        if (!c->along[other]) {
            a[i] = i == other ? p->view.box.lo[i] : start;
            b[i] = i == other ? p->view.box.hi[i] : start;
        }
    }
}

void paint_cell(cairo_t *cr, const picture *p)
{
    const double dashes[2] = {6 * p->unit, 4 * p->unit};
    if (p->scene->cell.dim != 2)
        return;
    cairo_save(cr);
    cairo_new_path(cr);
    for (int k = 0; k < 2; k++)
        for (int end = 0; end < 2 && p->scene->cell.along[k]; end++) {
            double a[2], b[2];
            face_of(p, k, end, a, b);
            outline_line(cr, &p->view, a, b);
        }
    cairo_set_source_rgb(cr, 0.45, 0.45, 0.45);
    cairo_set_dash(cr, dashes, 2, 0);
    cairo_set_line_width(cr, 1.5 * p->unit);
    cairo_stroke(cr);
    cairo_restore(cr);
}
