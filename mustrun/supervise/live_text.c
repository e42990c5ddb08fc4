/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/live_text.h"

#include "common/text.h"
#include "report/escape.h"
#include "report/ranks.h"
#include "viz/rank_table.h"
#include "viz/rates.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LINES_MAX   40u
#define RUNS_MAX    8u
#define FRAMES_MAX  6u
#define STRING_MAX  160u
#define MESSAGE_MAX 1000u

/* A row, and the range of the progress of its ranks. */
struct line {
    const struct ork_row *row;
    bool is_over;
    double least, most; /* seconds */
    uint64_t calls[2], more[2], polls[2];
};

struct lines {
    struct line *item;
    uint32_t count;
    bool is_first; /* first answer: all progress counts as new */
};

static void put_text(FILE *out, const char *s)
{
    ork_escape_text(out, s, STRING_MAX);
}

static void widen(uint64_t range[2], uint64_t value, bool is_first)
{
    if (is_first || value < range[0])
        range[0] = value;
    if (is_first || value > range[1])
        range[1] = value;
}

static void add_progress(struct line *line, const struct ork_message *answer)
{
    bool first = true;

    for (uint32_t i = 0; i < line->row->count; i++) {
        uint32_t rank = line->row->rank[i];
        if (rank >= answer->num_progress || answer->progress[rank].rank != rank)
            continue;
        const struct ork_rank_progress *p = &answer->progress[rank];
        line->least = first || p->seconds < line->least ? p->seconds : line->least;
        line->most = first || p->seconds > line->most ? p->seconds : line->most;
        widen(line->calls, p->calls, first);
        widen(line->more, p->more, first);
        widen(line->polls, p->polls, first);
        first = false;
    }
}

static bool is_over(const struct ork_rank_row *wait)
{
    return strcmp(wait->state, "finalized") == 0 || strcmp(wait->state, "ended") == 0;
}

static int compare_lines(const void *a, const void *b)
{
    const struct line *x = a;
    const struct line *y = b;

    if (x->is_over != y->is_over)
        return x->is_over ? 1 : -1;
    if (x->most != y->most)
        return x->most > y->most ? -1 : 1;
    return (x->row->rank[0] > y->row->rank[0]) - (x->row->rank[0] < y->row->rank[0]);
}

static void put_place(FILE *out, const struct ork_where *where)
{
    if (where->file != NULL) {
        fputs(" at ", out);
        put_text(out, where->file);
        if (where->line != 0)
            fprintf(out, ":%" PRIu32, where->line);
    } else if (where->module != NULL) {
        fputs(" at ", out);
        put_text(out, where->module);
        fprintf(out, "+0x%" PRIx64, where->offset);
    }
    if (where->function != NULL) {
        fputs(" in ", out);
        put_text(out, where->function);
    }
}

static void put_call(FILE *out, const struct ork_row *row)
{
    const struct ork_rank_row *wait = row->wait;

    ork_row_put_call(out, row);
    put_place(out, &wait->where);
    if (row->others != NULL || wait->waits_for.count > 0 || wait->is_or) {
        fputs(row->count > 1 ? ", wait for " : ", waits for ", out);
        ork_row_put_for(out, row, RUNS_MAX);
    }
}

static void put_doing(FILE *out, const struct ork_row *row)
{
    const struct ork_rank_row *wait = row->wait;
    const char *state = ork_row_state_words(wait);
    bool in_call = wait->call[0] != '\0';
    bool has_detail = wait->detail != NULL && wait->detail[0] != '\0';

    if (in_call)
        put_call(out, row);
    else if (!has_detail)
        put_text(out, state);
    if (in_call && state[0] != '\0' && strcmp(state, "blocked") != 0) {
        fputs(", ", out);
        put_text(out, state);
    }
    if (has_detail) {
        fputs(in_call ? " [" : "", out);
        ork_escape_text(out, wait->detail, MESSAGE_MAX);
        fputs(in_call ? "]" : "", out);
    }
}

static void put_range(FILE *out, const uint64_t range[2])
{
    ork_put_count(out, range[0]);
    if (range[1] != range[0]) {
        fputs(" to ", out);
        ork_put_count(out, range[1]);
    }
}

static void put_progress(FILE *out, const struct line *line, bool is_first)
{
    if (line->most >= line->least + 0.1)
        fprintf(out, ", for %.1f to %.1f s", line->least, line->most);
    else
        fprintf(out, ", for %.1f s", line->most);
    fputs("; ", out);
    put_range(out, line->calls);
    fputs(line->calls[1] == 1 ? " call" : " calls", out);
    if (!is_first) {
        fputs(" (+", out);
        put_range(out, line->more);
        fputc(')', out);
    }
    if (line->polls[1] > 0) {
        fputs(", ", out);
        put_range(out, line->polls);
        fputs(" unsuccessful polls", out);
    }
}

static void put_frame(FILE *out, const struct ork_where *frame)
{
    put_text(out, frame->function != NULL ? frame->function : "?");
    if (frame->file != NULL) {
        const char *slash = strrchr(frame->file, '/');
        fputs(" (", out);
        put_text(out, slash != NULL ? slash + 1 : frame->file);
        fprintf(out, ":%" PRIu32 ")", frame->line);
    } else if (frame->module != NULL) {
        const char *slash = strrchr(frame->module, '/');
        fputs(" (", out);
        put_text(out, slash != NULL ? slash + 1 : frame->module);
        fputc(')', out);
    }
}

static void put_stack(FILE *out, const struct ork_rank_row *wait)
{
    if (wait->num_stack == 0)
        return;
    fputs("        in ", out);
    for (uint32_t i = 0; i < wait->num_stack && i < FRAMES_MAX; i++) {
        fputs(i > 0 ? " < " : "", out);
        put_frame(out, &wait->stack[i]);
    }
    fputs(wait->num_stack > FRAMES_MAX ? " < ...\n" : "\n", out);
}

static void put_line(FILE *out, const struct line *line, bool is_first)
{
    const struct ork_row *row = line->row;

    fprintf(out, "    rank%s ", row->count > 1 ? "s" : "");
    ork_put_ranks(out, row->rank, row->count, RUNS_MAX);
    fputs(": ", out);
    put_doing(out, row);
    if (!line->is_over)
        put_progress(out, line, is_first);
    fputc('\n', out);
    put_stack(out, row->wait);
}

static void put_lines(FILE *out, const struct lines *lines)
{
    uint32_t left = 0;

    for (uint32_t i = 0; i < lines->count; i++) {
        if (i < LINES_MAX)
            put_line(out, &lines->item[i], lines->is_first);
        else
            left += lines->item[i].row->count;
    }
    if (left > 0)
        fprintf(out, "    ... and %" PRIu32 " more rank%s\n", left, left > 1 ? "s" : "");
}

/* false: out of memory. */
static bool fill_lines(struct lines *lines, const struct ork_rank_table *rows,
                       const struct ork_message *answer)
{
    lines->item = calloc((size_t)rows->count + 1, sizeof(*lines->item));
    if (lines->item == NULL)
        return false;
    lines->count = rows->count;
    lines->is_first = true;
    for (uint32_t i = 0; i < answer->num_progress && lines->is_first; i++)
        lines->is_first = answer->progress[i].more == answer->progress[i].calls;
    for (uint32_t i = 0; i < rows->count; i++) {
        lines->item[i].row = &rows->row[i];
        lines->item[i].is_over = is_over(rows->row[i].wait);
        add_progress(&lines->item[i], answer);
    }
    qsort(lines->item, lines->count, sizeof(*lines->item), compare_lines);
    return true;
}

static void put_headline(FILE *out, const struct ork_finding *finding, double seconds, bool color)
{
    fprintf(out, "orknot: %sstatus:%s ", color ? "\033[1;36m" : "", color ? "\033[0m" : "");
    ork_escape_text(out, finding->message, MESSAGE_MAX);
    fprintf(out, " (%.1f s after the start)\n", seconds);
    for (uint32_t i = 0; i < finding->num_details; i++) {
        fputs("    ", out);
        ork_escape_text(out, finding->detail[i], MESSAGE_MAX);
        fputc('\n', out);
    }
}

char *ork_live_text(const struct ork_message *answer, double seconds, bool color, bool blocks)
{
    struct ork_rank_table rows;
    struct lines lines = {.count = 0};
    struct ork_text_stream stream = {.out = NULL};

    if (ork_rank_table_init(&rows, &answer->finding) != ORK_OK)
        return NULL;
    FILE *out = fill_lines(&lines, &rows, answer) ? ork_text_open(&stream) : NULL;
    if (out != NULL) {
        put_headline(out, &answer->finding, seconds, color);
        put_lines(out, &lines);
        ork_rates_put_text(out, &answer->finding, blocks);
    }
    free(lines.item);
    ork_rank_table_release(&rows);
    return ork_text_close(&stream);
}
