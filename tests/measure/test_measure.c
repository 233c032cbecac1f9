/*
 * Measures against closed forms: areas in boxes, stress of loaded lattices, resultants, coordination, forces.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/rng.h"
#include "measure/area.h"
#include "support/build.h"
#include "support/close.h"

static const double PI = 3.14159265358979323846;

/* ---- areas --------------------------------------------------------------------------------------------- */

static double disc_area(double r, double x0, double y0, double x1, double y1)
{
    return disc_in_box(r, (double[2]){x0, y0}, (double[2]){x1, y1});
}

// area beyond a chord at distance d from the centre
static double cap(double r, double d)
{
    return r * r * acos(d / r) - d * sqrt(r * r - d * d);
}

static void disc_closed_forms(void **state)
{
    (void)state;
    const double r = 0.7, all = PI * r * r, tol = 1e-15;
    assert_close(disc_area(r, -1, -1, 1, 1), all, tol);
    assert_close(disc_area(r, -r, -r, r, r), all, tol);
    assert_close(disc_area(r, 0, -1, 1, 1), all / 2, tol);
    assert_close(disc_area(r, 0, 0, 1, 1), all / 4, tol);
    assert_close(disc_area(r, 0.3, -1, 1, 1), cap(r, 0.3), tol);
    assert_close(disc_area(r, -1, -1, 0.3, 1), all - cap(r, 0.3), tol);
    assert_close(disc_area(r, -0.2, -1, 0.3, 1), all - cap(r, 0.3) - cap(r, 0.2), tol);
    // the box within the disc, and the disc beside the box
    assert_close(disc_area(r, -0.1, -0.2, 0.3, 0.4), 0.4 * 0.6, tol);
    assert_close(disc_area(r, 0.71, -1, 1, 1), 0, tol);
    assert_close(disc_area(r, 0.6, 0.6, 1, 1), 0, tol);
    // a corner inside at (a, b): the quarter cut by two chords
    double a = 0.3, b = 0.2, xa = sqrt(r * r - a * a), xb = sqrt(r * r - b * b);
    double corner = 0.5 * r * r * (asin(xa / r) - asin(b / r)) - 0.5 * (a * (xa - b) + b * (xb - a));
    assert_close(disc_area(r, a, b, 1, 1), corner, tol);
}

// the chords of x = r sin(phi), clipped, by the midpoint rule
static double disc_by_strips(double r, const double min[2], const double max[2], int n)
{
    double from = asin(fmax(-1, fmin(1, min[0] / r))), to = asin(fmax(-1, fmin(1, max[0] / r))), sum = 0,
           d = (to - from) / n;
    for (int i = 0; i < n; i++) {
        double y = r * cos(from + (i + 0.5) * d);
        sum += y * fmax(0, fmin(max[1], y) - fmax(min[1], -y)) * d;
    }
    return sum;
}

static void disc_in_any_box(void **state)
{
    (void)state;
    enum { STRIPS = 2000 };
    rng g = rng_seed(11, 1);
    for (int k = 0; k < 500; k++) {
        double r = 0.2 + rng_uniform(&g), min[2], max[2], whole, parts = 0;
        for (int d = 0; d < 2; d++) {
            min[d] = 3 * rng_uniform(&g) - 1.5;
            max[d] = min[d] + 2 * rng_uniform(&g);
        }
        whole = disc_in_box(r, min, max);
        // |f''| <= 4 r² and at most 4 kinks of slope 2 r²: pi/24 * 4 + 4 * 2/8 < 2 times r² dphi²
        double dphi = PI / STRIPS;
        assert_close(whole, disc_by_strips(r, min, max, STRIPS), 2 * r * r * dphi * dphi);
        // a box is the sum of its quarters about any point
        double x[3] = {min[0], min[0] + (max[0] - min[0]) * rng_uniform(&g), max[0]};
        double y[3] = {min[1], min[1] + (max[1] - min[1]) * rng_uniform(&g), max[1]};
        for (int q = 0; q < 4; q++)
            parts += disc_area(r, x[q % 2], y[q / 2], x[q % 2 + 1], y[q / 2 + 1]);
        assert_close(parts, whole, 1e-14);
    }
}

static double polygon_area_in(const double *p, size_t n, double x0, double y0, double x1, double y1)
{
    double scratch[4 * (16 + 4)];
    return polygon_in_box(p, n, (double[2]){x0, y0}, (double[2]){x1, y1}, scratch);
}

static void polygon_closed_forms(void **state)
{
    (void)state;
    const double triangle[] = {0, 0, 1, 0, 0, 1}, diamond[] = {-1, 0, 0, -1, 1, 0, 0, 1};
    assert_close(polygon_area_in(triangle, 3, -1, -1, 2, 2), 0.5, 1e-16);
    assert_close(polygon_area_in(triangle, 3, 0, 0, 0.5, 0.5), 0.25, 1e-16);
    assert_close(polygon_area_in(triangle, 3, 0.5, 0, 1, 1), 0.125, 1e-16);
    assert_close(polygon_area_in(triangle, 3, 0.25, 0.25, 1, 1), 0.125, 1e-16);
    assert_close(polygon_area_in(triangle, 3, 0.6, 0.6, 1, 1), 0, 1e-16);
    assert_close(polygon_area_in(triangle, 3, 1, 0, 2, 1), 0, 1e-16);
    // an octagon: the diamond less four tips of height 1 - a
    double a = 0.8;
    assert_close(polygon_area_in(diamond, 4, -a, -a, a, a), 2 - 4 * (1 - a) * (1 - a), 1e-15);
}

static void polygon_in_any_box(void **state)
{
    (void)state;
    enum { N = 7, TILES = 5 };
    rng g = rng_seed(12, 1);
    for (int k = 0; k < 500; k++) {
        // points on an ellipse at rising angles
        double p[2 * N], area = 0, tiles = 0, turn = rng_uniform(&g);
        for (int i = 0; i < N; i++) {
            double t = 2 * PI * (i + 0.8 * rng_uniform(&g)) / N;
            p[2 * i] = cos(turn) * cos(t) - 0.4 * sin(turn) * sin(t);
            p[2 * i + 1] = sin(turn) * cos(t) + 0.4 * cos(turn) * sin(t);
        }
        for (int i = 0; i < N; i++) {
            int j = (i + 1) % N;
            area += 0.5 * (p[2 * i] * p[2 * j + 1] - p[2 * j] * p[2 * i + 1]);
        }
        for (int i = 0; i < TILES * TILES; i++) {
            double x = -1 + 2.0 / TILES * (i % TILES), y = -1 + 2.0 / TILES * (i / TILES);
            double one = polygon_area_in(p, N, x, y, x + 2.0 / TILES, y + 2.0 / TILES);
            assert_true(one >= -1e-16 && one <= 4.0 / (TILES * TILES) + 1e-15);
            tiles += one;
        }
        assert_close(tiles, area, 1e-14);
    }
}

/* ---- solid fraction ------------------------------------------------------------------------------------ */

static double fraction(const mo_world *w, double x0, double y0, double x1, double y1)
{
    mo_error err;
    mo_region r = {{x0, y0}, {x1, y1}};
    double out;
    assert_int_equal(mo_measure_solid_fraction(w, &r, &out, &err), MO_OK);
    return out;
}

static void solid_fraction(void **state)
{
    (void)state;
    mo_error err;
    mo_world *w = make_world(1e-3, 0);
    add_disc(w, 1, 1, 0.5, 10);
    add_box(w, 4, 1, 1, 1, PI / 4, 10);
    // neither boundaries nor thin bodies fill anything
    add_floor(w, 0);
    mo_shape_def wall = box_shape(1, 1);
    add_shape(w, &wall, 1, 3, 0, 0);
    assert_close(fraction(w, 0, 0, 2, 2), PI * 0.25 / 4, 1e-15);
    assert_close(fraction(w, 1, 1, 3, 3), PI * 0.25 / 4 / 4, 1e-15);
    assert_close(fraction(w, 1.3, 0, 2.3, 2), cap(0.5, 0.3) / 2, 1e-15);
    // the turned square: half of it right of its centre; a tip of height s
    double tip = sqrt(0.5) - 0.5;
    assert_close(fraction(w, 4, 0, 5, 2), 0.25, 1e-15);
    assert_close(fraction(w, 4.5, 0, 5.5, 2), tip * tip / 2, 1e-15);
    // the box around both
    double all, width = 4 + sqrt(0.5) - 0.5, height = 2 * sqrt(0.5);
    assert_int_equal(mo_measure_solid_fraction(w, NULL, &all, &err), MO_OK);
    assert_close(all, (PI * 0.25 + 1) / (width * height), 1e-14);
    mo_world_destroy(w);
}

// a compound's parts count where they are, whatever its centre of mass
static void solid_fraction_of_compound(void **state)
{
    (void)state;
    mo_world *w = make_world(1e-3, 0);
    mo_shape_def small = disc_shape(0.1), bar = box_shape(1, 0.2);
    mo_shape_child children[] = {{.shape = &bar, .position = {0, 0}, .angle = 0},
                                 {.shape = &small, .position = {0.9, 0}, .angle = 0}};
    mo_shape_def both = {.kind = MO_SHAPE_COMPOUND, .children = children, .child_count = 2};
    mo_body_def def = mo_default_body_def();
    def.shape = both;
    def.density = 5;
    def.keep_origin = true;
    def.position[0] = 2;
    def.angle = PI / 2;
    add_def(w, &def);
    // stands upright: bar x in [1.9, 2.1], y in [-0.5, 0.5], disc about (2, 0.9)
    assert_close(fraction(w, 1, -1, 3, 0), 0.1 / 2, 1e-15);
    assert_close(fraction(w, 2, 0.9, 3, 1.9), PI * 0.01 / 4, 1e-15);
    assert_close(fraction(w, 1, -1, 3, 1), (0.2 + PI * 0.01) / 4, 1e-15);
    mo_world_destroy(w);
}

/* ---- forces -------------------------------------------------------------------------------------------- */

// a wall that moves along one axis only, under a load
static mo_body add_loaded_wall(mo_world *w, double x, double y, double width, double height, double fx,
                               double fy)
{
    mo_body_def def = mo_default_body_def();
    def.shape = box_shape(width, height);
    def.mass = 3;
    def.position[0] = x;
    def.position[1] = y;
    def.free = fx != 0 ? MO_FREE_X : MO_FREE_Y;
    def.applied_force[0] = fx;
    def.applied_force[1] = fy;
    return add_def(w, &def);
}

static void lattice_under_walls(void **state)
{
    (void)state;
    enum { NX = 5, NY = 4 };
    const double r = 0.05, F = 700, G = 300, width = 2 * r * NX, height = 2 * r * NY;
    mo_error err;
    mo_world *w = make_world(1e-3, 0);
    mo_body floor_body = add_floor(w, 0), left = add_halfplane(w, 1, 0, 0);
    for (int i = 0; i < NX * NY; i++)
        add_disc(w, r * (2 * (i % NX) + 1), r * (2 * (i / NX) + 1), r, 1000);
    // the walls stay clear of each other
    mo_body top = add_loaded_wall(w, width / 2, height + 0.05, width - r, 0.1, 0, -F);
    mo_body right = add_loaded_wall(w, width + 0.05, height / 2, 0.1, height - r, -G, 0);
    run_steps(w, 5, true);
    mo_region box = {{0, 0}, {width, height}};
    double sigma[4], force[2];
    // forces hold to the tolerance of the solve, 1e-12, times the number of contacts at the very most
    double tol = 1e-10;
    assert_int_equal(mo_measure_stress(w, &box, sigma, &err), MO_OK);
    assert_close(sigma[0], G / height, tol * G / height);
    assert_close(sigma[3], F / width, tol * F / width);
    assert_close(sigma[1], 0, tol * F / width);
    assert_close(sigma[2], 0, tol * F / width);
    // the lower two rows alone, over their own area
    mo_region low = {{0, 0}, {width, height / 2}};
    assert_int_equal(mo_measure_stress(w, &low, sigma, &err), MO_OK);
    assert_close(sigma[3], F / width, tol * F / width);
    assert_int_equal(mo_measure_force_on(w, floor_body, force, &err), MO_OK);
    assert_close(force[1], -F, tol * F);
    assert_int_equal(mo_measure_force_on(w, left, force, &err), MO_OK);
    assert_close(force[0], -G, tol * G);
    assert_int_equal(mo_measure_force_on(w, top, force, &err), MO_OK);
    assert_close(force[1], F, tol * F);
    assert_int_equal(mo_measure_force_on(w, right, force, &err), MO_OK);
    assert_close(force[0], G, tol * G);
    // every disc has 4 contacts, the walls NX and NY
    assert_int_equal(mo_measure_contact_count(w), (NX + 1) * NY + (NY + 1) * NX);
    assert_close(mo_measure_coordination(w), (4.0 * NX * NY + NX + NY) / (NX * NY + 2), 1e-15);
    mo_world_destroy(w);
}

// discs side by side in columns: their sides touch and bear nothing, but for what sweeps leave
static void idle_contacts_do_not_count(void **state)
{
    (void)state;
    const double r = 0.1;
    mo_error err;
    mo_world_def def = mo_default_world_def();
    def.gravity[1] = -9.81;
    mo_world *w = make_world_def(&def);
    set_law(w, 0.5, 0, 0);
    add_floor(w, 0);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 5; j++)
            add_disc(w, 2 * r * i, r + 2 * r * j, r, 1000);
    run_steps(w, 20, true);
    double fabric[4], density[4], weight = 1000 * PI * r * r * 9.81;
    mo_force_distribution forces;
    // 4 contacts in a column and one with the floor
    assert_close(mo_measure_coordination(w), 9.0 / 5, 1e-15);
    assert_int_equal(mo_measure_fabric(w, NULL, fabric, &err), MO_OK);
    assert_close(fabric[0], 0, 1e-12);
    assert_close(fabric[3], 1, 1e-12);
    assert_int_equal(mo_measure_forces(w, NULL, 4, 4, &forces, density, &err), MO_OK);
    assert_int_equal(forces.count, 30);
    assert_close(forces.mean, 3 * weight, 1e-6 * weight);
    mo_world_destroy(w);
}

// blocks that do not turn, pushed sideways: one corner of each joint bears all, the other what sweeps leave
static void idle_corners_do_not_count(void **state)
{
    (void)state;
    enum { BLOCKS = 5 };
    mo_error err;
    mo_world_def def = mo_default_world_def();
    def.gravity[0] = 2;
    def.gravity[1] = -10;
    mo_world *w = make_world_def(&def);
    set_law(w, 1, 0, 0);
    add_floor(w, 0);
    for (int i = 0; i < BLOCKS; i++) {
        mo_body_def block = mo_default_body_def();
        block.shape = box_shape(0.2, 0.1);
        block.mass = 1;
        block.free = MO_FREE_X | MO_FREE_Y;
        block.position[1] = 0.05 + 0.1 * i;
        add_def(w, &block);
    }
    run_steps(w, 10, true);
    mo_force_distribution forces;
    double density[4];
    assert_int_equal(mo_measure_forces(w, NULL, 4, 4, &forces, density, &err), MO_OK);
    assert_int_equal(forces.count, BLOCKS);
    assert_close(forces.mean, 30, 1e-6);
    assert_close(mo_measure_coordination(w), (2.0 * BLOCKS - 1) / BLOCKS, 1e-15);
    mo_world_destroy(w);
}

static mo_status belt(void *data, double t, mo_motion *out, mo_error *err)
{
    (void)err;
    out->q[0] = *(const double *)data * t;
    out->u[0] = *(const double *)data;
    return MO_OK;
}

// blocks at rest on a belt that moves have the stress of their weight, however fast it is
static void stress_on_a_belt(void **state)
{
    (void)state;
    for (double v = 0; v < 20; v += 9) {
        mo_world *w = make_world(2e-3, 9.81);
        mo_error err;
        set_law(w, 0.5, 0, 0);
        mo_shape_def wide = box_shape(1000, 2);
        add_moved(w, &wide, belt, &v);
        mo_body b = add_box(w, 0, 1.5, 1, 1, 0, 100);
        set_velocity(w, b, v, 0, 0);
        run_steps(w, 10, true);
        const double x = state_of(w, b).position[0], p = 100 * 9.81 / 2;
        mo_region box = {{x - 0.5, 1}, {x + 0.5, 2}};
        double sigma[4];
        assert_int_equal(mo_measure_stress(w, &box, sigma, &err), MO_OK);
        // the block's weight at its lower face: half of it in the mean
        assert_close(sigma[3], p, 1e-9 * p);
        assert_close(sigma[1], 0, 1e-9 * p);
        assert_close(sigma[2], 0, 1e-9 * p);
        mo_world_destroy(w);
    }
}

// stress is a tensor: a pair of discs pressed together along an oblique line
static void oblique_stress(void **state)
{
    (void)state;
    const double r = 0.1, F = 50, c = cos(0.4), s = sin(0.4), n[2] = {c, s};
    mo_error err;
    mo_world *w = make_world(1e-3, 0);
    for (int k = 0; k < 2; k++) {
        double sign = k == 0 ? -1 : 1;
        mo_body b = add_disc(w, sign * r * c, sign * r * s, r, 100);
        mo_body_state state_now = state_of(w, b);
        state_now.applied_force[0] = -sign * F * c;
        state_now.applied_force[1] = -sign * F * s;
        assert_int_equal(mo_body_set(w, b, &state_now, &err), MO_OK);
    }
    run_steps(w, 3, true);
    mo_region box = {{-1, -1}, {1, 1}};
    double sigma[4];
    assert_int_equal(mo_measure_stress(w, &box, sigma, &err), MO_OK);
    // one contact: F n_i l_j / V with branch l = 2 r n
    for (int a = 0; a < 4; a++)
        assert_close(sigma[a], F * n[a / 2] * 2 * r * n[a % 2] / 4, 1e-10 * F);
    mo_world_destroy(w);
}

// rows are forces and columns arms: friction on a sliding disc works below its centre and fills one corner
// only
static void stress_rows_are_forces(void **state)
{
    (void)state;
    const double R = 0.1, mu = 0.3, g = 9.81;
    mo_error err;
    mo_world *w = make_world(1e-3, g);
    set_law(w, mu, 0, 0);
    add_floor(w, 0);
    mo_body b = add_disc(w, 0, R, R, 100);
    set_velocity(w, b, 2, 0, 0);
    run_steps(w, 1, true);
    // the contact is detected at mid step, the centre is where the step ends: half a step of way apart
    double N = 100 * PI * R * R * g, V = 4, sigma[4], arm = 0.5e-3 * 2.01;
    mo_region box = {{-1, -1}, {1, 1}};
    assert_int_equal(mo_measure_stress(w, &box, sigma, &err), MO_OK);
    assert_close(sigma[3], N * R / V, 1e-10 * N);
    assert_close(sigma[1], -mu * N * R / V, 1e-10 * N);
    assert_close(sigma[2], 0, N * arm / V);
    assert_close(sigma[0], 0, mu * N * arm / V);
    mo_world_destroy(w);
}

static void resultant_is_the_weight_above(void **state)
{
    (void)state;
    enum { N = 5 };
    const double g = 9.81, side = 0.2;
    mo_error err;
    mo_world *w = make_world(1e-3, g);
    set_law(w, 0.4, 0, 0);
    add_floor(w, 0);
    for (int i = 0; i < N; i++)
        add_box(w, 0, (i + 0.5) * side, side, side, 0, 500 * (i + 1));
    // the first steps may need more sweeps than allowed: heavy boxes on light ones
    run_steps(w, 10, false);
    run_steps(w, 1, true);
    for (int cut = 1; cut < N; cut++) {
        double above = 0, point[2] = {0.3, cut * side}, up[2] = {0, 2}, down[2] = {0, -1}, out[2];
        for (int i = cut; i < N; i++)
            above += 500 * (i + 1) * side * side * g;
        assert_int_equal(mo_measure_resultant(w, point, up, out, &err), MO_OK);
        assert_close(out[1], -above, 1e-9 * above);
        assert_close(out[0], 0, 1e-9 * above);
        assert_int_equal(mo_measure_resultant(w, point, down, out, &err), MO_OK);
        assert_close(out[1], above, 1e-9 * above);
    }
    // the floor bears it all, and is below a cut along it; upright cuts beside the stack have it on both
    // sides
    double all = 0, point[2] = {0, 0}, up[2] = {0, 1}, down[2] = {0, -1}, aside[2] = {-1, 0}, out[2];
    for (int i = 0; i < N; i++)
        all += 500 * (i + 1) * side * side * g;
    for (int k = -1; k <= 1; k++) {
        point[1] = 1e-6 * k;
        assert_int_equal(mo_measure_resultant(w, point, up, out, &err), MO_OK);
        assert_close(out[1], -all, 1e-9 * all);
        assert_int_equal(mo_measure_resultant(w, point, down, out, &err), MO_OK);
        assert_close(out[1], all, 1e-9 * all);
    }
    point[0] = 0.6 * side;
    assert_int_equal(mo_measure_resultant(w, point, aside, out, &err), MO_OK);
    assert_close(out[1], 0, 0);
    mo_world_destroy(w);
}

// a disc on two discs between walls, without friction: W/(2 cos b) at the top, W/2 tan b at a wall
static void three_discs(void **state)
{
    (void)state;
    const double r = 0.05, g = 9.81, apart = 2.2 * r, b = asin(apart / (4 * r));
    mo_error err;
    mo_world *w = make_world(1e-3, g);
    mo_body ground = add_floor(w, 0), left = add_halfplane(w, 1, 0, -apart / 2 - r),
            right = add_halfplane(w, -1, 0, -apart / 2 - r);
    add_disc(w, -apart / 2, r, r, 1000);
    add_disc(w, apart / 2, r, r, 1000);
    add_disc(w, 0, r + 2 * r * cos(b), r, 1000);
    run_steps(w, 10, true);
    double W = 1000 * PI * r * r * g, force[2], worst = 1e-9 * W;
    assert_int_equal(mo_measure_force_on(w, left, force, &err), MO_OK);
    assert_close(force[0], -W / 2 * tan(b), worst);
    assert_int_equal(mo_measure_force_on(w, right, force, &err), MO_OK);
    assert_close(force[0], W / 2 * tan(b), worst);
    assert_int_equal(mo_measure_force_on(w, ground, force, &err), MO_OK);
    assert_close(force[1], -3 * W, worst);
    assert_close(mo_measure_coordination(w), (2 + 3 + 3) / 3.0, 1e-15);
    assert_close(mo_measure_potential_energy(w), W * (3 * r + 2 * r * cos(b)), 1e-12 * W);
    mo_world_destroy(w);
}

static void sliding_is_counted(void **state)
{
    (void)state;
    mo_world *w = make_world(1e-3, 9.81);
    set_law(w, 0.5, 0, 0);
    add_floor(w, 0);
    mo_body box = add_box(w, 0, 0.05, 0.3, 0.1, 0, 100), disc = add_disc(w, 2, 0.1, 0.1, 100);
    add_disc(w, 1, 0.1, 0.1, 100);
    set_velocity(w, box, 2, 0, 0);
    set_velocity(w, disc, 2, 0, 0);
    run_steps(w, 5, true);
    assert_int_equal(mo_measure_contact_count(w), 4);
    assert_int_equal(mo_measure_sliding_count(w), 3);
    // both lose mu g t of their speed; the disc gains spin 2 mu g t / r
    double slowed = 0.5 * 9.81 * 5e-3, v = 2 - slowed, m = PI;
    assert_close(mo_measure_kinetic_energy(w), 0.5 * (3 + m) * v * v + m * slowed * slowed, 1e-11);
    mo_world_destroy(w);
}

/* ---- penetration, refusals ----------------------------------------------------------------------------- */

static void penetration_is_of_now(void **state)
{
    (void)state;
    mo_error err;
    mo_world *w = make_world(1e-3, 0);
    mo_body a = add_disc(w, 0, 0, 0.1, 1000);
    add_disc(w, 0.5, 0, 0.1, 1000);
    assert_close(mo_measure_max_penetration(w), 0, 0);
    run_steps(w, 1, true);
    mo_body_state s = state_of(w, a);
    s.position[0] = 0.5 - 0.2 + 0.013;
    assert_int_equal(mo_body_set(w, a, &s, &err), MO_OK);
    uint64_t hash = mo_world_hash(w);
    assert_close(mo_measure_max_penetration(w), 0.013, 1e-16);
    // a box of height 0.2 standing 0.004 deep in the floor
    add_floor(w, -1);
    mo_body box = add_box(w, 3, -0.904, 0.1, 0.2, 0, 10);
    assert_close(mo_measure_max_penetration(w), 0.013, 1e-16);
    s.position[0] = 0;
    assert_int_equal(mo_body_set(w, a, &s, &err), MO_OK);
    assert_close(mo_measure_max_penetration(w), 0.004, 1e-15);
    assert_int_equal(mo_body_remove(w, box, &err), MO_OK);
    assert_close(mo_measure_max_penetration(w), 0, 0);
    assert_int_not_equal(mo_world_hash(w), hash);
    mo_world_destroy(w);
}

// measuring leaves the run as it is
static void measuring_changes_nothing(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        mo_world *w = make_world(1e-3, 9.81);
        set_law(w, 0.3, 0.2, 0);
        add_segment(w, -0.5, 0, 0.5, 0);
        for (int i = 0; i < 12; i++)
            add_disc(w, 0.021 * (i % 4), 0.05 + 0.03 * i, 0.01, 1000);
        for (int i = 0; i < 200; i++) {
            double sigma[4], phi;
            run_steps(w, 1, false);
            if (k == 0)
                continue;
            mo_measure_max_penetration(w);
            mo_measure_coordination(w);
            assert_int_equal(mo_measure_stress(w, NULL, sigma, NULL), MO_OK);
            assert_int_equal(mo_measure_solid_fraction(w, NULL, &phi, NULL), MO_OK);
        }
        hash[k] = mo_world_hash(w);
        mo_world_destroy(w);
    }
    assert_int_equal(hash[0], hash[1]);
}

static void refuse_region(const mo_world *w, const mo_region *r)
{
    mo_error err;
    double out = 7, sigma[4] = {7, 7, 7, 7};
    assert_int_equal(mo_measure_solid_fraction(w, r, &out, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "region");
    assert_int_equal(mo_measure_stress(w, r, sigma, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "region");
    assert_true(out == 7 && sigma[0] == 7 && sigma[3] == 7);
}

static void bad_questions_are_refused(void **state)
{
    (void)state;
    mo_error err;
    double out[2] = {7, 7}, point[2] = {0, 0}, zero[2] = {0, 0}, nan_normal[2] = {(double)NAN, 1};
    mo_world *w = make_world(1e-3, 0);
    add_floor(w, 0);
    // no dynamic body: nothing to draw a box around
    refuse_region(w, NULL);
    assert_close(mo_measure_coordination(w), 0, 0);
    mo_body b = add_disc(w, 0, 1, 0.1, 1);
    const mo_region bad[] = {{{0, 0}, {0, 1}},
                             {{0, 0}, {1, 0}},
                             {{1, 0}, {0, 1}},
                             {{0, (double)NAN}, {1, 1}},
                             {{0, 0}, {1, (double)NAN}}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refuse_region(w, &bad[i]);
    assert_int_equal(mo_measure_resultant(w, point, zero, out, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "normal");
    assert_int_equal(mo_measure_resultant(w, point, nan_normal, out, &err), MO_BAD_INPUT);
    assert_int_equal(mo_body_remove(w, b, &err), MO_OK);
    assert_int_equal(mo_measure_force_on(w, b, out, &err), MO_USAGE);
    assert_true(out[0] == 7 && out[1] == 7);
    mo_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disc_closed_forms),
        cmocka_unit_test(disc_in_any_box),
        cmocka_unit_test(polygon_closed_forms),
        cmocka_unit_test(polygon_in_any_box),
        cmocka_unit_test(solid_fraction),
        cmocka_unit_test(solid_fraction_of_compound),
        cmocka_unit_test(lattice_under_walls),
        cmocka_unit_test(idle_contacts_do_not_count),
        cmocka_unit_test(idle_corners_do_not_count),
        cmocka_unit_test(stress_on_a_belt),
        cmocka_unit_test(oblique_stress),
        cmocka_unit_test(stress_rows_are_forces),
        cmocka_unit_test(resultant_is_the_weight_above),
        cmocka_unit_test(three_discs),
        cmocka_unit_test(sliding_is_counted),
        cmocka_unit_test(penetration_is_of_now),
        cmocka_unit_test(measuring_changes_nothing),
        cmocka_unit_test(bad_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
