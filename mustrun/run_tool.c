/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/exitcode.h"
#include "common/log.h"
#include "mustrun/protocol.h"
#include "mustrun/run.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

void ork_run_tell(const struct ork_run *run, const char *line)
{
    if (run->tool.in >= 0 && write(run->tool.in, line, strlen(line)) < 0)
        ork_debug("cannot write to the tool: %s", strerror(errno));
}

void ork_run_close_tool(struct ork_run *run)
{
    run->phase = ORK_RUN_CLOSING;
    ork_child_close(&run->tool.in);
    ork_timer_stop(&run->timers, ORK_TIMER_FINAL);
    ork_timer_start(&run->timers, ORK_TIMER_TOOL, ORK_TOOL_LIMIT);
}

static void forward_errors(struct ork_run *run, bool all)
{
    size_t size;

    for (const char *line = ork_lines_next(&run->errors, &size); line != NULL;
         line = ork_lines_next(&run->errors, &size))
        fprintf(stderr, "%.*s\n", (int)size, line);
    if (all && run->errors.size > run->errors.first) {
        fprintf(stderr, "%.*s\n", (int)(run->errors.size - run->errors.first),
                run->errors.text + run->errors.first);
        run->errors.first = run->errors.size;
    }
}

void ork_run_read_errors(struct ork_run *run)
{
    enum ork_status status = ork_lines_read(&run->errors, run->tool.err);

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
    ork_child_signal(&run->tool, SIGTERM);
}

void ork_run_lose_tool(struct ork_run *run, const char *why)
{
    ork_error("%s", why);
    ork_outcome_note(&run->outcome, why);
    run->outcome.failed = true;
    run->outcome.final = false;
}

static void take_finding(struct ork_run *run, struct ork_finding *finding, bool fatal)
{
    ork_outcome_add(&run->outcome, finding, ork_run_seconds(run));
    if (fatal && !run->options->go_on && run->phase == ORK_RUN_RUNNING)
        ork_run_stop_application(run, ORK_RANKS_LIMIT, ORK_DEADLOCK_LIMIT);
}

/* Asked for while the run goes on: shown, and no part of the report. */
static bool is_answer(const struct ork_finding *finding)
{
    return strcmp(finding->id, "status") == 0;
}

static void take_state(struct ork_run *run, struct ork_finding *finding)
{
    if (is_answer(finding)) {
        ork_outcome_show(finding);
        return;
    }
    ork_outcome_add(&run->outcome, finding, ork_run_seconds(run));
    if (ork_timer_is_on(&run->timers, ORK_TIMER_STATE))
        ork_run_stop_application(run, ORK_INTERRUPT_LIMIT, ORK_INTERRUPT_LIMIT);
}

static void take_gone(struct ork_run *run)
{
    if (run->phase == ORK_RUN_STOPPING)
        ork_timer_hasten(&run->timers, ORK_TIMER_KILL_APPLICATION, ORK_GONE_LIMIT);
    else if (run->phase == ORK_RUN_RUNNING)
        ork_timer_start(&run->timers, ORK_TIMER_GONE, ORK_GONE_LIMIT);
}

static void take_ready(struct ork_run *run)
{
    run->ready++;
    if (run->phase == ORK_RUN_STARTING && run->ready == run->commands->leaves)
        ork_run_start_application(run);
}

static void take_message(struct ork_run *run, struct ork_message *message)
{
    switch (message->type) {
    case ORK_MESSAGE_READY:
        take_ready(run);
        break;
    case ORK_MESSAGE_FINDING:
        take_finding(run, &message->finding, message->fatal);
        break;
    case ORK_MESSAGE_STATE:
        take_state(run, &message->finding);
        break;
    case ORK_MESSAGE_GONE:
        take_gone(run);
        break;
    case ORK_MESSAGE_STUCK:
        if (!run->options->go_on && run->phase == ORK_RUN_RUNNING)
            ork_run_stop_application(run, ORK_RANKS_LIMIT, ORK_DEADLOCK_LIMIT);
        break;
    case ORK_MESSAGE_FINAL:
        ork_outcome_take_final(&run->outcome, &message->final);
        if (run->phase == ORK_RUN_DRAINING)
            ork_run_close_tool(run);
        break;
    case ORK_MESSAGE_UNKNOWN:
        ork_debug("a message of unknown type was skipped");
        break;
    }
}

static void take_lines(struct ork_run *run)
{
    size_t size;

    for (const char *line = ork_lines_next(&run->messages, &size); line != NULL;
         line = ork_lines_next(&run->messages, &size)) {
        struct ork_message message;
        enum ork_status status = ork_message_parse(line, size, &message);

        if (status != ORK_OK) {
            ork_error("the tool said what is no message: %.*s", (int)(size < 200 ? size : 200),
                      line);
            run->outcome.failed = true;
            continue;
        }
        take_message(run, &message);
        ork_message_release(&message);
    }
}

enum ork_status ork_run_read_messages(struct ork_run *run)
{
    enum ork_status status = ork_lines_read(&run->messages, run->tool.out);

    if (status == ORK_OK)
        take_lines(run);
    else if (status != ORK_AGAIN)
        ork_child_close(&run->tool.out);
    return status;
}

void ork_run_tool_ended(struct ork_run *run)
{
    ork_debug("the tool's mpirun has ended, status %d", run->tool.status);
    ork_child_close(&run->tool.in);
    while (run->tool.out >= 0 && ork_run_read_messages(run) == ORK_OK) {
        /* what it had said before */
    }
    while (run->tool.err >= 0 && ork_lines_read(&run->errors, run->tool.err) == ORK_OK) {
        /* likewise */
    }
    if (run->phase == ORK_RUN_STARTING) {
        ork_run_give_up(run, "the tool's job ended before it was ready");
        return;
    }
    forward_errors(run, true);
    if (run->phase == ORK_RUN_CLOSING)
        return;
    ork_run_lose_tool(run, "the tool's job ended early: later calls were not seen");
    if (run->phase == ORK_RUN_DRAINING)
        ork_run_close_tool(run);
    if (ork_timer_is_on(&run->timers, ORK_TIMER_STATE))
        ork_run_stop_application(run, ORK_INTERRUPT_LIMIT, ORK_INTERRUPT_LIMIT);
}
