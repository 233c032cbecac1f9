/*
 * What a part shows in a direction: the flattest face at its support vertex, else the flattest edge there,
 * else the vertex; of a cylinder the cap, the line of its side or the point of its rim.
 */
#include "collide/pair3.h"

/* cosine above which a face or cap counts as shown, and sine below which an edge or side does: beyond, points
   other than the nearest are out of reach unless the overlap is deep */
static const double FACE_COSINE = 0.98, EDGE_SINE = 0.2;
/* sine below which an edge is across a direction, not a little beside it */
static const double SHARP_SINE = 1e-12;
/* sine above which a rim has a deepest point */
static const double CAP_SINE = 1e-13;

static bool face_has(const view3 *s, uint32_t at, uint32_t vertex)
{
    for (uint32_t c = 0; c < s->faces[at]; c++)
        if (s->faces[at + 1 + c] == vertex)
            return true;
    return false;
}

/* the face at the vertex whose normal is nearest to n; its cosine, -1 when there is none */
static double flattest_face(const view3 *s, v3 n, uint32_t vertex, face3 *out)
{
    double most = -1;
    face3 face;
    for (bool go = view_next_face(s, &face, true); go; go = view_next_face(s, &face, false)) {
        double cosine = v3_dot(n, face.normal);
        if (cosine > most && face_has(s, face.at, vertex)) {
            most = cosine;
            *out = face;
        }
    }
    return most;
}

static feature3 face_feature(const view3 *s, const face3 *face)
{
    return (feature3){
        .count = (int)s->faces[face->at], .id = s->faces + face->at + 1, .normal = face->normal};
}

/* the edge at the vertex that falls least along n, or the vertex alone */
static feature3 edge_feature(const view3 *s, v3 n, uint32_t vertex, double least)
{
    feature3 out = {.count = 1, .few_id = {vertex, vertex}, .few = {view_vertex(s, vertex)}};
    edge3 e;
    for (bool go = view_next_edge(s, &e, true); go; go = view_next_edge(s, &e, false)) {
        if (e.from != vertex && e.to != vertex)
            continue;
        v3 d = view_between(s, e.from, e.to);
        double fall = fabs(v3_dot(n, d)) / v3_length(d);
        if (fall < least) {
            least = fall;
            out.count = 2;
            out.few_id[0] = e.from;
            out.few_id[1] = e.to;
            out.edge = edge_name(s->n, e.from, e.to);
        }
    }
    for (int i = 0; i < out.count; i++)
        out.few[i] = view_vertex(s, out.few_id[i]);
    return out;
}

static feature3 cylinder_feature(const view3 *s, v3 n, double cosine, double sine)
{
    double along = v3_dot(n, s->a), across;
    v3 radial = cylinder_radial(s, n, &across);
    uint32_t cap = along > 0 ? 1 : 0;
    feature3 out = {.cap = cap, .normal = v3_scale(cap == 0 ? -1 : 1, s->a), .edge = RIM_CROSSING};
    out.centre = cylinder_cap(s, cap);
    if (fabs(along) >= cosine)
        return out;
    out.count = fabs(along) <= sine ? 2 : 1;
    out.few[0] = v3_along(out.count == 2 ? cylinder_cap(s, 0) : out.centre, s->rc, radial);
    out.few[1] = v3_along(cylinder_cap(s, 1), s->rc, radial);
    out.few_id[0] = out.count == 2 ? LINE_END : RIM_DEEPEST + cap;
    out.few_id[1] = LINE_END + 1;
    return out;
}

feature3 feature_of(const view3 *s, v3 n, uint32_t at, const face3 *face, bool flat)
{
    if (s->round)
        return cylinder_feature(s, n, FACE_COSINE, EDGE_SINE);
    if (face != NULL)
        return face_feature(s, face);
    face3 best = {0};
    double cosine = flattest_face(s, n, at, &best);
    if (cosine >= (flat ? 1e-9 : FACE_COSINE))
        return face_feature(s, &best);
    return edge_feature(s, n, at, EDGE_SINE);
}

feature3 feature_sharp(const view3 *s, v3 n, uint32_t at)
{
    if (!s->round)
        return edge_feature(s, n, at, SHARP_SINE);
    feature3 out = cylinder_feature(s, n, HUGE_VAL, SHARP_SINE);
    /* no point of a cap is more than another */
    if (cylinder_across(s, n) <= CAP_SINE)
        out.count = 0;
    return out;
}

v3 feature_corner(const view3 *s, const feature3 *a, int i)
{
    return a->id != NULL ? view_vertex(s, a->id[i]) : a->few[i];
}
