/* One set of every kind, each with a membership test written independently of the library. */
#ifndef CONVEX_CATALOGUE_H
#define CONVEX_CATALOGUE_H

#include <math.h>

#include <moreau/convex.h>

enum { DIM_MAX = 8 };

typedef struct entry {
    const char *name;
    mo_set set;
    double (*excess)(const double *x); /* <= 0 inside, at least the distance / 100 outside */
    double precision;                  /* relative, of a nearest point */
} entry;

static inline double max2(double a, double b)
{
    return a > b ? a : b;
}

static const double NORMAL[3] = {1e-5, -2e-5, 2e-5}, CENTRE[3] = {0.3, -0.2, 0.5}, SHIFT[3] = {0.5, -1, 0.25};
static const double LOWER[3] = {-HUGE_VAL, -0.5, 0.1}, UPPER[3] = {0.4, HUGE_VAL, 0.1};
static const double ORTHANT_LOW[3] = {0, -HUGE_VAL, 0}, ORTHANT_HIGH[3] = {HUGE_VAL, 0, 0};
static const double ROWS[15] = {1, 0.5, 0, 1, -0.5, 0.1, 1, 0, 0.7, 2e6, -1e6, 2e5, 1e-6, 0.2e-6, -0.8e-6};
static const double RHS[5] = {-0.5, -0.4, -0.3, -0.8e6, -0.2e-6};
static const double LINE[9] = {1, 1, 0, 0, 1, -1, 1, 2, -1}, LINE_RHS[3] = {0.5, 0.1, 0.6};

static inline double halfspace_excess(const double *x)
{
    return (0.2 - x[0] + 2 * x[1] - 2 * x[2]) / 3;
}
static inline double affine_excess(const double *x)
{
    return max2(fabs(x[0] + x[1] - 0.5), fabs(x[1] - x[2] - 0.1));
}
static inline double subspace_excess(const double *x)
{
    return max2(fabs(x[0] + x[1]), fabs(x[1] - x[2]));
}
static inline double ball_excess(const double *x)
{
    return sqrt(pow(x[0] - 0.3, 2) + pow(x[1] + 0.2, 2) + pow(x[2] - 0.5, 2)) - 0.4;
}
static inline double box_excess(const double *x)
{
    return max2(max2(x[0] - 0.4, -0.5 - x[1]), fabs(x[2] - 0.1));
}
static inline double orthant_excess(const double *x)
{
    return max2(max2(-x[0], x[1]), fabs(x[2]));
}
static inline double rows_excess(const double *x, double b)
{
    double worst = -HUGE_VAL;
    for (int i = 0; i < 5; i++) {
        const double *a = ROWS + 3 * i;
        double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        worst = max2(worst, (b * RHS[i] - a[0] * x[0] - a[1] * x[1] - a[2] * x[2]) / length);
    }
    return worst;
}
static inline double polyhedron_excess(const double *x)
{
    return rows_excess(x, 1);
}
static inline double rows_cone_excess(const double *x)
{
    return rows_excess(x, 0);
}
static inline double coulomb_excess(const double *x)
{
    return hypot(x[1], x[2]) - 0.6 * x[0];
}
static inline double coulomb_dual_excess(const double *x)
{
    return 0.6 * hypot(x[1], x[2]) - x[0];
}
static inline double coulomb_polar_excess(const double *x)
{
    return 0.6 * hypot(x[1], x[2]) + x[0];
}
static inline double coulomb2_excess(const double *x)
{
    return fabs(x[1]) - 0.3 * x[0];
}
static inline double coulomb5_excess(const double *x)
{
    return sqrt(x[1] * x[1] + x[2] * x[2] + x[3] * x[3] + x[4] * x[4]) - 2 * x[0];
}
static inline double frictionless_excess(const double *x)
{
    return max2(hypot(x[1], x[2]), -x[0]);
}
static inline double halfspace_cone_excess(const double *x)
{
    return -x[0];
}
static inline double elliptic_excess(const double *x)
{
    return hypot(x[1] / 0.3, x[2] / 1.5) - x[0];
}
static inline double elliptic_dual_excess(const double *x)
{
    return hypot(0.3 * x[1], 1.5 * x[2]) - x[0];
}
static inline double elliptic_polar_excess(const double *x)
{
    return hypot(0.3 * x[1], 1.5 * x[2]) + x[0];
}
static inline double thin_excess(const double *x)
{
    return max2(fabs(x[1]), fabs(x[2]) - 0.5 * x[0]);
}
static inline double thin_dual_excess(const double *x)
{
    return 0.5 * fabs(x[2]) - x[0];
}
static inline double thin_polar_excess(const double *x)
{
    return 0.5 * fabs(x[1]) + x[0];
}
static inline double cylinder_excess(const double *x)
{
    return hypot(x[1], x[2]) - 0.7;
}
static inline double disc_excess(const double *x)
{
    return max2(fabs(x[0] - 0.5), hypot(x[1], x[2]) - 0.7);
}
static inline double translate_excess(const double *x)
{
    return coulomb_excess((double[3]){x[0] - 0.5, x[1] + 1, x[2] - 0.25});
}
static inline double scaled_excess(const double *x)
{
    return ball_excess((double[3]){x[0] / -2.5, x[1] / -2.5, x[2] / -2.5});
}
static inline double product_excess(const double *x)
{
    return max2(max2(coulomb_excess(x), coulomb2_excess(x + 3)), ball_excess(x + 5));
}
static inline double wedges_excess(const double *x)
{
    return max2(polyhedron_excess(x), max2(halfspace_excess(x), x[0] - 0.4));
}
// x - SHIFT in the polyhedron, x / 2 in the half-space, x / -2 in the box, x in a wedge times an interval
static inline double moved_excess(const double *x)
{
    double moved = polyhedron_excess((double[3]){x[0] - 0.5, x[1] + 1, x[2] - 0.25});
    double scaled = max2(halfspace_excess((double[3]){x[0] / 2, x[1] / 2, x[2] / 2}), -x[0] / 2 - 0.4);
    return max2(max2(moved, scaled), max2(coulomb2_excess(x), fabs(x[2]) - 1));
}
static inline double lens_excess(const double *x)
{
    return max2(ball_excess(x), max2(coulomb_excess(x), 0.4 - x[0]));
}

static const mo_set COULOMB[1] = {{.kind = MO_SET_COULOMB, .dim = 3, .friction = 0.6}};
static const mo_set BALL[1] = {{.kind = MO_SET_BALL, .dim = 3, .vector = CENTRE, .radius = 0.4}};
static const mo_set FACTORS[3] = {{.kind = MO_SET_COULOMB, .dim = 3, .friction = 0.6},
                                  {.kind = MO_SET_COULOMB, .dim = 2, .friction = 0.3},
                                  {.kind = MO_SET_BALL, .dim = 3, .vector = CENTRE, .radius = 0.4}};
static const double BELOW_HIGH[3] = {0.4, HUGE_VAL, HUGE_VAL}, NO_LOW[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
static const double AXIS[3] = {2, 0, 0};
static const mo_set WEDGES[3] = {
    {.kind = MO_SET_POLYHEDRON, .dim = 3, .rows = ROWS, .rhs = RHS, .row_count = 5},
    {.kind = MO_SET_HALFSPACE, .dim = 3, .vector = NORMAL, .offset = 0.2e-5},
    {.kind = MO_SET_BOX, .dim = 3, .lower = NO_LOW, .upper = BELOW_HIGH}};
static const mo_set LENS[3] = {{.kind = MO_SET_BALL, .dim = 3, .vector = CENTRE, .radius = 0.4},
                               {.kind = MO_SET_COULOMB, .dim = 3, .friction = 0.6},
                               {.kind = MO_SET_HALFSPACE, .dim = 3, .vector = AXIS, .offset = 0.8}};
static const double ONE = 1, MINUS_ONE = -1;
static const mo_set WEDGE_AND_INTERVAL[2] = {
    {.kind = MO_SET_COULOMB, .dim = 2, .friction = 0.3},
    {.kind = MO_SET_BOX, .dim = 1, .lower = &MINUS_ONE, .upper = &ONE}};
static const mo_set MOVED[4] = {
    {.kind = MO_SET_TRANSLATE, .dim = 3, .vector = SHIFT, .children = &WEDGES[0], .child_count = 1},
    {.kind = MO_SET_SCALED, .dim = 3, .factor = 2, .children = &WEDGES[1], .child_count = 1},
    {.kind = MO_SET_SCALED, .dim = 3, .factor = -2, .children = &WEDGES[2], .child_count = 1},
    {.kind = MO_SET_PRODUCT, .dim = 3, .children = WEDGE_AND_INTERVAL, .child_count = 2}};
static const mo_set ROWS_CONE[1] = {{.kind = MO_SET_POLYHEDRON, .dim = 3, .rows = ROWS, .row_count = 5}};

enum { CATALOGUE_MAX = 32 };

/* Fills the catalogue and returns its length. */
static inline size_t catalogue(entry out[CATALOGUE_MAX])
{
    const entry all[] = {
        {"half-space", mo_set_halfspace(3, NORMAL, 0.2e-5), halfspace_excess, 1e-14},
        {"affine", mo_set_affine(3, 3, LINE, LINE_RHS), affine_excess, 1e-14},
        {"subspace", mo_set_affine(3, 3, LINE, NULL), subspace_excess, 1e-14},
        {"ball", BALL[0], ball_excess, 1e-14},
        {"box", mo_set_box(3, LOWER, UPPER), box_excess, 1e-14},
        {"orthant", mo_set_box(3, ORTHANT_LOW, ORTHANT_HIGH), orthant_excess, 1e-14},
        {"polyhedron", mo_set_polyhedron(3, 5, ROWS, RHS), polyhedron_excess, 1e-14},
        {"polyhedral cone", ROWS_CONE[0], rows_cone_excess, 1e-14},
        {"Coulomb", COULOMB[0], coulomb_excess, 1e-14},
        {"Coulomb, dual", mo_set_coulomb(3, 0.6, MO_CONE_DUAL), coulomb_dual_excess, 1e-14},
        {"Coulomb, polar", mo_set_coulomb(3, 0.6, MO_CONE_POLAR), coulomb_polar_excess, 1e-14},
        {"Coulomb, 2D", mo_set_coulomb(2, 0.3, MO_CONE_SELF), coulomb2_excess, 1e-14},
        {"Coulomb, 5D", mo_set_coulomb(5, 2, MO_CONE_SELF), coulomb5_excess, 1e-14},
        {"Coulomb, no friction", mo_set_coulomb(3, 0, MO_CONE_SELF), frictionless_excess, 1e-14},
        {"its dual", mo_set_coulomb(3, 0, MO_CONE_DUAL), halfspace_cone_excess, 1e-14},
        {"elliptic", mo_set_elliptic(0.3, 1.5, MO_CONE_SELF), elliptic_excess, 1e-13},
        {"elliptic, dual", mo_set_elliptic(0.3, 1.5, MO_CONE_DUAL), elliptic_dual_excess, 1e-13},
        {"elliptic, polar", mo_set_elliptic(0.3, 1.5, MO_CONE_POLAR), elliptic_polar_excess, 1e-13},
        {"elliptic, flat", mo_set_elliptic(0, 0.5, MO_CONE_SELF), thin_excess, 1e-13},
        {"elliptic, flat, dual", mo_set_elliptic(0, 0.5, MO_CONE_DUAL), thin_dual_excess, 1e-13},
        {"elliptic, flat, polar", mo_set_elliptic(0.5, 0, MO_CONE_POLAR), thin_polar_excess, 1e-13},
        {"cylinder", mo_set_cylinder(3, 0.7), cylinder_excess, 1e-14},
        {"disc", mo_set_disc(3, 0.5, 0.7), disc_excess, 1e-14},
        {"translate", mo_set_translate(COULOMB, SHIFT), translate_excess, 1e-14},
        {"scaled", mo_set_scaled(BALL, -2.5), scaled_excess, 1e-14},
        {"product", mo_set_product(3, FACTORS), product_excess, 1e-14},
        {"intersection of polyhedra", mo_set_intersection(3, WEDGES), wedges_excess, 1e-14},
        {"intersection of moved polyhedra", mo_set_intersection(4, MOVED), moved_excess, 1e-14},
        {"intersection, curved", mo_set_intersection(3, LENS), lens_excess, 1e-8},
        {"polar of a Coulomb cone", mo_set_polar(COULOMB), coulomb_polar_excess, 1e-14},
    };
    size_t count = sizeof all / sizeof all[0];
    for (size_t i = 0; i < count; i++)
        out[i] = all[i];
    return count;
}

#endif
