/*
 * The nearest of a list of names, for "did you mean".
 *
 * Distance: optimal string alignment (insertions, deletions, substitutions and swaps of neighbours).
 */
#include "options.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 63 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t edit_distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b), d[LONGEST + 1][LONGEST + 1];
    if (n > LONGEST || m > LONGEST)
        return SIZE_MAX;
    for (size_t i = 0; i <= n; i++) {
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[n][m];
}

const char *nearest_name(const char *name, const char *const *candidates)
{
    const char *best = NULL;
    size_t length = strlen(name), best_distance = SIZE_MAX;
    for (size_t i = 0; candidates[i] != NULL; i++) {
        // a beginning of three letters or more is as good as one slip
        bool begins = length >= 3 && strncmp(name, candidates[i], length) == 0;
        size_t distance = begins ? 1 : edit_distance(name, candidates[i]);
        if (length > 2 && distance <= 1 + length / 4 && distance < best_distance) {
            best = candidates[i];
            best_distance = distance;
        }
    }
    return best;
}

const char *nearest_hint(const char *name, const char *const *candidates, char *buffer, size_t size)
{
    const char *near = nearest_name(name, candidates);
    if (near == NULL)
        return "";
    snprintf(buffer, size, "; did you mean '%s'?", near);
    return buffer;
}
