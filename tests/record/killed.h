/* A writer in a child of its own that is killed, and how far it said it had come. */
#ifndef RECORD_KILLED_H
#define RECORD_KILLED_H

#include "record/small_world.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

/* writes until killed, and a byte down the pipe for each frame that was reported as safe; data is its own */
typedef void (*endless_writer)(const char *path, const void *data, int pipe_end);

/* starts a writer; *read_end: the other end of its pipe */
static inline pid_t start_writer(endless_writer writer, const char *path, const void *data, int *read_end)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        writer(path, data, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    *read_end = ends[0];
    return child;
}

/* the number of bytes that came */
static inline size_t kill_after(endless_writer writer, const char *path, const void *data, long microseconds)
{
    int read_end;
    const pid_t child = start_writer(writer, path, data, &read_end);
    const struct timespec wait = {microseconds / 1000000, microseconds % 1000000 * 1000};
    nanosleep(&wait, NULL);
    kill(child, SIGKILL);
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how) || (WIFEXITED(how) && WEXITSTATUS(how) == 0));
    size_t count = 0;
    char byte;
    while (read(read_end, &byte, 1) == 1)
        count++;
    close(read_end);
    return count;
}

/* a longer wait, up to seconds, where nothing came: other programs may have the machine */
static inline long later(long microseconds, size_t came)
{
    return came > 0 || microseconds > 2000000 ? microseconds : 2 * microseconds;
}

/* in a child, whose files cannot grow beyond the limit: 0 from `fill` means that all went as it should */
static inline void with_full_disk(int (*fill)(const char *path, const void *data), const char *path,
                                  const void *data, rlim_t limit)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit r = {limit, limit};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &r);
        exit(fill(path, data));
    }
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    if (!WIFEXITED(how) || WEXITSTATUS(how) != 0)
        fail_msg("limit %llu: signal %d, exit %d", (unsigned long long)limit,
                 WIFSIGNALED(how) ? WTERMSIG(how) : 0, WEXITSTATUS(how));
}

#endif
