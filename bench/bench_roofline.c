/*
 * What limits the sweeps: bytes and operations per contact and sweep of each kernel, the time they take, and
 * what that is of the bandwidth and of the operations a second that this machine reaches.
 *
 *   bench_roofline [--quick] [--page FILE]
 *
 * Bytes are given twice: all that a contact touches (row read, impulse and two bodies read and written), and
 * what must come from memory at least, each body once a sweep.  Bandwidth is that of the triad on a working
 * set of the same size.  --page writes the table as a page of the documentation.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peers/peers.h"
#include "problem/step_problem.h"
#include "stream.h"

/* A kernel: what one contact of two bodies takes.  Operations are to be counted anew when the
   rows of the step problem change. */
typedef struct kernel {
    const char *name, *scene;
    double row, impulse, body; /* bytes */
    double flops;              /* additions, multiplications, divisions, comparisons */
    size_t sizes[3];           /* of the scene */
} kernel;

static const kernel kernels[] = {
    {"sweep, discs", "A", sizeof(round_row), 16, sizeof(velocity2), 55, {1000, 10000, 50000}},
    {"sweep, spheres", "B", sizeof(round_row), 24, sizeof(ball3), 141, {1000, 8000, 0}},
    {"sweep, boxes", "pyramid", sizeof(contact_row3), 24, sizeof(velocity3), 240, {10, 30, 0}},
};

typedef struct sample {
    const kernel *k;
    double bodies, contacts, ns; /* ns: per contact and sweep */
    double touched, compulsory;  /* bytes per contact and sweep */
    double bandwidth;            /* bytes a second of the triad on the working set */
} sample;

static bool measure(const kernel *k, size_t n, bool quick, sample *out)
{
    const peer_setting sweeps = {"100-sweeps", "", MO_SOLVER_NLGS, 0, 100, false};
    const bool round = strcmp(k->scene, "pyramid") != 0;
    const peer_size size = {n, quick ? 100 : round ? 600 : 1, quick ? 5 : 30};
    peer_scene scene;
    peer_result result;
    mo_error err;
    mo_status status = peer_scene_make(k->scene, &size, quick, &scene, &err);
    if (status == MO_OK) {
        status = peer_run_own(&scene, &sweeps, &result, &err);
        *out = (sample){.k = k, .bodies = (double)scene.body_count};
        peer_scene_free(&scene);
    }
    if (status != MO_OK) {
        fprintf(stderr, "bench_roofline: %s: %s\n", err.key, err.message);
        return false;
    }
    out->contacts = result.contacts;
    // stages have the clock on the wall: their share of the processor's time of a step
    double stages = 0, solve = 0;
    for (size_t i = 0; i < result.stage_count; i++) {
        stages += result.stages[i].seconds;
        solve += strcmp(result.stages[i].name, "solve") == 0 ? result.stages[i].seconds : 0;
    }
    out->ns = 1e9 * peer_median(result.seconds, result.step_count) * solve / stages /
              (result.contacts * result.iterations);
    out->touched = k->row + 2 * k->impulse + 2 * 2 * k->body;
    out->compulsory = k->row + 2 * k->impulse + 2 * k->body * out->bodies / out->contacts;
    const double set = out->contacts * (k->row + k->impulse) + out->bodies * k->body;
    out->bandwidth = stream_triad((size_t)fmax(set, 1e5), 1);
    peer_result_free(&result);
    return true;
}

// the nearer roof, where more than half of it is reached; else the chain of operations of a contact
static const char *limit(const sample *s, double flops)
{
    const double memory = s->compulsory / s->ns * 1e9 / s->bandwidth,
                 work = s->k->flops / s->ns * 1e9 / flops;
    if (fmax(memory, work) < 0.5)
        return "latency: one contact's chain of operations, of which a core overlaps few";
    return memory > work ? "bandwidth" : "operations";
}

static void write_row(FILE *f, const sample *s, double flops)
{
    const double rate = s->compulsory / s->ns, work = s->k->flops / s->ns;
    fprintf(f,
            "| %s | %.0f | %.0f | %.1f | %.0f | %.0f | %.0f | %.2f | %.1f | %.1f | %.0f %% | %.1f | %.0f %% "
            "| %s |\n",
            s->k->name, s->bodies, s->contacts, s->ns, s->touched, s->compulsory, s->k->flops,
            s->k->flops / s->compulsory, rate, 1e-9 * s->bandwidth, 100 * rate / (1e-9 * s->bandwidth), work,
            100 * work / (1e-9 * flops), limit(s, flops));
}

static void write_bandwidth(FILE *f)
{
    static const double sizes[] = {0.4e6, 3e6, 50e6, 200e6, 1600e6};
    fputs("## The machine\n\nSTREAM triad, GB/s, three arrays together.\n\n| threads | 0.4 MB | 3 MB | 50 MB "
          "| 200 MB | 1600 MB "
          "|\n|---|---|---|---|---|---|\n",
          f);
    for (int threads = 1; threads <= 2; threads++) {
        fprintf(f, "| %d |", threads);
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
            fprintf(f, " %.1f |", 1e-9 * stream_triad((size_t)sizes[k], threads));
        fputc('\n', f);
    }
}

static void write_head(FILE *f, const char *processor)
{
    fprintf(f,
            "# Roofline of the sweeps\n\nWritten by `make roofline` (`bench_roofline`); nothing here is by "
            "hand. Machine: %s, one "
            "thread unless stated, medians.\n\n"
            "Per contact of two bodies and sweep: *touched*, bytes of the row read, of the impulse and of "
            "two bodies read and "
            "written; *least*, what must come from\nmemory when every body stays in a cache between its "
            "contacts; *flops*, "
            "additions, multiplications, divisions and comparisons, counted in the source. *triad*: "
            "STREAM's\nbandwidth on a "
            "working set of the same size. The peak is that of independent chains of additions and "
            "multiplications compiled "
            "like the library\n(no vector extension beyond the architecture's own; the kernels take the "
            "widest registers there are).\n\n",
            processor);
}

static void write_page(FILE *f, const sample *samples, size_t count, double flops, const char *processor)
{
    write_head(f, processor);
    write_bandwidth(f);
    fprintf(f, "\nPeak: %.1f Gflop/s.\n\n## The kernels\n\n", 1e-9 * flops);
    fputs("| kernel | bodies | contacts | ns per contact and sweep | touched, B | least, B | flops | flops/B "
          "| GB/s | triad, GB/s | of it "
          "| Gflop/s | of the peak | what limits "
          "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
          f);
    for (size_t k = 0; k < count; k++)
        write_row(f, &samples[k], flops);
}

int main(int argc, char **argv)
{
    sample samples[16];
    size_t count = 0;
    const char *page = NULL;
    bool quick = false;
    char slug[64], processor[128];
    long cores;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--quick") == 0)
            quick = true;
        else if (strcmp(argv[i], "--page") == 0 && i + 1 < argc)
            page = argv[++i];
        else
            return fprintf(stderr, "usage: bench_roofline [--quick] [--page FILE]\n"), 2;
    peer_machine(slug, sizeof slug, processor, sizeof processor, &cores);
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
        for (int i = 0; i < (quick ? 1 : 3) && kernels[k].sizes[i] != 0; i++)
            if (!measure(&kernels[k], kernels[k].sizes[i], quick, &samples[count++]))
                return 1;
    FILE *f = page != NULL ? fopen(page, "w") : stdout;
    if (f == NULL) {
        perror(page);
        return 1;
    }
    write_page(f, samples, count, stream_flops(), processor);
    return fclose(f) != 0;
}
