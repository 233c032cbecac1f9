/*
 * `moreau export --to html`: the viewer's page with the run file in base64 before its end.  The run passes
 * through in pieces: it may be larger than memory.
 */
#include "export_html.h"
#include "page.h"
#include "record/text.h"
#include "serve/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 3 * 16384 };                     // bytes: a multiple of three, so that pieces make one text
static const double much = 200.0 * 1024 * 1024; // bytes that browsers begin to have trouble with

/* the last </body>, or the end of the page */
static size_t find_body_end(const page *p)
{
    static const char mark[] = "</body>";
    const size_t length = sizeof mark - 1;
    for (size_t i = p->size >= length ? p->size - length + 1 : 0; i-- > 0;) {
        if (memcmp(p->bytes + i, mark, length) == 0)
            return i;
    }
    return p->size;
}

/* text inside the quotes of an attribute */
static void put_attribute(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        default:
            fputc(*text, out);
        }
    }
}

/* exactly `size` bytes of the file; a run that is being written may grow meanwhile.  0, or errno */
static int put_base64(FILE *out, int fd, uint64_t size)
{
    unsigned char bytes[PIECE];
    char text[PIECE / 3 * 4];
    while (size > 0 && ferror(out) == 0) {
        const size_t wanted = size < PIECE ? (size_t)size : PIECE;
        size_t got = 0;
        while (got < wanted) {
            const ssize_t n = read(fd, bytes + got, wanted - got);
            if (n < 0 && errno == EINTR)
                continue;
            if (n <= 0)
                return n < 0 ? errno : EIO;
            got += (size_t)n;
        }
        fwrite(text, 1, base64(bytes, got, text), out);
        size -= got;
    }
    return 0;
}

static exit_status write_page(app *a, const page *p, int run, const char *run_path, const char *path)
{
    text_file out;
    mo_error err = {0};
    struct stat about;
    const char *slash = strrchr(run_path, '/');
    if (fstat(run, &about) != 0)
        return app_fail(a, EXIT_SYSTEM, "%s: %s", run_path, strerror(errno));
    if ((double)about.st_size > much)
        fprintf(stderr, "warning: the run has %.0f MB; browsers may fail to open so large a page\n",
                (double)about.st_size / 1e6);
    mo_status status = text_open(path, &out, &err);
    if (status != MO_OK)
        return app_fail_error(a, status, &err);
    const size_t split = find_body_end(p);
    fwrite(p->bytes, 1, split, out.file);
    fputs("<script type=\"application/octet-stream\" id=\"run-data\" data-name=\"", out.file);
    put_attribute(out.file, slash != NULL ? slash + 1 : run_path);
    fputs("\" data-encoding=\"base64\">", out.file);
    const int error = put_base64(out.file, run, (uint64_t)about.st_size);
    fputs("</script>\n", out.file);
    fwrite(p->bytes + split, 1, p->size - split, out.file);
    status = text_close(&out, &err);
    if (error != 0)
        return app_fail(a, EXIT_SYSTEM, "%s: cannot read: %s", run_path, strerror(error));
    return status == MO_OK ? EXIT_DONE : app_fail_error(a, status, &err);
}

exit_status export_html(app *a, const char *run_path, const char *page_path, const char *path)
{
    page p;
    exit_status code = page_load(a, page_path, &p);
    if (code != EXIT_DONE)
        return code;
    const int run = open(run_path, O_RDONLY | O_CLOEXEC);
    if (run < 0)
        code = app_fail(a, EXIT_SYSTEM, "%s: %s", run_path, strerror(errno));
    else
        code = write_page(a, &p, run, run_path, path);
    if (run >= 0)
        close(run);
    page_free(&p);
    return code;
}
