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
 * Contacts in the order of p, one block for every two contacts that share a body, columns
 * rising; W is symmetric to the last bit.  All memory of *out is the arena's: it is not to be freed by
 * mo_problem_free.  Cost: linear in blocks.  false: no memory, *out is as it was.
 */
bool delassus(const step_problem *p, arena *a, mo_problem *out);

#endif
