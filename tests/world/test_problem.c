/*
 * The contact problem that a step solved: W and q against hand computation, its answer against the momentum
 * of the bodies, and its solution by another solver.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/build.h"
#include "support/close.h"

static const double G = 9.81, H = 1e-3;

static const double *block(const mo_problem *p, size_t c, size_t d)
{
    for (size_t k = p->start[c]; k < p->start[c + 1]; k++)
        if (p->column[k] == d)
            return p->W + 4 * k;
    return NULL;
}

static const mo_problem *step(mo_world *w, const double **r, const double **u)
{
    mo_error err = {0};
    mo_world_keep_problem(w, true);
    assert_int_equal(mo_world_step(w, &err), MO_OK);
    const mo_problem *p = mo_world_problem(w, r, u);
    assert_non_null(p);
    assert_int_equal(p->dim, 2);
    assert_int_equal(p->contacts, mo_world_contacts(w).count);
    assert_int_equal(mo_problem_check(p, &err), MO_OK);
    return p;
}

/*
 * A disc (mass m, radius R) that rolls onto a slope: one contact, W = diag(1/m, 1/m + R²/I) = diag(1, 3)/m
 * since I = m R²/2; q = local velocity without impulses plus restitution times that of the start.
 */
static void disc_on_slope(void **state)
{
    (void)state;
    const double R = 0.2, m = 50 * acos(-1.0) * R * R, alpha = 0.4, rho = 0.3, tau = -0.2, v = 0.7,
                 spin = 1.1;
    const double n[2] = {-sin(alpha), cos(alpha)}, t[2] = {-n[1], n[0]};
    mo_world *w = make_world(H, G);
    set_law(w, 0.5, rho, tau);
    mo_body disc = add_disc(w, R * n[0], R * n[1], R, 50);
    add_halfplane(w, n[0], n[1], 0);
    // into the slope at v, and turning
    set_velocity(w, disc, -v * n[0], -v * n[1], spin);
    const double *r, *u;
    const mo_problem *p = step(w, &r, &u);
    assert_int_equal(p->contacts, 1);
    const double *W = block(p, 0, 0);
    // at q_m the disc is H v/2 deeper, and the contact lies half an overlap nearer
    const double tol = 2 * H * v / R;
    assert_close(W[0] * m, 1, 1e-12);
    assert_close(W[3] * m, 3, 3 * tol);
    assert_close(W[1] * m, 0, 1e-12);
    const double U_I[2] = {-v, -R * spin};
    assert_close(p->q[0], U_I[0] + rho * U_I[0] - H * G * n[1], 1e-12);
    // t.g is the tangential part of gravity
    assert_close(p->q[1], U_I[1] + tau * U_I[1] - H * G * t[1], R * spin * tol);
    assert_close(p->mu[0], 0.5, 0);
    mo_world_destroy(w);
}

/*
 * A box (width a, height b, mass m) on a floor and one like it on top: four contacts.  W of the two floor
 * contacts at (∓a/2, -b/2): 1/m + x²/I and so on; of a floor and a top contact of the lower box with the
 * opposite sign.
 */
static void stacked_boxes(void **state)
{
    (void)state;
    const double a = 0.4, b = 0.2, m = 10 * a * b, I = m * (a * a + b * b) / 12;
    mo_world *w = make_world(H, G);
    set_law(w, 0.6, 0, 0);
    add_floor(w, 0);
    add_box(w, 0, b / 2, a, b, 0, 10);
    add_box(w, 0, 3 * b / 2, a, b, 0, 10);
    const double *r, *u;
    const mo_problem *p = step(w, &r, &u);
    const mo_contacts c = mo_world_contacts(w);
    assert_int_equal(p->contacts, 4);
    // G of a contact for the lower box, by hand: normal and tangent, arms about (0, b/2)
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++) {
            double expected[4] = {0};
            for (int box = 0; box < 2; box++) {
                double rows[2][2][3] = {{{0}}};
                const size_t pair[2] = {i, j};
                for (int k = 0; k < 2; k++) {
                    const size_t e = pair[k];
                    const uint32_t id = (uint32_t)(2 + box);
                    const double sign = c.id1[e] == id ? 1 : c.id2[e] == id ? -1 : 0;
                    const double *n = &c.normal[2 * e], rx = c.point[2 * e];
                    const double ry = c.point[2 * e + 1] - (box == 0 ? b / 2 : 3 * b / 2);
                    const double axes[2][2] = {{n[0], n[1]}, {-n[1], n[0]}};
                    for (int q = 0; q < 2; q++) {
                        rows[k][q][0] = sign * axes[q][0];
                        rows[k][q][1] = sign * axes[q][1];
                        rows[k][q][2] = sign * (rx * axes[q][1] - ry * axes[q][0]);
                    }
                }
                for (int q = 0; q < 4; q++)
                    expected[q] += rows[0][q / 2][0] * rows[1][q % 2][0] / m +
                                   rows[0][q / 2][1] * rows[1][q % 2][1] / m +
                                   rows[0][q / 2][2] * rows[1][q % 2][2] / I;
            }
            const double *W = block(p, i, j);
            assert_non_null(W);
            for (int q = 0; q < 4; q++)
                assert_close(W[q], expected[q], 1e-12 / m);
        }
    // gravity alone closes the floor contacts; the boxes fall together
    for (size_t i = 0; i < 4; i++) {
        assert_close(p->q[2 * i], c.id1[i] == 1 ? -H * G : 0, 1e-14);
        assert_close(p->q[2 * i + 1], 0, 1e-14);
    }
    // the floor carries both weights for the step, the lower box one
    double floor = 0, between = 0;
    for (size_t i = 0; i < 4; i++)
        *(c.id1[i] == 1 ? &floor : &between) += r[2 * i];
    assert_close(floor, 2 * m * G * H, 1e-9 * m * G * H);
    assert_close(between, m * G * H, 1e-9 * m * G * H);
    mo_world_destroy(w);
}

// discs on a floor: A(u_f - u_i) - h F = G* r, and `auto` solves the problem too; without friction velocities
// are unique, and the same
static void momentum_and_solution(double friction)
{
    mo_world *w = make_world(H, G);
    set_law(w, friction, 0.2, 0);
    add_floor(w, 0);
    for (int i = 0; i < 12; i++)
        add_disc(w, 0.2 * (i % 4) + 0.1 * (i / 4 % 2), 0.1 + 0.1732050807 * (i / 4), 0.1, 100 + 10 * i);
    for (int k = 0; k < 5; k++) {
        const mo_bodies b = mo_world_bodies(w);
        double before[3 * 16], sum[3 * 16] = {0};
        for (size_t i = 0; i < 3 * b.count; i++)
            before[i] = b.u[i];
        const double *r, *u;
        const mo_problem *p = step(w, &r, &u);
        const mo_contacts c = mo_world_contacts(w);
        assert_true(p->contacts >= 12);
        for (size_t i = 0; i < p->contacts; i++) {
            const double *n = &c.normal[2 * i];
            // the world's own impulses, in the same order
            assert_close(r[2 * i], c.impulse[2 * i], 0);
            assert_close(r[2 * i + 1], c.impulse[2 * i + 1], 0);
            const double f[2] = {n[0] * r[2 * i] - n[1] * r[2 * i + 1],
                                 n[1] * r[2 * i] + n[0] * r[2 * i + 1]};
            for (int d = 0; d < 2; d++) {
                sum[3 * c.slot1[i] + (size_t)d] += f[d];
                sum[3 * c.slot2[i] + (size_t)d] -= f[d];
            }
        }
        for (size_t i = 1; i < b.count; i++)
            for (size_t d = 0; d < 2; d++)
                assert_close(b.mass[i] * (b.u[3 * i + d] - before[3 * i + d] + (d == 1 ? H * G : 0)),
                             sum[3 * i + d], 1e-11 * b.mass[i]);
        mo_problem_residual reached;
        assert_int_equal(mo_problem_certify(p, r, u, &reached, NULL), MO_OK);
        assert_true(reached.residual <= 1e-11);
        double *mine = calloc(2 * p->contacts, sizeof *mine),
               *velocity = calloc(2 * p->contacts, sizeof *velocity);
        mo_solver_settings settings = mo_default_solver_settings();
        settings.tol = 1e-12;
        mo_problem_info info;
        assert_int_equal(mo_problem_solve(p, "auto", &settings, mine, velocity, &info, NULL), MO_OK);
        assert_true(info.solved);
        for (size_t i = 0; friction == 0 && i < 2 * p->contacts; i++)
            assert_close(velocity[i], u[i], 1e-9);
        free(mine);
        free(velocity);
    }
    mo_world_destroy(w);
}

static void momentum_without_friction(void **state)
{
    (void)state;
    momentum_and_solution(0);
}

static void momentum_with_friction(void **state)
{
    (void)state;
    momentum_and_solution(0.3);
}

/*
 * Two pairs of discs (mass m, diameter d) beside each other along x, in a cell of unit area that a stress
 * moves along x, inertia M: W + B M⁻¹ B* has 2/m + d²/M for a pair and d²/M between the pairs, which share no
 * body; q is what the stress alone gives, -d h V stress/M.
 */
static void pairs_in_a_cell(void **state)
{
    (void)state;
    const double d = 0.2, m = 10 * acos(-1.0) * d * d / 4, M = 3, stress = 20;
    mo_world_def def = tight_def(H, 0);
    for (int k = 0; k < 2; k++) {
        def.periodic[k] = true;
        def.cell_max[k] = 1;
    }
    mo_world *w = make_world_def(&def);
    for (int k = 0; k < 4; k++)
        add_disc(w, 0.3 + d * (k % 2), 0.25 + 0.5 * (k / 2), d / 2, 10);
    mo_cell_control c = {.by_stress = {true}, .stress = {stress}, .mass = M};
    assert_int_equal(mo_world_control_cell(w, &c, NULL), MO_OK);
    const double *r, *u;
    const mo_problem *p = step(w, &r, &u);
    assert_null(mo_world_no_problem(w));
    assert_int_equal(p->contacts, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_close(block(p, i, i)[0], 2 / m + d * d / M, 1e-13);
        assert_close(block(p, i, 1 - i)[0], d * d / M, 1e-15);
        assert_close(p->q[2 * i], -d * H * stress / M, 1e-15);
        assert_close(u[2 * i], 0, 1e-12);
        // both pairs close alike: (2/m + 2 d²/M) S = -q
        assert_close(r[2 * i], d * H * stress / M / (2 / m + 2 * d * d / M), 1e-12);
    }
    mo_world_destroy(w);
}

static void reasons_are_told(void **state)
{
    (void)state;
    const mo_law laws[2] = {{.threshold = 1}, {.rolling = 0.01}};
    const char *const words[2] = {"threshold", "rolling"};
    for (int k = 0; k < 2; k++) {
        mo_world *w = make_world(H, G);
        add_floor(w, 0);
        add_disc(w, 0, 0.1, 0.1, 10);
        assert_int_equal(mo_world_set_default_law(w, &laws[k], NULL), MO_OK);
        mo_world_keep_problem(w, true);
        run_steps(w, 1, true);
        assert_null(mo_world_problem(w, NULL, NULL));
        assert_non_null(strstr(mo_world_no_problem(w), words[k]));
        mo_world_keep_problem(w, false);
        assert_null(mo_world_no_problem(w));
        mo_world_destroy(w);
    }
}

static void kept_only_when_asked(void **state)
{
    (void)state;
    mo_world *w = make_world(H, G);
    const double *r, *u;
    assert_null(mo_world_problem(w, &r, &u));
    add_disc(w, 0, 5, 0.1, 10);
    // no contacts: a problem without contacts
    assert_int_equal(step(w, &r, &u)->contacts, 0);
    mo_world_keep_problem(w, false);
    assert_null(mo_world_problem(w, NULL, NULL));
    run_steps(w, 1, true);
    assert_null(mo_world_problem(w, NULL, NULL));
    mo_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disc_on_slope),
        cmocka_unit_test(stacked_boxes),
        cmocka_unit_test(momentum_without_friction),
        cmocka_unit_test(momentum_with_friction),
        cmocka_unit_test(pairs_in_a_cell),
        cmocka_unit_test(reasons_are_told),
        cmocka_unit_test(kept_only_when_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
