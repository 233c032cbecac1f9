/*
 * generate.polygons{...}: grains that fill a region, the Voronoi cells of random points; polygons in 2D,
 * polyhedra in 3D.
 */
#include "scene/voronoi.h"

#include <math.h>
#include <string.h>

/* Lloyd: points go to the centres of their cells */
static void relax(voronoi *v, int times)
{
    double *centre = lua_newuserdatauv(v->L, v->dim * v->count * sizeof *centre, 0);
    for (int k = 0; k < times; k++) {
        for (size_t i = 0; i < v->count; i++) {
            voronoi_cell(v, i);
            memcpy(centre + v->dim * i, v->centre, v->dim * sizeof *centre);
        }
        memcpy(v->seed, centre, v->dim * v->count * sizeof *centre);
        voronoi_sort(v);
    }
    lua_pop(v->L, 1);
}

/* the present cell as a body, drawn together about its centre */
static void lay_cell(grains *g, voronoi *v, size_t i, size_t corners, double shrink)
{
    lua_Integer number = (lua_Integer)i + 1;
    shape_box *box = new_shape(g->L, g->dim == 2 ? MO_SHAPE_POLYGON : MO_SHAPE_CONVEX, corners);
    for (size_t k = 0; k < g->dim * corners; k++)
        box->points[k] = (1 - shrink) * (v->corner[k] - v->centre[k % g->dim]);
    lua_rawseti(g->L, g->shapes, number);
    grains_lay(g, number, v->centre, 0, NULL);
    grains_keep(g);
    lua_pushnil(g->L);
    lua_rawseti(g->L, g->shapes, number);
}

int generate_polygons(lua_State *L)
{
    static const char *const own[] = {"region", "count", "relax", "shrink", NULL};
    grains g = grains_begin_shaped(L, "generate.polygons", own);
    double shrink = 0;
    if (read_number(L, 1, g.what, "shrink", &shrink))
        read_range(L, g.what, "shrink", shrink, 0, 0.99);
    double times = 0;
    if (read_number(L, 1, g.what, "relax", &times))
        read_range(L, g.what, "relax", times, 0, 10000);
    if (times != floor(times))
        scene_error(L, "generate.polygons.relax", "expected a whole number, got %.17g", times);
    size_t count = grains_count(&g, "count");
    grain_region region = grain_region_read(&g);
    if (region.kind == REGION_BALL)
        scene_error(L, "generate.polygons.region", "a %s cannot be filled with %s: expected min and max%s",
                    g.dim == 2 ? "disc" : "ball", g.dim == 2 ? "polygons" : "polyhedra",
                    g.dim == 2 ? ", or points" : "");
    voronoi v = voronoi_begin(&g, &region, count);
    relax(&v, (int)times);
    for (size_t i = 0; i < count; i++)
        lay_cell(&g, &v, i, voronoi_cell(&v, i), shrink);
    lua_settop(L, g.list);
    return 1;
}
