#include "measure/region.h"

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "world/world.h"

/* A region may have so many images of a body. */
static const double MOST_IMAGES = 1e6;

static mo_status check_box(const mo_region *r, size_t dim, mo_error *err)
{
    for (size_t k = 0; k < dim; k++) {
        if (!isfinite(r->min[k]) || !isfinite(r->max[k]))
            return fail(err, MO_BAD_INPUT, "region", "found a corner that is not finite");
        if (!(r->max[k] > r->min[k]))
            return fail(err, MO_BAD_INPUT, "region", "found a region without %s, expected min < max",
                        dim == 2 ? "area" : "volume");
    }
    return MO_OK;
}

mo_status region_check(const mo_world *w, const mo_region *r, mo_error *err)
{
    mo_status s = check_box(r, w->bodies.dim, err);
    double images = 1;
    for (size_t k = 0; s == MO_OK && w->has_cell && k < w->bodies.dim; k++)
        for (size_t e = 0; e < w->bodies.dim; e++)
            if (w->cell.along[e])
                images *= 1 + fabs(w->cell.inverse[3 * e + k]) * (r->max[k] - r->min[k]);
    if (images > MOST_IMAGES)
        return fail(err, MO_BAD_INPUT, "region", "found a region of some %.2g cells, expected %.0g at most",
                    images, MOST_IMAGES);
    return s;
}

region_images region_begin(const mo_world *w, const mo_region *r, const double *x, double radius)
{
    const size_t dim = w->bodies.dim;
    region_images out = {.world = w};
    for (size_t e = 0; w->has_cell && e < dim; e++) {
        double low = 0, high = 0;
        if (!w->cell.along[e])
            continue;
        // the box from x, along the edge
        for (size_t k = 0; k < dim; k++) {
            const double a = w->cell.inverse[3 * e + k];
            low += fmin(a * (r->min[k] - x[k]), a * (r->max[k] - x[k]));
            high += fmax(a * (r->min[k] - x[k]), a * (r->max[k] - x[k]));
        }
        out.low[e] = (long)ceil(low - radius / w->cell.width[e] - 1e-9);
        out.high[e] = (long)floor(high + radius / w->cell.width[e] + 1e-9);
        out.over |= out.low[e] > out.high[e];
    }
    memcpy(out.at, out.low, sizeof out.at);
    return out;
}

bool region_next(region_images *i, double *shift)
{
    if (i->over)
        return false;
    const size_t dim = i->world->bodies.dim;
    const double k[3] = {(double)i->at[0], (double)i->at[1], (double)i->at[2]};
    memset(shift, 0, dim * sizeof *shift);
    if (i->world->has_cell)
        cell_apply(i->world->cell.H, k, dim, shift);
    size_t e = 0;
    while (e < dim && i->at[e] == i->high[e]) {
        i->at[e] = i->low[e];
        e++;
    }
    i->over = e == dim;
    if (!i->over)
        i->at[e]++;
    return true;
}

// in a cell what lies on the border counts on one side, so that a division of space holds everything once
static bool inside(const mo_world *w, const mo_region *r, const double *x, const double *shift)
{
    bool in = true;
    for (size_t k = 0; k < w->bodies.dim; k++) {
        const double y = x[k] + shift[k];
        in = in && y >= r->min[k] && (w->has_cell && w->cell.along[k] ? y < r->max[k] : y <= r->max[k]);
    }
    return in;
}

size_t region_holds(const mo_world *w, const mo_region *r, const double *x)
{
    size_t n = 0;
    double shift[3];
    for (region_images i = region_begin(w, r, x, 0); region_next(&i, shift);)
        n += inside(w, r, x, shift);
    return n;
}
