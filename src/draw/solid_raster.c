/* Pieces of surface on the paper: each sample keeps the one with the largest nearness (camera.h). */
#include "draw/solid_raster.h"

#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>

bool band_create(band *b, int width, int height)
{
    size_t count = (size_t)width * (size_t)height;
    *b = (band){.width = width, .height = height};
    b->nearness = malloc((count + 1) * sizeof *b->nearness);
    b->facet = malloc((count + 1) * sizeof *b->facet);
    return b->nearness != NULL && b->facet != NULL;
}

void band_free(band *b)
{
    free(b->nearness);
    free(b->facet);
    *b = (band){0};
}

void band_clear(band *b, int first_row)
{
    size_t count = (size_t)b->width * (size_t)b->height;
    b->first_row = first_row;
    for (size_t i = 0; i < count; i++) {
        b->nearness[i] = -HUGE_VALF;
        b->facet[i] = facet_none;
    }
}

/* ---- where pieces lie -----------------------------------------------------------------------------------
 */

typedef struct extent {
    double lo[2], hi[2], nearest;
} extent;

static const extent extent_none = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}, -HUGE_VAL};

static void extent_add(extent *e, const double lo[2], const double hi[2], double nearest)
{
    for (int k = 0; k < 2; k++) {
        e->lo[k] = fmin(e->lo[k], lo[k]);
        e->hi[k] = fmax(e->hi[k], hi[k]);
    }
    e->nearest = fmax(e->nearest, nearest);
}

static double nearest_of(const camera *c, double z)
{
    if (c->distance > 0.0)
        z = fmin(z, c->distance - c->nearest);
    return camera_nearness(c, z);
}

static void extent_add_ball(extent *e, const camera *c, const double p[3], double radius)
{
    double view[3], lo[2], hi[2], r = radius / c->size;
    camera_see(c, p, view);
    if (camera_ball(c, view, r, lo, hi))
        extent_add(e, lo, hi, nearest_of(c, view[2] + r));
}

/* corners of a triangle after what lies before the eye is cut off, in view coordinates; returns how many */
static int clip_triangle(const camera *c, const facet *f, double out[4][3])
{
    double v[3][3], most = c->distance - c->nearest;
    int count = 0;
    for (int i = 0; i < 3; i++)
        camera_see(c, f->p[i], v[i]);
    for (int i = 0; i < 3; i++) {
        const double *a = v[i], *b = v[(i + 1) % 3];
        bool in_a = camera_sees(c, a[2]), in_b = camera_sees(c, b[2]);
        if (in_a)
            vec3_copy(a, out[count++]);
        if (in_a != in_b && count < 4) {
            double s = (most - a[2]) / (b[2] - a[2]);
            vec3_set(out[count++], a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]), most);
        }
    }
    return count;
}

static void extent_add_triangle(extent *e, const camera *c, const facet *f)
{
    double v[4][3], plane[2];
    int count = clip_triangle(c, f, v);
    for (int i = 0; i < count; i++) {
        camera_project(c, v[i], plane);
        extent_add(e, plane, plane, nearest_of(c, v[i][2]));
    }
}

static facet_place place_of(const camera *c, const facet *f, uint32_t number)
{
    extent e = extent_none;
    if (f->kind == FACET_TRIANGLE)
        extent_add_triangle(&e, c, f);
    else
        extent_add_ball(&e, c, f->p[0], f->radius);
    if (f->kind == FACET_TUBE)
        extent_add_ball(&e, c, f->p[1], f->radius);
    facet_place out = {.lo = {1.0F, 1.0F}, .hi = {0.0F, 0.0F}, .nearest = -HUGE_VALF, .facet = number};
    if (!(isfinite(e.nearest) && isfinite(e.hi[0] - e.lo[0]) && isfinite(e.hi[1] - e.lo[1])))
        return out;
    out.nearest = (float)e.nearest;
    out.lo[0] = (float)(c->left + c->scale * e.lo[0]);
    out.hi[0] = (float)(c->left + c->scale * e.hi[0]);
    out.lo[1] = (float)(c->top - c->scale * e.hi[1]);
    out.hi[1] = (float)(c->top - c->scale * e.lo[1]);
    return out;
}

/* nearest first, then by number */
static int compare_places(const void *a, const void *b)
{
    const facet_place *p = a, *q = b;
    if (p->nearest != q->nearest)
        return p->nearest > q->nearest ? -1 : 1;
    return p->facet < q->facet ? -1 : p->facet > q->facet;
}

facet_place *raster_places(const camera *c, const facets *f)
{
    facet_place *out = malloc((f->count + 1) * sizeof *out);
    if (out == NULL)
        return NULL;
    for (size_t i = 0; i < f->count; i++)
        out[i] = place_of(c, &f->items[i], (uint32_t)i);
    qsort(out, f->count, sizeof *out, compare_places);
    return out;
}

/* ---- pieces ------------------------------------------------------------------------------------------- */

/* A piece in view coordinates, ready to be tested along rays. */
typedef struct target {
    const camera *camera;
    uint32_t number;
    double p[3], axis[3]; /* centre or first end; unit axis */
    double length, radius;
    float nearest;
} target;

/* nearness of the hit along a ray, -HUGE_VAL for none */
typedef double (*hit_fn)(const target *t, const ray *r);

static double hit_nearness(const target *t, const ray *r, double s)
{
    double z = r->origin[2] - s;
    return camera_sees(t->camera, z) ? camera_nearness(t->camera, z) : -HUGE_VAL;
}

static double hit_ball(const target *t, const ray *r)
{
    double m[3];
    vec3_sub(t->p, r->origin, m);
    double a = vec3_dot(r->direction, r->direction), b = vec3_dot(r->direction, m);
    /* the distance of the centre from the ray, from the cross product: no digits are lost far away */
    double cross[3];
    vec3_cross(r->direction, m, cross);
    double rest = a * t->radius * t->radius - vec3_dot(cross, cross);
    return rest >= 0.0 ? hit_nearness(t, r, (b - sqrt(rest)) / a) : -HUGE_VAL;
}

static double hit_tube(const target *t, const ray *r)
{
    double m[3], across[3], from[3];
    vec3_sub(r->origin, t->p, m);
    double along_d = vec3_dot(r->direction, t->axis), along_m = vec3_dot(m, t->axis);
    vec3_add_scaled(r->direction, -along_d, t->axis, across);
    vec3_add_scaled(m, -along_m, t->axis, from);
    double a = vec3_dot(across, across), b = vec3_dot(across, from);
    double cross[3];
    vec3_cross(across, from, cross);
    double rest = a * t->radius * t->radius - vec3_dot(cross, cross);
    if (!(rest >= 0.0) || !(a > 1e-18))
        return -HUGE_VAL;
    double s = (-b - sqrt(rest)) / a, along = along_m + s * along_d;
    return along >= 0.0 && along <= t->length ? hit_nearness(t, r, s) : -HUGE_VAL;
}

static double hit_disc(const target *t, const ray *r)
{
    double m[3], x[3];
    vec3_sub(t->p, r->origin, m);
    double speed = vec3_dot(r->direction, t->axis);
    if (!(speed < 0.0))
        return -HUGE_VAL;
    double s = vec3_dot(m, t->axis) / speed;
    vec3_scale(s, r->direction, x);
    vec3_sub(x, m, x);
    return vec3_dot(x, x) <= t->radius * t->radius ? hit_nearness(t, r, s) : -HUGE_VAL;
}

/* ---- samples ------------------------------------------------------------------------------------------ */

/* samples of the band whose centres lie in [lo, hi] */
static void sample_range(double lo, double hi, int count, int *first, int *end)
{
    *first = (int)fmin(fmax(ceil(lo - 0.5), 0.0), (double)count);
    *end = (int)fmin(fmax(floor(hi - 0.5) + 1.0, 0.0), (double)count);
}

static void keep(band *b, size_t at, double nearness, uint32_t number)
{
    if ((float)nearness > b->nearness[at]) {
        b->nearness[at] = (float)nearness;
        b->facet[at] = number;
    }
}

static void draw_round(const target *t, const facet_place *place, hit_fn hit, band *b)
{
    const camera *c = t->camera;
    int x0, x1, y0, y1;
    sample_range((double)place->lo[0] - 1.0, (double)place->hi[0] + 1.0, b->width, &x0, &x1);
    sample_range((double)place->lo[1] - 1.0 - b->first_row, (double)place->hi[1] + 1.0 - b->first_row,
                 b->height, &y0, &y1);
    for (int y = y0; y < y1; y++) {
        double Y = (c->top - (y + b->first_row + 0.5)) / c->scale;
        size_t row = (size_t)y * (size_t)b->width;
        for (int x = x0; x < x1; x++) {
            if (b->nearness[row + (size_t)x] >= t->nearest)
                continue;
            ray r = camera_ray(c, (x + 0.5 - c->left) / c->scale, Y);
            keep(b, row + (size_t)x, hit(t, &r), t->number);
        }
    }
}

/* Nearness on a plane, affine in (X, Y): value = at + slope . (X, Y), within the range of its corners. */
typedef struct plane_depth {
    double at, slope[2], least, most;
} plane_depth;

/* false when the plane is seen on edge, or from behind when it has only one side */
static bool depth_of(const camera *c, const facet *f, double v[4][3], int count, plane_depth *out)
{
    double n[3], d = c->distance;
    camera_turn(c, f->normal, n);
    double eye = d == 0.0 ? -n[2] : n[0] * v[0][0] + n[1] * v[0][1] + n[2] * (v[0][2] - d);
    if (!(eye < 0.0) && !(f->two_sided && eye > 0.0))
        return false;
    if (d == 0.0) {
        out->slope[0] = -n[0] / n[2];
        out->slope[1] = -n[1] / n[2];
        out->at = v[0][2] - out->slope[0] * v[0][0] - out->slope[1] * v[0][1];
    } else {
        out->slope[0] = n[0] / (d * eye);
        out->slope[1] = n[1] / (d * eye);
        out->at = -n[2] / eye;
    }
    out->least = HUGE_VAL;
    out->most = -HUGE_VAL;
    for (int i = 0; i < count; i++) {
        out->least = fmin(out->least, nearest_of(c, v[i][2]));
        out->most = fmax(out->most, nearest_of(c, v[i][2]));
    }
    return true;
}

/* where a row of samples crosses a convex polygon of the paper; false when it does not */
static bool cross_row(double p[4][2], int count, double y, double *lo, double *hi)
{
    *lo = HUGE_VAL;
    *hi = -HUGE_VAL;
    for (int i = 0; i < count; i++) {
        const double *a = p[i], *b = p[(i + 1) % count];
        if (y < fmin(a[1], b[1]) || y > fmax(a[1], b[1]))
            continue;
        double s = b[1] == a[1] ? 0.0 : (y - a[1]) / (b[1] - a[1]);
        double x = a[0] + s * (b[0] - a[0]), other = b[1] == a[1] ? b[0] : x;
        *lo = fmin(*lo, fmin(x, other));
        *hi = fmax(*hi, fmax(x, other));
    }
    return *hi >= *lo;
}

static void draw_triangle(const camera *c, const facet *f, const facet_place *place, band *b)
{
    double v[4][3], p[4][2];
    plane_depth depth;
    int count = clip_triangle(c, f, v), y0, y1, x0, x1;
    if (count < 3 || !depth_of(c, f, v, count, &depth))
        return;
    for (int i = 0; i < count; i++) {
        camera_project(c, v[i], p[i]);
        p[i][0] = c->left + c->scale * p[i][0];
        p[i][1] = c->top - c->scale * p[i][1] - b->first_row;
    }
    sample_range((double)place->lo[1] - 1.0 - b->first_row, (double)place->hi[1] + 1.0 - b->first_row,
                 b->height, &y0, &y1);
    for (int y = y0; y < y1; y++) {
        double lo, hi, Y = (c->top - (y + b->first_row + 0.5)) / c->scale;
        if (!cross_row(p, count, y + 0.5, &lo, &hi))
            continue;
        /* neighbours that share an edge leave no crack */
        sample_range(lo - 1e-6, hi + 1e-6, b->width, &x0, &x1);
        for (int x = x0; x < x1; x++) {
            double X = (x + 0.5 - c->left) / c->scale;
            double near = depth.at + depth.slope[0] * X + depth.slope[1] * Y;
            keep(b, (size_t)y * (size_t)b->width + (size_t)x, fmin(fmax(near, depth.least), depth.most),
                 place->facet);
        }
    }
}

static target target_of(const camera *c, const facet *f, const facet_place *place)
{
    target t = {.camera = c, .number = place->facet, .radius = f->radius / c->size};
    t.nearest = place->nearest;
    camera_see(c, f->p[0], t.p);
    camera_turn(c, f->normal, t.axis);
    if (f->kind == FACET_TUBE) {
        double end[3];
        camera_see(c, f->p[1], end);
        vec3_sub(end, t.p, t.axis);
        t.length = vec3_norm(t.axis);
        vec3_scale(t.length > 0.0 ? 1.0 / t.length : 0.0, t.axis, t.axis);
    }
    return t;
}

void raster_draw(const camera *c, const facets *f, const facet_place *places, band *b)
{
    static const hit_fn hits[] = {NULL, hit_ball, hit_tube, hit_disc}; /* by facet_kind */
    double top = b->first_row, bottom = (double)b->first_row + b->height;
    for (size_t i = 0; i < f->count; i++) {
        const facet_place *p = &places[i];
        const facet *item = &f->items[p->facet];
        if (p->hi[0] < p->lo[0])
            continue;
        if (!((double)p->hi[1] >= top - 1.0 && (double)p->lo[1] <= bottom + 1.0))
            continue;
        if (!((double)p->hi[0] >= -1.0 && (double)p->lo[0] <= b->width + 1.0))
            continue;
        if (item->kind == FACET_TRIANGLE) {
            draw_triangle(c, item, p, b);
            continue;
        }
        target t = target_of(c, item, p);
        draw_round(&t, p, hits[item->kind], b);
    }
}

void raster_normal(const camera *c, const facet *f, const double view[3], double normal[3])
{
    if (f->kind == FACET_TRIANGLE || f->kind == FACET_DISC) {
        camera_turn(c, f->normal, normal);
        double eye = c->distance == 0.0 ? -normal[2] : vec3_dot(normal, view) - normal[2] * c->distance;
        if (f->two_sided && eye > 0.0)
            vec3_scale(-1.0, normal, normal);
        return;
    }
    facet_place none = {0};
    target t = target_of(c, f, &none);
    vec3_sub(view, t.p, normal);
    if (f->kind == FACET_TUBE)
        vec3_add_scaled(normal, -vec3_dot(normal, t.axis), t.axis, normal);
    double length = vec3_norm(normal);
    vec3_scale(length > 0.0 ? 1.0 / length : 0.0, normal, normal);
}
