#define _XOPEN_SOURCE 700
#include "child.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

void child_one_thread(void)
{
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
}

_Noreturn void child_become(char *const argv[], int in, int out, int complaints)
{
    const int standard[3] = {in, out, complaints}, nothing = open("/dev/null", O_RDWR);
    bool ready = nothing >= 0;
    for (int k = 0; k < 3 && ready; k++)
        ready = dup2(standard[k] >= 0 ? standard[k] : nothing, k) >= 0;
    if (ready)
        execv(argv[0], argv);
    _exit(127);
}
