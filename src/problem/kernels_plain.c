/* Contacts one at a time: for every processor, and for ranges that are not groups. */
#define LANES_WIDTH 1

#include "problem/general_kernel.h"
#include "problem/round_finish.h"

const contact_kernels *kernels_plain(void)
{
    static const contact_kernels all = {&round_kernels, &general_kernels, {finish2, finish3}};
    return &all;
}
