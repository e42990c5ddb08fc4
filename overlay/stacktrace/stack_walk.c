/* SPDX-License-Identifier: BSD-3-Clause */
/* Return addresses of a thread that is stopped during the walk. All files are opened before, and
 * nothing is named here. */
#include "common/clock.h"
#include "overlay/stacktrace/registers.h"
#include "overlay/stacktrace/stack_internal.h"

#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_FIRST_NS = 20000, WAIT_LAST_NS = 1000000, STOP_LEAST_NS = 50000000 };

struct walker {
    struct ork_walk *walk;
    Dwfl *dwfl;
    uint64_t *pc;
    bool *is_call;
    uint64_t deadline;
    int error; /* errno of PTRACE_SEIZE */
    bool gone, late;
};

/* ---- files ---- */

static int find_elf(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
                    char **file_name, Elf **elf)
{
    const struct ork_walk *walk = *userdata;

    if (name[0] != '/')
        return dwfl_linux_proc_find_elf(module, userdata, name, base, file_name, elf);
    int fd = ork_stack_open(walk->pid, name);
    if (fd >= 0)
        *file_name = strdup(name);
    return fd;
}

static int read_unwind_table(Dwfl_Module *module, void **userdata, const char *name,
                             Dwarf_Addr base, void *walk)
{
    Dwarf_Addr bias;

    (void)name, (void)base;
    *userdata = walk;
    dwfl_module_eh_cfi(module, &bias);
    return DWARF_CB_OK;
}

/* The process's files, with their unwind tables; 0 or errno. */
static int open_process(struct walker *w)
{
    static const Dwfl_Callbacks callbacks = {
        .find_elf = find_elf,
        .find_debuginfo = ork_stack_no_debuginfo,
    };

    w->dwfl = dwfl_begin(&callbacks);
    if (w->dwfl == NULL)
        return ENOMEM;
    int error = dwfl_linux_proc_report(w->dwfl, (pid_t)w->walk->pid);
    dwfl_report_end(w->dwfl, NULL, NULL);
    if (error != 0)
        return error > 0 ? error : EIO;
    dwfl_getmodules(w->dwfl, read_unwind_table, w->walk, 0);
    error = dwfl_linux_proc_attach(w->dwfl, (pid_t)w->walk->pid, true);
    return error >= 0 ? error : EIO;
}

/* ---- the stop ---- */

/* Wait for the stop; *signal is what is about to be delivered, 0: nothing. RATIONALE: the state is
 * inspected but not consumed, because an end belongs to the parent. */
static bool await_stop(struct walker *w, int *signal)
{
    const int what = WSTOPPED | WEXITED | WNOWAIT | WNOHANG | __WALL;
    long pause = WAIT_FIRST_NS;
    siginfo_t info = {.si_pid = 0};

    while (waitid(P_PID, w->walk->tid, &info, what) == 0 && info.si_pid == 0) {
        w->late = ork_monotonic_ns() > w->deadline; /* for example in an uninterruptible sleep */
        if (w->late)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
        pause = pause * 2 < WAIT_LAST_NS ? pause * 2 : WAIT_LAST_NS;
    }
    if (info.si_pid == 0 || (info.si_code != CLD_TRAPPED && info.si_code != CLD_STOPPED))
        return false;
    *signal = info.si_status >> 8 == 0 ? info.si_status : 0; /* otherwise a stop of PTRACE_SEIZE */
    return true;
}

static int take_step(Dwfl_Frame *frame, void *context)
{
    struct walker *w = context;
    struct ork_walk *walk = w->walk;
    Dwarf_Addr pc;
    bool is_activation;

    if (!dwfl_frame_pc(frame, &pc, &is_activation))
        return DWARF_CB_ABORT;
    if (walk->num_steps == walk->room || ork_monotonic_ns() > w->deadline) {
        walk->cut = true;
        return DWARF_CB_ABORT;
    }
    w->pc[walk->num_steps] = pc;
    w->is_call[walk->num_steps] = !is_activation;
    walk->num_steps++;
    return DWARF_CB_OK;
}

/* RATIONALE: PTRACE_SEIZE sends no signal and stops nothing by itself. In a thread of its own: when
 * that ends, the kernel releases all that it traces, also one that would not stop. */
static void *stop_and_walk(void *argument)
{
    struct walker *w = argument;
    pid_t tid = (pid_t)w->walk->tid;
    int signal = 0;

    if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0) {
        w->error = errno;
        return NULL;
    }
    uint64_t from = ork_monotonic_ns();
    w->deadline = w->walk->deadline;
    if (w->deadline < from + STOP_LEAST_NS) /* opening the files was slow */
        w->deadline = from + STOP_LEAST_NS;
    if (ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) != 0 || !await_stop(w, &signal)) {
        w->gone = !w->late;
        return NULL;
    }
    ork_stack_keep_waiting(tid);
    if (dwfl_getthread_frames(w->dwfl, tid, take_step, w) < 0 && w->walk->num_steps > 0)
        w->walk->cut = true;
    ptrace(PTRACE_DETACH, tid, NULL, (void *)(intptr_t)signal);
    w->walk->stopped_ns = ork_monotonic_ns() - from;
    return NULL;
}

static int run_apart(struct walker *w)
{
    sigset_t all, old;
    pthread_t thread;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int error = pthread_create(&thread, NULL, stop_and_walk, w);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (error == 0)
        pthread_join(thread, NULL);
    return error;
}

/* ---- to files ---- */

static enum ork_status locate(const struct walker *w, uint32_t i, struct ork_step *step)
{
    uint64_t pc = w->pc[i] - (w->is_call[i] ? 1 : 0);
    Dwfl_Module *module = dwfl_addrmodule(w->dwfl, pc);
    Dwarf_Addr bias = 0;
    const char *name =
        module == NULL ? NULL : dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

    *step = (struct ork_step){.address = w->pc[i], .is_call = w->is_call[i]};
    if (name == NULL)
        return ORK_OK;
    if (dwfl_module_getelf(module, &bias) != NULL)
        step->bias = bias;
    step->address -= step->bias;
    step->path = strdup(name);
    return step->path != NULL ? ORK_OK : ORK_NOMEM;
}

static enum ork_status locate_all(const struct walker *w)
{
    struct ork_walk *walk = w->walk;
    uint32_t count = walk->num_steps;
    enum ork_status status = ORK_OK;

    walk->num_steps = 0;
    walk->step = calloc(count + 1, sizeof(*walk->step));
    if (walk->step == NULL)
        return ORK_NOMEM;
    while (status == ORK_OK && walk->num_steps < count) {
        status = locate(w, walk->num_steps, &walk->step[walk->num_steps]);
        walk->num_steps++;
    }
    return status;
}

static bool is_thread_of(const struct ork_walk *walk)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%u/task/%u", walk->pid, walk->tid);
    return access(path, F_OK) == 0;
}

static enum ork_status walk_with(struct walker *w)
{
    struct ork_walk *walk = w->walk;
    int error = open_process(w);

    if (error == 0)
        error = run_apart(w);
    if (error == 0)
        error = w->gone ? ESRCH : w->error;
    if (error == ENOMEM)
        return ORK_NOMEM;
    if (error != 0) {
        ork_stack_walk_explain(walk, error);
        return ORK_DENIED;
    }
    if (w->late) {
        snprintf(walk->reason, walk->reason_size, "process %u did not stop in time", walk->pid);
        return ORK_DENIED;
    }
    if (walk->num_steps == 0) {
        snprintf(walk->reason, walk->reason_size, "cannot read the registers of process %u",
                 walk->pid);
        return ORK_DENIED;
    }
    return locate_all(w);
}

enum ork_status ork_stack_walk_run(struct ork_walk *walk)
{
    struct walker w = {.walk = walk};
    enum ork_status status = ORK_NOMEM;

    if (walk->pid == 0) {
        snprintf(walk->reason, walk->reason_size, "the process is in another PID namespace");
        return ORK_DENIED;
    }
    if (!is_thread_of(walk)) { /* the number may come from the process itself */
        ork_stack_walk_explain(walk, ESRCH);
        return ORK_DENIED;
    }
    w.pc = calloc(walk->room, sizeof(*w.pc));
    w.is_call = calloc(walk->room, sizeof(*w.is_call));
    if (w.pc != NULL && w.is_call != NULL)
        status = walk_with(&w);
    dwfl_end(w.dwfl);
    free(w.pc);
    free(w.is_call);
    return status;
}

void ork_stack_walk_release(struct ork_walk *walk)
{
    for (uint32_t i = 0; i < walk->num_steps; i++)
        free(walk->step[i].path);
    free(walk->step);
    walk->step = NULL;
    walk->num_steps = 0;
}
