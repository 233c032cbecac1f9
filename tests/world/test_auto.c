/*
 * `auto` in worlds: assemblies on which Gauss-Seidel crawls or runs into cycles are solved at every step,
 * with the same bits for any number of threads.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/rng.h"
#include "support/build.h"
#include "support/close.h"

static mo_world *make(double tol, int threads)
{
    mo_world_def def = mo_default_world_def();
    def.gravity[1] = -9.81;
    def.solver.tol = tol;
    def.threads = threads;
    mo_world *w = make_world_def(&def);
    set_law(w, 0.5, 0, 0);
    return w;
}

// what was done in the steps of a run
typedef struct counts {
    int extrapolated, handed_over;
} counts;

static counts run_counted(mo_world *w, int steps)
{
    counts c = {0, 0};
    for (int i = 0; i < steps; i++) {
        run_steps(w, 1, true);
        mo_solver_info info = mo_world_info_get(w).solver;
        assert_true(info.certificate.residual <= 1e-8);
        c.extrapolated += info.extrapolated > 0 ? 1 : 0;
        c.handed_over += info.handed_over > 0 ? 1 : 0;
    }
    return c;
}

// discs that fall into a box and settle
static mo_world *falling_discs(int n, int threads)
{
    mo_world *w = make(1e-8, threads);
    rng r = rng_seed(1, 1);
    int columns = (int)ceil(sqrt(n));
    double width = columns * 0.0225;
    add_segment(w, 0, 0, width, 0);
    add_segment(w, 0, 0, 0, 4 * width);
    add_segment(w, width, 0, width, 4 * width);
    for (int i = 0; i < n; i++)
        add_disc(w, (i % columns + 0.5) * 0.0225 + 0.001 * (rng_uniform(&r) - 0.5),
                 (i / columns + 0.5) * 0.0225, 0.008 + 0.003 * rng_uniform(&r), 2500);
    return w;
}

/* Sweeps alone miss the tolerance here again and again. */
static void discs_converge_at_every_step(void **state)
{
    (void)state;
    mo_world *w = falling_discs(100, 1);
    counts c = run_counted(w, 400);
    assert_true(c.extrapolated > 0);
    assert_true(c.handed_over > 0);
    assert_int_equal(mo_world_totals_get(w).unconverged_steps, 0);
    mo_world_destroy(w);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) {
        mo_world *w = falling_discs(100, 1 << k);
        counts c = run_counted(w, 200);
        assert_true(c.handed_over > 0);
        hash[k] = mo_world_hash(w);
        assert_int_equal(hash[k], hash[0]);
        mo_world_destroy(w);
    }
}

// impulse that the body made first, the ground, gives upwards, N s
static double ground_impulse(const mo_world *w)
{
    mo_contacts c = mo_world_contacts(w);
    double sum = 0;
    for (size_t i = 0; i < c.count; i++)
        if (c.id1[i] == 1 || c.id2[i] == 1)
            sum += c.impulse[2 * i];
    return sum;
}

/* a tower at rest: the ground carries its weight, the top stays where it is */
static void tower(void **state)
{
    (void)state;
    mo_world *w = make(1e-8, 1);
    mo_body top = {0};
    add_floor(w, 0);
    for (int i = 0; i < 20; i++)
        top = add_box(w, 0, 0.1 * i + 0.05, 0.2, 0.1, 0, 2000);
    run_counted(w, 60);
    double weight = 20 * 2000 * 0.2 * 0.1 * 9.81;
    assert_close(ground_impulse(w), weight * 1e-3, 1e-6 * weight * 1e-3);
    assert_close(state_of(w, top).position[1], 1.95, 1e-8);
    mo_world_destroy(w);
}

static void brick_wall(void **state)
{
    (void)state;
    mo_world *w = make(1e-8, 1);
    add_floor(w, 0);
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++)
            add_box(w, 0.2001 * (j + 0.5 * (i % 2)), 0.1 * i + 0.05, 0.2, 0.1, 0, 2000);
    run_counted(w, 60);
    mo_world_destroy(w);
}

/* voussoirs: a half ring that stands by friction, every impulse of which depends on all others */
static void arch(void **state)
{
    (void)state;
    enum { N = 21 };
    const double pi = 3.14159265358979323846;
    mo_world *w = make(1e-8, 1);
    mo_body key = {0};
    add_floor(w, 0);
    for (int i = 0; i < N; i++) {
        double a = pi * i / N, b = pi * (i + 1) / N;
        const double p[8] = {cos(a),       sin(a),       1.2 * cos(a), 1.2 * sin(a),
                             1.2 * cos(b), 1.2 * sin(b), cos(b),       sin(b)};
        mo_shape_def s = points_shape(MO_SHAPE_POLYGON, p, 4);
        mo_body body = add_shape(w, &s, 0, 0, 0, 2000);
        key = i == N / 2 ? body : key;
    }
    double before = state_of(w, key).position[1];
    run_counted(w, 100);
    assert_close(state_of(w, key).position[1], before, 1e-6);
    mo_world_destroy(w);
}

/* Masses from 1 to 10⁶, growing upwards, and a heavy block on light ones.  The residual sees velocities times
   1/lambda_max, that is times the light masses: of what the heavy ones weigh it tells to 1e-12 10⁶ |S|. */
static void mass_ratios(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        mo_world *w = make(1e-12, 1);
        double weight = 0;
        mo_body top = {0};
        add_floor(w, 0);
        for (int i = 0; i < 8; i++) {
            double density = kind == 0 ? 2 * pow(1e6, i / 7.0) : i == 7 ? 2e6 : 2;
            top = add_box(w, 0, 0.1 * i + 0.05, 0.2, 0.1, 0, density);
            weight += density * 0.2 * 0.1 * 9.81;
        }
        run_counted(w, 60);
        assert_close(ground_impulse(w), weight * 1e-3, 1e-5 * weight * 1e-3);
        assert_close(state_of(w, top).position[1], 0.75, 1e-7);
        mo_world_destroy(w);
    }
}

/* the other names: a disc on a disc on the ground, impulses known */
static void named_solvers(void **state)
{
    (void)state;
    for (int name = 0; name < MO_SOLVER_COUNT; name++) {
        mo_world_def def = mo_default_world_def();
        def.gravity[1] = -9.81;
        def.solver.name = (mo_solver_name)name;
        mo_world *w = make_world_def(&def);
        set_law(w, 0.5, 0, 0);
        add_floor(w, 0);
        add_disc(w, 0, 0.1, 0.1, 1000);
        add_disc(w, 0, 0.25, 0.05, 2000);
        run_steps(w, 5, true);
        double pi = 3.14159265358979323846, mass = 1000 * pi * 0.01 + 2000 * pi * 0.0025;
        assert_close(ground_impulse(w), mass * 9.81e-3, 1e-7 * mass * 9.81e-3);
        mo_world_destroy(w);
    }
    mo_world_def def = mo_default_world_def();
    mo_world *w = NULL;
    mo_error err;
    def.solver.name = MO_SOLVER_COUNT;
    assert_int_equal(mo_world_create(&def, &w, &err), MO_BAD_INPUT);
}

// what bodies 1 to 3, the box, give the others upwards
static double box_impulse(const mo_world *w)
{
    mo_contacts c = mo_world_contacts(w);
    double sum = 0;
    for (size_t i = 0; i < c.count; i++) {
        const double up = c.normal[2 * i + 1] * c.impulse[2 * i] + c.normal[2 * i] * c.impulse[2 * i + 1];
        sum += c.id1[i] <= 3 ? -up : c.id2[i] <= 3 ? up : 0;
    }
    return sum;
}

// momentum upwards of discs of the same mass
static double momentum(const mo_world *w, double mass)
{
    mo_bodies b = mo_world_bodies(w);
    double sum = 0;
    for (size_t i = 0; i < b.count; i++)
        sum += mass * b.u[3 * i + 1];
    return sum;
}

/* Rows of 40 and 39 discs in a box, by turns, each in the hollows of the one below; more than 1024 contacts.
   The box bears their weight.  The steps end well below the tolerance, which at rest takes four sweeps. */
static void many_discs_come_to_rest(void **state)
{
    (void)state;
    const double r = 0.01, g = 9.81, h = 1e-3, tol = 1e-4, mass = 2500 * 3.14159265358979323846 * r * r;
    mo_world *w = make(tol, 1);
    int discs = 0;
    add_segment(w, 0, 0, 80 * r, 0);
    add_segment(w, 0, 0, 0, 60 * r);
    add_segment(w, 80 * r, 0, 80 * r, 60 * r);
    for (int j = 0; j < 14; j++)
        for (int i = 0; i < 40 - j % 2; i++, discs++)
            add_disc(w, (2 * i + 1 + j % 2) * r, r + j * sqrt(3) * r, r, 2500);
    run_steps(w, 300, true);
    assert_true(mo_world_info_get(w).contacts > 1024);
    for (int k = 0; k < 20; k++) {
        const double before = momentum(w, mass), weight = discs * mass * g * h;
        run_steps(w, 1, true);
        mo_solver_info info = mo_world_info_get(w).solver;
        assert_int_equal(info.iterations, 4);
        assert_true(info.certificate.residual <= 0.1 * tol);
        // what it misses is momentum; a thousand sums of rounding
        assert_close(box_impulse(w), weight + momentum(w, mass) - before, 1e-12 * weight);
    }
    mo_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs_converge_at_every_step),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(tower),
        cmocka_unit_test(brick_wall),
        cmocka_unit_test(arch),
        cmocka_unit_test(mass_ratios),
        cmocka_unit_test(named_solvers),
        cmocka_unit_test(many_discs_come_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
