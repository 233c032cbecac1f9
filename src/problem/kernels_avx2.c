/* Contacts by four; compiled for AVX2. */
#if defined(__AVX2__)
#define LANES_WIDTH 4
#include "problem/general_kernel.h"
#include "problem/round_finish.h"

const contact_kernels *kernels_avx2(void)
{
    static const contact_kernels all = {&round_kernels, &general_kernels, {finish2, finish3}};
    return &all;
}
#else
#include "problem/kernel_widths.h"

const contact_kernels *kernels_avx2(void)
{
    return NULL;
}
#endif
