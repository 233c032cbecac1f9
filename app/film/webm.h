/*
 * WebM files with one VP8 track: a subset of Matroska, whose elements are an id, a length and data (EBML, RFC
 * 8794; RFC 9559).  Written from front to end; where the file can be gone back in, the index is made known at
 * its front.
 */
#ifndef FILM_WEBM_H
#define FILM_WEBM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct webm webm;

/* The heads of a film of `frames` pictures.  The caller keeps the file; NULL: no memory. */
webm *webm_begin(FILE *file, int width, int height, double fps, uint64_t frames);
/* The next picture, compressed; false: no memory.  Failures to write are left to ferror(file). */
bool webm_add(webm *w, const void *data, size_t size, bool is_key);
/* Ends the film and frees; false: no memory. */
bool webm_end(webm *w);
/* Frees a film that is given up. */
void webm_free(webm *w);

#endif
