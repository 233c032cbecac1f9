/*
 * The local server behind the page that shows a run: on 127.0.0.1 alone, for whoever holds the token.
 *
 *   /              the page
 *   /session.json  what is shown
 *   /run.h5        the run file, whole or a range of its bytes, as it is at the moment of the request
 *   /live          a WebSocket with the state of a run that is being computed, and commands to it
 *
 * One thread serves all clients with poll(); nothing a client does makes it wait for longer than a
 * system call.  A client that is slow misses states, one that stands still is dropped.
 */
#ifndef SERVE_SERVER_H
#define SERVE_SERVER_H

#include <moreau/base.h>

enum { SERVER_CLIENTS = 32 }; /* at a time; beyond that the oldest without a token makes room */
enum { SERVER_TOKEN = 32 };   /* hexadecimal digits */
enum { SERVER_ADDRESS = 80 }; /* bytes of the page's address, with its zero */

typedef struct server server;

/* What is served.  The functions are called by the server's thread; the texts they give are its to free. */
typedef struct server_content {
    const void *page; /* lives as long as the server */
    size_t page_size;
    int file; /* the run file, open for reading; the caller's to close once the server has stopped */
    /* JSON; size: bytes of the run file now.  NULL: no memory. */
    char *(*session)(void *data, uint64_t size);
    /* JSON of the present state of a live run; NULL function: there is no /live. */
    char *(*state)(void *data);
    /* A message of a client; the answer to it alone, or NULL. */
    char *(*message)(void *data, const char *text, size_t length);
    void *data;
} server_content;

/* Takes a port, 0: any that is free; from then on clients may connect and wait.  MO_IO: the port is taken. */
mo_status server_create(int port, server **out, mo_error *err);
int server_port(const server *s);
/* http://127.0.0.1:PORT/?token=TOKEN */
const char *server_address(const server *s);

/* Starts the thread. */
mo_status server_start(server *s, const server_content *content, mo_error *err);
/* The state has changed; by any thread, never waits. */
void server_wake(server *s);
/* Ends the thread, closes all connections and frees; NULL is fine. */
void server_destroy(server *s);

#endif
