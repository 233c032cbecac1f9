/*
 * The best direction between two polytopes: exact in closed form.
 *
 * The faces of g - f are faces of one with a vertex of the other, and parallelograms of two edges.  So the
 * signed distance of parts that overlap is the largest F over the normals of all faces and the cross products
 * of all pairs of edges; and parts that are apart are apart along one of these directions.  Every direction
 * is judged by F over all vertices, which stops at the first vertex that refuses it.
 *
 * Bodies with few directions of edges (boxes have three) need few cross products.  For others, only edges
 * that come near the other part are paired: of parts that overlap by depth d, the two edges that carry the
 * distance are within d of each other.
 */
#include "collide/pair3.h"

/* sine of the angle below which edges count as parallel */
static const double PARALLEL = 1e-13;
/* pairs of edges are tried in blocks of so many of g's */
enum { BLOCK = 128 };

bool axis_try(const pair3 *k, axis3 *best, v3 n, uint32_t i, uint32_t j, double margin)
{
    double need = best->sep + margin, top, low;
    uint32_t at_f = i, at_g = j;
    v3 back = {{-n.v[0], -n.v[1], -n.v[2]}};
    /* the vertices named first refuse most directions */
    double by_g = j == NO_VERTEX ? HUGE_VAL : v3_dot(n, view_vertex(&k->g, j));
    if (i != NO_VERTEX && by_g - v3_dot(n, view_vertex(&k->f, i)) <= need)
        return false;
    if (!view_top(&k->f, n, by_g - need, &top, &at_f)) {
        best->hint_f = at_f;
        return false;
    }
    if (!view_top(&k->g, back, -(top + need), &low, &at_g)) {
        best->hint_g = at_g;
        return false;
    }
    double sep = -low - top;
    if (!(sep > need) || (k->mesh && !mesh_admits(k, n, sep)))
        return false;
    best->sep = sep;
    best->n = n;
    best->kind = AXIS_OTHER;
    best->at_f = at_f;
    best->at_g = at_g;
    best->proven = false;
    return true;
}

static uint32_t hint_of(const view3 *s, uint32_t hint)
{
    return s->round ? NO_VERTEX : hint;
}

void axis_faces(pair3 *k, axis3 *best)
{
    face3 face;
    double most = k->max_gap + k->r, margin = 0;
    view_keep_normals(&k->f);
    for (bool go = view_next_face(&k->f, &face, true); go; go = view_next_face(&k->f, &face, false)) {
        uint32_t corner = k->f.faces[face.at + 1];
        if (axis_try(k, best, face.normal, corner, hint_of(&k->g, best->hint_g), 0)) {
            best->kind = AXIS_FACE_F;
            best->face = face;
            margin = AXIS_PREFER * k->scale;
            if (best->sep > most)
                return;
        }
    }
    view_keep_normals(&k->g);
    for (bool go = view_next_face(&k->g, &face, true); go; go = view_next_face(&k->g, &face, false)) {
        uint32_t corner = k->g.faces[face.at + 1];
        if (axis_try(k, best, v3_scale(-1, face.normal), hint_of(&k->f, best->hint_f), corner, margin)) {
            best->kind = AXIS_FACE_G;
            best->face = face;
            margin = 0;
            if (best->sep > most)
                return;
        }
    }
}

/* rounding of a cross product and of heights along it, over the lengths of its factors */
static const double CROSS_ROUNDING = 1e-13;

/* both senses of d x e: i, j are vertices that refuse most directions */
static void try_cross(const pair3 *k, v3 d, v3 e, uint32_t i, uint32_t j, axis3 *best)
{
    v3 c = v3_cross(d, e);
    double square = v3_dot(c, c), dd_ee = v3_dot(d, d) * v3_dot(e, e);
    if (!(square > PARALLEL * PARALLEL * dd_ee))
        return;
    double length = sqrt(square), margin = AXIS_PREFER * k->scale;
    /* before the direction is made a unit one: where these vertices refuse it by more than rounding */
    double by = v3_dot(c, v3_sub(view_vertex(&k->g, j), view_vertex(&k->f, i)));
    double least = (best->sep + margin) * length - CROSS_ROUNDING * k->scale * sqrt(dd_ee);
    if (by < least && -by < least)
        return;
    v3 n = {{c.v[0] / length, c.v[1] / length, c.v[2] / length}};
    if (square < V3_CROSSING * V3_CROSSING * dd_ee)
        n = v3_across_first(n, v3_unit(d));
    if (!(by < least))
        axis_try(k, best, n, i, j, margin);
    if (!(-by < least))
        axis_try(k, best, v3_scale(-1, n), i, j, margin);
}

/* ---- few directions -------------------------------------------------------------------------------------
 */

static bool parallel(v3 a, v3 b)
{
    v3 c = v3_cross(a, b);
    return v3_dot(c, c) <= PARALLEL * PARALLEL * v3_dot(a, a) * v3_dot(b, b);
}

/* the same or opposite to the last digit, as sides of a box are */
static bool same_line(v3 a, v3 b)
{
    return fabs(a.v[0]) == fabs(b.v[0]) && ((a.v[0] == b.v[0] && a.v[1] == b.v[1] && a.v[2] == b.v[2]) ||
                                            (a.v[0] == -b.v[0] && a.v[1] == -b.v[1] && a.v[2] == -b.v[2]));
}

/* false: more than FEW */
static bool add_direction(directions *out, v3 d)
{
    for (int i = 0; i < out->count; i++)
        if (same_line(out->d[i], d))
            return true;
    for (int i = 0; i < out->count; i++)
        if (parallel(out->d[i], d))
            return true;
    if (out->count == FEW)
        return false;
    out->d[out->count++] = d;
    return true;
}

void find_directions(const view3 *s, directions *out)
{
    const uint32_t *id = s->faces;
    out->count = 0;
    for (uint32_t i = 0; i < s->face_count; i++, id += id[0] + 1) {
        /* each edge once: from its lower end to its higher one */
        uint32_t from = id[id[0]];
        for (uint32_t c = 1; c <= id[0]; from = id[c++]) {
            const double *p = s->V + 3 * (size_t)from, *q = s->V + 3 * (size_t)id[c];
            if (from < id[c] && !add_direction(out, v3_sub(v3_of(q), v3_of(p)))) {
                out->count = TOO_MANY;
                return;
            }
        }
    }
}

/* in the pair's axes; false: more than FEW */
static bool view_directions(const view3 *s, directions *out)
{
    if (s->sides != NULL) {
        out->count = (int)s->sides[SIDES_COUNT];
        for (int i = 0; i < out->count; i++)
            out->d[i] = v3_of(&s->sides[SIDES_DIRECTION + 3 * i]);
    } else {
        find_directions(s, out);
    }
    for (int i = 0; i < out->count && s->turned; i++)
        out->d[i] = v3_turn(s->R, out->d[i]);
    return out->count != TOO_MANY;
}

bool axis_few_edges(const pair3 *k, axis3 *best)
{
    directions f, g;
    if (!view_directions(&k->f, &f) || !view_directions(&k->g, &g))
        return false;
    for (int i = 0; i < f.count; i++)
        for (int j = 0; j < g.count; j++)
            try_cross(k, f.d[i], g.d[j], best->hint_f, best->hint_g, best);
    return true;
}

/* ---- many ------------------------------------------------------------------------------------------------
 */

typedef struct bounds3 {
    v3 low, high;
} bounds3;

static bounds3 box_of(const view3 *s, double room)
{
    bounds3 b = {{{HUGE_VAL, HUGE_VAL, HUGE_VAL}}, {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}}};
    for (uint32_t j = 0; j < s->n; j++) {
        v3 x = view_vertex(s, j);
        for (int d = 0; d < 3; d++) {
            b.low.v[d] = fmin(b.low.v[d], x.v[d] - room);
            b.high.v[d] = fmax(b.high.v[d], x.v[d] + room);
        }
    }
    return b;
}

/* an edge whose own box misses the other's cannot be near it */
static bool near_box(const view3 *s, const edge3 *e, const bounds3 *b)
{
    v3 p = view_vertex(s, e->from), q = view_vertex(s, e->to);
    for (int d = 0; d < 3; d++)
        if (fmax(p.v[d], q.v[d]) < b->low.v[d] || fmin(p.v[d], q.v[d]) > b->high.v[d])
            return false;
    return true;
}

typedef struct edge_block {
    int count;
    uint32_t at[BLOCK];
    v3 d[BLOCK];
} edge_block;

/* the next edges of g that come near f; false when there are none */
static bool fill_block(const pair3 *k, const bounds3 *f, edge3 *walk, bool *first, edge_block *block)
{
    block->count = 0;
    while (block->count < BLOCK) {
        bool go = view_next_edge(&k->g, walk, *first);
        *first = false;
        if (!go)
            break;
        if (!near_box(&k->g, walk, f))
            continue;
        block->at[block->count] = walk->from;
        block->d[block->count++] = view_between(&k->g, walk->from, walk->to);
    }
    return block->count > 0;
}

void axis_edges(const pair3 *k, double room, axis3 *best)
{
    bounds3 f = box_of(&k->f, room), g = box_of(&k->g, room);
    edge_block block;
    edge3 walk, e;
    bool first = true;
    while (fill_block(k, &f, &walk, &first, &block))
        for (bool go = view_next_edge(&k->f, &e, true); go; go = view_next_edge(&k->f, &e, false)) {
            if (!near_box(&k->f, &e, &g))
                continue;
            v3 d = view_between(&k->f, e.from, e.to);
            for (int j = 0; j < block.count; j++)
                try_cross(k, d, block.d[j], e.from, block.at[j], best);
        }
}
