/* Contacts of round bodies one at a time: for every processor, and for ranges that are not groups. */
#include "problem/round_kernel.h"

const round_kernels_of *round_plain(void)
{
    return &KERNELS;
}
