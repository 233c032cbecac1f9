/* Frames and handshake against the examples of RFC 6455, and frames that a client must not send. */
#include "serve/websocket.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_handshake(void **state)
{
    (void)state;
    char out[SOCKET_ACCEPT];
    static const char key[] = "dGhlIHNhbXBsZSBub25jZQ=="; // 1.3
    assert_true(socket_accept(key, strlen(key), out));
    assert_string_equal(out, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    assert_false(socket_accept(key, strlen(key) - 1, out));
    assert_false(socket_accept("dGhlIHNhbXBsZSBub25jZQAA", 24, out));
    assert_false(socket_accept(NULL, 0, out));
}

/* 5.7: a masked "Hello" */
static const unsigned char hello[] = {0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58};

static void test_frame(void **state)
{
    (void)state;
    socket_frame f;
    unsigned char text[6] = {0};
    for (size_t n = 0; n < sizeof hello; n++)
        assert_int_equal(socket_parse(hello, n, &f), SOCKET_INCOMPLETE);
    assert_int_equal(socket_parse(hello, sizeof hello, &f), SOCKET_COMPLETE);
    assert_true(f.last && f.kind == SOCKET_TEXT && f.length == 5 && f.head + f.length == sizeof hello);
    socket_unmask(hello, &f, text);
    assert_string_equal((char *)text, "Hello");
}

static void assert_refused(unsigned char first, unsigned char second, int code)
{
    unsigned char bytes[14] = {first, second};
    socket_frame f;
    assert_int_equal(socket_parse(bytes, sizeof bytes, &f), SOCKET_BAD);
    assert_int_equal(f.refusal, code);
}

static void test_refusals(void **state)
{
    (void)state;
    assert_refused(0x81, 0x05, SOCKET_PROTOCOL); // not masked
    assert_refused(0xc1, 0x85, SOCKET_PROTOCOL); // a reserved bit
    assert_refused(0x83, 0x80, SOCKET_PROTOCOL); // kinds that are not there
    assert_refused(0x8b, 0x80, SOCKET_PROTOCOL);
    assert_refused(0x09, 0x80, SOCKET_PROTOCOL);       // a ping in parts
    assert_refused(0x89, 0x80 | 126, SOCKET_PROTOCOL); // and a long one
    assert_refused(0x81, 0x80 | 126, SOCKET_PROTOCOL); // 0 in two bytes, and in eight
    assert_refused(0x81, 0x80 | 127, SOCKET_PROTOCOL);
    const unsigned char large[] = {0x81, 0x80 | 126, 0x10, 0x01, 0, 0, 0, 0};
    const unsigned char huge[] = {0x81, 0x80 | 127, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    const unsigned char negative[] = {0x81, 0x80 | 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    socket_frame f;
    assert_int_equal(socket_parse(large, sizeof large, &f), SOCKET_BAD);
    assert_int_equal(f.refusal, SOCKET_TOO_LARGE);
    assert_int_equal(socket_parse(huge, sizeof huge, &f), SOCKET_BAD);
    assert_int_equal(f.refusal, SOCKET_TOO_LARGE);
    assert_int_equal(socket_parse(negative, sizeof negative, &f), SOCKET_BAD);
    assert_int_equal(f.refusal, SOCKET_PROTOCOL);
}

/* what a server writes, with a mask of zeros put in, is read back; sizes where the form changes */
static void test_round_trip(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 125, 126, 127, SOCKET_MESSAGE};
    unsigned char *bytes = calloc(1, SOCKET_MESSAGE + 32);
    assert_non_null(bytes);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char head[SOCKET_FRAME_HEAD];
        const size_t n = socket_head(SOCKET_TEXT, sizes[i], head);
        socket_frame f;
        memcpy(bytes, head, n);
        bytes[1] |= 0x80;
        memset(bytes + n, 0, 4);
        assert_int_equal(socket_parse(bytes, n + 4 + sizes[i], &f), SOCKET_COMPLETE);
        assert_true(f.length == sizes[i] && f.head == n + 4 && f.last);
    }
    unsigned char head[SOCKET_FRAME_HEAD];
    assert_int_equal(socket_head(SOCKET_TEXT, 65535, head), 4);
    assert_int_equal(socket_head(SOCKET_TEXT, 65536, head), 10);
    const unsigned char expected[] = {0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0};
    assert_memory_equal(head, expected, 10);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_handshake), cmocka_unit_test(test_frame),
                                       cmocka_unit_test(test_refusals), cmocka_unit_test(test_round_trip)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
