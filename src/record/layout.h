/*
 * The run file as a list of columns: one extendable dataset each, described in docs/format.md.
 * Writer, reader and resume all walk this list, so that a column exists in one place only.
 */
#ifndef RECORD_LAYOUT_H
#define RECORD_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#define RUN_FORMAT "moreau-run"
#define RUN_FORMAT_VERSION 1
#define RUN_MAX_WIDTH 65536u /* elements of a row */
#define RUN_ENERGY_COLUMNS 6 /* first columns of the series */

typedef enum column_type {
    COLUMN_U8,
    COLUMN_U32,
    COLUMN_I32,
    COLUMN_U64,
    COLUMN_I64,
    COLUMN_F64
} column_type;

/* What decides a column's chunks and filters, and for paths which table it belongs to. */
typedef enum column_use {
    USE_BLOB,     /* bytes */
    USE_TABLE,    /* few short rows, never compressed */
    USE_FRAME,    /* rows of /frames */
    USE_BODIES,   /* long: bodies of frames */
    USE_CONTACTS, /* long: contacts of frames */
    USE_PATH,     /* long: rows of paths, then what belongs to them */
    USE_HOLDS,
    USE_EVENTS,
    USE_GAPS,
    USE_OUTLINES,
    USE_POINTS
} column_use;

/* Which runs have a column: those with one of its bits. */
enum {
    IN_WORLD = 1,
    IN_PATH = 2,
    IN_DISCS = 4,
    IN_MOTION = 8,
    IN_PLANE = 16,   /* worlds in 2D */
    IN_SPACE = 32,   /* worlds in 3D */
    IN_CELL = 64,    /* worlds with a periodic cell */
    IN_JOINTS = 128, /* worlds with joints */
    IN_ALL = IN_WORLD | IN_PATH
};

/* Widths that the run decides; a width of 0 in a run means that the column is not there. */
#define WIDTH_SERIES 0u
#define WIDTH_N 0x1000000u
#define WIDTH_M 0x1000001u
#define WIDTH_ANY 0x1000002u /* not in the list: of a file that is being opened, from 1 to 65536 */
/* and those that the dimension of a world decides: of a position, of q, of u, of /parts/geometry */
#define WIDTH_DIM 0x1000003u
#define WIDTH_Q 0x1000004u
#define WIDTH_U 0x1000005u
#define WIDTH_GEOMETRY 0x1000006u
#define WIDTH_OBSERVED 0x1000007u /* columns of bodies that the scene observes */

/* id, path, type, width, use, runs */
#define COLUMN_LIST(X)                                                                                       \
    X(FRAME_T, "/frames/t", COLUMN_F64, 1, USE_FRAME, IN_ALL)                                                \
    X(FRAME_STEP, "/frames/step", COLUMN_I64, 1, USE_FRAME, IN_ALL)                                          \
    X(FRAME_BODY_FIRST, "/frames/body_first", COLUMN_U64, 1, USE_FRAME, IN_WORLD)                            \
    X(FRAME_BODY_COUNT, "/frames/body_count", COLUMN_U64, 1, USE_FRAME, IN_WORLD)                            \
    X(FRAME_CONTACT_FIRST, "/frames/contact_first", COLUMN_U64, 1, USE_FRAME, IN_WORLD)                      \
    X(FRAME_CONTACT_COUNT, "/frames/contact_count", COLUMN_U64, 1, USE_FRAME, IN_WORLD)                      \
    X(FRAME_STATE_FIRST, "/frames/state_first", COLUMN_U64, 1, USE_FRAME, IN_ALL)                            \
    X(FRAME_STATE_LENGTH, "/frames/state_length", COLUMN_U64, 1, USE_FRAME, IN_ALL)                          \
    X(FRAME_ROWS, "/frames/rows", COLUMN_U64, 4, USE_FRAME, IN_WORLD)                                        \
    X(FRAME_COUNTS, "/frames/counts", COLUMN_I64, 4, USE_FRAME, IN_WORLD)                                    \
    X(FRAME_MEASURES, "/frames/measures", COLUMN_F64, 8, USE_FRAME, IN_WORLD)                                \
    X(FRAME_ENERGY, "/frames/energy", COLUMN_F64, 6, USE_FRAME, IN_WORLD)                                    \
    X(FRAME_RANDOM, "/frames/random", COLUMN_U64, 2, USE_FRAME, IN_ALL)                                      \
    X(FRAME_CELL, "/frames/cell", COLUMN_F64, 24, USE_FRAME, IN_CELL)                                        \
    X(FRAME_STATE, "/frames/state", COLUMN_U8, 1, USE_BLOB, IN_ALL)                                          \
    X(GROUP_NAMES, "/groups/names", COLUMN_U8, 1, USE_BLOB, IN_WORLD)                                        \
    X(GROUP_NAME_END, "/groups/name_end", COLUMN_U64, 1, USE_TABLE, IN_WORLD)                                \
    X(BODY_ID, "/bodies/id", COLUMN_U32, 1, USE_TABLE, IN_WORLD)                                             \
    X(BODY_KIND, "/bodies/kind", COLUMN_U8, 1, USE_TABLE, IN_WORLD)                                          \
    X(BODY_GROUP, "/bodies/group", COLUMN_U32, 1, USE_TABLE, IN_WORLD)                                       \
    X(BODY_FLAGS, "/bodies/flags", COLUMN_U32, 1, USE_TABLE, IN_WORLD)                                       \
    X(BODY_COLLIDES, "/bodies/collides_groups", COLUMN_U64, 1, USE_TABLE, IN_WORLD)                          \
    X(BODY_MASS, "/bodies/mass", COLUMN_F64, 1, USE_TABLE, IN_WORLD)                                         \
    X(BODY_INERTIA, "/bodies/inertia", COLUMN_F64, 1, USE_TABLE, IN_PLANE)                                   \
    X(BODY_INERTIA3, "/bodies/inertia", COLUMN_F64, 3, USE_TABLE, IN_SPACE)                                  \
    X(BODY_AXES, "/bodies/axes", COLUMN_F64, 4, USE_TABLE, IN_SPACE)                                         \
    X(BODY_EXTENT, "/bodies/extent", COLUMN_F64, 3, USE_TABLE, IN_SPACE)                                     \
    X(BODY_AREA, "/bodies/area", COLUMN_F64, 1, USE_TABLE, IN_WORLD)                                         \
    X(BODY_ORIGIN, "/bodies/origin", COLUMN_F64, WIDTH_DIM, USE_TABLE, IN_WORLD)                             \
    X(BODY_PART_END, "/bodies/part_end", COLUMN_U64, 1, USE_TABLE, IN_WORLD)                                 \
    X(BODY_VERTEX_END, "/bodies/vertex_end", COLUMN_U64, 1, USE_TABLE, IN_WORLD)                             \
    X(BODY_FACE_END, "/bodies/face_end", COLUMN_U64, 1, USE_TABLE, IN_SPACE)                                 \
    X(BODY_NAMES, "/bodies/names", COLUMN_U8, 1, USE_BLOB, IN_WORLD)                                         \
    X(BODY_NAME_END, "/bodies/name_end", COLUMN_U64, 1, USE_TABLE, IN_WORLD)                                 \
    X(PART_KIND, "/parts/kind", COLUMN_U8, 1, USE_TABLE, IN_WORLD)                                           \
    X(PART_VERTEX_FIRST, "/parts/vertex_first", COLUMN_U32, 1, USE_TABLE, IN_WORLD)                          \
    X(PART_VERTEX_COUNT, "/parts/vertex_count", COLUMN_U32, 1, USE_TABLE, IN_WORLD)                          \
    X(PART_CHAIN, "/parts/chain", COLUMN_I32, 2, USE_TABLE, IN_PLANE)                                        \
    X(PART_LINK, "/parts/link", COLUMN_U32, 2, USE_TABLE, IN_SPACE)                                          \
    X(PART_GEOMETRY, "/parts/geometry", COLUMN_F64, WIDTH_GEOMETRY, USE_TABLE, IN_WORLD)                     \
    X(VERTICES, "/vertices", COLUMN_F64, WIDTH_DIM, USE_TABLE, IN_WORLD)                                     \
    X(FACES, "/faces", COLUMN_U32, 1, USE_TABLE, IN_SPACE)                                                   \
    X(FB_ID, "/frame_bodies/id", COLUMN_U32, 1, USE_BODIES, IN_WORLD)                                        \
    X(FB_Q, "/frame_bodies/q", COLUMN_F64, WIDTH_Q, USE_BODIES, IN_WORLD)                                    \
    X(FB_U, "/frame_bodies/u", COLUMN_F64, WIDTH_U, USE_BODIES, IN_WORLD)                                    \
    X(FB_LOAD, "/frame_bodies/load", COLUMN_F64, WIDTH_U, USE_BODIES, IN_WORLD)                              \
    X(FB_FORCE, "/frame_bodies/force", COLUMN_F64, WIDTH_U, USE_BODIES, IN_WORLD)                            \
    X(FB_RADIUS, "/frame_bodies/radius", COLUMN_F64, 1, USE_BODIES, IN_WORLD)                                \
    X(FB_REST, "/frame_bodies/rest", COLUMN_U32, 1, USE_BODIES, IN_WORLD)                                    \
    X(FB_OBSERVED, "/frame_bodies/observed", COLUMN_F64, WIDTH_OBSERVED, USE_BODIES, IN_WORLD)               \
    X(OBSERVED_NAMES, "/bodies/observed_names", COLUMN_U8, 1, USE_BLOB, IN_WORLD)                            \
    X(OBSERVED_NAME_END, "/bodies/observed_name_end", COLUMN_U64, 1, USE_TABLE, IN_WORLD)                    \
    X(FC_ID1, "/frame_contacts/id1", COLUMN_U32, 1, USE_CONTACTS, IN_WORLD)                                  \
    X(FC_ID2, "/frame_contacts/id2", COLUMN_U32, 1, USE_CONTACTS, IN_WORLD)                                  \
    X(FC_FEATURE, "/frame_contacts/feature", COLUMN_U64, 1, USE_CONTACTS, IN_WORLD)                          \
    X(FC_POINT, "/frame_contacts/point", COLUMN_F64, WIDTH_DIM, USE_CONTACTS, IN_WORLD)                      \
    X(FC_NORMAL, "/frame_contacts/normal", COLUMN_F64, WIDTH_DIM, USE_CONTACTS, IN_WORLD)                    \
    X(FC_GAP, "/frame_contacts/gap", COLUMN_F64, 1, USE_CONTACTS, IN_WORLD)                                  \
    X(FC_IMPULSE, "/frame_contacts/impulse", COLUMN_F64, WIDTH_DIM, USE_CONTACTS, IN_WORLD)                  \
    X(FC_VELOCITY, "/frame_contacts/velocity", COLUMN_F64, WIDTH_DIM, USE_CONTACTS, IN_WORLD)                \
    X(FC_STATUS, "/frame_contacts/status", COLUMN_U8, 1, USE_CONTACTS, IN_WORLD)                             \
    X(FC_MEMORY, "/frame_contacts/memory", COLUMN_F64, 1, USE_CONTACTS, IN_WORLD)                            \
    X(FC_LAW, "/frame_contacts/law", COLUMN_U32, 1, USE_CONTACTS, IN_WORLD)                                  \
    X(LAWS, "/laws", COLUMN_F64, 14, USE_TABLE, IN_WORLD)                                                    \
    X(JOINT_ID, "/joints/id", COLUMN_U32, 1, USE_TABLE, IN_JOINTS)                                           \
    X(JOINT_KIND, "/joints/kind", COLUMN_U8, 1, USE_TABLE, IN_JOINTS)                                        \
    X(JOINT_BODIES, "/joints/bodies", COLUMN_U32, 2, USE_TABLE, IN_JOINTS)                                   \
    X(JOINT_ANCHOR1, "/joints/anchor1", COLUMN_F64, WIDTH_DIM, USE_TABLE, IN_JOINTS)                         \
    X(JOINT_ANCHOR2, "/joints/anchor2", COLUMN_F64, WIDTH_DIM, USE_TABLE, IN_JOINTS)                         \
    X(JOINT_AXIS, "/joints/axis", COLUMN_F64, WIDTH_DIM, USE_TABLE, IN_JOINTS)                               \
    X(JOINT_FIRST, "/joints/first", COLUMN_U64, 1, USE_TABLE, IN_JOINTS)                                     \
    X(JOINT_GONE, "/joints/gone", COLUMN_U64, 2, USE_TABLE, IN_JOINTS)                                       \
    X(SERIES_NAMES, "/series/names", COLUMN_U8, 1, USE_BLOB, IN_ALL)                                         \
    X(SERIES_NAME_END, "/series/name_end", COLUMN_U64, 1, USE_TABLE, IN_ALL)                                 \
    X(SERIES_T, "/series/t", COLUMN_F64, 1, USE_TABLE, IN_ALL)                                               \
    X(SERIES_VALUES, "/series/values", COLUMN_F64, WIDTH_SERIES, USE_TABLE, IN_ALL)                          \
    X(STEP_STEP, "/steps/step", COLUMN_I64, 1, USE_TABLE, IN_WORLD)                                          \
    X(STEP_CONTACTS, "/steps/contacts", COLUMN_I32, 1, USE_TABLE, IN_WORLD)                                  \
    X(STEP_ITERATIONS, "/steps/iterations", COLUMN_I32, 1, USE_TABLE, IN_WORLD)                              \
    X(STEP_RESIDUAL, "/steps/residual", COLUMN_F64, 1, USE_TABLE, IN_WORLD)                                  \
    X(POINT_INDEX, "/point_index", COLUMN_I32, 1, USE_TABLE, IN_ALL)                                         \
    X(SCENE_NAME, "/scene/name", COLUMN_U8, 1, USE_BLOB, IN_ALL)                                             \
    X(SCENE_TEXT, "/scene/text", COLUMN_U8, 1, USE_BLOB, IN_ALL)                                             \
    X(SCENE_PARAMS, "/scene/params", COLUMN_U8, 1, USE_BLOB, IN_ALL)                                         \
    X(SCENE_FOLDER, "/scene/folder", COLUMN_U8, 1, USE_BLOB, IN_ALL)                                         \
    X(END_STATUS, "/end/status", COLUMN_U8, 1, USE_BLOB, IN_ALL)                                             \
    X(END_REPORT, "/end/report", COLUMN_U8, 1, USE_BLOB, IN_ALL)                                             \
    X(END_FINISHED, "/end/finished", COLUMN_U8, 1, USE_TABLE, IN_ALL)                                        \
    X(END_PLOTS, "/end/plots", COLUMN_U8, 1, USE_BLOB, IN_ALL)                                               \
    X(FRAME_PATH_ROWS, "/frames/path_rows", COLUMN_U64, 7, USE_FRAME, IN_PATH)                               \
    X(FRAME_PROCESS_FIRST, "/frames/process_first", COLUMN_U64, 1, USE_FRAME, IN_PATH)                       \
    X(FRAME_PROCESS_LENGTH, "/frames/process_length", COLUMN_U64, 1, USE_FRAME, IN_PATH)                     \
    X(FRAME_PROCESS, "/frames/process", COLUMN_U8, 1, USE_BLOB, IN_PATH)                                     \
    X(PATH_T, "/path/t", COLUMN_F64, 1, USE_PATH, IN_PATH)                                                   \
    X(PATH_STEP, "/path/step", COLUMN_I64, 1, USE_PATH, IN_PATH)                                             \
    X(PATH_X, "/path/x", COLUMN_F64, WIDTH_N, USE_PATH, IN_PATH)                                             \
    X(PATH_U, "/path/u", COLUMN_F64, WIDTH_N, USE_PATH, IN_MOTION)                                           \
    X(PATH_LAMBDA, "/path/lambda", COLUMN_F64, WIDTH_M, USE_PATH, IN_PATH)                                   \
    X(PATH_GAP, "/path/gap", COLUMN_F64, WIDTH_M, USE_PATH, IN_MOTION)                                       \
    X(PATH_HOLD_END, "/path/hold_end", COLUMN_U64, 1, USE_PATH, IN_DISCS)                                    \
    X(HOLD_PAIR, "/holds/pair", COLUMN_U32, 2, USE_HOLDS, IN_DISCS)                                          \
    X(HOLD_LAMBDA, "/holds/lambda", COLUMN_F64, 1, USE_HOLDS, IN_DISCS)                                      \
    X(EVENT_T, "/events/t", COLUMN_F64, 1, USE_EVENTS, IN_PATH)                                              \
    X(EVENT_TYPE, "/events/type", COLUMN_U8, 1, USE_EVENTS, IN_PATH)                                         \
    X(EVENT_SIZE, "/events/size", COLUMN_F64, 1, USE_EVENTS, IN_PATH)                                        \
    X(EVENT_GAP_END, "/events/gap_end", COLUMN_U64, 1, USE_EVENTS, IN_PATH)                                  \
    X(EVENT_GAPS, "/events/gaps", COLUMN_U32, 1, USE_GAPS, IN_PATH)                                          \
    X(OUTLINE_T, "/outlines/t", COLUMN_F64, 1, USE_OUTLINES, IN_PATH)                                        \
    X(OUTLINE_END, "/outlines/end", COLUMN_U64, 1, USE_OUTLINES, IN_PATH)                                    \
    X(OUTLINE_POINTS, "/outlines/points", COLUMN_F64, 2, USE_POINTS, IN_PATH)                                \
    X(DISC_RADIUS, "/discs/radius", COLUMN_F64, 1, USE_TABLE, IN_DISCS)                                      \
    X(DISC_WALLS, "/discs/walls", COLUMN_F64, 4, USE_TABLE, IN_DISCS)

typedef enum column_id {
#define COLUMN_ENUM(id, path, type, width, use, runs) COL_##id,
    COLUMN_LIST(COLUMN_ENUM)
#undef COLUMN_ENUM
        COLUMN_COUNT
} column_id;

typedef struct column_def {
    const char *path;
    column_type type;
    unsigned width;
    column_use use;
    unsigned runs;
} column_def;

/* What a run is, as far as it decides which columns its file has and how wide they are. */
typedef struct run_shape {
    unsigned runs; /* IN_ bits */
    unsigned series, coordinates, multipliers;
    unsigned dim;      /* worlds: 2 or 3 */
    unsigned observed; /* worlds: columns of bodies */
} run_shape;

extern const column_def column_defs[COLUMN_COUNT];

/* Whether files of earlier programs do not have it. */
bool column_is_late(column_id column);
/* Bytes of one element in memory and in the file. */
size_t column_element_size(column_id column);
/* Whether runs of this shape have it, and its width there, which may be 0. */
bool column_is_in(column_id column, const run_shape *shape);
/* The shape of a world's run, with a cell and joints. */
run_shape world_shape(int dim, unsigned series);
unsigned column_width(column_id column, const run_shape *shape);

/* Columns of /frames/rows: how many rows of each table belong to the run up to the frame. */
enum { ROWS_BODIES, ROWS_GROUPS, ROWS_SERIES, ROWS_STEPS };
/* Columns of /frames/path_rows, likewise for the run of a point. */
enum {
    ROWS_PATH,
    ROWS_HOLDS,
    ROWS_EVENTS,
    ROWS_GAPS,
    ROWS_OUTLINES,
    ROWS_POINTS,
    ROWS_PATH_SERIES,
    PATH_TABLES
};
/* Codes of /events/type are places in this list. */
#define EVENT_TYPES 6
extern const char *const event_types[EVENT_TYPES];
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
/* Columns of /frames/cell: the origin, edges and rate row by row, and 1 along the axes that are periodic. */
enum { CELL_ORIGIN = 0, CELL_EDGES = 3, CELL_RATE = 12, CELL_PERIODIC = 21, CELL_COLUMNS = 24 };
/* Columns of /laws: what mo_law has, in its order; gluey and registered are 0 or 1. */
enum {
    LAW_FRICTION,
    LAW_RESTITUTION,
    LAW_TANGENTIAL_RESTITUTION,
    LAW_STATIC_FRICTION,
    LAW_FRICTION2,
    LAW_AXIS,
    LAW_COHESION = LAW_AXIS + 3,
    LAW_GLUEY,
    LAW_THRESHOLD,
    LAW_ROLLING,
    LAW_SPINNING,
    LAW_REGISTERED,
    LAW_COLUMNS
};
/* Columns of /joints/gone: a row of /joints, and the first frame without it. */
enum { GONE_ROW, GONE_FRAME };
/* Columns of /parts/geometry: the radius, the dim numbers of the normal, the offset. */
enum { GEOMETRY_RADIUS, GEOMETRY_NORMAL };
/* Bits of /bodies/flags: freedoms of the plane are the lowest MO_FREE_ bits, those of space that follow them
   are moved up by three. */
enum {
    BODY_FLAG_FREE = 7,
    BODY_FLAG_LIMITED = 8,
    BODY_FLAG_FUNCTIONS = 16,
    BODY_FLAG_PLANE = 31, /* all there are in 2D */
    BODY_FLAG_ORIENTED = 32,
    BODY_FLAG_SPACE_SHIFT = 3,
    BODY_FLAG_SPACE_FREE = 960,
    BODY_FLAG_ALL = 1023
};

#endif
