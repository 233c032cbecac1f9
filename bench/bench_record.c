/*
 * What recording costs: the wall time of steps with frames over that of the same steps without, less 1.
 *
 *   bench_record [--spheres N] [--settle STEPS] [--iterations K] [--rounds R] [--threads T] [--file FILE]
 *                [--scene FILE.lua] [--set NAME=VALUE]...
 *
 * Spheres: N of them settle in a box (spheres.h, K sweeps a step, h = 1 ms); then blocks of 100 steps take
 * turns: without recording, with a frame every 10 ms that is in the file before the next step, and with
 * frames written in the background.  A scene: it runs as often, a frame every 10 ms, with and without
 * recording.  Printed: medians of wall time, of the processors' time of all
 * threads and of the thread that steps, and bytes of a frame.
 */
#define _XOPEN_SOURCE 700
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/timer.h"
#include "scene/scene.h"
#include "spheres.h"

enum { BLOCK = 100, APART = 10, MOST_ROUNDS = 99 };
typedef enum mode { PLAIN, WAITING, BACKGROUND, MODES } mode;

static const char *const mode_names[MODES] = {"no recording", "waiting for the file", "in the background"};

typedef struct options {
    int spheres, settle, iterations, rounds, threads;
    const char *file, *scene, *sets[8];
    size_t set_count;
} options;

/* of one mode and every block, s: wall, processors' time of all threads, of the one that steps */
typedef struct times {
    double wall[MOST_ROUNDS], cpu[MOST_ROUNDS], own[MOST_ROUNDS];
    double frame_bytes;
} times;

static double cpu_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static double own_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double file_bytes(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? (double)st.st_size : 0;
}

/* median per unit in ms, and by how much it is above that without recording */
static void print_times(const char *name, const double *v, const double *plain, int rounds, int units)
{
    double x[MOST_ROUNDS], y[MOST_ROUNDS];
    memcpy(x, v, sizeof x);
    memcpy(y, plain, sizeof y);
    const double m = median(x, rounds);
    printf("  %s %7.2f ms (%+5.1f %%)", name, 1e3 * m / units, 100 * (m / median(y, rounds) - 1));
}

static void print_modes(times t[MODES], int rounds, int units)
{
    for (int m = 0; m < MODES; m++) {
        if (t[m].wall[0] <= 0)
            continue;
        printf("  %-20s", mode_names[m]);
        print_times("wall", t[m].wall, t[PLAIN].wall, rounds, units);
        print_times("processors", t[m].cpu, t[PLAIN].cpu, rounds, units);
        print_times("of who steps", t[m].own, t[PLAIN].own, rounds, units);
        printf("  frame %7.1f kB\n", 1e-3 * t[m].frame_bytes);
    }
}

static mo_recorder *open_recorder(const mo_world *w, const options *o, mode m)
{
    mo_error err;
    mo_recorder *rec = NULL;
    const mo_recorder_def def = {.scene_name = "spheres",
                                 .scene_text = "",
                                 .params_json = "{}",
                                 .t_end = 1,
                                 .every = 0.01,
                                 .background = m == BACKGROUND,
                                 .solver = "auto"};
    if (m != PLAIN)
        must(mo_recorder_create(o->file, &def, w, &rec, &err), &err);
    return rec;
}

/* the file is made before and closed within the time that is taken; the first frame holds the body table */
static void run_block(mo_world *w, const options *o, mode m, times *out, int round)
{
    mo_error err;
    mo_recorder *rec = open_recorder(w, o, m);
    if (rec != NULL) {
        must(mo_recorder_frame(rec, w, NULL, &err), &err);
        must(mo_recorder_wait(rec, &err), &err);
    }
    const double size = file_bytes(o->file), cpu = cpu_seconds(), own = own_seconds(), wall = seconds_now();
    for (int i = 1; i <= BLOCK; i++) {
        step(w);
        if (rec == NULL)
            continue;
        must(mo_recorder_step(rec, w, &err), &err);
        if (i % APART == 0)
            must(mo_recorder_frame(rec, w, NULL, &err), &err);
    }
    mo_recorder_destroy(rec);
    out->wall[round] = seconds_now() - wall;
    out->cpu[round] = cpu_seconds() - cpu;
    out->own[round] = own_seconds() - own;
    out->frame_bytes = rec != NULL ? (file_bytes(o->file) - size) / ((double)BLOCK / APART) : 0;
}

static void run_spheres(const options *o)
{
    times t[MODES] = {0};
    const mo_solver_settings solver = {.name = MO_SOLVER_NLGS, .tol = 0, .max_iter = o->iterations};
    mo_world *w = make_box(o->spheres, &solver, o->threads, false);
    for (int i = 0; i < o->settle; i++)
        step(w);
    for (int r = 0; r < o->rounds; r++)
        for (int m = 0; m < MODES; m++)
            run_block(w, o, (mode)m, &t[m], r);
    const mo_world_info info = mo_world_info_get(w);
    printf("%d spheres, %zu contacts, %d sweeps a step, residual %.1e, %d threads; per step:\n", o->spheres,
           info.contacts, o->iterations, info.solver.certificate.residual, o->threads);
    print_modes(t, o->rounds, BLOCK);
    mo_world_destroy(w);
}

/* the text of a scene, its frames 10 ms apart whatever it asks for; freed by the caller */
static char *scene_text(const char *path)
{
    static const char first[] = "local given = world; world = function(w) "
                                "w.record = { every = 0.01 }; return given(w) end ";
    FILE *file = fopen(path, "rb");
    const size_t size = (size_t)file_bytes(path), start = sizeof first - 1;
    char *text = malloc(start + size + 1);
    if (file == NULL || text == NULL || fread(text + start, 1, size, file) != size) {
        fprintf(stderr, "bench: cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    memcpy(text, first, start);
    text[start + size] = '\0';
    return text;
}

static int64_t run_scene(const options *o, const char *text, mode m, times *out, int round)
{
    const scene_options so = {.path = o->scene,
                              .text = text,
                              .text_length = strlen(text),
                              .seed = 1,
                              .threads = o->threads,
                              .sets = o->sets,
                              .set_count = o->set_count,
                              .until = -1,
                              .steps = -1,
                              .output = m != PLAIN ? o->file : NULL};
    scene_result result;
    mo_error err = {.message = ""};
    const double cpu = cpu_seconds(), own = own_seconds(), wall = seconds_now();
    must(scene_run(&so, &result, &err), &err);
    out->wall[round] = seconds_now() - wall;
    out->cpu[round] = cpu_seconds() - cpu;
    out->own[round] = own_seconds() - own;
    const int64_t steps = result.info.steps;
    const double frames = result.info.time / 0.01;
    out->frame_bytes = m != PLAIN ? file_bytes(o->file) / frames : 0;
    scene_result_free(&result);
    return steps;
}

static void run_scenes(const options *o)
{
    times t[MODES] = {0};
    int64_t steps = 0;
    char *text = scene_text(o->scene);
    for (int r = 0; r < o->rounds; r++)
        for (int m = 0; m < MODES; m++)
            if (m != WAITING)
                steps = run_scene(o, text, (mode)m, &t[m], r);
    printf("%s, %lld steps, %d threads; per step:\n", o->scene, (long long)steps, o->threads);
    print_modes(t, o->rounds, (int)steps);
    free(text);
}

static options read_options(int argc, char **argv)
{
    options o = {.spheres = 8000,
                 .settle = 1000,
                 .iterations = 50,
                 .rounds = 5,
                 .threads = 1,
                 .file = "bench-record.h5"};
    const struct {
        const char *name;
        int *value;
    } known[] = {{"--spheres", &o.spheres},
                 {"--settle", &o.settle},
                 {"--iterations", &o.iterations},
                 {"--rounds", &o.rounds},
                 {"--threads", &o.threads}};
    for (int i = 1; i + 1 < argc; i += 2) {
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (strcmp(argv[i], known[k].name) == 0)
                *known[k].value = atoi(argv[i + 1]);
        if (strcmp(argv[i], "--file") == 0)
            o.file = argv[i + 1];
        if (strcmp(argv[i], "--scene") == 0)
            o.scene = argv[i + 1];
        if (strcmp(argv[i], "--set") == 0 && o.set_count < sizeof o.sets / sizeof *o.sets)
            o.sets[o.set_count++] = argv[i + 1];
    }
    if (o.rounds > MOST_ROUNDS)
        o.rounds = MOST_ROUNDS;
    return o;
}

int main(int argc, char **argv)
{
    const options o = read_options(argc, argv);
    if (o.scene != NULL)
        run_scenes(&o);
    else
        run_spheres(&o);
    unlink(o.file);
    return 0;
}
