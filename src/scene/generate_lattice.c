/*
 * generate.lattice{...}: bodies on the points of a lattice, as many as counts say or as fit a region.
 *
 * Rows along x, layers along the last axis.  Neighbours are at the distance d = spacing.  Close packings lie
 * in triangular layers sqrt(2/3) d apart, each shifted by a third of a row's way: ABAB for hcp, ABCABC for
 * fcc.  A body moved by jitter stays in the ball of diameter d about its point, so that none overlap.
 */
#include "scene/grains.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum lattice_kind { SQUARE, TRIANGULAR, HEXAGONAL, CUBIC, BCC, FCC, HCP } lattice_kind;

typedef struct lattice {
    lattice_kind kind;
    size_t dim;
    double spacing, jitter;
    double first[3]; /* place of point 0, 0, 0 */
    double step[3];  /* distance of rows and layers */
} lattice;

static const char *const names_2d[] = {"square", "triangular", "hexagonal", NULL};
static const char *const names_3d[] = {"cubic", "bcc", "fcc", "hcp", NULL};

static void set_steps(lattice *l)
{
    double d = l->spacing;
    for (size_t k = 0; k < 3; k++)
        l->step[k] = d;
    if (l->kind == TRIANGULAR || l->kind == HEXAGONAL || l->kind == FCC || l->kind == HCP)
        l->step[1] = 0.5 * sqrt(3.0) * d;
    if (l->kind == FCC || l->kind == HCP)
        l->step[2] = sqrt(2.0 / 3) * d;
    if (l->kind == BCC) {
        l->step[0] = l->step[1] = 2 * d / sqrt(3.0);
        l->step[2] = d / sqrt(3.0);
    }
}

static void lattice_point(const lattice *l, const size_t at[3], double out[3])
{
    double row = 0.5 * (double)(at[1] % 2), d = l->spacing;
    double shift[3] = {0, 0, 0};
    size_t layer = l->kind == FCC ? at[2] % 3 : at[2] % 2;
    switch (l->kind) {
    case SQUARE:
    case CUBIC:
        break;
    case BCC:
        shift[0] = shift[1] = 0.5 * (double)(at[2] % 2) * l->step[0];
        break;
    case TRIANGULAR:
    case HEXAGONAL:
        shift[0] = row * d;
        break;
    case FCC:
    case HCP:
        shift[0] = (row + (layer == 1 ? 0.5 : 0)) * d;
        shift[1] = (double)layer * d * sqrt(3.0) / 6;
        break;
    }
    for (size_t k = 0; k < 3; k++)
        out[k] = l->first[k] + (double)at[k] * l->step[k] + shift[k];
}

static lattice read_lattice(const grains *g)
{
    lattice l = {.kind = g->dim == 2 ? TRIANGULAR : FCC, .dim = g->dim};
    char path[64];
    int choice = g->dim == 2 ? 1 : 2;
    read_choice(g->L, 1, g->what, "kind", g->dim == 2 ? names_2d : names_3d, &choice);
    l.kind = (lattice_kind)(g->dim == 2 ? choice : choice + CUBIC);
    l.spacing = 2 * g->largest;
    bool given = read_number(g->L, 1, g->what, "spacing", &l.spacing);
    read_path(path, sizeof path, g->what, "spacing");
    if (!given && !(g->largest < HUGE_VAL))
        scene_error(g->L, path, "expected a number > 0 with a radius that is a function, got nothing");
    if (given)
        read_positive(g->L, g->what, "spacing", l.spacing);
    if (g->largest < HUGE_VAL && l.spacing < 2 * g->largest)
        scene_error(g->L, path, "expected at least %.15g, twice the largest radius, got %.15g",
                    2 * g->largest, l.spacing);
    if (read_number(g->L, 1, g->what, "jitter", &l.jitter))
        read_range(g->L, g->what, "jitter", l.jitter, 0, 1);
    set_steps(&l);
    return l;
}

/* radius below which a body stays, whatever the jitter */
static double widest(const grains *g, const lattice *l)
{
    double r = g->largest < HUGE_VAL ? g->largest : 0.5 * l->spacing;
    return r + l->jitter * (0.5 * l->spacing - r);
}

static void read_counts(const grains *g, const lattice *l, size_t counts[3])
{
    double given[3] = {1, 1, 1}, all = 1;
    read_vector(g->L, 1, g->what, "counts", l->dim, given);
    for (size_t k = 0; k < l->dim; k++) {
        char path[64];
        snprintf(path, sizeof path, "%s.counts[%zu]", g->what, k + 1);
        if (given[k] != floor(given[k]) || given[k] < 1)
            scene_error(g->L, path, "expected a whole number >= 1, got %.17g", given[k]);
        all *= given[k];
    }
    grains_check_count(g, "counts", all);
    for (size_t k = 0; k < 3; k++)
        counts[k] = (size_t)given[k];
}

/* as many points as the box around the region can hold */
static void counts_of_region(const grains *g, lattice *l, const grain_region *region, size_t counts[3])
{
    double wide = widest(g, l), all = 1;
    counts[2] = 1;
    for (size_t k = 0; k < l->dim; k++) {
        double room = region->max[k] - region->min[k] - 2 * wide;
        double n = room < -1e-9 * l->spacing ? 0 : floor(fmax(room, 0) / l->step[k] + 1e-9) + 1;
        l->first[k] = region->min[k] + wide;
        all *= n;
        counts[k] = n < 1e9 ? (size_t)n : 1000000000;
    }
    /* a ball holds half of its box's points, a narrow polygon fewer: what is tried is bounded all the same */
    grains_check_count(g, "spacing", region->kind == REGION_BOX ? all : 0.25 * all);
}

static void lay_point(grains *g, const lattice *l, const double *point)
{
    rng *random = &scene_of(g->L)->random;
    lua_Integer i = g->laid + 1;
    double x[3], d[3] = {0, 0, 0}, d2, r = grains_draw(g, i, NULL);
    double reach = l->jitter * (0.5 * l->spacing - r);
    if (2 * r > l->spacing * (1 + 1e-12)) {
        char path[64];
        read_path(path, sizeof path, g->what, "radius");
        scene_error(g->L, path, "body %d has radius %g, expected at most half the spacing, %g", (int)i, r,
                    0.5 * l->spacing);
    }
    do {
        d2 = 0;
        for (size_t k = 0; k < l->dim && l->jitter > 0; k++) {
            d[k] = 2 * rng_uniform(random) - 1;
            d2 += d[k] * d[k];
        }
    } while (d2 > 1);
    for (size_t k = 0; k < l->dim; k++)
        x[k] = point[k] + reach * d[k];
    grains_lay(g, i, x, r, NULL);
    grains_keep(g);
}

static void lay_all(grains *g, const lattice *l, const size_t counts[3], const grain_region *region)
{
    size_t at[3];
    double x[3], wide = widest(g, l);
    for (at[2] = 0; at[2] < counts[2]; at[2]++)
        for (at[1] = 0; at[1] < counts[1]; at[1]++) {
            scene_check_limits(g->L);
            for (at[0] = 0; at[0] < counts[0]; at[0]++) {
                lattice_point(l, at, x);
                if (region == NULL || grain_region_holds(region, x, wide, 1e-9 * l->spacing))
                    lay_point(g, l, x);
            }
        }
}

int generate_lattice(lua_State *L)
{
    static const char *const own[] = {"kind", "spacing", "counts", "region", "position", "jitter", NULL};
    grains g = grains_begin(L, "generate.lattice", own);
    lattice l = read_lattice(&g);
    bool counted = read_field(L, 1, "counts"), filled = read_field(L, 1, "region");
    if (counted == filled)
        scene_error(L, g.what, "expected either counts = {...} or region = {...}, got %s",
                    counted ? "both" : "neither");
    if (filled && read_field(L, 1, "position"))
        scene_error(L, "generate.lattice.position", "a region says where the lattice is");
    lua_settop(L, g.list);
    size_t counts[3] = {1, 1, 1};
    grain_region region;
    if (filled) {
        region = grain_region_read(&g);
        counts_of_region(&g, &l, &region, counts);
    } else {
        read_vector(L, 1, g.what, "position", l.dim, l.first);
        read_counts(&g, &l, counts);
    }
    lay_all(&g, &l, counts, filled ? &region : NULL);
    if (filled && g.laid == 0)
        scene_error(L, "generate.lattice.region",
                    "no point of the lattice has room for a body of radius %g in a region that is %g wide",
                    widest(&g, &l), grain_region_width(&region));
    lua_pushnumber(L, l.spacing);
    lua_setfield(L, g.list, "spacing");
    lua_settop(L, g.list);
    return 1;
}
