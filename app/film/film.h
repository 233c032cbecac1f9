/* A film from pictures: VP8 in a WebM file. */
#ifndef FILM_FILM_H
#define FILM_FILM_H

#include <moreau/base.h>

typedef struct film film;

/* Whether this program can make films: it was built with libvpx. */
bool film_is_possible(void);

/* To a path, "-" for standard output; of so many pictures, the first of which gives the size.  MO_IO also
   when films are not possible. */
mo_status film_create(const char *path, double fps, uint64_t frames, film **out, mo_error *err);
/* The next picture, as draw_take of draw/draw.h has it; what is larger than the first is cut, what is smaller
   lies on white.  `data` is the film. */
mo_status film_take(void *data, int width, int height, const unsigned char *pixels, size_t stride,
                    mo_error *err);
/* Ends the film and frees it. */
mo_status film_finish(film *f, mo_error *err);
/* Frees a film that is given up, and removes its file.  NULL is fine. */
void film_abandon(film *f);

#endif
