/*
 * The convex hull by qhull (Barber, Dobkin and Huhdanpaa 1996), its reentrant library.
 *
 * qhull sees the points moved to the middle of their bounding box and scaled by a power of two, so that its
 * limits, which are partly absolute, suit any size.  Its bound E on errors of distances is set by hand: the
 * coordinates as given are rounded to |x| 2^-53, however small the body is beside its distance from the
 * origin.  What qhull prints goes into a buffer that is thrown away; its failures come back as a number.
 * Should its facets make no closed surface, it is asked again with a larger E.  After qh_new_qhull nothing is
 * called that could fail, since qhull would then end the program.
 */
#include "shape/hull.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <libqhull_r/qhull_ra.h>

#include "core/fail.h"
#include "math/vec3.h"
#include "shape/parts.h"

/* bound on a distance's error, in units of 2^-52: from qhull's arithmetic with coordinates below 1, and from
   coordinates as a caller computes them, per unit of their size */
#define OWN_ERRORS 7.0
#define GIVEN_ERRORS 4.0

/* a corner may lie this many E inside the line between its neighbours, as a point of that line would */
#define ACROSS 8.0

/* how often qhull is asked, and how much larger E is each time: up to 2e-11 of the body's size */
enum { ATTEMPTS = 5, COARSER = 8 };

/* ---- points as qhull gets them ------------------------------------------------------------------------ */

/* scaled[3 count] with |coordinates| <= 1; the bound E that goes with them; false: not in one range of
 * numbers */
static bool scale_points(const double *points, size_t count, double *scaled, double *E)
{
    double low[3], high[3], half[3], middle[3];
    vec3_copy(points, low);
    vec3_copy(points, high);
    for (size_t i = 1; i < count; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], points[3 * i + (size_t)k]);
            high[k] = fmax(high[k], points[3 * i + (size_t)k]);
        }
    for (int k = 0; k < 3; k++) {
        half[k] = high[k] / 2 - low[k] / 2;
        middle[k] = low[k] / 2 + high[k] / 2;
    }
    int exponent;
    frexp(vec3_extent(half), &exponent);
    if (!(vec3_extent(half) > DBL_MIN / DBL_EPSILON))
        return false;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            scaled[3 * i + (size_t)k] = ldexp(points[3 * i + (size_t)k] - middle[k], -exponent);
    double reach = ldexp(fmax(vec3_extent(low), vec3_extent(high)), -exponent);
    *E = DBL_EPSILON * (OWN_ERRORS + GIVEN_ERRORS * reach);
    return true;
}

/* ---- facets as loops of point numbers ----------------------------------------------------------------- */

static uint32_t number_of(const vertexT *vertex, const double *points)
{
    return (uint32_t)((size_t)(vertex->point - points) / 3);
}

/* the corners of a facet with its edges as qhull directs them: next[from] = to; returns how many */
static uint32_t direct_edges(facetT *facet, const double *points, uint32_t *next, uint32_t *first)
{
    uint32_t count = 0;
    if (facet->simplicial) {
        uint32_t v[3];
        for (; count < 3; count++)
            v[count] = number_of(SETelemt_(facet->vertices, count, vertexT), points);
        for (uint32_t k = 0; k < 3; k++)
            next[v[k]] = v[(facet->toporient ? k + 1 : k + 2) % 3];
        *first = v[0];
        return count;
    }
    ridgeT *ridge, **ridgep;
    FOREACHridge_(facet->ridges)
    {
        uint32_t a = number_of(SETfirstt_(ridge->vertices, vertexT), points);
        uint32_t b = number_of(SETsecondt_(ridge->vertices, vertexT), points);
        *first = ridge->top == facet ? a : b;
        next[*first] = ridge->top == facet ? b : a;
        count++;
    }
    return count;
}

/* one loop into corners; 0: the edges make no single loop.  next[] is left as it was: all UINT32_MAX. */
static uint32_t walk_loop(uint32_t *next, uint32_t first, uint32_t count, uint32_t *corners)
{
    uint32_t at = first, walked = 0;
    while (walked < count && at != UINT32_MAX) {
        uint32_t to = next[at];
        next[at] = UINT32_MAX;
        corners[walked++] = at;
        at = to;
    }
    return walked == count && at == first ? count : 0;
}

static size_t count_corners(const qhT *qh, size_t *face_count)
{
    size_t corners = 0;
    *face_count = 0;
    for (facetT *facet = qh->facet_list; facet != NULL && facet->next != NULL; facet = facet->next) {
        ridgeT *ridge, **ridgep;
        ++*face_count;
        if (facet->simplicial)
            corners += 3;
        else
            FOREACHridge_(facet->ridges) corners++;
    }
    return corners;
}

/* all facets; false: one of them is no polygon, or no memory (*status) */
static bool take_facets(const qhT *qh, const double *points, size_t count, hull *h, mo_status *status)
{
    h->corner_count = count_corners(qh, &h->face_count);
    h->corners = malloc((h->corner_count + 1) * sizeof *h->corners);
    h->faces = malloc((h->face_count + 1) * sizeof *h->faces);
    uint32_t *next = malloc(count * sizeof *next);
    bool ok = h->corners != NULL && h->faces != NULL && next != NULL;
    if (!ok)
        *status = MO_NO_MEMORY;
    for (size_t i = 0; ok && i < count; i++)
        next[i] = UINT32_MAX;
    size_t used = 0, face = 0;
    for (facetT *facet = qh->facet_list; ok && facet->next != NULL; facet = facet->next) {
        uint32_t first = 0, edges = direct_edges(facet, points, next, &first);
        h->faces[face++] = (hull_face){h->corners + used, edges};
        ok = edges >= 3 && walk_loop(next, first, edges, h->corners + used) == edges;
        used += edges;
    }
    free(next);
    return ok;
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

/* why qhull or the check of its facets said no; code 0: the latter */
static mo_status explain(int code, mo_status status, size_t count, mo_error *err)
{
    if (status == MO_NO_MEMORY || code == qh_ERRmem)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for the hull of %zu points", count);
    if (code == qh_ERRsingular || code == qh_ERRinput)
        return fail(
            err, MO_BAD_INPUT, "points",
            "the hull has no volume: the %zu points are in one plane to rounding, expected 4 that are not",
            count);
    return fail(
        err, MO_BAD_INPUT, "points",
        "the hull of the %zu points could not be found: they are too close to a plane or to each other for "
        "the precision of the coordinates",
        count);
}

/* qhull on scaled points, and its facets; its code, or 0 */
static int run_qhull(qhT *qh, double *scaled, size_t count, double E, hull *h, mo_status *status)
{
    char command[64], said[512];
    FILE *errors = fmemopen(said, sizeof said, "w");
    if (errors == NULL) {
        *status = MO_NO_MEMORY;
        return 0;
    }
    snprintf(command, sizeof command, "qhull Pp Q12 E%.8e", E);
    qh_zero(qh, errors);
    int code = qh_new_qhull(qh, 3, (int)count, scaled, False, command, NULL, errors);
    *status = MO_OK;
    if (code != 0 || !take_facets(qh, scaled, count, h, status) ||
        !hull_tidy(h, scaled, count, ACROSS * E, status))
        *status = *status == MO_OK ? MO_BAD_INPUT : *status;
    int blocks, bytes;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &blocks, &bytes);
    fclose(errors);
    return code;
}

static mo_status try_qhull(qhT *qh, double *scaled, size_t count, double E, hull *h, mo_error *err)
{
    for (int attempt = 1;; attempt++, E *= COARSER) {
        mo_status status;
        int code = run_qhull(qh, scaled, count, E, h, &status);
        if (status == MO_OK)
            return MO_OK;
        hull_free(h);
        if (attempt == ATTEMPTS || status == MO_NO_MEMORY || code == qh_ERRsingular || code == qh_ERRinput ||
            code == qh_ERRmem)
            return explain(code, status, count, err);
    }
}

mo_status hull_build(const double *points, size_t count, hull *out, mo_error *err)
{
    if (count < 4 || count > SHAPE_MAX_VERTICES)
        return fail(err, MO_BAD_INPUT, "points", "the hull has %zu points, expected 4 to %zu", count,
                    SHAPE_MAX_VERTICES);
    double *scaled = malloc(3 * count * sizeof *scaled), E;
    qhT *qh = malloc(sizeof *qh);
    hull h = {0};
    mo_status status;
    if (scaled == NULL || qh == NULL)
        status = fail(err, MO_NO_MEMORY, NULL, "no memory for the hull of %zu points", count);
    else if (!scale_points(points, count, scaled, &E))
        status = fail(err, MO_BAD_INPUT, "points",
                      "the %zu points coincide, expected 4 that are not in one plane", count);
    else
        status = try_qhull(qh, scaled, count, E, &h, err);
    free(scaled);
    free(qh);
    if (status == MO_OK)
        *out = h;
    return status;
}

void hull_free(hull *h)
{
    free(h->vertices);
    free(h->faces);
    free(h->corners);
    *h = (hull){0};
}
