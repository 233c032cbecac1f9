/*
 * `moreau help`, and the table of commands.
 */
#include "options.h"

#include <stdio.h>
#include <string.h>

const command *const commands[] = {
    &run_command,      &sweep_params_command, &solve_command,   &equilibrium_command,
    &info_command,     &export_command,       &compare_command, &view_command,
    &examples_command, &bench_command,        &help_command,    NULL,
};

const command *command_find(const char *name)
{
    for (size_t i = 0; commands[i] != NULL; i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    }
    return NULL;
}

exit_status command_missing(app *a, const char *name)
{
    if (command_find(name) != NULL)
        return app_usage(a, "command '%s' is not available in this version", name);
    // only commands that work are worth suggesting
    const char *names[16] = {NULL};
    char hint[128];
    for (size_t i = 0, n = 0; commands[i] != NULL; i++) {
        if (commands[i]->main != NULL)
            names[n++] = commands[i]->name;
    }
    const char *kind = name[0] == '-' ? "option" : "command";
    return app_usage(a, "unknown %s '%s'%s", kind, name, nearest_hint(name, names, hint, sizeof hint));
}

static void print_overview(void)
{
    puts("moreau: nonsmooth contact dynamics\n\n"
         "usage: moreau COMMAND [ARGUMENT]... [OPTION]...\n\ncommands:");
    for (size_t i = 0; commands[i] != NULL; i++) {
        if (commands[i]->main != NULL)
            printf("  %-12s %s\n", commands[i]->name, commands[i]->summary);
    }
    puts("\noptions:\n"
         "  --version  version of the program\n"
         "  --help     this text; `moreau help COMMAND` says more\n\n"
         "examples:\n"
         "  moreau examples                   the shipped scenes\n"
         "  moreau run sandpile -o pile.h5    run one and record it\n"
         "  moreau export pile.h5 --to png    picture of its last frame\n"
         "  moreau view pile.h5               look at it in the browser\n\n"
         "exit status: 0 done; 1 the computation did not reach what was asked; 2 wrong usage;\n"
         "3 bad input (scene, problem or run file); 4 the system failed (no space, no permission).");
}

static exit_status help_main(app *a, int argc, char **argv)
{
    bool help = false;
    const option table[] = {{.name = "--help", .kind = OPTION_FLAG, .target = &help},
                            {.name = "-h", .kind = OPTION_FLAG, .target = &help},
                            {.name = NULL}};
    arguments names;
    exit_status code = options_parse(a, argc, argv, table, &names);
    if (code == EXIT_DONE && names.count > 1)
        code = app_usage(a, "help takes one command, found %zu", names.count);
    if (code == EXIT_DONE && names.count == 1) {
        const command *c = command_find(names.items[0]);
        if (c == NULL || c->main == NULL)
            code = command_missing(a, names.items[0]);
        else
            fputs(c->help, stdout);
    } else if (code == EXIT_DONE) {
        print_overview();
    }
    arguments_free(&names);
    return code;
}

const command help_command = {
    .name = "help",
    .summary = "how to use the program or one command",
    .main = help_main,
    .help = "usage: moreau help [COMMAND]\n\n"
            "How to use the program, or one of its commands.\n\n"
            "exit status: 0 done; 2 no such command; 4 standard output could not be written.\n",
};
