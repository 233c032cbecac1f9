/* The page, see page.h. */
#include "page.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef MOREAU_PAGE
/* the bytes of the file as they are; the object depends on it (app/CMakeLists.txt) */
__asm__(".pushsection .rodata, \"a\"\n"
        ".global embedded_page\n"
        "embedded_page:\n"
        ".incbin \"" MOREAU_PAGE "\"\n"
        ".global embedded_page_end\n"
        "embedded_page_end:\n"
        ".byte 0\n"
        ".popsection\n");
extern const char embedded_page[], embedded_page_end[];
#endif

static exit_status embedded(app *a, page *out)
{
#ifdef MOREAU_PAGE
    (void)a;
    *out = (page){.bytes = embedded_page, .size = (size_t)(embedded_page_end - embedded_page)};
    return EXIT_DONE;
#else
    *out = (page){0};
    return app_fail(a, EXIT_SYSTEM,
                    "this program was built without the viewer's page: run `make viewer` (it needs npm) and "
                    "`make build` again, or take `moreau export RUN.h5 --to png` for pictures");
#endif
}

static char *read_all(int fd, size_t size)
{
    char *bytes = app_calloc(size + 1, 1);
    size_t got = 0;
    while (got < size) {
        const ssize_t n = read(fd, bytes + got, size - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            free(bytes);
            return NULL;
        }
        got += (size_t)n;
    }
    return bytes;
}

exit_status page_load(app *a, const char *path, page *out)
{
    struct stat about;
    if (path == NULL)
        return embedded(a, out);
    *out = (page){0};
    exit_status code = app_check_readable(a, path);
    if (code != EXIT_DONE)
        return code;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &about) == 0) {
        out->size = (size_t)about.st_size;
        out->owned = read_all(fd, out->size);
        out->bytes = out->owned;
    }
    const int error = errno;
    if (fd >= 0)
        close(fd);
    return out->owned != NULL ? EXIT_DONE : app_fail(a, EXIT_SYSTEM, "%s: %s", path, strerror(error));
}

void page_free(page *p)
{
    free(p->owned);
    *p = (page){0};
}

static bool has_display(void)
{
    const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    return (x != NULL && x[0] != '\0') || (wayland != NULL && wayland[0] != '\0');
}

/* of a child of a child, which nobody has to wait for; never returns */
static _Noreturn void become_browser(const char *address)
{
    const int nothing = open("/dev/null", O_RDWR);
    if (setsid() < 0 || nothing < 0 || dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 || dup2(nothing, 2) < 0)
        _exit(1);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    execlp("xdg-open", "xdg-open", address, (char *)NULL);
    _exit(1);
}

void open_browser(const char *address)
{
    if (!has_display())
        return;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (fork() == 0)
            become_browser(address);
        _exit(0);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}
