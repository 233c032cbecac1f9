/* The side of a worker that asks: processes that are started, asked for solutions, and ended. */
#define _XOPEN_SOURCE 700
#include "peers/worker.h"

#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Seconds to read a problem and to begin. */
enum { PATIENCE = 120, MOST_WORDS = 8 };

// with what it reads and what it says in pipes that no other child inherits the ends of
static bool spawn(worker *w, char *const argv[])
{
    int ask[2] = {-1, -1}, answer[2] = {-1, -1};
    *w = (worker){.pid = 0};
    if (pipe(ask) != 0 || pipe(answer) != 0)
        goto close_all;
    for (int k = 0; k < 2; k++) {
        fcntl(ask[k], F_SETFD, FD_CLOEXEC);
        fcntl(answer[k], F_SETFD, FD_CLOEXEC);
    }
    fflush(NULL);
    w->pid = fork();
    if (w->pid == 0) {
        child_one_thread();
        // what solvers complain about goes nowhere: the answer's status says it
        child_become(argv, ask[0], answer[1], -1);
    }
    if (w->pid < 0)
        goto close_all;
    close(ask[0]);
    close(answer[1]);
    w->to = fdopen(ask[1], "w");
    w->from = fdopen(answer[0], "r");
    return true;
close_all:
    for (int k = 0; k < 2; k++) {
        if (ask[k] >= 0)
            close(ask[k]);
        if (answer[k] >= 0)
            close(answer[k]);
    }
    w->pid = 0;
    return false;
}

static bool start_with(worker *w, const char *const *command, const char *const *more)
{
    char *argv[MOST_WORDS + 1] = {NULL};
    int count = 0;
    for (; *command != NULL && count < MOST_WORDS; command++)
        argv[count++] = (char *)*command;
    for (; *more != NULL && count < MOST_WORDS; more++)
        argv[count++] = (char *)*more;
    return spawn(w, argv);
}

// a line within so many seconds; answers come whole, one for a request
static bool read_line(worker *w, double seconds, char *line, size_t size)
{
    struct pollfd ready = {.fd = fileno(w->from), .events = POLLIN};
    int n;
    while ((n = poll(&ready, 1, (int)(1e3 * seconds))) < 0 && errno == EINTR)
        ;
    return n > 0 && fgets(line, (int)size, w->from) != NULL;
}

void worker_stop(worker *w)
{
    if (w->pid <= 0)
        return;
    kill(w->pid, SIGKILL);
    while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    fclose(w->to);
    fclose(w->from);
    w->pid = 0;
}

bool worker_start(worker *w, const char *const *command, const char *problem, char *trouble, size_t size)
{
    const char *const more[] = {problem, NULL};
    char line[512] = "the worker did not start";
    if (!start_with(w, command, more))
        return snprintf(trouble, size, "%s", line), false;
    if (read_line(w, PATIENCE, line, sizeof line) &&
        sscanf(line, "problem %d %zu", &w->dim, &w->contacts) == 2)
        return true;
    line[strcspn(line, "\n")] = '\0';
    snprintf(trouble, size, "%s", line);
    worker_stop(w);
    return false;
}

// how a worker that says no more has ended: by the limit of its time or otherwise
static const char *ended(worker *w)
{
    int status = 0;
    pid_t pid = 0;
    for (int k = 0; k < 100 && (pid = waitpid(w->pid, &status, WNOHANG)) == 0; k++)
        poll(NULL, 0, 10);
    if (pid <= 0) {
        worker_stop(w);
        return "time";
    }
    fclose(w->to);
    fclose(w->from);
    w->pid = 0;
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF ? "time" : "crash";
}

static bool parse(const char *line, double tol, worker_answer *out)
{
    int at = 0;
    if (sscanf(line, "%lf %lf %lf %d %d %n", &out->seconds, &out->residual, &out->residual_fclib,
               &out->iterations, &out->runs, &at) < 5)
        return false;
    snprintf(out->story, sizeof out->story, "%s", line + at);
    out->story[strcspn(out->story, "\n")] = '\0';
    const bool counts = out->residual_fclib <= tol && out->residual <= 10 * tol;
    out->status = counts ? "solved" : out->runs == 0 ? "refused" : "missed";
    return true;
}

worker_answer worker_ask(worker *w, const char *const *command, const char *problem, const worker_request *q)
{
    worker_answer out = {.seconds = q->limit, .status = "crash"};
    char line[1024], trouble[512];
    if (w->pid == 0 && !worker_start(w, command, problem, trouble, sizeof trouble))
        return out;
    const bool asked =
        fprintf(w->to, "%s %.17g %.17g %g %g\n", q->name, q->tol, q->asked, q->limit, q->budget) > 0 &&
        fflush(w->to) == 0;
    // processor time may be a good deal less than time
    if (!asked || !read_line(w, 60 + 20 * (q->limit + q->budget), line, sizeof line) ||
        !parse(line, q->tol, &out))
        out.status = ended(w);
    return out;
}

bool worker_solved(const worker_answer *answer)
{
    return strcmp(answer->status, "solved") == 0;
}

bool worker_list(const char *const *command, int dim, char *names, size_t size)
{
    char text[8];
    snprintf(text, sizeof text, "%d", dim);
    const char *const more[] = {"--list", text, NULL};
    worker w;
    names[0] = '\0';
    if (!start_with(&w, command, more))
        return false;
    names[fread(names, 1, size - 1, w.from)] = '\0';
    worker_stop(&w);
    return names[0] != '\0';
}
