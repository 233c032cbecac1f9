/*
 * Cairo surfaces over a growing buffer, and careful writing of that buffer.
 *
 * Cairo numbers the surfaces of an SVG document by a counter of the whole process; the numbers are replaced
 * by their order of appearance, so that the same picture is the same bytes however many were drawn before it.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "draw/sink.h"

#include "core/fail.h"

#include <cairo-svg.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double largest_side = 32767.0; /* pixels, of Cairo's images */

typedef struct buffer {
    unsigned char *bytes;
    size_t count, capacity;
} buffer;

static bool buffer_add(buffer *b, const void *bytes, size_t count)
{
    if (count > b->capacity - b->count) {
        size_t capacity = 2 * b->capacity + count + 4096;
        unsigned char *grown = realloc(b->bytes, capacity);
        if (grown == NULL)
            return false;
        b->bytes = grown;
        b->capacity = capacity;
    }
    if (count > 0)
        memcpy(b->bytes + b->count, bytes, count);
    b->count += count;
    return true;
}

static cairo_status_t buffer_stream(void *closure, const unsigned char *bytes, unsigned int count)
{
    return buffer_add(closure, bytes, count) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_NO_MEMORY;
}

/* ---- drawing ------------------------------------------------------------------------------ */

static cairo_status_t paint_surface(cairo_surface_t *surface, sink_paint paint, const void *data)
{
    cairo_t *cr = cairo_create(surface);
    cairo_set_source_rgb(cr, 1.0, 1.0, 1.0);
    cairo_paint(cr);
    bool complete = paint(cr, data);
    cairo_status_t status = complete ? cairo_status(cr) : CAIRO_STATUS_NO_MEMORY;
    cairo_destroy(cr);
    return status;
}

static cairo_status_t render(draw_format format, double width, double height, sink_paint paint,
                             const void *data, buffer *out)
{
    cairo_surface_t *surface = format == DRAW_SVG
                                   ? cairo_svg_surface_create_for_stream(buffer_stream, out, width, height)
                                   : cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
    cairo_status_t status = cairo_surface_status(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = paint_surface(surface, paint, data);
    if (status == CAIRO_STATUS_SUCCESS && format == DRAW_PNG)
        status = cairo_surface_write_to_png_stream(surface, buffer_stream, out);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return status;
}

/* ---- names of an SVG document --------------------------------------------------------------- */

/* place of a number in the list of those met so far, which grows by it when it is new; SIZE_MAX without
 * memory */
static size_t order_of(buffer *met, unsigned long number)
{
    size_t count = met->count / sizeof number;
    for (size_t i = count; i-- > 0;) {
        unsigned long other;
        memcpy(&other, met->bytes + i * sizeof other, sizeof other);
        if (other == number)
            return i;
    }
    return buffer_add(met, &number, sizeof number) ? count : SIZE_MAX;
}

/* length of a word at `at` that names a surface or an image of the document by a number, 0 for none */
static size_t mark_length(const unsigned char *at, const unsigned char *end)
{
    static const char *const marks[] = {"surface", "image"};
    for (size_t k = 0; k < 2; k++) {
        size_t length = strlen(marks[k]);
        if ((size_t)(end - at) > length && memcmp(at, marks[k], length) == 0 && at[length] >= '0' &&
            at[length] <= '9')
            return length;
    }
    return 0;
}

/* the number of the next name from `at` on, or NULL; names follow a quote or a hash, which no image's data
   hold */
static unsigned char *next_number(unsigned char *at, unsigned char *end)
{
    for (; at < end; at++) {
        size_t length = *at == '"' || *at == '#' ? mark_length(at + 1, end) : 0;
        if (length > 0)
            return at + 1 + length;
    }
    return NULL;
}

static bool renumber(buffer *svg)
{
    buffer out = {0}, met = {0};
    unsigned char zero = 0;
    bool ok = buffer_add(svg, &zero, 1); /* ends the number parser below */
    unsigned char *at = svg->bytes, *end = ok ? svg->bytes + svg->count - 1 : at, *hit;
    while (ok && (hit = next_number(at, end)) != NULL) {
        char *rest;
        size_t order = order_of(&met, strtoul((char *)hit, &rest, 10));
        char text[40];
        int length = snprintf(text, sizeof text, "%zu", order);
        ok = order != SIZE_MAX && buffer_add(&out, at, (size_t)(hit - at)) &&
             buffer_add(&out, text, (size_t)length);
        at = (unsigned char *)rest;
    }
    ok = ok && buffer_add(&out, at, (size_t)(end - at));
    free(met.bytes);
    free(svg->bytes);
    *svg = out;
    return ok;
}

/* ---- writing --------------------------------------------------------------------------------- */

static mo_status io_failure(mo_error *err, const char *what, const char *path, int code)
{
    fail(err, MO_IO, NULL, "%s: %s", what, strerror(code));
    fail_at(err, path, 0);
    return MO_IO;
}

static int write_all(int fd, const buffer *b)
{
    size_t done = 0;
    while (done < b->count) {
        ssize_t n = write(fd, b->bytes + done, b->count - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        done += (size_t)n;
    }
    return 0;
}

static mo_status write_stdout(const buffer *b, mo_error *err)
{
    /* what was printed before comes first */
    int code = fflush(stdout) == 0 ? write_all(STDOUT_FILENO, b) : errno;
    return code == 0 ? MO_OK : io_failure(err, "cannot write the picture", "standard output", code);
}

/* devices and pipes cannot be replaced: they are written in place */
static mo_status write_in_place(const char *path, const buffer *b, mo_error *err)
{
    int fd = open(path, O_WRONLY);
    if (fd < 0)
        return io_failure(err, "cannot open for writing", path, errno);
    int code = write_all(fd, b);
    if (close(fd) != 0 && code == 0)
        code = errno;
    return code == 0 ? MO_OK : io_failure(err, "cannot write the picture", path, code);
}

/* opens a new file beside path; its name goes to `name` */
static int open_beside(const char *path, char *name, size_t size)
{
    for (int k = 0; k < 1000; k++) {
        snprintf(name, size, "%s.%ld-%d.part", path, (long)getpid(), k);
        int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

static mo_status write_file(const char *path, const buffer *b, mo_error *err)
{
    size_t size = strlen(path) + 64;
    char *name = malloc(size);
    if (name == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a file name");
    int fd = open_beside(path, name, size);
    int code = fd < 0 ? errno : 0;
    if (fd >= 0) {
        code = write_all(fd, b);
        if (close(fd) != 0 && code == 0)
            code = errno;
        if (code == 0 && rename(name, path) != 0)
            code = errno;
        if (code != 0)
            unlink(name);
    }
    free(name);
    return code == 0 ? MO_OK : io_failure(err, "cannot write the picture", path, code);
}

static mo_status write_out(const char *path, const buffer *b, mo_error *err)
{
    if (strcmp(path, "-") == 0)
        return write_stdout(b, err);
    struct stat st;
    if (stat(path, &st) != 0)
        return write_file(path, b, err);
    if (S_ISDIR(st.st_mode))
        return io_failure(err, "cannot write the picture", path, EISDIR);
    if (!S_ISREG(st.st_mode))
        return write_in_place(path, b, err);
    /* a link keeps pointing at the file that is replaced */
    char *real = realpath(path, NULL);
    mo_status status = write_file(real != NULL ? real : path, b, err);
    free(real);
    return status;
}

mo_status sink_check_width(const draw_options *options, mo_error *err)
{
    if (options->width < 1 || options->width > 9000)
        return fail(err, MO_BAD_INPUT, "width", "a picture %d wide; expected 1 to 9000", options->width);
    return MO_OK;
}

static mo_status painting_failure(cairo_status_t drawn, double width, double height, mo_error *err)
{
    if (drawn == CAIRO_STATUS_NO_MEMORY)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a picture of %.0f x %.0f", width, height);
    return fail(err, MO_IO, NULL, "cannot draw: %s", cairo_status_to_string(drawn));
}

/* the picture as pixels */
static mo_status hand_over(const draw_options *options, double width, double height, sink_paint paint,
                           const void *data, mo_error *err)
{
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
    cairo_status_t drawn = cairo_surface_status(surface);
    if (drawn == CAIRO_STATUS_SUCCESS)
        drawn = paint_surface(surface, paint, data);
    cairo_surface_flush(surface);
    mo_status status =
        drawn == CAIRO_STATUS_SUCCESS
            ? options->take(options->take_data, cairo_image_surface_get_width(surface),
                            cairo_image_surface_get_height(surface), cairo_image_surface_get_data(surface),
                            (size_t)cairo_image_surface_get_stride(surface), err)
            : painting_failure(drawn, width, height, err);
    cairo_surface_destroy(surface);
    return status;
}

mo_status sink_write(const draw_options *options, double width, double height, sink_paint paint,
                     const void *data, const char *path, mo_error *err)
{
    const draw_format format = options->take != NULL ? DRAW_PNG : options->format;
    buffer b = {0};
    mo_status status = MO_OK;
    if (format == DRAW_PNG && height > largest_side)
        return fail(err, MO_BAD_INPUT, "width", "a picture of %.0f x %.0f; expected at most %.0f high", width,
                    height, largest_side);
    if (options->take != NULL)
        return hand_over(options, width, height, paint, data, err);
    cairo_status_t drawn = render(format, width, height, paint, data, &b);
    if (drawn == CAIRO_STATUS_SUCCESS && format == DRAW_SVG && !renumber(&b))
        drawn = CAIRO_STATUS_NO_MEMORY;
    if (drawn != CAIRO_STATUS_SUCCESS)
        status = painting_failure(drawn, width, height, err);
    else
        status = write_out(path, &b, err);
    free(b.bytes);
    return status;
}
