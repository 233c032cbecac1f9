/*
 * Bandwidth of this machine by STREAM's triad, and additions and multiplications a second.
 *
 *   bench_stream [THREADS...]        default 1 2
 *
 * Printed: GB/s for three arrays together of 0.4, 3, 50, 200 and 1600 MB, as in figures of other machines.
 */
#include <stdio.h>
#include <stdlib.h>

#include "stream.h"

int main(int argc, char **argv)
{
    static const double sizes[] = {0.4e6, 3e6, 50e6, 200e6, 1600e6};
    const char *standard[] = {"", "1", "2"};
    const char **threads = argc > 1 ? (const char **)argv : standard;
    const int count = argc > 1 ? argc : 3;
    printf("%8s", "threads");
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        printf(" %6.1f MB", 1e-6 * sizes[k]);
    for (int i = 1; i < count; i++) {
        const int n = atoi(threads[i]);
        if (n < 1 || n > 64) {
            fprintf(stderr, "bench_stream: found '%s', expected a number of threads from 1 to 64\n",
                    threads[i]);
            return 2;
        }
        printf("\n%8d", n);
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            printf(" %9.1f", 1e-9 * stream_triad((size_t)sizes[k], n));
            fflush(stdout);
        }
    }
    printf("\n%.1f Gflop/s on one thread\n", 1e-9 * stream_flops());
    return 0;
}
