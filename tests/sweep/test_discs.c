/*
 * Discs in the plane: neighbours and gaps against every pair, chains with known forces, projections against
 * the same set written as a function of all gaps.
 */
#include <stdio.h>
#include <string.h>

#include "sweep/discs.h"
#include "sweep/ready.h"
#include "sweep/rows.h"

enum { DISCS_MAX = 60, WALLS_MAX = 6 };

typedef struct crowd {
    size_t discs, walls;
    double radius[DISCS_MAX], x[2 * DISCS_MAX], wall[4 * WALLS_MAX];
} crowd;

static double wall_distance(const double *w, const double *p)
{
    double dx = w[2] - w[0], dy = w[3] - w[1], square = dx * dx + dy * dy;
    double s = square > 0 ? ((p[0] - w[0]) * dx + (p[1] - w[1]) * dy) / square : 0;
    s = fmax(0, fmin(1, s));
    return hypot(p[0] - w[0] - s * dx, p[1] - w[1] - s * dy);
}

static double gap_of(const crowd *c, const double *x, size_t i, size_t j)
{
    if (j >= c->discs)
        return wall_distance(c->wall + 4 * (j - c->discs), x + 2 * i) - c->radius[i];
    return distance(2, x + 2 * i, x + 2 * j) - c->radius[i] - c->radius[j];
}

static void make_crowd(crowd *c, rng *r, double side)
{
    c->discs = 2 + (size_t)(rng_next(r) % (DISCS_MAX - 2));
    c->walls = (size_t)(rng_next(r) % WALLS_MAX);
    double largest = pow(10, -rng_uniform(r));
    for (size_t i = 0; i < c->discs; i++) {
        c->radius[i] = largest * (0.2 + 0.8 * rng_uniform(r));
        c->x[2 * i] = side * spread(r);
        c->x[2 * i + 1] = side * spread(r);
    }
    for (size_t k = 0; k < 4 * c->walls; k++)
        c->wall[k] = 1.3 * side * spread(r);
    // upright, level and point-like walls too
    if (c->walls > 0 && rng_uniform(r) < 0.3)
        c->wall[2] = c->wall[0];
    if (c->walls > 1 && rng_uniform(r) < 0.3)
        c->wall[7] = c->wall[5];
    if (c->walls > 2 && rng_uniform(r) < 0.3) {
        c->wall[10] = c->wall[8];
        c->wall[11] = c->wall[9];
    }
}

static mo_moving_set set_of(const crowd *c)
{
    return mo_moving_discs(c->discs, c->radius, c->walls, c->wall);
}

// the grid finds the pairs that looking at all of them finds, in order
static void neighbours(void **state)
{
    (void)state;
    rng r = rng_seed(41, 1);
    size_t total = 0;
    for (int trial = 0; trial < 300; trial++) {
        crowd c;
        make_crowd(&c, &r, trial % 10 == 0 ? 1e5 : 4);
        double margin = trial % 7 == 0 ? HUGE_VAL : 0.5 * rng_uniform(&r) - 0.05;
        mo_moving_set set = set_of(&c);
        moving *m = ready(&set);
        assert_int_equal(moving_linearise(m, c.x, margin, NULL), MO_OK);
        size_t row = 0;
        for (size_t i = 0; i < c.discs; i++) {
            for (size_t j = i + 1; j < c.discs + c.walls; j++) {
                double gap = gap_of(&c, c.x, i, j);
                if (!(gap <= margin))
                    continue;
                assert_true(row < m->rows.count);
                assert_int_equal(m->rows.first[row], i);
                assert_int_equal(m->rows.second[row], j);
                assert_close(m->rows.g[row], gap, 1e-14 * (1 + fabs(gap)) * (trial % 10 == 0 ? 1e5 : 4));
                assert_close(m->rows.norm[row], j < c.discs ? sqrt(2) : 1, 1e-14);
                row++;
            }
        }
        assert_int_equal(m->rows.count, row);
        total += row;
        moving_destroy(m);
    }
    assert_true(total > 3000);
}

// smallest gap of each disc; gradients by differences
static void gaps_and_gradients(void **state)
{
    (void)state;
    rng r = rng_seed(42, 1);
    for (int trial = 0; trial < 100; trial++) {
        crowd c;
        double g[DISCS_MAX];
        make_crowd(&c, &r, 4);
        mo_moving_set set = set_of(&c);
        assert_int_equal(mo_moving_set_multipliers(&set), c.discs);
        assert_int_equal(mo_moving_set_gaps(&set, 0, c.x, g, NULL), MO_OK);
        for (size_t i = 0; i < c.discs; i++) {
            double smallest = HUGE_VAL;
            for (size_t j = 0; j < c.discs + c.walls; j++)
                if (j != i)
                    smallest = fmin(smallest, j < i ? gap_of(&c, c.x, j, i) : gap_of(&c, c.x, i, j));
            assert_close(g[i], smallest, 1e-13);
        }
        moving *m = ready(&set);
        assert_int_equal(moving_linearise(m, c.x, 0.3, NULL), MO_OK);
        double move[2 * DISCS_MAX], moved[2 * DISCS_MAX], step = 1e-6;
        for (size_t k = 0; k < 2 * c.discs; k++) {
            move[k] = spread(&r);
            moved[k] = c.x[k] + step * move[k];
        }
        for (size_t i = 0; i < m->rows.count; i++) {
            double change = gap_of(&c, moved, m->rows.first[i], m->rows.second[i]) - m->rows.g[i];
            // curvature 1 / distance: of order step^2
            assert_close(row_dot(&m->rows, m->n, i, move), change / step, 1e-3);
        }
        moving_destroy(m);
    }
}

static mo_status leftwards(void *data, double t, const double *u, double *f, mo_error *err)
{
    (void)t, (void)u, (void)err;
    size_t discs = *(const size_t *)data;
    for (size_t i = 0; i < discs; i++) {
        f[2 * i] = -1;
        f[2 * i + 1] = 0;
    }
    return MO_OK;
}

enum { ROW = 20 };

// a row of discs before a wall, a little apart, that all push left
static mo_sweep *make_row(double *radius, mo_moving_set *set, double h, size_t *count)
{
    static const double wall[4] = {0, -5, 0, 5};
    double x[2 * ROW], at = 0;
    *count = ROW;
    for (size_t i = 0; i < ROW; i++) {
        radius[i] = 0.1 + 0.01 * (double)i;
        x[2 * i] = at + radius[i] + 0.05;
        x[2 * i + 1] = 0;
        at += 2 * radius[i] + 0.05;
    }
    *set = mo_moving_discs(ROW, radius, 1, wall);
    mo_sweep_def def = define(set, x, h, MO_SWEEP_CATCHING_UP);
    def.field = leftwards;
    def.data = count;
    return create(&def);
}

// the contact behind disc k carries what stands behind it
static void row_against_wall(void **state)
{
    (void)state;
    double radius[ROW];
    mo_moving_set set;
    size_t held, count;
    mo_sweep *p = make_row(radius, &set, 0.002, &count);
    good_steps(p, 800);
    const mo_sweep_hold *holds = mo_sweep_holds(p, &held);
    assert_int_equal(held, ROW);
    // by rising pair: (0, 1), (0, wall), (1, 2), ...
    assert_int_equal(holds[0].second, 1);
    assert_int_equal(holds[1].second, ROW);
    assert_close(holds[1].lambda, ROW, 1e-9);
    assert_close(holds[0].lambda, ROW - 1, 1e-9);
    for (size_t k = 2; k < held; k++) {
        assert_int_equal(holds[k].first, k - 1);
        assert_int_equal(holds[k].second, k);
        assert_close(holds[k].lambda, (double)(ROW - k), 1e-9);
    }
    // multipliers of a disc: the sum over both sides
    const double *lambda = mo_sweep_lambda(p), *u = mo_sweep_x(p);
    assert_close(lambda[0], ROW + ROW - 1, 1e-9);
    assert_close(lambda[ROW - 1], 1, 1e-9);
    double at = 0;
    for (size_t i = 0; i < ROW; i++) {
        assert_close(u[2 * i], at + radius[i], 1e-12);
        at += 2 * radius[i];
    }
    assert_true(mo_sweep_info_get(p)->worst_violation <= 1e-13);
    mo_sweep_destroy(p);
}

/*
 * The straight row is a nearest point only while h sum over contacts of lambda (v_i - v_j)^2 / d < sum of
 * v_i^2 for all sideways v.  The zigzag v = +-1 breaks that once 4 h sum of lambda / d > ROW: the row would
 * buckle, to either side, and the step says so.
 */
static void buckling(void **state)
{
    (void)state;
    double radius[ROW], load = 0;
    mo_moving_set set;
    size_t count;
    for (size_t i = 0; i < ROW; i++)
        radius[i] = 0.1 + 0.01 * (double)i;
    for (size_t k = 0; k + 1 < ROW; k++)
        load += (double)(ROW - 1 - k) / (radius[k] + radius[k + 1]);
    double critical = ROW / (4 * load), h = 1.5 * critical;
    mo_sweep *p = make_row(radius, &set, h, &count);
    for (int k = 0; k * h < 1.6; k++)
        step(p);
    assert_int_equal(mo_sweep_info_get(p)->outcome, MO_SWEEP_NOT_UNIQUE);
    // straight all the same, and nothing overlaps
    assert_close(mo_sweep_lambda(p)[ROW - 1], 1, 1e-9);
    assert_true(mo_sweep_info_get(p)->worst_violation <= 1e-13);
    mo_sweep_destroy(p);
}

// all gaps of a crowd as one function
static mo_status every_gap(void *data, double t, const double *x, double *g, double *gx, double *gt,
                           mo_error *err)
{
    (void)t, (void)err, (void)gt;
    const crowd *c = data;
    size_t row = 0, n = 2 * c->discs;
    for (size_t i = 0; i < c->discs; i++) {
        for (size_t j = i + 1; j < c->discs; j++, row++) {
            double d = distance(2, x + 2 * i, x + 2 * j);
            g[row] = d - c->radius[i] - c->radius[j];
            for (size_t k = 0; gx != NULL && k < n; k++)
                gx[row * n + k] = 0;
            for (size_t k = 0; gx != NULL && k < 2; k++) {
                double slope = (x[2 * i + k] - x[2 * j + k]) / d;
                gx[row * n + 2 * i + k] = slope;
                gx[row * n + 2 * j + k] = -slope;
            }
        }
    }
    return MO_OK;
}

// nearest positions without overlap: sparse with neighbours against dense with all pairs
static void against_all_pairs(void **state)
{
    (void)state;
    rng r = rng_seed(43, 1);
    int compared = 0;
    for (int trial = 0; trial < 40; trial++) {
        crowd c = {.discs = 3 + (size_t)(rng_next(&r) % 12)};
        for (size_t i = 0; i < c.discs; i++) {
            // a loose heap with overlaps of up to a third of a radius
            c.radius[i] = 0.5 + 0.2 * rng_uniform(&r);
            c.x[2 * i] = 1.1 * (double)(i % 4) + 0.15 * spread(&r);
            c.x[2 * i + 1] = 1.1 * (double)(i / 4) + 0.15 * spread(&r);
        }
        double x[2 * DISCS_MAX], y[2 * DISCS_MAX];
        mo_moving_set sparse = set_of(&c);
        mo_moving_set dense = mo_moving_gaps(2 * c.discs, c.discs * (c.discs - 1) / 2, every_gap, &c);
        moving *m = ready(&sparse), *q = ready(&dense);
        assert_int_equal(moving_project(m, c.x, NULL, x, NULL), MO_OK);
        assert_int_equal(moving_project(q, c.x, NULL, y, NULL), MO_OK);
        if (m->outcome == MO_SWEEP_REACHED && q->outcome == MO_SWEEP_REACHED) {
            assert_close(distance(m->n, x, y), 0, 1e-8);
            compared++;
        }
        for (size_t i = 0; i < c.discs; i++)
            for (size_t j = i + 1; j < c.discs; j++)
                assert_true(gap_of(&c, x, i, j) >= -1e-13);
        moving_destroy(m);
        moving_destroy(q);
    }
    assert_true(compared >= 35);
}

// a row of small overlaps adds up to a long way for its last disc, into one that stood far beyond every
// overlap
static void far_neighbour(void **state)
{
    (void)state;
    enum { COUNT = 21, N = 2 * (COUNT + 1) };
    const double overlap = 0.002, d = 1 - overlap;
    double radius[COUNT + 1], z[N], x[N], mean = 0;
    for (size_t i = 0; i <= COUNT; i++) {
        radius[i] = 0.5;
        z[2 * i] = d * (double)i + (i == COUNT ? overlap + 5 * overlap : 0);
        z[2 * i + 1] = 0;
        mean += (z[2 * i] - (double)i) / (COUNT + 1);
    }
    mo_moving_set set = mo_moving_discs(COUNT + 1, radius, 0, NULL);
    moving *m = ready(&set);
    assert_int_equal(moving_project(m, z, NULL, x, NULL), MO_OK);
    assert_int_equal(m->outcome, MO_SWEEP_REACHED);
    // all touch in the end: x_i = i + c with the mean of z kept
    for (size_t i = 0; i <= COUNT; i++) {
        assert_close(x[2 * i], (double)i + mean, 1e-11);
        assert_close(x[2 * i + 1], 0, 1e-11);
    }
    moving_destroy(m);
}

// around the end of a wall the normal turns: a disc that is pushed past the end rolls over it
static void end_of_wall(void **state)
{
    (void)state;
    const double wall[4] = {0, 0, 1, 0}, radius = 0.5;
    double z[2] = {1.3, 0.2}, x[2];
    mo_moving_set set = mo_moving_discs(1, &radius, 1, wall);
    moving *m = ready(&set);
    assert_int_equal(moving_project(m, z, NULL, x, NULL), MO_OK);
    double d = hypot(0.3, 0.2);
    assert_close(x[0], 1 + 0.5 * 0.3 / d, 1e-14);
    assert_close(x[1], 0.5 * 0.2 / d, 1e-14);
    // beside it, on either side
    for (int side = -1; side <= 1; side += 2) {
        double beside[2] = {0.4, side * 0.1};
        assert_int_equal(moving_project(m, beside, NULL, x, NULL), MO_OK);
        assert_close(x[0], 0.4, 1e-15);
        assert_close(x[1], side * 0.5, 1e-15);
    }
    moving_destroy(m);
}

// centres in one place, or on a wall: no direction is the right one
static void no_direction(void **state)
{
    (void)state;
    const double radius[2] = {0.5, 0.5}, wall[4] = {-1, 0, 1, 0}, same[4] = {0.3, 2, 0.3, 2},
                 on[4] = {0.3, 0, 5, 5};
    mo_moving_set set = mo_moving_discs(2, radius, 1, wall);
    const double *starts[] = {same, on};
    for (size_t k = 0; k < 2; k++) {
        mo_sweep_def def = define(&set, starts[k], 0.1, MO_SWEEP_CATCHING_UP);
        mo_sweep *p = create(&def);
        step(p);
        assert_int_equal(mo_sweep_info_get(p)->outcome, MO_SWEEP_NO_GRADIENT);
        mo_sweep_destroy(p);
    }
}

// discs and their walls carried by a translation: the picture moves along, and the contacts with it
static void carried(void **state)
{
    (void)state;
    const double radius[2] = {0.5, 0.5}, wall[8] = {0, -5, 0, 5, 2.2, -5, 2.2, 5}, x[4] = {0.6, 0, 1.65, 0.1},
                 zero[4] = {0, 0, 0, 0}, rate[4] = {0.5, 0, 0.5, 0};
    mo_moving_set room = mo_moving_discs(2, radius, 2, wall);
    straight s = {4, zero, rate};
    mo_moving_set set = mo_moving_translate(&room, along(&s));
    mo_sweep_def def = define(&set, x, 0.01, MO_SWEEP_CATCHING_UP);
    mo_sweep *p = create(&def);
    for (int k = 1; k <= 400; k++) {
        good_step(p);
        // inside the room at x = t / 2 ... t / 2 + 2.2
        assert_true(mo_sweep_x(p)[0] >= 0.5 * k * 0.01 + 0.5 - 1e-12);
        assert_true(mo_sweep_info_get(p)->violation <= 1e-13);
    }
    // the left wall drags the left disc, which has pushed the right one aside or along
    assert_close(mo_sweep_x(p)[0], 0.5 * 4 + 0.5, 1e-11);
    size_t count;
    const mo_sweep_hold *holds = mo_sweep_holds(p, &count);
    assert_true(count >= 1 && holds[0].first == 0);
    mo_sweep_destroy(p);
}

// discs in a box that shrinks and a ball that moves, all in one intersection: names and multipliers of each
static void together(void **state)
{
    (void)state;
    enum { COUNT = 4, N = 2 * COUNT };
    const double radius[COUNT] = {0.3, 0.3, 0.3, 0.3}, x[N] = {-1, 0, 0, 0.05, 1, 0, 0.4, 1}, zero[N] = {0},
                 far = 20, from[N] = {1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2},
                 rate[N] = {-0.5, -0.5, -0.5, -0.5, -0.5, -0.5, -0.5, -0.5};
    straight s = {N, from, rate};
    mo_moving_set parts[3] = {mo_moving_box(N, constant(zero), along(&s)),
                              mo_moving_discs(COUNT, radius, 0, NULL),
                              mo_moving_ball(N, constant(zero), constant(&far))};
    mo_moving_set set = mo_moving_intersection(3, parts);
    assert_int_equal(mo_moving_set_multipliers(&set), 2 * N + COUNT + 1);
    mo_sweep_def def = define(&set, x, 0.01, MO_SWEEP_CATCHING_UP);
    mo_sweep *p = create(&def);
    // centres stay within a box of half-width 1.2 - t / 2
    for (int k = 1; k <= 160; k++) {
        good_step(p);
        const double *u = mo_sweep_x(p), *lambda = mo_sweep_lambda(p);
        double half = 1.2 - 0.5 * 0.01 * k, sum[COUNT] = {0};
        for (size_t j = 0; j < N; j++)
            assert_true(fabs(u[j]) <= half + 1e-13);
        for (size_t i = 0; i < COUNT; i++)
            for (size_t j = i + 1; j < COUNT; j++)
                assert_true(distance(2, u + 2 * i, u + 2 * j) >= 0.6 - 1e-13);
        size_t count;
        const mo_sweep_hold *holds = mo_sweep_holds(p, &count);
        for (size_t h = 0; h < count; h++) {
            if (holds[h].second == SIZE_MAX) {
                assert_true(lambda[holds[h].first] == holds[h].lambda);
                continue;
            }
            assert_true(holds[h].first >= 2 * N && holds[h].second < 2 * N + COUNT);
            sum[holds[h].first - 2 * N] += holds[h].lambda;
            sum[holds[h].second - 2 * N] += holds[h].lambda;
        }
        for (size_t i = 0; i < COUNT; i++)
            assert_close(lambda[2 * N + i], sum[i], 1e-12);
    }
    assert_true(mo_sweep_info_get(p)->active >= 4);
    mo_sweep_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours),        cmocka_unit_test(gaps_and_gradients),
        cmocka_unit_test(row_against_wall),  cmocka_unit_test(buckling),
        cmocka_unit_test(against_all_pairs), cmocka_unit_test(end_of_wall),
        cmocka_unit_test(far_neighbour),     cmocka_unit_test(no_direction),
        cmocka_unit_test(carried),           cmocka_unit_test(together)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
