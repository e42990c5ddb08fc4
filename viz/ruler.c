/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/ruler.h"

#include "common/text.h"
#include "report/escape.h"
#include "report/ranks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Pixels. RATIONALE: in a monospaced font the width of a text is known without the font. */
#define CHAR_WIDTH  7.3 /* at 12 px */
#define SMALL_WIDTH 6.7 /* at 11 px */
#define PAD         8.0
#define LEFT        230.0 /* where bytes begin: before it stand the rank and its call */
#define RULER       620.0 /* for all bytes */
#define TOP         34.0  /* above the first access: its axis */
#define ROW         54.0
#define BAR         22.0
enum { NAME_MAX_ = 28, ACCESSES_MAX = 8 };

/* Bytes shown, and what all accesses have in common (low >= high: nothing). */
struct ruler {
    FILE *out;
    const struct ork_finding *finding;
    int64_t low, high, common_low, common_high;
    int64_t end; /* of the memory; not shown if it is not in between */
};

/* RATIONALE: in unsigned arithmetic, because a report from a file may have any numbers. */
static double x_of(const struct ruler *r, int64_t byte)
{
    double all = (double)((uint64_t)r->high - (uint64_t)r->low);
    double part = (double)((uint64_t)byte - (uint64_t)r->low);

    return LEFT + RULER * part / all;
}

static bool measure(struct ruler *r)
{
    const struct ork_finding *f = r->finding;

    if (f->num_accesses == 0 || f->num_accesses > ACCESSES_MAX)
        return false;
    r->low = r->common_low = f->access[0].low;
    r->high = r->common_high = f->access[0].high;
    for (uint32_t i = 0; i < f->num_accesses; i++) {
        const struct ork_window_access *a = &f->access[i];
        if (a->target != f->access[0].target || a->is_address != f->access[0].is_address ||
            a->low >= a->high)
            return false;
        r->low = a->low < r->low ? a->low : r->low;
        r->high = a->high > r->high ? a->high : r->high;
        r->common_low = a->low > r->common_low ? a->low : r->common_low;
        r->common_high = a->high < r->common_high ? a->high : r->common_high;
    }
    r->end = f->window_size > 0 && f->window_size < INT64_MAX ? (int64_t)f->window_size : -1;
    if (r->end >= 0 && r->end < r->low) /* the end of the memory, and not all of it */
        r->low = r->end - (r->high - r->end) / 4;
    return r->low < r->high;
}

static void put_byte(FILE *out, const struct ork_window_access *access, int64_t byte)
{
    if (access->is_address)
        fprintf(out, "0x%" PRIx64, (uint64_t)byte);
    else
        fprintf(out, "%" PRId64, byte);
}

void ork_ruler_put_bytes(FILE *out, const struct ork_window_access *access)
{
    put_byte(out, access, access->low);
    if (access->high <= access->low || access->high - 1 == access->low)
        return;
    fputc('-', out);
    put_byte(out, access, access->high - 1);
}

/* A text that ends before x or begins at it: whichever stays inside of the drawing. */
static void put_label(const struct ruler *r, const char *class_, double x, double y,
                      const char *text)
{
    bool is_late = x + (double)strlen(text) * SMALL_WIDTH > LEFT + RULER + 2 * PAD;

    fprintf(r->out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\"%s>", class_, x, y,
            is_late ? " text-anchor=\"end\"" : "");
    ork_escape_html(r->out, text);
    fputs("</text>\n", r->out);
}

static char *text_of(const struct ork_window_access *access, int64_t low, int64_t high)
{
    struct ork_window_access part = *access;
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return NULL;
    part.low = low;
    part.high = high;
    fprintf(out, "byte%s ", high - 1 == low ? "" : "s");
    ork_ruler_put_bytes(out, &part);
    return ork_text_close(&stream);
}

/* The bytes that all accesses have in common, through all rows. */
static void put_common(const struct ruler *r)
{
    const struct ork_finding *f = r->finding;
    double x = x_of(r, r->common_low), width = x_of(r, r->common_high) - x;

    if (f->num_accesses < 2 || r->common_low >= r->common_high)
        return;
    fprintf(r->out, "<rect class=\"both\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
            x, TOP - 8, width < 2 ? 2 : width, f->num_accesses * ROW);
    char *bytes = text_of(&f->access[0], r->common_low, r->common_high);
    char *text = NULL;
    if (bytes != NULL && asprintf(&text, "in both: %s", bytes) >= 0)
        put_label(r, "small why", x, TOP - 14, text);
    free(text);
    free(bytes);
}

/* Where the memory ends. */
static void put_end(const struct ruler *r)
{
    char text[64];

    if (r->end < 0 || r->end > r->high)
        return;
    double x = x_of(r, r->end);
    fprintf(r->out, "<line class=\"miss\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x,
            TOP - 8, x, TOP + r->finding->num_accesses * ROW - 8);
    snprintf(text, sizeof(text), "the memory ends: %" PRId64 " bytes", r->end);
    put_label(r, "small why", x, TOP - 14, text);
}

static void put_text(FILE *out, const char *class_, double x, double y, const char *text)
{
    fprintf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class_, x, y);
    ork_escape_html(out, text);
    fputs("</text>\n", out);
}

static void put_access(const struct ruler *r, uint32_t i)
{
    const struct ork_window_access *a = &r->finding->access[i];
    double y = TOP + i * ROW, x = x_of(r, a->low), width = x_of(r, a->high) - x;
    char name[NAME_MAX_ + 16];

    snprintf(name, sizeof(name), "rank %" PRIu32, a->rank);
    put_text(r->out, "rank", PAD, y + 10, name);
    snprintf(name, sizeof(name), "%.*s", NAME_MAX_,
             strncmp(a->call, "MPI_", 4) == 0 ? a->call + 4 : a->call);
    put_text(r->out, "small", PAD, y + 25, name);
    fprintf(r->out, "<line class=\"track\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
            LEFT - PAD, y + BAR / 2, LEFT + RULER + PAD, y + BAR / 2);
    fprintf(r->out,
            "<g class=\"box %s\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
            "rx=\"3\"/></g>\n",
            a->is_read ? "reads" : "writes", x, y, width < 3 ? 3 : width, BAR);
    char *bytes = text_of(a, a->low, a->high);
    char *text = NULL;
    if (bytes != NULL && asprintf(&text, "%s%s%s", a->is_read ? "reads " : "writes ",
                                  a->has_gaps ? "some of " : "", bytes) >= 0)
        put_label(r, "small", x, y + BAR + 13, text);
    free(text);
    free(bytes);
}

void ork_ruler_put(FILE *out, const struct ork_finding *finding)
{
    struct ruler r = {.out = out, .finding = finding};
    double width = LEFT + RULER + 3 * PAD;

    if (!measure(&r))
        return;
    double height = TOP + finding->num_accesses * ROW;
    fprintf(out,
            "<svg class=\"lanes ruler\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
            "role=\"img\">\n<title>The bytes of each access</title>\n",
            width, height, width, height);
    char name[64];
    snprintf(name, sizeof(name), "memory of rank %" PRIu32, finding->access[0].target);
    put_text(out, "small", PAD, TOP - 14, name);
    put_common(&r);
    for (uint32_t i = 0; i < finding->num_accesses; i++)
        put_access(&r, i);
    put_end(&r);
    fputs("</svg>\n", out);
}
