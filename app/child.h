/* What a child does between fork and the program that it becomes. */
#ifndef APP_CHILD_H
#define APP_CHILD_H

/* Libraries of the program are to use one thread. */
void child_one_thread(void);

/* Becomes the program argv[0] with these as its input, output and complaints; -1: nothing.  Where that fails
   it ends with status 127. */
_Noreturn void child_become(char *const argv[], int in, int out, int complaints);

#endif
