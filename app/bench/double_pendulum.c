/* A double pendulum against a wall: a mass matrix that depends on the position. */
#include "situations.h"

#include <math.h>

static const double m1 = 1, m2 = 0.5, l1 = 1, l2 = 0.8, gravity = 9.81, wall = 0.4;

static mo_status mass(void *data, double t, const double *q, double *M, mo_error *err)
{
    (void)data, (void)t, (void)err;
    M[0] = (m1 + m2) * l1 * l1;
    M[1] = M[2] = m2 * l1 * l2 * cos(q[0] - q[1]);
    M[3] = m2 * l2 * l2;
    return MO_OK;
}

static mo_status force(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                       double *Fu, mo_error *err)
{
    (void)data, (void)t, (void)Fq, (void)Fu, (void)err;
    const double s = m2 * l1 * l2 * sin(q[0] - q[1]);
    F[0] = -s * u[1] * u[1] - (m1 + m2) * gravity * l1 * sin(q[0]);
    F[1] = s * u[0] * u[0] - m2 * gravity * l2 * sin(q[1]);
    return MO_OK;
}

static mo_status height_energy(void *data, double t, const double *q, double *V, mo_error *err)
{
    (void)data, (void)t, (void)err;
    *V = -(m1 + m2) * gravity * l1 * cos(q[0]) - m2 * gravity * l2 * cos(q[1]);
    return MO_OK;
}

static mo_status gaps(void *data, double t, const double *q, double *g, double *gx, double *gt, mo_error *err)
{
    (void)data, (void)t, (void)err;
    g[0] = wall - l1 * sin(q[0]);
    g[1] = g[0] - l2 * sin(q[1]);
    if (gx != NULL) {
        gx[0] = gx[2] = -l1 * cos(q[0]);
        gx[1] = 0;
        gx[3] = -l2 * cos(q[1]);
    }
    if (gt != NULL)
        gt[0] = gt[1] = 0;
    return MO_OK;
}

static void define(bench_problem *p, size_t variant, size_t steps)
{
    (void)steps;
    bench_size(p, 2, 2, 0.6);
    p->t_end = 1.5;
    p->q[0] = -1.2 - 0.00731 * (double)variant;
    p->q[1] = -2;
    p->def.mass_function = mass;
    p->def.gap = gaps;
    bench_set_force(p, force);
    p->def.potential = height_energy;
}

const bench_situation bench_double_pendulum = {
    .name = "double-pendulum",
    .title = "two rods against a wall, mass depending on the position",
    .about = "Two point masses (1 and 0.5 kg) on rods of 1 and 0.8 m swing against a wall 0.4 m beside the "
             "pivot, e = 0.6; the mass "
             "matrix depends on the position, the force on the velocity; worst of 4 starts.",
    .reference = "the event-driven scheme, checked with half its steps",
    .lesson = LESSON_DOUBLE_PENDULUM,
    .schemes = BENCH_ALL,
    .steps = 150,
    .rungs = 6,
    .quick_rungs = 3,
    .variants = 4,
    .rate = 5,
    .define = define,
};
