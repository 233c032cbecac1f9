/* Tables beside those of <moreau/record.h>. */
#ifndef RECORD_CSV_H
#define RECORD_CSV_H

#include <moreau/record.h>
#include <stdio.h>

/* The energies of the time series as CSV, `t` and one column each, to a path, "-" for standard output. */
mo_status csv_energies(mo_run *run, const char *path, mo_error *err);
/* 17 significant digits; `nan`, `inf` and `-inf` on every machine. */
void csv_number(FILE *out, double value);
/* A name as a field: in quotes where it has commas, quotes or line ends (RFC 4180). */
void csv_name(FILE *out, const char *name);

#endif
