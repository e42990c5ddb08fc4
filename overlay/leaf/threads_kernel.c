/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/leaf/threads_kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ARGUMENTS = 6 };

struct system_call {
    long number;
    unsigned long argument[ARGUMENTS];
};

/* The beginning of a file, as text; false: it cannot be read, or is empty. */
static bool read_text(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return false;
    ssize_t n = read(fd, text, size - 1);
    close(fd);
    if (n <= 0)
        return false;
    text[n] = '\0';
    return true;
}

bool ork_kernel_read_thread(uint32_t pid, uint32_t tid, const char *name, char *text, size_t size)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%" PRIu32 "/task/%" PRIu32 "/%s", pid, tid, name);
    return read_text(path, text, size);
}

/* ---- the system call it sleeps in ---- */

/* Which argument makes the call wait without a time limit. */
enum limit { NO_LIMIT, NULL_IN_2, NULL_IN_3, NULL_IN_4, NEGATIVE_IN_2, NEGATIVE_IN_3 };

/* Calls that wait for something from outside the process. RATIONALE: a list of known ones; a thread
 * in any other call may return at any time. */
static const struct {
    long number;
    enum limit limit;
} outside[] = {
    {SYS_read, NO_LIMIT},
    {SYS_readv, NO_LIMIT},
    {SYS_recvfrom, NO_LIMIT},
    {SYS_recvmsg, NO_LIMIT},
    {SYS_accept, NO_LIMIT},
    {SYS_accept4, NO_LIMIT},
    {SYS_rt_sigsuspend, NO_LIMIT},
    {SYS_wait4, NO_LIMIT},
    {SYS_waitid, NO_LIMIT},
    {SYS_msgrcv, NO_LIMIT},
    {SYS_semop, NO_LIMIT},
    {SYS_rt_sigtimedwait, NULL_IN_2},
    {SYS_ppoll, NULL_IN_2},
    {SYS_semtimedop, NULL_IN_3},
    {SYS_pselect6, NULL_IN_4},
    {SYS_mq_timedreceive, NULL_IN_4},
    {SYS_epoll_pwait, NEGATIVE_IN_3},
#ifdef SYS_pause
    {SYS_pause, NO_LIMIT},
#endif
#ifdef SYS_select
    {SYS_select, NULL_IN_4},
#endif
#ifdef SYS_poll
    {SYS_poll, NEGATIVE_IN_2},
#endif
#ifdef SYS_epoll_wait
    {SYS_epoll_wait, NEGATIVE_IN_3},
#endif
};

static bool is_for_ever(const struct system_call *call, enum limit limit)
{
    switch (limit) {
    case NULL_IN_2:
        return call->argument[2] == 0;
    case NULL_IN_3:
        return call->argument[3] == 0;
    case NULL_IN_4:
        return call->argument[4] == 0;
    case NEGATIVE_IN_2:
        return (int32_t)call->argument[2] < 0;
    case NEGATIVE_IN_3:
        return (int32_t)call->argument[3] < 0;
    case NO_LIMIT:
        break;
    }
    return true;
}

static bool is_thread(uint32_t pid, unsigned long tid)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%" PRIu32 "/task/%lu", pid, tid);
    return tid != 0 && access(path, F_OK) == 0;
}

/* RATIONALE: a thread that joins another one waits in a futex that is not private (the kernel wakes
 * it) and contains the other thread's number, as nothing else does. */
static enum ork_rest rest_in_futex(uint32_t pid, const struct system_call *call, uint32_t *joined)
{
    int operation = (int)call->argument[1];
    int command = operation & FUTEX_CMD_MASK;
    bool waits = command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET;

    if (!(waits || command == FUTEX_LOCK_PI) || call->argument[3] != 0)
        return ORK_REST_NONE;
    if (operation & FUTEX_PRIVATE_FLAG)
        return ORK_REST_PRIVATE;
    if (!waits || !is_thread(pid, call->argument[2]))
        return ORK_REST_OUTSIDE;
    *joined = (uint32_t)call->argument[2];
    return ORK_REST_JOIN;
}

static enum ork_rest rest_in(uint32_t pid, const struct system_call *call, uint32_t *joined)
{
    if (call->number == SYS_futex)
        return rest_in_futex(pid, call, joined);
    for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++) {
        if (outside[i].number == call->number)
            return is_for_ever(call, outside[i].limit) ? ORK_REST_OUTSIDE : ORK_REST_NONE;
    }
    return ORK_REST_NONE;
}

/* False: it is in none, or the kernel does not provide it. */
static bool read_system_call(uint32_t pid, uint32_t tid, struct system_call *call)
{
    char text[256];
    unsigned long *a = call->argument;

    return ork_kernel_read_thread(pid, tid, "syscall", text, sizeof(text)) &&
           sscanf(text, "%ld %lx %lx %lx %lx %lx %lx", &call->number, &a[0], &a[1], &a[2], &a[3],
                  &a[4], &a[5]) == 1 + ARGUMENTS;
}

/* ---- has it run? ---- */

static bool read_switches(uint32_t pid, uint32_t tid, struct ork_kernel_thread *t)
{
    char text[128];

    return ork_kernel_read_thread(pid, tid, "schedstat", text, sizeof(text)) &&
           sscanf(text, "%" SCNu64 " %*u %" SCNu64, &t->cpu_ns, &t->switched) == 2;
}

/* Fields of /proc/PID/stat behind the name, counted from the state, which is 0. */
enum { FIELD_FLAGS = 6, FIELD_PENDING = 28, FLAG_EXITING = 4 };

/* RATIONALE: when a process is killed its threads end one after the other, and the last one may
 * take long if it gets no processor. */
static bool is_ending(const char *fields)
{
    unsigned long flags = 0, pending = 0;

    for (int i = 0; fields != NULL && i <= FIELD_PENDING; i++) {
        if (i == FIELD_FLAGS)
            flags = strtoul(fields, NULL, 10);
        else if (i == FIELD_PENDING)
            pending = strtoul(fields, NULL, 10);
        fields = strchr(fields, ' ');
        fields = fields != NULL ? fields + 1 : NULL;
    }
    return (flags & FLAG_EXITING) != 0 || (pending >> (SIGKILL - 1) & 1) != 0;
}

/* The first thread of a process remains after its end, as long as others live. */
bool ork_kernel_is_over(uint32_t pid, uint32_t tid)
{
    char text[1024];

    if (!ork_kernel_read_thread(pid, tid, "stat", text, sizeof(text)))
        return errno == ENOENT || errno == ESRCH;
    const char *name_end = strrchr(text, ')');
    if (name_end == NULL || name_end[1] == '\0')
        return false;
    const char *state = name_end + 2;
    return *state == 'Z' || *state == 'X' || is_ending(state);
}

struct ork_kernel_thread ork_kernel_thread(uint32_t pid, uint32_t tid)
{
    struct ork_kernel_thread t = {.rest = ORK_REST_NONE};
    struct system_call call;

    /* RATIONALE: in this order, or a thread that has just run could seem to have slept. */
    if (read_switches(pid, tid, &t) && read_system_call(pid, tid, &call))
        t.rest = rest_in(pid, &call, &t.joined);
    if (t.rest == ORK_REST_NONE && ork_kernel_is_over(pid, tid))
        t.rest = ORK_REST_OVER;
    return t;
}

/* ---- signals ---- */

#define SIGNAL(number) (UINT64_C(1) << ((number)-1))

bool ork_kernel_handles_signals(uint32_t pid, uint64_t ending)
{
    static const uint64_t others =
        SIGNAL(SIGQUIT) | SIGNAL(SIGILL) | SIGNAL(SIGTRAP) | SIGNAL(SIGABRT) | SIGNAL(SIGBUS) |
        SIGNAL(SIGFPE) | SIGNAL(SIGSEGV) | SIGNAL(SIGXCPU) | SIGNAL(SIGXFSZ) | SIGNAL(SIGSYS) |
        SIGNAL(32) | SIGNAL(33); /* pthread_cancel() and setuid() of the C library */
    char text[4096], path[64];

    snprintf(path, sizeof(path), "/proc/%" PRIu32 "/status", pid);
    const char *caught = read_text(path, text, sizeof(text)) ? strstr(text, "\nSigCgt:") : NULL;
    return caught == NULL ||
           (strtoull(caught + strlen("\nSigCgt:"), NULL, 16) & ~(others | ending)) != 0;
}
