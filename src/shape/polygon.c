/*
 * Convex polygons: cleaning what a user gave, and the largest inscribed circle.
 *
 * A closed polygon whose corners all turn left and whose turns add up to 2 pi is convex; the sum tells a
 * convex polygon from a star, which turns left all the way but winds twice.
 */
#include <math.h>
#include <stdlib.h>

#include "core/fail.h"
#include "shape/parts.h"

/* sine of the turn below which three neighbours count as collinear */
static const double COLLINEAR = 1e-12;
/* distance over extent below which two neighbours count as one point */
static const double COINCIDENT = 1e-13;
/* twice the area over (extent * perimeter) below which a polygon has no area */
static const double NO_AREA = 1e-14;

static double extent_of(const double *xy, size_t n)
{
    double e = 0;
    for (size_t i = 1; i < n; i++)
        e = fmax(e, hypot(xy[2 * i] - xy[0], xy[2 * i + 1] - xy[1]));
    return e;
}

/* twice the signed area, relative to the first vertex so that far-away polygons lose nothing */
static double twice_area(const double *xy, size_t n)
{
    double a = 0;
    for (size_t i = 1; i + 1 < n; i++) {
        double x1 = xy[2 * i] - xy[0], y1 = xy[2 * i + 1] - xy[1];
        double x2 = xy[2 * i + 2] - xy[0], y2 = xy[2 * i + 3] - xy[1];
        a += x1 * y2 - y1 * x2;
    }
    return a;
}

static void reverse_points(double *xy, size_t n)
{
    for (size_t i = 0, j = n - 1; i < j; i++, j--) {
        double x = xy[2 * i], y = xy[2 * i + 1];
        xy[2 * i] = xy[2 * j], xy[2 * i + 1] = xy[2 * j + 1];
        xy[2 * j] = x, xy[2 * j + 1] = y;
    }
}

static mo_status check_distinct(const double *xy, size_t n, double extent, mo_error *err)
{
    for (size_t i = 0; i < n; i++) {
        size_t k = (i + 1) % n;
        if (hypot(xy[2 * k] - xy[2 * i], xy[2 * k + 1] - xy[2 * i + 1]) <= COINCIDENT * extent)
            return fail(err, MO_BAD_INPUT, "points",
                        "vertices %zu and %zu are both (%g, %g), expected distinct points", i + 1, k + 1,
                        xy[2 * i], xy[2 * i + 1]);
    }
    return MO_OK;
}

/* turn at b on the way a -> b -> c: its sine and cosine */
static void turn_at(const double *a, const double *b, const double *c, double *sine, double *cosine)
{
    double ux = b[0] - a[0], uy = b[1] - a[1], vx = c[0] - b[0], vy = c[1] - b[1];
    double u = hypot(ux, uy), v = hypot(vx, vy);
    ux /= u, uy /= u, vx /= v, vy /= v;
    *sine = ux * vy - uy * vx;
    *cosine = ux * vx + uy * vy;
}

static size_t lowest_vertex(const double *xy, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (xy[2 * i] < xy[2 * best] || (xy[2 * i] == xy[2 * best] && xy[2 * i + 1] < xy[2 * best + 1]))
            best = i;
    return best;
}

/* marks the corners to keep, starting from one that certainly is a corner; refuses right turns and spikes */
static mo_status mark_corners(const double *xy, size_t n, unsigned char *keep, mo_error *err)
{
    size_t start = lowest_vertex(xy, n), last = start;
    keep[start] = 1;
    double turned = 0, sine, cosine;
    size_t first = start; /* the second corner kept, once there is one */
    for (size_t k = 1; k <= n; k++) {
        size_t i = (start + k) % n, next = (i + 1) % n;
        /* the last turn is the one at the start itself */
        if (k == n)
            next = first;
        turn_at(xy + 2 * last, xy + 2 * i, xy + 2 * next, &sine, &cosine);
        if (sine < -COLLINEAR || (sine <= COLLINEAR && cosine < 0))
            return fail(err, MO_BAD_INPUT, "points",
                        "the polygon is not convex at vertex %zu (%g, %g), expected a convex polygon", i + 1,
                        xy[2 * i], xy[2 * i + 1]);
        if (k < n)
            keep[i] = sine > COLLINEAR;
        if (k == n || keep[i]) {
            turned += atan2(sine, cosine);
            first = first == start ? i : first;
            last = i;
        }
    }
    if (fabs(turned - 2 * acos(-1.0)) > 1)
        return fail(err, MO_BAD_INPUT, "points", "the polygon winds %.0f times, expected a convex polygon",
                    turned / (2 * acos(-1.0)));
    return MO_OK;
}

static mo_status keep_corners(double *xy, size_t *count, mo_error *err)
{
    unsigned char *keep = calloc(*count + 1, 1);
    if (keep == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a polygon of %zu vertices", *count);
    mo_status status = mark_corners(xy, *count, keep, err);
    size_t n = 0;
    for (size_t i = 0; i < *count && status == MO_OK; i++)
        if (keep[i]) {
            xy[2 * n] = xy[2 * i], xy[2 * n + 1] = xy[2 * i + 1];
            n++;
        }
    free(keep);
    if (status != MO_OK)
        return status;
    if (n < 3)
        return fail(err, MO_BAD_INPUT, "points",
                    "found %zu corners that are not collinear, expected at least 3", n);
    *count = n;
    return MO_OK;
}

mo_status polygon_clean(double *xy, size_t *count, mo_error *err)
{
    double extent = extent_of(xy, *count), area = twice_area(xy, *count);
    if (!isfinite(area) || !isfinite(extent))
        return fail(err, MO_BAD_INPUT, "points", "the polygon's area is not a finite number");
    mo_status status = check_distinct(xy, *count, extent, err);
    if (status != MO_OK)
        return status;
    if (!(fabs(area) > NO_AREA * extent * extent))
        return fail(err, MO_BAD_INPUT, "points",
                    "the polygon has no area, expected at least 3 points not on a line");
    if (area < 0)
        reverse_points(xy, *count);
    return keep_corners(xy, count, err);
}
