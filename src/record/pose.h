/* Bodies of a frame as others want them: origins and spins in world axes. */
#ifndef RECORD_POSE_H
#define RECORD_POSE_H

#include "math/quat.h"

#include <moreau/record.h>

/* Numbers of a body in q and in u. */
static inline size_t pose_width(const mo_frame *f)
{
    return f->dim == 2 ? 3 : 7;
}

static inline size_t velocity_width(const mo_frame *f)
{
    return f->dim == 2 ? 3 : 6;
}

/* A point of body i, given in the frame of its centre of mass, in the world; [dim] both. */
static inline void pose_point(const mo_frame *f, size_t i, const double *local, double *out)
{
    const double *q = f->q + pose_width(f) * i;
    if (f->dim == 2) {
        const double c = cos(q[2]), s = sin(q[2]), x = local[0], y = local[1];
        out[0] = q[0] + c * x - s * y;
        out[1] = q[1] + s * x + c * y;
        return;
    }
    double arm[3];
    quat_rotate(q + 3, local, arm);
    vec3_add(q, arm, out);
}

/* The place of a body's origin; centres of mass that are one keep their bits. */
static inline void pose_origin(const mo_frame *f, size_t i, const mo_body_raw *raw, double out[3])
{
    const double *q = f->q + pose_width(f) * i, *o = raw->origin;
    out[0] = q[0], out[1] = q[1], out[2] = f->dim == 2 ? 0 : q[2];
    if (o[0] != 0 || o[1] != 0 || o[2] != 0)
        pose_point(f, i, o, out);
}

/* 3D: the spin of body i in world axes, along which a frame has those of balls only. */
static inline void pose_spin(const mo_frame *f, size_t i, const mo_body_raw *raw, double out[3])
{
    const double *w = f->u + 6 * i + 3;
    double turn[4];
    quat_multiply(f->q + 7 * i + 3, raw->axes, turn);
    if (raw->oriented)
        quat_rotate(turn, w, out);
    else
        vec3_copy(w, out);
}

#endif
