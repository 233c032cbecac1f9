/* Building solids in tests, random rotations, and looking at their faces. */
#ifndef SHAPE_SOLIDS_H
#define SHAPE_SOLIDS_H

#include <math.h>
#include <string.h>

#include "core/rng.h"
#include "math/quat.h"
#include "shape/solid.h"
#include "support/close.h"

/* between -1 and 1 */
static inline double signed_unit(rng *r)
{
    return 2 * rng_uniform(r) - 1;
}

static inline void random_turn(rng *r, double q[4])
{
    quat_set(q, signed_unit(r), signed_unit(r), signed_unit(r), signed_unit(r));
    quat_normalise(q);
}

static inline void random_direction(rng *r, double v[3])
{
    do
        vec3_set(v, signed_unit(r), signed_unit(r), signed_unit(r));
    while (vec3_dot(v, v) > 1 || vec3_dot(v, v) < 0.01);
    vec3_unit(v, v);
}

static inline solid build_solid(const mo_shape_def *def, bool centre)
{
    solid s;
    mo_error err = {0};
    if (solid_build(def, centre, &s, NULL, &err) != MO_OK)
        fail_msg("refused: %s: %s", err.key, err.message);
    return s;
}

static inline mo_shape_def hull_def(const double *points, size_t count)
{
    return (mo_shape_def){.kind = MO_SHAPE_CONVEX, .points = points, .point_count = count};
}

static inline mo_shape_def box_def(double x, double y, double z)
{
    return (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {x, y, z}};
}

/* the corners of the box of these lengths, turned, then moved: points[24] */
static inline void box_corners(const double l[3], const double q[4], const double p[3], double *points)
{
    for (size_t i = 0; i < 8; i++) {
        double *v = points + 3 * i;
        vec3_set(v, i & 1 ? l[0] / 2 : -l[0] / 2, i & 2 ? l[1] / 2 : -l[1] / 2, i & 4 ? l[2] / 2 : -l[2] / 2);
        quat_rotate(q, v, v);
        vec3_add(v, p, v);
    }
}

static inline void assert_refused(const mo_shape_def *def, const char *key)
{
    solid s = {.volume = -1};
    mo_error err = {0};
    assert_int_equal(solid_build(def, true, &s, NULL, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, key);
    assert_true(strlen(err.message) > 10);
    assert_true(s.volume < 0 && s.parts == NULL); // outputs untouched
}

/* Unit normal of face f of a part, outward by the order of its corners, and its area; corner k as a point. */
static inline const double *face_corner(const solid *s, const mo_part *part, const uint32_t *face, uint32_t k)
{
    return s->vertices + 3 * (size_t)(part->vertex_first + face[1 + k % face[0]]);
}

static inline double face_normal(const solid *s, const mo_part *part, const uint32_t *face, double n[3])
{
    vec3_set(n, 0, 0, 0);
    for (uint32_t k = 2; k < face[0]; k++) {
        double u[3], v[3], t[3];
        vec3_sub(face_corner(s, part, face, k - 1), face_corner(s, part, face, 0), u);
        vec3_sub(face_corner(s, part, face, k), face_corner(s, part, face, 0), v);
        vec3_cross(u, v, t);
        vec3_add(n, t, n);
    }
    return vec3_unit(n, n) / 2;
}

#endif
