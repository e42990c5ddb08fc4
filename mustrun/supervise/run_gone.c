/* SPDX-License-Identifier: BSD-3-Clause */
/* What would last for ever: a launcher that does not end when its ranks have, and a root of the
 * tool that somebody has stopped. */
#include "common/log.h"
#include "common/session.h"
#include "mustrun/launcher/launcher.h"
#include "mustrun/supervise/process.h"
#include "mustrun/supervise/run.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define TOOL_NAME "must-tool"

/* ---- the launcher of the application ---- */

static bool is_read(void)
{
    struct pollfd outputs[] = {{.fd = STDOUT_FILENO, .events = POLLOUT},
                               {.fd = STDERR_FILENO, .events = POLLOUT}};

    return poll(outputs, 2, 0) == 2;
}

enum { CHILDREN_MAX = 64 }; /* that are looked at */

static bool is_helper(const struct ork_launcher *launcher, const char *name)
{
    return launcher->helper != NULL &&
           strncmp(name, launcher->helper, strlen(launcher->helper)) == 0;
}

/* RATIONALE: hydra's children are processes of its own, whose children are the ranks; Intel's have
 * one more in between. */
enum { HELPERS_DEEP = 3, UNKNOWN = 1 << 24 /* more than there can be */ };

/* How many processes below the launcher are not its own. */
static size_t count_below(struct ork_run *run, pid_t parent, unsigned deep)
{
    const struct ork_launcher *launcher = ork_launcher_of(run->options->mpiexec);
    struct ork_process child[CHILDREN_MAX];
    size_t count = ork_process_children(parent, child, CHILDREN_MAX);
    size_t found = 0;

    if (count > CHILDREN_MAX)
        return count < UNKNOWN ? count : UNKNOWN;
    for (size_t i = 0; i < count; i++) {
        bool helps = deep > 0 && is_helper(launcher, child[i].name);
        run->had_helper |= helps;
        found += helps ? count_below(run, child[i].pid, deep - 1) : 1;
    }
    return found;
}

/* Hydra does not end a job of which a process has ended before MPI_Init: tell the tool how many
 * processes live that it has started, so that the tool sees who waits in vain. */
static void tell_living(struct ork_run *run)
{
    char line[32];

    if (run->phase != ORK_RUN_RUNNING || !run->had_helper || run->has_gone ||
        !run->commands->shape.is_here)
        return;
    snprintf(line, sizeof(line), "living %zu\n",
             count_below(run, run->application.pid, HELPERS_DEEP));
    ork_run_send(run, line);
}

/* Not the launcher, and no process of its own or of the tool. */
static bool is_of_program(void *context, const struct ork_process *process)
{
    const struct ork_run *run = context;

    return process->pid != run->application.pid && process->pid != run->tool.pid &&
           !is_helper(ork_launcher_of(run->options->mpiexec), process->name) &&
           strcmp(process->name, TOOL_NAME) != 0;
}

/* RATIONALE: what a rank has started may outlive it, and hydra passes on what that writes. If
 * hydra's own process was killed, its ranks may live on. Both still have the environment of the
 * run. */
static bool has_orphans(struct ork_run *run)
{
    char entry[sizeof(ORK_ENV_SESSION) + ORK_SESSION_MAX + 1];

    snprintf(entry, sizeof(entry), "%s=%s", ORK_ENV_SESSION, run->session);
    return ork_process_has_entry(entry, is_of_program, run);
}

/* RATIONALE: srun has a child of its own, which ends the job step if srun dies. Only a launcher
 * that would be killed for hanging may have ranks that are named like it. */
static bool has_children(struct ork_run *run, const struct ork_process *launcher, bool hangs)
{
    struct ork_process child[CHILDREN_MAX];

    if (hangs)
        return count_below(run, launcher->pid, HELPERS_DEEP) > 0 ||
               (run->had_helper && has_orphans(run));
    size_t count = ork_process_children(launcher->pid, child, CHILDREN_MAX);
    for (size_t i = 0; i < count && i < CHILDREN_MAX; i++) {
        if (strcmp(child[i].name, launcher->name) != 0)
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

/* RATIONALE: while the tool runs and knows of no end, only a launcher that is known to keep its
 * ranks below itself can be seen to have none: a script that became another program may do without
 * children. */
static struct ork_gone_look look_at_launcher(struct ork_run *run, int pause, bool hangs)
{
    struct ork_process launcher = {.pid = run->application.pid};
    bool has_tool = ork_child_is_alive(&run->tool);
    bool is_known = run->had_helper; /* since an earlier look */
    struct ork_gone_look look = {.ms = since_last(run, pause),
                                 .is_read = is_read(),
                                 .is_certain = has_tool && run->has_gone};

    look.has_children =
        !ork_process_read(launcher.pid, &launcher) || has_children(run, &launcher, hangs);
    if (has_tool && !run->has_gone && !is_known)
        look.has_children = true;
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
    bool is_certain = run->has_gone && ork_child_is_alive(&run->tool);
    int pause = is_certain ? ORK_GONE_AGAIN : ORK_GONE_UNSEEN;
    struct ork_gone_look look = look_at_launcher(run, pause, hangs);

    tell_living(run);
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

void ork_run_watch_launcher(struct ork_run *run)
{
    const struct ork_launcher *launcher = ork_launcher_of(run->options->mpiexec);

    if (launcher->hangs && launcher->helper != NULL && run->commands->shape.is_here)
        ork_timer_start(&run->timers, ORK_TIMER_GONE, ORK_GONE_UNSEEN);
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

    return pid > 0 && ork_process_read(pid, root) && strcmp(root->name, TOOL_NAME) == 0;
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
