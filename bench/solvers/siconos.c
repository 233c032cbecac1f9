/*
 * Worker of the comparison with Siconos (libsiconos-numerics): its solvers of frictional contact problems in
 * local form, each with several settings.
 *
 * A name is METHOD[-VARIANT...][/d]: W in blocks, or full with /d.  Everything about the problem in Siconos's
 * own form, compressed columns for the solvers that want them included, is made before the clock starts; so
 * are the options.  What a configuration does not say is as solver_options_create leaves it, except for the
 * most iterations allowed.
 */
#include "peers/worker.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

enum { MOST_ITERATIONS = 10000000, DENSE_MOST = 6000, PAIRS = 4 };

/* One setting: iparam[at] = value. */
typedef struct setting {
    int at, value;
} setting;

typedef struct configuration {
    const char *name;
    int dim, id;
    int inner;               /* local solver of NSGS, inner solver of PROX; 0: as it is */
    setting settings[PAIRS]; /* ended by two zeros */
    int most;                /* iterations; 0: MOST_ITERATIONS */
} configuration;

#define FULL                                                                                                 \
    {                                                                                                        \
        SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION, SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL          \
    }
#define LIGHT                                                                                                \
    {                                                                                                        \
        SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION, SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_LIGHT         \
    }
#define SHUFFLE                                                                                              \
    {                                                                                                        \
        SICONOS_FRICTION_3D_NSGS_SHUFFLE, SICONOS_FRICTION_3D_NSGS_SHUFFLE_TRUE                              \
    }
#define HYBRID                                                                                               \
    {                                                                                                        \
        SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY, SICONOS_FRICTION_3D_NSN_HYBRID_STRATEGY_VI_EG_NSN           \
    }
#define SPARSE_ADMM                                                                                          \
    {                                                                                                        \
        SICONOS_FRICTION_3D_ADMM_IPARAM_SPARSE_STORAGE, SICONOS_FRICTION_3D_ADMM_FORCED_SPARSE_STORAGE       \
    }
#define QUARTIC SICONOS_FRICTION_3D_ONECONTACT_QUARTIC
#define ITERATED SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration

static const configuration CONFIGURATIONS[] = {
    {"2D_NSGS", 2, SICONOS_FRICTION_2D_NSGS, 0, {{0}}, 0},
    {"2D_NSGS/d", 2, SICONOS_FRICTION_2D_NSGS, 0, {{0}}, 0},
    {"2D_ENUM", 2, SICONOS_FRICTION_2D_ENUM, 0, {{0}}, 0},
    {"2D_ENUM/d", 2, SICONOS_FRICTION_2D_ENUM, 0, {{0}}, 0},
    {"2D_LEMKE/d", 2, SICONOS_FRICTION_2D_LEMKE, 0, {{0}}, 0},
    {"2D_CPG/d", 2, SICONOS_FRICTION_2D_CPG, 0, {{0}}, 0},
    {"NSGS", 3, SICONOS_FRICTION_3D_NSGS, 0, {{0}}, 0},
    {"NSGS/d", 3, SICONOS_FRICTION_3D_NSGS, 0, {{0}}, 0},
    {"NSGS-FULL", 3, SICONOS_FRICTION_3D_NSGS, 0, {FULL}, 0},
    {"NSGS-SHUFFLE", 3, SICONOS_FRICTION_3D_NSGS, 0, {SHUFFLE}, 0},
    {"NSGS-QUARTIC", 3, SICONOS_FRICTION_3D_NSGS, QUARTIC, {{0}}, 0},
    {"NSGS-QUARTIC/d", 3, SICONOS_FRICTION_3D_NSGS, QUARTIC, {{0}}, 0},
    {"NSGS-QUARTIC-FULL", 3, SICONOS_FRICTION_3D_NSGS, QUARTIC, {FULL}, 0},
    {"NSGS-QUARTIC-FULL/d", 3, SICONOS_FRICTION_3D_NSGS, QUARTIC, {FULL}, 0},
    {"NSGS-QUARTIC-LIGHT", 3, SICONOS_FRICTION_3D_NSGS, QUARTIC, {LIGHT}, 0},
    {"NSGS-PLI", 3, SICONOS_FRICTION_3D_NSGS, ITERATED, {{0}}, 0},
    {"NSGS-PLI-FULL", 3, SICONOS_FRICTION_3D_NSGS, ITERATED, {FULL}, 0},
    {"NSGS-NSN", 3, SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN, {{0}}, 0},
    {"NSN_AC", 3, SICONOS_FRICTION_3D_NSN_AC, 0, {{0}}, 2000},
    {"NSN_AC/s", 3, SICONOS_FRICTION_3D_NSN_AC, 0, {{0}}, 2000},
    {"NSN_AC/d", 3, SICONOS_FRICTION_3D_NSN_AC, 0, {{0}}, 2000},
    {"NSN_AC-HYB", 3, SICONOS_FRICTION_3D_NSN_AC, 0, {HYBRID}, 2000},
    {"NSN_AC-HYB/s", 3, SICONOS_FRICTION_3D_NSN_AC, 0, {HYBRID}, 2000},
    {"NSN_AC-HYB/d", 3, SICONOS_FRICTION_3D_NSN_AC, 0, {HYBRID}, 2000},
    {"NSN_FB", 3, SICONOS_FRICTION_3D_NSN_FB, 0, {{0}}, 2000},
    {"NSN_FB/s", 3, SICONOS_FRICTION_3D_NSN_FB, 0, {{0}}, 2000},
    {"NSN_FB/d", 3, SICONOS_FRICTION_3D_NSN_FB, 0, {{0}}, 2000},
    {"NSN_NM", 3, SICONOS_FRICTION_3D_NSN_NM, 0, {{0}}, 2000},
    {"PROX", 3, SICONOS_FRICTION_3D_PROX, 0, {{0}}, 10000},
    {"PROX/s", 3, SICONOS_FRICTION_3D_PROX, 0, {{0}}, 10000},
    {"PROX/d", 3, SICONOS_FRICTION_3D_PROX, 0, {{0}}, 10000},
    {"PROX-NSGS", 3, SICONOS_FRICTION_3D_PROX, SICONOS_FRICTION_3D_NSGS, {{0}}, 10000},
    {"ADMM", 3, SICONOS_FRICTION_3D_ADMM, 0, {SPARSE_ADMM}, 0},
    {"ADMM/s", 3, SICONOS_FRICTION_3D_ADMM, 0, {SPARSE_ADMM}, 0},
    {"ADMM/d", 3, SICONOS_FRICTION_3D_ADMM, 0, {{0}}, 0},
    {"VI_EG", 3, SICONOS_FRICTION_3D_VI_EG, 0, {{0}}, 0},
    {"VI_EG/d", 3, SICONOS_FRICTION_3D_VI_EG, 0, {{0}}, 0},
    {"VI_FPP", 3, SICONOS_FRICTION_3D_VI_FPP, 0, {{0}}, 0},
    {"EG", 3, SICONOS_FRICTION_3D_EG, 0, {{0}}, 0},
    {"FPP", 3, SICONOS_FRICTION_3D_FPP, 0, {{0}}, 0},
    {"DSFP", 3, SICONOS_FRICTION_3D_DSFP, 0, {{0}}, 0},
    {"TFP", 3, SICONOS_FRICTION_3D_TFP, 0, {{0}}, 0},
    {"ACLMFP", 3, SICONOS_FRICTION_3D_ACLMFP, 0, {{0}}, 0},
};
enum { COUNT = sizeof CONFIGURATIONS / sizeof CONFIGURATIONS[0] };

static const char *name_of(int dim, size_t i)
{
    for (size_t k = 0; k < COUNT; k++)
        if (CONFIGURATIONS[k].dim == dim && i-- == 0)
            return CONFIGURATIONS[k].name;
    return NULL;
}

static const configuration *find(const char *name)
{
    for (size_t k = 0; k < COUNT; k++)
        if (strcmp(CONFIGURATIONS[k].name, name) == 0)
            return &CONFIGURATIONS[k];
    return NULL;
}

/* memory that Siconos frees */
static void *room(size_t count, size_t size)
{
    void *p = calloc(count > 0 ? count : 1, size);
    if (p == NULL)
        exit(1);
    return p;
}

/* ---- the problem ------------------------------------------------------------------------------------- */

/* block k of a row of contacts, by columns */
static void copy_block(double *to, size_t stride, const double *block, int dim)
{
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++)
            to[(size_t)i + stride * (size_t)j] = block[i * dim + j];
}

static NumericsMatrix *full_matrix(const mo_problem *p)
{
    const size_t d = (size_t)p->dim, n = d * p->contacts;
    NumericsMatrix *m = NM_create(NM_DENSE, (int)n, (int)n);
    memset(m->matrix0, 0, n * n * sizeof *m->matrix0);
    for (size_t c = 0; c < p->contacts; c++)
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++)
            copy_block(m->matrix0 + d * c + n * d * p->column[k], n, p->W + k * d * d, p->dim);
    return m;
}

static NumericsMatrix *block_matrix(const mo_problem *p)
{
    const size_t d = (size_t)p->dim, n = p->contacts, blocks = p->start[n];
    SparseBlockStructuredMatrix *s = SBM_new();
    s->nbblocks = (unsigned)blocks;
    s->blocknumber0 = s->blocknumber1 = (unsigned)n;
    s->block = room(blocks, sizeof *s->block);
    s->blocksize0 = room(n, sizeof *s->blocksize0);
    s->blocksize1 = room(n, sizeof *s->blocksize1);
    s->filled1 = n + 1;
    s->filled2 = blocks;
    s->index1_data = room(n + 1, sizeof *s->index1_data);
    s->index2_data = room(blocks, sizeof *s->index2_data);
    for (size_t c = 0; c < n; c++)
        s->blocksize0[c] = s->blocksize1[c] = (unsigned)(d * (c + 1));
    for (size_t c = 0; c <= n; c++)
        s->index1_data[c] = p->start[c];
    for (size_t k = 0; k < blocks; k++) {
        s->index2_data[k] = p->column[k];
        s->block[k] = room(d * d, sizeof **s->block);
        copy_block(s->block[k], d, p->W + k * d * d, p->dim);
    }
    return NM_new_SBM((int)(d * n), (int)(d * n), s);
}

static NumericsMatrix *column_matrix(const mo_problem *p)
{
    const size_t d = (size_t)p->dim, n = d * p->contacts;
    NumericsMatrix *m = NM_create(NM_SPARSE, (int)n, (int)n);
    NM_triplet_alloc(m, (CS_INT)(p->start[p->contacts] * d * d));
    m->matrix2->origin = NSM_TRIPLET;
    for (size_t c = 0; c < p->contacts; c++)
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++)
            for (size_t e = 0; e < d * d; e++)
                NM_entry(m, (int)(d * c + e / d), (int)(d * p->column[k] + e % d), p->W[k * d * d + e]);
    NM_csc(m);
    return m;
}

static NumericsMatrix *matrix_as(const mo_problem *p, char storage)
{
    return storage == 'd' ? full_matrix(p) : storage == 's' ? column_matrix(p) : block_matrix(p);
}

static FrictionContactProblem *make_problem(const mo_problem *p, char storage)
{
    const size_t n = (size_t)p->dim * p->contacts;
    double *q = room(n, sizeof *q), *mu = room(p->contacts, sizeof *mu);
    memcpy(q, p->q, n * sizeof *q);
    memcpy(mu, p->mu, p->contacts * sizeof *mu);
    return frictionContactProblem_new_with_data(p->dim, (int)p->contacts, matrix_as(p, storage), q, mu);
}

/* ---- the solve --------------------------------------------------------------------------------------- */

static SolverOptions *make_options(const configuration *c, double tol)
{
    SolverOptions *o = solver_options_create(c->id);
    if (c->inner != 0)
        solver_options_update_internal(o, 0, c->inner);
    for (int k = 0; k < PAIRS && (c->settings[k].at != 0 || c->settings[k].value != 0); k++)
        o->iparam[c->settings[k].at] = c->settings[k].value;
    o->iparam[SICONOS_IPARAM_MAX_ITER] = c->most > 0 ? c->most : MOST_ITERATIONS;
    o->dparam[SICONOS_DPARAM_TOL] = tol;
    return o;
}

static bool solve(const mo_problem *problem, const char *name, double asked, double *r, solve_outcome *out)
{
    const configuration *c = find(name);
    const size_t n = (size_t)problem->dim * problem->contacts;
    const char *slash = strchr(name, '/'), storage = slash != NULL ? slash[1] : 'b';
    if (c == NULL || c->dim != problem->dim || (storage == 'd' && n > DENSE_MOST))
        return false;
    FrictionContactProblem *p = make_problem(problem, storage);
    SolverOptions *o = make_options(c, asked);
    double *u = room(n, sizeof *u);
    const double from = worker_clock();
    const int info = problem->dim == 2 ? fc2d_driver(p, r, u, o) : fc3d_driver(p, r, u, o);
    out->seconds = worker_clock() - from;
    out->iterations = o->iparam[SICONOS_IPARAM_ITER_DONE];
    snprintf(out->story, sizeof out->story, "info %d", info);
    solver_options_delete(o);
    free(o);
    frictionContactProblem_free(p);
    free(u);
    return true;
}

int main(int argc, char **argv)
{
    const worker_backend backend = {.name = name_of, .solve = solve};
    numerics_set_verbose(0);
    return worker_main(argc, argv, &backend);
}
