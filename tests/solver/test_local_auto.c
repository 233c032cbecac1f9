/*
 * What `auto` does with a wall of bricks, where steps with factors are dear: gradients come before them.
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

enum { COURSES = 16, LONG = 12, BRICKS = COURSES * LONG, MOST = 8 * BRICKS, GROUND = BRICKS };

/* A contact of brick a upon brick b (or the ground): rows of G for (v_x, v_y, spin) of each. */
typedef struct touching {
    size_t body[2];
    double G[2][2][3];
} touching;

typedef struct wall {
    touching at[MOST];
    size_t contacts;
    double q[2 * MOST], mu[MOST];
} wall;

static double centre_x(size_t i, size_t k)
{
    return 2 * (double)i + (double)(k % 2);
}

// a contact at (x, y), n towards brick (i, k), of it and of brick b or the ground
static void touch(wall *w, double x, double y, const double n[2], size_t i, size_t k, size_t b)
{
    touching *c = &w->at[w->contacts];
    const double t[2] = {-n[1], n[0]}, *axis[2] = {n, t};
    c->body[0] = LONG * k + i;
    c->body[1] = b;
    for (size_t side = 0; side < 2; side++) {
        if (c->body[side] == GROUND)
            continue;
        const size_t bi = c->body[side] % LONG, bk = c->body[side] / LONG;
        const double sign = side == 0 ? 1 : -1, rx = x - centre_x(bi, bk), ry = y - (double)bk - 0.5;
        for (size_t e = 0; e < 2; e++) {
            c->G[e][side][0] = sign * axis[e][0];
            c->G[e][side][1] = sign * axis[e][1];
            c->G[e][side][2] = sign * (rx * axis[e][1] - ry * axis[e][0]);
        }
    }
    w->mu[w->contacts++] = 0.5;
}

// brick (i, k) upon brick j of the course below, at both ends of what they share
static void lay(wall *w, size_t i, size_t k, size_t j)
{
    const double up[2] = {0, 1}, a = centre_x(i, k), b = centre_x(j, k - 1), y = (double)k;
    touch(w, fmax(a, b) - 1, y, up, i, k, LONG * (k - 1) + j);
    touch(w, fmin(a, b) + 1, y, up, i, k, LONG * (k - 1) + j);
}

static void build(wall *w)
{
    const double up[2] = {0, 1}, right[2] = {1, 0};
    memset(w, 0, sizeof *w);
    for (size_t k = 0; k < COURSES; k++)
        for (size_t i = 0; i < LONG; i++) {
            const double x = centre_x(i, k), y = (double)k;
            for (size_t j = 0; k > 0 && j < LONG; j++)
                if (fabs(centre_x(j, k - 1) - x) < 1.5)
                    lay(w, i, k, j);
            for (int s = -1; k == 0 && s <= 1; s += 2)
                touch(w, x + s, y, up, i, k, GROUND);
            for (int s = 0; i > 0 && s <= 1; s++)
                touch(w, x - 1, y + s, right, i, k, LONG * k + i - 1);
        }
}

// rows e of c and f of d through the bricks they share; bricks 2 by 1 of mass 1: inertia (4 + 1) / 12
static double product(const touching *c, size_t e, const touching *d, size_t f)
{
    const double inverse[3] = {1, 1, 12.0 / 5};
    double sum = 0;
    for (size_t a = 0; a < 2; a++)
        for (size_t b = 0; b < 2; b++)
            for (size_t m = 0; c->body[a] == d->body[b] && m < 3; m++)
                sum += c->G[e][a][m] * inverse[m] * d->G[f][b][m];
    return sum;
}

static void assemble(wall *w, double fall, mo_problem *p)
{
    const size_t n = 2 * w->contacts;
    double *W = calloc(n * n, sizeof *W);
    mo_error err;
    assert_non_null(W);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            W[n * i + j] = product(&w->at[i / 2], i % 2, &w->at[j / 2], j % 2);
        w->q[i] = -fall * (w->at[i / 2].G[i % 2][0][1] + w->at[i / 2].G[i % 2][1][1]);
    }
    assert_int_equal(mo_problem_from_dense(2, w->contacts, W, w->q, w->mu, p, &err), MO_OK);
    free(W);
}

// solved by products with W alone, as mo_problem_certify says, which shares no code with the solvers
static void test_wall(void **state)
{
    (void)state;
    static wall w;
    static double r[2 * MOST];
    mo_problem p;
    mo_problem_info info;
    mo_problem_residual judged;
    mo_solver_settings s = mo_default_solver_settings();
    mo_error err;
    build(&w);
    assemble(&w, 0.01, &p);
    assert_int_equal(mo_problem_solve(&p, NULL, &s, r, NULL, &info, &err), MO_OK);
    assert_int_equal(mo_problem_certify(&p, r, NULL, &judged, &err), MO_OK);
    assert_true(info.solved && judged.residual <= s.tol && judged.residual_fclib <= s.tol);
    assert_non_null(strstr(info.story, "apgd"));
    assert_null(strstr(info.story, "prox"));
    assert_null(strstr(info.story, "newton"));
    mo_problem_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wall)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
