/* Into a corner: loss of continuity in the start (P01 5). */
#include "situations.h"

#include <math.h>

enum { MOST_HITS = 8 };

static const double pi = 3.14159265358979323846;

// walls at half the angle above and below the x-axis, the point comes in tilted by 10 degrees from `way`,
// past the vertex at the distance d
static void place(bench_problem *p, double degrees, double way, double d)
{
    const double half = degrees * pi / 360, tilt = pi / 18;
    const double into[2] = {-cos(tilt), -sin(tilt)};
    const double rows[4] = {sin(half), -cos(half), sin(half), cos(half)};
    bench_size(p, 2, 2, 1);
    p->t_end = 2;
    for (int k = 0; k < 4; k++)
        p->G[k] = rows[k];
    p->q[0] = -way * into[0] - d * into[1];
    p->q[1] = -way * into[1] + d * into[0];
    p->u[0] = into[0];
    p->u[1] = into[1];
    p->a[0] = degrees;
    bench_set_planes(p);
}

static double distance_of(size_t variant)
{
    return 0.04 + 0.00531 * (double)variant;
}

/* State of the reflected motion. */
typedef struct ray {
    double t, q[2], u[2];
} ray;

// the time until the next wall, infinite when there is none
static double next_hit(const bench_problem *p, const ray *r, size_t *wall)
{
    double soonest = HUGE_VAL;
    for (size_t k = 0; k < 2; k++) {
        const double *w = p->G + 2 * k;
        const double speed = w[0] * r->u[0] + w[1] * r->u[1];
        const double t = -(w[0] * r->q[0] + w[1] * r->q[1]) / speed;
        if (speed < -1e-12 && t < soonest) {
            soonest = t;
            *wall = k;
        }
    }
    return soonest;
}

static void fly(ray *r, double t)
{
    r->t += t;
    r->q[0] += t * r->u[0];
    r->q[1] += t * r->u[1];
}

// follows reflections up to t, or before the one at t; the times of all that happened
static size_t reflect(const bench_problem *p, double t, bool left, ray *r, double *hits)
{
    size_t count = 0, wall = 0;
    *r = (ray){0, {p->q[0], p->q[1]}, {p->u[0], p->u[1]}};
    for (; count < MOST_HITS; count++) {
        const double wait = next_hit(p, r, &wall);
        if (!(left ? r->t + wait < t : r->t + wait <= t))
            break;
        fly(r, wait);
        const double *w = p->G + 2 * wall;
        const double speed = w[0] * r->u[0] + w[1] * r->u[1];
        r->u[0] -= 2 * speed * w[0];
        r->u[1] -= 2 * speed * w[1];
        hits[count] = r->t;
    }
    fly(r, t - r->t);
    return count;
}

static void motion(const bench_problem *p, double t, bool left, double *q, double *u)
{
    ray r;
    double hits[MOST_HITS];
    reflect(p, t, left, &r, hits);
    for (int i = 0; i < 2; i++) {
        q[i] = r.q[i];
        u[i] = r.u[i];
    }
}

static mo_status path(bench_problem *p, size_t steps, bench_path *out, mo_error *err)
{
    ray r;
    double hits[MOST_HITS];
    const size_t count = reflect(p, p->t_end, false, &r, hits);
    return bench_path_closed(p, steps, motion, count, hits, out, err);
}

static mo_status keep_velocity(void *data, const bench_problem *p, const mo_system *system, mo_error *err)
{
    double *u = data;
    (void)p, (void)err;
    u[0] = mo_system_u(system)[0];
    u[1] = mo_system_u(system)[1];
    return MO_OK;
}

// raises *value to the distance of the velocity at the end from `expected`
static mo_status way_out(bench_problem *p, bench_row *row, const double *expected, double *value,
                         mo_error *err)
{
    double u[2] = {0, 0};
    mo_status status = bench_steps(p, row->scheme, row->steps, keep_velocity, u, row, err);
    *value = fmax(*value, hypot(u[0] - expected[0], u[1] - expected[1]));
    return status;
}

// straight into the vertex the law (5.3) sends the point back where it came from; at a tenth of a step beside
// it there are reflections; the worst of starts that reach the vertex at four places of a step
static mo_status vertex(bench_problem *p, bench_row *row, double *values, mo_error *err)
{
    const double back[2] = {-p->u[0], -p->u[1]};
    double hits[MOST_HITS];
    ray r;
    mo_status status = MO_OK;
    for (int k = 0; k < 4 && status == MO_OK; k++) {
        const double way = 1 + (0.125 + 0.25 * k) * row->h;
        place(p, p->a[0], way, 0);
        status = way_out(p, row, back, &values[0], err);
        place(p, p->a[0], way, 0.1 * row->h);
        reflect(p, p->t_end, false, &r, hits);
        if (status == MO_OK)
            status = way_out(p, row, r.u, &values[1], err);
    }
    return status;
}

static void define_60(bench_problem *p, size_t variant, size_t steps)
{
    (void)steps;
    place(p, 60, 1, distance_of(variant));
}

static void define_90(bench_problem *p, size_t variant, size_t steps)
{
    (void)steps;
    place(p, 90, 1, distance_of(variant));
}

static void define_120(bench_problem *p, size_t variant, size_t steps)
{
    (void)steps;
    place(p, 120, 1, distance_of(variant));
}

#define CORNER(degrees, text)                                                                                \
    {                                                                                                        \
        .name = "corner-" #degrees, .title = "past the vertex of a corner of " #degrees " degrees, e = 1",   \
        .about =                                                                                             \
            "A point without force flies into a corner of " #degrees                                         \
            " degrees, e = 1, past the vertex at 4 to 6 cm; worst of 4 starts. *vertex*: straight into "     \
            "the vertex, distance\nof the velocity at the end from that of the law (5.3) of P01, back "      \
            "where it came from. *beside*: the same a tenth of a step beside the vertex, from that of "      \
            "reflections.",                                                                                  \
        .reference = "geometric reflections; the law (5.3) at the vertex", .lesson = (text),                 \
        .schemes = BENCH_ALL, .steps = 50, .rungs = 7, .quick_rungs = 3, .variants = 4, .rate = 1,           \
        .extra = {"vertex", "beside"}, .define = define_##degrees, .path = path, .measure_extra = vertex,    \
    }

const bench_situation bench_corner_60 = CORNER(60, LESSON_CORNER_60);
const bench_situation bench_corner_90 = CORNER(90, LESSON_CORNER_90);
const bench_situation bench_corner_120 = CORNER(120, LESSON_CORNER_120);
