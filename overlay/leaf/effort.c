/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/leaf/effort.h"

#include "overlay/leaf/threads_kernel.h"

#include "common/clock.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 64, TEXT_SIZE = 1024, STATUS_SIZE = 4096 };

/* The fields after the name, which may contain anything; the first is the state. NULL: unknown. */
static const char *stat_fields(uint32_t pid, uint32_t tid, char text[TEXT_SIZE])
{
    const char *name_end;

    if (!ork_kernel_read_thread(pid, tid, "stat", text, TEXT_SIZE))
        return NULL;
    name_end = strrchr(text, ')');
    return name_end != NULL && name_end[1] == ' ' ? name_end + 2 : NULL;
}

/* In clock ticks, if the kernel counts nothing finer. */
static uint64_t ticks_ns(uint32_t pid, uint32_t tid)
{
    char text[TEXT_SIZE];
    unsigned long user, system;
    long second = sysconf(_SC_CLK_TCK);
    const char *field = stat_fields(pid, tid, text);

    if (field == NULL || second <= 0 ||
        sscanf(field, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
        return 0;
    return (user + system) * (UINT64_C(1000000000) / (uint64_t)second);
}

/* How often it lost the processor although it could go on. RATIONALE: not how often it got one: a
 * thread that waits for a page of its memory, or for a file, gets one soon and often, and works. */
static uint64_t yields_of(uint32_t pid, uint32_t tid)
{
    static const char name[] = "\nnonvoluntary_ctxt_switches:";
    char text[STATUS_SIZE];

    if (!ork_kernel_read_thread(pid, tid, "status", text, sizeof(text)))
        return 0;
    const char *line = strstr(text, name);
    return line != NULL ? strtoull(line + strlen(name), NULL, 10) : 0;
}

/* Its processor time, and its time in the run queue. False: the kernel does not count them. */
static bool read_times(uint32_t pid, uint32_t tid, uint64_t *ns, uint64_t *waited_ns)
{
    char text[TEXT_SIZE];

    return ork_kernel_read_thread(pid, tid, "schedstat", text, TEXT_SIZE) &&
           sscanf(text, "%" SCNu64 " %" SCNu64, ns, waited_ns) == 2;
}

/* Add what one thread did. RATIONALE: not the process, because other threads (of OpenMP) may spin
 * while this one gets no processor. */
static void add_thread(struct ork_effort *effort, uint32_t pid, uint32_t tid)
{
    uint64_t ns, waited;

    if (!read_times(pid, tid, &ns, &waited)) {
        effort->inside_ns += ticks_ns(pid, tid);
        return;
    }
    effort->inside_ns += ns;
    effort->waited_ns += waited;
    effort->yields += yields_of(pid, tid);
}

/* A thread stopped by the freezer of a control group has the state "sleeping". The file is empty if
 * the kernel does not provide it. */
static bool is_frozen(uint32_t pid, uint32_t tid)
{
    char text[TEXT_SIZE];

    return ork_kernel_read_thread(pid, tid, "wchan", text, TEXT_SIZE) &&
           (strstr(text, "freezer") != NULL || strstr(text, "refrigerator") != NULL);
}

/* The letter of proc(5), but of a frozen thread 'T'; 0: unknown. */
static char state_of(uint32_t pid, uint32_t tid)
{
    char text[TEXT_SIZE];
    const char *field = stat_fields(pid, tid, text);
    char state = field != NULL ? *field : '\0';

    return state == 'S' && is_frozen(pid, tid) ? 'T' : state;
}

static bool is_halted(char state)
{
    return state == 'T' || state == 't';
}

/* All threads, until one is runnable: more is not asked for then. */
static void look_at_process(struct ork_effort *effort, uint32_t pid)
{
    char path[PATH_SIZE];

    snprintf(path, sizeof(path), "/proc/%u/task", pid);
    DIR *tasks = opendir(path);
    if (tasks == NULL) {
        effort->sleeps = false;
        return;
    }
    for (struct dirent *task; !effort->is_runnable && (task = readdir(tasks)) != NULL;) {
        uint32_t tid = (uint32_t)strtoul(task->d_name, NULL, 10);
        char state = tid != 0 ? state_of(pid, tid) : 'S';
        effort->sleeps = effort->sleeps && state == 'S';
        effort->is_runnable = state == 'R';
        effort->is_halted = effort->is_halted || is_halted(state);
    }
    closedir(tasks);
}

uint32_t ork_effort_thread_of(uint32_t pid, const struct ork_ring *ring, uint32_t thread)
{
    uint32_t tid = atomic_load(&ring->thread[thread].tid);

    return tid == ring->pid ? pid : tid;
}

struct ork_effort ork_effort_of(uint32_t pid, const struct ork_ring *ring)
{
    uint32_t threads = atomic_load(&ring->threads);
    struct ork_effort effort = {.sleeps = true};

    for (uint32_t t = 0; t < threads && t < ORK_RING_THREADS; t++) {
        if ((atomic_load(&ring->thread[t].word) & 0xff) != ORK_STATE_BLOCKED &&
            atomic_load(&ring->thread[t].wrong) == 0)
            continue;
        uint32_t tid = ork_effort_thread_of(pid, ring, t);
        char state = state_of(pid, tid);
        add_thread(&effort, pid, tid);
        effort.sleeps = effort.sleeps && state == 'S';
        effort.is_runnable = effort.is_runnable || state == 'R';
        effort.is_halted = effort.is_halted || is_halted(state);
    }
    look_at_process(&effort, pid);
    return effort;
}

uint64_t ork_effort_slept_ns(uint32_t pid, const struct ork_ring *ring, uint32_t thread)
{
    const uint64_t now = ork_monotonic_ns();
    uint64_t ns, waited;

    if (!read_times(pid, ork_effort_thread_of(pid, ring, thread), &ns, &waited) ||
        ns + waited > now)
        return 0;
    return now - ns - waited;
}
