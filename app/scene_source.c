/*
 * Finds and reads scenes.
 */
#include "scene_source.h"
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* no sensible scene is larger; keeps `moreau run /dev/zero.lua` from eating the memory */
#define LARGEST_SCENE ((size_t)64 << 20)

const example *example_find(const char *name)
{
    for (const example *e = examples; e->name != NULL; e++) {
        if (strcmp(e->name, name) == 0)
            return e;
    }
    return NULL;
}

const char *example_hint(const char *name, char *buffer, size_t size)
{
    size_t count = 0;
    while (examples[count].name != NULL)
        count++;
    const char **names = app_calloc(count + 1, sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = examples[i].name;
    const char *hint = nearest_hint(name, names, buffer, size);
    free(names);
    return hint;
}

char *example_title(const example *e)
{
    if (strncmp(e->text, "--", 2) != 0)
        return app_format("%s", "");
    // the first line of the comment with words in it
    for (const char *line = e->text; *line != '\0';) {
        size_t length = strcspn(line, "\n"), marks = strspn(line, "-[=* \t");
        if (marks < length)
            return app_format("%.*s", (int)(length - marks), line + marks);
        line += length + (line[length] == '\n' ? 1 : 0);
    }
    return app_format("%s", "");
}

static bool ends_with(const char *text, const char *ending)
{
    size_t n = strlen(text), m = strlen(ending);
    return n >= m && strcmp(text + n - m, ending) == 0;
}

/* file name without folder and ending */
static char *stem(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    size_t length = strlen(base);
    if (ends_with(base, ".lua") && length > 4)
        length -= 4;
    return app_format("%.*s", (int)length, base);
}

char *read_all(FILE *file, size_t most, size_t *length)
{
    size_t room = 1 << 16, used = 0, got;
    char *text = app_calloc(room + 1, 1);
    while (used <= most && (got = fread(text + used, 1, room - used, file)) > 0) {
        used += got;
        if (used == room) {
            room *= 2;
            char *more = realloc(text, room + 1);
            if (more == NULL)
                app_no_memory();
            text = more;
        }
    }
    text[used] = '\0';
    *length = used;
    return text;
}

static exit_status load_file(app *a, const char *path, scene_source *out)
{
    exit_status code = app_check_readable(a, path);
    if (code != EXIT_DONE)
        return code;
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return app_fail(a, EXIT_SYSTEM, "%s: %s", path, strerror(errno));
    out->text = read_all(file, LARGEST_SCENE, &out->length);
    bool failed = ferror(file) != 0;
    fclose(file);
    if (failed)
        return app_fail(a, EXIT_SYSTEM, "%s: cannot be read", path);
    if (out->length > LARGEST_SCENE)
        return app_fail(a, EXIT_BAD_INPUT, "%s: larger than the 64 MiB a scene may have", path);
    out->path = app_format("%s", path);
    out->name = stem(path);
    return EXIT_DONE;
}

static exit_status load_example(app *a, const char *name, scene_source *out)
{
    const example *e = example_find(name);
    if (e == NULL) {
        char hint[160], *file = app_format("%s.lua", name);
        exit_status code =
            access(file, F_OK) == 0
                ? app_fail(a, EXIT_BAD_INPUT, "no example is named '%s'; for the file write '%s'", name, file)
                : app_fail(a, EXIT_BAD_INPUT,
                           "no example is named '%s'%s (`moreau examples` lists them; a path ends in .lua)",
                           name, example_hint(name, hint, sizeof hint));
        free(file);
        return code;
    }
    out->text = app_calloc(e->length + 1, 1);
    memcpy(out->text, e->text, e->length);
    out->length = e->length;
    out->path = app_format("%s.lua", name);
    out->name = app_format("%s", name);
    return EXIT_DONE;
}

exit_status scene_source_load(app *a, const char *scene, scene_source *out)
{
    *out = (scene_source){0};
    bool is_path = strchr(scene, '/') != NULL || ends_with(scene, ".lua");
    exit_status code = is_path ? load_file(a, scene, out) : load_example(a, scene, out);
    if (code != EXIT_DONE)
        scene_source_free(out);
    return code;
}

void scene_source_free(scene_source *source)
{
    free(source->path);
    free(source->name);
    free(source->text);
    *source = (scene_source){0};
}
