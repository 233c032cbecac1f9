/*
 * Joints and sleep in periodic cells: bodies are joined through faces as in the middle of the plane, and rest
 * there.
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

enum { LINKS = 5, STEPS = 1500 };

static mo_world_def cell_def(int dim, bool periodic)
{
    mo_world_def def = tight_def(1e-3, 0);
    def.dim = dim;
    for (int k = 0; k < dim && periodic; k++) {
        def.periodic[k] = true;
        def.cell_max[k] = 1 + 0.25 * k;
    }
    return def;
}

static mo_body add_ball(mo_world *w, int dim, const double x[3], const double v[3])
{
    mo_body_def def = mo_default_body_def();
    def.shape = (mo_shape_def){.kind = dim == 2 ? MO_SHAPE_DISC : MO_SHAPE_SPHERE, .radius = 0.05};
    def.density = 100;
    memcpy(def.position, x, sizeof def.position);
    memcpy(def.velocity, v, sizeof def.velocity);
    return add_def(w, &def);
}

static mo_status try_join(mo_world *w, mo_joint_kind kind, mo_body a, mo_body b, const double at[3],
                          const double at2[3], mo_error *err)
{
    mo_joint_def def = mo_default_joint_def();
    mo_joint out;
    def.kind = kind;
    def.body1 = a;
    def.body2 = b;
    def.axis[2] = 1;
    def.stiffness = 50;
    memcpy(def.at, at, sizeof def.at);
    memcpy(def.at2, at2, sizeof def.at2);
    return mo_joint_create(w, &def, &out, err);
}

/* a chain of all kinds of joints that flies and turns; its bodies' places at the end and the energy */
static void fly(int dim, bool periodic, double shear, double *places, double energy[2], mo_joint_state *last,
                mo_cell *cell)
{
    static const mo_joint_kind kinds[LINKS - 1] = {MO_JOINT_BALL, MO_JOINT_FIXED, MO_JOINT_DISTANCE,
                                                   MO_JOINT_SPRING};
    mo_world_def def = cell_def(dim, periodic);
    mo_world *w = make_world_def(&def);
    mo_body b[LINKS];
    mo_error err = {0};
    for (int i = 0; i < LINKS; i++) {
        // the third stands beyond the face from the beginning
        const double x[3] = {0.7 + 0.13 * i, 0.6, dim == 3 ? 0.7 : 0};
        const double v[3] = {0.9 + 0.1 * i, 1.1 - 0.5 * i, dim == 3 ? 0.4 * i : 0};
        const double beside[3] = {v[0] - shear * x[1], v[1], v[2]};
        b[i] = add_ball(w, dim, x, beside);
    }
    for (int i = 0; i < LINKS - 1; i++) {
        const double mid[3] = {0.765 + 0.13 * i, 0.6, dim == 3 ? 0.7 : 0};
        const double near[3] = {0.7 + 0.13 * i, 0.62, mid[2]}, far[3] = {0.7 + 0.13 * (i + 1), 0.6, mid[2]};
        const bool two = kinds[i] == MO_JOINT_DISTANCE || kinds[i] == MO_JOINT_SPRING;
        assert_int_equal(try_join(w, kinds[i], b[i], b[i + 1], two ? near : mid, far, &err), MO_OK);
    }
    if (shear != 0)
        assert_int_equal(mo_world_control_cell(w, &(mo_cell_control){.rate = {[1] = shear}}, &err), MO_OK);
    run_steps(w, STEPS, true);
    *cell = mo_world_cell(w);
    for (int i = 0; i < LINKS; i++)
        memcpy(places + 3 * i, state_of(w, b[i]).position, 3 * sizeof *places);
    const mo_energy e = mo_world_info_get(w).energy;
    energy[0] = e.kinetic + e.potential;
    energy[1] = e.balance_error;
    assert_int_equal(mo_joint_get(w, (mo_joint){LINKS - 1}, last, &err), MO_OK);
    mo_world_destroy(w);
}

// both places are the same up to whole edges
static void expect_image(const mo_cell *c, int dim, const double *in, const double *out)
{
    for (int e = dim - 1; e >= 0; e--) {
        // edges lean along x only
        double d = out[e] - in[e];
        if (e == 0)
            d -= c->edges[1] * round((out[1] - in[1]) / c->edges[4]);
        assert_close(d / c->edges[4 * e], round(d / c->edges[4 * e]), 1e-7);
    }
}

/* through faces, and through simple shear, which is another way to write velocities, a chain flies as without
   a cell */
static void chains_fly_through_faces(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        const int dim = 2 + k % 2;
        const bool sheared = k >= 2;
        double in[3 * LINKS], out[3 * LINKS], energy[2][2];
        mo_joint_state spring[2];
        mo_cell cell;
        fly(dim, false, 0, out, energy[1], &spring[1], &cell);
        fly(dim, true, sheared ? 0.7 : 0, in, energy[0], &spring[0], &cell);
        // energies are of the velocities beside the flow; the rule for springs misses as much with a cell as
        // without
        if (!sheared)
            assert_close(energy[0][0], energy[1][0], 1e-9 * energy[1][0]);
        assert_close(energy[0][1], energy[1][1], 1e-9 * energy[1][0]);
        assert_close(spring[0].value, spring[1].value, 1e-7);
        assert_close(spring[0].rate, spring[1].rate, 1e-6);
        assert_close(spring[0].force[0], spring[1].force[0], 1e-5);
        for (int i = 0; i < LINKS; i++)
            expect_image(&cell, dim, in + 3 * i, out + 3 * i);
        // they did leave
        assert_true(out[0] > 1 && in[0] < 1.5);
    }
}

static void what_is_too_long_is_refused(void **state)
{
    (void)state;
    mo_world_def def = cell_def(2, true);
    mo_world *w = make_world_def(&def);
    mo_error err = {0};
    const double still[3] = {0, 0, 0}, x1[3] = {0.1, 0.5, 0}, x2[3] = {0.5, 0.5, 0}, fast[3] = {3, 0, 0};
    mo_body a = add_ball(w, 2, x1, still), b = add_ball(w, 2, x2, fast);
    mo_joint_def rod = mo_default_joint_def();
    mo_joint out;
    rod.kind = MO_JOINT_DISTANCE;
    rod.body1 = a;
    rod.body2 = b;
    memcpy(rod.at, x1, sizeof rod.at);
    memcpy(rod.at2, x2, sizeof rod.at2);
    rod.length = 0.6;
    assert_int_equal(mo_joint_create(w, &rod, &out, &err), MO_BAD_INPUT);
    assert_non_null(strstr(err.message, "half"));
    rod.length = -1;
    rod.limited = true;
    rod.limits[0] = 0;
    rod.limits[1] = 0.7;
    assert_int_equal(mo_joint_create(w, &rod, &out, &err), MO_BAD_INPUT);
    // a weak spring is drawn out until its nearest image would be another
    assert_int_equal(try_join(w, MO_JOINT_SPRING, a, b, x1, x2, &err), MO_OK);
    mo_status s = MO_OK;
    for (int i = 0; i < 1000 && s == MO_OK; i++)
        s = mo_world_step(w, &err);
    assert_int_equal(s, MO_BAD_INPUT);
    assert_non_null(strstr(err.message, "half of the cell"));
    // under a stress a joint has no place, whichever comes first
    const mo_cell_control pressed = {.by_stress = {true}}, stretched = {.rate = {1}};
    assert_int_equal(mo_world_control_cell(w, &pressed, &err), MO_BAD_INPUT);
    assert_non_null(strstr(err.message, "stresses"));
    mo_world_destroy(w);
    w = make_world_def(&def);
    a = add_ball(w, 2, x1, still);
    b = add_ball(w, 2, x2, still);
    assert_int_equal(mo_world_control_cell(w, &pressed, &err), MO_OK);
    assert_int_equal(try_join(w, MO_JOINT_BALL, a, b, x1, x2, &err), MO_BAD_INPUT);
    // nor a joint to the world in any flow
    assert_int_equal(mo_world_control_cell(w, &stretched, &err), MO_OK);
    assert_int_equal(try_join(w, MO_JOINT_BALL, a, (mo_body){0}, x1, x1, &err), MO_BAD_INPUT);
    assert_non_null(strstr(err.message, "two free bodies"));
    mo_world_destroy(w);
}

/* a heap in a channel, some of it across the face */
static mo_world *heap(bool sleeping, mo_body *late)
{
    mo_world_def def = tight_def(1e-3, 9.81);
    def.periodic[0] = true;
    def.cell_max[0] = 0.6;
    def.sleeping = sleeping;
    mo_world *w = make_world_def(&def);
    set_law(w, 0.5, 0, 0);
    add_floor(w, 0);
    for (int row = 0; row < 4; row++)
        for (int i = 0; i < 6; i++)
            *late = add_disc(w, 0.1 * i + 0.05 * (row % 2) + 0.599, 0.05 + 0.0867 * row, 0.05, 1000);
    return w;
}

/* it falls asleep where it rests, sleeps through steps with the same places, and wakes through the face */
static void heaps_sleep_across_faces(void **state)
{
    (void)state;
    mo_body top = {0}, other = {0};
    mo_world *w = heap(true, &top), *awake = heap(false, &other);
    run_steps(w, 900, false);
    run_steps(awake, 900, false);
    assert_int_equal(mo_world_info_get(w).asleep, 24);
    assert_int_equal(mo_world_info_get(awake).asleep, 0);
    assert_close(state_of(w, top).position[1], state_of(awake, other).position[1], 1e-6);
    double before[24], s[4], t[4];
    for (size_t i = 0; i < 24; i++)
        before[i] = mo_world_bodies(w).q[3 * (i + 1)];
    run_steps(w, 100, true);
    for (size_t i = 0; i < 24; i++)
        assert_true(before[i] == mo_world_bodies(w).q[3 * (i + 1)]);
    mo_error err;
    assert_int_equal(mo_measure_contact_count(w), mo_measure_contact_count(awake));
    assert_int_equal(mo_measure_stress(w, NULL, s, &err), MO_OK);
    assert_int_equal(mo_measure_stress(awake, NULL, t, &err), MO_OK);
    assert_close(s[3], t[3], 1e-3 * t[3]);
    // a disc falls onto the heap through the face
    mo_body hit = add_disc(w, 0.599, 0.45, 0.05, 5000);
    set_velocity(w, hit, 0, -3, 0);
    run_steps(w, 60, false);
    assert_true(mo_world_info_get(w).asleep < 24);
    assert_true(mo_world_info_get(w).max_penetration < 1e-3);
    mo_world_destroy(w);
    mo_world_destroy(awake);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_fly_through_faces),
        cmocka_unit_test(what_is_too_long_is_refused),
        cmocka_unit_test(heaps_sleep_across_faces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
