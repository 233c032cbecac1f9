#include "support/close.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void close_check(double actual, double expected, double tolerance, const char *what, const char *file,
                 int line)
{
    if (fabs(actual - expected) <= tolerance)
        return;
    print_error("%s:%d: %s = %.17g, expected %.17g within %.3g (off by %.3g)\n", file, line, what, actual,
                expected, tolerance, actual - expected);
    _fail(file, line);
}
