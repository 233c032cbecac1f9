/*
 * Base types of the public interface: version, status, error.
 *
 * Three kinds of failure, never mixed: a caller's bug asserts; bad input, I/O or memory
 * returns a mo_status other than MO_OK, leaves outputs untouched and fills a mo_error;
 * a numerical outcome is reported in an info struct and returns MO_OK.
 */
#ifndef MOREAU_BASE_H
#define MOREAU_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MO_VERSION "0.1.0"

/* status, name used in messages */
#define MO_STATUS_LIST(X)                                                                                    \
    X(MO_OK, "ok")                                                                                           \
    X(MO_USAGE, "wrong usage")                                                                               \
    X(MO_BAD_INPUT, "bad input")                                                                             \
    X(MO_BAD_FILE, "bad file")                                                                               \
    X(MO_NO_MEMORY, "out of memory")                                                                         \
    X(MO_IO, "input/output error")                                                                           \
    X(MO_STOPPED, "stopped")

typedef enum mo_status {
#define MO_STATUS_ENUM(name, text) name,
    MO_STATUS_LIST(MO_STATUS_ENUM)
#undef MO_STATUS_ENUM
} mo_status;

/* What went wrong. Filled when a function returns other than MO_OK; may be passed as NULL. */
typedef struct mo_error {
    mo_status status;
    int line;           /* 1-based line in `file`, 0 when it does not apply */
    char file[256];     /* file concerned, empty when it does not apply */
    char key[64];       /* key, parameter or dataset concerned, empty when none */
    char message[1024]; /* what was found and what was expected */
} mo_error;

/* Short name of a status; never NULL. */
const char *mo_status_name(mo_status status);

/* Library version, the same text as MO_VERSION of the headers it was built with. */
const char *mo_version(void);

#ifdef __cplusplus
}
#endif
#endif
