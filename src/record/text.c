/* Writing text files. */
#include "record/text.h"

#include "core/fail.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

mo_status text_open(const char *path, text_file *out, mo_error *err)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdout : fopen(path, "w");
    if (file == NULL) {
        mo_status status = fail(err, MO_IO, NULL, "cannot write: %s", strerror(errno));
        fail_at(err, path, 0);
        return status;
    }
    *out = (text_file){file, standard ? "standard output" : path};
    return MO_OK;
}

mo_status text_close(text_file *t, mo_error *err)
{
    // of an earlier failure only that it was is known: what is still to be written meets its cause again
    bool bad = ferror(t->file) != 0;
    errno = 0;
    bad = fflush(t->file) != 0 || bad;
    int why = errno;
    if (t->file != stdout && fclose(t->file) != 0 && !bad) {
        bad = true;
        why = errno;
    }
    t->file = NULL;
    if (!bad)
        return MO_OK;
    mo_status status =
        fail(err, MO_IO, NULL, "cannot write: %s", why != 0 ? strerror(why) : "not everything was written");
    fail_at(err, t->path, 0);
    return status;
}
