/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/control_socket.h"
#include "common/exitcode.h"
#include "common/log.h"
#include "mustrun/launcher/launcher.h"
#include "mustrun/supervise/run.h"
#include "report/finding_kind.h"
#include "report/protocol.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void ork_run_meet_root(struct ork_run *run)
{
    run->direct = ork_control_socket_accept(run->listener, &run->root_pid);
    if (run->direct >= 0)
        ork_child_close(&run->listener);
}

static void forward_errors(struct ork_run *run, bool all)
{
    size_t size;

    for (const char *line = ork_line_reader_next(&run->errors, &size); line != NULL;
         line = ork_line_reader_next(&run->errors, &size)) {
        if (!ork_launcher_is_noise(line, size))
            fprintf(stderr, "%.*s\n", (int)size, line);
    }
    if (all && run->errors.size > run->errors.first) {
        fprintf(stderr, "%.*s\n", (int)(run->errors.size - run->errors.first),
                run->errors.text + run->errors.first);
        run->errors.first = run->errors.size;
    }
}

void ork_run_read_errors(struct ork_run *run)
{
    enum ork_status status = ork_line_reader_read(&run->errors, run->tool.err);

    if (status != ORK_OK && status != ORK_AGAIN)
        ork_child_close(&run->tool.err);
    if (run->phase != ORK_RUN_STARTING)
        forward_errors(run, false);
}

void ork_run_give_up(struct ork_run *run, const char *why)
{
    ork_error("%s", why);
    forward_errors(run, true);
    run->exit_code = ORK_EXIT_UNAVAILABLE;
    ork_run_close_tool(run);
    ork_child_signal(&run->tool, SIGHUP);
}

void ork_run_lose_tool(struct ork_run *run, const char *why)
{
    ork_error("%s", why);
    ork_run_result_note(&run->outcome, why);
    run->outcome.failed = true;
    run->outcome.final = false;
}

static bool is_hang(const struct ork_finding *finding)
{
    return ork_finding_is(finding, ORK_FINDING_HANG);
}

/* Does the job have to be ended because of this fatal finding? A hang is fatal with --must:on
 * hang=abort, or if an error is its cause. */
static bool is_to_end(const struct ork_run *run, const struct ork_finding *finding)
{
    if (ork_finding_is(finding, ORK_FINDING_REPLAY_DIVERGENCE))
        return run->options->divergence_abort;
    return !run->options->go_on || (is_hang(finding) && run->options->hang_abort);
}

/* RATIONALE: a job is never ended without a reason on stderr. A hang is reported before its stacks
 * have come, and the job is ended after that. */
static bool must_be_shown(const struct ork_run *run, const struct ork_finding *finding, bool fatal)
{
    if (!fatal && is_hang(finding))
        return run->options->hang_abort;
    return (fatal || finding->class_ == ORK_MANIFEST) &&
           (is_to_end(run, finding) || run->options->stops);
}

/* The launcher or the batch system was asked to end the job, and not by us. */
static bool is_cancelled(const struct ork_finding *finding)
{
    return ork_finding_is(finding, ORK_FINDING_ABNORMAL_END) && finding->severity == ORK_NOTE;
}

static void take_finding(struct ork_run *run, struct ork_finding *finding, bool fatal)
{
    if (is_cancelled(finding))
        run->outcome.report.ended_by = ORK_ENDED_BY_USER;
    bool ends = fatal && is_to_end(run, finding), hangs = is_hang(finding);
    bool must = must_be_shown(run, finding, fatal);
    bool stays = fatal && !ends && finding->class_ == ORK_MANIFEST;

    ork_run_result_add(&run->outcome, finding, ork_run_seconds(run), must);
    if (must)
        ork_timer_stop(&run->timers, ORK_TIMER_REPORT); /* the report has it at once */
    if (ends)
        ork_run_end_job(run, hangs);
    if (stays)
        ork_run_leave_deadlocked(run);
}

static void take_stacks(struct ork_run *run, struct ork_finding *finding, bool fatal)
{
    bool ends = fatal && is_to_end(run, finding), hangs = is_hang(finding);

    bool stays = fatal && !ends && finding->class_ == ORK_MANIFEST;

    ork_run_result_replace(&run->outcome, finding, ork_run_seconds(run), ends);
    if (ends)
        ork_run_end_job(run, hangs);
    if (stays)
        ork_run_leave_deadlocked(run);
}

/* The answer to a request during the run: shown, but not part of the report. */
static bool is_answer(const struct ork_finding *finding)
{
    return ork_finding_is(finding, ORK_FINDING_STATUS);
}

static void take_state(struct ork_run *run, struct ork_message *message)
{
    if (is_answer(&message->finding)) {
        ork_run_take_answer(run, message);
        return;
    }
    ork_run_keep_state(run, &message->finding);
    if (ork_timer_is_on(&run->timers, ORK_TIMER_STATE))
        ork_timer_start(&run->timers, ORK_TIMER_STATE, ORK_STATE_MORE);
}

/* With all that the tool can find out. */
static void take_complete_state(struct ork_run *run, struct ork_finding *finding)
{
    ork_run_keep_state(run, finding);
    ork_run_report_state(run);
    if (ork_timer_is_on(&run->timers, ORK_TIMER_STATE))
        ork_run_interrupt_application(run);
}

static void take_gone(struct ork_run *run)
{
    if (run->phase == ORK_RUN_STOPPING)
        ork_timer_hasten(&run->timers, ORK_TIMER_KILL_APPLICATION, ORK_GONE_LIMIT);
    if (run->phase != ORK_RUN_RUNNING)
        return;
    run->has_gone = true;
    run->gone = (struct ork_gone){.had_children = run->gone.had_children};
    run->gone_at = 0;
    ork_timer_start(&run->timers, ORK_TIMER_GONE, ORK_GONE_AGAIN);
}

/* A rank died, and others wait for it. */
static void take_stuck(struct ork_run *run)
{
    static const char goes_on[] =
        "a rank died and others wait for it, but the launcher's options say that the job goes on";

    if (!run->commands->recovers) {
        if (!run->options->go_on)
            ork_run_end_job(run, false);
        return;
    }
    ork_error("%s", goes_on);
    ork_run_result_note(&run->outcome, goes_on);
}

static void take_ready(struct ork_run *run, const struct ork_message *message)
{
    ork_debug("the tool is ready: %s", message->tree);
    if (run->phase == ORK_RUN_STARTING)
        ork_run_start_application(run);
}

static void take_final(struct ork_run *run, struct ork_message *message)
{
    ork_run_report_state(run);
    ork_run_result_take_final(&run->outcome, &message->final);
    run->outcome.has_order = message->has_order;
    run->outcome.failed |= message->has_lost;
    free(run->outcome.unseen);
    run->outcome.unseen = message->unseen;
    message->unseen = NULL;
    if (run->phase == ORK_RUN_DRAINING)
        ork_run_close_tool(run);
}

static void take_message(struct ork_run *run, struct ork_message *message)
{
    switch (message->type) {
    case ORK_MESSAGE_READY:
        take_ready(run, message);
        break;
    case ORK_MESSAGE_FINDING:
        ork_status_line_note_ranks(&run->ticker);
        take_finding(run, &message->finding, message->fatal);
        break;
    case ORK_MESSAGE_CHANGED:
        ork_run_result_change(&run->outcome, &message->finding, message->earlier);
        break;
    case ORK_MESSAGE_SUPERSEDED:
        ork_run_result_withdraw(&run->outcome, &message->finding);
        break;
    case ORK_MESSAGE_STACKS:
        if (ork_finding_is(&message->finding, ORK_FINDING_STATE))
            take_complete_state(run, &message->finding);
        else
            take_stacks(run, &message->finding, message->fatal);
        break;
    case ORK_MESSAGE_STATE:
        take_state(run, message);
        break;
    case ORK_MESSAGE_GONE:
        take_gone(run);
        break;
    case ORK_MESSAGE_FIGURES:
        ork_run_take_figures(run, message);
        break;
    case ORK_MESSAGE_STUCK:
        take_stuck(run);
        break;
    case ORK_MESSAGE_PAUSED:
        ork_run_take_paused(run, &message->held);
        break;
    case ORK_MESSAGE_STILL:
        ork_run_take_still(run, message->still);
        break;
    case ORK_MESSAGE_FINAL:
        take_final(run, message);
        break;
    case ORK_MESSAGE_UNKNOWN:
        ork_debug("a message of unknown type was skipped");
        break;
    }
}

static void take_lines(struct ork_run *run, struct ork_line_reader *lines)
{
    size_t size;

    for (const char *line = ork_line_reader_next(lines, &size); line != NULL;
         line = ork_line_reader_next(lines, &size)) {
        struct ork_message message;
        enum ork_status status = ork_message_parse(line, size, &message);

        if (status != ORK_OK) {
            ork_error("malformed message from the tool: %.*s", (int)(size < 200 ? size : 200),
                      line);
            run->outcome.failed = true;
            continue;
        }
        take_message(run, &message);
        ork_message_release(&message);
    }
}

static enum ork_status read_from(struct ork_run *run, int *fd, struct ork_line_reader *lines)
{
    enum ork_status status = *fd < 0 ? ORK_CLOSED : ork_line_reader_read(lines, *fd);

    if (status == ORK_OK)
        take_lines(run, lines);
    else if (status != ORK_AGAIN)
        ork_child_close(fd);
    return status;
}

enum ork_status ork_run_read_direct(struct ork_run *run)
{
    return read_from(run, &run->direct, &run->messages);
}

enum ork_status ork_run_read_output(struct ork_run *run)
{
    return read_from(run, &run->tool.out, &run->output);
}

/* RATIONALE: a deadlock is reported before its stacks have come, and the job is ended after that.
 * If the tool ends in between, the deadlock remains one. */
static bool has_manifest(const struct ork_run *run)
{
    const struct ork_report *report = &run->outcome.report;

    for (uint32_t i = 0; i < report->num_findings; i++) {
        if (report->finding[i].class_ == ORK_MANIFEST)
            return true;
    }
    return false;
}

void ork_run_tool_ended(struct ork_run *run)
{
    ork_debug("the tool's launcher has ended, status %d", run->tool.status);
    ork_child_close(&run->tool.in);
    while (ork_run_read_direct(run) == ORK_OK || ork_run_read_output(run) == ORK_OK) {
        /* lines that came before */
    }
    while (run->tool.err >= 0 && ork_line_reader_read(&run->errors, run->tool.err) == ORK_OK) {
        /* likewise */
    }
    if (run->phase == ORK_RUN_STARTING) {
        ork_run_give_up(run, "the tool's job ended before it was ready");
        return;
    }
    forward_errors(run, true);
    ork_run_report_state(run);
    if (run->phase == ORK_RUN_CLOSING)
        return;
    ork_run_lose_tool(run, "the tool's job ended early: later calls were not observed");
    if (run->phase == ORK_RUN_DRAINING)
        ork_run_close_tool(run);
    if (ork_timer_is_on(&run->timers, ORK_TIMER_STATE))
        ork_run_interrupt_application(run);
    else if (has_manifest(run) && !run->options->go_on)
        ork_run_end_job(run, false);
    ork_run_go_on_unseen(run);
}
