#include "measure/area.h"

#include <math.h>
#include <string.h>

static double cross(double ax, double ay, double bx, double by)
{
    return ax * by - ay * bx;
}

// signed area of the sector of radius r between directions p and q
static double sector(const double p[2], const double q[2], double r)
{
    return 0.5 * r * r * atan2(cross(p[0], p[1], q[0], q[1]), p[0] * q[0] + p[1] * q[1]);
}

// signed area of the triangle (0, p, q) inside the disc of radius r about 0
static double triangle_in_disc(const double p[2], const double q[2], double r)
{
    // the edge p + s (q - p) is inside for s in [s0, s1]
    double d[2] = {q[0] - p[0], q[1] - p[1]};
    double a = d[0] * d[0] + d[1] * d[1], b = p[0] * d[0] + p[1] * d[1],
           c = p[0] * p[0] + p[1] * p[1] - r * r;
    double disc = b * b - a * c;
    if (!(a > 0))
        return 0;
    if (!(disc > 0))
        return sector(p, q, r);
    double root = sqrt(disc), s0 = fmax(0, (-b - root) / a), s1 = fmin(1, (-b + root) / a);
    if (s0 >= s1)
        return sector(p, q, r);
    double in[2] = {p[0] + s0 * d[0], p[1] + s0 * d[1]}, out[2] = {p[0] + s1 * d[0], p[1] + s1 * d[1]};
    double before = s0 > 0 ? sector(p, in, r) : 0, after = s1 < 1 ? sector(out, q, r) : 0;
    return before + 0.5 * cross(in[0], in[1], out[0], out[1]) + after;
}

double disc_in_polygon(double r, const double *points, size_t count)
{
    double area = 0;
    for (size_t k = 0; k < count; k++)
        area += triangle_in_disc(points + 2 * k, points + 2 * ((k + 1) % count), r);
    return area;
}

double disc_in_box(double r, const double min[2], const double max[2])
{
    const double corners[8] = {min[0], min[1], max[0], min[1], max[0], max[1], min[0], max[1]};
    return disc_in_polygon(r, corners, 4);
}

// keeps the part of a polygon with sign * (x[axis] - bound) <= 0; returns the new count
static size_t clip(const double *in, size_t count, int axis, double bound, double sign, double *out)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const double *p = &in[2 * i], *q = &in[2 * ((i + 1) % count)];
        double dp = sign * (p[axis] - bound), dq = sign * (q[axis] - bound);
        if (dp <= 0) {
            memcpy(&out[2 * kept++], p, 2 * sizeof *out);
        }
        if ((dp < 0 && dq > 0) || (dp > 0 && dq < 0)) {
            double s = dp / (dp - dq);
            out[2 * kept] = p[0] + s * (q[0] - p[0]);
            out[2 * kept + 1] = p[1] + s * (q[1] - p[1]);
            out[2 * kept++ + (size_t)axis] = bound;
        }
    }
    return kept;
}

static double polygon_area(const double *p, size_t count)
{
    double area = 0;
    for (size_t i = 1; i + 1 < count; i++)
        area += 0.5 * cross(p[2 * i] - p[0], p[2 * i + 1] - p[1], p[2 * i + 2] - p[0], p[2 * i + 3] - p[1]);
    return area;
}

double polygon_in_box(const double *points, size_t count, const double min[2], const double max[2],
                      double *scratch)
{
    double *a = scratch, *b = scratch + 2 * (count + 4);
    memcpy(a, points, 2 * count * sizeof *a);
    for (int axis = 0; axis < 2; axis++) {
        count = clip(a, count, axis, max[axis], 1, b);
        count = clip(b, count, axis, min[axis], -1, a);
    }
    return polygon_area(a, count);
}
