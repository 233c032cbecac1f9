/* Contacts by eight; compiled for AVX-512. */
#if defined(__AVX512F__)
#define LANES_WIDTH 8
#include "problem/general_kernel.h"
#include "problem/round_finish.h"

const contact_kernels *kernels_avx512(void)
{
    static const contact_kernels all = {&round_kernels, &general_kernels, {finish2, finish3}};
    return &all;
}
#else
#include "problem/kernel_widths.h"

const contact_kernels *kernels_avx512(void)
{
    return NULL;
}
#endif
