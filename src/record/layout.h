/*
 * The run file as a list of columns: one extendable dataset each, described in docs/format.md.
 * Writer, reader and resume all walk this list, so that a column exists in one place only.
 */
#ifndef RECORD_LAYOUT_H
#define RECORD_LAYOUT_H

#include <stddef.h>

#define RUN_FORMAT "moreau-run"
#define RUN_FORMAT_VERSION 1
#define RUN_ENERGY_COLUMNS 6 /* first columns of the series */

typedef enum column_type {
    COLUMN_U8,
    COLUMN_U32,
    COLUMN_I32,
    COLUMN_U64,
    COLUMN_I64,
    COLUMN_F64
} column_type;

/* What decides a column's chunks and filters. */
typedef enum column_use {
    USE_BLOB,    /* bytes */
    USE_TABLE,   /* few short rows, never compressed */
    USE_FRAME,   /* rows of /frames */
    USE_BODIES,  /* long: bodies of frames */
    USE_CONTACTS /* long: contacts of frames */
} column_use;

/* id, path, type, width (0: number of series columns), use */
#define COLUMN_LIST(X)                                                                                       \
    X(FRAME_T, "/frames/t", COLUMN_F64, 1, USE_FRAME)                                                        \
    X(FRAME_STEP, "/frames/step", COLUMN_I64, 1, USE_FRAME)                                                  \
    X(FRAME_BODY_FIRST, "/frames/body_first", COLUMN_U64, 1, USE_FRAME)                                      \
    X(FRAME_BODY_COUNT, "/frames/body_count", COLUMN_U64, 1, USE_FRAME)                                      \
    X(FRAME_CONTACT_FIRST, "/frames/contact_first", COLUMN_U64, 1, USE_FRAME)                                \
    X(FRAME_CONTACT_COUNT, "/frames/contact_count", COLUMN_U64, 1, USE_FRAME)                                \
    X(FRAME_STATE_FIRST, "/frames/state_first", COLUMN_U64, 1, USE_FRAME)                                    \
    X(FRAME_STATE_LENGTH, "/frames/state_length", COLUMN_U64, 1, USE_FRAME)                                  \
    X(FRAME_ROWS, "/frames/rows", COLUMN_U64, 4, USE_FRAME)                                                  \
    X(FRAME_COUNTS, "/frames/counts", COLUMN_I64, 4, USE_FRAME)                                              \
    X(FRAME_MEASURES, "/frames/measures", COLUMN_F64, 8, USE_FRAME)                                          \
    X(FRAME_ENERGY, "/frames/energy", COLUMN_F64, 6, USE_FRAME)                                              \
    X(FRAME_RANDOM, "/frames/random", COLUMN_U64, 2, USE_FRAME)                                              \
    X(FRAME_STATE, "/frames/state", COLUMN_U8, 1, USE_BLOB)                                                  \
    X(GROUP_NAMES, "/groups/names", COLUMN_U8, 1, USE_BLOB)                                                  \
    X(GROUP_NAME_END, "/groups/name_end", COLUMN_U64, 1, USE_TABLE)                                          \
    X(BODY_ID, "/bodies/id", COLUMN_U32, 1, USE_TABLE)                                                       \
    X(BODY_KIND, "/bodies/kind", COLUMN_U8, 1, USE_TABLE)                                                    \
    X(BODY_GROUP, "/bodies/group", COLUMN_U32, 1, USE_TABLE)                                                 \
    X(BODY_FLAGS, "/bodies/flags", COLUMN_U32, 1, USE_TABLE)                                                 \
    X(BODY_COLLIDES, "/bodies/collides_groups", COLUMN_U64, 1, USE_TABLE)                                    \
    X(BODY_MASS, "/bodies/mass", COLUMN_F64, 1, USE_TABLE)                                                   \
    X(BODY_INERTIA, "/bodies/inertia", COLUMN_F64, 1, USE_TABLE)                                             \
    X(BODY_AREA, "/bodies/area", COLUMN_F64, 1, USE_TABLE)                                                   \
    X(BODY_ORIGIN, "/bodies/origin", COLUMN_F64, 2, USE_TABLE)                                               \
    X(BODY_PART_END, "/bodies/part_end", COLUMN_U64, 1, USE_TABLE)                                           \
    X(BODY_VERTEX_END, "/bodies/vertex_end", COLUMN_U64, 1, USE_TABLE)                                       \
    X(BODY_NAMES, "/bodies/names", COLUMN_U8, 1, USE_BLOB)                                                   \
    X(BODY_NAME_END, "/bodies/name_end", COLUMN_U64, 1, USE_TABLE)                                           \
    X(PART_KIND, "/parts/kind", COLUMN_U8, 1, USE_TABLE)                                                     \
    X(PART_VERTEX_FIRST, "/parts/vertex_first", COLUMN_U32, 1, USE_TABLE)                                    \
    X(PART_VERTEX_COUNT, "/parts/vertex_count", COLUMN_U32, 1, USE_TABLE)                                    \
    X(PART_CHAIN, "/parts/chain", COLUMN_I32, 2, USE_TABLE)                                                  \
    X(PART_GEOMETRY, "/parts/geometry", COLUMN_F64, 4, USE_TABLE)                                            \
    X(VERTICES, "/vertices", COLUMN_F64, 2, USE_TABLE)                                                       \
    X(FB_ID, "/frame_bodies/id", COLUMN_U32, 1, USE_BODIES)                                                  \
    X(FB_Q, "/frame_bodies/q", COLUMN_F64, 3, USE_BODIES)                                                    \
    X(FB_U, "/frame_bodies/u", COLUMN_F64, 3, USE_BODIES)                                                    \
    X(FB_LOAD, "/frame_bodies/load", COLUMN_F64, 3, USE_BODIES)                                              \
    X(FB_FORCE, "/frame_bodies/force", COLUMN_F64, 3, USE_BODIES)                                            \
    X(FB_RADIUS, "/frame_bodies/radius", COLUMN_F64, 1, USE_BODIES)                                          \
    X(FC_ID1, "/frame_contacts/id1", COLUMN_U32, 1, USE_CONTACTS)                                            \
    X(FC_ID2, "/frame_contacts/id2", COLUMN_U32, 1, USE_CONTACTS)                                            \
    X(FC_FEATURE, "/frame_contacts/feature", COLUMN_U64, 1, USE_CONTACTS)                                    \
    X(FC_POINT, "/frame_contacts/point", COLUMN_F64, 2, USE_CONTACTS)                                        \
    X(FC_NORMAL, "/frame_contacts/normal", COLUMN_F64, 2, USE_CONTACTS)                                      \
    X(FC_GAP, "/frame_contacts/gap", COLUMN_F64, 1, USE_CONTACTS)                                            \
    X(FC_IMPULSE, "/frame_contacts/impulse", COLUMN_F64, 2, USE_CONTACTS)                                    \
    X(FC_VELOCITY, "/frame_contacts/velocity", COLUMN_F64, 2, USE_CONTACTS)                                  \
    X(FC_STATUS, "/frame_contacts/status", COLUMN_U8, 1, USE_CONTACTS)                                       \
    X(SERIES_NAMES, "/series/names", COLUMN_U8, 1, USE_BLOB)                                                 \
    X(SERIES_NAME_END, "/series/name_end", COLUMN_U64, 1, USE_TABLE)                                         \
    X(SERIES_T, "/series/t", COLUMN_F64, 1, USE_TABLE)                                                       \
    X(SERIES_VALUES, "/series/values", COLUMN_F64, 0, USE_TABLE)                                             \
    X(STEP_STEP, "/steps/step", COLUMN_I64, 1, USE_TABLE)                                                    \
    X(STEP_CONTACTS, "/steps/contacts", COLUMN_I32, 1, USE_TABLE)                                            \
    X(STEP_ITERATIONS, "/steps/iterations", COLUMN_I32, 1, USE_TABLE)                                        \
    X(STEP_RESIDUAL, "/steps/residual", COLUMN_F64, 1, USE_TABLE)                                            \
    X(POINT_INDEX, "/point_index", COLUMN_I32, 1, USE_TABLE)                                                 \
    X(SCENE_NAME, "/scene/name", COLUMN_U8, 1, USE_BLOB)                                                     \
    X(SCENE_TEXT, "/scene/text", COLUMN_U8, 1, USE_BLOB)                                                     \
    X(SCENE_PARAMS, "/scene/params", COLUMN_U8, 1, USE_BLOB)                                                 \
    X(END_STATUS, "/end/status", COLUMN_U8, 1, USE_BLOB)                                                     \
    X(END_REPORT, "/end/report", COLUMN_U8, 1, USE_BLOB)                                                     \
    X(END_FINISHED, "/end/finished", COLUMN_U8, 1, USE_TABLE)

typedef enum column_id {
#define COLUMN_ENUM(id, path, type, width, use) COL_##id,
    COLUMN_LIST(COLUMN_ENUM)
#undef COLUMN_ENUM
        COLUMN_COUNT
} column_id;

typedef struct column_def {
    const char *path;
    column_type type;
    unsigned width;
    column_use use;
} column_def;

extern const column_def column_defs[COLUMN_COUNT];

/* Bytes of one element in memory and in the file. */
size_t column_element_size(column_id column);

/* Columns of /frames/rows: how many rows of each table belong to the run up to the frame. */
enum { ROWS_BODIES, ROWS_GROUPS, ROWS_SERIES, ROWS_STEPS };
/* Columns of /frames/counts and /frames/measures: the parts of mo_world_totals that are not in other columns.
 */
enum { COUNT_ITERATIONS, COUNT_CONTACT_ITERATIONS, COUNT_UNCONVERGED, COUNT_FAST };
enum {
    MEASURE_WORST_RESIDUAL,
    MEASURE_MAX_PENETRATION,
    MEASURE_START_OVERLAP,
    MEASURE_PENETRATION,
    MEASURE_ENERGY_INITIAL,
    MEASURE_WORK_EXTERNAL,
    MEASURE_DISSIPATED_FRICTION,
    MEASURE_DISSIPATED_IMPACT
};
/* Columns of /parts/geometry. */
enum { GEOMETRY_RADIUS, GEOMETRY_NORMAL_X, GEOMETRY_NORMAL_Y, GEOMETRY_OFFSET };
/* Bits of /bodies/flags; the three lowest are the MO_FREE_ bits. */
enum { BODY_FLAG_FREE = 7, BODY_FLAG_LIMITED = 8, BODY_FLAG_FUNCTIONS = 16, BODY_FLAG_ALL = 31 };

#endif
