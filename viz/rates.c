/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/rates.h"

#include "common/text.h"
#include "report/ranks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Pixels. */
#define LEFT       84.0
#define TOP        24.0
#define SECOND     9.0
#define ROW        16.0
#define THIN       6.0 /* of many ranks, of which only some have a label */
#define LABEL      14.0
#define AXIS_LEAST 190.0 /* of both words at its ends */
/* RATIONALE: a report from a file may have any number; the tool writes 64 ranks and 60 seconds. */
enum { RANKS_MAX = 64, SECONDS_MAX = 600, WIDE_ROWS_MAX = 24, LEVELS = 4 };
/* A rank has fallen behind if it made its last call so much earlier than the others. */
enum { BEHIND_SECONDS = 2 };

static uint32_t count_seconds(const struct ork_finding *f)
{
    uint32_t seconds = f->num_rates > 0 ? f->rates[0].calls.count : 0;

    for (uint32_t i = 0; i < f->num_rates; i++)
        seconds = f->rates[i].calls.count < seconds ? f->rates[i].calls.count : seconds;
    return seconds < SECONDS_MAX ? seconds : SECONDS_MAX;
}

static uint32_t most_of(const struct ork_finding *f, uint32_t seconds)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < f->num_rates; i++) {
        for (uint32_t s = 0; s < seconds; s++)
            most = f->rates[i].calls.item[s] > most ? f->rates[i].calls.item[s] : most;
    }
    return most;
}

static unsigned bits_of(uint32_t n)
{
    unsigned bits = 0;

    for (; n > 0; n /= 2)
        bits++;
    return bits;
}

/* 0: no call; `levels`: as many as the most. RATIONALE: twice as many calls are one step of
 * several, because the ranks of one program may differ by orders of magnitude. */
static unsigned level_of(uint32_t calls, uint32_t most, unsigned levels)
{
    return calls == 0 ? 0 : 1 + (levels - 1) * bits_of(calls) / bits_of(most);
}

/* ---- the drawing ---- */

struct strips {
    FILE *out;
    const struct ork_finding *finding;
    uint32_t ranks, seconds, most;
    double row, second; /* pixels */
};

/* All seconds of this level, those side by side in one piece. */
static void put_level(const struct strips *d, unsigned level)
{
    bool any = false;

    for (uint32_t i = 0; i < d->ranks; i++) {
        const uint32_t *calls = d->finding->rates[i].calls.item;
        for (uint32_t s = 0, end; s < d->seconds; s = end) {
            end = s + 1;
            if (level_of(calls[s], d->most, LEVELS) != level)
                continue;
            while (end < d->seconds && level_of(calls[end], d->most, LEVELS) == level)
                end++;
            if (!any)
                fprintf(d->out, "<path class=\"rate r%u\" d=\"", level);
            any = true;
            fprintf(d->out, "M%.1f %.1fh%.1fv%.1fh%.1fz", LEFT + s * d->second,
                    TOP + i * d->row + 1, (end - s) * d->second, d->row - 2,
                    -d->second * (end - s));
        }
    }
    if (any)
        fputs("\"/>\n", d->out);
}

static void put_labels(const struct strips *d)
{
    double free_from = 0;

    for (uint32_t i = 0; i < d->ranks; i++) {
        double y = TOP + (i + 0.5) * d->row;
        if (y < free_from)
            continue;
        fprintf(d->out, "<text class=\"small\" x=\"8\" y=\"%.1f\">rank %" PRIu32 "</text>\n", y + 4,
                d->finding->rates[i].rank);
        free_from = y + LABEL;
    }
}

/* When the first second began and the last one ended, before the report. */
static void put_axis(const struct strips *d)
{
    double right = LEFT + d->seconds * d->second, ago = d->finding->rates_ago;

    fprintf(d->out, "<text class=\"small\" x=\"%.1f\" y=\"14\">%.0f s before</text>\n", LEFT,
            ago + d->seconds);
    if (ago < 1)
        fprintf(d->out,
                "<text class=\"small\" x=\"%.1f\" y=\"14\" text-anchor=\"end\">now</text>\n",
                right);
    else
        fprintf(d->out,
                "<text class=\"small\" x=\"%.1f\" y=\"14\" text-anchor=\"end\">%.0f s before</text>"
                "\n",
                right, ago);
    fprintf(d->out,
            "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", LEFT,
            TOP, d->seconds * d->second, d->ranks * d->row);
}

void ork_rates_put(FILE *out, const struct ork_finding *f)
{
    struct strips d = {.out = out, .finding = f, .seconds = count_seconds(f)};

    d.ranks = f->num_rates < RANKS_MAX ? f->num_rates : RANKS_MAX;
    d.most = most_of(f, d.seconds);
    d.row = d.ranks <= WIDE_ROWS_MAX ? ROW : THIN;
    if (d.seconds == 0 || d.most == 0)
        return;
    d.second = d.seconds * SECOND < AXIS_LEAST ? AXIS_LEAST / d.seconds : SECOND;
    double width = LEFT + d.seconds * d.second + 16, height = TOP + d.ranks * d.row + 8;
    fprintf(out,
            "<svg class=\"lanes rates\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
            "role=\"img\">\n<title>Calls a second of each rank: up to %" PRIu32 "</title>\n",
            width, height, width, height, d.most);
    put_axis(&d);
    for (unsigned level = 1; level <= LEVELS; level++)
        put_level(&d, level);
    put_labels(&d);
    fputs("</svg>\n", out);
}

/* ---- who fell behind ---- */

/* The number of the latest second with a call, from 1; 0: none. */
static uint32_t last_second(const struct ork_rank_rates *rates, uint32_t seconds)
{
    for (uint32_t s = seconds; s > 0; s--) {
        if (rates->calls.item[s - 1] > 0)
            return s;
    }
    return 0;
}

/* The earliest latest second, the ranks that have it, and the earliest of the others. */
struct behind {
    uint32_t last, others;
    struct ork_u32s ranks;
};

static bool find_behind(const struct ork_finding *f, uint32_t seconds, struct behind *b)
{
    b->ranks.item = calloc(f->num_rates + (size_t)1, sizeof(*b->ranks.item));
    if (b->ranks.item == NULL)
        return false;
    b->last = b->others = UINT32_MAX;
    for (uint32_t i = 0; i < f->num_rates; i++) {
        uint32_t last = last_second(&f->rates[i], seconds);
        b->last = last < b->last ? last : b->last;
    }
    for (uint32_t i = 0; i < f->num_rates; i++) {
        uint32_t last = last_second(&f->rates[i], seconds);
        /* RATIONALE: a call on the edge of a second may count in either */
        if (last <= b->last + 1)
            b->ranks.item[b->ranks.count++] = f->rates[i].rank;
        else
            b->others = last < b->others ? last : b->others;
    }
    return true;
}

static char *sentence_of(const struct behind *b)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return NULL;
    fputs(b->ranks.count > 1 ? "Ranks " : "Rank ", out);
    ork_put_ranks(out, b->ranks.item, b->ranks.count, 8);
    if (b->last == 0)
        fputs(" made no call in this time, and the other ranks did.", out);
    else
        fprintf(out, " made %s last call%s %" PRIu32 " s before the other ranks.",
                b->ranks.count > 1 ? "their" : "its", b->ranks.count > 1 ? "s" : "",
                b->others - b->last);
    return ork_text_close(&stream);
}

char *ork_rates_sentence(const struct ork_finding *f)
{
    struct behind b = {0};
    char *text = NULL;

    if (f->num_rates < 2)
        return strdup("");
    if (!find_behind(f, count_seconds(f), &b))
        return NULL;
    bool is_behind = b.others != UINT32_MAX && b.others - b.last >= BEHIND_SECONDS &&
                     b.ranks.count <= f->num_rates / 2;
    text = is_behind ? sentence_of(&b) : strdup("");
    free(b.ranks.item);
    return text;
}

/* ---- for a terminal ---- */

enum { TEXT_LEVELS = 8, TEXT_LINES = 8, TEXT_INDENT = 8, GROUP_RUNS_MAX = 6 };

/* Ranks with about the same strip. */
struct alike {
    uint32_t first, last; /* number of its first rank in the finding; their latest second */
    struct ork_u32s ranks;
};

struct text {
    const struct ork_finding *finding;
    uint32_t begin, end, most; /* seconds */
    struct alike *group;
    uint32_t groups;
};

static unsigned text_level(const struct text *t, uint32_t rank, uint32_t second)
{
    return level_of(t->finding->rates[rank].calls.item[second], t->most, TEXT_LEVELS);
}

/* RATIONALE: ranks that do the same differ by chance by a call or two, which can be one level. */
static bool is_alike(const struct text *t, uint32_t a, uint32_t b)
{
    for (uint32_t s = t->begin; s < t->end; s++) {
        unsigned x = text_level(t, a, s), y = text_level(t, b, s);
        if ((x == 0) != (y == 0) || (x > y ? x - y : y - x) > 1)
            return false;
    }
    return true;
}

/* False: out of memory. */
static bool add_to_group(struct text *t, uint32_t i)
{
    const struct ork_finding *f = t->finding;
    uint32_t k = 0;

    while (k < t->groups && !is_alike(t, t->group[k].first, i))
        k++;
    struct alike *g = &t->group[k];
    if (k == t->groups) {
        *g = (struct alike){.first = i, .last = last_second(&f->rates[i], t->end)};
        g->ranks.item = calloc(f->num_rates, sizeof(*g->ranks.item));
        if (g->ranks.item == NULL)
            return false;
        t->groups++;
    }
    g->ranks.item[g->ranks.count++] = f->rates[i].rank;
    return true;
}

static int compare_groups(const void *a, const void *b)
{
    const struct alike *x = a, *y = b;

    if (x->last != y->last)
        return x->last > y->last ? 1 : -1;
    return (x->first > y->first) - (x->first < y->first);
}

static bool group(struct text *t)
{
    bool done = true;

    t->group = calloc(t->finding->num_rates, sizeof(*t->group));
    for (uint32_t i = 0; i < t->finding->num_rates && done; i++)
        done = t->group != NULL && add_to_group(t, i);
    if (t->groups > 0)
        qsort(t->group, t->groups, sizeof(*t->group), compare_groups);
    return done;
}

/* "|####..:=    | ranks 0-3" */
static void put_strip(FILE *out, const struct text *t, const struct alike *g,
                      const struct ork_rates_style *style)
{
    static const char *const block[TEXT_LEVELS + 1] = {" ",
                                                       "\xe2\x96\x81",
                                                       "\xe2\x96\x82",
                                                       "\xe2\x96\x83",
                                                       "\xe2\x96\x84",
                                                       "\xe2\x96\x85",
                                                       "\xe2\x96\x86",
                                                       "\xe2\x96\x87",
                                                       "\xe2\x96\x88"};
    static const char sign[TEXT_LEVELS + 1] = {' ', '.', '-', ':', '=', '+', '*', '%', '#'};

    fprintf(out, "%*s|", (int)style->indent, "");
    for (uint32_t s = t->begin; s < t->end; s++) {
        unsigned level = text_level(t, g->first, s);
        if (style->has_blocks)
            fputs(block[level], out);
        else
            fputc(sign[level], out);
    }
    fputs(g->ranks.count > 1 ? "| ranks " : "| rank ", out);
    ork_put_ranks(out, g->ranks.item, g->ranks.count, GROUP_RUNS_MAX);
    fputc('\n', out);
}

void ork_rates_put_strips(FILE *out, const struct ork_finding *f,
                          const struct ork_rates_style *style)
{
    struct text t = {.finding = f, .end = count_seconds(f)};
    uint32_t left = 0;

    t.begin = style->seconds > 0 && style->seconds < t.end ? t.end - style->seconds : 0;
    t.most = most_of(f, t.end);
    if (t.most == 0)
        return;
    bool done = group(&t);
    for (uint32_t i = 0; i < t.groups; i++) {
        if (done && i < style->lines)
            put_strip(out, &t, &t.group[i], style);
        else
            left += t.group[i].ranks.count;
        free(t.group[i].ranks.item);
    }
    if (done && left > 0)
        fprintf(out, "%*s... and %" PRIu32 " more rank%s\n", (int)style->indent, "", left,
                left > 1 ? "s" : "");
    free(t.group);
}

void ork_rates_put_text(FILE *out, const struct ork_finding *f, bool has_blocks)
{
    const struct ork_rates_style style = {
        .has_blocks = has_blocks, .indent = TEXT_INDENT, .lines = TEXT_LINES};
    uint32_t seconds = count_seconds(f);

    if (seconds == 0 || most_of(f, seconds) == 0)
        return;
    fprintf(out,
            "    calls in each of %" PRIu32 " seconds until %.0f s ago, at most %" PRIu32 ":\n",
            seconds, f->rates_ago, most_of(f, seconds));
    ork_rates_put_strips(out, f, &style);
    char *sentence = ork_rates_sentence(f);
    if (sentence != NULL && sentence[0] != '\0')
        fprintf(out, "%*s%s\n", TEXT_INDENT, "", sentence);
    free(sentence);
}
