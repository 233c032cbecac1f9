/*
 * Lines of CSV as RFC 4180 has them: cells with commas, quotes or line breaks stand in quotes, doubled
 * inside.
 */
#include "params.h"
#include "record/csv.h"

#include <stdio.h>
#include <string.h>

/* the cell that begins at p, without its quotes; *next: what ended it */
static char *take_cell(char *p, char **cell)
{
    char *to = p;
    *cell = p;
    if (*p == '"') {
        for (p++; *p != '\0' && (p[0] != '"' || p[1] == '"'); p++) {
            p += *p == '"';
            *to++ = *p;
        }
        p += *p == '"';
    }
    while (*p != '\0' && *p != ',' && *p != '\n' && *p != '\r')
        *to++ = *p++;
    /* the end may stand on what comes next, which the caller has to see first */
    return to == p ? p : (*to = '\0', p);
}

size_t csv_split(char **text, char **cells, size_t most, bool *whole)
{
    size_t n = 0;
    char *p = *text;
    for (;;) {
        char *cell, *end = take_cell(p, &cell), stop = *end;
        if (stop != '\0')
            *end = '\0';
        if (n < most)
            cells[n] = cell;
        n++;
        p = stop != '\0' ? end + 1 : end;
        if (stop == ',')
            continue;
        if (stop == '\r' && *p == '\n')
            p++;
        *whole = stop != '\0';
        *text = p;
        return n;
    }
}

void csv_write(FILE *file, char *const *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            fputc(',', file);
        if (cells[i] != NULL)
            csv_name(file, cells[i]);
    }
    fputc('\n', file);
}
