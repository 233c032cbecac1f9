/* Run files: what was written is read back, resumed, refused and replaced as it should. */
#include "record/small_world.h"

#include <hdf5.h>

#include "support/close.h"

#include <math.h>
#include <sys/stat.h>

static void bodies_match(const mo_run *run, const mo_world *world)
{
    const mo_bodies b = mo_world_bodies(world);
    const mo_body_raw *table = mo_run_bodies(run);
    for (size_t slot = 0; slot < b.count; slot++) {
        mo_body_raw raw;
        mo_body_raw_get(world, slot, &raw);
        const size_t row = mo_run_body_row(run, raw.id);
        assert_true(row < mo_run_info_get(run)->body_count);
        const mo_body_raw *r = &table[row];
        assert_int_equal(r->id, raw.id);
        assert_int_equal(r->kind, raw.kind);
        assert_string_equal(r->name, raw.name);
        assert_string_equal(r->group, raw.group);
        assert_true(r->mass == raw.mass && r->inertia == raw.inertia && r->area == raw.area);
        assert_true(r->origin[0] == raw.origin[0] && r->origin[1] == raw.origin[1]);
        assert_int_equal(r->free, raw.free);
        assert_int_equal(r->limited, raw.limited);
        assert_int_equal(r->has_functions, raw.has_functions);
        assert_true(r->collides_groups == raw.collides_groups);
        assert_int_equal(r->part_count, raw.part_count);
        assert_int_equal(r->vertex_count, raw.vertex_count);
        for (size_t p = 0; p < raw.part_count; p++) {
            assert_int_equal(r->parts[p].kind, raw.parts[p].kind);
            assert_int_equal(r->parts[p].vertex_first, raw.parts[p].vertex_first);
            assert_int_equal(r->parts[p].vertex_count, raw.parts[p].vertex_count);
            assert_true(r->parts[p].radius == raw.parts[p].radius &&
                        r->parts[p].offset == raw.parts[p].offset);
            assert_true(r->parts[p].normal[0] == raw.parts[p].normal[0] &&
                        r->parts[p].normal[1] == raw.parts[p].normal[1]);
            assert_int_equal(r->parts[p].link.chain.before, raw.parts[p].link.chain.before);
            assert_int_equal(r->parts[p].link.chain.after, raw.parts[p].link.chain.after);
        }
        if (raw.vertex_count > 0)
            assert_memory_equal(r->vertices, raw.vertices, 2 * raw.vertex_count * sizeof(double));
    }
}

static void check_info(const mo_run *run)
{
    const mo_run_info *info = mo_run_info_get(run);
    assert_string_equal(info->kind, "world");
    assert_string_equal(info->version, MO_VERSION);
    assert_string_equal(info->scene_name, "small");
    assert_string_equal(info->scene_text, "world { dim = 2 }\n");
    assert_string_equal(info->scene_folder, "/scenes/of mine");
    assert_string_equal(info->params_json, "{\"n\": 3}");
    assert_string_equal(info->solver, "nlgs");
    assert_true(info->seed == 18446744073709551615u);
    assert_int_equal(info->dim, 2);
    assert_true(info->h == 0.002 && info->t_end == 1 && info->every == 0.01);
    assert_true(info->theta == mo_default_world_def().theta && info->gravity[0] == 0 &&
                info->gravity[1] == -9.81);
    assert_true(info->contact_tolerance == mo_default_world_def().contact_tolerance);
    assert_int_equal(info->series_count, 8);
    assert_string_equal(info->series[0], "kinetic");
    assert_string_equal(info->series[5], "balance_error");
    assert_string_equal(info->series[6], "height");
    assert_string_equal(info->series[7], "a,b \"c\"");
    assert_string_equal(info->groups[0], "default");
}

/* few bodies are stored plainly, many compressed at chunk borders: both ways must give the same answers */
static void round_trip(int discs)
{
    const char *path = in_folder("trip.h5");
    mo_recorder *rec = NULL;
    mo_world *world = record_small(path, discs, 12, &rec);
    // a body that goes, a group and bodies that come
    must(mo_body_remove(world, (mo_body){5}, err));
    add_body(world, (mo_shape_def){.kind = MO_SHAPE_DISC, .radius = 0.03}, 2, 1, "late", "newcomer");
    add_disc(world, 2.2, 1);
    step_and_record(world, rec, 3);
    frame_with_state(world, rec);
    must(mo_recorder_finish(rec, "ok", "{\"answer\": 42}", err));
    mo_recorder_destroy(rec);

    mo_run *run = NULL;
    must(mo_run_open(path, &run, err));
    check_info(run);
    const mo_run_info *info = mo_run_info_get(run);
    assert_string_equal(info->status, "ok");
    assert_string_equal(info->report_json, "{\"answer\": 42}");
    assert_int_equal(info->frames, 13);
    assert_int_equal(info->steps, 58);
    assert_close(info->time, 58 * 0.002, 1e-12);
    assert_int_equal(info->body_count, discs + 8);
    assert_int_equal(info->group_count, mo_world_group_count(world));
    assert_int_equal(mo_run_body_row(run, 5), 4);
    assert_true(mo_run_body_row(run, 0) == SIZE_MAX && mo_run_body_row(run, 100000) == SIZE_MAX);
    assert_frame_is_world(run, 12, world);
    bodies_match(run, world);

    // earlier frames: the same simulation again
    mo_world *again = small_world(discs);
    for (size_t k = 0; k < 12; k++) {
        for (int i = 0; k > 0 && i < 5; i++)
            must(mo_world_step(again, err));
        assert_frame_is_world(run, k, again);
        mo_frame f;
        must(mo_run_frame(run, k, &f, err));
        char text[64];
        snprintf(text, sizeof text, "state at step %zu", 5 * k);
        assert_string_equal(f.state_text, text);
        assert_true(f.random[0] == 5 * k && f.random[1] == 77 && f.step == (int64_t)(5 * k));
        assert_true(f.energy.kinetic == mo_world_info_get(again).energy.kinetic);
        assert_true(f.energy.balance_error == mo_world_info_get(again).energy.balance_error);
        assert_true(mo_run_times(run)[k] == f.time);
        mo_frame_free(&f);
    }
    mo_world_destroy(again);
    mo_frame f;
    mo_error e = {.message = ""};
    assert_int_equal(mo_run_frame(run, 13, &f, &e), MO_USAGE);
    mo_run_close(run);
    mo_world_destroy(world);
}

static void few_bodies_come_back(void **state)
{
    (void)state;
    round_trip(3);
}

static void many_bodies_come_back(void **state)
{
    (void)state;
    round_trip(140);
}

static void series_and_steps_come_back(void **state)
{
    (void)state;
    const char *path = in_folder("series.h5");
    mo_recorder *rec = NULL;
    mo_world *world = record_small(path, 3, 4, &rec);
    const mo_world_info last = mo_world_info_get(world);
    step_and_record(world, rec, 2);
    mo_run *run = NULL;
    // not finished: what came after the last frame does not count yet
    must(mo_run_open(path, &run, err));
    assert_int_equal(mo_run_info_get(run)->series_rows, 4);
    assert_int_equal(mo_run_info_get(run)->step_rows, 15);
    assert_string_equal(mo_run_info_get(run)->status, "unfinished");
    assert_string_equal(mo_run_info_get(run)->report_json, "{}");
    mo_run_close(run);
    must(mo_recorder_finish(rec, "ok", NULL, err));
    mo_recorder_destroy(rec);
    must(mo_run_open(path, &run, err));
    const double *t, *values;
    mo_run_steps steps;
    must(mo_run_series(run, &t, &values, err));
    must(mo_run_steps_get(run, &steps, err));
    assert_int_equal(mo_run_info_get(run)->series_rows, 5);
    assert_true(t[3] == last.time && values[3 * 8 + 0] == last.energy.kinetic);
    assert_true(values[3 * 8 + 1] == last.energy.potential &&
                values[3 * 8 + 4] == last.energy.dissipated_impact);
    assert_true(values[3 * 8 + 6] == 15 && values[3 * 8 + 7] == -0.5 * last.time);
    assert_int_equal(steps.count, 17);
    for (size_t i = 0; i < steps.count; i++)
        assert_int_equal(steps.step[i], i + 1);
    assert_int_equal(steps.contacts[14], last.contacts);
    assert_int_equal(steps.iterations[14], last.solver.iterations);
    assert_true(steps.residual[14] == last.solver.certificate.residual);
    mo_run_close(run);
    mo_world_destroy(world);
}

/* ---- resuming -------------------------------------------------------------------------------- */

static mo_world *restored(mo_run *run, int discs)
{
    mo_world *world = small_world(discs);
    restore_last(run, world);
    return world;
}

/* stopped after some frames and gone on with: the same file content as the run that was never stopped */
static void resume_gives_the_same_run(int discs)
{
    mo_recorder *rec = NULL;
    mo_world *world = record_small(in_folder("whole.h5"), discs, 10, &rec);
    must(mo_recorder_finish(rec, "ok", NULL, err));
    mo_recorder_destroy(rec);
    mo_world_destroy(world);

    const char *path = in_folder("part.h5");
    world = record_small(path, discs, 6, &rec);
    // steps and rows after the last frame are cut off, and the end is forgotten
    step_and_record(world, rec, 3);
    must(mo_recorder_finish(rec, "stopped", "{}", err));
    mo_recorder_destroy(rec);
    mo_world_destroy(world);

    mo_run *run = NULL, *whole = NULL;
    must(mo_run_open(path, &run, err));
    assert_int_equal(mo_run_info_get(run)->series_rows, 7);
    world = restored(run, discs);
    mo_run_close(run);
    const mo_recorder_def def = small_def();
    must(mo_recorder_resume(path, &def, world, &rec, err));
    assert_int_equal(mo_recorder_frames(rec), 6);
    for (int k = 6; k < 10; k++) {
        step_and_record(world, rec, 5);
        frame_with_state(world, rec);
    }
    must(mo_recorder_finish(rec, "ok", NULL, err));
    assert_int_equal(mo_recorder_frames(rec), 10);
    mo_recorder_destroy(rec);

    must(mo_run_open(path, &run, err));
    must(mo_run_open(in_folder("whole.h5"), &whole, err));
    const double *ta, *va, *tb, *vb;
    mo_run_steps sa, sb;
    must(mo_run_series(run, &ta, &va, err));
    must(mo_run_series(whole, &tb, &vb, err));
    must(mo_run_steps_get(run, &sa, err));
    must(mo_run_steps_get(whole, &sb, err));
    assert_int_equal(mo_run_info_get(run)->series_rows, 10);
    assert_memory_equal(ta, tb, 10 * sizeof *ta);
    assert_memory_equal(va, vb, 80 * sizeof *va);
    assert_int_equal(sa.count, 45);
    assert_int_equal(sb.count, 45);
    assert_memory_equal(sa.step, sb.step, 45 * sizeof *sa.step);
    assert_memory_equal(sa.residual, sb.residual, 45 * sizeof *sa.residual);
    mo_comparison c;
    must(mo_run_compare(run, whole, &c, err));
    assert_true(c.identical && c.frames == 10 && c.max_position == 0 && c.velocity_graph == 0);
    assert_string_equal(mo_run_info_get(run)->status, "ok");
    mo_run_close(run);
    mo_run_close(whole);
    mo_world_destroy(world);
}

static void resume_with_few_bodies(void **state)
{
    (void)state;
    resume_gives_the_same_run(3);
}

static void resume_with_many_bodies(void **state)
{
    (void)state;
    resume_gives_the_same_run(130);
}

static void resume_refuses_another_scene(void **state)
{
    (void)state;
    const char *path = in_folder("refuse.h5");
    mo_recorder *rec = NULL;
    mo_world *world = record_small(path, 3, 2, &rec);
    mo_error e = {.message = ""};
    mo_recorder_def def = small_def();
    mo_recorder *none = NULL;
    // being written: neither resumed nor replaced
    assert_int_equal(mo_recorder_resume(path, &def, world, &none, &e), MO_IO);
    assert_non_null(strstr(e.message, "another run"));
    assert_int_equal(mo_recorder_create(path, &def, world, &none, &e), MO_IO);
    mo_recorder_destroy(rec);
    def.series_count = 1;
    assert_int_equal(mo_recorder_resume(path, &def, world, &none, &e), MO_BAD_INPUT);
    assert_string_equal(e.key, "series");
    static const char *const others[] = {"height", "other"};
    def.series_count = 2;
    def.series = others;
    assert_int_equal(mo_recorder_resume(path, &def, world, &none, &e), MO_BAD_INPUT);
    def = small_def();
    mo_world_def other = mo_default_world_def();
    other.h = 0.001;
    mo_world *finer = NULL;
    must(mo_world_create(&other, &finer, err));
    assert_int_equal(mo_recorder_resume(path, &def, finer, &none, &e), MO_BAD_INPUT);
    assert_string_equal(e.key, "h");
    mo_world_destroy(finer);
    assert_null(none);
    // and nothing happened to the file
    mo_run *run = NULL;
    must(mo_run_open(path, &run, err));
    assert_int_equal(mo_run_info_get(run)->frames, 2);
    mo_run_close(run);
    assert_int_equal(mo_recorder_resume(in_folder("none.h5"), &def, world, &none, &e), MO_BAD_FILE);
    mo_world_destroy(world);
}

/* ---- places that cannot be written ----------------------------------------------------------------- */

static void bad_places_are_refused(void **state)
{
    (void)state;
    mo_world *world = small_world(1);
    const mo_recorder_def def = small_def();
    mo_recorder *rec = NULL;
    mo_error e = {.message = ""};
    assert_int_equal(mo_recorder_create(in_folder("no/such/run.h5"), &def, world, &rec, &e), MO_IO);
    assert_non_null(strstr(e.message, "No such file"));
    assert_int_equal(mo_recorder_create(test_folder, &def, world, &rec, &e), MO_IO);
    assert_int_equal(mo_recorder_create("/dev/null", &def, world, &rec, &e), MO_IO);
    struct stat st;
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    assert_null(rec);
    mo_recorder_destroy(NULL);
    mo_run_close(NULL);
    mo_world_destroy(world);
}

static void a_new_run_replaces_the_old(void **state)
{
    (void)state;
    const char *path = in_folder("replace.h5");
    write_whole(path, "something else", 14);
    mo_recorder *rec = NULL;
    mo_world *world = record_small(path, 1, 1, &rec);
    mo_recorder_destroy(rec);
    mo_world_destroy(world);
    world = record_small(path, 2, 3, &rec);
    mo_recorder_destroy(rec);
    mo_world_destroy(world);
    mo_run *run = NULL;
    must(mo_run_open(path, &run, err));
    assert_int_equal(mo_run_info_get(run)->frames, 3);
    assert_int_equal(mo_run_info_get(run)->body_count, 8);
    mo_run_close(run);
}

static void an_empty_world_records(void **state)
{
    (void)state;
    const char *path = in_folder("empty.h5");
    const mo_world_def world_def = mo_default_world_def();
    mo_recorder_def def = small_def();
    def.series_count = 0;
    mo_world *world = NULL;
    mo_recorder *rec = NULL;
    must(mo_world_create(&world_def, &world, err));
    must(mo_recorder_create(path, &def, world, &rec, err));
    mo_run *run = NULL;
    must(mo_run_open(path, &run, err));
    assert_int_equal(mo_run_info_get(run)->frames, 0);
    mo_run_close(run);
    must(mo_recorder_frame(rec, world, NULL, err));
    must(mo_recorder_finish(rec, "ok", NULL, err));
    mo_recorder_destroy(rec);
    must(mo_run_open(path, &run, err));
    assert_int_equal(mo_run_info_get(run)->frames, 1);
    assert_int_equal(mo_run_info_get(run)->body_count, 0);
    mo_frame f;
    must(mo_run_frame(run, 0, &f, err));
    assert_int_equal(f.body_count, 0);
    assert_string_equal(f.state_text, "");
    mo_frame_free(&f);
    mo_run_close(run);
    mo_world_destroy(world);
}

/* who opens a run sees what is in the file then, also when it was opened before and is open still */
static void every_opening_sees_the_file_as_it_is(void **state)
{
    (void)state;
    const char *path = in_folder("again.h5");
    mo_recorder *rec = NULL;
    mo_world *world = record_small(path, 20, 4, &rec);
    mo_run *early = NULL, *later = NULL, *last = NULL;
    mo_frame f;
    must(mo_run_open(path, &early, err));
    assert_int_equal(mo_run_info_get(early)->frames, 4);
    for (int k = 0; k < 300; k++) {
        step_and_record(world, rec, 1);
        frame_with_state(world, rec);
    }
    must(mo_run_open(path, &later, err));
    assert_int_equal(mo_run_info_get(later)->frames, 304);
    must(mo_run_frame(later, 303, &f, err));
    assert_memory_equal(f.q, mo_world_bodies(world).q, 3 * f.body_count * sizeof *f.q);
    mo_frame_free(&f);
    must(mo_recorder_finish(rec, "ok", "{\"a\": 1}", err));
    mo_recorder_destroy(rec);
    must(mo_run_open(path, &last, err));
    assert_string_equal(mo_run_info_get(last)->status, "ok");
    assert_string_equal(mo_run_info_get(last)->report_json, "{\"a\": 1}");
    // and what was opened then goes on to show what there was
    assert_int_equal(mo_run_info_get(early)->frames, 4);
    must(mo_run_frame(early, 3, &f, err));
    assert_int_equal(f.body_count, mo_world_bodies(world).count);
    mo_frame_free(&f);
    mo_run_close(early);
    mo_run_close(later);
    mo_run_close(last);
    mo_world_destroy(world);
}

/* the file stays near the size of the numbers in it, so long as frames are not tiny */
static void the_file_is_not_bloated(void **state)
{
    (void)state;
    const char *path = in_folder("size.h5");
    mo_recorder *rec = NULL;
    mo_world *world = record_small(path, 200, 40, &rec);
    const size_t bodies = mo_world_bodies(world).count, contacts = mo_world_contacts(world).count;
    must(mo_recorder_finish(rec, "ok", NULL, err));
    mo_recorder_destroy(rec);
    mo_world_destroy(world);
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    // bytes per body and per contact of a frame, see docs/format.md; tables take some 300 kB
    const double raw = 40.0 * ((double)bodies * 108 + (double)contacts * 89);
    assert_true((double)st.st_size < raw + 400e3);
}

/* the end stands once, whatever is said after it */
static void nothing_follows_the_end(void **state)
{
    (void)state;
    const char *path = in_folder("ended.h5");
    const mo_frame_extra extra = {.state_text = ""};
    const double values[2] = {0};
    const mo_path_row row = {0};
    mo_error e;
    mo_recorder *rec = NULL;
    mo_world *world = record_small(path, 3, 4, &rec);
    must(mo_recorder_plots(rec, "[]", err));
    assert_int_equal(mo_recorder_plots(rec, "[{}]", &e), MO_USAGE);
    assert_int_equal(mo_recorder_path_row(rec, &row, &e), MO_USAGE);
    must(mo_recorder_finish(rec, "ok", "{\"answer\": 42}", err));
    assert_int_equal(mo_recorder_finish(rec, "again", "{}", &e), MO_USAGE);
    assert_non_null(strstr(e.message, "finished"));
    assert_string_equal(e.file, path);
    assert_int_equal(mo_recorder_frame(rec, world, &extra, &e), MO_USAGE);
    assert_int_equal(mo_recorder_step(rec, world, &e), MO_USAGE);
    assert_int_equal(mo_recorder_series(rec, world, values, &e), MO_USAGE);
    assert_int_equal(mo_recorder_plots(rec, "[{}]", &e), MO_USAGE);
    must(mo_recorder_wait(rec, err));
    mo_recorder_destroy(rec);
    mo_world_destroy(world);

    mo_run *run = NULL;
    must(mo_run_open(path, &run, err));
    const mo_run_info *info = mo_run_info_get(run);
    assert_string_equal(info->status, "ok");
    assert_string_equal(info->report_json, "{\"answer\": 42}");
    assert_string_equal(info->plots_json, "[]");
    assert_int_equal(info->frames, 4);
    assert_int_equal(info->series_rows, 4);
    mo_run_close(run);
}

/* how many besides the only open file hold its driver */
static int holders_of_the_driver(void)
{
    hid_t file = -1;
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_FILE), 1);
    assert_int_equal(H5Fget_obj_ids((hid_t)H5F_OBJ_ALL, H5F_OBJ_FILE, 1, &file), 1);
    const hid_t fapl = H5Fget_access_plist(file);
    const int holders = H5Iget_ref(H5Pget_driver(fapl));
    H5Pclose(fapl);
    return holders;
}

/* a file that is the last to hold its driver frees it while it is closed, and then asks it to close */
static void drivers_outlive_their_files(void **state)
{
    (void)state;
    mo_recorder *rec = NULL;
    mo_run *run = NULL;
    const mo_recorder_def def = small_def();
    mo_world *world = small_world(1);
    must(mo_recorder_create(in_folder("held.h5"), &def, world, &rec, err));
    assert_int_equal(holders_of_the_driver(), 1);
    step_and_record(world, rec, 1);
    frame_with_state(world, rec);
    must(mo_recorder_finish(rec, "ok", "{}", err));
    mo_recorder_destroy(rec);
    must(mo_run_open(in_folder("held.h5"), &run, err));
    assert_int_equal(holders_of_the_driver(), 1);
    mo_run_close(run);
    mo_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_bodies_come_back),       cmocka_unit_test(many_bodies_come_back),
        cmocka_unit_test(series_and_steps_come_back), cmocka_unit_test(resume_with_few_bodies),
        cmocka_unit_test(resume_with_many_bodies),    cmocka_unit_test(resume_refuses_another_scene),
        cmocka_unit_test(bad_places_are_refused),     cmocka_unit_test(a_new_run_replaces_the_old),
        cmocka_unit_test(an_empty_world_records),     cmocka_unit_test(the_file_is_not_bloated),
        cmocka_unit_test(nothing_follows_the_end),    cmocka_unit_test(every_opening_sees_the_file_as_it_is),
        cmocka_unit_test(drivers_outlive_their_files)};
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
