/* The request parser: what browsers send is understood, everything else is refused. */
#include "serve/http.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static http_text text_of(const char *text)
{
    return (http_text){text, strlen(text)};
}

static http_result parse(const char *text, http_request *out)
{
    return http_parse(text, strlen(text), out);
}

static void assert_refused(const char *text, int status)
{
    http_request r;
    if (parse(text, &r) != HTTP_BAD || r.refusal != status)
        fail_msg("%.60s: refusal %d, expected %d", text, r.refusal, status);
}

static void test_request(void **state)
{
    (void)state;
    static const char text[] =
        "GET /run.h5?a=1&token=abc HTTP/1.1\r\nHost: localhost:80\r\nRANGE:bytes=0-9 \r\n"
        "If-Range: \"x\"\r\ncookie: a=b; moreau-1=T\r\nOther: \xc3\xa4\r\n\r\nGET";
    http_request r;
    assert_int_equal(parse(text, &r), HTTP_COMPLETE);
    assert_int_equal(r.length, sizeof text - 1 - 3);
    assert_true(!r.head && r.keep_alive && !r.upgrade);
    assert_true(http_text_is(r.path, "/run.h5"));
    assert_true(http_text_is(http_value(r.query, '&', "token"), "abc"));
    assert_null(http_value(r.query, '&', "oken").at);
    assert_true(http_text_is(r.host, "localhost:80"));
    assert_true(http_text_is(r.range, "bytes=0-9"));
    assert_true(http_text_is(r.if_range, "\"x\""));
    assert_true(http_text_is(http_value(r.cookie, ';', "moreau-1"), "T"));
    // every beginning of it is a request that goes on
    for (size_t n = 0; n < r.length; n++) {
        http_request part;
        assert_int_equal(http_parse(text, n, &part), HTTP_INCOMPLETE);
    }
}

static void test_connection(void **state)
{
    (void)state;
    http_request r;
    assert_int_equal(parse("HEAD / HTTP/1.0\r\nHost: x\r\n\r\n", &r), HTTP_COMPLETE);
    assert_true(r.head && !r.keep_alive);
    assert_int_equal(parse("GET / HTTP/1.1\r\nHost: x\r\nConnection: a, Close\r\n\r\n", &r), HTTP_COMPLETE);
    assert_false(r.keep_alive);
    assert_int_equal(parse("GET /live HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Upgrade\r\n"
                           "Upgrade: websocket\r\nSec-WebSocket-Key: k\r\nSec-WebSocket-Version: 13\r\n\r\n",
                           &r),
                     HTTP_COMPLETE);
    assert_true(r.upgrade && http_text_is(r.socket_key, "k") && http_text_is(r.socket_version, "13"));
}

static void test_refusals(void **state)
{
    (void)state;
    assert_refused("POST / HTTP/1.1\r\nHost: x\r\n\r\n", 405);
    assert_refused("get / HTTP/1.1\r\n", 405);
    assert_refused(" GET / HTTP/1.1\r\n", 400);
    assert_refused("GET  / HTTP/1.1\r\n", 400);
    assert_refused("GET / HTTP/1.1 \r\n", 505);
    assert_refused("GET / HTTP/2.0\r\n", 505);
    assert_refused("GET /\r\n", 400);
    assert_refused("\r\n", 400);
    assert_refused("GET / HTTP/1.1\nHost: x\n\n", 400);
    assert_refused("GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n", 400);
    assert_refused("GET * HTTP/1.1\r\n", 400);
    assert_refused("GET /\x80 HTTP/1.1\r\n", 400);
    assert_refused("GET / HTTP/1.1\r\nHost : x\r\n", 400);
    assert_refused("GET / HTTP/1.1\r\nHost: x\r\n folded\r\n", 400);
    assert_refused("GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n", 400);
    assert_refused("GET / HTTP/1.1\r\nHost: x\x01\r\n", 400);
    assert_refused("GET / HTTP/1.1\r\n: x\r\n", 400);
    assert_refused("GET / HTTP/1.1\r\n\r\n", 400);
    assert_refused("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx", 413);
    assert_refused("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 0, 5\r\n\r\n", 413);
    assert_refused("GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", 501);
    assert_refused("GET / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n", 417);
}

/* neither a long line, nor many, nor one that never ends */
static void test_limits(void **state)
{
    (void)state;
    http_request r;
    char *text = malloc(4 * HTTP_HEAD);
    assert_non_null(text);
    memset(text, 'a', 4 * HTTP_HEAD);
    memcpy(text, "GET /", 5);
    assert_int_equal(http_parse(text, HTTP_HEAD - 1, &r), HTTP_INCOMPLETE);
    assert_int_equal(http_parse(text, HTTP_HEAD, &r), HTTP_BAD);
    assert_int_equal(r.refusal, 431);
    memcpy(text + 4 + HTTP_TARGET + 1, " HTTP/1.1\r\n", 11);
    assert_int_equal(http_parse(text, HTTP_HEAD - 1, &r), HTTP_BAD);
    assert_int_equal(r.refusal, 414);
    int n = sprintf(text, "GET / HTTP/1.1\r\nHost: x\r\n");
    for (int i = 0; i < HTTP_HEADERS; i++)
        n += sprintf(text + n, "A: b\r\n");
    sprintf(text + n, "\r\n");
    assert_refused(text, 431);
    free(text);
}

/* against the definition of RFC 9110 14.1.2, for all small sizes and numbers */
static void test_ranges(void **state)
{
    (void)state;
    for (uint64_t size = 0; size < 6; size++)
        for (uint64_t from = 0; from < 8; from++)
            for (uint64_t to = 0; to < 8; to++) {
                char text[64];
                uint64_t first = 99, last = 99;
                snprintf(text, sizeof text, "bytes=%" PRIu64 "-%" PRIu64, from, to);
                http_range_kind kind = http_range(text_of(text), size, &first, &last);
                assert_int_equal(kind, to < from ? HTTP_ALL : from >= size ? HTTP_NO_PART : HTTP_PART);
                if (kind == HTTP_PART) {
                    assert_int_equal(first, from);
                    assert_int_equal(last, to < size ? to : size - 1);
                } else {
                    // a range that was not understood once left its beginning behind
                    assert_true(first == 99 && last == 99);
                }
                snprintf(text, sizeof text, "bytes=-%" PRIu64, to);
                kind = http_range(text_of(text), size, &first, &last);
                assert_int_equal(kind, to == 0 || size == 0 ? HTTP_NO_PART : HTTP_PART);
                if (kind == HTTP_PART) {
                    assert_int_equal(first, to < size ? size - to : 0);
                    assert_int_equal(last, size - 1);
                }
            }
}

static void test_range_texts(void **state)
{
    (void)state;
    static const char *const ignored[] = {
        "",        "bytes=",        "bytes=-",    "bytes",     "items=0-1",  "bytes=a-1", "bytes=0-b",
        "bytes=1", "bytes=0-1,3-4", "bytes= 0-1", "bytes=--1", "bytes=+1-2", "bytes=0x1-"};
    uint64_t first, last;
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        assert_int_equal(http_range(text_of(ignored[i]), 100, &first, &last), HTTP_ALL);
    assert_int_equal(http_range((http_text){NULL, 0}, 100, &first, &last), HTTP_ALL);
    // numbers beyond the type are large, not small
    assert_int_equal(http_range(text_of("bytes=5-99999999999999999999999"), 100, &first, &last), HTTP_PART);
    assert_true(first == 5 && last == 99);
    assert_int_equal(http_range(text_of("bytes=18446744073709551616-"), 100, &first, &last), HTTP_NO_PART);
    assert_int_equal(http_range(text_of("bytes=-18446744073709551617"), 100, &first, &last), HTTP_PART);
    assert_true(first == 0 && last == 99);
    assert_int_equal(http_range(text_of("BYTES=7-"), UINT64_MAX, &first, &last), HTTP_PART);
    assert_true(first == 7 && last == UINT64_MAX - 1);
}

static void test_who_asks(void **state)
{
    (void)state;
    static const char *const ours[] = {"127.0.0.1", "127.0.0.1:1", "LocalHost:65535", "[::1]:80",
                                       "localhost"};
    static const char *const others[] = {
        "",           "evil.example",     "127.0.0.1.evil.example", "localhost.",
        "localhosts", "127.0.0.1:",       "127.0.0.1:65536",        "127.0.0.1:8o",
        "127.0.0.2",  "evil.example:127", "localhost:80:90",        "::1"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        assert_true(http_is_loopback(text_of(ours[i])));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(http_is_loopback(text_of(others[i])));
    http_request r = {.host = text_of("localhost:80")};
    assert_true(http_same_origin(&r));
    r.origin = text_of("http://localhost:80");
    assert_true(http_same_origin(&r));
    static const char *const origins[] = {"null",
                                          "",
                                          "https://localhost:80",
                                          "http://localhost:81",
                                          "http://localhost",
                                          "http://localhost:80.evil.example"};
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++) {
        r.origin = text_of(origins[i]);
        assert_false(http_same_origin(&r));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_request),  cmocka_unit_test(test_connection),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_ranges),   cmocka_unit_test(test_range_texts),
        cmocka_unit_test(test_who_asks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
