/*
 * Volumes of parts in boxes: closed forms, tiles that add up, and a count of points.
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
#include "measure/volume.h"
#include "support/close.h"

static const double PI = 3.14159265358979323846;

/* faces of a box whose corner k lies at (k & 1, k & 2, k & 4) */
static const uint32_t CUBE[] = {4, 0, 2, 3, 1, 4, 4, 5, 7, 6, 4, 0, 1, 5, 4,
                                4, 2, 6, 7, 3, 4, 0, 4, 6, 2, 4, 1, 3, 7, 5};
static const uint32_t TETRAHEDRON[] = {3, 0, 2, 1, 3, 0, 1, 3, 3, 0, 3, 2, 3, 1, 2, 3};

/* a part with room for its points */
typedef struct trial {
    solid_part part;
    double points[24];
    double volume;
} trial;

static void place(trial *t, const double *points, size_t count, const double q[4], const double at[3])
{
    for (size_t i = 0; i < count; i++) {
        quat_rotate(q, points + 3 * i, t->points + 3 * i);
        vec3_add(at, t->points + 3 * i, t->points + 3 * i);
    }
    t->part.points = t->points;
    t->part.count = count;
}

static void make_long(trial *t, mo_part_kind kind, double r, double length, const double q[4],
                      const double at[3])
{
    const double ends[6] = {0, 0, -length / 2, 0, 0, length / 2}, centre[3] = {0, 0, 0};
    t->part = (solid_part){.kind = kind, .radius = r};
    t->volume = PI * r * r * length + (kind == MO_PART_CYLINDER ? 0 : 4.0 / 3 * PI * r * r * r);
    if (kind == MO_PART_SPHERE)
        t->volume = 4.0 / 3 * PI * r * r * r;
    place(t, kind == MO_PART_SPHERE ? centre : ends, kind == MO_PART_SPHERE ? 1 : 2, q, at);
}

static void make_block(trial *t, double a, double b, double c, const double q[4], const double at[3])
{
    double p[24];
    for (int k = 0; k < 8; k++)
        vec3_set(p + 3 * k, (k & 1 ? a : -a) / 2, (k & 2 ? b : -b) / 2, (k & 4 ? c : -c) / 2);
    t->part = (solid_part){.kind = MO_PART_POLYHEDRON, .faces = CUBE, .face_count = 6};
    t->volume = a * b * c;
    place(t, p, 8, q, at);
}

static double within(const trial *t, double x0, double y0, double z0, double x1, double y1, double z1)
{
    return part_in_box(&t->part, (double[3]){x0, y0, z0}, (double[3]){x1, y1, z1});
}

static const double NONE[4] = {1, 0, 0, 0}, ORIGIN[3] = {0, 0, 0};

/* ---- closed forms ----------------------------------------------------------------------------------------
 */

// volume of a ball's cap of height h
static double cap(double r, double h)
{
    return PI * h * h * (3 * r - h) / 3;
}

static void ball_closed_forms(void **state)
{
    (void)state;
    trial t;
    const double r = 0.7, tol = 1e-12;
    make_long(&t, MO_PART_SPHERE, r, 0, NONE, ORIGIN);
    const double all = t.volume;
    assert_close(within(&t, -1, -1, -1, 1, 1, 1), all, 1e-16);
    assert_close(within(&t, -r, -r, -r, r, r, r), all, 1e-15);
    // halves, quarters and the eighth
    assert_close(within(&t, 0, -1, -1, 1, 1, 1), all / 2, tol);
    assert_close(within(&t, -1, -1, 0, 1, 1, 1), all / 2, tol);
    assert_close(within(&t, 0, 0, -1, 1, 1, 1), all / 4, tol);
    assert_close(within(&t, 0, 0, 0, 1, 1, 1), all / 8, tol);
    // caps along each axis, and a slab
    for (double d = -0.69; d < 0.7; d += 0.23) {
        assert_close(within(&t, d, -1, -1, 1, 1, 1), cap(r, r - d), tol);
        assert_close(within(&t, -1, d, -1, 1, 1, 1), cap(r, r - d), tol);
        assert_close(within(&t, -1, -1, d, 1, 1, 1), cap(r, r - d), tol);
    }
    assert_close(within(&t, -1, -0.2, -1, 1, 0.3, 1), all - cap(r, r - 0.2) - cap(r, r - 0.3), tol);
    // two caps that do not meet, along different axes
    assert_close(within(&t, -1, -1, -1, 0.65, 1, 0.65), all - 2 * cap(r, 0.05), tol);
    // the box inside, and beside; the corner just outside the ball
    assert_close(within(&t, -0.1, -0.2, -0.3, 0.3, 0.2, 0.1), 0.4 * 0.4 * 0.4, tol);
    assert_close(within(&t, 0.71, -1, -1, 1, 1, 1), 0, 0);
    assert_close(within(&t, 0.5, 0.5, -1, 1, 1, 1), 0, tol);
    assert_close(within(&t, 0.405, 0.405, 0.405, 1, 1, 1), 0, tol);
    // a sliver of a box through the middle, whose sides are 1e-9 of the slices' coordinates
    assert_close(within(&t, -1, -1e-9, -1e-9, 1, 1e-9, 1e-9), 2 * r * 4e-18, 1e-6 * r * 8e-18);
}

// scaling and translation change nothing
static void any_size(void **state)
{
    (void)state;
    for (double s = 1e-9; s < 1e10; s *= 1e3) {
        trial t;
        const double at[3] = {3 * s, -2 * s, s}, r = s;
        make_long(&t, MO_PART_SPHERE, r, 0, NONE, at);
        assert_close(within(&t, 3.3 * s, -9 * s, -9 * s, 9 * s, 9 * s, 9 * s) / (s * s * s), cap(1, 0.7),
                     1e-11);
    }
}

static void cylinder_closed_forms(void **state)
{
    (void)state;
    trial t;
    const double r = 0.5, l = 2, tol = 1e-12, lying[4] = {sqrt(0.5), 0, sqrt(0.5), 0};
    make_long(&t, MO_PART_CYLINDER, r, l, NONE, ORIGIN);
    assert_close(within(&t, -1, -1, -1, 1, 1, 1), t.volume, 1e-15);
    assert_close(within(&t, -1, -1, 0.25, 1, 1, 3), t.volume * 0.375, tol);
    // cut along its axis: a circle's segment times its length
    double segment = r * r * acos(0.3 / r) - 0.3 * sqrt(r * r - 0.09);
    assert_close(within(&t, 0.3, -1, -1, 1, 1, 1), segment * l, tol);
    make_long(&t, MO_PART_CYLINDER, r, l, lying, ORIGIN);
    assert_close(within(&t, -2, 0.3, -1, 2, 1, 1), segment * l, tol);
    assert_close(within(&t, -2, -1, 0.3, 0.5, 1, 1), segment * 1.5, tol);
    // at 45 degrees, cut across by the plane through its centre: half, as seen from any side
    const double slant[4] = {cos(PI / 8), sin(PI / 8), 0, 0}, at[3] = {0.1, 0.2, 0.3};
    make_long(&t, MO_PART_CYLINDER, r, l, slant, at);
    assert_close(within(&t, -3, -3, 0.3, 3, 3, 3), t.volume / 2, tol);
    assert_close(within(&t, -3, 0.2, -3, 3, 3, 3), t.volume / 2, tol);
    // the hoof: a plane at 45 degrees through a diameter of an end, volume (2/3) r^2 height with height r
    const double end[3] = {0, -sin(PI / 4), cos(PI / 4)};
    make_long(&t, MO_PART_CYLINDER, r, l, slant, end);
    assert_close(within(&t, -3, -3, -3, 3, 3, 0), 2.0 / 3 * r * r * r, tol);
}

static void capsule_closed_forms(void **state)
{
    (void)state;
    trial t;
    const double r = 0.3, l = 1, tol = 1e-12;
    make_long(&t, MO_PART_CAPSULE, r, l, NONE, ORIGIN);
    assert_close(within(&t, -1, -1, -1, 1, 1, 1), t.volume, 1e-15);
    assert_close(within(&t, -1, -1, 0.6, 1, 1, 1), cap(r, 0.2), tol);
    assert_close(within(&t, -1, -1, 0.1, 1, 1, 1), 2 * PI * r * r * r / 3 + PI * r * r * 0.4, tol);
    double segment = r * r * acos(0.1 / r) - 0.1 * sqrt(r * r - 0.01);
    assert_close(within(&t, 0.1, -1, -1, 1, 1, 1), segment * l + cap(r, 0.2), tol);
}

static void polyhedron_closed_forms(void **state)
{
    (void)state;
    trial t;
    const double corner[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, tol = 1e-15;
    t.part = (solid_part){.kind = MO_PART_POLYHEDRON, .faces = TETRAHEDRON, .face_count = 4};
    place(&t, corner, 4, NONE, ORIGIN);
    assert_close(within(&t, -1, -1, -1, 2, 2, 2), 1.0 / 6, tol);
    // the corner cut off at 1/2, and what is left below; the cube in it
    assert_close(within(&t, 0, 0, 0.5, 1, 1, 1), 1.0 / 48, tol);
    assert_close(within(&t, 0, 0, 0, 1, 1, 0.5), 1.0 / 6 - 1.0 / 48, tol);
    assert_close(within(&t, 0, 0, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3), 1.0 / 27, tol);
    assert_close(within(&t, 0.25, 0.25, 0.25, 1, 1, 1), 1.0 / 384, tol);
    assert_close(within(&t, 0.4, 0.4, 0.4, 1, 1, 1), 0, 0);
    // boxes: faces that coincide, overlap, touch
    make_block(&t, 1, 2, 3, NONE, ORIGIN);
    assert_close(within(&t, -0.5, -1, -1.5, 0.5, 1, 1.5), 6, 1e-14);
    assert_close(within(&t, 0, 0, 0, 5, 5, 5), 0.75, tol);
    assert_close(within(&t, 0.5, -1, -1, 5, 5, 5), 0, 0);
    // a cube on its edge: the prism above its middle
    const double turn[4] = {cos(PI / 8), sin(PI / 8), 0, 0};
    make_block(&t, 1, 1, 1, turn, ORIGIN);
    assert_close(within(&t, -2, -2, 0, 2, 2, 2), 0.5, tol);
    double tip = sqrt(0.5) - 0.5;
    assert_close(within(&t, -2, -2, 0.5, 2, 2, 2), tip * tip, tol);
}

static void thin_parts_have_none(void **state)
{
    (void)state;
    double points[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    solid_part t = {.kind = MO_PART_TRIANGLE, .points = points, .count = 6}, plane = {.kind = MO_PART_PLANE};
    const double min[3] = {-1, -1, -1}, max[3] = {1, 1, 1};
    assert_close(part_in_box(&t, min, max), 0, 0);
    assert_close(part_in_box(&plane, min, max), 0, 0);
}

/* ---- properties -------------------------------------------------------------------------------------------
 */

static void random_trial(rng *g, int kind, trial *t)
{
    double turn[3], q[4], at[3], size[3];
    for (int k = 0; k < 3; k++) {
        turn[k] = 6 * rng_uniform(g) - 3;
        at[k] = 0.6 * rng_uniform(g) - 0.3;
        size[k] = 0.3 + 0.7 * rng_uniform(g);
    }
    quat_exp(turn, q);
    static const mo_part_kind KINDS[] = {MO_PART_SPHERE, MO_PART_CAPSULE, MO_PART_CYLINDER};
    if (kind < 3)
        make_long(t, KINDS[kind], size[0] / 2, size[1], q, at);
    else
        make_block(t, size[0], size[1], size[2], q, at);
}

// boxes of a division of space hold the part together, each no more than its own volume
static void tiles_add_up(void **state)
{
    (void)state;
    enum { TILES = 3 };
    rng g = rng_seed(7, 1);
    for (int n = 0; n < 200; n++) {
        trial t;
        random_trial(&g, n % 4, &t);
        double edge[3][TILES + 1], sum = 0;
        for (int k = 0; k < 3; k++) {
            edge[k][0] = -2, edge[k][TILES] = 2;
            edge[k][1] = 0.4 * rng_uniform(&g) - 0.4;
            edge[k][2] = 0.4 * rng_uniform(&g);
        }
        for (int i = 0; i < TILES * TILES * TILES; i++) {
            const int at[3] = {i % TILES, i / TILES % TILES, i / TILES / TILES};
            double min[3], max[3], most = 1;
            for (int k = 0; k < 3; k++) {
                min[k] = edge[k][at[k]], max[k] = edge[k][at[k] + 1];
                most *= max[k] - min[k];
            }
            double one = part_in_box(&t.part, min, max);
            assert_true(one >= 0 && one <= most * (1 + 1e-12));
            sum += one;
        }
        assert_close(sum, t.volume, 1e-11 * t.volume);
    }
}

// whether a point lies in the part, by its definition
static bool holds(const trial *t, const double x[3])
{
    const solid_part *p = &t->part;
    double axis[3] = {0, 0, 1}, from[3], length = 0;
    vec3_sub(x, p->points, from);
    if (p->kind == MO_PART_POLYHEDRON) {
        bool in = true;
        for (int k = 1; k < 8; k *= 2) {
            double e[3];
            vec3_sub(p->points + 3 * k, p->points, e);
            double s = vec3_dot(from, e) / vec3_dot(e, e);
            in = in && s >= 0 && s <= 1;
        }
        return in;
    }
    if (p->count == 2) {
        vec3_sub(p->points + 3, p->points, axis);
        length = vec3_unit(axis, axis);
    }
    double s = vec3_dot(from, axis);
    if (p->kind == MO_PART_CYLINDER && (s < 0 || s > length))
        return false;
    vec3_add_scaled(from, -fmax(0, fmin(length, s)), axis, from);
    return vec3_norm(from) <= p->radius;
}

// against a count of points that fill the box evenly (a lattice of rank one)
static void counts_agree(void **state)
{
    (void)state;
    enum { POINTS = 40000 };
    rng g = rng_seed(11, 1);
    for (int n = 0; n < 40; n++) {
        trial t;
        random_trial(&g, n % 4, &t);
        double min[3], max[3], x[3], box = 1;
        for (int k = 0; k < 3; k++) {
            min[k] = -0.6 * rng_uniform(&g), max[k] = 0.6 * rng_uniform(&g);
            box *= max[k] - min[k];
        }
        int inside = 0;
        for (int i = 0; i < POINTS; i++) {
            static const double STEP[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
            for (int k = 0; k < 3; k++)
                x[k] = min[k] + (max[k] - min[k]) * fmod(0.5 + (i + 1) * STEP[k], 1);
            inside += holds(&t, x);
        }
        // 4 deviations of independent points; a lattice does better
        double share = part_in_box(&t.part, min, max) / box;
        assert_close(share, inside / (double)POINTS, 4 * sqrt(0.25 / POINTS));
    }
}

static void extents(void **state)
{
    (void)state;
    trial t;
    const double slant[4] = {cos(PI / 8), sin(PI / 8), 0, 0}, at[3] = {1, 2, 3};
    double min[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, max[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    make_long(&t, MO_PART_CYLINDER, 0.5, 2, slant, at);
    part_widen(&t.part, min, max);
    double reach = (1 + 0.5) * sqrt(0.5);
    assert_close(min[0], 0.5, 1e-15);
    assert_close(max[1], 2 + reach, 1e-15);
    assert_close(min[2], 3 - reach, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_closed_forms),
        cmocka_unit_test(any_size),
        cmocka_unit_test(cylinder_closed_forms),
        cmocka_unit_test(capsule_closed_forms),
        cmocka_unit_test(polyhedron_closed_forms),
        cmocka_unit_test(thin_parts_have_none),
        cmocka_unit_test(tiles_add_up),
        cmocka_unit_test(counts_agree),
        cmocka_unit_test(extents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
