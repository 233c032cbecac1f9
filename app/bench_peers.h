/*
 * `moreau bench CASE...`: this library and other programs on the same scenes in one run.
 */
#ifndef APP_BENCH_PEERS_H
#define APP_BENCH_PEERS_H

#include "options.h"
#include "peers/peers.h"

/* What one program did with a scene. */
typedef struct peers_row {
    peer_result result; /* its facts; the arrays are gone */
    peer_analysis found;
    double times;      /* its time over that of the fastest of ours that is as accurate; NaN: there is none */
    char trouble[256]; /* why there is nothing; "" else */
} peers_row;

typedef struct peers_table {
    peer_scene scene; /* without its bodies, but with their number */
    bool round;
    peers_row *rows;
    size_t count, room;
    size_t missing; /* programs that were asked for and gave nothing */
} peers_table;

typedef struct peers_request {
    const arguments *cases;
    const char *against; /* names with commas; NULL: nobody */
    const char *sizes;   /* likewise numbers; NULL: the scene's own */
    const char *folder;  /* where results are kept; NULL: bench/results where there is such a folder */
    int64_t settle, steps;
    double limit; /* s of processor time for one program */
    bool quick;
} peers_request;

/* "A", "B", "C", ...: in the list of cases; C is four scenes. */
bool bench_is_case(const char *name);
/* Names of cases for a message, ends with NULL. */
const char *const *bench_case_names(void);
exit_status bench_run_peers(app *a, const peers_request *request);

/* Where drivers of other programs are, and this program itself. */
void bench_driver_folder(char *out, size_t size);
void bench_program_path(char *out, size_t size);
exit_status bench_write_file(app *a, const char *path, void (*write)(FILE *file, const void *table),
                             const void *table);
/* FOLDER/MACHINE, made; NULL where folder is NULL and there is no bench/results, or where *code says what
   went wrong.  To be freed. */
char *bench_result_folder(app *a, const char *folder, exit_status *code);

/* ---- tables ------------------------------------------------------------------------------------- */

void peers_print(const peers_table *table);
json_t *peers_json(const peers_table *table);
exit_status peers_write_csv(app *a, const char *path, const peers_table *table);
exit_status peers_write_plot(app *a, const char *path, const peers_table *table);
/* FOLDER/MACHINE/CASE-N.csv and .svg of each table.  EXIT_DONE where folder is NULL and there is none. */
exit_status peers_keep(app *a, const char *folder, const peers_table *tables, size_t count);

#endif
