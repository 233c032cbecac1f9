/* Moving sets: what is refused, values against formulas, derivatives against differences. */
#include <stdio.h>
#include <string.h>

#include "sweep/internal.h"
#include "sweep/parts.h"

static void refused(const mo_moving_set *set, const char *key, const char *words)
{
    mo_error err = {0};
    assert_int_equal(mo_moving_set_check(set, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, key);
    assert_non_null(strstr(err.message, words));
    // the process says the same
    mo_sweep *p = NULL;
    double x[64] = {0};
    mo_sweep_def def = define(set, x, 0.1, MO_SWEEP_CATCHING_UP);
    assert_int_equal(mo_sweep_create(&def, &p, &err), MO_BAD_INPUT);
    assert_null(p);
}

static void bad_sets(void **state)
{
    (void)state;
    const double zero[3] = {0, 0, 0}, bad[3] = {0, HUGE_VAL, 0}, negative[3] = {1, -1, 1}, minus = -1,
                 radii[2] = {1, 0};
    mo_moving_set set = mo_moving_ball(0, constant(zero), constant(zero));
    refused(&set, "dim", "0 unknowns");
    set = mo_moving_ball(3, constant(bad), constant(zero));
    refused(&set, "centre", "number 2 of 3 is inf");
    set = mo_moving_ball(3, constant(zero), constant(&minus));
    refused(&set, "radius", "-1");
    set = mo_moving_box(3, constant(zero), constant(negative));
    refused(&set, "radius", "number 2 of 3");
    set = mo_moving_polyhedron(3, 0, constant(zero), constant(zero));
    refused(&set, "rows", "0 gaps");
    set = mo_moving_polyhedron(3, 1, constant(bad), constant(zero));
    refused(&set, "a", "number 2");
    set = mo_moving_gaps(3, 2, NULL, NULL);
    refused(&set, "gaps", "no function");
    set = mo_moving_discs(2, radii, 0, NULL);
    refused(&set, "radius", "disc 2 has radius 0");
    set.dim = 3;
    refused(&set, "dim", "2 for each");
    set = mo_moving_discs(1, radii, 1, NULL);
    refused(&set, "walls", "expected 1");
    set = mo_moving_intersection(0, NULL);
    refused(&set, "dim", "0 unknowns");
    mo_moving_set parts[2] = {mo_moving_ball(2, constant(zero), constant(zero)),
                              mo_moving_ball(3, constant(zero), constant(zero))};
    set = mo_moving_intersection(2, parts);
    refused(&set, "dim", "set 2 has 3 unknowns, expected 2");
    set = mo_moving_translate(&parts[1], constant(bad));
    refused(&set, "by", "number 2");
    mo_set ball = mo_set_ball(2, zero, 1);
    parts[1] = mo_moving_convex(&ball);
    set = mo_moving_intersection(2, parts);
    refused(&set, "convex", "intersection");
    set = (mo_moving_set){.kind = (mo_moving_kind)77, .dim = 2};
    refused(&set, "kind", "77");
    // too deep, and a set inside itself
    mo_moving_set nest[MOVING_DEPTH + 1];
    nest[0] = mo_moving_ball(2, constant(zero), constant(zero));
    for (size_t k = 1; k <= MOVING_DEPTH; k++)
        nest[k] = mo_moving_translate(&nest[k - 1], constant(zero));
    refused(&nest[MOVING_DEPTH], "children", "deeper");
    assert_int_equal(mo_moving_set_check(&nest[MOVING_DEPTH - 2], NULL), MO_OK);
    set = mo_moving_translate(&set, constant(zero));
    set.dim = 2;
    set.children = &set;
    refused(&set, "children", "deeper");
}

static void bad_definitions(void **state)
{
    (void)state;
    const double zero[2] = {0, 0}, one = 1, x[2] = {0, 0}, bad[2] = {0, HUGE_VAL};
    mo_moving_set set = mo_moving_ball(2, constant(zero), constant(&one));
    mo_set ball = mo_set_ball(2, zero, 1);
    mo_moving_set convex = mo_moving_convex(&ball);
    mo_sweep_def good = define(&set, x, 0.1, MO_SWEEP_CATCHING_UP), def;
    struct {
        const char *key;
        size_t offset;
        double value;
    } numbers[] = {{"h", offsetof(mo_sweep_def, h), 0},
                   {"h", offsetof(mo_sweep_def, h), HUGE_VAL},
                   {"theta", offsetof(mo_sweep_def, theta), 0.4},
                   {"theta", offsetof(mo_sweep_def, theta), 1.1},
                   {"lambda", offsetof(mo_sweep_def, lambda), -1},
                   {"tol", offsetof(mo_sweep_def, tol), 0},
                   {"h", offsetof(mo_sweep_def, h), -1}};
    mo_sweep *p = NULL;
    mo_error err;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        def = good;
        memcpy((char *)&def + numbers[k].offset, &numbers[k].value, sizeof(double));
        assert_int_equal(mo_sweep_create(&def, &p, &err), MO_BAD_INPUT);
        assert_string_equal(err.key, numbers[k].key);
    }
    def = good;
    def.max_iter = 0;
    assert_int_equal(mo_sweep_create(&def, &p, &err), MO_BAD_INPUT);
    def = good;
    def.x = bad;
    assert_int_equal(mo_sweep_create(&def, &p, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "x");
    def = good;
    def.method = (mo_sweep_method)9;
    assert_int_equal(mo_sweep_create(&def, &p, &err), MO_BAD_INPUT);
    // no gaps, no lazy selector
    def = good;
    def.set = &convex;
    def.method = MO_SWEEP_LAZY;
    assert_int_equal(mo_sweep_create(&def, &p, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "method");
    assert_null(mo_sweep_method_name((mo_sweep_method)5));
    assert_string_equal(mo_sweep_method_name(MO_SWEEP_EVENT_DRIVEN), "event-driven");
    assert_string_equal(mo_event_type_name(MO_EVENT_ACCUMULATION), "accumulation");
    assert_null(mo_event_type_name((mo_event_type)99));
}

/* g = 1 - (x1 - t)^2 - x2^4, and a plane that turns */
static mo_status curved(void *data, double t, const double *x, double *g, double *gx, double *gt,
                        mo_error *err)
{
    (void)data, (void)err;
    g[0] = 1 - (x[0] - t) * (x[0] - t) - pow(x[1], 4);
    g[1] = cos(t) * x[0] + sin(t) * x[1] + 1;
    if (gx != NULL) {
        gx[0] = -2 * (x[0] - t);
        gx[1] = -4 * pow(x[1], 3);
        gx[2] = cos(t);
        gx[3] = sin(t);
    }
    if (gt != NULL) {
        gt[0] = 2 * (x[0] - t);
        gt[1] = -sin(t) * x[0] + cos(t) * x[1];
    }
    return MO_OK;
}

// every kind at once, nested in translations: gradients and derivatives by t against differences
static void derivatives(void **state)
{
    (void)state;
    const double size[6] = {0.3, 0.5, 0.2, 0.7, 0.4, 0.6}, phase[6] = {0, 1, 2, 3, 4, 5};
    waves two = {2, 1.1, size, phase}, one = {1, 0.7, size + 2, phase + 2}, six = {6, 0.9, size, phase},
          three = {3, 1.3, size, phase};
    mo_moving_set leaves[4] = {
        mo_moving_ball(2, waving(&two), waving(&one)), mo_moving_box(2, waving(&two), waving(&two)),
        mo_moving_polyhedron(2, 3, waving(&six), waving(&three)), mo_moving_gaps(2, 2, curved, NULL)};
    mo_moving_set moved = mo_moving_translate(&leaves[2], waving(&two));
    mo_moving_set inner[3] = {leaves[0], moved, leaves[3]};
    mo_moving_set lens = mo_moving_intersection(3, inner);
    mo_moving_set again = mo_moving_translate(&lens, waving(&two));
    mo_moving_set outer[2] = {leaves[1], again};
    mo_moving_set set = mo_moving_intersection(2, outer);
    enum { GAPS = 4 + 1 + 3 + 2 };
    assert_int_equal(mo_moving_set_multipliers(&set), GAPS);
    moving *m;
    assert_int_equal(moving_create(&set, &m, NULL), MO_OK);
    rng r = rng_seed(51, 1);
    for (int trial = 0; trial < 200; trial++) {
        double t = 5 * rng_uniform(&r), x[2] = {2 * spread(&r), 2 * spread(&r)}, d = 1e-5;
        double plus[GAPS], minus[GAPS], here[GAPS];
        assert_int_equal(moving_set_time(m, t, true, NULL), MO_OK);
        assert_int_equal(moving_linearise(m, x, HUGE_VAL, NULL), MO_OK);
        assert_int_equal(m->rows.count, GAPS);
        assert_int_equal(mo_moving_set_gaps(&set, t, x, here, NULL), MO_OK);
        assert_int_equal(mo_moving_set_gaps(&set, t + d, x, plus, NULL), MO_OK);
        assert_int_equal(mo_moving_set_gaps(&set, t - d, x, minus, NULL), MO_OK);
        for (size_t k = 0; k < GAPS; k++) {
            assert_int_equal(m->rows.first[k], k);
            assert_close(m->rows.g[k], here[k], 1e-14);
            assert_close(m->rows.gt[k], (plus[k] - minus[k]) / (2 * d), 1e-7);
        }
        for (size_t j = 0; j < 2; j++) {
            double y[2] = {x[0], x[1]}, unit[2] = {j == 0, j == 1};
            y[j] = x[j] + d;
            assert_int_equal(mo_moving_set_gaps(&set, t, y, plus, NULL), MO_OK);
            y[j] = x[j] - d;
            assert_int_equal(mo_moving_set_gaps(&set, t, y, minus, NULL), MO_OK);
            for (size_t k = 0; k < GAPS; k++)
                assert_close(row_dot(&m->rows, 2, k, unit), (plus[k] - minus[k]) / (2 * d), 1e-7);
        }
    }
    moving_destroy(m);
}

// a convex set without gaps under a translation, against the same set with gaps
static void convex_sets(void **state)
{
    (void)state;
    const double rows[8] = {1, 0.2, -1, 0.3, 0.1, 1, 0.2, -1}, rhs[4] = {-1, -1, -1, -1}, size[2] = {2, 1},
                 phase[2] = {0, 1}, x[2] = {0.3, 0.9};
    waves w = {2, 1.5, size, phase};
    mo_set polygon = mo_set_polyhedron(2, 4, rows, rhs);
    mo_moving_set convex = mo_moving_convex(&polygon);
    mo_moving_set gaps = mo_moving_polyhedron(2, 4, constant(rows), constant(rhs));
    mo_moving_set first = mo_moving_translate(&convex, waving(&w)),
                  second = mo_moving_translate(&gaps, waving(&w));
    for (int method = MO_SWEEP_CATCHING_UP; method <= MO_SWEEP_PENALTY; method++) {
        mo_sweep_def def = define(&first, x, 0.02, (mo_sweep_method)method);
        mo_sweep *p = create(&def);
        def.set = &second;
        mo_sweep *q = create(&def);
        for (int k = 0; k < 300; k++) {
            good_step(p);
            good_step(q);
            assert_close(distance(2, mo_sweep_x(p), mo_sweep_x(q)), 0, 1e-12);
            assert_close(mo_sweep_info_get(p)->stationarity, 0, 1e-9);
            if (method == MO_SWEEP_CATCHING_UP)
                assert_close(mo_sweep_info_get(p)->violation, 0, 1e-14);
        }
        assert_true(mo_sweep_info_get(p)->path_length > 1);
        size_t count;
        mo_sweep_holds(p, &count);
        assert_int_equal(count, 0);
        mo_sweep_destroy(p);
        mo_sweep_destroy(q);
    }
}

// the start is not touched; one event with the distance, at t = 0
static void outside(void **state)
{
    (void)state;
    const double zero[2] = {0, 0}, one = 1, out[2] = {3, 4}, in[2] = {0.6, 0.8};
    mo_moving_set set = mo_moving_ball(2, constant(zero), constant(&one));
    mo_sweep_def def = define(&set, out, 0.1, MO_SWEEP_CATCHING_UP);
    mo_sweep *p = create(&def);
    assert_memory_equal(mo_sweep_x(p), out, sizeof out);
    good_step(p);
    mo_sweep_events e = mo_sweep_events_get(p);
    assert_int_equal(e.count, 2);
    assert_int_equal(e.items[0].type, MO_EVENT_OUTSIDE);
    assert_true(e.items[0].t == 0);
    assert_close(e.items[0].size, 4, 1e-14);
    assert_int_equal(e.items[1].type, MO_EVENT_CONTACT);
    assert_int_equal(e.items[1].gap_count, 1);
    assert_int_equal(e.gaps[e.items[1].gap_first], 0);
    good_step(p);
    e = mo_sweep_events_get(p);
    assert_int_equal(e.count, 1);
    assert_int_equal(e.items[0].type, MO_EVENT_RELEASE);
    assert_close(distance(2, mo_sweep_x(p), in), 0, 1e-15);
    mo_sweep_destroy(p);
    // on the border to rounding is inside
    def.x = in;
    p = create(&def);
    good_step(p);
    assert_int_equal(mo_sweep_events_get(p).count, 0);
    mo_sweep_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bad_sets), cmocka_unit_test(bad_definitions),
                                       cmocka_unit_test(derivatives), cmocka_unit_test(convex_sets),
                                       cmocka_unit_test(outside)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
