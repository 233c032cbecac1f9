/*
 * `moreau examples`: the shipped scenes.
 */
#include "options.h"
#include "scene_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *describe(const example *e, bool with_text)
{
    json_t *object = json_object();
    char *title = example_title(e);
    json_put(object, "name", json_text(e->name));
    json_put(object, "title", json_text(title));
    if (with_text)
        json_put(object, "text", json_text(e->text));
    free(title);
    return object;
}

static void list_examples(app *a)
{
    if (a->json) {
        json_t *object = json_object(), *list = json_array();
        for (const example *e = examples; e->name != NULL; e++)
            json_array_append_new(list, describe(e, false));
        json_put(object, "examples", list);
        json_print(a, object);
        return;
    }
    int width = 0;
    for (const example *e = examples; e->name != NULL; e++)
        width = (int)strlen(e->name) > width ? (int)strlen(e->name) : width;
    for (const example *e = examples; e->name != NULL; e++) {
        char *title = example_title(e);
        printf("%-*s  %s\n", width, e->name, title);
        free(title);
    }
}

static exit_status show_example(app *a, const char *name)
{
    char hint[160];
    const example *e = example_find(name);
    if (e == NULL)
        return app_usage(a, "no example is named '%s'%s", name, example_hint(name, hint, sizeof hint));
    if (a->json)
        json_print(a, describe(e, true));
    else
        fwrite(e->text, 1, e->length, stdout);
    return EXIT_DONE;
}

static exit_status examples_main(app *a, int argc, char **argv)
{
    bool help = false, json = false;
    const option table[] = {{.name = "--json", .kind = OPTION_FLAG, .target = &json},
                            {.name = "--help", .kind = OPTION_FLAG, .target = &help},
                            {.name = "-h", .kind = OPTION_FLAG, .target = &help},
                            {.name = NULL}};
    arguments names;
    exit_status code = options_parse(a, argc, argv, table, &names);
    if (code == EXIT_DONE && help)
        fputs(examples_command.help, stdout);
    else if (code == EXIT_DONE && names.count > 1)
        code = app_usage(a, "examples takes one name, found %zu", names.count);
    else if (code == EXIT_DONE && names.count == 1)
        code = show_example(a, names.items[0]);
    else if (code == EXIT_DONE)
        list_examples(a);
    arguments_free(&names);
    return code;
}

const command examples_command = {
    .name = "examples",
    .summary = "the shipped scenes; with a name, its text",
    .main = examples_main,
    .help = "usage: moreau examples [NAME] [--json]\n\n"
            "Lists the scenes inside the program. With a name, prints its text; the comment at its\n"
            "head says what it should show.\n\n"
            "examples:\n"
            "  moreau examples\n"
            "  moreau examples sandpile > mine.lua    a start for your own scene\n\n"
            "exit status: 0 done; 2 no such example; 4 standard output could not be written.\n",
};
