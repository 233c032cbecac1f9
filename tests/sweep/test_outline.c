/* Borders of moving sets: every point lies on the border, lines are closed or end at the frame, nothing is
 * lost. */
#include "sweep/outline.h"

#include "parts.h"

#include <string.h>

enum { MOST = 20000 };

/* What was emitted. */
typedef struct lines {
    size_t count, first[64], total;
    double points[2 * MOST];
} lines;

static lines all;

static mo_status keep(void *data, const double *points, size_t count, mo_error *err)
{
    (void)err;
    lines *l = data;
    assert_true(count >= 2 && l->count < 63 && l->total + count <= MOST);
    memcpy(l->points + 2 * l->total, points, 2 * count * sizeof *points);
    l->first[l->count++] = l->total;
    l->total += count;
    l->first[l->count] = l->total;
    return MO_OK;
}

static bool is_closed(size_t line)
{
    const double *a = all.points + 2 * all.first[line], *b = all.points + 2 * (all.first[line + 1] - 1);
    return a[0] == b[0] && a[1] == b[1];
}

static double length_of(size_t line)
{
    double sum = 0;
    for (size_t i = all.first[line]; i + 1 < all.first[line + 1]; i++)
        sum +=
            hypot(all.points[2 * i + 2] - all.points[2 * i], all.points[2 * i + 3] - all.points[2 * i + 1]);
    return sum;
}

static void draw(const mo_moving_set *set, double t, double half)
{
    const double lo[] = {-half, -half}, hi[] = {half, half};
    mo_error err = {0};
    all.count = all.total = 0;
    if (set_outline(set, t, lo, hi, keep, &all, &err) != MO_OK)
        fail_msg("%s", err.message);
}

static void circle(void **state)
{
    (void)state;
    const double r = 0.75, pi = acos(-1);
    const double from[] = {0, 0}, rate[] = {1, 0};
    straight way = {2, from, rate};
    const mo_moving_set disc = mo_moving_ball(2, along(&way), constant(&r));
    for (double t = 0; t < 0.3; t += 0.11) {
        draw(&disc, t, 1.5);
        assert_true(all.count == 1 && is_closed(0));
        for (size_t i = 0; i < all.total; i++)
            assert_close(hypot(all.points[2 * i] - t, all.points[2 * i + 1]), r, 1e-9);
        // an inscribed polygon whose sides are shorter than a cell's diagonal d: short by (d / r)^2 / 24 at
        // most
        assert_close(length_of(0), 2 * pi * r, 2 * pi * r * pow(3. / 192 * sqrt(2) / r, 2) / 24 * 1.1);
    }
    // the same set, given as a convex set
    const mo_set convex = mo_set_ball(2, NULL, r);
    const mo_moving_set child = mo_moving_convex(&convex);
    draw(&child, 0, 1.5);
    assert_true(all.count == 1 && is_closed(0));
    for (size_t i = 0; i < all.total; i++)
        assert_close(hypot(all.points[2 * i], all.points[2 * i + 1]), r, 1e-9);
}

/* A square: its length to a hundredth of a cell per corner. */
static void square(void **state)
{
    (void)state;
    const double r[] = {0.7123, 0.4};
    const mo_moving_set box = mo_moving_box(2, constant(NULL), constant(r));
    draw(&box, 0, 1);
    assert_true(all.count == 1 && is_closed(0));
    for (size_t i = 0; i < all.total; i++) {
        const double x = fabs(all.points[2 * i]), y = fabs(all.points[2 * i + 1]);
        assert_close(fmin(fabs(x - r[0]), fabs(y - r[1])), 0, 1e-9);
        assert_true(x <= r[0] + 1e-9 && y <= r[1] + 1e-9);
    }
    // corners are cut by no more than a tenth of a cell
    assert_close(length_of(0), 4 * (r[0] + r[1]), 4 * 0.1 / 96);
}

/* Outside of two discs, one of them cut by the frame, and a lens that is not there. */
static mo_status two_discs(void *data, double t, const double *x, double *g, double *gx, double *gt,
                           mo_error *err)
{
    (void)data, (void)t, (void)gx, (void)gt, (void)err;
    g[0] = hypot(x[0] + 0.5, x[1]) - 0.25;
    g[1] = hypot(x[0] - 1, x[1]) - 0.5;
    return MO_OK;
}

static void two_components(void **state)
{
    (void)state;
    const mo_moving_set set = mo_moving_gaps(2, 2, two_discs, NULL);
    draw(&set, 0, 1);
    assert_int_equal(all.count, 2);
    // the one that ends at the frame comes first
    assert_true(!is_closed(0) && is_closed(1));
    for (size_t k = 0; k < 2; k++)
        for (size_t i = all.first[k]; i < all.first[k + 1]; i++) {
            const double *p = all.points + 2 * i;
            assert_close(k == 0 ? hypot(p[0] - 1, p[1]) - 0.5 : hypot(p[0] + 0.5, p[1]) - 0.25, 0, 1e-9);
        }
    const double *a = all.points, *b = all.points + 2 * (all.first[1] - 1);
    assert_true(a[0] == 1 && b[0] == 1);
    // the same bits again
    const lines before = all;
    draw(&set, 0, 1);
    assert_memory_equal(&before, &all, sizeof all.points / 2);
}

static mo_status nothing(void *data, double t, const double *x, double *g, double *gx, double *gt,
                         mo_error *err)
{
    (void)data, (void)t, (void)gx, (void)gt, (void)err;
    g[0] = x[0] > 0 ? (double)NAN : 1;
    return MO_OK;
}

static mo_status failing(void *data, double t, const double *x, double *g, double *gx, double *gt,
                         mo_error *err)
{
    (void)data, (void)t, (void)gx, (void)gt, (void)err;
    g[0] = x[0];
    return x[1] > 0.5 ? MO_STOPPED : MO_OK;
}

/* Not a number is outside; functions that fail end it; boxes without inside are refused. */
static void hostile(void **state)
{
    (void)state;
    mo_moving_set set = mo_moving_gaps(2, 1, nothing, NULL);
    draw(&set, 0, 1);
    assert_true(all.count == 1);
    for (size_t i = 0; i < all.total; i++)
        assert_close(all.points[2 * i], 0, 1e-9);
    set = mo_moving_gaps(2, 1, failing, NULL);
    const double lo[] = {-1, -1}, hi[] = {1, 1};
    assert_int_equal(set_outline(&set, 0, lo, hi, keep, &all, NULL), MO_STOPPED);
    assert_int_equal(set_outline(&set, 0, hi, lo, keep, &all, NULL), MO_BAD_INPUT);
    // everything, and nothing: no border
    const double normal[] = {0, 0}, b = 1, less = -1;
    set = mo_moving_polyhedron(2, 1, constant(normal), constant(&b));
    draw(&set, 0, 1);
    assert_int_equal(all.count, 0);
    set = mo_moving_polyhedron(2, 1, constant(normal), constant(&less));
    draw(&set, 0, 1);
    assert_int_equal(all.count, 0);
}

/* ---- cavities ------------------------------------------------------------------------------------- */

static void interval(void **state)
{
    (void)state;
    const double r = 0.25;
    const double one = 1, zero = 0;
    waves sine = {1, 1, &one, &zero};
    const mo_moving_set set = mo_moving_box(1, waving(&sine), constant(&r));
    all.count = all.total = 0;
    assert_int_equal(cavity_outline(&set, 0, 7, -2, 2, keep, &all, NULL), MO_OK);
    assert_int_equal(all.count, 2);
    for (size_t k = 0; k < 2; k++) {
        const size_t first = all.first[k], last = all.first[k + 1] - 1;
        const double side = all.points[2 * first + 1] > sin(all.points[2 * first]) ? r : -r;
        for (size_t i = first; i <= last; i++)
            assert_close(all.points[2 * i + 1], sin(all.points[2 * i]) + side, 1e-9);
        assert_close(fabs(all.points[2 * last] - all.points[2 * first]), 7, 1e-12);
    }
}

/* A wall that leaps from 0 to 1 at t = 0.3 has a border along x there. */
static mo_status leap_up(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)data, (void)err;
    value[0] = t < 0.3 ? 0 : 1;
    if (rate != NULL)
        rate[0] = 0;
    return MO_OK;
}

static void leaping_wall(void **state)
{
    (void)state;
    const double one = 1;
    const mo_moving_set set = mo_moving_polyhedron(1, 1, constant(&one), (mo_timed){NULL, leap_up, NULL});
    all.count = all.total = 0;
    assert_int_equal(cavity_outline(&set, 0, 1, -0.5, 1.5, keep, &all, NULL), MO_OK);
    assert_int_equal(all.count, 1);
    double lowest = 1, highest = 0;
    for (size_t i = 0; i < all.total; i++) {
        const double t = all.points[2 * i], x = all.points[2 * i + 1];
        assert_true(fabs(t - 0.3) < 1e-9 || fabs(x - (t < 0.3 ? 0 : 1)) < 1e-9);
        if (fabs(t - 0.3) < 1e-9) {
            lowest = fmin(lowest, x);
            highest = fmax(highest, x);
        }
    }
    assert_true(lowest < 0.01 && highest > 0.99);
    assert_close(length_of(0), 2, 2 * 0.1 * 2 / 192);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circle),  cmocka_unit_test(square),   cmocka_unit_test(two_components),
        cmocka_unit_test(hostile), cmocka_unit_test(interval), cmocka_unit_test(leaping_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
