/*
 * The matrix-free Gauss-Seidel in 3D on packings made directly as step problems: balls, whose contacts have a
 * closed form, and lumps, whose contacts need the exact solver for general blocks.
 *
 *   bench_step3d [SIDE...] [--iterations K]
 *
 * SIDE³ bodies in an open box.  Printed: median time per contact and iteration on one thread, residual
 * reached.
 */
#include <stdio.h>

#include "../tests/support/packing3.h"
#include "core/timer.h"
#include "solver/nlgs.h"

enum { REPEAT = 9, SIDES = 8 };

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void run_one(int side, double lumpiness, int iterations)
{
    packing3 k = packing3_make(&(packing3_def){.side = side, .mu = 0.5, .lumpiness = lumpiness, .seed = 1});
    mo_solver_settings s = {.name = MO_SOLVER_NLGS, .tol = 0, .max_iter = iterations};
    mo_solver_info info;
    double took[REPEAT];
    for (int i = 0; i < REPEAT; i++) {
        double begin = seconds_now();
        nlgs_solve(&k.p, &s, NULL, k.sums, &info);
        took[i] = (seconds_now() - begin) * 1e9 / ((double)k.p.contacts * iterations);
    }
    qsort(took, REPEAT, sizeof took[0], by_value);
    printf("%-6s %7zu %8zu %5d %9.2f %9.2e\n", lumpiness > 0 ? "lumps" : "balls", k.p.bodies, k.p.contacts,
           iterations, took[REPEAT / 2], info.certificate.residual);
    packing3_free_all(&k);
}

int main(int argc, char **argv)
{
    int sides[SIDES] = {10, 20}, count = 0, iterations = 50;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--iterations") == 0 && i + 1 < argc)
            iterations = atoi(argv[++i]);
        else if (count < SIDES)
            sides[count++] = atoi(argv[i]);
    }
    printf("%-6s %7s %8s %5s %9s %9s\n", "", "bodies", "contacts", "iter", "ns/c/it", "residual");
    for (int i = 0; i < (count > 0 ? count : 2); i++) {
        run_one(sides[i], 0, iterations);
        run_one(sides[i], 0.2, iterations);
    }
    return 0;
}
