/* What the machine can do: bandwidth by STREAM's triad a = b + s c (McCalpin 1995), and additions and
 * multiplications. */
#ifndef BENCH_STREAM_H
#define BENCH_STREAM_H

#include <stddef.h>

/* Bytes a second, 24 an element, of the three arrays together of that many bytes; best of some runs.  0: no
   memory or no thread. */
double stream_triad(size_t bytes, int threads);
/* Additions and multiplications of doubles a second on one thread, with as many independent chains as pay, by
   code that is compiled like the library. */
double stream_flops(void);

#endif
