/*
 * Frames of WebSockets (RFC 6455), as a server reads and writes them: no extensions, text in small messages.
 */
#ifndef SERVE_WEBSOCKET_H
#define SERVE_WEBSOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SOCKET_MORE = 0,
    SOCKET_TEXT = 1,
    SOCKET_BINARY = 2,
    SOCKET_CLOSE = 8,
    SOCKET_PING = 9,
    SOCKET_PONG = 10
};
enum { SOCKET_NOT_TEXT = 1003, SOCKET_PROTOCOL = 1002, SOCKET_TOO_LARGE = 1009 }; /* codes of a close */
enum { SOCKET_MESSAGE = 4096 };  /* bytes of a message that is taken */
enum { SOCKET_ACCEPT = 29 };     /* bytes of the answer to a key, with its zero */
enum { SOCKET_FRAME_HEAD = 10 }; /* bytes before what a server sends, at most */

typedef enum socket_result { SOCKET_INCOMPLETE, SOCKET_COMPLETE, SOCKET_BAD } socket_result;

typedef struct socket_frame {
    bool last;     /* of its message */
    int kind;      /* SOCKET_TEXT, ... */
    size_t head;   /* bytes before the data */
    size_t length; /* bytes of data */
    unsigned char mask[4];
    int refusal; /* SOCKET_BAD: code of the close */
} socket_frame;

/* The frame at the beginning of the bytes, all of it. */
socket_result socket_parse(const unsigned char *bytes, size_t count, socket_frame *out);
/* Copies the data of a complete frame, unmasked. */
void socket_unmask(const unsigned char *bytes, const socket_frame *frame, unsigned char *out);

/* What a server writes before data of this length; returns its number of bytes. */
size_t socket_head(int kind, size_t length, unsigned char out[SOCKET_FRAME_HEAD]);

/* Sec-WebSocket-Accept for a key; false: it is none. */
bool socket_accept(const char *key, size_t length, char out[SOCKET_ACCEPT]);

#endif
