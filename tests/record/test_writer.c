/* Recording in the background: the same file, nothing lost, memory bounded, failures reported. */
#include "record/killed.h"
#include "record/recorder.h"
#include "record/run.h"
#include "record/small_path.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

#define FRAMES 12

/* ---- a disk that does not answer: nobody can call HDF5 while another thread has the lock ---------- */

typedef struct jam {
    pthread_t thread;
    atomic_bool begun, over;
    atomic_long rest; /* ms that it goes on after that */
} jam;

static void pause_ms(long milliseconds)
{
    const struct timespec wait = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&wait, NULL);
}

static void *hold_lock(void *argument)
{
    jam *j = argument;
    quiet q = quiet_begin();
    atomic_store(&j->begun, true);
    while (!atomic_load(&j->over))
        pause_ms(1);
    pause_ms(atomic_load(&j->rest));
    quiet_end(q);
    return NULL;
}

static void jam_begin(jam *j)
{
    atomic_init(&j->begun, false);
    atomic_init(&j->over, false);
    atomic_init(&j->rest, 0);
    assert_int_equal(pthread_create(&j->thread, NULL, hold_lock, j), 0);
    while (!atomic_load(&j->begun))
        pause_ms(1);
}

/* while the caller goes on */
static void jam_end_later(jam *j)
{
    atomic_store(&j->rest, 100);
    atomic_store(&j->over, true);
}

static void jam_end(jam *j)
{
    atomic_store(&j->over, true);
    pthread_join(j->thread, NULL);
}

/* ---- the same file --------------------------------------------------------------------------------- */

static void assert_same_columns(const char *path1, const char *path2)
{
    mo_run *a = NULL, *b = NULL;
    must(mo_run_open(path1, &a, err));
    must(mo_run_open(path2, &b, err));
    size_t compared = 0;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        const hdf_column *x = &a->columns[i], *y = &b->columns[i];
        assert_int_equal(hdf_column_is_there(x), hdf_column_is_there(y));
        if (!hdf_column_is_there(x))
            continue;
        assert_int_equal(x->rows, y->rows);
        assert_int_equal(x->stored, y->stored);
        const size_t bytes = (size_t)x->rows * x->row_bytes;
        char *p = malloc(bytes + 1), *q = malloc(bytes + 1);
        assert_true(hdf_column_read(x, (column_id)i, 0, x->rows, p));
        assert_true(hdf_column_read(y, (column_id)i, 0, y->rows, q));
        assert_memory_equal(p, q, bytes);
        compared += bytes;
        free(p);
        free(q);
    }
    assert_true(compared > 1000);
    mo_run_close(a);
    mo_run_close(b);
}

/* bodies come and go, and one frame has no contacts */
static void record_changing(const char *path, int discs)
{
    mo_recorder *rec = NULL;
    mo_world *world = record_small(path, discs, FRAMES, &rec);
    for (int k = 0; k < FRAMES; k++) {
        const mo_body body = add_disc(world, 0.3 * k, 5);
        step_and_record(world, rec, 3);
        frame_with_state(world, rec);
        if (k % 3 == 0)
            must(mo_body_remove(world, body, err));
    }
    must(mo_recorder_plots(rec, "[]", err));
    must(mo_recorder_finish(rec, "ok", "{\"a\": 1}", err));
    mo_recorder_destroy(rec);
    mo_world_destroy(world);
}

static void the_file_is_the_same(void **state)
{
    (void)state;
    const int discs[] = {3, 130};
    for (int i = 0; i < 2; i++) {
        record_changing(in_folder("waiting.h5"), discs[i]);
        in_background = true;
        record_changing(in_folder("background.h5"), discs[i]);
        in_background = false;
        assert_same_columns(in_folder("waiting.h5"), in_folder("background.h5"));
    }
}

static void record_checkpoints(const char *path, const small_path *p)
{
    const mo_recorder_def def = small_path_recorder();
    const mo_path_def path_def = small_path_def(p);
    mo_recorder *rec = NULL;
    must(mo_recorder_create_path(path, &def, &path_def, &rec, err));
    for (size_t k = 0; k < 200; k++) {
        put_rows(rec, p, k, k + 1);
        if (k % 5 == 0)
            put_outline(rec, k / 5);
        if (k % 7 == 6)
            put_checkpoint(rec, k);
    }
    must(mo_recorder_finish(rec, "ok", NULL, err));
    mo_recorder_destroy(rec);
}

static void the_file_of_a_path_is_the_same(void **state)
{
    (void)state;
    record_checkpoints(in_folder("waiting.h5"), &discs3);
    in_background = true;
    record_checkpoints(in_folder("background.h5"), &discs3);
    in_background = false;
    assert_same_columns(in_folder("waiting.h5"), in_folder("background.h5"));
}

/* ---- a slow disk ------------------------------------------------------------------------------------- */

static mo_recorder *begin_in_background(const char *path, mo_world *world)
{
    mo_recorder *rec = NULL;
    in_background = true;
    const mo_recorder_def def = small_def();
    in_background = false;
    must(mo_recorder_create(path, &def, world, &rec, err));
    assert_true(rec->queue.threaded);
    return rec;
}

typedef struct one_frame {
    mo_recorder *rec;
    mo_world *world;
    atomic_bool done;
} one_frame;

static void *record_one(void *argument)
{
    one_frame *f = argument;
    must(mo_recorder_frame(f->rec, f->world, NULL, err));
    atomic_store(&f->done, true);
    return NULL;
}

static size_t memory_of_jobs(const mo_recorder *rec)
{
    size_t bytes = 0;
    for (int i = 0; i < WRITER_JOBS; i++)
        bytes += rec->queue.jobs[i].room;
    return bytes;
}

/* two frames are taken at once, the third waits until the disk answers, and all are there */
static void whoever_steps_waits_for_a_slow_disk(void **state)
{
    (void)state;
    mo_world *world = small_world(130);
    mo_recorder *rec = begin_in_background(in_folder("slow.h5"), world);
    jam j;
    jam_begin(&j);
    for (int k = 0; k < ON_THEIR_WAY; k++)
        must(mo_recorder_frame(rec, world, NULL, err));
    one_frame third = {.rec = rec, .world = world};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, record_one, &third), 0);
    pause_ms(200);
    assert_false(atomic_load(&third.done));
    // none of them counts before it can be read
    assert_int_equal(mo_recorder_frames(rec), 0);
    jam_end(&j);
    pthread_join(thread, NULL);
    must(mo_recorder_wait(rec, err));
    assert_int_equal(mo_recorder_frames(rec), ON_THEIR_WAY + 1);
    assert_true(atomic_load(&third.done));
    must(mo_recorder_wait(rec, err));
    // on the file's side too: it is open, and read
    mo_run *run = NULL;
    must(mo_run_open(in_folder("slow.h5"), &run, err));
    assert_int_equal(mo_run_info_get(run)->frames, 3);
    for (size_t k = 0; k < 3; k++)
        assert_frame_is_world(run, k, world);
    mo_run_close(run);
    mo_recorder_destroy(rec);
    mo_world_destroy(world);
}

/* a frame of this world, with the tables of bodies that only the first has */
static size_t frame_memory(const char *path, mo_world *world)
{
    mo_recorder *rec = begin_in_background(path, world);
    must(mo_recorder_frame(rec, world, NULL, err));
    must(mo_recorder_wait(rec, err));
    const size_t bytes = rec->queue.jobs[0].room;
    assert_int_equal(rec->queue.jobs[1].room, 0);
    mo_recorder_destroy(rec);
    return bytes;
}

static void memory_does_not_grow(void **state)
{
    (void)state;
    mo_world *world = small_world(130);
    const size_t one = frame_memory(in_folder("one.h5"), world);
    mo_recorder *rec = begin_in_background(in_folder("slow.h5"), world);
    for (int k = 0; k < 20; k++) {
        jam j;
        jam_begin(&j);
        must(mo_recorder_frame(rec, world, NULL, err));
        must(mo_recorder_frame(rec, world, NULL, err));
        assert_in_range(memory_of_jobs(rec), one, ON_THEIR_WAY * one);
        jam_end(&j);
        must(mo_recorder_wait(rec, err));
    }
    mo_run *run = finish_and_open(in_folder("slow.h5"), world, rec);
    assert_int_equal(mo_run_info_get(run)->frames, 40);
    mo_run_close(run);
}

/* a run that ends in the middle leaves what it was given, finished or not */
static void the_end_waits(void **state)
{
    (void)state;
    for (int finished = 0; finished < 2; finished++) {
        mo_world *world = small_world(130);
        mo_recorder *rec = begin_in_background(in_folder("end.h5"), world);
        jam j;
        jam_begin(&j);
        for (int k = 0; k < ON_THEIR_WAY; k++)
            must(mo_recorder_frame(rec, world, NULL, err));
        jam_end_later(&j);
        if (finished)
            must(mo_recorder_finish(rec, "interrupted", NULL, err));
        mo_recorder_destroy(rec);
        pthread_join(j.thread, NULL);
        mo_run *run = NULL;
        must(mo_run_open(in_folder("end.h5"), &run, err));
        assert_int_equal(mo_run_info_get(run)->frames, ON_THEIR_WAY);
        assert_string_equal(mo_run_info_get(run)->status, finished ? "interrupted" : "unfinished");
        assert_frame_is_world(run, ON_THEIR_WAY - 1, world);
        mo_run_close(run);
        mo_world_destroy(world);
    }
}

/* ---- failures ------------------------------------------------------------------------------------------ */

/* the disk is full while whoever steps has no more frames: what comes next says so, with the reason */
static int fill_late(const char *path, const void *how)
{
    mo_error e = {.message = ""};
    mo_world *world = small_world(130);
    mo_recorder *rec = begin_in_background(path, world);
    must(mo_recorder_frame(rec, world, NULL, err));
    must(mo_recorder_wait(rec, err));
    // no byte more
    const struct rlimit full = {0, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &full);
    jam j;
    jam_begin(&j);
    must(mo_recorder_frame(rec, world, NULL, err));
    must(mo_recorder_frame(rec, world, NULL, err));
    jam_end_later(&j);
    const int call = *(const int *)how;
    mo_status status = call == 0 ? mo_recorder_wait(rec, &e) : mo_recorder_finish(rec, "ok", NULL, &e);
    if (status != MO_IO || strstr(e.message, strerror(EFBIG)) == NULL || strcmp(e.file, rec->path) != 0)
        return 1;
    pthread_join(j.thread, NULL);
    // the second time it is no news
    if (call == 0 &&
        (mo_recorder_frame(rec, world, NULL, &e) != MO_IO || strstr(e.message, "before") == NULL))
        return 2;
    mo_recorder_destroy(rec);
    mo_world_destroy(world);
    mo_run *run = NULL;
    if (mo_run_open(path, &run, &e) != MO_OK || mo_run_info_get(run)->frames != 1)
        return 3;
    mo_run_close(run);
    return 0;
}

static void a_late_failure_is_reported(void **state)
{
    (void)state;
    for (int how = 0; how < 2; how++)
        with_full_disk(fill_late, in_folder("late.h5"), &how, RLIM_INFINITY);
}

/* ---- several files and readers at once -------------------------------------------------------------------
 */

static void two_recorders_and_a_reader(void **state)
{
    (void)state;
    const char *old = in_folder("old.h5");
    mo_run_close(sample_run(old, 130, 3));
    mo_world *world1 = small_world(130), *world2 = small_world(3);
    mo_recorder *rec1 = begin_in_background(in_folder("first.h5"), world1);
    mo_recorder *rec2 = begin_in_background(in_folder("second.h5"), world2);
    for (int k = 0; k < FRAMES; k++) {
        step_and_record(world1, rec1, 2);
        frame_with_state(world1, rec1);
        frame_with_state(world2, rec2);
        step_and_record(world2, rec2, 2);
        mo_run *run = NULL;
        mo_frame f;
        must(mo_run_open(old, &run, err));
        must(mo_run_frame(run, (size_t)k % 3, &f, err));
        mo_frame_free(&f);
        mo_run_close(run);
    }
    must(mo_recorder_wait(rec1, err));
    mo_run *run = NULL;
    must(mo_run_open(in_folder("first.h5"), &run, err));
    assert_frame_is_world(run, FRAMES - 1, world1);
    mo_run_close(run);
    mo_run_close(finish_and_open(in_folder("first.h5"), world1, rec1));
    run = finish_and_open(in_folder("second.h5"), world2, rec2);
    assert_int_equal(mo_run_info_get(run)->frames, FRAMES);
    mo_run_close(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        // first: it forks, and its child needs threads
        cmocka_unit_test(a_late_failure_is_reported),
        cmocka_unit_test(the_file_is_the_same),
        cmocka_unit_test(the_file_of_a_path_is_the_same),
        cmocka_unit_test(whoever_steps_waits_for_a_slow_disk),
        cmocka_unit_test(memory_does_not_grow),
        cmocka_unit_test(the_end_waits),
        cmocka_unit_test(two_recorders_and_a_reader),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
