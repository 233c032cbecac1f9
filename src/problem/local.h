/*
 * Building the block matrix of a local problem from entries in any order, and the condensed form of a global
 * one.
 */
#ifndef PROBLEM_LOCAL_H
#define PROBLEM_LOCAL_H

#include <moreau/problem.h>

/*
 * Fills start, column and W of *out, whose dim and contacts are set: a block is there when one of its entries
 * is, entries at the same place are added in their order.  Every row and column is below dim contacts: the
 * caller's duty.  MO_NO_MEMORY leaves *out as it was.
 */
mo_status problem_from_entries(const mo_sparse_matrix *entries, mo_problem *out, mo_error *err);

/*
 * file->local from M, H, f, w and local.{dim, contacts, mu} of a file whose indices have been checked:
 * W = H^T M^-1 H, q = H^T M^-1 f + w.  MO_BAD_INPUT with the key "M" when M is singular or what comes out is
 * not finite, "H" when W would be too large.
 */
mo_status problem_condense(mo_problem_file *file, mo_error *err);

/* v [rows of M] := M^-1 (H r + f). */
mo_status problem_global_velocity(const mo_problem_file *file, const double *r, double *v, mo_error *err);

/* mo_problem_certify of a problem known to be sound, r not NULL. */
void problem_certify(const mo_problem *problem, const double *r, const double *u, mo_problem_residual *out);

/* mo_problem_check_witness of a problem known to be sound, z finite. */
mo_status problem_witness(const mo_problem *problem, const double *z, mo_problem_witness *out, mo_error *err);

/* MO_BAD_INPUT naming the key and the place of the first value that is not finite. */
mo_status problem_check_finite(const double *values, size_t count, const char *key, mo_error *err);

/* calloc of count entries with a check of the product; of at least one byte. */
void *problem_calloc(size_t count, size_t size);

#endif
