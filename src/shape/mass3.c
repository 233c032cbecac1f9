/*
 * Mass of solids at density 1: volume V, centre c, and the second moments C, the mean of (x - c)(x - c)^T.
 * The inertia tensor over mass is tr(C) 1 - C, so that C and the inertia have the same principal axes, and
 * the gyration about an axis is the sum of C along the two others (docs/theory/solids.md).
 *
 * Polyhedra by tetrahedra from one apex to every triangle of the faces: with the corners a, b, c seen from
 * the apex and d = a.(b x c), a tetrahedron has the volume d/6, the first moments d/24 s, s = a + b + c, and
 * the second ones d/120 (s s^T + a a^T + b b^T + c c^T).  Exact, whatever the apex; a second pass with the
 * centre as apex leaves nothing to cancel.
 */
#include <math.h>
#include <string.h>

#include "math/eigen3.h"
#include "math/quat.h"
#include "shape/solid_parts.h"

/* principal moments closer than this beside the largest one agree */
#define AGREE 1e-13

/* M += s a a^T */
static void add_square(double M[9], double s, const double a[3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            M[3 * i + j] += s * (a[i] * a[j]);
}

void moments_about_axis(const double u[3], double along, double across, double moments[9])
{
    for (int k = 0; k < 9; k++)
        moments[k] = k % 4 == 0 ? across : 0;
    add_square(moments, along - across, u);
}

/* ---- polyhedra and triangles -------------------------------------------------------------------------- */

static void add_tetrahedron(const double a[3], const double b[3], const double c[3], solid_lump *sum)
{
    double n[3], s[3];
    vec3_cross(b, c, n);
    double d = vec3_dot(a, n);
    vec3_add(a, b, s);
    vec3_add(s, c, s);
    sum->weight += d / 6;
    vec3_add_scaled(sum->centre, d / 24, s, sum->centre);
    add_square(sum->moments, d / 120, s);
    add_square(sum->moments, d / 120, a);
    add_square(sum->moments, d / 120, b);
    add_square(sum->moments, d / 120, c);
}

/* sums of the tetrahedra from the apex, as seen from it */
static solid_lump sum_faces(const double *vertices, const uint32_t *faces, size_t face_count,
                            const double apex[3])
{
    solid_lump sum = {0};
    for (size_t f = 0; f < face_count; f++, faces += 1 + faces[0]) {
        double a[3], b[3], c[3];
        vec3_sub(vertices + 3 * (size_t)faces[1], apex, a);
        vec3_sub(vertices + 3 * (size_t)faces[2], apex, b);
        for (uint32_t k = 3; k <= faces[0]; k++) {
            vec3_sub(vertices + 3 * (size_t)faces[k], apex, c);
            add_tetrahedron(a, b, c, &sum);
            vec3_copy(c, b);
        }
    }
    return sum;
}

void polyhedron_lump(const double *vertices, const uint32_t *faces, size_t face_count, solid_lump *out)
{
    solid_lump sum = sum_faces(vertices, faces, face_count, vertices);
    vec3_add_scaled(vertices, 1 / sum.weight, sum.centre, out->centre);
    sum = sum_faces(vertices, faces, face_count, out->centre);
    double left[3];
    vec3_scale(1 / sum.weight, sum.centre, left);
    for (int k = 0; k < 9; k++)
        out->moments[k] = sum.moments[k] / sum.weight;
    add_square(out->moments, -1, left);
    vec3_add(out->centre, left, out->centre);
    out->weight = sum.weight;
}

double polyhedron_depth(const double *vertices, const uint32_t *faces, size_t face_count,
                        const double point[3])
{
    double depth = HUGE_VAL;
    for (size_t f = 0; f < face_count; f++, faces += 1 + faces[0]) {
        const double *base = vertices + 3 * (size_t)faces[1];
        double n[3] = {0}, b[3], c[3], t[3];
        vec3_sub(vertices + 3 * (size_t)faces[2], base, b);
        for (uint32_t k = 3; k <= faces[0]; k++) {
            vec3_sub(vertices + 3 * (size_t)faces[k], base, c);
            vec3_cross(b, c, t);
            vec3_add(n, t, n);
            vec3_copy(c, b);
        }
        vec3_unit(n, n);
        vec3_sub(base, point, t);
        depth = fmin(depth, vec3_dot(n, t));
    }
    return fmax(depth, 0);
}

void triangle_lump(const double a[3], const double b[3], const double c[3], solid_lump *out)
{
    const double *corner[3] = {a, b, c};
    double u[3], v[3], n[3];
    vec3_sub(b, a, u);
    vec3_sub(c, a, v);
    vec3_cross(u, v, n);
    *out = (solid_lump){.weight = vec3_norm(n) / 2};
    for (int k = 0; k < 3; k++)
        out->centre[k] = a[k] + (u[k] + v[k]) / 3;
    for (int k = 0; k < 3; k++) {
        vec3_sub(corner[k], out->centre, u);
        add_square(out->moments, 1.0 / 12, u);
    }
}

/* ---- principal axes ----------------------------------------------------------------------------------- */

/* R := the least rotation that takes the axis `from` to the unit vector to, to[from] > 0 */
static void turn_axis(int from, const double to[3], double R[9])
{
    double axis[3] = {0}, half[3], q[4];
    axis[from] = 1;
    // q = (1 + e.t, e x t), made unit
    vec3_cross(axis, to, half);
    quat_set(q, 1 + to[from], half[0], half[1], half[2]);
    quat_normalise(q);
    quat_to_matrix(q, R);
}

/* two values agree: their axes may be any in the plane across the third; those nearest to the given ones */
static void settle_pair(int single, double values[3], double R[9])
{
    double axis[3] = {R[single], R[3 + single], R[6 + single]};
    double alone = values[single], both = (values[(single + 1) % 3] + values[(single + 2) % 3]) / 2;
    int slot = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(axis[k]) > fabs(axis[slot]) + AGREE)
            slot = k;
    vec3_scale(axis[slot] < 0 ? -1 : 1, axis, axis);
    turn_axis(slot, axis, R);
    for (int k = 0; k < 3; k++)
        values[k] = k == slot ? alone : both;
}

/* three distinct values: of the 24 orders and signs that make a rotation, the one nearest to no rotation */
static void settle_distinct(double values[3], double R[9])
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    double best = -HUGE_VAL, c[3], old[9], was[3];
    int order = 0, signs = 0;
    memcpy(old, R, sizeof old);
    memcpy(was, values, sizeof was);
    const double column[3][3] = {{R[0], R[3], R[6]}, {R[1], R[4], R[7]}, {R[2], R[5], R[8]}};
    vec3_cross(column[0], column[1], c);
    bool mirrored = vec3_dot(c, column[2]) < 0;
    for (int o = 0; o < 6; o++)
        for (int s = 0; s < 8; s++) {
            bool odd = (o > 2) != ((s ^ s >> 1 ^ s >> 2) & 1);
            double trace = 0;
            for (int k = 0; k < 3; k++)
                trace += (s >> k & 1 ? -1 : 1) * column[orders[o][k]][k];
            if (odd == mirrored && trace > best + AGREE)
                best = trace, order = o, signs = s;
        }
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            R[3 * i + k] = (signs >> k & 1 ? -1 : 1) * old[3 * i + orders[order][k]];
        values[k] = was[orders[order][k]];
    }
}

/* principal values and axes (columns of R) of the moments C; `rounding`: how far values may be off, over the
   largest */
static void principal_axes(const double C[9], double rounding, double values[3], double R[9])
{
    eigen3(C, values, R);
    double top = fmax(values[0], fmax(values[1], values[2]));
    double low = fmin(values[0], fmin(values[1], values[2]));
    double gap[3]; // between the two values other than k
    int closest = 0;
    for (int k = 0; k < 3; k++) {
        gap[k] = fabs(values[(k + 1) % 3] - values[(k + 2) % 3]);
        closest = gap[k] < gap[closest] ? k : closest;
    }
    if (top - low <= rounding * top) {
        for (int k = 0; k < 9; k++)
            R[k] = k % 4 == 0;
        double mean = (C[0] + C[4] + C[8]) / 3;
        vec3_set(values, mean, mean, mean);
    } else if (gap[closest] <= rounding * top) {
        settle_pair(closest, values, R);
    } else {
        settle_distinct(values, R);
    }
}

/* ---- the whole ---------------------------------------------------------------------------------------- */

void solid_mass(solid_work *w)
{
    solid *s = &w->s;
    double total = 0, shift[3] = {0}, C[9] = {0}, d[3], R[9], values[3];
    const double *first = w->lumps[0].centre;
    for (size_t i = 0; i < s->part_count; i++) {
        vec3_sub(w->lumps[i].centre, first, d);
        vec3_add_scaled(shift, w->lumps[i].weight, d, shift);
        total += w->lumps[i].weight;
        s->volume += s->parts[i].kind == MO_PART_TRIANGLE ? 0 : w->lumps[i].weight;
    }
    quat_set(s->axes, 1, 0, 0, 0);
    if (!(total > 0))
        return;
    vec3_scale(1 / total, shift, shift);
    vec3_add(first, shift, s->com);
    for (size_t i = 0; i < s->part_count; i++) {
        double share = w->lumps[i].weight / total;
        vec3_sub(w->lumps[i].centre, first, d);
        vec3_sub(d, shift, d);
        add_square(C, share, d);
        for (int k = 0; k < 9; k++)
            C[k] += share * w->lumps[i].moments[k];
    }
    // a body far from the frame's origin has its points to fewer digits
    double reach = vec3_norm(s->com) / sqrt(C[0] + C[4] + C[8]);
    principal_axes(C, AGREE * (1 + reach), values, R);
    quat_from_matrix(R, s->axes);
    for (int k = 0; k < 3; k++)
        s->gyration[k] = values[(k + 1) % 3] + values[(k + 2) % 3];
}
