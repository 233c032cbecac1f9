/* Films, see film.h: colours, compression, file. */
#include "film/film.h"
#include "core/fail.h"
#include "film/webm.h"
#include "record/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef MOREAU_VPX
#include <vpx/vp8cx.h>
#include <vpx/vpx_encoder.h>

enum { QUALITY = 10, COARSEST = 30, LARGEST = 16383 }; /* 0 is best, 63 worst; pixels of a side */

struct film {
    text_file out;
    char *path; /* NULL: standard output */
    double fps;
    uint64_t frames, next;
    webm *writer;
    vpx_codec_ctx_t codec;
    vpx_image_t *image;
    bool open; /* the codec is */
};

bool film_is_possible(void)
{
    return true;
}

mo_status film_create(const char *path, double fps, uint64_t frames, film **out, mo_error *err)
{
    film *f = calloc(1, sizeof *f);
    if (f == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a film");
    f->fps = fps;
    f->frames = frames;
    mo_status status = text_open(path, &f->out, err);
    if (status == MO_OK && strcmp(path, "-") != 0 && (f->path = strdup(path)) == NULL)
        status = fail(err, MO_NO_MEMORY, NULL, "no memory for a film");
    if (status == MO_OK)
        *out = f;
    else
        film_abandon(f);
    return status;
}

/* ---- colours ------------------------------------------------------------------------------------------- */

/* red, green, blue of a pixel; white outside the picture */
static void read_pixel(const unsigned char *pixels, size_t stride, int width, int height, int x, int y,
                       int rgb[3])
{
    uint32_t value = 0xffffff;
    if (x < width && y < height)
        memcpy(&value, pixels + (size_t)y * stride + 4 * (size_t)x, sizeof value);
    rgb[0] = (int)(value >> 16 & 0xff);
    rgb[1] = (int)(value >> 8 & 0xff);
    rgb[2] = (int)(value & 0xff);
}

/* ITU-R BT.601, brightness 16..235 and colours 16..240, in fixed point */
static unsigned char brightness(const int c[3])
{
    return (unsigned char)((66 * c[0] + 129 * c[1] + 25 * c[2] + 128) / 256 + 16);
}

static unsigned char blueness(const int c[3])
{
    return (unsigned char)((-38 * c[0] - 74 * c[1] + 112 * c[2] + 128 + 128 * 256) / 256);
}

static unsigned char redness(const int c[3])
{
    return (unsigned char)((112 * c[0] - 94 * c[1] - 18 * c[2] + 128 + 128 * 256) / 256);
}

/* two by two pixels share their colour */
static void fill_square(vpx_image_t *image, const unsigned char *pixels, size_t stride, int width, int height,
                        int x, int y)
{
    int sum[3] = {0, 0, 0};
    for (int k = 0; k < 4; k++) {
        const int px = x + k % 2, py = y + k / 2;
        int c[3];
        read_pixel(pixels, stride, width, height, px, py, c);
        for (int i = 0; i < 3; i++)
            sum[i] += c[i];
        if (px < (int)image->d_w && py < (int)image->d_h)
            image->planes[VPX_PLANE_Y][py * image->stride[VPX_PLANE_Y] + px] = brightness(c);
    }
    for (int i = 0; i < 3; i++)
        sum[i] = (sum[i] + 2) / 4;
    image->planes[VPX_PLANE_U][y / 2 * image->stride[VPX_PLANE_U] + x / 2] = blueness(sum);
    image->planes[VPX_PLANE_V][y / 2 * image->stride[VPX_PLANE_V] + x / 2] = redness(sum);
}

/* ---- compression --------------------------------------------------------------------------------------- */

static mo_status codec_failure(film *f, mo_error *err)
{
    const char *detail = vpx_codec_error_detail(&f->codec);
    return fail(err, MO_IO, NULL, "cannot compress the film: %s%s%s", vpx_codec_error(&f->codec),
                detail != NULL ? ": " : "", detail != NULL ? detail : "");
}

/* the first picture gives the size */
static mo_status begin(film *f, int width, int height, mo_error *err)
{
    vpx_codec_enc_cfg_t c;
    if (width > LARGEST || height > LARGEST)
        return fail(err, MO_BAD_INPUT, "width", "a film of %d x %d; expected at most %d each", width, height,
                    LARGEST);
    if (vpx_codec_enc_config_default(vpx_codec_vp8_cx(), &c, 0) != VPX_CODEC_OK)
        return fail(err, MO_IO, NULL, "libvpx has no VP8");
    c.g_w = (unsigned)width;
    c.g_h = (unsigned)height;
    c.g_timebase = (vpx_rational_t){1, 1000};
    c.g_threads = 1;
    c.g_lag_in_frames = 0;
    // constant quality; the rate is a bound far above what such pictures need
    c.rc_end_usage = VPX_CQ;
    c.rc_min_quantizer = QUALITY;
    c.rc_max_quantizer = COARSEST;
    c.rc_target_bitrate = 100000;
    c.kf_max_dist = (unsigned)(2 * f->fps + 1);
    if (vpx_codec_enc_init(&f->codec, vpx_codec_vp8_cx(), &c, 0) != VPX_CODEC_OK)
        return codec_failure(f, err);
    f->open = true;
    vpx_codec_control(&f->codec, VP8E_SET_CPUUSED, 4);
    vpx_codec_control(&f->codec, VP8E_SET_CQ_LEVEL, QUALITY);
    vpx_codec_control(&f->codec, VP8E_SET_STATIC_THRESHOLD, 1);
    f->image = vpx_img_alloc(NULL, VPX_IMG_FMT_I420, c.g_w, c.g_h, 16);
    f->writer = webm_begin(f->out.file, width, height, f->fps, f->frames);
    if (f->image == NULL || f->writer == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a film of %d x %d", width, height);
    return MO_OK;
}

/* a picture, or NULL for what the codec still holds; *any: something came out */
static mo_status compress(film *f, const vpx_image_t *image, bool *any, mo_error *err)
{
    const double span = 1000.0 / f->fps;
    const vpx_codec_pts_t time = (vpx_codec_pts_t)(span * (double)f->next + 0.5);
    const vpx_codec_pts_t after = (vpx_codec_pts_t)(span * (double)(f->next + 1) + 0.5);
    const unsigned long duration = after > time ? (unsigned long)(after - time) : 1;
    if (vpx_codec_encode(&f->codec, image, time, duration, 0, VPX_DL_GOOD_QUALITY) != VPX_CODEC_OK)
        return codec_failure(f, err);
    vpx_codec_iter_t place = NULL;
    const vpx_codec_cx_pkt_t *packet;
    *any = false;
    while ((packet = vpx_codec_get_cx_data(&f->codec, &place)) != NULL) {
        if (packet->kind != VPX_CODEC_CX_FRAME_PKT)
            continue;
        *any = true;
        const bool is_key = (packet->data.frame.flags & VPX_FRAME_IS_KEY) != 0;
        if (!webm_add(f->writer, packet->data.frame.buf, packet->data.frame.sz, is_key))
            return fail(err, MO_NO_MEMORY, NULL, "no memory for the film");
    }
    return MO_OK;
}

mo_status film_take(void *data, int width, int height, const unsigned char *pixels, size_t stride,
                    mo_error *err)
{
    film *f = data;
    bool any;
    mo_status status = f->open ? MO_OK : begin(f, width, height, err);
    if (status != MO_OK)
        return status;
    for (int y = 0; y < (int)f->image->d_h; y += 2)
        for (int x = 0; x < (int)f->image->d_w; x += 2)
            fill_square(f->image, pixels, stride, width, height, x, y);
    status = compress(f, f->image, &any, err);
    f->next++;
    return status;
}

mo_status film_finish(film *f, mo_error *err)
{
    bool any = f->open;
    mo_status status = MO_OK;
    while (any && status == MO_OK)
        status = compress(f, NULL, &any, err);
    if (status == MO_OK && f->writer != NULL) {
        if (!webm_end(f->writer))
            status = fail(err, MO_NO_MEMORY, NULL, "no memory for the film");
        f->writer = NULL;
    }
    if (status == MO_OK) {
        status = text_close(&f->out, err);
        free(f->path);
        f->path = NULL;
    }
    film_abandon(f);
    return status;
}

void film_abandon(film *f)
{
    if (f == NULL)
        return;
    mo_error ignored;
    if (f->out.file != NULL)
        text_close(&f->out, &ignored);
    // half a film is none
    struct stat about;
    if (f->path != NULL && stat(f->path, &about) == 0 && S_ISREG(about.st_mode))
        unlink(f->path);
    if (f->writer != NULL)
        webm_free(f->writer);
    if (f->image != NULL)
        vpx_img_free(f->image);
    if (f->open)
        vpx_codec_destroy(&f->codec);
    free(f->path);
    free(f);
}

#else

bool film_is_possible(void)
{
    return false;
}

static mo_status impossible(mo_error *err)
{
    return fail(
        err, MO_IO, NULL,
        "this program was built without libvpx and makes no films: install libvpx-dev and build again, or "
        "take --to png --frame all");
}

mo_status film_create(const char *path, double fps, uint64_t frames, film **out, mo_error *err)
{
    (void)path, (void)fps, (void)frames;
    *out = NULL;
    return impossible(err);
}

mo_status film_take(void *data, int width, int height, const unsigned char *pixels, size_t stride,
                    mo_error *err)
{
    (void)data, (void)width, (void)height, (void)pixels, (void)stride;
    return impossible(err);
}

mo_status film_finish(film *f, mo_error *err)
{
    (void)f;
    return impossible(err);
}

void film_abandon(film *f)
{
    (void)f;
}
#endif
