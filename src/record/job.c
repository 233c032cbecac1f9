/* Jobs: see job.h. */
#include "record/job.h"

#include "core/buffer.h"

#include <string.h>

/* at least twice as much as before: what is appended piece by piece is not copied over and over */
static bool grow(void **array, size_t entry, size_t *room, size_t need)
{
    const column one = {array, entry};
    if (need <= *room)
        return true;
    return columns_reserve(&one, 1, room, need > 2 * *room ? need : 2 * *room);
}

static bool add_part(file_job *job, job_part part)
{
    if (!grow((void **)&job->parts, sizeof *job->parts, &job->part_room, job->part_count + 1))
        return false;
    job->parts[job->part_count++] = part;
    return true;
}

bool job_rows(file_job *job, column_id id, uint64_t first, uint64_t count, const void *data, size_t size)
{
    if (data == NULL)
        return add_part(job, (job_part){id, first, count, JOB_NO_DATA});
    if (!grow((void **)&job->bytes, 1, &job->room, job->size + size) ||
        !add_part(job, (job_part){id, first, count, job->size}))
        return false;
    memcpy(job->bytes + job->size, data, size);
    job->size += size;
    return true;
}

bool job_flush(file_job *job)
{
    return add_part(job, (job_part){.column = COLUMN_COUNT});
}

void job_clear(file_job *job)
{
    job->part_count = job->size = 0;
}

void job_free(file_job *job)
{
    const column parts = {(void **)&job->parts, 1}, bytes = {(void **)&job->bytes, 1};
    columns_free(&parts, 1);
    columns_free(&bytes, 1);
    *job = (file_job){.parts = NULL};
}
