/* Ctrl-C and a polite kill: the first asks for a clean end, the second kills. */
#ifndef APP_SIGNALS_H
#define APP_SIGNALS_H

#include <signal.h>

/* Not 0 once a clean end was asked for. */
extern volatile sig_atomic_t interrupted;

void catch_signals(void);
/* Back to signals that kill: there is nothing to save, or nothing more to wait for. */
void release_signals(void);
/* Returns when a clean end is asked for, or was; between catch_signals and release_signals. */
void wait_for_signal(void);

#endif
