/* What is said over a WebSocket: commands come in, states go out. */
#include "serve/client.h"

#include <stdlib.h>
#include <string.h>

static bool put_frame(client *c, int kind, const void *data, size_t length)
{
    unsigned char head[SOCKET_FRAME_HEAD];
    const size_t head_length = socket_head(kind, length, head);
    const size_t used = c->out_first == c->out_end ? 0 : c->out_end;
    if (head_length + length > CLIENT_OUT - used)
        return false;
    return client_put(c, head, head_length) && client_put(c, data, length);
}

/* says why and closes */
static void leave(client *c, const client_world *w, int code)
{
    const unsigned char data[2] = {(unsigned char)(code >> 8), (unsigned char)(code & 0xff)};
    put_frame(c, SOCKET_CLOSE, data, code != 0 ? sizeof data : 0);
    c->in_count = 0;
    client_enter(c, CLIENT_LEAVING, w->now);
}

static void take_message(client *c, const client_world *w)
{
    char *reply = w->content->message(w->content->data, (const char *)c->message, c->message_count);
    // without room the answer is left out: the state that follows says what became of it
    if (reply != NULL)
        put_frame(c, SOCKET_TEXT, reply, strlen(reply));
    free(reply);
}

/* a part of a message, or all of it */
static void take_data(client *c, const client_world *w, const unsigned char *bytes, const socket_frame *f)
{
    if ((f->kind == SOCKET_MORE) != c->in_message) {
        leave(c, w, SOCKET_PROTOCOL);
        return;
    }
    if (f->kind == SOCKET_BINARY) {
        leave(c, w, SOCKET_NOT_TEXT);
        return;
    }
    if (f->kind == SOCKET_TEXT)
        c->message_count = 0;
    if (f->length > sizeof c->message - c->message_count) {
        leave(c, w, SOCKET_TOO_LARGE);
        return;
    }
    socket_unmask(bytes, f, c->message + c->message_count);
    c->message_count += f->length;
    c->in_message = !f->last;
    if (f->last)
        take_message(c, w);
}

static void take_frame(client *c, const client_world *w, const unsigned char *bytes, const socket_frame *f)
{
    unsigned char data[125];
    switch (f->kind) {
    case SOCKET_CLOSE:
        leave(c, w, 0);
        break;
    case SOCKET_PING:
        socket_unmask(bytes, f, data);
        put_frame(c, SOCKET_PONG, data, f->length);
        break;
    case SOCKET_PONG:
        break;
    default:
        take_data(c, w, bytes, f);
    }
}

void client_talk(client *c, const client_world *w)
{
    size_t used = 0;
    socket_frame frame;
    socket_result result = SOCKET_INCOMPLETE;
    // answers are bounded by the room for them: what is left waits until they are gone
    while (c->state == CLIENT_SOCKET && CLIENT_OUT - c->out_end > CLIENT_OUT / 2 &&
           (result = socket_parse(c->in + used, c->in_count - used, &frame)) == SOCKET_COMPLETE) {
        take_frame(c, w, c->in + used, &frame);
        used += frame.head + frame.length;
    }
    if (c->state != CLIENT_SOCKET)
        return;
    if (result == SOCKET_BAD) {
        leave(c, w, frame.refusal);
        return;
    }
    c->in_count -= used;
    memmove(c->in, c->in + used, c->in_count);
}

void client_tell(client *c, const client_world *w)
{
    // one state at a time: who is slow gets the newest one when the last is gone
    if (w->state == NULL || c->seen == w->version || client_has_output(c))
        return;
    if (put_frame(c, SOCKET_TEXT, w->state, strlen(w->state)))
        c->seen = w->version;
}
