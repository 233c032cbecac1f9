/*
 * Requests of HTTP/1.1 as far as a page that shows a run needs them: GET and HEAD without a body, one range,
 * and the upgrade to a WebSocket (RFC 9110, 9112, 6455).
 *
 * The parser is strict: what browsers never send is refused, not guessed at.
 */
#ifndef SERVE_HTTP_H
#define SERVE_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HTTP_HEAD = 8192, HTTP_TARGET = 2048, HTTP_HEADERS = 64 }; /* bytes, bytes, number: at most */

/* A part of the request's bytes; at NULL: it was not there. */
typedef struct http_text {
    const char *at;
    size_t length;
} http_text;

typedef enum http_result { HTTP_INCOMPLETE, HTTP_COMPLETE, HTTP_BAD } http_result;

typedef struct http_request {
    size_t length; /* bytes of the request */
    int refusal;   /* HTTP_BAD: status code of the answer */
    bool head;     /* HEAD, not GET */
    bool keep_alive;
    bool upgrade; /* asks for a WebSocket */
    http_text path, query;
    http_text host, origin, cookie, range, if_range;
    http_text socket_key, socket_version;
} http_request;

/* The request at the beginning of the bytes; its texts point into them. */
http_result http_parse(const char *bytes, size_t count, http_request *out);

bool http_text_is(http_text text, const char *other);
/* The value of name=value among several, separated by & in a query and by ; in cookies; at NULL: none. */
http_text http_value(http_text list, char separator, const char *name);

typedef enum http_range_kind { HTTP_ALL, HTTP_PART, HTTP_NO_PART } http_range_kind;

/* Bytes [*first, *last] of so many that are asked for.  All of them without a range, with several, and with
   one that is not understood; HTTP_NO_PART: none of them (416).  *first and *last change only for HTTP_PART.
 */
http_range_kind http_range(http_text range, uint64_t size, uint64_t *first, uint64_t *last);

/* 127.0.0.1, localhost or [::1], with or without a port: a page of another name's does not get in, also
   where that name was made to lead here. */
bool http_is_loopback(http_text host);
/* The page that asks comes from where it asks: no origin, or that of the host. */
bool http_same_origin(const http_request *request);

const char *http_reason(int status);

#endif
