/*
 * Stacks whose floor is taken away fly on together: nothing pushes, every step is solved at little cost, and
 * the centre of mass falls as one body does.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/build.h"
#include "support/close.h"

enum { REST = 100, FLIGHT = 300 };
static const double H = 1e-3, G = 9.81;

static mo_shape_def brick(int dim, bool round)
{
    if (dim == 2)
        return box_shape(0.5, 0.1);
    return round ? (mo_shape_def){.kind = MO_SHAPE_CYLINDER, .radius = 0.2, .height = 0.1}
                 : (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {0.5, 0.4, 0.1}};
}

/* along the normal of a floor that is turned by `angle`, in space about y */
static void stand(mo_body_def *def, int dim, double angle, double height)
{
    def->position[0] = (dim == 2 ? -1 : 1) * height * sin(angle);
    def->position[dim - 1] = height * cos(angle);
    def->angle = angle;
    def->orientation[0] = cos(0.5 * angle);
    def->orientation[2] = sin(0.5 * angle);
}

static void let_go(int dim, bool round, int count, double angle)
{
    mo_world_def def = tight_def(H, 0);
    def.dim = dim;
    def.gravity[dim - 1] = -G;
    def.solver = mo_default_solver_settings();
    mo_world *w = make_world_def(&def);
    set_law(w, 0.5, 0, 0);
    mo_body_def floor = mo_default_body_def();
    floor.kind = MO_BODY_FIXED;
    floor.shape = dim == 2 ? box_shape(5, 0.2) : (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {5, 5, 0.2}};
    stand(&floor, dim, angle, -0.1);
    mo_body ground = add_def(w, &floor), body[6];
    for (int i = 0; i < count; i++) {
        mo_body_def d = mo_default_body_def();
        d.shape = brick(dim, round);
        d.mass = 1 + 0.37 * i;
        stand(&d, dim, angle, 0.05 + 0.1 * i);
        body[i] = add_def(w, &d);
    }
    run_steps(w, REST, true);
    const int64_t before = mo_world_info_get(w).iterations_total;
    double start[6], t = FLIGHT * H;
    for (int i = 0; i < count; i++)
        start[i] = state_of(w, body[i]).position[dim - 1];
    mo_error err;
    assert_int_equal(mo_body_remove(w, ground, &err), MO_OK);
    run_steps(w, FLIGHT, true);
    assert_int_equal(mo_world_info_get(w).unconverged_steps, 0);
    assert_true(mo_world_info_get(w).iterations_total - before < 100 * FLIGHT);
    // gravity at mid step: q_f = q_i + h u_i + h²g/2 exactly; what the rest left of speeds is 1e-8 of g h
    for (int i = 0; i < count; i++)
        assert_close(state_of(w, body[i]).position[dim - 1], start[i] - 0.5 * G * t * t, 1e-6 * G * H * t);
    mo_world_destroy(w);
}

static void stacks_in_flight(void **state)
{
    (void)state;
    for (int count = 2; count <= 6; count += 2)
        for (int k = 0; k < 3; k++) {
            let_go(2, false, count, 0.15 * k);
            let_go(3, false, count, 0.15 * k);
            let_go(3, true, count, 0.15 * k);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_in_flight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
