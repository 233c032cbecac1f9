/*
 * Support functions, normal cones and dissipation functions of every kind of set, by what defines them: the
 * support function bounds v.w over the set and is attained at prox; the tangent part of v is the derivative
 * of t -> prox(x + t v) at 0, an oracle that knows nothing of normal cones.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "convex/catalogue.h"
#include "convex/one_workspace.h"
#include "support/close.h"

static void prox(const mo_set *set, const double *z, double *x)
{
    assert_int_equal(mo_set_prox(set, z, x, workspace, NULL, NULL), MO_OK);
}

static double support(const mo_set *set, const double *v, double tol)
{
    double value = NAN;
    assert_int_equal(mo_set_support(set, v, tol, &value, workspace, NULL, NULL), MO_OK);
    return value;
}

static double normal_distance(const mo_set *set, const double *x, const double *v, double tol)
{
    double d = NAN;
    mo_set_info info;
    assert_int_equal(mo_set_normal_distance(set, x, v, tol, &d, workspace, &info, NULL), MO_OK);
    assert_true(info.converged);
    return d;
}

static void draw(size_t n, rng *r, double *z)
{
    for (size_t j = 0; j < n; j++)
        z[j] = 2 * spread(r);
}

// v = z - prox(z) is normal at prox(z), so that the support function is attained there
static void attained_at_prox(void **state)
{
    (void)state;
    entry all[CATALOGUE_MAX];
    size_t count = catalogue(all);
    rng r = rng_seed(41, 1);
    for (size_t i = 0; i < count; i++) {
        const mo_set *s = &all[i].set;
        bool curved = all[i].precision > 1e-10;
        for (int k = 0; k < (curved ? 30 : 200); k++) {
            double z[DIM_MAX], x[DIM_MAX], v[DIM_MAX], w[DIM_MAX];
            draw(s->dim, &r, z);
            prox(s, z, x);
            for (size_t j = 0; j < s->dim; j++)
                v[j] = z[j] - x[j];
            double tol = curved ? 1e-6 : 1e-11, value = support(s, v, 1e-9);
            if (fabs(value - dot(s->dim, v, x)) > tol * 10)
                print_error("%s: z = (%.17g, %.17g)\n", all[i].name, z[0], z[1]);
            assert_close(value, dot(s->dim, v, x), 10 * tol);
            assert_close(normal_distance(s, x, v, curved ? 1e-4 : 1e-9), 0, curved ? 1e-3 : 1e-11);
            draw(s->dim, &r, w);
            prox(s, w, w);
            assert_true(dot(s->dim, v, w) <= value + 10 * tol);
        }
    }
}

// any direction: a bound over the set, infinite exactly where points of the set go to infinity
static void support_bounds(void **state)
{
    (void)state;
    entry all[CATALOGUE_MAX];
    size_t count = catalogue(all), infinite = 0, finite = 0;
    rng r = rng_seed(42, 1);
    for (size_t i = 0; i < count; i++) {
        const mo_set *s = &all[i].set;
        for (int k = 0; k < 30; k++) {
            double v[DIM_MAX], far[DIM_MAX], w[DIM_MAX];
            draw(s->dim, &r, v);
            double value = support(s, v, 1e-9);
            for (size_t j = 0; j < s->dim; j++)
                far[j] = 1e7 * v[j];
            if (all[i].precision > 1e-10)
                continue;
            prox(s, far, w);
            double reached = dot(s->dim, v, w);
            if (value == HUGE_VAL) {
                // ten times as far out v.w is ten times as large, up to what the set's shape near 0 adds
                for (size_t j = 0; j < s->dim; j++)
                    far[j] *= 10;
                prox(s, far, w);
                assert_close(dot(s->dim, v, w) / reached, 10, 0.5);
                infinite++;
                continue;
            }
            // short of the maximum by 1e-7 at most on the curved ones; rounding of 1e7 v is 1e-8
            assert_close(reached, value, 1e-5);
            assert_true(reached <= value + 1e-7);
            finite++;
        }
    }
    assert_true(infinite > 100 && finite > 100);
}

// |d/dt prox(x + t v)| at t = 0 is the distance of v to the normal cone
static void derivative_of_prox(void **state)
{
    (void)state;
    entry all[CATALOGUE_MAX];
    size_t count = catalogue(all), proper = 0;
    rng r = rng_seed(43, 1);
    const double t = 1e-6;
    for (size_t i = 0; i < count; i++) {
        const mo_set *s = &all[i].set;
        if (all[i].precision > 1e-10)
            continue;
        for (int k = 0; k < 200; k++) {
            double x[DIM_MAX], v[DIM_MAX], y[DIM_MAX], square = 0, size;
            draw(s->dim, &r, x);
            prox(s, x, x);
            draw(s->dim, &r, v);
            for (size_t j = 0; j < s->dim; j++)
                y[j] = x[j] + t * v[j];
            prox(s, y, y);
            for (size_t j = 0; j < s->dim; j++)
                square += (y[j] - x[j]) * (y[j] - x[j]);
            size = sqrt(dot(s->dim, v, v));
            double d = normal_distance(s, x, v, 1e-9);
            // points nearer than t to another face, or to the apex, see it: rare, and larger curvature there
            if (fabs(d - sqrt(square) / t) > 1e-3 * size)
                print_error("%s: %g, not %g\n", all[i].name, d, sqrt(square) / t);
            assert_close(d, sqrt(square) / t, 1e-3 * size);
            proper += d > 1e-3 && d < 0.999 * size;
        }
    }
    assert_true(proper > 1000);
}

// in the interior only 0 is normal; outside there is no normal cone; at an apex the polar
static void special_points(void **state)
{
    (void)state;
    const double inside[3] = {2, 0.1, 0.1}, outside[3] = {-1, 0, 0}, apex[3] = {0, 0, 0}, v[3] = {-3, 4, 0};
    const mo_set cone = mo_set_coulomb(3, 0.5, MO_CONE_SELF), mine = mo_set_elliptic(0.5, 0.5, MO_CONE_SELF);
    const mo_set both[2] = {cone, mine};
    for (int k = 0; k < 2; k++) {
        assert_close(normal_distance(&both[k], inside, v, 1e-9), 5, 1e-14);
        assert_true(normal_distance(&both[k], outside, v, 1e-9) == HUGE_VAL);
        // (-3, 4, 0) is in the polar; the part of (-1, 4, 0) in the cone is along (1, 0.5, 0)
        assert_close(normal_distance(&both[k], apex, v, 1e-9), 0, 1e-14);
        assert_close(normal_distance(&both[k], apex, (double[3]){-1, 4, 0}, 1e-9), 1 / sqrt(1.25), 1e-14);
    }
    // within the tolerance of the border counts as on it
    const double near[3] = {1, 0.5 - 1e-4, 0}, out[3] = {-0.5, 1, 0};
    assert_close(normal_distance(&cone, near, out, 1e-3), 0, 1e-14);
    assert_close(normal_distance(&cone, near, out, 1e-5), sqrt(1.25), 1e-14);
}

// normal cones of polars: of rows, of products, of the cones with sides, twice
static void polars(void **state)
{
    (void)state;
    const mo_set factors[2] = {mo_set_coulomb(3, 0.6, MO_CONE_DUAL), ROWS_CONE[0]};
    const mo_set product = mo_set_product(2, factors), mirrored = mo_set_scaled(ROWS_CONE, -2);
    const mo_set once = mo_set_polar(ROWS_CONE), elliptic = mo_set_elliptic(0.4, 2, MO_CONE_SELF);
    const mo_set all[] = {mo_set_polar(&product),   mo_set_polar(&mirrored), once,
                          mo_set_polar(&once),      mo_set_polar(&elliptic), mo_set_polar(&factors[0]),
                          mo_set_polar(&factors[1])};
    rng r = rng_seed(44, 1);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        for (int k = 0; k < 200; k++) {
            size_t n = all[i].dim;
            double x[DIM_MAX], v[DIM_MAX], y[DIM_MAX], square = 0;
            draw(n, &r, x);
            prox(&all[i], x, x);
            draw(n, &r, v);
            for (size_t j = 0; j < n; j++)
                y[j] = x[j] + 1e-6 * v[j];
            prox(&all[i], y, y);
            for (size_t j = 0; j < n; j++)
                square += (y[j] - x[j]) * (y[j] - x[j]);
            assert_close(normal_distance(&all[i], x, v, 1e-9), 1e6 * sqrt(square), 1e-3);
        }
}

// phi_1(T) = sup {-S.T : (1, S) in the cone} (M05 41)
static void dissipation(void **state)
{
    (void)state;
    const double pyramid[12] = {0.5, 1, 0, 0.5, -1, 0, 0.25, 0, 1, 0.25, 0, -1};
    const mo_set coulomb = mo_set_coulomb(3, 0.3, MO_CONE_SELF), plane = mo_set_coulomb(2, 0.3, MO_CONE_SELF);
    const mo_set elliptic = mo_set_elliptic(0.5, 0.25, MO_CONE_SELF),
                 rows = mo_set_polyhedron(3, 4, pyramid, NULL);
    const mo_set inner = mo_set_polyhedron(2, 1, (double[2]){0.3, -1}, NULL), ball = mo_set_ball(3, NULL, 1);
    rng r = rng_seed(45, 1);
    for (int k = 0; k < 100; k++) {
        double T[2] = {spread(&r), spread(&r)}, phi, length = hypot(T[0], T[1]);
        assert_int_equal(mo_cone_dissipation(&coulomb, T, &phi, workspace, NULL), MO_OK);
        assert_close(phi, 0.3 * length, 1e-15);
        assert_int_equal(mo_cone_dissipation(&elliptic, T, &phi, workspace, NULL), MO_OK);
        assert_close(phi, hypot(0.5 * T[0], 0.25 * T[1]), 1e-15);
        assert_int_equal(mo_cone_dissipation(&rows, T, &phi, workspace, NULL), MO_OK);
        assert_close(phi, 0.5 * fabs(T[0]) + 0.25 * fabs(T[1]), 1e-13);
        assert_int_equal(mo_cone_dissipation(&plane, T, &phi, workspace, NULL), MO_OK);
        assert_close(phi, 0.3 * fabs(T[0]), 1e-13);
        // S <= 0.3 alone: braked in one direction, without bound in the other
        assert_int_equal(mo_cone_dissipation(&inner, T, &phi, workspace, NULL), MO_OK);
        if (T[0] > 0)
            assert_true(phi == HUGE_VAL);
        else
            assert_close(phi, -0.3 * T[0], 1e-13);
        assert_int_equal(mo_cone_dissipation(&ball, T, &phi, workspace, NULL), MO_BAD_INPUT);
    }
}

static void emptiness_and_refusal(void **state)
{
    (void)state;
    const double rows[4] = {1, 1, -1, -1}, rhs[2] = {1, 0}, v[2] = {1, 0}, bad[2] = {NAN, 0};
    const mo_set none = mo_set_polyhedron(2, 2, rows, rhs);
    double value = 7;
    assert_true(support(&none, v, 1e-9) == -HUGE_VAL);
    assert_int_equal(mo_set_support(&none, bad, 1e-9, &value, workspace, NULL, NULL), MO_BAD_INPUT);
    assert_int_equal(mo_set_support(&none, v, -1, &value, workspace, NULL, NULL), MO_BAD_INPUT);
    assert_int_equal(mo_set_normal_distance(&none, v, bad, 0, &value, workspace, NULL, NULL), MO_BAD_INPUT);
    assert_true(value == 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attained_at_prox),
        cmocka_unit_test(support_bounds),
        cmocka_unit_test(derivative_of_prox),
        cmocka_unit_test(special_points),
        cmocka_unit_test(polars),
        cmocka_unit_test(dissipation),
        cmocka_unit_test(emptiness_and_refusal),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
