/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/tool/protocol_writer.h"

#include "common/log.h"
#include "report/escape.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static FILE *out; /* NULL: stdout */

bool ork_protocol_use_socket(int fd)
{
    int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);

    out = own < 0 ? NULL : fdopen(own, "w");
    if (out == NULL && own >= 0)
        close(own);
    return out != NULL;
}

/* `line` is taken over. */
static void say(json_t *line)
{
    char *text = line == NULL ? NULL : json_dumps(line, JSON_COMPACT);

    if (text != NULL) {
        FILE *to = out != NULL ? out : stdout;
        fprintf(to, "%s\n", text);
        fflush(to);
    }
    free(text);
    json_decref(line);
}

static void say_finding(const char *type, const struct ork_finding *finding, bool fatal)
{
    char *text;

    if (ork_finding_to_json(finding, &text) != ORK_OK) {
        ork_error("a finding could not be written: out of memory");
        return;
    }
    json_t *object = json_loads(text, 0, NULL);
    free(text);
    say(json_pack("{s:s, s:b, s:o?}", "type", type, "fatal", (int)fatal, "finding", object));
}

static void on_finding(void *context, const struct ork_finding *finding, bool fatal)
{
    (void)context;
    say_finding("finding", finding, fatal);
}

static void on_stacks(void *context, const struct ork_finding *finding, bool fatal)
{
    (void)context;
    say_finding("stacks", finding, fatal);
}

static void on_superseded(void *context, const struct ork_finding *finding)
{
    (void)context;
    say_finding("superseded", finding, false);
}

static void on_state(void *context, const struct ork_finding *finding)
{
    (void)context;
    say_finding("state", finding, false);
}

static void on_stuck(void *context)
{
    (void)context;
    say(json_pack("{s:s}", "type", "stuck"));
}

static json_t *progress_of(const struct ork_answer *answer)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < answer->num_progress; i++) {
        const struct ork_progress *p = &answer->progress[i];
        json_array_append_new(
            list, json_pack("{s:i, s:f, s:I, s:I, s:I, s:f}", "rank", (int)p->rank, "seconds",
                            p->seconds, "calls", (json_int_t)p->calls, "more", (json_int_t)p->more,
                            "polls", (json_int_t)p->polls, "processors", p->processors));
    }
    return list;
}

static void on_answer(void *context, const struct ork_answer *answer)
{
    char *text;

    (void)context;
    if (ork_finding_to_json(&answer->finding, &text) != ORK_OK) {
        ork_error("an answer could not be written: out of memory");
        return;
    }
    json_t *object = json_loads(text, 0, NULL);
    free(text);
    say(json_pack("{s:s, s:o?, s:o}", "type", "state", "finding", object, "progress",
                  progress_of(answer)));
}

static void on_figures(void *context, const struct ork_figures *f)
{
    json_t *line =
        json_pack("{s:s, s:i, s:I, s:I, s:I, s:I}", "type", "figures", "ranks", (int)f->ranks,
                  "calls", (json_int_t)f->calls, "messages", (json_int_t)f->messages, "collectives",
                  (json_int_t)f->collectives, "queued", (json_int_t)f->queued);

    (void)context;
    char *call = f->is_blocked ? ork_utf8_clean(f->call) : NULL;
    if (line != NULL && call != NULL)
        json_object_set_new(line, "blocked",
                            json_pack("{s:i, s:f, s:s, s:b, s:i}", "rank", (int)f->rank, "seconds",
                                      f->seconds, "call", call, "outside", (int)f->is_outside,
                                      "waiting", (int)f->waiting));
    free(call);
    say(line);
}

const struct ork_report_sink ork_protocol_sink = {.finding = on_finding,
                                                  .stacks = on_stacks,
                                                  .superseded = on_superseded,
                                                  .state = on_state,
                                                  .stuck = on_stuck,
                                                  .answer = on_answer,
                                                  .figures = on_figures};

void ork_protocol_write_ready(const char *tree)
{
    char host[256] = "";

    gethostname(host, sizeof(host) - 1);
    say(json_pack("{s:s, s:s, s:i, s:s}", "type", "ready", "host", host, "pid", (int)getpid(),
                  "tree", tree));
}

void ork_protocol_write_gone(void)
{
    say(json_pack("{s:s}", "type", "gone"));
}

static json_t *statistics_of(const struct ork_statistics *s)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:i, s:f}", "calls", (json_int_t)s->calls,
                     "records", (json_int_t)s->records, "messages", (json_int_t)s->messages,
                     "collectives", (json_int_t)s->collectives, "searches", (json_int_t)s->searches,
                     "full_waits", (json_int_t)s->full_waits, "tool_waits",
                     (json_int_t)s->tool_waits, "tool_ranks", (int)s->tool_ranks,
                     "seconds_to_verdict", s->seconds_to_verdict);
}

void ork_protocol_write_final(struct ork_root *root, bool failed)
{
    struct ork_report report;
    json_t *notes = json_array();
    json_t *jobs = json_array();

    ork_report_init(&report);
    if (ork_root_summary(root, &report) != ORK_OK || failed)
        report.complete = false;
    for (uint32_t i = 0; i < report.num_notes; i++)
        json_array_append_new(notes, json_string(report.note[i]));
    if (failed)
        json_array_append_new(
            notes, json_string("the tool ran out of memory: nothing after that was analysed"));
    for (uint32_t i = 0; i < report.num_jobs; i++)
        json_array_append_new(jobs, json_pack("{s:i, s:i, s:s}", "first", (int)report.job[i].first,
                                              "ranks", (int)report.job[i].ranks, "origin",
                                              report.job[i].origin));
    say(json_pack("{s:s, s:o, s:o, s:o, s:b, s:i}", "type", "final", "statistics",
                  statistics_of(&report.statistics), "notes", notes, "jobs", jobs, "complete",
                  (int)report.complete, "ranks", (int)report.ranks));
    ork_report_release(&report);
}
