/* Surfaces in space on the paper: exact outlines, the nearer wins, backs, perspective; and frames as data. */
#include "draw/canvas.h"
#include "draw/solid_raster.h"
#include "draw/solid_view.h"

static const double pi = 3.14159265358979323846;
static const double upright[3] = {0.0, 0.0, 1.0};
static const box3d unit_box = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}};

enum { side = 400 };

/* a camera in front (x to the right, z up, y away) with 100 samples for a metre where the picture plane is */
static camera front_camera(bool perspective)
{
    camera c;
    camera_aim(&c, upright, -90.0, 0.0);
    camera_fit(&c, &unit_box, perspective);
    c.scale = 100.0 * c.size;
    c.left = c.top = 0.5 * side;
    return c;
}

static band draw_all(const camera *c, const facets *f)
{
    band b;
    assert_true(band_create(&b, side, side));
    band_clear(&b, 0);
    facet_place *places = raster_places(c, f);
    assert_non_null(places);
    raster_draw(c, f, places, &b);
    free(places);
    return b;
}

/* what body is seen at a sample, -1 for none */
static int seen(const band *b, const facets *f, int x, int y)
{
    uint32_t k = b->facet[(size_t)y * side + (size_t)x];
    return k == facet_none ? -1 : (int)f->items[k].body;
}

/* x and z of a sample's centre in the picture plane, m */
static double sample_x(int x)
{
    return (x + 0.5 - 0.5 * side) / 100.0;
}

static double sample_z(int y)
{
    return (0.5 * side - (y + 0.5)) / 100.0;
}

static const double cube[24] = {-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1,
                                -1, -1, 1,  1, -1, 1,  1, 1, 1,  -1, 1, 1};
static const uint32_t cube_faces[30] = {4, 0, 3, 2, 1, 4, 4, 5, 6, 7, 4, 0, 1, 5, 4,
                                        4, 2, 3, 7, 6, 4, 1, 2, 6, 5, 4, 3, 0, 4, 7};
static const mo_part cube_part = {.kind = MO_PART_POLYHEDRON, .vertex_count = 8, .link.face = {0, 6}};

static body3d body_of(const mo_part *part, const double *vertices, size_t count, double x, double y, double z)
{
    const double q[7] = {x, y, z, 1.0, 0.0, 0.0, 0.0};
    body3d b = {.parts = part, .part_count = 1, .vertices = vertices, .vertex_count = count};
    b.faces = cube_faces;
    b.face_length = 30;
    body3d_set(&b, q);
    return b;
}

static const double ends[6] = {-0.6, 0.0, 0.0, 0.6, 0.0, 0.0};

/* ---- outlines ----------------------------------------------------------------------------------------- */

static bool in_ball(double x, double z)
{
    return hypot(x, z) <= 0.7;
}

static bool in_cylinder(double x, double z)
{
    return fabs(x) <= 0.6 && fabs(z) <= 0.3;
}

static bool in_capsule(double x, double z)
{
    return hypot(fmax(fabs(x) - 0.6, 0.0), z) <= 0.3;
}

static bool in_cube(double x, double z)
{
    return fabs(x) <= 1.0 && fabs(z) <= 1.0;
}

/* orthographic outlines, sample by sample but for those on the border to rounding, and so their areas */
static void outlines_are_exact(void **state)
{
    (void)state;
    static const mo_part ball = {.kind = MO_PART_SPHERE, .vertex_count = 1, .radius = 0.7};
    static const mo_part cylinder = {.kind = MO_PART_CYLINDER, .vertex_count = 2, .radius = 0.3};
    static const mo_part capsule = {.kind = MO_PART_CAPSULE, .vertex_count = 2, .radius = 0.3};
    static const double zero[3] = {0.0, 0.0, 0.0};
    const struct {
        body3d body;
        bool (*inside)(double x, double z);
        double area;
    } cases[] = {{body_of(&ball, zero, 1, 0, 0, 0), in_ball, pi * 0.49},
                 {body_of(&cylinder, ends, 2, 0, 0, 0), in_cylinder, 0.72},
                 {body_of(&capsule, ends, 2, 0, 0, 0), in_capsule, 0.72 + pi * 0.09},
                 {body_of(&cube_part, cube, 8, 0, 0, 0), in_cube, 4.0}};
    camera c = front_camera(false);
    for (size_t k = 0; k < 4; k++) {
        facets f = {0};
        facets_add_body(&f, &cases[k].body, 0);
        band b = draw_all(&c, &f);
        double count = 0.0;
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++) {
                double X = sample_x(x), Z = sample_z(y), e = 1e-5;
                bool inside = cases[k].inside(X * (1 - e), Z * (1 - e));
                if (inside != cases[k].inside(X * (1 + e), Z * (1 + e)))
                    continue;
                assert_int_equal(seen(&b, &f, x, y), inside ? 0 : -1);
                count += inside;
            }
        /* squares of side 1/100 that the border, shorter than 8 m, can cut: fewer than 3 per side passed */
        assert_close(count / 1e4, cases[k].area, 0.03 * sqrt(cases[k].area));
        band_free(&b);
        facets_free(&f);
    }
}

static void depth_of_a_ball_is_exact(void **state)
{
    (void)state;
    static const mo_part ball = {.kind = MO_PART_SPHERE, .vertex_count = 1, .radius = 0.7};
    static const double zero[3] = {0.0, 0.0, 0.0};
    body3d body = body_of(&ball, zero, 1, 0, 0, 0);
    camera c = front_camera(false);
    facets f = {0};
    facets_add_body(&f, &body, 0);
    band b = draw_all(&c, &f);
    for (int y = 0; y < side; y += 7)
        for (int x = 0; x < side; x += 7) {
            double X = sample_x(x), Z = sample_z(y), rest = 0.49 - X * X - Z * Z;
            if (rest < 0.01)
                continue;
            double near = (double)b.nearness[(size_t)y * side + (size_t)x], view[3], n[3];
            assert_close(near * c.size, sqrt(rest), 1e-6);
            /* the normal is radial */
            camera_point(&c, X / c.size, Z / c.size, near, view);
            raster_normal(&c, &f.items[0], view, n);
            assert_close(n[0], X / 0.7, 1e-5);
            assert_close(n[1], Z / 0.7, 1e-5);
        }
    band_free(&b);
    facets_free(&f);
}

/* ---- what hides what ---------------------------------------------------------------------------------- */

static void the_nearer_box_wins_in_either_order(void **state)
{
    (void)state;
    for (int perspective = 0; perspective < 2; perspective++)
        for (int order = 0; order < 2; order++) {
            camera c = front_camera(perspective == 1);
            facets f = {0};
            /* body 1 is nearer: the viewer is where y is negative */
            body3d bodies[2] = {body_of(&cube_part, cube, 8, 0.0, 1.0, 0.0),
                                body_of(&cube_part, cube, 8, 0.7, -1.2, 0.3)};
            for (int i = 0; i < 2; i++)
                facets_add_body(&f, &bodies[i ^ order], (uint32_t)(i ^ order));
            band b = draw_all(&c, &f);
            assert_int_equal(seen(&b, &f, side / 2 + 20, side / 2), 1);
            assert_int_equal(seen(&b, &f, side / 2 - 70, side / 2), 0);
            band_free(&b);
            facets_free(&f);
        }
}

/* a ball of radius 0.5 comes out of the face y = -0.4 of a cube in a circle of radius 0.3 */
static void bodies_in_each_other_meet_on_the_true_curve(void **state)
{
    (void)state;
    static const double centre[3] = {0.0, 0.0, 0.0};
    static const mo_part ball = {.kind = MO_PART_SPHERE, .vertex_count = 1, .radius = 0.5};
    body3d bodies[2] = {body_of(&cube_part, cube, 8, 0.0, 0.6, 0.0), body_of(&ball, centre, 1, 0, 0, 0)};
    camera c = front_camera(false);
    facets f = {0};
    for (uint32_t i = 0; i < 2; i++)
        facets_add_body(&f, &bodies[i], i);
    band b = draw_all(&c, &f);
    for (int y = 100; y < 300; y++)
        for (int x = 100; x < 300; x++) {
            double distance = hypot(sample_x(x), sample_z(y)) - 0.3;
            if (fabs(distance) > 1e-5 && fabs(sample_x(x)) < 0.99 && fabs(sample_z(y)) < 0.99)
                assert_int_equal(seen(&b, &f, x, y), distance < 0.0 ? 1 : 0);
        }
    band_free(&b);
    facets_free(&f);
}

static size_t covered(const band *b)
{
    size_t count = 0;
    for (size_t i = 0; i < (size_t)side * side; i++)
        count += b->facet[i] != facet_none;
    return count;
}

static void backs_are_seen_only_of_two_sided_pieces(void **state)
{
    (void)state;
    /* counter-clockwise seen from the viewer, and from behind */
    static const double towards[9] = {-1, 0, -1, 1, 0, -1, 0, 0, 1}, away[9] = {-1, 0, -1, 0, 0, 1, 1, 0, -1};
    for (int k = 0; k < 4; k++)
        for (int perspective = 0; perspective < 2; perspective++) {
            camera c = front_camera(perspective == 1);
            facets f = {0};
            facets_add_polygon(&f, k % 2 == 0 ? towards : away, 3, 0, 0, k >= 2);
            band b = draw_all(&c, &f);
            /* area 2 m^2, every row exact to a sample; in the plane of the picture the two projections agree
             */
            if (k == 1)
                assert_int_equal(covered(&b), 0);
            else
                assert_close((double)covered(&b), 2e4, 200.0);
            band_free(&b);
            facets_free(&f);
        }
}

/* ---- perspective -------------------------------------------------------------------------------------- */

static int width_in_row(const band *b, int y)
{
    int count = 0;
    for (int x = 0; x < side; x++)
        count += b->facet[(size_t)y * side + (size_t)x] != facet_none;
    return count;
}

/* a ball of radius r at the distance l straight ahead is 2 d r / sqrt(l^2 - r^2) wide on the picture plane */
static void balls_shrink_with_distance(void **state)
{
    (void)state;
    static const double centre[3] = {0.0, 0.0, 0.0};
    static const mo_part ball = {.kind = MO_PART_SPHERE, .vertex_count = 1, .radius = 0.5};
    camera c = front_camera(true);
    double d = c.distance * c.size, width[2];
    for (int k = 0; k < 2; k++) {
        double y = k == 0 ? -2.0 : 6.0, away = d + y;
        body3d body = body_of(&ball, centre, 1, 0.0, y, 0.0);
        facets f = {0};
        facets_add_body(&f, &body, 0);
        band b = draw_all(&c, &f);
        width[k] = 200.0 * d * 0.5 / sqrt(away * away - 0.25);
        assert_close(width_in_row(&b, side / 2), width[k], 1.0);
        band_free(&b);
        facets_free(&f);
    }
    assert_true(width[0] > 2.0 * width[1]);
}

/* what reaches behind the eye is cut, not turned inside out */
static void the_ground_behind_the_eye_is_cut(void **state)
{
    (void)state;
    static const double ground[12] = {-90, -90, -1, 90, -90, -1, 90, 90, -1, -90, 90, -1};
    camera c = front_camera(true);
    facets f = {0};
    facets_add_polygon(&f, ground, 4, 0, 0, false);
    band b = draw_all(&c, &f);
    double d = c.distance * c.size;
    for (int y = 0; y < side; y++) {
        double z = sample_z(y), reach = -d / z; /* from the eye to the ground */
        if (fabs(z) > 0.02)
            assert_int_equal(seen(&b, &f, side / 2, y), z < 0.0 && reach < d + 90.0 ? 0 : -1);
    }
    band_free(&b);
    facets_free(&f);
}

/* ---- cameras and planes ------------------------------------------------------------------------------- */

static void views_lie_as_they_are_called(void **state)
{
    (void)state;
    static const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    const struct {
        double azimuth, elevation;
        const double *right, *up;
    } views[] = {{-90.0, 0.0, x, z}, {-90.0, 90.0, x, y}, {0.0, 0.0, y, z}};
    for (size_t k = 0; k < 3; k++) {
        camera c;
        camera_aim(&c, upright, views[k].azimuth, views[k].elevation);
        for (int i = 0; i < 3; i++) {
            assert_close(c.right[i], views[k].right[i], 1e-15);
            assert_close(c.up[i], views[k].up[i], 1e-15);
        }
    }
    /* gravity says what is up */
    const double down[4][3] = {{0, 0, 0}, {0, 0, -9.81}, {0.1, -9.81, 2}, {9.81, 0, 0}};
    const double up[4][3] = {{0, 0, 1}, {0, 0, 1}, {0, 1, 0}, {-1, 0, 0}};
    for (int k = 0; k < 4; k++) {
        double out[3];
        camera c;
        camera_vertical(down[k], out);
        assert_memory_equal(out, up[k], sizeof out);
        camera_aim(&c, out, 20.0, 30.0);
        /* right, up, back are a right-handed frame */
        assert_close(c.right[1] * c.up[2] - c.right[2] * c.up[1], c.back[0], 1e-15);
        assert_close(c.right[2] * c.up[0] - c.right[0] * c.up[2], c.back[1], 1e-15);
        assert_close(c.right[0] * c.up[1] - c.right[1] * c.up[0], c.back[2], 1e-15);
    }
}

/* a floor between walls ends at them, and at the margin of the view where there is none */
static void planes_end_at_each_other(void **state)
{
    (void)state;
    static const mo_part room[3] = {{.kind = MO_PART_PLANE, .normal = {0, 0, 2}},
                                    {.kind = MO_PART_PLANE, .normal = {1, 0, 0}, .offset = -1.0},
                                    {.kind = MO_PART_PLANE, .normal = {-1, 0, 0}, .offset = -1.0}};
    body3d body = {.wall = true, .parts = room, .part_count = 3};
    const double q[7] = {0, 0, 0, 1, 0, 0, 0};
    body3d_set(&body, q);
    scene3d scene = {.body_count = 1, .bodies = &body};
    const box3d view = {{-1, -1, 0}, {1, 1, 1}};
    facets f = {0};
    solid_add_planes(&scene, &view, 0.0, &f);
    double reach[2] = {0.0, 0.0};
    for (size_t i = 0; i < f.count; i++) {
        assert_int_equal(f.items[i].finish, FINISH_GROUND);
        for (int k = 0; k < 3; k++) {
            const double *p = f.items[i].p[k];
            assert_true(fabs(p[0]) <= 1.0 + 1e-6 && p[2] >= -1e-6);
            if (f.items[i].surface == 0)
                for (int j = 0; j < 2; j++)
                    reach[j] = fmax(reach[j], fabs(p[j]));
        }
    }
    assert_close(reach[0], 1.0, 1e-6);
    assert_close(reach[1], 1.24, 1e-12); /* 0.12 of the largest side, 2 */
    facets_free(&f);
}

/* walls that stand in any direction end level, above and below: 0.12 of the largest side, 2, beyond the view
 */
static void upright_planes_end_level(void **state)
{
    (void)state;
    for (int k = 0; k < 12; k++) {
        mo_part wall = {.kind = MO_PART_PLANE, .normal = {cos(0.55 * k), sin(0.55 * k), 0.0}, .offset = -0.9};
        body3d body = {.wall = true, .parts = &wall, .part_count = 1};
        const double q[7] = {0, 0, 0, 1, 0, 0, 0};
        body3d_set(&body, q);
        scene3d scene = {.body_count = 1, .bodies = &body, .gravity = {0, 0, -9.81}};
        const box3d view = {{-1, -1, 0}, {1, 1, 1}};
        facets f = {0};
        solid_add_planes(&scene, &view, 0.0, &f);
        assert_true(f.count > 0);
        for (size_t i = 0; i < f.count; i++)
            for (int c = 0; c < 3; c++)
                assert_close(fabs(f.items[i].p[c][2] - 0.5), 0.5 + 0.24, 1e-12);
        facets_free(&f);
    }
}

/* ---- data --------------------------------------------------------------------------------------------- */

static void stress_of_a_squeezed_ball(void **state)
{
    (void)state;
    /* two opposite forces F on a ball of radius r: trace/3 = 2 F r / (3 V) = F / (2 pi r^2) */
    static const double centre[3] = {0.0, 0.0, 0.0};
    static const mo_part ball = {.kind = MO_PART_SPHERE, .vertex_count = 1, .radius = 0.5};
    body3d bodies[3] = {body_of(&ball, centre, 1, 0, 0, 0), body_of(&ball, centre, 1, 1, 0, 0),
                        body_of(&ball, centre, 1, -1, 0, 0)};
    double force = 7.0, h = 0.01, value[3];
    for (int i = 0; i < 3; i++)
        bodies[i].volume = pi / 6.0;
    bodies[1].wall = bodies[2].wall = true;
    contact3d contacts[2] = {{0, 1, {0.5, 0, 0}, {-1, 0, 0}, {force * h, 0.3, 0.2}},
                             {2, 0, {-0.5, 0, 0}, {-1, 0, 0}, {force * h, 0.3, 0.2}}};
    scene3d scene = {.h = h, .body_count = 3, .bodies = bodies, .contact_count = 2, .contacts = contacts};
    scene3d_values(&scene, DRAW_BY_STRESS, value);
    assert_close(value[0], force / (2.0 * pi * 0.25), 1e-12);
    assert_true(isnan(value[1]) && isnan(value[2]));
}

static void frame_becomes_scene(void **state)
{
    (void)state;
    static const double centre[3] = {0.1, 0.0, 0.0};
    static const mo_part ball = {.kind = MO_PART_SPHERE, .vertex_count = 1, .radius = 0.5};
    mo_body_raw table[2] = {{.id = 3, .kind = MO_BODY_DYNAMIC, .group = "grain", .area = 2.0},
                            {.id = 7, .kind = MO_BODY_FIXED, .group = "default"}};
    for (int i = 0; i < 2; i++) {
        table[i].parts = &ball;
        table[i].part_count = 1;
        table[i].vertices = centre;
        table[i].vertex_count = 1;
    }
    static const double middle[3] = {0.0, 0.0, 0.0};
    double radius[2] = {0.6, 0.7};
    table[1].vertices = middle;
    uint32_t id[2] = {3, 7}, row[2] = {0, 1}, id1[2] = {3, 3}, id2[2] = {7, 9};
    /* the first is turned by 90 degrees about z, by a quaternion that is not unit */
    double q[14] = {1, 2, 3, 2, 0, 0, 2, 4, 5, 6, 0, 0, 0, 0}, u[12] = {0, 3, 4};
    double point[6] = {1, 2, 3, 4, 5, 6}, normal[6] = {0, 0, 1, 0, 1, 0}, impulse[6] = {7, 8, 9, 1, 1, 1};
    const char *const groups[] = {"default", "grain"};
    mo_run_info info = {.h = 0.1, .dim = 3, .group_count = 2, .groups = groups, .gravity = {0, 0, -1}};
    mo_frame frame = {.dim = 3, .body_count = 2, .contact_count = 2, .time = 5.0};
    frame.id = id;
    frame.row = row;
    frame.q = q;
    frame.u = u;
    frame.id1 = id1;
    frame.id2 = id2;
    frame.point = point;
    frame.normal = normal;
    frame.impulse = impulse;
    frame.radius = radius;
    scene3d scene;
    mo_error err;
    assert_int_equal(scene3d_from_frame(&info, table, 2, &frame, &scene, &err), MO_OK);
    assert_int_equal(scene.body_count, 2);
    assert_int_equal(scene.contact_count, 1); /* body 9 is not in the frame */
    assert_memory_equal(scene.contacts[0].impulse, impulse, 3 * sizeof(double));
    assert_int_equal(scene.bodies[0].group, 1);
    assert_true(scene.bodies[1].wall && !scene.bodies[0].wall);
    double world[3], value[2];
    /* the frame's radius is that of a ball in the middle of its body */
    assert_close(part3d_radius(&scene.bodies[0], &ball), 0.5, 0.0);
    assert_close(part3d_radius(&scene.bodies[1], &ball), 0.7, 0.0);
    body3d_place(&scene.bodies[0], centre, world);
    assert_close(world[0], 1.0, 1e-15);
    assert_close(world[1], 2.1, 1e-15);
    assert_close(world[2], 3.0, 1e-15);
    scene3d_values(&scene, DRAW_BY_SPEED, value);
    assert_close(value[0], 5.0, 1e-15);
    scene3d_free(&scene);
    row[1] = 2;
    assert_int_equal(scene3d_from_frame(&info, table, 2, &frame, &scene, &err), MO_BAD_FILE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outlines_are_exact),
        cmocka_unit_test(depth_of_a_ball_is_exact),
        cmocka_unit_test(the_nearer_box_wins_in_either_order),
        cmocka_unit_test(bodies_in_each_other_meet_on_the_true_curve),
        cmocka_unit_test(backs_are_seen_only_of_two_sided_pieces),
        cmocka_unit_test(balls_shrink_with_distance),
        cmocka_unit_test(the_ground_behind_the_eye_is_cut),
        cmocka_unit_test(views_lie_as_they_are_called),
        cmocka_unit_test(planes_end_at_each_other),
        cmocka_unit_test(upright_planes_end_level),
        cmocka_unit_test(stress_of_a_squeezed_ball),
        cmocka_unit_test(frame_becomes_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
