/* Results of comparisons as files, by machine. */
#include "bench_peers.h"
#include "bench_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char standard[] = "bench/results";

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

char *bench_result_folder(app *a, const char *folder, exit_status *code)
{
    char slug[64], processor[128];
    long cores;
    struct stat about;
    *code = EXIT_DONE;
    if (folder == NULL && (stat(standard, &about) != 0 || !S_ISDIR(about.st_mode)))
        return NULL;
    peer_machine(slug, sizeof slug, processor, sizeof processor, &cores);
    const char *top = folder != NULL ? folder : standard;
    char *machine = app_format("%s/%s", top, slug);
    *code = bench_make_folder(a, top);
    if (*code == EXIT_DONE)
        *code = bench_make_folder(a, machine);
    if (*code == EXIT_DONE)
        return machine;
    free(machine);
    return NULL;
}

exit_status peers_keep(app *a, const char *folder, const peers_table *tables, size_t count)
{
    exit_status code;
    char *machine = bench_result_folder(a, folder, &code);
    for (size_t k = 0; machine != NULL && k < count && code == EXIT_DONE; k++)
        code = keep_table(a, machine, &tables[k]);
    free(machine);
    return code;
}
