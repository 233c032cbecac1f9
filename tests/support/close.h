/*
 * Comparing doubles in tests (cmocka's own float assert casts to float).
 */
#ifndef SUPPORT_CLOSE_H
#define SUPPORT_CLOSE_H

/* |actual - expected| <= tolerance, else the test fails printing all three. NaN fails. */
#define assert_close(actual, expected, tolerance)                                                            \
    close_check((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)

void close_check(double actual, double expected, double tolerance, const char *what, const char *file,
                 int line);

#endif
