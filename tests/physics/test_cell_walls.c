/*
 * Cells that are periodic along some axes and deform between walls, the theta-scheme in cells, and what has
 * no meaning there.
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

enum { XX = 0, XY = 1, YX = 3, YY = 4, ZZ = 8 };

static const double H = 1e-3;

/* periodic along the axes that have a length */
static mo_world_def cell_def(int dim, double lx, double ly, double g)
{
    mo_world_def def = tight_def(H, 0);
    const double length[2] = {lx, ly};
    def.dim = dim;
    def.gravity[dim - 1] = -g;
    for (int k = 0; k < 2; k++) {
        def.periodic[k] = length[k] > 0;
        def.cell_max[k] = length[k];
    }
    return def;
}

/* solid beyond the height along the last axis, from below or from above */
static mo_body add_wall(mo_world *w, double height, bool above)
{
    const int dim = (int)mo_world_bodies(w).dim;
    mo_body_def def = mo_default_body_def();
    def.kind = MO_BODY_FIXED;
    def.shape.kind = dim == 2 ? MO_SHAPE_HALFPLANE : MO_SHAPE_PLANE;
    def.shape.normal[dim - 1] = above ? -1 : 1;
    def.shape.offset = above ? -height : height;
    return add_def(w, &def);
}

/* the floor stretches with the cell: discs that rest on it are carried along and nothing slides */
static void discs_ride_on_a_floor(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        mo_world_def def = cell_def(2, 1, 0, 9.81);
        mo_world *w = make_world_def(&def);
        mo_body b[3];
        set_law(w, 0.5, 0, 0);
        // the wall as the first body of its contacts and as the second
        if (late == 0)
            add_wall(w, 0, false);
        for (int k = 0; k < 3; k++)
            b[k] = add_ball(w, 0.1 + 0.35 * k, 0.05, 0, 0.05);
        if (late == 1)
            add_wall(w, 0, false);
        control(w, &(mo_cell_control){.rate = {[XX] = 0.6}});
        run_steps(w, 500, true);
        const double factor = pow((1 + 0.5 * H * 0.6) / (1 - 0.5 * H * 0.6), 500);
        assert_close(mo_world_cell(w).edges[0], factor, 1e-12);
        assert_close(mo_world_cell(w).edges[4], 1, 0);
        for (int k = 0; k < 3; k++) {
            mo_body_state s = state_of(w, b[k]);
            assert_close(s.position[0], (0.1 + 0.35 * k) * factor, 1e-12);
            assert_close(s.position[1], 0.05, 1e-10);
            assert_close(s.velocity[0], 0, 1e-14);
            assert_close(s.spin, 0, 1e-12);
        }
        mo_energy e = mo_world_info_get(w).energy;
        assert_close(e.dissipated_friction, 0, 1e-12);
        assert_close(e.balance_error, 0, 1e-10);
        mo_world_destroy(w);
    }
}

/* a plane shears with its cell too: spheres that rest on it go the way of the flow, x' = L x */
static void spheres_ride_on_a_sheared_plane(void **state)
{
    (void)state;
    mo_world_def def = cell_def(3, 1, 1, 9.81);
    mo_world *w = make_world_def(&def);
    set_law(w, 0.5, 0, 0);
    add_wall(w, 0, false);
    mo_body b = add_ball(w, 0.3, 0.4, 0.1, 0.1);
    control(w, &(mo_cell_control){.rate = {[XX] = 0.2, [XY] = 0.5, [YY] = -0.1}});
    run_steps(w, 300, true);
    // y = y0 exp(-t/10), x = (x0 + y0/2 ∫ exp(-3s/10) ds) exp(t/5), up to h²
    const double t = 300 * H, y = 0.4 * exp(-0.1 * t),
                 x = (0.3 + 0.2 * (1 - exp(-0.3 * t)) / 0.3) * exp(0.2 * t);
    const mo_body_state s = state_of(w, b);
    assert_close(s.position[0], x, 1e-7);
    assert_close(s.position[1], y, 1e-7);
    assert_close(s.position[2], 0.1, 1e-10);
    assert_close(hypot(s.velocity[0], s.velocity[1]) + fabs(s.spin3[0]) + fabs(s.spin3[1]), 0, 1e-12);
    assert_close(mo_world_info_get(w).energy.dissipated_friction, 0, 1e-12);
    assert_close(mo_world_cell(w).volume, exp(0.1 * t), 1e-7);
    mo_world_destroy(w);
}

/* beneath a box the floor slides away on both sides: mu N times the rate times half its width */
static void a_floor_slides_beneath_a_box(void **state)
{
    (void)state;
    const double width = 0.2, mu = 0.4, rate = 0.3, g = 9.81;
    for (int late = 0; late < 2; late++) {
        mo_world_def def = cell_def(2, 1, 0, g);
        mo_world *w = make_world_def(&def);
        set_law(w, mu, 0, 0);
        if (late == 0)
            add_wall(w, 0, false);
        mo_body b = add_box(w, 0.5, 0.05, width, 0.1, 0, 1000);
        if (late == 1)
            add_wall(w, 0, false);
        control(w, &(mo_cell_control){.rate = {[XX] = rate}});
        run_steps(w, 200, true);
        const mo_energy e = mo_world_info_get(w).energy;
        const double weight = state_of(w, b).mass * g, lost = mu * weight * 0.5 * width * rate * 200 * H;
        assert_close(e.dissipated_friction, lost, 1e-9 * lost);
        assert_close(e.work_external, lost, 1e-9 * lost);
        assert_close(e.balance_error, 0, 1e-12);
        assert_int_equal(mo_measure_sliding_count(w), 2);
        // friction draws the box apart: sigma_xx = -(mu N/2)(w/2) 2/V
        double s[4];
        mo_error err;
        assert_int_equal(mo_measure_stress(w, NULL, s, &err), MO_OK);
        const double volume = 0.1 * mo_world_cell(w).edges[0];
        assert_close(s[0], -mu * weight * 0.5 * width / volume, 1e-3 * mu * weight * width / volume);
        mo_world_destroy(w);
    }
}

/* rows between walls carry the stress over the height of the sample, in the plane and in space */
static void rows_between_walls(void **state)
{
    (void)state;
    enum { N = 5, M = 3 };
    const double d = 0.1, p = 800;
    for (int dim = 2; dim <= 3; dim++) {
        mo_world_def def = cell_def(dim, N * d, dim == 3 ? N * d : 0, 0);
        mo_world *w = make_world_def(&def);
        add_wall(w, 0, false);
        add_wall(w, M * d, true);
        for (int i = 0; i < N * M * (dim == 3 ? N : 1); i++) {
            const int x = i % N, row = i / N % M, y = i / N / M;
            if (dim == 2)
                add_ball(w, (x + 0.5) * d, (row + 0.5) * d, 0, 0.5 * d);
            else
                add_ball(w, (x + 0.5) * d, (y + 0.5) * d, (row + 0.5) * d, 0.5 * d);
        }
        mo_cell_control c = {.by_stress = {[XX] = true}, .stress = {[XX] = p}};
        if (dim == 3) {
            c.by_stress[YY] = true;
            c.stress[YY] = 2 * p;
        }
        control(w, &c);
        run_steps(w, 5, true);
        double s[9], most = 0;
        mo_error err;
        assert_int_equal(mo_measure_stress(w, NULL, s, &err), MO_OK);
        assert_close(s[0], p, 1e-8 * p);
        assert_close(s[dim + 1], dim == 3 ? 2 * p : 0, 1e-8 * p);
        const mo_contacts all = mo_world_contacts(w);
        for (size_t i = 0; i < all.count; i++)
            most = fmax(most, all.impulse[(size_t)dim * i] / H);
        assert_close(most, dim == 2 ? p * d : 2 * p * d * d, 1e-8 * p * d);
        assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-12);
        mo_world_destroy(w);
    }
}

static mo_world *loose_channel(mo_scheme scheme, double theta)
{
    mo_world_def def = cell_def(2, 0.2, 0, 0);
    def.scheme = scheme;
    def.theta = theta;
    def.solver.tol = 1e-10;
    mo_world *w = make_world_def(&def);
    rng r = rng_seed(7, 0);
    set_law(w, 0.3, 0, 0);
    add_wall(w, 0, false);
    for (int i = 0; i < 24; i++)
        add_ball(w, 0.033 * (i % 6) + 0.016 + 0.002 * rng_uniform(&r), 0.033 * (i / 6) + 0.016, 0,
                 0.012 + 0.003 * rng_uniform(&r));
    add_wall(w, 4 * 0.033, true);
    return w;
}

/* a loose sample in a channel is compressed until it bears the stress; the work is all accounted for */
static void a_channel_reaches_its_stress(void **state)
{
    (void)state;
    const double p = 500;
    for (int jean = 0; jean < 2; jean++) {
        mo_world *w = loose_channel(jean ? MO_SCHEME_MOREAU_JEAN : MO_SCHEME_MOREAU, 0.7);
        control(w, &(mo_cell_control){.by_stress = {[XX] = true}, .stress = {[XX] = p}, .damping = 30});
        run_steps(w, 1500, false);
        double s[4];
        mo_error err;
        assert_int_equal(mo_measure_stress(w, NULL, s, &err), MO_OK);
        assert_close(s[0], p, 1e-3 * p);
        assert_close(mo_world_cell(w).rate[XX], 0, 1e-5);
        assert_true(mo_world_cell(w).edges[0] < 0.19);
        assert_close(mo_world_cell(w).edges[4], 1, 0);
        mo_energy e = mo_world_info_get(w).energy;
        assert_true(e.work_external > 0.01 * p * 0.2 * 0.13);
        assert_close(e.balance_error, 0, 1e-9 * e.work_external);
        mo_world_destroy(w);
    }
}

/* theta = 1/2 is the midpoint scheme to the last bit; theta = 1 moves edges with L at the end */
static void theta_moves_the_edges(void **state)
{
    (void)state;
    double last[2] = {0, 0};
    for (int jean = 0; jean < 2; jean++) {
        mo_world *w = loose_channel(jean ? MO_SCHEME_MOREAU_JEAN : MO_SCHEME_MOREAU, 0.5);
        control(w, &(mo_cell_control){.by_stress = {[XX] = true}, .stress = {[XX] = 500}, .damping = 30});
        run_steps(w, 200, false);
        last[jean] = mo_world_bodies(w).q[3 * 7] + mo_world_cell(w).edges[0];
        mo_world_destroy(w);
    }
    assert_true(last[0] == last[1]);
    mo_world_def def = cell_def(2, 1, 2, 0);
    def.scheme = MO_SCHEME_MOREAU_JEAN;
    def.theta = 1;
    mo_world *w = make_world_def(&def);
    mo_body b = add_ball(w, 0.25, 0.5, 0, 0.01);
    control(w, &(mo_cell_control){.by_stress = {[XX] = true}, .stress = {[XX] = 3}, .mass = 50});
    double L = 0, lx = 1;
    for (int i = 0; i < 20; i++) {
        const double mid = lx / (1 - 0.5 * H * L), before = L;
        L -= H * 3 * mid * 2 / 50;
        lx = mid * (1 + 0.5 * H * L + 0.5 * H * (L - before));
    }
    run_steps(w, 20, true);
    assert_close(mo_world_cell(w).edges[0], lx, 1e-14);
    // the disc is carried along
    assert_close(state_of(w, b).position[0], 0.25 * lx, 1e-14);
    mo_world_destroy(w);
}

static void refuse(mo_world *w, const mo_cell_control *c, mo_status status, const char *part)
{
    mo_error err = {0};
    assert_int_equal(mo_world_control_cell(w, c, &err), status);
    if (strstr(err.message, part) == NULL)
        print_error("%s\n", err.message);
    assert_non_null(strstr(err.message, part));
}

static void what_has_no_meaning_is_refused(void **state)
{
    (void)state;
    mo_world_def def = cell_def(2, 1, 0, 0);
    mo_world *w = make_world_def(&def);
    mo_error err;
    mo_body out;
    const int none[] = {XY, YX, YY};
    for (size_t k = 0; k < 3; k++) {
        mo_cell_control rate = {0}, stress = {0};
        rate.rate[none[k]] = 1;
        stress.by_stress[none[k]] = true;
        refuse(w, &rate, MO_BAD_INPUT, "not periodic along y");
        refuse(w, &stress, MO_BAD_INPUT, "not periodic along y");
    }
    // in a cell that rests anything may be fixed; then it can no longer deform
    add_segment(w, 0.1, 0, 0.2, 0);
    control(w, &(mo_cell_control){0});
    refuse(w, &(mo_cell_control){.rate = {[XX] = 1}}, MO_BAD_INPUT, "images would move apart");
    mo_world_destroy(w);
    // nor can such a body be added to one that deforms
    w = make_world_def(&def);
    control(w, &(mo_cell_control){.rate = {[XX] = 1}});
    mo_body_def fixed = mo_default_body_def();
    fixed.shape = disc_shape(0.1);
    fixed.kind = MO_BODY_FIXED;
    assert_int_equal(mo_body_create(w, &fixed, &out, &err), MO_BAD_INPUT);
    mo_world_destroy(w);
    w = make_world(H, 0);
    refuse(w, &(mo_cell_control){.rate = {[XX] = 1}}, MO_USAGE, "no periodic cell");
    mo_world_destroy(w);
    def.scheme = MO_SCHEME_BERNICOT_LEFEBVRE;
    w = make_world_def(&def);
    refuse(w, &(mo_cell_control){.rate = {[XX] = 1}}, MO_BAD_INPUT, "moreau-jean");
    mo_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs_ride_on_a_floor),          cmocka_unit_test(spheres_ride_on_a_sheared_plane),
        cmocka_unit_test(a_floor_slides_beneath_a_box),   cmocka_unit_test(rows_between_walls),
        cmocka_unit_test(a_channel_reaches_its_stress),   cmocka_unit_test(theta_moves_the_edges),
        cmocka_unit_test(what_has_no_meaning_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
