/* Pictures of worlds in space: pixels, walls and chains that are seen through, films, and inputs that try to
   break them. */
#include "draw/canvas.h"
#include "draw/scene2d.h"
#include "draw/solid_picture.h"
#include "draw/solid_view.h"
#include "math/vec3.h"

static const double pi = 3.14159265358979323846;
static const double centre[3] = {0.0, 0.0, 0.0};
static const mo_part unit_ball = {.kind = MO_PART_SPHERE, .vertex_count = 1, .radius = 1.0};
static const mo_part ground = {.kind = MO_PART_PLANE, .normal = {0.0, 0.0, 1.0}};
static const char *const two_groups[] = {"default", "grain"};

static body3d ball_at(const mo_part *part, double x, double y, double z)
{
    const double q[7] = {x, y, z, 1.0, 0.0, 0.0, 0.0};
    body3d b = {.parts = part, .part_count = 1, .vertices = centre, .vertex_count = 1};
    b.volume = 4.0 / 3.0 * pi * pow(part->radius, 3.0);
    body3d_set(&b, q);
    return b;
}

static body3d plane_body(void)
{
    body3d b = ball_at(&unit_ball, 0.0, 0.0, 0.0);
    b.parts = &ground;
    b.volume = 0.0;
    b.wall = true;
    return b;
}

static scene3d scene_of(body3d *bodies, size_t count)
{
    return (scene3d){.time = 0.5,
                     .h = 0.001,
                     .gravity = {0.0, 0.0, -9.81},
                     .body_count = count,
                     .bodies = bodies,
                     .group_count = 2,
                     .groups = two_groups};
}

typedef struct canvas {
    solid_picture plan;
    cairo_surface_t *surface;
} canvas;

static draw_options front(int width)
{
    return (draw_options){.color = DRAW_BY_GROUP,
                          .width = width,
                          .camera = {.azimuth = -90.0, .elevation = 0.0, .orthographic = true}};
}

static canvas paint(const scene3d *scene, const draw_options *options)
{
    canvas c;
    mo_error err = {0};
    assert_int_equal(solid_picture_plan(&c.plan, scene, options, &err), MO_OK);
    c.surface = canvas_paint(c.plan.width, c.plan.height, solid_picture_paint, &c.plan);
    return c;
}

static void drop(canvas *c)
{
    cairo_surface_destroy(c->surface);
    solid_picture_free(&c->plan);
}

/* where a point of the world lies on the picture */
static void paper_of(const canvas *c, double x, double y, double z, double at[2])
{
    const camera *k = &c->plan.stage.camera;
    const double world[3] = {x, y, z};
    double view[3], plane[2];
    camera_see(k, world, view);
    camera_project(k, view, plane);
    at[0] = c->plan.left + k->left + k->scale * plane[0];
    at[1] = c->plan.top + k->top - k->scale * plane[1];
}

static uint32_t world_pixel(const canvas *c, double x, double y, double z)
{
    double at[2];
    paper_of(c, x, y, z, at);
    return canvas_pixel(c->surface, at[0], at[1]);
}

/* whether a pixel has the hue of a colour: the same order and about the same ratios of its channels */
static bool has_hue(uint32_t pixel, rgb color)
{
    double p[3] = {pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255};
    double c[3] = {color.r, color.g, color.b}, top = fmax(color.r, fmax(color.g, color.b));
    double most = fmax(p[0], fmax(p[1], p[2]));
    for (int k = 0; k < 3; k++)
        if (fabs(p[k] / most - c[k] / top) > 0.03)
            return false;
    return true;
}

/* ---- pixels ------------------------------------------------------------------------------------------- */

/* pixels that a disc of radius R touches lie in one of R + sqrt 2 and cover one of R - sqrt 2 */
static void a_ball_covers_its_disc(void **state)
{
    (void)state;
    body3d body = ball_at(&unit_ball, 3.0, 4.0, 5.0);
    body.group = 1;
    scene3d scene = scene_of(&body, 1);
    draw_options options = front(500);
    canvas c = paint(&scene, &options);
    double at[2], R = c.plan.stage.camera.scale / c.plan.stage.camera.size, count = 0.0;
    paper_of(&c, 3.0, 4.0, 5.0, at);
    assert_true(R > 100.0);
    for (int y = (int)(at[1] - R - 4.0); y < at[1] + R + 4.0; y++)
        for (int x = (int)(at[0] - R - 4.0); x < at[0] + R + 4.0; x++) {
            count += canvas_pixel(c.surface, x, y) != 0xffffff;
        }
    assert_true(count >= pi * pow(R - sqrt(2.0), 2.0) && count <= pi * pow(R + sqrt(2.0), 2.0));
    assert_true(has_hue(canvas_pixel(c.surface, at[0], at[1]), palette_category(0)));
    drop(&c);
}

static void groups_have_their_colours_and_the_nearer_is_seen(void **state)
{
    (void)state;
    for (int order = 0; order < 2; order++) {
        body3d bodies[2] = {ball_at(&unit_ball, 0.0, order == 0 ? -2.0 : 2.0, 1.0),
                            ball_at(&unit_ball, 0.5, order == 0 ? 2.0 : -2.0, 1.0)};
        bodies[1].group = 1;
        scene3d scene = scene_of(bodies, 2);
        draw_options options = front(400);
        canvas c = paint(&scene, &options);
        assert_int_equal(c.plan.tint.groups_shown, 2);
        assert_true(has_hue(world_pixel(&c, 0.25, 0.0, 1.0), palette_category((size_t)order)));
        assert_true(has_hue(world_pixel(&c, -0.7, 0.0, 1.0), palette_category(0)));
        assert_true(has_hue(world_pixel(&c, 1.2, 0.0, 1.0), palette_category(1)));
        assert_int_equal(world_pixel(&c, 0.25, 0.0, 2.01), 0xffffff);
        drop(&c);
    }
}

static double grey(uint32_t pixel)
{
    return (double)((pixel >> 16 & 255) + (pixel >> 8 & 255) + (pixel & 255)) / 3.0;
}

/* grey of a ball turned by q at the middle of the eighth of the body that signs tell; 0 where it is not seen
   well */
static double eighth_light(const double q[4], const double signs[3], const draw_options *options)
{
    const double pose[7] = {0.0, 0.0, 0.0, q[0], q[1], q[2], q[3]};
    body3d body = ball_at(&unit_ball, 0.0, 0.0, 0.0);
    double local[3], at[3];
    body3d_set(&body, pose);
    for (int i = 0; i < 3; i++)
        local[i] = signs[i] / sqrt(3.0);
    body3d_place(&body, local, at);
    scene3d scene = scene_of(&body, 1);
    canvas c = paint(&scene, options);
    const uint32_t pixel = at[1] < -0.4 ? world_pixel(&c, at[0], at[1], at[2]) : 0;
    drop(&c);
    return grey(pixel);
}

/* The eighths of a ball are light and dark by turns.  A quarter turn about the body's x axis takes each to
   where its neighbour was, from (x, y, z) to (x, -z, y): there the light is the same and the mark the other.
 */
static void balls_show_how_they_are_turned(void **state)
{
    (void)state;
    const double r = sqrt(0.5), turns[3][4] = {{1, 0, 0, 0}, {0.8, 0, 0, 0.6}, {0.5, 0.7, -0.1, 0.5}};
    draw_options options = front(200);
    for (int k = 0, seen = 0; k < 24; k++) {
        const double *q = turns[k / 8], signs[3] = {k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1};
        const double after[4] = {r * (q[0] - q[1]), r * (q[0] + q[1]), r * (q[2] + q[3]), r * (q[3] - q[2])};
        const double there[3] = {signs[0], signs[2], -signs[1]};
        const bool dark = signs[0] * signs[1] * signs[2] > 0.0;
        options.network = false;
        double here = eighth_light(q, signs, &options), other = eighth_light(after, there, &options);
        if (here > 0.0) {
            /* greys are rounded, and the ray may meet the ball half a pixel beside the point */
            assert_true(fabs((dark ? here / other : other / here) - 0.8) < 0.02);
            seen++;
        }
        options.network = true;
        assert_true(fabs(eighth_light(q, signs, &options) - eighth_light(after, there, &options)) <= 1.0);
        assert_true(k < 23 || seen >= 6);
    }
}

static const mo_part capsule = {.kind = MO_PART_CAPSULE, .vertex_count = 2, .radius = 1.0};
static const mo_part cylinder = {.kind = MO_PART_CYLINDER, .vertex_count = 2, .radius = 1.0};
static const double round_ends[] = {0.0, 0.0, -1.0, 0.0, 0.0, 1.0};

static body3d round_body(const mo_part *part, const double q[4])
{
    const double pose[7] = {0.0, 0.0, 0.0, q[0], q[1], q[2], q[3]};
    body3d body = ball_at(part, 0.0, 0.0, 0.0);
    body.vertices = round_ends;
    body.vertex_count = 2;
    body3d_set(&body, pose);
    return body;
}

static double round_light(const mo_part *part, const double q[4], const double at[3])
{
    const draw_options options = front(300);
    body3d body = round_body(part, q);
    scene3d scene = scene_of(&body, 1);
    canvas c = paint(&scene, &options);
    const double light = grey(world_pixel(&c, at[0], at[1], at[2]));
    drop(&c);
    return light;
}

/* a point of the surface and its outward normal, in the frame of the body */
typedef struct spot {
    const mo_part *part;
    double at[3], normal[3];
} spot;

/* whether the spot can be seen well on a body turned by q, and is then dark or light as its eighth says: a
   quarter turn about the body's own axis, which changes nothing else, makes light of dark */
static bool spot_is_marked(const spot *s, const double q[4])
{
    const double r = sqrt(0.5);
    const double after[4] = {r * (q[0] - q[3]), r * (q[1] + q[2]), r * (q[2] - q[1]), r * (q[3] + q[0])};
    const double z[3] = {0.0, 0.0, 1.0};
    double at[3], normal[3], across[2][3];
    const body3d body = round_body(s->part, q);
    body3d_place(&body, s->at, at);
    body3d_place(&body, s->normal, normal);
    if (normal[1] > -0.4)
        return false;
    mo_tangent(z, across[0]);
    vec3_cross(z, across[0], across[1]);
    const bool dark = vec3_dot(s->at, across[0]) * vec3_dot(s->at, across[1]) * s->at[2] > 0.0;
    const double here = round_light(s->part, q, at), other = round_light(s->part, after, at);
    /* greys are rounded, and the ray may meet the body half a pixel beside the point */
    assert_true(fabs((dark ? here / other : other / here) - 0.8) < 0.02);
    return true;
}

/* capsules and cylinders as balls, on their sides and on their ends */
static void round_bodies_show_how_they_are_turned(void **state)
{
    (void)state;
    const double r = sqrt(0.5), turns[3][4] = {{1, 0, 0, 0}, {0.8, 0.5, 0.1, 0.2}, {0.5, -0.7, -0.1, 0.5}};
    const spot spots[] = {{&capsule, {r, r, 0.5}, {r, r, 0.0}},
                          {&capsule, {0.5, 0.5, 1.0 + r}, {0.5, 0.5, r}},
                          {&cylinder, {r, r, 0.5}, {r, r, 0.0}},
                          {&cylinder, {0.4, 0.4, 1.0}, {0.0, 0.0, 1.0}}};
    for (int i = 0; i < 4; i++) {
        int seen = 0;
        for (int k = 0; k < 24; k++) {
            spot s = spots[i];
            for (int d = 0; d < 3; d++) {
                s.at[d] *= k >> d & 1 ? 1 : -1;
                s.normal[d] *= k >> d & 1 ? 1 : -1;
            }
            seen += spot_is_marked(&s, turns[k / 8]);
        }
        assert_true(seen >= 4);
    }
}

/* the lamp is to the left and above: a ball is brighter there, and its shadow falls to the right, behind it
 */
static void light_and_shadow(void **state)
{
    (void)state;
    body3d bodies[2] = {ball_at(&unit_ball, 0.0, 0.0, 1.0), plane_body()};
    scene3d scene = scene_of(bodies, 2);
    draw_options options = front(600);
    options.camera.elevation = 40.0;
    canvas c = paint(&scene, &options);
    assert_true(grey(world_pixel(&c, -0.6, 0.0, 1.8)) > grey(world_pixel(&c, 0.8, 0.0, 0.4)) + 30.0);
    /* the lamp's direction as the picture has it: 0.41 left, 0.49 towards the viewer, 0.77 up; the shadow's
       middle on the ground is the centre moved along it */
    double x = 0.41 / 0.77, y = 0.49 / 0.77, e = 0.06;
    double lit = grey(world_pixel(&c, -1.3, -0.5, 0.0)), dark = grey(world_pixel(&c, 2.1 * x, 2.1 * y, 0.0));
    assert_true(lit > dark + 15.0);
    /* its border, an ellipse, is where the rays touch the ball: along x at y of the middle, the distance of
       (d, 0, 0) from the axis is 1: d^2 (1 - 0.41^2 / n2) = 1, n2 = 0.41^2 + 0.49^2 + 0.77^2 */
    double n2 = 0.41 * 0.41 + 0.49 * 0.49 + 0.77 * 0.77, d = 1.0 / sqrt(1.0 - 0.41 * 0.41 / n2);
    assert_true(grey(world_pixel(&c, x + d - e, y, 0.0)) < lit - 15.0);
    assert_true(grey(world_pixel(&c, x + d + e, y, 0.0)) > lit - 15.0);
    drop(&c);
}

static void chains_shine_through_bodies(void **state)
{
    (void)state;
    uint32_t seen[3];
    for (int k = 0; k < 3; k++) {
        body3d bodies[2] = {ball_at(&unit_ball, 0.0, 0.0, 1.0), ball_at(&unit_ball, 2.0, 0.0, 1.0)};
        contact3d contact = {0, 1, {1.0, 0.0, 1.0}, {-1.0, 0.0, 0.0}, {k == 2 ? 0.0 : 1.0, 0.0, 0.0}};
        scene3d scene = scene_of(bodies, 2);
        scene.contacts = &contact;
        scene.contact_count = 1;
        draw_options options = front(600);
        options.chains = k != 0;
        canvas c = paint(&scene, &options);
        seen[k] = world_pixel(&c, 0.5, 0.0, 1.0);
        assert_close(c.plan.impulse, k == 2 ? 0.0 : 1.0, 0.0);
        drop(&c);
    }
    /* red over blue with a chain; no force, no chain, but paler bodies */
    assert_true((seen[1] >> 16 & 255) > (seen[1] & 255));
    assert_true((seen[0] >> 16 & 255) < (seen[0] & 255));
    assert_true((seen[2] >> 16 & 255) < (seen[2] & 255) && grey(seen[2]) > grey(seen[0]));
}

/* seen from the front, where x is to the right and z is up: a ring in the middle of a ball, which is seen
   through it, and a line to another above it, far beyond the ball */
static void joints_are_seen_through_bodies(void **state)
{
    (void)state;
    body3d body = ball_at(&unit_ball, 0.0, 0.0, 1.0);
    joint_line joint = {MO_JOINT_DISTANCE, {{0.0, 0.0, 1.0}, {0.0, 0.0, 9.0}}};
    scene3d scene = scene_of(&body, 1);
    scene.joints = (joint_lines){&joint, 1};
    draw_options options = front(1200);
    canvas c = paint(&scene, &options);
    double at[2], end[2];
    paper_of(&c, 0.0, 0.0, 1.0, at);
    paper_of(&c, 0.0, 0.0, 9.0, end);
    assert_true(end[1] > c.plan.top && end[1] < at[1]);
    /* at this width a fine line is a pixel, the radius of rings five; where a line of two lies depends on the
       fraction of a pixel: half of it is the least that one pixel has of it */
    const double ink = 255.0 * (rgb_ink.r + rgb_ink.g + rgb_ink.b) / 3.0, dark = 0.5 * (255.0 + ink);
    assert_true(grey(canvas_pixel(c.surface, at[0], 0.5 * (at[1] + end[1]))) <= dark);
    assert_true(grey(canvas_pixel(c.surface, at[0], at[1] + 5.0)) <= dark);
    assert_true(grey(canvas_pixel(c.surface, end[0], end[1] - 5.0)) <= dark);
    assert_true(has_hue(canvas_pixel(c.surface, at[0], at[1]), palette_category(0)));
    assert_int_equal(canvas_pixel(c.surface, end[0], end[1]), 0xffffff);
    assert_int_equal(canvas_pixel(c.surface, at[0] + 4.0, 0.5 * (at[1] + end[1])), 0xffffff);
    drop(&c);
}

/* a large fixed ball around small ones does not hide them, a small one before them does */
/* a roof with an upright ridge before two faces whose normals are an angle apart: how much of the colour of
   ink the ridge has, seen from the front; both faces are seen from their outsides */
static double ink_of_ridge(double angle)
{
    const double b = tan(0.5 * angle);
    const double corners[18] = {0, -b, -1, 1, 0, -1, -1, 0, -1, 0, -b, 1, 1, 0, 1, -1, 0, 1};
    const uint32_t faces[23] = {4, 0, 1, 4, 3, 4, 0, 3, 5, 2, 4, 1, 2, 5, 4, 3, 0, 2, 1, 3, 3, 4, 5};
    const mo_part part = {.kind = MO_PART_POLYHEDRON, .vertex_count = 6, .link.face = {0, 5}};
    body3d body = ball_at(&unit_ball, 0.0, 0.0, 0.0);
    body.parts = &part;
    body.vertices = corners;
    body.vertex_count = 6;
    body.faces = faces;
    body.face_length = 23;
    scene3d scene = scene_of(&body, 1);
    draw_options options = front(600);
    canvas c = paint(&scene, &options);
    const double ink = 255.0 * (rgb_ink.r + rgb_ink.g + rgb_ink.b) / 3.0;
    double at[2], most = 0.0;
    paper_of(&c, 0.0, 0.0, 0.0, at);
    for (int k = -4; k < 4; k++) {
        const double side = grey(world_pixel(&c, k < 0 ? -0.3 : 0.3, 0.0, 0.0));
        most = fmax(most, (side - grey(canvas_pixel(c.surface, at[0] + k, at[1]))) / (side - ink));
    }
    drop(&c);
    return most;
}

/* lines begin where faces meet at 13 degrees (cosine 0.975) and are full from 40 (0.766) on; the full line
   takes some forty of the 255 shades that are told apart, in pixels that it covers by a third */
static void lines_grow_with_the_angle_of_edges(void **state)
{
    (void)state;
    const double degree = pi / 180.0, full = ink_of_ridge(60.0 * degree);
    assert_true(full > 0.15);
    assert_close(ink_of_ridge(90.0 * degree), full, 0.01);
    assert_close(ink_of_ridge(10.0 * degree), 0.0, 0.01);
    for (int k = 15; k < 40; k += 5)
        assert_close(ink_of_ridge(k * degree) / full, (0.975 - cos(k * degree)) / (0.975 - 0.766), 0.04);
}

static void large_walls_are_seen_through(void **state)
{
    (void)state;
    const mo_part large = {.kind = MO_PART_SPHERE, .vertex_count = 1, .radius = 20.0};
    for (int k = 0; k < 2; k++) {
        body3d bodies[2] = {ball_at(&unit_ball, 0.0, 0.0, 0.0),
                            ball_at(k == 0 ? &large : &unit_ball, 0.0, k == 0 ? 0.0 : -3.0, 0.0)};
        bodies[1].wall = true;
        scene3d scene = scene_of(bodies, 2);
        draw_options options = front(900);
        canvas c = paint(&scene, &options);
        uint32_t pixel = world_pixel(&c, 0.3, 0.0, 0.3);
        bool blue = (pixel & 255) > (pixel >> 16 & 255) + 40;
        assert_int_equal(blue, k == 0);
        drop(&c);
    }
}

/* ---- views -------------------------------------------------------------------------------------------- */

/* with a power of two the picture is the same to the last pixel but for the number on the scale */
static void scale_of_the_world_does_not_matter(void **state)
{
    (void)state;
    canvas c[2];
    for (int k = 0; k < 2; k++) {
        double s = k == 0 ? 1.0 : ldexp(1.0, -20);
        mo_part ball = {.kind = MO_PART_SPHERE, .vertex_count = 1, .radius = s};
        body3d bodies[2] = {ball_at(&ball, 0.3 * s, s, s), ball_at(&ball, 2.5 * s, 0.0, 1.5 * s)};
        scene3d scene = scene_of(bodies, 2);
        draw_options options = draw_default_options();
        options.width = 300;
        c[k] = paint(&scene, &options);
    }
    assert_close(c[0].plan.height, c[1].plan.height, 0.0);
    for (int y = (int)c[0].plan.top; y < (int)(c[0].plan.top + c[0].plan.view_height); y++)
        for (int x = 0; x < 300; x++)
            assert_int_equal(canvas_pixel(c[0].surface, x, y), canvas_pixel(c[1].surface, x, y));
    drop(&c[0]);
    drop(&c[1]);
}

static void everything_is_in_view_from_everywhere(void **state)
{
    (void)state;
    body3d bodies[4] = {ball_at(&unit_ball, 0.0, 0.0, 1.0), ball_at(&unit_ball, 9.0, -4.0, 1.0),
                        ball_at(&unit_ball, 3.0, 7.0, 6.0), plane_body()};
    scene3d scene = scene_of(bodies, 4);
    for (int k = 0; k < 40; k++) {
        draw_options options = draw_default_options();
        options.width = 60;
        options.camera = (draw_camera){37.0 * k, 90.0 - 20.0 * (k % 10), k % 2 == 0};
        solid_picture p;
        mo_error err;
        assert_int_equal(solid_picture_plan(&p, &scene, &options, &err), MO_OK);
        assert_int_equal(p.outside, 0);
        assert_int_equal(p.dynamic, 3);
        const camera *c = &p.stage.camera;
        for (int i = 0; i < 3; i++) {
            double view[3], lo[2], hi[2];
            camera_see(c, bodies[i].x, view);
            assert_true(camera_ball(c, view, 1.0 / c->size, lo, hi));
            assert_true(c->left + c->scale * lo[0] >= 0.0 && c->left + c->scale * hi[0] <= p.view_width);
            assert_true(c->top - c->scale * hi[1] >= 0.0 && c->top - c->scale * lo[1] <= p.view_height);
        }
        solid_picture_free(&p);
    }
}

/* ---- periodic cells ----------------------------------------------------------------------------------- */

/* edges of length 4 from the origin, the second one leaning by 1 */
static periodic_cell leaning_cell(bool x, bool y, bool z)
{
    mo_cell from = {.periodic = {x, y, z}, .edges = {4, x && y ? 1 : 0, 0, 0, 4, 0, 0, 0, 4}};
    periodic_cell cell = {0};
    scene_cell(&from, 3, &cell);
    return cell;
}

/* whether anything is drawn within a pixel of a point */
static bool is_drawn(const canvas *c, double x, double y, double z)
{
    double at[2];
    bool any = false;
    paper_of(c, x, y, z, at);
    for (int k = 0; k < 9; k++)
        any = any || canvas_pixel(c->surface, at[0] + k % 3 - 1, at[1] + k / 3 - 1) != 0xffffff;
    return any;
}

/* Seen from the front edge z at x = 0 stands alone: 4 long in a view 6 wide (a lone ball has its own size of
   room), it has round(4 / 0.18) = 22 dashes about multiples of 4 / 22; the one at x = 4 runs through the
   ball, which hides it. */
static void the_outline_of_a_cell_is_dashed_and_hidden_by_bodies(void **state)
{
    (void)state;
    body3d body = ball_at(&unit_ball, 4.0, 0.0, 2.0);
    scene3d scene = scene_of(&body, 1);
    scene.cell = leaning_cell(true, true, true);
    draw_options options = front(1400);
    canvas c = paint(&scene, &options);
    for (int corner = 0; corner < 8; corner++) {
        const double x = 4.0 * (corner & 1) + (corner >> 1 & 1), y = 4.0 * (corner >> 1 & 1);
        assert_true(is_drawn(&c, x, y, 4.0 * (corner >> 2)));
    }
    for (int k = 0; k < 22; k++) {
        assert_true(is_drawn(&c, 0.0, 0.0, 4.0 / 22.0 * k));
        assert_false(is_drawn(&c, 0.0, 0.0, 4.0 / 22.0 * (k + 0.5)));
    }
    assert_true(has_hue(world_pixel(&c, 4.0, 0.0, 4.0 / 22.0 * 11), tint_of_body(&c.plan.tint, 0, 0)));
    drop(&c);
}

/* faces across one periodic axis are two rectangles, across two a tube, across three a box */
static void edges_of_cells_with_fewer_periods(void **state)
{
    (void)state;
    const box3d view = {{-1.0, -2.0, -3.0}, {5.0, 6.0, 7.0}};
    double edges[cell_edges_most][2][3];
    scene3d scene = scene_of(NULL, 0);
    assert_int_equal(solid_cell_edges(&scene, &view, edges), 0);
    scene.cell = leaning_cell(false, true, false);
    assert_int_equal(solid_cell_edges(&scene, &view, edges), 8);
    for (int i = 0; i < 16; i++) {
        const double *x = edges[i / 2][i % 2];
        assert_true(x[1] == 0.0 || x[1] == 4.0);
        assert_true((x[0] == -1.0 || x[0] == 5.0) && (x[2] == -3.0 || x[2] == 7.0));
        assert_true(edges[i / 2][0][1] == edges[i / 2][1][1]);
    }
    scene.cell = leaning_cell(true, true, false);
    assert_int_equal(solid_cell_edges(&scene, &view, edges), 12);
    for (int i = 0; i < 24; i++)
        assert_true(edges[i / 2][i % 2][2] == -3.0 || edges[i / 2][i % 2][2] == 7.0);
}

static void cells_that_cannot_be_drawn(void **state)
{
    (void)state;
    body3d body = ball_at(&unit_ball, 0.0, 0.0, 0.0);
    draw_options options = draw_default_options();
    options.width = 100;
    for (int k = 0; k < nasties * 12; k++) {
        mo_cell from = {.periodic = {true, true, true}, .edges = {4, 0, 0, 0, 4, 0, 0, 0, 4}};
        *(k % 12 < 9 ? &from.edges[k % 12] : &from.origin[k % 12 - 9]) = nasty[k / 12];
        scene3d scene = scene_of(&body, 1);
        scene_cell(&from, 3, &scene.cell);
        canvas c = paint(&scene, &options);
        drop(&c);
    }
}

static void the_view_may_be_given(void **state)
{
    (void)state;
    body3d bodies[2] = {ball_at(&unit_ball, 0.0, 0.0, 0.0), ball_at(&unit_ball, 500.0, 0.0, 0.0)};
    scene3d scene = scene_of(bodies, 2);
    draw_view view = {{-2.0, -2.0, -2.0}, {2.0, 2.0, 2.0}};
    draw_options options = front(200);
    options.view = &view;
    solid_picture p;
    mo_error err = {0};
    assert_int_equal(solid_picture_plan(&p, &scene, &options, &err), MO_OK);
    assert_int_equal(p.outside, 1);
    solid_picture_free(&p);
    view.hi[1] = (double)NAN;
    assert_int_equal(solid_picture_plan(&p, &scene, &options, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "view");
    solid_picture_free(&p);
}

/* ---- breaking ----------------------------------------------------------------------------------------- */

static void nothing_and_little(void **state)
{
    (void)state;
    body3d plane = plane_body(), bad = ball_at(&unit_ball, 0.0, (double)NAN, 0.0), bodies[2] = {bad, plane};
    draw_options options = draw_default_options();
    options.width = 200;
    scene3d scenes[4] = {scene_of(NULL, 0), scene_of(&plane, 1), scene_of(&bad, 1), scene_of(bodies, 2)};
    for (int k = 0; k < 4; k++) {
        canvas c = paint(&scenes[k], &options);
        assert_int_equal(c.plan.unsound, k >= 2);
        assert_int_equal(c.plan.dynamic, 0);
        drop(&c);
    }
    /* the lone plane is seen */
    canvas c = paint(&scenes[1], &options);
    assert_int_not_equal(world_pixel(&c, 0.1, 0.13, 0.0), 0xffffff);
    drop(&c);
}

static void tiny_and_huge_worlds(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        double s = k == 0 ? 1e-6 : k == 1 ? 1e6 : k == 2 ? 1e-90 : 1e90;
        mo_part ball = {.kind = MO_PART_SPHERE, .vertex_count = 1, .radius = s};
        body3d bodies[3] = {ball_at(&ball, 0.0, 0.0, s), ball_at(&ball, 3.0 * s, 0.0, s), plane_body()};
        scene3d scene = scene_of(bodies, 3);
        draw_options options = front(300);
        options.camera.elevation = 30.0;
        canvas c = paint(&scene, &options);
        assert_true(has_hue(world_pixel(&c, 0.0, 0.0, s), palette_category(0)));
        /* ground between them */
        uint32_t between = world_pixel(&c, 1.5 * s, 0.0, 0.0);
        assert_true(between != 0xffffff && abs((int)(between & 255) - (int)(between >> 16 & 255)) < 12);
        drop(&c);
    }
}

/* every number of a body, a part or a contact in turn is one that tries to break things */
static void nasty_numbers(void **state)
{
    (void)state;
    for (int k = 0; k < nasties; k++)
        for (int where = 0; where < 13; where++) {
            mo_part parts[4] = {unit_ball,
                                {.kind = MO_PART_CYLINDER, .vertex_count = 2, .radius = 1.0},
                                {.kind = MO_PART_TRIANGLE, .vertex_count = 6},
                                ground};
            double vertices[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2};
            double q[7] = {0.5, 0.25, 1.0, 1.0, 0.1, 0.2, 0.3};
            body3d bodies[2] = {ball_at(&unit_ball, 0.0, 0.0, 1.0), ball_at(&unit_ball, 0.0, 2.0, 1.0)};
            contact3d contact = {0, 1, {0.0, 1.0, 1.0}, {0.0, -1.0, 0.0}, {1.0, 0.5, 0.5}};
            joint_line joint = {MO_JOINT_SPRING, {{0.0, 0.0, 1.0}, {0.0, 2.0, 1.0}}};
            double *const places[13] = {&q[0],
                                        &q[2],
                                        &q[3],
                                        &q[6],
                                        &parts[where % 2].radius,
                                        &vertices[4],
                                        &parts[3].normal[2],
                                        &parts[3].offset,
                                        &contact.point[0],
                                        &contact.impulse[0],
                                        &bodies[0].volume,
                                        &contact.normal[1],
                                        &joint.at[0][1]};
            bodies[0].parts = parts;
            bodies[0].part_count = 4;
            bodies[0].vertices = vertices;
            bodies[0].vertex_count = 6;
            *places[where] = nasty[k];
            body3d_set(&bodies[0], q);
            scene3d scene = scene_of(bodies, 2);
            scene.contacts = &contact;
            scene.contact_count = 1;
            scene.joints = (joint_lines){&joint, 1};
            draw_options options = draw_default_options();
            options.width = 40;
            options.camera.orthographic = k % 2 == 0;
            options.color = (draw_color)(where % 3);
            canvas c = paint(&scene, &options);
            drop(&c);
        }
}

/* faces that point outside the vertices, counts that run past the end */
static void faces_that_lie(void **state)
{
    (void)state;
    static const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const uint32_t sound[16] = {3, 0, 2, 1, 3, 0, 1, 3, 3, 1, 2, 3, 3, 0, 3, 2};
    for (uint32_t k = 0; k < 16; k++)
        for (int value = 0; value < 3; value++) {
            uint32_t faces[16];
            memcpy(faces, sound, sizeof faces);
            faces[k] = value == 0 ? 0 : value == 1 ? 5 : UINT32_MAX;
            const mo_part part = {.kind = MO_PART_POLYHEDRON, .vertex_count = 4, .link.face = {0, 4}};
            body3d body = ball_at(&unit_ball, 0.0, 0.0, 0.0);
            body.parts = &part;
            body.vertices = corners;
            body.vertex_count = 4;
            body.faces = faces;
            body.face_length = 16;
            scene3d scene = scene_of(&body, 1);
            draw_options options = front(40);
            canvas c = paint(&scene, &options);
            drop(&c);
        }
}

static void ten_thousand_balls(void **state)
{
    (void)state;
    enum { count = 10000 };
    body3d *bodies = calloc(count, sizeof *bodies);
    assert_non_null(bodies);
    for (int i = 0; i < count; i++)
        bodies[i] = ball_at(&unit_ball, 2.0 * (i % 22), 2.0 * (i / 22 % 22), 1.0 + 2.0 * (i / 484));
    scene3d scene = scene_of(bodies, count);
    draw_options options = front(1200);
    canvas c = paint(&scene, &options);
    /* the face of the block: rows of balls with no gap along their middles */
    for (int i = 0; i < 22; i++)
        assert_true(has_hue(world_pixel(&c, 2.0 * i, 0.0, 21.0), palette_category(0)));
    drop(&c);
    free(bodies);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_covers_its_disc),
        cmocka_unit_test(groups_have_their_colours_and_the_nearer_is_seen),
        cmocka_unit_test(balls_show_how_they_are_turned),
        cmocka_unit_test(round_bodies_show_how_they_are_turned),
        cmocka_unit_test(light_and_shadow),
        cmocka_unit_test(chains_shine_through_bodies),
        cmocka_unit_test(joints_are_seen_through_bodies),
        cmocka_unit_test(lines_grow_with_the_angle_of_edges),
        cmocka_unit_test(large_walls_are_seen_through),
        cmocka_unit_test(scale_of_the_world_does_not_matter),
        cmocka_unit_test(everything_is_in_view_from_everywhere),
        cmocka_unit_test(the_outline_of_a_cell_is_dashed_and_hidden_by_bodies),
        cmocka_unit_test(edges_of_cells_with_fewer_periods),
        cmocka_unit_test(cells_that_cannot_be_drawn),
        cmocka_unit_test(the_view_may_be_given),
        cmocka_unit_test(nothing_and_little),
        cmocka_unit_test(tiny_and_huge_worlds),
        cmocka_unit_test(nasty_numbers),
        cmocka_unit_test(faces_that_lie),
        cmocka_unit_test(ten_thousand_balls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
