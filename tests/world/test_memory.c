/*
 * What bodies and contacts hold only where it is needed, or share, looks as if everybody had it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include <moreau/world.h>

static void must(mo_status s)
{
    assert_int_equal(s, MO_OK);
}

static mo_world *make_space(void)
{
    mo_world_def def = mo_default_world_def();
    mo_world *w;
    def.dim = 3;
    def.gravity[2] = -9.81;
    def.solver.name = MO_SOLVER_NLGS;
    must(mo_world_create(&def, &w, NULL));
    const mo_law law = {.friction = 0.5};
    must(mo_world_set_default_law(w, &law, NULL));
    return w;
}

static mo_body add(mo_world *w, mo_shape_def shape, double x, double z)
{
    mo_body_def def = mo_default_body_def();
    mo_body body;
    def.shape = shape;
    def.kind = shape.kind == MO_SHAPE_PLANE ? MO_BODY_FIXED : MO_BODY_DYNAMIC;
    def.density = def.kind == MO_BODY_DYNAMIC ? 1000 : 0;
    def.position[0] = x;
    def.position[2] = z;
    must(mo_body_create(w, &def, &body, NULL));
    return body;
}

static mo_shape_def sphere(double r)
{
    return (mo_shape_def){.kind = MO_SHAPE_SPHERE, .radius = r};
}

static mo_shape_def box(double side)
{
    return (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {side, side, side}};
}

enum { KINDS = 5, BODIES = 12 };

/* what body number i of a mixed lot is; neighbours are often alike */
static mo_shape_def shape_of(int i)
{
    const int kind[BODIES] = {0, 1, 1, 1, 2, 2, 0, 3, 3, 1, 2, 4};
    const mo_shape_def shape[KINDS] = {{.kind = MO_SHAPE_PLANE, .normal = {0, 0, 1}},
                                       sphere(0.1 + 0.01 * i),
                                       box(0.2),
                                       {.kind = MO_SHAPE_CAPSULE, .radius = 0.05, .height = 0.1},
                                       box(0.3)};
    return shape[kind[i]];
}

/* vertices of every body that is left are those that it has alone in a world */
static void check_vertices(const mo_world *w, const int *left, size_t count)
{
    const mo_bodies all = mo_world_bodies(w);
    assert_int_equal(all.count, count);
    for (size_t slot = 0; slot < count; slot++) {
        mo_world *alone = make_space();
        mo_body_raw here, there;
        add(alone, shape_of(left[slot]), 0, 0);
        mo_body_raw_get(w, slot, &here);
        mo_body_raw_get(alone, 0, &there);
        assert_int_equal(here.vertex_count, there.vertex_count);
        if (here.vertex_count > 0)
            assert_memory_equal(here.vertices, there.vertices, 3 * here.vertex_count * sizeof(double));
        assert_true(here.vertices == NULL || here.vertices == all.vertices + 3 * all.vertex_first[slot]);
        mo_world_destroy(alone);
    }
}

static void shared_vertices_outlive_those_who_go(void **state)
{
    (void)state;
    // in all orders that a step of 1, 5, 7 or 11 through the bodies makes, from any first one
    const int step[4] = {1, 5, 7, 11};
    for (int order = 0; order < 4 * BODIES; order++) {
        mo_world *w = make_space();
        mo_body body[BODIES];
        int left[BODIES];
        for (int i = 0; i < BODIES; i++) {
            body[i] = add(w, shape_of(i), i, 1);
            left[i] = i;
        }
        for (int n = 0; n < BODIES; n++) {
            const int gone = (order / 4 + n * step[order % 4]) % BODIES;
            size_t count = 0;
            must(mo_body_remove(w, body[gone], NULL));
            for (int i = 0; i < BODIES - n; i++)
                if (left[i] != gone)
                    left[count++] = left[i];
            check_vertices(w, left, count);
        }
        // the room is used again
        add(w, shape_of(4), 0, 1);
        check_vertices(w, (const int[]){4}, 1);
        mo_world_destroy(w);
    }
}

static void check_load(const mo_world *w, mo_body body, const double load[6])
{
    mo_body_state s;
    const double *all = mo_world_loads(w);
    must(mo_body_get(w, body, &s, NULL));
    assert_memory_equal(s.applied_force, load, 3 * sizeof *load);
    assert_memory_equal(s.applied_torque3, load + 3, 3 * sizeof *load);
    assert_memory_equal(all + 6 * mo_world_slot(w, body), load, 6 * sizeof *load);
}

static void loads_are_0_until_there_are_some(void **state)
{
    (void)state;
    const double none[6] = {0}, some[6] = {1, 2, 3, 4, 5, 6};
    for (int asked = 0; asked < 2; asked++) {
        mo_world *w = make_space();
        mo_body a = add(w, sphere(0.1), 0, 1), b = add(w, sphere(0.2), 1, 1);
        if (asked)
            check_load(w, a, none);
        must(mo_body_set_load(w, b, none, NULL));
        must(mo_body_set_load(w, b, some, NULL));
        mo_body c = add(w, box(0.1), 2, 1);
        check_load(w, a, none);
        check_load(w, b, some);
        check_load(w, c, none);
        must(mo_body_remove(w, a, NULL));
        check_load(w, b, some);
        // a free body under gravity and a force: one step of h (g + F/m)
        must(mo_world_step(w, NULL));
        const mo_bodies all = mo_world_bodies(w);
        const double h = mo_world_info_get(w).h, m = all.mass[0];
        assert_true(fabs(all.u[0] - h * 1 / m) <= 1e-15);
        assert_true(fabs(all.u[2] - h * (3 / m - 9.81)) <= 1e-15);
        assert_true(all.u[6] == 0 && all.u[9] == 0);
        mo_world_destroy(w);
    }
}

static void a_state_with_a_load_brings_it(void **state)
{
    (void)state;
    const double none[6] = {0}, some[6] = {0, 0, 7, 0, 8, 0};
    mo_world *w = make_space();
    mo_body a = add(w, box(0.1), 0, 1), b = add(w, box(0.1), 1, 1);
    mo_body_state s;
    must(mo_body_get(w, a, &s, NULL));
    must(mo_body_set(w, a, &s, NULL));
    check_load(w, a, none);
    s.applied_force[2] = 7;
    s.applied_torque3[1] = 8;
    must(mo_body_set(w, a, &s, NULL));
    check_load(w, a, some);
    check_load(w, b, none);
    mo_world_destroy(w);
}

/* contacts begin to remember in a world that runs, and stop again */
static void laws_with_memory_come_and_go(void **state)
{
    (void)state;
    const mo_law plain = {.friction = 0.5}, gluey = {.friction = 0.5, .gluey = true};
    mo_world *w = make_space();
    add(w, shape_of(0), 0, 0);
    for (int i = 0; i < 5; i++)
        add(w, sphere(0.1), i, 0.1);
    for (int round = 0; round < 3; round++) {
        must(mo_world_set_default_law(w, &plain, NULL));
        assert_null(mo_world_contacts(w).memory);
        for (int i = 0; i < 3; i++)
            must(mo_world_step(w, NULL));
        assert_int_equal(mo_world_contacts(w).count, 5);
        must(mo_world_set_default_law(w, &gluey, NULL));
        for (int i = 0; i < 5; i++)
            assert_true(mo_world_contacts(w).memory[i] == 0);
        must(mo_world_step(w, NULL));
        assert_non_null(mo_world_contacts(w).memory);
    }
    mo_world_destroy(w);
}

/* spheres that rest on the ground, each with one contact, beside a layer without any: a contact may not take
   more than 220 bytes, a sphere not more than 640 without it */
static void a_sphere_takes_few_bytes(void **state)
{
    (void)state;
    enum { SIDE = 100, COUNT = 2 * SIDE * SIDE };
    mo_world *w = make_space();
    add(w, shape_of(0), 0, 0);
    for (int i = 0; i < COUNT; i++) {
        mo_body_def def = mo_default_body_def();
        mo_body body;
        def.shape = sphere(0.1 + 1e-6 * i);
        def.density = 1000;
        def.position[0] = i % SIDE;
        def.position[1] = i / SIDE % SIDE;
        def.position[2] = i < SIDE * SIDE ? def.shape.radius : 5;
        must(mo_body_create(w, &def, &body, NULL));
    }
    for (int i = 0; i < 3; i++)
        must(mo_world_step(w, NULL));
    assert_int_equal(mo_world_contacts(w).count, SIDE * SIDE);
    assert_true((double)mo_world_info_get(w).bytes <= 640.0 * COUNT + 220.0 * SIDE * SIDE);
    mo_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_vertices_outlive_those_who_go),
        cmocka_unit_test(loads_are_0_until_there_are_some),
        cmocka_unit_test(a_state_with_a_load_brings_it),
        cmocka_unit_test(laws_with_memory_come_and_go),
        cmocka_unit_test(a_sphere_takes_few_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
