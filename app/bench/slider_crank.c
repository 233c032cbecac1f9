/*
 * A slider-crank mechanism whose slider has clearance in its guide (the mechanism of P. Flores, R. Leine,
 * C. Glocker, Multibody Syst. Dyn. 23 (2010), without friction): angles of crank, rod and slider, and the
 * four corners of the slider between two walls.
 */
#include "situations.h"

#include <math.h>

static const double l1 = 0.153, l2 = 0.306, gravity = 9.81;
static const double m1 = 0.038, m2 = 0.038, m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6;
static const double half_length = 0.05, half_height = 0.025, clearance = 0.001;

static mo_status mass(void *data, double t, const double *q, double *M, mo_error *err)
{
    (void)data, (void)t, (void)err;
    for (int i = 0; i < 9; i++)
        M[i] = 0;
    M[0] = J1 + (0.25 * m1 + m2 + m3) * l1 * l1;
    M[1] = M[3] = (0.5 * m2 + m3) * l1 * l2 * cos(q[0] - q[1]);
    M[4] = J2 + (0.25 * m2 + m3) * l2 * l2;
    M[8] = J3;
    return MO_OK;
}

static mo_status force(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                       double *Fu, mo_error *err)
{
    (void)data, (void)t, (void)Fq, (void)Fu, (void)err;
    const double s = (0.5 * m2 + m3) * l1 * l2 * sin(q[0] - q[1]);
    F[0] = -s * u[1] * u[1] - (0.5 * m1 + m2 + m3) * gravity * l1 * cos(q[0]);
    F[1] = s * u[0] * u[0] - (0.5 * m2 + m3) * gravity * l2 * cos(q[1]);
    F[2] = 0;
    return MO_OK;
}

static mo_status height_energy(void *data, double t, const double *q, double *V, mo_error *err)
{
    (void)data, (void)t, (void)err;
    *V = gravity * ((0.5 * m1 + m2 + m3) * l1 * sin(q[0]) + (0.5 * m2 + m3) * l2 * sin(q[1]));
    return MO_OK;
}

// upper corners below the upper wall, lower ones above the lower wall
static mo_status corners(void *data, double t, const double *q, double *g, double *gx, double *gt,
                         mo_error *err)
{
    (void)data, (void)t, (void)err;
    const double y = l1 * sin(q[0]) + l2 * sin(q[1]), s = sin(q[2]), c = cos(q[2]);
    for (int k = 0; k < 4; k++) {
        const double side = k < 2 ? -1 : 1, X = k % 2 == 0 ? -half_length : half_length,
                     Y = -side * half_height;
        g[k] = half_height + clearance + side * (y + X * s + Y * c);
        if (gx != NULL) {
            gx[3 * k] = side * l1 * cos(q[0]);
            gx[3 * k + 1] = side * l2 * cos(q[1]);
            gx[3 * k + 2] = side * (X * c - Y * s);
        }
        if (gt != NULL)
            gt[k] = 0;
    }
    return MO_OK;
}

static void define(bench_problem *p, size_t variant, size_t steps)
{
    (void)steps;
    bench_size(p, 3, 4, 0.4);
    p->t_end = 0.04;
    p->u[0] = 150;
    p->u[1] = -75 - 0.731 * (double)variant;
    p->def.mass_function = mass;
    p->def.gap = corners;
    bench_set_force(p, force);
    p->def.potential = height_energy;
}

const bench_situation bench_slider_crank = {
    .name = "slider-crank",
    .title = "a slider with clearance in its guide",
    .about = "Crank, rod and slider (0.153 m, 0.306 m; crank at 150 rad/s at first) with 1 mm of clearance "
             "between the four corners "
             "of the slider and its guide, e = 0.4, no friction, about one revolution; position is in rad. "
             "Worst of 3 starts.",
    .reference = "the event-driven scheme, checked with half its steps",
    .lesson = LESSON_SLIDER_CRANK,
    .schemes = BENCH_ALL,
    .steps = 400,
    .rungs = 6,
    .quick_rungs = 3,
    .variants = 3,
    .rate = 10000,
    .define = define,
};
