/* Runs of points that are killed, that fill the disk, and that are read while they are written. */
#include "record/killed.h"
#include "record/small_path.h"

#include <errno.h>

#define KILLS 20
#define LAST 400 /* rows of a writer that nobody kills */

/* seven rows to a checkpoint, an outline now and then */
static void write_until_killed(const char *path, const void *data, int pipe_end)
{
    const small_path *p = data;
    const mo_recorder_def def = small_path_recorder();
    const mo_path_def path_def = small_path_def(p);
    mo_recorder *rec = NULL;
    must(mo_recorder_create_path(path, &def, &path_def, &rec, err));
    for (size_t k = 0; k < LAST; k++) {
        put_rows(rec, p, k, k + 1);
        if (k % 5 == 0)
            put_outline(rec, k / 5);
        if (k % 7 != 6)
            continue;
        put_checkpoint(rec, k);
        if (write(pipe_end, "x", 1) != 1)
            _exit(3);
    }
    must(mo_recorder_finish(rec, "ok", NULL, err));
    mo_recorder_destroy(rec);
    _exit(0);
}

static void assert_outlines(mo_run *run, size_t rows)
{
    mo_run_outlines lines;
    must(mo_run_outlines_get(run, &lines, err));
    assert_int_equal(lines.count, (rows + 4) / 5);
    for (size_t k = 0; k < lines.count; k++)
        assert_true(lines.t[k] == 0.125 * (double)k && lines.points[2 * lines.first[k]] == (double)k);
}

/* goes on where the checkpoint is and makes the rest */
static void go_on(const char *path, const small_path *p, size_t rows)
{
    const mo_recorder_def def = small_path_recorder();
    const mo_path_def path_def = small_path_def(p);
    mo_recorder *rec = NULL;
    must(mo_recorder_resume_path(path, &def, &path_def, &rec, err));
    for (size_t k = rows; k < rows + 30; k++) {
        put_rows(rec, p, k, k + 1);
        if (k % 5 == 0)
            put_outline(rec, k / 5);
        if (k % 7 == 6)
            put_checkpoint(rec, k);
    }
    must(mo_recorder_finish(rec, "ok", NULL, err));
    mo_recorder_destroy(rec);
    mo_run *run = NULL;
    must(mo_run_open(path, &run, err));
    assert_path(run, p, rows + 30);
    assert_outlines(run, rows + 30);
    mo_run_close(run);
}

static void killed_and_resumed(const small_path *p, unsigned seed)
{
    const char *path = in_folder("killed.h5");
    size_t with_rows = 0;
    srand(seed);
    long longest = 60000;
    for (int i = 0; i < KILLS; i++) {
        unlink(path);
        const size_t safe = kill_after(write_until_killed, path, p, 5000 + rand() % longest);
        longest = later(longest, safe);
        if (access(path, F_OK) != 0) {
            assert_int_equal(safe, 0);
            continue;
        }
        mo_run *run = NULL;
        must(mo_run_open(path, &run, err));
        const size_t rows = mo_run_info_get(run)->frames;
        const bool finished = strcmp(mo_run_info_get(run)->status, "ok") == 0;
        // what was reported as safe is there, and at most the checkpoint that was being reported more
        if (!finished) {
            assert_in_range(rows / 7, surely_written(safe), safe + 1);
            assert_int_equal(rows % 7, 0);
        }
        assert_path(run, p, rows);
        assert_outlines(run, rows);
        if (rows > 0)
            assert_checkpoint_after(run, rows / 7 * 7 - 1);
        mo_run_close(run);
        with_rows += rows > 0;
        go_on(path, p, rows / 7 * 7);
    }
    assert_true(with_rows > KILLS / 3);
}

static void killed_in_the_plane(void **state)
{
    (void)state;
    killed_and_resumed(&plane, 1);
}

static void killed_with_discs(void **state)
{
    (void)state;
    killed_and_resumed(&discs3, 2);
    in_background = true;
    killed_and_resumed(&discs3, 4);
    in_background = false;
}

static void killed_with_velocities(void **state)
{
    (void)state;
    killed_and_resumed(&motion, 3);
}

/* ---- disk full --------------------------------------------------------------------------------- */

static int fill_up(const char *path, const void *data)
{
    const small_path *p = data;
    const mo_recorder_def def = small_path_recorder();
    const mo_path_def path_def = small_path_def(p);
    mo_recorder *rec = NULL;
    mo_error e = {.message = ""};
    mo_status status = mo_recorder_create_path(path, &def, &path_def, &rec, &e);
    size_t rows = 0;
    while (status == MO_OK && rows < 1000000) {
        put_rows(rec, p, rows, rows + 20);
        const mo_checkpoint c = {.t = 1, .extra = {.state_text = "s"}};
        status = mo_recorder_checkpoint(rec, &c, &e);
        rows += status == MO_OK ? 20 : 0;
    }
    if (status != MO_IO || strstr(e.message, strerror(EFBIG)) == NULL)
        return 1;
    const double values[2] = {0, 0};
    if (rec != NULL && (mo_recorder_path_series(rec, 1, values, &e) != MO_IO ||
                        mo_recorder_finish(rec, "ok", NULL, &e) != MO_IO))
        return 2;
    mo_recorder_destroy(rec);
    // what was reported as safe can be read
    mo_run *run = NULL;
    if (rows > 0 && mo_run_open(path, &run, &e) != MO_OK)
        return 3;
    if (rows > 0)
        assert_path(run, p, rows);
    mo_run_close(run);
    return 0;
}

static void a_full_disk_is_reported(void **state)
{
    (void)state;
    const char *path = in_folder("full.h5");
    for (int i = 0; i < 24; i++) {
        unlink(path);
        with_full_disk(fill_up, path, i % 2 ? &discs3 : &plane, (rlim_t)(1000 + i * i * 2777));
    }
}

/* ---- reading a run that goes on ------------------------------------------------------------------- */

static void a_running_run_can_be_read(void **state)
{
    (void)state;
    const char *path = in_folder("live.h5");
    unlink(path);
    int read_end;
    const pid_t child = start_writer(write_until_killed, path, &discs3, &read_end);
    char byte;
    size_t last = 0, opened = 0;
    while (read(read_end, &byte, 1) == 1) {
        mo_run *run = NULL;
        must(mo_run_open(path, &run, err));
        const size_t rows = mo_run_info_get(run)->frames;
        assert_true(rows >= last && rows >= 7);
        assert_path(run, &discs3, rows);
        assert_outlines(run, rows);
        mo_run_close(run);
        last = rows;
        opened++;
    }
    close(read_end);
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    assert_true(opened > 10);
    mo_run *run = NULL;
    must(mo_run_open(path, &run, err));
    assert_path(run, &discs3, LAST);
    mo_run_close(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_in_the_plane), cmocka_unit_test(killed_with_discs),
        cmocka_unit_test(killed_with_velocities), cmocka_unit_test(a_full_disk_is_reported),
        cmocka_unit_test(a_running_run_can_be_read)};
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
