/* What the benchmarks are to find where theory says it. */
#include "bench_support.h"

static bench_table run(const char *name)
{
    bench_table t;
    mo_error err = {0};
    if (bench_run(situation_of(name), false, &t, &err) != MO_OK)
        fail_msg("%s: %s", name, err.message);
    return t;
}

static const bench_fit *fit_of(const bench_table *t, mo_system_scheme scheme)
{
    for (size_t k = 0; k < t->fit_count; k++)
        if (t->fits[k].scheme == scheme)
            return &t->fits[k];
    fail_msg("no scheme %d", (int)scheme);
    return NULL;
}

static void check_orders(const bench_table *t, mo_system_scheme scheme, double position, double velocity)
{
    const bench_fit *fit = fit_of(t, scheme);
    assert_close(fit->order[0], position, 0.1);
    assert_close(fit->order[1], velocity, 0.1);
}

// P01 6: at most of order one; bernicot-lefebvre is not consistent with e > 0
static void test_single_impact(void **state)
{
    (void)state;
    bench_table t = run("single-impact");
    for (int scheme = 0; scheme <= MO_SYSTEM_SCHEME_MABROUK; scheme++)
        check_orders(&t, (mo_system_scheme)scheme, 1, 1);
    check_orders(&t, MO_SYSTEM_SCHEME_ALPHA, 1, 1);
    check_orders(&t, MO_SYSTEM_SCHEME_BERNICOT_LEFEBVRE, 0, 0);
    const bench_fit *exact = fit_of(&t, MO_SYSTEM_SCHEME_EVENT_DRIVEN);
    assert_true(exact->exact[0] && exact->exact[1]);
    // P01 3(a): the impact time is wrong by less than h, the position by less than (1 + e) h; never inside by
    // more than the way of one step
    for (size_t k = 0; k < t.row_count; k++)
        if (t.rows[k].scheme <= MO_SYSTEM_SCHEME_MABROUK) {
            assert_true(t.rows[k].values[0] < 1.3 * t.rows[k].h);
            assert_true(t.rows[k].values[3] <= t.rows[k].h);
            assert_close(t.rows[k].values[2], 0, 1e-14);
        }
    bench_table_free(&t);
}

// an error of order p in position makes an impact of order p / 2 in velocity: mabrouk is left with 1/2, the
// schemes of order two whose positions stay inside or meet no impact keep theirs
static void test_grazing(void **state)
{
    (void)state;
    bench_table t = run("grazing");
    check_orders(&t, MO_SYSTEM_SCHEME_MABROUK, 0.5, 0.5);
    check_orders(&t, MO_SYSTEM_SCHEME_PAOLI_SCHATZMAN, 2, 1);
    check_orders(&t, MO_SYSTEM_SCHEME_ALPHA, 2, 2);
    assert_true(fit_of(&t, MO_SYSTEM_SCHEME_EVENT_DRIVEN)->exact[0]);
    bench_table_free(&t);
}

// P01 5: at 90 degrees the motion is continuous in the start, at 60 and 120 it is not, whatever the step
static void check_beside(const char *name, double expected)
{
    bench_table t = run(name);
    assert_int_equal(t.column_count, 6);
    assert_string_equal(t.columns[5], "beside");
    for (size_t k = 0; k < t.row_count; k++) {
        const bench_row *row = &t.rows[k];
        if (row->scheme == MO_SYSTEM_SCHEME_EVENT_DRIVEN)
            assert_close(row->values[5], 0, 1e-12);
        if (row->scheme == MO_SYSTEM_SCHEME_MOREAU)
            assert_close(row->values[5], expected, 1e-12);
        if (row->scheme == MO_SYSTEM_SCHEME_MOREAU || row->scheme == MO_SYSTEM_SCHEME_EVENT_DRIVEN)
            assert_close(row->values[4], 0, 1e-12);
    }
    bench_table_free(&t);
}

static void test_corners(void **state)
{
    (void)state;
    const double degree = 3.14159265358979323846 / 180;
    // ways out 20 and 40 degrees apart
    check_beside("corner-60", 2 * sin(10 * degree));
    check_beside("corner-90", 0);
    check_beside("corner-120", 2 * sin(20 * degree));
}

// the same numbers every time but for the time used; friction only where there is some
static void test_tables(void **state)
{
    (void)state;
    bench_table a = run("rocking-block"), b = run("rocking-block");
    assert_int_equal(a.fit_count, 2);
    assert_int_equal(a.row_count, b.row_count);
    for (size_t k = 0; k < a.row_count; k++) {
        assert_memory_equal(a.rows[k].values, b.rows[k].values, sizeof a.rows[k].values);
        assert_int_equal(a.rows[k].forces, b.rows[k].forces);
        assert_true(a.rows[k].forces > 0 && a.rows[k].solves > 0 && a.rows[k].seconds > 0);
    }
    check_orders(&a, MO_SYSTEM_SCHEME_MOREAU, 0.9, 1);
    bench_table_free(&a);
    bench_table_free(&b);
}

static void test_names(void **state)
{
    (void)state;
    assert_null(bench_find("no-such"));
    for (size_t k = 0; bench_situations[k] != NULL; k++) {
        const bench_situation *s = bench_situations[k];
        assert_ptr_equal(bench_find(s->name), s);
        assert_true(s->rungs <= BENCH_RUNGS && s->quick_rungs <= s->rungs && s->quick_rungs > 0);
        assert_true(strlen(s->title) > 0 && strlen(s->about) > 0 && strlen(s->lesson) > 0);
        bench_problem *p = make_problem(s->name, 0, s->steps << (s->rungs - 1));
        assert_true(p->def.n <= BENCH_N && p->def.gaps <= BENCH_GAPS);
        free(p);
    }
}

static void test_order(void **state)
{
    (void)state;
    double h[4], error[4];
    for (int k = 0; k < 4; k++) {
        h[k] = pow(0.5, k);
        error[k] = 3 * pow(h[k], 1.5);
    }
    assert_close(bench_order(4, h, error), 1.5, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single_impact), cmocka_unit_test(test_grazing), cmocka_unit_test(test_corners),
        cmocka_unit_test(test_tables),        cmocka_unit_test(test_names),   cmocka_unit_test(test_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
