/* SPDX-License-Identifier: BSD-3-Clause */
/* What would last for ever: a launcher that does not end when its ranks have, and a root of the
 * tool that somebody has stopped. */
#include "common/log.h"
#include "mustrun/launcher/launcher.h"
#include "mustrun/supervise/process.h"
#include "mustrun/supervise/run.h"

#include <poll.h>
#include <signal.h>
#include <string.h>

/* ---- the launcher of the application ---- */

static bool is_read(void)
{
    struct pollfd outputs[] = {{.fd = STDOUT_FILENO, .events = POLLOUT},
                               {.fd = STDERR_FILENO, .events = POLLOUT}};

    return poll(outputs, 2, 0) == 2;
}

enum { CHILDREN_MAX = 64 }; /* that are looked at */

/* RATIONALE: srun has a child of its own, which ends the job step if srun dies. Only a launcher
 * that would be killed for hanging may have ranks that are named like it. */
static bool has_children(const struct ork_process *launcher, bool hangs)
{
    struct ork_process child[CHILDREN_MAX];
    size_t count = ork_process_children(launcher->pid, child, CHILDREN_MAX);

    for (size_t i = 0; i < count && i < CHILDREN_MAX; i++) {
        if (hangs || strcmp(child[i].name, launcher->name) != 0)
            return true;
    }
    return count > CHILDREN_MAX;
}

/* RATIONALE: a time in which mustrun itself got no processor tells nothing of the launcher. */
static int since_last(struct ork_run *run, int pause)
{
    int64_t now = ork_now(), ms = run->gone_at != 0 ? now - run->gone_at : pause;

    run->gone_at = now;
    return ms < 2 * pause ? (int)ms : 2 * pause;
}

static struct ork_gone_look look_at_launcher(struct ork_run *run, int pause, bool hangs)
{
    struct ork_process launcher = {.pid = run->application.pid};
    struct ork_gone_look look = {.ms = since_last(run, pause),
                                 .is_read = is_read(),
                                 .is_certain = ork_child_is_alive(&run->tool)};

    look.has_children =
        !ork_process_read(launcher.pid, &launcher) || has_children(&launcher, hangs);
    look.state = launcher.state;
    return look;
}

static void say_gone(const struct ork_run *run, bool has_child)
{
    ork_error("all ranks ended %d seconds ago, but %s has not: %s", ORK_GONE_REPORTED / 1000,
              ork_launcher_facts(ork_launcher_of(run->options->mpiexec))->name,
              has_child ? "a process that it started is still running"
                        : "it is still busy, or waits for a CPU");
}

void ork_run_check_gone(struct ork_run *run)
{
    bool hangs = ork_launcher_of(run->options->mpiexec)->hangs;
    int pause = ork_child_is_alive(&run->tool) ? ORK_GONE_AGAIN : ORK_GONE_UNSEEN;
    struct ork_gone_look look = look_at_launcher(run, pause, hangs);

    switch (ork_gone_judge(&run->gone, &look, hangs, ork_slowness_now())) {
    case ORK_GONE_KILL:
        ork_run_result_note(
            &run->outcome,
            look.is_certain
                ? "all ranks had ended but the launcher had not: mustrun killed it"
                : "no process of the launcher was left but it did not end: mustrun killed it");
        ork_child_signal(&run->application, SIGKILL);
        return;
    case ORK_GONE_SAY:
        say_gone(run, look.has_children);
        break;
    case ORK_GONE_WAIT:
        break;
    }
    ork_timer_start(&run->timers, ORK_TIMER_GONE, pause);
}

/* RATIONALE: with other launchers, or on several nodes, ranks are no children of the launcher. */
void ork_run_go_on_unseen(struct ork_run *run)
{
    if (run->phase != ORK_RUN_RUNNING || !run->commands->shape.is_here ||
        !ork_launcher_of(run->options->mpiexec)->hangs)
        return;
    run->gone = (struct ork_gone){.had_children = run->gone.had_children};
    ork_timer_start(&run->timers, ORK_TIMER_GONE, ORK_GONE_UNSEEN);
}

/* ---- the root of the tool ---- */

/* False: it is not known to be on this node. RATIONALE: when it has ended, its number may get a new
 * owner. */
static bool find_root(const struct ork_run *run, struct ork_process *root)
{
    pid_t pid = run->commands->shape.is_here ? run->tool.pid : run->root_pid;

    return pid > 0 && ork_process_read(pid, root) && strcmp(root->name, "must-tool") == 0;
}

/* RATIONALE: the processes of the tool notice when another one is stopped for good, but nobody is
 * above the root. Without it nobody knows whether a rank lives, or what there is to report. A job
 * that is suspended has a mustrun that is. So this one was stopped by itself. */
void ork_run_check_stopped(struct ork_run *run)
{
    struct ork_process root;

    if (!ork_child_is_alive(&run->tool))
        return;
    bool is_stopped = find_root(run, &root) && root.state == 'T';
    run->root_stopped = is_stopped ? run->root_stopped + 1 : 0;
    if (run->root_stopped >= ORK_STOPPED_LOOKS) {
        run->root_stopped = 0;
        kill(root.pid, SIGCONT);
        ork_error("a process of the tool was stopped from outside: it has been continued");
    }
    ork_timer_start(&run->timers, ORK_TIMER_STOPPED, ORK_STOPPED_AGAIN);
}
