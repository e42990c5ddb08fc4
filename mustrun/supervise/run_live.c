/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers requests about the run while it lasts: by a signal, over the socket, by --must:status. */
#include "common/log.h"
#include "common/session.h"
#include "mustrun/supervise/color.h"
#include "mustrun/supervise/locale.h"
#include "mustrun/supervise/live_text.h"
#include "mustrun/supervise/run.h"
#include "report/escape.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Milliseconds are enough. */
#define FLAGS (JSON_COMPACT | JSON_REAL_PRECISION(9))

void ork_run_open_live(struct ork_run *run)
{
    const char *session = ork_env_get(run->commands->tool.environment.item, ORK_ENV_SESSION);

    run->session = session != NULL ? session : "";
    ork_status_line_init(&run->ticker, STDERR_FILENO, run->session);
    if (ork_live_create(run->session, &run->live) == ORK_OK)
        ork_debug("to see where the ranks are: mustview --live %s", run->session);
    else
        ork_debug("cannot create the socket for mustview --live: %s", strerror(errno));
}

/* ---- the application's ranks ---- */

/* Why the ranks cannot be asked now; NULL: they can. */
static const char *obstacle(const struct ork_run *run)
{
    switch (run->phase) {
    case ORK_RUN_STARTING:
        return "the tool is starting; the application has not started yet";
    case ORK_RUN_RUNNING:
        return ork_child_is_alive(&run->tool) ? NULL
                                              : "the tool has ended: it cannot see the ranks";
    case ORK_RUN_STOPPING:
        return "the application is being terminated";
    case ORK_RUN_DRAINING:
    case ORK_RUN_CLOSING:
        break;
    }
    return "the application has ended";
}

static void refuse(struct ork_run *run, const char *why)
{
    json_t *object = json_pack("{s:s, s:s}", "session", run->session, "error", why);
    char *json = json_dumps(object, FLAGS);
    char *text = NULL;

    json_decref(object);
    if (asprintf(&text, "orknot: %s\n", why) < 0)
        text = NULL;
    if (run->asked_by_signal && text != NULL)
        fputs(text, stderr);
    run->asked = run->asked_by_signal = false;
    ork_timer_stop(&run->timers, ORK_TIMER_ANSWER);
    ork_live_answer_text(run->live, text);
    ork_live_answer_json(run->live, json);
    free(text);
    free(json);
}

static void ask(struct ork_run *run)
{
    const char *why = obstacle(run);

    if (why != NULL) {
        refuse(run, why);
        return;
    }
    if (run->asked)
        return;
    run->asked = true;
    ork_run_send(run, "status\n");
    ork_timer_start(&run->timers, ORK_TIMER_ANSWER, ORK_ANSWER_LIMIT);
}

void ork_run_ask(struct ork_run *run)
{
    run->asked_by_signal = true;
    ask(run);
}

void ork_run_give_up_answer(struct ork_run *run)
{
    refuse(run, "the tool is busy: it did not answer in time");
}

/* ---- where the ranks were when the run was stopped ---- */

void ork_run_keep_state(struct ork_run *run, struct ork_finding *finding)
{
    ork_finding_release(&run->state);
    run->state = *finding;
    *finding = (struct ork_finding){0};
}

void ork_run_report_state(struct ork_run *run)
{
    if (run->state.id != NULL)
        ork_run_result_add(&run->outcome, &run->state, ork_run_seconds(run), true);
    ork_finding_release(&run->state);
    run->state = (struct ork_finding){0};
}

/* ---- JSON ---- */

static json_t *command_of(const struct ork_run *run)
{
    const struct ork_report *report = &run->outcome.report;
    json_t *list = json_array();

    for (uint32_t i = 0; i < report->num_command; i++) {
        char *word = ork_utf8_clean(report->command[i]);
        json_array_append_new(list, word != NULL ? json_string(word) : NULL);
        free(word);
    }
    return list;
}

static json_t *name_of(const struct ork_run *run)
{
    double seconds = run->phase == ORK_RUN_STARTING ? 0 : ork_run_seconds(run);

    return json_pack("{s:s, s:i, s:f, s:o}", "session", run->session, "pid", (int)getpid(),
                     "seconds", seconds, "command", command_of(run));
}

static char *name_text(const struct ork_run *run)
{
    json_t *name = name_of(run);
    char *text = name != NULL ? json_dumps(name, FLAGS) : NULL;

    json_decref(name);
    return text;
}

/* The tool's answer, with the name of the run. */
static char *answer_json(const struct ork_run *run, const struct ork_message *answer)
{
    json_t *reply = json_loadb(answer->line, answer->size, 0, NULL);
    json_t *name = reply != NULL ? name_of(run) : NULL;
    char *text = NULL;

    if (name != NULL) {
        json_object_set(name, "status", json_object_get(reply, "finding"));
        json_object_set(name, "progress", json_object_get(reply, "progress"));
        text = json_dumps(name, FLAGS);
    }
    json_decref(name);
    json_decref(reply);
    return text;
}

/* ---- answers ---- */

void ork_run_take_answer(struct ork_run *run, const struct ork_message *answer)
{
    double seconds = ork_run_seconds(run);
    char *text = ork_live_text(answer, seconds, false, false);
    char *json = answer_json(run, answer);

    if (run->asked_by_signal) {
        char *shown =
            ork_live_text(answer, seconds, ork_color_is_wanted(run->options), ork_locale_is_utf8());
        if (shown != NULL && fwrite(shown, 1, strlen(shown), stderr) == 0)
            ork_debug("cannot write to stderr: %s", strerror(errno));
        free(shown);
    }
    run->asked = run->asked_by_signal = false;
    ork_timer_stop(&run->timers, ORK_TIMER_ANSWER);
    ork_live_answer_text(run->live, text);
    ork_live_answer_json(run->live, json);
    free(text);
    free(json);
}

void ork_run_serve_live(struct ork_run *run)
{
    struct ork_live_questions asked = ork_live_step(run->live);

    if (asked.name) {
        char *name = name_text(run);
        ork_live_answer_name(run->live, name);
        free(name);
    }
    if ((asked.text || asked.json) && !run->asked)
        ask(run);
}

/* ---- --must:status ---- */

static bool has_ticker(const struct ork_run *run)
{
    return run->options->status && run->phase == ORK_RUN_RUNNING;
}

void ork_run_want_figures(struct ork_run *run)
{
    if (!has_ticker(run))
        return;
    if (!run->figures_asked && ork_child_is_alive(&run->tool)) {
        run->figures_asked = true;
        ork_run_send(run, "figures\n");
    }
    ork_timer_start(&run->timers, ORK_TIMER_FIGURES,
                    run->ticker.is_terminal ? ORK_STATUS_LINE_SECOND : ORK_STATUS_LINE_MINUTE);
}

void ork_run_start_ticker(struct ork_run *run)
{
    if (has_ticker(run))
        ork_timer_start(&run->timers, ORK_TIMER_FIGURES,
                        run->ticker.is_terminal ? ORK_STATUS_LINE_SECOND : ORK_STATUS_LINE_MINUTE);
}

void ork_run_take_figures(struct ork_run *run, struct ork_message *message)
{
    run->figures_asked = false;
    ork_status_line_take(&run->ticker, &message->figures, ork_run_seconds(run));
    ork_status_line_take_rates(&run->ticker, &message->finding);
    if (has_ticker(run) && !run->ticker.is_terminal)
        ork_status_line_show(&run->ticker, ork_run_seconds(run));
}

void ork_run_show_ticker(struct ork_run *run)
{
    if (has_ticker(run) && run->ticker.is_terminal)
        ork_status_line_show(&run->ticker, ork_run_seconds(run));
}
