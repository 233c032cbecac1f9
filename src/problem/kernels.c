#include "problem/kernels.h"

#include "problem/kernel_widths.h"

const contact_kernels *kernels_wide(int width)
{
    if (width == 1)
        return kernels_plain();
#if defined(__x86_64__)
    // the builtin asks the processor once, at the start of the program
    if (width == 8 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        return kernels_avx512();
    if (width == 4 && __builtin_cpu_supports("avx2"))
        return kernels_avx2();
#endif
    return NULL;
}

// what the processor has
static const contact_kernels *widest(void)
{
    for (int width = 8; width > 1; width /= 2)
        if (kernels_wide(width) != NULL)
            return kernels_wide(width);
    return kernels_plain();
}

const kernel_set *kernels_for(const step_problem *p, bool grouped)
{
    return kernels_of(p, grouped ? widest() : kernels_plain());
}

void finish_round(int dim, const round_ends *c, const uint32_t *at, size_t count, double loss[2][LANES])
{
    const size_t grouped = count / LANES * LANES;
    widest()->finish[dim - 2](c, at, grouped, loss);
    kernels_plain()->finish[dim - 2](c, at + grouped, count - grouped, loss);
}
