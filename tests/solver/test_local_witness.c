/*
 * Problems without a solution: squeezed bodies are seen for what they are, with a z that the test checks by
 * itself; problems that have a solution, or of which nothing is known, are not accused.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <moreau/problem.h>

#include "core/rng.h"
#include "support/close.h"

enum { MOST = 20, FREEDOMS = 30 };

static double either_way(rng *random)
{
    return 2 * rng_uniform(random) - 1;
}

/* W = G G', G [dim contacts, freedoms]. */
static mo_problem from_jacobian(int dim, size_t contacts, size_t freedoms, const double *G, const double *q,
                                const double *mu)
{
    size_t n = (size_t)dim * contacts;
    double *W = calloc(n * n, sizeof *W);
    mo_problem p;
    assert_non_null(W);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t f = 0; f < freedoms; f++)
                W[n * i + j] += G[freedoms * i + f] * G[freedoms * j + f];
    assert_int_equal(mo_problem_from_dense(dim, contacts, W, q, mu, &p, NULL), MO_OK);
    free(W);
    return p;
}

static mo_problem_info solve(const mo_problem *p, const char *solver, double tol)
{
    double r[3 * MOST] = {0};
    mo_problem_info info;
    mo_solver_settings s = {.tol = tol, .max_iter = 2000};
    assert_int_equal(mo_problem_solve(p, solver, &s, r, NULL, &info, NULL), MO_OK);
    return info;
}

// z found for a problem, and that it is a proof, from the problem alone in another order
static void assert_proved(const mo_problem *p, double *z)
{
    size_t dim = (size_t)p->dim;
    double change[3 * MOST] = {0}, size[3 * MOST] = {0}, load = 0, load_size = 0, largest = 0;
    mo_problem_witness found, again;
    assert_int_equal(mo_problem_find_witness(p, z, &found, NULL), MO_OK);
    assert_true(found.proves);
    assert_int_equal(mo_problem_check_witness(p, z, &again, NULL), MO_OK);
    assert_memory_equal(&found.load, &again.load, sizeof again.load);
    for (size_t c = 0; c < p->contacts; c++) {
        assert_true(z[c] >= 0);
        largest = fmax(largest, z[c]);
        load += z[c] * p->q[dim * c];
        load_size += fabs(z[c] * p->q[dim * c]);
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++)
            for (size_t i = 0; i < dim; i++) {
                change[dim * p->column[k] + i] += z[c] * p->W[dim * dim * k + i];
                size[dim * p->column[k] + i] += fabs(z[c] * p->W[dim * dim * k + i]);
            }
    }
    assert_close(largest, 1, 0);
    assert_close(found.load, load / load_size, 1e-14);
    for (size_t i = 0; i < dim * p->contacts; i++)
        assert_true(fabs(change[i]) <= 2e-14 * size[i]);
}

// a block between two walls that come nearer, each at speed 1 and 2: u_1 + u_2 = -3 whatever the block does
static void squeezed_block(void **state)
{
    (void)state;
    const double G[18] = {1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, 1};
    const double q[6] = {-1, 0.5, 0, -2, 0, 0.25}, mu[2] = {0.5, 0.2};
    mo_problem p = from_jacobian(3, 2, 3, G, q, mu);
    double z[MOST];
    const char *name;
    for (size_t i = 0; (name = mo_problem_solver_name(i)) != NULL; i++)
        for (double tol = 1e-2; mo_solver_suits(name, 3) && tol > 1e-13; tol *= 1e-5) {
            mo_problem_info info = solve(&p, name, tol);
            assert_false(info.solved);
            assert_true(info.witness.proves);
            assert_close(info.witness.load, -1, 1e-15);
            assert_close(info.witness.change, 0, 1e-15);
        }
    assert_proved(&p, z);
    assert_close(z[0], 1, 1e-14);
    assert_close(z[1], 1, 1e-14);
    mo_problem_free(&p);
}

// a block that moves at speed 1 between two walls that come nearer by a millionth of that: impulses of a
// billion times the load make that look like their rounding, but there is a proof that they do not do
static void slightly_squeezed_block(void **state)
{
    (void)state;
    for (int k = 0; k < 60; k++) {
        const double inv_sqrt_m = pow(10, (k % 12 - 6) * 0.25), mu = k % 3 * 0.25, slip = 0.1 * (k % 5);
        const double G[8] = {inv_sqrt_m, 0, 0, inv_sqrt_m, -inv_sqrt_m, 0, 0, -inv_sqrt_m};
        mo_problem p = from_jacobian(2, 2, 2, G, (double[4]){1, slip, -1 - 1e-6, -slip}, (double[2]){mu, mu});
        mo_problem_info info = solve(&p, NULL, 1e-12);
        assert_false(info.solved);
        assert_true(info.witness.proves);
        mo_problem_free(&p);
    }
}

// many bodies in a row between two walls, of which one comes nearer: the velocities add up to what it does,
// and z is the same everywhere.  What a wall does is told through all of them
static void squeezed_row(void **state)
{
    (void)state;
    enum { ROW = 300 };
    static double W[4 * ROW * ROW], q[2 * ROW], mu[ROW], z[ROW];
    for (size_t c = 0; c < ROW; c++) {
        mu[c] = 0.3;
        for (size_t k = 0; k < 2; k++) {
            const size_t i = 2 * c + k;
            W[2 * ROW * i + i] = c == 0 || c + 1 == ROW ? 1 : 2;
            if (c + 1 < ROW)
                W[2 * ROW * i + i + 2] = W[2 * ROW * (i + 2) + i] = -1;
        }
    }
    for (double speed = 1; speed > 1e-4; speed *= 1e-2) {
        q[2 * ROW - 2] = -speed;
        mo_problem p;
        mo_problem_witness found;
        assert_int_equal(mo_problem_from_dense(2, ROW, W, q, mu, &p, NULL), MO_OK);
        assert_int_equal(mo_problem_find_witness(&p, z, &found, NULL), MO_OK);
        assert_true(found.proves);
        for (size_t c = 0; c < ROW; c++)
            assert_close(z[c], 1, 1e-10);
        mo_problem_free(&p);
    }
}

// random bodies held from more sides than they have freedoms, one of the sides by the others: the last
// normal is -(a positive combination of the others), z that combination
static void random_squeezes(void **state)
{
    (void)state;
    rng random = rng_seed(11, 3);
    for (int round = 0; round < 60; round++) {
        int dim = 2 + round % 2;
        size_t d = (size_t)dim, contacts = 3 + (size_t)round % 15, n = d * contacts;
        double G[3 * MOST * FREEDOMS], q[3 * MOST], mu[MOST], z[MOST], load = 0,
                                                                       size = pow(10, round % 9 - 4);
        for (size_t i = 0; i < n * FREEDOMS; i++)
            G[i] = size * either_way(&random);
        for (size_t i = 0; i < n; i++)
            q[i] = either_way(&random);
        for (size_t c = 0; c < contacts; c++)
            mu[c] = rng_uniform(&random);
        double *last = G + (contacts - 1) * d * FREEDOMS;
        for (size_t f = 0; f < FREEDOMS; f++)
            last[f] = 0;
        // weights that are exact, so that W is as good as its rounding
        for (size_t c = 0; c + 1 < contacts; c++) {
            double weight = c % 2 == 0 ? 1 : 0.5;
            load += weight * q[d * c];
            for (size_t f = 0; f < FREEDOMS; f++)
                last[f] -= weight * G[d * c * FREEDOMS + f];
        }
        q[d * (contacts - 1)] = -load - 0.1 - rng_uniform(&random);
        mo_problem p = from_jacobian(dim, contacts, FREEDOMS, G, q, mu);
        assert_proved(&p, z);
        for (size_t c = 0; c + 1 < contacts; c++)
            assert_close(z[c], c % 2 == 0 ? 1 : 0.5, 1e-9);
        assert_close(z[contacts - 1], 1, 1e-9);
        mo_problem_info info = solve(&p, NULL, 1e-8);
        if (info.solved || !info.witness.proves)
            fail_msg("round %d: %g after %s", round, info.reached.residual, info.story);
        // opened by as much there is no proof, and without friction a solution: a convex program's
        q[d * (contacts - 1)] = -load + 0.5;
        memcpy(p.q, q, n * sizeof *q);
        assert_int_equal(mo_problem_find_witness(&p, z, &info.witness, NULL), MO_OK);
        assert_false(info.witness.proves);
        memset(p.mu, 0, contacts * sizeof *p.mu);
        info = solve(&p, NULL, 1e-8);
        if (!info.solved)
            fail_msg("round %d: %g after %s", round, info.reached.residual, info.story);
        mo_problem_free(&p);
    }
}

// nothing moves it: W = 0, pressed and not
static void immovable(void **state)
{
    (void)state;
    double none[36] = {0}, q[6] = {-1, 3, 0, 0.5, 0, 0}, mu[2] = {0.5, 0}, z[MOST];
    mo_problem p;
    assert_int_equal(mo_problem_from_dense(3, 2, none, q, mu, &p, NULL), MO_OK);
    assert_proved(&p, z);
    assert_close(z[0], 1, 0);
    assert_close(z[1], 0, 0);
    assert_true(solve(&p, NULL, 1e-8).witness.proves);
    p.q[0] = 0.25;
    mo_problem_witness found;
    assert_int_equal(mo_problem_find_witness(&p, z, &found, NULL), MO_OK);
    assert_false(found.proves);
    mo_problem_free(&p);
}

/*
 * A point in a wedge with steep friction: a self-stress with tangential parts is a z in K with W z = 0 and
 * z.q < 0, yet the point can slide out with u_N >= 0.  W = G G' with the rows n = (0, ±1), t = (1, 0): forces
 * (1, ±1) along the sides of the friction cones of opposite contacts cancel.
 */
static void self_stress_of_friction_is_no_proof(void **state)
{
    (void)state;
    const double G[8] = {0, 1, 1, 0, 0, -1, -1, 0};
    // z = (1, 1; 1, 1) sums to nothing: n - n, t - t; z.q = -2
    const double q[4] = {0, -1, 0, -1}, mu[2] = {1, 1};
    mo_problem p = from_jacobian(2, 2, 2, G, q, mu);
    double z[MOST], normals[2] = {1, 1};
    mo_problem_witness found;
    assert_int_equal(mo_problem_find_witness(&p, z, &found, NULL), MO_OK);
    assert_false(found.proves);
    assert_int_equal(mo_problem_check_witness(&p, normals, &found, NULL), MO_OK);
    assert_false(found.proves);
    assert_close(found.change, 0, 0);
    assert_false(solve(&p, NULL, 1e-8).witness.proves);
    mo_problem_free(&p);
}

static void false_witnesses(void **state)
{
    (void)state;
    const double G[18] = {1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, 1};
    const double q[6] = {-1, 0.5, 0, -2, 0, 0.25}, mu[2] = {0.5, 0.2};
    const double negative[2] = {1, -1}, half[2] = {1, 0}, off[2] = {1, 1 + 1e-12}, none[2] = {0, 0},
                 good[2] = {3, 3}, bad[2] = {1, strtod("nan", NULL)};
    mo_problem p = from_jacobian(3, 2, 3, G, q, mu);
    mo_problem_witness found;
    mo_error err;
    const double *wrong[] = {negative, half, off, none};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(mo_problem_check_witness(&p, wrong[i], &found, &err), MO_OK);
        assert_false(found.proves);
    }
    assert_int_equal(mo_problem_check_witness(&p, good, &found, &err), MO_OK);
    assert_true(found.proves);
    assert_int_equal(mo_problem_check_witness(&p, bad, &found, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "z");
    assert_int_equal(mo_problem_check_witness(&p, NULL, &found, &err), MO_BAD_INPUT);
    mo_problem_free(&p);
    // the walls go apart
    const double apart[6] = {3, 0.5, 0, -2, 0, 0.25};
    p = from_jacobian(3, 2, 3, G, apart, mu);
    assert_int_equal(mo_problem_check_witness(&p, good, &found, &err), MO_OK);
    assert_false(found.proves);
    mo_problem_free(&p);
}

// one iteration is not enough for a problem that has a solution: not solved, not accused
static void unfinished(void **state)
{
    (void)state;
    rng random = rng_seed(5, 5);
    double G[3 * MOST * FREEDOMS], q[3 * MOST], mu[MOST], r[3 * MOST] = {0};
    for (size_t i = 0; i < 3 * (size_t)MOST * FREEDOMS; i++)
        G[i] = either_way(&random);
    for (size_t i = 0; i < 3 * (size_t)MOST; i++)
        q[i] = either_way(&random);
    for (size_t c = 0; c < MOST; c++)
        mu[c] = 0.3;
    mo_problem p = from_jacobian(3, 9, FREEDOMS, G, q, mu);
    mo_problem_info info;
    mo_solver_settings s = {.tol = 1e-14, .max_iter = 1};
    assert_int_equal(mo_problem_solve(&p, "nlgs", &s, r, NULL, &info, NULL), MO_OK);
    assert_true(!info.solved && !info.witness.proves);
    mo_problem_free(&p);
}

static bool count_looks(void *data)
{
    ++*(long *)data;
    return false;
}

enum { COURSES = 8, BRICKS = 8, WALL = 3 * COURSES * BRICKS, PAIRS = 4 * COURSES * BRICKS };

// rows of G of a contact under a brick, 0.3 by 0.1, of mass 1 (arms over its radius of gyration), at `at`
// from its middle, with the brick beneath, whose middle is `side` to the left, or the ground (NULL)
static void bear(double *upper, double *lower, double at, double side)
{
    const double turn = sqrt(12 / (0.3 * 0.3 + 0.1 * 0.1));
    upper[1] = upper[WALL] = 1;
    upper[2] = turn * at;
    upper[WALL + 2] = turn * 0.05;
    if (lower == NULL)
        return;
    lower[1] = lower[WALL] = -1;
    lower[2] = -turn * (at + side);
    lower[WALL + 2] = turn * 0.05;
}

// bricks in bond, each on four corners; the ground falls away under the right half
static size_t build_wall(double *G, double *q)
{
    static const double at[4] = {-0.15, 0, 0, 0.15};
    size_t contacts = 0;
    for (int course = 0; course < COURSES; course++)
        for (int brick = 0; brick < BRICKS; brick++)
            for (int corner = 0; corner < 4; corner++) {
                const int below = brick - (course % 2 == 0) + corner / 2;
                if (course > 0 && (below < 0 || below >= BRICKS))
                    continue;
                double *row = G + 2 * contacts * WALL, *upper = row + 3 * (BRICKS * course + brick);
                double *lower = course > 0 ? row + 3 * (BRICKS * (course - 1) + below) : NULL;
                bear(upper, lower, at[corner], corner < 2 ? 0.15 : -0.15);
                q[2 * contacts++] = course > 0 ? 0 : (brick < BRICKS / 2 ? -0.01 : 0.04);
            }
    return contacts;
}

// a wall on ground that gives way has a solution, and so many ways to be pressed without moving that Newton's
// method gets lost among them: that nothing is proved is known before that (36 000 looks, not 235 000)
static void settling_wall(void **state)
{
    (void)state;
    static double G[2 * PAIRS * WALL], q[2 * PAIRS], mu[PAIRS], r[2 * PAIRS];
    const size_t contacts = build_wall(G, q);
    for (size_t c = 0; c < contacts; c++)
        mu[c] = 0.6;
    mo_problem p = from_jacobian(2, contacts, WALL, G, q, mu);
    long looks = 0;
    mo_problem_info info;
    mo_solver_settings s = {.tol = 1e-14, .max_iter = 1, .stop = count_looks, .stop_data = &looks};
    assert_int_equal(mo_problem_solve(&p, "nlgs", &s, r, NULL, &info, NULL), MO_OK);
    assert_true(!info.solved && !info.witness.proves);
    assert_in_range(looks, 1, 100000);
    mo_problem_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squeezed_block),  cmocka_unit_test(slightly_squeezed_block),
        cmocka_unit_test(squeezed_row),    cmocka_unit_test(random_squeezes),
        cmocka_unit_test(immovable),       cmocka_unit_test(self_stress_of_friction_is_no_proof),
        cmocka_unit_test(false_witnesses), cmocka_unit_test(unfinished),
        cmocka_unit_test(settling_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
