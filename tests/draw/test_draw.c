/* Pictures: data from frames, views, pixels, files, and inputs that try to break them. */
#include "draw/canvas.h"
#include "draw/picture.h"

static const double pi = 3.14159265358979323846;
static const double zero[2] = {0.0, 0.0};
static const double square[8] = {-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5};
static const mo_part unit_disc = {.kind = MO_PART_DISC, .vertex_count = 1, .radius = 1.0};
static const mo_part unit_square = {.kind = MO_PART_POLYGON, .vertex_count = 4};
static const mo_part ground = {.kind = MO_PART_HALFPLANE, .normal = {0.0, 1.0}};
static const char *const two_groups[] = {"default", "grain"};

static body2d disc_at(const mo_part *part, double x, double y)
{
    return (body2d){.q = {x, y, 0.0},
                    .area = pi * part->radius * part->radius,
                    .parts = part,
                    .part_count = 1,
                    .vertices = zero,
                    .vertex_count = 1};
}

static body2d ground_body(void)
{
    return (body2d){.wall = true, .parts = &ground, .part_count = 1};
}

static scene2d scene_of(body2d *bodies, size_t count)
{
    return (scene2d){.time = 0.5,
                     .h = 0.001,
                     .body_count = count,
                     .bodies = bodies,
                     .group_count = 2,
                     .groups = two_groups};
}

/* ---- painting in memory ----------------------------------------------------------------------------- */

typedef struct canvas {
    picture plan;
    cairo_surface_t *surface;
} canvas;

static canvas paint(const scene2d *scene, draw_color color, bool chains, int width)
{
    canvas c;
    draw_options options = {.color = color, .chains = chains, .width = width};
    mo_error err;
    assert_int_equal(picture_plan(&c.plan, scene, &options, &err), MO_OK);
    c.surface = canvas_paint(c.plan.width, c.plan.height, picture_paint, &c.plan);
    return c;
}

static void drop(canvas *c)
{
    cairo_surface_destroy(c->surface);
    picture_free(&c->plan);
}

static uint32_t world_pixel(const canvas *c, double x, double y)
{
    double at[2], world[2] = {x, y};
    view_point(&c->plan.view, world, at);
    return canvas_pixel(c->surface, at[0], at[1]);
}

static void disc_has_colour_of_its_speed(void **state)
{
    (void)state;
    body2d bodies[3] = {disc_at(&unit_disc, 0.0, 1.0), disc_at(&unit_disc, 4.0, 1.0), ground_body()};
    bodies[1].u[0] = 3.0;
    bodies[1].u[1] = 4.0;
    scene2d scene = scene_of(bodies, 3);
    canvas c = paint(&scene, DRAW_BY_SPEED, false, 600);
    /* the largest speed, 5, ends the scale of round numbers */
    assert_close(c.plan.tint.scale.lo, 0.0, 0.0);
    assert_true(c.plan.tint.scale.hi >= 5.0 && c.plan.tint.scale.hi <= 10.0);
    assert_color(world_pixel(&c, 0.0, 1.0), palette_sequential(PALETTE_SPEED, 0.0));
    assert_color(world_pixel(&c, 4.0, 1.0), palette_sequential(PALETTE_SPEED, 5.0 / c.plan.tint.scale.hi));
    assert_int_equal(world_pixel(&c, 2.0, 1.5), 0xffffff);
    drop(&c);
}

static void ground_is_grey_below_its_edge(void **state)
{
    (void)state;
    /* edges in four directions: the solid side is grey, the other is not */
    for (int k = 0; k < 4; k++) {
        body2d bodies[2] = {disc_at(&unit_disc, 0.0, 0.0), ground_body()};
        double n[2] = {cos(0.3 + k * pi / 2.0), sin(0.3 + k * pi / 2.0)};
        bodies[1].q[0] = -n[0];
        bodies[1].q[1] = -n[1];
        bodies[1].q[2] = 0.3 + (k - 1) * pi / 2.0;
        scene2d scene = scene_of(bodies, 2);
        canvas c = paint(&scene, DRAW_BY_SPEED, false, 600);
        /* beyond the hatching, which is 14 units deep */
        double deep = 1.0 + 18.0 * c.plan.unit / c.plan.view.scale;
        uint32_t solid = world_pixel(&c, -n[0] * deep, -n[1] * deep);
        assert_color(solid, (rgb){0.93, 0.93, 0.935});
        assert_int_equal(world_pixel(&c, -0.95 * n[0] - 1.0 * n[1], -0.95 * n[1] + 1.0 * n[0]), 0xffffff);
        /* the edge itself is dark */
        assert_true((world_pixel(&c, -n[0] - 0.7 * n[1], -n[1] + 0.7 * n[0]) & 255) < 0xa0);
        drop(&c);
    }
}

static void walls_are_grey_and_groups_coloured(void **state)
{
    (void)state;
    body2d bodies[3] = {disc_at(&unit_disc, 0.0, 0.0), disc_at(&unit_disc, 3.0, 0.0),
                        disc_at(&unit_disc, 6.0, 0.0)};
    bodies[1].group = 1;
    bodies[2].wall = true;
    scene2d scene = scene_of(bodies, 3);
    canvas c = paint(&scene, DRAW_BY_GROUP, false, 600);
    assert_color(world_pixel(&c, 0.0, 0.0), palette_category(0));
    assert_color(world_pixel(&c, 3.0, 0.0), palette_category(1));
    uint32_t wall = world_pixel(&c, 6.0, 0.0);
    int spread = abs((int)(wall & 255) - (int)(wall >> 16 & 255));
    assert_true(spread < 8 && (wall & 255) < 0xe8);
    drop(&c);
}

static void compound_has_no_inner_lines_or_holes(void **state)
{
    (void)state;
    static const double vertices[12] = {-1, 0, 1, 0, -1, -0.5, 1, -0.5, 1, 0.5, -1, 0.5};
    const mo_part parts[3] = {{.kind = MO_PART_DISC, .vertex_first = 0, .vertex_count = 1, .radius = 1.0},
                              {.kind = MO_PART_DISC, .vertex_first = 1, .vertex_count = 1, .radius = 1.0},
                              {.kind = MO_PART_POLYGON, .vertex_first = 2, .vertex_count = 4}};
    body2d body = {.area = 5.0, .parts = parts, .part_count = 3, .vertices = vertices, .vertex_count = 6};
    scene2d scene = scene_of(&body, 1);
    canvas c = paint(&scene, DRAW_BY_GROUP, false, 600);
    for (int i = -19; i <= 19; i++)
        assert_color(world_pixel(&c, 0.1 * i, 0.0), palette_category(0));
    drop(&c);
}

static void chains_join_centres_and_contacts(void **state)
{
    (void)state;
    body2d bodies[3] = {disc_at(&unit_disc, 0.0, 1.0), disc_at(&unit_disc, 2.0, 1.0), ground_body()};
    contact2d contacts[3] = {{0, 1, {1.0, 1.0}, {-1.0, 0.0}, {1.0, 0.0}},
                             {0, 2, {0.0, 0.0}, {0.0, 1.0}, {1.0, 0.0}},
                             {1, 2, {2.0, 0.0}, {0.0, 1.0}, {0.0, 0.0}}};
    scene2d scene = scene_of(bodies, 3);
    scene.contacts = contacts;
    scene.contact_count = 3;
    canvas c = paint(&scene, DRAW_BY_SPEED, true, 600);
    rgb body = rgb_mix(palette_sequential(PALETTE_SPEED, 0.0), rgb_white, picture_lightening);
    assert_color(world_pixel(&c, 0.5, 1.0), chain_color);
    assert_color(world_pixel(&c, 1.5, 1.0), chain_color);
    assert_color(world_pixel(&c, 0.0, 0.5), chain_color);
    /* no force, no line; and the width follows the impulse */
    assert_color(world_pixel(&c, 2.0, 0.5), body);
    assert_close(c.plan.impulse, 1.0, 0.0);
    assert_close(chain_width(&c.plan, 2.0) / chain_width(&c.plan, 1.0), 2.0, 1e-12);
    assert_close(chain_width(&c.plan, 1e9), 0.75 * c.plan.view.scale, 1e-9);
    drop(&c);
}

/* 200 pixels to a metre, from (20, 44) on the paper: a fine line is 31/30 pixels, rings have five times that
   as their radius and are two fifths of it broad */
static canvas paint_joints_of(scene2d *scene, joint_line *joints, size_t joint_count, contact2d *contact)
{
    static const draw_view view = {{0.0, 0.0}, {6.0, 4.0}};
    scene->joints = (joint_lines){joints, joint_count};
    scene->contacts = contact;
    scene->contact_count = contact != NULL;
    canvas c;
    draw_options options = {.color = DRAW_BY_SPEED, .chains = true, .width = 1240, .view = &view};
    mo_error err;
    assert_int_equal(picture_plan(&c.plan, scene, &options, &err), MO_OK);
    c.surface = canvas_paint(c.plan.width, c.plan.height, picture_paint, &c.plan);
    return c;
}

static void joints_are_rings_with_lines_between(void **state)
{
    (void)state;
    const double ring = 5.0 * 1240.0 / 1200.0;
    body2d body = disc_at(&unit_disc, 1.0, 1.0);
    joint_line joints[3] = {{MO_JOINT_DISTANCE, {{2.5, 2.0, 0.0}, {5.0, 2.0, 0.0}}},
                            {MO_JOINT_HINGE, {{1.0, 1.0, 0.0}, {1.0, 1.0, 0.0}}},
                            {MO_JOINT_SPRING, {{5.0, 1.0, 0.0}, {2.5, 1.0, 0.0}}}};
    scene2d scene = scene_of(&body, 1);
    canvas c = paint_joints_of(&scene, joints, 3, NULL);
    /* the rod: (3.5, 2) is at (720, 444); its rings, through which one sees; nothing beside */
    assert_color(canvas_pixel(c.surface, 720.0, 444.0), rgb_ink);
    assert_int_equal(canvas_pixel(c.surface, 720.0, 448.0), 0xffffff);
    assert_int_equal(canvas_pixel(c.surface, 520.0, 444.0), 0xffffff);
    assert_color(canvas_pixel(c.surface, 520.0, 444.0 - ring), rgb_ink);
    assert_color(canvas_pixel(c.surface, 1020.0, 444.0 - ring), rgb_ink);
    /* the hinge in the disc, at (220, 644) */
    assert_color(canvas_pixel(c.surface, 220.0, 644.0 - ring), rgb_ink);
    assert_color(canvas_pixel(c.surface, 220.0, 644.0), picture_color(&c.plan, 0));
    /* the spring leaves its rings straight, and its teeth are two rings high: the first of twelve lies 0.2
       and 0.6/12 of the length from the end */
    const double first = 1020.0 - 500.0 * (0.2 + 0.6 / 12.0);
    assert_color(canvas_pixel(c.surface, 970.0, 644.0), rgb_ink);
    assert_int_equal(canvas_pixel(c.surface, first, 644.0), 0xffffff);
    assert_true((canvas_pixel(c.surface, first, 644.0 - 2.0 * ring + 1.0) & 255) < 100);
    assert_int_equal(canvas_pixel(c.surface, first, 644.0 + 2.0 * ring), 0xffffff);
    drop(&c);
}

static void forces_lie_over_joints(void **state)
{
    (void)state;
    body2d bodies[2] = {disc_at(&unit_disc, 1.0, 1.0), disc_at(&unit_disc, 3.0, 1.0)};
    contact2d contact = {0, 1, {2.0, 1.0}, {-1.0, 0.0}, {1.0, 0.0}};
    joint_line joint = {MO_JOINT_DISTANCE, {{2.0, 0.5, 0.0}, {2.0, 1.5, 0.0}}};
    scene2d scene = scene_of(bodies, 2);
    canvas c = paint_joints_of(&scene, &joint, 1, &contact);
    assert_color(world_pixel(&c, 2.0, 1.0), chain_color);
    assert_color(world_pixel(&c, 2.0, 1.25), rgb_ink);
    drop(&c);
}

/* a pendulum at a thread that is long beside it; a joint of something that flew away has no say */
static void joints_are_in_view(void **state)
{
    (void)state;
    body2d body = disc_at(&unit_disc, 0.0, 0.0);
    joint_line joints[2] = {{MO_JOINT_DISTANCE, {{0.0, 0.0, 0.0}, {3.0, 40.0, 0.0}}},
                            {MO_JOINT_DISTANCE, {{90.0, 0.0, 0.0}, {95.0, 40.0, 0.0}}}};
    scene2d scene = scene_of(&body, 1);
    scene.joints = (joint_lines){joints, 2};
    box2d box;
    mo_error err;
    assert_int_equal(view_fit(&scene, &box, &err), MO_OK);
    assert_true(box.hi[1] > 40.0 && box.hi[1] < 44.0 && box.lo[1] < -1.0);
    assert_true(box.hi[0] > 3.0 && box.hi[0] < 15.0);
}

/* the view must not depend on the unit of length: with a power of two, to the last pixel */
static void scale_of_the_world_does_not_matter(void **state)
{
    (void)state;
    canvas c[2];
    for (int k = 0; k < 2; k++) {
        double s = k == 0 ? 1.0 : ldexp(1.0, -20);
        mo_part disc = {.kind = MO_PART_DISC, .vertex_count = 1, .radius = s};
        double box[8];
        for (int i = 0; i < 8; i++)
            box[i] = s * square[i];
        body2d bodies[3] = {disc_at(&disc, 0.3 * s, s), disc_at(&disc, 2.5 * s, s), ground_body()};
        bodies[1].parts = &unit_square;
        bodies[1].vertices = box;
        bodies[1].vertex_count = 4;
        bodies[1].q[2] = 0.4;
        scene2d scene = scene_of(bodies, 3);
        c[k] = paint(&scene, DRAW_BY_GROUP, false, 400);
    }
    assert_close(c[0].plan.height, c[1].plan.height, 0.0);
    const view2d *v = &c[0].plan.view;
    for (int y = (int)v->top; y < (int)(v->top + v->height); y++)
        for (int x = 0; x < 400; x++)
            assert_int_equal(canvas_pixel(c[0].surface, x, y), canvas_pixel(c[1].surface, x, y));
    drop(&c[0]);
    drop(&c[1]);
}

/* ---- data ---------------------------------------------------------------------------------------------- */

static void stress_of_a_squeezed_disc(void **state)
{
    (void)state;
    /* two opposite forces F on a disc of radius r: trace/2 = F r / (pi r^2) */
    const mo_part disc = {.kind = MO_PART_DISC, .vertex_count = 1, .radius = 0.5};
    body2d bodies[3] = {disc_at(&disc, 0.0, 0.0), disc_at(&disc, 1.0, 0.0), disc_at(&disc, -1.0, 0.0)};
    bodies[1].wall = bodies[2].wall = true;
    double force = 7.0, h = 0.01, value[3];
    contact2d contacts[2] = {{0, 1, {0.5, 0.0}, {-1.0, 0.0}, {force * h, 0.3}},
                             {2, 0, {-0.5, 0.0}, {-1.0, 0.0}, {force * h, 0.3}}};
    scene2d scene = scene_of(bodies, 3);
    scene.h = h;
    scene.contacts = contacts;
    scene.contact_count = 2;
    scene2d_values(&scene, DRAW_BY_STRESS, value);
    assert_close(value[0], force * 0.5 / (pi * 0.25), 1e-13);
    assert_true(isnan(value[1]) && isnan(value[2]));
}

/* 3, 4, 5; however fast the disc turns about its centre */
static void speed_is_that_of_the_centre(void **state)
{
    (void)state;
    const mo_part disc = {.kind = MO_PART_DISC, .vertex_count = 1, .radius = 0.5};
    body2d bodies[2] = {disc_at(&disc, 0.0, 0.0), disc_at(&disc, 1.0, 0.0)};
    bodies[0].u[0] = 3.0, bodies[0].u[1] = 4.0, bodies[0].u[2] = 100.0;
    bodies[1].u[2] = 100.0;
    double value[2];
    scene2d scene = scene_of(bodies, 2);
    scene2d_values(&scene, DRAW_BY_SPEED, value);
    assert_close(value[0], 5.0, 1e-15);
    assert_true(value[1] == 0.0);
}

/* discs that hang on each other by cohesion are all under tension, F r / (pi r^2) for two forces F: the scale
   holds the stresses of all of them and ends at 0 */
static void discs_under_tension_have_a_scale(void **state)
{
    (void)state;
    const mo_part disc = {.kind = MO_PART_DISC, .vertex_count = 1, .radius = 0.5};
    body2d bodies[3] = {disc_at(&disc, 0.0, 2.0), disc_at(&disc, 0.0, 1.0), disc_at(&disc, 0.0, 0.0)};
    bodies[0].wall = true;
    const double weight = 7.0, h = 0.01;
    contact2d contacts[2] = {{0, 1, {0.0, 1.5}, {0.0, 1.0}, {-2 * weight * h, 0.0}},
                             {1, 2, {0.0, 0.5}, {0.0, 1.0}, {-weight * h, 0.0}}};
    scene2d scene = scene_of(bodies, 3);
    scene.h = h;
    scene.contacts = contacts;
    scene.contact_count = 2;
    draw_options options = draw_default_options();
    options.color = DRAW_BY_STRESS;
    picture p;
    mo_error err = {0};
    assert_int_equal(picture_plan(&p, &scene, &options, &err), MO_OK);
    assert_close(p.tint.value[1], -1.5 * weight * 0.5 / (pi * 0.25), 1e-12);
    assert_close(p.tint.value[2], -0.5 * weight * 0.5 / (pi * 0.25), 1e-12);
    assert_true(p.tint.scale.lo <= p.tint.value[1] && p.tint.scale.lo > 2 * p.tint.value[1]);
    assert_close(p.tint.scale.hi, 0.0, 0.0);
    assert_false(p.tint.over);
    picture_free(&p);
}

static void frame_becomes_scene(void **state)
{
    (void)state;
    mo_body_raw table[2] = {{.id = 3, .kind = MO_BODY_DYNAMIC, .group = "grain", .area = pi, .part_count = 1},
                            {.id = 7, .kind = MO_BODY_FIXED, .group = "default", .part_count = 1}};
    table[0].parts = &unit_disc;
    table[0].vertices = zero;
    table[0].vertex_count = 1;
    table[1].parts = &ground;
    uint32_t id[2] = {3, 7}, row[2] = {0, 1}, id1[2] = {3, 3}, id2[2] = {7, 9};
    double q[6] = {1, 2, 3, 0, 0, 0}, u[6] = {4, 5, 6, 0, 0, 0};
    double point[4] = {1, 1, 0, 0}, normal[4] = {0, 1, 1, 0}, impulse[4] = {2, -1, 0, 0};
    mo_frame frame = {.time = 2.5, .body_count = 2, .id = id, .row = row, .q = q, .u = u, .contact_count = 2};
    frame.id1 = id1;
    frame.id2 = id2;
    frame.point = point;
    frame.normal = normal;
    frame.impulse = impulse;
    mo_run_info info = {.h = 0.01, .dim = 2, .group_count = 2, .groups = two_groups};
    scene2d scene;
    mo_error err;
    assert_int_equal(scene2d_from_frame(&info, table, 2, &frame, &scene, &err), MO_OK);
    assert_int_equal(scene.body_count, 2);
    assert_int_equal(scene.bodies[0].group, 1);
    assert_true(!scene.bodies[0].wall && scene.bodies[1].wall);
    assert_close(scene.bodies[0].q[1], 2.0, 0.0);
    assert_close(scene.bodies[0].u[2], 6.0, 0.0);
    /* the contact with body 9, which is not there, is left out */
    assert_int_equal(scene.contact_count, 1);
    assert_int_equal(scene.contacts[0].b, 1);
    assert_close(scene.contacts[0].impulse[1], -1.0, 0.0);
    scene2d_free(&scene);
    row[1] = 2;
    assert_int_equal(scene2d_from_frame(&info, table, 2, &frame, &scene, &err), MO_BAD_FILE);
}

static void assert_shape(const box2d *box)
{
    double aspect = (box->hi[0] - box->lo[0]) / (box->hi[1] - box->lo[1]);
    assert_true(aspect >= 0.25 - 1e-9 && aspect <= 4.0 + 1e-9);
}

static void view_ignores_stragglers_and_long_walls(void **state)
{
    (void)state;
    body2d bodies[103];
    for (int i = 0; i < 100; i++)
        bodies[i] = disc_at(&unit_disc, 2.0 * (i % 10), 1.0 + 2.0 * (i / 10));
    bodies[100] = disc_at(&unit_disc, 1e5, 50.0);
    bodies[101] = ground_body();
    static const double floor_points[4] = {-1e6, 0.0, 1e6, 0.0};
    static const mo_part floor_part = {.kind = MO_PART_SEGMENT, .vertex_count = 2};
    bodies[102] = (body2d){
        .wall = true, .parts = &floor_part, .part_count = 1, .vertices = floor_points, .vertex_count = 2};
    scene2d scene = scene_of(bodies, 103);
    canvas c = paint(&scene, DRAW_BY_SPEED, false, 300);
    const box2d *box = &c.plan.view.box;
    assert_true(box->lo[0] <= -1.0 && box->hi[0] >= 19.0 && box->hi[1] >= 20.0 && box->lo[1] < 0.0);
    assert_true(box->hi[0] - box->lo[0] < 30.0);
    assert_shape(box);
    assert_int_equal(c.plan.outside, 1);
    drop(&c);
}

static void view_of_a_long_row_is_not_flat(void **state)
{
    (void)state;
    body2d bodies[100];
    scene2d scene = scene_of(bodies, 100);
    mo_error err;
    box2d box;
    for (int upright = 0; upright < 2; upright++) {
        for (int i = 0; i < 100; i++)
            bodies[i] = upright ? disc_at(&unit_disc, 0.0, 2.0 * i) : disc_at(&unit_disc, 2.0 * i, 0.0);
        assert_int_equal(view_fit(&scene, &box, &err), MO_OK);
        assert_shape(&box);
    }
}

/*
 * A wall of four discs in a cell from 0 to 1, moved 2.3 to the right: its discs, at 2.425, 2.675, 2.925
 * and 3.175, are drawn at 0.425, 0.675, 0.925 and 0.175, the last one as a body behind the others.
 */
static void walls_are_drawn_in_the_cell(void **state)
{
    (void)state;
    mo_part parts[4];
    double vertices[8];
    for (uint32_t k = 0; k < 4; k++) {
        parts[k] = (mo_part){.kind = MO_PART_DISC, .radius = 0.1, .vertex_first = k, .vertex_count = 1};
        vertices[2 * k] = 0.125 + 0.25 * k;
        vertices[2 * k + 1] = 0.0;
    }
    const mo_body_raw table[] = {
        {.kind = MO_BODY_FIXED, .parts = parts, .part_count = 4, .vertices = vertices, .vertex_count = 4},
        {.kind = MO_BODY_DYNAMIC,
         .area = 1,
         .parts = parts,
         .part_count = 1,
         .vertices = vertices,
         .vertex_count = 4}};
    uint32_t id[] = {1, 2}, row[] = {0, 1};
    double q[] = {2.3, 0.5, 0, 0.9, 0.7, 0}, u[6] = {0};
    mo_frame frame = {.body_count = 2, .id = id, .row = row, .dim = 2, .q = q, .u = u};
    frame.cell = (mo_cell){.periodic = {true, false}, .edges = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const mo_run_info info = {.h = 1e-3};
    scene2d scene;
    mo_error err;
    assert_int_equal(scene2d_from_frame(&info, table, 2, &frame, &scene, &err), MO_OK);
    assert_int_equal(scene.body_count, 3);
    const struct {
        size_t body;
        double lo, hi;
    } boxes[] = {{0, 0.325, 1.025}, {2, 0.075, 0.275}, {1, 0.925, 1.125}};
    for (size_t k = 0; k < 3; k++) {
        box2d box;
        assert_true(body2d_bounds(&scene.bodies[boxes[k].body], &box));
        assert_close(box.lo[0], boxes[k].lo, 1e-15);
        assert_close(box.hi[0], boxes[k].hi, 1e-15);
    }
    scene2d_free(&scene);
}

/* bodies longer than six times the median radius are walls to the lines of forces, however thin they are */
static void long_bodies_end_the_lines(void **state)
{
    (void)state;
    mo_part bar = {.kind = MO_PART_POLYGON, .vertex_count = 4};
    const double corners[] = {-8, -0.1, 8, -0.1, 8, 0.1, -8, 0.1};
    body2d bodies[] = {disc_at(&unit_disc, 0.0, 1.1),
                       disc_at(&unit_disc, 2.5, 1.1),
                       disc_at(&unit_disc, 5.0, 1.1),
                       {.parts = &bar, .part_count = 1, .vertices = corners, .vertex_count = 4, .area = 3.2}};
    scene2d scene = scene_of(bodies, 4);
    canvas c = paint(&scene, DRAW_BY_SPEED, false, 300);
    assert_true(picture_is_wall(&c.plan, 3));
    assert_false(picture_is_wall(&c.plan, 0));
    drop(&c);
}

/* a heap of ten discs side by side at the bottom of a square vessel of 20: the vessel is in view as a whole,
   one of 200 is not */
static void vessels_are_seen_whole(void **state)
{
    (void)state;
    mo_part sides[4];
    for (uint32_t k = 0; k < 4; k++)
        sides[k] = (mo_part){.kind = MO_PART_SEGMENT, .vertex_first = k, .vertex_count = 2};
    for (int large = 0; large < 2; large++) {
        const double half = large ? 100.0 : 10.0;
        const double corners[] = {-half, 0, half, 0, half, 2 * half, -half, 2 * half, -half, 0};
        body2d bodies[11];
        for (int i = 0; i < 10; i++)
            bodies[i] = disc_at(&unit_disc, 2.0 * i - 9.0, 1.0);
        bodies[10] =
            (body2d){.wall = true, .parts = sides, .part_count = 4, .vertices = corners, .vertex_count = 5};
        scene2d scene = scene_of(bodies, 11);
        mo_error err;
        box2d box;
        assert_int_equal(view_fit(&scene, &box, &err), MO_OK);
        assert_int_equal(box.hi[1] >= 2 * half, !large);
        assert_true(box.hi[1] < 25.0 && box.hi[0] < 30.0);
    }
}

/* a side is twice the mean size of the bodies at least, or the heap's, and a margin of a fortieth all round:
   two discs side by side fill the picture from side to side, and a lone one half of it */
static void few_bodies_fill_the_picture(void **state)
{
    (void)state;
    body2d bodies[] = {disc_at(&unit_disc, -1.0, 3.0), disc_at(&unit_disc, 1.0, 3.0)};
    for (size_t count = 1; count <= 2; count++) {
        scene2d scene = scene_of(bodies, count);
        mo_error err;
        box2d box;
        assert_int_equal(view_fit(&scene, &box, &err), MO_OK);
        for (int k = 0; k < 2; k++)
            assert_close(box.hi[k] - box.lo[k], 4.0 * 1.05, 1e-12);
        assert_close(box.lo[1] + box.hi[1], 2.0 * 3.0, 1e-12);
    }
}

/* of two bodies the smaller one tells how wide lines may be, or they would cover it */
static void small_bodies_bound_the_lines(void **state)
{
    (void)state;
    mo_part small = unit_disc;
    small.radius = 0.125;
    body2d bodies[] = {disc_at(&unit_disc, 0.0, 0.0), disc_at(&small, 1.125, 0.0)};
    scene2d scene = scene_of(bodies, 2);
    canvas c = paint(&scene, DRAW_BY_SPEED, false, 300);
    assert_close(c.plan.radius, 0.125, 1e-15);
    drop(&c);
}

/* a film shows at every moment what is seen at any: the joined view holds both, in a bounded shape */
static void joined_views_hold_both(void **state)
{
    (void)state;
    box2d here = {{0.0, 0.0}, {1.0, 1.0}}, far = {{9.0, 0.2}, {10.0, 1.2}}, joined = here;
    view_join(&joined, &far);
    assert_true(joined.lo[0] == 0.0 && joined.hi[0] == 10.0 && joined.lo[1] <= 0.0 && joined.hi[1] >= 1.2);
    assert_shape(&joined);
}

/* the view given is the one drawn, and one without extent is refused */
static void given_view_is_drawn(void **state)
{
    (void)state;
    body2d bodies[] = {disc_at(&unit_disc, 0.0, 0.0), disc_at(&unit_disc, 50.0, 0.0)};
    scene2d scene = scene_of(bodies, 2);
    draw_view view = {{-2.0, -2.0}, {4.0, 1.0}};
    draw_options options = draw_default_options();
    options.view = &view;
    mo_error err = {0};
    picture p;
    assert_int_equal(picture_plan(&p, &scene, &options, &err), MO_OK);
    assert_memory_equal(p.view.box.lo, view.lo, sizeof p.view.box.lo);
    assert_memory_equal(p.view.box.hi, view.hi, sizeof p.view.box.hi);
    assert_int_equal(p.outside, 1);
    picture_free(&p);
    view.hi[1] = view.lo[1];
    assert_int_equal(picture_plan(&p, &scene, &options, &err), MO_BAD_INPUT);
    picture_free(&p);
}

static void maps_darken_evenly(void **state)
{
    (void)state;
    /* lightness falls at every step, so that order is seen without colour */
    for (int map = 0; map < 2; map++)
        for (int i = 0; i < 100; i++) {
            rgb a = palette_sequential((palette_map)map, i / 100.0);
            rgb b = palette_sequential((palette_map)map, (i + 1) / 100.0);
            assert_true(0.3 * a.r + 0.59 * a.g + 0.11 * a.b > 0.3 * b.r + 0.59 * b.g + 0.11 * b.b);
        }
    assert_true(palette_sequential(PALETTE_SPEED, -1.0).r == palette_sequential(PALETTE_SPEED, 0.0).r);
    assert_true(palette_sequential(PALETTE_SPEED, 1e300).r == palette_sequential(PALETTE_SPEED, 1.0).r);
}

/* ---- hostile scenes
 * ----------------------------------------------------------------------------------------- */

static void paint_all_ways(const scene2d *scene)
{
    for (int color = 0; color < 3; color++)
        for (int chains = 0; chains < 2; chains++) {
            canvas c = paint(scene, (draw_color)color, chains == 1, 60);
            assert_true(c.plan.width == 60.0 && c.plan.height >= 1.0 && c.plan.height < 300.0);
            drop(&c);
        }
}

static void nasty_numbers_are_survived(void **state)
{
    (void)state;
    for (int i = 0; i < nasties; i++)
        for (int where = 0; where < 13; where++) {
            mo_part disc = unit_disc, plane = ground, poly = unit_square;
            double points[8];
            memcpy(points, square, sizeof points);
            body2d b[4] = {disc_at(&disc, 0.0, 1.0), disc_at(&unit_disc, 2.0, 1.0), ground_body(),
                           disc_at(&poly, 0.0, 4.0)};
            b[2].parts = &plane;
            b[3].vertices = points;
            b[3].vertex_count = 4;
            contact2d contact = {0, 1, {1.0, 1.0}, {-1.0, 0.0}, {1.0, 0.5}};
            scene2d scene = scene_of(b, 4);
            scene.contacts = &contact;
            scene.contact_count = 1;
            joint_line joint = {MO_JOINT_SPRING, {{0.0, 1.0, 0.0}, {2.0, 1.0, 0.0}}};
            scene.joints = (joint_lines){&joint, 1};
            double *const places[13] = {&b[0].q[0],     &b[0].q[2],        &b[0].u[0],          &b[0].area,
                                        &disc.radius,   &plane.normal[1],  &plane.offset,       &points[2],
                                        &scene.time,    &contact.point[0], &contact.impulse[0], &scene.h,
                                        &joint.at[1][0]};
            *places[where] = nasty[i];
            paint_all_ways(&scene);
        }
}

static void unsound_bodies_are_counted(void **state)
{
    (void)state;
    body2d b[3] = {disc_at(&unit_disc, (double)NAN, 0.0), disc_at(&unit_disc, 0.0, 0.0),
                   disc_at(&unit_disc, 0.0, HUGE_VAL)};
    scene2d scene = scene_of(b, 3);
    canvas c = paint(&scene, DRAW_BY_GROUP, false, 200);
    assert_int_equal(c.plan.unsound, 2);
    assert_int_equal(c.plan.dynamic, 1);
    assert_color(world_pixel(&c, 0.0, 0.0), palette_category(0));
    drop(&c);
}

static void empty_and_broken_scenes(void **state)
{
    (void)state;
    scene2d scene = scene_of(NULL, 0);
    paint_all_ways(&scene);
    /* no groups at all, parts that point outside the vertices, a body without parts, names that are no UTF-8
     */
    static const char *const bad_names[] = {"\xff\xfe\x01", "\xe2\x82"};
    const mo_part outside[2] = {
        {.kind = MO_PART_POLYGON, .vertex_first = 4000000000u, .vertex_count = 4000000000u},
        {.kind = MO_PART_SEGMENT, .vertex_first = 0, .vertex_count = 1}};
    body2d b[3] = {
        disc_at(&unit_disc, 0.0, 0.0), {.parts = outside, .part_count = 2, .vertices = zero}, {.group = 9}};
    b[1].vertex_count = 1;
    scene = scene_of(b, 3);
    paint_all_ways(&scene);
    scene.groups = bad_names;
    paint_all_ways(&scene);
    scene.group_count = 0;
    paint_all_ways(&scene);
}

static void huge_disc_is_a_curve_through_the_view(void **state)
{
    (void)state;
    const mo_part earth = {.kind = MO_PART_DISC, .vertex_count = 1, .radius = 6.4e6};
    body2d b[2] = {disc_at(&unit_disc, 0.0, 1.0), disc_at(&earth, 0.0, -6.4e6)};
    b[1].wall = true;
    scene2d scene = scene_of(b, 2);
    canvas c = paint(&scene, DRAW_BY_GROUP, false, 600);
    assert_true(c.plan.view.box.hi[0] < 20.0);
    assert_int_equal(world_pixel(&c, 1.5, 0.1), 0xffffff);
    assert_true((world_pixel(&c, 1.5, -0.1) & 255) < 0xf0);
    drop(&c);
}

static void fifty_thousand_bodies(void **state)
{
    (void)state;
    size_t n = 50000;
    body2d *b = calloc(n, sizeof *b);
    assert_non_null(b);
    for (size_t i = 0; i < n; i++)
        b[i] = disc_at(&unit_disc, 2.0 * (double)(i % 250), 2.0 * (double)(i / 250));
    scene2d scene = scene_of(b, n);
    canvas c = paint(&scene, DRAW_BY_GROUP, true, 1200);
    assert_int_equal(c.plan.outside, 0);
    /* without outlines the middle of a small disc keeps its colour */
    assert_color(world_pixel(&c, 100.0, 100.0), rgb_mix(palette_category(0), rgb_white, picture_lightening));
    drop(&c);
    free(b);
}

static void widths_are_checked(void **state)
{
    (void)state;
    scene2d scene = scene_of(NULL, 0);
    picture p;
    mo_error err;
    int widths[] = {0, -5, 9001};
    for (int i = 0; i < 3; i++) {
        draw_options options = {.width = widths[i]};
        assert_int_equal(picture_plan(&p, &scene, &options, &err), MO_BAD_INPUT);
        assert_string_equal(err.key, "width");
        picture_free(&p);
    }
    canvas c = paint(&scene, DRAW_BY_SPEED, true, 1);
    drop(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disc_has_colour_of_its_speed),
        cmocka_unit_test(ground_is_grey_below_its_edge),
        cmocka_unit_test(walls_are_grey_and_groups_coloured),
        cmocka_unit_test(compound_has_no_inner_lines_or_holes),
        cmocka_unit_test(chains_join_centres_and_contacts),
        cmocka_unit_test(joints_are_rings_with_lines_between),
        cmocka_unit_test(forces_lie_over_joints),
        cmocka_unit_test(joints_are_in_view),
        cmocka_unit_test(scale_of_the_world_does_not_matter),
        cmocka_unit_test(stress_of_a_squeezed_disc),
        cmocka_unit_test(speed_is_that_of_the_centre),
        cmocka_unit_test(discs_under_tension_have_a_scale),
        cmocka_unit_test(frame_becomes_scene),
        cmocka_unit_test(view_ignores_stragglers_and_long_walls),
        cmocka_unit_test(view_of_a_long_row_is_not_flat),
        cmocka_unit_test(walls_are_drawn_in_the_cell),
        cmocka_unit_test(long_bodies_end_the_lines),
        cmocka_unit_test(vessels_are_seen_whole),
        cmocka_unit_test(few_bodies_fill_the_picture),
        cmocka_unit_test(small_bodies_bound_the_lines),
        cmocka_unit_test(joined_views_hold_both),
        cmocka_unit_test(given_view_is_drawn),
        cmocka_unit_test(maps_darken_evenly),
        cmocka_unit_test(nasty_numbers_are_survived),
        cmocka_unit_test(unsound_bodies_are_counted),
        cmocka_unit_test(empty_and_broken_scenes),
        cmocka_unit_test(huge_disc_is_a_curve_through_the_view),
        cmocka_unit_test(fifty_thousand_bodies),
        cmocka_unit_test(widths_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
