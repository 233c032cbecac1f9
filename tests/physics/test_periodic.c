/*
 * Periodic cells: what crosses a face, touches through it, or is looked at from another place behaves as in
 * the middle.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collide/detect.h"
#include "core/rng.h"
#include "support/build.h"
#include "support/close.h"
#include "world/world.h"

static mo_world_def cell_def(double h, int dim, double length, const bool *periodic)
{
    mo_world_def def = tight_def(h, 0);
    def.dim = dim;
    def.solver.tol = 1e-14;
    for (int k = 0; k < dim; k++) {
        def.periodic[k] = periodic == NULL || periodic[k];
        def.cell_min[k] = -0.25 * length;
        def.cell_max[k] = 0.75 * length;
    }
    return def;
}

static mo_body add_ball(mo_world *w, int dim, const double *x, const double *v, double r, double spin)
{
    mo_body_def def = mo_default_body_def();
    def.shape = (mo_shape_def){.kind = dim == 2 ? MO_SHAPE_DISC : MO_SHAPE_SPHERE, .radius = r};
    def.density = 1000;
    memcpy(def.position, x, (size_t)dim * sizeof *x);
    memcpy(def.velocity, v, (size_t)dim * sizeof *x);
    def.spin = def.spin3[1] = spin;
    return add_def(w, &def);
}

static void a_disc_crosses_with_its_velocity(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        mo_world_def def = cell_def(1e-3, dim, 1, NULL);
        mo_world *w = make_world_def(&def);
        const double v[3] = {1.7, -0.9, 2.3};
        mo_body b = add_ball(w, dim, (double[]){0.1, 0.2, 0.3}, v, 0.05, 3);
        run_steps(w, 1000, true);
        mo_body_state s = state_of(w, b);
        for (int k = 0; k < dim; k++) {
            assert_true(s.velocity[k] == v[k]);
            double x = 0.1 * (k + 1) + v[k] + 0.25;
            assert_close(s.position[k], x - floor(x) - 0.25, 1e-12);
        }
        assert_close(mo_world_info_get(w).energy.balance_error, 0, 0);
        mo_world_destroy(w);
    }
}

/* what two bodies do that meet, relative to where the scene is put */
typedef struct meeting {
    double q[2][3], v[2][3], spin[2], friction, impact, force[3];
} meeting;

static void meet(int dim, bool boxes, const double shift[3], bool periodic, meeting *out)
{
    mo_world_def def = cell_def(1e-3, dim, 2, (bool[]){periodic, periodic, periodic});
    mo_world *w = make_world_def(&def);
    mo_body b[2];
    set_law(w, 0.4, 0.3, 0.1);
    for (int i = 0; i < 2; i++) {
        double x[3], v[3] = {i == 0 ? 1 : -1.5, i == 0 ? 0.4 : -0.2, 0.3};
        for (int k = 0; k < 3; k++)
            x[k] = shift[k] + (k == 0 ? 0.3 * (2 * i - 1) : 0.05 * i);
        if (boxes) {
            b[i] = add_box(w, x[0], x[1], 0.25, 0.2, 0.3 + i, 1000);
            set_velocity(w, b[i], v[0], v[1], 2 * i - 1);
        } else {
            b[i] = add_ball(w, dim, x, v, 0.15 + 0.02 * i, 4 * i);
        }
    }
    run_steps(w, 400, true);
    *out = (meeting){.friction = mo_world_info_get(w).energy.dissipated_friction,
                     .impact = mo_world_info_get(w).energy.dissipated_impact};
    assert_true(out->impact > 1);
    assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-12);
    for (int i = 0; i < 2; i++) {
        mo_body_state s = state_of(w, b[i]);
        for (int k = 0; k < dim; k++) {
            // back to the same place, modulo the cell
            double x = s.position[k] - shift[k];
            out->q[i][k] = periodic ? x - 2 * floor(0.5 * x + 0.5) : x;
            out->v[i][k] = s.velocity[k];
        }
        out->spin[i] = dim == 2 ? s.spin : s.spin3[1];
    }
    mo_world_destroy(w);
}

static void bodies_meet_through_a_face_as_in_the_middle(void **state)
{
    (void)state;
    static const double shifts[][3] = {{1.5, 0, 0}, {1.45, 1.48, 0.2}, {0, 1.49, 1.51}, {-17.5, 33.5, 1.5}};
    for (int kind = 0; kind < 3; kind++)
        for (int k = 0; k < 4; k++) {
            meeting free, through;
            const int dim = kind == 1 ? 3 : 2;
            meet(dim, kind == 2, (double[]){0, 0, 0}, false, &free);
            meet(dim, kind == 2, shifts[k], true, &through);
            const double *a = &free.q[0][0], *b = &through.q[0][0];
            for (size_t i = 0; i < sizeof free / sizeof *a; i++)
                assert_close(b[i], a[i], 1e-11);
        }
}

/* a crowd of discs and boxes that collide, looked at from another place */
static void play_crowd(double sx, double sy, int threads, double *out)
{
    mo_world_def def = cell_def(1e-3, 2, 1, NULL);
    def.threads = threads;
    mo_world *w = make_world_def(&def);
    rng r = rng_seed(7, 1);
    set_law(w, 0.3, 0.2, 0);
    for (int i = 0; i < 36; i++) {
        const int row = i / 6;
        double x = (i % 6) / 6.0 + sx, y = row / 6.0 + sy;
        mo_body b = i % 3 == 0 ? add_box(w, x, y, 0.11, 0.09, i, 1000) : add_disc(w, x, y, 0.06, 1000);
        set_velocity(w, b, 2 * rng_uniform(&r) - 1, 2 * rng_uniform(&r) - 1, 0);
    }
    run_steps(w, 60, true);
    assert_true(mo_world_info_get(w).energy.dissipated_impact > 1);
    mo_bodies b = mo_world_bodies(w);
    for (size_t i = 0; i < 36; i++) {
        for (int k = 0; k < 2; k++) {
            double x = b.q[3 * i + (size_t)k] - (k == 0 ? sx : sy);
            out[6 * i + (size_t)k] = x - floor(x + 1e-6);
        }
        out[6 * i + 2] = b.q[3 * i + 2];
        memcpy(&out[6 * i + 3], &b.u[3 * i], 3 * sizeof *out);
    }
    mo_world_destroy(w);
}

static void where_the_cell_begins_does_not_matter(void **state)
{
    (void)state;
    double plain[216], moved[216], threads[216];
    play_crowd(0.013, 0.027, 1, plain);
    play_crowd(0.413, 0.727, 1, moved);
    play_crowd(0.013, 0.027, 2, threads);
    // collisions of a few bodies magnify rounding
    for (int i = 0; i < 216; i++)
        assert_close(moved[i], plain[i], 1e-8);
    assert_memory_equal(threads, plain, sizeof plain);
}

/* pairs of discs that overlap, through any of the faces, found by trying them all */
static size_t all_overlaps(const mo_world *w, double *depth)
{
    const bodies *b = &w->bodies;
    size_t found = 0;
    for (size_t i = 0; i < b->count; i++)
        for (size_t j = 0; j < i; j++)
            for (int code = 0; code < 125; code++) {
                const double k[3] = {code % 5 - 2, code / 5 % 5 - 2, b->dim == 3 ? code / 25 - 2 : 0};
                double s[3] = {0}, square = 0;
                if (b->dim == 2 && code >= 25)
                    break;
                cell_apply(w->cell.H, k, b->dim, s);
                for (size_t e = 0; e < b->dim; e++)
                    square += pow(b->q[b->nq * i + e] - b->q[b->nq * j + e] - s[e], 2);
                double gap = sqrt(square) - b->radius[i] - b->radius[j];
                found += gap <= 0;
                *depth += gap <= 0 ? gap : 0;
            }
    return found;
}

static void detection_finds_what_trying_all_finds(void **state)
{
    (void)state;
    rng r = rng_seed(3, 1);
    for (int trial = 0; trial < 40; trial++) {
        const int dim = 2 + trial % 2;
        mo_world_def def = cell_def(1e-3, dim, 1, NULL);
        def.contact_tolerance = 0;
        mo_world *w = make_world_def(&def);
        // any cell, bodies of all sizes
        double H[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        for (int k = 0; k < dim; k++)
            for (int i = 0; i < k; i++)
                H[3 * i + k] = rng_uniform(&r) - 0.5;
        assert_true(cell_set(&w->cell, H));
        for (int i = 0; i < 60; i++) {
            // some of them about a corner, where eight cells meet
            const double spread = i < 12 ? 0.2 : 4, none[3] = {0};
            double x[3];
            for (int k = 0; k < 3; k++)
                x[k] = -0.25 + spread * (rng_uniform(&r) - 0.5);
            add_ball(w, dim, x, none, 0.005 + 0.15 * pow(rng_uniform(&r), dim == 2 ? 4 : 1), 0);
        }
        detect_view v = bodies_view(&w->bodies, w->bodies.q);
        assert_true(neighbours_update(&w->neighbours, &v, def.h, 0, &w->arena, NULL));
        assert_true(
            detect(&w->neighbours, &v, (detect_reach){.absolute = 0}, NULL, &w->contacts, &w->arena, NULL));
        double depth = 0, found = 0;
        for (size_t i = 0; i < w->contacts.count; i++)
            found += w->contacts.gap[i];
        assert_int_equal(w->contacts.count, all_overlaps(w, &depth));
        assert_close(found, depth, 1e-12);
        mo_world_destroy(w);
    }
}

/* a row of discs round the cell, two of which are pushed together: the force goes one way, stress F l/V */
static void the_stress_of_a_row(void **state)
{
    (void)state;
    mo_world_def def = cell_def(1e-3, 2, 1, NULL);
    mo_world *w = make_world_def(&def);
    for (int i = 0; i < 4; i++) {
        mo_body_def d = mo_default_body_def();
        d.shape = disc_shape(0.1);
        d.density = 1000;
        d.position[0] = 0.55 + 0.2 * i; // the third face is between the second and the third
        d.applied_force[0] = i == 0 ? 12 : i == 3 ? -12 : 0;
        add_def(w, &d);
    }
    run_steps(w, 3, true);
    double s[4], phi;
    mo_error err;
    assert_int_equal(mo_measure_stress(w, NULL, s, &err), MO_OK);
    assert_close(s[0], 3 * 12 * 0.2, 1e-9);
    assert_close(s[3], 0, 1e-12);
    assert_int_equal(mo_measure_solid_fraction(w, NULL, &phi, &err), MO_OK);
    assert_close(phi, 4 * 3.14159265358979 * 0.01, 1e-9);
    // two discs and half of the one whose centre is on the face
    const mo_region left = {{-0.25, -0.25, 0}, {0.25, 0.75, 0}}, whole = {{-0.25, -0.25, 0}, {0.75, 0.75, 0}};
    double part;
    assert_int_equal(mo_measure_solid_fraction(w, &whole, &part, &err), MO_OK);
    assert_close(part, phi, 1e-9);
    assert_int_equal(mo_measure_solid_fraction(w, &left, &part, &err), MO_OK);
    assert_close(part, 2.5 * 3.14159265358979 * 0.01 / 0.5, 1e-9);
    assert_close(mo_measure_max_penetration(w), 0, 1e-12);
    mo_world_destroy(w);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    mo_world_def def = cell_def(1e-3, 2, 1, (bool[]){true, false, false});
    mo_world *w = make_world_def(&def);
    mo_body_def body = mo_default_body_def();
    mo_body out;
    mo_error err;
    body.density = 1;
    body.shape = disc_shape(0.26);
    assert_int_equal(mo_body_create(w, &body, &out, &err), MO_BAD_INPUT);
    assert_non_null(strstr(err.message, "1 m wide"));
    body.shape = disc_shape(0.24);
    assert_int_equal(mo_body_create(w, &body, &out, &err), MO_OK);
    body.density = 0;
    body.kind = MO_BODY_FIXED;
    body.shape = (mo_shape_def){.kind = MO_SHAPE_HALFPLANE, .normal = {1, 0}};
    assert_int_equal(mo_body_create(w, &body, &out, &err), MO_BAD_INPUT);
    assert_non_null(strstr(err.message, "run along"));
    mo_world_destroy(w);
    def.cell_max[0] = def.cell_min[0];
    assert_int_equal(mo_world_create(&def, &w, &err), MO_BAD_INPUT);
}

/* down a slope that never ends: as fast as after the same way on a long one, and the work of gravity counted
 */
static void a_disc_rolls_on_for_ever(void **state)
{
    (void)state;
    mo_world_def def = cell_def(1e-3, 2, 1, (bool[]){true, false, false});
    def.gravity[0] = 1;
    def.gravity[1] = -9.81;
    mo_world *w = make_world_def(&def);
    set_law(w, 0.5, 0, 0);
    add_halfplane(w, 0, 1, 0);
    mo_body b = add_disc(w, 0.2, 0.1, 0.1, 1000);
    run_steps(w, 3000, true);
    // a = 2/3 g sin
    assert_close(state_of(w, b).velocity[0], 2, 1e-9);
    assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-9);
    mo_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disc_crosses_with_its_velocity),
        cmocka_unit_test(bodies_meet_through_a_face_as_in_the_middle),
        cmocka_unit_test(where_the_cell_begins_does_not_matter),
        cmocka_unit_test(detection_finds_what_trying_all_finds),
        cmocka_unit_test(the_stress_of_a_row),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(a_disc_rolls_on_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
