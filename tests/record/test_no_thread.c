/* A recorder in the background where the system gives no thread: it writes as one that waits. */
#include "record/recorder.h"
#include "record/small_world.h"

#include <errno.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#endif

/* instead of the system's; sanitizers have their own and need it */
#ifndef SANITIZED
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    (void)thread;
    (void)attributes;
    (void)start;
    (void)argument;
    return EAGAIN;
}
#endif

static void frames_are_written_at_once(void **state)
{
    (void)state;
#ifdef SANITIZED
    skip();
#endif
    const char *path = in_folder("no-thread.h5");
    mo_recorder *rec = NULL;
    in_background = true;
    mo_world *world = record_small(path, 130, 4, &rec);
    assert_false(rec->queue.threaded);
    // without waiting
    mo_run *run = NULL;
    must(mo_run_open(path, &run, err));
    assert_int_equal(mo_run_info_get(run)->frames, 4);
    assert_frame_is_world(run, 3, world);
    mo_run_close(run);
    mo_run_close(finish_and_open(path, world, rec));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(frames_are_written_at_once)};
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
