/*
 * Cells that deform: free flight, affine flow, closed forms of lattices under stress, work, and what must not
 * matter.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/rng.h"
#include "physics/cells.h"
#include "support/build.h"
#include "support/close.h"

enum { XX = 0, XY = 1, YY = 4, ZZ = 8 };

static mo_world *cell_world(double h, int dim, double lx, double ly, double lz, int threads)
{
    mo_world_def def = tight_def(h, 0);
    def.dim = dim;
    def.threads = threads;
    const double length[3] = {lx, ly, lz};
    for (int k = 0; k < dim; k++) {
        def.periodic[k] = true;
        def.cell_max[k] = length[k];
    }
    return make_world_def(&def);
}

/* whatever faces it crosses, a disc in simple shear flies straight on: v + L x is constant */
static void a_disc_flies_straight_through_shear(void **state)
{
    (void)state;
    mo_world *w = cell_world(1e-3, 2, 1, 1, 0, 1);
    mo_body b = add_ball(w, 0.2, 0.3, 0, 0.05);
    const double v[2] = {0.4, 1.7}, rate = 0.8, t = 2;
    set_velocity(w, b, v[0], v[1], 0);
    control(w, &(mo_cell_control){.rate = {[XY] = rate}});
    run_steps(w, 2000, true);
    mo_body_state s = state_of(w, b);
    assert_close(s.velocity[0], v[0] - t * rate * v[1], 1e-11);
    assert_close(s.velocity[1], v[1], 1e-12);
    // in the plane without a cell it is at x0 + (v + L x0) t
    double x = 0.2 + (v[0] + rate * 0.3) * t, y = 0.3 + v[1] * t;
    const double rows = floor(y);
    x -= rows * rate * t; // images above move on
    assert_close(s.position[0], x - floor(x), 1e-10);
    assert_close(s.position[1], y - rows, 1e-11);
    mo_cell c = mo_world_cell(w);
    assert_close(c.edges[1], rate * t - round(rate * t), 1e-11);
    assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-10);
    mo_world_destroy(w);
}

/* bodies that rest in a flow are carried along, and the cell grows by (1 + hL/2)/(1 - hL/2) a step */
static void a_flow_carries_bodies_along(void **state)
{
    (void)state;
    mo_world *w = cell_world(1e-2, 3, 1, 2, 3, 1);
    mo_body b = add_ball(w, 0.25, 0.5, 2.25, 0.1);
    control(w, &(mo_cell_control){.rate = {[XX] = -0.1, [YY] = 0.3, [ZZ] = 0.2}});
    run_steps(w, 100, true);
    mo_cell c = mo_world_cell(w);
    mo_body_state s = state_of(w, b);
    const double L[3] = {-0.1, 0.3, 0.2}, part[3] = {0.25, 0.25, 0.75};
    for (int k = 0; k < 3; k++) {
        double factor = pow((1 + 0.5e-2 * L[k]) / (1 - 0.5e-2 * L[k]), 100);
        assert_close(c.edges[4 * k], (k + 1) * factor, 1e-12);
        assert_close(factor, exp(L[k]), 1e-6);
        assert_close(s.position[k] / c.edges[4 * k], part[k], 1e-13);
        assert_close(s.velocity[k], 0, 1e-15);
    }
    assert_close(c.volume, 6 * exp(0.4), 1e-4);
    mo_world_destroy(w);
}

/* a triangular lattice bears an isotropic stress p with the mean force p d/sqrt 3, and does not move */
static void a_lattice_bears_a_stress(void **state)
{
    (void)state;
    const double d = 0.1, p = 700;
    const int n = 6;
    mo_world *w = cell_world(1e-3, 2, n * d, n * d * sqrt(0.75), 0, 1);
    set_law(w, 0.3, 0, 0);
    for (int i = 0; i < n * n; i++) {
        const int row = i / n;
        add_ball(w, d * (i % n + 0.5 * (row % 2) + 0.25), d * sqrt(0.75) * (row + 0.5), 0, d / 2);
    }
    control(w, &(mo_cell_control){.by_stress = {[XX] = true, [YY] = true}, .stress = {[XX] = p, [YY] = p}});
    run_steps(w, 5, true);
    const mo_contacts c = mo_world_contacts(w);
    double sum = 0, s[4];
    mo_error err;
    for (size_t i = 0; i < c.count; i++)
        sum += c.impulse[2 * i] / 1e-3;
    assert_int_equal(c.count, 3 * n * n);
    assert_close(sum / (3 * n * n), p * d / sqrt(3), 1e-6 * p * d);
    assert_int_equal(mo_measure_stress(w, NULL, s, &err), MO_OK);
    assert_close(s[0], p, 1e-6 * p);
    assert_close(s[3], p, 1e-6 * p);
    assert_close(mo_world_cell(w).rate[XX], 0, 1e-9);
    assert_close(mo_measure_kinetic_energy(w), 0, 1e-12);
    mo_world_destroy(w);
}

/* in a simple cubic lattice every row bears its stress times d^2, whatever the others bear */
static void a_cubic_lattice_bears_three_stresses(void **state)
{
    (void)state;
    const double d = 0.2;
    const int n = 3;
    mo_world *w = cell_world(1e-3, 3, n * d, n * d, n * d, 1);
    mo_cell_control c = {.by_stress = {[XX] = true, [YY] = true, [ZZ] = true},
                         .stress = {[XX] = 100, [YY] = 200, [ZZ] = 300}};
    for (int i = 0; i < n * n * n; i++) {
        const int row = i / n;
        add_ball(w, d * (i % n + 0.25), d * (row % n + 0.25), d * (i / (n * n) + 0.25), d / 2);
    }
    control(w, &c);
    run_steps(w, 3, true);
    const mo_contacts all = mo_world_contacts(w);
    double sum[3] = {0};
    for (size_t i = 0; i < all.count; i++)
        for (int k = 0; k < 3; k++)
            sum[k] += fabs(all.normal[3 * i + (size_t)k]) * all.impulse[3 * i] / 1e-3;
    assert_int_equal(all.count, 3 * n * n * n);
    for (int k = 0; k < 3; k++)
        assert_close(sum[k] / (n * n * n), 100 * (k + 1) * d * d, 1e-6);
    mo_world_destroy(w);
}

/* columns of rough discs in shear roll on each other: spin -rate, and no force stays */
static void columns_roll_in_shear(void **state)
{
    (void)state;
    const double d = 0.2, rate = 0.5, p = 1e3;
    mo_world *w = cell_world(1e-4, 2, 3 * d, 4 * d, 0, 1);
    set_law(w, 10, 0, 0);
    mo_body b[4];
    for (int i = 0; i < 4; i++)
        b[i] = add_ball(w, 1.5 * d, d * (i + 0.25), 0, d / 2);
    control(w, &(mo_cell_control){.rate = {[XY] = rate}, .by_stress = {[YY] = true}, .stress = {[YY] = p}});
    run_steps(w, 1, true);
    for (int i = 0; i < 4; i++) {
        // h/2 of the step has turned the columns a little
        assert_close(state_of(w, b[i]).spin, -rate, 1e-3 * rate);
        assert_close(state_of(w, b[i]).velocity[0], 0, 1e-12);
    }
    run_steps(w, 2, true);
    double s[4];
    mo_error err;
    assert_int_equal(mo_measure_stress(w, NULL, s, &err), MO_OK);
    assert_close(s[3], p, 0.02 * p);
    assert_close(s[1], 0, 0.02 * p);
    mo_world_destroy(w);
}

/* a loose packing that is sheared and compressed, from another place in the cell */
typedef struct sheared {
    double u[75], stress[4], edges[9], work, balance;
    uint64_t hash;
} sheared;

static void shear(double sx, double sy, int threads, bool stressed, sheared *out)
{
    mo_world *w = cell_world(1e-3, 2, 1, 1, 0, threads);
    rng r = rng_seed(11, 1);
    set_law(w, 0.4, 0.1, 0);
    for (int i = 0; i < 25; i++) {
        const int row = i / 5;
        mo_body b = i % 4 == 3 ? add_box(w, 0.2 * (i % 5) + sx, 0.2 * row + sy, 0.15, 0.14, 0.1 * i, 1000)
                               : add_ball(w, 0.2 * (i % 5) + sx, 0.2 * row + sy, 0, 0.095);
        set_velocity(w, b, 0.2 * rng_uniform(&r), 0.2 * rng_uniform(&r), 0);
    }
    mo_cell_control c = {.rate = {[XY] = 2, [XX] = -0.5}, .damping = 10};
    c.by_stress[YY] = stressed;
    c.stress[YY] = 500;
    c.rate[YY] = stressed ? 0 : -0.5;
    control(w, &c);
    run_steps(w, 40, true);
    mo_error err;
    const mo_world_info info = mo_world_info_get(w);
    memcpy(out->u, mo_world_bodies(w).u, sizeof out->u);
    memcpy(out->edges, mo_world_cell(w).edges, sizeof out->edges);
    assert_int_equal(mo_measure_stress(w, NULL, out->stress, &err), MO_OK);
    out->work = info.energy.work_external;
    out->balance = info.energy.balance_error;
    out->hash = mo_world_hash(w);
    assert_true(info.energy.dissipated_friction > 0);
    mo_world_destroy(w);
}

static void neither_place_nor_threads_matter(void **state)
{
    (void)state;
    for (int stressed = 0; stressed < 2; stressed++) {
        sheared plain, moved, threads;
        shear(0.11, 0.12, 1, stressed, &plain);
        shear(0.53, 0.91, 1, stressed, &moved);
        shear(0.11, 0.12, 2, stressed, &threads);
        for (int i = 0; i < 75; i++)
            assert_close(moved.u[i], plain.u[i], 1e-7);
        for (int i = 0; i < 9; i++)
            assert_close(moved.edges[i], plain.edges[i], 1e-9);
        assert_close(moved.work, plain.work, 1e-7 * fabs(plain.work));
        assert_close(plain.balance, 0, 1e-12 * fabs(plain.work));
        assert_int_equal(threads.hash, plain.hash);
    }
}

/* Love and Weber by hand: discs touch along their branch, whose length is that of both radii and the gap */
static void branches_of_discs(const mo_world *w, double r, double h, double volume, double out[4])
{
    const mo_contacts c = mo_world_contacts(w);
    memset(out, 0, 4 * sizeof *out);
    for (size_t i = 0; i < c.count; i++) {
        const double *n = &c.normal[2 * i], *S = &c.impulse[2 * i], l = 2 * r + c.gap[i];
        const double P[2] = {n[0] * S[0] - n[1] * S[1], n[1] * S[0] + n[0] * S[1]};
        for (int k = 0; k < 4; k++)
            out[k] += P[k / 2] * n[k % 2] * l / (h * volume);
    }
}

/* what is measured in a cell that deforms fast is what moved it: M ((1 + h damping) L_f - L_i) = h V
   (measured
   - stress), V in the middle of the step.  Both sides are sums over the same contacts, apart by rounding */
static void a_flowing_cell_measures_what_it_holds(void **state)
{
    (void)state;
    const double h = 1e-3, r = 0.095, p = 5e3, mass = 60, damping = 10, rate = 20;
    mo_world *w = cell_world(h, 2, 1, 1, 0, 1);
    set_law(w, 0.4, 0, 0);
    for (int i = 0; i < 25; i++)
        add_ball(w, 0.2 * (i % 5) + 0.11, 0.2 * (i / 5) + 0.12, 0, r);
    mo_cell_control c = {.rate = {[XY] = rate}};
    c.by_stress[XX] = c.by_stress[YY] = true;
    c.stress[XX] = c.stress[YY] = p;
    c.mass = mass;
    c.damping = damping;
    control(w, &c);
    double s[4], hand[4], largest = 0;
    mo_error err;
    for (int step = 0; step < 150; step++) {
        const mo_cell before = mo_world_cell(w);
        run_steps(w, 1, true);
        const mo_cell now = mo_world_cell(w);
        const double volume = now.volume / ((1 + 0.5 * h * now.rate[XX]) * (1 + 0.5 * h * now.rate[YY]));
        assert_int_equal(mo_measure_stress(w, NULL, s, &err), MO_OK);
        branches_of_discs(w, r, h, volume, hand);
        largest = fmax(largest, fmax(fabs(s[0]), fabs(s[3])));
        for (int k = 0; k < 4; k++)
            assert_close(s[k], hand[k], 1e-11 * (p + largest));
        for (int k = XX; k <= YY; k += YY) {
            const double held = p + mass * ((1 + h * damping) * now.rate[k] - before.rate[k]) / (h * volume);
            assert_close(s[k == XX ? 0 : 3], held, 1e-11 * (p + largest));
        }
    }
    assert_true(largest > p);
    mo_world_destroy(w);
}

/* the cell is a freedom like others: its inertia, and a decay, by hand for two discs that do not touch */
static void a_loaded_cell_accelerates(void **state)
{
    (void)state;
    mo_world *w = cell_world(1e-3, 2, 1, 2, 0, 1);
    add_ball(w, 0.5, 0.5, 0, 0.1);
    control(w,
            &(mo_cell_control){.by_stress = {[XX] = true}, .stress = {[XX] = 3}, .mass = 50, .damping = 4});
    double L = 0, lx = 1;
    for (int i = 0; i < 20; i++) {
        double mid = lx / (1 - 0.5e-3 * L);
        L = (L - 1e-3 * 3 * mid * 2 / 50) / (1 + 1e-3 * 4);
        lx = mid * (1 + 0.5e-3 * L);
    }
    run_steps(w, 20, true);
    assert_close(mo_world_cell(w).rate[XX], L, 1e-15);
    assert_close(mo_world_cell(w).edges[0], lx, 1e-14);
    mo_world_destroy(w);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    mo_world *w = cell_world(1e-3, 2, 1, 1, 0, 1);
    mo_error err;
    mo_cell_control c = {.rate = {[XX] = -1}};
    mo_body_def fixed = mo_default_body_def();
    mo_body out;
    fixed.shape = disc_shape(0.1);
    fixed.kind = MO_BODY_FIXED;
    control(w, &c);
    assert_int_equal(mo_body_create(w, &fixed, &out, &err), MO_BAD_INPUT);
    add_ball(w, 0.5, 0.5, 0, 0.2);
    c.mass = -1;
    assert_int_equal(mo_world_control_cell(w, &c, &err), MO_BAD_INPUT);
    c.mass = 0;
    c.rate[0] = (double)NAN;
    assert_int_equal(mo_world_control_cell(w, &c, &err), MO_BAD_INPUT);
    // it shrinks until the disc no longer fits
    mo_status s = MO_OK;
    for (int i = 0; i < 1000 && s == MO_OK; i++)
        s = mo_world_step(w, &err);
    assert_int_equal(s, MO_BAD_INPUT);
    assert_non_null(strstr(err.message, "wide"));
    assert_close(mo_world_cell(w).edges[0], 0.8, 2e-3);
    mo_world_destroy(w);
}

/* discs of a cell of length 1, `copies` of it beside each other, sheared under a normal stress: force across
   level cuts */
static void force_across(int copies, double cut[3][2], double edges[9])
{
    mo_world *w = cell_world(1e-3, 2, copies, 1, 0, 1);
    for (int k = 0; k < copies; k++) {
        rng r = rng_seed(5, 1);
        for (int i = 0; i < 25; i++) {
            const double x = k + 0.2 * (i % 5) + 0.11;
            mo_body b = add_ball(w, x, 0.2 * (i / 5) + 0.12, 0, 0.092 + 0.006 * rng_uniform(&r));
            const double vx = 0.2 * rng_uniform(&r), vy = 0.2 * rng_uniform(&r);
            set_velocity(w, b, vx, vy, 0);
        }
    }
    mo_cell_control c = {.rate = {[XY] = 2}, .damping = 10};
    c.by_stress[YY] = true;
    c.stress[YY] = 500;
    control(w, &c);
    run_steps(w, 225, true);
    memcpy(edges, mo_world_cell(w).edges, 9 * sizeof *edges);
    for (int k = 0; k < 3; k++) {
        mo_error err;
        const double point[2] = {0.3, 0.1 + 0.3 * k}, up[2] = {0, 1};
        assert_int_equal(mo_measure_resultant(w, point, up, cut[k], &err), MO_OK);
    }
    mo_world_destroy(w);
}

/* A level cut in shear comes again after the height of the cell, whatever its length: three copies bear three
   times the force, and their level edge stays three times as long where the other leans over half of it. */
static void cuts_of_long_cells_bear_the_force_of_short_ones(void **state)
{
    (void)state;
    double one[3][2], three[3][2], edges[9], longer[9], largest = 0;
    force_across(1, one, edges);
    force_across(3, three, longer);
    const double lean[2] = {edges[1], longer[1]};
    assert_true(3 * lean[1] > 0.51 * (lean[1] * lean[1] + longer[4] * longer[4]));
    assert_true(longer[0] == 3 && longer[3] == 0 && edges[0] == 1 && edges[3] == 0);
    assert_close(lean[0], lean[1] - round(lean[1]), 1e-9);
    assert_close(edges[4], longer[4], 1e-9);
    for (int k = 0; k < 6; k++)
        largest = fmax(largest, fabs(one[k / 2][k % 2]));
    assert_true(largest > 0);
    for (int k = 0; k < 6; k++)
        assert_close(three[k / 2][k % 2], 3 * one[k / 2][k % 2], 1e-6 * largest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disc_flies_straight_through_shear),
        cmocka_unit_test(a_flow_carries_bodies_along),
        cmocka_unit_test(a_lattice_bears_a_stress),
        cmocka_unit_test(a_cubic_lattice_bears_three_stresses),
        cmocka_unit_test(columns_roll_in_shear),
        cmocka_unit_test(neither_place_nor_threads_matter),
        cmocka_unit_test(a_flowing_cell_measures_what_it_holds),
        cmocka_unit_test(a_loaded_cell_accelerates),
        cmocka_unit_test(cuts_of_long_cells_bear_the_force_of_short_ones),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
