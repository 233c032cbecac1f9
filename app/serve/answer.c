/* Answers to requests: who may ask, the routes, and their headers. */
#include "serve/client.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { HEAD = 2048 };

/* An answer before it is written. */
typedef struct answer {
    int status;
    const char *type; /* NULL: text for people */
    uint64_t length;
    char extra[512]; /* more headers, each with its CR LF */
    bool head;       /* without the body */
} answer;

/* The page is one file: scripts, styles and pictures are inside it or made by it, code and workers included;
   it talks to nobody else. */
static const char policy[] =
    "Content-Security-Policy: default-src 'none'; "
    "script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob: data:; "
    "style-src 'unsafe-inline'; img-src data: blob:; media-src data: blob:; font-src data:; "
    "connect-src 'self' data: blob: ws://127.0.0.1:* ws://localhost:*; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "X-Frame-Options: DENY\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Cache-Control: no-store\r\n";

static void add_header(answer *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_header(answer *a, const char *format, ...)
{
    const size_t used = strlen(a->extra);
    va_list args;
    va_start(args, format);
    vsnprintf(a->extra + used, sizeof a->extra - used, format, args);
    va_end(args);
}

static void put_head(client *c, const client_world *w, const answer *a)
{
    char head[HEAD], date[64] = "";
    const time_t now = time(NULL);
    struct tm t;
    if (gmtime_r(&now, &t) != NULL)
        strftime(date, sizeof date, "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &t);
    const int n = snprintf(
        head, sizeof head,
        "HTTP/1.1 %d %s\r\n%sContent-Type: %s\r\nContent-Length: %" PRIu64 "\r\n%s%sConnection: %s\r\n\r\n",
        a->status, http_reason(a->status), date, a->type != NULL ? a->type : "text/plain; charset=utf-8",
        a->length, policy, a->extra, c->close_after ? "close" : "keep-alive");
    client_enter(c, CLIENT_ANSWERING, w->now);
    client_put(c, head, (size_t)n);
}

/* an answer whose body is a short text */
static void put_text(client *c, const client_world *w, answer *a, const char *text)
{
    a->length = strlen(text);
    put_head(c, w, a);
    if (!a->head)
        client_put(c, text, strlen(text));
}

static const char *explain(int status)
{
    switch (status) {
    case 403:
        return "Not for you: use the address that moreau printed, with its token, on this machine.\n";
    case 404:
        return "There is no such thing here.\n";
    case 405:
        return "Only GET and HEAD.\n";
    case 416:
        return "The file is shorter.\n";
    case 426:
        return "This is a WebSocket.\n";
    default:
        return "";
    }
}

static void refuse(client *c, const client_world *w, answer *a, int status)
{
    char text[200];
    a->status = status;
    snprintf(text, sizeof text, "%d %s\n%s", status, http_reason(status), explain(status));
    if (status == 405)
        add_header(a, "Allow: GET, HEAD\r\n");
    if (status == 426)
        add_header(a, "Upgrade: websocket\r\n");
    put_text(c, w, a, text);
}

void client_refuse(client *c, const client_world *w, int status, bool head)
{
    answer a = {.head = head};
    c->close_after = true;
    refuse(c, w, &a, status);
}

/* ---- who asks --------------------------------------------------------------------------------------- */

/* takes the same time wherever a wrong token differs */
static bool is_token(http_text text, const char *token)
{
    unsigned char difference = 0;
    if (text.at == NULL || text.length != SERVER_TOKEN)
        return false;
    for (size_t i = 0; i < SERVER_TOKEN; i++)
        difference |= (unsigned char)(text.at[i] ^ token[i]);
    return difference == 0;
}

static bool may_ask(const client_world *w, const http_request *r)
{
    return http_is_loopback(r->host) && http_same_origin(r) &&
           (is_token(http_value(r->query, '&', "token"), w->token) ||
            is_token(http_value(r->cookie, ';', w->cookie), w->token));
}

/* ---- routes ----------------------------------------------------------------------------------------- */

static void answer_page(client *c, const client_world *w, answer *a)
{
    a->type = "text/html; charset=utf-8";
    a->length = w->content->page_size;
    add_header(a, "Set-Cookie: %s=%s; Path=/; HttpOnly; SameSite=Strict\r\n", w->cookie, w->token);
    put_head(c, w, a);
    if (!a->head) {
        c->body = w->content->page;
        c->body_left = w->content->page_size;
    }
}

/* bytes of the run file at this moment, and what changes with them; false: unknown */
static bool look_at_file(const client_world *w, uint64_t *size, char tag[80])
{
    struct stat about;
    if (fstat(w->content->file, &about) != 0 || about.st_size < 0)
        return false;
    *size = (uint64_t)about.st_size;
    snprintf(tag, 80, "\"%jx-%jx-%jx-%lx\"", (uintmax_t)about.st_ino, (uintmax_t)about.st_size,
             (uintmax_t)about.st_mtim.tv_sec, (unsigned long)about.st_mtim.tv_nsec);
    return true;
}

static void answer_session(client *c, const client_world *w, answer *a)
{
    uint64_t size = 0;
    char tag[80];
    char *text = look_at_file(w, &size, tag) ? w->content->session(w->content->data, size) : NULL;
    if (text == NULL) {
        refuse(c, w, a, 500);
        return;
    }
    a->type = "application/json";
    a->length = strlen(text);
    put_head(c, w, a);
    c->owned = text;
    if (!a->head) {
        c->body = text;
        c->body_left = strlen(text);
    }
}

static void answer_file(client *c, const client_world *w, const http_request *r, answer *a)
{
    uint64_t size = 0, first = 0, last = 0;
    char tag[80];
    if (!look_at_file(w, &size, tag)) {
        refuse(c, w, a, 500);
        return;
    }
    // a part of a file that is no longer the one the client knows would not fit to the others it has
    const bool same = r->if_range.at == NULL || http_text_is(r->if_range, tag);
    const http_range_kind kind = same ? http_range(r->range, size, &first, &last) : HTTP_ALL;
    add_header(a, "Accept-Ranges: bytes\r\nETag: %s\r\n", tag);
    if (kind == HTTP_NO_PART) {
        add_header(a, "Content-Range: bytes */%" PRIu64 "\r\n", size);
        refuse(c, w, a, 416);
        return;
    }
    a->type = "application/x-hdf5";
    a->length = size;
    if (kind == HTTP_PART) {
        a->status = 206;
        a->length = last - first + 1;
        add_header(a, "Content-Range: bytes %" PRIu64 "-%" PRIu64 "/%" PRIu64 "\r\n", first, last, size);
    }
    put_head(c, w, a);
    c->file_at = first;
    c->file_left = a->head ? 0 : a->length;
}

static void answer_socket(client *c, const client_world *w, const http_request *r, answer *a)
{
    char accept[SOCKET_ACCEPT], head[256];
    if (!r->upgrade || !http_text_is(r->socket_version, "13")) {
        add_header(a, "Sec-WebSocket-Version: 13\r\n");
        refuse(c, w, a, 426);
        return;
    }
    if (r->head || !socket_accept(r->socket_key.at, r->socket_key.length, accept)) {
        refuse(c, w, a, 400);
        return;
    }
    const int n = snprintf(head, sizeof head,
                           "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                           "Sec-WebSocket-Accept: %s\r\n\r\n",
                           accept);
    client_enter(c, CLIENT_SOCKET, w->now);
    client_put(c, head, (size_t)n);
}

void client_answer(client *c, const client_world *w, const http_request *r)
{
    answer a = {.status = 200, .head = r->head};
    c->close_after = !r->keep_alive;
    if (!may_ask(w, r)) {
        c->close_after = true;
        refuse(c, w, &a, 403);
        return;
    }
    c->trusted = true;
    if (http_text_is(r->path, "/"))
        answer_page(c, w, &a);
    else if (http_text_is(r->path, "/session.json"))
        answer_session(c, w, &a);
    else if (http_text_is(r->path, "/run.h5"))
        answer_file(c, w, r, &a);
    else if (http_text_is(r->path, "/live") && w->content->state != NULL)
        answer_socket(c, w, r, &a);
    else
        refuse(c, w, &a, 404);
}
