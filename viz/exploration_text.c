/* SPDX-License-Identifier: BSD-3-Clause */
/* An exploration for a terminal. Lines begin with a word or a blank, never with the application's
 * bytes. */
#include "viz/viz.h"

#include "report/escape.h"
#include "viz/pen.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_MAX   8u   /* outcomes in a summary */
#define WORDS_MAX   200u /* characters of a call, place or outcome */
#define CHOICES_MAX 40u  /* of an outcome in a summary */

static void put_message(const struct ork_pen *pen, const char *s)
{
    ork_escape_text(pen->out, s, ORK_PEN_MESSAGE_MAX);
}

static void put_words(const struct ork_pen *pen, const char *before, const char *s)
{
    if (s == NULL)
        return;
    fputs(before, pen->out);
    ork_escape_text(pen->out, s, WORDS_MAX);
}

static void put_number(FILE *out, uint64_t n, const char *what)
{
    ork_put_count(out, n);
    fprintf(out, " %s%s", what, n == 1 ? "" : "s");
}

static bool has_bad_outcome(const struct ork_exploration *e)
{
    for (uint32_t i = 0; i < e->num_outcomes; i++)
        if (e->outcome[i].is_bad)
            return true;
    return false;
}

static void put_headline(const struct ork_pen *pen, const struct ork_exploration *e)
{
    fputs("orknot: ", pen->out);
    ork_pen_style(pen, has_bad_outcome(e) ? "1;31" : "1");
    ork_exploration_put_summary(e, pen->out);
    ork_pen_style(pen, "0");
    fputc('\n', pen->out);
}

/* "rank 0, choice 3, MPI_Recv at main (farm.c:40): took the message of rank 2, tag 0 (first run: of
 * rank 1)" */
static enum ork_status put_choice(const struct ork_pen *pen, const struct ork_forced_choice *choice)
{
    fprintf(pen->out, "      rank %" PRIu32 ", choice ", choice->rank);
    ork_put_count(pen->out, choice->number);
    put_words(pen, ", ", choice->site.call);
    put_words(pen, " at ", choice->site.place);
    put_words(pen, ": ", choice->outcome);
    if (choice->instead != NULL) {
        char *instead = ork_forced_choice_instead(choice);
        if (instead == NULL)
            return ORK_NOMEM;
        put_words(pen, " (first run: ", instead);
        fputc(')', pen->out);
        free(instead);
    }
    fputc('\n', pen->out);
    return ORK_OK;
}

static void put_choices_title(const struct ork_pen *pen, const struct ork_outcome *outcome)
{
    bool is_one = outcome->num_forced == 1;

    if (outcome->confirmed == 0 && !outcome->is_minimal) {
        fputs("    choices of run ", pen->out);
        ork_put_count(pen->out, outcome->first);
        fprintf(pen->out, " (no run that forced only %s is known to have the same outcome):\n",
                is_one ? "this choice" : "these choices");
        return;
    }
    fprintf(pen->out, "    %s choice%s (", outcome->is_minimal ? "deciding" : "sufficient",
            is_one ? "" : "s");
    if (outcome->is_minimal && (!is_one || outcome->confirmed == 0))
        fprintf(pen->out, "without %s, the outcome was different",
                is_one ? "it" : "any one of them");
    if (outcome->confirmed > 0) {
        fputs(outcome->is_minimal && !is_one ? "; " : "", pen->out);
        put_number(pen->out, outcome->confirmed, "run");
        fprintf(pen->out, " that forced only %s had the same outcome",
                is_one ? "this choice" : "these choices");
    }
    fputs("):\n", pen->out);
}

static void put_not_sought(const struct ork_pen *pen, const struct ork_outcome *outcome)
{
    if (outcome->not_sought == NULL)
        return;
    fputs("    deciding choices not determined: ", pen->out);
    put_message(pen, outcome->not_sought);
    fputc('\n', pen->out);
}

static void put_differences(const struct ork_pen *pen, const struct ork_outcome *outcome)
{
    for (uint32_t i = 0; i < outcome->num_differences; i++) {
        fputs(i == 0 ? "    where it differs: " : "                      ", pen->out);
        put_message(pen, outcome->difference[i]);
        fputc('\n', pen->out);
    }
}

static enum ork_status put_choices(const struct ork_pen *pen, const struct ork_outcome *outcome,
                                   uint32_t max)
{
    enum ork_status status = ORK_OK;

    put_not_sought(pen, outcome);
    if (outcome->num_forced == 0) {
        if (outcome->first == 1)
            fputs("    the first run, which forced no choice, had this outcome\n", pen->out);
        else if (outcome->confirmed > 0)
            fputs("    a run that forced no choice had the same outcome\n", pen->out);
        return ORK_OK;
    }
    put_choices_title(pen, outcome);
    for (uint32_t i = 0; i < outcome->num_forced && i < max && status == ORK_OK; i++)
        status = put_choice(pen, &outcome->forced[i]);
    if (outcome->num_forced > max)
        fprintf(pen->out, "      ... and %" PRIu32 " more, see the report\n",
                outcome->num_forced - max);
    return status;
}

static void put_files(const struct ork_pen *pen, const struct ork_outcome *outcome)
{
    if (outcome->folder != NULL) {
        fputs("    its output and its report: ", pen->out);
        put_message(pen, outcome->folder);
        fputc('\n', pen->out);
    }
    if (outcome->replay != NULL) {
        fputs("    to repeat it: ", pen->out);
        put_message(pen, outcome->replay);
        fputc('\n', pen->out);
    }
}

/* The finding whose sentence is that of the outcome; UINT32_MAX: none. */
static uint32_t find_message(const struct ork_outcome *outcome)
{
    for (uint32_t i = 0; i < outcome->num_findings; i++) {
        const struct ork_finding *f = &outcome->finding[i];
        if (strcmp(f->message, outcome->message) == 0 ||
            (f->summary != NULL && strcmp(f->summary, outcome->message) == 0))
            return i;
    }
    return UINT32_MAX;
}

static enum ork_status put_outcome(const struct ork_pen *pen, const struct ork_outcome *outcome,
                                   uint32_t number, uint32_t max_choices)
{
    ork_pen_severity(pen, outcome->is_bad ? ORK_ERROR : ORK_WARNING);
    fprintf(pen->out, " outcome %" PRIu32 " (", number);
    put_number(pen->out, outcome->runs, "run");
    fputs(outcome->runs == 1 ? ", run " : ", the first one is run ", pen->out);
    ork_put_count(pen->out, outcome->first);
    fputs("): ", pen->out);
    uint32_t same = find_message(outcome);
    if (same < outcome->num_findings) {
        ork_pen_finding(pen, &outcome->finding[same]);
    } else {
        ork_pen_style(pen, "1");
        put_message(pen, outcome->message);
        ork_pen_style(pen, "0");
    }
    fputc('\n', pen->out);
    for (uint32_t i = 0; i < outcome->num_findings; i++) {
        if (i == same)
            continue;
        fputs("    ", pen->out);
        ork_pen_finding(pen, &outcome->finding[i]);
        fputc('\n', pen->out);
    }
    put_differences(pen, outcome);
    enum ork_status status = put_choices(pen, outcome, max_choices);
    put_files(pen, outcome);
    return status;
}

static enum ork_status put_reported_outcomes(const struct ork_pen *pen,
                                             const struct ork_exploration *e, uint32_t max,
                                             uint32_t max_choices)
{
    enum ork_status status = ORK_OK;
    uint32_t shown = 0;

    for (uint32_t i = 0; i < e->num_outcomes && status == ORK_OK; i++)
        if (ork_outcome_is_reported(&e->outcome[i]) && shown++ < max)
            status = put_outcome(pen, &e->outcome[i], i + 1, max_choices);
    if (shown > max)
        fprintf(pen->out, "    ... and %" PRIu32 " more outcome%s, see the report\n", shown - max,
                shown - max == 1 ? "" : "s");
    return status;
}

static enum ork_status put_limits(const struct ork_pen *pen, const struct ork_exploration *e)
{
    char **sentence;
    uint32_t count;

    enum ork_status status = ork_exploration_limits(e, &sentence, &count);
    if (status != ORK_OK)
        return status;
    for (uint32_t i = 0; i < count; i++) {
        ork_pen_severity(pen, ORK_NOTE);
        fprintf(pen->out, " %s\n", sentence[i]);
        free(sentence[i]);
    }
    free(sentence);
    return ORK_OK;
}

static void put_notes(const struct ork_pen *pen, const struct ork_exploration *e)
{
    for (uint32_t i = 0; i < e->num_notes; i++) {
        ork_pen_severity(pen, ORK_NOTE);
        fputc(' ', pen->out);
        put_message(pen, e->note[i]);
        fputc('\n', pen->out);
    }
    if (e->resume != NULL) {
        fputs("orknot: to go on: ", pen->out);
        put_message(pen, e->resume);
        fputc('\n', pen->out);
    }
}

static enum ork_status put_all(const struct ork_pen *pen, const struct ork_exploration *e,
                               uint32_t max, uint32_t max_choices)
{
    put_headline(pen, e);
    enum ork_status status = put_reported_outcomes(pen, e, max, max_choices);
    if (status == ORK_OK)
        status = put_limits(pen, e);
    put_notes(pen, e);
    if (status == ORK_OK && ferror(pen->out))
        status = ORK_IO;
    return status;
}

enum ork_status ork_viz_exploration_summary(const struct ork_exploration *e, bool color, FILE *out)
{
    return put_all(&(struct ork_pen){.out = out, .color = color}, e, SHOWN_MAX, CHOICES_MAX);
}

/* The first line is the mark of a report of ours: see report_owner.c. */
enum ork_status ork_viz_exploration_text(const struct ork_exploration *e, bool color, FILE *out)
{
    fputs("orknot report\n\n", out);
    if (e->num_words > 0)
        fputs("command:", out);
    for (uint32_t i = 0; i < e->num_words; i++) {
        fputc(' ', out);
        ork_escape_text(out, e->command[i], ORK_PEN_MESSAGE_MAX);
    }
    if (e->num_words > 0)
        fputs("\n\n", out);
    return put_all(&(struct ork_pen){.out = out, .color = color}, e, UINT32_MAX, UINT32_MAX);
}

static void put_time(FILE *out, double seconds)
{
    if (seconds < 120)
        fprintf(out, "%.0f s", seconds);
    else if (seconds < 7200)
        fprintf(out, "%.0f min", seconds / 60);
    else
        fprintf(out, "%.1f h", seconds / 3600);
}

/* Until the first bound is reached; negative: there is none, or no rate is known. */
static double time_until_bound(const struct ork_exploration_progress *p, double rate)
{
    double by_time = p->max_seconds > 0 ? p->max_seconds - p->seconds : -1;
    double by_runs =
        p->max_runs > p->runs && rate > 0 ? (double)(p->max_runs - p->runs) / rate : -1;

    if (p->max_seconds > 0 && by_time < 0)
        by_time = 0;
    if (by_time < 0 || by_runs < 0)
        return by_time > by_runs ? by_time : by_runs;
    return by_time < by_runs ? by_time : by_runs;
}

static void put_time_left(const struct ork_exploration_progress *p, double rate, FILE *out)
{
    double most = time_until_bound(p, rate);
    bool is_estimate = p->more > 0 && rate > 0 && (most < 0 || p->more / rate < most);

    if (!is_estimate && most < 0)
        return;
    fputs(is_estimate ? ", about " : ", at most ", out);
    put_time(out, is_estimate ? p->more / rate : most);
    fputs(" left", out);
}

void ork_viz_progress_text(const struct ork_exploration_progress *p, FILE *out)
{
    if (p->minimized > 0) {
        put_number(out, p->runs, "run");
        fputs(", ", out);
        put_number(out, p->outcomes, "outcome");
        fprintf(out,
                " (%" PRIu32 " bad); further runs, %" PRIu32 " of at most %" PRIu32
                ", show which choices lead to outcome %" PRIu32,
                p->bad, p->attempts, p->max_attempts, p->minimized);
        return;
    }
    uint64_t now = p->runs > p->earlier ? p->runs - p->earlier : 0;
    double rate = p->seconds > 0 ? (double)now / p->seconds : 0;

    put_number(out, p->runs, "run");
    fputs(", ", out);
    put_number(out, p->left, "order");
    fprintf(out, " left, %.*f runs a second, ", rate < 10 ? 1 : 0, rate);
    put_number(out, p->outcomes, "outcome");
    if (p->bad > 0)
        fprintf(out, " (%" PRIu32 " bad)", p->bad);
    put_time_left(p, rate, out);
}
