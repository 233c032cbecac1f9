/* Contacts of round bodies by eight; compiled for AVX-512. */
#if defined(__AVX512F__)
#include "problem/round_kernel.h"

const round_kernels_of *round_avx512(void)
{
    return &KERNELS;
}
#else
#include "problem/round_widths.h"

const round_kernels_of *round_avx512(void)
{
    return NULL;
}
#endif
