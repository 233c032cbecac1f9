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
    if (!(sep > need))
        return false;
    /* a direction that is the triangle's normal but for the lean of the other part */
    if (k->mesh && best->kind == AXIS_FACE_F && mesh_is_normal(k, n))
        return false;
    if (k->mesh && !mesh_admits(k, n, sep)) {
        if (v3_dot(best->refused_n, best->refused_n) == 0 || sep > best->blocked) {
            best->refused_n = n;
            best->blocked = sep;
        }
        best->refused = fmax(best->refused, sep);
        return false;
    }
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

/* rounding of a direction and of heights along it, over scale and, of a cross product, over the lengths of
   its factors; AXIS_PREFER is far below it */
static const double BOUND_ROUNDING = 1e-13;

/* what is known of the separations along the faces' normals */
typedef struct face_bounds {
    double F[2][VIEW_FACES]; /* of f's and g's; -HUGE_VAL of faces that have no normal */
    double least;            /* what is below this is not the best; -HUGE_VAL: nothing is known */
} face_bounds;

/* F of the normals [begin, end) of f's faces followed by g's, which are kept */
static void bound_normals(const pair3 *k, uint32_t begin, uint32_t end, face_bounds *out)
{
    const v3 *normal[TOGETHER];
    direction_batch b;
    for (uint32_t j = 0; j < TOGETHER; j++) {
        const uint32_t i = begin + j < end ? begin + j : begin, own = k->f.face_count;
        normal[j] = i < own ? &k->f.normal[i] : &k->g.normal[i - own];
        for (int e = 0; e < 3; e++)
            b.n[e][j] = normal[j]->v[e];
    }
    directions_judge(k, &b);
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t j = i - begin;
        const bool of_g = i >= k->f.face_count, none = v3_dot(*normal[j], *normal[j]) == 0;
        const double F = none ? -HUGE_VAL : of_g ? b.back[j] : b.ahead[j];
        out->F[of_g][of_g ? i - k->f.face_count : i] = F;
        out->least = F > out->least ? F : out->least;
    }
}

static void find_bounds(const pair3 *k, face_bounds *out)
{
    const uint32_t faces = k->f.face_count + k->g.face_count;
    out->least = -HUGE_VAL;
    if (!directions_can_be_judged(k) || !k->f.normals_known || !k->g.normals_known)
        return;
    for (uint32_t i = 0; i < faces; i += TOGETHER)
        bound_normals(k, i, i + TOGETHER < faces ? i + TOGETHER : faces, out);
    out->least -= BOUND_ROUNDING * k->scale;
}

/* tries the normals of one part's faces; false: they are farther apart than max_gap */
static bool try_faces(const pair3 *k, bool of_g, const face_bounds *bounds, axis3 *best)
{
    const view3 *s = of_g ? &k->g : &k->f;
    const bool known = bounds->least > -HUGE_VAL;
    /* those of g must be better by a little than f's */
    double margin = of_g && best->kind == AXIS_FACE_F ? AXIS_PREFER * k->scale : 0;
    face3 face;
    for (bool go = view_next_face(s, &face, true); go; go = view_next_face(s, &face, false)) {
        if (known && bounds->F[of_g][face.number] < bounds->least)
            continue;
        const uint32_t corner = s->faces[face.at + 1],
                       other = hint_of(of_g ? &k->f : &k->g, of_g ? best->hint_f : best->hint_g);
        if (!axis_try(k, best, of_g ? v3_scale(-1, face.normal) : face.normal, of_g ? other : corner,
                      of_g ? corner : other, margin))
            continue;
        best->kind = of_g ? AXIS_FACE_G : AXIS_FACE_F;
        best->face = face;
        margin = 0;
        if (best->sep > k->max_gap + k->r)
            return false;
    }
    return true;
}

void axis_faces(pair3 *k, axis3 *best)
{
    face_bounds bounds;
    view_keep_normals(&k->f);
    view_keep_normals(&k->g);
    find_bounds(k, &bounds);
    if (try_faces(k, false, &bounds, best))
        try_faces(k, true, &bounds, best);
}

/* a cross product of two edges */
typedef struct cross3 {
    v3 d, c;              /* the first edge; the product */
    double square, dd_ee; /* of the lengths of the product and of the factors */
} cross3;

/* false: the edges are parallel */
static bool make_cross(v3 d, v3 e, cross3 *out)
{
    out->d = d;
    out->c = v3_cross(d, e);
    out->square = v3_dot(out->c, out->c);
    out->dd_ee = v3_dot(d, d) * v3_dot(e, e);
    return out->square > PARALLEL * PARALLEL * out->dd_ee;
}

/* tries both senses of x, along which F times its length is at most ahead and back; i, j: vertices that
   refuse most directions */
static void try_cross(const pair3 *k, const cross3 *x, double ahead, double back, uint32_t i, uint32_t j,
                      axis3 *best)
{
    const double length = sqrt(x->square), margin = AXIS_PREFER * k->scale;
    const double least = (best->sep + margin) * length - BOUND_ROUNDING * k->scale * sqrt(x->dd_ee);
    if (ahead < least && back < least)
        return;
    v3 n = {{x->c.v[0] / length, x->c.v[1] / length, x->c.v[2] / length}};
    if (x->square < V3_CROSSING * V3_CROSSING * x->dd_ee)
        n = v3_across_first(n, v3_unit(x->d));
    if (!(ahead < least))
        axis_try(k, best, n, i, j, margin);
    if (!(back < least))
        axis_try(k, best, v3_scale(-1, n), i, j, margin);
}

/* the same where nothing but what these vertices say is known */
static void try_edges(const pair3 *k, v3 d, v3 e, uint32_t i, uint32_t j, axis3 *best)
{
    cross3 x;
    if (!make_cross(d, e, &x))
        return;
    const double by = v3_dot(x.c, v3_sub(view_vertex(&k->g, j), view_vertex(&k->f, i)));
    try_cross(k, &x, by, -by, i, j, best);
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

/* tries up to TOGETHER cross products */
static void try_batch(const pair3 *k, const cross3 *x, int count, axis3 *best)
{
    direction_batch b;
    for (int j = 0; j < TOGETHER; j++)
        for (int e = 0; e < 3; e++)
            b.n[e][j] = x[j < count ? j : 0].c.v[e];
    directions_judge(k, &b);
    for (int j = 0; j < count; j++)
        try_cross(k, &x[j], b.ahead[j], b.back[j], best->hint_f, best->hint_g, best);
}

bool axis_few_edges(const pair3 *k, axis3 *best)
{
    directions f, g;
    cross3 x[TOGETHER];
    int count = 0;
    if (!view_directions(&k->f, &f) || !view_directions(&k->g, &g))
        return false;
    const bool judged = directions_can_be_judged(k);
    for (int i = 0; i < f.count; i++)
        for (int j = 0; j < g.count; j++) {
            if (!judged) {
                try_edges(k, f.d[i], g.d[j], best->hint_f, best->hint_g, best);
                continue;
            }
            count += make_cross(f.d[i], g.d[j], &x[count]);
            if (count < TOGETHER)
                continue;
            try_batch(k, x, count, best);
            count = 0;
        }
    if (count > 0)
        try_batch(k, x, count, best);
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
                try_edges(k, d, block.d[j], e.from, block.at[j], best);
        }
}
