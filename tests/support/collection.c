#include "support/collection.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *collection_folder(void)
{
    static char path[1024];
    const char *named = getenv("MOREAU_FCLIB");
    snprintf(path, sizeof path, "%s", named != NULL ? named : MOREAU_SOURCE "/../shared/fclib");
    return access(path, R_OK | X_OK) == 0 ? path : NULL;
}
