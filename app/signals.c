/* See signals.h. */
#include "signals.h"

#include <stddef.h>

volatile sig_atomic_t interrupted;

void release_signals(void)
{
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
    release_signals();
}

void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

void wait_for_signal(void)
{
    sigset_t ours, before;
    sigemptyset(&ours);
    sigaddset(&ours, SIGINT);
    sigaddset(&ours, SIGTERM);
    // blocked between the look and the wait, so that none is missed
    pthread_sigmask(SIG_BLOCK, &ours, &before);
    while (interrupted == 0)
        sigsuspend(&before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
