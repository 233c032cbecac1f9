/* Where pictures go: drawn into memory, then written to a file or standard output in one go. */
#ifndef DRAW_SINK_H
#define DRAW_SINK_H

#include "draw/draw.h"

#include <cairo.h>

/* False when memory ran out. */
typedef bool (*sink_paint)(cairo_t *cr, const void *data);

/* MO_BAD_INPUT when pictures cannot be so wide. */
mo_status sink_check_width(const draw_options *options, mo_error *err);

/* Paints a picture of width x height (pixels or points) on white and writes it to path, "-" for standard
   output; or hands it over where the options say so. A regular file is replaced only once the new picture is
   complete. */
mo_status sink_write(const draw_options *options, double width, double height, sink_paint paint,
                     const void *data, const char *path, mo_error *err);

#endif
