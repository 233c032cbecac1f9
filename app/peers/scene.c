/*
 * The scenes: piles of discs (A) and spheres (B) that are dropped into an open box, cubes at rest and on a
 * slope (C), a column of spheres that is let go.
 *
 * r = 1 cm, radii uniform in [0.8, 1.2] r, density 2500, on a grid of spacing 2.5 r with jitter +-0.04 r;
 * friction 0.5, no restitution, g = 9.81, h = 1 ms.  A: ceil(sqrt(2 N)) columns, B: ceil(cbrt(N)) either way,
 * that span the box.  Cubes have side 1 m and density 1000; slopes are level, with gravity turned by 20
 * degrees.
 */
#include "peers.h"

#include "core/fail.h"
#include "core/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846, R = 0.01, G = 9.81;

typedef struct recipe {
    const char *name, *about;
    size_t n, settle, steps, quick_settle, quick_steps;
    bool (*make)(peer_scene *scene, size_t n);
} recipe;

/* ---- piles --------------------------------------------------------------------------------------- */

static bool make_bodies(peer_scene *s, size_t n)
{
    s->bodies = calloc(n, sizeof *s->bodies);
    s->body_count = s->bodies != NULL ? n : 0;
    for (size_t i = 0; i < s->body_count; i++)
        s->bodies[i].q[0] = 1;
    return s->bodies != NULL;
}

static void set_round(peer_body *b, int dim, double radius)
{
    b->radius = radius;
    b->mass = 2500 * PI * radius * radius * (dim == 2 ? 1 : 4 * radius / 3);
    for (int k = 0; k < 3; k++)
        b->inertia[k] = (dim == 2 ? 0.5 : 0.4) * b->mass * radius * radius;
}

static void add_plane(peer_scene *s, double nx, double ny, double nz, double offset)
{
    s->planes[s->plane_count++] = (peer_plane){.normal = {nx, ny, nz}, .offset = offset};
}

// on a grid of side columns either way, rising along the last axis
static bool make_grid(peer_scene *s, size_t n, size_t side)
{
    rng random = rng_seed(1, 1);
    if (!make_bodies(s, n))
        return false;
    for (size_t i = 0; i < n; i++) {
        size_t flat = s->dim == 2 ? 1 : side, place[3] = {i % side, i / side % flat, i / (side * flat)};
        if (s->dim == 2)
            place[1] = i / side;
        for (int k = 0; k < s->dim; k++)
            s->bodies[i].x[k] =
                ((double)place[k] + 0.5) * 2.5 * R + (2 * rng_uniform(&random) - 1) * 0.04 * R;
        set_round(&s->bodies[i], s->dim, R * (0.8 + 0.4 * rng_uniform(&random)));
    }
    return true;
}

static void set_pile(peer_scene *s, int dim)
{
    s->dim = dim;
    s->friction = 0.5;
    s->size = R;
    s->resting = true;
    s->gravity[dim - 1] = -G;
    add_plane(s, 0, dim == 2, dim == 3, 0);
}

static void add_walls(peer_scene *s, double width)
{
    for (int k = 0; k < s->dim - 1; k++) {
        add_plane(s, k == 0, k == 1, 0, 0);
        add_plane(s, -(k == 0), -(k == 1), 0, -width);
    }
}

static bool make_discs(peer_scene *s, size_t n)
{
    size_t side = (size_t)ceil(sqrt(2.0 * (double)n));
    set_pile(s, 2);
    add_walls(s, (double)side * 2.5 * R);
    return make_grid(s, n, side);
}

static size_t cube_root(double n)
{
    return (size_t)ceil(cbrt(n) - 1e-9);
}

static bool make_spheres(peer_scene *s, size_t n)
{
    size_t side = cube_root((double)n);
    set_pile(s, 3);
    add_walls(s, (double)side * 2.5 * R);
    return make_grid(s, n, side);
}

static bool make_drop(peer_scene *s, size_t n)
{
    bool ok = make_spheres(s, n);
    s->resting = false;
    return ok;
}

// twice as high as wide, on a floor without walls
static bool make_column(peer_scene *s, size_t n)
{
    set_pile(s, 3);
    s->resting = false;
    return make_grid(s, n, cube_root(0.5 * (double)n));
}

/* ---- cubes --------------------------------------------------------------------------------------- */

static bool make_cubes(peer_scene *s, size_t n)
{
    s->dim = 3;
    s->friction = 0.5;
    s->size = 1;
    s->gravity[2] = -G;
    add_plane(s, 0, 0, 1, 0);
    if (!make_bodies(s, n))
        return false;
    for (size_t i = 0; i < n; i++) {
        peer_body *b = &s->bodies[i];
        b->mass = 1000;
        for (int k = 0; k < 3; k++) {
            b->half[k] = 0.5;
            b->inertia[k] = b->mass / 6;
        }
        b->x[2] = (double)i + 0.5;
    }
    return true;
}

static bool make_stack(peer_scene *s, size_t n)
{
    s->resting = true;
    return make_cubes(s, n);
}

// n layers, the lowest with n cubes, centres 1.1 sides apart
static bool make_pyramid(peer_scene *s, size_t n)
{
    s->resting = true;
    if (!make_cubes(s, n * (n + 1) / 2))
        return false;
    for (size_t layer = 0, i = 0; layer < n; layer++)
        for (size_t k = 0; k < n - layer; k++, i++) {
            s->bodies[i].x[0] = 1.1 * ((double)k - 0.5 * (double)(n - layer - 1));
            s->bodies[i].x[2] = (double)layer + 0.5;
        }
    return true;
}

static bool make_slope(peer_scene *s, double friction)
{
    if (!make_cubes(s, 1))
        return false;
    s->friction = friction;
    s->gravity[0] = G * sin(PI / 9);
    s->gravity[2] = -G * cos(PI / 9);
    return true;
}

static bool make_slope_stick(peer_scene *s, size_t n)
{
    (void)n;
    s->resting = true;
    return make_slope(s, 0.37);
}

static bool make_slope_slide(peer_scene *s, size_t n)
{
    (void)n;
    return make_slope(s, 0.35);
}

/* ---- the list ------------------------------------------------------------------------------------ */

static const recipe recipes[] = {
    {"A", "discs dropped into an open box, once settled", 1000, 2000, 200, 300, 50, make_discs},
    {"B", "spheres dropped into an open box, once settled", 1000, 2000, 200, 300, 50, make_spheres},
    {"stack", "C: 20 cubes on each other for 5 s", 20, 0, 5000, 0, 500, make_stack},
    {"pyramid", "C: a pyramid of 10 layers of cubes for 5 s", 10, 0, 5000, 0, 200, make_pyramid},
    {"slope-stick", "C: a cube on a slope of 20 degrees for 10 s, friction 0.37", 1, 0, 10000, 0, 1000,
     make_slope_stick},
    {"slope-slide", "C: the same with friction 0.35", 1, 0, 10000, 0, 1000, make_slope_slide},
    {"drop", "one second of scene B from its start", 8000, 0, 1000, 0, 20, make_drop},
    {"collapse", "0.1 s of a column of spheres that is let go", 100000, 0, 100, 0, 2, make_column},
};

enum { RECIPES = sizeof recipes / sizeof recipes[0] };

const char *peer_scene_name(size_t i)
{
    return i < RECIPES ? recipes[i].name : NULL;
}

const char *peer_scene_about(size_t i)
{
    return i < RECIPES ? recipes[i].about : NULL;
}

mo_status peer_scene_make(const char *name, const peer_size *size, bool quick, peer_scene *out, mo_error *err)
{
    size_t i = 0;
    while (i < RECIPES && strcmp(recipes[i].name, name) != 0)
        i++;
    if (i == RECIPES)
        return fail(err, MO_BAD_INPUT, "case", "no scene '%s'", name);
    const recipe *r = &recipes[i];
    *out = (peer_scene){.h = 1e-3};
    snprintf(out->name, sizeof out->name, "%s", name);
    if (!r->make(out, size->n != 0 ? size->n : r->n)) {
        peer_scene_free(out);
        return fail(err, MO_NO_MEMORY, "", "no memory for the scene");
    }
    out->settle = size->settle != 0 ? size->settle : quick ? r->quick_settle : r->settle;
    out->steps = size->steps != 0 ? size->steps : quick ? r->quick_steps : r->steps;
    return MO_OK;
}

void peer_scene_free(peer_scene *scene)
{
    free(scene->bodies);
    *scene = (peer_scene){0};
}
