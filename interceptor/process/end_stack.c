/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/process/end_stack.h"

#include "interceptor/site/unwind.h"

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

void ork_end_stack_init(void)
{
    ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);

    program[n > 0 ? n : 0] = '\0';
    sigemptyset(&faults);
    sigaddset(&faults, SIGSEGV);
    sigaddset(&faults, SIGBUS);
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

static void put_frame(struct ork_note *note, const struct ork_frame *f)
{
    struct ork_note_frame frame = {.offset = f->pc, .module = UINT16_MAX, .is_call = f->is_call};
    uintptr_t base;
    const char *path;

    if (find_module((void *)f->pc, &base, &path) && // NOLINT(performance-no-int-to-ptr)
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

static void walk(struct ork_note *note, const void *context)
{
    struct ork_frame f;
    bool is_there = context != NULL ? ork_frame_at(context, &f) : ork_frame_here(&f);

    while (is_there && note->num_frames < ORK_NOTE_FRAMES) {
        put_frame(note, &f);
        is_there = ork_frame_up(&f);
    }
}

/* RATIONALE: a crash may have damaged the stack. A fault during the walk returns here, and does not
 * end the process by another signal than the first. */
void ork_end_take_stack(struct ork_note *note, const void *context)
{
    struct sigaction guard = {.sa_flags = SA_NODEFER}, segv, bus;
    sigset_t before;

    place_module(note, program);
    guard.sa_handler = on_damage;
    walker = (pid_t)syscall(SYS_gettid);
    sigaction(SIGSEGV, &guard, &segv);
    sigaction(SIGBUS, &guard, &bus);
    pthread_sigmask(SIG_UNBLOCK, &faults, &before);
    if (sigsetjmp(out_of_walk, 0) == 0)
        walk(note, context);
    walker = 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    sigaction(SIGSEGV, &segv, NULL);
    sigaction(SIGBUS, &bus, NULL);
}
