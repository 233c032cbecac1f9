/*
 * Polytopes against polytopes: spheres and capsules (a point and a segment with a radius), triangles,
 * polyhedra.
 *
 * Exact in closed form: the distance of parts that overlap, by the best direction (axis3.c), and of parts
 * that are apart where that direction's face or edges carry it.  Otherwise the nearest points are found by a
 * search that ends with a certificate (nearest3.c).
 *
 * Where geometry gives no direction (coincident points, a point on a segment, collinear segments) the normal
 * is f's z axis or some fixed vector across the segment.
 */
#include "collide/pair3.h"

/* distance over scale below which edges are looked at for a direction */
static const double CLOSE = 1e-3;
/* distance over rounding by which a direction may miss */
static const double MISSED = 64;

/* parts without volume between them that touch: any direction across both will do */
static void any_direction(const pair3 *k, axis3 *best)
{
    const view3 *s = k->f.n > 1 ? &k->f : &k->g;
    v3 n = s->n > 1 ? v3_any_across(view_between(s, 0, 1)) : (v3){{0, 0, 1}};
    axis_try(k, best, n, NO_VERTEX, NO_VERTEX, 0);
}

/*
 * Contact at the nearest points of parts that are apart.  The vector between these is a bad direction when
 * they are close: faces and edges that do as well to rounding come first.
 */
static void at_nearest(const pair3 *k, nearest3 *near, axis3 best, patch3 *m)
{
    m->count = 0;
    if (near->distance < CLOSE * k->scale && !axis_few_edges(k, &best))
        axis_edges(k, near->distance + k->tol, &best);
    if (!near->exact && best.sep < near->distance - MISSED * k->tol)
        *near = nearest_by_trying(k, *near);
    nearest_normal(k, near, &best);
    axis_try(k, &best, v3_unit(v3_sub(near->y, near->x)), NO_VERTEX, NO_VERTEX, 0);
    if (best.kind == AXIS_NONE || (k->mesh && best.sep < near->distance - MISSED * k->tol))
        return;
    /* where all directions say that the parts overlap to rounding or a little more, they do */
    bool apart = best.sep > MISSED * k->tol;
    best.sep = apart ? near->distance : best.sep;
    patch_share(k, &best, m);
    if (!patch_attains(k, &best, m))
        patch_witness(k, &best, apart ? &near->x : NULL, m);
}

/* false: the parts are farther apart than max_gap; of a mesh: along a direction that it admits */
static bool find_axis(pair3 *k, axis3 *best, nearest3 *near)
{
    double most = k->max_gap + k->r;
    axis_faces(k, best);
    if (best->sep > k->tol || axis_few_edges(k, best))
        return best->sep <= most;
    *near = nearest_points(k, best->kind == AXIS_NONE ? k->g.t : best->n);
    if (near->distance == 0)
        axis_edges(k, fmax(0, -best->sep) + k->tol, best);
    if (k->mesh)
        best->refused = fmax(best->refused, near->distance);
    return k->mesh || near->distance <= most;
}

void collide_polytopes(pair3 *k, patch3 *m)
{
    axis3 best = {.kind = AXIS_NONE, .sep = -HUGE_VAL};
    nearest3 near = {.distance = -1};
    m->count = 0;
    if (!find_axis(k, &best, &near) || (best.refused > 0 && mesh_boxes_apart(k)))
        return;
    m->least = HUGE_VAL;
    if (best.kind != AXIS_NONE && (k->mesh || !(near.distance > k->tol)))
        patch_share(k, &best, m);
    if (k->mesh && mesh_is_beside(k, &best))
        m->count = 0;
    const bool far = best.refused > fmax(0, k->max_gap + k->r);
    if (m->count > 0 && (far || best.refused > fmax(0, best.sep) + MISSED * k->tol)) {
        if (near.distance < 0)
            near = nearest_points(k, best.n);
        if (best.kind != AXIS_FACE_F || !mesh_goes_through(k, m->n, near.x))
            m->count = 0;
    }
    /* nearest points that are too far apart are no contact */
    if ((m->count > 0 && patch_attains(k, &best, m)) || far)
        return;
    bool apart = near.distance > k->tol;
    if (near.distance < 0 && (best.kind == AXIS_NONE || best.sep > -k->tol || best.refused > 0)) {
        near = nearest_points(k, best.kind == AXIS_NONE ? k->g.t : best.n);
        apart = near.distance > k->tol;
    }
    if (apart) {
        patch3 other;
        at_nearest(k, &near, best, &other);
        if (other.count > 0 || !k->mesh)
            *m = other;
        return;
    }
    if (best.kind == AXIS_NONE)
        any_direction(k, &best);
    m->n = best.n;
    if (!k->mesh || best.kind == AXIS_OTHER)
        patch_witness(k, &best, near.distance == 0 && best.sep > -k->tol ? &near.x : NULL, m);
}
