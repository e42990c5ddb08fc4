/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/process/end_stack.h"

#include "interceptor/mpi/next.h"
#include "interceptor/site/site.h"

#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static char program[ORK_NOTE_PATH]; /* the executable, whose name is "" for the linker */
static sigjmp_buf out_of_walk;
static volatile pid_t walker; /* kernel thread id; 0: nobody walks */
static sigset_t faults;
static _Atomic(ork_function) known_sigprocmask;

void ork_end_stack_init(void)
{
    ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);

    program[n > 0 ? n : 0] = '\0';
    sigemptyset(&faults);
    sigaddset(&faults, SIGSEGV);
    sigaddset(&faults, SIGBUS);
    ork_find_next(&known_sigprocmask, "sigprocmask");
}

/* ---- the file that contains an address ---- */

#if __GLIBC_PREREQ(2, 35)
/* RATIONALE: takes no lock, unlike dladdr(). */
static bool find_module(void *address, uintptr_t *base, const char **path)
{
    struct dl_find_object found;

    if (_dl_find_object(address, &found) != 0 || found.dlfo_link_map == NULL)
        return false;
    *base = found.dlfo_link_map->l_addr;
    *path = found.dlfo_link_map->l_name;
    return true;
}
#else
static bool find_module(void *address, uintptr_t *base, const char **path)
{
    (void)address, (void)base, (void)path;
    return false;
}
#endif

/* Its index in the note; UINT16_MAX: no room. */
static uint16_t place_module(struct ork_note *note, const char *path)
{
    uint32_t i = 0;

    if (path == NULL || path[0] == '\0')
        path = program;
    size_t size = strlen(path) + 1;
    while (i < note->num_modules && strcmp(note->module[i], path) != 0)
        i++;
    if (i == note->num_modules) {
        if (i == ORK_NOTE_MODULES || size > ORK_NOTE_PATH)
            return UINT16_MAX;
        memcpy(note->module[note->num_modules++], path, size);
    }
    return (uint16_t)i;
}

static void put_frame(struct ork_note *note, void *address, uintptr_t pc)
{
    struct ork_note_frame frame = {
        .offset = (uintptr_t)address, .module = UINT16_MAX, .is_call = (uintptr_t)address != pc};
    uintptr_t base;
    const char *path;

    if (find_module(address, &base, &path) &&
        (frame.module = place_module(note, path)) != UINT16_MAX)
        frame.offset -= base;
    note->frame[note->num_frames++] = frame;
}

/* ---- the walk ---- */

static bool is_walker(void)
{
    return walker != 0 && (pid_t)syscall(SYS_gettid) == walker;
}

static void on_damage(int signo)
{
    if (is_walker())
        siglongjmp(out_of_walk, 1);
    signal(signo, SIG_DFL); /* another thread's own fault */
}

/* RATIONALE: libunwind blocks all signals while it looks for a module, and a fault that is blocked
 * ends the process. There is one if a signal comes in dlclose(): a module that is listed is not
 * mapped any more. */
__attribute__((visibility("default"))) int sigprocmask(int how, const sigset_t *restrict wanted,
                                                       sigset_t *restrict former)
{
    int (*real)(int, const sigset_t *, sigset_t *) =
        (int (*)(int, const sigset_t *, sigset_t *))ork_find_next(&known_sigprocmask,
                                                                  "sigprocmask");
    int result = real(how, wanted, former);

    if (is_walker())
        pthread_sigmask(SIG_UNBLOCK, &faults, NULL);
    return result;
}

/* Frames of this walk itself are left out: those before `pc`, if there was a signal. */
static void walk(struct ork_note *note, uintptr_t pc)
{
    enum { ROOM = 2 * ORK_NOTE_FRAMES };
    void *address[ROOM];
    int n = ork_backtrace(address, ROOM);
    int first = 0;

    for (int i = 0; i < n && first == 0; i++) {
        if (pc != 0 && (uintptr_t)address[i] == pc)
            first = i;
    }
    for (int i = first; i < n && address[i] != NULL && note->num_frames < ORK_NOTE_FRAMES; i++)
        put_frame(note, address[i], pc);
}

/* RATIONALE: a crash may have damaged the stack. A fault during the walk returns here, and does not
 * end the process by another signal than the first. */
void ork_end_take_stack(struct ork_note *note, uintptr_t pc)
{
    struct sigaction guard = {.sa_flags = SA_NODEFER}, segv, bus;
    sigset_t before;

    if (ork_backtrace == NULL)
        return;
    place_module(note, program);
    guard.sa_handler = on_damage;
    walker = (pid_t)syscall(SYS_gettid);
    sigaction(SIGSEGV, &guard, &segv);
    sigaction(SIGBUS, &guard, &bus);
    pthread_sigmask(SIG_UNBLOCK, &faults, &before);
    if (sigsetjmp(out_of_walk, 0) == 0)
        walk(note, pc);
    walker = 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    sigaction(SIGSEGV, &segv, NULL);
    sigaction(SIGBUS, &bus, NULL);
}
