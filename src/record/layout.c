/* The columns of a run file. */
#include "record/layout.h"

#include <stdint.h>

const column_def column_defs[COLUMN_COUNT] = {
#define COLUMN_ENTRY(id, path, type, width, use, runs) {path, type, width, use, runs},
    COLUMN_LIST(COLUMN_ENTRY)
#undef COLUMN_ENTRY
};

const char *const event_types[EVENT_TYPES] = {"contact", "release",      "jump",
                                              "outside", "accumulation", "impact"};

bool column_is_in(column_id column, const run_shape *shape)
{
    return (column_defs[column].runs & shape->runs) != 0;
}

bool column_is_late(column_id column)
{
    return column_defs[column].runs == IN_JOINTS || column == COL_END_PLOTS || column == COL_FC_MEMORY ||
           column == COL_FB_REST || column == COL_FRAME_CELL || column == COL_FC_LAW || column == COL_LAWS ||
           column == COL_PATH_GAP || column == COL_FB_OBSERVED || column == COL_OBSERVED_NAMES ||
           column == COL_OBSERVED_NAME_END || column == COL_SCENE_FOLDER;
}

run_shape world_shape(int dim, unsigned series)
{
    return (run_shape){.runs = IN_WORLD | IN_CELL | IN_JOINTS | (dim == 2 ? IN_PLANE : IN_SPACE),
                       .series = series,
                       .dim = (unsigned)dim};
}

unsigned column_width(column_id column, const run_shape *shape)
{
    switch (column_defs[column].width) {
    case WIDTH_SERIES:
        return shape->series;
    case WIDTH_N:
        return shape->coordinates;
    case WIDTH_M:
        return shape->multipliers;
    case WIDTH_OBSERVED:
        return shape->observed;
    case WIDTH_DIM:
        return shape->dim;
    case WIDTH_Q:
        return shape->dim == 2 ? 3 : 7;
    case WIDTH_U:
        return shape->dim == 2 ? 3 : 6;
    case WIDTH_GEOMETRY:
        return shape->dim + 2;
    default:
        return column_defs[column].width;
    }
}

size_t column_element_size(column_id column)
{
    switch (column_defs[column].type) {
    case COLUMN_U8:
        return sizeof(uint8_t);
    case COLUMN_U32:
    case COLUMN_I32:
        return sizeof(uint32_t);
    case COLUMN_U64:
    case COLUMN_I64:
    case COLUMN_F64:
        break;
    }
    return sizeof(uint64_t);
}
