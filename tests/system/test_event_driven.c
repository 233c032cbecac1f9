/*
 * Event-driven flights and impacts against closed forms.  Times of impacts are roots of elementary functions
 * or integrals taken here by quadrature; tolerances are those of rounding over the number of operations.
 */
#include "system/simple.h"

static const double PI = 3.14159265358979323846;

/* Events of one type seen so far. */
typedef struct seen {
    int count;
    double t[64], size[64];
    size_t gap[64], gaps[64];
} seen;

static void look_for(const mo_system *s, mo_event_type type, seen *list)
{
    mo_sweep_events events = mo_system_events_get(s);
    double last = -HUGE_VAL;
    for (size_t i = 0; i < events.count; i++) {
        const mo_event *e = &events.items[i];
        assert_true(e->t >= last);
        last = e->t;
        if (e->type != type)
            continue;
        if (list->count < 64) {
            list->t[list->count] = e->t;
            list->size[list->count] = e->size;
            list->gap[list->count] = e->gap_count > 0 ? events.gaps[e->gap_first] : SIZE_MAX;
            list->gaps[list->count] = e->gap_count;
        }
        list->count++;
    }
}

static seen run_until(mo_system *s, double t, mo_event_type type)
{
    seen list = {0};
    while (mo_system_info_get(s)->time < t - 1e-9) {
        good_step(s);
        look_for(s, type, &list);
    }
    return list;
}

static double balance(const mo_system *s)
{
    const mo_system_energy *e = &mo_system_info_get(s)->energy;
    return fabs(e->balance_error) / (e->kinetic + fabs(e->potential) + e->loss + fabs(e->work));
}

// v_k = e^k v, flights of 2 v_k / g; they sum up to t_1 (1 + e) / (1 - e)
static void check_bouncing(double h, double e, double height, double g)
{
    planes p = {.n = 1, .m = 1, .G = {1}, .force = {-g}};
    double q = height, u = 0, t1 = sqrt(2 * height / g), total = t1 * (1 + e) / (1 - e);
    mo_system_def def = planes_def(&p, &q, &u, h, MO_SYSTEM_SCHEME_EVENT_DRIVEN);
    def.restitution = &e;
    mo_system *s = make_system(&def);
    seen impacts = {0}, piles = {0}, contacts = {0};
    while (mo_system_info_get(s)->time < 1.2 * total + 2 * h) {
        good_step(s);
        look_for(s, MO_EVENT_IMPACT, &impacts);
        look_for(s, MO_EVENT_ACCUMULATION, &piles);
        look_for(s, MO_EVENT_CONTACT, &contacts);
        assert_true(mo_system_q(s)[0] > -1e-12);
    }
    double t = t1, v = g * t1;
    for (int k = 0; k < impacts.count && k < 64; k++) {
        assert_close(impacts.t[k], t, 1e-12 * total);
        assert_close(impacts.size[k], (1 + e) * v, 1e-11 * g * t1);
        v *= e;
        t += 2 * v / g;
    }
    assert_true(impacts.count > 3);
    assert_int_equal(piles.count, 1);
    assert_int_equal(contacts.count, 1);
    assert_close(piles.t[0], total, 1e-11 * total);
    assert_close(contacts.t[0], total, 1e-11 * total);
    // at rest: the floor carries the weight
    assert_close(mo_system_q(s)[0], 0, 1e-15 * height);
    assert_close(mo_system_u(s)[0], 0, 1e-15 * g * t1);
    assert_close(mo_system_lambda(s)[0], g * h, 1e-12 * g * h);
    const mo_system_info *info = mo_system_info_get(s);
    assert_close(info->energy.loss, g * height, 2e-12 * g + 1e-13 * g * height);
    assert_true(info->impacts == impacts.count && info->accumulations == 1);
    mo_system_destroy(s);
}

static void bounces_accumulate_at_the_sum_of_the_series(void **state)
{
    (void)state;
    check_bouncing(0.1, 0.5, 1, 10);
    check_bouncing(10, 0.5, 1, 10);
    check_bouncing(0.03, 0.9, 2, 9.81);
    check_bouncing(0.07, 0.05, 1, 1);
    check_bouncing(0.5, 0.8, 100, 9.81);
    // the sixth rebound rises by 1e-12, which is the contact tolerance, to rounding
    check_bouncing(0.1, 0.1, 1, 9.81);
}

static mo_status pendulum_force(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                                double *Fu, mo_error *err)
{
    (void)data, (void)t, (void)u, (void)Fq, (void)Fu, (void)err;
    F[0] = -sin(q[0]);
    return MO_OK;
}

static mo_status pendulum_potential(void *data, double t, const double *q, double *V, mo_error *err)
{
    (void)data, (void)t, (void)err;
    *V = 2 * sin(q[0] / 2) * sin(q[0] / 2);
    return MO_OK;
}

static mo_system_def pendulum_def(planes *p, const double *q, const double *u, double h)
{
    mo_system_def def = planes_def(p, q, u, h, MO_SYSTEM_SCHEME_EVENT_DRIVEN);
    def.force = pendulum_force;
    def.potential = pendulum_potential;
    return def;
}

// time of a pendulum let go at `high` to reach `low`, |low| < high: sin(phi/2) = k sin(theta), k =
// sin(high/2), t = integral of 1/sqrt(1 - k^2 sin^2) from theta(low) to pi/2, by Simpson's rule on a smooth
// integrand
static double pendulum_time(double high, double low)
{
    double k = sin(high / 2), a = asin(sin(low / 2) / k), b = PI / 2, sum = 0;
    int count = 4000;
    for (int i = 0; i <= count; i++) {
        double theta = a + (b - a) * i / count, weight = i == 0 || i == count ? 1 : i % 2 == 1 ? 4 : 2;
        sum += weight / sqrt(1 - k * k * sin(theta) * sin(theta));
    }
    return sum * (b - a) / (3 * count);
}

static void pendulum_hits_a_wall_at_the_times_of_elliptic_integrals(void **state)
{
    (void)state;
    double wall = -0.3, q = 1.2, u = 0, e = 0.7;
    planes p = {.n = 1, .m = 1, .G = {1}, .offset = {-wall}};
    mo_system_def def = pendulum_def(&p, &q, &u, 0.25);
    def.restitution = &e;
    mo_system *s = make_system(&def);
    seen hits = run_until(s, 20, MO_EVENT_IMPACT);
    double t = pendulum_time(q, wall), E = 1 - cos(q);
    assert_true(hits.count > 4);
    for (int k = 0; k < hits.count; k++) {
        double v = sqrt(2 * (E - 1 + cos(wall)));
        assert_close(hits.t[k], t, 1e-12);
        assert_close(hits.size[k], (1 + e) * v, 1e-12);
        E += 0.5 * (e * e - 1) * v * v;
        // up to the new height and back; from below it swings through on the other side only while E allows
        double high = acos(1 - E);
        t += 2 * pendulum_time(high, wall);
    }
    assert_true(balance(s) < 1e-13);
    mo_system_destroy(s);
}

static void ten_thousand_elastic_bounces_keep_the_energy(void **state)
{
    (void)state;
    double e = 1, q = 1, u = 0.25;
    planes fall = {.n = 1, .m = 1, .G = {1}, .force = {-9.81}};
    mo_system_def def = planes_def(&fall, &q, &u, 0.5, MO_SYSTEM_SCHEME_EVENT_DRIVEN);
    def.restitution = &e;
    mo_system *s = make_system(&def);
    double E = 0.5 * u * u + 9.81 * q;
    while (mo_system_info_get(s)->impacts < 10000)
        good_step(s);
    assert_close(0.5 * mo_system_u(s)[0] * mo_system_u(s)[0] + 9.81 * mo_system_q(s)[0], E, 1e-10 * E);
    mo_system_destroy(s);

    planes swing = {.n = 1, .m = 1, .G = {1}, .offset = {-0.2}};
    q = 1.5;
    def = pendulum_def(&swing, &q, &u, 0.5);
    def.restitution = &e;
    s = make_system(&def);
    E = 0.5 * u * u + 1 - cos(q);
    while (mo_system_info_get(s)->impacts < 10000)
        good_step(s);
    double phi = mo_system_q(s)[0], w = mo_system_u(s)[0];
    assert_close(0.5 * w * w + 1 - cos(phi), E, 1e-10 * E);
    mo_system_destroy(s);
}

// q'' + q = 0 with a stop at `stop`: arcs of circles in the phase plane
static void oscillator_with_a_stop_follows_its_arcs(void **state)
{
    (void)state;
    double one = 1;
    for (int sign = -1; sign <= 1; sign += 2) {
        double stop = 0.4 * sign, q = 1, u = 0, e = 0.6;
        planes p = {.n = 1, .m = 1, .G = {1}, .offset = {-stop}};
        mo_system_def def = planes_def(&p, &q, &u, 0.11, MO_SYSTEM_SCHEME_EVENT_DRIVEN);
        def.restitution = &e;
        def.stiffness = (mo_metric){.kind = MO_METRIC_DIAGONAL, .entries = &one};
        mo_system *s = make_system(&def);
        seen hits = run_until(s, 20, MO_EVENT_IMPACT);
        double R = 1, t = acos(stop);
        assert_true(hits.count >= 2);
        for (int k = 0; k < hits.count && k < 6; k++) {
            double v = sqrt(R * R - stop * stop), w = e * v;
            assert_close(hits.t[k], t, 1e-12);
            R = sqrt(stop * stop + w * w);
            // the arc above the stop, from velocity +w to -w
            t += 2 * atan2(w, stop);
        }
        assert_true(balance(s) < 1e-13);
        mo_system_destroy(s);
    }
}

// wall w(t) = A sin t against a free particle: impacts where q0 + v t = A sin t, v' = -e v + (1 + e) w'
static mo_status shaken_gap(void *data, double t, const double *q, double *g, double *gx, double *gt,
                            mo_error *err)
{
    (void)data, (void)err;
    g[0] = q[0] - 0.1 * sin(3 * t);
    if (gx != NULL)
        gx[0] = 1;
    if (gt != NULL)
        gt[0] = -0.3 * cos(3 * t);
    return MO_OK;
}

static void a_wall_that_moves_gives_its_velocity(void **state)
{
    (void)state;
    double q = 1, u = -1, e = 0.8, t = 1;
    mo_system_def def = mo_default_system_def();
    def.n = def.gaps = 1;
    def.q = &q, def.u = &u, def.h = 0.3, def.gap = shaken_gap, def.restitution = &e;
    def.scheme = MO_SYSTEM_SCHEME_EVENT_DRIVEN;
    mo_system *s = make_system(&def);
    seen hits = run_until(s, 3, MO_EVENT_IMPACT);
    for (int i = 0; i < 50; i++)
        t -= (q + u * t - 0.1 * sin(3 * t)) / (u - 0.3 * cos(3 * t));
    double w = 0.3 * cos(3 * t), after = -e * u + (1 + e) * w;
    assert_int_equal(hits.count, 1);
    assert_close(hits.t[0], t, 1e-12);
    assert_close(mo_system_u(s)[0], after, 1e-12);
    assert_close(mo_system_q(s)[0], q + u * t + after * (3 - t), 1e-11);
    // the wall works w S, the gap loses 1/2 (1 - e^2) (u - w)^2
    const mo_system_energy *energy = &mo_system_info_get(s)->energy;
    assert_close(energy->work, w * (after - u), 1e-12);
    assert_close(energy->loss, 0.5 * (1 - e * e) * (u - w) * (u - w), 1e-12);
    assert_true(fabs(energy->balance_error) < 1e-13);
    mo_system_destroy(s);
}

// P01 (5.3) on a row of equal balls: u - (1 + e) times the part normal to the cone
static void cradle_follows_the_law_of_impact(void **state)
{
    (void)state;
    planes p = {.n = 3, .m = 2, .G = {-1, 1, 0, 0, -1, 1}, .offset = {-1, -1}};
    double q[3] = {-1, 1, 2}, u[3] = {2, 0, 0}, e[2] = {1, 1};
    mo_system_def def = planes_def(&p, q, u, 0.4, MO_SYSTEM_SCHEME_EVENT_DRIVEN);
    def.restitution = e;
    mo_system *s = make_system(&def);
    seen hits = run_until(s, 2, MO_EVENT_IMPACT);
    assert_int_equal(hits.count, 1);
    assert_close(hits.t[0], 0.5, 1e-13);
    assert_int_equal(hits.gaps[0], 2);
    // mean of the three is 2/3 of the velocity 2: 2 (2/3) - u
    const double after[3] = {-2.0 / 3, 4.0 / 3, 4.0 / 3};
    for (int i = 0; i < 3; i++)
        assert_close(mo_system_u(s)[i], after[i], 1e-13);
    mo_system_destroy(s);
}

// into the corner of two walls along its bisector: normals at an angle of pi - opening
static void corner_is_hit_twice_at_once(void **state)
{
    (void)state;
    const double openings[3] = {PI / 3, PI / 2, 2 * PI / 3};
    for (int i = 0; i < 3; i++) {
        double half = openings[i] / 2, e = 0.5, q[2] = {1, 0}, u[2] = {-1, 0}, both[2] = {e, e};
        planes p = {.n = 2, .m = 2, .G = {sin(half), cos(half), sin(half), -cos(half)}};
        mo_system_def def = planes_def(&p, q, u, 0.3, MO_SYSTEM_SCHEME_EVENT_DRIVEN);
        def.restitution = both;
        mo_system *s = make_system(&def);
        seen hits = run_until(s, 1.5, MO_EVENT_IMPACT);
        assert_int_equal(hits.count, 1);
        assert_int_equal(hits.gaps[0], 2);
        assert_close(hits.t[0], 1, 1e-13);
        // N contains u whatever the opening is (by symmetry): u' = -e u
        assert_close(mo_system_u(s)[0], e, 1e-13);
        assert_close(mo_system_u(s)[1], 0, 1e-13);
        mo_system_destroy(s);
    }
}

// beside the bisector the walls are hit one after the other; e = 1: images in a kaleidoscope
static void corners_reflect_like_mirrors(void **state)
{
    (void)state;
    const int parts[3] = {3, 2, 4};
    for (int i = 0; i < 3; i++) {
        double opening = PI / parts[i], q[2] = {2 * cos(opening / 2), 2 * sin(opening / 2)}, e[2] = {1, 1};
        double dx = 0.05 - q[0], dy = 0.06 - q[1], u[2] = {dx, dy};
        planes p = {.n = 2, .m = 2, .G = {0, 1, sin(opening), -cos(opening)}};
        mo_system_def def = planes_def(&p, q, u, 0.7, MO_SYSTEM_SCHEME_EVENT_DRIVEN);
        def.restitution = e;
        mo_system *s = make_system(&def);
        seen hits = run_until(s, 7, MO_EVENT_IMPACT);
        // a straight line crosses pi / opening mirrors; the last point is its end folded back into the wedge
        double x = q[0] + 7 * u[0], y = q[1] + 7 * u[1], r = hypot(x, y), angle = atan2(y, x);
        assert_int_equal(hits.count, parts[i]);
        angle = fmod(angle + 4 * PI, 2 * opening);
        angle = angle > opening ? 2 * opening - angle : angle;
        assert_close(mo_system_q(s)[0], r * cos(angle), 1e-11);
        assert_close(mo_system_q(s)[1], r * sin(angle), 1e-11);
        mo_system_destroy(s);
    }
}

// thrown up against a ceiling that it just touches, or dips through for an instant within one step
static void grazing_is_no_impact_and_a_short_dip_is_one(void **state)
{
    (void)state;
    double u = 3, e = 0.5, g = 10, top = u * u / (2 * g);
    for (int dip = 0; dip < 2; dip++) {
        double q = 0, depth = dip ? 1e-8 : 0;
        planes p = {.n = 1, .m = 1, .G = {-1}, .offset = {top - depth}, .force = {-g}};
        mo_system_def def = planes_def(&p, &q, &u, 1, MO_SYSTEM_SCHEME_EVENT_DRIVEN);
        def.restitution = &e;
        mo_system *s = make_system(&def);
        seen hits = run_until(s, 1, MO_EVENT_IMPACT);
        assert_int_equal(hits.count, dip);
        double v = sqrt(2 * g * depth), t = (u - v) / g;
        if (dip)
            // the gap is known to rounding of the height only
            assert_close(hits.t[0], t, 1e-15 * top / v + 1e-14);
        double fall = -e * v, rest = 1 - t, expected = top - depth + fall * rest - 0.5 * g * rest * rest;
        assert_close(mo_system_q(s)[0], expected, 1e-9 * dip + 1e-14);
        mo_system_destroy(s);
    }
}

static mo_status disc_gap(void *data, double t, const double *q, double *g, double *gx, double *gt,
                          mo_error *err)
{
    const double *disc = data;
    double x = q[0] - disc[0], y = q[1] - disc[1], r = hypot(x, y);
    (void)t, (void)err;
    g[0] = r - disc[2];
    if (gx != NULL)
        gx[0] = x / r, gx[1] = y / r;
    if (gt != NULL)
        gt[0] = 0;
    return MO_OK;
}

// a free particle meets a small obstacle in the middle of a long step
static void thin_obstacles_are_not_jumped_over(void **state)
{
    (void)state;
    for (int k = 0; k < 40; k++) {
        double disc[3] = {0.5 + 0.2 * k, 0.004, 0.01}, q[2] = {0, 0}, u[2] = {10, 0}, e = 1;
        mo_system_def def = mo_default_system_def();
        def.n = 2, def.gaps = 1, def.q = q, def.u = u, def.h = 1, def.gap = disc_gap, def.restitution = &e;
        def.scheme = MO_SYSTEM_SCHEME_EVENT_DRIVEN;
        def.data = disc;
        mo_system *s = make_system(&def);
        seen hits = run_until(s, 1, MO_EVENT_IMPACT);
        double back = sqrt(disc[2] * disc[2] - disc[1] * disc[1]);
        assert_int_equal(hits.count, 1);
        assert_close(hits.t[0], (disc[0] - back) / 10, 1e-13);
        // reflected about the normal (-back, -disc[1]) / r
        double nx = -back / disc[2], ny = -disc[1] / disc[2];
        assert_close(mo_system_u(s)[0], 10 - 20 * nx * nx, 1e-9);
        assert_close(mo_system_u(s)[1], -20 * nx * ny, 1e-9);
        mo_system_destroy(s);
    }
}

// between two walls that both touch, impacts go on without end at one instant: they end at rest
static void impacts_without_end_end_at_rest(void **state)
{
    (void)state;
    planes p = {.n = 2, .m = 2, .G = {1, 0, -1, 0}, .force = {0, 1}};
    double q[2] = {0, 0}, u[2] = {1, 0}, e[2] = {0.9, 0.9};
    mo_system_def def = planes_def(&p, q, u, 0.1, MO_SYSTEM_SCHEME_EVENT_DRIVEN);
    def.restitution = e;
    mo_system *s = make_system(&def);
    seen piles = run_until(s, 1, MO_EVENT_ACCUMULATION);
    assert_int_equal(piles.count, 1);
    assert_close(piles.t[0], 0, 0);
    assert_close(mo_system_q(s)[0], 0, 1e-15);
    assert_close(mo_system_u(s)[0], 0, 1e-15);
    assert_close(mo_system_q(s)[1], 0.5, 1e-14);
    assert_close(mo_system_info_get(s)->energy.loss, 0.5, 1e-14);
    mo_system_destroy(s);
}

static mo_status pole_force(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                            double *Fu, mo_error *err)
{
    (void)data, (void)q, (void)u, (void)Fq, (void)Fu, (void)err;
    F[0] = 1 / (0.505 - t);
    return MO_OK;
}

// a force 1/(t* - t) takes the velocity to infinity at t*: nothing is right from there on, and that is no
// accumulation of events, of which there are none.  Before it u = -ln(1 - t/t*)
static void a_force_without_integral_is_said(void **state)
{
    (void)state;
    double q[1] = {0}, u[1] = {0};
    mo_system_def def = mo_default_system_def();
    def.n = 1, def.q = q, def.u = u, def.h = 0.01, def.force = pole_force;
    def.force_depends_on_velocity = false;
    def.scheme = MO_SYSTEM_SCHEME_EVENT_DRIVEN;
    mo_system *s = make_system(&def);
    for (int i = 0; i < 50; i++)
        good_step(s);
    assert_close(mo_system_u(s)[0], -log(1 - 0.5 / 0.505), 1e-12);
    take_step(s);
    const mo_system_info *info = mo_system_info_get(s);
    assert_int_equal(info->outcome, MO_SYSTEM_NOT_CONVERGED);
    assert_true(info->accumulations == 0 && info->unconverged_steps == 1);
    mo_system_destroy(s);
}

// masses, planes and forces at random, many of the planes in touch at the start: the motion is found, stays
// inside and loses energy only
static void random_polyhedra(void **state)
{
    (void)state;
    rng r = rng_seed(77, 1);
    long impacts = 0;
    for (int k = 0; k < 60; k++) {
        planes p = {.n = 1 + (size_t)(k % 5), .m = 1 + (size_t)(k % 8)};
        double M[MOST_N * MOST_N], q[MOST_N], u[MOST_N], e[MOST_M], same = uniform(&r, 0, 0.95),
                                                                    before = HUGE_VAL;
        random_mass(&r, p.n, M);
        for (size_t i = 0; i < p.n; i++)
            q[i] = uniform(&r, -1, 1), u[i] = uniform(&r, -2, 2), p.force[i] = 0;
        for (size_t a = 0; a < p.m; a++) {
            double g = 0;
            for (size_t i = 0; i < p.n; i++) {
                p.G[a * p.n + i] = uniform(&r, -1, 1);
                g += p.G[a * p.n + i] * q[i];
                // towards the corner of all planes: gaps close and stay closed
                p.force[i] -= p.G[a * p.n + i];
            }
            p.offset[a] = -g + (a % 3 == 0 ? 0 : uniform(&r, 0, 1));
            e[a] = same;
        }
        mo_system_def def = planes_def(&p, q, u, 0.05, MO_SYSTEM_SCHEME_EVENT_DRIVEN);
        def.mass = (mo_metric){.kind = MO_METRIC_DENSE, .entries = M};
        def.restitution = e;
        mo_system *s = make_system(&def);
        for (int i = 0; i < 60; i++) {
            good_step(s);
            const mo_system_info *info = mo_system_info_get(s);
            // V = -force.q
            double E = info->energy.kinetic;
            for (size_t j = 0; j < p.n; j++)
                E -= p.force[j] * mo_system_q(s)[j];
            assert_true(E <= before + 1e-11 * (1 + fabs(before)) || i == 0);
            assert_true(info->violation < 1e-11);
            before = E;
        }
        assert_true(balance(s) < 1e-12);
        impacts += (long)mo_system_info_get(s)->impacts;
        mo_system_destroy(s);
    }
    assert_true(impacts > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounces_accumulate_at_the_sum_of_the_series),
        cmocka_unit_test(pendulum_hits_a_wall_at_the_times_of_elliptic_integrals),
        cmocka_unit_test(ten_thousand_elastic_bounces_keep_the_energy),
        cmocka_unit_test(oscillator_with_a_stop_follows_its_arcs),
        cmocka_unit_test(a_wall_that_moves_gives_its_velocity),
        cmocka_unit_test(cradle_follows_the_law_of_impact),
        cmocka_unit_test(corner_is_hit_twice_at_once),
        cmocka_unit_test(corners_reflect_like_mirrors),
        cmocka_unit_test(grazing_is_no_impact_and_a_short_dip_is_one),
        cmocka_unit_test(thin_obstacles_are_not_jumped_over),
        cmocka_unit_test(impacts_without_end_end_at_rest),
        cmocka_unit_test(a_force_without_integral_is_said),
        cmocka_unit_test(random_polyhedra),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
