/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/run_result.h"

#include "common/exitcode.h"
#include "common/hash.h"
#include "common/log.h"
#include "common/text.h"
#include "mustrun/supervise/color.h"
#include "mustrun/supervise/run_facts.h"
#include "mustrun/supervise/suppressions.h"
#include "report/enum_names.h"
#include "report/failing.h"
#include "report/finding_kind.h"
#include "report/unlisted.h"
#include "viz/source_root.h"
#include "viz/viz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum ork_status ork_run_result_init(struct ork_run_result *outcome,
                                    const struct ork_options *options,
                                    struct ork_suppress *suppress, const struct ork_argv *program)
{
    struct ork_report *report = &outcome->report;

    *outcome = (struct ork_run_result){.options = options, .suppress = suppress};
    ork_report_init(report);
    report->source_root = ork_source_root_find(options->source_root);
    report->complete = false; /* until the tool says at the end that it has all calls */
    if (ork_run_facts_fill(&report->run, options) != ORK_OK)
        return ORK_NOMEM;
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

void ork_run_result_release(struct ork_run_result *outcome)
{
    ork_report_release(&outcome->report);
    ork_listing_release(&outcome->listing);
    free(outcome->unseen);
}

/* Write a renderer's output in one piece, so that the application's lines do not get in between. */
static void print(struct ork_text_stream *stream, enum ork_status status)
{
    char *text = NULL;

    status = ork_text_take(stream, status, &text);
    if (status != ORK_OK)
        ork_error("cannot show a finding: %s", ork_status_text(status));
    else if (fwrite(text, 1, stream->size, stderr) != stream->size)
        ork_debug("cannot write to stderr: %s", strerror(errno));
    free(text);
}

static void show(const struct ork_run_result *outcome, const struct ork_finding *finding,
                 enum ork_status (*render)(const struct ork_finding *, bool, FILE *))
{
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    print(&stream,
          out != NULL ? render(finding, ork_color_is_wanted(outcome->options), out) : ORK_NOMEM);
}

/* The summary, or the annotations of GitHub. */
static void print_end(const struct ork_run_result *outcome, bool annotates)
{
    const struct ork_report *report = &outcome->report;
    struct ork_text_stream stream;
    FILE *out = ork_text_open(&stream);

    enum ork_status status =
        out == NULL ? ORK_NOMEM
        : annotates ? ork_viz_annotations(report, out)
                    : ork_viz_summary_text(report, ork_color_is_wanted(outcome->options), out);

    print(&stream, status);
}

void ork_run_result_write(struct ork_run_result *outcome)
{
    char *why = NULL;
    const struct ork_options *options = outcome->options;

    ork_run_result_judge(outcome);
    enum ork_status status = ork_viz_write(&outcome->report, options->output_dir, options->formats,
                                           &outcome->written, &why);

    if (status != ORK_OK && !outcome->unwritten)
        ork_error("%s", why != NULL ? why : ork_status_text(status));
    outcome->unwritten = status != ORK_OK;
    outcome->is_stale = false;
    free(why);
}

/* Manifest findings come first: move the last finding before the first other one. */
static void put_in_order(struct ork_report *report)
{
    uint32_t last = report->num_findings - 1, to = 0;
    struct ork_finding f = report->finding[last];

    if (f.class_ != ORK_MANIFEST)
        return;
    while (to < last && report->finding[to].class_ == ORK_MANIFEST)
        to++;
    memmove(&report->finding[to + 1], &report->finding[to],
            (size_t)(last - to) * sizeof(report->finding[0]));
    report->finding[to] = f;
}

/* Print it and put it where it belongs: among the findings, or to one like it, or to those that are
 * only counted. */
static enum ork_status place(struct ork_run_result *outcome, struct ork_finding *finding, bool must)
{
    struct ork_report *report = &outcome->report;
    struct ork_finding *like;
    enum ork_status status = ork_listing_find_like(report, finding, &like);

    if (status == ORK_OK && like != NULL && !must) {
        like->repeats++;
        return ORK_OK;
    }
    show(outcome, finding, ork_viz_finding_text);
    if (status == ORK_OK && !must && ork_listing_is_full(report, finding))
        return ork_listing_leave_out(&outcome->listing, report, finding);
    status = ork_report_add_finding(report, finding);
    if (status == ORK_OK)
        put_in_order(report);
    return status;
}

void ork_run_result_add(struct ork_run_result *outcome, struct ork_finding *finding, double seconds,
                        bool must)
{
    if (!must && ork_suppress_matches(outcome->suppress, finding)) {
        outcome->report.suppressed++;
        return;
    }
    outcome->report.seconds = seconds;
    outcome->is_stale = true;
    if (place(outcome, finding, must) == ORK_OK)
        return;
    ork_error("a finding is missing in the report: %s", ork_status_text(ORK_NOMEM));
    outcome->failed = true;
}

/* The latest report entry for this finding, with this message; NULL: none. */
static struct ork_finding *find(struct ork_report *report, const struct ork_finding *finding,
                                const char *message)
{
    for (uint32_t i = report->num_findings; i-- > 0;) {
        struct ork_finding *old = &report->finding[i];
        if (strcmp(old->id, finding->id) == 0 && old->class_ == finding->class_ &&
            strcmp(old->message, message) == 0)
            return old;
    }
    return NULL;
}

static void put_in_place(struct ork_run_result *outcome, struct ork_finding *old,
                         struct ork_finding *finding)
{
    finding->places = old->places;
    finding->repeats = old->repeats;
    ork_finding_release(old);
    *old = *finding;
    *finding = (struct ork_finding){0};
    outcome->is_stale = true;
}

void ork_run_result_change(struct ork_run_result *outcome, struct ork_finding *finding,
                           const char *earlier)
{
    struct ork_finding *old = find(&outcome->report, finding, earlier);

    if (old != NULL && finding->num_last_calls == 0)
        ork_finding_move_calls(old, finding);
    if (old != NULL)
        put_in_place(outcome, old, finding);
    else if (ork_listing_change(&outcome->listing, &outcome->report, finding, earlier, false) !=
             ORK_OK)
        outcome->failed = true;
}

void ork_run_result_replace(struct ork_run_result *outcome, struct ork_finding *finding,
                            double seconds, bool must)
{
    struct ork_report *report = &outcome->report;

    struct ork_finding *old = find(report, finding, finding->message);
    if (old != NULL) {
        show(outcome, finding, ork_viz_stacks_text);
        put_in_place(outcome, old, finding);
        return;
    }
    if (!must)
        return;
    if (report->suppressed > 0)
        report->suppressed--;
    ork_run_result_add(outcome, finding, seconds, true);
}

void ork_run_result_withdraw(struct ork_run_result *outcome, const struct ork_finding *finding)
{
    struct ork_report *report = &outcome->report;
    struct ork_finding *old = find(report, finding, finding->message);

    if (old == NULL) {
        ork_listing_change(&outcome->listing, report, finding, finding->message, true);
        return;
    }
    ork_finding_release(old);
    report->num_findings--;
    memmove(old, old + 1, (size_t)(report->finding + report->num_findings - old) * sizeof(*old));
    fputs(ork_finding_is(finding, ORK_FINDING_HANG)
              ? "orknot: note: this explains the hang above:\n"
              : "orknot: note: the potential deadlock above has become this one:\n",
          stderr);
}

void ork_run_result_note(struct ork_run_result *outcome, const char *note)
{
    if (ork_report_add_note(&outcome->report, note) != ORK_OK)
        outcome->failed = true;
}

static uint64_t order_hash_of(const struct ork_report *report)
{
    uint64_t hash = 0, choices = 0;

    for (uint32_t i = 0; i < report->num_choices; i++) {
        hash = ork_hash_add(hash, report->choices[i].hash);
        choices += report->choices[i].count;
    }
    return choices == 0 ? 0 : hash | (hash == 0);
}

static void take_choices(struct ork_report *report, struct ork_report *final)
{
    free(report->choices);
    report->choices = final->choices;
    report->num_choices = final->num_choices;
    final->choices = NULL;
    final->num_choices = 0;
}

bool ork_run_result_is_bad(struct ork_run_result *outcome, int status)
{
    ork_run_result_judge(outcome);
    bool bad = status != 0 || outcome->signal != 0 || outcome->hung || outcome->failed ||
               ork_run_result_has_error(outcome);

    for (uint32_t i = 0; i < outcome->report.num_findings && !bad; i++) {
        const struct ork_finding *f = &outcome->report.finding[i];
        bad = ork_finding_is(f, ORK_FINDING_ABNORMAL_END);
    }
    return bad;
}

void ork_run_result_take_final(struct ork_run_result *outcome, struct ork_report *final)
{
    outcome->final = true;
    take_choices(&outcome->report, final);
    outcome->order_hash = order_hash_of(&outcome->report);
    outcome->report.statistics = final->statistics;
    outcome->report.ranks = final->ranks;
    outcome->report.complete = final->complete;
    for (uint32_t i = 0; i < final->num_notes; i++)
        ork_run_result_note(outcome, final->note[i]);
    for (uint32_t i = 0; i < final->num_jobs; i++) {
        const struct ork_job *job = &final->job[i];
        if (ork_report_add_job(&outcome->report, job->first, job->ranks, job->origin) != ORK_OK)
            outcome->failed = true;
    }
}

void ork_run_result_take_unobserved(struct ork_run_result *outcome, struct ork_unobserved *why)
{
    struct ork_report *report = &outcome->report;
    uint32_t before = report->num_notes;

    report->complete = false;
    outcome->failed |= outcome->options->unchecked_fails ||
                       ork_failing_names(outcome->options->errors, ORK_NOT_CHECKED) ||
                       why->sentence == NULL;
    if (why->sentence != NULL)
        ork_run_result_note(outcome, why->sentence);
    if (report->num_notes > before) { /* it comes first */
        char *sentence = report->note[before];
        memmove(report->note + 1, report->note, before * sizeof(*report->note));
        report->note[0] = sentence;
    }
    free(why->sentence);
    why->sentence = NULL;
}

/* Print the path of the report that a user reads first. */
static void print_place(const struct ork_run_result *outcome)
{
    const struct ork_options *options = outcome->options;
    bool here = strcmp(options->output_dir, ".") == 0;
    const char *folder = here ? "" : options->output_dir;

    if (outcome->written == 0)
        fputs("orknot: there is no report: it could not be written\n", stderr);
    else if (outcome->unwritten)
        fprintf(
            stderr,
            "orknot: the report could not be written at the end: %s%s%s is from an earlier time of "
            "this run\n",
            folder, here ? "" : "/", ork_viz_main_file(outcome->written));
    else
        fprintf(stderr, "orknot: the report is %s%s%s\n", folder, here ? "" : "/",
                ork_viz_main_file(outcome->written));
}

static void note_unused(struct ork_run_result *outcome)
{
    char *sentence;

    if (ork_suppress_unused(outcome->suppress, &sentence) != ORK_OK)
        outcome->failed = true;
    else if (sentence != NULL)
        ork_run_result_note(outcome, sentence);
    free(sentence);
}

/* RATIONALE: a finding of a run that stood still is shown while it does. It is not known then
 * whether the ranks will continue. */
static void note_hangs_that_are_over(struct ork_run_result *outcome)
{
    const struct ork_report *report = &outcome->report;

    if (!outcome->final || report->ended_by != ORK_ENDED_BY_ITSELF || outcome->own != 0)
        return;
    for (uint32_t i = 0; i < report->num_findings; i++) {
        const struct ork_finding *f = &report->finding[i];
        if (!ork_finding_is(f, ORK_FINDING_HANG) || f->severity == ORK_ERROR)
            continue;
        ork_run_result_note(outcome, "the ranks have continued after the hang: the run ended by "
                                     "itself, with exit code 0");
        return;
    }
}

static bool is_good(const struct ork_run_result *outcome)
{
    return ork_run_result_exit_code(outcome) == 0 && !ork_run_result_has_error(outcome);
}

void ork_run_result_finish(struct ork_run_result *outcome, int status, double seconds)
{
    struct ork_report *report = &outcome->report;

    report->ended = true;
    report->seconds = seconds;
    outcome->own = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (outcome->signal != 0 && report->ended_by == ORK_ENDED_BY_ITSELF)
        report->ended_by = ORK_ENDED_BY_USER;
    if (report->ended_by == ORK_ENDED_BY_TOOL)
        report->signal = report->exit_code = 0;
    else if (WIFSIGNALED(status))
        report->signal = WTERMSIG(status);
    else
        report->exit_code = WEXITSTATUS(status);
    outcome->has_survived =
        outcome->recovers && outcome->own == 0 && report->ended_by == ORK_ENDED_BY_ITSELF;
    if (!outcome->final || outcome->failed)
        report->complete = false;
    note_hangs_that_are_over(outcome);
    note_unused(outcome);
    if (ork_baseline_note_gone(outcome->baseline, report) != ORK_OK)
        outcome->failed = true;
    if (outcome->options->print_suppressions != NULL &&
        !ork_suppressions_add(outcome->options->print_suppressions, report))
        outcome->failed = true;
    outcome->unwritten = false; /* what counts is the report that is written now */
    ork_run_result_judge(outcome);
    report->run.exit_code = ork_run_result_exit_code(outcome);
    ork_run_result_write(outcome);
    if (outcome->options->annotates_github)
        print_end(outcome, true);
    if (!ork_report_is_unchecked(report) &&
        (outcome->options->quiet || (outcome->is_brief && is_good(outcome))))
        return;
    print_end(outcome, false);
    print_place(outcome);
}
