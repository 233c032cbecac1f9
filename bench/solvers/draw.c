/*
 * Plots from a JSON text on standard input (docs/format.md) into a picture: solvers_draw OUT.svg|OUT.png.
 */
#include "draw/draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_all(FILE *from)
{
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room);
    while (text != NULL) {
        size += fread(text + size, 1, room - size - 1, from);
        if (size + 1 < room)
            break;
        char *larger = realloc(text, room *= 2);
        if (larger == NULL)
            free(text);
        text = larger;
    }
    if (text != NULL)
        text[size] = '\0';
    return text;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: solvers_draw OUT.svg|OUT.png\n");
        return 2;
    }
    mo_error err = {0};
    draw_options options = draw_default_options();
    const char *dot = strrchr(argv[1], '.');
    options.format = dot != NULL && strcmp(dot, ".svg") == 0 ? DRAW_SVG : DRAW_PNG;
    options.width = 800;
    char *text = read_all(stdin);
    if (text == NULL)
        return 1;
    const mo_status status = draw_plots_text(text, &options, argv[1], &err);
    free(text);
    if (status != MO_OK)
        fprintf(stderr, "%s: %s\n", err.key, err.message);
    return status == MO_OK ? 0 : 1;
}
