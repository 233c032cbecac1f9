/* Results of comparisons as files, by machine. */
#include "bench_peers.h"
#include "bench_report.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char standard[] = "bench/results";

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
void machine_name(char *slug, size_t slug_size, char *processor, size_t size, long *cores)
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

static exit_status keep_table(app *a, const char *folder, const peers_table *t)
{
    char *csv = app_format("%s/%s-%zu.csv", folder, t->scene.name, t->scene.body_count),
         *svg = app_format("%s/%s-%zu.svg", folder, t->scene.name, t->scene.body_count);
    exit_status code = peers_write_csv(a, csv, t);
    if (code == EXIT_DONE)
        code = peers_write_plot(a, svg, t);
    if (code == EXIT_DONE && !a->json)
        printf("kept: %s, %s\n", csv, svg);
    free(csv);
    free(svg);
    return code;
}

exit_status peers_keep(app *a, const char *folder, const peers_table *tables, size_t count)
{
    char slug[64], processor[128];
    long cores;
    struct stat about;
    if (folder == NULL && (stat(standard, &about) != 0 || !S_ISDIR(about.st_mode)))
        return EXIT_DONE;
    machine_name(slug, sizeof slug, processor, sizeof processor, &cores);
    const char *top = folder != NULL ? folder : standard;
    char *machine = app_format("%s/%s", top, slug);
    exit_status code = bench_make_folder(a, top);
    if (code == EXIT_DONE)
        code = bench_make_folder(a, machine);
    for (size_t k = 0; k < count && code == EXIT_DONE; k++)
        code = keep_table(a, machine, &tables[k]);
    free(machine);
    return code;
}
