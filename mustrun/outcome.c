/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/outcome.h"

#include "common/exitcode.h"
#include "common/log.h"
#include "viz/viz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum ork_status ork_outcome_init(struct ork_outcome *outcome, const struct ork_options *options,
                                 const struct ork_suppress *suppress,
                                 const struct ork_argv *program)
{
    struct ork_report *report = &outcome->report;

    *outcome = (struct ork_outcome){.options = options, .suppress = suppress};
    ork_report_init(report);
    report->command = calloc(program->count + 1, sizeof(*report->command));
    if (report->command == NULL)
        return ORK_NOMEM;
    for (size_t i = 0; i < program->count; i++) {
        report->command[i] = strdup(program->item[i]);
        if (report->command[i] == NULL)
            return ORK_NOMEM;
        report->num_command++;
    }
    return ORK_OK;
}

void ork_outcome_release(struct ork_outcome *outcome)
{
    ork_report_release(&outcome->report);
}

/* Write what a renderer made in one piece, so that the application's lines do not get in between.
 */
static void say(char *text, size_t size, enum ork_status status)
{
    if (status != ORK_OK)
        ork_error("cannot show a finding: %s", ork_status_text(status));
    else if (fwrite(text, 1, size, stderr) != size)
        ork_debug("cannot write to stderr: %s", strerror(errno));
    free(text);
}

bool ork_outcome_is_colored(void)
{
    return isatty(STDERR_FILENO) && getenv("NO_COLOR") == NULL;
}

static void show(const struct ork_finding *finding)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    enum ork_status status = ORK_NOMEM;

    if (out != NULL) {
        status = ork_viz_finding_text(finding, ork_outcome_is_colored(), out);
        if (fclose(out) != 0)
            status = ORK_NOMEM;
    }
    say(text, size, status);
}

static void say_summary(const struct ork_report *report)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    enum ork_status status = ORK_NOMEM;

    if (out != NULL) {
        status = ork_viz_summary_text(report, ork_outcome_is_colored(), out);
        if (fclose(out) != 0)
            status = ORK_NOMEM;
    }
    say(text, size, status);
}

static void write_files(struct ork_outcome *outcome)
{
    char *path = NULL;
    const struct ork_options *options = outcome->options;
    enum ork_status status =
        ork_viz_write(&outcome->report, options->output_dir, options->formats, &path);

    if (status != ORK_OK && !outcome->failed)
        ork_error("cannot write the report%s%s: %s", path != NULL ? " to " : "",
                  path != NULL ? path : "", ork_status_text(status));
    if (status != ORK_OK)
        outcome->failed = true;
    free(path);
}

void ork_outcome_add(struct ork_outcome *outcome, struct ork_finding *finding, double seconds,
                     bool must)
{
    if (!must && ork_suppress_matches(outcome->suppress, finding)) {
        outcome->report.suppressed++;
        return;
    }
    show(finding);
    outcome->report.seconds = seconds;
    if (ork_report_add_finding(&outcome->report, finding) != ORK_OK) {
        ork_error("a finding is missing in the report: %s", ork_status_text(ORK_NOMEM));
        outcome->failed = true;
    }
    write_files(outcome);
}

void ork_outcome_replace(struct ork_outcome *outcome, struct ork_finding *finding, double seconds,
                         bool must)
{
    struct ork_report *report = &outcome->report;

    for (uint32_t i = report->num_findings; i-- > 0;) {
        struct ork_finding *old = &report->finding[i];
        if (strcmp(old->id, finding->id) != 0 || strcmp(old->message, finding->message) != 0)
            continue;
        ork_finding_release(old);
        *old = *finding;
        *finding = (struct ork_finding){0};
        write_files(outcome);
        return;
    }
    if (!must)
        return;
    if (report->suppressed > 0)
        report->suppressed--;
    ork_outcome_add(outcome, finding, seconds, true);
}

void ork_outcome_note(struct ork_outcome *outcome, const char *note)
{
    if (ork_report_add_note(&outcome->report, note) != ORK_OK)
        outcome->failed = true;
}

void ork_outcome_take_final(struct ork_outcome *outcome, const struct ork_report *final)
{
    outcome->final = true;
    outcome->report.statistics = final->statistics;
    outcome->report.ranks = final->ranks;
    outcome->report.complete = final->complete;
    for (uint32_t i = 0; i < final->num_notes; i++)
        ork_outcome_note(outcome, final->note[i]);
    for (uint32_t i = 0; i < final->num_jobs; i++) {
        const struct ork_job *job = &final->job[i];
        if (ork_report_add_job(&outcome->report, job->first, job->ranks, job->origin) != ORK_OK)
            outcome->failed = true;
    }
}

/* Where the report lies that a person reads first. */
static void say_place(const struct ork_options *options)
{
    const char *kind = (options->formats & ORK_VIZ_HTML) != 0   ? "html"
                       : (options->formats & ORK_VIZ_TEXT) != 0 ? "txt"
                                                                : "json";
    bool here = strcmp(options->output_dir, ".") == 0;

    fprintf(stderr, "orknot: the report is %s%sMUST_Output.%s\n", here ? "" : options->output_dir,
            here ? "" : "/", kind);
}

void ork_outcome_finish(struct ork_outcome *outcome, int status, double seconds)
{
    struct ork_report *report = &outcome->report;

    report->ended = true;
    report->seconds = seconds;
    if (WIFSIGNALED(status))
        report->signal = WTERMSIG(status);
    else
        report->exit_code = WEXITSTATUS(status);
    if (!outcome->final)
        report->complete = false;
    else if (report->ranks == 0)
        ork_outcome_note(outcome, "no rank called MPI_Init");
    write_files(outcome);
    if (outcome->options->quiet)
        return;
    say_summary(report);
    say_place(outcome->options);
}

static bool has_error(const struct ork_report *report)
{
    for (uint32_t i = 0; i < report->num_findings; i++) {
        if (report->finding[i].severity == ORK_ERROR)
            return true;
    }
    return false;
}

int ork_outcome_exit_code(const struct ork_outcome *outcome)
{
    const struct ork_report *report = &outcome->report;
    int own = report->signal != 0 ? 128 + report->signal : report->exit_code;

    if ((has_error(report) || outcome->hung) && outcome->options->errorcode != 0)
        return (int)outcome->options->errorcode;
    if (outcome->signal != 0)
        return 128 + outcome->signal;
    if (own == 0 && outcome->failed)
        return ORK_EXIT_INTERNAL;
    return own;
}
