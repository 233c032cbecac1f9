/* Exports of worlds in 3D: columns and numbers of the CSV files, closed surfaces in VTK files, XDMF that
   points at the right numbers, distances between runs. */
#include "record/exported.h"
#include "record/small_world3.h"

#include "support/close.h"

#include <math.h>

/* the numbers of a line of comma-separated values, and the word that ends it or "" */
static size_t split(char *line, double *values, size_t room, char word[16])
{
    size_t count = 0;
    word[0] = '\0';
    for (char *at = strtok(line, ","); at != NULL; at = strtok(NULL, ",")) {
        char *end = NULL;
        assert_true(count < room);
        values[count] = strtod(at, &end);
        if (*end != '\0')
            snprintf(word, 16, "%s", at);
        else
            count++;
    }
    return count;
}

static void assert_same_numbers(const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_true(a[i] == b[i]);
}

/* what the table says is what mo_body_get says of the world: origins and spins in world axes */
static void bodies_as_csv(void **state)
{
    (void)state;
    mo_recorder *rec = NULL;
    mo_world *world = record_small3(in_folder("csv.h5"), 3, 4, &rec);
    mo_recorder_destroy(rec);
    mo_run *run = NULL;
    must(mo_run_open(in_folder("csv.h5"), &run, err));
    must(mo_export_csv(run, MO_EXPORT_BODIES, 3, 1, in_folder("bodies.csv"), err));
    char *text = read_whole(in_folder("bodies.csv"), NULL), *at = text, word[16];
    assert_string_equal(next_line(&at), "t,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz");
    const mo_bodies b = mo_world_bodies(world);
    for (size_t i = 0; i < b.count; i++) {
        double v[15];
        mo_body_state s;
        assert_int_equal(split(next_line(&at), v, 15, word), 15);
        assert_string_equal(word, "");
        must(mo_body_get(world, (mo_body){b.id[i]}, &s, err));
        assert_true(v[0] == mo_world_info_get(world).time && v[1] == b.id[i]);
        assert_same_numbers(v + 2, s.position, 3);
        assert_same_numbers(v + 5, s.orientation, 4);
        assert_same_numbers(v + 9, s.velocity, 3);
        assert_same_numbers(v + 12, s.spin3, 3);
    }
    assert_string_equal(at, "");
    free(text);
    mo_run_close(run);
    mo_world_destroy(world);
}

/* a box turned by a quarter about x that spins about the world's z: the file keeps the spin along its axes */
static void spins_are_in_world_axes(void **state)
{
    (void)state;
    mo_world_def world_def = mo_default_world_def();
    world_def.dim = 3;
    mo_world *world = NULL;
    must(mo_world_create(&world_def, &world, err));
    mo_body_def def = solid_def((mo_shape_def){.kind = MO_SHAPE_BOX, .size = {1, 2, 3}}, 1, 2, 3, "grain");
    def.orientation[0] = def.orientation[1] = 1;
    def.spin3[2] = 5;
    add_solid(world, &def);
    mo_recorder *rec = NULL;
    const mo_recorder_def rec_def = {.scene_name = "spin"};
    must(mo_recorder_create(in_folder("spin.h5"), &rec_def, world, &rec, err));
    must(mo_recorder_frame(rec, world, NULL, err));
    mo_run *run = finish_and_open(in_folder("spin.h5"), world, rec);
    must(mo_export_csv(run, MO_EXPORT_BODIES, 0, 1, in_folder("spin.csv"), err));
    char *text = read_whole(in_folder("spin.csv"), NULL), *at = text, word[16];
    double v[15];
    next_line(&at);
    split(next_line(&at), v, 15, word);
    const double expected[15] = {0, 1, 1, 2, 3, sqrt(0.5), sqrt(0.5), 0, 0, 0, 0, 0, 0, 0, 5};
    // a few roundings of numbers up to 5
    for (int i = 0; i < 15; i++)
        assert_close(v[i], expected[i], 4e-15);
    free(text);
    mo_run_close(run);
}

static void contacts_as_csv(void **state)
{
    (void)state;
    mo_run *run = sample_run3(in_folder("contacts.h5"), 10, 4);
    must(mo_export_csv(run, MO_EXPORT_CONTACTS, 3, 1, in_folder("contacts.csv"), err));
    char *text = read_whole(in_folder("contacts.csv"), NULL), *at = text, word[16];
    assert_string_equal(
        next_line(&at),
        "t,body1,body2,px,py,pz,nx,ny,nz,tx,ty,tz,gap,impulse_n,impulse_t1,impulse_t2,status");
    static const char *const words[] = {"open", "stick", "slide"};
    mo_frame f;
    must(mo_run_frame(run, 3, &f, err));
    assert_true(f.contact_count > 10);
    for (size_t i = 0; i < f.contact_count; i++) {
        double v[17], t[3];
        assert_int_equal(split(next_line(&at), v, 17, word), 16);
        assert_true(v[0] == f.time && v[1] == f.id1[i] && v[2] == f.id2[i] && v[12] == f.gap[i]);
        mo_tangent(f.normal + 3 * i, t);
        assert_same_numbers(v + 3, f.point + 3 * i, 3);
        assert_same_numbers(v + 6, f.normal + 3 * i, 3);
        assert_same_numbers(v + 9, t, 3);
        assert_same_numbers(v + 13, f.impulse + 3 * i, 3);
        assert_string_equal(word, words[f.status[i]]);
        // a tangent is one
        assert_true(fabs(v[6] * v[9] + v[7] * v[10] + v[8] * v[11]) < 1e-15);
    }
    assert_string_equal(at, "");
    mo_frame_free(&f);
    free(text);
    mo_run_close(run);
}

/* ---- VTK ------------------------------------------------------------------------------------------- */

/* the numbers of an array of a VTU file; *count says how many */
static double *array_of(const char *text, const char *name, size_t *count)
{
    char tag[64];
    snprintf(tag, sizeof tag, "Name=\"%s\"", name);
    const char *at = strstr(text, tag);
    assert_non_null(at);
    at = strchr(at, '>') + 1;
    double *values = malloc((strlen(at) / 2 + 1) * sizeof *values);
    assert_non_null(values);
    *count = 0;
    for (char *end = NULL;; at = end) {
        const double x = strtod(at, &end);
        if (end == at)
            return values;
        values[(*count)++] = x;
    }
}

/* volume inside the faces of a polyhedron, and whether every edge has two faces that run along it in opposite
   directions; stream: number of faces, then of each the corners */
static double volume_inside(const double *stream, const double *points, size_t first, size_t corners)
{
    double volume = 0;
    int *edges = calloc(corners * corners, sizeof *edges);
    assert_non_null(edges);
    const size_t faces = (size_t)*stream++;
    for (size_t f = 0; f < faces; f++) {
        const size_t n = (size_t)*stream++;
        for (size_t k = 0; k < n; k++) {
            const size_t id[3] = {(size_t)stream[0], (size_t)stream[k], (size_t)stream[(k + 1) % n]};
            for (int j = 0; j < 3; j++)
                assert_true(id[j] >= first && id[j] < first + corners);
            edges[(id[1] - first) * corners + id[2] - first]++;
            const double *a = points + 3 * id[0], *b = points + 3 * id[1], *c = points + 3 * id[2];
            volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                       a[2] * (b[0] * c[1] - b[1] * c[0])) /
                      6;
        }
        stream += n;
    }
    for (size_t a = 0; a < corners; a++)
        for (size_t b = 0; b < corners; b++)
            assert_true(edges[a * corners + b] <= 1 && edges[a * corners + b] == edges[b * corners + a]);
    free(edges);
    return volume;
}

/* share of a circle's area that a polygon of n corners on it has */
static double polygon_share(int n)
{
    const double pi = acos(-1);
    return n * sin(2 * pi / n) / (2 * pi);
}

/* a sphere of rings 30 degrees apart: frustums between discs of the same polygons */
static double ball_volume(double r)
{
    const double pi = acos(-1), share = polygon_share(12);
    double volume = 0;
    for (int k = -3; k < 3; k++) {
        const double a = k * pi / 6, b = (k + 1) * pi / 6, ra = r * cos(a), rb = r * cos(b);
        volume += pi * share / 3 * r * (sin(b) - sin(a)) * (ra * ra + ra * rb + rb * rb);
    }
    return volume;
}

static void surfaces_are_closed(void **state)
{
    (void)state;
    const double pi = acos(-1);
    mo_run *run = sample_run3(in_folder("vtk.h5"), 1, 3);
    must(mo_export_vtk(run, 1, 2, in_folder("vtk"), err));
    static const char *const files[] = {"vtk/bodies.pvd", "vtk/contacts.pvd", "vtk/bodies_000002.vtu",
                                        "vtk/contacts_000002.vtu"};
    for (int i = 0; i < 4; i++)
        assert_xml(in_folder(files[i]));
    char *text = read_whole(in_folder("vtk/bodies_000002.vtu"), NULL);
    size_t n[7];
    double *points = array_of(text, "points", &n[0]), *offsets = array_of(text, "offsets", &n[1]);
    double *types = array_of(text, "types", &n[2]), *faces = array_of(text, "faces", &n[3]);
    double *ends = array_of(text, "faceoffsets", &n[4]), *id = array_of(text, "id", &n[5]);
    double *spin = array_of(text, "spin", &n[6]);
    // no plane; two triangles; lift, lump of two, cylinder, box, two balls, four pebbles, ball
    assert_int_equal(n[1], 14);
    assert_true(n[2] == 14 && n[4] == 14 && n[5] == 14 && n[6] == 42 && 3 * (size_t)offsets[13] == n[0]);
    assert_true(ends[13] == (double)n[3]);
    const double cap = ball_volume(0.03);
    const double expected[14] = {0,
                                 0,
                                 0.4 * 0.4 * 0.1,
                                 ball_volume(0.05),
                                 cap + 0.15 * pi * 0.0009 * polygon_share(12),
                                 pi * 0.0064 * 0.1 * polygon_share(24),
                                 0.2 * 0.1 * 0.1,
                                 ball_volume(0.05),
                                 ball_volume(0.054)};
    size_t point = 0, face = 0;
    for (size_t i = 0; i < 14; i++) {
        const size_t end = (size_t)offsets[i];
        assert_int_equal(types[i], i < 2 ? 5 : 42);
        if (i < 2) {
            assert_true(ends[i] == -1 && end == 3 * (i + 1) && id[i] == 2);
        } else {
            const double volume = volume_inside(faces + face, points, point, end - point);
            assert_true(volume > 0);
            // nine digits of points within 2 m of the origin, over the surface
            if (expected[i] > 0)
                assert_close(volume, expected[i], 1e-8);
            face = (size_t)ends[i];
        }
        point = end;
    }
    double *const arrays[] = {points, offsets, types, faces, ends, id, spin};
    for (int i = 0; i < 7; i++)
        free(arrays[i]);
    free(text);
    mo_run_close(run);
}

/* one ball at rest on the floor: the force of its contact is its weight */
static void forces_of_contacts(void **state)
{
    (void)state;
    mo_world_def world_def = mo_default_world_def();
    world_def.dim = 3;
    world_def.h = 0.01;
    world_def.gravity[2] = -10;
    mo_world *world = NULL;
    must(mo_world_create(&world_def, &world, err));
    add_wall(world, (mo_shape_def){.kind = MO_SHAPE_PLANE, .normal = {0, 0, 1}}, NULL);
    mo_body_def def = solid_def((mo_shape_def){.kind = MO_SHAPE_SPHERE, .radius = 0.5}, 0, 0, 0.5, "grain");
    def.density = 0;
    def.mass = 2;
    add_solid(world, &def);
    mo_recorder *rec = NULL;
    const mo_recorder_def rec_def = {.scene_name = "rest"};
    must(mo_recorder_create(in_folder("rest.h5"), &rec_def, world, &rec, err));
    must(mo_world_step(world, err));
    must(mo_recorder_frame(rec, world, NULL, err));
    mo_run *run = finish_and_open(in_folder("rest.h5"), world, rec);
    must(mo_export_vtk(run, 0, 1, in_folder("rest"), err));
    char *text = read_whole(in_folder("rest/contacts_000000.vtu"), NULL);
    size_t count[2];
    double *force = array_of(text, "force", &count[0]), *normal = array_of(text, "normal", &count[1]);
    assert_true(count[0] == 3 && count[1] == 3);
    // on body 1, which is the floor: down, to the solver's tolerance
    assert_close(force[0], 0, 1e-6);
    assert_close(force[1], 0, 1e-6);
    assert_close(force[2], -20, 1e-6);
    assert_close(normal[2], -1, 1e-12);
    free(force);
    free(normal);
    free(text);
    mo_run_close(run);
}

static void xdmf_beside_the_run(void **state)
{
    (void)state;
    mo_run_close(sample_run3(in_folder("xdmf.h5"), 2, 3));
    char *text = read_whole(in_folder("xdmf.xdmf"), NULL);
    assert_xml(in_folder("xdmf.xdmf"));
    assert_int_equal(count_of(text, "<Grid Name=\"bodies\" GridType=\"Uniform\""), 3);
    assert_int_equal(count_of(text, "GeometryType=\"XYZ\""), count_of(text, "GridType=\"Uniform\""));
    // 14 bodies in each of 3 frames: places, then orientations, from rows of seven numbers
    assert_non_null(strstr(text, "<DataItem Dimensions=\"14 3\" NumberType=\"Float\" Precision=\"8\" "
                                 "Format=\"HDF\">xdmf.h5:/frame_bodies/q|14 0:1 1:14 3:42 7</DataItem>"));
    assert_non_null(strstr(text, "xdmf.h5:/frame_bodies/q|14 3:1 1:14 4:42 7</DataItem>"));
    assert_non_null(strstr(text, "xdmf.h5:/frame_bodies/u|14 3:1 1:14 3:42 6</DataItem>"));
    assert_non_null(strstr(text, "<Attribute Name=\"impulse_t2\" AttributeType=\"Scalar\""));
    free(text);
}

/* ---- comparison ------------------------------------------------------------------------------------ */

/* one box that flies and spins about z, no forces */
static mo_run *flight(const char *name, double vz, double angle)
{
    mo_world_def world_def = mo_default_world_def();
    world_def.dim = 3;
    world_def.h = 0.125;
    mo_world *world = NULL;
    must(mo_world_create(&world_def, &world, err));
    mo_body_def def = solid_def((mo_shape_def){.kind = MO_SHAPE_BOX, .size = {1, 2, 3}}, 0, 0, 0, "grain");
    def.orientation[0] = cos(angle / 2);
    def.orientation[3] = sin(angle / 2);
    def.velocity[2] = vz;
    add_solid(world, &def);
    mo_recorder *rec = NULL;
    const mo_recorder_def rec_def = {.scene_name = "flight"};
    must(mo_recorder_create(in_folder(name), &rec_def, world, &rec, err));
    for (int i = 0; i <= 8; i++) {
        if (i > 0)
            must(mo_world_step(world, err));
        must(mo_recorder_frame(rec, world, NULL, err));
    }
    return finish_and_open(in_folder(name), world, rec);
}

static void distances_between_flights(void **state)
{
    (void)state;
    mo_run *a = flight("a.h5", 2, 0), *same = flight("same.h5", 2, 0), *b = flight("b.h5", 2.5, 1e-9);
    mo_comparison d;
    must(mo_run_compare(a, same, &d, err));
    assert_true(d.identical && d.frames == 9 && d.bodies == 1 && d.max_position == 0 && d.max_angle == 0);
    must(mo_run_compare(a, b, &d, err));
    assert_false(d.identical);
    assert_close(d.max_position, 0.5, 1e-15);
    assert_close(d.max_velocity, 0.5, 0);
    assert_close(d.velocity_graph, 0.5, 0);
    // a small angle keeps its digits
    assert_close(d.max_angle, 1e-9, 1e-16);
    mo_run_close(b);
    // angles are those of the shortest way back, whichever of the two quaternions stands for a turn
    b = flight("b.h5", 2, 5);
    must(mo_run_compare(a, b, &d, err));
    assert_close(d.max_angle, 2 * acos(-1) - 5, 1e-14);
    mo_run_close(a);
    mo_run_close(b);
    mo_run_close(same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_as_csv),
                                       cmocka_unit_test(spins_are_in_world_axes),
                                       cmocka_unit_test(contacts_as_csv),
                                       cmocka_unit_test(surfaces_are_closed),
                                       cmocka_unit_test(forces_of_contacts),
                                       cmocka_unit_test(xdmf_beside_the_run),
                                       cmocka_unit_test(distances_between_flights)};
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
