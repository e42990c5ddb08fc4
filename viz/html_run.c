/* SPDX-License-Identifier: BSD-3-Clause */
/* The run in figures, and what was checked. */
#include "viz/html.h"

#include "common/text.h"
#include "report/escape.h"

#include <inttypes.h>
#include <stdlib.h>
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

static void put_word(FILE *out, const char *word)
{
    struct ork_text_stream stream;
    FILE *quoted = ork_text_open(&stream);

    if (quoted != NULL)
        ork_text_quote(quoted, word);
    char *text = ork_text_close(&stream);
    ork_escape_html(out, text);
    free(text);
}

static void put_words(FILE *out, const char *name, char *const *word, uint32_t count)
{
    if (count == 0)
        return;
    fprintf(out, "<dt>%s</dt><dd class=\"command\"><code>", name);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            fputc(' ', out);
        put_word(out, word[i]);
    }
    fputs("</code></dd>\n", out);
}

static void put_text(FILE *out, const char *name, const char *text)
{
    if (text == NULL)
        return;
    fprintf(out, "<dt>%s</dt>", name);
    ork_html_put(out, "dd", NULL, text);
}

/* A command that the user can run; NULL: none. */
static void put_next(FILE *out, const char *purpose, const char *command)
{
    if (command == NULL)
        return;
    fprintf(out, "<dt>%s</dt><dd class=\"command\"><code>", purpose);
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

void ork_html_put_outcome_of_job(FILE *out, const struct ork_report *report)
{
    const char *name = sigabbrev_np(report->signal);
    bool has_code = false;

    if (!report->ended)
        return;
    fputs("<p class=\"job\">", out);
    if (report->ended_by == ORK_ENDED_BY_TOOL) {
        fputs("The tool ended the job", out);
    } else if (report->ended_by == ORK_ENDED_BY_USER) {
        fputs("The job was ended from outside", out);
    } else if (report->signal != 0) {
        fprintf(out, "The launcher was killed by signal %d%s%s", report->signal,
                name != NULL ? ", SIG" : "", name != NULL ? name : "");
    } else {
        fprintf(out, "The job ended by itself, with exit code %d", report->exit_code);
        has_code = report->run.exit_code == report->exit_code;
    }
    if (report->run.exit_code >= 0 && !has_code)
        fprintf(out, "; the exit code of mustrun is %d", report->run.exit_code);
    fputs(".</p>\n", out);
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

static void put_beginning(FILE *out, const struct ork_report *report)
{
    const struct ork_run_facts *run = &report->run;

    if (run->num_words > 0)
        put_words(out, "command", run->word, run->num_words);
    else
        put_words(out, "program", report->command, report->num_command);
    put_next(out, "to repeat this order", report->replay);
    put_next(out, "to look for the deadlock in other orders", report->explore);
    put_text(out, "started", run->started);
    put_text(out, "on", run->host);
    put_text(out, "in the folder", run->folder);
}

static void put_programs(FILE *out, const struct ork_run_facts *run)
{
    fputs("<dt>tool</dt><dd>Orknot " ORKNOT_VERSION "</dd>\n", out);
    put_text(out, "MPI library of the tool", run->mpi);
    put_text(out, "launcher", run->launcher);
}

/* RATIONALE: what concerns the tool itself (records, rings, folding) is only in the JSON report. */
void ork_html_put_run(FILE *out, const struct ork_report *report)
{
    const struct ork_statistics *s = &report->statistics;

    fputs("<section class=\"run\">\n<h2>The run</h2>\n<dl>\n", out);
    put_beginning(out, report);
    fprintf(out, "<dt>duration</dt><dd>%.3f s</dd>\n", report->seconds);
    if (s->seconds_to_verdict >= 0)
        fprintf(out, "<dt>from last call to verdict</dt><dd>%.3f s</dd>\n", s->seconds_to_verdict);
    put_fact(out, "ranks", report->ranks);
    put_jobs(out, report);
    put_fact(out, "MPI calls", s->calls);
    put_fact(out, "messages", s->messages);
    put_fact(out, "collectives", s->collectives);
    if (report->num_choices > 0)
        put_fact(out, "choices that the order of messages decided", count_choices(report));
    put_programs(out, &report->run);
    fputs("</dl>\n</section>\n", out);
}
