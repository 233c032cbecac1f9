/* One connection of the server: what came in, what goes out, and what kind of talk it is. */
#ifndef SERVE_CLIENT_H
#define SERVE_CLIENT_H

#include "serve/http.h"
#include "serve/server.h"
#include "serve/websocket.h"

enum { CLIENT_OUT = 65536 }; /* bytes on their way to one client */

typedef enum client_state {
    CLIENT_READING,   /* a request, or waiting for one */
    CLIENT_ANSWERING, /* the answer is on its way */
    CLIENT_SOCKET,    /* a WebSocket */
    CLIENT_LEAVING,   /* what is left goes out, then the connection is closed */
    CLIENT_LINGERING, /* closed for writing; what still comes is thrown away */
} client_state;

typedef struct client {
    int fd;
    client_state state;
    bool trusted;      /* has shown the token */
    bool close_after;  /* this answer */
    double since;      /* s: when the state began */
    double progressed; /* s: when bytes last went out, or there were none to go */
    unsigned char in[HTTP_HEAD];
    size_t in_count;
    unsigned char out[CLIENT_OUT];
    size_t out_first, out_end;
    /* what follows the bytes in out: memory, then a part of the file */
    const char *body;
    size_t body_left;
    char *owned; /* memory of the body, when it is the client's to free */
    uint64_t file_at, file_left;
    /* WebSocket: a message in parts, and the last state that was sent */
    unsigned char message[SOCKET_MESSAGE];
    size_t message_count;
    bool in_message;
    uint64_t seen;
} client;

/* What connections have in common. */
typedef struct client_world {
    const server_content *content;
    const char *token;
    char cookie[24]; /* its name: cookies do not know ports */
    char *state;     /* present state, NULL: none */
    uint64_t version;
    double now; /* s */
} client_world;

client *client_create(int fd, double now);
void client_destroy(client *c);

/* Whether it has bytes to send; it reads more only when not. */
bool client_has_output(const client *c);
/* Reads and writes what can be; false: the connection is over. */
bool client_serve(client *c, const client_world *w, bool readable);
/* Whether it has taken too long for what it does. */
bool client_is_late(const client *c, double now);

/* ---- for the files of the client ---- */

/* Bytes to send; false: there is no room. */
bool client_put(client *c, const void *bytes, size_t count);
void client_enter(client *c, client_state state, double now);

/* answer.c: the answer to a request. */
void client_answer(client *c, const client_world *w, const http_request *request);
/* An answer that says why not; the connection closes after it. */
void client_refuse(client *c, const client_world *w, int status, bool head);

/* talk.c: frames that came in are taken and answered. */
void client_talk(client *c, const client_world *w);
/* Sends the present state where it is new and there is room. */
void client_tell(client *c, const client_world *w);

#endif
