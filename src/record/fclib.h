/*
 * Problem files (FCLIB): what reading and writing share.
 *
 *     /fclib_local   spacedim, W, vectors/{q, mu}, info          u = W r + q
 *     /fclib_global  spacedim, M, H, vectors/{f, w, mu}, info    M v = H r + f,  u = H^T v + w
 *     /solution      r, u; v in global problems
 *
 * A matrix is a group with m (rows), n (columns), nz, nzmax, p, i, x: nz = -1 compressed columns, -2
 * compressed rows (p: where each begins in i and x), else the number of triplets (i: rows, p: columns, which
 * is what files have, contrary to the comment in FCLIB's header).  Acary & others, FCLIB: a collection of
 * discrete 3D frictional contact problems (Inria, 2014).
 */
#ifndef RECORD_FCLIB_H
#define RECORD_FCLIB_H

#include "record/hdf.h"

#include <moreau/problem.h>

#define FCLIB_LOCAL "/fclib_local"
#define FCLIB_GLOBAL "/fclib_global"
#define FCLIB_SOLUTION "/solution"
#define FCLIB_PATH 64 /* bytes of a dataset's path */

enum { FCLIB_COLUMNS = -1, FCLIB_ROWS = -2 };

/* An array of the file, whatever its width and order of bytes there; freed by the caller.  MO_BAD_FILE, the
   key its path, when it is not there, of another kind, or claims more than the file can hold. */
mo_status fclib_integers(hid_t file, const char *path, int64_t **out, size_t *count, mo_error *err);
/* believed: so many are sound whatever the file stores, because something else vouches for their number: an
   array that was made but never written is then full of its fill value. */
mo_status fclib_numbers(hid_t file, const char *path, size_t believed, double **out, size_t *count,
                        mo_error *err);
/* Exactly one. */
mo_status fclib_integer(hid_t file, const char *path, int64_t *out, mo_error *err);
/* Text of fixed length, cut to size - 1 bytes; empty when there is none. */
void fclib_text(hid_t file, const char *path, char *out, size_t size);

bool fclib_put_integers(hid_t group, const char *name, const int32_t *values, size_t count);
bool fclib_put_numbers(hid_t group, const char *name, const double *values, size_t count);
bool fclib_put_text(hid_t group, const char *name, const char *text);

#endif
