/*
 * Runs a fuzz target over the files of folders, in the order of their names: fuzz_replay_NAME [--damage]
 * FOLDER... With --damage, also over copies of each file that are cut short or have bytes changed, always the
 * same ones. Each name is printed before its file is used, so that the last one printed is the one that
 * crashed. Exit status 1 when a folder cannot be read or is empty: such a test would prove nothing.
 */
#include "core/rng.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { CUTS = 32, CHANGES = 200 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Calls the target with its own copy, exactly as long as the data, so that a sanitizer sees reads past the
 * end. */
static bool call_target(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    if (!copy)
        return false;
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    return true;
}

/* Cut at evenly spread lengths, then with one to four bytes changed at a time. */
static bool replay_damaged(uint8_t *data, size_t size)
{
    bool ok = true;
    for (size_t i = 0; i < CUTS && ok; i++)
        ok = call_target(data, size * i / CUTS);
    rng r = rng_seed(1, 1);
    for (int i = 0; i < CHANGES && ok; i++) {
        size_t place[4];
        uint8_t before[4];
        const int count = 1 + (int)(rng_next(&r) % 4);
        for (int k = 0; k < count; k++) {
            place[k] = rng_next(&r) % size;
            before[k] = data[place[k]];
            data[place[k]] = (uint8_t)rng_next(&r);
        }
        ok = call_target(data, size);
        for (int k = count - 1; k >= 0; k--)
            data[place[k]] = before[k];
    }
    return ok;
}

/* Replays one file; false when it cannot be read. */
static bool replay_file(const char *path, bool damage)
{
    FILE *file = fopen(path, "rb");
    struct stat info;
    if (!file || fstat(fileno(file), &info) != 0) {
        perror(path);
        if (file)
            fclose(file);
        return false;
    }
    const size_t size = (size_t)info.st_size;
    uint8_t *data = malloc(size > 0 ? size : 1);
    bool ok = data && fread(data, 1, size, file) == size && call_target(data, size);
    fclose(file);
    if (ok && damage && size > 0)
        ok = replay_damaged(data, size);
    free(data);
    return ok;
}

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Number of files replayed from a folder, -1 when it or one of them cannot be read. */
static int replay_folder(const char *folder, bool damage)
{
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, visible, alphasort);
    bool ok = count >= 0;
    if (!ok)
        perror(folder);
    for (int i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        printf("%s\n", path);
        fflush(stdout);
        ok = replay_file(path, damage) && ok;
        free(entries[i]);
    }
    free(entries);
    return ok ? count : -1;
}

int main(int argc, char **argv)
{
    const bool damage = argc > 1 && strcmp(argv[1], "--damage") == 0;
    const int first = damage ? 2 : 1;
    for (int i = first; i < argc; i++) {
        if (replay_folder(argv[i], damage) <= 0) {
            fprintf(stderr, "%s: nothing to replay, or not readable\n", argv[i]);
            return EXIT_FAILURE;
        }
    }
    return argc > first ? EXIT_SUCCESS : EXIT_FAILURE;
}
