/*
 * Triangles of a mesh: they must feel like one surface, without contacts that no single surface would have.
 *
 * A triangle knows the far vertex D of its neighbour across each edge and can work out, with the same numbers
 * as the neighbour does, what that one sees.  An edge is flat, convex or concave on the side touched.
 *
 * Directions: a triangle touches along its own normal, on the side where the other part's middle is; along
 * another direction n only with edges or vertices where the neighbours do not rise above them, n.(D - E) <=
 * 0: at a convex edge these n are the range that the two normals span, at a flat or concave one there are
 * none.  A direction that is the own normal but for the slack is not taken in its place: a body that slides
 * and leans by rounding would have other normals at every triangle, each of which may lift it, and lean more.
 *
 * The direction that is left need not be the one in which the parts are nearest, and those refused may say
 * that they are apart.  So a contact has points of both parts for its ends, or is none; where the parts are
 * apart it is at their nearest points, or at a vertex of the other part over the triangle.  It depends on
 * places alone: there is none where the parts' boxes along the axes of the world are apart, since a list of
 * neighbours may or may not hold such a pair.
 *
 * In a valley the planes of both triangles bound what may be over either: each goes on beyond the edge, over
 * the neighbour, by a share of it, VALLEY, or half the width of the neighbour.  A part whose middle is behind
 * the neighbour is on the other side of the surface: for it the triangle ends at the edge.
 *
 * Points: a vertex of the other part over the triangle is its own.  On a shared edge, to within a tie, it is
 * the owner's: of the two triangles the one whose far vertex comes first by coordinates.  Crossings of edges
 * with a shared edge exist where that is convex, and are the owner's.  Vertices of the mesh: where all edges
 * at them fall along n, those of the triangle at the edge that falls least (is_highest_at), whatever makes
 * the point.  Else where an edge at them is not flat and no neighbour rises there; of the triangles around
 * one, those that a fixed direction seen along n points into, or that have an edge without neighbour there,
 * report it.
 *
 * Triangles to which a vertex does not belong must not find the part in another way: one that is beside them,
 * or deep in them by less than along their normal, is not theirs (mesh_is_beside).
 */
#include "collide/pair3.h"

/* sine of the turn below which an edge is flat, and slack of directions */
static const double FLAT = 1e-9, SLACK = 1e-7;
/*
 * Ties of a shared edge.  A point is refused by a triangle that does not own the edge when it is on it to
 * rounding, or beyond it; the owner takes points from as far beyond it as patches give them.  Between the two
 * a point may be reported twice, which does no harm; it must not be lost.
 */
static const double ON_EDGE = 1e-14, BEYOND = 2e-9;
/* share of an edge by which a triangle goes on beyond it in a valley */
static const double VALLEY = 0.1;
/* sine of the turn from which an edge is a crease for sure */
static const double CREASE = 1e-3;
/* sine of the turn from which what is behind a triangle has not come through its neighbour */
static const double SHARP = 0.2;
/* roundings by which depths that are compared differ for sure */
static const double DEEPER = 64;
/* cosine between n and a triangle's normal below which points cannot be followed to it */
static const double STEEP = 0.02;

static bool has_neighbour(const pair3 *k, int edge)
{
    return (k->f.from->part->link.neighbours >> edge & 1) != 0;
}

/* far vertex of the neighbour across an edge */
static v3 far_vertex(const pair3 *k, int edge)
{
    return v3_sub(v3_of(k->f.V + 3 * (size_t)(3 + edge)), v3_of(k->f.V));
}

static v3 corner_of(const pair3 *k, int i)
{
    return k->f.x[i % 3];
}

/* how far the neighbour across an edge rises along n beyond the edge, over its own width */
static double rise_of(const pair3 *k, int edge, v3 n)
{
    v3 d = v3_sub(far_vertex(k, edge), corner_of(k, edge));
    v3 e = v3_unit(v3_sub(corner_of(k, edge + 1), corner_of(k, edge)));
    v3 across = v3_across(d, e);
    return v3_dot(n, across) / fmax(v3_length(across), 1e-300);
}

/*
 * Does the neighbour across an edge at vertex i rise beyond it along n?  Not where the edge is a valley that
 * leads down from the vertex and the neighbour's far vertex is lower too: a peak may have creases.
 */
static bool rises_at(const pair3 *k, int edge, int i, v3 n)
{
    if (!has_neighbour(k, edge) || rise_of(k, edge, n) <= SLACK)
        return false;
    v3 x = corner_of(k, i), other = corner_of(k, edge == i ? i + 1 : edge), normal = k->f.normal[0];
    v3 d = v3_sub(far_vertex(k, edge), x);
    const double side = v3_dot(normal, n) < 0 ? -1 : 1, length = v3_length(d);
    const bool valley = side * v3_dot(normal, d) > CREASE * length;
    return !valley || v3_dot(n, d) > SLACK * length || v3_dot(n, v3_sub(other, x)) >= 0;
}

/* n along the direction from x to y */
static double climb(v3 n, v3 x, v3 y)
{
    v3 d = v3_sub(y, x);
    return v3_dot(n, d) / fmax(v3_length(d), 1e-300);
}

/* is the vertex i above the rest of the triangle along n, with neighbours on both sides? */
static bool stands_out(const pair3 *k, int i, v3 n)
{
    const int before = (i + 2) % 3;
    v3 x = corner_of(k, i);
    return has_neighbour(k, i) && has_neighbour(k, before) && climb(n, x, corner_of(k, i + 1)) < -SLACK &&
           climb(n, x, corner_of(k, before)) < -SLACK;
}

/*
 * Of the triangles around a vertex i that stands out: is this the one between the edge that falls least and
 * the higher of the two beside that one?  Where all edges fall one triangle is, and each can tell for itself.
 * What rises_at says would not do: behind an edge that falls the next one may fall less, around all of them.
 */
static bool is_highest_at(const pair3 *k, int i, v3 n)
{
    const int before = (i + 2) % 3;
    v3 x = corner_of(k, i);
    const double ahead = climb(n, x, corner_of(k, i + 1)), back = climb(n, x, corner_of(k, before));
    const int first = ahead >= back ? i : before, other = first == i ? before : i;
    return fmin(ahead, back) >= climb(n, x, far_vertex(k, first)) &&
           fmax(ahead, back) >= climb(n, x, far_vertex(k, other));
}

static v3 middle_of(const view3 *s)
{
    if (s->round)
        return s->c;
    v3 sum = s->t;
    for (uint32_t j = 0; j < s->n; j++)
        sum = v3_along(sum, 1.0 / s->n, v3_sub(view_vertex(s, j), s->t));
    return sum;
}

/* is the middle of the part on the other side of the neighbour than n leads to? */
static bool is_behind(const pair3 *k, int edge, v3 n)
{
    v3 e = v3_sub(corner_of(k, edge + 1), corner_of(k, edge)),
       d = v3_sub(far_vertex(k, edge), corner_of(k, edge)), neighbour = v3_cross(d, e);
    const double side = v3_dot(k->f.normal[0], n) < 0 ? -1 : 1;
    return side * v3_dot(neighbour, v3_sub(middle_of(&k->g), corner_of(k, edge))) < 0;
}

/* how far the triangle goes on beyond an edge; for a part behind the neighbour it does not */
static double more_of(const pair3 *k, int edge, v3 n)
{
    if (!has_neighbour(k, edge) || rise_of(k, edge, n) <= SLACK || is_behind(k, edge, n))
        return 0;
    v3 e = v3_sub(corner_of(k, edge + 1), corner_of(k, edge)),
       d = v3_sub(far_vertex(k, edge), corner_of(k, edge));
    return fmin(VALLEY * v3_length(e), 0.5 * v3_length(v3_across(d, v3_unit(e))));
}

double mesh_goes_on(const pair3 *k, uint32_t a, uint32_t b, v3 n)
{
    for (int e = 0; e < 3; e++) {
        const uint32_t p = (uint32_t)e, q = (uint32_t)((e + 1) % 3);
        if ((a == p && b == q) || (a == q && b == p))
            return more_of(k, e, n);
    }
    return 0;
}

/* which corners are highest along n, to within the slack of directions; returns their height */
static double highest(const pair3 *k, v3 n, bool on[3])
{
    double h[3], top = -HUGE_VAL, length = 0;
    for (int i = 0; i < 3; i++) {
        v3 x = corner_of(k, i);
        h[i] = v3_dot(n, x);
        top = fmax(top, h[i]);
        length = fmax(length, v3_length(v3_sub(corner_of(k, i + 1), x)));
    }
    for (int i = 0; i < 3; i++)
        on[i] = h[i] >= top - SLACK * length;
    return top;
}

bool mesh_is_normal(const pair3 *k, v3 n)
{
    bool on[3];
    highest(k, n, on);
    return on[0] && on[1] && on[2];
}

bool mesh_admits(const pair3 *k, v3 n, double sep)
{
    bool on[3];
    const double top = highest(k, n, on);
    if (on[0] && on[1] && on[2])
        return sep > -k->tol || v3_dot(n, middle_of(&k->g)) >= top;
    /* the edge that is touched, or the edges at the vertex */
    const bool edge = on[0] + on[1] + on[2] == 2;
    const int vertex = on[0] ? 0 : on[1] ? 1 : 2;
    if (!edge && stands_out(k, vertex, n) && is_highest_at(k, vertex, n))
        return true;
    for (int e = 0; e < 3; e++) {
        const int next = (e + 1) % 3;
        if (edge ? on[e] && on[next] && has_neighbour(k, e) && rise_of(k, e, n) > SLACK
                 : (on[e] && rises_at(k, e, e, n)) || (on[next] && rises_at(k, e, next, n)))
            return false;
    }
    return true;
}

/* of two triangles with far vertices C and D, which reports what is on their edge */
static bool owns_edge(const pair3 *k, int edge)
{
    if (!has_neighbour(k, edge))
        return true;
    const double *C = k->f.V + 3 * (size_t)((edge + 2) % 3), *D = k->f.V + 3 * (size_t)(3 + edge);
    for (int i = 0; i < 3; i++)
        if (C[i] != D[i])
            return C[i] < D[i];
    return true;
}

/* is the edge a corner of the surface on the side of n? */
static bool is_convex(const pair3 *k, int edge, v3 n)
{
    return !has_neighbour(k, edge) || rise_of(k, edge, n) < -FLAT;
}

/* outward distance of x from the edge, seen along the normal */
static double beyond_edge(const pair3 *k, int edge, v3 normal, v3 x)
{
    v3 e = v3_sub(corner_of(k, edge + 1), corner_of(k, edge));
    return v3_dot(v3_cross(e, normal), v3_sub(x, corner_of(k, edge))) / v3_length(e);
}

static double longest_edge(const pair3 *k)
{
    double most = 0;
    for (int i = 0; i < 3; i++)
        most = fmax(most, v3_length(v3_sub(corner_of(k, i + 1), corner_of(k, i))));
    return most;
}

/* does n touch the edge all along, a corner of the surface? */
static bool is_ridge(const pair3 *k, int edge, v3 n)
{
    v3 e = v3_sub(corner_of(k, edge + 1), corner_of(k, edge));
    return fabs(v3_dot(n, e)) <= SLACK * v3_length(e) && has_neighbour(k, edge) && is_convex(k, edge, n);
}

/* does the triangle report its vertex i? where a ridge ends there, what the other neighbour does is not
   asked, as at any other place of it; else a fixed direction points into one triangle around the vertex */
static bool owns_vertex(const pair3 *k, int i, v3 n)
{
    int before = (i + 2) % 3, ridge = is_ridge(k, i, n) ? i : is_ridge(k, before, n) ? before : -1;
    bool any = false;
    if (ridge >= 0)
        return owns_edge(k, ridge);
    for (int j = 0; j < 2; j++) {
        int edge = j == 0 ? i : before;
        if (!has_neighbour(k, edge))
            return true;
        if (rises_at(k, edge, i, n))
            return false;
        any = any || is_convex(k, edge, n) || rise_of(k, edge, n) > SLACK;
    }
    if (!any)
        return false;
    /* in the frame of the mesh, the same for all its triangles */
    v3 x = corner_of(k, i), w = v3_across((v3){{0.5488135, 0.7151894, 0.4375872}}, n);
    v3 a = v3_sub(corner_of(k, i + 1), x), b = v3_sub(corner_of(k, i + 2), x);
    double turn = v3_dot(n, v3_cross(a, b)) < 0 ? -1 : 1;
    return turn * v3_dot(n, v3_cross(a, w)) >= 0 && turn * v3_dot(n, v3_cross(w, b)) > 0;
}

/* is a point beyond an edge over the neighbour there, seen along n? */
static bool over_neighbour(const pair3 *k, int edge, v3 n, v3 x)
{
    v3 p = corner_of(k, edge), q = corner_of(k, edge + 1), far = far_vertex(k, edge);
    const double side = v3_dot(k->f.normal[0], n) < 0 ? -1 : 1;
    return side * v3_dot(n, v3_cross(v3_sub(far, p), v3_sub(x, p))) >= 0 &&
           side * v3_dot(n, v3_cross(v3_sub(q, far), v3_sub(x, far))) >= 0;
}

/* a point made by the other part's vertex: inside, or on an edge or vertex that is the triangle's to report
 */
static bool owns_place(const pair3 *k, v3 n, const point3 *p)
{
    v3 normal = k->f.normal[0];
    /* points lie in the middle of gaps and overlaps: back along n to the triangle */
    const double along = v3_dot(normal, n), to_middle = v3_dot(normal, v3_sub(p->at, corner_of(k, 0)));
    v3 x = v3_along(p->at, fabs(along) > STEEP ? -to_middle / along : -0.5 * p->gap, n);
    const double length = longest_edge(k), tie = ON_EDGE * (length + v3_length(v3_of(k->f.V)));
    int on_edge = -1, on_vertex = -1;
    for (int e = 0; e < 3; e++) {
        double out = beyond_edge(k, e, normal, x);
        bool own = owns_edge(k, e);
        if (out < -tie || !has_neighbour(k, e) ||
            (out < more_of(k, e, n) && (out <= tie || over_neighbour(k, e, n, x))))
            continue;
        if (out > fmax(BEYOND * length, 2 * tie))
            return false;
        if (on_edge >= 0)
            on_vertex = e == on_edge + 1 ? e : 0;
        on_edge = e;
        if (on_vertex < 0 && !own)
            on_vertex = -2 - e; /* refused unless a vertex decides */
    }
    if (on_vertex >= 0)
        return owns_vertex(k, on_vertex, n) || owns_edge(k, on_vertex);
    return on_vertex == -1;
}

/* the vertex at x, seen along n, that stands out; -1: none */
static int vertex_at(const pair3 *k, v3 n, v3 x)
{
    const double near = BEYOND * longest_edge(k);
    for (int i = 0; i < 3; i++)
        if (v3_length(v3_across(v3_sub(x, corner_of(k, i)), n)) <= near && stands_out(k, i, n))
            return i;
    return -1;
}

static bool owns_point(const pair3 *k, v3 n, const point3 *p)
{
    const int vertex = vertex_at(k, n, p->at);
    if (vertex >= 0)
        return is_highest_at(k, vertex, n);
    if (p->owner == OWNER_F)
        return owns_vertex(k, (int)p->p, n);
    if (p->owner == OWNER_G)
        return owns_place(k, n, p);
    for (int e = 0; e < 3; e++)
        if (p->p == edge_name(3, (uint32_t)e, (uint32_t)((e + 1) % 3)))
            return owns_edge(k, e) && is_convex(k, e, n);
    return true;
}

void mesh_keep_own(const pair3 *k, patch3 *m)
{
    int count = 0;
    for (int i = 0; i < m->count; i++)
        if (owns_point(k, m->n, &m->p[i]))
            m->p[count++] = m->p[i];
    m->count = count;
}

bool mesh_within_border(const pair3 *k, v3 x)
{
    for (int e = 0; e < 3; e++)
        if (!has_neighbour(k, e) && beyond_edge(k, e, k->f.normal[0], x) > 0)
            return false;
    return true;
}

bool mesh_goes_through(const pair3 *k, v3 n, v3 x)
{
    const double tie = SLACK * longest_edge(k);
    bool through = false;
    for (int e = 0; e < 3; e++) {
        if (!has_neighbour(k, e) || beyond_edge(k, e, k->f.normal[0], x) < -tie)
            continue;
        /* what is beside a ridge has gone through neither side of it */
        const double rise = rise_of(k, e, n);
        if (rise < -SHARP || (rise > SLACK && is_behind(k, e, n)))
            return false;
        through = true;
    }
    return through;
}

/* has one of the edges at the vertex i a sharp turn, on either side? */
static bool is_sharp_at(const pair3 *k, int i)
{
    for (int e = i; e < i + 3; e += 2)
        if (has_neighbour(k, e % 3) && fabs(rise_of(k, e % 3, k->f.normal[0])) > SHARP)
            return true;
    return false;
}

bool mesh_is_beside(const pair3 *k, const axis3 *best)
{
    if (v3_dot(best->refused_n, best->refused_n) == 0 || !(best->blocked > best->sep + DEEPER * k->tol))
        return false;
    /* where that direction touches the triangle; a vertex that stands out is another triangle's, which has it
     */
    bool on[3];
    v3 x = {{0, 0, 0}};
    highest(k, best->refused_n, on);
    const int count = on[0] + on[1] + on[2];
    for (int i = 0; i < 3; i++) {
        if (on[i] && count == 1 && stands_out(k, i, best->refused_n) && is_sharp_at(k, i))
            return true;
        x = on[i] ? v3_along(x, 1.0 / count, corner_of(k, i)) : x;
    }
    return best->kind == AXIS_FACE_F ? !mesh_goes_through(k, best->n, x) : best->blocked > DEEPER * k->tol;
}

/* F along an axis of the world, one way */
static double world_separation(const pair3 *k, int axis, double way)
{
    v3 n = v3_scale(way, v3_of(k->f.from->R + 3 * (size_t)axis));
    double top, low;
    uint32_t at;
    view_top(&k->f, n, HUGE_VAL, &top, &at);
    view_top(&k->g, v3_scale(-1, n), HUGE_VAL, &low, &at);
    return -low - top;
}

bool mesh_boxes_apart(const pair3 *k)
{
    double most = -HUGE_VAL;
    for (int axis = 0; axis < 3; axis++)
        most = fmax(most, fmax(world_separation(k, axis, 1), world_separation(k, axis, -1)));
    return most > k->max_gap + k->r;
}
