/* SPDX-License-Identifier: BSD-3-Clause */
/* One self-contained page: no network, and all strings of the application escaped. A
 * Content-Security-Policy forbids every script and style except the page's own. */
#include "viz/html.h"

#include "report/enum_names.h"
#include "report/escape.h"
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

static void put_title(FILE *out, const struct ork_report *report)
{
    if (report->num_findings == 0)
        fputs(ork_verdict_sentence(report), out);
    else
        fprintf(out, "%" PRIu32 " finding%s", report->num_findings,
                report->num_findings > 1 ? "s" : "");
    if (report->num_command > 0) {
        fputs(": ", out);
        ork_escape_html(out, ork_html_base_name(report->command[0]));
    }
}

/* The generator is among the first bytes: viz/report_owner.c recognises an earlier report by it. */
static void put_head(FILE *out, const struct ork_report *report)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", out);
    fputs("<meta name=\"generator\" content=\"orknot " ORKNOT_VERSION "\">\n", out);
    fprintf(out,
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
            "'%s'; script-src '%s'; base-uri 'none'; form-action 'none'\">\n",
            ork_html_style_hash, ork_html_script_hash);
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
          out);
    put_title(out, report);
    fprintf(out, "</title>\n<style>%s</style>\n</head>\n<body>\n", ork_html_style);
}

static void put_banner(FILE *out)
{
    fputs("<a class=\"skip\" href=\"#main\">Skip to the report</a>\n"
          "<header><p class=\"brand\">Orknot " ORKNOT_VERSION "</p>\n"
          "<button id=\"theme\" type=\"button\" hidden>Theme</button></header>\n"
          "<main id=\"main\" tabindex=\"-1\">\n",
          out);
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
            "<nav aria-label=\"Findings\"><p>%" PRIu32 " findings</p>\n<ol class=\"findings\">\n",
            report->num_findings);
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

    fprintf(out, "<h1 class=\"%s\">",
            worst != NULL      ? ork_severity_word(worst->severity)
            : report->complete ? "good"
                               : "warning");
    ork_escape_html(out, worst != NULL ? ork_html_sentence(worst) : ork_verdict_sentence(report));
    fputs("</h1>\n", out);
    put_figures(out, report);
    if (!report->complete && report->ranks > 0)
        ork_html_put(out, "p", "lost",
                     "Records were lost: the findings are valid, but there may be more.");
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

static enum ork_status put_page(FILE *out, const struct ork_report *report, char *const *svg)
{
    put_head(out, report);
    put_banner(out);
    put_verdict(out, report);
    if (report->num_findings == 0)
        ork_html_put_checked(out, report);
    enum ork_status status = put_findings(out, report, svg);
    if (status != ORK_OK)
        return status;
    if (report->num_notes > 0) {
        fputs("<section>\n<h2>Notes</h2>\n", out);
        ork_html_put_list(out, "details", report->note, report->num_notes);
        fputs("</section>\n", out);
    }
    ork_html_put_about(out, report);
    ork_html_put_run(out, report);
    fprintf(out, "</main>\n<div id=\"tip\" role=\"status\" hidden></div>\n<script>%s</script>\n",
            ork_html_script);
    fputs("</body>\n</html>\n", out);
    return ORK_OK;
}

enum ork_status ork_html_page(const struct ork_report *report, char *const *svg, char **text)
{
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&buffer, &size);

    if (out == NULL)
        return ORK_NOMEM;
    enum ork_status status = put_page(out, report, svg);
    if (fclose(out) != 0 && status == ORK_OK)
        status = ORK_NOMEM;
    if (status == ORK_OK)
        *text = buffer;
    else
        free(buffer);
    return status;
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
