/* SPDX-License-Identifier: BSD-3-Clause */
/* One page, complete in itself: no script, no network, nothing of the application's unescaped. */
#include "viz/html.h"

#include "viz/escape.h"
#include "viz/ranks.h"
#include "viz/viz.h"
#include "viz/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define RUNS_MAX 16u
#define JOBS_MAX 100u

static const char legend[] =
    "<figcaption>Solid arcs: waits for all of these. Dashed arcs: waits for one of these. Grey: a "
    "smallest set of calls that keeps the deadlock. Bold: its root. Parallelograms are parts of a "
    "call.</figcaption>\n";

static void put_paragraph(FILE *out, const char *class_, const char *s)
{
    fprintf(out, "<p class=\"%s\">", class_);
    ork_escape_html(out, s);
    fputs("</p>\n", out);
}

static void put_list(FILE *out, char *const *text, uint32_t count)
{
    if (count == 0)
        return;
    fputs("<ul class=\"details\">\n", out);
    for (uint32_t i = 0; i < count; i++) {
        fputs("<li>", out);
        ork_escape_html(out, text[i]);
        fputs("</li>\n", out);
    }
    fputs("</ul>\n", out);
}

static void put_tags(FILE *out, const struct ork_finding *finding)
{
    const char *severity = ork_severity_word(finding->severity);
    const char *class_ = ork_class_word(finding->class_);

    fprintf(out, "<p class=\"tags\"><b class=\"%s\">%s</b> &middot; ", severity, severity);
    ork_escape_html(out, finding->id);
    if (class_ != NULL)
        fprintf(out, " &middot; %s", class_);
    fputs("</p>\n", out);
}

static void put_ranks(FILE *out, const char *before, const struct ork_u32s *set)
{
    fprintf(out, "<p>%s ", before);
    ork_put_ranks(out, set->item, set->count, RUNS_MAX);
    fputs(".</p>\n", out);
}

/* Everything from the prolog to <svg is for a document of its own. */
static void put_graph(FILE *out, const char *svg)
{
    const char *start = svg != NULL ? strstr(svg, "<svg") : NULL;

    if (start == NULL)
        return;
    fputs("<figure role=\"img\" aria-label=\"Wait-for graph\">\n", out);
    fputs(start, out);
    fputs(legend, out);
    fputs("</figure>\n", out);
}

static void put_files(FILE *out, const struct ork_finding *finding)
{
    if (finding->dot_file == NULL)
        return;
    fputs("<p class=\"soft\">The graph as a file: <code>", out);
    ork_escape_html(out, finding->dot_file);
    if (finding->svg_file != NULL) {
        fputs("</code>, <code>", out);
        ork_escape_html(out, finding->svg_file);
    }
    fputs("</code></p>\n", out);
}

static enum ork_status put_finding(FILE *out, const struct ork_finding *finding, const char *svg)
{
    fprintf(out, "<section class=\"%s\">\n", ork_severity_word(finding->severity));
    put_tags(out, finding);
    fputs("<h2>", out);
    ork_escape_html(out, finding->message);
    fputs("</h2>\n", out);
    if (finding->class_ != ORK_CLASS_NONE)
        put_paragraph(out, "soft", ork_class_meaning(finding->class_));
    put_list(out, finding->detail, finding->num_details);
    for (uint32_t i = 0; i < finding->num_independent; i++)
        put_ranks(out, "An independent cause, which repairing the root would leave: ranks",
                  &finding->independent[i]);
    if (finding->num_waits == 0 && finding->ranks.count > 0)
        put_ranks(out, finding->ranks.count > 1 ? "Ranks" : "Rank", &finding->ranks);
    put_graph(out, svg);
    enum ork_status status = ork_html_put_table(out, finding);
    put_files(out, finding);
    fputs("</section>\n", out);
    return status;
}

static void put_head(FILE *out, const struct ork_report *report)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", out);
    fputs("<meta name=\"generator\" content=\"orknot " ORKNOT_VERSION "\">\n", out);
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>", out);
    if (report->num_findings == 0)
        fputs("No findings", out);
    else
        fprintf(out, "%" PRIu32 " finding%s", report->num_findings,
                report->num_findings > 1 ? "s" : "");
    if (report->num_command > 0) {
        fputs(": ", out);
        ork_escape_html(out, report->command[0]);
    }
    fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", ork_html_style);
}

/* The first finding of the highest severity speaks for the page. */
static const struct ork_finding *worst_finding(const struct ork_report *report)
{
    const struct ork_finding *worst = NULL;

    for (uint32_t i = 0; i < report->num_findings; i++)
        if (worst == NULL || report->finding[i].severity < worst->severity)
            worst = &report->finding[i];
    return worst;
}

static void put_verdict(FILE *out, const struct ork_report *report)
{
    const struct ork_finding *worst = worst_finding(report);

    if (worst == NULL) {
        fputs("<h1 class=\"good\">No findings</h1>\n", out);
    } else {
        const char *word = ork_severity_word(worst->severity);
        fprintf(out, "<h1 class=\"%s\">%" PRIu32 " finding%s</h1>\n", word, report->num_findings,
                report->num_findings > 1 ? "s" : "");
    }
    fputs("<p class=\"soft\">", out);
    ork_put_count(out, report->ranks);
    fputs(report->ranks != 1 ? " ranks, " : " rank, ", out);
    ork_put_count(out, report->statistics.calls);
    fprintf(out, " MPI calls, %.1f s</p>\n", report->seconds);
    if (!report->complete)
        put_paragraph(out, "warning",
                      "Records were lost: what is reported holds, but there may be more.");
}

static void put_fact(FILE *out, const char *name, uint64_t value)
{
    fprintf(out, "<dt>%s</dt><dd>", name);
    ork_put_count(out, value);
    fputs("</dd>\n", out);
}

static void put_command(FILE *out, const struct ork_report *report)
{
    if (report->num_command == 0)
        return;
    fputs("<dt>command</dt><dd><code>", out);
    for (uint32_t i = 0; i < report->num_command; i++) {
        if (i > 0)
            fputc(' ', out);
        ork_escape_html(out, report->command[i]);
    }
    fputs("</code></dd>\n", out);
}

static void put_end(FILE *out, const struct ork_report *report)
{
    const char *name = sigabbrev_np(report->signal);

    fputs("<dt>application</dt><dd>", out);
    if (report->signal != 0)
        fprintf(out, "ended by signal %d%s%s", report->signal, name != NULL ? ", SIG" : "",
                name != NULL ? name : "");
    else if (report->ended)
        fprintf(out, "ended with exit code %d", report->exit_code);
    else
        fputs("had not ended when this was written", out);
    fputs("</dd>\n", out);
}

/* Ranks that are no ranks of the first MPI_COMM_WORLD. */
static void put_jobs(FILE *out, const struct ork_report *report)
{
    for (uint32_t i = 0; i < report->num_jobs && i < JOBS_MAX; i++) {
        const struct ork_job *job = &report->job[i];
        fprintf(out, "<dt>job %" PRIu32 "</dt><dd>%" PRIu32 " rank%s from rank %" PRIu32 " on, ",
                i + 2, job->ranks, job->ranks != 1 ? "s" : "", job->first);
        ork_escape_html(out, job->origin);
        fputs("</dd>\n", out);
    }
}

static void put_facts(FILE *out, const struct ork_report *report)
{
    const struct ork_statistics *s = &report->statistics;

    fputs("<section>\n<h3>The run</h3>\n<dl>\n", out);
    put_command(out, report);
    put_fact(out, "ranks", report->ranks);
    put_jobs(out, report);
    fprintf(out, "<dt>seconds</dt><dd>%.3f</dd>\n", report->seconds);
    put_end(out, report);
    put_fact(out, "MPI calls", s->calls);
    put_fact(out, "records", s->records);
    put_fact(out, "messages", s->messages);
    put_fact(out, "collectives", s->collectives);
    put_fact(out, "graph searches", s->searches);
    put_fact(out, "waits for a full ring", s->full_waits);
    put_fact(out, "tool ranks", s->tool_ranks);
    if (s->seconds_to_verdict >= 0)
        fprintf(out, "<dt>from last call to verdict</dt><dd>%.3f s</dd>\n", s->seconds_to_verdict);
    fputs("</dl>\n</section>\n", out);
}

static enum ork_status put_page(FILE *out, const struct ork_report *report, char *const *svg)
{
    put_head(out, report);
    put_verdict(out, report);
    for (uint32_t i = 0; i < report->num_findings; i++) {
        enum ork_status status = put_finding(out, &report->finding[i], svg[i]);
        if (status != ORK_OK)
            return status;
    }
    if (report->num_notes > 0) {
        fputs("<section>\n<h3>Notes</h3>\n", out);
        put_list(out, report->note, report->num_notes);
        fputs("</section>\n", out);
    }
    put_facts(out, report);
    fputs("<footer>Orknot " ORKNOT_VERSION "</footer>\n</main>\n</body>\n</html>\n", out);
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
