/*
 * Runs of `moreau sweep-params` as processes of this same program, as many at once as there is room for.
 *
 * Signals are blocked and taken one by one, so that none falls between looking and waiting.  A child writes
 * to a file without a name, which is read when it has ended.
 */
#include "child.h"
#include "params.h"
#include "progress.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct job {
    pid_t pid; /* 0: free */
    size_t run;
    FILE *out;
} job;

typedef struct pool {
    app *a;
    const jobs_request *request;
    params_table *t;
    job *jobs; /* [request->at_once] */
    size_t running, next;
    sigset_t before; /* the mask that children get back */
    progress bar;
    char program[4096];
} pool;

/* ---- children --------------------------------------------------------------------------------------- */

/* run SCENE --set NAME=VALUE... --seed N --threads 1 --json --quiet ...; to be freed, entry by entry */
static char **arguments_for(const pool *p, size_t run)
{
    const plan *all = p->t->plan;
    char **argv = app_calloc(2 * all->count + p->request->argument_count + 10, sizeof *argv);
    size_t n = 0;
    argv[n++] = app_format("%s", p->program);
    argv[n++] = app_format("run");
    for (size_t k = 0; k + 1 < all->count; k++) {
        argv[n++] = app_format("--set");
        argv[n++] = app_format("%s=%s", all->axes[k].name, plan_value(all, run, k));
    }
    argv[n++] = app_format("--seed=%s", plan_value(all, run, all->count - 1));
    argv[n++] = app_format("--threads=1");
    argv[n++] = app_format("--json");
    argv[n++] = app_format("--quiet");
    for (size_t k = 0; k < p->request->argument_count; k++)
        argv[n++] = app_format("%s", p->request->arguments[k]);
    argv[n++] = app_format("--");
    argv[n++] = app_format("%s", p->request->scene);
    return argv;
}

static void free_arguments(char **argv)
{
    for (size_t i = 0; argv[i] != NULL; i++)
        free(argv[i]);
    free(argv);
}

static _Noreturn void become(const pool *p, char **argv, int out)
{
#ifdef __linux__
    // nobody is left behind where the program itself is killed
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    sigprocmask(SIG_SETMASK, &p->before, NULL);
    child_become(argv, -1, out, -1);
}

static exit_status start(pool *p, job *j, size_t run)
{
    FILE *out = tmpfile();
    if (out == NULL)
        return app_fail(p->a, EXIT_SYSTEM, "no file for what a run says: %s", strerror(errno));
    char **argv = arguments_for(p, run);
    pid_t pid = fork();
    if (pid == 0)
        become(p, argv, fileno(out));
    free_arguments(argv);
    if (pid < 0) {
        fclose(out);
        return app_fail(p->a, EXIT_SYSTEM, "no process for a run: %s", strerror(errno));
    }
    *j = (job){pid, run, out};
    p->running++;
    return EXIT_DONE;
}

/* the object on the last line that the child wrote, or one that says how it ended */
static json_t *outcome_of(const job *j, int status)
{
    long size = fseek(j->out, 0, SEEK_END) == 0 ? ftell(j->out) : 0;
    char *text = app_calloc((size_t)(size > 0 ? size : 0) + 1, 1), *line = text;
    rewind(j->out);
    size_t length = fread(text, 1, (size_t)(size > 0 ? size : 0), j->out);
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    if (strrchr(text, '\n') != NULL)
        line = strrchr(text, '\n') + 1;
    json_t *outcome = json_parsed(line);
    free(text);
    char how[64];
    if (WIFSIGNALED(status))
        snprintf(how, sizeof how, "killed by signal %d", WTERMSIG(status));
    else
        snprintf(how, sizeof how, "no outcome (exit status %d)", WEXITSTATUS(status));
    if (WIFSIGNALED(status) || !json_is_string(json_object_get(outcome, "status")))
        json_put(outcome, "status", json_text(how));
    return outcome;
}

/* takes what has ended; with `keep` its rows go to the params_table */
static exit_status reap(pool *p, bool keep)
{
    exit_status code = EXIT_DONE;
    int status;
    pid_t pid;
    while (p->running > 0 && (pid = waitpid(-1, &status, WNOHANG)) > 0) {
        job *j = p->jobs;
        while (j < p->jobs + p->request->at_once && j->pid != pid)
            j++;
        if (j == p->jobs + p->request->at_once)
            continue;
        json_t *outcome = outcome_of(j, status);
        fclose(j->out);
        size_t run = j->run;
        *j = (job){0};
        p->running--;
        if (keep && code == EXIT_DONE)
            code = table_add(p->a, p->t, run, outcome);
        json_decref(outcome);
    }
    return code;
}

/* ---- the pool --------------------------------------------------------------------------------------- */

static void tell(pool *p)
{
    size_t done = 0;
    for (size_t i = 0; i < p->t->plan->runs; i++)
        done += p->t->done[i];
    progress_update_count(&p->bar, done, p->t->plan->runs, table_failed(p->t));
}

/* fills the free places with runs that the table does not have */
static exit_status start_more(pool *p)
{
    exit_status code = EXIT_DONE;
    for (size_t i = 0; i < p->request->at_once && code == EXIT_DONE; i++) {
        while (p->next < p->t->plan->runs && p->t->done[p->next])
            p->next++;
        if (p->jobs[i].pid == 0 && p->next < p->t->plan->runs)
            code = start(p, &p->jobs[i], p->next++);
    }
    return code;
}

/* ends the children: by request, and where that does not help by force */
static void stop_all(pool *p)
{
    const struct timespec nap = {0, 20000000};
    for (int round = 0; p->running > 0; round++) {
        for (size_t i = 0; i < p->request->at_once; i++)
            if (p->jobs[i].pid > 0 && (round == 0 || round == 250))
                kill(p->jobs[i].pid, round == 0 ? SIGTERM : SIGKILL);
        nanosleep(&nap, NULL);
        (void)reap(p, false);
    }
}

static exit_status work(pool *p, const sigset_t *watched, bool *interrupted)
{
    const struct timespec patience = {0, 500000000};
    exit_status code = start_more(p);
    while (code == EXIT_DONE && p->running > 0 && !*interrupted) {
        tell(p);
        int number = sigtimedwait(watched, NULL, &patience);
        *interrupted = number == SIGINT || number == SIGTERM;
        if (*interrupted)
            break;
        code = reap(p, true);
        if (code == EXIT_DONE)
            code = start_more(p);
    }
    return code;
}

exit_status jobs_run(app *a, const jobs_request *request, params_table *t, bool *interrupted)
{
    pool p = {.a = a, .request = request, .t = t, .jobs = app_calloc(request->at_once, sizeof *p.jobs)};
    ssize_t length = readlink("/proc/self/exe", p.program, sizeof p.program - 1);
    if (length <= 0) {
        free(p.jobs);
        return app_fail(a, EXIT_SYSTEM, "where this program lies cannot be told: %s", strerror(errno));
    }
    sigset_t watched;
    sigemptyset(&watched);
    sigaddset(&watched, SIGINT);
    sigaddset(&watched, SIGTERM);
    sigaddset(&watched, SIGCHLD);
    sigprocmask(SIG_BLOCK, &watched, &p.before);
    progress_start(&p.bar, !request->quiet);
    exit_status code = work(&p, &watched, interrupted);
    stop_all(&p);
    progress_clear(&p.bar);
    sigprocmask(SIG_SETMASK, &p.before, NULL);
    free(p.jobs);
    return code;
}
