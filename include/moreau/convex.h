/*
 * Convex sets of R^n: nearest points, support functions, normal cones; projection onto a polyhedron in a
 * metric.
 *
 * prox(C, z) is the point of C nearest to z.  For a cone P, P* = {y : x.y >= 0 for x in P} is its dual and
 * -P* its polar; z = x + y with x in P, y in the polar and x.y = 0 says x = prox(P, z) (M99 (4)(5)).
 * The mathematics is in docs/theory/convex.md.  Vectors are plain arrays; matrices are row by row.
 */
#ifndef MOREAU_CONVEX_H
#define MOREAU_CONVEX_H

#include <moreau/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- projection onto a polyhedron in a metric --------------------------------------------- */

typedef enum mo_metric_kind {
    MO_METRIC_IDENTITY,
    MO_METRIC_DIAGONAL, /* entries: [n] */
    MO_METRIC_DENSE,    /* entries: [n n]; only j <= i is read */
    MO_METRIC_BANDED,   /* entries: [n (width + 1)]; row i holds M(i, i - width) ... M(i, i) */
    MO_METRIC_BLOCKS,   /* entries: n / width blocks of [width width] along the diagonal; j <= i is read */
    MO_METRIC_SPARSE,   /* entries: [start[n]], compressed rows; only columns j <= i are read */
} mo_metric_kind;

/*
 * A symmetric positive definite matrix M.  Sparse: row i has the entries k, start[i] <= k < start[i + 1], in
 * the columns column[k], which rise within a row; what is right of the diagonal may be given or not, what is
 * left of it must be.  Its factor is sparse too; order and pattern are found once while they stay the same.
 */
typedef struct mo_metric {
    mo_metric_kind kind;
    size_t width; /* banded: entries left of the diagonal; blocks: size of one, a divisor of n */
    const double *entries;
    const size_t *start;    /* sparse: [n + 1], from 0 */
    const uint32_t *column; /* sparse: [start[n]] */
} mo_metric;

/*
 * {x : A x >= b}, the first `equalities` rows with = instead of >=.  Rows may have any length, be repeated,
 * depend on each other or be zero.  Sparse rows: start and column given, row i has the entries A[k] in the
 * columns column[k], start[i] <= k < start[i + 1]; columns rise within a row.  Problems that are sparse and
 * large (docs/theory/convex.md) go to another method, with the same results to a lesser tolerance.
 */
typedef struct mo_polyhedron {
    size_t n, rows, equalities;
    const double *A;        /* [rows n], or [start[rows]] */
    const double *b;        /* [rows]; NULL: 0, a cone */
    const size_t *start;    /* [rows + 1]; NULL: A is dense */
    const uint32_t *column; /* [start[rows]] */
} mo_polyhedron;

typedef enum mo_projection_outcome {
    MO_PROJECTION_SOLVED,    /* x and lambda are the answer: all residuals below are at most 1e-12, or 1e-10
                                by the method for large sparse problems */
    MO_PROJECTION_EMPTY,     /* the set is empty; lambda holds the proof, good to farkas_residual: at most
                                1e-12, or 1e-10, and no point is nearer than empty_radius */
    MO_PROJECTION_UNDECIDED, /* neither: rows at the edge of contradiction, or the cap on iterations met */
} mo_projection_outcome;

/* How a projection went.  Every residual is recomputed from the data. */
typedef struct mo_projection_info {
    mo_projection_outcome outcome;
    int iterations;         /* changes of the active set; large sparse: linear systems solved */
    bool large;             /* done by the method for large sparse problems */
    size_t active_count;    /* rows that hold x; linearly independent (large sparse: perhaps not) */
    const size_t *active;   /* [active_count], kept by the projector until its next call */
    double violation;       /* largest (b_i - a_i.x)+ / scale_i over rows, unit-free, see the theory page */
    double slack;           /* largest |a_i.x - b_i| / scale_i over active rows */
    double stationarity;    /* |M(x - z) - A^T lambda| / sum of lambda_i |a_i|, in the norm of M^-1 */
    double farkas_gap;      /* empty: y.(b - A z), with sum of |y_i| |a_i| = 1 in the norm of M^-1 */
    double farkas_residual; /* empty: |A^T y| in the same norm; 0 up to rounding */
    double empty_radius;    /* empty: no point of the set is nearer to z than this, gap / residual */
} mo_projection_info;

/* Memory and factors for projections.  Allocates when a problem is larger than all before, else never. */
typedef struct mo_projector mo_projector;

mo_status mo_projector_create(mo_projector **out, mo_error *err);
void mo_projector_destroy(mo_projector *projector);

/* The metric of the projections that follow, for problems of n unknowns; copied and factored here.  NULL and
   at first: the identity for any n, and so after a failure.  MO_BAD_INPUT when M is not positive definite to
   rounding. */
mo_status mo_projector_set_metric(mo_projector *projector, size_t n, const mo_metric *metric, mo_error *err);

/*
 * Multipliers to begin the next call of mo_projector_project with, and that one only: those of a problem like
 * it, row by row.  Ignored when its rows are not as many.  Takes the place of the guess.  Results depend on
 * it within their tolerance, and a projector keeps nothing else from one call to the next that they depend
 * on: the same start and the same problem give the same bits.  Copied.  NULL or 0 rows: none.
 */
mo_status mo_projector_set_start(mo_projector *projector, const double *lambda, size_t rows, mo_error *err);
/* Relative residuals with which the next call may be content when the problem is large, and that one only:
   between 0 (all that rounding allows, as without this) and 1e-3.  SOLVED then means ten times this. */
void mo_projector_set_aim(mo_projector *projector, double aim);

/*
 * The x in the set nearest to z in the metric M, and lambda with M(x - z) = A^T lambda, lambda_i >= 0 and
 * zero off the active rows (of any sign for equalities).  When the set is empty lambda is a vector y instead
 * with y_i >= 0 (any sign for equalities), A^T y = 0, b.y > 0, and x is no answer. guess: rows that may be
 * active, from the info of a problem like this one; may be NULL. x [n] may be z itself; lambda [rows] and
 * info may be NULL.
 */
mo_status mo_projector_project(mo_projector *projector, const mo_polyhedron *set, const double *z,
                               const size_t *guess, size_t guess_count, double *x, double *lambda,
                               mo_projection_info *info, mo_error *err);

/* The same in one call; metric NULL is the identity.  info->active is NULL. */
mo_status mo_polyhedron_project(const mo_polyhedron *set, const mo_metric *metric, const double *z, double *x,
                                double *lambda, mo_projection_info *info, mo_error *err);

/* ---- sets ---------------------------------------------------------------------------------- */

typedef enum mo_set_kind {
    MO_SET_HALFSPACE,    /* vector.x >= offset */
    MO_SET_AFFINE,       /* rows x = rhs, rows possibly dependent */
    MO_SET_BALL,         /* |x - vector| <= radius */
    MO_SET_BOX,          /* lower <= x <= upper, componentwise */
    MO_SET_POLYHEDRON,   /* rows x >= rhs; a cone where rhs is NULL */
    MO_SET_COULOMB,      /* |x_T| <= friction x_1, x_T = (x_2, ..., x_n) */
    MO_SET_ELLIPTIC,     /* n = 3: |(x_2 / axes[0], x_3 / axes[1])| <= x_1 */
    MO_SET_CYLINDER,     /* |x_T| <= radius, x_1 free */
    MO_SET_DISC,         /* |x_T| <= radius, x_1 = offset */
    MO_SET_TRANSLATE,    /* child + vector */
    MO_SET_SCALED,       /* factor child */
    MO_SET_PRODUCT,      /* children one after the other */
    MO_SET_INTERSECTION, /* of children, all of dimension n */
    MO_SET_POLAR,        /* {y : x.y <= 0 for x in child}, child a cone */
} mo_set_kind;

typedef enum mo_cone_side { MO_CONE_SELF, MO_CONE_DUAL, MO_CONE_POLAR } mo_cone_side;

/* A set by value.  Arrays and children belong to the caller and must outlive it. */
typedef struct mo_set mo_set;
struct mo_set {
    mo_set_kind kind;
    size_t dim;
    const double *vector;        /* [dim] normal, centre (NULL: 0) or translation */
    const double *lower, *upper; /* [dim] box; may be infinite */
    const double *rows, *rhs;    /* [row_count dim], [row_count]; rhs NULL: 0 */
    size_t row_count;
    double offset, radius, friction, factor;
    double axes[2];    /* elliptic: half axes of the section x_1 = 1, >= 0 */
    mo_cone_side side; /* Coulomb and elliptic: the cone itself, its dual or its polar */
    const mo_set *children;
    size_t child_count;
};

mo_set mo_set_halfspace(size_t dim, const double *normal, double offset);
mo_set mo_set_affine(size_t dim, size_t row_count, const double *rows, const double *rhs);
mo_set mo_set_ball(size_t dim, const double *centre, double radius);
mo_set mo_set_box(size_t dim, const double *lower, const double *upper);
mo_set mo_set_polyhedron(size_t dim, size_t row_count, const double *rows, const double *rhs);
mo_set mo_set_coulomb(size_t dim, double friction, mo_cone_side side);
mo_set mo_set_elliptic(double axis2, double axis3, mo_cone_side side);
mo_set mo_set_cylinder(size_t dim, double radius);
mo_set mo_set_disc(size_t dim, double normal_force, double radius);
mo_set mo_set_translate(const mo_set *child, const double *by);
mo_set mo_set_scaled(const mo_set *child, double factor); /* factor != 0 */
mo_set mo_set_product(size_t child_count, const mo_set *children);
mo_set mo_set_intersection(size_t child_count, const mo_set *children);
mo_set mo_set_polar(const mo_set *cone);

/* MO_BAD_INPUT when a parameter makes no sense (NaN, wrong dimension, radius < 0, ...), naming it. The other
   functions check too. */
mo_status mo_set_check(const mo_set *set, mo_error *err);
/* Whether the parameters make the set a cone with apex 0, or an intersection of half-spaces. */
bool mo_set_is_cone(const mo_set *set);
bool mo_set_is_polyhedral(const mo_set *set);

/*
 * How it went.  All sets are done to rounding, except intersections with a curved member: Dykstra's method,
 * extrapolated, to a relative 1e-10 or better and at most 100000 rounds.  Its certificate: with p_i normal to
 * member i at x_i and z - x = sum p_i, x is the answer when violation and gap are zero.
 */
typedef struct mo_set_info {
    bool converged;   /* false: empty, or the cap was met */
    bool empty;       /* proved empty by a polyhedral part */
    int iterations;   /* rounds of Dykstra's method; 0 where none was needed */
    double violation; /* largest distance of x to a member, or to the set */
    double gap;       /* sum of p_i.(x_i - x), the duality gap */
} mo_set_info;

/* Memory for the functions below; grows with the largest set seen. */
typedef struct mo_set_workspace mo_set_workspace;
mo_status mo_set_workspace_create(mo_set_workspace **out, mo_error *err);
void mo_set_workspace_destroy(mo_set_workspace *workspace);

/* Nearest point; x may be z.  info may be NULL here and below. */
mo_status mo_set_prox(const mo_set *set, const double *z, double *x, mo_set_workspace *workspace,
                      mo_set_info *info, mo_error *err);
mo_status mo_set_distance(const mo_set *set, const double *z, double *distance, mo_set_workspace *workspace,
                          mo_set_info *info, mo_error *err);
/* Whether the distance of x is at most tol, in the units of x. */
mo_status mo_set_contains(const mo_set *set, const double *x, double tol, bool *inside,
                          mo_set_workspace *workspace, mo_error *err);

/*
 * Support function sup {v.x : x in set}, HUGE_VAL when it is not bounded, -HUGE_VAL when the set is empty.
 * Directions within tol |v| of those where it is finite count as such.  For an intersection with a curved
 * member the value is a lower bound, reached to about 1e-8 when info->converged.
 */
mo_status mo_set_support(const mo_set *set, const double *v, double tol, double *value,
                         mo_set_workspace *workspace, mo_set_info *info, mo_error *err);

/*
 * Distance of v to the normal cone of the set at x; x within tol of a border (in the units of x) is on it.  A
 * point farther than tol outside has no normal cone: HUGE_VAL.  Intersections with a curved member: the sum
 * of the members' normal cones, which is the normal cone when their interiors meet.
 */
mo_status mo_set_normal_distance(const mo_set *set, const double *x, const double *v, double tol,
                                 double *distance, mo_set_workspace *workspace, mo_set_info *info,
                                 mo_error *err);

/*
 * Dissipation function phi_1(T) = sup {-S.T : (1, S) in cone} of the section of a cone of impulses (M05 41);
 * T is [dim - 1].  Coulomb, elliptic and polyhedral cones.
 */
mo_status mo_cone_dissipation(const mo_set *cone, const double *T, double *phi, mo_set_workspace *workspace,
                              mo_error *err);

#ifdef __cplusplus
}
#endif
#endif
