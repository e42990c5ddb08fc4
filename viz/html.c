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

/* "Deadlock", "Deadlock, and 2 more findings", "600 findings", "No findings" */
static void put_words(FILE *out, const struct ork_report *report)
{
    const struct ork_finding *worst = ork_html_worst(report);
    uint64_t total = ork_report_total(report);

    if (worst == NULL) {
        ork_escape_html(out, ork_verdict_sentence(report));
        return;
    }
    bool is_named = total == 1 || worst->class_ == ORK_MANIFEST;
    if (is_named)
        ork_html_put_kind(out, worst);
    if (is_named && total > 1)
        fputs(", and ", out);
    if (total > 1) {
        ork_put_count(out, total - is_named);
        fprintf(out, "%s finding%s", is_named ? " more" : "", total - is_named != 1 ? "s" : "");
    }
}

static void put_title(FILE *out, const struct ork_report *report)
{
    put_words(out, report);
    if (report->num_command == 0)
        return;
    fputs(": ", out);
    ork_escape_html(out, ork_base_name(report->command[0]));
}

static void put_figures(FILE *out, const struct ork_report *report)
{
    fputs("<p class=\"figures\">", out);
    if (report->num_command > 0) {
        fputs("<code>", out);
        ork_escape_html(out, ork_base_name(report->command[0]));
        fputs("</code> &middot; ", out);
    }
    ork_put_count(out, report->ranks);
    fputs(report->ranks != 1 ? " ranks &middot; " : " rank &middot; ", out);
    ork_put_count(out, report->statistics.calls);
    fprintf(out, " MPI call%s &middot; %.1f s", report->statistics.calls != 1 ? "s" : "",
            report->seconds);
    if (report->num_findings > 1) {
        fputs(" &middot; ", out);
        ork_html_put_counts(out, report);
    }
    fputs("</p>\n", out);
}

static void put_verdict(FILE *out, const struct ork_report *report)
{
    const struct ork_finding *worst = ork_html_worst(report);
    const char *incomplete = ork_incomplete_words(report);

    fprintf(out, "<h1 class=\"%s\">",
            worst != NULL      ? ork_severity_word(worst->severity)
            : report->complete ? "good"
                               : "warning");
    put_words(out, report);
    fputs("</h1>\n", out);
    ork_html_put_outcome_of_job(out, report);
    put_figures(out, report);
    if (incomplete != NULL)
        fprintf(out, "<p class=\"lost\">%s.</p>\n", incomplete);
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

/* The caller frees it. NULL: out of memory. */
static char *make_title(const struct ork_report *report)
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out != NULL)
        put_title(out, report);
    return ork_text_close(&stream);
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
    enum ork_status status = ork_html_put_findings(out, report, svg);
    if (status != ORK_OK)
        return status;
    if (report->num_findings > 0)
        put_notes(out, report);
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
