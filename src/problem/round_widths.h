/* The kernels of each width; NULL where the compiler was not asked for that width. */
#ifndef PROBLEM_ROUND_WIDTHS_H
#define PROBLEM_ROUND_WIDTHS_H

#include "problem/round_kernels.h"

const round_kernels_of *round_plain(void);
const round_kernels_of *round_avx2(void);
const round_kernels_of *round_avx512(void);

#endif
