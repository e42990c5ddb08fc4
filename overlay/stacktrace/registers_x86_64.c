/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/stacktrace/registers.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <syscall.h>

/* A call without a time limit that any stop interrupts with EINTR. */
static bool waits_for_ever(const struct user_regs_struct *regs)
{
    switch (regs->orig_rax) {
    case SYS_epoll_wait:
    case SYS_epoll_pwait:
        return (int)regs->r10 < 0;
    case SYS_epoll_pwait2:
        return regs->r10 == 0;
    case SYS_rt_sigtimedwait:
        return regs->rdx == 0;
    case SYS_semtimedop:
        return regs->r10 == 0;
    case SYS_io_getevents:
        return regs->r8 == 0;
    case SYS_semop:
        return true;
    default:
        return false;
    }
}

/* RATIONALE: most system calls continue after a stop by themselves; these would return EINTR to the
 * application. ERESTARTNOHAND makes the kernel restart the call, unless a signal handler runs. */
void ork_stack_keep_waiting(pid_t tid)
{
    enum { ERESTARTNOHAND = 514 };
    struct user_regs_struct regs;
    struct iovec part = {.iov_base = &regs, .iov_len = sizeof(regs)};

    if (ptrace(PTRACE_GETREGSET, tid, (void *)NT_PRSTATUS, &part) != 0)
        return;
    if ((long)regs.rax != -EINTR || !waits_for_ever(&regs))
        return;
    regs.rax = (unsigned long long)-ERESTARTNOHAND;
    ptrace(PTRACE_SETREGSET, tid, (void *)NT_PRSTATUS, &part);
}
