/* The kernels of each width; NULL where the compiler was not asked for that width. */
#ifndef PROBLEM_KERNEL_WIDTHS_H
#define PROBLEM_KERNEL_WIDTHS_H

#include "problem/kernels.h"

const contact_kernels *kernels_plain(void);
const contact_kernels *kernels_avx2(void);
const contact_kernels *kernels_avx512(void);

#endif
