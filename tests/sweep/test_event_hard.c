/* The event-driven method where it is hard: jumps, switches that pile up, sets that vanish, any length of
 * step. */
#include "leaping.h"
#include "told.h"

#include <string.h>

/* ---- jumps ---------------------------------------------------------------------------------------- */

static void jump_inside_a_step(void **state)
{
    (void)state;
    const double R = 1, x0[] = {0, 1}, h = 0.125;
    leaping l = {0.7123, 3};
    const mo_moving_set disc = mo_moving_ball(2, leaps(&l), constant(&R));
    mo_sweep *s = started(&disc, x0, h, MO_SWEEP_EVENT_DRIVEN);
    told_steps(s, 6);
    // tractrix to the jump, then the nearest point of the new disc, then the tractrix again
    const double theta = 2 * atan(exp(-l.at));
    const double before[] = {l.at - cos(theta), sin(theta)}, centre[] = {l.at + 3, 3};
    const double d = hypot(before[0] - centre[0], before[1] - centre[1]);
    const double angle = asin((before[1] - centre[1]) / d);
    const double rest = 0.75 - l.at, later = 2 * atan(tan(angle / 2) * exp(-rest));
    assert_close(mo_sweep_x(s)[0], 0.75 + 3 - cos(later), 1e-11);
    assert_close(mo_sweep_x(s)[1], 3 + sin(later), 1e-11);
    size_t jumps = 0;
    for (size_t i = 0; i < all.count; i++)
        if (all.items[i].type == MO_EVENT_JUMP) {
            jumps++;
            assert_close(all.items[i].t, l.at, 1e-12 * h);
            assert_close(all.items[i].size, d - 1, 1e-11);
            assert_true(all.items[i].gap_count == 1 && all.gaps[i][0] == 0);
        }
    assert_int_equal(jumps, 1);
    assert_int_equal(mo_sweep_info_get(s)->jumps, 1);
    assert_close(mo_sweep_info_get(s)->largest_jump, d - 1, 1e-11);
    mo_sweep_destroy(s);
}

/* A wall that goes from 0 to 1 within a millionth of the step, smoothly, pushes the point there and makes it
   jump nowhere. */
static mo_status steep(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)err;
    const double width = *(const double *)data, s = fmin(1, fmax(0, (t - 0.437) / width));
    value[0] = s * s * (3 - 2 * s);
    if (rate != NULL)
        rate[0] = 6 * s * (1 - s) / width;
    return MO_OK;
}

static void steep_ramp(void **state)
{
    (void)state;
    const double one = 1;
    for (double width = 1e-7; width < 1; width *= 10) {
        double data = width, x0 = 0.5;
        const mo_moving_set wall = mo_moving_polyhedron(1, 1, constant(&one), by_function(steep, &data));
        mo_sweep *s = started(&wall, &x0, 0.5, MO_SWEEP_EVENT_DRIVEN);
        told_steps(s, 4);
        assert_close(mo_sweep_x(s)[0], 1, 1e-13);
        assert_int_equal(mo_sweep_info_get(s)->jumps, 0);
        // half way up at the middle of the ramp; there the wall stays
        assert_int_equal(all.count, 2);
        expect_event(0, MO_EVENT_CONTACT, 0.437 + width / 2, 1e-12, 0);
        expect_event(1, MO_EVENT_RELEASE, 0.437 + width, 1e-12, 0);
        mo_sweep_destroy(s);
    }
}

/* A set that leaps away lets go; one that comes back takes the point where it finds it. */
static mo_status blinking(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)data, (void)err;
    // x >= t, but not between 0.3 and 0.6
    value[0] = t >= 0.3 && t < 0.6 ? -10 : t;
    if (rate != NULL)
        rate[0] = t >= 0.3 && t < 0.6 ? 0 : 1;
    return MO_OK;
}

static void leaping_away(void **state)
{
    (void)state;
    const double one = 1, x0 = 0;
    const mo_moving_set wall = mo_moving_polyhedron(1, 1, constant(&one), by_function(blinking, NULL));
    for (int steps = 1; steps <= 7; steps += 3) {
        const double h = 1. / steps;
        mo_sweep *s = started(&wall, &x0, h, MO_SWEEP_EVENT_DRIVEN);
        told_steps(s, steps);
        assert_close(mo_sweep_x(s)[0], 1, 1e-14);
        assert_int_equal(all.count, 4);
        expect_event(0, MO_EVENT_CONTACT, 0, 0, 0);
        expect_event(1, MO_EVENT_RELEASE, 0.3, 1e-12 * h, 0);
        expect_event(2, MO_EVENT_JUMP, 0.6, 1e-12 * h, 0);
        assert_close(all.items[2].size, 0.3, 1e-12);
        expect_event(3, MO_EVENT_CONTACT, 0.6, 1e-12 * h, 0);
        assert_int_equal(mo_sweep_info_get(s)->jumps, 1);
        mo_sweep_destroy(s);
    }
}

static void start_outside(void **state)
{
    (void)state;
    const double R = 1, x0[] = {-3, 4};
    const mo_moving_set disc = mo_moving_ball(2, along(&drive), constant(&R));
    mo_sweep *s = started(&disc, x0, 0.25, MO_SWEEP_EVENT_DRIVEN);
    told_steps(s, 4);
    // prox is (-3, 4) / 5, behind the centre: a tractrix from theta0 = asin(4/5)
    const double theta = 2 * atan(tan(asin(0.8) / 2) * exp(-1.));
    assert_close(mo_sweep_x(s)[0], 1 - cos(theta), 1e-11);
    assert_close(mo_sweep_x(s)[1], sin(theta), 1e-11);
    assert_int_equal(all.items[0].type, MO_EVENT_OUTSIDE);
    assert_close(all.items[0].size, 4, 1e-14);
    assert_int_equal(mo_sweep_info_get(s)->jumps, 0);
    mo_sweep_destroy(s);
}

/* ---- accumulation --------------------------------------------------------------------------------- */

/* Wall x >= -s (2 + sin(k log s)), s = 0.9 - t: its maxima pile up geometrically before t = 0.9, then it
 * rests at 0. */
static mo_status shivering(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)err;
    const double k = *(const double *)data, s = 0.9 - t;
    value[0] = s > 0 ? -s * (2 + sin(k * log(s))) : 0;
    if (rate != NULL)
        rate[0] = s > 0 ? 2 + sin(k * log(s)) + k * cos(k * log(s)) : 0;
    return MO_OK;
}

static void switches_that_pile_up(void **state)
{
    (void)state;
    for (double k = 5; k < 300; k *= 7) {
        double data = k;
        const double one = 1, x0 = -2;
        const mo_moving_set wall = mo_moving_polyhedron(1, 1, constant(&one), by_function(shivering, &data));
        mo_sweep *s = started(&wall, &x0, 0.5, MO_SWEEP_EVENT_DRIVEN);
        told_steps(s, 4);
        // the wall never comes above 0 and ends there
        assert_close(mo_sweep_x(s)[0], 0, 1e-12);
        assert_close(mo_sweep_info_get(s)->time, 2, 0);
        assert_int_equal(mo_sweep_info_get(s)->accumulations, 1);
        bool found = false;
        for (size_t i = 0; i < all.count; i++)
            if (all.items[i].type == MO_EVENT_ACCUMULATION) {
                found = true;
                assert_true(all.items[i].t > 0.5 && all.items[i].t <= 0.9 + 1e-12);
            }
        assert_true(found);
        mo_sweep_destroy(s);
    }
}

/* Infinitely many switches right after the start: t^3 sin(1 / t). */
static mo_status shivering_start(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)data, (void)err;
    value[0] = t > 0 ? t * t * t * sin(1 / t) : 0;
    if (rate != NULL)
        rate[0] = t > 0 ? 3 * t * t * sin(1 / t) - t * cos(1 / t) : 0;
    return MO_OK;
}

static void switches_from_the_start(void **state)
{
    (void)state;
    const double one = 1, x0 = 0;
    const mo_moving_set wall = mo_moving_polyhedron(1, 1, constant(&one), by_function(shivering_start, NULL));
    mo_sweep *s = started(&wall, &x0, 0.25, MO_SWEEP_EVENT_DRIVEN);
    for (int k = 0; k < 8; k++)
        told_step(s);
    // the running maximum: the wall rises for good from t = 1 / 4.5 or so on
    assert_close(mo_sweep_x(s)[0], 8 * sin(0.5), 1e-11);
    assert_true(mo_sweep_info_get(s)->violation < 1e-13);
    mo_sweep_destroy(s);
}

/* ---- outcomes ------------------------------------------------------------------------------------- */

/* Walls that meet at t = 1: the set is empty then. */
static void closing_set(void **state)
{
    (void)state;
    const double centre = 0, x0 = 0.5;
    const double radius = 1, rate = -1;
    straight closing = {1, &radius, &rate};
    const mo_moving_set interval = mo_moving_box(1, constant(&centre), along(&closing));
    mo_sweep *s = started(&interval, &x0, 0.3, MO_SWEEP_EVENT_DRIVEN);
    told_steps(s, 3);
    assert_close(mo_sweep_x(s)[0], 0.1, 1e-14);
    told_step(s);
    assert_int_equal(mo_sweep_info_get(s)->outcome, MO_SWEEP_EMPTY);
    assert_true(strlen(mo_sweep_info_get(s)->message) > 10);
    assert_close(mo_sweep_x(s)[0], 0.1, 1e-14);
    assert_close(mo_sweep_info_get(s)->time, 0.9, 1e-15);
    mo_sweep_destroy(s);
}

/* A gap x^2 - t with gradient 0 at x = 0, which is where the point is when it falls below 0. */
static mo_status flat_gap(void *data, double t, const double *x, double *g, double *gx, double *gt,
                          mo_error *err)
{
    (void)err;
    const double sign = *(const double *)data;
    g[0] = x[0] * x[0] + sign * (0.5 - t);
    if (gx != NULL)
        gx[0] = 2 * x[0];
    if (gt != NULL)
        gt[0] = -sign;
    return MO_OK;
}

static mo_status broken_gap(void *data, double t, const double *x, double *g, double *gx, double *gt,
                            mo_error *err)
{
    (void)data, (void)err;
    g[0] = t > 0.5 ? (double)NAN : x[0];
    if (gx != NULL)
        gx[0] = 1;
    if (gt != NULL)
        gt[0] = 0;
    return MO_OK;
}

static void no_gradient_and_not_finite(void **state)
{
    (void)state;
    double sign = 1, x0 = 0;
    mo_moving_set set = mo_moving_gaps(1, 1, flat_gap, &sign);
    mo_sweep *s = started(&set, &x0, 0.4, MO_SWEEP_EVENT_DRIVEN);
    told_steps(s, 1);
    told_step(s);
    assert_int_equal(mo_sweep_info_get(s)->outcome, MO_SWEEP_NO_GRADIENT);
    assert_int_equal(mo_sweep_info_get(s)->steps, 1);
    assert_close(mo_sweep_x(s)[0], 0, 0);
    mo_sweep_destroy(s);
    set = mo_moving_gaps(1, 1, broken_gap, NULL);
    s = started(&set, &x0, 0.4, MO_SWEEP_EVENT_DRIVEN);
    told_steps(s, 1);
    told_step(s);
    assert_int_equal(mo_sweep_info_get(s)->outcome, MO_SWEEP_NOT_FINITE);
    assert_int_equal(mo_sweep_info_get(s)->unconverged_steps, 1);
    mo_sweep_destroy(s);
}

/* ---- sets without room ---------------------------------------------------------------------------- */

/*
 * A box without width, two gaps that face each other: the stages of a trial leave the path a little, through
 * one of them, and must not be taken for events.  The point of the set is all there is to know.
 */
static void thin_sets(void **state)
{
    (void)state;
    const double size[] = {1, 1}, phase[] = {acos(-1) / 2, 0}, x0[] = {1, 0};
    waves circle = {2, 1, size, phase};
    for (int thin = 0; thin < 2; thin++) {
        const double r[] = {0, thin == 0 ? 3 : 0};
        const mo_moving_set box = mo_moving_box(2, waving(&circle), constant(r));
        mo_sweep *s = started(&box, x0, 0.1, MO_SWEEP_EVENT_DRIVEN);
        for (int k = 1; k <= 20; k++) {
            told_steps(s, 1);
            assert_close(mo_sweep_x(s)[0], cos(0.1 * k), 1e-15);
            assert_close(mo_sweep_x(s)[1], thin == 0 ? 0 : sin(0.1 * k), 1e-15);
            assert_true(mo_sweep_info_get(s)->iterations < 100);
        }
        mo_sweep_destroy(s);
    }
}

/* The interval comes back exactly to where it left the point, with a corner in time: touch and go.  Trials
   get as short as times can tell there, and go on. */
static mo_status tents(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)data, (void)err;
    const double phase = fmod(t, 1);
    value[0] = phase < 0.5 ? phase : 1 - phase;
    if (rate != NULL)
        rate[0] = phase < 0.5 ? 1 : -1;
    return MO_OK;
}

static void touch_and_go(void **state)
{
    (void)state;
    const double r = 1, x0 = -1;
    const mo_moving_set interval = mo_moving_box(1, by_function(tents, NULL), constant(&r));
    for (int steps = 1; steps < 40; steps += 3) {
        mo_sweep *s = started(&interval, &x0, 5. / steps, MO_SWEEP_EVENT_DRIVEN);
        for (int k = 0; k < steps; k++) {
            told_steps(s, 1);
            assert_true(mo_sweep_info_get(s)->iterations < 3000);
        }
        assert_close(mo_sweep_x(s)[0], -0.5, 1e-12);
        expect_event(0, MO_EVENT_CONTACT, 0, 0, 0);
        expect_event(1, MO_EVENT_RELEASE, 0.5, 1e-12 * 5, 0);
        mo_sweep_destroy(s);
    }
}

/* ---- any length of step --------------------------------------------------------------------------- */

/* Motions with random numbers p, in a unit of length. */
typedef struct wild {
    double p[32], unit;
    size_t rows;
} wild;

/* rows turn to and fro around directions all around */
static mo_status turning(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)err;
    const wild *w = data;
    for (size_t i = 0; i < w->rows; i++) {
        const double a =
            2 * acos(-1) * ((double)i + 0.3 * w->p[i]) / (double)w->rows + 0.6 * w->p[i] * sin(t);
        value[2 * i] = cos(a);
        value[2 * i + 1] = sin(a);
        if (rate != NULL) {
            rate[2 * i] = -0.6 * w->p[i] * cos(t) * sin(a);
            rate[2 * i + 1] = 0.6 * w->p[i] * cos(t) * cos(a);
        }
    }
    return MO_OK;
}

static mo_status breathing(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)err;
    const wild *w = data;
    for (size_t i = 0; i < w->rows; i++) {
        const double speed = 2 + w->p[i + 8];
        value[i] = w->unit * (0.5 * sin(speed * t + 3 * w->p[i + 16]) - 0.55);
        if (rate != NULL)
            rate[i] = w->unit * 0.5 * speed * cos(speed * t + 3 * w->p[i + 16]);
    }
    return MO_OK;
}

static mo_status stirring(void *data, double t, const double *u, double *f, mo_error *err)
{
    (void)err;
    const wild *w = data;
    f[0] = w->unit * cos(2 * t) - 0.3 * u[1];
    f[1] = w->unit * sin(1.7 * t) + 0.2 * u[0];
    return MO_OK;
}

/* outside of two discs that pass the point on both sides */
static mo_status passing(void *data, double t, const double *x, double *g, double *gx, double *gt,
                         mo_error *err)
{
    (void)err;
    const wild *w = data;
    for (size_t i = 0; i < 2; i++) {
        const double cx = w->unit * (i == 0 ? 0.9 * t - 1.6 : 2.2 + sin(t)),
                     vx = w->unit * (i == 0 ? 0.9 : cos(t));
        const double cy = w->unit * (i == 0 ? 0.2 + 0.1 * w->p[0] : 0.3 * cos(2 * t));
        const double vy = i == 0 ? 0 : -0.6 * w->unit * sin(2 * t);
        const double dx = x[0] - cx, dy = x[1] - cy, d = hypot(dx, dy);
        g[i] = d - w->unit;
        if (gx != NULL) {
            gx[2 * i] = dx / d;
            gx[2 * i + 1] = dy / d;
        }
        if (gt != NULL)
            gt[i] = -(dx * vx + dy * vy) / d;
    }
    return MO_OK;
}

static void end_of(const mo_moving_set *set, wild *w, bool field, mo_sweep_method method, int steps,
                   double end[2])
{
    const double x[] = {0.1 * w->unit, -0.2 * w->unit};
    mo_sweep_def def = define(set, x, 3. / steps, method);
    def.field = field ? stirring : NULL;
    def.data = w;
    mo_sweep *s = create(&def);
    good_steps(s, steps);
    assert_true(mo_sweep_info_get(s)->worst_violation <= 1e-12 * w->unit);
    memcpy(end, mo_sweep_x(s), 2 * sizeof *end);
    mo_sweep_destroy(s);
}

/* The answer does not depend on the step: polygons that turn and breathe, discs that pass, with and without a
   field, in units from 1e-6 to 1e6.  Catching-up comes to the same. */
static void any_length_of_step(void **state)
{
    (void)state;
    int moved = 0;
    for (int trial = 0; trial < 40; trial++) {
        rng r = rng_seed((uint64_t)trial, 5);
        wild w = {.unit = pow(1000, trial % 5 - 2), .rows = 3 + (size_t)trial % 5};
        for (size_t i = 0; i < 32; i++)
            w.p[i] = spread(&r);
        const bool discs = trial % 4 == 3, field = trial % 3 == 0;
        const mo_moving_set set =
            discs ? mo_moving_gaps(2, 2, passing, &w)
                  : mo_moving_polyhedron(2, w.rows, by_function(turning, &w), by_function(breathing, &w));
        double a[2], b[2], c[2];
        end_of(&set, &w, field, MO_SWEEP_EVENT_DRIVEN, 1, a);
        end_of(&set, &w, field, MO_SWEEP_EVENT_DRIVEN, 37, b);
        end_of(&set, &w, field, MO_SWEEP_CATCHING_UP, 3000, c);
        assert_close(distance(2, a, b) / w.unit, 0, 1e-11);
        assert_close(distance(2, a, c) / w.unit, 0, 0.01);
        moved += fabs(a[0] / w.unit - 0.1) > 0.01;
    }
    assert_true(moved > 25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jump_inside_a_step),
        cmocka_unit_test(steep_ramp),
        cmocka_unit_test(leaping_away),
        cmocka_unit_test(start_outside),
        cmocka_unit_test(switches_that_pile_up),
        cmocka_unit_test(switches_from_the_start),
        cmocka_unit_test(closing_set),
        cmocka_unit_test(no_gradient_and_not_finite),
        cmocka_unit_test(thin_sets),
        cmocka_unit_test(touch_and_go),
        cmocka_unit_test(any_length_of_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
