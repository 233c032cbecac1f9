/* Drivers of other programs (bench/peers/): which are there, and runs of them in processes of their own. */
#define _XOPEN_SOURCE 700 /* setrlimit */
#include "peers.h"

#include "child.h"
#include "core/fail.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* A program and its executables: peer_NAME. */
static const struct {
    const char *name, *drivers[3];
} programs[] = {
    {"bullet", {"bullet64", "bullet32"}},
    {"ode", {"ode"}},
    {"box2d", {"box2d"}},
    {"mujoco", {"mujoco"}},
    {"lammps", {"lammps"}},
};

enum { PROGRAMS = sizeof programs / sizeof programs[0] };

const char *peer_program_name(size_t i)
{
    return i < PROGRAMS ? programs[i].name : NULL;
}

/* ---- processes ------------------------------------------------------------------------------------ */

// in the child: one thread, no more time than allowed, output and complaints to files
_Noreturn static void become(char *const argv[], double limit, FILE *out, FILE *complaints)
{
    if (limit > 0) {
        const rlim_t most = (rlim_t)(limit + 1);
        setrlimit(RLIMIT_CPU, &(struct rlimit){most, most + 5});
    }
    child_one_thread();
    child_become(argv, -1, fileno(out), fileno(complaints));
}

// its wait status, or -1
static int launch(char *const argv[], double limit, FILE *out, FILE *complaints)
{
    int status = -1;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        become(argv, limit, out, complaints);
    while (child > 0 && waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return child > 0 ? status : -1;
}

/* ---- what there is -------------------------------------------------------------------------------- */

static bool list_settings(const peer_scene *scene, peer_driver *d)
{
    char dim[8], list[] = "--list", *kind = scene->bodies[0].radius > 0 ? "round" : "box";
    FILE *out = tmpfile(), *complaints = tmpfile();
    snprintf(dim, sizeof dim, "%d", scene->dim);
    size_t length = 0;
    if (out != NULL && complaints != NULL &&
        launch((char *[]){d->path, list, dim, kind, NULL}, 10, out, complaints) == 0) {
        rewind(out);
        length = fread(d->settings, 1, sizeof d->settings - 1, out);
    }
    d->settings[length] = '\0';
    if (out != NULL)
        fclose(out);
    if (complaints != NULL)
        fclose(complaints);
    return length > 0;
}

size_t peer_find_drivers(const char *folder, const char *program, const peer_scene *scene, peer_driver *out,
                         size_t most, size_t *there)
{
    size_t found = 0, i = 0;
    *there = 0;
    while (i < PROGRAMS && strcmp(programs[i].name, program) != 0)
        i++;
    for (size_t k = 0; i < PROGRAMS && k < 3 && programs[i].drivers[k] != NULL && found < most; k++) {
        peer_driver *d = &out[found];
        const int length = snprintf(d->path, sizeof d->path, "%s/peer_%s", folder, programs[i].drivers[k]);
        if (length < 0 || (size_t)length >= sizeof d->path || access(d->path, X_OK) != 0)
            continue;
        (*there)++;
        found += list_settings(scene, d);
    }
    return found;
}

/* ---- a run ---------------------------------------------------------------------------------------- */

/* A file with a name, for the driver to open. */
typedef struct scratch {
    char path[64];
    FILE *file;
} scratch;

static bool scratch_open(scratch *s)
{
    snprintf(s->path, sizeof s->path, "/tmp/moreau-bench-XXXXXX");
    const int fd = mkstemp(s->path);
    s->file = fd >= 0 ? fdopen(fd, "w+") : NULL;
    if (s->file == NULL)
        s->path[0] = '\0';
    return s->file != NULL;
}

static void scratch_close(scratch *s)
{
    if (s->file != NULL)
        fclose(s->file);
    if (s->path[0] != '\0')
        unlink(s->path);
}

// what a driver that did not end well said last
static mo_status explain(int status, double limit, FILE *complaints, mo_error *err)
{
    char line[256] = "", next[256];
    rewind(complaints);
    while (fgets(next, sizeof next, complaints) != NULL)
        if (next[0] != '\n')
            memcpy(line, next, sizeof line);
    line[strcspn(line, "\n")] = '\0';
    if (status != -1 && WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
        return fail(err, MO_STOPPED, "", "stopped after %g s of processor time", limit);
    if (status != -1 && WIFSIGNALED(status))
        return fail(err, MO_STOPPED, "", "ended by signal %d", WTERMSIG(status));
    return fail(err, MO_STOPPED, "", "%s", line[0] != '\0' ? line : "it ended without a word");
}

mo_status peer_run_driver(const peer_driver *driver, const char *setting, const peer_scene *scene,
                          double limit, peer_result *out, mo_error *err)
{
    scratch scene_file = {.file = NULL}, result_file = {.file = NULL};
    FILE *quiet = tmpfile(), *complaints = tmpfile();
    char path[sizeof driver->path], name[32];
    mo_status status;
    snprintf(path, sizeof path, "%s", driver->path);
    snprintf(name, sizeof name, "%s", setting);
    if (quiet == NULL || complaints == NULL || !scratch_open(&scene_file) || !scratch_open(&result_file) ||
        !peer_scene_write(scene_file.file, scene) || fflush(scene_file.file) != 0) {
        status = fail(err, MO_IO, "", "the scene cannot be written: %s", strerror(errno));
    } else {
        const int code =
            launch((char *[]){path, name, scene_file.path, result_file.path, NULL}, limit, quiet, complaints);
        status = code == 0 ? peer_result_read(result_file.file, scene, out, err)
                           : explain(code, limit, complaints, err);
    }
    scratch_close(&scene_file);
    scratch_close(&result_file);
    if (quiet != NULL)
        fclose(quiet);
    if (complaints != NULL)
        fclose(complaints);
    return status;
}
