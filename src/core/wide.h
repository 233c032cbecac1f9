/*
 * WIDE before a function: it is compiled once for every processor and once for wide vectors, and the program
 * takes what the processor has when it is loaded.  The bits are the same: every operation is rounded as
 * written.  Sanitizers are not ready when that choice is made, and get the one version.
 */
#ifndef CORE_WIDE_H
#define CORE_WIDE_H

#include <stdint.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define WIDE_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WIDE_SANITIZED
#endif

#if defined(__x86_64__) && defined(__GLIBC__) && !defined(WIDE_SANITIZED)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

#endif
