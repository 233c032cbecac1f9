/*
 * Motions in space with closed forms: flight and spin, slope, rolling, collisions, stacks, held freedoms.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/rng.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "support/build.h"
#include "support/close.h"

static const double G = 9.81;

// a world with gravity along -z
static mo_world *make_space(double h, double g, double mu, double restitution, double tangential)
{
    mo_world_def def = tight_def(h, 0);
    def.dim = 3;
    def.gravity[1] = 0;
    def.gravity[2] = -g;
    mo_world *w = make_world_def(&def);
    set_law(w, mu, restitution, tangential);
    return w;
}

static mo_body add_solid(mo_world *w, const mo_shape_def *shape, double x, double y, double z)
{
    mo_body_def def = mo_default_body_def();
    def.shape = *shape;
    def.density = 1000;
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    return add_def(w, &def);
}

static mo_body add_ground(mo_world *w)
{
    mo_body_def def = mo_default_body_def();
    def.kind = MO_BODY_FIXED;
    def.shape = (mo_shape_def){.kind = MO_SHAPE_PLANE, .normal = {0, 0, 1}};
    return add_def(w, &def);
}

static mo_shape_def ball(double r)
{
    return (mo_shape_def){.kind = MO_SHAPE_SPHERE, .radius = r};
}

static mo_shape_def brick(double a, double b, double c)
{
    return (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {a, b, c}};
}

static void push(mo_world *w, mo_body b, const double v[3], const double spin[3])
{
    mo_body_state s = state_of(w, b);
    memcpy(s.velocity, v, sizeof s.velocity);
    memcpy(s.spin3, spin, sizeof s.spin3);
    assert_int_equal(mo_body_set(w, b, &s, NULL), MO_OK);
}

// momentum about the centre, in world axes: about the given axes of a brick its inertias are principal
static void spin_momentum(const mo_body_state *s, double out[3])
{
    double w[3];
    quat_rotate_back(s->orientation, s->spin3, w);
    for (int k = 0; k < 3; k++)
        w[k] *= s->inertia3[k];
    quat_rotate(s->orientation, w, out);
}

// the centre follows the parabola, energy and momentum of the spin stay
static void thrown_brick(void **state)
{
    (void)state;
    const double h = 1e-3, v[3] = {1, -2, 7}, spin[3] = {0.1, 8, 0.2};
    enum { N = 2000 };
    mo_world *w = make_space(h, G, 0, 0, 0);
    mo_shape_def shape = brick(0.1, 0.2, 0.4);
    mo_body b = add_solid(w, &shape, 0, 0, 0);
    push(w, b, v, spin);
    mo_body_state start = state_of(w, b);
    double L0[3], L[3], t = N * h;
    spin_momentum(&start, L0);
    run_steps(w, N, true);
    mo_body_state s = state_of(w, b);
    spin_momentum(&s, L);
    const double tol = N * 3 * 0x1p-53 * 10;
    assert_close(s.position[0], v[0] * t, tol);
    assert_close(s.position[1], v[1] * t, tol);
    assert_close(s.position[2], v[2] * t - 0.5 * G * t * t, tol);
    assert_true(vec3_distance(L, L0) < 1e-12 * vec3_norm(L0));
    assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-9);
    mo_world_destroy(w);
}

// whatever theta is, a free body keeps its momentum
static void any_theta_keeps_momentum(void **state)
{
    (void)state;
    for (double theta = 0.5; theta <= 1; theta += 0.25) {
        mo_world_def def = tight_def(1e-2, 0);
        def.dim = 3;
        def.scheme = MO_SCHEME_MOREAU_JEAN;
        def.theta = theta;
        mo_world *w = make_world_def(&def);
        mo_shape_def shape = {.kind = MO_SHAPE_CYLINDER, .radius = 0.1, .height = 0.5};
        mo_body b = add_solid(w, &shape, 0, 0, 0);
        const double v[3] = {1, 0, 0}, spin[3] = {3, 2, 5};
        push(w, b, v, spin);
        mo_body_state s = state_of(w, b);
        double L0[3], L[3];
        spin_momentum(&s, L0);
        run_steps(w, 100, true);
        s = state_of(w, b);
        spin_momentum(&s, L);
        assert_true(vec3_distance(L, L0) < 1e-13 * vec3_norm(L0));
        assert_close(s.position[0], 1, 1e-13);
        mo_world_destroy(w);
    }
}

/* what a ball does in 0.3 s on the ground whose third inertia is 1 + uneven times the others */
static mo_body_state thrown_ball(mo_scheme scheme, double theta, double uneven)
{
    mo_world_def at = tight_def(1e-3, 0);
    at.dim = 3;
    at.gravity[1] = 0;
    at.gravity[2] = -G;
    at.scheme = scheme;
    at.theta = theta;
    mo_world *w = make_world_def(&at);
    set_law(w, 0.3, 0, 0);
    add_ground(w);
    mo_body_def def = mo_default_body_def();
    def.shape = ball(0.1);
    def.mass = 1;
    def.inertia3[0] = def.inertia3[1] = 0.004;
    def.inertia3[2] = 0.004 * (1 + uneven);
    def.position[2] = 0.1;
    def.velocity[0] = 1;
    def.velocity[1] = 0.7;
    def.spin3[0] = 2, def.spin3[1] = -3, def.spin3[2] = 5;
    def.orientation[1] = 0.5, def.orientation[3] = -0.3;
    mo_body b = add_def(w, &def);
    run_steps(w, 300, true);
    mo_body_state s = state_of(w, b);
    mo_world_destroy(w);
    return s;
}

// balls are turned in a way of their own, one whose inertias differ by 1e-9 like any other body: what that
// gives to the spin, of 12 rad/s at most, turns it by less than 1e-9 12 0.3.  With another theta bodies keep
// their spin along their own axes and balls keep it in space.
static void balls_turn_as_bodies_do(void **state)
{
    (void)state;
    const mo_scheme as[] = {MO_SCHEME_MOREAU, MO_SCHEME_BERNICOT_LEFEBVRE};
    for (size_t k = 0; k < sizeof as / sizeof *as; k++) {
        mo_body_state even = thrown_ball(as[k], 0.5, 0), uneven = thrown_ball(as[k], 0.5, 1e-9);
        for (int i = 0; i < 4; i++)
            assert_close(even.orientation[i], uneven.orientation[i], 4e-9);
        for (int i = 0; i < 3; i++)
            assert_close(even.spin3[i], uneven.spin3[i], 12e-9);
        assert_true(fabs(even.orientation[0]) < 0.9);
    }
}

// the ball comes to roll with (5 v + 2 r n x w)/7, whatever theta is, and keeps its spin about the normal
static void balls_roll_with_any_theta(void **state)
{
    (void)state;
    const double vx = (5 * 1.0 + 2 * 0.1 * -3) / 7, vy = (5 * 0.7 - 2 * 0.1 * 2) / 7;
    const double thetas[] = {0.5, 0.8, 1};
    for (size_t k = 0; k < sizeof thetas / sizeof *thetas; k++) {
        mo_body_state s = thrown_ball(MO_SCHEME_MOREAU_JEAN, thetas[k], 0);
        assert_close(s.spin3[0], -vy / 0.1, 1e-9);
        assert_close(s.spin3[1], vx / 0.1, 1e-9);
        assert_close(s.spin3[2], 5, 1e-12);
    }
}

static double slid(double mu, double seconds, double turn, mo_body_state *end)
{
    const double alpha = 20 * acos(-1.0) / 180, h = 1e-3;
    mo_world_def def = tight_def(h, 0);
    def.dim = 3;
    def.gravity[0] = G * sin(alpha);
    def.gravity[1] = 0;
    def.gravity[2] = -G * cos(alpha);
    mo_world *w = make_world_def(&def);
    set_law(w, mu, 0, 0);
    add_ground(w);
    mo_body_def box = mo_default_body_def();
    box.shape = brick(0.4, 0.3, 0.1);
    box.density = 2000;
    box.position[2] = 0.05;
    box.orientation[0] = cos(turn / 2);
    box.orientation[3] = sin(turn / 2);
    mo_body b = add_def(w, &box);
    run_steps(w, (int)lround(seconds / h), true);
    *end = state_of(w, b);
    mo_world_destroy(w);
    return end->position[0];
}

// sticking is sticking; sliding follows the constant acceleration, whichever way the block lies on the slope
static void block_on_a_slope(void **state)
{
    (void)state;
    const double alpha = 20 * acos(-1.0) / 180;
    for (int k = 0; k < 3; k++) {
        mo_body_state s;
        assert_close(slid(0.37, 2, 0.4 * k, &s), 0, 1e-12);
        assert_close(s.position[1], 0, 1e-12);
        double a = G * (sin(alpha) - 0.35 * cos(alpha));
        assert_close(slid(0.35, 2, 0.4 * k, &s), 0.5 * a * 4, 1e-8);
        assert_close(s.position[2], 0.05, 1e-10);
    }
}

// about z, at the rate given
static mo_status turning(void *data, double t, mo_motion *out, mo_error *err)
{
    (void)err;
    const double omega = *(const double *)data;
    *out = (mo_motion){.q = {0, 0, 0, cos(omega * t / 2), 0, 0, sin(omega * t / 2)},
                       .u = {0, 0, 0, 0, 0, omega}};
    return MO_OK;
}

/* Its distance from the axis after n steps: u_f = omega J q_m with J a quarter turn, so that mid points
   follow q_m' = (1 + h omega J) q_m, and the ends lie h u_f / 2 from them. */
static double carried_out(double r, double x, int n)
{
    return r * (1 + x * x / 4) * pow(1 + x * x, 0.5 * (n - 1));
}

// a block that sticks to a turntable creeps outward at the speed h omega^2 R / 2
static void block_on_a_turntable(void **state)
{
    (void)state;
    double omega = 2;
    const double r = 0.5, seconds = 1;
    for (int n = 250; n <= 500; n *= 2) {
        const double h = seconds / n;
        mo_world *w = make_space(h, G, 1, 0, 0);
        const mo_shape_def table = {.kind = MO_SHAPE_BOX, .size = {3, 3, 0.1}}, block = brick(0.2, 0.2, 0.1);
        add_moved(w, &table, turning, &omega);
        mo_body b = add_solid(w, &block, r, 0, 0.1);
        push(w, b, (double[3]){0, omega * r, 0}, (double[3]){0, 0, omega});
        run_steps(w, n, true);
        mo_body_state s = state_of(w, b);
        const double out = hypot(s.position[0], s.position[1]);
        // velocities to the tolerance of the solve, 1e-12 of g h or so, over a second
        assert_close(out, carried_out(r, h * omega, n), 1e-11);
        // the next term of the series is half of omega^2 h t / 2 relative to the first
        const double creep = h * omega * omega * r / 2 * seconds;
        assert_close(out - r, creep, creep * omega * omega * h * seconds);
        mo_world_destroy(w);
    }
}

// a ball set down sliding rolls in the end with 5/7 of its speed (2/5 m r² about the centre)
static void ball_begins_to_roll(void **state)
{
    (void)state;
    const double r = 0.1, v[3] = {2, 1, 0}, none[3] = {0, 0, 0};
    mo_world *w = make_space(1e-3, G, 0.3, 0, 0);
    mo_shape_def shape = ball(r);
    add_ground(w);
    mo_body b = add_solid(w, &shape, 0, 0, r);
    push(w, b, v, none);
    // slides for 2 v / (7 mu g)
    run_steps(w, 400, true);
    mo_body_state s = state_of(w, b);
    assert_close(s.velocity[0], 2 * 5.0 / 7, 1e-9);
    assert_close(s.velocity[1], 1 * 5.0 / 7, 1e-9);
    assert_close(s.spin3[0], -s.velocity[1] / r, 1e-8);
    assert_close(s.spin3[1], s.velocity[0] / r, 1e-8);
    assert_close(s.spin3[2], 0, 1e-12);
    mo_world_destroy(w);
}

/*
 * Two equal balls: normal velocity -rho times, tangential either reversed by tau or changed by mu times the
 * normal impulse (Foerster et al. 1994).  m' = m/2; a tangential impulse P changes the velocity of the
 * contact points by P (1 + 5/2) / m'.
 */
static void collide_balls(double angle, double rho, double tau, double mu)
{
    const double r = 0.05, speed = 1, h = 1e-5;
    mo_world *w = make_space(h, 0, mu, rho, tau);
    mo_shape_def shape = ball(r);
    mo_body a = add_solid(w, &shape, 0, 0, 0), b = add_solid(w, &shape, 2 * r, 0, 0);
    const double v[3] = {speed * cos(angle), speed * sin(angle) * 0.6, speed * sin(angle) * 0.8},
                 none[3] = {0, 0, 0};
    push(w, a, v, none);
    double m = state_of(w, a).mass;
    run_steps(w, 1, true);
    mo_body_state s = state_of(w, a), t = state_of(w, b);
    // n points along x from a to b
    double P_n = (1 + rho) * speed * cos(angle) * m / 2;
    double stick = (1 + tau) * speed * sin(angle) * m / 2 / 3.5, P_t = fmin(stick, mu * P_n);
    assert_close(t.velocity[0], P_n / m, 1e-4);
    assert_close(t.velocity[1], 0.6 * P_t / m, 1e-4);
    assert_close(t.velocity[2], 0.8 * P_t / m, 1e-4);
    assert_close(s.velocity[1], 0.6 * (speed * sin(angle) - P_t / m), 1e-4);
    // both spins are those of the torque r x P about each centre
    assert_close(s.spin3[2], -0.6 * P_t * r / (0.4 * m * r * r), 1e-2);
    assert_close(t.spin3[2], s.spin3[2], 1e-9);
    mo_world_destroy(w);
}

static void balls_collide(void **state)
{
    (void)state;
    for (double angle = 0; angle < 1.5; angle += 0.25) {
        collide_balls(angle, 0.9, 0.4, 0.2);
        collide_balls(angle, 0.5, 0, 0.1);
        collide_balls(angle, 1, 0, 0);
    }
}

// a tower at rest stays to the last digit that the tolerance leaves, and weighs what it weighs
static void tower_stands(void **state)
{
    (void)state;
    mo_world *w = make_space(2e-3, G, 0.5, 0, 0);
    mo_shape_def shape = brick(0.3, 0.2, 0.1);
    mo_body ground = add_ground(w), top = {0};
    double weight = 0;
    for (int k = 0; k < 10; k++) {
        top = add_solid(w, &shape, 0, 0, 0.05 + 0.1 * k);
        weight += state_of(w, top).mass * G;
    }
    run_steps(w, 500, true);
    mo_body_state s = state_of(w, top);
    assert_close(s.position[0], 0, 1e-9);
    assert_close(s.position[1], 0, 1e-9);
    assert_close(s.position[2], 0.95, 1e-9);
    assert_close(state_of(w, ground).force[2], -weight, 1e-8 * weight);
    assert_true(mo_world_info_get(w).energy.kinetic < 1e-18);
    mo_world_destroy(w);
}

// of a brick that may only turn about z, a torque about z gives torque / I; the rest stays
static void held_freedoms(void **state)
{
    (void)state;
    mo_world *w = make_space(1e-3, G, 0, 0, 0);
    mo_body_def def = mo_default_body_def();
    def.shape = brick(0.1, 0.2, 0.3);
    def.mass = 2;
    def.free = MO_FREE_WZ;
    def.orientation[0] = 0.8;
    def.orientation[1] = 0.6;
    def.applied_torque3[0] = 5;
    def.applied_torque3[2] = 0.3;
    mo_body b = add_def(w, &def);
    // I about the world's z: the brick is turned about x by acos(2 * 0.8² - 1)
    double Iy = 2 * (0.01 + 0.09) / 12, Iz = 2 * (0.01 + 0.04) / 12, c = 0.28, s2 = 1 - c * c;
    double I = Iz * c * c + Iy * s2;
    run_steps(w, 1000, true);
    mo_body_state s = state_of(w, b);
    assert_close(s.spin3[2], 0.3 / I, 1e-9);
    assert_close(s.spin3[0], 0, 1e-9);
    assert_close(s.position[2], 0, 0);
    // half a turn's worth of angle: spin t / 2, about z from where it stood
    double angle = 0.5 * s.spin3[2], q[4] = {cos(angle / 2), 0, 0, sin(angle / 2)}, expected[4];
    quat_multiply(q, def.orientation, expected);
    double dot = 0;
    for (int k = 0; k < 4; k++)
        dot += expected[k] * s.orientation[k];
    assert_close(fabs(dot), 1, 1e-12);
    mo_world_destroy(w);
}

/*
 * A brick one of whose spins is held by a moment about that axis keeps its moments of momentum about the two
 * others, which says all about its motion, and its energy.  A rule of order four misses (speed h/2)⁵ of them
 * at most in each half of a step; a spin that simply stayed would miss a tenth of them.
 */
static void one_spin_held(void **state)
{
    (void)state;
    const double h = 0.01;
    enum { STEPS = 200 };
    for (int held = 0; held < 3; held++) {
        mo_world *w = make_space(h, 0, 0, 0, 0);
        mo_body_def def = mo_default_body_def();
        def.shape = brick(0.1, 0.2, 0.3);
        def.mass = 2;
        def.free = MO_FREE_ALL & ~((unsigned)MO_FREE_WX << held);
        quat_set(def.orientation, 0.9, 0.1, 0.2, 0.3);
        vec3_set(def.spin3, 2, 1, -1.5);
        def.spin3[held] = 0;
        mo_body b = add_def(w, &def);
        mo_body_state start = state_of(w, b);
        double L0[3], L[3], turned = 0, K = mo_world_info_get(w).energy.kinetic, speed = vec3_norm(def.spin3);
        spin_momentum(&start, L0);
        for (int i = 1; i <= STEPS; i++) {
            run_steps(w, 1, true);
            mo_body_state s = state_of(w, b);
            spin_momentum(&s, L);
            assert_close(s.spin3[held], 0, 1e-13 * speed);
            L[held] = L0[held];
            assert_true(vec3_distance(L, L0) <= 2 * i * pow(1.5 * speed * h / 2, 5) * vec3_norm(L0));
            turned = fmax(turned, vec3_distance(s.spin3, def.spin3));
        }
        assert_close(mo_world_info_get(w).energy.kinetic, K, 1e-12 * K);
        assert_true(turned > 0.1 * speed);
        mo_world_destroy(w);
    }
}

enum { SWARM = 10 };

// solids of every kind thrown at each other
static void make_swarm(mo_world *w, rng *r, mo_body *out)
{
    static const double points[] = {0.1, 0, 0, -0.07, 0.08, 0,    -0.07, -0.08,
                                    0,   0, 0, 0.12,  0.02, 0.03, -0.09};
    const mo_shape_def kinds[] = {ball(0.1),
                                  brick(0.2, 0.12, 0.1),
                                  {.kind = MO_SHAPE_CYLINDER, .radius = 0.08, .height = 0.15},
                                  {.kind = MO_SHAPE_CAPSULE, .radius = 0.06, .height = 0.12},
                                  {.kind = MO_SHAPE_CONVEX, .points = points, .point_count = 5}};
    for (int i = 0; i < SWARM; i++) {
        mo_body_def def = mo_default_body_def();
        const double turn = 2.4 * i, z = -1 + 2 * (i + 0.5) / SWARM, s = sqrt(1 - z * z);
        const double from[3] = {s * cos(turn), s * sin(turn), z};
        def.shape = kinds[i % 5];
        def.density = 1000 * exp(4 * rng_uniform(r) - 2);
        for (int k = 0; k < 4; k++)
            def.orientation[k] = rng_uniform(r) - 0.3;
        for (int k = 0; k < 3; k++) {
            def.position[k] = 0.5 * from[k];
            def.velocity[k] = -2 * from[k] + 0.6 * (rng_uniform(r) - 0.5);
            def.spin3[k] = 20 * (rng_uniform(r) - 0.5);
        }
        out[i] = add_def(w, &def);
    }
}

// momentum, and angular momentum about the origin; size: of their terms
static void momenta(const mo_world *w, const mo_body *b, double P[3], double L[3], double *size)
{
    vec3_set(P, 0, 0, 0);
    vec3_set(L, 0, 0, 0);
    *size = 0;
    const mo_bodies all = mo_world_bodies(w);
    for (int i = 0; i < SWARM; i++) {
        mo_body_state s = state_of(w, b[i]);
        double spin[3], moment[3];
        // principal axes are not those of the shape
        quat_multiply(s.orientation, all.axes + 4 * i, s.orientation);
        memcpy(s.inertia3, all.inertia + 3 * i, sizeof s.inertia3);
        spin_momentum(&s, spin);
        vec3_cross(s.position, s.velocity, moment);
        vec3_add_scaled(P, s.mass, s.velocity, P);
        vec3_add_scaled(L, s.mass, moment, L);
        vec3_add(L, spin, L);
        *size += s.mass * vec3_norm(s.velocity) + vec3_norm(spin);
    }
}

// nothing acts on the swarm from outside: both momenta stay, whatever touches and however it slides and
// bounces
static void swarm_keeps_its_momenta(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        rng r = rng_seed(40 + seed, 3);
        mo_world *w = make_space(2e-3, 0, rng_uniform(&r), seed % 2 ? rng_uniform(&r) : 0,
                                 seed % 3 == 0 ? rng_uniform(&r) - 0.5 : 0);
        mo_body b[SWARM];
        double P0[3], L0[3], P[3], L[3], size, later;
        size_t touched = 0;
        make_swarm(w, &r, b);
        momenta(w, b, P0, L0, &size);
        for (int n = 0; n < 300; n++) {
            run_steps(w, 1, false);
            touched += mo_world_info_get(w).contacts;
        }
        momenta(w, b, P, L, &later);
        assert_true(touched > 20);
        // 300 steps with some hundred impulses, each rounded
        assert_true(vec3_distance(P, P0) < 1e-13 * size);
        assert_true(vec3_distance(L, L0) < 1e-12 * size);
        assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-10 * size);
        mo_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swarm_keeps_its_momenta),
        cmocka_unit_test(thrown_brick),
        cmocka_unit_test(any_theta_keeps_momentum),
        cmocka_unit_test(balls_turn_as_bodies_do),
        cmocka_unit_test(balls_roll_with_any_theta),
        cmocka_unit_test(block_on_a_slope),
        cmocka_unit_test(block_on_a_turntable),
        cmocka_unit_test(ball_begins_to_roll),
        cmocka_unit_test(balls_collide),
        cmocka_unit_test(tower_stands),
        cmocka_unit_test(held_freedoms),
        cmocka_unit_test(one_spin_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
