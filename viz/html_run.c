/* SPDX-License-Identifier: BSD-3-Clause */
/* The run in figures, and what was checked. */
#include "viz/html.h"

#include "report/escape.h"

#include <inttypes.h>
#include <string.h>

#define JOBS_MAX 100u

/* Operations that did not occur were not checked. */
static void put_checked(FILE *out, uint64_t n, const char *one, const char *many)
{
    if (n == 0)
        return;
    fputs("<li><b>", out);
    ork_put_count(out, n);
    fprintf(out, "</b> %s</li>\n", n == 1 ? one : many);
}

void ork_html_put_checked(FILE *out, const struct ork_report *report)
{
    const struct ork_statistics *s = &report->statistics;

    if (s->calls == 0)
        return;
    fputs("<section class=\"checked\">\n<h2>What was checked</h2>\n<ul>\n", out);
    put_checked(out, s->calls, "MPI call was checked.",
                "MPI calls were checked, in the order in which each rank made them.");
    put_checked(out, s->messages, "message was matched: its send with its receive.",
                "messages were matched, each send with its receive.");
    put_checked(out, s->collectives, "collective operation was compared on all of its ranks.",
                "collective operations were compared, each on all of its ranks.");
    put_checked(out, s->searches, "search of the wait-for graph was made.",
                "searches of the wait-for graph were made.");
    fputs("</ul>\n", out);
    if (report->ended && report->signal == 0 && report->complete)
        fputs("<p>The tool reports no deadlock, no lost message, no leaked request and no other "
              "error.</p>\n<p class=\"soft\">This result is valid for this run. Another input or "
              "another number of ranks may behave differently.</p>\n",
              out);
    fputs("</section>\n", out);
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

/* A command that the user can run; NULL: none. */
static void put_next(FILE *out, const char *purpose, const char *command)
{
    if (command == NULL)
        return;
    fprintf(out, "<dt>%s</dt><dd><code>", purpose);
    ork_escape_html(out, command);
    fputs("</code></dd>\n", out);
}

static uint64_t count_choices(const struct ork_report *report)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < report->num_choices; i++)
        sum += report->choices[i].count;
    return sum;
}

static void put_end(FILE *out, const struct ork_report *report)
{
    const char *name = sigabbrev_np(report->signal);

    fputs("<dt>application</dt><dd>", out);
    if (report->ended_by == ORK_ENDED_BY_TOOL)
        fputs("ended by the tool", out);
    else if (report->ended_by == ORK_ENDED_BY_USER)
        fputs("ended from outside", out);
    else if (report->signal != 0)
        fprintf(out, "launcher killed by signal %d%s%s", report->signal,
                name != NULL ? ", SIG" : "", name != NULL ? name : "");
    else if (report->ended)
        fprintf(out, "ended with exit code %d", report->exit_code);
    else
        fputs("had not ended when this was written", out);
    fputs("</dd>\n", out);
}

/* Ranks outside the first MPI_COMM_WORLD. */
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

void ork_html_put_run(FILE *out, const struct ork_report *report)
{
    const struct ork_statistics *s = &report->statistics;

    fputs("<section class=\"run\">\n<h2>The run</h2>\n<dl>\n", out);
    put_command(out, report);
    put_next(out, "to repeat this order", report->replay);
    put_next(out, "to look for the deadlock in other orders", report->explore);
    put_fact(out, "ranks", report->ranks);
    put_jobs(out, report);
    fprintf(out, "<dt>seconds</dt><dd>%.3f</dd>\n", report->seconds);
    put_end(out, report);
    put_fact(out, "MPI calls", s->calls);
    put_fact(out, "records", s->records);
    put_fact(out, "messages", s->messages);
    put_fact(out, "collectives", s->collectives);
    if (report->num_choices > 0)
        put_fact(out, "choices that the order of messages decided", count_choices(report));
    if (s->folded_records > 0)
        put_fact(out, "of the records, folded", s->folded_records);
    put_fact(out, "graph searches", s->searches);
    put_fact(out, "waits because a ring was full", s->full_waits);
    put_fact(out, "waits between tool processes", s->tool_waits);
    put_fact(out, "tool ranks", s->tool_ranks);
    if (s->seconds_to_verdict >= 0)
        fprintf(out, "<dt>from last call to verdict</dt><dd>%.3f s</dd>\n", s->seconds_to_verdict);
    fputs("</dl>\n</section>\n", out);
}
