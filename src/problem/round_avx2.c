/* Contacts of round bodies by four; compiled for AVX2. */
#if defined(__AVX2__)
#include "problem/round_kernel.h"

const round_kernels_of *round_avx2(void)
{
    return &KERNELS;
}
#else
#include "problem/round_widths.h"

const round_kernels_of *round_avx2(void)
{
    return NULL;
}
#endif
