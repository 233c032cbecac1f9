/*
 * From loops of points to the faces of a hull: superfluous corners dropped, numbers of its own, orientation,
 * order that depends on the points alone, and a check that it is a closed surface.
 */
#include "shape/hull.h"

#include <stdlib.h>

#include "core/sort.h"
#include "math/vec3.h"

/* drops the corners that only two faces have, and then the faces of fewer than three corners; true: some */
static bool drop_idle(hull *h, uint32_t *degree, size_t count)
{
    bool dropped = false;
    for (size_t i = 0; i < count; i++)
        degree[i] = 0;
    for (size_t f = 0; f < h->face_count; f++)
        for (uint32_t k = 0; k < h->faces[f].count; k++)
            degree[h->faces[f].corners[k]]++;
    size_t faces = 0;
    for (size_t f = 0; f < h->face_count; f++) {
        hull_face face = h->faces[f];
        uint32_t kept = 0;
        for (uint32_t k = 0; k < face.count; k++)
            if (degree[face.corners[k]] > 2)
                face.corners[kept++] = face.corners[k];
        dropped = dropped || kept < face.count;
        face.count = kept;
        if (kept > 2)
            h->faces[faces++] = face;
    }
    h->face_count = faces;
    return dropped;
}

/* numbers into vertices instead of into points; degree[] says which points are corners, and is overwritten */
static bool renumber(hull *h, uint32_t *degree, size_t count)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        used += degree[i] > 0;
    h->vertices = calloc(used + 1, sizeof *h->vertices);
    if (h->vertices == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (degree[i] > 0) {
            h->vertices[h->vertex_count] = (uint32_t)i;
            degree[i] = (uint32_t)h->vertex_count++;
        }
    h->corner_count = 0;
    for (size_t f = 0; f < h->face_count; f++) {
        for (uint32_t k = 0; k < h->faces[f].count; k++)
            h->faces[f].corners[k] = degree[h->faces[f].corners[k]];
        h->corner_count += h->faces[f].count;
    }
    return true;
}

/* six times the volume that the faces enclose, by fans over their first corners */
static double enclosed(const hull *h, const double *points)
{
    double sum = 0;
    const double *base = points + 3 * (size_t)h->vertices[0];
    for (size_t f = 0; f < h->face_count; f++) {
        const hull_face *face = &h->faces[f];
        double a[3], b[3], c[3], n[3];
        vec3_sub(hull_corner(h, points, face, 0), base, a);
        vec3_sub(hull_corner(h, points, face, 1), base, b);
        for (uint32_t k = 2; k < face->count; k++) {
            vec3_sub(hull_corner(h, points, face, k), base, c);
            vec3_cross(b, c, n);
            sum += vec3_dot(a, n);
            vec3_copy(c, b);
        }
    }
    return sum;
}

static void reverse_face(hull_face *face)
{
    for (uint32_t i = 0, j = face->count - 1; i < j; i++, j--) {
        uint32_t t = face->corners[i];
        face->corners[i] = face->corners[j];
        face->corners[j] = t;
    }
}

/* turns the loop so that its lowest number comes first, by three reversals */
static void lowest_first(hull_face *face)
{
    uint32_t at = 0;
    for (uint32_t k = 1; k < face->count; k++)
        if (face->corners[k] < face->corners[at])
            at = k;
    if (at == 0)
        return;
    reverse_face(&(hull_face){face->corners, at});
    reverse_face(&(hull_face){face->corners + at, face->count - at});
    reverse_face(face);
}

/* by corners, one after the other; no two faces of a surface agree in their first two */
static int compare_faces(const void *p, const void *q)
{
    const hull_face *a = p, *b = q;
    for (uint32_t k = 0; k < a->count && k < b->count; k++)
        if (a->corners[k] != b->corners[k])
            return a->corners[k] < b->corners[k] ? -1 : 1;
    return (a->count > b->count) - (a->count < b->count);
}

/* keys[corner_count]: every edge from its first to its second corner, or the other way round */
static void list_edges(const hull *h, bool reverse, uint64_t *keys)
{
    size_t e = 0;
    for (size_t f = 0; f < h->face_count; f++) {
        const hull_face *face = &h->faces[f];
        for (uint32_t k = 0; k < face->count; k++) {
            uint64_t a = face->corners[k], b = face->corners[(k + 1) % face->count];
            keys[e++] = reverse ? b << 32 | a : a << 32 | b;
        }
    }
}

/* every edge once in each direction, and V - E + F = 2 */
static bool closed_surface(const hull *h, mo_status *status)
{
    size_t n = h->corner_count;
    uint64_t *there = malloc((3 * n + 1) * sizeof *there);
    if (there == NULL) {
        *status = MO_NO_MEMORY;
        return false;
    }
    uint64_t *back = there + n, *scratch = back + n;
    list_edges(h, false, there);
    list_edges(h, true, back);
    sort_u64(there, scratch, n);
    sort_u64(back, scratch, n);
    bool ok = n > 0 && h->vertex_count + h->face_count == n / 2 + 2;
    for (size_t i = 0; i < n && ok; i++)
        ok = there[i] == back[i] && (i == 0 || there[i] > there[i - 1]);
    free(there);
    return ok;
}

bool hull_tidy(hull *h, const double *points, size_t count, double tolerance, mo_status *status)
{
    uint32_t *degree = calloc(count + 1, sizeof *degree);
    bool memory = degree != NULL;
    while (memory && drop_idle(h, degree, count))
        ;
    memory = memory && renumber(h, degree, count);
    free(degree);
    if (!memory) {
        *status = MO_NO_MEMORY;
        return false;
    }
    double volume = h->vertex_count == 0 ? 0 : enclosed(h, points);
    for (size_t f = 0; f < h->face_count && volume < 0; f++)
        reverse_face(&h->faces[f]);
    if (volume == 0 || !hull_split(h, points, tolerance, status) || !closed_surface(h, status))
        return false;
    for (size_t f = 0; f < h->face_count; f++)
        lowest_first(&h->faces[f]);
    qsort(h->faces, h->face_count, sizeof *h->faces, compare_faces);
    return true;
}
