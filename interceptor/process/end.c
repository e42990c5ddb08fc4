/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/process/end.h"

#include "interceptor/process/end_stack.h"
#include "interceptor/mpi/mpi_library.h"
#include "interceptor/mpi/next.h"
#include "interceptor/ring/recorder.h"
#include "interceptor/ring/signals.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* RATIONALE: without those that a debugger, a profiler or job control use in a living process. */
static const int noted[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGABRT, SIGSYS,  SIGTERM, SIGINT,
                            SIGHUP,  SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE, SIGXCPU, SIGXFSZ};

static struct ork_ring *ring; /* NULL: nothing is noted */
static pid_t self;            /* the observed process: a forked child shares the ring */
static struct sigaction former[NSIG];
static void (*next_exit)(int); /* _exit() of the C library */

/* ---- the note ---- */

/* The note, if the caller may write it. A note of an error or of MPI_Abort is kept, because later
 * events follow from it. NULL: not a rank, or another thread is writing. */
static struct ork_note *claim(void)
{
    struct ork_note *note = ring != NULL ? &ring->note : NULL;
    uint32_t free_ = 0;

    if (note == NULL || getpid() != self)
        return NULL;
    uint32_t kind = atomic_load(&note->kind);
    if (kind == ORK_NOTE_ERROR || kind == ORK_NOTE_ABORT ||
        !atomic_compare_exchange_strong(&note->claimed, &free_, 1))
        return NULL;
    struct timespec t;
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &t); /* not our own function of that name */
    note->time_ns = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
    note->tid = (uint32_t)syscall(SYS_gettid);
    note->value = note->code = 0;
    note->sender = note->num_frames = note->num_modules = 0;
    note->address = 0;
    note->call[0] = note->text[0] = '\0';
    return note;
}

/* Complete except for the stack, which may crash the process. */
static void finish(struct ork_note *note, enum ork_note_kind kind, const void *context)
{
    bool is_orderly = kind == ORK_NOTE_EXIT && !atomic_load(&ork_recording);

    atomic_store(&note->kind, kind);
    if (!is_orderly)
        ork_end_take_stack(note, context);
    atomic_store(&note->claimed, 0);
}

static void copy(char *to, size_t size, const char *text)
{
    size_t n = text != NULL ? strnlen(text, size - 1) : 0;

    if (n > 0)
        memcpy(to, text, n);
    to[n] = '\0';
}

void ork_end_note_exit(int status)
{
    int saved = errno;
    struct ork_note *note = claim();

    if (note != NULL) {
        note->value = status & 0xff;
        finish(note, ORK_NOTE_EXIT, NULL);
    }
    errno = saved;
}

void ork_end_note_abort(int code)
{
    int saved = errno;
    struct ork_note *note = claim();

    if (note != NULL) {
        note->value = code;
        finish(note, ORK_NOTE_ABORT, NULL);
    }
    errno = saved;
}

void ork_end_note_error(const char *call, uint32_t error_class, const char *text)
{
    int saved = errno;
    struct ork_note *note = claim();

    if (note != NULL) {
        note->value = (int32_t)error_class;
        copy(note->call, sizeof(note->call), call);
        copy(note->text, sizeof(note->text), text);
        finish(note, ORK_NOTE_ERROR, NULL);
    }
    errno = saved;
}

/* ---- signals ---- */

/* The name of a process's program, without a newline. Safe in a signal handler. */
static void read_name(uint32_t pid, char *name, size_t size)
{
    char path[32] = "/proc/";
    char digits[12];
    size_t at = strlen(path), n = 0;

    do
        digits[n++] = (char)('0' + pid % 10);
    while ((pid /= 10) > 0);
    while (n > 0)
        path[at++] = digits[--n];
    memcpy(path + at, "/comm", sizeof("/comm"));
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, name, size - 1) : 0;
    name[got > 0 ? got : 0] = '\0';
    name[strcspn(name, "\n")] = '\0';
    if (fd >= 0)
        close(fd);
}

static bool is_sent(const siginfo_t *info)
{
    return info->si_code == SI_USER || info->si_code == SI_QUEUE || info->si_code == SI_TKILL;
}

static void note_signal(int signo, const siginfo_t *info, const void *context)
{
    struct ork_note *note = claim();

    if (note == NULL)
        return;
    note->value = signo;
    note->code = info->si_code;
    if (is_sent(info) && info->si_pid > 0 && info->si_pid != self) {
        note->sender = (uint32_t)info->si_pid;
        read_name(note->sender, note->text, sizeof(note->text));
    } else if (!is_sent(info)) {
        note->address = (uint64_t)(uintptr_t)info->si_addr;
    }
    finish(note, ORK_NOTE_SIGNAL, context);
}

/* RATIONALE: raise the signal again, with the same siginfo. It is delivered when this handler
 * returns, at the original place: the next handler and a core dump see the same as without us. */
static void on_signal(int signo, siginfo_t *info, void *context)
{
    int saved = errno;
    pid_t tid = (pid_t)syscall(SYS_gettid);

    note_signal(signo, info, context);
    sigaction(signo, &former[signo], NULL);
    if (syscall(SYS_rt_tgsigqueueinfo, getpid(), tid, signo, info) != 0)
        syscall(SYS_tgkill, getpid(), tid, signo);
    errno = saved;
}

/* Is this file a library whose signal handlers print the place of the signal, and then let it end
 * the process? */
static bool only_prints(const char *path)
{
    static const char *const names[] = {"libgfortran.so", "libucs.so"};
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    }
    return ork_library_only_prints(name);
}

/* Does this disposition end the process: the default one, or a handler of the MPI library or of a
 * language's run-time library that only prints the place? */
static bool is_fatal(const struct sigaction *action)
{
    Dl_info info;
    void *handler;

    if ((action->sa_flags & SA_SIGINFO) == 0 && action->sa_handler == SIG_DFL)
        return true;
    if ((action->sa_flags & SA_SIGINFO) == 0 && action->sa_handler == SIG_IGN)
        return false;
    memcpy(&handler, &action->sa_sigaction, sizeof(handler));
    if (dladdr(handler, &info) == 0 || info.dli_fname == NULL)
        return false;
    return only_prints(info.dli_fname);
}

void ork_end_watch_signals(void)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO};

    if (ring == NULL)
        return;
    ork_signals_init(ring);
    action.sa_sigaction = on_signal;
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof(noted) / sizeof(noted[0]); i++) {
        int signo = noted[i];
        if (sigaction(signo, NULL, &former[signo]) == 0 && is_fatal(&former[signo]))
            ork_signals_own(signo, &action);
    }
}

/* ---- exit ---- */

static void on_exit_of_process(int status, void *argument)
{
    (void)argument;
    ork_end_note_exit(status);
}

void ork_end_watch(struct ork_ring *of)
{
    next_exit = (void (*)(int))ork_system_find("_exit");
    ork_end_stack_init();
    self = getpid();
    ring = of;
    on_exit(on_exit_of_process, NULL);
}

/* RATIONALE: the C library runs none of our code for these two. */
__attribute__((visibility("default"), noreturn)) void _exit(int status);
__attribute__((visibility("default"), noreturn)) void _Exit(int status);

void _exit(int status)
{
    ork_end_note_exit(status);
    if (next_exit != NULL)
        next_exit(status);
    for (;;)
        syscall(SYS_exit_group, status);
}

void _Exit(int status)
{
    _exit(status);
}
