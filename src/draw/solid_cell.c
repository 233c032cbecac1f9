/* The outline of a periodic cell in space: dashed, along the edges of its faces. */
#include "draw/scene2d.h"
#include "draw/solid_view.h"
#include "math/vec3.h"

#include <math.h>

static const double dash_period = 0.03; /* of the view box's largest side; six tenths of it are line */
static const double dashes_most = 400;  /* along an edge */

/* where an axis has no period: from one side of the view to the other */
static void place_edge(const periodic_cell *c, const box3d *view, unsigned corner, int k, double edge[2][3])
{
    for (int end = 0; end < 2; end++) {
        const unsigned at = corner | (unsigned)end << k;
        scene_cell_corner(c, at, edge[end]);
        for (int i = 0; i < 3; i++)
            if (!c->along[i])
                edge[end][i] = (at >> i & 1U) != 0 ? view->hi[i] : view->lo[i];
    }
}

size_t solid_cell_edges(const scene3d *scene, const box3d *view, double out[cell_edges_most][2][3])
{
    const periodic_cell *c = &scene->cell;
    size_t count = 0;
    for (int k = 0; k < 3 && c->dim == 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        for (unsigned ends = 0; ends < 4 && (c->along[a] || c->along[b]); ends++)
            place_edge(c, view, (ends & 1U) << a | ends >> 1 << b, k, out[count++]);
    }
    return count;
}

/* dashes about whole multiples of a share of the edge, so that corners are closed */
static void add_dashes(facets *out, double edge[2][3], double period, double radius)
{
    double d[3];
    vec3_sub(edge[1], edge[0], d);
    const double n = fmin(fmax(floor(vec3_norm(d) / period + 0.5), 1.0), dashes_most);
    for (double i = 0; i <= n; i++) {
        double from[3], to[3];
        vec3_add_scaled(edge[0], fmax((i - 0.3) / n, 0.0), d, from);
        vec3_add_scaled(edge[0], fmin((i + 0.3) / n, 1.0), d, to);
        facets_add_bar(out, from, to, radius, 0, UINT32_MAX);
    }
}

void solid_add_cell(const scene3d *scene, const box3d *view, double radius, facets *out)
{
    double edges[cell_edges_most][2][3];
    const size_t first = out->count;
    // lines belong to a body, in whose colours they are not drawn
    const size_t count = scene->body_count > 0 ? solid_cell_edges(scene, view, edges) : 0;
    for (size_t i = 0; i < count; i++)
        add_dashes(out, edges[i], dash_period * box3d_side(view), radius);
    for (size_t i = first; i < out->count; i++)
        out->items[i].finish = FINISH_LINE;
}
