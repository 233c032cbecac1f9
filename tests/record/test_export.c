/* Exports: columns and numbers of the CSV files, VTK and XDMF as sound XML, distances between runs. */
#include "record/csv.h"
#include "record/exported.h"
#include "record/small_world.h"

#include "support/close.h"

#include <math.h>
#include <sys/resource.h>
#include <sys/stat.h>

static void bodies_as_csv(void **state)
{
    (void)state;
    mo_run *run = sample_run(in_folder("csv.h5"), 3, 4);
    must(mo_export_csv(run, MO_EXPORT_BODIES, 1, 2, in_folder("bodies.csv"), err));
    char *text = read_whole(in_folder("bodies.csv"), NULL), *at = text;
    assert_string_equal(next_line(&at), "t,body,x,y,angle,vx,vy,spin");
    for (size_t k = 1; k < 3; k++) {
        mo_frame f;
        must(mo_run_frame(run, k, &f, err));
        for (size_t i = 0; i < f.body_count; i++) {
            double v[8];
            char rest;
            assert_int_equal(sscanf(next_line(&at), "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf%c", &v[0], &v[1], &v[2],
                                    &v[3], &v[4], &v[5], &v[6], &v[7], &rest),
                             8);
            assert_true(v[0] == f.time && v[1] == f.id[i]);
            assert_true(v[2] == f.q[3 * i] && v[3] == f.q[3 * i + 1] && v[4] == f.q[3 * i + 2]);
            assert_true(v[5] == f.u[3 * i] && v[6] == f.u[3 * i + 1] && v[7] == f.u[3 * i + 2]);
        }
        mo_frame_free(&f);
    }
    assert_string_equal(at, "");
    free(text);
    mo_run_close(run);
}

/* whatever its sign, a number that is none is the same word, which float() of Python and other readers take
 */
static void what_is_no_number_as_csv(void **state)
{
    (void)state;
    const mo_recorder_def def = small_def();
    const double values[][2] = {{copysign(NAN, -1), NAN}, {-INFINITY, INFINITY}, {-0.0, 0.1}};
    mo_recorder *rec = NULL;
    mo_world *world = small_world(0);
    must(mo_recorder_create(in_folder("none.h5"), &def, world, &rec, err));
    for (size_t k = 0; k < 3; k++)
        must(mo_recorder_series(rec, world, values[k], err));
    frame_with_state(world, rec);
    mo_recorder_destroy(rec);
    mo_world_destroy(world);
    mo_run *run = NULL;
    must(mo_run_open(in_folder("none.h5"), &run, err));
    must(mo_export_csv(run, MO_EXPORT_SERIES, 0, 1, in_folder("none.csv"), err));
    char *text = read_whole(in_folder("none.csv"), NULL), *at = text;
    next_line(&at);
    assert_string_equal(next_line(&at), "0,nan,nan");
    assert_string_equal(next_line(&at), "0,-inf,inf");
    // 0.1 to 17 digits: the double next to it is 0.1000000000000000055...
    assert_string_equal(next_line(&at), "0,-0,0.10000000000000001");
    assert_string_equal(at, "");
    free(text);
    mo_run_close(run);
}

/* a body that keeps its origin turns about its centre of mass: the origin's place is told */
static void origins_as_csv(void **state)
{
    (void)state;
    static const double square[] = {0, 0, 1, 0, 1, 1, 0, 1};
    const mo_world_def world_def = mo_default_world_def();
    mo_world *world = NULL;
    must(mo_world_create(&world_def, &world, err));
    mo_body_def def = mo_default_body_def();
    def.shape = (mo_shape_def){.kind = MO_SHAPE_POLYGON, .points = square, .point_count = 4};
    def.keep_origin = true;
    def.density = 1;
    def.position[0] = 3;
    def.angle = 0.7;
    mo_body body;
    must(mo_body_create(world, &def, &body, err));
    mo_recorder *rec = NULL;
    const mo_recorder_def rec_def = {.scene_name = "origin"};
    must(mo_recorder_create(in_folder("origin.h5"), &rec_def, world, &rec, err));
    must(mo_recorder_frame(rec, world, NULL, err));
    mo_recorder_destroy(rec);
    mo_world_destroy(world);
    mo_run *run = NULL;
    must(mo_run_open(in_folder("origin.h5"), &run, err));
    must(mo_export_csv(run, MO_EXPORT_BODIES, 0, 1, in_folder("origin.csv"), err));
    char *text = read_whole(in_folder("origin.csv"), NULL), *at = text;
    next_line(&at);
    double x, y, angle;
    assert_int_equal(sscanf(next_line(&at), "%*f,%*f,%lf,%lf,%lf", &x, &y, &angle), 3);
    // two rotations of numbers of size 3: a few roundings
    assert_close(x, 3, 1e-14);
    assert_close(y, 0, 1e-14);
    assert_close(angle, 0.7, 0);
    free(text);
    mo_run_close(run);
}

static void contacts_as_csv(void **state)
{
    (void)state;
    mo_run *run = sample_run(in_folder("contacts.h5"), 60, 20);
    must(mo_export_csv(run, MO_EXPORT_CONTACTS, 0, 20, in_folder("contacts.csv"), err));
    char *text = read_whole(in_folder("contacts.csv"), NULL), *at = text;
    assert_string_equal(next_line(&at), "t,body1,body2,px,py,nx,ny,tx,ty,gap,impulse_n,impulse_t1,status");
    static const char *const words[] = {"open", "stick", "slide"};
    size_t rows = 0;
    for (size_t k = 0; k < 20; k++) {
        mo_frame f;
        must(mo_run_frame(run, k, &f, err));
        for (size_t i = 0; i < f.contact_count; i++, rows++) {
            double v[12];
            char word[8];
            assert_int_equal(sscanf(next_line(&at), "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%7s",
                                    &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7], &v[8], &v[9],
                                    &v[10], &v[11], word),
                             13);
            assert_true(v[0] == f.time && v[1] == f.id1[i] && v[2] == f.id2[i]);
            assert_true(v[3] == f.point[2 * i] && v[4] == f.point[2 * i + 1]);
            assert_true(v[5] == f.normal[2 * i] && v[6] == f.normal[2 * i + 1]);
            // the tangent is the normal turned by +90 degrees
            assert_true(v[7] == -f.normal[2 * i + 1] && v[8] == f.normal[2 * i]);
            assert_true(v[9] == f.gap[i] && v[10] == f.impulse[2 * i] && v[11] == f.impulse[2 * i + 1]);
            assert_string_equal(word, words[f.status[i]]);
        }
        mo_frame_free(&f);
    }
    assert_true(rows > 0);
    assert_string_equal(at, "");
    free(text);
    mo_run_close(run);
}

static void series_as_csv(void **state)
{
    (void)state;
    mo_run *run = sample_run(in_folder("rows.h5"), 2, 3);
    must(mo_export_csv(run, MO_EXPORT_SERIES, 0, 3, in_folder("series.csv"), err));
    must(csv_energies(run, in_folder("energy.csv"), err));
    char *text = read_whole(in_folder("series.csv"), NULL), *at = text;
    char *energies = read_whole(in_folder("energy.csv"), NULL), *next = energies;
    // t and the observed columns, nothing else; the energies have a table of their own
    assert_string_equal(next_line(&at), "t,height,\"a,b \"\"c\"\"\"");
    assert_string_equal(next_line(&next), "t,kinetic,potential,work_external,dissipated_friction,"
                                          "dissipated_impact,balance_error");
    const double *t, *values;
    must(mo_run_series(run, &t, &values, err));
    for (size_t k = 0; k < 3; k++) {
        double v[8], times[2];
        assert_int_equal(sscanf(next_line(&next), "%lf,%lf,%lf,%lf,%lf,%lf,%lf", &times[0], &v[0], &v[1],
                                &v[2], &v[3], &v[4], &v[5]),
                         7);
        assert_int_equal(sscanf(next_line(&at), "%lf,%lf,%lf", &times[1], &v[6], &v[7]), 3);
        assert_true(times[0] == t[k] && times[1] == t[k]);
        assert_memory_equal(v, values + 8 * k, sizeof v);
    }
    assert_string_equal(at, "");
    assert_string_equal(next, "");
    free(text);
    free(energies);
    mo_run_close(run);
}

static void bad_exports_are_refused(void **state)
{
    (void)state;
    mo_run *run = sample_run(in_folder("bad.h5"), 2, 3);
    mo_error e = {.message = ""};
    assert_int_equal(mo_export_csv(run, MO_EXPORT_BODIES, 2, 2, in_folder("x.csv"), &e), MO_USAGE);
    assert_int_equal(mo_export_csv(run, MO_EXPORT_BODIES, SIZE_MAX, 2, in_folder("x.csv"), &e), MO_USAGE);
    assert_int_equal(mo_export_vtk(run, 0, 4, in_folder("x"), &e), MO_USAGE);
    assert_int_equal(mo_export_csv(run, MO_EXPORT_BODIES, 0, 3, in_folder("no/x.csv"), &e), MO_IO);
    assert_int_equal(mo_export_xdmf(run, in_folder("no/x.xdmf"), &e), MO_IO);
    assert_int_equal(mo_export_vtk(run, 0, 3, in_folder("no/x"), &e), MO_IO);
    // a device that is always full
    assert_int_equal(mo_export_csv(run, MO_EXPORT_BODIES, 0, 3, "/dev/full", &e), MO_IO);
    assert_int_equal(mo_export_csv(run, MO_EXPORT_SERIES, 0, 3, "/dev/full", &e), MO_IO);
    assert_int_equal(mo_export_xdmf(run, "/dev/full", &e), MO_IO);
    mo_run_close(run);
}

/* ---- XML ------------------------------------------------------------------------------------- */

static void vtk_files(void **state)
{
    (void)state;
    mo_run *run = sample_run(in_folder("vtk.h5"), 3, 3);
    must(mo_export_vtk(run, 1, 2, in_folder("vtk"), err));
    char *list = read_whole(in_folder("vtk/bodies.pvd"), NULL);
    assert_int_equal(count_of(list, "<DataSet "), 2);
    assert_non_null(strstr(list, "bodies_000001.vtu"));
    free(list);
    assert_xml(in_folder("vtk/bodies.pvd"));
    assert_xml(in_folder("vtk/contacts.pvd"));
    assert_xml(in_folder("vtk/bodies_000002.vtu"));
    assert_xml(in_folder("vtk/contacts_000002.vtu"));
    struct stat st;
    assert_int_not_equal(stat(in_folder("vtk/bodies_000000.vtu"), &st), 0);
    // segment, chain of two, box, triangle, two discs of the compound, three discs; no half-plane
    char *text = read_whole(in_folder("vtk/bodies_000001.vtu"), NULL);
    assert_non_null(strstr(text, "NumberOfPoints=\"173\" NumberOfCells=\"10\""));
    free(text);
    mo_run_close(run);
}

static void xdmf_beside_the_run(void **state)
{
    (void)state;
    mo_run *run = sample_run(in_folder("xdmf.h5"), 130, 3);
    // written by the recorder at the end, and the same again on demand
    char *text = read_whole(in_folder("xdmf.xdmf"), NULL);
    must(mo_export_xdmf(run, in_folder("again.xdmf"), err));
    char *again = read_whole(in_folder("again.xdmf"), NULL);
    assert_string_equal(text, again);
    assert_xml(in_folder("xdmf.xdmf"));
    assert_int_equal(count_of(text, "CollectionType=\"Temporal\""), 2);
    assert_int_equal(count_of(text, "<Grid Name=\"bodies\" GridType=\"Uniform\""), 3);
    assert_non_null(strstr(text, ">xdmf.h5:/frame_bodies/q|0 0:1 1:136 2:"));
    // 136 bodies, each frame at a chunk of its own
    assert_non_null(strstr(text, "/frame_bodies/q|136 0:1 1:136 2:"));
    free(text);
    free(again);
    mo_run_close(run);
}

/* ---- comparison ---------------------------------------------------------------------------------- */

/* one free body at a given speed, no forces: x = speed t */
static mo_run *flight(const char *name, double speed, double x, int every, int steps)
{
    mo_world_def world_def = mo_default_world_def();
    world_def.h = 0.125;
    mo_world *world = NULL;
    must(mo_world_create(&world_def, &world, err));
    mo_body_def def = mo_default_body_def();
    def.shape = (mo_shape_def){.kind = MO_SHAPE_DISC, .radius = 0.5};
    def.density = 1;
    def.position[0] = x;
    def.velocity[0] = speed;
    mo_body body;
    must(mo_body_create(world, &def, &body, err));
    mo_recorder *rec = NULL;
    const mo_recorder_def rec_def = {.scene_name = "flight", .t_end = 1, .every = 0.125};
    must(mo_recorder_create(in_folder(name), &rec_def, world, &rec, err));
    for (int i = 0; i <= steps; i++) {
        if (i > 0)
            must(mo_world_step(world, err));
        if (i % every == 0)
            must(mo_recorder_frame(rec, world, NULL, err));
    }
    mo_recorder_destroy(rec);
    mo_world_destroy(world);
    mo_run *run = NULL;
    must(mo_run_open(in_folder(name), &run, err));
    return run;
}

static void distances_between_flights(void **state)
{
    (void)state;
    mo_run *a = flight("a.h5", 2, 0, 1, 8), *b = flight("b.h5", 2.5, 0.25, 1, 8),
           *c = flight("c.h5", 2, 0, 2, 8);
    mo_run *same = flight("same.h5", 2, 0, 1, 8);
    mo_comparison d;
    must(mo_run_compare(a, same, &d, err));
    assert_true(d.identical && d.frames == 9 && d.bodies == 1 && d.max_position == 0 &&
                d.velocity_graph == 0);
    // x differs by 0.25 + 0.5 t, all numbers exact in binary
    must(mo_run_compare(a, b, &d, err));
    assert_false(d.identical);
    assert_int_equal(d.frames, 9);
    assert_close(d.max_position, 0.75, 0);
    assert_close(d.final_max_position, 0.75, 0);
    double sum = 0;
    for (int k = 0; k <= 8; k++)
        sum += (0.25 + k / 16.0) * (0.25 + k / 16.0);
    assert_close(d.rms_position, sqrt(sum / 9), 1e-15);
    assert_close(d.max_velocity, 0.5, 0);
    assert_close(d.velocity_graph, 0.5, 0);
    assert_close(d.max_angle, 0, 0);
    // every second frame: the common ones agree, but it is not the same run
    must(mo_run_compare(a, c, &d, err));
    assert_true(!d.identical && d.frames == 5 && d.max_position == 0 && d.velocity_graph == 0);
    mo_run_close(a);
    mo_run_close(b);
    mo_run_close(c);
    mo_run_close(same);
}

/* a body pushed at step `jump`: its velocity goes from 0 to 1 between two frames */
static mo_run *pushed(const char *name, int jump, int every)
{
    mo_world_def world_def = mo_default_world_def();
    world_def.h = 0.125;
    mo_world *world = NULL;
    must(mo_world_create(&world_def, &world, err));
    mo_body_def def = mo_default_body_def();
    def.shape = (mo_shape_def){.kind = MO_SHAPE_DISC, .radius = 0.5};
    def.density = 1;
    mo_body body;
    must(mo_body_create(world, &def, &body, err));
    mo_recorder *rec = NULL;
    const mo_recorder_def rec_def = {.scene_name = "pushed"};
    must(mo_recorder_create(in_folder(name), &rec_def, world, &rec, err));
    for (int i = 0; i <= 16; i++) {
        if (i == jump) {
            mo_body_state s;
            must(mo_body_get(world, body, &s, err));
            s.velocity[0] = 1;
            must(mo_body_set(world, body, &s, err));
        }
        if (i > 0)
            must(mo_world_step(world, err));
        if (i % every == 0)
            must(mo_recorder_frame(rec, world, NULL, err));
    }
    mo_recorder_destroy(rec);
    mo_world_destroy(world);
    mo_run *run = NULL;
    must(mo_run_open(in_folder(name), &run, err));
    return run;
}

/* the same jump one step later: velocities differ by the whole jump, their graphs by little */
static void a_late_jump_is_near_in_graph(void **state)
{
    (void)state;
    mo_run *a = pushed("early.h5", 8, 1), *b = pushed("late.h5", 9, 1), *c = pushed("seldom.h5", 8, 3);
    mo_comparison d;
    must(mo_run_compare(a, b, &d, err));
    assert_close(d.max_velocity, 1, 0);
    // corner (1, 1) to the segment from (1, 0) to (1.125, 1): 0.125 / sqrt(1 + 0.125^2)
    assert_close(d.velocity_graph, 0.125 / sqrt(1 + 0.015625), 1e-15);
    // the same run with fewer frames: those in between have nothing to be compared with
    must(mo_run_compare(a, c, &d, err));
    assert_true(d.frames == 6 && d.velocity_graph == 0);
    mo_run_close(c);
    mo_run_close(a);
    mo_run_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_as_csv),
                                       cmocka_unit_test(what_is_no_number_as_csv),
                                       cmocka_unit_test(origins_as_csv),
                                       cmocka_unit_test(contacts_as_csv),
                                       cmocka_unit_test(series_as_csv),
                                       cmocka_unit_test(bad_exports_are_refused),
                                       cmocka_unit_test(vtk_files),
                                       cmocka_unit_test(xdmf_beside_the_run),
                                       cmocka_unit_test(distances_between_flights),
                                       cmocka_unit_test(a_late_jump_is_near_in_graph)};
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
