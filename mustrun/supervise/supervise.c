/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/supervise.h"

#include "common/control_socket.h"
#include "common/exitcode.h"
#include "common/log.h"
#include "common/session.h"
#include "common/text.h"
#include "mustrun/supervise/on_finding.h"
#include "mustrun/supervise/run.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* RATIONALE: a batch system sends the signal to all processes of a job. The ranks and their
 * launcher may have ended before mustrun reads it, and the tool reports what it knows about them.
 */
static void first_signal(struct ork_run *run)
{
    switch (run->phase) {
    case ORK_RUN_STARTING:
        run->exit_code = 128 + run->outcome.signal;
        ork_run_close_tool(run);
        ork_child_signal(&run->tool, SIGHUP);
        break;
    case ORK_RUN_RUNNING:
        if (!ork_child_is_alive(&run->tool)) {
            ork_run_interrupt_application(run);
            break;
        }
        ork_run_send(run, "interrupt\n");
        ork_timer_start(&run->timers, ORK_TIMER_STATE, ORK_STATE_LIMIT);
        break;
    case ORK_RUN_STOPPING:
        ork_run_kill_application(run);
        break;
    case ORK_RUN_DRAINING:
        ork_timer_hasten(&run->timers, ORK_TIMER_FINAL, ORK_INTERRUPT_LIMIT);
        break;
    case ORK_RUN_CLOSING:
        ork_child_signal(&run->tool, SIGKILL);
        break;
    }
}

static void next_signal(struct ork_run *run)
{
    if (ork_timer_is_on(&run->timers, ORK_TIMER_STATE)) {
        ork_run_report_state(run);
        ork_run_interrupt_application(run);
        return;
    }
    ork_run_kill_application(run);
    if (run->phase != ORK_RUN_RUNNING && run->phase != ORK_RUN_STOPPING)
        ork_child_signal(&run->tool, SIGKILL);
}

/* RATIONALE: a batch system sends a signal to a process more than once: to it, to its group, and to
 * the job step. A user who asks again takes longer. */
static bool is_the_same(const struct ork_run *run, int signo)
{
    return signo == run->outcome.signal && ork_timer_is_on(&run->timers, ORK_TIMER_STATE) &&
           ork_now() - run->signalled < ORK_SIGNAL_AGAIN;
}

static void on_signal(struct ork_run *run, int signo)
{
    if (signo == SIGCHLD) {
        if (ork_child_reap(&run->application))
            ork_run_application_ended(run);
        if (ork_child_reap(&run->tool))
            ork_run_tool_ended(run);
        return;
    }
    if (signo == SIGUSR1) {
        ork_run_ask(run);
        return;
    }
    if (signo == SIGUSR2) {
        ork_run_go_on(run);
        return;
    }
    bool first = run->outcome.signal == 0;

    if (!first && is_the_same(run, signo))
        return;
    run->outcome.signal = signo;
    run->signalled = ork_now();
    if (first)
        first_signal(run);
    else
        next_signal(run);
}

static void read_signals(struct ork_run *run)
{
    struct signalfd_siginfo info;

    while (read(run->signals->fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
        on_signal(run, (int)info.ssi_signo);
}

/* RATIONALE: an mpirun that is killed leaves its session folder behind. One that is active, or
 * waits for a processor, is about to end. */
static bool is_about_to_end(struct ork_run *run, const struct ork_child *child,
                            enum ork_timer timer)
{
    if (!ork_child_is_alive(child) || ork_child_sleeps(child) ||
        run->postponed >= ORK_POSTPONED_MAX)
        return false;
    run->postponed++;
    ork_timer_start(&run->timers, timer, ORK_GONE_AGAIN);
    return true;
}

static void on_timer(struct ork_run *run, enum ork_timer timer)
{
    switch (timer) {
    case ORK_TIMER_READY:
        if (run->options->start_timeout != 0 ||
            !ork_timer_extend(&run->timers, timer, ORK_READY_LIMIT, ork_slowness_now()))
            ork_run_give_up(run, "the tool's job was not ready in time (--must:start-timeout)");
        break;
    case ORK_TIMER_STATE:
        ork_run_report_state(run);
        ork_run_interrupt_application(run);
        break;
    case ORK_TIMER_KILL_RANKS:
        ork_run_kill_ranks(run);
        break;
    case ORK_TIMER_KILL_APPLICATION:
        if (!is_about_to_end(run, &run->application, timer))
            ork_run_kill_application(run);
        break;
    case ORK_TIMER_GONE:
        ork_run_check_gone(run);
        break;
    case ORK_TIMER_STOPPED:
        ork_run_check_stopped(run);
        break;
    case ORK_TIMER_ANSWER:
        ork_run_give_up_answer(run);
        break;
    case ORK_TIMER_FIGURES:
        ork_run_want_figures(run);
        break;
    case ORK_TIMER_FINAL:
        if (run->outcome.signal == 0 &&
            ork_timer_extend(&run->timers, timer, ORK_FINAL_LIMIT, ork_slowness_now()))
            break;
        ork_run_lose_tool(run, "the tool did not finish: findings may be missing from the report");
        ork_run_close_tool(run);
        ork_child_signal(&run->tool, SIGKILL);
        break;
    case ORK_TIMER_TOOL:
        if (!is_about_to_end(run, &run->tool, timer))
            ork_child_signal(&run->tool, SIGKILL);
        break;
    case ORK_TIMER_REPORT: /* run_loop() writes what has come since */
    case ORK_TIMER_MAX:
        break;
    }
}

/* For poll(); -1: no limit. */
static int wait_limit(const struct ork_run *run)
{
    int timers = ork_timer_wait(&run->timers);
    int live = ork_live_wait(run->live);

    int input = ork_run_input_wait(run);

    timers = timers < 0 || (live >= 0 && live < timers) ? live : timers;
    return timers < 0 || (input >= 0 && input < timers) ? input : timers;
}

/* Places in the list for poll(). */
enum { INPUT = 5, LIVE = INPUT + 2 };

static void run_loop(struct ork_run *run)
{
    while (ork_child_is_alive(&run->tool) || ork_child_is_alive(&run->application)) {
        struct pollfd fds[LIVE + ORK_LIVE_FDS] = {{.fd = run->signals->fd, .events = POLLIN},
                                                  {.fd = run->tool.out, .events = POLLIN},
                                                  {.fd = run->tool.err, .events = POLLIN},
                                                  {.fd = run->listener, .events = POLLIN},
                                                  {.fd = run->direct, .events = POLLIN}};
        ork_run_input_fds(run, fds + INPUT);
        nfds_t count = LIVE + ork_live_fds(run->live, fds + LIVE);

        ork_run_show_ticker(run);
        if (poll(fds, count, wait_limit(run)) < 0 && errno != EINTR)
            ork_error("cannot wait for the jobs: %s", strerror(errno));
        ork_status_line_clear(&run->ticker); /* the events below may print something */
        if (fds[3].revents != 0)
            ork_run_meet_root(run);
        if (fds[4].revents != 0)
            ork_run_read_direct(run);
        if (fds[1].revents != 0)
            ork_run_read_output(run);
        if (fds[2].revents != 0)
            ork_run_read_errors(run);
        if (ork_run_pass_input(run, fds + INPUT))
            ork_run_go_on(run);
        if (fds[0].revents != 0)
            read_signals(run);
        for (enum ork_timer timer = ork_timer_expired(&run->timers); timer != ORK_TIMER_MAX;
             timer = ork_timer_expired(&run->timers))
            on_timer(run, timer);
        ork_run_serve_live(run);
        ork_run_keep_report(run);
    }
}

/* RATIONALE: signals that are meant for the application must not end the tool, from its first
 * moment on (overlay/tool/main.c). A launcher needs the chance to end its processes: by SIGHUP,
 * which batch systems do not send. */
static enum ork_status spawn_tool(struct ork_run *run)
{
    static const int others[] = {SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};
    unsigned how = ORK_SPAWN_PIPES | ORK_SPAWN_GROUP;
    sigset_t mask = run->signals->mask;

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        sigaddset(&mask, others[i]);
    if (run->commands->shape.is_here) {
        how |= ORK_SPAWN_KILLED;
        sigaddset(&mask, SIGHUP);
    } else {
        how |= ORK_SPAWN_HANGUP;
        sigdelset(&mask, SIGHUP);
    }
    return ork_spawn(&run->commands->tool, how, &mask, &run->tool);
}

static void start_tool(struct ork_run *run)
{
    if (spawn_tool(run) != ORK_OK) {
        run->exit_code = ORK_EXIT_UNAVAILABLE;
        return;
    }
    unsigned seconds = run->options->start_timeout;
    ork_timer_start(&run->timers, ORK_TIMER_READY,
                    seconds != 0 ? (int64_t)seconds * 1000 : ORK_READY_LIMIT);
    ork_timer_start(&run->timers, ORK_TIMER_STOPPED, ORK_STOPPED_AGAIN);
}

static void release(struct ork_run *run)
{
    ork_live_destroy(run->live);
    ork_status_line_release(&run->ticker);
    ork_finding_release(&run->state);
    ork_child_close(&run->tool.out);
    ork_child_close(&run->tool.err);
    ork_child_close(&run->listener);
    ork_child_close(&run->direct);
    ork_line_reader_release(&run->messages);
    ork_line_reader_release(&run->output);
    ork_line_reader_release(&run->errors);
    ork_run_result_release(&run->outcome);
}

/* The file of the order, as the user would name it; NULL: there is none. A tool that was killed
 * leaves the one it was writing. The caller's. */
static char *find_order(const struct ork_run *run)
{
    char *path = run->commands->record != NULL ? ork_record_path(run->options) : NULL;

    if (path == NULL || run->outcome.keeps_order)
        return path;
    char *part = run->outcome.final ? NULL : ork_text(ORK_ORDER_PART_FORMAT, path, run->session);
    free(path);
    if (part != NULL && access(part, R_OK) == 0)
        return part;
    free(part);
    return NULL;
}

static void take_order(struct ork_run *run)
{
    char *path = find_order(run);

    if (path == NULL) {
        if (run->options->record != NULL && run->outcome.final &&
            run->outcome.report.num_choices == 0)
            ork_run_result_note(&run->outcome,
                                run->outcome.report.statistics.unordered_calls > 0
                                    ? "no order was written: this run made no choices"
                                    : "no order was written: no call whose outcome the order of "
                                      "messages decides was complete");
        return;
    }
    if (access(path, R_OK) != 0)
        ork_run_result_note(&run->outcome, "the file of the order of this run is not visible here: "
                                           "it is on the node of the tool's first process");
    free(run->outcome.report.replay);
    run->outcome.report.replay = ork_replay_command(&run->commands->words, run->options, path);
    free(path);
}

static bool has_interleaving(const struct ork_report *report)
{
    for (uint32_t i = 0; i < report->num_findings; i++) {
        if (report->finding[i].class_ == ORK_INTERLEAVING)
            return true;
    }
    return false;
}

/* RATIONALE: the order of this run has not got the deadlock of another one. */
static void offer_exploration(struct ork_run *run)
{
    struct ork_report *report = &run->outcome.report;

    if (run->options->explore.is_on || !has_interleaving(report))
        return;
    free(report->explore);
    report->explore = ork_explore_command(&run->commands->words, run->options);
}

static void finish(struct ork_run *run)
{
    int status = run->application.status;

    take_order(run);
    offer_exploration(run);
    if (run->outcome.final && run->outcome.report.ranks == 0) {
        struct ork_unobserved why = ork_unobserved_explain(
            run->options, run->commands, status, run->outcome.signal != 0, run->outcome.unseen);
        ork_run_result_take_unobserved(&run->outcome, &why);
    }
    ork_run_result_finish(&run->outcome, status, ork_run_seconds(run));
    run->exit_code = ork_run_result_exit_code(&run->outcome);
    if (run->options->on_finding != NULL && run->outcome.signal == 0)
        ork_on_finding_run(run->options->on_finding, &run->outcome.report, run->signals);
}

static void note_end(const struct ork_run *run, struct ork_run_end *end)
{
    *end = (struct ork_run_end){
        .is_started = true,
        .is_bad = run->exit_code != 0 || ork_run_result_has_error(&run->outcome),
        .is_interrupted = run->outcome.signal != 0,
        .order_hash = run->outcome.order_hash,
        .seconds = run->started != 0 ? ork_run_seconds(run) : 0,
    };
}

int ork_supervise(const struct ork_supervision *what, struct ork_run_end *end)
{
    const struct ork_launcher *launcher = ork_launcher_of(what->options->mpiexec);
    struct ork_run run = {.options = what->options,
                          .commands = what->commands,
                          .signals = what->signals,
                          .is_announced = what->is_first && !what->options->quiet,
                          .tool = {.in = -1, .out = -1, .err = -1},
                          .application = {.in = -1, .out = -1, .err = -1},
                          .listener = -1,
                          .direct = -1};

    if (ork_run_result_init(&run.outcome, what->options, what->suppress,
                            &what->commands->program) != ORK_OK) {
        run.exit_code = ORK_EXIT_INTERNAL;
    } else {
        run.outcome.is_brief = what->is_brief;
        run.outcome.recovers = what->commands->recovers;
        run.outcome.baseline = what->baseline;
        ork_run_open_live(&run);
        run.listener = ork_control_socket_listen(run.session);
        start_tool(&run);
        run_loop(&run);
    }
    if (run.exit_code == 0)
        finish(&run);
    ork_launcher_remove_leftovers(launcher, &run.leftovers, run.application.pid);
    if (!run.commands->shape.is_here)
        ork_launcher_remove_leftovers(launcher, &(struct ork_leftovers){.family = 0}, run.tool.pid);
    note_end(&run, end);
    release(&run);
    return run.exit_code;
}
