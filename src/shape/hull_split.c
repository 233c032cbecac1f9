/*
 * Faces that are not convex, cut into faces that are.  Where points are off a plane by about the tolerance,
 * some facets in it are joined and some are not, and what is joined need not be convex.  A cut runs from a
 * corner that turns inward to one that it sees, such that it turns inward in neither piece.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "shape/hull.h"

/* a face in its plane */
typedef struct flat_face {
    const hull *h;
    const double *points;
    hull_face *face;
    double n[3]; /* unit normal */
} flat_face;

static const double *corner(const flat_face *f, uint32_t k)
{
    return hull_corner(f->h, f->points, f->face, k);
}

/* twice the area of the triangle of three corners, < 0 when they turn inward */
static double turn(const flat_face *f, uint32_t a, uint32_t b, uint32_t c)
{
    double u[3], v[3], t[3];
    vec3_sub(corner(f, b), corner(f, a), u);
    vec3_sub(corner(f, c), corner(f, a), v);
    vec3_cross(u, v, t);
    return vec3_dot(f->n, t);
}

static double apart(const flat_face *f, uint32_t a, uint32_t b)
{
    return vec3_distance(corner(f, a), corner(f, b));
}

static flat_face flatten(const hull *h, const double *points, hull_face *face)
{
    flat_face f = {.h = h, .points = points, .face = face};
    double u[3], v[3], t[3];
    vec3_sub(corner(&f, 1), corner(&f, 0), u);
    for (uint32_t k = 2; k < face->count; k++) {
        vec3_sub(corner(&f, k), corner(&f, 0), v);
        vec3_cross(u, v, t);
        vec3_add(f.n, t, f.n);
        vec3_copy(v, u);
    }
    vec3_unit(f.n, f.n);
    return f;
}

/* the first corner that lies farther than the tolerance inside the line between its neighbours; count: none
 */
static uint32_t inward_corner(const flat_face *f, double tolerance)
{
    uint32_t m = f->face->count;
    for (uint32_t k = 0; k < m; k++)
        if (turn(f, k + m - 1, k, k + 1) < -tolerance * fmax(apart(f, k + m - 1, k), apart(f, k, k + 1)))
            return k;
    return m;
}

/* no edge crosses the line from corner k to corner to */
static bool visible(const flat_face *f, uint32_t k, uint32_t to)
{
    uint32_t m = f->face->count;
    for (uint32_t i = 0; i < m; i++) {
        uint32_t j = (i + 1) % m;
        if (i == k || j == k || i == to || j == to)
            continue;
        if ((turn(f, k, to, i) > 0) != (turn(f, k, to, j) > 0) &&
            (turn(f, i, j, k) > 0) != (turn(f, i, j, to) > 0))
            return false;
    }
    return true;
}

/* where a cut from corner k ends: the nearest corner that will do; k: none */
static uint32_t end_of_cut(const flat_face *f, uint32_t k)
{
    uint32_t m = f->face->count, best = k;
    double nearest = HUGE_VAL;
    for (uint32_t i = 2; i + 1 < m; i++) {
        uint32_t to = (k + i) % m;
        double length = apart(f, k, to);
        if (length < nearest && turn(f, k + m - 1, k, to) > 0 && turn(f, to, k, k + 1) > 0 &&
            visible(f, k, to)) {
            best = to;
            nearest = length;
        }
    }
    return best;
}

/* the corners from a to b, round the loop */
static hull_face copy_piece(const hull_face *face, uint32_t a, uint32_t b, uint32_t *room)
{
    uint32_t count = (b + face->count - a) % face->count + 1;
    for (uint32_t k = 0; k < count; k++)
        room[k] = face->corners[(a + k) % face->count];
    return (hull_face){room, count};
}

/* cuts from corner k to corner to: the smaller piece goes to room and is returned, the other one stays */
static hull_face cut(hull_face *face, uint32_t k, uint32_t to, uint32_t *room)
{
    uint32_t ahead = (to + face->count - k) % face->count;
    uint32_t a = 2 * ahead <= face->count ? k : to, b = a == k ? to : k, kept = 0;
    hull_face piece = copy_piece(face, a, b, room);
    for (uint32_t i = 0; i < face->count; i++)
        if (i == a || i == b || (i + face->count - a) % face->count > (b + face->count - a) % face->count)
            face->corners[kept++] = face->corners[i];
    face->count = kept;
    return piece;
}

/* room for all smaller pieces of a face of m corners: every halving copies each corner once, and the two ends
 */
static size_t room_for(uint32_t m)
{
    size_t halvings = 1;
    while (m >> halvings > 0)
        halvings++;
    return 2 * halvings * m;
}

/* storage for the pieces of the faces that are to be cut; *used: how much of the corners' is taken already */
static bool make_room(hull *h, const double *points, double tolerance, size_t *used, bool *needed)
{
    size_t corners = 0, faces = h->face_count, at = 0;
    *needed = false;
    for (size_t i = 0; i < h->face_count; i++) {
        flat_face f = flatten(h, points, &h->faces[i]);
        corners += h->faces[i].count;
        if (inward_corner(&f, tolerance) == f.face->count)
            continue;
        *needed = true;
        faces += f.face->count;
        corners += room_for(f.face->count);
    }
    if (!*needed)
        return true;
    uint32_t *larger = malloc(corners * sizeof *larger);
    hull_face *more = realloc(h->faces, faces * sizeof *more);
    h->faces = more != NULL ? more : h->faces;
    if (larger == NULL || more == NULL) {
        free(larger);
        return false;
    }
    for (size_t i = 0; i < h->face_count; i++) {
        memcpy(larger + at, more[i].corners, more[i].count * sizeof *larger);
        more[i].corners = larger + at;
        at += more[i].count;
    }
    free(h->corners);
    h->corners = larger;
    *used = at;
    return true;
}

bool hull_split(hull *h, const double *points, double tolerance, mo_status *status)
{
    size_t used = 0;
    bool needed;
    if (!make_room(h, points, tolerance, &used, &needed)) {
        *status = MO_NO_MEMORY;
        return false;
    }
    // pieces are looked at in their turn
    for (size_t i = 0; needed && i < h->face_count; i++)
        for (;;) {
            flat_face f = flatten(h, points, &h->faces[i]);
            uint32_t k = inward_corner(&f, tolerance);
            if (k == f.face->count)
                break;
            uint32_t to = end_of_cut(&f, k);
            if (to == k)
                return false;
            hull_face piece = cut(f.face, k, to, h->corners + used);
            h->faces[h->face_count++] = piece;
            used += piece.count;
            h->corner_count += 2;
        }
    return true;
}
