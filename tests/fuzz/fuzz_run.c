/* Run files from anybody: opening, reading and exporting must end with an answer or an error. */
#define _XOPEN_SOURCE 700 /* mkstemp */
#include <moreau/record.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* HDF5 loses the headers of objects it could not decode; the leak sanitizer shall look at our code only */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libhdf5";
}

/* reads what a pointer promises, so that a sanitizer sees whether it is there */
static void touch(const void *data, size_t bytes)
{
    volatile uint8_t sum = 0;
    for (size_t i = 0; i < bytes; i++)
        sum = (uint8_t)(sum + ((const uint8_t *)data)[i]);
}

static void read_path(mo_run *run)
{
    mo_error err;
    mo_run_path path;
    mo_run_events events;
    mo_run_outlines outlines;
    mo_checkpoint checkpoint;
    const mo_run_info *info = mo_run_info_get(run);
    if (mo_run_path_get(run, &path, &err) == MO_OK) {
        touch(path.x, path.rows * info->coordinates * sizeof *path.x);
        touch(path.lambda, path.rows * info->multipliers * sizeof *path.lambda);
        touch(path.u, path.u != NULL ? path.rows * info->coordinates * sizeof *path.u : 0);
        touch(path.radius, path.disc_count * sizeof *path.radius);
        touch(path.walls, 4 * path.wall_count * sizeof *path.walls);
        for (size_t i = 0; i < path.hold_first[path.rows]; i++)
            if (path.hold_pair[2 * i] >= path.disc_count ||
                path.hold_pair[2 * i + 1] >= path.disc_count + path.wall_count)
                __builtin_trap();
    }
    if (mo_run_events_get(run, &events, &err) == MO_OK) {
        touch(events.gaps, events.gap_first[events.count] * sizeof *events.gaps);
        for (size_t i = 0; i < events.count; i++)
            touch(events.type[i], 1);
    }
    if (mo_run_outlines_get(run, &outlines, &err) == MO_OK)
        touch(outlines.points, 2 * outlines.first[outlines.count] * sizeof *outlines.points);
    if (mo_run_checkpoint(run, &checkpoint, &err) == MO_OK)
        touch(checkpoint.state, checkpoint.state_size);
}

static void read_everything(mo_run *run)
{
    mo_error err;
    const mo_run_info *info = mo_run_info_get(run);
    const size_t frames = info->frames < 64 ? info->frames : 64;
    for (size_t k = 0; k < frames; k++) {
        mo_frame frame;
        if (mo_run_frame(run, k, &frame, &err) == MO_OK)
            mo_frame_free(&frame);
    }
    read_path(run);
    const double *t, *values;
    mo_run_steps steps;
    mo_run_series(run, &t, &values, &err);
    mo_run_steps_get(run, &steps, &err);
    for (size_t i = 0; i < info->body_count; i++)
        if (mo_run_body_row(run, mo_run_bodies(run)[i].id) != i)
            __builtin_trap();
    mo_export_csv(run, MO_EXPORT_BODIES, 0, frames, "/dev/null", &err);
    mo_export_csv(run, MO_EXPORT_CONTACTS, 0, frames, "/dev/null", &err);
    mo_export_csv(run, MO_EXPORT_SERIES, 0, info->frames, "/dev/null", &err);
    mo_export_xdmf(run, "/dev/null", &err);
    mo_comparison comparison;
    if (info->frames <= 64)
        mo_run_compare(run, run, &comparison, &err);
}

/* one file for the whole process, removed at its end; HDF5 does not open what has no name */
static char path[] = "/tmp/fuzz-run-XXXXXX";

static void remove_file(void)
{
    unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    if (fd < 0) {
        fd = mkstemp(path);
        if (fd < 0)
            abort();
        atexit(remove_file);
    }
    mo_run *run = NULL;
    mo_error err;
    if (ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
        abort();
    if (mo_run_open(path, &run, &err) == MO_OK)
        read_everything(run);
    mo_run_close(run);
    return 0;
}
