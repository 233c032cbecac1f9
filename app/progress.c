/*
 * Draws the progress bar.  Most important first: what does not fit into the terminal's width is left out.
 */
#include "progress.h"
#include "core/timer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LINE = 256, BAR = 24 };
static const double least_interval = 0.1; // s between drawings

void progress_start(progress *bar, bool wanted)
{
    *bar = (progress){.shown = wanted && isatty(STDERR_FILENO) == 1};
}

static int terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    const char *columns = getenv("COLUMNS");
    int width = columns != NULL ? atoi(columns) : 0;
    return width > 0 ? width : 80;
}

/* adds a piece when the line, of LINE bytes, has room for all of it in fewer than `width` columns */
static void add(char *line, int width, const char *piece)
{
    size_t used = strlen(line);
    if ((int)(used + strlen(piece)) < width)
        snprintf(line + used, LINE - used, "%s", piece);
}

static void duration(char *out, size_t size, double seconds)
{
    long s = seconds < 1e8 ? (long)(seconds + 0.5) : 99999999;
    if (s >= 3600)
        snprintf(out, size, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(out, size, "%ld:%02ld", s / 60, s % 60);
}

static double fraction_done(const scene_progress *p)
{
    double f = p->steps > 0 ? (double)p->step / (double)p->steps : p->t_end > 0 ? p->time / p->t_end : 1;
    return f < 0 ? 0 : f > 1 ? 1 : f;
}

/* the fields that are always there, as far as the width allows */
static void compose_numbers(const scene_progress *p, const char *left, char *line, int width)
{
    char piece[96];
    snprintf(piece, sizeof piece, "  t %.4g/%.4g s", p->time, p->t_end);
    add(line, width, piece);
    snprintf(piece, sizeof piece, "  %s left", left);
    add(line, width, piece);
    snprintf(piece, sizeof piece, "  contacts %zu", p->contacts);
    add(line, width, piece);
    snprintf(piece, sizeof piece, "  iter %d", p->iterations);
    add(line, width, piece);
    snprintf(piece, sizeof piece, "  res %.1e", p->residual);
    add(line, width, piece);
}

/* "[===>   ]" of the given number of columns inside the brackets */
static void draw_bar(char *out, double fraction, int columns)
{
    int full = (int)(fraction * columns);
    *out++ = ' ';
    *out++ = '[';
    for (int i = 0; i < columns; i++)
        *out++ = i < full ? '=' : i == full ? '>' : ' ';
    *out++ = ']';
    *out = '\0';
}

/* the whole line, into LINE bytes */
static void compose(const progress *bar, const scene_progress *p, double now, char *line, int width)
{
    char piece[96] = "", numbers[LINE] = "", left[32] = "-:--";
    double elapsed = now - bar->start, fraction = fraction_done(p);
    double rate = elapsed > 0 ? (double)(p->step - bar->base_step) / elapsed : 0;
    if (rate > 0 && p->steps >= p->step)
        duration(left, sizeof left, (double)(p->steps - p->step) / rate);
    snprintf(line, LINE, "%3d%%", (int)(100 * fraction));
    compose_numbers(p, left, numbers, width - (int)strlen(line));
    // a bar only where the numbers leave room for one that shows something
    int room = width - (int)(strlen(line) + strlen(numbers)) - 4;
    if (room >= 8)
        draw_bar(piece, fraction, room < BAR ? room : BAR);
    add(line, width, piece);
    add(line, width, numbers);
    snprintf(piece, sizeof piece, "  step %" PRId64 "/%" PRId64, p->step, p->steps);
    add(line, width, piece);
    snprintf(piece, sizeof piece, "  %.3g steps/s", rate);
    add(line, width, piece);
}

/* whether it is time to draw again; `step` is where a bar begins to count */
static bool is_due(progress *bar, int64_t step, bool last, double now)
{
    if (!bar->begun) {
        bar->begun = true;
        bar->base_step = step;
        bar->start = now;
    }
    if (now - bar->last < least_interval && !last)
        return false;
    bar->last = now;
    return true;
}

static void draw(progress *bar, const char *line)
{
    int length = (int)strlen(line);
    // blanks over what the line before had more; no escape sequences needed
    fprintf(stderr, "\r%s%*s", line, bar->drawn > length ? bar->drawn - length : 0, "");
    fflush(stderr);
    bar->drawn = length;
}

void progress_update(progress *bar, const scene_progress *p)
{
    double now = bar->shown ? seconds_now() : 0;
    if (!bar->shown || !is_due(bar, p->step, p->steps > 0 && p->step >= p->steps, now))
        return;
    int width = terminal_width();
    char line[LINE];
    compose(bar, p, now, line, width < LINE ? width : LINE);
    draw(bar, line);
}

void progress_update_count(progress *bar, size_t done, size_t all, size_t failed)
{
    double now = bar->shown ? seconds_now() : 0;
    if (!bar->shown || !is_due(bar, (int64_t)done, done >= all, now))
        return;
    int width = terminal_width() < LINE ? terminal_width() : LINE;
    char line[LINE], piece[96], left[32] = "-:--";
    double fraction = (double)done / (double)all, new_ones = (double)done - (double)bar->base_step;
    if (new_ones > 0)
        duration(left, sizeof left, (now - bar->start) * (double)(all - done) / new_ones);
    snprintf(line, LINE, "%3d%%", (int)(100 * fraction));
    draw_bar(piece, fraction, BAR);
    add(line, width, piece);
    snprintf(piece, sizeof piece, "  %zu/%zu runs  %s left", done, all, left);
    add(line, width, piece);
    if (failed > 0) {
        snprintf(piece, sizeof piece, "  %zu failed", failed);
        add(line, width, piece);
    }
    draw(bar, line);
}

void progress_clear(progress *bar)
{
    if (bar->drawn == 0)
        return;
    fprintf(stderr, "\r%*s\r", bar->drawn, "");
    fflush(stderr);
    bar->drawn = 0;
}
