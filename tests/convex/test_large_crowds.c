/*
 * Projection onto large sparse polyhedra of discs that must not overlap: jams, regular packings, whole
 * crowds. KKT residuals are recomputed here.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "convex/crowd.h"
#include "convex/one_projector.h"
#include "support/count_allocations.h"

// KKT residuals of a crowd in lengths and multipliers of unit rows
static double crowd_error(const crowd *c)
{
    double *force = crowd_array(2 * c->discs, sizeof(double)), worst = 0;
    for (size_t i = 0; i < c->rows; i++) {
        double slack = -c->b[i];
        for (size_t k = c->start[i]; k < c->start[i + 1]; k++) {
            slack += c->A[k] * c->x[c->column[k]];
            force[c->column[k]] += c->A[k] * c->lambda[i];
        }
        assert_true(c->lambda[i] >= 0);
        worst = fmax(worst, c->lambda[i] > 0 ? fabs(slack) : -slack);
    }
    for (size_t j = 0; j < 2 * c->discs; j++)
        worst = fmax(worst, fabs(c->x[j] - c->z[j] - force[j]));
    free(force);
    return worst;
}

// a step of a crowd, linearised four times over; the systems solved by the last
static int crowd_step(mo_projector *p, crowd *c, double h)
{
    mo_projection_info info = {0};
    assert_int_equal(mo_projector_set_metric(p, 2 * c->discs, NULL, NULL), MO_OK);
    crowd_walk(c, h);
    for (int k = 0; k < 4; k++) {
        crowd_rows(c, 0.25);
        mo_polyhedron set = crowd_set(c);
        assert_int_equal(mo_projector_set_start(p, c->lambda, c->rows, NULL), MO_OK);
        assert_int_equal(mo_projector_project(p, &set, c->z, NULL, 0, c->x, c->lambda, &info, NULL), MO_OK);
        assert_true(info.outcome == MO_PROJECTION_SOLVED && info.large);
        assert_true(crowd_error(c) <= 1e-10);
    }
    memcpy(c->q, c->x, 2 * c->discs * sizeof *c->q);
    return info.iterations;
}

// discs jam around a point: nearly as many contacts as unknowns; the last linearisations are all but the same
static void jam(void **state)
{
    (void)state;
    crowd c = crowd_create(200, 3);
    int solves = 0;
    for (int k = 0; k < 60; k++) {
        int last = crowd_step(projector, &c, 0.1);
        solves += k >= 30 ? last : 0;
    }
    assert_true(solves <= 30 * 25);
    size_t pushing = 0;
    for (size_t i = 0; i < c.rows; i++)
        pushing += c.lambda[i] > 0;
    assert_true(pushing > 350 && c.rows > 450);
    crowd_destroy(&c);
}

// a regular packing: twice as many contacts as the forces can tell apart, all of them touching exactly
static void hyperstatic(void **state)
{
    (void)state;
    crowd c = crowd_create(400, 1);
    for (size_t i = 0; i < 400; i++) {
        c.radius[i] = 0.5;
        c.q[2 * i] = (double)(i % 20) - 10 + 0.5 * (double)(i / 20 % 2);
        c.q[2 * i + 1] = 0.5 + sqrt(0.75) * (double)(i / 20);
    }
    for (int k = 0; k < 3; k++)
        crowd_step(projector, &c, 0.3);
    assert_true(c.rows > 1000);
    crowd_destroy(&c);
}

// the size of whole crowds: 10 000 unknowns, 20 000 rows
static void many_rows(void **state)
{
    (void)state;
    crowd c = crowd_create(5000, 2);
    mo_projection_info info;
    assert_int_equal(mo_projector_set_metric(projector, 2 * c.discs, NULL, NULL), MO_OK);
    crowd_walk(&c, 3);
    crowd_rows(&c, 0.5);
    mo_polyhedron set = crowd_set(&c);
    assert_true(c.rows > 17000);
    assert_int_equal(mo_projector_project(projector, &set, c.z, NULL, 0, c.x, c.lambda, &info, NULL), MO_OK);
    assert_true(info.outcome == MO_PROJECTION_SOLVED && info.active_count > 200);
    assert_true(crowd_error(&c) <= 1e-9);
    assert_true(info.iterations < 200);
    crowd_destroy(&c);
}

static void no_allocation(void **state)
{
    (void)state;
    mo_projector *p;
    crowd c = crowd_create(120, 4);
    assert_int_equal(mo_projector_create(&p, NULL), MO_OK);
    for (int k = 0; k < 60; k++)
        crowd_step(p, &c, 0.1);
    mo_polyhedron set = crowd_set(&c);
    calls = 0;
    for (int k = 0; k < 5; k++) {
        mo_projector_set_start(p, k % 2 ? c.lambda : NULL, c.rows, NULL);
        mo_projector_project(p, &set, c.z, NULL, 0, c.x, c.lambda, NULL, NULL);
    }
    assert_int_equal(calls, 0);
    mo_projector_destroy(p);
    crowd_destroy(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jam),
        cmocka_unit_test(hyperstatic),
        cmocka_unit_test(many_rows),
        cmocka_unit_test(no_allocation),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
