/*
 * Frictional contact problems in local form (FCLIB): given W, q and mu, find r and u with
 *
 *     u = W r + q,   r_c in K_c = {r : |r_T| <= mu_c r_N},   u~_c in K_c*,   u~_c . r_c = 0 at every contact
 * c,
 *
 * u~ = u + mu |u_T| n (de Saxce's shift), component 0 of each contact normal.  W may be slightly unsymmetric,
 * rank-deficient, badly scaled; mu may be 0; diagonal blocks may be zero.  The methods and what is known
 * about them: docs/theory/solvers.md.
 */
#ifndef MOREAU_PROBLEM_H
#define MOREAU_PROBLEM_H

#include <moreau/base.h>
#include <moreau/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* W in blocks of [dim dim] by rows of contacts; block columns rise within a row. */
typedef struct mo_problem {
    int dim; /* 2 or 3 */
    size_t contacts;
    size_t *start;    /* [contacts + 1] */
    uint32_t *column; /* [start[contacts]] */
    double *W;        /* [start[contacts]][dim dim], each block row by row */
    double *q;        /* [dim contacts] */
    double *mu;       /* [contacts], >= 0 */
} mo_problem;

void mo_problem_free(mo_problem *problem);
/* MO_BAD_INPUT for sizes, columns, values that make no sense. */
mo_status mo_problem_check(const mo_problem *problem, mo_error *err);
/* From a full matrix W [dim contacts]^2, row by row; blocks of zeros are left out. */
mo_status mo_problem_from_dense(int dim, size_t contacts, const double *W, const double *q, const double *mu,
                                mo_problem *out, mo_error *err);

/* ---- files (FCLIB) ------------------------------------------------------------------------------ */

/* A problem in global form, M v = H r + f, u = H^T v + w; M and H as triplets of the file. */
typedef struct mo_sparse_matrix {
    size_t rows, columns, entries;
    size_t *row, *column; /* [entries] */
    double *value;
} mo_sparse_matrix;

typedef struct mo_problem_file {
    mo_problem local; /* as stored, or W = H^T M^-1 H, q = H^T M^-1 f + w */
    bool global;      /* the three below are there */
    mo_sparse_matrix M, H;
    double *f, *w;
    char title[128], description[512], math_info[256]; /* longer texts are cut */
    bool has_solution;                                 /* r, u [dim contacts] of the file */
    double *r, *u;
} mo_problem_file;

/* MO_BAD_FILE for anything that is not a sound FCLIB file. */
mo_status mo_problem_read(const char *path, mo_problem_file *out, mo_error *err);
/* Writes the problem, as it was read, with a solution group (r, u; v for global problems) unless r is NULL.
 */
mo_status mo_problem_write(const char *path, const mo_problem_file *file, const double *r, const double *u,
                           mo_error *err);
void mo_problem_file_free(mo_problem_file *file);
void mo_sparse_matrix_free(mo_sparse_matrix *matrix);
/* Whether the file is one that mo_problem_read would look into; it may still not be sound. */
bool mo_problem_probe(const char *path);

/* ---- residuals ------------------------------------------------------------------------------------ */

/* From the problem and r alone, u = W r + q recomputed; sums in extended precision. */
typedef struct mo_problem_residual {
    double residual;            /* |r - P_K(r - rho u~)| / max(|r|, |rho q|), rho_c = 1 / lambda_max of the
                                   symmetric part of W_cc (1 where that is 0): unit-free */
    double residual_fclib;      /* |r - P_K(r - u~)| / max(|q|, |r|, |u|) */
    mo_certificate certificate; /* balance: |u - W r - q| / (|W r| + |q|) with the u given, 0 without */
} mo_problem_residual;

/* u may be NULL. */
mo_status mo_problem_certify(const mo_problem *problem, const double *r, const double *u,
                             mo_problem_residual *out, mo_error *err);

/* ---- no solution ---------------------------------------------------------------------------------- */

/*
 * Why a problem has no solution at all: z, one number >= 0 for each contact, is a sum of normal velocities
 * that no impulse changes, W^T (z n) = 0, and that the load makes negative, z.q_N < 0.  Whatever r is then,
 * z.u_N = z.q_N < 0, and some u_N is negative: bodies are pressed together from all sides.
 */
typedef struct mo_problem_witness {
    bool proves;   /* load below -1e-10 and change at most 1e-14: the proof holds to the letter for a W and a
                      q that differ from those given by at most 1e-14 of each entry */
    double load;   /* z.q_N / sum of |z q_N|; 0 without z */
    double change; /* largest of |W^T (z n)| over what is added up for it */
} mo_problem_witness;

/* z [contacts] judged from the problem alone, in extended precision; no proof where a z is negative. */
mo_status mo_problem_check_witness(const mo_problem *problem, const double *z, mo_problem_witness *out,
                                   mo_error *err);

/* Looks for a z [contacts], largest 1; out: what mo_problem_check_witness says of it. */
mo_status mo_problem_find_witness(const mo_problem *problem, double *z, mo_problem_witness *out,
                                  mo_error *err);

/* ---- solvers -------------------------------------------------------------------------------------- */

typedef struct mo_problem_info {
    bool solved;    /* both residuals at or below tol */
    int iterations; /* of the method that ended it; auto: of all */
    double seconds; /* everything between the problem in memory and the answer */
    mo_problem_residual reached;
    char solver[16];
    char story[400];            /* what was done: "nlgs 40 (3e-5), ipm 22 (1e-9), newton 3 (4e-14)" */
    mo_problem_witness witness; /* where it is not solved: of mo_problem_find_witness */
} mo_problem_info;

/* Names of solvers, "auto" first; NULL when out of range. */
const char *mo_problem_solver_name(size_t i);

/* solver: a name, NULL: "auto".  r [dim contacts]: start (zeros for none) and answer; u: answer, may be NULL.
 */
mo_status mo_problem_solve(const mo_problem *problem, const char *solver, const mo_solver_settings *settings,
                           double *r, double *u, mo_problem_info *info, mo_error *err);

#ifdef __cplusplus
}
#endif
#endif
