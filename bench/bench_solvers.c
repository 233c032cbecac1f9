/*
 * Solvers of frictional contact problems on the collection of real ones.
 *
 *   bench_solvers FOLDER [solver] [tolerance ...]
 *
 * Solves every *.hdf5 file of FOLDER from zero at each tolerance (1e-4 1e-8 1e-12) and prints the method's
 * story, both residuals taken anew, the processor time of the solve in milliseconds (best of several where it
 * is short) and beside it that of the fastest configuration of Siconos 4.4 that reached the same accuracy on
 * one core of the same kind of machine; "-": none did.  One thread throughout.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <moreau/problem.h>

/* seconds at 1e-4, 1e-8, 1e-12; 0: none */
typedef struct reference {
    const char *name;
    double seconds[3];
} reference;

static const reference REFERENCES[] = {
    {"FC2D_SliderCrankLagrangian00000", {2e-06, 2e-06, 2e-06}},
    {"FC2D_SliderCrankLagrangian00001", {2e-06, 2e-06, 1e-06}},
    {"FrictionContactProblem00394", {1e-06, 1e-06, 1e-06}},
    {"FrictionContactProblem00031", {1e-06, 1e-06, 2e-06}},
    {"gfc2d_granularflowonwall_00069_00350", {4.6e-05, 6.3e-05, 9.4e-05}},
    {"FrictionContactProblem00071", {0.000151, 0.000373, 0.000611}},
    {"FrictionContactProblem00727", {0.00812, 0.0243, 0.0467}},
    {"fc2d_granularflowonwall_00667_00000", {0.0329, 0.0864, 0.154}},
    {"fc2d_granularflowonwall_02020_00213", {0.0803, 0, 0}},
    {"fc2d_granularflowonwall_07002_00801", {0.62, 0, 0}},
    {"FrictionContact3D_1c", {1e-06, 1e-06, 1e-06}},
    {"FrictionContact3D_RR_1c", {1e-06, 1e-06, 1e-06}},
    {"GFC3D_Example0", {1e-06, 1e-06, 1e-06}},
    {"GFC3D_Example00", {2e-06, 2e-06, 2e-06}},
    {"GFC3D_Example1", {1e-06, 1e-06, 1e-06}},
    {"GFC3D_OneContact", {1e-06, 1e-06, 1e-06}},
    {"Rover11211", {1e-06, 1e-06, 3e-06}},
    {"FC3D_Example1", {2e-06, 2e-06, 3e-06}},
    {"GFC3D_TwoRods1", {1e-06, 2e-06, 1e-06}},
    {"Rover1039", {1e-05, 2.5e-05, 4e-05}},
    {"Rover4144", {7e-06, 1.5e-05, 2.3e-05}},
    {"Rover4516", {7e-06, 1.1e-05, 1.7e-05}},
    {"Rover4622", {8e-06, 1.1e-05, 1.9e-05}},
    {"Rover1040", {1.3e-05, 2.4e-05, 2.6e-05}},
    {"Rover3865", {9e-06, 1.9e-05, 2.8e-05}},
    {"Rover4609", {1.2e-05, 2.6e-05, 1.7e-05}},
    {"Rover4613", {8e-06, 1.3e-05, 1.7e-05}},
    {"NESpheres_10_1", {1.2e-05, 2.8e-05, 2.9e-05}},
    {"LMGC_GlobalFrictionContactProblem00046", {4e-06, 5e-06, 5e-06}},
    {"OneObject-i1028-138", {0.000538, 0.000845, 0.00194}},
    {"OneObject-i100000-499", {0.000469, 0.0016, 0.002}},
    {"Box_Stacks-i0035-31-0", {4e-06, 2e-06, 3e-06}},
    {"BoxesStack1-i100000-32", {0.00112, 0.0425, 0.0881}},
    {"Confeti-ex03-Fc3D-SBM", {0.000426, 0.00106, 0.0016}},
    {"LMGC_100_PR_PerioBox-i00361-60-03000", {0.00199, 0.00882, 0.0222}},
    {"Capsules-i97-269", {0.000478, 0.0694, 0.09}},
    {"Capsules-i100-1090", {0.00044, 0.0847, 0.0968}},
    {"Capsules-i100-889", {0.000533, 0.071, 0.074}},
    {"Capsules-i125-1213", {0.000525, 0.0309, 0.0523}},
    {"Spheres-i099-356-679", {0.00317, 0.00671, 0.00668}},
    {"RockPile_tob1", {0.172, 0, 0}},
    {"KaplasTower-i1061-4", {0.014, 0.0159, 0.0199}},
};

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double reference_of(const char *name, double tol)
{
    int which = tol > 1e-6 ? 0 : tol > 1e-10 ? 1 : 2;
    for (size_t i = 0; i < sizeof REFERENCES / sizeof REFERENCES[0]; i++)
        if (strncmp(name, REFERENCES[i].name, strlen(REFERENCES[i].name)) == 0 &&
            strcmp(name + strlen(REFERENCES[i].name), ".hdf5") == 0)
            return REFERENCES[i].seconds[which];
    return 0;
}

// the shortest of several solves from zero, a fifth of a second in all
static double best_time(const mo_problem *p, const char *solver, double tol, double *r, mo_problem_info *info)
{
    size_t n = (size_t)p->dim * p->contacts;
    mo_solver_settings s = mo_default_solver_settings();
    mo_error err;
    double best = 1e300, begin = processor_seconds();
    s.tol = tol;
    for (int k = 0; k < 1000 && (k == 0 || processor_seconds() - begin < 0.2); k++) {
        memset(r, 0, n * sizeof *r);
        double from = processor_seconds();
        if (mo_problem_solve(p, solver, &s, r, NULL, info, &err) != MO_OK) {
            fprintf(stderr, "%s\n", err.message);
            exit(1);
        }
        double taken = processor_seconds() - from;
        best = taken < best ? taken : best;
    }
    return best;
}

static void bench(const char *folder, const char *name, const char *solver, double tol, double *total)
{
    char path[4096], other[32] = "-";
    mo_problem_file file;
    mo_problem_info info;
    mo_problem_residual found = {0};
    mo_error err;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (mo_problem_read(path, &file, &err) != MO_OK) {
        printf("%-40s %s\n", name, err.message);
        return;
    }
    double *r = calloc((size_t)file.local.dim * file.local.contacts + 1, sizeof *r);
    if (r == NULL)
        exit(1);
    double seconds = best_time(&file.local, solver, tol, r, &info), theirs = reference_of(name, tol);
    mo_problem_certify(&file.local, r, NULL, &found, &err);
    if (theirs > 0)
        snprintf(other, sizeof other, "%.3f", 1e3 * theirs);
    printf("%-40.40s %5zu %5.0e %-3s %8.1e %8.1e %10.3f %10s  %d: %s\n", name, file.local.contacts, tol,
           info.solved ? "yes" : "NO", found.residual, found.residual_fclib, 1e3 * seconds, other,
           info.iterations, info.story[0] != 0 ? info.story : info.solver);
    *total += seconds;
    free(r);
    mo_problem_file_free(&file);
}

static int hdf5_only(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && strcmp(dot, ".hdf5") == 0;
}

int main(int argc, char **argv)
{
    static const double USUAL[] = {1e-4, 1e-8, 1e-12};
    struct dirent **entries;
    if (argc < 2) {
        fprintf(stderr, "usage: bench_solvers FOLDER [solver] [tolerance ...]\n");
        return 2;
    }
    int count = scandir(argv[1], &entries, hdf5_only, alphasort), tolerances = argc > 3 ? argc - 3 : 3;
    const char *solver = argc > 2 ? argv[2] : "auto";
    if (count <= 0) {
        fprintf(stderr, "%s: no problems there\n", argv[1]);
        return 2;
    }
    printf("%-40s %5s %5s %-3s %8s %8s %10s %10s  story\n", "problem", "cont.", "tol", "ok", "residual",
           "fclib", "ms", "reference");
    for (int t = 0; t < tolerances; t++) {
        double total = 0;
        for (int i = 0; i < count; i++)
            bench(argv[1], entries[i]->d_name, solver, argc > 3 ? atof(argv[3 + t]) : USUAL[t], &total);
        printf("all: %.3f s\n", total);
    }
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    return 0;
}
