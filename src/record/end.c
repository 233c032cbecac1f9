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

// whether a text is what readers of the file will take it for: an array or an object
static mo_status check_json(const char *key, json_type type, const char *text, mo_error *err)
{
    json_error_t where = {0};
    json_t *value = json_loads(text, 0, &where);
    const bool fits = value != NULL && json_typeof(value) == type;
    json_decref(value);
    return fits ? MO_OK
                : fail(err, MO_BAD_INPUT, key, "found no JSON %s: %.120s",
                       type == JSON_ARRAY ? "array" : "object", where.text);
}

mo_status mo_recorder_plots(mo_recorder *rec, const char *plots_json, mo_error *err)
{
    assert(rec != NULL && plots_json != NULL);
    mo_status status = recorder_ready(rec, IN_ALL, err);
    if (status != MO_OK)
        return status;
    if (rec->has_plots)
        return fail(err, MO_USAGE, "plots", "the recording has its plots already");
    status = check_json("plots", JSON_ARRAY, plots_json, err);
    if (status != MO_OK)
        return status;
    rec->has_plots = true;
    recorder_begin_job(rec);
    if (!rows_append(rec, COL_END_PLOTS, strlen(plots_json), plots_json) || !job_flush(rec->job))
        status = recorder_no_memory(err);
    return recorder_end_job(rec, status, err);
}

static bool put_end(mo_recorder *rec, const char *end_status, const char *report)
{
    const uint8_t yes = 1;
    return rows_append_kept(rec) && rows_append_index(rec, path_points(&rec->shape, rec->rows[COL_PATH_T])) &&
           rows_append(rec, COL_END_STATUS, strlen(end_status), end_status) &&
           rows_append(rec, COL_END_REPORT, strlen(report), report) && job_flush(rec->job) &&
           rows_append(rec, COL_END_FINISHED, 1, &yes) && job_flush(rec->job);
}

mo_status mo_recorder_finish(mo_recorder *rec, const char *end_status, const char *report_json, mo_error *err)
{
    assert(rec != NULL && end_status != NULL);
    mo_status status = recorder_ready(rec, IN_ALL, err);
    if (status == MO_OK && report_json != NULL)
        status = check_json("report", JSON_OBJECT, report_json, err);
    if (status != MO_OK)
        return status;
    rec->finished = true;
    recorder_begin_job(rec);
    if (!put_end(rec, end_status, report_json != NULL ? report_json : "{}"))
        status = recorder_no_memory(err);
    status = recorder_end_job(rec, status, err);
    if (status == MO_OK)
        status = mo_recorder_wait(rec, err);
    return status == MO_OK ? recorder_write_xdmf(rec->path, err) : status;
}
