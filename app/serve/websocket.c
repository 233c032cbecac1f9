/* Frames and the handshake, see websocket.h. */
#include "serve/websocket.h"
#include "serve/digest.h"

#include <string.h>

/* ---- frames ----------------------------------------------------------------------------------------- */

static socket_result refuse(socket_frame *out, int code)
{
    out->refusal = code;
    return SOCKET_BAD;
}

static bool is_control(int kind)
{
    return kind >= SOCKET_CLOSE;
}

/* what the first two bytes alone tell */
static socket_result judge_start(const unsigned char *bytes, socket_frame *out)
{
    const unsigned length = bytes[1] & 0x7fu;
    out->last = (bytes[0] & 0x80u) != 0;
    out->kind = bytes[0] & 0x0f;
    // reserved bits belong to extensions; a browser masks all it sends
    if ((bytes[0] & 0x70u) != 0 || (bytes[1] & 0x80u) == 0)
        return refuse(out, SOCKET_PROTOCOL);
    if (out->kind > SOCKET_PONG || (out->kind > SOCKET_BINARY && out->kind < SOCKET_CLOSE))
        return refuse(out, SOCKET_PROTOCOL);
    if (is_control(out->kind) && (!out->last || length > 125))
        return refuse(out, SOCKET_PROTOCOL);
    return SOCKET_COMPLETE;
}

socket_result socket_parse(const unsigned char *bytes, size_t count, socket_frame *out)
{
    *out = (socket_frame){0};
    if (count < 2)
        return SOCKET_INCOMPLETE;
    if (judge_start(bytes, out) == SOCKET_BAD)
        return SOCKET_BAD;
    const unsigned start = bytes[1] & 0x7fu;
    const size_t extra = start == 127 ? 8 : start == 126 ? 2 : 0;
    if (count < 2 + extra)
        return SOCKET_INCOMPLETE;
    uint64_t length = extra > 0 ? 0 : start;
    for (size_t i = 0; i < extra; i++)
        length = length << 8 | bytes[2 + i];
    // the shortest form is the only one
    if ((extra == 2 && length < 126) || (extra == 8 && (length < 65536 || length >> 63 != 0)))
        return refuse(out, SOCKET_PROTOCOL);
    if (length > SOCKET_MESSAGE)
        return refuse(out, SOCKET_TOO_LARGE);
    out->head = 2 + extra + 4;
    out->length = (size_t)length;
    if (count < out->head + out->length)
        return SOCKET_INCOMPLETE;
    memcpy(out->mask, bytes + 2 + extra, 4);
    return SOCKET_COMPLETE;
}

void socket_unmask(const unsigned char *bytes, const socket_frame *frame, unsigned char *out)
{
    for (size_t i = 0; i < frame->length; i++)
        out[i] = (unsigned char)(bytes[frame->head + i] ^ frame->mask[i % 4]);
}

size_t socket_head(int kind, size_t length, unsigned char out[SOCKET_FRAME_HEAD])
{
    const size_t extra = length > 65535 ? 8 : length > 125 ? 2 : 0;
    out[0] = (unsigned char)(0x80 | kind);
    out[1] = (unsigned char)(extra == 8 ? 127 : extra == 2 ? 126 : length);
    for (size_t i = 0; i < extra; i++)
        out[2 + i] = (unsigned char)((uint64_t)length >> 8 * (extra - 1 - i) & 0xff);
    return 2 + extra;
}

/* ---- handshake -------------------------------------------------------------------------------------- */

bool socket_accept(const char *key, size_t length, char out[SOCKET_ACCEPT])
{
    static const char guid[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"; // RFC 6455, 1.3
    enum { KEY = 24 };                                                 // 16 bytes in base64
    char text[KEY + sizeof guid - 1];
    unsigned char hash[SHA1_BYTES];
    if (key == NULL || length != KEY || key[KEY - 1] != '=' || key[KEY - 2] != '=')
        return false;
    memcpy(text, key, KEY);
    memcpy(text + KEY, guid, sizeof guid - 1);
    sha1(text, sizeof text, hash);
    out[base64(hash, sizeof hash, out)] = '\0';
    return true;
}
