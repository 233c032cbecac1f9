/* Bytes in and out of a connection, see client.h. */
#include "serve/client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// s that a client has for a whole request, may be silent between requests, may take nothing, is listened to
// after the end
static const double request_limit = 10, idle_limit = 60, stalled_limit = 30, linger_limit = 1;

client *client_create(int fd, double now)
{
    client *c = calloc(1, sizeof *c);
    if (c != NULL) {
        c->fd = fd;
        c->since = c->progressed = now;
    }
    return c;
}

void client_destroy(client *c)
{
    close(c->fd);
    free(c->owned);
    free(c);
}

void client_enter(client *c, client_state state, double now)
{
    c->state = state;
    c->since = now;
    c->progressed = now;
}

bool client_put(client *c, const void *bytes, size_t count)
{
    if (c->out_first == c->out_end)
        c->out_first = c->out_end = 0;
    if (count > CLIENT_OUT - c->out_end)
        return false;
    if (count > 0)
        memcpy(c->out + c->out_end, bytes, count);
    c->out_end += count;
    return true;
}

bool client_has_output(const client *c)
{
    return c->out_first < c->out_end || c->body_left > 0 || c->file_left > 0;
}

bool client_is_late(const client *c, double now)
{
    if (c->state == CLIENT_LINGERING)
        return now - c->since > linger_limit;
    if (client_has_output(c))
        return now - c->progressed > stalled_limit;
    if (c->state == CLIENT_READING)
        return now - c->since > (c->in_count > 0 || !c->trusted ? request_limit : idle_limit);
    return false;
}

/* ---- out -------------------------------------------------------------------------------------------- */

/* moves the next piece of the answer into the buffer, which is empty; false: the file has become shorter */
static bool refill(client *c, const client_world *w)
{
    if (c->body_left > 0) {
        const size_t count = c->body_left < CLIENT_OUT ? c->body_left : CLIENT_OUT;
        client_put(c, c->body, count);
        c->body += count;
        c->body_left -= count;
        return true;
    }
    const size_t count = c->file_left < CLIENT_OUT ? (size_t)c->file_left : CLIENT_OUT;
    const ssize_t got = pread(w->content->file, c->out, count, (off_t)c->file_at);
    if (got <= 0)
        return got < 0 && errno == EINTR;
    c->out_first = 0;
    c->out_end = (size_t)got;
    c->file_at += (uint64_t)got;
    c->file_left -= (uint64_t)got;
    return true;
}

/* sends as much as the other side takes now; false: the connection is over */
static bool send_some(client *c, const client_world *w)
{
    // at most a few buffers at a time, so that all clients have their turn
    for (int k = 0; k < 16 && client_has_output(c); k++) {
        if (c->out_first == c->out_end && !refill(c, w))
            return false;
        const ssize_t put = send(c->fd, c->out + c->out_first, c->out_end - c->out_first, MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return errno == EAGAIN || errno == EWOULDBLOCK;
        c->out_first += (size_t)put;
        c->progressed = w->now;
    }
    return true;
}

/* what comes after all has been sent */
static void finish_output(client *c, const client_world *w)
{
    c->progressed = w->now;
    if (c->state == CLIENT_ANSWERING) {
        free(c->owned);
        c->owned = NULL;
        client_enter(c, c->close_after ? CLIENT_LEAVING : CLIENT_READING, w->now);
    }
    if (c->state == CLIENT_LEAVING) {
        // a close with bytes unread would destroy what the other side has not read yet
        shutdown(c->fd, SHUT_WR);
        client_enter(c, CLIENT_LINGERING, w->now);
    }
}

/* ---- in --------------------------------------------------------------------------------------------- */

/* false: nothing more will come */
static bool receive_some(client *c)
{
    if (c->state == CLIENT_LINGERING)
        c->in_count = 0;
    const size_t room = sizeof c->in - c->in_count;
    if (room == 0)
        return true;
    const ssize_t got = recv(c->fd, c->in + c->in_count, room, 0);
    if (got < 0)
        return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK;
    c->in_count += (size_t)got;
    return got > 0;
}

/* the request in the buffer, if it is complete */
static void take_request(client *c, const client_world *w)
{
    http_request request;
    switch (http_parse((const char *)c->in, c->in_count, &request)) {
    case HTTP_INCOMPLETE:
        return;
    case HTTP_BAD:
        c->in_count = 0;
        client_refuse(c, w, request.refusal, request.head);
        return;
    case HTTP_COMPLETE:
        break;
    }
    client_answer(c, w, &request);
    c->in_count -= request.length;
    memmove(c->in, c->in + request.length, c->in_count);
}

static void take_input(client *c, const client_world *w)
{
    if (c->state == CLIENT_READING && c->in_count > 0)
        take_request(c, w);
    if (c->state == CLIENT_SOCKET && c->in_count > 0)
        client_talk(c, w);
}

bool client_serve(client *c, const client_world *w, bool readable)
{
    if (readable) {
        // the time for a request begins with its first byte
        if (c->state == CLIENT_READING && c->in_count == 0 && c->trusted)
            c->since = w->now;
        if (!receive_some(c))
            return false;
    }
    // requests that came together are answered one after the other
    for (;;) {
        const size_t before = c->in_count;
        if (!client_has_output(c))
            take_input(c, w);
        if (c->state == CLIENT_SOCKET)
            client_tell(c, w);
        const bool had = client_has_output(c);
        if (!send_some(c, w))
            return false;
        if (client_has_output(c))
            return true;
        if (had || c->state == CLIENT_LEAVING)
            finish_output(c, w);
        if (c->state == CLIENT_LINGERING || c->in_count == 0 || c->in_count == before)
            return true;
    }
}
