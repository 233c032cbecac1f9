/* Bytes that anybody on the machine may send to the server: as a request, as a range, and as frames of a
 * WebSocket. Nothing outside the bytes is read, and what was understood stays understood when more follows.
 */
#include "serve/http.h"
#include "serve/websocket.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void inside(http_text text, const char *bytes, size_t size)
{
    if (text.at != NULL && (text.at < bytes || text.length > size || text.at + text.length > bytes + size))
        __builtin_trap();
}

static void use_request(const char *bytes, size_t size, const http_request *r)
{
    const http_text texts[] = {r->path,  r->query,    r->host,       r->origin,        r->cookie,
                               r->range, r->if_range, r->socket_key, r->socket_version};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        inside(texts[i], bytes, size);
    inside(http_value(r->query, '&', "token"), bytes, size);
    inside(http_value(r->cookie, ';', "moreau-80"), bytes, size);
    if (http_is_loopback(r->host) && r->host.length > 15)
        __builtin_trap();
    http_same_origin(r);
    static const uint64_t sizes[] = {0, 1, 1000, UINT64_MAX};
    for (size_t i = 0; i < 4; i++) {
        uint64_t first = 0, last = 0;
        if (http_range(r->range, sizes[i], &first, &last) == HTTP_PART && (first > last || last >= sizes[i]))
            __builtin_trap();
    }
    char accept[SOCKET_ACCEPT];
    socket_accept(r->socket_key.at, r->socket_key.length, accept);
}

static void as_request(const char *bytes, size_t size)
{
    http_request whole, part;
    const http_result result = http_parse(bytes, size, &whole);
    if (result == HTTP_BAD && strcmp(http_reason(whole.refusal), "Unknown") == 0)
        __builtin_trap();
    if (result != HTTP_COMPLETE)
        return;
    if (whole.length == 0 || whole.length > size || whole.length > HTTP_HEAD)
        __builtin_trap();
    use_request(bytes, size, &whole);
    if (http_parse(bytes, whole.length, &part) != HTTP_COMPLETE || part.length != whole.length ||
        http_parse(bytes, whole.length - 1, &part) == HTTP_COMPLETE)
        __builtin_trap();
}

static void as_frames(const uint8_t *data, size_t size)
{
    unsigned char text[SOCKET_MESSAGE];
    socket_frame f;
    while (socket_parse(data, size, &f) == SOCKET_COMPLETE) {
        if (f.head + f.length > size || f.length > sizeof text)
            __builtin_trap();
        socket_unmask(data, &f, text);
        data += f.head + f.length;
        size -= f.head + f.length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    as_request((const char *)data, size);
    as_frames(data, size);
    return 0;
}
