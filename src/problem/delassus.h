/*
 * The step problem in local form, W = G A⁻¹ G*, q = G u_free + shift: what include/moreau/problem.h and its
 * solvers work on.  M99 (8)-(10), MJ96 (9).
 */
#ifndef PROBLEM_DELASSUS_H
#define PROBLEM_DELASSUS_H

#include <stdbool.h>

#include <moreau/problem.h>

#include "core/arena.h"
#include "problem/step_problem.h"

/* How many blocks W would have at most (contacts that share two bodies count twice); SIZE_MAX: too many. */
size_t delassus_blocks(const step_problem *p, arena *a);

/*
 * Contacts in the order of p, one block for every two contacts that share a body (with a
 * cell under stresses, for any two), columns rising; W is symmetric to the last bit.  All memory of *out is
 * the arena's: it is not to be freed by mo_problem_free.  Cost: linear in blocks.  false: no memory, *out is
 * as it was.
 */
bool delassus(const step_problem *p, arena *a, mo_problem *out);

/* What stands for one contact in the local form of a problem with more than contacts. */
enum { ENTRY_CONTACT, ENTRY_BOX, ENTRY_ROLL, ENTRY_SPIN };

typedef struct extra_entry {
    int kind;    /* one of ENTRY_ */
    uint32_t of; /* contact or box */
} extra_entry;

typedef struct extra_entries {
    size_t count;
    extra_entry *entry; /* contacts first, in the order of p */
} extra_entries;

/*
 * The local form of a problem with p->extra: W feels joints; one-sided boxes and the moments of turns stand
 * behind the contacts as contacts of their own; other boxes are held as they are.  W is unsymmetric where
 * there are moments.  false also when there are more than DELASSUS_MOST rows, or joints are
 * not felt.  p's velocities are those of S afterwards.
 */
bool delassus_extra(step_problem *p, arena *a, mo_problem *out, extra_entries *all);
/* Whether no box of p is held by it: an answer to the local form is then one to p. */
bool delassus_is_whole(const step_problem *p);
enum { DELASSUS_MOST = 1500 };
/* Impulses between p->S and the order of the entries, [dim entries]. */
void extra_gather(const step_problem *p, const extra_entries *all, double *x);
void extra_scatter(const step_problem *p, const extra_entries *all, const double *x);
/* 1/lambda_max of an entry's block. */
double extra_rho(const step_problem *p, const extra_entries *all, size_t i);

#endif
