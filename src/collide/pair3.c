/* Two placed parts in 3D seen from one of them: see pair3.h. */
#include "collide/pair3.h"

#include "math/two_sum.h"

static const double ORIGIN[3] = {0, 0, 0};
static const uint32_t POINT[] = {1, 0}, SEGMENT[] = {2, 0, 1}, TRIANGLE[] = {3, 0, 1, 2, 3, 2, 1, 0};

/* rounding allowed in a gap, over the pair's scale */
static const double ROUNDING = 2e-15;

v3 pair3_offset(const placed3 *f, const double *X, const placed3 *g, const double *Y)
{
    v3 x = v3_turn(f->R, v3_of(X)), y = v3_turn(g->R, v3_of(Y)), out;
    for (int i = 0; i < 3; i++) {
        double e1, e2, e3, p = two_difference(g->p[i], f->p[i], &e1), v = two_difference(y.v[i], x.v[i], &e2);
        double s = two_difference(p, -v, &e3);
        out.v[i] = s + ((e1 + e2) + e3);
    }
    return out;
}

static const double *first_vertex(const placed3 *a)
{
    return a->part->vertex_count > 0 ? a->vertices + 3 * (size_t)a->part->vertex_first : ORIGIN;
}

static void set_faces(view3 *s)
{
    const mo_part *part = s->from->part;
    s->face_count = 1;
    s->faces = POINT;
    if (part->kind == MO_PART_CAPSULE)
        s->faces = SEGMENT;
    if (part->kind == MO_PART_TRIANGLE) {
        s->faces = TRIANGLE;
        s->face_count = 2;
        s->n = 3;
    }
    if (part->kind == MO_PART_POLYHEDRON) {
        s->faces = s->from->faces + part->link.face.first;
        s->face_count = part->link.face.count;
    }
}

/* the vertex c of a face as seen from its first */
static v3 from_first(const view3 *s, const uint32_t *id, uint32_t c)
{
    return v3_sub(v3_of(s->V + 3 * (size_t)id[c]), v3_of(s->V + 3 * (size_t)id[0]));
}

/* the normal n of a face that may be narrow: nothing along its longest side or diagonal; length: twice its
 * area */
static v3 narrow_normal(const view3 *s, uint32_t at, v3 n, double length)
{
    v3 longest = {{0, 0, 0}};
    double most = 0;
    for (uint32_t c = 1; c < s->faces[at]; c++) {
        v3 d = from_first(s, s->faces + at + 1, c);
        double square = v3_dot(d, d);
        if (square > most)
            most = square, longest = d;
    }
    return length < V3_CROSSING * most ? v3_across_first(n, v3_unit(longest)) : n;
}

/* unit; computed from differences of the part's own vertices, so that thin faces lose nothing */
static v3 face_normal(const view3 *s, uint32_t at)
{
    const uint32_t *id = s->faces + at + 1;
    if (s->faces[at] < 3)
        return (v3){{0, 0, 0}};
    /* two corners at a time: a x b + b x c = b x (c - a) */
    v3 before = from_first(s, id, 1), sum = {{0, 0, 0}};
    for (uint32_t c = 2; c < s->faces[at]; c += 2) {
        v3 d = from_first(s, id, c),
           after = c + 1 < s->faces[at] ? from_first(s, id, c + 1) : (v3){{0, 0, 0}};
        sum = v3_along(sum, 1, v3_cross(d, v3_sub(after, before)));
        before = after;
    }
    double length = v3_length(sum);
    if (!(length > 0))
        return (v3){{0, 0, 0}};
    v3 n = {{sum.v[0] / length, sum.v[1] / length, sum.v[2] / length}};
    /* no side is longer than sqrt(12) times the reach */
    if (length < V3_CROSSING * 12 * s->reach * s->reach)
        n = narrow_normal(s, at, n, length);
    return s->turned ? v3_turn(s->R, n) : n;
}

/* vertices that fit are worked out once */
static void fill_view(view3 *s)
{
    const bool known = s->sides != NULL;
    s->reach = known ? s->sides[SIDES_REACH] : 0;
    s->normals_known = false;
    v3 first = v3_of(s->V);
    for (uint32_t j = 0; j < s->n; j++) {
        v3 d = v3_sub(v3_of(s->V + 3 * (size_t)j), first);
        double extent = known ? 0 : vec3_extent(d.v);
        s->reach = extent > s->reach ? extent : s->reach;
        if (s->n <= VIEW_VERTICES)
            s->x[j] = s->turned ? v3_along(s->t, 1, v3_turn(s->R, d)) : d;
    }
    if (s->round) {
        v3 axis = view_between(s, 0, 1);
        s->h = v3_length(axis) / 2;
        s->a = v3_unit(axis);
        s->c = v3_along(s->t, 0.5, axis);
        s->reach += s->rc;
    }
}

void view_keep_normals(view3 *s)
{
    uint32_t at = 0;
    if (s->round || s->face_count > VIEW_FACES || s->normals_known)
        return;
    s->normals_known = true;
    if (s->sides != NULL) {
        const double *normal = &s->sides[SIDES_NORMAL];
        for (uint32_t i = 0; i < s->face_count; i++, normal += 3)
            s->normal[i] = s->turned ? v3_turn(s->R, v3_of(normal)) : v3_of(normal);
        return;
    }
    for (uint32_t i = 0; i < s->face_count; i++, at += s->faces[at] + 1)
        s->normal[i] = face_normal(s, at);
}

static void make_view(view3 *s, const placed3 *from)
{
    const mo_part *part = from->part;
    s->from = from;
    s->round = part->kind == MO_PART_CYLINDER;
    s->r = part->kind == MO_PART_SPHERE || part->kind == MO_PART_CAPSULE ? part->radius : 0;
    s->rc = s->round ? part->radius : 0;
    s->h = 0;
    s->V = first_vertex(from);
    s->n = part->vertex_count;
    s->sides = from->sides;
    set_faces(s);
}

void view_alone(view3 *s, const placed3 *from)
{
    make_view(s, from);
    s->sides = NULL;
    s->t = (v3){{0, 0, 0}};
    s->turned = false;
    for (int i = 0; i < 9; i++)
        s->R[i] = i % 4 == 0 ? 1 : 0;
    fill_view(s);
}

void pair3_make(pair3 *k, const placed3 *f, const placed3 *g, double max_gap)
{
    make_view(&k->f, f);
    make_view(&k->g, g);
    k->f.t = (v3){{0, 0, 0}};
    k->g.t = v3_turn_back(f->R, pair3_offset(f, k->f.V, g, k->g.V));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            k->f.R[3 * i + j] = i == j ? 1 : 0;
            k->g.R[3 * i + j] = f->R[i] * g->R[j] + f->R[3 + i] * g->R[3 + j] + f->R[6 + i] * g->R[6 + j];
        }
    k->f.turned = false;
    k->g.turned = true;
    fill_view(&k->f);
    fill_view(&k->g);
    v3 t = k->g.t;
    k->r = k->f.r + k->g.r;
    k->scale = k->f.reach + k->g.reach + k->r + vec3_extent(t.v);
    k->tol = ROUNDING * k->scale;
    k->max_gap = max_gap;
    k->mesh = f->part->kind == MO_PART_TRIANGLE && f->part->link.neighbours != 0;
}

/* ---- faces and edges ------------------------------------------------------------------------------------
 */

v3 view_face_normal(const view3 *s, uint32_t at, uint32_t number)
{
    return s->normals_known ? s->normal[number] : face_normal(s, at);
}

bool view_next_face(const view3 *s, face3 *face, bool first)
{
    if (s->round)
        return false;
    for (;; first = false) {
        if (first)
            face->at = face->number = 0;
        else
            face->at += s->faces[face->at] + 1, face->number++;
        if (face->number >= s->face_count)
            return false;
        if (s->faces[face->at] < 3)
            continue;
        face->normal = view_face_normal(s, face->at, face->number);
        if (v3_dot(face->normal, face->normal) > 0)
            return true;
    }
}

bool view_next_edge(const view3 *s, edge3 *e, bool first)
{
    if (s->round)
        return false;
    if (first)
        *e = (edge3){0};
    while (e->number < s->face_count) {
        uint32_t count = s->faces[e->at];
        const uint32_t *id = s->faces + e->at + 1;
        while (e->corner < count) {
            uint32_t c = e->corner++;
            e->from = id[c];
            e->to = id[c + 1 < count ? c + 1 : 0];
            if (e->from < e->to)
                return true;
        }
        e->at += count + 1;
        e->number++;
        e->corner = 0;
    }
    return false;
}

/* ---- support --------------------------------------------------------------------------------------------
 */

static bool cylinder_top(const view3 *s, v3 n, double limit, double *top)
{
    *top = v3_dot(n, s->c) + s->h * fabs(v3_dot(n, s->a)) + s->rc * cylinder_across(s, n);
    return *top <= limit;
}

bool view_top(const view3 *s, v3 n, double limit, double *top, uint32_t *at)
{
    if (s->round)
        return cylinder_top(s, n, limit, top);
    double most = -HUGE_VAL;
    bool kept = s->n <= VIEW_VERTICES;
    v3 local = kept ? n : v3_turn_back(s->R, n);
    double base = kept ? 0 : v3_dot(n, s->t);
    for (uint32_t j = 0; j < s->n; j++) {
        double h = kept ? v3_dot(n, s->x[j])
                        : base + v3_dot(local, v3_sub(v3_of(s->V + 3 * (size_t)j), v3_of(s->V)));
        if (h <= most)
            continue;
        most = h;
        *at = j;
        if (h > limit)
            return false;
    }
    *top = most;
    return true;
}

/* ---- order ----------------------------------------------------------------------------------------------
 */

/* whose frame is used: planes, then triangles, cylinders, polyhedra, capsules, spheres */
static int rank_of(mo_part_kind kind)
{
    switch (kind) {
    case MO_PART_PLANE:
        return 0;
    case MO_PART_TRIANGLE:
        return 1;
    case MO_PART_CYLINDER:
        return 2;
    case MO_PART_POLYHEDRON:
        return 3;
    case MO_PART_CAPSULE:
        return 4;
    default: // a sphere
        break;
    }
    return 5;
}

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_rows(const double *a, const double *b, size_t n)
{
    int order = 0;
    for (size_t i = 0; i < n && order == 0; i++)
        order = compare(a[i], b[i]);
    return order;
}

/* parts of bodies at the very same place: by what they are */
static int compare_alike(const placed3 *a, const placed3 *b)
{
    uint32_t na = a->part->vertex_count, nb = b->part->vertex_count;
    int order = (na > nb) - (na < nb);
    if (order == 0)
        order = compare(a->part->radius, b->part->radius);
    if (order == 0)
        order = compare_rows(first_vertex(a), first_vertex(b), 3 * (size_t)na);
    return order != 0 ? order : compare_rows(a->R, b->R, 9);
}

int pair3_order(const placed3 *a, const placed3 *b)
{
    int order = rank_of(a->part->kind) - rank_of(b->part->kind);
    if (order != 0)
        return order;
    /* along a direction that no usual arrangement is perpendicular to, so that resting bodies keep their
     * order */
    double d =
        0.3420736 * (a->p[0] - b->p[0]) + 0.2171828 * (a->p[1] - b->p[1]) + 0.9142136 * (a->p[2] - b->p[2]);
    order = compare(d, 0);
    return order != 0 ? order : compare_alike(a, b);
}
