/* The loop over all connections, see server.h. */
#define _GNU_SOURCE /* accept4, pipe2 */
#include "serve/server.h"
#include "core/fail.h"
#include "core/timer.h"
#include "serve/client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 64, TICK = 250 }; /* ms between looks at the clock while there are clients */

struct server {
    int listener, port;
    int wake[2]; /* a pipe: read by the thread */
    char token[SERVER_TOKEN + 1];
    char address[SERVER_ADDRESS];
    bool running;
    pthread_t thread;
    atomic_bool stop, changed;
    server_content content;
    /* the thread's */
    client_world world;
    client *clients[SERVER_CLIENTS];
    size_t count;
    double deaf_until; /* s: the system gave no connection, and is not asked again before */
};

/* ---- clients ---------------------------------------------------------------------------------------- */

static void drop(server *s, size_t i)
{
    client_destroy(s->clients[i]);
    s->clients[i] = s->clients[--s->count];
}

/* of those that have not shown the token the oldest, else the one that has waited longest for a request to
   make; SIZE_MAX: all are at work */
static size_t least_needed(const server *s)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < s->count; i++) {
        const client *c = s->clients[i];
        if (c->trusted && (c->state != CLIENT_READING || c->in_count > 0))
            continue;
        const client *b = best != SIZE_MAX ? s->clients[best] : NULL;
        if (b == NULL || (b->trusted && !c->trusted) || (b->trusted == c->trusted && c->since < b->since))
            best = i;
    }
    return best;
}

static void take_connections(server *s)
{
    for (;;) {
        const size_t victim = s->count == SERVER_CLIENTS ? least_needed(s) : 0;
        if (victim == SIZE_MAX)
            return;
        const int fd = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            if (errno != EAGAIN && errno != EWOULDBLOCK)
                s->deaf_until = s->world.now + 0.2;
            return;
        }
        if (s->count == SERVER_CLIENTS)
            drop(s, victim);
        client *c = client_create(fd, s->world.now);
        if (c == NULL)
            close(fd);
        else
            s->clients[s->count++] = c;
    }
}

/* ---- the loop --------------------------------------------------------------------------------------- */

/* empties the pipe and fetches the state, which may have changed */
static void take_wake(server *s)
{
    char bytes[64];
    while (read(s->wake[0], bytes, sizeof bytes) > 0)
        continue;
    if (!atomic_exchange(&s->changed, false) || s->content.state == NULL)
        return;
    char *state = s->content.state(s->content.data);
    if (state == NULL)
        return;
    free(s->world.state);
    s->world.state = state;
    s->world.version++;
}

/* what poll is asked; the clients come after the pipe and the listener */
static nfds_t ask(server *s, struct pollfd *polled)
{
    polled[0] = (struct pollfd){.fd = s->wake[0], .events = POLLIN};
    const bool room =
        (s->count < SERVER_CLIENTS || least_needed(s) != SIZE_MAX) && s->world.now >= s->deaf_until;
    polled[1] = (struct pollfd){.fd = room ? s->listener : -1, .events = POLLIN};
    for (size_t i = 0; i < s->count; i++) {
        const client *c = s->clients[i];
        const bool output = client_has_output(c);
        // while an answer is on its way nothing is read: the other side has to wait, not our memory to grow
        polled[2 + i] = (struct pollfd){.fd = c->fd, .events = output ? POLLOUT : POLLIN};
    }
    return (nfds_t)(2 + s->count);
}

static void serve_clients(server *s, const struct pollfd *polled)
{
    // from the last: dropping one moves the last into its place
    for (size_t i = s->count; i-- > 0;) {
        client *c = s->clients[i];
        const short happened = polled[2 + i].revents;
        const bool readable = (happened & POLLIN) != 0;
        const bool broken =
            (happened & (POLLERR | POLLNVAL)) != 0 || (happened & (POLLIN | POLLHUP)) == POLLHUP;
        const bool news = c->state == CLIENT_SOCKET && c->seen != s->world.version;
        bool alive = !broken;
        if (alive && (happened != 0 || news))
            alive = client_serve(c, &s->world, readable);
        if (!alive || client_is_late(c, s->world.now))
            drop(s, i);
    }
}

static void *work(void *data)
{
    server *s = data;
    struct pollfd polled[2 + SERVER_CLIENTS];
    while (!atomic_load(&s->stop)) {
        const nfds_t count = ask(s, polled);
        if (poll(polled, count, s->count > 0 || polled[1].fd < 0 ? TICK : -1) < 0 && errno != EINTR)
            break;
        s->world.now = seconds_now();
        take_wake(s);
        serve_clients(s, polled);
        if ((polled[1].revents & POLLIN) != 0)
            take_connections(s);
    }
    return NULL;
}

/* ---- beginning and end ------------------------------------------------------------------------------- */

static bool make_token(char token[SERVER_TOKEN + 1])
{
    unsigned char bytes[SERVER_TOKEN / 2];
    if (getentropy(bytes, sizeof bytes) != 0)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

/* a socket on the loopback alone; -1 and errno */
static int listen_on(int port, int *got)
{
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), yes = 1;
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, BACKLOG) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &length) != 0) {
        const int code = errno;
        close(fd);
        errno = code;
        return -1;
    }
    *got = ntohs(address.sin_port);
    return fd;
}

mo_status server_create(int port, server **out, mo_error *err)
{
    server *s = calloc(1, sizeof *s);
    if (s == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for the server");
    s->wake[0] = s->wake[1] = -1;
    s->listener = listen_on(port, &s->port);
    if (s->listener < 0 || pipe2(s->wake, O_NONBLOCK | O_CLOEXEC) != 0 || !make_token(s->token)) {
        const int code = errno;
        server_destroy(s);
        if (port != 0)
            return fail(err, MO_IO, NULL, "cannot serve on port %d of 127.0.0.1: %s", port, strerror(code));
        return fail(err, MO_IO, NULL, "cannot serve on 127.0.0.1: %s", strerror(code));
    }
    snprintf(s->address, sizeof s->address, "http://127.0.0.1:%d/?token=%s", s->port, s->token);
    *out = s;
    return MO_OK;
}

int server_port(const server *s)
{
    return s->port;
}

const char *server_address(const server *s)
{
    return s->address;
}

mo_status server_start(server *s, const server_content *content, mo_error *err)
{
    sigset_t all, before;
    s->content = *content;
    s->world = (client_world){.content = &s->content, .token = s->token, .now = seconds_now()};
    snprintf(s->world.cookie, sizeof s->world.cookie, "moreau-%d", s->port);
    atomic_store(&s->changed, true);
    server_wake(s);
    // signals are for the program's own thread
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    s->running = pthread_create(&s->thread, NULL, work, s) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return s->running ? MO_OK : fail(err, MO_IO, NULL, "the system gives no thread for the server");
}

void server_wake(server *s)
{
    atomic_store(&s->changed, true);
    // a pipe that is full wakes as well
    const ssize_t put = write(s->wake[1], "", 1);
    (void)put;
}

void server_destroy(server *s)
{
    if (s == NULL)
        return;
    if (s->running) {
        atomic_store(&s->stop, true);
        server_wake(s);
        pthread_join(s->thread, NULL);
    }
    while (s->count > 0)
        drop(s, s->count - 1);
    const int fds[] = {s->listener, s->wake[0], s->wake[1]};
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++) {
        if (fds[i] >= 0)
            close(fds[i]);
    }
    free(s->world.state);
    free(s);
}
