/*
 * The exact single contact in 3D: solutions per second on one core, with the residual reached.
 *
 * Usage: bench_contact3d [blocks]; most contacts slide, none is open.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../tests/solver/blocks3.h"
#include "core/timer.h"
#include "solver/contact3d.h"

enum { ROUNDS = 9 };

typedef struct sample {
    contact3 c;
    double b[3];
} sample;

// H = G G' of a random 3 x 6 matrix; axisymmetric: diag(p, q, q)
static void make_block(rng *r, bool axisymmetric, double H[9])
{
    double G[3][6];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 6; k++)
            G[i][k] = either_way(r);
    double q = 1 + rng_uniform(r);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double dot = 0;
            for (int k = 0; k < 6; k++)
                dot += G[i][k] * G[j][k];
            H[3 * i + j] = !axisymmetric ? dot : i == j ? (i == 0 ? 1 : q) : 0;
        }
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void run(const char *name, size_t count, bool axisymmetric)
{
    sample *all = malloc(count * sizeof *all);
    double(*r)[3] = malloc(count * sizeof *r), seconds[ROUNDS], worst = 0;
    size_t sliding = 0;
    if (all == NULL || r == NULL)
        abort();
    rng random = rng_seed(1, 1);
    for (size_t i = 0; i < count; i++) {
        double H[9];
        make_block(&random, axisymmetric, H);
        contact3_prepare(&all[i].c, H, 0.2 + 0.5 * rng_uniform(&random));
        all[i].b[0] = -rng_uniform(&random);
        all[i].b[1] = either_way(&random);
        all[i].b[2] = either_way(&random);
    }
    for (int round = 0; round < ROUNDS; round++) {
        double begin = seconds_now();
        for (size_t i = 0; i < count; i++)
            contact3_solve(&all[i].c, all[i].b, r[i]);
        seconds[round] = seconds_now() - begin;
    }
    for (size_t i = 0; i < count; i++) {
        worst = fmax(worst, law_error3(all[i].c.H, all[i].c.mu, all[i].b, r[i]));
        sliding += hypot(r[i][1], r[i][2]) > 0.999999 * all[i].c.mu * r[i][0];
    }
    qsort(seconds, ROUNDS, sizeof *seconds, by_value);
    printf("%-14s %8zu contacts, %4.1f %% sliding: %6.1f million/s, worst residual %.1e\n", name, count,
           100 * (double)sliding / (double)count, 1e-6 * (double)count / seconds[ROUNDS / 2], worst);
    free(all);
    free(r);
}

int main(int argc, char **argv)
{
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
    run("axisymmetric", count, true);
    run("general", count, false);
    return 0;
}
