/*
 * What came to run files later: laws of contacts, columns of bodies that a scene observes, gaps of systems.
 * Files that do not have them open, say so, and can be gone on with.
 */
#include "record/hostile.h"
#include "record/small_path.h"

#include "support/close.h"

#include <math.h>

static const char *const of_bodies[] = {"height", "twice the id"};

/* the file as an earlier program would have written it */
static void forget(const char *path, const char *const *datasets, size_t count)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    for (size_t i = 0; i < count; i++)
        assert_true(H5Ldelete(file, datasets[i], H5P_DEFAULT) >= 0);
    assert_true(H5Fclose(file) >= 0);
}

/* ---- laws --------------------------------------------------------------------------------------- */

static void assert_same_law(const mo_law *a, const mo_law *b)
{
    assert_true(a->friction == b->friction && a->restitution == b->restitution &&
                a->tangential_restitution == b->tangential_restitution &&
                a->static_friction == b->static_friction && a->friction2 == b->friction2 &&
                a->cohesion == b->cohesion && a->gluey == b->gluey && a->threshold == b->threshold &&
                a->rolling == b->rolling && a->spinning == b->spinning);
    assert_memory_equal(a->axis, b->axis, sizeof a->axis);
    assert_true((a->name == NULL) == (b->name == NULL));
}

/* the last frame is the world as it is: every contact names the law that it has there */
static size_t assert_laws_are(mo_run *run, const mo_world *world)
{
    const mo_contacts c = mo_world_contacts(world);
    mo_frame f;
    must(mo_run_frame(run, mo_run_info_get(run)->frames - 1, &f, err));
    assert_int_equal(f.contact_count, c.count);
    assert_true(c.count > 3 && f.law != NULL);
    for (size_t i = 0; i < c.count; i++) {
        const mo_law law = mo_world_law(world, c.law[i]);
        assert_in_range(f.law[i], 1, mo_run_info_get(run)->law_count);
        assert_same_law(&mo_run_laws(run)[f.law[i] - 1], &law);
    }
    mo_frame_free(&f);
    return mo_run_info_get(run)->law_count;
}

static const mo_law wall_law = {.friction = 0.25,
                                .restitution = 0.5,
                                .tangential_restitution = -0.125,
                                .static_friction = 0.75,
                                .cohesion = 0.0625,
                                .rolling = 0.03125};

static void contacts_name_their_laws(void **state)
{
    (void)state;
    const char *path = in_folder("laws.h5");
    mo_recorder *rec = NULL;
    mo_world *world = small_world(150);
    must(mo_world_set_law(world, "grain", "wall", &wall_law, err));
    record_frames(path, world, 12, 12, &rec);
    mo_run *run = NULL;
    must(mo_run_open(path, &run, err));
    const size_t laws = assert_laws_are(run, world);
    assert_int_equal(laws, 2);
    mo_run_close(run);
    // another law on the way is another row: frames of before keep theirs
    const mo_law slippery = {.friction = 0.015625};
    must(mo_world_set_default_law(world, &slippery, err));
    step_and_record(world, rec, 12);
    frame_with_state(world, rec);
    must(mo_recorder_finish(rec, "ok", "{}", err));
    mo_recorder_destroy(rec);
    must(mo_run_open(path, &run, err));
    assert_int_equal(assert_laws_are(run, world), 3);
    mo_frame before;
    must(mo_run_frame(run, mo_run_info_get(run)->frames - 2, &before, err));
    for (size_t i = 0; i < before.contact_count; i++)
        assert_true(mo_run_laws(run)[before.law[i] - 1].friction >= 0.25);
    mo_frame_free(&before);
    mo_run_close(run);
    mo_world_destroy(world);
}

/* a file that is gone on with again and again has its laws once, as if it had never been left */
static void laws_stand_once_in_resumed_files(void **state)
{
    (void)state;
    const char *path = in_folder("again.h5");
    const mo_recorder_def def = small_def();
    mo_recorder *rec = NULL;
    mo_world *world = small_world(150);
    must(mo_world_set_law(world, "grain", "wall", &wall_law, err));
    record_frames(path, world, 12, 12, &rec);
    mo_run *run = NULL;
    for (int times = 0; times < 3; times++) {
        mo_recorder_destroy(rec);
        must(mo_recorder_resume(path, &def, world, &rec, err));
        step_and_record(world, rec, 12);
        frame_with_state(world, rec);
        must(mo_run_open(path, &run, err));
        assert_int_equal(assert_laws_are(run, world), 2);
        mo_run_close(run);
    }
    mo_recorder_destroy(rec);
    mo_world_destroy(world);
}

static void files_without_laws_are_gone_on_with(void **state)
{
    (void)state;
    static const char *const late[] = {"/laws", "/frame_contacts/law", "/frame_bodies/observed"};
    const char *path = in_folder("old.h5");
    mo_recorder *rec = NULL;
    mo_world *world = record_frames(path, small_world(150), 12, 12, &rec);
    must(mo_recorder_finish(rec, "ok", "{}", err));
    mo_recorder_destroy(rec);
    forget(path, late, 2);
    mo_run *run = NULL;
    must(mo_run_open(path, &run, err));
    assert_int_equal(mo_run_info_get(run)->law_count, 0);
    mo_frame f;
    must(mo_run_frame(run, 11, &f, err));
    assert_true(f.contact_count > 3 && f.law == NULL && f.observed == NULL);
    mo_frame_free(&f);
    mo_run_close(run);
    // frames of before know no law, those that follow do
    const mo_recorder_def def = small_def();
    must(mo_recorder_resume(path, &def, world, &rec, err));
    step_and_record(world, rec, 12);
    frame_with_state(world, rec);
    mo_recorder_destroy(rec);
    must(mo_run_open(path, &run, err));
    assert_int_equal(assert_laws_are(run, world), 1);
    must(mo_run_frame(run, 11, &f, err));
    for (size_t i = 0; i < f.contact_count; i++)
        assert_int_equal(f.law[i], 0);
    mo_frame_free(&f);
    mo_run_close(run);
    mo_world_destroy(world);
}

static void a_law_that_is_not_there_is_refused(void **state)
{
    (void)state;
    const char *path = in_folder("wrong.h5");
    mo_recorder *rec = NULL;
    mo_world *world = record_frames(path, small_world(3), 12, 12, &rec);
    must(mo_recorder_finish(rec, "ok", "{}", err));
    mo_recorder_destroy(rec);
    mo_world_destroy(world);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t set = H5Dopen2(file, "/frame_contacts/law", H5P_DEFAULT), space = H5Dget_space(set);
    const hsize_t count = (hsize_t)H5Sget_simple_extent_npoints(space);
    uint32_t *laws = calloc(count, sizeof *laws);
    for (hsize_t i = 0; i < count; i++)
        laws[i] = 2;
    assert_true(count > 0 && H5Dwrite(set, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, laws) >= 0);
    free(laws);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
    mo_run *run = NULL;
    mo_error told = {.message = ""};
    mo_frame f;
    must(mo_run_open(path, &run, err));
    assert_int_equal(mo_run_frame(run, 11, &f, &told), MO_BAD_FILE);
    assert_string_equal(told.key, "/frame_contacts/law");
    mo_run_close(run);
}

/* ---- columns of bodies -------------------------------------------------------------------------- */

/* the height, and twice the id; walls have no height */
static void frame_with_columns(mo_world *world, mo_recorder *rec)
{
    const mo_bodies b = mo_world_bodies(world);
    double *values = calloc(2 * b.count, sizeof *values);
    for (size_t i = 0; i < b.count; i++) {
        values[2 * i] = b.mass[i] > 0 ? b.q[3 * i + 1] : (double)NAN;
        values[2 * i + 1] = 2.0 * b.id[i];
    }
    const mo_frame_extra extra = {.observed = values};
    must(mo_recorder_frame(rec, world, &extra, err));
    free(values);
}

static void assert_columns_are(mo_run *run, size_t k)
{
    mo_frame f;
    must(mo_run_frame(run, k, &f, err));
    assert_non_null(f.observed);
    for (size_t i = 0; i < f.body_count; i++) {
        const double height = f.observed[2 * i];
        assert_true(mo_run_bodies(run)[f.row[i]].mass > 0 ? height == f.q[3 * i + 1] : isnan(height));
        assert_true(f.observed[2 * i + 1] == 2.0 * f.id[i]);
    }
    mo_frame_free(&f);
}

static void columns_of_bodies(int discs)
{
    const char *path = in_folder("columns.h5");
    mo_recorder_def def = small_def();
    def.observed = of_bodies;
    def.observed_count = 2;
    mo_world *world = small_world(discs);
    mo_recorder *rec = NULL;
    must(mo_recorder_create(path, &def, world, &rec, err));
    for (int k = 0; k < 3; k++) {
        step_and_record(world, rec, 5);
        frame_with_columns(world, rec);
    }
    mo_recorder_destroy(rec);
    // another column is another run
    const char *const other[] = {"height", "thrice the id"};
    mo_error told = {.message = ""};
    def.observed = other;
    assert_int_equal(mo_recorder_resume(path, &def, world, &rec, &told), MO_BAD_INPUT);
    assert_string_equal(told.key, "observe_bodies");
    def.observed_count = 0;
    assert_int_equal(mo_recorder_resume(path, &def, world, &rec, &told), MO_BAD_INPUT);
    def.observed = of_bodies;
    def.observed_count = 2;
    must(mo_recorder_resume(path, &def, world, &rec, err));
    step_and_record(world, rec, 5);
    frame_with_columns(world, rec);
    mo_run *run = finish_and_open(path, world, rec);
    assert_int_equal(mo_run_info_get(run)->observed_count, 2);
    assert_string_equal(mo_run_info_get(run)->observed[1], "twice the id");
    assert_int_equal(mo_run_info_get(run)->frames, 4);
    for (size_t k = 0; k < 4; k++)
        assert_columns_are(run, k);
    const char *csv = in_folder("columns.csv");
    must(mo_export_csv(run, MO_EXPORT_BODIES, 0, 1, csv, err));
    char line[256] = "";
    FILE *in = fopen(csv, "r");
    assert_non_null(fgets(line, sizeof line, in));
    assert_string_equal(line, "t,body,x,y,angle,vx,vy,spin,height,twice the id\n");
    fclose(in);
    mo_run_close(run);
}

static void few_bodies_have_columns(void **state)
{
    (void)state;
    columns_of_bodies(3);
}

static void many_bodies_have_columns(void **state)
{
    (void)state;
    columns_of_bodies(300);
}

/* ---- gaps of systems ----------------------------------------------------------------------------- */

static double row_gap(size_t k, size_t i)
{
    return 0.25 * (double)k + 3 * (double)i;
}

static void put_gap_rows(mo_recorder *rec, size_t first, size_t end)
{
    for (size_t k = first; k < end; k++) {
        const double x[3] = {(double)k}, gap[2] = {row_gap(k, 0), row_gap(k, 1)};
        const mo_path_row row = {
            .t = (double)k, .step = (int64_t)k, .x = x, .u = x, .lambda = gap, .gap = gap};
        must(mo_recorder_path_row(rec, &row, err));
    }
    const mo_checkpoint c = {.t = (double)end, .step = (int64_t)end};
    must(mo_recorder_checkpoint(rec, &c, err));
}

static void gaps_are_kept_and_unknown_in_old_files(void **state)
{
    (void)state;
    static const char *const late[] = {"/path/gap"};
    const char *path = in_folder("gaps.h5");
    const mo_recorder_def def = small_path_recorder();
    const mo_path_def path_def = small_path_def(&motion);
    for (int old = 0; old < 2; old++) {
        mo_recorder *rec = NULL;
        must(mo_recorder_create_path(path, &def, &path_def, &rec, err));
        put_gap_rows(rec, 0, 20);
        must(mo_recorder_finish(rec, "ok", "{}", err));
        mo_recorder_destroy(rec);
        if (old)
            forget(path, late, 1);
        must(mo_recorder_resume_path(path, &def, &path_def, &rec, err));
        put_gap_rows(rec, 20, 30);
        mo_recorder_destroy(rec);
        mo_run *run = NULL;
        mo_run_path rows;
        must(mo_run_open(path, &run, err));
        must(mo_run_path_get(run, &rows, err));
        assert_int_equal(rows.rows, 30);
        for (size_t k = 0; k < 60; k++)
            assert_true(old && k < 40 ? isnan(rows.gap[k]) : rows.gap[k] == row_gap(k / 2, k % 2));
        mo_run_close(run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(contacts_name_their_laws),
                                       cmocka_unit_test(laws_stand_once_in_resumed_files),
                                       cmocka_unit_test(files_without_laws_are_gone_on_with),
                                       cmocka_unit_test(a_law_that_is_not_there_is_refused),
                                       cmocka_unit_test(few_bodies_have_columns),
                                       cmocka_unit_test(many_bodies_have_columns),
                                       cmocka_unit_test(gaps_are_kept_and_unknown_in_old_files)};
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
