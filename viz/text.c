/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings and summary for a terminal. Lines begin with a word or a blank, never with the
 * application's bytes. */
#include "viz/viz.h"

#include "report/enum_names.h"
#include "report/escape.h"
#include "report/last_calls.h"
#include "report/ranks.h"
#include "report/unlisted.h"
#include "viz/pen.h"
#include "viz/rank_table.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ROWS_MAX   40u  /* lines of a finding */
#define STRING_MAX 160u /* characters of one of the application's strings */
#define RUNS_MAX   8u
#define FRAMES_MAX 8u

static void put_text(const struct ork_pen *pen, const char *s)
{
    ork_escape_text(pen->out, s, STRING_MAX);
}

static void put_headline(const struct ork_pen *pen, const struct ork_finding *finding)
{
    ork_pen_severity(pen, finding->severity);
    fputc(' ', pen->out);
    ork_pen_finding(pen, finding);
    fputc('\n', pen->out);
}

static void put_place(const struct ork_pen *pen, const struct ork_where *where)
{
    if (where->file != NULL) {
        fputs(" at ", pen->out);
        put_text(pen, where->file);
        if (where->line != 0)
            fprintf(pen->out, ":%" PRIu32, where->line);
    } else if (where->module != NULL) {
        fputs(" at ", pen->out);
        put_text(pen, where->module);
        fprintf(pen->out, "+0x%" PRIx64, where->offset);
    }
    if (where->function != NULL) {
        fputs(" in ", pen->out);
        put_text(pen, where->function);
    }
}

static void put_for(const struct ork_pen *pen, const struct ork_row *row)
{
    if (row->others == NULL && row->wait->waits_for.count == 0 && !row->wait->is_or)
        return;
    if (row->wait->now.ahead != ORK_AHEAD_NOT)
        fputs(", waiting for ", pen->out);
    else
        fputs(row->count > 1 ? ", wait for " : ", waits for ", pen->out);
    ork_row_put_for(pen->out, row, RUNS_MAX);
}

/* Where it is, if what follows is where the strict analysis holds it. */
static void put_now(const struct ork_pen *pen, const struct ork_position *now)
{
    if (now->ahead == ORK_AHEAD_NOT)
        return;
    if (now->ahead == ORK_AHEAD_GOES)
        fputs("has continued", pen->out);
    else
        fputs(now->ahead == ORK_AHEAD_INSIDE ? "in " : "outside MPI, last in ", pen->out);
    put_text(pen, now->call);
    put_place(pen, &now->where);
    fputs("; MPI allows it to block in ", pen->out);
}

/* "clock_nanosleep, work (a.c:31), main (a.c:50)": the innermost frame first. */
static void put_frames(const struct ork_pen *pen, const struct ork_where *frames, uint32_t n)
{
    for (uint32_t i = 0; i < n && i < FRAMES_MAX; i++) {
        const struct ork_where *frame = &frames[i];
        const char *slash = frame->file != NULL ? strrchr(frame->file, '/') : NULL;
        fputs(i > 0 ? ", " : " ", pen->out);
        put_text(pen, frame->function != NULL ? frame->function : "?");
        if (frame->file == NULL)
            continue;
        fputs(" (", pen->out);
        put_text(pen, slash != NULL ? slash + 1 : frame->file);
        fprintf(pen->out, ":%" PRIu32 ")", frame->line);
    }
    fputs(n > FRAMES_MAX ? ", ...\n" : "\n", pen->out);
}

static void put_row(const struct ork_pen *pen, const struct ork_row *row)
{
    const struct ork_rank_row *wait = row->wait;
    bool in_call = wait->call != NULL && wait->call[0] != '\0';
    const char *state = ork_row_state_words(wait);
    bool blocked = state[0] == '\0' || strcmp(state, "blocked") == 0;

    fprintf(pen->out, "  %s rank%s ", row->root ? "*" : " ", row->count > 1 ? "s" : "");
    ork_put_ranks(pen->out, row->rank, row->count, RUNS_MAX);
    fputs(": ", pen->out);
    put_now(pen, &wait->now);
    if (in_call)
        ork_row_put_call(pen->out, row);
    if (!in_call)
        put_text(pen, state);
    put_place(pen, &wait->where);
    put_for(pen, row);
    if (in_call && !blocked) {
        fputs(", ", pen->out);
        put_text(pen, state);
    }
    if (wait->detail != NULL && wait->detail[0] != '\0') {
        fputs(" [", pen->out);
        ork_escape_text(pen->out, wait->detail, ORK_PEN_MESSAGE_MAX);
        fputc(']', pen->out);
    }
    fputc('\n', pen->out);
    if (wait->num_callers > 0) {
        fputs("        called from", pen->out);
        put_frames(pen, wait->caller, wait->num_callers);
    }
}

static void put_rows(const struct ork_pen *pen, const struct ork_rank_table *rows)
{
    uint32_t left = rows->num_ranks;
    uint32_t roots = 0;

    for (uint32_t i = 0; i < rows->count; i++)
        roots += rows->row[i].root;
    for (uint32_t i = 0; i < rows->count && i < ROWS_MAX; i++) {
        put_row(pen, &rows->row[i]);
        left -= rows->row[i].count;
    }
    if (left > 0)
        fprintf(pen->out, "    ... and %" PRIu32 " more rank%s, see the report\n", left,
                left > 1 ? "s" : "");
    if (roots > 0 && roots < rows->count)
        fputs("    (* the root of the deadlock: the others only wait for these)\n", pen->out);
}

/* Is it the headline, except for the first letter and the final full stop? */
static bool is_headline(const struct ork_finding *finding, const char *sentence)
{
    size_t n = strlen(finding->message);

    return n > 0 && strncasecmp(sentence, finding->message, n) == 0 &&
           strlen(sentence) <= n + strlen(".");
}

static void put_near_misses(const struct ork_pen *pen, const struct ork_finding *finding)
{
    for (uint32_t i = 0; i < finding->num_near_misses && i < ROWS_MAX; i++) {
        if (is_headline(finding, finding->near_miss[i].message) &&
            finding->near_miss[i].others == 0)
            continue;
        fputs("    almost a match: ", pen->out);
        ork_escape_text(pen->out, finding->near_miss[i].message, ORK_PEN_MESSAGE_MAX);
        if (finding->near_miss[i].others > 0)
            fprintf(pen->out,
                    finding->near_miss[i].others == 1
                        ? " The same holds for %" PRIu32 " more pair of ranks."
                        : " The same holds for %" PRIu32 " more pairs of ranks.",
                    finding->near_miss[i].others);
        fputc('\n', pen->out);
    }
}

static void put_sets(const struct ork_pen *pen, const struct ork_finding *finding)
{
    for (uint32_t i = 0; i < finding->num_independent && i < ROWS_MAX; i++) {
        fputs("    independent cause: ranks ", pen->out);
        ork_put_ranks(pen->out, finding->independent[i].item, finding->independent[i].count,
                      RUNS_MAX);
        fputc('\n', pen->out);
    }
    if (finding->num_waits == 0 && finding->ranks.count > 0) {
        fprintf(pen->out, "    rank%s ", finding->ranks.count > 1 ? "s" : "");
        ork_put_ranks(pen->out, finding->ranks.item, finding->ranks.count, RUNS_MAX);
        fputc('\n', pen->out);
    }
}

static void put_baseline(const struct ork_pen *pen, const struct ork_finding *finding)
{
    if (finding->baseline == ORK_BASELINE_KNOWN)
        fputs("    The baseline has it.\n", pen->out);
}

static void put_repeats(const struct ork_pen *pen, const struct ork_finding *finding)
{
    if (finding->repeats == 0)
        return;
    fputs("    Found ", pen->out);
    ork_put_count(pen->out, finding->repeats);
    fprintf(pen->out, " more time%s at the same calls.\n", finding->repeats > 1 ? "s" : "");
}

enum ork_status ork_viz_finding_text(const struct ork_finding *finding, bool color, FILE *out)
{
    struct ork_pen pen = {.out = out, .color = color};
    struct ork_rank_table rows;

    enum ork_status status = ork_rank_table_init(&rows, finding);
    if (status != ORK_OK)
        return status;
    put_headline(&pen, finding);
    for (uint32_t i = 0; i < finding->num_details; i++) {
        fputs("    ", out);
        ork_escape_text(out, finding->detail[i], ORK_PEN_MESSAGE_MAX);
        fputc('\n', out);
    }
    put_baseline(&pen, finding);
    put_repeats(&pen, finding);
    put_rows(&pen, &rows);
    put_near_misses(&pen, finding);
    put_sets(&pen, finding);
    ork_rank_table_release(&rows);
    return ferror(out) ? ORK_IO : ORK_OK;
}

static void put_uncapitalized(FILE *out, const char *sentence)
{
    fprintf(out, "%c%s", tolower((unsigned char)sentence[0]), sentence + 1);
}

static void put_number(FILE *out, const char *before, uint64_t n, const char *noun)
{
    fputs(before, out);
    ork_put_count(out, n);
    fprintf(out, "%s%s", noun, n == 1 ? "" : "s");
}

static uint32_t count_known(const struct ork_report *report)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < report->num_findings; i++)
        count += report->finding[i].baseline == ORK_BASELINE_KNOWN;
    return count;
}

static void put_verdict(const struct ork_pen *pen, const struct ork_report *report)
{
    uint64_t total = ork_report_total(report), errors = ork_report_count(report, ORK_ERROR),
             notes = ork_report_count(report, ORK_NOTE);

    fputs("orknot: ", pen->out);
    ork_pen_style(pen, errors > 0 ? "1;31" : "1");
    if (report->num_findings == 0)
        put_uncapitalized(pen->out, ork_verdict_sentence(report));
    else
        put_number(pen->out, "", total, " finding");
    if (errors > 0) {
        put_number(pen->out, " (", errors, " error");
        fputc(')', pen->out);
    } else if (notes > 0 && notes == total)
        fputs(notes > 1 ? " (only notes)" : " (a note)", pen->out);
    ork_pen_style(pen, "0");
    if (count_known(report) > 0)
        fprintf(pen->out, ", %" PRIu32 " in the baseline", count_known(report));
    if (report->suppressed > 0)
        fprintf(pen->out, ", %" PRIu32 " suppressed", report->suppressed);
}

/* "SIGSEGV", or "signal 70". */
static void put_signal(FILE *out, int number)
{
    const char *name = sigabbrev_np(number);

    if (name != NULL)
        fprintf(out, "SIG%s", name);
    else
        fprintf(out, "signal %d", number);
}

/* A command that the user can run; NULL: none. */
static void put_command(FILE *out, const char *purpose, const char *command)
{
    if (command == NULL)
        return;
    fprintf(out, "orknot: %s: ", purpose);
    ork_escape_text(out, command, ORK_PEN_MESSAGE_MAX);
    fputc('\n', out);
}

static void put_run(FILE *out, const struct ork_report *report)
{
    fputs(": ", out);
    ork_put_count(out, report->ranks);
    fputs(report->ranks != 1 ? " ranks" : " rank", out);
    if (report->num_jobs > 0)
        fprintf(out, " in %" PRIu32 " jobs", report->num_jobs + 1);
    fputs(", ", out);
    ork_put_count(out, report->statistics.calls);
    fprintf(out, " call%s, %.1f s", report->statistics.calls != 1 ? "s" : "", report->seconds);
    if (report->ended_by == ORK_ENDED_BY_TOOL) {
        fputs(", the tool ended the job", out);
    } else if (report->signal != 0) {
        fputs(", the launcher was killed by ", out);
        put_signal(out, report->signal);
    } else if (report->ended_by == ORK_ENDED_BY_USER) {
        fputs(", the job was ended from outside", out);
    } else if (report->ended && report->exit_code != 0) {
        fprintf(out, ", the application's exit code is %d", report->exit_code);
    }
    fputc('\n', out);
}

/* The first line, and why. */
static void put_unchecked(const struct ork_pen *pen, const struct ork_report *report)
{
    put_verdict(pen, report);
    if (report->num_notes > 0) {
        fputs(": ", pen->out);
        ork_escape_text(pen->out, report->note[0], ORK_PEN_MESSAGE_MAX);
    }
    fputc('\n', pen->out);
}

static void put_note(const struct ork_pen *pen, const char *note)
{
    ork_pen_severity(pen, ORK_NOTE);
    fputc(' ', pen->out);
    ork_escape_text(pen->out, note, ORK_PEN_MESSAGE_MAX);
    fputc('\n', pen->out);
}

/* The findings that have no lines of their own. */
static enum ork_status put_counted(const struct ork_pen *pen, const struct ork_report *report)
{
    uint64_t repeats = ork_report_repeats(report);

    if (repeats > 0) {
        ork_pen_severity(pen, ORK_NOTE);
        put_number(pen->out, " ", repeats, " finding");
        fprintf(pen->out, " more at the same calls as earlier ones: the report counts %s there\n",
                repeats == 1 ? "it" : "them");
    }
    for (uint32_t i = 0; i < report->num_unlisted; i++) {
        char *sentence = ork_unlisted_sentence(&report->unlisted[i]);
        if (sentence == NULL)
            return ORK_NOMEM;
        put_note(pen, sentence);
        free(sentence);
    }
    return ORK_OK;
}

enum ork_status ork_viz_summary_text(const struct ork_report *report, bool color, FILE *out)
{
    struct ork_pen pen = {.out = out, .color = color};
    const bool is_unchecked = ork_report_is_unchecked(report);
    const char *incomplete = ork_incomplete_words(report);

    if (is_unchecked)
        put_unchecked(&pen, report);
    for (uint32_t i = is_unchecked; i < report->num_notes; i++)
        put_note(&pen, report->note[i]);
    enum ork_status status = put_counted(&pen, report);
    if (status != ORK_OK)
        return status;
    if (incomplete != NULL) {
        ork_pen_severity(&pen, ORK_WARNING);
        fputc(' ', out);
        put_uncapitalized(out, incomplete);
        fputc('\n', out);
    }
    if (!is_unchecked) {
        put_verdict(&pen, report);
        put_run(out, report);
    }
    put_command(out, "to repeat this order", report->replay);
    put_command(out, "to look for the deadlock in other orders", report->explore);
    return ferror(out) ? ORK_IO : ORK_OK;
}

static void put_last_call(const struct ork_pen *pen, const struct ork_last_call *call,
                          bool is_repeated)
{
    char *words = ork_last_call_words(call);
    char *outcome = ork_last_call_outcome(call);

    fputs(is_repeated ? "        " : "      ", pen->out);
    ork_escape_text(pen->out, words, ORK_PEN_MESSAGE_MAX);
    put_place(pen, &call->where);
    if (call->times > 1) {
        fputs(", ", pen->out);
        ork_put_count(pen->out, call->times);
        fputs(" times", pen->out);
    }
    if (outcome != NULL && outcome[0] != '\0') {
        fputs(", ", pen->out);
        ork_escape_text(pen->out, outcome, ORK_PEN_MESSAGE_MAX);
    }
    fputc('\n', pen->out);
    free(words);
    free(outcome);
}

static void put_list(const struct ork_pen *pen, const struct ork_last_calls *list)
{
    uint64_t end = 0; /* of the present iteration */

    for (uint32_t i = 0; i < list->num_calls; i++) {
        const struct ork_last_call *call = &list->call[i];
        if (call->iteration > 0) {
            end = (uint64_t)i + call->iteration;
            fputs("      ", pen->out);
            ork_put_count(pen->out, call->iterations);
            fputs(" times:\n", pen->out);
        }
        put_last_call(pen, call, i < end);
    }
}

/* Not shown with the finding during the run: it is for an analysis afterwards. */
static void put_last_calls(const struct ork_pen *pen, const struct ork_finding *finding)
{
    for (uint32_t i = 0; i < finding->num_last_calls; i++) {
        const struct ork_last_calls *list = &finding->last_calls[i];
        fprintf(pen->out, "    last calls of rank%s ", list->ranks.count > 1 ? "s" : "");
        ork_put_ranks(pen->out, list->ranks.item, list->ranks.count, RUNS_MAX);
        if (list->thread >= 0)
            fprintf(pen->out, ", thread %" PRId64, list->thread);
        fputs(":\n", pen->out);
        put_list(pen, list);
    }
}

enum ork_status ork_viz_report_text(const struct ork_report *report, bool color, FILE *out)
{
    fputs("orknot report\n\n", out);
    if (report->num_command > 0)
        fputs("command:", out);
    for (uint32_t i = 0; i < report->num_command; i++) {
        fputc(' ', out);
        ork_escape_text(out, report->command[i], ORK_PEN_MESSAGE_MAX);
    }
    if (report->num_command > 0)
        fputs("\n\n", out);
    for (uint32_t i = 0; i < report->num_findings; i++) {
        enum ork_status status = ork_viz_finding_text(&report->finding[i], color, out);
        if (status != ORK_OK)
            return status;
        put_last_calls(&(struct ork_pen){.out = out, .color = color}, &report->finding[i]);
        fputc('\n', out);
    }
    return ork_viz_summary_text(report, color, out);
}
