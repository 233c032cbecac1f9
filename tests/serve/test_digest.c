/* SHA-1 and base64 against the examples of their standards. */
#include "serve/digest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_sha1(const void *bytes, size_t count, const char *expected)
{
    unsigned char hash[SHA1_BYTES];
    char text[2 * SHA1_BYTES + 1];
    sha1(bytes, count, hash);
    for (size_t i = 0; i < SHA1_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", hash[i]);
    assert_string_equal(text, expected);
}

/* FIPS 180-4 examples; 55, 56, 63 and 64 letters are where the length moves to a block of its own (hashlib)
 */
static void test_sha1(void **state)
{
    (void)state;
    static const char two[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    char letters[64];
    memset(letters, 'a', sizeof letters);
    assert_sha1("", 0, "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    assert_sha1("abc", 3, "a9993e364706816aba3e25717850c26c9cd0d89d");
    assert_sha1(two, strlen(two), "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    assert_sha1(letters, 55, "c1c8bbdc22796e28c0e15163d20899b65621d65a");
    assert_sha1(letters, 56, "c2db330f6083854c99d4b5bfb6e8f29f201be699");
    assert_sha1(letters, 63, "03f09f5b158a7a8cdad920bddc29b81c18a551f5");
    assert_sha1(letters, 64, "0098ba824b5c16427bd7a1122a5a442a25ec644d");
    char *million = malloc(1000000);
    assert_non_null(million);
    memset(million, 'a', 1000000);
    assert_sha1(million, 1000000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
    free(million);
}

/* RFC 4648, 10 */
static void test_base64(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char out[32];
        out[base64((const unsigned char *)pairs[i][0], strlen(pairs[i][0]), out)] = '\0';
        assert_string_equal(out, pairs[i][1]);
    }
    const unsigned char high[3] = {0xff, 0xef, 0xbf};
    char out[8];
    out[base64(high, 3, out)] = '\0';
    assert_string_equal(out, "/++/");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sha1), cmocka_unit_test(test_base64)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
