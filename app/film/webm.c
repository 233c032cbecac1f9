/* See webm.h.  Times are in milliseconds; a cluster begins with a picture that stands for itself. */
#include "film/webm.h"

#include <math.h>
#include <moreau/base.h>
#include <stdlib.h>
#include <string.h>

/* ids of the elements */
enum {
    EBML = 0x1a45dfa3,
    EBML_VERSION = 0x4286,
    EBML_READ_VERSION = 0x42f7,
    EBML_MAX_ID = 0x42f2,
    EBML_MAX_SIZE = 0x42f3,
    DOC_TYPE = 0x4282,
    DOC_TYPE_VERSION = 0x4287,
    DOC_TYPE_READ_VERSION = 0x4285,
    SEGMENT = 0x18538067,
    SEEK_HEAD = 0x114d9b74,
    SEEK = 0x4dbb,
    SEEK_ID = 0x53ab,
    SEEK_POSITION = 0x53ac,
    INFO = 0x1549a966,
    TIMESTAMP_SCALE = 0x2ad7b1,
    DURATION = 0x4489,
    MUXING_APP = 0x4d80,
    WRITING_APP = 0x5741,
    TRACKS = 0x1654ae6b,
    TRACK_ENTRY = 0xae,
    TRACK_NUMBER = 0xd7,
    TRACK_UID = 0x73c5,
    TRACK_TYPE = 0x83,
    FLAG_LACING = 0x9c,
    CODEC_ID = 0x86,
    DEFAULT_DURATION = 0x23e383,
    VIDEO = 0xe0,
    PIXEL_WIDTH = 0xb0,
    PIXEL_HEIGHT = 0xba,
    CLUSTER = 0x1f43b675,
    CLUSTER_TIMESTAMP = 0xe7,
    SIMPLE_BLOCK = 0xa3,
    CUES = 0x1c53bb6b,
    CUE_POINT = 0xbb,
    CUE_TIME = 0xb3,
    CUE_TRACK_POSITIONS = 0xb7,
    CUE_TRACK = 0xf7,
    CUE_CLUSTER_POSITION = 0xf1
};

enum {
    WIDE = 8,
    LONGEST_CLUSTER = 30000
}; /* bytes of a length to be filled in; ms, times in it are 16 bits */

/* Bytes of an element's data, grown as needed. */
typedef struct bytes {
    unsigned char *data;
    size_t count, room;
    bool broken; /* no memory */
} bytes;

typedef struct cue {
    uint64_t time, position;
} cue;

struct webm {
    FILE *file;
    double fps;
    uint64_t frame;        /* of the next picture */
    uint64_t at;           /* bytes written after the segment's head */
    long segment, seek_at; /* places in the file to be filled in, -1: it cannot be gone back in */
    bytes cluster;
    uint64_t cluster_time;
    cue *cues;
    size_t cue_count, cue_room;
    bool broken;
};

/* ---- elements --------------------------------------------------------------------------------------- */

static void put(bytes *b, const void *data, size_t count)
{
    if (count > b->room - b->count) {
        const size_t room = 2 * b->room + count + 256;
        unsigned char *grown = b->broken ? NULL : realloc(b->data, room);
        if (grown == NULL) {
            b->broken = true;
            return;
        }
        b->data = grown;
        b->room = room;
    }
    if (count > 0)
        memcpy(b->data + b->count, data, count);
    b->count += count;
}

/* the last `count` bytes of a number, most significant first */
static void put_number(bytes *b, uint64_t value, int count)
{
    for (int i = count - 1; i >= 0; i--) {
        const unsigned char byte = (unsigned char)(value >> 8 * i);
        put(b, &byte, 1);
    }
}

static int number_bytes(uint64_t value)
{
    int count = 1;
    while (count < 8 && value >> 8 * count != 0)
        count++;
    return count;
}

static void put_id(bytes *b, uint32_t id)
{
    put_number(b, id, number_bytes(id));
}

/* a length of n bytes has 7 n bits after a marker bit; all ones stand for an unknown one */
static void put_length(bytes *b, uint64_t length)
{
    int count = 1;
    while (count < WIDE && length >= ((uint64_t)1 << 7 * count) - 1)
        count++;
    put_number(b, length | (uint64_t)1 << 7 * count, count);
}

static void put_data(bytes *b, uint32_t id, const void *data, size_t count)
{
    put_id(b, id);
    put_length(b, count);
    put(b, data, count);
}

static void put_unsigned(bytes *b, uint32_t id, uint64_t value)
{
    const int count = number_bytes(value);
    put_id(b, id);
    put_length(b, (uint64_t)count);
    put_number(b, value, count);
}

static void put_float(bytes *b, uint32_t id, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_id(b, id);
    put_length(b, 8);
    put_number(b, bits, 8);
}

static void put_text(bytes *b, uint32_t id, const char *text)
{
    put_data(b, id, text, strlen(text));
}

/* an element made of others, which are freed */
static void put_master(bytes *b, uint32_t id, bytes *content)
{
    put_data(b, id, content->data, content->count);
    b->broken = b->broken || content->broken;
    free(content->data);
    *content = (bytes){0};
}

/* hands bytes to the file, counts and frees them */
static void write_out(webm *w, bytes *b)
{
    fwrite(b->data, 1, b->count, w->file);
    w->at += b->count;
    w->broken = w->broken || b->broken;
    free(b->data);
    *b = (bytes){0};
}

/* ---- heads ------------------------------------------------------------------------------------------ */

static void write_ebml(webm *w)
{
    bytes content = {0}, out = {0};
    put_unsigned(&content, EBML_VERSION, 1);
    put_unsigned(&content, EBML_READ_VERSION, 1);
    put_unsigned(&content, EBML_MAX_ID, 4);
    put_unsigned(&content, EBML_MAX_SIZE, 8);
    put_text(&content, DOC_TYPE, "webm");
    put_unsigned(&content, DOC_TYPE_VERSION, 2);
    put_unsigned(&content, DOC_TYPE_READ_VERSION, 2);
    put_master(&out, EBML, &content);
    // the segment goes to the end of the file; its length is filled in when that is known
    put_id(&out, SEGMENT);
    put_number(&out, UINT64_MAX >> 7, WIDE);
    write_out(w, &out);
}

/* where the index is: found at the front, written at the end */
static void write_seek_head(webm *w)
{
    bytes id = {0}, seek = {0}, content = {0}, out = {0};
    put_id(&id, CUES);
    put_data(&seek, SEEK_ID, id.data, id.count);
    free(id.data);
    put_id(&seek, SEEK_POSITION);
    put_length(&seek, 8);
    put_number(&seek, 0, 8);
    put_master(&content, SEEK, &seek);
    put_master(&out, SEEK_HEAD, &content);
    // the position is its last eight bytes
    w->seek_at = w->segment + (long)out.count - 8;
    write_out(w, &out);
}

static void write_info(webm *w, uint64_t frames)
{
    bytes content = {0}, out = {0};
    put_unsigned(&content, TIMESTAMP_SCALE, 1000000);
    put_float(&content, DURATION, 1000.0 * (double)frames / w->fps);
    put_text(&content, MUXING_APP, "moreau");
    put_text(&content, WRITING_APP, mo_version());
    put_master(&out, INFO, &content);
    write_out(w, &out);
}

static void write_tracks(webm *w, int width, int height)
{
    bytes video = {0}, track = {0}, content = {0}, out = {0};
    put_unsigned(&video, PIXEL_WIDTH, (uint64_t)width);
    put_unsigned(&video, PIXEL_HEIGHT, (uint64_t)height);
    put_unsigned(&track, TRACK_NUMBER, 1);
    put_unsigned(&track, TRACK_UID, 1);
    put_unsigned(&track, TRACK_TYPE, 1);
    put_unsigned(&track, FLAG_LACING, 0);
    put_text(&track, CODEC_ID, "V_VP8");
    put_unsigned(&track, DEFAULT_DURATION, (uint64_t)(1e9 / w->fps + 0.5));
    put_master(&track, VIDEO, &video);
    put_master(&content, TRACK_ENTRY, &track);
    put_master(&out, TRACKS, &content);
    write_out(w, &out);
}

webm *webm_begin(FILE *file, int width, int height, double fps, uint64_t frames)
{
    webm *w = calloc(1, sizeof *w);
    if (w == NULL)
        return NULL;
    *w = (webm){.file = file, .fps = fps, .segment = -1};
    const bool seekable = fseek(file, 0, SEEK_CUR) == 0;
    write_ebml(w);
    w->segment = seekable ? ftell(file) : -1;
    w->at = 0;
    if (w->segment >= 0)
        write_seek_head(w);
    write_info(w, frames);
    write_tracks(w, width, height);
    return w;
}

/* ---- pictures --------------------------------------------------------------------------------------- */

static bool add_cue(webm *w)
{
    if (w->cue_count == w->cue_room) {
        const size_t room = 2 * w->cue_room + 64;
        cue *grown = realloc(w->cues, room * sizeof *grown);
        if (grown == NULL)
            return false;
        w->cues = grown;
        w->cue_room = room;
    }
    w->cues[w->cue_count++] = (cue){w->cluster_time, w->at};
    return true;
}

static void end_cluster(webm *w)
{
    bytes out = {0};
    if (w->cluster.count == 0)
        return;
    w->broken = !add_cue(w) || w->broken;
    put_master(&out, CLUSTER, &w->cluster);
    write_out(w, &out);
}

bool webm_add(webm *w, const void *data, size_t size, bool is_key)
{
    const uint64_t time = (uint64_t)floor(1000.0 * (double)w->frame / w->fps + 0.5);
    if (is_key || time - w->cluster_time > LONGEST_CLUSTER)
        end_cluster(w);
    if (w->cluster.count == 0) {
        w->cluster_time = time;
        put_unsigned(&w->cluster, CLUSTER_TIMESTAMP, time);
    }
    put_id(&w->cluster, SIMPLE_BLOCK);
    put_length(&w->cluster, size + 4);
    put_length(&w->cluster, 1); // track
    put_number(&w->cluster, time - w->cluster_time, 2);
    put_number(&w->cluster, is_key ? 0x80 : 0, 1);
    put(&w->cluster, data, size);
    w->frame++;
    return !w->broken && !w->cluster.broken;
}

static void write_cues(webm *w)
{
    bytes content = {0}, out = {0};
    for (size_t i = 0; i < w->cue_count; i++) {
        bytes place = {0}, point = {0};
        put_unsigned(&place, CUE_TRACK, 1);
        put_unsigned(&place, CUE_CLUSTER_POSITION, w->cues[i].position);
        put_unsigned(&point, CUE_TIME, w->cues[i].time);
        put_master(&point, CUE_TRACK_POSITIONS, &place);
        put_master(&content, CUE_POINT, &point);
    }
    put_master(&out, CUES, &content);
    write_out(w, &out);
}

/* eight bytes at a place of the file */
static void fill_in(webm *w, long place, uint64_t value)
{
    unsigned char number[8];
    for (int i = 0; i < 8; i++)
        number[i] = (unsigned char)(value >> 8 * (7 - i));
    if (fseek(w->file, place, SEEK_SET) == 0)
        fwrite(number, 1, sizeof number, w->file);
}

bool webm_end(webm *w)
{
    end_cluster(w);
    const uint64_t cues = w->at;
    write_cues(w);
    if (w->segment >= 0) {
        fill_in(w, w->segment - WIDE, w->at | (uint64_t)1 << 56);
        fill_in(w, w->seek_at, cues);
        (void)fseek(w->file, 0, SEEK_END);
    }
    const bool ok = !w->broken;
    webm_free(w);
    return ok;
}

void webm_free(webm *w)
{
    free(w->cluster.data);
    free(w->cues);
    free(w);
}
