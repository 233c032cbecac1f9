/*
 * The table of laws: one row for every law that a contact of some frame had.  Laws may change while a world
 * moves, so a law that has other numbers than before goes to the row with these, or to a new one.  What row
 * that is depends on the table alone: a resumed run makes the same one.
 */
#include "record/recorder.h"
#include "record/run.h"

#include "core/buffer.h"
#include "core/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a law of the world as it was when it was last written */
typedef struct kept_law {
    double numbers[LAW_COLUMNS];
    uint32_t row; /* 1 + its row in the file, 0: never written */
} kept_law;

static void law_numbers(const mo_law *law, double out[LAW_COLUMNS])
{
    out[LAW_FRICTION] = law->friction;
    out[LAW_RESTITUTION] = law->restitution;
    out[LAW_TANGENTIAL_RESTITUTION] = law->tangential_restitution;
    out[LAW_STATIC_FRICTION] = law->static_friction;
    out[LAW_FRICTION2] = law->friction2;
    memcpy(out + LAW_AXIS, law->axis, sizeof law->axis);
    out[LAW_COHESION] = law->cohesion;
    out[LAW_GLUEY] = law->gluey ? 1 : 0;
    out[LAW_THRESHOLD] = law->threshold;
    out[LAW_ROLLING] = law->rolling;
    out[LAW_SPINNING] = law->spinning;
    out[LAW_REGISTERED] = law->name != NULL ? 1 : 0;
}

/* room for the law with this number; those that were not there before are not in the file */
static bool make_room(mo_recorder *rec, size_t number)
{
    const column laws = {(void **)&rec->laws, sizeof(kept_law)};
    const size_t before = rec->law_count;
    if (number < before)
        return true;
    if (!columns_reserve(&laws, 1, &rec->law_count, number + 1))
        return false;
    memset(rec->laws + before, 0, (rec->law_count - before) * sizeof *rec->laws);
    return true;
}

/* the rows of the table, numbers after numbers, with room for one more */
static bool reserve_row(mo_recorder *rec)
{
    const column table = {(void **)&rec->law_table, LAW_COLUMNS * sizeof *rec->law_table};
    return columns_reserve(&table, 1, &rec->law_room, rec->law_rows + 1);
}

bool laws_go_on(mo_recorder *rec, const mo_run *run)
{
    for (const double *numbers = run->data[COL_LAWS]; rec->law_rows < run->info.law_count; rec->law_rows++) {
        if (!reserve_row(rec))
            return false;
        memcpy(rec->law_table + LAW_COLUMNS * rec->law_rows, numbers + LAW_COLUMNS * rec->law_rows,
               LAW_COLUMNS * sizeof *numbers);
    }
    return true;
}

/* 1 + the row with these numbers, made now if there is none; 0: no memory */
static uint32_t row_with(mo_recorder *rec, const double numbers[LAW_COLUMNS])
{
    const size_t bytes = LAW_COLUMNS * sizeof *numbers;
    for (size_t i = 0; i < rec->law_rows; i++)
        if (memcmp(rec->law_table + LAW_COLUMNS * i, numbers, bytes) == 0)
            return (uint32_t)(i + 1);
    if (!reserve_row(rec) || !rows_append(rec, COL_LAWS, 1, numbers))
        return 0;
    memcpy(rec->law_table + LAW_COLUMNS * rec->law_rows, numbers, bytes);
    return (uint32_t)++rec->law_rows;
}

/* what is in the file of the law, written now if it is new or has changed */
static bool record_law(mo_recorder *rec, const mo_world *world, uint16_t number)
{
    double numbers[LAW_COLUMNS];
    const mo_law law = mo_world_law(world, number);
    if (!make_room(rec, number))
        return false;
    kept_law *kept = &rec->laws[number];
    law_numbers(&law, numbers);
    if (kept->row > 0 && memcmp(kept->numbers, numbers, sizeof numbers) == 0)
        return true;
    memcpy(kept->numbers, numbers, sizeof numbers);
    kept->row = row_with(rec, numbers);
    return kept->row > 0;
}

uint32_t *laws_record(mo_recorder *rec, const mo_world *world)
{
    const mo_contacts contacts = mo_world_contacts(world);
    uint32_t *rows = calloc(contacts.count + 1, sizeof *rows);
    if (rows == NULL)
        return NULL;
    // most contacts have the law of the one before
    for (size_t i = 0; i < contacts.count; i++) {
        const uint16_t number = contacts.law[i];
        if ((i == 0 || number != contacts.law[i - 1]) && !record_law(rec, world, number)) {
            free(rows);
            return NULL;
        }
        rows[i] = rec->laws[number].row;
    }
    return rows;
}

/* ---- reading ------------------------------------------------------------------------------------ */

static mo_law law_of(const double *x)
{
    return (mo_law){.friction = x[LAW_FRICTION],
                    .restitution = x[LAW_RESTITUTION],
                    .tangential_restitution = x[LAW_TANGENTIAL_RESTITUTION],
                    .static_friction = x[LAW_STATIC_FRICTION],
                    .friction2 = x[LAW_FRICTION2],
                    .axis = {x[LAW_AXIS], x[LAW_AXIS + 1], x[LAW_AXIS + 2]},
                    .cohesion = x[LAW_COHESION],
                    .gluey = x[LAW_GLUEY] != 0,
                    .threshold = x[LAW_THRESHOLD],
                    .rolling = x[LAW_ROLLING],
                    .spinning = x[LAW_SPINNING],
                    .name = x[LAW_REGISTERED] != 0 ? "" : NULL};
}

mo_status run_read_laws(mo_run *run, mo_error *err)
{
    const hdf_column *c = &run->columns[COL_LAWS];
    const uint64_t rows = hdf_column_is_there(c) ? hdf_column_usable(c) : 0;
    mo_status status = rows > 0 ? run_load(run, COL_LAWS, rows, err) : MO_OK;
    if (status != MO_OK)
        return status;
    const double *numbers = run->data[COL_LAWS];
    run->laws = calloc((size_t)rows + 1, sizeof *run->laws);
    if (run->laws == NULL)
        return fail(err, MO_NO_MEMORY, "/laws", "no memory for %llu laws", (unsigned long long)rows);
    for (size_t i = 0; i < LAW_COLUMNS * (size_t)rows; i++)
        if (!isfinite(numbers[i]))
            return fail(err, MO_BAD_FILE, "/laws", "found %g in row %zu, expected numbers", numbers[i],
                        i / LAW_COLUMNS);
    for (size_t i = 0; i < (size_t)rows; i++)
        run->laws[i] = law_of(numbers + LAW_COLUMNS * i);
    run->info.law_count = (size_t)rows;
    return MO_OK;
}

const mo_law *mo_run_laws(const mo_run *run)
{
    return run->laws;
}
