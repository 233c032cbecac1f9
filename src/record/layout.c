/* The columns of a run file. */
#include "record/layout.h"

#include <stdint.h>

const column_def column_defs[COLUMN_COUNT] = {
#define COLUMN_ENTRY(id, path, type, width, use) {path, type, width, use},
    COLUMN_LIST(COLUMN_ENTRY)
#undef COLUMN_ENTRY
};

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
