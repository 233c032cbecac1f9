/*
 * Nearest points of every kind of set: inside by an independent test, no point of the set nearer (the
 * variational inequality), idempotent, non-expansive; cones decompose (M99 (4)(5)); independent slow methods
 * agree.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "convex/catalogue.h"
#include "convex/one_workspace.h"
#include "support/close.h"

static double distance(size_t n, const double *a, const double *b)
{
    double s = 0;
    for (size_t i = 0; i < n; i++)
        s += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(s);
}

static void prox(const mo_set *set, const double *z, double *x)
{
    mo_set_info info;
    assert_int_equal(mo_set_prox(set, z, x, workspace, &info, NULL), MO_OK);
    assert_true(info.converged && !info.empty);
}

static void draw(size_t n, rng *r, double size, double *z)
{
    for (size_t j = 0; j < n; j++)
        z[j] = size * spread(r);
}

// x is in the set and (z - x).(w - x) <= 0 for points w of the set
static void check_nearest(const entry *e, rng *r, double size)
{
    size_t n = e->set.dim;
    double z[DIM_MAX], x[DIM_MAX], w[DIM_MAX], y[DIM_MAX], tol = e->precision * (1 + size);
    draw(n, r, size, z);
    prox(&e->set, z, x);
    assert_true(e->excess(x) <= 10 * tol);
    if (e->excess(z) > 100 * tol)
        assert_true(distance(n, x, z) > tol);
    for (int k = 0; k < 4; k++) {
        draw(n, r, 2 * size, w);
        prox(&e->set, w, y);
        double sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += (z[j] - x[j]) * (y[j] - x[j]);
        if (sum > 20 * tol * (1 + size))
            print_error("%s: %g at z = (%.17g, %.17g, ...)\n", e->name, sum, z[0], z[1]);
        assert_true(sum <= 20 * tol * (1 + size));
        assert_true(distance(n, x, y) <= distance(n, z, w) + 10 * tol);
    }
    prox(&e->set, x, y);
    assert_true(distance(n, x, y) <= 10 * tol);
}

static void every_set(void **state)
{
    (void)state;
    entry all[CATALOGUE_MAX];
    size_t count = catalogue(all);
    rng r = rng_seed(31, 1);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 500; k++)
            check_nearest(&all[i], &r, k % 10 ? 1.5 : all[i].precision < 1e-10 ? 100 : 5);
}

// z = x + y, x in K, y in the polar, x.y = 0; the polar as a set of its own
static void cones_decompose(void **state)
{
    (void)state;
    entry all[CATALOGUE_MAX];
    size_t count = catalogue(all), cones = 0;
    rng r = rng_seed(32, 1);
    for (size_t i = 0; i < count; i++) {
        const mo_set *cone = &all[i].set;
        if (!mo_set_is_cone(cone))
            continue;
        mo_set polar = mo_set_polar(cone);
        cones++;
        for (int k = 0; k < 300; k++) {
            double z[DIM_MAX], x[DIM_MAX], y[DIM_MAX], again[DIM_MAX];
            draw(cone->dim, &r, 1, z);
            prox(cone, z, x);
            prox(&polar, z, y);
            for (size_t j = 0; j < cone->dim; j++)
                assert_close(x[j] + y[j], z[j], 1e-15);
            assert_close(dot(cone->dim, x, y), 0, 1e-14);
            // y has nothing in the cone, x nothing in the polar
            prox(cone, y, again);
            assert_close(sqrt(dot(cone->dim, again, again)), 0, 1e-13);
            prox(&polar, x, again);
            assert_close(sqrt(dot(cone->dim, again, again)), 0, 1e-13);
        }
    }
    assert_int_equal(cones, 17);
}

// the polar and dual sides of cones, which have formulas of their own, against the decomposition
static void sides_agree(void **state)
{
    (void)state;
    const double mu[] = {0, 1e-9, 0.4, 1, 7, 1e9};
    rng r = rng_seed(33, 1);
    for (int k = 0; k < 6000; k++) {
        mo_set self = mo_set_coulomb(4, mu[k % 6], MO_CONE_SELF),
               polar = mo_set_coulomb(4, mu[k % 6], MO_CONE_POLAR);
        mo_set dual = mo_set_coulomb(4, mu[k % 6], MO_CONE_DUAL);
        if (k % 2) {
            self = mo_set_elliptic(mu[k % 6], mu[k / 6 % 6], MO_CONE_SELF);
            dual = mo_set_elliptic(1 / mu[k % 6], 1 / mu[k / 6 % 6], MO_CONE_SELF);
            polar = mo_set_elliptic(mu[k % 6], mu[k / 6 % 6], MO_CONE_POLAR);
            if (mu[k % 6] == 0 || mu[k / 6 % 6] == 0)
                continue;
        }
        double z[4], minus[4], x[4], y[4], d[4];
        draw(4, &r, 1, z);
        for (int j = 0; j < 4; j++)
            minus[j] = -z[j];
        prox(&self, z, x);
        prox(&polar, z, y);
        prox(&dual, minus, d);
        for (size_t j = 0; j < self.dim; j++) {
            assert_close(x[j] + y[j], z[j], 1e-15);
            assert_close(y[j], -d[j], 4e-15);
        }
    }
}

// nearest point of the elliptic cone by a search over the angle of its section: each ray is a closed form
static double ray_distance(double a, double b, double angle, const double *z)
{
    double d[3] = {1, a * cos(angle), b * sin(angle)};
    double s = fmax(0, dot(3, d, z) / dot(3, d, d)), x[3] = {s * d[0], s * d[1], s * d[2]};
    return distance(3, x, z);
}

static void elliptic_by_search(void **state)
{
    (void)state;
    const double full = 6.283185307179586;
    rng r = rng_seed(34, 1);
    for (int k = 0; k < 300; k++) {
        double a = pow(10, 2 * spread(&r)), b = pow(10, 2 * spread(&r)), z[3], x[3], best = 0;
        draw(3, &r, 1, z);
        if (z[0] >= hypot(z[1] / a, z[2] / b))
            continue;
        for (int i = 1; i < 2000; i++)
            if (ray_distance(a, b, full * i / 2000, z) < ray_distance(a, b, full * best / 2000, z))
                best = i;
        double low = best - 1, high = best + 1;
        for (int i = 0; i < 100; i++) {
            double p = low + (high - low) / 3, q = high - (high - low) / 3;
            if (ray_distance(a, b, full * p / 2000, z) < ray_distance(a, b, full * q / 2000, z))
                high = q;
            else
                low = p;
        }
        mo_set set = mo_set_elliptic(a, b, MO_CONE_SELF);
        prox(&set, z, x);
        assert_close(distance(3, x, z), ray_distance(a, b, full * low / 2000, z), 1e-12);
    }
}

// ball and half-space: the nearest point in closed form
static void cap_in_closed_form(void **state)
{
    (void)state;
    const double axis[3] = {1, 0, 0};
    const mo_set members[2] = {mo_set_ball(3, NULL, 1), mo_set_halfspace(3, axis, 0.6)};
    mo_set cap = mo_set_intersection(2, members);
    // beyond the rim, whose radius is 0.8
    double z[3] = {0.2, 3, 4}, x[3];
    mo_set_info info;
    assert_int_equal(mo_set_prox(&cap, z, x, workspace, &info, NULL), MO_OK);
    assert_true(info.converged && info.iterations > 1);
    assert_close(x[0], 0.6, 1e-12);
    assert_close(x[1], 0.48, 1e-12);
    assert_close(x[2], 0.64, 1e-12);
    // nothing in common: reported, with the distance that is left
    const mo_set apart[2] = {mo_set_ball(3, NULL, 1), mo_set_halfspace(3, axis, 1.5)};
    mo_set nothing = mo_set_intersection(2, apart);
    assert_int_equal(mo_set_prox(&nothing, z, x, workspace, &info, NULL), MO_OK);
    assert_false(info.converged);
    assert_true(info.violation >= 0.4);
}

// Dykstra's rounds without any extrapolation, from the members' own nearest points
static void plain_rounds(size_t count, const mo_set *members, const double *z, double *x)
{
    double p[3][3] = {{0}}, y[3];
    memcpy(x, z, 3 * sizeof *x);
    for (int k = 0; k < 20000; k++) {
        double change = 0;
        for (size_t i = 0; i < count; i++) {
            for (int j = 0; j < 3; j++)
                y[j] = x[j] + p[i][j];
            prox(&members[i], y, x);
            for (int j = 0; j < 3; j++) {
                change = fmax(change, fabs(y[j] - x[j] - p[i][j]));
                p[i][j] = y[j] - x[j];
            }
        }
        if (change < 1e-15)
            return;
    }
}

// curved intersections: in few rounds, and where plain rounds lead
static void curved_intersections(void **state)
{
    (void)state;
    const double axis[3] = {0.3, 1, 0.2}, centre[3] = {0.9, 0.3, 0};
    const mo_set members[][3] = {
        {mo_set_ball(3, NULL, 1), mo_set_ball(3, centre, 1), mo_set_halfspace(3, axis, -0.1)},
        {mo_set_coulomb(3, 0.5, MO_CONE_SELF), mo_set_ball(3, NULL, 1), mo_set_halfspace(3, axis, 0.2)},
        {mo_set_cylinder(3, 0.5), mo_set_ball(3, centre, 1), mo_set_ball(3, NULL, 1)},
        {mo_set_coulomb(3, 0.5, MO_CONE_SELF), mo_set_elliptic(2, 0.1, MO_CONE_SELF),
         mo_set_ball(3, centre, 1)},
    };
    rng r = rng_seed(36, 1);
    int rounds = 0;
    for (int k = 0; k < 200; k++) {
        mo_set set = mo_set_intersection(3, members[k % 4]);
        double z[3], x[3], y[3];
        mo_set_info info;
        draw(3, &r, 3, z);
        assert_int_equal(mo_set_prox(&set, z, x, workspace, &info, NULL), MO_OK);
        assert_true(info.converged && info.violation <= 1e-12 && fabs(info.gap) <= 1e-11);
        rounds += info.iterations;
        plain_rounds(3, members[k % 4], z, y);
        assert_true(distance(3, x, y) <= 1e-9);
    }
    assert_true(rounds <= 200 * 30);
}

// a ball that fills its box from side to side, seen from far: the sides that touch it in one point never hold
// x = prox(ball, (z_1, z_2, max(z_3, 0))), and their part of z - x has to go again
static void tangent_members(void **state)
{
    (void)state;
    const double low[3] = {-1, -HUGE_VAL, 0}, high[3] = {1, 2, HUGE_VAL};
    const mo_set members[2] = {mo_set_ball(3, NULL, 1), mo_set_box(3, low, high)};
    const mo_set set = mo_set_intersection(2, members);
    rng r = rng_seed(37, 1);
    int rounds = 0;
    for (int k = 0; k < 400; k++) {
        double z[3], x[3], y[3];
        mo_set_info info;
        draw(3, &r, pow(10, k % 4), z);
        assert_int_equal(mo_set_prox(&set, z, x, workspace, &info, NULL), MO_OK);
        assert_true(info.converged);
        rounds += info.iterations;
        const double above[3] = {z[0], z[1], fmax(z[2], 0)};
        prox(&members[0], above, y);
        assert_true(distance(3, x, y) <= 1e-10 * (1 + sqrt(dot(3, z, z))));
    }
    assert_true(rounds <= 400 * 100);
}

static void empty_intersection(void **state)
{
    (void)state;
    const double up[2] = {1, 1}, down[2] = {-1, -1};
    const mo_set members[3] = {mo_set_halfspace(2, up, 1), mo_set_halfspace(2, down, 0),
                               mo_set_ball(2, NULL, 1)};
    for (size_t count = 2; count <= 3; count++) {
        mo_set set = mo_set_intersection(count, members);
        double z[2] = {0, 0}, x[2], far;
        mo_set_info info;
        bool inside = true;
        assert_int_equal(mo_set_prox(&set, z, x, workspace, &info, NULL), MO_OK);
        assert_true(info.empty && !info.converged);
        assert_int_equal(mo_set_distance(&set, z, &far, workspace, NULL, NULL), MO_OK);
        assert_true(far == HUGE_VAL);
        assert_int_equal(mo_set_contains(&set, z, 1, &inside, workspace, NULL), MO_OK);
        assert_false(inside);
    }
}

static void membership(void **state)
{
    (void)state;
    entry all[CATALOGUE_MAX];
    size_t count = catalogue(all);
    rng r = rng_seed(35, 1);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 200; k++) {
            double z[DIM_MAX], x[DIM_MAX], d;
            bool inside, far;
            draw(all[i].set.dim, &r, 2, z);
            prox(&all[i].set, z, x);
            assert_int_equal(mo_set_distance(&all[i].set, z, &d, workspace, NULL, NULL), MO_OK);
            assert_close(d, distance(all[i].set.dim, x, z), 1e-15);
            assert_int_equal(mo_set_contains(&all[i].set, x, 1e-7, &inside, workspace, NULL), MO_OK);
            assert_true(inside);
            assert_int_equal(mo_set_contains(&all[i].set, z, 0.999 * d, &far, workspace, NULL), MO_OK);
            assert_true(d < 1e-7 || !far);
        }
}

static void refused(void **state)
{
    (void)state;
    const double bad[3] = {0, NAN, 0}, zero[3] = {0, 0, 0}, low[3] = {0, 1, 0}, high[3] = {1, 0, 1};
    const mo_set ball = mo_set_ball(3, NULL, 1), flat = mo_set_ball(2, NULL, 1);
    const mo_set mixed[2] = {ball, flat};
    const mo_set wrong[] = {
        mo_set_halfspace(3, bad, 0),
        mo_set_halfspace(3, zero, 0),
        mo_set_halfspace(3, low, NAN),
        mo_set_ball(3, bad, 1),
        mo_set_ball(3, NULL, -1),
        mo_set_ball(3, NULL, NAN),
        mo_set_ball(0, NULL, 1),
        mo_set_box(3, low, high),
        mo_set_box(3, bad, high),
        mo_set_affine(3, 1, bad, NULL),
        mo_set_polyhedron(3, 1, low, bad + 1),
        mo_set_coulomb(1, 0.5, MO_CONE_SELF),
        mo_set_coulomb(3, -1, MO_CONE_SELF),
        mo_set_elliptic(NAN, 1, MO_CONE_SELF),
        mo_set_cylinder(3, HUGE_VAL),
        mo_set_disc(3, NAN, 1),
        mo_set_translate(&ball, bad),
        mo_set_scaled(&ball, 0),
        mo_set_product(0, NULL),
        mo_set_intersection(2, mixed),
        mo_set_polar(&ball),
    };
    double x[3] = {7, 7, 7};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        mo_error err = {.status = MO_OK};
        assert_int_equal(mo_set_prox(&wrong[i], zero, x, workspace, NULL, &err), MO_BAD_INPUT);
        assert_true(err.status == MO_BAD_INPUT && err.message[0] != 0 && err.key[0] != 0);
    }
    assert_int_equal(mo_set_prox(&ball, bad, x, workspace, NULL, NULL), MO_BAD_INPUT);
    assert_true(x[0] == 7 && x[1] == 7 && x[2] == 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set),
        cmocka_unit_test(cones_decompose),
        cmocka_unit_test(sides_agree),
        cmocka_unit_test(elliptic_by_search),
        cmocka_unit_test(cap_in_closed_form),
        cmocka_unit_test(empty_intersection),
        cmocka_unit_test(membership),
        cmocka_unit_test(refused),
        cmocka_unit_test(curved_intersections),
        cmocka_unit_test(tangent_members),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
