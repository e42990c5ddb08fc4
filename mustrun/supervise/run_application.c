/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/exitcode.h"
#include "common/log.h"
#include "mustrun/launcher/launcher.h"
#include "mustrun/supervise/run.h"
#include "report/escape.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROGRAM_SHOWN = 2000 }; /* characters */

/* RATIONALE: arguments may contain anything; a terminal must show them, not interpret them. */
static void print_start(const struct ork_run *run)
{
    char *program = ork_argv_quote(&run->commands->program);

    fputs("orknot " ORKNOT_VERSION ": watching ", stderr);
    ork_escape_text(stderr, program != NULL ? program : "the application", PROGRAM_SHOWN);
    fputc('\n', stderr);
    free(program);
}

/* RATIONALE: a terminal sends SIGINT, SIGHUP and SIGQUIT to its whole foreground group, and mpirun
 * ends at once. Blocked, they leave the tool time to report where the ranks are; mpirun unblocks
 * all for the ranks. It stays in our group, or it could not read the terminal. */
void ork_run_start_application(struct ork_run *run)
{
    sigset_t mask = run->signals->mask;

    sigaddset(&mask, SIGINT);
    sigaddset(&mask, SIGHUP);
    sigaddset(&mask, SIGQUIT);
    ork_timer_stop(&run->timers, ORK_TIMER_READY);
    run->started = ork_now();
    run->phase = ORK_RUN_RUNNING;
    unsigned how = ork_run_may_take_input(run) ? ORK_SPAWN_INPUT : 0;
    if (ork_spawn(&run->commands->application, how, &mask, &run->application) != ORK_OK) {
        run->exit_code = ORK_EXIT_UNAVAILABLE;
        ork_run_close_tool(run);
    } else {
        if (run->is_announced)
            print_start(run);
        ork_run_watch_launcher(run);
    }
    ork_run_start_ticker(run);
}

static bool sleeps_to_end(const struct ork_run *run)
{
    return ork_launcher_of(run->options->mpiexec)->sleeps_to_end;
}

void ork_run_stop_application(struct ork_run *run, bool at_once)
{
    int64_t ranks = sleeps_to_end(run) ? ORK_RANKS_AGAIN : ORK_RANKS_LIMIT;

    run->phase = ORK_RUN_STOPPING;
    ork_timer_stop(&run->timers, ORK_TIMER_STATE);
    ork_timer_stop(&run->timers, ORK_TIMER_GONE);
    ork_timer_start(&run->timers, ORK_TIMER_KILL_RANKS, at_once ? ranks : ORK_INTERRUPT_LIMIT);
    ork_timer_start(&run->timers, ORK_TIMER_KILL_APPLICATION,
                    at_once ? ORK_DEADLOCK_LIMIT : ORK_INTERRUPT_LIMIT);
    if (ork_child_is_alive(&run->application))
        ork_launcher_learn_leftovers(ork_launcher_of(run->options->mpiexec), &run->leftovers,
                                     run->application.pid);
    ork_child_signal(&run->application, SIGTERM);
}

/* RATIONALE: when Open MPI's mpirun has got SIGTERM, it sleeps for a second before it sends SIGTERM
 * to the ranks, and for another one before SIGKILL. The ranks of a deadlock only use up CPU time
 * until then. They are killed as soon as mpirun sleeps, since it reports a rank that is killed
 * earlier as one that crashed. Each sleep is then cut short. */
static void end_sleeper(struct ork_run *run)
{
    if (run->ranks_killed) {
        ork_child_signal(&run->application, SIGCHLD);
    } else if (ork_child_sleeps(&run->application) || run->ranks_waited >= ORK_RANKS_LIMIT) {
        run->ranks_killed = true;
        ork_run_send(run, "kill\n");
    }
    run->ranks_waited += ORK_RANKS_AGAIN;
    ork_timer_start(&run->timers, ORK_TIMER_KILL_RANKS, ORK_RANKS_AGAIN);
}

void ork_run_kill_ranks(struct ork_run *run)
{
    if (sleeps_to_end(run))
        end_sleeper(run);
    else
        ork_run_send(run, "kill\n");
}

void ork_run_interrupt_application(struct ork_run *run)
{
    ork_run_stop_application(run, run->outcome.signal == SIGQUIT);
}

void ork_run_kill_application(struct ork_run *run)
{
    ork_run_send(run, "kill\n");
    ork_child_signal(&run->application, SIGKILL);
}

/* Report how the launcher ended by itself: it knows signals that leave no trace in a rank. */
static void report_status(const struct ork_run *run)
{
    int status = run->application.status;
    int code = WEXITSTATUS(status);
    int signal = ork_launcher_signal(ork_launcher_of(run->options->mpiexec), code);
    char line[32];

    if (signal != 0)
        code = 128 + signal;
    snprintf(line, sizeof(line), "exit %d\n", WIFSIGNALED(status) ? -WTERMSIG(status) : code);
    ork_run_send(run, line);
}

void ork_run_application_ended(struct ork_run *run)
{
    bool killed = run->phase == ORK_RUN_STOPPING || WIFSIGNALED(run->application.status);

    ork_child_close(&run->application.in);
    ork_debug("the application's launcher has ended, status %d", run->application.status);
    for (unsigned i = 0; i < ORK_TIMER_MAX; i++)
        ork_timer_stop(&run->timers, (enum ork_timer)i);
    ork_timer_start(&run->timers, ORK_TIMER_STOPPED, ORK_STOPPED_AGAIN);
    if (killed)
        ork_run_send(run, "kill\n"); /* ranks that it left behind */
    if (run->outcome.final || !ork_child_is_alive(&run->tool)) {
        ork_run_close_tool(run);
        return;
    }
    run->phase = ORK_RUN_DRAINING;
    report_status(run);
    ork_run_send(run, "end\n");
    ork_timer_start(&run->timers, ORK_TIMER_FINAL, ORK_FINAL_LIMIT);
}

void ork_run_end_job(struct ork_run *run, bool hangs)
{
    if (run->phase != ORK_RUN_RUNNING)
        return;
    run->outcome.hung = hangs;
    run->outcome.report.ended_by = ORK_ENDED_BY_TOOL;
    ork_run_stop_application(run, true);
}
