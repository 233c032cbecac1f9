/*
 * Measures of regular lattices in periodic cells, in the plane and in space, under stresses: all answers are
 * closed forms.  And of what has no contact at all.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/build.h"
#include "support/close.h"

enum { SIDE = 3, BASIS = 4 }; /* cubes or squares along an axis; most bodies in one */

static const double PI = 3.14159265358979323846, D = 0.1, H = 1e-3;

typedef struct lattice {
    int dim, basis;
    double unit[3];          /* of the box that is repeated, in diameters */
    double place[BASIS][3];  /* of the bodies in it, in its sides */
    double fraction, degree; /* solid, contacts of a body */
} lattice;

static const double HALF = 0.5;
#define FCC_SIDE 1.41421356237309504880
#define BCC_SIDE 1.15470053837925152902
#define ROW 1.73205080756887729353

static const lattice SQUARE = {
    .dim = 2, .basis = 1, .unit = {1, 1}, .fraction = 0.78539816339744831, .degree = 4};
static const lattice TRIANGULAR = {.dim = 2,
                                   .basis = 2,
                                   .unit = {1, ROW},
                                   .place = {{0, 0}, {0.5, 0.5}},
                                   .fraction = 0.90689968211710892,
                                   .degree = 6};
static const lattice CUBIC = {
    .dim = 3, .basis = 1, .unit = {1, 1, 1}, .fraction = 0.52359877559829887, .degree = 6};
static const lattice BCC = {.dim = 3,
                            .basis = 2,
                            .unit = {BCC_SIDE, BCC_SIDE, BCC_SIDE},
                            .place = {{0, 0, 0}, {0.5, 0.5, 0.5}},
                            .fraction = 0.68017476158783171,
                            .degree = 8};
static const lattice FCC = {.dim = 3,
                            .basis = 4,
                            .unit = {FCC_SIDE, FCC_SIDE, FCC_SIDE},
                            .place = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}},
                            .fraction = 0.74048048969306104,
                            .degree = 12};

static size_t count_of(const lattice *l)
{
    return (size_t)(l->basis * SIDE * SIDE * (l->dim == 3 ? SIDE : 1));
}

static mo_body add_ball(mo_world *w, int dim, const double x[3], double r)
{
    mo_body_def def = mo_default_body_def();
    def.shape = (mo_shape_def){.kind = dim == 2 ? MO_SHAPE_DISC : MO_SHAPE_SPHERE, .radius = r};
    def.density = 1000;
    memcpy(def.position, x, sizeof def.position);
    return add_def(w, &def);
}

// the lattice in its cell, whose corner is a little off the bodies
static mo_world *make_lattice(const lattice *l)
{
    mo_world_def def = tight_def(H, 0);
    def.dim = l->dim;
    for (int k = 0; k < l->dim; k++) {
        def.periodic[k] = true;
        def.cell_min[k] = -0.2 * D;
        def.cell_max[k] = SIDE * l->unit[k] * D - 0.2 * D;
    }
    mo_world *w = make_world_def(&def);
    for (size_t i = 0; i < count_of(l); i++) {
        const size_t b = i % (size_t)l->basis, n = i / (size_t)l->basis;
        const size_t at[3] = {n % SIDE, n / SIDE % SIDE, n / SIDE / SIDE};
        double x[3] = {0, 0, 0};
        for (int k = 0; k < l->dim; k++)
            x[k] = l->unit[k] * D * ((double)at[k] + l->place[b][k]);
        add_ball(w, l->dim, x, HALF * D);
    }
    return w;
}

// shears are free too: forces of lattices with more contacts than freedoms are not unique
static void press(mo_world *w, int dim, const double stress[3])
{
    mo_cell_control c = {0};
    mo_error err;
    for (int k = 0; k < dim; k++) {
        for (int j = k; j < dim; j++)
            c.by_stress[3 * k + j] = true;
        c.stress[4 * k] = stress[k];
    }
    assert_int_equal(mo_world_control_cell(w, &c, &err), MO_OK);
    run_steps(w, 5, true);
}

static double fraction(const mo_world *w, const mo_region *r)
{
    double out;
    mo_error err;
    assert_int_equal(mo_measure_solid_fraction(w, r, &out, &err), MO_OK);
    return out;
}

// a box as large as the cell, times so many, begun somewhere
static mo_region box_like_cell(const mo_world *w, double times, double from)
{
    const mo_cell c = mo_world_cell(w);
    mo_region r = {{0}, {0}};
    for (int k = 0; k < 3; k++) {
        r.min[k] = c.origin[k] + from * (k + 1);
        r.max[k] = r.min[k] + times * c.edges[4 * k];
    }
    return r;
}

static void check_fractions(const mo_world *w, const lattice *l)
{
    double ratio;
    mo_error err;
    assert_close(fraction(w, NULL), l->fraction, 1e-10);
    assert_int_equal(mo_measure_void_ratio(w, NULL, &ratio, &err), MO_OK);
    assert_close(ratio, 1 / l->fraction - 1, 1e-9);
    // any box of whole cells holds the same share, and two halves of one hold it together
    for (int k = 0; k < 3; k++) {
        mo_region r = box_like_cell(w, k == 2 ? 3 : 1, 0.37 * D * k), low = r, high = r;
        assert_close(fraction(w, &r), l->fraction, 1e-9);
        low.max[0] = high.min[0] = 0.7 * r.min[0] + 0.3 * r.max[0];
        assert_close(0.3 * fraction(w, &low) + 0.7 * fraction(w, &high), l->fraction, 1e-9);
    }
}

static void check_tensor(const double *x, int dim, const double *diagonal, double tol)
{
    for (int a = 0; a < dim * dim; a++)
        assert_close(x[a], a % (dim + 1) == 0 ? diagonal[a / (dim + 1)] : 0, tol);
}

// stress and fabric, of the cell and of boxes of whole cells
static void check_tensors(const mo_world *w, const lattice *l, const double stress[3])
{
    const double even[3] = {1.0 / l->dim, 1.0 / l->dim, 1.0 / l->dim};
    double x[9];
    mo_error err;
    for (int k = 0; k < 4; k++) {
        const mo_region r = box_like_cell(w, k == 3 ? 2 : 1, 0.21 * D * k), *which = k == 0 ? NULL : &r;
        assert_int_equal(mo_measure_stress(w, which, x, &err), MO_OK);
        check_tensor(x, l->dim, stress, 1e-8 * stress[0]);
        assert_int_equal(mo_measure_fabric(w, which, x, &err), MO_OK);
        check_tensor(x, l->dim, even, 1e-9);
    }
}

// wherever the cell is cut it is held together by stress times area
static void check_cuts(const mo_world *w, const lattice *l, const double stress[3])
{
    const mo_cell c = mo_world_cell(w);
    mo_error err;
    for (int axis = 0; axis < l->dim; axis++)
        for (int k = 0; k < 20; k++) {
            double point[3] = {0}, normal[3] = {0}, out[3];
            normal[axis] = k % 2 == 0 ? 2 : -1;
            point[axis] = c.origin[axis] + (0.013 + 0.07 * k) * c.edges[4 * axis];
            assert_int_equal(mo_measure_resultant(w, point, normal, out, &err), MO_OK);
            for (int j = 0; j < l->dim; j++)
                assert_close(out[j],
                             j == axis ? -copysign(stress[axis] * c.volume / c.edges[4 * axis], normal[axis])
                                       : 0,
                             1e-7 * stress[0] * c.volume / D);
        }
}

// the mean force follows from the trace of the stress: Σ f d = V tr σ
static void check_forces(const mo_world *w, const lattice *l, double pressure)
{
    double density[50], shares = 0;
    mo_force_distribution f;
    mo_error err;
    assert_int_equal(mo_measure_forces(w, NULL, 50, 2.5, &f, density, &err), MO_OK);
    assert_int_equal(f.count, count_of(l) * (size_t)l->degree / 2);
    const double mean = l->dim * pressure * mo_world_cell(w).volume / ((double)f.count * D);
    assert_close(f.mean, mean, 1e-8 * mean);
    assert_close(f.mean_tangential, 0, 1e-12 * mean);
    for (int k = 0; k < 50; k++)
        shares += density[k] * 0.05;
    assert_close(shares + f.beyond, 1, 1e-12);
    assert_true(f.largest >= f.mean);
}

static void check_lattice(const lattice *l)
{
    const double p[3] = {700, 700, 700};
    mo_world *w = make_lattice(l);
    check_fractions(w, l);
    press(w, l->dim, p);
    assert_int_equal(mo_measure_contact_count(w), count_of(l) * (size_t)l->degree / 2);
    assert_close(mo_measure_coordination(w), l->degree, 1e-15);
    check_fractions(w, l);
    check_tensors(w, l, p);
    check_cuts(w, l, p);
    check_forces(w, l, p[0]);
    mo_world_destroy(w);
}

static void lattices_under_pressure(void **state)
{
    (void)state;
    const lattice *all[] = {&SQUARE, &TRIANGULAR, &CUBIC, &BCC, &FCC};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        check_lattice(all[i]);
}

/* rows of a square lattice carry a d and b d: a distribution of two values, and stresses that differ */
static void two_stresses(void **state)
{
    (void)state;
    const double s[3] = {300, 900, 0};
    double density[4];
    mo_force_distribution f;
    mo_error err;
    mo_world *w = make_lattice(&SQUARE);
    press(w, 2, s);
    check_tensors(w, &SQUARE, s);
    check_cuts(w, &SQUARE, s);
    assert_int_equal(mo_measure_forces(w, NULL, 4, 2, &f, density, &err), MO_OK);
    assert_close(f.mean, 600 * D, 1e-8 * 600 * D);
    assert_close(f.largest, 900 * D, 1e-8 * 900 * D);
    // at 0.5 and 1.5 of the mean, on borders of bins
    assert_close((density[0] + density[1]) * 0.5, 0.5, 1e-12);
    assert_close((density[2] + density[3]) * 0.5, 0.5, 1e-12);
    mo_measure_forces(w, NULL, 1, 1, &f, density, &err);
    assert_close(density[0], 0.5, 1e-12);
    assert_close(f.beyond, 0.5, 1e-12);
    mo_world_destroy(w);
}

/* a stack has vertical contacts only, and each cut carries the weight above: in the plane and in space */
static void a_stack(void **state)
{
    (void)state;
    enum { N = 4 };
    for (int dim = 2; dim <= 3; dim++) {
        mo_world_def def = tight_def(H, 0);
        def.dim = dim;
        def.gravity[dim - 1] = -9.81;
        mo_world *w = make_world_def(&def);
        mo_body_def ground = mo_default_body_def();
        mo_error err;
        ground.kind = MO_BODY_FIXED;
        ground.shape.kind = dim == 2 ? MO_SHAPE_HALFPLANE : MO_SHAPE_PLANE;
        ground.shape.normal[dim - 1] = 1;
        mo_body below = add_def(w, &ground), first = {0};
        for (int i = 0; i < N; i++) {
            double x[3] = {0, 0, 0};
            x[dim - 1] = D * (i + 0.5);
            mo_body b = add_ball(w, dim, x, 0.5 * D);
            first = i == 0 ? b : first;
        }
        run_steps(w, 5, true);
        const double weight = 9.81 * state_of(w, first).mass, up[3] = {0, 0, 1};
        double x[9], force[3], density[1], upright[3] = {0, 0, 0};
        mo_force_distribution f;
        upright[dim - 1] = 1;
        assert_int_equal(mo_measure_fabric(w, NULL, x, &err), MO_OK);
        check_tensor(x, dim, upright, 1e-12);
        assert_int_equal(mo_measure_forces(w, NULL, 1, 10, &f, density, &err), MO_OK);
        assert_int_equal(f.count, N);
        assert_close(f.mean, weight * (N + 1) / 2, 1e-9 * weight);
        assert_close(f.largest, weight * N, 1e-9 * weight);
        assert_close(mo_measure_coordination(w), (2.0 * N - 1) / N, 1e-15);
        assert_int_equal(mo_measure_force_on(w, below, force, &err), MO_OK);
        assert_close(force[dim - 1], -N * weight, 1e-9 * weight);
        // the lowest contact alone
        mo_region low = {{-1, -1, -1}, {1, 1, 1}};
        low.max[dim - 1] = 0.5 * D;
        assert_int_equal(mo_measure_forces(w, &low, 1, 10, &f, density, &err), MO_OK);
        assert_int_equal(f.count, 1);
        assert_close(f.mean, N * weight, 1e-9 * weight);
        // σ = Σ f l over V with arms r to both contacts of a ball, one to that of the ground
        double volume = 1, moment = 0;
        for (int i = 0; i < N; i++)
            moment += (N - i) * weight * 0.5 * D + (N - i - 1) * weight * 0.5 * D;
        for (int k = 0; k < dim; k++)
            volume *= k == dim - 1 ? N * D : D;
        assert_int_equal(mo_measure_stress(w, NULL, x, &err), MO_OK);
        assert_close(x[dim * dim - 1], moment / volume, 1e-8 * moment / volume);
        // in space a cut through the middle
        if (dim == 3) {
            const double point[3] = {0, 0, 2 * D};
            assert_int_equal(mo_measure_resultant(w, point, up, force, &err), MO_OK);
            assert_close(force[2], -2 * weight, 1e-9 * weight);
        }
        mo_world_destroy(w);
    }
}

/* without contacts everything is zero, and a lone ball fills pi/4 or pi/6 of its box */
static void nothing_touches(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        mo_world_def def = tight_def(H, 0);
        def.dim = dim;
        mo_world *w = make_world_def(&def);
        mo_error err;
        double x[9], ratio, density[3] = {7, 7, 7};
        mo_force_distribution f;
        // nothing to draw a box around, and no contact
        assert_int_equal(mo_measure_stress(w, NULL, x, &err), MO_BAD_INPUT);
        assert_non_null(strstr(err.message, "no free body"));
        assert_int_equal(mo_measure_fabric(w, NULL, x, &err), MO_OK);
        assert_close(x[0], 0, 0);
        const mo_region empty = {{5, 5, 5}, {6, 6, 6}};
        assert_int_equal(mo_measure_void_ratio(w, &empty, &ratio, &err), MO_OK);
        assert_true(isinf(ratio));
        add_ball(w, dim, (double[3]){0, 0, 0}, D);
        run_steps(w, 2, true);
        assert_close(fraction(w, NULL), dim == 2 ? PI / 4 : PI / 6, 1e-12);
        assert_int_equal(mo_measure_stress(w, NULL, x, &err), MO_OK);
        check_tensor(x, dim, (double[3]){0, 0, 0}, 0);
        assert_int_equal(mo_measure_forces(w, NULL, 3, 5, &f, density, &err), MO_OK);
        assert_true(f.count == 0 && f.mean == 0 && f.largest == 0 && f.beyond == 0 && density[2] == 0);
        assert_close(mo_measure_coordination(w), 0, 0);
        assert_close(mo_measure_max_penetration(w), 0, 0);
        mo_world_destroy(w);
    }
}

static void bad_questions(void **state)
{
    (void)state;
    mo_world *w = make_lattice(&SQUARE);
    mo_error err;
    mo_force_distribution f;
    double x[9], density[2];
    const mo_region wide = {{-1e9, -1e9, 0}, {1e9, 1e9, 0}}, endless = {{0, 0, 0}, {1, HUGE_VAL, 0}},
                    flat = {{0, 0, 0}, {1, 0, 0}}, *bad[] = {&wide, &endless, &flat};
    for (size_t k = 0; k < 3; k++) {
        assert_int_equal(mo_measure_stress(w, bad[k], x, &err), MO_BAD_INPUT);
        assert_int_equal(mo_measure_fabric(w, bad[k], x, &err), MO_BAD_INPUT);
        assert_int_equal(mo_measure_forces(w, bad[k], 2, 1, &f, density, &err), MO_BAD_INPUT);
        assert_int_equal(mo_measure_void_ratio(w, bad[k], x, &err), MO_BAD_INPUT);
        assert_string_equal(err.key, "region");
    }
    assert_int_equal(mo_measure_forces(w, NULL, 0, 1, &f, density, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "bins");
    const double most[] = {0, -1, HUGE_VAL, (double)NAN};
    for (size_t k = 0; k < 4; k++)
        assert_int_equal(mo_measure_forces(w, NULL, 2, most[k], &f, density, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "max");
    mo_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lattices_under_pressure), cmocka_unit_test(two_stresses),  cmocka_unit_test(a_stack),
        cmocka_unit_test(nothing_touches),         cmocka_unit_test(bad_questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
