/* What the machine calls itself. */
#include "peers.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

static void read_processor(char *out, size_t size)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(out, size, "unknown");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || colon == NULL)
            continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(out, size, "%s", colon + 1 + strspn(colon + 1, " "));
        break;
    }
    if (file != NULL)
        fclose(file);
}

// "Intel(R) Xeon(R) CPU" and 2 cores: "intel-r-xeon-r-cpu-2"
void peer_machine(char *slug, size_t slug_size, char *processor, size_t size, long *cores)
{
    size_t n = 0;
    read_processor(processor, size);
    *cores = sysconf(_SC_NPROCESSORS_ONLN);
    for (const char *p = processor; *p != '\0' && n + 16 < slug_size; p++) {
        const unsigned char c = (unsigned char)*p;
        if (isalnum(c))
            slug[n++] = (char)tolower(c);
        else if (n > 0 && slug[n - 1] != '-')
            slug[n++] = '-';
    }
    while (n > 0 && slug[n - 1] == '-')
        n--;
    snprintf(slug + n, slug_size - n, "-%ld", *cores);
}
