/*
 * A block rocking on its lower corners (MJ96 5): three freedoms, centre (x, y) and angle, and the heights of
 * two corners.  Without slip, and an impact at one corner whose impulse turns it about the other, the angle
 * speed keeps 1 - 3/2 sin^2 alpha of itself, tan alpha = width / height.
 */
#include "situations.h"

#include <math.h>
#include <stdlib.h>

static const double gravity = 9.81, alpha = 0.3; /* half diagonal 1 m, mass 1 kg */

static double half_width(void)
{
    return sin(alpha);
}

static double half_height(void)
{
    return cos(alpha);
}

// corners (-b, -h) and (b, -h)
static mo_status corners(void *data, double t, const double *q, double *g, double *gx, double *gt,
                         mo_error *err)
{
    (void)data, (void)t, (void)err;
    const double s = sin(q[2]), c = cos(q[2]);
    for (int k = 0; k < 2; k++) {
        const double X = k == 0 ? -half_width() : half_width(), Y = -half_height();
        g[k] = q[1] + X * s + Y * c;
        if (gx != NULL) {
            gx[3 * k] = 0;
            gx[3 * k + 1] = 1;
            gx[3 * k + 2] = X * c - Y * s;
        }
        if (gt != NULL)
            gt[k] = 0;
    }
    return MO_OK;
}

static mo_status sliding(void *data, double t, const double *q, double *T, mo_error *err)
{
    (void)data, (void)t, (void)err;
    for (int k = 0; k < 2; k++) {
        const double X = k == 0 ? -half_width() : half_width(), Y = -half_height();
        T[3 * k] = 1;
        T[3 * k + 1] = 0;
        T[3 * k + 2] = -(X * sin(q[2]) + Y * cos(q[2]));
    }
    return MO_OK;
}

static mo_status weight(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                        double *Fu, mo_error *err)
{
    (void)t, (void)q, (void)u, (void)err;
    F[0] = F[2] = 0;
    F[1] = -gravity;
    bench_zero(data, Fq, Fu);
    return MO_OK;
}

static mo_status height_energy(void *data, double t, const double *q, double *V, mo_error *err)
{
    (void)data, (void)t, (void)err;
    *V = gravity * q[1];
    return MO_OK;
}

// centre from the angle: about the left corner at 0 when side is 1, about the right one at 2 b when -1
static void place(double side, double angle, double speed, double *q, double *u)
{
    const double b = half_width(), h = half_height(), s = sin(angle), c = cos(angle);
    q[0] = (side > 0 ? 0 : 2 * b) + side * b * c - h * s;
    q[1] = side * b * s + h * c;
    q[2] = angle;
    u[0] = (-side * b * s - h * c) * speed;
    u[1] = (side * b * c - h * s) * speed;
    u[2] = speed;
}

static void define_smooth(bench_problem *p, size_t variant, size_t steps)
{
    (void)steps;
    bench_size(p, 3, 2, 0);
    p->t_end = 2;
    place(1, 0.15 + 0.00431 * (double)variant, 0, p->q, p->u);
    p->mass[0] = p->mass[1] = 1;
    p->mass[2] = 1.0 / 3;
    p->def.mass = (mo_metric){.kind = MO_METRIC_DIAGONAL, .entries = p->mass};
    p->def.gap = corners;
    bench_set_force(p, weight);
    p->def.force_depends_on_velocity = false;
    p->def.potential = height_energy;
}

static void define_rough(bench_problem *p, size_t variant, size_t steps)
{
    define_smooth(p, variant, steps);
    p->friction[0] = p->friction[1] = 1;
    p->def.friction = p->friction;
    p->def.tangent = sliding;
}

/* ---- the reduced problem: one angle >= 0 with restitution, of alternating sign --------------------- */

static mo_status turn(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                      double *Fu, mo_error *err)
{
    (void)data, (void)t, (void)u, (void)err;
    F[0] = -gravity * sin(alpha - q[0]);
    if (Fq != NULL)
        Fq[0] = gravity * cos(alpha - q[0]);
    if (Fu != NULL)
        Fu[0] = 0;
    return MO_OK;
}

static mo_status turn_energy(void *data, double t, const double *q, double *V, mo_error *err)
{
    (void)data, (void)t, (void)err;
    *V = gravity * cos(alpha - q[0]);
    return MO_OK;
}

static void define_angle(bench_problem *p, size_t variant, size_t steps)
{
    (void)variant, (void)steps;
    bench_size(p, 1, 1, 1 - 1.5 * sin(alpha) * sin(alpha));
    p->mass[0] = 4.0 / 3;
    p->def.mass = (mo_metric){.kind = MO_METRIC_DIAGONAL, .entries = p->mass};
    p->G[0] = 1;
    bench_set_planes(p);
    bench_set_force(p, turn);
    p->def.force_depends_on_velocity = false;
    p->def.potential = turn_energy;
}

// the motion of the block from that of the angle, whose sign changes at every impact
static mo_status unfold(const bench_path *angle, bench_path *out, mo_error *err)
{
    double side = 1, q[3], u[3];
    mo_status status = MO_OK;
    for (size_t k = 0; k < angle->count && status == MO_OK; k++) {
        if (k > 0 && angle->u[k] > 0 && angle->u[k - 1] < 0)
            side = -side;
        place(side, side * angle->q[k], side * angle->u[k], q, u);
        status = bench_path_add(out, angle->t[k], q, u, err);
        if (status == MO_OK && out->nodes < angle->nodes && angle->node[out->nodes] == k)
            status = bench_path_mark(out, err);
    }
    out->energy = angle->energy;
    return status;
}

static mo_status path_rough(bench_problem *p, size_t steps, bench_path *out, mo_error *err)
{
    const bench_situation reduced = {.define = define_angle};
    bench_path angle = {.n = 1};
    bench_problem *r = bench_problem_new(&reduced, 0, steps, p->quick);
    if (r == NULL)
        return bench_no_memory(err);
    r->q[0] = p->q[2];
    r->t_end = p->t_end;
    mo_status status = bench_reference_run(r, steps, &angle, err);
    if (status == MO_OK)
        status = unfold(&angle, out, err);
    bench_path_free(&angle);
    free(r);
    return status;
}

const bench_situation bench_rocking_block = {
    .name = "rocking-block",
    .title = "a block on two corners with friction",
    .about = "A block (half diagonal 1 m, tan alpha = width / height, alpha = 0.3) released at an angle of "
             "0.15 rocks on its two "
             "lower corners: e = 0 and friction 1 at each; worst of 4 starts.",
    .reference = "the angle alone, with the ratio 1 - 3/2 sin2 alpha at each impact (MJ96 5), by the "
                 "event-driven scheme",
    .lesson = LESSON_ROCKING_BLOCK,
    .schemes = BENCH_BIT(MO_SYSTEM_SCHEME_MOREAU) | BENCH_BIT(MO_SYSTEM_SCHEME_MOREAU_JEAN),
    .steps = 200,
    .rungs = 6,
    .quick_rungs = 3,
    .variants = 4,
    .rate = 2,
    .define = define_rough,
    .path = path_rough,
};

const bench_situation bench_rocking_smooth = {
    .name = "rocking-smooth",
    .title = "the block without friction",
    .about =
        "The same block on a floor without friction: its centre only falls and rises; worst of 4 starts.",
    .reference = "the event-driven scheme, checked with half its steps",
    .lesson = LESSON_ROCKING_SMOOTH,
    .schemes = BENCH_ALL,
    .steps = 200,
    .rungs = 6,
    .quick_rungs = 3,
    .variants = 4,
    .rate = 2,
    .define = define_smooth,
};
