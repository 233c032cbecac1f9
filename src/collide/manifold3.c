/*
 * Narrow phase in 3D: chooses the routine for a pair of kinds and turns its answer into world coordinates.
 *
 * One of the two parts is the frame of the computation (pair3.h).  Which one follows from the parts alone,
 * not from the order of the arguments (pair3_order), so that swapping them gives the same bits: the same
 * points and gaps and the opposite normal.
 *
 * Feature: bits 22 and 23 say what makes the point: 0 a vertex of a, 1 of b, 2 an edge of each.  The lower
 * bits are the vertex, or eleven bits for each edge.  Should two points of a manifold get the same number
 * (parts with many vertices), the later one is moved to the next that is free.
 */
#include "collide/manifold3.h"

#include "collide/pair3.h"

#define NUMBER_BITS ((uint32_t)22)
#define FEATURES ((uint32_t)1 << 24)

/* area over the square of the patch's length below which a corner is on the line of its neighbours */
static const double COLLINEAR = 1e-9;

/* ---- fewer points -----------------------------------------------------------------------------------------
 */

/* twice the area of the triangle that a corner makes with its neighbours */
static double corner_area(const patch3 *m, int i)
{
    v3 x = m->p[i].at, a = v3_sub(m->p[i > 0 ? i - 1 : m->count - 1].at, x);
    v3 b = v3_sub(m->p[i + 1 < m->count ? i + 1 : 0].at, x);
    return fabs(v3_dot(m->n, v3_cross(a, b)));
}

static double spread(const patch3 *m)
{
    double most = 0;
    for (int i = 1; i < m->count; i++) {
        v3 d = v3_sub(m->p[i].at, m->p[0].at);
        most = fmax(most, v3_dot(d, d));
    }
    return most;
}

/* removes corners whose triangle is below `area`, smallest first, or until `most` are left; never the deepest
 */
static void drop_corners(patch3 *m, double area, int most)
{
    while (m->count > 3) {
        int least = -1, deepest = 0;
        double smallest = m->count > most ? HUGE_VAL : area;
        for (int i = 1; i < m->count; i++)
            deepest = m->p[i].gap < m->p[deepest].gap ? i : deepest;
        for (int i = 0; i < m->count; i++) {
            double here = i == deepest ? HUGE_VAL : corner_area(m, i);
            if (here < smallest)
                smallest = here, least = i;
        }
        if (least < 0)
            return;
        m->count--;
        for (int i = least; i < m->count; i++)
            m->p[i] = m->p[i + 1];
    }
}

/* puts the points in order around their middle */
static void order_points(patch3 *m)
{
    v3 middle = {{0, 0, 0}}, e1 = v3_any_across(m->n), e2 = v3_cross(m->n, e1);
    double angle[PATCH_MAX];
    for (int i = 0; i < m->count; i++)
        middle = v3_along(middle, 1.0 / m->count, m->p[i].at);
    for (int i = 0; i < m->count; i++) {
        point3 p = m->p[i];
        v3 d = v3_sub(p.at, middle);
        double here = atan2(v3_dot(d, e2), v3_dot(d, e1));
        int j = i;
        for (; j > 0 && angle[j - 1] > here; j--)
            angle[j] = angle[j - 1], m->p[j] = m->p[j - 1];
        angle[j] = here;
        m->p[j] = p;
    }
    m->ordered = true;
}

void patch_limit(patch3 *m, double max_gap)
{
    int count = 0;
    for (int i = 0; i < m->count; i++)
        if (m->p[i].gap <= max_gap)
            m->p[count++] = m->p[i];
    m->count = count;
    if (count > MANIFOLD3_MAX && !m->ordered)
        order_points(m);
    if (count > 3 && m->ordered)
        drop_corners(m, COLLINEAR * spread(m), MANIFOLD3_MAX);
}

/* ---- out into the world -----------------------------------------------------------------------------------
 */

static uint32_t feature_number(const point3 *p, bool f_is_b)
{
    if (p->owner == OWNER_BOTH) {
        uint32_t a = f_is_b ? p->q : p->p, b = f_is_b ? p->p : p->q;
        return (uint32_t)2 << NUMBER_BITS | (a % 2048) << 11 | b % 2048;
    }
    uint32_t of_b = (p->owner == OWNER_G) != f_is_b ? 1 : 0;
    return of_b << NUMBER_BITS | (p->p & (((uint32_t)1 << NUMBER_BITS) - 1));
}

static void sort_points(manifold3 *out)
{
    for (int i = 1; i < out->count; i++) {
        manifold3_point p = out->points[i];
        int j = i;
        for (; j > 0 && out->points[j - 1].feature > p.feature; j--)
            out->points[j] = out->points[j - 1];
        out->points[j] = p;
    }
    for (int i = 1; i < out->count; i++)
        if (out->points[i].feature <= out->points[i - 1].feature)
            out->points[i].feature = out->points[i - 1].feature + 1;
    /* at the end of the numbers the last ones make room downward */
    for (int i = out->count - 1; i >= 0; i--) {
        uint32_t most = FEATURES - (uint32_t)(out->count - i);
        out->points[i].feature = out->points[i].feature < most ? out->points[i].feature : most;
    }
}

static void to_manifold(const pair3 *k, const patch3 *m, bool f_is_b, manifold3 *out)
{
    const placed3 *f = k->f.from;
    out->count = m->count;
    if (m->count == 0)
        return;
    v3 n = v3_turn(f->R, m->n), first = v3_of(k->f.V);
    vec3_scale(f_is_b ? 1 : -1, n.v, out->normal);
    for (int i = 0; i < m->count; i++) {
        v3 x = v3_turn(f->R, v3_along(first, 1, m->p[i].at));
        vec3_add(f->p, x.v, out->points[i].point);
        out->points[i].gap = m->p[i].gap;
        out->points[i].feature = feature_number(&m->p[i], f_is_b);
    }
    sort_points(out);
}

/* ---- spheres ----------------------------------------------------------------------------------------------
 */

/* every step here is the same, or the same with opposite signs, when a and b are swapped; d from b to a */
static bool spheres_meet(const double a[3], double ra, const double b[3], double rb, const double d[3],
                         double max_gap, manifold3 *out)
{
    double reach = ra + rb + max_gap, square = vec3_dot(d, d), n[3];
    out->count = 0;
    /* a cheap test first, with room for rounding and for squares that underflow */
    if (square > 1e-280 && reach > 0 && square > reach * reach * (1 + 1e-12))
        return true;
    /* plainly where squares have all their digits, as detection does */
    bool plain = square > 1e-280 && square < 1e280;
    double distance = plain ? sqrt(square) : vec3_unit(d, n), gap = distance - (ra + rb);
    if (gap > max_gap)
        return true;
    if (plain)
        vec3_set(n, d[0] / distance, d[1] / distance, d[2] / distance);
    out->count = 1;
    out->points[0].gap = gap;
    out->points[0].feature = 0;
    for (int i = 0; i < 3; i++) {
        out->normal[i] = n[i];
        out->points[0].point[i] = 0.5 * ((a[i] - n[i] * ra) + (b[i] + n[i] * rb));
    }
    return distance > 0;
}

static v3 centre_of(const placed3 *a)
{
    return v3_of(a->vertices + 3 * (size_t)a->part->vertex_first);
}

static void collide_placed_spheres(const placed3 *a, const placed3 *b, double max_gap, manifold3 *out)
{
    v3 va = centre_of(a), vb = centre_of(b), xa = v3_turn(a->R, va), xb = v3_turn(b->R, vb);
    vec3_add(a->p, xa.v, xa.v);
    vec3_add(b->p, xb.v, xb.v);
    /* spheres about their body's centre need no turning, and their difference is rounded once */
    bool centred = v3_dot(va, va) == 0 && v3_dot(vb, vb) == 0;
    v3 d = centred ? v3_sub(v3_of(a->p), v3_of(b->p)) : pair3_offset(b, vb.v, a, va.v);
    double ra = a->part->radius, rb = b->part->radius;
    if (spheres_meet(xa.v, ra, xb.v, rb, d.v, max_gap, out))
        return;
    /* no normal follows from geometry */
    vec3_set(out->normal, 0, 0, pair3_order(a, b) <= 0 ? 1 : -1);
    for (int i = 0; i < 3; i++) {
        double n = out->normal[i];
        out->points[0].point[i] = 0.5 * ((xa.v[i] - n * ra) + (xb.v[i] + n * rb));
    }
}

/* the height of the centre says all; first: the sphere is part a */
static void collide_sphere_plane(const placed3 *sphere, const placed3 *plane, bool first, double max_gap,
                                 manifold3 *out)
{
    static const double ORIGIN[3] = {0, 0, 0};
    v3 centre = centre_of(sphere), x = v3_turn(sphere->R, centre);
    v3 n = v3_turn(plane->R, v3_of(plane->part->normal)), d = pair3_offset(plane, ORIGIN, sphere, centre.v);
    double r = sphere->part->radius, height = v3_dot(n, d) - plane->part->offset;
    if (height - r > max_gap)
        return;
    out->count = 1;
    out->points[0].gap = height - r;
    out->points[0].feature = first ? 0 : (uint32_t)1 << NUMBER_BITS;
    for (int i = 0; i < 3; i++) {
        out->normal[i] = first ? n.v[i] : -n.v[i];
        out->points[0].point[i] = (sphere->p[i] + x.v[i]) - n.v[i] * (0.5 * (height + r));
    }
}

/* ---- the whole --------------------------------------------------------------------------------------------
 */

void collide_solids(const placed3 *a, const placed3 *b, double max_gap, manifold3 *out)
{
    mo_part_kind ka = a->part->kind, kb = b->part->kind;
    out->count = 0;
    if (ka == MO_PART_PLANE && kb == MO_PART_PLANE)
        return;
    if (ka == MO_PART_SPHERE && kb == MO_PART_SPHERE) {
        collide_placed_spheres(a, b, max_gap, out);
        return;
    }
    if ((ka == MO_PART_SPHERE && kb == MO_PART_PLANE) || (ka == MO_PART_PLANE && kb == MO_PART_SPHERE)) {
        bool first = ka == MO_PART_SPHERE;
        collide_sphere_plane(first ? a : b, first ? b : a, first, max_gap, out);
        return;
    }
    bool swap = pair3_order(a, b) > 0;
    pair3 k;
    patch3 m;
    pair3_make(&k, swap ? b : a, swap ? a : b, max_gap);
    if (k.f.from->part->kind == MO_PART_PLANE)
        collide_plane(&k, &m);
    else if (k.f.round || k.g.round)
        collide_cylinder(&k, &m);
    else
        collide_polytopes(&k, &m);
    if (k.mesh)
        mesh_keep_own(&k, &m);
    patch_limit(&m, max_gap);
    to_manifold(&k, &m, swap, out);
}
