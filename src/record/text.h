/* A text file being written: errors are kept until the end, "-" is standard output. */
#ifndef RECORD_TEXT_H
#define RECORD_TEXT_H

#include <moreau/base.h>
#include <stdio.h>

typedef struct text_file {
    FILE *file;
    const char *path; /* as messages name it */
} text_file;

mo_status text_open(const char *path, text_file *out, mo_error *err);
/* Closes; MO_IO when anything written since the opening failed. */
mo_status text_close(text_file *t, mo_error *err);

#endif
