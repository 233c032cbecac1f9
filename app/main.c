/*
 * The `moreau` program: finds the command, runs it, and sees to it that everything said was really written.
 */
#include "app.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* a closed standard stream must not give its number to a run file: writing to the stand-in fails instead */
static void open_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++) {
        if (fcntl(fd, F_GETFD) == -1 && errno == EBADF &&
            open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
            exit(EXIT_SYSTEM);
    }
}

static bool asks_for_json(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--json") == 0)
            return true;
    }
    return false;
}

static bool is_any(const char *text, const char *a, const char *b)
{
    return strcmp(text, a) == 0 || strcmp(text, b) == 0;
}

static exit_status dispatch(app *a, int argc, char **argv)
{
    if (argc < 2)
        return app_usage(a, "no command given");
    const char *name = argv[1];
    if (is_any(name, "--version", "-V")) {
        printf("moreau %s\n", mo_version());
        return EXIT_DONE;
    }
    if (is_any(name, "--help", "-h"))
        name = "help";
    const command *c = command_find(name);
    if (c == NULL || c->main == NULL)
        return command_missing(a, name);
    a->command = c;
    return c->main(a, argc - 2, argv + 2);
}

/* a full disk or a closed pipe shows only when the buffer is written out */
static exit_status finish_output(app *a, exit_status code)
{
    if (code != EXIT_DONE && a->json && !a->json_written) {
        json_t *object = json_object();
        json_put(object, "status", json_text(a->status[0] != '\0' ? a->status : "failed"));
        json_print(a, object);
    }
    errno = 0;
    bool broken = ferror(stdout) != 0;
    if ((fflush(stdout) == 0 && !broken) || code == EXIT_SYSTEM)
        return code;
    return app_fail(a, EXIT_SYSTEM, "standard output: %s", errno != 0 ? strerror(errno) : "write error");
}

int main(int argc, char **argv)
{
    open_standard_streams();
    signal(SIGPIPE, SIG_IGN);
    // a write beyond the largest size allowed fails like one to a full disk
    signal(SIGXFSZ, SIG_IGN);
    app a = {.json = asks_for_json(argc, argv)};
    exit_status code = dispatch(&a, argc, argv);
    return (int)finish_output(&a, code);
}
