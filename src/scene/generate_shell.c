/*
 * Masonry on a circle: generate.arch{...} and generate.dome{...}.
 *
 * Joints are radial.  The faces of a block are flat: between two joints the curve is replaced by its chord,
 * whose ends are at radius +- thickness/2.  Supports are fixed blocks that continue the ring beyond its
 * springing.
 */
#include "scene/generate.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* inner and outer radius */
static void read_radii(const masonry *m, double radii[2])
{
    double radius = masonry_length(m, "radius", 5);
    double thickness = masonry_length(m, "thickness", 0.1 * radius);
    if (thickness >= 2 * radius) {
        char path[64];
        read_path(path, sizeof path, m->what, "thickness");
        scene_error(m->L, path, "expected less than twice the radius of the mid-line, %g, got %g", radius,
                    thickness);
    }
    radii[0] = radius - 0.5 * thickness;
    radii[1] = radius + 0.5 * thickness;
}

static bool read_supports(const masonry *m)
{
    bool supports = true;
    read_boolean(m->L, 1, m->what, "supports", &supports);
    return supports;
}

/* ---- arches ---------------------------------------------------------------------------------------------
 */

typedef struct arch {
    double radii[2], embrace, width;
    int voussoirs;
} arch;

/* x and height of the two ends of joint i, from -1 (the left support's far face) to voussoirs + 1 */
static void arch_joint(const arch *a, int i, double out[2][2])
{
    double angle = a->embrace * ((double)i / a->voussoirs - 0.5);
    for (int k = 0; k < 2; k++) {
        out[k][0] = a->radii[k] * sin(angle);
        out[k][1] = a->radii[k] * cos(angle);
    }
}

/* the block between joints i and i + 1 */
static void lay_voussoir(const masonry *m, const arch *a, int i, bool fixed)
{
    double j[2][2][2], corners[24];
    arch_joint(a, i, j[0]);
    arch_joint(a, i + 1, j[1]);
    const double *loop[4] = {j[0][0], j[1][0], j[1][1], j[0][1]};
    if (m->dim == 2) {
        for (int k = 0; k < 8; k++)
            corners[k] = loop[k / 2][k % 2];
        masonry_lay_corners(m, corners, 4, fixed);
        return;
    }
    for (int k = 0; k < 8; k++) {
        corners[3 * k] = loop[k % 4][0];
        corners[3 * k + 1] = (k < 4 ? -0.5 : 0.5) * a->width;
        corners[3 * k + 2] = loop[k % 4][1];
    }
    masonry_lay_corners(m, corners, 8, fixed);
}

int generate_arch(lua_State *L)
{
    static const char *const own[] = {"voussoirs", "radius", "thickness", "embrace",
                                      "supports",  "width",  NULL};
    masonry m = masonry_begin(L, "generate.arch", own);
    arch a = {.width = 1};
    a.voussoirs = masonry_count(&m, "voussoirs", 21, 2);
    scene_check_bodies(L, m.what, "voussoirs", a.voussoirs);
    read_radii(&m, a.radii);
    a.embrace = masonry_number(&m, "embrace", PI, 1e-3, 1.5 * PI);
    if (m.dim == 2 && read_field(L, 1, "width"))
        scene_error(L, "generate.arch.width", "an arch of a 2D world has no width");
    a.width = masonry_length(&m, "width", 1);
    bool supported = read_supports(&m);
    for (int i = 0; i < a.voussoirs; i++) {
        lay_voussoir(&m, &a, i, false);
        masonry_keep(&m, 0);
    }
    if (supported) {
        int supports = masonry_table(L, m.list, "supports");
        lay_voussoir(&m, &a, -1, true);
        lua_rawseti(L, supports, 1);
        lay_voussoir(&m, &a, a.voussoirs, true);
        lua_rawseti(L, supports, 2);
    }
    lua_settop(L, m.list);
    return 1;
}

/* ---- domes ----------------------------------------------------------------------------------------------
 */

typedef struct dome {
    double radii[2], embrace, oculus; /* angles from the axis */
    double chamfer;                   /* share of its neighbouring sides by which a radial edge is cut off */
    int courses, blocks;
} dome;

/* corner at radius k of bed joint i (0: springing) and head joint j */
static void dome_corner(const dome *d, int k, int i, int j, double out[3])
{
    double from_axis = d->embrace + (d->oculus - d->embrace) * i / d->courses;
    double around = 2 * PI * (j % d->blocks) / d->blocks;
    out[0] = d->radii[k] * sin(from_axis) * cos(around);
    out[1] = d->radii[k] * sin(from_axis) * sin(around);
    out[2] = d->radii[k] * cos(from_axis);
}

/* Blocks of four meet in a radial edge.  Those across it would touch there, with a normal that is a matter of
   rounding, and lean on each other; so edges are cut off.  Points between two corners lie in the same faces.
 */
static void lay_dome_block(const masonry *m, const dome *d, int i, int j, bool fixed)
{
    double corners[24], cut[48];
    for (int c = 0; c < 8; c++)
        dome_corner(d, c & 1, i + (c >> 1 & 1), j + (c >> 2), corners + 3 * c);
    for (int c = 0; c < 8; c++)
        for (int k = 0; k < 3; k++) {
            double here = corners[3 * c + k];
            cut[6 * c + k] = here + d->chamfer * (corners[3 * (c ^ 2) + k] - here);
            cut[6 * c + 3 + k] = here + d->chamfer * (corners[3 * (c ^ 4) + k] - here);
        }
    masonry_lay_corners(m, d->chamfer > 0 ? cut : corners, d->chamfer > 0 ? 16 : 8, fixed);
}

/* closes the opening; its faces above and below are flat */
static void lay_keystone(masonry *m, const dome *d)
{
    double corners[6 * 1000];
    for (int c = 0; c < 2 * d->blocks; c++)
        dome_corner(d, c & 1, d->courses, c >> 1, corners + 3 * c);
    masonry_lay_corners(m, corners, 2 * (size_t)d->blocks, false);
    lua_pushvalue(m->L, -1);
    lua_setfield(m->L, m->list, "keystone");
    masonry_keep(m, 0);
}

static dome read_dome(const masonry *m)
{
    dome d = {0};
    d.courses = masonry_count(m, "courses", 8, 1);
    d.blocks = masonry_count(m, "blocks", 16, 3);
    if (d.blocks > 1000)
        read_range(m->L, m->what, "blocks", d.blocks, 3, 1000);
    scene_check_bodies(m->L, m->what, "courses", (double)d.courses * d.blocks);
    read_radii(m, d.radii);
    d.embrace = masonry_number(m, "embrace", 0.5 * PI, 1e-3, 0.75 * PI);
    d.oculus = masonry_number(m, "oculus", d.embrace / (2 * d.courses + 1), 1e-4, 0.75 * PI);
    d.chamfer = masonry_number(m, "chamfer", 1e-3, 0, 0.4);
    if (d.oculus >= d.embrace)
        scene_error(m->L, "generate.dome.oculus", "expected less than the embrace, %g rad, got %g", d.embrace,
                    d.oculus);
    return d;
}

int generate_dome(lua_State *L)
{
    static const char *const own[] = {"courses", "blocks",   "radius",   "thickness", "embrace",
                                      "oculus",  "keystone", "supports", "chamfer",   NULL};
    masonry m = masonry_begin(L, "generate.dome", own);
    if (m.dim == 2)
        scene_error(L, m.what, "domes are for 3D worlds; in 2D there is generate.arch");
    dome d = read_dome(&m);
    bool closed = true, supported = read_supports(&m);
    read_boolean(L, 1, m.what, "keystone", &closed);
    int rings = masonry_table(L, m.list, "rings");
    for (int i = 0; i < d.courses; i++) {
        int ring = masonry_table(L, rings, NULL);
        for (int j = 0; j < d.blocks; j++) {
            lay_dome_block(&m, &d, i, j, false);
            masonry_keep(&m, ring);
        }
        lua_settop(L, rings);
    }
    if (closed)
        lay_keystone(&m, &d);
    int supports = supported ? masonry_table(L, m.list, "supports") : 0;
    for (int j = 0; supported && j < d.blocks; j++) {
        lay_dome_block(&m, &d, -1, j, true);
        lua_rawseti(L, supports, j + 1);
    }
    lua_settop(L, m.list);
    return 1;
}
