/*
 * Rotations as unit quaternions (w, x, y, z): q turns v into q v q*.  The product a b turns by b first, then
 * by a.  q and -q are the same rotation.  Results may be written over arguments.
 */
#ifndef MATH_QUAT_H
#define MATH_QUAT_H

#include "math/vec3.h"

static inline void quat_set(double out[4], double w, double x, double y, double z)
{
    out[0] = w, out[1] = x, out[2] = y, out[3] = z;
}

/* out = a b */
static inline void quat_multiply(const double a[4], const double b[4], double out[4])
{
    quat_set(out, a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
             a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
             a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
             a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]);
}

/* the opposite rotation of a unit quaternion */
static inline void quat_conjugate(const double q[4], double out[4])
{
    quat_set(out, q[0], -q[1], -q[2], -q[3]);
}

/* Makes q of unit length; 0 becomes no rotation. */
static inline void quat_normalise(double q[4])
{
    double top = fmax(fmax(fabs(q[0]), fabs(q[1])), fmax(fabs(q[2]), fabs(q[3])));
    if (!(top > 0)) {
        quat_set(q, 1, 0, 0, 0);
        return;
    }
    quat_set(q, q[0] / top, q[1] / top, q[2] / top, q[3] / top);
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    quat_set(q, q[0] / length, q[1] / length, q[2] / length, q[3] / length);
}

/* out = q v q*, q unit: v + w t + r x t with t = 2 r x v, r the vector part */
static inline void quat_rotate(const double q[4], const double v[3], double out[3])
{
    double t[3], c[3];
    vec3_cross(q + 1, v, t);
    vec3_scale(2, t, t);
    vec3_cross(q + 1, t, c);
    vec3_add_scaled(v, q[0], t, out);
    vec3_add(out, c, out);
}

/* out = q* v q */
static inline void quat_rotate_back(const double q[4], const double v[3], double out[3])
{
    double back[4];
    quat_conjugate(q, back);
    quat_rotate(back, v, out);
}

/* R, row by row, of a unit quaternion; its columns are the turned axes. */
static inline void quat_to_matrix(const double q[4], double R[9])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    vec3_set(R, 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y));
    vec3_set(R + 3, 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x));
    vec3_set(R + 6, 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y));
}

/* The unit quaternion with w >= 0 of a rotation matrix: the largest of |w|, |x|, |y|, |z| comes from the
   diagonal, which loses no digits, the others from it. */
static inline void quat_from_matrix(const double R[9], double out[4])
{
    double trace = R[0] + R[4] + R[8], q[4];
    if (trace >= R[0] && trace >= R[4] && trace >= R[8])
        quat_set(q, 1 + trace, R[7] - R[5], R[2] - R[6], R[3] - R[1]);
    else if (R[0] >= R[4] && R[0] >= R[8])
        quat_set(q, R[7] - R[5], 1 + R[0] - R[4] - R[8], R[3] + R[1], R[2] + R[6]);
    else if (R[4] >= R[8])
        quat_set(q, R[2] - R[6], R[3] + R[1], 1 + R[4] - R[0] - R[8], R[7] + R[5]);
    else
        quat_set(q, R[3] - R[1], R[2] + R[6], R[7] + R[5], 1 + R[8] - R[0] - R[4]);
    double sign = q[0] < 0 ? -1 : 1;
    quat_set(out, sign * q[0], sign * q[1], sign * q[2], sign * q[3]);
    quat_normalise(out);
}

/* q := q / |q| where |q| is 1 but for rounding: |q| (3 - |q|^2) / 2 is 1 to the square of that. */
static inline void quat_mend_unit(double q[4])
{
    const double s = 1.5 - 0.5 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    quat_set(q, s * q[0], s * q[1], s * q[2], s * q[3]);
}

/* cos a and sin(a)/a by their series, square = a^2 <= SHORT_SQUARE: what is left out is below 1e-19. */
#define SHORT_SQUARE (1.0 / 16)
static inline void short_cos_sinc(double square, double *cosine, double *sinc)
{
    const double x = square;
    *cosine = 1 - 0.5 * x *
                      (1 - x * (1.0 / 12) *
                               (1 - x * (1.0 / 30) *
                                        (1 - x * (1.0 / 56) * (1 - x * (1.0 / 90) * (1 - x * (1.0 / 132))))));
    *sinc = 1 - x * (1.0 / 6) *
                    (1 - x * (1.0 / 20) *
                             (1 - x * (1.0 / 42) *
                                      (1 - x * (1.0 / 72) * (1 - x * (1.0 / 110) * (1 - x * (1.0 / 156))))));
}

/* The rotation about `turn` by |turn| radians: (cos |turn|/2, turn sin(|turn|/2) / |turn|), to rounding for
   any angle, however small. */
static inline void quat_exp(const double turn[3], double out[4])
{
    const double square = vec3_dot(turn, turn) / 4;
    double c, s;
    if (square <= SHORT_SQUARE) {
        short_cos_sinc(square, &c, &s);
    } else {
        const double half = vec3_norm(turn) / 2;
        c = cos(half);
        s = sin(half) / half;
    }
    s /= 2;
    quat_set(out, c, s * turn[0], s * turn[1], s * turn[2]);
}

#endif
