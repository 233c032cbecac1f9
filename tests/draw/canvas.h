/* Pictures painted in memory, and what their pixels are. */
#ifndef DRAW_CANVAS_H
#define DRAW_CANVAS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw/palette.h"
#include "draw/sink.h"
#include "support/close.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_ADDRESS_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(UNDER_ADDRESS_SANITIZER)
/* fontconfig keeps what it read until the process ends */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libfontconfig\n";
}
#endif

/* numbers that try to break pictures */
static const double nasty[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, 1e308,  -1e308, 1e149, -1e149,
                               1e99,        1e30,     1e-30,     1e-310, 0.0,    -1.0,  1.0};
enum { nasties = sizeof nasty / sizeof *nasty };

static inline cairo_surface_t *canvas_paint(double width, double height, sink_paint paint, const void *data)
{
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
    cairo_t *cr = cairo_create(surface);
    cairo_set_source_rgb(cr, 1.0, 1.0, 1.0);
    cairo_paint(cr);
    assert_true(paint(cr, data));
    assert_int_equal(cairo_status(cr), CAIRO_STATUS_SUCCESS);
    cairo_destroy(cr);
    cairo_surface_flush(surface);
    return surface;
}

static inline uint32_t canvas_pixel(cairo_surface_t *surface, double x, double y)
{
    assert_true(x >= 0.0 && x < cairo_image_surface_get_width(surface));
    assert_true(y >= 0.0 && y < cairo_image_surface_get_height(surface));
    const unsigned char *row =
        cairo_image_surface_get_data(surface) + (size_t)y * (size_t)cairo_image_surface_get_stride(surface);
    uint32_t pixel;
    memcpy(&pixel, row + 4 * (size_t)x, sizeof pixel);
    return pixel & 0xffffff;
}

/* whether a pixel is clearly blue, as streams of water and curves of observed columns are */
static inline bool is_blue(uint32_t pixel)
{
    return (pixel & 255) > (pixel >> 16 & 255) + 40;
}

/* equal within one step of 255 in every channel, for rounding */
static inline void assert_color(uint32_t pixel, rgb expected)
{
    assert_close((double)(pixel >> 16 & 255), 255.0 * expected.r, 1.0);
    assert_close((double)(pixel >> 8 & 255), 255.0 * expected.g, 1.0);
    assert_close((double)(pixel & 255), 255.0 * expected.b, 1.0);
}

#endif
