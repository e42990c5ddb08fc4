/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of a run: the verdict, the findings, the run. */
#include "viz/html.h"

#include "common/text.h"
#include "report/enum_names.h"
#include "report/escape.h"
#include "report/unlisted.h"
#include "viz/viz.h"

#include <inttypes.h>
#include <stdlib.h>

#define LISTED_MAX 50u /* findings in the list at the top */

/* Should the page show `a` at the top rather than `b`, which comes before it? A hang comes before a
 * possible one. */
static bool is_worse(const struct ork_finding *a, const struct ork_finding *b)
{
    if (a->severity != b->severity)
        return a->severity < b->severity;
    return a->class_ == ORK_MANIFEST && b->class_ != ORK_MANIFEST;
}

/* The first of the worst findings. NULL: none. */
static const struct ork_finding *worst_finding(const struct ork_report *report)
{
    const struct ork_finding *worst = NULL;

    for (uint32_t i = 0; i < report->num_findings; i++)
        if (worst == NULL || is_worse(&report->finding[i], worst))
            worst = &report->finding[i];
    return worst;
}

/* "2 findings: app", "No findings: app" */
static char *make_title(const struct ork_report *report)
{
    const char *name = report->num_command > 0 ? ork_html_base_name(report->command[0]) : NULL;
    const char *verdict = report->num_findings == 0  ? ork_verdict_sentence(report)
                          : report->num_findings > 1 ? "findings"
                                                     : "finding";
    char count[24] = "";
    char *title = NULL;

    if (report->num_findings > 0)
        snprintf(count, sizeof(count), "%" PRIu64 " ", ork_report_total(report));
    if (asprintf(&title, "%s%s%s%s", count, verdict, name != NULL ? ": " : "",
                 name != NULL ? name : "") < 0)
        return NULL;
    return title;
}

static void put_figures(FILE *out, const struct ork_report *report)
{
    fputs("<p class=\"figures\">", out);
    if (report->num_command > 0) {
        fputs("<code>", out);
        ork_escape_html(out, ork_html_base_name(report->command[0]));
        fputs("</code> &middot; ", out);
    }
    ork_put_count(out, report->ranks);
    fputs(report->ranks != 1 ? " ranks &middot; " : " rank &middot; ", out);
    ork_put_count(out, report->statistics.calls);
    fprintf(out, " MPI call%s &middot; %.1f s</p>\n", report->statistics.calls != 1 ? "s" : "",
            report->seconds);
}

/* "deadlock, manifest" */
static void put_kind(FILE *out, const struct ork_finding *f)
{
    const char *class_ = ork_class_word(f->class_);

    fputs("<span class=\"tag\">", out);
    ork_escape_html(out, f->id);
    if (class_ != NULL)
        fprintf(out, ", %s", class_);
    fputs("</span> ", out);
}

static void put_list(FILE *out, const struct ork_report *report)
{
    if (report->num_findings < 2)
        return;
    fprintf(out,
            "<nav aria-label=\"Findings\"><p>%" PRIu64 " findings</p>\n<ol class=\"findings\">\n",
            ork_report_total(report));
    for (uint32_t i = 0; i < report->num_findings && i < LISTED_MAX; i++) {
        const struct ork_finding *f = &report->finding[i];
        fprintf(out, "<li class=\"%s\">", ork_severity_word(f->severity));
        put_kind(out, f);
        fprintf(out, "<a href=\"#f%" PRIu32 "\">", i + 1);
        ork_escape_html(out, ork_html_sentence(f));
        fputs("</a></li>\n", out);
    }
    fputs("</ol></nav>\n", out);
}

static void put_verdict(FILE *out, const struct ork_report *report)
{
    const struct ork_finding *worst = worst_finding(report);
    const char *incomplete = ork_incomplete_words(report);

    fprintf(out, "<h1 class=\"%s\">",
            worst != NULL      ? ork_severity_word(worst->severity)
            : report->complete ? "good"
                               : "warning");
    ork_escape_html(out, worst != NULL ? ork_html_sentence(worst) : ork_verdict_sentence(report));
    fputs("</h1>\n", out);
    put_figures(out, report);
    if (incomplete != NULL)
        fprintf(out, "<p class=\"lost\">%s.</p>\n", incomplete);
    put_list(out, report);
}

/* Findings without room are in the other files. */
static enum ork_status put_findings(FILE *out, const struct ork_report *report, char *const *svg)
{
    for (uint32_t i = 0; i < report->num_findings; i++) {
        if (!ork_html_has_room(out)) {
            fprintf(out,
                    "<p class=\"soft\">... and %" PRIu32 " more findings: see "
                    "MUST_Output.json.</p>\n",
                    report->num_findings - i);
            return ORK_OK;
        }
        enum ork_status status = ork_html_put_finding(out, &report->finding[i], svg[i], i + 1,
                                                      report->num_findings == 1);
        if (status != ORK_OK)
            return status;
    }
    return ORK_OK;
}

static void put_notes(FILE *out, const struct ork_report *report)
{
    if (report->num_notes + report->num_unlisted == 0)
        return;
    fputs("<section>\n<h2>Notes</h2>\n", out);
    ork_html_put_list(out, "details", report->note, report->num_notes);
    for (uint32_t i = 0; i < report->num_unlisted; i++) {
        char *sentence = ork_unlisted_sentence(&report->unlisted[i]);
        ork_html_put(out, "p", "details", sentence != NULL ? sentence : "");
        free(sentence);
    }
    fputs("</section>\n", out);
}

static enum ork_status put_page(FILE *out, const struct ork_report *report, char *const *svg)
{
    char *title = make_title(report);

    if (title == NULL)
        return ORK_NOMEM;
    ork_html_begin(out, title);
    free(title);
    put_verdict(out, report);
    if (report->num_findings == 0) { /* what was not looked at comes first */
        put_notes(out, report);
        ork_html_put_checked(out, report);
    }
    enum ork_status status = put_findings(out, report, svg);
    if (status != ORK_OK)
        return status;
    if (report->num_findings > 0)
        put_notes(out, report);
    ork_html_put_about(out, report);
    ork_html_put_run(out, report);
    ork_html_end(out);
    return ORK_OK;
}

enum ork_status ork_html_page(const struct ork_report *report, char *const *svg, char **text)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return ORK_NOMEM;
    enum ork_status status = put_page(out, report, svg);
    return ork_text_take(&stream, status, text);
}

void ork_html_free_graphs(const struct ork_report *report, char **svg)
{
    for (uint32_t i = 0; svg != NULL && i < report->num_findings; i++)
        free(svg[i]);
    free(svg);
}

enum ork_status ork_html_lay_out(const struct ork_report *report, char ***svg)
{
    char **all = calloc((size_t)report->num_findings + 1, sizeof(*all));

    if (all == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; i < report->num_findings; i++) {
        enum ork_status status = ork_viz_svg(&report->finding[i], &all[i]);
        if (status == ORK_NOMEM) {
            ork_html_free_graphs(report, all);
            return status;
        }
    }
    *svg = all;
    return ORK_OK;
}

enum ork_status ork_viz_html(const struct ork_report *report, char **text)
{
    char **svg;

    enum ork_status status = ork_html_lay_out(report, &svg);
    if (status != ORK_OK)
        return status;
    status = ork_html_page(report, svg, text);
    ork_html_free_graphs(report, svg);
    return status;
}
