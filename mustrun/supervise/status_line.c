/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/status_line.h"

#include "common/text.h"
#include "mustrun/supervise/locale.h"
#include "report/escape.h"
#include "viz/rates.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { COLUMNS = 80, ROWS = 24, CALL_MAX = 60 };

void ork_status_line_init(struct ork_status_line *t, int fd, const char *session)
{
    *t = (struct ork_status_line){.fd = fd,
                                  .is_terminal = isatty(fd) == 1,
                                  .session = session,
                                  .has_blocks = ork_locale_is_utf8()};
}

void ork_status_line_release(struct ork_status_line *t)
{
    ork_finding_release(&t->rates);
}

static double rate(uint64_t before, uint64_t now, double seconds)
{
    return now > before && seconds > 0 ? (double)(now - before) / seconds : 0;
}

void ork_status_line_take(struct ork_status_line *t, const struct ork_run_figures *figures,
                          double seconds)
{
    t->calls_per_second = rate(t->figures.calls, figures->calls, seconds - t->at);
    t->messages_per_second = rate(t->figures.messages, figures->messages, seconds - t->at);
    t->figures = *figures;
    t->has_figures = true;
    t->at = seconds;
}

void ork_status_line_take_rates(struct ork_status_line *t, struct ork_finding *finding)
{
    ork_finding_release(&t->rates);
    t->rates = *finding;
    *finding = (struct ork_finding){0};
}

void ork_status_line_note_ranks(struct ork_status_line *t)
{
    t->is_begun = true;
}

/* "12 s", "3:05 min", "2:00:07 h" */
static void put_duration(FILE *out, double seconds)
{
    uint64_t s = seconds > 0 ? (uint64_t)seconds : 0;

    if (s < 60)
        fprintf(out, "%" PRIu64 " s", s);
    else if (s < 3600)
        fprintf(out, "%" PRIu64 ":%02" PRIu64 " min", s / 60, s % 60);
    else
        fprintf(out, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64 " h", s / 3600, s / 60 % 60, s % 60);
}

/* How much text a line has, in descending order. */
enum amount { AMOUNT_ALL, AMOUNT_SHORT_NAME, AMOUNT_LEAST };

/* ", rank 3 outside MPI for 12 s, 7 ranks wait (last in MPI_Send at a.c:4)"; ", rank 0 5 s in
 * MPI_Recv at a.c:9" */
static void put_held_up(FILE *out, const struct ork_run_figures *f, double seconds)
{
    if (f->is_outside) {
        fprintf(out, ", rank %" PRIu32 " outside MPI for %.0f s, %" PRIu32 " %s (last in ", f->rank,
                seconds, f->waiting, f->waiting == 1 ? "rank waits" : "ranks wait");
        ork_escape_text(out, f->call, CALL_MAX);
        fputc(')', out);
        return;
    }
    fprintf(out, ", rank %" PRIu32 " %.0f s in ", f->rank, seconds);
    ork_escape_text(out, f->call, CALL_MAX);
}

static void put_figures(FILE *out, const struct ork_status_line *t, double seconds,
                        enum amount amount)
{
    const struct ork_run_figures *f = &t->figures;

    fprintf(out, ", %" PRIu32 " rank%s, ", f->ranks, f->ranks == 1 ? "" : "s");
    ork_put_count(out, f->calls);
    fputs(" calls (", out);
    ork_put_count(out, (uint64_t)t->calls_per_second);
    fputs("/s)", out);
    if (amount != AMOUNT_LEAST) {
        fputs(", ", out);
        ork_put_count(out, (uint64_t)t->messages_per_second);
        fputs(" messages/s, queue ", out);
        ork_put_count(out, f->queued);
    }
    if (t->still)
        fputs(", no progress", out);
    if (t->held[0] != '\0')
        fprintf(out, ", held at %s", t->held);
    else if (f->is_blocked)
        put_held_up(out, f, f->seconds + (seconds - t->at));
}

/* Keep as many characters (UTF-8) as there are columns; false: nothing was cut. */
static bool cut(char *text, unsigned columns)
{
    unsigned n = 0;

    for (; *text != '\0'; text++) {
        if (((unsigned char)*text & 0xc0) != 0x80 && n++ == columns) {
            *text = '\0';
            return true;
        }
    }
    return false;
}

static char *make_line(const struct ork_status_line *t, double seconds, enum amount amount)
{
    size_t shown = amount == AMOUNT_ALL ? strlen(t->session) : strcspn(t->session, "-");
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return NULL;
    fprintf(out, "orknot %.*s: ", (int)shown, t->session);
    put_duration(out, seconds);
    if (t->has_figures && t->figures.ranks > 0)
        put_figures(out, t, seconds, amount);
    else if (!t->is_begun)
        fputs(", no rank has called MPI_Init yet", out);
    return ork_text_close(&stream);
}

char *ork_status_line_line(const struct ork_status_line *t, double seconds, unsigned columns)
{
    for (enum amount amount = AMOUNT_ALL;; amount++) {
        char *text = make_line(t, seconds, amount);
        if (text == NULL || columns == 0 || !cut(text, columns) || amount == AMOUNT_LEAST)
            return text;
        free(text);
    }
}

/* ---- strips ---- */

enum { STRIPS = 5, INDENT = 4, LEAST_SECONDS = 10, LABEL = 20 };

char *ork_status_line_strips(const struct ork_status_line *t, unsigned columns, unsigned lines)
{
    const unsigned around = INDENT + 2 + LABEL;
    struct ork_rates_style style = {
        .has_blocks = t->has_blocks, .indent = INDENT, .lines = lines < STRIPS ? lines : STRIPS};
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return NULL;
    if (columns > 0)
        style.seconds = columns > around ? columns - around : 0;
    if (style.lines > 1 && (columns == 0 || style.seconds >= LEAST_SECONDS)) {
        style.lines--; /* of ranks that are left out */
        ork_rates_put_strips(out, &t->rates, &style);
    }
    return ork_text_close(&stream);
}

/* ---- writing ---- */

static struct winsize size_of(const struct ork_status_line *t)
{
    struct winsize size = {0};

    if (t->is_terminal && (ioctl(t->fd, TIOCGWINSZ, &size) != 0 || size.ws_col < 2))
        size = (struct winsize){.ws_col = COLUMNS, .ws_row = ROWS};
    return size;
}

/* In one piece, so that the application's lines do not get in between. */
static void put(const struct ork_status_line *t, const char *text)
{
    if (text != NULL && write(t->fd, text, strlen(text)) < 0)
        return;
}

/* Each line cut to fit: one that wraps would not be overwritten. */
static void put_cut(FILE *out, char *lines, unsigned columns)
{
    char *rest = lines, *line;

    while ((line = strsep(&rest, "\n")) != NULL) {
        if (line[0] == '\0')
            continue;
        cut(line, columns);
        fprintf(out, "\n%s\033[K", line);
    }
}

static unsigned count_lines(const char *text)
{
    unsigned n = 0;

    for (; *text != '\0'; text++)
        n += *text == '\n';
    return n;
}

/* What follows a line that the application writes is erased with the next one. */
static void put_on_terminal(FILE *out, const char *line, char *strips, unsigned columns)
{
    unsigned below = count_lines(strips);

    fprintf(out, "\r\033[J\033[2m%s", line);
    put_cut(out, strips, columns);
    fputs("\033[0m\r", out);
    if (below > 0)
        fprintf(out, "\033[%uA", below);
}

void ork_status_line_show(struct ork_status_line *t, double seconds)
{
    struct winsize size = size_of(t);
    unsigned columns = t->is_terminal ? size.ws_col - 1u : 0;
    unsigned lines = t->is_terminal ? size.ws_row / 2u : STRIPS;
    char *line = ork_status_line_line(t, seconds, columns);
    char *strips = ork_status_line_strips(t, columns, lines);
    struct ork_text_stream stream;
    FILE *out = line != NULL && strips != NULL ? ork_text_open(&stream) : NULL;

    if (out != NULL) {
        if (t->is_terminal)
            put_on_terminal(out, line, strips, columns);
        else
            fprintf(out, "%s\n%s", line, strips);
        char *text = ork_text_close(&stream);
        put(t, text);
        free(text);
        t->is_shown = t->is_terminal;
    }
    free(line);
    free(strips);
}

void ork_status_line_clear(struct ork_status_line *t)
{
    if (t->is_shown)
        put(t, "\r\033[J");
    t->is_shown = false;
}
