#include "problem/round_kernels.h"

#include "problem/round_widths.h"

const round_kernels_of *round_kernels_wide(int width)
{
    if (width == 1)
        return round_plain();
#if defined(__x86_64__)
    // the builtin asks the processor once, at the start of the program
    if (width == 8 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        return round_avx512();
    if (width == 4 && __builtin_cpu_supports("avx2"))
        return round_avx2();
#endif
    return NULL;
}

const round_kernels_of *round_kernels(bool grouped)
{
    for (int width = grouped ? 8 : 1; width > 1; width /= 2)
        if (round_kernels_wide(width) != NULL)
            return round_kernels_wide(width);
    return round_plain();
}
