/*
 * Narrow phase: chooses the routine for a pair of kinds and turns its answer into world coordinates.
 *
 * One of the two parts is the frame of the computation (pair.h).  Which one follows from the parts alone, not
 * from the order of the arguments (pair_order), so that swapping them gives the same bits: the same points
 * and gaps, the opposite normal, and features with the owner's bit flipped.
 *
 * Feature: bit 23 says whose vertex makes the contact (0: a's, 1: b's), the lower bits which vertex of that
 * part. A disc's contact is always its own vertex 0; of two discs, feature 0.
 */
#include "collide/manifold.h"

#include "collide/pair.h"

#define OWNER_B ((uint32_t)1 << 23)

static bool in_chain(const mo_part *part)
{
    return part->kind == MO_PART_SEGMENT && (part->link.chain.before >= 0 || part->link.chain.after >= 0);
}

/* the routine for the kinds of f and g, in the order of pair_order */
static void collide_pair(const pair *k, double max_gap, pair_manifold *m)
{
    bool disc = k->g->part->kind == MO_PART_DISC;
    m->count = 0;
    switch (k->f->part->kind) {
    case MO_PART_HALFPLANE:
        if (disc)
            collide_halfplane_disc(k, max_gap, m);
        else if (k->g->part->kind != MO_PART_HALFPLANE)
            collide_halfplane_hull(k, max_gap, m);
        return;
    case MO_PART_SEGMENT:
        if (disc)
            collide_segment_disc(k, max_gap, m);
        else if (in_chain(k->f->part))
            collide_chain_hull(k, max_gap, m);
        else
            collide_hull_hull(k, max_gap, m);
        return;
    case MO_PART_POLYGON:
        if (disc)
            collide_polygon_disc(k, max_gap, m);
        else
            collide_hull_hull(k, max_gap, m);
        return;
    default: // of two discs nothing is left to do
        return;
    }
}

/* a point of the pair in the world */
static manifold_point to_world(const pair *k, const pair_point *p, bool f_is_b)
{
    const placed_part *f = k->f;
    xy x = xy_turn(f->c, f->s, (xy){k->F[0] + p->at.x, k->F[1] + p->at.y});
    return (manifold_point){
        {f->p[0] + x.x, f->p[1] + x.y}, p->gap, p->vertex | (p->of_g != f_is_b ? OWNER_B : 0)};
}

static void to_manifold(const pair *k, const pair_manifold *m, bool f_is_b, manifold *out)
{
    out->count = m->count;
    if (m->count == 0)
        return;
    xy n = xy_turn(k->f->c, k->f->s, m->n);
    double sign = f_is_b ? 1 : -1;
    out->normal[0] = sign * n.x;
    out->normal[1] = sign * n.y;
    for (int i = 0; i < m->count; i++)
        out->points[i] = to_world(k, &m->p[i], f_is_b);
    if (m->count == 2 && out->points[0].feature > out->points[1].feature) {
        manifold_point first = out->points[0];
        out->points[0] = out->points[1];
        out->points[1] = first;
    }
}

void collide_parts(const placed_part *a, const placed_part *b, double max_gap, manifold *out)
{
    out->count = 0;
    if (a->part->kind == MO_PART_DISC && b->part->kind == MO_PART_DISC) {
        collide_disc_disc(a, b, max_gap, out);
        return;
    }
    bool swap = pair_order(a, b) > 0;
    pair k = swap ? pair_make(b, a) : pair_make(a, b);
    pair_manifold m;
    collide_pair(&k, max_gap, &m);
    pair_manifold_limit(&m, max_gap);
    to_manifold(&k, &m, swap, out);
}
