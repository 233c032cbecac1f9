/*
 * Where a scene's text comes from: a file, an example inside the program, or a run file.
 */
#ifndef APP_SCENE_SOURCE_H
#define APP_SCENE_SOURCE_H

#include "app.h"

#include <stdio.h>

/* A shipped scene; the table ends with a NULL name and is sorted by name. */
typedef struct example {
    const char *name, *text;
    size_t length;
} example;
extern const example examples[];

const example *example_find(const char *name);
/* First line of the header comment without its dashes; to be freed. */
char *example_title(const example *e);
/* "; did you mean 'NAME'?" or "". */
const char *example_hint(const char *name, char *buffer, size_t size);

typedef struct scene_source {
    char *path; /* for messages */
    char *name; /* for the run file */
    char *text;
    size_t length;
} scene_source;

/* What is left of a file, zero-terminated, a little more than `most` bytes when there are more; to be freed.
 */
char *read_all(FILE *file, size_t most, size_t *length);

/* SCENE of the command line: a path (has a slash or ends in .lua) or an example's name. */
exit_status scene_source_load(app *a, const char *scene, scene_source *out);
void scene_source_free(scene_source *source);

#endif
