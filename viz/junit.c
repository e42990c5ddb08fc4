/* SPDX-License-Identifier: BSD-3-Clause */
/* One run as JUnit XML, with the elements that mustbatch writes for a suite: the program is a test
 * case. */
#include "viz/viz.h"

#include "common/text.h"
#include "report/enum_names.h"
#include "report/escape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* How the test case ends. */
enum outcome { PASSED, FAILED, BROKEN };

static const struct ork_finding *first_failing(const struct ork_report *report)
{
    for (uint32_t i = 0; i < report->num_findings; i++)
        if (ork_finding_fails(&report->finding[i]))
            return &report->finding[i];
    return NULL;
}

static enum outcome outcome_of(const struct ork_report *report)
{
    if (first_failing(report) != NULL)
        return FAILED;
    bool ended_badly = report->ended && (report->exit_code != 0 || report->signal != 0);
    return ended_badly || ork_report_is_unchecked(report) ? BROKEN : PASSED;
}

static void put_command(FILE *out, const struct ork_report *report)
{
    for (uint32_t i = 0; i < report->num_command; i++) {
        fputs(i > 0 ? " " : "", out);
        ork_escape_html(out, report->command[i]);
    }
}

/* Lines of text, each escaped. */
static void put_lines(FILE *out, char *text)
{
    for (char *line = text, *end; line != NULL; line = end) {
        end = strchr(line, '\n');
        if (end != NULL)
            *end++ = '\0';
        ork_escape_html(out, line);
        if (end != NULL)
            fputc('\n', out);
    }
}

static enum ork_status put_report(FILE *out, const struct ork_report *report, bool only_failing)
{
    struct ork_text_stream stream;
    FILE *to = ork_text_open(&stream);
    enum ork_status status = ORK_OK;
    char *text;

    if (to == NULL)
        return ORK_NOMEM;
    if (!only_failing)
        status = ork_viz_report_text(report, false, to);
    for (uint32_t i = 0; status == ORK_OK && only_failing && i < report->num_findings; i++)
        if (ork_finding_fails(&report->finding[i]))
            status = ork_viz_finding_text(&report->finding[i], false, to);
    status = ork_text_take(&stream, status, &text);
    if (status != ORK_OK)
        return status;
    put_lines(out, text);
    free(text);
    return ORK_OK;
}

static enum ork_status put_failure(FILE *out, const struct ork_report *report)
{
    const struct ork_finding *f = first_failing(report);

    fputs("      <failure message=\"", out);
    ork_escape_html(out, f->message);
    fputs("\" type=\"", out);
    ork_escape_html(out, f->id);
    fputs("\">", out);
    enum ork_status status = put_report(out, report, true);
    fputs("</failure>\n", out);
    return status;
}

static void put_error(FILE *out, const struct ork_report *report)
{
    if (ork_report_is_unchecked(report) && report->exit_code == 0 && report->signal == 0) {
        fputs("      <error type=\"not-checked\" message=\"", out);
        ork_escape_html(out, report->num_notes > 0 ? report->note[0] : "nothing was observed");
        fputs("\"/>\n", out);
    } else if (report->signal != 0) {
        fprintf(out, "      <error type=\"signal\" message=\"signal %d\"/>\n", report->signal);
    } else {
        fprintf(out, "      <error type=\"exit\" message=\"exit code %d\"/>\n", report->exit_code);
    }
}

static void put_counts(FILE *out, const struct ork_report *report, enum outcome outcome)
{
    fprintf(out,
            "name=\"orknot\" tests=\"1\" failures=\"%d\" errors=\"%d\" skipped=\"0\" time=\"%.3f\"",
            outcome == FAILED, outcome == BROKEN, report->seconds);
}

static enum ork_status put_case(FILE *out, const struct ork_report *report, enum outcome outcome)
{
    enum ork_status status = ORK_OK;

    fputs("    <testcase classname=\"orknot\" name=\"", out);
    put_command(out, report);
    fprintf(out,
            "\" time=\"%.3f\">\n"
            "      <properties><property name=\"ranks\" value=\"%" PRIu32 "\"/></properties>\n",
            report->seconds, report->ranks);
    if (outcome == FAILED)
        status = put_failure(out, report);
    if (outcome == BROKEN)
        put_error(out, report);
    fputs("      <system-out>", out);
    if (status == ORK_OK)
        status = put_report(out, report, false);
    fputs("</system-out>\n    </testcase>\n", out);
    return status;
}

enum ork_status ork_viz_junit(const struct ork_report *report, char **text)
{
    const enum outcome outcome = outcome_of(report);
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    if (out == NULL)
        return ORK_NOMEM;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- orknot: one run -->\n<testsuites ",
          out);
    put_counts(out, report, outcome);
    fputs(">\n  <testsuite ", out);
    put_counts(out, report, outcome);
    fputs(">\n", out);
    enum ork_status status = put_case(out, report, outcome);
    fputs("  </testsuite>\n</testsuites>\n", out);
    return ork_text_take(&stream, status, text);
}
