/*
 * Laws of single contacts other than Coulomb's: a given threshold (Tresca) and registered ones
 * (include/moreau/law.h).  docs/theory/laws.md says what their residual is.
 */
#ifndef PROBLEM_LAW_H
#define PROBLEM_LAW_H

#include <moreau/law.h>

/* The law of one contact of a step problem. */
typedef struct row_law {
    const mo_law_ops *ops; /* NULL: limit counts */
    double limit;      /* N s: |S_T| <= limit where S_N > 0; negative: Coulomb's law with the problem's mu */
    const mo_law *law; /* the next ones are for ops */
    double h, memory;
    double H[9];           /* [dim dim] by rows */
    double share, last[2]; /* threshold: of the change of S_T that a sweep makes, and the last one it asked
                              for (solver/law_row.c) */
} row_law;

static inline bool is_coulomb(const row_law *l)
{
    return l->ops == NULL && l->limit < 0;
}

/* What ops are told. */
static inline mo_law_contact law_contact(int dim, const row_law *l)
{
    return (mo_law_contact){.dim = dim, .h = l->h, .law = l->law, .H = l->H, .memory = l->memory};
}

/* By how much U and S miss a law that is not Coulomb's, N s; rho: 1/lambda_max of the contact's block. */
void law_miss(int dim, const row_law *l, double rho, const double *U, const double *S, double *miss);

/* Distance of S to what the law allows, N s; 0 for registered laws. */
double law_distance(int dim, const row_law *l, const double *S);

/* A registered law; NULL: no such name.  known: its name, which lives as long as the program. */
const mo_law_ops *law_find(const char *name, const char **known);

/* Names of all registered laws, "a, b"; "" when there are none.  Cut to size. */
void law_names(char *out, size_t size);

#endif
