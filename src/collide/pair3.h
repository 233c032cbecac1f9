/*
 * Two placed parts in 3D seen from one of them: what the routines for the pairs of kinds share.
 *
 * f is the part whose own frame everything is computed in, g the other.  Coordinates are those of f's frame
 * relative to f's first vertex, so that gaps carry the rounding of the shapes' size, not of where they are in
 * the world.  Normals in here point from f to g.
 *
 * A part is a polytope (point, segment, triangle, polyhedron) with a rounding radius r (sphere, capsule), or
 * a cylinder.  With s_A(n) = max of n.x over A, the separation of f and g along a unit vector n is
 *
 *     F(n) = min over g of n.y  -  max over f of n.x  =  -s_g(-n) - s_f(n),
 *
 * without the rounding radii, which only shift it.  The signed distance is the largest F(n) over all unit n:
 * apart, by duality; overlapping, because the boundary of g - f nearest to the origin from inside has a
 * tangent plane.  Every n gives a lower bound, so that trying too many directions can do no harm.
 */
#ifndef COLLIDE_PAIR3_H
#define COLLIDE_PAIR3_H

#include "collide/manifold3.h"
#include "math/vec3.h"

/* ---- vectors as values -------------------------------------------------------------------------------- */

typedef struct v3 {
    double v[3];
} v3;

static inline v3 v3_of(const double *x)
{
    return (v3){{x[0], x[1], x[2]}};
}

static inline v3 v3_sub(v3 a, v3 b)
{
    vec3_sub(a.v, b.v, a.v);
    return a;
}

/* a + k b */
static inline v3 v3_along(v3 a, double k, v3 b)
{
    vec3_add_scaled(a.v, k, b.v, a.v);
    return a;
}

static inline v3 v3_scale(double k, v3 a)
{
    vec3_scale(k, a.v, a.v);
    return a;
}

static inline double v3_dot(v3 a, v3 b)
{
    return vec3_dot(a.v, b.v);
}

static inline v3 v3_cross(v3 a, v3 b)
{
    v3 c;
    vec3_cross(a.v, b.v, c.v);
    return c;
}

static inline double v3_length(v3 a)
{
    return vec3_norm(a.v);
}

/* a without its part along the unit vector n */
static inline v3 v3_across(v3 a, v3 n)
{
    return v3_along(a, -v3_dot(a, n), n);
}

/* some unit vector across a */
static inline v3 v3_any_across(v3 a)
{
    int least = fabs(a.v[0]) <= fabs(a.v[1]) ? 0 : 1;
    if (fabs(a.v[2]) < fabs(a.v[least]))
        least = 2;
    v3 e = {{least == 0, least == 1, least == 2}}, c;
    vec3_cross(a.v, e.v, c.v);
    vec3_unit(c.v, c.v);
    return c;
}

/* a / |a|; (0, 0, 1) of 0 */
static inline v3 v3_unit(v3 a)
{
    v3 u;
    return vec3_unit(a.v, u.v) > 0 ? u : (v3){{0, 0, 1}};
}

/* sine of an angle above which a cross product is across both its factors to rounding */
#define V3_CROSSING 0.03

/*
 * The unit vector n along d x e, whose sine is so small that rounding turns it by 1e-16 over that: d is a
 * unit vector, and what n has along it is removed.  Nothing but rounding is then left along e, since of that
 * only the sine is across d.
 */
static inline v3 v3_across_first(v3 n, v3 d)
{
    return v3_unit(v3_across(n, d));
}

static inline v3 v3_turn(const double R[9], v3 a)
{
    mat3_apply(R, a.v, a.v);
    return a;
}

static inline v3 v3_turn_back(const double R[9], v3 a)
{
    mat3_apply_transposed(R, a.v, a.v);
    return a;
}

/* ---- a part in the frame of the pair --------------------------------------------------------------------
 */

/* what is worked out once for a part; beyond these numbers it is worked out again when needed */
enum { VIEW_VERTICES = 64, VIEW_FACES = 64 };

typedef struct view3 {
    const placed3 *from;
    bool round;            /* a cylinder */
    double r;              /* rounding radius of a sphere or capsule, m */
    const double *V;       /* first vertex; of a plane: the origin */
    uint32_t n;            /* vertices */
    const uint32_t *faces; /* stream as of a polyhedron; a segment is a face with two corners, both ways */
    uint32_t face_count;
    bool turned; /* g: R and t are those of f otherwise, 1 and 0 */
    double R[9]; /* vertex j is at t + R (V_j - V_0) */
    v3 t;
    const double *sides;   /* what is known of it beforehand, in its own axes; NULL: nothing */
    double reach;          /* largest |coordinate| of V_j - V_0, and a cylinder's radius, m */
    v3 c, a;               /* cylinder: centre and unit axis */
    double h, rc;          /* half its height, its radius, m */
    v3 x[VIEW_VERTICES];   /* vertices, while n <= VIEW_VERTICES */
    v3 normal[VIEW_FACES]; /* unit, outward, once view_keep_normals has been called */
    bool normals_known;
} view3;

typedef struct pair3 {
    view3 f, g;
    double scale;   /* length that rounding errors refer to, m */
    double tol;     /* rounding allowed in a gap, m */
    double r;       /* sum of the rounding radii, m */
    double max_gap; /* m, between the surfaces */
    bool mesh;      /* f is a triangle with neighbours */
} pair3;

/* The pair seen from f. */
void pair3_make(pair3 *k, const placed3 *f, const placed3 *g, double max_gap);

/* Order of two parts that does not depend on how they were passed: < 0 when a comes first, 0: alike. */
int pair3_order(const placed3 *a, const placed3 *b);

/* The vector from the point X of f's frame to the point Y of g's in world axes: exact differences are summed
   with their rounding errors; swapping the parts gives the opposite bits. */
v3 pair3_offset(const placed3 *f, const double *X, const placed3 *g, const double *Y);

/* V_j - V_i in the pair's axes: no rounding from where the part is */
static inline v3 view_between(const view3 *s, uint32_t i, uint32_t j)
{
    return v3_turn(s->R, v3_sub(v3_of(s->V + 3 * (size_t)j), v3_of(s->V + 3 * (size_t)i)));
}

static inline v3 view_vertex(const view3 *s, uint32_t j)
{
    return s->n <= VIEW_VERTICES ? s->x[j] : v3_along(s->t, 1, view_between(s, 0, j));
}

/*
 * top = max of n.x over the part without its rounding radius.  false as soon as it is known to exceed
 * `limit`. *at: the vertex that attains it or exceeds the limit; not written for cylinders.
 */
bool view_top(const view3 *s, v3 n, double limit, double *top, uint32_t *at);

/* one face: where its count stands in the stream, which it is, its unit outward normal */
typedef struct face3 {
    uint32_t at, number;
    v3 normal;
} face3;

/* Works out the normals of all faces, where there are not too many. */
void view_keep_normals(view3 *s);

/* Outward unit normal of the face at `at`; 0 when it has fewer than three corners or no area. */
v3 view_face_normal(const view3 *s, uint32_t at, uint32_t number);

/* Walks over the faces of three and more corners: start with {.at = 0, .number = 0} and first = true. */
bool view_next_face(const view3 *s, face3 *face, bool first);

/* an edge by its ends, from < to */
typedef struct edge3 {
    uint32_t from, to;
    uint32_t at, number, corner; /* where the walk is: face in the stream, which it is, next corner */
} edge3;

/* Walks over the edges, each once: start with {0} and first = true. */
bool view_next_edge(const view3 *s, edge3 *edge, bool first);

/* directions of edges: a part with more than FEW of them has too many */
enum { FEW = 6, TOO_MANY = -1 };

typedef struct directions {
    int count; /* or TOO_MANY */
    v3 d[FEW];
} directions;

/* Directions of the edges of a part in its own axes, each once. */
void find_directions(const view3 *s, directions *out);

/*
 * Numbers that are known of a polyhedron beforehand (sides3.c): the largest |coordinate| of V_j - V_0, how
 * many directions its edges have, these, unit normals of its faces.  None where it has more than VIEW_FACES
 * of them.
 */
enum { SIDES_REACH, SIDES_COUNT, SIDES_DIRECTION, SIDES_NORMAL = SIDES_DIRECTION + 3 * FEW };
size_t sides_numbers(const mo_part *part);
void sides_fill(const placed3 *part, double *out);

/* A part alone, in its own axes. */
void view_alone(view3 *s, const placed3 *from);

/* ---- directions -----------------------------------------------------------------------------------------
 */

typedef enum axis_kind { AXIS_NONE, AXIS_FACE_F, AXIS_FACE_G, AXIS_OTHER } axis_kind;

/* the best direction so far */
typedef struct axis3 {
    axis_kind kind;
    v3 n;
    double sep;              /* F(n) */
    face3 face;              /* of AXIS_FACE_ */
    uint32_t hint_f, hint_g; /* vertices that refused the last directions */
    uint32_t at_f, at_g;     /* support vertices along n, of polytopes */
    double refused;          /* largest F of directions that a mesh does not admit; 0: none says apart */
    v3 refused_n;            /* of the directions refused the one with the largest F; 0: none */
    double blocked;          /* F(refused_n) */
    bool proven;             /* two points of the parts are F(n) apart (cylinder_try_points) */
} axis3;

#define NO_VERTEX UINT32_MAX

/*
 * Takes n as the best direction when F(n) > best + margin.  i, j: vertices of f and g to try first, or
 * NO_VERTEX.  F is computed over all vertices, whatever is believed about n.
 */
bool axis_try(const pair3 *k, axis3 *best, v3 n, uint32_t i, uint32_t j, double margin);

/* directions that are judged together: F along them and along their opposites, times their lengths */
enum { TOGETHER = 16 };
typedef struct direction_batch {
    double n[3][TOGETHER]; /* of any length */
    double ahead[TOGETHER], back[TOGETHER];
} direction_batch;

/* Whether both are polytopes whose vertices are kept, and only F counts; ahead and back to rounding. */
bool directions_can_be_judged(const pair3 *k);
void directions_judge(const pair3 *k, direction_batch *b);

/* Tries the normals of all faces of both, and keeps them; those of g must be better by a little.  Stops
   beyond max_gap. */
void axis_faces(pair3 *k, axis3 *best);

/* Tries the cross products of all edges of two polytopes that come within `room` of the other part. */
void axis_edges(const pair3 *k, double room, axis3 *best);
/* The same where both have at most AXIS_FEW directions of edges, without looking where the edges are; false:
   they have more, and nothing was tried. */
bool axis_few_edges(const pair3 *k, axis3 *best);

/* how much better, over scale, a face of g must be than one of f, and two edges than a face */
#define AXIS_PREFER 2e-15

/* ---- nearest points of polytopes that are apart -----------------------------------------------------------
 */

typedef struct nearest3 {
    double distance; /* m; 0: they overlap or touch to rounding */
    v3 x, y;         /* on f and g */
    v3 n;            /* unit, from x to y */
    bool exact;      /* otherwise the distance is an upper bound */
} nearest3;

nearest3 nearest_points(const pair3 *k, v3 start);
/* By trying all pairs of features of parts that are apart, given what is known. */
nearest3 nearest_by_trying(const pair3 *k, nearest3 best);

/*
 * Tries near->n and, where a vertex rises above the points found along it, n turned to be level with that
 * vertex: of nearest points that all but tie, those inside an edge or face give its normal, which the vector
 * between others misses by the root of rounding.
 */
void nearest_normal(const pair3 *k, const nearest3 *near, axis3 *best);

/* The nearest points of two segments, a + s da and b + t db, 0 <= s, t <= 1. */
void nearest_on_segments(v3 a, v3 da, v3 b, v3 db, double *s, double *t);

/* ---- cylinders (cylinder3.c) ------------------------------------------------------------------------------
 */

/* unit vectors that make a right-handed frame with the axis and turn with the body */
void cylinder_frame(const view3 *s, v3 *e1, v3 *e2);
/* Centre of a cap, and one of the RIM_POINTS points of its rim. */
v3 cylinder_cap(const view3 *s, uint32_t cap);
v3 cylinder_rim_point(const view3 *s, uint32_t cap, int i);
/* What n has across the axis, and the unit vector along that: where the rim is touched. */
double cylinder_across(const view3 *s, v3 n);
v3 cylinder_radial(const view3 *s, v3 n, double *across);

/* the cylinder c and the other part p; directions m here point from c to p */
typedef struct cyl_pair {
    const pair3 *k;
    const view3 *c, *p;
    bool flipped; /* the cylinder is g */
    bool overlap; /* known to overlap or touch, not to be apart */
    bool apart;   /* known to be apart */
    axis3 *best;
} cyl_pair;

/* Takes m as the best direction when it is. */
void cylinder_try(const cyl_pair *w, v3 m);
/*
 * The same for a row that takes two points of the parts, `distance` apart, for the nearest.  They are where
 * F(m) is that distance.  Of parts known to be apart such a direction takes the place of one that is as good
 * to rounding but has no such points: F is flat at its top and tells directions apart to the root of rounding
 * only, while a row has them from the root of a slope.
 */
void cylinder_try_points(const cyl_pair *w, v3 m, double distance);
/* Tries the directions in which a rim of each of two cylinders may be nearest; axes not parallel (rims3.c).
 */
void cylinder_rims(const cyl_pair *w);

/* ---- points of contact ------------------------------------------------------------------------------------
 */

/* whose feature makes a point: a vertex of f or g, or an edge of each */
typedef enum owner3 { OWNER_F, OWNER_G, OWNER_BOTH } owner3;

typedef struct point3 {
    v3 at;      /* midway between the surfaces */
    double gap; /* between the surfaces, m */
    owner3 owner;
    uint32_t p, q; /* OWNER_F, OWNER_G: vertex p; OWNER_BOTH: edge p of f, edge q of g (edge_name) */
} point3;

enum { PATCH_MAX = 160 };

typedef struct patch3 {
    int count;
    bool ordered; /* the points are corners of a convex polygon, in order */
    v3 n;
    double least; /* smallest gap */
    double tie;   /* how far beside a feature a corner may be to count as on it, at most, m */
    point3 p[PATCH_MAX];
} patch3;

/* Adds a point whose surfaces without rounding radii are `height` apart along n; x is on f's or on g's. */
void patch_put(const pair3 *k, patch3 *m, v3 x, bool on_g, double height, owner3 owner, uint32_t p,
               uint32_t q);
/* Drops points with gap > max_gap, then all but MANIFOLD3_MAX: those that change the hull least go first. */
void patch_limit(patch3 *m, double max_gap);

/* A number below 2048 for the edge between vertices i and j of a part with n of them. */
static inline uint32_t edge_name(uint32_t n, uint32_t i, uint32_t j)
{
    uint32_t low = i < j ? i : j, high = i < j ? j : i;
    return n <= 45 ? low * n + high : (low * 2654435761u ^ high * 40503u) % 2048;
}

/*
 * What f and g share along the direction best->n: the corners of the common polygon of their faces, or the
 * ends of the common stretch of an edge.  m->least is F(n) to rounding when the parts touch along n there,
 * larger when their nearest points are elsewhere.
 */
void patch_share(const pair3 *k, const axis3 *best, patch3 *m);
bool patch_attains(const pair3 *k, const axis3 *best, const patch3 *m);
/* Adds the point where the support features along n are nearest, with the gap that is known to be right; x:
   where it is on f, when known.  Of a mesh n need not be the best of all directions: there is no such point
   where the features, seen along n, do not meet. */
void patch_witness(const pair3 *k, const axis3 *best, const v3 *x, patch3 *m);

/* what a part shows in a direction: face, edge, vertex, a cylinder's cap, line or rim point */
typedef struct feature3 {
    int count;          /* corners; 0: a cap */
    const uint32_t *id; /* corners of a face; NULL: the few below */
    uint32_t few_id[2];
    v3 few[2];
    v3 normal;     /* face, cap: unit, outward */
    v3 centre;     /* cap */
    uint32_t cap;  /* 0: at the cylinder's first vertex, 1: second */
    uint32_t edge; /* name of the edge, where it is one */
} feature3;

/* The feature in direction n. at: the support vertex; face: the face to take when not NULL; flat: take the
   flattest face at the vertex however steep it is. */
feature3 feature_of(const view3 *s, v3 n, uint32_t at, const face3 *face, bool flat);
/* The same without faces and caps, and edges only where they are across n; count 0: a cap across n. */
feature3 feature_sharp(const view3 *s, v3 n, uint32_t at);
v3 feature_corner(const view3 *s, const feature3 *a, int i);

/* A cap against a feature of the other part, along n (disc3.c). */
void patch_disc(const pair3 *k, bool disc_of_g, const feature3 *disc, const feature3 *other, patch3 *m);

/* numbers of a cylinder's points: RIM_POINTS of each rim that turn with the body, then these, for each cap */
enum { RIM_POINTS = 16, RIM_DEEPEST = 2 * RIM_POINTS, LINE_END = RIM_DEEPEST + 2, RIM_CROSSING = 64 };

/* ---- one routine per kind of pair: points with gap > max_gap may be left out but need not be
 * ---------------- */

void collide_polytopes(pair3 *k, patch3 *m);
void collide_cylinder(pair3 *k, patch3 *m);
void collide_plane(const pair3 *k, patch3 *m);

/* ---- triangles of meshes (mesh3.c)
 * ------------------------------------------------------------------------- */

/* May triangle f touch along n with separation sep, as far as its neighbours let it? */
bool mesh_admits(const pair3 *k, v3 n, double sep);
/* Is n the triangle's own normal but for the slack of directions?  Then that normal stands for it. */
bool mesh_is_normal(const pair3 *k, v3 n);
/* Is x over the triangle or beyond an edge that has a neighbour? */
bool mesh_within_border(const pair3 *k, v3 x);
/* Drops points that are a neighbour's or that the surface as a whole does not have. */
void mesh_keep_own(const pair3 *k, patch3 *m);
/* x: the nearest point of a triangle to a part that is apart from it.  May the part, which is touched along
   n, reach behind the triangle through a neighbour there?  Not around an edge that has none, nor from behind.
 */
bool mesh_goes_through(const pair3 *k, v3 n, v3 x);
/* Does a direction that was refused tell that the part is less deep in the triangle than along its normal, at
   a place where it cannot have come through a neighbour?  Then what it shares with the triangle is beside it.
 */
bool mesh_is_beside(const pair3 *k, const axis3 *best);
/* Are the boxes around the parts, along the axes of the world, farther apart than max_gap?  Then the pair may
   or may not be in a list of neighbours. */
bool mesh_boxes_apart(const pair3 *k);
/* How far a triangle of a mesh goes on beyond its edge between vertices a and b: in a valley, where what is
   over the neighbour must be above this triangle's plane too; 0 elsewhere. */
double mesh_goes_on(const pair3 *k, uint32_t a, uint32_t b, v3 n);

#endif
