/* Runs that are killed, that fill the disk, and that are read while they are written. */
#include "record/killed.h"

#include <errno.h>

#define KILLS 25

/* writes frames until killed; a byte down the pipe for each frame that was reported as safe */
static void write_until_killed(const char *path, const void *discs, int pipe_end)
{
    const mo_recorder_def def = small_def();
    mo_world *world = small_world(*(const int *)discs);
    mo_recorder *rec = NULL;
    mo_error e;
    if (mo_recorder_create(path, &def, world, &rec, &e) != MO_OK)
        _exit(1);
    for (int k = 0;; k++) {
        for (int i = 0; i < 2; i++)
            if (mo_world_step(world, &e) != MO_OK || mo_recorder_step(rec, world, &e) != MO_OK)
                _exit(2);
        const double values[2] = {k, 0};
        const mo_frame_extra extra = {.random = {(uint64_t)k, 1}, .state_text = "s"};
        // bodies come while it runs, so that the tables grow too
        if (k % 3 == 0)
            add_disc(world, -2 + 0.11 * (k % 30), 2 + 0.11 * k);
        if (mo_recorder_series(rec, world, values, &e) != MO_OK ||
            mo_recorder_frame(rec, world, &extra, &e) != MO_OK || write(pipe_end, "x", 1) != 1)
            _exit(3);
        // some runs end, so that closing is killed too
        if (k == 60) {
            mo_recorder_finish(rec, "ok", "{}", &e);
            mo_recorder_destroy(rec);
            _exit(0);
        }
    }
}

/* every frame of the file against the same simulation made again */
static mo_world *check_frames(mo_run *run, int discs, size_t *series_rows)
{
    mo_world *world = small_world(discs);
    const size_t frames = mo_run_info_get(run)->frames;
    for (size_t k = 0; k < frames; k++) {
        must(mo_world_step(world, err));
        must(mo_world_step(world, err));
        if (k % 3 == 0)
            add_disc(world, -2 + 0.11 * (double)(k % 30), 2 + 0.11 * (double)k);
        assert_frame_is_world(run, k, world);
    }
    const double *t, *values;
    must(mo_run_series(run, &t, &values, err));
    *series_rows = mo_run_info_get(run)->series_rows;
    assert_int_equal(*series_rows, frames);
    for (size_t k = 0; k < frames; k++)
        assert_true(values[8 * k + 6] == (double)k);
    mo_run_steps steps;
    must(mo_run_steps_get(run, &steps, err));
    assert_int_equal(steps.count, 2 * frames);
    return world;
}

static void killed_and_resumed(int discs, unsigned seed)
{
    const char *path = in_folder("killed.h5");
    srand(seed);
    size_t with_frames = 0;
    long longest = 250000;
    for (int i = 0; i < KILLS; i++) {
        unlink(path);
        const size_t safe = kill_after(write_until_killed, path, &discs, 10000 + rand() % longest);
        longest = later(longest, safe);
        if (access(path, F_OK) != 0) {
            assert_int_equal(safe, 0);
            continue;
        }
        mo_run *run = NULL;
        must(mo_run_open(path, &run, err));
        // what was reported as safe is there, and at most the one frame that was being reported more
        const size_t frames = mo_run_info_get(run)->frames;
        assert_in_range(frames, surely_written(safe), safe + 1);
        size_t rows;
        mo_world *world = check_frames(run, discs, &rows);
        mo_run_close(run);
        with_frames += frames > 0;
        // and it goes on
        const mo_recorder_def def = small_def();
        mo_recorder *rec = NULL;
        must(mo_recorder_resume(path, &def, world, &rec, err));
        must(mo_world_step(world, err));
        must(mo_recorder_frame(rec, world, NULL, err));
        must(mo_recorder_finish(rec, "ok", NULL, err));
        mo_recorder_destroy(rec);
        must(mo_run_open(path, &run, err));
        assert_int_equal(mo_run_info_get(run)->frames, frames + 1);
        assert_frame_is_world(run, frames, world);
        if (frames > 0) {
            mo_frame f;
            must(mo_run_frame(run, frames - 1, &f, err));
            assert_true(f.random[0] == frames - 1 && strcmp(f.state_text, "s") == 0);
            mo_frame_free(&f);
        }
        mo_run_close(run);
        mo_world_destroy(world);
    }
    assert_true(with_frames > KILLS / 3);
}

static void killed_with_few_bodies(void **state)
{
    (void)state;
    killed_and_resumed(3, 1);
}

static void killed_with_many_bodies(void **state)
{
    (void)state;
    killed_and_resumed(130, 2);
}

static void killed_in_the_background(void **state)
{
    (void)state;
    in_background = true;
    killed_and_resumed(130, 3);
    in_background = false;
}

/* ---- disk full --------------------------------------------------------------------------------- */

static int fill_up(const char *path, const void *discs)
{
    const mo_recorder_def def = small_def();
    mo_world *world = small_world(*(const int *)discs);
    mo_recorder *rec = NULL;
    mo_error e = {.message = ""};
    mo_status status = mo_recorder_create(path, &def, world, &rec, &e);
    size_t frames = 0;
    while (status == MO_OK && frames < 10000) {
        status = mo_recorder_frame(rec, world, NULL, &e);
        frames += status == MO_OK;
    }
    if (status != MO_IO || strstr(e.message, strerror(EFBIG)) == NULL)
        return 1;
    if (rec != NULL && (mo_recorder_frame(rec, world, NULL, &e) != MO_IO ||
                        mo_recorder_finish(rec, "ok", NULL, &e) != MO_IO))
        return 2;
    mo_recorder_destroy(rec);
    mo_world_destroy(world);
    // what was reported as safe can be read
    mo_run *run = NULL;
    if (frames == 0)
        return 0;
    if (mo_run_open(path, &run, &e) != MO_OK)
        return 3;
    const size_t found = mo_run_info_get(run)->frames;
    if (found < surely_written(frames) || found > frames || (!in_background && found != frames))
        return 4;
    mo_frame f;
    for (size_t k = 0; k < found; k++) {
        if (mo_run_frame(run, k, &f, &e) != MO_OK)
            return 5;
        mo_frame_free(&f);
    }
    mo_run_close(run);
    return 0;
}

static void a_full_disk_is_reported(void **state)
{
    (void)state;
    const char *path = in_folder("full.h5");
    for (int i = 0; i < 48; i++) {
        const int discs = i % 2 ? 130 : 3;
        in_background = i >= 24;
        unlink(path);
        with_full_disk(fill_up, path, &discs, (rlim_t)(1000 + i % 24 * (i % 24) * 2777));
    }
    in_background = false;
}

/* ---- reading a run that goes on ------------------------------------------------------------------- */

static void read_while_it_runs(void)
{
    const char *path = in_folder("live.h5");
    unlink(path);
    const int discs = 130;
    int read_end;
    const pid_t child = start_writer(write_until_killed, path, &discs, &read_end);
    char byte;
    size_t last = 0, opened = 0, safe = 0;
    while (read(read_end, &byte, 1) == 1) {
        mo_run *run = NULL;
        must(mo_run_open(path, &run, err));
        const size_t frames = mo_run_info_get(run)->frames;
        safe++;
        assert_true(frames >= last && frames >= surely_written(safe));
        if (frames == 0) {
            mo_run_close(run);
            continue;
        }
        mo_frame f;
        must(mo_run_frame(run, frames - 1, &f, err));
        assert_true(f.random[0] == frames - 1);
        mo_frame_free(&f);
        mo_run_close(run);
        last = frames;
        opened++;
    }
    close(read_end);
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    mo_run *run = NULL;
    must(mo_run_open(path, &run, err));
    assert_int_equal(mo_run_info_get(run)->frames, 61);
    mo_run_close(run);
    assert_true(opened > 10);
}

static void a_running_run_can_be_read(void **state)
{
    (void)state;
    read_while_it_runs();
}

static void so_can_one_in_the_background(void **state)
{
    (void)state;
    in_background = true;
    read_while_it_runs();
    in_background = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_with_few_bodies),    cmocka_unit_test(killed_with_many_bodies),
        cmocka_unit_test(killed_in_the_background),  cmocka_unit_test(a_full_disk_is_reported),
        cmocka_unit_test(a_running_run_can_be_read), cmocka_unit_test(so_can_one_in_the_background)};
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
