/* Runs of points: what was recorded comes back, to the last bit; what counts, what is refused, going on. */
#include "record/small_path.h"

#include <hdf5.h>
#include <math.h>
#include <time.h>

static mo_run *open_run(const char *path)
{
    mo_run *run = NULL;
    must(mo_run_open(path, &run, err));
    return run;
}

static void what_was_recorded_comes_back(void **state)
{
    (void)state;
    const small_path *const paths[] = {&plane, &discs3, &motion};
    for (size_t i = 0; i < 3; i++) {
        const small_path *p = paths[i];
        record_whole_path(in_folder("whole.h5"), p, 37);
        mo_run *run = open_run(in_folder("whole.h5"));
        const mo_run_info *info = mo_run_info_get(run);
        assert_string_equal(info->kind, p->velocities ? "system" : "sweep");
        assert_string_equal(info->solver, p->velocities ? "moreau" : "catching-up");
        assert_string_equal(info->status, "ok");
        assert_string_equal(info->report_json, "{\"length\": 2}");
        assert_string_equal(info->plots_json, "[]");
        assert_string_equal(info->scene_text, "sweep { }\n");
        assert_string_equal(info->series[1], "a,b \"c\"");
        assert_true(info->is_path && info->velocities == p->velocities && info->seed == UINT64_MAX);
        assert_int_equal(info->coordinates, p->n);
        assert_int_equal(info->multipliers, p->m);
        assert_int_equal(info->dim, p->n < 3 ? p->n : 3);
        assert_true(info->h == 0.125 && info->time == 36 * 0.125 && info->steps == 36);
        assert_int_equal(info->body_count, 0);
        assert_path(run, p, 37);
        assert_checkpoint_after(run, 29);
        // asked for again, the same
        assert_path(run, p, 37);
        mo_run_close(run);
    }
}

/* a column of width 0 is not in the file; everything else is as ever */
static void nothing_in_a_row(void **state)
{
    (void)state;
    const small_path paths[] = {{.n = 1, .m = 0}, {.n = 0, .m = 0}, {.n = 0, .m = 2}};
    for (size_t i = 0; i < 3; i++) {
        record_whole_path(in_folder("empty.h5"), &paths[i], 12);
        mo_run *run = open_run(in_folder("empty.h5"));
        assert_path(run, &paths[i], 12);
        assert_int_equal(mo_run_info_get(run)->dim, paths[i].n);
        mo_run_close(run);
    }
    // no observed columns: the series still has its times
    mo_recorder_def def = small_path_recorder();
    def.series_count = 0;
    const mo_path_def path = small_path_def(&plane);
    mo_recorder *rec = NULL;
    must(mo_recorder_create_path(in_folder("empty.h5"), &def, &path, &rec, err));
    must(mo_recorder_path_series(rec, 0.25, NULL, err));
    must(mo_recorder_finish(rec, "ok", NULL, err));
    mo_recorder_destroy(rec);
    mo_run *run = open_run(in_folder("empty.h5"));
    const double *t, *values;
    must(mo_run_series(run, &t, &values, err));
    assert_int_equal(mo_run_info_get(run)->series_count, 0);
    assert_int_equal(mo_run_info_get(run)->series_rows, 1);
    assert_true(t[0] == 0.25);
    // nothing of a path was recorded
    assert_path_rows(run, &plane, 0);
    mo_checkpoint c;
    must(mo_run_checkpoint(run, &c, err));
    assert_true(c.state == NULL && c.state_size == 0 && c.step == 0);
    mo_run_close(run);
}

static void rows_count_up_to_the_last_checkpoint(void **state)
{
    (void)state;
    const char *file = in_folder("open.h5");
    mo_recorder *rec = record_path(file, &discs3, 25);
    mo_run *run = open_run(file);
    assert_string_equal(mo_run_info_get(run)->status, "unfinished");
    assert_path(run, &discs3, 20);
    assert_checkpoint_after(run, 19);
    mo_run_close(run);
    // destroyed without an end: what was kept in memory is lost, what was safe is there
    mo_recorder_destroy(rec);
    run = open_run(file);
    assert_path(run, &discs3, 20);
    mo_run_close(run);
}

/* resuming cuts off what follows the last checkpoint, also of a finished run */
static void going_on_makes_the_same_file(void **state)
{
    (void)state;
    const small_path *const paths[] = {&plane, &discs3, &motion};
    const mo_recorder_def def = small_path_recorder();
    for (size_t i = 0; i < 3; i++)
        for (int finished = 0; finished < 2; finished++) {
            const char *file = in_folder("resumed.h5");
            const mo_path_def path = small_path_def(paths[i]);
            mo_recorder *rec = record_path(file, paths[i], 25);
            put_outline(rec, 1);
            if (finished) {
                must(mo_recorder_plots(rec, "[{}]", err));
                must(mo_recorder_finish(rec, "interrupted", "{}", err));
            }
            mo_recorder_destroy(rec);
            must(mo_recorder_resume_path(file, &def, &path, &rec, err));
            mo_run *run = open_run(file);
            assert_path(run, paths[i], 20);
            assert_checkpoint_after(run, 19);
            assert_string_equal(mo_run_info_get(run)->status, "unfinished");
            mo_run_close(run);
            put_rows(rec, paths[i], 20, 47);
            put_checkpoint(rec, 46);
            must(mo_recorder_finish(rec, "ok", NULL, err));
            mo_recorder_destroy(rec);
            run = open_run(file);
            assert_path(run, paths[i], 47);
            assert_checkpoint_after(run, 46);
            assert_string_equal(mo_run_info_get(run)->plots_json, "[]");
            mo_run_outlines outlines;
            must(mo_run_outlines_get(run, &outlines, err));
            assert_int_equal(outlines.count, 0);
            mo_run_close(run);
        }
}

static void a_run_without_checkpoint_starts_anew(void **state)
{
    (void)state;
    const char *file = in_folder("none.h5");
    const mo_recorder_def def = small_path_recorder();
    const mo_path_def path = small_path_def(&discs3);
    mo_recorder *rec = record_path(file, &discs3, 5);
    mo_recorder_destroy(rec);
    must(mo_recorder_resume_path(file, &def, &path, &rec, err));
    put_rows(rec, &discs3, 0, 8);
    must(mo_recorder_finish(rec, "ok", NULL, err));
    mo_recorder_destroy(rec);
    mo_run *run = open_run(file);
    assert_path(run, &discs3, 8);
    mo_run_close(run);
}

static void resume_refused(const char *file, const mo_recorder_def *def, const mo_path_def *path,
                           const char *key)
{
    mo_recorder *rec = NULL;
    mo_error e = {.message = ""};
    assert_int_equal(mo_recorder_resume_path(file, def, path, &rec, &e), MO_BAD_INPUT);
    assert_null(rec);
    assert_string_equal(e.key, key);
}

static void another_scene_cannot_go_on(void **state)
{
    (void)state;
    const char *file = in_folder("mine.h5");
    const double other_radius[] = {0.5, 0.25, 0.126};
    record_whole_path(file, &discs3, 12);
    const mo_recorder_def def = small_path_recorder();
    const mo_path_def same = small_path_def(&discs3);
    mo_path_def path = same;
    path.h = 0.25;
    resume_refused(file, &def, &path, "h");
    path = same;
    path.method = "theta";
    resume_refused(file, &def, &path, "method");
    path = same;
    path.kind = "system";
    resume_refused(file, &def, &path, "kind");
    path = same;
    path.multipliers = 4;
    resume_refused(file, &def, &path, "coordinates");
    path = same;
    path.velocities = true;
    resume_refused(file, &def, &path, "coordinates");
    path = same;
    path.radius = other_radius;
    resume_refused(file, &def, &path, "discs");
    path = same;
    path.wall_count = 1;
    resume_refused(file, &def, &path, "discs");
    mo_recorder_def fewer = def;
    fewer.series_count = 1;
    resume_refused(file, &fewer, &same, "series");
    // a world is something else, and a path is no world
    mo_world *world = small_world(1);
    mo_recorder *rec = NULL;
    mo_error e = {.message = ""};
    assert_int_equal(mo_recorder_resume(file, &def, world, &rec, &e), MO_BAD_INPUT);
    assert_string_equal(e.key, "kind");
    must(mo_recorder_create(in_folder("world.h5"), &def, world, &rec, err));
    mo_recorder_destroy(rec);
    resume_refused(in_folder("world.h5"), &def, &same, "kind");
    mo_world_destroy(world);
    // nothing of this has touched the file
    mo_run *run = open_run(file);
    assert_path(run, &discs3, 12);
    mo_run_close(run);
}

static void create_refused(const mo_path_def *path, const char *key)
{
    const mo_recorder_def def = small_path_recorder();
    mo_recorder *rec = NULL;
    mo_error e = {.message = ""};
    assert_int_equal(mo_recorder_create_path(in_folder("no.h5"), &def, path, &rec, &e), MO_BAD_INPUT);
    assert_null(rec);
    assert_string_equal(e.key, key);
    assert_int_equal(access(in_folder("no.h5"), F_OK), -1);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    const double bad_radius[] = {1, 0, 1}, bad_walls[] = {0, 0, 1, HUGE_VAL};
    const mo_path_def same = small_path_def(&discs3);
    mo_path_def path = same;
    path.kind = "world";
    create_refused(&path, "kind");
    path = same;
    path.h = 0;
    create_refused(&path, "h");
    path = same;
    path.coordinates = 5;
    create_refused(&path, "coordinates");
    path = same;
    path.disc_count = 0;
    create_refused(&path, "walls");
    path = same;
    path.radius = bad_radius;
    create_refused(&path, "radius");
    path = same;
    path.walls = bad_walls;
    path.wall_count = 1;
    create_refused(&path, "walls");
    path = small_path_def(&plane);
    path.coordinates = 65537;
    create_refused(&path, "coordinates");
}

static void row_refused(mo_recorder *rec, const mo_path_row *row, const char *key)
{
    mo_error e = {.message = ""};
    assert_int_equal(mo_recorder_path_row(rec, row, &e), MO_BAD_INPUT);
    assert_string_equal(e.key, key);
}

/* what is refused leaves no trace, and the run goes on */
static void wrong_rows_are_refused(void **state)
{
    (void)state;
    const char *file = in_folder("rows.h5");
    mo_recorder *rec = record_path(file, &discs3, 5);
    mo_error e = {.message = ""};
    const double x[6] = {0}, lambda[3] = {0};
    const mo_path_row good = {.t = 1, .step = 5, .x = x, .lambda = lambda, .hold_count = 1, .hold_lambda = x};
    const uint32_t pairs[][2] = {{3, 0}, {0, 5}, {1, 1}};
    for (size_t i = 0; i < 3; i++) {
        mo_path_row row = good;
        row.hold_pair = pairs[i];
        row_refused(rec, &row, "holds");
    }
    mo_path_row row = good;
    row.hold_count = 0;
    row.t = 0.49;
    row_refused(rec, &row, "t");
    row.t = HUGE_VAL;
    row_refused(rec, &row, "t");
    mo_path_event event = {.t = 1, .type = "collision"};
    assert_int_equal(mo_recorder_path_event(rec, &event, &e), MO_BAD_INPUT);
    assert_string_equal(e.key, "type");
    event.type = NULL;
    assert_int_equal(mo_recorder_path_event(rec, &event, &e), MO_BAD_INPUT);
    const size_t far = SIZE_MAX;
    event = (mo_path_event){.t = 1, .type = "jump", .gap_count = 1, .gaps = &far};
    assert_int_equal(mo_recorder_path_event(rec, &event, &e), MO_BAD_INPUT);
    assert_string_equal(e.key, "gaps");
    const mo_checkpoint never = {.t = HUGE_VAL};
    assert_int_equal(mo_recorder_checkpoint(rec, &never, &e), MO_BAD_INPUT);
    assert_int_equal(mo_recorder_plots(rec, "{\"not\": \"an array\"}", &e), MO_BAD_INPUT);
    assert_int_equal(mo_recorder_plots(rec, "[", &e), MO_BAD_INPUT);
    put_rows(rec, &discs3, 5, 9);
    // what printf makes of a number that is none is no JSON
    static const char *const reports[] = {"{\"x\": nan}", "[]", "", "{} {}"};
    for (size_t k = 0; k < sizeof reports / sizeof *reports; k++) {
        assert_int_equal(mo_recorder_finish(rec, "ok", reports[k], &e), MO_BAD_INPUT);
        assert_string_equal(e.key, "report");
    }
    must(mo_recorder_finish(rec, "ok", NULL, err));
    mo_recorder_destroy(rec);
    mo_run *run = open_run(file);
    assert_path(run, &discs3, 9);
    mo_run_close(run);
}

/* the end stands once, whatever is said after it */
static void nothing_follows_the_end(void **state)
{
    (void)state;
    const char *file = in_folder("ended.h5");
    const double x[2] = {0};
    const mo_path_row row = {.t = 9, .x = x, .lambda = x, .u = x};
    const mo_path_event event = {.t = 9, .type = "jump"};
    const mo_checkpoint checkpoint = {.t = 9};
    mo_error e;
    mo_recorder *rec = record_path(file, &plane, 12);
    must(mo_recorder_finish(rec, "ok", "{\"length\": 2}", err));
    assert_int_equal(mo_recorder_finish(rec, "again", "{}", &e), MO_USAGE);
    assert_int_equal(mo_recorder_path_row(rec, &row, &e), MO_USAGE);
    assert_int_equal(mo_recorder_path_series(rec, 9, x, &e), MO_USAGE);
    assert_int_equal(mo_recorder_path_event(rec, &event, &e), MO_USAGE);
    assert_int_equal(mo_recorder_checkpoint(rec, &checkpoint, &e), MO_USAGE);
    assert_int_equal(mo_recorder_outline(rec, 9, x, 1, &e), MO_USAGE);
    mo_recorder_destroy(rec);
    mo_run *run = open_run(file);
    assert_string_equal(mo_run_info_get(run)->status, "ok");
    assert_string_equal(mo_run_info_get(run)->report_json, "{\"length\": 2}");
    assert_path(run, &plane, 12);
    mo_run_close(run);
}

static void outlines_and_plots(void **state)
{
    (void)state;
    const char *file = in_folder("lines.h5"), *plots = "[{\"title\": \"\xc3\xa9\"}, {}]";
    mo_recorder *rec = record_path(file, &plane, 3);
    for (size_t k = 0; k < 7; k++)
        put_outline(rec, k);
    must(mo_recorder_outline(rec, 9, NULL, 0, err));
    must(mo_recorder_plots(rec, plots, err));
    mo_run *run = open_run(file);
    mo_run_outlines lines;
    must(mo_run_outlines_get(run, &lines, err));
    // neither a checkpoint nor an end vouches for them yet
    assert_int_equal(lines.count, 0);
    assert_string_equal(mo_run_info_get(run)->plots_json, "[]");
    mo_run_close(run);
    must(mo_recorder_finish(rec, "ok", NULL, err));
    mo_recorder_destroy(rec);
    run = open_run(file);
    must(mo_run_outlines_get(run, &lines, err));
    assert_int_equal(lines.count, 8);
    for (size_t k = 0; k < 7; k++) {
        assert_true(lines.t[k] == 0.125 * (double)k && lines.first[k + 1] - lines.first[k] == 1 + k % 3);
        assert_true(lines.points[2 * lines.first[k]] == (double)k);
    }
    assert_int_equal(lines.first[8], lines.first[7]);
    assert_string_equal(mo_run_info_get(run)->plots_json, plots);
    mo_run_close(run);
}

/* plots of a world; and a file from before there were any, nor folders of scenes */
static void worlds_have_plots_too(void **state)
{
    (void)state;
    const char *file = in_folder("plots.h5");
    mo_recorder *rec = NULL;
    mo_world *world = record_small(file, 3, 2, &rec);
    must(mo_recorder_plots(rec, "[{\"title\": \"a\"}]", err));
    must(mo_recorder_finish(rec, "ok", NULL, err));
    mo_recorder_destroy(rec);
    mo_run *run = open_run(file);
    assert_string_equal(mo_run_info_get(run)->plots_json, "[{\"title\": \"a\"}]");
    mo_run_close(run);
    hid_t id = H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(id >= 0 && H5Ldelete(id, "/end/plots", H5P_DEFAULT) >= 0 &&
                H5Ldelete(id, "/scene/folder", H5P_DEFAULT) >= 0);
    H5Fclose(id);
    run = open_run(file);
    assert_string_equal(mo_run_info_get(run)->plots_json, "[]");
    assert_string_equal(mo_run_info_get(run)->scene_folder, "");
    assert_string_equal(mo_run_info_get(run)->status, "ok");
    assert_frame_is_world(run, 1, world);
    mo_run_close(run);
    // and it goes on, with the new dataset
    const mo_recorder_def def = small_def();
    must(mo_recorder_resume(file, &def, world, &rec, err));
    must(mo_recorder_plots(rec, "[1]", err));
    must(mo_recorder_finish(rec, "ok", NULL, err));
    mo_recorder_destroy(rec);
    run = open_run(file);
    assert_int_equal(mo_run_info_get(run)->frames, 2);
    assert_string_equal(mo_run_info_get(run)->plots_json, "[1]");
    assert_string_equal(mo_run_info_get(run)->scene_folder, def.scene_folder);
    mo_run_close(run);
    mo_world_destroy(world);
}

/* functions for worlds and for paths say so when they get the other */
static void the_wrong_kind_of_run(void **state)
{
    (void)state;
    mo_error e = {.message = ""};
    mo_recorder *rec = NULL;
    record_whole_path(in_folder("kind.h5"), &plane, 3);
    mo_run *run = open_run(in_folder("kind.h5"));
    mo_frame f;
    assert_int_equal(mo_run_frame(run, 0, &f, &e), MO_BAD_INPUT);
    mo_run_steps steps;
    must(mo_run_steps_get(run, &steps, err));
    assert_int_equal(steps.count, 0);
    mo_run_close(run);
    mo_world *world = record_small(in_folder("kind.h5"), 1, 1, &rec);
    mo_recorder_destroy(rec);
    mo_world_destroy(world);
    run = open_run(in_folder("kind.h5"));
    mo_run_path path;
    mo_run_events events;
    mo_run_outlines outlines;
    mo_checkpoint c;
    assert_int_equal(mo_run_path_get(run, &path, &e), MO_BAD_INPUT);
    assert_int_equal(mo_run_events_get(run, &events, &e), MO_BAD_INPUT);
    assert_int_equal(mo_run_outlines_get(run, &outlines, &e), MO_BAD_INPUT);
    assert_int_equal(mo_run_checkpoint(run, &c, &e), MO_BAD_INPUT);
    mo_run_close(run);
}

/* by bytes, and by time: no checkpoint is due at once, one is after half a second */
static void when_a_checkpoint_is_due(void **state)
{
    (void)state;
    const mo_recorder_def def = small_path_recorder();
    const mo_path_def path = {.kind = "sweep", .method = "", .h = 1, .coordinates = 60000};
    mo_recorder *rec = NULL;
    double *x = calloc(60000, sizeof *x);
    assert_non_null(x);
    must(mo_recorder_create_path(in_folder("due.h5"), &def, &path, &rec, err));
    size_t rows = 0;
    while (!mo_recorder_checkpoint_due(rec) && rows < 100) {
        const mo_path_row row = {.t = (double)rows, .x = x};
        must(mo_recorder_path_row(rec, &row, err));
        rows++;
    }
    // 480 kB a row: some megabytes
    assert_in_range(rows, 2, 40);
    put_checkpoint(rec, 1);
    assert_false(mo_recorder_checkpoint_due(rec));
    const struct timespec wait = {0, 510000000};
    nanosleep(&wait, NULL);
    assert_true(mo_recorder_checkpoint_due(rec));
    mo_recorder_destroy(rec);
    mo_run *run = open_run(in_folder("due.h5"));
    assert_int_equal(mo_run_info_get(run)->frames, rows);
    mo_run_close(run);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_was_recorded_comes_back),
                                       cmocka_unit_test(nothing_in_a_row),
                                       cmocka_unit_test(rows_count_up_to_the_last_checkpoint),
                                       cmocka_unit_test(going_on_makes_the_same_file),
                                       cmocka_unit_test(a_run_without_checkpoint_starts_anew),
                                       cmocka_unit_test(another_scene_cannot_go_on),
                                       cmocka_unit_test(what_makes_no_sense_is_refused),
                                       cmocka_unit_test(wrong_rows_are_refused),
                                       cmocka_unit_test(nothing_follows_the_end),
                                       cmocka_unit_test(outlines_and_plots),
                                       cmocka_unit_test(worlds_have_plots_too),
                                       cmocka_unit_test(the_wrong_kind_of_run),
                                       cmocka_unit_test(when_a_checkpoint_is_due)};
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
