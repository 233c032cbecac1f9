/*
 * Laws of single contacts: every one that is shipped is complete (SPEC D1), laws that are not are found out,
 * and thresholds and friction that depends on the direction are what an independent minimisation finds.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <moreau/moreau.h>

#include "core/rng.h"
#include "problem/law.h"
#include "solver/contact2d.h"
#include "solver/law_row.h"
#include "support/close.h"

static const double PI = 3.14159265358979323846;

/* ---- completeness ------------------------------------------------------------------------------ */

typedef struct shipped {
    const char *what;
    mo_law law;
    int dims; /* 2D and 3D as bits 1 and 2 */
} shipped;

static const shipped SHIPPED[] = {
    {"frictionless", {.friction = 0}, 3},
    {"Coulomb", {.friction = 0.3}, 3},
    {"strong friction", {.friction = 3}, 3},
    {"static friction", {.friction = 0.3, .static_friction = 0.5}, 3},
    {"two frictions", {.friction = 0.6, .friction2 = 0.2, .axis = {1, 2, 0}}, 2},
    {"across only", {.friction = 0, .friction2 = 0.4, .axis = {0, 1, 0}}, 2},
    {"cohesion", {.friction = 0.4, .cohesion = 10}, 3},
    {"gluey", {.friction = 0.4, .gluey = true}, 3},
    {"threshold", {.threshold = 5}, 3},
    {"threshold and cohesion", {.threshold = 0.1, .cohesion = 2}, 3},
};

static void shipped_are_complete(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof SHIPPED / sizeof *SHIPPED; i++)
        for (int dim = 2; dim <= 3; dim++) {
            const shipped *s = &SHIPPED[i];
            mo_law_report r;
            mo_error err;
            if ((s->dims & (dim - 1)) == 0)
                continue;
            assert_int_equal(mo_law_check(&s->law, dim, 20000, 7, &r, &err), MO_OK);
            if (!r.finite || r.velocity > 1e-11 || r.impulse != 0 || r.power > 1e-11)
                print_error("%s in %dD: velocity %g impulse %g power %g\n", s->what, dim, r.velocity,
                            r.impulse, r.power);
            assert_int_equal(r.samples, 20000);
            assert_true(r.finite);
            assert_true(r.velocity <= 1e-11);
            assert_true(r.impulse == 0);
            assert_true(r.power <= 1e-11);
            assert_int_equal(r.missed, 0);
        }
}

/* ---- laws of one's own ------------------------------------------------------------------------- */

// viscous: S_T = -eta h U_T where the contact pushes, eta = *data
static void viscous_solve(const mo_law_contact *c, const double *b, double *S, void *data)
{
    double drag = *(const double *)data * c->h, k = -b[0];
    S[0] = S[1] = S[c->dim - 1] = 0;
    if (!(k > 0) || c->dim != 2)
        return;
    double s = c->H[3] - c->H[1] * c->H[1] / c->H[0], u = b[1] + c->H[1] * k / c->H[0];
    S[1] = -drag * u / (1 + drag * s);
    if (c->H[1] * S[1] > k)
        S[1] = k / c->H[1];
    S[0] = (k - c->H[1] * S[1]) / c->H[0];
}

static void viscous_miss(const mo_law_contact *c, double rho, const double *U, const double *S, double *miss,
                         void *data)
{
    double drag = *(const double *)data * c->h, z = S[0] - rho * U[0], share = drag / (1 + drag / rho);
    miss[0] = S[0] - fmax(z, 0);
    miss[1] = z > 0 ? (S[1] + drag * U[1]) * (share / (drag > 0 ? drag : 1)) : S[1];
}

// pushes half as much as it should
static void weak_solve(const mo_law_contact *c, const double *b, double *S, void *data)
{
    (void)data;
    memset(S, 0, (size_t)c->dim * sizeof *S);
    S[0] = b[0] < 0 ? -0.5 * b[0] / c->H[0] : 0;
}

// pushes a little although the contact opens
static void distant_solve(const mo_law_contact *c, const double *b, double *S, void *data)
{
    (void)data;
    memset(S, 0, (size_t)c->dim * sizeof *S);
    S[0] = (b[0] < 0 ? -b[0] : 0.1 * b[0]) / c->H[0];
}

// pushes along with the slip
static void driving_solve(const mo_law_contact *c, const double *b, double *S, void *data)
{
    (void)data;
    memset(S, 0, (size_t)c->dim * sizeof *S);
    if (!(b[0] < 0))
        return;
    double k = -b[0], T = 0.1 * k / c->H[0] * (b[1] > 0 ? 1 : -1);
    S[1] = c->H[1] * T > 0.5 * k ? 0.5 * k / c->H[1] : T;
    S[0] = (k - c->H[1] * S[1]) / c->H[0];
}

static void no_miss(const mo_law_contact *c, double rho, const double *U, const double *S, double *miss,
                    void *data)
{
    (void)rho, (void)U, (void)S, (void)data;
    memset(miss, 0, (size_t)c->dim * sizeof *miss);
}

static mo_law_report check_named(const char *name)
{
    mo_law_report r;
    mo_error err;
    mo_law law = {.name = name};
    assert_int_equal(mo_law_check(&law, 2, 5000, 3, &r, &err), MO_OK);
    return r;
}

static void own_laws_are_tried(void **state)
{
    (void)state;
    static double eta = 20;
    const mo_law_ops viscous = {viscous_solve, viscous_miss, NULL, &eta}, weak = {weak_solve, no_miss, 0, 0},
                     distant = {distant_solve, no_miss, NULL, NULL},
                     driving = {driving_solve, no_miss, NULL, NULL};
    mo_error err;
    assert_int_equal(mo_law_register("viscous", &viscous, &err), MO_OK);
    assert_int_equal(mo_law_register("weak", &weak, &err), MO_OK);
    assert_int_equal(mo_law_register("distant", &distant, &err), MO_OK);
    assert_int_equal(mo_law_register("driving", &driving, &err), MO_OK);
    mo_law_report r = check_named("viscous");
    assert_true(r.finite && r.velocity <= 1e-11 && r.impulse == 0 && r.power <= 1e-11);
    assert_true(r.missed < r.samples / 10);
    r = check_named("weak");
    assert_true(r.velocity > 1e-2);
    assert_true(r.b[0] < 0 && r.U[0] < 0);
    r = check_named("distant");
    assert_true(r.impulse > 1e-2);
    assert_true(r.U[0] > 0 && r.S[0] > 0);
    r = check_named("driving");
    assert_true(r.velocity <= 1e-11 && r.impulse == 0 && r.power > 1e-2);
}

// what a caller may do wrong, each with its key
static void wrong_laws(void **state)
{
    (void)state;
    const double nan = (double)NAN;
    const struct {
        mo_law law;
        int dim;
        const char *key, *says;
    } wrong[] = {
        {{.friction = -1}, 2, "friction", ">= 0"},
        {{.friction = nan}, 2, "friction", ">= 0"},
        {{.friction = 0.5, .static_friction = 0.4}, 2, "static_friction", "friction = 0.5"},
        {{.friction2 = 0.5}, 3, "axis", "not zero"},
        {{.friction2 = 0.5, .axis = {1, 0, 0}}, 2, "axis", "3D"},
        {{.friction2 = -0.5, .axis = {1, 0, 0}}, 3, "friction2", ">= 0"},
        {{.friction = 1, .axis = {nan, 0, 0}}, 3, "axis", "direction"},
        {{.static_friction = 1, .friction2 = 0.5, .axis = {1, 0, 0}}, 3, "static_friction", "friction is 0"},
        {{.cohesion = -1}, 2, "cohesion", ">= 0"},
        {{.threshold = HUGE_VAL}, 2, "threshold", ">= 0"},
        {{.name = "nobody"}, 2, "name", "viscous"},
        {{.name = "viscous", .gluey = true}, 2, "gluey", "memory"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        mo_law_report r = {.samples = -5};
        mo_error err = {0};
        assert_int_equal(mo_law_check(&wrong[i].law, wrong[i].dim, 10, 1, &r, &err), MO_BAD_INPUT);
        assert_string_equal(err.key, wrong[i].key);
        assert_non_null(strstr(err.message, wrong[i].says));
        assert_int_equal(r.samples, -5);
    }
    mo_law none = {0};
    mo_law_report r;
    assert_int_equal(mo_law_check(&none, 4, 10, 1, &r, NULL), MO_BAD_INPUT);
}

static void wrong_registrations(void **state)
{
    (void)state;
    char longest[80];
    const mo_law_ops good = {weak_solve, no_miss, NULL, NULL}, bare = {weak_solve, NULL, NULL, NULL};
    mo_error err;
    memset(longest, 'x', sizeof longest);
    longest[64] = '\0';
    assert_int_equal(mo_law_register("", &good, &err), MO_BAD_INPUT);
    assert_int_equal(mo_law_register(NULL, &good, &err), MO_BAD_INPUT);
    assert_int_equal(mo_law_register(longest, &good, &err), MO_BAD_INPUT);
    assert_int_equal(mo_law_register("bare", &bare, &err), MO_BAD_INPUT);
    assert_int_equal(mo_law_register("bare", NULL, &err), MO_BAD_INPUT);
    assert_int_equal(mo_law_register("viscous", &good, &err), MO_BAD_INPUT);
    assert_non_null(strstr(err.message, "already"));
}

/* ---- against minimisation ------------------------------------------------------------------------ */

typedef struct tangential {
    double S[3]; /* A - h h'/H_nn: xx, xy, yy */
    double u[2]; /* u* */
} tangential;

static tangential eliminate(const double H[9], const double b[3])
{
    double k = -b[0], x = H[1] / H[0], y = H[2] / H[0];
    return (tangential){{H[4] - H[1] * x, H[5] - H[1] * y, H[8] - H[2] * y}, {b[1] + x * k, b[2] + y * k}};
}

static double energy(const tangential *q, const double T[2])
{
    return 0.5 * (q->S[0] * T[0] * T[0] + q->S[2] * T[1] * T[1]) + q->S[1] * T[0] * T[1] + q->u[0] * T[0] +
           q->u[1] * T[1];
}

static double at_angle(const tangential *q, const double axes[2], double angle, double T[2])
{
    T[0] = axes[0] * cos(angle);
    T[1] = axes[1] * sin(angle);
    return energy(q, T);
}

// least energy over the ellipse with these half-axes: its middle where it is in, else the edge by search
static void least(const tangential *q, const double axes[2], double T[2])
{
    double det = q->S[0] * q->S[2] - q->S[1] * q->S[1];
    T[0] = (q->S[1] * q->u[1] - q->S[2] * q->u[0]) / det;
    T[1] = (q->S[1] * q->u[0] - q->S[0] * q->u[1]) / det;
    double x = T[0] / axes[0], y = T[1] / axes[1];
    if (x * x + y * y <= 1)
        return;
    double best = 0, width = 2 * PI / 720, low = HUGE_VAL;
    for (int i = 0; i < 720; i++) {
        double e = at_angle(q, axes, i * width, T);
        if (e < low) {
            low = e;
            best = i * width;
        }
    }
    // the derivative changes sign there
    double a = best - width, c = best + width;
    for (int i = 0; i < 100; i++) {
        double m = 0.5 * (a + c);
        double dx = -axes[0] * sin(m), dy = axes[1] * cos(m);
        at_angle(q, axes, m, T);
        double slope = (q->S[0] * T[0] + q->S[1] * T[1] + q->u[0]) * dx +
                       (q->S[1] * T[0] + q->S[2] * T[1] + q->u[1]) * dy;
        if (slope < 0)
            a = m;
        else
            c = m;
    }
    at_angle(q, axes, 0.5 * (a + c), T);
}

// a block with eigenvalues of one order, its coupling weak enough for mu to be told apart
static void mild_block(rng *r, double H[9], double b[3])
{
    double M[9];
    for (int i = 0; i < 9; i++)
        M[i] = (i % 4 == 0 ? 1 : 0) + 0.3 * (2 * rng_uniform(r) - 1);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            H[3 * i + j] = M[3 * i] * M[3 * j] + M[3 * i + 1] * M[3 * j + 1] + M[3 * i + 2] * M[3 * j + 2];
    b[0] = -0.1 - rng_uniform(r);
    b[1] = 2 * (2 * rng_uniform(r) - 1);
    b[2] = 2 * (2 * rng_uniform(r) - 1);
}

static void threshold_is_least_energy(void **state)
{
    (void)state;
    rng r = rng_seed(11, 1);
    int slid = 0, tried = 0;
    for (int i = 0; i < 500; i++) {
        double H[9], b[3], S[3], T[2], L = 0.2 + rng_uniform(&r), axes[2] = {L, L};
        mild_block(&r, H, b);
        tangential q = eliminate(H, b);
        least(&q, axes, T);
        double N = (-b[0] - H[1] * T[0] - H[2] * T[1]) / H[0];
        // without a solution nothing is asked
        if (!(N > 1e-6))
            continue;
        contact3 c;
        contact3_prepare(&c, H, 0.5);
        threshold3_solve(&c, L, b, S);
        assert_close(S[0], N, 1e-9);
        assert_close(S[1], T[0], 1e-9);
        assert_close(S[2], T[1], 1e-9);
        tried++;
        slid += hypot(T[0], T[1]) > 0.999 * L ? 1 : 0;
    }
    assert_true(tried > 250 && slid > 50 && slid < tried);
}

static void threshold_in_the_plane(void **state)
{
    (void)state;
    // H_nn = 2, H_nt = 1, s = 1: k = 2, u* = b_T + 1
    contact2 c = {.H = {2, 1, 1.5}};
    contact2_prepare(&c, 0);
    double S[2], open[2] = {0.1, 5}, stick[2] = {-2, -0.5}, right[2] = {-2, 9}, lifted[2] = {-2, -9};
    threshold2_solve(&c, 0.75, open, S);
    assert_true(S[0] == 0 && S[1] == 0);
    threshold2_solve(&c, 0.75, stick, S);
    assert_close(S[1], -0.5, 1e-15);
    assert_close(S[0], 1.25, 1e-15);
    threshold2_solve(&c, 0.75, right, S);
    assert_close(S[1], -0.75, 1e-15);
    assert_close(S[0], 1.375, 1e-15);
    // the threshold 3 would need S_N = -1/2: it grazes with what leaves S_N = 0
    threshold2_solve(&c, 3, lifted, S);
    assert_close(S[1], 2, 1e-15);
    assert_close(S[0], 0, 1e-13);
    assert_true(S[0] > 0);
    row_law law = {.limit = 3};
    double U[2] = {0, -9 + S[0] + 1.5 * S[1]}, miss[3];
    law_miss(2, &law, 0.5, U, S, miss);
    assert_close(hypot(miss[0], miss[1]), 0, 1e-13);
    // not so where it pushes, opens, or is drawn along by friction
    const double pushing[2] = {1, 2}, opening[2] = {0.3, U[1]}, along[2] = {0, 2};
    law_miss(2, &law, 0.5, U, pushing, miss);
    assert_close(hypot(miss[0], miss[1]), 1, 1e-13);
    law_miss(2, &law, 0.5, opening, S, miss);
    assert_close(hypot(miss[0], miss[1]), 0.15, 1e-13);
    law_miss(2, &law, 0.5, along, S, miss);
    assert_close(hypot(miss[0], miss[1]), 1, 1e-13);
}

// S_T is least over the ellipse of its own S_N: found by repetition
static void two_frictions_are_least_energy(void **state)
{
    (void)state;
    rng r = rng_seed(5, 2);
    int slid = 0;
    for (int i = 0; i < 300; i++) {
        double H[9], b[3], T[2] = {0, 0}, S[3], mu = 0.2 + 0.4 * rng_uniform(&r), ratio = rng_uniform(&r);
        mild_block(&r, H, b);
        tangential q = eliminate(H, b);
        double N = 0, before = 1;
        for (int k = 0; k < 400 && fabs(N - before) > 1e-13; k++) {
            before = N;
            N = (-b[0] - H[1] * T[0] - H[2] * T[1]) / H[0];
            const double axes[2] = {mu * N, ratio * mu * N};
            least(&q, axes, T);
        }
        double scaled[9], bs[3] = {b[0], b[1], ratio * b[2]};
        for (int k = 0; k < 9; k++)
            scaled[k] = H[k] * (k % 3 == 2 ? ratio : 1) * (k / 3 == 2 ? ratio : 1);
        contact3 c;
        contact3_prepare(&c, scaled, mu);
        contact3_solve(&c, bs, S);
        assert_close(S[0], N, 1e-8);
        assert_close(S[1], T[0], 1e-8);
        assert_close(ratio * S[2], T[1], 1e-8);
        slid += hypot(T[0], T[1] / ratio) > 0.999 * mu * N ? 1 : 0;
    }
    assert_true(slid > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_are_complete),
        cmocka_unit_test(own_laws_are_tried),
        cmocka_unit_test(wrong_laws),
        cmocka_unit_test(wrong_registrations),
        cmocka_unit_test(threshold_is_least_energy),
        cmocka_unit_test(threshold_in_the_plane),
        cmocka_unit_test(two_frictions_are_least_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
