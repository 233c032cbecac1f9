/* Run files from anybody: opening, reading and exporting must end with an answer or an error. */
#define _XOPEN_SOURCE 700 /* mkstemp, mkdtemp */
#include <moreau/record.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* one file, and one folder for what is exported, for the whole process, removed at its end; HDF5 does not
   open what has no name */
static char file_path[] = "/tmp/fuzz-run-XXXXXX", folder[] = "/tmp/fuzz-vtk-XXXXXX";

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

/* parts promise that their vertices and faces are there */
static void read_bodies(const mo_run *run)
{
    const mo_run_info *info = mo_run_info_get(run);
    const mo_body_raw *table = mo_run_bodies(run);
    const size_t dim = (size_t)info->dim;
    for (size_t i = 0; i < info->body_count; i++) {
        if (mo_run_body_row(run, table[i].id) != i)
            __builtin_trap();
        touch(table[i].vertices, dim * table[i].vertex_count * sizeof *table[i].vertices);
        for (size_t p = 0; p < table[i].part_count; p++) {
            const mo_part *part = &table[i].parts[p];
            if ((part->kind >= MO_PART_SPHERE) != (dim == 3) ||
                part->vertex_first + (size_t)part->vertex_count > table[i].vertex_count)
                __builtin_trap();
            if (part->kind != MO_PART_POLYHEDRON)
                continue;
            const uint32_t *at = table[i].faces + part->link.face.first;
            for (uint32_t f = 0; f < part->link.face.count; f++) {
                for (uint32_t c = 1; c <= at[0]; c++)
                    if (at[c] >= part->vertex_count)
                        __builtin_trap();
                at += at[0] + 1;
            }
        }
    }
}

/* a world from the file alone, as far as a file can bring bodies back, and a step of it */
static void go_on(mo_run *run, const mo_frame *f)
{
    const mo_run_info *info = mo_run_info_get(run);
    mo_error err;
    mo_world *world = NULL;
    mo_world_def def = mo_default_world_def();
    def.dim = info->dim;
    def.h = info->h;
    memcpy(def.gravity, info->gravity, sizeof def.gravity);
    def.solver.max_iter = 20;
    if (info->body_count > 64 || f->contact_count > 1000 || mo_world_create(&def, &world, &err) != MO_OK)
        return;
    for (size_t i = 0; i < info->body_count; i++)
        mo_body_restore(world, &mo_run_bodies(run)[i], &err);
    if (mo_run_restore(run, f, 0, world, &err) == MO_OK)
        mo_world_step(world, &err);
    mo_world_destroy(world);
}

static void read_everything(mo_run *run)
{
    mo_error err;
    const mo_run_info *info = mo_run_info_get(run);
    const size_t frames = info->frames < 64 ? info->frames : 64;
    for (size_t k = 0; k < frames; k++) {
        mo_frame frame;
        if (mo_run_frame(run, k, &frame, &err) != MO_OK)
            continue;
        const size_t nq = frame.dim == 2 ? 3 : 7;
        touch(frame.q, nq * frame.body_count * sizeof *frame.q);
        touch(frame.impulse, (size_t)frame.dim * frame.contact_count * sizeof *frame.impulse);
        if (k + 1 == frames)
            go_on(run, &frame);
        mo_frame_free(&frame);
    }
    read_path(run);
    const double *t, *values;
    mo_run_steps steps;
    mo_run_series(run, &t, &values, &err);
    mo_run_steps_get(run, &steps, &err);
    if (!info->is_path)
        read_bodies(run);
    mo_export_csv(run, MO_EXPORT_BODIES, 0, frames, "/dev/null", &err);
    mo_export_csv(run, MO_EXPORT_CONTACTS, 0, frames, "/dev/null", &err);
    mo_export_csv(run, MO_EXPORT_SERIES, 0, info->frames, "/dev/null", &err);
    mo_export_xdmf(run, "/dev/null", &err);
    mo_export_vtk(run, 0, frames > 0 ? 1 : 0, folder, &err);
    mo_comparison comparison;
    if (info->frames <= 64)
        mo_run_compare(run, run, &comparison, &err);
}

static void remove_files(void)
{
    static const char *const names[] = {"bodies_000000.vtu", "contacts_000000.vtu", "bodies.pvd",
                                        "contacts.pvd",      "discs_000000.vtu",    "discs.pvd",
                                        "path.vtu"};
    char name[64];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(name, sizeof name, "%s/%s", folder, names[i]);
        unlink(name);
    }
    rmdir(folder);
    unlink(file_path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    if (fd < 0) {
        fd = mkstemp(file_path);
        if (fd < 0 || mkdtemp(folder) == NULL)
            abort();
        atexit(remove_files);
    }
    mo_run *run = NULL;
    mo_error err;
    if (ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
        abort();
    if (mo_run_open(file_path, &run, &err) == MO_OK)
        read_everything(run);
    mo_run_close(run);
    return 0;
}
