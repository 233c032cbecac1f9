/*
 * Vectors of three numbers and 3x3 matrices (row by row).  Results may be written over arguments.
 */
#ifndef MATH_VEC3_H
#define MATH_VEC3_H

#include <math.h>
#include <stdbool.h>

static inline void vec3_set(double out[3], double x, double y, double z)
{
    out[0] = x, out[1] = y, out[2] = z;
}

static inline void vec3_copy(const double a[3], double out[3])
{
    vec3_set(out, a[0], a[1], a[2]);
}

static inline void vec3_add(const double a[3], const double b[3], double out[3])
{
    vec3_set(out, a[0] + b[0], a[1] + b[1], a[2] + b[2]);
}

static inline void vec3_sub(const double a[3], const double b[3], double out[3])
{
    vec3_set(out, a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

static inline void vec3_scale(double s, const double a[3], double out[3])
{
    vec3_set(out, s * a[0], s * a[1], s * a[2]);
}

/* out = a + s b */
static inline void vec3_add_scaled(const double a[3], double s, const double b[3], double out[3])
{
    vec3_set(out, a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]);
}

static inline double vec3_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void vec3_cross(const double a[3], const double b[3], double out[3])
{
    vec3_set(out, a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}

/* Squares that leave the range of doubles are not looked after: lengths between 1e-150 and 1e150. */
static inline double vec3_norm(const double a[3])
{
    return sqrt(vec3_dot(a, a));
}

static inline double vec3_distance(const double a[3], const double b[3])
{
    double d[3];
    vec3_sub(a, b, d);
    return vec3_norm(d);
}

/* largest |coordinate| */
static inline double vec3_extent(const double a[3])
{
    double x = fabs(a[0]), y = fabs(a[1]), z = fabs(a[2]), top = y > z ? y : z;
    return x > top ? x : top;
}

/* out = a / |a|, any |a| whose components are finite; returns |a|.  Of 0: out = 0. */
static inline double vec3_unit(const double a[3], double out[3])
{
    double top = vec3_extent(a);
    if (!(top > 0)) {
        vec3_set(out, 0, 0, 0);
        return 0;
    }
    double b[3] = {a[0] / top, a[1] / top, a[2] / top}, length = vec3_norm(b);
    vec3_set(out, b[0] / length, b[1] / length, b[2] / length);
    return top * length;
}

/* out = R v */
static inline void mat3_apply(const double R[9], const double v[3], double out[3])
{
    vec3_set(out, vec3_dot(R, v), vec3_dot(R + 3, v), vec3_dot(R + 6, v));
}

/* out = R^T v */
static inline void mat3_apply_transposed(const double R[9], const double v[3], double out[3])
{
    vec3_set(out, R[0] * v[0] + R[3] * v[1] + R[6] * v[2], R[1] * v[0] + R[4] * v[1] + R[7] * v[2],
             R[2] * v[0] + R[5] * v[1] + R[8] * v[2]);
}

/*
 * A unit vector t across the unit vector n, with t(-n) = -t(n), by one division and no branch, since it is
 * needed for every contact (after Duff and others, Journal of Computer Graphics Techniques 6, 2017):
 *
 *   e = sign of n_z,  a = -1/(e + n_z),  t = (e + a n_x², a n_x n_y, -n_x)
 */
static inline void vec3_across(const double n[3], double t[3])
{
    const double e = copysign(1, n[2]), a = -1 / (e + n[2]);
    vec3_set(t, e + a * n[0] * n[0], a * n[0] * n[1], -n[0]);
}

#endif
