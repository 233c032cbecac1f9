/* Exports of the runs of points, and distances between two of them. */
#include "record/small_path.h"

#include "support/close.h"

#include <math.h>
#include <sys/stat.h>

static mo_run *open_run(const char *path)
{
    mo_run *run = NULL;
    must(mo_run_open(path, &run, err));
    return run;
}

static mo_run *whole_path(const char *name, const small_path *p, size_t rows)
{
    record_whole_path(in_folder(name), p, rows);
    return open_run(in_folder(name));
}

static void assert_csv(mo_run *run, mo_export_what what, size_t first, size_t count, const char *expected)
{
    const char *path = in_folder("table.csv");
    must(mo_export_csv(run, what, first, count, path, err));
    char *text = read_whole(path, NULL);
    assert_string_equal(text, expected);
    free(text);
}

/* 17 digits: a third is not 0.33333333333333331 by accident */
static void tables(void **state)
{
    (void)state;
    mo_run *run = whole_path("plane.h5", &plane, 4);
    assert_csv(run, MO_EXPORT_BODIES, 0, 4,
               "t,x1,x2,lambda1\n"
               "0,0,10,0\n"
               "0.125,0.33333333333333331,10.333333333333334,0.10000000000000001\n"
               "0.25,0.66666666666666663,10.666666666666666,0\n"
               "0.375,1,11,0.30000000000000004\n");
    assert_csv(run, MO_EXPORT_BODIES, 1, 1,
               "t,x1,x2,lambda1\n"
               "0.125,0.33333333333333331,10.333333333333334,0.10000000000000001\n");
    // gaps 2, 0, 7 from 0 are 3, 1, 8 from 1
    assert_csv(run, MO_EXPORT_CONTACTS, 0, 4,
               "t,type,size,gaps\n"
               "0,contact,1,\n"
               "0.375,release,0.25,3 1 8\n");
    assert_csv(run, MO_EXPORT_CONTACTS, 1, 2, "t,type,size,gaps\n");
    assert_csv(run, MO_EXPORT_SERIES, 0, 4,
               "t,height,\"a,b \"\"c\"\"\"\n"
               "0,0,0.5\n0.125,1,0.5\n0.25,2,0.5\n0.375,3,0.5\n");
    mo_error e = {.message = ""};
    assert_int_equal(mo_export_csv(run, MO_EXPORT_BODIES, 3, 2, in_folder("no.csv"), &e), MO_USAGE);
    mo_run_close(run);
    run = whole_path("motion.h5", &motion, 2);
    assert_csv(run, MO_EXPORT_BODIES, 0, 1,
               "t,q1,q2,q3,u1,u2,u3,lambda1,lambda2\n"
               "0,0,10,20,-0,-1,-2,0,0\n");
    mo_run_close(run);
}

/* how often a piece of text stands in a file */
static size_t occurrences(const char *path, const char *piece)
{
    char *text = read_whole(path, NULL);
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, piece)) != NULL; at++)
        count++;
    free(text);
    return count;
}

static void xdmf_files(void **state)
{
    (void)state;
    // beside the run, in the plane and in space, and for discs; it refers to the numbers of the run
    mo_run_close(whole_path("plane.h5", &plane, 5));
    assert_int_equal(occurrences(in_folder("plane.xdmf"), "plane.h5:/path/x|0 0:1 1:5 2:5 2<"), 1);
    assert_int_equal(occurrences(in_folder("plane.xdmf"), "NodesPerElement=\"5\""), 1);
    assert_int_equal(occurrences(in_folder("plane.xdmf"), ":/point_index|0:1:5:5<"), 1);
    mo_run_close(whole_path("motion.h5", &motion, 2));
    assert_int_equal(occurrences(in_folder("motion.xdmf"), "GeometryType=\"XYZ\""), 1);
    mo_run_close(whole_path("discs.h5", &discs3, 12));
    assert_int_equal(occurrences(in_folder("discs.xdmf"), "<Time "), 12);
    assert_int_equal(occurrences(in_folder("discs.xdmf"), ":/path/x|11 0:1 1:1 6:12 6<"), 1);
    assert_int_equal(occurrences(in_folder("discs.xdmf"), ":/point_index|0:1:3:3<"), 12);
    assert_int_equal(occurrences(in_folder("discs.xdmf"), ":/discs/radius|0:1:3:3<"), 12);
    // over time only when asked for
    const small_path line = {.n = 1, .m = 2}, many = {.n = 4, .m = 0}, none = {.n = 0, .m = 0};
    mo_run *run = whole_path("line.h5", &line, 4);
    assert_int_equal(access(in_folder("line.xdmf"), F_OK), -1);
    must(mo_export_xdmf(run, in_folder("line.xdmf"), err));
    assert_int_equal(occurrences(in_folder("line.xdmf"), "0.375 1\n"), 1);
    mo_run_close(run);
    const small_path *const pictureless[] = {&many, &none};
    for (size_t i = 0; i < 2; i++) {
        mo_error e = {.message = ""};
        run = whole_path("many.h5", pictureless[i], 3);
        assert_int_equal(access(in_folder("many.xdmf"), F_OK), -1);
        assert_int_equal(mo_export_xdmf(run, in_folder("many.xdmf"), &e), MO_USAGE);
        assert_int_equal(mo_export_vtk(run, 0, 3, in_folder("many"), &e), MO_USAGE);
        assert_int_equal(access(in_folder("many"), F_OK), -1);
        mo_run_close(run);
    }
}

/* a path that goes on after a kill or a stop has the points of all its rows */
static void the_index_goes_on(void **state)
{
    (void)state;
    const char *file = in_folder("index.h5");
    const mo_recorder_def def = small_path_recorder();
    const mo_path_def path = small_path_def(&plane);
    mo_recorder *rec = record_path(file, &plane, 25);
    mo_recorder_destroy(rec);
    must(mo_recorder_resume_path(file, &def, &path, &rec, err));
    put_rows(rec, &plane, 20, 33);
    must(mo_recorder_finish(rec, "ok", NULL, err));
    mo_recorder_destroy(rec);
    assert_int_equal(occurrences(in_folder("index.xdmf"), ":/point_index|0:1:33:33<"), 1);
}

static void vtk_files(void **state)
{
    (void)state;
    const small_path line = {.n = 1, .m = 2};
    mo_run *run = whole_path("plane.h5", &plane, 5);
    must(mo_export_vtk(run, 1, 3, in_folder("plane-vtk"), err));
    const char *file = in_folder("plane-vtk/path.vtu");
    assert_int_equal(occurrences(file, "NumberOfPoints=\"3\" NumberOfCells=\"1\""), 1);
    assert_int_equal(occurrences(file, "0.33333333333333331 10.333333333333334 0\n"), 1);
    assert_int_equal(occurrences(file, "Name=\"lambda\""), 1);
    mo_run_close(run);
    run = whole_path("line.h5", &line, 4);
    must(mo_export_vtk(run, 0, 4, in_folder("line-vtk"), err));
    assert_int_equal(occurrences(in_folder("line-vtk/path.vtu"), "0.375 1 0\n"), 1);
    must(mo_export_vtk(run, 0, 0, in_folder("line-vtk"), err));
    assert_int_equal(occurrences(in_folder("line-vtk/path.vtu"), "NumberOfCells=\"0\""), 1);
    mo_run_close(run);
    run = whole_path("discs.h5", &discs3, 4);
    must(mo_export_vtk(run, 0, 4, in_folder("discs-vtk"), err));
    assert_int_equal(occurrences(in_folder("discs-vtk/discs.pvd"), "<DataSet "), 4);
    assert_int_equal(occurrences(in_folder("discs-vtk/discs_000003.vtu"), "21 31 0\n"), 1);
    mo_run_close(run);
}

/* ---- distances ----------------------------------------------------------------------------------- */

/* x(t) = t on [0, 1] with a jump of 1 at `jump`, shifted by `off`, in `rows` rows; u = 1 everywhere */
static mo_run *ramp(const char *name, size_t rows, double jump, double off, bool motion_too)
{
    const mo_recorder_def def = small_path_recorder();
    mo_path_def path = {.kind = motion_too ? "system" : "sweep",
                        .method = "catching-up",
                        .h = 1 / (double)(rows - 1),
                        .coordinates = 1,
                        .velocities = motion_too};
    mo_recorder *rec = NULL;
    must(mo_recorder_create_path(in_folder(name), &def, &path, &rec, err));
    for (size_t k = 0; k < rows; k++) {
        const double t = (double)k / (double)(rows - 1), x = t + off + (t >= jump ? 1 : 0), u = 1 + off;
        const mo_path_row row = {.t = t, .step = (int64_t)k, .x = &x, .u = motion_too ? &u : NULL};
        must(mo_recorder_path_row(rec, &row, err));
    }
    must(mo_recorder_finish(rec, "ok", NULL, err));
    mo_recorder_destroy(rec);
    return open_run(in_folder(name));
}

static void distances(void **state)
{
    (void)state;
    mo_comparison c;
    // the same twice
    mo_run *a = ramp("a.h5", 101, 0.5, 0, false), *b = ramp("b.h5", 101, 0.5, 0, false);
    must(mo_run_compare(a, b, &c, err));
    assert_true(c.identical && c.max_position == 0 && c.rms_position == 0 && c.path_graph == 0);
    assert_int_equal(c.frames, 101);
    mo_run_close(b);
    // one jumps two rows later: far at two rows, near as graphs.  The foot (0.51, 0.51) of b's rise is the
    // farthest point from a, whose rise goes from (0.49, 0.49) along (0.01, 1.01)
    b = ramp("b.h5", 101, 0.52, 0, false);
    must(mo_run_compare(a, b, &c, err));
    assert_false(c.identical);
    assert_close(c.max_position, 1, 1e-15);
    assert_close(c.rms_position, sqrt(2.0 / 101), 1e-15);
    assert_close(c.final_max_position, 0, 1e-15);
    assert_close(c.path_graph, 0.02 / hypot(0.01, 1.01), 1e-14);
    mo_run_close(b);
    // half the rows, shifted: common times are all of b's; the graphs x = t and x = t + 0.125 are apart by
    // 0.125 / sqrt(2) but at the ends, where the nearest point is across in x or at the other's end
    b = ramp("b.h5", 51, 2, 0.125, false);
    mo_run_close(a);
    a = ramp("a.h5", 101, 2, 0, false);
    must(mo_run_compare(a, b, &c, err));
    assert_int_equal(c.frames, 51);
    assert_close(c.max_position, 0.125, 1e-15);
    assert_close(c.rms_position, 0.125, 1e-15);
    assert_close(c.final_max_position, 0.125, 1e-15);
    assert_close(c.path_graph, 0.125, 1e-14);
    mo_run_close(a);
    mo_run_close(b);
}

static void distances_with_velocities(void **state)
{
    (void)state;
    mo_comparison c;
    mo_run *a = ramp("a.h5", 11, 2, 0, true), *b = ramp("b.h5", 11, 2, 0.25, true);
    must(mo_run_compare(a, b, &c, err));
    assert_close(c.max_velocity, 0.25, 1e-15);
    assert_close(c.velocity_graph, 0.25, 1e-15);
    mo_run_close(b);
    // a sweep has none
    b = ramp("b.h5", 11, 2, 0.25, false);
    must(mo_run_compare(a, b, &c, err));
    assert_true(c.max_velocity == 0 && c.velocity_graph == 0 && !c.identical);
    mo_run_close(a);
    mo_run_close(b);
}

static void what_cannot_be_compared(void **state)
{
    (void)state;
    mo_comparison c;
    mo_error e = {.message = ""};
    mo_recorder *rec = NULL;
    mo_run *a = whole_path("a.h5", &plane, 3), *b = whole_path("b.h5", &motion, 3);
    assert_int_equal(mo_run_compare(a, b, &c, &e), MO_BAD_INPUT);
    assert_string_equal(e.key, "coordinates");
    mo_run_close(b);
    mo_world *world = record_small(in_folder("w.h5"), 1, 1, &rec);
    mo_recorder_destroy(rec);
    mo_world_destroy(world);
    b = open_run(in_folder("w.h5"));
    assert_int_equal(mo_run_compare(a, b, &c, &e), MO_BAD_INPUT);
    assert_non_null(strstr(e.message, "sweep"));
    assert_non_null(strstr(e.message, "world"));
    assert_int_equal(mo_run_compare(b, a, &c, &e), MO_BAD_INPUT);
    mo_run_close(a);
    mo_run_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tables),
                                       cmocka_unit_test(xdmf_files),
                                       cmocka_unit_test(the_index_goes_on),
                                       cmocka_unit_test(vtk_files),
                                       cmocka_unit_test(distances),
                                       cmocka_unit_test(distances_with_velocities),
                                       cmocka_unit_test(what_cannot_be_compared)};
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
