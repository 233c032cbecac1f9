/* The end of a run: plots, how it ended, the XDMF file beside it. */
#include "record/recorder.h"

#include "core/fail.h"

#include <assert.h>
#include <jansson.h>
#include <string.h>

uint64_t path_points(const run_shape *shape, uint64_t rows)
{
    if ((shape->runs & IN_DISCS) != 0)
        return shape->coordinates / 2;
    return shape->coordinates == 2 || shape->coordinates == 3 ? rows : 0;
}

static mo_status check_plots(const char *text, mo_error *err)
{
    json_error_t where;
    json_t *plots = json_loads(text, 0, &where);
    const bool array = json_is_array(plots);
    json_decref(plots);
    return array ? MO_OK : fail(err, MO_BAD_INPUT, "plots", "found no JSON array: %.120s", where.text);
}

mo_status mo_recorder_plots(mo_recorder *rec, const char *plots_json, mo_error *err)
{
    assert(rec != NULL && plots_json != NULL && !rec->finished && !rec->has_plots);
    if (rec->broken)
        return recorder_refuse(rec, err);
    mo_status status = check_plots(plots_json, err);
    if (status != MO_OK)
        return status;
    rec->has_plots = true;
    quiet q = quiet_begin();
    if (!rows_append(rec, COL_END_PLOTS, strlen(plots_json), plots_json) || !recorder_flush(rec))
        status = recorder_broken(rec, err);
    quiet_end(q);
    return status;
}

static mo_status write_end(mo_recorder *rec, const char *end_status, const char *report, mo_error *err)
{
    const uint8_t yes = 1;
    if (!rows_write_kept(rec))
        return recorder_broken(rec, err);
    const uint64_t rows = rec->columns[COL_PATH_T].rows;
    mo_status status = rows_point_index(rec, path_points(&rec->shape, rows), err);
    if (status != MO_OK)
        return status;
    const bool ok = rows_append(rec, COL_END_STATUS, strlen(end_status), end_status) &&
                    rows_append(rec, COL_END_REPORT, strlen(report), report) && recorder_flush(rec) &&
                    rows_append(rec, COL_END_FINISHED, 1, &yes) && recorder_flush(rec);
    return ok ? MO_OK : recorder_broken(rec, err);
}

mo_status mo_recorder_finish(mo_recorder *rec, const char *end_status, const char *report_json, mo_error *err)
{
    assert(rec != NULL && end_status != NULL && !rec->finished);
    if (rec->broken)
        return recorder_refuse(rec, err);
    rec->finished = true;
    quiet q = quiet_begin();
    mo_status status = write_end(rec, end_status, report_json != NULL ? report_json : "{}", err);
    quiet_end(q);
    return status == MO_OK ? recorder_write_xdmf(rec->path, err) : status;
}
