/* SPDX-License-Identifier: BSD-3-Clause */
/* The findings of a run: the worst first, those of a kind together. */
#include "viz/html.h"

#include "report/enum_names.h"
#include "report/escape.h"
#include "report/finding_kind.h"
#include "report/unlisted.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define OPEN_MAX 3u /* findings of a page on which all are open */

/* A hang comes before a possible one. */
static unsigned grade(const struct ork_finding *f)
{
    return 2 * (unsigned)f->severity + (f->class_ != ORK_MANIFEST);
}

const struct ork_finding *ork_html_worst(const struct ork_report *report)
{
    const struct ork_finding *worst = NULL;

    for (uint32_t i = 0; i < report->num_findings; i++)
        if (worst == NULL || grade(&report->finding[i]) < grade(worst))
            worst = &report->finding[i];
    return worst;
}

void ork_html_put_counts(FILE *out, const struct ork_report *report)
{
    const char *before = "";

    for (enum ork_severity k = ORK_ERROR; k <= ORK_NOTE; k++) {
        uint64_t count = ork_report_count(report, k);
        if (count == 0)
            continue;
        fputs(before, out);
        ork_put_count(out, count);
        fprintf(out, " %s%s", ork_severity_word(k), count > 1 ? "s" : "");
        before = ", ";
    }
}

/* ---- order ---- */

/* A finding of the report, where it stands on the page. */
struct entry {
    const struct ork_finding *finding;
    uint32_t index, kind; /* of the finding; of the first one of its kind */
};

static bool is_same_kind(const struct ork_finding *a, const struct ork_finding *b)
{
    return a->severity == b->severity && a->class_ == b->class_ && strcmp(a->id, b->id) == 0;
}

/* RATIONALE: a report has few kinds, so the kinds so far are looked through for each finding. */
static void find_kinds(struct entry *entry, uint32_t count)
{
    uint32_t kind[256], num_kinds = 0;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = 0;
        while (k < num_kinds && !is_same_kind(entry[kind[k]].finding, entry[i].finding))
            k++;
        if (k == num_kinds && num_kinds < sizeof(kind) / sizeof(kind[0]))
            kind[num_kinds++] = i;
        entry[i].kind = k < num_kinds ? kind[k] : i;
    }
}

static int compare(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    unsigned p = grade(x->finding), q = grade(y->finding);

    if (p != q)
        return p < q ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* NULL: out of memory. */
static struct entry *in_order(const struct ork_report *report)
{
    struct entry *entry = calloc((size_t)report->num_findings + 1, sizeof(*entry));

    if (entry == NULL)
        return NULL;
    for (uint32_t i = 0; i < report->num_findings; i++)
        entry[i] = (struct entry){.finding = &report->finding[i], .index = i};
    find_kinds(entry, report->num_findings);
    qsort(entry, report->num_findings, sizeof(*entry), compare);
    return entry;
}

/* ---- filter ---- */

/* Only for the script, which shows it. */
static void put_filter(FILE *out, const struct ork_report *report)
{
    fputs("<div class=\"filter\" id=\"filter\" role=\"search\" aria-label=\"Findings\" hidden>\n",
          out);
    for (enum ork_severity k = ORK_ERROR; k <= ORK_NOTE; k++) {
        uint64_t count = ork_report_count(report, k);
        const char *word = ork_severity_word(k);
        if (count == 0)
            continue;
        fprintf(out, "<label class=\"tag %s\"><input type=\"checkbox\" value=\"%s\" checked> ",
                word, word);
        ork_put_count(out, count);
        fprintf(out, " %s%s</label>\n", word, count > 1 ? "s" : "");
    }
    fputs("<input type=\"search\" placeholder=\"Only those with ...\" aria-label=\"Only findings "
          "with these words\">\n<button type=\"button\" id=\"unfold\">Unfold all</button>\n"
          "<button type=\"button\" id=\"fold\">Fold all</button>\n"
          "<span class=\"soft\" id=\"left\" role=\"status\"></span></div>\n",
          out);
}

/* ---- kinds ---- */

static void begin_kind(FILE *out, const struct ork_finding *f, uint32_t count)
{
    const struct ork_finding_kind *kind = ork_finding_kind(f->id, f->class_);
    const char *class_ = ork_class_word(f->class_), *severity = ork_severity_word(f->severity);

    fprintf(out, "<section class=\"kind %s\">\n<h2>", severity);
    ork_html_put_kind(out, f);
    fputs("</h2>\n<p class=\"tags\">", out);
    fprintf(out, "<span class=\"tag %s\">%" PRIu32 " %s%s</span> <span class=\"tag\">", severity,
            count, severity, count > 1 ? "s" : "");
    ork_escape_html(out, f->id);
    fprintf(out, "%s%s</span></p>\n", class_ != NULL ? ", " : "", class_ != NULL ? class_ : "");
    if (kind == NULL)
        return;
    fprintf(out, "<p class=\"advice\"><b>What to do:</b> %s</p>\n", kind->advice);
    fprintf(out, "<details class=\"means\"><summary>What this means</summary><p>%s</p></details>\n",
            kind->meaning);
}

/* *put: as many as there was room for. */
static enum ork_status put_kind(FILE *out, const struct entry *entry, uint32_t count,
                                char *const *svg, bool is_first, bool all_open, uint32_t *put)
{
    enum ork_status status = ORK_OK;
    uint32_t i;

    begin_kind(out, entry->finding, count);
    for (i = 0; i < count && status == ORK_OK && ftell(out) < ORK_HTML_BRIEF; i++) {
        const struct ork_html_frame frame = {.number = entry[i].index + 1,
                                             .svg = svg[entry[i].index],
                                             .can_fold = true,
                                             .is_open = all_open || (is_first && i == 0)};
        if (ork_html_has_room(out))
            status = ork_html_put_finding(out, entry[i].finding, &frame);
        else
            ork_html_put_brief(out, entry[i].finding, frame.number);
    }
    fputs("</section>\n", out);
    *put = i;
    return status;
}

static enum ork_status put_kinds(FILE *out, const struct entry *entry, uint32_t count,
                                 char *const *svg)
{
    enum ork_status status = ORK_OK;
    uint32_t all = 0;

    for (uint32_t i = 0, end, put; i < count && status == ORK_OK && ftell(out) < ORK_HTML_BRIEF;
         i = end) {
        end = i + 1;
        while (end < count && entry[end].kind == entry[i].kind)
            end++;
        status = put_kind(out, &entry[i], end - i, svg, i == 0, count <= OPEN_MAX, &put);
        all += put;
    }
    if (status == ORK_OK && all < count)
        fprintf(out,
                "<p class=\"soft\">... and %" PRIu32 " more findings: see "
                "MUST_Output.json.</p>\n",
                count - all);
    return status;
}

/* ---- all ---- */

static enum ork_status put_only(FILE *out, const struct ork_finding *finding, const char *svg)
{
    const struct ork_html_frame frame = {
        .number = 1, .svg = svg, .has_sentence = true, .has_kind = true};

    return ork_html_put_finding(out, finding, &frame);
}

enum ork_status ork_html_put_findings(FILE *out, const struct ork_report *report, char *const *svg)
{
    if (report->num_findings == 0)
        return ORK_OK;
    if (report->num_findings == 1)
        return put_only(out, &report->finding[0], svg[0]);
    struct entry *entry = in_order(report);
    if (entry == NULL)
        return ORK_NOMEM;
    put_filter(out, report);
    enum ork_status status = put_kinds(out, entry, report->num_findings, svg);
    free(entry);
    return status;
}
