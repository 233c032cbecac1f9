/*
 * Regions that generators fill: region = {min =, max =}, {center =, radius =} or, in 2D,
 * {points = {{x, y}, ...}}, a convex polygon.
 */
#include "scene/grains.h"

#include "shape/shape.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

grain_region grain_region_box(size_t dim, const double *min, const double *max)
{
    grain_region r = {.kind = REGION_BOX, .dim = dim, .measure = 1};
    for (size_t k = 0; k < dim; k++) {
        r.min[k] = min[k];
        r.max[k] = max[k];
        r.measure *= max[k] - min[k];
    }
    return r;
}

static grain_region read_box(lua_State *L, int t, const char *what, size_t dim)
{
    double min[3], max[3];
    char path[64];
    read_path(path, sizeof path, what, "max");
    if (!read_vector(L, t, what, "min", dim, min) || !read_vector(L, t, what, "max", dim, max))
        scene_error(L, what, "expected both min and max");
    for (size_t k = 0; k < dim; k++)
        if (!(min[k] < max[k]))
            scene_error(L, path, "expected max above min in %s directions", dim == 2 ? "both" : "all three");
    return grain_region_box(dim, min, max);
}

static grain_region read_ball(lua_State *L, int t, const char *what, size_t dim)
{
    grain_region r = {.kind = REGION_BALL, .dim = dim};
    read_vector(L, t, what, "center", dim, r.centre);
    if (!read_number(L, t, what, "radius", &r.radius))
        scene_error(L, what, "expected radius = a number > 0, got nothing");
    read_positive(L, what, "radius", r.radius);
    for (size_t k = 0; k < dim; k++) {
        r.min[k] = r.centre[k] - r.radius;
        r.max[k] = r.centre[k] + r.radius;
    }
    double R = r.radius;
    r.measure = dim == 2 ? PI * R * R : 4 * PI / 3 * R * R * R;
    return r;
}

/* checked and ordered by making a shape of it; the points lie in a userdata that stays on the stack */
static grain_region read_polygon(lua_State *L, int t, const char *what)
{
    grain_region r = {
        .kind = REGION_POLYGON, .dim = 2, .min = {HUGE_VAL, HUGE_VAL}, .max = {-HUGE_VAL, -HUGE_VAL}};
    char path[64];
    read_path(path, sizeof path, what, "points");
    read_field(L, t, "points");
    if (lua_type(L, -1) != LUA_TTABLE)
        read_wrong(L, what, "points", -1, "a table of points {x, y}");
    size_t n = lua_rawlen(L, -1);
    if (n < 3 || n > MOST_POINTS)
        scene_error(L, path, "expected at least 3 points {x, y}, got %zu", n);
    double *points = lua_newuserdatauv(L, 2 * n * sizeof *points, 0);
    read_points(L, lua_gettop(L) - 1, what, "points", 2, n, points);
    mo_shape_def def = {.kind = MO_SHAPE_POLYGON, .points = points, .point_count = n};
    shape built;
    mo_error err = {0};
    if (shape_build(&def, false, &built, &err) != MO_OK)
        scene_raise(L, what, &err);
    r.count = built.vertex_count;
    memcpy(points, built.vertices, 2 * r.count * sizeof *points);
    r.measure = built.area;
    shape_free(&built);
    r.points = points;
    for (size_t i = 0; i < 2 * r.count; i++) {
        r.min[i % 2] = fmin(r.min[i % 2], points[i]);
        r.max[i % 2] = fmax(r.max[i % 2], points[i]);
    }
    return r;
}

grain_region grain_region_read(const grains *g)
{
    static const char *const keys[] = {"min", "max", "center", "radius", "points", NULL};
    lua_State *L = g->L;
    char what[64];
    read_path(what, sizeof what, g->what, "region");
    if (!read_field(L, 1, "region"))
        scene_error(L, what, "expected {min =, max =}%s or {center =, radius =}, got nothing",
                    g->dim == 2 ? ", {points =}" : "");
    int t = lua_gettop(L);
    if (lua_type(L, t) != LUA_TTABLE)
        read_wrong(L, what, "", t, "a table {min =, max =} or {center =, radius =}");
    read_keys(L, t, what, keys, false);
    bool box = read_field(L, t, "min") || read_field(L, t, "max");
    bool ball = read_field(L, t, "radius") || read_field(L, t, "center");
    bool polygon = read_field(L, t, "points");
    lua_settop(L, t);
    if (box + ball + polygon != 1)
        scene_error(L, what, "expected either min and max, or center and radius, or points, got %s",
                    box + ball + polygon == 0 ? "none of them" : "a mixture");
    if (polygon && g->dim == 3)
        scene_error(L, what, "a polygon is a region of 2D worlds");
    grain_region r = box    ? read_box(L, t, what, g->dim)
                     : ball ? read_ball(L, t, what, g->dim)
                            : read_polygon(L, t, what);
    if (!(r.measure > 0 && r.measure < HUGE_VAL))
        scene_error(L, what, "expected a region of finite size, found one of %g", r.measure);
    return r;
}

double grain_region_width(const grain_region *r)
{
    double width = HUGE_VAL;
    for (size_t k = 0; k < r->dim; k++)
        width = fmin(width, r->max[k] - r->min[k]);
    return width;
}

/* in a triangle of the fan about the first corner, by area */
static void polygon_point(const grain_region *r, rng *random, double *x)
{
    const double *o = r->points, *a = o + 2, *b = o + 4;
    double left = rng_uniform(random) * r->measure, u = rng_uniform(random), v = rng_uniform(random);
    for (size_t i = 1; i + 1 < r->count; i++) {
        a = o + 2 * i;
        b = a + 2;
        left -= 0.5 * ((a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]));
        if (left < 0)
            break;
    }
    if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
    }
    for (size_t k = 0; k < 2; k++)
        x[k] = o[k] + u * (a[k] - o[k]) + v * (b[k] - o[k]);
}

void grain_region_point(const grain_region *r, rng *random, double *x)
{
    if (r->kind == REGION_POLYGON) {
        polygon_point(r, random, x);
        return;
    }
    do
        for (size_t k = 0; k < r->dim; k++)
            x[k] = r->min[k] + (r->max[k] - r->min[k]) * rng_uniform(random);
    while (!grain_region_holds(r, x, 0, 0));
}

static bool polygon_holds(const grain_region *r, const double *c, double radius)
{
    for (size_t i = 0; i < r->count; i++) {
        const double *a = r->points + 2 * i, *b = r->points + 2 * ((i + 1) % r->count);
        double ex = b[0] - a[0], ey = b[1] - a[1];
        /* distance to the left of the edge */
        if (ex * (c[1] - a[1]) - ey * (c[0] - a[0]) < radius * hypot(ex, ey))
            return false;
    }
    return true;
}

bool grain_region_holds(const grain_region *r, const double *centre, double radius, double slack)
{
    double inner = radius - slack, d2 = 0;
    if (r->kind == REGION_POLYGON)
        return polygon_holds(r, centre, inner);
    for (size_t k = 0; k < r->dim; k++) {
        if (r->kind == REGION_BOX && (centre[k] - inner < r->min[k] || centre[k] + inner > r->max[k]))
            return false;
        d2 += (centre[k] - r->centre[k]) * (centre[k] - r->centre[k]);
    }
    return r->kind == REGION_BOX || (inner <= r->radius && d2 <= (r->radius - inner) * (r->radius - inner));
}
