/* Packed chunks: what zlib and a plain unshuffling get out is what went in, and reals shrink as they can. */
#include "core/rng.h"
#include "record/pack.h"
#include "record/small_world.h"

#include <math.h>
#include <zlib.h>

/* packs, and unpacks by what the filters of HDF5 do; the packed size */
static size_t there_and_back(const void *data, size_t count, size_t size, bool real)
{
    const size_t bytes = count * size;
    unsigned char *planes = malloc(bytes), *packed = malloc(pack_room(bytes)), *back = malloc(bytes);
    const size_t n = pack_numbers(data, count, size, real, planes, packed);
    assert_in_range(n, 1, pack_room(bytes));
    memset(planes, 1, bytes);
    uLongf length = bytes;
    assert_int_equal(uncompress(planes, &length, packed, n), Z_OK);
    assert_int_equal(length, bytes);
    for (size_t i = 0; i < bytes; i++)
        back[i] = planes[i % size * count + i / size];
    assert_memory_equal(back, data, bytes);
    free(planes);
    free(packed);
    free(back);
    return n;
}

/* every way that planes can follow each other: reals whose byte b is random where bit b of `mask` is set */
static void planes_of_every_kind(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    static uint8_t data[8 * COUNT];
    rng random = rng_seed(1, 1);
    for (unsigned mask = 0; mask < 256; mask++) {
        size_t noise = 0;
        for (size_t i = 0; i < sizeof data; i++)
            data[i] = (mask >> i % 8 & 1) != 0 ? (uint8_t)(256 * rng_uniform(&random)) : (uint8_t)(i / 9000);
        for (unsigned b = 0; b < 8; b++)
            noise += (mask >> b & 1) * COUNT;
        // the noise as it is, and next to nothing for the rest
        assert_in_range(there_and_back(data, COUNT, 8, true), noise, noise + 1000);
    }
}

static void numbers_of_every_size(void **state)
{
    (void)state;
    static double real[4096];
    static uint8_t bytes[4096];
    static uint32_t rising[4096];
    for (size_t n = 1; n <= 4096; n = 2 * n + (n % 3 == 0)) {
        for (size_t i = 0; i < n; i++) {
            real[i] = sin((double)i) / (double)(i + 1);
            rising[i] = (uint32_t)(i + 7);
            bytes[i] = i % 5 == 0;
        }
        there_and_back(real, n, 8, true);
        there_and_back(bytes, n, 1, false);
        const size_t packed = there_and_back(rising, n, 4, false);
        // the lowest bytes of rising numbers look evenly spread and repeat all the same
        if (n > 2048)
            assert_true(packed < n);
    }
}

/* values that are not numbers, zeros of both signs, smallest and largest */
static void odd_reals(void **state)
{
    (void)state;
    static double odd[1000];
    const double some[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, 0.0, -0.0, 4.9e-324, 1.7976931348623157e308};
    for (size_t i = 0; i < 1000; i++)
        odd[i] = some[i * i % 7];
    there_and_back(odd, 1000, 8, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(planes_of_every_kind),
                                       cmocka_unit_test(numbers_of_every_size), cmocka_unit_test(odd_reals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
